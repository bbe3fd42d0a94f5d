/* Repairs that a fleet owns: one for each database and map that is followed. The first squad that goes by it
 * owns it, others share it. All are stepped before the members of a tick are, one after another on the caller's
 * thread: agents read them, so nothing else may run meanwhile, and moves do not depend on the number of
 * workers. */
#include "world/fleet.h"

#include "db/repair.h"

/* The map that the squad's members go by; NULL: nothing of it changes. */
static const wend_map *followed(wend_fleet *fleet, const wend_squad *squad) {
    if (squad->agent.knowledge) return wend_knowledge_map(squad->agent.knowledge);
    return fleet->options.editable ? wend_fleet_map(fleet, squad->body) : NULL;
}

/* The fleet's repair of this database for this map, or NULL. */
static wend_repair *find(const wend_fleet *fleet, const wend_db *db, const wend_map *map) {
    for (uint32_t i = 0; i < fleet->squad_count; i++) {
        wend_repair *repair = fleet->squads[i].owned;
        if (repair && repair->db == db && repair->map == map) return repair;
    }
    return NULL;
}

wend_status wend_fleet_join_repair(wend_fleet *fleet, wend_squad *squad, wend_error *error) {
    if (!squad->repair_operations) return WEND_OK;
    if (squad->agent.repair || !squad->agent.db)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT,
                         squad->agent.db ? "the squad has a repair: who made it steps it"
                                         : "the squad has no database that could be repaired");
    const wend_map *map = followed(fleet, squad);
    if (!map) return WEND_OK;
    squad->agent.repair = find(fleet, squad->agent.db, map);
    if (squad->agent.repair) return WEND_OK;
    wend_repair_options options = wend_default_repair_options();
    options.allocator = fleet->allocator;
    wend_status status = wend_repair_create(squad->agent.db, map, &options, &squad->owned, error);
    squad->agent.repair = squad->owned;
    return status;
}

/* The most that a squad asks for. */
static uint64_t operations_of(const wend_fleet *fleet, const wend_repair *repair) {
    uint64_t most = 0;
    for (uint32_t i = 0; i < fleet->squad_count; i++)
        if (fleet->squads[i].agent.repair == repair && fleet->squads[i].repair_operations > most)
            most = fleet->squads[i].repair_operations;
    return most;
}

bool wend_fleet_repair_all(wend_fleet *fleet, wend_tick *tick) {
    bool any = false;
    tick->repaired = true;
    for (uint32_t i = 0; i < fleet->squad_count; i++) {
        wend_repair *repair = fleet->squads[i].owned;
        any = any || fleet->squads[i].agent.repair;
        if (!repair) continue;
        const uint64_t before = repair->info.operations;
        bool done;
        /* After a failure what was complete stays, and the next tick begins again. */
        wend_status status = wend_repair_step(repair, operations_of(fleet, repair), &done, NULL);
        tick->repairs_failed += status != WEND_OK;
        tick->repaired = tick->repaired && done;
        tick->repair_operations += repair->info.operations - before;
    }
    return any;
}

const wend_repair *wend_fleet_repair(const wend_fleet *fleet, uint32_t squad) {
    return fleet && squad < fleet->squad_count ? fleet->squads[squad].agent.repair : NULL;
}

#include "db/repair.h"

#include "base/options.h"

enum { SLICE = 2048 }; /* operations of a call of `go`, at most */

void wend_repair_options_init(wend_repair_options *options, size_t size) {
    const wend_repair_options own = {.struct_size = 0};
    wend_options_init(options, size, &own, sizeof own);
}

static wend_status check_kind(const wend_db *db, wend_error *error) {
    const wend_repair_kind *kind = db->kind->repair;
    if (!kind)
        return wend_fail(error, WEND_STATUS_UNSUPPORTED, "a database of kind %s can't be repaired",
                         db->kind->info.name);
    return kind->check ? kind->check(db, error) : WEND_OK;
}

bool wend_db_can_repair(const wend_db *db) {
    return db && check_kind(db, NULL) == WEND_OK;
}

/* Whether edits of that map can be followed. */
static wend_status check_map(const wend_db *db, const wend_map *map, wend_error *error) {
    if (!db->map)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT,
                         "the database was opened without a map, to look at only");
    if (map->width != db->map->width || map->height != db->map->height ||
        map->rules.connect != db->map->rules.connect || map->rules.corners != db->map->rules.corners ||
        map->rules.diagonal != db->map->rules.diagonal)
        return wend_fail(error, WEND_STATUS_OTHER_MAP,
                         "the map has another size or other rules than the database's");
    if (wend_map_fingerprint(db->map) != db->info.fingerprint)
        return wend_fail(error, WEND_STATUS_OTHER_MAP,
                         "the map that the database was opened with has been edited since: open it with a "
                         "copy, and let the repair follow the other");
    return WEND_OK;
}

static wend_status check_arguments(const wend_db *db, const wend_map *map, wend_error *error) {
    wend_status status = check_kind(db, error);
    return status == WEND_OK ? check_map(db, map, error) : status;
}

static wend_status no_memory(const wend_repair *repair, wend_error *error) {
    return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for a repair of %u cells%s", repair->map->cells,
                     atomic_load(&repair->budget.refused) ? " within the given bytes" : "");
}

wend_status wend_repair_create(const wend_db *db, const wend_map *map, const wend_repair_options *options,
                               wend_repair **repair, wend_error *error) {
    if (!db || !map || !repair)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no database, map or place for a repair");
    *repair = NULL;
    wend_repair_options own = wend_default_repair_options();
    wend_status status = wend_options_take(&own, sizeof own, options, "repair", error);
    options = &own;
    if (status == WEND_OK) status = check_arguments(db, map, error);
    if (status != WEND_OK) return status;
    const wend_repair_kind *kind = db->kind->repair;
    wend_allocator below = wend_allocator_or_default(&options->allocator);
    wend_repair *made = wend_allocate_zeroed(&below, 1, kind->size);
    if (!made) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for a repair");
    wend_budget_init(&made->budget, &below, options->max_bytes, kind->size);
    made->allocator = wend_budget_allocator(&made->budget);
    made->db = db, made->map = map;
    if (!kind->create(made, options)) {
        status = no_memory(made, error);
        wend_repair_destroy(made);
        return status;
    }
    *repair = made;
    return WEND_OK;
}

/* The last block goes back to where memory really comes from. */
void wend_repair_destroy(wend_repair *repair) {
    if (!repair) return;
    const wend_repair_kind *kind = repair->db->kind->repair;
    wend_allocator below = repair->budget.below;
    kind->release(repair);
    wend_release(&below, repair, 1, kind->size);
}

wend_status wend_repair_step(wend_repair *repair, uint64_t operations, bool *done, wend_error *error) {
    if (!repair || !done) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no repair to go on with");
    const wend_repair_kind *kind = repair->db->kind->repair;
    uint64_t spent = repair->debt;
    wend_status status = WEND_OK;
    atomic_store(&repair->budget.refused, false);
    while (status == WEND_OK && spent < operations && !kind->current(repair)) {
        uint64_t left = operations - spent, used = 0;
        status = kind->go(repair, left < SLICE ? left : SLICE, &used, error);
        spent += used, repair->info.operations += used;
    }
    repair->debt = spent > operations ? spent - operations : 0;
    *done = status == WEND_OK && kind->current(repair);
    if (status == WEND_OK) return WEND_OK;
    if (status == WEND_STATUS_NO_MEMORY) (void)no_memory(repair, error);
    kind->give_up(repair);
    return status;
}

wend_repair_info wend_repair_about(const wend_repair *repair) {
    wend_repair_info info = repair->info;
    info.bytes = atomic_load(&repair->budget.used);
    return info;
}

size_t wend_repair_facts(const wend_repair *repair, wend_fact *facts, size_t capacity) {
    return repair->db->kind->repair->facts(repair, facts, capacity);
}

wend_status wend_repair_write(const wend_repair *repair, const wend_build_options *options, const char *path,
                              wend_error *error) {
    if (!repair || !path) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no repair to write, or no path");
    const wend_repair_kind *kind = repair->db->kind->repair;
    if (!kind->current(repair))
        return wend_fail(error, WEND_STATUS_STALE, "the map has been edited since the last complete repair");
    return wend_db_build(kind->seen(repair), repair->db->settings, options, path, error);
}

wend_status wend_repair_check(const wend_repair *repair, const wend_db *db, const wend_map *map,
                              wend_error *error) {
    if (repair->db != db)
        return wend_fail(error, WEND_STATUS_OTHER_MAP, "the repair is of a database of kind %s, %s",
                         repair->db->kind->info.name, db ? "not of this one" : "and none is given");
    if (repair->map != map)
        return wend_fail(error, WEND_STATUS_OTHER_MAP, "the repair follows another map than the agent");
    return WEND_OK;
}

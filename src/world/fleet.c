/* Fleets: what they are made of, and the tick. */
#include "world/fleet.h"

#include "base/options.h"
#include "base/random.h"
#include "base/settings.h"

void wend_fleet_options_init(wend_fleet_options *options, size_t size) {
    const wend_fleet_options own = {.max_members = 1024,
                                    .max_events = 4096,
                                    .wait_events = true,
                                    .budget = 1000000,
                                    .lanes = 8,
                                    .max_body = 1,
                                    .settle = 20000,
                                    .max_bytes = 256 << 20,
                                    .touch_bytes = 64 << 20};
    wend_options_init(options, size, &own, sizeof own);
}

void wend_squad_options_init(wend_squad_options *options, size_t size) {
    wend_squad_options own = {.body = 1, .agent = wend_default_agent_options()};
    wend_options_nest(&own.agent.struct_size, size, offsetof(wend_squad_options, agent));
    wend_options_init(options, size, &own, sizeof own);
}

static wend_status check(const wend_fleet_options *options, wend_error *error) {
    if (!options->max_members || options->max_members > WEND_MAX_MEMBERS)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "a capacity of %u members: 1 to %u",
                         options->max_members, WEND_MAX_MEMBERS);
    if (!options->lanes || options->lanes > WEND_MAX_LANES)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "%u lanes: 1 to %d", options->lanes,
                         WEND_MAX_LANES);
    if (!options->max_events || !options->budget || !options->settle)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT,
                         "room for events, the budget and what is settled are at least 1");
    if (options->max_body < 1 || options->max_body > WEND_MAX_BODY)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "bodies of %d cells along each side: 1 to %d",
                         (int)options->max_body, WEND_MAX_BODY);
    return WEND_OK;
}

static void prepare_lane(wend_fleet *fleet, uint32_t index) {
    wend_lane *lane = &fleet->lanes[index];
    uint32_t all = fleet->options.workspaces, lanes = fleet->searching_lanes;
    uint32_t own = index < lanes ? all / lanes + (index < all % lanes) : 1;
    lane->ground.allocator = fleet->allocator;
    lane->ground.queue_nodes = fleet->options.max_queue_nodes;
    lane->ground.workspace_count = all ? own : 0;
    lane->ground.allowance = &fleet->allowance;
    for (uint32_t i = 0; i < WEND_STORAGES; i++)
        lane->hungry[i] = (wend_hungry){WEND_NO_SEAT, WEND_NO_SEAT, WEND_NO_SEAT};
    wend_lane_face(fleet, lane, 1);
}

wend_status wend_fleet_create(const wend_map *map, const wend_fleet_options *options, wend_fleet **fleet,
                              wend_error *error) {
    if (!map || !fleet) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no map for a fleet");
    *fleet = NULL;
    wend_fleet_options own = wend_default_fleet_options();
    wend_status status = wend_options_take(&own, sizeof own, options, "fleet", error);
    if (status == WEND_OK) status = check(options = &own, error);
    if (status != WEND_OK) return status;
    wend_allocator allocator = wend_allocator_or_default(&options->allocator);
    wend_fleet *made = wend_allocate_zeroed(&allocator, 1, sizeof *made);
    if (!made) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for a fleet");
    made->toucher = (wend_toucher){allocator, options->touch_bytes};
    made->allocator = allocator = wend_toucher_allocator(&made->toucher);
    made->options = *options;
    made->map = map;
    made->free = WEND_NO_SEAT;
    bool few = options->workspaces && options->workspaces < options->lanes;
    made->searching_lanes = few ? options->workspaces : options->lanes;
    made->allowance.max_bytes = options->max_bytes;
    made->seats = wend_allocate_zeroed(&allocator, options->max_members, sizeof *made->seats);
    made->lanes = wend_allocate_zeroed(&allocator, options->lanes, sizeof *made->lanes);
    made->events = wend_allocate(&allocator, options->max_events, sizeof *made->events);
    if (!made->seats || !made->lanes || !made->events || !wend_shown_create(made) ||
        !wend_fleet_class(made, 1)) {
        wend_fleet_destroy(made);
        return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for a fleet of %u members",
                         options->max_members);
    }
    for (uint32_t i = 0; i < options->lanes; i++) prepare_lane(made, i);
    *fleet = made;
    return WEND_OK;
}

static void release_squad(const wend_fleet *fleet, const wend_squad *squad) {
    const wend_allocator *allocator = &fleet->allocator;
    wend_repair_destroy(squad->owned);
    wend_release(allocator, squad->in_lane, fleet->options.lanes, sizeof *squad->in_lane);
    wend_settings_destroy(squad->planner);
    wend_release(allocator, squad->at, squad->room, sizeof *squad->at);
    wend_release(allocator, squad->goals, squad->room, sizeof *squad->goals);
    wend_release(allocator, squad->seat, squad->room, sizeof *squad->seat);
    wend_release(allocator, squad->begun, squad->room, sizeof *squad->begun);
    wend_release(allocator, squad->fresh, squad->room, sizeof *squad->fresh);
    wend_release(allocator, squad->moves, squad->room, sizeof *squad->moves);
}

void wend_fleet_destroy(wend_fleet *fleet) {
    if (!fleet) return;
    wend_allocator allocator = fleet->allocator;
    for (uint32_t i = 0; fleet->seats && i < fleet->used; i++) wend_agent_destroy(fleet->seats[i].agent);
    for (uint32_t i = 0; i < fleet->squad_count; i++) release_squad(fleet, &fleet->squads[i]);
    for (uint32_t i = 0; fleet->lanes && i < fleet->options.lanes; i++) {
        wend_lane *lane = &fleet->lanes[i];
        wend_ground_release(&lane->ground);
        wend_release(&allocator, lane->queue, 2 * (size_t)lane->room, sizeof *lane->queue);
        wend_release(&allocator, lane->noted, lane->room, sizeof *lane->noted);
        wend_release(&allocator, lane->strides, lane->room, sizeof *lane->strides);
    }
    wend_fleet_release_classes(fleet);
    wend_shown_release(fleet);
    wend_release(&allocator, fleet->squads, fleet->squad_count, sizeof *fleet->squads);
    wend_release(&allocator, fleet->seats, fleet->options.max_members, sizeof *fleet->seats);
    wend_release(&allocator, fleet->lanes, fleet->options.lanes, sizeof *fleet->lanes);
    wend_release(&allocator, fleet->events, fleet->options.max_events, sizeof *fleet->events);
    wend_release(&allocator, fleet->batches, fleet->batch_room, sizeof *fleet->batches);
    wend_release(&allocator, fleet, 1, sizeof *fleet);
}

wend_status wend_fleet_set_budget(wend_fleet *fleet, uint64_t budget, wend_error *error) {
    if (!fleet || !budget) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no fleet, or no budget");
    uint64_t least = wend_fleet_min_budget(fleet);
    if (budget < least)
        return wend_fail(error, WEND_STATUS_TOO_SMALL,
                         "the members need a budget of at least %llu operations", (unsigned long long)least);
    fleet->options.budget = budget;
    return WEND_OK;
}

void wend_fleet_set_tasks(wend_fleet *fleet, wend_tasks tasks) {
    fleet->options.tasks = tasks;
}

/* The tick ----------------------------------------------------------------------------------------------- */

static void run_part(void *argument, uint32_t index, uint32_t worker) {
    wend_fleet *fleet = argument;
    (void)worker;
    if (index < fleet->options.lanes)
        wend_lane_run(fleet, &fleet->lanes[index]);
    else
        wend_batch_run(fleet, &fleet->batches[index - fleet->options.lanes]);
}

static void add_tick(wend_tick *sum, const wend_tick *part) {
    sum->active += part->active, sum->steps += part->steps, sum->moves += part->moves;
    sum->coasted += part->coasted, sum->thinking += part->thinking, sum->starved += part->starved;
    sum->postponed += part->postponed, sum->arrived += part->arrived;
    sum->unreachable += part->unreachable, sum->out_of_memory += part->out_of_memory;
    sum->bad_database += part->bad_database;
    sum->operations += part->operations;
}

wend_tick wend_fleet_tick(wend_fleet *fleet) {
    /* Once in 2^27 searches: nobody else would clear what they wait for, if no request comes. */
    for (uint32_t i = 0; i < fleet->options.lanes; i++)
        if (fleet->lanes[i].hungry_count) wend_ground_refresh(&fleet->lanes[i].ground);
    fleet->tick++;
    wend_shown_begin(fleet);
    wend_tick sum = {.tick = fleet->tick, .settled = wend_fleet_settle(fleet)};
    for (uint32_t i = 0; fleet->edited && sum.settled && i < fleet->options.lanes; i++)
        wend_lane_reconsider(fleet, &fleet->lanes[i]);
    if (sum.settled) fleet->edited = false;
    const bool repairs = wend_fleet_repair_all(fleet, &sum);
    for (uint32_t i = 0; repairs && i < fleet->options.lanes; i++) wend_lane_wake(fleet, &fleet->lanes[i]);
    wend_fleet_deal(fleet);
    const wend_tasks *tasks = &fleet->options.tasks;
    uint32_t parts = fleet->options.lanes + fleet->batch_count;
    if (tasks->run)
        tasks->run(tasks->context, parts, run_part, fleet);
    else
        for (uint32_t i = 0; i < parts; i++) run_part(fleet, i, 0);
    for (uint32_t i = 0; i < fleet->options.lanes; i++) {
        wend_lane *lane = &fleet->lanes[i];
        add_tick(&sum, &lane->tick);
        for (uint32_t j = 0; j < lane->noted_count; j++)
            wend_fleet_tell(fleet, (wend_event_kind)fleet->seats[lane->noted[j]].note, lane->noted[j]);
        lane->noted_count = 0;
    }
    wend_batch_finish(fleet, &sum);
    wend_shown_end(fleet);
    WEND_VALIDATE(wend_fleet_is_sound(fleet));
    return sum;
}

/* Looking at it ------------------------------------------------------------------------------------------ */

wend_cell wend_seat_cell(const wend_fleet *fleet, const wend_seat *seat) {
    if (!seat->agent) return wend_squad_of(fleet, seat)->at[seat->slot];
    bool strides = seat->post == WEND_POST_STRIDE;
    return strides ? fleet->lanes[seat->lane].strides[seat->slot].at : seat->agent->at;
}

wend_cell wend_seat_goal(const wend_fleet *fleet, const wend_seat *seat) {
    return seat->agent ? seat->agent->goal : wend_squad_of(fleet, seat)->goals[seat->slot];
}

wend_cell wend_seat_wanted(const wend_fleet *fleet, const wend_seat *seat) {
    return seat->agent ? wend_agent_wanted(seat->agent) : wend_seat_goal(fleet, seat);
}

static wend_doing doing_of(const wend_seat *seat) {
    bool waits = seat->doing == WEND_DOING_THINKING && wend_agent_stranded(seat->agent);
    return waits ? WEND_DOING_WAITING : (wend_doing)seat->doing;
}

static uint64_t last_step(const wend_fleet *fleet, const wend_seat *seat) {
    const wend_squad *squad = wend_squad_of(fleet, seat);
    if (seat->post == WEND_POST_STRIDE) return fleet->tick;
    uint32_t now = (uint32_t)fleet->tick, ago = now - seat->stepped;
    if (squad->batch && now - squad->all < ago) ago = now - squad->all;
    return fleet->tick - ago;
}

wend_member wend_fleet_at(const wend_fleet *fleet, uint32_t index) {
    if (index >= fleet->used || !(fleet->seats[index].generation & 1)) return WEND_NO_MEMBER;
    return (uint64_t)fleet->seats[index].generation << 32 | index;
}

bool wend_fleet_member(const wend_fleet *fleet, wend_member member, wend_member_info *info) {
    uint32_t number = (uint32_t)member;
    if (!fleet || member == WEND_NO_MEMBER || wend_fleet_at(fleet, number) != member) return false;
    const wend_seat *seat = &fleet->seats[number];
    *info = (wend_member_info){.squad = seat->squad,
                               .body = wend_squad_of(fleet, seat)->body,
                               .cell = wend_seat_cell(fleet, seat),
                               .goal = wend_seat_goal(fleet, seat),
                               .request = seat->request,
                               .doing = doing_of(seat),
                               .stepped = last_step(fleet, seat),
                               .wanted = wend_seat_wanted(fleet, seat),
                               .user = wend_seat_user(fleet, number)};
    return true;
}

uint32_t wend_fleet_count(const wend_fleet *fleet) {
    return fleet->members;
}

enum { PLACE_BYTES = 3 * sizeof(uint32_t) + sizeof(wend_stride) }; /* of a place in a lane */

size_t wend_fleet_squad_bytes(const wend_fleet *fleet, uint32_t squad) {
    if (squad >= fleet->squad_count) return 0;
    const wend_squad *own = &fleet->squads[squad];
    size_t member = sizeof(wend_seat) + (own->batch ? 0 : own->agent_bytes + PLACE_BYTES);
    return own->members * member + own->room * (size_t)WEND_SLOT_BYTES;
}

size_t wend_fleet_bytes(const wend_fleet *fleet) {
    size_t bytes = sizeof *fleet + wend_shown_bytes(fleet) +
                   fleet->options.max_members * sizeof *fleet->seats +
                   fleet->options.max_events * sizeof *fleet->events +
                   fleet->batch_room * sizeof *fleet->batches + fleet->squad_count * sizeof *fleet->squads +
                   (size_t)fleet->squad_count * fleet->options.lanes * sizeof *fleet->squads->in_lane;
    for (uint32_t i = 0; i < fleet->squad_count; i++) {
        const wend_squad *squad = &fleet->squads[i];
        bytes += squad->room * (size_t)WEND_SLOT_BYTES +
                 (squad->batch ? 0 : squad->members * squad->agent_bytes) +
                 (squad->owned ? wend_repair_about(squad->owned).bytes : 0) + squad->planner->bytes;
    }
    for (uint32_t i = 0; i < fleet->options.lanes; i++) {
        const wend_lane *lane = &fleet->lanes[i];
        bytes += sizeof *lane + wend_ground_bytes(&lane->ground) + (size_t)lane->room * PLACE_BYTES;
    }
    for (int32_t body = 1; body <= WEND_MAX_BODY; body++) {
        const wend_class *class = &fleet->classes[body];
        bytes += (class->map ? wend_map_bytes(class->map) : 0) +
                 (class->world ? wend_world_bytes(class->world) : 0);
    }
    return bytes;
}

uint64_t wend_fleet_hash(const wend_fleet *fleet) {
    uint64_t hash = wend_mix(fleet->tick);
    for (uint32_t i = 0; i < fleet->used; i++) {
        const wend_seat *seat = &fleet->seats[i];
        if (!(seat->generation & 1)) continue;
        uint64_t cells = (uint64_t)wend_seat_cell(fleet, seat) << 32 | wend_seat_goal(fleet, seat);
        hash = wend_mix(hash ^ ((uint64_t)seat->generation << 32 | i));
        hash = wend_mix(hash ^ cells);
        hash = wend_mix(hash ^ ((uint64_t)seat->request << 8 | seat->doing));
    }
    return hash;
}

/* Squads and members: who is there, and what they are asked to do. All of this happens between ticks. */
#include "base/options.h"
#include "base/settings.h"
#include "world/fleet.h"

enum { USUAL_EXPANSIONS = 1000 };
#define MOST_OPERATIONS (UINT64_C(1) << 36)

/* Squads ------------------------------------------------------------------------------------------------- */

/* An agent in a lane. Its workspaces serve bodies of all sizes, so they are made for the smallest, who can go
 * where any other can. */
static wend_status make_agent(const wend_fleet *fleet, wend_lane *lane, const wend_squad *squad,
                              wend_agent **agent, wend_error *error) {
    const wend_planner *planner = wend_planner_of(squad->planner);
    wend_lane_face(fleet, lane, 1);
    wend_status status = WEND_OK;
    bool fixed = !lane->ground.view.changes && planner->storage != WEND_STORAGE_CHANGING;
    if (fixed) status = wend_world_prepare(fleet->classes[1].world, &lane->ground, planner->storage, error);
    if (status != WEND_OK) return status;
    wend_lane_face(fleet, lane, squad->body);
    return wend_agent_create_on(fleet->classes[squad->body].world, &lane->ground, squad->planner,
                                &squad->agent, agent, error);
}

/* What one member shows of all. */
static wend_status probe(wend_fleet *fleet, wend_squad *squad, wend_error *error) {
    if (!wend_fleet_class(fleet, squad->body))
        return wend_fail(error, WEND_STATUS_NO_MEMORY,
                         "no memory for the world of bodies of %d cells along each side", (int)squad->body);
    wend_agent *agent;
    wend_status status = make_agent(fleet, &fleet->lanes[squad->lane], squad, &agent, error);
    if (status != WEND_OK) return status;
    uint64_t own = wend_agent_budget(agent);
    if (!squad->expansions) squad->expansions = own == UINT64_MAX ? USUAL_EXPANSIONS : own;
    if (squad->expansions > own) squad->expansions = own;
    squad->bound = wend_agent_bound(agent, squad->expansions);
    squad->coast = wend_agent_bound(agent, 0);
    squad->storage = agent->storage;
    squad->agent_bytes = wend_agent_bytes(agent);
    squad->batch = agent->view->changes || agent->want ? NULL : agent->planner->batch;
    bool borrows = squad->storage || agent->planner->served, strides = agent->planner->known;
    wend_agent_destroy(agent);
    if (squad->bound > MOST_OPERATIONS)
        return wend_fail(error, WEND_STATUS_UNSUPPORTED,
                         "steps of %s have no bound, or one over 2^36 operations",
                         squad->planner->info->name);
    if (!squad->bound) squad->bound = 1;
    if (squad->coast >= squad->bound) squad->coast = 0; /* it plans as it moves */
    squad->charge = (borrows ? 2 * squad->bound : squad->bound) + (strides ? WEND_LONGEST_STRIDE : 0);
    return WEND_OK;
}

/* All that share a knowledge are in one lane, where they can search. */
static uint32_t team_lane(wend_fleet *fleet, const wend_knowledge *knowledge) {
    if (!knowledge) return 0;
    for (uint32_t i = 0; i < fleet->squad_count; i++)
        if (fleet->squads[i].agent.knowledge == knowledge) return fleet->squads[i].lane;
    return fleet->teams++ % fleet->searching_lanes;
}

static wend_status append_squad(wend_fleet *fleet, wend_squad *made, wend_error *error) {
    const wend_allocator *allocator = &fleet->allocator;
    made->in_lane = wend_allocate_zeroed(allocator, fleet->options.lanes, sizeof *made->in_lane);
    wend_squad *squads = made->in_lane ? wend_enlarge(allocator, fleet->squads, fleet->squad_count,
                                                      (size_t)fleet->squad_count + 1, sizeof *squads)
                                       : NULL;
    if (!squads) {
        wend_release(allocator, made->in_lane, fleet->options.lanes, sizeof *made->in_lane);
        return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for a squad");
    }
    fleet->squads = squads;
    squads[fleet->squad_count++] = *made;
    return WEND_OK;
}

wend_status wend_fleet_add_squad(wend_fleet *fleet, const wend_settings *planner,
                                 const wend_squad_options *options, uint32_t *squad, wend_error *error) {
    if (!fleet || !planner || !squad)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no fleet or planner");
    wend_squad_options own = wend_default_squad_options();
    wend_status status = wend_options_take(&own, sizeof own, options, "squad", error);
    if (status != WEND_OK) return status;
    if (own.agent.struct_size > sizeof own.agent) own.agent.struct_size = sizeof own.agent;
    options = &own;
    if (options->body < 1 || options->body > fleet->options.max_body)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT,
                         "bodies of %d cells along each side: the fleet has 1 to %d", (int)options->body,
                         (int)fleet->options.max_body);
    if (fleet->squad_count == WEND_MAX_SQUADS)
        return wend_fail(error, WEND_STATUS_FULL, "a fleet has at most %d squads", WEND_MAX_SQUADS);
    wend_settings *meant;
    status = wend_planner_meant(planner, options->agent.db, &fleet->allocator, &meant, error);
    if (status == WEND_OK && !meant) status = wend_settings_copy(planner, &fleet->allocator, &meant, error);
    if (status != WEND_OK) return status;
    wend_squad made = {.planner = meant,
                       .agent = options->agent,
                       .body = options->body,
                       .expansions = options->expansions,
                       .repair_operations = options->repair_operations,
                       .lane = team_lane(fleet, options->agent.knowledge),
                       .free = WEND_NO_SEAT};
    status = wend_fleet_join_repair(fleet, &made, error);
    if (status == WEND_OK) status = probe(fleet, &made, error);
    if (status == WEND_OK) status = append_squad(fleet, &made, error);
    if (status != WEND_OK)
        wend_repair_destroy(made.owned), wend_settings_destroy(made.planner);
    else
        *squad = fleet->squad_count - 1;
    return status;
}

/* Adding and removing ------------------------------------------------------------------------------------ */

/* How many members would share each of a lane's workspaces of this kind if one more came. UINT32_MAX: there is none,
 * and one more would be more than is allowed. */
static uint32_t sharing(const wend_fleet *fleet, uint32_t lane, wend_storage storage) {
    const wend_ground *ground = &fleet->lanes[lane].ground;
    uint32_t members = 1, workspaces = ground->workspace_count;
    for (uint32_t i = 0; i < fleet->squad_count; i++)
        if (fleet->squads[i].storage == storage) members += fleet->squads[i].in_lane[lane];
    if (!workspaces) {
        size_t each = fleet->allowance.each[storage];
        workspaces = ground->pools[storage].count;
        bool allowed = !each || each <= wend_allowance_left(&fleet->allowance);
        if (workspaces < members && allowed) workspaces++;
    }
    return workspaces ? (members + workspaces - 1) / workspaces : UINT32_MAX;
}

/* The lane of a new member: its team's; or, of those where it shares a workspace with the fewest, if it needs
 * one, the one that has least to do. */
static uint32_t choose_lane(const wend_fleet *fleet, const wend_squad *squad) {
    if (squad->agent.knowledge) return squad->lane;
    uint32_t lanes = squad->storage ? fleet->searching_lanes : fleet->options.lanes;
    uint32_t best = 0, fewest = UINT32_MAX;
    for (uint32_t i = 0; i < lanes; i++) {
        uint32_t shared = squad->storage ? sharing(fleet, i, squad->storage) : 0;
        if (shared > fewest || (shared == fewest && fleet->lanes[i].total >= fleet->lanes[best].total))
            continue;
        best = i, fewest = shared;
    }
    return best;
}

static uint32_t take_seat(wend_fleet *fleet) {
    uint32_t number = fleet->free;
    if (number != WEND_NO_SEAT)
        fleet->free = fleet->seats[number].slot;
    else if (fleet->used < fleet->options.max_members)
        number = fleet->used++;
    return number;
}

static void give_seat(wend_fleet *fleet, uint32_t number) {
    fleet->seats[number].slot = fleet->free;
    fleet->free = number;
}

/* What the lane's members make of `most` and `coast`. */
static void find_costs(const wend_fleet *fleet, uint32_t index) {
    wend_lane *lane = &fleet->lanes[index];
    lane->most = lane->coast = 0;
    for (uint32_t i = 0; i < fleet->squad_count; i++) {
        const wend_squad *squad = &fleet->squads[i];
        if (!squad->in_lane[index]) continue;
        if (squad->bound > lane->most) lane->most = squad->bound;
        if (squad->coast && (!lane->coast || squad->coast < lane->coast)) lane->coast = squad->coast;
    }
}

static wend_status add_to_lane(wend_fleet *fleet, uint32_t number, wend_cell cell, wend_error *error) {
    wend_seat *seat = &fleet->seats[number];
    wend_squad *squad = wend_squad_of(fleet, seat);
    uint32_t index = choose_lane(fleet, squad);
    wend_lane *lane = &fleet->lanes[index];
    if (!wend_lane_reserve(fleet, lane, lane->members + 1))
        return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for another member");
    wend_agent *agent;
    wend_status status = make_agent(fleet, lane, squad, &agent, error);
    if (status != WEND_OK) return status;
    /* It sees where it stands, whatever its team believed. */
    if (squad->agent.knowledge) (void)wend_knowledge_look(squad->agent.knowledge, cell);
    status = wend_agent_start(agent, cell, cell, error);
    if (status != WEND_OK) {
        wend_agent_destroy(agent);
        return status;
    }
    seat->agent = agent;
    seat->lane = (uint8_t)index;
    seat->post = WEND_POST_NONE;
    lane->members++;
    lane->total += squad->charge;
    squad->in_lane[index]++;
    find_costs(fleet, index);
    return WEND_OK;
}

/* What a member more would add to the least budget. */
static uint64_t more_budget(const wend_fleet *fleet, const wend_squad *squad) {
    if (squad->batch) return squad->slots ? 0 : squad->bound;
    uint64_t most = fleet->lanes[choose_lane(fleet, squad)].most;
    return squad->bound > most ? squad->bound - most : 0;
}

wend_status wend_fleet_add(wend_fleet *fleet, uint32_t squad, wend_cell cell, wend_member *member,
                           wend_error *error) {
    if (!fleet || !member) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no fleet for a member");
    *member = WEND_NO_MEMBER;
    if (squad >= fleet->squad_count)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "there is no squad %u", squad);
    wend_squad *own = &fleet->squads[squad];
    wend_status status =
        wend_map_check_open(wend_world_map(fleet->classes[own->body].world), cell, "place", error);
    if (status != WEND_OK) return status;
    uint64_t least = wend_fleet_min_budget(fleet) + more_budget(fleet, own);
    if (least > fleet->options.budget)
        return wend_fail(error, WEND_STATUS_TOO_SMALL,
                         "with this member a tick needs a budget of at least %llu operations",
                         (unsigned long long)least);
    uint32_t number = take_seat(fleet);
    if (number == WEND_NO_SEAT)
        return wend_fail(error, WEND_STATUS_FULL, "the fleet is full: it has room for %u members",
                         fleet->options.max_members);
    wend_seat *seat = &fleet->seats[number];
    *seat = (wend_seat){.generation = seat->generation,
                        .stepped = (uint32_t)fleet->tick,
                        .squad = (uint16_t)squad,
                        .doing = WEND_DOING_NOTHING};
    status = own->batch ? wend_batch_add(fleet, squad, number, cell, error)
                        : add_to_lane(fleet, number, cell, error);
    if (status != WEND_OK) {
        give_seat(fleet, number);
        return status;
    }
    seat->generation++;
    own->members++, fleet->members++;
    if (fleet->users) fleet->users[number] = 0;
    *member = (uint64_t)seat->generation << 32 | number;
    return WEND_OK;
}

/* The seat of a member; NULL, with words, if there is none. */
static wend_seat *find(const wend_fleet *fleet, wend_member member, wend_error *error) {
    uint32_t number = (uint32_t)member;
    if (fleet && member != WEND_NO_MEMBER && wend_fleet_at(fleet, number) == member)
        return &fleet->seats[number];
    (void)wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "there is no such member, or it was removed");
    return NULL;
}

/* The member stands, and gives back what it has borrowed. */
static void halt(wend_fleet *fleet, uint32_t number) {
    wend_seat *seat = &fleet->seats[number];
    wend_squad *squad = wend_squad_of(fleet, seat);
    if (seat->doing == WEND_DOING_NOTHING) return;
    wend_stride_end(fleet, number);
    seat->doing = WEND_DOING_NOTHING;
    if (squad->batch) {
        wend_batch_stop(fleet, number);
        squad->active--;
        return;
    }
    wend_lane_withdraw(fleet, number);
    wend_lane_face(fleet, &fleet->lanes[seat->lane], squad->body);
    (void)wend_agent_set_goal(seat->agent, seat->agent->at, NULL); /* fails only where it is walled in */
    wend_workspace_return(seat->agent);
    if (seat->agent->planner->rest) seat->agent->planner->rest(seat->agent); /* where it is walled in */
}

/* Its task is another one, for which a planner with a database may need nothing of what it waits for: it asks
 * again at its turn. Those that search in any case keep their place. */
static void ask_again(const wend_fleet *fleet, uint32_t number) {
    const wend_seat *seat = &fleet->seats[number];
    if (seat->post <= WEND_POST_QUEUE || !wend_squad_of(fleet, seat)->agent.db) return;
    wend_lane_forget_hungry(fleet, number);
    wend_lane_enter(fleet, number);
}

wend_status wend_fleet_remove(wend_fleet *fleet, wend_member member, wend_error *error) {
    wend_seat *seat = find(fleet, member, error);
    if (!seat) return WEND_STATUS_BAD_ARGUMENT;
    uint32_t number = (uint32_t)member;
    wend_squad *squad = wend_squad_of(fleet, seat);
    if (seat->doing != WEND_DOING_NOTHING) wend_fleet_tell(fleet, WEND_EVENT_CANCELLED, number);
    halt(fleet, number);
    seat->generation++;
    squad->members--, fleet->members--;
    if (squad->batch) {
        wend_batch_remove(fleet, number);
        give_seat(fleet, number);
        return WEND_OK;
    }
    wend_lane *lane = &fleet->lanes[seat->lane];
    wend_agent_destroy(seat->agent);
    seat->agent = NULL;
    lane->total -= squad->charge;
    squad->in_lane[seat->lane]--;
    find_costs(fleet, seat->lane);
    lane->members--;
    give_seat(fleet, number);
    return WEND_OK;
}

/* Requests ----------------------------------------------------------------------------------------------- */

/* Sets the goal of a member with an agent; on failure its task goes on. */
static wend_status set_goal(const wend_fleet *fleet, wend_seat *seat, wend_cell goal, wend_error *error) {
    wend_lane *lane = &fleet->lanes[seat->lane];
    wend_ground_refresh(&lane->ground);
    wend_lane_face(fleet, lane, wend_squad_of(fleet, seat)->body);
    if (!seat->spent) return wend_agent_set_goal(seat->agent, goal, error);
    wend_status status = wend_agent_start(seat->agent, seat->agent->at, goal, error);
    if (status == WEND_OK) seat->spent = false;
    return status;
}

/* A request of which it is known at once how it ends. */
static void end_at_once(wend_fleet *fleet, uint32_t number, wend_event_kind kind) {
    halt(fleet, number);
    wend_fleet_tell(fleet, kind, number);
}

static void begin(wend_fleet *fleet, uint32_t number) {
    wend_seat *seat = &fleet->seats[number];
    wend_squad *squad = wend_squad_of(fleet, seat);
    if (seat->doing == WEND_DOING_NOTHING) {
        seat->doing = WEND_DOING_MOVING;
        seat->stepped = (uint32_t)fleet->tick;
        if (squad->batch) wend_batch_begin(fleet, number);
    } else {
        wend_fleet_tell(fleet, WEND_EVENT_REPLACED, number);
    }
    seat->request++;
    seat->recalled = seat->woken = 0;
    wend_fleet_tell(fleet, WEND_EVENT_REQUESTED, number);
}

wend_status wend_fleet_request(wend_fleet *fleet, wend_member member, wend_cell goal, uint32_t *request,
                               wend_error *error) {
    wend_seat *seat = find(fleet, member, error);
    if (!seat) return WEND_STATUS_BAD_ARGUMENT;
    uint32_t number = (uint32_t)member;
    const wend_squad *squad = wend_squad_of(fleet, seat);
    wend_stride_end(fleet, number);
    wend_status status =
        squad->batch
            ? wend_map_check_open(fleet->classes[squad->body].world->ground.view.map, goal, "goal", error)
            : set_goal(fleet, seat, goal, error);
    if (status != WEND_OK) return status;
    begin(fleet, number);
    if (request) *request = seat->request;
    if (squad->batch && !wend_batch_set_goal(fleet, number, goal))
        end_at_once(fleet, number, WEND_EVENT_UNREACHABLE);
    else if (wend_seat_cell(fleet, seat) == goal)
        end_at_once(fleet, number, WEND_EVENT_ARRIVED);
    else if (!squad->batch) {
        ask_again(fleet, number);
        wend_lane_enter(fleet, number);
    }
    return WEND_OK;
}

wend_status wend_fleet_cancel(wend_fleet *fleet, wend_member member, wend_error *error) {
    const wend_seat *seat = find(fleet, member, error);
    if (!seat) return WEND_STATUS_BAD_ARGUMENT;
    if (seat->doing == WEND_DOING_NOTHING) return WEND_OK;
    end_at_once(fleet, (uint32_t)member, WEND_EVENT_CANCELLED);
    return WEND_OK;
}

wend_status wend_fleet_place(wend_fleet *fleet, wend_member member, wend_cell cell, wend_error *error) {
    const wend_seat *seat = find(fleet, member, error);
    if (!seat) return WEND_STATUS_BAD_ARGUMENT;
    uint32_t number = (uint32_t)member;
    wend_squad *squad = wend_squad_of(fleet, seat);
    const bool busy = seat->doing != WEND_DOING_NOTHING;
    wend_stride_end(fleet, number);
    if (!squad->batch) {
        wend_lane_face(fleet, &fleet->lanes[seat->lane], squad->body);
        wend_status status = wend_agent_place(seat->agent, cell, error);
        if (status != WEND_OK) return status;
    } else {
        wend_status status =
            wend_map_check_open(fleet->classes[squad->body].world->ground.view.map, cell, "new place", error);
        if (status != WEND_OK) return status;
        squad->at[seat->slot] = cell;
        if (!busy) squad->goals[seat->slot] = cell;
    }
    wend_cell goal = wend_seat_wanted(fleet, seat);
    if (busy && cell == goal)
        end_at_once(fleet, number, WEND_EVENT_ARRIVED);
    else if (busy && squad->batch && !wend_batch_set_goal(fleet, number, goal))
        end_at_once(fleet, number, WEND_EVENT_UNREACHABLE);
    else if (busy && !squad->batch)
        ask_again(fleet, number);
    return WEND_OK;
}

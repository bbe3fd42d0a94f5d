/* A lane: members that plan by themselves, one after another.
 *
 * The queue is first come, first served: who has had a step goes to its end. A member is stepped if what is
 * left of the lane's share of the budget suffices for the most that its step can take. What the step did not
 * take is there for the next. When that does not suffice any more, those that are left make a move without
 * planning, if their planner says that it is cheap, or stand.
 *
 * Who asks for a workspace (or a query of its database) in vain leaves the queue and waits in a second one,
 * as long as there is none free. The first of those is stepped before anyone else, unless it was stepped in
 * this tick. So hardly anybody overtakes it. So a member may have two steps between two of another's: one to
 * find none free, one to take it. Not in one tick, though.
 *
 * With `patience`, who has had a workspace for so long gives it up at its turn, in place of a step, if others
 * wait for one, and is then the last of them. Each time its own patience is doubled, so that a search of any
 * length comes to its end. */
#include "world/fleet.h"

#include <stddef.h>

/* How far ahead what a step needs is fetched, each by way of the last: its seat, its agent, and what that
 * points to; and bytes at a time. */
enum { NEAR = 4, FAR = 9, FARTHEST = 16, LINE = 64 };
enum { MOST_RECALLS = 24, MOST_WAKES = 31 };

void wend_lane_face(const wend_fleet *fleet, wend_lane *lane, int32_t body) {
    if (lane->facing == body) return;
    lane->ground.view = fleet->classes[body].world->ground.view;
    lane->facing = body;
}

/* The queue ---------------------------------------------------------------------------------------------- */

WEND_INLINE uint32_t *place_of(const wend_lane *lane, uint32_t place) {
    return &lane->queue[place & (2 * lane->room - 1)];
}

/* Places go on where they were. The ring has room for as many holes as members. */
bool wend_lane_reserve(const wend_fleet *fleet, wend_lane *lane, uint32_t members) {
    if (members <= lane->room) return true;
    const wend_allocator *allocator = &fleet->allocator;
    uint32_t room = lane->room ? 2 * lane->room : 16;
    uint32_t *queue = wend_allocate(allocator, 2 * (size_t)room, sizeof *queue);
    uint32_t *noted = wend_allocate(allocator, room, sizeof *noted);
    wend_stride *strides = wend_allocate(allocator, room, sizeof *strides);
    if (!queue || !noted || !strides) {
        wend_release(allocator, queue, 2 * (size_t)room, sizeof *queue);
        wend_release(allocator, noted, room, sizeof *noted);
        wend_release(allocator, strides, room, sizeof *strides);
        return false;
    }
    for (uint32_t place = lane->first; place != lane->first + lane->count; place++)
        queue[place & (2 * room - 1)] = *place_of(lane, place);
    wend_release(allocator, lane->queue, 2 * (size_t)lane->room, sizeof *queue);
    for (uint32_t i = 0; i < lane->stride_count; i++) strides[i] = lane->strides[i];
    wend_release(allocator, lane->noted, lane->room, sizeof *noted);
    wend_release(allocator, lane->strides, lane->room, sizeof *strides);
    lane->queue = queue, lane->noted = noted, lane->strides = strides;
    lane->room = room;
    return true;
}

WEND_INLINE uint32_t in_queue(const wend_lane *lane, uint32_t i) {
    return *place_of(lane, lane->first + i);
}

static void put(const wend_fleet *fleet, const wend_lane *lane, uint32_t i, uint32_t number) {
    *place_of(lane, lane->first + i) = number;
    if (number != WEND_NO_SEAT) fleet->seats[number].agent->before = lane->first + i;
}

static void push(const wend_fleet *fleet, wend_lane *lane, uint32_t number) {
    WEND_ASSERT(lane->count < 2 * lane->room);
    put(fleet, lane, lane->count++, number);
}

static uint32_t pop(wend_lane *lane) {
    uint32_t number = in_queue(lane, 0);
    lane->first++, lane->count--;
    lane->holes -= number == WEND_NO_SEAT;
    lane->looked -= lane->looked > 0, lane->marked -= lane->marked > 0;
    return number;
}

void wend_lane_enter(const wend_fleet *fleet, uint32_t number) {
    wend_seat *seat = &fleet->seats[number];
    if (seat->post != WEND_POST_NONE) return;
    wend_lane *lane = &fleet->lanes[seat->lane];
    push(fleet, lane, number);
    seat->post = WEND_POST_QUEUE;
    lane->waiting += wend_squad_of(fleet, seat)->charge;
}

static void leave(const wend_fleet *fleet, wend_lane *lane, wend_seat *seat) {
    seat->post = WEND_POST_NONE;
    lane->waiting -= wend_squad_of(fleet, seat)->charge;
}

/* Closes the holes. As many members have left the queue since that was last done as it has places. */
static void close_holes(const wend_fleet *fleet, wend_lane *lane) {
    uint32_t kept = 0, looked = 0, marked = 0;
    for (uint32_t i = 0; i < lane->count; i++) {
        uint32_t number = in_queue(lane, i);
        if (number == WEND_NO_SEAT) continue;
        put(fleet, lane, kept++, number);
        looked += i < lane->looked, marked += i < lane->marked;
    }
    lane->count = kept, lane->looked = looked, lane->marked = marked;
    lane->holes = 0;
}

/* It leaves a hole, so that nobody else has to be looked at. */
void wend_lane_withdraw(const wend_fleet *fleet, uint32_t number) {
    wend_seat *seat = &fleet->seats[number];
    wend_lane *lane = &fleet->lanes[seat->lane];
    if (seat->post > WEND_POST_QUEUE) wend_lane_forget_hungry(fleet, number);
    if (seat->post != WEND_POST_QUEUE) return;
    *place_of(lane, seat->agent->before) = WEND_NO_SEAT;
    lane->holes++;
    leave(fleet, lane, seat);
    if (in_queue(lane, lane->count - 1) == WEND_NO_SEAT) {
        lane->count--, lane->holes--;
        if (lane->looked > lane->count) lane->looked = lane->count;
        if (lane->marked > lane->count) lane->marked = lane->count;
    }
    if (lane->holes == lane->room) close_holes(fleet, lane);
}

static wend_hungry *list_of(const wend_fleet *fleet, wend_lane *lane, const wend_seat *seat) {
    bool asking = seat->post == WEND_POST_ASKING;
    return &lane->hungry[asking ? WEND_STORAGE_NONE : wend_squad_of(fleet, seat)->storage];
}

static void append_hungry(const wend_fleet *fleet, wend_lane *lane, uint32_t number, wend_post post) {
    wend_seat *seat = &fleet->seats[number];
    seat->post = (uint8_t)post;
    wend_hungry *list = list_of(fleet, lane, seat);
    seat->slot = WEND_NO_SEAT;
    seat->agent->before = list->last;
    if (list->first == WEND_NO_SEAT)
        list->first = number;
    else
        fleet->seats[list->last].slot = number;
    list->last = number;
    lane->hungry_count++;
    lane->waiting += wend_squad_of(fleet, seat)->charge;
}

void wend_lane_forget_hungry(const wend_fleet *fleet, uint32_t number) {
    wend_seat *seat = &fleet->seats[number];
    wend_lane *lane = &fleet->lanes[seat->lane];
    wend_hungry *list = list_of(fleet, lane, seat);
    uint32_t before = seat->agent->before, next = seat->slot;
    if (list->first == number)
        list->first = next;
    else
        fleet->seats[before].slot = next;
    if (list->resume == number) list->resume = next;
    if (list->last == number)
        list->last = list->first == WEND_NO_SEAT ? WEND_NO_SEAT : before;
    else
        fleet->seats[next].agent->before = before;
    lane->hungry_count--;
    leave(fleet, lane, seat);
}

/* Steps -------------------------------------------------------------------------------------------------- */

static void note(wend_lane *lane, wend_fleet *fleet, uint32_t number, wend_event_kind kind) {
    fleet->seats[number].note = (uint8_t)kind;
    WEND_ASSERT(lane->noted_count < lane->room);
    lane->noted[lane->noted_count++] = number;
}

static void end(wend_fleet *fleet, wend_lane *lane, uint32_t number, wend_event_kind kind) {
    fleet->seats[number].doing = WEND_DOING_NOTHING;
    note(lane, fleet, number, kind);
}

static void stand(wend_fleet *fleet, wend_lane *lane, uint32_t number, wend_doing why) {
    static const wend_event_kind kinds[] = {[WEND_DOING_THINKING] = WEND_EVENT_THINKING,
                                            [WEND_DOING_STARVED] = WEND_EVENT_STARVED,
                                            [WEND_DOING_POSTPONED] = WEND_EVENT_POSTPONED};
    wend_seat *seat = &fleet->seats[number];
    if (seat->doing == (uint8_t)why) return;
    seat->doing = (uint8_t)why;
    if (fleet->options.wait_events) note(lane, fleet, number, kinds[why]);
}

/* What a step came to; `why` it stands if it does. */
static void take_outcome(wend_fleet *fleet, wend_lane *lane, uint32_t number, wend_outcome outcome,
                         wend_doing why) {
    wend_seat *seat = &fleet->seats[number];
    switch (outcome) {
    case WEND_STEP_MOVED:
        lane->tick.moves++;
        seat->doing = WEND_DOING_MOVING;
        if (seat->agent->at != seat->agent->goal) break;
        lane->tick.arrived++;
        end(fleet, lane, number, WEND_EVENT_ARRIVED);
        break;
    case WEND_STEP_WAITING:
        lane->tick.thinking += why == WEND_DOING_THINKING;
        lane->tick.postponed += why == WEND_DOING_POSTPONED;
        stand(fleet, lane, number, why);
        break;
    case WEND_STEP_ARRIVED:
        lane->tick.arrived++;
        end(fleet, lane, number, WEND_EVENT_ARRIVED);
        break;
    case WEND_STEP_UNREACHABLE:
        lane->tick.unreachable++;
        end(fleet, lane, number, WEND_EVENT_UNREACHABLE);
        break;
    case WEND_STEP_BAD_DATABASE:
        lane->tick.bad_database++;
        end(fleet, lane, number, WEND_EVENT_BAD_DATABASE);
        break;
    default:
        lane->tick.out_of_memory++;
        seat->spent = true;
        end(fleet, lane, number, WEND_EVENT_OUT_OF_MEMORY);
        break;
    }
}

void wend_lane_reconsider(const wend_fleet *fleet, wend_lane *lane) {
    for (uint32_t storage = 0; lane->hungry_count && storage < WEND_STORAGES; storage++)
        for (uint32_t number = lane->hungry[storage].first, next; number != WEND_NO_SEAT; number = next) {
            const wend_seat *seat = &fleet->seats[number];
            const wend_squad *squad = wend_squad_of(fleet, seat);
            const wend_agent *agent = seat->agent;
            next = seat->slot;
            wend_lane_face(fleet, lane, squad->body);
            const wend_components *components = wend_view_components(agent->view);
            bool joined = !components || wend_components_joined(components, agent->at, agent->goal);
            if (joined && !squad->agent.db) continue; /* it searches in any case, and keeps its place */
            wend_lane_forget_hungry(fleet, number);
            wend_lane_enter(fleet, number);
        }
}

static bool is_behind(const wend_fleet *fleet, const wend_seat *seat) {
    if (!wend_squad_of(fleet, seat)->agent.repair) return false;
    const wend_planner *planner = seat->agent->planner;
    return planner->behind && planner->behind(seat->agent);
}

/* Who asks again and is denied again is the last of those who wait. So that others do not overtake it without
 * end where repairs follow one another, it is left in its place for twice as long each time. Where those who
 * wait are more than the budget has operations, the rest is looked at in the next ticks. */
void wend_lane_wake(const wend_fleet *fleet, wend_lane *lane) {
    uint64_t looks = fleet->options.budget / fleet->options.lanes + 1;
    const bool all = lane->hungry_count <= looks;
    for (uint32_t storage = WEND_STORAGE_NONE + 1; lane->hungry_count && storage < WEND_STORAGES; storage++) {
        wend_hungry *list = &lane->hungry[storage];
        uint32_t number = all || list->resume == WEND_NO_SEAT ? list->first : list->resume;
        for (uint32_t next; looks && number != WEND_NO_SEAT; number = next, looks--) {
            wend_seat *seat = &fleet->seats[number];
            next = seat->slot;
            if (!is_behind(fleet, seat) || seat->woken == MOST_WAKES ||
                (uint32_t)fleet->tick - seat->stepped < UINT32_C(1) << seat->woken)
                continue;
            seat->woken++;
            wend_lane_forget_hungry(fleet, number);
            wend_lane_enter(fleet, number);
        }
        list->resume = number;
    }
}

/* Whether there is what a member waits for that is in one of the lists. */
static bool is_served(const wend_lane *lane, const wend_seat *seat, uint32_t storage) {
    if (storage != WEND_STORAGE_NONE) return lane->ground.pools[storage].free;
    return seat->agent->planner->served(seat->agent);
}

/* Where a member waits that has been denied something. Who waits for anything that the lane does not see asks
 * again at its next turn: it may have borrowed what others in a list wait for. So does who waits for a query
 * of another database than those in the list: one of its own may be free while theirs are not. */
static wend_post waits_at(const wend_fleet *fleet, const wend_lane *lane, const wend_squad *squad,
                          const wend_agent *agent) {
    if (agent->denied == WEND_DENIED_QUERY) {
        uint32_t first = lane->hungry[WEND_STORAGE_NONE].first;
        const wend_squad *other = first != WEND_NO_SEAT ? wend_squad_of(fleet, &fleet->seats[first]) : squad;
        bool same = other->agent.db == squad->agent.db && other->agent.repair == squad->agent.repair;
        return same ? WEND_POST_ASKING : WEND_POST_QUEUE;
    }
    bool none = agent->denied == WEND_DENIED_WORKSPACE && !lane->ground.pools[squad->storage].free;
    return none ? WEND_POST_HUNGRY : WEND_POST_QUEUE;
}

static void spend(wend_lane *lane, uint64_t operations) {
    lane->left -= operations < lane->left ? operations : lane->left;
    lane->tick.operations += operations;
}

/* The member, which is in no queue, has its turn. */
static void step(wend_fleet *fleet, wend_lane *lane, uint32_t number) {
    wend_seat *seat = &fleet->seats[number];
    const wend_squad *squad = wend_squad_of(fleet, seat);
    wend_agent *agent = seat->agent;
    wend_lane_face(fleet, lane, squad->body);
    const bool had = agent->workspace;
    (void)wend_agent_plan(agent, squad->expansions);
    wend_step made = wend_agent_move(agent);
    spend(lane, made.operations);
    lane->tick.steps++;
    if (!had) seat->slot = (uint32_t)fleet->tick;
    seat->stepped = (uint32_t)fleet->tick;
    bool starved = made.outcome == WEND_STEP_WAITING && agent->denied;
    wend_post post = starved ? waits_at(fleet, lane, squad, agent) : WEND_POST_QUEUE;
    lane->tick.starved += starved && post == WEND_POST_QUEUE;
    take_outcome(fleet, lane, number, made.outcome, starved ? WEND_DOING_STARVED : WEND_DOING_THINKING);
    if (post != WEND_POST_QUEUE)
        append_hungry(fleet, lane, number, post);
    else if (seat->doing != WEND_DOING_NOTHING && !wend_stride_begin(fleet, lane, number))
        wend_lane_enter(fleet, number);
}

/* Those who wait for a workspace or a query, while there is a free one. False: the first of them has to wait
 * for its turn, and everyone with it. */
static bool admit(wend_fleet *fleet, wend_lane *lane) {
    if (!lane->hungry_count) return true;
    for (uint32_t storage = 0; storage < WEND_STORAGES; storage++) {
        const wend_hungry *list = &lane->hungry[storage];
        while (list->first != WEND_NO_SEAT) {
            uint32_t number = list->first;
            const wend_seat *seat = &fleet->seats[number];
            if (!is_served(lane, seat, storage)) break;
            if (seat->stepped == (uint32_t)fleet->tick) break; /* it has had its step in this tick */
            if (lane->left < wend_squad_of(fleet, seat)->bound) return false;
            wend_lane_forget_hungry(fleet, number);
            step(fleet, lane, number);
        }
    }
    return true;
}

/* Whether it is time for a member to give its workspace to others: who is next must be able to take it at
 * once. */
static bool overdue(const wend_fleet *fleet, const wend_lane *lane, const wend_seat *seat) {
    if (!fleet->options.patience || !lane->hungry_count || !seat->agent->workspace) return false;
    const uint32_t next = lane->hungry[wend_squad_of(fleet, seat)->storage].first;
    if (next == WEND_NO_SEAT || fleet->seats[next].stepped == (uint32_t)fleet->tick) return false;
    return (uint32_t)fleet->tick - seat->slot >= (uint64_t)fleet->options.patience << seat->recalled;
}

/* Takes the workspace of a member, which is in no queue; it will go on from where it stands. */
static void recall(wend_fleet *fleet, wend_lane *lane, uint32_t number) {
    wend_seat *seat = &fleet->seats[number];
    wend_lane_face(fleet, lane, wend_squad_of(fleet, seat)->body);
    wend_workspace_return(seat->agent);
    seat->agent->planner->begin(seat->agent);
    if (seat->recalled < MOST_RECALLS) seat->recalled++;
    seat->stepped = (uint32_t)fleet->tick; /* it has had its turn, and is not admitted again in this tick */
    append_hungry(fleet, lane, number, WEND_POST_HUNGRY);
    stand(fleet, lane, number, WEND_DOING_STARVED);
}

/* A member whose turn it is not. To see that it cannot move is an operation. */
static void coast(wend_fleet *fleet, wend_lane *lane, uint32_t number) {
    const wend_seat *seat = &fleet->seats[number];
    const wend_squad *squad = wend_squad_of(fleet, seat);
    wend_agent *agent = seat->agent;
    bool may = squad->coast && lane->left >= squad->coast && (!squad->storage || agent->workspace);
    if (!may) {
        spend(lane, 1);
        lane->tick.postponed++;
        stand(fleet, lane, number, WEND_DOING_POSTPONED);
        return;
    }
    wend_lane_face(fleet, lane, squad->body);
    wend_step made = wend_agent_move(agent);
    spend(lane, made.operations ? made.operations : 1);
    lane->tick.coasted += made.outcome == WEND_STEP_MOVED;
    take_outcome(fleet, lane, number, made.outcome, WEND_DOING_POSTPONED);
}

/* Who has come to an end leaves the queue, of its first `count`; those before it move up to where it was. */
static void drop_ended(const wend_fleet *fleet, wend_lane *lane, uint32_t count) {
    uint32_t kept = count;
    for (uint32_t i = count; i-- > 0;) {
        uint32_t number = in_queue(lane, i);
        if (number != WEND_NO_SEAT && fleet->seats[number].doing == WEND_DOING_NOTHING)
            leave(fleet, lane, &fleet->seats[number]);
        else
            put(fleet, lane, --kept, number);
    }
    lane->first += kept, lane->count -= kept;
    lane->looked -= kept, lane->marked -= kept;
}

static void postpone(wend_fleet *fleet, wend_lane *lane, uint32_t from, uint32_t to) {
    for (uint32_t i = from; i < to; i++)
        if (in_queue(lane, i) != WEND_NO_SEAT) stand(fleet, lane, in_queue(lane, i), WEND_DOING_POSTPONED);
}

/* Those whose turn it is not: the first `left` places of the queue, where so many members stand. They are looked
 * at as long as there are operations left for a move of any. Of the others only those are looked at that may
 * not be marked as postponed yet: who had a turn or a request, or moved out of turn, in the last tick. */
static void pass_over(wend_fleet *fleet, wend_lane *lane, uint32_t left, uint32_t members) {
    uint32_t looked = 0, met = 0;
    uint64_t ended = lane->tick.arrived + lane->tick.unreachable + lane->tick.bad_database;
    ended += lane->tick.out_of_memory;
    for (; lane->coast && lane->left >= lane->coast && looked < left; looked++) {
        uint32_t number = in_queue(lane, looked);
        if (number == WEND_NO_SEAT) continue;
        met++;
        coast(fleet, lane, number);
    }
    postpone(fleet, lane, looked, lane->looked);
    postpone(fleet, lane, lane->marked > looked ? lane->marked : looked, left);
    lane->tick.active += members;
    lane->tick.postponed += members - met;
    lane->looked = looked, lane->marked = left;
    if (ended !=
        lane->tick.arrived + lane->tick.unreachable + lane->tick.bad_database + lane->tick.out_of_memory)
        drop_ended(fleet, lane, looked);
}

/* Asks for the memory of members that come soon. */
WEND_INLINE void fetch(const wend_fleet *fleet, const wend_lane *lane, uint32_t left) {
    if (left > FARTHEST && in_queue(lane, FARTHEST) != WEND_NO_SEAT)
        WEND_PREFETCH(&fleet->seats[in_queue(lane, FARTHEST)]);
    if (left > FAR && in_queue(lane, FAR) != WEND_NO_SEAT) {
        const char *agent = (const char *)fleet->seats[in_queue(lane, FAR)].agent;
        for (size_t i = 0; i < offsetof(wend_agent, taken); i += LINE) WEND_PREFETCH(agent + i);
        WEND_PREFETCH(agent + sizeof(wend_agent)); /* where its state begins */
    }
    if (left > NEAR && in_queue(lane, NEAR) != WEND_NO_SEAT) {
        const wend_agent *agent = fleet->seats[in_queue(lane, NEAR)].agent;
        const char *state = agent->state;
        size_t size = agent->planner->state_size;
        for (size_t i = LINE; i < size && i < (size_t)4 * LINE; i += LINE) WEND_PREFETCH(state + i);
        const wend_map *map = agent->view->map; /* and the cells around it */
        uint32_t y = wend_cell_y(map, agent->at), x = wend_cell_x(map, agent->at, y);
        const uint8_t *row = map->bits + y * map->row_bytes + (x >> 3);
        for (size_t i = 0; i < 3; i++) WEND_PREFETCH(row + i * map->row_bytes);
    }
}

void wend_lane_run(wend_fleet *fleet, wend_lane *lane) {
    lane->left = lane->share;
    lane->tick = (wend_tick){.active = lane->hungry_count};
    uint32_t left = wend_strides_run(fleet, lane);
    uint32_t members = left - lane->holes;
    bool goes_on = admit(fleet, lane);
    for (; left && goes_on; left--) {
        fetch(fleet, lane, left);
        uint32_t number = in_queue(lane, 0);
        if (number != WEND_NO_SEAT && lane->left < wend_squad_of(fleet, &fleet->seats[number])->bound) break;
        (void)pop(lane);
        if (number == WEND_NO_SEAT) continue;
        wend_seat *seat = &fleet->seats[number];
        leave(fleet, lane, seat);
        lane->tick.active++, members--;
        if (overdue(fleet, lane, seat))
            recall(fleet, lane, number);
        else
            step(fleet, lane, number);
        goes_on = admit(fleet, lane);
    }
    pass_over(fleet, lane, left, members);
    lane->tick.starved += lane->hungry_count;
    /* Not always the same one first, where that can take what others could have had. */
    if (!left && lane->count > 1) push(fleet, lane, pop(lane));
}

/* Members of a squad whose planner has a batch, on a map that stays as it is: a cell, a goal and a seat each,
 * moved many at a time. Slots have their turn one after another, round and round; where the budget
 * suffices, all of them in every tick. A slot without a request has its cell as its goal, and stays. */
#include "world/fleet.h"

static bool enlarge(const wend_fleet *fleet, wend_squad *squad) {
    const wend_allocator *allocator = &fleet->allocator;
    uint32_t room = squad->room ? squad->room + squad->room / 2 : 256;
    if (room > fleet->options.max_members) room = fleet->options.max_members;
    wend_cell *at = wend_allocate(allocator, room, sizeof *at),
              *goals = wend_allocate(allocator, room, sizeof *goals);
    uint32_t *seat = wend_allocate(allocator, room, sizeof *seat),
             *begun = wend_allocate(allocator, room, sizeof *begun),
             *fresh = wend_allocate(allocator, room, sizeof *fresh);
    wend_direction *moves = wend_allocate(allocator, room, sizeof *moves);
    bool good = at && goals && seat && begun && fresh && moves;
    for (uint32_t i = 0; good && i < squad->slots; i++) {
        at[i] = squad->at[i], goals[i] = squad->goals[i];
        seat[i] = squad->seat[i], begun[i] = squad->begun[i];
        moves[i] = squad->moves[i];
    }
    for (uint32_t i = 0; good && i < squad->fresh_count; i++) fresh[i] = squad->fresh[i];
    uint32_t old = good ? squad->room : room;
    wend_release(allocator, good ? squad->at : at, old, sizeof *at);
    wend_release(allocator, good ? squad->goals : goals, old, sizeof *goals);
    wend_release(allocator, good ? squad->seat : seat, old, sizeof *seat);
    wend_release(allocator, good ? squad->begun : begun, old, sizeof *begun);
    wend_release(allocator, good ? squad->fresh : fresh, old, sizeof *fresh);
    wend_release(allocator, good ? squad->moves : moves, old, sizeof *moves);
    if (!good) return false;
    squad->at = at, squad->goals = goals, squad->seat = seat, squad->begun = begun;
    squad->fresh = fresh, squad->moves = moves;
    squad->room = room;
    return true;
}

/* Batches for all members there could be, whatever squads they are of. */
static bool reserve_batches(wend_fleet *fleet, uint32_t slots) {
    uint32_t room = slots / WEND_BATCH + fleet->squad_count + 1;
    if (room <= fleet->batch_room) return true;
    room += room / 2;
    wend_batch *batches = wend_allocate(&fleet->allocator, room, sizeof *batches);
    if (!batches) return false;
    wend_release(&fleet->allocator, fleet->batches, fleet->batch_room, sizeof *batches);
    fleet->batches = batches, fleet->batch_room = room;
    return true;
}

wend_status wend_batch_add(wend_fleet *fleet, uint32_t number, uint32_t seat, wend_cell cell,
                           wend_error *error) {
    wend_squad *squad = &fleet->squads[number];
    uint32_t slots = 1;
    for (uint32_t i = 0; i < fleet->squad_count; i++) slots += fleet->squads[i].slots;
    bool good = reserve_batches(fleet, slots);
    if (good && squad->free == WEND_NO_SEAT && squad->slots == squad->room) good = enlarge(fleet, squad);
    if (!good) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for another member");
    uint32_t slot = squad->free;
    if (slot == WEND_NO_SEAT)
        squad->moves[slot = squad->slots++] = WEND_NO_DIRECTION;
    else
        squad->free = squad->seat[slot];
    squad->at[slot] = squad->goals[slot] = cell;
    squad->seat[slot] = seat;
    fleet->seats[seat].slot = slot;
    return WEND_OK;
}

void wend_batch_remove(wend_fleet *fleet, uint32_t number) {
    const wend_seat *seat = &fleet->seats[number];
    wend_squad *squad = wend_squad_of(fleet, seat);
    squad->goals[seat->slot] = squad->at[seat->slot];
    squad->seat[seat->slot] = squad->free;
    squad->free = seat->slot;
}

bool wend_batch_set_goal(const wend_fleet *fleet, uint32_t number, wend_cell goal) {
    const wend_seat *seat = &fleet->seats[number];
    wend_squad *squad = wend_squad_of(fleet, seat);
    const wend_components *components = wend_view_components(&fleet->classes[squad->body].world->ground.view);
    if (!wend_components_joined(components, squad->at[seat->slot], goal)) return false;
    squad->goals[seat->slot] = goal;
    squad->begun[seat->slot] = squad->laps;
    return true;
}

void wend_batch_begin(const wend_fleet *fleet, uint32_t number) {
    uint32_t slot = fleet->seats[number].slot;
    wend_squad *squad = wend_squad_of(fleet, &fleet->seats[number]);
    squad->active++;
    if (squad->moves[slot] == WEND_FRESH) return; /* this slot is among them already */
    squad->moves[slot] = WEND_FRESH;
    squad->fresh[squad->fresh_count++] = slot;
}

void wend_batch_stop(const wend_fleet *fleet, uint32_t number) {
    const wend_seat *seat = &fleet->seats[number];
    wend_squad *squad = wend_squad_of(fleet, seat);
    squad->goals[seat->slot] = squad->at[seat->slot];
}

/* A tick ------------------------------------------------------------------------------------------------- */

void wend_batch_prepare(wend_fleet *fleet, uint32_t number, uint64_t share) {
    wend_squad *squad = &fleet->squads[number];
    uint64_t window = share / squad->bound;
    squad->window = window < squad->slots ? (uint32_t)window : squad->slots;
    if (squad->cursor >= squad->slots) squad->cursor = 0;
    for (uint32_t from = 0; from < squad->window; from += WEND_BATCH) {
        uint32_t count = squad->window - from < WEND_BATCH ? squad->window - from : WEND_BATCH;
        wend_batch *batch = &fleet->batches[fleet->batch_count++];
        batch->squad = number, batch->from = from, batch->count = count;
        batch->moved = batch->parts = 0;
    }
}

/* Whose request has ended: who has come to its goal, and, only with a forged file, who is stuck.
 * A slot without a request is on its goal, too, but has not moved. */
WEND_INLINE uint32_t has_ended(wend_cell at, wend_cell goal, uint32_t move) {
    return (uint32_t)(at == goal && move < WEND_DIRECTIONS) | (uint32_t)(move == WEND_NO_WAY);
}

/* Counts who has moved and finds who has come to an end, of slots that stand `from` the batch's first on.
 * Where nobody has, and that is so for most parts, all who are on their goals have stood there and all others
 * have moved: to know that takes two loops without a branch, of numbers of one width each, for vectors. */
static void look_at_part(const wend_cell *at, const wend_cell *goals, const wend_direction *moves,
                         uint32_t count, uint32_t from, wend_batch *batch) {
    uint8_t moved = 0, stood = 0; /* of 64 at most */
    uint32_t there = 0;
    for (uint32_t i = 0; i < count; i++) {
        moved = (uint8_t)(moved + (moves[i] < WEND_DIRECTIONS));
        stood = (uint8_t)(stood + (moves[i] == WEND_NO_DIRECTION));
    }
    for (uint32_t i = 0; i < count; i++) there += at[i] == goals[i];
    batch->moved += moved;
    if (WEND_LIKELY(there == stood && (uint32_t)moved + stood == count)) return;
    uint64_t bits = 0;
    for (uint32_t i = 0; i < count; i++) bits |= (uint64_t)has_ended(at[i], goals[i], moves[i]) << i;
    uint32_t part = from / WEND_BATCH_PART;
    uint64_t before = batch->parts >> part & 1 ? batch->ended[part] : 0; /* of the other end of the squad */
    batch->ended[part] = before | bits << from % WEND_BATCH_PART;
    batch->parts |= 1u << part;
}

/* `from`: of the batch's slots. */
static void run_slots(const wend_squad *squad, uint32_t first, uint32_t count, uint32_t from,
                      wend_batch *batch) {
    wend_cell *at = squad->at + first;
    const wend_cell *goals = squad->goals + first;
    wend_direction *moves = squad->moves + first;
    if (squad->batch(squad->agent.db, count, at, goals, moves, NULL, NULL) != WEND_OK) return;
    for (uint32_t i = 0, length; i < count; i += length) {
        length = WEND_BATCH_PART - (from + i) % WEND_BATCH_PART;
        if (length > count - i) length = count - i;
        look_at_part(at + i, goals + i, moves + i, length, from + i, batch);
    }
}

void wend_batch_run(wend_fleet *fleet, wend_batch *batch) {
    const wend_squad *squad = &fleet->squads[batch->squad];
    uint32_t first = squad->cursor + batch->from;
    if (first >= squad->slots) first -= squad->slots;
    uint32_t until_end = squad->slots - first;
    uint32_t count = batch->count < until_end ? batch->count : until_end;
    run_slots(squad, first, count, 0, batch);
    if (count < batch->count) run_slots(squad, 0, batch->count - count, count, batch);
}

static void end_slot(wend_fleet *fleet, wend_squad *squad, uint32_t slot, bool bad, wend_tick *tick) {
    uint32_t number = squad->seat[slot];
    squad->goals[slot] = squad->at[slot];
    fleet->seats[number].doing = WEND_DOING_NOTHING;
    squad->active--;
    tick->arrived += !bad, tick->bad_database += bad;
    wend_fleet_tell(fleet, bad ? WEND_EVENT_BAD_DATABASE : WEND_EVENT_ARRIVED, number);
}

/* In the order of the slots' turns. */
static void end_slots(wend_fleet *fleet, const wend_batch *batch, wend_tick *tick) {
    wend_squad *squad = &fleet->squads[batch->squad];
    for (uint32_t parts = batch->parts; parts; parts &= parts - 1) {
        uint32_t part = wend_lowest_bit(parts);
        for (uint64_t bits = batch->ended[part]; bits; bits &= bits - 1) {
            uint32_t slot = squad->cursor + batch->from + part * WEND_BATCH_PART + wend_lowest_bit(bits);
            if (slot >= squad->slots) slot -= squad->slots;
            end_slot(fleet, squad, slot, squad->moves[slot] == WEND_NO_WAY, tick);
        }
    }
}

/* Who walks for ever, by a forged file: it has had more turns than there are open cells, and a shortest path
 * comes to no cell twice. So that nothing has to be counted for each move, a few slots are looked at in each
 * tick, all of them within WATCH_LAPS. */
enum { WATCH_LAPS = 256 };

static void watch_slots(wend_fleet *fleet, wend_squad *squad, wend_tick *tick) {
    const wend_map *map = fleet->classes[squad->body].world->ground.view.map;
    for (uint32_t i = squad->window / WATCH_LAPS + 1; i > 0; i--) {
        if (squad->watch >= squad->slots) squad->watch = 0;
        uint32_t slot = squad->watch++;
        if (squad->at[slot] != squad->goals[slot] && squad->laps - squad->begun[slot] > map->open_cells)
            end_slot(fleet, squad, slot, true, tick);
    }
}

WEND_INLINE uint32_t slot_of(uint32_t first, uint32_t i, uint32_t slots) {
    return first + i < slots ? first + i : first + i - slots;
}

/* A slot that may have a request, and may have had no turn. */
static void pass_over(wend_fleet *fleet, const wend_squad *squad, uint32_t slot) {
    uint32_t i = slot >= squad->cursor ? slot - squad->cursor : slot + squad->slots - squad->cursor;
    if (i < squad->window || squad->at[slot] == squad->goals[slot]) return;
    uint32_t number = squad->seat[slot];
    if (fleet->seats[number].doing == WEND_DOING_POSTPONED) return;
    fleet->seats[number].doing = WEND_DOING_POSTPONED;
    if (fleet->options.wait_events) wend_fleet_tell(fleet, WEND_EVENT_POSTPONED, number);
}

/* Who has had a turn and who has not, where not all have, or had in the last tick. All others that wait have
 * been marked already: they had no turn in the last tick either. */
static void mark_turns(wend_fleet *fleet, wend_squad *squad, wend_tick *tick) {
    uint32_t stepped = 0;
    for (uint32_t i = 0; i < squad->window; i++) {
        uint32_t slot = slot_of(squad->cursor, i, squad->slots);
        if (squad->at[slot] == squad->goals[slot]) continue; /* without a request */
        wend_seat *seat = &fleet->seats[squad->seat[slot]];
        seat->stepped = (uint32_t)fleet->tick;
        seat->doing = WEND_DOING_MOVING;
        stepped++;
    }
    tick->postponed += squad->active - stepped;
    for (uint32_t i = 0; i < squad->last_window; i++)
        pass_over(fleet, squad, slot_of(squad->last_first, i, squad->last_slots));
    for (uint32_t i = 0; i < squad->fresh_count; i++) pass_over(fleet, squad, squad->fresh[i]);
}

/* Slots with a new request are known to all that follows. */
static void forget_fresh(wend_squad *squad) {
    for (uint32_t i = 0; i < squad->fresh_count; i++) {
        wend_direction *move = &squad->moves[squad->fresh[i]];
        if (*move == WEND_FRESH) *move = WEND_NO_DIRECTION;
    }
    squad->fresh_count = 0;
}

void wend_batch_finish(wend_fleet *fleet, wend_tick *tick) {
    for (uint32_t i = 0; i < fleet->squad_count; i++) tick->active += fleet->squads[i].active;
    for (uint32_t i = 0; i < fleet->batch_count; i++) {
        const wend_batch *batch = &fleet->batches[i];
        tick->moves += batch->moved;
        tick->steps += batch->moved;
        tick->operations += batch->count * fleet->squads[batch->squad].bound;
        end_slots(fleet, batch, tick);
    }
    for (uint32_t i = 0; i < fleet->squad_count; i++) {
        wend_squad *squad = &fleet->squads[i];
        if (!squad->batch || !squad->slots) continue;
        bool partial = squad->window < squad->slots;
        if (partial ? squad->active > 0 || squad->window > 0 : squad->partial) mark_turns(fleet, squad, tick);
        forget_fresh(squad);
        if (!partial) squad->all = (uint32_t)fleet->tick;
        squad->partial = partial;
        squad->last_first = squad->cursor, squad->last_window = squad->window,
        squad->last_slots = squad->slots;
        watch_slots(fleet, squad, tick);
        squad->laps += (squad->cursor + squad->window) / squad->slots;
        squad->cursor = (squad->cursor + squad->window) % squad->slots;
    }
}

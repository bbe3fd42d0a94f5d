/* For WEND_VALIDATE: whether a fleet's books agree with each other. */
#include "world/fleet.h"

#ifdef WEND_VALIDATING

static bool is_at(const wend_fleet *fleet, uint32_t number, uint32_t lane, wend_post post) {
    return number < fleet->used && fleet->seats[number].lane == lane &&
           fleet->seats[number].post == (uint8_t)post;
}

static uint64_t charge_of(const wend_fleet *fleet, uint32_t number) {
    return wend_squad_of(fleet, &fleet->seats[number])->charge;
}

/* Those who wait for a storage: linked both ways, and each of them says that it waits. */
static bool are_hungry(const wend_fleet *fleet, uint32_t lane, uint32_t storage, uint32_t *count,
                       uint64_t *waiting) {
    const wend_hungry *list = &fleet->lanes[lane].hungry[storage];
    wend_post post = storage == WEND_STORAGE_NONE ? WEND_POST_ASKING : WEND_POST_HUNGRY;
    uint32_t before = WEND_NO_SEAT;
    for (uint32_t number = list->first; number != WEND_NO_SEAT; number = fleet->seats[number].slot) {
        if (!is_at(fleet, number, lane, post) || ++*count > fleet->used) return false;
        if (number != list->first && fleet->seats[number].agent->before != before) return false;
        *waiting += charge_of(fleet, number);
        before = number;
    }
    return list->first == WEND_NO_SEAT || list->last == before;
}

/* The queue: places, holes, and who is known to be postponed. */
static bool is_queue(const wend_fleet *fleet, uint32_t i, uint64_t *waiting) {
    const wend_lane *lane = &fleet->lanes[i];
    uint32_t holes = 0;
    if (lane->count > 2 * lane->room || lane->looked > lane->marked || lane->marked > lane->count)
        return false;
    for (uint32_t j = 0; j < lane->count; j++) {
        uint32_t number = lane->queue[(lane->first + j) & (2 * lane->room - 1)];
        if (number == WEND_NO_SEAT) {
            holes++;
            continue;
        }
        if (!is_at(fleet, number, i, WEND_POST_QUEUE)) return false;
        const wend_seat *seat = &fleet->seats[number];
        if (seat->agent->before != lane->first + j || seat->doing == WEND_DOING_NOTHING) return false;
        if (j >= lane->looked && j < lane->marked && seat->doing != WEND_DOING_POSTPONED) return false;
        *waiting += charge_of(fleet, number);
    }
    return holes == lane->holes;
}

/* A squad that is moved in batches, where not all had a turn: the others wait. */
static bool is_batch(const wend_fleet *fleet, const wend_squad *squad) {
    uint32_t active = 0;
    for (uint32_t slot = 0; slot < squad->slots; slot++) {
        if (squad->at[slot] == squad->goals[slot]) continue;
        uint32_t i = (slot + squad->slots - squad->last_first) % squad->slots;
        wend_doing doing = i < squad->last_window ? WEND_DOING_MOVING : WEND_DOING_POSTPONED;
        if (fleet->seats[squad->seat[slot]].doing != (uint8_t)doing) return false;
        active++;
    }
    return active == squad->active && !squad->fresh_count;
}

static bool is_sound(const wend_fleet *fleet, uint32_t i) {
    const wend_lane *lane = &fleet->lanes[i];
    uint64_t waiting = 0;
    uint32_t hungry = 0;
    if (!is_queue(fleet, i, &waiting)) return false;
    for (uint32_t j = 0; j < lane->stride_count; j++) {
        uint32_t number = lane->strides[j].number;
        if (!is_at(fleet, number, i, WEND_POST_STRIDE) || fleet->seats[number].slot != j) return false;
    }
    for (uint32_t storage = 0; storage < WEND_STORAGES; storage++)
        if (!are_hungry(fleet, i, storage, &hungry, &waiting)) return false;
    return hungry == lane->hungry_count && waiting == lane->waiting;
}

bool wend_fleet_is_sound(const wend_fleet *fleet) {
    uint32_t members = 0;
    uint64_t charges = 0, total = 0;
    for (uint32_t i = 0; i < fleet->options.lanes; i++) {
        if (!is_sound(fleet, i)) return false;
        total += fleet->lanes[i].total;
    }
    for (uint32_t i = 0; i < fleet->squad_count; i++)
        if (fleet->squads[i].batch && !is_batch(fleet, &fleet->squads[i])) return false;
    for (uint32_t i = 0; i < fleet->used; i++) {
        const wend_seat *seat = &fleet->seats[i];
        if (seat->generation % 2 == 0) continue;
        members++;
        if (seat->agent) charges += charge_of(fleet, i);
    }
    return members == fleet->members && charges == total;
}

#endif

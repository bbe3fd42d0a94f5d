/* Members that are moved in batches stand in their arrays in the order of where they are on the map, about:
 * those near one another read the same rows of the database, which are then at hand already. As they walk
 * that order decays, and is renewed now and then, a part in each tick: cells are counted by bucket, then
 * members are swapped to where their bucket begins, as an in-place radix sort does (McIlroy, Bostic and
 * McIlroy, "Engineering radix sort", 1993). They move meanwhile, so a bucket may be full when the last of its
 * members come: those stay. No move depends on the order; and while not all have their turn in each tick it
 * is left alone, since it is the order of turns. */
#include "world/fleet.h"

enum {
    LEAST = 1024, /* slots for which it is worth it */
    PARTS = 32,   /* ticks that a renewal is spread over */
    REST = 64     /* ticks from one to the next */
};

static uint32_t bucket_of(const wend_squad *squad, uint32_t slot) {
    return squad->at[slot] >> squad->order.shift;
}

static void count(wend_squad *squad, uint32_t cells) {
    wend_order *order = &squad->order;
    order->shift = 0;
    while ((cells - 1) >> order->shift >= WEND_ORDER_BUCKETS) order->shift++;
    for (uint32_t i = 0; i < WEND_ORDER_BUCKETS; i++) order->ends[i] = 0;
    for (uint32_t i = 0; i < squad->slots; i++) order->ends[bucket_of(squad, i)]++;
    for (uint32_t i = 0, sum = 0; i < WEND_ORDER_BUCKETS; i++) {
        order->heads[i] = sum;
        sum += order->ends[i];
        order->ends[i] = sum;
    }
    order->bucket = 0;
    order->under_way = true;
}

/* Not a free slot, whose `record` is a link. */
static bool is_member(const wend_fleet *fleet, const wend_squad *squad, uint32_t slot) {
    uint32_t number = squad->record[slot];
    if (number >= fleet->used) return false;
    const wend_record *record = &fleet->records[number];
    return record->generation & 1 && wend_squad_of(fleet, record) == squad && record->slot == slot;
}

static void swap(const wend_fleet *fleet, const wend_squad *squad, uint32_t a, uint32_t b) {
    wend_cell at = squad->at[a], goal = squad->goals[a];
    uint32_t number = squad->record[a];
    squad->at[a] = squad->at[b], squad->goals[a] = squad->goals[b], squad->record[a] = squad->record[b];
    squad->at[b] = at, squad->goals[b] = goal, squad->record[b] = number;
    fleet->records[squad->record[a]].slot = a;
    fleet->records[number].slot = b;
}

void wend_batch_order(const wend_fleet *fleet, wend_squad *squad) {
    wend_order *order = &squad->order;
    if (squad->slots < LEAST) return;
    if (!order->under_way) {
        if (order->rest)
            order->rest--;
        else
            count(squad, fleet->map->cells);
        return;
    }
    for (uint32_t left = squad->slots / PARTS + 1; left && order->bucket < WEND_ORDER_BUCKETS; left--) {
        uint32_t here = order->bucket, slot = order->heads[here];
        if (slot == order->ends[here]) {
            order->bucket++;
            continue;
        }
        uint32_t wanted = bucket_of(squad, slot), there = order->heads[wanted];
        if (wanted == here || there == order->ends[wanted] || !is_member(fleet, squad, slot) ||
            !is_member(fleet, squad, there)) {
            order->heads[here]++;
            continue;
        }
        swap(fleet, squad, slot, there);
        order->heads[wanted]++;
    }
    if (order->bucket < WEND_ORDER_BUCKETS) return;
    order->under_way = false;
    order->rest = REST;
}

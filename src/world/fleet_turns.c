/* How a tick's budget is dealt out, and how long a member can wait for its step.
 *
 * Let B be the budget, and for each lane (and each squad that is moved in batches) let m be its most expensive step
 * and s the sum of its members' charges: what they can take while one of them waits for its turn. M and S are
 * the sums of these. A lane's share is m + (B - M) s / S, all of it if B >= S. A lane stops when less than
 * the bound of the next step is left, so it has done more than (B - M) s / S of the at most s that stand
 * before any member: that member has its step within S / (B - M) ticks, rounded up. Also, a lane makes at
 * least one step in each tick. (Who is in a stride takes one operation per tick beforehand, while others
 * wait; the charge counts as many as a stride can have, and after it the member stands behind all that wait.)
 *
 * Members without a request count in s, so that the bound does not depend on who has one; what their lane
 * does not need is given to others. */
#include "world/fleet.h"

/* floor(a * b / c) for b <= c < 2^63, exactly. */
static uint64_t part_of(uint64_t a, uint64_t b, uint64_t c) {
    WEND_ASSERT(b <= c && c < UINT64_C(1) << 63);
    uint64_t whole = a / c * b, left = a % c, quotient = 0, rest = 0;
    for (uint32_t bit = 64; bit-- > 0;) { /* left * b / c, a bit of b at a time */
        quotient *= 2, rest *= 2;
        if (b >> bit & 1) rest += left;
        while (rest >= c) rest -= c, quotient++;
    }
    return whole + quotient;
}

static uint64_t batch_charge(const wend_squad *squad) {
    return squad->slots * squad->bound;
}

uint64_t wend_fleet_all_charges(const wend_fleet *fleet) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < fleet->options.lanes; i++) sum += fleet->lanes[i].total;
    for (uint32_t i = 0; i < fleet->squad_count; i++)
        if (fleet->squads[i].batch) sum += batch_charge(&fleet->squads[i]);
    return sum;
}

uint64_t wend_fleet_min_budget(const wend_fleet *fleet) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < fleet->options.lanes; i++) sum += fleet->lanes[i].most;
    for (uint32_t i = 0; i < fleet->squad_count; i++)
        if (fleet->squads[i].batch && fleet->squads[i].slots) sum += fleet->squads[i].bound;
    return sum;
}

uint64_t wend_fleet_turns(const wend_fleet *fleet) {
    uint64_t budget = fleet->options.budget, all = wend_fleet_all_charges(fleet);
    if (budget >= all) return 1;
    uint64_t spare = budget - wend_fleet_min_budget(fleet), steps = 1;
    for (uint32_t i = 0; i < fleet->options.lanes; i++) {
        uint64_t most = 2 * (uint64_t)fleet->lanes[i].members;
        if (most > steps) steps = most;
    }
    for (uint32_t i = 0; i < fleet->squad_count; i++)
        if (fleet->squads[i].batch && fleet->squads[i].slots > steps) steps = fleet->squads[i].slots;
    uint64_t ticks = spare ? (all - 1) / spare + 1 : UINT64_MAX;
    return ticks < steps ? ticks : steps;
}

typedef struct dealing {
    uint64_t budget, all, spare;
    uint64_t surplus; /* shares that are not needed */
} dealing;

static uint64_t share_of(dealing *deal, uint64_t most, uint64_t total, uint64_t need) {
    if (!total) return 0;
    uint64_t share = deal->budget >= deal->all ? total : most + part_of(deal->spare, total, deal->all);
    uint64_t taken = share < need ? share : need;
    WEND_ASSERT(taken <= deal->surplus); /* all shares together are within the budget */
    deal->surplus -= taken;
    return taken;
}

static uint64_t more_of(dealing *deal, uint64_t share, uint64_t need) {
    uint64_t more = need - share < deal->surplus ? need - share : deal->surplus;
    deal->surplus -= more;
    return share + more;
}

/* Beside those that stride, a step of anyone: see fleet_stride.c. */
static uint64_t lane_need(const wend_lane *lane) {
    return lane->waiting + (lane->stride_count ? lane->stride_count + lane->most : 0);
}

static uint64_t batch_need(const wend_squad *squad) {
    return squad->batch && squad->active ? batch_charge(squad) : 0;
}

void wend_fleet_deal(wend_fleet *fleet) {
    uint64_t budget = fleet->options.budget;
    dealing deal = {budget, wend_fleet_all_charges(fleet), budget - wend_fleet_min_budget(fleet), budget};
    uint64_t shares[WEND_MAX_SQUADS] = {0};
    for (uint32_t i = 0; i < fleet->options.lanes; i++) {
        wend_lane *lane = &fleet->lanes[i];
        lane->share = share_of(&deal, lane->most, lane->total, lane_need(lane));
    }
    for (uint32_t i = 0; i < fleet->squad_count; i++) {
        const wend_squad *squad = &fleet->squads[i];
        shares[i] = squad->batch ? share_of(&deal, squad->bound, batch_charge(squad), batch_need(squad)) : 0;
    }
    for (uint32_t i = 0; i < fleet->options.lanes; i++) {
        wend_lane *lane = &fleet->lanes[i];
        lane->share = more_of(&deal, lane->share, lane_need(lane));
    }
    fleet->batch_count = 0;
    for (uint32_t i = 0; i < fleet->squad_count; i++) {
        if (!fleet->squads[i].batch) continue;
        wend_batch_prepare(fleet, i, more_of(&deal, shares[i], batch_need(&fleet->squads[i])));
    }
}

/* Strides: members whose next moves are settled already.
 *
 * Some planners look at several moves in one go. Until those are made a member has nothing to work out, and
 * to step its agent would be to fetch half a kilobyte for the sake of one addition.
 * So it leaves the queue for a list of its lane that has all such moves need: where it stands, and how far it
 * is to the next cell. It moves in every tick, an operation each, before anyone else in its lane; after its
 * last known move it goes to the end of the queue. Its agent hears of it then, or when anything is asked of
 * it.
 *
 * A lane takes in no more of them than its share of the budget allows beside a step of anyone; should the
 * share become smaller, all go back to the queue. */
#include "world/fleet.h"

bool wend_stride_begin(const wend_fleet *fleet, wend_lane *lane, uint32_t number) {
    wend_seat *seat = &fleet->seats[number];
    const wend_agent *agent = seat->agent;
    int32_t offset = 0;
    uint32_t moves = wend_agent_known(agent, &offset);
    if (moves > WEND_LONGEST_STRIDE) moves = WEND_LONGEST_STRIDE;
    if (!moves || lane->stride_count >= lane->share || lane->share - lane->stride_count <= lane->most)
        return false;
    seat->post = WEND_POST_STRIDE;
    seat->slot = lane->stride_count;
    lane->strides[lane->stride_count++] =
        (wend_stride){number, agent->at, (uint32_t)offset, (uint16_t)moves, (uint16_t)moves};
    return true;
}

void wend_stride_end(const wend_fleet *fleet, uint32_t number) {
    wend_seat *seat = &fleet->seats[number];
    if (seat->post != WEND_POST_STRIDE) return;
    wend_lane *lane = &fleet->lanes[seat->lane];
    wend_stride *stride = &lane->strides[seat->slot];
    wend_agent_skip(seat->agent, (uint32_t)stride->moves - stride->left, stride->at);
    *stride = lane->strides[--lane->stride_count];
    fleet->seats[stride->number].slot = seat->slot;
    seat->stepped = (uint32_t)fleet->tick;
    seat->post = WEND_POST_NONE;
    wend_lane_enter(fleet, number);
}

uint32_t wend_strides_run(const wend_fleet *fleet, wend_lane *lane) {
    if (lane->stride_count &&
        (lane->stride_count > lane->left || lane->left - lane->stride_count < lane->most))
        while (lane->stride_count) {
            uint32_t number = lane->strides[lane->stride_count - 1].number;
            wend_stride_end(fleet, number);
            fleet->seats[number].stepped--; /* its last move was in the tick before */
        }
    uint32_t count = lane->stride_count, waiting = lane->count;
    lane->left -= count;
    lane->tick.active += count, lane->tick.steps += count, lane->tick.moves += count;
    lane->tick.operations += count;
    for (uint32_t i = 0; i < count; i++) {
        wend_stride *stride = &lane->strides[i];
        stride->at += stride->offset;
        stride->left--;
    }
    for (uint32_t i = count; i-- > 0;) /* from the end: the last one takes the place of one that goes */
        if (!lane->strides[i].left) wend_stride_end(fleet, lane->strides[i].number);
    return waiting;
}

/* What a fleet keeps for its caller alone: a word for each member, and who has moved in the last tick. */
#include "world/fleet.h"

bool wend_shown_create(wend_fleet *fleet) {
    if (!fleet->options.list_moves) return true;
    const uint32_t room = fleet->options.max_members;
    fleet->stood = wend_allocate(&fleet->allocator, room, sizeof *fleet->stood);
    fleet->moved = wend_allocate(&fleet->allocator, room, sizeof *fleet->moved);
    return fleet->stood && fleet->moved;
}

void wend_shown_release(wend_fleet *fleet) {
    const uint32_t room = fleet->options.max_members;
    wend_release(&fleet->allocator, fleet->users, room, sizeof *fleet->users);
    wend_release(&fleet->allocator, fleet->stood, room, sizeof *fleet->stood);
    wend_release(&fleet->allocator, fleet->moved, room, sizeof *fleet->moved);
}

size_t wend_shown_bytes(const wend_fleet *fleet) {
    size_t each = (fleet->users ? sizeof *fleet->users : 0) +
                  (fleet->stood ? sizeof *fleet->stood + sizeof *fleet->moved : 0);
    return fleet->options.max_members * each;
}

void wend_shown_begin(wend_fleet *fleet) {
    for (uint32_t i = 0; fleet->stood && i < fleet->used; i++)
        if (fleet->seats[i].generation & 1) fleet->stood[i] = wend_seat_cell(fleet, &fleet->seats[i]);
}

void wend_shown_end(wend_fleet *fleet) {
    fleet->moved_count = 0;
    for (uint32_t i = 0; fleet->stood && i < fleet->used; i++) {
        const wend_member member = wend_fleet_at(fleet, i);
        if (member == WEND_NO_MEMBER) continue;
        const wend_cell to = wend_seat_cell(fleet, &fleet->seats[i]);
        if (to != fleet->stood[i])
            fleet->moved[fleet->moved_count++] = (wend_moved){member, fleet->stood[i], to};
    }
}

const wend_moved *wend_fleet_moved(const wend_fleet *fleet, uint32_t *count) {
    if (count) *count = fleet ? fleet->moved_count : 0;
    return fleet ? fleet->moved : NULL;
}

wend_status wend_fleet_set_user(wend_fleet *fleet, wend_member member, uint64_t user, wend_error *error) {
    const uint32_t number = (uint32_t)member;
    if (!fleet || member == WEND_NO_MEMBER || wend_fleet_at(fleet, number) != member)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "there is no such member, or it was removed");
    if (!fleet->users)
        fleet->users = wend_allocate_zeroed(&fleet->allocator, fleet->options.max_members, sizeof user);
    if (!fleet->users) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for words of members");
    fleet->users[number] = user;
    return WEND_OK;
}

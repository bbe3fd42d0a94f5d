/* What a fleet reports to its caller: a ring of events, of the size that the caller chose. */
#include "world/fleet.h"

const char *wend_event_name(wend_event_kind kind) {
    static const char *const names[WEND_EVENT_KINDS] = {
        "requested", "arrived", "unreachable", "out-of-memory", "replaced",     "cancelled",
        "thinking",  "starved", "postponed",   "lost",          "bad-database",
    };
    return (unsigned)kind < WEND_EVENT_KINDS ? names[kind] : "unknown";
}

static void put(wend_fleet *fleet, wend_event event) {
    WEND_ASSERT(fleet->event_count < fleet->options.max_events);
    fleet->events[(fleet->first_event + fleet->event_count) % fleet->options.max_events] = event;
    fleet->event_count++;
}

static wend_event lost_event(const wend_fleet *fleet) {
    return (wend_event){.kind = WEND_EVENT_LOST,
                        .tick = fleet->tick,
                        .member = WEND_NO_MEMBER,
                        .cell = WEND_NO_CELL,
                        .count = fleet->lost};
}

void wend_fleet_tell(wend_fleet *fleet, wend_event_kind kind, uint32_t number) {
    uint64_t room = fleet->options.max_events - fleet->event_count;
    /* Lost ones are reported where they would stand, before the next that finds room. */
    if (room < (fleet->lost ? 2u : 1u)) {
        fleet->lost++;
        return;
    }
    if (fleet->lost) {
        put(fleet, lost_event(fleet));
        fleet->lost = 0;
    }
    const wend_seat *seat = &fleet->seats[number];
    put(fleet, (wend_event){.kind = kind,
                            .request = seat->request,
                            .tick = fleet->tick,
                            .member = (uint64_t)seat->generation << 32 | number,
                            .cell = wend_seat_cell(fleet, seat),
                            .user = wend_seat_user(fleet, number)});
}

bool wend_fleet_event(wend_fleet *fleet, wend_event *event) {
    if (!fleet->event_count) {
        if (!fleet->lost) return false;
        *event = lost_event(fleet);
        fleet->lost = 0;
        return true;
    }
    *event = fleet->events[fleet->first_event];
    fleet->first_event = (fleet->first_event + 1) % fleet->options.max_events;
    fleet->event_count--;
    return true;
}

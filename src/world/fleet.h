/* The inside of a fleet.
 *
 * Members have seats in one array. Those of a squad that is moved in batches have no more than a seat
 * and a slot in the arrays of their squad (fleet_batch.c). Every other member has an agent and belongs to a
 * lane, a queue whose first member has waited longest (fleet_lane.c). A lane has workspaces of its own, and
 * nothing that a step changes is shared by two lanes: whoever runs them, and when, the moves are the same. */
#ifndef WEND_WORLD_FLEET_H
#define WEND_WORLD_FLEET_H

#include "world/world.h"
#include <wend/fleet.h>
#include <wend/repair.h>

#define WEND_NO_SEAT UINT32_MAX

/* Where a member with an agent waits for its step. */
typedef enum wend_post {
    WEND_POST_NONE,
    WEND_POST_STRIDE, /* it does not wait: its next moves are known */
    WEND_POST_QUEUE,  /* of its lane */
    WEND_POST_HUNGRY, /* among those that wait for a workspace of their storage */
    WEND_POST_ASKING  /* among those that wait for a query of their database */
} wend_post;

typedef struct wend_seat {
    uint32_t generation; /* of its id; odd while there is a member */
    uint32_t request;    /* number of the last */
    uint32_t stepped;    /* the low bits of the tick of its last step */
    uint32_t slot; /* in its squad's arrays, or its lane's strides; or the next of a list of free or hungry
                      ones; or the low bits of the tick in which it was lent its workspace */
    uint16_t squad;
    uint8_t lane;
    uint8_t doing;     /* a wend_doing */
    uint8_t post;      /* a wend_post */
    uint8_t note;      /* the event of this tick, as wend_event_kind; WEND_EVENT_KINDS: none */
    bool spent : 1;    /* its agent has to be started again: it has run out of memory */
    uint8_t woken : 5; /* how often a complete repair has woken it, in this request */
    uint8_t recalled;  /* how often its workspace was taken from it, in this request */
    wend_agent *agent;
} wend_seat;

typedef struct wend_squad {
    wend_settings *planner; /* the fleet's own; what `auto` stands for */
    wend_agent_options agent;
    int32_t body;
    uint64_t expansions;
    uint64_t bound;  /* operations of a step */
    uint64_t charge; /* what a member counts in the turns: it can have two steps where others have one */
    uint64_t coast;  /* operations of a move without planning; 0: no less than a step */
    size_t agent_bytes;
    wend_repair *owned;         /* the fleet's, which it has and others may share; NULL: none */
    uint64_t repair_operations; /* per tick, for that */
    wend_storage storage;
    uint32_t lane; /* of its team */
    uint32_t members;
    uint32_t *in_lane; /* members by lane */
    /* Members that are moved in batches. */
    wend_planner_batch *batch; /* NULL: they are not */
    uint32_t slots, room;      /* slots that have been in use, and what the arrays hold */
    uint32_t free;             /* a list of unused slots, linked by `seat` */
    uint32_t active;           /* members with a request */
    uint32_t cursor;           /* the slot whose turn is next */
    uint32_t window;           /* how many have their turn in this tick */
    uint32_t all;              /* low bits of the last tick in which all had */
    bool partial;              /* not all had in the last */
    wend_cell *at, *goals;
    uint32_t *seat; /* by slot */
    wend_direction *moves;
    uint32_t laps;   /* how often all slots have had their turn, modulo 2^32 */
    uint32_t *begun; /* by slot: `laps` when its request began, or went on from another place */
    uint32_t *fresh; /* slots with a request since the last tick; `moves` has WEND_FRESH for them */
    uint32_t fresh_count;
    uint32_t last_first, last_window, last_slots; /* the last tick's window, of so many slots */
    uint32_t watch; /* the slot of which it is looked at next whether it walks for ever */
} wend_squad;
enum { WEND_SLOT_BYTES = 2 * sizeof(wend_cell) + 3 * sizeof(uint32_t) + sizeof(wend_direction) };
#define WEND_FRESH ((wend_direction)UINT8_MAX)

typedef struct wend_hungry {
    uint32_t first, last; /* seats, linked by `slot`, and backwards by their agents' `before` */
    uint32_t resume;      /* the one to be looked at next by wend_lane_wake; WEND_NO_SEAT: the first */
} wend_hungry;

/* A member whose next moves are known, at most WEND_LONGEST_STRIDE. */
enum { WEND_LONGEST_STRIDE = 255 };
typedef struct wend_stride {
    uint32_t number; /* of its seat */
    wend_cell at;
    uint32_t offset;      /* to the next cell */
    uint16_t left, moves; /* of so many */
} wend_stride;

typedef struct wend_lane {
    wend_ground ground; /* its view is that of the body size whose member is dealt with: see face */
    int32_t facing;     /* that size; 0: none yet */
    uint32_t *queue;    /* a ring of 2 * room seats; WEND_NO_SEAT: a hole, whose member has left it */
    uint32_t first, count, holes;
    uint32_t looked; /* so many at its head may have moved out of turn in the last tick; */
    uint32_t marked; /* so many are known to be postponed, but for those */
    uint32_t room;   /* for members */
    uint32_t *noted; /* seats with an event of this tick */
    uint32_t noted_count;
    wend_stride *strides;
    uint32_t stride_count;
    wend_hungry hungry[WEND_STORAGES]; /* by storage; those that wait for a query: WEND_STORAGE_NONE */
    uint32_t hungry_count;             /* in all */
    uint32_t members;
    uint64_t total, waiting; /* charges of all members, and of those in the queue or hungry */
    uint64_t most;           /* the most expensive step of its members */
    uint64_t coast;          /* the cheapest move out of turn of any; 0: none makes one */
    uint64_t share, left;    /* of this tick's budget */
    wend_tick tick;          /* its part of what a tick came to */
} wend_lane;

/* A part of a squad's window that is moved at a time, and a smaller one that is looked at as a whole. */
enum { WEND_BATCH = 2048, WEND_BATCH_PART = 64 };

typedef struct wend_batch {
    uint32_t squad, from, count; /* `from`: in the window */
    uint32_t moved;
    /* A bit a slot, from `from` on: its request has ended. Written before it is read, but for `parts`: which
     * words of it have a bit. */
    uint32_t parts;
    uint64_t ended[WEND_BATCH / WEND_BATCH_PART];
} wend_batch;

typedef struct wend_class {
    wend_map *map; /* of bodies of more than a cell */
    wend_world *world;
} wend_class;

struct wend_fleet {
    wend_allocator allocator;
    wend_fleet_options options;
    const wend_map *map;
    wend_class classes[WEND_MAX_BODY + 1];
    wend_squad *squads;
    uint32_t squad_count;
    wend_seat *seats;
    uint32_t used, free; /* seats ever used, and a list of those that are free again, linked by `slot` */
    uint32_t members;
    wend_lane *lanes;
    uint32_t searching_lanes; /* those that have workspaces, or may have */
    wend_toucher toucher;
    wend_allowance allowance; /* for workspaces, where their number is not fixed */
    uint32_t teams;
    wend_batch *batches;
    uint32_t batch_room, batch_count;
    wend_event *events;
    uint64_t first_event, event_count, lost;
    uint64_t tick;
    uint64_t *users;  /* by seat: words of the caller's; NULL: none yet */
    wend_cell *stood; /* by seat: where it stood before the tick; NULL: moves are not listed */
    wend_moved *moved;
    uint32_t moved_count;
    bool edited; /* and what edits have joined or cut off is not known yet, or not reported */
};

/* `number` is that of a seat; of wend_batch_add and wend_batch_prepare, of a squad.
 *
 * fleet_events.c */
void wend_fleet_tell(wend_fleet *fleet, wend_event_kind kind, uint32_t number);

/* fleet_shown.c: what is kept for the caller alone. Before and after a tick: lists who has moved in it. */
bool wend_shown_create(wend_fleet *fleet);
void wend_shown_release(wend_fleet *fleet);
size_t wend_shown_bytes(const wend_fleet *fleet);
void wend_shown_begin(wend_fleet *fleet);
void wend_shown_end(wend_fleet *fleet);
WEND_INLINE uint64_t wend_seat_user(const wend_fleet *fleet, uint32_t number) {
    return fleet->users ? fleet->users[number] : 0;
}

/* fleet_bodies.c: the world of a size, made when first asked for. NULL: no memory. */
wend_world *wend_fleet_class(wend_fleet *fleet, int32_t body);
void wend_fleet_release_classes(wend_fleet *fleet);
/* Takes in what edits have joined or cut off; true if that is known. */
bool wend_fleet_settle(wend_fleet *fleet);

/* fleet_sound.c: for WEND_VALIDATE: who waits where, and what that adds up to. */
bool wend_fleet_is_sound(const wend_fleet *fleet);

/* fleet_lane.c */
void wend_lane_face(const wend_fleet *fleet, wend_lane *lane, int32_t body);
bool wend_lane_reserve(const wend_fleet *fleet, wend_lane *lane, uint32_t members);
void wend_lane_enter(const wend_fleet *fleet, uint32_t number);    /* the queue, unless it waits already */
void wend_lane_withdraw(const wend_fleet *fleet, uint32_t number); /* from where it waits */
void wend_lane_forget_hungry(const wend_fleet *fleet, uint32_t number);
/* After edits, once components are known again: who waits for something that it may not need any more, having
 * a database, or for a goal that no path leads to now, asks again at its turn. */
void wend_lane_reconsider(const wend_fleet *fleet, wend_lane *lane);
/* The same for those who wait for a workspace while a repair that they go by has been completed. */
void wend_lane_wake(const wend_fleet *fleet, wend_lane *lane);
void wend_lane_run(wend_fleet *fleet, wend_lane *lane);

/* fleet_stride.c. A member that is in no queue begins a stride, if it has one to make and the budget allows.
 * _end: a member in a stride leaves it and goes to the queue. _run: all strides make a move, or go back to
 * the queue. Returns how many at the head of the queue have not moved in this tick. */
bool wend_stride_begin(const wend_fleet *fleet, wend_lane *lane, uint32_t number);
void wend_stride_end(const wend_fleet *fleet, uint32_t number);
uint32_t wend_strides_run(const wend_fleet *fleet, wend_lane *lane);

/* fleet_batch.c */
wend_status wend_batch_add(wend_fleet *fleet, uint32_t number, uint32_t seat, wend_cell cell,
                           wend_error *error);
void wend_batch_remove(wend_fleet *fleet, uint32_t number);
bool wend_batch_set_goal(const wend_fleet *fleet, uint32_t number, wend_cell goal); /* false: no path */
void wend_batch_begin(const wend_fleet *fleet, uint32_t number); /* had no request before */
void wend_batch_stop(const wend_fleet *fleet, uint32_t number);
void wend_batch_prepare(wend_fleet *fleet, uint32_t number, uint64_t share);
void wend_batch_run(wend_fleet *fleet, wend_batch *batch);
/* Counts and reports, after all batches of the tick. */
void wend_batch_finish(wend_fleet *fleet, wend_tick *tick);

/* fleet_repair.c: a squad that is to be added goes by a repair of the fleet's, if it wants one; it may own it
 * then, also after a failure. And: steps all of them; true if any squad goes by a repair, of whosoever. */
wend_status wend_fleet_join_repair(wend_fleet *fleet, wend_squad *squad, wend_error *error);
bool wend_fleet_repair_all(wend_fleet *fleet, wend_tick *tick);

/* fleet_turns.c: how the budget is dealt out. */
void wend_fleet_deal(wend_fleet *fleet);
uint64_t wend_fleet_all_charges(const wend_fleet *fleet);

WEND_INLINE wend_squad *wend_squad_of(const wend_fleet *fleet, const wend_seat *seat) {
    return &fleet->squads[seat->squad];
}
wend_cell wend_seat_cell(const wend_fleet *fleet, const wend_seat *seat);
wend_cell wend_seat_goal(const wend_fleet *fleet, const wend_seat *seat);
wend_cell wend_seat_wanted(const wend_fleet *fleet, const wend_seat *seat); /* of its request */

#endif

/* Fleets: many agents of any mix of planners, moved together, a tick at a time, within one budget.
 *
 * A fleet has a map, squads (a planner with its settings, a database, a body size) and members, each of one
 * squad. A member stands somewhere until it is given a goal: a request. Every request ends in exactly one of
 * the ways that wend_event_kind lists, and that is reported as an event.
 *
 * In a tick every member with a request is given a step of its planner, as far as the budget goes; the others
 * move along what they know already, if that is cheap, or wait. Who has waited longest is first in the next
 * tick: wend_fleet_turns says how many ticks that can take at most.
 *
 * Members pass through one another. A fleet is used by one thread at a time; within a tick it gives the
 * host's tasks something to do. Moves and events do not depend on how many workers those have. */
#ifndef WEND_FLEET_H
#define WEND_FLEET_H

#include "generate.h"
#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WEND_MAX_LANES 256
#define WEND_MAX_SQUADS 256
#define WEND_MAX_MEMBERS (1u << 24)

typedef struct wend_fleet wend_fleet;

typedef struct wend_fleet_options {
    uint32_t struct_size; /* set by wend_default_...() */
    uint32_t max_members; /* members at most; 1,024 */
    uint32_t max_events;  /* how many events are kept until they are read; 4,096 */
    bool wait_events;     /* events say who begins to wait, too; yes */
    uint64_t budget;      /* operations a tick, of all members; 1,000,000 */
    /* Members that plan by themselves are split into so many lanes, which workers take as they are free. They
     * decide the moves (who shares a workspace with whom), so are not chosen by the number of workers: 8 */
    uint32_t lanes;
    uint32_t workspaces;      /* as of a world, but in all: they are dealt out to the lanes; 1 */
    uint32_t max_queue_nodes; /* as of a world; 0 */
    int32_t max_body;         /* 1 to WEND_MAX_BODY; 1 */
    bool editable;            /* wend_fleet_edit will be used; no */
    uint64_t settle;  /* operations a tick, for each body size, to find out what edits have joined or cut
                             off; beside the budget, and only after an edit; 20,000 */
    wend_tasks tasks; /* zeroed: all on the caller's thread */
    wend_allocator allocator; /* not called in a tick, but for repairs */
    /* Ticks for which a member keeps its workspace while others wait for one. Then it gives it up, begins
     * anew from where it stands as the last of those, and keeps the next one for twice as long, and so on
     * until its request is over. Of use where ways are long and what was searched is soon outdated, as on
     * unknown terrain; on known maps it is work done twice. 0: it keeps it until it needs it no more; 0 */
    uint32_t patience;
} wend_fleet_options;

/* For wend_default_fleet_options(), and bindings: sets the defaults of the fields that lie within `size` bytes. */
WEND_API void wend_fleet_options_init(wend_fleet_options *options, size_t size);
static inline wend_fleet_options wend_default_fleet_options(void) {
    wend_fleet_options options;
    wend_fleet_options_init(&options, sizeof options);
    return options;
}
/* The map must outlive the fleet and stay as it is. */
WEND_API wend_status wend_fleet_create(const wend_map *map, const wend_fleet_options *options,
                                       wend_fleet **fleet, wend_error *error);
WEND_API void wend_fleet_destroy(wend_fleet *fleet); /* before databases and knowledge of its squads */

/* Body sizes: where bodies of that size can stand and walk, as wend_map_for_body gives it, edits included. A
 * body's cell is its upper left one. NULL for no size of the fleet's, or where there was no memory to make
 * it. */
WEND_API const wend_map *wend_fleet_map(wend_fleet *fleet, int32_t body);
/* The same without edits: the map that databases of such squads are opened for. For body 1 it is the map that
 * the fleet was made of; others are the fleet's own and go with it, after which such databases can only be
 * closed. */
WEND_API const wend_map *wend_fleet_base(wend_fleet *fleet, int32_t body);
/* The world of that size, for wend_knowledge_create. It is edited by wend_fleet_edit alone. NULL as above. */
WEND_API wend_world *wend_fleet_world(wend_fleet *fleet, int32_t body);

typedef struct wend_squad_options {
    uint32_t struct_size; /* set by wend_default_...() */
    int32_t body;         /* 1 to the fleet's largest; 1 */
    /* Expansions a step; 0: the planner's k, or 1,000 where that is unlimited. */
    uint64_t expansions;
    /* Operations per tick that the fleet spends on a repair of the squad's database (repair.h), beside the
     * budget and only after edits; 0: none. A tick may go over it as wend_repair_step may. Squads with the
     * same database and map share one repair, with the most that any of them asks for. Not together with
     * agent.repair. Where members know the map and the fleet is not editable there is nothing to repair. */
    uint64_t repair_operations;
    /* Database, knowledge, caps. Members of squads that share knowledge are a team, and stay in one lane. It
     * stays last, since it may grow. */
    wend_agent_options agent;
} wend_squad_options;

/* For wend_default_squad_options(), and bindings: sets the defaults of the fields that lie within `size` bytes. */
WEND_API void wend_squad_options_init(wend_squad_options *options, size_t size);
static inline wend_squad_options wend_default_squad_options(void) {
    wend_squad_options options;
    wend_squad_options_init(&options, sizeof options);
    return options;
}
/* Squads are numbered from 0 and stay. WEND_STATUS_UNSUPPORTED for a planner whose steps have no bound, or
 * none below 2^36 operations; WEND_STATUS_FULL beyond WEND_MAX_SQUADS. Otherwise as wend_agent_create.
 * The fleet copies the settings. */
WEND_API wend_status wend_fleet_add_squad(wend_fleet *fleet, const wend_settings *planner,
                                          const wend_squad_options *options, uint32_t *squad,
                                          wend_error *error);
/* The repair that a squad's members go by, to be looked at between ticks; NULL: none. */
WEND_API const wend_repair *wend_fleet_repair(const wend_fleet *fleet, uint32_t squad);

/* A member. Ids are not given twice: one of a member that was removed is known to be old. */
typedef uint64_t wend_member;
#define WEND_NO_MEMBER 0

/* WEND_STATUS_FULL where the fleet has all the members that it was made for, WEND_STATUS_TOO_SMALL where the
 * budget would not suffice any more for a step of one member in every lane: see wend_fleet_min_budget. */
WEND_API wend_status wend_fleet_add(wend_fleet *fleet, uint32_t squad, wend_cell cell, wend_member *member,
                                    wend_error *error);
WEND_API wend_status wend_fleet_remove(wend_fleet *fleet, wend_member member, wend_error *error);
/* A new goal, at any time between ticks; the member's last request, if it is not over, ends as replaced. On
 * failure (WEND_STATUS_BLOCKED, WEND_STATUS_OUTSIDE) it goes on. `request` may be NULL: the number of the
 * request, from 1 for each member. */
WEND_API wend_status wend_fleet_request(wend_fleet *fleet, wend_member member, wend_cell goal,
                                        uint32_t *request, wend_error *error);
/* The member gives up its request, if it has one, and stands. */
WEND_API wend_status wend_fleet_cancel(wend_fleet *fleet, wend_member member, wend_error *error);
/* Puts it elsewhere; its request goes on from there. */
WEND_API wend_status wend_fleet_place(wend_fleet *fleet, wend_member member, wend_cell cell,
                                      wend_error *error);

/* Opens or closes an area of the map for all body sizes; between ticks. As wend_world_edit. */
WEND_API wend_status wend_fleet_edit(wend_fleet *fleet, wend_rect area, bool open, wend_error *error);
/* WEND_STATUS_TOO_SMALL below wend_fleet_min_budget. */
WEND_API wend_status wend_fleet_set_budget(wend_fleet *fleet, uint64_t budget, wend_error *error);
WEND_API void wend_fleet_set_tasks(wend_fleet *fleet, wend_tasks tasks);
/* The least that the members can do with: the dearest step of every lane and of every squad of `cpd`. */
WEND_API uint64_t wend_fleet_min_budget(const wend_fleet *fleet);
/* The most ticks from a member's request or last step to its next step, while the fleet stays as it is; where
 * members are added meanwhile, the largest such number of those ticks. 1: everyone has a step in every tick.
 * A member that has been told to wait for a workspace is not counted: it gets one when those who have asked
 * before it have had theirs (see `patience`). */
WEND_API uint64_t wend_fleet_turns(const wend_fleet *fleet);

/* What a tick came to. Members without a request are not counted. */
typedef struct wend_tick {
    uint64_t tick;      /* from 1 */
    uint64_t active;    /* members that had a request */
    uint64_t steps;     /* had their turn */
    uint64_t moves;     /* of those steps, and out of turn */
    uint64_t coasted;   /* moves out of turn, along what was known */
    uint64_t thinking;  /* had their turn and stand: the planner is not ready yet */
    uint64_t starved;   /* stand, since no workspace is free, or nothing else that their planner borrows */
    uint64_t postponed; /* stand, since it was not their turn */
    uint64_t arrived, unreachable, out_of_memory; /* requests that ended */
    uint64_t operations;                          /* never above the budget */
    bool settled;                                 /* what edits have joined or cut off is known */
    uint64_t repair_operations;                   /* of the fleet's repairs, beside those above */
    bool repaired;                                /* these have taken in all edits */
    uint32_t repairs_failed;                      /* for want of memory; they begin again in the next tick */
} wend_tick;

/* Allocates nothing but for repairs, makes no system call, reads no clock; calls the host's tasks once.
 * active is moves + thinking + starved + postponed + those who ended without a move. */
WEND_API wend_tick wend_fleet_tick(wend_fleet *fleet);

typedef enum wend_event_kind {
    WEND_EVENT_REQUESTED = 0, /* a request has begun */
    /* The ends of a request. */
    WEND_EVENT_ARRIVED = 1,
    WEND_EVENT_UNREACHABLE = 2,   /* proved: no path leads to the goal */
    WEND_EVENT_OUT_OF_MEMORY = 3, /* the member's planner has reached a cap */
    WEND_EVENT_REPLACED = 4,      /* by another request */
    WEND_EVENT_CANCELLED = 5,     /* by wend_fleet_cancel, or the member was removed */
    /* The member has begun to stand, unless it stood already for the same reason. */
    WEND_EVENT_THINKING = 6,  /* its planner is not ready yet */
    WEND_EVENT_STARVED = 7,   /* no workspace is free (or query, of atlas) */
    WEND_EVENT_POSTPONED = 8, /* the budget was used up before its turn, and it has no cheap move */
    WEND_EVENT_LOST = 9,      /* there was no room for `count` events that would stand here */
    WEND_EVENT_KINDS
} wend_event_kind;

typedef struct wend_event {
    wend_event_kind kind;
    uint32_t request;
    uint64_t tick; /* in which it happened; of what happens between two, the last one */
    wend_member member;
    wend_cell cell; /* where it stands */
    uint64_t count; /* of LOST; otherwise 0 */
} wend_event;

WEND_API const char *wend_event_name(wend_event_kind kind); /* "arrived" ... */
/* Takes the oldest event; false if there is none. Events that find the ring full are dropped and counted: an
 * event of the kind LOST stands in their place. */
WEND_API bool wend_fleet_event(wend_fleet *fleet, wend_event *event);

typedef enum wend_doing {
    WEND_DOING_NOTHING = 0, /* no request */
    WEND_DOING_MOVING = 1,  /* or its request is new */
    WEND_DOING_THINKING = 2,
    WEND_DOING_STARVED = 3,
    WEND_DOING_POSTPONED = 4
} wend_doing;

typedef struct wend_member_info {
    uint32_t squad;
    int32_t body;
    wend_cell cell, goal; /* goal: of the request; after one, or before any, it means nothing */
    uint32_t request;     /* the number of the last; 0: none yet */
    wend_doing doing;
    /* The tick of its last step, or of the turn at which it gave up its workspace; if it has had none since,
     * of its request or its start. */
    uint64_t stepped;
} wend_member_info;

/* False for a member that was removed or never was. */
WEND_API bool wend_fleet_member(const wend_fleet *fleet, wend_member member, wend_member_info *info);
/* Member number `index` below max_members, in no particular order; WEND_NO_MEMBER where there is none. */
WEND_API wend_member wend_fleet_at(const wend_fleet *fleet, uint32_t index);
WEND_API uint32_t wend_fleet_count(const wend_fleet *fleet);
/* All memory of the fleet, its members and worlds; not the map, databases and knowledge. */
WEND_API size_t wend_fleet_bytes(const wend_fleet *fleet);
/* The part of it that is there for the members of one squad alone: records, agents, places in lanes. */
WEND_API size_t wend_fleet_squad_bytes(const wend_fleet *fleet, uint32_t squad);
/* Of cells, requests and what everyone is doing, for comparing runs. */
WEND_API uint64_t wend_fleet_hash(const wend_fleet *fleet);

#ifdef __cplusplus
}
#endif
#endif

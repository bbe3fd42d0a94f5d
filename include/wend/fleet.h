/// @file
/// Fleets: many agents of any mix of planners, moved together, a tick at a time, within one budget.
///
/// 1. wend_fleet_create makes a fleet of a map; wend_fleet_add_squad and wend_fleet_add add squads and
///    members.
/// 2. wend_fleet_request gives a member a goal, at any time between ticks.
/// 3. Per tick, wend_fleet_tick moves members; wend_fleet_event reports what became of requests.
/// 4. wend_fleet_destroy, before the databases and knowledge of its squads.
///
/// A fleet has a map, squads (a planner with its settings, a database, a body size) and members, each of one
/// squad. A member stands somewhere until it is given a goal: a request. Every request ends in exactly one of
/// the ways that wend_event_kind lists, and an event reports it.
///
/// In a tick every member with a request is given a step of its planner, as far as the budget goes. The
/// others move along what they know already, if that is cheap, or wait. The one that has waited longest is
/// first in the next tick: wend_fleet_turns says how many ticks that can take at most.
///
/// Members pass through one another. A fleet is used by one thread at a time; within a tick it gives the
/// host's tasks something to do. Moves and events do not depend on how many workers those have.
#ifndef WEND_FLEET_H
#define WEND_FLEET_H

#include "generate.h"
#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The most lanes of a fleet.
#define WEND_MAX_LANES 256
/// The most squads of a fleet.
#define WEND_MAX_SQUADS 256
/// The most members of a fleet.
#define WEND_MAX_MEMBERS (1u << 24)

/// Many agents that are moved together within one budget.
typedef struct wend_fleet wend_fleet;

/// Options of wend_fleet_create.
typedef struct wend_fleet_options {
    /// Set by wend_default_fleet_options.
    uint32_t struct_size;
    /// The most members, 1 to WEND_MAX_MEMBERS. Default 1,024.
    uint32_t max_members;
    /// How many events are kept until they are read, at least 1. Default 4,096.
    uint32_t max_events;
    /// Whether events also report who begins to wait. Default yes.
    bool wait_events;
    /// Operations per tick, of all members, at least 1. Default 1,000,000.
    uint64_t budget;
    /// Members that plan by themselves are split into this many lanes, 1 to WEND_MAX_LANES. Workers take
    /// lanes as they are free. Lanes decide the moves (who shares a workspace with whom), so they are not
    /// chosen by the number of workers. Default 8.
    uint32_t lanes;
    /// As wend_world_options.workspaces, but in all: they are dealt out to the lanes. 0: as many as there are
    /// members, within `max_bytes`. Default 0.
    uint32_t workspaces;
    /// As wend_world_options.max_queue_nodes. Default 0.
    uint32_t max_queue_nodes;
    /// The largest body, 1 to WEND_MAX_BODY, in cells per side. Default 1.
    int32_t max_body;
    /// Whether wend_fleet_edit will be used. Default no.
    bool editable;
    /// Operations per tick, for each body size, to find out what edits have joined or cut off. At least 1.
    /// They are spent beside the budget, and only after an edit. Default 20,000.
    uint64_t settle;
    /// How a tick is spread over threads. Default: all on the caller's thread.
    wend_tasks tasks;
    /// Where memory comes from. Not called in a tick, but for repairs. Default: the C library's.
    wend_allocator allocator;
    /// Ticks for which a member keeps its workspace while others wait for one. 0: until it needs it no more.
    /// Default 0.
    ///
    /// After that it gives the workspace up, begins again from where it stands as the last of those that
    /// wait, and keeps the next one for twice as long, and so on until its request is over. This is of use
    /// where ways are long and what was searched is soon outdated, as on unknown terrain. On known maps it is
    /// work done twice.
    uint32_t patience;
    /// As wend_world_options.max_bytes, for all lanes together. Default 256 MB.
    size_t max_bytes;
    /// As wend_world_options.touch_bytes, for the fleet as a whole. Default 64 MB.
    size_t touch_bytes;
    /// Whether each tick lists who has moved: see wend_fleet_moved. It takes 20 bytes for each of `max_members`, and
    /// two looks at each member per tick. Default no.
    bool list_moves;
} wend_fleet_options;

/// Sets the defaults of the fields that lie within `size` bytes. For wend_default_fleet_options and bindings.
WEND_API void wend_fleet_options_init(wend_fleet_options *options, size_t size);
/// The default options.
static inline wend_fleet_options wend_default_fleet_options(void) {
    wend_fleet_options options;
    wend_fleet_options_init(&options, sizeof options);
    return options;
}
/// Makes a fleet without members. The map must outlive it and stay as it is.
WEND_API wend_status wend_fleet_create(const wend_map *map, const wend_fleet_options *options,
                                       wend_fleet **fleet, wend_error *error);
/// Destroys a fleet, before the databases and knowledge of its squads. NULL is fine.
WEND_API void wend_fleet_destroy(wend_fleet *fleet);

/// Where bodies of a size can stand and walk, as wend_map_for_body gives it, edits included. A body's cell is
/// its upper left one. NULL for no size of the fleet's, or where there was no memory to make it.
WEND_API const wend_map *wend_fleet_map(wend_fleet *fleet, int32_t body);
/// The same without edits: the map that databases of such squads are opened for. For body 1 it is the map
/// that the fleet was made of. Others belong to the fleet and end with it; such databases can then only be
/// closed.
WEND_API const wend_map *wend_fleet_base(wend_fleet *fleet, int32_t body);
/// The world of a body size, for wend_knowledge_create. Only wend_fleet_edit edits it. NULL as for
/// wend_fleet_map.
WEND_API wend_world *wend_fleet_world(wend_fleet *fleet, int32_t body);

/// Options of wend_fleet_add_squad.
typedef struct wend_squad_options {
    /// Set by wend_default_squad_options.
    uint32_t struct_size;
    /// The body size, 1 to the fleet's `max_body`, in cells per side. Default 1.
    int32_t body;
    /// Expansions per step. 0: the planner's k, or 1,000 where that is unlimited. Default 0.
    uint64_t expansions;
    /// Operations per tick that the fleet spends on a repair of the squad's database (repair.h), beside the
    /// budget and only after edits. 0: none. Default 0.
    ///
    /// A tick may go over it as wend_repair_step may. Squads with the same database and map share one repair,
    /// with the most that any of them asks for. Not together with `agent.repair`. Where members know the map
    /// and the fleet is not editable there is nothing to repair.
    uint64_t repair_operations;
    /// Database, knowledge, caps, and what becomes of goals that can't be reached. It stays last, since it may grow.
    ///
    /// Members of squads that share knowledge are a team, and stay in one lane. Members with another goal rule than
    /// WEND_GOAL_REFUSE are not moved in batches, whatever their planner.
    wend_agent_options agent;
} wend_squad_options;

/// Sets the defaults of the fields that lie within `size` bytes. For wend_default_squad_options and bindings.
WEND_API void wend_squad_options_init(wend_squad_options *options, size_t size);
/// The default options.
static inline wend_squad_options wend_default_squad_options(void) {
    wend_squad_options options;
    wend_squad_options_init(&options, sizeof options);
    return options;
}
/// Adds a squad. Squads are numbered from 0 and stay. The fleet copies the settings.
///
/// WEND_STATUS_UNSUPPORTED for a planner whose steps have no bound, or none below 2^36 operations.
/// WEND_STATUS_FULL beyond WEND_MAX_SQUADS. Otherwise as wend_agent_create.
WEND_API wend_status wend_fleet_add_squad(wend_fleet *fleet, const wend_settings *planner,
                                          const wend_squad_options *options, uint32_t *squad,
                                          wend_error *error);
/// The repair that a squad's members go by, to be looked at between ticks. NULL: none.
WEND_API const wend_repair *wend_fleet_repair(const wend_fleet *fleet, uint32_t squad);

/// The id of a member of one fleet. Copy and compare it freely; what its bits mean is private to the fleet.
/// No member is WEND_NO_MEMBER. Ids are not given twice: calls with the id of a removed member fail.
typedef uint64_t wend_member;
/// The id of no member.
#define WEND_NO_MEMBER 0

/// Adds a member of a squad on a cell. WEND_STATUS_FULL where the fleet has all the members that it was made
/// for. WEND_STATUS_TOO_SMALL where the budget would no longer suffice for a step of one member in every
/// lane: see wend_fleet_min_budget.
WEND_API wend_status wend_fleet_add(wend_fleet *fleet, uint32_t squad, wend_cell cell, wend_member *member,
                                    wend_error *error);
/// Removes a member. Its request, if it has one, ends as cancelled.
WEND_API wend_status wend_fleet_remove(wend_fleet *fleet, wend_member member, wend_error *error);
/// Gives a member a new goal, at any time between ticks. Its last request, if it is not over, ends as
/// replaced. On failure (WEND_STATUS_BLOCKED, WEND_STATUS_OUTSIDE) the last request goes on.
/// @param fleet   the fleet
/// @param member  the member
/// @param goal    the goal
/// @param request gets the number of the request, from 1 for each member; may be NULL
/// @param error   may be NULL
WEND_API wend_status wend_fleet_request(wend_fleet *fleet, wend_member member, wend_cell goal,
                                        uint32_t *request, wend_error *error);
/// Lets the member give up its request, if it has one, and stand.
WEND_API wend_status wend_fleet_cancel(wend_fleet *fleet, wend_member member, wend_error *error);
/// Puts the member elsewhere. Its request goes on from there.
WEND_API wend_status wend_fleet_place(wend_fleet *fleet, wend_member member, wend_cell cell,
                                      wend_error *error);

/// Opens or closes an area of the map for all body sizes, between ticks. As wend_world_edit.
WEND_API wend_status wend_fleet_edit(wend_fleet *fleet, wend_rect area, bool open, wend_error *error);
/// Sets the budget of a tick, in operations. WEND_STATUS_TOO_SMALL below wend_fleet_min_budget.
WEND_API wend_status wend_fleet_set_budget(wend_fleet *fleet, uint64_t budget, wend_error *error);
/// Sets how the next ticks are spread over threads.
WEND_API void wend_fleet_set_tasks(wend_fleet *fleet, wend_tasks tasks);
/// The least budget that suffices for the members, in operations: the most expensive step of every lane and
/// of every squad of `cpd`.
WEND_API uint64_t wend_fleet_min_budget(const wend_fleet *fleet);
/// The most ticks from a member's request or last step to its next step, while the fleet stays as it is. 1:
/// everyone has a step in every tick. Where members are added meanwhile, it is the largest such number of
/// those ticks.
///
/// A member that has to wait for a workspace is not counted. It gets one when those who have asked before it
/// have had theirs: see wend_fleet_options.patience.
WEND_API uint64_t wend_fleet_turns(const wend_fleet *fleet);

/// What a tick came to. Members without a request are not counted. `active` is `moves` + `thinking` +
/// `starved` + `postponed` + those who ended without a move.
typedef struct wend_tick {
    /// The number of the tick, from 1.
    uint64_t tick;
    /// Members that had a request.
    uint64_t active;
    /// Members that had their turn.
    uint64_t steps;
    /// Moves of those steps, and out of turn.
    uint64_t moves;
    /// Moves out of turn, along what was known.
    uint64_t coasted;
    /// Members that had their turn and stand: the planner is not ready yet.
    uint64_t thinking;
    /// Members that stand, since no workspace is free, or nothing else that their planner borrows.
    uint64_t starved;
    /// Members that stand, since it was not their turn.
    uint64_t postponed;
    /// Requests that ended: the member stands on its goal.
    uint64_t arrived;
    /// Requests that ended: no path leads to the goal.
    uint64_t unreachable;
    /// Requests that ended: the member's planner has reached a cap.
    uint64_t out_of_memory;
    /// Operations spent. Never above the budget. To see that a member can make no move out of turn is one.
    uint64_t operations;
    /// Whether it is known what edits have joined or cut off.
    bool settled;
    /// Operations of the fleet's repairs, beside `operations`.
    uint64_t repair_operations;
    /// Whether the fleet's repairs have taken in all edits.
    bool repaired;
    /// Repairs that failed since memory ran out. They begin again in the next tick.
    uint32_t repairs_failed;
    /// Requests that ended: the squad's database contradicts the map.
    uint64_t bad_database;
} wend_tick;

/// Runs one tick. Allocates nothing but for repairs, makes no system call, reads no clock. Calls the host's
/// tasks once.
WEND_API wend_tick wend_fleet_tick(wend_fleet *fleet);

/// What an event reports: the beginning or end of a request, or that a member has begun to stand. The latter
/// is not reported again while the member stands for the same reason.
typedef enum wend_event_kind {
    WEND_EVENT_REQUESTED = 0,     ///< A request has begun.
    WEND_EVENT_ARRIVED = 1,       ///< End: the member stands on its goal.
    WEND_EVENT_UNREACHABLE = 2,   ///< End: it is proved that no path leads to the goal.
    WEND_EVENT_OUT_OF_MEMORY = 3, ///< End: the member's planner has reached a cap.
    WEND_EVENT_REPLACED = 4,      ///< End: another request has replaced it.
    WEND_EVENT_CANCELLED = 5,     ///< End: by wend_fleet_cancel, or the member was removed.
    WEND_EVENT_THINKING = 6,      ///< The member stands: its planner is not ready yet.
    WEND_EVENT_STARVED = 7,       ///< The member stands: no workspace is free (or query, of atlas).
    WEND_EVENT_POSTPONED = 8,     ///< The member stands: the budget was used up, and it has no cheap move.
    WEND_EVENT_LOST = 9,          ///< There was no room for `count` events that would stand here.
    WEND_EVENT_BAD_DATABASE = 10, ///< End: the database contradicts the map: WEND_STEP_BAD_DATABASE.
    WEND_EVENT_KINDS              ///< The number of kinds.
} wend_event_kind;

/// What became of a request.
typedef struct wend_event {
    /// What happened.
    wend_event_kind kind;
    /// The number of the request.
    uint32_t request;
    /// The tick in which it happened. Of what happens between two ticks, the last one.
    uint64_t tick;
    /// The member.
    wend_member member;
    /// Where the member stands.
    wend_cell cell;
    /// Of WEND_EVENT_LOST, the number of events; otherwise 0.
    uint64_t count;
    /// The member's word: see wend_fleet_set_user.
    uint64_t user;
} wend_event;

/// The kind's name: "arrived" and so on; "unknown" for no kind.
WEND_API const char *wend_event_name(wend_event_kind kind);
/// Takes the oldest event. False if there is none. Events that find the ring full are dropped and counted: an
/// event of the kind WEND_EVENT_LOST stands in their place.
WEND_API bool wend_fleet_event(wend_fleet *fleet, wend_event *event);

/// What a member is doing.
typedef enum wend_doing {
    WEND_DOING_NOTHING = 0,   ///< It has no request.
    WEND_DOING_MOVING = 1,    ///< It moves, or its request is new.
    WEND_DOING_THINKING = 2,  ///< It stands: see WEND_EVENT_THINKING.
    WEND_DOING_STARVED = 3,   ///< It stands: see WEND_EVENT_STARVED.
    WEND_DOING_POSTPONED = 4, ///< It stands: see WEND_EVENT_POSTPONED.
    /// It stands: no way leads to its goal, or none is known. Only with a goal rule; ticks and events report it as
    /// thinking.
    WEND_DOING_WAITING = 5
} wend_doing;

/// What is known of a member.
typedef struct wend_member_info {
    /// Its squad.
    uint32_t squad;
    /// Its body size, in cells per side.
    int32_t body;
    /// Where it stands.
    wend_cell cell;
    /// Where it goes: the goal of its request, or with WEND_GOAL_NEAREST the cell near that. Without a request it
    /// means nothing.
    wend_cell goal;
    /// The number of its last request. 0: none yet.
    uint32_t request;
    /// What it is doing.
    wend_doing doing;
    /// The tick of its last step, or of the turn at which it gave up its workspace. If it has had none since,
    /// of its request or its start.
    uint64_t stepped;
    /// The goal of its request, as it was given.
    wend_cell wanted;
    /// Its word: see wend_fleet_set_user.
    uint64_t user;
} wend_member_info;

/// Gives a member a word of the caller's, such as the index of its unit in the game. Events and wend_fleet_member
/// show it. 0 until then. The first call takes 8 bytes for each of `max_members`.
WEND_API wend_status wend_fleet_set_user(wend_fleet *fleet, wend_member member, uint64_t user,
                                         wend_error *error);

/// A move of the last tick.
typedef struct wend_moved {
    /// Who has moved.
    wend_member member;
    /// Where it stood before the tick.
    wend_cell from;
    /// Where it stands.
    wend_cell to;
} wend_moved;
/// Who has moved in the last tick, in the order of wend_fleet_at. Holds until the next tick. NULL unless the fleet
/// was made with `list_moves`.
/// @param count gets how many there are
WEND_API const wend_moved *wend_fleet_moved(const wend_fleet *fleet, uint32_t *count);

/// Reads a member. False for one that was removed or never was.
WEND_API bool wend_fleet_member(const wend_fleet *fleet, wend_member member, wend_member_info *info);
/// Member number `index`, below `max_members`, in no particular order. WEND_NO_MEMBER where there is none.
WEND_API wend_member wend_fleet_at(const wend_fleet *fleet, uint32_t index);
/// The number of members.
WEND_API uint32_t wend_fleet_count(const wend_fleet *fleet);
/// All memory of the fleet, its members and worlds, in bytes; not the map, databases and knowledge.
WEND_API size_t wend_fleet_bytes(const wend_fleet *fleet);
/// The part of it that is there for the members of one squad alone: records, agents, places in lanes.
WEND_API size_t wend_fleet_squad_bytes(const wend_fleet *fleet, uint32_t squad);
/// A hash of cells, requests and what everyone is doing, for comparing runs.
WEND_API uint64_t wend_fleet_hash(const wend_fleet *fleet);

#ifdef __cplusplus
}
#endif
#endif

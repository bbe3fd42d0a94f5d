/// @file
/// A planner of one's own: a table of functions that a program adds to a set of planners.
///
/// docs/guide/own-planner.md has an example.
/// 1. wend_planners_create makes a set that begins with the library's planners; wend_planners_add adds one.
/// 2. wend_planners_parse reads settings by name, as wend_settings_parse does.
/// 3. Create agents and squads with these settings, as with any others.
/// 4. wend_planners_destroy, after all of these.
#ifndef WEND_PLANNER_H
#define WEND_PLANNER_H

#include "plan.h"
#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a planner is made of. `plan`, `move`, `changed`, `lost` and `visit` are parts of a step. They allocate
/// nothing, make no system call and take no more operations than `bound` says. Agents of a fleet are stepped by
/// several threads at a time, each agent by one.
typedef struct wend_planner_functions {
    /// sizeof(wend_planner_functions), so that a program made with an older header still fits. Must be set.
    uint32_t struct_size;
    /// Name, one line of help, and keys. The name must be set: small letters, digits and '-', and not taken.
    ///
    /// The value of an integer key `k`, if there is one, is the agent's budget: what wend_agent_step plans with.
    /// Without that key the budget is unlimited, or 1 where there is no `plan`.
    wend_method_info info;
    /// Bytes of an agent's state, zero at first, aligned for any type: see wend_agent_state. May be 0.
    size_t state_size;
    /// Reads the settings and takes all memory that the agent will need (wend_agent_allocate). After a failure
    /// `release` is called too. Needs a state. NULL: nothing to do.
    wend_status (*create)(wend_agent *agent, const wend_settings *settings, const wend_agent_options *options,
                          wend_error *error);
    /// Frees what `create` has taken. NULL: nothing to do.
    void (*release)(wend_agent *agent);
    /// A task begins, or goes on with another goal or from another place. Takes time that does not grow with the
    /// map. NULL: the state is filled with zeros, as at first. Must be set where `create` is.
    void (*begin)(wend_agent *agent);
    /// Plans with at most `expansions` expansions. Returns true if more would be of use before the next move.
    /// NULL: all of its planning is part of the move.
    bool (*plan)(wend_agent *agent, uint64_t expansions);
    /// Returns the direction to move in, or WEND_NO_DIRECTION to stand. A move that is not legal is not made:
    /// the agent stands. Must be set.
    uint32_t (*move)(wend_agent *agent);
    /// A cell of the map has been opened or closed, or is believed to be. Called before a plan or a move, and
    /// takes at most `change_operations` operations. NULL: it keeps nothing that this makes wrong.
    void (*changed)(wend_agent *agent, wend_cell cell, bool opened);
    /// So many cells have changed that they are not named. NULL: as for `changed`.
    void (*lost)(wend_agent *agent);
    /// The most operations of one `changed`.
    uint32_t change_operations;
    /// The agent has moved. Returns true if it has been on this cell in this task. NULL: revisits are not
    /// counted.
    bool (*visit)(wend_agent *agent);
    /// The most operations that planning with `expansions` in all, and the move after it, can take. Depends on
    /// nothing that grows with the map. UINT64_MAX: there is no bound, and fleets refuse it. NULL:
    /// `move_operations`.
    uint64_t (*bound)(const wend_agent *agent, uint64_t expansions);
    /// Returns the bytes it uses now of what it has allocated, and the number of cells of which it knows
    /// something. NULL: none.
    size_t (*used)(const wend_agent *agent, uint64_t *cells);
    /// A hash of all that it knows, for comparing runs; the same on every machine. NULL: 0.
    uint64_t (*hash)(const wend_agent *agent);
    /// The subgoal it heads for. WEND_NO_CELL: none. NULL: never one.
    wend_cell (*subgoal)(const wend_agent *agent);
    /// Lower bound on the cost from a cell to its subgoal or goal. NULL: the distance without walls.
    wend_cost (*value)(const wend_agent *agent, wend_cell cell);
    /// The operations of each `move`, where they are always as many: the library counts them. Must be set where
    /// there is no `bound`, and then there is no `plan`. Otherwise 0.
    uint64_t move_operations;
} wend_planner_functions;

/// A set of planners: the library's own, and a program's. There is no other registry, so nothing is global.
typedef struct wend_planners wend_planners;

/// The most planners in a set, beside the library's.
#define WEND_MAX_PLANNERS 64

/// Makes a set of the library's planners. `allocator` may be NULL.
WEND_API wend_status wend_planners_create(const wend_allocator *allocator, wend_planners **planners,
                                          wend_error *error);
/// Destroys a set, after all settings that were parsed with it, and all agents and fleets made with those. NULL
/// is fine.
WEND_API void wend_planners_destroy(wend_planners *planners);
/// Adds a planner. Checks the table and copies it. WEND_STATUS_BAD_ARGUMENT, with words, for a table that is not
/// as wend_planner_functions says.
/// @param planners  the set
/// @param functions the table; what it points to (texts, keys) must outlive the set
/// @param context   for wend_agent_context; must outlive the set. May be NULL
/// @param error     may be NULL
WEND_API wend_status wend_planners_add(wend_planners *planners, const wend_planner_functions *functions,
                                       void *context, wend_error *error);
/// The number of planners in the set, the library's included.
WEND_API size_t wend_planners_count(const wend_planners *planners);
/// A planner of the set: first the library's, then in the order of adding. NULL beyond the last.
WEND_API const wend_method_info *wend_planners_at(const wend_planners *planners, size_t index);
/// As wend_settings_parse, with the planners of the set.
WEND_API wend_status wend_planners_parse(const wend_planners *planners, const char *text,
                                         const wend_allocator *allocator, wend_settings **settings,
                                         wend_error *error);

/// The agent's own state, `state_size` bytes. This call and those below are for a planner's functions, beside
/// wend_agent_cell and wend_agent_goal.
WEND_API void *wend_agent_state(const wend_agent *agent);
/// The context that the planner was added with. NULL for a planner of the library.
WEND_API void *wend_agent_context(const wend_agent *agent);
/// The map as the agent believes it to be.
WEND_API const wend_map *wend_agent_map(const wend_agent *agent);
/// Whether that map is the true one.
WEND_API bool wend_agent_knows_truth(const wend_agent *agent);
/// Whether that map may change while the agent plans.
WEND_API bool wend_agent_map_changes(const wend_agent *agent);
/// Memory from the world's allocator, zero at first, for `create`. NULL where it is refused, and for an agent
/// that has had a task.
WEND_API void *wend_agent_allocate(wend_agent *agent, size_t count, size_t size);
/// Gives memory back, for `release`, with the same count and size. `memory` may be NULL.
WEND_API void wend_agent_free(wend_agent *agent, void *memory, size_t count, size_t size);
/// Adds to what the step has taken. An operation is a cell that is looked at, or as much work as that.
WEND_API void wend_agent_count(wend_agent *agent, uint64_t expansions, uint64_t operations);
/// Ends the task, within `plan` or `move`. `outcome` is WEND_STEP_UNREACHABLE, if that is proved;
/// WEND_STEP_OUT_OF_MEMORY, if it can't go on; or WEND_STEP_BAD_DATABASE. Arrival is noticed without it.
WEND_API void wend_agent_end(wend_agent *agent, wend_outcome outcome);

#ifdef __cplusplus
}
#endif
#endif

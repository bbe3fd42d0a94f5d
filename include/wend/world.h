/// @file
/// Agents that plan within a bound and move: the world they walk in, steps, and the game time model.
///
/// 1. wend_world_create makes a world of a map; wend_agent_create makes agents in it.
/// 2. wend_agent_start gives an agent a task.
/// 3. Per tick, wend_agent_step plans and moves, until the agent has arrived.
/// 4. wend_agent_destroy its agents, then wend_world_destroy.
#ifndef WEND_WORLD_H
#define WEND_WORLD_H

#include "db.h"
#include "map.h"
#include "plan.h"
#include "search.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A subgoal tree: see tree.h.
typedef struct wend_tree wend_tree;

/// The true map, its components, and large workspaces that agents borrow. A search over the whole map (astar,
/// jps, tba, dstar-lite and similar) needs one: tba and dstar-lite until their task ends, the others while
/// they search. Where none is free, the agent waits: see wend_agent_starved.
typedef struct wend_world wend_world;

/// Options of wend_world_create.
typedef struct wend_world_options {
    /// Set by wend_default_world_options.
    uint32_t struct_size;
    /// How many agents of each kind can search the whole map at a time. 0: as many as there are agents, within
    /// `max_bytes`. Default 0.
    uint32_t workspaces;
    /// Cap on the open list of each workspace, in nodes. 0: 1.5 times the cells that can be open. Default 0.
    uint32_t max_queue_nodes;
    /// Whether wend_world_edit will be used. The world then works on a copy of the map. Default no.
    bool editable;
    /// Where memory comes from. Default: the C library's.
    wend_allocator allocator;
    /// Where `workspaces` is 0: the bytes that workspaces may take, of all kinds together. One of each kind is made
    /// in any case. They are made when agents are created, never in a step. Default 256 MB.
    size_t max_bytes;
    /// Bytes of memory, of all that is made with it, that are written to when they are made. Otherwise the system finds
    /// a page when a step first writes to it, and such steps take up to 170 times as long. Default 64 MB.
    size_t touch_bytes;
} wend_world_options;

/// Sets the defaults of the fields that lie within `size` bytes. For wend_default_world_options and bindings.
WEND_API void wend_world_options_init(wend_world_options *options, size_t size);
/// The default options.
static inline wend_world_options wend_default_world_options(void) {
    wend_world_options options;
    wend_world_options_init(&options, sizeof options);
    return options;
}
/// Makes a world. The map must outlive it and stay as it is. Workspaces are allocated when agents that need them
/// are created.
WEND_API wend_status wend_world_create(const wend_map *map, const wend_world_options *options,
                                       wend_world **world, wend_error *error);
/// Destroys a world, after its agents and knowledge. NULL is fine.
WEND_API void wend_world_destroy(wend_world *world);
/// Memory held, in bytes, workspaces included.
WEND_API size_t wend_world_bytes(const wend_world *world);
/// The true map as it is now.
WEND_API const wend_map *wend_world_map(const wend_world *world);

/// Opens or closes all cells of an area of the true map. Call it between steps, not within one. The cost grows
/// with the area.
///
/// Agents that know the map learn of it before their next plan or move, others when they see it. An agent whose
/// own cell is closed stands walled in until the cell is opened again or the agent is placed elsewhere.
///
/// WEND_STATUS_UNSUPPORTED for a world that is not editable, WEND_STATUS_OUTSIDE for an area that does not lie
/// inside the map.
WEND_API wend_status wend_world_edit(wend_world *world, wend_rect area, bool open, wend_error *error);
/// Computes the components again after edits, with about `operations` operations per call. Returns whether they
/// are known. After an edit they are not, until this has been called often enough.
///
/// Agents do not need it. While components are not known, an unreachable goal is not reported at the first step,
/// but when the planner has proved it.
WEND_API bool wend_world_settle(wend_world *world, uint64_t operations);

/// What agents believe of a map that they do not know. Several agents may share one (a team): what one sees, all
/// know before their next plan or move. Two bits per cell.
typedef struct wend_knowledge wend_knowledge;

/// Options of wend_knowledge_create.
typedef struct wend_knowledge_options {
    /// Set by wend_default_knowledge_options.
    uint32_t struct_size;
    /// What is believed at first. Must outlive the knowledge. NULL: every cell is open until seen. Default NULL.
    const wend_map *believed;
    /// The sensor's reach, at most WEND_MAX_RADIUS: it sees what would be that many moves away without walls.
    /// Default 1.
    uint32_t radius;
} wend_knowledge_options;

/// The largest radius of a sensor, in moves.
#define WEND_MAX_RADIUS 255

/// Sets the defaults of the fields that lie within `size` bytes. For wend_default_knowledge_options and bindings.
WEND_API void wend_knowledge_options_init(wend_knowledge_options *options, size_t size);
/// The default options.
static inline wend_knowledge_options wend_default_knowledge_options(void) {
    wend_knowledge_options options;
    wend_knowledge_options_init(&options, sizeof options);
    return options;
}
/// Makes a knowledge. WEND_STATUS_OTHER_MAP if `believed` has another size or other rules than the world's map.
WEND_API wend_status wend_knowledge_create(wend_world *world, const wend_knowledge_options *options,
                                           wend_knowledge **knowledge, wend_error *error);
/// Destroys a knowledge, after its agents. NULL is fine.
WEND_API void wend_knowledge_destroy(wend_knowledge *knowledge);
/// Goes back to what was believed at first. Agents that have it must be started again before their next step.
WEND_API void wend_knowledge_forget(wend_knowledge *knowledge);
/// The map that is believed now.
WEND_API const wend_map *wend_knowledge_map(const wend_knowledge *knowledge);
/// Whether a cell has been seen. False outside the map.
WEND_API bool wend_knowledge_seen(const wend_knowledge *knowledge, wend_cell cell);
/// How many beliefs have changed since the knowledge was new.
WEND_API uint64_t wend_knowledge_changes(const wend_knowledge *knowledge);
/// Memory held, in bytes.
WEND_API size_t wend_knowledge_bytes(const wend_knowledge *knowledge);

/// A repair of a database: see repair.h.
typedef struct wend_repair wend_repair;

/// A planner with a position, a goal and memory of its own. Once created, no call on it allocates.
typedef struct wend_agent wend_agent;

/// What an agent makes of a goal that is blocked or can't be reached.
typedef enum wend_goal_rule {
    /// A blocked goal is refused. One that can't be reached ends as WEND_STEP_UNREACHABLE.
    WEND_GOAL_REFUSE = 0,
    /// It goes to the cell that wend_world_nearest gives, and to the goal itself once a way opens before it is
    /// there. That cell is looked for in slices of at most WEND_SEEK_OPERATIONS per step, beside the plan. After an
    /// edit nothing is decided until the world has settled: who has somewhere to go goes on, who has not waits.
    /// For agents that know the map.
    WEND_GOAL_NEAREST = 1,
    /// It waits where it stands until a way opens.
    WEND_GOAL_WAIT = 2
} wend_goal_rule;
/// The most operations that WEND_GOAL_NEAREST adds to a step.
#define WEND_SEEK_OPERATIONS 512

/// Options of wend_agent_create.
typedef struct wend_agent_options {
    /// Set by wend_default_agent_options.
    uint32_t struct_size;
    /// Cap on the cells that it has learnt or looked at itself. 0: all open ones. Default 0.
    uint32_t max_cells;
    /// The most expansions between two moves. 0: the planner's k. Default 0.
    uint32_t max_lookahead;
    /// What it believes. NULL: it knows the map, edits included. Default NULL.
    wend_knowledge *knowledge;
    /// For planners with a key `db`: a database that outlives the agent. It is opened for the map that the world
    /// was created with, or that the knowledge believes in at first. The settings need not give the key then.
    /// Default NULL.
    const wend_db *db;
    /// For subgoal-tree and lss-lrta, in place of a database: the tree of one goal on the world's map. It
    /// outlives the agent. The settings need not give the key `db` then. Default NULL.
    ///
    /// While the tree grows for the agent's goal the agent waits; for other goals it is of no use. It is not
    /// grown while an agent is stepped. WEND_STATUS_UNSUPPORTED in an editable world, or with knowledge: it
    /// would not follow.
    const wend_tree *tree;
    /// For cpd and atlas on a map that is edited: the agent goes by `db` as far as this has repaired it. Default
    /// NULL.
    ///
    /// It is a repair of that database and follows wend_world_map or wend_knowledge_map
    /// (WEND_STATUS_OTHER_MAP). It outlives the agent, and is not stepped while an agent is. Agents of atlas
    /// begin again from where they stand, with the same goal, each time a repair is complete.
    const wend_repair *repair;
    /// What becomes of goals that are blocked or can't be reached. Default WEND_GOAL_REFUSE.
    ///
    /// WEND_STATUS_UNSUPPORTED for WEND_GOAL_NEAREST with knowledge: what can be reached there is not known.
    wend_goal_rule goals;
} wend_agent_options;

/// Sets the defaults of the fields that lie within `size` bytes. For wend_default_agent_options and bindings.
WEND_API void wend_agent_options_init(wend_agent_options *options, size_t size);
/// The default options.
static inline wend_agent_options wend_default_agent_options(void) {
    wend_agent_options options;
    wend_agent_options_init(&options, sizeof options);
    return options;
}
/// Makes an agent without a task. `planner` is from wend_settings_parse or wend_planners_parse.
WEND_API wend_status wend_agent_create(wend_world *world, const wend_settings *planner,
                                       const wend_agent_options *options, wend_agent **agent,
                                       wend_error *error);
/// Destroys an agent. NULL is fine.
WEND_API void wend_agent_destroy(wend_agent *agent);

/// How a step ended. Never an error.
typedef enum wend_outcome {
    /// It has moved.
    WEND_STEP_MOVED = 0,
    /// It stands. It is still searching, or no workspace is free, or a goal that was unreachable may not be so
    /// any more: see WEND_STEP_UNREACHABLE.
    WEND_STEP_WAITING = 1,
    /// It stands on its goal. Nothing was done.
    WEND_STEP_ARRIVED = 2,
    /// Proved: no path leads to the goal. It goes on if a cell opens that it knows of.
    WEND_STEP_UNREACHABLE = 3,
    /// A cap was reached. Start again with more, or elsewhere.
    WEND_STEP_OUT_OF_MEMORY = 4,
    /// No task: wend_agent_start has not succeeded yet. Nothing was done.
    WEND_STEP_IDLE = 5,
    /// The database contradicts the map: it knows no way between cells that are joined, or its way does not end.
    /// Only a file that does not follow from the map can do that: see wend_db_verify. Where the map may change,
    /// agents with such a file arrive by a search instead.
    WEND_STEP_BAD_DATABASE = 6
} wend_outcome;

/// What a step came to.
typedef struct wend_step {
    /// How it ended.
    wend_outcome outcome;
    /// The direction of the move. WEND_NO_DIRECTION without one.
    wend_direction direction;
    /// Expansions of this step.
    uint64_t expansions;
    /// Operations of this step.
    uint64_t operations;
} wend_step;

/// Begins a new task, from a new place. Nothing is left of the last task but memory, and what the agent has seen
/// of the map. O(1).
///
/// WEND_STATUS_OUTSIDE or WEND_STATUS_BLOCKED for a bad start or goal; the agent then keeps its old task. A start
/// must be open in truth; a goal must be believed open, unless `goals` of its options has it otherwise.
WEND_API wend_status wend_agent_start(wend_agent *agent, wend_cell start, wend_cell goal, wend_error *error);
/// Gives the same task another goal; counters go on. What was learnt of the way to the old goal is kept as far as
/// it holds for the new one. An agent that is on its way to that very goal already goes on as it was.
WEND_API wend_status wend_agent_set_goal(wend_agent *agent, wend_cell goal, wend_error *error);
/// Lets the same task go on from another place; counters go on.
WEND_API wend_status wend_agent_place(wend_agent *agent, wend_cell cell, wend_error *error);

/// Plans with the planner's own budget, then moves. Takes at most wend_agent_bound operations for that budget.
/// Allocates nothing, makes no system call, reads no clock, does not recurse.
WEND_API wend_step wend_agent_step(wend_agent *agent);

/// The first half of a step, for a caller who has a clock: plan as often as time allows, then wend_agent_move.
/// Plans with a budget of `expansions` and returns whether more would be of use before the next move.
WEND_API bool wend_agent_plan(wend_agent *agent, uint64_t expansions);
/// The second half of a step: moves or waits. The result counts what was planned since the last move.
WEND_API wend_step wend_agent_move(wend_agent *agent);
/// The most operations that planning with `expansions` in all, and the move after it, can take. Depends on
/// nothing that grows with the map. UINT64_MAX if there is no bound, as for a search that may run to its end.
/// An edit between two plans before one move adds a look around, for agents that look.
WEND_API uint64_t wend_agent_bound(const wend_agent *agent, uint64_t expansions);
/// The planner's own budget, its k, in expansions. UINT64_MAX for WEND_UNLIMITED.
WEND_API uint64_t wend_agent_budget(const wend_agent *agent);

/// What an agent has done in its task.
typedef struct wend_counters {
    /// Expansions.
    uint64_t expansions;
    /// Operations.
    uint64_t operations;
    /// Moves.
    uint64_t moves;
    /// Steps without a move.
    uint64_t waits;
    /// Moves to a cell where it had been since it was given its goal; of planners with a workspace, since they got that
    /// and while they have it.
    uint64_t revisits;
    /// Cells whose heuristic it has raised.
    uint64_t learnt;
    /// Searches over the whole map that were begun: 1, and one more for each time it had to start again.
    uint64_t searches;
    /// The most cells of which it knew something at a time, other than open or blocked.
    uint64_t cells;
    /// The most memory in use in this task, its share of a workspace included, in bytes.
    uint64_t peak_bytes;
    /// Cells that dstar-lite found to be nearer or farther than it knew, each time.
    uint64_t updates;
} wend_counters;

/// The counters of the current task.
WEND_API wend_counters wend_agent_counters(const wend_agent *agent);
/// Whether the agent waited in its last step for a workspace, or a query of its database, that other agents have.
/// Then more of `workspaces` or `max_bytes` of the world's options would help.
WEND_API bool wend_agent_starved(const wend_agent *agent);
/// The cell where the agent stands.
WEND_API wend_cell wend_agent_cell(const wend_agent *agent);
/// The agent's goal: where it goes. With WEND_GOAL_NEAREST that may be another cell than it was given. Where it is
/// stranded it is its own cell.
WEND_API wend_cell wend_agent_goal(const wend_agent *agent);
/// The goal that it was given last. WEND_NO_CELL before any.
WEND_API wend_cell wend_agent_wanted(const wend_agent *agent);
/// Whether it waits since no way to its goal is known: with WEND_GOAL_WAIT until one opens, with WEND_GOAL_NEAREST
/// until a cell near the goal is found. Such agents never say WEND_STEP_UNREACHABLE.
WEND_API bool wend_agent_stranded(const wend_agent *agent);
/// Memory set aside for the agent alone, without workspaces, in bytes.
WEND_API size_t wend_agent_bytes(const wend_agent *agent);
/// A hash of the whole state: position, task, counters, all that was learnt and searched. For comparing runs;
/// not fast.
WEND_API uint64_t wend_agent_hash(const wend_agent *agent);

/// Calls `watch` for every cell that a search of the agent expands from now on: lookaheads, climbs, and searches
/// over the whole map. For traces and for finding out what an agent does; not for its own steps.
///
/// A planner that looks its moves up (cpd, atlas) has none to report, though it counts one expansion per move.
/// Steps do the same and count the same, more slowly. The watch must outlive that; NULL ends it.
WEND_API void wend_agent_watch(wend_agent *agent, const wend_watch *watch);
/// Lower bound, as the agent believes, on the cost from `cell` to its subgoal or goal. It is the distance without
/// walls, or more where it has learnt. WEND_NO_COST for an agent without a task and for a cell outside the map.
WEND_API wend_cost wend_agent_value(const wend_agent *agent, wend_cell cell);
/// The subgoal: the cell that the agent heads for on the way to its goal, or has just reached. WEND_NO_CELL while
/// there is none: it heads for the goal itself, or does not know yet.
WEND_API wend_cell wend_agent_subgoal(const wend_agent *agent);

/// The game time model (Hernandez, Baier, Uras and Koenig 2012): time passes in intervals. In the first the agent
/// only searches. In each later one it makes its move, if it has one, and searches until the interval ends.
typedef struct wend_interval {
    /// The budget of an interval. 0: by the clock.
    uint64_t expansions;
    /// The length of an interval, in the clock's units.
    uint64_t length;
    /// Expansions between two looks at the clock. 0: 20.
    uint64_t slice;
    /// Returns the time. Used only if `expansions` is 0.
    uint64_t (*clock)(void *context);
    /// Passed to `clock`.
    void *context;
} wend_interval;

/// Runs one interval of an agent. The first after a start only searches, and its outcome is WEND_STEP_WAITING. If
/// it finds out how the task ends, the next interval reports it. Without an interval, or with one that has neither
/// expansions nor a clock, nothing happens and the outcome is WEND_STEP_IDLE.
WEND_API wend_step wend_agent_interval(wend_agent *agent, const wend_interval *interval);

#ifdef __cplusplus
}
#endif
#endif

/* Agents that plan within a bound and move: the world they walk in, steps, and the game time model. */
#ifndef WEND_WORLD_H
#define WEND_WORLD_H

#include "db.h"
#include "map.h"
#include "plan.h"
#include "search.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wend_tree wend_tree; /* tree.h */

/* The true map, its components, and large workspaces that agents borrow. A search over the whole map (astar,
 * jps, tba, dstar-lite and similar) needs one from its first step until its task ends; where none is free, the
 * agent waits and says so. */
typedef struct wend_world wend_world;

typedef struct wend_world_options {
    uint32_t struct_size;     /* set by wend_default_...() */
    uint32_t workspaces;      /* how many agents of each kind can search the whole map at a time; 1 */
    uint32_t max_queue_nodes; /* cap on the open list of each; 0: 1.5 times the cells that can be open */
    bool editable;            /* wend_world_edit will be used: the world works on a copy of the map; no */
    wend_allocator allocator;
} wend_world_options;

/* For wend_default_world_options(), and bindings: sets the defaults of the fields that lie within `size` bytes. */
WEND_API void wend_world_options_init(wend_world_options *options, size_t size);
static inline wend_world_options wend_default_world_options(void) {
    wend_world_options options;
    wend_world_options_init(&options, sizeof options);
    return options;
}
/* The map must outlive the world and stay as it is. Workspaces are allocated when the first agent that needs
 * them is created. */
WEND_API wend_status wend_world_create(const wend_map *map, const wend_world_options *options,
                                       wend_world **world, wend_error *error);
WEND_API void wend_world_destroy(wend_world *world); /* after its agents and knowledge */
WEND_API size_t wend_world_bytes(const wend_world *world);
WEND_API const wend_map *wend_world_map(const wend_world *world); /* the true map as it is now */

/* Opens or closes all cells of an area of the true map; between steps, not within one. Costs what the area
 * does. Agents that know the map learn of it before their next plan or move, others when they see it. An
 * agent whose own cell is closed stands walled in until that is opened again or it is placed elsewhere.
 * WEND_STATUS_UNSUPPORTED for a world that is not editable, WEND_STATUS_OUTSIDE for an area that does not lie
 * inside. */
WEND_API wend_status wend_world_edit(wend_world *world, wend_rect area, bool open, wend_error *error);
/* After an edit it is not known any more which cells a path joins, until this has been called often enough:
 * it works that out anew, with about `operations` operations a call, and returns whether it is known. Agents
 * do not need it: while it is not known, unreachable goals are not said at the first step, but when the
 * planner has proved it. */
WEND_API bool wend_world_settle(wend_world *world, uint64_t operations);

/* What agents believe of the map, for those that do not simply know it. Several agents may share one (a
 * team): what one sees, all know before their next plan or move. Two bits a cell. */
typedef struct wend_knowledge wend_knowledge;

typedef struct wend_knowledge_options {
    uint32_t struct_size;     /* set by wend_default_...() */
    const wend_map *believed; /* at first; must outlive the knowledge. NULL: every cell is open until seen */
    uint32_t radius;          /* of the sensor: it sees what is so many moves away if there are no walls; 1 */
} wend_knowledge_options;

#define WEND_MAX_RADIUS 255

/* For wend_default_knowledge_options(), and bindings: sets the defaults of the fields that lie within `size` bytes. */
WEND_API void wend_knowledge_options_init(wend_knowledge_options *options, size_t size);
static inline wend_knowledge_options wend_default_knowledge_options(void) {
    wend_knowledge_options options;
    wend_knowledge_options_init(&options, sizeof options);
    return options;
}
/* WEND_STATUS_OTHER_MAP if `believed` has another size or other rules than the world's map. */
WEND_API wend_status wend_knowledge_create(wend_world *world, const wend_knowledge_options *options,
                                           wend_knowledge **knowledge, wend_error *error);
WEND_API void wend_knowledge_destroy(wend_knowledge *knowledge); /* after its agents */
/* Back to what was believed at first. Agents that have it must be started again before their next step. */
WEND_API void wend_knowledge_forget(wend_knowledge *knowledge);
WEND_API const wend_map *wend_knowledge_map(const wend_knowledge *knowledge); /* what is believed now */
WEND_API bool wend_knowledge_seen(const wend_knowledge *knowledge, wend_cell cell);
/* How many beliefs have changed since it was new. */
WEND_API uint64_t wend_knowledge_changes(const wend_knowledge *knowledge);
WEND_API size_t wend_knowledge_bytes(const wend_knowledge *knowledge);

typedef struct wend_repair wend_repair; /* repair.h */

/* A planner with memory of its own. Once created, no call on it allocates. */
typedef struct wend_agent wend_agent;

typedef struct wend_agent_options {
    uint32_t struct_size;      /* set by wend_default_...() */
    uint32_t max_cells;        /* cap on the cells that it has learnt or looked at itself; 0: all open ones */
    uint32_t max_lookahead;    /* the most expansions between two moves; 0: the planner's k */
    wend_knowledge *knowledge; /* what it believes; NULL: it knows the map, edits included */
    /* For planners with a key `db`: opened for the map that the world was created with (or that its knowledge
     * believes in at first), and outlives the agent. */
    const wend_db *db;
    /* For subgoal-tree and lss-lrta, in place of a database: the tree of one goal on the world's map, which
     * outlives the agent; the key `db`, where it must be given, may then be any word. While it grows for the
     * agent's goal the agent waits; for other goals it is of no use. Not grown while an agent is stepped.
     * WEND_STATUS_UNSUPPORTED in a world that is editable, or with knowledge: it would not follow. */
    const wend_tree *tree;
    /* For cpd and atlas on a map that is edited, or NULL: the agent goes by `db` as far as this has repaired
     * it. It is of that database and follows wend_world_map or wend_knowledge_map (WEND_STATUS_OTHER_MAP),
     * outlives the agent, and is not stepped while an agent is. Agents of atlas begin again from where they
     * stand, with the same goal, each time that a repair is complete. */
    const wend_repair *repair;
} wend_agent_options;

/* For wend_default_agent_options(), and bindings: sets the defaults of the fields that lie within `size` bytes. */
WEND_API void wend_agent_options_init(wend_agent_options *options, size_t size);
static inline wend_agent_options wend_default_agent_options(void) {
    wend_agent_options options;
    wend_agent_options_init(&options, sizeof options);
    return options;
}
WEND_API wend_status wend_agent_create(wend_world *world, const wend_settings *planner,
                                       const wend_agent_options *options, wend_agent **agent,
                                       wend_error *error);
WEND_API void wend_agent_destroy(wend_agent *agent);

/* How a step ended. */
typedef enum wend_outcome {
    WEND_STEP_MOVED = 0,
    WEND_STEP_WAITING = 1, /* it stands: still searching, or no workspace is free, or a goal that was
                              unreachable may not be so any more: see there */
    WEND_STEP_ARRIVED = 2, /* it stands on its goal; nothing was done */
    /* Proved: no path leads to the goal. Goes on if a cell opens that it knows of. */
    WEND_STEP_UNREACHABLE = 3,
    WEND_STEP_OUT_OF_MEMORY = 4, /* a cap was reached; start again with more, or elsewhere */
    WEND_STEP_IDLE = 5           /* no task: wend_agent_start has not succeeded yet; nothing was done */
} wend_outcome;

typedef struct wend_step {
    wend_outcome outcome;
    wend_direction direction; /* of the move; WEND_NO_DIRECTION without one */
    uint64_t expansions, operations;
} wend_step;

/* A new task, from a new place. Nothing is left over from the last one but memory, and what it has seen of
 * the map. O(1). WEND_STATUS_OUTSIDE or WEND_STATUS_BLOCKED for a bad start or goal; the agent then keeps its
 * old task. (A start must be open in truth; a goal must be believed open.) */
WEND_API wend_status wend_agent_start(wend_agent *agent, wend_cell start, wend_cell goal, wend_error *error);
/* The same task with another goal, or going on from another place; counters go on. What was learnt of the way
 * to the old goal is kept as far as it holds for the new one. */
WEND_API wend_status wend_agent_set_goal(wend_agent *agent, wend_cell goal, wend_error *error);
WEND_API wend_status wend_agent_place(wend_agent *agent, wend_cell cell, wend_error *error);

/* Plans with the planner's own budget, then moves: at most wend_agent_bound(agent, its k) operations;
 * allocates nothing, makes no system call, reads no clock, does not recurse. */
WEND_API wend_step wend_agent_step(wend_agent *agent);

/* The two halves of a step, for a caller who has a clock: plan as often as time allows, then move. Planning
 * with a budget of `expansions` returns whether more would be of use before the next move. */
WEND_API bool wend_agent_plan(wend_agent *agent, uint64_t expansions);
WEND_API wend_step wend_agent_move(wend_agent *agent); /* counts what was planned since the last move */
/* The most operations that planning with `expansions` in all, and the move after it, can take; UINT64_MAX if
 * there is no bound, as for a search that is let run to its end. Depends on nothing that grows with the map.
 * An edit between two plans before one move adds a look around, for agents that look. */
WEND_API uint64_t wend_agent_bound(const wend_agent *agent, uint64_t expansions);
WEND_API uint64_t wend_agent_budget(const wend_agent *agent); /* its own k; WEND_UNLIMITED as UINT64_MAX */

typedef struct wend_counters {
    uint64_t expansions, operations, moves, waits;
    uint64_t revisits;   /* moves to a cell where it had been since it was given its goal; with a workspace,
                            since it got that */
    uint64_t learnt;     /* cells whose heuristic it has raised */
    uint64_t searches;   /* over the whole map, begun: 1, and one more for each time it had to start anew */
    uint64_t cells;      /* the most of which it knew something at a time, other than open or blocked */
    uint64_t peak_bytes; /* the most memory in use in this task, its share of a workspace included */
    uint64_t updates;    /* cells that dstar-lite found to be nearer or farther than it knew, each time */
} wend_counters;

WEND_API wend_counters wend_agent_counters(const wend_agent *agent); /* of the current task */
WEND_API wend_cell wend_agent_cell(const wend_agent *agent);
WEND_API wend_cell wend_agent_goal(const wend_agent *agent);
WEND_API size_t wend_agent_bytes(const wend_agent *agent); /* set aside for it alone, without workspaces */
/* Of the whole state: position, task, counters, all that was learnt and searched. For comparing runs; not
 * fast. */
WEND_API uint64_t wend_agent_hash(const wend_agent *agent);

/* Looking into an agent, for traces and for finding out what it does; not for its own steps.
 *
 * From now on `watch` is told of every cell that a search of the agent's expands (search.h): lookaheads, and
 * searches over the whole map. A planner that only looks at the cells around it has none to tell of, though
 * it counts an expansion a move. Steps do the same and count the same, more slowly. The watch must outlive
 * that; NULL ends it. */
WEND_API void wend_agent_watch(wend_agent *agent, const wend_watch *watch);
/* What it takes the way from a cell to where it is heading (its subgoal, or its goal) to cost at least: the
 * distance without walls, or more where it has learnt. WEND_NO_COST for an agent without a task and for a
 * cell that is not on the map. */
WEND_API wend_cost wend_agent_value(const wend_agent *agent, wend_cell cell);
/* The cell that it is heading for on the way to its goal, or has just come to; WEND_NO_CELL while there is
 * none: it heads for the goal itself, or does not know yet. */
WEND_API wend_cell wend_agent_subgoal(const wend_agent *agent);

/* The game time model (Hernandez, Baier, Uras and Koenig 2012): time passes in intervals. In the first the
 * agent only searches; in each one after it makes its move, if it has one, and searches until the interval
 * ends. */
typedef struct wend_interval {
    uint64_t expansions; /* an interval's budget; 0: by the clock */
    uint64_t length;     /* in the clock's units */
    uint64_t slice;      /* expansions between two looks at the clock; 0: 20 */
    uint64_t (*clock)(void *context);
    void *context;
} wend_interval;

/* One interval of an agent. The first after a start is the search-only one, and its outcome is
 * WEND_STEP_WAITING; an end that it brings to light is said by the next. */
WEND_API wend_step wend_agent_interval(wend_agent *agent, const wend_interval *interval);

#ifdef __cplusplus
}
#endif
#endif

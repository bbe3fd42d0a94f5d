/* What a planner is made of: a table of functions over an agent. One file per planner, a row in planners.c. */
#ifndef WEND_PLAN_AGENT_H
#define WEND_PLAN_AGENT_H

#include "base/memory.h"
#include "base/settings.h"
#include "base/status.h"
#include "db/kind.h"
#include "plan/view.h"
#include "plan/way.h"
#include "search/search.h"
#include <wend/planner.h>

/* Kinds of workspaces: what a search over the whole map keeps of a cell, and which moves it tries. */
typedef enum wend_storage {
    WEND_STORAGE_NONE,
    WEND_STORAGE_PLAIN, /* cost and parent; canonical moves */
    WEND_STORAGE_JUMPS, /* one over corners, by the view's jump tables; only where it does not change; no trail */
    WEND_STORAGE_CHANGING, /* as PLAIN for views that change: all moves, since a wall that is seen later may
                              stand in the canonical way, and the others would not have been tried */
    WEND_STORAGE_ADAPTIVE, /* cost, parent and a learnt heuristic; all moves */
    WEND_STORAGE_INCREMENTAL, /* what D* Lite knows of a cell; no trail */
    WEND_STORAGES
} wend_storage;

/* A large workspace: a search over the whole map, the trail of the path that was traced in it, and who stood
 * where. */
typedef struct wend_workspace {
    wend_search *search;
    /* mark << 3 | direction: the move onward from a cell of the path that was traced with this mark. Marks
     * only grow, so nothing is ever cleared. NULL where paths are not traced. */
    uint64_t *trail;
    uint64_t mark, first_mark;   /* the last, and the one before the first of this search */
    uint32_t trailed;            /* cells of the trail with a mark of this search */
    uint32_t *visits;            /* the task that stood here last, by number */
    uint32_t task, visited;      /* and how many cells this one has stood on */
    uint64_t goals;              /* of its agent, when it began to count them */
    uint64_t revision;           /* of the view when the search began */
    bool opened;                 /* cells of it have been opened since */
    uint64_t loan;               /* the number of the last; its agent may have it back as it left it */
    struct wend_workspace *next; /* in a list of the pool's */
    struct wend_workspace *made; /* the one that was made before it */
} wend_workspace;

typedef struct wend_pool {
    wend_workspace *made;         /* a list of all, the last one first */
    wend_workspace *free, *tired; /* lists of those that nobody has */
    uint32_t count, users;        /* workspaces, and agents that need one now and then */
} wend_pool;

/* The memory that what agents borrow may take where its number is not fixed. The lanes of a fleet share one. */
typedef struct wend_allowance {
    size_t max_bytes, used;
    size_t each[WEND_STORAGES]; /* bytes of a workspace; 0: none was made yet */
} wend_allowance;

WEND_INLINE size_t wend_allowance_left(const wend_allowance *allowance) {
    return allowance->used < allowance->max_bytes ? allowance->max_bytes - allowance->used : 0;
}

typedef struct wend_ground wend_ground;
typedef struct wend_attachment wend_attachment;

/* What a method hangs on a ground for all its agents there. The table is the key by which it finds its own
 * again. */
typedef struct wend_attachment_kind {
    void (*release)(const wend_ground *ground, wend_attachment *attachment); /* with the ground */
    size_t (*bytes)(const wend_ground *ground, const wend_attachment *attachment);
} wend_attachment_kind;

/* At the start of what is hung there. */
struct wend_attachment {
    const wend_attachment_kind *kind;
    wend_attachment *next;
};

/* What all agents of a world share, below the world itself. */
struct wend_ground {
    wend_view view; /* the true map, as those see it that know it */
    wend_allocator allocator;
    uint32_t queue_nodes;
    uint32_t workspace_count; /* how many there are of each kind; 0: as many as its agents need, within */
    wend_allowance *allowance;
    uint64_t loans; /* of workspaces so far */
    wend_pool pools[WEND_STORAGES];
    wend_attachment *attachments; /* a list */
    wend_onward *onward[2];       /* canonical moves, and all of them; NULL until needed */
};

/* The table of moves that all searches of this ground share, whatever the size of their bodies: canonical moves
 * (wend_onward_fill) or all of them. NULL: no memory for it. */
const wend_onward *wend_ground_onward(wend_ground *ground, bool all);

/* Whether one more may be made of something that agents borrow, when there are `have` of `wanted`. The first one
 * always may. `bytes`: what one takes; 0 where that is not known yet. */
bool wend_ground_may_add(const wend_ground *ground, uint32_t have, uint32_t wanted, size_t bytes);
/* Who borrows something for a few steps only shares it with so many others. */
enum { WEND_AGENTS_PER_LOAN = 8 };
/* Makes workspaces of a kind, such that one agent more can use them. */
wend_status wend_ground_prepare(wend_ground *ground, wend_storage storage, wend_error *error);
void wend_ground_refresh(wend_ground *ground); /* clears what is tired; not within a step */
void wend_ground_release(wend_ground *ground);
size_t wend_ground_bytes(const wend_ground *ground);
void wend_ground_attach(wend_ground *ground, wend_attachment *attachment);
void wend_ground_detach(wend_ground *ground, wend_attachment *attachment);
/* The next of a kind behind `after`, or the first; NULL: there is none. */
wend_attachment *wend_ground_attached(const wend_ground *ground, const wend_attachment_kind *kind,
                                      const wend_attachment *after);

typedef struct wend_planner wend_planner;

/* What an agent can ask for in vain, other than memory. */
typedef enum wend_denial {
    WEND_DENIED_NOTHING,
    WEND_DENIED_WORKSPACE, /* of its storage */
    WEND_DENIED_QUERY,     /* of its database; it has none while it waits */
    WEND_DENIED_OTHER      /* and it may have borrowed other things while it waits */
} wend_denial;

/* What every step touches comes first, in as few cache lines as can be: in a large fleet they have all gone
 * from the cache when an agent's turn comes. The planner's state follows in the same block. */
struct wend_agent {
    const wend_planner *planner;
    wend_ground *ground;
    wend_view *view;           /* what it plans on: the ground's, or that of its knowledge */
    wend_knowledge *knowledge; /* or NULL */
    void *state;               /* the planner's own, `planner->state_size` bytes */
    wend_workspace *workspace; /* borrowed, or NULL */
    wend_cell at, goal;
    bool tasked;    /* wend_agent_start has succeeded */
    bool begun;     /* and is not just beginning: what is known of the goal is of use */
    bool checked;   /* it is known that a path joins `at` and `goal`, or that none does */
    bool searched;  /* the search-only interval of the game time model is over */
    bool ended;     /* by `end`; until the task changes */
    bool doubts;    /* set by a planner that proves but slowly that there is no path: see world/agent.c */
    uint8_t denied; /* what it asked for in vain in this step, a wend_denial */
    bool steady;    /* set by a planner that has no more in use than before; cleared by who looks at it */
    uint64_t given; /* the budgets of plans since the last move */
    uint64_t counted_expansions, counted_operations; /* up to the last move */
    wend_counters counters;
    uint64_t taken;        /* changes of the view that the planner has heard of */
    uint64_t looked;       /* the revision of the truth when the sensor last looked */
    uint32_t quota;        /* changes that it may still hear of before the next move */
    uint32_t most_changes; /* between two moves */
    wend_cell start;
    wend_cell aim; /* of its search in a workspace: the goal, unless the planner has another in mind */
    wend_outcome end;
    wend_storage storage;    /* which kind of workspace it borrows */
    uint64_t end_revision;   /* of the view when it ended */
    uint64_t joined;         /* the revision of the view in which a path is known to lead to the goal */
    uint64_t goals;          /* changes of the goal */
    uint64_t budget;         /* its own k; UINT64_MAX: unlimited */
    uint32_t before;         /* for who keeps agents: the one before in a list, or the place in a queue */
    uint64_t lent;           /* the loan whose search is of use; 0: none */
    size_t bytes;            /* this block and what the planner allocated */
    const wend_watch *watch; /* for its searches; NULL: nobody watches */
    struct wend_want *want;  /* what it was asked for; NULL: its goal, WEND_GOAL_REFUSE */
};

/* Members of a fleet that are no more than a cell and a goal, which a path joins: moves so many by a database, to
 * the cells that `at` has then, each in no more operations than `bound` gives for an agent. A move is a
 * direction, WEND_NO_DIRECTION on the goal, or WEND_NO_WAY: the database contradicts the map. `arrived` (or
 * NULL): those that stand on their goals. A way has fewer moves than the map has open cells. */
typedef wend_status wend_planner_batch(const wend_db *db, size_t count, wend_cell *at, const wend_cell *goals,
                                       wend_direction *moves, size_t *arrived, wend_error *error);
enum { WEND_NO_WAY = WEND_NO_DIRECTION + 1 };

/* The functions of a planner. `plan` and `move` run within the real-time contract. A planner says that the
 * task is over with wend_agent_end; arrival at the goal is seen by the caller. */
struct wend_planner {
    wend_method_info info;
    size_t state_size;
    /* Reads settings and takes all memory; on failure frees nothing: `release` is called. NULL: nothing to
     * do. */
    wend_status (*create)(wend_agent *agent, const wend_settings *settings, const wend_agent_options *options,
                          wend_error *error);
    void (*release)(wend_agent *agent);
    /* A task begins, or goes on with another goal or place: agent->at and agent->goal say which. */
    void (*begin)(wend_agent *agent);
    /* Plans with this many expansions, on top of agent->given; true if more would be of use before the next
     * move. NULL: all of its planning is part of the move. */
    bool (*plan)(wend_agent *agent, uint64_t expansions);
    /* The direction to move in, or WEND_NO_DIRECTION to stand. */
    uint32_t (*move)(wend_agent *agent);
    /* How many moves it is going to make from here, in this direction, whatever comes but another task: each
     * takes an operation and looks at nothing. And: the caller has made so many of them. On maps that stay as
     * they are. NULL: it looks before each move. */
    uint32_t (*known)(const wend_agent *agent, uint32_t *direction);
    void (*skip)(wend_agent *agent, uint32_t moves);
    /* A cell of the view has been opened or closed, at most `change_operations` operations; or more than can
     * be listed. Both come before a plan or a move. */
    void (*changed)(wend_agent *agent, wend_cell cell, bool opened);
    void (*lost)(wend_agent *agent);
    uint32_t change_operations;
    /* The agent has moved in that direction: true if it has been on this cell in this task. NULL: it keeps no
     * record of that. */
    bool (*visit)(wend_agent *agent);
    /* The task is over, if only until something changes, and then it begins again: gives back what others may
     * need, workspaces apart. NULL: nothing. */
    void (*rest)(wend_agent *agent);
    /* Whether the query that the agent was denied can be had now. NULL: it needs none. */
    bool (*served)(const wend_agent *agent);
    /* Whether a repair that the agent goes by has been completed since its last step: it may not need any
     * more what it was denied. NULL: it goes by none. */
    bool (*behind)(const wend_agent *agent);
    uint64_t (*bound)(const wend_agent *agent, uint64_t expansions);
    /* Bytes in use now, beyond the agent's block, and the cells of which it knows something. */
    size_t (*used)(const wend_agent *agent, uint64_t *cells);
    uint64_t (*hash)(const wend_agent *agent);
    /* The kind of workspace it needs where the view does not change; WEND_STORAGE_CHANGING: none there. Where
     * it does, PLAIN and JUMPS become CHANGING. */
    wend_storage storage;
    /* Where many agents are moved at a time on a map that stays as it is; NULL: they are not. */
    wend_planner_batch *batch;
    /* A planner that only stands for another has none of the functions above: the settings of the one that is
     * meant with this database, or without one. */
    wend_status (*stands_for)(const wend_settings *settings, const wend_db *db,
                              const wend_allocator *allocator, wend_settings **meant, wend_error *error);
    /* For those who look into agents. Where it is heading, other than for its goal; WEND_NO_CELL: nowhere.
     * NULL: it has no subgoals. */
    wend_cell (*subgoal)(const wend_agent *agent);
    /* What it believes of a cell; NULL: what its adaptive search has learnt, if it has one. */
    wend_cost (*value)(const wend_agent *agent, wend_cell cell);
    /* agent->watch has changed: for searches other than that in its workspace. NULL: it has none. */
    void (*watch)(wend_agent *agent);
};

/* The key of planners that search first. */
#define WEND_FIRST_KEY                                                                                       \
    {                                                                                                        \
        .name = "k", .kind = WEND_KEY_INTEGER, .unlimited = true, .min = 1, .max = 1e12,                     \
        .standard = "unlimited",                                                                             \
        .help = "expansions per step: the first move waits until the search has had enough steps"            \
    }
extern const wend_key_info wend_search_first_keys[1];
/* The most operations that the search takes for an expansion: a node from the queue, eight moves, and an
 * outdated node. */
enum { WEND_EXPANSION_OPERATIONS = 2 + WEND_DIRECTIONS };

/* The planner of these settings; NULL for those of anything else. */
WEND_INLINE const wend_planner *wend_planner_of(const wend_settings *settings) {
    return settings->planner;
}
/* New settings of the planner that these stand for with this database, or without one; NULL where they stand
 * for themselves. WEND_STATUS_BAD_ARGUMENT where they are of no planner. */
wend_status wend_planner_meant(const wend_settings *settings, const wend_db *db,
                               const wend_allocator *allocator, wend_settings **meant, wend_error *error);

/* Whether the database of the options can be the planner's: of the right kind, and of its map. */
wend_status wend_agent_check_db(const wend_agent *agent, const wend_agent_options *options,
                                const wend_db_kind *kind, wend_error *error);
/* The key of planners that need one. */
#define WEND_DB_KEY                                                                                          \
    {                                                                                                        \
        .name = "db", .kind = WEND_KEY_FILE, .required = true,                                               \
        .help = "the database, built for this map and these rules"                                           \
    }
/* `k` as a budget. */
uint64_t wend_settings_budget(const wend_settings *settings, const char *key);
/* A sum and a product that stop at UINT64_MAX, for bounds. */
uint64_t wend_add(uint64_t a, uint64_t b);
uint64_t wend_times(uint64_t a, uint64_t b);

/* A path on its way out of the search tree: from `end` back to the search's root or the agent, whichever is
 * met first. What has been traced can be followed forward from any of its cells, also while the trace is
 * under way. */
typedef struct wend_trace {
    wend_cell at, end;
    uint64_t mark;
    bool under_way;
} wend_trace;

typedef enum wend_traced {
    WEND_TRACE_MORE,  /* the steps are used up */
    WEND_TRACE_DONE,  /* it has met its end */
    WEND_TRACE_BROKEN /* a move of the path has become illegal since it was found */
} wend_traced;

void wend_trace_begin(wend_agent *agent, wend_trace *trace, wend_cell from);
/* Goes on for at most `steps` cells, an operation each. */
wend_traced wend_trace_go(wend_agent *agent, wend_trace *trace, uint64_t steps);
/* The move onward from a cell along a trail of this mark or a later one; WEND_NO_DIRECTION
 * off it. */
uint32_t wend_trail_next(const wend_agent *agent, wend_cell cell, uint64_t mark);
/* Whether a cell that was closed has cut a trail of this mark or a later one, other than behind the agent: an
 * operation for each of the nine cells from which a move past it can lead. */
bool wend_trail_cut(wend_agent *agent, uint64_t mark, wend_cell closed);
enum { WEND_CUT_OPERATIONS = 9 };

/* Borrowing, within a step: false, and the agent waits, if none is free. Borrowing starts a search from where
 * the agent stands to its goal; or goes on with an incremental one if it is the agent's own as it left it. */
bool wend_workspace_borrow(wend_agent *agent);
/* The same with a search from a cell where the agent is going to be; should it find nothing, it starts again
 * from where the agent stands then. */
bool wend_workspace_borrow_from(wend_agent *agent, wend_cell root);
/* Whether the search in the agent's workspace is incremental, and serves its goal from any place. */
bool wend_workspace_goes_on(const wend_agent *agent);
void wend_workspace_return(wend_agent *agent);
/* A task begins or goes on from where the agent stands to its goal: another search, if it has a workspace. */
void wend_workspace_begin(wend_agent *agent);
/* The agent has another goal, and keeps its search: visits are counted from here on. It has a workspace. */
void wend_workspace_new_goal(wend_agent *agent);
/* The view has changed: another search, within a step. */
void wend_workspace_restart(wend_agent *agent);
/* Goes on with the search, counts what it did, and ends the task where there is no path or no room; unless it
 * has another aim than the goal. The task does not end with WEND_ENDED_EMPTY where cells were opened since
 * the search began, or may have been: it may have passed them by, and has to start again. */
wend_ended wend_workspace_run(wend_agent *agent, uint64_t expansions, uint64_t outdated);
/* A cell has been opened. The search goes on, so that nobody can keep an agent from moving by opening cells:
 * its path will be legal, if not always the shortest. If it finds none it starts again; and what was learnt is
 * dropped if it may not hold any more. At most WEND_OPENED_OPERATIONS. */
void wend_workspace_opened(wend_agent *agent, wend_cell cell);
enum { WEND_OPENED_OPERATIONS = 9 + 9 * (1 + WEND_DIRECTIONS) };
bool wend_workspace_visit(wend_agent *agent);
size_t wend_workspace_used(const wend_agent *agent, uint64_t *cells);
uint64_t wend_workspace_hash(const wend_agent *agent, uint64_t seed);

/* Shows who watches an expansion that is none of a workspace's search. */
WEND_INLINE void wend_agent_show(const wend_agent *agent, wend_cell cell, wend_cell parent, wend_cost g) {
    if (WEND_LIKELY(!agent->watch)) return;
    const wend_expansion expansion = {cell, parent, g,
                                      wend_map_distance(agent->view->map, cell, agent->goal)};
    agent->watch->expanded(agent->watch->context, &expansion);
}

#endif

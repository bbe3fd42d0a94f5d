/* The pool of workspaces, and what planners do with one. */
#include "plan/agent.h"

#include "base/random.h"
#include "search/adaptive.h"
#include "search/incremental.h"

#include <string.h>

/* Adaptive searches: how many of a task may count at a time. Each stands for a wall that the agent met. */
static uint32_t most_searches(const wend_map *map) {
    return map->cells / 16 < 1024 ? 1024 : map->cells / 16;
}

/* Queue nodes of a search over corners: each edge may put one in, and what lies ahead of the start. */
static uint32_t corner_room(const wend_ground *ground) {
    const wend_corner_graph *corners = ground->view.jumps->corners;
    uint64_t room = ground->queue_nodes ? ground->queue_nodes : corners->edge_count + corners->count;
    return (uint32_t)(room < UINT32_MAX / 8 - 64 ? room : UINT32_MAX / 8 - 64) + 4 * WEND_DIRECTIONS;
}

static wend_onward *make_onward(const wend_ground *ground, bool all) {
    wend_onward *made = wend_allocate(&ground->allocator, 1, sizeof *made);
    if (made && all)
        wend_onward_all(ground->view.map, made);
    else if (made)
        wend_onward_fill(ground->view.map, made);
    return made;
}

const wend_onward *wend_ground_onward(wend_ground *ground, bool all) {
    if (!ground->onward[all]) ground->onward[all] = make_onward(ground, all);
    return ground->onward[all];
}

static wend_status prepare_search(wend_ground *ground, wend_storage storage, wend_search **search) {
    const wend_map *map = ground->view.map;
    bool fixed = storage == WEND_STORAGE_PLAIN || storage == WEND_STORAGE_JUMPS;
    uint64_t open = fixed ? map->open_cells : map->cells;
    uint64_t most = storage == WEND_STORAGE_INCREMENTAL ? open : open + open / 2; /* one node per cell */
    uint64_t room = ground->queue_nodes ? ground->queue_nodes : most;
    if (room > UINT32_MAX / 8 - 64) room = UINT32_MAX / 8 - 64;
    wend_search_options options = wend_default_search_options();
    options.allocator = ground->allocator;
    const wend_onward *onward = wend_ground_onward(ground, !fixed);
    if (!onward) return WEND_STATUS_NO_MEMORY;
    wend_status status = wend_search_create_sharing(map, &options, onward, search, NULL);
    if (status != WEND_OK) return status;
    room += 4 * WEND_DIRECTIONS;
    if (fixed) wend_search_fit(*search, map->open_cells);
    if (storage == WEND_STORAGE_JUMPS)
        return wend_search_reserve_corners(*search, ground->view.jumps, corner_room(ground));
    if (storage == WEND_STORAGE_ADAPTIVE) status = wend_adaptive_prepare(*search, most_searches(map));
    if (storage == WEND_STORAGE_INCREMENTAL) wend_incremental_prepare(*search);
    return status == WEND_OK ? wend_search_reserve(*search, (uint32_t)room) : status;
}

static bool traced(wend_storage storage) {
    return storage != WEND_STORAGE_INCREMENTAL && storage != WEND_STORAGE_JUMPS;
}

static void release_workspace(const wend_ground *ground, wend_workspace *workspace) {
    const wend_allocator *allocator = &ground->allocator;
    const uint32_t cells = ground->view.map->cells;
    wend_search_destroy(workspace->search);
    wend_release(allocator, workspace->trail, cells, sizeof *workspace->trail);
    wend_release(allocator, workspace->visits, cells, sizeof *workspace->visits);
    wend_release(allocator, workspace, 1, sizeof *workspace);
}

static size_t workspace_bytes(const wend_ground *ground, const wend_workspace *workspace) {
    size_t cell = (workspace->trail ? sizeof *workspace->trail : 0) + sizeof *workspace->visits;
    return sizeof *workspace + wend_search_bytes(workspace->search) + ground->view.map->cells * cell;
}

static bool add_workspace(wend_ground *ground, wend_storage storage) {
    const wend_allocator *allocator = &ground->allocator;
    const uint32_t cells = ground->view.map->cells;
    wend_pool *pool = &ground->pools[storage];
    wend_workspace *made = wend_allocate_zeroed(allocator, 1, sizeof *made);
    if (!made) return false;
    bool good = prepare_search(ground, storage, &made->search) == WEND_OK;
    if (good && traced(storage)) {
        made->trail = wend_allocate_zeroed(allocator, cells, sizeof *made->trail);
        good = made->trail;
    }
    made->visits = good ? wend_allocate_zeroed(allocator, cells, sizeof *made->visits) : NULL;
    if (!made->visits) {
        release_workspace(ground, made);
        return false;
    }
    made->made = pool->made, pool->made = made;
    made->next = pool->free, pool->free = made;
    pool->count++;
    ground->allowance->each[storage] = workspace_bytes(ground, made);
    ground->allowance->used += ground->allowance->each[storage];
    return true;
}

bool wend_ground_may_add(const wend_ground *ground, uint32_t have, uint32_t wanted, size_t bytes) {
    if (ground->workspace_count) return have < ground->workspace_count;
    return have == 0 || (have < wanted && bytes <= wend_allowance_left(ground->allowance));
}

wend_status wend_ground_prepare(wend_ground *ground, wend_storage storage, wend_error *error) {
    const wend_pool *pool = &ground->pools[storage];
    while (wend_ground_may_add(ground, pool->count, pool->users + 1, ground->allowance->each[storage])) {
        if (add_workspace(ground, storage)) continue;
        if (!ground->workspace_count && pool->count) break; /* no more than there is memory for */
        return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for workspaces of %u cells",
                         ground->view.map->cells);
    }
    /* Those that are there may be for fewer corners: of bodies of another size. */
    wend_status status = WEND_OK;
    for (wend_workspace *it = pool->made; it && status == WEND_OK && storage == WEND_STORAGE_JUMPS;
         it = it->made)
        status = wend_search_reserve_corners(it->search, ground->view.jumps, corner_room(ground));
    return status == WEND_OK ? status : wend_fail(error, status, "no memory for workspaces of corners");
}

static void release_pool(const wend_ground *ground, wend_pool *pool) {
    while (pool->made) {
        wend_workspace *last = pool->made;
        pool->made = last->made;
        release_workspace(ground, last);
    }
}

void wend_ground_release(wend_ground *ground) {
    for (int i = 0; i < WEND_STORAGES; i++) release_pool(ground, &ground->pools[i]);
    while (ground->attachments) {
        wend_attachment *first = ground->attachments;
        ground->attachments = first->next;
        first->kind->release(ground, first);
    }
    for (int i = 0; i < 2; i++)
        wend_release(&ground->allocator, ground->onward[i], 1, sizeof *ground->onward[i]);
}

void wend_ground_attach(wend_ground *ground, wend_attachment *attachment) {
    attachment->next = ground->attachments;
    ground->attachments = attachment;
}

void wend_ground_detach(wend_ground *ground, wend_attachment *attachment) {
    wend_attachment **link = &ground->attachments;
    for (; *link != attachment; link = &(*link)->next) WEND_ASSERT(*link);
    *link = attachment->next;
}

wend_attachment *wend_ground_attached(const wend_ground *ground, const wend_attachment_kind *kind,
                                      const wend_attachment *after) {
    wend_attachment *found = after ? after->next : ground->attachments;
    while (found && found->kind != kind) found = found->next;
    return found;
}

size_t wend_ground_bytes(const wend_ground *ground) {
    size_t bytes = 0;
    for (int i = 0; i < 2; i++) bytes += ground->onward[i] ? sizeof *ground->onward[i] : 0;
    for (const wend_attachment *it = ground->attachments; it; it = it->next)
        bytes += it->kind->bytes(ground, it);
    for (int i = 0; i < WEND_STORAGES; i++)
        for (const wend_workspace *it = ground->pools[i].made; it; it = it->made)
            bytes += workspace_bytes(ground, it);
    return bytes;
}

/* Clearing a search's records once in 2^27 searches, or the visits once in 2^32 tasks, is no work for a step:
 * a tired workspace is kept back until wend_ground_refresh, which starting a task calls. */
static bool tired(const wend_workspace *workspace) {
    return wend_search_tired(workspace->search) || workspace->task == UINT32_MAX;
}

static void clear_visits(const wend_ground *ground, wend_workspace *workspace) {
    memset(workspace->visits, 0, ground->view.map->cells * sizeof *workspace->visits);
    workspace->task = 0;
}

#ifdef WEND_VALIDATING
/* Both lists hold workspaces of the pool, none of them twice. */
static bool is_sound(const wend_pool *pool) {
    const wend_workspace *const lists[2] = {pool->free, pool->tired};
    uint32_t count = 0;
    for (int i = 0; i < 2; i++)
        for (const wend_workspace *it = lists[i]; it; it = it->next)
            if (++count > pool->count || tired(it) != (i == 1)) return false;
    return true;
}
#endif

void wend_ground_refresh(wend_ground *ground) {
    for (int i = 0; i < WEND_STORAGES; i++) {
        wend_pool *pool = &ground->pools[i];
        WEND_VALIDATE(is_sound(pool));
        while (pool->tired) {
            wend_workspace *workspace = pool->tired;
            pool->tired = workspace->next;
            wend_search_refresh(workspace->search);
            clear_visits(ground, workspace);
            workspace->loan = 0;
            workspace->next = pool->free;
            pool->free = workspace;
        }
    }
}

/* A search from a cell, on the agent's view as it is now. */
static void begin_search_from(wend_agent *agent, wend_cell root) {
    wend_workspace *workspace = agent->workspace;
    workspace->search->map = agent->view->map, workspace->search->jumps = agent->view->jumps;
    workspace->revision = agent->view->map->revision;
    workspace->opened = false;
    workspace->trailed = 0, workspace->first_mark = workspace->mark;
    wend_search_begin(workspace->search, root, agent->aim);
    agent->lent = workspace->loan;
    agent->counters.searches++;
}

static void begin_search(wend_agent *agent) {
    begin_search_from(agent, agent->at);
}

/* Visits are counted on the way to one goal. */
static void new_visits(wend_agent *agent) {
    wend_workspace *workspace = agent->workspace;
    workspace->task++;
    workspace->goals = agent->goals;
    workspace->visited = 0;
}

bool wend_workspace_goes_on(const wend_agent *agent) {
    const wend_search *search = agent->workspace->search;
    return search->incremental.on && !search->incremental.full && search->goal == agent->goal;
}

bool wend_workspace_borrow(wend_agent *agent) {
    return wend_workspace_borrow_from(agent, agent->at);
}

bool wend_workspace_borrow_from(wend_agent *agent, wend_cell root) {
    if (agent->workspace) return true;
    wend_pool *pool = &agent->ground->pools[agent->storage];
    wend_workspace *workspace = pool->free;
    if (!workspace) {
        agent->denied = WEND_DENIED_WORKSPACE;
        return false;
    }
    pool->free = workspace->next;
    agent->workspace = workspace;
    workspace->search->watch = agent->watch;
    /* It may be the one that the agent gave back earlier in the same task, with all that it has learnt. */
    bool same = agent->lent && workspace->loan == agent->lent;
    if (!same && workspace->search->adaptive.on) wend_adaptive_forget(workspace->search);
    if (!same || workspace->goals != agent->goals) new_visits(agent);
    if (!same) workspace->loan = ++agent->ground->loans;
    if (same && wend_workspace_goes_on(agent))
        (void)wend_incremental_move(workspace->search, agent->at);
    else
        begin_search_from(agent, root);
    /* From elsewhere it proves nothing about where the agent is: that may be cut off from it. */
    workspace->opened = root != agent->at;
    (void)wend_workspace_visit(agent);
    return true;
}

void wend_workspace_return(wend_agent *agent) {
    wend_workspace *workspace = agent->workspace;
    if (!workspace) return;
    wend_pool *pool = &agent->ground->pools[agent->storage];
    wend_workspace **list = tired(workspace) ? &pool->tired : &pool->free;
    WEND_ASSERT(workspace != pool->free && workspace != pool->tired);
    workspace->next = *list;
    *list = workspace;
    agent->workspace = NULL;
}

void wend_workspace_new_goal(wend_agent *agent) {
    wend_workspace *workspace = agent->workspace;
    if (workspace->goals == agent->goals) return;
    if (workspace->task == UINT32_MAX) clear_visits(agent->ground, workspace);
    new_visits(agent);
    (void)wend_workspace_visit(agent);
}

void wend_workspace_begin(wend_agent *agent) {
    wend_workspace *workspace = agent->workspace;
    if (!agent->begun) agent->lent = 0;
    if (!workspace) return;
    wend_workspace_new_goal(agent);
    begin_search(agent);
    (void)wend_workspace_visit(agent);
}

void wend_workspace_restart(wend_agent *agent) {
    if (!agent->workspace) return;
    if (wend_search_tired(agent->workspace->search)) {
        wend_agent_end(agent, WEND_STEP_OUT_OF_MEMORY); /* it has run out of numbers for its searches */
        return;
    }
    uint64_t operations = agent->workspace->search->operations;
    if (agent->workspace->search->adaptive.on) wend_adaptive_close(agent->workspace->search);
    agent->counters.operations += agent->workspace->search->operations - operations;
    begin_search(agent);
}

bool wend_workspace_visit(wend_agent *agent) {
    wend_workspace *workspace = agent->workspace;
    if (!workspace) return false;
    bool before = workspace->visits[agent->at] == workspace->task;
    workspace->visits[agent->at] = workspace->task;
    workspace->visited += !before;
    return before;
}

/* Whether the search may have passed by cells that were opened since it began, whether it has heard of them
 * or not. */
static bool may_have_missed(const wend_agent *agent) {
    const wend_workspace *workspace = agent->workspace;
    uint64_t revision = agent->view->map->revision;
    return workspace->opened || (agent->taken != revision && workspace->revision != revision);
}

wend_ended wend_workspace_run(wend_agent *agent, uint64_t expansions, uint64_t outdated) {
    wend_search *search = agent->workspace->search;
    uint64_t expanded = search->expansions, operations = search->operations;
    wend_ended ended = wend_search_run(search, expansions, outdated);
    agent->counters.expansions += search->expansions - expanded;
    agent->counters.operations += search->operations - operations;
    agent->counters.learnt = search->adaptive.raised;
    if (agent->aim != agent->goal) return ended;
    if (ended == WEND_ENDED_EMPTY && !may_have_missed(agent)) wend_agent_end(agent, WEND_STEP_UNREACHABLE);
    if (ended == WEND_ENDED_FULL) wend_agent_end(agent, WEND_STEP_OUT_OF_MEMORY);
    return ended;
}

void wend_workspace_opened(wend_agent *agent, wend_cell cell) {
    wend_workspace *workspace = agent->workspace;
    if (!workspace) {
        agent->lent = 0; /* what it has left in one may not hold any more */
        return;
    }
    workspace->opened = true;
    wend_search *search = workspace->search;
    if (!search->adaptive.on) return;
    wend_xy middle = wend_map_xy(search->map, cell);
    bool near = false;
    for (int32_t i = 0; i < 9; i++) {
        wend_cell other = wend_map_cell(search->map, middle.x - 1 + i % 3, middle.y - 1 + i / 3);
        agent->counters.operations++;
        if (other != WEND_NO_CELL && wend_search_touched(search, other) != UINT64_MAX) near = true;
    }
    uint64_t operations = search->operations;
    if (near || !wend_adaptive_consistent_around(search, cell)) wend_adaptive_taint(search);
    agent->counters.operations += search->operations - operations;
}

void wend_trace_begin(wend_agent *agent, wend_trace *trace, wend_cell from) {
    trace->at = trace->end = from;
    trace->mark = ++agent->workspace->mark;
    trace->under_way = true;
}

wend_traced wend_trace_go(wend_agent *agent, wend_trace *trace, uint64_t steps) {
    wend_workspace *workspace = agent->workspace;
    const wend_search *search = workspace->search;
    const wend_map *map = agent->view->map;
    const bool changed = workspace->revision != agent->view->map->revision;
    const wend_cell start = search->start, met = agent->at;
    wend_cell at = trace->at;
    uint64_t left = steps;
    wend_traced traced = WEND_TRACE_DONE;
    while (at != start && at != met) {
        if (!left) {
            traced = WEND_TRACE_MORE;
            break;
        }
        left--;
        uint32_t d = wend_search_reached(search, at);
        wend_cell from = at - (uint32_t)map->offset[d];
        if (changed && !(wend_map_moves(map, from) >> d & 1)) {
            traced = WEND_TRACE_BROKEN;
            break;
        }
        at = from;
        workspace->trailed += workspace->trail[at] >> 3 <= workspace->first_mark;
        workspace->trail[at] = trace->mark << 3 | d;
    }
    trace->at = at;
    trace->under_way = traced != WEND_TRACE_DONE;
    agent->counters.operations += steps - left;
    return traced;
}

uint32_t wend_trail_next(const wend_agent *agent, wend_cell cell, uint64_t mark) {
    uint64_t trail = agent->workspace->trail[cell];
    return trail >> 3 >= mark ? (uint32_t)(trail & 7) : WEND_NO_DIRECTION;
}

/* Whether a cell of trails from a mark on is one that the agent has left behind: g grows along a trail, and
 * an agent that has come to a newer one never returns to an older. */
static bool is_behind(const wend_agent *agent, uint64_t mark, wend_cell cell) {
    const wend_workspace *workspace = agent->workspace;
    const wend_search *search = workspace->search;
    uint64_t own = workspace->trail[agent->at] >> 3, its = workspace->trail[cell] >> 3;
    if (own < mark || its > own) return false;
    if (its < own) return true;
    return wend_search_touched(search, cell) >> WEND_TAG_STAMP < wend_search_touched(search, agent->at) >>
           WEND_TAG_STAMP;
}

bool wend_trail_cut(wend_agent *agent, uint64_t mark, wend_cell closed) {
    const wend_map *map = agent->view->map;
    wend_xy middle = wend_map_xy(map, closed);
    if (!agent->workspace) return false; /* its task is over */
    for (int32_t i = 0; i < WEND_CUT_OPERATIONS; i++) {
        wend_cell cell = wend_map_cell(map, middle.x - 1 + i % 3, middle.y - 1 + i / 3);
        agent->counters.operations++;
        if (cell == WEND_NO_CELL || agent->workspace->trail[cell] >> 3 < mark) continue;
        if (wend_map_moves(map, cell) >> (agent->workspace->trail[cell] & 7) & 1) continue;
        if (!is_behind(agent, mark, cell)) return true;
    }
    return false;
}

/* What the search has touched, where it was traced and where the agent has been. */
size_t wend_workspace_used(const wend_agent *agent, uint64_t *cells) {
    const wend_workspace *workspace = agent->workspace;
    *cells = 0;
    if (!workspace) return 0;
    const wend_search *search = workspace->search;
    *cells = search->adaptive.on ? search->adaptive.known : search->touched;
    return wend_search_peak_bytes(workspace->search) + workspace->trailed * sizeof *workspace->trail +
           workspace->visited * sizeof *workspace->visits;
}

uint64_t wend_workspace_hash(const wend_agent *agent, uint64_t seed) {
    const wend_workspace *workspace = agent->workspace;
    if (!workspace) return seed;
    const wend_search *search = workspace->search;
    uint64_t hash = wend_mix(seed ^ search->expansions ^ (uint64_t)search->queue.end << 32);
    if (search->adaptive.on) hash = wend_adaptive_hash(search, hash);
    for (wend_cell cell = 0; cell < agent->view->map->cells; cell++) {
        bool stood = workspace->visits[cell] == workspace->task;
        uint64_t touched = wend_search_touched(search, cell);
        if (!stood && touched == UINT64_MAX) continue;
        hash = wend_mix(wend_mix(hash ^ touched) ^ ((uint64_t)cell << 1 | stood));
    }
    return hash;
}

/* The pool of workspaces, and what planners do with one. */
#include "plan/agent.h"

#include "base/random.h"

#include <string.h>

wend_status wend_ground_prepare(wend_ground *ground, wend_error *error) {
    if (ground->ready) return WEND_OK;
    const wend_map *map = ground->map;
    uint32_t room = ground->queue_nodes ? ground->queue_nodes : map->open_cells + map->open_cells / 2;
    if (room > UINT32_MAX / 8 - 64) room = UINT32_MAX / 8 - 64;
    wend_search_options options = wend_default_search_options();
    options.allocator = ground->allocator;
    wend_status status = WEND_OK;
    for (uint32_t i = 0; i < ground->workspace_count && status == WEND_OK; i++) {
        wend_workspace *workspace = &ground->workspaces[i];
        if (!workspace->search) status = wend_search_create(map, &options, &workspace->search, NULL);
        if (status == WEND_OK) status = wend_search_reserve(workspace->search, room + 4 * WEND_DIRECTIONS);
        if (!workspace->trail)
            workspace->trail = wend_allocate_zeroed(&ground->allocator, map->cells, sizeof *workspace->trail);
        if (!workspace->visits)
            workspace->visits =
                wend_allocate_zeroed(&ground->allocator, map->cells, sizeof *workspace->visits);
        if (!workspace->trail || !workspace->visits) status = WEND_NO_MEMORY;
    }
    if (status != WEND_OK)
        return wend_fail(error, WEND_NO_MEMORY, "no memory for workspaces of %u cells", map->cells);
    for (uint32_t i = ground->workspace_count; i-- > 0;) {
        ground->workspaces[i].next = ground->free;
        ground->free = &ground->workspaces[i];
    }
    ground->ready = true;
    return WEND_OK;
}

void wend_ground_release(wend_ground *ground) {
    for (uint32_t i = 0; ground->workspaces && i < ground->workspace_count; i++) {
        wend_workspace *workspace = &ground->workspaces[i];
        wend_search_destroy(workspace->search);
        wend_release(&ground->allocator, workspace->trail, ground->map->cells, sizeof *workspace->trail);
        wend_release(&ground->allocator, workspace->visits, ground->map->cells, sizeof *workspace->visits);
    }
    wend_release(&ground->allocator, ground->workspaces, ground->workspace_count, sizeof *ground->workspaces);
    wend_components_destroy(ground->components);
}

size_t wend_ground_bytes(const wend_ground *ground) {
    size_t bytes =
        wend_components_bytes(ground->components) + ground->workspace_count * sizeof *ground->workspaces;
    size_t cell = sizeof *ground->workspaces->trail + sizeof *ground->workspaces->visits;
    for (uint32_t i = 0; ground->ready && i < ground->workspace_count; i++)
        bytes += wend_search_bytes(ground->workspaces[i].search) + ground->map->cells * cell;
    return bytes;
}

/* Clearing a search's records once in 2^27 searches, or the visits once in 2^32 tasks, is no work for a step:
 * a tired workspace is kept back until wend_ground_refresh, which starting a task calls. */
static bool tired(const wend_workspace *workspace) {
    return wend_search_tired(workspace->search) || workspace->task == UINT32_MAX;
}

static void clear_visits(const wend_ground *ground, wend_workspace *workspace) {
    memset(workspace->visits, 0, ground->map->cells * sizeof *workspace->visits);
    workspace->task = 0;
}

void wend_ground_refresh(wend_ground *ground) {
    while (ground->tired) {
        wend_workspace *workspace = ground->tired;
        ground->tired = workspace->next;
        wend_search_refresh(workspace->search);
        clear_visits(ground, workspace);
        workspace->next = ground->free;
        ground->free = workspace;
    }
}

bool wend_workspace_borrow(wend_agent *agent) {
    if (agent->workspace) return true;
    wend_workspace *workspace = agent->ground->free;
    if (!workspace) return false;
    agent->ground->free = workspace->next;
    workspace->task++;
    agent->workspace = workspace;
    wend_search_begin(workspace->search, agent->at, agent->goal);
    (void)wend_workspace_visit(agent);
    return true;
}

void wend_workspace_return(wend_agent *agent) {
    wend_workspace *workspace = agent->workspace;
    if (!workspace) return;
    wend_workspace **list = tired(workspace) ? &agent->ground->tired : &agent->ground->free;
    workspace->next = *list;
    *list = workspace;
    agent->workspace = NULL;
}

void wend_workspace_begin(wend_agent *agent) {
    wend_workspace *workspace = agent->workspace;
    if (!workspace) return;
    if (workspace->search->goal != agent->goal) { /* visits are counted on the way to one goal */
        if (workspace->task == UINT32_MAX) clear_visits(agent->ground, workspace);
        workspace->task++;
    }
    wend_search_begin(workspace->search, agent->at, agent->goal);
    (void)wend_workspace_visit(agent);
}

bool wend_workspace_visit(wend_agent *agent) {
    wend_workspace *workspace = agent->workspace;
    if (!workspace) return false;
    bool before = workspace->visits[agent->at] == workspace->task;
    workspace->visits[agent->at] = workspace->task;
    return before;
}

wend_ended wend_workspace_run(wend_agent *agent, uint64_t expansions, uint64_t outdated) {
    wend_search *search = agent->workspace->search;
    uint64_t expanded = search->expansions, operations = search->operations;
    wend_ended ended = wend_search_run(search, expansions, outdated);
    agent->counters.expansions += search->expansions - expanded;
    agent->counters.operations += search->operations - operations;
    if (ended == WEND_ENDED_EMPTY) wend_agent_end(agent, WEND_STEP_UNREACHABLE);
    if (ended == WEND_ENDED_FULL) wend_agent_end(agent, WEND_STEP_OUT_OF_MEMORY);
    return ended;
}

void wend_trace_begin(wend_agent *agent, wend_trace *trace, wend_cell from) {
    trace->at = trace->end = from;
    trace->mark = ++agent->workspace->mark;
    trace->under_way = true;
}

bool wend_trace_go(wend_agent *agent, wend_trace *trace, uint64_t steps) {
    wend_workspace *workspace = agent->workspace;
    while (trace->at != workspace->search->start && trace->at != agent->at) {
        if (!steps) return false;
        steps--;
        agent->counters.operations++;
        uint32_t d = wend_search_reached(workspace->search, trace->at);
        trace->at -= (uint32_t)agent->ground->map->offset[d];
        workspace->trail[trace->at] = trace->mark << 3 | d;
    }
    trace->under_way = false;
    return true;
}

uint32_t wend_trail_next(const wend_agent *agent, uint64_t mark) {
    uint64_t trail = agent->workspace->trail[agent->at];
    return trail >> 3 >= mark ? (uint32_t)(trail & 7) : WEND_NO_DIRECTION;
}

/* What the search has touched, and as much of the trail and the visits. */
size_t wend_workspace_used(const wend_agent *agent) {
    const wend_workspace *workspace = agent->workspace;
    if (!workspace) return 0;
    size_t cell = sizeof *workspace->trail + sizeof *workspace->visits;
    return wend_search_peak_bytes(workspace->search) + workspace->search->touched * cell;
}

uint64_t wend_workspace_hash(const wend_agent *agent, uint64_t seed) {
    const wend_workspace *workspace = agent->workspace;
    if (!workspace) return seed;
    const wend_search *search = workspace->search;
    uint64_t hash = wend_mix(seed ^ search->expansions ^ (uint64_t)search->queue.end << 32);
    for (wend_cell cell = 0; cell < agent->ground->map->cells; cell++) {
        bool stood = workspace->visits[cell] == workspace->task;
        uint64_t touched = wend_search_touched(search, cell);
        if (!stood && touched == UINT64_MAX) continue;
        hash = wend_mix(wend_mix(hash ^ touched) ^ ((uint64_t)cell << 1 | stood));
    }
    return hash;
}

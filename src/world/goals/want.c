/* Goals that are blocked or out of reach: by choice the agent goes as near as it can, or waits.
 *
 * Planners see none of this. While there is no cell to go to, agent->goal is the cell where the agent stands.
 * Once there is one, the task goes on with that as its goal. What is joined is known from the components, so
 * nothing is decided until they have followed an edit: an agent that has a goal walks on meanwhile, and one that
 * has none stands. */
#include "world/world.h"

/* At its end a slice looks at no more than one cell too much. */
enum { SLICE = WEND_SEEK_OPERATIONS - WEND_NEAREST_OVER };

wend_status wend_want_create(wend_agent *agent, wend_goal_rule rule, wend_error *error) {
    if (rule == WEND_GOAL_REFUSE) return WEND_OK;
    if (rule != WEND_GOAL_NEAREST && rule != WEND_GOAL_WAIT)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "there is no goal rule %d", (int)rule);
    if (rule == WEND_GOAL_NEAREST && agent->knowledge)
        return wend_fail(error, WEND_STATUS_UNSUPPORTED,
                         "the nearest cell that can be reached is not known on a map that is not known");
    agent->want = wend_allocate_zeroed(&agent->ground->allocator, 1, sizeof *agent->want);
    if (!agent->want) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for an agent");
    agent->want->rule = rule;
    agent->want->cell = WEND_NO_CELL;
    agent->bytes += sizeof *agent->want;
    return WEND_OK;
}

void wend_want_release(wend_agent *agent) {
    wend_release(&agent->ground->allocator, agent->want, 1, sizeof *agent->want);
}

wend_status wend_want_check(const wend_agent *agent, wend_cell goal, wend_error *error) {
    wend_status status = wend_map_check_open(agent->view->map, goal, "goal", error);
    return agent->want && status == WEND_STATUS_BLOCKED ? WEND_OK : status;
}

void wend_want_aim(wend_agent *agent, wend_cell goal, bool elsewhere) {
    wend_want *want = agent->want;
    if (want && goal == want->cell && !elsewhere) return;
    agent->goal = goal;
    if (!want) return;
    want->cell = goal;
    want->seeking = false;
    want->standing = !wend_map_is_open_cell(agent->view->map, goal);
    if (want->standing) agent->goal = agent->at;
}

static void begin_search(wend_want *want, const wend_map *map) {
    want->seeking = true;
    want->revision = map->revision;
    wend_nearest_begin(&want->nearest, WEND_NO_CELL, want->cell);
}

static void head_for(wend_agent *agent, wend_cell goal) {
    agent->want->standing = false;
    if (agent->goal != goal) agent->goals++;
    agent->goal = goal;
    wend_agent_begin(agent);
}

static void stand(wend_agent *agent) {
    if (agent->want->standing) return;
    head_for(agent, agent->at);
    agent->want->standing = true;
    wend_workspace_return(agent);
    if (agent->planner->rest) agent->planner->rest(agent);
}

/* Goes on looking for the nearest cell. If the map has changed since that began, another search begins, and the
 * agent goes to what the first has found meanwhile: edits in every tick keep nobody standing. */
static void seek(wend_agent *agent, const wend_components *components) {
    wend_want *want = agent->want;
    const wend_map *map = agent->view->map;
    const uint32_t label = wend_components_label(components, agent->at);
    if (label == WEND_NO_CELL || want->sought)
        return; /* its own cell was closed, or it is enough for a step */
    want->sought = true;
    if (!want->seeking) begin_search(want, map);
    uint64_t spent = 0;
    want->nearest.label = label;
    bool done = wend_nearest_go(&want->nearest, map, components, SLICE, &spent);
    agent->counters.operations += spent;
    if (!done) return;
    const wend_cell found = want->nearest.best;
    if (want->revision == map->revision)
        want->seeking = false;
    else
        begin_search(want, map);
    if ((want->standing || agent->goal != found) && wend_components_joined(components, agent->at, found))
        head_for(agent, found);
}

/* The agent has a goal that is not the one that it was given, and can get there. */
static bool goes_elsewhere(const wend_agent *agent, const wend_components *components) {
    return !agent->want->standing && agent->goal != agent->want->cell &&
           wend_components_joined(components, agent->at, agent->goal);
}

static void go_near(wend_agent *agent, const wend_components *components) {
    wend_want *want = agent->want;
    if (!components) {
        if (agent->ended || !wend_map_is_open_cell(agent->view->map, agent->goal)) stand(agent);
        return;
    }
    if (wend_components_joined(components, agent->at, want->cell)) {
        want->seeking = false;
        if (want->standing || agent->goal != want->cell) head_for(agent, want->cell);
        return;
    }
    const bool goes = goes_elsewhere(agent, components);
    if (!goes) stand(agent);
    if (!goes || want->seeking || want->revision != agent->view->map->revision) seek(agent, components);
}

/* Without components the planner finds out whether there is a way. */
static void wait(wend_agent *agent, const wend_components *components) {
    const wend_cell goal = agent->want->cell;
    bool open = wend_map_is_open_cell(agent->view->map, goal);
    if (!open || (components && !wend_components_joined(components, agent->at, goal)))
        stand(agent);
    else if (agent->want->standing)
        head_for(agent, goal);
}

bool wend_want_go(wend_agent *agent) {
    if (agent->ended && agent->end != WEND_STEP_UNREACHABLE) return true;
    const wend_components *components = wend_view_components(agent->view);
    if (agent->want->rule == WEND_GOAL_NEAREST)
        go_near(agent, components);
    else
        wait(agent, components);
    return !agent->want->standing;
}

wend_cell wend_agent_wanted(const wend_agent *agent) {
    return agent->want ? agent->want->cell : agent->goal;
}

bool wend_agent_stranded(const wend_agent *agent) {
    const wend_want *want = agent->want;
    return want && (want->standing || (agent->ended && agent->end == WEND_STEP_UNREACHABLE));
}

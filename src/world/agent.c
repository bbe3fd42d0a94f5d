/* An agent's life: created, set on a task, stepped. The planner's functions do the thinking; what all of them
 * need is checked and counted here. */
#include "base/random.h"
#include "world/world.h"

wend_agent_options wend_default_agent_options(void) {
    return (wend_agent_options){.cookie = WEND_OPTIONS_COOKIE};
}

wend_status wend_agent_create(wend_world *world, const wend_settings *planner,
                              const wend_agent_options *options, wend_agent **agent, wend_error *error) {
    if (!world || !planner || !agent)
        return wend_fail(error, WEND_BAD_ARGUMENT, "no world or planner for an agent");
    *agent = NULL;
    if (!options || options->cookie != WEND_OPTIONS_COOKIE)
        return wend_fail(error, WEND_BAD_ARGUMENT,
                         "agent options must come from wend_default_agent_options()");
    const wend_planner *functions = wend_planner_of(planner);
    if (!functions)
        return wend_fail(error, WEND_UNSUPPORTED, "%s does not plan step by step",
                         planner->planner ? planner->planner->name : "this");
    wend_ground *ground = &world->ground;
    if (functions->whole_map) {
        wend_status status = wend_ground_prepare(ground, error);
        if (status != WEND_OK) return status;
    }
    wend_agent *made = wend_allocate_zeroed(&ground->allocator, 1, sizeof *made);
    void *state = made ? wend_allocate_zeroed(&ground->allocator, 1, functions->state_size) : NULL;
    if (!state) {
        wend_release(&ground->allocator, made, 1, sizeof *made);
        return wend_fail(error, WEND_NO_MEMORY, "no memory for an agent");
    }
    made->planner = functions;
    made->ground = ground;
    made->state = state;
    made->at = made->start = made->goal = WEND_NO_CELL;
    made->bytes = sizeof *made + functions->state_size;
    wend_status status = functions->create(made, planner, options, error);
    if (status != WEND_OK) {
        wend_agent_destroy(made);
        return status;
    }
    *agent = made;
    return WEND_OK;
}

void wend_agent_destroy(wend_agent *agent) {
    if (!agent) return;
    wend_allocator allocator = agent->ground->allocator;
    wend_workspace_return(agent);
    if (agent->planner->release) agent->planner->release(agent);
    wend_release(&allocator, agent->state, 1, agent->planner->state_size);
    wend_release(&allocator, agent, 1, sizeof *agent);
}

static void note_peak(wend_agent *agent) {
    uint64_t used = sizeof *agent + agent->planner->state_size + agent->planner->used(agent);
    if (used > agent->counters.peak_bytes) agent->counters.peak_bytes = used;
}

/* A task goes on from agent->at to agent->goal. */
static void begin(wend_agent *agent) {
    agent->ended = agent->checked = false;
    agent->planner->begin(agent);
    agent->begun = true;
}

wend_status wend_agent_start(wend_agent *agent, wend_cell start, wend_cell goal, wend_error *error) {
    if (!agent) return wend_fail(error, WEND_BAD_ARGUMENT, "no agent");
    wend_status status = wend_map_check_open(agent->ground->map, start, "start", error);
    if (status == WEND_OK) status = wend_map_check_open(agent->ground->map, goal, "goal", error);
    if (status != WEND_OK) return status;
    wend_workspace_return(agent);
    wend_ground_refresh(agent->ground);
    agent->at = agent->start = start, agent->goal = goal;
    agent->counters = (wend_counters){0};
    agent->counted_expansions = agent->counted_operations = agent->given = 0;
    agent->tasked = true, agent->searched = agent->begun = false;
    begin(agent);
    return WEND_OK;
}

wend_status wend_agent_set_goal(wend_agent *agent, wend_cell goal, wend_error *error) {
    if (!agent || !agent->tasked) return wend_fail(error, WEND_BAD_ARGUMENT, "the agent has no task");
    wend_status status = wend_map_check_open(agent->ground->map, goal, "goal", error);
    if (status != WEND_OK) return status;
    note_peak(agent); /* of a search that is given up now */
    agent->goal = goal;
    begin(agent);
    return WEND_OK;
}

wend_status wend_agent_place(wend_agent *agent, wend_cell cell, wend_error *error) {
    if (!agent || !agent->tasked) return wend_fail(error, WEND_BAD_ARGUMENT, "the agent has no task");
    wend_status status = wend_map_check_open(agent->ground->map, cell, "new place", error);
    if (status != WEND_OK) return status;
    note_peak(agent); /* of a search that is given up now */
    agent->at = cell;
    begin(agent);
    return WEND_OK;
}

/* Whether there is anything to do: a task that is not over. On a known map reachability is known beforehand.
 */
static bool at_work(wend_agent *agent) {
    if (!agent->tasked || agent->ended || agent->at == agent->goal) return false;
    if (!agent->checked && !wend_components_joined(agent->ground->components, agent->at, agent->goal))
        wend_agent_end(agent, WEND_STEP_UNREACHABLE);
    agent->checked = true;
    return !agent->ended;
}

bool wend_agent_plan(wend_agent *agent, uint64_t expansions) {
    if (!expansions || !at_work(agent)) return false;
    bool more = agent->planner->plan(agent, expansions);
    agent->given = wend_add(agent->given, expansions);
    return more && !agent->ended;
}

/* The step that ends here, with all that was counted since the last. */
static wend_step step_of(wend_agent *agent, wend_outcome outcome, uint32_t direction) {
    wend_step step = {outcome, (wend_direction)direction,
                      agent->counters.expansions - agent->counted_expansions,
                      agent->counters.operations - agent->counted_operations};
    agent->counted_expansions = agent->counters.expansions;
    agent->counted_operations = agent->counters.operations;
    agent->given = 0;
    note_peak(agent); /* before a workspace goes back; what is in use only grows in between */
    /* On its goal it needs no workspace, and nobody may step it again to hear that it has arrived. */
    bool over = outcome != WEND_STEP_MOVED && outcome != WEND_STEP_WAITING;
    if (over || agent->at == agent->goal) wend_workspace_return(agent);
    return step;
}

wend_step wend_agent_move(wend_agent *agent) {
    if (!agent->tasked || (!agent->ended && agent->at == agent->goal))
        return step_of(agent, WEND_STEP_ARRIVED, WEND_NO_DIRECTION);
    uint32_t direction = at_work(agent) ? agent->planner->move(agent) : WEND_NO_DIRECTION;
    if (agent->ended) return step_of(agent, agent->end, WEND_NO_DIRECTION);
    if (direction == WEND_NO_DIRECTION) {
        agent->counters.waits++;
        return step_of(agent, WEND_STEP_WAITING, direction);
    }
    agent->at += (uint32_t)agent->ground->map->offset[direction];
    agent->counters.moves++;
    if (agent->planner->visit(agent)) agent->counters.revisits++;
    return step_of(agent, WEND_STEP_MOVED, direction);
}

wend_step wend_agent_step(wend_agent *agent) {
    (void)wend_agent_plan(agent, agent->budget);
    return wend_agent_move(agent);
}

uint64_t wend_agent_bound(const wend_agent *agent, uint64_t expansions) {
    return agent->planner->bound(agent, expansions);
}

uint64_t wend_agent_budget(const wend_agent *agent) {
    return agent->budget;
}

wend_counters wend_agent_counters(const wend_agent *agent) {
    return agent->counters;
}

wend_cell wend_agent_cell(const wend_agent *agent) {
    return agent->at;
}

wend_cell wend_agent_goal(const wend_agent *agent) {
    return agent->goal;
}

size_t wend_agent_bytes(const wend_agent *agent) {
    return agent->bytes;
}

uint64_t wend_agent_hash(const wend_agent *agent) {
    const wend_counters *counters = &agent->counters;
    uint64_t hash = wend_mix((uint64_t)agent->at << 32 | agent->goal);
    const uint64_t words[] = {(uint64_t)agent->start << 1 | agent->searched,
                              agent->ended ? (uint64_t)agent->end + 1 : 0,
                              counters->expansions,
                              counters->operations,
                              counters->moves,
                              counters->waits,
                              counters->revisits,
                              counters->learnt};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) hash = wend_mix(hash ^ words[i]);
    return wend_mix(hash ^ agent->planner->hash(agent));
}

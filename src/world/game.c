/* The game time model of "Time-Bounded Adaptive A*" (AAMAS 2012), section 2 and 8. */
#include "world/world.h"

enum { SLICE = 20 };

static void plan_until_the_end(wend_agent *agent, const wend_interval *interval, uint64_t began) {
    if (interval->expansions) {
        (void)wend_agent_plan(agent, interval->expansions);
        return;
    }
    uint64_t slice = interval->slice ? interval->slice : SLICE;
    while (interval->clock(interval->context) - began < interval->length)
        if (!wend_agent_plan(agent, slice)) break;
}

wend_step wend_agent_interval(wend_agent *agent, const wend_interval *interval) {
    if (!interval || (!interval->expansions && !interval->clock))
        return (wend_step){WEND_STEP_IDLE, WEND_NO_DIRECTION, 0, 0};
    if (!agent->tasked) return wend_agent_move(agent);
    uint64_t began = interval->expansions ? 0 : interval->clock(interval->context);
    wend_step step = {WEND_STEP_WAITING, WEND_NO_DIRECTION, 0, 0};
    if (agent->searched || agent->at == agent->goal) step = wend_agent_move(agent);
    agent->searched = true;
    if (step.outcome == WEND_STEP_MOVED || step.outcome == WEND_STEP_WAITING) {
        uint64_t expansions = agent->counters.expansions, operations = agent->counters.operations;
        plan_until_the_end(agent, interval, began);
        step.expansions += agent->counters.expansions - expansions;
        step.operations += agent->counters.operations - operations;
        agent->counted_expansions = agent->counters.expansions;
        agent->counted_operations = agent->counters.operations;
    }
    return step;
}

/* What all planners share: ends, budgets, and the row of functions for a name. */
#include "plan/agent.h"

void wend_agent_end(wend_agent *agent, wend_outcome outcome) {
    agent->ended = true;
    agent->end = outcome;
}

uint64_t wend_settings_budget(const wend_settings *settings, const char *key) {
    int64_t value = wend_settings_integer(settings, key);
    return value == WEND_UNLIMITED ? UINT64_MAX : (uint64_t)value;
}

uint64_t wend_add(uint64_t a, uint64_t b) {
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

uint64_t wend_times(uint64_t a, uint64_t b) {
    return b && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

/* The one table of planners: `wend planners` prints it and wend_settings_parse works from it. A new planner
 * is a new row. */
#include "plan/planners.h"

/* Budgets beyond this are better written `unlimited`. */
#define MOST_EXPANSIONS 1e12

static const wend_key_info search_first_keys[] = {
    {.name = "k",
     .kind = WEND_KEY_INTEGER,
     .unlimited = true,
     .least = 1,
     .most = MOST_EXPANSIONS,
     .standard = "unlimited",
     .help = "expansions a step: the first move waits until the search has had enough steps"},
};

#define KEYS(keys) (keys), sizeof(keys) / sizeof *(keys)

static const wend_planner_info planners[] = {
    {"astar", "A*: searches a shortest path first, then moves along it", KEYS(search_first_keys)},
    {"jps", "jump-point search with tables made beforehand: the same lengths, fewer expansions",
     KEYS(search_first_keys)},
};

#define PLANNERS (sizeof planners / sizeof *planners)

size_t wend_planner_count(void) {
    return PLANNERS;
}

const wend_planner_info *wend_planner_at(size_t index) {
    return index < PLANNERS ? &planners[index] : NULL;
}

wend_status wend_settings_parse(const char *text, wend_settings *settings, wend_error *error) {
    return wend_settings_parse_in(planners, PLANNERS, text, settings, error);
}

/* lrta: Learning Real-Time A* with lookahead. What it follows, and where it departs from that, stands in
 * seek.h; its target is the goal.
 *
 * When the goal moves, what was learnt is kept as Adaptive A* does (search/learnt.h) with a lookahead of one
 * move: then h stays consistent, since h(s) is raised to the least c + h of its neighbours and no further. A
 * longer lookahead raises it to what the inner cells are worth, but not theirs; h is admissible then but no
 * more, and forgotten with its goal. How changes of the view are taken in, and how it proves that there is no
 * path, stands in learner.h. */
#include "methods/lrta/lrta.h"

static wend_status lrta_create(wend_agent *agent, const wend_settings *settings,
                               const wend_agent_options *options, wend_error *error) {
    wend_seek *state = agent->state;
    const wend_map *map = agent->view->map;
    if (wend_settings_given(settings, "gmax") && wend_settings_given(settings, "d"))
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "lrta looks ahead by d or by gmax, not by both");
    agent->budget = 1;
    uint32_t reach = (uint32_t)wend_settings_integer(settings, "d");
    uint64_t limit = UINT64_MAX;
    if (wend_settings_given(settings, "gmax")) {
        /* A millionth of a unit of cost absorbs the rounding of, say, 1.4 x 5. */
        limit = (uint64_t)(wend_settings_number(settings, "gmax") * map->cost[0] + 1e-6);
        reach = (uint32_t)(limit / map->cost[0]);
        if (limit < map->cost[map->rules.connect == 8 ? 1 : 0])
            return wend_fail(error, WEND_STATUS_BAD_ARGUMENT,
                             "gmax must be at least the cost of the most expensive move");
    }
    state->learner.consistent = reach == 1;
    return wend_seek_create(agent, reach, limit, options, error);
}

static void lrta_begin(wend_agent *agent) {
    ((wend_seek *)agent->state)->unreachable = false; /* the old goal may have looked like a closed subgoal */
    wend_learner_begin(agent);
    (void)wend_seek_visit(agent);
}

static uint64_t lrta_bound(const wend_agent *agent, uint64_t expansions) {
    (void)expansions;
    return wend_seek_bound(agent);
}

static const wend_key_info keys[] = {
    {.name = "d",
     .kind = WEND_KEY_INTEGER,
     .min = 1,
     .max = WEND_SEEK_MOST_MOVES,
     .standard = "1",
     .help = "lookahead in moves"},
    {.name = "gmax",
     .kind = WEND_KEY_DECIMAL,
     .min = 1,
     .max = WEND_SEEK_MOST_MOVES,
     .help = "lookahead by cost, in place of d"},
};

const wend_planner wend_planner_lrta = {
    .info = {"lrta", "LRTA*: looks a few moves ahead and learns the cell it stands on", keys,
             sizeof keys / sizeof *keys},
    .state_size = sizeof(wend_seek),
    .create = lrta_create,
    .release = wend_seek_release,
    .begin = lrta_begin,
    .move = wend_seek_move,
    .changed = wend_seek_changed,
    .lost = wend_seek_lost,
    .change_operations = WEND_LEARNER_CHANGE,
    .visit = wend_seek_visit,
    .bound = lrta_bound,
    .used = wend_seek_used,
    .hash = wend_learner_hash,
    .value = wend_learner_value,
    .watch = wend_learner_watch,
};

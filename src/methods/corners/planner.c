/* corners: jps, with a flag for each edge and tile of goals that says whether the edge may begin the rest of a
 * shortest path. build.c explains the flags.
 *
 * A search is offered about as many corners as its path has, so that mostly one step is enough for all of it.
 * Its path is walked as that of jps. Should a file have wrong flags, so that no path is found, the search begins
 * again without them. A file that is not of this map's corners, in spite of its fingerprint, is not used.
 *
 * Flags do not outlast an edit. Where the view may change, the search is that of astar, as for jps. */
#include "methods/corners/layout.h"

#include "methods/astar/astar.h"

static wend_status corners_create(wend_agent *agent, const wend_settings *settings,
                                  const wend_agent_options *options, wend_error *error) {
    wend_first *state = agent->state;
    wend_status status = wend_agent_check_db(agent, options, &wend_db_corner_flags, error);
    if (status != WEND_OK) return status;
    if (agent->storage == WEND_STORAGE_JUMPS &&
        wend_corners_check(options->db, agent->view->jumps, NULL) == WEND_OK)
        state->flags_of = wend_corners_flags, state->db = options->db;
    return wend_first_create(agent, settings, options, error);
}

static const wend_key_info keys[] = {
    WEND_DB_KEY,
    WEND_FIRST_KEY,
};

const wend_planner wend_planner_corners = {
    .info = {"corners", "jump-point search over the edges that are of use for the goal: shortest paths, soon",
             keys, sizeof keys / sizeof *keys},
    .create = corners_create,
    WEND_FIRST_FUNCTIONS,
    .storage = WEND_STORAGE_JUMPS,
};

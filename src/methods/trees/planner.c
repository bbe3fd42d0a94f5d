/* subgoal-tree: LRTA* with subgoals.
 *
 * Hernandez and Baier, "Fast subgoaling for pathfinding via real-time search" (SoCS 2011), algorithm 3. Which
 * subgoals, and when, stands in guide.h.
 *
 * Departures:
 * - The test of the trees says that a path leads to each subgoal that costs no more than without walls. But
 *   LRTA*, which sees one move ahead, may miss it and fall into a hollow on the way. So that path is found
 *   when the subgoal is taken (methods/trees/beeline.h), which takes about one operation per move, and the
 *   agent follows it. With a right database its walk is then a shortest path, and nothing is learnt.
 * - Where that path was not found, because room is short or the file is forged, the agent moves as the
 *   climber does, as LRTA* would while nothing stands in its way. Where the climber gives up, LRTA* with a
 *   lookahead of one move goes on until the subgoal is reached (seek.h), with a heuristic that begins again.
 *   It is complete, so every subgoal is reached, and each is nearer to the goal than the one before.
 * - Without a tree for its goal the agent heads for the goal itself.
 * - On a map that changes (not in the paper) the path to a subgoal may end anywhere: LRTA* goes on from
 *   there, and the subgoal is given up as pursuit.h says. */
#include "methods/trees/trees.h"
#include "search/climb.h"

#include "base/random.h"

typedef struct subgoal_state {
    wend_seek seek; /* first */
    wend_guide guide;
    wend_cell target; /* the guide's when it was last looked at */
    bool learns;      /* the climber has given up on the way there */
} subgoal_state;

static wend_status subgoal_create(wend_agent *agent, const wend_settings *settings,
                                  const wend_agent_options *options, wend_error *error) {
    subgoal_state *state = agent->state;
    (void)settings;
    if (!options->db && !options->tree)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "subgoal-tree needs a database, or a tree");
    wend_status status = wend_guide_create(&state->guide, agent, options, error);
    if (status != WEND_OK) return status;
    agent->budget = 1;
    return wend_seek_create(agent, 1, UINT64_MAX, options, error);
}

static void forget_target(subgoal_state *state) {
    state->target = WEND_NO_CELL;
    state->learns = false;
}

static void subgoal_begin(wend_agent *agent) {
    subgoal_state *state = agent->state;
    wend_seek_begin(agent);
    wend_guide_begin(&state->guide, agent);
    forget_target(state);
}

/* Where to go now; false: not known yet. */
static bool aim(wend_agent *agent) {
    subgoal_state *state = agent->state;
    if (!wend_guide_aim(&state->guide, agent)) return false;
    if (state->guide.target != state->target) {
        state->target = state->guide.target;
        state->learns = false;
    }
    return true;
}

static uint32_t subgoal_move(wend_agent *agent) {
    subgoal_state *state = agent->state;
    if (!wend_guide_is_under_way(&state->guide, agent->at)) {
        bool ready = aim(agent) && wend_guide_line(&state->guide, agent) != WEND_BEELINE_MORE;
        wend_guide_moved(&state->guide);
        if (!ready) return WEND_NO_DIRECTION;
    }
    if (!state->learns) {
        const wend_map *map = agent->view->map;
        uint64_t *operations = &agent->counters.operations;
        agent->counters.expansions++;
        wend_agent_show(agent, agent->at, WEND_NO_CELL, 0);
        uint32_t move = state->guide.lined == WEND_BEELINE_FOUND
                            ? wend_beeline_move(map, &state->guide.line, agent->at, operations)
                            : wend_climb_step(map, agent->at, state->target, operations);
        if (move != WEND_NO_DIRECTION) return move;
        state->learns = true;
        wend_seek_target(agent, state->target);
    }
    uint32_t direction = wend_seek_move(agent);
    if (state->seek.unreachable) { /* where nothing changes, only with a forged file */
        wend_guide_give_up(&state->guide, agent);
        forget_target(state);
    }
    return direction;
}

static void subgoal_changed(wend_agent *agent, wend_cell cell, bool opened) {
    subgoal_state *state = agent->state;
    wend_seek_changed(agent, cell, opened);
    if (!opened && wend_guide_changed(&state->guide, agent)) forget_target(state);
}

static void subgoal_lost(wend_agent *agent) {
    subgoal_state *state = agent->state;
    wend_seek_lost(agent);
    if (wend_guide_changed(&state->guide, agent)) forget_target(state);
}

static uint64_t subgoal_bound(const wend_agent *agent, uint64_t expansions) {
    (void)expansions;
    return wend_guide_bound() + WEND_CLIMB_OPERATIONS + WEND_LEARNT_SWEEP + wend_seek_bound(agent);
}

static uint64_t subgoal_hash(const wend_agent *agent) {
    const subgoal_state *state = agent->state;
    return wend_seek_hash(agent) ^ wend_mix(wend_guide_hash(&state->guide) + state->learns);
}

static wend_cell subgoal_subgoal(const wend_agent *agent) {
    return wend_guide_target(&((const subgoal_state *)agent->state)->guide);
}

static wend_cost subgoal_value(const wend_agent *agent, wend_cell cell) {
    const subgoal_state *state = agent->state;
    wend_cell target = wend_guide_target(&state->guide);
    wend_xy at = wend_map_xy(agent->view->map, cell);
    if (state->learns) return wend_learnt_h(state->seek.learner.search, cell, (uint32_t)at.x, (uint32_t)at.y);
    return wend_map_distance(agent->view->map, cell, target == WEND_NO_CELL ? agent->goal : target);
}

static const wend_key_info keys[] = {WEND_DB_KEY};

const wend_planner wend_planner_subgoal_tree = {
    .info = {"subgoal-tree", "LRTA* by way of subgoals that lead around the heuristic's depressions", keys,
             sizeof keys / sizeof *keys},
    .state_size = sizeof(subgoal_state),
    .create = subgoal_create,
    .release = wend_seek_release,
    .begin = subgoal_begin,
    .move = subgoal_move,
    .changed = subgoal_changed,
    .lost = subgoal_lost,
    .change_operations = WEND_LEARNER_CHANGE,
    .visit = wend_seek_visit,
    .bound = subgoal_bound,
    .used = wend_seek_used,
    .hash = subgoal_hash,
    .watch = wend_learner_watch,
    .subgoal = subgoal_subgoal,
    .value = subgoal_value,
};

#include "methods/trees/trees.h"

#include "base/random.h"
#include "methods/trees/tree.h"

wend_status wend_guide_create(wend_guide *guide, const wend_agent *agent, const wend_agent_options *options,
                              wend_error *error) {
    if (options->db) {
        wend_status status = wend_agent_check_db(agent, options, &wend_db_subgoal_tree, error);
        if (status == WEND_OK) guide->trees = wend_trees_of(options->db);
        return status;
    }
    if (options->tree && agent->view->changes)
        return wend_fail(error, WEND_STATUS_UNSUPPORTED,
                         "%s with a tree needs a map that it knows and that stays as it is",
                         agent->planner->info.name);
    if (options->tree && options->tree->map != agent->view->map)
        return wend_fail(error, WEND_STATUS_OTHER_MAP, "the tree is of another map than the agent's world");
    guide->tree = options->tree;
    return WEND_OK;
}

static void choose(wend_guide *guide) {
    guide->stage = WEND_GUIDE_BEGIN;
    guide->lined = WEND_BEELINE_MORE;
    guide->taken = 0;
    guide->target = WEND_NO_CELL, guide->node = WEND_TREES_NONE;
}

void wend_guide_begin(wend_guide *guide, const wend_agent *agent) {
    choose(guide);
    if (!agent->given) guide->spent = 0; /* after plans it counts on until the next move */
    wend_pursuit_begin(&guide->pursuit);
    guide->refused = WEND_NO_CELL;
    guide->hopeless = false;
}

static void begin_line(wend_guide *guide, const wend_agent *agent, wend_cell to) {
    wend_beeline_begin(agent->view->map, &guide->line, agent->at, to);
    guide->lined = WEND_BEELINE_MORE;
}

static void head_for_goal(wend_guide *guide, const wend_agent *agent) {
    guide->stage = WEND_GUIDE_GO;
    guide->target = agent->goal, guide->node = WEND_TREES_GOAL;
    guide->pursuit.left = UINT64_MAX;
    begin_line(guide, agent, agent->goal);
}

void wend_guide_give_up(wend_guide *guide, const wend_agent *agent) {
    guide->hopeless = !wend_pursuit_give_up(&guide->pursuit, agent);
    guide->refused = guide->target, guide->refused_at = agent->at;
    choose(guide);
}

void wend_guide_learns(wend_guide *guide, const wend_agent *agent) {
    if (guide->pursuit.left == UINT64_MAX) wend_pursuit_of(&guide->pursuit, agent, guide->target);
}

void wend_guide_walks(wend_guide *guide, const wend_agent *agent, uint32_t direction) {
    if (wend_pursuit_ends(&guide->pursuit, agent->view->map->cost[direction]))
        wend_guide_give_up(guide, agent);
}

bool wend_guide_changed(wend_guide *guide, const wend_agent *agent) {
    wend_cell target = wend_guide_target(guide);
    if (target == WEND_NO_CELL || target == agent->goal || wend_map_is_open_cell(agent->view->map, target))
        return false;
    wend_guide_give_up(guide, agent);
    return true;
}

/* Sets out for a node, if that is somewhere else and a path leads there; in a forged file it may
 * not be so. */
static void head_for(wend_guide *guide, const wend_agent *agent, uint32_t node) {
    wend_cell cell = node == WEND_TREES_NONE ? agent->goal : wend_trees_cell(guide->trees, node, agent->goal);
    bool known = node != WEND_TREES_NONE && cell != agent->at && guide->taken <= guide->trees->nodes;
    guide->taken++;
    if (!known) {
        head_for_goal(guide, agent);
        return;
    }
    if (!wend_pursuit_may_reach(agent, cell)) {
        wend_guide_give_up(guide, agent);
        return;
    }
    guide->stage = WEND_GUIDE_GO;
    guide->target = cell, guide->node = node;
    guide->pursuit.left = UINT64_MAX;
    if (guide->lined != WEND_BEELINE_FOUND || guide->line.from != agent->at || guide->line.to != cell)
        begin_line(guide, agent, cell);
}

static uint64_t apart(const wend_agent *agent, wend_cell from, wend_cell to) {
    return wend_map_distance(agent->view->map, from, to);
}

static bool comes_before(const wend_guide_candidate *a, const wend_guide_candidate *b) {
    uint64_t sum = wend_add(a->far, a->left), other = wend_add(b->far, b->left);
    return sum != other ? sum < other : a->far != b->far ? a->far < b->far : a->cell < b->cell;
}

/* The best of the candidates that have not been tried: the next to be. */
static void next_try(wend_guide *guide, wend_agent *agent) {
    wend_guide_candidate *next = &guide->candidates[guide->which], *best = next;
    for (uint32_t i = guide->which + 1; i < guide->count; i++)
        if (comes_before(&guide->candidates[i], best)) best = &guide->candidates[i];
    wend_guide_candidate chosen = *best;
    *best = *next, *next = chosen;
    agent->counters.operations += guide->count - guide->which;
    begin_line(guide, agent, chosen.cell);
}

static void begin_tries(wend_guide *guide, wend_agent *agent) {
    guide->stage = WEND_GUIDE_TRY;
    guide->which = 0;
    next_try(guide, agent);
}

static void begin_chain(wend_guide *guide) {
    guide->walking = guide->candidates[guide->which].node;
    guide->last = guide->candidates[guide->which].cell;
    guide->so_far = 0;
    guide->links = guide->walked = 0;
}

/* The chain has come to where `left` is known, or to no good (UINT64_MAX): what is left from its candidate,
 * and from its other nodes. */
static void end_chain(wend_guide *guide, wend_agent *agent, uint64_t left) {
    uint64_t all = wend_add(guide->so_far, left);
    for (uint32_t i = guide->known; i < guide->known + guide->links; i++)
        guide->left[i] = all == UINT64_MAX ? all : all - guide->left[i];
    guide->known += guide->links;
    guide->candidates[guide->which].left = all;
    if (++guide->which < guide->count)
        begin_chain(guide);
    else
        begin_tries(guide, agent);
}

/* A node of a chain. */
static void measure(wend_guide *guide, wend_agent *agent) {
    uint32_t node = guide->walking;
    wend_cell cell = wend_trees_cell(guide->trees, node, agent->goal);
    guide->so_far += apart(agent, guide->last, cell);
    guide->last = cell;
    agent->counters.operations++;
    if (node == WEND_TREES_GOAL) {
        end_chain(guide, agent, 0);
        return;
    }
    for (uint32_t i = 0; i < guide->known; i++)
        if (guide->chain[i] == node) {
            agent->counters.operations += i;
            end_chain(guide, agent, guide->left[i]);
            return;
        }
    agent->counters.operations += guide->known;
    uint32_t next = wend_trees_next(guide->trees, node, agent->goal, &agent->counters.operations);
    if (next == WEND_TREES_NONE || guide->walked++ == guide->trees->nodes) { /* in a forged file */
        end_chain(guide, agent, UINT64_MAX);
        return;
    }
    uint32_t free = guide->known + guide->links;
    if (free < WEND_GUIDE_CHAIN) {
        guide->chain[free] = node, guide->left[free] = guide->so_far;
        guide->links++;
    }
    guide->walking = next;
}

/* The subgoals of the cells around the agent. */
static void gather(wend_guide *guide, wend_agent *agent) {
    uint32_t found[WEND_GUIDE_CANDIDATES];
    uint32_t all = wend_trees_starts(guide->trees, agent->at, agent->goal, found, WEND_GUIDE_CANDIDATES,
                                     &agent->counters.operations);
    guide->count = guide->which = guide->known = guide->links = 0;
    for (uint32_t i = 0; i < all; i++) {
        wend_cell cell = wend_trees_cell(guide->trees, found[i], agent->goal);
        if (cell == agent->at) continue; /* a subgoal of others around here */
        if (agent->view->changes && !wend_pursuit_may_reach(agent, cell)) continue;
        if (cell == guide->refused && agent->at == guide->refused_at) continue;
        guide->candidates[guide->count++] =
            (wend_guide_candidate){found[i], cell, apart(agent, agent->at, cell), UINT64_MAX};
    }
    agent->counters.operations += all;
    if (guide->count < 2) {
        head_for(guide, agent, guide->count ? guide->candidates[0].node : WEND_TREES_NONE);
        return;
    }
    guide->stage = WEND_GUIDE_MEASURE;
    begin_chain(guide);
}

/* The nearest, where it is not known of any: LRTA* has the least to learn there. */
static uint32_t nearest(const wend_guide *guide) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < guide->count; i++)
        if (guide->candidates[i].far < guide->candidates[best].far) best = i;
    return best;
}

/* Candidates stand in the order of what the way over them costs, if there is a beeline to them: the first to
 * which there is one is on a shortest path. */
static void try_on(wend_guide *guide, wend_agent *agent) {
    guide->lined = wend_beeline_run(agent->view->map, &guide->line, WEND_GUIDE_CHOICE - guide->spent,
                                    &agent->counters.operations);
    if (guide->lined == WEND_BEELINE_MORE) return;
    if (guide->lined == WEND_BEELINE_FOUND) {
        head_for(guide, agent, guide->candidates[guide->which].node);
        return;
    }
    agent->counters.operations++;
    if (++guide->which < guide->count) {
        next_try(guide, agent);
        return;
    }
    agent->counters.operations += guide->count;
    head_for(guide, agent, guide->candidates[nearest(guide)].node);
}

wend_beeline_state wend_guide_line(wend_guide *guide, wend_agent *agent) {
    if (guide->lined != WEND_BEELINE_MORE) return guide->lined;
    if (guide->spent >= WEND_GUIDE_CHOICE) return WEND_BEELINE_MORE;
    uint64_t before = agent->counters.operations;
    guide->lined = wend_beeline_run(agent->view->map, &guide->line, WEND_GUIDE_CHOICE - guide->spent,
                                    &agent->counters.operations);
    guide->spent += agent->counters.operations - before;
    return guide->lined;
}

/* From a tree that was grown at run time. */
static bool aim_by_tree(wend_guide *guide, wend_agent *agent) {
    const wend_tree *tree = guide->tree;
    agent->counters.operations++;
    if (tree && tree->goal == agent->goal) {
        if (!wend_tree_is_whole(tree)) return false;
        guide->stage = WEND_GUIDE_GO;
        guide->target = wend_tree_from(tree, agent->at);
        if (guide->target != WEND_NO_CELL) {
            begin_line(guide, agent, guide->target);
            return true;
        }
    }
    head_for_goal(guide, agent);
    return true;
}

bool wend_guide_aim(wend_guide *guide, wend_agent *agent) {
    if (guide->stage == WEND_GUIDE_GO && guide->target != agent->at) return true;
    if (guide->hopeless) {
        head_for_goal(guide, agent);
        return true;
    }
    if (!guide->trees) return aim_by_tree(guide, agent);
    if (guide->stage == WEND_GUIDE_GO) {
        uint64_t before = agent->counters.operations;
        head_for(guide, agent,
                 wend_trees_next(guide->trees, guide->node, agent->goal, &agent->counters.operations));
        if (guide->stage != WEND_GUIDE_GO) guide->spent += agent->counters.operations - before;
    }
    while (guide->stage != WEND_GUIDE_GO) {
        uint64_t before = agent->counters.operations;
        if (guide->hopeless || guide->spent >= WEND_GUIDE_CHOICE) return false;
        if (guide->stage == WEND_GUIDE_BEGIN)
            gather(guide, agent);
        else if (guide->stage == WEND_GUIDE_MEASURE)
            measure(guide, agent);
        else
            try_on(guide, agent);
        guide->spent += agent->counters.operations - before;
    }
    return true;
}

/* What was begun when the operations of a choice ran out: at most a look into the starts, or a node. */
uint64_t wend_guide_bound(void) {
    const uint64_t starts = WEND_TREES_LEVELS * (32 + WEND_GUIDE_CANDIDATES) + WEND_GUIDE_CANDIDATES;
    const uint64_t node = 1 + WEND_GUIDE_CHAIN + WEND_TREES_LOOKUP + 3 * WEND_GUIDE_CANDIDATES;
    return WEND_GUIDE_CHOICE + (starts > node ? starts : node);
}

uint64_t wend_guide_hash(const wend_guide *guide) {
    uint64_t hash = wend_mix((uint64_t)guide->target << 32 | (uint64_t)guide->stage << 28 | guide->taken);
    hash ^= wend_pursuit_hash(&guide->pursuit);
    if (guide->refused != WEND_NO_CELL)
        hash = wend_mix(hash ^ ((uint64_t)guide->refused << 32 | guide->refused_at) ^ guide->hopeless);
    if (guide->stage == WEND_GUIDE_GO) hash = wend_mix(hash ^ (uint64_t)guide->lined << 32 ^ guide->line.at);
    if (guide->stage == WEND_GUIDE_BEGIN || guide->stage == WEND_GUIDE_GO) return hash ^ guide->spent;
    const uint64_t words[] = {(uint64_t)guide->count << 32 | guide->which,
                              (uint64_t)guide->known << 32 | guide->links,
                              (uint64_t)guide->walking << 32 | guide->line.at, guide->spent};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) hash = wend_mix(hash ^ words[i]);
    return hash;
}

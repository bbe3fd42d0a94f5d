/* "Time-Bounded Adaptive A*" (AAMAS 2012): the examples of its figures 1 and 2, interval by interval as far
 * as its text gives them, and its algorithm 4. */
#include "support/agents/terrain.h"
#include "support/check.h"

#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

/* The grid of the figures, from the cells and f-values that the text names. Only rows B to E and columns 2 to
 * 5 can be open: E3 has no neighbour but E2, E2 none but D2, D2 none but C2, and C2 leads to C3 and B2. All
 * f-values are those of the goal E5 (the E6 of two places is a slip). The text does not say in which order
 * cells of one f and g are expanded; in its figure 2(c) that is D2 before B2, which is ours with E drawn in
 * the first row. */
static const char known[] = "..@."  /* E2 E3 E4 E5 */
                            ".@@."  /* D */
                            "...."  /* C */
                            "....", /* B */
    blocked_c3[] = "..@."
                   ".@@..@......";

static wend_cell cell_named(const char *name) {
    return (wend_cell)('E' - name[0]) * 4 + (wend_cell)(name[1] - '2');
}

static const char *name_of(wend_cell cell, char *buffer) {
    buffer[0] = (char)('E' - cell / 4), buffer[1] = (char)('2' + cell % 4), buffer[2] = 0;
    return buffer;
}

static wend_map *drawn(const char *rows) {
    wend_map_options options = wend_default_map_options();
    options.rules.connect = 4;
    wend_map *map = NULL;
    if (!CHECK(wend_map_create(4, 4, &options, &map, NULL) == WEND_OK)) return NULL;
    for (int32_t y = 0; y < 4; y++) CHECK(wend_map_set_row(map, y, rows + y * 4, NULL) == WEND_OK);
    return map;
}

/* What the text says of an interval: where the agent goes at its end, and which cell of the open list has the
 * smallest f then. That is the first to be expanded in the next one. 0: it does not say. */
typedef struct interval {
    const char *to, *best;
    uint32_t f;
} interval;

/* The expansions of an interval, in moves. */
typedef struct witness {
    wend_cost straight;
    size_t count;
    wend_cell cells[4];
    wend_cost f[4];
} witness;

static void see(void *context, const wend_expansion *expansion) {
    witness *w = context;
    if (w->count < sizeof w->cells / sizeof *w->cells) {
        w->cells[w->count] = expansion->cell;
        w->f[w->count] = (expansion->g + expansion->h) / w->straight;
    }
    w->count++;
}

/* Steps from E3 to E5, first to the cells that are given, each with two expansions; then on to the goal.
 * Returns the moves in all. */
static uint64_t replay(const char *rows, test_belief belief, const char *planner, const interval *told,
                       size_t count) {
    test_terrain terrain;
    test_trek trek = {0};
    bool good = test_terrain_open(&terrain, drawn(rows), belief, 1, 2012);
    wend_agent *agent = good ? test_terrain_agent(&terrain, planner) : NULL;
    if (agent && test_trek_start(&terrain, &trek, agent, planner, cell_named("E3"), cell_named("E5"))) {
        witness w = {.straight = terrain.stage.grid.straight};
        wend_watch watch = {see, &w};
        wend_agent_watch(agent, &watch);
        for (size_t i = 0; i < count; i++) {
            char here[3];
            w.count = 0;
            wend_step step = test_trek_step(&terrain, &trek);
            CHECK_THAT(step.outcome == WEND_STEP_MOVED && wend_agent_cell(agent) == cell_named(told[i].to),
                       "%s, interval %zu: outcome %d, on %s and not on %s", planner, i + 1, (int)step.outcome,
                       name_of(wend_agent_cell(agent), here), told[i].to);
            const interval *before = i ? &told[i - 1] : NULL;
            if (before && before->best && CHECK(w.count))
                CHECK_THAT(w.cells[0] == cell_named(before->best) && w.f[0] == before->f,
                           "%s, interval %zu: expands %s of %llu first, not %s of %u", planner, i + 1,
                           name_of(w.cells[0], here), (unsigned long long)w.f[0], before->best, before->f);
            CHECK_THAT(step.expansions == 2, "%s, interval %zu: %llu expansions", planner, i + 1,
                       (unsigned long long)step.expansions);
            test_case();
        }
        wend_agent_watch(agent, NULL);
        CHECK(test_trek_go(&terrain, &trek, 100) == WEND_STEP_ARRIVED);
    }
    wend_agent_destroy(agent);
    test_terrain_close(&terrain);
    return trek.walk.moves;
}

/* Figure 1: the goal is found at the end of the fourth interval, and no cell is expanded after it. */
static void figure_1(void) {
    static const interval told[] = {{"E2", "D2", 6}, {"D2", "C3", 8}, {"C2", NULL, 0}, {"C3", NULL, 0}};
    static const char *const forms[] = {"tba:k=2,trace=free", "rtba:k=2,trace=free", "tbaa:k=2,trace=free"};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        CHECK(replay(known, TEST_KNOWN, forms[i], told, 4) == 8);
        test_case();
    }
    test_terrain terrain;
    wend_agent *agent = test_terrain_open(&terrain, drawn(known), TEST_KNOWN, 1, 1)
                            ? test_terrain_agent(&terrain, forms[0])
                            : NULL;
    if (agent && CHECK(wend_agent_start(agent, cell_named("E3"), cell_named("E5"), NULL) == WEND_OK)) {
        for (int i = 0; i < 8; i++) {
            wend_step step = wend_agent_step(agent);
            CHECK(step.outcome == WEND_STEP_MOVED && step.expansions == (i < 4 ? 2 : 0));
        }
        CHECK(wend_agent_cell(agent) == cell_named("E5") && wend_agent_counters(agent).expansions == 8 &&
              wend_agent_counters(agent).searches == 1);
    }
    wend_agent_destroy(agent);
    test_terrain_close(&terrain);
}

/* Figure 2: C3 is seen to be blocked after the third move. RTBA* heads back for E2 and turns round when
 * only B2 is left (2(b) and 2(d)); TBAA* has learnt that E2 is far from the goal and goes to B2 at once
 * (2(c)), and so needs fewer moves. */
static void figure_2(void) {
    static const interval back[] = {{"E2", "D2", 6}, {"D2", "C3", 8}, {"C2", NULL, 0},
                                    {"D2", "E2", 5}, {"C2", "B2", 7}, {"B2", NULL, 0}};
    static const interval onward[] = {
        {"E2", "D2", 6}, {"D2", "C3", 8}, {"C2", NULL, 0}, {"B2", "B2", 7}, {"B3", NULL, 0}};
    uint64_t restarting = replay(blocked_c3, TEST_UNKNOWN, "rtba:k=2,trace=free", back, 6);
    uint64_t adaptive = replay(blocked_c3, TEST_UNKNOWN, "tbaa:k=2,trace=free", onward, 5);
    CHECK_THAT(adaptive < restarting && adaptive >= 10, "%llu moves of RTBA*, %llu of TBAA*",
               (unsigned long long)restarting, (unsigned long long)adaptive);
}

/* The path of a walk without its detours: what remains if it forgets every loop. An agent that moves in one
 * search tree walks the tree's own path but for going back. */
static wend_cost without_loops(const test_grid *grid, const wend_cell *walk, size_t count, size_t *at) {
    size_t length = 0;
    wend_cell *path = calloc(count ? count : 1, sizeof *path);
    if (!path) abort();
    for (wend_cell cell = 0; cell < grid->cells; cell++) at[cell] = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        if (at[walk[i]] != SIZE_MAX)
            while (length > at[walk[i]] + 1) at[path[--length]] = SIZE_MAX;
        else
            at[walk[i]] = length, path[length++] = walk[i];
    }
    wend_cost cost = 0;
    for (size_t i = 1; i < length; i++) cost += test_distance(grid, path[i - 1], path[i]);
    free(path);
    return cost;
}

enum { LONGEST = 20000 };

/* One run from where the agent stands to its goal; the cost of its path without loops. */
static wend_outcome run_once(test_terrain *terrain, test_trek *trek, uint64_t *searches, wend_cost *cost) {
    wend_cell *walk = calloc(LONGEST + 1, sizeof *walk);
    size_t *at = calloc(terrain->stage.grid.cells, sizeof *at), count = 0;
    wend_outcome outcome = WEND_STEP_WAITING;
    if (!walk || !at) abort();
    walk[count++] = wend_agent_cell(trek->agent);
    *searches = 0;
    for (int steps = 0; steps < LONGEST; steps++) {
        outcome = test_trek_step(terrain, trek).outcome;
        if (steps == 0) *searches = wend_agent_counters(trek->agent).searches; /* the run's first has begun */
        if (outcome == WEND_STEP_MOVED) walk[count++] = wend_agent_cell(trek->agent);
        if (outcome != WEND_STEP_MOVED && outcome != WEND_STEP_WAITING) break;
    }
    *searches = wend_agent_counters(trek->agent).searches - *searches;
    *cost = without_loops(&terrain->stage.grid, walk, count, at);
    free(walk);
    free(at);
    return outcome;
}

/* Algorithm 4: back to the start with all that was seen, until a run begins no second search. Then its path
 * costs as much as a shortest one in truth, whatever the budget; and it takes at most a run for every cell
 * that was found blocked, and one. */
static void repeated_runs_end_with_a_shortest_path(void) {
    static const char *const planners[] = {
        "rtba:k=1",         "rtba:k=5", "rtba:k=unlimited",   "rtba:k=3,trace=free", "tbaa:k=1", "tbaa:k=5",
        "tbaa:k=unlimited", "tbaa",     "tbaa:k=3,trace=free"};
    uint64_t several = 0;
    for (uint64_t number = 0; number < 400; number++)
        for (int anew = 0; anew < 2; anew++) { /* put back with what was learnt, or started again without */
            const char *planner = planners[number % (sizeof planners / sizeof *planners)];
            test_random random = {number};
            test_terrain terrain;
            test_trek trek;
            wend_cell start, goal;
            bool good =
                test_terrain_any(&terrain, 8000 + number, 30, number % 2 ? TEST_UNKNOWN : TEST_PARTIAL) &&
                test_terrain_problem(&terrain, &random, &start, &goal) && start != goal;
            wend_agent *agent = good ? test_terrain_agent(&terrain, planner) : NULL;
            if (agent && test_trek_start(&terrain, &trek, agent, planner, start, goal)) {
                wend_cost shortest = WEND_NO_COST, cost = 0;
                if (terrain.stage.grid.open[goal]) {
                    test_dijkstra(&terrain.stage.grid, goal, terrain.stage.left);
                    shortest = terrain.stage.left[start];
                }
                wend_outcome outcome;
                uint64_t searches, runs = 0;
                for (;;) {
                    outcome = run_once(&terrain, &trek, &searches, &cost);
                    runs++;
                    if (outcome != WEND_STEP_ARRIVED || !searches || runs > terrain.changes + 1) break;
                    if (anew) {
                        if (!test_trek_start(&terrain, &trek, agent, planner, start, goal)) break;
                    } else {
                        CHECK(wend_agent_place(agent, start, NULL) == WEND_OK);
                        test_trek_changed(&terrain, &trek, false);
                    }
                }
                several += runs > 1;
                if (shortest == WEND_NO_COST)
                    CHECK_THAT(outcome == WEND_STEP_UNREACHABLE, "%s on map %llu: outcome %d", planner,
                               (unsigned long long)number, (int)outcome);
                else
                    CHECK_THAT(outcome == WEND_STEP_ARRIVED && !searches && cost == shortest,
                               "%s on map %llu, %s: run %llu ends with outcome %d, a path of %llu, and %llu "
                               "searches more; %llu is possible",
                               planner, (unsigned long long)terrain.stage.number, anew ? "started" : "placed",
                               (unsigned long long)runs, (int)outcome, (unsigned long long)cost,
                               (unsigned long long)searches, (unsigned long long)shortest);
                if (strstr(planner, "unlimited") && outcome == WEND_STEP_ARRIVED && anew)
                    CHECK(trek.walk.cost == shortest); /* it does not even go back */
            }
            wend_agent_destroy(agent);
            test_terrain_close(&terrain);
            test_case();
        }
    CHECK_THAT(several > 100, "%llu tasks took more than one run", (unsigned long long)several);
}

static const test tests[] = {
    {"figure 1", figure_1},
    {"figure 2", figure_2},
    {"repeated runs end with a shortest path", repeated_runs_end_with_a_shortest_path},
};

TEST_MAIN(tests)

/* Planners on ground that they know in part, not at all, or wrongly. The steps are checked one by one in
 * support/agents/terrain.c: legal in truth, seen what is in reach, nothing else believed, ends that are right. */
#include "support/agents/terrain.h"
#include "support/check.h"
#include "support/settings.h"

#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

/* Open where both are. */
static test_grid both_open(const test_grid *a, const test_grid *b) {
    test_grid both = *a;
    both.open = calloc(a->cells, 1);
    if (!both.open) abort();
    for (wend_cell cell = 0; cell < a->cells; cell++) both.open[cell] = a->open[cell] && b->open[cell];
    return both;
}

typedef struct tally {
    uint64_t arrived, unreachable, cut_off;
} tally;

/* On maps of so many cells learners are given the time that a proof takes. */
enum { SMALL = 64 };

/* One task. Where a path leads over cells that are open and believed to be, every planner arrives. Complete
 * ones end in any case; where no wall is believed that is not there, they arrive iff there is a path. */
static void cross(test_terrain *terrain, const char *planner, wend_cell start, wend_cell goal, tally *sum) {
    wend_agent *agent = test_terrain_agent(terrain, planner);
    test_trek trek;
    if (agent && test_trek_start(terrain, &trek, agent, planner, start, goal)) {
        const test_grid *truth = &terrain->stage.grid;
        test_grid both = both_open(truth, terrain->knowledge ? &terrain->believed : truth);
        bool sure = test_terrain_joined(terrain, &both, start, goal) || start == goal;
        bool possible = test_terrain_joined(terrain, truth, start, goal) || start == goal;
        bool complete = test_is_complete(planner) || truth->cells <= SMALL;
        uint64_t limit = sure || complete ? test_trek_limit(terrain, &trek) : 400;
        wend_outcome end = test_trek_go(terrain, &trek, limit);
        const char *wrong = NULL;
        if (sure && end != WEND_STEP_ARRIVED) wrong = "there is a path, all of it believed in";
        if (!possible && end == WEND_STEP_ARRIVED) wrong = "there is no path";
        if (complete && end == WEND_STEP_WAITING) wrong = "it should have ended";
        if (complete && possible && terrain->belief != TEST_WRONG && end != WEND_STEP_ARRIVED)
            wrong = "there is a path";
        CHECK_THAT(!wrong, "%s on map %llu, belief %d, from %u to %u: outcome %d after %llu steps, but %s",
                   planner, (unsigned long long)terrain->stage.number, (int)terrain->belief, start, goal,
                   (int)end, (unsigned long long)trek.walk.steps, wrong ? wrong : "");
        if (end != WEND_STEP_WAITING) { /* an end stays */
            uint64_t hash = wend_agent_hash(agent);
            wend_step step = test_trek_step(terrain, &trek);
            CHECK_THAT(step.outcome == end && wend_agent_hash(agent) == hash,
                       "%s on map %llu: a step after outcome %d did something (%d)", planner,
                       (unsigned long long)terrain->stage.number, (int)end, (int)step.outcome);
        }
        sum->arrived += end == WEND_STEP_ARRIVED;
        sum->unreachable += end == WEND_STEP_UNREACHABLE;
        sum->cut_off += end == WEND_STEP_WAITING;
        test_grid_free(&both);
    }
    wend_agent_destroy(agent);
}

static void unknown_ground_is_crossed(void) {
    tally sum = {0};
    for (uint64_t number = 0; number < test_some(960); number++) {
        test_random random = {number};
        for (size_t i = number % 12; i < test_planner_count(); i += 12) {
            test_terrain terrain;
            wend_cell start, goal;
            if (test_terrain_any(&terrain, number, 24, (test_belief)(1 + (number / 12 + i) % 3)) &&
                test_terrain_problem(&terrain, &random, &start, &goal))
                cross(&terrain, test_planner(i), start, goal, &sum);
            test_terrain_close(&terrain);
            test_case();
        }
    }
    CHECK_THAT(sum.arrived > test_some(2000) && sum.unreachable > test_some(500),
               "%llu arrived, %llu unreachable, %llu cut off: too few to mean much",
               (unsigned long long)sum.arrived, (unsigned long long)sum.unreachable,
               (unsigned long long)sum.cut_off);
}

/* Several tasks over one knowledge: what was seen in one is known in the next, and that is right too. */
static void what_was_seen_stays(void) {
    for (uint64_t number = 0; number < test_some(240); number++) {
        test_random random = {number};
        test_terrain terrain;
        const char *planner = test_planner(number % test_planner_count());
        bool good = test_terrain_any(&terrain, 2000 + number, 20, (test_belief)(1 + number % 3));
        wend_agent *agent = good ? test_terrain_agent(&terrain, planner) : NULL;
        for (int task = 0; agent && task < 8; task++) {
            test_trek trek;
            wend_cell start, goal;
            if (!test_terrain_problem(&terrain, &random, &start, &goal)) break;
            uint64_t changes = terrain.changes;
            if (!test_trek_start(&terrain, &trek, agent, planner, start, goal)) break;
            CHECK(wend_knowledge_changes(terrain.knowledge) >= changes);
            (void)test_trek_go(&terrain, &trek, 2000);
            test_terrain_check(&terrain, planner);
        }
        wend_agent_destroy(agent);
        test_terrain_close(&terrain);
        test_case();
    }
}

static const char *const replanners[] = {"repeated-astar",     "adaptive-astar",     "dstar-lite",
                                         "repeated-astar:k=5", "adaptive-astar:k=5", "dstar-lite:k=5"};
enum { REPLANNERS = sizeof replanners / sizeof *replanners };

/* Nothing more can be learnt: the rest of the walk is a shortest path over what is believed. */
static void walk_a_shortest_path(test_terrain *terrain, test_trek *trek, const char *who) {
    wend_cell from = wend_agent_cell(trek->agent), goal = wend_agent_goal(trek->agent);
    wend_cost *left = terrain->stage.left;
    for (wend_cell cell = 0; cell < terrain->believed.cells; cell++) left[cell] = WEND_NO_COST;
    if (terrain->believed.open[goal]) test_dijkstra(&terrain->believed, goal, left);
    wend_cost walked = trek->walk.cost, shortest = from == goal ? 0 : left[from];
    uint64_t changes = terrain->changes;
    wend_outcome end = test_trek_go(terrain, trek, test_trek_limit(terrain, trek));
    CHECK(terrain->changes == changes);
    if (shortest == WEND_NO_COST)
        CHECK_THAT(end == WEND_STEP_UNREACHABLE, "%s %s on map %llu: outcome %d, and there is no path", who,
                   trek->planner, (unsigned long long)terrain->stage.number, (int)end);
    else
        CHECK_THAT(end == WEND_STEP_ARRIVED && trek->walk.cost - walked == shortest,
                   "%s %s on map %llu: outcome %d with a path of %llu from %u to %u, and %llu is possible",
                   who, trek->planner, (unsigned long long)terrain->stage.number, (int)end,
                   (unsigned long long)(trek->walk.cost - walked), from, goal, (unsigned long long)shortest);
}

/* A leader walks for a while over unknown ground. Then the truth is made what is believed. Its own way on,
 * the way of one that waited meanwhile and shares what was seen, and that of newcomers from the leader's
 * place are shortest paths over the belief; so the newcomers' are of equal cost. */
static void given_the_same_belief_paths_cost_the_same(void) {
    for (uint64_t number = 0; number < test_some(300); number++)
        for (size_t i = 0; i < REPLANNERS; i++) {
            if ((number + i) % 2) continue;
            test_random random = {number};
            test_terrain terrain;
            test_trek leader, second, other;
            wend_cell start, goal, beside, end;
            bool good =
                test_terrain_any(&terrain, 4000 + number, 24, number % 3 ? TEST_UNKNOWN : TEST_PARTIAL) &&
                test_terrain_problem(&terrain, &random, &start, &goal) &&
                test_terrain_problem(&terrain, &random, &beside, &end);
            const char *one = replanners[i], *two = replanners[(i + number / 2) % REPLANNERS];
            wend_agent *first = good ? test_terrain_agent(&terrain, one) : NULL;
            wend_agent *waiting = good ? test_terrain_agent(&terrain, two) : NULL;
            good = first && waiting && test_trek_start(&terrain, &second, waiting, two, beside, end) &&
                   test_terrain_problem(&terrain, &random, &start, &goal) &&
                   test_trek_start(&terrain, &leader, first, one, start, goal);
            if (good) {
                leader.crowded = second.crowded = true;
                for (uint32_t steps = test_below(&random, 30); steps > 0; steps--)
                    (void)test_trek_step(&terrain, &second);
                for (uint32_t steps = test_below(&random, 100); steps > 0; steps--)
                    if (test_trek_step(&terrain, &leader).outcome == WEND_STEP_ARRIVED) break;
                test_terrain_freeze(&terrain);
                if (number % 4 == 0)
                    while (!wend_world_settle(terrain.stage.world, 1000)) {
                    }
                wend_cell from = wend_agent_cell(first);
                walk_a_shortest_path(&terrain, &leader, "leading");
                walk_a_shortest_path(&terrain, &second, "waiting");
                for (size_t j = 0; j < REPLANNERS && terrain.believed.open[goal]; j++) {
                    wend_agent *newcomer = test_terrain_agent(&terrain, replanners[j]);
                    if (newcomer && test_trek_start(&terrain, &other, newcomer, replanners[j], from, goal))
                        walk_a_shortest_path(&terrain, &other, "newcomer");
                    wend_agent_destroy(newcomer);
                }
            }
            wend_agent_destroy(first);
            wend_agent_destroy(waiting);
            test_terrain_close(&terrain);
            test_case();
        }
}

/* The complete replanners stand while they search, so their moves are the same whatever the budget; also in
 * pieces. So are the learners' if the pieces add up to the budget. */
static void budgets_do_not_change_the_way(void) {
    static const char *const whole[] = {"repeated-astar", "adaptive-astar", "dstar-lite"};
    static const char *const pieces[] = {"rtaa:k=20", "dartaa:k=20", "lss-lrta:k=20", "lrta", "lrta:d=3"};
    for (uint64_t number = 0; number < test_some(120); number++)
        for (size_t i = 0; i < 8; i++) {
            test_random random = {number};
            uint64_t routes[4] = {0};
            wend_cell start, goal;
            for (int form = 0; form < 4; form++) {
                static const char *const budgets[] = {"", ":k=1", ":k=7", ":k=100"};
                char planner[40];
                snprintf(planner, sizeof planner, "%s%s", i < 3 ? whole[i] : pieces[i - 3],
                         i < 3 ? budgets[form] : "");
                test_terrain terrain;
                test_trek trek;
                test_random same = random;
                bool good = test_terrain_any(&terrain, 5000 + number, 20, (test_belief)(1 + number % 3)) &&
                            test_terrain_problem(&terrain, &same, &start, &goal);
                wend_agent *agent = good ? test_terrain_agent(&terrain, planner) : NULL;
                if (agent && test_trek_start(&terrain, &trek, agent, planner, start, goal))
                    for (int step = 0; step < (i < 3 ? 30000 : 150); step++) {
                        static const uint64_t piece[] = {20, 1, 4, 10};
                        wend_cell before = wend_agent_cell(agent);
                        for (uint64_t sum = 0; i >= 3 && sum < 20; sum += piece[form])
                            (void)wend_agent_plan(agent, piece[form]);
                        wend_step made = i < 3 ? wend_agent_step(agent) : wend_agent_move(agent);
                        test_trek_check(&terrain, &trek, before, made);
                        if (made.outcome != WEND_STEP_MOVED && made.outcome != WEND_STEP_WAITING) break;
                    }
                if (agent) routes[form] = trek.walk.route;
                CHECK_THAT(routes[form] == routes[0], "%s on map %llu: another way in form %d", planner,
                           (unsigned long long)number, form);
                wend_agent_destroy(agent);
                test_terrain_close(&terrain);
            }
            test_case();
        }
}

/* Two teams of the same settings in worlds of their own agree in their whole state after every step; one of
 * them has walked before and forgotten it. */
static void runs_repeat(void) {
    for (size_t i = 0; i < test_planner_count(); i++)
        for (uint64_t number = 0; number < 6; number++) {
            test_terrain terrains[2] = {{.edits = 0}, {.edits = 0}};
            wend_agent *agents[2][2] = {{NULL, NULL}, {NULL, NULL}};
            const char *other = test_planner((i * 5 + number) % test_planner_count());
            test_random random = {number + 10 * i};
            wend_cell starts[2] = {0, 0}, goals[2] = {0, 0};
            bool good = true;
            for (int side = 0; side < 2; side++) {
                good = test_terrain_any(&terrains[side], 6000 + number, 18, (test_belief)(1 + number % 3)) &&
                       good;
                for (int a = 0; good && a < 2; a++) {
                    agents[side][a] = test_terrain_agent(&terrains[side], a ? other : test_planner(i));
                    good = agents[side][a] &&
                           (side || test_terrain_problem(&terrains[0], &random, &starts[a], &goals[a]));
                }
            }
            for (int a = 0; good && a < 2; a++)
                for (int step = 0; step < 50; step++) {
                    if (step % 20 == 0)
                        (void)wend_agent_start(agents[1][a], starts[step / 20 % 2], goals[a], NULL);
                    (void)wend_agent_step(agents[1][a]);
                }
            if (good) wend_knowledge_forget(terrains[1].knowledge);
            for (int a = 0; good && a < 2; a++) { /* the second goal may be a wall that the first sees */
                wend_status one = wend_agent_start(agents[0][a], starts[a], goals[a], NULL);
                good =
                    CHECK(wend_agent_start(agents[1][a], starts[a], goals[a], NULL) == one) && one == WEND_OK;
            }
            for (int step = 0; good && step < 120; step++)
                for (int a = 0; a < 2; a++) {
                    wend_step one = wend_agent_step(agents[0][a]), two = wend_agent_step(agents[1][a]);
                    good = CHECK_THAT(one.outcome == two.outcome && one.direction == two.direction &&
                                          one.operations == two.operations &&
                                          wend_agent_hash(agents[0][a]) == wend_agent_hash(agents[1][a]) &&
                                          wend_map_fingerprint(wend_knowledge_map(terrains[0].knowledge)) ==
                                              wend_map_fingerprint(wend_knowledge_map(terrains[1].knowledge)),
                                      "%s beside %s on map %llu: step %d of agent %d differs",
                                      test_planner(i), other, (unsigned long long)number, step, a);
                    if (!good) break;
                }
            for (int side = 0; side < 2; side++) {
                for (int a = 0; a < 2; a++) wend_agent_destroy(agents[side][a]);
                test_terrain_close(&terrains[side]);
            }
            test_case();
        }
}

static wend_map *drawn(int32_t width, int32_t height, const char *rows, uint32_t rules) {
    wend_map_options options = wend_default_map_options();
    options.rules = test_rules(rules);
    wend_map *map = NULL;
    if (!CHECK(wend_map_create(width, height, &options, &map, NULL) == WEND_OK)) return NULL;
    for (int32_t y = 0; y < height; y++)
        CHECK(wend_map_set_row(map, y, rows + (size_t)y * (size_t)width, NULL) == WEND_OK);
    return map;
}

/* Maps on which there is hardly anything, or all that is believed is wrong. */
static void odd_shapes(void) {
    enum { no, yes, maybe };
    static const struct {
        int32_t width, height;
        const char *truth, *first; /* NULL: unknown */
        wend_cell start, goal;
        int reachable; /* maybe: it depends on where it walks before it knows better */
    } cases[] = {
        {1, 1, ".", NULL, 0, 0, yes},
        {1, 1, ".", ".", 0, 0, yes},
        {2, 1, "..", NULL, 0, 1, yes},
        {2, 1, ".@", NULL, 0, 1, no}, /* the goal is a wall, and that is not known */
        {9, 1, ".........", NULL, 0, 8, yes},
        {9, 1, "......@..", NULL, 0, 8, no},
        {9, 1, "........@", NULL, 0, 8, no},
        {1, 7, "....@..", NULL, 0, 6, no},
        {1, 7, ".......", NULL, 6, 0, yes},
        {5, 1, ".....", "@....", 0, 4, yes},           /* it stands where it believes a wall */
        {5, 1, ".....", "@@@@.", 0, 4, maybe},         /* and sees one cell of the way, not the next */
        {3, 1, "...", "@@.", 0, 2, yes},               /* all of the way comes into sight */
        {3, 3, ".........", "@@@@@@@@.", 0, 8, maybe}, /* a goal behind walls that are not there */
        {5, 5, "..@....@....@....@....@..", NULL, 0, 4, no},
        {5, 5, "..@....@....@....@.......", NULL, 0, 4, yes},
        {5, 3, ".....@@@@......", ".....@@.@......", 0, 10, yes}, /* a gap that is not there */
        {4, 2, ".@.@@.@.", NULL, 0, 7, no},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (size_t i = 0; i < test_planner_count(); i++) {
            /* Four directions, or eight with strict corners. */
            uint32_t rules = (uint32_t)(c + i) % 2 ? 1 : 0;
            wend_map *map = drawn(cases[c].width, cases[c].height, cases[c].truth, rules);
            wend_map *first =
                cases[c].first ? drawn(cases[c].width, cases[c].height, cases[c].first, rules) : NULL;
            test_terrain terrain;
            bool good = test_terrain_open(&terrain, map, cases[c].first ? TEST_WRONG : TEST_UNKNOWN, 1, c);
            if (good && first) { /* another belief than the one drawn from the number */
                wend_knowledge_options options = wend_default_knowledge_options();
                options.believed = first;
                wend_knowledge_destroy(terrain.knowledge);
                terrain.knowledge = NULL;
                good = CHECK(wend_knowledge_create(terrain.stage.world, &options, &terrain.knowledge, NULL) ==
                             WEND_OK);
                terrain.stage.knowledge = terrain.knowledge;
                test_grid_free(&terrain.believed);
                terrain.believed = test_grid_of(first);
            }
            wend_agent *agent = good ? test_terrain_agent(&terrain, test_planner(i)) : NULL;
            test_trek trek;
            if (agent &&
                test_trek_start(&terrain, &trek, agent, test_planner(i), cases[c].start, cases[c].goal)) {
                wend_outcome end = test_trek_go(&terrain, &trek, 10000);
                bool no_path = end == WEND_STEP_UNREACHABLE;
                CHECK_THAT((cases[c].reachable && end == WEND_STEP_ARRIVED) ||
                               (cases[c].reachable != yes && no_path),
                           "%s in case %zu: outcome %d after %llu steps", test_planner(i), c, (int)end,
                           (unsigned long long)trek.walk.steps);
            }
            wend_agent_destroy(agent);
            test_terrain_close(&terrain);
            wend_map_destroy(first);
            test_case();
        }
}

/* A believed wall all round, or nothing but walls believed: no goal can be given, and no step is made. */
static void nothing_but_walls_believed(void) {
    for (size_t i = 0; i < test_planner_count(); i++) {
        test_random random = {i};
        wend_map *map = test_map_make(TEST_SHAPE_OPEN, 6, 6, test_rules((uint32_t)i), &random, NULL);
        wend_map *walls = test_map_make(TEST_SHAPE_BLOCKED, 6, 6, test_rules((uint32_t)i), &random, NULL);
        test_stage stage;
        wend_knowledge *knowledge = NULL;
        wend_knowledge_options options = wend_default_knowledge_options();
        options.believed = walls;
        if (test_stage_open(&stage, map, NULL) &&
            CHECK(wend_knowledge_create(stage.world, &options, &knowledge, NULL) == WEND_OK)) {
            wend_agent_options agent_options = wend_default_agent_options();
            agent_options.knowledge = knowledge;
            wend_agent *agent = test_agent_make(&stage, test_planner(i), &agent_options);
            wend_error error = {0};
            CHECK(agent && wend_agent_start(agent, 0, 35, &error) == WEND_STATUS_BLOCKED &&
                  strstr(error.message, "goal"));
            CHECK(agent && wend_agent_cell(agent) == WEND_NO_CELL);
            wend_agent_destroy(agent);
        }
        wend_knowledge_destroy(knowledge);
        test_stage_close(&stage);
        wend_map_destroy(walls);
        test_case();
    }
}

/* A deep bay lies on the straight way. The scout walks into it and comes out again; one who shares what it
 * saw goes round at once, and one who does not walks into it too. */
static void what_a_scout_saw_is_avoided(void) {
    static const char rows[] = "...................."
                               "....@@@@@@@@@@......"
                               ".............@......"
                               ".............@......"
                               ".............@......"
                               ".............@......"
                               ".............@......"
                               "....@@@@@@@@@@......"
                               "....................";
    static const char *const planners[] = {"repeated-astar",   "adaptive-astar",   "dstar-lite",
                                           "tbaa:k=unlimited", "rtba:k=unlimited", "astar"};
    for (size_t i = 0; i < sizeof planners / sizeof *planners; i++)
        for (uint32_t connect = 0; connect < 2; connect++) {
            test_terrain terrain;
            bool good = test_terrain_open(&terrain, drawn(20, 9, rows, connect), TEST_UNKNOWN, 4, connect);
            wend_agent *scout = good ? test_terrain_agent(&terrain, planners[i]) : NULL;
            wend_agent *other = good ? test_terrain_agent(&terrain, planners[i]) : NULL;
            test_trek first, second;
            wend_cell start = 4 * 20, goal = 4 * 20 + 19;
            if (scout && other && test_trek_start(&terrain, &first, scout, planners[i], start, goal)) {
                CHECK(test_trek_go(&terrain, &first, 2000) == WEND_STEP_ARRIVED);
                uint64_t found = terrain.changes;
                CHECK(found >= 7);
                test_dijkstra(&terrain.believed, goal, terrain.stage.left);
                wend_cost shortest = terrain.stage.left[start];
                CHECK(test_trek_start(&terrain, &second, other, planners[i], start, goal));
                CHECK(test_trek_go(&terrain, &second, 2000) == WEND_STEP_ARRIVED);
                CHECK_THAT(second.walk.cost == shortest &&
                               second.walk.cost + 10 * terrain.stage.grid.straight <= first.walk.cost,
                           "%s: the scout walked %llu, the other %llu, and %llu was possible", planners[i],
                           (unsigned long long)first.walk.cost, (unsigned long long)second.walk.cost,
                           (unsigned long long)shortest);
                for (int32_t y = 2; y < 7; y++) CHECK(!terrain.stage.been[(uint32_t)y * 20 + 12]);
            }
            wend_agent_destroy(scout);
            wend_agent_destroy(other);
            test_terrain_close(&terrain);
            test_case();
        }
}

/* A walk of at most `steps` on a map that is not known at first; a hash of all that it did, and the cells
 * seen. */
static uint64_t hidden_walk(const wend_map *map, const char *planner, uint32_t radius, wend_cell start,
                            wend_cell goal, int steps, uint8_t *seen) {
    uint64_t hash = 0;
    wend_world_options options = wend_default_world_options();
    wend_knowledge_options sensing = wend_default_knowledge_options();
    wend_agent_options making = wend_default_agent_options();
    const wend_settings *settings = NULL;
    wend_world *world = NULL;
    wend_knowledge *knowledge = NULL;
    wend_agent *agent = NULL;
    sensing.radius = radius;
    if (CHECK(test_settings_parse(planner, &settings, NULL) == WEND_OK) &&
        CHECK(wend_world_create(map, &options, &world, NULL) == WEND_OK) &&
        CHECK(wend_knowledge_create(world, &sensing, &knowledge, NULL) == WEND_OK)) {
        making.knowledge = knowledge;
        if (CHECK(wend_agent_create(world, settings, &making, &agent, NULL) == WEND_OK) &&
            CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK))
            for (int i = 0; i < steps; i++) {
                wend_step step = wend_agent_step(agent);
                hash = hash * 31 + (uint64_t)step.outcome * 16 + step.direction;
                hash = (hash * 31 + step.expansions) * 31 + step.operations;
                hash = hash * 31 + wend_agent_cell(agent);
            }
        for (wend_cell cell = 0; cell < wend_map_cells(map); cell++)
            seen[cell] = wend_knowledge_seen(knowledge, cell);
    }
    wend_agent_destroy(agent);
    wend_knowledge_destroy(knowledge);
    wend_world_destroy(world);
    return hash;
}

/* Nobody peeks: where all that the agent has not seen is another way round, it does the same to the last
 * operation. */
static void what_was_not_seen_does_not_matter(void) {
    uint64_t turned = 0;
    for (uint64_t number = 0; number < test_some(250); number++)
        for (size_t i = number % 3; i < test_planner_count(); i += 3) {
            wend_map *map = test_map_any(70000 + number);
            test_random random = {number};
            wend_cell start = map ? test_open_cell(map, &random) : WEND_NO_CELL;
            if (start != WEND_NO_CELL) {
                uint32_t cells = wend_map_cells(map), radius = 1 + test_below(&random, 3);
                wend_cell goal = test_below(&random, cells);
                uint8_t *seen = calloc(cells, 1), *later = calloc(cells, 1);
                if (!seen || !later) abort();
                int steps = 1 + (int)test_below(&random, 80), width = wend_map_width(map);
                uint64_t hash = hidden_walk(map, test_planner(i), radius, start, goal, steps, seen);
                for (wend_cell cell = 0; cell < cells; cell++) {
                    if (seen[cell]) continue;
                    turned++;
                    wend_rect only = {(int32_t)cell % width, (int32_t)cell / width, 1, 1};
                    CHECK(wend_map_edit(map, only, !wend_map_is_open_cell(map, cell), NULL) == WEND_OK);
                }
                CHECK_THAT(hidden_walk(map, test_planner(i), radius, start, goal, steps, later) == hash &&
                               memcmp(seen, later, cells) == 0,
                           "%s, map %llu, from %u to %u", test_planner(i), (unsigned long long)number, start,
                           goal);
                free(seen);
                free(later);
            }
            wend_map_destroy(map);
            test_case();
        }
    CHECK_THAT(turned > test_some(100000), "%llu cells", (unsigned long long)turned);
}

/* Depression avoidance leads another way, and there all the same (which the steps' own checks say). */
static void avoiding_depressions_makes_a_difference(void) {
    static const char *const planners[] = {"tbaa:k=5", "tbaa:k=5,da=yes"};
    uint64_t other = 0, all = 0;
    for (uint64_t number = 0; number < test_some(120); number++) {
        uint64_t routes[2] = {0, 1};
        for (int i = 0; i < 2; i++) {
            test_terrain terrain;
            test_random random = {number};
            test_trek trek;
            wend_cell start, goal;
            bool good = test_terrain_any(&terrain, 80000 + number, 40, TEST_UNKNOWN) &&
                        test_terrain_problem(&terrain, &random, &start, &goal);
            wend_agent *agent = good ? test_terrain_agent(&terrain, planners[i]) : NULL;
            if (agent && test_trek_start(&terrain, &trek, agent, planners[i], start, goal)) {
                (void)test_trek_go(&terrain, &trek, 20000);
                routes[i] = trek.walk.route;
                all += (uint64_t)i;
            }
            wend_agent_destroy(agent);
            test_terrain_close(&terrain);
        }
        other += routes[0] != routes[1];
        test_case();
    }
    CHECK_THAT(other * 20 > all && other < all, "%llu of %llu walks", (unsigned long long)other,
               (unsigned long long)all);
}

static const test tests[] = {
    {"unknown ground is crossed", unknown_ground_is_crossed},
    {"what was seen stays", what_was_seen_stays},
    {"given the same belief, paths cost the same", given_the_same_belief_paths_cost_the_same},
    {"budgets do not change the way", budgets_do_not_change_the_way},
    {"runs repeat", runs_repeat},
    {"odd shapes", odd_shapes},
    {"nothing but walls believed", nothing_but_walls_believed},
    {"what a scout saw is avoided", what_a_scout_saw_is_avoided},
    {"what was not seen does not matter", what_was_not_seen_does_not_matter},
    {"avoiding depressions makes a difference", avoiding_depressions_makes_a_difference},
};

TEST_MAIN(tests)

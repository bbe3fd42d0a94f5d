#include "support/agents/terrain.h"

#include "support/check.h"

#include <stdlib.h>
#include <string.h>

static bool make_belief(test_terrain *terrain, wend_map *map, test_random *random) {
    wend_map *first = NULL;
    if (terrain->belief == TEST_PARTIAL) {
        if (!CHECK(wend_map_copy(map, &first, NULL) == WEND_OK)) return false;
        uint32_t share = 1 + test_below(random, 33);
        for (wend_cell cell = 0; cell < wend_map_cells(map); cell++)
            if (wend_map_is_open_cell(map, cell) && test_below(random, 100) < share) {
                wend_xy xy = wend_map_xy(map, cell);
                CHECK(wend_map_edit(map, (wend_rect){xy.x, xy.y, 1, 1}, false, NULL) == WEND_OK);
            }
    } else if (terrain->belief == TEST_WRONG) {
        uint32_t shape = test_below(random, TEST_SHAPES + 2);
        first = test_map_make(shape < TEST_SHAPES ? (test_shape)shape : TEST_SHAPE_SCATTERED,
                              wend_map_width(map), wend_map_height(map), wend_map_rules(map), random, NULL);
        if (!CHECK(first)) return false;
    }
    terrain->first = first;
    return true;
}

bool test_terrain_open(test_terrain *terrain, wend_map *map, test_belief belief, uint32_t radius,
                       uint64_t number) {
    *terrain = (test_terrain){.belief = belief, .radius = radius};
    test_random random = {number ^ 0x51ed27u};
    bool believed = map && make_belief(terrain, map, &random);
    wend_world_options options = wend_default_world_options();
    options.editable = true;
    options.workspaces = 4;
    if (!test_stage_open(&terrain->stage, map, &options) || !believed) return false;
    terrain->stage.number = number;
    uint32_t cells = terrain->stage.grid.cells;
    terrain->seen = calloc(cells, 1);
    terrain->joined = calloc(cells, 1);
    if (!CHECK(terrain->seen && terrain->joined)) return false;
    if (belief == TEST_KNOWN) return true;
    terrain->believed = test_grid_of(terrain->first ? terrain->first : map);
    if (belief == TEST_UNKNOWN) memset(terrain->believed.open, 1, cells);
    wend_knowledge_options knowledge = wend_default_knowledge_options();
    knowledge.believed = terrain->first;
    knowledge.radius = radius;
    if (!CHECK(wend_knowledge_create(terrain->stage.world, &knowledge, &terrain->knowledge, NULL) == WEND_OK))
        return false;
    terrain->stage.knowledge = terrain->knowledge;
    test_terrain_check(terrain, "new");
    return true;
}

bool test_terrain_any(test_terrain *terrain, uint64_t number, int32_t side, test_belief belief) {
    test_random random = {number * 0x9e3779b97f4a7c15u + 7};
    int32_t width = 1 + (int32_t)test_below(&random, (uint32_t)side);
    int32_t height = 1 + (int32_t)test_below(&random, (uint32_t)side);
    if (test_below(&random, 10) == 0) width = 1 + (int32_t)test_below(&random, 2);
    if (test_below(&random, 10) == 0) height = 1 + (int32_t)test_below(&random, 2);
    uint32_t draw = test_below(&random, 15);
    test_shape shape = draw < TEST_SHAPES ? (test_shape)draw : TEST_SHAPE_SCATTERED;
    if (shape == TEST_SHAPE_BLOCKED) shape = TEST_SHAPE_ROOMS;
    uint32_t radius = test_below(&random, 3) ? 1 : 1 + test_below(&random, 6);
    wend_map *map =
        test_map_make(shape, width, height, test_rules((uint32_t)(number % TEST_RULES)), &random, NULL);
    return test_terrain_open(terrain, map, belief, radius, number);
}

void test_terrain_close(test_terrain *terrain) {
    wend_knowledge_destroy(terrain->knowledge);
    test_stage_close(&terrain->stage);
    wend_map_destroy(terrain->first);
    test_grid_free(&terrain->believed);
    free(terrain->seen);
    free(terrain->joined);
    *terrain = (test_terrain){0};
}

wend_agent *test_terrain_agent(const test_terrain *terrain, const char *planner) {
    wend_agent_options options = wend_default_agent_options();
    options.knowledge = terrain->knowledge;
    return test_agent_make(&terrain->stage, planner, &options);
}

void test_terrain_edit(test_terrain *terrain, wend_rect area, bool open) {
    wend_error error = {0};
    CHECK_THAT(wend_world_edit(terrain->stage.world, area, open, &error) == WEND_OK, "an edit is refused: %s",
               error.message);
    test_grid *grid = &terrain->stage.grid;
    for (int32_t y = area.y; y < area.y + area.height; y++)
        memset(grid->open + (size_t)y * (size_t)grid->width + area.x, open, (size_t)area.width);
    terrain->edits++;
}

static wend_rect cell_area(const test_grid *grid, wend_cell cell) {
    return (wend_rect){(int32_t)(cell % (uint32_t)grid->width), (int32_t)(cell / (uint32_t)grid->width), 1,
                       1};
}

void test_terrain_edit_cell(test_terrain *terrain, wend_cell cell, bool open) {
    test_terrain_edit(terrain, cell_area(&terrain->stage.grid, cell), open);
}

static wend_rect clipped(const test_grid *grid, int32_t x, int32_t y, int32_t width, int32_t height) {
    int32_t right = x + width < grid->width ? x + width : grid->width;
    int32_t bottom = y + height < grid->height ? y + height : grid->height;
    x = x < 0 ? 0 : x, y = y < 0 ? 0 : y;
    return (wend_rect){x, y, right - x, bottom - y};
}

void test_terrain_edit_any(test_terrain *terrain, const wend_agent *agent, test_random *random) {
    const test_grid *grid = &terrain->stage.grid;
    wend_rect at = cell_area(grid, wend_agent_cell(agent)), goal = cell_area(grid, wend_agent_goal(agent));
    bool open = test_below(random, 2);
    switch (test_below(random, 10)) {
    case 0: /* under its feet: closed for a while only, or there would be little else to see */
        test_terrain_edit(terrain, at, open || test_below(random, 2));
        break;
    case 1: /* a ring of walls around it, or all of that open */
        test_terrain_edit(terrain, clipped(grid, at.x - 1, at.y - 1, 3, 3), open);
        if (!open) test_terrain_edit(terrain, at, true);
        break;
    case 2: {
        uint32_t d = test_below(random, 8);
        wend_rect next = clipped(grid, at.x + (d > 0 && d < 4) - (d > 4),
                                 at.y + (d > 2 && d < 6) - (d < 2 || d > 6), 1, 1);
        if (next.width > 0 && next.height > 0) test_terrain_edit(terrain, next, open);
        break;
    }
    case 3:
        test_terrain_edit(terrain, goal, open || test_below(random, 2));
        break;
    case 4: { /* a rectangle */
        int32_t x = (int32_t)test_below(random, (uint32_t)grid->width);
        int32_t y = (int32_t)test_below(random, (uint32_t)grid->height);
        test_terrain_edit(
            terrain,
            clipped(grid, x, y, 1 + (int32_t)test_below(random, 6), 1 + (int32_t)test_below(random, 6)),
            open);
        break;
    }
    case 5: /* a wall from side to side, or a street */
        if (test_below(random, 2))
            test_terrain_edit(
                terrain, (wend_rect){0, (int32_t)test_below(random, (uint32_t)grid->height), grid->width, 1},
                open);
        else
            test_terrain_edit(
                terrain, (wend_rect){(int32_t)test_below(random, (uint32_t)grid->width), 0, 1, grid->height},
                open);
        break;
    default:
        test_terrain_edit_cell(terrain, test_below(random, grid->cells), open);
        break;
    }
}

void test_terrain_freeze(test_terrain *terrain) {
    for (wend_cell cell = 0; terrain->knowledge && cell < terrain->believed.cells; cell++)
        if (terrain->believed.open[cell] != terrain->stage.grid.open[cell])
            test_terrain_edit_cell(terrain, cell, terrain->believed.open[cell]);
}

bool test_terrain_joined(test_terrain *terrain, const test_grid *grid, wend_cell from, wend_cell to) {
    if (!grid->open[from] || !grid->open[to]) return false;
    (void)test_flood(grid, from, terrain->joined);
    return terrain->joined[to];
}

/* As many moves away as the radius, at most, on a map without walls. */
bool test_in_reach(const test_terrain *terrain, wend_cell from, wend_cell cell) {
    const test_grid *grid = &terrain->stage.grid;
    wend_rect a = cell_area(grid, from), b = cell_area(grid, cell);
    uint32_t across = (uint32_t)abs(a.x - b.x), down = (uint32_t)abs(a.y - b.y);
    uint32_t moves = grid->rules.connect == 4 ? across + down : across > down ? across : down;
    return moves <= terrain->radius;
}

void test_terrain_check(const test_terrain *terrain, const char *planner) {
    unsigned long long number = terrain->stage.number;
    const wend_map *truth = wend_world_map(terrain->stage.world);
    for (wend_cell cell = 0; cell < terrain->stage.grid.cells; cell++)
        if (!CHECK_THAT(wend_map_is_open_cell(truth, cell) == terrain->stage.grid.open[cell],
                        "map %llu: the truth about %u is another", number, cell))
            break;
    if (!terrain->knowledge) return;
    const wend_map *map = wend_knowledge_map(terrain->knowledge);
    for (wend_cell cell = 0; cell < terrain->believed.cells; cell++)
        if (!CHECK_THAT(
                wend_map_is_open_cell(map, cell) == terrain->believed.open[cell] &&
                    wend_knowledge_seen(terrain->knowledge, cell) == terrain->seen[cell],
                "%s on map %llu, radius %u: %u is believed %s and %s, and should be %s and %s", planner,
                number, terrain->radius, cell, wend_map_is_open_cell(map, cell) ? "open" : "blocked",
                wend_knowledge_seen(terrain->knowledge, cell) ? "seen" : "not seen",
                terrain->believed.open[cell] ? "open" : "blocked", terrain->seen[cell] ? "seen" : "not seen"))
            break;
    CHECK_THAT(wend_knowledge_changes(terrain->knowledge) == terrain->changes,
               "%s on map %llu: %llu beliefs changed, and %llu should have", planner, number,
               (unsigned long long)wend_knowledge_changes(terrain->knowledge),
               (unsigned long long)terrain->changes);
}

bool test_terrain_problem(const test_terrain *terrain, test_random *random, wend_cell *start,
                          wend_cell *goal) {
    const test_grid *truth = &terrain->stage.grid;
    const test_grid *believed = terrain->knowledge ? &terrain->believed : truth;
    bool starts = memchr(truth->open, 1, truth->cells), goals = memchr(believed->open, 1, believed->cells);
    if (!starts || !goals) return false;
    do *start = test_below(random, truth->cells);
    while (!truth->open[*start]);
    do *goal = test_below(random, truth->cells);
    while (!believed->open[*goal]);
    return true;
}

/* What a sensor at `at` sees now. It must, or (where the contract leaves it open) may have been looked at. */
static void look(test_terrain *terrain, const char *planner, wend_cell at, bool must) {
    const test_grid *truth = &terrain->stage.grid;
    const wend_map *map = wend_knowledge_map(terrain->knowledge);
    wend_rect middle = cell_area(truth, at);
    int32_t radius = (int32_t)terrain->radius;
    wend_rect area = clipped(truth, middle.x - radius, middle.y - radius, 2 * radius + 1, 2 * radius + 1);
    for (int32_t y = area.y; y < area.y + area.height; y++)
        for (int32_t x = area.x; x < area.x + area.width; x++) {
            wend_cell cell = (uint32_t)y * (uint32_t)truth->width + (uint32_t)x;
            if (!test_in_reach(terrain, at, cell)) continue;
            bool believed = wend_map_is_open_cell(map, cell);
            bool seen = wend_knowledge_seen(terrain->knowledge, cell);
            if (must)
                CHECK_THAT(seen && believed == truth->open[cell],
                           "%s on map %llu: from %u with radius %u, %u is %s and believed %s", planner,
                           (unsigned long long)terrain->stage.number, at, terrain->radius, cell,
                           truth->open[cell] ? "open" : "blocked", seen ? "another" : "not seen");
            if (!must && believed != truth->open[cell]) continue;
            if (believed != terrain->believed.open[cell]) terrain->changes++, terrain->opened += believed;
            terrain->believed.open[cell] = believed;
            terrain->seen[cell] |= seen;
        }
}

bool test_is_complete(const char *planner) {
    return test_is_whole_map(planner);
}

static uint64_t events(const test_terrain *terrain) {
    return terrain->changes + terrain->edits;
}

void test_trek_looked(test_terrain *terrain, const test_trek *trek) {
    if (terrain->knowledge) look(terrain, trek->planner, wend_agent_cell(trek->agent), false);
}

void test_trek_changed(test_terrain *terrain, test_trek *trek, bool new_goal) {
    trek->idle = 0;
    trek->right = UINT64_MAX;
    if (new_goal) {
        trek->gave_back = false;
        memset(terrain->stage.been, 0, terrain->stage.grid.cells);
    }
    terrain->stage.been[wend_agent_cell(trek->agent)] = 1;
    test_trek_looked(terrain, trek);
}

bool test_trek_start(test_terrain *terrain, test_trek *trek, wend_agent *agent, const char *planner,
                     wend_cell start, wend_cell goal) {
    *trek = (test_trek){.agent = agent, .planner = planner};
    wend_error error = {0};
    bool good = CHECK_THAT(wend_agent_start(agent, start, goal, &error) == WEND_OK, "%s on map %llu: %s",
                           planner, (unsigned long long)terrain->stage.number, error.message);
    if (good) test_trek_changed(terrain, trek, true);
    return good;
}

/* A step that says `unreachable` says it of the ground as it knows it now. */
static void check_unreachable(test_terrain *terrain, test_trek *trek) {
    if (trek->right == events(terrain)) return;
    const test_grid *grid = terrain->knowledge ? &terrain->believed : &terrain->stage.grid;
    wend_cell at = wend_agent_cell(trek->agent), goal = wend_agent_goal(trek->agent);
    CHECK_THAT(!test_terrain_joined(terrain, grid, at, goal),
               "%s on map %llu: from %u to %u there is a path, but it says that there is none", trek->planner,
               (unsigned long long)terrain->stage.number, at, goal);
    trek->right = events(terrain);
}

/* Complete planners: what they have begun is over within twelve steps per cell (see test_step_limit). It may
 * have been begun before the last change and be given up at its end, so twice that. */
static void check_idle(test_terrain *terrain, test_trek *trek, wend_step step) {
    bool over = step.outcome != WEND_STEP_MOVED && step.outcome != WEND_STEP_WAITING;
    trek->idle = trek->events != events(terrain) || over ? 0 : trek->idle + 1;
    trek->events = events(terrain);
    uint64_t most = 2 * (12 * (uint64_t)terrain->stage.grid.cells + 2);
    if (test_is_complete(trek->planner))
        CHECK_THAT(trek->idle <= most, "%s on map %llu: nothing has changed for %llu steps", trek->planner,
                   (unsigned long long)terrain->stage.number, (unsigned long long)trek->idle);
}

void test_trek_check(test_terrain *terrain, test_trek *trek, wend_cell before, wend_step step) {
    wend_cell at = wend_agent_cell(trek->agent);
    if (trek->crowded || trek->gave_back)
        terrain->stage.been[at] = wend_agent_counters(trek->agent).revisits > trek->counted.revisits;
    bool over = step.outcome != WEND_STEP_MOVED && step.outcome != WEND_STEP_WAITING;
    test_check_step(&terrain->stage, trek->agent, trek->planner, before, &trek->counted, step, &trek->walk);
    trek->counted = wend_agent_counters(trek->agent);
    if (terrain->knowledge) {
        look(terrain, trek->planner, before, false);
        look(terrain, trek->planner, at, step.outcome != WEND_STEP_ARRIVED);
        CHECK_THAT(wend_knowledge_changes(terrain->knowledge) == terrain->changes,
                   "%s on map %llu: beliefs out of the sensor's reach have changed", trek->planner,
                   (unsigned long long)terrain->stage.number);
        if (over || trek->walk.steps % 64 == 1) test_terrain_check(terrain, trek->planner);
    }
    CHECK_THAT((step.outcome == WEND_STEP_ARRIVED) == (before == wend_agent_goal(trek->agent)),
               "%s on map %llu: outcome %d at %u on the way to %u", trek->planner,
               (unsigned long long)terrain->stage.number, (int)step.outcome, before,
               wend_agent_goal(trek->agent));
    CHECK_THAT(step.outcome != WEND_STEP_OUT_OF_MEMORY, "%s on map %llu: out of memory", trek->planner,
               (unsigned long long)terrain->stage.number);
    if (step.outcome == WEND_STEP_UNREACHABLE) check_unreachable(terrain, trek);
    check_idle(terrain, trek, step);
    if (over && test_is_whole_map(trek->planner)) trek->gave_back = true;
}

wend_step test_trek_step(test_terrain *terrain, test_trek *trek) {
    wend_cell before = wend_agent_cell(trek->agent);
    wend_step step = wend_agent_step(trek->agent);
    test_trek_check(terrain, trek, before, step);
    return step;
}

wend_outcome test_trek_go(test_terrain *terrain, test_trek *trek, uint64_t limit) {
    for (uint64_t i = 0; i <= limit; i++) {
        wend_outcome outcome = test_trek_step(terrain, trek).outcome;
        if (outcome != WEND_STEP_MOVED && outcome != WEND_STEP_WAITING) return outcome;
        if (trek->idle > 2 * (12 * (uint64_t)terrain->stage.grid.cells + 2) &&
            test_is_complete(trek->planner))
            break;
    }
    return WEND_STEP_WAITING;
}

/* Complete planners: see check_idle; at most every cell changes once, or again after an edit. Learners: see
 * test_step_limit, on the truth, where no belief errs on the blocked side. Otherwise an h may have been
 * learnt that is too large, or that grows until it proves that there is no path. Then the sum of all h is
 * bounded only by that of the longest paths, once for each opening. */
uint64_t test_trek_limit(test_terrain *terrain, const test_trek *trek) {
    test_stage *stage = &terrain->stage;
    uint64_t cells = stage->grid.cells;
    if (test_is_complete(trek->planner)) return 2 * (12 * cells + 2) * (cells + 2);
    wend_cell at = wend_agent_cell(trek->agent), goal = wend_agent_goal(trek->agent);
    if (terrain->belief == TEST_WRONG || terrain->edits || !stage->grid.open[goal] ||
        !test_terrain_joined(terrain, &stage->grid, at, goal))
        return 2 * cells * cells * (terrain->opened + terrain->edits + 1) + 100;
    test_dijkstra(&stage->grid, goal, stage->left);
    return test_step_limit(stage, trek->planner, at, goal, stage->left);
}

wend_step test_terrain_step(test_terrain *terrain, wend_agent *agent, uint64_t *hash) {
    wend_cell before = wend_agent_cell(agent);
    wend_counters counted = wend_agent_counters(agent);
    wend_step step = wend_agent_step(agent);
    unsigned long long map = terrain->stage.number;
    uint64_t bound = wend_agent_bound(agent, wend_agent_budget(agent));
    CHECK_THAT(step.operations <= bound, "map %llu: %llu operations, bound %llu", map,
               (unsigned long long)step.operations, (unsigned long long)bound);
    bool moved = step.outcome == WEND_STEP_MOVED;
    if (moved)
        CHECK_THAT(test_next(&terrain->stage.grid, before, step.direction) == wend_agent_cell(agent),
                   "map %llu: an illegal move from %u", map, before);
    else
        CHECK_THAT(wend_agent_cell(agent) == before, "map %llu: outcome %d, but moved", map,
                   (int)step.outcome);
    if (step.outcome == WEND_STEP_UNREACHABLE)
        CHECK_THAT(!test_terrain_joined(terrain, &terrain->stage.grid, before, wend_agent_goal(agent)),
                   "map %llu: from %u to %u there is a path", map, before, wend_agent_goal(agent));
    wend_counters now = wend_agent_counters(agent);
    CHECK(step.outcome != WEND_STEP_OUT_OF_MEMORY && !now.learnt);
    CHECK(now.operations >= counted.operations && now.moves == counted.moves + moved);
    *hash = (*hash ^ ((uint64_t)step.outcome << 8 | step.direction)) * 0x9e3779b97f4a7c15u ^ step.operations;
    return step;
}

void test_terrain_end(test_terrain *terrain, wend_agent *agent, uint64_t *hash) {
    wend_cell from = wend_agent_cell(agent), goal = wend_agent_goal(agent);
    bool path = from == goal || test_terrain_joined(terrain, &terrain->stage.grid, from, goal);
    uint64_t limit = 60 * (uint64_t)terrain->stage.grid.cells + 4000;
    wend_step step = test_terrain_step(terrain, agent, hash);
    while ((step.outcome == WEND_STEP_MOVED || step.outcome == WEND_STEP_WAITING) && limit--)
        step = test_terrain_step(terrain, agent, hash);
    CHECK_THAT(step.outcome == (path ? WEND_STEP_ARRIVED : WEND_STEP_UNREACHABLE),
               "map %llu from %u to %u: outcome %d, and there is %s path",
               (unsigned long long)terrain->stage.number, from, goal, (int)step.outcome, path ? "a" : "no");
}

double test_terrain_mean_over(test_terrain *terrain, wend_agent *agent, uint32_t problems,
                              test_random *random) {
    const test_grid *grid = &terrain->stage.grid;
    double sum = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < problems; i++) {
        const wend_map *now = wend_world_map(terrain->stage.world);
        wend_cell start = test_open_cell(now, random), goal = test_open_cell(now, random);
        uint64_t hash = 0, limit = 20 * (uint64_t)grid->cells;
        test_dijkstra(grid, goal, terrain->stage.left);
        if (!CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK)) break;
        wend_step step = {.outcome = WEND_STEP_WAITING};
        wend_cost cost = 0, best = terrain->stage.left[start];
        for (; step.outcome <= WEND_STEP_WAITING && limit; limit--) {
            step = test_terrain_step(terrain, agent, &hash);
            if (step.outcome == WEND_STEP_MOVED) cost += test_move_cost(grid, step.direction);
        }
        CHECK_THAT(step.outcome == (best == WEND_NO_COST ? WEND_STEP_UNREACHABLE : WEND_STEP_ARRIVED),
                   "map %llu from %u to %u: outcome %d", (unsigned long long)terrain->stage.number, start,
                   goal, (int)step.outcome);
        if (best == WEND_NO_COST || !best || step.outcome != WEND_STEP_ARRIVED) continue;
        sum += 100 * ((double)cost / (double)best - 1);
        count++;
    }
    CHECK(count > 0);
    return count ? sum / count : 0;
}

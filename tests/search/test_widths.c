/* The width of costs: chosen by the cells that can be open, and right whatever edits open. Looks inside. */
#include "methods/lrta/learner.h"
#include "plan/agent.h"
#include "search/search.h"
#include "support/agents/agents.h"
#include "support/check.h"
#include "support/maps.h"

#include <stdlib.h>
#include <wend/wend.h>

/* A map of one winding passage: every second row, joined at alternate ends. From its first cell to its last
 * is 751,536 moves of 5741, more than 32 bits hold. */
enum { SIDE = 1225, ROWS = (SIDE + 1) / 2, MOVES = ROWS * SIDE + ROWS - 2, FEW = 20 };

static wend_map *closed_map(void) {
    wend_map_options options = wend_default_map_options();
    wend_map *map = NULL;
    return wend_map_create(SIDE, SIDE, &options, &map, NULL) == WEND_OK ? map : NULL;
}

static wend_rect row(int32_t i) {
    return (wend_rect){0, 2 * i, SIDE, 1};
}

static wend_rect join(int32_t i) {
    return (wend_rect){i % 2 ? 0 : SIDE - 1, 2 * i + 1, 1, 1};
}

static wend_cell last_of(int32_t rows) {
    return (wend_cell)((2 * rows - 2) * SIDE + (rows % 2 ? SIDE - 1 : 0));
}

static bool open_rows(wend_map *map, int32_t first, int32_t end) {
    bool good = true;
    for (int32_t i = first; i < end && good; i++)
        good = wend_map_edit(map, row(i), true, NULL) == WEND_OK &&
               (!i || wend_map_edit(map, join(i - 1), true, NULL) == WEND_OK);
    return good;
}

static wend_cost cost_of(int32_t rows) {
    return (wend_cost)(rows * SIDE + rows - 2) * 5741;
}

/* All ways of asking for the cost of the passage. */
static void check_costs(wend_search *search, wend_field *field, const wend_map *map, int32_t rows) {
    wend_result result = {0};
    wend_cell goal = last_of(rows);
    CHECK(wend_search_astar(search, 0, goal, &result, NULL) == WEND_OK && result.cost == cost_of(rows));
    CHECK(wend_field_compute(field, 0, NULL) == WEND_OK && wend_field_cost(field, goal) == cost_of(rows));
    wend_jumps *jumps;
    if (!CHECK(wend_jumps_create(map, NULL, &jumps, NULL) == WEND_OK)) return;
    CHECK(wend_search_jps(search, jumps, 0, goal, &result, NULL) == WEND_OK && result.cost == cost_of(rows));
    CHECK(wend_search_find(search, wend_map_xy(map, 0), wend_map_xy(map, goal), NULL, 0, &result, NULL) ==
              WEND_OK &&
          result.cost == cost_of(rows));
    wend_jumps_destroy(jumps);
    test_case();
}

static void few_open_cells_are_narrow_until_edits_open_more(void) {
    wend_map *map = closed_map();
    wend_search *search = NULL;
    wend_field *field = NULL;
    wend_search_options options = wend_default_search_options();
    wend_field_options field_options = wend_default_field_options();
    if (CHECK(map && open_rows(map, 0, FEW)) &&
        CHECK(wend_search_create(map, &options, &search, NULL) == WEND_OK) &&
        CHECK(wend_field_create(map, &field_options, &field, NULL) == WEND_OK)) {
        size_t cells = (size_t)SIDE * SIDE, before = wend_field_bytes(field);
        check_costs(search, field, map, FEW);
        CHECK(!search->outgrown && search->record_bytes == sizeof(wend_record_narrow));
        CHECK(open_rows(map, FEW, ROWS));
        check_costs(search, field, map, ROWS);
        CHECK(search->outgrown && search->record_bytes == sizeof(wend_record_wide));
        CHECK(wend_field_bytes(field) >= before + 4 * cells);
        /* Wide once is wide for good: cells that are closed again may come back. */
        CHECK(wend_map_edit(map, (wend_rect){0, 2 * FEW - 1, SIDE, SIDE - 2 * FEW + 1}, false, NULL) ==
              WEND_OK);
        check_costs(search, field, map, FEW);
        CHECK(search->outgrown && search->record_bytes == sizeof(wend_record_wide));
    }
    wend_search_destroy(search);
    wend_field_destroy(field);
    wend_map_destroy(map);
}

/* Whether the costs of an agent's searches have 64 bits, and where it comes to from the first cell. The workspace may
 * have gone back already. */
static bool is_wide(const wend_agent *agent) {
    return agent->ground->pools[agent->storage].made->search->wide;
}

static uint64_t walk(wend_agent *agent, wend_cell goal, bool *wide) {
    uint64_t moves = 0;
    CHECK(wend_agent_start(agent, 0, goal, NULL) == WEND_OK);
    for (uint64_t i = 0; i < 4 * (uint64_t)MOVES && wend_agent_cell(agent) != goal; i++) {
        moves += wend_agent_step(agent).outcome == WEND_STEP_MOVED;
        if (!i) *wide = is_wide(agent);
    }
    CHECK(wend_agent_cell(agent) == goal);
    return moves;
}

/* On a map that stays as it is; and in a world that can be edited, where an edit opens the rest. */
static void agents_count_what_can_be_open(void) {
    static const char *const planners[] = {"astar", "jps", "tba", "adaptive-astar", "dstar-lite"};
    wend_map *map = closed_map();
    if (!CHECK(map && open_rows(map, 0, FEW))) return;
    for (int editable = 0; editable < 2; editable++) {
        wend_world_options options = wend_default_world_options();
        options.editable = editable;
        test_stage stage = {0};
        if (CHECK(wend_world_create(map, &options, &stage.world, NULL) == WEND_OK)) {
            for (size_t i = 0; i < sizeof planners / sizeof *planners; i++) {
                wend_agent *agent = test_agent_make(&stage, planners[i], NULL);
                bool wide = false, shared = i > 2; /* with agents on views that change */
                if (!agent) continue;
                CHECK(walk(agent, last_of(FEW), &wide) == FEW * SIDE + FEW - 2);
                CHECK_THAT(i == 1 || wide == (editable || shared), "%s, editable %d", planners[i], editable);
                wend_agent_destroy(agent);
                test_case();
            }
            wend_agent *learner = test_agent_make(&stage, "rtaa", NULL);
            CHECK(learner && ((const wend_learner *)learner->state)->search->learnt.wide == (bool)editable);
            wend_agent_destroy(learner);
            for (int32_t y = FEW; editable && y < ROWS; y++)
                CHECK(wend_world_edit(stage.world, row(y), true, NULL) == WEND_OK &&
                      wend_world_edit(stage.world, join(y - 1), true, NULL) == WEND_OK);
            wend_agent *agent = editable ? test_agent_make(&stage, "astar", NULL) : NULL;
            bool wide = false;
            if (agent) CHECK(walk(agent, last_of(ROWS), &wide) == MOVES && wide);
            wend_agent_destroy(agent);
        }
        wend_world_destroy(stage.world);
    }
    wend_map_destroy(map);
}

static const test tests[] = {
    {"few open cells are narrow until edits open more", few_open_cells_are_narrow_until_edits_open_more},
    {"agents count what can be open", agents_count_what_can_be_open},
};
TEST_MAIN(tests)

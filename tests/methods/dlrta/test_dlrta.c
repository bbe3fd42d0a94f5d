/* D LRTA*: the table of subgoals against distances, targets along whole walks, the promises of a planner,
 * forged files, and the order of the paper's results. */
#include "methods/dlrta/layout.h"
#include "methods/lrta/seek.h"
#include "support/check.h"
#include "support/databases.h"

#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

/* The kind at every level in turn, and lookaheads. */
static const char *const kinds[] = {"dlrta:level=1", "dlrta:level=2", "dlrta:level=3", "dlrta:level=4",
                                    "dlrta",         "dlrta:level=7", "dlrta:level=30"};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Whether a path that costs `left` leads from a cell to `entry` without leaving the region before. */
static bool leads_inside(const test_grid *grid, const wend_dlrta *base, const wend_cost *from_entry,
                         wend_cell at, wend_cell entry, uint32_t region) {
    /* Downhill from `at` over cells of the region; the cells that were reached, in a list. */
    wend_cell *list = malloc(grid->cells * sizeof *list);
    uint8_t *seen = calloc(grid->cells, 1);
    uint32_t count = 1;
    bool found = false;
    list[0] = at, seen[at] = 1;
    for (uint32_t i = 0; i < count && !found; i++)
        for (int d = 0; d < 8; d++) {
            wend_cell next = test_next(grid, list[i], d);
            if (next == WEND_NO_CELL || seen[next]) continue;
            if (from_entry[next] + test_move_cost(grid, d) != from_entry[list[i]]) continue;
            found |= next == entry;
            if (wend_dlrta_region(base, next) == region) seen[next] = 1, list[count++] = next;
        }
    free(list);
    free(seen);
    return found;
}

/* Follows the table from region to region; false if that does not lead to the goal. */
static bool comes_to_the_goal(const wend_dlrta *base, uint32_t from, uint32_t goal) {
    for (uint32_t i = 0; i <= base->regions; i++) {
        if (from == goal) return true;
        from = wend_dlrta_region(base, wend_dlrta_subgoal(base, from, goal));
    }
    return false;
}

/* Each subgoal is where an optimal path between representatives first comes into another region; or, if such
 * subgoals would lead round in a ring, into one whose representative is nearer. */
static void subgoals_are_entries_of_optimal_paths(void) {
    uint64_t pairs = 0, raised = 0;
    for (uint64_t number = 0; number < 160; number++) {
        test_stage stage;
        wend_db *db = NULL;
        if (test_stage_any(&stage, number) && stage.grid.cells < 700 &&
            (db = test_db_build(stage.map, kinds[number % KINDS], 1))) {
            wend_dlrta base = wend_dlrta_of(db);
            wend_cost *to_goal = stage.left, *from_entry = malloc(stage.grid.cells * sizeof *from_entry);
            for (uint32_t goal = 0; goal < base.regions && goal < 25; goal++) {
                test_dijkstra(&stage.grid, base.centres[goal], to_goal);
                for (uint32_t from = 0; from < base.regions; from++) {
                    wend_cell centre = base.centres[from], entry = wend_dlrta_subgoal(&base, from, goal);
                    if (from == goal || to_goal[centre] == WEND_NO_COST) {
                        CHECK(entry == WEND_NO_CELL);
                        continue;
                    }
                    if (!CHECK(entry < stage.grid.cells)) continue;
                    uint32_t in = wend_dlrta_region(&base, entry);
                    test_dijkstra(&stage.grid, entry, from_entry);
                    bool optimal = from_entry[centre] + to_goal[entry] == to_goal[centre];
                    bool first = leads_inside(&stage.grid, &base, from_entry, centre, entry, from);
                    bool nearer = to_goal[base.centres[in]] < to_goal[centre];
                    CHECK_THAT(in != from && optimal && (first || nearer),
                               "map %llu: from region %u to %u by way of %u", (unsigned long long)number,
                               from, goal, entry);
                    CHECK(comes_to_the_goal(&base, from, goal));
                    pairs++, raised += !first;
                }
            }
            free(from_entry);
            CHECK(wend_db_verify(db, stage.map, 0,
                                 &(wend_build_options){.struct_size = sizeof(wend_build_options)},
                                 NULL) == WEND_OK);
            test_case();
        }
        wend_db_close(db);
        test_stage_close(&stage);
    }
    CHECK_THAT(pairs > 5000 && raised < pairs / 50, "%llu pairs, %llu of them changed",
               (unsigned long long)pairs, (unsigned long long)raised);
}

static void labels_are_as_narrow_as_they_can_be(void) {
    test_random random = {3};
    wend_map *small = test_map_make(TEST_SHAPE_SCATTERED, 40, 40, wend_default_rules(), &random, NULL);
    /* A board of single cells: as many regions as cells. */
    wend_map_options options = wend_default_map_options();
    wend_map *board;
    if (!CHECK(small) || !CHECK(wend_map_create(800, 400, &options, &board, NULL) == WEND_OK)) return;
    char row[800];
    for (int32_t y = 0; y < 400; y++) {
        for (int32_t x = 0; x < 800; x++) row[x] = (x | y) & 1 ? '@' : '.';
        CHECK(wend_map_set_row(board, y, row, NULL) == WEND_OK);
    }
    wend_db *narrow = test_db_build(small, "dlrta:level=2", 1),
            *wide = test_db_build(board, "dlrta:level=2", 1);
    if (narrow && wide) {
        CHECK(wend_dlrta_of(narrow).narrow && !wend_dlrta_of(narrow).wide);
        CHECK(wend_dlrta_of(wide).wide && !wend_dlrta_of(wide).narrow);
        /* No path joins any two of them: an entry each, and nothing more. */
        CHECK(wend_dlrta_of(wide).regions == 80000 && wend_dlrta_of(wide).entries == 80000);
    }
    wend_db_close(narrow);
    wend_db_close(wide);
    wend_map_destroy(small);
    wend_map_destroy(board);
}

/* The target is the table's for the region of the agent, from its first cell in that region on; unless it has
 * taken one on this cell before. */
static void targets_are_the_tables(void) {
    uint64_t changes = 0;
    for (uint64_t number = 0; number < 420; number++) {
        test_random random = {number};
        test_stage stage;
        wend_db *db = NULL;
        if (test_stage_any(&stage, 600 + number) && wend_map_open_cells(stage.map) &&
            (db = test_db_build(stage.map, kinds[number % KINDS], 1))) {
            wend_dlrta base = wend_dlrta_of(db);
            wend_agent *agent = test_db_agent(&stage, number % 2 ? "dlrta:db=x" : "dlrta:d=2,db=x", db);
            uint8_t *taken = calloc(stage.grid.cells, 1);
            wend_cell start = test_open_cell(stage.map, &random), goal = test_open_cell(stage.map, &random);
            test_dijkstra(&stage.grid, goal, stage.left);
            uint32_t region = UINT32_MAX, last = wend_dlrta_region(&base, goal);
            bool going = agent && stage.left[start] != WEND_NO_COST;
            if (going) CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK);
            for (int step = 0; going && step < 1000 && wend_agent_cell(agent) != goal; step++) {
                wend_cell at = wend_agent_cell(agent);
                bool changed = wend_dlrta_region(&base, at) != region;
                region = wend_dlrta_region(&base, at);
                if (changed && taken[at]) break; /* it has gone round */
                taken[at] |= changed;
                uint64_t learnt = wend_agent_counters(agent).learnt;
                CHECK(wend_agent_step(agent).outcome == WEND_STEP_MOVED);
                /* One cell per move, and what was learnt for earlier subgoals counts on. */
                CHECK(wend_agent_counters(agent).learnt - learnt <= 1);
                wend_cell expected = region == last ? goal : wend_dlrta_subgoal(&base, region, last);
                going =
                    CHECK_THAT(wend_seek_target_of(agent) == expected, "map %llu, step %d: target %u, not %u",
                               (unsigned long long)stage.number, step, wend_seek_target_of(agent), expected);
                changes += changed;
            }
            free(taken);
            wend_agent_destroy(agent);
            test_case();
        }
        wend_db_close(db);
        test_stage_close(&stage);
    }
    CHECK_THAT(changes > 500, "only %llu subgoals", (unsigned long long)changes);
}

/* Whatever the regions, it arrives; every step is legal, counted and within its bound, and allocates nothing;
 * a second run is the same. */
static void it_arrives_within_its_bounds(void) {
    static const char *const planners[] = {"dlrta:db=x", "dlrta:d=2,db=x", "dlrta:d=4,db=x"};
    for (uint64_t number = 0; number < 420; number++)
        CHECK(!test_db_walks(number, kinds[number % KINDS], planners[number % 3]));
}

/* Changes element `i` of a section's data, of any width. */
static void change(void *data, uint32_t width, uint32_t i, test_random *random, const wend_map *map) {
    uint64_t value = width == 2   ? ((uint16_t *)data)[i]
                     : width == 4 ? ((uint32_t *)data)[i]
                                  : ((uint64_t *)data)[i];
    uint64_t values[] = {value + 1, value - 1, test_open_cell(map, random), UINT64_MAX};
    value = values[test_below(random, 4)];
    if (width == 2)
        ((uint16_t *)data)[i] = (uint16_t)value;
    else if (width == 4)
        ((uint32_t *)data)[i] = (uint32_t)value;
    else
        ((uint64_t *)data)[i] = value;
}

/* Numbers of a file changed at random: what `open` takes, an agent can walk with, even where the table leads
 * round; and `verify` finds what does not come from this map. */
static void forged_files_are_refused_or_harmless(void) {
    uint64_t refused = 0, taken = 0;
    for (uint64_t number = 0; number < 700; number++) {
        test_random random = {number};
        test_stage stage;
        wend_db *db = NULL;
        if (test_stage_any(&stage, number % 60) && wend_map_open_cells(stage.map) > 12 &&
            (db = test_db_build(stage.map, kinds[number % 4], 1))) {
            wend_db altered = *db;
            uint32_t which = test_below(&random, 2) ? test_below(&random, (uint32_t)altered.section_count)
                                                    : (uint32_t)altered.section_count - 1; /* the table */
            wend_section *section = &altered.sections[which];
            size_t size = (size_t)section->count * section->width;
            void *data = malloc(size + 1);
            memcpy(data, section->data, size);
            change(data, section->width, test_below(&random, (uint32_t)section->count), &random, stage.map);
            bool same = memcmp(data, section->data, size) == 0;
            section->data = data;
            wend_error error = {0};
            wend_status status = wend_db_dlrta.open(&altered, &error);
            CHECK(status == WEND_OK || (status == WEND_STATUS_DAMAGED && error.message[0] && !same));
            if (status == WEND_OK && !same) {
                wend_build_options options = wend_default_build_options();
                CHECK(wend_db_verify(&altered, stage.map, 0, &options, &error) == WEND_STATUS_WRONG_CONTENTS);
                wend_agent *agent = test_db_agent(&stage, "dlrta:db=x", &altered);
                for (int i = 0; i < 3 && agent; i++) {
                    wend_cell start = test_open_cell(stage.map, &random),
                              goal = test_open_cell(stage.map, &random);
                    test_dijkstra(&stage.grid, goal, stage.left);
                    if (stage.left[start] != WEND_NO_COST)
                        CHECK(test_walk_to(&stage, agent, "dlrta:db=x", start, goal, 2000000).end ==
                              WEND_STEP_ARRIVED);
                }
                wend_agent_destroy(agent);
                taken++;
            }
            refused += status != WEND_OK;
            section->count--;
            CHECK(wend_db_dlrta.open(&altered, NULL) == WEND_STATUS_DAMAGED);
            free(data);
            test_case();
        }
        wend_db_close(db);
        test_stage_close(&stage);
    }
    CHECK_THAT(refused > 150 && taken > 50, "%llu refused, %llu taken", (unsigned long long)refused,
               (unsigned long long)taken);
}

/* A subgoal in the agent's own region would keep it there. */
static void subgoals_inside_are_refused(void) {
    uint64_t tried = 0;
    for (uint64_t number = 0; number < 40; number++) {
        test_stage stage;
        wend_db *db = NULL;
        if (test_stage_any(&stage, number) && (db = test_db_build(stage.map, "dlrta:level=2", 1))) {
            wend_dlrta base = wend_dlrta_of(db);
            wend_db altered = *db;
            wend_cell *table = malloc((size_t)base.entries * sizeof *table + 1);
            altered.sections[altered.section_count - 1].data = table;
            for (uint32_t goal = 0; goal < base.regions && goal < 10; goal++) {
                uint32_t from = base.counts[goal] - 1;
                memcpy(table, base.table, (size_t)base.entries * sizeof *table);
                CHECK(wend_db_dlrta.open(&altered, NULL) == WEND_OK);
                table[base.offsets[goal] + from] = base.centres[base.firsts[goal] + from];
                CHECK(wend_db_dlrta.open(&altered, NULL) == WEND_STATUS_DAMAGED);
                tried++;
            }
            free(table);
        }
        wend_db_close(db);
        test_stage_close(&stage);
        test_case();
    }
    CHECK_THAT(tried > 100, "only %llu", (unsigned long long)tried);
}

/* A table in which two neighbouring regions send each other to and fro: the agent notices, and arrives. */
static void rings_in_a_table_are_left(void) {
    uint64_t rings = 0;
    for (uint64_t number = 0; number < 120; number++) {
        test_random random = {number};
        test_stage stage;
        wend_db *db = NULL;
        if (test_stage_any(&stage, number) && wend_map_open_cells(stage.map) > 20 &&
            (db = test_db_build(stage.map, "dlrta:level=2", 1))) {
            wend_dlrta base = wend_dlrta_of(db);
            wend_db altered = *db;
            wend_cell *table = malloc((size_t)base.entries * sizeof *table);
            memcpy(table, base.table, (size_t)base.entries * sizeof *table);
            altered.sections[altered.section_count - 1].data = table;
            wend_cell start = test_open_cell(stage.map, &random), goal = test_open_cell(stage.map, &random);
            uint32_t a = wend_dlrta_region(&base, start), g = wend_dlrta_region(&base, goal);
            wend_cell entry = wend_dlrta_subgoal(&base, a, g);
            uint32_t b = entry == WEND_NO_CELL ? g : wend_dlrta_region(&base, entry);
            if (a != g && b != g) {
                table[base.offsets[g] + b - base.firsts[g]] = base.centres[a];
                CHECK(wend_db_dlrta.open(&altered, NULL) == WEND_OK);
                wend_agent *agent = test_db_agent(&stage, "dlrta:db=x", &altered);
                if (agent)
                    CHECK(test_walk_to(&stage, agent, "dlrta:db=x", start, goal, 2000000).end ==
                          WEND_STEP_ARRIVED);
                wend_agent_destroy(agent);
                rings++;
                test_case();
            }
            free(table);
        }
        wend_db_close(db);
        test_stage_close(&stage);
    }
    CHECK_THAT(rings > 20, "only %llu rings", (unsigned long long)rings);
}

/* Table 1: LRTA* is worst, and lower levels are better, with more memory. Two maps, a few problems each. */
static void lower_levels_are_better(void) {
    static const char *const maps[] = {"bgmaps/AR0012SR", "bgmaps/AR0205SR"};
    static const char *const levels[] = {NULL, "dlrta:level=7", "dlrta:level=6", "dlrta", "dlrta:level=3"};
    double means[5], bytes[5];
    if (!test_db_compare(maps, levels, 5, "dlrta:d=3,db=x", means, bytes)) return;
    for (int j = 1; j < 5; j++)
        CHECK_THAT(means[j] < means[j - 1] && bytes[j] > bytes[j - 1],
                   "%s: %.1f%% and %.0f bytes, before that %.1f%% and %.0f", levels[j], means[j], bytes[j],
                   means[j - 1], bytes[j - 1]);
    CHECK_THAT(means[0] > 300 && means[4] < 12, "lrta %.1f%%, level 3 %.1f%%", means[0], means[4]);
}

static void tasks_change(void) {
    static const char *const forms[] = {"dlrta:level=1", "dlrta:level=2", "dlrta:level=4"};
    for (uint64_t i = 0; i < 90; i++)
        test_db_tasks_change(i, forms[i % 3], i % 2 ? "dlrta:d=1,db=-" : "dlrta:d=3,db=-");
}

static const test tests[] = {
    {"tasks change", tasks_change},
    {"subgoals are entries of optimal paths", subgoals_are_entries_of_optimal_paths},
    {"labels are as narrow as they can be", labels_are_as_narrow_as_they_can_be},
    {"targets are the table's", targets_are_the_tables},
    {"it arrives within its bounds", it_arrives_within_its_bounds},
    {"forged files are refused or harmless", forged_files_are_refused_or_harmless},
    {"subgoals inside are refused", subgoals_inside_are_refused},
    {"rings in a table are left", rings_in_a_table_are_left},
    {"lower levels are better", lower_levels_are_better},
};

TEST_MAIN(tests)

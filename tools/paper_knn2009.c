/* Bulitko and Bjornsson, "kNN LRTA*: simple subgoaling for real-time search" (AIIDE 2009): table 1 and
 * figure 8. Suboptimality and expansions a move of LRTA*, of kNN LRTA* with 1,000, 5,000 and 10,000 records
 * and of D LRTA* at levels 7, 6, 5 and 3 of its abstraction, with the time to build and the size of each
 * database; all with a lookahead of three moves, and climbs of at most 25.
 *
 * The paper has eight maps of 150x141 to 234x274 cells, five of Baldur's Gate and three of WarCraft III, and
 * shows them, but does not name them. AR0012SR and AR0411SR with a border of one cell have the smallest and
 * the largest size; three more of Baldur's Gate, of sizes between, were chosen such that LRTA*, which has no
 * database, goes about as far astray as in the paper. The maps of WarCraft III that are public were blown up
 * to 512x512; of the first three by name one cell of 3x3 is kept, which makes them 171x171. The problems are
 * drawn from the seed, with the paper's costs of 100 to 150: they are not the paper's problems.
 *
 * Below the paper's rows stand some of ours on the same problems: records with the farthest subgoal that can
 * be climbed to instead of the one before the first that can't (`pick=farthest`), kNN LRTA* of 2010, and
 * TBA*. */
#include "paper_knn2009.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PROBLEMS = 128, QUICK_PROBLEMS = 64 };
enum { TIMED_PART = 16 }; /* one problem in so many is timed: that takes nine passes on one thread */

#define NOT_THERE .minutes = NAN, .size = NAN, .over = NAN, .expansions = NAN

const knn09_row knn09_rows[KNN09_ALL] = {
    {"LRTA*", "LRTA*", "lrta", NULL, "lrta:d=3", 50, 0, 0, 0, 447.95, 20.44},
    {"kNN LRTA* (1000)", "kNN 1000", "knn-1000", "knn2009:records=1000", "knn2009:climb=25,d=3", 8, 1, 0.62,
     0.09, 49.91, 42.68},
    {"kNN LRTA* (5000)", "kNN 5000", "knn-5000", "knn2009:records=5000", "knn2009:climb=25,d=3", 6, 5, 3.08,
     0.46, 27.24, 28.54},
    {"kNN LRTA* (10000)", "kNN 10000", "knn-10000", "knn2009:records=10000", "knn2009:climb=25,d=3", 5, 10,
     6.23, 0.92, 19.52, 25.11},
    {"D LRTA* (7)", "D 7", "dlrta-7", "dlrta:level=7", "dlrta:d=3", 5, 1, 0.29, 1.06, 55.87, 20.34},
    {"D LRTA* (6)", "D 6", "dlrta-6", "dlrta:level=6", "dlrta:d=3", 4, 1, 0.35, 1.14, 22.57, 20.14},
    {"D LRTA* (5)", "D 5", "dlrta-5", "dlrta:level=5", "dlrta:d=3", 4, 2, 0.50, 1.39, 13.35, 19.98},
    {"D LRTA* (3)", "D 3", "dlrta-3", "dlrta:level=3", "dlrta:d=3", 4, 20, 1.91, 8.22, 10.13, 17.50},
    {"kNN farthest (1000)", NULL, "knn-far-1000", "knn2009:records=1000,pick=farthest",
     "knn2009:climb=25,d=3", 8, 2, NOT_THERE},
    {"kNN farthest (5000)", NULL, "knn-far-5000", "knn2009:records=5000,pick=farthest",
     "knn2009:climb=25,d=3", 6, 10, NOT_THERE},
    {"kNN farthest (10000)", NULL, "knn-far-10000", "knn2009:records=10000,pick=farthest",
     "knn2009:climb=25,d=3", 5, 20, NOT_THERE},
    {"kNN of 2010 (1000)", NULL, "knn2010-1000", "knn:records=1000", "knn", 4, 1, NOT_THERE},
    {"kNN of 2010 (5000)", NULL, "knn2010-5000", "knn:records=5000", "knn", 3, 5, NOT_THERE},
    {"kNN of 2010 (10000)", NULL, "knn2010-10000", "knn:records=10000", "knn", 3, 10, NOT_THERE},
    {"TBA* (20)", NULL, "tba", NULL, "tba:k=20", 5, 0, NOT_THERE},
};

#define BALDURS_GATE(map, wide, high)                                                                        \
    {                                                                                                        \
        .set = "bgmaps", .name = (map), .width = (wide), .height = (high), .kind = WEND_MAP_CAVES,           \
        .min_length = 100, .max_length = 150                                                                 \
    }
#define WARCRAFT(map)                                                                                        \
    {                                                                                                        \
        .set = "wc3maps512", .name = (map), .width = 512, .height = 512, .kind = WEND_MAP_CAVES,             \
        .reduce = 3, .min_length = 100, .max_length = 150                                                    \
    }

static const tool_paper_map paper_maps[KNN09_MAPS] = {
    BALDURS_GATE("AR0012SR", 148, 139),
    BALDURS_GATE("AR0014SR", 148, 144),
    BALDURS_GATE("AR0205SR", 212, 214),
    BALDURS_GATE("AR0411SR", 232, 272),
    BALDURS_GATE("AR0516SR", 244, 187),
    WARCRAFT("battleground"),
    WARCRAFT("darkforest"),
    WARCRAFT("drywatergulch"),
};

/* Databases --------------------------------------------------------------------------------------------- */

static int build(knn09_run *run) {
    run->bases = calloc((size_t)KNN09_ALL * KNN09_MAPS, sizeof *run->bases);
    if (!run->bases) return tool_wrong("out of memory for the databases");
    for (int row = 0; row < KNN09_ALL; row++)
        for (size_t map = 0; map < KNN09_MAPS && knn09_rows[row].settings; map++) {
            tool_paper_base *base = &run->bases[run->base_count++];
            base->ground = &run->grounds[map];
            base->settings = knn09_rows[row].settings;
            base->weight = knn09_rows[row].building;
            (void)snprintf(base->name, sizeof base->name, "knn2009-%s-%s", knn09_rows[row].key,
                           run->maps[map].name);
        }
    return tool_paper_open_bases(run->options, run->bases, run->base_count);
}

/* Runs -------------------------------------------------------------------------------------------------- */

static bool name_planner(const knn09_run *run, int row, size_t map, char *text) {
    const tool_paper_base *bases = knn09_bases(run, row);
    if (bases) return tool_paper_base_planner(&bases[map], knn09_rows[row].planner, text, WEND_SETTINGS_TEXT);
    (void)snprintf(text, WEND_SETTINGS_TEXT, "%s", knn09_rows[row].planner);
    return true;
}

static int measure(knn09_run *run, tool_paper_store *store) {
    enum { UNITS = KNN09_ALL * KNN09_MAPS };
    size_t both = run->problems + run->timed_problems;
    run->planners = calloc(UNITS, sizeof *run->planners);
    run->results = calloc((size_t)UNITS * both, sizeof *run->results);
    if (!run->planners || !run->results) return tool_wrong("out of memory for the results");
    for (int row = 0; row < KNN09_ALL; row++)
        for (size_t map = 0; map < KNN09_MAPS; map++) {
            size_t at = (size_t)row * KNN09_MAPS + map;
            if (!name_planner(run, row, map, run->planners[at])) return TOOL_WRONG;
            tool_paper_unit unit = {.ground = &run->grounds[map],
                                    .planner = run->planners[at],
                                    .count = run->problems,
                                    .weight = knn09_rows[row].weight * (double)run->problems,
                                    .results = run->results + at * both};
            (void)snprintf(unit.name, sizeof unit.name, "%s/%s", knn09_rows[row].key, run->maps[map].name);
            run->units[at] = unit;
            unit.timed = true;
            unit.count = run->timed_problems;
            unit.weight = 9 * knn09_rows[row].weight * (double)run->timed_problems;
            unit.results += run->problems;
            (void)snprintf(unit.name, sizeof unit.name, "timed/%s/%s", knn09_rows[row].key,
                           run->maps[map].name);
            run->timed[at] = unit;
        }
    int result = tool_paper_run_units(run->options, "runs", store, run->units, UNITS);
    if (result == TOOL_DONE && run->timed_problems)
        result = tool_paper_run_units(run->options, "times", store, run->timed, UNITS);
    return result;
}

static int run_with(knn09_run *run, tool_report *report) {
    const tool_paper_options *options = run->options;
    const tool_knowledge known = {.kind = TOOL_KNOWN, .radius = 1};
    if (!tool_paper_open_maps(options, run->problems, run->maps, KNN09_MAPS) ||
        !tool_paper_open_grounds(options, run->maps, KNN09_MAPS, &known, run->grounds))
        return TOOL_WRONG;
    char head[2048];
    tool_paper_write_head(options, "knn2009", run->problems, run->maps, KNN09_MAPS, head, sizeof head);
    tool_paper_store *store = tool_paper_store_open(options, "knn2009", head);
    if (!store) return TOOL_WRONG;
    int result = build(run);
    if (result == TOOL_DONE) result = measure(run, store);
    if (result == TOOL_DONE && !(tool_paper_store_finish(store) && knn09_report(run, report)))
        result = TOOL_WRONG;
    tool_paper_store_close(store);
    return result;
}

static int run_paper(const tool_paper_options *options, tool_report *report) {
    knn09_run *run = calloc(1, sizeof *run);
    if (!run) return tool_wrong("out of memory");
    run->options = options;
    memcpy(run->maps, paper_maps, sizeof run->maps);
    run->problems = options->problems ? options->problems : options->quick ? QUICK_PROBLEMS : PROBLEMS;
    run->timed_problems = options->ms_problems < SIZE_MAX ? options->ms_problems
                                                          : (run->problems + TIMED_PART - 1) / TIMED_PART;
    if (run->timed_problems > run->problems) run->timed_problems = run->problems;
    int result = run_with(run, report);
    tool_paper_close_bases(run->bases, run->base_count);
    tool_paper_close_grounds(run->grounds, KNN09_MAPS);
    tool_paper_close_maps(run->maps, KNN09_MAPS);
    free(run->bases);
    free(run->planners);
    free(run->results);
    free(run);
    return result;
}

const tool_paper tool_paper_knn2009 = {
    .name = "knn2009",
    .title = "kNN LRTA*: simple subgoaling (AIIDE 2009), measured again",
    .tables = 1,
    .run = run_paper,
};

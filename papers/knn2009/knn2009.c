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
#include "knn2009/knn2009.h"

#include <math.h>

#define PAPER(minutes, size, over, expansions)                                                               \
    { (minutes), (size), (over), (expansions) }
#define NOT_THERE PAPER(NAN, NAN, NAN, NAN)

const tool_paper_row knn09_rows[KNN09_ALL] = {
    {"LRTA*", "LRTA*", "lrta", NULL, "lrta:d=3", 0, 50, 0, PAPER(0, 0, 447.95, 20.44)},
    {"kNN LRTA* (1000)", "kNN 1000", "knn-1000", "knn2009:records=1000", "knn2009:climb=25,d=3", 0, 8, 1,
     PAPER(0.62, 0.09, 49.91, 42.68)},
    {"kNN LRTA* (5000)", "kNN 5000", "knn-5000", "knn2009:records=5000", "knn2009:climb=25,d=3", 0, 6, 5,
     PAPER(3.08, 0.46, 27.24, 28.54)},
    {"kNN LRTA* (10000)", "kNN 10000", "knn-10000", "knn2009:records=10000", "knn2009:climb=25,d=3", 0, 5, 10,
     PAPER(6.23, 0.92, 19.52, 25.11)},
    {"D LRTA* (7)", "D 7", "dlrta-7", "dlrta:level=7", "dlrta:d=3", 0, 5, 1, PAPER(0.29, 1.06, 55.87, 20.34)},
    {"D LRTA* (6)", "D 6", "dlrta-6", "dlrta:level=6", "dlrta:d=3", 0, 4, 1, PAPER(0.35, 1.14, 22.57, 20.14)},
    {"D LRTA* (5)", "D 5", "dlrta-5", "dlrta:level=5", "dlrta:d=3", 0, 4, 2, PAPER(0.50, 1.39, 13.35, 19.98)},
    {"D LRTA* (3)", "D 3", "dlrta-3", "dlrta:level=3", "dlrta:d=3", 0, 4, 20,
     PAPER(1.91, 8.22, 10.13, 17.50)},
    {"kNN farthest (1000)", NULL, "knn-far-1000", "knn2009:records=1000,pick=farthest",
     "knn2009:climb=25,d=3", 0, 8, 2, NOT_THERE},
    {"kNN farthest (5000)", NULL, "knn-far-5000", "knn2009:records=5000,pick=farthest",
     "knn2009:climb=25,d=3", 0, 6, 10, NOT_THERE},
    {"kNN farthest (10000)", NULL, "knn-far-10000", "knn2009:records=10000,pick=farthest",
     "knn2009:climb=25,d=3", 0, 5, 20, NOT_THERE},
    {"kNN of 2010 (1000)", NULL, "knn2010-1000", "knn:records=1000", "knn", 0, 4, 1, NOT_THERE},
    {"kNN of 2010 (5000)", NULL, "knn2010-5000", "knn:records=5000", "knn", 0, 3, 5, NOT_THERE},
    {"kNN of 2010 (10000)", NULL, "knn2010-10000", "knn:records=10000", "knn", 0, 3, 10, NOT_THERE},
    {"TBA* (20)", NULL, "tba", NULL, "tba:k=20", 0, 5, 0, NOT_THERE},
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

static int run_paper(const tool_paper_options *options, tool_report *report) {
    static const tool_paper_plan plan = {.name = "knn2009",
                                         .rows = knn09_rows,
                                         .row_count = KNN09_ALL,
                                         .maps = paper_maps,
                                         .map_count = KNN09_MAPS,
                                         .problems = 128,
                                         .quick_problems = 64};
    return tool_paper_run_rows(&plan, options, report, knn09_report);
}

const tool_paper tool_paper_knn2009 = {
    .name = "knn2009",
    .title = "kNN LRTA*: simple subgoaling (AIIDE 2009), measured again",
    .tables = 1,
    .run = run_paper,
};

/* What is measured for jair2010, and what the paper says of it (its tables 1 to 6). */
#include "jair2010/jair2010.h"

#define KNN(n) "knn:records=" #n
#define EVEN(n) "knn:records=" #n ",spread=even"

/* An enhancement left out. */
#define WITHOUT(number, what, n, occasion)                                                                   \
    {                                                                                                        \
        .key = "knn-" #n "-e" #number, .label = "without " #number ": " what, .part = JAIR_SWITCHES,         \
        .when = (occasion), .size = (n), .base = KNN(n), .planner = "knn:e" #number "=no", .than = "knn-" #n \
    }
#define SWITCHES(n, occasion)                                                                                \
    WITHOUT(1, "the goal is tried first", n, occasion),                                                      \
        WITHOUT(2, "a record's first subgoal is tried before its start", n, occasion),                       \
        WITHOUT(3, "the goal is tried before a record's end", n, occasion),                                  \
        WITHOUT(4, "only the most similar records are tried", n, occasion),                                  \
        WITHOUT(5, "they are found by a kd-tree", n, occasion),                                              \
        WITHOUT(6, "a second look once the quota is travelled", n, occasion)

#define CANDIDATES(n, occasion)                                                                              \
    {                                                                                                        \
        .key = "knn-" #n "-m100", .label = "kNN LRTA*(" #n "), M = 100", .part = JAIR_FOOTNOTE,              \
        .when = (occasion), .size = (n), .base = KNN(n), .planner = "knn:candidates=100", .than = "knn-" #n  \
    }

#define FRAGMENTS(n, occasion)                                                                               \
    {.key = "knn-" #n "-fragments",                                                                          \
     .label = "kNN LRTA*(" #n ") and fragments",                                                             \
     .part = JAIR_FRAGMENTS,                                                                                 \
     .when = (occasion),                                                                                     \
     .size = (n),                                                                                            \
     .base = KNN(n) ",fragments=yes",                                                                        \
     .planner = "knn",                                                                                       \
     .than = "knn-" #n},                                                                                     \
    {                                                                                                        \
        .key = "knn-" #n "-fragments-m100", .label = "kNN LRTA*(" #n ") and fragments, M = 100",             \
        .part = JAIR_FRAGMENTS, .when = (occasion), .size = (n), .base = KNN(n) ",fragments=yes",            \
        .planner = "knn:candidates=100", .than = "knn-" #n "-m100"                                           \
    }

#define SPREAD(n, than_key, occasion)                                                                        \
    {                                                                                                        \
        .key = "knn-" #n "-even", .label = "kNN(" #n ") spread evenly", .part = JAIR_BEYOND,                 \
        .when = (occasion), .size = (n), .base = EVEN(n), .planner = "knn", .than = (than_key)               \
    }
#define FALLBACK(n, occasion)                                                                                \
    {                                                                                                        \
        .key = "knn-" #n "-tba", .label = "kNN(" #n ") with TBA*", .part = JAIR_BEYOND, .when = (occasion),  \
        .size = (n), .base = KNN(n), .planner = "knn:fallback=tba", .than = "knn-" #n                        \
    }
#define BOTH(n, than_key, occasion)                                                                          \
    {                                                                                                        \
        .key = "knn-" #n "-even-tba", .label = "kNN(" #n ") spread evenly, with TBA*", .part = JAIR_BEYOND,  \
        .when = (occasion), .size = (n), .base = EVEN(n), .planner = "knn:fallback=tba", .than = (than_key)  \
    }

#define SLICE(k)                                                                                             \
    .key = "tba-" #k, .label = "TBA*(" #k ")", .family = JAIR_TBA, .size = (k), .planner = "tba:k=" #k

const jair_setting jair_settings[] = {
    {.key = "knn-1000", .label = "kNN LRTA*(1000)", .size = 1000, .base = KNN(1000), .planner = "knn"},
    {.key = "knn-5000", .label = "kNN LRTA*(5000)", .size = 5000, .base = KNN(5000), .planner = "knn"},
    {.key = "knn-10000",
     .label = "kNN LRTA*(10000)",
     .size = 10000,
     .base = KNN(10000),
     .planner = "knn",
     .in_paper = true,
     .paper = {7.56, 6851.62, 13.10, 10000, 0.00308, 0.25, 8.62, 265.65, 1}},
    {.key = "knn-40000",
     .label = "kNN LRTA*(40000)",
     .when = JAIR_WHOLE,
     .size = 40000,
     .base = KNN(40000),
     .planner = "knn",
     .in_paper = true,
     .paper = {6.88, 620.63, 51.89, 40000, 0.01234, 1.00, 5.04, 1034.08, 1}},
    {.key = "knn-60000",
     .label = "kNN LRTA*(60000)",
     .when = JAIR_WHOLE,
     .size = 60000,
     .base = KNN(60000),
     .planner = "knn",
     .in_paper = true,
     .paper = {6.40, 12.77, 77.30, 60000, 0.01851, 1.51, 4.23, 1547.85, 2}},
    {.key = "knn-80000",
     .label = "kNN LRTA*(80000)",
     .when = JAIR_WHOLE,
     .size = 80000,
     .base = KNN(80000),
     .planner = "knn",
     .in_paper = true,
     .paper = {6.55, 11.96, 103.09, 80000, 0.02468, 2.01, 4.22, 2062.20, 2}},
    {.key = "dlrta-12",
     .label = "D LRTA*(12)",
     .family = JAIR_DLRTA,
     .size = 12,
     .base = "dlrta:level=12",
     .planner = "dlrta",
     .in_paper = true,
     .paper = {3.73, 15999.23, 0.25, 251.5, 1.00001, 84.96, 18.76, 87019.74, 66}},
    {.key = "dlrta-11",
     .label = "D LRTA*(11)",
     .family = JAIR_DLRTA,
     .when = JAIR_WHOLE,
     .size = 11,
     .base = "dlrta:level=11",
     .planner = "dlrta",
     .in_paper = true,
     .paper = {3.93, 8497.09, 1.57, 1896.5, 1.00009, 84.97, 11.09, 87018.50, 66}},
    {.key = "dlrta-10",
     .label = "D LRTA*(10)",
     .family = JAIR_DLRTA,
     .when = JAIR_WHOLE,
     .size = 10,
     .base = "dlrta:level=10",
     .planner = "dlrta",
     .in_paper = true,
     .paper = {4.26, 6831.74, 11.95, 14872.0, 1.00068, 85.02, 8.24, 87066.34, 65}},
    {.key = "dlrta-9",
     .label = "D LRTA*(9)",
     .family = JAIR_DLRTA,
     .when = JAIR_WHOLE,
     .size = 9,
     .base = "dlrta:level=9",
     .planner = "dlrta",
     .in_paper = true,
     .paper = {3.94, 819.72, 89.88, 116048.5, 1.00532, 85.40, 3.04, 87456.35, 65}},
    {SLICE(5), .in_paper = true, .paper = {14.31, 1504.54, 0, 0, 0, 0, 1353.94, 1353.94, 0}},
    {SLICE(10), .in_paper = true, .paper = {26.34, 666.50, 0, 0, 0, 0, 1353.94, 1353.94, 0}},
    {SLICE(20)},
    /* Table 4 prints the time of TBA*(50) as its suboptimality; this is table 1's. */
    {SLICE(50), .in_paper = true, .paper = {83.31, 131.12, 0, 0, 0, 0, 1353.94, 1353.94, 0}},
    {SLICE(100), .in_paper = true, .paper = {117.52, 64.66, 0, 0, 0, 0, 1353.94, 1353.94, 0}},
    {SLICE(500)},
    {SLICE(1000)},
    {SLICE(2000)},
    {SLICE(5000)},
    {.key = "astar",
     .label = "A*",
     .family = JAIR_ASTAR,
     .planner = "astar",
     .in_paper = true,
     .paper = {208.03, 0, 0, 0, 0, 0, 1353.94, 1353.94, 0}},

    CANDIDATES(10000, JAIR_ALWAYS),
    CANDIDATES(60000, JAIR_WHOLE),

    FRAGMENTS(10000, JAIR_ALWAYS),
    FRAGMENTS(60000, JAIR_WHOLE),

    SWITCHES(10000, JAIR_QUICK),
    SWITCHES(60000, JAIR_WHOLE),

    SPREAD(5000, "knn-10000", JAIR_QUICK),
    SPREAD(10000, "knn-10000", JAIR_QUICK),
    FALLBACK(10000, JAIR_QUICK),
    BOTH(10000, "knn-10000", JAIR_QUICK),
    SPREAD(30000, "knn-60000", JAIR_WHOLE),
    SPREAD(60000, "knn-60000", JAIR_WHOLE),
    FALLBACK(60000, JAIR_WHOLE),
    BOTH(30000, "knn-60000", JAIR_WHOLE),
    BOTH(60000, "knn-60000", JAIR_WHOLE),

    {.key = "jps", .label = "A* by jump points", .family = JAIR_JPS, .part = JAIR_AFTER, .planner = "jps"},
    {.key = "atlas-64",
     .label = "atlas, sectors of 64",
     .family = JAIR_ATLAS,
     .part = JAIR_AFTER,
     .size = 64,
     .base = "atlas:sector=64",
     .planner = "atlas"},
    {.key = "atlas",
     .label = "atlas",
     .family = JAIR_ATLAS,
     .part = JAIR_AFTER,
     .size = 32,
     .base = "atlas",
     .planner = "atlas"},
};
const size_t jair_setting_count = sizeof jair_settings / sizeof *jair_settings;

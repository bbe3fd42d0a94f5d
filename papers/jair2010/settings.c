/* What is measured for jair2010. What the paper says of it is in figures.txt. */
#include "jair2010/jair2010.h"

/* Work is expected in milliseconds per problem, and seconds per database: records take as long as each other;
 * D LRTA* searches the map once for each region, of which a level has three times as many as the next. */
#define KNN_ROW(key, label, n, more, planner, weight, part, when, than)                                      \
    {                                                                                                        \
        "knn-" #n key, label, NULL, "knn:records=" #n more, planner, weight, 0.0003 * (n), false, JAIR_KNN,  \
            part, when, n, than                                                                              \
    }
#define WORK(n) ((n) < 40000 ? 20 : 2)
#define KNN(n, when) KNN_ROW("", "kNN LRTA*(" #n ")", n, "", "knn", WORK(n), JAIR_PAPER, when, NULL)
#define DLRTA(level, when, work, building)                                                                   \
    {                                                                                                        \
        "dlrta-" #level, "D LRTA*(" #level ")", NULL, "dlrta:level=" #level, "dlrta", work, building, false, \
            JAIR_DLRTA, JAIR_PAPER, when, level, NULL                                                        \
    }
#define TBA(k)                                                                                               \
    {                                                                                                        \
        "tba-" #k, "TBA*(" #k ")", NULL, NULL, "tba:k=" #k, 20, 0, false, JAIR_TBA, JAIR_PAPER, JAIR_ALWAYS, \
            k, NULL                                                                                          \
    }
#define OTHER(key, label, base, planner, family, part, size)                                                 \
    { key, label, NULL, base, planner, 20, 10, false, family, part, JAIR_ALWAYS, size, NULL }

#define CANDIDATES(n, when)                                                                                  \
    KNN_ROW("-m100", "kNN LRTA*(" #n "), M = 100", n, "", "knn:candidates=100", WORK(n), JAIR_FOOTNOTE,      \
            when, "knn-" #n)
#define FRAGMENTS(n, when)                                                                                   \
    KNN_ROW("-fragments", "kNN LRTA*(" #n ") and fragments", n, ",fragments=yes", "knn", WORK(n),            \
            JAIR_FRAGMENTS, when, "knn-" #n),                                                                \
        KNN_ROW("-fragments-m100", "kNN LRTA*(" #n ") and fragments, M = 100", n, ",fragments=yes",          \
                "knn:candidates=100", WORK(n), JAIR_FRAGMENTS, when, "knn-" #n "-m100")

/* An enhancement left out. */
#define WITHOUT(number, what, n, when)                                                                       \
    KNN_ROW("-e" #number, "without " #number ": " what, n, "", "knn:e" #number "=no", WORK(n),               \
            JAIR_SWITCHES, when, "knn-" #n)
#define SWITCHES(n, when)                                                                                    \
    WITHOUT(1, "the goal is tried first", n, when),                                                          \
        WITHOUT(2, "a record's first subgoal is tried before its start", n, when),                           \
        WITHOUT(3, "the goal is tried before a record's end", n, when),                                      \
        WITHOUT(4, "only the most similar records are tried", n, when),                                      \
        WITHOUT(5, "they are found by a kd-tree", n, when),                                                  \
        WITHOUT(6, "a second look once the quota is travelled", n, when)

#define SPREAD(n, than, when)                                                                                \
    KNN_ROW("-even", "kNN(" #n ") spread evenly", n, ",spread=even", "knn", WORK(n), JAIR_BEYOND, when, than)
#define FALLBACK(n, than, when)                                                                              \
    KNN_ROW("-tba", "kNN(" #n ") with TBA*", n, "", "knn:fallback=tba", 2, JAIR_BEYOND, when, than)
#define BOTH(n, than, when)                                                                                  \
    KNN_ROW("-even-tba", "kNN(" #n ") spread evenly, with TBA*", n, ",spread=even", "knn:fallback=tba", 2,   \
            JAIR_BEYOND, when, than)

const tool_paper_row jair_rows[] = {
    KNN(1000, JAIR_ALWAYS),
    KNN(5000, JAIR_ALWAYS),
    KNN(10000, JAIR_ALWAYS),
    KNN(40000, JAIR_WHOLE),
    KNN(60000, JAIR_WHOLE),
    KNN(80000, JAIR_WHOLE),
    DLRTA(12, JAIR_ALWAYS, 160, 25),
    DLRTA(11, JAIR_WHOLE, 80, 55),
    DLRTA(10, JAIR_WHOLE, 40, 145),
    DLRTA(9, JAIR_WHOLE, 20, 415),
    TBA(5),
    TBA(10),
    TBA(20),
    TBA(50),
    TBA(100),
    TBA(500),
    TBA(1000),
    TBA(2000),
    TBA(5000),
    OTHER("astar", "A*", NULL, "astar", JAIR_ASTAR, JAIR_PAPER, 0),
    CANDIDATES(10000, JAIR_ALWAYS),
    CANDIDATES(60000, JAIR_WHOLE),
    FRAGMENTS(10000, JAIR_ALWAYS),
    FRAGMENTS(60000, JAIR_WHOLE),
    SWITCHES(10000, JAIR_QUICK),
    SWITCHES(60000, JAIR_WHOLE),
    SPREAD(5000, "knn-10000", JAIR_QUICK),
    SPREAD(10000, "knn-10000", JAIR_QUICK),
    FALLBACK(10000, "knn-10000", JAIR_QUICK),
    BOTH(10000, "knn-10000", JAIR_QUICK),
    SPREAD(30000, "knn-60000", JAIR_WHOLE),
    SPREAD(60000, "knn-60000", JAIR_WHOLE),
    FALLBACK(60000, "knn-60000", JAIR_WHOLE),
    BOTH(30000, "knn-60000", JAIR_WHOLE),
    BOTH(60000, "knn-60000", JAIR_WHOLE),
    OTHER("jps", "A* by jump points", NULL, "jps", JAIR_JPS, JAIR_AFTER, 0),
    OTHER("atlas-64", "atlas, sectors of 64", "atlas:sector=64", "atlas", JAIR_ATLAS, JAIR_AFTER, 64),
    OTHER("atlas", "atlas", "atlas", "atlas", JAIR_ATLAS, JAIR_AFTER, 32),
};

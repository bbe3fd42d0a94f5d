/* Repairs under test: what holds for every kind of database that can be repaired. */
#ifndef WEND_TESTS_REPAIRS_H
#define WEND_TESTS_REPAIRS_H

#include "support/databases.h"

#include <wend/repair.h>

/* A kind, as its tests describe it. */
typedef struct test_repairs {
    const char *const *kinds; /* KIND[:KEY=VALUE...], taken in turn by the number of a case */
    size_t kind_count;
    const char *planner;            /* that goes by it */
    const char *other;              /* another kind that can be repaired */
    const char *const *unsupported; /* what can't be, closed by NULL */
    int32_t side;                   /* of maps, at most */
    /* Everything that it says is right for the map; otherwise false, reported. */
    bool (*right)(const wend_repair *repair, const wend_map *map);
    uint64_t (*over)(const wend_repair *repair);        /* operations that a call may go over */
    void (*tune)(wend_repair *repair, uint64_t number); /* NULL: nothing */
    uint64_t (*hash)(const wend_repair *repair);        /* the same for the same map; NULL: it need not be */
} test_repairs;

/* A map that is edited, a database of it as it was, and a repair of that. */
typedef struct test_repaired {
    const test_repairs *of;
    unsigned long long number;
    wend_map *base, *map;
    wend_db *db;
    wend_repair *repair;
} test_repaired;

bool test_repaired_open(test_repaired *it, const test_repairs *of, uint64_t number, wend_map *base);
void test_repaired_close(test_repaired *it);
bool test_repaired_right(const test_repaired *it, const wend_map *map, const char *when);
/* A small map of any shape and rules. */
wend_map *test_repaired_map(uint64_t number, int32_t most);

/* One with the most that it may take. */
wend_repair *test_repair_make(const test_repairs *of, const wend_db *db, const wend_map *map,
                              uint64_t number);
/* Steps until done, each within its operations and what it may go over, on the average of all. */
bool test_repair_finish(const test_repairs *of, wend_repair *repair, uint64_t slice);

/* After any edits, made while a repair is under way or before there was one, or taken back, all is right when
 * it is done; and what it writes verifies. */
void test_repairs_follow_edits(const test_repairs *of, uint64_t maps);
/* Every request for memory refused in turn, and caps on it: that is reported, what was right stays, and no
 * more is taken than is allowed. Wrong arguments, databases, maps and agents are refused. */
void test_repairs_keep_limits(const test_repairs *of);

#endif

/* Fleets under test: a life of ticks, requests, comings, goings and edits, all drawn from a number, and
 * checked at every tick against plain bookkeeping. */
#ifndef WEND_TESTS_FLEETS_H
#define WEND_TESTS_FLEETS_H

#include "support/maps.h"
#include "support/memory.h"
#include "support/reference.h"

#include <wend/fleet.h>

enum { TEST_FLEET_MEMBERS = 60, TEST_FLEET_SQUADS = 24 };

/* A squad in words. */
typedef struct test_squad {
    const char *planner;
    const char *kind; /* of the database that is built for it; NULL: none */
    int32_t body;
    int team; /* from 1: those with the same share what they know, at first nothing; 0: knows the map */
} test_squad;

typedef struct test_fleet_plan {
    uint64_t number;
    const test_squad *squads;
    size_t squad_count;
    int32_t width, height;
    test_shape shape;
    bool editable;
    uint32_t ticks, workspaces, lanes, patience;
    uint64_t budget; /* 0: the default */
    wend_tasks tasks;
    uint32_t rest; /* ticks after that, at most, without edits and requests, until every request has ended */
    /* Operations per tick for the repair of databases, by squad, 0 for none; NULL: none at all. */
    const uint64_t *repairs;
} test_fleet_plan;

typedef struct test_fleet_end {
    uint64_t hash; /* of all events, and of the fleet after each tick */
    uint64_t moves, coasted, arrived, unreachable, postponed, starved, edits;
    uint64_t longest; /* ticks that a member has waited for a step */
    uint64_t turns;   /* the largest number that was declared */
    uint64_t repairs; /* completed */
} test_fleet_end;

/* Lives through a plan; every property is checked on the way. */
test_fleet_end test_fleet_live(const test_fleet_plan *plan);

/* The cells where a body fits, worked out cell by cell. */
test_grid test_body_grid(const wend_map *map, int32_t body);

/* A fleet, and a squad of a planner; what is refused is reported, of a squad only if it has no words. */
wend_fleet *test_fleet_make(const wend_map *map, const wend_fleet_options *options);
wend_status test_fleet_squad(wend_fleet *fleet, const char *planner, const wend_squad_options *options,
                             uint32_t *squad);

#endif

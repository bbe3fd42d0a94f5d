/* Agents on ground that they do not know, or that changes under their feet: what must be believed is kept
 * beside what is, and every step is held against both. */
#ifndef WEND_TESTS_TERRAIN_H
#define WEND_TESTS_TERRAIN_H

#include "support/agents/agents.h"

typedef enum test_belief {
    TEST_KNOWN,   /* no knowledge: the agent simply knows the map */
    TEST_UNKNOWN, /* all open until seen */
    TEST_PARTIAL, /* the truth has walls that are not known; all known ones are there */
    TEST_WRONG,   /* some other map */
    TEST_BELIEFS
} test_belief;

typedef struct test_terrain {
    test_stage stage; /* its grid is the truth as it is now */
    test_belief belief;
    uint32_t radius;
    wend_map *first;           /* what is believed at first, or NULL */
    wend_knowledge *knowledge; /* NULL if known */
    test_grid believed;        /* what must be believed now; the truth, if known */
    uint8_t *seen;             /* one byte per cell */
    uint64_t changes, opened;  /* beliefs that changed, and how many of them to open */
    uint64_t edits;            /* to the truth */
    uint8_t *joined;           /* scratch of test_terrain_joined */
} test_terrain;

/* Takes the map over as the truth, even when it fails (which it has reported); close in any case. The world
 * can be edited. Under TEST_PARTIAL up to a third of the map's open cells are closed in truth. */
bool test_terrain_open(test_terrain *terrain, wend_map *map, test_belief belief, uint32_t radius,
                       uint64_t number);
/* A map of any shape and rules, at most `side` cells per side: all from `number`. */
bool test_terrain_any(test_terrain *terrain, uint64_t number, int32_t side, test_belief belief);
void test_terrain_close(test_terrain *terrain);

/* An agent with the terrain's knowledge; NULL (reported) if refused. */
wend_agent *test_terrain_agent(const test_terrain *terrain, const char *planner);

/* Edits the truth. */
void test_terrain_edit(test_terrain *terrain, wend_rect area, bool open);
void test_terrain_edit_cell(test_terrain *terrain, wend_cell cell, bool open);
/* One edit that is meant to hurt: under the agent, around it, before it, on its goal, or anywhere. */
void test_terrain_edit_any(test_terrain *terrain, const wend_agent *agent, test_random *random);
/* Makes the truth what is believed, so that nothing more can be learnt. */
void test_terrain_freeze(test_terrain *terrain);

/* Whether a path leads from one cell to the other; false where one of them is blocked. */
bool test_terrain_joined(test_terrain *terrain, const test_grid *grid, wend_cell from, wend_cell to);
/* Whether a sensor at `from` reaches a cell. */
bool test_in_reach(const test_terrain *terrain, wend_cell from, wend_cell cell);
/* Compares all that is believed and seen with what must be. */
void test_terrain_check(const test_terrain *terrain, const char *planner);
/* A start that is open and a goal that is believed open; false where there is none. */
bool test_terrain_problem(const test_terrain *terrain, test_random *random, wend_cell *start,
                          wend_cell *goal);

/* An agent on its way, and what is known of it from outside. */
typedef struct test_trek {
    wend_agent *agent;
    const char *planner;
    test_walk walk;
    uint64_t idle;         /* steps since anything changed: a belief, the truth, the task */
    uint64_t events;       /* what `idle` is counted from */
    uint64_t right;        /* the events at which `unreachable` was last found right */
    wend_counters counted; /* after the last step; a look around at the start counts in the first */
    bool crowded;          /* others walk here too: the stage's record of visits is not its own */
    bool gave_back;        /* its workspace, which may or may not remember where it was */
} test_trek;

/* Whether the planner ends, with arrival or a proof, soon after nothing changes any more: all that search the
 * whole map. Learners come to a proof too, but it may take them the square of the number of cells. */
bool test_is_complete(const char *planner);
/* After a new goal or place: it counts as a change, and the agent may look around at once. */
void test_trek_changed(test_terrain *terrain, test_trek *trek, bool new_goal);
/* After a plan: the agent may have looked around. */
void test_trek_looked(test_terrain *terrain, const test_trek *trek);
/* Starts a task; false (reported) if it is refused. */
bool test_trek_start(test_terrain *terrain, test_trek *trek, wend_agent *agent, const char *planner,
                     wend_cell start, wend_cell goal);
/* Holds a step that was just made from `before` against all that is known: the move, the bound, the counts,
 * what is seen, whether an end is right, and how long nothing may change. */
void test_trek_check(test_terrain *terrain, test_trek *trek, wend_cell before, wend_step step);
/* One step, checked. */
wend_step test_trek_step(test_terrain *terrain, test_trek *trek);
/* Steps until it ends, or `limit` steps are made; returns how it ended, WEND_STEP_WAITING if cut off. */
wend_outcome test_trek_go(test_terrain *terrain, test_trek *trek, uint64_t limit);
/* The most steps that the planner may need from here, if there is a path that it believes in all the way. */
uint64_t test_trek_limit(test_terrain *terrain, const test_trek *trek);

/* One step of an agent that knows the map and does not learn: legal, within its bound, and unreachable only
 * where that is so. `hash` gathers what happened. */
wend_step test_terrain_step(test_terrain *terrain, wend_agent *agent, uint64_t *hash);
/* Goes on until it ends: what an end must be is known. */
void test_terrain_end(test_terrain *terrain, wend_agent *agent, uint64_t *hash);
/* Some random problems from beginning to end, by the same steps; the mean of what walks cost over optimal, in
 * per cent. */
double test_terrain_mean_over(test_terrain *terrain, wend_agent *agent, uint32_t problems,
                              test_random *random);

#endif

/* Agents under test: worlds to put them in, every planner in every form, and walks that are checked at each
 * step. */
#ifndef WEND_TESTS_AGENTS_H
#define WEND_TESTS_AGENTS_H

#include "support/maps.h"
#include "support/reference.h"

#include <wend/world.h>

/* A map, its cells as the reference sees them, and a world on it. */
typedef struct test_stage {
    wend_map *map;
    test_grid grid;
    wend_world *world;
    wend_cost *left;                 /* distances to the goal of the last walk, a cell each */
    uint8_t *been;                   /* where an agent has been, one byte per cell */
    uint64_t number;                 /* for messages */
    const wend_knowledge *knowledge; /* what its agents share, or NULL: its bytes may count as theirs */
} test_stage;

/* Takes the map over, even if it fails (which it has reported); close in any case. `options` may be NULL. */
bool test_stage_open(test_stage *stage, wend_map *map, const wend_world_options *options);
/* A map of test_map_any. */
bool test_stage_any(test_stage *stage, uint64_t number);
void test_stage_close(test_stage *stage);

/* Every planner that needs no database, with lookaheads and budgets from the least to the most: first the
 * library's; up to test_all_planner_count those of a program's own too (support/agents/own.h), which may be
 * incomplete. What is registered is there: a planner that agents.c does not name comes as it is, and with each key at its least
 * and its most. */
const char *test_planner(size_t index);
size_t test_planner_count(void), test_all_planner_count(void);

/* NULL (reported) if it is refused. `options` may be NULL. */
wend_agent *test_agent_make(const test_stage *stage, const char *planner, const wend_agent_options *options);

/* What a learning agent (lrta, lss-lrta, rtaa, dartaa) believes of a cell. Looks inside. */
wend_cost test_agent_h(const test_stage *stage, const wend_agent *agent, wend_cell cell);

/* Whether the planner searches the whole map and borrows a workspace for it (such as astar and tba). */
bool test_is_whole_map(const char *planner);
/* Whether its walk over ground that it knows is a shortest one: it moves only along a path that is whole. */
bool test_is_optimal(const char *planner);
/* Whether it arrives wherever a path leads: it is complete. Another, which support/agents/own.c says, may walk or
 * wait for ever, or run out of memory; all else is expected of it too. */
bool test_is_sure(const char *planner);
/* Whether a planner's name, without its keys, is this one. */
bool test_is_planner(const char *planner, const char *name);

/* The most steps that the planner may take from start to goal, by its theory, given the distances to the
 * goal. */
uint64_t test_step_limit(const test_stage *stage, const char *planner, wend_cell start, wend_cell goal,
                         const wend_cost *left);

typedef struct test_walk {
    wend_outcome end; /* WEND_STEP_WAITING if it was cut off */
    uint64_t steps, moves, waits;
    wend_cost cost;
    uint64_t route; /* a hash of its moves, without waits */
    uint64_t ticks; /* the same with waits */
} test_walk;

/* One step that was just made, from `before`: legal, where it says, within its bound and budget, counted.
 * Keeps stage->been and `walk`. */
void test_check_step(test_stage *stage, const wend_agent *agent, const char *planner, wend_cell before,
                     const wend_counters *counted, wend_step step, test_walk *walk);

/* Starts a task and steps until it ends or has taken `limit` steps, all of them checked; then checks that the
 * end is stable. */
test_walk test_walk_to(test_stage *stage, wend_agent *agent, const char *planner, wend_cell start,
                       wend_cell goal, uint64_t limit);
/* The same, with the limit and the right outcome worked out. */
test_walk test_walk_checked(test_stage *stage, wend_agent *agent, const char *planner, wend_cell start,
                            wend_cell goal);

#endif

/* LRTA* over values that stand in a borrowed workspace: its records, a cell each, hold h of the cells where
 * it was raised in place of the cost of a search. So an agent that rarely learns needs no table of its own,
 * and one that does has room for every cell of the map.
 *
 * The one-step form of figure 1 of "Case-based subgoaling", with the ties of lrta.c. Values hold when cells
 * are closed; whoever hears of one that was opened begins again. A value above the cost of any shortest path
 * (search/learnt.h, wend_learnt_limit) proves that there is no path. Then the task ends, if the agent has
 * heard of all that has changed, and has no other aim than its goal (agent->aim). */
#ifndef WEND_LRTA_VALUES_H
#define WEND_LRTA_VALUES_H

#include "plan/agent.h"

/* Right after borrowing, or a restart: nothing is known of any cell. */
void wend_values_begin(wend_agent *agent);
/* Looks at the neighbours and learns the cell that the agent stands on; the move, or WEND_NO_DIRECTION if
 * there is none, or no path. At most WEND_VALUES_OPERATIONS. */
uint32_t wend_values_move(wend_agent *agent);
enum { WEND_VALUES_OPERATIONS = 1 + WEND_DIRECTIONS };

/* What is known of a cell; for tests. */
uint64_t wend_values_of(const wend_agent *agent, wend_cell cell);

#endif

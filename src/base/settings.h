/* The parser of settings over any table: planners, kinds of databases, and what tests make up. */
#ifndef WEND_BASE_SETTINGS_H
#define WEND_BASE_SETTINGS_H

#include <wend/plan.h>

/* `what` is what the table holds, for messages: "planner". */
wend_status wend_settings_parse_in(const char *what, const wend_planner_info *const *planners, size_t count,
                                   const char *text, wend_settings *settings, wend_error *error);

/* The settings as NAME[:KEY=VALUE[,KEY=VALUE...]] with every key that has a value, in the table's order and
 * in one form: two texts that mean the same give the same. False if it does not fit into `size` bytes. */
bool wend_settings_write(const wend_settings *settings, char *text, size_t size);

#endif

/* The parser of settings over any table, so that tests can try every kind of key. */
#ifndef WEND_PLAN_PLANNERS_H
#define WEND_PLAN_PLANNERS_H

#include <wend/plan.h>

wend_status wend_settings_parse_in(const wend_planner_info *const *planners, size_t count, const char *text,
                                   wend_settings *settings, wend_error *error);

#endif

/* Estimates of path databases, as a kind's `estimate`. */
#ifndef WEND_CPD_BUILD_ESTIMATE_H
#define WEND_CPD_BUILD_ESTIMATE_H

#include "db/kind.h"

wend_status wend_cpd_lists_estimate(const wend_map *map, const wend_settings *settings, uint32_t workers,
                                    const wend_allocator *allocator, wend_estimate *estimate,
                                    wend_error *error);
wend_status wend_cpd_runs_estimate(const wend_map *map, const wend_settings *settings, uint32_t workers,
                                   const wend_allocator *allocator, wend_estimate *estimate,
                                   wend_error *error);

#endif

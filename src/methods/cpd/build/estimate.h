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
/* An upper bound of the size of the file, a few hundred bytes above it: by all of a build's work, on one thread. Uses the
 * options' progress. */
wend_status wend_cpd_runs_measure(const wend_map *map, const wend_build_options *options,
                                  const wend_allocator *allocator, uint64_t *bytes, wend_error *error);

#endif

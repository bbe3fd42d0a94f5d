/* Building a database of kind corners: see build.c. */
#ifndef WEND_CORNERS_BUILD_H
#define WEND_CORNERS_BUILD_H

#include "db/kind.h"

wend_status wend_corners_prepare(wend_builder *builder, wend_error *error);
wend_status wend_corners_job(wend_builder *builder, uint32_t job, uint32_t worker, wend_buffer *result);
wend_status wend_corners_finish(wend_builder *builder, const wend_buffer *results, wend_error *error);
void wend_corners_release(wend_builder *builder);
wend_status wend_corners_estimate(const wend_map *map, const wend_settings *settings, uint32_t workers,
                                  const wend_allocator *allocator, wend_estimate *estimate,
                                  wend_error *error);

#endif

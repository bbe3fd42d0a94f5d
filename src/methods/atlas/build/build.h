/* Building an atlas. */
#ifndef WEND_ATLAS_BUILD_BUILD_H
#define WEND_ATLAS_BUILD_BUILD_H

#include "methods/atlas/hierarchy/labels.h"

wend_status wend_atlas_prepare(wend_builder *builder, wend_error *error);
wend_status wend_atlas_job(wend_builder *builder, uint32_t job, uint32_t worker, wend_buffer *result);
wend_status wend_atlas_finish(wend_builder *builder, const wend_buffer *results, wend_error *error);
void wend_atlas_release(wend_builder *builder);

/* Settings for `size` and `over`, and the sectors where they are not given; as a kind's `choose`. */
wend_status wend_atlas_choose(const wend_map *map, const wend_settings *settings,
                              const wend_build_options *options, wend_db_choice *choice, wend_error *error);

#endif

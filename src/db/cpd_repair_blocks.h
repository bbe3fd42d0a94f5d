/* Rows of all sources of a map, a block of sources at a time: for repairs that would otherwise search from
 * most of its cells one by one. */
#ifndef WEND_DB_CPD_REPAIR_BLOCKS_H
#define WEND_DB_CPD_REPAIR_BLOCKS_H

#include "db/kind.h"
#include "search/many.h"

typedef struct wend_cpd_blocks {
    wend_ranks ranks;
    wend_many *many;
    uint32_t across, count; /* blocks, in rows */
    uint32_t next;
    const wend_cell *order; /* in which targets stand in a row */
    uint32_t targets;
    const uint32_t *places;             /* by cell: where in `order` */
    wend_buffer runs[WEND_PATCH_LANES]; /* of the rows under way */
} wend_cpd_blocks;

/* What it takes beside the rows themselves, for components of at most so many cells. */
size_t wend_cpd_blocks_bytes(const wend_map *map);
/* The map stays as it is, and so do `order`, `places` and `allocator`. To be released in any case. */
wend_status wend_cpd_blocks_create(const wend_map *map, const wend_cell *order, uint32_t targets,
                                   const uint32_t *places, const wend_allocator *allocator,
                                   wend_cpd_blocks *blocks, wend_error *error);
void wend_cpd_blocks_release(wend_cpd_blocks *blocks);
/* Takes a finished row: `runs` as in wend_cpd_patch. */
typedef wend_status (*wend_cpd_take_row)(void *context, wend_cell source, const uint32_t *runs,
                                         uint32_t count);
/* The rows of the next block's sources; `operations` is what it counts as. */
wend_status wend_cpd_blocks_next(wend_cpd_blocks *blocks, wend_cpd_take_row take, void *context,
                                 uint64_t *operations);

#endif

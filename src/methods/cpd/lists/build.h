/* What makes lists of records: one worker's memory, parcel by parcel. */
#ifndef WEND_CPD_LISTS_BUILD_H
#define WEND_CPD_LISTS_BUILD_H

#include "methods/cpd/lists/list.h"

typedef struct wend_cpd_lister {
    wend_allocator allocator;
    const wend_ranks *ranks;
    const wend_cpd_parcels *parcels;
    wend_cpd_worker *search;
    wend_cpd_table table;
    void *scratch;
    size_t scratch_bytes;
    uint16_t *sets; /* of one source, by target */
} wend_cpd_lister;

/* NULL: no memory. `form` says what scratch is needed: that of another form may do. */
wend_cpd_lister *wend_cpd_lister_create(const wend_ranks *ranks, const wend_cpd_parcels *parcels,
                                        const wend_cpd_form *form, const wend_allocator *allocator);
void wend_cpd_lister_destroy(wend_cpd_lister *lister);
/* Bytes of one, roughly. */
size_t wend_cpd_lister_bytes(const wend_ranks *ranks, const wend_cpd_parcels *parcels,
                             const wend_cpd_form *form);

/* Searches from all sources of a parcel; then their sets are there, by their index in it, those of one source
 * at a time. */
wend_status wend_cpd_lister_search(wend_cpd_lister *lister, const wend_cpd_parcel *parcel);
const uint16_t *wend_cpd_lister_sets(const wend_cpd_lister *lister, uint32_t index);
/* The source's rank within its component. */
uint32_t wend_cpd_lister_source(const wend_cpd_lister *lister, const wend_cpd_parcel *parcel, uint32_t index);
/* Adds its list. */
bool wend_cpd_lister_write(wend_cpd_lister *lister, const wend_cpd_lists *base, const wend_cpd_parcel *parcel,
                           uint32_t index, wend_buffer *result);

/* Bytes that a file has at the least, whatever the moves are: of uncompressed tables, all of them. */
uint64_t wend_cpd_lists_least_bytes(const wend_cpd_lists *base, const wend_ranks *ranks);

#endif

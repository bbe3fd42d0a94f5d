/* The work of a path database is cut into parcels: the cells of one component that lie in one block of the
 * map. A parcel's sources are searched from together, and share rows where they can. */
#ifndef WEND_CPD_BUILD_PARCEL_H
#define WEND_CPD_BUILD_PARCEL_H

#include "methods/cpd/build/many.h"
#include "methods/cpd/layout.h"

typedef struct wend_cpd_parcel {
    uint32_t component;
    uint32_t x, y;    /* of its block's north-western cell */
    uint32_t begin;   /* of its sources in wend_cpd_parcels.sources */
    uint32_t sources; /* how many */
} wend_cpd_parcel;

/* All parcels: those of a component together, by their first source's rank. */
typedef struct wend_cpd_parcels {
    wend_allocator allocator;
    uint32_t count, capacity, cells;
    uint32_t most_sources;
    wend_cpd_parcel *list;
    uint32_t *sources; /* ranks, ascending within each parcel */
    uint32_t *jobs;    /* of a build: the first parcel of each; one more, the end. NULL until divided */
    uint32_t job_count;
} wend_cpd_parcels;

wend_status wend_cpd_parcels_create(const wend_ranks *ranks, const wend_allocator *allocator,
                                    wend_cpd_parcels *parcels, wend_error *error);
void wend_cpd_parcels_release(wend_cpd_parcels *parcels);
/* Makes jobs of parcels that follow each other, each with enough work. */
wend_status wend_cpd_parcels_divide(wend_cpd_parcels *parcels, const wend_ranks *ranks, wend_error *error);

/* A worker's memory for parcels, one at a time. */
typedef struct wend_cpd_worker {
    const wend_ranks *ranks;
    const wend_cpd_parcels *parcels;
    wend_allocator allocator;
    wend_many *many;
    uint32_t most_cells;
    bool avx2;
    uint8_t *zones; /* by target: what the greedy moves of all sources depend on */
    /* Targets that follow each other, and for which every source of the parcel has the same set. */
    uint32_t segments;
    uint32_t *begins;   /* of each, by rank within the component; one more, the end */
    uint8_t *marks;     /* by target: where one begins */
    uint32_t *patterns; /* of each, in the last search */
    uint16_t *sets;     /* of each source, `stride` apart, by segment; NULL until needed */
    size_t stride, sets_room;
} wend_cpd_worker;

wend_status wend_cpd_worker_create(const wend_ranks *ranks, const wend_cpd_parcels *parcels,
                                   wend_many_form form, const wend_allocator *allocator,
                                   wend_cpd_worker **out);
void wend_cpd_worker_destroy(wend_cpd_worker *worker);
/* Bytes of one, roughly: the lanes of cells under way are not known beforehand. */
size_t wend_cpd_worker_bytes(const wend_ranks *ranks, const wend_cpd_parcels *parcels, bool with_sets);

/* Sets of moves as the encoder sees them: bits 0 to 7 the optimal moves, and this one if the greedy move is
 * among them. */
enum { WEND_CPD_GREEDY_BIT = 256, WEND_CPD_ANY = 511 };

/* Works out the sets from each source of a parcel, in their order, to every cell of its component, by
 * segments of these: worker->sets + i * worker->stride. Towards itself any move is as good. */
wend_status wend_cpd_parcel_sets(wend_cpd_worker *worker, const wend_cpd_parcel *parcel);

/* Adds to `weights` how many sources of the parcel have no common move across an edge: four per rank, for the
 * directions 2 to 5, since the others are the same edges from the other side. The greedy move is taken as
 * that from the middle of the block. */
enum { WEND_CPD_EDGES = 4 };
wend_status wend_cpd_parcel_weigh(wend_cpd_worker *worker, const wend_cpd_parcel *parcel, uint32_t *weights);

/* Merges rows of the parcel whose sets are there, and writes: a byte for each source, the number of its row
 * in the parcel, counted from 0 in the order of their first sources; then the rows. */
wend_status wend_cpd_parcel_encode(wend_cpd_worker *worker, const wend_cpd_parcel *parcel,
                                   wend_buffer *result);

#endif

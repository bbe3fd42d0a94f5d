/* Verifying an atlas: which cells are representatives is worked out again as a whole. Then pieces of two
 * kinds: a sector, all of whose open cells must be covered; and a representative, whose edges must be links
 * of least cost. (That edges can be walked, and that shortcuts are made of arcs, is seen when the file is
 * opened.) */
#include "methods/atlas/verify.h"
#include "methods/atlas/build/build.h"

#include "base/sort.h"

#include <string.h>

typedef struct checker {
    wend_jumps *jumps;
    wend_atlas_linker *linkers;    /* one a worker */
    wend_atlas_exact_check *exact; /* of an exact atlas, in place of all others */
} checker;

static int by_cell(const void *a, const void *b) {
    const wend_cell *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static wend_status compare_reps(const wend_verifier *verifier, const wend_atlas_cover *cover,
                                wend_error *error) {
    const wend_atlas *atlas = wend_atlas_of(verifier->db);
    if (cover->count != atlas->count || cover->pair_count != atlas->neighbours)
        return wend_fail(error, WEND_STATUS_WRONG_CONTENTS,
                         "there should be %u representatives and %zu neighbours", cover->count,
                         cover->pair_count);
    wend_cell *cells = wend_allocate(&verifier->allocator, (size_t)atlas->count + 1, sizeof *cells);
    if (!cells) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for verifying");
    if (atlas->count) {
        memcpy(cells, atlas->cells, atlas->count * sizeof *cells);
        wend_sort(cells, atlas->count, sizeof *cells, by_cell);
        wend_sort(cover->reps, cover->count, sizeof *cover->reps, by_cell);
    }
    wend_status status = WEND_OK;
    for (uint32_t i = 0; i < atlas->count && status == WEND_OK; i++)
        if (cells[i] != cover->reps[i])
            status = wend_fail(error, WEND_STATUS_WRONG_CONTENTS,
                               "cell %u should be a representative, not %u", cover->reps[i], cells[i]);
    wend_release(&verifier->allocator, cells, (size_t)atlas->count + 1, sizeof *cells);
    return status;
}

/* Representatives are worked out for the whole map anyway: so they are always verified, whatever pieces are
 * looked at. */
static wend_status verify_reps(const wend_verifier *verifier, wend_error *error) {
    wend_atlas_cover cover;
    wend_atlas_crew crew = {&verifier->options->tasks, verifier->workers, NULL};
    wend_status status = wend_atlas_cover_make(&cover, verifier->map, wend_atlas_of(verifier->db)->grid.side,
                                               &crew, &verifier->allocator, error);
    if (status == WEND_OK) status = compare_reps(verifier, &cover, error);
    wend_atlas_cover_release(&cover);
    return status;
}

wend_status wend_atlas_verify_prepare(wend_verifier *verifier, wend_error *error) {
    const wend_allocator *allocator = &verifier->allocator;
    const wend_atlas *atlas = wend_atlas_of(verifier->db);
    checker *made = wend_allocate_zeroed(allocator, 1, sizeof *made);
    if (!made) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for verifying");
    verifier->state = made;
    if (atlas->ends) return wend_atlas_exact_prepare(verifier, &made->exact, error);
    wend_status status = verify_reps(verifier, error);
    if (status == WEND_OK) status = wend_jumps_create(verifier->map, allocator, &made->jumps, error);
    if (status != WEND_OK) return status;
    made->linkers = wend_allocate_zeroed(allocator, verifier->workers, sizeof *made->linkers);
    status = made->linkers ? WEND_OK : WEND_STATUS_NO_MEMORY;
    for (uint32_t i = 0; i < verifier->workers && status == WEND_OK; i++)
        status = wend_atlas_linker_create(&made->linkers[i], verifier->map, made->jumps, allocator);
    if (status != WEND_OK) return wend_fail(error, status, "no memory for verifying");
    verifier->pieces = (uint64_t)atlas->grid.columns * atlas->grid.rows + atlas->count;
    return WEND_OK;
}

void wend_atlas_verify_release(wend_verifier *verifier) {
    checker *made = verifier->state;
    const wend_allocator *allocator = &verifier->allocator;
    if (!made) return;
    wend_atlas_exact_release(made->exact);
    for (uint32_t i = 0; made->linkers && i < verifier->workers; i++)
        if (made->linkers[i].map) wend_atlas_linker_release(&made->linkers[i]);
    wend_release(allocator, made->linkers, verifier->workers, sizeof *made->linkers);
    wend_jumps_destroy(made->jumps);
    wend_release(allocator, made, 1, sizeof *made);
    verifier->state = NULL;
}

static bool is_covered(const wend_map *map, const wend_atlas *atlas, uint32_t sector, wend_cell cell) {
    wend_atlas_block block = wend_atlas_around(&atlas->grid, sector);
    for (uint32_t row = block.top; row <= block.bottom; row++) {
        uint32_t line = row * atlas->grid.columns;
        uint32_t end = wend_atlas_members(atlas, line + block.right + 1);
        for (uint32_t i = wend_atlas_members(atlas, line + block.left); i < end; i++)
            if (wend_atlas_covers(map, &atlas->grid, atlas->cells[wend_atlas_member(atlas, i)], cell))
                return true;
    }
    return false;
}

static wend_status verify_sector(const wend_map *map, const wend_atlas *atlas, uint32_t sector,
                                 wend_error *error) {
    uint32_t side = atlas->grid.side;
    uint32_t left = sector % atlas->grid.columns * side, top = sector / atlas->grid.columns * side;
    for (uint32_t y = top; y < top + side && y < (uint32_t)map->height; y++)
        for (uint32_t x = left; x < left + side && x < (uint32_t)map->width; x++)
            if (wend_bit(map, x, y) && !is_covered(map, atlas, sector, y * (uint32_t)map->width + x))
                return wend_fail(error, WEND_STATUS_WRONG_CONTENTS, "no representative covers cell %u,%u", x,
                                 y);
    return WEND_OK;
}

static wend_status verify_edges(const wend_atlas *atlas, uint32_t rank, wend_atlas_linker *linker,
                                wend_error *error) {
    for (uint32_t i = atlas->first[rank]; i < atlas->first[rank + 1]; i++) {
        wend_atlas_up up = wend_atlas_arc_at(atlas, i);
        wend_cost cost;
        if (up.what < atlas->count) continue;
        wend_status status =
            wend_atlas_link(linker, atlas->cells[rank], atlas->cells[up.to], UINT64_MAX, &cost);
        if (status != WEND_OK) return wend_fail(error, status, "no memory to verify edge %u", i);
        bool same = cost == up.cost && linker->bend_count == wend_atlas_bend_count(atlas, up.what);
        for (uint32_t j = 0; same && j < linker->bend_count; j++)
            same = linker->bends[j] == wend_atlas_bend(atlas, up.what, j, false);
        if (!same)
            return wend_fail(error, WEND_STATUS_WRONG_CONTENTS,
                             "the edge between representatives %u and %u is not what the map gives", rank,
                             up.to);
    }
    return WEND_OK;
}

wend_status wend_atlas_verify(wend_verifier *verifier, uint64_t piece, uint32_t worker, wend_error *error) {
    checker *made = verifier->state;
    const wend_atlas *atlas = wend_atlas_of(verifier->db);
    if (made->exact) return wend_atlas_exact_verify(made->exact, atlas, (uint32_t)piece, error);
    uint64_t sectors = (uint64_t)atlas->grid.columns * atlas->grid.rows;
    if (piece < sectors) return verify_sector(verifier->map, atlas, (uint32_t)piece, error);
    return verify_edges(atlas, (uint32_t)(piece - sectors), &made->linkers[worker], error);
}

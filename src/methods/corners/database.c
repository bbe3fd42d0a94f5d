/* The kind corners: the file, its checks, and whole paths with it. */
#include "methods/corners/layout.h"

#include "methods/corners/build.h"
#include <wend/corners.h>

const wend_corners_shape *wend_corners_shape_of(const wend_db *db) {
    return wend_db_section(db, "shape", sizeof(uint32_t), NULL);
}

const uint64_t *wend_corners_flags(const wend_db *db, wend_cell goal) {
    const wend_corners_shape *shape = wend_corners_shape_of(db);
    const uint64_t *flags = wend_db_section(db, "flags", sizeof(uint64_t), NULL);
    uint32_t width = (uint32_t)db->info.width, x = goal % width, y = goal / width;
    uint64_t tile = (uint64_t)(y / shape->side) * shape->columns + x / shape->side;
    return flags + tile * wend_corners_words(shape->edges);
}

wend_status wend_corners_check(const wend_db *db, const wend_jumps *jumps, wend_error *error) {
    const wend_corners_shape *shape = wend_corners_shape_of(db);
    if (shape->corners == jumps->corners->count && shape->edges == jumps->corners->edge_count) return WEND_OK;
    return wend_fail(error, WEND_STATUS_DAMAGED,
                     "the database is of %u corners and %u edges, the map has %u, %zu", shape->corners,
                     shape->edges, jumps->corners->count, jumps->corners->edge_count);
}

static wend_status corners_open(wend_db *db, wend_error *error) {
    uint64_t numbers = 0, words = 0;
    const wend_corners_shape *shape = wend_db_section(db, "shape", sizeof(uint32_t), &numbers);
    if (!shape || numbers != WEND_CORNERS_SHAPE || !wend_db_section(db, "flags", sizeof(uint64_t), &words))
        return wend_fail(error, WEND_STATUS_DAMAGED, "the sections 'shape' and 'flags' are not there");
    uint64_t width = (uint64_t)db->info.width, height = (uint64_t)db->info.height, side = shape->side;
    if (!side || shape->columns != (width + side - 1) / side || shape->rows != (height + side - 1) / side)
        return wend_fail(error, WEND_STATUS_DAMAGED, "the tiles do not cover the map");
    if (words != (uint64_t)shape->columns * shape->rows * wend_corners_words(shape->edges))
        return wend_fail(error, WEND_STATUS_DAMAGED, "the flags are not as many as tiles and edges");
    return WEND_OK;
}

static size_t corners_facts(const wend_db *db, wend_fact *facts, size_t capacity) {
    const wend_corners_shape *shape = wend_corners_shape_of(db);
    uint64_t words = 0, set = 0;
    const uint64_t *flags = wend_db_section(db, "flags", sizeof *flags, &words);
    for (uint64_t i = 0; i < words; i++) set += wend_count_bits(flags[i]);
    double tiles = (double)shape->columns * shape->rows, all = tiles * shape->edges;
    const wend_fact list[] = {{"corners", shape->corners},
                              {"edges", shape->edges},
                              {"tiles", tiles},
                              {"tile_side", shape->side},
                              {"flagged_percent", all > 0 ? 100 * (double)set / all : 0}};
    size_t count = sizeof list / sizeof *list;
    for (size_t i = 0; i < count && i < capacity; i++) facts[i] = list[i];
    return count;
}

wend_status wend_corners_find(const wend_db *db, wend_search *search, const wend_jumps *jumps,
                              wend_cell start, wend_cell goal, wend_result *result, wend_error *error) {
    if (!db || db->kind != &wend_db_corner_flags || !search || !jumps || !result)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT,
                         "no database of kind corners, no search, or no jump tables");
    bool on_map = goal < jumps->cells && jumps->revision == jumps->map->revision;
    if (!on_map) return wend_search_jps(search, jumps, start, goal, result, error);
    wend_corner_state *known = &search->corner;
    if (known->fingerprint_of != jumps->revision + 1)
        known->fingerprint = wend_map_fingerprint(jumps->map), known->fingerprint_of = jumps->revision + 1;
    if (jumps->map != search->map || known->fingerprint != db->info.fingerprint)
        return wend_fail(error, WEND_STATUS_OTHER_MAP, "the database is for another map");
    wend_status status = wend_corners_check(db, jumps, error);
    if (status == WEND_OK)
        status =
            wend_search_jps_flagged(search, jumps, wend_corners_flags(db, goal), start, goal, result, error);
    if (status != WEND_OK || result->found != WEND_FOUND_UNREACHABLE) return status;
    return wend_search_jps(search, jumps, start, goal, result, error);
}

const wend_db_kind wend_db_corner_flags = {
    .info = {"corners", "for each edge of the graph of corners, the tiles of goals that it is of use for",
             NULL, 0},
    .version = 1,
    .open = corners_open,
    .facts = corners_facts,
    .prepare = wend_corners_prepare,
    .job = wend_corners_job,
    .finish = wend_corners_finish,
    .release = wend_corners_release,
    .estimate = wend_corners_estimate,
};

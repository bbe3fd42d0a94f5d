/* Bringing an atlas up to date after edits, as an overlay.
 *
 * What an overlay is made of depends on the base (the file) and on the map as it is now, and for each part of
 * it on nothing but its surroundings:
 *
 * - Sectors. The climbs by which a cell is covered come never farther from the representative than the cell
 *   is: so a change can matter to the cells of sectors within a fixed radius, four as a rule. All cells of
 *   these are tried again, and get other owners or extras (sectors.c).
 * - Links. A link of the base stands if no cell has changed within the ellipse of its cost. Otherwise it is
 *   worked out again, and dropped where it costs more than twice as much. Owners of neighbouring cells in the
 *   sectors above are linked, whatever that costs: so what is connected on the map is connected in the graph
 *   (links.c, graph.c). Edges that two others match are dropped, as in a build. Near the change rounds of
 *   long edges follow, as many as the base has (long.c).
 * - The hierarchy over the whole graph is made again (pack.c). Shortcuts stand for edges anywhere
 *   below them, and those that were not needed, since there was another way, may be needed now. The file does
 *   not show which.
 *
 * What was found in the last repair is used again where nothing has changed nearby since. That is the same as
 * to work it out again, so that the outcome does not depend on what was edited in between. The overlay of a
 * map that is the base's own again is none at all.
 *
 * All is done in slices, on a copy of the map, while agents go by the last complete overlay. Completing one
 * is a matter of a pointer and of counting its generation; agents look at that before they look at anything
 * else. */
#include "methods/atlas/repair/repair.h"

#include "base/memory.h"
#include "base/status.h"

#include <string.h>

/* LEAST: with fewer operations at a time some stages would count and not come on. */
enum { LEAST = 64, MOST_QUEUE = 1 << 20, SPARE_NODES = 1024, LONG_RADIUS = 2 };

/* Memory ------------------------------------------------------------------------------------------------- */

static void release(wend_repair *common) {
    wend_atlas_repair *repair = (wend_atlas_repair *)common;
    const wend_allocator *allocator = &common->allocator;
    size_t places = (size_t)repair->base->grid.side * repair->base->grid.side;
    wend_atlas_repair_release_graph(repair);
    wend_atlas_overlay_destroy(repair->making);
    wend_atlas_overlay_destroy(repair->shown);
    for (uint32_t i = 0; repair->patches && i < repair->sectors; i++) wend_atlas_patch_drop(repair, i);
    for (int i = 0; i < 2; i++) wend_atlas_near_links_release(repair, &repair->near_links[i]);
    wend_buffer_release(&repair->linking.turns);
    wend_buffer_release(&repair->linking.bends);
    wend_release(allocator, repair->patches, repair->sectors, sizeof *repair->patches);
    wend_release(allocator, repair->flags, repair->sectors, sizeof *repair->flags);
    wend_release(allocator, repair->parts, places, sizeof *repair->parts);
    wend_release(allocator, repair->flood, places, sizeof *repair->flood);
    wend_search_destroy(repair->search);
    wend_map_destroy(repair->seen);
}

/* In sectors: how far from a cell the climbs to and from its representatives may lead, and one cell more,
 * which decides what moves are legal. */
static uint32_t radius_of(const wend_map *map, const wend_atlas_grid *grid) {
    uint32_t far = 2 * grid->side - 1;
    uint64_t cells = wend_octile(map, far, far) / map->cost[0] + grid->side + 2;
    return (uint32_t)((cells + grid->side - 1) / grid->side);
}

static bool take_memory(wend_atlas_repair *repair) {
    const wend_allocator *allocator = &repair->common.allocator;
    const wend_map *first = repair->common.db->map;
    size_t places = (size_t)repair->base->grid.side * repair->base->grid.side;
    repair->flags = wend_allocate_zeroed(allocator, repair->sectors, sizeof *repair->flags);
    repair->patches = wend_allocate_zeroed(allocator, repair->sectors, sizeof *repair->patches);
    repair->parts = wend_allocate(allocator, places, sizeof *repair->parts);
    repair->flood = wend_allocate(allocator, places, sizeof *repair->flood);
    for (int i = 0; i < 2; i++) {
        repair->near_links[i].heads =
            wend_allocate(allocator, repair->sectors, sizeof *repair->near_links[i].heads);
        if (!repair->near_links[i].heads) return false;
        wend_atlas_near_links_clear(repair, &repair->near_links[i]);
    }
    if (!repair->flags || !repair->patches || !repair->parts || !repair->flood) return false;
    if (wend_map_create_within(first, allocator, &repair->seen) != WEND_OK) return false;
    wend_map_take_cells(repair->seen, first);
    wend_search_options options = wend_default_search_options();
    options.allocator = *allocator;
    if (wend_search_create(repair->seen, &options, &repair->search, NULL) != WEND_OK) return false;
    uint64_t room = (uint64_t)first->cells + first->cells / 2 + 64;
    return wend_search_reserve(repair->search, room < MOST_QUEUE ? (uint32_t)room : MOST_QUEUE) == WEND_OK;
}

static wend_status check(const wend_db *db, wend_error *error) {
    if (!wend_atlas_of(db)->ends) return WEND_OK;
    return wend_fail(error, WEND_STATUS_UNSUPPORTED, "an exact atlas can't be repaired: build it again");
}

/* The most representatives that it may come to have. */
static uint32_t most_nodes(const wend_repair *common, const wend_repair_options *options) {
    const uint32_t base = wend_atlas_of(common->db)->count;
    uint64_t most =
        options->max_representatives ? options->max_representatives : 2 * (uint64_t)base + SPARE_NODES;
    if (most > common->map->cells) most = common->map->cells; /* there can't be more */
    return (uint32_t)(most > base ? most : base);
}

static bool create(wend_repair *common, const wend_repair_options *options) {
    wend_atlas_repair *repair = (wend_atlas_repair *)common;
    const wend_db *db = common->db;
    repair->base = wend_atlas_of(db);
    repair->sectors = repair->base->grid.columns * repair->base->grid.rows;
    repair->radius = radius_of(db->map, &repair->base->grid);
    repair->most_nodes = most_nodes(common, options);
    repair->rounds = (uint32_t)wend_settings_integer(db->settings, "rounds");
    repair->spare = (uint32_t)(wend_settings_number(db->settings, "eps") * 10000 + 0.5);
    repair->linking.turns.allocator = repair->linking.bends.allocator = &common->allocator;
    for (int i = 0; i < 2; i++) repair->near_links[i].bends.allocator = &common->allocator;
    if (!take_memory(repair)) return false;
    repair->graph = (wend_atlas_graph){.map = repair->seen, .allocator = common->allocator};
    repair->current = *repair->base;
    return true;
}

/* What has changed --------------------------------------------------------------------------------------- */

static void next_stage(wend_atlas_repair *repair, wend_atlas_repairing stage) {
    repair->stage = stage;
    repair->at = repair->place = repair->pass = repair->direction = 0;
    repair->trying = false;
}

/* A row of the map: cells that are not as they were seen last. */
static void compare_row(wend_atlas_repair *repair, uint32_t y) {
    const wend_map *map = repair->common.map;
    wend_map *seen = repair->seen;
    const wend_atlas_grid *grid = &repair->base->grid;
    const uint8_t *now = map->bits + (y + 1) * map->row_bytes;
    uint8_t *before = seen->bits + (y + 1) * seen->row_bytes;
    if (memcmp(now, before, seen->row_bytes) == 0) return;
    for (uint32_t i = 0; i < seen->row_bytes; i++) {
        uint32_t changed = now[i] ^ before[i];
        if (!changed) continue;
        seen->open_cells += wend_count_bits(now[i]) - wend_count_bits(before[i]);
        repair->changed += wend_count_bits(changed);
        before[i] = now[i];
        for (; changed; changed &= changed - 1) {
            uint32_t x = 8 * i + wend_lowest_bit(changed) - 1;
            repair->flags[y / grid->side * grid->columns + x / grid->side] |= WEND_SECTOR_CHANGED;
        }
    }
}

static void compare_on(wend_atlas_repair *repair, uint64_t *used) {
    if (!repair->at) {
        repair->revision = repair->common.map->revision;
        repair->changed = 0;
    }
    if (repair->at < (uint32_t)repair->seen->height) {
        *used += repair->seen->row_bytes / 8;
        compare_row(repair, repair->at++);
        return;
    }
    repair->compared = true;
    if (repair->changed || repair->pending) {
        repair->pending = true, repair->differs = false;
        repair->common.info.changed = repair->changed;
        repair->examined = repair->links = 0;
        next_stage(repair, WEND_ATLAS_DIFF);
    } else {
        next_stage(repair, WEND_ATLAS_RESTING);
    }
}

/* Whether a sector is not what it is on the database's map. */
static bool differs(const wend_atlas_repair *repair, uint32_t sector) {
    const wend_map *seen = repair->seen, *first = repair->common.db->map;
    wend_atlas_area area = wend_atlas_area_of(&repair->base->grid, seen, sector);
    for (uint32_t y = area.y; y < area.y + area.height; y++)
        for (uint32_t x = area.x; x < area.x + area.width; x++)
            if (wend_bit(seen, x, y) != wend_bit(first, x, y)) return true;
    return false;
}

static void diff_on(wend_atlas_repair *repair, uint64_t *used) {
    ++*used;
    if (repair->at == repair->sectors) {
        next_stage(repair, WEND_ATLAS_MARK);
        return;
    }
    uint8_t *flags = &repair->flags[repair->at];
    uint32_t side = repair->base->grid.side;
    if (*flags & WEND_SECTOR_CHANGED) {
        *used += (uint64_t)side * side;
        bool now = differs(repair, repair->at);
        *flags = (uint8_t)(now ? *flags | WEND_SECTOR_DIFFERS : *flags & ~WEND_SECTOR_DIFFERS);
    }
    *flags &= WEND_SECTOR_DIFFERS | WEND_SECTOR_CHANGED;
    if (*flags & WEND_SECTOR_DIFFERS) repair->differs = true;
    repair->at++;
}

static void mark_around(wend_atlas_repair *repair, uint32_t sector, uint32_t radius, uint8_t flags,
                        uint64_t *used) {
    const wend_atlas_grid *grid = &repair->base->grid;
    uint32_t column = sector % grid->columns, row = sector / grid->columns;
    uint32_t left = column > radius ? column - radius : 0, top = row > radius ? row - radius : 0;
    uint32_t right = grid->columns - column > radius + 1 ? column + radius : grid->columns - 1;
    uint32_t bottom = grid->rows - row > radius + 1 ? row + radius : grid->rows - 1;
    for (uint32_t y = top; y <= bottom; y++)
        for (uint32_t x = left; x <= right; x++, ++*used) repair->flags[y * grid->columns + x] |= flags;
}

static void mark_on(wend_atlas_repair *repair, uint64_t *used) {
    ++*used;
    if (repair->at == repair->sectors) {
        next_stage(repair, WEND_ATLAS_EXAMINE);
        return;
    }
    uint32_t flags = repair->flags[repair->at];
    if (flags & WEND_SECTOR_DIFFERS) {
        mark_around(repair, repair->at, repair->radius, WEND_SECTOR_NEAR, used);
        mark_around(repair, repair->at, LONG_RADIUS, WEND_SECTOR_LONG, used);
    }
    if (flags & WEND_SECTOR_CHANGED) {
        mark_around(repair, repair->at, repair->radius, WEND_SECTOR_ANEW, used);
        mark_around(repair, repair->at, repair->radius + 1, WEND_SECTOR_PAIR, used);
    }
    repair->at++;
}

/* Stages ------------------------------------------------------------------------------------------------- */

static void show(wend_atlas_repair *repair) {
    wend_atlas_overlay_destroy(repair->shown);
    repair->shown = repair->making, repair->making = NULL;
    wend_atlas_repair_release_graph(repair);
    repair->current = repair->shown ? repair->shown->atlas : *repair->base;
    repair->common.info.generation++;
    repair->fresh = !repair->fresh;
    repair->near_links[repair->fresh].count = repair->near_links[repair->fresh].bends.size = 0;
    next_stage(repair, WEND_ATLAS_SETTLE);
}

static void settle_on(wend_atlas_repair *repair, uint64_t *used) {
    ++*used;
    if (repair->at < repair->sectors) {
        repair->near_links[repair->fresh].heads[repair->at] = UINT32_MAX;
        repair->flags[repair->at++] &= WEND_SECTOR_DIFFERS;
        return;
    }
    repair->pending = false;
    next_stage(repair, WEND_ATLAS_RESTING);
}

/* What is complete stays; all else is worked out again. */
static void give_up(wend_repair *common) {
    wend_atlas_repair *repair = (wend_atlas_repair *)common;
    wend_atlas_overlay_destroy(repair->making);
    repair->making = NULL;
    wend_atlas_repair_release_graph(repair);
    for (uint32_t i = 0; i < repair->sectors; i++) wend_atlas_patch_drop(repair, i);
    for (int i = 0; i < 2; i++) wend_atlas_near_links_clear(repair, &repair->near_links[i]);
    repair->linking_on = false;
    repair->pending = true, repair->compared = false;
    next_stage(repair, WEND_ATLAS_RESTING);
}

static bool current(const wend_repair *common) {
    const wend_atlas_repair *repair = wend_atlas_repair_of(common);
    return repair->stage == WEND_ATLAS_RESTING && repair->compared && !repair->pending &&
           repair->revision == repair->common.map->revision;
}

/* Goes on with the stage. False: no memory, or no room. */
static bool go_on(wend_atlas_repair *repair, uint64_t operations, uint64_t *used) {
    bool good = true, done = false;
    switch (repair->stage) {
    case WEND_ATLAS_RESTING:
        next_stage(repair, WEND_ATLAS_COMPARE);
        break;
    case WEND_ATLAS_COMPARE:
        compare_on(repair, used);
        break;
    case WEND_ATLAS_DIFF:
        diff_on(repair, used);
        break;
    case WEND_ATLAS_MARK:
        mark_on(repair, used);
        break;
    case WEND_ATLAS_EXAMINE:
        good = wend_atlas_repair_examine(repair, operations, used, &done);
        if (done) next_stage(repair, repair->differs ? WEND_ATLAS_NEIGHBOURS : WEND_ATLAS_SHOW);
        break;
    case WEND_ATLAS_NEIGHBOURS:
        good = wend_atlas_repair_pair(repair, operations, used, &done);
        if (done) next_stage(repair, WEND_ATLAS_NODES);
        break;
    case WEND_ATLAS_NODES:
    case WEND_ATLAS_EXTRAS:
        good = wend_atlas_repair_nodes(repair, operations, used, &done);
        if (done) next_stage(repair, WEND_ATLAS_OLD_EDGES);
        break;
    case WEND_ATLAS_OLD_EDGES:
    case WEND_ATLAS_NEW_EDGES:
        good = wend_atlas_repair_edges(repair, operations, used, &done);
        if (done) next_stage(repair, WEND_ATLAS_ARCS);
        break;
    case WEND_ATLAS_ARCS:
    case WEND_ATLAS_LENGTHEN:
    case WEND_ATLAS_MATCH:
    case WEND_ATLAS_DROP:
    case WEND_ATLAS_ARCS_AGAIN:
        good = wend_atlas_repair_arcs(repair, operations, used, &done);
        if (done) next_stage(repair, WEND_ATLAS_CONTRACT);
        break;
    case WEND_ATLAS_SHOW:
        ++*used;
        show(repair);
        break;
    case WEND_ATLAS_SETTLE:
        settle_on(repair, used);
        break;
    default:
        good = wend_atlas_repair_pack(repair, operations, used, &done);
        if (done) next_stage(repair, WEND_ATLAS_SHOW);
        break;
    }
    return good;
}

static wend_status go(wend_repair *common, uint64_t operations, uint64_t *used, wend_error *error) {
    wend_atlas_repair *repair = (wend_atlas_repair *)common;
    const uint64_t most = operations < LEAST ? LEAST : operations;
    bool good = true;
    repair->crowded = false;
    while (good && *used < most && !current(common)) good = go_on(repair, most, used);
    if (good) return WEND_OK;
    if (!repair->crowded) return WEND_STATUS_NO_MEMORY;
    return wend_fail(error, WEND_STATUS_TOO_LARGE, "the edited map needs more than %u representatives",
                     repair->most_nodes);
}

static const wend_map *seen(const wend_repair *common) {
    return wend_atlas_repair_of(common)->seen;
}

static size_t facts(const wend_repair *common, wend_fact *list, size_t capacity) {
    const wend_atlas_repair *repair = wend_atlas_repair_of(common);
    const wend_fact all[] = {{"examined", repair->examined},
                             {"links", repair->links},
                             {"representatives", repair->current.count},
                             {"edges", repair->current.edges}};
    const size_t count = sizeof all / sizeof *all;
    for (size_t i = 0; i < count && i < capacity; i++) list[i] = all[i];
    return count;
}

const wend_repair_kind wend_atlas_repair_kind = {
    .size = sizeof(wend_atlas_repair),
    .check = check,
    .create = create,
    .release = release,
    .go = go,
    .give_up = give_up,
    .current = current,
    .seen = seen,
    .facts = facts,
};

/* Whether a path joins two cells, as the map is or as it would be without an area.
 *
 * The components of the map answer the first. For the second there are two ways. If the open cells around the
 * area are joined among themselves by walking round it, then whoever came through it can walk round it as well,
 * and nobody is cut off. Otherwise the area is closed on a copy of the map, whose components take in no more than
 * the rows that have changed. It stays closed there until another area is asked about, since there are often
 * several pairs of cells to ask for. */
#include "world/goals/reach.h"

#include "grid/clearance.h"
#include "world/fleet.h"
#include "world/goals/nearest.h"

struct wend_trial {
    wend_allocator allocator;
    wend_map *map;
    wend_components *components;
    uint64_t taken;   /* changes of the true map that it has heard of */
    wend_rect closed; /* in truth it may be open */
};

/* The part of an area that lies on the map; without width or height if there is none. */
static wend_rect clip(const wend_map *map, wend_rect area) {
    int64_t west = area.x < 0 ? 0 : area.x, north = area.y < 0 ? 0 : area.y;
    int64_t east = (int64_t)area.x + area.width, south = (int64_t)area.y + area.height;
    if (east > map->width) east = map->width;
    if (south > map->height) south = map->height;
    if (area.width < 1 || area.height < 1 || west >= east || north >= south) return (wend_rect){0, 0, 0, 0};
    return (wend_rect){(int32_t)west, (int32_t)north, (int32_t)(east - west), (int32_t)(south - north)};
}

static bool lies_in(const wend_map *map, wend_rect area, wend_cell cell) {
    wend_xy at = wend_map_xy(map, cell);
    return at.x >= area.x && at.x < area.x + area.width && at.y >= area.y && at.y < area.y + area.height;
}

static wend_answer reaches(const wend_map *map, const wend_components *components, wend_cell a, wend_cell b) {
    if (!wend_map_is_open_cell(map, a) || !wend_map_is_open_cell(map, b)) return WEND_ANSWER_NO;
    if (a == b) return WEND_ANSWER_YES;
    if (!components || !wend_components_current(components, map)) return WEND_ANSWER_UNKNOWN;
    return wend_components_joined(components, a, b) ? WEND_ANSWER_YES : WEND_ANSWER_NO;
}

wend_answer wend_world_reaches(const wend_world *world, wend_cell a, wend_cell b) {
    return world ? reaches(world->ground.view.map, world->components, a, b) : WEND_ANSWER_UNKNOWN;
}

wend_answer wend_world_nearest(const wend_world *world, wend_cell from, wend_cell goal, wend_cell *cell) {
    if (cell) *cell = WEND_NO_CELL;
    if (!world || !cell) return WEND_ANSWER_UNKNOWN;
    const wend_map *map = world->ground.view.map;
    if (goal >= map->cells || !wend_map_is_open_cell(map, from)) return WEND_ANSWER_NO;
    const wend_components *components = wend_view_components(&world->ground.view);
    if (!components) return WEND_ANSWER_UNKNOWN;
    wend_nearest search;
    uint64_t spent = 0;
    wend_nearest_begin(&search, wend_components_label(components, from), goal);
    (void)wend_nearest_go(&search, map, components, UINT64_MAX, &spent);
    *cell = search.best;
    return WEND_ANSWER_YES;
}

/* The ring of cells around an area, clockwise from its north-western corner. It may lie outside the map, on its border. */
static wend_xy of_ring(wend_rect area, uint32_t i) {
    const int32_t wide = area.width + 1, high = area.height + 1, n = (int32_t)i;
    if (n < wide) return (wend_xy){area.x - 1 + n, area.y - 1};
    if (n < wide + high) return (wend_xy){area.x + area.width, area.y - 1 + n - wide};
    if (n < 2 * wide + high) return (wend_xy){area.x + area.width - (n - wide - high), area.y + area.height};
    return (wend_xy){area.x - 1, area.y + area.height - (n - 2 * wide - high)};
}

static bool is_open(const wend_map *map, wend_xy at) {
    return wend_bit(map, (uint32_t)at.x, (uint32_t)at.y);
}

static bool is_corner(wend_rect area, wend_xy at) {
    return (at.x < area.x || at.x >= area.x + area.width) && (at.y < area.y || at.y >= area.y + area.height);
}

/* Whether one can walk round the area from any open cell beside it to any other. Cells of the ring are joined to
 * those before and after them, so there must be no more than one run of open cells. A run that is only a corner does
 * not count, unless one can come into the area from there. */
static bool can_walk_round(const wend_map *map, wend_rect area) {
    const bool diagonal = wend_joins_diagonally(map);
    const uint32_t count = 2 * ((uint32_t)area.width + (uint32_t)area.height) + 4;
    uint32_t first = 0, runs = 0;
    bool counts = false;
    while (first < count && is_open(map, of_ring(area, first))) first++;
    for (uint32_t i = 0; first < count && i < count; i++) {
        wend_xy at = of_ring(area, (first + i) % count);
        if (!is_open(map, at))
            counts = false;
        else if (!counts && (diagonal || !is_corner(area, at)))
            counts = true, runs++;
    }
    return runs <= 1;
}

/* The trial --------------------------------------------------------------------------------------------- */

void wend_trial_destroy(wend_trial *trial) {
    if (!trial) return;
    wend_allocator allocator = trial->allocator;
    wend_components_destroy(trial->components);
    wend_map_destroy(trial->map);
    wend_release(&allocator, trial, 1, sizeof *trial);
}

size_t wend_trial_bytes(const wend_trial *trial) {
    return trial ? sizeof *trial + wend_map_bytes(trial->map) + wend_components_bytes(trial->components) : 0;
}

static wend_trial *make_trial(const wend_map *map, const wend_allocator *allocator) {
    wend_trial *made = wend_allocate_zeroed(allocator, 1, sizeof *made);
    if (!made) return NULL;
    made->allocator = *allocator;
    made->taken = map->revision;
    wend_status status = wend_map_create_within(map, allocator, &made->map);
    if (status == WEND_OK) status = wend_map_keep_changes(made->map);
    if (status == WEND_OK) {
        wend_map_take_cells(made->map, map);
        status = wend_components_create(made->map, allocator, &made->components, NULL);
    }
    if (status == WEND_OK) return made;
    wend_trial_destroy(made);
    return NULL;
}

static void close_area(wend_map *map, wend_rect area) {
    for (int32_t y = area.y; y < area.y + area.height; y++)
        wend_map_set_cells(map, (uint32_t)area.x, (uint32_t)y, (uint32_t)area.width, false);
}

/* Makes a row of cells as they are in truth. */
static void restore(wend_map *map, const wend_map *truth, int32_t west, int32_t y, int32_t width) {
    for (int32_t x = west; x < west + width; x++)
        wend_map_set_cells(map, (uint32_t)x, (uint32_t)y, 1, wend_bit(truth, (uint32_t)x, (uint32_t)y));
}

/* Makes the trial's map the true one again, apart from the area that is closed in it. */
static void follow(wend_trial *trial, const wend_map *truth) {
    if (wend_map_lost_since(truth, trial->taken)) {
        for (int32_t y = 0; y < truth->height; y++) restore(trial->map, truth, 0, y, truth->width);
        trial->taken = truth->revision;
    }
    for (; trial->taken < truth->revision; trial->taken++) {
        wend_cell cell = truth->changes[trial->taken % WEND_CHANGES_KEPT] >> 1;
        wend_xy at = wend_map_xy(truth, cell);
        restore(trial->map, truth, at.x, at.y, 1);
    }
}

static bool same(wend_rect a, wend_rect b) {
    return a.x == b.x && a.y == b.y && a.width == b.width && a.height == b.height;
}

/* Closes another area in the trial than before. */
static void try_area(wend_trial *trial, const wend_map *truth, wend_rect area) {
    if (trial->taken == truth->revision && same(trial->closed, area)) return;
    follow(trial, truth);
    for (int32_t y = trial->closed.y; y < trial->closed.y + trial->closed.height; y++)
        restore(trial->map, truth, trial->closed.x, y, trial->closed.width);
    trial->closed = area;
    close_area(trial->map, area);
    (void)wend_components_settle(trial->components, trial->map, UINT64_MAX);
}

wend_answer wend_world_reaches_without(wend_world *world, wend_rect area, wend_cell a, wend_cell b) {
    if (!world) return WEND_ANSWER_UNKNOWN;
    const wend_map *map = world->ground.view.map;
    area = clip(map, area);
    if (a < map->cells && b < map->cells && (lies_in(map, area, a) || lies_in(map, area, b)))
        return WEND_ANSWER_NO;
    wend_answer now = wend_world_reaches(world, a, b);
    if (now == WEND_ANSWER_NO || a == b) return now;
    if (now == WEND_ANSWER_YES && (!area.width || can_walk_round(map, area))) return now;
    if (!world->trial) world->trial = make_trial(map, &world->toucher.inner);
    if (!world->trial) return WEND_ANSWER_UNKNOWN;
    try_area(world->trial, map, area);
    return reaches(world->trial->map, world->trial->components, a, b);
}

/* Fleets ------------------------------------------------------------------------------------------------ */

wend_answer wend_fleet_reaches(wend_fleet *fleet, int32_t body, wend_cell a, wend_cell b) {
    return wend_world_reaches(wend_fleet_world(fleet, body), a, b);
}

wend_answer wend_fleet_reaches_without(wend_fleet *fleet, int32_t body, wend_rect area, wend_cell a,
                                       wend_cell b) {
    wend_world *world = wend_fleet_world(fleet, body);
    if (!world) return WEND_ANSWER_UNKNOWN;
    area = clip(fleet->map, area);
    return wend_world_reaches_without(world, area.width ? wend_body_area(body, area) : area, a, b);
}

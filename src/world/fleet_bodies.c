/* The world of a fleet, once for each body size: the map as bodies of that size see it, and its components.
 * Workspaces are not kept here but in the lanes, where all sizes share them. */
#include "world/fleet.h"

#include "grid/clearance.h"

static wend_world *make(const wend_fleet *fleet, const wend_map *map) {
    wend_world_options options = wend_default_world_options();
    options.editable = fleet->options.editable;
    options.max_queue_nodes = fleet->options.max_queue_nodes;
    options.allocator = fleet->toucher.inner;
    options.touch_bytes = 0; /* its lanes have what steps write to */
    wend_world *world;
    return wend_world_create(map, &options, &world, NULL) == WEND_OK ? world : NULL;
}

void wend_fleet_release_classes(wend_fleet *fleet) {
    for (int32_t body = 1; body <= WEND_MAX_BODY; body++) {
        wend_world_destroy(fleet->classes[body].world);
        wend_map_destroy(fleet->classes[body].map);
    }
}

static bool has_size(const wend_fleet *fleet, int32_t body) {
    return fleet && body >= 1 && body <= fleet->options.max_body;
}

wend_world *wend_fleet_world(wend_fleet *fleet, int32_t body) {
    return has_size(fleet, body) ? wend_fleet_class(fleet, body) : NULL;
}

const wend_map *wend_fleet_map(wend_fleet *fleet, int32_t body) {
    const wend_world *world = wend_fleet_world(fleet, body);
    return world ? wend_world_map(world) : NULL;
}

const wend_map *wend_fleet_base(wend_fleet *fleet, int32_t body) {
    if (!wend_fleet_world(fleet, body)) return NULL;
    return body == 1 ? fleet->map : fleet->classes[body].map;
}

/* Brings the row of a derived map up to date over some columns. */
static void derive_row(wend_map *map, const wend_map *base, int32_t body, wend_rect row) {
    for (int32_t x = row.x; x < row.x + row.width;) {
        bool open = wend_body_fits(base, body, x, row.y);
        int32_t first = x++;
        while (x < row.x + row.width && wend_body_fits(base, body, x, row.y) == open) x++;
        wend_map_set_cells(map, (uint32_t)first, (uint32_t)row.y, (uint32_t)(x - first), open);
    }
}

wend_world *wend_fleet_class(wend_fleet *fleet, int32_t body) {
    wend_class *class = &fleet->classes[body];
    if (class->world) return class->world;
    if (body == 1) return class->world = make(fleet, fleet->map);
    const wend_world *smallest = wend_fleet_class(fleet, 1);
    if (!smallest) return NULL;
    if (!class->map) {
        if (wend_map_create_within(fleet->map, &fleet->toucher.inner, &class->map) != WEND_OK) return NULL;
        wend_body_cells(fleet->map, body, class->map);
    }
    class->world = make(fleet, class->map);
    if (class->world && fleet->options.editable) /* there may have been edits already */
        for (int32_t y = 0; y < fleet->map->height; y++)
            derive_row(class->world->edited, wend_world_map(smallest), body,
                       (wend_rect){0, y, fleet->map->width, 1});
    return class->world;
}

wend_status wend_fleet_edit(wend_fleet *fleet, wend_rect area, bool open, wend_error *error) {
    if (!fleet) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no fleet to edit the map of");
    if (!fleet->options.editable)
        return wend_fail(error, WEND_STATUS_UNSUPPORTED, "this fleet was not created with `editable`");
    wend_world *smallest = fleet->classes[1].world;
    wend_status status = wend_world_edit(smallest, area, open, error);
    if (status != WEND_OK) return status;
    fleet->edited = true;
    for (int32_t body = 2; body <= WEND_MAX_BODY; body++) {
        wend_world *world = fleet->classes[body].world;
        if (!world) continue;
        wend_rect touched = wend_body_area(body, area);
        for (int32_t y = touched.y; y < touched.y + touched.height; y++)
            derive_row(world->edited, wend_world_map(smallest), body,
                       (wend_rect){touched.x, y, touched.width, 1});
    }
    return WEND_OK;
}

bool wend_fleet_settle(wend_fleet *fleet) {
    bool settled = true;
    for (int32_t body = 1; body <= WEND_MAX_BODY; body++) {
        wend_world *world = fleet->classes[body].world;
        if (world && !wend_world_settle(world, fleet->options.settle)) settled = false;
    }
    return settled;
}

#include "world/world.h"

#include "base/options.h"
#include "world/goals/reach.h"

void wend_world_options_init(wend_world_options *options, size_t size) {
    const wend_world_options own = {.max_bytes = 256 << 20, .touch_bytes = 64 << 20};
    wend_options_init(options, size, &own, sizeof own);
}

static wend_status prepare(wend_world *world, const wend_map *map, bool editable) {
    wend_ground *ground = &world->ground;
    ground->view.map = ground->view.base = map;
    if (editable) {
        wend_status status = wend_map_create_within(map, &world->toucher.inner, &world->edited);
        if (status == WEND_OK) status = wend_map_keep_changes(world->edited);
        if (status != WEND_OK) return status;
        wend_map_take_cells(world->edited, map);
        ground->view.map = world->edited, ground->view.changes = true;
    }
    wend_status status =
        wend_components_create(ground->view.map, &ground->allocator, &world->components, NULL);
    if (status == WEND_OK) ground->view.components = world->components;
    return status;
}

wend_status wend_world_create(const wend_map *map, const wend_world_options *options, wend_world **world,
                              wend_error *error) {
    if (!map || !world) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no map for a world");
    *world = NULL;
    wend_world_options own = wend_default_world_options();
    wend_status status = wend_options_take(&own, sizeof own, options, "world", error);
    if (status != WEND_OK) return status;
    options = &own;
    wend_allocator allocator = wend_allocator_or_default(&options->allocator);
    wend_world *made = wend_allocate_zeroed(&allocator, 1, sizeof *made);
    if (!made) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for a world");
    made->toucher = (wend_toucher){allocator, options->touch_bytes};
    made->ground.allocator = wend_toucher_allocator(&made->toucher);
    made->ground.queue_nodes = options->max_queue_nodes;
    made->ground.workspace_count = options->workspaces;
    made->allowance.max_bytes = options->max_bytes;
    made->ground.allowance = &made->allowance;
    status = prepare(made, map, options->editable);
    if (status != WEND_OK) {
        wend_world_destroy(made);
        return wend_fail(error, status, "no memory for a world");
    }
    *world = made;
    return WEND_OK;
}

void wend_world_destroy(wend_world *world) {
    if (!world) return;
    wend_allocator allocator = world->ground.allocator;
    wend_ground_release(&world->ground);
    wend_jumps_destroy(world->ground.view.jumps);
    wend_trial_destroy(world->trial);
    wend_components_destroy(world->components);
    wend_map_destroy(world->edited);
    wend_release(&allocator, world, 1, sizeof *world);
}

size_t wend_world_bytes(const wend_world *world) {
    size_t edited = world->edited ? wend_map_bytes(world->edited) : 0;
    const wend_view *view = &world->ground.view;
    return sizeof *world + wend_ground_bytes(&world->ground) + wend_components_bytes(world->components) +
           wend_trial_bytes(world->trial) + edited + (view->jumps ? wend_jumps_bytes(view->jumps) : 0);
}

const wend_map *wend_world_map(const wend_world *world) {
    return world->ground.view.map;
}

wend_status wend_world_edit(wend_world *world, wend_rect area, bool open, wend_error *error) {
    if (!world) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no world to edit");
    if (!world->edited)
        return wend_fail(error, WEND_STATUS_UNSUPPORTED, "this world was not created with `editable`");
    return wend_map_edit(world->edited, area, open, error);
}

bool wend_world_settle(wend_world *world, uint64_t operations) {
    const wend_view *view = &world->ground.view;
    return wend_view_components(view) || wend_components_settle(world->components, view->map, operations);
}

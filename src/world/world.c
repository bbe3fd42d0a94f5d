#include "world/world.h"

wend_world_options wend_default_world_options(void) {
    return (wend_world_options){.cookie = WEND_OPTIONS_COOKIE, .workspaces = 1};
}

wend_status wend_world_create(const wend_map *map, const wend_world_options *options, wend_world **world,
                              wend_error *error) {
    if (!map || !world) return wend_fail(error, WEND_BAD_ARGUMENT, "no map for a world");
    *world = NULL;
    if (!options || options->cookie != WEND_OPTIONS_COOKIE)
        return wend_fail(error, WEND_BAD_ARGUMENT,
                         "world options must come from wend_default_world_options()");
    if (!options->workspaces)
        return wend_fail(error, WEND_BAD_ARGUMENT, "a world needs at least one workspace");
    wend_allocator allocator = wend_allocator_or_default(&options->allocator);
    wend_world *made = wend_allocate_zeroed(&allocator, 1, sizeof *made);
    if (!made) return wend_fail(error, WEND_NO_MEMORY, "no memory for a world");
    wend_ground *ground = &made->ground;
    ground->map = map;
    ground->allocator = allocator;
    ground->queue_nodes = options->queue_nodes;
    ground->workspace_count = options->workspaces;
    ground->workspaces = wend_allocate_zeroed(&allocator, options->workspaces, sizeof *ground->workspaces);
    wend_status status = WEND_NO_MEMORY;
    if (ground->workspaces) status = wend_components_create(map, &allocator, &ground->components, NULL);
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
    wend_release(&allocator, world, 1, sizeof *world);
}

size_t wend_world_bytes(const wend_world *world) {
    return sizeof *world + wend_ground_bytes(&world->ground);
}

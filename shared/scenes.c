#include "shared/scenes.h"

#include <stdio.h>
#include <stdlib.h>

uint32_t shared_draw(uint64_t *random, uint32_t bound) {
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*random >> 32) * bound >> 32);
}

wend_status shared_largest_cells(const wend_map *map, wend_cell **cells, uint32_t *count, wend_error *error) {
    wend_components *components;
    *cells = NULL, *count = 0;
    wend_status status = wend_components_create(map, NULL, &components, error);
    if (status != WEND_OK) return status;
    uint32_t largest = wend_components_largest(components);
    uint32_t room = largest == WEND_NO_CELL ? 0 : wend_components_size(components, largest);
    if (room) *cells = malloc(room * sizeof **cells);
    for (wend_cell cell = 0; *cells && cell < wend_map_cells(map); cell++)
        if (wend_components_label(components, cell) == largest) (*cells)[(*count)++] = cell;
    wend_components_destroy(components);
    if (!room || *cells) return WEND_OK;
    if (error) *error = (wend_error){.status = WEND_STATUS_NO_MEMORY, .message = "out of memory"};
    return WEND_STATUS_NO_MEMORY;
}

wend_status shared_draw_pairs(const wend_map *map, size_t count, wend_cell (*pairs)[2], wend_error *error) {
    wend_components *components;
    wend_status status = wend_components_create(map, NULL, &components, error);
    if (status != WEND_OK) return status;
    uint32_t largest = wend_components_largest(components);
    uint64_t random = 1;
    for (size_t i = 0; i < 2 * count;) {
        wend_cell cell = shared_draw(&random, wend_map_cells(map));
        if (wend_components_label(components, cell) == largest) pairs[i / 2][i % 2] = cell, i++;
    }
    wend_components_destroy(components);
    return WEND_OK;
}

wend_status shared_scene_load(const char *folder, const char *name, const wend_map_options *options,
                              wend_map **map, wend_scenario **scenario, wend_error *error) {
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/maps/%s.map", folder, name);
    wend_status status = wend_map_load(path, options, map, error);
    if (status != WEND_OK || !scenario) return status;
    (void)snprintf(path, sizeof path, "%s/maps/%s.map.scen", folder, name);
    status = wend_scenario_load(path, *map, NULL, scenario, error);
    if (status == WEND_OK) return status;
    wend_map_destroy(*map);
    *map = NULL;
    return status;
}

wend_status shared_scene_make(wend_map **map, wend_scenario **scenario, wend_error *error) {
    wend_generate_options generate = wend_default_generate_options();
    wend_problems_options problems = wend_default_problems_options();
    wend_status status = wend_map_generate(WEND_MAP_CAVES, 512, 512, &generate, map, error);
    if (status != WEND_OK || !scenario) return status;
    status = wend_problems_generate(*map, "generated.map", 1000, &problems, scenario, error);
    if (status == WEND_OK) return status;
    wend_map_destroy(*map);
    *map = NULL;
    return status;
}

/* Scenes: the maps and problems that tests, benchmarks and the command all make. Errors as the library's. */
#ifndef WEND_SHARED_SCENES_H
#define WEND_SHARED_SCENES_H

#include <wend/wend.h>

/* The next number below `bound` of a small generator of our own; `random` is its state, any number at first. */
uint32_t shared_draw(uint64_t *random, uint32_t bound);

/* The cells of the largest component, in order; to be freed. `count` 0, and NULL, where no cell is open. */
wend_status shared_largest_cells(const wend_map *map, wend_cell **cells, uint32_t *count, wend_error *error);
/* Pairs of cells of the largest component, always the same ones; there must be one. */
wend_status shared_draw_pairs(const wend_map *map, size_t count, wend_cell (*pairs)[2], wend_error *error);

/* The map NAME of the MovingAI maps in FOLDER/maps ("dao/orz103d"), and its scenario unless that is NULL. */
wend_status shared_scene_load(const char *folder, const char *name, const wend_map_options *options,
                              wend_map **map, wend_scenario **scenario, wend_error *error);
/* What stands in for one that is not there: caves of 512 x 512 cells, and 1,000 problems on them. */
wend_status shared_scene_make(wend_map **map, wend_scenario **scenario, wend_error *error);

#endif

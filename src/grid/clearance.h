/* Units of several cells: see wend_map_for_unit. */
#ifndef WEND_GRID_CLEARANCE_H
#define WEND_GRID_CLEARANCE_H

#include "grid/map.h"

/* Opens, on a map of the same size that is all blocked, the cells where a unit fits. */
void wend_unit_cells(const wend_map *map, int32_t unit, wend_map *clear);
/* Whether a unit can stand with its upper left cell there. */
bool wend_unit_fits(const wend_map *map, int32_t unit, int32_t x, int32_t y);
/* Where the upper left cells of units can be that stand on one of an area's cells; the area lies inside. */
wend_rect wend_unit_area(int32_t unit, wend_rect area);

#endif

/* Bodies of several cells: see wend_map_for_body. */
#ifndef WEND_GRID_CLEARANCE_H
#define WEND_GRID_CLEARANCE_H

#include "grid/map.h"

/* Opens, on a map of the same size that is all blocked, the cells where a body fits. */
void wend_body_cells(const wend_map *map, int32_t body, wend_map *clear);
/* Whether a body can stand with its upper left cell there. */
bool wend_body_fits(const wend_map *map, int32_t body, int32_t x, int32_t y);
/* The cells where a body's upper left cell can be while the body covers a cell of the area. The area lies on
 * the map. */
wend_rect wend_body_area(int32_t body, wend_rect area);

#endif

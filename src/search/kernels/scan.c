/* Jump-point search on the bits of the map.
 *
 * Harabor and Grastien, "Improving jump point search" (ICAPS 2014): cells are looked at many at a time, as bits
 * of rows and columns, and the points where a diagonal turns are no nodes. Departures:
 * - The search stops at the first node taken from the queue that sees the goal: from there the way costs as
 *   much as the heuristic says.
 * - All rules of movement are served. What goes onward from a cell is looked up (onward.h); the masks of
 *   scan.h say the same of the straight moves.
 * - Where moves are primary (diagonal, or north and south with four directions) the search goes cell by cell,
 *   and scans the lines to both sides.
 *
 * Rows are the map's own. Columns are a copy, turned round, which follows the map when it is edited. */
#include "search/kernels/scan.h"

/* Eight lines of eight bits, turned round: Warren, "Hacker's Delight" (2003), section 7-3. */
static uint64_t turn(uint64_t bits) {
    uint64_t swap = (bits ^ bits >> 7) & 0x00aa00aa00aa00aau;
    bits ^= swap ^ swap << 7;
    swap = (bits ^ bits >> 14) & 0x0000cccc0000ccccu;
    bits ^= swap ^ swap << 14;
    swap = (bits ^ bits >> 28) & 0x00000000f0f0f0f0u;
    return bits ^ swap ^ swap << 28;
}

/* With their borders. */
static void fill_columns(wend_scan *scan, const wend_map *map) {
    uint32_t rows = (uint32_t)map->height + 2, row_bytes = ((uint32_t)map->width + 2 + 7) / 8;
    for (uint32_t y = 0; y < rows; y += 8) {
        uint32_t count = rows - y < 8 ? rows - y : 8;
        for (uint32_t i = 0; i < row_bytes; i++) {
            const uint8_t *from = map->bits + y * map->row_bytes + i;
            uint8_t *to = scan->columns + 8 * i * scan->column_bytes + y / 8;
            uint64_t bits = 0;
            for (uint32_t j = 0; j < count; j++) bits |= (uint64_t)from[j * map->row_bytes] << 8 * j;
            bits = turn(bits);
            for (uint32_t j = 0; j < 8; j++) to[j * scan->column_bytes] = (uint8_t)(bits >> 8 * j);
        }
    }
}

size_t wend_scan_columns_bytes(const wend_map *map) {
    size_t columns = ((size_t)map->width + 2 + 7) / 8 * 8;
    return columns * (((size_t)map->height + 2 + 63) / 64 * 8) + 8;
}

void wend_scan_follow(wend_scan *scan, const wend_map *map) {
    if (scan->known && scan->revision == map->revision) return;
    scan->column_bytes = ((size_t)map->height + 2 + 63) / 64 * 8;
    if (!scan->known || !map->changes || wend_map_lost_since(map, scan->revision)) {
        fill_columns(scan, map);
    } else {
        for (uint64_t i = scan->revision; i < map->revision; i++) {
            uint32_t change = map->changes[i % WEND_CHANGES_KEPT], y = wend_cell_y(map, change >> 1);
            uint32_t x = wend_cell_x(map, change >> 1, y);
            (void)wend_set_bits(scan->columns + (x + 1) * scan->column_bytes, y + 1, 1, change & 1);
        }
    }
    scan->known = true;
    scan->revision = map->revision;
}

uint32_t wend_scan_free(const wend_scan *scan, const wend_map *map, uint32_t x, uint32_t y, uint32_t d) {
    const uint8_t *line = wend_dx[d] ? wend_scan_rows(map, y).own : wend_scan_columns(scan, map, x).own;
    uint32_t at = wend_dx[d] ? x + 1 : y + 1;
    return wend_dx[d] + wend_dy[d] > 0 ? wend_line_free(line, at) : wend_line_free_back(line, at);
}

void wend_scan_begin(wend_search *search) {
    wend_scan *scan = &search->scan;
    for (uint32_t d = 0; d < WEND_DIRECTIONS; d += 2)
        scan->goal_free[d / 2] = wend_scan_free(scan, search->map, search->goal_x, search->goal_y, d);
}

/* Whether `moves` moves lead from (x, y) in a primary direction. */
static bool can_go(wend_search *search, uint32_t x, uint32_t y, uint32_t d, uint32_t moves) {
    const wend_map *map = search->map;
    if (!wend_is_diagonal(d)) return wend_scan_free(&search->scan, map, x, y, d) >= moves;
    for (; moves; moves--) {
        search->operations++;
        if (!(wend_legal_moves(map, x, y) >> d & 1)) return false;
        x += (uint32_t)wend_dx[d], y += (uint32_t)wend_dy[d];
    }
    return true;
}

bool wend_scan_sees(wend_search *search, uint32_t x, uint32_t y) {
    uint32_t across = wend_apart(x, search->goal_x), down = wend_apart(y, search->goal_y);
    bool east = search->goal_x > x, south = search->goal_y > y, flat = across > down;
    uint32_t back = flat ? (east ? 6 : 2) : (south ? 0 : 4), first = flat ? down : across;
    uint32_t rest = flat ? across - down : down - across, d = east ? (south ? 3 : 1) : (south ? 5 : 7);
    if (search->map->rules.connect == 4) {
        back = east ? 6 : 2, rest = across;
        first = down, d = south ? 4 : 0;
    }
    search->operations++;
    return search->scan.goal_free[back / 2] >= rest && can_go(search, x, y, d, first);
}

#define WEND_NARROW
#define COST uint32_t
#define N(x) x##_scan
#include "search/kernels/scan.inc"
#undef N
#undef COST
#undef WEND_NARROW

#define COST uint64_t
#define N(x) x##_scan_wide
#include "search/kernels/scan.inc"

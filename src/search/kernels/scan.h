/* Jump points found on the map's bits, without tables. scan.c explains it. */
#ifndef WEND_SEARCH_SCAN_H
#define WEND_SEARCH_SCAN_H

#include "grid/map.h"
#include "search/search.h"

/* Lines of bits are those of a map, or of one turned round: blocked borders, lowest bit first, in words of 64.
 * `at` is the bit of a cell within its line.
 *
 * A jump point is a cell from which a turn to one side leads where the line before it doesn't: see onward.h. If
 * corners may not be cut (`strict`, and with four directions), the cell at its side is open and the one before
 * that is blocked. Otherwise the cell at its side is blocked and the next one is open; and with `one` the next
 * cell of the line must be open too. So both are seen where the line beside changes from blocked to open: a
 * rise. The jump point is the cell at the rise, or the one before it. */

/* A line and those beside it. */
typedef struct wend_lines {
    const uint8_t *own, *a, *b;
} wend_lines;

/* Of the line at `place`, from 1 to `count`, among others `bytes` apart. The border behind the last stands in
 * for that before the first, since nothing may be read in front of that. */
WEND_INLINE wend_lines wend_lines_at(const uint8_t *bits, size_t bytes, uint32_t place, uint32_t count) {
    const uint8_t *own = bits + place * bytes;
    return (wend_lines){own, place > 1 ? own - bytes : bits + (count + 1) * bytes, own + bytes};
}

/* The cells from `at` on, the first lowest. 57 of them count. */
WEND_INLINE uint64_t wend_line_from(const uint8_t *line, uint32_t at) {
    return wend_load64(line + at / 8) >> at % 8;
}

/* The cells up to `at`, the last highest. 57 of them count. Seven bytes before the line may be read. */
WEND_INLINE uint64_t wend_line_to(const uint8_t *line, uint32_t at) {
    return wend_load64(line + (ptrdiff_t)(at / 8) - 7) << (7 - at % 8);
}

enum { WEND_LINE_CELLS = 56 }; /* that are looked at together */

/* How far the next jump point lies ahead along a line; 0 if a wall comes first. */
WEND_INLINE uint32_t wend_line_ahead(wend_lines lines, uint32_t at, wend_corners corners) {
    const bool strict = corners == WEND_CORNERS_STRICT;
    for (uint32_t far = 0;; far += WEND_LINE_CELLS) {
        uint32_t from = at + far + !strict;
        uint64_t open = wend_line_from(lines.own, from);
        uint64_t a = wend_line_from(lines.a, from), b = wend_line_from(lines.b, from);
        uint64_t turn = strict ? (a & ~(a << 1)) | (b & ~(b << 1)) : (~a & a >> 1) | (~b & b >> 1);
        if (corners == WEND_CORNERS_ONE) turn &= open >> 1;
        uint64_t stop = (turn | ~open) & ((UINT64_C(1) << WEND_LINE_CELLS) - 1) << strict;
        if (!stop) continue;
        uint32_t first = wend_lowest_bit(stop);
        return open >> first & 1 ? far + first + !strict : 0;
    }
}

/* The same the other way. */
WEND_INLINE uint32_t wend_line_back(wend_lines lines, uint32_t at, wend_corners corners) {
    const bool strict = corners == WEND_CORNERS_STRICT;
    for (uint32_t far = 0;; far += WEND_LINE_CELLS) {
        uint32_t to = at - far - !strict;
        uint64_t open = wend_line_to(lines.own, to);
        uint64_t a = wend_line_to(lines.a, to), b = wend_line_to(lines.b, to);
        uint64_t turn = strict ? (a & ~(a >> 1)) | (b & ~(b >> 1)) : (~a & a << 1) | (~b & b << 1);
        if (corners == WEND_CORNERS_ONE) turn &= open << 1;
        uint64_t stop = (turn | ~open) & ~UINT64_C(0) << (64 - WEND_LINE_CELLS) >> strict;
        if (strict) stop &= UINT64_MAX >> 1;
        if (!stop) continue;
        uint32_t first = wend_leading_zeros(stop);
        return open << first >> 63 ? far + first + !strict : 0;
    }
}

/* How many cells ahead are open, and back. */
WEND_INLINE uint32_t wend_line_free(const uint8_t *line, uint32_t at) {
    uint64_t more = ~UINT64_C(1) << at % 64;
    for (uint32_t first = at & ~63u;; first += 64, more = ~UINT64_C(0)) {
        uint64_t walls = ~wend_load64(line + first / 8) & more;
        if (walls) return first + wend_lowest_bit(walls) - at - 1;
    }
}

WEND_INLINE uint32_t wend_line_free_back(const uint8_t *line, uint32_t at) {
    uint64_t more = (UINT64_C(1) << at % 64) - 1;
    for (uint32_t first = at & ~63u;; first -= 64, more = ~UINT64_C(0)) {
        uint64_t walls = ~wend_load64(line + first / 8) & more;
        if (walls) return at - first - (63 - wend_leading_zeros(walls)) - 1;
    }
}

/* The rule as the two above take it. */
WEND_INLINE wend_corners wend_scan_corners(const wend_map *map) {
    return map->rules.connect == 4 ? WEND_CORNERS_STRICT : map->rules.corners;
}

/* Rows and columns as lines. */
WEND_INLINE wend_lines wend_scan_rows(const wend_map *map, uint32_t y) {
    return wend_lines_at(map->bits, map->row_bytes, y + 1, (uint32_t)map->height);
}

WEND_INLINE wend_lines wend_scan_columns(const wend_scan *scan, const wend_map *map, uint32_t x) {
    return wend_lines_at(scan->columns, scan->column_bytes, x + 1, (uint32_t)map->width);
}

/* How many straight moves lead from (x, y) to the next jump point, on its row or column; 0 if there is none. */
WEND_INLINE uint32_t wend_scan_across(const wend_map *map, uint32_t x, uint32_t y, bool east,
                                      wend_corners corners) {
    wend_lines rows = wend_scan_rows(map, y);
    return east ? wend_line_ahead(rows, x + 1, corners) : wend_line_back(rows, x + 1, corners);
}

WEND_INLINE uint32_t wend_scan_down(const wend_scan *scan, const wend_map *map, uint32_t x, uint32_t y,
                                    bool south, wend_corners corners) {
    wend_lines columns = wend_scan_columns(scan, map, x);
    return south ? wend_line_ahead(columns, y + 1, corners) : wend_line_back(columns, y + 1, corners);
}

/* How many straight moves can be made from (x, y) in direction d. */
uint32_t wend_scan_free(const wend_scan *scan, const wend_map *map, uint32_t x, uint32_t y, uint32_t d);
/* Whether the goal can be reached from (x, y) by primary moves first, then straight on: then no path from here
 * is shorter. */
bool wend_scan_sees(wend_search *search, uint32_t x, uint32_t y);
/* Notes what the goal sees, for a search that begins. */
void wend_scan_begin(wend_search *search);

size_t wend_scan_columns_bytes(const wend_map *map);
/* Makes the columns those of the map as it is: from its record of changes, or all of them. */
void wend_scan_follow(wend_scan *scan, const wend_map *map);

#endif

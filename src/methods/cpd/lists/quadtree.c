/* quadtree: move tables as squares of a quad-tree, what Botea (AIIDE 2011, figure 5) compares rectangles
 * with; the form of Sankaranarayanan, Alborzi and Samet, "Efficient query processing on spatial networks"
 * (GIS 2005).
 *
 * The root is the smallest square of 2^levels cells per side, from the map's north-western corner, that holds
 * the map. A square that is not homogeneous is split into four; one without a cell of the component is left
 * out. Blocked cells, the source, and ties are treated as for rectangles (rectangles.c), so that the two can
 * be compared.
 *
 * A record is a square's move in the lowest 3 bits, and above them the number of its north-western cell in
 * the order in which quadrants follow one another: bits of column and row in turn, the column's lowest. A
 * list ascends. A square's size is not stored: the one with the last number up to a cell's holds it, since
 * all cells that are asked for lie in some square. */
#include "methods/cpd/lists/list.h"

enum { LEVELS = 15 }; /* a map's side has at most 2^15 cells */

/* The bits of a number below 2^16, each with a 0 above it. */
static uint32_t spread(uint32_t n) {
    n = (n | n << 8) & 0x00ff00ff;
    n = (n | n << 4) & 0x0f0f0f0f;
    n = (n | n << 2) & 0x33333333;
    return (n | n << 1) & 0x55555555;
}

static uint32_t number_of(uint32_t x, uint32_t y) {
    return spread(x) | spread(y) << 1;
}

/* A square of 2^level cells per side, on the map. */
typedef struct square {
    uint32_t x, y, level;
} square;

/* The part of it that lies in the component's box, in the box's columns and rows; false if none does. */
static bool clip(const wend_cpd_table *table, const square *s, uint32_t *x1, uint32_t *y1, uint32_t *x2,
                 uint32_t *y2) {
    uint32_t side = (1u << s->level) - 1, last_x = table->x + table->width - 1,
             last_y = table->y + table->height - 1;
    if (s->x > last_x || s->y > last_y || s->x + side < table->x || s->y + side < table->y) return false;
    *x1 = s->x > table->x ? s->x - table->x : 0, *y1 = s->y > table->y ? s->y - table->y : 0;
    *x2 = (s->x + side < last_x ? s->x + side : last_x) - table->x;
    *y2 = (s->y + side < last_y ? s->y + side : last_y) - table->y;
    return true;
}

static bool write_squares(const wend_cpd_lists *base, wend_cpd_table *table, uint32_t source,
                          const uint16_t *sets, void *scratch, wend_buffer *result) {
    (void)sets, (void)scratch;
    square waiting[3 * LEVELS + 1] = {{0, 0, base->levels}};
    const uint32_t own = table->place[source];
    uint32_t count = 1;
    while (count) {
        square s = waiting[--count];
        uint32_t x1, y1, x2, y2, set = 255;
        if (!clip(table, &s, &x1, &y1, &x2, &y2)) continue;
        uint32_t area = wend_cpd_area(table, x1, y1, x2, y2);
        /* The source alone is nobody's target. */
        if (!area || (area == 1 && own % table->width >= x1 && own % table->width <= x2 &&
                      own / table->width >= y1 && own / table->width <= y2))
            continue;
        for (uint32_t y = y1; y <= y2 && set; y++)
            set = wend_cpd_common(table->rows + (size_t)y * table->width + x1, x2 - x1 + 1, set);
        if (set) {
            uint64_t record = (uint64_t)number_of(s.x, s.y) << 3 | wend_cpd_label(set);
            if (!wend_cpd_add_record(base, record, result)) return false;
            continue;
        }
        uint32_t level = s.level - 1, half = 1u << level; /* a cell alone is homogeneous */
        waiting[count++] = (square){s.x + half, s.y + half, level};
        waiting[count++] = (square){s.x, s.y + half, level};
        waiting[count++] = (square){s.x + half, s.y, level};
        waiting[count++] = (square){s.x, s.y, level};
    }
    return true;
}

static bool check_squares(const wend_cpd_lists *base, const uint8_t *list, uint32_t count, uint32_t source,
                          uint32_t cells) {
    (void)source;
    if (count > cells) return false;
    uint64_t last = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t number = wend_cpd_record(base, list, i) >> 3;
        if (number >> 2 * base->levels || (i && number <= last)) return false;
        last = number;
    }
    return true;
}

static uint32_t find_square(const wend_cpd_lists *base, const uint8_t *list, uint32_t count, wend_cell to,
                            uint32_t target, uint64_t *looked) {
    (void)target;
    uint32_t y = (uint32_t)(to * base->row_of_cell >> WEND_ROW_SHIFT), x = to - y * (uint32_t)base->width;
    uint64_t number = (uint64_t)number_of(x, y) << 3 | 7; /* as large as a record of this cell can be */
    if (!count) return WEND_CPD_NO_WAY;
    uint32_t low = 0, high = count; /* record low - 1 <= number < record high */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        ++*looked;
        if (wend_cpd_record(base, list, middle) <= number)
            low = middle + 1;
        else
            high = middle;
    }
    ++*looked;
    return low ? (uint32_t)wend_cpd_record(base, list, low - 1) & 7 : WEND_CPD_NO_WAY;
}

static uint32_t bits_of(int32_t width, int32_t height) {
    wend_cpd_lists base = {.form = NULL};
    wend_cpd_lists_init(&base, NULL, NULL, width, height);
    return 2 * base.levels + 3;
}

static uint32_t halvings(uint32_t count) {
    uint32_t looks = 2;
    for (; count > 1; count /= 2) looks++;
    return looks;
}

const wend_cpd_form wend_cpd_squares = {
    .records = "squares",
    .record_bits = bits_of,
    .wants_table = true,
    .write = write_squares,
    .check = check_squares,
    .find = find_square,
    .most_looks = halvings,
};

static const char *const ties[] = {"set", "label", NULL};

static const wend_key_info keys[] = {
    {.name = "ties",
     .kind = WEND_KEY_WORD,
     .words = ties,
     .standard = "set",
     .help =
         "cells with several optimal moves: all are kept until squares are made, or one, as in the paper"},
};

const wend_db_kind wend_db_quadtree = {
    .info = {"quadtree", "a path database of quad-tree squares, for comparison with cpd", keys,
             sizeof keys / sizeof *keys},
    .version = 1,
    .seedless = true,
    WEND_CPD_LISTS,
};

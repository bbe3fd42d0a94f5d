/* Lists of homogeneous rectangles: the compressed move tables of Botea, "Ultra-fast optimal pathfinding
 * without runtime search" (AIIDE 2011), section 'Computing CPDs as preprocessing', as they are printed there.
 *
 * Up to eight rectangles surround the source. One that is not homogeneous is split: of the widest or highest
 * homogeneous pieces at its left, right, top and bottom the one with most cells is cut off. Where there is
 * none, it is halved across its longer side, with the odd column or row in the right or lower half. What
 * covers no cell is left out. A list is ordered by cells, the most first, and looked through in that order.
 *
 * What the paper leaves open: of pieces with as many cells the first in the order above is taken, and of
 * rectangles with as many cells the first that was made. Cells of other components are as good as blocked
 * ones, since whether there is a way is known before. With `ties=set` a rectangle is homogeneous if all its
 * cells have an optimal move in common; with `ties=label` each has one move, as in the paper. The box of the
 * component stands for the map: what lies around it holds no cell, so that it would change no piece.
 *
 * A record is a number of x_bits + y_bits + x_bits + y_bits + 3 bits, lowest first: the first column and row,
 * the last column and row, the move. Up to 512 x 512 cells that is the paper's 39 bits. */
#include "methods/cpd/lists/list.h"

#include "base/sort.h"

typedef struct block {
    uint32_t x1, y1, x2, y2; /* columns and rows of the box, ends included */
} block;

typedef struct rectangle {
    uint32_t area, number; /* of cells; in the order in which they were made */
    block where;
    uint32_t move;
} rectangle;

/* A homogeneous piece at an edge of a block: so many columns or rows, and what they have in common. */
typedef struct edge {
    uint32_t lines, set;
} edge;

enum { LEFT, RIGHT, TOP, BOTTOM, EDGES };

static edge find_edge(const wend_cpd_table *table, const block *b, int which) {
    edge found = {0, 255};
    const bool upright = which == LEFT || which == RIGHT;
    const uint32_t lines = upright ? b->x2 - b->x1 + 1 : b->y2 - b->y1 + 1;
    const uint32_t length = upright ? b->y2 - b->y1 + 1 : b->x2 - b->x1 + 1;
    const size_t stride = upright ? table->height : table->width;
    const uint8_t *first =
        upright ? table->columns + b->x1 * stride + b->y1 : table->rows + b->y1 * stride + b->x1;
    for (; found.lines < lines; found.lines++) {
        uint32_t line = which == LEFT || which == TOP ? found.lines : lines - 1 - found.lines;
        uint32_t common = wend_cpd_common(first + line * stride, length, found.set);
        if (!common) break;
        found.set = common;
    }
    return found;
}

/* The piece of so many lines at an edge; the rest is left in `b`. */
static block cut_off(block *b, int which, uint32_t lines) {
    block piece = *b;
    if (which == LEFT)
        piece.x2 = b->x1 + lines - 1, b->x1 += lines;
    else if (which == RIGHT)
        piece.x1 = b->x2 + 1 - lines, b->x2 -= lines;
    else if (which == TOP)
        piece.y2 = b->y1 + lines - 1, b->y1 += lines;
    else
        piece.y1 = b->y2 + 1 - lines, b->y2 -= lines;
    return piece;
}

static block halve(block *b) {
    uint32_t width = b->x2 - b->x1 + 1, height = b->y2 - b->y1 + 1;
    return width > height ? cut_off(b, LEFT, width / 2) : cut_off(b, TOP, height / 2);
}

typedef struct decomposition {
    const wend_cpd_table *table;
    rectangle *list;
    uint32_t count;
} decomposition;

static void keep(decomposition *d, const block *piece, uint32_t area, uint32_t set) {
    if (!area) return;
    d->list[d->count] = (rectangle){area, d->count, *piece, wend_cpd_label(set)};
    d->count++;
}

static uint32_t area_of(const decomposition *d, const block *b) {
    return wend_cpd_area(d->table, b->x1, b->y1, b->x2, b->y2);
}

/* Halves that wait for their turn: each is at most half as large as the one before. */
enum { WAITING = 2 * 16 };

static void decompose(decomposition *d, block b) {
    block waiting[WAITING];
    uint32_t count = 0;
    for (;;) {
        edge edges[EDGES], best = {0, 0};
        uint32_t best_area = 0;
        int chosen = EDGES;
        edges[LEFT] = find_edge(d->table, &b, LEFT);
        if (edges[LEFT].lines == b.x2 - b.x1 + 1) { /* all of it */
            keep(d, &b, area_of(d, &b), edges[LEFT].set);
            if (!count) return;
            b = waiting[--count];
            continue;
        }
        for (int i = LEFT; i < EDGES; i++) {
            if (i != LEFT) edges[i] = find_edge(d->table, &b, i);
            if (!edges[i].lines) continue;
            block rest = b, piece = cut_off(&rest, i, edges[i].lines);
            uint32_t area = area_of(d, &piece);
            if (chosen == EDGES || area > best_area) chosen = i, best = edges[i], best_area = area;
        }
        if (chosen == EDGES) {
            block half = halve(&b);
            waiting[count++] = b, b = half;
        } else {
            block piece = cut_off(&b, chosen, best.lines);
            keep(d, &piece, best_area, best.set);
        }
    }
}

static int larger_first(const void *a, const void *b) {
    const rectangle *left = a, *right = b;
    if (left->area != right->area) return left->area > right->area ? -1 : 1;
    return left->number < right->number ? -1 : 1;
}

/* The rectangles around the source, clockwise from the north-west; none where it stands at an edge. */
static void surround(decomposition *d, uint32_t x, uint32_t y) {
    static const int8_t columns[8] = {-1, 0, 1, 1, 1, 0, -1, -1}, rows[8] = {-1, -1, -1, 0, 1, 1, 1, 0};
    const uint32_t last_x = d->table->width - 1, last_y = d->table->height - 1;
    for (int i = 0; i < 8; i++) {
        if ((columns[i] < 0 && !x) || (columns[i] > 0 && x == last_x) || (rows[i] < 0 && !y) ||
            (rows[i] > 0 && y == last_y))
            continue;
        block b = {columns[i] < 0 ? 0
                   : columns[i]   ? x + 1
                                  : x,
                   rows[i] < 0 ? 0
                   : rows[i]   ? y + 1
                               : y,
                   columns[i] < 0 ? x - 1
                   : columns[i]   ? last_x
                                  : x,
                   rows[i] < 0 ? y - 1
                   : rows[i]   ? last_y
                               : y};
        decompose(d, b);
    }
}

static bool write_rectangles(const wend_cpd_lists *base, wend_cpd_table *table, uint32_t source,
                             const uint16_t *sets, void *scratch, wend_buffer *result) {
    (void)sets;
    decomposition d = {table, scratch, 0};
    surround(&d, table->place[source] % table->width, table->place[source] / table->width);
    wend_sort(d.list, d.count, sizeof *d.list, larger_first);
    bool good = true;
    for (uint32_t i = 0; i < d.count && good; i++) {
        const block *b = &d.list[i].where;
        uint64_t last = (uint64_t)d.list[i].move << base->y_bits | (b->y2 + table->y);
        last = (last << base->x_bits | (b->x2 + table->x)) << base->y_bits | (b->y1 + table->y);
        good = wend_cpd_add_record(base, last << base->x_bits | (b->x1 + table->x), result);
    }
    return good;
}

static block read_block(const wend_cpd_lists *base, uint64_t record, uint32_t *move) {
    const uint32_t x_mask = (1u << base->x_bits) - 1, y_mask = (1u << base->y_bits) - 1;
    block b;
    b.x1 = (uint32_t)record & x_mask, record >>= base->x_bits;
    b.y1 = (uint32_t)record & y_mask, record >>= base->y_bits;
    b.x2 = (uint32_t)record & x_mask, record >>= base->x_bits;
    b.y2 = (uint32_t)record & y_mask, record >>= base->y_bits;
    *move = (uint32_t)record;
    return b;
}

static bool check_rectangles(const wend_cpd_lists *base, const uint8_t *list, uint32_t count, uint32_t source,
                             uint32_t cells) {
    (void)source;
    if (count > cells) return false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t move;
        block b = read_block(base, wend_cpd_record(base, list, i), &move);
        if (b.x1 > b.x2 || b.y1 > b.y2 || b.x2 >= (uint32_t)base->width || b.y2 >= (uint32_t)base->height ||
            move >= WEND_DIRECTIONS)
            return false;
    }
    return true;
}

static uint32_t find_rectangle(const wend_cpd_lists *base, const uint8_t *list, uint32_t count, wend_cell to,
                               uint32_t target, uint64_t *looked) {
    (void)target;
    uint32_t y = (uint32_t)(to * base->row_of_cell >> WEND_ROW_SHIFT), x = to - y * (uint32_t)base->width;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t move;
        block b = read_block(base, wend_cpd_record(base, list, i), &move);
        ++*looked;
        if ((x - b.x1 <= b.x2 - b.x1) & (y - b.y1 <= b.y2 - b.y1)) return move;
    }
    return WEND_CPD_NO_WAY;
}

static uint32_t bits_of(int32_t width, int32_t height) {
    wend_cpd_lists base = {.form = NULL};
    wend_cpd_lists_init(&base, NULL, NULL, width, height);
    return 2 * (base.x_bits + base.y_bits) + 3;
}

static size_t scratch_bytes(uint32_t most_cells) {
    return most_cells * sizeof(rectangle);
}

static uint32_t all_of_them(uint32_t count) {
    return count;
}

const wend_cpd_form wend_cpd_rectangles = {
    .records = "rectangles",
    .record_bits = bits_of,
    .wants_table = true,
    .scratch_bytes = scratch_bytes,
    .write = write_rectangles,
    .check = check_rectangles,
    .find = find_rectangle,
    .most_looks = all_of_them,
};

uint64_t wend_cpd_list_checks(const wend_cpd_lists *base, const wend_cpd_table *table, const uint8_t *list,
                              uint32_t count) {
    uint64_t checks = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t move;
        block b = read_block(base, wend_cpd_record(base, list, i), &move);
        /* Of a forged file: what lies beyond the box has no cells. */
        if (b.x2 < table->x || b.y2 < table->y) continue;
        uint32_t x1 = b.x1 > table->x ? b.x1 - table->x : 0, y1 = b.y1 > table->y ? b.y1 - table->y : 0;
        if (x1 >= table->width || y1 >= table->height) continue;
        uint32_t x2 = b.x2 - table->x, y2 = b.y2 - table->y;
        if (x2 >= table->width) x2 = table->width - 1;
        if (y2 >= table->height) y2 = table->height - 1;
        checks += (uint64_t)(i + 1) * wend_cpd_area(table, x1, y1, x2, y2);
    }
    return table->cells > 1 ? checks * WEND_CPD_CHECK / (table->cells - 1) : 0;
}

double wend_cpd_mean_checks(const wend_db *db) {
    const wend_cpd_lists *base = wend_cpd_lists_of(db);
    if (!base || !base->ranked || base->form != &wend_cpd_rectangles) return -1;
    wend_cpd_table table;
    uint64_t sum = 0;
    wend_cpd_table_init(&table, &base->ranks, &db->allocator);
    bool good = true;
    for (uint32_t c = 0; c < base->components && good; c++) {
        good = wend_cpd_table_take(&table, c);
        for (uint32_t s = base->ranks.firsts[c]; good && s < base->ranks.firsts[c + 1]; s++)
            sum += wend_cpd_list_checks(base, &table, base->records + base->begins[s] * base->record_bytes,
                                        (uint32_t)(base->begins[s + 1] - base->begins[s]));
    }
    wend_cpd_table_release(&table);
    return good && base->sources ? (double)sum / WEND_CPD_CHECK / base->sources : -1;
}

#include "methods/knn/draw.h"

#include "base/random.h"
#include "base/status.h"
#include "grid/runs.h"

/* Draws for a pair; of an even one, those that keep to its place: where nothing fits there, it goes anywhere.
 * The stream keeps draws apart from others with the same seed. */
enum { MOST_DRAWS = 1000, PLACED_DRAWS = 16 };
#define STREAM 0x6b6e6e0000000000u

/* The run of an open cell. */
static uint32_t run_at(const wend_runs *runs, uint32_t x, uint32_t y) {
    uint32_t low = runs->row[y], high = runs->row[y + 1];
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (runs->run[middle].first <= x)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* A square of a Hilbert curve: the curve enters at a corner and leaves at a neighbouring one. (ax, ay) leads
 * from the corner where it enters along the first side, (bx, by) along the other; both have the square's
 * side, and the four squares inside are walked as a U. */
typedef struct square {
    int32_t x, y, ax, ay, bx, by;
} square;

static int32_t sign(int32_t v) {
    return (v > 0) - (v < 0);
}

/* Whether a square has cells of the map. (x, y) is its corner's cell. */
static bool on_map(const wend_map *map, const square *s) {
    int32_t far_x = s->x + s->ax + s->bx - sign(s->ax + s->bx),
            far_y = s->y + s->ay + s->by - sign(s->ay + s->by);
    int32_t low_x = s->x < far_x ? s->x : far_x, low_y = s->y < far_y ? s->y : far_y;
    return low_x < map->width && low_y < map->height;
}

/* Pushes the four squares inside, the last first. */
static uint32_t split(const square *s, square *stack, uint32_t count) {
    int32_t ax = s->ax / 2, ay = s->ay / 2, bx = s->bx / 2, by = s->by / 2;
    stack[count++] = (square){s->x + 2 * ax - sign(ax) + bx - sign(bx),
                              s->y + 2 * ay - sign(ay) + by - sign(by),
                              -bx,
                              -by,
                              -ax,
                              -ay};
    stack[count++] = (square){s->x + ax + bx, s->y + ay + by, ax, ay, bx, by};
    stack[count++] = (square){s->x + bx, s->y + by, ax, ay, bx, by};
    stack[count++] = (square){s->x, s->y, bx, by, ax, ay};
    return count;
}

/* `next` says where the next cell of each component goes. */
static void add_along_curve(wend_draws *draws, uint32_t *next, const wend_runs *runs) {
    const wend_map *map = draws->map;
    int32_t side = 1;
    while (side < map->width || side < map->height) side *= 2;
    square stack[3 * 16 + 4];
    uint32_t count = 0;
    stack[count++] = (square){0, 0, side, 0, 0, side};
    while (count) {
        square s = stack[--count];
        if (!on_map(map, &s)) continue;
        if (s.ax + s.ay != 1 && s.ax + s.ay != -1) {
            count = split(&s, stack, count);
            continue;
        }
        uint32_t x = (uint32_t)s.x, y = (uint32_t)s.y;
        if (wend_bit(map, x, y))
            draws->cells[next[runs->label[run_at(runs, x, y)]]++] = y * (uint32_t)map->width + x;
    }
}

/* Pairs go to components by the squares of their sizes, shifted so that products fit. */
void wend_draws_lay_out(wend_draws *draws, uint32_t pairs, uint32_t again) {
    draws->pairs = pairs, draws->again = again;
    uint64_t total = 0, before = 0;
    uint32_t shift = 0;
    for (uint32_t i = 0; i < draws->components; i++) {
        uint64_t size = draws->begin[i + 1] - draws->begin[i];
        if (size > 2) total += size * size;
    }
    while (total >> shift >= (uint64_t)1 << 38) shift++;
    for (uint32_t i = 0; i < draws->components; i++) {
        uint64_t size = draws->begin[i + 1] - draws->begin[i];
        draws->first[i] = total ? (uint32_t)((before >> shift) * draws->pairs / (total >> shift)) : 0;
        if (size > 2) before += size * size;
    }
    draws->first[draws->components] = draws->pairs;
}

wend_status wend_draws_create(wend_draws *draws, const wend_map *map, uint64_t seed, uint32_t pairs,
                              bool even, const wend_allocator *allocator, wend_error *error) {
    *draws = (wend_draws){.map = map, .allocator = *allocator, .seed = seed, .pairs = pairs, .even = even};
    wend_runs runs;
    wend_status status = wend_runs_create(map, allocator, wend_joins_diagonally(map), &runs, error);
    if (status != WEND_OK) return status;
    draws->open = map->open_cells, draws->components = runs.components;
    draws->cells = wend_allocate(allocator, (size_t)draws->open + 1, sizeof *draws->cells);
    draws->begin = wend_allocate_zeroed(allocator, (size_t)draws->components + 1, sizeof *draws->begin);
    draws->first =
        even ? wend_allocate(allocator, (size_t)draws->components + 1, sizeof *draws->first) : NULL;
    if (draws->cells && draws->begin && (draws->first || !even)) {
        /* Beginnings stand one place further on: filling moves each to its end, where the next one begins. */
        uint32_t *next = draws->begin + 1, sum = 0;
        wend_runs_sizes(&runs, next);
        for (uint32_t i = 0; i < runs.components; i++) {
            uint32_t size = next[i];
            draws->possible |= size > 2;
            next[i] = sum;
            sum += size;
        }
        add_along_curve(draws, next, &runs);
        if (even) wend_draws_lay_out(draws, pairs, 0);
    } else {
        status = wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory to list %u open cells", draws->open);
    }
    wend_runs_release(&runs);
    return status;
}

void wend_draws_release(wend_draws *draws) {
    size_t components = draws->components;
    wend_release(&draws->allocator, draws->cells, (size_t)draws->open + 1, sizeof *draws->cells);
    wend_release(&draws->allocator, draws->begin, components + 1, sizeof *draws->begin);
    wend_release(&draws->allocator, draws->first, components + 1, sizeof *draws->first);
    *draws = (wend_draws){0};
}

/* The last of `count` + 1 rising numbers, but for the closing one, that is not above n. */
static uint32_t place_of(const uint32_t *begin, uint32_t count, uint32_t n) {
    uint32_t low = 0, high = count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (begin[middle] <= n)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* At least three cells. */
static bool far_enough(const wend_map *map, wend_cell a, wend_cell b) {
    if (a == b) return false;
    for (uint32_t moves = wend_map_moves(map, a); moves; moves &= moves - 1)
        if (a + (uint32_t)map->offset[wend_lowest_bit(moves)] == b) return false;
    return true;
}

static bool random_pair(const wend_draws *draws, uint32_t n, uint32_t attempt, wend_cell *start,
                        wend_cell *goal) {
    uint32_t from =
        wend_random_below_large(wend_random_at(draws->seed, STREAM | n, 2 * (uint64_t)attempt), draws->open);
    uint32_t to = wend_random_below_large(wend_random_at(draws->seed, STREAM | n, 2 * (uint64_t)attempt + 1),
                                          draws->open);
    uint32_t component = place_of(draws->begin, draws->components, from);
    *start = draws->cells[from], *goal = draws->cells[to];
    return to >= draws->begin[component] && to < draws->begin[component + 1];
}

static void even_pair(const wend_draws *draws, uint32_t n, uint32_t attempt, wend_cell *start,
                      wend_cell *goal) {
    uint32_t component = place_of(draws->first, draws->components, n);
    uint32_t begin = draws->begin[component], size = draws->begin[component + 1] - begin;
    uint32_t m = n - draws->first[component], pairs = draws->first[component + 1] - draws->first[component];
    uint64_t stream = STREAM | (uint64_t)(draws->again + 1) << 32 | n;
    uint64_t one = wend_random_at(draws->seed, stream, 2 * (uint64_t)attempt);
    uint64_t two = wend_random_at(draws->seed, stream, 2 * (uint64_t)attempt + 1);
    uint32_t from = (uint32_t)(((uint64_t)m * size + wend_random_below_large(one, size)) / pairs);
    uint32_t golden = m * 0x9e3779b9u + wend_random_below_large(two, UINT32_MAX / pairs);
    uint32_t to = (uint32_t)((uint64_t)golden * size >> 32);
    *start = draws->cells[begin + from], *goal = draws->cells[begin + to];
}

static bool draw(const wend_draws *draws, uint32_t n, uint32_t placed, wend_cell *start, wend_cell *goal) {
    for (uint32_t attempt = 0; draws->possible && attempt < MOST_DRAWS; attempt++) {
        if (attempt < placed)
            even_pair(draws, n, attempt, start, goal);
        else if (!random_pair(draws, n, attempt, start, goal))
            continue;
        if (far_enough(draws->map, *start, *goal)) return true;
    }
    return false;
}

bool wend_draw_random(const wend_draws *draws, uint32_t n, wend_cell *start, wend_cell *goal) {
    return draw(draws, n, 0, start, goal);
}

bool wend_draw(const wend_draws *draws, uint32_t n, wend_cell *start, wend_cell *goal) {
    return draw(draws, n, draws->even ? PLACED_DRAWS : 0, start, goal);
}

bool wend_draw_fits(const wend_draws *draws, wend_cell start, wend_cell goal) {
    return wend_map_is_open_cell(draws->map, start) && wend_map_is_open_cell(draws->map, goal) &&
           far_enough(draws->map, start, goal);
}

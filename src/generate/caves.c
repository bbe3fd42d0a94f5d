/* Caves: noise smoothed by a cellular automaton (a cell is open next if at least five of the nine cells
 * around it are), 64 cells at a time. Crumbs are filled, and tunnels join the caves that are left: the
 * shortest straight ones first. */
#include "base/memory.h"
#include "base/status.h"
#include "generate/generate.h"
#include "grid/runs.h"

#include <string.h>

enum { ROUNDS = 5, CRUMB = 24 };

static uint8_t *row_bits(uint8_t *bits, const wend_map *map, uint32_t y) {
    return bits + ((size_t)y + 1) * map->row_bytes;
}

/* The cells of a word of a row that are on the map: the border stays blocked. */
static uint64_t row_mask(const wend_map *map, size_t word) {
    uint64_t first = 64 * (uint64_t)word, mask = ~(uint64_t)0, end = (uint64_t)(uint32_t)map->width + 1;
    if (first + 64 > end) mask = end > first ? ((uint64_t)1 << (end - first)) - 1 : 0;
    return word ? mask : mask & ~(uint64_t)1;
}

/* A lattice of random heights, `size` cells apart, makes rock thicker here and thinner there: halls, solid
 * rock, and passages between. Heights are 0 to 255, SWAY is how far they move the density up or down, in per
 * cent. */
enum { SWAY = 16, WHOLE = 1 << 16 };

static int32_t height_at(const wend_generator *generator, uint32_t column, uint32_t row) {
    return (int32_t)(wend_random_at(generator->seed, 0x68696768, (uint64_t)row << 32 | column) >> 56);
}

/* The height, in 256ths, `part` of `whole` of the way from a row of the lattice down to the next. */
static int32_t height_between(const wend_generator *generator, uint32_t column, uint32_t row, uint32_t part,
                              uint32_t whole) {
    int32_t above = height_at(generator, column, row), below = height_at(generator, column, row + 1);
    return above * 256 + (below - above) * 256 * (int32_t)part / (int32_t)whole;
}

static void make_noise(const wend_generator *generator) {
    wend_map *map = generator->map;
    uint32_t size = generator->size, density = generator->density * WHOLE / 100;
    /* No sway at the ends: 0 per cent is all open and 100 all rock. */
    int32_t less = (int32_t)(generator->density < 50 ? generator->density : 100 - generator->density);
    int32_t sway = less < SWAY ? less : SWAY;
    uint64_t n = 0;
    for (uint32_t y = 0; y < (uint32_t)map->height; y++) {
        uint8_t *row = row_bits(map->bits, map, y);
        int32_t left = 0, right = height_between(generator, 0, y / size, y % size, size);
        for (uint32_t x = 0, part = 0; x < (uint32_t)map->width; x++, n++, part++) {
            if (part == size) part = 0;
            if (part == 0)
                left = right, right = height_between(generator, x / size + 1, y / size, y % size, size);
            int32_t height = left + (right - left) / (int32_t)size * (int32_t)part - 128 * 256;
            uint32_t rock = density + (uint32_t)(height / 50 * sway);
            if (wend_random_at(generator->seed, WEND_MAP_CAVES, n) >> 48 >= rock)
                row[(x + 1) >> 3] |= (uint8_t)(1u << ((x + 1) & 7));
        }
    }
}

typedef struct sum {
    uint64_t ones, twos;
} sum;

/* For each cell of a word how many of it and its two neighbours in the row are open: 0 to 3. */
static sum sum_of_three(const uint8_t *row, size_t word) {
    uint64_t middle = wend_load64(row + 8 * word);
    uint64_t west = middle << 1 | (word ? (uint64_t)row[8 * word - 1] >> 7 : 0);
    uint64_t east = middle >> 1 | (uint64_t)row[8 * word + 8] << 63;
    return (sum){west ^ middle ^ east, (west & middle) | (east & (west ^ middle))};
}

/* The sum of three such sums is ones + 2 * t, where t counts four bits: the pairs p, q and g, h hold it. */
static uint64_t at_least_five(sum a, sum b, sum c) {
    uint64_t ones = a.ones ^ b.ones ^ c.ones;
    uint64_t carry = (a.ones & b.ones) | (c.ones & (a.ones ^ b.ones));
    uint64_t p = a.twos ^ b.twos, g = a.twos & b.twos;
    uint64_t q = c.twos ^ carry, h = c.twos & carry;
    uint64_t two_or_more = g | h | (p & q), three_or_more = (g & (h | q)) | (h & p);
    return three_or_more | (two_or_more & ones);
}

static void smooth(const wend_map *map, const uint8_t *from, uint8_t *to) {
    for (size_t word = 0; word < map->row_bytes / 8; word++) {
        uint64_t mask = row_mask(map, word);
        sum above = {0, 0}, here = sum_of_three(from + map->row_bytes, word);
        for (uint32_t y = 1; y <= (uint32_t)map->height; y++) {
            sum below = sum_of_three(from + (y + 1) * map->row_bytes, word);
            wend_store64(to + y * map->row_bytes + 8 * word, at_least_five(above, here, below) & mask);
            above = here, here = below;
        }
    }
}

/* The buffers change places after each round: what the map held at first is released in the end. */
static wend_status run_automaton(wend_map *map, wend_error *error) {
    uint8_t *other = wend_allocate_zeroed(&map->allocator, map->bits_bytes, 1);
    if (!other) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory to smooth the caves");
    for (int round = 0; round < ROUNDS; round++) {
        smooth(map, map->bits, other);
        uint8_t *swap = map->bits;
        map->bits = other, other = swap;
    }
    wend_release(&map->allocator, other, map->bits_bytes, 1);
    return WEND_OK;
}

/* A straight piece of rock between two caves. */
typedef struct gap {
    uint16_t x, y, length;
    bool down; /* from (x, y) southwards rather than eastwards */
    uint32_t a, b;
} gap;

typedef struct caves {
    const wend_generator *generator;
    wend_runs runs;
    uint32_t *parent; /* of each component: which are joined by now */
    gap *gaps, *sorted;
    size_t gap_count, gap_capacity;
    wend_cell *above;      /* a column: the nearest open cell to the north, */
    uint32_t *above_label; /* and the cave it belongs to */
} caves;

static uint32_t root_of(uint32_t *parent, uint32_t i) {
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/* Fills all caves below a size but the largest. */
static wend_status fill_crumbs(wend_map *map, const wend_runs *runs, wend_error *error) {
    uint32_t *sizes = wend_allocate(&map->allocator, runs->components, sizeof *sizes), largest = 0;
    if (!sizes) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory to measure the caves");
    wend_runs_sizes(runs, sizes);
    for (uint32_t i = 1; i < runs->components; i++)
        if (sizes[i] > sizes[largest]) largest = i;
    for (uint32_t y = 0; y < runs->height; y++)
        for (uint32_t i = runs->row[y]; i < runs->row[y + 1]; i++)
            if (sizes[runs->label[i]] < CRUMB && runs->label[i] != largest)
                wend_set_bits(row_bits(map->bits, map, y), runs->run[i].first + 1u,
                              runs->run[i].last - runs->run[i].first + 1u, false);
    wend_release(&map->allocator, sizes, runs->components, sizeof *sizes);
    return WEND_OK;
}

/* Fits 16 bits: no side is longer than WEND_MAX_SIDE. */
static void note_gap(caves *c, gap found) {
    WEND_ASSERT(found.length >= 1 && found.length < WEND_MAX_SIDE);
    WEND_ASSERT(!c->gaps || c->gap_count < c->gap_capacity);
    if (c->gaps) c->gaps[c->gap_count] = found;
    c->gap_count++;
}

/* Finds the gaps along rows and columns between different caves; counts them only if there is no room yet. */
static void find_gaps(caves *c) {
    const wend_map *map = c->generator->map;
    const wend_runs *runs = &c->runs;
    c->gap_count = 0;
    for (uint32_t x = 0; x < (uint32_t)map->width; x++) c->above[x] = WEND_NO_CELL;
    for (uint32_t y = 0; y < runs->height; y++)
        for (uint32_t i = runs->row[y]; i < runs->row[y + 1]; i++) {
            uint32_t label = runs->label[i], first = runs->run[i].first, last = runs->run[i].last;
            if (i > runs->row[y] && runs->label[i - 1] != label) {
                uint32_t west = runs->run[i - 1].last + 1u;
                note_gap(c, (gap){(uint16_t)west, (uint16_t)y, (uint16_t)(first - west), false,
                                  runs->label[i - 1], label});
            }
            for (uint32_t x = first; x <= last; x++) {
                uint32_t north = c->above[x];
                if (north != WEND_NO_CELL && c->above_label[x] != label)
                    note_gap(c, (gap){(uint16_t)x, (uint16_t)(north + 1), (uint16_t)(y - north - 1), true,
                                      c->above_label[x], label});
                c->above[x] = y, c->above_label[x] = label;
            }
        }
}

/* Orders the gaps by length, and else as they were found. */
static wend_status sort_gaps(caves *c, wend_error *error) {
    const wend_allocator *allocator = &c->generator->map->allocator;
    uint32_t *begin = wend_allocate_zeroed(allocator, WEND_MAX_SIDE + 1, sizeof *begin);
    if (!begin) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory to join the caves");
    for (size_t i = 0; i < c->gap_count; i++) begin[c->gaps[i].length]++;
    uint32_t sum_before = 0;
    for (uint32_t length = 0; length <= WEND_MAX_SIDE; length++) {
        uint32_t count = begin[length];
        begin[length] = sum_before, sum_before += count;
    }
    for (size_t i = 0; i < c->gap_count; i++) c->sorted[begin[c->gaps[i].length]++] = c->gaps[i];
    wend_release(allocator, begin, WEND_MAX_SIDE + 1, sizeof *begin);
    return WEND_OK;
}

/* A tunnel two or three cells wide, with rough walls. */
static void dig(const wend_generator *generator, int32_t x, int32_t y, int32_t length, bool down) {
    for (int32_t i = 0; i < length; i++) {
        int32_t at_x = down ? x : x + i, at_y = down ? y + i : y;
        uint64_t random =
            wend_random_at(generator->seed, 0x64696773, (uint64_t)(uint32_t)at_y << 32 | (uint32_t)at_x);
        int32_t before = random & 3 ? 1 : 0, wide = before + 1 + (random & 12 ? 1 : 0);
        if (down)
            wend_fill(generator->map, at_x - before, at_y, wide, 1, true);
        else
            wend_fill(generator->map, at_x, at_y - before, 1, wide, true);
    }
}

/* Digs the gaps that join what is not joined yet. Caves that share no row and no column with any of the
 * others remain: from the first cell of each an angled tunnel leads to the first cell of the first cave. */
static void dig_gaps(caves *c) {
    const wend_runs *runs = &c->runs;
    for (size_t i = 0; i < c->gap_count; i++) {
        gap g = c->sorted[i];
        uint32_t a = root_of(c->parent, g.a), b = root_of(c->parent, g.b);
        if (a == b) continue;
        c->parent[a > b ? a : b] = a > b ? b : a;
        dig(c->generator, g.x, g.y, g.length, g.down);
    }
    int32_t home_x = 0, home_y = 0;
    uint32_t expected = 0; /* labels count up with their first cells */
    for (uint32_t y = 0; y < runs->height; y++)
        for (uint32_t i = runs->row[y]; i < runs->row[y + 1]; i++) {
            if (runs->label[i] != expected) continue;
            int32_t x = runs->run[i].first;
            if (expected == 0) home_x = x, home_y = (int32_t)y;
            if (root_of(c->parent, expected) != 0) {
                c->parent[root_of(c->parent, expected)] = 0;
                dig(c->generator, x, home_y, (int32_t)y - home_y, true);
                dig(c->generator, x < home_x ? x : home_x, home_y, (x < home_x ? home_x - x : x - home_x) + 1,
                    false);
            }
            expected++;
        }
}

static void release_caves(caves *c) {
    const wend_allocator *allocator = &c->generator->map->allocator;
    size_t width = (size_t)c->generator->map->width;
    wend_release(allocator, c->parent, c->runs.components, sizeof *c->parent);
    wend_release(allocator, c->above, width, sizeof *c->above);
    wend_release(allocator, c->above_label, width, sizeof *c->above_label);
    wend_release(allocator, c->gaps, c->gap_capacity, sizeof *c->gaps);
    wend_release(allocator, c->sorted, c->gap_capacity, sizeof *c->sorted);
    wend_runs_release(&c->runs);
}

static wend_status join_caves(caves *c, wend_error *error) {
    const wend_allocator *allocator = &c->generator->map->allocator;
    size_t width = (size_t)c->generator->map->width;
    c->parent = wend_allocate(allocator, c->runs.components, sizeof *c->parent);
    c->above = wend_allocate(allocator, width, sizeof *c->above);
    c->above_label = wend_allocate(allocator, width, sizeof *c->above_label);
    if (!c->parent || !c->above || !c->above_label)
        return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory to join the caves");
    for (uint32_t i = 0; i < c->runs.components; i++) c->parent[i] = i;
    find_gaps(c);
    if (c->gap_count) {
        c->gap_capacity = c->gap_count;
        c->gaps = wend_allocate(allocator, c->gap_capacity, sizeof *c->gaps);
        c->sorted = wend_allocate(allocator, c->gap_capacity, sizeof *c->sorted);
        if (!c->gaps || !c->sorted)
            return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory to join the caves");
        find_gaps(c);
        wend_status status = sort_gaps(c, error);
        if (status != WEND_OK) return status;
    }
    dig_gaps(c);
    return WEND_OK;
}

/* For a map whose size or density leaves no cave: one winding tunnel along its longer side. */
static void dig_one_tunnel(const wend_generator *generator) {
    const wend_map *map = generator->map;
    bool down = map->height > map->width;
    int32_t length = down ? map->height : map->width, across = down ? map->width : map->height;
    int32_t at = across / 2;
    for (int32_t i = 0; i < length; i++) {
        int32_t before = at;
        at += (int32_t)wend_random_below(wend_random_at(generator->seed, 0x77696e64, (uint64_t)(uint32_t)i),
                                         3) -
              1;
        at = at < 0 ? 0 : at >= across ? across - 1 : at;
        int32_t first = at < before ? at : before, wide = at < before ? before - at : at - before;
        if (down)
            wend_fill(generator->map, first, i, wide + 1, 1, true);
        else
            wend_fill(generator->map, i, first, 1, wide + 1, true);
    }
}

wend_status wend_generate_caves(const wend_generator *generator, wend_error *error) {
    wend_map *map = generator->map;
    make_noise(generator);
    wend_status status = run_automaton(map, error);
    if (status != WEND_OK) return status;
    caves c = {.generator = generator};
    status = wend_runs_create(map, &map->allocator, false, &c.runs, error);
    if (status != WEND_OK) return status;
    if (!c.runs.components) {
        wend_runs_release(&c.runs);
        dig_one_tunnel(generator);
        return WEND_OK;
    }
    status = fill_crumbs(map, &c.runs, error);
    wend_runs_release(&c.runs);
    if (status != WEND_OK) return status;
    status = wend_runs_create(map, &map->allocator, false, &c.runs, error);
    if (status != WEND_OK) return status;
    if (c.runs.components > 1) status = join_caves(&c, error);
    release_caves(&c);
    return status;
}

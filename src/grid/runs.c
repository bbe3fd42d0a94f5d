#include "grid/runs.h"

#include "base/memory.h"
#include "base/status.h"

#include <string.h>

static const uint8_t *row_bits(const wend_map *map, uint32_t y) {
    return map->bits + ((size_t)y + 1) * map->row_bytes;
}

/* A bit for each cell of a word that is open while its western neighbour is not; `word` counts from the
 * row's start. */
static uint64_t run_starts(const uint8_t *row, size_t word) {
    uint64_t bits = wend_load64(row + 8 * word);
    return bits & ~(bits << 1 | (word ? (uint64_t)row[8 * word - 1] >> 7 : 0));
}

/* The same for the eastern neighbour. The byte behind a row is the next row's, whose first bit is border. */
static uint64_t run_ends(const uint8_t *row, size_t word) {
    uint64_t bits = wend_load64(row + 8 * word);
    return bits & ~(bits >> 1 | (uint64_t)(row[8 * word + 8] & 1) << 63);
}

static uint32_t count_runs(const wend_map *map) {
    size_t words = map->row_bytes / 8;
    uint32_t count = 0;
    for (uint32_t y = 0; y < (uint32_t)map->height; y++)
        for (size_t i = 0; i < words; i++) count += wend_count_bits(run_starts(row_bits(map, y), i));
    return count;
}

/* Writes the runs of a row and returns how many; bit x + 1 of the row is cell x. */
static uint32_t find_runs(const wend_map *map, uint32_t y, wend_run *run) {
    const uint8_t *row = row_bits(map, y);
    uint32_t starts = 0, ends = 0;
    for (size_t i = 0; i < map->row_bytes / 8; i++) {
        uint32_t base = (uint32_t)(64 * i);
        for (uint64_t bits = run_starts(row, i); bits; bits &= bits - 1)
            run[starts++].first = (uint16_t)(base + wend_lowest_bit(bits) - 1);
        for (uint64_t bits = run_ends(row, i); bits; bits &= bits - 1)
            run[ends++].last = (uint16_t)(base + wend_lowest_bit(bits) - 1);
    }
    return starts;
}

/* The first run of the set. Paths are halved on the way; a parent never comes after its child. */
static uint32_t root_of(uint32_t *parent, uint32_t i) {
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

static void join(uint32_t *parent, uint32_t a, uint32_t b) {
    a = root_of(parent, a), b = root_of(parent, b);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

/* Joins the runs of two neighbouring rows that touch: [above, middle) and [middle, end). */
static void join_rows(const wend_runs *runs, uint32_t above, uint32_t middle, uint32_t end, uint32_t reach) {
    for (uint32_t a = above, b = middle; a < middle && b < end;) {
        wend_run north = runs->run[a], south = runs->run[b];
        if (north.first <= south.last + reach && south.first <= north.last + reach) join(runs->label, a, b);
        if (north.last < south.last)
            a++;
        else
            b++;
    }
}

wend_status wend_runs_create(const wend_map *map, const wend_allocator *allocator, bool diagonal,
                             wend_runs *runs, wend_error *error) {
    uint32_t height = (uint32_t)map->height;
    *runs = (wend_runs){.count = count_runs(map), .height = height, .allocator = *allocator};
    runs->run_capacity = runs->count ? runs->count : 1;
    runs->run = wend_allocate(allocator, runs->run_capacity, sizeof *runs->run);
    runs->label = wend_allocate(allocator, runs->run_capacity, sizeof *runs->label);
    runs->row = wend_allocate(allocator, (size_t)height + 1, sizeof *runs->row);
    if (!runs->run || !runs->label || !runs->row) {
        wend_runs_release(runs);
        return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory to find the map's components");
    }
    runs->row[0] = 0;
    for (uint32_t y = 0; y < height; y++) {
        uint32_t begin = runs->row[y], end = begin + find_runs(map, y, runs->run + begin);
        for (uint32_t i = begin; i < end; i++) runs->label[i] = i;
        runs->row[y + 1] = end;
        if (y) join_rows(runs, runs->row[y - 1], begin, end, diagonal);
    }
    /* Parents come first, so that theirs are labels already when a child is reached. */
    for (uint32_t i = 0; i < runs->count; i++)
        runs->label[i] = runs->label[i] == i ? runs->components++ : runs->label[runs->label[i]];
    return WEND_OK;
}

void wend_runs_release(wend_runs *runs) {
    wend_release(&runs->allocator, runs->run, runs->run_capacity, sizeof *runs->run);
    wend_release(&runs->allocator, runs->label, runs->run_capacity, sizeof *runs->label);
    wend_release(&runs->allocator, runs->row, (size_t)runs->height + 1, sizeof *runs->row);
    *runs = (wend_runs){.count = 0};
}

void wend_runs_sizes(const wend_runs *runs, uint32_t *sizes) {
    memset(sizes, 0, runs->components * sizeof *sizes);
    for (uint32_t i = 0; i < runs->count; i++)
        sizes[runs->label[i]] += (uint32_t)runs->run[i].last - runs->run[i].first + 1;
}

#include "methods/atlas/build/cover.h"

#include "base/sort.h"

#include <stdatomic.h>
#include <string.h>

#define NOBODY UINT32_MAX
enum { NO_PART = UINT16_MAX };
enum { TRIES = 64 };       /* representatives that a cell is tried with, nearest first */
enum { ROWS = 64 };        /* of sectors between two looks whether to go on */
enum { REMEMBERED = 256 }; /* pairs that were met last, of a worker; a power of two */

void wend_atlas_run(const wend_atlas_crew *crew, uint32_t count,
                    void (*task)(void *argument, uint32_t index, uint32_t worker), void *argument) {
    if (crew->tasks)
        wend_tasks_run(crew->tasks, count, task, argument);
    else
        for (uint32_t i = 0; i < count; i++) task(argument, i, 0);
}

bool wend_atlas_goes_on(const wend_atlas_crew *crew, const char *stage, uint64_t done, uint64_t total) {
    return !crew->builder || wend_builder_goes_on(crew->builder, stage, done, total);
}

/* What a worker needs for one sector. Places in it are numbered row by row. */
typedef struct sector_parts {
    uint16_t *part;     /* of each place: which part of the cells that nobody owns */
    uint16_t *places;   /* of the part that is being flooded */
    wend_cell *middles; /* of each part: its representative, or WEND_NO_CELL */
    uint32_t *reps;     /* the same by number */
    uint32_t *clear;    /* how far all is open around that */
    uint32_t parts;
} sector_parts;

/* A representative to try, for a cell. */
typedef struct trial {
    uint64_t distance;
    uint32_t rep;
} trial;

typedef struct covering {
    wend_atlas_cover *cover;
    const wend_atlas_crew *crew;
    uint32_t *owner;       /* of each cell */
    uint32_t *first;       /* the representatives of the last round by sector; one more closes them */
    uint32_t *counts;      /* by sector: those that this round finds */
    uint8_t *left;         /* by sector: some cell has no owner yet */
    wend_buffer *rows;     /* by row of sectors: the cells that this round finds; later, pairs */
    sector_parts *patches; /* of each worker */
    uint64_t (*met)[REMEMBERED];
    uint32_t round, row; /* the first row of the batch under way */
    atomic_bool starved; /* of memory */
} covering;

/* Parts -------------------------------------------------------------------------------------------------- */

typedef struct sector_area {
    uint32_t x, y, width, height; /* at the map's end it may be smaller than others */
    uint32_t side;                /* of a whole sector: places are numbered as if it were one */
} sector_area;

static sector_area area_of(const wend_atlas_cover *cover, uint32_t sector) {
    const wend_atlas_grid *grid = &cover->grid;
    uint32_t width = (uint32_t)cover->map->width, height = (uint32_t)cover->map->height;
    sector_area area = {sector % grid->columns * grid->side, sector / grid->columns * grid->side, 0, 0,
                        grid->side};
    area.width = width - area.x < grid->side ? width - area.x : grid->side;
    area.height = height - area.y < grid->side ? height - area.y : grid->side;
    return area;
}

/* Of the places of a part, the one nearest to their centroid; the first of several. */
static wend_cell middle_of(const wend_map *map, sector_area area, const uint16_t *places, uint32_t count) {
    uint64_t sum_x = 0, sum_y = 0, least = UINT64_MAX;
    for (uint32_t i = 0; i < count; i++) sum_x += places[i] % area.side, sum_y += places[i] / area.side;
    uint32_t x = (uint32_t)(sum_x / count), y = (uint32_t)(sum_y / count);
    uint32_t best = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t far =
            wend_octile(map, wend_apart(places[i] % area.side, x), wend_apart(places[i] / area.side, y));
        if (far < least || (far == least && places[i] < best)) least = far, best = places[i];
    }
    return (area.y + best / area.side) * (uint32_t)map->width + area.x + best % area.side;
}

/* Marks the places that are connected with one, within the sector and over cells that nobody owns. */
static uint32_t flood(const covering *c, sector_area area, sector_parts *patch, uint16_t from,
                      uint16_t part) {
    const wend_map *map = c->cover->map;
    uint32_t count = 0;
    patch->places[count++] = from;
    patch->part[from] = part;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t x = patch->places[i] % area.side, y = patch->places[i] / area.side;
        wend_cell cell = (area.y + y) * (uint32_t)map->width + area.x + x;
        for (uint32_t moves = wend_legal_moves(map, area.x + x, area.y + y); moves; moves &= moves - 1) {
            uint32_t d = wend_lowest_bit(moves);
            uint32_t next_x = x + (uint32_t)wend_dx[d], next_y = y + (uint32_t)wend_dy[d];
            if (next_x >= area.width || next_y >= area.height) continue;
            uint32_t place = next_y * area.side + next_x;
            if (patch->part[place] != NO_PART || c->owner[cell + (uint32_t)map->offset[d]] != NOBODY)
                continue;
            patch->part[place] = part;
            patch->places[count++] = (uint16_t)place;
        }
    }
    return count;
}

/* The parts of what nobody owns in a sector, in order of their first places. In the first round those with
 * too few cells have no middle. */
static void find_parts(const covering *c, sector_area area, sector_parts *patch, bool all) {
    const wend_map *map = c->cover->map;
    uint32_t least = all ? 0 : c->cover->grid.side * c->cover->grid.side / 16;
    memset(patch->part, 0xff, area.side * area.side * sizeof *patch->part);
    patch->parts = 0;
    for (uint32_t y = 0; y < area.height; y++)
        for (uint32_t x = 0; x < area.width; x++) {
            uint32_t place = y * area.side + x;
            if (patch->part[place] != NO_PART || !wend_bit(map, area.x + x, area.y + y)) continue;
            if (c->owner[(area.y + y) * (uint32_t)map->width + area.x + x] != NOBODY) continue;
            uint32_t count = flood(c, area, patch, (uint16_t)place, (uint16_t)patch->parts);
            patch->middles[patch->parts++] =
                !count || count < least ? WEND_NO_CELL : middle_of(map, area, patch->places, count);
        }
}

/* Covering ----------------------------------------------------------------------------------------------- */

/* How far from a cell everything is open: there, all climbs succeed. */
static uint32_t clear_around(const wend_map *map, wend_cell cell, uint32_t most) {
    wend_xy at = wend_map_xy(map, cell);
    uint32_t radius = 0;
    for (; radius < most; radius++) {
        int32_t r = (int32_t)radius + 1;
        if (at.x < r || at.y < r || at.x + r >= map->width || at.y + r >= map->height) break;
        bool open = true;
        for (int32_t i = -r; i <= r && open; i++)
            open = wend_bit(map, (uint32_t)(at.x + i), (uint32_t)(at.y - r)) &&
                   wend_bit(map, (uint32_t)(at.x + i), (uint32_t)(at.y + r)) &&
                   wend_bit(map, (uint32_t)(at.x - r), (uint32_t)(at.y + i)) &&
                   wend_bit(map, (uint32_t)(at.x + r), (uint32_t)(at.y + i));
        if (!open) break;
    }
    return radius;
}

/* The representatives of the last round in the 3 x 3 sectors around one, that cover a cell: the nearest of
 * them, among the TRIES nearest. NOBODY: none. */
static uint32_t nearest_cover(const covering *c, uint32_t sector, wend_cell cell) {
    const wend_atlas_cover *cover = c->cover;
    const wend_map *map = cover->map;
    trial trials[TRIES];
    uint32_t count = 0;
    wend_atlas_block block = wend_atlas_around(&cover->grid, sector);
    for (uint32_t row = block.top; row <= block.bottom; row++) {
        uint32_t line = row * cover->grid.columns;
        for (uint32_t rep = c->first[line + block.left]; rep < c->first[line + block.right + 1]; rep++) {
            uint64_t distance = wend_map_distance(map, cell, cover->reps[rep]);
            uint32_t at = count < TRIES ? count++ : TRIES;
            if (at == TRIES && distance >= trials[TRIES - 1].distance) continue;
            if (at == TRIES) at--;
            for (; at && trials[at - 1].distance > distance; at--) trials[at] = trials[at - 1];
            trials[at] = (trial){distance, rep};
        }
    }
    for (uint32_t i = 0; i < count; i++)
        if (wend_atlas_covers(map, &cover->grid, cover->reps[trials[i].rep], cell)) return trials[i].rep;
    return NOBODY;
}

/* Which representatives the parts of a sector were given in the last round. */
static void recall_parts(const covering *c, uint32_t sector, sector_parts *patch) {
    const wend_atlas_cover *cover = c->cover;
    uint32_t next = c->first[sector];
    for (uint32_t i = 0; i < patch->parts; i++) {
        patch->reps[i] = NOBODY;
        if (patch->middles[i] == WEND_NO_CELL) continue;
        patch->clear[i] = clear_around(cover->map, patch->middles[i], cover->grid.side);
        patch->reps[i] = next++;
    }
}

static bool covers(const covering *c, const sector_parts *patch, uint32_t part, wend_cell cell) {
    const wend_map *map = c->cover->map;
    if (patch->reps[part] == NOBODY) return false;
    wend_xy middle = wend_map_xy(map, patch->middles[part]), at = wend_map_xy(map, cell);
    if (wend_apart((uint32_t)at.x, (uint32_t)middle.x) <= patch->clear[part] &&
        wend_apart((uint32_t)at.y, (uint32_t)middle.y) <= patch->clear[part])
        return true;
    return wend_atlas_covers(map, &c->cover->grid, patch->middles[part], cell);
}

/* Finds owners for the cells of a sector that have none; true if some are left without. */
static bool cover_sector(covering *c, uint32_t sector, sector_area area, sector_parts *patch) {
    bool left = false;
    recall_parts(c, sector, patch);
    for (uint32_t y = 0; y < area.height; y++)
        for (uint32_t x = 0; x < area.width; x++) {
            uint32_t place = y * area.side + x;
            uint32_t part = patch->part[place];
            if (part == NO_PART) continue;
            wend_cell cell = (area.y + y) * (uint32_t)c->cover->map->width + area.x + x;
            bool own = covers(c, patch, part, cell);
            c->owner[cell] = own ? patch->reps[part] : nearest_cover(c, sector, cell);
            left |= c->owner[cell] == NOBODY;
        }
    return left;
}

static void do_row(void *argument, uint32_t index, uint32_t worker) {
    covering *c = argument;
    const wend_atlas_grid *grid = &c->cover->grid;
    sector_parts *patch = &c->patches[worker];
    uint32_t row = c->row + index;
    for (uint32_t column = 0; column < grid->columns; column++) {
        uint32_t sector = row * grid->columns + column;
        c->counts[sector] = 0;
        if (!c->left[sector]) continue;
        sector_area area = area_of(c->cover, sector);
        if (c->round) {
            find_parts(c, area, patch, c->round > 1);
            c->left[sector] = cover_sector(c, sector, area, patch);
            if (!c->left[sector]) continue;
        }
        find_parts(c, area, patch, c->round > 0);
        for (uint32_t i = 0; i < patch->parts; i++) {
            if (patch->middles[i] == WEND_NO_CELL) continue;
            c->counts[sector]++;
            if (!wend_buffer_add(&c->rows[row], &patch->middles[i], sizeof *patch->middles))
                atomic_store(&c->starved, true);
        }
    }
}

/* The number of rounds is not known beforehand: only the first two report progress by rows. */
static bool goes_on(const covering *c, const char *stage) {
    uint32_t rows = c->cover->grid.rows;
    if (stage) return wend_atlas_goes_on(c->crew, stage, c->row, rows);
    if (c->round > 1) return wend_atlas_goes_on(c->crew, "gaps", 0, 1);
    return wend_atlas_goes_on(c->crew, "covering", (uint64_t)c->round * rows + c->row, 2 * (uint64_t)rows);
}

static wend_status all_rows(covering *c, void (*task)(void *argument, uint32_t index, uint32_t worker),
                            const char *stage) {
    const wend_atlas_grid *grid = &c->cover->grid;
    for (c->row = 0; c->row < grid->rows; c->row += ROWS) {
        if (!goes_on(c, stage)) return WEND_STATUS_INTERRUPTED;
        uint32_t left = grid->rows - c->row;
        wend_atlas_run(c->crew, left < ROWS ? left : ROWS, task, c);
        if (atomic_load(&c->starved)) return WEND_STATUS_NO_MEMORY;
    }
    return WEND_OK;
}

/* Takes over the representatives that a round has found. */
static wend_status take_round(covering *c, uint32_t *found) {
    wend_atlas_cover *cover = c->cover;
    const wend_atlas_grid *grid = &cover->grid;
    uint32_t count = cover->count, sectors = grid->columns * grid->rows;
    for (uint32_t i = 0; i < sectors; i++) {
        c->first[i] = count;
        count += c->counts[i];
    }
    c->first[sectors] = count;
    if (count > cover->capacity) {
        uint32_t capacity = count > UINT32_MAX / 2 ? UINT32_MAX : count + count / 2;
        wend_cell *larger =
            wend_enlarge(&cover->allocator, cover->reps, cover->capacity, capacity, sizeof *larger);
        if (!larger) return WEND_STATUS_NO_MEMORY;
        cover->reps = larger, cover->capacity = capacity;
    }
    *found = count - cover->count;
    for (uint32_t i = 0; i < grid->rows; i++) {
        if (c->rows[i].size) memcpy(cover->reps + cover->count, c->rows[i].data, c->rows[i].size);
        cover->count += (uint32_t)(c->rows[i].size / sizeof *cover->reps);
        c->rows[i].size = 0;
    }
    return WEND_OK;
}

/* Neighbours --------------------------------------------------------------------------------------------- */

static void add_pair(covering *c, uint64_t *met, uint32_t row, uint32_t a, uint32_t b) {
    uint64_t pair = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
    uint64_t *slot = &met[(a * 31u + b * 17u + (a ^ b)) & (REMEMBERED - 1)];
    if (*slot == pair) return;
    *slot = pair;
    if (!wend_buffer_add(&c->rows[row], &pair, sizeof pair)) atomic_store(&c->starved, true);
}

static void pair_row(void *argument, uint32_t index, uint32_t worker) {
    covering *c = argument;
    const wend_map *map = c->cover->map;
    uint32_t row = c->row + index, side = c->cover->grid.side, width = (uint32_t)map->width;
    uint32_t end = (row + 1) * side < (uint32_t)map->height ? (row + 1) * side : (uint32_t)map->height;
    memset(c->met[worker], 0, sizeof c->met[worker]); /* no pair is 0 */
    for (uint32_t y = row * side; y < end; y++) {
        wend_cell cell = y * width;
        for (uint32_t x = 0; x < width; x++, cell++) {
            if (c->owner[cell] == NOBODY) continue;
            /* East, south-east, south and south-west: the others are met from the other side. */
            for (uint32_t moves = wend_legal_moves(map, x, y) & 0x3cu; moves; moves &= moves - 1) {
                uint32_t other = c->owner[cell + (uint32_t)map->offset[wend_lowest_bit(moves)]];
                if (other != c->owner[cell]) add_pair(c, c->met[worker], row, c->owner[cell], other);
            }
        }
    }
}

static int by_value(const void *a, const void *b) {
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static wend_status take_pairs(covering *c) {
    wend_atlas_cover *cover = c->cover;
    size_t count = 0, kept = 0;
    for (uint32_t i = 0; i < cover->grid.rows; i++) count += c->rows[i].size / sizeof *cover->pairs;
    uint64_t *pairs = wend_allocate(&cover->allocator, count + 1, sizeof *pairs);
    if (!pairs) return WEND_STATUS_NO_MEMORY;
    for (uint32_t i = 0; i < cover->grid.rows; i++) {
        if (c->rows[i].size) memcpy(pairs + kept, c->rows[i].data, c->rows[i].size);
        kept += c->rows[i].size / sizeof *pairs;
        wend_buffer_release(&c->rows[i]);
    }
    wend_sort(pairs, count, sizeof *pairs, by_value);
    kept = 0;
    for (size_t i = 0; i < count; i++)
        if (!i || pairs[i] != pairs[i - 1]) pairs[kept++] = pairs[i];
    cover->pairs = wend_allocate(&cover->allocator, kept + 1, sizeof *pairs);
    if (cover->pairs) memcpy(cover->pairs, pairs, kept * sizeof *pairs);
    cover->pair_count = kept;
    wend_release(&cover->allocator, pairs, count + 1, sizeof *pairs);
    return cover->pairs ? WEND_OK : WEND_STATUS_NO_MEMORY;
}

/* The whole ---------------------------------------------------------------------------------------------- */

static wend_status reserve(covering *c) {
    const wend_atlas_cover *cover = c->cover;
    const wend_allocator *allocator = &cover->allocator;
    uint32_t sectors = cover->grid.columns * cover->grid.rows, workers = c->crew->workers;
    size_t places = (size_t)cover->grid.side * cover->grid.side;
    c->owner = wend_allocate(allocator, cover->map->cells, sizeof *c->owner);
    c->first = wend_allocate_zeroed(allocator, (size_t)sectors + 1, sizeof *c->first);
    c->counts = wend_allocate_zeroed(allocator, sectors, sizeof *c->counts);
    c->left = wend_allocate(allocator, sectors, sizeof *c->left);
    c->rows = wend_allocate_zeroed(allocator, cover->grid.rows, sizeof *c->rows);
    c->met = wend_allocate(allocator, workers, sizeof *c->met);
    c->patches = wend_allocate_zeroed(allocator, workers, sizeof *c->patches);
    if (!c->owner || !c->first || !c->counts || !c->left || !c->rows || !c->met || !c->patches)
        return WEND_STATUS_NO_MEMORY;
    memset(c->owner, 0xff, cover->map->cells * sizeof *c->owner);
    memset(c->left, 1, sectors);
    for (uint32_t i = 0; i < cover->grid.rows; i++) c->rows[i].allocator = allocator;
    for (uint32_t i = 0; i < workers; i++) {
        sector_parts *patch = &c->patches[i];
        patch->part = wend_allocate(allocator, places, sizeof *patch->part);
        patch->places = wend_allocate(allocator, places, sizeof *patch->places);
        patch->middles = wend_allocate(allocator, places, sizeof *patch->middles);
        patch->reps = wend_allocate(allocator, places, sizeof *patch->reps);
        patch->clear = wend_allocate(allocator, places, sizeof *patch->clear);
        if (!patch->part || !patch->places || !patch->middles || !patch->reps || !patch->clear)
            return WEND_STATUS_NO_MEMORY;
    }
    return WEND_OK;
}

static void release(covering *c) {
    const wend_atlas_cover *cover = c->cover;
    const wend_allocator *allocator = &cover->allocator;
    uint32_t sectors = cover->grid.columns * cover->grid.rows, workers = c->crew->workers;
    size_t places = (size_t)cover->grid.side * cover->grid.side;
    for (uint32_t i = 0; c->patches && i < workers; i++) {
        wend_release(allocator, c->patches[i].part, places, sizeof *c->patches->part);
        wend_release(allocator, c->patches[i].places, places, sizeof *c->patches->places);
        wend_release(allocator, c->patches[i].middles, places, sizeof *c->patches->middles);
        wend_release(allocator, c->patches[i].reps, places, sizeof *c->patches->reps);
        wend_release(allocator, c->patches[i].clear, places, sizeof *c->patches->clear);
    }
    for (uint32_t i = 0; c->rows && i < cover->grid.rows; i++) wend_buffer_release(&c->rows[i]);
    wend_release(allocator, c->patches, workers, sizeof *c->patches);
    wend_release(allocator, c->met, workers, sizeof *c->met);
    wend_release(allocator, c->rows, cover->grid.rows, sizeof *c->rows);
    wend_release(allocator, c->left, sectors, sizeof *c->left);
    wend_release(allocator, c->counts, sectors, sizeof *c->counts);
    wend_release(allocator, c->first, (size_t)sectors + 1, sizeof *c->first);
    wend_release(allocator, c->owner, cover->map->cells, sizeof *c->owner);
}

static wend_status work(covering *c) {
    wend_status status = reserve(c);
    uint32_t found = 1;
    /* Every round gives each part of what is left a cell that covers itself, if nothing else: so there is an
     * end. Only the first round, which passes over small parts, may find nothing and have to go on. */
    for (c->round = 0; status == WEND_OK && (c->round < 2 || found); c->round++) {
        status = all_rows(c, do_row, NULL);
        if (status == WEND_OK) status = take_round(c, &found);
    }
    if (status == WEND_OK) status = all_rows(c, pair_row, "neighbours");
    return status == WEND_OK ? take_pairs(c) : status;
}

wend_status wend_atlas_cover_make(wend_atlas_cover *cover, const wend_map *map, uint32_t side,
                                  const wend_atlas_crew *crew, const wend_allocator *allocator,
                                  wend_error *error) {
    *cover = (wend_atlas_cover){.map = map, .allocator = *allocator, .grid = wend_atlas_grid_of(map, side)};
    covering c = {.cover = cover, .crew = crew};
    atomic_init(&c.starved, false);
    wend_status status = work(&c);
    release(&c);
    if (status == WEND_STATUS_INTERRUPTED)
        return wend_fail(error, status, "interrupted while representatives were chosen");
    if (status != WEND_OK) return wend_fail(error, status, "no memory to choose representatives");
    return WEND_OK;
}

void wend_atlas_cover_release(wend_atlas_cover *cover) {
    wend_release(&cover->allocator, cover->reps, cover->capacity, sizeof *cover->reps);
    if (cover->pairs)
        wend_release(&cover->allocator, cover->pairs, cover->pair_count + 1, sizeof *cover->pairs);
    cover->reps = NULL, cover->pairs = NULL;
}

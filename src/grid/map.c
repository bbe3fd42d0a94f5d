#include "grid/map.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/status.h"
#include "grid/text.h"

#include <string.h>

const int32_t wend_dx[WEND_DIRECTIONS] = {0, 1, 1, 1, 0, -1, -1, -1};
const int32_t wend_dy[WEND_DIRECTIONS] = {-1, -1, 0, 1, 1, 1, 0, -1};

int32_t wend_direction_dx(wend_direction direction) {
    return direction < WEND_DIRECTIONS ? wend_dx[direction] : 0;
}

int32_t wend_direction_dy(wend_direction direction) {
    return direction < WEND_DIRECTIONS ? wend_dy[direction] : 0;
}

/* The bit of each direction's neighbour among the nine of wend_map_around. */
static const uint8_t around_bit[WEND_DIRECTIONS] = {1, 2, 5, 8, 7, 6, 3, 0};

/* Letters that the MovingAI format knows; which of them are open is the terrain setting. */
static const char format_letters[] = ".GS@OTW";

wend_rules wend_default_rules(void) {
    return (wend_rules){.connect = 8, .corners = WEND_CORNERS_STRICT, .diagonal = WEND_DIAGONAL_SQRT2};
}

void wend_map_options_init(wend_map_options *options, size_t size) {
    const wend_map_options own = {.rules = wend_default_rules(), .terrain = ".GS", .blocked = "#"};
    wend_options_init(options, size, &own, sizeof own);
}

wend_status wend_map_take_options(const wend_map_options *options, wend_map_options *own, wend_error *error) {
    *own = wend_default_map_options();
    wend_status status = wend_options_take(own, sizeof *own, options, "map", error);
    if (status != WEND_OK) return status;
    options = own;
    const wend_rules *rules = &options->rules;
    if (rules->connect != 4 && rules->connect != 8)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "connect must be 4 or 8, not %d",
                         (int)rules->connect);
    if ((int)rules->corners < WEND_CORNERS_ANY || (int)rules->corners > WEND_CORNERS_STRICT)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "unknown corner rule %d", (int)rules->corners);
    if (rules->diagonal != WEND_DIAGONAL_SQRT2 && rules->diagonal != WEND_DIAGONAL_1_4)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "unknown diagonal cost %d", (int)rules->diagonal);
    if (!options->terrain || !options->terrain[0])
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "terrain names no open letter");
    for (const char *p = options->terrain; *p; p++)
        if (*p <= ' ' || *p > '~')
            return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "terrain may hold visible ASCII letters only");
    if (!options->blocked) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "blocked is NULL");
    for (const char *p = options->blocked; *p; p++)
        if (*p < ' ' || *p > '~')
            return wend_fail(error, WEND_STATUS_BAD_ARGUMENT,
                             "blocked may hold visible ASCII letters and the space only");
    return WEND_OK;
}

static uint32_t cost_under(wend_rules rules, uint32_t direction) {
    bool fifths = rules.diagonal == WEND_DIAGONAL_1_4;
    return wend_is_diagonal(direction) ? (fifths ? 7 : 8119) : (fifths ? 5 : 5741);
}

/* Fills the table of legal moves: the rules as data. */
static void set_rules(wend_map *map, wend_rules rules) {
    map->rules = rules;
    for (uint32_t d = 0; d < WEND_DIRECTIONS; d++) map->cost[d] = cost_under(rules, d);
    for (uint32_t around = 0; around < 512; around++) {
        map->legal[around] = 0;
        if (!(around >> 4 & 1)) continue;
        for (uint32_t d = 0; d < WEND_DIRECTIONS; d++) {
            if (!(around >> around_bit[d] & 1)) continue;
            if (wend_is_diagonal(d)) {
                uint32_t beside =
                    (around >> around_bit[(d + 7) & 7] & 1) + (around >> around_bit[(d + 1) & 7] & 1);
                if (rules.connect == 4 || beside < (uint32_t)rules.corners) continue;
            }
            map->legal[around] |= (wend_directions)(1u << d);
        }
    }
}

static void set_terrain(wend_map *map, const char *terrain, const char *blocked) {
    for (const char *p = format_letters; *p; p++) map->known_letter[(uint8_t)*p] = true;
    for (const char *p = blocked; *p; p++)
        if (*p != ' ') map->known_letter[(uint8_t)*p] = true; /* a space is a plain level's: format_map.c */
    for (const char *p = terrain; *p; p++)
        map->known_letter[(uint8_t)*p] = map->open_letter[(uint8_t)*p] = true;
}

static wend_status check_size(int64_t width, int64_t height, wend_error *error) {
    if (width < 1 || height < 1)
        return wend_fail(error, WEND_STATUS_HEADER_VALUE, "a map of %lld x %lld cells", (long long)width,
                         (long long)height);
    if (width > WEND_MAX_SIDE || height > WEND_MAX_SIDE)
        return wend_fail(error, WEND_STATUS_TOO_LARGE,
                         "a map of %lld x %lld cells: at most %d along each side", (long long)width,
                         (long long)height, WEND_MAX_SIDE);
    return WEND_OK;
}

static wend_map *allocate_map(const wend_allocator *allocator, int32_t width, int32_t height, bool letters) {
    wend_map *map = wend_allocate_zeroed(allocator, 1, sizeof *map);
    if (!map) return NULL;
    map->allocator = *allocator;
    map->width = width, map->height = height;
    map->cells = (uint32_t)width * (uint32_t)height;
    map->row_of_cell = ((uint64_t)1 << WEND_ROW_SHIFT) / (uint32_t)width + 1;
    map->row_bytes = ((size_t)width + 2 + 63) / 64 * 8;
    map->bits_bytes = map->row_bytes * ((size_t)height + 2) + 8;
    map->bits = wend_allocate_zeroed(allocator, map->bits_bytes, 1);
    if (map->bits && letters) map->letters = wend_allocate(allocator, map->cells, 1);
    if (!map->bits || (letters && !map->letters)) {
        wend_map_destroy(map);
        return NULL;
    }
    for (uint32_t d = 0; d < WEND_DIRECTIONS; d++) map->offset[d] = wend_dy[d] * width + wend_dx[d];
    return map;
}

/* All cells of a new map are blocked, and their letters say so under its terrain. */
static void name_blocked(wend_map *map) {
    if (map->letters) memset(map->letters, wend_map_usual_letter(map, false), map->cells);
}

wend_status wend_map_create(int64_t width, int64_t height, const wend_map_options *options, wend_map **map,
                            wend_error *error) {
    if (!map) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "nowhere to put the map");
    *map = NULL;
    wend_map_options own;
    wend_status status = wend_map_take_options(options, &own, error);
    options = &own;
    if (status == WEND_OK) status = check_size(width, height, error);
    if (status != WEND_OK) return status;
    wend_allocator allocator = wend_allocator_or_default(&options->allocator);
    wend_map *made = allocate_map(&allocator, (int32_t)width, (int32_t)height, options->keep_letters);
    if (!made) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for the map");
    set_rules(made, options->rules);
    set_terrain(made, options->terrain, options->blocked);
    name_blocked(made);
    *map = made;
    return WEND_OK;
}

static wend_map *map_like(const wend_map *like, const wend_allocator *allocator, int32_t width,
                          int32_t height, bool keep_letters) {
    wend_map *made = allocate_map(allocator, width, height, keep_letters);
    if (!made) return NULL;
    set_rules(made, like->rules);
    memcpy(made->open_letter, like->open_letter, sizeof made->open_letter);
    memcpy(made->known_letter, like->known_letter, sizeof made->known_letter);
    name_blocked(made);
    return made;
}

wend_status wend_map_create_like(const wend_map *like, int64_t width, int64_t height, bool keep_letters,
                                 wend_map **map, wend_error *error) {
    *map = NULL;
    wend_status status = check_size(width, height, error);
    if (status != WEND_OK) return status;
    *map = map_like(like, &like->allocator, (int32_t)width, (int32_t)height, keep_letters);
    return *map ? WEND_OK : wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for the map");
}

wend_status wend_map_create_within(const wend_map *like, const wend_allocator *allocator, wend_map **map) {
    *map = map_like(like, allocator, like->width, like->height, false);
    return *map ? WEND_OK : WEND_STATUS_NO_MEMORY;
}

void wend_map_take_cells(wend_map *map, const wend_map *from) {
    memcpy(map->bits, from->bits, map->bits_bytes);
    map->open_cells = from->open_cells;
}

wend_status wend_map_copy(const wend_map *map, wend_map **copy, wend_error *error) {
    if (!map || !copy) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no map to copy");
    wend_status status =
        wend_map_create_like(map, map->width, map->height, map->letters != NULL, copy, error);
    if (status != WEND_OK) return status;
    wend_map_take_cells(*copy, map);
    if (map->letters) memcpy((*copy)->letters, map->letters, map->cells);
    return WEND_OK;
}

void wend_map_destroy(wend_map *map) {
    if (!map) return;
    wend_allocator allocator = map->allocator;
    wend_release(&allocator, map->strip_changed, wend_map_record_bytes(map), 1);
    wend_release(&allocator, map->letters, map->cells, 1);
    wend_release(&allocator, map->bits, map->bits_bytes, 1);
    wend_release(&allocator, map, 1, sizeof *map);
}

int32_t wend_map_width(const wend_map *map) {
    return map->width;
}

int32_t wend_map_height(const wend_map *map) {
    return map->height;
}

uint32_t wend_map_cells(const wend_map *map) {
    return map->cells;
}

uint32_t wend_map_open_cells(const wend_map *map) {
    return map->open_cells;
}

wend_rules wend_map_rules(const wend_map *map) {
    return map->rules;
}

size_t wend_map_bytes(const wend_map *map) {
    return sizeof *map + map->bits_bytes + (map->letters ? map->cells : 0) + wend_map_record_bytes(map);
}

wend_cell wend_map_cell(const wend_map *map, int32_t x, int32_t y) {
    if (x < 0 || y < 0 || x >= map->width || y >= map->height) return WEND_NO_CELL;
    return (wend_cell)y * (wend_cell)map->width + (wend_cell)x;
}

wend_xy wend_map_xy(const wend_map *map, wend_cell cell) {
    uint32_t y = wend_cell_y(map, cell);
    return (wend_xy){(int32_t)wend_cell_x(map, cell, y), (int32_t)y};
}

bool wend_map_is_open(const wend_map *map, int32_t x, int32_t y) {
    return x >= 0 && y >= 0 && x < map->width && y < map->height && wend_bit(map, (uint32_t)x, (uint32_t)y);
}

bool wend_map_is_open_cell(const wend_map *map, wend_cell cell) {
    if (cell >= map->cells) return false;
    uint32_t y = wend_cell_y(map, cell);
    return wend_bit(map, wend_cell_x(map, cell, y), y);
}

wend_status wend_map_check_open(const wend_map *map, wend_cell cell, const char *what, wend_error *error) {
    if (cell >= map->cells) return wend_fail(error, WEND_STATUS_OUTSIDE, "the %s is not on the map", what);
    if (wend_map_is_open_cell(map, cell)) return WEND_OK;
    wend_xy at = wend_map_xy(map, cell);
    return wend_fail(error, WEND_STATUS_BLOCKED, "the %s %d,%d is not open", what, (int)at.x, (int)at.y);
}

char wend_map_letter(const wend_map *map, int32_t x, int32_t y) {
    wend_cell cell = wend_map_cell(map, x, y);
    if (cell == WEND_NO_CELL) return '@';
    if (map->letters) return map->letters[cell];
    return wend_bit(map, (uint32_t)x, (uint32_t)y) ? '.' : '@';
}

/* Both loops take eight letters at a time without a branch: a map's loading time is mostly theirs. */
static bool are_known(const bool *known, const uint8_t *letters, uint32_t count) {
    uint32_t unknown = 0, i = 0;
    for (; i + 8 <= count; i += 8) {
        const uint8_t *p = letters + i;
        unknown |= !(known[p[0]] & known[p[1]] & known[p[2]] & known[p[3]] & known[p[4]] & known[p[5]] &
                     known[p[6]] & known[p[7]]);
    }
    for (; i < count; i++) unknown |= !known[letters[i]];
    return !unknown;
}

/* The letters as bits, the first one lowest; at most 64. */
static uint64_t pack_letters(const bool *open, const uint8_t *letters, uint32_t count) {
    uint64_t word = 0;
    uint32_t i = 0;
    for (; i + 8 <= count; i += 8) {
        const uint8_t *p = letters + i;
        uint32_t byte = (uint32_t)open[p[0]] | (uint32_t)open[p[1]] << 1 | (uint32_t)open[p[2]] << 2 |
                        (uint32_t)open[p[3]] << 3 | (uint32_t)open[p[4]] << 4 | (uint32_t)open[p[5]] << 5 |
                        (uint32_t)open[p[6]] << 6 | (uint32_t)open[p[7]] << 7;
        word |= (uint64_t)byte << i;
    }
    for (; i < count; i++) word |= (uint64_t)open[letters[i]] << i;
    return word;
}

wend_status wend_map_set_row(wend_map *map, int32_t y, const char *letters, wend_error *error) {
    if (!map || !letters || y < 0 || y >= map->height)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no row %d in this map", (int)y);
    uint32_t width = (uint32_t)map->width;
    const uint8_t *codes = (const uint8_t *)letters;
    if (!are_known(map->known_letter, codes, width)) {
        uint32_t x = 0;
        while (map->known_letter[codes[x]]) x++;
        char shown[WEND_SHOWN_SIZE];
        return wend_fail_at(error, WEND_STATUS_UNKNOWN_LETTER, 0, (uint64_t)x + 1, x,
                            "unknown terrain letter '%s'", wend_text_show(letters + x, 1, shown));
    }
    uint8_t *row = map->bits + ((size_t)y + 1) * map->row_bytes;
    uint32_t before = 0, after = 0;
    /* A word of the row at a time; the border's bits at 0 and width + 1 stay clear. */
    for (uint32_t base = 0; base < width + 1; base += 64) {
        uint32_t first = base ? base - 1 : 0, shift = base ? 0 : 1;
        uint32_t count = 64 - shift < width - first ? 64 - shift : width - first;
        uint64_t word = pack_letters(map->open_letter, codes + first, count) << shift;
        before += wend_count_bits(wend_load64(row + base / 8));
        after += wend_count_bits(word);
        wend_store64(row + base / 8, word);
    }
    map->open_cells += after - before;
    if (map->letters) memcpy(map->letters + (size_t)y * width, letters, width);
    return WEND_OK;
}

wend_directions wend_map_moves(const wend_map *map, wend_cell cell) {
    if (cell >= map->cells) return 0;
    uint32_t y = wend_cell_y(map, cell);
    return wend_legal_moves(map, wend_cell_x(map, cell, y), y);
}

wend_cell wend_map_next(const wend_map *map, wend_cell cell, wend_direction direction) {
    if (direction >= WEND_DIRECTIONS || !(wend_map_moves(map, cell) >> direction & 1)) return WEND_NO_CELL;
    return cell + (wend_cell)map->offset[direction];
}

wend_cost wend_map_move_cost(const wend_map *map, wend_direction direction) {
    return direction < WEND_DIRECTIONS ? map->cost[direction] : WEND_NO_COST;
}

wend_cost wend_map_distance(const wend_map *map, wend_cell from, wend_cell to) {
    wend_xy a = wend_map_xy(map, from), b = wend_map_xy(map, to);
    return wend_octile(map, wend_apart((uint32_t)a.x, (uint32_t)b.x),
                       wend_apart((uint32_t)a.y, (uint32_t)b.y));
}

double wend_map_length(const wend_map *map, uint64_t straight, uint64_t diagonal) {
    double factor = map->rules.diagonal == WEND_DIAGONAL_1_4 ? 1.4 : 1.4142135623730951;
    return (double)straight + (double)diagonal * factor;
}

uint64_t wend_map_cost_bound(const wend_map *map, uint32_t open) {
    uint64_t longest = map->cost[wend_joins_diagonally(map) ? 1 : 0];
    uint64_t across = (uint64_t)(uint32_t)map->width + (uint32_t)map->height;
    return open * longest + (across + 2) * map->cost[1];
}

uint32_t wend_set_bits(uint8_t *row, uint32_t first, uint32_t count, bool open) {
    uint32_t changed = 0;
    for (uint32_t end = first + count; first < end;) {
        uint32_t shift = first & 63, n = 64 - shift < end - first ? 64 - shift : end - first;
        uint64_t mask = (n == 64 ? ~(uint64_t)0 : ((uint64_t)1 << n) - 1) << shift;
        uint8_t *p = row + (first - shift) / 8;
        uint64_t old = wend_load64(p), now = open ? old | mask : old & ~mask;
        changed += wend_count_bits(old ^ now);
        wend_store64(p, now);
        first += n;
    }
    return changed;
}

static char first_letter(const bool *set, bool wanted, const bool *among) {
    for (int c = ' ' + 1; c <= '~'; c++)
        if (set[c] == wanted && among[c]) return (char)c;
    return 0;
}

char wend_map_usual_letter(const wend_map *map, bool open) {
    char usual = '@';
    if (open) usual = '.';
    if (map->open_letter[(uint8_t)usual] == open) return usual;
    char other = first_letter(map->open_letter, open, map->known_letter);
    return other ? other : usual;
}

uint64_t wend_map_fingerprint_under(const wend_map *map, wend_rules rules) {
    WEND_VALIDATE(wend_map_is_sound(map));
    uint8_t head[40];
    const uint64_t words[5] = {(uint32_t)map->width, (uint32_t)map->height,
                               (uint64_t)rules.connect << 8 | (uint64_t)rules.corners, cost_under(rules, 0),
                               cost_under(rules, 1)};
    for (int i = 0; i < 5; i++) wend_store64(head + 8 * (size_t)i, words[i]);
    return wend_hash(wend_hash(0, head, sizeof head), map->bits, map->bits_bytes);
}

uint64_t wend_map_fingerprint(const wend_map *map) {
    return wend_map_fingerprint_under(map, map->rules);
}

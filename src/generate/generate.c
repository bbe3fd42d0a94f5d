#include "generate/generate.h"

#include "base/options.h"
#include "base/status.h"

static wend_status generate_open(const wend_generator *generator, wend_error *error) {
    (void)error;
    wend_fill(generator->map, 0, 0, generator->map->width, generator->map->height, true);
    return WEND_OK;
}

static wend_status generate_random(const wend_generator *generator, wend_error *error) {
    (void)error;
    wend_map *map = generator->map;
    uint32_t width = (uint32_t)map->width, any = 0;
    for (uint32_t y = 0; y < (uint32_t)map->height; y++) {
        uint8_t *row = map->bits + ((size_t)y + 1) * map->row_bytes;
        uint64_t first = (uint64_t)y * width, word = 0;
        for (uint32_t x = 0; x < width; x++) {
            uint64_t random = wend_random_at(generator->seed, WEND_MAP_RANDOM, first + x);
            uint32_t open = wend_random_below(random, 100) >= generator->density, bit = x + 1;
            any |= open;
            word |= (uint64_t)open << (bit & 63);
            if ((bit & 63) == 63) wend_store64(row + bit / 64 * 8, word), word = 0;
        }
        if ((width & 63) != 63) wend_store64(row + width / 64 * 8, word);
    }
    if (!any && generator->density < 100) {
        uint64_t random = wend_random_at(generator->seed, WEND_MAP_RANDOM, map->cells);
        wend_xy at = wend_map_xy(map, wend_random_below(random, map->cells));
        wend_fill(map, at.x, at.y, 1, 1, true);
    }
    return WEND_OK;
}

typedef struct maker {
    const char *name;
    wend_status (*generate)(const wend_generator *generator, wend_error *error);
    uint32_t density, size; /* the defaults */
} maker;

static const maker kinds[WEND_MAP_KINDS] = {
    [WEND_MAP_OPEN] = {"open", generate_open, 0, 1},
    [WEND_MAP_RANDOM] = {"random", generate_random, 25, 1},
    [WEND_MAP_ROOMS] = {"rooms", wend_generate_rooms, 0, 16},
    [WEND_MAP_MAZE] = {"maze", wend_generate_maze, 0, 4},
    [WEND_MAP_CAVES] = {"caves", wend_generate_caves, 50, 24},
    [WEND_MAP_CITY] = {"city", wend_generate_city, 0, 24},
    [WEND_MAP_SHAPES] = {"shapes", wend_generate_shapes, 0, 128},
    [WEND_MAP_JOINED] = {"joined", wend_generate_joined, 0, 256},
};

const char *wend_map_kind_name(wend_map_kind kind) {
    return (int)kind >= 0 && kind < WEND_MAP_KINDS ? kinds[kind].name : "unknown";
}

void wend_generate_options_init(wend_generate_options *options, size_t size) {
    wend_generate_options own = {.seed = 1, .density = -1, .map = wend_default_map_options()};
    wend_options_nest(&own.map.struct_size, size, offsetof(wend_generate_options, map));
    wend_options_init(options, size, &own, sizeof own);
}

void wend_fill(wend_map *map, int32_t x, int32_t y, int32_t width, int32_t height, bool open) {
    int32_t right = x + width < map->width ? x + width : map->width;
    int32_t bottom = y + height < map->height ? y + height : map->height;
    if (x < 0) x = 0;
    if (y < 0) y = 0;
    if (x >= right) return;
    for (; y < bottom; y++)
        wend_set_bits(map->bits + ((size_t)y + 1) * map->row_bytes, (uint32_t)x + 1, (uint32_t)(right - x),
                      open);
}

/* Counts the open cells and names all cells. Generators have marked their trees as 'T' where letters are
 * kept; one that was opened later, or that the terrain holds to be open, is none. */
static void finish(wend_map *map) {
    map->open_cells = 0;
    for (size_t i = 0; i < map->bits_bytes; i += 8)
        map->open_cells += wend_count_bits(wend_load64(map->bits + i));
    if (!map->letters) return;
    char open = wend_map_usual_letter(map, true), blocked = wend_map_usual_letter(map, false);
    char tree = map->open_letter['T'] ? blocked : 'T', *letter = map->letters;
    for (uint32_t y = 0; y < (uint32_t)map->height; y++)
        for (uint32_t x = 0; x < (uint32_t)map->width; x++, letter++)
            *letter = wend_bit(map, x, y) ? open : *letter == 'T' ? tree : blocked;
}

wend_status wend_map_generate(wend_map_kind kind, int64_t width, int64_t height,
                              const wend_generate_options *options, wend_map **map, wend_error *error) {
    if (!map) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "nowhere to put the map");
    *map = NULL;
    if ((int)kind < 0 || kind >= WEND_MAP_KINDS)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "unknown kind of map %d", (int)kind);
    wend_generate_options own = wend_default_generate_options();
    wend_status status = wend_options_take(&own, sizeof own, options, "generate", error);
    if (status != WEND_OK) return status;
    if (own.map.struct_size > sizeof own.map) own.map.struct_size = sizeof own.map;
    options = &own;
    if (options->density > 100)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "a density of %d per cent: at most 100",
                         (int)options->density);
    if (options->size < 0 || options->size > WEND_MAX_SIDE)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "a size of %d cells: 1 to %d, or 0 for the default",
                         (int)options->size, WEND_MAX_SIDE);
    wend_map *made;
    status = wend_map_create(width, height, &options->map, &made, error);
    if (status != WEND_OK) return status;
    wend_generator generator = {
        .map = made,
        .seed = options->seed,
        .density = options->density < 0 ? kinds[kind].density : (uint32_t)options->density,
        .size = options->size ? (uint32_t)options->size : kinds[kind].size,
    };
    status = kinds[kind].generate(&generator, error);
    if (status != WEND_OK) {
        wend_map_destroy(made);
        return status;
    }
    finish(made);
    *map = made;
    return WEND_OK;
}

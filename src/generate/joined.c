/* Joined: many small maps of the other kinds side by side, with walls between them, and corridors from each
 * to its neighbours. There are corners everywhere, of every kind. */
#include "base/status.h"
#include "generate/generate.h"

enum {
    WALL = 3,          /* cells between two of the maps */
    LEAST_SIZE = 6,    /* of a map */
    CORRIDOR_MOST = 3, /* cells across */
    EXTRA_PER_CENT = 55
};

typedef struct joint {
    const wend_generator *generator;
    int32_t columns, rows;
} joint;

typedef struct plot {
    int32_t x, y, width, height;
} plot;

static int32_t least(int32_t a, int32_t b) {
    return a < b ? a : b;
}

/* Where one of the maps lies. They divide the whole as evenly as possible. */
static plot plot_of(const joint *j, int32_t column, int32_t row) {
    int64_t width = j->generator->map->width + WALL, height = j->generator->map->height + WALL;
    int32_t x = (int32_t)(width * column / j->columns), y = (int32_t)(height * row / j->rows);
    return (plot){x, y, (int32_t)(width * (column + 1) / j->columns) - x - WALL,
                  (int32_t)(height * (row + 1) / j->rows) - y - WALL};
}

static wend_random numbers_of(const joint *j, int32_t column, int32_t row, uint32_t what) {
    uint64_t n = (uint64_t)(uint32_t)row << 32 | (uint32_t)column << 1 | what;
    return wend_random_stream(j->generator->seed, wend_mix(WEND_MAP_JOINED) ^ n);
}

typedef wend_status drawing(const wend_generator *generator, wend_error *error);

/* A kind of map that is one component, in any proportions, and how often it is taken, of 10. The last is by
 * how much it is enlarged at most, so that corners are a few cells apart. */
typedef struct detail {
    drawing *generate;
    uint32_t share, size, size_range, density, density_range;
    int32_t enlarged;
} detail;

static const detail details[] = {
    {wend_generate_caves, 4, 12, 24, 44, 10, 4}, {wend_generate_shapes, 2, 24, 40, 0, 1, 1},
    {wend_generate_city, 2, 12, 18, 0, 1, 3},    {wend_generate_rooms, 1, 5, 12, 0, 1, 3},
    {wend_generate_maze, 1, 1, 5, 0, 1, 4},
};

static const detail *draw_detail(wend_random *random) {
    uint32_t at = wend_random_draw(random, 10), i = 0;
    for (; at >= details[i].share; i++) at -= details[i].share;
    return &details[i];
}

/* Opens the cells of an area that are open in a small map, each as a square of `enlarged` x `enlarged`
 * cells. */
static void copy_to(wend_map *map, plot at, const wend_map *one, int32_t enlarged) {
    for (int32_t y = 0; y < one->height; y++)
        for (int32_t x = 0; x < one->width; x++) {
            int32_t first = x;
            while (x < one->width && wend_bit(one, (uint32_t)x, (uint32_t)y)) x++;
            if (x > first)
                wend_fill(map, at.x + first * enlarged, at.y + y * enlarged, (x - first) * enlarged, enlarged,
                          true);
        }
}

/* An enlarged map has at least this many cells along each side. */
enum { LEAST_ENLARGED = 24 };

static wend_status draw_plot(const joint *j, int32_t column, int32_t row, wend_error *error) {
    wend_map *map = j->generator->map, *one;
    plot at = plot_of(j, column, row);
    wend_random random = numbers_of(j, column, row, 0);
    const detail *what = draw_detail(&random);
    int32_t side = least(at.width, at.height), most = least(what->enlarged, side / LEAST_ENLARGED);
    int32_t enlarged = most > 1 ? 2 + (int32_t)wend_random_draw(&random, (uint32_t)most - 1) : 1;
    wend_status status =
        wend_map_create_like(map, at.width / enlarged, at.height / enlarged, false, &one, error);
    if (status != WEND_OK) return status;
    wend_generator generator = {.map = one, .seed = wend_random_next(&random)};
    generator.size = what->size + wend_random_draw(&random, what->size_range);
    generator.density = what->density + wend_random_draw(&random, what->density_range);
    status = what->generate(&generator, error);
    if (status == WEND_OK) copy_to(map, at, one, enlarged);
    wend_map_destroy(one);
    return status;
}

/* Corridors. With `across` a corridor comes from the map to the west, otherwise from the one to the north.
 * Areas and places in them are given by how far they are along and across the corridor's direction. */
static bool is_open(const wend_map *map, bool across, int32_t along, int32_t side) {
    return wend_bit(map, (uint32_t)(across ? along : side), (uint32_t)(across ? side : along));
}

static void open_area(wend_map *map, bool across, int32_t along, int32_t side, int32_t length, int32_t wide) {
    if (across)
        wend_fill(map, along, side, length, wide, true);
    else
        wend_fill(map, side, along, wide, length, true);
}

/* The open cell of a small map that is nearest to the wall, in the first line that has one. Lines are tried
 * from `side` on and around. Steps go from the wall inwards. */
static void find_door(const wend_map *map, plot at, bool across, bool after, int32_t *side, int32_t *along) {
    int32_t first = across ? at.y : at.x, lines = across ? at.height : at.width;
    int32_t begin = across ? at.x : at.y, length = across ? at.width : at.height;
    for (int32_t i = 0; i < lines; i++) {
        int32_t line = first + (*side - first + i) % lines;
        for (int32_t k = 0; k < length; k++) {
            int32_t place = after ? begin + k : begin + length - 1 - k;
            if (!is_open(map, across, place, line)) continue;
            *side = line, *along = place;
            return;
        }
    }
}

static void dig_corridor(const joint *j, plot from, plot to, bool across, wend_random *random) {
    wend_map *map = j->generator->map;
    int32_t low = across ? to.y : to.x;
    int32_t lines = least(across ? from.height : from.width, across ? to.height : to.width);
    int32_t side = low + (int32_t)wend_random_draw(random, (uint32_t)lines), other, begin = 0, end = 0;
    int32_t wide = 1 + (int32_t)wend_random_draw(random, CORRIDOR_MOST);
    find_door(map, from, across, false, &side, &begin);
    other = side;
    find_door(map, to, across, true, &other, &end);
    int32_t wall = (across ? to.x : to.y) - WALL + 1; /* where it turns if it has to */
    open_area(map, across, begin, side, wall - begin + 1, wide);
    open_area(map, across, wall, other, end - wall + 1, wide);
    open_area(map, across, wall, least(side, other), 1, (side < other ? other - side : side - other) + 1);
}

/* As a tree: each map is joined with its western or its northern neighbour, and more often than not with
 * both. */
static void dig_corridors(const joint *j, int32_t column, int32_t row) {
    wend_random random = numbers_of(j, column, row, 1);
    plot here = plot_of(j, column, row);
    bool west = column > 0, north = row > 0;
    if (west && north && wend_random_draw(&random, 100) >= EXTRA_PER_CENT) {
        if (wend_random_draw(&random, 2))
            west = false;
        else
            north = false;
    }
    for (uint32_t i = 0, count = 1 + wend_random_draw(&random, 2); i < count; i++) {
        if (west) dig_corridor(j, plot_of(j, column - 1, row), here, true, &random);
        if (north) dig_corridor(j, plot_of(j, column, row - 1), here, false, &random);
    }
}

wend_status wend_generate_joined(const wend_generator *generator, wend_error *error) {
    const wend_map *map = generator->map;
    int32_t size = generator->size < LEAST_SIZE ? LEAST_SIZE : (int32_t)generator->size;
    joint j = {generator, (map->width + WALL) / (size + WALL), (map->height + WALL) / (size + WALL)};
    if (!j.columns) j.columns = 1;
    if (!j.rows) j.rows = 1;
    wend_status status = WEND_OK;
    for (int32_t row = 0; row < j.rows && status == WEND_OK; row++)
        for (int32_t column = 0; column < j.columns && status == WEND_OK; column++)
            status = draw_plot(&j, column, row, error);
    for (int32_t row = 0; row < j.rows && status == WEND_OK; row++)
        for (int32_t column = 0; column < j.columns; column++) dig_corridors(&j, column, row);
    return status;
}

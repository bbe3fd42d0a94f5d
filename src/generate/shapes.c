/* Shapes: open ground bounded by slanted walls, as on a map that was drawn with vectors and not with tiles.
 * Halls are polygons around the points of a jittered lattice, passages are bars from point to point, and
 * smaller polygons stand in the halls. All of it is drawn with integers, in 256ths of a cell; what is drawn
 * around one point depends on that point's own random numbers only. */
#include "base/status.h"
#include "generate/generate.h"
#include "grid/runs.h"

enum {
    CELL = 256,
    SMALLEST_SIDE = 12, /* a smaller map is one hall */
    SMALLEST_SIZE = 8,
    CORNERS = 12,
    NARROWEST = CELL * 3 / 2 /* half of a passage across: three cells in a row join at their sides */
};

typedef struct point {
    int32_t x, y; /* 256ths of a cell from the map's upper left corner */
} point;

/* The points of the lattice; `across` and `down` apart, in 256ths of a cell. */
typedef struct lattice {
    const wend_generator *generator;
    int32_t columns, rows, across, down;
} lattice;

/* What random numbers are for: each use of a lattice point has numbers of its own. */
typedef enum purpose { JITTER, HALL, PILLARS, LINKS } purpose;

static wend_random numbers_of(const lattice *l, int32_t column, int32_t row, purpose what) {
    uint64_t n = (uint64_t)(uint32_t)row << 32 | (uint32_t)column << 2 | (uint32_t)what;
    return wend_random_stream(l->generator->seed, wend_mix(WEND_MAP_SHAPES) ^ n);
}

/* From `least` to `most`, both included. */
static int32_t draw(wend_random *random, int32_t least, int32_t most) {
    return least + (int32_t)wend_random_draw(random, (uint32_t)(most - least + 1));
}

static point point_at(const lattice *l, int32_t column, int32_t row) {
    wend_random random = numbers_of(l, column, row, JITTER);
    int32_t right = draw(&random, -l->across / 4, l->across / 4);
    int32_t lower = draw(&random, -l->down / 4, l->down / 4);
    return (point){column * l->across + l->across / 2 + right, row * l->down + l->down / 2 + lower};
}

/* Polygons ----------------------------------------------------------------------------------------------- */

static int64_t floor_of(int64_t a, int64_t b) { /* of a / b, b above 0 */
    return a >= 0 ? a / b : -((b - 1 - a) / b);
}

/* Where the side from a to b crosses the line at height y, in 256ths. */
static int32_t crossing(point a, point b, int32_t y) {
    if (a.y > b.y) {
        point c = a;
        a = b, b = c;
    }
    return a.x + (int32_t)floor_of((int64_t)(b.x - a.x) * (y - a.y), b.y - a.y);
}

/* Opens or closes the cells of a row whose centres lie between two places. */
static void fill_between(wend_map *map, int32_t from, int32_t to, int32_t row, bool open) {
    int32_t first = (int32_t)floor_of((int64_t)from + CELL / 2 - 1, CELL);
    int32_t end = (int32_t)floor_of((int64_t)to + CELL / 2 - 1, CELL);
    if (end > first) wend_fill(map, first, row, end - first, 1, open);
}

/* Opens or closes the cells whose centres lie inside. A side includes its upper end and not its lower one,
 * so each line crosses an even number of sides. */
static void fill_polygon(wend_map *map, const point *corners, int32_t count, bool open) {
    int32_t top = INT32_MAX, bottom = INT32_MIN;
    for (int32_t i = 0; i < count; i++) {
        if (corners[i].y < top) top = corners[i].y;
        if (corners[i].y > bottom) bottom = corners[i].y;
    }
    int32_t row = (int32_t)floor_of(top, CELL), last = (int32_t)floor_of(bottom, CELL);
    if (row < 0) row = 0;
    if (last >= map->height) last = map->height - 1;
    for (; row <= last; row++) {
        int32_t y = row * CELL + CELL / 2, at[CORNERS], crossed = 0;
        for (int32_t i = 0; i < count; i++) {
            point a = corners[i], b = corners[(i + 1) % count];
            if ((a.y <= y) == (b.y <= y)) continue;
            int32_t x = crossing(a, b, y), j = crossed++;
            for (; j && at[j - 1] > x; j--) at[j] = at[j - 1];
            at[j] = x;
        }
        for (int32_t i = 0; i + 1 < crossed; i += 2) fill_between(map, at[i], at[i + 1], row, open);
    }
}

/* 1024 times the cosine of `eighths` eighths of 45 degrees. */
static int32_t cosine(int32_t eighths) {
    static const int32_t quarter[] = {1024, 1019, 1004, 980, 946, 903, 851, 792, 724,
                                      650,  569,  483,  392, 297, 200, 100, 0};
    int32_t turn = eighths & 63;
    if (turn > 32) turn = 64 - turn;
    return turn <= 16 ? quarter[turn] : -quarter[32 - turn];
}

/* A polygon around a point, no corner nearer than `least` or farther than `most` 1024ths of the lattice. */
static void fill_star(const lattice *l, point middle, int32_t least, int32_t most, int32_t count, bool open,
                      wend_random *random) {
    point corners[CORNERS] = {{0, 0}};
    int32_t turn = draw(random, 0, 63);
    for (int32_t i = 0; i < count; i++) {
        int32_t at = turn + i * 64 / count + draw(random, 0, 16 / count);
        int64_t far = draw(random, least, most);
        corners[i].x = middle.x + (int32_t)(far * cosine(at) * l->across / (1024 * 1024));
        corners[i].y = middle.y + (int32_t)(far * cosine(at - 16) * l->down / (1024 * 1024));
    }
    fill_polygon(l->generator->map, corners, count, open);
}

static uint32_t root_of(uint64_t square) {
    uint64_t root = 0;
    for (uint64_t bit = (uint64_t)1 << 31; bit; bit >>= 1)
        if ((root | bit) * (root | bit) <= square) root |= bit;
    return (uint32_t)root;
}

/* A bar from point to point, `half` to each side. */
static void cut_passage(wend_map *map, point a, point b, int32_t half) {
    int64_t dx = b.x - a.x, dy = b.y - a.y, length = root_of((uint64_t)(dx * dx + dy * dy));
    if (!length) return;
    int32_t x = (int32_t)(dy * half / length), y = (int32_t)(dx * half / length);
    const point corners[] = {{a.x + x, a.y - y}, {b.x + x, b.y - y}, {b.x - x, b.y + y}, {a.x - x, a.y + y}};
    fill_polygon(map, corners, 4, true);
}

/* The three layers --------------------------------------------------------------------------------------- */

/* One point in seven lies in rock, one in five is the middle of a wide hall. */
static void open_hall(const lattice *l, int32_t column, int32_t row) {
    wend_random random = numbers_of(l, column, row, HALL);
    int32_t kind = draw(&random, 0, 34);
    int32_t least = kind < 5 ? 60 : kind < 12 ? 560 : 380, most = kind < 5 ? 180 : kind < 12 ? 960 : 740;
    fill_star(l, point_at(l, column, row), least, most, draw(&random, 5, 9), true, &random);
}

/* What stands in a hall: small and broad, or long and narrow. */
static void close_pillars(const lattice *l, int32_t column, int32_t row) {
    wend_random random = numbers_of(l, column, row, PILLARS);
    point middle = point_at(l, column, row);
    for (int32_t i = draw(&random, 0, 2); i > 0; i--) {
        point at = {middle.x + draw(&random, -l->across * 2 / 5, l->across * 2 / 5),
                    middle.y + draw(&random, -l->down * 2 / 5, l->down * 2 / 5)};
        if (draw(&random, 0, 1))
            fill_star(l, at, 60, 170, draw(&random, 3, 6), false, &random);
        else
            fill_star(l, at, 12, 330, 4, false, &random);
    }
}

static void cut_link(const lattice *l, point from, int32_t column, int32_t row, wend_random *random) {
    int32_t pitch = l->across < l->down ? l->across : l->down, half = pitch * draw(random, 25, 150) / 1024;
    cut_passage(l->generator->map, from, point_at(l, column, row), half < NARROWEST ? NARROWEST : half);
}

/* Each point is linked with the one to the west or the one to the north, which makes a tree of all; and more
 * often than not with the other one too. */
static void cut_links(const lattice *l, int32_t column, int32_t row) {
    wend_random random = numbers_of(l, column, row, LINKS);
    point at = point_at(l, column, row);
    bool west = column > 0, north = row > 0;
    wend_fill(l->generator->map, at.x / CELL - 1, at.y / CELL - 1, 3, 3, true);
    if (west && north && draw(&random, 0, 9) < 5) {
        if (draw(&random, 0, 1))
            west = false;
        else
            north = false;
    }
    if (west) cut_link(l, at, column - 1, row, &random);
    if (north) cut_link(l, at, column, row - 1, &random);
}

static void draw_layer(const lattice *l, void (*layer)(const lattice *l, int32_t column, int32_t row)) {
    for (int32_t row = 0; row < l->rows; row++)
        for (int32_t column = 0; column < l->columns; column++) layer(l, column, row);
}

/* Closes what can't be reached from the first point: splinters, and corners that a pillar has cut off. */
static wend_status close_splinters(const lattice *l, wend_error *error) {
    wend_map *map = l->generator->map;
    wend_runs runs;
    wend_status status = wend_runs_create(map, &map->allocator, false, &runs, error);
    if (status != WEND_OK) return status;
    point first = point_at(l, 0, 0);
    uint32_t x = (uint32_t)(first.x / CELL), y = (uint32_t)(first.y / CELL), i = runs.row[y];
    while (runs.run[i].last < x) i++;
    uint32_t kept = runs.label[i];
    for (y = 0; y < runs.height; y++)
        for (i = runs.row[y]; i < runs.row[y + 1]; i++)
            if (runs.label[i] != kept)
                wend_fill(map, runs.run[i].first, (int32_t)y, runs.run[i].last - runs.run[i].first + 1, 1,
                          false);
    wend_runs_release(&runs);
    return WEND_OK;
}

wend_status wend_generate_shapes(const wend_generator *generator, wend_error *error) {
    wend_map *map = generator->map;
    int32_t size = generator->size < SMALLEST_SIZE ? SMALLEST_SIZE : (int32_t)generator->size;
    if (map->width < SMALLEST_SIDE || map->height < SMALLEST_SIDE) {
        wend_fill(map, 0, 0, map->width, map->height, true);
        return WEND_OK;
    }
    lattice l = {generator, (map->width + size / 2) / size, (map->height + size / 2) / size, 0, 0};
    if (!l.columns) l.columns = 1;
    if (!l.rows) l.rows = 1;
    l.across = map->width * CELL / l.columns, l.down = map->height * CELL / l.rows;
    draw_layer(&l, open_hall);
    draw_layer(&l, close_pillars);
    draw_layer(&l, cut_links);
    return close_splinters(&l, error);
}

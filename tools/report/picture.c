#include "report/picture.h"

#include "cli/tool.h"
#include "formats/png_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHOSEN_PIXELS = 1600, MOST_UNREDUCED = 2048, CHOSEN_SCALE = 64, MOST_PIXELS = 1 << 26 };

wend_status tool_picture_lay_out(const wend_map *map, const tool_picture_options *options,
                                 tool_picture_layout *l, wend_error *error) {
    uint32_t width = (uint32_t)wend_map_width(map), height = (uint32_t)wend_map_height(map);
    uint32_t side = width > height ? width : height;
    l->scale = l->reduce = 1;
    if (options->scale) {
        l->scale = (uint32_t)options->scale;
    } else if (options->pixels) {
        uint32_t pixels = (uint32_t)options->pixels;
        if (side <= pixels)
            l->scale = pixels / side < TOOL_PICTURE_MOST_SCALE ? pixels / side : TOOL_PICTURE_MOST_SCALE;
        else
            l->reduce = (side + pixels - 1) / pixels;
    } else if (side <= CHOSEN_PIXELS) {
        l->scale = CHOSEN_PIXELS / side < CHOSEN_SCALE ? CHOSEN_PIXELS / side : CHOSEN_SCALE;
    } else {
        l->reduce = (side + MOST_UNREDUCED - 1) / MOST_UNREDUCED;
    }
    l->width = (width * l->scale + l->reduce - 1) / l->reduce;
    l->height = (height * l->scale + l->reduce - 1) / l->reduce;
    if ((uint64_t)l->width * l->height > MOST_PIXELS)
        return wend_fail(error, WEND_STATUS_TOO_LARGE,
                         "a picture of %lu x %lu pixels is too large: make it smaller",
                         (unsigned long)l->width, (unsigned long)l->height);
    return WEND_OK;
}

/* The ground ------------------------------------------------------------------------------------------- */

static const tool_colour floor_colour = {245, 242, 234}, wall_colour = {52, 55, 64}, black = {0, 0, 0},
                         white = {255, 255, 255}, fog = {128, 132, 142};

/* By letter; a letter that is open where it usually is a wall (or the other way round, by --terrain) keeps
 * its hue and takes the lightness of what it is. */
static tool_colour cell_colour(char letter, bool open) {
    tool_colour colour = open ? floor_colour : wall_colour;
    bool light = true;
    switch (letter) {
    case '.':
        colour = floor_colour;
        break;
    case 'G':
        colour = (tool_colour){232, 227, 209};
        break;
    case 'S':
        colour = (tool_colour){205, 201, 140};
        break;
    case 'T':
        colour = (tool_colour){74, 122, 72}, light = false;
        break;
    case 'W':
        colour = (tool_colour){78, 134, 184}, light = false;
        break;
    case '@':
        colour = wall_colour, light = false;
        break;
    case 'O':
        colour = (tool_colour){34, 35, 41}, light = false;
        break;
    default:
        light = open;
        break;
    }
    if (light == open) return colour;
    return tool_mix(colour, open ? floor_colour : wall_colour, 0.65f);
}

static const float fog_share = 0.6f;

tool_colour tool_picture_colour(bool open, bool seen) {
    tool_colour colour = open ? floor_colour : wall_colour;
    return seen ? colour : tool_mix(colour, fog, fog_share);
}

/* The colours of a row of cells, and which are open; both with a cell more at each end. */
typedef struct ground_row {
    tool_colour *colours;
    bool *open;
} ground_row;

/* Reads the map a row at a time, three rows at hand, and hands each pixel on. */
typedef struct ground {
    const wend_map *map;
    const wend_knowledge *seen; /* NULL: all was */
    const uint8_t *covered;     /* NULL: not shown */
    tool_colour table[2][256];
    ground_row rows[3]; /* north, here, south */
} ground;

static void read_row(const ground *g, int32_t y, ground_row row) {
    const tool_colour served = {128, 118, 214}, missed = {214, 72, 40};
    int32_t width = wend_map_width(g->map);
    for (int32_t x = -1; x <= width; x++) {
        bool open = wend_map_is_open(g->map, x, y);
        row.open[x + 1] = open;
        row.colours[x + 1] = g->table[open][(uint8_t)wend_map_letter(g->map, x, y)];
        wend_cell cell = g->seen || g->covered ? wend_map_cell(g->map, x, y) : WEND_NO_CELL;
        if (cell == WEND_NO_CELL) continue;
        if (g->seen && !wend_knowledge_seen(g->seen, cell))
            row.colours[x + 1] = tool_mix(row.colours[x + 1], fog, fog_share);
        if (g->covered && open)
            row.colours[x + 1] = g->covered[cell] ? tool_mix(row.colours[x + 1], served, 0.4f)
                                                  : tool_mix(row.colours[x + 1], missed, 0.75f);
    }
}

/* What share of black is laid over pixel i, j of a cell: light comes from the north-west, so a wall there
 * throws a soft shadow on the floor. A wall has a dark rim where it meets the floor. */
static float shade(uint32_t scale, uint32_t i, uint32_t j, const bool *north, const bool *here,
                   const bool *south) {
    const float deep = 0.38f, strength = 0.30f;
    if (!here[1]) {
        if (scale < 5) return 0;
        uint32_t rim = scale < 24 ? 1 : 2, far = scale - rim;
        bool edge = (i < rim && here[0]) || (i >= far && here[2]) || (j < rim && north[1]) ||
                    (j >= far && south[1]) || (i < rim && j < rim && north[0]) ||
                    (i >= far && j < rim && north[2]) || (i < rim && j >= far && south[0]) ||
                    (i >= far && j >= far && south[2]);
        return edge ? 0.45f : 0;
    }
    if (scale == 1) return !north[1] || !here[0] ? 0.15f : 0;
    float x = ((float)i + 0.5f) / (float)scale / deep, y = ((float)j + 0.5f) / (float)scale / deep;
    float near = 1; /* to the nearest wall north or west, in shadow lengths */
    if (!north[1] && y < near) near = y;
    if (!here[0] && x < near) near = x;
    if (!north[0] && (x > y ? x : y) < near) near = x > y ? x : y;
    float dark = strength * (1 - near);
    if (scale >= 10 && ((i == 0 && here[0]) || (j == 0 && north[1])) && dark < 0.075f) dark = 0.075f;
    return dark;
}

static void set_row(uint8_t *rgb, const ground *g, const tool_picture_layout *l, uint32_t j) {
    const bool *north = g->rows[0].open, *here = g->rows[1].open, *south = g->rows[2].open;
    uint32_t width = (uint32_t)wend_map_width(g->map);
    for (uint32_t x = 0; x < width; x++)
        for (uint32_t i = 0; i < l->scale; i++, rgb += 3) {
            float dark = shade(l->scale, i, j, north + x, here + x, south + x);
            tool_colour colour = g->rows[1].colours[x + 1];
            if (dark > 0) colour = tool_mix(colour, black, dark);
            rgb[0] = colour.r, rgb[1] = colour.g, rgb[2] = colour.b;
        }
}

/* Adds a row of cells to the sums of a row of pixels, three sums a pixel. */
static void add_row(uint32_t *sums, const ground *g, const tool_picture_layout *l) {
    uint32_t width = (uint32_t)wend_map_width(g->map);
    for (uint32_t x = 0; x < width; x++) {
        float dark = shade(1, 0, 0, g->rows[0].open + x, g->rows[1].open + x, g->rows[2].open + x);
        tool_colour colour = g->rows[1].colours[x + 1];
        if (dark > 0) colour = tool_mix(colour, black, dark);
        uint32_t *sum = sums + 3 * (size_t)(x / l->reduce);
        sum[0] += colour.r, sum[1] += colour.g, sum[2] += colour.b;
    }
}

/* The mean of the cells under each pixel; at the right and lower ends there may be fewer of them. */
static void finish_row(uint8_t *rgb, uint32_t *sums, const tool_picture_layout *l, uint32_t map_width,
                       uint32_t rows) {
    for (uint32_t x = 0; x < l->width; x++) {
        uint32_t left = map_width - x * l->reduce, columns = left < l->reduce ? left : l->reduce;
        for (uint32_t c = 0; c < 3; c++) {
            rgb[3 * x + c] = (uint8_t)((sums[3 * x + c] + rows * columns / 2) / (rows * columns));
            sums[3 * x + c] = 0;
        }
    }
}

wend_status tool_picture_ground(const wend_map *map, const tool_picture_options *options,
                                const tool_picture_layout *l, tool_canvas *canvas, wend_error *error) {
    uint32_t width = (uint32_t)wend_map_width(map), height = (uint32_t)wend_map_height(map);
    ground g = {.map = map, .seen = options->seen, .covered = options->covered};
    for (int open = 0; open < 2; open++)
        for (int c = 0; c < 256; c++) g.table[open][c] = cell_colour((char)c, open);
    tool_colour *colours = calloc(3 * ((size_t)width + 2), sizeof *colours);
    bool *open = calloc(3 * ((size_t)width + 2), sizeof *open);
    uint32_t *sums = calloc(3 * (size_t)l->width, sizeof *sums);
    wend_status status = WEND_OK;
    if (colours && open && sums) {
        for (size_t i = 0; i < 3; i++)
            g.rows[i] = (ground_row){colours + i * (width + 2), open + i * (width + 2)};
        read_row(&g, -1, g.rows[1]);
        read_row(&g, 0, g.rows[2]);
        for (uint32_t y = 0; y < height; y++) {
            ground_row oldest = g.rows[0];
            g.rows[0] = g.rows[1], g.rows[1] = g.rows[2], g.rows[2] = oldest;
            read_row(&g, (int32_t)y + 1, g.rows[2]);
            size_t row_bytes = 3 * (size_t)l->width;
            if (l->reduce == 1) {
                for (uint32_t j = 0; j < l->scale; j++)
                    set_row(canvas->rgb + (y * l->scale + j) * row_bytes, &g, l, j);
                continue;
            }
            add_row(sums, &g, l);
            uint32_t rows = y % l->reduce + 1;
            if (rows == l->reduce || y + 1 == height)
                finish_row(canvas->rgb + y / l->reduce * row_bytes, sums, l, width, rows);
        }
    } else {
        status = wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for the picture");
    }
    free(colours);
    free(open);
    free(sums);
    return status;
}

/* The paths --------------------------------------------------------------------------------------------- */

/* How paths look: the more there are, the finer and the more transparent. */
typedef struct path_pen {
    float width, casing, opacity, mark;
} path_pen;

static path_pen choose_pen(const tool_picture_layout *l, size_t paths, bool bold) {
    float cell = (float)l->scale / (float)l->reduce;
    float longer = (float)(l->width > l->height ? l->width : l->height);
    float usual = longer / 340; /* a line that is seen at first sight */
    float width = 0.26f * cell; /* or, where cells are large, a part of a cell */
    usual = usual < 1.5f ? 1.5f : usual > 6 ? 6 : usual;
    if (bold) usual *= 2;
    if (width < usual) width = usual;
    path_pen pen = {width, 0.2f * width + 1, 0.95f, 0};
    if (paths > 12) pen.width *= 0.8f, pen.opacity = 0.85f;
    if (paths > 60) pen.width *= 0.75f, pen.opacity = 0.7f;
    if (paths > 300) pen.width *= 0.75f, pen.opacity = 0.5f;
    if (paths > 2000) pen.opacity = 0.25f;
    if (paths > 60) pen.casing = 0;
    if (pen.width < 1.2f) pen.width = 1.2f;
    float most = 0.44f * cell, least = paths > 300 ? 1.6f : paths > 60 ? 2.5f : paths > 12 ? 4 : 2.1f * usual;
    pen.mark = 1.5f * pen.width < most ? most : 1.5f * pen.width;
    if (paths > 12 && pen.mark > 1.4f * pen.width) pen.mark = 1.4f * pen.width;
    if (pen.mark < least) pen.mark = least;
    return pen;
}

/* Paths that share a few colours are several answers to the same problems, often along the same cells: the
 * first colour is drawn widest and the last one finest, so that all can be seen. 1 where colours are many. */
static size_t count_layers(const tool_picture_path *paths, size_t count) {
    size_t most = 0;
    for (size_t i = 0; i < count; i++)
        if (paths[i].colour > most) most = paths[i].colour;
    return most < 6 && most + 1 < count ? most + 1 : 1;
}

static path_pen layer_pen(const path_pen *pen, size_t colour, size_t layers) {
    path_pen own = *pen;
    if (layers == 1) return own;
    own.width *= 1.8f - 1.3f * (float)colour / (float)(layers - 1);
    if (own.width < 1.2f) own.width = 1.2f;
    if (colour) own.casing = 0;
    return own;
}

static tool_point centre_of(const wend_map *map, const tool_picture_layout *l, wend_cell cell) {
    wend_xy at = wend_map_xy(map, cell);
    float pixels = (float)l->scale / (float)l->reduce;
    return (tool_point){((float)at.x + 0.5f) * pixels, ((float)at.y + 0.5f) * pixels};
}

/* The corners of a path; `points` has room for all its cells. */
static size_t trace(const wend_map *map, const tool_picture_layout *l, const tool_picture_path *path,
                    tool_point *points) {
    float pixels = (float)l->scale / (float)l->reduce;
    wend_xy at = wend_map_xy(map, path->start);
    size_t count = 1;
    points[0] = centre_of(map, l, path->start);
    for (size_t i = 0; i < path->move_count; i++) {
        wend_direction d = path->moves[i] & 7;
        at.x += wend_direction_dx(d), at.y += wend_direction_dy(d);
        if (i + 1 < path->move_count && path->moves[i + 1] == d) continue;
        points[count++] = (tool_point){((float)at.x + 0.5f) * pixels, ((float)at.y + 0.5f) * pixels};
    }
    return count;
}

static void draw_line(const wend_map *map, const tool_picture_layout *l, const tool_picture_path *path,
                      const path_pen *pen, tool_point *points, tool_canvas *canvas) {
    size_t count = trace(map, l, path, points);
    tool_colour colour = tool_distinct_colour(path->colour);
    if (pen->casing > 0) tool_canvas_line(canvas, points, count, pen->width + 2 * pen->casing, white, 0.75f);
    tool_canvas_line(canvas, points, count, pen->width, colour, pen->opacity);
}

/* A ring at the start, a star at the goal; squares where a star would be a blot. */
static void draw_marks(const wend_map *map, const tool_picture_layout *l, const tool_picture_path *path,
                       const path_pen *pen, tool_canvas *canvas) {
    tool_colour colour = tool_distinct_colour(path->colour), dark = tool_mix(colour, black, 0.35f);
    tool_point start = centre_of(map, l, path->start), goal = centre_of(map, l, path->goal);
    float radius = pen->mark, rim = radius < 4 ? 0.8f : 0.16f * radius + 0.8f;
    float opacity = pen->opacity < 0.7f ? 0.7f : 1;
    tool_canvas_mark(canvas, TOOL_MARK_DISC, start, radius + rim, white, opacity);
    tool_canvas_mark(canvas, TOOL_MARK_DISC, start, radius, dark, opacity);
    if (radius >= 4) tool_canvas_mark(canvas, TOOL_MARK_DISC, start, 0.48f * radius, white, 1);
    tool_mark mark = radius < 4 ? TOOL_MARK_SQUARE : TOOL_MARK_STAR;
    float reach = mark == TOOL_MARK_STAR ? 1.45f * radius : 1.15f * radius;
    float outside = mark == TOOL_MARK_STAR ? 2.2f * rim : 1.3f * rim;
    tool_canvas_mark(canvas, mark, goal, reach + outside, white, opacity);
    tool_canvas_mark(canvas, mark, goal, reach, dark, opacity);
    if (!path->arrived) tool_canvas_mark(canvas, mark, goal, 0.55f * reach, white, 1);
}

static wend_status draw_paths(const wend_map *map, const tool_picture_options *options,
                              const tool_picture_layout *l, const tool_picture_path *paths, size_t path_count,
                              tool_canvas *canvas, wend_error *error) {
    size_t most = 0;
    for (size_t i = 0; i < path_count; i++)
        if (paths[i].move_count > most) most = paths[i].move_count;
    tool_point *points = malloc((most + 1) * sizeof *points);
    if (!points) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for the paths");
    path_pen pen = choose_pen(l, path_count, options->bold);
    size_t layers = count_layers(paths, path_count);
    for (size_t i = 0; i < path_count; i++) {
        path_pen own = layer_pen(&pen, paths[i].colour, layers);
        draw_line(map, l, &paths[i], &own, points, canvas);
    }
    for (size_t i = 0; i < path_count; i++) draw_marks(map, l, &paths[i], &pen, canvas);
    free(points);
    return WEND_OK;
}

/* The heat map ------------------------------------------------------------------------------------------ */

static int by_times(const void *a, const void *b) {
    const tool_picture_visit *left = a, *right = b;
    if (left->times != right->times) return left->times < right->times ? -1 : 1;
    return (left->cell > right->cell) - (left->cell < right->cell);
}

/* `share` is 0 for twice, 1 for the most. */
static tool_colour heat_colour(float share) {
    static const tool_colour steps[] = {{255, 225, 77}, {253, 141, 60}, {215, 25, 28}, {103, 0, 31}};
    float at = share * 3;
    int step = at >= 2 ? 2 : at >= 1 ? 1 : 0;
    return tool_mix(steps[step], steps[step + 1], at - (float)step);
}

/* Squares of a cell each, at least three pixels wide so that they are seen where cells are smaller; the most
 * visited ones last, since they then lie over one another. */
static wend_status draw_visits(const wend_map *map, const tool_picture_layout *l,
                               const tool_picture_options *options, tool_canvas *canvas, wend_error *error) {
    const tool_colour once = {158, 202, 225};
    size_t count = options->visit_count;
    tool_picture_visit *visits = malloc((count ? count : 1) * sizeof *visits);
    if (!visits) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for a heat map");
    if (count) memcpy(visits, options->visits, count * sizeof *visits);
    qsort(visits, count, sizeof *visits, by_times);
    uint32_t most = count ? visits[count - 1].times : 1;
    float cell = (float)l->scale / (float)l->reduce;
    float radius = 0.7072f * (cell < 3 ? 3 : cell); /* of the circle around the square */
    for (size_t i = 0; i < count; i++) {
        uint32_t times = visits[i].times;
        float share = most > 2 && times > 1 ? logf((float)times / 2) / logf((float)most / 2) : 0;
        tool_canvas_mark(canvas, TOOL_MARK_SQUARE, centre_of(map, l, visits[i].cell), radius,
                         times > 1 ? heat_colour(share) : once, 1);
    }
    free(visits);
    return WEND_OK;
}

wend_status tool_picture_make(const wend_map *map, const tool_picture_path *paths, size_t path_count,
                              const tool_picture_options *options, wend_bytes *png, wend_error *error) {
    tool_picture_layout l;
    tool_canvas canvas;
    *png = (wend_bytes){NULL, 0, 0};
    wend_status status = tool_picture_lay_out(map, options, &l, error);
    if (status == WEND_OK) status = tool_canvas_create(l.width, l.height, &canvas, error);
    if (status != WEND_OK) return status;
    status = tool_picture_ground(map, options, &l, &canvas, error);
    if (status == WEND_OK && options->visits) status = draw_visits(map, &l, options, &canvas, error);
    if (status == WEND_OK && path_count)
        status = draw_paths(map, options, &l, paths, path_count, &canvas, error);
    if (status == WEND_OK) status = tool_png_from_rgb(canvas.rgb, l.width, l.height, png, error);
    tool_canvas_destroy(&canvas);
    return status;
}

bool tool_picture_save(const char *file, const wend_map *map, const tool_picture_path *paths,
                       size_t path_count, const tool_picture_options *options) {
    wend_bytes png;
    wend_error error = {.status = WEND_OK};
    wend_status status = tool_picture_make(map, paths, path_count, options, &png, &error);
    bool good = status == WEND_OK && tool_write_file(file, png.data, png.size);
    tool_bytes_release(&png);
    if (status == WEND_OK) return good;
    tool_error_file(&error, file);
    tool_wrong_error(&error);
    return false;
}

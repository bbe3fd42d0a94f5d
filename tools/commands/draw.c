/* wend map draw */
#include "cli/tool.h"
#include "formats/files.h"
#include "formats/lines.h"
#include "formats/map_files.h"
#include "report/picture.h"
#include "runner/database.h"
#include "shared/crew.h"
#include "shared/text.h"

#include <stdlib.h>
#include <string.h>

/* Paths read from a file of moves; the moves stand in the file's own bytes, turned into directions. */
typedef struct path_list {
    tool_lines lines;
    tool_picture_path *paths;
    size_t count, capacity;
    size_t sets; /* lines `# PLANNER` */
} path_list;

static bool read_cell(tool_lines *r, const wend_map *map, wend_cell *cell) {
    uint64_t x, y;
    const uint8_t *first = r->at;
    if (!tool_lines_number(r, "a coordinate", UINT64_MAX, &x) ||
        !tool_lines_number(r, "a coordinate", UINT64_MAX, &y))
        return false;
    bool far = x >= WEND_MAX_SIDE || y >= WEND_MAX_SIDE;
    *cell = far ? WEND_NO_CELL : wend_map_cell(map, (int32_t)x, (int32_t)y);
    return *cell != WEND_NO_CELL || tool_lines_refuse(r, first, "the cell is outside the map");
}

/* Checks every move and packs the directions to the front of their word. */
static bool read_moves(tool_lines *r, const wend_map *map, tool_picture_path *path, wend_cell *end) {
    size_t length, left;
    uint8_t *word = tool_lines_word(r, &length);
    path->moves = word;
    path->move_count = 0;
    *end = path->start;
    for (size_t i = 0; i < length; i++) {
        wend_direction direction = shared_step_direction((char)word[i]);
        if (word[i] == 'w') continue; /* a wait */
        if (direction == WEND_NO_DIRECTION)
            return tool_lines_refuse(r, word + i, "a move must be a digit from 0 to 7, or w");
        wend_cell next = wend_map_next(map, *end, direction);
        if (next == WEND_NO_CELL) return tool_lines_refuse(r, word + i, "the move is not legal on this map");
        *end = next;
        word[path->move_count++] = direction;
    }
    const uint8_t *more = tool_lines_word(r, &left);
    return left ? tool_lines_refuse(r, more, "something follows the moves") : true;
}

static bool read_path(tool_lines *r, const wend_map *map, tool_picture_path *path) {
    static const char *const statuses[] = {"arrived",       "unreachable", "unfinished",
                                           "out-of-memory", "refused",     "bad-database"};
    size_t length;
    wend_cell end;
    if (!read_cell(r, map, &path->start) || !read_cell(r, map, &path->goal)) return false;
    const uint8_t *status = tool_lines_word(r, &length);
    bool known = false;
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        if (strlen(statuses[i]) == length && memcmp(statuses[i], status, length) == 0) known = true;
    if (!known)
        return tool_lines_refuse(
            r, status,
            "the status must be arrived, unreachable, unfinished, out-of-memory, refused or bad-database");
    path->arrived = *status == 'a';
    if (!read_moves(r, map, path, &end)) return false;
    if (path->arrived && end != path->goal)
        return tool_lines_refuse(r, status, "arrived, but the moves end elsewhere");
    return true;
}

static bool add_path(path_list *list, const tool_picture_path *path) {
    tool_picture_path *paths =
        tool_grown(list->paths, list->count, &list->capacity, sizeof *paths, "the paths");
    if (paths) (list->paths = paths)[list->count++] = *path;
    return paths != NULL;
}

/* Several planners: a colour each, from the first. One: a colour for each path. */
static void choose_colours(path_list *list) {
    size_t first = list->count ? list->paths[0].colour : 0;
    bool by_path = true;
    for (size_t i = 1; i < list->count; i++)
        if (list->paths[i].colour != first) by_path = false;
    for (size_t i = 0; i < list->count; i++) {
        tool_picture_path *path = &list->paths[i];
        path->colour = by_path ? i : path->colour - first;
    }
}

static bool load_paths(path_list *list, const char *file, const wend_map *map) {
    if (!tool_lines_open(&list->lines, file, "SX SY GX GY STATUS DIRS")) return false;
    while (tool_lines_next(&list->lines)) {
        tool_picture_path path = {.colour = list->sets};
        if (*list->lines.at == '#')
            list->sets++;
        else if (!read_path(&list->lines, map, &path) || !add_path(list, &path))
            return false;
    }
    choose_colours(list);
    return true;
}

/* Of large maps one cell stands for a square of them, so that there are at most about a million to look
 * at, some ten microseconds each. */
enum { MOST_SQUARES = 1024 };

typedef struct squares {
    const wend_map *map;
    int32_t side, across, down;
    wend_cell *cells; /* one a square */
    uint8_t *covered; /* of each */
} squares;

/* The first open cell of a square; its first, if there is none. */
static wend_cell cell_of(const squares *s, int32_t left, int32_t top) {
    for (int32_t y = top; y < top + s->side; y++)
        for (int32_t x = left; x < left + s->side; x++)
            if (wend_map_is_open(s->map, x, y)) return wend_map_cell(s->map, x, y);
    return wend_map_cell(s->map, left, top);
}

static wend_status cover(squares *s, const char *path, int threads, uint8_t *covered, wend_error *error) {
    wend_build_options options = wend_default_build_options();
    wend_db *db = NULL;
    options.tasks = shared_tasks(threads);
    wend_status status = tool_db_open(path, s->map, &db, error);
    for (int32_t y = 0; y < s->down && status == WEND_OK; y++)
        for (int32_t x = 0; x < s->across; x++)
            s->cells[(size_t)y * (size_t)s->across + (size_t)x] = cell_of(s, x * s->side, y * s->side);
    if (status == WEND_OK)
        status =
            wend_db_cover(db, s->cells, (size_t)s->across * (size_t)s->down, &options, s->covered, error);
    wend_db_close(db);
    if (status != WEND_OK) return status;
    int32_t width = wend_map_width(s->map), height = wend_map_height(s->map);
    for (int32_t y = 0; y < height; y++)
        for (int32_t x = 0; x < width; x++)
            covered[wend_map_cell(s->map, x, y)] =
                s->covered[(size_t)(y / s->side) * (size_t)s->across + (size_t)(x / s->side)];
    return WEND_OK;
}

/* One byte per cell, to be freed; NULL, after complaining, if that can't be found out. */
static uint8_t *load_cover(const char *path, const wend_map *map, int threads) {
    int32_t width = wend_map_width(map), height = wend_map_height(map),
            longer = width > height ? width : height;
    squares s = {.map = map, .side = (longer + MOST_SQUARES - 1) / MOST_SQUARES};
    s.across = (width + s.side - 1) / s.side, s.down = (height + s.side - 1) / s.side;
    size_t count = (size_t)s.across * (size_t)s.down;
    uint8_t *covered = calloc(wend_map_cells(map), 1);
    s.cells = malloc(count * sizeof *s.cells), s.covered = malloc(count);
    wend_error error;
    bool good = false;
    if (!covered || !s.cells || !s.covered) {
        (void)tool_wrong("no memory for what is covered");
    } else {
        good = cover(&s, path, threads, covered, &error) == WEND_OK;
        if (!good) {
            tool_error_file(&error, path);
            (void)tool_wrong_error(&error);
        }
    }
    free(s.cells);
    free(s.covered);
    if (good) return covered;
    free(covered);
    return NULL;
}

/* What lies over the map. */
typedef struct overlays {
    const char *moves, *db; /* or NULL */
} overlays;

static int draw(const char *path, const tool_reading *reading, const tool_common *common,
                const overlays *over, tool_picture_options *picture, const char *output) {
    wend_map *map = tool_load_map_as(path, reading, &common->map);
    if (!map) return TOOL_WRONG;
    path_list list = {.count = 0};
    uint8_t *covered = over->db ? load_cover(over->db, map, common->threads) : NULL;
    picture->covered = covered;
    bool good = (!over->db || covered) && (!over->moves || load_paths(&list, over->moves, map)) &&
                tool_picture_save(output, map, list.paths, list.count, picture);
    free(covered);
    free(list.paths);
    tool_bytes_release(&list.lines.bytes);
    wend_map_destroy(map);
    return good ? TOOL_DONE : TOOL_WRONG;
}

static int run_draw(const tool_command *command, int count, char **words) {
    const char *path, *output = NULL, *scale = NULL, *pixels = NULL;
    overlays over = {NULL, NULL};
    tool_reading reading = {NULL, NULL, NULL, NULL};
    tool_common common;
    const tool_option options[] = {
        {.name = "-o", .value = &output},       {.name = "--moves", .value = &over.moves},
        {.name = "--db", .value = &over.db},    {.name = "--scale", .value = &scale},
        {.name = "--pixels", .value = &pixels}, TOOL_READING_OPTIONS(reading)};
    if (!tool_parse(command, count, words, options, sizeof options / sizeof *options, &common, &path, 1, 1))
        return TOOL_WRONG;
    if (common.help) return TOOL_DONE;
    tool_picture_options picture = {.scale = 0};
    int64_t number;
    if (!output) return tool_wrong("map draw: -o FILE is missing (see wend map draw --help)");
    if (scale && pixels) return tool_wrong("map draw: --scale and --pixels exclude each other");
    if (scale) {
        if (!tool_integer("--scale", scale, 1, TOOL_PICTURE_MOST_SCALE, &number)) return TOOL_WRONG;
        picture.scale = (int)number;
    }
    if (pixels) {
        if (!tool_integer("--pixels", pixels, 1, WEND_MAX_SIDE, &number)) return TOOL_WRONG;
        picture.pixels = (int)number;
    }
    tool_files files = {.count = 0};
    tool_files_read(&files, "MAP", path);
    tool_files_read(&files, "--moves", over.moves);
    tool_files_read(&files, "--db", over.db);
    tool_files_written(&files, "-o", output);
    if (!tool_files_apart(&files, command->name)) return TOOL_WRONG;
    if (!tool_named_as("map draw: -o", output, ".png")) return TOOL_WRONG;
    common.map.keep_letters = tool_keeps_letters(path);
    return draw(path, &reading, &common, &over, &picture, output);
}

const tool_command tool_map_draw = {.name = "map draw", .run = run_draw};

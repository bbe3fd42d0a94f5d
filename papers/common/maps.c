/* The maps of papers, problems on them, and what is known of them. */
#define _POSIX_C_SOURCE 200809L

#include "common/paper.h"
#include "common/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Maps -------------------------------------------------------------------------------------------------- */

static bool is_there(const char *path) {
    struct stat about;
    return stat(path, &about) == 0;
}

/* The map's file, or false if there is none. */
static bool find_file(const tool_paper_options *options, const tool_paper_map *map, char *path, size_t size) {
    if (!options->maps) return false;
    int length = snprintf(path, size, "%s/%s/%s.map", options->maps, map->set, map->name);
    if (length > 0 && (size_t)length < size && is_there(path)) return true;
    length = snprintf(path, size, "%s/%s.map", options->maps, map->name);
    return length > 0 && (size_t)length < size && is_there(path);
}

/* The middle cell of every `by` x `by` cells; at the right and lower edges, the last one there is. */
static wend_status reduce(const wend_map *map, int32_t by, const wend_map_options *options,
                          wend_map **reduced, wend_error *error) {
    int32_t width = (wend_map_width(map) + by - 1) / by, height = (wend_map_height(map) + by - 1) / by;
    wend_status status = wend_map_create(width, height, options, reduced, error);
    if (status != WEND_OK) return status;
    const char *blocked = "@OTW"; /* one that is not open */
    while (blocked[1] && strchr(options->terrain, *blocked)) blocked++;
    char *row = malloc((size_t)width);
    if (!row) {
        *error = (wend_error){.status = WEND_STATUS_NO_MEMORY, .message = "no memory for a smaller map"};
        return WEND_STATUS_NO_MEMORY;
    }
    for (int32_t y = 0; status == WEND_OK && y < height; y++) {
        for (int32_t x = 0; x < width; x++) {
            int32_t from_x = x * by + by / 2, from_y = y * by + by / 2;
            if (from_x >= wend_map_width(map)) from_x = wend_map_width(map) - 1;
            if (from_y >= wend_map_height(map)) from_y = wend_map_height(map) - 1;
            row[x] = wend_map_is_open(map, from_x, from_y) ? options->terrain[0] : *blocked;
        }
        status = wend_map_set_row(*reduced, y, row, error);
    }
    free(row);
    return status;
}

/* The map in another size, if that is asked for. */
static bool resize(const tool_paper_options *options, tool_paper_map *map) {
    for (int way = 0; way < 2; way++) {
        int32_t by = way ? map->scale : map->reduce;
        if (by <= 1) continue;
        wend_map *made = NULL;
        wend_error error;
        wend_status status = way ? wend_map_scale(map->map, by, &made, &error)
                                 : reduce(map->map, by, &options->map, &made, &error);
        if (status != WEND_OK) {
            wend_map_destroy(made);
            (void)tool_wrong("%s: %s", map->name, error.message);
            return false;
        }
        wend_map_destroy(map->map);
        map->map = made;
    }
    return true;
}

static bool draw_problems(const tool_paper_options *options, const tool_paper_map *map, const wend_map *on,
                          const char *how, size_t count, wend_scenario **problems) {
    wend_problems_options drawing = wend_default_problems_options();
    wend_error error;
    drawing.seed = options->seed;
    if (map->min_length > 0) drawing.min_length = map->min_length;
    if (map->max_length > 0) drawing.max_length = map->max_length;
    if (wend_problems_generate(on, map->name, count, &drawing, problems, &error) == WEND_OK) return true;
    (void)tool_wrong("%s%s: %s", map->name, how, error.message);
    return false;
}

static bool open_map(const tool_paper_options *options, size_t problems, uint64_t number,
                     tool_paper_map *map) {
    char path[4096];
    wend_error error;
    if (find_file(options, map, path, sizeof path)) {
        map->map = tool_load_map(path, &options->map);
        if (!map->map) return false;
    } else {
        wend_generate_options generate = wend_default_generate_options();
        generate.seed = options->seed + number;
        generate.map = options->map;
        map->generated = true;
        /* Made small where it would be made smaller, so that its halls are as wide as others'. */
        int32_t by = map->reduce > 1 ? map->reduce : 1;
        map->reduce = 0;
        if (map->coarse > 1) { /* and so that its walls are as long as those of the file */
            by *= map->coarse;
            map->scale = map->coarse * (map->scale > 1 ? map->scale : 1);
        }
        if (wend_map_generate(map->kind, (map->width + by - 1) / by, (map->height + by - 1) / by, &generate,
                              &map->map, &error) != WEND_OK) {
            (void)tool_wrong_error(&error);
            return false;
        }
    }
    return resize(options, map) && draw_problems(options, map, map->map, "", problems, &map->problems);
}

bool tool_paper_open_maps(const tool_paper_options *options, size_t problems, tool_paper_map *maps,
                          size_t count) {
    tool_progress progress = tool_progress_begin("maps and problems", options->quiet);
    bool good = true;
    for (size_t i = 0; i < count && good; i++) {
        tool_progress_update(&progress, i, count);
        good = open_map(options, problems, i, &maps[i]);
    }
    tool_progress_update(&progress, 1, 1);
    return good;
}

void tool_paper_close_maps(tool_paper_map *maps, size_t count) {
    for (size_t i = 0; i < count; i++) {
        wend_scenario_destroy(maps[i].problems);
        wend_map_destroy(maps[i].map);
        maps[i].problems = NULL, maps[i].map = NULL;
    }
}

typedef struct map_row {
    const char *key, *source;
    double width, height, open, problems, optimal;
} map_row;

#define OF(field) TOOL_PAPER_FIELD(map_row, field)
static const tool_paper_column map_columns[] = {
    {"map", "map", 0, OF(key)},
    {"width", "width", 0, OF(width)},
    {"height", "height", 0, OF(height)},
    {"open", "open cells", 0, OF(open)},
    {"problems", "problems", 0, OF(problems)},
    {"optimal", "mean length", 1, OF(optimal)},
    {"source", "source", 0, OF(source)},
};

static double mean_length(const wend_scenario *problems) {
    double sum = 0;
    for (size_t i = 0; i < wend_scenario_count(problems); i++) sum += wend_scenario_at(problems, i)->length;
    return wend_scenario_count(problems) ? sum / (double)wend_scenario_count(problems) : NAN;
}

void tool_paper_describe_maps(tool_report *report, const tool_paper_map *maps, size_t count) {
    const tool_paper_table table =
        tool_paper_begin_table(report, NULL, "maps", "Maps", TOOL_PAPER_LIST(map_columns));
    size_t generated = 0;
    bool caves = true;
    for (size_t i = 0; i < count; i++) {
        const tool_paper_map *map = &maps[i];
        generated += map->generated;
        caves = caves && (!map->generated || map->kind == WEND_MAP_CAVES);
        char source[96];
        int used = snprintf(source, sizeof source, "%s", map->generated ? "generated in its place" : "file");
        if (map->reduce > 1)
            used += snprintf(source + used, sizeof source - (size_t)used, ", one cell of %d x %d",
                             (int)map->reduce, (int)map->reduce);
        if (map->scale > 1)
            (void)snprintf(source + used, sizeof source - (size_t)used, ", scaled by %d", (int)map->scale);
        const map_row row = {map->name,
                             source,
                             wend_map_width(map->map),
                             wend_map_height(map->map),
                             wend_map_open_cells(map->map),
                             (double)wend_scenario_count(map->problems),
                             mean_length(map->problems)};
        tool_paper_add_row(&table, &row, false);
    }
    tool_report_set_number(report, "generated_maps", (double)generated);
    if (generated)
        tool_report_note(report,
                         "%zu of the paper's %zu maps are not here: generated %s of the same size stand "
                         "in, so its figures are not comparable.",
                         generated, count, caves ? "caves" : "maps");
}

void tool_paper_describe_rules(tool_report *report, const tool_paper_options *options) {
    const wend_rules *rules = &options->map.rules;
    tool_report_set_number(report, "connect", rules->connect);
    tool_report_set_text(report, "corners", tool_paper_corners(rules));
    tool_report_set_text(report, "diagonal", tool_paper_diagonal(rules));
}

void tool_paper_count_problems(const tool_paper_options *options, size_t whole, size_t quick, size_t part,
                               size_t *problems, size_t *timed) {
    *problems = options->problems ? options->problems : options->quick ? quick : whole;
    *timed = options->ms_problems < SIZE_MAX ? options->ms_problems : (*problems + part - 1) / part;
    if (*timed > *problems) *timed = *problems;
}

/* Grounds ----------------------------------------------------------------------------------------------- */

static bool open_ground(const tool_paper_options *options, const tool_paper_map *map,
                        const tool_knowledge *knowledge, tool_paper_ground *ground) {
    ground->name = map->name;
    ground->problems = map->problems;
    if (!tool_terrain_create(map->map, knowledge, NULL, options->seed, &ground->terrain)) return false;
    if (knowledge->kind != TOOL_PARTIAL) return true;
    if (!draw_problems(options, map, ground->terrain.truth, ", partly blocked",
                       wend_scenario_count(map->problems), &ground->own_problems))
        return false;
    ground->problems = ground->own_problems;
    return true;
}

bool tool_paper_open_grounds(const tool_paper_options *options, const tool_paper_map *maps, size_t count,
                             const tool_knowledge *knowledge, tool_paper_ground *grounds) {
    bool good = true;
    for (size_t i = 0; i < count; i++) grounds[i] = (tool_paper_ground){.name = maps[i].name};
    for (size_t i = 0; i < count && good; i++) good = open_ground(options, &maps[i], knowledge, &grounds[i]);
    return good;
}

void tool_paper_close_grounds(tool_paper_ground *grounds, size_t count) {
    for (size_t i = 0; i < count; i++) {
        wend_scenario_destroy(grounds[i].own_problems);
        tool_terrain_destroy(&grounds[i].terrain);
        grounds[i].own_problems = NULL;
    }
}

wend_cell tool_paper_cell(const tool_paper_ground *ground, wend_xy at) {
    return wend_map_cell(ground->terrain.truth, at.x, at.y);
}

size_t tool_paper_problem(const tool_paper_ground *ground, size_t index, size_t whole) {
    size_t all = wend_scenario_count(ground->problems);
    /* The middle of each of `whole` equal parts. */
    return (size_t)((2 * (uint64_t)index + 1) * all / (2 * (uint64_t)whole));
}

/* The maps of papers, problems on them, and what is known of them. */
#define _POSIX_C_SOURCE 200809L

#include "paper.h"

#include <math.h>
#include <stdlib.h>
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
        if (wend_map_generate(WEND_MAP_CAVES, map->width, map->height, &generate, &map->map, &error) !=
            WEND_OK) {
            (void)tool_wrong_error(&error);
            return false;
        }
    }
    wend_problems_options drawing = wend_default_problems_options();
    drawing.seed = options->seed;
    if (wend_problems_generate(map->map, map->name, problems, &drawing, &map->problems, &error) == WEND_OK)
        return true;
    (void)tool_wrong("%s: %s", map->name, error.message);
    return false;
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

void tool_paper_describe_maps(tool_report *report, const tool_paper_map *maps, size_t count) {
    static const tool_report_column columns[] = {
        {"map", "map", true, false},
        {"width", "width", false, false},
        {"height", "height", false, false},
        {"open", "open cells", false, false},
        {"problems", "problems", false, false},
        {"optimal", "mean length", false, false},
        {"source", "source", true, false},
    };
    tool_report_table *table =
        tool_report_add_table(report, "maps", "Maps", columns, sizeof columns / sizeof *columns);
    size_t generated = 0;
    for (size_t i = 0; i < count; i++) {
        const wend_map *map = maps[i].map;
        size_t problems = wend_scenario_count(maps[i].problems);
        double sum = 0;
        for (size_t j = 0; j < problems; j++) sum += wend_scenario_at(maps[i].problems, j)->length;
        generated += maps[i].generated;
        const tool_report_cell cells[] = {
            tool_report_text_cell(maps[i].name),
            tool_report_number_cell(wend_map_width(map), 0),
            tool_report_number_cell(wend_map_height(map), 0),
            tool_report_number_cell(wend_map_open_cells(map), 0),
            tool_report_number_cell((double)problems, 0),
            tool_report_number_cell(problems ? sum / (double)problems : NAN, 1),
            tool_report_text_cell(maps[i].generated ? "generated in its place" : "file"),
        };
        tool_report_add_row(table, cells, false);
    }
    tool_report_set_number(report, "generated_maps", (double)generated);
    if (generated)
        tool_report_note(report,
                         "%zu of the paper's %zu maps are not here: generated caves of the same size stand "
                         "in, so its figures are not comparable.",
                         generated, count);
}

/* Grounds ----------------------------------------------------------------------------------------------- */

static bool open_ground(const tool_paper_options *options, const tool_paper_map *map,
                        const tool_knowledge *knowledge, tool_paper_ground *ground) {
    ground->name = map->name;
    ground->problems = map->problems;
    if (!tool_terrain_create(map->map, knowledge, NULL, options->seed, &ground->terrain)) return false;
    if (knowledge->kind != TOOL_PARTIAL) return true;
    wend_problems_options drawing = wend_default_problems_options();
    drawing.seed = options->seed;
    wend_error error;
    if (wend_problems_generate(ground->terrain.truth, map->name, wend_scenario_count(map->problems), &drawing,
                               &ground->own_problems, &error) != WEND_OK) {
        (void)tool_wrong("%s, partly blocked: %s", map->name, error.message);
        return false;
    }
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

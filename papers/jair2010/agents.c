/* Section 8.7 of jair2010 for planners that it did not know yet: what K agents on one map take together, the
 * database and K times what each has in use, and from how many agents on that is less than with TBA*. Path
 * databases and subgoal trees are not for maps of millions of cells, so all of them are measured on a small
 * generated city. */
#include "jair2010/jair2010.h"

#include "shared/crew.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SIDE = 192, QUICK_SIDE = 64, PROBLEMS = 60, QUICK_PROBLEMS = 20, MOST_STEPS = 1000000 };

typedef struct agents_row {
    const char *label, *planner, *base; /* base: NULL for none */
    double base_bytes, own_bytes; /* own: the mean of the problems' peaks; in a fleet, where that is less */
} agents_row;

typedef struct agents_run {
    const tool_paper_options *options;
    wend_map *map;
    wend_scenario *problems;
    wend_world *world;
    int threads;
} agents_run;

static wend_status open_run(agents_run *run, wend_error *error) {
    const tool_paper_options *options = run->options;
    int32_t side = options->quick ? QUICK_SIDE : SIDE;
    wend_generate_options make = wend_default_generate_options();
    make.seed = options->seed;
    make.map = options->map;
    wend_problems_options draw = wend_default_problems_options();
    draw.seed = options->seed;
    draw.min_length = side / 2.0;
    wend_world_options with = wend_default_world_options();
    run->threads = options->threads;
    wend_status status = wend_map_generate(WEND_MAP_CITY, side, side, &make, &run->map, error);
    if (status == WEND_OK)
        status = wend_problems_generate(run->map, "city", options->quick ? QUICK_PROBLEMS : PROBLEMS, &draw,
                                        &run->problems, error);
    return status == WEND_OK ? wend_world_create(run->map, &with, &run->world, error) : status;
}

static void close_run(agents_run *run) {
    wend_world_destroy(run->world);
    wend_scenario_destroy(run->problems);
    wend_map_destroy(run->map);
}

/* Built into a file of the folder that is gone when it is open. */
static wend_status make_base(agents_run *run, agents_row *row, wend_db **db, wend_error *error) {
    char path[TOOL_PAPER_PATH];
    wend_settings *settings = NULL;
    wend_build_options build = wend_default_build_options();
    wend_db_options opening = wend_default_db_options();
    build.seed = run->options->seed;
    build.tasks = shared_tasks(run->threads);
    (void)snprintf(path, sizeof path, "%s/jair2010-agents.wend", run->options->folder);
    wend_status status = wend_db_settings_parse(row->base, NULL, &settings, error);
    if (status == WEND_OK) status = wend_db_build(run->map, settings, &build, path, error);
    if (status == WEND_OK) status = wend_db_open(path, run->map, &opening, db, error);
    (void)remove(path);
    wend_settings_destroy(settings);
    if (status == WEND_OK) row->base_bytes = (double)wend_db_about(*db).bytes;
    return status;
}

/* What a member of a fleet has, without workspaces. */
static double fleet_bytes(const agents_run *run, const wend_settings *settings, const wend_db *db) {
    enum { MEMBERS = 1024 };
    wend_fleet_options options = wend_default_fleet_options();
    wend_squad_options with = wend_default_squad_options();
    wend_fleet *fleet = NULL;
    uint32_t squad;
    wend_member member;
    options.capacity = MEMBERS, options.lanes = 1;
    options.budget = UINT64_C(1) << 40;
    with.agent.db = db;
    const wend_problem *problem = wend_scenario_at(run->problems, 0);
    wend_cell cell = wend_map_cell(run->map, problem->start.x, problem->start.y);
    double bytes = INFINITY;
    if (wend_fleet_create(run->map, &options, &fleet, NULL) == WEND_OK &&
        wend_fleet_add_squad(fleet, settings, &with, &squad, NULL) == WEND_OK) {
        uint32_t count = 0;
        while (count < MEMBERS && wend_fleet_add(fleet, squad, cell, &member, NULL) == WEND_OK) count++;
        if (count == MEMBERS) bytes = (double)wend_fleet_squad_bytes(fleet, squad) / MEMBERS;
    }
    wend_fleet_destroy(fleet);
    return bytes;
}

static wend_status walk(const agents_run *run, wend_agent *agent, double *bytes, wend_error *error) {
    size_t count = wend_scenario_count(run->problems);
    *bytes = 0;
    for (size_t i = 0; i < count; i++) {
        const wend_problem *problem = wend_scenario_at(run->problems, i);
        wend_status status =
            wend_agent_start(agent, wend_map_cell(run->map, problem->start.x, problem->start.y),
                             wend_map_cell(run->map, problem->goal.x, problem->goal.y), error);
        if (status != WEND_OK) return status;
        for (uint32_t step = 0; step < MOST_STEPS; step++) {
            wend_outcome outcome = wend_agent_step(agent).outcome;
            if (outcome != WEND_STEP_MOVED && outcome != WEND_STEP_WAITING) break;
        }
        *bytes += (double)wend_agent_counters(agent).peak_bytes / (double)count;
    }
    return WEND_OK;
}

static wend_status measure(agents_run *run, agents_row *row, wend_error *error) {
    wend_settings *settings = NULL;
    wend_db *db = NULL;
    wend_agent *agent = NULL;
    wend_agent_options with = wend_default_agent_options();
    wend_status status = wend_settings_parse(row->planner, NULL, &settings, error);
    if (status == WEND_OK && row->base) status = make_base(run, row, &db, error);
    with.db = db;
    if (status == WEND_OK) status = wend_agent_create(run->world, settings, &with, &agent, error);
    if (status == WEND_OK) status = walk(run, agent, &row->own_bytes, error);
    if (status == WEND_OK && strcmp(wend_settings_info(settings)->name, "cpd") == 0)
        row->own_bytes = fmin(row->own_bytes, fleet_bytes(run, settings, db));
    wend_settings_destroy(settings);
    wend_agent_destroy(agent);
    wend_db_close(db);
    return status;
}

static double together(const agents_row *row, double agents) {
    return row->base_bytes + agents * row->own_bytes;
}

static double break_even(const agents_row *row, const agents_row *tba) {
    if (row == tba || row->own_bytes >= tba->own_bytes) return NAN;
    return floor(row->base_bytes / (tba->own_bytes - row->own_bytes)) + 1;
}

static void add_plot(tool_report *report, const agents_row *rows, size_t count) {
    static const double agents[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000};
    enum { POINTS = sizeof agents / sizeof *agents };
    tool_report_plot *plot = tool_report_add_plot(report, "Section 8.7: memory of K agents on one small map",
                                                  "agents", "KB, the database included", agents, POINTS);
    for (size_t i = 0; i < count; i++) {
        double kb[POINTS];
        for (size_t j = 0; j < POINTS; j++) kb[j] = together(&rows[i], agents[j]) / 1024;
        tool_report_add_line(plot, rows[i].label, kb, (int)i, false);
    }
    tool_report_scatter(plot, true, true);
}

static void add_table(tool_report *report, const agents_row *rows, size_t count) {
    static const tool_report_column columns[] = {
        {"planner", "algorithm", true, false},          {"base_kb", "KB of the file", false, false},
        {"own_bytes", "bytes an agent", false, false},  {"agents_1_kb", "KB of 1 agent", false, false},
        {"agents_100_kb", "KB of 100", false, false},   {"agents_10000_kb", "KB of 10,000", false, false},
        {"agents", "agents, real bytes", false, false},
    };
    tool_report_table *table = tool_report_add_table(
        report, "section-8-7",
        "Section 8.7: memory of K agents on one small map; from how many on it is less than for TBA*",
        columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < count; i++) {
        const tool_report_cell cells[] = {
            tool_report_text_cell(rows[i].label),
            tool_report_number_cell(rows[i].base_bytes / 1024, 1),
            tool_report_number_cell(rows[i].own_bytes, 0),
            tool_report_number_cell(together(&rows[i], 1) / 1024, 1),
            tool_report_number_cell(together(&rows[i], 100) / 1024, 1),
            tool_report_number_cell(together(&rows[i], 10000) / 1024, 1),
            tool_report_number_cell(break_even(&rows[i], &rows[0]), 0),
        };
        tool_report_add_row(table, cells, false);
    }
}

void jair_add_agents(const tool_paper_options *options, tool_report *report) {
    agents_row rows[] = {
        {"TBA*(100)", "tba:k=100", NULL, 0, 0},
        {"kNN LRTA*(2000)", "knn:db=-", "knn:records=2000", 0, 0},
        {"D LRTA*(3)", "dlrta:db=-", "dlrta:level=3", 0, 0},
        {"subgoal trees", "subgoal-tree:db=-", "subgoal-tree", 0, 0},
        {"path database", "cpd:db=-", "cpd", 0, 0},
        {"atlas", "atlas:db=-", "atlas", 0, 0},
    };
    enum { ROWS = sizeof rows / sizeof *rows };
    agents_run run = {.options = options};
    wend_error error = {.status = WEND_OK};
    wend_status status = open_run(&run, &error);
    for (size_t i = 0; i < ROWS && status == WEND_OK; i++) status = measure(&run, &rows[i], &error);
    if (status == WEND_OK) {
        add_table(report, rows, ROWS);
        add_plot(report, rows, ROWS);
        tool_report_note(
            report,
            "Section 8.7 has all planners on a generated city of %d x %d cells, %zu problems: bytes of the "
            "file, and the most that an agent had in use, its share of a workspace included; of the path "
            "database, those of a member of a fleet.",
            (int)wend_map_width(run.map), (int)wend_map_height(run.map), wend_scenario_count(run.problems));
    } else {
        tool_report_note(report, "Section 8.7 could not be measured: %s.", error.message);
    }
    close_run(&run);
}

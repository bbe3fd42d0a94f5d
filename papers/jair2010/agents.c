/* Section 8.7 of jair2010 for planners that it did not know yet: what K agents on one map take together, the
 * database and K times what each has in use, and from how many agents on that is less than with TBA*. Path
 * databases and subgoal trees are not for maps of millions of cells, so all of them are measured on a small
 * generated city. */
#include "jair2010/jair2010.h"

#include <math.h>

enum { TBA, KNN, DLRTA, TREES, PATHS, ATLAS, ROWS };

#define ROW(key, label, base, planner) "agents-" key, label, NULL, base, planner, 1, 1, true, 0, 0, 0, 0, NULL
static const tool_paper_row rows[ROWS] = {
    {ROW("tba", "TBA*(100)", NULL, "tba:k=100")},
    {ROW("knn", "kNN LRTA*(2000)", "knn:records=2000", "knn")},
    {ROW("dlrta", "D LRTA*(3)", "dlrta:level=3", "dlrta")},
    {ROW("trees", "subgoal trees", "subgoal-tree", "subgoal-tree")},
    {ROW("cpd", "path database", "cpd", "cpd")},
    {ROW("atlas", "atlas", "atlas", "atlas")},
};

#define CITY(side)                                                                                           \
    .set = "generated", .name = "city", .kind = WEND_MAP_CITY, .width = (side), .height = (side),            \
    .min_length = (side) / 2.0
static const tool_paper_map city = {CITY(192)}, quick_city = {CITY(64)};

#define PLAN(map)                                                                                            \
    .name = "jair2010", .rows = rows, .row_count = ROWS, .maps = &(map), .map_count = 1, .problems = 60,     \
    .quick_problems = 20, .timed_part = 1, .max_moves = 1000000, .map_first = true
static const tool_paper_plan plan = {PLAN(city)}, quick_plan = {PLAN(quick_city)};

int jair_agents_measure(const tool_paper_rows *run, tool_paper_store *store) {
    jair_own *own = run->own;
    own->few = *run->options;
    own->few.maps = NULL, own->few.problems = 0, own->few.ms_problems = 0;
    int result = tool_paper_open_rows(own->few.quick ? &quick_plan : &plan, &own->few, &own->agents);
    return result == TOOL_DONE ? tool_paper_measure_rows(&own->agents, store) : result;
}

/* What a member of a fleet has, without workspaces. */
static double fleet_bytes(const wend_map *map, const wend_scenario *problems, const wend_db *db) {
    enum { MEMBERS = 1024 };
    wend_fleet_options options = wend_default_fleet_options();
    wend_squad_options with = wend_default_squad_options();
    wend_fleet *fleet = NULL;
    wend_settings *settings = NULL;
    uint32_t squad;
    wend_member member;
    options.max_members = MEMBERS, options.lanes = 1;
    options.budget = UINT64_C(1) << 40;
    with.agent.db = db;
    const wend_problem *problem = wend_scenario_at(problems, 0);
    wend_cell cell = wend_map_cell(map, problem->start.x, problem->start.y);
    double bytes = INFINITY;
    if (wend_settings_parse("cpd:db=-", NULL, &settings, NULL) == WEND_OK &&
        wend_fleet_create(map, &options, &fleet, NULL) == WEND_OK &&
        wend_fleet_add_squad(fleet, settings, &with, &squad, NULL) == WEND_OK) {
        uint32_t count = 0;
        while (count < MEMBERS && wend_fleet_add(fleet, squad, cell, &member, NULL) == WEND_OK) count++;
        if (count == MEMBERS) bytes = (double)wend_fleet_squad_bytes(fleet, squad) / MEMBERS;
    }
    wend_settings_destroy(settings);
    wend_fleet_destroy(fleet);
    return bytes;
}

/* What an agent has at rest. The runner does not hear of that where all steps were parts of known runs, as
 * with an atlas. */
static double resting_bytes(const tool_paper_rows *run, int row) {
    const tool_paper_ground *ground = run->grounds;
    wend_cell cell = tool_paper_cell(ground, wend_scenario_at(ground->problems, 0)->start);
    wend_settings *settings = NULL;
    tool_runner *runner = tool_paper_runner(ground, run->planners[row], NULL, &settings);
    wend_step step;
    double bytes = 0;
    if (runner && tool_runner_start(runner, cell, cell) == WEND_OK) {
        tool_runner_step(runner, &step);
        bytes = (double)tool_runner_online_bytes(runner);
    }
    tool_runner_destroy(runner);
    wend_settings_destroy(settings);
    return bytes;
}

/* The mean of the problems' peaks. */
static double agent_bytes(const tool_paper_rows *run, int row) {
    const tool_paper_job *job = tool_paper_jobs_of(run, row);
    double sum = 0, least = resting_bytes(run, row);
    for (size_t i = 0; i < job->count; i++) sum += fmax(least, (double)job->results[i].online_bytes);
    return sum / (double)job->count;
}

typedef struct agents_row {
    const char *label;
    double base, own; /* bytes of the database, and of an agent: the mean of the problems' peaks; in a fleet,
                         where that is less */
    double together[3], break_even;
} agents_row;

#define OF(field) TOOL_PAPER_FIELD(agents_row, field)
#define KB(field) TOOL_PAPER_FIELD_OF(agents_row, field, 1024, NULL)
static const tool_paper_column columns[] = {
    {"planner", "algorithm", 0, OF(label)},
    {"base_kb", "KB of the file", 1, KB(base)},
    {"own_bytes", "bytes per agent", 0, OF(own)},
    {"agents_1_kb", "KB of 1 agent", 1, KB(together[0])},
    {"agents_100_kb", "KB of 100", 1, KB(together[1])},
    {"agents_10000_kb", "KB of 10,000", 1, KB(together[2])},
    {"agents", "agents, real bytes", 0, OF(break_even)},
};

static double together(const agents_row *row, double agents) {
    return row->base + agents * row->own;
}

static void take_row(const tool_paper_rows *run, int number, agents_row *row, const agents_row *tba) {
    const tool_paper_base *base = tool_paper_base_of(run, number, 0);
    *row =
        (agents_row){rows[number].label, base ? (double)base->bytes : 0, agent_bytes(run, number), {0}, NAN};
    if (number == PATHS)
        row->own =
            fmin(row->own, fleet_bytes(run->maps[0].map, run->maps[0].problems, tool_db_opened(base->db)));
    for (int i = 0; i < 3; i++) row->together[i] = together(row, pow(100, i));
    if (row != tba && row->own < tba->own) row->break_even = floor(row->base / (tba->own - row->own)) + 1;
}

static void add_plot(tool_report *report, const agents_row *of) {
    static const double agents[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000};
    enum { POINTS = sizeof agents / sizeof *agents };
    tool_report_plot *plot = tool_report_add_plot(report, "Section 8.7: memory of K agents on one small map",
                                                  "agents", "KB, the database included", agents, POINTS);
    for (int i = 0; i < ROWS; i++) {
        double kb[POINTS];
        for (size_t j = 0; j < POINTS; j++) kb[j] = together(&of[i], agents[j]) / 1024;
        tool_report_add_line(plot, of[i].label, kb, i, false);
    }
    tool_report_scatter(plot, true, true);
}

void jair_agents_report(const tool_paper_rows *run, tool_report *report) {
    const tool_paper_rows *agents = &((const jair_own *)run->own)->agents;
    agents_row of[ROWS];
    const tool_paper_table table = tool_paper_begin_table(
        report, NULL, "section-8-7",
        "Section 8.7: memory of K agents on one small map; from how many on it is less than for TBA*",
        TOOL_PAPER_LIST(columns));
    for (int i = 0; i < ROWS; i++) {
        take_row(agents, i, &of[i], &of[TBA]);
        tool_paper_add_row(&table, &of[i], false);
    }
    add_plot(report, of);
    tool_report_note(
        report,
        "Section 8.7 has all planners on a generated city of %d x %d cells, %zu problems: bytes of the "
        "file, and the most that an agent had in use, its share of a workspace included; of the path "
        "database, those of a member of a fleet.",
        (int)wend_map_width(agents->maps[0].map), (int)wend_map_height(agents->maps[0].map),
        agents->problems);
}

/* Bulitko, Bjornsson and Lawrence, "Case-based subgoaling in real-time heuristic search" (JAIR 39, 2010):
 * tables 1 to 7, figures 12 to 15, footnote 4 and the record fragments of section 6.2; and as table 8 what
 * has come after it.
 *
 * The paper's maps, levels of Counter-Strike with 9 to 13 million open cells, are not public. Ours are public
 * maps scaled up to 8 to 13 million: they are as large, but their walls are other walls, so that the paper's
 * figures tell what to expect and no more. What must come out is the order of things.
 *
 * All costs are the paper's, 1 and 1.4, whatever --diagonal says. LRTA* that learns may walk for very long:
 * runs are cut after MOST_MOVES, and counted. Times a move are measured on some of the problems, apart from
 * the rest, with the machine for themselves. */
#include "jair2010/jair2010.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Moves after which a timed run is cut: an agent that learns may go to and fro for long, and times a move can
 * be had from the beginning of that. Any other run is cut after thousands of times the shortest ways. */
enum { MOST_TIMED_MOVES = 100000, MOST_MOVES = 20000000, QUICK_MOST_MOVES = 2000000 };

#define MAP(folder, map, side, what, by)                                                                     \
    .set = (folder), .name = (map), .width = (side), .height = (side), .kind = (what), .coarse = 4,          \
    .scale = (by), .min_length = 1000, .max_length = 3000
static const tool_paper_map maps[JAIR_MAPS] = {
    {MAP("cities", "Boston_0_1024", 1024, WEND_MAP_CITY, 4)},
    {MAP("cities", "London_0_1024", 1024, WEND_MAP_CITY, 4)},
    {MAP("sc1", "WheelofWar", 768, WEND_MAP_CAVES, 5)},
    {MAP("sc1", "Enigma", 768, WEND_MAP_CAVES, 6)},
};

/* What is wanted ---------------------------------------------------------------------------------------- */

bool jair_all_tables(const tool_paper_options *options) {
    bool all = true;
    for (int i = 0; i < JAIR_TABLES; i++) all = all && options->tables[i];
    return all;
}

jair_compared jair_compared_keys(const tool_paper_options *options) {
    return options->quick ? (jair_compared){"knn-10000", "dlrta-12", "tba-100"}
                          : (jair_compared){"knn-60000", "dlrta-9", "tba-100"};
}

bool jair_is(const tool_paper_row *row, const char *key) {
    return strcmp(row->key, key) == 0;
}

/* Tables 2 and 3 are about databases; table 6 compares those with a TBA*, all of which take the same memory;
 * what is beyond the tables comes with all of them. */
static bool wants(const tool_paper_options *options, const tool_paper_row *row) {
    const bool *tables = options->tables, after = tables[JAIR_AFTER_TABLE];
    if (row->when == (options->quick ? JAIR_WHOLE : JAIR_QUICK)) return false;
    if (row->part == JAIR_AFTER) return after;
    if (row->part == JAIR_BEYOND && after && strstr(row->key, "0000-even-tba")) return true;
    if (row->part != JAIR_PAPER) return jair_all_tables(options);
    const jair_compared keys = jair_compared_keys(options);
    bool tba = jair_is(row, keys.tba), base = row->base != NULL;
    bool compared = tba || jair_is(row, keys.knn) || jair_is(row, keys.dlrta);
    return tables[0] || tables[3] || tables[4] || ((tables[1] || tables[2]) && base) ||
           (tables[5] && (base || tba)) || ((tables[6] || after) && compared);
}

const jair_figures *jair_find(const tool_paper_rows *run, const char *key) {
    const jair_figures *figures = jair_figures_of(run);
    for (size_t i = 0; key && i < JAIR_ROWS; i++)
        if (figures[i].of.wanted && jair_is(&jair_rows[i], key)) return &figures[i];
    return NULL;
}

/* What came out ----------------------------------------------------------------------------------------- */

enum { STATE_BYTES = 4, LOOKAHEAD_STATES = 9 }; /* the paper's: an index; a state and its neighbours */

/* States in memory as the paper counts them: at most so many open and closed, and those with a learnt h. */
static double states_of(const tool_paper_row *row, const tool_paper_result *result) {
    if (row->family == JAIR_TBA || row->family == JAIR_ASTAR) return (double)result->cells;
    if (row->family == JAIR_JPS || row->family == JAIR_ATLAS) /* bytes, as states */
        return (double)result->online_bytes / STATE_BYTES;
    /* A fallback on TBA* learns nothing and has open and closed states. */
    bool searches = strstr(row->planner, "fallback=tba") != NULL;
    return LOOKAHEAD_STATES + (double)(searches ? result->cells : result->learnt);
}

static void take_memory(const tool_paper_job *jobs, jair_figures *figures) {
    double states = 0, own = 0, alone = 0, count = figures->of.all.problems;
    for (size_t map = 0; map < JAIR_MAPS; map++)
        for (size_t i = 0; i < jobs[map].count; i++) {
            const tool_paper_result *result = &jobs[map].results[i];
            states += states_of(figures->of.row, result);
            if (!result->cells) own += (double)result->online_bytes, alone++;
        }
    figures->strict_kb = states * STATE_BYTES / 1024 / count;
    figures->own_bytes = own / alone;
    figures->without = 100 * (count - alone) / count;
}

/* The least number of agents with a database that take less memory than as many with TBA*. */
static double break_even(double base, double one, double tba) {
    return tba > one ? floor(base / (tba - one)) + 1 : NAN;
}

static void derive(const tool_paper_rows *run, jair_figures *figures) {
    tool_paper_figures *of = &figures->of;
    const jair_figures *tba = jair_find(run, jair_compared_keys(run->options).tba);
    const double online = of->all.online_bytes / 1024, file = of->bytes / 1024;
    figures->base_kb = of->states * STATE_BYTES / 1024, figures->base_mb = figures->base_kb / 1024;
    figures->file_mb = file / 1024;
    figures->kb = figures->strict_kb + (of->row->base ? figures->base_kb : 0);
    figures->real_kb = online + (of->row->base ? file : 0);
    figures->times_faster = 3600 * tool_paper_printed("jair2010", of->key, "hours") / of->seconds;
    figures->agents = tba ? break_even(figures->base_kb, figures->strict_kb, tba->strict_kb) : NAN;
    figures->agents_real = tba ? break_even(file, online, tba->of.all.online_bytes / 1024) : NAN;
}

static bool tell(const tool_paper_rows *run, tool_report *report) {
    jair_own *own = run->own;
    for (int i = 0; i < JAIR_ROWS; i++) {
        own->figures[i].of = run->figures[i];
        if (run->figures[i].wanted) take_memory(tool_paper_jobs_of(run, i), &own->figures[i]);
    }
    for (int i = 0; i < JAIR_ROWS; i++)
        if (run->figures[i].wanted) derive(run, &own->figures[i]);
    jair_report(run, report);
    return true;
}

/* The whole --------------------------------------------------------------------------------------------- */

static int measure_more(tool_paper_rows *run, tool_paper_store *store) {
    const tool_paper_options *options = run->options;
    int result = options->tables[5] ? jair_agents_measure(run, store) : TOOL_DONE;
    if (result == TOOL_DONE && options->tables[JAIR_AFTER_TABLE]) result = jair_beyond_measure(run, store);
    return result;
}

static int run_paper(const tool_paper_options *options, tool_report *report) {
    static const tool_paper_plan plan = {.name = "jair2010",
                                         .rows = jair_rows,
                                         .row_count = JAIR_ROWS,
                                         .maps = maps,
                                         .map_count = JAIR_MAPS,
                                         .stand_ins = true,
                                         .problems = 250,
                                         .quick_problems = 25,
                                         .timed_part = 10,
                                         .max_moves = MOST_MOVES,
                                         .quick_max_moves = QUICK_MOST_MOVES,
                                         .max_timed_moves = MOST_TIMED_MOVES,
                                         .map_first = true,
                                         .wants = wants,
                                         .more = measure_more,
                                         .tell = tell};
    tool_paper_options with_costs = *options;
    with_costs.map.rules.diagonal = WEND_DIAGONAL_1_4;
    jair_own *own = calloc(1, sizeof *own);
    if (!own) return tool_wrong("out of memory");
    int result = tool_paper_run_rows(&plan, &with_costs, own, report);
    tool_paper_close_rows(&own->others);
    tool_paper_close_rows(&own->agents);
    free(own);
    return result;
}

const tool_paper tool_paper_jair2010 = {
    .name = "jair2010",
    .title = "Case-based subgoaling in real-time heuristic search (JAIR 2010), measured again",
    .tables = JAIR_TABLES,
    .run = run_paper,
};

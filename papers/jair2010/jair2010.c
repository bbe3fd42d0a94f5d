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

enum { PROBLEMS = 250, QUICK_PROBLEMS = 25 };
enum { TIMED_PART = 10 };                                   /* one problem in so many is timed */
enum { MOST_MOVES = 20000000, QUICK_MOST_MOVES = 2000000 }; /* thousands of times the shortest ways */
enum { PLANNER_TEXT = TOOL_PAPER_PATH + 256 };

static const tool_paper_map paper_maps[JAIR_MAPS] = {
    {.set = "cities",
     .name = "Boston_0_1024",
     .width = 1024,
     .height = 1024,
     .kind = WEND_MAP_CITY,
     .coarse = 4,
     .scale = 4,
     .min_length = 1000,
     .max_length = 3000},
    {.set = "cities",
     .name = "London_0_1024",
     .width = 1024,
     .height = 1024,
     .kind = WEND_MAP_CITY,
     .coarse = 4,
     .scale = 4,
     .min_length = 1000,
     .max_length = 3000},
    {.set = "sc1",
     .name = "WheelofWar",
     .width = 768,
     .height = 768,
     .kind = WEND_MAP_CAVES,
     .coarse = 4,
     .scale = 5,
     .min_length = 1000,
     .max_length = 3000},
    {.set = "sc1",
     .name = "Enigma",
     .width = 768,
     .height = 768,
     .kind = WEND_MAP_CAVES,
     .coarse = 4,
     .scale = 6,
     .min_length = 1000,
     .max_length = 3000},
};

/* What is wanted ---------------------------------------------------------------------------------------- */

bool jair_all_tables(const jair_run *run) {
    bool all = true;
    for (int i = 0; i < JAIR_TABLES; i++) all = all && run->options->tables[i];
    return all;
}

jair_compared jair_compared_keys(const jair_run *run) {
    return run->options->quick ? (jair_compared){"knn-10000", "dlrta-12", "tba-100"}
                               : (jair_compared){"knn-60000", "dlrta-9", "tba-100"};
}

/* Tables 2 and 3 are about databases; table 6 compares those with a TBA*, all of which take the same memory;
 * what is beyond the tables comes with all of them. */
static bool is_wanted(const jair_run *run, const jair_setting *setting) {
    const tool_paper_options *options = run->options;
    if (setting->when == (options->quick ? JAIR_WHOLE : JAIR_QUICK)) return false;
    const bool *tables = options->tables;
    if (setting->part == JAIR_AFTER) return tables[JAIR_AFTER_TABLE];
    if (setting->part == JAIR_BEYOND && tables[JAIR_AFTER_TABLE] && strstr(setting->key, "0000-even-tba"))
        return true;
    if (setting->part != JAIR_PAPER) return jair_all_tables(run);
    const jair_compared keys = jair_compared_keys(run);
    bool tba = strcmp(setting->key, keys.tba) == 0, base = setting->base != NULL;
    bool compared = tba || strcmp(setting->key, keys.knn) == 0 || strcmp(setting->key, keys.dlrta) == 0;
    return tables[0] || tables[3] || tables[4] || ((tables[1] || tables[2]) && base) ||
           (tables[5] && (base || tba)) || ((tables[6] || tables[JAIR_AFTER_TABLE]) && compared);
}

const jair_figures *jair_find(const jair_run *run, const char *key) {
    for (size_t i = 0; key && i < jair_setting_count; i++)
        if (run->figures[i].wanted && strcmp(jair_settings[i].key, key) == 0) return &run->figures[i];
    return NULL;
}

/* Databases --------------------------------------------------------------------------------------------- */

/* Expected seconds: records take as long as each other; D LRTA* searches the map once for each region, of
 * which a level has three times as many as the next. */
static double base_weight(const jair_setting *setting) {
    if (setting->family == JAIR_KNN) return 0.0003 * setting->size;
    if (setting->family == JAIR_ATLAS) return 10;
    return 10 + 15 * pow(3, 12 - (double)setting->size);
}

static tool_paper_base *find_base(const jair_run *run, const char *settings,
                                  const tool_paper_ground *ground) {
    for (size_t i = 0; i < run->base_count; i++)
        if (run->bases[i].ground == ground && strcmp(run->bases[i].settings, settings) == 0)
            return &run->bases[i];
    return NULL;
}

/* One for all settings with the same text, map by map. A file is named for the first setting that has it. */
static void list_bases(jair_run *run) {
    for (size_t map = 0; map < JAIR_MAPS; map++)
        for (size_t i = 0; i < jair_setting_count; i++) {
            const jair_setting *setting = &jair_settings[i];
            jair_figures *figures = &run->figures[i];
            if (!figures->wanted || !setting->base) continue;
            tool_paper_base *base = find_base(run, setting->base, &run->grounds[map]);
            if (!base) {
                base = &run->bases[run->base_count++];
                *base = (tool_paper_base){
                    .ground = &run->grounds[map], .settings = setting->base, .weight = base_weight(setting)};
                (void)snprintf(base->name, sizeof base->name, "jair2010-%s-%s", run->maps[map].name,
                               setting->key);
            }
            figures->bases[map] = base;
        }
}

/* Jobs of work ----------------------------------------------------------------------------------------- */

/* Expected milliseconds a problem. */
static double job_weight(const jair_setting *setting) {
    switch (setting->family) {
    case JAIR_DLRTA:
        return 10 * pow(2, (double)setting->size - 8);
    case JAIR_ATLAS:
        return 2;
    case JAIR_KNN:
        return setting->size < 40000 && !strstr(setting->planner, "tba") ? 20 : 2;
    default:
        return 20;
    }
}

/* Both of a setting's jobs on a map. */
static bool list_jobs(jair_run *run, size_t number, tool_paper_result *results) {
    jair_figures *figures = &run->figures[number];
    const jair_setting *setting = figures->setting;
    for (size_t map = 0; map < JAIR_MAPS; map++) {
        char *planner = run->planners + (number * JAIR_MAPS + map) * PLANNER_TEXT;
        if (!figures->bases[map])
            (void)snprintf(planner, PLANNER_TEXT, "%s", setting->planner);
        else if (!tool_paper_base_planner(figures->bases[map], setting->planner, planner, PLANNER_TEXT))
            return false;
        tool_paper_job job = {.ground = &run->grounds[map],
                              .planner = planner,
                              .max_moves = run->most_moves,
                              .count = run->problems,
                              .weight = (double)run->problems * job_weight(setting),
                              .results = results};
        results += run->problems;
        tool_paper_job timed = job;
        timed.max_moves = JAIR_MOST_TIMED_MOVES;
        timed.timed = true;
        timed.count = run->timed_problems;
        timed.weight = 9 * (double)run->timed_problems * fmin(10, job_weight(setting));
        timed.results = results;
        results += run->timed_problems;
        (void)snprintf(job.name, sizeof job.name, "%s/%s", setting->key, run->maps[map].name);
        (void)snprintf(timed.name, sizeof timed.name, "time/%s/%s", setting->key, run->maps[map].name);
        figures->jobs[map] = job, figures->timed[map] = timed;
    }
    return true;
}

static int measure(jair_run *run, tool_paper_store *store) {
    tool_paper_job *jobs = calloc(jair_setting_count * JAIR_MAPS * 2, sizeof *jobs);
    if (!jobs) return tool_wrong("out of memory for the jobs");
    size_t count = 0, room = (run->problems + run->timed_problems) * JAIR_MAPS;
    int result = TOOL_DONE;
    for (size_t i = 0; i < jair_setting_count && result == TOOL_DONE; i++) {
        jair_figures *figures = &run->figures[i];
        if (!figures->wanted) continue;
        if (!list_jobs(run, i, run->results + i * room)) result = TOOL_WRONG;
        memcpy(jobs + count, figures->jobs, sizeof figures->jobs);
        count += JAIR_MAPS;
        if (!run->timed_problems) continue;
        memcpy(jobs + count, figures->timed, sizeof figures->timed);
        count += JAIR_MAPS;
    }
    if (result == TOOL_DONE) result = tool_paper_run_jobs(run->options, "problems", store, jobs, count);
    free(jobs);
    return result;
}

/* What came out ----------------------------------------------------------------------------------------- */

enum { STATE_BYTES = 4, LOOKAHEAD_STATES = 9 }; /* the paper's: an index; a state and its neighbours */

/* States in memory as the paper counts them: at most so many open and closed, and those with a learnt h. */
static double states_of(const jair_setting *setting, const tool_paper_result *result) {
    if (setting->family == JAIR_TBA || setting->family == JAIR_ASTAR) return (double)result->cells;
    /* A fallback on TBA* learns nothing and has open and closed states. */
    if (setting->family == JAIR_JPS || setting->family == JAIR_ATLAS) /* bytes, as states */
        return (double)result->online_bytes / STATE_BYTES;
    bool searches = strstr(setting->planner, "fallback=tba") != NULL;
    return LOOKAHEAD_STATES + (double)(searches ? result->cells : result->learnt);
}

static void take_memory(jair_figures *figures) {
    double states = 0, own = 0;
    size_t count = 0, alone = 0;
    for (size_t map = 0; map < JAIR_MAPS; map++)
        for (size_t i = 0; i < figures->jobs[map].count; i++, count++) {
            const tool_paper_result *result = &figures->jobs[map].results[i];
            states += states_of(figures->setting, result);
            if (result->cells) continue;
            own += (double)result->online_bytes;
            alone++;
        }
    figures->strict_kb = states * STATE_BYTES / 1024 / (double)count;
    figures->own_bytes = alone ? own / (double)alone : NAN;
    figures->without = 100 * (double)(count - alone) / (double)count;
}

/* As the paper has it for A*: a problem's planning time over its moves, and the mean of that. */
static void take_times(jair_figures *figures) {
    double sum = 0;
    size_t count = 0;
    for (size_t map = 0; map < JAIR_MAPS; map++)
        for (size_t i = 0; i < figures->timed[map].count; i++, count++) {
            const tool_paper_result *result = &figures->timed[map].results[i];
            sum += (double)result->plan_ns / 1000 / (double)(result->moves ? result->moves : 1);
        }
    figures->us = count ? sum / (double)count : NAN;
}

static void take_base(const jair_run *run, jair_figures *figures) {
    double most_seconds = 0, most_bytes = 0, seconds = 0, records = 0, relative = 0, states = 0, bytes = 0;
    if (!figures->setting->base) {
        figures->seconds = figures->seconds_most = figures->records = figures->relative = NAN;
        figures->base_kb = figures->file_kb = figures->file_most_kb = NAN;
        return;
    }
    for (size_t map = 0; map < JAIR_MAPS; map++) {
        const tool_paper_base *base = figures->bases[map];
        const wend_map *grid = run->maps[map].map;
        double share = tool_paper_base_fact(base, "relative_size");
        seconds += base->seconds, bytes += (double)base->bytes;
        records += tool_paper_base_fact(base, "records"), relative += share;
        states += share * wend_map_width(grid) * wend_map_height(grid);
        if (!(base->seconds <= most_seconds)) most_seconds = base->seconds;
        most_bytes = fmax(most_bytes, (double)base->bytes);
    }
    figures->seconds = seconds / JAIR_MAPS, figures->seconds_most = most_seconds;
    figures->records = records / JAIR_MAPS, figures->relative = relative / JAIR_MAPS;
    figures->base_kb = states * STATE_BYTES / 1024 / JAIR_MAPS;
    figures->file_kb = bytes / 1024 / JAIR_MAPS, figures->file_most_kb = most_bytes / 1024;
}

double jair_break_even(const jair_figures *figures, const jair_figures *tba, bool real) {
    double base = real ? figures->file_kb : figures->base_kb;
    double one = real ? figures->summary.online_bytes / 1024 : figures->strict_kb,
           other = real ? tba->summary.online_bytes / 1024 : tba->strict_kb;
    return other > one ? floor(base / (other - one)) + 1 : NAN;
}

static bool take_figures(jair_run *run) {
    for (size_t i = 0; i < jair_setting_count; i++) {
        jair_figures *figures = &run->figures[i];
        if (!figures->wanted) continue;
        if (!tool_paper_summarise(figures->jobs, JAIR_MAPS, &figures->summary) ||
            !tool_paper_summarise(figures->timed, JAIR_MAPS, &figures->times))
            return false;
        take_memory(figures);
        take_times(figures);
        take_base(run, figures);
    }
    return true;
}

/* The whole --------------------------------------------------------------------------------------------- */

/* Opens the store first, so that what would be refused is refused before hours of building. */
static int run_with(jair_run *run, tool_report *report) {
    const tool_paper_options *options = run->options;
    const tool_knowledge known = {.kind = TOOL_KNOWN, .radius = 1};
    if (!tool_paper_open_maps(options, run->problems, run->maps, JAIR_MAPS) ||
        !tool_paper_open_grounds(options, run->maps, JAIR_MAPS, &known, run->grounds))
        return TOOL_WRONG;
    char head[2048];
    tool_paper_write_head(options, "jair2010", run->problems, run->maps, JAIR_MAPS, head, sizeof head);
    size_t used = strlen(head);
    (void)snprintf(head + used, sizeof head - used, "timed_problems %zu\nmost_moves %llu %llu\n",
                   run->timed_problems, (unsigned long long)run->most_moves,
                   (unsigned long long)JAIR_MOST_TIMED_MOVES);
    tool_paper_store *store = tool_paper_store_open(options, "jair2010", head);
    if (!store) return TOOL_WRONG;
    list_bases(run);
    int result = tool_paper_open_bases(options, run->bases, run->base_count);
    if (result == TOOL_DONE) result = measure(run, store);
    if (result == TOOL_DONE && options->tables[JAIR_AFTER_TABLE]) result = jair_beyond_measure(run, store);
    if (result == TOOL_DONE && !(tool_paper_store_finish(store) && take_figures(run))) result = TOOL_WRONG;
    if (result == TOOL_DONE) jair_report(run, report);
    jair_beyond_close(run);
    tool_paper_close_bases(run->bases, run->base_count);
    tool_paper_store_close(store);
    return result;
}

static int run_paper(const tool_paper_options *options, tool_report *report) {
    tool_paper_options own = *options;
    own.map.rules.diagonal = WEND_DIAGONAL_1_4;
    jair_run run = {.options = &own};
    memcpy(run.maps, paper_maps, sizeof run.maps);
    run.problems = options->problems ? options->problems : options->quick ? QUICK_PROBLEMS : PROBLEMS;
    run.timed_problems =
        options->ms_problems < SIZE_MAX ? options->ms_problems : (run.problems + TIMED_PART - 1) / TIMED_PART;
    if (run.timed_problems > run.problems) run.timed_problems = run.problems;
    run.most_moves = options->quick ? QUICK_MOST_MOVES : MOST_MOVES;
    size_t planners = jair_setting_count * JAIR_MAPS;
    run.figures = calloc(jair_setting_count, sizeof *run.figures);
    run.bases = calloc(planners, sizeof *run.bases);
    run.planners = calloc(planners, PLANNER_TEXT);
    run.results = calloc(planners * (run.problems + run.timed_problems), sizeof *run.results);
    int result;
    if (!run.figures || !run.bases || !run.planners || !run.results) {
        result = tool_wrong("out of memory for the results");
    } else {
        for (size_t i = 0; i < jair_setting_count; i++) {
            run.figures[i].setting = &jair_settings[i];
            run.figures[i].wanted = is_wanted(&run, &jair_settings[i]);
        }
        result = run_with(&run, report);
    }
    free(run.results);
    free(run.planners);
    free(run.bases);
    free(run.figures);
    tool_paper_close_grounds(run.grounds, JAIR_MAPS);
    tool_paper_close_maps(run.maps, JAIR_MAPS);
    return result;
}

const tool_paper tool_paper_jair2010 = {
    .name = "jair2010",
    .title = "Case-based subgoaling in real-time heuristic search (JAIR 2010), measured again",
    .tables = JAIR_TABLES,
    .run = run_paper,
};

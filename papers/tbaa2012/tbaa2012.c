/* Hernandez, Baier, Uras and Koenig, "Time-Bounded Adaptive A*" (AAMAS 2012): tables 1 to 3. Time intervals
 * and movements under the game time model for five lengths of the interval, in known terrain, in terrain of
 * which nothing is known at first, and in terrain where 15 per cent of the open cells are blocked that the
 * agent believes open.
 *
 * A machine of today expands many more cells in a millisecond than one of 2012. So each table comes twice.
 * Once with intervals of counted expansions: k for 0.3 ms, 2 k for 0.6 and so on. k is chosen such that A*
 * stands for as many intervals in known terrain as in the paper (584 - 545 = 39). And once with intervals of
 * real milliseconds. What must come out is judged in the first. The paper draws its problems at random and
 * does not list them: ours are other problems on the same maps.
 *
 * The paper lets a unit step to any of its eight open neighbours (our `any`); all papers are measured with
 * `strict`, the benchmark's own rule, unless set otherwise. How far agents go astray in terrain that they do
 * not know depends on that rule, so the moves that are compared with the paper's are also measured under its
 * own.
 *
 * That planners that search before they walk make the same moves whatever the interval is not made use of to
 * save four runs of five: within an interval's budget come the reading of the path and the nodes of the queue
 * that are out of date, so the number of intervals does not follow from the sizes of the searches alone. */
#include "tbaa2012/tbaa2012.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PROBLEMS = 300, QUICK_PROBLEMS = 30 };
enum { MS_PART = 30 }; /* one problem in so many is run by the clock: that takes real time */

static const double paper_delay = 39; /* of A* at 0.3 ms */
const double tbaa_lengths[TBAA_LENGTHS] = {0.3, 0.6, 0.9, 1.2, 1.5};

/* TBA* and similar in the paper's own form, whose tracing costs no expansions. */
static const tbaa_planner known[] = {{"RTAA*", "rtaa", TBAA_FILLS},
                                     {"daRTAA*", "dartaa", TBAA_FILLS},
                                     {"TBA*", "tba:trace=free", TBAA_PAUSES},
                                     {"A*", "astar", TBAA_STANDS}},
                          others[] = {{"RTAA*", "rtaa", TBAA_FILLS},
                                      {"daRTAA*", "dartaa", TBAA_FILLS},
                                      {"RTBA*", "rtba:trace=free", TBAA_PAUSES},
                                      {"TBAA*", "tbaa:trace=free", TBAA_PAUSES},
                                      {"Repeated A*", "repeated-astar", TBAA_STANDS},
                                      {"Adaptive A*", "adaptive-astar", TBAA_STANDS},
                                      {"D* Lite", "dstar-lite", TBAA_STANDS}};

const tbaa_table tbaa_tables[TBAA_TABLES] = {
    {.number = 1,
     .key = "known",
     .terrain = "known terrain",
     .names = {"expansions", "milliseconds"},
     .knowledge = {.kind = TOOL_KNOWN, .radius = 1},
     .planners = known,
     .count = 4},
    {.number = 2,
     .key = "unknown",
     .terrain = "initially unknown terrain",
     .names = {"unknown-expansions", "unknown-milliseconds", "unknown-corners"},
     .knowledge = {.kind = TOOL_UNKNOWN, .radius = 1},
     .planners = others,
     .count = 7},
    {.number = 3,
     .key = "partial",
     .terrain = "partly unknown terrain",
     .names = {"partial-expansions", "partial-milliseconds", "partial-corners"},
     .knowledge = {.kind = TOOL_PARTIAL, .percent = 15, .radius = 1},
     .planners = others,
     .count = 7},
};

double tbaa_printed(const tbaa_table *table, int planner, const char *figure, int length) {
    char row[64], column[16];
    (void)snprintf(row, sizeof row, "%d %s %s", table->number, table->planners[planner].label, figure);
    (void)snprintf(column, sizeof column, "%.1f", tbaa_lengths[length]);
    return tool_paper_printed("tbaa2012", row, column);
}

#define MAP(folder, map, wide, high)                                                                         \
    .set = (folder), .name = (map), .width = (wide), .height = (high), .kind = WEND_MAP_CAVES
static const tool_paper_map paper_maps[TBAA_MAPS] = {
    {MAP("sc1", "Enigma", 768, 768)},     {MAP("sc1", "Inferno", 768, 768)},
    {MAP("sc1", "WheelofWar", 768, 768)}, {MAP("dao", "orz103d", 463, 456)},
    {MAP("dao", "orz702d", 718, 939)},    {MAP("dao", "orz703d", 652, 502)},
};

/* What is wanted of the tables -------------------------------------------------------------------------- */

bool tbaa_came_before(const tool_paper_options *options, int table, int planner) {
    const char *text = tbaa_tables[table].planners[planner].text;
    for (int before = 0; before < table; before++)
        for (int i = 0; options->tables[before] && i < tbaa_tables[before].count; i++)
            if (strcmp(tbaa_tables[before].planners[i].text, text) == 0) return true;
    return false;
}

void tbaa_add_word(char *list, size_t size, const char *word, size_t length) {
    size_t used = strlen(list);
    (void)snprintf(list + used, size - used, "%s%.*s", used ? ", " : "", (int)length, word);
}

/* By its name alone, without its settings. */
static bool is_planner(const tbaa_planner *planner, const char *word) {
    size_t length = strcspn(planner->text, ":");
    return strlen(word) == length && strncmp(planner->text, word, length) == 0;
}

static bool is_length(int length, const char *word) {
    char text[16];
    (void)snprintf(text, sizeof text, "%.1f", tbaa_lengths[length]);
    return strcmp(text, word) == 0;
}

static bool wants_planner(const tool_paper_options *options, const tbaa_planner *planner) {
    bool wanted = options->planner_count == 0;
    for (int i = 0; i < options->planner_count; i++)
        wanted = wanted || is_planner(planner, options->planners[i]);
    return wanted;
}

static bool wants_length(const tool_paper_options *options, int length) {
    bool wanted = options->length_count == 0;
    for (int i = 0; i < options->length_count; i++) wanted = wanted || is_length(length, options->lengths[i]);
    return wanted;
}

static bool has_planner(const tool_paper_options *options, const char *word) {
    char list[256] = "";
    for (int table = 0; table < TBAA_TABLES; table++)
        for (int i = 0; options->tables[table] && i < tbaa_tables[table].count; i++) {
            const tbaa_planner *planner = &tbaa_tables[table].planners[i];
            if (is_planner(planner, word)) return true;
            if (!tbaa_came_before(options, table, i))
                tbaa_add_word(list, sizeof list, planner->text, strcspn(planner->text, ":"));
        }
    (void)tool_wrong("--planner: there is no '%s' in these tables; there are: %s", word, list);
    return false;
}

static bool has_length(const char *word) {
    char list[64] = "", text[16];
    for (int length = 0; length < TBAA_LENGTHS; length++) {
        if (is_length(length, word)) return true;
        tbaa_add_word(list, sizeof list, text,
                      (size_t)snprintf(text, sizeof text, "%.1f", tbaa_lengths[length]));
    }
    (void)tool_wrong("--length: there is no '%s' in the tables; there are: %s", word, list);
    return false;
}

static bool has_part(const tool_paper_options *options) {
    for (int i = 0; i < options->planner_count; i++)
        if (!has_planner(options, options->planners[i])) return false;
    for (int i = 0; i < options->length_count; i++)
        if (!has_length(options->lengths[i])) return false;
    return true;
}

/* Whether the paper's own rule of corners is another than the one chosen, and so is measured beside it for
 * some planner of this table. */
static bool has_other_rule(const tool_paper_options *options, int table) {
    if (table == 0 || !options->tables[table]) return false;
    bool wanted = false;
    for (int i = 0; i < tbaa_tables[table].count; i++)
        wanted = wanted || (tbaa_tables[table].planners[i].pace == TBAA_STANDS &&
                            wants_planner(options, &tbaa_tables[table].planners[i]));
    return wanted && options->map.rules.connect == 8 && options->map.rules.corners != WEND_CORNERS_ANY;
}

/* k ----------------------------------------------------------------------------------------------------- */

/* The mean number of intervals of k expansions that searches of these sizes take. */
static double mean_delay(const tool_paper_result *searches, size_t count, uint64_t k) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += fmax(1, ceil((double)searches[i].expansions / (double)k));
    return sum / (double)count;
}

/* The k whose delay comes nearest to the paper's. The delay falls as k grows. */
static int choose_k(tbaa_run *run, tool_paper_store *store) {
    size_t all = run->problems * TBAA_MAPS;
    tool_paper_result *searches = calloc(all, sizeof *searches);
    if (!searches) return tool_wrong("out of memory for the results");
    tool_paper_job jobs[TBAA_MAPS];
    for (size_t i = 0; i < TBAA_MAPS; i++) {
        jobs[i] = (tool_paper_job){.ground = &run->chosen.grounds[0][i],
                                   .planner = tbaa_tables[0].planners[TBAA_ASTAR].text,
                                   .count = run->problems,
                                   .weight = 1,
                                   .results = searches + i * run->problems};
        (void)snprintf(jobs[i].name, sizeof jobs[i].name, "k/%s", run->chosen.maps[i].name);
    }
    int result = tool_paper_run_jobs(run->options, "A*, to choose k", store, jobs, TBAA_MAPS);
    if (result == TOOL_DONE) {
        uint64_t low = 1, high = 1;
        while (mean_delay(searches, all, high) > paper_delay) low = high, high *= 2;
        while (low + 1 < high) {
            uint64_t middle = low + (high - low) / 2;
            if (mean_delay(searches, all, middle) > paper_delay)
                low = middle;
            else
                high = middle;
        }
        double above = mean_delay(searches, all, low) - paper_delay,
               below = paper_delay - mean_delay(searches, all, high);
        run->k = above >= 0 && above < below ? low : high;
        run->delay = mean_delay(searches, all, run->k);
    }
    free(searches);
    return result;
}

/* The tables -------------------------------------------------------------------------------------------- */

/* Expected work of a problem, in shortest intervals' worth of searching, by what the paper reports. */
static double expected_work(const tbaa_measured *measured, int planner, int length) {
    double intervals = tbaa_printed(measured->table, planner, "intervals", length), worth = length + 1;
    /* A machine of today does in a third of 0.3 ms what took all of it. */
    double filled = intervals * worth * (measured->form == TBAA_TIMED ? 3 : 1);
    switch (measured->table->planners[planner].pace) {
    case TBAA_FILLS:
        return filled;
    case TBAA_PAUSES:
        return 0.2 * intervals * worth;
    case TBAA_STANDS:
        break;
    }
    return (intervals - tbaa_printed(measured->table, planner, "moves", length)) * worth + 0.02 * intervals;
}

/* Returns how many there are. */
static size_t add_jobs(const tbaa_measured *measured, tool_paper_job *jobs) {
    const tbaa_table *table = measured->table;
    bool by_clock = measured->form == TBAA_TIMED;
    size_t count = 0;
    for (int planner = 0; measured->problems && planner < table->count; planner++)
        for (int length = 0; length < TBAA_LENGTHS; length++)
            for (size_t i = 0; i < TBAA_MAPS && tbaa_has(measured, planner, length); i++, count++) {
                tool_paper_job *job = &jobs[count];
                const tbaa_planner *about = &table->planners[planner];
                *job = (tool_paper_job){
                    .ground = &measured->grounds[i],
                    .planner = about->text,
                    .interval = measured->intervals[length],
                    .count = measured->problems,
                    .weight = (double)measured->problems * expected_work(measured, planner, length),
                    .results = tbaa_results(measured, planner, length) + i * measured->problems};
                char interval[32];
                (void)snprintf(interval, sizeof interval, by_clock ? "%.1fms" : "%.0f",
                               by_clock ? tbaa_lengths[length] : (double)job->interval.expansions);
                (void)snprintf(job->name, sizeof job->name, "%s%s/%s/%s/%s", table->key,
                               measured->form == TBAA_CORNERS ? "-any" : "", about->text, interval,
                               measured->grounds[i].name);
            }
    return count;
}

static bool prepare(tbaa_run *run, int table, tbaa_form form) {
    bool other_rule = form == TBAA_CORNERS;
    tbaa_measured *measured = &run->measured[form][table];
    *measured = (tbaa_measured){.table = &tbaa_tables[table],
                                .form = form,
                                .grounds = (other_rule ? &run->paper : &run->chosen)->grounds[table],
                                .problems = form == TBAA_TIMED ? run->ms_problems : run->problems};
    if (other_rule && !has_other_rule(run->options, table)) measured->problems = 0;
    for (int i = 0; i < measured->table->count; i++)
        measured->planners[i] = wants_planner(run->options, &measured->table->planners[i]);
    for (int i = 0; i < TBAA_LENGTHS; i++) {
        measured->lengths[i] = wants_length(run->options, i);
        uint64_t parts = (uint64_t)i + 1;
        if (form == TBAA_TIMED)
            measured->intervals[i].nanoseconds = 300000 * parts;
        else
            measured->intervals[i].expansions = run->k * parts;
    }
    size_t count = (size_t)measured->table->count * TBAA_LENGTHS * TBAA_MAPS * measured->problems;
    measured->results = calloc(count ? count : 1, sizeof *measured->results);
    if (!measured->results) (void)tool_wrong("out of memory for the results");
    return measured->results != NULL;
}

static int measure(tbaa_run *run, tool_paper_store *store) {
    enum { MOST = TBAA_TABLES * TBAA_FORMS * TBAA_PLANNERS * TBAA_LENGTHS * TBAA_MAPS };
    tool_paper_job *jobs = calloc(MOST, sizeof *jobs);
    if (!jobs) return tool_wrong("out of memory for %d jobs", (int)MOST);
    size_t count = 0;
    bool good = true;
    for (int table = 0; table < TBAA_TABLES; table++)
        for (tbaa_form form = 0; run->options->tables[table] && good && form < TBAA_FORMS; form++) {
            good = prepare(run, table, form);
            if (good) count += add_jobs(&run->measured[form][table], jobs + count);
        }
    int result = good ? tool_paper_run_jobs(run->options, "tables", store, jobs, count) : TOOL_WRONG;
    free(jobs);
    return result;
}

/* Maps, problems and what is known, under one rule. Table 1 is there in any case, to choose k with. */
static bool open_rule(tbaa_run *run, tbaa_rule *rule, wend_corners corners, int first) {
    rule->options = *run->options;
    rule->options.map.rules.corners = corners;
    memcpy(rule->maps, paper_maps, sizeof rule->maps);
    if (!tool_paper_open_maps(&rule->options, run->problems, rule->maps, TBAA_MAPS)) return false;
    for (int table = first; table < TBAA_TABLES; table++)
        if (table == 0 || rule->options.tables[table])
            if (!tool_paper_open_grounds(&rule->options, rule->maps, TBAA_MAPS, &tbaa_tables[table].knowledge,
                                         rule->grounds[table]))
                return false;
    return true;
}

static void close_rule(tbaa_rule *rule) {
    for (int table = 0; table < TBAA_TABLES; table++)
        tool_paper_close_grounds(rule->grounds[table], TBAA_MAPS);
    tool_paper_close_maps(rule->maps, TBAA_MAPS);
}

static int run_with(tbaa_run *run, tool_report *report) {
    const tool_paper_options *options = run->options;
    if (!open_rule(run, &run->chosen, options->map.rules.corners, 0)) return TOOL_WRONG;
    bool other_rule = has_other_rule(options, 1) || has_other_rule(options, 2);
    if (other_rule && !open_rule(run, &run->paper, WEND_CORNERS_ANY, 1)) return TOOL_WRONG;
    char head[2048];
    tool_paper_write_head(options, "tbaa2012", run->problems, run->chosen.maps, TBAA_MAPS, head, sizeof head);
    tool_paper_store *store = tool_paper_store_open(options, "tbaa2012", head);
    if (!store) return TOOL_WRONG;
    int result = choose_k(run, store);
    if (result == TOOL_DONE) result = measure(run, store);
    if (result == TOOL_DONE && !(tool_paper_store_finish(store) && tbaa_report(run, report)))
        result = tool_interrupted() ? TOOL_STOPPED : TOOL_WRONG;
    tool_paper_store_close(store);
    return result;
}

static int run_paper(const tool_paper_options *options, tool_report *report) {
    tool_paper_options wanted = *options;
    for (int table = 0; table < TBAA_TABLES; table++) {
        bool any = false;
        for (int i = 0; i < tbaa_tables[table].count; i++)
            any = any || wants_planner(options, &tbaa_tables[table].planners[i]);
        wanted.tables[table] = wanted.tables[table] && any;
    }
    tbaa_run run = {.options = &wanted};
    tool_paper_count_problems(options, PROBLEMS, QUICK_PROBLEMS, MS_PART, &run.problems, &run.ms_problems);
    int result = run_with(&run, report);
    for (tbaa_form form = 0; form < TBAA_FORMS; form++)
        for (int table = 0; table < TBAA_TABLES; table++) free(run.measured[form][table].results);
    close_rule(&run.chosen);
    close_rule(&run.paper);
    return result;
}

const tool_paper tool_paper_tbaa2012 = {
    .name = "tbaa2012",
    .title = "Time-Bounded Adaptive A* (AAMAS 2012), measured again",
    .tables = TBAA_TABLES,
    .has_part = has_part,
    .run = run_paper,
};

/* What a bench says: rows of results, files of moves, the table. */
#include "commands/bench/bench.h"
#include "runner/provenance.h"
#include "shared/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Rows -------------------------------------------------------------------------------------------------- */

/* Where all the lines behind it come from. */
static void write_run(FILE *file, const bench_task *bench) {
    tool_row row = tool_row_begin(file, TOOL_ROW_JSON);
    char shard[48];
    (void)snprintf(shard, sizeof shard, "%" PRIu64 "/%" PRIu64, bench->shard, bench->shards);
    tool_row_true_or_false(&row, "run", true);
    tool_row_rules(&row, bench->common);
    tool_row_file(&row, "map", bench->map_path);
    tool_row_file(&row, "scenario", bench->scenario_path);
    tool_row_integer_if(&row, "limit", bench->limit != UINT64_MAX, bench->limit);
    tool_row_integer(&row, "max_moves", bench->max_moves);
    tool_row_text(&row, "interval", bench->interval_text);
    tool_row_text(&row, "knowledge", bench->knowledge_text);
    tool_row_integer_if(&row, "sensor", bench->terrain.knowledge.kind != TOOL_KNOWN,
                        bench->terrain.knowledge.radius);
    tool_row_file(&row, "edits", bench->edits_text);
    tool_row_integer_if(&row, "repair", bench->terrain.repair > 0, bench->terrain.repair);
    tool_row_true_or_false(&row, "times", bench->timed);
    tool_row_text(&row, "shard", bench->shards > 1 ? shard : NULL);
    if (bench->machine) tool_row_machine(&row, bench->common);
    tool_row_end(&row);
}

void tool_bench_write_run(const bench_sinks *sinks, const bench_task *bench) {
    if (sinks->json) write_run(sinks->json, bench);
}

static void write_problem(FILE *file, tool_row_form form, const bench_task *bench, const bench_runs *runs,
                          size_t i) {
    const bench_problem *problem = &bench->problems[i];
    const tool_run *run = &runs->runs[i];
    const bench_times *times = &runs->times[i];
    const wend_xy start = wend_map_xy(bench->map, problem->start),
                  goal = wend_map_xy(bench->map, problem->goal);
    const bool timed = bench->timed;
    tool_row row = tool_row_begin(file, form);
    tool_row_text(&row, "planner", runs->planner);
    tool_row_text(&row, "map", bench->map_name);
    tool_row_integer(&row, "problem", problem->index);
    tool_row_cell(&row, "start", start.x, start.y);
    tool_row_cell(&row, "goal", goal.x, goal.y);
    tool_row_text(&row, "status", tool_run_status_name(run->status));
    /* Exact, so that a summary can be worked out again from the lines. */
    tool_row_exact(&row, "cost", tool_run_length(run, bench->map));
    tool_row_exact(&row, "optimal", problem->solvable ? problem->optimal_length : NAN);
    tool_row_exact(&row, "suboptimality", tool_bench_suboptimality(bench, problem, run));
    tool_row_integer(&row, "moves", tool_run_moves(run));
    tool_row_integer(&row, "intervals", run->steps);
    tool_row_integer(&row, "expansions", run->expansions);
    tool_row_integer(&row, "operations", run->operations);
    tool_row_integer(&row, "operations_max", run->operations_max);
    tool_row_integer_if(&row, "plan_ns", timed, times->plan);
    tool_row_integer_if(&row, "plan_ns_max", timed, times->plan_max);
    tool_row_integer_if(&row, "first_move_ns", timed && tool_run_moves(run) > 0, times->first_move);
    tool_row_integer(&row, "revisits", run->revisits);
    tool_row_integer(&row, "waits", run->waits);
    tool_row_exact(&row, "detour", runs->detours ? runs->detours[i] : NAN);
    tool_row_integer(&row, "online_bytes", run->online_bytes);
    tool_row_integer(&row, "reserved_bytes", run->reserved_bytes);
    tool_row_end(&row);
}

void tool_bench_write_summary(FILE *file, const bench_about *about, const bench_summary *summary) {
    tool_row row = tool_row_begin(file, TOOL_ROW_JSON);
    tool_row_true_or_false(&row, "summary", true);
    tool_row_text(&row, "planner", about->planner);
    tool_row_text(&row, "map", about->map);
    tool_row_integer(&row, "problems", summary->problems);
    tool_row_integer(&row, "arrived", summary->statuses[TOOL_RUN_ARRIVED]);
    tool_row_integer(&row, "unreachable", summary->statuses[TOOL_RUN_UNREACHABLE]);
    tool_row_integer(&row, "unfinished", summary->statuses[TOOL_RUN_UNFINISHED]);
    tool_row_integer(&row, "skipped", summary->skipped);
    tool_row_integer(&row, "refused", summary->statuses[TOOL_RUN_REFUSED]);
    tool_row_integer(&row, "out_of_memory", summary->statuses[TOOL_RUN_OUT_OF_MEMORY]);
    tool_row_integer(&row, "bad_database", summary->statuses[TOOL_RUN_BAD_DATABASE]);
    tool_row_number(&row, "suboptimality_mean", summary->suboptimality_mean);
    tool_row_number(&row, "suboptimality_median", summary->suboptimality_median);
    tool_row_number(&row, "suboptimality_p95", summary->suboptimality_p95);
    tool_row_number(&row, "suboptimality_max", summary->suboptimality_max);
    tool_row_number(&row, "moves_mean", summary->moves_mean);
    tool_row_number(&row, "intervals_mean", summary->intervals_mean);
    tool_row_number(&row, "expansions_mean", summary->expansions_mean);
    tool_row_number(&row, "move_ns_mean", summary->move_ns_mean);
    tool_row_number(&row, "move_ns_p999", summary->move_ns_p999);
    tool_row_number(&row, "move_ns_max", summary->move_ns_max);
    tool_row_number(&row, "first_move_ns_mean", summary->first_move_ns_mean);
    tool_row_number(&row, "first_pass_ns_max", summary->first_pass_ns_max);
    tool_row_true_or_false(&row, "busy", summary->busy);
    tool_row_integer(&row, "operations_max", summary->operations_max);
    tool_row_number(&row, "suboptimality_bound_mean", summary->suboptimality_bound_mean);
    tool_row_number(&row, "revisits_mean", summary->revisits_mean);
    tool_row_number(&row, "waits_mean", summary->waits_mean);
    tool_row_number(&row, "detour_mean", summary->detour_mean);
    tool_row_number(&row, "detour_max", summary->detour_max);
    tool_row_number(&row, "online_bytes_mean", summary->online_bytes_mean);
    tool_row_integer(&row, "online_bytes_max", summary->online_bytes_max);
    tool_row_number(&row, "suboptimality_sd", summary->suboptimality.deviation);
    tool_row_number(&row, "suboptimality_low", summary->suboptimality.low);
    tool_row_number(&row, "suboptimality_high", summary->suboptimality.high);
    tool_row_number(&row, "expansions_sd", summary->expansions.deviation);
    tool_row_number(&row, "expansions_low", summary->expansions.low);
    tool_row_number(&row, "expansions_high", summary->expansions.high);
    tool_row_text(&row, "interval", about->interval);
    tool_row_text(&row, "knowledge", about->knowledge);
    tool_row_integer_if(&row, "sensor", about->sensor > 0, about->sensor);
    tool_row_text(&row, "edits", about->edits);
    tool_row_integer_if(&row, "repair", about->repair > 0, about->repair);
    tool_row_text(&row, "settings", about->settings);
    tool_row_integer(&row, "db_bytes", about->db_bytes);
    tool_row_number(&row, "build_seconds", about->build_seconds);
    tool_row_end(&row);
}

void tool_bench_write_rows(bench_sinks *sinks, const bench_task *bench, const bench_runs *runs,
                           const bench_summary *summary) {
    for (size_t i = 0; i < bench->count; i++) {
        if (bench->problems[i].skipped) continue;
        if (sinks->json) write_problem(sinks->json, TOOL_ROW_JSON, bench, runs, i);
        if (!sinks->csv) continue;
        if (!sinks->named) write_problem(sinks->csv, TOOL_ROW_CSV_NAMES, bench, runs, i);
        sinks->named = true;
        write_problem(sinks->csv, TOOL_ROW_CSV, bench, runs, i);
    }
    if (!sinks->json) return;
    const tool_terrain *terrain = &bench->terrain;
    const bench_about about = {.planner = runs->planner,
                               .settings = runs->settings,
                               .map = bench->map_name,
                               .interval = bench->interval_text,
                               .knowledge = bench->knowledge_text,
                               .edits = bench->edits_name,
                               .sensor =
                                   terrain->knowledge.kind != TOOL_KNOWN ? terrain->knowledge.radius : 0,
                               .repair = terrain->repair,
                               .db_bytes = runs->db_bytes,
                               .build_seconds = runs->build_seconds};
    tool_bench_write_summary(sinks->json, &about, summary);
}

/* Moves ------------------------------------------------------------------------------------------------- */

void tool_bench_write_moves(FILE *file, const bench_task *bench, const bench_runs *runs) {
    (void)fputs("# ", file);
    for (const char *p = runs->planner; *p; p++) (void)fputc((unsigned char)*p < ' ' ? '?' : *p, file);
    (void)fputc('\n', file);
    for (size_t i = 0; i < bench->count; i++) {
        const tool_run *run = &runs->runs[i];
        if (bench->problems[i].skipped) continue;
        wend_xy start = wend_map_xy(bench->map, run->start), goal = wend_map_xy(bench->map, run->goal);
        (void)fprintf(file, "%d %d %d %d %s", (int)start.x, (int)start.y, (int)goal.x, (int)goal.y,
                      tool_run_status_name(run->status));
        if (run->steps) {
            (void)fputc(' ', file);
            (void)fwrite(tool_run_steps(run, &runs->steps), 1, run->steps, file);
        }
        (void)fputc('\n', file);
    }
}

/* Numbers for people ------------------------------------------------------------------------------------- */

bench_text tool_bench_ends(const bench_summary *summary) {
    bench_text shown = {""};
    for (int status = 0; status < TOOL_RUN_STATUSES; status++) {
        if (status == TOOL_RUN_ARRIVED || !summary->statuses[status]) continue;
        size_t used = strlen(shown.text);
        (void)snprintf(shown.text + used, sizeof shown.text - used, "%s%zu %s%s", used ? ", " : "",
                       summary->statuses[status], tool_run_status_name((tool_run_status)status),
                       status == TOOL_RUN_UNFINISHED ? " (suboptimality leaves them out)" : "");
    }
    size_t used = strlen(shown.text);
    if (summary->skipped)
        (void)snprintf(shown.text + used, sizeof shown.text - used, "%s%zu skipped: blocked or cut off",
                       used ? ", " : "", summary->skipped);
    return shown;
}

/* The table: at most 100 columns ------------------------------------------------------------------------ */

enum { NAME_WIDTH = 14 }; /* of every planner without keys; longer names get a line of their own */

#define ROW_FORMAT "%-*s %5s %7s %5s %6s %5s %6s %6s %7s %5s %5s %5s %5s %6s\n"

static shared_quantity whole(size_t value) {
    shared_quantity shown;
    (void)snprintf(shown.text, sizeof shown.text, "%zu", value);
    return shown;
}

static shared_quantity decimals(double value, double whole_from) {
    shared_quantity shown = {"-"};
    if (isfinite(value))
        (void)snprintf(shown.text, sizeof shown.text, "%.*f", fabs(value) < whole_from ? 1 : 0, value);
    return shown;
}

static shared_quantity per_cent(double value) {
    shared_quantity shown = {"-"};
    if (isfinite(value))
        (void)snprintf(shown.text, sizeof shown.text, "%.*f",
                       fabs(value) < 99.995 ? 2 : fabs(value) < 9999.95, value);
    return shown;
}

/* With intervals, their number stands in place of the time until the first move. */
void tool_bench_print_head(const bench_task *bench) {
    bool intervals = bench->interval_text != NULL;
    printf("%-*s %5s %7s %25s %6s %7s %17s %5s %6s\n", NAME_WIDTH, "", "prob-", "",
           "---- suboptimality, % ---", "", "expan-", "- time per move -", intervals ? "inter" : "first",
           "peak");
    printf(ROW_FORMAT, NAME_WIDTH, "planner", "lems", "arrived", "mean", "median", "95%", "max", "moves",
           "sions", "mean", "99.9%", "max", intervals ? "vals" : "move", "memory");
}

void tool_bench_print_row(const bench_task *bench, const bench_runs *runs, const bench_summary *summary) {
    const char *name = runs->planner;
    if (strlen(name) > NAME_WIDTH) {
        printf("%s\n", name);
        name = "";
    }
    shared_quantity last = bench->interval_text ? decimals(summary->intervals_mean, 999.95)
                                                : shared_time(summary->first_move_ns_mean);
    printf(ROW_FORMAT, NAME_WIDTH, name, whole(bench->count).text,
           whole(summary->statuses[TOOL_RUN_ARRIVED]).text, per_cent(summary->suboptimality_mean).text,
           per_cent(summary->suboptimality_median).text, per_cent(summary->suboptimality_p95).text,
           per_cent(summary->suboptimality_max).text, decimals(summary->moves_mean, 9999).text,
           decimals(summary->expansions_mean, 99999).text,
           summary->busy ? "busy" : shared_time(summary->move_ns_mean).text,
           shared_time(summary->move_ns_p999).text, shared_time(summary->move_ns_max).text, last.text,
           shared_bytes((double)summary->online_bytes_max).text);
    if (bench->count != summary->statuses[TOOL_RUN_ARRIVED])
        printf("  not arrived: %s\n", tool_bench_ends(summary).text);
    if (runs->detours)
        printf("  with edits: %s waits per problem; detour %s%% in the mean, %s%% at most\n",
               decimals(summary->waits_mean, 999.95).text, per_cent(summary->detour_mean).text,
               per_cent(summary->detour_max).text);
    (void)fflush(stdout);
}

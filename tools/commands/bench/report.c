/* What a bench says: figures over all problems, JSON, files of moves, the table. */
#include "commands/bench/bench.h"
#include "formats/json_out.h"
#include "shared/order.h"
#include "shared/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The smallest value that at least `share` of the sorted ones do not exceed. */
static size_t rank_of(size_t count, double share) {
    size_t rank = (size_t)ceil(share * (double)count - 1e-9);
    return rank ? rank - 1 : 0;
}

static double mean_of(double sum, size_t count) {
    return count ? sum / (double)count : NAN;
}

static void summarise_suboptimality(double *over, size_t count, bench_summary *summary) {
    double sum = 0;
    qsort(over, count, sizeof *over, shared_by_double);
    for (size_t i = 0; i < count; i++) sum += over[i];
    summary->suboptimality_mean = mean_of(sum, count);
    summary->suboptimality_median = count ? (over[(count - 1) / 2] + over[count / 2]) / 2 : NAN;
    summary->suboptimality_p95 = count ? over[rank_of(count, 0.95)] : NAN;
    summary->suboptimality_max = count ? over[count - 1] : NAN;
}

/* Over all that walked, arrived or not. */
static void summarise_detours(const bench_task *bench, const bench_runs *runs, bench_summary *summary) {
    double sum = 0;
    size_t count = 0;
    summary->detour_max = NAN;
    for (size_t i = 0; runs->detours && i < bench->count; i++) {
        double detour = runs->detours[i];
        if (isnan(detour) || !tool_run_moves(&runs->runs[i])) continue;
        if (!count || detour > summary->detour_max) summary->detour_max = detour;
        sum += detour, count++;
    }
    summary->detour_mean = mean_of(sum, count);
}

static void summarise_times(const bench_runs *runs, uint32_t *times, bench_summary *summary) {
    size_t count = runs->calls;
    memcpy(times, runs->step_times, count * sizeof *times);
    qsort(times, count, sizeof *times, shared_by_uint32);
    summary->move_ns_p999 = count ? (double)tool_bench_nanoseconds(times[rank_of(count, 0.999)]) : NAN;
    summary->move_ns_max = count ? (double)tool_bench_nanoseconds(times[count - 1]) : NAN;
}

/* Sums over the runs that have a suboptimality, the arrived and the unfinished; and of bounds. */
typedef struct bench_sums {
    size_t count, moved, bounded; /* moved: those of at least one move */
    double moves, intervals, expansions, revisits, plan, first, online, waits, bound;
} bench_sums;

/* What every run says; returns its suboptimality so far, NAN where it has none. */
static double add_run(const bench_task *bench, const bench_runs *runs, size_t i, bench_summary *summary,
                      bench_sums *sums) {
    const tool_run *run = &runs->runs[i];
    const bench_problem *problem = &bench->problems[i];
    summary->skipped += problem->skipped;
    if (problem->skipped) return NAN;
    summary->statuses[run->status]++;
    if (run->operations_max > summary->operations_max) summary->operations_max = run->operations_max;
    if (run->online_bytes > summary->online_bytes_max) summary->online_bytes_max = run->online_bytes;
    const double so_far = tool_bench_so_far(bench, problem, run);
    if (!isnan(so_far)) sums->bound += fmax(so_far, 0), sums->bounded++;
    return tool_bench_suboptimality(bench, problem, run);
}

static void add_sums(const tool_run *run, const bench_times *times, bench_sums *sums) {
    sums->count++, sums->moved += tool_run_moves(run) > 0;
    sums->moves += (double)tool_run_moves(run), sums->intervals += (double)run->steps;
    sums->expansions += (double)run->expansions, sums->revisits += (double)run->revisits;
    sums->plan += (double)times->plan, sums->online += (double)run->online_bytes;
    sums->waits += (double)run->waits;
    if (tool_run_moves(run)) sums->first += (double)times->first_move;
}

static void take_means(const bench_sums *sums, bench_summary *summary) {
    summary->moves_mean = mean_of(sums->moves, sums->count);
    summary->intervals_mean = mean_of(sums->intervals, sums->count);
    summary->expansions_mean = mean_of(sums->expansions, sums->count);
    summary->revisits_mean = mean_of(sums->revisits, sums->count);
    summary->online_bytes_mean = mean_of(sums->online, sums->count);
    summary->waits_mean = mean_of(sums->waits, sums->count);
    summary->first_move_ns_mean = mean_of(sums->first, sums->moved);
    summary->suboptimality_bound_mean = mean_of(sums->bound, sums->bounded);
    summary->busy = sums->plan > sums->intervals * summary->move_ns_max;
    summary->move_ns_mean = sums->moved && !summary->busy ? sums->plan / sums->moves : NAN;
}

bool tool_bench_summarise(const bench_task *bench, const bench_runs *runs, bench_summary *summary) {
    *summary = (bench_summary){.skipped = 0};
    double *over = malloc((bench->count ? bench->count : 1) * sizeof *over);
    uint32_t *times = malloc((runs->calls ? runs->calls : 1) * sizeof *times);
    bench_sums sums = {.count = 0};
    bool good = over && times;
    if (!good) (void)tool_wrong("out of memory for a summary");
    size_t arrived = 0;
    for (size_t i = 0; good && i < bench->count; i++) {
        double suboptimality = add_run(bench, runs, i, summary, &sums);
        if (isnan(suboptimality)) continue;
        if (runs->runs[i].status == TOOL_RUN_ARRIVED) over[arrived++] = suboptimality;
        add_sums(&runs->runs[i], &runs->times[i], &sums);
    }
    if (good) {
        summarise_suboptimality(over, arrived, summary);
        summarise_times(runs, times, summary);
        take_means(&sums, summary);
        summarise_detours(bench, runs, summary);
    }
    free(over);
    free(times);
    return good;
}

/* JSON -------------------------------------------------------------------------------------------------- */

static void number(FILE *file, const char *key, double value) {
    (void)fprintf(file, ",\"%s\":", key);
    tool_json_number(file, value);
}

static void integer(FILE *file, const char *key, uint64_t value) {
    (void)fprintf(file, ",\"%s\":%" PRIu64, key, value);
}

/* null without a value. */
static void string(FILE *file, const char *key, const char *value) {
    if (!value) {
        number(file, key, NAN);
        return;
    }
    (void)fprintf(file, ",\"%s\":", key);
    tool_json_string(file, value);
}

static void integer_if(FILE *file, const char *key, bool there, uint64_t value) {
    if (there)
        integer(file, key, value);
    else
        number(file, key, NAN);
}

static void cell(FILE *file, const char *key, const wend_map *map, wend_cell at) {
    wend_xy xy = wend_map_xy(map, at);
    (void)fprintf(file, ",\"%s\":[%d,%d]", key, (int)xy.x, (int)xy.y);
}

static void write_run(FILE *file, const bench_task *bench, const bench_runs *runs, size_t i) {
    const bench_problem *problem = &bench->problems[i];
    const tool_run *run = &runs->runs[i];
    const bench_times *times = &runs->times[i];
    (void)fputs("{\"planner\":", file);
    tool_json_string(file, runs->planner);
    string(file, "map", bench->map_name);
    integer(file, "problem", problem->index);
    cell(file, "start", bench->map, problem->start);
    cell(file, "goal", bench->map, problem->goal);
    string(file, "status", tool_run_status_name(run->status));
    number(file, "cost", tool_run_length(run, bench->map));
    number(file, "optimal", problem->solvable ? problem->optimal_length : NAN);
    number(file, "suboptimality", tool_bench_suboptimality(bench, problem, run));
    integer(file, "moves", tool_run_moves(run));
    integer(file, "intervals", run->steps);
    integer(file, "expansions", run->expansions);
    integer(file, "operations", run->operations);
    integer(file, "operations_max", run->operations_max);
    integer(file, "plan_ns", times->plan);
    integer(file, "plan_ns_max", times->plan_max);
    integer_if(file, "first_move_ns", tool_run_moves(run) > 0, times->first_move);
    integer(file, "revisits", run->revisits);
    integer(file, "waits", run->waits);
    number(file, "detour", runs->detours ? runs->detours[i] : NAN);
    integer(file, "online_bytes", run->online_bytes);
    integer(file, "reserved_bytes", run->reserved_bytes);
    (void)fputs("}\n", file);
}

void tool_bench_write_json(FILE *file, const bench_task *bench, const bench_runs *runs,
                           const bench_summary *summary) {
    for (size_t i = 0; i < bench->count; i++)
        if (!bench->problems[i].skipped) write_run(file, bench, runs, i);
    (void)fputs("{\"summary\":true", file);
    string(file, "planner", runs->planner);
    string(file, "map", bench->map_name);
    integer(file, "problems", bench->count);
    integer(file, "arrived", summary->statuses[TOOL_RUN_ARRIVED]);
    integer(file, "unreachable", summary->statuses[TOOL_RUN_UNREACHABLE]);
    integer(file, "unfinished", summary->statuses[TOOL_RUN_UNFINISHED]);
    integer(file, "skipped", summary->skipped);
    integer(file, "refused", summary->statuses[TOOL_RUN_REFUSED]);
    integer(file, "out_of_memory", summary->statuses[TOOL_RUN_OUT_OF_MEMORY]);
    integer(file, "bad_database", summary->statuses[TOOL_RUN_BAD_DATABASE]);
    number(file, "suboptimality_mean", summary->suboptimality_mean);
    number(file, "suboptimality_median", summary->suboptimality_median);
    number(file, "suboptimality_p95", summary->suboptimality_p95);
    number(file, "suboptimality_max", summary->suboptimality_max);
    number(file, "moves_mean", summary->moves_mean);
    number(file, "intervals_mean", summary->intervals_mean);
    number(file, "expansions_mean", summary->expansions_mean);
    number(file, "move_ns_mean", summary->move_ns_mean);
    number(file, "move_ns_p999", summary->move_ns_p999);
    number(file, "move_ns_max", summary->move_ns_max);
    number(file, "first_move_ns_mean", summary->first_move_ns_mean);
    (void)fprintf(file, ",\"busy\":%s", summary->busy ? "true" : "false");
    integer(file, "operations_max", summary->operations_max);
    number(file, "suboptimality_bound_mean", summary->suboptimality_bound_mean);
    number(file, "revisits_mean", summary->revisits_mean);
    number(file, "waits_mean", summary->waits_mean);
    number(file, "detour_mean", summary->detour_mean);
    number(file, "detour_max", summary->detour_max);
    number(file, "online_bytes_mean", summary->online_bytes_mean);
    integer(file, "online_bytes_max", summary->online_bytes_max);
    string(file, "interval", bench->interval_text);
    string(file, "knowledge", bench->knowledge_text);
    integer_if(file, "sensor", bench->terrain.knowledge.kind != TOOL_KNOWN, bench->terrain.knowledge.radius);
    string(file, "edits", bench->edits_name);
    integer_if(file, "repair", bench->terrain.repair > 0, bench->terrain.repair);
    integer(file, "db_bytes", runs->db_bytes);
    number(file, "build_seconds", runs->build_seconds);
    (void)fputs("}\n", file);
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

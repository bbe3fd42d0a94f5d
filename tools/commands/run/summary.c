/* The last word of `wend run`. */
#define _POSIX_C_SOURCE 200809L

#include "commands/run/run.h"

#include "formats/json_out.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A count by the name that both the line and the object have. */
typedef struct run_count {
    const char *name;
    uint64_t value;
} run_count;

enum { COUNTS = 16 };

static void count_all(const tool_fleet *fleet, run_count counts[COUNTS]) {
    const tool_fleet_sums *s = &fleet->sums;
    const run_count all[COUNTS] = {
        {"agents", fleet->agents},
        {"ticks", s->ticks},
        {"moves", s->moves},
        {"moves_out_of_turn", s->coasted},
        {"waits", s->thinking + s->starved + s->postponed},
        {"waits_thinking", s->thinking},
        {"waits_starved", s->starved},
        {"waits_postponed", s->postponed},
        {"arrivals", s->arrived},
        {"unreachable", s->unreachable},
        {"out_of_memory", s->out_of_memory},
        {"bad_database", s->bad_database},
        {"operations", s->operations},
        {"operations_max", s->operations_max},
        {"repair_operations", s->repair_operations},
        {"turns", wend_fleet_turns(fleet->fleet)},
    };
    memcpy(counts, all, sizeof all);
}

static double mean_seconds(const tool_fleet_sums *sums) {
    return sums->seconds / (sums->ticks ? (double)sums->ticks : 1);
}

void tool_fleet_print(const tool_fleet *fleet) {
    run_count counts[COUNTS];
    count_all(fleet, counts);
    for (int i = 0; i < COUNTS; i++) printf("%s %" PRIu64 "\n", counts[i].name, counts[i].value);
    printf("tick_ms_mean %.4f\ntick_ms_max %.4f\nbytes %zu\n", mean_seconds(&fleet->sums) * 1e3,
           fleet->sums.longest * 1e3, wend_fleet_bytes(fleet->fleet));
}

/* The planners, a blank between two; to be freed. NULL: no memory. */
static char *join_names(const tool_fleet *fleet) {
    size_t size = 1;
    for (int i = 0; i < fleet->squads; i++) size += strlen(fleet->planners[i]) + 1;
    char *names = malloc(size), *end = names;
    for (int i = 0; names && i < fleet->squads; i++)
        end += snprintf(end, size - (size_t)(end - names), "%s%s", i ? " " : "", fleet->planners[i]);
    return names;
}

static void print_json(FILE *file, const tool_fleet *fleet, const char *names) {
    run_count counts[COUNTS];
    count_all(fleet, counts);
    (void)fputs("{\"map\":", file);
    tool_json_string(file, fleet->map_name);
    (void)fputs(",\"planner\":", file);
    tool_json_string(file, names);
    (void)fputs(",\"bodies\":[", file);
    for (int i = 0; i < fleet->squads; i++) (void)fprintf(file, "%s%d", i ? "," : "", (int)fleet->bodies[i]);
    (void)fputc(']', file);
    for (int i = 0; i < COUNTS; i++) (void)fprintf(file, ",\"%s\":%" PRIu64, counts[i].name, counts[i].value);
    (void)fprintf(file,
                  ",\"tick_ns_mean\":%.0f,\"tick_ns_max\":%.0f,\"bytes\":%zu,\"hash\":\"%016" PRIx64 "\"}\n",
                  mean_seconds(&fleet->sums) * 1e9, fleet->sums.longest * 1e9, wend_fleet_bytes(fleet->fleet),
                  wend_fleet_hash(fleet->fleet));
}

bool tool_fleet_write_json(const tool_fleet *fleet, tool_output *output) {
    char *names = join_names(fleet);
    if (!names) {
        (void)tool_wrong("out of memory");
        return false;
    }
    print_json(output->stream, fleet, names);
    free(names);
    return tool_output_end(output);
}

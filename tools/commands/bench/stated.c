/* The optimal lengths that a scenario states: never used, but compared. Where they are others, the rules are not
 * those that the scenario was made for, or the map is another one. */
#include "commands/bench/bench.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_TRIED = 50 }; /* problems for which other rules are tried */

/* Files have six digits behind the point at least, and some were summed up in single precision. */
static bool same_length(double a, double b) {
    return fabs(a - b) <= 1e-3 + 1e-5 * fabs(b);
}

static bool differs(const bench_problem *problem) {
    return problem->solvable && problem->stated > 0 && !same_length(problem->stated, problem->optimal_length);
}

/* Whether all that are tried have the stated lengths under the rules of this map. */
static bool explains(const bench_task *bench, const wend_map *map, bool *failed) {
    wend_search_options options = wend_default_search_options();
    wend_search *search = NULL;
    wend_error error;
    bool same = true;
    *failed = wend_search_create(map, &options, &search, &error) != WEND_OK;
    size_t tried = 0;
    for (size_t i = 0; !*failed && same && i < bench->count && tried < MOST_TRIED; i++) {
        const bench_problem *problem = &bench->problems[i];
        if (!differs(problem)) continue;
        wend_result result;
        tried++;
        *failed = wend_search_astar(search, problem->start, problem->goal, &result, &error) != WEND_OK;
        same = !*failed && result.found == WEND_FOUND_PATH &&
               same_length(problem->stated, wend_map_length(map, result.straight, result.diagonal));
    }
    if (*failed) (void)tool_wrong_error(&error);
    wend_search_destroy(search);
    return same && !*failed;
}

typedef struct rules_named {
    const char *options;
    wend_rules rules;
} rules_named;

/* The options that make the lengths what is stated; NULL: none do. */
static const char *find_rules(const bench_task *bench, bool *failed) {
    static const rules_named all[] = {
        {"--corners strict", {8, WEND_CORNERS_STRICT, WEND_DIAGONAL_SQRT2}},
        {"--corners one", {8, WEND_CORNERS_ONE, WEND_DIAGONAL_SQRT2}},
        {"--corners any", {8, WEND_CORNERS_ANY, WEND_DIAGONAL_SQRT2}},
        {"--corners strict --diagonal 1.4", {8, WEND_CORNERS_STRICT, WEND_DIAGONAL_1_4}},
        {"--corners one --diagonal 1.4", {8, WEND_CORNERS_ONE, WEND_DIAGONAL_1_4}},
        {"--corners any --diagonal 1.4", {8, WEND_CORNERS_ANY, WEND_DIAGONAL_1_4}},
        {"--connect 4", {4, WEND_CORNERS_STRICT, WEND_DIAGONAL_SQRT2}},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        wend_map_options options = bench->common->map;
        options.rules = all[i].rules;
        wend_map *map = tool_load_map(bench->map_path, &options);
        *failed = map == NULL;
        const bool found = map && explains(bench, map, failed);
        wend_map_destroy(map);
        if (found || *failed) return found ? all[i].options : NULL;
    }
    return NULL;
}

bool tool_bench_compare_stated(const bench_task *bench) {
    size_t count = 0, stated = 0;
    const bench_problem *first = NULL;
    /* A pipe can't be read twice; and on a map with blocked cells or edits, lengths are others. */
    if (bench->quiet || bench->terrain.truth != bench->map || tool_is_special(bench->map_path)) return true;
    for (size_t i = 0; i < bench->count; i++) {
        const bench_problem *problem = &bench->problems[i];
        stated += problem->solvable && problem->stated > 0;
        if (!differs(problem)) continue;
        if (!count++) first = problem;
    }
    if (!first) return true;
    bool failed;
    const char *options = find_rules(bench, &failed);
    if (failed) return false;
    tool_remark(
        "%s: %zu of %zu optimal lengths are not those of these rules (problem %zu: %.4f, not %.4f): %s%s",
        bench->scenario_path, count, stated, first->index, first->stated, first->optimal_length,
        options ? "they are those of " : "they are of no corner rule or diagonal cost that is known here",
        options ? options : "");
    return true;
}

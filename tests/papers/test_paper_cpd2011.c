/* `wend paper cpd2011` from outside, on 120 maps so small that it takes seconds: its figures against
 * databases that are built by hand and against benches, and what becomes of a run that was stopped. */
#include "support/check.h"
#include "support/command/command.h"
#include "support/command/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAPS = 120 };

/* All names of the paper's maps. */
#define NAMES "$(grep -o 'AR[0-9]*SR' " WEND_SOURCE_DIR "/papers/cpd2011/maps.c)"

/* A few caves, each in the places of many maps. The runs of the folder `one` are what others are compared
 * with. */
#define PAPER "\"$WEND\" paper cpd2011 --maps maps --problems 3 --seed 5 --quiet "
static bool measure_one(void) {
    return CHECK(test_shell("mkdir -p maps/bgmaps one && for seed in 0 1 2 3 4 5; do \"$WEND\" map gen caves "
                            "$((12 + 4 * seed))x$((16 + 2 * seed)) --seed $seed -o $seed.map --quiet || exit "
                            "1; done; n=0; for name in " NAMES
                            "; do cp $((n % 6)).map maps/bgmaps/$name.map || exit 1; n=$((n + 1)); done; "
                            "test $n -eq 120") == 0) &&
           CHECK(test_shell(PAPER "--ms-problems 0 --threads 1 -o one >one/text 2>said && test ! -s said") ==
                 0);
}

static bool begin(void) {
    return test_command_once(measure_one);
}

/* A number that a command prints. */
static double number_of(const char *command) {
    double number = NAN;
    CHECK_THAT(test_shell_numbers(command, &number, 1) == 1, "no number: %s", command);
    return number;
}

/* A fact of a database of a map, built for it. */
static double fact(const char *map, const char *kind, const char *keys, const char *name) {
    char line[512];
    (void)snprintf(line, sizeof line,
                   "\"$WEND\" build %s maps/bgmaps/%s.map -o x.wend %s --quiet && \"$WEND\" db info x.wend | "
                   "sed -n 's/^%s //p'",
                   kind, map, keys, name);
    return number_of(line);
}

static void check_map(const char *json, const char *map) {
    test_json counts, sizes;
    if (!test_report_row(json, "figure5", map, &counts) || !test_report_row(json, "figure4-6", map, &sizes))
        return;
    double cells = fact(map, "cpd", "", "cells"), pairs = fact(map, "upd", "", "pairs"),
           rectangles = fact(map, "cpd", "encoding=rectangles ties=label", "rectangles"),
           bytes = number_of("wc -c <x.wend"),
           runs = (fact(map, "cpd", "", "cells"), number_of("wc -c <x.wend"));
    CHECK(test_json_number(&counts, "cells") == cells && test_json_number(&sizes, "cells") == cells);
    CHECK(test_json_number(&counts, "rectangles") == rectangles);
    CHECK(test_json_number(&counts, "rectangles_set") ==
          fact(map, "cpd", "encoding=rectangles", "rectangles"));
    CHECK(test_json_number(&counts, "squares") == fact(map, "quadtree", "ties=label", "squares"));
    CHECK(test_json_number(&counts, "squares_set") == fact(map, "quadtree", "", "squares"));
    double checks = test_json_number(&counts, "checks");
    CHECK(checks >= 1 && checks <= test_json_number(&counts, "longest"));
    CHECK(test_json_number(&counts, "checks_set") <= checks + 1e-6);
    test_report_number(&sizes, "c1", cells * cells / rectangles);
    test_report_number(&sizes, "c2_5", cells * cells / rectangles / 2.5);
    test_report_number(&sizes, "c6_5", cells * cells / rectangles / 6.5);
    test_report_number(&sizes, "honest", pairs * 3 / 8 / bytes);
    test_report_number(&sizes, "honest_runs", pairs * 3 / 8 / runs);
    test_report_number(&sizes, "kilobytes", bytes / 1024);
    CHECK(test_json_number(&sizes, "seconds") > 0 && test_json_number(&sizes, "seconds_runs") > 0);
    test_case();
}

/* Expansions and moves of all problems, from a bench of each of the six maps, which stand for twenty each. */
static void check_nodes(const test_json *rows, size_t count) {
    double problems = 0, expanded = 0, cells = 0, summed[2] = {0, 0};
    for (size_t i = 0; i < count; i++) {
        double n = test_json_number(&rows[i], "problems");
        problems += n;
        expanded += n * test_json_number(&rows[i], "expanded");
        cells += n * test_json_number(&rows[i], "cpd");
        test_report_number(&rows[i], "times",
                           test_json_number(&rows[i], "expanded") / test_json_number(&rows[i], "cpd"));
    }
    for (int seed = 0; seed < 6; seed++)
        for (int key = 0; key < 2; key++) {
            char line[512];
            (void)snprintf(
                line, sizeof line,
                "\"$WEND\" scen gen %d.map -n 3 --seed 5 -o x.scen --quiet && \"$WEND\" bench %d.map x.scen "
                "--planner astar --quiet --json - | sed -n 's/^{\"summary.*\"%s\":\\([0-9.]*\\).*/\\1/p'",
                seed, seed, key ? "moves_mean" : "expansions_mean");
            summed[key] += 20 * 3 * number_of(line);
        }
    CHECK(problems == 3 * MAPS);
    CHECK_THAT(fabs(expanded - summed[0]) < 0.01 * summed[0], "%g expansions, not %g", expanded, summed[0]);
    CHECK_THAT(fabs(cells - problems - summed[1]) < 0.01 * summed[1], "%g moves, not %g", cells - problems,
               summed[1]);
    test_case();
}

static void the_figures_are_those_of_databases(void) {
    if (!begin()) return;
    char *json = test_command_read("one/cpd2011.json"), *page = test_command_read("one/cpd2011.html"),
         *text = test_command_read("one/text");
    test_json *rows = calloc(MAPS + 1, sizeof *rows), row;
    if (json && page && text && CHECK(rows)) {
        CHECK(test_json_valid(json));
        CHECK(strstr(json, "\"problems\":3.0,") && strstr(json, "\"generated_maps\":0.0"));
        /* Maps as small as these can't tell what is to come out. */
        CHECK(strstr(text, "PASS  all ways are shortest") && strstr(text, "PASS  databases have as many"));
        CHECK(strstr(text, "not comparable  AR0404SR") && strstr(text, "not comparable  at most 6.2"));
        CHECK(test_report_checks(json) == 9 && !strstr(text, "FAIL  ") && !strstr(text, "Figure 2"));
        for (int figure = 3; figure <= 6; figure++) {
            char title[32];
            (void)snprintf(title, sizeof title, "Figure %d: ", figure);
            CHECK_THAT(strstr(page, title) != NULL, "no %s", title);
        }
        test_case();
        CHECK(test_report_rows(json, "figure5", rows, MAPS + 1) == MAPS);
        CHECK(test_report_rows(json, "figure4-6", rows, MAPS + 1) == MAPS);
        check_nodes(rows, test_report_rows(json, "figure3", rows, MAPS));
        CHECK(test_report_row(json, "memory", "AR0404SR", &row) &&
              test_json_number(&row, "rectangles_paper") == 184034);
        CHECK(test_report_row(json, "memory", "AR0700SR", &row) &&
              test_json_number(&row, "cells_paper") == 51586);
        test_case();
        check_map(json, "AR0404SR");
        check_map(json, "AR0700SR");
        check_map(json, "AR0011SR");
    }
    free(rows);
    free(text);
    free(page);
    free(json);
}

/* But for the seconds of the builds, and what follows from them, the results are those of `one`. */
#define SAME(folder)                                                                                         \
    "for name in one " folder                                                                                \
    "; do sed 's/\"seconds[_a-z]*\":[^,}]*//g;/^  *\"Figure 6/d;s/[0-9.]* s[ ;,.]*"                          \
    "//g' $name/cpd2011.json | grep -v 'minutes\\|Figure 6' >$name/plain || exit 1; done; cmp "              \
    "one/plain " folder "/plain"

static void stopped_runs_go_on(void) {
    if (test_skip_thinned() || !begin()) return;
    /* Half of the work is lost, with a database; without --resume it is not continued. */
    CHECK(test_shell("cp -rp one two && head -c $(($(wc -c <one/cpd2011.runs) / 2)) one/cpd2011.runs "
                     ">two/cpd2011.runs && rm two/cpd2011-rectangles-AR0404SR.wend two/cpd2011.json && " PAPER
                     "--ms-problems 0 -o two 2>said; test $? -eq 2 && grep -q -e --resume said") == 0);
    CHECK(test_shell(PAPER "--ms-problems 0 --threads 2 --resume -o two >two/text") == 0);
    CHECK(test_shell(SAME("two")) == 0);
    CHECK(test_shell("sort one/cpd2011.runs >a && sort two/cpd2011.runs >b && cmp a b && cmp "
                     "one/cpd2011-rectangles-AR0404SR.wend two/cpd2011-rectangles-AR0404SR.wend") == 0);
    test_case();
    /* Ctrl-C while rectangles are counted, which is what comes behind the databases: nothing is said with
     * --quiet, and going on gives the same. */
    CHECK(test_shell("cp -rp one cut && rm cut/cpd2011.runs cut/cpd2011.json && timeout --foreground "
                     "--preserve-status -s INT 0.15 " PAPER
                     "--ms-problems 0 --resume -o cut >cut/text 2>said; status=$?; test ! -s said && { test "
                     "$status -eq 130 || test $status -eq 0; } && " PAPER
                     "--ms-problems 0 --resume -o cut >cut/text && " SAME("cut")) == 0);
    test_case();
}

/* Times are measured apart; a map that is missing is generated with about as many cells. */
static void times_stand_apart(void) {
    if (!begin()) return;
    CHECK(test_shell(
              "cp -rp one times && mkdir fewer && cp -r maps fewer && rm fewer/maps/bgmaps/AR0082SR.map "
              "times/cpd2011.runs && \"$WEND\" paper cpd2011 --maps fewer/maps --problems 2 --ms-problems 1 "
              "--seed 5 --resume -o times >text 2>said && grep -q '^1 of the paper.s 120 maps are not here: "
              "generated caves' text && grep -Eq '^AR0082SR +1[0-9] +1[0-9] .* generated in its place$' text "
              "&& grep -q 'Figure 2' text") == 0);
    char *json = test_command_read("times/cpd2011.json");
    test_json rows[80];
    size_t count = json ? test_report_rows(json, "figure2", rows, 80) : 0;
    double problems = 0;
    for (size_t i = 0; i < count; i++) {
        problems += test_json_number(&rows[i], "problems");
        CHECK(test_json_number(&rows[i], "astar_us") > 0 && test_json_number(&rows[i], "rectangles_us") > 0);
        CHECK(test_json_number(&rows[i], "speedup") > 0 && test_json_number(&rows[i], "speedup_runs") > 0);
    }
    CHECK_THAT(count && problems <= MAPS && problems >= MAPS - 20, "%g problems", problems);
    free(json);
    test_case();
}

static const test tests[] = {
    {"the figures are those of databases", the_figures_are_those_of_databases},
    {"stopped runs go on", stopped_runs_go_on},
    {"times stand apart", times_stand_apart},
};

TEST_MAIN(tests)

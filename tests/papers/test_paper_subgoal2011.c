/* `wend paper subgoal2011` from outside, on maps so small that all their trees take moments. What it writes
 * is compared with benches of the same problems, and with what `wend db info` says of its files. */
#include "support/check.h"
#include "support/command/command.h"
#include "support/command/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const maps[] = {"AR0411SR", "AR0414SR", "battleground", "drywatergulch",
                                   "lak503d",  "lgt600d",  "oth000d",      "lak403d"};
enum { MAPS = sizeof maps / sizeof *maps };

/* Caves in the places of the paper's maps; those that are to be reduced are three times as large. */
static bool begin(void) {
    return test_command_begin() &&
           CHECK(test_shell(
                     "mkdir -p maps/bgmaps maps/dao maps/wc3maps512 && seed=1 && "
                     "for name in bgmaps/AR0411SR bgmaps/AR0414SR dao/lak503d dao/lgt600d dao/oth000d "
                     "dao/lak403d; do \"$WEND\" map gen caves 26x22 --seed $seed -o maps/$name.map --quiet "
                     "|| exit 1; seed=$((seed + 1)); done; for name in battleground drywatergulch; do "
                     "\"$WEND\" map gen caves 24x20 --seed $seed -o $name.map --quiet && \"$WEND\" map "
                     "scale $name.map 3 -o maps/wc3maps512/$name.map --quiet || exit 1; "
                     "cp $name.map maps/; seed=$((seed + 1)); done") == 0);
}

#define RUN "\"$WEND\" paper subgoal2011 --maps maps --problems 6 --ms-problems 0 --seed 5 --quiet "

/* The paper's rows and ours: what a bench of the same planner and problems says, map by map. */
static void check_benches(const char *json) {
    static const struct {
        const char *label, *key, *planner, *base;
    } cases[] = {
        {"A*", "astar", "astar", NULL},
        {"LRTA*", "lrta", "lrta", NULL},
        {"LRTA* with subgoals", "subgoal-tree", "subgoal-tree:", "subgoal-tree"},
        {"the same, test=pushed", "pushed", "subgoal-tree:", "pushed"},
        {"LSS-LRTA* with subgoals", "lss-lrta", "lss-lrta:k=10,", "subgoal-tree"},
        {"kNN of 2010 (10000)", "knn", "knn:", "knn"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[1024], db[128] = "";
        if (cases[i].base) (void)snprintf(db, sizeof db, "db=one/subgoal2011-%s-$name.wend", cases[i].base);
        (void)snprintf(
            line, sizeof line,
            "for name in AR0411SR AR0414SR battleground drywatergulch lak503d lgt600d oth000d lak403d; do "
            "\"$WEND\" bench maps/$name.map $name.scen --quiet --json - --planner %s%s || exit 1; done | sed "
            "-n 's/^{\"summary.*\"suboptimality_mean\":\\([0-9.]*\\),.*\"suboptimality_max\":\\([0-9.]*\\),"
            ".*/\\1 \\2/p'",
            cases[i].planner, db);
        double found[MAPS][2], over = 0, worst = 0;
        test_json row;
        if (!CHECK(test_shell_numbers(line, found[0], (size_t)2 * MAPS) == (size_t)2 * MAPS)) continue;
        for (size_t map = 0; map < MAPS; map++) {
            over += found[map][0] / MAPS, worst = fmax(worst, found[map][1]);
            if (test_report_row(json, "by-map", maps[map], &row))
                test_report_number(&row, cases[i].key, found[map][0]);
        }
        if (test_report_row(json, "figure2", cases[i].label, &row)) {
            test_report_number(&row, "suboptimality", over);
            test_report_number(&row, "worst", worst);
            CHECK(isnan(test_json_number(&row, "total_ms"))); /* nothing was timed */
        }
        test_case();
    }
}

/* The table of trees says what the files do. */
static void check_trees(const char *json) {
    for (size_t i = 0; i < MAPS; i++) {
        test_json row;
        char line[512];
        double facts[4]; /* most nodes, most with test=pushed, bytes of plain trees, and of the file */
        (void)snprintf(
            line, sizeof line,
            "for base in subgoal-tree pushed; do \"$WEND\" db info one/subgoal2011-$base-%s.wend | "
            "sed -n 's/^nodes_max //p'; done; \"$WEND\" db info one/subgoal2011-subgoal-tree-%s.wend | "
            "sed -n 's/^plain_bytes //p'; wc -c <one/subgoal2011-subgoal-tree-%s.wend",
            maps[i], maps[i], maps[i]);
        if (CHECK(test_shell_numbers(line, facts, 4) == 4) && test_report_row(json, "trees", maps[i], &row)) {
            test_report_number(&row, "nodes_max", facts[0]);
            test_report_number(&row, "pushed_max", facts[1]);
            test_report_number(&row, "plain_kilobytes", facts[2] / 1024);
            test_report_number(&row, "kilobytes", facts[3] / 1024);
            test_report_number(&row, "times", facts[2] / facts[3]);
            CHECK(test_json_number(&row, "nodes_mean") <= test_json_number(&row, "pushed_mean") + 1e-6);
        }
        test_case();
    }
}

static void the_tables_are_what_benches_say(void) {
    if (!begin()) return;
    CHECK(test_shell(RUN "-o one >text 2>said && test ! -s said") == 0);
    /* Every item of the index finds its checks by their words. */
    CHECK(test_shell("\"$WEND\" paper index -o one >index && ! grep '^subgoal2011 *not run' index") == 0);
    CHECK(test_shell(
              "for name in bgmaps/AR0411SR bgmaps/AR0414SR battleground drywatergulch dao/lak503d "
              "dao/lgt600d dao/oth000d dao/lak403d; do \"$WEND\" scen gen maps/$name.map -n 6 --seed 5 -o "
              "$(basename $name).scen --quiet && { [ -e maps/$(basename $name).map ] || cp maps/$name.map "
              "maps/; } || exit 1; done") == 0);
    char *text = test_command_read("text"), *json = test_command_read("one/subgoal2011.json"),
         *page = test_command_read("one/subgoal2011.html");
    if (text && json && page) {
        test_json row;
        CHECK(test_json_valid(json));
        CHECK(strstr(json, "\"problems\":6.0,") && strstr(json, "\"generated_maps\":0.0"));
        /* Maps as small as these can't tell what is to come out where it does not. */
        CHECK(test_report_checks(json) == 5 && !strstr(text, "FAIL  "));
        CHECK(strstr(text, "PASS  LRTA* with subgoals solves every problem") != NULL);
        CHECK(strstr(text, "not comparable  LRTA* with subgoals costs more than A*") != NULL);
        CHECK(strstr(text, "not comparable  LRTA* alone is two orders of magnitude worse") != NULL);
        CHECK(strstr(page, "data:image/png;base64,") != NULL);
        CHECK(test_report_row(json, "figure2", "LRTA*", &row) &&
              test_json_number(&row, "cost_paper") == 39232 &&
              test_json_number(&row, "total_ms_paper") == 34.446);
        CHECK(test_report_row(json, "figure2", "LRTA* with subgoals", &row) &&
              test_json_number(&row, "cost_paper") == 220 && test_json_number(&row, "suboptimality") == 0);
        test_case();
        check_benches(json);
        check_trees(json);
    }
    free(page);
    free(json);
    free(text);
    test_command_end();
}

static const test tests[] = {
    {"the tables are what benches say", the_tables_are_what_benches_say},
};

TEST_MAIN(tests)

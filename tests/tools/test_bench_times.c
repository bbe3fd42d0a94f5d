/* Times of `wend bench` on a machine that others use too, and how many threads it takes of a part of one. */
#include "support/check.h"
#include "support/command/command.h"
#include "support/command/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One core, which the bench shares with as many others that do nothing but use it. Runs of these planners are
 * many short steps, and have a move in each. So the mean is no longer than the longest; or it is not there. */
static void others_do_not_count(void) {
    if (!test_command_begin()) return;
    if (test_shell("taskset -c 0 true 2>said") != 0) {
        test_skip("no taskset");
        test_command_end();
        return;
    }
    CHECK(
        test_shell("\"$WEND\" map gen maze 96x96 -o a.map --quiet && \"$WEND\" scen gen a.map -n 5 -o a.scen "
                   "--quiet") == 0);
    CHECK(
        test_shell(
            "others=; for i in 1 2 3; do taskset -c 0 sh -c 'while :; do :; done' & others=\"$others "
            "$!\"; done; taskset -c 0 \"$WEND\" bench a.map a.scen --planner lrta:d=3 --planner rtaa:k=20 "
            "--planner lrta --max-moves 12000 --json a.json >table; status=$?; kill $others; exit $status") ==
        0);
    char line[4096];
    FILE *file = test_command_open("a.json", "r");
    size_t rows = 0;
    while (file && fgets(line, sizeof line, file)) {
        test_json row;
        line[strcspn(line, "\n")] = 0;
        if (!CHECK(test_json_read(line, &row))) break;
        if (!test_json_get(&row, "summary")) continue;
        CHECK(test_json_number(&row, "moves_mean") == test_json_number(&row, "intervals_mean"));
        double mean = test_json_number(&row, "move_ns_mean"), most = test_json_number(&row, "move_ns_max");
        bool busy = strcmp(test_json_text(&row, "busy"), "true") == 0;
        CHECK_THAT(busy ? isnan(mean) : mean <= most, "%s: %g ns in the mean, %g at most",
                   test_json_text(&row, "planner"), mean, most);
        rows++;
        test_case();
    }
    CHECK(rows == 3);
    if (file) CHECK(fclose(file) == 0);
    test_command_end();
}

static void threads_are_those_it_may_use(void) {
    if (!test_command_begin()) return;
    if (test_shell("taskset -c 0 true 2>said") != 0) {
        test_skip("no taskset");
        test_command_end();
        return;
    }
    CHECK(test_shell(
              "\"$WEND\" map gen rooms 32x32 -o a.map --quiet && taskset -c 0 \"$WEND\" build knn a.map -o "
              "a.wend records=20 --quiet && grep -q '\"threads\":1[,}]' a.wend.log.json") == 0);
    CHECK(test_shell(
              "\"$WEND\" build knn a.map -o b.wend records=20 --quiet --threads 2 && cmp a.wend b.wend && "
              "grep -q '\"threads\":2[,}]' b.wend.log.json") == 0);
    test_case();
    test_command_end();
}

static const test tests[] = {
    {"others do not count", others_do_not_count},
    {"threads are those it may use", threads_are_those_it_may_use},
};

TEST_MAIN(tests)

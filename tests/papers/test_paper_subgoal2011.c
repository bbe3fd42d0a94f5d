/* `wend paper subgoal2011` from outside, on maps so small that all their trees take moments: what it writes
 * is read back and held against benches of the same problems, and against what `wend db info` says of its
 * files. */
#include "support/check.h"
#include "support/command.h"
#include "support/report.h"

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

static bool near(double a, double b) {
    return fabs(a - b) <= 1e-5 * (1 + fabs(b));
}

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
            "for name in AR0411SR AR0414SR battleground drywatergulch lak503d lgt600d oth000d "
            "lak403d; do \"$WEND\" bench maps/$name.map $name.scen --quiet --json - --planner %s%s || "
            "exit 1; done | grep '^{\"summary' | sed 's/.*\"suboptimality_mean\":\\([0-9.]*\\),.*"
            "\"suboptimality_max\":\\([0-9.]*\\),.*/\\1 \\2/' >means",
            cases[i].planner, db);
        if (!CHECK_THAT(test_shell(line) == 0, "%s", line)) continue;
        FILE *file = test_command_open("means", "r");
        double mean, most, over = 0, worst = 0;
        test_json row;
        size_t count = 0;
        for (; file && fscanf(file, "%lf %lf", &mean, &most) == 2 && count < MAPS; count++) {
            over += mean / MAPS, worst = fmax(worst, most);
            if (test_report_row(json, "by-map", maps[count], &row))
                CHECK_THAT(near(test_json_number(&row, cases[i].key), mean), "%s on %s: %g%%, not %g%%",
                           cases[i].label, maps[count], test_json_number(&row, cases[i].key), mean);
        }
        if (file) CHECK(fclose(file) == 0);
        CHECK_THAT(count == MAPS, "%zu maps", count);
        if (test_report_row(json, "figure2", cases[i].label, &row)) {
            CHECK_THAT(near(test_json_number(&row, "suboptimality"), over), "%s: %g%%, not %g%%",
                       cases[i].label, test_json_number(&row, "suboptimality"), over);
            CHECK_THAT(near(test_json_number(&row, "worst"), worst), "%s: %g%% at worst, not %g%%",
                       cases[i].label, test_json_number(&row, "worst"), worst);
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
        double most, pushed, plain, bytes;
        (void)snprintf(
            line, sizeof line,
            "{ for base in subgoal-tree pushed; do \"$WEND\" db info one/subgoal2011-$base-%s.wend | "
            "sed -n 's/^nodes_max //p'; done; \"$WEND\" db info one/subgoal2011-subgoal-tree-%s.wend | "
            "sed -n 's/^plain_bytes //p'; wc -c <one/subgoal2011-subgoal-tree-%s.wend; } >facts",
            maps[i], maps[i], maps[i]);
        CHECK(test_shell(line) == 0);
        FILE *file = test_command_open("facts", "r");
        bool read = file && fscanf(file, "%lf %lf %lf %lf", &most, &pushed, &plain, &bytes) == 4;
        if (file) CHECK(fclose(file) == 0);
        if (CHECK(read) && test_report_row(json, "trees", maps[i], &row)) {
            CHECK(test_json_number(&row, "nodes_max") == most &&
                  test_json_number(&row, "pushed_max") == pushed);
            CHECK(near(test_json_number(&row, "plain_kilobytes") * 1024, plain));
            CHECK(near(test_json_number(&row, "kilobytes") * 1024, bytes));
            CHECK(near(test_json_number(&row, "times"), plain / bytes));
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
        CHECK(strstr(text, "PASS  LRTA* with subgoals costs at most 12%") && !strstr(text, "FAIL  "));
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

/* Times of builds differ, and nothing else. */
#define PLAIN " | sed 's/\"\\(seconds\\|threads\\)\":[^,}]*//g; s/on [0-9]* threads//' "

static void a_run_goes_on_where_it_stopped(void) {
    if (!begin()) return;
    CHECK(test_shell(RUN "--threads 2 -o one >text") == 0);
    CHECK(test_shell("cp -r one two && head -n -5 one/subgoal2011.runs >two/subgoal2011.runs && rm "
                     "two/subgoal2011-pushed-lak503d.wend two/subgoal2011.json two/subgoal2011.html") == 0);
    CHECK(test_shell(RUN "-o two 2>said; test $? -eq 2 && grep -q -e --resume said && test ! -e "
                         "two/subgoal2011.json") == 0);
    test_case();
    CHECK(test_shell(RUN "--threads 1 --resume -o two >text2") == 0);
    CHECK(test_shell("cat one/subgoal2011.json" PLAIN ">a && cat two/subgoal2011.json" PLAIN
                     ">b && cmp a b") == 0);
    CHECK(test_shell("cmp one/subgoal2011-pushed-lak503d.wend two/subgoal2011-pushed-lak503d.wend") == 0);
    test_case();
    test_command_end();
}

static const test tests[] = {
    {"the tables are what benches say", the_tables_are_what_benches_say},
    {"a run goes on where it stopped", a_run_goes_on_where_it_stopped},
};

TEST_MAIN(tests)

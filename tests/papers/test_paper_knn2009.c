/* `wend paper knn2009` from outside, on maps so small that it takes seconds: its figures against benches with
 * its databases, and what becomes of runs and databases that were stopped. */
#include "shared/order.h"
#include "support/check.h"
#include "support/command/command.h"
#include "support/command/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAPS = 8, ROWS = 15, PAPER_ROWS = 8, PROBLEMS = 3, RUNS = MAPS * PROBLEMS };

typedef struct row_case {
    const char *label, *key, *kind, *keys; /* the last two: of the database, as `wend build` takes them */
    const char *planner;
    double minutes, size, over, expansions; /* the paper's */
} row_case;

#define KNN "knn2009:climb=25,d=3"

static const row_case cases[ROWS] = {
    {"LRTA*", "lrta", NULL, NULL, "lrta:d=3", 0, 0, 447.95, 20.44},
    {"kNN LRTA* (1000)", "knn-1000", "knn2009", "records=1000", KNN, 0.62, 0.09, 49.91, 42.68},
    {"kNN LRTA* (5000)", "knn-5000", "knn2009", "records=5000", KNN, 3.08, 0.46, 27.24, 28.54},
    {"kNN LRTA* (10000)", "knn-10000", "knn2009", "records=10000", KNN, 6.23, 0.92, 19.52, 25.11},
    {"D LRTA* (7)", "dlrta-7", "dlrta", "level=7", "dlrta:d=3", 0.29, 1.06, 55.87, 20.34},
    {"D LRTA* (6)", "dlrta-6", "dlrta", "level=6", "dlrta:d=3", 0.35, 1.14, 22.57, 20.14},
    {"D LRTA* (5)", "dlrta-5", "dlrta", "level=5", "dlrta:d=3", 0.50, 1.39, 13.35, 19.98},
    {"D LRTA* (3)", "dlrta-3", "dlrta", "level=3", "dlrta:d=3", 1.91, 8.22, 10.13, 17.50},
    {"kNN farthest (1000)", "knn-far-1000", "knn2009", "records=1000 pick=farthest", KNN, 0, 0, 0, 0},
    {"kNN farthest (5000)", "knn-far-5000", "knn2009", "records=5000 pick=farthest", KNN, 0, 0, 0, 0},
    {"kNN farthest (10000)", "knn-far-10000", "knn2009", "records=10000 pick=farthest", KNN, 0, 0, 0, 0},
    {"kNN of 2010 (1000)", "knn2010-1000", "knn", "records=1000", "knn", 0, 0, 0, 0},
    {"kNN of 2010 (5000)", "knn2010-5000", "knn", "records=5000", "knn", 0, 0, 0, 0},
    {"kNN of 2010 (10000)", "knn2010-10000", "knn", "records=10000", "knn", 0, 0, 0, 0},
    {"TBA* (20)", "tba", NULL, NULL, "tba:k=20", 0, 0, 0, 0},
};
enum { SIDE = 72 };
static const char *const maps[MAPS] = {"AR0012SR", "AR0014SR",     "AR0205SR",   "AR0411SR",
                                       "AR0516SR", "battleground", "darkforest", "drywatergulch"};

/* Eight caves; those for WarCraft III are blown up in maps/wc3maps512, and as the paper thins them out in
 * `flat`, where there are all of them. The runs of the folder `one` are what others are compared with. */
#define PAPER "\"$WEND\" paper knn2009 --maps maps --problems 3 --seed 5 --quiet "
static bool measure_one(void) {
    return CHECK(test_shell("mkdir -p flat maps/bgmaps maps/wc3maps512 one && seed=1 && for name in AR0012SR "
                            "AR0014SR AR0205SR AR0411SR AR0516SR battleground darkforest drywatergulch; do "
                            "\"$WEND\" map gen caves 72x72 --seed $seed -o flat/$name.map --quiet && case "
                            "$name in AR*) cp flat/$name.map maps/bgmaps;; *) \"$WEND\" map scale "
                            "flat/$name.map 3 -o maps/wc3maps512/$name.map --quiet;; esac && \"$WEND\" scen "
                            "gen flat/$name.map -n 3 --min-cost 100 --max-cost 150 --seed 5 -o $name.scen "
                            "--quiet || exit 1; seed=$((seed + 1)); done") == 0) &&
           CHECK(test_shell(PAPER
                            "--ms-problems 0 --threads 1 -o one >one/text 2>said; test $? -lt 2 && test ! "
                            "-s said") == 0);
}

static bool begin(void) {
    return test_command_once(measure_one);
}

/* What benches found: of each row, all problems of all maps. */
typedef struct found_run {
    double over, moves, expansions, operations, operations_max, revisits, bytes;
} found_run;
static found_run found[ROWS][RUNS];
static double sizes[ROWS]; /* of the databases, in bytes: the mean of the maps */

/* One bench a map, with all planners. */
static bool run_benches(void) {
    for (size_t map = 0; map < MAPS; map++) {
        char line[4096];
        size_t used = (size_t)snprintf(line, sizeof line,
                                       "\"$WEND\" bench flat/%s.map %s.scen --quiet --json runs >said",
                                       maps[map], maps[map]);
        for (size_t row = 0; row < ROWS; row++) {
            used += (size_t)snprintf(line + used, sizeof line - used, " --planner %s", cases[row].planner);
            if (cases[row].kind)
                used +=
                    (size_t)snprintf(line + used, sizeof line - used, "%sdb=one/knn2009-%s-%s.wend",
                                     strchr(cases[row].planner, ':') ? "," : ":", cases[row].key, maps[map]);
        }
        if (!CHECK_THAT(test_shell(line) == 0, "%s", line)) return false;
        FILE *file = test_command_open("runs", "r");
        size_t row = 0, problem = 0;
        while (file && fgets(line, sizeof line, file) && row < ROWS) {
            test_json run;
            line[strcspn(line, "\n")] = 0;
            if (!CHECK(test_json_read(line, &run))) break;
            if (test_json_get(&run, "run")) continue;
            if (test_json_get(&run, "summary")) {
                CHECK(problem == PROBLEMS);
                sizes[row] += test_json_number(&run, "db_bytes") / MAPS;
                row++, problem = 0;
            } else if (CHECK(problem < PROBLEMS)) {
                found[row][map * PROBLEMS + problem++] = (found_run){
                    test_json_number(&run, "suboptimality"),  test_json_number(&run, "moves"),
                    test_json_number(&run, "expansions"),     test_json_number(&run, "operations"),
                    test_json_number(&run, "operations_max"), test_json_number(&run, "revisits"),
                    test_json_number(&run, "online_bytes")};
            }
        }
        if (file) CHECK(fclose(file) == 0);
        if (!CHECK(row == ROWS)) return false;
    }
    return true;
}

static void check_row(const char *json, size_t number) {
    const row_case *about = &cases[number];
    const found_run *runs = found[number];
    double over[RUNS], sum = 0, moves = 0, a_move = 0, operations = 0, operations_max = 0, revisits = 0,
                       revisited = 0, bytes = 0, most_bytes = 0;
    for (size_t i = 0; i < RUNS; i++) {
        over[i] = runs[i].over;
        sum += runs[i].over, moves += runs[i].moves, a_move += runs[i].expansions / runs[i].moves;
        operations += runs[i].operations, revisits += runs[i].revisits, revisited += runs[i].revisits > 0;
        bytes += runs[i].bytes;
        operations_max = fmax(operations_max, runs[i].operations_max);
        most_bytes = fmax(most_bytes, runs[i].bytes);
    }
    qsort(over, RUNS, sizeof *over, shared_by_double);
    test_json row;
    if (test_report_row(json, "table1", about->label, &row)) {
        test_report_number(&row, "suboptimality", sum / RUNS);
        test_report_number(&row, "expansions", a_move / RUNS);
        test_report_number(&row, "kilobytes", sizes[number] / 1024);
        if (number < PAPER_ROWS) {
            test_report_number(&row, "suboptimality_paper", about->over);
            test_report_number(&row, "expansions_paper", about->expansions);
            test_report_number(&row, "relative_size_paper", about->size);
            test_report_number(&row, "seconds_paper", about->minutes * 60);
        } else {
            CHECK(test_json_get(&row, "suboptimality_paper") &&
                  isnan(test_json_number(&row, "suboptimality_paper")));
        }
        double records = about->keys ? strtod(strchr(about->keys, '=') + 1, NULL) : 0;
        if (strstr(about->planner, "knn2009"))
            test_report_number(&row, "relative_size", 3 * records / (SIDE * SIDE));
        if (!about->kind) test_report_number(&row, "relative_size", 0);
        CHECK(about->kind ? test_json_number(&row, "seconds") > 0 : test_json_number(&row, "seconds") == 0);
    }
    if (test_report_row(json, "spread", about->label, &row)) {
        test_report_number(&row, "suboptimality", sum / RUNS);
        test_report_number(&row, "median", (over[(RUNS - 1) / 2] + over[RUNS / 2]) / 2);
        test_report_number(&row, "p95", over[RUNS * 95 / 100]); /* 23 of 24 are at most this: the 23rd */
        test_report_number(&row, "worst", over[RUNS - 1]);
        test_report_number(&row, "revisits", revisits / RUNS);
        test_report_number(&row, "revisited_percent", 100 * revisited / RUNS);
        /* LRTA* does not come back before it has learnt something, or it would come back for ever. */
        double learnt = test_json_number(&row, "learnt_percent");
        if (strcmp(about->key, "tba") == 0)
            CHECK(learnt == 0);
        else if (strcmp(about->kind ? about->kind : "", "knn") != 0)
            CHECK_THAT(learnt <= 100 && learnt + 1e-3 >= (about->kind ? 0 : 100 * revisited / RUNS),
                       "%s: %g%% learnt", about->label, learnt);
    }
    if (test_report_row(json, "costs", about->label, &row)) {
        test_report_number(&row, "moves", moves / RUNS);
        test_report_number(&row, "operations", operations / moves);
        test_report_number(&row, "operations_max", operations_max);
        test_report_number(&row, "online_bytes", bytes / RUNS);
        test_report_number(&row, "online_bytes_max", most_bytes);
        CHECK(!test_json_get(&row, "move_ns"));
    }
    for (size_t map = 0; map < MAPS && number < PAPER_ROWS; map++) {
        double mean = 0;
        for (size_t i = 0; i < PROBLEMS; i++) mean += runs[map * PROBLEMS + i].over / PROBLEMS;
        if (test_report_row(json, "by-map", maps[map], &row)) test_report_number(&row, about->key, mean);
    }
    test_case();
}

static void the_figures_are_what_benches_say(void) {
    if (test_skip_thinned() || !begin()) return;
    char *json = test_command_read("one/knn2009.json"), *html = test_command_read("one/knn2009.html"),
         *text = test_command_read("one/text");
    if (json && html && text) {
        CHECK(test_json_valid(json));
        CHECK(strstr(json, "\"problems\":3.0,") && strstr(json, "\"generated_maps\":0.0"));
        CHECK(test_report_checks(json) == 10 && test_count_lines(text, "not comparable  ") == 3);

        CHECK(test_count_lines(text, "not decided  ") > 0); /* three problems per map are few */
        CHECK(strstr(html, "<li class=\"not-decided\"><b>not decided</b>") != NULL);
        CHECK(strstr(html, "Figure 8, left") && strstr(html, "Figure 8, right") &&
              strstr(html, "\"scatter\":true,\"log_x\":true"));
        memset(sizes, 0, sizeof sizes);
        if (run_benches())
            for (size_t row = 0; row < ROWS; row++) check_row(json, row);
        test_json before, row;
        for (size_t i = 5; i < PAPER_ROWS; i++) /* lower levels have more regions */
            CHECK(test_report_row(json, "table1", cases[i - 1].label, &before) &&
                  test_report_row(json, "table1", cases[i].label, &row) &&
                  test_json_number(&before, "relative_size") < test_json_number(&row, "relative_size"));
    }
    free(json);
    free(html);
    free(text);
    test_case();
    /* The databases are those of `wend build`, and thinning out what was blown up gives back the map. */
    for (size_t row = 0; row < ROWS; row += 3) {
        char line[512];
        if (!cases[row].kind) continue;
        (void)snprintf(line, sizeof line,
                       "\"$WEND\" build %s flat/%s.map -o x.wend %s --seed 5 --quiet && cmp x.wend "
                       "one/knn2009-%s-%s.wend",
                       cases[row].kind, maps[row % MAPS], cases[row].keys, cases[row].key, maps[row % MAPS]);
        CHECK_THAT(test_shell(line) == 0, "%s", line);
        test_case();
    }
    CHECK(test_shell("\"$WEND\" paper index -o one >index && ! grep '^knn2009 *not run' index") == 0);
    CHECK(test_shell("for name in AR0012SR darkforest; do print=$(\"$WEND\" map info flat/$name.map | sed -n "
                     "'s/^fingerprint //p'); grep -q \"^map $name $print$\" one/knn2009.runs || exit 1; "
                     "done") == 0);
    test_case();
}

/* But for the seconds of the builds, and what follows from them, the results are those of `one`. */
#define SAME(folder)                                                                                         \
    "for name in one " folder "; do sed 's/\"seconds\":[^,]*,//;s/ on [0-9]* threads;//' "                   \
    "$name/knn2009.json >$name/plain || exit 1; done; cmp one/plain " folder "/plain && for base in "        \
    "one/*.wend; do cmp $base " folder "/$(basename $base) || exit 1; done"

static void stopped_runs_go_on(void) {
    if (test_skip_thinned() || !begin()) return;
    /* Nothing is built or run again where all is there. */
    CHECK(test_shell("rm -rf two; cp -rp one two && " PAPER
                     "--ms-problems 0 --threads 1 --resume -o two >two/text; test $? "
                     "-lt 2 && for file in one/*; do cmp $file two/$(basename $file) || exit 1; done") == 0);
    test_case();
    /* Some databases are missing, one is damaged, one is another's, and half of the runs are lost. */
    CHECK(test_shell("rm two/knn2009-knn-1000-*.wend two/*darkforest*.log.json; printf x | dd "
                     "of=two/knn2009-dlrta-3-AR0014SR.wend bs=1 seek=300 conv=notrunc 2>said && cp "
                     "one/knn2009-knn-5000-AR0205SR.wend two/knn2009-knn-10000-AR0205SR.wend && head -c "
                     "$(($(wc -c <one/knn2009.runs) / 2)) one/knn2009.runs >two/knn2009.runs && " PAPER
                     "--ms-problems 0 --threads 2 --resume -o two >two/text; test $? -lt 2 && " SAME(
                         "two") "; test $? -eq 0 && sort one/knn2009.runs >a && sort two/knn2009.runs >b && "
                                "cmp a b") == 0);
    test_case();
    /* Ctrl-C, again and again, until it is through: with all runs and the longest builds still to do. */
    CHECK(test_shell(
              "cp -rp one cut && rm cut/knn2009-knn-10000-*.wend cut/knn2009.*; tries=0 wait=0.1; while :; "
              "do timeout --foreground --preserve-status -s INT $wait " PAPER
              "--ms-problems 0 --resume -o cut >cut/text 2>said; status=$?; test -s said && exit 7; test "
              "$status -lt 2 && break; test $status -eq 130 || exit 8; tries=$((tries + 1)); "
              "wait=$((tries / 9)).$((tries % 9 + 1)); test $tries -lt 200 || exit 9; done; test $tries -gt "
              "0 && " SAME("cut")) == 0);
    test_case();
    /* It says so while a database is being built, too. */
    CHECK(test_shell("timeout --foreground --preserve-status -s INT 0.2 \"$WEND\" paper knn2009 --problems 3 "
                     "-o new >text 2>said; test $? -eq 130 && test $(wc -l <said) -le 1") == 0);
    /* Another seed is another measurement: it is refused, or begins again where the last was finished. */
    CHECK(test_shell(
              "\"$WEND\" paper knn2009 --maps maps --problems 3 --seed 6 --ms-problems 0 --quiet "
              "--resume -o two >text 2>said; test $? -eq 2 && grep -q \"seed 5', not 'seed 6\" said") == 0);
    test_case();
}

/* Times are measured apart and change no other figure; a map that is missing is generated in its size. */
static void times_stand_apart(void) {
    if (test_skip_thinned() || !begin()) return;
    CHECK(test_shell("rm -rf two; cp -rp one two && " PAPER
                     "--ms-problems 1 --threads 1 --resume -o two >two/text; test $? -lt 2") == 0);
    char *json = test_command_read("two/knn2009.json"), *plain = test_command_read("one/knn2009.json");
    for (size_t row = 0; json && plain && row < ROWS; row++) {
        test_json with, without;
        if (!test_report_row(json, "costs", cases[row].label, &with) ||
            !test_report_row(plain, "costs", cases[row].label, &without))
            break;
        double mean = test_json_number(&with, "move_ns"), most = test_json_number(&with, "step_ns_max");
        CHECK_THAT(mean > 0 && most > 0 && most < 1e9, "%s: %g ns per move, at most %g", cases[row].label,
                   mean, most);
        for (size_t i = 1; i < without.count; i++)
            test_report_number(&with, without.values[i].key, without.values[i].number);
        test_case();
    }
    free(json);
    free(plain);
    CHECK(test_shell(
              "rm two/knn2009.runs && mkdir fewer && cp -r maps fewer && rm "
              "fewer/maps/wc3maps512/drywatergulch.map && \"$WEND\" paper knn2009 --maps fewer/maps "
              "--problems 2 --seed 5 --ms-problems 0 --resume -o two >text 2>said; test $? -lt 2 && test "
              "! -s said && grep -q '^1 of the paper.s 8 maps are not here: generated caves' text && "
              "grep -Eq '^drywatergulch +171 +171 .* generated in its place$' text") == 0);
    test_case();
}

static const test tests[] = {
    {"the figures are what benches say", the_figures_are_what_benches_say},
    {"stopped runs go on", stopped_runs_go_on},
    {"times stand apart", times_stand_apart},
};

TEST_MAIN(tests)

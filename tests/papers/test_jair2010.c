/* `wend paper jair2010` from outside, on winding maps so small that its databases take moments: what it
 * writes is read back and held against benches of the same problems, and against itself. */
#include "support/check.h"
#include "support/command/command.h"
#include "support/command/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 64 };

/* Corridors to and fro, one row of cells wide, with a gap that makes a shorter way: scaled up, their paths
 * are long enough for the paper's problems. WIDTH, HEIGHT, and the place of the gap. */
#define SNAKE                                                                                                \
    "snake() { awk -v w=$2 -v h=$3 -v gap=$4 'BEGIN { printf \"type octile\\nheight %d\\nwidth "             \
    "%d\\nmap\\n\", h, w; "                                                                                  \
    "for (y = 0; y < h; y++) { for (x = 0; x < w; x++) printf \"%s\", y % 2 == 0 || x == (y % 4 == 1 ? w - " \
    "1 "                                                                                                     \
    ": 0) || (y == 5 && x == gap) ? \".\" : \"@\"; print \"\" } }' >maps/$1.map; }; "

static bool begin(void) {
    return test_command_begin() &&
           CHECK(test_shell("mkdir -p maps/cities maps/sc1 && " SNAKE
                            "snake cities/Boston_0_1024 20 29 6 && snake London_0_1024 25 25 20 && snake "
                            "sc1/WheelofWar 20 25 12 && snake sc1/Enigma 16 25 4") == 0);
}

/* The quick form of some tables, without times, in a folder. Whatever the maps are, nothing can be judged. */
#define RUN "\"$WEND\" paper jair2010 --quick --maps maps --problems 3 --ms-problems 0 --seed 5 --quiet "

typedef struct rows {
    test_json of[ROWS];
    size_t count;
} rows;

static const test_json *row_of(const rows *table, const char *label) {
    for (size_t i = 0; i < table->count; i++)
        if (strcmp(test_json_text(&table->of[i], "planner"), label) == 0) return &table->of[i];
    static const test_json none;
    CHECK_THAT(false, "there is no row of %s", label);
    return &none;
}

/* What a bench of a planner says of the same problems, over all maps. */
typedef struct benched {
    double suboptimality, worst, kb;
} benched;

static benched bench(const char *planner, const char *base) {
    char line[2048], db[128] = "";
    benched result = {0, 0, 0};
    if (base)
        (void)snprintf(db, sizeof db, "%sdb=one/jair2010-$name-%s.wend", strchr(planner, ':') ? "," : ":",
                       base);
    (void)snprintf(
        line, sizeof line,
        "for name in Boston_0_1024 London_0_1024 WheelofWar Enigma; do \"$WEND\" bench $name.map "
        "$name.scen --diagonal 1.4 --quiet --json - --planner %s%s || exit 1; done | sed -n "
        "'s/^{\"summary.*\"suboptimality_mean\":\\([0-9.]*\\),.*\"suboptimality_max\":\\([0-9.]*\\),"
        ".*\"online_bytes_mean\":\\([0-9.]*\\),.*/\\1 \\2 \\3/p'",
        planner, db);
    double found[4][3];
    if (!CHECK(test_shell_numbers(line, found[0], 12) == 12)) return result;
    for (int map = 0; map < 4; map++) {
        result.suboptimality += found[map][0] / 4, result.kb += found[map][2] / 1024 / 4;
        result.worst = fmax(result.worst, found[map][1]);
    }
    return result;
}

static rows table_1, table_3, table_4, table_5, table_6, table_7;

static void check_benches(void) {
    static const struct {
        const char *label, *planner, *base;
    } cases[] = {
        {"kNN LRTA*(1000)", "knn", "knn-1000"}, {"kNN LRTA*(5000)", "knn", "knn-5000"},
        {"D LRTA*(12)", "dlrta", "dlrta-12"},   {"TBA*(5)", "tba:k=5", NULL},
        {"TBA*(100)", "tba:k=100", NULL},       {"A*", "astar", NULL},
    };
    CHECK(test_shell(
              "for at in cities/Boston_0_1024:4 London_0_1024:4 sc1/WheelofWar:5 sc1/Enigma:6; do "
              "name=$(basename ${at%:*}); \"$WEND\" map scale maps/${at%:*}.map ${at#*:} -o $name.map && "
              "\"$WEND\" scen gen $name.map -n 3 --min-cost 1000 --max-cost 3000 --diagonal 1.4 --seed 5 -o "
              "$name.scen --quiet || exit 1; done") == 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        benched bare = bench(cases[i].planner, cases[i].base);
        const test_json *row = row_of(&table_1, cases[i].label), *memory = row_of(&table_4, cases[i].label);
        test_report_number(row, "suboptimality", bare.suboptimality);
        test_report_number(row, "worst", bare.worst);
        test_report_number(memory, "real_kb", bare.kb);
        CHECK(test_json_number(row, "unfinished") == 0);
        /* Who learns nothing and has no search knows the state it is in and eight neighbours, of 4 bytes. */
        if (strncmp(cases[i].label, "kNN", 3) == 0 && test_json_number(row, "learnt_percent") == 0)
            test_report_number(memory, "kb", 36. / 1024);
        CHECK(test_json_number(row, "median") <= test_json_number(row, "p95") &&
              test_json_number(row, "p95") <= test_json_number(row, "worst"));
        test_case();
    }
    /* A planner that must learn does, and one that searches does not. */
    CHECK(test_json_number(row_of(&table_1, "D LRTA*(12)"), "learnt_percent") == 100);
    CHECK(test_json_number(row_of(&table_1, "TBA*(5)"), "learnt_percent") == 0);
    CHECK(test_json_number(row_of(&table_1, "A*"), "suboptimality") == 0);
    test_case();
}

/* Cumulative memory is that of an agent and of the database; with as many agents as table 6 says, all of them
 * take less than TBA*'s, with one less they don't. */
static void check_memory(void) {
    double tba = test_json_number(row_of(&table_4, "TBA*(100)"), "kb"),
           tba_real = test_json_number(row_of(&table_4, "TBA*(100)"), "real_kb");
    for (size_t i = 0; i < table_6.count; i++) {
        const char *label = test_json_text(&table_6.of[i], "planner");
        const test_json *base = row_of(&table_3, label), *one = row_of(&table_4, label),
                        *all = row_of(&table_5, label);
        double kb[2] = {test_json_number(base, "mb") * 1024, test_json_number(base, "file_mb") * 1024},
               agent[2] = {test_json_number(one, "kb"), test_json_number(one, "real_kb")},
               agents[2] = {test_json_number(&table_6.of[i], "agents"),
                            test_json_number(&table_6.of[i], "agents_real")},
               other[2] = {tba, tba_real};
        /* Megabytes have six decimals. */
        CHECK(fabs(test_json_number(all, "kb") - kb[0] - agent[0]) < 0.002);
        CHECK(fabs(test_json_number(all, "real_kb") - kb[1] - agent[1]) < 0.002);
        for (int real = 0; real < 2; real++) {
            if (agent[real] >= other[real]) {
                CHECK_THAT(isnan(agents[real]), "%s: %g agents", label, agents[real]);
                continue;
            }
            CHECK_THAT(kb[real] + agents[real] * agent[real] < agents[real] * other[real],
                       "%s: %g agents are too few", label, agents[real]);
            CHECK_THAT(agents[real] == 1 ||
                           kb[real] + (agents[real] - 1) * agent[real] >= (agents[real] - 1) * other[real],
                       "%s: %g agents are too many", label, agents[real]);
        }
        test_case();
    }
    CHECK_THAT(table_6.count == 4, "%zu databases", table_6.count);
    /* States of four bytes, and files of fewer: see docs/reference/file-format.md. */
    CHECK(test_json_number(row_of(&table_3, "kNN LRTA*(10000)"), "records") == 10000);
    CHECK(test_json_number(row_of(&table_3, "D LRTA*(12)"), "relative") >= 1);
    test_case();
}

static void check_paper(void) {
    const test_json *row = row_of(&table_1, "kNN LRTA*(10000)");
    CHECK(test_json_number(row, "us_paper") == 7.56 &&
          test_json_number(row, "suboptimality_paper") == 6851.62);
    CHECK(isnan(test_json_number(row_of(&table_1, "kNN LRTA*(1000)"), "us_paper")));
    CHECK(test_json_number(row_of(&table_1, "A*"), "suboptimality_paper") == 0);
    CHECK(test_json_number(row_of(&table_1, "TBA*(50)"), "suboptimality_paper") == 131.12);
    CHECK(isnan(test_json_number(row, "us"))); /* nothing was timed */
    CHECK(test_json_number(row_of(&table_3, "D LRTA*(12)"), "mb_paper") == 84.96);
    CHECK(test_json_number(row_of(&table_6, "D LRTA*(12)"), "agents_paper") == 66);
    CHECK_THAT(table_1.count == 3 + 1 + 9 + 1, "%zu rows", table_1.count);
    CHECK_THAT(table_7.count == 7, "%zu ratios", table_7.count);
    for (size_t i = 0; i < table_7.count; i++) CHECK(test_json_number(&table_7.of[i], "times_paper") > 0);
    test_case();
}

static void the_tables_are_what_benches_say(void) {
    if (!begin()) return;
    CHECK(test_shell(RUN "--table 1 --table 3 --table 4 --table 5 --table 6 --table 7 -o one >text 2>said && "
                         "test ! -s said") == 0);
    char *text = test_command_read("text"), *json = test_command_read("one/jair2010.json"),
         *page = test_command_read("one/jair2010.html");
    if (text && json && page) {
        CHECK(test_json_valid(json) && test_report_checks(json) > 0);
        CHECK(strstr(text, "not comparable  ") && !strstr(text, "PASS  ") && !strstr(text, "FAIL  "));
        CHECK(strstr(page, "Figure 12, left") && strstr(page, "Figure 14, right") &&
              !strstr(page, "Figure 13"));
        CHECK(strstr(json, "\"diagonal\":\"1.4\"") != NULL);
        CHECK(strstr(json, "\"table-2\"") == NULL && strstr(json, "\"beyond\"") == NULL);
        table_1.count = test_report_rows(json, "table-1", table_1.of, ROWS);
        table_3.count = test_report_rows(json, "table-3", table_3.of, ROWS);
        table_4.count = test_report_rows(json, "table-4", table_4.of, ROWS);
        table_5.count = test_report_rows(json, "table-5", table_5.of, ROWS);
        table_6.count = test_report_rows(json, "table-6", table_6.of, ROWS);
        table_7.count = test_report_rows(json, "table-7", table_7.of, ROWS);
        test_case();
        check_benches();
        check_memory();
        check_paper();
    }
    free(page);
    free(json);
    free(text);
    test_command_end();
}

/* All that the quick form has, times too. */
static void all_of_it(void) {
    if (!test_full()) {
        test_skip("all of the quick form: only in the long form");
        return;
    }
    if (!begin()) return;
    CHECK(test_shell(
              "\"$WEND\" paper jair2010 --quick --maps maps --problems 2 --ms-problems 1 -o all >text") == 0);
    char *json = test_command_read("all/jair2010.json");
    if (json) {
        static const char *const tables[] = {"table-1", "table-2", "table-3",    "table-4",   "table-5",
                                             "table-6", "table-7", "footnote-4", "fragments", "enhancements",
                                             "beyond",  "by-map",  "after"};
        CHECK(test_json_valid(json) && test_report_checks(json) > 0);
        for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
            table_1.count = test_report_rows(json, tables[i], table_1.of, ROWS);
            CHECK_THAT(table_1.count > 0, "no table %s", tables[i]);
            for (size_t j = 0; j < table_1.count; j++)
                if (test_json_get(&table_1.of[j], "us")) CHECK(test_json_number(&table_1.of[j], "us") > 0);
            test_case();
        }
    }
    free(json);
    test_command_end();
}

static const test tests[] = {
    {"the tables are what benches say", the_tables_are_what_benches_say},
    {"all of it", all_of_it},
};

TEST_MAIN(tests)

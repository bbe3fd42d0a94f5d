/* `wend paper` from outside, on maps so small that it takes a moment: what it writes is read back and held
 * against benches of the same problems. */
#include "support/check.h"
#include "support/command/command.h"
#include "support/command/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>

enum { LENGTHS = 5, MOST_PLANNERS = 7, ROWS = LENGTHS * MOST_PLANNERS, PROBLEMS = 4 };

/* The tables, and how a bench of each planner of theirs is asked for. */
typedef struct table_case {
    const char *name;      /* in JSON */
    const char *knowledge; /* options of the bench */
    const char *problems;  /* the ending of the files of problems */
    int count;
    const char *labels[MOST_PLANNERS], *planners[MOST_PLANNERS];
} table_case;

#define UNKNOWN_LABELS                                                                                       \
    { "RTAA*", "daRTAA*", "RTBA*", "TBAA*", "Repeated A*", "Adaptive A*", "D* Lite" }
#define UNKNOWN_PLANNERS                                                                                     \
    {                                                                                                        \
        "rtaa", "dartaa", "rtba:trace=free", "tbaa:trace=free", "repeated-astar", "adaptive-astar",          \
            "dstar-lite"                                                                                     \
    }

static const table_case tables[] = {
    {"expansions",
     "",
     "scen",
     4,
     {"RTAA*", "daRTAA*", "TBA*", "A*"},
     {"rtaa", "dartaa", "tba:trace=free", "astar"}},
    {"unknown-expansions", "--knowledge unknown", "scen", 7, UNKNOWN_LABELS, UNKNOWN_PLANNERS},
    {"partial-expansions", "--knowledge partial:15 --seed 5", "blocked.scen", 7, UNKNOWN_LABELS,
     UNKNOWN_PLANNERS},
};
#define COMPLETE_LABELS                                                                                      \
    { "Repeated A*", "Adaptive A*", "D* Lite" }
#define COMPLETE_PLANNERS                                                                                    \
    { "repeated-astar", "adaptive-astar", "dstar-lite" }
enum { TABLES = sizeof tables / sizeof *tables };

static bool begin(void) {
    return test_command_begin() &&
           CHECK(
               test_shell("mkdir -p maps/dao && seed=1 && for name in Enigma Inferno WheelofWar dao/orz103d "
                          "dao/orz702d dao/orz703d; do \"$WEND\" map gen caves 48x40 --seed $seed -o "
                          "maps/$name.map --quiet || exit 1; seed=$((seed + 1)); done") == 0);
}

static double setting(const char *json, const char *key) {
    char wanted[64];
    (void)snprintf(wanted, sizeof wanted, "\"%s\":", key);
    const char *at = strstr(json, wanted);
    return at ? strtod(at + strlen(wanted), NULL) : NAN;
}

static test_json rows[ROWS];

/* The means of benches of each of these planners, with intervals of k expansions, over all maps. */
static void bench_means(const table_case *table, double k, double *moves, double *intervals) {
    char line[2048];
    size_t used = (size_t)snprintf(
        line, sizeof line,
        "for map in Enigma Inferno WheelofWar dao/orz103d dao/orz702d dao/orz703d; do \"$WEND\" bench "
        "maps/$map.map $(basename $map).%s --quiet %s --interval %.0f --json -",
        table->problems, table->knowledge, k);
    for (int i = 0; i < table->count; i++)
        used += (size_t)snprintf(line + used, sizeof line - used, " --planner %s", table->planners[i]);
    (void)snprintf(
        line + used, sizeof line - used,
        " || exit 1; done | sed -n 's/^{\"summary.*\"skipped\":\\([0-9]*\\),.*\"moves_mean\":\\([0-9.]*\\),"
        "\"intervals_mean\":\\([0-9.]*\\),.*/\\1 \\2 \\3/p'");
    double found[6 * MOST_PLANNERS][3];
    int all = 6 * table->count;
    if (!CHECK(test_shell_numbers(line, found[0], sizeof found / sizeof(double)) == (size_t)all * 3)) return;
    for (int i = 0; i < all; i++) {
        moves[i % table->count] += found[i][1] / 6, intervals[i % table->count] += found[i][2] / 6;
        CHECK(found[i][0] == 0);
    }
}

/* A bench of each planner with the same intervals on the same problems has the same means. */
static void check_length(const table_case *table, int length, double k) {
    double moves[MOST_PLANNERS] = {0}, intervals[MOST_PLANNERS] = {0};
    bench_means(table, k, moves, intervals);
    for (int i = 0; i < table->count; i++) {
        const test_json *row = &rows[length * table->count + i];
        CHECK(strcmp(test_json_text(row, "planner"), table->labels[i]) == 0);
        test_report_number(row, "length_ms", 0.3 * (length + 1));
        CHECK(test_json_number(row, "k") == k);
        test_report_number(row, "moves", moves[i]);
        test_report_number(row, "intervals", intervals[i]);
        CHECK(test_json_number(row, "intervals") >= test_json_number(row, "moves") + 1 - 1e-5);
        CHECK(test_json_number(row, "intervals_margin") > 0 &&
              test_json_number(row, "intervals_paper") > 500);
        test_case();
    }
}

/* The moves of those that stand while they search, under the paper's own rule of corners. */
static const table_case corner_tables[] = {
    {"unknown-corners", "--corners any --knowledge unknown", "any.scen", 3, COMPLETE_LABELS,
     COMPLETE_PLANNERS},
    {"partial-corners", "--corners any --knowledge partial:15 --seed 5", "any.blocked.scen", 3,
     COMPLETE_LABELS, COMPLETE_PLANNERS},
};

static void check_corners(const char *json, const table_case *table, const char *chosen) {
    double moves[MOST_PLANNERS] = {0}, intervals[MOST_PLANNERS] = {0}, strict[MOST_PLANNERS];
    bench_means(table, setting(json, "k"), moves, intervals); /* the length does not matter to moves */
    size_t count = test_report_rows(json, chosen, rows, ROWS);
    if (!CHECK(count == 7 * LENGTHS)) return;
    for (int i = 0; i < table->count; i++) strict[i] = test_json_number(&rows[4 + i], "moves");
    if (!CHECK(test_report_rows(json, table->name, rows, ROWS) == (size_t)table->count)) return;
    for (int i = 0; i < table->count; i++) {
        CHECK(strcmp(test_json_text(&rows[i], "planner"), table->labels[i]) == 0);
        test_report_number(&rows[i], "moves", moves[i]);
        test_report_number(&rows[i], "moves_chosen", strict[i]);
        test_case();
    }
}

static void the_tables_are_what_benches_say(void) {
    if (!begin()) return;
    CHECK(
        test_shell(
            "for map in Enigma Inferno WheelofWar dao/orz103d dao/orz702d dao/orz703d; do name=$(basename "
            "$map); \"$WEND\" scen gen maps/$map.map -n 4 --seed 5 -o $name.scen --quiet && \"$WEND\" map "
            "block maps/$map.map 15 --seed 5 -o blocked.map && \"$WEND\" scen gen blocked.map -n 4 --seed 5 "
            "-o $name.blocked.scen --quiet && \"$WEND\" scen gen maps/$map.map -n 4 --seed 5 --corners any "
            "-o $name.any.scen --quiet && \"$WEND\" scen gen blocked.map -n 4 --seed 5 --corners any -o "
            "$name.any.blocked.scen --quiet || exit 1; done") == 0);
    int status = test_shell(
        "\"$WEND\" paper tbaa2012 --maps maps --problems 4 --ms-problems 0 --seed 5 --threads 1 -o "
        "one >text 2>said && test ! -s said");
    char *text = test_command_read("text"), *json = test_command_read("one/tbaa2012.json");
    if (text && json) {
        size_t failed = test_count_lines(text, "FAIL  ");
        CHECK_THAT(status == (failed ? 1 : 0), "exit status %d, %zu failed", status, failed);
        CHECK(failed + test_count_lines(text, "PASS  ") + test_count_lines(text, "not decided  ") ==
              3 + 2 * 5);
        CHECK(test_report_checks(json) == 3 + 2 * 5 + 1 + 2 * 3 + 2 * 3);
        CHECK(test_count_lines(text, "not comparable  ") == 1 + 2 * 3 + 2 * 3);
        CHECK(test_json_valid(json));
        CHECK(setting(json, "problems") == PROBLEMS && strstr(json, "\"seed\":\"5\""));
        CHECK(setting(json, "generated_maps") == 0 && setting(json, "ms_problems") == 0);
        CHECK(fabs(setting(json, "delay") - 39) < 10);
        test_case();
        for (int table = 0; table < TABLES; table++) {
            if (!CHECK(test_report_rows(json, tables[table].name, rows, ROWS) ==
                       (size_t)tables[table].count * LENGTHS))
                continue;
            for (int length = 0; length < LENGTHS; length++)
                check_length(&tables[table], length, setting(json, "k") * (length + 1));
        }
        check_corners(json, &corner_tables[0], tables[1].name);
        check_corners(json, &corner_tables[1], tables[2].name);
        CHECK(!strstr(json, "milliseconds\",\"title"));
        /* Where that rule is chosen, the tables are of it and nothing is measured twice. */
        CHECK(test_shell("\"$WEND\" paper tbaa2012 --maps maps --problems 4 --ms-problems 0 --seed 5 --quiet "
                         "--table 2 --corners any -o any >text; test $? -lt 2 && ! grep -q unknown-corners "
                         "any/tbaa2012.json && ! grep -q '^unknown-any' any/tbaa2012.runs") == 0);
    }
    free(text);
    free(json);
    test_case();
    test_command_end();
}

/* Problems are run and kept in parts; with more than one part of each map, the means are still of all. */
static void parts_are_put_together(void) {
    if (!begin()) return;
    CHECK(test_shell(
              "for map in Enigma Inferno WheelofWar dao/orz103d dao/orz702d dao/orz703d; do \"$WEND\" "
              "scen gen maps/$map.map -n 64 --seed 5 -o $(basename $map).scen --quiet || exit 1; done") == 0);
    CHECK(test_shell("\"$WEND\" paper tbaa2012 --maps maps --table 1 --problems 64 --ms-problems 0 --seed 5 "
                     "--quiet -o one >text; test $? -lt 2") == 0);
    CHECK(test_shell(
              "grep -c '^known/astar/[0-9]*/Enigma/' one/tbaa2012.runs >count && test $(cat count) -gt 1") ==
          0);
    char *json = test_command_read("one/tbaa2012.json");
    if (json &&
        CHECK(test_report_rows(json, tables[0].name, rows, ROWS) == (size_t)tables[0].count * LENGTHS))
        for (int length = 0; length < LENGTHS; length += LENGTHS - 1)
            check_length(&tables[0], length, setting(json, "k") * (length + 1));
    free(json);
    test_command_end();
}

/* The results as `name` has them must be those of the folder `one`. */
static void check_same(const char *name) {
    char line[256];
    (void)snprintf(line, sizeof line,
                   "cmp one/tbaa2012.json %s/tbaa2012.json && cmp one/tbaa2012.html %s/tbaa2012.html && cmp "
                   "one/text %s/text && cmp one/tbaa2012-unknown-tbaa.png %s/tbaa2012-unknown-tbaa.png",
                   name, name, name, name);
    CHECK_THAT(test_shell(line) == 0, "%s is not as one", name);
    test_case();
}

enum { CUTS = 6 };
#define PAPER "\"$WEND\" paper tbaa2012 --maps maps --problems 2 --ms-problems 0 --quiet "

/* Whatever the number of threads, and wherever a run was stopped, the same bytes come out. */
static void stopped_runs_go_on(void) {
    if (test_skip_thinned() || !begin()) return;
    CHECK(test_shell("mkdir one; " PAPER "--threads 1 -o one >one/text; test $? -lt 2") == 0);
    for (int threads = 2; threads < 5; threads += 2) {
        char line[256];
        (void)snprintf(line, sizeof line,
                       "rm -rf more; mkdir more; " PAPER "--threads %d -o more >more/text; test $? -lt 2",
                       threads);
        CHECK(test_shell(line) == 0);
        check_same("more");
    }
    /* Cut at any byte: in a line, at its end, within the head's last. */
    char *runs = test_command_read("one/tbaa2012.runs");
    size_t size = runs ? strlen(runs) : 0, head = runs ? (size_t)(strstr(runs, "results\n") + 8 - runs) : 0;
    CHECK(size > head + 1000 && strcmp(runs + size - 5, "done\n") == 0);
    for (int i = 0; i < CUTS; i++) {
        size_t cut = i == 0   ? head
                     : i == 1 ? size - 5
                     : i == 2 ? size
                              : head + (size - head) * (size_t)i / CUTS;
        char line[512];
        (void)snprintf(line, sizeof line,
                       "rm -rf cut; mkdir cut; head -c %zu one/tbaa2012.runs >cut/tbaa2012.runs; " PAPER
                       "-o cut --resume >cut/text; test $? -lt 2",
                       cut);
        CHECK_THAT(test_shell(line) == 0, "cut at %zu", cut);
        check_same("cut");
        CHECK(test_shell("sort one/tbaa2012.runs >a; sort cut/tbaa2012.runs >b; cmp a b") == 0);
    }
    free(runs);
    /* Ctrl-C, again and again, until it is through. */
    CHECK(test_shell(
              "rm -rf cut; mkdir cut; tries=0 wait=0.03; while :; do timeout --foreground --preserve-status "
              "-s INT $wait " PAPER
              "--resume -o cut >cut/text 2>said; status=$?; test -s said && exit 7; test $status -lt 2 && "
              "break; test $status -eq 130 || exit 8; tries=$((tries + 1)); wait=$((tries / 9)).$((tries % 9 "
              "+ 1)); test $tries -lt 60 || exit 9; done; test $tries -gt 0") == 0);
    check_same("cut");
    /* Without --quiet it says how to go on. */
    CHECK(test_shell("rm -rf cut; timeout --foreground --preserve-status -s INT 0.1 \"$WEND\" paper tbaa2012 "
                     "--maps maps --problems 60 --ms-problems 0 -o cut >text 2>said; test $? -eq 130 && grep "
                     "-q '^wend: stopped: [0-9]* of [0-9]* jobs are kept in cut/tbaa2012.runs: go on with "
                     "--resume$' said") == 0);
    test_case();
    test_command_end();
}

static void others_results_are_refused(void) {
    if (!begin()) return;
    CHECK(test_shell("mkdir one; " PAPER "-o one --table 1 >text; test $? -lt 2") == 0);
    /* Some tables at a time, in any order: the same as all at once. */
    CHECK(test_shell(PAPER "-o one --table 3 --table 2 --resume >text; test $? -lt 2") == 0);
    CHECK(test_shell(PAPER "-o one --resume >text; test $? -lt 2; " PAPER
                           "-o all >text; cmp one/tbaa2012.json all/tbaa2012.json") == 0);
    /* A finished one is replaced without a word, one that is not finished isn't. */
    CHECK(test_shell(PAPER "-o all >text; test $? -lt 2") == 0);
    CHECK(test_shell("head -c 2000 all/tbaa2012.runs >x && mv x all/tbaa2012.runs; " PAPER
                     "-o all >text 2>said; test $? -eq 2 && grep -q 'all/tbaa2012.runs: holds runs of a "
                     "measurement that is not finished: go on with --resume, or remove it' said") == 0);
    test_case();
    /* While another measurement writes there, nothing is read or written. */
    CHECK(test_shell("cp one/tbaa2012.runs before") == 0);
    FILE *runs = test_command_open("one/tbaa2012.runs", "rb");
    CHECK(runs && flock(fileno(runs), LOCK_EX) == 0);
    CHECK(test_shell(PAPER
                     "-o one --resume >text 2>said; test $? -eq 2 && grep -q 'one/tbaa2012.runs: another "
                     "process is writing to it' said && cmp before one/tbaa2012.runs") == 0);
    if (runs) (void)fclose(runs);
    CHECK(test_shell(PAPER "-o one --resume >text; test $? -lt 2") == 0);
    test_case();
    static const char *const others[][2] = {
        {"--seed 2", "seed 1', not 'seed 2"},
        {"--problems 3", "problems 2', not 'problems 3"},
        {"--corners any", "corners=strict"},
        {"--maps .", "map Enigma"},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char line[512];
        (void)snprintf(
            line, sizeof line,
            "mkdir -p dao; cp maps/Inferno.map Enigma.map; cp maps/Inferno.map maps/WheelofWar.map .; cp "
            "maps/dao/* dao; \"$WEND\" paper tbaa2012 --ms-problems 0 --quiet --resume -o one %s %s %s >text "
            "2>said; test $? -eq 2 && grep -q \"belongs to other settings.*%s\" said",
            strstr(others[i][0], "--maps") ? "" : "--maps maps",
            strstr(others[i][0], "--problems") ? "" : "--problems 2", others[i][0], others[i][1]);
        CHECK_THAT(test_shell(line) == 0, "%s", others[i][0]);
        test_case();
    }
    /* Damage in the middle is no cut. */
    CHECK(test_shell("sed '20s/ [0-9]/ x/' one/tbaa2012.runs >all/tbaa2012.runs; " PAPER
                     "-o all --resume >text 2>said; test $? -eq 2 && grep -q 'tbaa2012.runs:20: is damaged' "
                     "said") == 0);
    CHECK(test_shell("echo nonsense >all/tbaa2012.runs; " PAPER
                     "-o all --resume >text 2>said; test $? -eq 2 && grep -q 'tbaa2012.runs:1: belongs to "
                     "other settings' said") == 0);
    test_case();
    test_command_end();
}

/* What a part of the tables has. */
typedef struct part_case {
    const char *options;
    size_t rows[TABLES], corners, timed; /* rows of each table; the last two of tables 2 and 3 alike */
    size_t judged, not_comparable, pictures, plots;
} part_case;

/* The rows of a part must be those of `whole`, the JSON of all of it, that have their planner and length. */
static void check_part_rows(const char *json, const char *whole, const char *table, size_t count) {
    static const char *const keys[] = {"length_ms", "moves", "intervals", "k"};
    static test_json all[ROWS];
    size_t found = test_report_rows(json, table, rows, ROWS), of = test_report_rows(whole, table, all, ROWS);
    CHECK_THAT(found == count, "%s: %zu rows, not %zu", table, found, count);
    for (size_t i = 0, at = 0; i < found; i++) {
        bool same = false;
        for (; at < of && !same; at++) {
            same = strcmp(test_json_text(&rows[i], "planner"), test_json_text(&all[at], "planner")) == 0;
            for (int key = 0; key < 4; key++)
                same = same && test_json_number(&rows[i], keys[key]) == test_json_number(&all[at], keys[key]);
        }
        CHECK_THAT(same, "%s: row %zu is not among all", table, i);
    }
}

static void check_part(const part_case *part, const char *whole) {
    char line[512];
    (void)snprintf(
        line, sizeof line,
        "\"$WEND\" paper tbaa2012 --maps maps --problems 2 --quiet --resume -o one %s >text 2>said; "
        "test $? -lt 2 && test ! -s said",
        part->options);
    if (!CHECK_THAT(test_shell(line) == 0, "%s", part->options)) return;
    char *json = test_command_read("one/tbaa2012.json"), *html = test_command_read("one/tbaa2012.html");
    if (json && html) {
        CHECK(test_json_valid(json) && strstr(json, "\"part\":\""));
        for (int table = 0; table < TABLES; table++)
            check_part_rows(json, whole, tables[table].name, part->rows[table]);
        CHECK(test_report_rows(json, "unknown-corners", rows, ROWS) == part->corners);
        for (size_t i = 0; i < part->corners; i++) { /* moves of any length are those of the last */
            test_json row;
            if (test_report_row(whole, "unknown-corners", test_json_text(&rows[i], "planner"), &row))
                CHECK(test_json_number(&rows[i], "moves") == test_json_number(&row, "moves") &&
                      test_json_number(&rows[i], "moves_chosen") == test_json_number(&row, "moves_chosen"));
        }
        CHECK(test_report_rows(json, "partial-corners", rows, ROWS) == part->corners);
        CHECK(test_report_rows(json, "unknown-milliseconds", rows, ROWS) == part->timed);
        CHECK(test_report_rows(json, "partial-milliseconds", rows, ROWS) == part->timed);
        size_t judged = test_report_checks(json) - part->not_comparable;
        CHECK_THAT(judged == part->judged, "%s: %zu judged", part->options, judged);
        CHECK(test_count_of(json, "\"result\":\"not-comparable\"") == part->not_comparable);
        CHECK(test_count_of(json, "{\"file\":\"") == part->pictures);
        CHECK(test_count_of(html, "class=\"plot\"") == part->plots &&
              !strstr(strstr(json, "\"tables\":"), "null"));
    }
    free(json);
    free(html);
    test_case();
}

/* Whatever parts of the tables are measured in one folder, in the end it is as if it had been at once. */
static void tables_can_be_measured_in_parts(void) {
    static const part_case parts[] = {
        {.options = "--planner repeated-astar --planner dstar-lite --length 0.6 --ms-problems 1",
         .rows = {0, 2, 2},
         .corners = 2,
         .timed = 2,
         .not_comparable = 2 * 2 * 2,
         .pictures = 4},
        {.options = "--planner rtaa --planner tba --ms-problems 0",
         .rows = {2 * LENGTHS, LENGTHS, LENGTHS},
         .pictures = 4,
         .plots = 3},
        {.options = "--table 1 --planner astar --planner tba --ms-problems 0",
         .rows = {2 * LENGTHS},
         .judged = 2,
         .not_comparable = 1,
         .pictures = 2,
         .plots = 1},
        {.options = "--planner tbaa --planner dstar-lite --planner rtba --ms-problems 0",
         .rows = {0, 3 * LENGTHS, 3 * LENGTHS},
         .corners = 1,
         .judged = 2,
         .not_comparable = 2 * 2,
         .pictures = 6,
         .plots = 2},
        {.options = "--length 1.5 --length 0.3 --ms-problems 0",
         .rows = {4 * 2, 7 * 2, 7 * 2},
         .corners = 3,
         .not_comparable = 1 + 2 * 3 * 2,
         .pictures = 18,
         .plots = 4},
    };
    if (!begin()) return;
    CHECK(test_shell(PAPER "-o all >text; test $? -lt 2") == 0);
    char *whole = test_command_read("all/tbaa2012.json");
    CHECK(whole && !strstr(whole, "\"part\""));
    for (size_t i = 0; whole && i < sizeof parts / sizeof *parts; i++) check_part(&parts[i], whole);
    free(whole);
    CHECK(test_shell(PAPER "-o one --resume >text; test $? -lt 2; cmp one/tbaa2012.json all/tbaa2012.json && "
                           "cmp one/tbaa2012.html all/tbaa2012.html") == 0);
    /* Nothing was measured twice, nor otherwise than at once. */
    CHECK(test_shell("test -z \"$(cut -d ' ' -f 1 one/tbaa2012.runs | grep / | sort | uniq -d)\" && sort "
                     "all/tbaa2012.runs >a && sort one/tbaa2012.runs >b && test -z \"$(comm -23 a b)\"") ==
          0);
    test_case();
    test_command_end();
}

static void the_page_stands_alone(void) {
    if (!begin()) return;
    int status = test_shell(
        "\"$WEND\" paper tbaa2012 --maps maps --problems 2 --ms-problems 1 -o a/b/c >text 2>said && test "
        "! -s said");
    CHECK(status == 0 || status == 1);
    char *json = test_command_read("a/b/c/tbaa2012.json"), *html = test_command_read("a/b/c/tbaa2012.html");
    if (json && html) {
        CHECK(test_json_valid(json));
        static const char *const timed[] = {"milliseconds", "unknown-milliseconds", "partial-milliseconds"};
        for (size_t table = 0; table < TABLES; table++) {
            size_t count = test_report_rows(json, timed[table], rows, ROWS);
            CHECK(count == (size_t)tables[table].count * LENGTHS);
            for (size_t i = 0; i < count; i++)
                CHECK(test_json_number(&rows[i], "intervals") >=
                      test_json_number(&rows[i], "moves") + 1 - 1e-5);
        }
        test_case();
        CHECK(strncmp(html, "<!DOCTYPE html>", 15) == 0);
        static const char *const loads[] = {"http:", "https:", "src=\"h", "src=\"/", "src='",
                                            "href=", "url(",   "@import", "//cdn"};
        for (size_t i = 0; i < sizeof loads / sizeof *loads; i++)
            CHECK_THAT(!strstr(html, loads[i]), "the page has %s", loads[i]);
        static const char *const pairs[][2] = {
            {"<table ", "</table>"}, {"<tr", "</tr>"},    {"<td", "</td>"},         {"<script", "</script>"},
            {"<style>", "</style>"}, {"<div ", "</div>"}, {"<figure>", "</figure>"}};
        for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
            CHECK_THAT(test_count_of(html, pairs[i][0]) == test_count_of(html, pairs[i][1]),
                       "%s is not closed", pairs[i][0]);
        CHECK(test_count_of(html, "<td") == (4 + 7 + 7) * LENGTHS * (8 + 7) + 2 * 3 * 4 + 6 * 7);
        CHECK(test_count_of(html, "<li class=") == 4 + 2 * (8 + 3) &&
              test_count_of(html, "class=\"plot\"") == 3 + 2 + 2);
        CHECK(test_count_of(html, "src=\"data:image/png;base64,iVBORw0KGgo") == 4 + 7 + 7);
        CHECK(test_count_of(html, "src=") == 4 + 7 + 7 &&
              test_count_of(json, "{\"file\":\"tbaa2012-") == 4 + 7 + 7);
        /* What the page holds is what stands beside it. */
        CHECK(test_shell("cd a/b/c && test $(ls *.png | wc -l) -eq 18 && for file in *.png; do grep -q "
                         "\"$(base64 -w 0 $file | head -c 20000 | tail -c 2000)\" tbaa2012.html || exit 1; "
                         "done") == 0);
        CHECK(strstr(html, "var uPlot=") && strstr(html, "Permission is hereby granted"));
        CHECK(strstr(html, "name=\"viewport\""));
        const char *data = strstr(html, "id=\"plots\">"), *ended = data ? strstr(data, "</script>") : NULL;
        if (CHECK(data && ended)) {
            char *plots = strndup(data + 11, (size_t)(ended - data - 11));
            CHECK(plots && test_json_valid(plots) &&
                  test_count_of(plots, "\"dashed\":true") == 4 + 2 + 4 + 4 * 7);
            free(plots);
        }
        test_case();
    }
    free(json);
    free(html);
    test_command_end();
}

static const test tests[] = {
    {"the tables are what benches say", the_tables_are_what_benches_say},
    {"parts are put together", parts_are_put_together},
    {"stopped runs go on", stopped_runs_go_on},
    {"others' results are refused", others_results_are_refused},
    {"tables can be measured in parts", tables_can_be_measured_in_parts},
    {"the page stands alone", the_page_stands_alone},
};
TEST_MAIN(tests)

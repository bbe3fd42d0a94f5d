/* `wend paper` from outside, on maps so small that it takes a moment: what it writes is read back and held
 * against benches of the same problems. */
#include "support/check.h"
#include "support/command.h"
#include "support/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTHS = 5, PLANNERS = 4, ROWS = LENGTHS * PLANNERS, PROBLEMS = 4 };
static const char *const labels[PLANNERS] = {"RTAA*", "daRTAA*", "TBA*", "A*"};
static const char *const planners[PLANNERS] = {"rtaa", "dartaa", "tba:trace=free", "astar"};

static bool begin(void) {
    return test_command_begin() &&
           CHECK(
               test_shell("mkdir -p maps/dao && seed=1 && for name in Enigma Inferno WheelofWar dao/orz103d "
                          "dao/orz702d dao/orz703d; do \"$WEND\" map gen caves 48x40 --seed $seed -o "
                          "maps/$name.map --quiet || exit 1; seed=$((seed + 1)); done") == 0);
}

/* The rows of one table of the report: each is an object on a line of its own. */
static size_t read_rows(const char *json, const char *name, test_json rows[ROWS]) {
    char head[64];
    (void)snprintf(head, sizeof head, "{\"name\":\"%s\"", name);
    const char *at = strstr(json, head);
    size_t count = 0;
    for (at = at ? strchr(at, '\n') : NULL; at; at = strchr(at, '\n')) {
        at += strspn(at, "\n ");
        size_t length = strcspn(at, "}") + 1;
        char line[1024];
        if (*at != '{' || length >= sizeof line || count == ROWS) break;
        memcpy(line, at, length);
        line[length] = 0;
        if (strncmp(line, "{\"name\"", 7) == 0) break;
        if (!CHECK_THAT(test_json_read(line, &rows[count]), "no row: %s", line)) break;
        count++;
    }
    return count;
}

static double setting(const char *json, const char *key) {
    char wanted[64];
    (void)snprintf(wanted, sizeof wanted, "\"%s\":", key);
    const char *at = strstr(json, wanted);
    return at ? strtod(at + strlen(wanted), NULL) : NAN;
}

static size_t count_lines(const char *text, const char *start) {
    size_t count = 0, length = strlen(start);
    for (const char *at = text; at; at = strchr(at, '\n')) {
        if (*at == '\n') at++;
        count += strncmp(at, start, length) == 0;
    }
    return count;
}

static bool near(double a, double b) {
    return fabs(a - b) <= 1e-5 * (1 + fabs(b));
}

static test_json rows[ROWS];

/* A bench of each planner with the same intervals on the same problems has the same means. */
static void check_against_benches(const char *json) {
    for (size_t i = 0; i < ROWS; i++) {
        const test_json *row = &rows[i];
        size_t planner = i % PLANNERS;
        CHECK(strcmp(test_json_text(row, "planner"), labels[planner]) == 0);
        CHECK(near(test_json_number(row, "length_ms"), 0.3 * (double)(i / PLANNERS + 1)));
        CHECK(test_json_number(row, "k") == setting(json, "k") * (double)(i / PLANNERS + 1));
        char line[1024];
        (void)snprintf(
            line, sizeof line,
            "for map in Enigma Inferno WheelofWar dao/orz103d dao/orz702d dao/orz703d; do \"$WEND\" bench "
            "maps/$map.map $(basename $map).scen --quiet --planner %s --interval %.0f --json - | tail -n "
            "1; done | sed 's/.*\"moves_mean\":\\([0-9.]*\\),\"intervals_mean\":\\([0-9.]*\\),.*/\\1 \\2/' "
            ">means",
            planners[planner], test_json_number(row, "k"));
        if (!CHECK(test_shell(line) == 0)) return;
        FILE *file = test_command_open("means", "r");
        double moves = 0, intervals = 0, a, b;
        int maps = 0;
        for (; file && fscanf(file, "%lf %lf", &a, &b) == 2; maps++) moves += a, intervals += b;
        if (file) CHECK(fclose(file) == 0);
        CHECK(maps == 6);
        CHECK_THAT(near(test_json_number(row, "moves"), moves / 6), "%s: %g moves, not %g", labels[planner],
                   test_json_number(row, "moves"), moves / 6);
        CHECK_THAT(near(test_json_number(row, "intervals"), intervals / 6), "%s: %g intervals, not %g",
                   labels[planner], test_json_number(row, "intervals"), intervals / 6);
        CHECK(test_json_number(row, "intervals") >= test_json_number(row, "moves") + 1 - 1e-5);
        CHECK(test_json_number(row, "intervals_margin") > 0 &&
              test_json_number(row, "intervals_paper") > 500);
        test_case();
    }
}

static void the_table_is_what_benches_say(void) {
    if (!begin()) return;
    CHECK(
        test_shell(
            "for map in Enigma Inferno WheelofWar dao/orz103d dao/orz702d dao/orz703d; do \"$WEND\" scen gen "
            "maps/$map.map -n 4 --seed 5 -o $(basename $map).scen --quiet || exit 1; done") == 0);
    int status = test_shell(
        "\"$WEND\" paper tbaa2012 --maps maps --problems 4 --ms-problems 0 --seed 5 --threads 1 -o "
        "one >text 2>said && test ! -s said");
    char *text = test_command_read("text"), *json = test_command_read("one/tbaa2012.json");
    if (text && json) {
        size_t failed = count_lines(text, "FAIL  ");
        CHECK_THAT(status == (failed ? 1 : 0), "exit status %d, %zu failed", status, failed);
        CHECK(failed + count_lines(text, "PASS  ") == 3);
        CHECK(count_lines(text, "not comparable  A*'s mean moves") == 1);
        CHECK(test_json_valid(json));
        CHECK(setting(json, "problems") == PROBLEMS && setting(json, "seed") == 5);
        CHECK(setting(json, "generated_maps") == 0 && setting(json, "ms_problems") == 0);
        CHECK(fabs(setting(json, "delay") - 39) < 10);
        test_case();
        if (CHECK(read_rows(json, "expansions", rows) == ROWS)) check_against_benches(json);
        CHECK(!strstr(json, "milliseconds\",\"title"));
    }
    free(text);
    free(json);
    test_case();
    /* Whatever the number of threads, the same bytes. */
    for (int threads = 2; threads < 5; threads++) {
        char line[256];
        (void)snprintf(
            line, sizeof line,
            "\"$WEND\" paper tbaa2012 --maps maps --problems 4 --ms-problems 0 --seed 5 --threads %d -o more "
            "--quiet >text; cmp one/tbaa2012.json more/tbaa2012.json && cmp one/tbaa2012.html "
            "more/tbaa2012.html",
            threads);
        CHECK(test_shell(line) == 0);
        test_case();
    }
    test_command_end();
}

static size_t count_of(const char *text, const char *part) {
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part)) count++;
    return count;
}

static void the_page_stands_alone(void) {
    if (!begin()) return;
    int status = test_shell(
        "\"$WEND\" paper all --maps maps --problems 2 --ms-problems 1 -o a/b/c >text 2>said && test "
        "! -s said");
    CHECK(status == 0 || status == 1);
    char *json = test_command_read("a/b/c/tbaa2012.json"), *html = test_command_read("a/b/c/tbaa2012.html");
    if (json && html) {
        CHECK(test_json_valid(json));
        CHECK(read_rows(json, "expansions", rows) == ROWS);
        size_t count = read_rows(json, "milliseconds", rows);
        CHECK(count == ROWS);
        for (size_t i = 0; i < count; i++)
            CHECK(test_json_number(&rows[i], "intervals") >= test_json_number(&rows[i], "moves") + 1 - 1e-5);
        test_case();
        CHECK(strncmp(html, "<!DOCTYPE html>", 15) == 0);
        static const char *const loads[] = {"http:", "https:", "src=", "href=", "url(", "@import", "//cdn"};
        for (size_t i = 0; i < sizeof loads / sizeof *loads; i++)
            CHECK_THAT(!strstr(html, loads[i]), "the page has %s", loads[i]);
        static const char *const pairs[][2] = {{"<table ", "</table>"}, {"<tr", "</tr>"},
                                               {"<td", "</td>"},        {"<script", "</script>"},
                                               {"<style>", "</style>"}, {"<div ", "</div>"}};
        for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
            CHECK_THAT(count_of(html, pairs[i][0]) == count_of(html, pairs[i][1]), "%s is not closed",
                       pairs[i][0]);
        CHECK(count_of(html, "<td") == ROWS * (8 + 7) + 6 * 7);
        CHECK(count_of(html, "<li class=") == 4 && count_of(html, "class=\"plot\"") == 3);
        CHECK(strstr(html, "var uPlot=") && strstr(html, "Permission is hereby granted"));
        CHECK(strstr(html, "name=\"viewport\""));
        const char *data = strstr(html, "id=\"plots\">"), *ended = data ? strstr(data, "</script>") : NULL;
        if (CHECK(data && ended)) {
            char *plots = strndup(data + 11, (size_t)(ended - data - 11));
            CHECK(plots && test_json_valid(plots) && count_of(plots, "\"dashed\":true") == 4 + 2 + 4);
            free(plots);
        }
        test_case();
    }
    free(json);
    free(html);
    test_command_end();
}

static const test tests[] = {
    {"the table is what benches say", the_table_is_what_benches_say},
    {"the page stands alone", the_page_stands_alone},
};
TEST_MAIN(tests)

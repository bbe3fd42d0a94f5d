/* `wend bench --edits PCT...` from outside: what is drawn, that it is drawn again, and what is said of it. */
#include "support/check.h"
#include "support/command/command.h"
#include "support/command/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

static bool make_small_world(void) {
    return CHECK(test_shell("\"$WEND\" map gen rooms 26x18 -o m.map --seed 5 --quiet") == 0) &&
           CHECK(test_shell("\"$WEND\" scen gen m.map -n 8 -o m.scen --quiet") == 0);
}

static bool make_world(void) {
    return CHECK(test_shell("\"$WEND\" map gen rooms 60x40 -o m.map --seed 5 --quiet") == 0) &&
           CHECK(test_shell("\"$WEND\" scen gen m.map -n 20 -o m.scen --quiet") == 0);
}

static bool bench(const char *edits, const char *rest, const char *name) {
    char line[512];
    (void)snprintf(line, sizeof line,
                   "\"$WEND\" bench m.map m.scen --planner dstar-lite --planner tba:k=8 --edits '%s' %s "
                   "--max-moves 3000 --json %s.json --moves %s.moves --quiet >%s.table",
                   edits, rest, name, name, name);
    return CHECK_THAT(test_shell(line) == 0, "%s", line);
}

static bool same_files(const char *a, const char *b) {
    char *left = test_command_read(a), *right = test_command_read(b);
    bool same = left && right && strcmp(left, right) == 0;
    free(left);
    free(right);
    return same;
}

static void the_same_edits_are_drawn_again(void) {
    static const char *const drawn[] = {"6:block=3:when=during:every=3", "8:kind=both:when=during",
                                        "5:kind=open", "10:block=5"};
    if (test_skip_thinned() || !test_command_begin() || !make_world()) return;
    for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++) {
        char seeded[128];
        (void)snprintf(seeded, sizeof seeded, "%s:seed=9", drawn[i]);
        if (bench(drawn[i], "", "a") && bench(drawn[i], "", "b") && bench(drawn[i], "--seed 9", "c") &&
            bench(seeded, "", "d")) {
            CHECK(same_files("a.moves", "b.moves"));
            CHECK(same_files("c.moves", "d.moves"));
            CHECK_THAT(!same_files("a.moves", "c.moves"), "%s: another seed changes nothing", drawn[i]);
        }
        test_case();
    }
    test_command_end();
}

/* A line of JSON a run; returns how many there were. */
static size_t check_lines(bool during, bool optimal) {
    char *text = test_command_read("a.json");
    size_t runs = 0, waits = 0;
    double most = 0;
    for (char *line = text ? strtok(text, "\n") : NULL; line; line = strtok(NULL, "\n")) {
        test_json json;
        if (!CHECK(test_json_read(line, &json))) break;
        if (test_json_get(&json, "run")) continue;
        if (test_json_get(&json, "summary")) {
            CHECK(fabs(test_json_number(&json, "detour_max") - most) < 1e-3 * (1 + most));
            CHECK((test_json_number(&json, "waits_mean") > 0) == (waits > 0));
            most = 0, waits = 0;
            continue;
        }
        double detour = test_json_number(&json, "detour");
        if (detour > most) most = detour;
        if (strcmp(test_json_text(&json, "status"), "arrived") == 0) {
            CHECK(detour >= -1e-9);
            /* The optimal planner without a limit always moves along a shortest path of the moment. */
            bool best = strncmp(test_json_text(&json, "planner"), "dstar-lite", 10) == 0;
            if (optimal && best) CHECK(detour < 1e-9);
            if (!during) CHECK(fabs(detour - test_json_number(&json, "suboptimality")) < 1e-2);
            CHECK(test_json_number(&json, "waits") ==
                  test_json_number(&json, "intervals") - test_json_number(&json, "moves"));
            waits += test_json_number(&json, "waits") > 0;
            runs++;
        }
    }
    free(text);
    return runs;
}

static void detours_are_held_against_the_moment(void) {
    if (!test_command_begin() || !make_world()) return;
    if (bench("10:block=2", "", "a")) CHECK(check_lines(false, true) > 0);
    test_case();
    if (bench("15:kind=both:when=during:every=2", "", "a")) CHECK(check_lines(true, true) > 0);
    test_case();
    if (bench("15:block=4:when=during", "", "a")) CHECK(check_lines(true, true) > 0);
    test_case();
    test_command_end();
}

/* The sum of the detours of all runs of a.json, of those that arrived. */
static double sum_of_detours(size_t *arrived, double *expansions) {
    char *text = test_command_read("a.json");
    double sum = 0;
    *arrived = 0, *expansions = 0;
    for (char *line = text ? strtok(text, "\n") : NULL; line; line = strtok(NULL, "\n")) {
        test_json json;
        if (!CHECK(test_json_read(line, &json)) || test_json_get(&json, "summary") ||
            test_json_get(&json, "run"))
            continue;
        *expansions += test_json_number(&json, "expansions");
        if (strcmp(test_json_text(&json, "status"), "arrived") != 0) continue;
        (*arrived)++, sum += test_json_number(&json, "detour");
    }
    free(text);
    return sum;
}

static bool bench_cpd(const char *edits, const char *rest) {
    char line[512];
    (void)snprintf(
        line, sizeof line,
        "\"$WEND\" bench m.map m.scen --planner cpd:db=m.db --edits '%s' %s --max-moves 3000 --json "
        "a.json --quiet >a.table",
        edits, rest);
    return CHECK_THAT(test_shell(line) == 0, "%s", line);
}

/* With a database: nobody fails, whatever is repaired; and repaired at once, walks are the best that there
 * are and nothing is searched. */
static void databases_are_repaired(void) {
    static const char *const drawn[] = {"8:block=2", "3:kind=both:when=during:every=3",
                                        "8:kind=both:block=3:seed=4"};
    if (!test_command_begin() || !make_small_world()) return;
    CHECK(test_shell("\"$WEND\" build cpd m.map -o m.db --quiet") == 0);
    double searched = 0;
    for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++) {
        size_t arrived[3] = {0};
        double sums[3] = {0}, expansions[3] = {0};
        static const char *const repairs[] = {"", "--repair 20000", "--repair 4000000000"};
        for (int j = 0; j < 3; j++)
            if (bench_cpd(drawn[i], repairs[j])) sums[j] = sum_of_detours(&arrived[j], &expansions[j]);
        CHECK(arrived[0] > 0 && arrived[0] == arrived[1] && arrived[0] == arrived[2]);
        CHECK_THAT(sums[2] < 1e-6 && expansions[2] == 0, "%s: detours of %g with %g expansions", drawn[i],
                   sums[2], expansions[2]);
        searched += expansions[0];
        test_case();
    }
    CHECK(searched > 0); /* without repair */
    CHECK(test_shell("\"$WEND\" bench m.map m.scen --planner cpd:db=m.db --repair 5 2>said; [ $? = 2 ]") ==
          0);
    CHECK(test_shell("\"$WEND\" bench m.map m.scen --planner cpd:db=m.db --edits 5 --repair 0 2>said; "
                     "[ $? = 2 ]") == 0);
    test_command_end();
}

static void bad_descriptions_are_refused(void) {
    static const char *const bad[] = {"101",          "5:block=0",
                                      "5:block=1025", "5:block=x",
                                      "5:",           "5:when",
                                      "5:when=now",   "5:kind=shut",
                                      "5:every=0",    "5:tile=3",
                                      "1.2.3",        "5:seed=-1",
                                      "5::",          "100:kind=open:when=during:every=10000000",
                                      "no-such-file"};
    if (!test_command_begin() || !make_world()) return;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char line[512];
        (void)snprintf(line, sizeof line,
                       "\"$WEND\" bench m.map m.scen --planner tba --edits '%s' 2>said >out; "
                       "code=$?; [ $code = 2 ] && [ $(wc -l <said) = 1 ] && [ ! -s out ]",
                       bad[i]);
        CHECK_THAT(test_shell(line) == 0, "%s", bad[i]);
        test_case();
    }
    /* None at all is not wrong, and a file may have a name like that. */
    CHECK(bench("0", "", "a") && test_shell("echo '0 1 1 2 2 closed' >7") == 0 && bench("./7", "", "b"));
    test_command_end();
}

static const test tests[] = {
    {"the same edits are drawn again", the_same_edits_are_drawn_again},
    {"detours are held against the moment", detours_are_held_against_the_moment},
    {"databases are repaired", databases_are_repaired},
    {"bad descriptions are refused", bad_descriptions_are_refused},
};
TEST_MAIN(tests)

/* `wend bench` from outside: its files of JSON and moves are read back and held against the map, against each
 * other and against the referee. */
#include "shared/order.h"
#include "shared/text.h"
#include "support/check.h"
#include "support/command/command.h"
#include "support/command/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

enum { WIDTH = 57, HEIGHT = 41, PROBLEMS = 90 };

/* The map and the problems ------------------------------------------------------------------------------ */

static char letters[HEIGHT][WIDTH + 1];
static wend_problem problems[PROBLEMS];

static uint32_t draw(uint64_t *seed, uint32_t bound) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33) % bound;
}

/* Loose walls, and a room in the corner that nothing leads into. Of the problems every ninth begins in a
 * wall, every ninth ends in one, every ninth leads into the room, and every ninth ends where it begins. */
static void make_world(const char *map_name, uint64_t seed) {
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) letters[y][x] = draw(&seed, 100) < 27 ? "@TW"[draw(&seed, 3)] : '.';
    for (int i = 0; i < 9; i++) letters[9][i] = letters[i][9] = '@';
    letters[9][9] = '@', letters[4][4] = '.';
    FILE *map = test_command_open(map_name, "w"), *scen = test_command_open("world.scen", "w");
    if (!CHECK(map && scen)) exit(1);
    fprintf(map, "type octile\nheight %d\nwidth %d\nmap\n", HEIGHT, WIDTH);
    for (int y = 0; y < HEIGHT; y++) fprintf(map, "%s\n", letters[y]);
    fprintf(scen, "version 1\n");
    for (int i = 0; i < PROBLEMS; i++) {
        int xy[4];
        for (int part = 0; part < 2; part++) {
            bool wall = i % 9 == 2 + part;
            do {
                xy[2 * part] = (int)draw(&seed, WIDTH), xy[2 * part + 1] = (int)draw(&seed, HEIGHT);
            } while ((letters[xy[2 * part + 1]][xy[2 * part]] == '.') == wall ||
                     (xy[2 * part] < 10 && xy[2 * part + 1] < 10));
        }
        if (i % 9 == 5) xy[2] = xy[3] = 4;
        if (i % 9 == 7) xy[2] = xy[0], xy[3] = xy[1];
        problems[i] = (wend_problem){.start = {xy[0], xy[1]}, .goal = {xy[2], xy[3]}};
        fprintf(scen, "0\tworld.map\t%d\t%d\t%d\t%d\t%d\t%d\t0\n", WIDTH, HEIGHT, xy[0], xy[1], xy[2], xy[3]);
    }
    CHECK(fclose(map) == 0 && fclose(scen) == 0);
}

typedef struct rule_variant {
    const char *options;
    int connect;
    wend_corners corners;
    wend_diagonal diagonal;
} rule_variant;

static const rule_variant variants[] = {
    {"", 8, WEND_CORNERS_STRICT, WEND_DIAGONAL_SQRT2},
    {"--connect 4", 4, WEND_CORNERS_STRICT, WEND_DIAGONAL_SQRT2},
    {"--corners any --diagonal 1.4", 8, WEND_CORNERS_ANY, WEND_DIAGONAL_1_4},
    {"--corners one", 8, WEND_CORNERS_ONE, WEND_DIAGONAL_SQRT2},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

static wend_map *make_map(const rule_variant *variant) {
    wend_map_options options = wend_default_map_options();
    options.rules = (wend_rules){variant->connect, variant->corners, variant->diagonal};
    wend_map *map = NULL;
    if (!CHECK(wend_map_create(WIDTH, HEIGHT, &options, &map, NULL) == WEND_OK)) exit(1);
    for (int y = 0; y < HEIGHT; y++) CHECK(wend_map_set_row(map, y, letters[y], NULL) == WEND_OK);
    return map;
}

/* What the files of one bench say ----------------------------------------------------------------------- */

typedef struct bench_report {
    test_json lines[PROBLEMS], summary;
    char status[PROBLEMS][24], *moves[PROBLEMS];
    size_t count;
} bench_report;

/* The report of planner number `set` in out.json and out.moves. */
static bool read_report(int set, bench_report *report) {
    char *line = NULL;
    size_t capacity = 0;
    int seen = 0;
    bool ended = false;
    report->count = 0;
    FILE *file = test_command_open("out.json", "r");
    if (!CHECK(file)) return false;
    while (!ended && getline(&line, &capacity, file) > 0) {
        test_json object;
        if (!CHECK_THAT(test_json_read(line, &object), "no JSON: %s", line)) break;
        if (test_json_get(&object, "run")) continue; /* where the lines come from */
        bool summary = test_json_get(&object, "summary") != NULL;
        if (seen == set) {
            if (summary)
                report->summary = object;
            else if (CHECK(report->count < PROBLEMS))
                report->lines[report->count++] = object;
        }
        if (summary && seen++ == set) ended = true;
    }
    CHECK(fclose(file) == 0);
    file = test_command_open("out.moves", "r");
    if (!CHECK(file)) return false;
    seen = -1;
    size_t count = 0;
    while (getline(&line, &capacity, file) > 0) {
        if (line[0] == '#') {
            seen++;
        } else if (seen == set && CHECK(count < PROBLEMS)) {
            int at[4], read = 0;
            CHECK(sscanf(line, "%d %d %d %d %23s%n", &at[0], &at[1], &at[2], &at[3], report->status[count],
                         &read) == 5);
            char *rest = line + read + (line[read] == ' ');
            rest[strcspn(rest, "\n")] = 0;
            report->moves[count] = strdup(rest);
            const test_json_value *start = test_json_get(&report->lines[count], "start"),
                                  *goal = test_json_get(&report->lines[count], "goal");
            CHECK(count < report->count && start && goal && start->numbers[0] == at[0] &&
                  start->numbers[1] == at[1] && goal->numbers[0] == at[2] && goal->numbers[1] == at[3]);
            count++;
        }
    }
    CHECK(fclose(file) == 0);
    free(line);
    return CHECK(ended) &&
           CHECK_THAT(count == report->count, "%zu lines of moves, %zu of JSON", count, report->count);
}

static void release_report(bench_report *report) {
    for (size_t i = 0; i < report->count; i++) free(report->moves[i]);
}

/* Properties -------------------------------------------------------------------------------------------- */

static const char *const run_keys[] = {
    "planner",     "map",           "problem",    "start",          "goal",
    "status",      "cost",          "optimal",    "suboptimality",  "moves",
    "intervals",   "expansions",    "operations", "operations_max", "plan_ns",
    "plan_ns_max", "first_move_ns", "revisits",   "online_bytes",   "reserved_bytes"};
static const char *const summary_keys[] = {"summary",
                                           "planner",
                                           "map",
                                           "problems",
                                           "arrived",
                                           "unreachable",
                                           "unfinished",
                                           "skipped",
                                           "suboptimality_mean",
                                           "suboptimality_median",
                                           "suboptimality_p95",
                                           "suboptimality_max",
                                           "suboptimality_bound_mean",
                                           "busy",
                                           "moves_mean",
                                           "intervals_mean",
                                           "expansions_mean",
                                           "move_ns_mean",
                                           "move_ns_p999",
                                           "move_ns_max",
                                           "first_move_ns_mean",
                                           "first_pass_ns_max",
                                           "operations_max",
                                           "revisits_mean",
                                           "online_bytes_mean",
                                           "online_bytes_max",
                                           "db_bytes",
                                           "build_seconds"};

static bool near(double a, double b) {
    return fabs(a - b) <= 1e-5 * (1 + fabs(b));
}

/* A planner as it is written, and whether its paths are optimal. */
typedef struct planner_case {
    const char *text;
    bool optimal;
} planner_case;

/* What the command was asked for, as far as a report must show it. */
typedef struct bench_terms {
    double max_moves;
    bool unknown; /* agents do not know the map: they may walk before they find that there is no way */
    bool patient; /* and longer than `max_moves` */
    size_t skipped;
} bench_terms;

static const bench_terms usual_terms = {.max_moves = INFINITY};

/* One line of the report against the map: `field` is rooted at the problem's start, or NULL if that is
 * blocked. */
static void check_run(const bench_report *report, size_t i, const wend_map *map, wend_field *field,
                      const planner_case *planner, const bench_terms *terms) {
    static bool visited[WIDTH * HEIGHT];
    const test_json *line = &report->lines[i];
    for (size_t key = 0; key < sizeof run_keys / sizeof *run_keys; key++)
        CHECK_THAT(test_json_get(line, run_keys[key]), "%s lacks %s", planner->text, run_keys[key]);
    CHECK(strcmp(test_json_text(line, "planner"), planner->text) == 0);
    const wend_problem *problem = &problems[(size_t)test_json_number(line, "problem")];
    wend_cell start = wend_map_cell(map, problem->start.x, problem->start.y),
              goal = wend_map_cell(map, problem->goal.x, problem->goal.y), at = start;
    const test_json_value *where = test_json_get(line, "start");
    CHECK(where && where->numbers[0] == problem->start.x && where->numbers[1] == problem->start.y);
    CHECK(strcmp(report->status[i], test_json_text(line, "status")) == 0);

    uint64_t straight = 0, diagonal = 0, waits = 0, revisits = 0;
    memset(visited, 0, sizeof visited);
    visited[start] = true;
    for (const char *p = report->moves[i]; *p; p++) {
        if (*p == 'w') {
            waits++;
            continue;
        }
        at = wend_map_next(map, at, shared_step_direction(*p));
        if (!CHECK_THAT(at != WEND_NO_CELL, "illegal move in %s", report->moves[i])) return;
        revisits += visited[at];
        visited[at] = true;
        if (*p & 1)
            diagonal++;
        else
            straight++;
    }
    double moves = (double)(straight + diagonal), length = wend_map_length(map, straight, diagonal);
    CHECK(test_json_number(line, "moves") == moves);
    CHECK(test_json_number(line, "intervals") == moves + (double)waits);
    CHECK(near(test_json_number(line, "cost"), length));
    CHECK(test_json_number(line, "revisits") == (double)revisits);
    CHECK(!planner->optimal || revisits == 0);
    CHECK(test_json_number(line, "plan_ns_max") <= test_json_number(line, "plan_ns"));
    CHECK(test_json_number(line, "operations_max") <= test_json_number(line, "operations"));
    CHECK(test_json_number(line, "expansions") <= test_json_number(line, "operations"));
    CHECK(test_json_number(line, "reserved_bytes") >= 0);
    if (moves > 0)
        CHECK(test_json_number(line, "first_move_ns") <= test_json_number(line, "plan_ns"));
    else
        CHECK(test_json_get(line, "first_move_ns")->kind == '0');

    wend_cost optimal = field ? wend_field_cost(field, goal) : WEND_NO_COST;
    if (!field || !wend_map_is_open_cell(map, goal)) {
        CHECK(strcmp(report->status[i], "refused") == 0 && !*report->moves[i]);
    } else if (optimal == WEND_NO_COST && terms->patient && strcmp(report->status[i], "unfinished") == 0) {
        CHECK(moves == terms->max_moves && test_json_get(line, "suboptimality")->kind == '0');
    } else if (optimal == WEND_NO_COST) {
        CHECK_THAT(strcmp(report->status[i], "unreachable") == 0 && (terms->unknown || moves == 0),
                   "%s: %s after %g moves", planner->text, report->status[i], moves);
        CHECK(test_json_get(line, "optimal")->kind == '0' &&
              test_json_get(line, "suboptimality")->kind == '0');
    } else if (strcmp(report->status[i], "unfinished") == 0) {
        CHECK(moves == terms->max_moves && at != goal);
        double best = test_json_number(line, "optimal");
        CHECK(near(test_json_number(line, "suboptimality"), (length / best - 1) * 100));
    } else {
        CHECK_THAT(strcmp(report->status[i], "arrived") == 0 && at == goal, "problem %g",
                   test_json_number(line, "problem"));
        CHECK(moves <= terms->max_moves);
        wend_cost cost = straight * wend_map_move_cost(map, 0) + diagonal * wend_map_move_cost(map, 1);
        double best = test_json_number(line, "optimal");
        CHECK(planner->optimal ? cost == optimal : cost >= optimal);
        if (cost == optimal) {
            CHECK(near(best, length));
            CHECK_THAT(strcmp(test_json_text(line, "suboptimality"), "0.0") == 0,
                       "suboptimality %s of an optimal path", test_json_text(line, "suboptimality"));
        } else {
            CHECK(near(test_json_number(line, "suboptimality"), (length / best - 1) * 100));
        }
    }
}

/* The summary against the lines it sums up. */
static void check_summary(const bench_report *report, const char *planner, size_t skipped) {
    const test_json *summary = &report->summary;
    for (size_t key = 0; key < sizeof summary_keys / sizeof *summary_keys; key++)
        CHECK_THAT(test_json_get(summary, summary_keys[key]), "%s lacks %s", planner, summary_keys[key]);
    CHECK(strcmp(test_json_text(summary, "planner"), planner) == 0);
    double over[PROBLEMS], moves = 0, intervals = 0, expansions = 0, operations = 0, online = 0, longest = 0,
                           plan = 0;
    double arrived = 0, unreachable = 0, unfinished = 0, refused = 0, sum = 0, bound = 0;
    size_t count = 0, ended = 0;
    for (size_t i = 0; i < report->count; i++) {
        const test_json *line = &report->lines[i];
        arrived += strcmp(report->status[i], "arrived") == 0;
        unreachable += strcmp(report->status[i], "unreachable") == 0;
        unfinished += strcmp(report->status[i], "unfinished") == 0;
        refused += strcmp(report->status[i], "refused") == 0;
        operations = fmax(operations, test_json_number(line, "operations_max"));
        online = fmax(online, test_json_number(line, "online_bytes"));
        longest = fmax(longest, test_json_number(line, "plan_ns_max"));
        double suboptimality = test_json_number(line, "suboptimality");
        if (isnan(suboptimality)) continue;
        count++, bound += fmax(suboptimality, 0);
        if (strcmp(report->status[i], "arrived") == 0) over[ended++] = suboptimality, sum += suboptimality;
        moves += test_json_number(line, "moves"), intervals += test_json_number(line, "intervals");
        expansions += test_json_number(line, "expansions"), plan += test_json_number(line, "plan_ns");
    }
    CHECK(test_json_number(summary, "problems") == (double)(report->count + skipped));
    CHECK(test_json_number(summary, "arrived") == arrived);
    CHECK(test_json_number(summary, "unreachable") == unreachable);
    CHECK(test_json_number(summary, "unfinished") == unfinished);
    CHECK(test_json_number(summary, "refused") == refused);
    CHECK(test_json_number(summary, "skipped") == (double)skipped);
    CHECK(arrived + unreachable + unfinished + refused == (double)report->count);
    CHECK(test_json_number(summary, "operations_max") == operations);
    CHECK(test_json_number(summary, "online_bytes_max") == online);
    CHECK(near(test_json_number(summary, "move_ns_max"), longest));
    CHECK(test_json_number(summary, "db_bytes") == 0 && test_json_get(summary, "build_seconds")->kind == '0');
    if (!count) {
        CHECK(test_json_get(summary, "suboptimality_mean")->kind == '0');
        return;
    }
    qsort(over, ended, sizeof *over, shared_by_double);
    double all = (double)count;
    CHECK(near(test_json_number(summary, "suboptimality_bound_mean"), bound / all));
    CHECK(ended || isnan(test_json_number(summary, "suboptimality_mean")));
    if (ended) { /* what was cut makes nobody better */
        CHECK(near(test_json_number(summary, "suboptimality_mean"), sum / (double)ended) && over[0] >= 0);
        CHECK(near(test_json_number(summary, "suboptimality_median"),
                   (over[(ended - 1) / 2] + over[ended / 2]) / 2));
        CHECK(near(test_json_number(summary, "suboptimality_p95"), over[(95 * ended + 99) / 100 - 1]));
        CHECK(near(test_json_number(summary, "suboptimality_max"), over[ended - 1]));
    }
    double squares = 0, mean = sum / (double)ended;
    for (size_t i = 0; i < ended; i++) squares += (over[i] - mean) * (over[i] - mean);
    double deviation = test_json_number(summary, "suboptimality_sd");
    if (ended < 2) {
        CHECK(isnan(deviation) && isnan(test_json_number(summary, "suboptimality_low")));
    } else { /* an interval of the mean: about two deviations of it to each side, and not beyond the values */
        double low = test_json_number(summary, "suboptimality_low"),
               high = test_json_number(summary, "suboptimality_high"),
               error = sqrt(squares / (double)(ended - 1) / (double)ended);
        CHECK(near(deviation * deviation, squares / (double)(ended - 1)));
        CHECK(low <= mean + 1e-5 && mean <= high + 1e-5 && low >= over[0] - 1e-5 &&
              high <= over[ended - 1] + 1e-5);
        CHECK_THAT(ended < 20 || (high - low >= 2 * error && high - low <= 5 * error), "%g to %g, error %g",
                   low, high, error);
    }
    CHECK(near(test_json_number(summary, "moves_mean"), moves / all));
    CHECK(near(test_json_number(summary, "intervals_mean"), intervals / all));
    CHECK(near(test_json_number(summary, "expansions_mean"), expansions / all));
    bool busy = strcmp(test_json_text(summary, "busy"), "true") == 0;
    CHECK(busy == (plan > intervals * longest));
    if (moves > 0 && !busy) CHECK(near(test_json_number(summary, "move_ns_mean"), plan / moves));
    CHECK(test_json_number(summary, "move_ns_p999") <= test_json_number(summary, "move_ns_max"));
}

static void check_report(const bench_report *report, const wend_map *map, const planner_case *planner,
                         const bench_terms *terms) {
    wend_field_options options = wend_default_field_options();
    wend_field *field;
    if (!CHECK(wend_field_create(map, &options, &field, NULL) == WEND_OK)) return;
    for (size_t i = 0; i < report->count; i++) {
        const test_json_value *start = test_json_get(&report->lines[i], "start");
        if (!CHECK(start && test_json_number(&report->lines[i], "problem") < PROBLEMS)) continue;
        wend_cell root = wend_map_cell(map, (int32_t)start->numbers[0], (int32_t)start->numbers[1]);
        bool open = wend_map_is_open_cell(map, root);
        if (open) CHECK(wend_field_compute(field, root, NULL) == WEND_OK);
        check_run(report, i, map, open ? field : NULL, planner, terms);
        test_case();
    }
    wend_field_destroy(field);
    check_summary(report, planner->text, terms->skipped);
    test_case();
}

static const planner_case jps = {"jps", true};
static const planner_case planners[] = {
    {"astar", true},     {"jps", true},          {"astar:k=7", true},
    {"jps:k=1", true},   {"tba", false},         {"tba:trace=free,k=3", false},
    {"rtaa:k=5", false}, {"dartaa:k=30", false}, {"lss-lrta:k=8", false},
    {"lrta", false},     {"lrta:d=3", false},    {"astar:k=unlimited", true},
};
enum { PLANNERS = sizeof planners / sizeof *planners };

/* The options for all of `cases`, into `text`. */
static void write_options(const planner_case *cases, size_t count, char *text, size_t size) {
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, size - used, " --planner %s", cases[i].text);
    CHECK(used < size);
}

enum { MOST_SETS = 16 };
static bench_report reports[MOST_SETS];

/* Runs a bench of all `cases` on world.map and holds the reports, which stay until release_reports, against
 * the map. */
static bool run_bench(const planner_case *cases, size_t count, const wend_map *map, const char *options) {
    char list[1024], line[2048];
    write_options(cases, count, list, sizeof list);
    (void)snprintf(line, sizeof line,
                   "\"$WEND\" bench world.map world.scen%s --json out.json --moves out.moves %s >table", list,
                   options);
    bool good = CHECK_THAT(test_shell(line) == 0, "%s", line);
    for (size_t set = 0; set < count && good; set++) {
        good = read_report((int)set, &reports[set]) && CHECK(reports[set].count == PROBLEMS);
        if (good) check_report(&reports[set], map, &cases[set], &usual_terms);
    }
    return good;
}

static void release_reports(size_t count) {
    for (size_t set = 0; set < count; set++) release_report(&reports[set]);
}

static void reports_agree_with_the_map(void) {
    if (!test_command_begin()) return;
    for (size_t i = 0; i < test_each(VARIANTS); i++) {
        make_world("world.map", 11 + i);
        wend_map *map = make_map(&variants[i]);
        bool good = run_bench(planners, PLANNERS, map, variants[i].options);
        /* `k` shares out the same search: ceil(expansions / k) - 1 waits before the first move. The path is
         * read back with what the budget leaves, ten cells for an expansion; and jps takes no more than ten
         * operations for one. */
        for (size_t p = 0; p < reports[0].count && good; p++)
            for (int set = 2; set < 4; set++) {
                double expansions = test_json_number(&reports[set - 2].lines[p], "expansions"),
                       k = set == 2 ? 7 : 1;
                double least = expansions > 0 ? ceil(expansions / k) - 1 : 0;
                double most = least + ceil(test_json_number(&reports[0].lines[p], "moves") / (10 * k));
                if (set == 3)
                    most += 1 + test_json_number(&reports[set - 2].lines[p], "operations") / (10 * k);
                const char *moves = reports[set].moves[p];
                double waits = (double)strspn(moves, "w");
                CHECK(test_json_number(&reports[set].lines[p], "expansions") == expansions);
                CHECK_THAT(waits >= least && waits <= most, "%s waits %g, %g expansions", planners[set].text,
                           waits, expansions);
                CHECK(strcmp(moves + strspn(moves, "w"), reports[set - 2].moves[p]) == 0);
            }
        test_case();
        release_reports(PLANNERS);
        wend_map_destroy(map);
    }
    test_command_end();
}

/* Under the game time model a planner does with K expansions per interval what it does with k = K expansions
 * per step, an interval later. */
static void intervals_are_steps_after_a_search(void) {
    static const planner_case steps[] = {
        {"astar:k=7", true}, {"jps:k=7", true},     {"tba:k=7", false},      {"tba:trace=free,k=7", false},
        {"rtaa:k=7", false}, {"dartaa:k=7", false}, {"lss-lrta:k=7", false}, {"lrta:d=2", false}};
    static const planner_case intervals[] = {
        {"astar:k=3", true}, {"jps", true},          {"tba", false},      {"tba:trace=free", false},
        {"rtaa:k=2", false}, {"dartaa:k=90", false}, {"lss-lrta", false}, {"lrta:d=2", false}};
    enum { CASES = sizeof steps / sizeof *steps };
    if (!test_command_begin()) return;
    make_world("world.map", 31);
    wend_map *map = make_map(&variants[0]);
    char *moves[CASES][PROBLEMS];
    bool good = run_bench(steps, CASES, map, "");
    for (size_t set = 0; set < CASES && good; set++)
        for (size_t p = 0; p < PROBLEMS; p++) moves[set][p] = strdup(reports[set].moves[p]);
    release_reports(good ? CASES : 0);
    if (good && run_bench(intervals, CASES, map, "--interval 7")) {
        for (size_t set = 0; set < CASES; set++) {
            CHECK(strcmp(test_json_text(&reports[set].summary, "interval"), "7") == 0);
            for (size_t p = 0; p < PROBLEMS; p++) {
                bool idle = p % 9 == 2 || p % 9 == 3 || p % 9 == 7; /* refused, or there already */
                const char *shown = reports[set].moves[p];
                CHECK_THAT(idle ? !*shown : *shown == 'w' && strcmp(shown + 1, moves[set][p]) == 0,
                           "%s, problem %zu: %s and %s", intervals[set].text, p, shown, moves[set][p]);
                free(moves[set][p]);
            }
            test_case();
        }
        release_reports(CASES);
    }
    CHECK(
        test_shell(
            "grep -q 'inter *peak' table && grep -q 'vals memory' table && ! awk 'length($0) > 100' table | "
            "grep .") == 0);
    test_case();
    wend_map_destroy(map);
    test_command_end();
}

/* By the clock runs differ from one another, but each is right in itself. */
static void intervals_of_milliseconds(void) {
    static const planner_case cases[] = {{"astar", true}, {"jps", true},     {"tba", false},
                                         {"rtaa", false}, {"dartaa", false}, {"lss-lrta", false},
                                         {"lrta", false}};
    enum { CASES = sizeof cases / sizeof *cases };
    static const char *const lengths[] = {"0.02ms", "1ms", "0.001ms"};
    if (!test_command_begin()) return;
    make_world("world.map", 32);
    wend_map *map = make_map(&variants[0]);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        char options[64];
        (void)snprintf(options, sizeof options, "--interval %s", lengths[i]);
        if (!run_bench(cases, CASES, map, options)) continue;
        for (size_t set = 0; set < CASES; set++)
            CHECK(near(test_json_number(&reports[set].summary, "first_pass_ns_max"),
                       test_json_number(&reports[set].summary, "move_ns_max"))); /* there is but one pass */
        for (size_t set = 0; set < CASES; set++)
            for (size_t p = 0; p < PROBLEMS; p++) {
                const char *shown = reports[set].moves[p];
                CHECK_THAT(!*shown || *shown == 'w', "%s moves in its first interval", cases[set].text);
                double moves = test_json_number(&reports[set].lines[p], "moves");
                CHECK(moves == 0 || test_json_number(&reports[set].lines[p], "plan_ns") > 0);
            }
        release_reports(CASES);
        test_case();
    }
    wend_map_destroy(map);
    test_command_end();
}

static void limits_choose_and_cut(void) {
    if (!test_command_begin()) return;
    make_world("world.map", 6);
    wend_map *map = make_map(&variants[0]);
    static const int limits[] = {30, 1, 2, 7, 60, 89, 90, 91, 1000};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        char line[512];
        int most = (int)i * 4 + 1;
        (void)snprintf(
            line, sizeof line,
            "\"$WEND\" bench world.map world.scen --planner jps --limit %d --max-moves %d --json out.json "
            "--moves out.moves >table",
            limits[i], most);
        if (CHECK(test_shell(line) == 0) && read_report(0, &reports[0])) {
            size_t wanted = limits[i] < PROBLEMS ? (size_t)limits[i] : PROBLEMS;
            CHECK(reports[0].count == wanted);
            for (size_t p = 0; p < reports[0].count; p++)
                CHECK(test_json_number(&reports[0].lines[p], "problem") == (double)(p * PROBLEMS / wanted));
            const bench_terms terms = {.max_moves = most};
            check_report(&reports[0], map, &jps, &terms);
            if (limits[i] == 60 || limits[i] == 89)
                CHECK(test_json_number(&reports[0].summary, "unfinished") > 0);
        }
        release_report(&reports[0]);
    }
    wend_map_destroy(map);
    test_command_end();
}

/* Whatever the map is called, the lines stay JSON; however many threads, the moves stay the same. */
static void names_and_threads_change_nothing(void) {
    if (!test_command_begin()) return;
    static const char odd[] = "o\"d\\d \t\xc3\xbc\xff\xed\xa0\x80.map";
    make_world("world.map", 8);
    make_world(odd, 8);
    CHECK(test_shell("\"$WEND\" bench world.map world.scen --planner astar --planner jps --threads 1 --json "
                     "out.json --moves "
                     "one.moves >table") == 0);
    CHECK(test_shell(
              "\"$WEND\" bench --quiet o*.map world.scen --planner astar --planner jps --threads 3 --json "
              "out.json "
              "--moves out.moves >table 2>said && test ! -s said") == 0);
    CHECK(test_shell("cmp one.moves out.moves") == 0);
    wend_map *map = make_map(&variants[0]);
    if (read_report(1, &reports[0])) {
        check_report(&reports[0], map, &jps, &usual_terms);
        CHECK(strncmp(test_json_text(&reports[0].summary, "map"), "o\"d\\d \t\xc3\xbc?", 9) == 0);
    }
    release_report(&reports[0]);
    wend_map_destroy(map);
    test_command_end();
}

/* Terrain that is not known, and that changes ----------------------------------------------------------- */

/* Those that search the whole map prove that there is no way; the others are cut. */
static const planner_case walkers[] = {
    {"tbaa", false},
    {"tbaa:trace=free,k=3", false},
    {"tbaa:da=yes,k=9", false},
    {"rtba:k=7", false},
    {"tba", false},
    {"astar:k=30", false},
    {"repeated-astar", false},
    {"adaptive-astar:k=10", false},
    {"dstar-lite:k=6", false},
    {"rtaa:k=5", false},
    {"dartaa:k=30", false},
    {"lss-lrta:k=8", false},
    {"lrta:d=2", false},
};
/* The last ones may walk on for longer than anyone wants to look, where there is no way. */
enum { WALKERS = sizeof walkers / sizeof *walkers, LEARNERS = 4 };
_Static_assert((int)WALKERS <= (int)MOST_SETS && (int)PLANNERS <= (int)MOST_SETS, "room for a report each");

static bool is_solvable(const wend_map *map, wend_field *field, const wend_problem *problem) {
    wend_cell start = wend_map_cell(map, problem->start.x, problem->start.y),
              goal = wend_map_cell(map, problem->goal.x, problem->goal.y);
    if (!wend_map_is_open_cell(map, start) || !wend_map_is_open_cell(map, goal)) return false;
    return CHECK(wend_field_compute(field, start, NULL) == WEND_OK) &&
           wend_field_cost(field, goal) != WEND_NO_COST;
}

enum { CHOSEN = 45 }; /* problems: every second */

static bool has_open_ends(const wend_map *map, const wend_problem *problem) {
    return wend_map_is_open(map, problem->start.x, problem->start.y) &&
           wend_map_is_open(map, problem->goal.x, problem->goal.y);
}

/* How many of them have ends that are open on `map` but not on `truth`, or could be solved on the one but
 * can't on the other. */
static size_t count_skipped(const wend_map *map, const wend_map *truth) {
    wend_field_options options = wend_default_field_options();
    wend_field *before, *after;
    size_t count = 0;
    if (!CHECK(wend_field_create(map, &options, &before, NULL) == WEND_OK &&
               wend_field_create(truth, &options, &after, NULL) == WEND_OK))
        exit(1);
    for (size_t i = 0; i < PROBLEMS; i += PROBLEMS / CHOSEN)
        count += (has_open_ends(map, &problems[i]) && !has_open_ends(truth, &problems[i])) ||
                 (is_solvable(map, before, &problems[i]) && !is_solvable(truth, after, &problems[i]));
    wend_field_destroy(before);
    wend_field_destroy(after);
    return count;
}

typedef struct terrain_case {
    const char *options;
    double percent; /* that is blocked */
    uint64_t seed;
} terrain_case;

/* A bench of some of the walkers on world.map, held against what is true of it. */
static void check_walkers(const terrain_case *terrain, const rule_variant *variant, const wend_map *truth,
                          const planner_case *cases, size_t count, const bench_terms *terms) {
    char list[1024], line[2048];
    write_options(cases, count, list, sizeof list);
    (void)snprintf(
        line, sizeof line,
        "\"$WEND\" bench world.map world.scen%s %s %s --limit 45 --max-moves %.0f --json out.json --moves "
        "out.moves >table",
        list, variant->options, terrain->options, terms->max_moves);
    CHECK_THAT(test_shell(line) == 0, "%s", line);
    for (size_t set = 0; set < count && read_report((int)set, &reports[set]); set++) {
        CHECK_THAT(reports[set].count + terms->skipped == CHOSEN, "%zu lines, %zu skipped",
                   reports[set].count, terms->skipped);
        check_report(&reports[set], truth, &cases[set], terms);
        CHECK(terms->patient || test_json_number(&reports[set].summary, "unfinished") == 0);
        CHECK(strncmp(test_json_text(&reports[set].summary, "knowledge"), terrain->options + 12, 7) == 0);
        release_report(&reports[set]);
    }
}

static void beliefs_meet_the_truth(void) {
    static const terrain_case cases[] = {
        {"--knowledge unknown", 0, 1},
        {"--knowledge partial:12 --seed 5", 12, 5},
        {"--knowledge unknown --sensor 4 --interval 11", 0, 1},
        {"--knowledge partial:5.5 --sensor 2", 5.5, 1},
        {"--knowledge partial:0 --interval 3", 0, 1},
    };
    if (!test_command_begin()) return;
    for (size_t i = 0; i < test_each(sizeof cases / sizeof *cases); i++) {
        const rule_variant *variant = &variants[i % VARIANTS];
        char line[1024];
        make_world("world.map", 51 + i);
        wend_map *map = make_map(variant), *truth = NULL;
        CHECK(wend_map_block(map, cases[i].percent, cases[i].seed, &truth, NULL) == WEND_OK);
        bench_terms terms = {.max_moves = 30000, .unknown = true, .skipped = count_skipped(map, truth)};
        CHECK((terms.skipped > 0) == (cases[i].percent > 0));
        check_walkers(&cases[i], variant, truth, walkers, WALKERS - LEARNERS, &terms);
        terms.max_moves = 4000, terms.patient = true;
        check_walkers(&cases[i], variant, truth, walkers + WALKERS - LEARNERS, LEARNERS, &terms);
        /* The cells are those of `wend map block`. */
        (void)snprintf(line, sizeof line,
                       "\"$WEND\" map block world.map %g --seed %d -o blocked.map %s && \"$WEND\" map info "
                       "blocked.map %s >info",
                       cases[i].percent, (int)cases[i].seed, variant->options, variant->options);
        CHECK(test_shell(line) == 0);
        char *info = test_command_read("info"), wanted[64];
        (void)snprintf(wanted, sizeof wanted, "fingerprint %016llx\n",
                       (unsigned long long)wend_map_fingerprint(truth));
        CHECK(info && strstr(info, wanted));
        free(info);
        test_case();
        wend_map_destroy(truth);
        wend_map_destroy(map);
    }
    test_command_end();
}

enum { EDITS = 40, LAST_TICK = 90 };

typedef struct edit_case {
    int tick;
    wend_rect area;
    bool open;
} edit_case;

/* Edits of the ticks up to LAST_TICK, some of them of tick 0, also as the file `edits`. */
static void make_edits(edit_case edits[EDITS], uint64_t seed) {
    FILE *file = test_command_open("edits", "w");
    if (!CHECK(file)) exit(1);
    fprintf(file, "# TICK X Y W H open|closed\r\n\n");
    for (int i = 0; i < EDITS; i++) {
        edit_case *edit = &edits[i];
        bool large = i % 5 == 0;
        int x = (int)draw(&seed, WIDTH), y = (int)draw(&seed, HEIGHT);
        int width = 1 + (int)draw(&seed, large ? 20 : 3), height = 1 + (int)draw(&seed, large ? 12 : 3);
        edit->tick = i < 4 ? 0 : (i - 3) * LAST_TICK / (EDITS - 4);
        edit->area = (wend_rect){x, y, x + width > WIDTH ? WIDTH - x : width,
                                 y + height > HEIGHT ? HEIGHT - y : height};
        edit->open = draw(&seed, 2);
        fprintf(file, "%d\t%d %d  %d %d %s\n", edit->tick, x, y, (int)edit->area.width,
                (int)edit->area.height, edit->open ? "open" : "closed");
    }
    CHECK(fclose(file) == 0);
}

/* Applies the edits of the ticks up to `tick` that have not been yet. */
static void apply_edits(wend_map *map, const edit_case edits[EDITS], int *next, size_t tick) {
    for (; *next < EDITS && (size_t)edits[*next].tick <= tick; (*next)++)
        CHECK(wend_map_edit(map, edits[*next].area, edits[*next].open, NULL) == WEND_OK);
}

/* One run on the map as it changed under it. */
static void check_edited_run(const bench_report *report, size_t i, const rule_variant *variant,
                             const edit_case edits[EDITS], bool known, size_t most) {
    const test_json *line = &report->lines[i];
    const wend_problem *problem = &problems[(size_t)test_json_number(line, "problem")];
    wend_map *map = make_map(variant);
    wend_field_options options = wend_default_field_options();
    wend_field *field;
    int next = 0;
    apply_edits(map, edits, &next, 0);
    if (!CHECK(wend_field_create(map, &options, &field, NULL) == WEND_OK)) exit(1);
    wend_cell at = wend_map_cell(map, problem->start.x, problem->start.y),
              goal = wend_map_cell(map, problem->goal.x, problem->goal.y);
    const char *status = report->status[i];
    bool solvable = is_solvable(map, field, problem),
         open = wend_map_is_open_cell(map, at) && wend_map_is_open_cell(map, goal);
    /* What is optimal is so when the run starts. */
    CHECK(solvable == (test_json_get(line, "optimal")->kind == 'n'));
    if (!open && at != goal) CHECK(strcmp(status, "refused") == 0);
    size_t tick = 0;
    for (const char *p = report->moves[i]; *p && at != WEND_NO_CELL; p++, tick++) {
        apply_edits(map, edits, &next, tick);
        if (*p != 'w') at = wend_map_next(map, at, shared_step_direction(*p));
    }
    CHECK_THAT(at != WEND_NO_CELL, "an illegal move in %s", report->moves[i]);
    CHECK(tick == strlen(report->moves[i]) && tick <= most);
    if (strcmp(status, "unreachable") == 0) {
        apply_edits(map, edits, &next, tick);
        CHECK_THAT(next == EDITS, "unreachable at tick %zu, before the last edit", tick);
        if (known && at != WEND_NO_CELL && wend_map_is_open_cell(map, at)) {
            CHECK(wend_field_compute(field, at, NULL) == WEND_OK);
            CHECK(wend_field_cost(field, goal) == WEND_NO_COST);
        }
    } else if (strcmp(status, "unfinished") == 0) {
        CHECK(tick == most && at != goal);
    } else if (strcmp(status, "refused") == 0) {
        CHECK(tick == 0);
    } else {
        CHECK(strcmp(status, "arrived") == 0 && at == goal);
    }
    wend_field_destroy(field);
    wend_map_destroy(map);
}

static void edits_change_the_map(void) {
    static const struct {
        const char *options;
        bool known;
        size_t most;
    } cases[] = {{"", true, 3000},
                 {"--knowledge unknown", false, 1000},
                 {"--interval 15", true, 3000},
                 {"--knowledge unknown --sensor 3 --interval 40", false, 60}};
    if (!test_command_begin()) return;
    size_t waited = 0, arrived = 0, unreachable = 0;
    for (size_t i = 0; i < (test_full() ? 8 : 1) * test_each(sizeof cases / sizeof *cases); i++) {
        const rule_variant *variant = &variants[(i + i / 4) % VARIANTS];
        size_t c = i % (sizeof cases / sizeof *cases);
        edit_case edits[EDITS];
        char list[1024], line[2048];
        make_world("world.map", 71 + i);
        make_edits(edits, 171 + i);
        write_options(walkers, WALKERS, list, sizeof list);
        (void)snprintf(
            line, sizeof line,
            "\"$WEND\" bench world.map world.scen%s %s %s --edits edits --limit 45 --max-moves %zu --json "
            "out.json --moves out.moves >table",
            list, variant->options, cases[c].options, cases[c].most);
        CHECK_THAT(test_shell(line) == 0, "%s", line);
        for (size_t set = 0; set < WALKERS && read_report((int)set, &reports[set]); set++) {
            CHECK(reports[set].count == CHOSEN);
            for (size_t p = 0; p < reports[set].count; p++) {
                check_edited_run(&reports[set], p, variant, edits, cases[c].known, cases[c].most);
                waited +=
                    strchr(reports[set].moves[p], 'w') && strcmp(reports[set].status[p], "arrived") == 0;
                arrived += strcmp(reports[set].status[p], "arrived") == 0;
                unreachable += strcmp(reports[set].status[p], "unreachable") == 0;
            }
            CHECK(strcmp(test_json_text(&reports[set].summary, "edits"), "edits") == 0);
            release_report(&reports[set]);
            test_case();
        }
    }
    CHECK(waited > 0 && arrived > 0 && unreachable > 0);
    test_command_end();
}

/* The referee ------------------------------------------------------------------------------------------- */

static bool compile_referee(const char *shared) {
    char line[4096];
    (void)snprintf(line, sizeof line, "${CC:-cc} -O2 -o referee '%s/referee/referee.c' -lm 2>said", shared);
    if (test_shell("command -v ${CC:-cc} >said") != 0) {
        test_skip("no compiler for the referee");
        return false;
    }
    return CHECK_THAT(test_shell(line) == 0, "the referee does not compile");
}

static void the_referee_agrees(void) {
    const char *shared = test_shared();
    if (!shared || !test_command_begin()) return;
    char line[4096], list[1024];
    int optimal = 0;
    for (size_t i = 0; i < PLANNERS; i++) optimal += planners[i].optimal;
    write_options(planners, PLANNERS, list, sizeof list);
    if (compile_referee(shared)) {
        for (size_t i = 0; i < test_each(2 * VARIANTS); i++) {
            const char *rules = variants[i / 2].options;
            make_world("world.map", 100 + i / 2);
            (void)snprintf(
                line, sizeof line,
                "\"$WEND\" bench world.map world.scen %s --moves out.moves %s %s >table && grep -v refused "
                "out.moves | ./referee world.map %s >judged && test $(grep -c 'illegal 0 ' judged) = %d && "
                "test "
                "$(grep -c 'illegal 0 .*suboptimality 0.0000%%' judged) -ge %d",
                list, rules, i % 2 ? "--interval 9" : "", rules, PLANNERS, optimal);
            CHECK_THAT(test_shell(line) == 0, "the referee complains: %s", line);
            test_case();
        }
        /* The referee must be able to say no, or the above means nothing. */
        CHECK(test_shell("grep -v refused out.moves | sed 's/arrived \\(.*\\).$/arrived \\1/' | ./referee "
                         "world.map >judged") == 1);
        test_case();
        static const char *const maps[] = {"dao/arena", "dao/orz103d", "bgmaps/AR0700SR",
                                           "wc3maps512/blastedlands", "sc1/WheelofWar"};
        size_t judged = 0;
        for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
            (void)snprintf(line, sizeof line, "test -e '%s/maps/%s.map.scen'", shared, maps[i]);
            if (test_shell(line) != 0) continue;
            (void)snprintf(
                line, sizeof line,
                "\"$WEND\" bench '%s/maps/%s.map' '%s/maps/%s.map.scen' --quiet --planner jps --planner "
                "astar:k=50 --limit 8 --moves out.moves >table && ./referee '%s/maps/%s.map' <out.moves "
                ">judged && test $(grep -c 'lines 8  arrived 8 .*suboptimality 0.0000%%' judged) = 2",
                shared, maps[i], shared, maps[i], shared, maps[i]);
            CHECK_THAT(test_shell(line) == 0, "the referee complains: %s", line);
            judged++;
            test_case();
        }
        CHECK(judged > 0);
    }
    test_command_end();
}

static const test tests[] = {
    {"reports agree with the map", reports_agree_with_the_map},
    {"intervals are steps after a search", intervals_are_steps_after_a_search},
    {"intervals of milliseconds", intervals_of_milliseconds},
    {"limits choose and cut", limits_choose_and_cut},
    {"names and threads change nothing", names_and_threads_change_nothing},
    {"beliefs meet the truth", beliefs_meet_the_truth},
    {"edits change the map", edits_change_the_map},
    {"the referee agrees", the_referee_agrees},
};
TEST_MAIN(tests)

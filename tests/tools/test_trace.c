/* `wend path --trace` from outside: every event is well-formed, every move legal, and what the trace says is
 * what the planner says it did. */
#include "support/check.h"
#include "support/command/command.h"
#include "support/command/json.h"
#include "support/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

/* What is kept of a trace while it is read. */
typedef struct reader {
    const test_grid *grid;
    const char *planner;
    wend_cell at, goal;
    uint64_t moves, waits, expansions, searches, learnt, subgoals, runs, ends;
    double step;     /* never falls */
    char parent[32]; /* the id of the last move */
    bool *expanded;  /* by the search under way, a cell each */
    char status[32];
} reader;

static double number(const reader *r, const test_json *event, const char *key) {
    double value = test_json_number(event, key);
    CHECK_THAT(isfinite(value), "%s: an event without %s", r->planner, key);
    return value;
}

/* The cell of an event, from its place. */
static wend_cell place(const reader *r, const test_json *event) {
    double x = number(r, event, "x"), y = number(r, event, "y");
    bool inside = x >= 0 && x < r->grid->width && y >= 0 && y < r->grid->height;
    if (!CHECK_THAT(inside, "%s: an event off the map", r->planner)) return 0;
    return (wend_cell)((int32_t)y * r->grid->width + (int32_t)x);
}

/* The same; its id must be its number. */
static wend_cell cell_of(const reader *r, const test_json *event) {
    wend_cell cell = place(r, event);
    CHECK_THAT(number(r, event, "id") == cell, "%s: an id that is not the cell's", r->planner);
    return cell;
}

static void read_expansion(reader *r, const test_json *event) {
    wend_cell cell = place(r, event);
    const test_json_value *parent = test_json_get(event, "pId");
    r->expansions++;
    if (!CHECK(parent && (parent->kind == 'n' || parent->kind == '0'))) return;
    bool backwards = strncmp(r->planner, "dstar-lite", 10) == 0;
    /* Searches are numbered from 1, and no two have an id in common. */
    r->searches += parent->kind == '0';
    const double first = (double)r->searches * r->grid->cells;
    CHECK_THAT(number(r, event, "id") == first + cell, "%s: an id of another search", r->planner);
    if (parent->kind == 'n') {
        CHECK_THAT(parent->number >= first && parent->number < first + r->grid->cells && !backwards &&
                       r->expanded[(wend_cell)(parent->number - first)],
                   "%s: a parent that was not expanded", r->planner);
    } else if (!backwards) {
        memset(r->expanded, 0, r->grid->cells * sizeof *r->expanded);
    }
    r->expanded[cell] = true;
    if (!backwards) CHECK(fabs(number(r, event, "f") - number(r, event, "g") - number(r, event, "h")) < 1e-5);
}

static void read_move(reader *r, const test_json *event) {
    wend_cell to = place(r, event);
    double direction = number(r, event, "direction");
    const test_json_value *parent = test_json_get(event, "pId");
    r->moves++;
    CHECK_THAT(direction >= 0 && direction < 8 && test_next(r->grid, r->at, (int)direction) == to,
               "%s: an illegal move to cell %u", r->planner, (unsigned)to);
    CHECK(parent &&
          (*r->parent ? parent->kind == 's' && strcmp(parent->text, r->parent) == 0 : parent->kind == '0'));
    (void)snprintf(r->parent, sizeof r->parent, "%.31s", test_json_text(event, "id"));
    CHECK_THAT(r->parent[0] == 'm', "%s: a move without an id", r->planner);
    r->at = to;
}

static void read_event(reader *r, const test_json *event) {
    const char *type = test_json_text(event, "type");
    double step = test_json_number(event, "step");
    CHECK(test_json_get(event, "id"));
    if (!isnan(step)) CHECK(step >= r->step);
    if (!isnan(step)) r->step = step;
    if (strcmp(type, "source") == 0) {
        CHECK(r->runs == r->ends);
        r->runs++;
        r->at = cell_of(r, event);
        r->parent[0] = 0;
    } else if (strcmp(type, "destination") == 0) {
        r->goal = cell_of(r, event);
    } else if (strcmp(type, "expanding") == 0) {
        read_expansion(r, event);
    } else if (strcmp(type, "learning") == 0) {
        (void)cell_of(r, event);
        r->learnt++;
        CHECK_THAT(number(r, event, "h") > number(r, event, "was"), "%s: learns nothing", r->planner);
    } else if (strcmp(type, "subgoal") == 0) {
        wend_cell cell = cell_of(r, event);
        r->subgoals++;
        CHECK_THAT(r->grid->open[cell] && cell != r->goal, "%s: heads for cell %u", r->planner,
                   (unsigned)cell);
    } else if (strcmp(type, "moving") == 0) {
        read_move(r, event);
    } else if (strcmp(type, "waiting") == 0) {
        r->waits++;
        CHECK(place(r, event) == r->at);
    } else if (strcmp(type, "end") == 0) {
        r->ends++;
        CHECK(cell_of(r, event) == r->at);
        (void)snprintf(r->status, sizeof r->status, "%.31s", test_json_text(event, "status"));
    } else {
        CHECK_THAT(false, "%s: an event of type '%s'", r->planner, type);
    }
}

/* Reads the whole file: an object by RFC 8259 with the members of version 1.4.0, an event a line. */
static bool read_trace(const char *name, reader *r) {
    char *text = test_command_read(name);
    if (!text) return false;
    bool good = CHECK_THAT(test_json_valid(text), "%s: the trace is no JSON", r->planner) &&
                CHECK(strstr(text, "{\"version\":\"1.4.0\",") == text && strstr(text, "\"views\":{") &&
                      strstr(text, "\"main\":[") && strstr(text, "\"pivot\":{\"x\":"));
    char *line = good ? strstr(text, "\"events\":[\n") : NULL;
    for (line = line ? strchr(line, '\n') : NULL; line; line = strchr(line, '\n')) {
        char *end = strchr(++line, '}');
        if (!end) break;
        char after = end[1];
        end[1] = 0;
        static test_json event;
        if (CHECK_THAT(test_json_read(line, &event), "%s: no event: %s", r->planner, line))
            read_event(r, &event);
        end[1] = after;
    }
    free(text);
    return good;
}

static double result(const char *key) {
    char *text = test_command_read("path.json");
    static test_json object;
    double value = NAN;
    if (text && CHECK(test_json_read(text, &object))) value = test_json_number(&object, key);
    free(text);
    return value;
}

static wend_map *load(const char *name) {
    char *text = test_command_read(name);
    wend_map *map = NULL;
    wend_map_options options = wend_default_map_options();
    if (text) CHECK(wend_map_parse(WEND_FORMAT_MAP, text, strlen(text), &options, &map, NULL) == WEND_OK);
    free(text);
    return map;
}

enum { EXPANDS = 1, LEARNS = 2, SUBGOALS = 4 };

typedef struct trace_case {
    const char *planner, *options;
    int tells;
} trace_case;

static void check_case(const test_grid *grid, const trace_case *with) {
    char line[512];
    reader r = {.grid = grid, .planner = with->planner};
    r.expanded = calloc(grid->cells, sizeof *r.expanded);
    (void)snprintf(
        line, sizeof line,
        "\"$WEND\" path m.map $start $goal --planner %s %s --trace t.json --json path.json >/dev/null",
        with->planner, with->options);
    if (CHECK(r.expanded) && CHECK_THAT(test_shell(line) == 0, "failed: %s", line) &&
        read_trace("t.json", &r)) {
        CHECK(r.runs == 1 && r.ends == 1 && strcmp(r.status, "arrived") == 0 && r.at == r.goal);
        CHECK_THAT((double)r.moves == result("moves") && (double)(r.moves + r.waits) == result("intervals"),
                   "%s: %llu moves and %llu waits", with->planner, (unsigned long long)r.moves,
                   (unsigned long long)r.waits);
        if (with->tells & EXPANDS) CHECK((double)r.expansions == result("expansions") && r.expansions);
        if (!(with->tells & EXPANDS)) CHECK(!r.expansions);
        CHECK_THAT((with->tells & LEARNS) == 0 || r.learnt, "%s: nothing learnt", with->planner);
        CHECK_THAT((with->tells & SUBGOALS) ? r.subgoals : !r.subgoals, "%s: %llu subgoals", with->planner,
                   (unsigned long long)r.subgoals);
    }
    free(r.expanded);
    test_case();
}

static void traces_tell_what_was_done(void) {
    static const trace_case cases[] = {
        {"astar", "", EXPANDS},
        {"astar:k=7", "", EXPANDS},
        {"jps", "", EXPANDS},
        {"jps:k=5", "", EXPANDS},
        {"dstar-lite", "", EXPANDS},
        {"dstar-lite", "--knowledge unknown", EXPANDS},
        {"lrta", "", EXPANDS | LEARNS},
        {"lrta:d=3", "", EXPANDS | LEARNS},
        {"rtaa", "", EXPANDS | LEARNS},
        {"lss-lrta", "", EXPANDS | LEARNS},
        {"dartaa", "", EXPANDS | LEARNS},
        {"tba", "", EXPANDS},
        {"rtba", "--knowledge unknown", EXPANDS},
        {"tbaa", "--knowledge unknown", EXPANDS | LEARNS},
        {"adaptive-astar", "--knowledge unknown", EXPANDS | LEARNS},
        {"cpd:db=cpd.wend", "", 0},
        {"knn:db=knn.wend", "", EXPANDS | SUBGOALS},
        {"knn2009:db=knn2009.wend", "", EXPANDS | SUBGOALS},
        {"dlrta:db=dlrta.wend", "", EXPANDS | SUBGOALS},
        {"subgoal-tree:db=subgoal-tree.wend", "", EXPANDS | SUBGOALS},
        {"knn2009:db=knn2009.wend,d=3", "", EXPANDS | SUBGOALS},
        {"dlrta:db=dlrta.wend,d=2", "", EXPANDS | SUBGOALS},
        {"lss-lrta:db=subgoal-tree.wend", "", EXPANDS | SUBGOALS},
        {"atlas:db=atlas.wend", "", SUBGOALS},
    };
    if (!test_command_begin()) return;
    wend_map *map = NULL;
    if (CHECK(test_shell("\"$WEND\" map gen caves 48x44 --seed 5 -o m.map --quiet && for kind in cpd atlas "
                         "subgoal-tree 'knn records=300' 'knn2009 records=300' 'dlrta level=3'; do set -- "
                         "$kind; kind=$1; shift; \"$WEND\" build $kind m.map -o $kind.wend \"$@\" --quiet || "
                         "exit 1; done") == 0) &&
        (map = load("m.map"))) {
        test_grid grid = test_grid_of(map);
        wend_cell start = 0, goal = grid.cells - 1;
        while (start + 1 < grid.cells && !grid.open[start]) start++;
        while (goal && !grid.open[goal]) goal--;
        char text[32];
        (void)snprintf(text, sizeof text, "%u,%u", (unsigned)start % 48, (unsigned)start / 48);
        (void)setenv("start", text, 1);
        (void)snprintf(text, sizeof text, "%u,%u", (unsigned)goal % 48, (unsigned)goal / 48);
        (void)setenv("goal", text, 1);
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_case(&grid, &cases[i]);
        test_grid_free(&grid);
    }
    wend_map_destroy(map);
    test_command_end();
}

/* Runs one after another, runs of no moves, goals that can't be reached: each has its end. */
static void every_run_has_its_end(void) {
    if (!test_command_begin()) return;
    wend_map *map = NULL;
    if (CHECK(test_shell("printf 'type octile\\nheight 5\\nwidth "
                         "9\\nmap\\n....@....\\n.@@.@.@..\\n.@....@.@\\n....@...@\\n@@@@@@@@.\\n' >s.map") ==
              0) &&
        (map = load("s.map"))) {
        static const struct {
            const char *line, *status;
            int exit;
        } cases[] = {
            {"path s.map 0,0 8,0 --planner tbaa --repeat", "arrived", 0},
            {"path s.map 0,0 8,0 --planner rtaa --repeat", "arrived", 0},
            {"path s.map 3,0 3,0", "arrived", 0},
            {"path s.map 0,0 8,4", "unreachable", 1},
            {"path s.map 0,0 8,4 --planner jps", "unreachable", 1},
            {"path s.map 0,0 8,4 --planner lrta --knowledge unknown", "unreachable", 1},
        };
        test_grid grid = test_grid_of(map);
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            char line[256];
            reader r = {.grid = &grid, .planner = cases[i].line};
            r.expanded = calloc(grid.cells, sizeof *r.expanded);
            (void)snprintf(line, sizeof line, "\"$WEND\" %s --trace - >t.json", cases[i].line);
            CHECK_THAT(test_shell(line) == cases[i].exit, "%s", line);
            if (CHECK(r.expanded) && read_trace("t.json", &r)) {
                CHECK(r.runs == r.ends && r.runs >= 1 && strcmp(r.status, cases[i].status) == 0);
                CHECK(!strstr(cases[i].line, "tbaa --repeat") || r.runs > 1);
                CHECK(cases[i].exit || r.at == r.goal);
            }
            free(r.expanded);
            test_case();
        }
        test_grid_free(&grid);
    }
    wend_map_destroy(map);
    test_command_end();
}

static const test tests[] = {
    {"traces tell what was done", traces_tell_what_was_done},
    {"every run has its end", every_run_has_its_end},
};
TEST_MAIN(tests)

#include "support/agents/agents.h"

#include "plan/agent.h"
#include "search/learnt.h"
#include "support/agents/own.h"
#include "support/check.h"
#include "support/settings.h"

#include <stdlib.h>
#include <string.h>

/* Forms of the library's planners that are more than one key apart from the usual one. */
static const char *const named[] = {
    "astar",
    "astar:k=1",
    "astar:k=2",
    "astar:k=13",
    "jps",
    "jps:k=1",
    "jps:k=13",
    "lrta",
    "lrta:d=2",
    "lrta:d=3",
    "lrta:d=5",
    "lrta:gmax=1.5",
    "lrta:gmax=3.3",
    "lss-lrta:k=1",
    "lss-lrta:k=2",
    "lss-lrta",
    "lss-lrta:k=100000",
    "rtaa:k=1",
    "rtaa:k=2",
    "rtaa",
    "rtaa:k=100000",
    "dartaa:k=1",
    "dartaa:k=3",
    "dartaa",
    "dartaa:k=100000",
    "tba:k=1",
    "tba:k=2",
    "tba:k=7",
    "tba",
    "tba:k=unlimited",
    "tba:k=1,share=0",
    "tba:k=4,share=0,ratio=1",
    "tba:k=3,share=1",
    "tba:k=10,share=0.5,ratio=1000000",
    "tba:k=1,trace=free",
    "tba:k=3,trace=free",
    "tba:k=20,trace=free",
    "tba:k=unlimited,trace=free",
    "rtba:k=1",
    "rtba:k=2",
    "rtba",
    "rtba:k=unlimited",
    "rtba:k=4,share=0,ratio=1",
    "rtba:k=3,trace=free",
    "tbaa:k=1",
    "tbaa:k=2",
    "tbaa",
    "tbaa:k=unlimited",
    "tbaa:k=4,share=0,ratio=1",
    "tbaa:k=3,trace=free",
    "tbaa:k=2,da=yes",
    "tbaa:da=yes",
    "repeated-astar",
    "repeated-astar:k=1",
    "repeated-astar:k=13",
    "adaptive-astar",
    "adaptive-astar:k=1",
    "adaptive-astar:k=13",
    "dstar-lite",
    "dstar-lite:k=1",
    "dstar-lite:k=13",
};
enum { NAMED = sizeof named / sizeof *named, MOST_FORMS = 256, LONGEST_FORM = 96 };

/* Filled when first asked for, by one thread. */
static struct {
    char texts[MOST_FORMS][LONGEST_FORM];
    size_t count, library; /* all, and those of the library */
} forms;

static void add_form(const char *planner, const char *key, const char *value) {
    if (forms.count == MOST_FORMS) abort();
    (void)snprintf(forms.texts[forms.count++], LONGEST_FORM, "%s%s%s%s%s", planner, *key ? ":" : "", key,
                   *key ? "=" : "", value);
}

static void add_key(const char *planner, const wend_key_info *key) {
    static const char *const yes_no[] = {"yes", "no", NULL};
    const char *const *words = key->kind == WEND_KEY_YES_NO ? yes_no : key->words;
    char value[32];
    switch (key->kind) {
    case WEND_KEY_INTEGER:
    case WEND_KEY_SIZE:
    case WEND_KEY_DECIMAL:
    case WEND_KEY_PERCENT:
        for (int most = 0; most < 2; most++) {
            (void)snprintf(value, sizeof value, "%.10g%s", most ? (double)key->max : (double)key->min,
                           key->kind == WEND_KEY_PERCENT ? "%" : "");
            add_form(planner, key->name, value);
        }
        if (key->unlimited) add_form(planner, key->name, "unlimited");
        break;
    case WEND_KEY_YES_NO:
    case WEND_KEY_WORD:
        for (; *words; words++) add_form(planner, key->name, *words);
        break;
    case WEND_KEY_FILE:
        break;
    }
}

static bool is_named(const char *planner) {
    for (size_t i = 0; i < NAMED; i++)
        if (test_is_planner(named[i], planner)) return true;
    return false;
}

static bool needs_file(const wend_method_info *planner) {
    for (size_t i = 0; i < planner->key_count; i++)
        if (planner->keys[i].required) return true;
    return false;
}

static void find_forms(void) {
    if (forms.count) return;
    const wend_planners *set = test_planner_set();
    for (size_t i = 0; i < NAMED; i++) add_form(named[i], "", "");
    for (size_t i = 0; i < wend_planners_count(set); i++) {
        const wend_method_info *planner = wend_planners_at(set, i);
        if (i == wend_planner_count()) forms.library = forms.count;
        if (is_named(planner->name) || needs_file(planner)) continue;
        add_form(planner->name, "", "");
        for (size_t j = 0; j < planner->key_count; j++) add_key(planner->name, &planner->keys[j]);
    }
}

const char *test_planner(size_t index) {
    find_forms();
    return forms.texts[index];
}

size_t test_planner_count(void) {
    find_forms();
    return forms.library;
}

size_t test_all_planner_count(void) {
    find_forms();
    return forms.count;
}

bool test_is_sure(const char *planner) {
    return !test_own_is_incomplete(planner);
}

bool test_is_planner(const char *planner, const char *name) {
    size_t length = strlen(name);
    return strncmp(planner, name, length) == 0 && (!planner[length] || planner[length] == ':');
}

bool test_is_whole_map(const char *planner) {
    static const char *const names[] = {"astar",          "jps",        "tba",
                                        "rtba",           "tbaa",       "repeated-astar",
                                        "adaptive-astar", "dstar-lite", "auto" /* tba */};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (test_is_planner(planner, names[i])) return true;
    return false;
}

bool test_is_optimal(const char *planner) {
    return test_is_planner(planner, "astar") || test_is_planner(planner, "jps") ||
           test_is_planner(planner, "repeated-astar") || test_is_planner(planner, "adaptive-astar") ||
           test_is_planner(planner, "dstar-lite") ||
           (test_is_whole_map(planner) && strstr(planner, "k=unlimited"));
}

bool test_stage_open(test_stage *stage, wend_map *map, const wend_world_options *options) {
    *stage = (test_stage){.map = map};
    if (!CHECK(map)) return false;
    stage->grid = test_grid_of(map);
    stage->left = calloc(stage->grid.cells, sizeof *stage->left);
    stage->been = calloc(stage->grid.cells, 1);
    wend_world_options standard = wend_default_world_options();
    return CHECK(stage->left && stage->been) &&
           CHECK(wend_world_create(map, options ? options : &standard, &stage->world, NULL) == WEND_OK);
}

bool test_stage_any(test_stage *stage, uint64_t number) {
    bool good = test_stage_open(stage, test_map_any(number), NULL);
    stage->number = number;
    return good;
}

void test_stage_close(test_stage *stage) {
    wend_world_destroy(stage->world);
    free(stage->left);
    free(stage->been);
    test_grid_free(&stage->grid);
    wend_map_destroy(stage->map);
    *stage = (test_stage){0};
}

wend_agent *test_agent_make(const test_stage *stage, const char *planner, const wend_agent_options *options) {
    wend_agent_options standard = wend_default_agent_options();
    const wend_settings *settings = NULL;
    wend_error error = {0};
    wend_agent *agent = NULL;
    if (test_settings_parse(planner, &settings, &error) == WEND_OK)
        (void)wend_agent_create(stage->world, settings, options ? options : &standard, &agent, &error);
    CHECK_THAT(agent, "%s on map %llu: %s", planner, (unsigned long long)stage->number, error.message);
    return agent;
}

/* The first member of such an agent's state is its search. */
wend_cost test_agent_h(const test_stage *stage, const wend_agent *agent, wend_cell cell) {
    wend_xy xy = wend_map_xy(stage->map, cell);
    return wend_learnt_h(*(wend_search **)agent->state, cell, (uint32_t)xy.x, (uint32_t)xy.y);
}

/* LRTA*, LSS-LRTA* and RTAA*: let P be the sum of h over all cells but the agent's. A move from s to y costs
 * c, and the new h(s) is at least c + the new h(y); h falls nowhere. So P grows by c at least, and can't
 * outgrow the sum of the true distances (Koenig and Simmons, "Easy and hard testbeds for real-time search
 * algorithms", 1996, in terms of costs). daRTAA* may step to an open cell whose f is not the smallest, where
 * this argument fails: the square of the number of cells is generous.
 *
 * A* and TBA* touch a cell at most eight times in searching (seven times as an outdated node), at least one
 * per step. Tracing takes at most all cells for the path under way and for the last one. Then come at most as
 * many moves back and forth. */
uint64_t test_step_limit(const test_stage *stage, const char *planner, wend_cell start, wend_cell goal,
                         const wend_cost *left) {
    const test_grid *grid = &stage->grid;
    uint64_t cells = 0;
    wend_cost room = test_distance(grid, start, goal);
    for (wend_cell cell = 0; cell < grid->cells; cell++)
        if (left[cell] != WEND_NO_COST) cells++, room += left[cell] - test_distance(grid, cell, goal);
    if (test_is_whole_map(planner) || !test_is_sure(planner)) return 12 * cells + 1;
    return (test_is_planner(planner, "dartaa") ? cells * cells : room / grid->straight) + 1;
}

/* The expansions that a step may make: its budget; or the rounds of lrta's lookahead, which `d` and `gmax`
 * set: in round r, all cells within r - 1 moves. Those with a database expand as their lookaheads and climbs
 * go, not by a budget. */
static uint64_t most_expansions(const wend_agent *agent, const char *planner) {
    if (strstr(planner, "db=")) return wend_agent_bound(agent, wend_agent_budget(agent));
    if (!test_is_planner(planner, "lrta")) return wend_agent_budget(agent);
    const char *value = strchr(planner, '=');
    uint64_t reach = value ? (uint64_t)strtod(value + 1, NULL) : 1, sum = 0;
    for (uint64_t r = 0; r < reach; r++) sum += (2 * r + 1) * (2 * r + 1);
    return sum;
}

static uint64_t mixed(uint64_t hash, uint64_t value) {
    return (hash ^ value) * 0x100000001b3u;
}

/* Search first, and on known maps give the workspace back before they walk. */
static bool walks_alone(const char *planner) {
    static const char *const names[] = {"astar", "jps", "repeated-astar", "adaptive-astar"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (test_is_planner(planner, names[i])) return true;
    return false;
}

void test_check_step(test_stage *stage, const wend_agent *agent, const char *planner, wend_cell before,
                     const wend_counters *counted, wend_step step, test_walk *walk) {
    wend_counters now = wend_agent_counters(agent);
    unsigned long long map = stage->number;
    wend_cell at = wend_agent_cell(agent);
    bool moved = step.outcome == WEND_STEP_MOVED;
    walk->steps++;
    CHECK_THAT(moved == (step.direction != WEND_NO_DIRECTION), "%s on map %llu: outcome %d with direction %d",
               planner, map, (int)step.outcome, (int)step.direction);
    if (moved) {
        wend_cell next = step.direction < 8 ? test_next(&stage->grid, before, step.direction) : WEND_NO_CELL;
        CHECK_THAT(next == at && next != WEND_NO_CELL &&
                       next == wend_map_next(wend_world_map(stage->world), before, step.direction),
                   "%s on map %llu: moved in direction %d from %u to %u, which is not legal", planner, map,
                   (int)step.direction, before, at);
        walk->moves++;
        walk->cost += test_move_cost(&stage->grid, step.direction % 8);
        walk->route = mixed(walk->route, step.direction);
        /* knn keeps no cells while it follows a record: it may miss some then. So may those with a short
         * memory, and those that walk without a workspace. */
        uint64_t most = counted->revisits + stage->been[at];
        bool forgets = test_is_planner(planner, "knn") || walks_alone(planner) || !test_is_sure(planner);
        uint64_t least = forgets ? counted->revisits : most;
        CHECK_THAT(now.revisits >= least && now.revisits <= most,
                   "%s on map %llu: the visit of %u, the %s, is counted otherwise", planner, map, at,
                   stage->been[at] ? "second" : "first");
        stage->been[at] = 1;
    } else {
        CHECK_THAT(at == before && now.revisits == counted->revisits, "%s on map %llu: outcome %d, but moved",
                   planner, map, (int)step.outcome);
        if (step.outcome == WEND_STEP_WAITING) walk->waits++;
    }
    walk->ticks = mixed(walk->ticks, step.direction);
    CHECK_THAT(step.operations <= wend_agent_bound(agent, wend_agent_budget(agent)),
               "%s on map %llu: %llu operations, bound %llu", planner, map,
               (unsigned long long)step.operations,
               (unsigned long long)wend_agent_bound(agent, wend_agent_budget(agent)));
    CHECK_THAT(step.expansions <= most_expansions(agent, planner), "%s on map %llu: %llu expansions", planner,
               map, (unsigned long long)step.expansions);
    CHECK_THAT(now.moves == counted->moves + moved &&
                   now.waits == counted->waits + (step.outcome == WEND_STEP_WAITING) &&
                   now.expansions == counted->expansions + step.expansions &&
                   now.operations == counted->operations + step.operations,
               "%s on map %llu: a step's counts and the sums differ", planner, map);
    size_t shared = stage->knowledge ? wend_knowledge_bytes(stage->knowledge) : 0;
    CHECK_THAT(now.peak_bytes >= counted->peak_bytes &&
                   now.peak_bytes <= wend_agent_bytes(agent) + wend_world_bytes(stage->world) + shared,
               "%s on map %llu: %llu bytes in use, more than reserved", planner, map,
               (unsigned long long)now.peak_bytes);
}

/* Steps after the end change nothing. */
static void check_stable(const test_stage *stage, wend_agent *agent, const char *planner, wend_outcome end) {
    uint64_t hash = wend_agent_hash(agent);
    for (int i = 0; i < 2; i++) {
        bool more = wend_agent_plan(agent, 5);
        wend_step step = i ? wend_agent_move(agent) : wend_agent_step(agent);
        CHECK_THAT(!more && step.outcome == end && step.direction == WEND_NO_DIRECTION && !step.expansions &&
                       !step.operations && wend_agent_hash(agent) == hash,
                   "%s on map %llu: a step after outcome %d did something (%d)", planner,
                   (unsigned long long)stage->number, (int)end, (int)step.outcome);
    }
}

test_walk test_walk_to(test_stage *stage, wend_agent *agent, const char *planner, wend_cell start,
                       wend_cell goal, uint64_t limit) {
    test_walk walk = {.end = WEND_STEP_WAITING};
    if (!CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK)) return walk;
    memset(stage->been, 0, stage->grid.cells);
    stage->been[start] = 1;
    for (uint64_t i = 0; i <= limit; i++) { /* one more, to say that it has arrived */
        wend_cell before = wend_agent_cell(agent);
        wend_counters counted = wend_agent_counters(agent);
        wend_step step = wend_agent_step(agent);
        test_check_step(stage, agent, planner, before, &counted, step, &walk);
        if (step.outcome == WEND_STEP_MOVED || step.outcome == WEND_STEP_WAITING) continue;
        walk.end = step.outcome;
        check_stable(stage, agent, planner, step.outcome);
        break;
    }
    return walk;
}

test_walk test_walk_checked(test_stage *stage, wend_agent *agent, const char *planner, wend_cell start,
                            wend_cell goal) {
    test_dijkstra(&stage->grid, goal, stage->left);
    uint64_t limit = test_step_limit(stage, planner, start, goal, stage->left);
    test_walk walk = test_walk_to(stage, agent, planner, start, goal, limit);
    unsigned long long map = stage->number;
    if (stage->left[start] == WEND_NO_COST) {
        CHECK_THAT(walk.end == WEND_STEP_UNREACHABLE && walk.steps == 1 && !walk.moves,
                   "%s on map %llu from %u to %u: outcome %d after %llu steps, and there is no path", planner,
                   map, start, goal, (int)walk.end, (unsigned long long)walk.steps);
    } else if (walk.end == WEND_STEP_ARRIVED || test_is_sure(planner)) {
        CHECK_THAT(walk.end == WEND_STEP_ARRIVED && wend_agent_cell(agent) == goal,
                   "%s on map %llu from %u to %u: outcome %d after %llu steps, limit %llu", planner, map,
                   start, goal, (int)walk.end, (unsigned long long)walk.steps, (unsigned long long)limit);
        CHECK_THAT(walk.cost >= stage->left[start], "%s on map %llu: cheaper than a shortest path", planner,
                   map);
        if (start == goal) CHECK(walk.steps == 1 && !walk.moves && !wend_agent_counters(agent).operations);
    } else {
        CHECK_THAT(walk.end != WEND_STEP_UNREACHABLE, "%s on map %llu: there is a path", planner, map);
    }
    return walk;
}

/* Fleets on one core: how long a tick takes once everyone is under way. And what service that is, from the
 * first tick on: how many move, how soon they arrive, and whether everyone has had a share. Whoever arrives
 * gets another goal; that is not timed. The large maps take minutes to build for: `wend_bench fleet-full`. */
#include "bench.h"
#include "shared/scenes.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 5 };

typedef struct fleet_case {
    const char *map;
    int32_t factor;
    const char *planner, *kind; /* the database; NULL: none */
    uint32_t agents, workspaces;
    uint64_t budget;   /* operations per tick; 0: no limit */
    uint32_t patience; /* ticks */
    bool unknown;
    int warm_up, ticks; /* ticks: of a round */
    double target;      /* ms per tick */
    double bytes;       /* per agent; 0: no target */
} fleet_case;

typedef struct fleet_set {
    const fleet_case *what;
    char name[96];
    wend_map *map;
    wend_fleet *fleet;
    wend_cell *cells; /* of the largest component */
    uint32_t cell_count;
    uint64_t random;
    wend_member *members;
    wend_cell *starts;
    uint32_t *asked; /* the tick of each agent's last request */
    /* Of all ticks. */
    uint64_t ticks, moves, active, arrived;
    uint64_t walked; /* ticks from request to arrival, of all that arrived */
} fleet_set;

static void row(const fleet_set *set, const char *what, double figure, const char *body, bench_goal goal,
                double target) {
    char label[192];
    (void)snprintf(label, sizeof label, "fleet, %s, %s", set->name, what);
    bench_row(label, figure, body, goal, target);
}

static wend_cell draw(fleet_set *set) {
    return set->cells[shared_draw(&set->random, set->cell_count)];
}

static double tick(fleet_set *set, wend_tick *made) {
    double began = bench_seconds();
    *made = wend_fleet_tick(set->fleet);
    double took = bench_seconds() - began;
    wend_error error;
    set->ticks++;
    set->moves += made->moves, set->active += made->active;
    for (wend_event event; wend_fleet_event(set->fleet, &event);) {
        if (event.kind < WEND_EVENT_ARRIVED || event.kind > WEND_EVENT_OUT_OF_MEMORY) continue;
        uint32_t *asked = &set->asked[(uint32_t)event.member];
        if (event.kind == WEND_EVENT_ARRIVED) set->arrived++, set->walked += made->tick - *asked;
        *asked = (uint32_t)made->tick;
        bench_check(wend_fleet_request(set->fleet, event.member, draw(set), NULL, &error), &error);
    }
    return took;
}

static void measure_ticks(fleet_set *set) {
    const fleet_case *what = set->what;
    double best = 1e300, longest = 1e300;
    wend_tick last = {0};
    for (int i = 0; i < what->warm_up; i++) (void)tick(set, &last);
    for (int round = 0; round < ROUNDS; round++) {
        double sum = 0, most = 0;
        for (int i = 0; i < what->ticks; i++) {
            double took = tick(set, &last);
            sum += took;
            if (took > most) most = took;
        }
        if (sum < best) best = sum;
        if (most < longest) longest = most;
    }
    row(set, "a tick", best / what->ticks * 1e3, "ms", BENCH_AT_MOST, what->target);
    row(set, "the longest tick", longest * 1e3, "ms", BENCH_FYI, 0);
    row(set, "in the last: moving", (double)last.moves, "agents", BENCH_FYI, 0);
    row(set, "waiting", (double)(last.thinking + last.starved + last.postponed), "agents", BENCH_FYI, 0);
}

static void tell_service(const fleet_set *set) {
    uint32_t gone = 0;
    wend_member_info info;
    for (uint32_t i = 0; i < set->what->agents; i++)
        gone += wend_fleet_member(set->fleet, set->members[i], &info) &&
                (info.request > 1 || info.cell != set->starts[i]);
    char what[64];
    (void)snprintf(what, sizeof what, "ticks 1 to %llu: moving", (unsigned long long)set->ticks);
    row(set, what, 100.0 * (double)set->moves / (double)set->active, "%", BENCH_FYI, 0);
    row(set, "agents that have got away", 100.0 * gone / set->what->agents, "%", BENCH_FYI, 0);
    row(set, "arrivals", (double)set->arrived, "", BENCH_FYI, 0);
    if (set->arrived)
        row(set, "ticks to arrival, of those", (double)set->walked / (double)set->arrived, "ticks", BENCH_FYI,
            0);
}

static void add_agents(fleet_set *set, uint32_t squad) {
    wend_error error;
    const uint32_t agents = set->what->agents;
    for (uint32_t i = 0; i < agents; i++) {
        set->starts[i] = draw(set);
        bench_check(wend_fleet_add(set->fleet, squad, set->starts[i], &set->members[i], &error), &error);
    }
    for (uint32_t i = 0; i < agents; i++)
        bench_check(wend_fleet_request(set->fleet, set->members[i], draw(set), NULL, &error), &error);
}

static void measure(const fleet_case *what) {
    char map_name[64];
    fleet_set set = {.what = what, .random = 1};
    wend_error error;
    wend_map *map = bench_map(what->map, NULL);
    bench_check(wend_map_scale(map, what->factor, &set.map, &error), &error);
    wend_map_destroy(map);
    (void)snprintf(set.name, sizeof set.name, "%u x %s, %s x%d", what->agents, what->planner,
                   bench_map_name(what->map, map_name, sizeof map_name), (int)what->factor);
    bench_check(shared_largest_cells(set.map, &set.cells, &set.cell_count, &error), &error);
    double took;
    wend_db *db = what->kind ? bench_database(set.map, what->kind, 2, &took) : NULL;
    wend_fleet_options options = wend_default_fleet_options();
    options.max_members = what->agents;
    options.max_events = 4 * what->agents;
    options.wait_events = false;
    options.budget = what->budget ? what->budget : UINT64_C(1) << 60;
    options.lanes = 1;
    options.workspaces = what->workspaces;
    options.patience = what->patience;
    bench_check(wend_fleet_create(set.map, &options, &set.fleet, &error), &error);
    wend_squad_options squad = wend_default_squad_options();
    wend_knowledge *knowledge = NULL;
    wend_knowledge_options knowing = wend_default_knowledge_options();
    if (what->unknown)
        bench_check(wend_knowledge_create(wend_fleet_world(set.fleet, 1), &knowing, &knowledge, &error),
                    &error);
    squad.agent.db = db;
    squad.agent.knowledge = knowledge;
    wend_settings *settings = NULL;
    uint32_t number;
    bench_check(wend_settings_parse(what->planner, NULL, &settings, &error), &error);
    bench_check(wend_fleet_add_squad(set.fleet, settings, &squad, &number, &error), &error);
    wend_settings_destroy(settings);
    set.members = malloc(what->agents * sizeof *set.members);
    set.starts = malloc(what->agents * sizeof *set.starts);
    set.asked = calloc(what->agents, sizeof *set.asked);
    if (!set.members || !set.starts || !set.asked) exit(2);
    add_agents(&set, number);
    measure_ticks(&set);
    tell_service(&set);
    row(&set, "an agent", (double)wend_fleet_squad_bytes(set.fleet, number) / what->agents, "bytes",
        what->bytes > 0 ? BENCH_AT_MOST : BENCH_FYI, what->bytes);
    row(&set, "all that the fleet has set aside", (double)wend_fleet_bytes(set.fleet) * 1e-6, "MB", BENCH_FYI,
        0);
    wend_fleet_destroy(set.fleet);
    wend_knowledge_destroy(knowledge);
    wend_db_close(db);
    free(set.asked);
    free(set.starts);
    free(set.members);
    free(set.cells);
    wend_map_destroy(set.map);
}

void bench_fleet(void) {
    static const fleet_case cases[] = {
        {"bgmaps/AR0700SR", 1, "cpd:db=-", "cpd", 100000, 1, 0, 0, false, 20, 40, 1.5, 64},
        {"dao/orz702d", 1, "tbaa", NULL, 1000, 256, 70000, 100, true, 200, 160, 5, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) measure(&cases[i]);
}

void bench_fleet_full(void) {
    static const fleet_case cases[] = {
        {"sc1/WheelofWar", 5, "knn:db=-,fallback=tba", "knn:records=60000", 10000, 4, 0, 0, false, 200, 100,
         5, 4096},
        {"sc1/WheelofWar", 5, "atlas:db=-", "atlas", 100000, 256, 0, 0, false, 1200, 50, 8, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) measure(&cases[i]);
}

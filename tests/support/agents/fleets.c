#include "support/agents/fleets.h"

#include "support/check.h"
#include "support/databases.h"
#include "support/settings.h"

#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

test_grid test_body_grid(const wend_map *map, int32_t body) {
    test_grid grid = test_grid_of(map);
    for (int32_t y = 0; y < grid.height; y++)
        for (int32_t x = 0; x < grid.width; x++) {
            bool fits = true;
            for (int32_t i = 0; i < body * body; i++)
                fits = fits && wend_map_is_open(map, x + i % body, y + i / body);
            grid.open[(size_t)y * (size_t)grid.width + (size_t)x] = fits;
        }
    return grid;
}

/* What is known of a member from outside. */
typedef struct member {
    wend_member id; /* WEND_NO_MEMBER: none */
    uint32_t squad;
    wend_cell cell, goal;
    uint32_t request;
    bool open;          /* the request is not over */
    uint64_t turns;     /* the most ticks until its next step, of those declared since its last */
    uint64_t last_step; /* by the fleet's word */
} member;

typedef struct life {
    const test_fleet_plan *plan;
    test_random random;
    wend_map *map, *twin; /* twin: the truth, edited beside the fleet */
    test_grid grids[WEND_MAX_BODY + 1];
    uint8_t *reached;
    test_memory memory;
    wend_fleet *fleet;
    uint32_t squads[TEST_FLEET_SQUADS];
    wend_db *dbs[TEST_FLEET_SQUADS];
    wend_knowledge *teams[TEST_FLEET_SQUADS + 1];
    member members[TEST_FLEET_MEMBERS];
    test_fleet_end end;
    uint64_t lost;
    uint64_t repairs, repairs_most; /* how many, and operations per tick for all of them */
    uint64_t repair_operations;     /* so far */
    bool repaired;                  /* in the last tick */
} life;

static void mix(life *l, uint64_t word) {
    l->end.hash = (l->end.hash ^ word) * 0x100000001b3u;
    l->end.hash ^= l->end.hash >> 29;
}

static void free_grids(life *l) {
    for (int32_t body = 1; body <= WEND_MAX_BODY; body++) test_grid_free(&l->grids[body]);
}

static void make_grids(life *l) {
    for (int32_t body = 1; body <= WEND_MAX_BODY; body++) l->grids[body] = test_body_grid(l->twin, body);
}

/* Beginning and end -------------------------------------------------------------------------------------- */

static bool add_squad(life *l, size_t index) {
    const test_squad *words = &l->plan->squads[index];
    wend_squad_options options = wend_default_squad_options();
    const wend_settings *settings = NULL;
    wend_error error = {0};
    options.body = words->body;
    const uint64_t repair = l->plan->repairs ? l->plan->repairs[index] : 0;
    options.repair_operations = repair;
    const wend_map *map = wend_fleet_base(l->fleet, words->body);
    if (!CHECK(map)) return false;
    if (words->kind) options.agent.db = l->dbs[index] = test_db_build(map, words->kind, l->plan->number);
    if (words->kind && !l->dbs[index]) return false;
    if (words->team && !l->teams[words->team]) {
        wend_knowledge_options knowing = wend_default_knowledge_options();
        if (!CHECK(wend_knowledge_create(wend_fleet_world(l->fleet, words->body), &knowing,
                                         &l->teams[words->team], NULL) == WEND_OK))
            return false;
    }
    options.agent.knowledge = l->teams[words->team];
    wend_status status = test_settings_parse(words->planner, &settings, &error);
    if (status == WEND_OK)
        status = wend_fleet_add_squad(l->fleet, settings, &options, &l->squads[index], &error);
    l->repairs += repair > 0;
    l->repairs_most = repair == UINT64_MAX ? UINT64_MAX : l->repairs_most + repair;
    return CHECK_THAT(status == WEND_OK, "%s: %s", words->planner, error.message);
}

static void edit(life *l);

static bool begin(life *l) {
    const test_fleet_plan *plan = l->plan;
    l->map = test_map_make(plan->shape, plan->width, plan->height, test_rules((uint32_t)plan->number),
                           &l->random, NULL);
    if (!CHECK(l->map) || !CHECK(wend_map_copy(l->map, &l->twin, NULL) == WEND_OK)) return false;
    make_grids(l);
    l->reached = calloc(wend_map_cells(l->map), 1);
    wend_fleet_options options = wend_default_fleet_options();
    options.max_members = TEST_FLEET_MEMBERS;
    options.max_events = 8 * TEST_FLEET_MEMBERS;
    options.max_body = WEND_MAX_BODY;
    options.editable = plan->editable;
    options.workspaces = plan->workspaces;
    options.lanes = plan->lanes;
    options.patience = plan->patience;
    options.tasks = plan->tasks;
    options.settle = 500;
    if (plan->budget) options.budget = plan->budget;
    options.allocator = test_allocator(&l->memory);
    wend_error error = {0};
    if (!CHECK_THAT(wend_fleet_create(l->map, &options, &l->fleet, &error) == WEND_OK, "%s", error.message))
        return false;
    if (!CHECK(l->reached)) return false;
    if (plan->editable) edit(l); /* sizes that are not there yet have to follow, too */
    for (size_t i = 0; i < plan->squad_count; i++)
        if (!add_squad(l, i)) return false;
    return true;
}

static void finish(life *l) {
    wend_fleet_destroy(l->fleet);
    for (size_t i = 0; i <= TEST_FLEET_SQUADS; i++) wend_knowledge_destroy(l->teams[i]);
    for (size_t i = 0; i < TEST_FLEET_SQUADS; i++) wend_db_close(l->dbs[i]);
    CHECK_THAT(!l->memory.live_blocks && !l->memory.wrong_sizes, "%llu blocks left, %llu of wrong sizes",
               (unsigned long long)l->memory.live_blocks, (unsigned long long)l->memory.wrong_sizes);
    if (l->twin) free_grids(l);
    free(l->reached);
    wend_map_destroy(l->twin);
    wend_map_destroy(l->map);
}

/* Events ------------------------------------------------------------------------------------------------- */

static member *member_of(life *l, wend_member id) {
    for (size_t i = 0; i < TEST_FLEET_MEMBERS; i++)
        if (l->members[i].id == id) return &l->members[i];
    return NULL;
}

static bool joined(const life *l, const member *m) {
    const test_grid *grid = &l->grids[l->plan->squads[m->squad].body];
    if (!grid->open[m->cell] || !grid->open[m->goal]) return false;
    test_flood(grid, m->cell, l->reached);
    return l->reached[m->goal];
}

static void end_request(life *l, member *m, const wend_event *event) {
    CHECK_THAT(m->open && m->request == event->request, "request %u of %s ended as %s: open %d, last %u",
               event->request, l->plan->squads[m->squad].planner, wend_event_name(event->kind), m->open,
               m->request);
    m->open = false;
    if (event->kind == WEND_EVENT_ARRIVED) CHECK(event->cell == m->goal);
    /* Who does not know of every edit may believe a wall where there is none any more. */
    bool sure = !l->plan->squads[m->squad].team || !l->plan->editable;
    if (event->kind == WEND_EVENT_UNREACHABLE && sure)
        CHECK_THAT(!joined(l, m), "%s: %u to %u is not unreachable", l->plan->squads[m->squad].planner,
                   m->cell, m->goal);
    CHECK_THAT(event->kind != WEND_EVENT_OUT_OF_MEMORY, "%s: out of memory",
               l->plan->squads[m->squad].planner);
}

static void take_events(life *l) {
    for (wend_event event; wend_fleet_event(l->fleet, &event);) {
        mix(l, event.kind), mix(l, event.member), mix(l, event.request), mix(l, event.cell);
        mix(l, event.tick);
        if (event.kind == WEND_EVENT_LOST) {
            l->lost += event.count;
            continue;
        }
        member *m = member_of(l, event.member);
        if (!CHECK_THAT(m, "an event of nobody: %s", wend_event_name(event.kind))) continue;
        if (event.kind == WEND_EVENT_REQUESTED) {
            CHECK(!m->open && event.request == m->request + 1);
            m->request = event.request;
            m->open = true;
        } else if (event.kind <= WEND_EVENT_CANCELLED) {
            end_request(l, m, &event);
        } else {
            CHECK(m->open && event.cell == m->cell);
        }
    }
    CHECK_THAT(!l->lost, "%llu events lost", (unsigned long long)l->lost);
}

/* What the caller does ----------------------------------------------------------------------------------- */

static wend_cell draw_cell(life *l, int32_t body) {
    const test_grid *grid = &l->grids[body];
    for (int i = 0; i < 200; i++) {
        wend_cell cell = test_below(&l->random, grid->cells);
        if (grid->open[cell]) return cell;
    }
    return WEND_NO_CELL;
}

static void add(life *l) {
    uint32_t squad = test_below(&l->random, (uint32_t)l->plan->squad_count);
    wend_cell cell = draw_cell(l, l->plan->squads[squad].body);
    member *free_one = member_of(l, WEND_NO_MEMBER);
    wend_member id;
    wend_error error = {0};
    if (cell == WEND_NO_CELL) return;
    wend_status status = wend_fleet_add(l->fleet, l->squads[squad], cell, &id, &error);
    if (!free_one) {
        CHECK_THAT(status == WEND_STATUS_FULL && id == WEND_NO_MEMBER, "%s", error.message);
        return;
    }
    if (!CHECK_THAT(status == WEND_OK, "%s: %s", l->plan->squads[squad].planner, error.message)) return;
    CHECK(!member_of(l, id));
    *free_one = (member){.id = id, .squad = squad, .cell = cell, .goal = cell};
}

static void drop(life *l, member *m) {
    wend_member_info info;
    CHECK(wend_fleet_remove(l->fleet, m->id, NULL) == WEND_OK);
    take_events(l);
    CHECK(!m->open);
    CHECK(!wend_fleet_member(l->fleet, m->id, &info));
    CHECK(wend_fleet_remove(l->fleet, m->id, NULL) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_fleet_request(l->fleet, m->id, m->cell, NULL, NULL) == WEND_STATUS_BAD_ARGUMENT);
    *m = (member){.id = WEND_NO_MEMBER};
}

static void request(life *l, member *m) {
    const test_squad *words = &l->plan->squads[m->squad];
    wend_cell goal =
        test_below(&l->random, 10) ? draw_cell(l, words->body) : test_below(&l->random, l->grids[1].cells);
    if (goal == WEND_NO_CELL) return;
    uint32_t number = 0;
    wend_status status = wend_fleet_request(l->fleet, m->id, goal, &number, NULL);
    if (!words->team) {
        bool open = l->grids[words->body].open[goal];
        CHECK((status == WEND_OK) == open);
    }
    if (status != WEND_OK) return;
    if (!m->open) m->turns = 0;
    m->goal = goal;
    take_events(l);
    CHECK(m->request == number);
}

static void place(life *l, member *m) {
    wend_cell cell = draw_cell(l, l->plan->squads[m->squad].body);
    if (cell == WEND_NO_CELL) return;
    if (!CHECK(wend_fleet_place(l->fleet, m->id, cell, NULL) == WEND_OK)) return;
    m->cell = cell;
    take_events(l);
}

static void edit(life *l) {
    wend_rect area = {(int32_t)test_below(&l->random, (uint32_t)l->plan->width),
                      (int32_t)test_below(&l->random, (uint32_t)l->plan->height), 1, 1};
    area.width += (int32_t)test_below(&l->random, 5), area.height += (int32_t)test_below(&l->random, 5);
    bool open = test_below(&l->random, 2);
    wend_status status = wend_fleet_edit(l->fleet, area, open, NULL);
    CHECK(status == wend_map_edit(l->twin, area, open, NULL));
    if (status != WEND_OK) return;
    free_grids(l);
    make_grids(l);
    l->end.edits++;
    for (int32_t body = 1; body <= WEND_MAX_BODY && l->end.edits > 1; body++) {
        const wend_map *map = wend_fleet_map(l->fleet, body);
        bool same = true;
        uint32_t count = 0;
        for (wend_cell cell = 0; cell < l->grids[body].cells; cell++) {
            same = same && wend_map_is_open_cell(map, cell) == l->grids[body].open[cell];
            count += l->grids[body].open[cell];
        }
        CHECK_THAT(same && wend_map_open_cells(map) == count, "bodies of %d after an edit", (int)body);
    }
}

static void act(life *l) {
    for (uint32_t i = test_below(&l->random, 5); i-- > 0;) {
        member *m = &l->members[test_below(&l->random, TEST_FLEET_MEMBERS)];
        uint32_t what = test_below(&l->random, 100);
        if (m->id == WEND_NO_MEMBER || what < 5)
            add(l);
        else if (what < 10)
            drop(l, m);
        else if (what < 14)
            place(l, m);
        else if (what < 18)
            CHECK(wend_fleet_cancel(l->fleet, m->id, NULL) == WEND_OK), take_events(l), CHECK(!m->open);
        else if (!m->open || what < 30)
            request(l, m);
        if (l->plan->editable && test_below(&l->random, 20) == 0) edit(l);
    }
}

/* A tick ------------------------------------------------------------------------------------------------- */

static void check_move(const life *l, const member *m, const wend_member_info *info) {
    const test_squad *words = &l->plan->squads[m->squad];
    const test_grid *grid = &l->grids[words->body];
    bool legal = info->cell == m->cell;
    for (int d = 0; d < WEND_DIRECTIONS; d++)
        legal = legal || (grid->open[m->cell] && test_next(grid, m->cell, d) == info->cell);
    CHECK_THAT(legal, "map %llu, %s, body %d: no move leads from %u to %u",
               (unsigned long long)l->plan->number, words->planner, (int)words->body, m->cell, info->cell);
}

static void check_member(life *l, member *m, uint64_t tick, uint64_t turns) {
    wend_member_info info;
    if (!CHECK(wend_fleet_member(l->fleet, m->id, &info))) return;
    CHECK(info.body == l->plan->squads[m->squad].body);
    check_move(l, m, &info);
    if (!m->open) CHECK(info.cell == m->cell);
    m->cell = info.cell;
    if (info.stepped != m->last_step || !m->open) m->turns = 0;
    m->last_step = info.stepped;
    if (turns > m->turns) m->turns = turns;
    if (info.doing == WEND_DOING_NOTHING || info.doing == WEND_DOING_STARVED) {
        m->turns = 0;
        return;
    }
    uint64_t waited = tick - info.stepped;
    if (waited > l->end.longest) l->end.longest = waited;
    CHECK_THAT(waited < m->turns, "map %llu, %s: %llu ticks without a step, at most %llu",
               (unsigned long long)l->plan->number, l->plan->squads[m->squad].planner,
               (unsigned long long)waited, (unsigned long long)m->turns);
}

/* Within their operations, and what a call may go over for each of them. */
static void check_repairs(life *l, const wend_tick *t) {
    l->repair_operations += t->repair_operations, l->repaired = t->repaired;
    uint64_t over = l->repairs * (65536 + l->grids[1].cells / 4), most = l->repairs_most * t->tick;
    CHECK(!t->repairs_failed && (l->repairs || (t->repaired && !t->repair_operations)));
    CHECK_THAT(l->repairs_most == UINT64_MAX || l->repair_operations <= most + over,
               "%llu operations of repairs", (unsigned long long)l->repair_operations);
}

static void tick(life *l) {
    uint64_t asked = l->memory.requests, turns = wend_fleet_turns(l->fleet), active = 0, ended = 0;
    if (turns > l->end.turns) l->end.turns = turns;
    for (size_t i = 0; i < TEST_FLEET_MEMBERS; i++) active += l->members[i].open;
    wend_tick t = wend_fleet_tick(l->fleet);
    CHECK_THAT(l->memory.requests == asked || l->repairs, "a tick took memory");
    check_repairs(l, &t);
    for (size_t i = 0; i < TEST_FLEET_MEMBERS; i++) {
        member *m = &l->members[i];
        if (m->id != WEND_NO_MEMBER) check_member(l, m, t.tick, turns);
    }
    take_events(l);
    wend_member_info info;
    for (size_t i = 0; i < TEST_FLEET_MEMBERS; i++) {
        const member *m = &l->members[i];
        if (m->id == WEND_NO_MEMBER || !wend_fleet_member(l->fleet, m->id, &info)) continue;
        CHECK(m->open == (info.doing != WEND_DOING_NOTHING));
        ended += m->open;
    }
    ended = active - ended;
    CHECK_THAT(t.active == active, "%llu active, not %llu", (unsigned long long)t.active,
               (unsigned long long)active);
    CHECK(t.steps <= active && t.coasted <= t.moves);
    CHECK(t.arrived + t.unreachable + t.out_of_memory == ended);
    uint64_t told = t.moves + t.thinking + t.starved + t.postponed;
    CHECK_THAT(told <= active && told + ended >= active, "%llu of %llu reported, %llu ended",
               (unsigned long long)told, (unsigned long long)active, (unsigned long long)ended);
    CHECK_THAT(!l->plan->budget || t.operations <= l->plan->budget, "%llu operations",
               (unsigned long long)t.operations);
    CHECK(wend_fleet_min_budget(l->fleet) <= (l->plan->budget ? l->plan->budget : 1000000));
    mix(l, wend_fleet_hash(l->fleet));
    mix(l, t.operations);
    l->end.moves += t.moves, l->end.coasted += t.coasted, l->end.arrived += t.arrived;
    l->end.unreachable += t.unreachable, l->end.postponed += t.postponed, l->end.starved += t.starved;
}

static bool any_open(const life *l) {
    for (size_t i = 0; i < TEST_FLEET_MEMBERS; i++)
        if (l->members[i].open) return true;
    return false;
}

/* Nothing happens any more: every request ends, and every repair is complete. */
static void rest(life *l) {
    const test_fleet_plan *plan = l->plan;
    for (uint32_t i = 0; i < plan->rest && (any_open(l) || !l->repaired); i++) tick(l);
    for (size_t i = 0; i < TEST_FLEET_MEMBERS && plan->rest; i++)
        CHECK_THAT(!l->members[i].open, "map %llu, %s: from %u to %u is still open",
                   (unsigned long long)plan->number, plan->squads[l->members[i].squad].planner,
                   l->members[i].cell, l->members[i].goal);
    CHECK(l->repaired || !plan->rest);
    for (size_t i = 0; i < plan->squad_count; i++) {
        const wend_repair *repair = wend_fleet_repair(l->fleet, l->squads[i]);
        CHECK(!repair == !(plan->repairs && plan->repairs[i]));
        if (repair) l->end.repairs += wend_repair_about(repair).generation;
    }
}

test_fleet_end test_fleet_live(const test_fleet_plan *plan) {
    life *l = calloc(1, sizeof *l);
    if (!CHECK(l)) abort();
    l->plan = plan;
    l->random.state = plan->number;
    if (begin(l)) {
        for (uint32_t i = 0; i < plan->ticks; i++) {
            act(l);
            tick(l);
        }
        rest(l);
    }
    finish(l);
    test_fleet_end end = l->end;
    free(l);
    return end;
}

wend_fleet *test_fleet_make(const wend_map *map, const wend_fleet_options *options) {
    wend_fleet *fleet = NULL;
    wend_error error = {0};
    CHECK_THAT(wend_fleet_create(map, options, &fleet, &error) == WEND_OK, "%s", error.message);
    return fleet;
}

wend_status test_fleet_squad(wend_fleet *fleet, const char *planner, const wend_squad_options *options,
                             uint32_t *squad) {
    const wend_settings *settings = NULL;
    wend_error error = {0};
    if (!CHECK(test_settings_parse(planner, &settings, NULL) == WEND_OK)) return WEND_STATUS_BAD_ARGUMENT;
    wend_status status = wend_fleet_add_squad(fleet, settings, options, squad, &error);
    CHECK((status == WEND_OK) == !error.message[0]);
    return status;
}

/* Planners of a program's own: what is refused when they are added, and what they can rely on. */
#include "support/agents/agents.h"
#include "support/agents/own.h"
#include "support/check.h"
#include "support/memory.h"
#include "support/settings.h"

#include <stdalign.h>
#include <stddef.h>
#include <string.h>
#include <wend/wend.h>

/* What the functions of the planner under test have seen and are to say; its context. */
typedef struct script {
    uint32_t says; /* a direction */
    uint32_t began, planned, moved, changed, lost, created, released;
    uint64_t given; /* expansions of the last plan */
    bool ends, refuses;
    wend_outcome outcome;
    void *late; /* what was allocated within a move */
} script;

typedef struct block {
    max_align_t most_demanding;
    uint64_t *cells;
} block;

enum { CELLS = 100 };

static script *script_of(const wend_agent *agent) {
    return wend_agent_context(agent);
}

static wend_status create(wend_agent *agent, const wend_settings *settings, const wend_agent_options *options,
                          wend_error *error) {
    block *state = wend_agent_state(agent);
    (void)options;
    script_of(agent)->created++;
    CHECK((uintptr_t)state % alignof(max_align_t) == 0);
    size_t bytes = wend_agent_bytes(agent);
    void *passing = wend_agent_allocate(agent, 3, 5);
    wend_agent_free(agent, passing, 3, 5);
    CHECK(wend_agent_bytes(agent) == bytes);
    if (!passing) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory");
    if (script_of(agent)->refuses) return wend_fail(error, WEND_STATUS_UNSUPPORTED, "not today");
    CHECK(!state->cells && wend_settings_integer(settings, "k") > 0);
    state->cells = wend_agent_allocate(agent, CELLS, sizeof *state->cells);
    return state->cells ? WEND_OK : wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for cells");
}

static void release(wend_agent *agent) {
    block *state = wend_agent_state(agent);
    script_of(agent)->released++;
    wend_agent_free(agent, state->cells, CELLS, sizeof *state->cells);
}

static void begin(wend_agent *agent) {
    script_of(agent)->began++;
}

static bool plan(wend_agent *agent, uint64_t expansions) {
    script_of(agent)->planned++;
    script_of(agent)->given = expansions;
    wend_agent_count(agent, expansions, 2 * expansions);
    return false;
}

static uint32_t move(wend_agent *agent) {
    script *own = script_of(agent);
    own->moved++;
    own->late = wend_agent_allocate(agent, 1, 8);
    wend_agent_count(agent, 0, 1);
    if (own->ends) wend_agent_end(agent, own->outcome);
    return own->says;
}

static void changed(wend_agent *agent, wend_cell cell, bool opened) {
    (void)cell, (void)opened;
    script_of(agent)->changed++;
}

static void lost(wend_agent *agent) {
    script_of(agent)->lost++;
}

static uint64_t bound(const wend_agent *agent, uint64_t expansions) {
    (void)agent;
    return expansions > UINT64_MAX / 4 ? UINT64_MAX : 2 * expansions + 1;
}

static const wend_key_info keys[] = {{.name = "k",
                                      .kind = WEND_KEY_INTEGER,
                                      .min = 1,
                                      .max = 1000,
                                      .standard = "7",
                                      .help = "expansions of a step"}};

static wend_planner_functions whole(void) {
    return (wend_planner_functions){.struct_size = sizeof(wend_planner_functions),
                                    .info = {"puppet", "does as it was asked", keys, 1},
                                    .state_size = sizeof(block),
                                    .create = create,
                                    .release = release,
                                    .begin = begin,
                                    .plan = plan,
                                    .move = move,
                                    .changed = changed,
                                    .lost = lost,
                                    .change_operations = 1,
                                    .bound = bound};
}

/* Says that the table, spoilt in one way, is refused with these words, and that the set stays as it was. */
static void check_refused(wend_planners *set, const wend_planner_functions *functions, const char *words) {
    wend_error error = {0};
    size_t count = wend_planners_count(set);
    wend_status status = wend_planners_add(set, functions, NULL, &error);
    CHECK_THAT(status == WEND_STATUS_BAD_ARGUMENT && strstr(error.message, words), "%s: %s", words,
               error.message);
    CHECK(wend_planners_count(set) == count && !wend_planners_at(set, count));
    test_case();
}

static void check_key_refused(wend_planners *set, wend_key_info key, const char *words) {
    wend_key_info list[] = {keys[0], key};
    wend_planner_functions functions = whole();
    functions.info.keys = list, functions.info.key_count = 2;
    check_refused(set, &functions, words);
}

/* A program's header may be older or newer than the library. */
static void tables_of_other_versions(void) {
    struct {
        wend_planner_functions known;
        uint64_t more;
    } later = {whole(), 0};
    wend_planners *set;
    wend_error error = {0};
    if (!CHECK(wend_planners_create(NULL, &set, NULL) == WEND_OK)) return;
    wend_planner_functions older = whole();
    older.info.name = "older", older.struct_size = offsetof(wend_planner_functions, subgoal);
    CHECK(wend_planners_add(set, &older, NULL, NULL) == WEND_OK);
    later.known.struct_size = sizeof later;
    CHECK(wend_planners_add(set, &later.known, NULL, NULL) == WEND_OK);
    later.known.info.name = "later", later.more = 1;
    CHECK(wend_planners_add(set, &later.known, NULL, &error) == WEND_STATUS_UNSUPPORTED &&
          strstr(error.message, "later version"));
    wend_planners_destroy(set);
    test_case();
}

static void bad_tables_are_refused(void) {
    static const char *const names[] = {NULL, "", "Big", "a b", "a:b", "a=b", "a,b", "a_b"};
    static const char *const none[] = {NULL};
    wend_planners *set;
    if (!CHECK(wend_planners_create(NULL, &set, NULL) == WEND_OK)) return;
    wend_planner_functions functions = whole();
    check_refused(set, NULL, "no functions");
    functions.struct_size = 0, check_refused(set, &functions, "struct_size"), functions = whole();
    functions.begin = NULL, check_refused(set, &functions, "`begin`"), functions = whole();
    functions.move = NULL, check_refused(set, &functions, "`move`"), functions = whole();
    functions.bound = NULL, check_refused(set, &functions, "`bound`"), functions = whole();
    functions.bound = NULL, functions.move_operations = 9; /* not of its plans */
    check_refused(set, &functions, "`bound`"), functions = whole();
    functions.bound = NULL, functions.plan = NULL, check_refused(set, &functions, "`bound`");
    functions = whole();
    functions.state_size = 0, check_refused(set, &functions, "no state"), functions = whole();
    functions.state_size = SIZE_MAX, check_refused(set, &functions, "more than"), functions = whole();
    functions.info.help = NULL, check_refused(set, &functions, "help"), functions = whole();
    functions.info.keys = NULL, check_refused(set, &functions, "keys"), functions = whole();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        functions.info.name = names[i], check_refused(set, &functions, "a name is");
    functions = whole();
    functions.info.name = "astar", check_refused(set, &functions, "there is a planner 'astar' already");
    check_key_refused(set, (wend_key_info){.kind = WEND_KEY_YES_NO, .help = "h"}, "name");
    check_key_refused(set, keys[0], "twice");
    check_key_refused(set, (wend_key_info){.name = "x", .kind = WEND_KEY_YES_NO}, "help");
    check_key_refused(set, (wend_key_info){.name = "x", .kind = (wend_key_kind)99, .help = "h"}, "kind");
    check_key_refused(set, (wend_key_info){.name = "x", .kind = WEND_KEY_WORD, .words = none, .help = "h"},
                      "words");
    check_key_refused(set,
                      (wend_key_info){.name = "x", .kind = WEND_KEY_INTEGER, .min = 2, .max = 1, .help = "h"},
                      "`min`");
    check_key_refused(set,
                      (wend_key_info){.name = "x", .kind = WEND_KEY_YES_NO, .standard = "maybe", .help = "h"},
                      "default");
    functions = whole();
    CHECK(wend_planners_add(set, &functions, NULL, NULL) == WEND_OK);
    check_refused(set, &functions, "there is a planner 'puppet' already");
    CHECK(wend_planners_add(NULL, &functions, NULL, NULL) == WEND_STATUS_BAD_ARGUMENT);
    wend_planners_destroy(set);
    wend_planners_destroy(NULL);
}

static void a_set_is_full_some_time(void) {
    char names[WEND_MAX_PLANNERS + 1][8];
    wend_planners *set;
    if (!CHECK(wend_planners_create(NULL, &set, NULL) == WEND_OK)) return;
    for (int i = 0; i <= WEND_MAX_PLANNERS; i++) {
        (void)snprintf(names[i], sizeof names[i], "own-%d", i);
        wend_planner_functions functions = whole();
        functions.info.name = names[i];
        wend_status status = wend_planners_add(set, &functions, NULL, NULL);
        CHECK(status == (i < WEND_MAX_PLANNERS ? WEND_OK : WEND_STATUS_FULL));
        test_case();
    }
    wend_planners_destroy(set);
}

/* Settings of a set are refused by nobody, and another set or the library alone does not know its names. */
static void names_belong_to_their_set(void) {
    wend_settings *settings = NULL;
    wend_error error = {0};
    CHECK(wend_settings_parse("tabu", NULL, &settings, &error) == WEND_STATUS_BAD_ARGUMENT && !settings);
    CHECK(strstr(error.message, "no planner 'tabu'"));
    CHECK(test_own_parse("tabu:memory=9", NULL, &settings, NULL) == WEND_STATUS_BAD_ARGUMENT && !settings);
    CHECK(wend_planners_parse(NULL, "tabu", NULL, &settings, NULL) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(test_own_parse("tabu", NULL, &settings, NULL) == WEND_OK);
    CHECK(strcmp(wend_settings_info(settings)->name, "tabu") == 0);
    wend_settings_destroy(settings);
    CHECK(test_own_parse("lrta:d=3", NULL, &settings, NULL) == WEND_OK);
    CHECK(wend_settings_integer(settings, "d") == 3);
    wend_settings_destroy(settings);
}

/* A world that can be edited, with a wall from (2, 0) on, and an agent of the puppet. */
typedef struct theatre {
    test_stage stage;
    wend_planners *set;
    wend_settings *settings;
    wend_agent *agent;
    script own;
} theatre;

/* With a memory: its world's, which refuses request number `refused` of the agent. */
static bool open_theatre(theatre *t, test_memory *memory, uint64_t refused) {
    *t = (theatre){.own = {.says = 2}};
    test_random random = {0};
    wend_world_options options = wend_default_world_options();
    wend_agent_options agent_options = wend_default_agent_options();
    wend_planner_functions functions = whole();
    options.editable = true;
    if (memory) options.allocator = test_allocator(memory);
    bool good =
        test_stage_open(&t->stage, test_map_make(TEST_SHAPE_OPEN, 8, 8, wend_default_rules(), &random, NULL),
                        &options) &&
        CHECK(wend_planners_create(NULL, &t->set, NULL) == WEND_OK) &&
        CHECK(wend_planners_add(t->set, &functions, &t->own, NULL) == WEND_OK) &&
        CHECK(wend_planners_parse(t->set, "puppet:k=5", NULL, &t->settings, NULL) == WEND_OK);
    if (memory) memory->refuse_at = memory->requests + refused;
    return good && wend_agent_create(t->stage.world, t->settings, &agent_options, &t->agent, NULL) == WEND_OK;
}

static void close_theatre(theatre *t) {
    wend_agent_destroy(t->agent);
    wend_settings_destroy(t->settings);
    wend_planners_destroy(t->set);
    test_stage_close(&t->stage);
}

/* Each function is called when its comment says, and what it counts is what the step says. */
static void functions_are_called_as_documented(void) {
    theatre t;
    if (CHECK(open_theatre(&t, NULL, 0))) {
        script *own = &t.own;
        CHECK(own->created == 1 && !own->began && wend_agent_budget(t.agent) == 5);
        CHECK(wend_agent_bytes(t.agent) >= CELLS * sizeof(uint64_t) + sizeof(block));
        CHECK(wend_agent_start(t.agent, 0, 63, NULL) == WEND_OK && own->began == 1);
        CHECK(wend_agent_knows_truth(t.agent) && wend_agent_map_changes(t.agent));
        CHECK(wend_agent_map(t.agent) == wend_world_map(t.stage.world));
        wend_step step = wend_agent_step(t.agent);
        CHECK(step.outcome == WEND_STEP_MOVED && wend_agent_cell(t.agent) == 1 && own->given == 5);
        CHECK(step.expansions == 5 && step.operations == 11 && own->planned == 1 && own->moved == 1);
        CHECK(!own->late); /* only `create` gets memory */
        CHECK(wend_world_edit(t.stage.world, (wend_rect){2, 0, 1, 1}, false, NULL) == WEND_OK);
        CHECK(wend_agent_step(t.agent).outcome == WEND_STEP_WAITING && own->changed == 1); /* into the wall */
        for (uint32_t says = 8; says < 40; says++) {
            own->says = says < 39 ? says : UINT32_MAX;
            CHECK(wend_agent_step(t.agent).outcome == WEND_STEP_WAITING && wend_agent_cell(t.agent) == 1);
        }
        own->says = 0; /* over the edge */
        CHECK(wend_agent_step(t.agent).outcome == WEND_STEP_WAITING && wend_agent_cell(t.agent) == 1);
        CHECK(wend_agent_set_goal(t.agent, 5, NULL) == WEND_OK && own->began == 2);
        CHECK(wend_agent_place(t.agent, 4, NULL) == WEND_OK && own->began == 3);
        own->says = 2;
        CHECK(wend_agent_step(t.agent).outcome == WEND_STEP_MOVED);
        CHECK(wend_agent_step(t.agent).outcome == WEND_STEP_ARRIVED && own->moved == 36);
        test_case();
    }
    close_theatre(&t);
    CHECK(t.own.released == 1);
}

static void ends_are_ends(void) {
    static const wend_outcome said[] = {WEND_STEP_UNREACHABLE, WEND_STEP_OUT_OF_MEMORY, WEND_STEP_MOVED,
                                        WEND_STEP_ARRIVED};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        theatre t;
        if (CHECK(open_theatre(&t, NULL, 0))) {
            t.own.ends = true, t.own.outcome = said[i];
            CHECK(wend_agent_start(t.agent, 0, 63, NULL) == WEND_OK);
            wend_step step = wend_agent_step(t.agent);
            wend_outcome meant = i == 1 ? WEND_STEP_OUT_OF_MEMORY : WEND_STEP_UNREACHABLE;
            CHECK(step.outcome == meant && step.direction == WEND_NO_DIRECTION &&
                  wend_agent_cell(t.agent) == 0);
            CHECK(wend_agent_step(t.agent).outcome == meant && t.own.moved == 1);
            test_case();
        }
        close_theatre(&t);
    }
}

/* Whichever request for memory is refused, nothing is left over; and so where `create` refuses. */
static void failures_leave_nothing(void) {
    uint64_t refused = 1;
    for (bool made = false; !made && refused < 100; refused++) {
        test_memory memory = {0};
        theatre t;
        made = open_theatre(&t, &memory, refused);
        close_theatre(&t);
        CHECK(t.own.released == t.own.created && !memory.live_blocks && !memory.wrong_sizes);
        test_case();
    }
    CHECK_THAT(refused > 3, "%llu requests", (unsigned long long)refused); /* the agent's, and its cells */
    for (refused = 1; refused < 4; refused++) {
        test_memory memory = {.refuse_at = refused};
        wend_allocator allocator = test_allocator(&memory);
        wend_planner_functions functions = whole();
        wend_planners *set = NULL;
        wend_status status = wend_planners_create(&allocator, &set, NULL);
        if (status == WEND_OK) status = wend_planners_add(set, &functions, NULL, NULL);
        CHECK(status == (refused < 3 ? WEND_STATUS_NO_MEMORY : WEND_OK));
        wend_planners_destroy(set);
        CHECK(!memory.live_blocks && !memory.wrong_sizes);
        test_case();
    }
    theatre t;
    if (CHECK(open_theatre(&t, NULL, 0))) {
        wend_agent *none;
        wend_error error = {0};
        wend_agent_options options = wend_default_agent_options();
        t.own.refuses = true;
        CHECK(wend_agent_create(t.stage.world, t.settings, &options, &none, &error) ==
              WEND_STATUS_UNSUPPORTED);
        CHECK(!none && strcmp(error.message, "not today") == 0 && t.own.released == 1);
    }
    close_theatre(&t);
}

static uint32_t mark(wend_agent *agent) {
    uint8_t *state = wend_agent_state(agent);
    for (int i = 0; i < 99; i++) CHECK(state[i] == (i < state[98] ? 7 : 0) || i == 98);
    state[state[98]++] = 7;
    return 2; /* east */
}

/* Without a `begin` the state is zero whenever a task begins; without a `bound` the library counts and bounds. */
static void defaults_stand_in(void) {
    const wend_planner_functions functions = {.struct_size = sizeof functions,
                                              .info = {"marker", "goes east", NULL, 0},
                                              .state_size = 99,
                                              .move = mark,
                                              .move_operations = 5};
    wend_planners *set = NULL;
    wend_settings *settings = NULL;
    wend_agent *agent = NULL;
    test_stage stage;
    test_random random = {0};
    wend_world_options options = wend_default_world_options();
    if (test_stage_open(&stage, test_map_make(TEST_SHAPE_OPEN, 8, 8, wend_default_rules(), &random, NULL),
                        &options) &&
        CHECK(wend_planners_create(NULL, &set, NULL) == WEND_OK) &&
        CHECK(wend_planners_add(set, &functions, NULL, NULL) == WEND_OK) &&
        CHECK(wend_planners_parse(set, "marker", NULL, &settings, NULL) == WEND_OK) &&
        CHECK(wend_agent_create(stage.world, settings, NULL, &agent, NULL) == WEND_OK)) {
        for (int task = 0; task < 3; task++) {
            CHECK(task == 2 ? wend_agent_place(agent, 0, NULL) == WEND_OK
                            : wend_agent_start(agent, 0, 7, NULL) == WEND_OK);
            for (int i = 0; i < 4; i++) {
                wend_step step = wend_agent_step(agent);
                CHECK(step.outcome == WEND_STEP_MOVED && step.operations >= 5);
                CHECK(step.operations <= wend_agent_bound(agent, 1));
            }
            test_case();
        }
        CHECK(wend_agent_bound(agent, 1) == wend_agent_bound(agent, 1000));
    }
    wend_agent_destroy(agent);
    wend_settings_destroy(settings);
    wend_planners_destroy(set);
    test_stage_close(&stage);
}

/* The least that a table can have: no state, no `create`, on a map that is seen bit by bit. */
static void little_is_enough(void) {
    script own = {.says = 2};
    wend_planner_functions least = {.struct_size = sizeof least,
                                    .info = {"least", "only moves", NULL, 0},
                                    .begin = begin,
                                    .move = move,
                                    .bound = bound};
    test_stage stage;
    test_random random = {0};
    wend_planners *set = NULL;
    wend_settings *settings = NULL;
    wend_knowledge *knowledge = NULL;
    wend_agent *agent = NULL;
    wend_world_options options = wend_default_world_options();
    wend_agent_options agent_options = wend_default_agent_options();
    wend_knowledge_options believes = wend_default_knowledge_options();
    options.editable = true;
    if (test_stage_open(&stage, test_map_make(TEST_SHAPE_OPEN, 8, 8, wend_default_rules(), &random, NULL),
                        &options) &&
        CHECK(wend_knowledge_create(stage.world, &believes, &knowledge, NULL) == WEND_OK) &&
        CHECK(wend_planners_create(NULL, &set, NULL) == WEND_OK) &&
        CHECK(wend_planners_add(set, &least, &own, NULL) == WEND_OK) &&
        CHECK(wend_planners_parse(set, "least", NULL, &settings, NULL) == WEND_OK)) {
        agent_options.knowledge = knowledge;
        CHECK(wend_world_edit(stage.world, (wend_rect){3, 0, 1, 1}, false, NULL) == WEND_OK);
        CHECK(wend_agent_create(stage.world, settings, &agent_options, &agent, NULL) == WEND_OK);
        CHECK(wend_agent_start(agent, 0, 7, NULL) == WEND_OK);
        CHECK(!wend_agent_knows_truth(agent) && wend_agent_map(agent) == wend_knowledge_map(knowledge));
        for (int i = 0; i < 5; i++)
            CHECK(wend_agent_step(agent).outcome == (i < 2 ? WEND_STEP_MOVED : WEND_STEP_WAITING));
        CHECK(wend_agent_value(agent, 6) == wend_map_distance(stage.map, 6, 7));
        CHECK(wend_agent_subgoal(agent) == WEND_NO_CELL && wend_agent_hash(agent));
        test_case();
    }
    wend_agent_destroy(agent);
    wend_knowledge_destroy(knowledge);
    wend_settings_destroy(settings);
    wend_planners_destroy(set);
    test_stage_close(&stage);
}

static uint64_t budget_of(wend_world *world, const wend_planner_functions *functions, const char *text) {
    script own = {0};
    wend_agent_options options = wend_default_agent_options();
    wend_planners *set = NULL;
    wend_settings *settings = NULL;
    wend_agent *agent = NULL;
    CHECK(wend_planners_create(NULL, &set, NULL) == WEND_OK &&
          wend_planners_add(set, functions, &own, NULL) == WEND_OK &&
          wend_planners_parse(set, text, NULL, &settings, NULL) == WEND_OK &&
          wend_agent_create(world, settings, &options, &agent, NULL) == WEND_OK);
    uint64_t budget = agent ? wend_agent_budget(agent) : 0;
    wend_agent_destroy(agent);
    wend_settings_destroy(settings);
    wend_planners_destroy(set);
    return budget;
}

/* The budget is k; a k without a value is none. */
static void budgets_are_k(void) {
    wend_key_info key = keys[0];
    wend_planner_functions functions = whole();
    test_stage stage;
    test_random random = {0};
    wend_world_options options = wend_default_world_options();
    functions.create = NULL, functions.release = NULL, functions.info.keys = &key;
    if (test_stage_open(&stage, test_map_make(TEST_SHAPE_OPEN, 8, 8, wend_default_rules(), &random, NULL),
                        &options)) {
        CHECK(budget_of(stage.world, &functions, "puppet") == 7);
        key.standard = NULL;
        CHECK(budget_of(stage.world, &functions, "puppet:k=3") == 3);
        CHECK(budget_of(stage.world, &functions, "puppet") == UINT64_MAX);
        functions.plan = NULL;
        CHECK(budget_of(stage.world, &functions, "puppet") == 1);
        test_case();
    }
    test_stage_close(&stage);
}

/* A squad of the example's planner: its members come where they are sent, beside one of the library's. */
static void fleets_take_them(void) {
    test_random random = {5};
    wend_map *map = test_map_make(TEST_SHAPE_OPEN, 20, 20, wend_default_rules(), &random, NULL);
    wend_fleet_options options = wend_default_fleet_options();
    wend_squad_options squad_options = wend_default_squad_options();
    const wend_settings *own = NULL, *tba = NULL;
    wend_fleet *fleet = NULL;
    wend_member members[40];
    uint32_t squads[2];
    options.budget = 1000000;
    CHECK(test_settings_parse("tabu", &own, NULL) == WEND_OK &&
          test_settings_parse("tba", &tba, NULL) == WEND_OK);
    if (CHECK(map && wend_fleet_create(map, &options, &fleet, NULL) == WEND_OK) &&
        CHECK(wend_fleet_add_squad(fleet, own, &squad_options, &squads[0], NULL) == WEND_OK) &&
        CHECK(wend_fleet_add_squad(fleet, tba, &squad_options, &squads[1], NULL) == WEND_OK)) {
        for (uint32_t i = 0; i < 40; i++) {
            CHECK(wend_fleet_add(fleet, squads[i % 2], i, &members[i], NULL) == WEND_OK);
            CHECK(wend_fleet_request(fleet, members[i], 399 - i, NULL, NULL) == WEND_OK);
        }
        uint64_t arrived = 0;
        for (int i = 0; i < 2000; i++) {
            arrived += wend_fleet_tick(fleet).arrived;
        }
        CHECK_THAT(arrived == 40, "%llu of 40 arrived", (unsigned long long)arrived);
        test_case();
    }
    wend_fleet_destroy(fleet);
    wend_map_destroy(map);
}

static void the_example_runs(void) {
    CHECK(test_own_example() == 0);
    test_case();
}

static const test tests[] = {
    {"tables of other versions", tables_of_other_versions},
    {"bad tables are refused", bad_tables_are_refused},
    {"a set is full some time", a_set_is_full_some_time},
    {"names belong to their set", names_belong_to_their_set},
    {"functions are called as documented", functions_are_called_as_documented},
    {"ends are ends", ends_are_ends},
    {"failures leave nothing", failures_leave_nothing},
    {"defaults stand in", defaults_stand_in},
    {"little is enough", little_is_enough},
    {"budgets are k", budgets_are_k},
    {"fleets take them", fleets_take_them},
    {"the example runs", the_example_runs},
};

TEST_MAIN(tests)

/* The real-time promises: operations within the declared bound on maps made to break it, no allocation, no
 * system call, no clock. */
#include "support/agents/agents.h"
#include "support/agents/own.h"
#include "support/check.h"
#include "support/databases.h"
#include "support/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#endif

/* Every request to the C library's heap is counted, whoever makes it. Sanitizers have a heap of their own. */
#if defined(__GLIBC__) && !defined(SANITIZED)
#define COUNTED
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *pointer, size_t size);
void __libc_free(void *pointer);
void *__libc_memalign(size_t alignment, size_t size);

static uint64_t heap_calls;

void *malloc(size_t size) {
    heap_calls++;
    return __libc_malloc(size);
}
void *calloc(size_t nmemb, size_t size) {
    heap_calls++;
    return __libc_calloc(nmemb, size);
}
void *realloc(void *ptr, size_t size) {
    heap_calls++;
    return __libc_realloc(ptr, size);
}
void free(void *ptr) {
    heap_calls++;
    __libc_free(ptr);
}
void *aligned_alloc(size_t alignment, size_t size) {
    heap_calls++;
    return __libc_memalign(alignment, size);
}
int posix_memalign(void **memptr, size_t alignment, size_t size) {
    heap_calls++;
    *memptr = __libc_memalign(alignment, size);
    return *memptr ? 0 : ENOMEM;
}
#endif

#if defined(__linux__) && !defined(SANITIZED)
#define CONFINED
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

/* Maps on which a step has the most to do, or a search the most to do for nothing. */
typedef enum hostile { CUL_DE_SAC, SPIRAL, COMB, ONE_HOLE, CORRIDOR, FIELD, SCATTERED, HOSTILES } hostile;

typedef struct hostile_task {
    wend_map *map;
    wend_cell start, goal;
} hostile_task;

static void set(wend_map *map, int32_t x, int32_t y, int32_t width, int32_t height, bool open) {
    CHECK(wend_map_edit(map, (wend_rect){x, y, width, height}, open, NULL) == WEND_OK);
}

static hostile_task hostile_make(hostile kind, int32_t side, wend_rules rules,
                                 const wend_allocator *allocator) {
    static const test_shape shapes[HOSTILES] = {
        [CUL_DE_SAC] = TEST_SHAPE_OPEN, [SPIRAL] = TEST_SHAPE_SPIRAL, [COMB] = TEST_SHAPE_COMB,
        [ONE_HOLE] = TEST_SHAPE_OPEN,   [CORRIDOR] = TEST_SHAPE_OPEN, [FIELD] = TEST_SHAPE_OPEN,
        [SCATTERED] = TEST_SHAPE_OPEN};
    test_random random = {(uint64_t)kind};
    int32_t height = kind == CORRIDOR ? 1 : side, width = kind == CORRIDOR ? side * side : side;
    hostile_task task = {test_map_make(shapes[kind], width, height, rules, &random, allocator), 0, 0};
    if (!CHECK(task.map)) return task;
    int32_t middle = side / 2;
    switch (kind) {
    case CUL_DE_SAC: /* a deep bay that opens to the west; the goal lies behind its bottom */
        set(task.map, 2, 2, side - 4, 1, false);
        set(task.map, 2, side - 3, side - 4, 1, false);
        set(task.map, side - 3, 2, 1, side - 4, false);
        task.start = wend_map_cell(task.map, side - 4, middle);
        task.goal = wend_map_cell(task.map, side - 1, middle);
        break;
    case SPIRAL: /* from the outer end inwards */
        task.start = wend_map_cell(task.map, 0, 0);
        task.goal = wend_map_cell(task.map, 0, 2);
        for (wend_cell cell = 0; cell < wend_map_cells(task.map); cell++)
            if (wend_map_is_open_cell(task.map, cell) &&
                wend_map_distance(task.map, cell, wend_map_cell(task.map, middle, middle)) <
                    wend_map_distance(task.map, task.goal, wend_map_cell(task.map, middle, middle)))
                task.goal = cell;
        break;
    case ONE_HOLE: /* a wall across with one hole at its end */
        set(task.map, 0, middle, side - 1, 1, false);
        task.start = wend_map_cell(task.map, 0, 0);
        task.goal = wend_map_cell(task.map, 0, side - 1);
        break;
    case SCATTERED:
        for (int32_t i = 0; i < side * side / 4; i++)
            set(task.map, (int32_t)test_below(&random, (uint32_t)side),
                (int32_t)test_below(&random, (uint32_t)side), 1, 1, false);
        task.start = test_open_cell(task.map, &random);
        task.goal = test_open_cell(task.map, &random);
        break;
    default: /* from corner to corner */
        task.start = 0;
        task.goal = wend_map_cell(task.map, width - 1, 0);
        if (kind == FIELD) task.goal = wend_map_cells(task.map) - 1;
        break;
    }
    return task;
}

/* Planners with a database, and the one each is given: nothing in it, too little and plenty. Choices that try
 * everything, climbs that have no end, lookaheads of several moves. */
static const struct {
    const char *planner, *database;
} with_database[] = {
    {"knn2009:db=-", "knn2009:records=0"},
    {"knn2009:db=-", "knn2009:records=200"},
    {"knn2009:db=-,climb=1,d=1", "knn2009:records=1"},
    {"knn2009:db=-,climb=10000,d=5", "knn2009:records=1000,pick=farthest"},
    {"knn:db=-", "knn:records=0"},
    {"knn:db=-", "knn:records=200"},
    {"knn:db=-,climb=1", "knn:records=200,spread=even"},
    {"knn:db=-,climb=100000,candidates=1000", "knn:records=1000"},
    {"knn:db=-,e1=no,e2=no,e3=no,e4=no,e5=no,e6=no", "knn:records=1000"},
    {"knn:db=-,e4=no,climb=4", "knn:records=100,fragments=yes"},
    {"knn:db=-,fallback=tba", "knn:records=1"},
    {"knn:db=-,fallback=tba,climb=4", "knn:records=200,compress=linear"},
    {"dlrta:db=-", "dlrta:level=1"},
    {"dlrta:db=-", "dlrta"},
    {"dlrta:db=-,d=4", "dlrta:level=3"},
    {"cpd:db=-", "cpd"},
    {"upd:db=-", "upd"},
    {"quadtree:db=-", "quadtree"},
    {"subgoal-tree:db=-", "subgoal-tree"},
    {"lss-lrta:db=-", "subgoal-tree"},
    {"atlas:db=-", "atlas"},
    {"corners:db=-", "corners"},
};
enum { WITH_DATABASE = sizeof with_database / sizeof *with_database };

/* Planner number `i` of all, those with a database last. They know the map, and it stays as it is. */
static size_t planner_count(bool firm) {
    return test_all_planner_count() + (firm ? WITH_DATABASE : 0);
}

static const char *planner_name(size_t i) {
    return i < test_all_planner_count() ? test_planner(i)
                                        : with_database[i - test_all_planner_count()].planner;
}

/* `db` is closed by the caller, after the agent. */
static wend_agent *planner_make(const test_stage *stage, size_t i, const wend_agent_options *options,
                                wend_db **db) {
    wend_agent_options own = options ? *options : wend_default_agent_options();
    *db = NULL;
    if (i >= test_all_planner_count()) {
        *db = test_db_build(stage->map, with_database[i - test_all_planner_count()].database, i);
        own.db = *db;
    }
    return test_agent_make(stage, planner_name(i), &own);
}

/* Whatever is registered, the library's or a program's own, is among those that the tests below ask. */
static void every_planner_is_asked(void) {
    const wend_planners *set = test_planner_set();
    for (size_t i = 0; i < wend_planners_count(set); i++) {
        const char *name = wend_planners_at(set, i)->name;
        bool asked = false;
        for (size_t j = 0; j < planner_count(true); j++)
            asked = asked || test_is_planner(planner_name(j), name);
        CHECK_THAT(asked, "%s needs a database: give it one in with_database", name);
        test_case();
    }
}

/* test_check_step compares every step with the bound for the agent's budget. */
static void steps_keep_their_bound(void) {
    int32_t side = test_some(61) < 61 ? 29 : 61;
    for (int kind = 0; kind < HOSTILES; kind++)
        for (uint32_t rules = 0; rules < TEST_RULES; rules += rules == 4 ? 2 : 4) {
            hostile_task task = hostile_make((hostile)kind, side, test_rules(rules), NULL);
            test_stage stage;
            if (test_stage_open(&stage, task.map, NULL))
                for (size_t i = 0; i < planner_count(true); i++) {
                    stage.number = (uint64_t)kind;
                    wend_db *db;
                    wend_agent *agent = planner_make(&stage, i, NULL, &db);
                    const char *planner = planner_name(i);
                    if (!agent) continue;
                    test_walk walk = test_walk_to(&stage, agent, planner, task.start, task.goal,
                                                  strstr(planner, "k=100000") ? 100 : 3000);
                    CHECK(walk.steps > 0 && walk.end != WEND_STEP_OUT_OF_MEMORY);
                    uint64_t bound = wend_agent_bound(agent, wend_agent_budget(agent));
                    bool unbounded = strstr(planner, "free") || wend_agent_budget(agent) == UINT64_MAX;
                    CHECK_THAT((bound == UINT64_MAX) == unbounded, "%s: the bound is %llu", planner,
                               (unsigned long long)bound);
                    wend_agent_destroy(agent);
                    wend_db_close(db);
                    test_case();
                }
            test_stage_close(&stage);
        }
}

/* Planned in many small pieces, as a caller with a clock does, a move costs no more than the bound for all of
 * them together. */
static void pieces_keep_the_bound_of_their_sum(void) {
    static const char *const planners[] = {"astar",
                                           "jps",
                                           "lrta",
                                           "lrta:d=3",
                                           "lss-lrta:k=40",
                                           "rtaa:k=40",
                                           "dartaa:k=40",
                                           "tba",
                                           "tba:share=0",
                                           "tba:share=1",
                                           "tba:ratio=1",
                                           "tba:share=0.5,ratio=1000",
                                           "tba:share=0.9,ratio=1000000",
                                           "rtba",
                                           "tbaa",
                                           "tbaa:da=yes",
                                           "tbaa:share=0.5,ratio=1000",
                                           "repeated-astar",
                                           "adaptive-astar",
                                           "dstar-lite"};
    for (int kind = 0; kind < HOSTILES; kind++) {
        hostile_task task = hostile_make((hostile)kind, 61, wend_default_rules(), NULL);
        test_stage stage;
        if (test_stage_open(&stage, task.map, NULL))
            for (size_t i = 0; i < sizeof planners / sizeof *planners; i++) {
                test_random random = {i};
                wend_agent *agent = test_agent_make(&stage, planners[i], NULL);
                if (!agent) continue;
                wend_outcome outcome = WEND_STEP_ARRIVED;
                for (uint32_t turn = 0; turn < test_some(2500); turn++) {
                    if (outcome != WEND_STEP_MOVED && outcome != WEND_STEP_WAITING)
                        CHECK(wend_agent_start(agent, task.start, task.goal, NULL) == WEND_OK);
                    uint32_t piece = 1 + test_below(&random, test_below(&random, 30) ? 12 : 1500);
                    uint64_t sum = 0;
                    bool more = true;
                    for (uint32_t pieces = test_below(&random, 30); more && pieces > 0; pieces--) {
                        sum += piece;
                        more = wend_agent_plan(agent, piece);
                    }
                    wend_step step = wend_agent_move(agent);
                    CHECK_THAT(step.operations <= wend_agent_bound(agent, sum),
                               "%s on map %d: %llu operations for pieces of %u, %llu in all, bound %llu",
                               planners[i], kind, (unsigned long long)step.operations, piece,
                               (unsigned long long)sum, (unsigned long long)wend_agent_bound(agent, sum));
                    if (!test_is_planner(planners[i], "lrta"))
                        CHECK_THAT(step.expansions <= sum, "%s on map %d: %llu expansions of %llu",
                                   planners[i], kind, (unsigned long long)step.expansions,
                                   (unsigned long long)sum);
                    if (!test_is_planner(planners[i], "lrta") && !test_is_whole_map(planners[i]))
                        CHECK_THAT(step.expansions <= 40, "%s on map %d: %llu expansions between two moves",
                                   planners[i], kind, (unsigned long long)step.expansions);
                    outcome = step.outcome;
                    CHECK(outcome != WEND_STEP_OUT_OF_MEMORY && outcome != WEND_STEP_UNREACHABLE);
                }
                wend_agent_destroy(agent);
                test_case();
            }
        test_stage_close(&stage);
    }
}

static void bounds_do_not_depend_on_the_map(void) {
    static const int32_t sides[] = {10, 1000}, with_database_sides[] = {10, 80};
    enum { MOST = 128 };
    uint64_t bounds[2][MOST][4] = {{{0}}};
    if (!CHECK(planner_count(true) <= MOST)) return;
    for (int size = 0; size < 4; size++) { /* a smaller one for those that build first */
        bool first = size < 2;
        int32_t side = first ? sides[size] : with_database_sides[size - 2];
        hostile_task task = hostile_make(FIELD, side, wend_default_rules(), NULL);
        test_stage stage;
        if (test_stage_open(&stage, task.map, NULL))
            for (size_t i = first ? 0 : test_all_planner_count(); i < planner_count(!first); i++) {
                wend_agent_options options = wend_default_agent_options();
                options.max_cells = 50;
                wend_db *db;
                wend_agent *agent = planner_make(&stage, i, &options, &db);
                static const uint64_t budgets[4] = {1, 20, 1000, UINT64_MAX};
                for (int j = 0; agent && j < 4; j++)
                    bounds[size % 2][i][j] = wend_agent_bound(agent, budgets[j]);
                wend_agent_destroy(agent);
                wend_db_close(db);
            }
        test_stage_close(&stage);
    }
    for (size_t i = 0; i < planner_count(true); i++) {
        /* A quadtree looks a move up by halving: its bound has the logarithm of its longest list. */
        bool same = memcmp(bounds[0][i], bounds[1][i], sizeof bounds[0][i]) == 0;
        CHECK_THAT(same != test_is_planner(planner_name(i), "quadtree"), "%s", planner_name(i));
        for (int j = 1; j < 4; j++) CHECK(bounds[0][i][j - 1] <= bounds[0][i][j]);
        test_case();
    }
}

typedef struct ticker {
    uint64_t now;
} ticker;

static uint64_t tick(void *context) {
    return ((ticker *)context)->now++;
}

/* Everything that can be asked of an agent that has been created. Returns how many calls went wrong; makes no
 * system call itself. */
static uint64_t exercise(wend_agent *agent, const hostile_task *task, int turns) {
    ticker clock = {0};
    wend_interval counted = {.expansions = 9}, timed = {.length = 4, .slice = 3, .clock = tick};
    timed.context = &clock;
    uint64_t wrong = 0;
    for (int turn = 0; turn < turns; turn++) {
        if (turn % 500 == 0) wrong += wend_agent_start(agent, task->start, task->goal, NULL) != WEND_OK;
        if (turn % 500 == 150) wrong += wend_agent_set_goal(agent, task->start, NULL) != WEND_OK;
        if (turn % 500 == 300) wrong += wend_agent_place(agent, task->goal, NULL) != WEND_OK;
        if (turn % 500 == 301) wrong += wend_agent_place(agent, WEND_NO_CELL, NULL) != WEND_STATUS_OUTSIDE;
        switch (turn / 10 % 4) {
        case 0:
            wrong += wend_agent_step(agent).outcome == WEND_STEP_OUT_OF_MEMORY;
            break;
        case 1:
            wrong += wend_agent_interval(agent, &counted).outcome == WEND_STEP_OUT_OF_MEMORY;
            break;
        case 2:
            wrong += wend_agent_interval(agent, &timed).outcome == WEND_STEP_OUT_OF_MEMORY;
            break;
        default:
            (void)wend_agent_plan(agent, 3);
            (void)wend_agent_plan(agent, 2);
            wrong += wend_agent_move(agent).outcome == WEND_STEP_OUT_OF_MEMORY;
            break;
        }
    }
    wrong += wend_agent_counters(agent).operations == 0 || wend_agent_hash(agent) == 0;
    return wrong;
}

/* What an agent stands on: a map that it knows, one that it does not, one that is edited under it. */
typedef enum footing { FIRM, UNKNOWN, EDITED, FOOTINGS } footing;

static wend_agent *stand(const test_stage *stage, size_t i, wend_knowledge *knowledge, wend_db **db) {
    wend_agent_options options = wend_default_agent_options();
    options.knowledge = knowledge;
    if (knowledge) wend_knowledge_forget(knowledge);
    return planner_make(stage, i, &options, db);
}

static wend_knowledge *unknown_ground(const test_stage *stage, footing under) {
    wend_knowledge_options options = wend_default_knowledge_options();
    wend_knowledge *knowledge = NULL;
    options.radius = 2;
    if (under == UNKNOWN) CHECK(wend_knowledge_create(stage->world, &options, &knowledge, NULL) == WEND_OK);
    return knowledge;
}

static void nothing_is_allocated_after_creation(void) {
#ifndef COUNTED
    test_skip("the heap's calls can't be counted here: only the caller's allocator is");
#endif
    for (uint32_t kind = 0; kind < HOSTILES * FOOTINGS; kind += HOSTILES / test_each(HOSTILES)) {
        test_memory memory = {0};
        wend_allocator allocator = test_allocator(&memory);
        footing under = (footing)(kind / HOSTILES);
        hostile_task task = hostile_make((hostile)(kind % HOSTILES), 41, test_rules(kind), &allocator);
        wend_world_options options = wend_default_world_options();
        options.allocator = allocator;
        options.editable = under == EDITED;
        test_stage stage;
        bool open = test_stage_open(&stage, task.map, &options);
        wend_knowledge *knowledge = open ? unknown_ground(&stage, under) : NULL;
        for (size_t i = 0; open && i < planner_count(under == FIRM); i++) {
            wend_db *db;
            wend_agent *agent = stand(&stage, i, knowledge, &db);
            if (!agent) continue;
            uint64_t wrong = 0, requests = 0, calls = 0;
            int32_t side = wend_map_height(stage.map) < 41 ? 1 : 8;
            for (int part = 0; part < 3; part++) {
                /* Edits keep a log, and may take memory for it; steps may not. */
                if (under == EDITED)
                    CHECK(wend_world_edit(stage.world, (wend_rect){10, side - 1, 8, side}, part % 2 == 0,
                                          NULL) == WEND_OK);
                uint64_t before = memory.requests;
#ifdef COUNTED
                uint64_t heap = heap_calls;
#endif
                wrong += exercise(agent, &task, part ? 300 : 600);
#ifdef COUNTED
                calls += heap_calls - heap;
#endif
                requests += memory.requests - before;
            }
            CHECK_THAT(!calls && !requests, "%s: %llu calls to the heap", planner_name(i),
                       (unsigned long long)(calls + requests));
            /* On the way through a wall that was not there there may be no arrival, but never want. */
            CHECK_THAT(!wrong, "%s on map %u", planner_name(i), kind);
            wend_agent_destroy(agent);
            wend_db_close(db);
            test_case();
        }
        wend_knowledge_destroy(knowledge);
        test_stage_close(&stage);
        CHECK(memory.live_blocks == 0 && memory.wrong_sizes == 0);
    }
}

/* In a child that the kernel kills at any system call but to leave, and where reading the processor's clock
 * is a fault (the C library reads it without a system call). */
static void nothing_is_asked_of_the_system(void) {
#ifndef CONFINED
    test_skip("no way here to forbid system calls");
#else
    enum { FINE = 0, WRONG = 1, FREE = 77 };
    for (int kind = 0; kind < 2 * HOSTILES; kind++) {
        hostile_task task = hostile_make((hostile)(kind % HOSTILES), 31, test_rules((uint32_t)kind), NULL);
        test_stage stage;
        bool open = test_stage_open(&stage, task.map, NULL);
        wend_knowledge *knowledge = open ? unknown_ground(&stage, (footing)(kind / HOSTILES)) : NULL;
        if (open)
            for (size_t i = 0; i < planner_count((footing)(kind / HOSTILES) == FIRM); i++) {
                wend_db *db;
                wend_agent *agent = stand(&stage, i, knowledge, &db);
                if (!agent) continue;
                fflush(NULL);
                pid_t child = fork();
                if (child == 0) {
#ifdef PR_SET_TSC
                    (void)prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0);
#endif
                    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0) _exit(FREE);
                    (void)syscall(SYS_exit, exercise(agent, &task, 600) ? WRONG : FINE);
                }
                int status = 0;
                CHECK(child > 0 && waitpid(child, &status, 0) == child);
                if (WIFEXITED(status) && WEXITSTATUS(status) == FREE)
                    test_skip("the kernel does not offer to forbid system calls");
                else
                    CHECK_THAT(WIFEXITED(status) && WEXITSTATUS(status) == FINE,
                               "%s on map %d: the child ended with status 0x%x", planner_name(i), kind,
                               (unsigned)status);
                wend_agent_destroy(agent);
                wend_db_close(db);
                test_case();
            }
        wend_knowledge_destroy(knowledge);
        test_stage_close(&stage);
    }
#endif
}

static const test tests[] = {
    {"every planner is asked", every_planner_is_asked},
    {"steps keep their bound", steps_keep_their_bound},
    {"pieces keep the bound of their sum", pieces_keep_the_bound_of_their_sum},
    {"bounds do not depend on the map", bounds_do_not_depend_on_the_map},
    {"nothing is allocated after creation", nothing_is_allocated_after_creation},
    {"nothing is asked of the system", nothing_is_asked_of_the_system},
};

TEST_MAIN(tests)

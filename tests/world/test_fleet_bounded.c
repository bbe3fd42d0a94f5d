/* What a tick does is bounded by its budget, however many members wait. That is judged from outside: all memory of
 * the fleet is out of reach when a tick begins, and the pages that it asks for are counted. */
#include "support/agents/fleets.h"
#include "support/check.h"
#include "support/databases.h"

#include <stdlib.h>
#include <wend/wend.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif

/* Books that are validated in every tick are all looked at. */
#if defined(__linux__) && !defined(SANITIZED) && !defined(WEND_VALIDATING)
#define GUARDED
#include <signal.h>
#include <sys/mman.h>
#endif

#if defined(GUARDED)
enum { PAGE = 4096 };
#define ARENA ((size_t)1 << 32)

/* Memory that is handed out piece by piece and comes back as a whole. */
static char *arena;
static size_t used;
static volatile size_t touched;

static void *arena_allocate(void *context, size_t size) {
    (void)context;
    used = (used + 63) & ~(size_t)63;
    void *block = size <= ARENA - used ? arena + used : NULL;
    used += size;
    return block;
}

static void arena_release(void *context, void *memory, size_t size) {
    (void)context, (void)memory, (void)size;
}

static void on_touch(int signal_number, siginfo_t *info, void *context) {
    (void)context;
    size_t offset = (size_t)((char *)info->si_addr - arena);
    if (offset >= ARENA || mprotect(arena + offset / PAGE * PAGE, PAGE, PROT_READ | PROT_WRITE)) {
        signal(signal_number, SIG_DFL);
        return;
    }
    touched++;
}

static size_t pages_of_tick(wend_fleet *fleet, wend_tick *tick) {
    touched = 0;
    size_t size = (used + PAGE - 1) / PAGE * PAGE;
    CHECK(mprotect(arena, size, PROT_NONE) == 0);
    *tick = wend_fleet_tick(fleet);
    CHECK(mprotect(arena, size, PROT_READ | PROT_WRITE) == 0);
    return touched;
}

typedef struct scene {
    const char *planner, *kind;
    uint32_t few, many, max_cells;
    uint64_t budget;
} scene;

/* The pages of some ticks after the first, in which all that is new is looked at. */
static size_t pages_with(const scene *s, const wend_map *map, const wend_db *db, uint32_t members) {
    arena = mmap(NULL, ARENA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (!CHECK(arena != MAP_FAILED)) return 0;
    used = 0;
    struct sigaction action = {.sa_sigaction = on_touch, .sa_flags = SA_SIGINFO}, old;
    CHECK(sigaction(SIGSEGV, &action, &old) == 0);
    wend_fleet_options options = wend_default_fleet_options();
    options.allocator = (wend_allocator){.allocate = arena_allocate, .release = arena_release};
    options.max_members = members, options.lanes = 2, options.budget = s->budget, options.touch_bytes = 0;
    options.max_events = 16, options.max_bytes = SIZE_MAX;
    wend_fleet *fleet = test_fleet_make(map, &options);
    wend_squad_options squad = wend_default_squad_options();
    squad.agent.db = db, squad.agent.max_cells = s->max_cells;
    uint32_t number;
    wend_member member;
    test_random random = {7};
    CHECK(test_fleet_squad(fleet, s->planner, &squad, &number) == WEND_OK);
    for (uint32_t i = 0; i < members; i++) {
        CHECK(wend_fleet_add(fleet, number, test_open_cell(map, &random), &member, NULL) == WEND_OK);
        CHECK(wend_fleet_request(fleet, member, test_open_cell(map, &random), NULL, NULL) == WEND_OK);
    }
    wend_tick tick = wend_fleet_tick(fleet);
    size_t pages = 0;
    for (int i = 0; i < 10; i++) {
        pages += pages_of_tick(fleet, &tick);
        CHECK(tick.postponed > members / 2 && tick.operations <= s->budget);
        CHECK(tick.active == tick.moves + tick.thinking + tick.starved + tick.postponed);
    }
    wend_fleet_destroy(fleet);
    CHECK(sigaction(SIGSEGV, &old, NULL) == 0);
    CHECK(munmap(arena, ARENA) == 0);
    return pages;
}

static void ticks_are_bounded_by_their_budget(void) {
    static const scene scenes[] = {
        {"cpd:db=-", "cpd", 20000, 100000, 0, 5000},
        {"atlas:db=-", "atlas", 2000, 40000, 0, 20000},
        {"lrta", NULL, 4000, 20000, 4, 1000},
        {"tba:k=5", NULL, 3000, 9000, 0, 2000},
    };
    test_random random = {3};
    wend_map *map = test_map_make(TEST_SHAPE_ROOMS, 20, 20, wend_default_rules(), &random, NULL);
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        const scene *s = &scenes[i];
        wend_db *db = s->kind ? test_db_build(map, s->kind, 1) : NULL;
        size_t few = pages_with(s, map, db, s->few), many = pages_with(s, map, db, s->many);
        CHECK_THAT(many <= few + few / 10 + 10, "%s: %zu pages with %u members, %zu with %u", s->planner, few,
                   s->few, many, s->many);
        wend_db_close(db);
        test_case();
    }
    wend_map_destroy(map);
}
#endif

/* Who is there to be asked and who waits, by the events and by each member, while many come, go and change their
 * minds: both say the same as the sums of the tick. */
static void who_waits_is_said_once(void) {
    enum { MEMBERS = 300, SQUADS = 4 };
    static const char *const planners[SQUADS] = {"cpd:db=-", "atlas:db=-", "lrta", "tba:k=3"};
    test_random random = {11};
    wend_map *map = test_map_make(TEST_SHAPE_ROOMS, 40, 30, wend_default_rules(), &random, NULL);
    wend_db *dbs[SQUADS] = {test_db_build(map, "cpd", 1), test_db_build(map, "atlas", 1)};
    for (uint64_t budget = 0; budget < 4; budget++) {
        static wend_member members[MEMBERS];
        static bool waits[MEMBERS];
        wend_fleet_options options = wend_default_fleet_options();
        options.max_members = MEMBERS, options.lanes = 3, options.max_events = 64 * MEMBERS;
        wend_fleet *fleet = test_fleet_make(map, &options);
        uint32_t numbers[SQUADS];
        for (int i = 0; i < SQUADS; i++) {
            wend_squad_options squad = wend_default_squad_options();
            squad.agent.db = dbs[i];
            CHECK(test_fleet_squad(fleet, planners[i], &squad, &numbers[i]) == WEND_OK);
        }
        for (uint32_t i = 0; i < MEMBERS; i++) {
            waits[i] = false;
            CHECK(wend_fleet_add(fleet, numbers[i % SQUADS], test_open_cell(map, &random), &members[i],
                                 NULL) == WEND_OK);
        }
        uint64_t postponed = 0;
        for (int tick = 0; tick < 300; tick++) {
            /* A little more than suffices for a step in each lane, and now and then enough for all. */
            uint64_t least = wend_fleet_min_budget(fleet) + budget * budget * 200;
            CHECK(wend_fleet_set_budget(fleet, tick % 40 == 39 ? UINT64_C(1) << 40 : least, NULL) == WEND_OK);
            for (uint32_t i = test_below(&random, 60); i-- > 0;) {
                uint32_t who = test_below(&random, MEMBERS), what = test_below(&random, 10);
                if (what < 3) {
                    CHECK(wend_fleet_cancel(fleet, members[who], NULL) == WEND_OK);
                } else if (what < 5) {
                    CHECK(wend_fleet_remove(fleet, members[who], NULL) == WEND_OK);
                    CHECK(wend_fleet_add(fleet, numbers[test_below(&random, SQUADS)],
                                         test_open_cell(map, &random), &members[who], NULL) == WEND_OK);
                } else {
                    CHECK(wend_fleet_request(fleet, members[who], test_open_cell(map, &random), NULL, NULL) ==
                          WEND_OK);
                }
                wend_member_info info;
                CHECK(wend_fleet_member(fleet, members[who], &info));
                if (info.doing != WEND_DOING_POSTPONED) waits[who] = false;
            }
            for (wend_event event; wend_fleet_event(fleet, &event);) continue;
            wend_tick made = wend_fleet_tick(fleet);
            uint64_t doing[WEND_DOING_POSTPONED + 1] = {0}, begun = 0, told = 0;
            for (uint32_t i = 0; i < MEMBERS; i++) {
                wend_member_info info;
                CHECK(wend_fleet_member(fleet, members[i], &info));
                doing[info.doing]++;
                begun += info.doing == WEND_DOING_POSTPONED && !waits[i];
                waits[i] = info.doing == WEND_DOING_POSTPONED;
            }
            for (wend_event event; wend_fleet_event(fleet, &event);)
                told += event.kind == WEND_EVENT_POSTPONED;
            CHECK_THAT(told == begun && made.postponed == doing[WEND_DOING_POSTPONED],
                       "tick %d: %llu events of %llu, %llu postponed of %llu", tick, (unsigned long long)told,
                       (unsigned long long)begun, (unsigned long long)made.postponed,
                       (unsigned long long)doing[WEND_DOING_POSTPONED]);
            CHECK(made.starved == doing[WEND_DOING_STARVED] && made.thinking == doing[WEND_DOING_THINKING]);
            CHECK(made.active == doing[WEND_DOING_MOVING] + made.thinking + made.starved + made.postponed +
                                     made.arrived + made.unreachable);
            postponed += made.postponed;
        }
        CHECK(postponed > 1000);
        wend_fleet_destroy(fleet);
        test_case();
    }
    for (int i = 0; i < SQUADS; i++) wend_db_close(dbs[i]);
    wend_map_destroy(map);
}

static const test tests[] = {
    {"who waits is said once", who_waits_is_said_once},
#if defined(GUARDED)
    {"ticks are bounded by their budget", ticks_are_bounded_by_their_budget},
#endif
};
TEST_MAIN(tests)

/* What a fleet shows its caller: the list of moves is what the members' cells say, and words stay with members. */
#include "support/agents/fleets.h"
#include "support/check.h"
#include "support/memory.h"

#include <wend/wend.h>

enum { MEMBERS = 30 };

typedef struct book {
    wend_member member;
    wend_cell cell;
    uint64_t user;
} book;

static void add(wend_fleet *fleet, uint32_t squad, book *own, test_random *random) {
    wend_cell cell = test_open_cell(wend_fleet_map(fleet, 1), random);
    wend_member_info info;
    CHECK(wend_fleet_add(fleet, squad, cell, &own->member, NULL) == WEND_OK);
    CHECK(wend_fleet_member(fleet, own->member, &info) && info.user == 0);
    own->user = test_below(random, 2) ? 0 : 1 + (uint64_t)test_below(random, 1000) * UINT32_MAX;
    if (own->user) CHECK(wend_fleet_set_user(fleet, own->member, own->user, NULL) == WEND_OK);
}

/* The list has everyone whose cell is another one, and nobody else. */
static uint32_t compare(const wend_fleet *fleet, book *books, uint64_t moves) {
    uint32_t count = 0, changed = 0;
    const wend_moved *moved = wend_fleet_moved(fleet, &count);
    CHECK(moved && count == moves);
    for (uint32_t i = 0; i < MEMBERS; i++) {
        wend_member_info info;
        CHECK(wend_fleet_member(fleet, books[i].member, &info) && info.user == books[i].user);
        if (info.cell == books[i].cell) continue;
        changed++;
        bool listed = false;
        for (uint32_t j = 0; j < count; j++)
            listed = listed || (moved[j].member == books[i].member && moved[j].from == books[i].cell &&
                                moved[j].to == info.cell);
        CHECK(listed);
    }
    CHECK(changed == count);
    return count;
}

static void moves_are_listed(void) {
    static const char *const planners[] = {"tba:k=20", "astar", "rtaa", "lrta"};
    uint32_t listed = 0;
    for (uint64_t number = 0; number < test_some(60); number++) {
        test_random random = {number};
        wend_map *map = test_map_any(number);
        book books[MEMBERS];
        if (!CHECK(map != NULL) || !wend_map_open_cells(map)) {
            wend_map_destroy(map);
            continue;
        }
        test_memory memory = {0};
        wend_fleet_options options = wend_default_fleet_options();
        options.max_members = MEMBERS, options.list_moves = true, options.touch_bytes = 0;
        options.allocator = test_allocator(&memory);
        wend_fleet *fleet = test_fleet_make(map, &options);
        uint32_t squads[4];
        for (int i = 0; i < 4; i++) CHECK(test_fleet_squad(fleet, planners[i], NULL, &squads[i]) == WEND_OK);
        for (uint32_t i = 0; i < MEMBERS; i++) add(fleet, squads[i % 4], &books[i], &random);
        for (int tick = 0; tick < 60; tick++) {
            for (uint32_t i = 0; i < MEMBERS; i++) {
                uint32_t what = test_below(&random, 40);
                wend_cell cell = test_open_cell(map, &random);
                if (what < 3) CHECK(wend_fleet_request(fleet, books[i].member, cell, NULL, NULL) == WEND_OK);
                if (what == 3) CHECK(wend_fleet_place(fleet, books[i].member, cell, NULL) == WEND_OK);
                if (what == 4) {
                    CHECK(wend_fleet_remove(fleet, books[i].member, NULL) == WEND_OK);
                    CHECK(wend_fleet_set_user(fleet, books[i].member, 1, NULL) == WEND_STATUS_BAD_ARGUMENT);
                    add(fleet, squads[i % 4], &books[i], &random);
                }
            }
            for (uint32_t i = 0; i < MEMBERS; i++) {
                wend_member_info info;
                CHECK(wend_fleet_member(fleet, books[i].member, &info));
                books[i].cell = info.cell;
            }
            for (wend_event event; wend_fleet_event(fleet, &event);)
                continue; /* some are of removed members */
            uint64_t requests = memory.requests;
            wend_tick made = wend_fleet_tick(fleet);
            CHECK(memory.requests == requests);
            listed += compare(fleet, books, made.moves);
            for (wend_event event; wend_fleet_event(fleet, &event);)
                for (uint32_t i = 0; i < MEMBERS; i++)
                    CHECK(event.member != books[i].member || event.user == books[i].user);
        }
        wend_fleet_destroy(fleet);
        CHECK(!memory.live_bytes && !memory.wrong_sizes);
        wend_map_destroy(map);
        test_case();
    }
    CHECK_THAT(listed >= test_some(5000), "%u moves", listed);
    test_case();
}

/* Where nobody asked for it there is no list, and no memory for it. */
static void only_where_asked_for(void) {
    test_random random = {2};
    wend_map *map = test_map_make(TEST_SHAPE_OPEN, 9, 9, wend_default_rules(), &random, NULL);
    uint32_t count = 7;
    size_t bytes[2] = {0};
    for (int i = 0; i < 2; i++) {
        wend_fleet_options options = wend_default_fleet_options();
        options.max_members = 100, options.list_moves = i;
        wend_fleet *fleet = test_fleet_make(map, &options);
        bytes[i] = wend_fleet_bytes(fleet);
        CHECK((wend_fleet_moved(fleet, &count) != NULL) == (i == 1) && count == 0);
        wend_fleet_destroy(fleet);
    }
    CHECK(bytes[1] == bytes[0] + 100 * (sizeof(wend_moved) + sizeof(wend_cell)));
    wend_map_destroy(map);
    test_case();
}

static const test tests[] = {
    {"moves_are_listed", moves_are_listed},
    {"only_where_asked_for", only_where_asked_for},
};
TEST_MAIN(tests)

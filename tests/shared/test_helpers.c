/* What tools, papers, benchmarks and tests share. */
#include "shared/crew.h"
#include "shared/order.h"
#include "shared/scenes.h"
#include "shared/text.h"
#include "support/check.h"
#include "support/maps.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static void digits_are_read_whole_or_refused(void) {
    static const struct {
        const char *text;
        size_t read;
        uint64_t value;
    } cases[] = {{"", 0, 0},
                 {"x", 0, 0},
                 {"-1", 0, 0},
                 {" 1", 0, 0},
                 {"0", 1, 0},
                 {"007", 3, 7},
                 {"12x", 2, 12},
                 {"1.5", 1, 1},
                 {"18446744073709551615", 20, UINT64_MAX},
                 {"18446744073709551616", 0, UINT64_MAX},
                 {"99999999999999999999999", 0, UINT64_MAX}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t value = 1;
        CHECK_THAT(shared_digits(cases[i].text, strlen(cases[i].text), &value) == cases[i].read, "%s",
                   cases[i].text);
        CHECK_THAT(value == cases[i].value, "%s", cases[i].text);
        test_case();
    }
    uint64_t value;
    CHECK(shared_digits("1234", 2, &value) == 2 && value == 12); /* no further than it is allowed */
}

/* Letters and directions are each other's inverse, and moves and cells tell of the same walk. */
static void steps_are_letters(void) {
    for (wend_direction d = 0; d <= WEND_NO_DIRECTION; d++)
        CHECK(shared_step_direction(shared_step_letter(d)) == d);
    for (const char *p = "89wx /:"; *p; p++) CHECK(shared_step_direction(*p) == WEND_NO_DIRECTION);
    test_random random = {3};
    wend_map *map = test_map_make(TEST_SHAPE_OPEN, 60, 60, test_rules(0), &random, NULL);
    for (int i = 0; CHECK(map != NULL) && i < 100; i++) {
        char steps[30];
        wend_direction moves[30];
        wend_cell cells[31], start = wend_map_cell(map, 30, 30);
        for (int j = 0; j < 30; j++) steps[j] = shared_step_letter((wend_direction)test_below(&random, 9));
        size_t count = shared_step_moves(steps, 30, moves);
        CHECK(shared_step_cells(map, start, steps, 30, cells) == count + 1 && cells[0] == start);
        for (size_t j = 0; j < count; j++) CHECK(wend_map_next(map, cells[j], moves[j]) == cells[j + 1]);
        test_case();
    }
    wend_map_destroy(map);
}

static void quantities_are_short(void) {
    CHECK(strcmp(shared_time(0).text, "0.0ns") == 0 && strcmp(shared_time(1234).text, "1.2us") == 0);
    CHECK(strcmp(shared_time(NAN).text, "-") == 0 && strcmp(shared_time(5e12).text, "5000s") == 0);
    CHECK(strcmp(shared_bytes(1024).text, "1.0KB") == 0 && strcmp(shared_bytes(999).text, "999B") == 0);
    CHECK(strcmp(shared_decimal_bytes(64e6).text, "64 MB") == 0);
}

static void note(void *argument, uint32_t index, uint32_t worker) {
    atomic_uint *done = argument;
    atomic_fetch_add(&done[index], 1);
    atomic_fetch_add(&done[1000 + worker], 1);
}

/* Every task once, by workers that are there, whatever the number of threads; a crew again and again. */
static void every_task_is_done_once(void) {
    for (int threads = 1; threads <= 9; threads += 2) {
        shared_crew *crew = shared_crew_create(threads);
        for (int round = 0; CHECK(crew != NULL) && round < 20; round++) {
            wend_tasks tasks = round ? shared_crew_tasks(crew) : shared_tasks(threads);
            atomic_uint done[1010] = {0};
            CHECK(tasks.workers >= 1 && tasks.workers <= (uint32_t)threads);
            tasks.run(tasks.context, 1000, note, done);
            for (int i = 0; i < 1000; i++) CHECK(done[i] == 1);
            for (uint32_t i = tasks.workers; i < 10; i++) CHECK(done[1000 + i] == 0);
            test_case();
        }
        shared_crew_destroy(crew);
    }
}

static void pairs_are_of_the_largest_component(void) {
    for (uint64_t number = 0; number < 100; number++) {
        wend_map *map = test_map_any(number);
        wend_cell *cells = NULL, pairs[5][2], again[5][2];
        uint32_t count = 0;
        bool good = CHECK(map && shared_largest_cells(map, &cells, &count, NULL) == WEND_OK);
        CHECK((count > 0) == (wend_map_open_cells(map) > 0) && (count > 0) == (cells != NULL));
        if (good && count) {
            CHECK(shared_draw_pairs(map, 5, pairs, NULL) == WEND_OK);
            CHECK(shared_draw_pairs(map, 5, again, NULL) == WEND_OK);
            CHECK(memcmp(pairs, again, sizeof pairs) == 0);
            for (int i = 0; i < 10; i++)
                CHECK(bsearch(&pairs[i / 2][i % 2], cells, count, sizeof *cells, shared_by_uint32));
        }
        free(cells);
        wend_map_destroy(map);
        test_case();
    }
}

static const test tests[] = {
    {"digits are read whole or refused", digits_are_read_whole_or_refused},
    {"steps are letters", steps_are_letters},
    {"quantities are short", quantities_are_short},
    {"every task is done once", every_task_is_done_once},
    {"pairs are of the largest component", pairs_are_of_the_largest_component},
};

TEST_MAIN(tests)

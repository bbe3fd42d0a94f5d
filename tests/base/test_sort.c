/* Sorting in place, against the definition: in order, and the same items. */
#include "base/random.h"
#include "base/sort.h"
#include "support/check.h"

#include <string.h>

enum { MOST = 200 };

typedef struct item {
    uint32_t key, number; /* a total order: by key, then by number */
    uint8_t rest[WEND_SORT_MOST - 8];
} item;

static int by_key(const void *a, const void *b) {
    const item *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static int by_word(const void *a, const void *b) {
    uint64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

static void items_come_into_order_and_none_is_lost(void) {
    for (uint32_t count = 0; count <= MOST; count++) {
        item items[MOST];
        bool seen[MOST] = {false};
        for (uint32_t i = 0; i < count; i++) {
            items[i].key = wend_random_below(wend_random_at(1, count, i), 1 + count / 2);
            items[i].number = i;
            memset(items[i].rest, (int)(i % 251), sizeof items[i].rest);
        }
        wend_sort(items, count, sizeof *items, by_key);
        for (uint32_t i = 0; i < count; i++) {
            if (i) CHECK(by_key(&items[i - 1], &items[i]) < 0);
            uint32_t number = items[i].number;
            if (!CHECK(number < count && !seen[number])) continue;
            seen[number] = true;
            CHECK(items[i].key == wend_random_below(wend_random_at(1, count, number), 1 + count / 2));
            for (size_t j = 0; j < sizeof items[i].rest; j++) CHECK(items[i].rest[j] == number % 251);
        }
        test_case();
    }
}

static void small_items_of_any_order_are_sorted(void) {
    for (uint32_t shape = 0; shape < 4; shape++) {
        uint64_t words[MOST], sum = 0, after = 0;
        for (uint32_t i = 0; i < MOST; i++) {
            words[i] = shape == 0 ? i : shape == 1 ? MOST - i : shape == 2 ? 7 : wend_random_at(2, 0, i) % 9;
            sum += wend_mix(words[i]);
        }
        wend_sort(words, MOST, sizeof *words, by_word);
        for (uint32_t i = 0; i < MOST; i++) {
            if (i) CHECK(words[i - 1] <= words[i]);
            after += wend_mix(words[i]);
        }
        CHECK(sum == after);
        test_case();
    }
}

static const test tests[] = {
    {"items come into order and none is lost", items_come_into_order_and_none_is_lost},
    {"small items of any order are sorted", small_items_of_any_order_are_sorted},
};
TEST_MAIN(tests)

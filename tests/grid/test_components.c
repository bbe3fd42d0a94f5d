/* Components against a plain flood fill over the map's own legal moves. */
#include "support/check.h"
#include "support/memory.h"

#include <stdlib.h>
#include <wend/wend.h>

static uint64_t draw_state = 1;

static uint32_t draw(uint32_t bound) {
    draw_state = draw_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(((draw_state >> 32) * bound) >> 32);
}

typedef struct parts {
    uint32_t count, largest; /* the size of the largest */
    uint32_t *label, *size;
} parts;

static parts flood_fill(const wend_map *map) {
    uint32_t cells = wend_map_cells(map);
    parts p = {.label = calloc(cells, sizeof *p.label), .size = calloc(cells, sizeof *p.size)};
    uint32_t *stack = malloc(cells * sizeof *stack);
    for (uint32_t c = 0; c < cells; c++) p.label[c] = WEND_NO_CELL;
    for (uint32_t first = 0; first < cells; first++) {
        if (!wend_map_is_open_cell(map, first) || p.label[first] != WEND_NO_CELL) continue;
        uint32_t top = 0, size = 0;
        p.label[first] = p.count, stack[top++] = first;
        while (top) {
            uint32_t cell = stack[--top];
            size++;
            for (wend_direction d = 0; d < 8; d++) {
                wend_cell next = wend_map_next(map, cell, d);
                if (next == WEND_NO_CELL || p.label[next] != WEND_NO_CELL) continue;
                p.label[next] = p.count, stack[top++] = next;
            }
        }
        if (size > p.largest) p.largest = size;
        p.size[p.count++] = size;
    }
    free(stack);
    return p;
}

static void free_parts(parts *p) {
    free(p->label);
    free(p->size);
}

/* The same partition: a one-to-one relation between labels, equal sizes, equal counts. */
static bool agrees(const wend_map *map, const wend_components *components) {
    parts p = flood_fill(map);
    uint32_t cells = wend_map_cells(map), *name = calloc((size_t)p.count + 1, sizeof *name);
    for (uint32_t i = 0; i < p.count; i++) name[i] = WEND_NO_CELL;
    bool good = CHECK(wend_components_count(components) == p.count);
    for (uint32_t c = 0; c < cells && good; c++) {
        uint32_t label = wend_components_label(components, c);
        if (p.label[c] == WEND_NO_CELL) {
            good = CHECK_THAT(label == WEND_NO_CELL, "the blocked cell %u has label %u", c, label);
            continue;
        }
        if (name[p.label[c]] == WEND_NO_CELL) name[p.label[c]] = label;
        good = CHECK_THAT(label == name[p.label[c]], "cell %u has label %u, not %u", c, label,
                          name[p.label[c]]) &&
               CHECK(wend_components_size(components, label) == p.size[p.label[c]]);
    }
    /* Different parts have different labels. */
    uint32_t top = 0;
    for (uint32_t i = 0; i < p.count; i++) top = name[i] != WEND_NO_CELL && name[i] > top ? name[i] : top;
    good = good && CHECK_THAT(top < 1u << 30, "the label %u on a map of %u cells", top, cells);
    if (good) {
        bool *taken = calloc((size_t)top + 1, sizeof *taken);
        for (uint32_t i = 0; i < p.count; i++) {
            good = CHECK_THAT(!taken[name[i]], "two parts have the label %u", name[i]) && good;
            taken[name[i]] = true;
        }
        free(taken);
    }
    uint32_t largest = wend_components_largest(components);
    if (p.count)
        good = CHECK(wend_components_size(components, largest) == p.largest) && good;
    else
        good = CHECK(largest == WEND_NO_CELL) && good;
    good = CHECK(wend_components_revision(components) == wend_map_revision(map)) && good;
    free(name);
    free_parts(&p);
    return good;
}

static const wend_rules all_rules[] = {
    {4, WEND_CORNERS_STRICT, WEND_DIAGONAL_SQRT2}, {8, WEND_CORNERS_STRICT, WEND_DIAGONAL_SQRT2},
    {8, WEND_CORNERS_ONE, WEND_DIAGONAL_1_4},      {8, WEND_CORNERS_ANY, WEND_DIAGONAL_SQRT2},
    {4, WEND_CORNERS_ANY, WEND_DIAGONAL_SQRT2},
};
enum { RULES = sizeof all_rules / sizeof *all_rules };

/* Each cell blocked with `density` per cent. */
static wend_map *noise(int32_t width, int32_t height, wend_rules rules, uint32_t density) {
    wend_map_options options = wend_default_map_options();
    options.rules = rules;
    wend_map *map;
    if (!CHECK(wend_map_create(width, height, &options, &map, NULL) == WEND_OK)) exit(1);
    char *row = malloc((size_t)width);
    for (int32_t y = 0; y < height; y++) {
        for (int32_t x = 0; x < width; x++) row[x] = draw(100) < density ? '@' : '.';
        wend_map_set_row(map, y, row, NULL);
    }
    free(row);
    return map;
}

static wend_components *components_of(const wend_map *map) {
    wend_components *components = NULL;
    if (!CHECK(wend_components_create(map, NULL, &components, NULL) == WEND_OK)) exit(1);
    return components;
}

static void created_labels_are_right(void) {
    static const int32_t sides[] = {1, 2, 3, 7, 61, 62, 63, 64, 65, 126, 127, 128, 129, 200};
    enum { SIDES = sizeof sides / sizeof *sides };
    for (uint32_t round = 0; round < 700; round++) {
        int32_t width = sides[draw(SIDES)], height = sides[draw(SIDES)];
        static const uint32_t densities[] = {0, 5, 30, 40, 50, 60, 90, 100};
        wend_map *map = noise(width, height, all_rules[round % RULES], densities[round % 8]);
        wend_components *components = components_of(map);
        agrees(map, components);
        wend_components_destroy(components);
        wend_map_destroy(map);
        test_case();
    }
}

static wend_rect random_area(const wend_map *map, int32_t most) {
    int32_t width = wend_map_width(map), height = wend_map_height(map);
    wend_rect r = {(int32_t)draw((uint32_t)width), (int32_t)draw((uint32_t)height), 1, 1};
    int32_t w = width - r.x < most ? width - r.x : most, h = height - r.y < most ? height - r.y : most;
    r.width += (int32_t)draw((uint32_t)w), r.height += (int32_t)draw((uint32_t)h);
    return r;
}

static void follow_edits(wend_map *map, uint32_t rounds, int32_t most, uint32_t batch) {
    wend_components *components = components_of(map);
    for (uint32_t i = 0; i < rounds; i++) {
        for (uint32_t j = 1 + draw(batch); j > 0; j--)
            wend_map_edit(map, random_area(map, most), draw(2), NULL);
        CHECK(wend_components_update(components, map, NULL) == WEND_OK);
        bool good = agrees(map, components);
        test_case();
        if (!good) break;
    }
    wend_components_destroy(components);
}

static void edits_are_followed(void) {
    static const uint32_t densities[] = {0, 30, 45, 60, 100};
    for (uint32_t round = 0; round < 5 * RULES; round++) {
        wend_rules rules = all_rules[round % RULES];
        uint32_t density = densities[round / RULES];
        wend_map *map = noise(40, 33, rules, density);
        follow_edits(map, 200, 1, 1); /* single cells */
        follow_edits(map, 60, 12, 1);
        follow_edits(map, 60, 5, 8); /* several before an update */
        wend_map_destroy(map);
        map = noise(1 + (int32_t)draw(9), 1 + (int32_t)draw(9), rules, density);
        follow_edits(map, 100, 3, 2);
        wend_map_destroy(map);
        map = noise(70, 1, rules, density);
        follow_edits(map, 50, 4, 3);
        wend_map_destroy(map);
    }
}

/* Made maps: long ways round, single doors, large halls. */
static void edits_of_made_maps_are_followed(void) {
    for (int kind = 0; kind < WEND_MAP_KINDS; kind++)
        for (uint32_t r = 0; r < RULES; r++) {
            wend_generate_options options = wend_default_generate_options();
            options.seed = 7 + r, options.map.rules = all_rules[r];
            if (kind == WEND_MAP_MAZE) options.size = 1;
            if (kind == WEND_MAP_ROOMS) options.size = 7;
            wend_map *map;
            if (!CHECK(wend_map_generate((wend_map_kind)kind, 64, 48, &options, &map, NULL) == WEND_OK))
                continue;
            wend_components *components = components_of(map);
            agrees(map, components);
            wend_components_destroy(components);
            test_case();
            follow_edits(map, 100, 1, 1);
            follow_edits(map, 50, 9, 4);
            wend_map_destroy(map);
        }
}

/* A wall across an open map, put up and torn down a cell at a time: count and sizes at each step. */
static void a_wall_divides_when_its_last_cell_closes(void) {
    wend_map *map = noise(30, 20, all_rules[1], 0);
    wend_components *components = components_of(map);
    for (int32_t y = 0; y < 20; y++) {
        wend_map_edit(map, (wend_rect){10, (y * 7) % 20, 1, 1}, false, NULL);
        CHECK(wend_components_update(components, map, NULL) == WEND_OK);
        CHECK(wend_components_count(components) == (y == 19 ? 2u : 1u));
    }
    CHECK(wend_components_size(components, wend_components_label(components, 0)) == 200);
    CHECK(wend_components_size(components, wend_components_label(components, 29)) == 380);
    CHECK(!wend_components_joined(components, 0, 29));
    CHECK(!wend_components_joined(components, 10, 10)); /* blocked */
    CHECK(wend_components_joined(components, 0, 19 * 30));
    wend_map_edit(map, (wend_rect){10, 5, 1, 1}, true, NULL);
    CHECK(!wend_components_joined(components, 0, 29)); /* not before the update */
    CHECK(wend_components_update(components, map, NULL) == WEND_OK);
    CHECK(wend_components_joined(components, 0, 29));
    CHECK(wend_components_count(components) == 1);
    CHECK(wend_components_label(components, 600) == WEND_NO_CELL);
    CHECK(wend_components_size(components, 12345) == 0);
    wend_components_destroy(components);
    wend_map_destroy(map);
}

/* A door that opens and closes, over and over. */
static void a_door_is_followed(void) {
    wend_map *map = noise(101, 50, all_rules[1], 0);
    wend_map_edit(map, (wend_rect){50, 0, 1, 50}, false, NULL);
    wend_components *components = components_of(map);
    for (uint32_t i = 0; i < 20000; i++) {
        int32_t y = (int32_t)(i / 2 % 50);
        wend_map_edit(map, (wend_rect){50, y, 1, 1}, i % 2 == 0, NULL);
        if (!CHECK(wend_components_update(components, map, NULL) == WEND_OK)) break;
        if (!CHECK(wend_components_count(components) == 1 + i % 2)) break;
    }
    agrees(map, components);
    wend_components_destroy(components);
    wend_map_destroy(map);
}

static void other_maps_are_refused(void) {
    wend_map *map = noise(9, 9, all_rules[1], 30), *other = noise(9, 8, all_rules[1], 30);
    wend_map *rules = noise(9, 9, all_rules[3], 30);
    wend_components *components = components_of(map);
    wend_error error;
    CHECK(wend_components_update(components, other, &error) == WEND_STATUS_OTHER_MAP);
    CHECK(error.message[0]);
    CHECK(wend_components_update(components, rules, NULL) == WEND_STATUS_OTHER_MAP);
    wend_map_edit(map, (wend_rect){1, 1, 1, 1}, !wend_map_is_open(map, 1, 1), NULL);
    CHECK(wend_components_update(components, map, NULL) == WEND_OK);
    wend_map *copy; /* its revision is 0 again */
    CHECK(wend_map_copy(map, &copy, NULL) == WEND_OK);
    CHECK(wend_components_update(components, copy, NULL) == WEND_STATUS_OTHER_MAP);
    CHECK(wend_components_update(NULL, map, NULL) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_components_update(components, NULL, NULL) == WEND_STATUS_BAD_ARGUMENT);
    wend_components *none = components;
    CHECK(wend_components_create(NULL, NULL, &none, NULL) == WEND_STATUS_BAD_ARGUMENT);
    wend_components_destroy(NULL);
    wend_components_destroy(components);
    wend_map_destroy(map);
    wend_map_destroy(other);
    wend_map_destroy(rules);
    wend_map_destroy(copy);
}

/* Memory is asked for at creation only, and what is held is reported. */
static void memory_is_taken_once(void) {
    for (uint32_t round = 0; round < 200; round++) {
        wend_map *map = noise(30, 1 + (int32_t)draw(60), all_rules[round % RULES], 25 + round % 30);
        test_memory memory = {0};
        wend_allocator allocator = test_allocator(&memory);
        wend_components *components = NULL;
        wend_status status = WEND_STATUS_NO_MEMORY;
        for (uint64_t n = 1; status != WEND_OK; n++) {
            memory = (test_memory){.refuse_at = n};
            wend_error error;
            status = wend_components_create(map, &allocator, &components, &error);
            if (status == WEND_OK) break;
            CHECK(status == WEND_STATUS_NO_MEMORY && error.status == WEND_STATUS_NO_MEMORY &&
                  error.message[0]);
            CHECK(!components && memory.live_blocks == 0);
        }
        uint64_t requests = memory.requests;
        memory.refuse_at = requests + 1;
        for (uint32_t i = 0; i < 4; i++) {
            wend_map_edit(map, random_area(map, round % 9 ? 6 : 30), draw(2), NULL);
            CHECK(wend_components_update(components, map, NULL) == WEND_OK);
        }
        agrees(map, components);
        CHECK(memory.requests == requests && memory.live_bytes == wend_components_bytes(components));
        wend_components_destroy(components);
        CHECK(memory.live_blocks == 0 && memory.wrong_sizes == 0);
        wend_map_destroy(map);
        test_case();
    }
}

static const test tests[] = {
    {"created labels are right", created_labels_are_right},
    {"edits are followed", edits_are_followed},
    {"edits of made maps are followed", edits_of_made_maps_are_followed},
    {"a wall divides when its last cell closes", a_wall_divides_when_its_last_cell_closes},
    {"a door is followed", a_door_is_followed},
    {"other maps are refused", other_maps_are_refused},
    {"memory is taken once", memory_is_taken_once},
};

TEST_MAIN(tests)

/* Clique abstraction: regions partition the map and are connected, the cliques are those of a plain form of
 * the algorithm, and they are no square sectors. */
#include "methods/dlrta/abstraction.h"
#include "support/check.h"
#include "support/maps.h"
#include "support/memory.h"
#include "support/reference.h"

#include <stdlib.h>
#include <string.h>

/* A plain graph: a matrix of who is joined to whom, and the cells below each node. */
typedef struct plain {
    uint32_t nodes;
    uint8_t *joined;  /* nodes * nodes */
    uint32_t *parent; /* of each cell; UINT32_MAX if blocked */
} plain;

static bool is_joined(const plain *p, uint32_t a, uint32_t b) {
    return p->joined[(size_t)a * p->nodes + b];
}

static uint32_t degree(const plain *p, uint32_t node) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->nodes; i++) count += is_joined(p, node, i);
    return count;
}

/* The free neighbours in the order of the algorithm: on the ground by direction, elsewhere by number. */
static uint32_t free_neighbours(const plain *p, const test_grid *ground, const uint32_t *parent,
                                uint32_t node, uint32_t *list) {
    uint32_t count = 0, tries = ground ? 8 : p->nodes;
    for (uint32_t i = 0; i < tries; i++) {
        uint32_t other = ground ? test_next(ground, node, (int)i) : i;
        if (other == WEND_NO_CELL || !is_joined(p, node, other)) continue;
        if (parent[other] == UINT32_MAX && degree(p, other) > 1) list[count++] = other;
    }
    return count;
}

/* The first clique of the largest size: of `size` free neighbours, or fewer. */
static uint32_t first_clique(const plain *p, const uint32_t *list, uint32_t count, uint32_t *clique) {
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t b = a + 1; b < count; b++)
            for (uint32_t c = b + 1; c < count; c++)
                if (is_joined(p, list[a], list[b]) && is_joined(p, list[a], list[c]) &&
                    is_joined(p, list[b], list[c])) {
                    clique[0] = list[a], clique[1] = list[b], clique[2] = list[c];
                    return 3;
                }
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t b = a + 1; b < count; b++)
            if (is_joined(p, list[a], list[b])) {
                clique[0] = list[a], clique[1] = list[b];
                return 2;
            }
    if (count) clique[0] = list[0];
    return count ? 1 : 0;
}

/* One level up. On the ground every cell is a node, and those that are blocked are left out. */
static void collapse(plain *p, const test_grid *ground) {
    uint32_t *parent = malloc((p->nodes + 1) * sizeof *parent), *list = malloc((p->nodes + 1) * sizeof *list);
    uint32_t made = 0, clique[3];
    memset(parent, 0xff, (p->nodes + 1) * sizeof *parent);
    for (uint32_t node = 0; node < p->nodes; node++) {
        if (parent[node] != UINT32_MAX || (ground && !ground->open[node]) || degree(p, node) == 1) continue;
        uint32_t count = first_clique(p, list, free_neighbours(p, ground, parent, node, list), clique);
        parent[node] = made;
        while (count) parent[clique[--count]] = made;
        made++;
    }
    for (uint32_t node = 0; node < p->nodes; node++) {
        if (parent[node] != UINT32_MAX || (ground && !ground->open[node])) continue;
        uint32_t other = 0;
        while (!is_joined(p, node, other)) other++;
        if (parent[other] == UINT32_MAX) parent[other] = made++;
        parent[node] = parent[other];
    }
    plain above = {made, calloc((size_t)made * made + 1, 1), p->parent};
    for (uint32_t a = 0; a < p->nodes; a++)
        for (uint32_t b = 0; b < p->nodes; b++)
            if (is_joined(p, a, b) && parent[a] != parent[b])
                above.joined[(size_t)parent[a] * made + parent[b]] = 1;
    uint32_t cells = ground ? p->nodes : 0;
    for (uint32_t i = 0; i < cells; i++) above.parent[i] = parent[i];
    if (!ground)
        for (uint32_t i = 0; above.parent[i] != UINT32_MAX - 1; i++)
            if (above.parent[i] != UINT32_MAX) above.parent[i] = parent[above.parent[i]];
    free(parent);
    free(list);
    free(p->joined);
    *p = above;
}

static plain plain_of(const test_grid *grid) {
    plain p = {grid->cells, calloc((size_t)grid->cells * grid->cells, 1), NULL};
    p.parent = malloc((grid->cells + 1) * sizeof *p.parent);
    p.parent[grid->cells] = UINT32_MAX - 1; /* closes the list */
    for (uint32_t cell = 0; cell < grid->cells; cell++)
        for (int d = 0; d < 8; d++) {
            wend_cell next = grid->open[cell] ? test_next(grid, cell, d) : WEND_NO_CELL;
            if (next != WEND_NO_CELL) p.joined[(size_t)cell * p.nodes + next] = 1;
        }
    return p;
}

/* Whether two labellings cut the map into the same parts. */
static bool same_parts(const uint32_t *a, const uint32_t *b, uint32_t cells, uint32_t regions) {
    uint32_t *to = malloc((regions + 1) * sizeof *to);
    memset(to, 0xff, (regions + 1) * sizeof *to);
    bool same = true;
    for (uint32_t i = 0; i < cells && same; i++) {
        if (a[i] == UINT32_MAX || b[i] == UINT32_MAX) {
            same = a[i] == b[i];
            continue;
        }
        if (to[a[i]] == UINT32_MAX) to[a[i]] = b[i];
        same = to[a[i]] == b[i];
    }
    free(to);
    return same;
}

static void regions_are_those_of_the_plain_form(void) {
    for (uint64_t number = 0; number < 240; number++) {
        wend_map *map = test_map_any(number);
        if (!CHECK(map)) continue;
        if (wend_map_cells(map) <= 500) {
            test_grid grid = test_grid_of(map);
            plain p = plain_of(&grid);
            for (uint32_t level = 1; level <= 6; level++) {
                wend_abstraction made;
                collapse(&p, level == 1 ? &grid : NULL);
                if (!CHECK(wend_abstraction_create(map, level, NULL, &made, NULL) == WEND_OK)) break;
                CHECK_THAT(made.regions == p.nodes && same_parts(made.labels, p.parent, grid.cells, p.nodes),
                           "map %llu, level %u: %u regions, not %u", (unsigned long long)number, level,
                           made.regions, p.nodes);
                wend_abstraction_release(&made);
                test_case();
            }
            free(p.joined);
            free(p.parent);
            test_grid_free(&grid);
        }
        wend_map_destroy(map);
    }
}

/* How many cells of a region can be reached from one of them without leaving it. */
static uint32_t flood_region(const test_grid *grid, const uint32_t *labels, wend_cell from, uint8_t *seen,
                             wend_cell *list) {
    uint32_t count = 1;
    list[0] = from, seen[from] = 1;
    for (uint32_t i = 0; i < count; i++)
        for (int d = 0; d < 8; d++) {
            wend_cell next = test_next(grid, list[i], d);
            if (next == WEND_NO_CELL || seen[next] || labels[next] != labels[from]) continue;
            seen[next] = 1, list[count++] = next;
        }
    return count;
}

static void check_components(const test_grid *grid, const wend_abstraction *made, uint8_t *reached) {
    uint32_t seen = 0;
    for (uint32_t i = 1; i < made->regions; i++)
        CHECK(made->component[i] == made->component[i - 1] ||
              made->component[i] == made->component[i - 1] + 1);
    for (wend_cell cell = 0; cell < grid->cells; cell++) {
        if (!grid->open[cell] || made->component[made->labels[cell]] != seen) continue;
        uint32_t count = test_flood(grid, cell, reached), same = 0;
        for (wend_cell other = 0; other < grid->cells; other++)
            if (grid->open[other] && made->component[made->labels[other]] == seen)
                same += reached[other] ? 1 : 0;
        for (wend_cell other = 0; other < grid->cells; other++)
            if (grid->open[other] && made->component[made->labels[other]] == seen) CHECK(reached[other]);
        CHECK(same == count);
        seen++;
        cell = WEND_NO_CELL; /* from the beginning: components are not in the order of cells */
    }
    CHECK(seen == made->components);
}

static void regions_partition_the_map_and_are_connected(void) {
    for (uint64_t number = 0; number < 300; number++) {
        wend_map *map = test_map_any(9000 + number);
        wend_abstraction made;
        if (!CHECK(map)) continue;
        uint32_t level = 1 + (uint32_t)(number % 7);
        test_grid grid = test_grid_of(map);
        uint8_t *seen = calloc(grid.cells, 1);
        wend_cell *list = calloc(grid.cells, sizeof *list);
        if (CHECK(wend_abstraction_create(map, level, NULL, &made, NULL) == WEND_OK)) {
            uint32_t *sizes = calloc(made.regions + 1, sizeof *sizes);
            for (wend_cell cell = 0; cell < grid.cells; cell++) {
                CHECK((made.labels[cell] != WEND_NO_REGION) == grid.open[cell]);
                if (grid.open[cell] && CHECK(made.labels[cell] < made.regions)) sizes[made.labels[cell]]++;
            }
            for (uint32_t i = 0; i < made.regions; i++) CHECK(sizes[i] > 0);
            for (wend_cell cell = 0; cell < grid.cells; cell++)
                if (grid.open[cell] && !seen[cell])
                    CHECK_THAT(flood_region(&grid, made.labels, cell, seen, list) == sizes[made.labels[cell]],
                               "map %llu, level %u: region %u is in pieces", (unsigned long long)number,
                               level, made.labels[cell]);
            check_components(&grid, &made, seen);
            free(sizes);
            wend_abstraction_release(&made);
        }
        free(seen);
        free(list);
        test_grid_free(&grid);
        wend_map_destroy(map);
        test_case();
    }
}

/* At level 1 any two cells of a region are a move apart, but for those with a single neighbour. */
static void cliques_are_cliques(void) {
    uint64_t fours = 0;
    for (uint64_t number = 0; number < 300; number++) {
        wend_map *map = test_map_any(number);
        wend_abstraction made;
        if (!CHECK(map) || !CHECK(wend_abstraction_create(map, 1, NULL, &made, NULL) == WEND_OK)) continue;
        test_grid grid = test_grid_of(map);
        uint32_t *sizes = calloc(made.regions + 1, sizeof *sizes);
        for (wend_cell a = 0; a < grid.cells; a++) {
            if (!grid.open[a]) continue;
            uint32_t neighbours = 0;
            for (int d = 0; d < 8; d++) neighbours += test_next(&grid, a, d) != WEND_NO_CELL;
            if (neighbours == 1) continue;
            if (++sizes[made.labels[a]] == 4) fours++;
            for (wend_cell b = 0; b < a; b++) {
                if (made.labels[b] != made.labels[a]) continue;
                bool joined = false;
                uint32_t others = 0;
                for (int d = 0; d < 8; d++) {
                    joined |= test_next(&grid, b, d) == a;
                    others += test_next(&grid, b, d) != WEND_NO_CELL;
                }
                CHECK_THAT(joined || others == 1, "map %llu: %u and %u are in one clique",
                           (unsigned long long)number, a, b);
            }
        }
        for (uint32_t i = 0; i < made.regions; i++) CHECK(sizes[i] <= 4);
        free(sizes);
        test_grid_free(&grid);
        wend_abstraction_release(&made);
        wend_map_destroy(map);
        test_case();
    }
    CHECK_THAT(fours > 1000, "only %llu cliques of four", (unsigned long long)fours);
}

/* A corridor that winds: its cliques are pairs along it, whatever corner they go round, and in the end it is
 * one region. Square sectors of any size and place would join what a wall parts, or part what is joined. */
static void regions_are_no_square_sectors(void) {
    static const char *const rows[] = {"......@", "@@@@@.@", "......@", ".@@@@@@",
                                       ".......", "@@@@@@.", "......."};
    enum { SIDE = 7 };
    wend_map_options options = wend_default_map_options();
    wend_map *map;
    if (!CHECK(wend_map_create(SIDE, SIDE, &options, &map, NULL) == WEND_OK)) return;
    for (int32_t y = 0; y < SIDE; y++) CHECK(wend_map_set_row(map, y, rows[y], NULL) == WEND_OK);
    for (uint32_t level = 1; level <= 5; level++) {
        wend_abstraction made;
        if (!CHECK(wend_abstraction_create(map, level, NULL, &made, NULL) == WEND_OK)) continue;
        for (int32_t side = 2; side <= SIDE; side++)
            for (int32_t at = 0; at < side * side; at++) {
                bool same = true; /* two open cells are in one region iff they are in one sector */
                for (wend_cell a = 0; a < SIDE * SIDE; a++)
                    for (wend_cell b = 0; b < a; b++) {
                        if (!wend_map_is_open_cell(map, a) || !wend_map_is_open_cell(map, b)) continue;
                        wend_xy p = wend_map_xy(map, a), q = wend_map_xy(map, b);
                        int32_t x = at % side, y = at / side;
                        bool sector =
                            (p.x + x) / side == (q.x + x) / side && (p.y + y) / side == (q.y + y) / side;
                        if (sector != (made.labels[a] == made.labels[b])) same = false;
                    }
                CHECK_THAT(!same || made.regions == 1, "level %u: sectors of %d cells per side", level,
                           (int)side);
            }
        if (level < 4) CHECK(made.regions > 1);
        if (level == 5) CHECK(made.regions == 1);
        wend_abstraction_release(&made);
        test_case();
    }
    wend_map_destroy(map);
}

static void levels_shrink_to_one_region_a_component(void) {
    for (uint64_t number = 0; number < 100; number++) {
        wend_map *map = test_map_any(7000 + number);
        uint32_t before = UINT32_MAX;
        for (uint32_t level = 1; map && level <= 16; level++) {
            wend_abstraction made;
            if (!CHECK(wend_abstraction_create(map, level, NULL, &made, NULL) == WEND_OK)) break;
            CHECK(made.regions <= before && made.regions >= made.components);
            if (level == 16) CHECK(made.regions == made.components);
            before = made.regions;
            wend_abstraction_release(&made);
        }
        wend_map_destroy(map);
        test_case();
    }
}

/* By Euclid, from the centroid to the nearest sixteenth; of equals the first. */
static void representatives_are_closest_to_the_centroid(void) {
    for (uint64_t number = 0; number < 200; number++) {
        wend_map *map = test_map_any(400 + number);
        wend_abstraction made;
        uint32_t level = 1 + (uint32_t)(number % 5);
        if (!CHECK(map) || !CHECK(wend_abstraction_create(map, level, NULL, &made, NULL) == WEND_OK))
            continue;
        wend_cell *centres = calloc(made.regions + 1, sizeof *centres);
        CHECK(wend_abstraction_centres(&made, map, centres) == WEND_OK);
        for (uint32_t region = 0; region < made.regions; region++) {
            int64_t x = 0, y = 0, count = 0, best = INT64_MAX;
            wend_cell expected = WEND_NO_CELL;
            for (wend_cell cell = 0; cell < made.cells; cell++)
                if (made.labels[cell] == region)
                    x += wend_map_xy(map, cell).x, y += wend_map_xy(map, cell).y, count++;
            x = (16 * x + count / 2) / count, y = (16 * y + count / 2) / count;
            for (wend_cell cell = 0; cell < made.cells; cell++) {
                if (made.labels[cell] != region) continue;
                int64_t dx = 16 * wend_map_xy(map, cell).x - x, dy = 16 * wend_map_xy(map, cell).y - y;
                if (dx * dx + dy * dy < best) best = dx * dx + dy * dy, expected = cell;
            }
            CHECK_THAT(centres[region] == expected, "map %llu, region %u: %u, not %u",
                       (unsigned long long)number, region, centres[region], expected);
        }
        free(centres);
        wend_abstraction_release(&made);
        wend_map_destroy(map);
        test_case();
    }
}

static void refused_memory_leaves_nothing_behind(void) {
    wend_map *map = test_map_any(31);
    if (!CHECK(map)) return;
    uint64_t refusals = 0;
    for (uint64_t request = 1; request < 400; request++) {
        test_memory memory = {.refuse_at = request};
        wend_allocator allocator = test_allocator(&memory);
        wend_abstraction made;
        wend_error error;
        wend_status status = wend_abstraction_create(map, 4, &allocator, &made, &error);
        if (status == WEND_OK)
            wend_abstraction_release(&made);
        else
            CHECK(status == WEND_STATUS_NO_MEMORY && error.status == status && ++refusals);
        CHECK(!memory.live_blocks && !memory.wrong_sizes);
        test_case();
        if (status == WEND_OK) break;
    }
    CHECK(refusals > 5);
    wend_map_destroy(map);
}

static const test tests[] = {
    {"regions are those of the plain form", regions_are_those_of_the_plain_form},
    {"regions partition the map and are connected", regions_partition_the_map_and_are_connected},
    {"cliques are cliques", cliques_are_cliques},
    {"regions are no square sectors", regions_are_no_square_sectors},
    {"levels shrink to one region a component", levels_shrink_to_one_region_a_component},
    {"representatives are closest to the centroid", representatives_are_closest_to_the_centroid},
    {"refused memory leaves nothing behind", refused_memory_leaves_nothing_behind},
};

TEST_MAIN(tests)

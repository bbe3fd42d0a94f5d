/* Moves read off a path database: one, or a step of many agents.
 *
 * A look-up waits for memory several times: for the entries of the two cells, then for the row's head, then,
 * in rows of several pages, for the keys of the target's page, then for the leaf and the symbol. Agents are
 * taken in groups, and a group has a stage for each of these. While one group is moved, the keys of the next
 * are on their way, the rows of the one after that, and the entries of the last. What is known of the agents
 * of a group stands in arrays, so that each loop does one thing and has no branch that can't be foreseen. */
#include "db/cpd.h"

#include "db/cpd_list.h"

#include <string.h>

static bool usable(const wend_db *db) {
    return db && db->map &&
           (db->kind == &wend_db_cpd || db->kind == &wend_db_upd || db->kind == &wend_db_quadtree);
}

wend_direction wend_cpd_move(const wend_db *db, wend_cell from, wend_cell to) {
    const wend_cpd_lists *lists = usable(db) ? wend_cpd_lists_of(db) : NULL;
    uint64_t looked = 0;
    if (lists) return (wend_direction)wend_cpd_list_move(lists, from, to, &looked);
    return usable(db) ? (wend_direction)wend_cpd_look_up(wend_cpd_of(db), from, to) : WEND_CPD_NO_WAY;
}

enum { GROUP = 32, GROUPS = 4 };

/* Where each direction leads: two bits each, 0, 1 and 2 for one less, the same and one more. */
#define PLACES(a, b, c, d, e, f, g, h)                                                                       \
    ((a) | (b) << 2 | (c) << 4 | (d) << 6 | (e) << 8 | (f) << 10 | (g) << 12 | (h) << 14)
#define DX PLACES(1u, 2u, 2u, 2u, 1u, 0u, 0u, 0u)
#define DY PLACES(0u, 0u, 1u, 2u, 2u, 2u, 1u, 0u)

/* Agents of a group. Who stays has a row of one run, no legal moves, and a note why. */
typedef struct walkers {
    uint32_t froms[GROUP], tos[GROUP]; /* or `cells`, where there is no such cell */
    const uint16_t *rows[GROUP];
    uint32_t targets[GROUP]; /* ranks within the component */
    uint32_t pages[GROUP];   /* of the rows */
    uint32_t legal[GROUP];   /* moves */
    uint32_t stays[GROUP];
    const uint16_t *keys[GROUP];    /* of the target's page, then its leaf */
    uint32_t passed[GROUP];         /* runs before the first of these */
    uint32_t last[GROUP];           /* run of the page */
    const uint16_t *symbols[GROUP]; /* of the row */
} walkers;

static const uint16_t no_row[2 + WEND_CPD_WINDOW] = {1, 0};

/* Asks for the entries of a group. What it has less than others is filled up with agents of no cell, so that
 * all further loops are of one length. */
WEND_INLINE void ask_entries(const wend_cpd *base, const wend_cell *at, const wend_cell *goals, size_t count,
                             walkers *group) {
    const uint32_t cells = base->cells;
    const wend_cpd_entry *entries = base->entries;
    wend_cell filled[2][GROUP];
    if (WEND_UNLIKELY(count < GROUP)) {
        memset(filled, 0xff, sizeof filled);
        memcpy(filled[0], at, count * sizeof *at);
        memcpy(filled[1], goals, count * sizeof *goals);
        at = filled[0], goals = filled[1];
    }
    for (size_t i = 0; i < GROUP; i++) group->froms[i] = at[i] < cells ? at[i] : cells;
    for (size_t i = 0; i < GROUP; i++) group->tos[i] = goals[i] < cells ? goals[i] : cells;
    for (size_t i = 0; i < GROUP; i++) {
        WEND_PREFETCH(&entries[group->froms[i]]);
        WEND_PREFETCH(&entries[group->tos[i]]);
    }
}

/* A group in which not all agents are within the largest component. */
static void read_others(const wend_cpd *base, walkers *group) {
    for (size_t i = 0; i < GROUP; i++) {
        const wend_cpd_entry source = base->entries[group->froms[i]];
        uint32_t rank = source.rank_and_moves >> WEND_CPD_RANK_SHIFT;
        uint32_t target = base->entries[group->tos[i]].rank_and_moves >> WEND_CPD_RANK_SHIFT;
        group->rows[i] = no_row, group->targets[i] = group->legal[i] = 0, group->pages[i] = 1;
        group->stays[i] = WEND_CPD_NO_WAY;
        if (rank == WEND_CPD_MOST_CELLS) continue;
        uint32_t component = wend_cpd_component(base, rank), first = base->firsts[component];
        uint32_t size = base->firsts[component + 1] - first;
        if (target - first >= size) continue;
        group->rows[i] = base->words + source.row, group->targets[i] = target - first;
        group->pages[i] = wend_cpd_pages(size);
        bool there = group->froms[i] == group->tos[i];
        group->legal[i] = there ? 0 : source.rank_and_moves & 255;
        group->stays[i] = there ? WEND_NO_DIRECTION : WEND_CPD_NO_WAY;
    }
}

/* Reads entries and asks for the heads of rows; of one page, with the first keys. */
WEND_INLINE void read_entries(const wend_cpd *base, bool one_page, walkers *group) {
    const wend_cpd_entry *entries = base->entries;
    const uint16_t *words = base->words;
    const uint32_t largest = base->firsts[1], pages = base->pages;
    uint32_t others = 0;
    const uint32_t far = one_page ? WEND_CPD_WINDOW : pages - 1; /* the end of what is read next */
    for (size_t i = 0; i < GROUP; i++) {
        const wend_cpd_entry source = entries[group->froms[i]];
        const uint16_t *row = words + source.row;
        WEND_PREFETCH(row);
        WEND_PREFETCH(row + far);
        group->rows[i] = row;
        group->legal[i] = source.rank_and_moves;
        group->targets[i] = entries[group->tos[i]].rank_and_moves;
    }
    for (size_t i = 0; i < GROUP; i++) {
        uint32_t there = group->froms[i] == group->tos[i], source = group->legal[i];
        uint32_t target = group->targets[i] >> WEND_CPD_RANK_SHIFT;
        others |= (uint32_t)(source >> WEND_CPD_RANK_SHIFT >= largest) | (uint32_t)(target >= largest);
        group->targets[i] = target;
        group->pages[i] = pages;
        group->legal[i] = there ? 0 : source & 255;
        group->stays[i] = there ? WEND_NO_DIRECTION : WEND_CPD_NO_WAY;
    }
    if (WEND_UNLIKELY(others)) read_others(base, group);
}

/* Finds the keys of the target's page, and asks for them. */
WEND_INLINE void find_pages(walkers *group) {
    for (size_t i = 0; i < GROUP; i++) {
        const uint16_t *row = group->rows[i];
        const uint32_t pages = group->pages[i], target = group->targets[i];
        const uint32_t page = target >> WEND_CPD_PAGE_BITS;
        const uint32_t begin = wend_cpd_page_begin(row, page), runs = row[pages - 1];
        const uint16_t *keys = row + pages + begin - page;
        group->symbols[i] = row + runs;
        group->keys[i] = keys;
        group->passed[i] = begin;
        group->last[i] = row[page] - 1u;
        WEND_PREFETCH(keys);
        WEND_PREFETCH(keys + WEND_CPD_WINDOW - 1);
        WEND_PREFETCH(row + runs + begin / 4);
    }
}

/* Passes the first level of keys, and asks for the leaves. */
WEND_INLINE void find_leaves(walkers *group, bool one_page, wend_cpd_count below) {
    for (size_t i = 0; i < GROUP; i++) {
        const uint16_t *row = group->rows[i];
        const uint32_t begin = one_page ? 0 : group->passed[i],
                       last = one_page ? row[0] - 1u : group->last[i];
        wend_cpd_leaf leaf = wend_cpd_find_leaf(one_page ? row + 1 : group->keys[i], last - begin,
                                                (uint16_t)group->targets[i], below);
        group->keys[i] = leaf.keys;
        group->passed[i] = begin + leaf.passed;
        WEND_PREFETCH(leaf.keys);
        if (one_page)
            WEND_PREFETCH(row + row[0] + leaf.passed / 4);
        else
            WEND_PREFETCH(leaf.keys + WEND_CPD_WINDOW - 1);
    }
}

WEND_INLINE void find_symbols(const walkers *group, bool one_page, wend_cpd_count below, uint32_t *symbols) {
    for (size_t i = 0; i < GROUP; i++) {
        const uint16_t *row = group->rows[i];
        const uint32_t last = one_page ? row[0] - 1u : group->last[i];
        const uint32_t passed = group->passed[i];
        uint32_t run = passed + below(group->keys[i], last - passed, (uint16_t)group->targets[i]);
        symbols[i] = wend_cpd_symbol_at(one_page ? row + row[0] : group->symbols[i], run);
    }
}

/* Moves a group whose symbols are known; these become what `moves` tells. */
WEND_INLINE size_t move_group(const wend_cpd *base, const walkers *group, uint32_t *symbols, size_t count,
                              wend_cell *at, wend_direction *moves) {
    const wend_cpd own = *base; /* so that the compiler knows that nothing written here changes it */
    const uint32_t width = (uint32_t)own.width;
    uint32_t arrived = 0, nexts[GROUP];
    /* Not a table in this loop, but numbers that are shifted: see wend_cpd_greedy. */
    for (size_t i = 0; i < GROUP; i++) {
        uint32_t from = group->froms[i], to = group->tos[i], stays = group->stays[i];
        uint32_t greedy = wend_cpd_greedy(&own, from, to);
        uint32_t move = symbols[i] == WEND_CPD_GREEDY ? greedy : symbols[i] & 7;
        uint32_t legal = group->legal[i] >> move & 1;
        uint32_t next = from + (DY >> 2 * move & 3) * width + (DX >> 2 * move & 3) - width - 1;
        nexts[i] = legal ? next : from;
        symbols[i] = legal ? move : stays;
        arrived += legal ? next == to : stays == WEND_NO_DIRECTION;
    }
    /* Agents that are outside the map stay there. */
    for (size_t i = 0; i < count; i++) at[i] = nexts[i] < own.cells ? nexts[i] : at[i];
    for (size_t i = 0; moves && i < count; i++) moves[i] = (wend_direction)symbols[i];
    return arrived;
}

WEND_INLINE size_t step_groups(const wend_cpd *base, size_t count, wend_cell *at, const wend_cell *goals,
                               wend_direction *moves, bool one_page, wend_cpd_count below) {
    size_t arrived = 0;
    walkers groups[GROUPS];
    /* Group g - 1 is in the next stage, and so on; where there is no such group the number wraps around. */
    const size_t all = (count + GROUP - 1) / GROUP, last = one_page ? 2 : 3;
    for (size_t g = 0; g < all + last; g++) {
        if (g < all) {
            const size_t first = g * GROUP;
            ask_entries(base, at + first, goals + first, count - first < GROUP ? count - first : GROUP,
                        &groups[g % GROUPS]);
        }
        if (g - 1 < all) read_entries(base, one_page, &groups[(g - 1) % GROUPS]);
        if (!one_page && g - 2 < all) find_pages(&groups[(g - 2) % GROUPS]);
        if (g - last < all) {
            const size_t first = (g - last) * GROUP;
            walkers *group = &groups[(g - last) % GROUPS];
            uint32_t symbols[GROUP];
            find_leaves(group, one_page, below);
            find_symbols(group, one_page, below, symbols);
            arrived += move_group(base, group, symbols, count - first < GROUP ? count - first : GROUP,
                                  at + first, moves ? moves + first : NULL);
        }
    }
    return arrived;
}

WEND_INLINE size_t step_many(const wend_cpd *base, size_t count, wend_cell *at, const wend_cell *goals,
                             wend_direction *moves, wend_cpd_count below) {
    if (base->pages == 1) /* then all components have rows of one page */
        return step_groups(base, count, at, goals, moves, true, below);
    return step_groups(base, count, at, goals, moves, false, below);
}

static size_t step_many_plain(const wend_cpd *base, size_t count, wend_cell *at, const wend_cell *goals,
                              wend_direction *moves) {
    return step_many(base, count, at, goals, moves, wend_window_count);
}

WEND_AVX2 static size_t step_many_avx2(const wend_cpd *base, size_t count, wend_cell *at,
                                       const wend_cell *goals, wend_direction *moves) {
    return step_many(base, count, at, goals, moves, wend_window_count_avx2);
}

/* Of the paper's forms, one after another. */
static size_t step_lists(const wend_cpd_lists *lists, size_t count, wend_cell *at, const wend_cell *goals,
                         wend_direction *moves) {
    size_t arrived = 0;
    uint64_t looked = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t move = wend_cpd_list_move(lists, at[i], goals[i], &looked);
        if (move < WEND_DIRECTIONS) at[i] += (uint32_t)(wend_dy[move] * lists->width + wend_dx[move]);
        arrived += move != WEND_CPD_NO_WAY && at[i] == goals[i];
        if (moves) moves[i] = (wend_direction)move;
    }
    return arrived;
}

wend_status wend_cpd_step_many(const wend_db *db, size_t count, wend_cell *at, const wend_cell *goals,
                               wend_direction *moves, size_t *arrived, wend_error *error) {
    if (!usable(db))
        return wend_fail(error, WEND_BAD_ARGUMENT,
                         "agents are moved by a database of kind cpd, upd or quadtree, opened with its map");
    if (count && (!at || !goals))
        return wend_fail(error, WEND_BAD_ARGUMENT, "no cells of the agents, or no goals");
    const wend_cpd_lists *lists = wend_cpd_lists_of(db);
    size_t there = lists ? step_lists(lists, count, at, goals, moves)
                         : (wend_has_avx2() ? step_many_avx2 : step_many_plain)(wend_cpd_of(db), count, at,
                                                                                goals, moves);
    if (arrived) *arrived = there;
    return WEND_OK;
}

/* Moves read off a path database: one, or a step of many agents.
 *
 * A look-up waits for memory several times: for the entries of the two cells, then for the row's head, then,
 * in rows of several pages, for the keys of the target's page, then for the leaf, then for the symbol. Agents
 * are taken in groups, and a group has a stage for each of these. While one group is moved, the symbols of
 * the next are read, and so on to the entries of the last, which are asked for.
 *
 * What is known of the agents of a group stands in arrays. A loop over one either reads what agents have in
 * the database, each from a place of its own, and does next to nothing with it. Or it works out the next
 * places, from numbers alone, and then the compiler makes vectors of it. So no loop has a branch that can't
 * be foreseen, or a long chain of instructions that wait for one another, which would fill the processor's
 * queue with a few agents. A loop of the second sort does not follow at once on that of the first whose
 * results it takes: these are still on their way to memory as single numbers, and a vector has to wait until
 * they are there (8% more time, where it did). */
#include "methods/cpd/layout.h"

#include "methods/cpd/lists/list.h"

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

enum { GROUP = 32, GROUPS = 8 };

/* Where each direction leads: two bits each, 0, 1 and 2 for one less, the same and one more. */
#define PLACES(a, b, c, d, e, f, g, h)                                                                       \
    ((a) | (b) << 2 | (c) << 4 | (d) << 6 | (e) << 8 | (f) << 10 | (g) << 12 | (h) << 14)
#define DX PLACES(1u, 2u, 2u, 2u, 1u, 0u, 0u, 0u)
#define DY PLACES(0u, 0u, 1u, 2u, 2u, 2u, 1u, 0u)

/* Agents of a group. Who stays has any row (the first), no legal moves, and a note why. Words are counted
 * from the first of all rows. */
typedef struct walkers {
    uint32_t froms[GROUP], tos[GROUP]; /* or `cells`, where there is no such cell */
    uint32_t rows[GROUP];              /* their first words */
    uint32_t targets[GROUP];           /* ranks within the component */
    uint32_t legal[GROUP];             /* moves */
    uint32_t stays[GROUP];
    uint32_t pages[GROUP];   /* of the rows; not set where all have one */
    uint32_t keys[GROUP];    /* the first word: of the target's page, then of its leaf, then the symbol's */
    uint32_t counts[GROUP];  /* keys from there to the end of the page; of one page first the row's runs */
    uint32_t passed[GROUP];  /* runs before the first of these; in the end the target's run */
    uint32_t symbols[GROUP]; /* the first word of the row's symbols */
    uint32_t found[GROUP];   /* keys of a window that are not above; then the word of the symbol; the move */
} walkers;

/* wend_window_below, in one of its forms. */
typedef uint32_t (*window_below)(const uint16_t *keys, uint16_t key);

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
    WEND_UNROLL
    for (size_t i = 0; i < GROUP; i++) {
        WEND_PREFETCH(&entries[group->froms[i]]);
        WEND_PREFETCH(&entries[group->tos[i]]);
    }
}

/* Reads entries and asks for the heads of rows; of one page, with the first keys. */
WEND_INLINE void read_entries(const wend_cpd *base, bool one_page, walkers *group) {
    const wend_cpd_entry *entries = base->entries;
    const uint16_t *words = base->words;
    const uint32_t far = one_page ? WEND_CPD_WINDOW : base->pages - 1; /* the end of what is read next */
    WEND_UNROLL
    for (size_t i = 0; i < GROUP; i++) {
        const wend_cpd_entry source = entries[group->froms[i]];
        const uint16_t *row = words + source.row;
        WEND_PREFETCH(row);
        WEND_PREFETCH(row + far);
        group->rows[i] = source.row;
        group->legal[i] = source.rank_and_moves;
        group->targets[i] = entries[group->tos[i]].rank_and_moves;
    }
}

/* A group in which not all agents are within the largest component. */
static void sort_others(const wend_cpd *base, walkers *group) {
    for (size_t i = 0; i < GROUP; i++) {
        const wend_cpd_entry source = base->entries[group->froms[i]];
        uint32_t rank = source.rank_and_moves >> WEND_CPD_RANK_SHIFT;
        uint32_t target = base->entries[group->tos[i]].rank_and_moves >> WEND_CPD_RANK_SHIFT;
        group->rows[i] = group->targets[i] = group->legal[i] = 0, group->pages[i] = base->pages;
        group->stays[i] = WEND_CPD_NO_WAY;
        if (rank == WEND_CPD_MOST_CELLS) continue;
        uint32_t component = wend_cpd_component(base, rank), first = base->firsts[component];
        uint32_t size = base->firsts[component + 1] - first;
        if (target - first >= size) continue;
        group->rows[i] = source.row, group->targets[i] = target - first;
        group->pages[i] = wend_cpd_pages(size);
        bool there = group->froms[i] == group->tos[i];
        group->legal[i] = there ? 0 : source.rank_and_moves & 255;
        group->stays[i] = there ? WEND_NO_DIRECTION : WEND_CPD_NO_WAY;
    }
}

/* Takes apart what was read of entries. */
WEND_INLINE void sort_entries(const wend_cpd *base, bool one_page, walkers *group) {
    const uint32_t largest = base->firsts[1], pages = base->pages;
    uint32_t others = 0;
    for (size_t i = 0; i < GROUP; i++) {
        uint32_t there = group->froms[i] == group->tos[i], source = group->legal[i];
        uint32_t target = group->targets[i] >> WEND_CPD_RANK_SHIFT;
        others |= (uint32_t)(source >> WEND_CPD_RANK_SHIFT >= largest) | (uint32_t)(target >= largest);
        group->targets[i] = target;
        if (!one_page) group->pages[i] = pages;
        group->legal[i] = there ? 0 : source & 255;
        group->stays[i] = there ? WEND_NO_DIRECTION : WEND_CPD_NO_WAY;
    }
    if (WEND_UNLIKELY(others)) sort_others(base, group);
}

/* Finds the keys of the target's page, and asks for them. */
WEND_INLINE void find_pages(const uint16_t *words, walkers *group) {
    for (size_t i = 0; i < GROUP; i++) {
        const uint32_t first = group->rows[i], pages = group->pages[i];
        const uint16_t *row = words + first;
        const uint32_t page = group->targets[i] >> WEND_CPD_PAGE_BITS;
        const uint32_t begin = wend_cpd_page_begin(row, page), runs = row[pages - 1];
        const uint32_t keys = first + pages + begin - page;
        group->keys[i] = keys;
        group->counts[i] = row[page] - begin - 1u;
        group->passed[i] = begin;
        group->symbols[i] = first + runs;
        WEND_PREFETCH(words + keys);
        WEND_PREFETCH(words + keys + WEND_CPD_WINDOW - 1);
        WEND_PREFETCH(row + runs + begin / 4);
    }
}

/* Reads the first level of keys; of one page, with the head. */
WEND_INLINE void read_tops(const uint16_t *words, bool one_page, window_below below, walkers *group) {
    WEND_UNROLL
    for (size_t i = 0; i < GROUP; i++) {
        const uint16_t *keys = words + (one_page ? group->rows[i] : group->keys[i]);
        if (one_page) group->counts[i] = *keys++;
        group->found[i] = below(keys, (uint16_t)group->targets[i]);
    }
}

/* Pages whose first level is more than a window; `few` is the most keys of those where it is not. */
static void pass_many(const uint16_t *words, bool one_page, uint32_t few, walkers *group) {
    for (size_t i = 0; i < GROUP; i++) {
        const uint16_t *keys = words + (one_page ? group->rows[i] + 1 : group->keys[i]);
        const uint32_t count = group->counts[i] - one_page;
        if (count <= few) continue;
        group->found[i] =
            wend_cpd_find_leaf(keys, count, (uint16_t)group->targets[i]).passed / (WEND_CPD_WINDOW + 1);
    }
}

/* Passes the first level of keys, and asks for the leaves. */
WEND_INLINE void find_leaves(const uint16_t *words, bool one_page, walkers *group) {
    const uint32_t node = WEND_CPD_WINDOW + 1, few = node * node - 1;
    uint32_t many = 0;
    for (size_t i = 0; i < GROUP; i++) many |= (uint32_t)(group->counts[i] - one_page > few);
    if (WEND_UNLIKELY(many)) pass_many(words, one_page, few, group);
    for (size_t i = 0; i < GROUP; i++) {
        const uint32_t row = group->rows[i], found = group->found[i], count = group->counts[i] - one_page;
        /* count / 17, exact below 2^16. */
        const uint32_t tops = count * 61681 >> 20, top = found < tops ? found : tops;
        if (one_page) group->symbols[i] = row + count + 1;
        group->keys[i] = (one_page ? row + 1 : group->keys[i]) + tops + top * WEND_CPD_WINDOW;
        group->counts[i] = count - top * node;
        group->passed[i] = (one_page ? 0 : group->passed[i]) + top * node;
    }
    WEND_UNROLL
    for (size_t i = 0; i < GROUP; i++) {
        WEND_PREFETCH(words + group->keys[i]);
        WEND_PREFETCH(words + group->keys[i] + WEND_CPD_WINDOW - 1);
    }
}

WEND_INLINE void read_leaves(const uint16_t *words, window_below below, walkers *group) {
    WEND_UNROLL
    for (size_t i = 0; i < GROUP; i++)
        group->found[i] = below(words + group->keys[i], (uint16_t)group->targets[i]);
}

/* Finds the runs, and reads the words of their symbols. */
WEND_INLINE void read_symbols(const uint16_t *words, walkers *group) {
    for (size_t i = 0; i < GROUP; i++) {
        const uint32_t found = group->found[i], count = group->counts[i];
        const uint32_t run = group->passed[i] + (found < count ? found : count);
        group->keys[i] = group->symbols[i] + run / 4;
        group->passed[i] = run;
    }
    WEND_UNROLL
    for (size_t i = 0; i < GROUP; i++) group->found[i] = words[group->keys[i]];
}

/* Moves a group whose symbols are read. */
WEND_INLINE size_t move_group(const wend_cpd *base, walkers *group, size_t count, wend_cell *at,
                              wend_direction *moves) {
    const wend_cpd own = *base; /* so that the compiler knows that nothing written here changes it */
    const uint32_t width = (uint32_t)own.width;
    uint32_t arrived = 0, nexts[GROUP];
    /* Not a table in this loop, but numbers that are shifted: see wend_cpd_greedy. */
    for (size_t i = 0; i < GROUP; i++) {
        uint32_t from = group->froms[i], to = group->tos[i], stays = group->stays[i];
        uint32_t greedy = wend_cpd_greedy(&own, from, to);
        uint32_t symbol = group->found[i] >> group->passed[i] % 4 * 4 & 15;
        uint32_t move = symbol == WEND_CPD_GREEDY ? greedy : symbol & 7;
        uint32_t legal = group->legal[i] >> move & 1;
        uint32_t next = from + (DY >> 2 * move & 3) * width + (DX >> 2 * move & 3) - width - 1;
        nexts[i] = legal ? next : from;
        group->found[i] = legal ? move : stays;
        arrived += legal ? next == to : stays == WEND_NO_DIRECTION;
    }
    /* Agents that are outside the map stay there. */
    for (size_t i = 0; i < count; i++) at[i] = nexts[i] < own.cells ? nexts[i] : at[i];
    for (size_t i = 0; moves && i < count; i++) moves[i] = (wend_direction)group->found[i];
    return arrived;
}

WEND_INLINE size_t step_groups(const wend_cpd *base, size_t count, wend_cell *at, const wend_cell *goals,
                               wend_direction *moves, bool one_page, window_below below) {
    const uint16_t *words = base->words;
    size_t arrived = 0;
    walkers groups[GROUPS];
    /* Group g - 1 is in the next stage, and so on; where there is no such group the number wraps around. */
    const size_t all = (count + GROUP - 1) / GROUP, tops = one_page ? 2 : 3, leaves = tops + 1,
                 last = tops + 2;
    for (size_t g = 0; g < all + last; g++) {
        if (g - last < all) {
            const size_t first = (g - last) * GROUP;
            arrived +=
                move_group(base, &groups[(g - last) % GROUPS], count - first < GROUP ? count - first : GROUP,
                           at + first, moves ? moves + first : NULL);
        }
        if (g - 1 < all) read_entries(base, one_page, &groups[(g - 1) % GROUPS]);
        if (g - 2 < all) sort_entries(base, one_page, &groups[(g - 2) % GROUPS]);
        if (!one_page && g - 2 < all) find_pages(words, &groups[(g - 2) % GROUPS]);
        if (g - tops < all) read_tops(words, one_page, below, &groups[(g - tops) % GROUPS]);
        if (g - leaves < all) read_leaves(words, below, &groups[(g - leaves) % GROUPS]);
        if (g - tops < all) find_leaves(words, one_page, &groups[(g - tops) % GROUPS]);
        if (g - leaves < all) read_symbols(words, &groups[(g - leaves) % GROUPS]);
        if (g < all) {
            const size_t first = g * GROUP;
            ask_entries(base, at + first, goals + first, count - first < GROUP ? count - first : GROUP,
                        &groups[g % GROUPS]);
        }
    }
    return arrived;
}

WEND_INLINE size_t step_many(const wend_cpd *base, size_t count, wend_cell *at, const wend_cell *goals,
                             wend_direction *moves, window_below below) {
    if (!base->ranks) { /* then there is no row, not even for those who stay */
        if (moves) memset(moves, WEND_CPD_NO_WAY, count);
        return 0;
    }
    if (base->pages == 1) /* then all components have rows of one page */
        return step_groups(base, count, at, goals, moves, true, below);
    return step_groups(base, count, at, goals, moves, false, below);
}

static size_t step_many_plain(const wend_cpd *base, size_t count, wend_cell *at, const wend_cell *goals,
                              wend_direction *moves) {
    return step_many(base, count, at, goals, moves, wend_window_below);
}

WEND_AVX2 static size_t step_many_avx2(const wend_cpd *base, size_t count, wend_cell *at,
                                       const wend_cell *goals, wend_direction *moves) {
    return step_many(base, count, at, goals, moves, wend_window_below_avx2);
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
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT,
                         "agents are moved by a database of kind cpd, upd or quadtree, opened with its map");
    if (count && (!at || !goals))
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no cells of the agents, or no goals");
    const wend_cpd_lists *lists = wend_cpd_lists_of(db);
    size_t there = lists ? step_lists(lists, count, at, goals, moves)
                         : (wend_has_avx2() ? step_many_avx2 : step_many_plain)(wend_cpd_of(db), count, at,
                                                                                goals, moves);
    if (arrived) *arrived = there;
    return WEND_OK;
}

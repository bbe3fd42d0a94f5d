/* Moves read off a path database: one, or a step of many agents.
 *
 * A look-up waits for memory three times: for the entries of the two cells, for the row, for its keys. Agents
 * are taken in groups; while one group is moved, the entries of the next are on their way, and its own rows
 * have been asked for before. */
#include "db/cpd.h"

#include "db/cpd_list.h"

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

enum { GROUP = 32 };

/* An agent of a group on its way through the stages. */
typedef struct walker {
    const uint16_t *row; /* NULL: it does not move */
    uint32_t target, pages, moves, greedy;
} walker;

static const uint16_t no_row[2 + WEND_CPD_WINDOW] = {1, 0};

/* Asks for the entries of a group. */
WEND_INLINE void ask_entries(const wend_cpd *base, const wend_cell *at, const wend_cell *goals,
                             size_t count) {
    for (size_t i = 0; i < count; i++) {
        WEND_PREFETCH(&base->entries[at[i] < base->cells ? at[i] : 0]);
        WEND_PREFETCH(&base->entries[goals[i] < base->cells ? goals[i] : 0]);
    }
}

/* Reads them and asks for the rows. Who stays has a row of one run, no legal moves, and a note why. */
WEND_INLINE void read_entries(const wend_cpd *base, const wend_cell *at, const wend_cell *goals, size_t count,
                              walker *walkers, uint8_t *stays) {
    const uint32_t largest = base->firsts[1];
    for (size_t i = 0; i < count; i++) {
        walker *w = &walkers[i];
        *w = (walker){.row = no_row, .pages = 1};
        stays[i] = WEND_CPD_NO_WAY;
        if (WEND_UNLIKELY(at[i] >= base->cells || goals[i] >= base->cells)) continue;
        wend_cpd_entry source = base->entries[at[i]];
        uint32_t rank = source.rank_and_moves >> WEND_CPD_RANK_SHIFT;
        uint32_t target = base->entries[goals[i]].rank_and_moves >> WEND_CPD_RANK_SHIFT;
        uint32_t first = 0, end = largest;
        if (WEND_UNLIKELY(rank >= largest)) {
            if (rank == WEND_CPD_MOST_CELLS) continue;
            uint32_t component = wend_cpd_component(base, rank);
            first = base->firsts[component], end = base->firsts[component + 1];
        }
        if (WEND_UNLIKELY(target - first >= end - first)) continue;
        stays[i] = at[i] == goals[i] ? WEND_NO_DIRECTION : WEND_CPD_NO_WAY;
        w->row = base->words + source.row;
        WEND_PREFETCH(w->row);
        WEND_PREFETCH(w->row + 32);
        WEND_PREFETCH(w->row + 64);
        w->target = target - first;
        w->pages = wend_cpd_pages(end - first);
        w->moves = at[i] == goals[i] ? 0 : source.rank_and_moves & 255;
        w->greedy = wend_cpd_greedy(base, at[i], goals[i]);
    }
}

WEND_INLINE size_t move_group(const wend_cpd *base, const walker *walkers, const uint8_t *stays, size_t count,
                              wend_cell *at, const wend_cell *goals, wend_direction *moves) {
    size_t arrived = 0;
    uint8_t symbols[GROUP];
    for (size_t i = 0; i < count; i++)
        symbols[i] = (uint8_t)wend_cpd_symbol(walkers[i].row, walkers[i].pages, walkers[i].target);
    for (size_t i = 0; i < count; i++) {
        uint32_t move = symbols[i] == WEND_CPD_GREEDY ? walkers[i].greedy : symbols[i];
        bool legal = walkers[i].moves >> move & 1;
        at[i] += legal ? (uint32_t)base->offset[move & 7] : 0;
        if (moves) moves[i] = legal ? (wend_direction)move : stays[i];
        arrived += at[i] == goals[i] && (legal || stays[i] == WEND_NO_DIRECTION);
    }
    return arrived;
}

WEND_INLINE size_t step_many(const wend_cpd *base, size_t count, wend_cell *at, const wend_cell *goals,
                             wend_direction *moves) {
    size_t arrived = 0;
    walker walkers[2][GROUP];
    uint8_t stays[2][GROUP];
    /* Group g is moved while g + 1 is read and g + 2 asked for. */
    size_t groups = (count + GROUP - 1) / GROUP;
    for (size_t g = 0; g < groups + 2; g++) {
        size_t first = g * GROUP;
        if (g < groups)
            ask_entries(base, at + first, goals + first, count - first < GROUP ? count - first : GROUP);
        if (g >= 1 && g - 1 < groups) {
            first = (g - 1) * GROUP;
            read_entries(base, at + first, goals + first, count - first < GROUP ? count - first : GROUP,
                         walkers[(g - 1) % 2], stays[(g - 1) % 2]);
        }
        if (g >= 2) {
            first = (g - 2) * GROUP;
            arrived +=
                move_group(base, walkers[g % 2], stays[g % 2], count - first < GROUP ? count - first : GROUP,
                           at + first, goals + first, moves ? moves + first : NULL);
        }
    }
    return arrived;
}

static size_t step_many_plain(const wend_cpd *base, size_t count, wend_cell *at, const wend_cell *goals,
                              wend_direction *moves) {
    return step_many(base, count, at, goals, moves);
}

WEND_AVX2 static size_t step_many_avx2(const wend_cpd *base, size_t count, wend_cell *at,
                                       const wend_cell *goals, wend_direction *moves) {
    return step_many(base, count, at, goals, moves);
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

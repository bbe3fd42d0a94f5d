/* Distances between a patch of neighbouring cells and all cells of their component, many lanes at a time.
 *
 * One cell of the patch is the reference, and its distances d0 are worked out by waves, as field.c does. Each
 * lane t then keeps d_t(c) - d0(c), which is between -d0(t) and d0(t): small numbers, however large the map,
 * so that a vector holds many of them. They start from the walk by way of the reference, d0(t) for all cells
 * but t itself, and cells take turns in the reference's order to be lowered to what their neighbours give:
 * lane(n) + w + d0(n) - d0(c). Both paths and prices are real, so lanes are never below the true distances;
 * once no neighbour gives less they are not above them either.
 *
 * A wave is a straight move wide, so that neighbours are at most two waves apart. A cell looks twice. At
 * first at the neighbours that have looked before it; two waves later, when all others have, at those. Mostly
 * the second look changes nothing: away from the patch all lanes come from where the reference came from.
 * Where it does (on the ridges where two ways round an obstacle meet, and around the patch), neighbours that
 * have looked at the cell already look again, at once, and so on until nothing changes. In the end every cell
 * has looked at every neighbour since that last became nearer, which is what had to be shown.
 *
 * A cell c is final before the end. Take an optimal path from a lane t to c, and a cell x of it. Then
 * d0(x) <= d0(t) + d_t(x) and d0(x) <= d0(c) + d(x, c); in sum 2 d0(x) <= d0(t) + d0(c) + d_t(c), which is at
 * most 2 d0(t) + 2 d0(c). So once all cells up to d0(c) + d0(t) have looked twice, and none has to look
 * again, each cell of the path has looked at the one before it since that became final, and c is final too.
 * Its moves are read off then, and when its neighbours are final as well its lanes serve for another cell:
 * memory for lanes is that of some dozens of waves.
 *
 * Costs. With four directions a move is 1, with 1.4 moves are 5 and 7, and lanes are 16 bits wide. With sqrt
 * 2 they are 985 and 1393 while the distances d of the search (in that unit) are below 985 * 1393, and 32-bit
 * lanes hold the map's own 5741 and 8119 otherwise. Both orders are the same there. A path of s straight and
 * g diagonal moves that is optimal under one of the costs has g <= d / 1393 < 985, as 8119 / 5741 is the
 * larger fraction. Take two such paths that differ by ds and dg: |dg| < 985. The two costs disagree on their
 * order only if -ds / dg lies between 1393 / 985 and 8119 / 5741, both included. 1393 / 985 is in lowest
 * terms, so it is not that. The fractions strictly above it and up to 8119 / 5741 lie between 1393 / 985 and
 * 3363 / 2378, which are neighbours (1393 * 2378 + 1 = 3363 * 985), so that their denominators are at least
 * 985 + 2378. If dg is 0 both agree. So the same paths are optimal, and the same moves.
 *
 * 16-bit lanes hold sums up to d0(t) + 2 * 1393 for every lane t; a lane that is farther is left to another
 * search. Sums wrap nowhere else. */
#include "search/many.h"

#include <string.h>

enum {
    STATE_FIRST = 1,  /* it has looked once */
    STATE_SECOND = 2, /* and twice */
    STATE_AGAIN = 4,  /* it is to look again */
    STATE_LANE = 8,   /* it is a lane of this search */
    STATE_FINAL = 16  /* its moves have been read off */
};

struct wend_many {
    const wend_ranks *ranks;
    wend_allocator allocator;
    wend_many_form form;
    uint32_t most;
    /* Of the component; cells are counted from its first. */
    uint32_t first, count;
    const wend_cell *cells;
    const uint32_t *near;
    const uint8_t *legal;
    /* Of the search: */
    bool wide, avx2;
    uint32_t cost[2];
    int32_t x, y; /* of the patch */
    uint32_t rows, stride, reference, farthest;
    int32_t row[WEND_PATCH_HEIGHT];       /* where a row of the patch begins among a cell's lanes; -1: none */
    uint8_t lane_legal[WEND_PATCH_LANES]; /* by place among a cell's lanes; 0 for what is no source */
    int32_t initial[WEND_PATCH_LANES];    /* of LANEs */
    /* By cell: */
    uint32_t *distance, *slot;
    uint8_t *state, *looked;
    uint32_t *order, *waves;
    uint32_t wave_count;
    uint32_t *again; /* a queue */
    uint32_t again_begin, again_end;
    uint32_t *fronts[3];
    uint8_t *moves; /* `stride` a cell */
    /* Lanes of the cells under way. */
    uint32_t slots, final_after;
    void *block; /* with a row's room before and after */
    size_t block_size;
    void *lanes;
    wend_many_watch watched;
    void *watcher;
};

/* After how many waves the cells of one look at first, and again. */
enum { FIRST_AFTER = 2, SECOND_AFTER = 4 };
/* How many cells ahead their neighbours' numbers are asked for. */
enum { AHEAD = 6 };

/* Where the cells end that are so many waves behind; the last, once there are no more. */
static inline uint32_t wave_end(const wend_many *many, uint32_t wave, uint32_t behind) {
    if (wave < behind) return 0;
    return many->waves[wave - behind < many->wave_count ? wave - behind + 1 : many->wave_count];
}

#define TARGET
#define LANE int16_t
#define N(x) x##_narrow_plain
#include "search/many.inc"
#undef LANE
#undef N
#define LANE int32_t
#define N(x) x##_wide_plain
#include "search/many.inc"
#undef TARGET
#if WEND_HAVE_AVX2
#undef LANE
#undef N
#define TARGET WEND_AVX2
#define LANE int16_t
#define N(x) x##_narrow_avx2
#include "search/many.inc"
#undef LANE
#undef N
#define LANE int32_t
#define N(x) x##_wide_avx2
#include "search/many.inc"
#else
#define sweep_narrow_avx2 sweep_narrow_plain
#define sweep_wide_avx2 sweep_wide_plain
#endif

/* Below this, 985 and 1393 tell the same order as 5741 and 8119. */
#define EXACT_BELOW ((uint32_t)985 * 1393)

/* The workspace ----------------------------------------------------------------------------------------- */

/* Waves of a component: a diagonal path of all cells is not two waves a cell long. */
static size_t wave_room(uint32_t cells) {
    return (size_t)cells * 2 + 8;
}

enum { LANE_ROOM = 128 }; /* bytes before and after the lanes, and for the vectors to begin at a multiple */

size_t wend_many_bytes(uint32_t most_cells) {
    size_t room = (size_t)most_cells + 1;
    return sizeof(wend_many) + room * (7 * sizeof(uint32_t) + 2) + wave_room(most_cells) * sizeof(uint32_t) +
           room * WEND_PATCH_LANES;
}

void wend_many_destroy(wend_many *many) {
    if (!many) return;
    wend_allocator allocator = many->allocator;
    size_t room = (size_t)many->most + 1;
    wend_release(&allocator, many->block, many->block_size, 1);
    for (int i = 0; i < 3; i++) wend_release(&allocator, many->fronts[i], room, sizeof *many->fronts[i]);
    wend_release(&allocator, many->again, room, sizeof *many->again);
    wend_release(&allocator, many->waves, wave_room(many->most), sizeof *many->waves);
    wend_release(&allocator, many->order, room, sizeof *many->order);
    wend_release(&allocator, many->looked, room, sizeof *many->looked);
    wend_release(&allocator, many->moves, room, WEND_PATCH_LANES);
    wend_release(&allocator, many->slot, room, sizeof *many->slot);
    wend_release(&allocator, many->state, room, sizeof *many->state);
    wend_release(&allocator, many->distance, room, sizeof *many->distance);
    wend_release(&allocator, many, 1, sizeof *many);
}

wend_status wend_many_create(const wend_ranks *ranks, uint32_t most_cells, wend_many_form form,
                             const wend_allocator *allocator, wend_many **out, wend_error *error) {
    wend_many *many = wend_allocate_zeroed(allocator, 1, sizeof *many);
    *out = NULL;
    if (!many) return wend_fail(error, WEND_NO_MEMORY, "no memory for a search from many cells");
    size_t room = (size_t)most_cells + 1;
    many->ranks = ranks, many->allocator = *allocator, many->form = form, many->most = most_cells;
    many->avx2 = form != WEND_MANY_PLAIN && wend_has_avx2();
    many->distance = wend_allocate(allocator, room, sizeof *many->distance);
    many->slot = wend_allocate(allocator, room, sizeof *many->slot);
    many->moves = wend_allocate(allocator, room, WEND_PATCH_LANES);
    many->state = wend_allocate(allocator, room, sizeof *many->state);
    many->looked = wend_allocate(allocator, room, sizeof *many->looked);
    many->order = wend_allocate(allocator, room, sizeof *many->order);
    many->waves = wend_allocate(allocator, wave_room(most_cells), sizeof *many->waves);
    many->again = wend_allocate(allocator, room, sizeof *many->again);
    bool good = many->distance && many->slot && many->moves && many->state && many->looked && many->order &&
                many->waves && many->again;
    for (int i = 0; i < 3; i++) {
        many->fronts[i] = wend_allocate(allocator, room, sizeof *many->fronts[i]);
        good = good && many->fronts[i];
    }
    if (!good) {
        wend_many_destroy(many);
        return wend_fail(error, WEND_NO_MEMORY, "no memory for a search from many cells");
    }
    *out = many;
    return WEND_OK;
}

/* How many cells are under way at a time, from the wave that is begun to the one that is finished; and room
 * for their lanes. */
static bool take_lanes(wend_many *many) {
    many->slots = 0;
    /* Waves up to wave + 1 + farthest / straight have to have looked twice: see above. */
    many->final_after = SECOND_AFTER + 1 + many->farthest / many->cost[0];
    /* Neighbours, two waves behind at most, look at a cell's lanes until they are final themselves. */
    uint32_t kept = many->final_after + 2;
    for (uint32_t wave = 0; wave < many->wave_count; wave++) {
        uint32_t dropped = wave > kept ? many->waves[wave - kept] : 0;
        uint32_t cells = many->waves[wave + 1] - dropped;
        if (cells > many->slots) many->slots = cells;
    }
    size_t size = (size_t)many->slots * many->stride * (many->wide ? sizeof(int32_t) : sizeof(int16_t)) +
                  3 * (size_t)LANE_ROOM;
    if (size > many->block_size) {
        size_t more = size + size / 4;
        wend_release(&many->allocator, many->block, many->block_size, 1);
        many->block_size = 0;
        many->block = wend_allocate(&many->allocator, more, 1);
        if (!many->block) return false;
        many->block_size = more;
    }
    uintptr_t at = (uintptr_t)many->block;
    many->lanes = (uint8_t *)many->block + (LANE_ROOM + (LANE_ROOM - at % LANE_ROOM) % LANE_ROOM);
    /* What is read beside the first and the last row means nothing, but should be something. */
    memset(many->block, 0, 2 * (size_t)LANE_ROOM);
    memset((uint8_t *)many->block + size - 2 * (size_t)LANE_ROOM, 0, 2 * (size_t)LANE_ROOM);
    return true;
}

/* The reference ----------------------------------------------------------------------------------------- */

/* Distances and the order of waves from the reference; false if one is beyond `most`. */
static bool reference_distances(wend_many *many, uint32_t most) {
    uint32_t *now = many->fronts[0], *next = many->fronts[1], *after = many->fronts[2];
    uint32_t now_count = 1, next_count = 0, after_count = 0, ordered = 0;
    const uint32_t straight = many->cost[0];
    memset(many->distance, 0xff, many->count * sizeof *many->distance);
    many->distance[many->reference] = 0;
    now[0] = many->reference;
    many->wave_count = 0, many->waves[0] = 0;
    for (uint32_t start = 0; now_count || next_count; start += straight) {
        if (start > most) return false;
        for (uint32_t i = 0; i < now_count; i++) {
            uint32_t at = now[i], own = many->distance[at];
            WEND_PREFETCH(many->near + (size_t)now[i + AHEAD < now_count ? i + AHEAD : i] * WEND_DIRECTIONS);
            if (own < start) continue; /* a cheaper way was found meanwhile */
            many->order[ordered++] = at;
            const uint32_t *near = many->near + (size_t)at * WEND_DIRECTIONS;
            for (uint32_t moves = many->legal[at]; moves; moves &= moves - 1) {
                uint32_t k = wend_lowest_bit(moves), there = near[k] - many->first;
                uint32_t through = own + many->cost[k & 1], old = many->distance[there];
                if (through >= old) continue;
                many->distance[there] = through;
                /* A cell stands once in each wave that it was ever found in. */
                if (through - start < 2 * straight) {
                    if (old - start >= 2 * straight) next[next_count++] = there;
                } else if (old == UINT32_MAX) {
                    after[after_count++] = there;
                }
            }
        }
        many->waves[++many->wave_count] = ordered;
        uint32_t *empty = now;
        now = next, now_count = next_count;
        next = after, next_count = after_count;
        after = empty, after_count = 0;
    }
    return true;
}

/* Marks as STATE_LANE the wanted cells of the patch that are near enough to the reference, as STATE_SOURCE
 * those of them whose neighbours all are, and lays out their rows. */
static void lay_out(wend_many *many, uint8_t *wanted) {
    const wend_map *map = many->ranks->map;
    /* What lanes can hold; and not much farther than across the patch, as then too many cells are under way.
     */
    uint32_t limit = INT16_MAX - 2 * many->cost[1], far = 22 * many->cost[1];
    if (many->wide || limit > far) limit = far;
    uint32_t place[WEND_PATCH_LANES]; /* the cell of a lane */
    bool lane[WEND_PATCH_LANES] = {false}, source[WEND_PATCH_LANES] = {false};
    memset(many->lane_legal, 0, sizeof many->lane_legal);
    for (int32_t i = 0; i < WEND_PATCH_LANES; i++) {
        int32_t x = many->x + i % WEND_PATCH_WIDTH, y = many->y + i / WEND_PATCH_WIDTH;
        place[i] = WEND_NO_RANK;
        if (x < 0 || y < 0 || x >= map->width || y >= map->height) continue;
        uint32_t rank = many->ranks->rank[(uint32_t)y * (uint32_t)map->width + (uint32_t)x];
        if (rank - many->first < many->count && rank != WEND_NO_RANK) place[i] = rank - many->first;
    }
    for (uint32_t i = 0; i < WEND_PATCH_LANES; i++) {
        if (!wanted[i] || place[i] == WEND_NO_RANK || many->distance[place[i]] > limit - many->cost[1])
            continue;
        /* No neighbour can be farther than a diagonal move more. */
        wanted[i] = 0;
        source[i] = lane[i] = true;
        for (uint32_t moves = many->legal[place[i]]; moves; moves &= moves - 1) {
            uint32_t k = wend_lowest_bit(moves);
            lane[(int32_t)i + wend_dy[k] * WEND_PATCH_WIDTH + wend_dx[k]] = true;
        }
    }
    many->rows = many->farthest = 0;
    memset(many->initial, 0, sizeof many->initial);
    for (int32_t i = 0; i < WEND_PATCH_HEIGHT; i++) {
        bool any = false;
        for (int32_t j = 0; j < WEND_PATCH_WIDTH; j++) any |= lane[i * WEND_PATCH_WIDTH + j];
        many->row[i] = any ? (int32_t)many->rows++ * WEND_PATCH_WIDTH : -1;
        for (int32_t j = 0; any && j < WEND_PATCH_WIDTH; j++) {
            uint32_t at = place[i * WEND_PATCH_WIDTH + j];
            if (!lane[i * WEND_PATCH_WIDTH + j]) continue;
            many->state[at] |= STATE_LANE;
            if (source[i * WEND_PATCH_WIDTH + j]) many->lane_legal[many->row[i] + j] = many->legal[at];
            if (many->distance[at] > many->farthest) many->farthest = many->distance[at];
            if (many->wide)
                many->initial[many->row[i] + j] = (int32_t)many->distance[at];
            else
                ((int16_t *)many->initial)[many->row[i] + j] = (int16_t)many->distance[at];
        }
    }
    many->stride = many->rows * WEND_PATCH_WIDTH;
}

/* The wanted source nearest to the middle of the patch. */
static uint32_t choose_reference(const wend_many *many, const uint8_t *wanted) {
    int32_t best = -1, least = INT32_MAX;
    for (int32_t i = 0; i < WEND_PATCH_LANES; i++) {
        int32_t dx = 2 * (i % WEND_PATCH_WIDTH) - WEND_PATCH_WIDTH + 1,
                dy = 2 * (i / WEND_PATCH_WIDTH) - WEND_PATCH_HEIGHT + 1;
        int32_t away = dx * dx + dy * dy;
        if (wanted[i] && away < least) best = i, least = away;
    }
    int32_t x = many->x + best % WEND_PATCH_WIDTH, y = many->y + best / WEND_PATCH_WIDTH;
    return many->ranks->rank[(uint32_t)y * (uint32_t)many->ranks->map->width + (uint32_t)x] - many->first;
}

wend_status wend_many_search(wend_many *many, uint32_t component, int32_t x, int32_t y, uint8_t *wanted) {
    const wend_ranks *ranks = many->ranks;
    const wend_map *map = ranks->map;
    many->first = ranks->firsts[component];
    many->count = ranks->firsts[component + 1] - many->first;
    many->cells = ranks->cells + many->first;
    many->near = ranks->near + (size_t)many->first * WEND_DIRECTIONS;
    many->legal = ranks->legal + many->first;
    many->x = x - 1, many->y = y - 1;
    many->reference = choose_reference(many, wanted);
    bool sqrt2 = map->rules.connect == 8 && map->rules.diagonal == WEND_DIAGONAL_SQRT2;
    many->wide = many->form == WEND_MANY_WIDE;
    if (!many->wide) {
        many->cost[0] = map->rules.connect == 4 ? 1 : sqrt2 ? 985 : 5;
        many->cost[1] = map->rules.connect == 4 ? 2 : sqrt2 ? 1393 : 7;
        /* A lane's distances are at most those of the reference and of the lane itself from that. */
        uint32_t most = sqrt2 ? EXACT_BELOW - INT16_MAX - 2 * 985 : UINT32_MAX - 64;
        many->wide = !reference_distances(many, most);
    }
    if (many->wide) {
        many->cost[0] = map->cost[0], many->cost[1] = map->cost[1];
        if (!reference_distances(many, UINT32_MAX - 3 * many->cost[1])) return WEND_TOO_LARGE;
    }
    memset(many->state, 0, many->count);
    lay_out(many, wanted);
    if (!take_lanes(many)) return WEND_NO_MEMORY;
    many->again_begin = many->again_end = 0;
    if (many->wide)
        (many->avx2 ? sweep_wide_avx2 : sweep_wide_plain)(many);
    else
        (many->avx2 ? sweep_narrow_avx2 : sweep_narrow_plain)(many);
    return WEND_OK;
}

void wend_many_on_final(wend_many *many, wend_many_watch watch, void *watcher) {
    many->watched = watch, many->watcher = watcher;
}

const uint8_t *wend_many_moves(const wend_many *many, uint32_t lane, size_t *stride) {
    *stride = many->stride;
    return many->moves + many->row[lane / WEND_PATCH_WIDTH] + lane % WEND_PATCH_WIDTH;
}

const uint8_t *wend_many_all_moves(const wend_many *many, size_t *stride) {
    *stride = many->stride;
    return many->moves;
}

uint64_t wend_many_distance(const wend_many *many, uint32_t lane, uint32_t at, uint32_t *straight) {
    size_t where = (size_t)many->slot[at] * many->stride + (size_t)many->row[lane / WEND_PATCH_WIDTH] +
                   lane % WEND_PATCH_WIDTH;
    int64_t beyond =
        many->wide ? ((const int32_t *)many->lanes)[where] : ((const int16_t *)many->lanes)[where];
    *straight = many->cost[0];
    return (uint64_t)((int64_t)many->distance[at] + beyond);
}

bool wend_many_was_wide(const wend_many *many) {
    return many->wide;
}

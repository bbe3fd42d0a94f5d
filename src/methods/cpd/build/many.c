/* Distances between a patch of neighbouring cells and all cells of their component, many lanes at a time.
 *
 * One cell of the patch is the reference, and its distances d0 are worked out by waves, as field.c does. Each
 * lane t then has d_t(c) - d0(c), which is between -d0(t) and d0(t): small numbers, however large the map, so
 * that a vector holds many of them. They start from the walk by way of the reference, d0(t) for all cells but
 * t itself, and are lowered to what a cell's neighbours give: lane(n) + w + d0(n) - d0(c), the lane there and
 * a price. Both paths and prices are real, so lanes are never below the true distances; once no neighbour
 * gives less they are not above them either.
 *
 * Prices are never below 0, and 0 where the reference's own shortest path comes from. So a cell whose
 * neighbours all have the same lanes has these, too: away from the patch, where all ways lead through the
 * same few places, nearly all cells have the lanes of the cell they come from. (On AR0700SR 98 cells in 100,
 * on ost100d 99.) Such cells share a pattern: a set of lanes, kept once. Only a cell between patterns is
 * looked at by its lanes.
 *
 * The cells around the patch, up to the farthest lane, begin with patterns of their own and look in turns
 * until nothing changes. Then the others follow in the reference's order. A wave is a straight move wide, so
 * that whom a cell comes from is always in an earlier one. A cell takes the pattern that all neighbours have
 * that were there before it, or else the lanes that these give. Those of them that it gives less look again,
 * at once, then those whom they give less, until nothing changes. In the end no cell gives another less than
 * that has, which is what had to be shown.
 *
 * First moves depend on the lanes of a cell alone: a move of source t is optimal iff it is legal and leads to
 * a lane that is nearer by what it costs. So they are worked out once for each pattern.
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
#include "methods/cpd/build/many.h"

#include <string.h>

#define NO_PATTERN UINT32_MAX

/* How far a search is. */
typedef enum phase {
    PATCH,  /* nothing is done */
    OWN,    /* cells around the patch get patterns of their own, */
    TURNS,  /* look in turns */
    GIVE,   /* and give up what is the same */
    SWEEP,  /* the others */
    FINISH, /* moves, by pattern */
    DONE
} phase;

struct wend_many {
    const wend_ranks *ranks;
    wend_allocator allocator;
    wend_many_form form;
    uint32_t room;
    /* Of the component; cells are counted from its first. */
    uint32_t first, count;
    const wend_cell *cells;
    const uint32_t *near;
    const uint8_t *legal;
    /* Of the search: */
    bool wide, avx2;
    uint32_t cost[2];
    int32_t x, y; /* of the patch */
    uint32_t rows, stride;
    int32_t row[WEND_PATCH_HEIGHT];       /* where a row of the patch begins among a cell's lanes; -1: none */
    uint32_t lane_cell[WEND_PATCH_LANES]; /* the cells of lanes; WEND_NO_RANK: it is none */
    uint8_t lane_legal[WEND_PATCH_LANES]; /* by place among a cell's lanes; 0 for what is no source */
    int32_t initial[WEND_PATCH_LANES];    /* of LANEs */
    int32_t scratch[WEND_PATCH_LANES];    /* the same */
    uint8_t wanted[WEND_PATCH_LANES], left[WEND_PATCH_LANES];
    phase phase;
    uint32_t at;        /* where the phase has come to */
    bool changed, back; /* of turns: anything; from the farthest */
    uint32_t most;      /* distance */
    /* By cell: */
    wend_many_cell *found; /* those without a pattern are still to come */
    uint8_t *queued;
    uint32_t *order; /* of the cells around the patch */
    uint32_t ordered;
    uint32_t *again; /* a queue */
    uint32_t again_begin, again_end;
    /* This wave, the next and the one after that. */
    uint32_t *fronts[3], counts[3];
    uint32_t start; /* of this wave: the least distance */
    /* Patterns. */
    uint32_t patterns, unused; /* how many numbers were given; the first of a list of those given back */
    void *block;               /* with a row's room before and after */
    size_t block_size;
    void *lanes;
    uint32_t *users; /* cells of each; of one that was given back, the next of these */
    size_t users_room;
    uint8_t *moves; /* `stride` a pattern */
    size_t moves_size;
};

/* How many cells ahead their neighbours' numbers are asked for. */
enum { AHEAD = 6 };

/* Patterns ---------------------------------------------------------------------------------------------- */

enum { LANE_ROOM = 128 }; /* bytes before and after the lanes, and for the vectors to begin at a multiple */

static size_t pattern_size(const wend_many *many) {
    return many->stride * (many->wide ? sizeof(int32_t) : sizeof(int16_t));
}

/* Room for more patterns than there is. */
static bool enlarge(wend_many *many) {
    const size_t size = pattern_size(many), room = many->patterns ? (size_t)many->patterns * 2 : 1024;
    const size_t block_size = room * size + 3 * (size_t)LANE_ROOM;
    if (room > many->users_room) {
        uint32_t *users =
            wend_enlarge(&many->allocator, many->users, many->users_room, room, sizeof *many->users);
        if (!users) return false;
        many->users = users, many->users_room = room;
    }
    if (block_size <= many->block_size) return true;
    /* Not all of it will be written, but the beginning of what lies beyond may be read. */
    uint8_t *block = wend_allocate_zeroed(&many->allocator, block_size, 1);
    if (!block) return false;
    uint8_t *lanes = block + LANE_ROOM + (LANE_ROOM - (uintptr_t)block % LANE_ROOM) % LANE_ROOM;
    if (many->patterns) memcpy(lanes, many->lanes, many->patterns * size);
    wend_release(&many->allocator, many->block, many->block_size, 1);
    many->block = block, many->block_size = block_size, many->lanes = lanes;
    return true;
}

/* A pattern that nobody has yet; NO_PATTERN: no memory. */
static uint32_t new_pattern(wend_many *many) {
    uint32_t pattern = many->unused;
    if (pattern != NO_PATTERN) {
        many->unused = many->users[pattern];
    } else {
        size_t room = many->block ? (many->block_size - 3 * (size_t)LANE_ROOM) / pattern_size(many) : 0;
        if ((many->patterns >= room || many->patterns >= many->users_room) && !enlarge(many))
            return NO_PATTERN;
        pattern = many->patterns++;
    }
    many->users[pattern] = 0;
    return pattern;
}

static inline void set_pattern(wend_many *many, uint32_t at, uint32_t pattern) {
    uint32_t old = many->found[at].pattern;
    many->found[at].pattern = pattern;
    many->users[pattern]++;
    if (old != NO_PATTERN && --many->users[old] == 0) many->users[old] = many->unused, many->unused = old;
}

/* Waves ------------------------------------------------------------------------------------------------- */

/* A way to a cell: it comes into one of the next waves. It stands once in each that it was ever found in. */
static inline void reach(wend_many *many, uint32_t at, uint32_t distance, uint32_t old) {
    if (distance >= old) return;
    const uint32_t wide = 2 * many->cost[0];
    many->found[at].distance = distance;
    if (distance - many->start < wide) {
        if (old - many->start >= wide) many->fronts[1][many->counts[1]++] = at;
    } else if (old == UINT32_MAX) {
        many->fronts[2][many->counts[2]++] = at;
    }
}

static inline void next_wave(wend_many *many) {
    uint32_t *empty = many->fronts[0];
    many->fronts[0] = many->fronts[1], many->counts[0] = many->counts[1];
    many->fronts[1] = many->fronts[2], many->counts[1] = many->counts[2];
    many->fronts[2] = empty, many->counts[2] = 0;
    many->start += many->cost[0];
}

#define TARGET
#define LANE int16_t
#define N(x) x##_narrow_plain
#include "methods/cpd/build/many.inc"
#undef LANE
#undef N
#define LANE int32_t
#define N(x) x##_wide_plain
#include "methods/cpd/build/many.inc"
#undef TARGET
#if WEND_HAVE_AVX2
#undef LANE
#undef N
#define TARGET WEND_AVX2
#define LANE int16_t
#define N(x) x##_narrow_avx2
#include "methods/cpd/build/many.inc"
#undef LANE
#undef N
#define LANE int32_t
#define N(x) x##_wide_avx2
#include "methods/cpd/build/many.inc"
#else
#define go_narrow_avx2 go_narrow_plain
#define go_wide_avx2 go_wide_plain
#endif

/* Below this, 985 and 1393 tell the same order as 5741 and 8119. */
#define EXACT_BELOW ((uint32_t)985 * 1393)

/* The workspace ----------------------------------------------------------------------------------------- */

size_t wend_many_bytes(uint32_t most_cells) {
    size_t room = (size_t)most_cells + 1;
    return sizeof(wend_many) + room * (sizeof(wend_many_cell) + 5 * sizeof(uint32_t) + 1);
}

void wend_many_destroy(wend_many *many) {
    if (!many) return;
    wend_allocator allocator = many->allocator;
    size_t room = (size_t)many->room + 1;
    wend_release(&allocator, many->moves, many->moves_size, 1);
    wend_release(&allocator, many->users, many->users_room, sizeof *many->users);
    wend_release(&allocator, many->block, many->block_size, 1);
    for (int i = 0; i < 3; i++) wend_release(&allocator, many->fronts[i], room, sizeof *many->fronts[i]);
    wend_release(&allocator, many->again, room, sizeof *many->again);
    wend_release(&allocator, many->order, room, sizeof *many->order);
    wend_release(&allocator, many->queued, room, sizeof *many->queued);
    wend_release(&allocator, many->found, room, sizeof *many->found);
    wend_release(&allocator, many, 1, sizeof *many);
}

wend_status wend_many_create(const wend_ranks *ranks, uint32_t most_cells, wend_many_form form,
                             const wend_allocator *allocator, wend_many **out, wend_error *error) {
    wend_many *many = wend_allocate_zeroed(allocator, 1, sizeof *many);
    *out = NULL;
    if (!many) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for a search from many cells");
    size_t room = (size_t)most_cells + 1;
    many->ranks = ranks, many->allocator = *allocator, many->form = form, many->room = most_cells;
    many->avx2 = form != WEND_MANY_PLAIN && wend_has_avx2();
    many->found = wend_allocate(allocator, room, sizeof *many->found);
    many->queued = wend_allocate(allocator, room, sizeof *many->queued);
    many->order = wend_allocate(allocator, room, sizeof *many->order);
    many->again = wend_allocate(allocator, room, sizeof *many->again);
    bool good = many->found && many->queued && many->order && many->again;
    for (int i = 0; i < 3; i++) {
        many->fronts[i] = wend_allocate(allocator, room, sizeof *many->fronts[i]);
        good = good && many->fronts[i];
    }
    if (!good) {
        wend_many_destroy(many);
        return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for a search from many cells");
    }
    *out = many;
    return WEND_OK;
}

/* The patch --------------------------------------------------------------------------------------------- */

/* What lanes can hold; and not much farther than across the patch, as then too many cells have patterns of
 * their own. */
static uint32_t lane_limit(const wend_many *many) {
    uint32_t limit = INT16_MAX - 2 * many->cost[1], far = 22 * many->cost[1];
    return many->wide || limit > far ? far : limit;
}

/* The cells of the component in the patch, by lane; WEND_NO_RANK where there is none. */
static void find_places(const wend_many *many, uint32_t *place) {
    const wend_map *map = many->ranks->map;
    for (int32_t i = 0; i < WEND_PATCH_LANES; i++) {
        int32_t x = many->x + i % WEND_PATCH_WIDTH, y = many->y + i / WEND_PATCH_WIDTH;
        place[i] = WEND_NO_RANK;
        if (x < 0 || y < 0 || x >= map->width || y >= map->height) continue;
        uint32_t rank = many->ranks->rank[(uint32_t)y * (uint32_t)map->width + (uint32_t)x];
        if (rank - many->first < many->count && rank != WEND_NO_RANK) place[i] = rank - many->first;
    }
}

/* Marks sources, and the lanes that they may move to. */
static void mark_lanes(const wend_many *many, const uint32_t *place, const bool *source, bool *lane) {
    for (uint32_t i = 0; i < WEND_PATCH_LANES; i++) {
        if (!source[i]) continue;
        lane[i] = true;
        for (uint32_t moves = many->legal[place[i]]; moves; moves &= moves - 1) {
            uint32_t k = wend_lowest_bit(moves);
            lane[(int32_t)i + wend_dy[k] * WEND_PATCH_WIDTH + wend_dx[k]] = true;
        }
    }
}

/* Distances around the reference, until those of all lanes are known, or no farther ones are wanted. */
static void search_patch(wend_many *many, const uint32_t *place, const uint8_t *wanted, uint32_t reference) {
    bool source[WEND_PATCH_LANES], lane[WEND_PATCH_LANES] = {false};
    uint32_t missing = 0; /* lanes before it are known */
    for (uint32_t i = 0; i < WEND_PATCH_LANES; i++) source[i] = wanted[i] && place[i] != WEND_NO_RANK;
    mark_lanes(many, place, source, lane);
    memset(many->found, 0xff, many->count * sizeof *many->found);
    many->found[reference].distance = 0;
    many->fronts[0][0] = reference, many->counts[0] = 1, many->counts[1] = many->counts[2] = 0;
    many->start = many->ordered = 0;
    for (; many->counts[0] || many->counts[1]; next_wave(many)) {
        while (missing < WEND_PATCH_LANES &&
               (!lane[missing] || many->found[place[missing]].distance < many->start))
            missing++;
        if (missing == WEND_PATCH_LANES || many->start > lane_limit(many)) return;
        for (uint32_t i = 0; i < many->counts[0]; i++) {
            uint32_t at = many->fronts[0][i], own = many->found[at].distance;
            if (own < many->start) continue; /* a cheaper way was found meanwhile */
            many->order[many->ordered++] = at;
            const uint32_t *near = many->near + (size_t)at * WEND_DIRECTIONS;
            for (uint32_t moves = many->legal[at]; moves; moves &= moves - 1) {
                uint32_t k = wend_lowest_bit(moves), there = near[k] - many->first;
                reach(many, there, own + many->cost[k & 1], many->found[there].distance);
            }
        }
    }
}

/* Lanes are the wanted cells of the patch that are near enough to the reference, the sources, and their
 * neighbours. Lays out their rows. */
static void lay_out(wend_many *many, const uint32_t *place, uint8_t *wanted) {
    const uint32_t limit = lane_limit(many);
    bool source[WEND_PATCH_LANES] = {false}, lane[WEND_PATCH_LANES] = {false};
    for (uint32_t i = 0; i < WEND_PATCH_LANES; i++) {
        /* No neighbour can be farther than a diagonal move more. */
        if (!wanted[i] || place[i] == WEND_NO_RANK || many->found[place[i]].distance > limit - many->cost[1])
            continue;
        wanted[i] = 0, source[i] = true;
    }
    mark_lanes(many, place, source, lane);
    memset(many->lane_legal, 0, sizeof many->lane_legal);
    memset(many->initial, 0, sizeof many->initial);
    many->rows = 0;
    for (int32_t i = 0; i < WEND_PATCH_LANES; i++) {
        int32_t *row = &many->row[i / WEND_PATCH_WIDTH], column = i % WEND_PATCH_WIDTH;
        if (!column) {
            bool any = memchr(lane + i, 1, WEND_PATCH_WIDTH) != NULL;
            *row = any ? (int32_t)many->rows++ * WEND_PATCH_WIDTH : -1;
        }
        many->lane_cell[i] = lane[i] ? place[i] : WEND_NO_RANK;
        if (!lane[i]) continue;
        if (source[i]) many->lane_legal[*row + column] = many->legal[place[i]];
        uint32_t distance = many->found[place[i]].distance;
        if (many->wide)
            many->initial[*row + column] = (int32_t)distance;
        else
            ((int16_t *)many->initial)[*row + column] = (int16_t)distance;
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

/* The search -------------------------------------------------------------------------------------------- */

enum { OPERATIONS = 1 + WEND_DIRECTIONS, CLEARED_AT_ONCE = 16 };

/* With these costs and lanes; a distance beyond `most` is WEND_STATUS_TOO_LARGE. */
static void set_costs(wend_many *many, uint32_t straight, uint32_t diagonal, uint32_t most) {
    many->cost[0] = straight, many->cost[1] = diagonal, many->most = most;
    many->phase = PATCH;
}

static void widen(wend_many *many) {
    const wend_map *map = many->ranks->map;
    many->wide = true;
    set_costs(many, map->cost[0], map->cost[1], UINT32_MAX - 3 * map->cost[1]);
}

void wend_many_begin(wend_many *many, uint32_t component, int32_t x, int32_t y, const uint8_t *wanted) {
    const wend_ranks *ranks = many->ranks;
    const wend_map *map = ranks->map;
    many->first = ranks->firsts[component];
    many->count = ranks->firsts[component + 1] - many->first;
    many->cells = ranks->cells + many->first;
    many->near = ranks->near + (size_t)many->first * WEND_DIRECTIONS;
    many->legal = ranks->legal + many->first;
    many->x = x - 1, many->y = y - 1;
    memcpy(many->wanted, wanted, sizeof many->wanted);
    bool sqrt2 = map->rules.connect == 8 && map->rules.diagonal == WEND_DIAGONAL_SQRT2;
    many->wide = false;
    if (many->form == WEND_MANY_WIDE)
        widen(many);
    else if (map->rules.connect == 4)
        set_costs(many, 1, 2, UINT32_MAX - 64);
    else if (!sqrt2)
        set_costs(many, 5, 7, UINT32_MAX - 64);
    else /* a lane's distances are at most those of the reference and of the lane itself from that */
        set_costs(many, 985, 1393, EXACT_BELOW - INT16_MAX - 2 * 985);
}

/* The patch itself, at once. */
static uint64_t begin_patch(wend_many *many) {
    uint32_t place[WEND_PATCH_LANES];
    memcpy(many->left, many->wanted, sizeof many->left);
    find_places(many, place);
    search_patch(many, place, many->wanted, choose_reference(many, many->wanted));
    lay_out(many, place, many->left);
    memset(many->queued, 0, many->count);
    many->patterns = 0, many->unused = NO_PATTERN, many->again_begin = many->again_end = 0;
    many->phase = OWN, many->at = 0;
    return (uint64_t)many->ordered * OPERATIONS + many->count / CLEARED_AT_ONCE;
}

/* Room for all patterns' moves. */
static bool begin_moves(wend_many *many) {
    size_t size = (size_t)many->patterns * many->stride;
    many->phase = FINISH, many->at = 0;
    if (size <= many->moves_size) return true;
    wend_release(&many->allocator, many->moves, many->moves_size, 1);
    many->moves_size = 0;
    many->moves = wend_allocate(&many->allocator, size + size / 4, 1);
    if (many->moves) many->moves_size = size + size / 4;
    return many->moves != NULL;
}

static wend_status go_on(wend_many *many, uint64_t *left) {
    if (many->wide) return (many->avx2 ? go_wide_avx2 : go_wide_plain)(many, left);
    return (many->avx2 ? go_narrow_avx2 : go_narrow_plain)(many, left);
}

wend_status wend_many_go(wend_many *many, uint64_t operations, uint64_t *spent, bool *done) {
    uint64_t left = operations, patch = 0;
    wend_status status = WEND_OK;
    while (status == WEND_OK && many->phase != DONE && left >= OPERATIONS) {
        const phase before = many->phase;
        if (before == PATCH) {
            uint64_t more = begin_patch(many);
            patch += more > left ? more - left : 0;
            left -= more > left ? left : more;
            continue;
        }
        status = go_on(many, &left);
        if (status == WEND_STATUS_TOO_LARGE && !many->wide) {
            widen(many);
            status = WEND_OK;
        } else if (status == WEND_OK && many->phase == before) {
            break; /* of what was given nothing is left to go on with */
        } else if (status == WEND_OK && many->phase == FINISH && before != FINISH && !begin_moves(many)) {
            status = WEND_STATUS_NO_MEMORY;
        }
    }
    *spent = operations - left + patch;
    *done = many->phase == DONE;
    return status;
}

const uint8_t *wend_many_left(const wend_many *many) {
    return many->left;
}

wend_status wend_many_search(wend_many *many, uint32_t component, int32_t x, int32_t y, uint8_t *wanted) {
    uint64_t spent;
    bool done;
    wend_many_begin(many, component, x, y, wanted);
    wend_status status = wend_many_go(many, UINT64_MAX, &spent, &done);
    if (status == WEND_OK) memcpy(wanted, many->left, sizeof many->left);
    return status;
}

const wend_many_cell *wend_many_cells(const wend_many *many) {
    return many->found;
}

uint32_t wend_many_patterns(const wend_many *many) {
    return many->patterns;
}

const uint8_t *wend_many_moves(const wend_many *many, uint32_t pattern) {
    return many->moves + (size_t)pattern * many->stride;
}

uint32_t wend_many_stride(const wend_many *many) {
    return many->stride;
}

uint32_t wend_many_place(const wend_many *many, uint32_t lane) {
    return (uint32_t)many->row[lane / WEND_PATCH_WIDTH] + lane % WEND_PATCH_WIDTH;
}

uint64_t wend_many_distance(const wend_many *many, uint32_t lane, uint32_t at, uint32_t *straight) {
    size_t where = (size_t)many->found[at].pattern * many->stride + wend_many_place(many, lane);
    int64_t beyond =
        many->wide ? ((const int32_t *)many->lanes)[where] : ((const int16_t *)many->lanes)[where];
    *straight = many->cost[0];
    return (uint64_t)((int64_t)many->found[at].distance + beyond);
}

uint32_t wend_many_cost(const wend_many *many, uint32_t move) {
    return many->cost[move & 1];
}

bool wend_many_was_wide(const wend_many *many) {
    return many->wide;
}

/* Flags of edges: a bit for each edge of the graph of corners and each tile of the map. It says whether the
 * edge begins a shortest path, over corners, to a corner that sees into the tile.
 *
 * Arc flags are of Lauther (2004) and of Hilger, Koehler, Moehring and Schilling, "Fast point-to-point shortest
 * path computations with arc-flags" (2009). Bounds on the goals of an edge of a jump-point graph are of Rabin
 * and Sturtevant, "Combining bounding boxes and JPS to prune grid pathfinding" (AAAI 2016). Departures:
 * - Nodes are corners, not cells, and goals are any cells. A goal's tile is among those that the last corner
 *   before it sees, since the piece between the two goes through cells of such a view.
 * - All ways of least cost to a corner are kept, in all directions of arrival. So for any pair of cells, each
 *   path that the search without flags could find is there still.
 *
 * One Dijkstra from each corner, over edges that go onward from some arrival. The queue is a ring of buckets
 * one straight move wide. No edge costs less, so those in a bucket do not better one another, and their order
 * does not matter. */
#include "methods/corners/build.h"

#include "methods/corners/layout.h"
#include "search/jumps.h"
#include "search/kernels/corner_graph.h"

#include <string.h>

/* About so many tiles: fewer make flags that keep more edges, more make larger files. */
enum { TILES = 256, LEAST_SIDE = 8, SOURCES_PER_JOB = 32, MASK_BITS = 64, SAMPLE = 64 };

/* A corner as the Dijkstra of a worker has reached it. */
typedef struct reached {
    uint64_t g,
        first; /* and the source's edges that ways of this cost begin with; the last bit: or any after */
    uint32_t source; /* + 1 */
    wend_directions arrivals;
    bool settled;
} reached;

typedef struct entry {
    uint32_t corner, next;
} entry;

typedef struct worker {
    reached *reached;
    entry *entries;  /* from 1 on */
    uint32_t *ring;  /* the first entry of each bucket, or 0 */
    uint64_t *tiles; /* by tile: edges of the source that are of use for it */
} worker;

typedef struct maker {
    const wend_map *map;
    wend_allocator allocator;
    wend_jumps *jumps;
    const wend_corner_graph *corners;
    wend_corners_shape shape;
    uint32_t tile_count, ring_size, longest;
    uint32_t *seen_from; /* by corner: where its part of `seen` begins; one more at the end */
    uint32_t *seen;      /* tiles */
    size_t seen_count, seen_room;
    uint32_t worker_count;
    worker *workers;
} maker;

static void release_workers(maker *made) {
    const wend_allocator *allocator = &made->allocator;
    for (uint32_t i = 0; made->workers && i < made->worker_count; i++) {
        worker *by = &made->workers[i];
        wend_release(allocator, by->reached, made->shape.corners, sizeof *by->reached);
        wend_release(allocator, by->entries, made->longest, sizeof *by->entries);
        wend_release(allocator, by->ring, made->ring_size, sizeof *by->ring);
        wend_release(allocator, by->tiles, made->tile_count, sizeof *by->tiles);
    }
    wend_release(allocator, made->workers, made->worker_count, sizeof *made->workers);
}

void wend_corners_release(wend_builder *builder) {
    maker *made = builder->state;
    if (!made) return;
    wend_allocator allocator = made->allocator;
    release_workers(made);
    wend_release(&allocator, made->seen_from, (size_t)made->shape.corners + 1, sizeof *made->seen_from);
    wend_release(&allocator, made->seen, made->seen_room, sizeof *made->seen);
    wend_jumps_destroy(made->jumps);
    wend_release(&allocator, made, 1, sizeof *made);
    builder->state = NULL;
}

/* Views ------------------------------------------------------------------------------------------------- */

/* Tiles that are marked once for a corner; `marked` holds the corner's number + 1. */
typedef struct view {
    maker *made;
    uint32_t *marked;
    uint32_t mark;
    bool good;
} view;

static void see(view *v, int32_t x, int32_t y) {
    maker *made = v->made;
    uint32_t side = made->shape.side, tile = (uint32_t)y / side * made->shape.columns + (uint32_t)x / side;
    if (v->marked[tile] == v->mark) return;
    v->marked[tile] = v->mark;
    if (made->seen_count == made->seen_room) {
        size_t room = made->seen_room ? 2 * made->seen_room : 1024;
        uint32_t *larger = wend_enlarge(&made->allocator, made->seen, made->seen_room, room, sizeof *larger);
        v->good = v->good && larger;
        if (!larger) return;
        made->seen = larger, made->seen_room = room;
    }
    made->seen[made->seen_count++] = tile;
}

static uint32_t run_of(const maker *made, wend_cell cell, uint32_t direction) {
    uint32_t run = 0;
    while (wend_corner_run(made->jumps, direction, &cell, &run)) {
    }
    return run;
}

/* A line of free cells: it can't pass over a tile in so many moves. */
static void see_line(view *v, wend_xy from, uint32_t direction, uint32_t run) {
    for (uint32_t at = 0;; at = run - at < v->made->shape.side ? run : at + v->made->shape.side) {
        see(v, from.x + (int32_t)at * wend_dx[direction], from.y + (int32_t)at * wend_dy[direction]);
        if (at == run) return;
    }
}

/* What a corner sees in the directions that go on from it: cells that a piece leads to. */
static void see_all(view *v, const wend_corner *corner) {
    const maker *made = v->made;
    const wend_jumps *jumps = made->jumps;
    for (uint32_t left = wend_corner_useful(jumps, corner->around); left; left &= left - 1) {
        uint32_t d = wend_lowest_bit(left), run = run_of(made, corner->cell, d);
        wend_xy at = {corner->x, corner->y};
        if (!(jumps->onward.primary >> d & 1)) {
            see_line(v, at, d, run);
            continue;
        }
        uint32_t turns = jumps->natural[d] & ~(1u << d);
        for (uint32_t i = 0; i <= run; i++, at.x += wend_dx[d], at.y += wend_dy[d]) {
            see(v, at.x, at.y);
            for (uint32_t t = i ? turns : 0; t; t &= t - 1) {
                uint32_t turn = wend_lowest_bit(t);
                see_line(v, at, turn, run_of(made, wend_map_cell(made->map, at.x, at.y), turn));
            }
        }
    }
}

static bool find_views(maker *made) {
    view v = {.made = made, .good = true};
    v.marked = wend_allocate_zeroed(&made->allocator, made->tile_count, sizeof *v.marked);
    made->seen_from =
        wend_allocate(&made->allocator, (size_t)made->shape.corners + 1, sizeof *made->seen_from);
    v.good = v.marked && made->seen_from;
    for (uint32_t i = 0; v.good && i < made->shape.corners; i++) {
        made->seen_from[i] = (uint32_t)made->seen_count;
        v.mark = i + 1;
        see_all(&v, &made->corners->list[i]);
        v.good = v.good && made->seen_count < UINT32_MAX / 2;
    }
    if (v.good) made->seen_from[made->shape.corners] = (uint32_t)made->seen_count;
    wend_release(&made->allocator, v.marked, made->tile_count, sizeof *v.marked);
    return v.good;
}

/* Preparing ---------------------------------------------------------------------------------------------- */

static void choose_tiles(maker *made) {
    uint32_t side = LEAST_SIDE, width = (uint32_t)made->map->width, height = (uint32_t)made->map->height;
    while ((uint64_t)side * side * TILES < made->map->cells) side++;
    made->shape.side = side;
    made->shape.columns = (width + side - 1) / side, made->shape.rows = (height + side - 1) / side;
    made->tile_count = made->shape.columns * made->shape.rows;
}

static bool make_workers(maker *made) {
    uint32_t most = 0;
    for (size_t i = 0; i < made->corners->edge_count; i++)
        if (made->corners->edges[i].cost > most) most = made->corners->edges[i].cost;
    for (made->ring_size = 64; made->ring_size < most / made->map->cost[0] + 3;) made->ring_size *= 2;
    made->longest = made->shape.edges + 1; /* each edge makes one entry at most */
    made->workers = wend_allocate_zeroed(&made->allocator, made->worker_count, sizeof *made->workers);
    for (uint32_t i = 0; made->workers && i < made->worker_count; i++) {
        worker *by = &made->workers[i];
        by->reached = wend_allocate_zeroed(&made->allocator, made->shape.corners, sizeof *by->reached);
        by->entries = wend_allocate(&made->allocator, made->longest, sizeof *by->entries);
        by->ring = wend_allocate_zeroed(&made->allocator, made->ring_size, sizeof *by->ring);
        by->tiles = wend_allocate(&made->allocator, made->tile_count, sizeof *by->tiles);
        if (!by->reached || !by->entries || !by->ring || !by->tiles) return false;
    }
    return made->workers;
}

wend_status wend_corners_prepare(wend_builder *builder, wend_error *error) {
    maker *made = wend_allocate_zeroed(&builder->allocator, 1, sizeof *made);
    builder->state = made;
    if (!made) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for flags of edges");
    made->map = builder->map, made->allocator = builder->allocator, made->worker_count = builder->workers;
    wend_status status = wend_jumps_create(builder->map, &builder->allocator, &made->jumps, error);
    if (status != WEND_OK) return status;
    made->corners = made->jumps->corners;
    made->shape.corners = made->corners->count, made->shape.edges = (uint32_t)made->corners->edge_count;
    choose_tiles(made);
    builder->jobs = (made->shape.corners + SOURCES_PER_JOB - 1) / SOURCES_PER_JOB;
    if (made->shape.corners && (!find_views(made) || !make_workers(made)))
        return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for flags of edges");
    return WEND_OK;
}

/* A job -------------------------------------------------------------------------------------------------- */

static uint32_t bucket_of(const maker *made, uint64_t g) {
    return (uint32_t)(g / made->map->cost[0]) & (made->ring_size - 1);
}

/* Where a Dijkstra is. */
typedef struct search {
    const maker *made;
    worker *by;
    uint32_t source, used, waiting;
} search;

/* A way to a corner, over an edge, that begins with these edges of the source. */
static void reach(search *s, const wend_corner_edge *edge, uint64_t g, uint64_t first) {
    uint32_t corner = edge->to >> WEND_CORNER_NUMBER;
    reached *there = &s->by->reached[corner];
    bool known = there->source == s->source + 1;
    if (known && there->g < g) return;
    if (!known || there->g > g) {
        *there = (reached){.g = g, .source = s->source + 1};
        uint32_t bucket = bucket_of(s->made, g);
        s->by->entries[++s->used] = (entry){corner, s->by->ring[bucket]};
        s->by->ring[bucket] = s->used;
        s->waiting++;
    }
    there->first |= first;
    there->arrivals |= (wend_directions)(1u << (edge->to & 7));
}

static void settle(search *s, uint32_t number) {
    const maker *made = s->made;
    const wend_corner *corner = &made->corners->list[number];
    reached *here = &s->by->reached[number];
    if (here->settled) return;
    here->settled = true;
    for (uint32_t i = made->seen_from[number]; i < made->seen_from[number + 1]; i++)
        s->by->tiles[made->seen[i]] |= here->first;
    uint32_t onward = 0;
    for (uint32_t left = here->arrivals; left; left &= left - 1)
        onward |= made->jumps->onward.moves[wend_lowest_bit(left)][corner->around];
    for (; onward; onward &= onward - 1) {
        uint32_t d = wend_lowest_bit(onward);
        for (uint32_t i = corner->edges[d]; i < corner->edges[d + 1]; i++)
            reach(s, &made->corners->edges[i], here->g + made->corners->edges[i].cost, here->first);
    }
}

/* For each tile, the edges of a corner that are of use. */
static void search_from(const maker *made, worker *by, uint32_t source) {
    const wend_corner *corner = &made->corners->list[source];
    search s = {made, by, source, 0, 0};
    memset(by->tiles, 0, made->tile_count * sizeof *by->tiles);
    by->reached[source] = (reached){.source = source + 1, .settled = true};
    for (uint32_t i = corner->edges[0]; i < corner->edges[WEND_DIRECTIONS]; i++) {
        uint32_t bit = i - corner->edges[0];
        reach(&s, &made->corners->edges[i], made->corners->edges[i].cost,
              (uint64_t)1 << (bit < MASK_BITS ? bit : MASK_BITS - 1));
    }
    for (uint32_t at = 0; s.waiting; at = (at + 1) & (made->ring_size - 1)) {
        uint32_t i = by->ring[at];
        by->ring[at] = 0;
        for (; i; i = by->entries[i].next, s.waiting--) settle(&s, by->entries[i].corner);
    }
}

/* The corners of a job, and their edges. */
typedef struct share {
    uint32_t first, end, edge, edges;
    size_t row; /* bytes of its part of a tile's flags */
} share;

static share share_of(const maker *made, uint32_t job) {
    share s = {.first = job * SOURCES_PER_JOB, .end = (job + 1) * SOURCES_PER_JOB};
    if (s.end > made->shape.corners) s.end = made->shape.corners;
    s.edge = made->corners->list[s.first].edges[0];
    s.edges = made->corners->list[s.end - 1].edges[WEND_DIRECTIONS] - s.edge;
    s.row = ((size_t)s.edges + 7) / 8;
    return s;
}

wend_status wend_corners_job(wend_builder *builder, uint32_t job, uint32_t worker_number,
                             wend_buffer *result) {
    static const uint8_t zeros[1024];
    const maker *made = builder->state;
    worker *by = &made->workers[worker_number];
    share part = share_of(made, job);
    for (size_t left = part.row * made->tile_count; left;) {
        size_t size = left < sizeof zeros ? left : sizeof zeros;
        if (!wend_buffer_add(result, zeros, size)) return WEND_STATUS_NO_MEMORY;
        left -= size;
    }
    for (uint32_t source = part.first; source < part.end; source++) {
        const wend_corner *corner = &made->corners->list[source];
        search_from(made, by, source);
        for (uint32_t tile = 0; tile < made->tile_count; tile++)
            for (uint32_t i = corner->edges[0]; by->tiles[tile] && i < corner->edges[WEND_DIRECTIONS]; i++) {
                uint32_t bit = i - corner->edges[0], at = i - part.edge;
                if (by->tiles[tile] >> (bit < MASK_BITS ? bit : MASK_BITS - 1) & 1)
                    result->data[tile * part.row + at / 8] |= (uint8_t)(1u << at % 8);
            }
    }
    return WEND_OK;
}

wend_status wend_corners_finish(wend_builder *builder, const wend_buffer *results, wend_error *error) {
    const maker *made = builder->state;
    uint64_t words = wend_corners_words(made->shape.edges);
    size_t count = (size_t)words * made->tile_count;
    uint64_t *flags = wend_allocate_zeroed(&made->allocator, count, sizeof *flags);
    if (!flags) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for flags of edges");
    wend_status status = WEND_OK;
    for (uint32_t job = 0; job < builder->jobs && status == WEND_OK; job++) {
        share part = share_of(made, job);
        if (results[job].size != part.row * made->tile_count) {
            status =
                wend_fail(error, WEND_STATUS_DAMAGED, "job %u of the build is not what it should be", job);
            break;
        }
        for (uint32_t tile = 0; tile < made->tile_count; tile++)
            for (uint32_t i = 0; i < part.edges; i++) {
                uint64_t at = part.edge + i, set = results[job].data[tile * part.row + i / 8] >> i % 8 & 1;
                flags[tile * words + at / 64] |= set << at % 64;
            }
    }
    const uint32_t shape[WEND_CORNERS_SHAPE] = {made->shape.side, made->shape.columns, made->shape.rows,
                                                made->shape.corners, made->shape.edges};
    if (status == WEND_OK)
        status = wend_builder_section(builder, "shape", sizeof *shape, shape, WEND_CORNERS_SHAPE, error);
    if (status == WEND_OK)
        status = wend_builder_section(builder, "flags", sizeof *flags, flags, count, error);
    wend_release(&made->allocator, flags, count, sizeof *flags);
    return status;
}

/* Searches from a few corners, evenly spread, show how long all will take. The rest is counted. */
wend_status wend_corners_estimate(const wend_map *map, const wend_settings *settings, uint32_t workers,
                                  const wend_allocator *allocator, wend_estimate *estimate,
                                  wend_error *error) {
    wend_builder builder = {.map = map, .settings = settings, .allocator = *allocator, .workers = 1};
    wend_status status = wend_corners_prepare(&builder, error);
    const maker *made = builder.state;
    if (status == WEND_OK) {
        uint32_t corners = made->shape.corners, apart = corners / SAMPLE + 1, tried = 0;
        for (uint32_t source = 0; source < corners; source += apart, tried++)
            search_from(made, &made->workers[0], source);
        uint64_t file = wend_corners_words(made->shape.edges) * made->tile_count * sizeof(uint64_t);
        uint64_t each = (uint64_t)corners * sizeof(reached) + (uint64_t)made->longest * sizeof(entry) +
                        (uint64_t)made->ring_size * sizeof(uint32_t) +
                        (uint64_t)made->tile_count * sizeof(uint64_t);
        estimate->bytes = file + 512; /* and what stands before the sections */
        /* The file stands there three times in the end: as results, as flags and as a section. */
        estimate->memory = wend_jumps_bytes(made->jumps) + (uint64_t)made->seen_room * sizeof *made->seen +
                           workers * each + 3 * file;
        estimate->share = corners ? (double)tried / corners : 1;
    }
    wend_corners_release(&builder);
    return status;
}

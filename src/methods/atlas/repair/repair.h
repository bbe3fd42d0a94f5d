/* An atlas under repair. repair.c explains what is done, and why that is enough. */
#ifndef WEND_ATLAS_REPAIR_REPAIR_H
#define WEND_ATLAS_REPAIR_REPAIR_H

#include "db/repair.h"
#include "methods/atlas/hierarchy/hierarchy.h"
#include "methods/atlas/layout.h"
#include "search/search.h"

#define WEND_ATLAS_NOBODY UINT32_MAX

/* What is known of a sector near a change. Places in it are numbered row by row, as if it were whole. */
typedef struct wend_atlas_patch {
    uint32_t *owners;  /* by place: a rank of the base, its count plus the number of an extra, or nobody */
    wend_cell *extras; /* representatives that the base does not have; they own cells of this sector alone */
    uint32_t extra_count, extra_room;
    uint64_t *pairs; /* the cells of two owners of neighbouring cells, smaller << 32 | larger */
    uint32_t pair_count, pair_room;
    uint32_t node; /* of its first extra, in the graph under way */
    bool paired;
} wend_atlas_patch;

/* Of a sector. */
enum {
    WEND_SECTOR_DIFFERS = 1, /* some cell is not as on the database's map */
    WEND_SECTOR_CHANGED = 2, /* or not as when patches and links were last complete */
    WEND_SECTOR_NEAR = 4,    /* a cell that differs may matter to what covers its cells */
    WEND_SECTOR_ANEW = 8,    /* the same of one that has changed */
    WEND_SECTOR_PAIR = 16,   /* or a sector beside it is such */
    WEND_SECTOR_LONG = 32    /* a cell differs within two sectors of it */
};

/* Which representative owns a cell: trials under way, nearest first. */
enum { WEND_ATLAS_TRIALS = 64 };
typedef struct wend_atlas_trial {
    wend_cell cell;
    wend_climb_walk walk;
    bool climbing, back;
    uint32_t count, next;
    uint64_t distances[WEND_ATLAS_TRIALS];
    uint32_t reps[WEND_ATLAS_TRIALS];
} wend_atlas_trial;

/* A link that was worked out; a < b. */
typedef struct wend_atlas_near_link {
    wend_cell a, b;
    uint32_t cost;  /* UINT32_MAX: none that costs less than `limit` */
    uint64_t limit; /* that was asked for */
    uint32_t bend_count;
    size_t bends; /* the first of them, on the way from a */
    uint32_t next;
} wend_atlas_near_link;

/* By the sector of `a`. */
typedef struct wend_atlas_near_links {
    uint32_t *heads;
    wend_atlas_near_link *list;
    size_t count, capacity;
    wend_buffer bends;
} wend_atlas_near_links;

typedef enum wend_atlas_near_linking {
    WEND_ATLAS_THERE, /* a climb from a to b, */
    WEND_ATLAS_BACK,  /* and back, each for the octile distance */
    WEND_ATLAS_CELLS, /* a search over cells */
    WEND_ATLAS_TURNS, /* where its path turns */
    WEND_ATLAS_BENDS, /* and which of these are needed */
    WEND_ATLAS_TIED
} wend_atlas_near_linking;

/* A link being worked out. */
typedef struct wend_atlas_linking {
    wend_atlas_near_linking stage;
    wend_cell a, b, at;
    uint64_t limit, cost;
    wend_climb_walk walk;
    uint32_t direction;       /* in which the path goes on from `at` */
    wend_buffer turns, bends; /* turns: from b back to a */
    uint32_t next, most;      /* of the turns on the way: the next, and the one that is tried as a bend */
    bool back;
} wend_atlas_linking;

/* A node that an edge might be worth it for. */
enum { WEND_ATLAS_WISHES = 16 };
typedef struct wend_atlas_wish {
    uint64_t limit; /* what the edge has to cost less than */
    uint64_t saves; /* the largest part of the cost that it might save, in millionths */
    uint32_t to;
} wend_atlas_wish;

/* An atlas in memory, complete. */
typedef struct wend_atlas_overlay {
    wend_atlas atlas;
    wend_allocator allocator;
    wend_cell *cells;
    uint32_t *sectors, *members, *first, *arcs, *lists;
    wend_cell *bends;
    size_t sector_room, arc_room, list_room, bend_room;
} wend_atlas_overlay;

typedef enum wend_atlas_repairing {
    WEND_ATLAS_RESTING,
    WEND_ATLAS_COMPARE, /* the map with what was seen of it */
    WEND_ATLAS_DIFF,    /* sectors that changed with the database's map */
    WEND_ATLAS_MARK,    /* sectors that are near */
    WEND_ATLAS_EXAMINE, /* who covers their cells */
    WEND_ATLAS_NEIGHBOURS,
    WEND_ATLAS_NODES,  /* of the new graph: those of the base that are left, */
    WEND_ATLAS_EXTRAS, /* and the others */
    WEND_ATLAS_OLD_EDGES,
    WEND_ATLAS_NEW_EDGES,
    WEND_ATLAS_ARCS,
    WEND_ATLAS_LENGTHEN,
    WEND_ATLAS_MATCH, /* which edges two others match */
    WEND_ATLAS_DROP,
    WEND_ATLAS_ARCS_AGAIN,
    WEND_ATLAS_CONTRACT,
    WEND_ATLAS_PLACES, /* the overlay: its representatives, */
    WEND_ATLAS_MEMBERS,
    WEND_ATLAS_LISTS, /* and its arcs */
    WEND_ATLAS_SHOW,
    WEND_ATLAS_SETTLE /* nothing has changed since then */
} wend_atlas_repairing;

typedef struct wend_atlas_repair {
    wend_repair common;
    const wend_atlas *base;
    uint32_t most_nodes;
    bool crowded;      /* there would be more */
    bool pending;      /* what has changed since is not taken in yet */
    bool differs;      /* some sector does */
    uint32_t changed;  /* cells, of the comparison under way */
    wend_map *seen;    /* what the repair under way is for; no log, but what its slices work on */
    uint64_t revision; /* of the map when it was last looked at from its first row on */
    bool compared;     /* it has been, to the end */
    uint32_t sectors;  /* how many */
    uint32_t radius;   /* in sectors, as far as a change may matter to what covers a cell */
    uint8_t *flags;
    wend_atlas_patch **patches;
    wend_atlas_near_links near_links[2]; /* of the last repair, and of this one */
    uint32_t fresh;                      /* which are this one's */
    wend_search *search;                 /* on what was seen */
    wend_atlas_trial trial;
    wend_atlas_linking linking;
    bool linking_on;

    wend_atlas_repairing stage;
    uint32_t at, place, direction; /* where it has come to */
    uint32_t pass;
    bool trying;
    uint16_t *parts, *flood; /* of a sector, while its gaps are filled */
    uint32_t round;          /* the first extra of the round under way */

    /* The graph under way. */
    wend_atlas_graph graph;
    uint32_t *numbers; /* by rank of the base: its node, or nobody */
    wend_cell *cells;
    uint32_t *heads, *chain; /* by node its edges to larger ones; by edge the next of them */
    size_t chain_room;
    uint32_t *marks; /* by node: the last node around which it was met, by a number of that time */
    uint32_t *mark_costs;
    uint32_t *met, mark_stamp;
    uint32_t rounds, round_at, spare; /* of long edges; spare: the share one has to save, in millionths */
    wend_atlas_wish wishes[WEND_ATLAS_WISHES];
    uint32_t wish_count, kept;
    uint8_t *dropped; /* by edge */
    size_t dropped_room;
    wend_atlas_hierarchy hierarchy;
    wend_atlas_contraction *contraction;
    wend_atlas_overlay *making, *shown; /* shown: NULL where the base itself is right */
    wend_atlas current; /* what is shown, always at the same place: who looks at it late finds no less */
    uint32_t examined, links; /* its facts: include/wend/repair.h */
} wend_atlas_repair;

extern const wend_repair_kind wend_atlas_repair_kind;

/* A repair of a database of this kind. */
WEND_INLINE const wend_atlas_repair *wend_atlas_repair_of(const wend_repair *repair) {
    return (const wend_atlas_repair *)repair;
}

/* For planners: what is complete. The pointer stays the same; what it points to changes with the generation,
 * and so does what numbers of representatives mean. */
WEND_INLINE const wend_atlas *wend_atlas_repair_shown(const wend_atlas_repair *repair) {
    return &repair->current;
}

/* Whether that is the base itself. */
WEND_INLINE bool wend_atlas_repair_is_base(const wend_atlas_repair *repair) {
    return !repair->shown;
}

/* The most representatives that it may come to have. */
WEND_INLINE uint32_t wend_atlas_repair_room(const wend_atlas_repair *repair) {
    return repair->most_nodes;
}

/* The parts of a repair. Each call does a little and adds its operations; *done says that the stage is over.
 * False: no memory. */

/* sectors.c */
bool wend_atlas_repair_examine(wend_atlas_repair *repair, uint64_t operations, uint64_t *used, bool *done);
bool wend_atlas_repair_pair(wend_atlas_repair *repair, uint64_t operations, uint64_t *used, bool *done);
void wend_atlas_patch_drop(wend_atlas_repair *repair, uint32_t sector);

/* links.c: whether a change within some sectors may matter to a link of this cost. */
bool wend_atlas_near_link_touched(const wend_atlas_repair *repair, wend_cell a, wend_cell b, uint64_t cost,
                                  uint8_t flag, uint64_t *used);
/* The link between two open cells, a < b, that costs less than `limit`: from what is known, or worked out.
 * *near_link is NULL as long as it is under way. */
bool wend_atlas_near_link_find(wend_atlas_repair *repair, wend_cell a, wend_cell b, uint64_t limit,
                               uint64_t operations, uint64_t *used, const wend_atlas_near_link **near_link);
void wend_atlas_near_links_clear(const wend_atlas_repair *repair, wend_atlas_near_links *near_links);
void wend_atlas_near_links_release(const wend_atlas_repair *repair, wend_atlas_near_links *near_links);

/* graph.c */
bool wend_atlas_repair_nodes(wend_atlas_repair *repair, uint64_t operations, uint64_t *used, bool *done);
bool wend_atlas_repair_edges(wend_atlas_repair *repair, uint64_t operations, uint64_t *used, bool *done);
/* An edge between two nodes, a < b, as a link has it. */
bool wend_atlas_repair_add(wend_atlas_repair *repair, uint32_t a, uint32_t b,
                           const wend_atlas_near_link *near_link, uint64_t *used);
bool wend_atlas_repair_arcs(wend_atlas_repair *repair, uint64_t operations, uint64_t *used, bool *done);
void wend_atlas_repair_release_graph(wend_atlas_repair *repair);

/* long.c */
bool wend_atlas_repair_lengthen(wend_atlas_repair *repair, uint64_t operations, uint64_t *used, bool *done);

/* pack.c */
bool wend_atlas_repair_pack(wend_atlas_repair *repair, uint64_t operations, uint64_t *used, bool *done);
void wend_atlas_overlay_destroy(wend_atlas_overlay *overlay);

/* Where a sector lies. */
typedef struct wend_atlas_area {
    uint32_t x, y, width, height;
} wend_atlas_area;

WEND_INLINE wend_atlas_area wend_atlas_area_of(const wend_atlas_grid *grid, const wend_map *map,
                                               uint32_t sector) {
    wend_atlas_area area = {sector % grid->columns * grid->side, sector / grid->columns * grid->side,
                            grid->side, grid->side};
    if ((uint32_t)map->width - area.x < area.width) area.width = (uint32_t)map->width - area.x;
    if ((uint32_t)map->height - area.y < area.height) area.height = (uint32_t)map->height - area.y;
    return area;
}

#endif

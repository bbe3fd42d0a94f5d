/* Which answers of a path database a change of the map reaches: cells whose rows have to be made again, and
 * classes of cells whose columns have. repair.c proves that these are enough. */
#ifndef WEND_CPD_REPAIR_REACH_H
#define WEND_CPD_REPAIR_REACH_H

#include "methods/cpd/repair/ranks.h"
#include <wend/cpd.h>

typedef struct wend_cpd_repair wend_cpd_repair;

struct wend_cpd_patch;

/* A cell of the rim, for a part beside it. */
typedef struct wend_cpd_rim {
    uint32_t part, block;
    wend_cell cell;
} wend_cpd_rim;

/* A cell of the new map as a target, by rank there. */
typedef struct wend_cpd_target {
    uint32_t base, delta; /* the distance to the part's first rim cell, and by what it has changed */
    uint32_t pattern;     /* class by distances to the part's rim */
    uint32_t class;       /* by patterns for all parts for which it has become another */
    uint8_t marks;
} wend_cpd_target;

/* A class: what another one is divided into, by a number. */
typedef struct wend_cpd_class {
    uint32_t of, by;
    uint32_t part;                /* of a target's class: the last part that it is reached for */
    wend_cell first;              /* of its cells */
    uint32_t count;               /* of its cells; 0: not one that needs a column */
    struct wend_cpd_patch *patch; /* its column, once it is made */
} wend_cpd_class;

typedef struct wend_cpd_classes {
    wend_cpd_class *list;
    size_t room;
    uint32_t count, last; /* how many there are, and the last one that was asked for; 0: none */
    uint32_t *index;      /* a hash table of places in the list; 0: none */
    size_t index_room;
} wend_cpd_classes;

typedef enum wend_cpd_reach_stage {
    WEND_REACH_BEGIN,
    WEND_REACH_CLEAR,   /* steps and parts */
    WEND_REACH_SEED,    /* around changed cells */
    WEND_REACH_GROW,    /* the area */
    WEND_REACH_PARTS,   /* of the rest of the map */
    WEND_REACH_RIMS,    /* of these */
    WEND_REACH_WEIGH,   /* whether to go on with this margin */
    WEND_REACH_TARGETS, /* all unreached */
    WEND_REACH_GROUP,   /* the next rim cells */
    WEND_REACH_OLD,     /* searches from these */
    WEND_REACH_NEW,
    WEND_REACH_FOLD, /* what a rim cell shows of the targets */
    WEND_REACH_PART, /* what the rim of a part does */
    WEND_REACH_AREA, /* rows of it */
    WEND_REACH_COUNT,
    WEND_REACH_CHOOSE, /* another margin or this one */
    WEND_REACH_DONE,
    WEND_REACH_ALL /* nothing is cheaper than all rows */
} wend_cpd_reach_stage;

typedef struct wend_cpd_reach {
    wend_many *many[2]; /* on the old map and on the new one */
    uint8_t *steps;     /* by cell: one more than from where it was seeded; 0: not of the area */
    uint32_t *part;     /* by cell: of what is beside the area; 0: none */
    wend_cell *queue;   /* of the flood of a part */
    uint32_t queue_begin, queue_end, parts;
    wend_cpd_rim *rims;
    size_t rim_room;
    uint32_t rim_count, groups;
    wend_cpd_target *targets;
    wend_cpd_classes classes;
    uint8_t *blocks; /* what is needed of each: WEND_CPD_NEEDS_... */
    uint32_t across, block_count;
    wend_cpd_reach_stage stage;
    uint32_t at;
    uint32_t margin, best, known; /* the margin under way, the best so far, and the one that is worked out */
    uint64_t cost, best_cost;     /* in tenths of a search */
    uint64_t spent;               /* on searches from rims */
    bool last;                    /* the margin is settled */
    uint32_t group, group_end;    /* of `rims` */
    uint32_t lane;
    bool first;  /* of the part's rim */
    bool inside; /* cells of the part are reached from others of it */
    uint8_t wanted[WEND_PATCH_LANES], both[WEND_PATCH_LANES];
} wend_cpd_reach;

/* With the ranks of both maps there. To be released in any case. */
bool wend_cpd_reach_begin(wend_cpd_repair *repair);
/* Goes on for about so many operations; done with stage WEND_REACH_DONE or WEND_REACH_ALL. */
wend_status wend_cpd_reach_go(wend_cpd_repair *repair, uint64_t operations, uint64_t *spent);
/* Lets go of what is of no use any more once it is done. */
void wend_cpd_reach_rest(wend_cpd_repair *repair);
void wend_cpd_reach_release(wend_cpd_repair *repair);

/* Of the block of a cell. */
uint32_t wend_cpd_block_of(const wend_cpd_repair *repair, wend_cell cell);
/* Marks of targets. */
enum { WEND_TARGET_VARIES = 1, WEND_TARGET_OTHER = 2, WEND_TARGET_APART = 4, WEND_TARGET_REACHED = 8 };

#endif

/* The inside of wend_components: a binary tree of strips of rows. A leaf is a strip of WEND_STRIP_ROWS rows,
 * an inner strip is two neighbouring ones together, the root is the map. Each strip numbers the components of
 * its own rows: first those that touch a neighbouring strip, which go on to be parts of the strip above it in
 * the tree, then those that are complete. So a changed cell concerns its leaf and the strips above that, at
 * most a dozen, and of each of these only the rows along its seam and its borders.
 *
 * Runs of open cells stand for their cells. Two runs of a row are at least one cell apart, so the run that
 * begins at x has slot x / 2 of its row to itself. */
#ifndef WEND_GRID_COMPONENTS_H
#define WEND_GRID_COMPONENTS_H

#include "grid/map.h"

#define WEND_NO_STRIP UINT32_MAX

/* While a strip is being numbered its slots (for an inner strip, entries for the components of its two
 * strips) are a forest by rank: an entry is a root with its rank, the index of its parent, or has its number
 * already. Ranks and so depths are at most 18, since there are at most 2^18 entries. */
#define WEND_ENTRY_ROOT 0x80000000u
#define WEND_ENTRY_NUMBERED 0x40000000u
#define WEND_ENTRY_VALUE 0x3fffffffu

typedef struct wend_strip {
    uint32_t first, end;     /* rows, without the end */
    uint32_t upper, lower;   /* the strips that it consists of; WEND_NO_STRIP for a leaf */
    uint32_t whole;          /* the strip that it is part of; WEND_NO_STRIP for the root */
    uint32_t open, total;    /* numbers below `open` go on; those from there to `total` are complete */
    uint32_t base;           /* label of the number 0 */
    uint32_t *north, *south; /* by slot: the runs' numbers in the first and in the last row; a leaf has its
                                other rows between the two */
    uint32_t *size;          /* by number, in cells */
    uint32_t *part;          /* by number below `open`: the number in `whole` */
} wend_strip;

/* A run of open cells, both ends included; WEND_NO_SPAN is behind the last of a row. */
typedef struct wend_span {
    uint32_t first, last;
} wend_span;
#define WEND_NO_SPAN UINT32_MAX

typedef enum wend_settling_phase {
    WEND_SETTLING_NEXT,    /* look for a strip to renew */
    WEND_SETTLING_COPY,    /* a leaf: take in its cells */
    WEND_SETTLING_JOIN,    /* walk along two rows and join runs that touch */
    WEND_SETTLING_BORDERS, /* number what touches a neighbouring strip */
    WEND_SETTLING_REST     /* number the rest */
} wend_settling_phase;

/* Where the renewal of a strip was left off. */
typedef struct wend_settling {
    wend_settling_phase phase;
    uint32_t strip;
    uint32_t row;           /* of the map; while joining, the southern of the two */
    uint32_t at;            /* a word, bit or entry, as the phase counts */
    bool started;           /* joining: whether `north` and `south` are set */
    bool differs;           /* copying: whether a cell has changed */
    wend_span north, south; /* joining: a run in either row */
    uint32_t open, total;   /* numbers given so far; `open` once the borders are done */
} wend_settling;

struct wend_components {
    int32_t width, height;
    uint32_t cells;
    bool diagonal; /* whether cells that touch at a corner only are joined */
    bool sure;
    uint64_t revision; /* of the map, up to which its changes were noted */
    uint32_t count;    /* components */
    uint32_t slots;    /* of a row */
    uint32_t leaves, strip_count;
    wend_strip *strips; /* leaves from north to south, then inner ones, parts first: the root is last */
    uint64_t *stale;    /* one bit per strip */
    uint32_t stale_words;
    uint8_t *bits; /* the cells as last taken in, in rows as the map has them, without its first and last */
    size_t row_bytes, bits_bytes;
    uint32_t *numbers; /* all that strips point to, then `entries` */
    size_t number_count;
    uint32_t *entries; /* of the inner strip that is being renewed: 4 * slots */
    wend_settling settling;
    uint64_t debt; /* operations that calls used beyond what they were given */
    wend_allocator allocator;
};

/* Whether the labels match the map as it is. */
WEND_INLINE bool wend_components_current(const wend_components *components, const wend_map *map) {
    return components->sure && components->revision == map->revision;
}

WEND_INLINE const uint8_t *wend_components_row(const wend_components *components, uint32_t y) {
    return components->bits + y * components->row_bytes;
}

#endif

/* Path databases in the forms of the paper (Botea, AIIDE 2011) and of what it compares with: for each cell a
 * list of records with its first moves. What a record is differs by form: a homogeneous rectangle
 * (rectangles.c), a square of a quad-tree (quadtree.c), or a byte of the uncompressed table (upd.c). The rest
 * is the same for all of them: the file, its building and checking, and who asks.
 *
 * Sources stand in the order of wend_ranks_create: components from the largest on, their cells by number. */
#ifndef WEND_CPD_LISTS_LIST_H
#define WEND_CPD_LISTS_LIST_H

#include "db/kind.h"
#include "methods/cpd/build/estimate.h"
#include "methods/cpd/build/parcel.h"

/* What an encoder sees of one source: sets of optimal moves, or one move of each where ties are broken by
 * label (a bit in both cases), towards every cell of its component. Where no cell of the component is, and at
 * the source itself, any move will do: all bits are set. */
typedef struct wend_cpd_table {
    const wend_ranks *ranks;
    wend_allocator allocator;
    uint32_t component, cells; /* which, and its size */
    uint32_t x, y;             /* of its box on the map, north-west */
    uint32_t width, height;    /* of the box */
    uint32_t place_room;       /* cells of the largest component */
    uint32_t *place;           /* by rank within the component: where it is in `rows` */
    uint32_t *turned;          /* and in `columns` */
    uint16_t *xs, *ys;         /* its column and row */
    uint8_t *rows, *columns;   /* the box, row by row and column by column */
    uint32_t *areas;           /* (height + 1) x (width + 1): cells of the component north-west of a corner */
    size_t box_room, area_room;
} wend_cpd_table;

void wend_cpd_table_init(wend_cpd_table *table, const wend_ranks *ranks, const wend_allocator *allocator);
void wend_cpd_table_release(wend_cpd_table *table);
/* Makes it a component's. False: no memory. */
bool wend_cpd_table_take(wend_cpd_table *table, uint32_t component);
/* Fills in what a source has, by rank within the component: sets of moves as wend_cpd_parcel_sets gives them.
 * `source` is its own rank. */
void wend_cpd_table_fill(wend_cpd_table *table, uint32_t source, const uint16_t *sets, bool label);
/* Bytes of one, of maps of this size and components of at most so many cells. */
size_t wend_cpd_table_bytes(const wend_map *map, uint32_t most_cells);

/* Cells of the component in columns x1 to x2 and rows y1 to y2 of the box, ends included. */
WEND_INLINE uint32_t wend_cpd_area(const wend_cpd_table *table, uint32_t x1, uint32_t y1, uint32_t x2,
                                   uint32_t y2) {
    const size_t stride = (size_t)table->width + 1;
    const uint32_t *north = table->areas + y1 * stride, *south = table->areas + (y2 + (size_t)1) * stride;
    return south[x2 + 1] - south[x1] - north[x2 + 1] + north[x1];
}

/* The moves that `count` cells in a row have in common, and `set` with them. Stops early where it is none. */
uint32_t wend_cpd_common(const uint8_t *cells, uint32_t count, uint32_t set);

/* One move of a set that is not empty: a diagonal one where there is one. */
WEND_INLINE uint32_t wend_cpd_label(uint32_t set) {
    return wend_lowest_bit(set & 0xaa ? set & 0xaa : set & 255);
}

/* The move that stands in the paper's tables for a set: of several, 'the one that favours obtaining
 * straighter borders between clusters'. That is read as the greedy move: the diagonal towards the target, and
 * straight on to one that lies straight ahead, which is one of the four narrow rectangles around the source.
 * Where it is not optimal, as above. (With diagonal moves first there too, AR0404SR has 183,481 rectangles,
 * AR0700SR 5,074,396 and 6.25 checks; so 170,802, 4,918,180 and 6.17; the paper 184,034, about 5 million
 * and 6.2.) */
WEND_INLINE uint32_t wend_cpd_table_move(const wend_cpd_table *table, uint32_t source, uint32_t target,
                                         uint32_t set) {
    if (!(set & WEND_CPD_GREEDY_BIT)) return wend_cpd_label(set);
    return wend_greedy_move(table->ranks->map->rules.connect,
                            (int32_t)table->xs[target] - (int32_t)table->xs[source],
                            (int32_t)table->ys[target] - (int32_t)table->ys[source]);
}

typedef struct wend_cpd_lists wend_cpd_lists;

/* How a form writes, checks and reads its records. */
typedef struct wend_cpd_form {
    const char *records; /* what they are called in facts: "rectangles" */
    /* Bits of a record, at most 64. */
    uint32_t (*record_bits)(int32_t width, int32_t height);
    /* Adds the list of one source; `sets` as wend_cpd_table_fill takes them. The table is that of its
     * component, filled in if `wants_table`. `room` is `scratch_bytes` of the worker's. */
    bool wants_table;
    size_t (*scratch_bytes)(uint32_t most_cells); /* NULL: none */
    bool (*write)(const wend_cpd_lists *base, wend_cpd_table *table, uint32_t source, const uint16_t *sets,
                  void *scratch, wend_buffer *result);
    /* Whether a list can be trusted: `source` and `cells` are the rank within its component and that
     * component's size. */
    bool (*check)(const wend_cpd_lists *base, const uint8_t *list, uint32_t count, uint32_t source,
                  uint32_t cells);
    /* The move towards a target, WEND_CPD_NO_WAY if the list does not tell. Adds the number of records that
     * it looked at. */
    uint32_t (*find)(const wend_cpd_lists *base, const uint8_t *list, uint32_t count, wend_cell to,
                     uint32_t target, uint64_t *looked);
    /* Most records that `find` looks at in a list of so many. */
    uint32_t (*most_looks)(uint32_t count);
} wend_cpd_form;

/* An open database of such a form; or, with settings alone, what a builder writes. */
struct wend_cpd_lists {
    const wend_cpd_form *form;
    bool label;              /* ties=label */
    uint32_t record_bytes;   /* of a record */
    uint32_t x_bits, y_bits; /* of a column and a row */
    uint32_t levels;         /* of the quad-tree's root above a cell */
    uint32_t cells;          /* of the map */
    int32_t width, height;
    uint64_t row_of_cell; /* as a map's */
    uint32_t sources, components;
    const uint32_t *sizes; /* of the components */
    uint64_t *begins;      /* by rank, in records; one more, the end */
    const uint8_t *records;
    uint64_t record_count;
    uint32_t longest; /* list */
    bool ranked;      /* `ranks` is there: it was opened with a map */
    wend_ranks ranks;
};

wend_status wend_cpd_lists_open(wend_db *db, wend_error *error);

/* The lists of an open path database, of whatever kind; NULL if it has runs. */
WEND_INLINE const wend_cpd_lists *wend_cpd_lists_of(const wend_db *db) {
    return db->form->open == wend_cpd_lists_open ? db->state : NULL;
}

/* As wend_cpd_look_up, of a database that was opened with its map. Adds what was looked at. */
uint32_t wend_cpd_list_move(const wend_cpd_lists *base, wend_cell from, wend_cell to, uint64_t *looked);
/* Operations of one, at most: they grow with the longest list. */
uint64_t wend_cpd_list_bound(const wend_cpd_lists *base);

/* A record's bits, from the list's `index`. Eight bytes are read: so many stand behind the last one. */
WEND_INLINE uint64_t wend_cpd_record(const wend_cpd_lists *base, const uint8_t *list, uint32_t index) {
    return wend_load64(list + (size_t)index * base->record_bytes) &
           (UINT64_MAX >> (64 - 8 * base->record_bytes));
}

bool wend_cpd_add_record(const wend_cpd_lists *base, uint64_t record, wend_buffer *result);

/* How records are laid out on a map of this size. */
void wend_cpd_lists_init(wend_cpd_lists *base, const wend_cpd_form *form, const wend_settings *settings,
                         int32_t width, int32_t height);

extern const wend_cpd_form wend_cpd_rectangles, wend_cpd_squares, wend_cpd_moves, wend_cpd_move_sets;

/* Proposition 1 of the paper: how many rectangles of a source are looked at before the right one is found,
 * the mean over all targets, in units of 1 / WEND_CPD_CHECK so that sums do not depend on their order. */
enum { WEND_CPD_CHECK = 1 << 16 };
uint64_t wend_cpd_list_checks(const wend_cpd_lists *base, const wend_cpd_table *table, const uint8_t *list,
                              uint32_t count);
/* The mean of that over all sources of a database; negative without a map, rectangles or memory. */
double wend_cpd_mean_checks(const wend_db *db);

/* The rows of a kind's table, by form: facts ... (list.c) and prepare, job ... (build.c). */
const wend_cpd_form *wend_cpd_form_of(const wend_settings *settings);
void wend_cpd_lists_close(wend_db *db);
size_t wend_cpd_lists_facts(const wend_db *db, wend_fact *facts, size_t capacity);
wend_status wend_cpd_lists_prepare(wend_builder *builder, wend_error *error);
wend_status wend_cpd_lists_job(wend_builder *builder, uint32_t job, uint32_t worker, wend_buffer *result);
wend_status wend_cpd_lists_finish(wend_builder *builder, const wend_buffer *results, wend_error *error);
void wend_cpd_lists_release(wend_builder *builder);
wend_status wend_cpd_lists_verify_prepare(wend_verifier *verifier, wend_error *error);
wend_status wend_cpd_lists_verify(wend_verifier *verifier, uint64_t job, uint32_t worker, wend_error *error);
void wend_cpd_lists_verify_release(wend_verifier *verifier);

#define WEND_CPD_LISTS                                                                                       \
    .open = wend_cpd_lists_open, .close = wend_cpd_lists_close, .facts = wend_cpd_lists_facts,               \
    .prepare = wend_cpd_lists_prepare, .job = wend_cpd_lists_job, .finish = wend_cpd_lists_finish,           \
    .release = wend_cpd_lists_release, .verify_prepare = wend_cpd_lists_verify_prepare,                      \
    .verify = wend_cpd_lists_verify, .verify_release = wend_cpd_lists_verify_release,                        \
    .estimate = wend_cpd_lists_estimate

#endif

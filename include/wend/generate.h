/* Maps and problems made from a seed: the same bytes on every machine. */
#ifndef WEND_GENERATE_H
#define WEND_GENERATE_H

#include "map.h"
#include "scenario.h"

#ifdef __cplusplus
extern "C" {
#endif

/* In brackets the kinds' own defaults. All but `random` give one component under any rules, and every kind
 * works from 1 x 1 up and has an open cell (but for `random` at 100 per cent). */
typedef enum wend_map_kind {
    WEND_MAP_OPEN = 0,   /* no walls at all */
    WEND_MAP_RANDOM = 1, /* each cell blocked with a chance of `density` (25) per cent */
    WEND_MAP_ROOMS = 2,  /* rooms of about `size` (16) cells a side, doors in their walls */
    WEND_MAP_MAZE = 3,   /* a perfect maze, corridors `size` (4) cells wide */
    WEND_MAP_CAVES = 4,  /* caves from `density` (50) per cent rock, halls about `size` (24) cells apart */
    WEND_MAP_CITY = 5,   /* houses of about `size` (24) cells between streets, with yards and squares */
    WEND_MAP_SHAPES = 6, /* halls about `size` (128) cells apart with slanted walls, as drawn with vectors */
    WEND_MAP_JOINED = 7, /* maps of the other kinds, about `size` (256) cells a side, joined by corridors */
    WEND_MAP_KINDS
} wend_map_kind;

WEND_API const char *wend_map_kind_name(wend_map_kind kind); /* "open", "random", ... */

typedef struct wend_generate_options {
    uint32_t struct_size; /* set by wend_default_...() */
    uint64_t seed;        /* 1 */
    int32_t density;      /* per cent, 0 to 100; negative: the kind's own default */
    int32_t size;         /* cells; 0: the kind's own default */
    wend_map_options map; /* stays last, since it may grow */
} wend_generate_options;

/* For wend_default_generate_options(), and bindings: sets the defaults of the fields that lie within `size` bytes. */
WEND_API void wend_generate_options_init(wend_generate_options *options, size_t size);
static inline wend_generate_options wend_default_generate_options(void) {
    wend_generate_options options;
    wend_generate_options_init(&options, sizeof options);
    return options;
}

WEND_API wend_status wend_map_generate(wend_map_kind kind, int64_t width, int64_t height,
                                       const wend_generate_options *options, wend_map **map,
                                       wend_error *error);
/* Every cell becomes factor x factor cells. */
WEND_API wend_status wend_map_scale(const wend_map *map, int32_t factor, wend_map **scaled,
                                    wend_error *error);
/* A copy with floor(open * percent / 100) of its open cells blocked, each choice equally likely. With the
 * same seed, a larger per cent blocks all that a smaller one does. */
WEND_API wend_status wend_map_block(const wend_map *map, double percent, uint64_t seed, wend_map **blocked,
                                    wend_error *error);

/* The map as a body of body x body cells sees it: a cell is open iff the body can stand with its upper left
 * cell there, all of it on open cells. Moves are those of the map's rules: under `strict` corners the body
 * touches no wall on its way. Letters are not kept. */
#define WEND_MAX_BODY 4
WEND_API wend_status wend_map_for_body(const wend_map *map, int32_t body, wend_map **made, wend_error *error);

#define WEND_MAX_PROBLEMS 100000000

typedef struct wend_problems_options {
    uint32_t struct_size; /* set by wend_default_...() */
    uint64_t seed;        /* 1 */
    double min_length;    /* of the optimal path; 0 */
    double max_length;    /* infinite unless set */
    wend_allocator allocator;
} wend_problems_options;

/* For wend_default_problems_options(), and bindings: sets the defaults of the fields that lie within `size` bytes. */
WEND_API void wend_problems_options_init(wend_problems_options *options, size_t size);
static inline wend_problems_options wend_default_problems_options(void) {
    wend_problems_options options;
    wend_problems_options_init(&options, sizeof options);
    return options;
}

/* `count` solvable problems with start and goal drawn from the open cells of one component, and their exact
 * optimal lengths under the map's rules, from easy to hard. WEND_STATUS_UNSUPPORTED if the map has too few
 * such pairs: then `error` says how many were found. */
WEND_API wend_status wend_problems_generate(const wend_map *map, const char *map_name, size_t count,
                                            const wend_problems_options *options, wend_scenario **scenario,
                                            wend_error *error);

#ifdef __cplusplus
}
#endif
#endif

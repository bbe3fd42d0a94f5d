/// @file
/// Maps and problems made from a seed: the same bytes on every machine.
#ifndef WEND_GENERATE_H
#define WEND_GENERATE_H

#include "map.h"
#include "scenario.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a generated map looks like. In brackets the kind's own defaults. All but `random` give one component
/// under any rules. Every kind works from 1 x 1 up and has an open cell (but for `random` at 100 per cent).
typedef enum wend_map_kind {
    WEND_MAP_OPEN = 0,   ///< No walls at all.
    WEND_MAP_RANDOM = 1, ///< Each cell is blocked with a chance of `density` (25) per cent.
    WEND_MAP_ROOMS = 2,  ///< Rooms of about `size` (16) cells per side, with doors in their walls.
    WEND_MAP_MAZE = 3,   ///< A perfect maze, with corridors `size` (4) cells wide.
    WEND_MAP_CAVES = 4,  ///< Caves from `density` (50) per cent rock, halls about `size` (24) cells apart.
    WEND_MAP_CITY = 5,   ///< Houses of about `size` (24) cells between streets, with yards and squares.
    WEND_MAP_SHAPES = 6, ///< Halls about `size` (128) cells apart, slanted walls as drawn with vectors.
    WEND_MAP_JOINED = 7, ///< Maps of the other kinds, about `size` (256) cells per side, joined by corridors.
    WEND_MAP_KINDS       ///< The number of kinds.
} wend_map_kind;

/// The kind's name: "open", "random" and so on; "unknown" for no kind.
WEND_API const char *wend_map_kind_name(wend_map_kind kind);

/// Options of wend_map_generate.
typedef struct wend_generate_options {
    /// Set by wend_default_generate_options.
    uint32_t struct_size;
    /// Any number. Default 1.
    uint64_t seed;
    /// Per cent, 0 to 100. Negative: the kind's own default. Default -1.
    int32_t density;
    /// Cells, at most WEND_MAX_SIDE. 0: the kind's own default. Default 0.
    int32_t size;
    /// Rules, terrain and allocator of the map. It stays last, since it may grow.
    wend_map_options map;
} wend_generate_options;

/// Sets the defaults of the fields that lie within `size` bytes. For wend_default_generate_options and bindings.
WEND_API void wend_generate_options_init(wend_generate_options *options, size_t size);
/// The default options.
static inline wend_generate_options wend_default_generate_options(void) {
    wend_generate_options options;
    wend_generate_options_init(&options, sizeof options);
    return options;
}

/// Makes a map of a kind. `width` and `height` are in cells, from 1 to WEND_MAX_SIDE.
WEND_API wend_status wend_map_generate(wend_map_kind kind, int64_t width, int64_t height,
                                       const wend_generate_options *options, wend_map **map,
                                       wend_error *error);
/// A larger copy: every cell becomes factor x factor cells. `factor` is at least 1.
WEND_API wend_status wend_map_scale(const wend_map *map, int32_t factor, wend_map **scaled,
                                    wend_error *error);
/// A copy with floor(open * percent / 100) of its open cells blocked, each choice equally likely. With the same
/// seed, a larger per cent blocks all that a smaller one does.
WEND_API wend_status wend_map_block(const wend_map *map, double percent, uint64_t seed, wend_map **blocked,
                                    wend_error *error);

/// The largest body, in cells per side.
#define WEND_MAX_BODY 4
/// The map as a body of body x body cells sees it, `body` from 1 to WEND_MAX_BODY. A cell is open iff the body
/// can stand with its upper left cell there, all of it on open cells. Moves are those of the map's rules: under
/// `strict` corners the body touches no wall on its way. Letters are not kept.
WEND_API wend_status wend_map_for_body(const wend_map *map, int32_t body, wend_map **made, wend_error *error);

/// The most problems that wend_problems_generate makes.
#define WEND_MAX_PROBLEMS 100000000

/// Options of wend_problems_generate.
typedef struct wend_problems_options {
    /// Set by wend_default_problems_options.
    uint32_t struct_size;
    /// Any number. Default 1.
    uint64_t seed;
    /// The least length of the optimal path. Default 0.
    double min_length;
    /// The greatest length of the optimal path. Default infinite.
    double max_length;
    /// Where memory comes from. Default: the C library's.
    wend_allocator allocator;
} wend_problems_options;

/// Sets the defaults of the fields that lie within `size` bytes. For wend_default_problems_options and bindings.
WEND_API void wend_problems_options_init(wend_problems_options *options, size_t size);
/// The default options.
static inline wend_problems_options wend_default_problems_options(void) {
    wend_problems_options options;
    wend_problems_options_init(&options, sizeof options);
    return options;
}

/// Makes solvable problems with their exact optimal lengths under the map's rules, from easy to hard. Start and
/// goal are drawn from the open cells of one component. WEND_STATUS_UNSUPPORTED if the map has too few such
/// pairs: `error` then says how many were found.
/// @param map      the map
/// @param map_name its name in the scenario
/// @param count    the number of problems, at most WEND_MAX_PROBLEMS
/// @param options  seed and lengths
/// @param scenario gets the problems
/// @param error    may be NULL
WEND_API wend_status wend_problems_generate(const wend_map *map, const char *map_name, size_t count,
                                            const wend_problems_options *options, wend_scenario **scenario,
                                            wend_error *error);

#ifdef __cplusplus
}
#endif
#endif

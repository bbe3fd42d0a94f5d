/* Pictures of maps with paths over them. */
#ifndef WEND_TOOLS_REPORT_PICTURE_H
#define WEND_TOOLS_REPORT_PICTURE_H

#include "report/canvas.h"

enum { TOOL_PICTURE_MOST_SCALE = 256 };

typedef struct tool_picture_path {
    wend_cell start, goal;       /* on the map */
    const wend_direction *moves; /* from the start */
    size_t move_count;
    bool arrived;  /* at the goal; otherwise the goal's mark is hollow */
    size_t colour; /* a number: the same number, the same colour */
} tool_picture_path;

/* A cell that was walked on. */
typedef struct tool_picture_visit {
    wend_cell cell;
    uint32_t times; /* at least 1 */
} tool_picture_visit;

/* All zero is a picture of a sensible size: cells magnified by a whole factor to fill up to 1,600 pixels,
 * maps of over 2,048 cells per side reduced by a whole factor. */
typedef struct tool_picture_options {
    int scale;                  /* pixels per cell; 0: chosen */
    bool bold;                  /* paths that are seen in a picture shown at half its size */
    int pixels;                 /* the most along the longer side; 0: chosen; not with `scale` */
    const wend_knowledge *seen; /* cells that it never saw are dim; NULL: none are */
    const uint8_t *covered;     /* one byte per cell: open cells are tinted by it, 0 or 1; NULL: none are */
    /* A heat map: cells coloured by how often they were visited, pale blue for once, then from yellow to dark
     * red for the most; NULL: none are. */
    const tool_picture_visit *visits;
    size_t visit_count;
} tool_picture_options;

/* Terrain has colours of its own where the map was read with its letters. WEND_STATUS_TOO_LARGE for over 2^26
 * pixels. */
wend_status tool_picture_make(const wend_map *map, const tool_picture_path *paths, size_t path_count,
                              const tool_picture_options *options, wend_bytes *png, wend_error *error);
/* How it is laid out: `scale` pixels per cell, or `reduce` cells per pixel; one of them is 1. */
typedef struct tool_picture_layout {
    uint32_t scale, reduce;
    uint32_t width, height; /* in pixels */
} tool_picture_layout;
wend_status tool_picture_lay_out(const wend_map *map, const tool_picture_options *options,
                                 tool_picture_layout *layout, wend_error *error);
/* The ground alone, on the upper part of a canvas that is as wide as the picture. */
wend_status tool_picture_ground(const wend_map *map, const tool_picture_options *options,
                                const tool_picture_layout *layout, tool_canvas *canvas, wend_error *error);
/* What floor and walls look like there, dim where they were not seen. */
tool_colour tool_picture_colour(bool open, bool seen);
/* The same into a file ("-" is standard output); complains on stderr and returns false. */
bool tool_picture_save(const char *file, const wend_map *map, const tool_picture_path *paths,
                       size_t path_count, const tool_picture_options *options);

#endif

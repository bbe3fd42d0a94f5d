/* A picture in memory that smooth lines and small marks are drawn on. Coordinates are pixels, with 0,0 the
 * upper left corner of the upper left pixel; what falls outside is cut off. */
#ifndef WEND_TOOLS_REPORT_CANVAS_H
#define WEND_TOOLS_REPORT_CANVAS_H

#include "formats/files.h"

typedef struct tool_colour {
    uint8_t r, g, b;
} tool_colour;

typedef struct tool_point {
    float x, y;
} tool_point;

typedef struct tool_canvas {
    uint32_t width, height;
    uint8_t *rgb;
    uint8_t *mask; /* how much of each pixel the shape being drawn covers; all 0 between calls */
} tool_canvas;

/* Black. On failure nothing has to be destroyed. */
wend_status tool_canvas_create(uint32_t width, uint32_t height, tool_canvas *canvas, wend_error *error);
void tool_canvas_destroy(tool_canvas *canvas);

tool_colour tool_mix(tool_colour a, tool_colour b, float share_of_b);
/* Colour number `index` of an endless row, neighbours in it far apart to the eye, all readable on a light
 * ground. */
tool_colour tool_distinct_colour(size_t index);

/* A line through the points with round joints and ends, `width` pixels wide; where it meets itself it is not
 * darker. */
void tool_canvas_line(tool_canvas *canvas, const tool_point *points, size_t count, float width,
                      tool_colour colour, float opacity);

typedef enum tool_mark { TOOL_MARK_DISC, TOOL_MARK_SQUARE, TOOL_MARK_STAR } tool_mark;
/* `radius` is that of the circle around it. */
void tool_canvas_mark(tool_canvas *canvas, tool_mark mark, tool_point centre, float radius,
                      tool_colour colour, float opacity);

/* A rectangle. */
void tool_canvas_fill(tool_canvas *canvas, uint32_t left, uint32_t top, uint32_t width, uint32_t height,
                      tool_colour colour);

/* font.c: a line of small letters, `scale` pixels a dot. */
enum { TOOL_TEXT_HEIGHT = 9 }; /* in dots */
uint32_t tool_canvas_text_width(const char *text, uint32_t scale);
void tool_canvas_text(tool_canvas *canvas, uint32_t left, uint32_t top, const char *text, uint32_t scale,
                      tool_colour colour);

#endif

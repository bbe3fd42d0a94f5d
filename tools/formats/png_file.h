/* PNG files: maps in and out, pictures out. */
#ifndef WEND_TOOLS_FORMATS_PNG_FILE_H
#define WEND_TOOLS_FORMATS_PNG_FILE_H

#include "formats/files.h"

enum { TOOL_PNG_MOST_COLOURS = 256 };

/* Which pixels are open: those at least as light as `threshold` (0 to 255), or, where colours are listed,
 * exactly those colours. Colours are the file's numbers at 8 bits a channel: gamma and profiles are not
 * applied. What is transparent is seen over white. */
typedef struct tool_png_options {
    int threshold;
    uint32_t open[TOOL_PNG_MOST_COLOURS]; /* 0xRRGGBB */
    size_t open_count;
} tool_png_options;

tool_png_options tool_default_png_options(void);

/* A picture of any colour type, depth and interlacing; a pixel is a cell. Sizes are checked before anything
 * is allocated: against WEND_MAX_SIDE, and against the length of the data, since deflate can't pack more than
 * 1,032 to 1. */
wend_status tool_png_parse(const void *data, size_t size, const tool_png_options *pixels,
                           const wend_map_options *options, wend_map **map, wend_error *error);

/* A map as a picture of one bit per cell: open is white. */
wend_status tool_png_from_map(const wend_map *map, wend_bytes *png, wend_error *error);

/* Three bytes a pixel, row after row. */
wend_status tool_png_from_rgb(const uint8_t *rgb, uint32_t width, uint32_t height, wend_bytes *png,
                              wend_error *error);

#endif

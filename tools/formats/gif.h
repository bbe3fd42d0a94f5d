/* Moving pictures as GIF files: pictures of palette colours, one after another, each stored as what differs
 * from the one before. */
#ifndef WEND_TOOLS_FORMATS_GIF_H
#define WEND_TOOLS_FORMATS_GIF_H

#include "formats/files.h"
#include "report/canvas.h"

enum { TOOL_GIF_COLOURS = 255 }; /* at most: one number more means: as before */

typedef struct tool_gif {
    uint32_t width, height; /* at most 65,535 */
    uint32_t delay;         /* of each picture, in hundredths of a second */
    wend_bytes bytes;       /* the file so far */
    uint8_t *last;          /* the picture before */
    uint8_t same;           /* the number that stands for a pixel as it was: behind the palette's last */
    uint8_t letter_bits;    /* of a palette number */
    uint16_t *table;        /* the coder's, by code and letter */
    size_t pictures;
} tool_gif;

/* Played round and round. On failure nothing has to be released. */
wend_status tool_gif_begin(tool_gif *gif, uint32_t width, uint32_t height, const tool_colour *palette,
                           size_t colours, uint32_t delay, wend_error *error);
/* A byte a pixel, below the number of colours. */
wend_status tool_gif_add(tool_gif *gif, const uint8_t *pixels, wend_error *error);
/* Closes what is in gif->bytes. */
wend_status tool_gif_end(tool_gif *gif, wend_error *error);
void tool_gif_release(tool_gif *gif);

#endif

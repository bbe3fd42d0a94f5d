/* GIF89a (CompuServe, 1990), with Lempel-Ziv-Welch codes of growing width as in its appendix F. */
#include "formats/gif.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_LETTER_BITS = 2, MOST_BITS = 12, MOST_CODES = 1 << MOST_BITS, BLOCK = 255 };

static wend_status add(tool_gif *gif, const void *data, size_t size, wend_error *error) {
    if (tool_bytes_append(&gif->bytes, data, size)) return WEND_OK;
    return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for a moving picture of %zu pictures",
                     gif->pictures);
}

static void put16(uint8_t *at, uint32_t value) {
    at[0] = (uint8_t)value, at[1] = (uint8_t)(value >> 8);
}

wend_status tool_gif_begin(tool_gif *gif, uint32_t width, uint32_t height, const tool_colour *palette,
                           size_t colours, uint32_t delay, wend_error *error) {
    if (!width || !height || width > UINT16_MAX || height > UINT16_MAX || colours > TOOL_GIF_COLOURS)
        return wend_fail(error, WEND_STATUS_TOO_LARGE, "a GIF of %lu x %lu pixels and %zu colours",
                         (unsigned long)width, (unsigned long)height, colours);
    *gif = (tool_gif){.width = width, .height = height, .delay = delay, .same = (uint8_t)colours};
    gif->letter_bits = LEAST_LETTER_BITS;
    while (colours >> gif->letter_bits) gif->letter_bits++;
    size_t pixels = (size_t)width * height, letters = (size_t)1 << gif->letter_bits;
    gif->last = malloc(pixels);
    gif->table = malloc(sizeof *gif->table * MOST_CODES * letters);
    uint8_t head[13 + 3 * 256] = "GIF89a";
    put16(head + 6, width), put16(head + 8, height);
    head[10] =
        (uint8_t)(0xf0 | (gif->letter_bits - 1)); /* a palette of so many bits, eight bits per colour */
    for (size_t i = 0; i < colours; i++) {
        head[13 + 3 * i] = palette[i].r, head[14 + 3 * i] = palette[i].g, head[15 + 3 * i] = palette[i].b;
    }
    static const uint8_t forever[19] = "\x21\xff\x0bNETSCAPE2.0\x03\x01";
    wend_status status = gif->last && gif->table ? add(gif, head, 13 + 3 * letters, error)
                                                 : wend_fail(error, WEND_STATUS_NO_MEMORY,
                                                             "no memory for pictures of %zu pixels", pixels);
    if (status == WEND_OK) status = add(gif, forever, sizeof forever, error);
    if (status != WEND_OK) tool_gif_release(gif);
    return status;
}

void tool_gif_release(tool_gif *gif) {
    free(gif->last);
    free(gif->table);
    tool_bytes_release(&gif->bytes);
    *gif = (tool_gif){0};
}

/* Codes -------------------------------------------------------------------------------------------------- */

/* Codes become bits, bits become bytes, bytes stand in blocks. */
typedef struct packer {
    tool_gif *gif;
    uint32_t bits, count;
    uint8_t block[1 + BLOCK]; /* its length in front */
    wend_status status;
    wend_error *error;
} packer;

static void flush_block(packer *p) {
    if (p->block[0] && p->status == WEND_OK)
        p->status = add(p->gif, p->block, (size_t)p->block[0] + 1, p->error);
    p->block[0] = 0;
}

static void put_code(packer *p, uint32_t code, uint32_t width) {
    p->bits |= code << p->count;
    p->count += width;
    while (p->count >= 8) {
        p->block[++p->block[0]] = (uint8_t)p->bits;
        p->bits >>= 8, p->count -= 8;
        if (p->block[0] == BLOCK) flush_block(p);
    }
}

/* The rectangle of a picture that is written, its right column and lower row not included. */
typedef struct box {
    uint32_t left, top, right, bottom;
} box;

/* Letter by letter, the longest string that the table knows. A pixel that has not changed may be written as such
 * or by its colour, whichever makes the string longer. The table holds the code of a known string and a letter
 * behind it; 0: not known. */
static void compress(packer *p, const uint8_t *pixels, box b) {
    const tool_gif *gif = p->gif;
    uint16_t *table = gif->table;
    const uint32_t bits = gif->letter_bits, clear = 1u << bits, end = clear + 1;
    size_t table_bytes = (sizeof *table * MOST_CODES) << bits;
    uint32_t next = end + 1, width = bits + 1, string = 0;
    bool begun = false;
    memset(table, 0, table_bytes);
    put_code(p, clear, width);
    for (uint32_t y = b.top; y < b.bottom; y++)
        for (uint32_t x = b.left; x < b.right; x++) {
            size_t at = (size_t)y * gif->width + x;
            bool same = gif->pictures && pixels[at] == gif->last[at];
            uint32_t letter = same ? gif->same : pixels[at];
            if (!begun) {
                string = letter, begun = true;
                continue;
            }
            uint16_t *known = &table[(size_t)string << bits | letter];
            if (!*known && same && table[(size_t)string << bits | pixels[at]])
                known = &table[(size_t)string << bits | pixels[at]];
            if (*known) {
                string = *known;
                continue;
            }
            put_code(p, string, width);
            if (next == MOST_CODES) {
                put_code(p, clear, width);
                memset(table, 0, table_bytes);
                next = end + 1, width = bits + 1;
            } else {
                if (next == (1u << width)) width++; /* the reader comes to know this code one later */
                *known = (uint16_t)next++;
            }
            string = letter;
        }
    put_code(p, string, width);
    if (next == (1u << width) && width < MOST_BITS) width++;
    put_code(p, end, width);
    if (p->count) put_code(p, 0, 8 - p->count);
    flush_block(p);
}

/* Pictures ----------------------------------------------------------------------------------------------- */

/* Where a picture differs from the last; one pixel where it does not. */
static box differing(const tool_gif *gif, const uint8_t *pixels) {
    if (!gif->pictures) return (box){0, 0, gif->width, gif->height};
    box b = {gif->width, gif->height, 0, 0};
    for (uint32_t y = 0; y < gif->height; y++) {
        size_t row = (size_t)y * gif->width;
        if (memcmp(pixels + row, gif->last + row, gif->width) == 0) continue;
        if (y < b.top) b.top = y;
        b.bottom = y + 1;
        uint32_t first = 0, last = gif->width;
        while (pixels[row + first] == gif->last[row + first]) first++;
        while (pixels[row + last - 1] == gif->last[row + last - 1]) last--;
        if (first < b.left) b.left = first;
        if (last > b.right) b.right = last;
    }
    return b.bottom ? b : (box){0, 0, 1, 1};
}

wend_status tool_gif_add(tool_gif *gif, const uint8_t *pixels, wend_error *error) {
    box b = differing(gif, pixels);
    /* Left in place for the next one, with a transparent colour; then the place, and the letters' width. */
    uint8_t head[19] = {0x21, 0xf9, 4, 0x05, 0, 0, gif->same, 0, 0x2c};
    put16(head + 4, gif->delay);
    put16(head + 9, b.left), put16(head + 11, b.top);
    put16(head + 13, b.right - b.left), put16(head + 15, b.bottom - b.top);
    head[18] = gif->letter_bits;
    wend_status status = add(gif, head, sizeof head, error);
    packer p = {.gif = gif, .status = status, .error = error};
    compress(&p, pixels, b);
    if (p.status != WEND_OK) return p.status;
    memcpy(gif->last, pixels, (size_t)gif->width * gif->height);
    gif->pictures++;
    return add(gif, "", 1, error); /* a block of no bytes is the end */
}

wend_status tool_gif_end(tool_gif *gif, wend_error *error) {
    return add(gif, "\x3b", 1, error);
}

/* GIF89a (CompuServe, 1990), with Lempel-Ziv-Welch codes of growing width as in its appendix F. */
#include "formats/gif.h"

#include <stdlib.h>
#include <string.h>

enum {
    LETTER_BITS = 8,
    CLEAR = 1 << LETTER_BITS, /* the code that forgets all others */
    END,
    FIRST_CODE,
    MOST_BITS = 12,
    MOST_CODES = 1 << MOST_BITS,
    SAME = TOOL_GIF_COLOURS, /* the transparent colour */
    BLOCK = 255
};

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
    *gif = (tool_gif){.width = width, .height = height, .delay = delay};
    size_t pixels = (size_t)width * height;
    gif->last = malloc(pixels);
    gif->changes = malloc(pixels);
    gif->table = malloc(sizeof *gif->table * MOST_CODES * (1 << LETTER_BITS));
    uint8_t head[13 + 3 * 256] = "GIF89a";
    put16(head + 6, width), put16(head + 8, height);
    head[10] = 0xf7; /* a palette of 256, eight bits a colour */
    for (size_t i = 0; i < colours; i++) {
        head[13 + 3 * i] = palette[i].r, head[14 + 3 * i] = palette[i].g, head[15 + 3 * i] = palette[i].b;
    }
    static const uint8_t forever[19] = "\x21\xff\x0bNETSCAPE2.0\x03\x01";
    wend_status status =
        gif->last && gif->changes && gif->table
            ? add(gif, head, sizeof head, error)
            : wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for pictures of %zu pixels", pixels);
    if (status == WEND_OK) status = add(gif, forever, sizeof forever, error);
    if (status != WEND_OK) tool_gif_release(gif);
    return status;
}

void tool_gif_release(tool_gif *gif) {
    free(gif->last);
    free(gif->changes);
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

/* The table has the code of a known string and a letter behind it; 0: not known. */
static void compress(packer *p, const uint8_t *letters, size_t count) {
    uint16_t(*table)[1 << LETTER_BITS] = (uint16_t(*)[1 << LETTER_BITS])(void *)p->gif->table;
    size_t table_bytes = sizeof *table * MOST_CODES;
    uint32_t next = FIRST_CODE, width = LETTER_BITS + 1, string = letters[0];
    memset(table, 0, table_bytes);
    put_code(p, CLEAR, width);
    for (size_t i = 1; i < count; i++) {
        uint8_t letter = letters[i];
        if (table[string][letter]) {
            string = table[string][letter];
            continue;
        }
        put_code(p, string, width);
        if (next == MOST_CODES) {
            put_code(p, CLEAR, width);
            memset(table, 0, table_bytes);
            next = FIRST_CODE, width = LETTER_BITS + 1;
        } else {
            if (next == (1u << width)) width++; /* the reader comes to know this code one later */
            table[string][letter] = (uint16_t)next++;
        }
        string = letter;
    }
    put_code(p, string, width);
    if (next == (1u << width) && width < MOST_BITS) width++;
    put_code(p, END, width);
    if (p->count) put_code(p, 0, 8 - p->count);
    flush_block(p);
}

/* Pictures ----------------------------------------------------------------------------------------------- */

typedef struct box {
    uint32_t left, top, right, bottom; /* without the last two */
} box;

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
    uint32_t width = b.right - b.left, height = b.bottom - b.top;
    size_t count = 0;
    for (uint32_t y = b.top; y < b.bottom; y++)
        for (uint32_t x = b.left; x < b.right; x++) {
            size_t at = (size_t)y * gif->width + x;
            gif->changes[count++] = gif->pictures && pixels[at] == gif->last[at] ? SAME : pixels[at];
        }
    /* Left in place for the next one, with a transparent colour; then the place, and the letters' width. */
    uint8_t head[19] = {0x21, 0xf9, 4, 0x05, 0, 0, SAME, 0, 0x2c};
    put16(head + 4, gif->delay);
    put16(head + 9, b.left), put16(head + 11, b.top), put16(head + 13, width), put16(head + 15, height);
    head[18] = LETTER_BITS;
    wend_status status = add(gif, head, sizeof head, error);
    packer p = {.gif = gif, .status = status, .error = error};
    compress(&p, gif->changes, count);
    if (p.status != WEND_OK) return p.status;
    memcpy(gif->last, pixels, (size_t)gif->width * gif->height);
    gif->pictures++;
    return add(gif, "", 1, error); /* a block of no bytes is the end */
}

wend_status tool_gif_end(tool_gif *gif, wend_error *error) {
    return add(gif, "\x3b", 1, error);
}

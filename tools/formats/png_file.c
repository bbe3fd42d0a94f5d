/* libpng reports errors through a callback that must not return. The one place that it may jump to is the
 * setjmp of read_guarded or write_guarded, which change no local variable of their own. */
#include "formats/png_file.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

tool_png_options tool_default_png_options(void) {
    return (tool_png_options){.threshold = 128};
}

typedef struct reader {
    const uint8_t *data;
    size_t size, at;
    const tool_png_options *pixels;
    const wend_map_options *options;
    wend_error *error;
    wend_status status; /* of the first failure */
    png_structp png;
    png_infop info;
    wend_map *map;
    png_bytep row;     /* RGBA */
    char *letters;     /* of a row */
    uint8_t *gathered; /* of an interlaced picture: one bit per cell, set if open */
    char open, blocked;
} reader;

static void on_read_error(png_structp png, png_const_charp text) {
    reader *r = png_get_error_ptr(png);
    if (r->status == WEND_OK)
        r->status = wend_fail(r->error, WEND_STATUS_BAD_FIELD, "bad PNG, near byte %zu: %.120s", r->at, text);
    longjmp(png_jmpbuf(png), 1);
}

static void on_warning(png_structp png, png_const_charp text) {
    (void)png, (void)text;
}

static void read_bytes(png_structp png, png_bytep to, size_t count) {
    reader *r = png_get_io_ptr(png);
    if (count > r->size - r->at) {
        r->status = wend_fail(r->error, WEND_STATUS_CUT_SHORT,
                              "the file ends in the middle of the PNG, at byte %zu", r->size);
        png_error(png, "cut short");
    }
    memcpy(to, r->data + r->at, count);
    r->at += count;
}

static void stop(reader *r, wend_status status) {
    r->status = status;
    png_error(r->png, "stopped");
}

static bool is_open(const reader *r, const png_byte *pixel) {
    uint32_t alpha = pixel[3], c[3];
    for (int i = 0; i < 3; i++) c[i] = (pixel[i] * alpha + 255 * (255 - alpha) + 127) / 255;
    if (!r->pixels->open_count)
        return (int)((299 * c[0] + 587 * c[1] + 114 * c[2] + 500) / 1000) >= r->pixels->threshold;
    uint32_t colour = c[0] << 16 | c[1] << 8 | c[2];
    for (size_t i = 0; i < r->pixels->open_count; i++)
        if (r->pixels->open[i] == colour) return true;
    return false;
}

/* Checks the header's promises before anything is allocated for the picture. */
static void begin_picture(reader *r, uint32_t *width, uint32_t *height, bool *interlaced) {
    int depth, type, interlace;
    png_read_info(r->png, r->info);
    png_get_IHDR(r->png, r->info, width, height, &depth, &type, &interlace, NULL, NULL);
    *interlaced = interlace != PNG_INTERLACE_NONE;
    if (*width > WEND_MAX_SIDE || *height > WEND_MAX_SIDE)
        stop(r,
             wend_fail(r->error, WEND_STATUS_TOO_LARGE, "a picture of %lu x %lu pixels: at most %d per side",
                       (unsigned long)*width, (unsigned long)*height, WEND_MAX_SIDE));
    uint64_t bits = (uint64_t)depth * png_get_channels(r->png, r->info) * *width;
    if ((bits + 7) / 8 * *height / 1032 > r->size)
        stop(r,
             wend_fail(r->error, WEND_STATUS_CUT_SHORT, "%zu bytes can't hold a picture of %lu x %lu pixels",
                       r->size, (unsigned long)*width, (unsigned long)*height));
    png_set_expand(r->png);
    png_set_scale_16(r->png);
    png_set_gray_to_rgb(r->png);
    png_set_add_alpha(r->png, 255, PNG_FILLER_AFTER);
    png_read_update_info(r->png, r->info);

    wend_status status = wend_map_create(*width, *height, r->options, &r->map, r->error);
    if (status == WEND_OK) status = tool_plain_letters(r->options, &r->open, &r->blocked, r->error);
    if (status != WEND_OK) stop(r, status);
    r->row = malloc(4 * (size_t)*width);
    r->letters = malloc(*width);
    size_t row_bytes = (*width + 7) / 8;
    if (*interlaced) r->gathered = calloc(*height, row_bytes);
    if (!r->row || !r->letters || (*interlaced && !r->gathered))
        stop(r, wend_fail(r->error, WEND_STATUS_NO_MEMORY, "no memory for the picture"));
}

static void read_straight(reader *r, uint32_t width, uint32_t height) {
    for (uint32_t y = 0; y < height; y++) {
        png_read_row(r->png, r->row, NULL);
        for (uint32_t x = 0; x < width; x++)
            r->letters[x] = is_open(r, r->row + 4 * (size_t)x) ? r->open : r->blocked;
        wend_status status = wend_map_set_row(r->map, (int32_t)y, r->letters, r->error);
        if (status != WEND_OK) stop(r, status);
    }
}

/* The seven passes bring the pixels in another order: they are gathered as bits, then set row by row. */
static void read_interlaced(reader *r, uint32_t width, uint32_t height) {
    /* Where each pass of Adam7 begins, and its steps. */
    static const uint8_t first_x[7] = {0, 4, 0, 2, 0, 1, 0}, step_x[7] = {8, 8, 4, 4, 2, 2, 1},
                         first_y[7] = {0, 0, 4, 0, 2, 0, 1}, step_y[7] = {8, 8, 8, 4, 4, 2, 2};
    size_t row_bytes = (width + 7) / 8;
    for (int pass = 0; pass < 7; pass++) {
        if (first_x[pass] >= width) continue;
        for (uint32_t y = first_y[pass]; y < height; y += step_y[pass]) {
            png_read_row(r->png, r->row, NULL);
            const png_byte *pixel = r->row;
            for (uint32_t x = first_x[pass]; x < width; x += step_x[pass], pixel += 4)
                if (is_open(r, pixel)) r->gathered[y * row_bytes + x / 8] |= (uint8_t)(1u << (x & 7));
        }
    }
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++)
            r->letters[x] = r->gathered[y * row_bytes + x / 8] >> (x & 7) & 1 ? r->open : r->blocked;
        wend_status status = wend_map_set_row(r->map, (int32_t)y, r->letters, r->error);
        if (status != WEND_OK) stop(r, status);
    }
}

static void read_picture(reader *r) {
    uint32_t width, height;
    bool interlaced;
    begin_picture(r, &width, &height, &interlaced);
    if (interlaced)
        read_interlaced(r, width, height);
    else
        read_straight(r, width, height);
    png_read_end(r->png, NULL); /* so that a file cut behind its last row is noticed too */
}

static void read_guarded(reader *r) {
    if (setjmp(png_jmpbuf(r->png))) return;
    png_set_read_fn(r->png, r, read_bytes);
    /* The sizes are checked in begin_picture, with words of our own. */
    png_set_user_limits(r->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    /* Texts, profiles and times are passed over, so that nothing is unpacked for them. */
    png_set_keep_unknown_chunks(r->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    read_picture(r);
}

wend_status tool_png_parse(const void *data, size_t size, const tool_png_options *pixels,
                           const wend_map_options *options, wend_map **map, wend_error *error) {
    *map = NULL;
    if (size == 0) return wend_fail(error, WEND_STATUS_EMPTY_FILE, "the file is empty");
    static const uint8_t signature[8] = {137, 'P', 'N', 'G', '\r', '\n', 26, '\n'};
    if (memcmp(data, signature, size < 8 ? size : 8) != 0)
        return wend_fail(error, WEND_STATUS_BAD_MAGIC, "not a PNG file");
    reader r = {.data = data, .size = size, .pixels = pixels, .options = options, .error = error};
    r.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &r, on_read_error, on_warning);
    r.info = r.png ? png_create_info_struct(r.png) : NULL;
    if (r.info)
        read_guarded(&r);
    else
        r.status = wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory to read a PNG");
    png_destroy_read_struct(&r.png, &r.info, NULL);
    free(r.row);
    free(r.letters);
    free(r.gathered);
    if (r.status != WEND_OK) {
        wend_map_destroy(r.map);
        return r.status;
    }
    *map = r.map;
    return WEND_OK;
}

typedef struct writer {
    png_structp png;
    png_infop info;
    wend_bytes *bytes;
    wend_error *error;
    wend_status status;
    uint32_t width, height;
    const wend_map *map; /* or else rgb */
    const uint8_t *rgb;
    uint8_t *row;
} writer;

static void on_write_error(png_structp png, png_const_charp text) {
    writer *w = png_get_error_ptr(png);
    w->status = wend_fail(w->error, WEND_STATUS_NO_MEMORY, "can't make the PNG: %.120s", text);
    longjmp(png_jmpbuf(png), 1);
}

static void append_bytes(png_structp png, png_bytep from, size_t count) {
    writer *w = png_get_io_ptr(png);
    if (!tool_bytes_append(w->bytes, from, count)) png_error(png, "no memory");
}

static void flush_nothing(png_structp png) {
    (void)png;
}

static void write_guarded(writer *w) {
    if (setjmp(png_jmpbuf(w->png))) return;
    png_set_write_fn(w->png, w, append_bytes, flush_nothing);
    png_set_user_limits(w->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_IHDR(w->png, w->info, w->width, w->height, w->map ? 1 : 8,
                 w->map ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(w->png, 6);
    png_write_info(w->png, w->info);
    for (uint32_t y = 0; y < w->height; y++) {
        if (w->rgb) {
            png_write_row(w->png, w->rgb + 3 * (size_t)y * w->width);
            continue;
        }
        memset(w->row, 0, (w->width + 7) / 8);
        for (uint32_t x = 0; x < w->width; x++)
            if (wend_map_is_open(w->map, (int32_t)x, (int32_t)y))
                w->row[x / 8] |= (uint8_t)(0x80u >> (x & 7));
        png_write_row(w->png, w->row);
    }
    png_write_end(w->png, NULL);
}

static wend_status write_png(writer *w) {
    *w->bytes = (wend_bytes){NULL, 0, 0};
    w->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, w, on_write_error, on_warning);
    w->info = w->png ? png_create_info_struct(w->png) : NULL;
    w->row = malloc((w->width + 7) / 8);
    if (w->info && w->row)
        write_guarded(w);
    else
        w->status = wend_fail(w->error, WEND_STATUS_NO_MEMORY, "no memory to write a PNG");
    png_destroy_write_struct(&w->png, &w->info);
    free(w->row);
    if (w->status != WEND_OK) tool_bytes_release(w->bytes);
    return w->status;
}

wend_status tool_png_from_map(const wend_map *map, wend_bytes *png, wend_error *error) {
    writer w = {.bytes = png,
                .error = error,
                .map = map,
                .width = (uint32_t)wend_map_width(map),
                .height = (uint32_t)wend_map_height(map)};
    return write_png(&w);
}

wend_status tool_png_from_rgb(const uint8_t *rgb, uint32_t width, uint32_t height, wend_bytes *png,
                              wend_error *error) {
    writer w = {.bytes = png, .error = error, .rgb = rgb, .width = width, .height = height};
    return write_png(&w);
}

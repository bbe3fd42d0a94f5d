#include "formats/tiled_data.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

typedef enum data_packing { PLAIN, DEFLATE, ZSTD } data_packing;

struct tool_tiled_data {
    uint8_t *bytes;
    size_t size, at;
    data_packing packing;
    z_stream deflate;
    ZSTD_DStream *zstd;
    bool ended; /* the packed stream has come to its end */
};

static int base64_value(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Blanks between the letters are passed over, as Tiled does when reading. */
static wend_status decode_base64(const char *text, size_t length, uint8_t *to, size_t *size,
                                 wend_error *error) {
    uint32_t bits = 0;
    int held = 0;
    size_t n = 0, ends = 0, letters = 0;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (c == ' ' || c == '\n' || c == '\r' || c == '\t') continue;
        letters++;
        if (c == '=') {
            ends++;
            continue;
        }
        int value = base64_value(c);
        if (value < 0 || ends)
            return wend_fail(error, WEND_STATUS_BAD_FIELD, "the layer's data is no base64: letter %zu",
                             i + 1);
        bits = bits << 6 | (uint32_t)value;
        held += 6;
        if (held >= 8) {
            held -= 8;
            to[n++] = (uint8_t)(bits >> held);
        }
    }
    if (letters % 4 != 0 || ends > 2)
        return wend_fail(error, WEND_STATUS_CUT_SHORT, "the layer's base64 data ends in the middle");
    *size = n;
    return WEND_OK;
}

static wend_status begin_packing(tool_tiled_data *data, uint64_t expected, wend_error *error) {
    if (data->packing == DEFLATE) {
        data->deflate.next_in = data->bytes;
        /* 15: the largest window; 32: zlib or gzip, whichever the header says. */
        if (inflateInit2(&data->deflate, 15 + 32) != Z_OK)
            return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory to unpack the layer");
    } else if (data->packing == ZSTD) {
        data->zstd = ZSTD_createDStream();
        if (!data->zstd) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory to unpack the layer");
        /* Writers that don't know the size beforehand choose windows of up to 8 MiB; a larger one is for
         * nothing, unless the layer is larger too. */
        int window = 23;
        while (window < 27 && ((uint64_t)1 << window) < expected) window++;
        (void)ZSTD_DCtx_setParameter(data->zstd, ZSTD_d_windowLogMax, window);
    }
    return WEND_OK;
}

wend_status tool_tiled_data_open(const char *text, size_t length, const char *compression, uint64_t expected,
                                 tool_tiled_data **data, wend_error *error) {
    *data = NULL;
    /* How much a byte can unpack to at most: deflate 1,032; zstd a block of 128 KiB from four bytes. */
    data_packing packing;
    uint64_t ratio;
    if (!*compression)
        packing = PLAIN, ratio = 1;
    else if (strcmp(compression, "zlib") == 0 || strcmp(compression, "gzip") == 0)
        packing = DEFLATE, ratio = 1032;
    else if (strcmp(compression, "zstd") == 0)
        packing = ZSTD, ratio = 32768;
    else
        return wend_fail(error, WEND_STATUS_UNSUPPORTED, "the layer's compression '%.40s' is not supported",
                         compression);
    if (expected / ratio > length)
        return wend_fail(error, WEND_STATUS_CUT_SHORT, "the layer's data is too short for the map");

    tool_tiled_data *made = calloc(1, sizeof *made);
    if (!made) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory to unpack the layer");
    made->packing = packing;
    made->bytes = malloc(length / 4 * 3 + 3);
    wend_status status = made->bytes
                             ? decode_base64(text, length, made->bytes, &made->size, error)
                             : wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory to unpack the layer");
    if (status == WEND_OK) status = begin_packing(made, expected, error);
    if (status != WEND_OK) {
        tool_tiled_data_close(made);
        return status;
    }
    *data = made;
    return WEND_OK;
}

/* Each unpacks at most `count` bytes and says how many; fewer than asked means that the stream has ended. */
static wend_status read_deflate(tool_tiled_data *data, uint8_t *to, size_t count, size_t *got,
                                wend_error *error) {
    z_stream *z = &data->deflate;
    *got = 0;
    while (*got < count && !data->ended) {
        size_t left = data->size - data->at, room = count - *got;
        uInt in = left > UINT_MAX ? UINT_MAX : (uInt)left, out = room > UINT_MAX ? UINT_MAX : (uInt)room;
        z->avail_in = in, z->next_out = to + *got, z->avail_out = out;
        int result = inflate(z, Z_NO_FLUSH);
        data->at += in - z->avail_in;
        *got += out - z->avail_out;
        if (result == Z_STREAM_END)
            data->ended = true;
        else if (result == Z_BUF_ERROR)
            return wend_fail(error, WEND_STATUS_CUT_SHORT, "the layer's packed data ends in the middle");
        else if (result != Z_OK)
            return wend_fail(error, WEND_STATUS_BAD_FIELD, "the layer's packed data is damaged: %.80s",
                             z->msg ? z->msg : "zlib error");
    }
    return WEND_OK;
}

static wend_status read_zstd(tool_tiled_data *data, uint8_t *to, size_t count, size_t *got,
                             wend_error *error) {
    ZSTD_outBuffer out = {to, count, 0};
    ZSTD_inBuffer in = {data->bytes, data->size, data->at};
    while (out.pos < count && !data->ended) {
        size_t in_before = in.pos, out_before = out.pos;
        size_t result = ZSTD_decompressStream(data->zstd, &out, &in);
        if (ZSTD_isError(result))
            return wend_fail(error, WEND_STATUS_BAD_FIELD, "the layer's packed data is damaged: %.80s",
                             ZSTD_getErrorName(result));
        if (result == 0)
            data->ended = true;
        else if (in.pos == in_before && out.pos == out_before)
            return wend_fail(error, WEND_STATUS_CUT_SHORT, "the layer's packed data ends in the middle");
    }
    data->at = in.pos;
    *got = out.pos;
    return WEND_OK;
}

static wend_status read_some(tool_tiled_data *data, uint8_t *to, size_t count, size_t *got,
                             wend_error *error) {
    if (data->packing == DEFLATE) return read_deflate(data, to, count, got, error);
    if (data->packing == ZSTD) return read_zstd(data, to, count, got, error);
    *got = count < data->size - data->at ? count : data->size - data->at;
    memcpy(to, data->bytes + data->at, *got);
    data->at += *got;
    return WEND_OK;
}

wend_status tool_tiled_data_read(tool_tiled_data *data, uint8_t *to, size_t count, wend_error *error) {
    size_t got;
    wend_status status = read_some(data, to, count, &got, error);
    if (status == WEND_OK && got < count)
        return wend_fail(error, WEND_STATUS_CUT_SHORT, "the layer's data has fewer cells than the map");
    return status;
}

wend_status tool_tiled_data_end(tool_tiled_data *data, wend_error *error) {
    uint8_t more;
    size_t got;
    wend_status status = read_some(data, &more, 1, &got, error);
    if (status != WEND_OK) return status;
    if (got)
        return wend_fail(error, WEND_STATUS_ROWS_TOO_MANY, "the layer's data has more cells than the map");
    return WEND_OK;
}

void tool_tiled_data_close(tool_tiled_data *data) {
    if (!data) return;
    if (data->packing == DEFLATE) (void)inflateEnd(&data->deflate);
    if (data->zstd) (void)ZSTD_freeDStream(data->zstd);
    free(data->bytes);
    free(data);
}

/* PNG pictures as maps: any bytes give a map or an error with words, whatever counts as open. */
#include "formats/png_file.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Makes the checksums of all whole chunks right: without that, hardly any change gets past them. */
static void repair(uint8_t *data, size_t size) {
    for (size_t at = 8; size > at && size - at >= 12;) {
        uint8_t *p = data + at;
        size_t length = (size_t)p[0] << 24 | (size_t)p[1] << 16 | (size_t)p[2] << 8 | p[3];
        if (length > size - at - 12) return;
        unsigned long sum = crc32(0, p + 4, (uInt)(length + 4));
        for (int i = 0; i < 4; i++) p[8 + length + (size_t)i] = (uint8_t)(sum >> (24 - 8 * i));
        at += length + 12;
    }
}

static void parse(const uint8_t *data, size_t size) {
    wend_map_options options = wend_default_map_options();
    tool_png_options pixels = tool_default_png_options();
    if (size & 1) pixels.open[pixels.open_count++] = 0xffffff;
    wend_map *map;
    wend_error error = {.status = WEND_OK};
    wend_status status = tool_png_parse(data, size, &pixels, &options, &map, &error);
    if ((status == WEND_OK) != (map != NULL)) abort();
    if (!map) {
        if (error.status != status || !error.message[0]) abort();
        return;
    }
    /* What was read can be written, and reads the same. */
    if (wend_map_cells(map) <= 1 << 16) {
        wend_bytes png;
        wend_map *again;
        pixels = tool_default_png_options();
        if (tool_png_from_map(map, &png, NULL) != WEND_OK) abort();
        if (tool_png_parse(png.data, png.size, &pixels, &options, &again, NULL) != WEND_OK) abort();
        if (wend_map_fingerprint(again) != wend_map_fingerprint(map)) abort();
        wend_map_destroy(again);
        tool_bytes_release(&png);
    }
    wend_map_destroy(map);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    parse(data, size);
    uint8_t *repaired = malloc(size ? size : 1);
    if (!repaired) return 0;
    if (size) memcpy(repaired, data, size);
    repair(repaired, size);
    parse(repaired, size);
    free(repaired);
    return 0;
}

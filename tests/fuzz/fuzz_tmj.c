/* Tiled maps: any bytes give a map or an error with words. A tileset in another file is the map itself, so
 * that the fuzzer reaches that reader too. */
#include "formats/tiled.h"

#include <stdlib.h>

typedef struct input {
    const uint8_t *data;
    size_t size;
} input;

static wend_status read_itself(void *context, const char *source, wend_bytes *bytes, wend_error *error) {
    const input *in = context;
    *bytes = (wend_bytes){NULL, 0, 0};
    if (source[0] == '-') return wend_fail(error, WEND_STATUS_FILE_ERROR, "can't open");
    if (!tool_bytes_append(bytes, in->data, in->size))
        return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory");
    return WEND_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    input in = {data, size};
    wend_map_options options = wend_default_map_options();
    tool_tiled_options tiled = {.read = size & 1 ? read_itself : NULL, .context = &in};
    if (size & 2) tiled.walkable = size & 4 ? "" : "a";
    if (size & 8) tiled.layer = "a";
    wend_map *map;
    wend_error error = {.status = WEND_OK};
    wend_status status = tool_tiled_parse(data, size, &tiled, &options, &map, &error);
    if ((status == WEND_OK) != (map != NULL)) abort();
    if (!map && (error.status != status || !error.message[0])) abort();
    wend_map_destroy(map);
    return 0;
}

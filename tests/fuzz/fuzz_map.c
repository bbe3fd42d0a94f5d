/* Any bytes as a .map file: either a status with a place inside the data, or a map that survives being
 * written in both formats and read again. */
#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool good) {
    if (!good) abort();
}

static void check_again(wend_format format, const wend_map *map, const wend_map_options *options) {
    size_t size = wend_map_written_size(format, map);
    char *text = malloc(size);
    if (!text) return;
    wend_map *back;
    require(wend_map_write(format, map, text, size, NULL) == WEND_OK);
    require(wend_map_parse(format, text, size, options, &back, NULL) == WEND_OK);
    require(wend_map_fingerprint(back) == wend_map_fingerprint(map));
    require(wend_map_open_cells(back) == wend_map_open_cells(map));
    wend_map_destroy(back);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    wend_map_options options = wend_default_map_options();
    options.keep_letters = size % 2;
    wend_map *map = NULL;
    wend_error error;
    memset(&error, 0, sizeof error);
    wend_status status = wend_map_parse(WEND_FORMAT_MAP, data, size, &options, &map, &error);
    require((status == WEND_OK) == (map != NULL));
    if (map) {
        check_again(WEND_FORMAT_MAP, map, &options);
        check_again(WEND_FORMAT_PBM, map, &options);
        wend_map_destroy(map);
    } else {
        require(error.status == status && error.offset <= size && error.message[0]);
    }
    return 0;
}

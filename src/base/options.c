#include "base/options.h"

#include "base/status.h"

#include <string.h>

void wend_options_init(void *options, size_t size, const void *defaults, size_t known) {
    uint32_t struct_size = (uint32_t)size;
    if (!options || size < sizeof struct_size || size > WEND_OPTIONS_MOST) return;
    memset(options, 0, size);
    memcpy(options, defaults, size < known ? size : known);
    memcpy(options, &struct_size, sizeof struct_size);
}

void wend_options_nest(uint32_t *struct_size, size_t size, size_t offset) {
    if (size >= offset + 2 * sizeof *struct_size) *struct_size = (uint32_t)(size - offset);
}

wend_status wend_options_take(void *own, size_t known, const void *given, const char *name,
                              wend_error *error) {
    uint32_t size, all = (uint32_t)known;
    if (!given) return WEND_OK;
    memcpy(&size, given, sizeof size);
    if (size < 2 * sizeof size || size % sizeof size || size > WEND_OPTIONS_MOST)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT,
                         "%s options must come from wend_default_%s_options()", name, name);
    for (uint32_t i = all; i < size; i++)
        if (((const uint8_t *)given)[i])
            return wend_fail(error, WEND_STATUS_UNSUPPORTED,
                             "%s options made for a later version of wend, with more than this one knows",
                             name);
    memcpy(own, given, size < all ? size : all);
    memcpy(own, &all, sizeof all);
    return WEND_OK;
}

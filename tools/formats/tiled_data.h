/* The cells of a Tiled layer that is written as text: base64 of 32-bit little-endian tile numbers, packed or
 * not. */
#ifndef WEND_TOOLS_FORMATS_TILED_DATA_H
#define WEND_TOOLS_FORMATS_TILED_DATA_H

#include "formats/files.h"

typedef struct tool_tiled_data tool_tiled_data;

/* `compression` is "", "zlib", "gzip" or "zstd". `expected` bytes are to come; text that can't hold as much
 * is WEND_STATUS_CUT_SHORT at once. On failure *data is NULL. */
wend_status tool_tiled_data_open(const char *text, size_t length, const char *compression, uint64_t expected,
                                 tool_tiled_data **data, wend_error *error);
/* The next `count` bytes; unpacked as they are asked for, so memory does not grow with what is unpacked. */
wend_status tool_tiled_data_read(tool_tiled_data *data, uint8_t *to, size_t count, wend_error *error);
/* Fails if anything is left: more cells than the layer has. */
wend_status tool_tiled_data_end(tool_tiled_data *data, wend_error *error);
void tool_tiled_data_close(tool_tiled_data *data); /* NULL is fine */

#endif

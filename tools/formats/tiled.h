/* Tiled maps in JSON (.tmj): orthogonal, of a fixed size.
 *
 * Which cells are open. Tiles may carry a yes/no property, `walkable` unless another is named, in a tileset
 * inside the map or in a JSON tileset beside it:
 *   - some tile has it set to yes: exactly those tiles are open; all others, and empty cells, are blocked;
 *   - it is only ever set to no: exactly those tiles are blocked; all others, and empty cells, are open;
 *   - no tile has it: empty cells are open, and any tile is a wall. */
#ifndef WEND_TOOLS_FORMATS_TILED_H
#define WEND_TOOLS_FORMATS_TILED_H

#include "formats/files.h"

typedef struct tool_tiled_options {
    const char *layer;    /* its name; NULL: the first visible tile layer */
    const char *walkable; /* NULL: "walkable", where present; "": no property, tilesets are not read */
    /* Reads a tileset that is named in the map, by its name there; NULL if there is no folder to look in. */
    wend_status (*read)(void *context, const char *source, wend_bytes *bytes, wend_error *error);
    void *context;
} tool_tiled_options;

wend_status tool_tiled_parse(const void *data, size_t size, const tool_tiled_options *tiled,
                             const wend_map_options *options, wend_map **map, wend_error *error);

#endif

/* Maps in and out of files and memory: MovingAI .map and PBM. PNG and Tiled maps are the tools' business. */
#ifndef WEND_FORMAT_H
#define WEND_FORMAT_H

#include "map.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum wend_format {
    WEND_FORMAT_MAP = 0, /* MovingAI: `type`, `height`, `width`, `map`, rows of letters */
    WEND_FORMAT_PBM = 1  /* portable bit map, plain (P1) or raw (P4): black is blocked */
} wend_format;

/* From memory. Nothing is allocated before the header has been checked against the length of the data. */
WEND_API wend_status wend_map_parse(wend_format format, const void *data, size_t size,
                                    const wend_map_options *options, wend_map **map, wend_error *error);
/* The bytes that the next call will write, or 0 if map is NULL. */
WEND_API size_t wend_map_written_size(wend_format format, const wend_map *map);
/* Into memory of at least that size; PBM is written raw. WEND_STATUS_BAD_ARGUMENT for a .map with blocked
 * cells whose terrain holds every letter of the format to be open: what was written could not be read
 * back. */
WEND_API wend_status wend_map_write(wend_format format, const wend_map *map, void *buffer, size_t size,
                                    wend_error *error);

/* The same from and to a file; the format is told by the name (.map, .pbm), anything else is read as .map.
 * Saving replaces the file in one go: a reader sees the old one or the new one, never half of it. */
WEND_API wend_status wend_map_load(const char *path, const wend_map_options *options, wend_map **map,
                                   wend_error *error);
WEND_API wend_status wend_map_save(const char *path, const wend_map *map, wend_error *error);

#ifdef __cplusplus
}
#endif
#endif

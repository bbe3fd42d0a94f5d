/* What each map format does. wend_map_parse and similar check their arguments and then choose among them. */
#ifndef WEND_GRID_FORMAT_H
#define WEND_GRID_FORMAT_H

#include <wend/format.h>

/* From `size` bytes that are not all blank, under checked options. */
wend_status wend_format_map_parse(const char *data, size_t size, const wend_map_options *options,
                                  wend_map **map, wend_error *error);
size_t wend_format_map_size(const wend_map *map);
/* Into a buffer of at least that size. */
void wend_format_map_write(const wend_map *map, char *buffer);

wend_status wend_format_pbm_parse(const char *data, size_t size, const wend_map_options *options,
                                  wend_map **map, wend_error *error);
size_t wend_format_pbm_size(const wend_map *map);
void wend_format_pbm_write(const wend_map *map, char *buffer);

#endif

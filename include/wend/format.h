/// @file
/// Maps in and out of files and memory: MovingAI .map, plain text levels, PBM. The tools read PNG and Tiled.
#ifndef WEND_FORMAT_H
#define WEND_FORMAT_H

#include "map.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Formats of maps.
typedef enum wend_format {
    /// Text. Data that begins with `type` and a blank or line end is a MovingAI map: lines `type`, `height`,
    /// `width` and `map`, then rows of letters. Any other data is a plain level: rows of letters alone.
    ///
    /// Letters of both: those of `terrain` in the options are open (".GS"). `@ O T W`, those of `. G S` that
    /// `terrain` leaves out, and those of `blocked` ("#") are blocked. Any other letter is
    /// WEND_STATUS_UNKNOWN_LETTER with line and column.
    ///
    /// Plain levels: the longest row is the width. Shorter rows are padded with walls at their end. Spaces are
    /// cells, also at the end of a row: open, or blocked if `blocked` has a space. Lines end with LF or CR LF,
    /// the last one with or without. Empty lines before the first row and behind the last are not read; an
    /// empty line between is a row of walls. Padding may make a level as large as 2^20 cells or 16 cells per
    /// byte of the text, whichever is more: WEND_STATUS_TOO_LARGE otherwise. If letters are kept, those of
    /// padding and spaces are '@' or '.'.
    WEND_FORMAT_MAP = 0,
    /// Portable bit map, plain (P1) or raw (P4): black is blocked.
    WEND_FORMAT_PBM = 1
} wend_format;

/// Reads a map from memory. Allocates only in proportion to the data. WEND_STATUS_EMPTY_FILE for data of
/// nothing but blanks.
/// @param data  No final 0 is needed.
/// @param size  Bytes of data.
/// @param options  NULL: the defaults.
/// @param map  Gets the map; NULL if the call fails.
WEND_API wend_status wend_map_parse(wend_format format, const void *data, size_t size,
                                    const wend_map_options *options, wend_map **map, wend_error *error);
/// The bytes that wend_map_write will write; 0 if map is NULL.
WEND_API size_t wend_map_written_size(wend_format format, const wend_map *map);
/// Writes a map into memory: as a MovingAI map, or as raw PBM. WEND_STATUS_BAD_ARGUMENT if there are blocked
/// cells and the map's terrain leaves no letter for them: the text could not be read back.
/// @param size  Of the buffer, at least wend_map_written_size.
WEND_API wend_status wend_map_write(wend_format format, const wend_map *map, void *buffer, size_t size,
                                    wend_error *error);

/// Reads a map from a file: as PBM if its name ends in .pbm, as WEND_FORMAT_MAP otherwise.
/// @param options  NULL: the defaults.
WEND_API wend_status wend_map_load(const char *path, const wend_map_options *options, wend_map **map,
                                   wend_error *error);
/// Writes a map to a file, in the same format as it would be read. Replaces the file in one go: a reader sees
/// the old one or the new one, never half of it.
WEND_API wend_status wend_map_save(const char *path, const wend_map *map, wend_error *error);

#ifdef __cplusplus
}
#endif
#endif

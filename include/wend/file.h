/// @file
/// Files, read whole and written whole or not at all: as the library does it, for programs beside it.
#ifndef WEND_FILE_H
#define WEND_FILE_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A file's contents.
typedef struct wend_bytes {
    /// The contents.
    uint8_t *data;
    /// The length of the contents, in bytes.
    size_t size;
    /// The bytes that were allocated and will be released.
    size_t capacity;
} wend_bytes;

/// A limit for wend_file_read: twice what the largest map takes as text at one byte per cell, and room for tens
/// of millions of problems.
#define WEND_MAX_FILE_BYTES ((uint64_t)1 << 31)

/// Reads a whole file into memory. An empty file gives WEND_STATUS_EMPTY_FILE.
/// @param path      the file
/// @param allocator where the memory comes from; NULL: the C library's
/// @param max_bytes a longer file gives WEND_STATUS_TOO_LARGE. Where the system knows the size, nothing is
///                  allocated for it. Where it does not (pipes, devices that never end), reading stops as soon
///                  as that many bytes have come
/// @param bytes     gets the contents; wend_file_release releases them
/// @param error     may be NULL
WEND_API wend_status wend_file_read(const char *path, const wend_allocator *allocator, uint64_t max_bytes,
                                    wend_bytes *bytes, wend_error *error);
/// Releases what wend_file_read has read, with the same allocator, and clears `bytes`.
WEND_API void wend_file_release(const wend_allocator *allocator, wend_bytes *bytes);

/// Writes beside the file, syncs, then renames over it, so that nobody ever sees half a file. Something that is
/// not a regular file (a pipe, a device) is written to directly.
WEND_API wend_status wend_file_write(const char *path, const void *data, size_t size, wend_error *error);

/// A file that is written in parts, in the manner of wend_file_write:
/// 1. wend_output_begin reports whether the file can be written.
/// 2. wend_output_write adds to what is written so far, as often as wanted.
/// 3. wend_output_commit ends it, failed or not. Or wend_output_discard, also after a failed write, leaves
///    nothing of it.
///
/// The fields are the library's.
typedef struct wend_output {
    /// The file, as the caller named it.
    const char *path;
    /// The open file's number. -1: none is open.
    int file;
    /// The file that is renamed in the end. "": written in place.
    char temporary[4096];
} wend_output;

/// Opens an output. `path` must outlive it.
WEND_API wend_status wend_output_begin(wend_output *output, const char *path, wend_error *error);
/// Adds bytes at the end.
WEND_API wend_status wend_output_write(wend_output *output, const void *data, size_t size, wend_error *error);
/// Puts the file in its place. Ends the output, even on failure; the old file then stays.
WEND_API wend_status wend_output_commit(wend_output *output, wend_error *error);
/// Ends the output and leaves nothing of it. Does nothing after its end.
WEND_API void wend_output_discard(wend_output *output);

#ifdef __cplusplus
}
#endif
#endif

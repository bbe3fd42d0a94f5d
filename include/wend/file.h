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
/// What wend_file_limits.look gets to see.
#define WEND_FILE_HEAD 65536

/// What a file may be, for wend_file_read_within. Zeros stand for no demand, but max_bytes must be set.
typedef struct wend_file_limits {
    /// As for wend_file_read.
    uint64_t max_bytes;
    /// Pipes, devices and folders give WEND_STATUS_FILE_ERROR, and nothing waits for them.
    bool regular;
    /// Called once WEND_FILE_HEAD bytes have been read and before the rest is: what it returns, unless WEND_OK, is
    /// the result. Not called for shorter files. NULL: nobody looks.
    wend_status (*look)(void *context, const uint8_t *head, size_t size, wend_error *error);
    /// Handed to `look`.
    void *context;
} wend_file_limits;

/// As wend_file_read, with more said of what is wanted.
WEND_API wend_status wend_file_read_within(const char *path, const wend_allocator *allocator,
                                           const wend_file_limits *limits, wend_bytes *bytes,
                                           wend_error *error);
/// Releases what wend_file_read has read, with the same allocator, and clears `bytes`.
WEND_API void wend_file_release(const wend_allocator *allocator, wend_bytes *bytes);

/// The longest name of a path with its folders, and a 0 behind it.
#define WEND_PATH_ROOM 4096

/// The name of a file beside another: `path` and then `ending`. A name that would be too long for a folder
/// (255 bytes) is cut short; a hash of the whole keeps it apart from others that begin alike. False, and "", for
/// a path that is too long itself.
/// @param name room for WEND_PATH_ROOM bytes
WEND_API bool wend_file_beside(const char *path, const char *ending, char *name);

/// Writes beside the file, syncs, then renames over it, so that nobody ever sees half a file. A file that is
/// replaced keeps its mode and, where the system allows it, its owner. A symbolic link is followed: the file it
/// leads to is replaced. Something that is not a regular file (a pipe, a device) is written to directly.
WEND_API wend_status wend_file_write(const char *path, const void *data, size_t size, wend_error *error);

/// A file that is written in parts, in the manner of wend_file_write:
/// 1. wend_output_begin reports whether the file can be written.
/// 2. wend_output_write adds to what is written so far, as often as wanted.
/// 3. wend_output_commit ends it, failed or not. Or wend_output_discard, also after a failed write, leaves
///    nothing of it.
///
/// What is written stands in PATH.part and 16 digits until the end. It is locked, so that wend_output_tidy knows
/// those whose writer is gone.
///
/// The fields are the library's.
typedef struct wend_output {
    /// The file, as the caller named it.
    const char *path;
    /// The number of the open file, as the C library counts them; -1: none is open.
    int file;
    /// The file that is renamed in the end. "": written in place.
    char temporary[WEND_PATH_ROOM];
    /// What it is renamed to: `path`, or where that leads as a symbolic link.
    char target[WEND_PATH_ROOM];
} wend_output;

/// Opens an output. `path` must outlive it.
WEND_API wend_status wend_output_begin(wend_output *output, const char *path, wend_error *error);
/// Adds bytes at the end.
WEND_API wend_status wend_output_write(wend_output *output, const void *data, size_t size, wend_error *error);
/// Puts the file in its place. Ends the output, even on failure; the old file then stays.
WEND_API wend_status wend_output_commit(wend_output *output, wend_error *error);
/// Ends the output and leaves nothing of it. Does nothing after its end.
WEND_API void wend_output_discard(wend_output *output);
/// Removes what writers of this file have left behind who ended before their output did: they were killed, or the
/// machine went down. Those that still write keep theirs.
WEND_API void wend_output_tidy(const char *path);

/// A file that grows at its end, for what should outlast a crash piece by piece. What was added survives the end
/// of the program. What was synced also survives that of the machine.
///
/// The fields are the library's.
typedef struct wend_growing {
    /// The file, as the caller named it.
    const char *path;
    /// The number of the open file; -1: none is open.
    int file;
    /// Somebody else had it open already.
    bool shared;
} wend_growing;

/// Opens it, and makes it if it is not there; what is in it stays. Only a regular file: a symbolic link in its
/// place is not followed, since the name was not chosen by hand.
/// @param alone  Nobody else may have it open: WEND_STATUS_FILE_ERROR, and the message says so. Otherwise
///               `growing->shared` says whether somebody has.
/// @param path   must outlive it
WEND_API wend_status wend_growing_open(const char *path, bool alone, wend_growing *growing,
                                       wend_error *error);
/// Keeps the first `keep` bytes and drops the rest.
WEND_API wend_status wend_growing_cut(wend_growing *growing, uint64_t keep, wend_error *error);
/// Adds bytes at the end.
WEND_API wend_status wend_growing_add(wend_growing *growing, const void *data, size_t size,
                                      wend_error *error);
/// Closes it. Does nothing if it is not open.
WEND_API void wend_growing_close(wend_growing *growing, bool sync);
/// Removes the file and closes it.
WEND_API void wend_growing_remove(wend_growing *growing);

#ifdef __cplusplus
}
#endif
#endif

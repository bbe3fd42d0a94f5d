/// @file
/// What every other header needs: linkage, version, status, errors with a position, allocators.
///
/// Options are structs that a wend_default_...() function fills in. NULL in their place means the defaults.
/// Options begin with `struct_size`: their size in the caller's header. New fields are added at the end, so a
/// later library takes the options of an earlier header and uses defaults for the rest. Options that were not
/// filled in give WEND_STATUS_BAD_ARGUMENT. Options of a later header that set what this library does not know
/// give WEND_STATUS_UNSUPPORTED.
///
/// A call that returns a status refuses NULL where it needs an object. Other calls take NULL only where they say
/// so. Cells, numbers and places out of range do no harm, unless a call says otherwise.
#ifndef WEND_BASE_H
#define WEND_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// @def WEND_API
/// Marks a public function: its symbol is visible outside the library.
#if defined(_WIN32) && defined(WEND_SHARED_LIBRARY)
#ifdef WEND_BUILDING
#define WEND_API __declspec(dllexport)
#else
#define WEND_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define WEND_API __attribute__((visibility("default")))
#else
#define WEND_API
#endif

/// @def WEND_PRINTF
/// Lets the compiler check a call against its format, as for printf.
/// @param words the number of the parameter that is the format, from 1
/// @param first the number of the first value
#if defined(__GNUC__)
#define WEND_PRINTF(words, first) __attribute__((format(printf, words, first)))
#else
#define WEND_PRINTF(words, first)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// The header's version, first part.
#define WEND_VERSION_MAJOR 0
/// The header's version, second part.
#define WEND_VERSION_MINOR 1
/// The header's version, third part.
#define WEND_VERSION_PATCH 0
/// The header's version as text.
#define WEND_VERSION_STRING "0.1.0"
/// The header's version as a number to compare: 0.1.0 is 100, 1.2.3 is 10203.
#define WEND_VERSION_NUMBER (WEND_VERSION_MAJOR * 10000 + WEND_VERSION_MINOR * 100 + WEND_VERSION_PATCH)

/// The version of the library that is linked, as text. It may differ from the header's.
WEND_API const char *wend_version(void);
/// The version of the library that is linked, as WEND_VERSION_NUMBER counts.
WEND_API int wend_version_number(void);

/// Whether a *call* was right. How a search ended is no status: see wend_found.
typedef enum wend_status {
    WEND_OK = 0,                     ///< The call was right.
    WEND_STATUS_BAD_ARGUMENT = 1,    ///< NULL, out of range, or options not from wend_default_...().
    WEND_STATUS_NO_MEMORY = 2,       ///< The allocator refused, or a cap given by the caller was reached.
    WEND_STATUS_TOO_LARGE = 3,       ///< A side over WEND_MAX_SIDE, or a size this machine can't address.
    WEND_STATUS_FILE_ERROR = 4,      ///< The operating system refused to open, read or write.
    WEND_STATUS_EMPTY_FILE = 5,      ///< No byte, or nothing but blanks.
    WEND_STATUS_CUT_SHORT = 6,       ///< The data ends in the middle of something.
    WEND_STATUS_BAD_MAGIC = 7,       ///< Not a file of this kind at all.
    WEND_STATUS_HEADER_MISSING = 8,  ///< A header field is missing.
    WEND_STATUS_HEADER_REPEATED = 9, ///< A header field is there twice.
    WEND_STATUS_HEADER_ORDER = 10,   ///< All header fields are there, in another order.
    WEND_STATUS_HEADER_VALUE = 11,   ///< A header field's value is no number, zero, negative or unknown.
    WEND_STATUS_ROW_TOO_SHORT = 12,  ///< A row has fewer cells than the header says.
    WEND_STATUS_ROW_TOO_LONG = 13,   ///< A row has more cells than the header says.
    WEND_STATUS_ROWS_TOO_FEW = 14,   ///< There are fewer rows than the header says.
    WEND_STATUS_ROWS_TOO_MANY = 15,  ///< There are more rows than the header says.
    WEND_STATUS_UNKNOWN_LETTER = 16, ///< Neither open nor blocked under the given terrain.
    WEND_STATUS_BAD_FIELD = 17,      ///< A field of a record is missing or no number.
    WEND_STATUS_OTHER_MAP = 18,      ///< Belongs to a map of another size, other cells or other rules.
    WEND_STATUS_OUTSIDE = 19,        ///< A cell or rectangle outside the map.
    WEND_STATUS_BLOCKED = 20,        ///< A start or goal that is not open.
    WEND_STATUS_STALE = 21,          ///< Made before the map's last edit.
    WEND_STATUS_UNSUPPORTED = 22,    ///< Well formed, but a variant that is not supported.
    WEND_STATUS_NEWER_VERSION = 23,  ///< Written by a later version of wend.
    WEND_STATUS_DAMAGED = 24,        ///< A checksum, an index or a length in it is wrong.
    WEND_STATUS_WRONG_CONTENTS = 25, ///< Sound in itself, but not what the map gives.
    WEND_STATUS_INTERRUPTED = 26,    ///< Interrupted by the caller. It can be resumed.
    WEND_STATUS_FULL = 27,           ///< It holds as many as it was made for.
    WEND_STATUS_TOO_SMALL = 28,      ///< A budget below the minimum.
    WEND_STATUS_COUNT                ///< The number of statuses.
} wend_status;

/// The status in a few words, for messages. Never NULL.
WEND_API const char *wend_status_text(wend_status status);

/// What was wrong, and where. Calls that can fail for a reason worth words take a pointer to one, or NULL.
/// It is written only when the call fails.
typedef struct wend_error {
    /// What the call returned.
    wend_status status;
    /// The line, from 1. 0 where lines mean nothing.
    uint64_t line;
    /// The column, from 1. 0 where it is the line as a whole.
    uint64_t column;
    /// Bytes from the start of the data.
    uint64_t offset;
    /// The file as the caller named it, its beginning cut if longer. "" for memory.
    char file[256];
    /// One sentence without a full stop.
    char message[192];
} wend_error;

/// Writes "FILE:LINE:COLUMN: message", with what is known, and returns `buffer`.
WEND_API const char *wend_error_text(const wend_error *error, char *buffer, size_t size);

/// Fills an error and returns `status`, for calls of one's own: `return wend_fail(...)`.
/// @param error may be NULL
/// @param status what to return
/// @param format the message, as for printf, with its values after it
WEND_API wend_status wend_fail(wend_error *error, wend_status status, const char *format, ...)
    WEND_PRINTF(3, 4);
/// Names the file that an error is about. Both may be NULL.
WEND_API void wend_error_set_file(wend_error *error, const char *path);

/// Where memory comes from. A zeroed struct means the C library's.
typedef struct wend_allocator {
    /// Passed to each of the functions below.
    void *context;
    /// Returns memory aligned as malloc's is, or NULL to refuse.
    void *(*allocate)(void *context, size_t size);
    /// Takes memory back. `size` is as allocated; `pointer` is never NULL.
    void (*release)(void *context, void *pointer, size_t size);
    /// Like `allocate`, with all bytes zero. NULL: wend calls `allocate` and clears the memory itself.
    void *(*allocate_zeroed)(void *context, size_t size);
} wend_allocator;

#ifdef __cplusplus
}
#endif
#endif

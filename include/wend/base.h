/* What every other header needs: linkage, version, status, errors with a position, allocators. */
#ifndef WEND_BASE_H
#define WEND_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#if defined(__GNUC__)
#define WEND_PRINTF(words, first) __attribute__((format(printf, words, first)))
#else
#define WEND_PRINTF(words, first)
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define WEND_VERSION_MAJOR 0
#define WEND_VERSION_MINOR 1
#define WEND_VERSION_PATCH 0
#define WEND_VERSION_STRING "0.1.0"
/* For comparing: 0.1.0 is 100, 1.2.3 is 10203. */
#define WEND_VERSION_NUMBER (WEND_VERSION_MAJOR * 10000 + WEND_VERSION_MINOR * 100 + WEND_VERSION_PATCH)

/* The version of the library that is linked, which may differ from the header's. */
WEND_API const char *wend_version(void);
WEND_API int wend_version_number(void);

/* Whether a *call* was right. How a search ended is no status: see wend_found. */
typedef enum wend_status {
    WEND_OK = 0,
    WEND_STATUS_BAD_ARGUMENT = 1,   /* NULL, out of range, or options not made by wend_default_...() */
    WEND_STATUS_NO_MEMORY = 2,      /* the allocator refused, or a cap given by the caller was reached */
    WEND_STATUS_TOO_LARGE = 3,      /* a side over WEND_MAX_SIDE, or a size that this machine can't address */
    WEND_STATUS_FILE_ERROR = 4,     /* the operating system refused to open, read or write */
    WEND_STATUS_EMPTY_FILE = 5,     /* no byte, or nothing but blanks */
    WEND_STATUS_CUT_SHORT = 6,      /* the data ends in the middle of something */
    WEND_STATUS_BAD_MAGIC = 7,      /* not a file of this kind at all */
    WEND_STATUS_HEADER_MISSING = 8, /* a header field is not there */
    WEND_STATUS_HEADER_REPEATED = 9, /* a header field is there twice */
    WEND_STATUS_HEADER_ORDER = 10,   /* the header's fields are all there, in another order */
    WEND_STATUS_HEADER_VALUE = 11,   /* a header field's value is no number, zero, negative or unknown */
    WEND_STATUS_ROW_TOO_SHORT = 12,
    WEND_STATUS_ROW_TOO_LONG = 13,
    WEND_STATUS_ROWS_TOO_FEW = 14,
    WEND_STATUS_ROWS_TOO_MANY = 15,
    WEND_STATUS_UNKNOWN_LETTER = 16, /* neither open nor blocked under the given terrain */
    WEND_STATUS_BAD_FIELD = 17,      /* a field of a record is missing or no number */
    WEND_STATUS_OTHER_MAP = 18,      /* belongs to a map of another size, other cells or other rules */
    WEND_STATUS_OUTSIDE = 19,        /* a cell or rectangle outside the map */
    WEND_STATUS_BLOCKED = 20,        /* a start or goal that is not open */
    WEND_STATUS_STALE = 21,          /* made before the map's last edit */
    WEND_STATUS_UNSUPPORTED = 22,    /* well formed, but a variant that is not read */
    WEND_STATUS_NEWER_VERSION = 23,  /* written by a later version of wend */
    WEND_STATUS_DAMAGED = 24,        /* a checksum, an index or a length in it is wrong */
    WEND_STATUS_WRONG_CONTENTS = 25, /* sound in itself, but not what the map gives */
    WEND_STATUS_INTERRUPTED = 26,    /* by the caller; can be gone on with */
    WEND_STATUS_FULL = 27,           /* it holds as many as it was made for */
    WEND_STATUS_TOO_SMALL = 28,      /* a budget below the minimum */
    WEND_STATUS_COUNT
} wend_status;

/* The status in a few words, for messages; never NULL. */
WEND_API const char *wend_status_text(wend_status status);

/* What was wrong and where. Calls that can fail for a reason worth words take a pointer to one, or NULL. It
 * is written only when the call fails. */
typedef struct wend_error {
    wend_status status;
    uint64_t line;     /* from 1; 0 where lines mean nothing */
    uint64_t column;   /* from 1; 0 where it is the line as a whole */
    uint64_t offset;   /* in bytes from the start of the data */
    char file[256];    /* as the caller named it, its beginning cut if longer; "" for memory */
    char message[192]; /* one sentence without a full stop */
} wend_error;

/* Writes "FILE:LINE:COLUMN: message", with what is known, and returns buffer. */
WEND_API const char *wend_error_text(const wend_error *error, char *buffer, size_t size);

/* Fills `error` (which may be NULL) and returns `status`: `return wend_fail(...)`. For who writes such calls. */
WEND_API wend_status wend_fail(wend_error *error, wend_status status, const char *format, ...)
    WEND_PRINTF(3, 4);
/* Names the file that an error is about. */
WEND_API void wend_error_set_file(wend_error *error, const char *path);

/* Where memory comes from. All three are called with `context`. A zeroed struct means the C library's. */
typedef struct wend_allocator {
    void *context;
    void *(*allocate)(void *context, size_t size);              /* aligned as malloc's; NULL if refused */
    void (*release)(void *context, void *pointer, size_t size); /* `size` as allocated; never with NULL */
    void *(*allocate_zeroed)(void *context, size_t size); /* may be NULL: allocate, then cleared by wend */
} wend_allocator;

/* Options are structs that wend_default_...() fills in. They begin with `struct_size`, their size as the
 * caller's header has it, so that fields can be added at the end: a later library takes the options of an
 * earlier header, with defaults for the rest. WEND_STATUS_BAD_ARGUMENT for options that were not filled in,
 * WEND_STATUS_UNSUPPORTED for those of a later header that set what this library does not know. */

#ifdef __cplusplus
}
#endif
#endif

/* Filling in a wend_error. */
#ifndef WEND_BASE_STATUS_H
#define WEND_BASE_STATUS_H

#include <wend/base.h>

#if defined(__GNUC__)
#define WEND_PRINTF(words, first) __attribute__((format(printf, words, first)))
#else
#define WEND_PRINTF(words, first)
#endif

/* Fills `error` (which may be NULL) and returns `status`, so that a caller can `return wend_fail(...)`. */
WEND_PRINTF(3, 4) wend_status wend_fail(wend_error *error, wend_status status, const char *format, ...);

/* The same with a place: line and column from 1, 0 where unknown; `offset` in bytes. */
WEND_PRINTF(6, 7)
wend_status wend_fail_at(wend_error *error, wend_status status, uint64_t line, uint64_t column,
                         uint64_t offset, const char *format, ...);

/* Puts the file's name into an error that a buffer's reader filled. */
void wend_error_set_file(wend_error *error, const char *path);

#endif

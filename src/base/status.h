/* Fills in a wend_error for data that has lines. */
#ifndef WEND_BASE_STATUS_H
#define WEND_BASE_STATUS_H

#include <wend/base.h>

/* wend_fail with a place: line and column from 1, 0 where unknown; `offset` in bytes. */
wend_status wend_fail_at(wend_error *error, wend_status status, uint64_t line, uint64_t column,
                         uint64_t offset, const char *format, ...) WEND_PRINTF(6, 7);

#endif

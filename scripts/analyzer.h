/* Read by clang-tidy in front of every file (see scripts/lint), never by a compiler. The analyser looks at
 * one file at a time and so can't see that these functions return the status they are given. With this it
 * stops following paths on which a failed call goes on as if it had succeeded. */
#include <wend/base.h>
#define wend_fail(error, status, ...) ((void)(wend_fail)((error), (status), __VA_ARGS__), (status))
#if __has_include("base/status.h")
#include "base/status.h"
#define wend_fail_at(error, status, line, column, offset, ...)                                               \
    ((void)(wend_fail_at)((error), (status), (line), (column), (offset), __VA_ARGS__), (status))
#endif

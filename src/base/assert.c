#include "base/assert.h"

#ifdef WEND_ASSERTING

#include <stdio.h>
#include <stdlib.h>

void wend_assert_failed(const char *condition, const char *file, int line) {
    (void)fprintf(stderr, "%s:%d: wend has a bug: not so: %s\n", file, line, condition);
    abort();
}

#endif

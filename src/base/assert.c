#include "base/assert.h"

#ifdef WEND_ASSERTING

#include <stdio.h>
#include <stdlib.h>

void wend_assert_failed(const char *condition, const char *file, int line) {
    (void)fprintf(stderr, "%s:%d: bug in wend: this does not hold: %s\n", file, line, condition);
    abort();
}

#endif

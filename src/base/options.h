/* Options of callers whose header may be older or newer than the library: see wend/base.h. */
#ifndef WEND_BASE_OPTIONS_H
#define WEND_BASE_OPTIONS_H

#include <wend/base.h>

/* No options are larger. A larger number comes from a struct that was not filled in. */
enum { WEND_OPTIONS_MOST = 4096 };

/* Fills in `size` bytes of options from `defaults`, which have `known` bytes; the rest is zero. */
void wend_options_init(void *options, size_t size, const void *defaults, size_t known);
/* The size of options that stand inside others, at their end, if those were filled in with `size` bytes. */
void wend_options_nest(uint32_t *struct_size, size_t size, size_t offset);
/* Copies what the caller has set over `own`, which holds the defaults and has `known` bytes; NULL sets nothing.
 * `name` is that of the options, for messages: "world". */
wend_status wend_options_take(void *own, size_t known, const void *given, const char *name,
                              wend_error *error);

#endif

/* Tables of kinds. The public calls work on the library's own; those that end in _in take another, so that
 * the container can be tested with kinds that no library has. */
#ifndef WEND_DB_KINDS_H
#define WEND_DB_KINDS_H

#include "db/kind.h"

enum { WEND_DB_MOST_KINDS = 32 };

typedef struct wend_db_kinds {
    const wend_db_kind *const *list;
    size_t count; /* at most WEND_DB_MOST_KINDS */
} wend_db_kinds;

wend_db_kinds wend_db_all_kinds(void);
const wend_db_kind *wend_db_kind_named(wend_db_kinds kinds, const char *name);           /* or NULL */
const wend_db_kind *wend_db_kind_of(wend_db_kinds kinds, const wend_settings *settings); /* or NULL */
wend_status wend_db_settings_parse_in(wend_db_kinds kinds, const char *text, const wend_allocator *allocator,
                                      wend_settings **settings, wend_error *error);

#endif

/* Distance fields that are computed in slices. */
#ifndef WEND_SEARCH_FIELD_H
#define WEND_SEARCH_FIELD_H

#include <wend/search.h>

/* Begins to compute the field of a root, in O(1). Until it is done the field must not be read and the map
 * must not change. WEND_STATUS_OUTSIDE or WEND_STATUS_BLOCKED for a bad root; WEND_STATUS_NO_MEMORY if edits
 * have made costs wider. */
wend_status wend_field_begin(wend_field *field, wend_cell root, wend_error *error);
/* Continues for at most `operations` (at least WEND_FIELD_LEAST, otherwise nothing is done): 9 for a cell
 * that is expanded, 1 for an outdated entry, 1 for 16 cells that are cleared. */
wend_status wend_field_go(wend_field *field, uint64_t operations, bool *done, wend_error *error);
enum { WEND_FIELD_LEAST = 16 };

#endif

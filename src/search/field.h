/* Distance fields that are worked out in slices. */
#ifndef WEND_SEARCH_FIELD_H
#define WEND_SEARCH_FIELD_H

#include <wend/search.h>

/* Begins to work out the field of a root, in O(1). Until it is done nothing may be asked of the field, and
 * the map must stay as it is. WEND_STATUS_OUTSIDE or WEND_STATUS_BLOCKED for a bad root;
 * WEND_STATUS_NO_MEMORY where edits have made costs wider. */
wend_status wend_field_begin(wend_field *field, wend_cell root, wend_error *error);
/* Goes on for at most `operations` (at least WEND_FIELD_LEAST, or nothing is done): 9 for a cell that is
 * spread from, 1 for an entry that was overtaken, 1 for 16 cells that are cleared. */
wend_status wend_field_go(wend_field *field, uint64_t operations, bool *done, wend_error *error);
enum { WEND_FIELD_LEAST = 16 };

#endif

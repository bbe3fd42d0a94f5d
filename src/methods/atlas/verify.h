/* The part of verifying that is an exact atlas's own. */
#ifndef WEND_ATLAS_VERIFY_H
#define WEND_ATLAS_VERIFY_H

#include "methods/atlas/layout.h"

typedef struct wend_atlas_exact_check wend_atlas_exact_check;

/* Release what it makes in any case. Pieces are representatives. */
wend_status wend_atlas_exact_prepare(wend_verifier *verifier, wend_atlas_exact_check **check,
                                     wend_error *error);
wend_status wend_atlas_exact_verify(const wend_atlas_exact_check *made, const wend_atlas *atlas,
                                    uint32_t rank, wend_error *error);
void wend_atlas_exact_release(wend_atlas_exact_check *made); /* NULL is fine */

#endif

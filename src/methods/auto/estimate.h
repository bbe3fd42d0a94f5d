/* What `wend build auto` knows before it chooses. */
#ifndef WEND_AUTO_ESTIMATE_H
#define WEND_AUTO_ESTIMATE_H

#include "db/kind.h"

/* A path database of the map, as far as it was looked into. */
typedef struct wend_cpd_estimate {
    double seconds; /* of one core, to build it; 0: there can be none */
    double bytes;   /* of the file; 0: not looked into, since the rest is too much already */
    bool fits;
} wend_cpd_estimate;

/* Within these seconds, these bytes (0: any) and the options' max_memory. WEND_STATUS_INTERRUPTED, with
 * words. */
wend_status wend_auto_estimate_cpd(const wend_map *map, const wend_build_options *options,
                                   double most_seconds, double most_bytes, wend_cpd_estimate *estimate,
                                   wend_error *error);

#endif

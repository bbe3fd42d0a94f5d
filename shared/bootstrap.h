/* Statistics of samples, with intervals of 95%. */
#ifndef WEND_SHARED_BOOTSTRAP_H
#define WEND_SHARED_BOOTSTRAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A number and its interval: of no width where the number is counted, infinite where the problems are too few
 * to tell. */
typedef struct shared_estimate {
    double value, low, high;
} shared_estimate;

static inline shared_estimate shared_exact(double value) {
    return (shared_estimate){value, value, value};
}

typedef enum shared_statistic {
    SHARED_MEAN_OF,   /* of x; less that of y, if there is one */
    SHARED_MEDIAN_OF, /* likewise */
    SHARED_RATIO_OF   /* the mean of x over that of y */
} shared_statistic;

/* Values of `each` problems on each of `maps` maps, map after map. */
typedef struct shared_sample {
    const double *x, *y; /* y: of the same problems, or NULL. NAN: this problem has none */
    size_t maps, each;
    bool stand_ins; /* the maps stand for others of their kind; otherwise they are the paper's own */
    uint64_t seed;
} shared_sample;

/* The statistic with the middle 95% of what it is in 2,000 samples drawn again, with replacement: where maps are
 * stand-ins, maps are drawn first; then problems of each map; x and y of a problem stay together. The same
 * numbers for the same seed. All NAN if there is no memory. */
shared_estimate shared_bootstrap(const shared_sample *sample, shared_statistic statistic);

#endif

/* Intervals. They are percentiles of a bootstrap in two stages (Efron and Tibshirani, "An
 * introduction to the bootstrap", 1993, sections 13.3 and 8.3): problems of one map resemble one another, so
 * that drawing them all from one urn would make intervals too narrow. */
#include "shared/bootstrap.h"

#include "shared/order.h"
#include "shared/scenes.h"

#include <math.h>
#include <stdlib.h>

enum { ROUNDS = 2000, TAIL = ROUNDS / 40 }; /* 2.5% of the rounds lie beyond each end */

/* Drawn problems by their places in the sample, and room for as many values. */
typedef struct draw {
    size_t *places, count;
    double *room;
} draw;

static double mean_of(const double *values, const draw *drawn) {
    double sum = 0, used = 0;
    for (size_t i = 0; i < drawn->count; i++) {
        double value = values[drawn->places[i]];
        if (!isnan(value)) sum += value, used++;
    }
    return sum / used;
}

static double median_of(const double *values, const draw *drawn) {
    size_t used = 0;
    for (size_t i = 0; i < drawn->count; i++) {
        double value = values[drawn->places[i]];
        if (!isnan(value)) drawn->room[used++] = value;
    }
    if (!used) return NAN;
    qsort(drawn->room, used, sizeof *drawn->room, shared_by_double);
    return (drawn->room[(used - 1) / 2] + drawn->room[used / 2]) / 2;
}

static double value_of(const shared_sample *sample, shared_statistic statistic, const draw *drawn) {
    double (*const of)(const double *, const draw *) = statistic == SHARED_MEDIAN_OF ? median_of : mean_of;
    double x = of(sample->x, drawn);
    if (!sample->y) return x;
    double y = of(sample->y, drawn);
    return statistic == SHARED_RATIO_OF ? x / y : x - y;
}

static void draw_again(const shared_sample *sample, uint64_t *random, const draw *drawn) {
    for (size_t i = 0; i < sample->maps; i++) {
        size_t map = sample->stand_ins ? shared_draw(random, (uint32_t)sample->maps) : i;
        for (size_t j = 0; j < sample->each; j++)
            drawn->places[i * sample->each + j] =
                map * sample->each + shared_draw(random, (uint32_t)sample->each);
    }
}

/* Infinite where nothing can vary, or where a round has no value. */
static void take_interval(const shared_sample *sample, shared_statistic statistic, const draw *drawn,
                          double *values, shared_estimate *estimate) {
    uint64_t random = sample->seed;
    estimate->low = -INFINITY, estimate->high = INFINITY;
    if ((sample->stand_ins ? sample->maps : sample->each) < 2) return;
    for (size_t i = 0; i < ROUNDS; i++) {
        draw_again(sample, &random, drawn);
        values[i] = value_of(sample, statistic, drawn);
        if (isnan(values[i])) return;
    }
    qsort(values, ROUNDS, sizeof *values, shared_by_double);
    estimate->low = fmin(values[TAIL], estimate->value);
    estimate->high = fmax(values[ROUNDS - 1 - TAIL], estimate->value);
}

shared_estimate shared_bootstrap(const shared_sample *sample, shared_statistic statistic) {
    const size_t count = sample->maps * sample->each, all = count ? count : 1;
    draw drawn = {calloc(all, sizeof *drawn.places), count, calloc(all, sizeof *drawn.room)};
    double *values = calloc(ROUNDS, sizeof *values);
    shared_estimate estimate = shared_exact(NAN);
    if (drawn.places && drawn.room && values) {
        for (size_t i = 0; i < count; i++) drawn.places[i] = i;
        estimate.value = value_of(sample, statistic, &drawn);
        take_interval(sample, statistic, &drawn, values, &estimate);
    }
    free(values);
    free(drawn.room);
    free(drawn.places);
    return estimate;
}

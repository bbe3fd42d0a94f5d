/* How large a path database gets and how long it takes. */
#include "methods/auto/estimate.h"

#include "base/budget.h"
#include "methods/cpd/cpd.h"

/* A core of about 3 GHz takes so many seconds for a pair of cells of one component: both rounds of searches,
 * and the rows (docs/notes/cpd.md has the measurements). A constant, so that the choice is the same everywhere. */
#define PAIR_SECONDS 2.5e-9

/* Pairs of cells that a path joins; of the largest component alone, where those are more than `enough`. */
static wend_status count_pairs(const wend_map *map, const wend_allocator *allocator, double enough,
                               double *pairs, wend_error *error) {
    wend_components *components = NULL;
    wend_status status = wend_components_create(map, allocator, &components, error);
    if (status != WEND_OK) return status;
    uint32_t largest = wend_components_largest(components);
    double size = largest == WEND_NO_CELL ? 0 : wend_components_size(components, largest);
    *pairs = size * size;
    if (*pairs <= enough) {
        *pairs = 0;
        for (wend_cell cell = 0; cell < map->cells; cell++)
            if (wend_map_is_open_cell(map, cell))
                *pairs += wend_components_size(components, wend_components_label(components, cell));
    }
    wend_components_destroy(components);
    return WEND_OK;
}

wend_status wend_auto_estimate_cpd(const wend_map *map, const wend_build_options *options,
                                   double most_seconds, double most_bytes, wend_cpd_estimate *estimate,
                                   wend_error *error) {
    wend_budget budget;
    wend_allocator below = wend_allocator_or_default(&options->allocator);
    *estimate = (wend_cpd_estimate){.fits = false};
    if (map->open_cells >= WEND_CPD_MOST_CELLS) return WEND_OK;
    wend_budget_init(&budget, &below, options->max_memory, 0);
    wend_allocator allocator = wend_budget_allocator(&budget);
    double pairs;
    wend_status status = count_pairs(map, &allocator, most_seconds / PAIR_SECONDS, &pairs, error);
    if (status != WEND_OK) return status;
    estimate->seconds = pairs * PAIR_SECONDS;
    if (estimate->seconds > most_seconds) return WEND_OK;
    if (!wend_build_goes_on(options, "choosing", 0, 1))
        return wend_fail(error, WEND_STATUS_INTERRUPTED, "interrupted before anything was finished");
    wend_estimate sample = {0};
    uint32_t workers = options->tasks.run && options->tasks.workers ? options->tasks.workers : 1;
    status = wend_cpd_runs_estimate(map, NULL, workers, &allocator, &sample, error);
    bool scarce = options->max_memory && sample.memory + sample.memory / 4 > options->max_memory;
    if (status == WEND_STATUS_NO_MEMORY ||
        (status == WEND_OK && scarce)) { /* then a build would not have enough */
        estimate->seconds = 0;
        return WEND_OK;
    }
    if (status != WEND_OK) return status;
    /* An estimate may be half as large again as the file, or the other way round. What is so near to the limit is
     * measured, which takes as long as building it. */
    uint64_t bytes = sample.bytes;
    double near = (double)bytes / most_bytes;
    if (most_bytes > 0 && near < 1.5 && near > 1 / 1.5)
        status = wend_cpd_runs_measure(map, options, &allocator, &bytes, error);
    estimate->bytes = (double)bytes;
    estimate->fits = most_bytes <= 0 || estimate->bytes <= most_bytes;
    return status;
}

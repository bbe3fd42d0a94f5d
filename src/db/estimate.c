/* What a build would take, as far as its kind can tell beforehand. */
#include "base/budget.h"
#include "base/options.h"
#include "db/file.h"

wend_status wend_db_estimate(const wend_map *map, const wend_settings *settings,
                             const wend_build_options *options, wend_estimate *estimate, wend_error *error) {
    if (!map || !settings || !estimate)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no map or kind to estimate a database of");
    wend_build_options own = wend_default_build_options();
    wend_status status = wend_options_take(&own, sizeof own, options, "build", error);
    if (status != WEND_OK) return status;
    options = &own;
    const wend_db_kind *kind = wend_db_kind_of(wend_db_all_kinds(), settings);
    if (!kind)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "settings must come from wend_db_settings_parse()");
    const wend_db_kind *form = wend_db_form_of(kind, settings);
    if (!form->estimate)
        return wend_fail(error, WEND_STATUS_UNSUPPORTED, "what a %s takes is not known before it is built",
                         kind->info.name);
    wend_budget budget;
    wend_budget_init(&budget, &options->allocator, options->max_memory, 0);
    wend_allocator allocator = wend_budget_allocator(&budget);
    uint32_t workers = options->tasks.run && options->tasks.workers ? options->tasks.workers : 1;
    wend_estimate found = {0};
    status = form->estimate(map, settings, workers, &allocator, &found, error);
    if (status == WEND_OK) *estimate = found;
    if (status == WEND_STATUS_NO_MEMORY && atomic_load(&budget.refused))
        (void)wend_fail(error, WEND_STATUS_NO_MEMORY,
                        "an estimate needs more memory than the %llu bytes allowed",
                        (unsigned long long)options->max_memory);
    return status;
}

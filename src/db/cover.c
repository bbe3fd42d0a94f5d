/* What a database covers, cell by cell, for pictures. */
#include "db/file.h"

#include "base/options.h"

wend_status wend_db_cover(const wend_db *db, const wend_cell *cells, size_t count,
                          const wend_build_options *options, uint8_t *covered, wend_error *error) {
    if (!db || !db->map || (count && (!cells || !covered)))
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no database with its map, or no cells to look at");
    wend_build_options own = wend_default_build_options();
    wend_status status = wend_options_take(&own, sizeof own, options, "build", error);
    if (status != WEND_OK) return status;
    options = &own;
    if (!db->form->cover)
        return wend_fail(error, WEND_STATUS_UNSUPPORTED,
                         "which cells it covers is not known of a database of kind `%s`", db->info.kind);
    for (size_t i = 0; i < count; i++)
        if (cells[i] >= db->map->cells)
            return wend_fail(error, WEND_STATUS_OUTSIDE, "cell %u is outside the map", cells[i]);
    wend_allocator allocator = wend_allocator_or_default(&options->allocator);
    status = db->form->cover(db, cells, count, &options->tasks, &allocator, covered);
    if (status != WEND_OK) return wend_fail(error, status, "no memory to work out what is covered");
    return WEND_OK;
}

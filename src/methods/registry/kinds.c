/* The one table of kinds of databases. A new kind is a new row. */
#include "db/kinds.h"

#include "base/settings.h"
#include "methods/atlas/atlas.h"
#include "methods/auto/auto.h"
#include "methods/corners/corners.h"
#include "methods/cpd/cpd.h"
#include "methods/dlrta/dlrta.h"
#include "methods/knn/knn.h"
#include "methods/knn2009/knn2009.h"
#include "methods/trees/trees.h"

#include <string.h>

static const wend_db_kind *const all[] = {
    &wend_db_knn2009,      &wend_db_knn,   &wend_db_dlrta,
    &wend_db_subgoal_tree, &wend_db_cpd,   &wend_db_upd,
    &wend_db_quadtree,     &wend_db_atlas, &wend_db_corner_flags,
    &wend_db_auto,         NULL, /* closes the table */
};

wend_db_kinds wend_db_all_kinds(void) {
    size_t count = 0;
    while (all[count]) count++;
    return (wend_db_kinds){all, count};
}

size_t wend_db_kind_count(void) {
    return wend_db_all_kinds().count;
}

const wend_method_info *wend_db_kind_at(size_t index) {
    return index < wend_db_all_kinds().count ? &all[index]->info : NULL;
}

const wend_db_kind *wend_db_kind_named(wend_db_kinds kinds, const char *name) {
    for (size_t i = 0; i < kinds.count; i++)
        if (strcmp(kinds.list[i]->info.name, name) == 0) return kinds.list[i];
    return NULL;
}

const wend_db_kind *wend_db_kind_of(wend_db_kinds kinds, const wend_settings *settings) {
    for (size_t i = 0; i < kinds.count; i++)
        if (settings->info == &kinds.list[i]->info) return kinds.list[i];
    return NULL;
}

wend_status wend_db_settings_parse_in(wend_db_kinds kinds, const char *text, const wend_allocator *allocator,
                                      wend_settings **settings, wend_error *error) {
    const wend_method_info *infos[WEND_DB_MOST_KINDS] = {NULL};
    size_t count = kinds.count < WEND_DB_MOST_KINDS ? kinds.count : WEND_DB_MOST_KINDS;
    for (size_t i = 0; i < count; i++) infos[i] = &kinds.list[i]->info;
    return wend_settings_parse_in("kind of database", infos, count, text, allocator, settings, error);
}

wend_status wend_db_settings_parse(const char *text, const wend_allocator *allocator,
                                   wend_settings **settings, wend_error *error) {
    return wend_db_settings_parse_in(wend_db_all_kinds(), text, allocator, settings, error);
}

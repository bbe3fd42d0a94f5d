/* The one table of planners: `wend planners` prints it, wend_settings_parse works from it, agents take their
 * functions from it. A new planner is a new row. And sets, which have a program's planners too. */
#include "base/settings.h"
#include "methods/astar/astar.h"
#include "methods/atlas/atlas.h"
#include "methods/auto/auto.h"
#include "methods/corners/corners.h"
#include "methods/cpd/cpd.h"
#include "methods/dlrta/dlrta.h"
#include "methods/knn/knn.h"
#include "methods/knn2009/knn2009.h"
#include "methods/lrta/lrta.h"
#include "methods/tba/tba.h"
#include "methods/trees/trees.h"
#include "plan/own.h"

#include <string.h>

static const wend_planner *const planners[] = {
    &wend_planner_astar,
    &wend_planner_repeated_astar,
    &wend_planner_adaptive_astar,
    &wend_planner_dstar_lite,
    &wend_planner_jps,
    &wend_planner_lrta,
    &wend_planner_lss_lrta,
    &wend_planner_rtaa,
    &wend_planner_dartaa,
    &wend_planner_tba,
    &wend_planner_rtba,
    &wend_planner_tbaa,
    &wend_planner_knn2009,
    &wend_planner_knn,
    &wend_planner_dlrta,
    &wend_planner_subgoal_tree,
    &wend_planner_cpd,
    &wend_planner_upd,
    &wend_planner_quadtree,
    &wend_planner_atlas,
    &wend_planner_corners,
    &wend_planner_auto,
};

#define PLANNERS (sizeof planners / sizeof *planners)

size_t wend_planner_count(void) {
    return PLANNERS;
}

const wend_method_info *wend_planner_at(size_t index) {
    return index < PLANNERS ? &planners[index]->info : NULL;
}

/* Settings of one of these planners. */
static wend_status parse(const wend_planner *const *list, const wend_method_info *const *infos, size_t count,
                         const char *text, const wend_allocator *allocator, wend_settings **settings,
                         wend_error *error) {
    wend_status status = wend_settings_parse_in("planner", infos, count, text, allocator, settings, error);
    for (size_t i = 0; status == WEND_OK && i < count; i++)
        if ((*settings)->info == infos[i]) (*settings)->planner = list[i];
    return status;
}

wend_status wend_settings_parse(const char *text, const wend_allocator *allocator, wend_settings **settings,
                                wend_error *error) {
    const wend_method_info *infos[PLANNERS];
    for (size_t i = 0; i < PLANNERS; i++) infos[i] = &planners[i]->info;
    return parse(planners, infos, PLANNERS, text, allocator, settings, error);
}

/* Sets --------------------------------------------------------------------------------------------------- */

struct wend_planners {
    wend_allocator allocator;
    size_t count;
    const wend_planner *list[PLANNERS + WEND_MAX_PLANNERS]; /* the library's first */
    const wend_method_info *infos[PLANNERS + WEND_MAX_PLANNERS];
    wend_own *own[WEND_MAX_PLANNERS];
};

wend_status wend_planners_create(const wend_allocator *allocator, wend_planners **set, wend_error *error) {
    if (!set) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "nowhere to put a set of planners");
    wend_allocator from = wend_allocator_or_default(allocator);
    *set = wend_allocate_zeroed(&from, 1, sizeof **set);
    if (!*set) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for a set of planners");
    (*set)->allocator = from;
    for (; (*set)->count < PLANNERS; (*set)->count++) {
        (*set)->list[(*set)->count] = planners[(*set)->count];
        (*set)->infos[(*set)->count] = &planners[(*set)->count]->info;
    }
    return WEND_OK;
}

void wend_planners_destroy(wend_planners *set) {
    if (!set) return;
    wend_allocator allocator = set->allocator;
    for (size_t i = PLANNERS; i < set->count; i++)
        wend_release(&allocator, set->own[i - PLANNERS], 1, sizeof *set->own[0]);
    wend_release(&allocator, set, 1, sizeof *set);
}

wend_status wend_planners_add(wend_planners *set, const wend_planner_functions *functions, void *context,
                              wend_error *error) {
    wend_own made;
    if (!set) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no set to add a planner to");
    wend_status status = wend_own_init(&made, functions, context, error);
    if (status != WEND_OK) return status;
    for (size_t i = 0; i < set->count; i++)
        if (strcmp(set->infos[i]->name, made.planner.info.name) == 0)
            return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "there is a planner '%s' already",
                             made.planner.info.name);
    if (set->count == PLANNERS + WEND_MAX_PLANNERS)
        return wend_fail(error, WEND_STATUS_FULL, "a set has at most %d planners beside the library's",
                         WEND_MAX_PLANNERS);
    wend_own *own = wend_allocate(&set->allocator, 1, sizeof *own);
    if (!own) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for another planner");
    *own = made;
    set->own[set->count - PLANNERS] = own;
    set->list[set->count] = &own->planner;
    set->infos[set->count++] = &own->planner.info;
    return WEND_OK;
}

size_t wend_planners_count(const wend_planners *set) {
    return set ? set->count : 0;
}

const wend_method_info *wend_planners_at(const wend_planners *set, size_t index) {
    return set && index < set->count ? set->infos[index] : NULL;
}

wend_status wend_planners_parse(const wend_planners *set, const char *text, const wend_allocator *allocator,
                                wend_settings **settings, wend_error *error) {
    if (!set) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no set of planners");
    return parse(set->list, set->infos, set->count, text, allocator, settings, error);
}

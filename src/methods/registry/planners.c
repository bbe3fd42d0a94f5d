/* The one table of planners: `wend planners` prints it, wend_settings_parse works from it, agents take their
 * functions from it. A new planner is a new row. */
#include "base/settings.h"
#include "methods/astar/astar.h"
#include "methods/atlas/atlas.h"
#include "methods/auto/auto.h"
#include "methods/cpd/cpd.h"
#include "methods/dlrta/dlrta.h"
#include "methods/knn/knn.h"
#include "methods/knn2009/knn2009.h"
#include "methods/lrta/lrta.h"
#include "methods/tba/tba.h"
#include "methods/trees/trees.h"

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
    &wend_planner_auto,
};

#define PLANNERS (sizeof planners / sizeof *planners)

size_t wend_planner_count(void) {
    return PLANNERS;
}

const wend_method_info *wend_planner_at(size_t index) {
    return index < PLANNERS ? &planners[index]->info : NULL;
}

const wend_planner *wend_planner_of(const wend_settings *settings) {
    for (size_t i = 0; i < PLANNERS; i++)
        if (settings->info == &planners[i]->info) return planners[i];
    return NULL;
}

wend_status wend_settings_parse(const char *text, const wend_allocator *allocator, wend_settings **settings,
                                wend_error *error) {
    const wend_method_info *table[PLANNERS];
    for (size_t i = 0; i < PLANNERS; i++) table[i] = &planners[i]->info;
    return wend_settings_parse_in("planner", table, PLANNERS, text, allocator, settings, error);
}

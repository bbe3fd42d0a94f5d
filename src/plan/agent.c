/* What all planners share: ends, budgets, and what settings mean. */
#include "plan/agent.h"

void wend_agent_end(wend_agent *agent, wend_outcome outcome) {
    agent->ended = true;
    bool other = outcome == WEND_STEP_OUT_OF_MEMORY || outcome == WEND_STEP_BAD_DATABASE;
    agent->end = other ? outcome : WEND_STEP_UNREACHABLE;
    agent->end_revision = agent->view->map->revision;
}

wend_status wend_agent_check_db(const wend_agent *agent, const wend_agent_options *options,
                                const wend_db_kind *kind, wend_error *error) {
    const char *planner = agent->planner->info.name;
    const wend_db *db = options->db;
    if (!db) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "%s needs a database in its options", planner);
    if (db->kind != kind)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "%s needs a database of kind %s, not %s", planner,
                         kind->info.name, db->kind->info.name);
    if (!db->map)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT,
                         "the database was opened without a map, to look at only");
    /* Edits do not matter, whenever the agent comes, nor what others of its team have seen. */
    const wend_view *view = agent->view;
    if (db->map != view->base &&
        db->info.fingerprint != (view->base ? wend_map_fingerprint(view->base) : view->first))
        return wend_fail(error, WEND_STATUS_OTHER_MAP, "the database is of another map than %s",
                         agent->knowledge ? "the one that the agent believes in" : "the agent's world");
    return WEND_OK;
}

wend_status wend_planner_meant(const wend_settings *settings, const wend_db *db,
                               const wend_allocator *allocator, wend_settings **meant, wend_error *error) {
    *meant = NULL;
    const wend_planner *planner = wend_planner_of(settings);
    if (planner && planner->stands_for) return planner->stands_for(settings, db, allocator, meant, error);
    if (!planner) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "settings of no planner");
    return WEND_OK;
}

uint64_t wend_settings_budget(const wend_settings *settings, const char *key) {
    int64_t value = wend_settings_integer(settings, key);
    return value == WEND_UNLIMITED ? UINT64_MAX : (uint64_t)value;
}

uint64_t wend_add(uint64_t a, uint64_t b) {
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

uint64_t wend_times(uint64_t a, uint64_t b) {
    return b && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

/* Planners of a program's own: what their table must have, and what they may ask of an agent. */
#include "plan/own.h"

#include "base/options.h"
#include "base/settings.h"

#include <stdalign.h>
#include <stddef.h>
#include <string.h>

/* A state is aligned as malloc's memory is; what follows an agent in its block need not be. */
enum { STATE_ALIGNMENT = alignof(max_align_t), STATE_PADDING = STATE_ALIGNMENT - alignof(wend_agent) };

static const wend_own *own_of(const wend_agent *agent) {
    return (const wend_own *)agent->planner;
}

/* The functions of the inner table ----------------------------------------------------------------------- */

static wend_status own_create(wend_agent *agent, const wend_settings *settings,
                              const wend_agent_options *options, wend_error *error) {
    const wend_own *own = own_of(agent);
    size_t past = (uintptr_t)agent->state % STATE_ALIGNMENT;
    if (past) agent->state = (uint8_t *)agent->state + (STATE_ALIGNMENT - past);
    agent->budget = own->planner.plan ? UINT64_MAX : 1;
    for (size_t i = 0; i < own->planner.info.key_count; i++) {
        const wend_key_info *key = &own->planner.info.keys[i];
        if (key->kind == WEND_KEY_INTEGER && strcmp(key->name, "k") == 0 && wend_settings_text(settings, "k"))
            agent->budget = wend_settings_budget(settings, "k");
    }
    return own->functions.create ? own->functions.create(agent, settings, options, error) : WEND_OK;
}

static void clear_state(wend_agent *agent) {
    memset(agent->state, 0, own_of(agent)->functions.state_size);
}

static uint64_t same_bound(const wend_agent *agent, uint64_t expansions) {
    (void)expansions;
    return own_of(agent)->functions.move_operations;
}

/* Whatever it says, the agent stays on the map. */
static uint32_t own_move(wend_agent *agent) {
    uint32_t direction = own_of(agent)->functions.move(agent);
    agent->counters.operations += own_of(agent)->functions.move_operations;
    bool legal = direction < WEND_DIRECTIONS && wend_map_moves(agent->view->map, agent->at) >> direction & 1;
    return legal ? direction : WEND_NO_DIRECTION;
}

static void no_change(wend_agent *agent, wend_cell cell, bool opened) {
    (void)agent, (void)cell, (void)opened;
}

static void no_loss(wend_agent *agent) {
    (void)agent;
}

static size_t none_used(const wend_agent *agent, uint64_t *cells) {
    (void)agent;
    *cells = 0;
    return 0;
}

static uint64_t no_hash(const wend_agent *agent) {
    (void)agent;
    return 0;
}

/* Registration ------------------------------------------------------------------------------------------- */

enum { MOST_STATE = 1 << 30 };

static wend_status check(const wend_planner_functions *functions, wend_error *error) {
    const char *name = functions->info.name;
    wend_status status = wend_method_check(&functions->info, error);
    if (status != WEND_OK) return status;
    const char *missing = !functions->move                                   ? "move"
                          : !functions->begin && functions->create           ? "begin"
                          : !functions->bound && functions->plan             ? "bound"
                          : !functions->bound && !functions->move_operations ? "bound"
                                                                             : NULL;
    if (missing)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "the planner %s has no `%s`", name, missing);
    if (functions->create && !functions->state_size)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "the planner %s has a `create` and no state", name);
    if (functions->state_size > MOST_STATE)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "the planner %s has a state of more than %d bytes",
                         name, MOST_STATE);
    return WEND_OK;
}

wend_status wend_own_init(wend_own *own, const wend_planner_functions *given, void *context,
                          wend_error *error) {
    wend_planner_functions taken = {0};
    const wend_planner_functions *functions = &taken;
    wend_status status =
        given ? wend_options_take(&taken, sizeof taken, given, "planner", NULL) : WEND_STATUS_BAD_ARGUMENT;
    if (status == WEND_STATUS_UNSUPPORTED)
        return wend_fail(error, status, "functions of a planner made for a later version of wend");
    if (status != WEND_OK)
        return wend_fail(error, status,
                         "no functions of a planner, or struct_size is not sizeof(wend_planner_functions)");
    status = check(functions, error);
    if (status != WEND_OK) return status;
    *own = (wend_own){
        .planner = {.info = functions->info,
                    .state_size = functions->state_size + STATE_PADDING,
                    .create = own_create,
                    .release = functions->release,
                    .begin = functions->begin ? functions->begin : clear_state,
                    .plan = functions->plan,
                    .move = own_move,
                    .changed = functions->changed ? functions->changed : no_change,
                    .lost = functions->lost ? functions->lost : no_loss,
                    .change_operations = functions->change_operations,
                    .visit = functions->visit,
                    .bound = functions->bound ? functions->bound : same_bound,
                    .used = functions->used ? functions->used : none_used,
                    .hash = functions->hash ? functions->hash : no_hash,
                    .subgoal = functions->subgoal,
                    .value = functions->value},
        .functions = taken,
        .context = context,
    };
    return WEND_OK;
}

/* What it may ask of an agent ---------------------------------------------------------------------------- */

void *wend_agent_state(const wend_agent *agent) {
    return agent->state;
}

void *wend_agent_context(const wend_agent *agent) {
    return agent->planner->move == own_move ? own_of(agent)->context : NULL;
}

const wend_map *wend_agent_map(const wend_agent *agent) {
    return agent->view->map;
}

bool wend_agent_knows_truth(const wend_agent *agent) {
    return !agent->knowledge;
}

bool wend_agent_map_changes(const wend_agent *agent) {
    return agent->view->changes;
}

void *wend_agent_allocate(wend_agent *agent, size_t count, size_t size) {
    if (agent->tasked || !count || !size) return NULL;
    void *memory = wend_allocate_zeroed(&agent->ground->allocator, count, size);
    if (memory) agent->bytes += count * size;
    return memory;
}

void wend_agent_free(wend_agent *agent, void *memory, size_t count, size_t size) {
    if (memory) agent->bytes -= count * size;
    wend_release(&agent->ground->allocator, memory, count, size);
}

void wend_agent_count(wend_agent *agent, uint64_t expansions, uint64_t operations) {
    agent->counters.expansions += expansions;
    agent->counters.operations += operations;
}

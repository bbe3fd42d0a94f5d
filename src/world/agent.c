/* An agent's life: created, set on a task, stepped. The planner's functions do the thinking; what all of them
 * need is checked and counted here. */
#include "base/options.h"
#include "base/random.h"
#include "db/repair.h"
#include "search/adaptive.h"
#include "world/world.h"

void wend_agent_options_init(wend_agent_options *options, size_t size) {
    const wend_agent_options own = {.struct_size = 0};
    wend_options_init(options, size, &own, sizeof own);
}

/* The most changes of the view that a planner gets between two moves, so that its steps are bounded: this
 * many, or as many as its own sensor can see cells. The rest comes later. */
enum { LEAST_CHANGES = 64 };

wend_status wend_agent_create(wend_world *world, const wend_settings *planner,
                              const wend_agent_options *options, wend_agent **agent, wend_error *error) {
    if (!world || !planner || !agent)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no world or planner for an agent");
    return wend_agent_create_on(world, &world->ground, planner, options, agent, error);
}

wend_status wend_world_prepare(wend_world *world, wend_ground *ground, wend_storage storage,
                               wend_error *error) {
    wend_view *view = &world->ground.view;
    if (storage == WEND_STORAGE_JUMPS && !view->jumps) {
        wend_status status = wend_jumps_create(view->map, &world->ground.allocator, &view->jumps, error);
        if (status != WEND_OK) return status;
    }
    ground->view.jumps = view->jumps;
    return storage ? wend_ground_prepare(ground, storage, error) : WEND_OK;
}

/* An agent of a planner that stands for itself. */
static wend_status create(wend_world *world, wend_ground *ground, const wend_settings *planner,
                          const wend_agent_options *options, wend_agent **agent, wend_error *error) {
    const wend_planner *functions = wend_planner_of(planner);
    if (options->knowledge && options->knowledge->ground != &world->ground)
        return wend_fail(error, WEND_STATUS_OTHER_MAP, "the knowledge is of another world");
    wend_view *view = options->knowledge ? &options->knowledge->view : &ground->view;
    wend_status suits =
        options->repair ? wend_repair_check(options->repair, options->db, view->map, error) : WEND_OK;
    if (suits != WEND_OK) return suits;
    wend_storage storage = functions->storage;
    bool fixed = storage == WEND_STORAGE_PLAIN || storage == WEND_STORAGE_JUMPS;
    if (fixed && view->changes) storage = WEND_STORAGE_CHANGING;
    if (storage == WEND_STORAGE_CHANGING && !view->changes) storage = WEND_STORAGE_NONE;
    wend_status status = wend_world_prepare(world, ground, storage, error);
    if (status != WEND_OK) return status;
    wend_agent *made = wend_allocate_zeroed(&ground->allocator, 1, sizeof *made + functions->state_size);
    if (!made) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for an agent");
    made->planner = functions;
    made->ground = ground;
    made->view = view;
    made->knowledge = options->knowledge;
    made->storage = storage;
    made->most_changes = LEAST_CHANGES;
    if (made->knowledge && wend_knowledge_reach(made->knowledge) > LEAST_CHANGES)
        made->most_changes = wend_knowledge_reach(made->knowledge);
    made->state = made + 1;
    made->at = made->start = made->goal = WEND_NO_CELL;
    made->bytes = sizeof *made + functions->state_size;
    status = wend_want_create(made, options->goals, error);
    if (status == WEND_OK && functions->create) status = functions->create(made, planner, options, error);
    if (status == WEND_OK && made->doubts && made->knowledge && !made->knowledge->components)
        status = wend_components_create(made->knowledge->map, &made->knowledge->allocator,
                                        &made->knowledge->components, error);
    ground->pools[made->storage].users++;
    if (status != WEND_OK) {
        wend_agent_destroy(made);
        return status;
    }
    *agent = made;
    return WEND_OK;
}

wend_status wend_agent_create_on(wend_world *world, wend_ground *ground, const wend_settings *planner,
                                 const wend_agent_options *options, wend_agent **agent, wend_error *error) {
    *agent = NULL;
    wend_agent_options own = wend_default_agent_options();
    wend_status status = wend_options_take(&own, sizeof own, options, "agent", error);
    if (status != WEND_OK) return status;
    options = &own;
    wend_settings *meant;
    status = wend_planner_meant(planner, options->db, &ground->allocator, &meant, error);
    if (status == WEND_OK) status = create(world, ground, meant ? meant : planner, options, agent, error);
    wend_settings_destroy(meant);
    return status;
}

void wend_agent_destroy(wend_agent *agent) {
    if (!agent) return;
    wend_allocator allocator = agent->ground->allocator;
    wend_workspace_return(agent);
    agent->ground->pools[agent->storage].users--;
    if (agent->planner->release) agent->planner->release(agent);
    wend_want_release(agent);
    wend_release(&allocator, agent, 1, sizeof *agent + agent->planner->state_size);
}

static void note_peak(wend_agent *agent) {
    uint64_t cells = 0,
             used = sizeof *agent + agent->planner->state_size + agent->planner->used(agent, &cells);
    if (used > agent->counters.peak_bytes) agent->counters.peak_bytes = used;
    if (cells > agent->counters.cells) agent->counters.cells = cells;
}

void wend_agent_begin(wend_agent *agent) {
    agent->ended = agent->checked = false;
    if (agent->begun && agent->taken != agent->view->map->revision) agent->planner->lost(agent);
    agent->taken = agent->view->map->revision;
    agent->aim = agent->goal;
    agent->joined = UINT64_MAX;
    agent->planner->begin(agent);
    agent->begun = true;
}

/* The sensor looks around. */
static void look(wend_agent *agent) {
    if (!agent->knowledge) return;
    agent->counters.operations += wend_knowledge_look(agent->knowledge, agent->at);
    agent->looked = agent->ground->view.map->revision;
}

/* Hands the planner the changes of its view, as many as the quota allows. */
static void take_changes(wend_agent *agent) {
    const wend_map *map = agent->view->map;
    bool opened = false;
    if (wend_map_lost_since(map, agent->taken)) {
        agent->planner->lost(agent);
        agent->taken = map->revision;
        agent->checked = false;
        opened = true; /* for all that is known */
    }
    for (; agent->taken != map->revision && agent->quota; agent->quota--, agent->taken++) {
        uint32_t change = map->changes[agent->taken % WEND_CHANGES_KEPT];
        agent->planner->changed(agent, change >> 1, change & 1);
        opened |= change & 1;
        agent->checked = false;
    }
    /* What was proved unreachable may not be so any more. */
    if (opened && agent->ended && agent->end == WEND_STEP_UNREACHABLE) {
        agent->ended = false;
        agent->planner->begin(agent);
    }
}

/* Before a plan or a move: the agent sees what was edited beside it, the planner hears what has changed. */
static void take_in(wend_agent *agent) {
    if (!agent->view->changes) return;
    if (agent->looked != agent->ground->view.map->revision) look(agent);
    if (agent->taken != agent->view->map->revision) take_changes(agent);
}

wend_status wend_agent_start(wend_agent *agent, wend_cell start, wend_cell goal, wend_error *error) {
    if (!agent) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no agent");
    wend_status status = wend_map_check_open(agent->ground->view.map, start, "start", error);
    if (status == WEND_OK) status = wend_want_check(agent, goal, error);
    if (status != WEND_OK) return status;
    wend_workspace_return(agent);
    wend_ground_refresh(agent->ground);
    agent->at = agent->start = start;
    wend_want_aim(agent, goal, true);
    agent->counters = (wend_counters){0};
    agent->counted_expansions = agent->counted_operations = agent->given = 0;
    agent->quota = agent->most_changes;
    agent->tasked = true, agent->searched = agent->begun = false;
    look(agent);
    agent->counters.operations = 0; /* they are those of steps */
    wend_agent_begin(agent);
    return WEND_OK;
}

wend_status wend_agent_set_goal(wend_agent *agent, wend_cell goal, wend_error *error) {
    if (!agent || !agent->tasked) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "the agent has no task");
    wend_status status = wend_want_check(agent, goal, error);
    if (status != WEND_OK) return status;
    note_peak(agent); /* of a search that is given up now */
    uint64_t operations = agent->counters.operations;
    take_in(agent); /* what has been opened, before anything that was learnt is taken over */
    agent->counters.operations = operations; /* they are those of steps */
    const wend_cell before = agent->goal;
    wend_want_aim(agent, goal, false);
    if (agent->goal == before && agent->begun && !agent->ended) return WEND_OK; /* it is on its way */
    if (agent->goal != before) agent->goals++;
    wend_agent_begin(agent);
    return WEND_OK;
}

wend_status wend_agent_place(wend_agent *agent, wend_cell cell, wend_error *error) {
    if (!agent || !agent->tasked) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "the agent has no task");
    wend_status status = wend_map_check_open(agent->ground->view.map, cell, "new place", error);
    if (status != WEND_OK) return status;
    note_peak(agent); /* of a search that is given up now */
    uint64_t operations = agent->counters.operations;
    agent->at = cell;
    look(agent);
    take_in(agent);
    if (agent->want) wend_want_aim(agent, agent->want->cell, true);
    agent->counters.operations = operations;
    wend_agent_begin(agent);
    return WEND_OK;
}

/* Whether there is anything to do: a task that is not over. On a known map reachability is known beforehand,
 * unless it has just been edited. */
static bool at_work(wend_agent *agent) {
    if (agent->ended || agent->at == agent->goal) return false;
    if (agent->checked) return true;
    const wend_view *view = agent->view;
    const wend_components *components = wend_view_components(view);
    bool joined = !components || wend_components_joined(components, agent->at, agent->goal);
    if (!joined || !wend_map_is_open_cell(view->map, agent->goal))
        wend_agent_end(agent, WEND_STEP_UNREACHABLE);
    /* Until components are known again after an edit it is looked at in every step. On terrain that is not
     * known nothing ever is, and it is the goal alone that may be closed: by a change, after which it is
     * looked at again. */
    agent->checked =
        !view->changes || components || (agent->knowledge && agent->taken == view->map->revision);
    return !agent->ended;
}

/* Who has come to a cell for a second time on terrain that is not known doubts that there is a path. It has the
 * components of what is believed brought up to date, a slice for each of its moves. Once they are, and as long as
 * nothing new is seen, they say whether there is one. */
enum { DOUBT_SLICE = 64, DOUBT_OPERATIONS = DOUBT_SLICE + 64 }; /* and for the two cells' labels */

static void doubt(wend_agent *agent) {
    const wend_map *map = agent->view->map;
    if (!agent->counters.revisits || agent->joined == map->revision || agent->ended) return;
    wend_components *components = agent->knowledge->components;
    agent->counters.operations += DOUBT_OPERATIONS;
    if (!wend_components_settle(components, map, DOUBT_SLICE)) return;
    if (wend_components_joined(components, agent->at, agent->goal))
        agent->joined = map->revision;
    else
        wend_agent_end(agent, WEND_STEP_UNREACHABLE);
}

bool wend_agent_plan(wend_agent *agent, uint64_t expansions) {
    agent->denied = WEND_DENIED_NOTHING;
    if (!agent->tasked || !expansions || !agent->planner->plan) return false;
    take_in(agent);
    if ((agent->want && !wend_want_go(agent)) || !at_work(agent)) return false;
    bool more = agent->planner->plan(agent, expansions);
    agent->given = wend_add(agent->given, expansions);
    return more && !agent->ended;
}

/* The step that ends here, with all that was counted since the last. */
static wend_step step_of(wend_agent *agent, wend_outcome outcome, uint32_t direction) {
    wend_step step = {outcome, (wend_direction)direction,
                      agent->counters.expansions - agent->counted_expansions,
                      agent->counters.operations - agent->counted_operations};
    agent->counted_expansions = agent->counters.expansions;
    agent->counted_operations = agent->counters.operations;
    agent->given = 0;
    if (agent->want) agent->want->sought = false;
    if (agent->view->changes) agent->quota = agent->most_changes;
    if (!agent->steady)
        note_peak(agent); /* before a workspace goes back; what is in use only grows in between */
    agent->steady = false;
    /* On its goal it needs no workspace, and nobody may step it again to hear that it has arrived. */
    bool over = outcome != WEND_STEP_MOVED && outcome != WEND_STEP_WAITING;
    if (over || agent->at == agent->goal) {
        wend_workspace_return(agent);
        if (agent->planner->rest) agent->planner->rest(agent);
    }
    return step;
}

/* A cell may have been opened since it was proved that there is no path, and the planner has not heard of
 * it. */
static bool in_doubt(const wend_agent *agent) {
    uint64_t revision = agent->view->map->revision;
    return agent->ended && agent->end == WEND_STEP_UNREACHABLE && agent->taken != revision &&
           agent->end_revision != revision;
}

/* A step of an agent that waits until a way opens. It needs nothing that others may want. */
static wend_step wait(wend_agent *agent) {
    agent->counters.waits++;
    wend_step step = step_of(agent, WEND_STEP_UNREACHABLE, WEND_NO_DIRECTION);
    step.outcome = WEND_STEP_WAITING;
    return step;
}

wend_step wend_agent_move(wend_agent *agent) {
    if (!agent->tasked) return (wend_step){.outcome = WEND_STEP_IDLE, .direction = WEND_NO_DIRECTION};
    take_in(agent);
    if (agent->want && !wend_want_go(agent)) return wait(agent);
    if (!agent->ended && agent->at == agent->goal)
        return step_of(agent, WEND_STEP_ARRIVED, WEND_NO_DIRECTION);
    const wend_map *truth = agent->ground->view.map;
    if (!agent->given) agent->denied = WEND_DENIED_NOTHING;
    if (agent->doubts && agent->knowledge) doubt(agent);
    uint32_t direction = at_work(agent) ? agent->planner->move(agent) : WEND_NO_DIRECTION;
    if (agent->ended && !in_doubt(agent)) {
        bool waits = agent->want && agent->end == WEND_STEP_UNREACHABLE;
        return waits ? wait(agent) : step_of(agent, agent->end, WEND_NO_DIRECTION);
    }
    /* Planners know what is around them; but one that has not heard of all changes yet may want to go on. */
    if (direction != WEND_NO_DIRECTION && agent->view->changes &&
        !(wend_map_moves(truth, agent->at) >> direction & 1))
        direction = WEND_NO_DIRECTION;
    if (direction == WEND_NO_DIRECTION) {
        agent->counters.waits++;
        return step_of(agent, WEND_STEP_WAITING, direction);
    }
    agent->at += (uint32_t)truth->offset[direction];
    agent->counters.moves++;
    if (agent->planner->visit && agent->planner->visit(agent)) agent->counters.revisits++;
    look(agent);
    return step_of(agent, WEND_STEP_MOVED, direction);
}

uint32_t wend_agent_known(const wend_agent *agent, int32_t *offset) {
    uint32_t direction;
    if (!agent->planner->known || agent->view->changes || agent->ended || !agent->checked) return 0;
    uint32_t moves = agent->planner->known(agent, &direction);
    if (!moves) return 0;
    *offset = agent->view->map->offset[direction];
    for (uint32_t i = 1; i <= moves; i++)
        if (agent->at + i * (uint32_t)*offset == agent->goal) return i - 1;
    return moves;
}

void wend_agent_skip(wend_agent *agent, uint32_t moves, wend_cell at) {
    agent->planner->skip(agent, moves);
    agent->at = at;
    agent->counters.moves += moves;
    agent->counted_expansions = agent->counters.expansions;
    agent->counted_operations = agent->counters.operations;
}

wend_step wend_agent_step(wend_agent *agent) {
    (void)wend_agent_plan(agent, agent->budget);
    return wend_agent_move(agent);
}

uint64_t wend_agent_bound(const wend_agent *agent, uint64_t expansions) {
    uint64_t bound = agent->planner->bound(agent, expansions);
    if (agent->want && agent->want->rule == WEND_GOAL_NEAREST) bound = wend_add(bound, WEND_SEEK_OPERATIONS);
    if (!agent->view->changes) return bound;
    /* The sensor looks at most before the plan, before the move and after it. */
    uint64_t looks = agent->knowledge ? 3 * wend_knowledge_look_bound(agent->knowledge) : 0;
    uint64_t changes = (uint64_t)agent->most_changes * agent->planner->change_operations;
    uint64_t doubts = agent->doubts && agent->knowledge ? DOUBT_OPERATIONS : 0;
    return wend_add(bound, looks + changes + doubts);
}

bool wend_agent_starved(const wend_agent *agent) {
    return agent->denied != WEND_DENIED_NOTHING;
}

uint64_t wend_agent_budget(const wend_agent *agent) {
    return agent->budget;
}

wend_counters wend_agent_counters(const wend_agent *agent) {
    return agent->counters;
}

wend_cell wend_agent_cell(const wend_agent *agent) {
    return agent->at;
}

wend_cell wend_agent_goal(const wend_agent *agent) {
    return agent->goal;
}

size_t wend_agent_bytes(const wend_agent *agent) {
    return agent->bytes;
}

/* Looking into it --------------------------------------------------------------------------------------- */

void wend_agent_watch(wend_agent *agent, const wend_watch *watch) {
    if (!agent) return;
    agent->watch = watch && watch->expanded ? watch : NULL;
    if (agent->workspace) agent->workspace->search->watch = agent->watch;
    if (agent->planner->watch) agent->planner->watch(agent);
}

wend_cell wend_agent_subgoal(const wend_agent *agent) {
    if (!agent->tasked || !agent->planner->subgoal) return WEND_NO_CELL;
    wend_cell cell = agent->planner->subgoal(agent);
    return cell == agent->goal ? WEND_NO_CELL : cell;
}

wend_cost wend_agent_value(const wend_agent *agent, wend_cell cell) {
    const wend_map *map = agent->view->map;
    if (!agent->tasked || cell >= map->cells) return WEND_NO_COST;
    if (agent->planner->value) return agent->planner->value(agent, cell);
    if (agent->workspace && agent->storage == WEND_STORAGE_ADAPTIVE && agent->aim == agent->goal)
        return wend_adaptive_h(agent->workspace->search, cell);
    wend_cell subgoal = wend_agent_subgoal(agent);
    return wend_map_distance(map, cell, subgoal == WEND_NO_CELL ? agent->goal : subgoal);
}

uint64_t wend_agent_hash(const wend_agent *agent) {
    const wend_counters *counters = &agent->counters;
    uint64_t hash = wend_mix((uint64_t)agent->at << 32 | agent->goal);
    const uint64_t words[] = {(uint64_t)agent->start << 1 | agent->searched,
                              agent->ended ? ((uint64_t)agent->end + 1) << 1 | in_doubt(agent) : 0,
                              counters->expansions,
                              counters->operations,
                              counters->moves,
                              counters->waits,
                              counters->revisits,
                              counters->learnt};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) hash = wend_mix(hash ^ words[i]);
    hash = wend_mix(hash ^ (agent->view->map->revision - agent->taken) ^
                    (uint64_t)agent->view->map->open_cells << 32);
    if (agent->want) hash = wend_mix(hash ^ ((uint64_t)agent->want->cell << 1 | agent->want->standing));
    return wend_mix(hash ^ agent->planner->hash(agent));
}

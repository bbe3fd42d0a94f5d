#include "runner/runner.h"

#include "runner/database.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct tool_runner {
    tool_terrain terrain;
    const wend_settings *settings;
    tool_interval interval;
    wend_interval game; /* the same for the library */
    wend_world *world;
    wend_knowledge *knowledge; /* NULL where the agent knows the map */
    wend_agent *agent;
    tool_db *db;         /* of a planner with one; or NULL */
    wend_repair *repair; /* of that, following the world's map; or NULL */
    bool repaired;       /* all of it, for now */
    uint64_t tick;       /* steps made */
    size_t edits;        /* applied */
    bool settled;
    wend_cell start, goal;
    tool_trace *trace; /* or NULL */
};

enum { NANOSECONDS_AN_EXPANSION = 10 }; /* fewer than any machine of today needs */
enum { SETTLE_OPERATIONS = 10000 };     /* a tick, while it is not known which cells a path joins */

bool tool_interval_parse(const char *text, tool_interval *interval) {
    *interval = (tool_interval){0, 0};
    size_t length = strlen(text);
    if (length < 2 || strcmp(text + length - 2, "ms") != 0) {
        int64_t expansions;
        if (!strchr(text, '.') && text[strspn(text, "0123456789")] == 0 && length) {
            if (!tool_integer("--interval", text, 1, (int64_t)1 << 53, &expansions)) return false;
            interval->expansions = (uint64_t)expansions;
            return true;
        }
        (void)tool_wrong("--interval: must be expansions, as in 50, or milliseconds, as in 0.3ms, not '%s'",
                         text);
        return false;
    }
    char number[32];
    double milliseconds;
    if (length - 2 >= sizeof number) {
        (void)tool_wrong("--interval: '%s' has too many digits", text);
        return false;
    }
    memcpy(number, text, length - 2);
    number[length - 2] = 0;
    /* Below a microsecond the looks at the clock would be all of it. */
    if (!tool_number("--interval in ms", number, 0.001, 1e6, &milliseconds)) return false;
    interval->nanoseconds = (uint64_t)(milliseconds * 1e6 + 0.5);
    return true;
}

static uint64_t read_clock(void *context) {
    (void)context;
    return tool_nanoseconds();
}

/* A database is of the map as it was loaded. So a world for a planner with one begins with that, and the
 * edits of tick 0 are made in it as all others are. */
static bool begins_as_loaded(const tool_runner *runner) {
    return runner->db && runner->terrain.knowledge.kind == TOOL_KNOWN && runner->terrain.first_count;
}

static wend_status make_first_edits(tool_runner *runner, wend_error *error) {
    const tool_terrain *terrain = &runner->terrain;
    wend_status status = WEND_OK;
    for (size_t i = 0; i < terrain->first_count && status == WEND_OK; i++)
        status =
            wend_world_edit(runner->world, terrain->first_edits[i].area, terrain->first_edits[i].open, error);
    if (status == WEND_OK) (void)wend_world_settle(runner->world, UINT64_MAX);
    return status;
}

/* Agents go on with a database that can't be repaired as it is. */
static wend_status create_repair(tool_runner *runner, bool editable, wend_error *error) {
    const wend_db *db = runner->db ? tool_db_opened(runner->db) : NULL;
    bool wanted = runner->terrain.repair && editable && !runner->knowledge && wend_db_can_repair(db);
    runner->repaired = !wanted;
    wend_repair_options options = wend_default_repair_options();
    return wanted ? wend_repair_create(db, wend_world_map(runner->world), &options, &runner->repair, error)
                  : WEND_OK;
}

/* The world as it is at first, with an agent in it. */
static wend_status create_agent(tool_runner *runner, wend_error *error) {
    const tool_terrain *terrain = &runner->terrain;
    wend_world_options world_options = wend_default_world_options();
    bool as_loaded = begins_as_loaded(runner);
    world_options.editable = terrain->edit_count > 0 || as_loaded;
    wend_status status = wend_world_create(as_loaded ? terrain->loaded : terrain->truth, &world_options,
                                           &runner->world, error);
    if (status == WEND_OK && as_loaded) status = make_first_edits(runner, error);
    if (status != WEND_OK) return status;
    if (terrain->knowledge.kind != TOOL_KNOWN) {
        wend_knowledge_options knowledge_options = wend_default_knowledge_options();
        knowledge_options.believed = terrain->believed;
        knowledge_options.radius = terrain->knowledge.radius;
        status = wend_knowledge_create(runner->world, &knowledge_options, &runner->knowledge, error);
        if (status != WEND_OK) return status;
    }
    wend_agent_options agent_options = wend_default_agent_options();
    const tool_interval *interval = &runner->interval;
    /* Room for all that an interval can hold. */
    uint64_t most =
        interval->expansions ? interval->expansions : interval->nanoseconds / NANOSECONDS_AN_EXPANSION;
    agent_options.max_lookahead = most < UINT32_MAX ? (uint32_t)most : UINT32_MAX;
    agent_options.knowledge = runner->knowledge;
    agent_options.db = runner->db ? tool_db_opened(runner->db) : NULL;
    runner->tick = 0, runner->edits = 0, runner->settled = true;
    status = create_repair(runner, world_options.editable, error);
    if (status != WEND_OK) return status;
    agent_options.repair = runner->repair;
    return wend_agent_create(runner->world, runner->settings, &agent_options, &runner->agent, error);
}

static void destroy_agent(tool_runner *runner) {
    wend_agent_destroy(runner->agent);
    wend_repair_destroy(runner->repair);
    runner->repair = NULL;
    wend_knowledge_destroy(runner->knowledge);
    wend_world_destroy(runner->world);
    runner->agent = NULL, runner->knowledge = NULL, runner->world = NULL;
}

tool_runner *tool_runner_create(const tool_terrain *terrain, const wend_settings *settings,
                                const tool_interval *interval) {
    tool_runner *runner = calloc(1, sizeof *runner);
    if (!runner) {
        (void)tool_wrong("out of memory");
        return NULL;
    }
    runner->terrain = *terrain;
    runner->settings = settings;
    if (interval) runner->interval = *interval;
    runner->game = (wend_interval){.expansions = runner->interval.expansions,
                                   .length = runner->interval.nanoseconds,
                                   .clock = read_clock};
    /* Whether it can be of use on this terrain, the planner says itself. */
    const char *db = wend_settings_text(settings, "db");
    if (db) {
        runner->db = tool_db_borrow(db, terrain->believed ? terrain->believed : terrain->loaded,
                                    tool_knowledge_hint(&terrain->knowledge));
        if (!runner->db) {
            tool_runner_destroy(runner);
            return NULL;
        }
    }
    wend_error error;
    if (create_agent(runner, &error) == WEND_OK) return runner;
    (void)tool_wrong_error(&error);
    tool_runner_destroy(runner);
    return NULL;
}

void tool_runner_destroy(tool_runner *runner) {
    if (!runner) return;
    destroy_agent(runner);
    tool_db_return(runner->db);
    free(runner);
}

const wend_db *tool_runner_db(const tool_runner *runner) {
    return runner->db ? tool_db_opened(runner->db) : NULL;
}

void tool_runner_rest(tool_runner *runner) {
    destroy_agent(runner);
}

void tool_runner_blame_db(const tool_runner *runner) {
    if (runner->db) tool_db_blame(runner->db);
}

bool tool_runner_reset(tool_runner *runner) {
    /* Worlds do not take changes back: make another. */
    if (!runner->agent || runner->edits || runner->repair) {
        wend_error error;
        destroy_agent(runner);
        if (create_agent(runner, &error) != WEND_OK) {
            (void)tool_wrong_error(&error);
            return false;
        }
    }
    if (runner->knowledge) wend_knowledge_forget(runner->knowledge);
    return true;
}

void tool_runner_set_trace(tool_runner *runner, tool_trace *trace) {
    runner->trace = trace;
}

static void begin_trace(tool_runner *runner) {
    const wend_watch *watch = runner->trace ? tool_trace_watch(runner->trace) : NULL;
    wend_agent_watch(runner->agent, watch);
    if (runner->trace) tool_trace_begin(runner->trace, runner->agent, runner->start, runner->goal);
}

wend_status tool_runner_start(tool_runner *runner, wend_cell start, wend_cell goal) {
    runner->start = start, runner->goal = goal;
    runner->tick = 0;
    wend_status status = wend_agent_start(runner->agent, start, goal, NULL);
    if (status == WEND_OK) begin_trace(runner);
    return status;
}

wend_status tool_runner_again(tool_runner *runner) {
    wend_status status = wend_agent_place(runner->agent, runner->start, NULL);
    if (status == WEND_OK) begin_trace(runner);
    return status;
}

void tool_runner_step(tool_runner *runner, wend_step *step) {
    runner->tick++;
    if (tool_interval_given(&runner->interval))
        *step = wend_agent_interval(runner->agent, &runner->game);
    else
        *step = wend_agent_step(runner->agent);
    if (runner->trace) tool_trace_step(runner->trace, step);
}

/* Changes of the map ------------------------------------------------------------------------------------ */

bool tool_runner_changes(const tool_runner *runner) {
    return runner->edits < runner->terrain.edit_count;
}

static bool edit_due(const tool_runner *runner) {
    return tool_runner_changes(runner) && runner->terrain.edits[runner->edits].tick <= runner->tick;
}

bool tool_runner_due(const tool_runner *runner) {
    return !runner->settled || !runner->repaired || edit_due(runner);
}

bool tool_runner_tick(tool_runner *runner) {
    wend_error error;
    for (; edit_due(runner); runner->edits++) {
        const tool_edit *edit = &runner->terrain.edits[runner->edits];
        if (wend_world_edit(runner->world, edit->area, edit->open, &error) != WEND_OK) {
            (void)tool_wrong_error(&error);
            return false;
        }
    }
    runner->settled = wend_world_settle(runner->world, SETTLE_OPERATIONS);
    if (!runner->repair ||
        wend_repair_step(runner->repair, runner->terrain.repair, &runner->repaired, &error) == WEND_OK)
        return true;
    (void)tool_wrong_error(&error);
    return false;
}

/* What there is to know of it --------------------------------------------------------------------------- */

const wend_map *tool_runner_map(const tool_runner *runner) {
    return wend_world_map(runner->world);
}

wend_counters tool_runner_counters(const tool_runner *runner) {
    return wend_agent_counters(runner->agent);
}

uint64_t tool_runner_searches(const tool_runner *runner) {
    return tool_runner_counters(runner).searches;
}

const wend_knowledge *tool_runner_knowledge(const tool_runner *runner) {
    return runner->knowledge;
}

size_t tool_runner_online_bytes(const tool_runner *runner) {
    return (size_t)wend_agent_counters(runner->agent).peak_bytes;
}

size_t tool_runner_reserved_bytes(const tool_runner *runner) {
    return wend_agent_bytes(runner->agent) + wend_world_bytes(runner->world) +
           (runner->knowledge ? wend_knowledge_bytes(runner->knowledge) : 0);
}

size_t tool_runner_db_bytes(const tool_runner *runner) {
    return runner->db ? (size_t)wend_db_about(tool_db_opened(runner->db)).bytes : 0;
}

double tool_runner_build_seconds(const tool_runner *runner) {
    return runner->db ? tool_db_build_seconds(runner->db) : NAN;
}

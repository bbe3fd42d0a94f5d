/* `wend run`: a fleet of agents with random goals, shown in the terminal or kept as a moving picture. */
#define _POSIX_C_SOURCE 200809L

#include "commands/run/run.h"

#include "formats/files.h"
#include "formats/map_files.h"
#include "shared/crew.h"
#include "shared/scenes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    MOST_AGENTS = 10000000,
    MOST_EVENTS = 1 << 20, /* that are kept; should some be lost, who stands is looked for */
    USUAL_TICKS = 1000,    /* where nobody watches */
    VIDEO_TICKS = 250,     /* twelve seconds */
    WORTH_THREADS = 200,   /* agents; for fewer, to wake threads takes longer than to do without */
    MOST_WORKSPACES = 4096
};
#define MOST_BUDGET (INT64_C(1) << 60)

typedef struct run_words {
    const char *map, *agents, *ticks, *budget, *workspaces, *patience, *max_cells, *rate, *video, *json;
    const char *knowledge, *sensor, *edits, *repair, *goal;
    const char *planners[TOOL_RUN_SQUADS], *bodies[TOOL_RUN_SQUADS];
    int planner_count, body_count;
    bool chase, plain;
} run_words;

typedef struct run_numbers {
    int64_t agents, ticks; /* ticks: 0 until it is interrupted */
    int64_t budget, workspaces, patience, max_cells, rate, repair;
    wend_goal_rule goals;
} run_numbers;

static bool to_stdout(const char *path) {
    return path && strcmp(path, "-") == 0;
}

/* All that a run has. */
typedef struct run_state {
    const run_words *words;
    run_numbers numbers;
    const tool_common *common;
    tool_terrain terrain;
    size_t edits; /* applied */
    tool_fleet fleet;
    wend_settings **settings; /* of each planner */
    tool_db *dbs[TOOL_RUN_SQUADS];
    wend_knowledge *knowledge[WEND_MAX_BODY + 1];
    wend_map *believed[WEND_MAX_BODY + 1];
    uint32_t **labels; /* by size: the cells of the largest component; NULL: not used */
    uint32_t label_count[WEND_MAX_BODY + 1];
    uint64_t random;
    shared_crew *crew; /* of threads; NULL: the fleet does without */
    bool lines;        /* are printed while it runs */
} run_state;

bool tool_fleet_look(const tool_fleet *fleet, uint32_t index, wend_member_info *info) {
    return index < fleet->agents && wend_fleet_member(fleet->fleet, fleet->members[index], info);
}

/* Numbers by counter (the finaliser of SplitMix64), the same on every machine. */
static uint32_t draw(run_state *run, uint32_t below) {
    uint64_t x = run->random += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)(((x ^ (x >> 31)) >> 32) * below >> 32);
}

/* Squads ------------------------------------------------------------------------------------------------- */

static bool complain(const wend_error *error) {
    (void)tool_wrong_error(error);
    return false;
}

/* The cells where bodies of a size begin and go to: those of the largest component. */
static bool find_cells(run_state *run, int32_t body) {
    if (run->labels[body]) return true;
    const wend_map *map = wend_fleet_map(run->fleet.fleet, body);
    wend_error error;
    if (!map) {
        (void)tool_wrong("out of memory");
        return false;
    }
    if (shared_largest_cells(map, &run->labels[body], &run->label_count[body], &error) != WEND_OK)
        return complain(&error);
    if (!run->labels[body])
        (void)tool_wrong("%s: no place for bodies of %d x %d cells", run->fleet.map_name, (int)body,
                         (int)body);
    return run->labels[body] != NULL;
}

/* What the agents of a size believe, together; nothing where they know the map. */
static bool make_knowledge(run_state *run, int32_t body) {
    if (run->terrain.knowledge.kind == TOOL_KNOWN || run->knowledge[body]) return true;
    wend_error error;
    wend_knowledge_options options = wend_default_knowledge_options();
    options.radius = run->terrain.knowledge.radius;
    if (run->terrain.believed &&
        wend_map_for_body(run->terrain.believed, body, &run->believed[body], &error) != WEND_OK)
        return complain(&error);
    options.believed = run->believed[body];
    wend_world *world = wend_fleet_world(run->fleet.fleet, body);
    return wend_knowledge_create(world, &options, &run->knowledge[body], &error) == WEND_OK ||
           complain(&error);
}

static bool add_squad(run_state *run, int i) {
    int32_t body = run->fleet.bodies[i];
    if (!find_cells(run, body) || !make_knowledge(run, body)) return false;
    wend_squad_options options = wend_default_squad_options();
    options.body = body;
    options.agent.knowledge = run->knowledge[body];
    options.agent.max_cells = (uint32_t)run->numbers.max_cells;
    options.agent.goals = run->numbers.goals;
    const char *db = wend_settings_text(run->settings[i], "db");
    if (db) {
        const wend_map *first = run->believed[body]; /* what its agents go by at first */
        run->dbs[i] = tool_db_borrow(db, first ? first : wend_fleet_base(run->fleet.fleet, body),
                                     tool_knowledge_hint(&run->terrain.knowledge));
        if (!run->dbs[i]) return false;
        options.agent.db = tool_db_opened(run->dbs[i]);
        if (!run->knowledge[body] && wend_db_can_repair(options.agent.db))
            options.repair_operations = (uint64_t)run->numbers.repair;
    }
    uint32_t number;
    wend_error error;
    if (wend_fleet_add_squad(run->fleet.fleet, run->settings[i], &options, &number, &error) == WEND_OK)
        return true;
    (void)tool_wrong("--planner %s: %s", run->fleet.planners[i], error.message);
    return false;
}

/* Whether it could be sent there. A request that ends at once is in no tick's figures. */
static bool send(tool_fleet *fleet, wend_member member, wend_cell goal) {
    if (wend_fleet_request(fleet->fleet, member, goal, NULL, NULL) != WEND_OK) return false;
    wend_member_info info;
    if (wend_fleet_member(fleet->fleet, member, &info) && info.doing == WEND_DOING_NOTHING)
        *(info.cell == goal ? &fleet->sums.arrived : &fleet->sums.unreachable) += 1;
    return true;
}

/* A new goal; where edits have closed many, it may take some tries, or be none. Who chases gets it there. */
static void request(run_state *run, wend_member member, const wend_member_info *info) {
    if (run->fleet.prey && info->squad) return;
    for (int i = 0; i < 20; i++)
        if (send(&run->fleet, member, run->labels[info->body][draw(run, run->label_count[info->body])]))
            return;
}

/* Goals follow those that are chased. Who has come to where its prey was a tick ago chases another. */
static void chase(run_state *run) {
    tool_fleet *fleet = &run->fleet;
    uint32_t squads = (uint32_t)fleet->squads, fleeing = (fleet->agents + squads - 1) / squads;
    wend_member_info info, prey;
    for (uint32_t i = 0; fleet->prey && tool_fleet_look(fleet, i, &info); i++) {
        if (!info.squad) continue;
        bool idle = info.doing == WEND_DOING_NOTHING;
        if (idle) fleet->prey[i] = squads * draw(run, fleeing);
        if (tool_fleet_look(fleet, fleet->prey[i], &prey) && (idle || prey.cell != info.wanted))
            (void)send(fleet, fleet->members[i], prey.cell);
    }
}

/* Those who found no goal among closed cells, or whose end was not heard of. */
static void ask_the_idle(run_state *run) {
    wend_member_info info;
    for (uint32_t i = 0; i < run->fleet.agents; i++)
        if (tool_fleet_look(&run->fleet, i, &info) && info.doing == WEND_DOING_NOTHING)
            request(run, run->fleet.members[i], &info);
}

/* The database of a member's squad is bad. */
static void blame(const run_state *run, const wend_event *event) {
    wend_member_info info;
    if (wend_fleet_member(run->fleet.fleet, event->member, &info) && run->dbs[info.squad])
        tool_db_blame(run->dbs[info.squad]);
}

/* Whoever has come to an end gets another goal. */
static void answer(run_state *run) {
    tool_fleet *fleet = &run->fleet;
    wend_member_info info;
    bool lost = false;
    /* A request may end at once (where there is but one cell), and then there is another event to answer: as
     * many as there are agents, the rest after the next tick. */
    uint32_t asked = 0;
    for (wend_event event; asked < fleet->agents && wend_fleet_event(fleet->fleet, &event);) {
        lost = lost || event.kind == WEND_EVENT_LOST;
        bool ended = event.kind >= WEND_EVENT_ARRIVED && event.kind <= WEND_EVENT_OUT_OF_MEMORY;
        if (event.kind == WEND_EVENT_BAD_DATABASE)
            blame(run, &event);
        else if (!ended)
            continue;
        fleet->event = event, fleet->has_event = true;
        /* One that has just been asked elsewhere must not be asked again for an old end. */
        if (wend_fleet_member(fleet->fleet, event.member, &info) && info.doing == WEND_DOING_NOTHING) {
            request(run, event.member, &info);
            asked++;
        }
    }
    if (lost) ask_the_idle(run);
}

static bool add_agents(run_state *run) {
    tool_fleet *fleet = &run->fleet;
    wend_error error;
    for (uint32_t i = 0; i < fleet->agents; i++) {
        uint32_t squad = i % (uint32_t)fleet->squads;
        int32_t body = fleet->bodies[squad];
        wend_cell cell = run->labels[body][draw(run, run->label_count[body])];
        if (wend_fleet_add(fleet->fleet, squad, cell, &fleet->members[i], &error) == WEND_OK) continue;
        (void)tool_wrong("--planner %s: %s", fleet->planners[squad], error.message);
        return false;
    }
    wend_member_info info;
    for (uint32_t i = 0; tool_fleet_look(fleet, i, &info); i++) {
        request(run, fleet->members[i], &info);
        if (i % 1024 == 0) answer(run);
    }
    return true;
}

static uint32_t count_sizes(const tool_fleet *fleet) {
    uint32_t count = 0;
    for (int32_t body = 1; body <= WEND_MAX_BODY; body++)
        for (int i = 0; i < fleet->squads; i++)
            if (fleet->bodies[i] == body) {
                count++;
                break;
            }
    return count;
}

static bool make_fleet(run_state *run) {
    tool_fleet *fleet = &run->fleet;
    wend_fleet_options options = wend_default_fleet_options();
    options.max_members = fleet->agents;
    options.max_events = fleet->agents < MOST_EVENTS / 4 ? 4 * fleet->agents + 64 : MOST_EVENTS;
    options.wait_events = false;
    options.budget = (uint64_t)run->numbers.budget;
    options.workspaces = (uint32_t)run->numbers.workspaces;
    options.patience = (uint32_t)run->numbers.patience;
    /* Agents of one size are a team, in one lane; the workspaces of other lanes would be of no use. */
    if (run->terrain.knowledge.kind != TOOL_KNOWN) options.lanes = count_sizes(fleet);
    options.editable = run->terrain.edit_count > 0;
    if (run->common->threads > 1 && fleet->agents >= WORTH_THREADS) {
        run->crew = shared_crew_create(run->common->threads);
        if (run->crew) options.tasks = shared_crew_tasks(run->crew);
    }
    for (int i = 0; i < fleet->squads; i++)
        if (fleet->bodies[i] > options.max_body) options.max_body = fleet->bodies[i];
    wend_error error;
    fleet->members = calloc(fleet->agents, sizeof *fleet->members);
    run->labels = calloc(WEND_MAX_BODY + 1, sizeof *run->labels);
    if (run->words->chase) fleet->prey = calloc(fleet->agents, sizeof *fleet->prey);
    if (!fleet->members || !run->labels || (run->words->chase && !fleet->prey)) {
        (void)tool_wrong("out of memory");
        return false;
    }
    if (wend_fleet_create(run->terrain.truth, &options, &fleet->fleet, &error) != WEND_OK)
        return complain(&error);
    for (int i = 0; i < fleet->squads; i++)
        if (!add_squad(run, i)) return false;
    fleet->edits = run->terrain.edits, fleet->edit_count = run->terrain.edit_count;
    fleet->seen = run->knowledge[fleet->bodies[0]];
    return add_agents(run);
}

static void release_settings(run_state *run) {
    for (int i = 0; run->settings && i < run->fleet.squads; i++) wend_settings_destroy(run->settings[i]);
    free(run->settings);
}

static void release(run_state *run) {
    wend_fleet_destroy(run->fleet.fleet);
    shared_crew_destroy(run->crew);
    free(run->fleet.members);
    free(run->fleet.prey);
    for (int i = 0; i < TOOL_RUN_SQUADS; i++) tool_db_return(run->dbs[i]);
    for (int i = 0; i <= WEND_MAX_BODY; i++) {
        wend_knowledge_destroy(run->knowledge[i]);
        wend_map_destroy(run->believed[i]);
        if (run->labels) free(run->labels[i]);
    }
    free(run->labels);
    release_settings(run);
}

/* Ticks -------------------------------------------------------------------------------------------------- */

static bool apply_edits(run_state *run) {
    wend_error error;
    uint64_t tick = run->fleet.sums.ticks;
    size_t before = run->edits;
    for (; run->edits < run->terrain.edit_count && run->terrain.edits[run->edits].tick <= tick;
         run->edits++) {
        const tool_edit *edit = &run->terrain.edits[run->edits];
        if (wend_fleet_edit(run->fleet.fleet, edit->area, edit->open, &error) != WEND_OK)
            return complain(&error);
    }
    if (run->edits > before) ask_the_idle(run);
    return true;
}

static void tick(run_state *run) {
    tool_fleet *fleet = &run->fleet;
    tool_fleet_sums *sums = &fleet->sums;
    double began = tool_seconds();
    fleet->last = wend_fleet_tick(fleet->fleet);
    fleet->last_seconds = tool_seconds() - began;
    const wend_tick *t = &fleet->last;
    sums->ticks++;
    sums->moves += t->moves, sums->coasted += t->coasted, sums->thinking += t->thinking;
    sums->starved += t->starved, sums->postponed += t->postponed;
    sums->arrived += t->arrived, sums->unreachable += t->unreachable;
    sums->out_of_memory += t->out_of_memory, sums->bad_database += t->bad_database;
    sums->operations += t->operations, sums->repair_operations += t->repair_operations;
    if (t->operations > sums->operations_max) sums->operations_max = t->operations;
    sums->seconds += fleet->last_seconds;
    if (fleet->last_seconds > sums->longest) sums->longest = fleet->last_seconds;
}

static void wait_until(double when) {
    for (double left; (left = when - tool_seconds()) > 0 && !tool_interrupted();) {
        double nap = left < 0.05 ? left : 0.05;
        struct timespec pause = {0, (long)(nap * 1e9)};
        (void)nanosleep(&pause, NULL);
    }
}

static void plain_line(const tool_fleet *fleet) {
    const wend_tick *t = &fleet->last;
    const tool_fleet_sums *sums = &fleet->sums;
    printf("tick %" PRIu64 "  moving %" PRIu64 "  waiting %" PRIu64 "  arrivals %" PRIu64
           "  %.3f ms per tick\n",
           t->tick, t->moves, t->thinking + t->starved + t->postponed, sums->arrived,
           sums->seconds / (double)sums->ticks * 1e3);
}

/* Runs until the last tick, or until somebody interrupts it. */
static bool run_ticks(run_state *run, tool_view *view, tool_video *video) {
    int64_t ticks = run->numbers.ticks, lines = ticks / 10 ? ticks / 10 : 1;
    double next = tool_seconds(), pause = run->numbers.rate ? 1.0 / (double)run->numbers.rate : 0;
    if (video && !tool_video_add(video, &run->fleet)) return false;
    for (int64_t i = 0; (!ticks || i < ticks) && !tool_interrupted(); i++) {
        if (!apply_edits(run)) return false;
        chase(run);
        tick(run);
        answer(run);
        if (video && !tool_video_add(video, &run->fleet)) return false;
        if (video && tool_video_full(video) && i + 1 != ticks) {
            if (!run->common->quiet)
                tool_remark("run: the moving picture ends with tick %" PRIu64
                            ": it takes at most %d ticks or %d MB",
                            run->fleet.sums.ticks, (int)TOOL_VIDEO_TICKS, (int)TOOL_VIDEO_MEGABYTES);
            return true;
        }
        if (view) {
            tool_view_show(view, &run->fleet);
        } else if (run->lines && ((i + 1) % (ticks ? lines : USUAL_TICKS)) == 0) {
            plain_line(&run->fleet);
        }
        next += pause;
        if (pause > 0) wait_until(next);
    }
    return true;
}

/* The end ------------------------------------------------------------------------------------------------ */

static int show(run_state *run) {
    const run_words *words = run->words;
    bool taken = to_stdout(words->json) || to_stdout(words->video);
    tool_output json = {.stream = NULL};
    if (words->json && !tool_output_begin(&json, words->json)) return TOOL_WRONG;
    tool_video *video = words->video ? tool_video_begin(&run->fleet, words->video) : NULL;
    if (words->video && !video) {
        tool_output_drop(&json);
        return TOOL_WRONG;
    }
    tool_view *view =
        video || words->plain || run->common->quiet || taken ? NULL : tool_view_begin(&run->fleet);
    if (!words->ticks && !view) run->numbers.ticks = video ? VIDEO_TICKS : USUAL_TICKS;
    if (!words->rate && view) run->numbers.rate = 30;
    run->lines = !view && !run->common->quiet && !taken;
    tool_catch_interrupts();
    bool good = run_ticks(run, view, video);
    tool_view_end(view);
    if (good && video) good = tool_video_save(video);
    tool_video_destroy(video);
    if (good && words->json) good = tool_fleet_write_json(&run->fleet, &json);
    tool_output_drop(&json);
    if (good && !taken) tool_fleet_print(&run->fleet);
    return good ? TOOL_DONE : TOOL_WRONG;
}

/* Words -------------------------------------------------------------------------------------------------- */

static bool read_numbers(const run_words *words, run_numbers *numbers) {
    *numbers = (run_numbers){.budget = MOST_BUDGET};
    return tool_integer("--agents", words->agents, 1, MOST_AGENTS, &numbers->agents) &&
           (!words->ticks ||
            tool_integer("--ticks", words->ticks, 0, words->video ? TOOL_VIDEO_TICKS : INT64_C(1) << 40,
                         &numbers->ticks)) &&
           (!words->repair || tool_integer("--repair", words->repair, 1, INT64_MAX, &numbers->repair)) &&
           (!words->budget || tool_integer("--budget", words->budget, 1, MOST_BUDGET, &numbers->budget)) &&
           (!words->workspaces ||
            tool_integer("--workspaces", words->workspaces, 1, MOST_WORKSPACES, &numbers->workspaces)) &&
           (!words->patience ||
            tool_integer("--patience", words->patience, 0, INT32_MAX, &numbers->patience)) &&
           (!words->max_cells ||
            tool_integer("--max-cells", words->max_cells, 1, UINT32_MAX, &numbers->max_cells)) &&
           (!words->rate || tool_integer("--rate", words->rate, 0, 1000, &numbers->rate));
}

static bool read_goal_rule(const char *word, wend_goal_rule *rule) {
    static const char *const names[] = {
        [WEND_GOAL_REFUSE] = "refuse", [WEND_GOAL_NEAREST] = "nearest", [WEND_GOAL_WAIT] = "wait"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!word || strcmp(word, names[i]) == 0) {
            *rule = (wend_goal_rule)i;
            return true;
        }
    (void)tool_wrong("--goal %s: must be refuse, nearest or wait", word);
    return false;
}

static bool read_planners(const run_words *words, run_state *run) {
    tool_fleet *fleet = &run->fleet;
    fleet->squads = words->planner_count;
    run->settings = calloc((size_t)words->planner_count, sizeof *run->settings);
    if (!run->settings) {
        (void)tool_wrong("out of memory");
        return false;
    }
    for (int i = 0; i < words->planner_count; i++) {
        int64_t body = 1;
        fleet->planners[i] = words->planners[i];
        if (!tool_planner_parse(words->planners[i], &run->settings[i])) return false;
        if (i < words->body_count && !tool_integer("--body", words->bodies[i], 1, WEND_MAX_BODY, &body))
            return false;
        fleet->bodies[i] = (int32_t)body;
    }
    return true;
}

static bool files_apart(const run_words *words, wend_settings *const *settings) {
    tool_files files = {.count = 0};
    tool_files_read(&files, "MAP", words->map);
    tool_files_read(&files, "--edits", words->edits);
    for (int i = 0; i < words->planner_count; i++)
        tool_files_read(&files, "db", wend_settings_text(settings[i], "db"));
    tool_files_written(&files, "--video", words->video);
    tool_files_written(&files, "--json", words->json);
    return tool_files_apart(&files, "run");
}

static int load_and_run(run_state *run, const tool_knowledge *knowledge) {
    const run_words *words = run->words;
    wend_map_options options = run->common->map;
    wend_map *map = tool_load_map(words->map, &options);
    if (!map) {
        release(run);
        return TOOL_WRONG;
    }
    tool_edits edits = {.list = NULL};
    int result = TOOL_WRONG;
    run->fleet.map = map, run->fleet.map_name = tool_base_name(words->map);
    run->fleet.agents = (uint32_t)run->numbers.agents;
    run->random = run->common->seed * 0xd1342543de82ef95u;
    if (tool_edits_read(words->edits, map, run->common->seed, &edits) &&
        tool_terrain_create(map, knowledge, &edits, run->common->seed, &run->terrain)) {
        run->fleet.map = run->terrain.truth;
        if (make_fleet(run)) result = show(run);
    }
    release(run);
    tool_terrain_destroy(&run->terrain);
    tool_edits_destroy(&edits);
    wend_map_destroy(map);
    return result;
}

static int run_command(const tool_command *command, int count, char **arguments) {
    run_words words = {.map = NULL};
    const tool_option options[] = {
        {.name = "--agents", .value = &words.agents},
        {.name = "--planner",
         .values = words.planners,
         .most = TOOL_RUN_SQUADS,
         .count = &words.planner_count},
        {.name = "--body", .values = words.bodies, .most = TOOL_RUN_SQUADS, .count = &words.body_count},
        {.name = "--ticks", .value = &words.ticks},
        {.name = "--budget", .value = &words.budget},
        {.name = "--workspaces", .value = &words.workspaces},
        {.name = "--patience", .value = &words.patience},
        {.name = "--max-cells", .value = &words.max_cells},
        {.name = "--rate", .value = &words.rate},
        {.name = "--chase", .flag = &words.chase},
        {.name = "--knowledge", .value = &words.knowledge},
        {.name = "--sensor", .value = &words.sensor},
        {.name = "--edits", .value = &words.edits},
        {.name = "--repair", .value = &words.repair},
        {.name = "--goal", .value = &words.goal},
        {.name = "--video", .value = &words.video},
        {.name = "--json", .value = &words.json},
        {.name = "--plain", .flag = &words.plain},
    };
    tool_common common;
    const char *plain[1];
    if (!tool_parse(command, count, arguments, options, sizeof options / sizeof *options, &common, plain, 1,
                    1))
        return TOOL_WRONG;
    if (common.help) return TOOL_DONE;
    words.map = plain[0];
    if (!words.agents) return tool_wrong("run: --agents is missing");
    if (!words.planner_count) return tool_wrong("run: --planner is missing (see wend planners)");
    if (words.body_count > words.planner_count)
        return tool_wrong("run: %d times --body, but %d times --planner", words.body_count,
                          words.planner_count);
    if (words.chase && words.planner_count < 2)
        return tool_wrong("--chase: takes two times --planner, who flees and who chases");
    if (!tool_named_as("run: --video", words.video, ".gif")) return TOOL_WRONG;
    if (words.repair && !words.edits)
        return tool_wrong("--repair: without --edits there is nothing to repair");
    run_state run = {.words = &words, .common = &common};
    tool_knowledge knowledge;
    if (!read_numbers(&words, &run.numbers) || !read_goal_rule(words.goal, &run.numbers.goals) ||
        !tool_knowledge_parse(words.knowledge, words.sensor, &knowledge))
        return TOOL_WRONG;
    if (!read_planners(&words, &run)) {
        release_settings(&run);
        return TOOL_WRONG;
    }
    if (!files_apart(&words, run.settings)) {
        release_settings(&run);
        return TOOL_WRONG;
    }
    return load_and_run(&run, &knowledge);
}

const tool_command tool_run_command = {.name = "run", .run = run_command};

#include "runner/trace.h"

#include "formats/json_out.h"

#include <inttypes.h>
#include <stdlib.h>

/* What is known of a cell on the way to one target. */
typedef struct known {
    uint64_t h;
    uint32_t target; /* number of the target that it holds for; 0: none */
} known;

struct tool_trace {
    FILE *file;
    const wend_map *map;
    wend_watch watch;
    uint64_t events; /* written */
    bool lost;       /* no memory for some */
    known *values;   /* a cell each */
    /* Of the run. */
    const wend_agent *agent; /* or NULL */
    wend_cell at, goal, target;
    uint32_t targets;    /* in all runs */
    uint64_t searches;   /* likewise: each begins with an expansion that has no parent */
    uint64_t step;       /* that is under way, from 1; over all runs, since it numbers the moves */
    uint64_t parent;     /* the step of the last move; 0: none in this run */
    wend_cell *expanded; /* in this step; for what is learnt of them at its end */
    size_t expanded_count, expanded_room;
};

/* How Posthoc draws the events: cells tinted as they are expanded and learnt of, the agent's way on top. */
static const char views[] =
    "{\"version\":\"1.4.0\",\n"
    "\"views\":{\n"
    " \"cell\":[{\"$\":\"rect\",\"x\":\"${{ $.x }}\",\"y\":\"${{ $.y }}\",\"width\":1,\"height\":1,"
    "\"fill\":\"${{ $.fill }}\",\"alpha\":\"${{ $.alpha }}\"}],\n"
    " \"dot\":[{\"$\":\"circle\",\"x\":\"${{ $.x + 0.5 }}\",\"y\":\"${{ $.y + 0.5 }}\",\"radius\":\"${{ "
    "$.radius }}\",\"fill\":\"${{ $.fill }}\"}],\n"
    " \"main\":[\n"
    "  {\"$\":\"cell\",\"$if\":\"${{ $.type == 'expanding' }}\",\"fill\":\"#f5a623\",\"alpha\":0.5},\n"
    "  {\"$\":\"cell\",\"$if\":\"${{ $.type == 'learning' }}\",\"fill\":\"#c2185b\",\"alpha\":0.35},\n"
    "  {\"$\":\"dot\",\"$if\":\"${{ $.type == 'moving' }}\",\"fill\":\"#1565c0\",\"radius\":0.35},\n"
    "  {\"$\":\"dot\",\"$if\":\"${{ $.type == 'waiting' }}\",\"fill\":\"#607d8b\",\"radius\":0.2},\n"
    "  {\"$\":\"dot\",\"$if\":\"${{ $.type == 'subgoal' }}\",\"fill\":\"#7b1fa2\",\"radius\":0.5},\n"
    "  {\"$\":\"cell\",\"$if\":\"${{ $.type == 'source' }}\",\"fill\":\"#2e7d32\",\"alpha\":1},\n"
    "  {\"$\":\"cell\",\"$if\":\"${{ $.type == 'destination' }}\",\"fill\":\"#c62828\",\"alpha\":1}\n"
    " ]},\n"
    "\"pivot\":{\"x\":\"${{ $.x + 0.5 }}\",\"y\":\"${{ $.y + 0.5 }}\",\"scale\":1},\n"
    "\"events\":[";

/* Events ------------------------------------------------------------------------------------------------ */

/* Up to its id, which the caller writes. */
static void begin_event(tool_trace *trace, const char *type) {
    (void)fprintf(trace->file, "%s{\"type\":\"%s\",\"id\":", trace->events ? ",\n" : "\n", type);
    trace->events++;
}

static bool is_full(const tool_trace *trace) {
    return trace->events >= TOOL_TRACE_EVENTS;
}

static void write_place(tool_trace *trace, wend_cell cell) {
    wend_xy at = wend_map_xy(trace->map, cell);
    (void)fprintf(trace->file, ",\"x\":%d,\"y\":%d", (int)at.x, (int)at.y);
}

static void write_length(tool_trace *trace, const char *key, wend_cost cost) {
    (void)fprintf(trace->file, ",\"%s\":", key);
    if (cost == WEND_NO_COST)
        (void)fputs("null", trace->file);
    else
        tool_json_number(trace->file, (double)cost / (double)wend_map_move_cost(trace->map, 0));
}

static void write_step(tool_trace *trace) {
    (void)fprintf(trace->file, ",\"step\":%" PRIu64, trace->step);
}

/* An event of a cell. */
static void cell_event(tool_trace *trace, const char *type, wend_cell cell) {
    begin_event(trace, type);
    (void)fprintf(trace->file, "%" PRIu32, cell);
    write_place(trace, cell);
}

/* An event of the agent itself. */
static void agent_event(tool_trace *trace, const char *type) {
    begin_event(trace, type);
    (void)fprintf(trace->file, "\"m%" PRIu64 "\",\"pId\":", trace->step);
    if (trace->parent)
        (void)fprintf(trace->file, "\"m%" PRIu64 "\"", trace->parent);
    else
        (void)fputs("null", trace->file);
    write_place(trace, trace->at);
    write_step(trace);
}

static void end_run(tool_trace *trace, const char *status) {
    begin_event(trace, "end");
    (void)fprintf(trace->file, "%" PRIu32, trace->at);
    write_place(trace, trace->at);
    (void)fprintf(trace->file, ",\"status\":\"%s\"}", status);
}

/* What the agent has come to believe -------------------------------------------------------------------- */

static void look_at_target(tool_trace *trace) {
    if (!trace->agent) return;
    wend_cell subgoal = wend_agent_subgoal(trace->agent);
    wend_cell target = subgoal == WEND_NO_CELL ? trace->goal : subgoal;
    if (target == trace->target) return;
    trace->target = target;
    trace->targets++; /* what was learnt for the last one does not hold for this */
    if (subgoal == WEND_NO_CELL) return;
    cell_event(trace, "subgoal", subgoal);
    write_step(trace);
    (void)fputc('}', trace->file);
}

/* Reports a heuristic that is above all that was known before. */
static void look_at_value(tool_trace *trace, wend_cell cell) {
    if (!trace->agent) return;
    uint64_t h = wend_agent_value(trace->agent, cell);
    known *value = &trace->values[cell];
    uint64_t before =
        value->target == trace->targets ? value->h : wend_map_distance(trace->map, cell, trace->target);
    if (h == WEND_NO_COST || h <= before) return;
    *value = (known){h, trace->targets};
    cell_event(trace, "learning", cell);
    write_length(trace, "h", h);
    write_length(trace, "was", before);
    write_step(trace);
    (void)fputc('}', trace->file);
}

static void expanded(void *context, const wend_expansion *expansion) {
    tool_trace *trace = context;
    if (is_full(trace)) return;
    look_at_target(trace);
    look_at_value(trace, expansion->cell);
    /* A cell has another id in each search, and none that is just its number. */
    trace->searches += expansion->parent == WEND_NO_CELL;
    const uint64_t first = trace->searches * wend_map_cells(trace->map);
    begin_event(trace, "expanding");
    (void)fprintf(trace->file, "%" PRIu64, first + expansion->cell);
    write_place(trace, expansion->cell);
    if (expansion->parent == WEND_NO_CELL)
        (void)fputs(",\"pId\":null", trace->file);
    else
        (void)fprintf(trace->file, ",\"pId\":%" PRIu64, first + expansion->parent);
    write_length(trace, "g", expansion->g);
    write_length(trace, "h", expansion->h);
    write_length(trace, "f", expansion->g == WEND_NO_COST ? WEND_NO_COST : expansion->g + expansion->h);
    write_step(trace);
    (void)fputc('}', trace->file);
    if (!trace->agent) return;
    wend_cell *cells = trace->lost ? NULL
                                   : tool_grown(trace->expanded, trace->expanded_count, &trace->expanded_room,
                                                sizeof *cells, "a trace");
    trace->lost = !cells;
    if (cells) (trace->expanded = cells)[trace->expanded_count++] = expansion->cell;
}

/* The run ----------------------------------------------------------------------------------------------- */

tool_trace *tool_trace_create(FILE *file, const wend_map *map) {
    tool_trace *trace = calloc(1, sizeof *trace);
    known *values = trace ? calloc(wend_map_cells(map), sizeof *values) : NULL;
    if (!values) {
        free(trace);
        (void)tool_wrong("out of memory for a trace");
        return NULL;
    }
    *trace = (tool_trace){.file = file, .map = map, .values = values, .watch = {expanded, trace}};
    (void)fputs(views, file);
    return trace;
}

bool tool_trace_finish(tool_trace *trace) {
    if (is_full(trace)) {
        end_run(trace, "cut");
        tool_remark("the trace has %d events, the most that are written: it is cut there", TOOL_TRACE_EVENTS);
    }
    (void)fputs("]}\n", trace->file);
    return !trace->lost; /* which has been said */
}

void tool_trace_destroy(tool_trace *trace) {
    if (!trace) return;
    free(trace->values);
    free(trace->expanded);
    free(trace);
}

const wend_watch *tool_trace_watch(const tool_trace *trace) {
    return &trace->watch;
}

void tool_trace_begin(tool_trace *trace, const wend_agent *agent, wend_cell start, wend_cell goal) {
    if (is_full(trace)) return;
    if (!trace->targets || trace->goal != goal || trace->target != goal) trace->targets++;
    trace->agent = agent;
    trace->at = start, trace->goal = trace->target = goal;
    trace->parent = 0;
    trace->expanded_count = 0;
    cell_event(trace, "source", start);
    (void)fputc('}', trace->file);
    cell_event(trace, "destination", goal);
    (void)fputc('}', trace->file);
    trace->step++;
    if (start == goal) end_run(trace, "arrived");
}

void tool_trace_step(tool_trace *trace, const wend_step *step) {
    if (is_full(trace)) return;
    look_at_target(trace);
    look_at_value(trace, trace->at);
    for (size_t i = 0; i < trace->expanded_count; i++) look_at_value(trace, trace->expanded[i]);
    trace->expanded_count = 0;
    if (step->outcome == WEND_STEP_MOVED) {
        wend_xy at = wend_map_xy(trace->map, trace->at);
        trace->at = wend_map_cell(trace->map, at.x + wend_direction_dx(step->direction),
                                  at.y + wend_direction_dy(step->direction));
        agent_event(trace, "moving");
        (void)fprintf(trace->file, ",\"direction\":%d", (int)step->direction);
    } else if (step->outcome == WEND_STEP_WAITING) {
        agent_event(trace, "waiting");
    } else {
        end_run(trace, step->outcome == WEND_STEP_UNREACHABLE     ? "unreachable"
                       : step->outcome == WEND_STEP_OUT_OF_MEMORY ? "out-of-memory"
                       : step->outcome == WEND_STEP_BAD_DATABASE  ? "bad-database"
                                                                  : "arrived");
        trace->step++;
        return;
    }
    (void)fprintf(trace->file, ",\"expansions\":%" PRIu64 ",\"operations\":%" PRIu64 "}", step->expansions,
                  step->operations);
    if (step->outcome == WEND_STEP_MOVED) {
        trace->parent = trace->step;
        if (trace->at == trace->goal) end_run(trace, "arrived");
    }
    trace->step++;
}

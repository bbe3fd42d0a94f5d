/* What planners make of changing ground: how far from the shortest their moves were. */
#include "commands/bench/bench.h"
#include "shared/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct edit_judge {
    const bench_task *bench;
    const bench_runs *runs;
    wend_map *map;     /* as it is before the step */
    wend_field *field; /* distances to the goal */
    size_t edits;      /* made */
    bool known;        /* the field is that of the map */
} edit_judge;

static bool fail_with(const wend_error *error) {
    (void)tool_wrong_error(error);
    return false;
}

static bool edit_until(edit_judge *judge, uint64_t tick) {
    const tool_terrain *terrain = &judge->bench->terrain;
    for (; judge->edits < terrain->edit_count && terrain->edits[judge->edits].tick <= tick; judge->edits++) {
        const tool_edit *edit = &terrain->edits[judge->edits];
        wend_error error;
        if (wend_map_edit(judge->map, edit->area, edit->open, &error) != WEND_OK) return fail_with(&error);
        judge->known = false;
    }
    return true;
}

/* WEND_NO_COST where no path leads to the goal, as where that is blocked. */
static bool distance(edit_judge *judge, wend_cell from, wend_cell goal, wend_cost *cost) {
    *cost = WEND_NO_COST;
    if (!wend_map_is_open_cell(judge->map, goal)) return true;
    wend_error error;
    if (!judge->known && wend_field_compute(judge->field, goal, &error) != WEND_OK) return fail_with(&error);
    judge->known = true;
    *cost = wend_field_cost(judge->field, from);
    return true;
}

static bool judge_run(edit_judge *judge, size_t index, double *detour) {
    const tool_run *run = &judge->runs->runs[index];
    uint64_t walked = 0;
    int64_t nearer = 0;
    wend_cell at = run->start;
    judge->edits = 0, judge->known = false;
    for (size_t step = 0; step < run->steps; step++) {
        if (!edit_until(judge, step)) return false;
        wend_direction direction = shared_step_direction(judge->runs->steps.data[run->first_step + step]);
        if (direction == WEND_NO_DIRECTION) continue;
        wend_cell next = wend_map_next(judge->map, at, direction);
        wend_cost before, after;
        if (!distance(judge, at, run->goal, &before) || !distance(judge, next, run->goal, &after))
            return false;
        at = next;
        if (before == WEND_NO_COST || after == WEND_NO_COST) continue; /* nothing to hold it against */
        walked += wend_map_move_cost(judge->map, direction);
        nearer += (int64_t)before - (int64_t)after;
    }
    *detour = !walked ? 0 : nearer > 0 ? ((double)walked / (double)nearer - 1) * 100 : NAN;
    /* One who does not know the map may be right to give up: it has not seen what was opened. */
    if (run->status != TOOL_RUN_UNREACHABLE || judge->bench->terrain.knowledge.kind != TOOL_KNOWN)
        return true;
    wend_cost left;
    if (!edit_until(judge, TOOL_MOST_TICK) || !distance(judge, at, run->goal, &left)) return false;
    if (left == WEND_NO_COST || !wend_map_is_open_cell(judge->map, at)) return true;
    (void)tool_wrong("problem %zu: %s says 'unreachable', and after the last edit there is a path",
                     judge->bench->problems[index].index, judge->runs->planner);
    return false;
}

bool tool_bench_judge(const bench_task *bench, bench_runs *runs) {
    if (!bench->terrain.edit_count && !bench->terrain.first_count) return true;
    runs->detours = calloc(bench->count ? bench->count : 1, sizeof *runs->detours);
    if (!runs->detours) {
        (void)tool_wrong("out of memory for %zu runs", bench->count);
        return false;
    }
    wend_field_options options = wend_default_field_options();
    options.towards = false;
    bool good = true;
    for (size_t i = 0; i < bench->count && good; i++) {
        runs->detours[i] = NAN;
        if (bench->problems[i].skipped || runs->runs[i].status == TOOL_RUN_REFUSED) continue;
        edit_judge judge = {.bench = bench, .runs = runs};
        wend_error error;
        good = wend_map_copy(bench->terrain.truth, &judge.map, &error) == WEND_OK &&
               wend_field_create(judge.map, &options, &judge.field, &error) == WEND_OK;
        if (!good) (void)tool_wrong_error(&error);
        good = good && judge_run(&judge, i, &runs->detours[i]);
        wend_field_destroy(judge.field);
        wend_map_destroy(judge.map);
    }
    return good;
}

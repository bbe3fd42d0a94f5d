#include "methods/lrta/values.h"

static bool is_known(const wend_search *search, uint32_t tag) {
    return tag >> WEND_TAG_STAMP == search->stamp;
}

/* h of the cell at (x, y). */
static uint64_t value_at(const wend_search *search, wend_cell cell, uint32_t x, uint32_t y) {
    if (search->wide) {
        const wend_record_wide *record = (const wend_record_wide *)search->cells + cell;
        if (is_known(search, record->tag)) return record->g;
    } else {
        const wend_record_narrow *record = (const wend_record_narrow *)search->cells + cell;
        if (is_known(search, record->tag)) return record->g;
    }
    return wend_octile(search->map, wend_apart(x, search->goal_x), wend_apart(y, search->goal_y));
}

/* No shortest path on the map as it is costs more. */
static uint64_t limit_of(const wend_map *map) {
    return (uint64_t)map->open_cells * map->cost[wend_joins_diagonally(map) ? 1 : 0];
}

/* True if the cell had no value of its own. Values are no larger than a shortest path's cost, so they fit. */
static bool set_value(wend_search *search, wend_cell cell, uint64_t value) {
    uint32_t tag = search->stamp << WEND_TAG_STAMP | WEND_TAG_ROOT, before;
    if (search->wide) {
        wend_record_wide *record = (wend_record_wide *)search->cells + cell;
        before = record->tag;
        record->g = value, record->tag = tag;
    } else {
        wend_record_narrow *record = (wend_record_narrow *)search->cells + cell;
        before = record->tag;
        record->g = (uint32_t)value, record->tag = tag;
    }
    return !is_known(search, before);
}

void wend_values_begin(wend_agent *agent) {
    wend_search *search = agent->workspace->search;
    /* The search that borrowing began has its root here. */
    if (search->wide)
        ((wend_record_wide *)search->cells)[search->start].tag = 0;
    else
        ((wend_record_narrow *)search->cells)[search->start].tag = 0;
    search->touched = 0;
    wend_queue_clear(&search->queue);
}

uint64_t wend_values_of(const wend_agent *agent, wend_cell cell) {
    const wend_search *search = agent->workspace->search;
    uint32_t y = wend_cell_y(search->map, cell);
    return value_at(search, cell, wend_cell_x(search->map, cell, y), y);
}

uint32_t wend_values_move(wend_agent *agent) {
    wend_search *search = agent->workspace->search;
    const wend_map *map = search->map;
    uint32_t y = wend_cell_y(map, agent->at), x = wend_cell_x(map, agent->at, y);
    uint32_t moves = wend_legal_moves(map, x, y), chosen = WEND_NO_DIRECTION;
    uint64_t best = UINT64_MAX;
    agent->counters.expansions++;
    wend_agent_show(agent, agent->at, WEND_NO_CELL, 0);
    agent->counters.operations += 1 + wend_count_bits(moves);
    for (; moves; moves &= moves - 1) {
        uint32_t d = wend_lowest_bit(moves);
        uint64_t value = map->cost[d] + value_at(search, agent->at + (uint32_t)map->offset[d],
                                                 x + (uint32_t)wend_dx[d], y + (uint32_t)wend_dy[d]);
        if (value < best || (value == best && map->cost[d] > map->cost[chosen])) best = value, chosen = d;
    }
    if (best > limit_of(map)) { /* also where no move is legal */
        if (agent->aim != agent->goal) return WEND_NO_DIRECTION;
        if (agent->taken == agent->view->map->revision) wend_agent_end(agent, WEND_STEP_UNREACHABLE);
        return agent->ended ? WEND_NO_DIRECTION : chosen;
    }
    if (best <= value_at(search, agent->at, x, y)) return chosen;
    search->touched += set_value(search, agent->at, best);
    agent->counters.learnt = search->touched;
    return chosen;
}

/* Solvable problems drawn at random. Draw n takes its start from all open cells and its goal from the other
 * cells of the start's component, by the numbers 2n and 2n + 1 of the seed. It counts if the optimal length
 * is within the limits. So the problems depend on map, seed and limits only. */
#include "base/memory.h"
#include "base/options.h"
#include "base/random.h"
#include "base/sort.h"
#include "base/status.h"
#include "grid/runs.h"
#include <wend/generate.h>
#include <wend/search.h>

#include <math.h>

/* How many draws may fail one after another before the map is taken to have no such pair. Draws without a
 * search are cheap, searches are not. Jump tables are made if a few searches without them were not enough. */
enum { MOST_DRAWS = 1 << 22, MOST_SEARCHES = 4096, SEARCHES_WITHOUT_TABLES = 3 };

typedef struct drawn {
    wend_cost cost;
    uint64_t number;
    double length;
    wend_cell start, goal;
} drawn;

typedef struct drawing {
    const wend_map *map;
    const wend_problems_options *options;
    wend_allocator allocator;
    /* The open cells ordered by component, where each component begins, and where the last ends. */
    wend_cell *cells;
    uint32_t *begin;
    uint32_t open, components;
    wend_search *search;
    wend_jumps *jumps;
    uint64_t searches;
    drawn *found;
    size_t count, capacity;
} drawing;

void wend_problems_options_init(wend_problems_options *options, size_t size) {
    const wend_problems_options own = {.seed = 1, .max_length = INFINITY};
    wend_options_init(options, size, &own, sizeof own);
}

static wend_status check_options(const wend_problems_options *options, wend_error *error) {
    if (!(options->min_length >= 0 && options->min_length <= options->max_length))
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "lengths from %g to %g", options->min_length,
                         options->max_length);
    return WEND_OK;
}

/* Fills `cells`, a component after another, each in the order of the map. */
static wend_status index_cells(drawing *d, wend_error *error) {
    wend_runs runs;
    wend_status status = wend_runs_create(d->map, &d->allocator, wend_joins_diagonally(d->map), &runs, error);
    if (status != WEND_OK) return status;
    d->open = d->map->open_cells, d->components = runs.components;
    d->cells = wend_allocate(&d->allocator, (size_t)d->open + 1, sizeof *d->cells);
    d->begin = wend_allocate_zeroed(&d->allocator, (size_t)d->components + 1, sizeof *d->begin);
    if (!d->cells || !d->begin) {
        wend_runs_release(&runs);
        return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory to list the open cells");
    }
    /* Counted one place further on: filling then moves each beginning to its right place. */
    uint32_t *next = d->begin + 1;
    for (uint32_t i = 0; i < runs.count; i++)
        if (runs.label[i] + 1 < runs.components)
            next[runs.label[i] + 1] += (uint32_t)runs.run[i].last - runs.run[i].first + 1;
    for (uint32_t i = 1; i < runs.components; i++) next[i] += next[i - 1];
    for (uint32_t y = 0; y < runs.height; y++)
        for (uint32_t i = runs.row[y]; i < runs.row[y + 1]; i++)
            for (uint32_t x = runs.run[i].first; x <= runs.run[i].last; x++)
                d->cells[next[runs.label[i]]++] = y * (uint32_t)d->map->width + x;
    wend_runs_release(&runs);
    return WEND_OK;
}

/* The component of entry `i` of `cells`. */
static uint32_t component_of(const drawing *d, uint32_t i) {
    uint32_t low = 0, high = d->components; /* begin[low] <= i < begin[high] */
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (d->begin[middle] <= i)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* False if there is no other cell to go to. */
static bool draw_pair(const drawing *d, uint64_t n, wend_cell *start, wend_cell *goal, uint32_t *size) {
    uint32_t from = wend_random_below_large(wend_random_at(d->options->seed, 0x70726f62, 2 * n), d->open);
    uint32_t component = component_of(d, from), begin = d->begin[component];
    *size = d->begin[component + 1] - begin;
    if (*size < 2) return false;
    uint32_t to =
        begin + wend_random_below_large(wend_random_at(d->options->seed, 0x70726f62, 2 * n + 1), *size - 1);
    if (to >= from) to++;
    *start = d->cells[from], *goal = d->cells[to];
    return true;
}

/* Whether a pair can be within the limits, judged by the distance without walls and the size of the
 * component. */
static bool is_possible(const drawing *d, wend_cell start, wend_cell goal, uint32_t size) {
    wend_xy a = wend_map_xy(d->map, start), b = wend_map_xy(d->map, goal);
    uint32_t dx = wend_apart((uint32_t)a.x, (uint32_t)b.x), dy = wend_apart((uint32_t)a.y, (uint32_t)b.y);
    uint32_t less = dx < dy ? dx : dy, more = dx < dy ? dy : dx;
    bool four = d->map->rules.connect == 4;
    double least =
        four ? wend_map_length(d->map, (uint64_t)dx + dy, 0) : wend_map_length(d->map, more - less, less);
    double most = four ? wend_map_length(d->map, size - 1, 0) : wend_map_length(d->map, 0, size - 1);
    return least <= d->options->max_length && most >= d->options->min_length;
}

static wend_status use_tables(drawing *d, wend_error *error) {
    wend_search_destroy(d->search); /* it serves no search with tables */
    d->search = NULL;
    wend_search_options options = wend_default_search_options();
    options.allocator = d->allocator;
    wend_status status = wend_search_create(d->map, &options, &d->search, error);
    if (status == WEND_OK) status = wend_jumps_create(d->map, &d->allocator, &d->jumps, error);
    return status;
}

static wend_status solve(drawing *d, wend_cell start, wend_cell goal, wend_result *result,
                         wend_error *error) {
    wend_status status = WEND_OK;
    if (d->searches++ == SEARCHES_WITHOUT_TABLES) status = use_tables(d, error);
    if (status != WEND_OK) return status;
    return d->jumps ? wend_search_jps(d->search, d->jumps, start, goal, result, error)
                    : wend_search_astar(d->search, start, goal, result, error);
}

static wend_status keep(drawing *d, drawn problem, wend_error *error) {
    if (d->count == d->capacity) {
        size_t capacity = d->capacity ? d->capacity * 2 : 64;
        drawn *larger = wend_enlarge(&d->allocator, d->found, d->capacity, capacity, sizeof *larger);
        if (!larger) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for more problems");
        d->found = larger, d->capacity = capacity;
    }
    d->found[d->count++] = problem;
    return WEND_OK;
}

static wend_status draw_problems(drawing *d, size_t count, wend_error *error) {
    uint32_t draws = 0, searches = 0; /* in vain, since the last problem */
    for (uint64_t n = 0; d->count < count; n++) {
        if (!d->open || draws == MOST_DRAWS || searches == MOST_SEARCHES)
            return wend_fail(error, WEND_STATUS_UNSUPPORTED,
                             "found %zu of %zu problems of length %g to %g, then none in %u draws", d->count,
                             count, d->options->min_length, d->options->max_length, (unsigned)draws);
        draws++;
        wend_cell start, goal;
        uint32_t size;
        if (!draw_pair(d, n, &start, &goal, &size) || !is_possible(d, start, goal, size)) continue;
        searches++;
        wend_result result;
        wend_status status = solve(d, start, goal, &result, error);
        if (status != WEND_OK) return status;
        if (result.found == WEND_FOUND_OUT_OF_MEMORY)
            return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory to solve a problem");
        double length = wend_map_length(d->map, result.straight, result.diagonal);
        if (result.found != WEND_FOUND_PATH || length < d->options->min_length ||
            length > d->options->max_length)
            continue;
        status = keep(d, (drawn){result.cost, n, length, start, goal}, error);
        if (status != WEND_OK) return status;
        draws = searches = 0;
    }
    return WEND_OK;
}

static int by_cost(const void *a, const void *b) {
    const drawn *x = a, *y = b;
    if (x->cost != y->cost) return x->cost < y->cost ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static wend_status write_scenario(const drawing *d, const char *map_name, wend_scenario **scenario,
                                  wend_error *error) {
    wend_scenario *made;
    wend_status status =
        wend_scenario_create(map_name, d->map->width, d->map->height, &d->allocator, &made, error);
    if (status != WEND_OK) return status;
    for (size_t i = 0; i < d->count && status == WEND_OK; i++) {
        const drawn *p = d->found + i;
        wend_problem problem = {.bucket = (uint32_t)(p->length / 4),
                                .start = wend_map_xy(d->map, p->start),
                                .goal = wend_map_xy(d->map, p->goal),
                                .length = p->length};
        status = wend_scenario_add(made, &problem, error);
    }
    if (status == WEND_OK)
        *scenario = made;
    else
        wend_scenario_destroy(made);
    return status;
}

wend_status wend_problems_generate(const wend_map *map, const char *map_name, size_t count,
                                   const wend_problems_options *options, wend_scenario **scenario,
                                   wend_error *error) {
    if (!scenario) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "nowhere to put the problems");
    *scenario = NULL;
    if (!map || !map_name) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no map, or no name for it");
    if (count > WEND_MAX_PROBLEMS)
        return wend_fail(error, WEND_STATUS_TOO_LARGE, "%zu problems: at most %d", count, WEND_MAX_PROBLEMS);
    wend_problems_options own = wend_default_problems_options();
    wend_status status = wend_options_take(&own, sizeof own, options, "problems", error);
    if (status == WEND_OK) status = check_options(options = &own, error);
    if (status != WEND_OK) return status;
    drawing d = {.map = map, .options = options, .allocator = wend_allocator_or_default(&options->allocator)};
    wend_search_options search_options = wend_default_search_options();
    search_options.allocator = d.allocator;
    status = index_cells(&d, error);
    if (status == WEND_OK) status = wend_search_create(map, &search_options, &d.search, error);
    if (status == WEND_OK) status = draw_problems(&d, count, error);
    if (status == WEND_OK) {
        wend_sort(d.found, d.count, sizeof(drawn), by_cost);
        status = write_scenario(&d, map_name, scenario, error);
    }
    wend_search_destroy(d.search);
    wend_jumps_destroy(d.jumps);
    wend_release(&d.allocator, d.found, d.capacity, sizeof *d.found);
    wend_release(&d.allocator, d.cells, (size_t)d.open + 1, sizeof *d.cells);
    wend_release(&d.allocator, d.begin, (size_t)d.components + 1, sizeof *d.begin);
    return status;
}

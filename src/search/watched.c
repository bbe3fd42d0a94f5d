#include "search/watched.h"

/* `best` skips outdated nodes, so that `run` begins with the cell that it expands. On its own `run` would do
 * both in the same order. */
wend_ended wend_watched_run(wend_search *search, uint64_t budget, uint64_t outdated) {
    const wend_kernel *kernel = search->kernel;
    for (;; budget--) {
        uint64_t operations = search->operations, expansions = search->expansions;
        wend_cell cell = kernel->best(search, outdated);
        outdated -= search->operations - operations;
        if (cell == WEND_NO_CELL || !budget) return kernel->run(search, 0, outdated);
        wend_ended ended = kernel->run(search, 1, 0);
        if (search->expansions != expansions) {
            wend_expansion expansion = kernel->look(search, cell);
            search->watch->expanded(search->watch->context, &expansion);
        }
        if (ended != WEND_ENDED_BUDGET) return ended;
    }
}

void wend_search_watch(wend_search *search, const wend_watch *watch) {
    if (search) search->watch = watch && watch->expanded ? watch : NULL;
}

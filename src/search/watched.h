/* Searches that somebody watches. The kernels know nothing of it: they can be resumed after every expansion,
 * so a watched search is run one expansion at a time, and what it did is looked up in its records. */
#ifndef WEND_SEARCH_WATCHED_H
#define WEND_SEARCH_WATCHED_H

#include "search/search.h"

/* As wend_search_run, with the same results and counts; search->watch is told of each expansion. */
wend_ended wend_watched_run(wend_search *search, uint64_t budget, uint64_t outdated);

#endif

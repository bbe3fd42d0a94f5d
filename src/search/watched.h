/* Searches that somebody watches. The kernels know nothing of it. They can be resumed after every expansion,
 * so a watched search runs one expansion at a time, and its records show what it did. */
#ifndef WEND_SEARCH_WATCHED_H
#define WEND_SEARCH_WATCHED_H

#include "search/search.h"

/* As wend_search_run, with the same results and counts. Calls search->watch with each expansion. */
wend_ended wend_watched_run(wend_search *search, uint64_t budget, uint64_t outdated);

#endif

/* An allocator that keeps to a cap, for builds. */
#ifndef WEND_BASE_BUDGET_H
#define WEND_BASE_BUDGET_H

#include <stdatomic.h>
#include <wend/base.h>

typedef struct wend_budget {
    wend_allocator below; /* where memory really comes from */
    size_t most;          /* bytes in use at a time; 0: no cap */
    atomic_size_t used;
    atomic_bool refused; /* because of the cap */
} wend_budget;

/* `used` bytes are in use already. */
void wend_budget_init(wend_budget *budget, const wend_allocator *below, size_t most, size_t used);
/* May be called by many threads if `below` may. The budget must stay where it is meanwhile. */
wend_allocator wend_budget_allocator(wend_budget *budget);

#endif

#include "base/budget.h"

#include "base/assert.h"
#include "base/memory.h"

/* Takes the bytes off first, so that two threads that ask at the same time cannot both get the last ones. */
static bool take(wend_budget *budget, size_t size) {
    size_t before = atomic_fetch_add_explicit(&budget->used, size, memory_order_relaxed);
    if (!budget->most || (size <= budget->most && before <= budget->most - size)) return true;
    (void)atomic_fetch_sub_explicit(&budget->used, size, memory_order_relaxed);
    atomic_store(&budget->refused, true);
    return false;
}

static void give_back(wend_budget *budget, size_t size) {
    WEND_ASSERT(atomic_load_explicit(&budget->used, memory_order_relaxed) >= size);
    (void)atomic_fetch_sub_explicit(&budget->used, size, memory_order_relaxed);
}

static void *allocate(void *context, size_t size) {
    wend_budget *budget = context;
    if (!take(budget, size)) return NULL;
    void *pointer = wend_allocate(&budget->below, size, 1);
    if (!pointer) give_back(budget, size);
    return pointer;
}

static void *allocate_zeroed(void *context, size_t size) {
    wend_budget *budget = context;
    if (!take(budget, size)) return NULL;
    void *pointer = wend_allocate_zeroed(&budget->below, size, 1);
    if (!pointer) give_back(budget, size);
    return pointer;
}

static void release(void *context, void *pointer, size_t size) {
    wend_budget *budget = context;
    wend_release(&budget->below, pointer, size, 1);
    give_back(budget, size);
}

void wend_budget_init(wend_budget *budget, const wend_allocator *below, size_t most, size_t used) {
    budget->below = wend_allocator_or_default(below);
    budget->most = most;
    atomic_init(&budget->used, used);
    atomic_init(&budget->refused, false);
}

wend_allocator wend_budget_allocator(wend_budget *budget) {
    return (wend_allocator){budget, allocate, release, allocate_zeroed};
}

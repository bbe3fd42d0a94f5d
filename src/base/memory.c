#include "base/memory.h"

#include "base/assert.h"

#include <stdlib.h>
#include <string.h>

static void *libc_allocate(void *context, size_t size) {
    (void)context;
    return malloc(size);
}

/* calloc, since large zeroed blocks are then pages that cost nothing until touched. */
static void *libc_allocate_zeroed(void *context, size_t size) {
    (void)context;
    return calloc(1, size);
}

static void libc_release(void *context, void *pointer, size_t size) {
    (void)context;
    (void)size;
    free(pointer);
}

wend_allocator wend_allocator_or_default(const wend_allocator *allocator) {
    if (allocator && allocator->allocate && allocator->release) return *allocator;
    return (wend_allocator){NULL, libc_allocate, libc_release, libc_allocate_zeroed};
}

static void *touch(wend_toucher *toucher, void *memory, size_t size) {
    enum { PAGE = 4096 };
    volatile uint8_t *bytes = memory;
    if (!memory) return NULL;
    size_t most = size < toucher->left ? size : toucher->left;
    for (size_t i = 0; i < most; i += PAGE) bytes[i] = 0;
    toucher->left -= most;
    return memory;
}

static void *touching_allocate(void *context, size_t size) {
    wend_toucher *toucher = context;
    return touch(toucher, wend_allocate(&toucher->inner, 1, size), size);
}

static void *touching_allocate_zeroed(void *context, size_t size) {
    wend_toucher *toucher = context;
    return touch(toucher, wend_allocate_zeroed(&toucher->inner, 1, size), size);
}

static void touching_release(void *context, void *pointer, size_t size) {
    const wend_toucher *toucher = context;
    wend_release(&toucher->inner, pointer, 1, size);
}

wend_allocator wend_toucher_allocator(wend_toucher *toucher) {
    return (wend_allocator){toucher, touching_allocate, touching_release, touching_allocate_zeroed};
}

static size_t bytes_of(size_t count, size_t size) {
    return count && size && count <= SIZE_MAX / size ? count * size : 0;
}

void *wend_allocate(const wend_allocator *allocator, size_t count, size_t size) {
    size_t bytes = bytes_of(count, size);
    return bytes ? allocator->allocate(allocator->context, bytes) : NULL;
}

void *wend_allocate_zeroed(const wend_allocator *allocator, size_t count, size_t size) {
    size_t bytes = bytes_of(count, size);
    if (!bytes) return NULL;
    if (allocator->allocate_zeroed) return allocator->allocate_zeroed(allocator->context, bytes);
    void *pointer = allocator->allocate(allocator->context, bytes);
    if (pointer) memset(pointer, 0, bytes);
    return pointer;
}

void *wend_enlarge(const wend_allocator *allocator, void *pointer, size_t old_count, size_t new_count,
                   size_t size) {
    void *larger = wend_allocate(allocator, new_count, size);
    if (!larger) return NULL;
    if (pointer) {
        memcpy(larger, pointer, old_count * size);
        wend_release(allocator, pointer, old_count, size);
    }
    return larger;
}

void wend_release(const wend_allocator *allocator, void *pointer, size_t count, size_t size) {
    WEND_ASSERT(!pointer || bytes_of(count, size));
    if (pointer) allocator->release(allocator->context, pointer, count * size);
}

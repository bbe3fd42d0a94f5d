#include "support/memory.h"

#include <stdlib.h>
#include <string.h>

/* The size stands in front of each block; 16 bytes keep the alignment. */
enum { FRONT = 16 };

static void *allocate(void *context, size_t size) {
    test_memory *memory = context;
    if (++memory->requests == memory->refuse_at) return NULL;
    uint8_t *block = malloc(size + FRONT);
    if (!block) return NULL;
    memcpy(block, &size, sizeof size);
    memory->live_blocks++, memory->live_bytes += size;
    if (memory->live_bytes > memory->peak_bytes) memory->peak_bytes = memory->live_bytes;
    memset(block + FRONT, 0xa5, size);
    return block + FRONT;
}

static void release(void *context, void *pointer, size_t size) {
    test_memory *memory = context;
    uint8_t *block = (uint8_t *)pointer - FRONT;
    size_t allocated;
    memcpy(&allocated, block, sizeof allocated);
    if (allocated != size) memory->wrong_sizes++;
    memory->live_blocks--, memory->live_bytes -= allocated;
    free(block);
}

wend_allocator test_allocator(test_memory *memory) {
    return (wend_allocator){memory, allocate, release, NULL};
}

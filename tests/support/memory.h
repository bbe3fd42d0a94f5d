/* An allocator that counts, checks sizes on release, and can be set to refuse the n-th request. */
#ifndef WEND_TESTS_MEMORY_H
#define WEND_TESTS_MEMORY_H

#include <wend/base.h>

typedef struct test_memory {
    uint64_t requests;  /* so far */
    uint64_t refuse_at; /* the request, from 1, that gets NULL; 0: none */
    uint64_t live_blocks, live_bytes, peak_bytes;
    uint64_t wrong_sizes; /* releases whose size is not the allocated one */
} test_memory;

wend_allocator test_allocator(test_memory *memory);

#endif

/* Forged files with right checksums: a database's file taken apart, its numbers and settings
 * changed, and put together again as if wend had written it. */
#ifndef WEND_TESTS_MUTANT_H
#define WEND_TESTS_MUTANT_H

#include "db/file.h"
#include "support/files.h"
#include "support/maps.h"

typedef struct test_mutant_section {
    char name[16];
    uint32_t width; /* of an element, in bytes */
    uint64_t count;
    uint8_t *data; /* as in the file: little-endian */
} test_mutant_section;

typedef struct test_mutant {
    uint8_t head[WEND_DB_TABLE]; /* of the file; lengths and checksums are filled in by test_mutant_bytes */
    char settings[WEND_DB_SETTINGS_ROOM];
    test_mutant_section sections[WEND_DB_SECTIONS];
    size_t section_count;
} test_mutant;

/* Takes a whole file of the library's apart. */
test_mutant test_mutant_of(test_bytes file);
void test_mutant_free(test_mutant *mutant);
/* The file, with right lengths and checksums; from malloc. */
test_bytes test_mutant_bytes(const test_mutant *mutant);

/* A section by name; fails the case where there is none. */
test_mutant_section *test_mutant_find(test_mutant *mutant, const char *name);
uint64_t test_mutant_get(const test_mutant_section *section, uint64_t i);
void test_mutant_set(test_mutant_section *section, uint64_t i, uint64_t value);
/* New elements are 0. */
void test_mutant_resize(test_mutant_section *section, uint64_t count);

/* One change at random: a value, two values swapped, an element put in or taken out, an end cut off. False:
 * nothing has changed. */
bool test_mutant_change(test_mutant *mutant, test_random *random);

#endif

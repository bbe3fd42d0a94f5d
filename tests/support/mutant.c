#include "support/mutant.h"

#include "base/hash.h"
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

test_mutant test_mutant_of(test_bytes file) {
    test_mutant mutant = {.section_count = wend_load32(file.data + WEND_DB_SECTION_COUNT)};
    memcpy(mutant.head, file.data, sizeof mutant.head);
    const uint8_t *row = file.data + WEND_DB_TABLE;
    for (size_t i = 0; i < mutant.section_count; i++, row += WEND_DB_ROW) {
        test_mutant_section *section = &mutant.sections[i];
        memcpy(section->name, row + WEND_DB_ROW_NAME, sizeof section->name);
        section->width = wend_load32(row + WEND_DB_ROW_WIDTH);
        section->count = wend_load64(row + WEND_DB_ROW_COUNT);
        size_t bytes = (size_t)section->count * section->width;
        section->data = malloc(bytes + 1);
        memcpy(section->data, file.data + wend_load64(row + WEND_DB_ROW_OFFSET), bytes);
    }
    (void)snprintf(mutant.settings, sizeof mutant.settings, "%.*s",
                   (int)wend_load32(file.data + WEND_DB_SETTINGS), (const char *)row);
    return mutant;
}

void test_mutant_free(test_mutant *mutant) {
    for (size_t i = 0; i < mutant->section_count; i++) free(mutant->sections[i].data);
    mutant->section_count = 0;
}

test_bytes test_mutant_bytes(const test_mutant *mutant) {
    size_t text = WEND_DB_TABLE + mutant->section_count * WEND_DB_ROW, length = strlen(mutant->settings);
    size_t header = (size_t)wend_db_padded(text + length), size = header;
    for (size_t i = 0; i < mutant->section_count; i++)
        size += (size_t)wend_db_padded(mutant->sections[i].count * mutant->sections[i].width);
    test_bytes made = {calloc(size, 1), size};
    memcpy(made.data, mutant->head, sizeof mutant->head);
    memcpy(made.data + text, mutant->settings, length);
    uint8_t *row = made.data + WEND_DB_TABLE;
    size_t at = header;
    for (size_t i = 0; i < mutant->section_count; i++, row += WEND_DB_ROW) {
        const test_mutant_section *section = &mutant->sections[i];
        size_t bytes = (size_t)section->count * section->width;
        memcpy(row + WEND_DB_ROW_NAME, section->name, sizeof section->name);
        wend_store32(row + WEND_DB_ROW_WIDTH, section->width);
        wend_store64(row + WEND_DB_ROW_OFFSET, at);
        wend_store64(row + WEND_DB_ROW_COUNT, section->count);
        wend_store64(row + WEND_DB_ROW_CHECKSUM, wend_hash(0, section->data, bytes));
        memcpy(made.data + at, section->data, bytes);
        at += (size_t)wend_db_padded(bytes);
    }
    wend_store32(made.data + WEND_DB_HEADER_BYTES, (uint32_t)header);
    wend_store32(made.data + WEND_DB_SETTINGS, (uint32_t)length);
    wend_store64(made.data + WEND_DB_FILE_BYTES, size);
    wend_store64(made.data + WEND_DB_CHECKSUM, wend_db_header_checksum(made.data, header));
    return made;
}

test_mutant_section *test_mutant_find(test_mutant *mutant, const char *name) {
    for (size_t i = 0; i < mutant->section_count; i++)
        if (strcmp(mutant->sections[i].name, name) == 0) return &mutant->sections[i];
    CHECK_THAT(false, "there is no section '%s'", name);
    return &mutant->sections[0];
}

uint64_t test_mutant_get(const test_mutant_section *section, uint64_t i) {
    uint64_t value = 0;
    for (uint32_t byte = 0; byte < section->width; byte++)
        value |= (uint64_t)section->data[i * section->width + byte] << 8 * byte;
    return value;
}

void test_mutant_set(test_mutant_section *section, uint64_t i, uint64_t value) {
    for (uint32_t byte = 0; byte < section->width; byte++)
        section->data[i * section->width + byte] = (uint8_t)(value >> 8 * byte);
}

void test_mutant_resize(test_mutant_section *section, uint64_t count) {
    size_t old = (size_t)section->count * section->width, bytes = (size_t)count * section->width;
    section->data = realloc(section->data, bytes + 1);
    if (bytes > old) memset(section->data + old, 0, bytes - old);
    section->count = count;
}

/* Elements from `from` on move by one place; `behind` is where they go. */
static void move_rest(test_mutant_section *section, uint64_t from, uint64_t behind) {
    size_t width = section->width, end = (size_t)(from > behind ? from : behind);
    memmove(section->data + behind * width, section->data + from * width,
            ((size_t)section->count - end) * width);
}

bool test_mutant_change(test_mutant *mutant, test_random *random) {
    test_mutant_section *section = &mutant->sections[test_below(random, (uint32_t)mutant->section_count)];
    if (!section->count) return false;
    uint32_t count = (uint32_t)section->count;
    uint64_t i = test_below(random, count), j = test_below(random, count);
    uint64_t value = test_mutant_get(section, i), other = test_mutant_get(section, j);
    const uint64_t values[] = {value + 1, value - 1, other, 0, value ^ 1u << test_below(random, 8)};
    switch (test_below(random, 8)) {
    case 0:
        test_mutant_resize(section, section->count + 1);
        move_rest(section, i, i + 1);
        return true;
    case 1:
        move_rest(section, i + 1, i);
        test_mutant_resize(section, section->count - 1);
        return true;
    case 2:
        test_mutant_resize(section, test_below(random, count));
        return true;
    case 3:
        test_mutant_set(section, i, other), test_mutant_set(section, j, value);
        return value != other;
    default:
        test_mutant_set(section, i, values[test_below(random, 5)]);
        return test_mutant_get(section, i) != value;
    }
}

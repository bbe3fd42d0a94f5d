/* Any bytes as a database: refused with words, or opened, asked and closed; with the map of the seeds and
 * without. Once as they are, and once with the checksums made right, since hardly any change gets past those.
 * They are worked out as docs/reference/file-format.md says, not by the library. */
#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool good) {
    if (!good) abort();
}

static uint64_t load(const uint8_t *p, size_t bytes) {
    uint64_t x = 0;
    for (size_t i = 0; i < bytes; i++) x |= (uint64_t)p[i] << (8 * i);
    return x;
}

static void store(uint8_t *p, uint64_t x) {
    for (int i = 0; i < 8; i++) p[i] = (uint8_t)(x >> (8 * i));
}

static uint64_t mix(uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static uint64_t checksum(uint64_t seed, const uint8_t *p, size_t size) {
    uint64_t h = mix(seed ^ size);
    for (; size >= 8; p += 8, size -= 8) h = mix(h ^ load(p, 8));
    return mix(h ^ load(p, size));
}

static void repair(uint8_t *data, size_t size) {
    if (size < 96) return;
    size_t header = (size_t)load(data + 16, 4), rows = (size_t)load(data + 20, 4);
    store(data + 24, size);
    for (size_t i = 0; i < rows && i < 100 && 96 + (i + 1) * 48 <= size; i++) {
        uint8_t *row = data + 96 + i * 48;
        uint64_t width = load(row + 16, 4), offset = load(row + 24, 8), count = load(row + 32, 8);
        if (offset <= size && width <= 8 && count <= size && count * width <= size - offset)
            store(row + 40, checksum(0, data + offset, (size_t)(count * width)));
    }
    if (header >= 96 && header <= size)
        store(data + 32, checksum(checksum(0, data, 32), data + 40, header - 40));
}

static void try_open(const uint8_t *data, size_t size, const wend_map *map) {
    wend_db_options options = wend_default_db_options();
    wend_db *db = NULL;
    wend_error error;
    memset(&error, 0, sizeof error);
    wend_status status = wend_db_open_memory(data, size, map, &options, &db, &error);
    require((status == WEND_OK) == (db != NULL));
    if (!db) {
        require(error.status == status && error.message[0] && error.offset <= size);
        return;
    }
    wend_db_info info = wend_db_about(db);
    wend_fact facts[64];
    size_t count = wend_db_facts(db, facts, 64);
    require(info.bytes == size && info.kind && info.settings && count <= 64);
    for (size_t i = 0; i < count; i++) require(memchr(facts[i].name, 0, sizeof facts[i].name) != NULL);
    wend_db_close(db);
}

/* The map of make_corpus. */
static const wend_map *seeds_map(void) {
    static wend_map *map;
    if (map) return map;
    wend_map_options options = wend_default_map_options();
    require(wend_map_create(24, 16, &options, &map, NULL) == WEND_OK);
    require(wend_map_edit(map, (wend_rect){0, 0, 24, 16}, true, NULL) == WEND_OK);
    require(wend_map_edit(map, (wend_rect){8, 3, 2, 13}, false, NULL) == WEND_OK);
    require(wend_map_edit(map, (wend_rect){16, 0, 1, 12}, false, NULL) == WEND_OK);
    return map;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy) return 0;
    if (size) memcpy(copy, data, size);
    try_open(copy, size, NULL);
    repair(copy, size);
    try_open(copy, size, NULL);
    try_open(copy, size, seeds_map());
    free(copy);
    return 0;
}

#include "support/sample_kind.h"

#include "base/hash.h"
#include "base/random.h"
#include "support/check.h"
#include "support/settings.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

test_sample test_sample_state;

static const char *const flavours[] = {"plain", "salted", NULL};
static const wend_key_info keys[] = {
    {.name = "jobs", .kind = WEND_KEY_INTEGER, .min = 0, .max = 100000, .standard = "12", .help = "h"},
    {.name = "mean", .kind = WEND_KEY_INTEGER, .min = 0, .max = 1 << 20, .standard = "40", .help = "h"},
    {.name = "share", .kind = WEND_KEY_DECIMAL, .min = 0, .max = 1, .standard = "0.5", .help = "h"},
    {.name = "flavour", .kind = WEND_KEY_WORD, .words = flavours, .standard = "plain", .help = "h"},
};
static const wend_key_info other_keys[] = {
    {.name = "colour", .kind = WEND_KEY_YES_NO, .standard = "no", .help = "h"}};

/* What all workers share. */
typedef struct state {
    uint8_t *block;
    size_t bytes;
} state;

static uint8_t byte_of(uint64_t seed, uint32_t job, size_t i, bool salted, wend_cell cells) {
    return (uint8_t)(wend_random_at(seed, job, i) ^ (salted ? 0x55u : 0u) ^ cells);
}

static size_t size_of(const wend_settings *settings, uint64_t seed, uint32_t job) {
    uint64_t mean = (uint64_t)wend_settings_integer(settings, "mean");
    return (size_t)(wend_random_at(seed, job, UINT64_MAX) % (2 * mean + 1));
}

static bool salted_of(const wend_settings *settings) {
    return wend_settings_integer(settings, "flavour") == 1;
}

static wend_status prepare(wend_builder *builder, wend_error *error) {
    test_sample_state.prepares++;
    state *s = wend_allocate_zeroed(&builder->allocator, 1, sizeof *s);
    builder->state = s;
    if (!s) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for a sample");
    builder->jobs = (uint32_t)wend_settings_integer(builder->settings, "jobs");
    s->bytes = test_sample_state.prepare_bytes;
    if (!s->bytes) return WEND_OK;
    s->block = wend_allocate(&builder->allocator, s->bytes, 1);
    return s->block ? WEND_OK : wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for a sample");
}

static void release(wend_builder *builder) {
    test_sample_state.releases++;
    state *s = builder->state;
    if (!s) return;
    wend_release(&builder->allocator, s->block, s->bytes, 1);
    wend_release(&builder->allocator, s, 1, sizeof *s);
}

static wend_status job(wend_builder *builder, uint32_t number, uint32_t worker, wend_buffer *result) {
    if (worker >= builder->workers) return WEND_STATUS_BAD_ARGUMENT;
    if (builder->workers == 1) test_sample_state.jobs++;
    if (test_sample_state.job_microseconds) (void)usleep(test_sample_state.job_microseconds);
    if (number + 1 == test_sample_state.fail_job) return WEND_STATUS_UNSUPPORTED;
    uint64_t seed = builder->options->seed;
    size_t size = size_of(builder->settings, seed, number);
    bool salted = salted_of(builder->settings);
    for (size_t i = 0; i < size; i++) {
        uint8_t byte = byte_of(seed, number, i, salted, wend_map_open_cells(builder->map));
        if (!wend_buffer_add(result, &byte, 1)) return WEND_STATUS_NO_MEMORY;
    }
    return WEND_OK;
}

static wend_status finish(wend_builder *builder, const wend_buffer *results, wend_error *error) {
    if (test_sample_state.fail_finish) return wend_fail(error, WEND_STATUS_STALE, "set to fail");
    wend_buffer bytes = {.allocator = &builder->allocator};
    size_t count = builder->jobs;
    /* A number of every width about each job, and one word more, so that no section is empty. */
    uint64_t *longs = calloc(count + 1, sizeof *longs);
    uint32_t *ends = calloc(count + 1, sizeof *ends);
    uint16_t *shorts = calloc(count + 1, sizeof *shorts);
    bool good = longs && ends && shorts;
    for (size_t i = 0; good && i < count; i++) {
        good = wend_buffer_add(&bytes, results[i].data, results[i].size);
        ends[i + 1] = (uint32_t)bytes.size;
        longs[i] = wend_random_at(1, i, results[i].size);
        shorts[i] = (uint16_t)longs[i];
    }
    if (good && test_sample_state.bad_contents) ends[count]++;
    wend_status status = good ? WEND_OK : wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for a sample");
    if (status == WEND_OK) status = wend_builder_section(builder, "bytes", 1, bytes.data, bytes.size, error);
    if (status == WEND_OK) status = wend_builder_section(builder, "shorts", 2, shorts, count + 1, error);
    if (status == WEND_OK) status = wend_builder_section(builder, "ends", 4, ends, count + 1, error);
    if (status == WEND_OK) status = wend_builder_section(builder, "longs", 8, longs, count + 1, error);
    if (status == WEND_OK) status = wend_builder_section(builder, "nothing", 4, NULL, 0, error);
    free(longs);
    free(ends);
    free(shorts);
    wend_buffer_release(&bytes);
    return status;
}

static wend_status open_sample(wend_db *db, wend_error *error) {
    test_sample_state.opens++;
    uint64_t bytes, count;
    const uint32_t *ends = wend_db_section(db, "ends", 4, &count);
    if (!ends || !count || !wend_db_section(db, "bytes", 1, &bytes))
        return wend_fail(error, WEND_STATUS_DAMAGED, "a section is missing");
    for (uint64_t i = 0; i < count; i++)
        if (ends[i] > bytes || (i && ends[i] < ends[i - 1]))
            return wend_fail(error, WEND_STATUS_DAMAGED, "an end is out of range");
    db->state = wend_allocate(&db->allocator, 1, 100);
    return db->state ? WEND_OK : wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for a sample");
}

static void close_sample(wend_db *db) {
    test_sample_state.closes++;
    wend_release(&db->allocator, db->state, 1, 100);
}

static size_t facts(const wend_db *db, wend_fact *list, size_t capacity) {
    uint64_t bytes, count;
    (void)wend_db_section(db, "bytes", 1, &bytes);
    (void)wend_db_section(db, "ends", 4, &count);
    if (capacity > 0) list[0] = (wend_fact){"jobs", (double)(count - 1)};
    if (capacity > 1) list[1] = (wend_fact){"bytes", (double)bytes};
    return 2;
}

static wend_status verify_prepare(wend_verifier *verifier, wend_error *error) {
    (void)error;
    uint64_t count;
    (void)wend_db_section(verifier->db, "ends", 4, &count);
    verifier->jobs = count - 1;
    return WEND_OK;
}

static wend_status verify(wend_verifier *verifier, uint64_t number, uint32_t worker, wend_error *error) {
    if (worker >= verifier->workers) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no such worker");
    if (verifier->workers == 1) test_sample_state.verified++;
    const wend_db *db = verifier->db;
    const uint8_t *bytes = wend_db_section(db, "bytes", 1, NULL);
    const uint32_t *ends = wend_db_section(db, "ends", 4, NULL);
    uint64_t seed = db->info.seed;
    bool good = ends[number + 1] - ends[number] == size_of(db->settings, seed, (uint32_t)number);
    for (size_t i = 0; good && i < ends[number + 1] - ends[number]; i++)
        good = bytes[ends[number] + i] == byte_of(seed, (uint32_t)number, i, salted_of(db->settings),
                                                  wend_map_open_cells(verifier->map));
    uint32_t from = test_sample_state.wrong_from;
    if (from && number + 1 >= from && (number + 1 - from) % 3 == 0) good = false;
    if (good) return WEND_OK;
    return wend_fail(error, WEND_STATUS_WRONG_CONTENTS, "job %llu is wrong", (unsigned long long)number);
}

#define SAMPLE_FUNCTIONS                                                                                     \
    .open = open_sample, .close = close_sample, .facts = facts, .prepare = prepare, .job = job,              \
    .finish = finish, .release = release, .verify_prepare = verify_prepare, .verify = verify

const wend_db_kind test_sample_kind = {
    .info = {"sample", "for tests", keys, sizeof keys / sizeof *keys}, .version = 3, SAMPLE_FUNCTIONS};
const wend_db_kind test_sample_kind_2 = {
    .info = {"sample", "for tests", keys, sizeof keys / sizeof *keys}, .version = 4, SAMPLE_FUNCTIONS};
const wend_db_kind test_other_kind = {
    .info = {"other", "for tests", other_keys, 1}, .version = 1, SAMPLE_FUNCTIONS};

wend_db_context test_sample_context(void) {
    static const wend_db_kind *const kinds[] = {&test_sample_kind, &test_other_kind};
    return (wend_db_context){{kinds, 2}, !wend_little_endian()};
}

const wend_settings *test_sample_settings(const char *text) {
    wend_settings *settings = NULL;
    wend_error error = {.message = ""};
    wend_db_context context = test_sample_context();
    wend_status status = wend_db_settings_parse_in(context.kinds, text, NULL, &settings, &error);
    CHECK_THAT(status == WEND_OK, "%s: %s", text, error.message);
    return test_settings_keep(settings);
}

bool test_repair(uint8_t *data, size_t size, size_t at) {
    if (size < WEND_DB_TABLE) return false;
    size_t header = wend_load32(data + WEND_DB_HEADER_BYTES);
    uint32_t count = wend_load32(data + WEND_DB_SECTION_COUNT);
    bool covered = at < header;
    for (size_t i = 0; i < count && WEND_DB_TABLE + (i + 1) * WEND_DB_ROW <= size; i++) {
        uint8_t *row = data + WEND_DB_TABLE + i * WEND_DB_ROW;
        uint64_t offset = wend_load64(row + WEND_DB_ROW_OFFSET), width = wend_load32(row + WEND_DB_ROW_WIDTH),
                 elements = wend_load64(row + WEND_DB_ROW_COUNT);
        if (offset > size || width > 8 || elements > size || elements * width > size - offset) continue;
        wend_store64(row + WEND_DB_ROW_CHECKSUM, wend_hash(0, data + offset, (size_t)(elements * width)));
        covered |= at >= offset && at < offset + elements * width;
    }
    if (header >= WEND_DB_TABLE && header <= size)
        wend_store64(data + WEND_DB_CHECKSUM, wend_db_header_checksum(data, header));
    return covered;
}

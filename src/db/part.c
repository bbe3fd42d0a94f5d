/* The layout is described in docs/reference/file-format.md. Nothing here is needed for the result, only for
 * not working it out again: whatever is not as it should be at the end of the file is dropped. */
#include "db/part.h"

#include "base/hash.h"
#include "base/settings.h"
#include "db/file.h"

#include <stdio.h>
#include <string.h>

static const uint8_t magic[8] = {0x89, 'w', 'p', 'r', 't', '\r', '\n', 0x1a};

#define OTHER_ORDER 0x04030201u

/* The header: */
enum {
    AT_ORDER = 8,          /* u32 */
    AT_VERSION = 12,       /* u32 */
    AT_FINGERPRINT = 16,   /* u64 */
    AT_SEED = 24,          /* u64 */
    AT_KIND_VERSION = 32,  /* u32 */
    AT_JOBS = 36,          /* u32 */
    AT_SETTINGS_SIZE = 40, /* u32 */
    AT_ZERO = 44,          /* u32 */
    AT_SETTINGS = 48,      /* the text; then zeros up to a multiple of 8, then the checksum, u64 */
    HEADER_ROOM = AT_SETTINGS + WEND_DB_SETTINGS_ROOM + 16
};
/* An entry: u32 job, u32 zero, u64 size, u64 checksum, then the data. The header's checksum is the seed of
 * the entry's: two builds that write to one path at a time must not take each other's jobs for theirs. */
enum { AT_JOB = 0, AT_SIZE = 8, AT_CHECKSUM = 16, ENTRY = 24 };

wend_status wend_part_name(wend_part *part, const char *path, wend_error *error) {
    part->file.file = -1;
    if (wend_file_beside(path, ".part", part->path)) return WEND_OK;
    wend_fail(error, WEND_STATUS_FILE_ERROR, "the name of the file is too long");
    wend_error_set_file(error, path);
    return WEND_STATUS_FILE_ERROR;
}

/* Returns its size; 0 if the settings are too long. */
static size_t make_header(const wend_builder *builder, uint8_t *header) {
    memset(header, 0, HEADER_ROOM);
    char *settings = (char *)header + AT_SETTINGS;
    if (!wend_settings_write(builder->settings, settings, WEND_DB_SETTINGS_ROOM)) return 0;
    size_t length = strlen(settings), size = (size_t)wend_db_padded(AT_SETTINGS + length);
    memcpy(header, magic, sizeof magic);
    /* Results of jobs are in the order of the machine that made them. */
    wend_store32(header + AT_ORDER, builder->swap ? OTHER_ORDER : WEND_DB_BYTE_ORDER);
    wend_store32(header + AT_VERSION, WEND_DB_FORMAT);
    wend_store64(header + AT_FINGERPRINT, wend_map_fingerprint(builder->map));
    wend_store64(header + AT_SEED, builder->options->seed);
    wend_store32(header + AT_KIND_VERSION, builder->kind->version);
    wend_store32(header + AT_JOBS, builder->jobs);
    wend_store32(header + AT_SETTINGS_SIZE, (uint32_t)length);
    wend_store64(header + size, wend_hash(0, header, size));
    return size + 8;
}

/* Why a header is not that of this build. Both are whole, and the one that is there has a right checksum. */
static wend_status other_build(const wend_builder *builder, const uint8_t *there, const uint8_t *ours,
                               wend_error *error) {
    uint32_t length = wend_load32(there + AT_SETTINGS_SIZE);
    if (wend_load64(there + AT_FINGERPRINT) != wend_load64(ours + AT_FINGERPRINT))
        return wend_fail(error, WEND_STATUS_OTHER_MAP,
                         "what an interrupted build of another map, or under other "
                         "rules, has left; without resuming it is thrown away");
    if (wend_load32(there + AT_SETTINGS_SIZE) != wend_load32(ours + AT_SETTINGS_SIZE) ||
        memcmp(there + AT_SETTINGS, ours + AT_SETTINGS, length) != 0)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT,
                         "what an interrupted build has left with other settings: %.*s",
                         (int)(length < 110 ? length : 110), (const char *)there + AT_SETTINGS);
    if (wend_load64(there + AT_SEED) != wend_load64(ours + AT_SEED))
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT,
                         "what an interrupted build has left with another seed: %llu, not %llu",
                         (unsigned long long)wend_load64(there + AT_SEED),
                         (unsigned long long)builder->options->seed);
    bool newer = wend_load32(there + AT_KIND_VERSION) > builder->kind->version;
    return wend_fail(
        error, newer ? WEND_STATUS_NEWER_VERSION : WEND_STATUS_UNSUPPORTED,
        "what an interrupted build by another version of wend, or on another kind of machine, has left");
}

/* Whether a build has written it, or begun to. */
static bool is_part(const wend_mapping *there) {
    return memcmp(there->data, magic, there->size < sizeof magic ? there->size : sizeof magic) == 0;
}

static wend_status not_a_part(wend_error *error) {
    return wend_fail(error, WEND_STATUS_BAD_MAGIC, "not what an interrupted build leaves; it is in the way");
}

/* Whether the file's header is ours. `*size` is its size, 0 if it is cut short: nothing was finished then. */
static wend_status check_header(const wend_builder *builder, const wend_mapping *there, const uint8_t *ours,
                                size_t our_size, size_t *size, wend_error *error) {
    const uint8_t *data = there->data;
    *size = 0;
    if (!is_part(there)) return not_a_part(error);
    if (there->size < AT_SETTINGS) return WEND_OK;
    if (wend_load32(data + AT_VERSION) > WEND_DB_FORMAT)
        return wend_fail(error, WEND_STATUS_NEWER_VERSION,
                         "what an interrupted build by a later wend has left");
    uint64_t whole = wend_db_padded(AT_SETTINGS + (uint64_t)wend_load32(data + AT_SETTINGS_SIZE));
    if (there->size < whole + 8) return WEND_OK;
    if (wend_hash(0, data, (size_t)whole) != wend_load64(data + whole))
        return wend_fail(error, WEND_STATUS_DAMAGED, "damaged: the checksum of its header is wrong");
    if (whole + 8 != our_size || memcmp(data, ours, our_size) != 0)
        return other_build(builder, data, ours, error);
    *size = our_size;
    return WEND_OK;
}

static uint64_t entry_checksum(uint64_t build, const uint8_t *entry, const uint8_t *data, size_t size) {
    return wend_hash(wend_hash(build, entry, AT_CHECKSUM), data, size);
}

/* Takes one entry over; false if it is not whole or not good. */
static bool take_entry(const wend_builder *builder, uint64_t build, const uint8_t *entry, size_t size,
                       wend_buffer *results, bool *finished, size_t *taken, bool *no_memory) {
    if (size < ENTRY) return false;
    uint32_t job = wend_load32(entry + AT_JOB);
    uint64_t bytes = wend_load64(entry + AT_SIZE);
    if (bytes > size - ENTRY || job >= builder->jobs || finished[job]) return false;
    if (entry_checksum(build, entry, entry + ENTRY, (size_t)bytes) != wend_load64(entry + AT_CHECKSUM))
        return false;
    results[job] = (wend_buffer){.allocator = &builder->allocator};
    if (!wend_buffer_add(&results[job], entry + ENTRY, (size_t)bytes)) {
        *no_memory = true;
        return false;
    }
    finished[job] = true;
    *taken = ENTRY + (size_t)bytes;
    return true;
}

/* `*keep` is how much of the file is good: nothing where it is not to be resumed. What no build has written
 * is refused. */
static wend_status take_over(const char *path, const wend_builder *builder, const uint8_t *ours,
                             size_t our_size, wend_buffer *results, bool *finished, size_t *keep,
                             wend_error *error) {
    wend_mapping there;
    wend_error reason;
    *keep = 0;
    wend_status status = wend_file_map(path, &there, &reason);
    if (status == WEND_STATUS_EMPTY_FILE) return WEND_OK;
    if (status != WEND_OK) {
        if (error) *error = reason;
        return status;
    }
    bool no_memory = false;
    if (builder->options->resume)
        status = check_header(builder, &there, ours, our_size, keep, error);
    else if (!is_part(&there))
        status = not_a_part(error);
    uint64_t build = wend_load64(ours + our_size - 8);
    for (size_t taken; status == WEND_OK && *keep; *keep += taken)
        if (!take_entry(builder, build, there.data + *keep, there.size - *keep, results, finished, &taken,
                        &no_memory))
            break;
    wend_file_unmap(&there);
    if (no_memory) status = wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for what is finished");
    if (status != WEND_OK) wend_error_set_file(error, path);
    return status;
}

wend_status wend_part_open(wend_part *part, const wend_builder *builder, wend_buffer *results, bool *finished,
                           wend_error *error) {
    uint8_t header[HEADER_ROOM];
    size_t size = make_header(builder, header), keep = 0;
    if (!size) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "the settings are too long for a file");
    part->build = wend_load64(header + size - 8);
    wend_status status = wend_growing_open(part->path, false, &part->file, error);
    if (status != WEND_OK) return status;
    /* Of several builds of one file at a time the first keeps its pieces; the others do without. */
    if (part->file.shared) {
        wend_growing_close(&part->file, false);
        return WEND_OK;
    }
    status = take_over(part->path, builder, header, size, results, finished, &keep, error);
    if (status == WEND_OK) status = wend_growing_cut(&part->file, keep, error);
    if (status == WEND_OK && !keep) status = wend_growing_add(&part->file, header, size, error);
    return status;
}

wend_status wend_part_add(wend_part *part, uint32_t job, const wend_buffer *result, wend_error *error) {
    uint8_t entry[ENTRY] = {0};
    if (part->file.file < 0) return WEND_OK;
    wend_store32(entry + AT_JOB, job);
    wend_store64(entry + AT_SIZE, result->size);
    wend_store64(entry + AT_CHECKSUM, entry_checksum(part->build, entry, result->data, result->size));
    wend_status status = wend_growing_add(&part->file, entry, sizeof entry, error);
    if (status == WEND_OK && result->size)
        status = wend_growing_add(&part->file, result->data, result->size, error);
    return status;
}

void wend_part_close(wend_part *part) {
    wend_growing_close(&part->file, true);
}

void wend_part_remove(wend_part *part) {
    wend_growing_remove(&part->file);
}

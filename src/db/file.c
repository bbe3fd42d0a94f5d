/* Opening a database: nothing in the file is trusted before it was checked. The layout is described in
 * docs/reference/file-format.md. */
#include "db/file.h"

#include "base/hash.h"
#include "base/options.h"
#include "base/settings.h"

#include <string.h>

/* As PNG's: no text file begins so, and a transfer as text spoils it. */
const uint8_t wend_db_magic[8] = {0x89, 'w', 'e', 'n', 'd', '\r', '\n', 0x1a};

struct wend_db_file {
    wend_mapping mapping; /* empty for memory of the caller's */
    uint8_t *swapped; /* copies of all sections, one after another; NULL where the host's order is theirs */
    size_t swapped_bytes;
    wend_settings *parsed;
    char settings[WEND_DB_SETTINGS_ROOM];
    char kind[16];
};

/* The file being looked at. */
typedef struct reader {
    const wend_db_context *context;
    const uint8_t *data;
    size_t size, header_bytes;
    wend_db *db;
    wend_error *error;
} reader;

void wend_db_options_init(wend_db_options *options, size_t size) {
    const wend_db_options own = {.struct_size = 0};
    wend_options_init(options, size, &own, sizeof own);
}

wend_db_context wend_db_usual_context(void) {
    return (wend_db_context){wend_db_all_kinds(), !wend_little_endian()};
}

uint64_t wend_db_header_checksum(const uint8_t *header, size_t size) {
    size_t behind = WEND_DB_CHECKSUM + 8;
    return wend_hash(wend_hash(0, header, WEND_DB_CHECKSUM), header + behind, size - behind);
}

void wend_db_swap(uint8_t *to, const uint8_t *from, uint32_t width, uint64_t count) {
    for (uint64_t i = 0; i < count; i++, to += width, from += width)
        for (uint32_t j = 0; j < width; j++) to[j] = from[width - 1 - j];
}

/* The map ----------------------------------------------------------------------------------------------- */

wend_status wend_db_check_map(const wend_db_info *info, const wend_map *map, wend_error *error) {
    static const char *const corners[] = {"any", "one", "strict"};
    bool size = info->width == map->width && info->height == map->height;
    if (wend_map_fingerprint(map) == info->fingerprint) {
        if (size && info->rules.connect == map->rules.connect && info->rules.corners == map->rules.corners &&
            info->rules.diagonal == map->rules.diagonal)
            return WEND_OK;
        return wend_fail(error, WEND_STATUS_DAMAGED,
                         "damaged: its fingerprint is of a map of another size or rules");
    }
    if (!size)
        return wend_fail(error, WEND_STATUS_OTHER_MAP, "made for a map of %d x %d cells, not %d x %d",
                         (int)info->width, (int)info->height, (int)map->width, (int)map->height);
    if (wend_map_fingerprint_under(map, info->rules) == info->fingerprint)
        return wend_fail(error, WEND_STATUS_OTHER_MAP,
                         "made for this map under other rules: connect %d, corners %s, diagonal %s",
                         (int)info->rules.connect, corners[info->rules.corners],
                         info->rules.diagonal == WEND_DIAGONAL_1_4 ? "1.4" : "sqrt2");
    return wend_fail(
        error, WEND_STATUS_OTHER_MAP,
        "made for a map of this size with other cells (another map, other open letters or another body)");
}

/* The header -------------------------------------------------------------------------------------------- */

static wend_status cut_short(const reader *in, uint64_t wanted) {
    return wend_fail_at(in->error, WEND_STATUS_CUT_SHORT, 0, 0, in->size, "cut short: %llu bytes of %llu",
                        (unsigned long long)in->size, (unsigned long long)wanted);
}

static wend_status damaged(const reader *in, uint64_t offset, const char *what) {
    return wend_fail_at(in->error, WEND_STATUS_DAMAGED, 0, 0, offset, "damaged: %s", what);
}

/* What has to hold before the header's checksum can be worked out. */
static wend_status check_frame(reader *in) {
    size_t known = in->size < sizeof wend_db_magic ? in->size : sizeof wend_db_magic;
    if (memcmp(in->data, wend_db_magic, known) != 0)
        return wend_fail(in->error, WEND_STATUS_BAD_MAGIC, "not a database of wend");
    if (in->size < WEND_DB_TABLE) return cut_short(in, WEND_DB_TABLE);
    if (wend_load32(in->data + WEND_DB_ORDER) != WEND_DB_BYTE_ORDER)
        return damaged(in, WEND_DB_ORDER, "its numbers are not in little-endian order");
    uint32_t version = wend_load32(in->data + WEND_DB_VERSION);
    if (version > WEND_DB_FORMAT)
        return wend_fail_at(in->error, WEND_STATUS_NEWER_VERSION, 0, 0, WEND_DB_VERSION,
                            "version %lu of the file format; this wend reads up to %d",
                            (unsigned long)version, WEND_DB_FORMAT);
    if (version < WEND_DB_FORMAT) return damaged(in, WEND_DB_VERSION, "there is no such version");
    in->header_bytes = wend_load32(in->data + WEND_DB_HEADER_BYTES);
    if (in->header_bytes < WEND_DB_TABLE) return damaged(in, WEND_DB_HEADER_BYTES, "the header is too short");
    /* Before all of it is read for its checksum. */
    if (in->header_bytes > WEND_DB_TABLE + WEND_DB_SECTIONS * WEND_DB_ROW + WEND_DB_SETTINGS_ROOM)
        return damaged(in, WEND_DB_HEADER_BYTES, "the header is longer than any");
    if (in->size < in->header_bytes) return cut_short(in, in->header_bytes);
    if (wend_db_header_checksum(in->data, in->header_bytes) != wend_load64(in->data + WEND_DB_CHECKSUM))
        return damaged(in, WEND_DB_CHECKSUM, "the header's checksum is wrong");
    uint64_t bytes = wend_load64(in->data + WEND_DB_FILE_BYTES);
    if (in->size < bytes) return cut_short(in, bytes);
    if (in->size > bytes) return damaged(in, bytes, "bytes follow behind its end");
    /* So that no section's padding leads beyond its end. */
    if (bytes % 8 != 0) return damaged(in, WEND_DB_FILE_BYTES, "its length is no multiple of 8");
    return WEND_OK;
}

static wend_status read_map(reader *in) {
    wend_db_info *info = &in->db->info;
    uint32_t width = wend_load32(in->data + WEND_DB_WIDTH), height = wend_load32(in->data + WEND_DB_HEIGHT);
    const uint8_t *rules = in->data + WEND_DB_RULES;
    if (!width || !height || width > WEND_MAX_SIDE || height > WEND_MAX_SIDE)
        return damaged(in, WEND_DB_WIDTH, "there is no map of that size");
    if ((rules[0] != 4 && rules[0] != 8) || rules[1] > WEND_CORNERS_STRICT || rules[2] > WEND_DIAGONAL_1_4 ||
        rules[3])
        return damaged(in, WEND_DB_RULES, "there are no such rules");
    info->width = (int32_t)width, info->height = (int32_t)height;
    info->rules = (wend_rules){rules[0], (wend_corners)rules[1], (wend_diagonal)rules[2]};
    info->fingerprint = wend_load64(in->data + WEND_DB_FINGERPRINT);
    return WEND_OK;
}

/* A name in 16 bytes: visible letters, then NUL to the end, at least one. */
static bool is_name(const uint8_t *name) {
    size_t length = 0;
    while (length < 16 && name[length] > ' ' && name[length] <= '~') length++;
    if (!length || length == 16) return false;
    for (size_t i = length; i < 16; i++)
        if (name[i]) return false;
    return true;
}

static wend_status read_kind(reader *in) {
    wend_db *db = in->db;
    const uint8_t *name = in->data + WEND_DB_KIND;
    if (!is_name(name)) return damaged(in, WEND_DB_KIND, "the name of its kind is none");
    memcpy(db->file->kind, name, 16);
    db->info.kind = db->file->kind;
    db->info.kind_version = wend_load32(in->data + WEND_DB_KIND_VERSION);
    const wend_db_kind *kind = wend_db_kind_named(in->context->kinds, db->file->kind);
    if (!kind)
        return wend_fail_at(in->error, WEND_STATUS_NEWER_VERSION, 0, 0, WEND_DB_KIND,
                            "a database of kind '%s', which this wend does not know", db->file->kind);
    if (db->info.kind_version != kind->version) {
        bool newer = db->info.kind_version > kind->version;
        return wend_fail_at(in->error, newer ? WEND_STATUS_NEWER_VERSION : WEND_STATUS_UNSUPPORTED, 0, 0,
                            WEND_DB_KIND_VERSION, "version %lu of kind '%s'; this wend reads %lu%s",
                            (unsigned long)db->info.kind_version, db->file->kind,
                            (unsigned long)kind->version, newer ? "" : " only: build it again");
    }
    db->kind = kind;
    db->info.drawn = !kind->seedless;
    return WEND_OK;
}

static wend_status read_settings(reader *in, size_t offset, uint32_t size) {
    wend_db *db = in->db;
    if (!size || size >= WEND_DB_SETTINGS_ROOM || memchr(in->data + offset, 0, size))
        return damaged(in, WEND_DB_SETTINGS, "its settings are no text");
    memcpy(db->file->settings, in->data + offset, size);
    db->info.settings = db->file->settings;
    for (size_t i = offset + size; i < in->header_bytes; i++)
        if (in->data[i]) return damaged(in, i, "a byte of the padding is not zero");
    wend_error reason;
    wend_status status = wend_db_settings_parse_in(in->context->kinds, db->file->settings, &db->allocator,
                                                   &db->file->parsed, &reason);
    if (status == WEND_STATUS_NO_MEMORY)
        return wend_fail(in->error, WEND_STATUS_NO_MEMORY, "no memory for a database");
    if (status != WEND_OK)
        return wend_fail_at(in->error, WEND_STATUS_DAMAGED, 0, 0, offset, "damaged: its settings: %.120s",
                            reason.message);
    db->settings = db->file->parsed;
    if (db->settings->info != &db->kind->info)
        return damaged(in, offset, "its settings are those of another kind");
    return WEND_OK;
}

/* Sections ---------------------------------------------------------------------------------------------- */

/* The sections follow one another without gaps, so that there is one place where each can be. `next` stays
 * within the file, since both are multiples of 8. */
static wend_status read_table(reader *in, uint32_t count) {
    wend_db *db = in->db;
    uint64_t next = in->header_bytes;
    for (uint32_t i = 0; i < count; i++) {
        size_t at = WEND_DB_TABLE + (size_t)i * WEND_DB_ROW;
        const uint8_t *row = in->data + at;
        wend_section *section = &db->sections[i];
        if (!is_name(row + WEND_DB_ROW_NAME)) return damaged(in, at, "the name of a section is none");
        memcpy(section->name, row + WEND_DB_ROW_NAME, sizeof section->name);
        for (uint32_t j = 0; j < i; j++)
            if (strcmp(db->sections[j].name, section->name) == 0)
                return damaged(in, at, "two sections have the same name");
        section->width = wend_load32(row + WEND_DB_ROW_WIDTH);
        section->count = wend_load64(row + WEND_DB_ROW_COUNT);
        if (section->width != 1 && section->width != 2 && section->width != 4 && section->width != 8)
            return damaged(in, at + WEND_DB_ROW_WIDTH, "there are no numbers of that width");
        if (wend_load32(row + WEND_DB_ROW_WIDTH + 4) != 0)
            return damaged(in, at + WEND_DB_ROW_WIDTH + 4, "a byte of the padding is not zero");
        if (wend_load64(row + WEND_DB_ROW_OFFSET) != next)
            return damaged(in, at + WEND_DB_ROW_OFFSET, "a section is not where it has to be");
        if (section->count > (in->size - next) / section->width)
            return damaged(in, at + WEND_DB_ROW_COUNT, "a section is longer than the file");
        section->data = in->data + next;
        next = wend_db_padded(next + section->count * section->width);
        db->section_count = i + 1;
    }
    if (next != in->size) return damaged(in, next, "the sections do not fill the file");
    return WEND_OK;
}

static wend_status check_sections(reader *in) {
    wend_db *db = in->db;
    for (size_t i = 0; i < db->section_count; i++) {
        const wend_section *section = &db->sections[i];
        const uint8_t *row = in->data + WEND_DB_TABLE + i * WEND_DB_ROW, *data = section->data;
        size_t size = (size_t)section->count * section->width;
        size_t offset = (size_t)(data - in->data);
        if (wend_hash(0, data, size) != wend_load64(row + WEND_DB_ROW_CHECKSUM))
            return wend_fail_at(in->error, WEND_STATUS_DAMAGED, 0, 0, offset,
                                "damaged: the checksum of section '%s' is wrong", section->name);
        for (size_t at = offset + size; at < wend_db_padded(offset + size); at++)
            if (in->data[at]) return damaged(in, at, "a byte of the padding is not zero");
    }
    return WEND_OK;
}

static wend_status swap_sections(reader *in) {
    wend_db *db = in->db;
    size_t size = in->size - in->header_bytes, at = 0;
    if (!in->context->swap || !size) return WEND_OK;
    db->file->swapped = wend_allocate(&db->allocator, size, 1);
    if (!db->file->swapped) return wend_fail(in->error, WEND_STATUS_NO_MEMORY, "no memory for the database");
    db->file->swapped_bytes = size;
    for (size_t i = 0; i < db->section_count; i++) {
        wend_section *section = &db->sections[i];
        wend_db_swap(db->file->swapped + at, section->data, section->width, section->count);
        section->data = db->file->swapped + at;
        at += (size_t)wend_db_padded(section->count * section->width);
    }
    return WEND_OK;
}

static wend_status read_header(reader *in) {
    wend_db_info *info = &in->db->info;
    wend_status status = check_frame(in);
    if (status != WEND_OK) return status;
    info->version = wend_load32(in->data + WEND_DB_VERSION);
    info->bytes = in->size;
    info->seed = wend_load64(in->data + WEND_DB_SEED);
    uint32_t count = wend_load32(in->data + WEND_DB_SECTION_COUNT);
    if (count > WEND_DB_SECTIONS) return damaged(in, WEND_DB_SECTION_COUNT, "too many sections");
    uint32_t settings = wend_load32(in->data + WEND_DB_SETTINGS);
    uint64_t text = WEND_DB_TABLE + (uint64_t)count * WEND_DB_ROW;
    if (wend_db_padded(text + settings) != in->header_bytes)
        return damaged(in, WEND_DB_HEADER_BYTES, "the header has another length than its parts");
    if (wend_load32(in->data + WEND_DB_SETTINGS + 4) != 0)
        return damaged(in, WEND_DB_SETTINGS + 4, "a byte of the padding is not zero");
    status = read_map(in);
    if (status == WEND_OK) status = read_kind(in);
    if (status == WEND_OK) status = read_settings(in, (size_t)text, settings);
    if (status == WEND_OK && in->db->map) status = wend_db_check_map(info, in->db->map, in->error);
    if (status == WEND_OK) status = read_table(in, count);
    return status;
}

/* Opening and closing ----------------------------------------------------------------------------------- */

static void release(wend_db *db) {
    wend_allocator allocator = db->allocator;
    if (db->file) {
        wend_release(&allocator, db->file->swapped, db->file->swapped_bytes, 1);
        wend_file_unmap(&db->file->mapping);
        wend_settings_destroy(db->file->parsed);
    }
    wend_release(&allocator, db->file, 1, sizeof *db->file);
    wend_release(&allocator, db, 1, sizeof *db);
}

/* Takes the mapping over, whatever comes of it. */
static wend_status open_bytes(const wend_db_context *context, const uint8_t *data, size_t size,
                              wend_mapping mapping, const wend_map *map, const wend_db_options *options,
                              wend_db **db, wend_error *error) {
    wend_allocator allocator = wend_allocator_or_default(&options->allocator);
    wend_db *made = wend_allocate_zeroed(&allocator, 1, sizeof *made);
    if (made) {
        made->allocator = allocator;
        made->map = map;
        made->file = wend_allocate_zeroed(&allocator, 1, sizeof *made->file);
    }
    if (!made || !made->file) {
        wend_release(&allocator, made, 1, sizeof *made);
        wend_file_unmap(&mapping);
        return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for a database");
    }
    made->file->mapping = mapping;
    reader in = {context, data, size, 0, made, error};
    wend_status status = read_header(&in);
    if (status == WEND_OK) status = check_sections(&in);
    if (status == WEND_OK) status = swap_sections(&in);
    if (status != WEND_OK) {
        release(made);
        return status;
    }
    made->form = wend_db_form_of(made->kind, made->settings);
    status = made->form->open(made, error);
    if (status == WEND_OK)
        *db = made;
    else
        wend_db_close(made);
    return status;
}

static wend_status check_arguments(const void *what, const wend_db_options *options, wend_db **db,
                                   wend_db_options *own, wend_error *error) {
    if (!what || !db)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no database to open, or nowhere to put it");
    *db = NULL;
    *own = wend_default_db_options();
    return wend_options_take(own, sizeof *own, options, "db", error);
}

wend_status wend_db_open_memory_in(const wend_db_context *context, const void *data, size_t size,
                                   const wend_map *map, const wend_db_options *options, wend_db **db,
                                   wend_error *error) {
    wend_db_options own;
    wend_status status = check_arguments(data, options, db, &own, error);
    if (status != WEND_OK) return status;
    if ((uintptr_t)data % 8 != 0)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "the bytes of a database must be aligned to 8");
    if (!size) return wend_fail(error, WEND_STATUS_EMPTY_FILE, "no bytes");
    return open_bytes(context, data, size, (wend_mapping){NULL, 0}, map, &own, db, error);
}

wend_status wend_db_open_in(const wend_db_context *context, const char *path, const wend_map *map,
                            const wend_db_options *options, wend_db **db, wend_error *error) {
    wend_mapping mapping;
    wend_db_options own;
    wend_status status = check_arguments(path, options, db, &own, error);
    if (status == WEND_OK) status = wend_file_map(path, &mapping, error);
    if (status != WEND_OK) return status;
    status = open_bytes(context, mapping.data, mapping.size, mapping, map, &own, db, error);
    if (status != WEND_OK) wend_error_set_file(error, path);
    return status;
}

wend_status wend_db_open(const char *path, const wend_map *map, const wend_db_options *options, wend_db **db,
                         wend_error *error) {
    wend_db_context context = wend_db_usual_context();
    return wend_db_open_in(&context, path, map, options, db, error);
}

wend_status wend_db_open_memory(const void *data, size_t size, const wend_map *map,
                                const wend_db_options *options, wend_db **db, wend_error *error) {
    wend_db_context context = wend_db_usual_context();
    return wend_db_open_memory_in(&context, data, size, map, options, db, error);
}

void wend_db_close(wend_db *db) {
    if (!db) return;
    if (db->form->close) db->form->close(db);
    release(db);
}

/* What there is to know of it --------------------------------------------------------------------------- */

wend_db_info wend_db_about(const wend_db *db) {
    return db->info;
}

size_t wend_db_facts(const wend_db *db, wend_fact *facts, size_t capacity) {
    return db->form->facts ? db->form->facts(db, facts, capacity) : 0;
}

const void *wend_db_section(const wend_db *db, const char *name, uint32_t width, uint64_t *count) {
    for (size_t i = 0; i < db->section_count; i++)
        if (strcmp(db->sections[i].name, name) == 0 && db->sections[i].width == width) {
            if (count) *count = db->sections[i].count;
            return db->sections[i].data;
        }
    if (count) *count = 0;
    return NULL;
}

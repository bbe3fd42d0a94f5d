/* Writing a database: the header, then the sections. */
#include "db/file.h"

#include "base/hash.h"
#include "base/settings.h"

#include <stdio.h>
#include <string.h>

bool wend_buffer_add(wend_buffer *buffer, const void *data, size_t size) {
    if (!size) return true;
    if (size > buffer->capacity - buffer->size) {
        if (size > SIZE_MAX / 2 - buffer->size) return false;
        size_t needed = buffer->size + size, capacity = buffer->capacity + buffer->capacity / 2;
        if (capacity < needed) capacity = needed;
        uint8_t *larger = wend_enlarge(buffer->allocator, buffer->data, buffer->capacity, capacity, 1);
        if (!larger) return false;
        buffer->data = larger, buffer->capacity = capacity;
    }
    memcpy(buffer->data + buffer->size, data, size);
    buffer->size += size;
    return true;
}

void wend_buffer_release(wend_buffer *buffer) {
    if (buffer->data) wend_release(buffer->allocator, buffer->data, buffer->capacity, 1);
    buffer->data = NULL;
    buffer->size = buffer->capacity = 0;
}

static bool is_name(const char *name) {
    size_t length = strlen(name);
    for (size_t i = 0; i < length; i++)
        if (name[i] <= ' ' || name[i] > '~') return false;
    return length && length < 16;
}

static wend_status check_section(const wend_builder *builder, const char *name, uint32_t width,
                                 uint64_t count, wend_error *error) {
    bool good = builder->section_count < WEND_DB_SECTIONS && is_name(name) &&
                (width == 1 || width == 2 || width == 4 || width == 8);
    for (size_t i = 0; i < builder->section_count; i++)
        if (strcmp(builder->sections[i].name, name) == 0) good = false;
    if (!good)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no room or no place for a section '%.15s'", name);
    if (count > SIZE_MAX / 2 / width)
        return wend_fail(error, WEND_STATUS_TOO_LARGE, "section '%s' is more than this machine can address",
                         name);
    return WEND_OK;
}

/* Its bytes are in section_data already. */
static void list_section(wend_builder *builder, const char *name, uint32_t width, uint64_t count) {
    wend_section *section = &builder->sections[builder->section_count];
    *section = (wend_section){
        .width = width, .count = count, .data = builder->section_data[builder->section_count].data};
    memcpy(section->name, name, strlen(name));
    builder->section_count++;
}

wend_status wend_builder_section(wend_builder *builder, const char *name, uint32_t width, const void *data,
                                 uint64_t count, wend_error *error) {
    wend_status status = check_section(builder, name, width, count, error);
    if (status != WEND_OK) return status;
    wend_buffer *bytes = &builder->section_data[builder->section_count];
    *bytes = (wend_buffer){.allocator = &builder->allocator};
    if (!wend_buffer_add(bytes, data, (size_t)count * width))
        return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for section '%s'", name);
    if (builder->swap) wend_db_swap(bytes->data, data, width, count);
    list_section(builder, name, width, count);
    return WEND_OK;
}

wend_status wend_builder_bytes(wend_builder *builder, const char *name, uint64_t count, uint8_t **data,
                               wend_error *error) {
    wend_status status = check_section(builder, name, 1, count, error);
    if (status != WEND_OK) return status;
    *data = wend_allocate_zeroed(&builder->allocator, count ? (size_t)count : 1, 1);
    if (!*data) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for section '%s'", name);
    builder->section_data[builder->section_count] =
        (wend_buffer){*data, (size_t)count, count ? (size_t)count : 1, &builder->allocator};
    list_section(builder, name, 1, count);
    return WEND_OK;
}

uint64_t wend_builder_file_bytes(const wend_builder *builder) {
    char text[WEND_DB_SETTINGS_ROOM];
    uint64_t bytes = WEND_DB_TABLE + builder->section_count * WEND_DB_ROW;
    if (wend_settings_write(builder->settings, text, sizeof text)) bytes += wend_db_padded(strlen(text));
    for (size_t i = 0; i < builder->section_count; i++)
        bytes += wend_db_padded(builder->section_data[i].size);
    return bytes;
}

/* But for the settings' text, which is there already. */
static void fill_header(const wend_builder *builder, uint8_t *header, uint32_t header_bytes,
                        uint32_t settings) {
    const wend_map *map = builder->map;
    memcpy(header + WEND_DB_MAGIC, wend_db_magic, sizeof wend_db_magic);
    wend_store32(header + WEND_DB_ORDER, WEND_DB_BYTE_ORDER);
    wend_store32(header + WEND_DB_VERSION, WEND_DB_FORMAT);
    wend_store32(header + WEND_DB_HEADER_BYTES, header_bytes);
    wend_store32(header + WEND_DB_SECTION_COUNT, (uint32_t)builder->section_count);
    wend_store64(header + WEND_DB_FINGERPRINT, wend_map_fingerprint(map));
    wend_store64(header + WEND_DB_SEED, builder->options->seed);
    wend_store32(header + WEND_DB_WIDTH, (uint32_t)map->width);
    wend_store32(header + WEND_DB_HEIGHT, (uint32_t)map->height);
    header[WEND_DB_RULES] = (uint8_t)map->rules.connect;
    header[WEND_DB_RULES + 1] = (uint8_t)map->rules.corners;
    header[WEND_DB_RULES + 2] = (uint8_t)map->rules.diagonal;
    wend_store32(header + WEND_DB_KIND_VERSION, builder->kind->version);
    (void)snprintf((char *)header + WEND_DB_KIND, 16, "%s", builder->kind->info.name);
    wend_store32(header + WEND_DB_SETTINGS, settings);
    uint64_t at = header_bytes;
    for (size_t i = 0; i < builder->section_count; i++) {
        const wend_section *section = &builder->sections[i];
        const wend_buffer *bytes = &builder->section_data[i];
        uint8_t *row = header + WEND_DB_TABLE + i * WEND_DB_ROW;
        memcpy(row + WEND_DB_ROW_NAME, section->name, sizeof section->name);
        wend_store32(row + WEND_DB_ROW_WIDTH, section->width);
        wend_store64(row + WEND_DB_ROW_OFFSET, at);
        wend_store64(row + WEND_DB_ROW_COUNT, section->count);
        wend_store64(row + WEND_DB_ROW_CHECKSUM, wend_hash(0, bytes->data, bytes->size));
        at = wend_db_padded(at + bytes->size);
    }
    wend_store64(header + WEND_DB_FILE_BYTES, at);
    wend_store64(header + WEND_DB_CHECKSUM, wend_db_header_checksum(header, header_bytes));
}

static wend_status write_all(const wend_builder *builder, const uint8_t *header, size_t header_bytes,
                             wend_output *output, wend_error *error) {
    static const uint8_t zeros[8];
    wend_status status = wend_output_write(output, header, header_bytes, error);
    for (size_t i = 0; i < builder->section_count && status == WEND_OK; i++) {
        const wend_buffer *bytes = &builder->section_data[i];
        if (bytes->size) status = wend_output_write(output, bytes->data, bytes->size, error);
        size_t padding = (size_t)(wend_db_padded(bytes->size) - bytes->size);
        if (status == WEND_OK && padding) status = wend_output_write(output, zeros, padding, error);
    }
    return status;
}

static wend_status write_checked(const wend_db_context *context, const wend_builder *builder,
                                 const uint8_t *header, size_t header_bytes, const char *path,
                                 wend_error *error) {
    wend_output output;
    wend_status status = wend_output_begin(&output, path, error);
    if (status != WEND_OK) return status;
    status = write_all(builder, header, header_bytes, &output, error);
    if (status == WEND_OK) {
        /* Whoever opens it later has to find it good: better to know now. */
        wend_db_options options = wend_default_db_options();
        options.allocator = builder->allocator;
        wend_db *db = NULL;
        status = wend_db_open_in(context, output.temporary, builder->map, &options, &db, error);
        if (status != WEND_OK) wend_error_set_file(error, path);
        wend_db_close(db);
    }
    if (status == WEND_OK) return wend_output_commit(&output, error);
    wend_output_discard(&output);
    return status;
}

wend_status wend_db_write(const wend_db_context *context, const wend_builder *builder, const char *path,
                          wend_error *error) {
    size_t text = WEND_DB_TABLE + builder->section_count * WEND_DB_ROW, room = text + WEND_DB_SETTINGS_ROOM;
    uint8_t *header = wend_allocate_zeroed(&builder->allocator, room, 1);
    if (!header) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for the header");
    char *settings = (char *)header + text;
    wend_status status = WEND_OK;
    if (!wend_settings_write(builder->settings, settings, WEND_DB_SETTINGS_ROOM))
        status = wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "the settings are too long for a file");
    uint32_t length = (uint32_t)strlen(settings), header_bytes = (uint32_t)wend_db_padded(text + length);
    uint64_t bytes = header_bytes;
    for (size_t i = 0; i < builder->section_count; i++)
        bytes += wend_db_padded(builder->section_data[i].size);
    uint64_t most = builder->options->max_size;
    if (status == WEND_OK && most && bytes > most)
        status = wend_fail(error, WEND_STATUS_TOO_LARGE,
                           "the database takes %llu bytes, more than the %llu allowed",
                           (unsigned long long)bytes, (unsigned long long)most);
    if (status == WEND_OK) {
        fill_header(builder, header, header_bytes, length);
        status = write_checked(context, builder, header, header_bytes, path, error);
    }
    wend_release(&builder->allocator, header, room, 1);
    return status;
}

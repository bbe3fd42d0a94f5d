#include "formats/tiled.h"

#include "formats/tiled_data.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_GROUPS = 64 }; /* depth of groups within groups */

/* The upper four bits of a tile number say how the tile is turned. */
static const uint32_t tile_bits = 0x0fffffff;

/* What the tilesets say of a tile. */
typedef struct mark {
    uint32_t tile;
    bool walkable;
} mark;

typedef struct document {
    const tool_tiled_options *tiled;
    const char *property;
    wend_error *error;
    int64_t width, height;
    mark *marks; /* by tile, ascending */
    size_t mark_count, mark_capacity;
    bool any_yes;
} document;

static const char *type_name(const json_t *value) {
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a string";
    case JSON_INTEGER:
        return "a whole number";
    case JSON_REAL:
        return "a fraction";
    case JSON_TRUE:
    case JSON_FALSE:
        return "a yes/no value";
    default:
        return "null";
    }
}

static wend_status wrong_type(wend_error *error, const char *what, const json_t *value, const char *wanted) {
    return wend_fail(error, WEND_STATUS_BAD_FIELD, "%s must be %s, not %s", what, wanted, type_name(value));
}

/* A string field, or `fallback` where it is absent or null. */
static wend_status get_string(const json_t *object, const char *key, const char *fallback, const char **text,
                              wend_error *error) {
    const json_t *value = json_object_get(object, key);
    *text = fallback;
    if (!value || json_is_null(value)) return WEND_OK;
    if (!json_is_string(value)) return wrong_type(error, key, value, "a string");
    *text = json_string_value(value);
    return WEND_OK;
}

static wend_status get_integer(const json_t *object, const char *key, int64_t least, int64_t most,
                               int64_t *number, wend_error *error) {
    const json_t *value = json_object_get(object, key);
    if (!value) return wend_fail(error, WEND_STATUS_HEADER_MISSING, "'%s' is missing", key);
    if (!json_is_integer(value)) return wrong_type(error, key, value, "a whole number");
    json_int_t read = json_integer_value(value);
    if (read < least || read > most)
        return wend_fail(error, WEND_STATUS_HEADER_VALUE, "'%s' is %lld, which must be from %lld to %lld",
                         key, (long long)read, (long long)least, (long long)most);
    *number = read;
    return WEND_OK;
}

static wend_status get_array(const json_t *object, const char *key, const json_t **array, wend_error *error) {
    *array = json_object_get(object, key);
    if (!*array || json_is_null(*array)) *array = NULL;
    if (*array && !json_is_array(*array)) return wrong_type(error, key, *array, "an array");
    return WEND_OK;
}

/* `shown`: whether a message may quote the data. */
static wend_status load_json(const void *data, size_t size, bool shown, json_t **root, wend_error *error) {
    json_error_t problem;
    *root = json_loadb(data, size, JSON_REJECT_DUPLICATES, &problem);
    if (*root) return WEND_OK;
    if (json_error_code(&problem) == json_error_out_of_memory)
        return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for the JSON");
    bool cut = json_error_code(&problem) == json_error_premature_end_of_input;
    wend_status status = wend_fail(error, cut ? WEND_STATUS_CUT_SHORT : WEND_STATUS_BAD_FIELD,
                                   shown ? "bad JSON: %.150s" : "bad JSON", problem.text);
    if (error && problem.line > 0) error->line = (uint64_t)problem.line;
    if (error && problem.column > 0) error->column = (uint64_t)problem.column;
    return status;
}

/* Tilesets ---------------------------------------------------------------------------------------------- */

static wend_status add_mark(document *d, int64_t first, int64_t id, const json_t *value) {
    if (!json_is_boolean(value))
        return wend_fail(d->error, WEND_STATUS_BAD_FIELD,
                         "property '%.60s' of tile %lld must be a yes/no value, not %s", d->property,
                         (long long)id, type_name(value));
    if (first + id > tile_bits)
        return wend_fail(d->error, WEND_STATUS_HEADER_VALUE, "tile %lld has a number out of range",
                         (long long)id);
    if (d->mark_count == d->mark_capacity) {
        size_t capacity = d->mark_capacity ? 2 * d->mark_capacity : 64;
        mark *larger = realloc(d->marks, capacity * sizeof *larger);
        if (!larger) return wend_fail(d->error, WEND_STATUS_NO_MEMORY, "no memory for the tilesets");
        d->marks = larger, d->mark_capacity = capacity;
    }
    d->marks[d->mark_count++] = (mark){(uint32_t)(first + id), json_is_true(value)};
    if (json_is_true(value)) d->any_yes = true;
    return WEND_OK;
}

/* Since Tiled 1.2: "tiles": [{"id": 3, "properties": [{"name": ..., "type": "bool", "value": true}]}]. */
static wend_status read_tile(document *d, int64_t first, const json_t *tile) {
    if (!json_is_object(tile)) return wrong_type(d->error, "a tile", tile, "an object");
    const json_t *properties = NULL;
    int64_t id;
    wend_status status = get_integer(tile, "id", 0, tile_bits, &id, d->error);
    if (status == WEND_OK) status = get_array(tile, "properties", &properties, d->error);
    if (status != WEND_OK || !properties) return status;
    for (size_t i = 0; i < json_array_size(properties) && status == WEND_OK; i++) {
        const json_t *property = json_array_get(properties, i);
        const char *name;
        if (!json_is_object(property)) return wrong_type(d->error, "a property", property, "an object");
        status = get_string(property, "name", "", &name, d->error);
        if (status != WEND_OK || strcmp(name, d->property) != 0) continue;
        const json_t *value = json_object_get(property, "value");
        if (!value)
            return wend_fail(d->error, WEND_STATUS_HEADER_MISSING, "'value' of a property is missing");
        status = add_mark(d, first, id, value);
    }
    return status;
}

/* Before: "tileproperties": {"3": {"walkable": true}}. */
static wend_status read_old_properties(document *d, int64_t first, json_t *tiles) {
    if (!json_is_object(tiles)) return wrong_type(d->error, "tileproperties", tiles, "an object");
    const char *key;
    json_t *properties;
    json_object_foreach(tiles, key, properties) {
        const json_t *value = json_object_get(properties, d->property);
        if (!value) continue;
        char *end;
        long id = strtol(key, &end, 10);
        if (end == key || *end || id < 0 || id > (long)tile_bits)
            return wend_fail(d->error, WEND_STATUS_BAD_FIELD, "tileproperties: '%.40s' is no tile number",
                             key);
        wend_status status = add_mark(d, first, id, value);
        if (status != WEND_OK) return status;
    }
    return WEND_OK;
}

static wend_status read_tileset(document *d, int64_t first, const json_t *tileset) {
    const json_t *tiles = json_object_get(tileset, "tiles");
    json_t *old = json_object_get(tileset, "tileproperties");
    wend_status status = WEND_OK;
    /* In the oldest files "tiles" is an object that holds pictures and the like, no properties. */
    if (tiles && !json_is_array(tiles) && !json_is_object(tiles))
        return wrong_type(d->error, "tiles", tiles, "an array");
    if (json_is_array(tiles))
        for (size_t i = 0; i < json_array_size(tiles) && status == WEND_OK; i++)
            status = read_tile(d, first, json_array_get(tiles, i));
    if (old && status == WEND_OK) status = read_old_properties(d, first, old);
    return status;
}

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static wend_status read_outside_tileset(document *d, int64_t first, const char *source) {
    if (ends_with(source, ".tsx"))
        return wend_fail(
            d->error, WEND_STATUS_UNSUPPORTED,
            "tileset '%.60s' is XML, which is not supported: embed it in the map or save it as .tsj", source);
    if (!d->tiled->read)
        return wend_fail(d->error, WEND_STATUS_UNSUPPORTED, "tileset '%.80s' is in another file", source);
    wend_bytes bytes = {NULL, 0, 0};
    json_t *root = NULL;
    wend_status status = d->tiled->read(d->tiled->context, source, &bytes, d->error);
    if (status != WEND_OK) return status;
    status = load_json(bytes.data, bytes.size, false, &root, d->error);
    if (status == WEND_OK) {
        status = json_is_object(root) ? read_tileset(d, first, root)
                                      : wrong_type(d->error, "a tileset", root, "an object");
        json_decref(root);
    }
    tool_bytes_release(&bytes);
    if (status != WEND_OK) tool_error_file(d->error, source);
    return status;
}

static int by_tile(const void *a, const void *b) {
    uint32_t left = ((const mark *)a)->tile, right = ((const mark *)b)->tile;
    return left < right ? -1 : left > right;
}

static wend_status read_tilesets(document *d, const json_t *root) {
    const json_t *tilesets;
    wend_status status = get_array(root, "tilesets", &tilesets, d->error);
    if (status != WEND_OK) return status;
    for (size_t i = 0; i < json_array_size(tilesets); i++) {
        const json_t *tileset = json_array_get(tilesets, i);
        const char *source = NULL;
        int64_t first = 0;
        if (!json_is_object(tileset)) return wrong_type(d->error, "a tileset", tileset, "an object");
        status = get_integer(tileset, "firstgid", 1, tile_bits, &first, d->error);
        if (status == WEND_OK) status = get_string(tileset, "source", NULL, &source, d->error);
        if (status == WEND_OK)
            status = source ? read_outside_tileset(d, first, source) : read_tileset(d, first, tileset);
        if (status != WEND_OK) return status;
    }
    if (d->mark_count) qsort(d->marks, d->mark_count, sizeof *d->marks, by_tile);
    for (size_t i = 1; i < d->mark_count; i++)
        if (d->marks[i].tile == d->marks[i - 1].tile && d->marks[i].walkable != d->marks[i - 1].walkable)
            return wend_fail(d->error, WEND_STATUS_BAD_FIELD,
                             "property '%.60s' of tile number %lu is both yes and no", d->property,
                             (unsigned long)d->marks[i].tile);
    if (!d->mark_count && d->tiled->walkable)
        return wend_fail(d->error, WEND_STATUS_HEADER_MISSING, "no tile has a property '%.100s'",
                         d->property);
    return WEND_OK;
}

static bool is_open(const document *d, uint32_t number) {
    uint32_t tile = number & tile_bits;
    if (!d->mark_count) return tile == 0;
    size_t low = 0, high = d->mark_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (d->marks[middle].tile < tile)
            low = middle + 1;
        else
            high = middle;
    }
    bool marked = tile && low < d->mark_count && d->marks[low].tile == tile;
    return marked ? d->marks[low].walkable : !d->any_yes;
}

/* Layers ------------------------------------------------------------------------------------------------ */

/* The first tile layer that is wanted, in the order of the file; *found stays NULL if there is none. */
static wend_status find_layer(const document *d, const json_t *parent, int depth, const json_t **found) {
    const json_t *layers;
    wend_status status = get_array(parent, "layers", &layers, d->error);
    if (status != WEND_OK) return status;
    if (depth > MOST_GROUPS)
        return wend_fail(d->error, WEND_STATUS_UNSUPPORTED, "groups of layers are nested more than %d deep",
                         MOST_GROUPS);
    for (size_t i = 0; i < json_array_size(layers) && !*found; i++) {
        const json_t *layer = json_array_get(layers, i);
        const char *type, *name;
        if (!json_is_object(layer)) return wrong_type(d->error, "a layer", layer, "an object");
        status = get_string(layer, "type", "", &type, d->error);
        if (status == WEND_OK) status = get_string(layer, "name", "", &name, d->error);
        if (status != WEND_OK) return status;
        bool hidden = json_is_false(json_object_get(layer, "visible")) && !d->tiled->layer;
        if (strcmp(type, "group") == 0 && !hidden) {
            status = find_layer(d, layer, depth + 1, found);
            if (status != WEND_OK) return status;
        } else if (strcmp(type, "tilelayer") == 0) {
            if (d->tiled->layer ? strcmp(name, d->tiled->layer) == 0 : !hidden) *found = layer;
        }
    }
    return WEND_OK;
}

static wend_status read_numbers(const document *d, const json_t *data, int32_t y, uint32_t *numbers) {
    for (int64_t x = 0; x < d->width; x++) {
        const json_t *value = json_array_get(data, (size_t)(y * d->width + x));
        json_int_t number = json_is_integer(value) ? json_integer_value(value) : -1;
        if (number < 0 || number > UINT32_MAX)
            return wend_fail(d->error, WEND_STATUS_BAD_FIELD,
                             "cell %lld,%d of the layer holds no tile number", (long long)x, (int)y);
        numbers[x] = (uint32_t)number;
    }
    return WEND_OK;
}

static wend_status read_packed(const document *d, tool_tiled_data *data, uint8_t *bytes, uint32_t *numbers) {
    wend_status status = tool_tiled_data_read(data, bytes, 4 * (size_t)d->width, d->error);
    if (status != WEND_OK) return status;
    for (int64_t x = 0; x < d->width; x++) {
        const uint8_t *p = bytes + 4 * x;
        numbers[x] = (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
    }
    return WEND_OK;
}

/* Exactly one of `array` and `packed` is given. */
static wend_status fill_map(const document *d, const json_t *array, tool_tiled_data *packed,
                            const wend_map_options *options, wend_map **map) {
    char open, blocked;
    wend_status status = tool_plain_letters(options, &open, &blocked, d->error);
    if (status == WEND_OK) status = wend_map_create(d->width, d->height, options, map, d->error);
    if (status != WEND_OK) return status;
    size_t width = (size_t)d->width;
    uint32_t *numbers = malloc(width * sizeof *numbers);
    uint8_t *bytes = malloc(4 * width);
    char *letters = malloc(width);
    if (!numbers || !bytes || !letters)
        status = wend_fail(d->error, WEND_STATUS_NO_MEMORY, "no memory for the layer");
    for (int32_t y = 0; y < (int32_t)d->height && status == WEND_OK; y++) {
        status = packed ? read_packed(d, packed, bytes, numbers) : read_numbers(d, array, y, numbers);
        if (status != WEND_OK) break;
        for (size_t x = 0; x < width; x++) letters[x] = is_open(d, numbers[x]) ? open : blocked;
        status = wend_map_set_row(*map, y, letters, d->error);
    }
    if (status == WEND_OK && packed) status = tool_tiled_data_end(packed, d->error);
    free(numbers);
    free(bytes);
    free(letters);
    return status;
}

static wend_status read_layer(const document *d, const json_t *layer, const wend_map_options *options,
                              wend_map **map) {
    const json_t *data = json_object_get(layer, "data");
    int64_t width, height;
    wend_status status = get_integer(layer, "width", 1, WEND_MAX_SIDE, &width, d->error);
    if (status == WEND_OK) status = get_integer(layer, "height", 1, WEND_MAX_SIDE, &height, d->error);
    if (status != WEND_OK) return status;
    if (width != d->width || height != d->height)
        return wend_fail(d->error, WEND_STATUS_UNSUPPORTED,
                         "the layer is %lld x %lld cells, the map %lld x %lld", (long long)width,
                         (long long)height, (long long)d->width, (long long)d->height);
    if (!data) return wend_fail(d->error, WEND_STATUS_HEADER_MISSING, "the layer's 'data' is missing");
    uint64_t cells = (uint64_t)width * (uint64_t)height;
    if (json_is_array(data)) {
        if (json_array_size(data) != cells)
            return wend_fail(d->error,
                             json_array_size(data) < cells ? WEND_STATUS_ROWS_TOO_FEW
                                                           : WEND_STATUS_ROWS_TOO_MANY,
                             "the layer's data has %zu cells, the map %llu", json_array_size(data),
                             (unsigned long long)cells);
        return fill_map(d, data, NULL, options, map);
    }
    if (!json_is_string(data)) return wrong_type(d->error, "data", data, "an array or a string");
    const char *encoding, *compression;
    status = get_string(layer, "encoding", "", &encoding, d->error);
    if (status == WEND_OK) status = get_string(layer, "compression", "", &compression, d->error);
    if (status != WEND_OK) return status;
    if (strcmp(encoding, "base64") != 0)
        return wend_fail(d->error, WEND_STATUS_UNSUPPORTED, "the layer's encoding '%.40s' is not supported",
                         encoding);
    tool_tiled_data *packed;
    status = tool_tiled_data_open(json_string_value(data), json_string_length(data), compression, 4 * cells,
                                  &packed, d->error);
    if (status == WEND_OK) status = fill_map(d, NULL, packed, options, map);
    tool_tiled_data_close(packed);
    return status;
}

static wend_status read_document(document *d, const json_t *root, const wend_map_options *options,
                                 wend_map **map) {
    const char *orientation;
    const json_t *layer = NULL;
    if (!json_is_object(root) || !json_object_get(root, "layers"))
        return wend_fail(d->error, WEND_STATUS_BAD_MAGIC, "not a Tiled map: it has no 'layers'");
    wend_status status = get_string(root, "orientation", "orthogonal", &orientation, d->error);
    if (status != WEND_OK) return status;
    if (strcmp(orientation, "orthogonal") != 0)
        return wend_fail(d->error, WEND_STATUS_UNSUPPORTED,
                         "a map of %.40s orientation is not supported: only orthogonal", orientation);
    const json_t *infinite = json_object_get(root, "infinite");
    if (infinite && !json_is_boolean(infinite))
        return wrong_type(d->error, "infinite", infinite, "a yes/no value");
    if (json_is_true(infinite))
        return wend_fail(d->error, WEND_STATUS_UNSUPPORTED,
                         "an infinite map is not supported: give it a fixed size in Tiled's map properties");
    status = get_integer(root, "width", 1, WEND_MAX_SIDE, &d->width, d->error);
    if (status == WEND_OK) status = get_integer(root, "height", 1, WEND_MAX_SIDE, &d->height, d->error);
    if (status == WEND_OK) status = find_layer(d, root, 0, &layer);
    if (status != WEND_OK) return status;
    if (!layer)
        return d->tiled->layer ? wend_fail(d->error, WEND_STATUS_HEADER_MISSING, "no tile layer '%.100s'",
                                           d->tiled->layer)
                               : wend_fail(d->error, WEND_STATUS_HEADER_MISSING, "no visible tile layer");
    if (*d->property) status = read_tilesets(d, root);
    if (status == WEND_OK) status = read_layer(d, layer, options, map);
    return status;
}

wend_status tool_tiled_parse(const void *data, size_t size, const tool_tiled_options *tiled,
                             const wend_map_options *options, wend_map **map, wend_error *error) {
    json_t *root;
    *map = NULL;
    if (size == 0) return wend_fail(error, WEND_STATUS_EMPTY_FILE, "the file is empty");
    wend_status status = load_json(data, size, true, &root, error);
    if (status != WEND_OK) return status;
    document d = {.tiled = tiled, .property = tiled->walkable ? tiled->walkable : "walkable", .error = error};
    status = read_document(&d, root, options, map);
    free(d.marks);
    json_decref(root);
    if (status != WEND_OK) {
        wend_map_destroy(*map);
        *map = NULL;
    }
    return status;
}

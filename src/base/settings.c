#include "base/settings.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdio.h>
#include <string.h>

/* A part of the text being read, with its place for messages. */
typedef struct span {
    const char *text;
    size_t size;
    size_t offset;
} span;

static bool equals(span part, const char *word) {
    return strlen(word) == part.size && memcmp(part.text, word, part.size) == 0;
}

/* The part of a text that a message quotes: a few words, and nothing that would break the line. */
typedef struct message_quote {
    char text[44];
} message_quote;

static message_quote quoted(span part) {
    message_quote quote;
    size_t most = sizeof quote.text - 4, size = part.size < most ? part.size : most;
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)part.text[i];
        quote.text[i] = part.text[i];
        if (c < 0x20 || c == 0x7f) quote.text[i] = '?';
    }
    (void)snprintf(quote.text + size, sizeof quote.text - size, "%s", size < part.size ? "..." : "");
    return quote;
}

/* A list of names for a message; the last ones are dropped if there is no room. */
typedef struct name_list {
    char text[112];
    size_t size;
    bool full;
} name_list;

static void list_add(name_list *list, const char *name) {
    size_t needed = strlen(name) + (list->size ? 2 : 0);
    if (list->full || list->size + needed + 5 >= sizeof list->text) { /* 5: room for ", ..." */
        if (!list->full)
            list->size += (size_t)snprintf(list->text + list->size, sizeof list->text - list->size, ", ...");
        list->full = true;
        return;
    }
    list->size += (size_t)snprintf(list->text + list->size, sizeof list->text - list->size, "%s%s",
                                   list->size ? ", " : "", name);
}

/* A number of the form 12, 0.5 or .5 as the nearest double: up to 15 digits and 10^15 are both exact doubles,
 * so their quotient is rounded once. No strtod, which follows the locale. */
static bool read_decimal(span part, double *number) {
    uint64_t digits = 0, scale = 1;
    size_t count = 0;
    bool point = false, any = false;
    for (size_t i = 0; i < part.size; i++) {
        char c = part.text[i];
        if (c == '.' && !point) {
            point = true;
            continue;
        }
        if (c < '0' || c > '9') return false;
        any = true;
        if (digits || c != '0') count++; /* zeros in front do not count */
        if (count > 15) return false;
        digits = digits * 10 + (uint64_t)(c - '0');
        if (point && (scale *= 10) > 1000000000000000u) return false;
    }
    *number = (double)digits / (double)scale;
    return any;
}

static bool read_integer(span part, int64_t *integer) {
    if (!part.size) return false;
    int64_t value = 0;
    for (size_t i = 0; i < part.size; i++) {
        char c = part.text[i];
        if (c < '0' || c > '9' || value > (INT64_MAX - 9) / 10) return false;
        value = value * 10 + (c - '0');
    }
    *integer = value;
    return true;
}

static bool read_size(span part, int64_t *bytes) {
    static const char units[] = "KMG";
    const char *unit = part.size ? strchr(units, part.text[part.size - 1]) : NULL;
    int shift = unit && *unit ? 10 * (int)(unit - units + 1) : 0;
    if (shift) part.size--;
    if (!read_integer(part, bytes) || *bytes > INT64_MAX >> shift) return false;
    *bytes *= (int64_t)1 << shift;
    return true;
}

static bool read_value(const wend_key_info *key, span part, int64_t *integer, double *number) {
    *integer = 0, *number = 0;
    switch (key->kind) {
    case WEND_KEY_INTEGER:
        if (key->unlimited && equals(part, "unlimited"))
            *integer = WEND_UNLIMITED;
        else if (!read_integer(part, integer) || (double)*integer < key->min || (double)*integer > key->max)
            return false;
        *number = (double)*integer;
        return true;
    case WEND_KEY_PERCENT:
        if (part.size && part.text[part.size - 1] == '%') part.size--;
        return read_decimal(part, number) && *number >= key->min && *number <= key->max;
    case WEND_KEY_DECIMAL:
        return read_decimal(part, number) && *number >= key->min && *number <= key->max;
    case WEND_KEY_YES_NO:
        *integer = equals(part, "yes");
        return *integer || equals(part, "no");
    case WEND_KEY_WORD:
        for (; key->words[*integer]; ++*integer)
            if (equals(part, key->words[*integer])) return true;
        return false;
    case WEND_KEY_FILE:
        return part.size > 0;
    case WEND_KEY_SIZE:
        *number = 0;
        if (!read_size(part, integer)) return false;
        *number = (double)*integer;
        return *number >= key->min && *number <= key->max;
    }
    return false;
}

static wend_status bad_value(wend_error *error, const wend_key_info *key, span value) {
    char wanted[160] = "";
    name_list list = {.size = 0};
    switch (key->kind) {
    case WEND_KEY_INTEGER:
        (void)snprintf(wanted, sizeof wanted, "a whole number from %.0f to %.0f%s", key->min, key->max,
                       key->unlimited ? " or 'unlimited'" : "");
        break;
    case WEND_KEY_DECIMAL:
    case WEND_KEY_PERCENT:
        (void)snprintf(wanted, sizeof wanted, "a number from %g to %g%s", key->min, key->max,
                       key->kind == WEND_KEY_PERCENT ? " per cent" : "");
        break;
    case WEND_KEY_YES_NO:
        (void)snprintf(wanted, sizeof wanted, "'yes' or 'no'");
        break;
    case WEND_KEY_WORD:
        for (size_t i = 0; key->words[i]; i++) list_add(&list, key->words[i]);
        (void)snprintf(wanted, sizeof wanted, "one of: %s", list.text);
        break;
    case WEND_KEY_FILE:
        (void)snprintf(wanted, sizeof wanted, "the name of a file");
        break;
    case WEND_KEY_SIZE:
        (void)snprintf(wanted, sizeof wanted, "bytes, as in 5000000 or 64M, from %.0f to %.0f", key->min,
                       key->max);
        break;
    }
    return wend_fail_at(error, WEND_STATUS_BAD_ARGUMENT, 0, 0, value.offset, "%s='%s': the value must be %s",
                        key->name, quoted(value).text, wanted);
}

static wend_status unknown_name(wend_error *error, const char *what, const wend_method_info *const *methods,
                                size_t count, span name) {
    name_list list = {.size = 0};
    for (size_t i = 0; i < count; i++) list_add(&list, methods[i]->name);
    return wend_fail_at(error, WEND_STATUS_BAD_ARGUMENT, 0, 0, name.offset, "no %s '%s'; there are: %s", what,
                        quoted(name).text, count ? list.text : "none");
}

static wend_status unknown_key(wend_error *error, const wend_method_info *info, span name) {
    if (!info->key_count)
        return wend_fail_at(error, WEND_STATUS_BAD_ARGUMENT, 0, 0, name.offset, "%s has no keys, so no '%s'",
                            info->name, quoted(name).text);
    name_list list = {.size = 0};
    for (size_t i = 0; i < info->key_count; i++) list_add(&list, info->keys[i].name);
    return wend_fail_at(error, WEND_STATUS_BAD_ARGUMENT, 0, 0, name.offset,
                        "%s has no key '%s'; its keys: %s", info->name, quoted(name).text, list.text);
}

/* Copies the value that begins at `from` to `to`, "\\," undone, up to a comma or the end, and returns where it
 * stopped. There is room: nothing gets longer. */
static const char *take_value(const char *from, char *to, span *value) {
    value->text = to;
    while (*from && *from != ',') {
        if (from[0] == '\\' && from[1] == ',') from++;
        *to++ = *from++;
    }
    *to = 0;
    value->size = (size_t)(to - value->text);
    return from;
}

/* The texts of values are put at `room`. */
static wend_status parse_keys(const char *whole, const char *from, wend_settings *settings, char *room,
                              wend_error *error) {
    const wend_method_info *info = settings->info;
    for (;; from++) {
        span name = {from, strcspn(from, ",="), (size_t)(from - whole)};
        if (from[name.size] != '=')
            return wend_fail_at(error, WEND_STATUS_BAD_ARGUMENT, 0, 0, name.offset,
                                "'%s' is no KEY=VALUE: the '=' is missing", quoted(name).text);
        size_t key = 0;
        while (key < info->key_count && !equals(name, info->keys[key].name)) key++;
        if (key == info->key_count) return unknown_key(error, info, name);
        if (settings->values[key].given)
            return wend_fail_at(error, WEND_STATUS_BAD_ARGUMENT, 0, 0, name.offset, "key '%s' is given twice",
                                info->keys[key].name);
        from += name.size + 1;
        span value = {NULL, 0, (size_t)(from - whole)};
        from = take_value(from, room, &value);
        wend_setting set = {.text = (size_t)(room - (char *)settings), .given = true};
        if (!read_value(&info->keys[key], value, &set.integer, &set.number))
            return bad_value(error, &info->keys[key], value);
        settings->values[key] = set;
        room += value.size + 1;
        if (!*from) return WEND_OK;
    }
}

static wend_status fill_defaults(wend_settings *settings, wend_error *error) {
    for (size_t i = 0; i < settings->info->key_count; i++) {
        const wend_key_info *key = &settings->info->keys[i];
        wend_setting *set = &settings->values[i];
        if (set->given) continue;
        if (key->required && strcmp(key->name, "db") != 0) /* that may come with an agent's options */
            return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "%s needs %s=%s (%s)", settings->info->name,
                             key->name, key->kind == WEND_KEY_FILE ? "FILE" : "VALUE", key->help);
        if (!key->standard) continue;
        span value = {key->standard, strlen(key->standard), 0};
        if (!read_value(key, value, &set->integer, &set->number)) return bad_value(error, key, value);
    }
    return WEND_OK;
}

/* A zeroed block with room for the values of all keys and `room` bytes of text. */
static wend_settings *make(const wend_method_info *info, size_t room, const wend_allocator *allocator) {
    wend_allocator from = wend_allocator_or_default(allocator);
    size_t bytes = sizeof(wend_settings) + info->key_count * sizeof(wend_setting) + room;
    wend_settings *made = wend_allocate_zeroed(&from, bytes, 1);
    if (made) made->info = info, made->allocator = from, made->bytes = bytes;
    return made;
}

/* Checking a table ------------------------------------------------------------------------------------------ */

static bool is_name(const char *name) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
    return name && *name && strspn(name, letters) == strlen(name);
}

/* What is wrong with a key, or NULL if nothing is. */
static const char *fault_of(const wend_key_info *key) {
    int64_t integer;
    double number;
    bool bounded = key->kind != WEND_KEY_YES_NO && key->kind != WEND_KEY_WORD && key->kind != WEND_KEY_FILE;
    if (!key->help || !*key->help) return "has no help";
    if ((unsigned)key->kind > WEND_KEY_SIZE) return "is of no kind";
    if (key->kind == WEND_KEY_WORD && (!key->words || !key->words[0])) return "has no words to choose from";
    if (bounded && !(key->min <= key->max)) return "allows no number: `min` is over `max`";
    if (!key->standard) return NULL;
    span value = {key->standard, strlen(key->standard), 0};
    return read_value(key, value, &integer, &number) ? NULL : "has a default that is no value of its own";
}

wend_status wend_method_check(const wend_method_info *info, wend_error *error) {
    if (!is_name(info->name))
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "a name is small letters, digits and '-', not '%s'",
                         info->name ? info->name : "");
    if (!info->help || !*info->help || (info->key_count && !info->keys))
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "%s has no help, or its keys are NULL", info->name);
    for (size_t i = 0; i < info->key_count; i++) {
        const wend_key_info *key = &info->keys[i];
        if (!is_name(key->name))
            return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "key %zu of %s has no name, or a bad one", i,
                             info->name);
        const char *fault = fault_of(key);
        for (size_t j = 0; j < i; j++)
            if (strcmp(key->name, info->keys[j].name) == 0) fault = "is there twice";
        if (fault)
            return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "key %s of %s %s", key->name, info->name,
                             fault);
    }
    return WEND_OK;
}

/* Parsing --------------------------------------------------------------------------------------------------- */

wend_status wend_settings_parse_in(const char *what, const wend_method_info *const *methods, size_t count,
                                   const char *text, const wend_allocator *allocator,
                                   wend_settings **settings, wend_error *error) {
    if (settings) *settings = NULL;
    if (!text || !settings)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "%s is NULL",
                         text ? "settings" : "the settings' text");
    span name = {text, strcspn(text, ":"), 0};
    size_t index = 0;
    while (index < count && !equals(name, methods[index]->name)) index++;
    if (index == count) return unknown_name(error, what, methods, count, name);
    wend_settings *made = make(methods[index], strlen(text) + 1 - name.size, allocator);
    if (!made) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for settings");
    wend_status status = WEND_OK;
    char *room = (char *)&made->values[made->info->key_count];
    if (text[name.size]) status = parse_keys(text, text + name.size + 1, made, room, error);
    if (status == WEND_OK) status = fill_defaults(made, error);
    if (status == WEND_OK)
        *settings = made;
    else
        wend_settings_destroy(made);
    return status;
}

wend_status wend_settings_copy(const wend_settings *settings, const wend_allocator *allocator,
                               wend_settings **copy, wend_error *error) {
    wend_allocator from = wend_allocator_or_default(allocator);
    *copy = wend_allocate(&from, settings->bytes, 1);
    if (!*copy) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for settings");
    memcpy(*copy, settings, settings->bytes);
    (*copy)->allocator = from;
    return WEND_OK;
}

void wend_settings_destroy(wend_settings *settings) {
    if (!settings) return;
    wend_allocator allocator = settings->allocator;
    wend_release(&allocator, settings, settings->bytes, 1);
}

const wend_method_info *wend_settings_info(const wend_settings *settings) {
    return settings ? settings->info : NULL;
}

/* The value of a key; NULL where there is none of that name. */
static const wend_setting *find(const wend_settings *settings, const char *name, const wend_key_info **key) {
    for (size_t i = 0; settings && name && i < settings->info->key_count; i++) {
        *key = &settings->info->keys[i];
        if (strcmp((*key)->name, name) == 0) return &settings->values[i];
    }
    return NULL;
}

int64_t wend_settings_integer(const wend_settings *settings, const char *key) {
    const wend_key_info *info;
    const wend_setting *set = find(settings, key, &info);
    return set ? set->integer : 0;
}

double wend_settings_number(const wend_settings *settings, const char *key) {
    const wend_key_info *info;
    const wend_setting *set = find(settings, key, &info);
    return set ? set->number : 0;
}

const char *wend_settings_text(const wend_settings *settings, const char *key) {
    const wend_key_info *info;
    const wend_setting *set = find(settings, key, &info);
    if (!set) return NULL;
    return set->text ? (const char *)settings + set->text : info->standard;
}

bool wend_settings_given(const wend_settings *settings, const char *key) {
    const wend_key_info *info;
    const wend_setting *set = find(settings, key, &info);
    return set && set->given;
}

/* Writing ----------------------------------------------------------------------------------------------- */

typedef struct output {
    char *text;
    size_t size, room; /* room without the closing NUL */
    bool full;
} output;

static void put(output *out, char letter) {
    if (out->size == out->room)
        out->full = true;
    else
        out->text[out->size++] = letter;
}

static void put_text(output *out, const char *text) {
    while (*text) put(out, *text++);
}

/* A number as people write it: no zeros in front or behind, no per cent sign. */
static void put_decimal(output *out, const char *text) {
    size_t size = strcspn(text, "%"), point = strcspn(text, ".");
    if (point < size) {
        while (text[size - 1] == '0') size--;
        if (text[size - 1] == '.') size--;
    }
    size_t whole = point < size ? point : size, first = 0;
    while (first < whole && text[first] == '0') first++;
    if (first == whole) put(out, '0');
    for (size_t i = first; i < size; i++) put(out, text[i]);
}

static void put_value(output *out, const wend_key_info *key, int64_t integer, const char *text) {
    char digits[24];
    switch (key->kind) {
    case WEND_KEY_INTEGER:
    case WEND_KEY_SIZE:
        (void)snprintf(digits, sizeof digits, "%lld", (long long)integer);
        put_text(out, integer == WEND_UNLIMITED ? "unlimited" : digits);
        break;
    case WEND_KEY_DECIMAL:
    case WEND_KEY_PERCENT:
        put_decimal(out, text);
        break;
    case WEND_KEY_YES_NO:
    case WEND_KEY_WORD:
    case WEND_KEY_FILE:
        for (; *text; text++) {
            if (*text == ',') put(out, '\\');
            put(out, *text);
        }
        if (out->size && out->text[out->size - 1] == '\\') out->full = true; /* would hide the next comma */
        break;
    }
}

bool wend_settings_write(const wend_settings *settings, char *text, size_t size) {
    output out = {text, 0, size ? size - 1 : 0, size == 0};
    char before = ':';
    put_text(&out, settings->info->name);
    for (size_t i = 0; i < settings->info->key_count; i++) {
        const wend_key_info *key = &settings->info->keys[i];
        const char *value = wend_settings_text(settings, key->name);
        if (!value) continue;
        put(&out, before);
        put_text(&out, key->name);
        put(&out, '=');
        put_value(&out, key, settings->values[i].integer, value);
        before = ',';
    }
    if (size) text[out.size] = 0;
    return !out.full;
}

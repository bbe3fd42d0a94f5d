#include "support/command/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void skip_blanks(const char **at) {
    *at += strspn(*at, " \t\r\n");
}

/* The length of a UTF-8 sequence by its bytes' ranges (table 3-7 of the Unicode standard), or 0. */
static size_t utf8(const unsigned char *p) {
    if (p[0] < 0x80) return 1;
    if (p[0] < 0xc2 || p[0] > 0xf4) return 0;
    size_t size = p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
    unsigned char least = p[0] == 0xe0 ? 0xa0 : p[0] == 0xf0 ? 0x90 : 0x80;
    unsigned char most = p[0] == 0xed ? 0x9f : p[0] == 0xf4 ? 0x8f : 0xbf;
    if (p[1] < least || p[1] > most) return 0;
    for (size_t i = 2; i < size; i++)
        if (p[i] < 0x80 || p[i] > 0xbf) return 0;
    return size;
}

static void put(char *text, size_t room, size_t *size, char letter) {
    if (*size + 1 < room) text[(*size)++] = letter;
}

static bool read_string(const char **at, char *text, size_t room) {
    static const char escapes[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    size_t size = 0;
    if (*(*at)++ != '"') return false;
    while (**at != '"') {
        if ((unsigned char)**at < 0x20) return false; /* the end of the line too */
        if (**at != '\\') {
            size_t bytes = utf8((const unsigned char *)*at);
            if (!bytes) return false;
            while (bytes--) put(text, room, &size, *(*at)++);
            continue;
        }
        ++*at;
        const char *escape = **at ? strchr(escapes, **at) : NULL;
        if (escape) {
            put(text, room, &size, meant[escape - escapes]);
            ++*at;
        } else {
            if (**at != 'u' || strspn(*at + 1, "0123456789abcdefABCDEF") < 4) return false;
            char digits[5] = {(*at)[1], (*at)[2], (*at)[3], (*at)[4], 0};
            long point = strtol(digits, NULL, 16);
            put(text, room, &size, point < 0x80 ? (char)point : '?');
            *at += 5;
        }
    }
    ++*at;
    text[size] = 0;
    return true;
}

static bool read_number(const char **at, double *number) {
    const char *p = *at;
    if (*p == '-') p++;
    size_t digits = strspn(p, "0123456789");
    if (!digits || (*p == '0' && digits > 1)) return false;
    p += digits;
    if (*p == '.') {
        digits = strspn(++p, "0123456789");
        if (!digits) return false;
        p += digits;
    }
    if (*p == 'e' || *p == 'E') {
        p++;
        if (*p == '+' || *p == '-') p++;
        digits = strspn(p, "0123456789");
        if (!digits) return false;
        p += digits;
    }
    *number = strtod(*at, NULL);
    *at = p;
    return isfinite(*number);
}

static bool read_array(const char **at, test_json_value *value) {
    ++*at;
    skip_blanks(at);
    for (size_t i = 0; **at != ']'; i++) {
        double number;
        if (i) {
            if (*(*at)++ != ',') return false;
            skip_blanks(at);
        }
        if (!read_number(at, &number)) return false;
        if (i < 2) value->numbers[i] = number;
        skip_blanks(at);
    }
    ++*at;
    return true;
}

static bool read_value(const char **at, test_json_value *value) {
    static const char *const words[] = {"true", "false", "null"};
    const char *begin = *at;
    value->number = NAN;
    for (size_t i = 0; i < 3; i++)
        if (strncmp(*at, words[i], strlen(words[i])) == 0) {
            value->kind = i < 2 ? 'b' : '0';
            *at += strlen(words[i]);
        }
    bool good = true;
    if (*at == begin && **at == '"') {
        value->kind = 's';
        return read_string(at, value->text, sizeof value->text);
    }
    if (*at == begin) {
        value->kind = **at == '[' ? 'a' : 'n';
        good = **at == '[' ? read_array(at, value) : read_number(at, &value->number);
    }
    size_t size = (size_t)(*at - begin);
    if (size >= sizeof value->text) size = sizeof value->text - 1;
    memcpy(value->text, begin, size);
    value->text[size] = 0;
    return good;
}

bool test_json_read(const char *line, test_json *object) {
    const char *at = line;
    object->count = 0;
    skip_blanks(&at);
    if (*at++ != '{') return false;
    skip_blanks(&at);
    while (*at != '}') {
        if (object->count == TEST_JSON_KEYS) return false;
        if (object->count) {
            if (*at++ != ',') return false;
            skip_blanks(&at);
        }
        test_json_value *value = &object->values[object->count];
        if (!read_string(&at, value->key, sizeof value->key)) return false;
        skip_blanks(&at);
        if (*at++ != ':') return false;
        skip_blanks(&at);
        if (!read_value(&at, value) || test_json_get(object, value->key)) return false;
        object->count++;
        skip_blanks(&at);
    }
    at++;
    skip_blanks(&at);
    return *at == 0;
}

const test_json_value *test_json_get(const test_json *object, const char *key) {
    for (size_t i = 0; i < object->count; i++)
        if (strcmp(object->values[i].key, key) == 0) return &object->values[i];
    return NULL;
}

double test_json_number(const test_json *object, const char *key) {
    const test_json_value *value = test_json_get(object, key);
    return value ? value->number : NAN;
}

const char *test_json_text(const test_json *object, const char *key) {
    const test_json_value *value = test_json_get(object, key);
    return value ? value->text : "";
}

static bool skip_value(const char **at, int depth) {
    static const char *const words[] = {"true", "false", "null"};
    char text[8];
    double number;
    skip_blanks(at);
    for (size_t i = 0; i < 3; i++)
        if (strncmp(*at, words[i], strlen(words[i])) == 0) {
            *at += strlen(words[i]);
            return true;
        }
    if (**at == '"') return read_string(at, text, sizeof text);
    if (**at != '{' && **at != '[') return read_number(at, &number);
    bool object = **at == '{';
    char closing = object ? '}' : ']';
    if (depth == 0) return false;
    ++*at;
    skip_blanks(at);
    for (bool first = true; **at != closing; first = false) {
        if (!first && *(*at)++ != ',') return false;
        skip_blanks(at);
        if (object) {
            if (!read_string(at, text, sizeof text)) return false;
            skip_blanks(at);
            if (*(*at)++ != ':') return false;
        }
        if (!skip_value(at, depth - 1)) return false;
        skip_blanks(at);
    }
    ++*at;
    return true;
}

bool test_json_valid(const char *text) {
    if (!skip_value(&text, 64)) return false;
    skip_blanks(&text);
    return *text == 0;
}

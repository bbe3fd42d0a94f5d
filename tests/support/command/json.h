/* A strict reader of JSON for tests of what the tools write: one flat object a line. */
#ifndef WEND_TESTS_JSON_H
#define WEND_TESTS_JSON_H

#include <stdbool.h>
#include <stddef.h>

enum { TEST_JSON_KEYS = 64 };

typedef struct test_json_value {
    char key[48];
    char text[160]; /* as it stands in the line; of strings without quotes, escapes undone; cut if longer */
    double number;  /* NAN unless it is one */
    double numbers[2]; /* of an array, the first two */
    char kind;         /* 'n'umber, 's'tring, 'b'oolean, 'a'rray of numbers, '0' for null */
} test_json_value;

typedef struct test_json {
    test_json_value values[TEST_JSON_KEYS];
    size_t count;
} test_json;

/* True iff the line is one object by RFC 8259, in UTF-8, with no key twice, whose values are numbers,
 * strings, booleans, nulls and arrays of numbers. */
bool test_json_read(const char *line, test_json *object);
/* True iff the text is one value by RFC 8259, in UTF-8, nested at most 64 deep. */
bool test_json_valid(const char *text);
/* NULL if there is no such key. */
const test_json_value *test_json_get(const test_json *object, const char *key);
/* NAN if there is no such key or it is no number. */
double test_json_number(const test_json *object, const char *key);
/* "" if there is no such key. */
const char *test_json_text(const test_json *object, const char *key);

#endif

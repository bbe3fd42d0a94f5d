#include "support/command/report.h"

#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The first row of a table, or NULL. */
static const char *first_row(const char *json, const char *table) {
    char head[64];
    (void)snprintf(head, sizeof head, "{\"name\":\"%s\"", table);
    const char *at = strstr(json, head);
    return at ? strchr(at, '\n') : NULL;
}

/* Reads the row that begins behind the end of a line; where it ends, or NULL if the table does. */
static const char *read_row(const char *at, test_json *row) {
    char line[2048];
    at += strspn(at, "\n ");
    size_t length = strcspn(at, "}") + 1;
    if (*at != '{' || length >= sizeof line || strncmp(at, "{\"name\"", 7) == 0) return NULL;
    memcpy(line, at, length);
    line[length] = 0;
    if (!CHECK_THAT(test_json_read(line, row), "no row: %s", line)) return NULL;
    return at + length;
}

size_t test_report_rows(const char *json, const char *table, test_json *rows, size_t most) {
    size_t count = 0;
    for (const char *at = first_row(json, table); at && count < most; count++) {
        at = read_row(at, &rows[count]);
        if (!at) break;
        at = strchr(at, '\n');
    }
    return count;
}

bool test_report_row(const char *json, const char *table, const char *label, test_json *row) {
    for (const char *at = first_row(json, table); at; at = strchr(at, '\n')) {
        at = read_row(at, row);
        if (!at) break;
        if (row->count && strcmp(row->values[0].text, label) == 0) return true;
    }
    return CHECK_THAT(false, "no row '%s' in %s", label, table);
}

/* By the meaning of the words alone: passed if all of the interval is as asked, failed if nothing of it is. */
static const char *verdict_of(const test_json *check) {
    const double tolerance = test_json_number(check, "tolerance");
    double low = test_json_number(check, "low"), high = test_json_number(check, "high"),
           min = test_json_number(check, "min") - tolerance, max = test_json_number(check, "max") + tolerance;
    const bool strict = strcmp(test_json_text(check, "strict"), "true") == 0;
    low = isnan(low) ? -INFINITY : low, high = isnan(high) ? INFINITY : high;
    min = isnan(min) ? -INFINITY : min, max = isnan(max) ? INFINITY : max;
    bool low_good = strict ? low > min : low >= min, high_good = strict ? high > min : high >= min;
    if (low_good && high <= max) return "pass";
    return !high_good || low > max ? "fail" : "not-decided";
}

size_t test_report_checks(const char *json) {
    size_t count = 0;
    const char *at = strstr(json, "\"checks\":[");
    for (at = at ? strchr(at, '\n') : NULL; at && strncmp(at, "\n  {\"result\"", 12) == 0;
         at = strchr(at, '\n'), count++) {
        test_json check;
        at = read_row(at, &check);
        if (!at) break;
        const char *result = test_json_text(&check, "result");
        CHECK_THAT(strcmp(result, "not-comparable") == 0 || strcmp(result, verdict_of(&check)) == 0,
                   "%s, not %s: %s", result, verdict_of(&check), test_json_text(&check, "words"));
    }
    return count;
}

bool test_near(double a, double b) {
    return fabs(a - b) <= 1e-5 * (1 + fabs(b));
}

void test_report_number(const test_json *row, const char *key, double wanted) {
    double number = test_json_number(row, key);
    CHECK_THAT(test_near(number, wanted), "%s of %s: %g, not %g", key, row->count ? row->values[0].text : "",
               number, wanted);
}

size_t test_count_of(const char *text, const char *part) {
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part)) count++;
    return count;
}

size_t test_count_lines(const char *text, const char *start) {
    size_t count = 0, length = strlen(start);
    for (const char *at = text; at; at = strchr(at, '\n')) {
        if (*at == '\n') at++;
        count += strncmp(at, start, length) == 0;
    }
    return count;
}

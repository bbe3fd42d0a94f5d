/* What `wend paper` writes as JSON, read back: the rows of a table are objects on lines of their own. */
#ifndef WEND_TESTS_REPORT_H
#define WEND_TESTS_REPORT_H

#include "support/command/json.h"

/* The rows of a table, `most` of them; how many there are, 0 if there is no such table. A row that can't be
 * read is a failure of the test. */
size_t test_report_rows(const char *json, const char *table, test_json *rows, size_t most);
/* The row of a table whose first column has that text. It is a failure of the test if there is none. */
bool test_report_row(const char *json, const char *table, const char *label, test_json *row);
/* Checks that a number of a row is this one, but for rounding. */
void test_report_number(const test_json *row, const char *key, double wanted);

/* How many checks a report has. That a verdict is not what its numbers say is a failure of the test. */
size_t test_report_checks(const char *json);

bool test_near(double a, double b); /* but for rounding */
size_t test_count_of(const char *text, const char *part);
size_t test_count_lines(const char *text, const char *start); /* that begin with it */

#endif

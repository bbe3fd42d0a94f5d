/* Rows of named values: a line of JSON each, or a row of CSV (RFC 4180) below a row of the names. What makes a row
 * is written once and works for all three. */
#ifndef WEND_TOOLS_FORMATS_ROWS_H
#define WEND_TOOLS_FORMATS_ROWS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef enum tool_row_form { TOOL_ROW_JSON, TOOL_ROW_CSV, TOOL_ROW_CSV_NAMES } tool_row_form;

typedef struct tool_row {
    FILE *file;
    tool_row_form form;
    bool begun; /* a value has been written */
} tool_row;

tool_row tool_row_begin(FILE *file, tool_row_form form);
void tool_row_end(tool_row *row);

/* What there is not is null, or nothing between two commas. */
void tool_row_text(tool_row *row, const char *name, const char *value); /* NULL: there is none */
void tool_row_true_or_false(tool_row *row, const char *name, bool value);
void tool_row_integer(tool_row *row, const char *name, uint64_t value);
void tool_row_integer_if(tool_row *row, const char *name, bool there, uint64_t value);
void tool_row_number(tool_row *row, const char *name, double value); /* at most six digits behind the point */
void tool_row_exact(tool_row *row, const char *name, double value);  /* reads back as the same double */
/* Two columns in CSV: NAME_x, NAME_y. */
void tool_row_cell(tool_row *row, const char *name, int32_t x, int32_t y);

#endif

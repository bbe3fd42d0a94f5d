#include "formats/rows.h"

#include "formats/json_out.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

tool_row tool_row_begin(FILE *file, tool_row_form form) {
    if (form == TOOL_ROW_JSON) (void)fputc('{', file);
    return (tool_row){.file = file, .form = form};
}

void tool_row_end(tool_row *row) {
    (void)fputs(row->form == TOOL_ROW_JSON ? "}\n" : "\n", row->file);
}

/* Whether a value is to follow. */
static bool begin_value(tool_row *row, const char *name) {
    if (row->begun) (void)fputc(',', row->file);
    row->begun = true;
    if (row->form == TOOL_ROW_JSON) (void)fprintf(row->file, "\"%s\":", name);
    if (row->form == TOOL_ROW_CSV_NAMES) (void)fputs(name, row->file);
    return row->form != TOOL_ROW_CSV_NAMES;
}

static void write_nothing(tool_row *row) {
    if (row->form == TOOL_ROW_JSON) (void)fputs("null", row->file);
}

static void write_csv_text(FILE *file, const char *text) {
    if (!strpbrk(text, ",\"\r\n")) {
        (void)fputs(text, file);
        return;
    }
    (void)fputc('"', file);
    for (; *text; text++) {
        if (*text == '"') (void)fputc('"', file);
        (void)fputc((unsigned char)*text, file);
    }
    (void)fputc('"', file);
}

void tool_row_text(tool_row *row, const char *name, const char *value) {
    if (!begin_value(row, name)) return;
    if (!value)
        write_nothing(row);
    else if (row->form == TOOL_ROW_JSON)
        tool_json_string(row->file, value);
    else
        write_csv_text(row->file, value);
}

void tool_row_true_or_false(tool_row *row, const char *name, bool value) {
    if (begin_value(row, name)) (void)fputs(value ? "true" : "false", row->file);
}

void tool_row_integer_if(tool_row *row, const char *name, bool there, uint64_t value) {
    if (!begin_value(row, name)) return;
    if (there)
        (void)fprintf(row->file, "%" PRIu64, value);
    else
        write_nothing(row);
}

void tool_row_integer(tool_row *row, const char *name, uint64_t value) {
    tool_row_integer_if(row, name, true, value);
}

void tool_row_number(tool_row *row, const char *name, double value) {
    if (!begin_value(row, name)) return;
    if (isfinite(value))
        tool_json_number(row->file, value);
    else
        write_nothing(row);
}

void tool_row_exact(tool_row *row, const char *name, double value) {
    if (!begin_value(row, name)) return;
    if (!isfinite(value)) {
        write_nothing(row);
        return;
    }
    char text[40];
    for (int digits = 6; digits <= 17; digits++) {
        (void)snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    (void)fprintf(row->file, "%s%s", text, strpbrk(text, ".e") ? "" : ".0");
}

void tool_row_cell(tool_row *row, const char *name, int32_t x, int32_t y) {
    if (row->form == TOOL_ROW_JSON) {
        (void)begin_value(row, name);
        (void)fprintf(row->file, "[%d,%d]", (int)x, (int)y);
        return;
    }
    const struct {
        const char *suffix;
        int32_t value;
    } parts[] = {{"_x", x}, {"_y", y}};
    for (int i = 0; i < 2; i++) {
        const bool values = begin_value(row, name);
        if (values)
            (void)fprintf(row->file, "%d", (int)parts[i].value);
        else
            (void)fputs(parts[i].suffix, row->file);
    }
}

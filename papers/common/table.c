#include "common/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 32 };

/* Text --------------------------------------------------------------------------------------------------- */

tool_paper_lines tool_paper_read_lines(const char *name) {
    const tool_embedded *text = tool_paper_texts;
    while (strcmp(text->name, name) != 0) text++;
    return (tool_paper_lines){.at = (const char *)text->bytes};
}

static char *trimmed(char *text) {
    size_t length = strlen(text);
    while (length && text[length - 1] == ' ') text[--length] = 0;
    return text + strspn(text, " ");
}

bool tool_paper_next_line(tool_paper_lines *lines) {
    do {
        if (!*lines->at) return false;
        int length = (int)strcspn(lines->at, "\n");
        (void)snprintf(lines->line, sizeof lines->line, "%.*s", length, lines->at);
        lines->at += length + (lines->at[length] != 0);
    } while (!*lines->line || *lines->line == '#');
    lines->count = 0;
    for (char *at = lines->line; at && lines->count < TOOL_PAPER_MOST_FIELDS;) {
        char *bar = strchr(at, '|');
        if (bar) *bar++ = 0;
        lines->fields[lines->count++] = trimmed(at);
        at = bar;
    }
    return true;
}

/* A block of lines begins with the names of its columns, "row" the first. */
double tool_paper_printed(const char *paper, const char *row, const char *column) {
    tool_paper_lines lines = tool_paper_read_lines(paper);
    size_t at = 0;
    while (tool_paper_next_line(&lines)) {
        if (strcmp(lines.fields[0], "row") == 0) {
            for (at = lines.count; at-- > 1;)
                if (strcmp(lines.fields[at], column) == 0) break;
        } else if (at && at < lines.count && *lines.fields[at] && strcmp(lines.fields[0], row) == 0) {
            return strtod(lines.fields[at], NULL);
        }
    }
    return NAN;
}

/* Tables ------------------------------------------------------------------------------------------------- */

tool_paper_table tool_paper_begin_table(tool_report *report, const char *paper, const char *name,
                                        const char *title, const tool_paper_column *columns, size_t count) {
    tool_report_column heads[MOST_COLUMNS];
    for (size_t i = 0; i < count; i++)
        heads[i] = (tool_report_column){columns[i].key, columns[i].head, columns[i].kind == TOOL_PAPER_TEXT,
                                        columns[i].printed != NULL};
    return (tool_paper_table){.paper = paper,
                              .columns = columns,
                              .count = count,
                              .shown = tool_report_add_table(report, name, title, heads, count)};
}

static tool_report_cell cell_of(const tool_paper_table *table, const tool_paper_column *column,
                                const void *row) {
    const void *field = (const char *)row + column->offset;
    const int decimals = column->decimals + table->more_decimals;
    switch (column->kind) {
    case TOOL_PAPER_TEXT:
        return tool_report_text_cell(*(const char *const *)field);
    case TOOL_PAPER_CELL:
        return *(const tool_report_cell *)field;
    case TOOL_PAPER_MEAN: {
        const tool_report_mean *mean = field;
        return (tool_report_cell){.number = mean->mean, .margin = mean->margin, .decimals = decimals};
    }
    case TOOL_PAPER_FIGURE: {
        double value = tool_paper_printed(table->paper, *(const char *const *)row, column->printed);
        return tool_report_number_cell(value / column->per, decimals);
    }
    case TOOL_PAPER_NUMBER:
        break;
    }
    return tool_report_number_cell(*(const double *)field / column->per, decimals);
}

void tool_paper_add_row(const tool_paper_table *table, const void *row, bool apart) {
    tool_report_cell cells[MOST_COLUMNS];
    for (size_t i = 0; i < table->count; i++) cells[i] = cell_of(table, &table->columns[i], row);
    tool_report_add_row(table->shown, cells, apart);
}

/* Plots -------------------------------------------------------------------------------------------------- */

static int by_x(const void *a, const void *b) {
    double left = ((const struct tool_paper_point *)a)->x, right = ((const struct tool_paper_point *)b)->x;
    return (left > right) - (left < right);
}

void tool_paper_add_point(tool_paper_points *points, double x, double y, int line) {
    if (points->most_y > 0 && y > points->most_y) return;
    if (points->count < TOOL_PAPER_MOST_POINTS && x > 0 && y > 0 && isfinite(x) && isfinite(y))
        points->points[points->count++] = (struct tool_paper_point){x, y, line};
}

void tool_paper_plot(tool_report *report, const char *title, const char *x_label, const char *y_label,
                     tool_paper_points *points, const tool_paper_line *lines, size_t count) {
    if (!points->count) return;
    qsort(points->points, points->count, sizeof *points->points, by_x);
    double x[TOOL_PAPER_MOST_POINTS] = {0}, y[TOOL_PAPER_MOST_POINTS];
    double least = INFINITY, most = 0;
    size_t used = 0, place[TOOL_PAPER_MOST_POINTS];
    for (size_t i = 0; i < points->count; i++) {
        const struct tool_paper_point *point = &points->points[i];
        if (!used || x[used - 1] < point->x) x[used++] = point->x;
        place[i] = used - 1;
        least = fmin(least, point->y), most = fmax(most, point->y);
    }
    tool_report_plot *plot = tool_report_add_plot(report, title, x_label, y_label, x, used);
    /* An axis of logarithms over less than a power of ten would have no numbers. */
    tool_report_scatter(plot, !points->linear_x && x[used - 1] >= 10 * x[0],
                        !points->linear_y && most >= 10 * least);
    for (size_t line = 0; line < count; line++) {
        bool any = false;
        for (size_t i = 0; i < used; i++) y[i] = NAN;
        for (size_t i = 0; i < points->count; i++)
            if (points->points[i].line == (int)line) y[place[i]] = points->points[i].y, any = true;
        if (any) tool_report_add_line(plot, lines[line].label, y, lines[line].colour, lines[line].dashed);
    }
}

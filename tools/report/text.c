/* A report as text for a terminal, and as JSON. */
#include "formats/json_out.h"
#include "report/parts.h"

#include <math.h>
#include <string.h>
#include <wend/base.h>

const char *tool_report_verdict_text(tool_report_verdict verdict) {
    static const char *const texts[TOOL_REPORT_VERDICTS] = {"PASS", "FAIL", "not decided", "not comparable"};
    return texts[verdict];
}

const char *tool_report_verdict_key(tool_report_verdict verdict) {
    static const char *const keys[TOOL_REPORT_VERDICTS] = {"pass", "fail", "not-decided", "not-comparable"};
    return keys[verdict];
}

report_shown tool_report_show(const report_cell *cell) {
    report_shown shown = {""};
    if (cell->text)
        (void)snprintf(shown.text, sizeof shown.text, "%s", cell->text);
    else if (isfinite(cell->number) && isfinite(cell->margin))
        (void)snprintf(shown.text, sizeof shown.text, "%.*f ±%.*f", cell->decimals, cell->number,
                       cell->decimals, cell->margin);
    else if (isfinite(cell->number))
        (void)snprintf(shown.text, sizeof shown.text, "%.*f", cell->decimals, cell->number);
    return shown;
}

report_shown tool_report_show_check(const tool_report_check *check) {
    report_shown shown;
    char interval[64] = "", asked[96], tolerance[48] = "";
    if (check->low < check->high && isinf(check->low))
        (void)snprintf(interval, sizeof interval, " (too few problems for an interval)");
    else if (check->low < check->high)
        (void)snprintf(interval, sizeof interval, " (%.4g to %.4g)", check->low, check->high);
    if (check->tolerance > 0)
        (void)snprintf(tolerance, sizeof tolerance, ", give or take %.3g", check->tolerance);
    if (isinf(check->min))
        (void)snprintf(asked, sizeof asked, "at most %.6g", check->max);
    else if (isinf(check->max))
        (void)snprintf(asked, sizeof asked, "%s %.6g", check->strict ? "above" : "at least", check->min);
    else
        (void)snprintf(asked, sizeof asked, "%.6g", check->min);
    (void)snprintf(shown.text, sizeof shown.text, "%.4g%s; asked: %s%s", check->value, interval, asked,
                   tolerance);
    return shown;
}

/* Text -------------------------------------------------------------------------------------------------- */

enum { MOST_COLUMNS = 32, LINE_WIDTH = 100 };

/* Characters, not bytes: continuation bytes of UTF-8 do not count. */
static size_t width_of(const char *text) {
    size_t width = 0;
    for (; *text; text++) width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

static void pad(FILE *file, size_t count) {
    while (count-- > 0) (void)fputc(' ', file);
}

static void write_cell(FILE *file, const char *text, size_t width, bool left, bool last) {
    size_t used = width_of(text), blanks = used < width ? width - used : 0;
    if (!left) pad(file, blanks);
    (void)fputs(text, file);
    if (left && !last) pad(file, blanks);
    (void)fputs(last ? "\n" : "  ", file);
}

static void write_table(FILE *file, const tool_report_table *table) {
    size_t widths[MOST_COLUMNS] = {0};
    size_t columns = table->column_count < MOST_COLUMNS ? table->column_count : MOST_COLUMNS;
    for (size_t i = 0; i < columns; i++) {
        widths[i] = width_of(table->columns[i].head);
        for (size_t row = 0; row < table->row_count; row++) {
            report_shown shown = tool_report_show(&table->cells[row * table->column_count + i]);
            if (width_of(shown.text) > widths[i]) widths[i] = width_of(shown.text);
        }
    }
    (void)fprintf(file, "\n%s\n", table->title);
    for (size_t i = 0; i < columns; i++)
        write_cell(file, table->columns[i].head, widths[i], table->columns[i].left, i + 1 == columns);
    for (size_t row = 0; row < table->row_count; row++) {
        if (row && table->apart[row]) (void)fputc('\n', file);
        for (size_t i = 0; i < columns; i++) {
            report_shown shown = tool_report_show(&table->cells[row * table->column_count + i]);
            write_cell(file, shown.text, widths[i], table->columns[i].left, i + 1 == columns);
        }
    }
}

/* A paragraph broken into lines between words. */
static void write_wrapped(FILE *file, const char *text) {
    size_t column = 0;
    while (*text) {
        size_t length = strcspn(text, " ");
        char word[256];
        (void)snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1),
                       text);
        size_t width = width_of(word);
        if (column && column + 1 + width > LINE_WIDTH) {
            (void)fputc('\n', file);
            column = 0;
        }
        (void)fprintf(file, "%s%s", column ? " " : "", word);
        column += width + (column ? 1 : 0);
        text += length;
        while (*text == ' ') text++;
    }
    (void)fputc('\n', file);
}

void tool_report_write_text(FILE *file, const tool_report *report) {
    (void)fprintf(file, "%s\n", report->title);
    for (size_t i = 0; i < report->note_count; i++) write_wrapped(file, report->notes[i]);
    for (size_t i = 0; i < report->table_count; i++) write_table(file, report->tables[i]);
    if (report->check_count) (void)fputc('\n', file);
    for (size_t i = 0; i < report->check_count; i++)
        (void)fprintf(file, "%s  %s [%s]\n", tool_report_verdict_text(report->checks[i].of.verdict),
                      report->checks[i].words, tool_report_show_check(&report->checks[i].of).text);
}

/* JSON -------------------------------------------------------------------------------------------------- */

static void write_key(FILE *file, const char *key, bool first) {
    if (!first) (void)fputs(",", file);
    tool_json_string(file, key);
    (void)fputs(":", file);
}

static void write_settings(FILE *file, const tool_report *report) {
    (void)fputs(" \"settings\":{", file);
    for (size_t i = 0; i < report->setting_count; i++) {
        const report_setting *setting = &report->settings[i];
        write_key(file, setting->key, i == 0);
        if (setting->text)
            tool_json_string(file, setting->text);
        else if (setting->flag)
            (void)fputs(setting->number != 0 ? "true" : "false", file);
        else
            tool_json_number(file, setting->number);
    }
    (void)fputs("},\n", file);
}

static void write_row(FILE *file, const tool_report_table *table, size_t row) {
    (void)fputs("   {", file);
    for (size_t i = 0; i < table->column_count; i++) {
        const report_cell *cell = &table->cells[row * table->column_count + i];
        write_key(file, table->columns[i].key, i == 0);
        if (cell->text && !cell->valued)
            tool_json_string(file, cell->text);
        else
            tool_json_number(file, cell->number);
        if (!isfinite(cell->margin)) continue;
        char key[128];
        (void)snprintf(key, sizeof key, "%s_margin", table->columns[i].key);
        write_key(file, key, false);
        tool_json_number(file, cell->margin);
    }
    (void)fputs(row + 1 < table->row_count ? "},\n" : "}", file);
}

/* Bounds and intervals that have no end are null. */
static void write_check(FILE *file, const report_check *check) {
    const struct {
        const char *key;
        double number;
    } numbers[] = {{"value", check->of.value}, {"low", check->of.low}, {"high", check->of.high},
                   {"min", check->of.min},     {"max", check->of.max}, {"tolerance", check->of.tolerance}};
    (void)fprintf(file, "  {\"result\":\"%s\",\"words\":", tool_report_verdict_key(check->of.verdict));
    tool_json_string(file, check->words);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        write_key(file, numbers[i].key, false);
        tool_json_number(file, numbers[i].number);
    }
    (void)fprintf(file, ",\"strict\":%s}", check->of.strict ? "true" : "false");
}

void tool_report_write_json(FILE *file, const tool_report *report) {
    (void)fputs("{\"report\":", file);
    tool_json_string(file, report->name);
    write_key(file, "title", false);
    tool_json_string(file, report->title);
    write_key(file, "wend", false);
    tool_json_string(file, wend_version());
    (void)fputs(",\n", file);
    write_settings(file, report);
    (void)fputs(" \"notes\":[", file);
    for (size_t i = 0; i < report->note_count; i++) {
        (void)fputs(i ? ",\n  " : "\n  ", file);
        tool_json_string(file, report->notes[i]);
    }
    (void)fputs("],\n \"checks\":[", file);
    for (size_t i = 0; i < report->check_count; i++) {
        (void)fputs(i ? ",\n" : "\n", file);
        write_check(file, &report->checks[i]);
    }
    (void)fputs("],\n \"tables\":[", file);
    for (size_t i = 0; i < report->table_count; i++) {
        const tool_report_table *table = report->tables[i];
        (void)fputs(i ? ",\n  {\"name\":" : "\n  {\"name\":", file);
        tool_json_string(file, table->name);
        write_key(file, "title", false);
        tool_json_string(file, table->title);
        (void)fputs(",\"rows\":[\n", file);
        for (size_t row = 0; row < table->row_count; row++) write_row(file, table, row);
        (void)fputs("]}", file);
    }
    (void)fputs("],\n \"pictures\":[", file);
    size_t written = 0;
    for (size_t i = 0; i < report->gallery_count; i++)
        for (size_t j = 0; j < report->galleries[i]->count; j++) {
            const report_picture *picture = &report->galleries[i]->pictures[j];
            (void)fputs(written++ ? ",\n  {\"file\":" : "\n  {\"file\":", file);
            tool_json_string(file, picture->file);
            write_key(file, "title", false);
            tool_json_string(file, report->galleries[i]->title);
            write_key(file, "caption", false);
            tool_json_string(file, picture->caption);
            (void)fputs("}", file);
        }
    (void)fputs("]}\n", file);
}

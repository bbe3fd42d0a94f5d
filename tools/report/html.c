/* A report as one page: style, script and figures inside, nothing loaded from anywhere. Without scripts the
 * tables and checks are all there; only the plots are missing. */
#include "formats/json_out.h"
#include "report/embedded.h"
#include "report/parts.h"

#include <math.h>
#include <string.h>
#include <wend/base.h>

/* A letter of UTF-8, or U+FFFD for a byte that is of none: names of files may hold anything. The next one. */
static const char *write_letter(FILE *file, const char *text) {
    int bytes = tool_utf8_bytes((const unsigned char *)text);
    if (bytes)
        (void)fwrite(text, 1, (size_t)bytes, file);
    else
        (void)fputs("\xef\xbf\xbd", file);
    return text + (bytes ? bytes : 1);
}

static void write_escaped(FILE *file, const char *text) {
    static const struct {
        char letter;
        const char *name;
    } named[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}};
    while (*text) {
        size_t i = 0;
        while (i < sizeof named / sizeof *named && named[i].letter != *text) i++;
        if (i == sizeof named / sizeof *named) {
            text = write_letter(file, text);
        } else {
            (void)fputs(named[i].name, file);
            text++;
        }
    }
}

static void write_element(FILE *file, const char *name, const char *text) {
    (void)fprintf(file, "<%s>", name);
    write_escaped(file, text);
    (void)fprintf(file, "</%s>\n", name);
}

/* A string inside a script: JSON, with no '<' that could end the script. */
static void write_script_string(FILE *file, const char *text) {
    (void)fputc('"', file);
    while (*text) {
        unsigned char letter = (unsigned char)*text;
        if (letter >= 0x20 && !strchr("\"\\<>&", letter)) {
            text = write_letter(file, text);
        } else {
            (void)fprintf(file, "\\u%04x", (unsigned)letter);
            text++;
        }
    }
    (void)fputc('"', file);
}

static void write_numbers(FILE *file, const double *numbers, size_t count) {
    (void)fputc('[', file);
    for (size_t i = 0; i < count; i++) {
        if (i) (void)fputc(',', file);
        tool_json_number(file, numbers[i]);
    }
    (void)fputc(']', file);
}

static void write_look(FILE *file, const tool_report_look *look) {
    static const char *const units[TOOL_REPORT_UNITS] = {"", "%", "ns", "s", "bytes"};
    (void)fputs(",\"scatter\":true", file);
    const struct {
        const char *name;
        bool set;
    } flags[] = {{"log_x", look->log_x},
                 {"log_y", look->log_y},
                 {"names", look->names},
                 {"bars", look->bars},
                 {"small", look->group != NULL}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        (void)fprintf(file, ",\"%s\":%s", flags[i].name, flags[i].set ? "true" : "false");
    const struct {
        const char *name;
        double value;
    } numbers[] = {
        {"zero_x", look->zero_x}, {"zero_y", look->zero_y}, {"low_x", look->low_x}, {"high_x", look->high_x}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        (void)fprintf(file, ",\"%s\":", numbers[i].name);
        tool_json_number(file, numbers[i].value);
    }
    (void)fprintf(file, ",\"x_unit\":\"%s\",\"y_unit\":\"%s\"", units[look->x_unit], units[look->y_unit]);
}

static void write_plot_data(FILE *file, const tool_report *report) {
    (void)fputs("<script type=\"application/json\" id=\"plots\">[", file);
    for (size_t i = 0; i < report->plot_count; i++) {
        const tool_report_plot *plot = report->plots[i];
        (void)fputs(i ? ",\n{\"x_label\":" : "\n{\"x_label\":", file);
        write_script_string(file, plot->x_label);
        (void)fputs(",\"y_label\":", file);
        write_script_string(file, plot->y_label);
        if (plot->scatter) write_look(file, &plot->look);
        (void)fputs(",\"x\":", file);
        write_numbers(file, plot->x, plot->count);
        (void)fputs(",\"lines\":[", file);
        for (size_t j = 0; j < plot->line_count; j++) {
            const report_line *line = &plot->lines[j];
            (void)fputs(j ? ",\n {\"label\":" : "\n {\"label\":", file);
            write_script_string(file, line->label);
            if (line->kind) {
                (void)fputs(",\"kind\":", file);
                write_script_string(file, line->kind);
            }
            (void)fprintf(file, ",\"colour\":%d,\"dashed\":%s,\"front\":%s,\"y\":", line->colour,
                          line->dashed ? "true" : "false", line->front ? "true" : "false");
            write_numbers(file, line->y, plot->count);
            (void)fputc('}', file);
        }
        (void)fputs("]}", file);
    }
    (void)fputs("]</script>\n", file);
}

enum { LONG_TEXT = 40 }; /* bytes: more are broken into lines */

static void write_class(FILE *file, const char *element, const report_column *column, const char *text,
                        const char *tone) {
    (void)fprintf(file, "<%s class=\"%s%s%s%s%s\"", element, column->left ? "left" : "",
                  column->faint ? " faint" : "", text && strlen(text) > LONG_TEXT ? " words" : "",
                  tone ? " " : "", tone ? tone : "");
}

/* A name that is broken behind marks between its parts rather than inside a part. */
static void write_name(FILE *file, const char *name) {
    while (*name) {
        size_t size = strcspn(name, " :,=/");
        char part[256];
        if (name[size]) size++;
        if (size >= sizeof part) size = sizeof part - 1;
        (void)snprintf(part, sizeof part, "%.*s", (int)size, name);
        (void)fputs("<span>", file);
        write_escaped(file, part);
        (void)fputs("</span>", file);
        name += size;
    }
}

static void write_cell(FILE *file, const report_column *column, const report_cell *cell, bool name) {
    write_class(file, "td", column, cell->text, cell->tone);
    if (isfinite(cell->number)) (void)fprintf(file, " data-number=\"%.9g\"", cell->number);
    (void)fputs(">", file);
    if (cell->link) {
        (void)fputs("<a href=\"", file);
        write_escaped(file, cell->link);
        (void)fputs("\">", file);
    }
    report_cell plain = *cell;
    plain.margin = NAN; /* smaller, and on a phone below */
    if (plain.text && name)
        write_name(file, plain.text);
    else if (plain.text)
        write_escaped(file, plain.text);
    else
        write_escaped(file, tool_report_show(&plain).text);
    if (cell->link) (void)fputs("</a>", file);
    if (!cell->text && isfinite(cell->number) && isfinite(cell->margin))
        (void)fprintf(file, " <small>±%.*f</small>", cell->decimals, cell->margin);
    (void)fputs("</td>", file);
}

/* The title of a section, and what is said about it. */
static void write_head(FILE *file, const char *title, const char *remark) {
    write_element(file, "h2", title);
    if (remark) write_element(file, "p", remark);
}

/* A box that can be moved sideways must be within reach of the keyboard, and have a name. */
static void write_table(FILE *file, const tool_report_table *table, const char *remark) {
    write_head(file, table->title, remark);
    (void)fputs("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"", file);
    write_escaped(file, table->title);
    (void)fprintf(file, "\"><table class=\"figures%s\" id=\"table-", table->lead ? " lead" : "");
    write_escaped(file, table->name);
    (void)fputs("\"><thead><tr>", file);
    for (size_t i = 0; i < table->column_count; i++) {
        write_class(file, "th", &table->columns[i], NULL, NULL);
        (void)fputs(">", file);
        write_escaped(file, table->columns[i].head);
        (void)fputs("</th>", file);
    }
    (void)fputs("</tr></thead><tbody>\n", file);
    for (size_t row = 0; row < table->row_count; row++) {
        (void)fputs(table->apart[row] ? "<tr class=\"apart\">" : "<tr>", file);
        for (size_t i = 0; i < table->column_count; i++)
            write_cell(file, &table->columns[i], &table->cells[row * table->column_count + i],
                       !i && table->lead);
        (void)fputs("</tr>\n", file);
    }
    (void)fputs("</tbody></table></div>\n", file);
}

static bool in_group(const tool_report_plot *plot, const tool_report_plot *other) {
    return plot->group && other->group && strcmp(plot->group, other->group) == 0;
}

static void write_plot(FILE *file, const tool_report_plot *plot, size_t index) {
    (void)fprintf(file, "<div class=\"plot\" id=\"plot%zu\" role=\"img\" aria-label=\"", index);
    write_escaped(file, plot->title);
    (void)fputs("\"></div>", file);
}

/* The place of a plot; those of a group, which stand one after another, side by side. */
static void write_plot_place(FILE *file, const tool_report *report, size_t i, const char *remark) {
    tool_report_plot *const *plot = &report->plots[i];
    bool first = !i || !in_group(plot[0], plot[-1]);
    bool last = i + 1 == report->plot_count || !in_group(plot[0], plot[1]);
    if (!plot[0]->group) {
        write_head(file, plot[0]->title, remark);
        write_plot(file, plot[0], i);
        (void)fputc('\n', file);
        return;
    }
    if (first) {
        write_head(file, plot[0]->group, remark);
        (void)fputs("<div class=\"plots\">\n", file);
    }
    (void)fputs("<div>", file);
    write_element(file, "h3", plot[0]->title);
    write_plot(file, plot[0], i);
    (void)fputs(last ? "</div>\n</div>\n" : "</div>\n", file);
}

static void write_checks(FILE *file, const tool_report *report) {
    if (!report->check_count) return;
    (void)fputs("<h2>Checks</h2>\n<ul class=\"checks\">\n", file);
    for (size_t i = 0; i < report->check_count; i++) {
        const report_check *check = &report->checks[i];
        (void)fprintf(file, "<li class=\"%s\"><b>%s</b>", tool_report_verdict_key(check->of.verdict),
                      tool_report_verdict_text(check->of.verdict));
        write_escaped(file, check->words);
        (void)fputs(" <small>", file);
        write_escaped(file, tool_report_show_check(&check->of).text);
        (void)fputs("</small>", file);
        (void)fputs("</li>\n", file);
    }
    (void)fputs("</ul>\n", file);
}

static void write_gallery(FILE *file, const tool_report_gallery *gallery, const char *remark) {
    write_head(file, gallery->title, remark);
    (void)fputs("<div class=\"trails\">\n", file);
    for (size_t i = 0; i < gallery->count; i++) {
        const report_picture *picture = &gallery->pictures[i];
        (void)fputs("<figure><img alt=\"", file);
        write_escaped(file, picture->caption);
        (void)fputs(picture->png ? "\" src=\"data:image/png;base64," : "\" src=\"", file);
        if (picture->png)
            tool_report_write_base64(file, picture->png, picture->size);
        else
            write_escaped(file, picture->file);
        (void)fputs("\">", file);
        write_element(file, "figcaption", picture->caption);
        (void)fputs("</figure>\n", file);
    }
    (void)fputs("</div>\n", file);
}

static void write_settings(FILE *file, const tool_report *report) {
    (void)fputs("<h2>Settings</h2>\n<dl class=\"settings\">\n", file);
    for (size_t i = 0; i < report->setting_count; i++) {
        const report_setting *setting = &report->settings[i];
        (void)fputs("<dt>", file);
        for (const char *p = setting->key; *p; p++) {
            char letter[2] = {(char)(*p == '_' ? ' ' : *p), 0};
            write_escaped(file, letter);
        }
        (void)fputs("</dt><dd>", file);
        if (setting->text)
            write_escaped(file, setting->text);
        else if (setting->flag)
            (void)fputs(setting->number != 0 ? "yes" : "no", file);
        else
            (void)fprintf(file, "%.15g", setting->number);
        (void)fputs("</dd>\n", file);
    }
    (void)fputs("</dl>\n", file);
}

static void write_files(FILE *file, const tool_report *report) {
    if (!report->file_count) return;
    (void)fputs("<h2>Files</h2>\n<ul class=\"files\">\n", file);
    for (size_t i = 0; i < report->file_count; i++) {
        (void)fputs("<li><a href=\"", file);
        write_escaped(file, report->files[i].link);
        (void)fputs("\">", file);
        write_escaped(file, report->files[i].words);
        (void)fputs("</a></li>\n", file);
    }
    (void)fputs("</ul>\n", file);
}

static void write_section(FILE *file, const tool_report *report, const report_section *section) {
    switch (section->kind) {
    case REPORT_TABLE:
        write_table(file, report->tables[section->index], section->remark);
        break;
    case REPORT_PLOT:
        write_plot_place(file, report, section->index, section->remark);
        break;
    case REPORT_GALLERY:
        write_gallery(file, report->galleries[section->index], section->remark);
        break;
    }
}

/* The script without the comment of its first line, which names an address. */
static void write_uplot(FILE *file) {
    const unsigned char *script = tool_uplot_script;
    size_t size = tool_uplot_script_size;
    const unsigned char *end = size > 3 && memcmp(script, "/*!", 3) == 0 ? memchr(script, '\n', size) : NULL;
    if (end) size -= (size_t)(end + 1 - script), script = end + 1;
    (void)fputs("<!-- The plots are drawn by uPlot, which comes under this licence:\n", file);
    (void)fwrite(tool_uplot_licence, 1, tool_uplot_licence_size, file);
    (void)fputs("\n-->\n<script>\n", file);
    (void)fwrite(script, 1, size, file);
    (void)fputs("\n</script>\n", file);
}

void tool_report_write_html(FILE *file, const tool_report *report) {
    (void)fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<meta name=\"color-scheme\" content=\"light dark\">\n",
                file);
    write_element(file, "title", report->title);
    (void)fputs("<style>\n", file);
    if (report->plot_count) (void)fwrite(tool_uplot_style, 1, tool_uplot_style_size, file);
    (void)fputs("\n", file);
    (void)fwrite(tool_page_style, 1, tool_page_style_size, file);
    (void)fputs("</style>\n</head>\n<body>\n<main>\n", file);
    write_element(file, "h1", report->title);
    if (report->answer) {
        (void)fputs("<p class=\"answer\">", file);
        write_escaped(file, report->answer);
        (void)fputs("</p>\n", file);
    }
    for (size_t i = 0; i < report->note_count; i++) write_element(file, "p", report->notes[i]);
    write_checks(file, report);
    for (size_t i = 0; i < report->section_count; i++) write_section(file, report, &report->sections[i]);
    write_files(file, report);
    write_settings(file, report);
    (void)fprintf(file, "<footer>Written by wend %s.</footer>\n</main>\n", wend_version());
    if (report->plot_count) {
        write_plot_data(file, report);
        write_uplot(file);
    }
    (void)fputs("<script>\n", file);
    (void)fwrite(tool_page_script, 1, tool_page_script_size, file);
    (void)fputs("</script>\n</body>\n</html>\n", file);
}

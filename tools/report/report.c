/* Putting a report together. */
#include "report/parts.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void *tool_report_grown(tool_report *report, void *list, size_t count, size_t size) {
    if (count && (count & (count - 1))) return list;
    void *larger = realloc(list, (count ? 2 * count : 1) * size);
    if (!larger) report->failed = true;
    return larger;
}

char *tool_report_copied(tool_report *report, const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy)
        memcpy(copy, text, size);
    else
        report->failed = true;
    return copy;
}

static char *formatted(tool_report *report, const char *format, va_list arguments) {
    char text[2048];
    if (vsnprintf(text, sizeof text, format, arguments) < 0) text[0] = 0;
    return tool_report_copied(report, text);
}

tool_report *tool_report_create(const char *name, const char *title) {
    tool_report *report = calloc(1, sizeof *report);
    if (!report) return NULL;
    report->name = tool_report_copied(report, name);
    report->title = tool_report_copied(report, title);
    return report;
}

static void destroy_table(tool_report_table *table) {
    for (size_t i = 0; i < table->column_count; i++) {
        free(table->columns[i].key);
        free(table->columns[i].head);
    }
    for (size_t i = 0; i < table->row_count * table->column_count; i++) {
        free(table->cells[i].text);
        free(table->cells[i].link);
    }
    free(table->columns);
    free(table->cells);
    free(table->apart);
    free(table->name);
    free(table->title);
    free(table);
}

static void destroy_plot(tool_report_plot *plot) {
    for (size_t i = 0; i < plot->line_count; i++) {
        free(plot->lines[i].label);
        free(plot->lines[i].kind);
        free(plot->lines[i].y);
    }
    free(plot->lines);
    free(plot->x);
    free(plot->title);
    free(plot->x_label);
    free(plot->y_label);
    free(plot->group);
    free(plot);
}

void tool_report_destroy(tool_report *report) {
    if (!report) return;
    for (size_t i = 0; i < report->note_count; i++) free(report->notes[i]);
    for (size_t i = 0; i < report->setting_count; i++) {
        free(report->settings[i].key);
        free(report->settings[i].text);
    }
    for (size_t i = 0; i < report->table_count; i++) destroy_table(report->tables[i]);
    for (size_t i = 0; i < report->check_count; i++) free(report->checks[i].words);
    for (size_t i = 0; i < report->plot_count; i++) destroy_plot(report->plots[i]);
    for (size_t i = 0; i < report->gallery_count; i++) tool_report_destroy_gallery(report->galleries[i]);
    for (size_t i = 0; i < report->section_count; i++) free(report->sections[i].remark);
    for (size_t i = 0; i < report->file_count; i++) {
        free(report->files[i].link);
        free(report->files[i].words);
    }
    free(report->sections);
    free(report->files);
    free(report->answer);
    free(report->galleries);
    free(report->notes);
    free(report->settings);
    free(report->tables);
    free(report->checks);
    free(report->plots);
    free(report->name);
    free(report->title);
    free(report);
}

bool tool_report_complete(const tool_report *report) {
    return !report->failed;
}

void tool_report_answer(tool_report *report, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    free(report->answer);
    report->answer = formatted(report, format, arguments);
    va_end(arguments);
}

void tool_report_remark(tool_report *report, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *words = formatted(report, format, arguments);
    va_end(arguments);
    report_section *last = report->section_count ? &report->sections[report->section_count - 1] : NULL;
    if (last) free(last->remark), last->remark = words;
    if (!last) free(words);
}

void tool_report_add_section(tool_report *report, report_kind kind, size_t index) {
    report_section *sections =
        tool_report_grown(report, report->sections, report->section_count, sizeof *sections);
    if (!sections) return;
    report->sections = sections;
    sections[report->section_count++] = (report_section){.kind = kind, .index = index};
}

void tool_report_add_file(tool_report *report, const char *link, const char *words) {
    report_file *files = tool_report_grown(report, report->files, report->file_count, sizeof *files);
    if (!files) return;
    report->files = files;
    report_file file = {tool_report_copied(report, link), tool_report_copied(report, words)};
    if (file.link && file.words) {
        files[report->file_count++] = file;
        return;
    }
    free(file.link);
    free(file.words);
}

void tool_report_note(tool_report *report, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *text = formatted(report, format, arguments);
    va_end(arguments);
    char **notes = text ? tool_report_grown(report, report->notes, report->note_count, sizeof *notes) : NULL;
    if (!notes) {
        free(text);
        return;
    }
    report->notes = notes;
    notes[report->note_count++] = text;
}

static void set(tool_report *report, const char *key, report_setting setting) {
    report_setting *settings =
        tool_report_grown(report, report->settings, report->setting_count, sizeof *settings);
    if (settings) report->settings = settings;
    setting.key = tool_report_copied(report, key);
    if (!settings || !setting.key) {
        free(setting.key);
        free(setting.text);
        return;
    }
    settings[report->setting_count++] = setting;
}

void tool_report_set_number(tool_report *report, const char *key, double value) {
    set(report, key, (report_setting){.number = value});
}

void tool_report_set_text(tool_report *report, const char *key, const char *value) {
    char *text = tool_report_copied(report, value);
    if (text) set(report, key, (report_setting){.text = text});
}

void tool_report_set_seed(tool_report *report, uint64_t seed) {
    char text[24];
    (void)snprintf(text, sizeof text, "%llu", (unsigned long long)seed);
    tool_report_set_text(report, "seed", text);
}

void tool_report_set_flag(tool_report *report, const char *key, bool value) {
    set(report, key, (report_setting){.number = value, .flag = true});
}

tool_report_table *tool_report_add_table(tool_report *report, const char *name, const char *title,
                                         const tool_report_column *columns, size_t count) {
    tool_report_table **tables =
        tool_report_grown(report, report->tables, report->table_count, sizeof(void *));
    if (!tables) return NULL;
    report->tables = tables;
    tool_report_table *table = calloc(1, sizeof *table);
    report_column *kept = calloc(count ? count : 1, sizeof *kept);
    if (!table || !kept) {
        report->failed = true;
        free(table);
        free(kept);
        return NULL;
    }
    *table = (tool_report_table){.report = report, .columns = kept, .column_count = count};
    table->name = tool_report_copied(report, name);
    table->title = tool_report_copied(report, title);
    for (size_t i = 0; i < count; i++)
        kept[i] = (report_column){.key = tool_report_copied(report, columns[i].key),
                                  .head = tool_report_copied(report, columns[i].head),
                                  .left = columns[i].left,
                                  .faint = columns[i].faint};
    tool_report_add_section(report, REPORT_TABLE, report->table_count);
    tables[report->table_count++] = table;
    return table;
}

void tool_report_add_row(tool_report_table *table, const tool_report_cell *cells, bool apart) {
    if (!table) return;
    tool_report *report = table->report;
    size_t columns = table->column_count;
    report_cell *kept = tool_report_grown(report, table->cells, table->row_count, columns * sizeof *kept);
    if (kept) table->cells = kept;
    bool *groups = kept ? tool_report_grown(report, table->apart, table->row_count, sizeof *groups) : NULL;
    if (!groups) return;
    table->apart = groups;
    groups[table->row_count] = apart;
    for (size_t i = 0; i < columns; i++)
        kept[table->row_count * columns + i] =
            (report_cell){.text = cells[i].text ? tool_report_copied(report, cells[i].text) : NULL,
                          .link = cells[i].link ? tool_report_copied(report, cells[i].link) : NULL,
                          .tone = cells[i].tone,
                          .number = cells[i].text && !cells[i].valued ? NAN : cells[i].number,
                          .valued = cells[i].valued,
                          .margin = cells[i].margin > 0 ? cells[i].margin : NAN,
                          .decimals = cells[i].decimals};
    table->row_count++;
}

void tool_report_lead(tool_report_table *table) {
    if (table) table->lead = true;
}

void tool_report_add_check(tool_report *report, const tool_report_check *check, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *words = formatted(report, format, arguments);
    va_end(arguments);
    report_check *checks =
        words ? tool_report_grown(report, report->checks, report->check_count, sizeof *checks) : NULL;
    if (!checks) {
        free(words);
        return;
    }
    report->checks = checks;
    checks[report->check_count++] = (report_check){*check, words};
}

size_t tool_report_count(const tool_report *report, tool_report_verdict verdict) {
    size_t count = 0;
    for (size_t i = 0; i < report->check_count; i++) count += report->checks[i].of.verdict == verdict;
    return count;
}

static double *copied_numbers(tool_report *report, const double *numbers, size_t count) {
    double *copy = malloc((count ? count : 1) * sizeof *copy);
    if (!copy)
        report->failed = true;
    else if (count)
        memcpy(copy, numbers, count * sizeof *copy);
    return copy;
}

tool_report_plot *tool_report_add_plot(tool_report *report, const char *title, const char *x_label,
                                       const char *y_label, const double *x, size_t count) {
    tool_report_plot **plots = tool_report_grown(report, report->plots, report->plot_count, sizeof(void *));
    if (!plots) return NULL;
    report->plots = plots;
    tool_report_plot *plot = calloc(1, sizeof *plot);
    double *kept = copied_numbers(report, x, count);
    if (!plot || !kept) {
        report->failed = true;
        free(plot);
        free(kept);
        return NULL;
    }
    *plot = (tool_report_plot){.report = report, .x = kept, .count = count};
    plot->title = tool_report_copied(report, title);
    plot->x_label = tool_report_copied(report, x_label);
    plot->y_label = tool_report_copied(report, y_label);
    tool_report_add_section(report, REPORT_PLOT, report->plot_count);
    plots[report->plot_count++] = plot;
    return plot;
}

static void add_line(tool_report_plot *plot, const char *label, const char *kind, const double *y,
                     report_line look) {
    if (!plot) return;
    tool_report *report = plot->report;
    report_line *lines = tool_report_grown(report, plot->lines, plot->line_count, sizeof *lines);
    if (!lines) return;
    plot->lines = lines;
    report_line line = look;
    line.label = tool_report_copied(report, label);
    line.kind = kind ? tool_report_copied(report, kind) : NULL;
    line.y = copied_numbers(report, y, plot->count);
    if (!line.label || !line.y || (kind && !line.kind)) {
        free(line.label);
        free(line.kind);
        free(line.y);
        return;
    }
    lines[plot->line_count++] = line;
}

void tool_report_add_line(tool_report_plot *plot, const char *label, const double *y, int colour,
                          bool dashed) {
    add_line(plot, label, NULL, y, (report_line){.colour = colour, .dashed = dashed});
}

void tool_report_add_point(tool_report_plot *plot, const char *label, size_t at, double y, int colour,
                           const char *kind) {
    if (!plot) return;
    double *all = malloc(plot->count * sizeof *all);
    if (!all) plot->report->failed = true;
    for (size_t i = 0; all && i < plot->count; i++) all[i] = i == at ? y : NAN;
    if (all) add_line(plot, label, kind, all, (report_line){.colour = colour});
    free(all);
}

void tool_report_add_front(tool_report_plot *plot, const char *label, const double *y) {
    add_line(plot, label, NULL, y, (report_line){.dashed = true, .front = true});
}

void tool_report_set_look(tool_report_plot *plot, const tool_report_look *look) {
    if (!plot) return;
    free(plot->group);
    plot->group = look->group ? tool_report_copied(plot->report, look->group) : NULL;
    plot->scatter = true;
    plot->look = *look;
    plot->look.group = plot->group;
}

void tool_report_scatter(tool_report_plot *plot, bool log_x, bool log_y) {
    tool_report_set_look(plot, &(tool_report_look){.log_x = log_x, .log_y = log_y});
}

tool_report_mean tool_report_mean_of(const double *values, size_t count) {
    if (!count) return (tool_report_mean){NAN, NAN};
    double sum = 0, squares = 0, all = (double)count;
    for (size_t i = 0; i < count; i++) sum += values[i];
    double mean = sum / all;
    for (size_t i = 0; i < count; i++) squares += (values[i] - mean) * (values[i] - mean);
    return (tool_report_mean){mean, count > 1 ? 1.96 * sqrt(squares / (all - 1) / all) : 0};
}

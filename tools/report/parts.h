/* The inside of a report, for its writers. */
#ifndef WEND_TOOLS_REPORT_PARTS_H
#define WEND_TOOLS_REPORT_PARTS_H

#include "report/report.h"

typedef struct report_setting {
    char *key, *text; /* text is NULL for numbers and flags */
    double number;
    bool flag; /* the number is 0 or 1 and means no or yes */
} report_setting;

typedef struct report_check {
    tool_report_check of;
    char *words;
} report_check;

typedef struct report_column {
    char *key, *head;
    bool left, faint;
} report_column;

typedef struct report_cell {
    char *text; /* NULL: a number */
    char *link; /* or NULL */
    const char *tone;
    double number, margin;
    int decimals;
    bool valued;
} report_cell;

struct tool_report_table {
    tool_report *report;
    char *name, *title;
    report_column *columns;
    size_t column_count;
    report_cell *cells; /* row after row */
    bool *apart;        /* of each row */
    size_t row_count;
    bool lead; /* see tool_report_lead */
};

typedef struct report_line {
    char *label;
    double *y;
    char *kind; /* of a named point; NULL: a line */
    int colour;
    bool dashed, front;
} report_line;

struct tool_report_plot {
    tool_report *report;
    char *title, *x_label, *y_label;
    double *x;
    size_t count;
    report_line *lines;
    size_t line_count;
    bool scatter; /* see tool_report_scatter */
    tool_report_look look;
    char *group; /* what look.group is a copy of */
};

typedef struct report_picture {
    char *file, *caption;
    unsigned char *png; /* NULL: the file is there already, and `file` leads to it */
    size_t size;
} report_picture;

struct tool_report_gallery {
    tool_report *report;
    char *title;
    report_picture *pictures;
    size_t count;
};

typedef enum report_kind { REPORT_TABLE, REPORT_PLOT, REPORT_GALLERY } report_kind;

/* A part of the page, as they follow one another. */
typedef struct report_section {
    report_kind kind;
    size_t index;
    char *remark; /* or NULL */
} report_section;

typedef struct report_file {
    char *link, *words;
} report_file;

struct tool_report {
    char *name, *title;
    char *answer; /* or NULL */
    bool failed;  /* something could not be kept */
    char **notes;
    size_t note_count;
    report_setting *settings;
    size_t setting_count;
    tool_report_table **tables;
    size_t table_count;
    report_check *checks;
    size_t check_count;
    tool_report_plot **plots;
    size_t plot_count;
    tool_report_gallery **galleries;
    size_t gallery_count;
    report_section *sections;
    size_t section_count;
    report_file *files;
    size_t file_count;
};

/* Room for one more element of a list that has `count`: lists double at powers of two. Returns the list, or
 * NULL with the report marked; then the old one is still there. */
void *tool_report_grown(tool_report *report, void *list, size_t count, size_t size);
char *tool_report_copied(tool_report *report, const char *text); /* NULL with the report marked */
void tool_report_add_section(tool_report *report, report_kind kind, size_t index);

/* pictures.c */
void tool_report_destroy_gallery(tool_report_gallery *gallery);
void tool_report_write_base64(FILE *file, const unsigned char *data, size_t size);

/* A cell as people read it, "568.3 ±14.1"; "" where there is nothing to show. */
typedef struct report_shown {
    char text[1024]; /* what is longer is cut */
} report_shown;
report_shown tool_report_show(const report_cell *cell);
/* The numbers of a check: "4.99 (-3.66 to 13.6); asked: above 0". */
report_shown tool_report_show_check(const tool_report_check *check);

#endif

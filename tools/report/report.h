/* A report: settings, notes, tables, checks and plots, put together once and then written as text, as JSON
 * and as one page of HTML that needs nothing else. */
#ifndef WEND_TOOLS_REPORT_REPORT_H
#define WEND_TOOLS_REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct tool_report tool_report;
typedef struct tool_report_table tool_report_table;
typedef struct tool_report_plot tool_report_plot;

/* NULL if there is no memory. All strings are copied. Where memory runs out later, what is added is lost and
 * tool_report_complete says so: one check at the end is enough. */
tool_report *tool_report_create(const char *name, const char *title);
void tool_report_destroy(tool_report *report); /* NULL is fine */
bool tool_report_complete(const tool_report *report);

/* What the reader came for, in a sentence: the page begins with it, in large letters. */
void tool_report_answer(tool_report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A paragraph about what was done. */
void tool_report_note(tool_report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What the figures depend on, by name: "seed". */
void tool_report_set_number(tool_report *report, const char *key, double value);
void tool_report_set_text(tool_report *report, const char *key, const char *value);
void tool_report_set_seed(tool_report *report,
                          uint64_t seed); /* a text: it may be more than numbers of JSON hold */
void tool_report_set_flag(tool_report *report, const char *key, bool value);

typedef struct tool_report_cell {
    const char *text; /* NULL: a number */
    double number;    /* NAN: nothing to show */
    double margin;    /* half the width of its 95% interval; NAN or 0: none */
    int decimals;
    bool valued;      /* a text that stands for `number`: sorted by it, and in JSON the number */
    const char *link; /* of a text, on the page: a file beside it; NULL: none */
    const char *tone; /* on the page: "pass" or "fail" has its colour; NULL: none. Not copied */
} tool_report_cell;

static inline tool_report_cell tool_report_text_cell(const char *text) {
    return (tool_report_cell){.text = text};
}
static inline tool_report_cell tool_report_number_cell(double number, int decimals) {
    return (tool_report_cell){.number = number, .decimals = decimals};
}

/* "310 ns", which is sorted as 310. */
static inline tool_report_cell tool_report_valued_cell(const char *text, double number) {
    return (tool_report_cell){.text = text, .number = number, .valued = true};
}
static inline tool_report_cell tool_report_link_cell(const char *text, const char *link) {
    return (tool_report_cell){.text = text, .link = link};
}

typedef struct tool_report_column {
    const char *key;  /* in JSON; a margin is KEY_margin */
    const char *head; /* for people */
    bool left;        /* to the left; numbers stand to the right */
    bool faint;       /* stands back on the page: a figure to compare with */
} tool_report_column;

/* NULL (without harm to the calls below) if memory ran out. */
tool_report_table *tool_report_add_table(tool_report *report, const char *name, const char *title,
                                         const tool_report_column *columns, size_t count);
/* A cell for each column. `apart` begins a group of rows. */
void tool_report_add_row(tool_report_table *table, const tool_report_cell *cells, bool apart);

/* It has many columns: on the page the first stays in sight when it is moved sideways. */
void tool_report_lead(tool_report_table *table);

/* Tables, plots and galleries stand on the page in the order in which they were added. This goes under the title
 * of the last of them. */
void tool_report_remark(tool_report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));

typedef enum tool_report_verdict {
    TOOL_REPORT_PASS,
    TOOL_REPORT_FAIL,
    TOOL_REPORT_NOT_DECIDED, /* the number is not known well enough */
    TOOL_REPORT_NOT_COMPARABLE,
    TOOL_REPORT_VERDICTS
} tool_report_verdict;

/* For people ("not comparable") and for programs ("not-comparable"). */
const char *tool_report_verdict_text(tool_report_verdict verdict);
const char *tool_report_verdict_key(tool_report_verdict verdict);

/* What a number was to be, what it is, and what follows. */
typedef struct tool_report_check {
    tool_report_verdict verdict;
    double value, low, high; /* measured, and its 95% interval: of no width for what is counted */
    double min, max;         /* it is to be from `min` to `max`; infinite: no bound */
    double tolerance;        /* or outside of them by at most so much */
    bool strict;             /* more than `min`, not just as much */
} tool_report_check;

/* The words say what is claimed; the numbers are shown behind them. */
void tool_report_add_check(tool_report *report, const tool_report_check *check, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
size_t tool_report_count(const tool_report *report, tool_report_verdict verdict); /* of checks */

/* Lines over common values of x. */
tool_report_plot *tool_report_add_plot(tool_report *report, const char *title, const char *x_label,
                                       const char *y_label, const double *x, size_t count);
/* `y` has as many values as `x`; NAN leaves a gap. Lines of one colour number have the same colour. */
void tool_report_add_line(tool_report_plot *plot, const char *label, const double *y, int colour,
                          bool dashed);

/* One named point at x[at]: points of one kind, a few words, have a colour and a mark of their own. */
void tool_report_add_point(tool_report_plot *plot, const char *label, size_t at, double y, int colour,
                           const char *kind);

/* Lines join points that have an x each: `y` is NAN at the x of the others. Axes of logarithms need values
 * above 0. */
void tool_report_scatter(tool_report_plot *plot, bool log_x, bool log_y);

typedef enum tool_report_unit {
    TOOL_REPORT_PLAIN,
    TOOL_REPORT_PER_CENT,
    TOOL_REPORT_NANOSECONDS,
    TOOL_REPORT_SECONDS,
    TOOL_REPORT_BYTES,
    TOOL_REPORT_UNITS
} tool_report_unit;

/* How a plot looks, for those that are more than lines. All zero is a plot of points. */
typedef struct tool_report_look {
    bool log_x, log_y;     /* as above */
    double zero_x, zero_y; /* on such an axis 0 stands at this place, and the axis says 0; 0: none */
    tool_report_unit x_unit, y_unit;
    bool names;           /* of single points: their names stand beside them */
    bool bars;            /* counts as bars; small */
    double low_x, high_x; /* the ends of the axis; 0: those of the plot's own values */
    const char *group;    /* small plots side by side under this title; NULL: a large one */
} tool_report_look;
void tool_report_set_look(tool_report_plot *plot, const tool_report_look *look);
/* A staircase: nothing lies below and to the left of it. */
void tool_report_add_front(tool_report_plot *plot, const char *label, const double *y);

/* A row of pictures under a title. */
typedef struct tool_report_gallery tool_report_gallery;
tool_report_gallery *tool_report_add_gallery(tool_report *report, const char *title);
/* `file` is the name it gets beside the report; the bytes of the PNG file are copied. */
void tool_report_add_picture(tool_report_gallery *gallery, const char *file, const char *caption,
                             const void *png, size_t size);
/* A picture in a file of its own; `link` leads to it from the page. */
void tool_report_show_file(tool_report_gallery *gallery, const char *link, const char *caption);
/* A file that belongs to the report: named at the end of the page, in `words`. */
void tool_report_add_file(tool_report *report, const char *link, const char *words);
/* Writes all pictures into a folder and, unless `quiet`, says so. Complains and returns false. */
bool tool_report_write_pictures(const tool_report *report, const char *folder, bool quiet);

void tool_report_write_text(FILE *file, const tool_report *report);
void tool_report_write_json(FILE *file, const tool_report *report);
void tool_report_write_html(FILE *file, const tool_report *report);

/* Statistics of what goes into the cells: a mean with the 95% interval of the normal approximation. */
typedef struct tool_report_mean {
    double mean, margin; /* NAN for no values; the margin is 0 for fewer than two */
} tool_report_mean;
tool_report_mean tool_report_mean_of(const double *values, size_t count);

#endif

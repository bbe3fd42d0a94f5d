/* Tables of a report, declared as data: each column says which field of a row its cells show, or which figure
 * that the paper printed. Those figures stand in papers/NAME/figures.txt, inside the program.
 *
 *     #define OF(field) TOOL_PAPER_FIELD(my_row, field)
 *     static const tool_paper_column columns[] = {
 *         {"planner", "algorithm", 0, OF(label)},
 *         {"seconds", "s", 2, OF(seconds)},
 *         {"seconds_paper", "paper", 1, TOOL_PAPER_PRINTED("seconds")},
 *     };
 *
 * A row is a struct that begins with its `const char *key`, by which the paper's figures are found. */
#ifndef WEND_PAPERS_COMMON_TABLE_H
#define WEND_PAPERS_COMMON_TABLE_H

#include "report/embedded.h"
#include "report/report.h"

typedef enum tool_paper_kind {
    TOOL_PAPER_NUMBER, /* double */
    TOOL_PAPER_TEXT,   /* const char *: to the left */
    TOOL_PAPER_MEAN,   /* tool_report_mean */
    TOOL_PAPER_CELL,   /* tool_report_cell: as it is */
    TOOL_PAPER_FIGURE  /* no field, but one of the paper's figures */
} tool_paper_kind;

typedef struct tool_paper_column {
    const char *key, *head; /* in JSON, and for people */
    int decimals;
    tool_paper_kind kind;
    size_t offset;       /* of the field */
    double per;          /* a number is divided by it */
    const char *printed; /* the column of the paper's figures; "": a field that holds one */
} tool_paper_column;

/* The pointer is never followed. */
#define TOOL_PAPER_FIELD_OF(type, field, per, printed)                                                       \
    _Generic(((type *)1)->field,                                                                               \
        double: TOOL_PAPER_NUMBER,                                                                           \
        const char *: TOOL_PAPER_TEXT,                                                                       \
        tool_report_mean: TOOL_PAPER_MEAN,                                                                   \
        tool_report_cell: TOOL_PAPER_CELL),                                                                  \
        offsetof(type, field), (per), (printed)
#define TOOL_PAPER_FIELD(type, field) TOOL_PAPER_FIELD_OF(type, field, 1, NULL)
#define TOOL_PAPER_PRINTED_PER(column, per) TOOL_PAPER_FIGURE, 0, (per), (column)
#define TOOL_PAPER_PRINTED(column) TOOL_PAPER_PRINTED_PER(column, 1)

typedef struct tool_paper_table {
    const char *paper; /* whose figures; NULL: it has none */
    const tool_paper_column *columns;
    size_t count;
    tool_report_table *shown;
    int more_decimals; /* of the rows to come; 0 */
} tool_paper_table;

#define TOOL_PAPER_LIST(list) (list), sizeof(list) / sizeof *(list)
tool_paper_table tool_paper_begin_table(tool_report *report, const char *paper, const char *name,
                                        const char *title, const tool_paper_column *columns, size_t count);
void tool_paper_add_row(const tool_paper_table *table, const void *row, bool apart);

/* What the paper printed, as a number. NAN where it has nothing there. */
double tool_paper_printed(const char *paper, const char *row, const char *column);

/* figures.txt of each paper, by its name, and common/index.txt. */
extern const tool_embedded tool_paper_texts[];

/* The lines of one of these: fields with `|` between them, without the blanks around. Blank lines and those that
 * begin with # are passed over. */
enum { TOOL_PAPER_MOST_FIELDS = 16 };
typedef struct tool_paper_lines {
    const char *at;  /* what is not read yet */
    char line[1024]; /* a longer one is cut */
    const char *fields[TOOL_PAPER_MOST_FIELDS];
    size_t count;
} tool_paper_lines;
tool_paper_lines tool_paper_read_lines(const char *name);
bool tool_paper_next_line(tool_paper_lines *lines); /* false at the end */

/* Plots of points, each of one line; points of a line are joined from left to right. */
enum { TOOL_PAPER_MOST_POINTS = 512 };
typedef struct tool_paper_points {
    struct tool_paper_point {
        double x, y;
        int line;
    } points[TOOL_PAPER_MOST_POINTS];
    size_t count;
    bool linear_x, linear_y; /* the axis is never logarithmic */
    double most_y;           /* points above it are left out; 0: none are */
} tool_paper_points;

typedef struct tool_paper_line {
    const char *label;
    int colour;
    bool dashed;
} tool_paper_line;

/* One that can't stand on logarithmic axes is left out. */
void tool_paper_add_point(tool_paper_points *points, double x, double y, int line);
/* Axes are logarithmic where values span a power of ten. Lines without points are left out. */
void tool_paper_plot(tool_report *report, const char *title, const char *x_label, const char *y_label,
                     tool_paper_points *points, const tool_paper_line *lines, size_t count);

#endif

/* Lines and numbers of text formats, read from memory. Nothing here depends on the locale. */
#ifndef WEND_GRID_TEXT_H
#define WEND_GRID_TEXT_H

#include <wend/base.h>

typedef struct wend_text {
    const char *data;
    size_t size, at; /* `at` is where the next line begins */
    uint64_t line;   /* lines taken so far */
} wend_text;

/* A line without its end: neither the newline nor blanks, tabs and carriage returns before it. */
typedef struct wend_line {
    const char *text; /* not terminated */
    size_t length;
    size_t offset;   /* of the line in the data */
    uint64_t number; /* from 1 */
    bool ended;      /* by a newline; false for a last line without one */
} wend_line;

/* Takes the next line; false at the end of the data. */
bool wend_text_line(wend_text *text, wend_line *line);

/* Blank, tab, carriage return, newline, vertical tab, form feed. */
bool wend_is_blank(char c);
/* True if nothing but blanks and line ends is there, or nothing at all. */
bool wend_is_all_blank(const char *text, size_t length);

/* A whole number without sign: digits and nothing else, at least one. A value over 2^64 - 1 becomes that. */
bool wend_text_number(const char *text, size_t length, uint64_t *value);

/* A decimal number: [-]digits[.digits][e[+-]digits], with digits before or after the point. It is the nearest
 * double for up to 15 significant digits and at most 22 decimals, and within 4 units in the last place
 * otherwise; too large a number becomes infinite. `decimals` gets how many digits followed the point. */
bool wend_text_decimal(const char *text, size_t length, double *value, size_t *decimals);

/* For messages: the text with bytes that are not visible ASCII as \xNN, cut with ... when long. */
#define WEND_SHOWN_SIZE 36
const char *wend_text_show(const char *text, size_t length, char buffer[WEND_SHOWN_SIZE]);

#endif

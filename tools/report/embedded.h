/* Files that stand inside the program: see cmake/embed.cmake. */
#ifndef WEND_TOOLS_REPORT_EMBEDDED_H
#define WEND_TOOLS_REPORT_EMBEDDED_H

#include <stddef.h>

/* One of a table of files: such a table ends with a NULL name. */
typedef struct tool_embedded {
    const char *name;
    const unsigned char *bytes; /* a 0 behind them */
} tool_embedded;

extern const unsigned char tool_uplot_script[], tool_uplot_style[], tool_uplot_licence[];
extern const size_t tool_uplot_script_size, tool_uplot_style_size, tool_uplot_licence_size;
/* report.js and report.css */
extern const unsigned char tool_page_script[], tool_page_style[];
extern const size_t tool_page_script_size, tool_page_style_size;

#endif

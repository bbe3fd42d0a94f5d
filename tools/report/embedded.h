/* Files that stand inside the program: see cmake/embed.cmake. */
#ifndef WEND_TOOLS_REPORT_EMBEDDED_H
#define WEND_TOOLS_REPORT_EMBEDDED_H

#include <stddef.h>

extern const unsigned char tool_uplot_script[], tool_uplot_style[], tool_uplot_licence[];
extern const size_t tool_uplot_script_size, tool_uplot_style_size, tool_uplot_licence_size;
/* report.js and report.css */
extern const unsigned char tool_page_script[], tool_page_style[];
extern const size_t tool_page_script_size, tool_page_style_size;

#endif

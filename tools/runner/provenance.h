/* Where results come from: what a reader needs to get them once more. */
#ifndef WEND_TOOLS_RUNNER_PROVENANCE_H
#define WEND_TOOLS_RUNNER_PROVENANCE_H

#include "cli/tool.h"
#include "formats/rows.h"

/* version, commit, seed (a text), corners, connect, diagonal, terrain: the same wherever the same command runs. */
void tool_row_rules(tool_row *row, const tool_common *common);
/* NAME, as it was written, and NAME_hash: SHA-256 of it, null for what is no plain file. `path` may be NULL. */
void tool_row_file(tool_row *row, const char *name, const char *path);
/* command, threads, processor, compiler, load (of the last minute, when it began), date (in UTC): these differ
 * between runs with equal results. */
void tool_row_machine(tool_row *row, const tool_common *common);

#endif

/* The databases of a paper: built once into the folder of its results, and shared by all that use them. */
#ifndef WEND_PAPERS_COMMON_BASES_H
#define WEND_PAPERS_COMMON_BASES_H

#include "common/paper.h"
#include "runner/database.h"

enum { TOOL_PAPER_PATH = 4096, TOOL_PAPER_PLANNER = TOOL_PAPER_PATH + 256 };

/* To be filled in down to `weight`; the rest is tool_paper_open_bases's. */
typedef struct tool_paper_base {
    char name[96];                   /* the file is FOLDER/NAME.wend: no other base has it */
    const tool_paper_ground *ground; /* whose map it is of: agents know that */
    const char *settings;            /* as wend_db_settings_parse takes them: "knn2009:records=1000" */
    double weight;                   /* expected work, in any unit, for the progress line */
    char path[TOOL_PAPER_PATH];
    tool_db *db;    /* open; so tool_runner_create finds it open too */
    double seconds; /* that its build took, on options->threads threads; NAN where that is not known */
    uint64_t bytes; /* of the file */
} tool_paper_base;

/* Builds them one after another, each on options->threads threads, from options->seed. With options->resume
 * those that are there, of the same map, settings and seed, are used again, with the seconds from the log
 * beside them, and a build that was stopped goes on. Without it, all are built again. TOOL_DONE, TOOL_WRONG
 * after a complaint, or TOOL_STOPPED after Ctrl-C. To be closed in any case. */
int tool_paper_open_bases(const tool_paper_options *options, tool_paper_base *bases, size_t count);
void tool_paper_close_bases(tool_paper_base *bases, size_t count);

/* A fact that the kind gives of its database (`wend db info`), by its name: "records". NAN if it does not. */
double tool_paper_base_fact(const tool_paper_base *base, const char *name);

/* The text of a planner that uses the base: "knn2009:climb=25" becomes "knn2009:climb=25,db=PATH". Complains
 * and returns false where it does not fit. */
bool tool_paper_base_planner(const tool_paper_base *base, const char *planner, char *text, size_t size);

#endif

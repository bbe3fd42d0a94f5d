/* What the subcommands of `wend` share: options, messages, maps of any kind from files. */
#ifndef WEND_TOOLS_CLI_TOOL_H
#define WEND_TOOLS_CLI_TOOL_H

#include "cli/system.h"

#include <wend/wend.h>

#include <stdio.h>

/* Exit statuses of the command line. */
enum { TOOL_SETTINGS_TEXT = 4352 }; /* of a planner or kind with its keys; files have long names */
enum { TOOL_DONE = 0, TOOL_NO = 1, TOOL_WRONG = 2, TOOL_STOPPED = 130 /* by Ctrl-C, can be continued */ };

/* A subcommand: one file in tools/, one row in the table of main.c. `words` holds what follows its name. */
typedef struct tool_command {
    const char *name; /* "map info"; tools/help/map_info.txt is what --help says of it */
    int (*run)(const struct tool_command *command, int count, char **words);
} tool_command;

extern const tool_command tool_map_info, tool_map_gen, tool_map_scale, tool_map_block, tool_map_convert,
    tool_map_draw;
extern const tool_command tool_build, tool_db_info, tool_db_verify;
extern const tool_command tool_scen_gen, tool_path, tool_bench, tool_run_command, tool_paper_command,
    tool_planners, tool_results_merge;

/* One option that a subcommand takes. `value` is where its text goes; for an option that may be repeated,
 * `values` collects them (at most `most`) and `count` says how many; for a flag, `flag` is set. */
typedef struct tool_option {
    const char *name; /* "--json" */
    const char **value;
    bool *flag;
    const char **values;
    int most, *count;
} tool_option;

/* The options that all subcommands know: rules, terrain, seed, threads, quiet. */
typedef struct tool_common {
    wend_map_options map;
    uint64_t seed;
    int threads; /* at least 1; all cores unless given */
    bool quiet;
    const char *command; /* its name, and the words behind it as they were */
    char *const *words;
    int word_count;
    bool help; /* --help was there and has been answered, or a shell's --complete: return TOOL_DONE */
} tool_common;

/* Splits `words` into options and plain words (in order, at most `most_plain`). An unknown option, a missing
 * value, a bad number or too few or many plain words is said on stderr; then false, and the subcommand
 * returns TOOL_WRONG. With
 * --help, prints the help, sets common->help and returns true. */
bool tool_parse(const tool_command *command, int count, char **words, const tool_option *options,
                size_t option_count, tool_common *common, const char **plain, int least_plain,
                int most_plain);

/* Digits only, so that blanks, signs, hexadecimal and the like are no surprise. Says nothing. */
bool tool_digits(const char *text, uint64_t *value);
/* Numbers from text, whole and in range; otherwise a message that names `what`, and false. */
bool tool_integer(const char *what, const char *text, int64_t least, int64_t most, int64_t *value);
/* At least 1; K, M or G behind it: times 1024, twice, thrice. */
bool tool_size(const char *what, const char *text, uint64_t *bytes);
bool tool_number(const char *what, const char *text, double least, double most, double *value);
/* "X,Y", on the map. */
bool tool_cell(const char *what, const char *text, const wend_map *map, wend_cell *cell);

/* One line on stderr, "wend: ..."; returns TOOL_WRONG. */
int tool_wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));
int tool_wrong_error(const wend_error *error);
/* The same line about something that is not wrong; not for --quiet. */
void tool_remark(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Room for one more in a list of `count` items of `size` bytes: the list, or a larger one. Complains of
 * `what` and returns NULL; the list is still good then. */
void *tool_grown(void *list, size_t count, size_t *capacity, size_t size, const char *what);

/* The settings of a planner, whose database the text must name; complains and returns false. */
bool tool_planner_parse(const char *text, wend_settings **settings);

/* A map from a .map, .txt, .pbm, .png or .tmj file, by its name; complains and returns NULL if it can't be
 * read. */
wend_map *tool_load_map(const char *path, const wend_map_options *options);
/* The same as bodies of body x body cells see it (wend_map_for_body); `body` is the text of --body or
 * NULL. */
wend_map *tool_load_body_map(const char *path, const char *body, const wend_map_options *options);
/* To a .map, .pbm or .png file, by its name; complains and returns false. */
bool tool_save_map(const char *path, const wend_map *map);

/* A progress line on stderr, redrawn in place, only where stderr is a terminal and not --quiet: share done,
 * rate and time left. Call it as often as you like; `done` = `all` ends it. */
typedef struct tool_progress {
    const char *what;
    bool shown;
    double began, last;
    uint64_t before;    /* what was done before it began, and says nothing about the rate; 0 */
    const char *detail; /* shown in place of the rate unless NULL */
} tool_progress;
tool_progress tool_progress_begin(const char *what, bool quiet);
void tool_progress_update(tool_progress *progress, uint64_t done, uint64_t all);

double tool_seconds(void); /* a steady clock */
uint64_t tool_nanoseconds(void);
/* The steady clock, and what this thread took of the processor, in nanoseconds. The steady clock is the inner
 * one of a begin and an end. */
typedef struct tool_clocks {
    uint64_t steady, processor;
} tool_clocks;
tool_clocks tool_clocks_begin(void);
tool_clocks tool_clocks_end(void);
/* As `git describe` names it, with -dirty behind it if files differed; "unknown" where there was no git. */
const char *tool_commit(void);
const char *tool_base_name(const char *path); /* behind the last slash */

#endif

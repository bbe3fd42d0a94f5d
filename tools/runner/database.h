/* Databases in files: shared by those who run on the same map, and the log of a build beside each. */
#ifndef WEND_TOOLS_RUNNER_DATABASE_H
#define WEND_TOOLS_RUNNER_DATABASE_H

#include "cli/tool.h"

typedef struct tool_db tool_db;

/* wend_db_open; where the map is another one, the words say with which options of the command it would be the
 * right one. */
wend_status tool_db_open(const char *path, const wend_map *map, wend_db **db, wend_error *error);

/* The database in a file, opened for this map; as long as somebody has it, others get the same one. May be
 * called by many threads. Complains and returns NULL; of one that is of another map, with the hint behind it,
 * if there is one. */
tool_db *tool_db_borrow(const char *path, const wend_map *map, const char *hint);
void tool_db_return(tool_db *db); /* NULL is fine */
const wend_db *tool_db_opened(const tool_db *db);
/* Says on stderr, once for each database, that it contradicts the map. */
void tool_db_blame(tool_db *db);
double tool_db_build_seconds(const tool_db *db); /* from the log beside it; NAN where there is none */

/* DB.log.json: what is known of a build and is not in the database, whose bytes do not depend on it. */
typedef struct tool_build_log {
    const char *map;   /* the file's name */
    double seconds;    /* of all runs together; NAN where one is not known */
    int runs, threads; /* runs: 1, and one more for each time it was resumed; threads: of the last */
} tool_build_log;

/* build.c: builds a database into `path` with the log beside it, which `log` gets too. What was built is
 * opened once; `built` gets it unless that is NULL, to be returned. Ctrl-C, if it
 * is caught (tool_catch_interrupts), stops it and leaves what `options->resume` goes on with. A progress line
 * of its own unless `options` has another. TOOL_DONE, TOOL_WRONG after a complaint, TOOL_STOPPED after a word
 * about --resume. */
int tool_build_db(const wend_map *map, const char *map_name, const wend_settings *settings,
                  const wend_build_options *options, const char *path, bool quiet, tool_build_log *log,
                  tool_db **built);
/* Beside the database. Complains and returns false. */
bool tool_build_log_write(const tool_db *db, const tool_build_log *log);
/* The seconds that the log beside it gives; NAN where there is none, or it is not that of this database. */
double tool_build_log_seconds(const char *path, const wend_db *db);

/* PATH.part.log.json: the same of a build that was interrupted, beside PATH.part. Where it can't be written
 * (the disk is full, say) its time will not be known. That is no error of its own beside what has failed. */
void tool_part_log_write(const char *path, double seconds, int runs);
/* False, and NAN seconds of an unknown run, where there is none. */
bool tool_part_log_read(const char *path, double *seconds, int *runs);
void tool_part_log_remove(const char *path);
bool tool_part_exists(const char *path); /* whether there is a PATH.part */

/* "knn:db=city.knn,climb=50" as "knn:climb=50": what names a file is long, and is needed only to distinguish
 * several planners of one kind. A comma inside a value has a backslash before it. To be freed; NULL: no
 * memory. */
char *tool_planner_label(const char *planner);

#endif

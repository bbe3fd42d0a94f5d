/* PATH.part: the finished jobs of a build that is under way, each with its checksum. */
#ifndef WEND_DB_PART_H
#define WEND_DB_PART_H

#include "base/platform.h"
#include "db/kind.h"

typedef struct wend_part {
    char path[WEND_PATH_ROOM];
    wend_growing file;
    uint64_t build; /* the checksum of the header, which enters those of the entries */
} wend_part;

/* Names it. WEND_STATUS_FILE_ERROR for a path that is too long. */
wend_status wend_part_name(wend_part *part, const char *path, wend_error *error);
/* Opens it for a build whose number of jobs is known. With options->resume, takes over the jobs that are
 * there: fills in their `results` and sets `finished`. What is not whole at its end is dropped. Refused
 * where it is another build's: WEND_STATUS_OTHER_MAP, WEND_STATUS_BAD_ARGUMENT,
 * WEND_STATUS_NEWER_VERSION, WEND_STATUS_UNSUPPORTED. Without, starts again. A file that no build has written
 * is refused in both cases: WEND_STATUS_BAD_MAGIC. */
wend_status wend_part_open(wend_part *part, const wend_builder *builder, wend_buffer *results, bool *finished,
                           wend_error *error);
wend_status wend_part_add(wend_part *part, uint32_t job, const wend_buffer *result, wend_error *error);
void wend_part_close(wend_part *part);
void wend_part_remove(wend_part *part); /* when the database is there */

#endif

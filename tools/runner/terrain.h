/* The terrain of a run: what is true when it starts, what agents believe of it, and how it changes while they
 * walk. */
#ifndef WEND_TOOLS_RUNNER_TERRAIN_H
#define WEND_TOOLS_RUNNER_TERRAIN_H

#include "cli/tool.h"

/* What an agent knows beforehand, as --knowledge and --sensor say it. */
typedef struct tool_knowledge {
    enum {
        TOOL_KNOWN,   /* the true map */
        TOOL_UNKNOWN, /* nothing: all is open until seen */
        TOOL_PARTIAL  /* the map without `percent` of its open cells that are blocked in truth */
    } kind;
    double percent;
    uint32_t radius; /* of the sensor; 1 unless given */
} tool_knowledge;

/* Texts are NULL where the option was not given: known, radius 1. Complains and returns false. */
bool tool_knowledge_parse(const char *text, const char *sensor, tool_knowledge *knowledge);

/* A change of the true map. */
typedef struct tool_edit {
    uint64_t tick; /* before this step, counted from 0 */
    wend_rect area;
    bool open;
} tool_edit;

typedef struct tool_edits {
    tool_edit *list; /* by tick */
    size_t count, capacity;
} tool_edits;

enum { TOOL_MOST_TICK = 10000000 }; /* so that an agent that waits for the last edit does not wait for ever */

/* Lines `TICK X Y W H open|closed`; blank ones and those that begin with # mean nothing. All areas must lie
 * on the map and ticks must not decrease. Complains, with file, line and reason, and returns false. */
bool tool_edits_load(const char *path, const wend_map *map, tool_edits *edits);
/* What --edits says: the name of such a file, or PCT[:KEY=VALUE]... (see the help of `wend bench`), of which the
 * same text, map and seed draw the same edits; NULL: none. Complains and returns false. */
bool tool_edits_read(const char *text, const wend_map *map, uint64_t seed, tool_edits *edits);
/* As a file for tool_edits_load. */
void tool_edits_write(FILE *file, const tool_edits *edits);
bool tool_edits_add(tool_edits *edits, const tool_edit *edit); /* complains and returns false */
void tool_edits_destroy(tool_edits *edits);

/* What a run takes place on. The maps and the edits must outlive those who use it. */
typedef struct tool_terrain {
    const wend_map *truth;    /* when a run starts, edits of tick 0 included */
    const wend_map *believed; /* at first, by agents that do not know the truth; NULL: they know it */
    tool_knowledge knowledge;
    const tool_edit *edits; /* of the ticks from 1 on */
    size_t edit_count;
    const wend_map *loaded;       /* as it was in the file */
    const tool_edit *first_edits; /* those of tick 0, which the truth has */
    size_t first_count;
    uint64_t repair; /* operations per step for repairing databases while agents walk; 0: none */
    wend_map *own_truth, *own_belief; /* where they are not the map it was made of */
} tool_terrain;

/* A terrain where agents know the map and nothing changes. */
tool_terrain tool_terrain_plain(const wend_map *map);
/* `edits` may be NULL. Complains and returns false; otherwise to be destroyed. */
bool tool_terrain_create(const wend_map *map, const tool_knowledge *knowledge, const tool_edits *edits,
                         uint64_t seed, tool_terrain *terrain);
void tool_terrain_destroy(tool_terrain *terrain);
/* What to say of a database that is not of the map that agents go by at first; NULL: nothing more. */
const char *tool_knowledge_hint(const tool_knowledge *knowledge);
/* A copy of `map` with the edits of tick 0. Complains and returns NULL. */
wend_map *tool_edits_begin(const tool_edits *edits, const wend_map *map);

#endif

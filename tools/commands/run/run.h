/* `wend run`: a fleet under way, and those who show it. */
#ifndef WEND_TOOLS_COMMANDS_RUN_RUN_H
#define WEND_TOOLS_COMMANDS_RUN_RUN_H

#include "formats/files.h"
#include "runner/database.h"
#include "runner/terrain.h"

enum { TOOL_RUN_SQUADS = 32 };

/* What has happened so far. */
typedef struct tool_fleet_sums {
    uint64_t ticks, moves, coasted, thinking, starved, postponed;
    uint64_t arrived, unreachable, out_of_memory, bad_database;
    uint64_t operations, operations_max, repair_operations;
    double seconds, longest; /* of ticks alone */
} tool_fleet_sums;

typedef struct tool_fleet {
    const wend_map *map; /* when it begins */
    const char *map_name;
    wend_fleet *fleet;
    int squads;
    const char *planners[TOOL_RUN_SQUADS];
    int32_t bodies[TOOL_RUN_SQUADS];
    uint32_t agents;
    wend_member *members;
    wend_tick last;
    double last_seconds;
    tool_fleet_sums sums;
    wend_event event; /* the last end of a request */
    bool has_event;
    const tool_edit *edits; /* of the true map, those to come included */
    size_t edit_count;
    const wend_knowledge *seen; /* by the first planner's team; NULL: the map is known */
    uint32_t *prey;             /* whom each agent of other planners than the first chases; NULL: nobody */
} tool_fleet;

/* Where a member stands, and what it is; false beyond the last. */
bool tool_fleet_look(const tool_fleet *fleet, uint32_t index, wend_member_info *info);

/* summary.c: what has become of it, as lines or as an object. The latter ends the output; complains and
 * returns false. */
void tool_fleet_print(const tool_fleet *fleet);
bool tool_fleet_write_json(const tool_fleet *fleet, tool_output *output);

/* view.c: the picture in a terminal. */
typedef struct tool_view tool_view;
/* NULL where standard output is no terminal that can show it. */
tool_view *tool_view_begin(const tool_fleet *fleet);
void tool_view_show(tool_view *view, const tool_fleet *fleet);
void tool_view_end(tool_view *view); /* the terminal is as it was */

/* video.c: the same as a file, written as it grows. Complains and returns NULL or false. */
typedef struct tool_video tool_video;
enum { TOOL_VIDEO_TICKS = 20000, TOOL_VIDEO_MEGABYTES = 1024 }; /* at most, whichever comes first */
tool_video *tool_video_begin(const tool_fleet *fleet, const char *path);
bool tool_video_add(tool_video *video, const tool_fleet *fleet);
bool tool_video_full(const tool_video *video); /* no further picture should be added */
bool tool_video_save(tool_video *video);
void tool_video_destroy(tool_video *video); /* one that was not saved leaves nothing behind; NULL is fine */

#endif

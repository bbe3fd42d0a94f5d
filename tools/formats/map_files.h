/* Maps from files of any kind, by their names, with the settings that pictures and Tiled maps need. */
#ifndef WEND_TOOLS_FORMATS_MAP_FILES_H
#define WEND_TOOLS_FORMATS_MAP_FILES_H

#include "cli/tool.h"

/* The texts of the options that say how pictures and Tiled maps are read; NULL where not given. */
typedef struct tool_reading {
    const char *threshold, *open, *layer, *walkable;
} tool_reading;

/* For a subcommand's list of options; `reading` is a tool_reading. */
#define TOOL_READING_OPTIONS(reading)                                                                        \
    {.name = "--threshold", .value = &(reading).threshold}, {.name = "--open", .value = &(reading).open},    \
        {.name = "--layer", .value = &(reading).layer}, {                                                    \
        .name = "--walkable", .value = &(reading).walkable                                                   \
    }
/* As tool_load_map; an option that does not fit the kind of file is wrong use. */
wend_map *tool_load_map_as(const char *path, const tool_reading *reading, const wend_map_options *options);

/* Whether a result may have this name: NULL, one without an ending, or with this one (".png"). Complains of any
 * other, which says another format. */
bool tool_named_as(const char *option, const char *name, const char *ending);
/* True if the name ends in .map, or has no ending: only such files can keep letters. */
bool tool_keeps_letters(const char *path);

#endif

/* Maps from files of any kind, by their names, with what pictures and Tiled maps need to be told. */
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
#define TOOL_READING_USAGE "[--threshold N | --open RRGGBB[,RRGGBB...]] [--layer NAME] [--walkable PROPERTY]"
/* And what --help says of them. */
#define TOOL_READING_HELP                                                                                    \
    "How a picture (.png) is read; a pixel is a cell:\n"                                                     \
    "  --threshold N             pixels of luminance N (0 to 255) or more are open (default 128)\n"          \
    "  --open RRGGBB[,...]       instead: pixels of exactly these colours are open\n"                        \
    "                            What is transparent is seen over white.\n"                                  \
    "How a Tiled map (.tmj, .json) is read:\n"                                                               \
    "  --layer NAME              the tile layer to take (default: the first visible one)\n"                  \
    "  --walkable PROPERTY       the tiles' yes/no property that tells (default: walkable, if any tile has " \
    "it).\n"                                                                                                 \
    "                            If some tile says yes: only such tiles are open. If there is only no: "     \
    "all\n"                                                                                                  \
    "                            but those tiles are open. Without the property, or with '': empty cells\n"  \
    "                            are open, any tile is a wall.\n"

/* As tool_load_map; an option that does not fit the kind of file is wrong use. */
wend_map *tool_load_map_as(const char *path, const tool_reading *reading, const wend_map_options *options);

/* True if the name ends in .map, or has no ending: only such files can keep letters. */
bool tool_keeps_letters(const char *path);

#endif

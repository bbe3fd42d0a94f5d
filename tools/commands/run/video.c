/* A fleet as a moving picture: the map, and a square of its planner's colour for each agent. Pictures go to
 * the file one by one, so that memory does not grow with their number. */
#include "commands/run/run.h"

#include "formats/gif.h"

#include <stdlib.h>
#include <string.h>

enum {
    PIXELS = 640,
    MOST_SCALE = 8,
    DELAY = 4 /* hundredths of a second */,
    FLOOR = 0,
    WALL = 1,
    FIRST_SQUAD = 2
};

struct tool_video {
    tool_gif gif;
    uint32_t scale, reduce; /* pixels a cell, or cells a pixel; one of them is 1 */
    uint8_t *pixels;
    tool_output output;
    uint64_t written; /* bytes */
};

static uint32_t side_of(const tool_video *video, int32_t cells) {
    return ((uint32_t)cells * video->scale + video->reduce - 1) / video->reduce;
}

tool_video *tool_video_begin(const tool_fleet *fleet, const char *path) {
    tool_video *video = calloc(1, sizeof *video);
    if (!video) {
        (void)tool_wrong("out of memory");
        return NULL;
    }
    int32_t width = wend_map_width(fleet->map), height = wend_map_height(fleet->map);
    uint32_t side = (uint32_t)(width > height ? width : height);
    video->scale = side < PIXELS ? PIXELS / side : 1;
    if (video->scale > MOST_SCALE) video->scale = MOST_SCALE;
    video->reduce = (side + PIXELS - 1) / PIXELS;
    tool_colour palette[FIRST_SQUAD + TOOL_RUN_SQUADS] = {{245, 242, 234}, {52, 55, 64}};
    for (size_t i = 0; i < TOOL_RUN_SQUADS; i++) palette[FIRST_SQUAD + i] = tool_distinct_colour(i);
    uint32_t across = side_of(video, width), down = side_of(video, height);
    video->pixels = malloc((size_t)across * down);
    wend_error error;
    wend_status status = video->pixels
                             ? tool_gif_begin(&video->gif, across, down, palette,
                                              sizeof palette / sizeof *palette, DELAY, &error)
                             : wend_fail(&error, WEND_STATUS_NO_MEMORY, "no memory for a moving picture");
    if (status == WEND_OK) status = tool_output_begin(&video->output, path, &error);
    if (status == WEND_OK) return video;
    (void)tool_wrong_error(&error);
    tool_video_destroy(video);
    return NULL;
}

void tool_video_destroy(tool_video *video) {
    if (!video) return;
    tool_output_drop(&video->output);
    tool_gif_release(&video->gif);
    free(video->pixels);
    free(video);
}

/* A pixel is a wall if most of the cells that it stands for are. */
static uint8_t ground_at(const tool_video *video, const wend_map *map, uint32_t x, uint32_t y) {
    uint32_t reduce = video->reduce, open = 0;
    if (reduce == 1)
        return wend_map_is_open(map, (int32_t)(x / video->scale), (int32_t)(y / video->scale)) ? FLOOR : WALL;
    for (uint32_t i = 0; i < reduce * reduce; i++)
        open += wend_map_is_open(map, (int32_t)(x * reduce + i % reduce), (int32_t)(y * reduce + i / reduce));
    return 2 * open >= reduce * reduce ? FLOOR : WALL;
}

static void draw_agent(tool_video *video, wend_xy at, const wend_member_info *info) {
    uint32_t left = (uint32_t)at.x * video->scale / video->reduce,
             top = (uint32_t)at.y * video->scale / video->reduce;
    uint32_t side = ((uint32_t)info->body * video->scale + video->reduce - 1) / video->reduce;
    for (uint32_t y = top; y < top + side && y < video->gif.height; y++)
        for (uint32_t x = left; x < left + side && x < video->gif.width; x++)
            video->pixels[(size_t)y * video->gif.width + x] = (uint8_t)(FIRST_SQUAD + info->squad);
}

static wend_status write_out(tool_video *video, wend_error *error) {
    wend_bytes *bytes = &video->gif.bytes;
    wend_status status = tool_output_add(&video->output, bytes->data, bytes->size, error);
    video->written += bytes->size;
    bytes->size = 0;
    return status;
}

bool tool_video_add(tool_video *video, const tool_fleet *fleet) {
    const wend_map *map = wend_fleet_map(fleet->fleet, 1);
    for (uint32_t y = 0; y < video->gif.height; y++)
        for (uint32_t x = 0; x < video->gif.width; x++)
            video->pixels[(size_t)y * video->gif.width + x] = ground_at(video, map, x, y);
    wend_member_info info;
    for (uint32_t i = 0; tool_fleet_look(fleet, i, &info); i++)
        draw_agent(video, wend_map_xy(map, info.cell), &info);
    wend_error error;
    wend_status status = tool_gif_add(&video->gif, video->pixels, &error);
    if (status == WEND_OK) status = write_out(video, &error);
    if (status != WEND_OK) (void)tool_wrong_error(&error);
    return status == WEND_OK;
}

bool tool_video_full(const tool_video *video) {
    return video->gif.pictures > TOOL_VIDEO_TICKS || /* the first is of no tick */
           video->written >= (uint64_t)TOOL_VIDEO_MEGABYTES * 1024 * 1024;
}

bool tool_video_save(tool_video *video) {
    wend_error error;
    wend_status status = tool_gif_end(&video->gif, &error);
    if (status == WEND_OK) status = write_out(video, &error);
    if (status == WEND_OK) status = tool_output_end(&video->output, &error);
    if (status != WEND_OK) (void)tool_wrong_error(&error);
    return status == WEND_OK;
}

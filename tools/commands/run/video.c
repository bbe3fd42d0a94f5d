/* A fleet as a moving picture: the map with its doors and what was seen of it, a dot of its planner's colour for
 * each agent, its tail and its goal, and below which colour is whose. Pictures go to the file one by one, so
 * that memory does not grow with their number. */
#include "commands/run/run.h"

#include "formats/gif.h"
#include "report/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    PIXELS = 640,
    MOST_SCALE = 16,
    DELAY = 5,       /* hundredths of a second */
    TAIL = 9,        /* cells */
    MOST_SHADES = 8, /* of a planner's colour */
    CACHE = 1 << 14,
    LEGEND = TOOL_RUN_SQUADS + 3, /* lines of it */
    DOT_SHARE = 5                 /* dots cover at most one part in so many of the picture */
};

static const tool_colour white = {255, 255, 255}, black = {0, 0, 0}, ink = {27, 31, 36},
                         door = {196, 120, 16}, open_door = {247, 214, 150};

typedef struct legend_line {
    char text[256];
    tool_colour colour;
    bool square;
    uint32_t x, y; /* its upper left corner */
} legend_line;

/* The number in the palette of a colour that was asked for before. */
typedef struct known_colour {
    tool_colour colour;
    uint8_t number;
    bool set;
} known_colour;

struct tool_video {
    tool_gif gif;
    tool_picture_layout layout; /* of the map */
    tool_canvas canvas;
    uint8_t *ground;   /* the canvas without agents, */
    uint64_t revision; /* of this revision of the map; UINT64_MAX: none yet */
    float dot;         /* its diameter, of bodies of one cell */
    wend_cell
        *tails; /* TAIL cells of each agent, the last first; NULL: dots are too small for tails and goals */
    uint8_t *pixels; /* by palette */
    tool_colour palette[TOOL_GIF_COLOURS];
    size_t colours;
    known_colour *cache;
    legend_line legend[LEGEND];
    size_t legend_count;
    uint32_t text_scale;
    tool_output output;
    uint64_t written; /* bytes */
};

/* Colours ------------------------------------------------------------------------------------------------ */

static void add_colour(tool_video *video, tool_colour colour) {
    if (video->colours < TOOL_GIF_COLOURS) video->palette[video->colours++] = colour;
}

/* The ground with its shadows, doors, and planners' colours from pale to full, over floor, fog and walls as far
 * as there is room. */
static void choose_palette(tool_video *video, const tool_fleet *fleet) {
    static const float shadows[] = {0, 0.08f, 0.15f, 0.22f, 0.30f, 0.45f};
    for (int seen = 1; seen >= 0; seen--)
        for (int open = 1; open >= 0; open--)
            for (size_t i = 0; i < sizeof shadows / sizeof *shadows; i++)
                add_colour(video, tool_mix(tool_picture_colour(open, seen), black, shadows[i]));
    add_colour(video, white), add_colour(video, ink), add_colour(video, door), add_colour(video, open_door);
    size_t shades = (TOOL_GIF_COLOURS - video->colours) / (size_t)fleet->squads;
    if (shades > MOST_SHADES) shades = MOST_SHADES;
    for (size_t i = 0; i < (size_t)fleet->squads; i++)
        for (size_t j = 1; j <= shades; j++)
            add_colour(video, tool_mix(tool_picture_colour(true, true), tool_distinct_colour(i),
                                       (float)j / (float)shades));
}

static uint8_t nearest(const tool_video *video, tool_colour colour) {
    int best = 4 * 255 * 255;
    size_t number = 0;
    for (size_t i = 0; i < video->colours; i++) {
        tool_colour other = video->palette[i];
        int r = other.r - colour.r, g = other.g - colour.g, b = other.b - colour.b;
        int distance = r * r + g * g + b * b;
        if (distance < best) best = distance, number = i;
    }
    return (uint8_t)number;
}

static uint8_t number_of(tool_video *video, const uint8_t *rgb) {
    uint32_t key = (uint32_t)rgb[0] << 16 | (uint32_t)rgb[1] << 8 | rgb[2];
    known_colour *known = &video->cache[(key * 2654435761u) >> 18];
    if (!known->set || known->colour.r != rgb[0] || known->colour.g != rgb[1] || known->colour.b != rgb[2]) {
        tool_colour colour = {rgb[0], rgb[1], rgb[2]};
        *known = (known_colour){colour, nearest(video, colour), true};
    }
    return known->number;
}

/* The legend --------------------------------------------------------------------------------------------- */

static void add_legend(tool_video *video, const char *text, tool_colour colour, bool square) {
    legend_line *line = &video->legend[video->legend_count++];
    *line = (legend_line){.colour = colour, .square = square};
    (void)snprintf(line->text, sizeof line->text, "%s", text);
}

static bool name_squads(tool_video *video, const tool_fleet *fleet) {
    for (int i = 0; i < fleet->squads; i++) {
        char text[256], size[32] = "";
        char *label = tool_planner_label(fleet->planners[i]);
        if (!label) return false;
        if (fleet->bodies[i] > 1)
            (void)snprintf(size, sizeof size, " %dx%d", (int)fleet->bodies[i], (int)fleet->bodies[i]);
        (void)snprintf(text, sizeof text, "%s%s%s", label, size,
                       !fleet->prey ? ""
                       : i          ? " (chases)"
                                    : " (flees)");
        add_legend(video, text, tool_distinct_colour((size_t)i), false);
        free(label);
    }
    if (fleet->edit_count) {
        add_legend(video, "open door", open_door, true);
        add_legend(video, "closed door", door, true);
    }
    if (fleet->seen) add_legend(video, "not seen", tool_picture_colour(true, false), true);
    return true;
}

/* Places the lines one after another, as many side by side as fit; returns the height that they need. */
static uint32_t place_legend(tool_video *video) {
    uint32_t scale = video->text_scale = video->layout.width >= PIXELS / 2 ? 2 : 1;
    uint32_t high = (TOOL_TEXT_HEIGHT + 3) * scale, margin = 4 * scale, x = margin, y = margin;
    for (size_t i = 0; i < video->legend_count; i++) {
        legend_line *line = &video->legend[i];
        uint32_t wide = 11 * scale + tool_canvas_text_width(line->text, scale), gap = 7 * scale;
        if (x > margin && x + wide > video->layout.width) x = margin, y += high;
        line->x = x, line->y = video->layout.height + y;
        x += wide + gap;
    }
    return y + high + margin / 2;
}

static void draw_legend(tool_video *video) {
    tool_canvas *canvas = &video->canvas;
    uint32_t scale = video->text_scale;
    tool_canvas_fill(canvas, 0, video->layout.height, canvas->width, canvas->height - video->layout.height,
                     white);
    for (size_t i = 0; i < video->legend_count; i++) {
        const legend_line *line = &video->legend[i];
        tool_point centre = {(float)(line->x + 4 * scale), (float)(line->y + 4 * scale)};
        tool_canvas_mark(canvas, line->square ? TOOL_MARK_SQUARE : TOOL_MARK_DISC, centre,
                         (line->square ? 5.0f : 4.0f) * (float)scale, line->colour, 1);
        tool_canvas_text(canvas, line->x + 11 * scale, line->y, line->text, scale, ink);
    }
}

/* Beginning ---------------------------------------------------------------------------------------------- */

static wend_status begin(tool_video *video, const tool_fleet *fleet, wend_error *error) {
    uint32_t width = (uint32_t)wend_map_width(fleet->map), height = (uint32_t)wend_map_height(fleet->map);
    tool_picture_options options = {.pixels = PIXELS};
    if (width <= PIXELS / MOST_SCALE && height <= PIXELS / MOST_SCALE)
        options = (tool_picture_options){.scale = MOST_SCALE};
    wend_status status = tool_picture_lay_out(fleet->map, &options, &video->layout, error);
    if (status != WEND_OK) return status;
    const tool_picture_layout *l = &video->layout;
    float cell = (float)l->scale / (float)l->reduce;
    float room = sqrtf((float)l->width * (float)l->height / (float)DOT_SHARE / (float)fleet->agents);
    video->dot = room < 6 ? room : 6;
    if (video->dot < cell) video->dot = cell;
    video->revision = UINT64_MAX;
    choose_palette(video, fleet);
    bool named = name_squads(video, fleet);
    uint32_t down = l->height + place_legend(video);
    status = tool_canvas_create(l->width, down, &video->canvas, error);
    if (status != WEND_OK) return status;
    video->ground = malloc(3 * (size_t)l->width * down);
    video->pixels = malloc((size_t)l->width * down);
    video->cache = calloc(CACHE, sizeof *video->cache);
    if (video->dot >= 4) {
        video->tails = malloc((size_t)fleet->agents * TAIL * sizeof *video->tails);
        named = named && video->tails;
        for (size_t i = 0; video->tails && i < (size_t)fleet->agents * TAIL; i++)
            video->tails[i] = WEND_NO_CELL;
    }
    if (!named || !video->ground || !video->pixels || !video->cache)
        return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for a moving picture");
    draw_legend(video);
    return tool_gif_begin(&video->gif, l->width, down, video->palette, video->colours, DELAY, error);
}

tool_video *tool_video_begin(const tool_fleet *fleet, const char *path) {
    tool_video *video = calloc(1, sizeof *video);
    if (!video) {
        (void)tool_wrong("out of memory");
        return NULL;
    }
    wend_error error;
    if (begin(video, fleet, &error) != WEND_OK)
        (void)tool_wrong_error(&error);
    else if (tool_output_begin(&video->output, path))
        return video;
    tool_video_destroy(video);
    return NULL;
}

void tool_video_destroy(tool_video *video) {
    if (!video) return;
    tool_output_drop(&video->output);
    tool_gif_release(&video->gif);
    tool_canvas_destroy(&video->canvas);
    free(video->ground);
    free(video->pixels);
    free(video->cache);
    free(video->tails);
    free(video);
}

/* Pictures ----------------------------------------------------------------------------------------------- */

/* Cells that edits have closed, or may close, on the map as it is now. */
static void draw_doors(tool_video *video, const tool_fleet *fleet, const wend_map *now) {
    const tool_picture_layout *l = &video->layout;
    for (size_t i = 0; i < fleet->edit_count; i++) {
        wend_rect area = fleet->edits[i].area;
        for (int32_t y = area.y; y < area.y + area.height; y++)
            for (int32_t x = area.x; x < area.x + area.width; x++) {
                bool open = wend_map_is_open(now, x, y);
                if (!open && !wend_map_is_open(fleet->map, x, y)) continue; /* a wall all along */
                tool_canvas_fill(&video->canvas, (uint32_t)x * l->scale / l->reduce,
                                 (uint32_t)y * l->scale / l->reduce, l->scale, l->scale,
                                 open ? open_door : door);
            }
    }
}

static wend_status draw_ground(tool_video *video, const tool_fleet *fleet, wend_error *error) {
    const wend_map *now = wend_fleet_map(fleet->fleet, 1);
    size_t bytes = 3 * (size_t)video->canvas.width * video->canvas.height;
    if (fleet->seen || wend_map_revision(now) != video->revision) {
        const tool_picture_options options = {.seen = fleet->seen};
        wend_status status = tool_picture_ground(now, &options, &video->layout, &video->canvas, error);
        if (status != WEND_OK) return status;
        draw_doors(video, fleet, now);
        memcpy(video->ground, video->canvas.rgb, bytes);
        video->revision = wend_map_revision(now);
    } else {
        memcpy(video->canvas.rgb, video->ground, bytes);
    }
    return WEND_OK;
}

static tool_point centre_of(const tool_video *video, const tool_fleet *fleet, wend_cell cell, int32_t body) {
    wend_xy at = wend_map_xy(fleet->map, cell);
    float pixels = (float)video->layout.scale / (float)video->layout.reduce, half = 0.5f * (float)body;
    return (tool_point){((float)at.x + half) * pixels, ((float)at.y + half) * pixels};
}

static float radius_of(const tool_video *video, int32_t body) {
    float cell = (float)video->layout.scale / (float)video->layout.reduce;
    return 0.5f * (video->dot + cell * (float)(body - 1));
}

/* Where it was, from pale to strong, and where it goes. */
static void draw_tail(tool_video *video, const tool_fleet *fleet, uint32_t index,
                      const wend_member_info *info) {
    wend_cell *tail = video->tails + (size_t)index * TAIL;
    tool_point points[TAIL];
    size_t count = 0;
    tool_colour colour = tool_distinct_colour(info->squad);
    memmove(tail + 1, tail, (TAIL - 1) * sizeof *tail);
    tail[0] = info->cell;
    while (count < TAIL && tail[count] != WEND_NO_CELL) {
        points[count] = centre_of(video, fleet, tail[count], info->body);
        count++;
    }
    float width = 0.8f * radius_of(video, info->body);
    for (size_t part = TAIL; part > 1; part -= 3)
        tool_canvas_line(&video->canvas, points, part < count ? part : count, width, colour, 0.3f);
    if (info->doing == WEND_DOING_NOTHING || (fleet->prey && info->squad)) return;
    tool_point goal = centre_of(video, fleet, info->goal, info->body);
    float radius = 1.25f * radius_of(video, info->body);
    tool_canvas_mark(&video->canvas, TOOL_MARK_STAR, goal, radius + 2, white, 0.9f);
    tool_canvas_mark(&video->canvas, TOOL_MARK_STAR, goal, radius, colour, 0.75f);
}

static void draw_agent(tool_video *video, const tool_fleet *fleet, const wend_member_info *info) {
    tool_point centre = centre_of(video, fleet, info->cell, info->body);
    float radius = radius_of(video, info->body);
    if (video->tails) tool_canvas_mark(&video->canvas, TOOL_MARK_DISC, centre, radius + 1.2f, white, 1);
    tool_canvas_mark(&video->canvas, TOOL_MARK_DISC, centre, radius, tool_distinct_colour(info->squad), 1);
}

/* What can't be written is said at the end. */
static void write_out(tool_video *video) {
    wend_bytes *bytes = &video->gif.bytes;
    (void)fwrite(bytes->data, 1, bytes->size, video->output.stream);
    video->written += bytes->size;
    bytes->size = 0;
}

bool tool_video_add(tool_video *video, const tool_fleet *fleet) {
    wend_error error;
    wend_status status = draw_ground(video, fleet, &error);
    wend_member_info info;
    for (uint32_t i = 0; video->tails && tool_fleet_look(fleet, i, &info); i++)
        draw_tail(video, fleet, i, &info);
    for (uint32_t i = 0; tool_fleet_look(fleet, i, &info); i++) draw_agent(video, fleet, &info);
    for (size_t i = 0; i < (size_t)video->canvas.width * video->canvas.height; i++)
        video->pixels[i] = number_of(video, video->canvas.rgb + 3 * i);
    if (status == WEND_OK) status = tool_gif_add(&video->gif, video->pixels, &error);
    if (status != WEND_OK) {
        (void)tool_wrong_error(&error);
        return false;
    }
    write_out(video);
    return !ferror(video->output.stream) || tool_output_end(&video->output);
}

bool tool_video_full(const tool_video *video) {
    return video->gif.pictures > TOOL_VIDEO_TICKS || /* the first is of no tick */
           video->written >= (uint64_t)TOOL_VIDEO_MEGABYTES * 1024 * 1024;
}

bool tool_video_save(tool_video *video) {
    wend_error error;
    if (tool_gif_end(&video->gif, &error) != WEND_OK) {
        (void)tool_wrong_error(&error);
        return false;
    }
    write_out(video);
    return tool_output_end(&video->output);
}

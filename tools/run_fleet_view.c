/* A fleet in the terminal: the map in characters, each for a block of cells, and lines of figures below. */
#define _DEFAULT_SOURCE

#include "run_fleet.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { LINES_BELOW = 3, LEAST_COLUMNS = 20, LEAST_ROWS = 8, MOST_SIDE = 500 };

struct tool_view {
    uint32_t columns, rows; /* of the picture */
    uint32_t across, down;  /* cells a character stands for */
    uint32_t screen;        /* columns of the terminal */
    bool colours;
    uint32_t *count; /* agents in each block, */
    uint8_t *squad;  /* and the planner of one of them */
    char *ground;    /* the letter of each block where nobody is */
    char *text;      /* a whole picture, so that it is written at once */
    size_t room, size;
};

static uint32_t at_most(uint32_t value, uint32_t most) {
    return value < most ? value : most;
}

/* Characters are twice as high as wide, and so are the blocks they stand for, unless the map is small. */
static void choose_blocks(tool_view *view, const wend_map *map, uint32_t rows) {
    uint32_t width = (uint32_t)wend_map_width(map), height = (uint32_t)wend_map_height(map);
    view->across = (width + view->screen - 1) / view->screen;
    view->down = (height + rows - 1) / rows;
    if (view->down < 2 * view->across && view->across > 1) view->down = 2 * view->across;
    if (view->across < view->down / 2) view->across = view->down / 2;
    view->columns = (width + view->across - 1) / view->across;
    view->rows = (height + view->down - 1) / view->down;
}

tool_view *tool_view_begin(const tool_fleet *fleet) {
    const char *kind = getenv("TERM");
    if (!isatty(STDOUT_FILENO) || !kind || strcmp(kind, "dumb") == 0) return NULL;
    struct winsize size = {.ws_row = 24, .ws_col = 80};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || !size.ws_row || !size.ws_col)
        size.ws_row = 24, size.ws_col = 80;
    if (size.ws_row < LEAST_ROWS || size.ws_col < LEAST_COLUMNS) return NULL;
    tool_view *view = calloc(1, sizeof *view);
    if (!view) return NULL;
    view->screen = at_most(size.ws_col, MOST_SIDE);
    choose_blocks(view, fleet->map, at_most(size.ws_row, MOST_SIDE) - LINES_BELOW - 1);
    const char *no_colour = getenv("NO_COLOR");
    view->colours = !no_colour || !*no_colour;
    size_t blocks = (size_t)view->columns * view->rows;
    view->count = calloc(blocks, sizeof *view->count);
    view->squad = calloc(blocks, 1);
    view->ground = calloc(blocks, 1);
    view->room = blocks * 16 + ((size_t)view->rows + LINES_BELOW + 1) * ((size_t)view->screen + 32) + 256;
    view->text = malloc(view->room);
    if (!view->count || !view->squad || !view->ground || !view->text) {
        free(view->count), free(view->squad), free(view->ground), free(view->text);
        free(view);
        return NULL;
    }
    (void)fputs("\x1b[?1049h\x1b[?25l\x1b[2J", stdout); /* another screen, no cursor, all blank */
    (void)fflush(stdout);
    return view;
}

void tool_view_end(tool_view *view) {
    if (!view) return;
    (void)fputs("\x1b[0m\x1b[?25h\x1b[?1049l", stdout);
    (void)fflush(stdout);
    free(view->count), free(view->squad), free(view->ground), free(view->text);
    free(view);
}

static void look_at_map(const tool_view *view, const wend_map *map) {
    for (uint32_t row = 0; row < view->rows; row++)
        for (uint32_t column = 0; column < view->columns; column++) {
            uint32_t open = 0, all = 0;
            for (uint32_t j = 0; j < view->down; j++)
                for (uint32_t i = 0; i < view->across; i++) {
                    int32_t x = (int32_t)(column * view->across + i), y = (int32_t)(row * view->down + j);
                    if (x >= wend_map_width(map) || y >= wend_map_height(map)) continue;
                    all++;
                    open += wend_map_is_open(map, x, y);
                }
            char letter = open == all ? ' ' : 2 * open >= all ? ':' : '#';
            view->ground[row * view->columns + column] = letter;
        }
}

static void look_at_agents(const tool_view *view, const tool_fleet *fleet) {
    wend_member_info info;
    memset(view->count, 0, (size_t)view->columns * view->rows * sizeof *view->count);
    for (uint32_t i = 0; tool_fleet_look(fleet, i, &info); i++) {
        wend_xy at = wend_map_xy(fleet->map, info.cell);
        size_t block = (uint32_t)at.y / view->down * view->columns + (uint32_t)at.x / view->across;
        if (!view->count[block]++) view->squad[block] = (uint8_t)info.squad;
    }
}

static void add(tool_view *view, const char *text) {
    size_t length = strlen(text);
    if (view->size + length >= view->room) return;
    memcpy(view->text + view->size, text, length);
    view->size += length;
}

static void add_block(tool_view *view, size_t block, int *colour) {
    static const int colours[] = {33, 208, 40, 199, 226, 51, 141, 196};
    uint32_t count = view->count[block];
    char letter[2] = {view->ground[block], 0}, change[16];
    if (count) letter[0] = count == 1 ? 'o' : count < 10 ? (char)('0' + count) : '*';
    int wanted = count ? colours[view->squad[block] % (sizeof colours / sizeof *colours)]
                 : view->ground[block] == ' ' ? *colour
                                              : 240;
    if (view->colours && wanted != *colour) {
        (void)snprintf(change, sizeof change, "\x1b[38;5;%dm", wanted);
        add(view, change);
        *colour = wanted;
    }
    add(view, letter);
}

/* A line of words, cut at the screen's edge. */
static void add_line(tool_view *view, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add_line(tool_view *view, const char *format, ...) {
    char line[MOST_SIDE + 1];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length < 0) return;
    if ((uint32_t)length > view->screen) line[view->screen] = 0;
    add(view, "\x1b[0m");
    add(view, line);
    add(view, "\x1b[K");
}

static void add_figures(tool_view *view, const tool_fleet *fleet) {
    const tool_fleet_sums *sums = &fleet->sums;
    const wend_tick *t = &fleet->last;
    add_line(view, "%s, %" PRIu32 " agents: tick %" PRIu64 ", %.3f ms (mean %.3f, max %.3f)", fleet->map_name,
             fleet->agents, t->tick, fleet->last_seconds * 1e3, sums->seconds / (double)sums->ticks * 1e3,
             sums->longest * 1e3);
    add(view, "\r\n");
    add_line(view,
             "moving %" PRIu64 "  thinking %" PRIu64 "  starved %" PRIu64 "  postponed %" PRIu64
             "  arrivals %" PRIu64,
             t->moves, t->thinking, t->starved, t->postponed, sums->arrived);
    add(view, "\r\n");
    if (fleet->has_event) {
        wend_xy at = wend_map_xy(fleet->map, fleet->event.cell);
        add_line(view, "agent %" PRIu32 " %s at %d,%d in tick %" PRIu64 "   (Ctrl-C ends)",
                 (uint32_t)fleet->event.member, wend_event_name(fleet->event.kind), (int)at.x, (int)at.y,
                 fleet->event.tick);
    } else {
        add_line(view, "(Ctrl-C ends)");
    }
}

void tool_view_show(tool_view *view, const tool_fleet *fleet) {
    view->size = 0;
    look_at_map(view, wend_fleet_map(fleet->fleet, 1));
    look_at_agents(view, fleet);
    add(view, "\x1b[H");
    int colour = -1;
    for (uint32_t row = 0; row < view->rows; row++) {
        for (uint32_t column = 0; column < view->columns; column++)
            add_block(view, (size_t)row * view->columns + column, &colour);
        add(view, "\x1b[K\r\n");
    }
    add_figures(view, fleet);
    (void)fwrite(view->text, 1, view->size, stdout);
    (void)fflush(stdout);
}

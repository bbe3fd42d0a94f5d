/* A fleet in the terminal: the map in characters, each for a block of cells, and lines of figures below. */
#define _DEFAULT_SOURCE

#include "commands/run/run.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

enum { LINES_BELOW = 4, LEAST_COLUMNS = 20, LEAST_ROWS = 8, MOST_SIDE = 500 };

struct tool_view {
    struct winsize size;    /* of the terminal */
    uint32_t columns, rows; /* of the picture; none where the terminal has become too small for it */
    uint32_t across, down;  /* cells a character stands for */
    uint32_t screen;        /* columns of the terminal */
    bool colours;
    uint32_t *count;         /* agents in each block, */
    uint8_t *squad;          /* and the planner of one of them */
    char *ground;            /* the letter of each block where nobody is */
    char *text;              /* a whole picture, so that it is written at once */
    size_t room, used;       /* of text */
    struct sigaction before; /* what Ctrl-Z did */
    struct termios typed;    /* what the terminal did with what is typed, */
    bool silent;             /* and whether it was set not to show it */
};

/* The terminal ------------------------------------------------------------------------------------------- */

static const char enter[] = "\x1b[?1049h\x1b[?25l\x1b[2J", /* another screen, no cursor, all blank */
    leave[] = "\x1b[0m\x1b[?25h\x1b[?1049l";

static volatile sig_atomic_t stop_wanted;

static void note_stop(int number) {
    (void)number;
    stop_wanted = 1;
}

static void write_now(const char *words) {
    (void)fputs(words, stdout);
    (void)fflush(stdout);
}

/* What is typed is not shown among the pictures. In the background the terminal is somebody else's. */
static void hush(tool_view *view) {
    pid_t foreground = tcgetpgrp(STDOUT_FILENO);
    if (foreground != -1 && foreground != getpgrp()) return;
    if (tcgetattr(STDOUT_FILENO, &view->typed) != 0) return;
    struct termios quiet = view->typed;
    quiet.c_lflag &= ~(tcflag_t)ECHO;
    view->silent = tcsetattr(STDOUT_FILENO, TCSANOW, &quiet) == 0;
}

/* Of the view that has the screen, for the handler of a signal that ends the program. */
static struct termios typed_before;
static volatile sig_atomic_t silent_now;

static void restore_at_signal(void) {
    ssize_t written = write(STDOUT_FILENO, leave, sizeof leave - 1);
    (void)written;
    if (silent_now) (void)tcsetattr(STDOUT_FILENO, TCSANOW, &typed_before);
}

static void take_screen(tool_view *view) {
    hush(view);
    typed_before = view->typed, silent_now = view->silent;
    tool_before_signal_ends(restore_at_signal);
    write_now(enter);
}

static void give_screen_back(tool_view *view) {
    tool_before_signal_ends(NULL);
    write_now(leave);
    if (view->silent) (void)tcsetattr(STDOUT_FILENO, TCSANOW, &view->typed);
    view->silent = false;
}

/* After Ctrl-Z, between two pictures: the shell gets its screen back, until it lets us go on. */
static void stop_if_wanted(tool_view *view) {
    if (!stop_wanted) return;
    stop_wanted = 0;
    give_screen_back(view);
    (void)raise(SIGSTOP);
    take_screen(view);
}

static struct winsize ask_size(void) {
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || !size.ws_row || !size.ws_col)
        size = (struct winsize){.ws_row = 24, .ws_col = 80};
    return size;
}

static uint32_t at_most(uint32_t value, uint32_t most) {
    return value < most ? value : most;
}

static bool is_too_small(struct winsize size) {
    return size.ws_row < LEAST_ROWS || size.ws_col < LEAST_COLUMNS;
}

/* Characters are twice as high as wide, and so are the blocks they stand for, unless the map is small. */
static void choose_blocks(tool_view *view, const wend_map *map) {
    uint32_t width = (uint32_t)wend_map_width(map), height = (uint32_t)wend_map_height(map);
    uint32_t rows = at_most(view->size.ws_row, MOST_SIDE) - LINES_BELOW;
    view->across = (width + view->screen - 1) / view->screen;
    view->down = (height + rows - 1) / rows;
    if (view->down < 2 * view->across && view->across > 1) view->down = 2 * view->across;
    if (view->across < view->down / 2) view->across = view->down / 2;
    view->columns = (width + view->across - 1) / view->across;
    view->rows = (height + view->down - 1) / view->down;
}

static void release_blocks(tool_view *view) {
    free(view->count), free(view->squad), free(view->ground), free(view->text);
    view->count = NULL, view->squad = NULL, view->ground = NULL, view->text = NULL;
}

/* Room for pictures of the terminal's size; false if there is no memory, and then there are none. */
static bool fit(tool_view *view, const wend_map *map, struct winsize size) {
    release_blocks(view);
    view->size = size;
    view->screen = at_most(size.ws_col, MOST_SIDE);
    view->columns = view->rows = 0, view->across = view->down = 1;
    if (!is_too_small(size)) choose_blocks(view, map);
    size_t blocks = (size_t)view->columns * view->rows;
    view->count = calloc(blocks ? blocks : 1, sizeof *view->count);
    view->squad = calloc(blocks ? blocks : 1, 1);
    view->ground = calloc(blocks ? blocks : 1, 1);
    /* A block may change the colour, and so may a word of the legend. */
    view->room = blocks * 16 + ((size_t)view->rows + 2 * LINES_BELOW + 1) * ((size_t)view->screen + 32) +
                 TOOL_RUN_SQUADS * 16 + 256;
    view->text = malloc(view->room);
    return view->count && view->squad && view->ground && view->text;
}

tool_view *tool_view_begin(const tool_fleet *fleet) {
    const char *kind = getenv("TERM");
    if (!isatty(STDOUT_FILENO) || !kind || strcmp(kind, "dumb") == 0) return NULL;
    struct winsize size = ask_size();
    tool_view *view = is_too_small(size) ? NULL : calloc(1, sizeof *view);
    if (!view) return NULL;
    const char *no_colour = getenv("NO_COLOR");
    view->colours = !no_colour || !*no_colour;
    if (!fit(view, fleet->map, size)) {
        release_blocks(view);
        free(view);
        return NULL;
    }
    struct sigaction action = {.sa_handler = note_stop, .sa_flags = (int)SA_RESTART};
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGTSTP, &action, &view->before);
    take_screen(view);
    return view;
}

void tool_view_end(tool_view *view) {
    if (!view) return;
    (void)sigaction(SIGTSTP, &view->before, NULL);
    give_screen_back(view);
    release_blocks(view);
    free(view);
}

/* The picture -------------------------------------------------------------------------------------------- */

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

/* A body stands in every block that one of its cells is in. */
static void look_at_agents(const tool_view *view, const tool_fleet *fleet) {
    wend_member_info info;
    memset(view->count, 0, (size_t)view->columns * view->rows * sizeof *view->count);
    for (uint32_t i = 0; view->rows && tool_fleet_look(fleet, i, &info); i++) {
        wend_xy at = wend_map_xy(fleet->map, info.cell);
        uint32_t x = (uint32_t)at.x, y = (uint32_t)at.y, more = (uint32_t)info.body - 1;
        for (uint32_t row = y / view->down; row <= (y + more) / view->down; row++)
            for (uint32_t column = x / view->across; column <= (x + more) / view->across; column++) {
                size_t block = (size_t)row * view->columns + column;
                if (!view->count[block]++) view->squad[block] = (uint8_t)info.squad;
            }
    }
}

static void add(tool_view *view, const char *text) {
    size_t length = strlen(text);
    if (view->used + length >= view->room) return;
    memcpy(view->text + view->used, text, length);
    view->used += length;
}

enum { WALL_COLOUR = 240 };

static int colour_of(int squad) {
    static const int colours[] = {33, 208, 40, 199, 226, 51, 141, 196};
    return colours[squad % (int)(sizeof colours / sizeof *colours)];
}

static void change_colour(tool_view *view, int wanted, int *colour) {
    char change[16];
    if (!view->colours || wanted == *colour) return;
    (void)snprintf(change, sizeof change, "\x1b[38;5;%dm", wanted);
    add(view, change);
    *colour = wanted;
}

static void add_block(tool_view *view, size_t block, int *colour) {
    uint32_t count = view->count[block];
    char letter[2] = {view->ground[block], 0};
    if (count) letter[0] = count == 1 ? 'o' : count < 10 ? (char)('0' + count) : '*';
    if (count || view->ground[block] != ' ')
        change_colour(view, count ? colour_of(view->squad[block]) : WALL_COLOUR, colour);
    add(view, letter);
}

/* A line of words, cut at the screen's edge. */
static void add_line(tool_view *view, char *line) {
    if (strlen(line) > view->screen) line[view->screen] = 0;
    add(view, "\x1b[0m");
    add(view, line);
    add(view, "\x1b[K");
}

/* Which colour is whose, as far as they fit. */
static void add_legend(tool_view *view, const tool_fleet *fleet) {
    uint32_t used = 0;
    int colour = -1;
    for (int i = 0; i < fleet->squads; i++) {
        char words[MOST_SIDE + 1];
        int length = fleet->bodies[i] > 1
                         ? snprintf(words, sizeof words, "o %s, %d x %d  ", fleet->planners[i],
                                    (int)fleet->bodies[i], (int)fleet->bodies[i])
                         : snprintf(words, sizeof words, "o %s  ", fleet->planners[i]);
        if (length < 2 || used + (uint32_t)length - 2 > view->screen) break;
        used += (uint32_t)length;
        if (used > view->screen) words[strlen(words) - (used - view->screen)] = 0;
        change_colour(view, colour_of(i), &colour);
        add(view, words);
    }
    add(view, "\x1b[0m\x1b[K");
}

static void add_figures(tool_view *view, const tool_fleet *fleet) {
    const tool_fleet_sums *sums = &fleet->sums;
    const wend_tick *t = &fleet->last;
    char line[MOST_SIDE + 1];
    (void)snprintf(line, sizeof line,
                   "%s, %" PRIu32 " agents: tick %" PRIu64 ", %.3f ms (mean %.3f, max %.3f)", fleet->map_name,
                   fleet->agents, t->tick, fleet->last_seconds * 1e3,
                   sums->seconds / (double)sums->ticks * 1e3, sums->longest * 1e3);
    add_line(view, line);
    if (!view->rows) return; /* no room for more */
    add(view, "\r\n");
    (void)snprintf(line, sizeof line,
                   "moving %" PRIu64 "  thinking %" PRIu64 "  starved %" PRIu64 "  postponed %" PRIu64
                   "  arrivals %" PRIu64 "  unreachable %" PRIu64,
                   t->moves, t->thinking, t->starved, t->postponed, sums->arrived, sums->unreachable);
    add_line(view, line);
    add(view, "\r\n");
    (void)snprintf(line, sizeof line, "(Ctrl-C ends)");
    if (fleet->has_event) {
        wend_xy at = wend_map_xy(fleet->map, fleet->event.cell);
        (void)snprintf(line, sizeof line, "agent %" PRIu32 " %s at %d,%d in tick %" PRIu64 "   (Ctrl-C ends)",
                       (uint32_t)fleet->event.member, wend_event_name(fleet->event.kind), (int)at.x,
                       (int)at.y, fleet->event.tick);
    }
    add_line(view, line);
    add(view, "\r\n");
    add_legend(view, fleet);
}

void tool_view_show(tool_view *view, const tool_fleet *fleet) {
    struct winsize size = ask_size();
    bool resized = size.ws_row != view->size.ws_row || size.ws_col != view->size.ws_col;
    if ((resized || !view->text) && !fit(view, fleet->map, size)) {
        release_blocks(view); /* and again at the next picture */
        return;
    }
    view->used = 0;
    look_at_map(view, wend_fleet_map(fleet->fleet, 1));
    look_at_agents(view, fleet);
    add(view, resized ? "\x1b[0m\x1b[2J\x1b[H" : "\x1b[H");
    int colour = -1;
    for (uint32_t row = 0; row < view->rows; row++) {
        for (uint32_t column = 0; column < view->columns; column++)
            add_block(view, (size_t)row * view->columns + column, &colour);
        add(view, "\x1b[K\r\n");
    }
    add_figures(view, fleet);
    (void)fwrite(view->text, 1, view->used, stdout);
    (void)fflush(stdout);
    stop_if_wanted(view);
}

/* `wend run` live: its output is read from a pseudo-terminal by a small terminal of our own, which knows the
 * sequences that the view uses. It complains of any other, of lines that are too long and of scrolling. */
#include "support/check.h"
#include "support/command/command.h"

#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum { MOST_ROWS = 64, MOST_COLUMNS = 160, PATIENCE_MS = 30000 };

typedef struct terminal {
    int master;
    pid_t child;
    int rows, columns, next_rows, next_columns; /* the next from the moment when all is cleared */
    int x, y;
    char cells[MOST_ROWS][MOST_COLUMNS + 1];
    bool other, cursor;                  /* the other screen is shown; the cursor is */
    unsigned entered, left;              /* times */
    unsigned pictures, colours, cleared; /* since the last change of size: the first */
    unsigned scrolled, long_lines, unknown;
    char sequence[32]; /* one that is not complete yet */
    size_t length;
    bool ended;
} terminal;

static void clear(terminal *t) {
    for (int y = 0; y < MOST_ROWS; y++) {
        memset(t->cells[y], ' ', MOST_COLUMNS);
        t->cells[y][MOST_COLUMNS] = 0;
    }
}

/* ESC [ ... letter, all of it in t->sequence. */
static void obey(terminal *t) {
    const char *words = t->sequence + 2;
    char last = t->sequence[t->length - 1];
    if (strcmp(words, "?1049h") == 0) {
        t->other = true, t->entered++;
    } else if (strcmp(words, "?1049l") == 0) {
        t->other = false, t->left++;
    } else if (strcmp(words, "?25h") == 0 || strcmp(words, "?25l") == 0) {
        t->cursor = last == 'h';
    } else if (strcmp(words, "2J") == 0) {
        clear(t);
        t->rows = t->next_rows, t->columns = t->next_columns;
        t->cleared++;
    } else if (strcmp(words, "H") == 0) {
        t->x = t->y = 0, t->pictures++;
    } else if (strcmp(words, "K") == 0) {
        for (int x = t->x; x < t->columns; x++) t->cells[t->y][x] = ' ';
    } else if (last == 'm') {
        t->colours++;
    } else {
        t->unknown++;
    }
}

static void put(terminal *t, char byte) {
    if (t->length) {
        t->sequence[t->length++] = byte;
        t->sequence[t->length] = 0;
        if (t->length == 2) return;
        bool done = byte >= '@' && byte <= '~';
        if (done) obey(t);
        if (!done && t->length + 1 == sizeof t->sequence) t->unknown++, done = true;
        if (done) t->length = 0;
    } else if (byte == '\x1b') {
        t->sequence[t->length++] = byte;
    } else if (byte == '\r') {
        t->x = 0;
    } else if (byte == '\n') {
        if (t->y + 1 < t->rows)
            t->y++;
        else if (t->other)
            t->scrolled++;
    } else if (t->x < t->columns) {
        t->cells[t->y][t->x++] = byte;
    } else if (t->other) {
        t->long_lines++;
    }
}

static bool start(terminal *t, int rows, int columns, const char *line) {
    *t = (terminal){
        .rows = rows, .columns = columns, .next_rows = rows, .next_columns = columns, .cursor = true};
    clear(t);
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
    t->child = forkpty(&t->master, NULL, NULL, &size);
    if (t->child == 0) {
        (void)setenv("TERM", "xterm-256color", 1);
        _exit(test_shell(line) & 255);
    }
    /* When Ctrl-Z or Ctrl-C is typed a terminal drops what it has not shown yet, wherever that ends, and
     * shows the key in the midst of whatever comes. */
    struct termios modes;
    if (!CHECK(t->child > 0 && tcgetattr(t->master, &modes) == 0)) return false;
    modes.c_lflag |= NOFLSH, modes.c_lflag &= ~(tcflag_t)ECHO;
    return CHECK(tcsetattr(t->master, TCSANOW, &modes) == 0);
}

/* Reads until the number is as high as this, or the program has ended. `woken`: it is continued as long as
 * there is nothing to read, since it may not have stopped yet the first time. */
static bool read_or_wake(terminal *t, const unsigned *number, unsigned least, bool woken) {
    enum { NAP_MS = 100 };
    char bytes[4096];
    int waited = 0;
    while (*number < least && !t->ended) {
        struct pollfd waiting = {.fd = t->master, .events = POLLIN};
        if (woken) CHECK(kill(-t->child, SIGCONT) == 0);
        int ready = poll(&waiting, 1, NAP_MS);
        if (ready < 0 && errno == EINTR) continue;
        waited = ready ? 0 : waited + NAP_MS;
        if (!CHECK_THAT(waited < PATIENCE_MS, "nothing to read for %d seconds", PATIENCE_MS / 1000))
            return false;
        if (!ready) continue;
        ssize_t count = read(t->master, bytes, sizeof bytes);
        if (count <= 0) t->ended = true; /* EIO when the other side is closed */
        for (ssize_t i = 0; i < count; i++) put(t, bytes[i]);
    }
    return *number >= least;
}

static bool read_until(terminal *t, const unsigned *number, unsigned least) {
    return read_or_wake(t, number, least, false);
}

/* Reads to the end; how it ended. One that does not end is ended. */
static int read_to_the_end(terminal *t) {
    static const unsigned never;
    int status = -1;
    (void)read_until(t, &never, 1);
    if (!t->ended) (void)kill(-t->child, SIGKILL);
    CHECK(waitpid(t->child, &status, 0) == t->child && close(t->master) == 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool show_some(terminal *t) {
    return CHECK(read_until(t, &t->pictures, t->pictures + 4));
}

static void resize(terminal *t, int rows, int columns) {
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
    t->next_rows = rows, t->next_columns = columns;
    CHECK(ioctl(t->master, TIOCSWINSZ, &size) == 0);
    CHECK(read_until(t, &t->cleared, t->cleared + 1));
    show_some(t);
}

static size_t count_of(const terminal *t, char letter, int rows) {
    size_t count = 0;
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < t->columns; x++) count += t->cells[y][x] == letter;
    return count;
}

static bool has(const terminal *t, int row, const char *words) {
    return row >= 0 && strstr(t->cells[row], words) != NULL;
}

/* The picture, its figures and the legend, wherever they end. */
static void check_picture(const terminal *t) {
    int last = t->rows - 1;
    while (last > 0 && strspn(t->cells[last], " ") == MOST_COLUMNS) last--;
    CHECK_THAT(has(t, last - 3, "f.map, 24 agents: tick ") && has(t, last - 2, "moving ") &&
                   has(t, last - 1, "(Ctrl-C ends)") && has(t, last, "o lrta  o tba:k=50"),
               "%d x %d: the last lines are\n%s\n%s\n%s\n%s", t->columns, t->rows,
               t->cells[last > 3 ? last - 3 : 0], t->cells[last > 2 ? last - 2 : 0],
               t->cells[last > 1 ? last - 1 : 0], t->cells[last]);
    CHECK(last > 4 && count_of(t, '#', last - 3) > 10 && count_of(t, 'o', last - 3) > 0);
    CHECK_THAT(!t->scrolled && !t->long_lines && !t->unknown, "%d x %d: scrolled %u, %u too long, %u unknown",
               t->columns, t->rows, t->scrolled, t->long_lines, t->unknown);
    test_case();
}

static void the_view_fits_and_leaves_the_terminal_as_it_was(void) {
    if (!test_command_begin()) return;
    terminal t;
    if (CHECK(test_shell("\"$WEND\" map gen rooms 60x40 -o f.map --quiet") == 0) &&
        start(&t, 24, 80,
              "exec \"$WEND\" run f.map --agents 24 --planner lrta --planner tba:k=50 --planner lrta:d=2 "
              "--body 1 --body 1 --body 2 --ticks 0 --rate 100")) {
        if (show_some(&t)) check_picture(&t);
        CHECK(t.other && !t.cursor && t.entered == 1 && t.colours > 10);
        CHECK(has(&t, 23, "o lrta  o tba:k=50  o lrta:d=2, 2 x 2"));
        static const int sizes[][2] = {{18, 60}, {40, 70}, {8, 24}, {50, 150}, {24, 80}};
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            resize(&t, sizes[i][0], sizes[i][1]);
            if (sizes[i][1] >= 60) check_picture(&t);
        }
        resize(&t, 5, 15); /* too small for a picture: one line, and the rest is blank */
        CHECK(has(&t, 0, "f.map, 24 agent") && strspn(t.cells[1], " ") == MOST_COLUMNS);
        resize(&t, 24, 80);
        check_picture(&t);
        /* Ctrl-Z gives the screen back, and the picture returns with it. */
        CHECK(write(t.master, "\x1a", 1) == 1 && read_until(&t, &t.left, 1) && !t.other && t.cursor);
        CHECK(read_or_wake(&t, &t.entered, 2, true));
        if (show_some(&t)) check_picture(&t);
        CHECK(t.other && !t.cursor);
        /* Ctrl-C ends it with a summary on the first screen. */
        CHECK(write(t.master, "\x03", 1) == 1 && read_to_the_end(&t) == 0);
        CHECK(t.ended && !t.other && t.cursor && t.entered == 2 && t.left == 2);
        bool summary = false;
        for (int y = 0; y < MOST_ROWS; y++)
            summary = summary || has(&t, y, "tick_ms_mean ") || has(&t, y, "bytes ");
        CHECK(summary);
        test_case();
    }
    test_command_end();
}

static bool shows_keys(const terminal *t) {
    struct termios modes;
    return CHECK(tcgetattr(t->master, &modes) == 0) && (modes.c_lflag & ECHO);
}

/* What is typed would stand among the pictures. */
static void keys_are_not_shown_meanwhile(void) {
    if (!test_command_begin()) return;
    terminal t;
    struct termios modes;
    if (CHECK(test_shell("\"$WEND\" map gen rooms 60x40 -o f.map --quiet") == 0) &&
        start(&t, 24, 80,
              "sleep 0.3; exec \"$WEND\" run f.map --agents 9 --planner lrta --ticks 0 --rate 100") &&
        CHECK(tcgetattr(t.master, &modes) == 0)) {
        modes.c_lflag |= ECHO;
        CHECK(tcsetattr(t.master, TCSANOW, &modes) == 0 && shows_keys(&t));
        CHECK(read_until(&t, &t.entered, 1) && !shows_keys(&t));
        CHECK(write(t.master, "\x1a", 1) == 1 && read_until(&t, &t.left, 1));
        for (int i = 0; i < 100 && !shows_keys(&t); i++)
            (void)usleep(10000); /* it is about to be given back */
        CHECK(shows_keys(&t));
        CHECK(read_or_wake(&t, &t.entered, 2, true) && !shows_keys(&t));
        CHECK(write(t.master, "\x03", 1) == 1 && read_to_the_end(&t) == 0);
        test_case();
    }
    test_command_end();
}

/* Where there is no room at all from the start, lines are printed. */
static void tiny_and_dumb_terminals_get_lines(void) {
    if (!test_command_begin()) return;
    static const char *const lines[] = {
        "exec \"$WEND\" run f.map --agents 5 --planner lrta --ticks 20",
        "TERM=dumb exec \"$WEND\" run f.map --agents 5 --planner lrta --ticks 20",
    };
    CHECK(test_shell("\"$WEND\" map gen rooms 60x40 -o f.map --quiet") == 0);
    for (int i = 0; i < 2; i++) {
        terminal t;
        if (!start(&t, i ? 24 : 4, i ? 80 : 15, lines[i])) continue;
        CHECK(read_to_the_end(&t) == 0 && t.ended && !t.entered && !t.unknown && !t.colours);
        test_case();
    }
    test_command_end();
}

static const test tests[] = {
    {"the view fits, and leaves the terminal as it was", the_view_fits_and_leaves_the_terminal_as_it_was},
    {"keys are not shown meanwhile", keys_are_not_shown_meanwhile},
    {"tiny and dumb terminals get lines", tiny_and_dumb_terminals_get_lines},
};
TEST_MAIN(tests)

/* How often `wend bench` opens the files of its databases. */
#include "support/check.h"
#include "support/command/command.h"

#include <stdio.h>
#include <sys/inotify.h>
#include <unistd.h>

/* How often the file is opened while the line runs; -1 where the system does not tell. */
static int count_opens(const char *name, const char *line) {
    char path[64];
    struct inotify_event event; /* of a file: no name behind it */
    FILE *file = test_command_open(name, "r");
    int watcher = inotify_init1(IN_NONBLOCK), opens = 0;
    if (!CHECK(file != NULL)) return -1;
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(file));
    bool good = watcher >= 0 && inotify_add_watch(watcher, path, IN_OPEN | IN_CLOSE) >= 0;
    CHECK(test_shell(line) == 0);
    /* Two opens in a row would be reported as one: the closing comes between. */
    while (good && read(watcher, &event, sizeof event) == sizeof event) opens += (event.mask & IN_OPEN) != 0;
    if (watcher >= 0) (void)close(watcher);
    (void)fclose(file);
    return good ? opens : -1;
}

/* Checking a database takes as long as reading all of it. */
static void databases_are_opened_once(void) {
    if (!test_command_begin()) return;
    static const char *const lines[] = {
        "\"$WEND\" bench world.map world.scen --quiet --limit 9 --planner cpd:db=a.wend >table",
        "\"$WEND\" bench world.map world.scen --quiet --limit 9 --planner cpd:db=a.wend --planner astar "
        "--planner knn:db=b.wend --planner cpd:db=a.wend --html page.html >table",
        "\"$WEND\" bench world.map world.scen --quiet --limit 9 --planner cpd:db=a.wend --edits 1 --repair 1000 "
        ">table",
    };
    CHECK(test_shell(
              "\"$WEND\" map gen caves 50x40 -o world.map --quiet && "
              "\"$WEND\" scen gen world.map -n 40 -o world.scen --quiet && "
              "\"$WEND\" build cpd world.map -o a.wend --quiet && \"$WEND\" build knn world.map -o b.wend "
              "records=20 --quiet") == 0);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        int opens = count_opens("a.wend", lines[i]);
        CHECK_THAT(opens == 1 || opens == -1, "%d opens: %s", opens, lines[i]);
        test_case();
    }
    test_command_end();
}

static const test tests[] = {
    {"databases are opened once", databases_are_opened_once},
};
TEST_MAIN(tests)

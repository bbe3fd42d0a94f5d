#include "support/misuse.h"

#include "support/check.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

const wend_cell test_far_cells[TEST_FAR] = {TEST_MISUSE_CELLS, TEST_MISUSE_CELLS + 1, WEND_NO_CELL - 1,
                                            WEND_NO_CELL};
const wend_rect test_bad_areas[TEST_AREAS] = {{0, 0, 0, 1},         {0, 0, 1, 0},
                                              {-1, 0, 1, 1},        {0, -1, 2, 2},
                                              {10, 0, 1, 1},        {0, 8, 1, 1},
                                              {5, 0, INT32_MAX, 1}, {INT32_MAX, INT32_MAX, 1, 1},
                                              {1, 1, -1, 1},        {INT32_MIN, 0, INT32_MIN, 1}};
wend_error test_misuse_error, *E;

/* Seen by both processes. */
static struct {
    char call[300]; /* the last one */
    unsigned good, bad;
} * shown;

void test_misuse_note(const char *call) {
    (void)snprintf(shown->call, sizeof shown->call, "%s", call);
}

void test_misuse_count(bool good) {
    if (!good) printf("%s\n", shown->call);
    (void)(good ? shown->good++ : shown->bad++);
}

void test_misuse_refused(wend_status status) {
    const wend_error said = test_misuse_error;
    bool words = !E || (said.message[0] && said.status == status);
    if (!words || status == WEND_OK) printf("%s, '%s': ", wend_status_text(status), said.message);
    test_misuse_count(words && status > WEND_OK && status < WEND_STATUS_COUNT);
    test_misuse_error = (wend_error){0};
}

static void set_up(test_misuse *t) {
    const wend_build_options options = wend_default_build_options();
    const char *path = test_path("misuse.wend");
    wend_settings *kind = NULL;
    RIGHT(wend_map_create(10, 8, NULL, &t->map, E));
    RIGHT(wend_map_edit(t->map, (wend_rect){0, 0, 10, 8}, true, E));
    RIGHT(wend_map_edit(t->map, (wend_rect){3, 3, 1, 1}, false, E));
    RIGHT(wend_map_create(5, 5, NULL, &t->other, E));
    RIGHT(wend_map_edit(t->other, (wend_rect){0, 0, 5, 5}, true, E));
    RIGHT(wend_settings_parse("astar:k=5", NULL, &t->astar, E));
    RIGHT(wend_settings_parse("cpd:db=x", NULL, &t->cpd, E));
    RIGHT(wend_settings_parse("lrta", NULL, &t->lrta, E));
    RIGHT(wend_db_settings_parse("cpd", NULL, &kind, E));
    RIGHT(wend_db_build(t->map, kind, &options, path, E));
    t->file = test_read(path);
    RIGHT(wend_db_open_memory(t->file.data, t->file.size, t->map, NULL, &t->db, E));
    RIGHT(wend_db_open_memory(t->file.data, t->file.size, NULL, NULL, &t->homeless, E));
    wend_settings_destroy(kind);
}

static void take_down(test_misuse *t) {
    wend_db_close(t->db);
    wend_db_close(t->homeless);
    wend_settings_destroy(t->astar);
    wend_settings_destroy(t->cpd);
    wend_settings_destroy(t->lrta);
    wend_map_destroy(t->map);
    wend_map_destroy(t->other);
    free(t->file.data);
}

static void in_a_process(const char *name, void (*group)(const test_misuse *t)) {
    enum { SECONDS = 120 };
    *shown->call = 0, shown->good = shown->bad = 0;
    (void)fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        (void)alarm(SECONDS);
        test_misuse all = {0};
        set_up(&all);
        group(&all);
        take_down(&all);
        exit(fflush(NULL) ? 3 : 0); /* sanitizers look for what was not freed */
    }
    int status = -1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK_THAT(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%s: %s %d at or after %s", name,
               WIFSIGNALED(status) ? "signal" : "exit status",
               WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), shown->call);
    test_case();
    for (unsigned i = 0; i < shown->good; i++) test_case();
    for (unsigned i = 0; i < shown->bad; i++) {
        CHECK_THAT(false, "%s: an answer that should be another one, see above", name);
        test_case();
    }
}

void test_misuse_run(const test_misuse_group *groups, size_t count) {
    shown = mmap(NULL, sizeof *shown, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (!CHECK(shown != MAP_FAILED)) return;
    for (size_t i = 0; i < count; i++) in_a_process(groups[i].name, groups[i].run);
    (void)munmap(shown, sizeof *shown);
}

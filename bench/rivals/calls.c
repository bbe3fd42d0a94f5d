/* Whole paths in one call, by libtcod's A* and by wend_search_find, on a map and its problems: rivals/run calls it. libtcod
 * cuts corners, so it is compared with wend under `--corners any`. Prints a line per problem: name, number, nanoseconds of
 * processor time (the least of three), length (-1: no path). */
#define _POSIX_C_SOURCE 200809L
#include <libtcod/libtcod.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <wend/wend.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

typedef struct callee {
    TCOD_path_t tcod;
    const wend_map *map;
    wend_search *search;
    wend_xy *path; /* with room for all cells */
} callee;

/* The whole path, cell by cell, as a game would take it. */
static double walk(const callee *c, wend_xy at, wend_xy goal) {
    double length = 0;
    int x, y;
    if (!TCOD_path_compute(c->tcod, at.x, at.y, goal.x, goal.y)) return -1;
    for (int i = 0; i < TCOD_path_size(c->tcod); i++) {
        TCOD_path_get(c->tcod, i, &x, &y);
        length += x != at.x && y != at.y ? sqrt(2) : 1;
        at = (wend_xy){x, y};
    }
    return length;
}

static double find(const callee *c, wend_xy at, wend_xy goal) {
    wend_result result;
    bool good =
        wend_search_find(c->search, at, goal, c->path, wend_map_cells(c->map), &result, NULL) == WEND_OK &&
        result.found == WEND_FOUND_PATH;
    return good ? wend_map_length(c->map, result.straight, result.diagonal) : -1;
}

static void measure(const char *name, double (*call)(const callee *, wend_xy, wend_xy), const callee *c,
                    int problem, wend_xy start, wend_xy goal) {
    double least = INFINITY, length = -1;
    for (int repeat = 0; repeat < 3; repeat++) {
        double begin = now();
        length = call(c, start, goal);
        least = fmin(least, now() - begin);
    }
    printf("%s\t%d\t%.0f\t%.6f\n", name, problem, least, length);
}

int main(int count, char **words) {
    wend_map *map;
    wend_search *search;
    if (count != 3 || wend_map_load(words[1], NULL, &map, NULL) != WEND_OK) return 2;
    if (wend_search_create(map, NULL, &search, NULL) != WEND_OK) return 2;
    TCOD_map_t copy = TCOD_map_new(wend_map_width(map), wend_map_height(map));
    for (int y = 0; y < wend_map_height(map); y++)
        for (int x = 0; x < wend_map_width(map); x++)
            TCOD_map_set_properties(copy, x, y, true, wend_map_is_open(map, x, y));
    callee c = {.tcod = TCOD_path_new_using_map(copy, 1.41421356f),
                .map = map,
                .search = search,
                .path = calloc(wend_map_cells(map), sizeof(wend_xy))};
    FILE *problems = fopen(words[2], "r");
    wend_xy start, goal;
    if (!c.path || !problems || fscanf(problems, "version %*s") < 0) return 2;
    for (int problem = 0;
         fscanf(problems, "%*d %*s %*d %*d %d %d %d %d %*f", &start.x, &start.y, &goal.x, &goal.y) == 4;
         problem++) {
        measure("libtcod", walk, &c, problem, start, goal);
        measure("wend_search_find", find, &c, problem, start, goal);
    }
    fclose(problems);
    free(c.path);
    TCOD_path_delete(c.tcod);
    TCOD_map_delete(copy);
    wend_search_destroy(search);
    wend_map_destroy(map);
}

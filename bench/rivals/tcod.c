/* libtcod's A* on a map and its problems: rivals/run measures it beside wend. It cuts corners, so it is compared with wend
 * under `--corners any`. Prints a line per problem: name, number, nanoseconds of processor time, length (-1: no path). */
#define _POSIX_C_SOURCE 200809L
#include <libtcod/libtcod.h>
#include <math.h>
#include <stdio.h>
#include <time.h>
#include <wend/wend.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

/* The whole path, cell by cell, as a game would take it. */
static double walk(TCOD_path_t path, int x, int y, int goal_x, int goal_y) {
    double length = 0;
    int next_x, next_y;
    if (!TCOD_path_compute(path, x, y, goal_x, goal_y)) return -1;
    for (int i = 0; i < TCOD_path_size(path); i++) {
        TCOD_path_get(path, i, &next_x, &next_y);
        length += next_x != x && next_y != y ? sqrt(2) : 1;
        x = next_x;
        y = next_y;
    }
    return length;
}

int main(int count, char **words) {
    wend_map_options options = wend_default_map_options();
    wend_map *map;
    FILE *problems;
    int bucket, width, height, x, y, goal_x, goal_y;
    double length;
    if (count != 3 || wend_map_load(words[1], &options, &map, NULL) != WEND_OK) return 2;
    TCOD_map_t copy = TCOD_map_new(wend_map_width(map), wend_map_height(map));
    for (y = 0; y < wend_map_height(map); y++)
        for (x = 0; x < wend_map_width(map); x++)
            TCOD_map_set_properties(copy, x, y, true, wend_map_is_open(map, x, y));
    TCOD_path_t path = TCOD_path_new_using_map(copy, 1.41421356f);
    if (!(problems = fopen(words[2], "r"))) return 2;
    if (fscanf(problems, "version %*s") < 0) return 2;
    for (int problem = 0; fscanf(problems, "%d %*s %d %d %d %d %d %d %lf", &bucket, &width, &height, &x, &y,
                                 &goal_x, &goal_y, &length) == 8;
         problem++) {
        double least = INFINITY;
        for (int repeat = 0; repeat < 3; repeat++) {
            double begin = now();
            length = walk(path, x, y, goal_x, goal_y);
            least = fmin(least, now() - begin);
        }
        printf("libtcod\t%d\t%.0f\t%.6f\n", problem, least, length);
    }
    fclose(problems);
    TCOD_path_delete(path);
    TCOD_map_delete(copy);
    wend_map_destroy(map);
}

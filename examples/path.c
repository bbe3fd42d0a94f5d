/* One path on a level of text: read it, search, and draw the way into it. Four calls of the library do it. */
#include <stdio.h>
#include <string.h>
#include <wend/wend.h>

static const char level[] = "####################\n"
                            "#.......#..........#\n"
                            "#.......#..####....#\n"
                            "#..######..#..#....#\n"
                            "#..........#..#....#\n"
                            "#..######..#..#.####\n"
                            "#.......#.....#....#\n"
                            "####################\n";
enum { LINE = 21 }; /* letters of a line, with its end */

int main(void) {
    wend_map *map;
    wend_search *search;
    wend_result result;
    wend_error error;
    wend_xy path[160];
    const wend_xy start = {1, 1}, goal = {18, 6};
    if (wend_map_parse(WEND_FORMAT_MAP, level, strlen(level), NULL, &map, &error) != WEND_OK ||
        wend_search_create(map, NULL, &search, &error) != WEND_OK ||
        wend_search_find(search, start, goal, path, 160, &result, &error) != WEND_OK) {
        printf("%s\n", error.message);
        return 1;
    }
    /* How a search ended is no error: here it would say that no path leads there. */
    if (result.found != WEND_FOUND_PATH) return 1;

    char drawn[sizeof level];
    memcpy(drawn, level, sizeof level);
    for (uint64_t i = 0; i < result.path_cells; i++) drawn[path[i].y * LINE + path[i].x] = '*';
    printf("%sa path of length %.2f\n", drawn, wend_map_length(map, result.straight, result.diagonal));
    wend_search_destroy(search);
    wend_map_destroy(map);
    return 0;
}

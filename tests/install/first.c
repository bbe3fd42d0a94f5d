#include <stdio.h>
#include <wend/wend.h>

int main(void) {
    wend_map_options map_options = wend_default_map_options();
    wend_search_options search_options = wend_default_search_options();
    wend_map *map;
    wend_search *search;
    wend_result result;
    wend_cell path[40];
    if (wend_map_create(8, 5, &map_options, &map, NULL) != WEND_OK) return 1;
    wend_map_edit(map, (wend_rect){0, 0, 8, 5}, true, NULL);  /* open ground */
    wend_map_edit(map, (wend_rect){3, 0, 1, 4}, false, NULL); /* and a wall on it */
    if (wend_search_create(map, &search_options, &search, NULL) != WEND_OK) return 1;
    wend_cell start = wend_map_cell(map, 1, 1), goal = wend_map_cell(map, 6, 2);
    if (wend_search_astar(search, start, goal, &result, NULL) != WEND_OK) return 1;
    size_t count = wend_search_path(search, path, 40); /* 0 if there is no path */
    for (size_t i = 0; i < count; i++)
        printf("%d,%d ", (int)wend_map_xy(map, path[i]).x, (int)wend_map_xy(map, path[i]).y);
    printf("is %.2f long\n", wend_map_length(map, result.straight, result.diagonal));
    wend_search_destroy(search);
    wend_map_destroy(map);
}

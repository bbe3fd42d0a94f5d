#include <stdio.h>
#include <wend/wend.h>

int main(void) {
    const char level[] = "........\n...#....\n...#....\n...#....\n........\n";
    wend_map *map;
    wend_search *search;
    wend_result result;
    wend_xy path[40];
    if (wend_map_parse(WEND_FORMAT_MAP, level, sizeof level - 1, NULL, &map, NULL) != WEND_OK) return 1;
    if (wend_search_create(map, NULL, &search, NULL) != WEND_OK) return 1;
    if (wend_search_find(search, (wend_xy){1, 1}, (wend_xy){6, 2}, path, 40, &result, NULL) != WEND_OK)
        return 1;
    for (size_t i = 0; i < result.path_cells; i++) printf("%d,%d ", (int)path[i].x, (int)path[i].y);
    printf("is %.2f long\n", wend_map_length(map, result.straight, result.diagonal));
    wend_search_destroy(search);
    wend_map_destroy(map);
}

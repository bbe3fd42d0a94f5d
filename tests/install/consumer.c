/* A program of someone else's, built against the installed library; also compiled as C++. Says `good` if the
 * library that it runs with is the one whose headers it saw, and answers. */
#include <stdio.h>
#include <string.h>
#include <wend/wend.h>

int main(void) {
    if (strcmp(wend_version(), WEND_VERSION_STRING) != 0) return 1;
    if (wend_version_number() != WEND_VERSION_NUMBER || WEND_VERSION_NUMBER < 100) return 1;
    wend_generate_options options = wend_default_generate_options();
    wend_map *map = NULL;
    wend_error error;
    char words[512];
    if (wend_map_generate(WEND_MAP_MAZE, 41, 31, &options, &map, &error) != WEND_OK) {
        printf("%s\n", wend_error_text(&error, words, sizeof words));
        return 1;
    }
    wend_components *components = NULL;
    wend_jumps *jumps = NULL;
    wend_search *search = NULL;
    wend_search_options search_options = wend_default_search_options();
    if (wend_components_create(map, NULL, &components, &error) != WEND_OK ||
        wend_jumps_create(map, NULL, &jumps, &error) != WEND_OK ||
        wend_search_create(map, &search_options, &search, &error) != WEND_OK)
        return 1;
    wend_cell first = 0, last = wend_map_cells(map) - 1;
    while (!wend_map_is_open_cell(map, first)) first++;
    while (!wend_map_is_open_cell(map, last)) last--;
    wend_result by_astar, by_jps;
    if (wend_search_astar(search, first, last, &by_astar, &error) != WEND_OK ||
        wend_search_jps(search, jumps, first, last, &by_jps, &error) != WEND_OK)
        return 1;
    bool joined = wend_components_joined(components, first, last);
    if (joined != (by_astar.found == WEND_FOUND_PATH) || by_astar.cost != by_jps.cost) return 1;
    wend_search_destroy(search);
    wend_jumps_destroy(jumps);
    wend_components_destroy(components);
    wend_map_destroy(map);
    printf("good\n");
    return 0;
}

/* Any bytes as a .scen file: either a status with a place inside the data, or a scenario whose written form
 * is read as the same problems and written as the same bytes again. */
#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool good) {
    if (!good) abort();
}

static char *written(const wend_scenario *scenario, int version, size_t *size) {
    *size = wend_scenario_written_size(scenario, version);
    char *text = *size ? malloc(*size) : NULL;
    if (text) require(wend_scenario_write(scenario, version, text, *size, NULL) == WEND_OK);
    return text;
}

static void check_again(const wend_scenario *scenario, int version, const wend_map *map) {
    size_t size, again_size;
    char *text = written(scenario, version, &size);
    if (!text) return; /* version 1 of a map whose size is not known */
    wend_scenario *back;
    require(wend_scenario_parse(text, size, map, NULL, &back, NULL) == WEND_OK);
    require(wend_scenario_count(back) == wend_scenario_count(scenario));
    for (size_t i = 0; i < wend_scenario_count(scenario); i++) {
        const wend_problem *a = wend_scenario_at(scenario, i), *b = wend_scenario_at(back, i);
        double apart = a->length - b->length;
        require(a->bucket == b->bucket && a->start.x == b->start.x && a->start.y == b->start.y &&
                a->goal.x == b->goal.x && a->goal.y == b->goal.y && apart < 1e-5 && apart > -1e-5);
    }
    char *again = written(back, version, &again_size);
    require(again_size == size && (!again || memcmp(again, text, size) == 0));
    wend_scenario_destroy(back);
    free(again);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    wend_map_options options = wend_default_map_options();
    wend_map *map = NULL;
    /* Half of the runs check against a map of the size that the seeds state. */
    if (size % 2) require(wend_map_create(20, 10, &options, &map, NULL) == WEND_OK);
    wend_scenario *scenario = NULL;
    wend_error error;
    memset(&error, 0, sizeof error);
    wend_status status = wend_scenario_parse(data, size, map, NULL, &scenario, &error);
    require((status == WEND_OK) == (scenario != NULL));
    if (scenario) {
        check_again(scenario, 0, map);
        check_again(scenario, 1, map);
        wend_scenario_destroy(scenario);
    } else {
        require(error.status == status && error.offset <= size && error.message[0]);
    }
    wend_map_destroy(map);
    return 0;
}

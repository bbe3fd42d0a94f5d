#include "grid/scenario.h"

#include "base/memory.h"
#include "base/platform.h"
#include "base/status.h"
#include "grid/text.h"

#include <string.h>

wend_scenario *wend_scenario_allocate(const wend_allocator *allocator) {
    wend_allocator chosen = wend_allocator_or_default(allocator);
    wend_scenario *scenario = wend_allocate_zeroed(&chosen, 1, sizeof *scenario);
    if (scenario) scenario->allocator = chosen;
    return scenario;
}

bool wend_scenario_set_name(wend_scenario *scenario, const char *name, size_t length) {
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)name[i] < ' ' || name[i] == 0x7f) return false;
    while (length && wend_is_blank(*name)) name++, length--;
    if (length >= WEND_MAP_NAME_SIZE) length = WEND_MAP_NAME_SIZE - 1;
    while (length && wend_is_blank(name[length - 1])) length--;
    memcpy(scenario->map_name, name, length);
    scenario->map_name[length] = 0;
    return length > 0;
}

wend_status wend_scenario_create(const char *map_name, int32_t width, int32_t height,
                                 const wend_allocator *allocator, wend_scenario **scenario,
                                 wend_error *error) {
    if (!scenario) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "nowhere to put the scenario");
    *scenario = NULL;
    if (!map_name) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "a scenario needs the name of its map");
    if (width < 1 || height < 1 || width > WEND_MAX_SIDE || height > WEND_MAX_SIDE)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "a scenario for a map of %d x %d cells", (int)width,
                         (int)height);
    wend_scenario *made = wend_scenario_allocate(allocator);
    if (!made) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for the scenario");
    if (!wend_scenario_set_name(made, map_name, strlen(map_name))) {
        wend_scenario_destroy(made);
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT,
                         "a map's name is some visible letters, on one line");
    }
    made->width = width, made->height = height;
    *scenario = made;
    return WEND_OK;
}

void wend_scenario_destroy(wend_scenario *scenario) {
    if (!scenario) return;
    wend_allocator allocator = scenario->allocator;
    wend_release(&allocator, scenario->problems, scenario->capacity, sizeof *scenario->problems);
    wend_release(&allocator, scenario, 1, sizeof *scenario);
}

bool wend_scenario_reserve(wend_scenario *scenario) {
    if (scenario->count < scenario->capacity) return true;
    size_t capacity = scenario->capacity ? scenario->capacity * 2 : 16;
    wend_problem *larger =
        wend_enlarge(&scenario->allocator, scenario->problems, scenario->capacity, capacity, sizeof *larger);
    if (!larger) return false;
    scenario->problems = larger, scenario->capacity = capacity;
    return true;
}

static bool is_outside(const wend_scenario *scenario, wend_xy cell) {
    int32_t width = scenario->width ? scenario->width : WEND_MAX_SIDE;
    int32_t height = scenario->height ? scenario->height : WEND_MAX_SIDE;
    return cell.x < 0 || cell.y < 0 || cell.x >= width || cell.y >= height;
}

wend_status wend_scenario_add(wend_scenario *scenario, const wend_problem *problem, wend_error *error) {
    if (!scenario || !problem)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no scenario, or no problem");
    if (!(problem->length <= WEND_MAX_LENGTH)) /* NaN fails this test too */
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "a length that no path can have");
    const wend_xy cells[2] = {problem->start, problem->goal};
    for (int i = 0; i < 2; i++)
        if (is_outside(scenario, cells[i]))
            return wend_fail(error, WEND_STATUS_OUTSIDE, "the %s %d,%d is not on the map",
                             i ? "goal" : "start", (int)cells[i].x, (int)cells[i].y);
    if (!wend_scenario_reserve(scenario))
        return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for a problem");
    wend_problem *added = &scenario->problems[scenario->count++];
    *added = *problem;
    if (added->length < 0) added->length = -1;
    return WEND_OK;
}

size_t wend_scenario_count(const wend_scenario *scenario) {
    return scenario->count;
}

const wend_problem *wend_scenario_at(const wend_scenario *scenario, size_t index) {
    return index < scenario->count ? &scenario->problems[index] : NULL;
}

const char *wend_scenario_map_name(const wend_scenario *scenario) {
    return scenario->map_name;
}

wend_status wend_scenario_load(const char *path, const wend_map *map, const wend_allocator *allocator,
                               wend_scenario **scenario, wend_error *error) {
    if (!path || !scenario)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no file name, or nowhere to put the scenario");
    *scenario = NULL;
    wend_allocator chosen = wend_allocator_or_default(allocator);
    wend_bytes bytes;
    wend_status status = wend_file_read(path, &chosen, WEND_MAX_FILE_BYTES, &bytes, error);
    if (status != WEND_OK) return status;
    status = wend_scenario_parse(bytes.data, bytes.size, map, allocator, scenario, error);
    if (status != WEND_OK) wend_error_set_file(error, path);
    wend_file_release(&chosen, &bytes);
    return status;
}

wend_status wend_scenario_save(const char *path, const wend_scenario *scenario, int version,
                               wend_error *error) {
    if (!path || !scenario)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no file name, or no scenario to save");
    wend_status status = wend_scenario_check_writable(scenario, version, error);
    if (status != WEND_OK) {
        wend_error_set_file(error, path);
        return status;
    }
    size_t size = wend_scenario_written_size(scenario, version);
    char *buffer = wend_allocate(&scenario->allocator, size, 1);
    if (!buffer) {
        wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory to write the scenario");
        wend_error_set_file(error, path);
        return WEND_STATUS_NO_MEMORY;
    }
    status = wend_scenario_write(scenario, version, buffer, size, error);
    if (status == WEND_OK) status = wend_file_write(path, buffer, size, error);
    wend_release(&scenario->allocator, buffer, size, 1);
    return status;
}

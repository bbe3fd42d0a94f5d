#include <stdio.h>
#include <wend/wend.h>

/* One frame of the game: what the unit does in it. False when there is nothing more to do. */
static bool frame(wend_agent *unit, unsigned number) {
    wend_step step = wend_agent_step(unit);
    switch (step.outcome) {
    case WEND_STEP_MOVED: /* step.direction: 0 is north, and on clockwise by eighths */
    case WEND_STEP_WAITING:
        return true;
    case WEND_STEP_ARRIVED:
        printf("there after %u frames\n", number);
        return false;
    case WEND_STEP_UNREACHABLE:
        printf("frame %u: there is no way\n", number);
        return false;
    default:
        printf("frame %u: a cap on memory was reached, or the database is bad\n", number);
        return false;
    }
}

int main(void) {
    wend_error error;
    wend_generate_options make = wend_default_generate_options();
    wend_map *map;
    if (wend_map_generate(WEND_MAP_CITY, 128, 128, &make, &map, &error) != WEND_OK) return 1;

    wend_world_options world_options = wend_default_world_options();
    world_options.editable = true;
    wend_world *world;
    if (wend_world_create(map, &world_options, &world, &error) != WEND_OK) return 1;

    wend_settings *planner;
    wend_agent_options agent_options = wend_default_agent_options();
    wend_agent *unit;
    if (wend_settings_parse("tba:k=200", NULL, &planner, &error) != WEND_OK) return 1;
    if (wend_agent_create(world, planner, &agent_options, &unit, &error) != WEND_OK) return 1;
    wend_settings_destroy(planner);

    /* A corner may be in a house: the next open cell will do. */
    wend_cell start = 0, goal = wend_map_cell(map, 127, 127);
    while (!wend_map_is_open_cell(map, start)) start++;
    while (!wend_map_is_open_cell(map, goal)) goal--;
    if (wend_agent_start(unit, start, goal, &error) != WEND_OK) {
        char text[512];
        printf("%s\n", wend_error_text(&error, text, sizeof text));
        return 1;
    }
    printf("at most %llu operations per frame\n", (unsigned long long)wend_agent_bound(unit, 200));
    for (unsigned number = 1; frame(unit, number); number++)
        if (number == 40)
            wend_world_edit(world, (wend_rect){60, 40, 8, 60}, false, NULL); /* a wall appears */

    wend_agent_destroy(unit);
    wend_world_destroy(world);
    wend_map_destroy(map);
}

/* Tower defence: towers go up while the creeps walk, but only where they leave a way from the gate to the base.
 * wend_fleet_reaches_without asks before anything is built, for each body size that walks. */
#include <stdio.h>
#include <wend/wend.h>

enum { SIDE = 20, CREEPS = 30 };

int main(void) {
    wend_error error;
    wend_map *map;
    wend_fleet *fleet;
    wend_settings *planner;
    uint32_t squads[2] = {0, 0};
    wend_fleet_options options = wend_default_fleet_options();
    options.editable = true, options.max_body = 2;
    if (wend_map_create(SIDE, SIDE, NULL, &map, &error) != WEND_OK ||
        wend_map_edit(map, (wend_rect){0, 0, SIDE, SIDE}, true, &error) != WEND_OK ||
        wend_fleet_create(map, &options, &fleet, &error) != WEND_OK ||
        wend_settings_parse("tba:k=50", NULL, &planner, &error) != WEND_OK)
        return 1;
    for (int i = 0; i < 2; i++) { /* small creeps, and some of 2 x 2 cells */
        wend_squad_options with = wend_default_squad_options();
        with.body = i + 1;
        if (wend_fleet_add_squad(fleet, planner, &with, &squads[i], &error) != WEND_OK) return 1;
    }
    const wend_cell gate = wend_map_cell(map, 0, SIDE / 2), base = wend_map_cell(map, SIDE - 2, SIDE / 2);
    uint32_t seed = 1, built = 0, refused = 0, arrived = 0;
    for (int tick = 0; tick < 2000 && arrived < CREEPS; tick++) {
        if (tick < CREEPS) {
            wend_member creep;
            if (wend_fleet_add(fleet, squads[tick % 2], gate, &creep, &error) != WEND_OK ||
                wend_fleet_request(fleet, creep, base, NULL, &error) != WEND_OK)
                return 1;
        }
        /* The player builds a lot, and anywhere but on creeps: a creep under a tower would stand there for ever. */
        seed = seed * 1664525 + 1013904223;
        const wend_rect tower = {(int32_t)(seed >> 8) % (SIDE - 1), (int32_t)(seed >> 20) % (SIDE - 1), 2, 2};
        bool free = true;
        for (uint32_t i = 0; i < CREEPS && free; i++) {
            wend_member_info info;
            if (!wend_fleet_member(fleet, wend_fleet_at(fleet, i), &info)) continue;
            wend_xy at = wend_map_xy(map, info.cell);
            free = at.x + info.body <= tower.x || at.y + info.body <= tower.y ||
                   at.x >= tower.x + tower.width || at.y >= tower.y + tower.height ||
                   info.doing == WEND_DOING_NOTHING; /* it is in the base, and does not walk any more */
            /* Nobody may be shut in either: ask from where each of them stands. */
            free = free &&
                   (info.doing == WEND_DOING_NOTHING ||
                    wend_fleet_reaches_without(fleet, info.body, tower, info.cell, base) == WEND_ANSWER_YES);
        }
        for (int32_t body = 1; body <= 2 && free; body++)
            free = wend_fleet_reaches_without(fleet, body, tower, gate, base) == WEND_ANSWER_YES;
        if (free && wend_fleet_edit(fleet, tower, false, &error) != WEND_OK) return 1;
        built += free, refused += !free;
        arrived += (uint32_t)wend_fleet_tick(fleet).arrived;
    }
    printf("%u towers built, %u refused, %u of %d creeps in the base\n", built, refused, arrived, CREEPS);
    wend_settings_destroy(planner);
    wend_fleet_destroy(fleet);
    wend_map_destroy(map);
    return built && refused && arrived == CREEPS ? 0 : 1;
}

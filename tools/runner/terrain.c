#include "runner/terrain.h"

#include "formats/files.h"
#include "formats/lines.h"

#include <stdlib.h>
#include <string.h>

/* Knowledge --------------------------------------------------------------------------------------------- */

bool tool_knowledge_parse(const char *text, const char *sensor, tool_knowledge *knowledge) {
    static const char partial[] = "partial:";
    *knowledge = (tool_knowledge){.kind = TOOL_KNOWN, .radius = 1};
    if (text && strcmp(text, "unknown") == 0) {
        knowledge->kind = TOOL_UNKNOWN;
    } else if (text && strncmp(text, partial, sizeof partial - 1) == 0) {
        knowledge->kind = TOOL_PARTIAL;
        if (!tool_number("--knowledge: the per cent of partial", text + sizeof partial - 1, 0, 100,
                         &knowledge->percent))
            return false;
    } else if (text && strcmp(text, "known") != 0) {
        (void)tool_wrong("--knowledge: must be known, unknown or partial:PCT, not '%s'", text);
        return false;
    }
    if (!sensor) return true;
    int64_t radius;
    if (!tool_integer("--sensor", sensor, 1, WEND_MAX_RADIUS, &radius)) return false;
    if (knowledge->kind == TOOL_KNOWN) {
        (void)tool_wrong(
            "--sensor: an agent that knows the map has none: say --knowledge unknown or partial:PCT");
        return false;
    }
    knowledge->radius = (uint32_t)radius;
    return true;
}

const char *tool_knowledge_hint(const tool_knowledge *knowledge) {
    if (knowledge->kind != TOOL_UNKNOWN) return NULL;
    return "with --knowledge unknown a database must be of what is believed at first, a map without walls: "
           "`wend map gen open WxH`";
}

/* Edits ------------------------------------------------------------------------------------------------- */

static bool is_word(const uint8_t *word, size_t length, const char *text) {
    return strlen(text) == length && memcmp(word, text, length) == 0;
}

static bool read_edit(tool_lines *line, const wend_map *map, uint64_t last_tick, tool_edit *edit) {
    static const char *const names[] = {"X", "Y", "W", "H"};
    uint64_t numbers[4], width = (uint64_t)wend_map_width(map), height = (uint64_t)wend_map_height(map);
    size_t length;
    const uint8_t *first = line->at;
    if (!tool_lines_number(line, "the tick", TOOL_MOST_TICK, &edit->tick)) return false;
    if (edit->tick < last_tick)
        return tool_lines_refuse(line, first, "tick %llu comes after tick %llu: ticks must not decrease",
                                 (unsigned long long)edit->tick, (unsigned long long)last_tick);
    first = line->at;
    for (int i = 0; i < 4; i++)
        if (!tool_lines_number(line, names[i], WEND_MAX_SIDE, &numbers[i])) return false;
    if (!numbers[2] || !numbers[3]) return tool_lines_refuse(line, first, "W and H must be at least 1");
    if (numbers[0] + numbers[2] > width || numbers[1] + numbers[3] > height)
        return tool_lines_refuse(line, first, "the area does not lie on the map of %d x %d", (int)width,
                                 (int)height);
    edit->area =
        (wend_rect){(int32_t)numbers[0], (int32_t)numbers[1], (int32_t)numbers[2], (int32_t)numbers[3]};
    const uint8_t *word = tool_lines_word(line, &length);
    edit->open = is_word(word, length, "open");
    if (!edit->open && !is_word(word, length, "closed"))
        return length ? tool_lines_refuse(line, word, "must be open or closed")
                      : tool_lines_refuse(line, word, "the line is too short: %s", line->form);
    word = tool_lines_word(line, &length);
    return length ? tool_lines_refuse(line, word, "something follows the edit") : true;
}

bool tool_edits_add(tool_edits *edits, const tool_edit *edit) {
    tool_edit *list = tool_grown(edits->list, edits->count, &edits->capacity, sizeof *list, "the edits");
    if (list) (edits->list = list)[edits->count++] = *edit;
    return list != NULL;
}

bool tool_edits_load(const char *path, const wend_map *map, tool_edits *edits) {
    *edits = (tool_edits){.list = NULL};
    tool_lines lines;
    if (!tool_lines_open(&lines, path, "TICK X Y W H open|closed")) return false;
    uint64_t last_tick = 0;
    bool good = true;
    while (good && tool_lines_next(&lines)) {
        tool_edit edit = {.tick = 0};
        if (*lines.at == '#') continue;
        good = read_edit(&lines, map, last_tick, &edit) && tool_edits_add(edits, &edit);
        last_tick = edit.tick;
    }
    tool_bytes_release(&lines.bytes);
    if (!good) tool_edits_destroy(edits);
    return good;
}

void tool_edits_destroy(tool_edits *edits) {
    free(edits->list);
    *edits = (tool_edits){.list = NULL};
}

static bool apply(wend_map *map, const tool_edit *edit) {
    wend_error error;
    if (wend_map_edit(map, edit->area, edit->open, &error) == WEND_OK) return true;
    (void)tool_wrong_error(&error);
    return false;
}

wend_map *tool_edits_begin(const tool_edits *edits, const wend_map *map) {
    wend_map *copy;
    wend_error error;
    if (wend_map_copy(map, &copy, &error) != WEND_OK) {
        (void)tool_wrong_error(&error);
        return NULL;
    }
    for (size_t i = 0; i < edits->count && edits->list[i].tick == 0; i++)
        if (!apply(copy, &edits->list[i])) {
            wend_map_destroy(copy);
            return NULL;
        }
    return copy;
}

/* Terrain ----------------------------------------------------------------------------------------------- */

tool_terrain tool_terrain_plain(const wend_map *map) {
    return (tool_terrain){.truth = map, .loaded = map, .knowledge = {.kind = TOOL_KNOWN, .radius = 1}};
}

bool tool_terrain_create(const wend_map *map, const tool_knowledge *knowledge, const tool_edits *edits,
                         uint64_t seed, tool_terrain *terrain) {
    *terrain = tool_terrain_plain(map);
    terrain->knowledge = *knowledge;
    wend_error error;
    if (knowledge->kind == TOOL_UNKNOWN) {
        wend_rect all = {0, 0, wend_map_width(map), wend_map_height(map)};
        wend_status status = wend_map_copy(map, &terrain->own_belief, &error);
        if (status == WEND_OK) status = wend_map_edit(terrain->own_belief, all, true, &error);
        if (status != WEND_OK) {
            (void)tool_wrong_error(&error);
            return false;
        }
        terrain->believed = terrain->own_belief;
    }
    if (knowledge->kind == TOOL_PARTIAL) {
        if (wend_map_block(map, knowledge->percent, seed, &terrain->own_truth, &error) != WEND_OK) {
            (void)tool_wrong_error(&error);
            return false;
        }
        terrain->believed = map;
        terrain->truth = terrain->own_truth;
    }
    if (!edits || !edits->count) return true;
    size_t at_once = 0;
    while (at_once < edits->count && edits->list[at_once].tick == 0) at_once++;
    terrain->first_edits = edits->list;
    terrain->first_count = at_once;
    terrain->edits = edits->list + at_once;
    terrain->edit_count = edits->count - at_once;
    if (!at_once) return true;
    wend_map *changed = tool_edits_begin(edits, terrain->truth);
    wend_map_destroy(terrain->own_truth);
    terrain->truth = terrain->own_truth = changed;
    return changed != NULL;
}

void tool_terrain_destroy(tool_terrain *terrain) {
    wend_map_destroy(terrain->own_truth);
    wend_map_destroy(terrain->own_belief);
    terrain->own_truth = terrain->own_belief = NULL;
}

/* What --edits says: a file of changes of the map, or which to draw at random. */
#include "runner/terrain.h"
#include "shared/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SIDE = 1024, MOST_EDITS = 4000000 };

typedef struct drawn_edits {
    double percent;
    bool closes, opens, during;
    int64_t side, every, seed;
} drawn_edits;

/* Whether the text describes edits to be drawn, and is not the name of a file: a number, with or without a % behind
 * it, alone or followed by a colon. A file of such a name is written ./NAME. */
static bool is_described(const char *text) {
    size_t digits = strspn(text, "0123456789."), end = digits + (text[digits] == '%');
    return digits && (!text[end] || text[end] == ':');
}

/* One KEY=VALUE, cut out of the text. */
static bool take_key(char *word, drawn_edits *drawn) {
    char *value = strchr(word, '=');
    if (!value) {
        (void)tool_wrong("--edits: '%s' is not of the form KEY=VALUE", word);
        return false;
    }
    *value++ = 0;
    if (strcmp(word, "block") == 0) return tool_integer("--edits: block", value, 1, MOST_SIDE, &drawn->side);
    if (strcmp(word, "every") == 0)
        return tool_integer("--edits: every", value, 1, TOOL_MOST_TICK, &drawn->every);
    if (strcmp(word, "seed") == 0) return tool_integer("--edits: seed", value, 0, INT64_MAX, &drawn->seed);
    if (strcmp(word, "when") == 0) {
        drawn->during = strcmp(value, "during") == 0;
        if (drawn->during || strcmp(value, "start") == 0) return true;
        (void)tool_wrong("--edits: when must be start or during, not '%s'", value);
        return false;
    }
    if (strcmp(word, "kind") == 0) {
        bool both = strcmp(value, "both") == 0;
        drawn->closes = both || strcmp(value, "close") == 0;
        drawn->opens = both || strcmp(value, "open") == 0;
        if (drawn->closes || drawn->opens) return true;
        (void)tool_wrong("--edits: kind must be close, open or both, not '%s'", value);
        return false;
    }
    (void)tool_wrong("--edits: unknown key '%s': block, every, kind, seed, when", word);
    return false;
}

static bool read_description(const char *text, drawn_edits *drawn) {
    char copy[256];
    if (strlen(text) >= sizeof copy) {
        (void)tool_wrong("--edits: the description is longer than %zu letters", sizeof copy - 1);
        return false;
    }
    memcpy(copy, text, strlen(text) + 1);
    char *next = strchr(copy, ':');
    if (next) *next++ = 0;
    size_t length = strlen(copy);
    if (copy[length - 1] == '%') copy[length - 1] = 0;
    if (!tool_number("--edits: the per cent", copy, 0, 100, &drawn->percent)) return false;
    while (next) {
        char *word = next;
        next = strchr(word, ':');
        if (next) *next++ = 0;
        if (!take_key(word, drawn)) return false;
    }
    return true;
}

/* SplitMix64 (Steele, Lea and Flood 2014). */
static uint64_t draw(uint64_t *state) {
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* All cells of a map in random order. */
static wend_cell *shuffled_cells(const wend_map *map, uint64_t seed, uint32_t *count) {
    *count = (uint32_t)wend_map_width(map) * (uint32_t)wend_map_height(map);
    wend_cell *cells = malloc((size_t)*count * sizeof *cells);
    if (!cells) {
        (void)tool_wrong("out of memory to draw edits");
        return NULL;
    }
    uint64_t state = seed;
    for (uint32_t i = 0; i < *count; i++) {
        uint32_t j = (uint32_t)(draw(&state) % (i + 1));
        if (j < i) cells[i] = cells[j];
        cells[j] = i;
    }
    return cells;
}

/* The square around a cell, as far as it lies on the map. */
static wend_rect square_at(const wend_map *map, wend_cell cell, int32_t side) {
    wend_xy middle = wend_map_xy(map, cell);
    int32_t x = middle.x - side / 2, y = middle.y - side / 2, right = x + side, lower = y + side;
    if (x < 0) x = 0;
    if (y < 0) y = 0;
    if (right > wend_map_width(map)) right = wend_map_width(map);
    if (lower > wend_map_height(map)) lower = wend_map_height(map);
    return (wend_rect){x, y, right - x, lower - y};
}

typedef struct edit_drawing {
    wend_map *map; /* with what has been drawn so far */
    const wend_cell *cells;
    uint32_t count, next[2]; /* the next cell to be closed, to be opened */
} edit_drawing;

/* The next square that closes or opens anything; false where there is none left. */
static bool next_square(edit_drawing *drawing, int32_t side, bool open, wend_rect *area) {
    for (uint32_t *next = &drawing->next[open]; *next < drawing->count;) {
        wend_cell cell = drawing->cells[(*next)++];
        if (wend_map_is_open_cell(drawing->map, cell) == open) continue;
        *area = square_at(drawing->map, cell, side);
        return true;
    }
    return false;
}

static bool draw_all(const drawn_edits *drawn, edit_drawing *drawing, tool_edits *edits) {
    double share = (double)wend_map_open_cells(drawing->map) * drawn->percent / 100;
    uint64_t changed = 0;
    bool open = !drawn->closes;
    while ((double)changed + 1 <= share) {
        tool_edit edit = {.open = open};
        if (!next_square(drawing, (int32_t)drawn->side, open, &edit.area)) {
            (void)tool_wrong("--edits: there are not enough cells to %s", open ? "open" : "close");
            return false;
        }
        uint64_t tick = drawn->during ? 1 + (uint64_t)drawn->every * edits->count : 0;
        if (tick > TOOL_MOST_TICK || edits->count >= MOST_EDITS) {
            (void)tool_wrong("--edits: the last of them would come after step %d", TOOL_MOST_TICK);
            return false;
        }
        edit.tick = tick;
        uint32_t before = wend_map_open_cells(drawing->map);
        wend_error error;
        if (wend_map_edit(drawing->map, edit.area, open, &error) != WEND_OK) {
            (void)tool_wrong_error(&error);
            return false;
        }
        uint32_t after = wend_map_open_cells(drawing->map);
        changed += open ? after - before : before - after;
        if (!tool_edits_add(edits, &edit)) return false;
        if (drawn->opens && drawn->closes) open = !open;
    }
    return true;
}

static bool draw_edits(const char *text, const wend_map *map, uint64_t seed, tool_edits *edits) {
    *edits = (tool_edits){.list = NULL};
    drawn_edits drawn = {.closes = true, .side = 1, .every = 1, .seed = -1};
    if (!read_description(text, &drawn)) return false;
    edit_drawing drawing = {.map = NULL};
    wend_error error;
    if (wend_map_copy(map, &drawing.map, &error) != WEND_OK) {
        (void)tool_wrong_error(&error);
        return false;
    }
    wend_cell *cells = shuffled_cells(map, drawn.seed < 0 ? seed : (uint64_t)drawn.seed, &drawing.count);
    drawing.cells = cells;
    bool good = cells && draw_all(&drawn, &drawing, edits);
    free(cells);
    wend_map_destroy(drawing.map);
    if (!good) tool_edits_destroy(edits);
    return good;
}

bool tool_edits_read(const char *text, const wend_map *map, uint64_t seed, tool_edits *edits) {
    *edits = (tool_edits){.list = NULL};
    if (!text) return true;
    return is_described(text) ? draw_edits(text, map, seed, edits) : tool_edits_load(text, map, edits);
}

void tool_edits_write(FILE *file, const tool_edits *edits) {
    (void)fputs("# TICK X Y W H open|closed\n", file);
    for (size_t i = 0; i < edits->count; i++) {
        const tool_edit *edit = &edits->list[i];
        (void)fprintf(file, "%" PRIu64 " %d %d %d %d %s\n", edit->tick, (int)edit->area.x, (int)edit->area.y,
                      (int)edit->area.width, (int)edit->area.height, edit->open ? "open" : "closed");
    }
}

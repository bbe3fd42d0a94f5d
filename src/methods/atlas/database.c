/* atlas: near-optimal ways on large maps from a small file; docs/notes/atlas.md explains how.
 *
 * Representatives cover every open cell by climbs, links between them have exact costs, and a contraction
 * hierarchy over them answers which way is the shortest. We know of no published system of this kind; its
 * parts are the hill-climber of "Case-based subgoaling in real-time heuristic search" (JAIR 2010) and the
 * hierarchy of "Contraction hierarchies" (WEA 2008). */
#include "methods/atlas/layout.h"

#include "methods/atlas/build/build.h"
#include "methods/atlas/repair/repair.h"

#include <string.h>

/* No cost of an arc is larger, so that sums of a few can't overflow. A way over all cells of the largest map
 * is far below. */
#define MOST_COST ((uint64_t)1 << 48)
/* Moves of the edges of an exact atlas for each cell of the map, arc and bend, at most. */
#define MOST_WALKED 1024

const wend_atlas *wend_atlas_of(const wend_db *db) {
    return db->state;
}

static wend_status damaged(wend_error *error, const char *what, uint64_t number) {
    return wend_fail(error, WEND_STATUS_DAMAGED, "%s %llu is wrong", what, (unsigned long long)number);
}

/* Lengths ------------------------------------------------------------------------------------------------ */

static wend_status find_sections(const wend_db *db, wend_atlas *atlas, uint64_t *arc_words, uint64_t *bends,
                                 wend_error *error) {
    uint64_t cells = (uint64_t)db->info.width * (uint64_t)db->info.height, count = 0, sectors = 0,
             members = 0, first = 0, lists = 0, counted = 0;
    atlas->wide = !wend_db_section(db, "arcs", 2, NULL);
    uint32_t width = atlas->wide ? 4 : 2;
    const uint32_t *counts = wend_db_section(db, "counts", 4, &counted);
    atlas->cells = wend_db_section(db, "reps", 4, &count);
    bool exact = wend_settings_integer(db->settings, "exact");
    if (exact)
        atlas->ends = wend_db_section(db, "ends", 4, &sectors);
    else
        atlas->sectors = wend_db_section(db, "sectors", width, &sectors);
    atlas->members = wend_db_section(db, "members", width, &members);
    atlas->first = wend_db_section(db, "first", 4, &first);
    atlas->arcs = wend_db_section(db, "arcs", width, arc_words);
    atlas->lists = wend_db_section(db, "lists", 4, &lists);
    atlas->bends = wend_db_section(db, "bends", 4, bends);
    if (!counts || !atlas->cells || !(exact ? (const void *)atlas->ends : atlas->sectors) ||
        !atlas->members || !atlas->first || !atlas->arcs || !atlas->lists || !atlas->bends)
        return wend_fail(error, WEND_STATUS_DAMAGED, "a section is missing or of a wrong width");
    uint64_t wanted = (exact ? (uint64_t)wend_atlas_squares(&atlas->grid)
                             : (uint64_t)atlas->grid.columns * atlas->grid.rows) +
                      1;
    if (counted != 5 || count > cells || (!exact && members != count) || members > UINT32_MAX ||
        first != count + 1 || sectors != wanted || !lists || lists > *arc_words + 1 || *bends > UINT32_MAX ||
        (counts[3] != 3 && counts[3] != 4) || *arc_words % counts[3] || *arc_words / counts[3] > UINT32_MAX)
        return wend_fail(error, WEND_STATUS_DAMAGED, "a section is of a wrong length");
    atlas->count = (uint32_t)count, atlas->list_count = (uint32_t)lists - 1;
    atlas->edges = counts[0], atlas->shortcuts = counts[1], atlas->neighbours = counts[2];
    atlas->words = counts[3], atlas->label_words = counts[4];
    if (!wend_settings_integer(db->settings, "labels"))
        return counts[4] ? wend_fail(error, WEND_STATUS_DAMAGED, "labels that there are none of") : WEND_OK;
    uint64_t label_first = 0, labels = 0;
    atlas->label_first = wend_db_section(db, "label_first", 4, &label_first);
    atlas->labels = wend_db_section(db, "labels", width, &labels);
    if (!atlas->label_first || !atlas->labels || label_first != count + 1 ||
        (counts[4] != 3 && counts[4] != 4) || labels % counts[4] || labels / counts[4] > UINT32_MAX ||
        atlas->label_first[count] != labels / counts[4])
        return wend_fail(error, WEND_STATUS_DAMAGED, "there are no labels, or they are of a wrong length");
    return WEND_OK;
}

/* Contents ----------------------------------------------------------------------------------------------- */

/* The most members of the squares around any cell: no more than the sum of each level's longest list. */
static uint32_t most_ends(const wend_atlas *atlas) {
    wend_atlas_level level = wend_atlas_lowest(&atlas->grid);
    uint64_t sum = 0;
    do {
        uint32_t longest = 0;
        for (uint32_t i = level.first; i < level.first + level.columns * level.rows; i++)
            if (atlas->ends[i + 1] - atlas->ends[i] > longest) longest = atlas->ends[i + 1] - atlas->ends[i];
        sum += longest;
    } while (wend_atlas_ascend(&level));
    return sum < UINT32_MAX ? (uint32_t)sum : UINT32_MAX;
}

/* Which directions are of use at a corner; as wend_jumps has it. */
static void find_directions(const wend_map *map, wend_atlas *atlas) {
    wend_onward onward;
    wend_onward_fill(map, &onward);
    for (uint32_t around = 0; around < 512; around++)
        for (uint32_t d = 0; d < WEND_DIRECTIONS; d++) {
            if (!(onward.moves[d][around] & ~onward.moves[d][511])) continue;
            atlas->arrivals[around] |= (wend_directions)(1u << d);
            atlas->onward[around] |= onward.moves[d][around];
        }
}

/* The corners of a square's ends, in order, each once. */
static wend_status check_ends(const wend_db *db, wend_atlas *atlas, wend_error *error) {
    uint32_t sectors = wend_atlas_squares(&atlas->grid);
    uint64_t members = 0;
    (void)wend_db_section(db, "members", atlas->wide ? 4 : 2, &members);
    if (atlas->ends[0] != 0 || atlas->ends[sectors] != members)
        return damaged(error, "the first or last of ends", sectors);
    for (uint32_t i = 0; i < sectors; i++) {
        uint32_t from = atlas->ends[i], end = atlas->ends[i + 1];
        if (from > end || end > members) return damaged(error, "sector", i);
        for (uint32_t j = from; j < end; j++)
            if (wend_atlas_member(atlas, j) >= atlas->count ||
                (j > from && wend_atlas_member(atlas, j - 1) >= wend_atlas_member(atlas, j)))
                return damaged(error, "member", j);
    }
    atlas->most_ends = most_ends(atlas);
    if (db->map) find_directions(db->map, atlas);
    return WEND_OK;
}

/* Every representative is a member of its own sector, once. */
static wend_status check_places(const wend_db *db, wend_atlas *atlas, wend_error *error) {
    uint32_t sectors = atlas->grid.columns * atlas->grid.rows, width = (uint32_t)db->info.width;
    uint64_t cells = (uint64_t)width * (uint64_t)db->info.height;
    for (uint32_t i = 0; i < atlas->count; i++)
        if (atlas->cells[i] >= cells || (db->map && !wend_map_is_open_cell(db->map, atlas->cells[i])))
            return damaged(error, "representative", i);
    if (atlas->ends) return check_ends(db, atlas, error);
    if (wend_atlas_members(atlas, 0) != 0 || wend_atlas_members(atlas, sectors) != atlas->count)
        return damaged(error, "the first or last of sectors", sectors);
    for (uint32_t i = 0; i < sectors; i++) {
        uint32_t from = wend_atlas_members(atlas, i), end = wend_atlas_members(atlas, i + 1);
        if (from > end || end > atlas->count) return damaged(error, "sector", i);
        for (uint32_t j = from; j < end; j++) {
            uint32_t rank = wend_atlas_member(atlas, j);
            if (rank >= atlas->count) return damaged(error, "member", j);
            wend_cell cell = atlas->cells[rank];
            if (cell / width / atlas->grid.side * atlas->grid.columns + cell % width / atlas->grid.side !=
                    i ||
                (j > from && atlas->cells[wend_atlas_member(atlas, j - 1)] >= cell))
                return damaged(error, "member", j);
        }
    }
    return WEND_OK;
}

/* A shortcut is made of two arcs of a lower rank, and costs what they cost: so it can be unpacked in finitely
 * many steps. */
static bool is_shortcut(const wend_atlas *atlas, uint32_t rank, wend_atlas_up up) {
    if (up.what >= rank) return false;
    uint64_t looks = 0;
    uint32_t down = wend_atlas_find(atlas, up.what, rank, &looks),
             over = wend_atlas_find(atlas, up.what, up.to, &looks);
    return down != UINT32_MAX && over != UINT32_MAX &&
           wend_atlas_arc_at(atlas, down).cost + wend_atlas_arc_at(atlas, over).cost == up.cost;
}

/* An edge can be walked in both directions by climbs from bend to bend, for what it claims to cost. */
static bool is_edge(const wend_db *db, const wend_atlas *atlas, uint32_t rank, wend_atlas_up up,
                    uint64_t most) {
    uint64_t cost = 0, cells = (uint64_t)db->info.width * (uint64_t)db->info.height;
    if (up.what - atlas->count > atlas->list_count) return false;
    wend_cell at = atlas->cells[rank];
    uint32_t bends = wend_atlas_bend_count(atlas, up.what);
    for (uint32_t i = 0; i <= bends; i++) {
        wend_cell next = i < bends ? wend_atlas_bend(atlas, up.what, i, false) : atlas->cells[up.to];
        if (next >= cells || next == at) return false;
        if (db->map) {
            cost += wend_map_distance(db->map, at, next);
            if (cost > most || !wend_map_is_open_cell(db->map, next) ||
                !wend_atlas_direct(db->map, NULL, at, next) || !wend_atlas_direct(db->map, NULL, next, at))
                return false;
        }
        at = next;
    }
    return !db->map || cost == up.cost;
}

/* No edge costs more: neighbours are two climbs and a move from each other, and a round at most doubles that.
 * It keeps the climbs that are tried here within proportion to the file. Edges of an exact atlas may go
 * across the map. */
static uint64_t longest_edge(const wend_db *db, const wend_atlas *atlas) {
    if (!db->map || atlas->ends) return UINT64_MAX;
    uint64_t moves = 2 * (uint64_t)wend_atlas_reach(&atlas->grid) + 1;
    return (moves * db->map->cost[1]) << wend_settings_integer(db->settings, "rounds");
}

static wend_status check_arcs(const wend_db *db, const wend_atlas *atlas, uint64_t arcs, uint64_t bends,
                              wend_error *error) {
    if (atlas->lists[0] != 0 || atlas->lists[atlas->list_count] != bends)
        return damaged(error, "the first or last of lists", atlas->list_count);
    for (uint32_t i = 0; i < atlas->list_count; i++)
        if (atlas->lists[i] > atlas->lists[i + 1] || atlas->lists[i + 1] > bends)
            return damaged(error, "list", i);
    if (atlas->first[0] != 0 || atlas->first[atlas->count] != arcs)
        return damaged(error, "the place of the arcs of", atlas->count);
    uint64_t edges = 0, most = longest_edge(db, atlas);
    /* What all edges of an exact atlas may cost together: more than any real one, and in proportion. */
    uint64_t room = (arcs + bends + (uint64_t)db->info.width * (uint64_t)db->info.height) * MOST_WALKED;
    for (uint32_t i = 0; i < atlas->count; i++) {
        if (atlas->first[i] > atlas->first[i + 1] || atlas->first[i + 1] > arcs)
            return damaged(error, "the place of the arcs of", i);
        uint32_t last = i;
        for (uint32_t j = atlas->first[i]; j < atlas->first[i + 1]; j++) {
            wend_atlas_up up = wend_atlas_arc_at(atlas, j);
            if (up.to <= last || up.to >= atlas->count || !up.cost || up.cost > MOST_COST)
                return damaged(error, "arc", j);
            last = up.to;
            if (atlas->ends && db->map && up.what >= atlas->count) {
                uint64_t moves = up.cost / db->map->cost[0] + 1;
                if (moves > room) return damaged(error, "the length of edge", j);
                room -= moves, most = up.cost;
            }
            if (!(up.what < atlas->count ? is_shortcut(atlas, i, up) : is_edge(db, atlas, i, up, most)))
                return damaged(error, "arc", j);
            edges += up.what >= atlas->count;
        }
    }
    return edges == atlas->edges && arcs - edges == atlas->shortcuts
               ? WEND_OK
               : wend_fail(error, WEND_STATUS_DAMAGED, "the arcs are not as many as they should be");
}

/* An entry's way begins with an arc of its node, and goes on by an entry of the node where that leads, for
 * the rest of the cost: so it can be followed to its hub. */
static bool is_label(const wend_atlas *atlas, uint32_t rank, wend_atlas_up entry) {
    if (entry.to == rank) return !entry.cost && !entry.what;
    if (entry.what >= atlas->first[rank + 1] - atlas->first[rank]) return false;
    uint64_t looks = 0;
    wend_atlas_up up = wend_atlas_arc_at(atlas, atlas->first[rank] + entry.what);
    uint32_t on = wend_atlas_find_hub(atlas, up.to, entry.to, &looks);
    return on != UINT32_MAX && wend_atlas_label_at(atlas, on).cost + up.cost == entry.cost;
}

static wend_status check_labels(const wend_atlas *atlas, wend_error *error) {
    if (!atlas->labels) return WEND_OK;
    uint32_t end = atlas->label_first[atlas->count];
    if (atlas->label_first[0] != 0) return damaged(error, "the label of", 0);
    for (uint32_t i = 0; i < atlas->count; i++)
        if (atlas->label_first[i] >= atlas->label_first[i + 1] || atlas->label_first[i + 1] > end)
            return damaged(error, "the label of", i);
    for (uint32_t i = 0; i < atlas->count; i++)
        for (uint32_t j = atlas->label_first[i]; j < atlas->label_first[i + 1]; j++) {
            wend_atlas_up entry = wend_atlas_label_at(atlas, j);
            bool begins = j == atlas->label_first[i];
            if (entry.to >= atlas->count || begins != (entry.to == i) || entry.cost > MOST_COST ||
                (!begins && wend_atlas_label_at(atlas, j - 1).to >= entry.to) || !is_label(atlas, i, entry))
                return damaged(error, "the label of", i);
        }
    return WEND_OK;
}

static wend_status atlas_open(wend_db *db, wend_error *error) {
    wend_atlas *atlas = wend_allocate_zeroed(&db->allocator, 1, sizeof *atlas);
    if (!atlas) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for an atlas");
    db->state = atlas;
    atlas->map = db->map;
    uint32_t side = (uint32_t)wend_settings_integer(db->settings, "sector");
    atlas->grid = (wend_atlas_grid){side, ((uint32_t)db->info.width + side - 1) / side,
                                    ((uint32_t)db->info.height + side - 1) / side};
    uint64_t words = 0, bends = 0;
    wend_status status = find_sections(db, atlas, &words, &bends, error);
    if (status == WEND_OK) status = check_places(db, atlas, error);
    if (status == WEND_OK) status = check_arcs(db, atlas, words / atlas->words, bends, error);
    return status == WEND_OK ? check_labels(atlas, error) : status;
}

static void atlas_close(wend_db *db) {
    wend_release(&db->allocator, db->state, 1, sizeof(wend_atlas));
    db->state = NULL;
}

static size_t atlas_facts(const wend_db *db, wend_fact *facts, size_t capacity) {
    const wend_atlas *atlas = wend_atlas_of(db);
    const wend_fact all[] = {
        {"representatives", atlas->count},
        {"neighbours", atlas->neighbours},
        {"edges", atlas->edges},
        {"shortcuts", atlas->shortcuts},
        {"bent_edges", atlas->list_count},
        {"bends", atlas->lists[atlas->list_count]},
        {"label_entries", atlas->labels ? atlas->label_first[atlas->count] : 0},
        {"exact", atlas->ends != NULL},
        {"ends_max", atlas->ends ? atlas->most_ends : 0},
    };
    size_t count = sizeof all / sizeof *all;
    for (size_t i = 0; i < count && i < capacity; i++) facts[i] = all[i];
    return count;
}

static const wend_key_info keys[] = {
    {.name = "sector",
     .kind = WEND_KEY_INTEGER,
     .min = WEND_ATLAS_LEAST_SIDE,
     .max = WEND_ATLAS_MOST_SIDE,
     .standard = "32",
     .help = "side of the sectors in cells; where it is not given and corners are dense, 12"},
    {.name = "rounds",
     .kind = WEND_KEY_INTEGER,
     .min = 0,
     .max = WEND_ATLAS_MOST_ROUNDS,
     .standard = "2",
     .help = "of adding long edges"},
    {.name = "eps",
     .kind = WEND_KEY_PERCENT,
     .min = 0,
     .max = 50,
     .standard = "1",
     .help = "what a long edge has to save at least"},
    {.name = "labels",
     .kind = WEND_KEY_YES_NO,
     .standard = "no",
     .help = "keep hub labels too: no search for a way, and a file some times as large"},
    {.name = "exact",
     .kind = WEND_KEY_YES_NO,
     .standard = "no",
     .help = "the graph of all corners: shortest ways, agents that wait while they look for one; no rounds"},
    {.name = "size",
     .kind = WEND_KEY_SIZE,
     .min = 1,
     .max = 9007199254740992.0,
     .help = "the largest file that is of use: keys that are not given are chosen for it"},
    {.name = "over",
     .kind = WEND_KEY_PERCENT,
     .min = 0,
     .max = 100,
     .help = "the mean over optimal that will do, by a sample: keys that are not given are chosen for it"},
};

const wend_db_kind wend_db_atlas = {
    .info = {"atlas", "representatives that cover every cell, and exact ways between them, for large maps",
             keys, sizeof keys / sizeof *keys},
    .version = 1,
    .seedless = true,
    .open = atlas_open,
    .close = atlas_close,
    .facts = atlas_facts,
    .choose = wend_atlas_choose,
    .prepare = wend_atlas_prepare,
    .job = wend_atlas_job,
    .finish = wend_atlas_finish,
    .release = wend_atlas_release,
    .repair = &wend_atlas_repair_kind,
};

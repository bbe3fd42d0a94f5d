/* Coverage near a change: who owns each cell of a sector, and representatives for cells that nobody covers
 * any more. A cell is owned by the nearest representative of the base in the 3 x 3 sectors around it that is
 * still open and covers it. Cells without one get extras, one for each connected part of them, until all have
 * an owner. That depends on the base and the map alone, and for each sector on nothing but its
 * surroundings. */
#include "methods/atlas/repair/repair.h"

#include "base/memory.h"

#include <string.h>

enum { NO_PART = UINT16_MAX, OWN_HALF = 0x3c }; /* east, south-east, south and south-west */

void wend_atlas_patch_drop(wend_atlas_repair *repair, uint32_t sector) {
    wend_atlas_patch *patch = repair->patches[sector];
    if (!patch) return;
    const wend_allocator *allocator = &repair->common.allocator;
    size_t places = (size_t)repair->base->grid.side * repair->base->grid.side;
    wend_release(allocator, patch->owners, places, sizeof *patch->owners);
    wend_release(allocator, patch->extras, patch->extra_room, sizeof *patch->extras);
    wend_release(allocator, patch->pairs, patch->pair_room, sizeof *patch->pairs);
    wend_release(allocator, patch, 1, sizeof *patch);
    repair->patches[sector] = NULL;
}

static bool make_patch(wend_atlas_repair *repair, uint32_t sector) {
    size_t places = (size_t)repair->base->grid.side * repair->base->grid.side;
    wend_atlas_patch_drop(repair, sector);
    wend_atlas_patch *patch = wend_allocate_zeroed(&repair->common.allocator, 1, sizeof *patch);
    if (!patch) return false;
    repair->patches[sector] = patch;
    patch->owners = wend_allocate(&repair->common.allocator, places, sizeof *patch->owners);
    if (!patch->owners) return false;
    memset(patch->owners, 0xff, places * sizeof *patch->owners);
    return true;
}

/* Trials ------------------------------------------------------------------------------------------------- */

static void begin_trial(wend_atlas_trial *trial, wend_cell cell) {
    trial->cell = cell;
    trial->count = trial->next = 0;
    trial->climbing = trial->back = false;
}

static void add_trial(wend_atlas_trial *trial, uint64_t distance, uint32_t rep) {
    if (trial->count == WEND_ATLAS_TRIALS && distance >= trial->distances[WEND_ATLAS_TRIALS - 1]) return;
    uint32_t at = trial->count < WEND_ATLAS_TRIALS ? trial->count++ : WEND_ATLAS_TRIALS - 1;
    for (; at && trial->distances[at - 1] > distance; at--)
        trial->distances[at] = trial->distances[at - 1], trial->reps[at] = trial->reps[at - 1];
    trial->distances[at] = distance, trial->reps[at] = rep;
}

/* The base's representatives around the sector of a cell, as far as they are open. */
static void try_base(wend_atlas_repair *repair, uint32_t sector, wend_cell cell, uint64_t *used) {
    const wend_atlas *base = repair->base;
    wend_atlas_block block = wend_atlas_around(&base->grid, sector);
    begin_trial(&repair->trial, cell);
    for (uint32_t row = block.top; row <= block.bottom; row++) {
        uint32_t line = row * base->grid.columns, end = wend_atlas_members(base, line + block.right + 1);
        for (uint32_t i = wend_atlas_members(base, line + block.left); i < end; i++, ++*used) {
            uint32_t rep = wend_atlas_member(base, i);
            if (wend_map_is_open_cell(repair->seen, base->cells[rep]))
                add_trial(&repair->trial, wend_map_distance(repair->seen, cell, base->cells[rep]), rep);
        }
    }
}

/* The extras of the last round. */
static void try_extras(wend_atlas_repair *repair, const wend_atlas_patch *patch, wend_cell cell,
                       uint64_t *used) {
    begin_trial(&repair->trial, cell);
    for (uint32_t i = repair->round; i < patch->extra_count; i++, ++*used)
        add_trial(&repair->trial, wend_map_distance(repair->seen, cell, patch->extras[i]),
                  repair->base->count + i);
}

static wend_cell cell_of(const wend_atlas_repair *repair, const wend_atlas_patch *patch, uint32_t owner) {
    uint32_t count = repair->base->count;
    return patch && owner >= count ? patch->extras[owner - count] : repair->base->cells[owner];
}

/* True when it is known who owns the cell. `patch` is needed for extras alone. */
static bool go_on_trying(wend_atlas_repair *repair, const wend_atlas_patch *patch, uint64_t operations,
                         uint64_t *used, uint32_t *owner) {
    wend_atlas_trial *trial = &repair->trial;
    const wend_map *map = repair->seen;
    uint64_t most = (uint64_t)wend_atlas_reach(&repair->base->grid) * map->cost[0];
    *owner = WEND_ATLAS_NOBODY;
    while (trial->next < trial->count) {
        if (*used >= operations) return false;
        wend_cell rep = cell_of(repair, patch, trial->reps[trial->next]);
        if (!trial->climbing) trial->walk = (wend_climb_walk){trial->cell, rep, 0, most};
        trial->climbing = true;
        wend_climb_end end = wend_climb_go(map, &trial->walk, operations - *used, used);
        if (end == WEND_CLIMB_MORE) return false;
        if (end == WEND_CLIMB_REACHED && trial->back) {
            *owner = trial->reps[trial->next];
            return true;
        }
        trial->back = end == WEND_CLIMB_REACHED;
        trial->climbing = trial->back;
        if (trial->back)
            trial->walk = (wend_climb_walk){rep, trial->cell, 0, most};
        else
            trial->next++;
    }
    return true;
}

/* Gaps --------------------------------------------------------------------------------------------------- */

static bool is_gap(const wend_atlas_repair *repair, const wend_atlas_patch *patch, wend_atlas_area area,
                   uint32_t place) {
    uint32_t side = repair->base->grid.side, x = place % side, y = place / side;
    return x < area.width && y < area.height && patch->owners[place] == WEND_ATLAS_NOBODY &&
           wend_bit(repair->seen, area.x + x, area.y + y);
}

/* The places of a part, within the sector and over cells that nobody owns. */
static uint32_t flood(const wend_atlas_repair *repair, const wend_atlas_patch *patch, wend_atlas_area area,
                      uint32_t from, uint16_t part) {
    uint32_t side = repair->base->grid.side, count = 0;
    repair->flood[count++] = (uint16_t)from;
    repair->parts[from] = part;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t x = repair->flood[i] % side, y = repair->flood[i] / side;
        for (uint32_t moves = wend_legal_moves(repair->seen, area.x + x, area.y + y); moves;
             moves &= moves - 1) {
            uint32_t d = wend_lowest_bit(moves);
            uint32_t next_x = x + (uint32_t)wend_dx[d], next_y = y + (uint32_t)wend_dy[d];
            if (next_x >= area.width || next_y >= area.height) continue;
            uint32_t place = next_y * side + next_x;
            if (repair->parts[place] != NO_PART || !is_gap(repair, patch, area, place)) continue;
            repair->parts[place] = part;
            repair->flood[count++] = (uint16_t)place;
        }
    }
    return count;
}

/* Of the places of a part, the one nearest to their centroid; the first of several. */
static wend_cell middle_of(const wend_atlas_repair *repair, wend_atlas_area area, uint32_t count) {
    uint32_t side = repair->base->grid.side, best = 0;
    uint64_t sum_x = 0, sum_y = 0, least = UINT64_MAX;
    if (!count) return WEND_NO_CELL; /* a part has one, at least */
    for (uint32_t i = 0; i < count; i++) sum_x += repair->flood[i] % side, sum_y += repair->flood[i] / side;
    uint32_t x = (uint32_t)(sum_x / count), y = (uint32_t)(sum_y / count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = repair->flood[i];
        uint64_t far = wend_octile(repair->seen, wend_apart(place % side, x), wend_apart(place / side, y));
        if (far < least || (far == least && place < best)) least = far, best = place;
    }
    return (area.y + best / side) * (uint32_t)repair->seen->width + area.x + best % side;
}

static bool add_extra(wend_atlas_repair *repair, wend_atlas_patch *patch, wend_cell cell) {
    if (patch->extra_count == patch->extra_room) {
        uint32_t room = patch->extra_room ? 2 * patch->extra_room : 4;
        wend_cell *larger =
            wend_enlarge(&repair->common.allocator, patch->extras, patch->extra_room, room, sizeof *larger);
        if (!larger) return false;
        patch->extras = larger, patch->extra_room = room;
    }
    patch->extras[patch->extra_count++] = cell;
    return true;
}

/* An extra for each part of the gaps. */
static bool fill_gaps(wend_atlas_repair *repair, wend_atlas_patch *patch, wend_atlas_area area,
                      uint64_t *used) {
    uint32_t side = repair->base->grid.side;
    uint16_t part = 0;
    memset(repair->parts, 0xff, (size_t)side * side * sizeof *repair->parts);
    repair->round = patch->extra_count;
    *used += (uint64_t)side * side;
    for (uint32_t place = 0; place < side * side; place++) {
        if (repair->parts[place] != NO_PART || !is_gap(repair, patch, area, place)) continue;
        uint32_t count = flood(repair, patch, area, place, part++);
        *used += (uint64_t)count * (1 + WEND_DIRECTIONS);
        if (!add_extra(repair, patch, middle_of(repair, area, count))) return false;
    }
    return true;
}

/* Examining ---------------------------------------------------------------------------------------------- */

enum { PASS_BEGIN, PASS_BASE, PASS_GAPS, PASS_EXTRAS };

/* A place in the pass under way. True: it is done with. */
static bool own_place(wend_atlas_repair *repair, wend_atlas_patch *patch, wend_atlas_area area,
                      uint64_t operations, uint64_t *used) {
    uint32_t side = repair->base->grid.side, x = repair->place % side, y = repair->place / side, owner;
    if (!repair->trying) {
        ++*used;
        if (!is_gap(repair, patch, area, repair->place)) return true;
        wend_cell cell = (area.y + y) * (uint32_t)repair->seen->width + area.x + x;
        if (repair->pass == PASS_BASE)
            try_base(repair, repair->at, cell, used);
        else
            try_extras(repair, patch, cell, used);
        repair->trying = true;
    }
    if (!go_on_trying(repair, patch, operations, used, &owner)) return false;
    repair->trying = false;
    patch->owners[repair->place] = owner;
    return true;
}

static bool has_gaps(const wend_atlas_repair *repair, const wend_atlas_patch *patch, wend_atlas_area area) {
    uint32_t side = repair->base->grid.side;
    for (uint32_t place = 0; place < side * side; place++)
        if (is_gap(repair, patch, area, place)) return true;
    return false;
}

static void next_sector(wend_atlas_repair *repair) {
    repair->at++;
    repair->pass = PASS_BEGIN;
    repair->trying = false;
}

bool wend_atlas_repair_examine(wend_atlas_repair *repair, uint64_t operations, uint64_t *used, bool *done) {
    uint32_t sector = repair->at, side = repair->base->grid.side;
    *done = sector == repair->sectors;
    if (*done) return true;
    wend_atlas_area area = wend_atlas_area_of(&repair->base->grid, repair->seen, sector);
    switch (repair->pass) {
    case PASS_BEGIN: {
        uint32_t flags = repair->flags[sector];
        ++*used;
        if (!(flags & WEND_SECTOR_NEAR)) wend_atlas_patch_drop(repair, sector);
        if (!(flags & WEND_SECTOR_NEAR) || (repair->patches[sector] && !(flags & WEND_SECTOR_ANEW))) {
            next_sector(repair);
            return true;
        }
        *used += side;
        repair->examined++;
        repair->pass = PASS_BASE, repair->place = 0;
        return make_patch(repair, sector);
    }
    case PASS_GAPS:
        *used += side * side;
        if (has_gaps(repair, repair->patches[sector], area)) {
            repair->pass = PASS_EXTRAS, repair->place = 0;
            return fill_gaps(repair, repair->patches[sector], area, used);
        }
        next_sector(repair);
        return true;
    default:
        if (!own_place(repair, repair->patches[sector], area, operations, used)) return true;
        if (++repair->place == side * side) repair->pass = PASS_GAPS;
        return true;
    }
}

/* Neighbours --------------------------------------------------------------------------------------------- */

static bool add_pair(wend_atlas_repair *repair, wend_atlas_patch *patch, wend_cell a, wend_cell b,
                     uint64_t *used) {
    uint64_t pair = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
    for (uint32_t i = patch->pair_count; i-- > 0; ++*used)
        if (patch->pairs[i] == pair) return true;
    if (patch->pair_count == patch->pair_room) {
        uint32_t room = patch->pair_room ? 2 * patch->pair_room : 16;
        uint64_t *larger =
            wend_enlarge(&repair->common.allocator, patch->pairs, patch->pair_room, room, sizeof *larger);
        if (!larger) return false;
        patch->pairs = larger, patch->pair_room = room;
    }
    patch->pairs[patch->pair_count++] = pair;
    return true;
}

/* The cell of the owner of a cell that lies in `sector`; WEND_NO_CELL: nobody. False: it takes more
 * operations, where the sector was not examined. */
static bool find_owner(wend_atlas_repair *repair, uint32_t sector, wend_cell cell, uint64_t operations,
                       uint64_t *used, wend_cell *rep) {
    const wend_atlas_patch *patch = repair->patches[sector];
    uint32_t owner, side = repair->base->grid.side;
    ++*used;
    if (patch) {
        uint32_t y = wend_cell_y(repair->seen, cell), x = wend_cell_x(repair->seen, cell, y);
        owner = patch->owners[y % side * side + x % side];
    } else {
        if (!repair->trying) try_base(repair, sector, cell, used);
        repair->trying = true;
        if (!go_on_trying(repair, NULL, operations, used, &owner)) return false;
        repair->trying = false;
    }
    *rep = owner == WEND_ATLAS_NOBODY ? WEND_NO_CELL : cell_of(repair, patch, owner);
    return true;
}

/* The moves from a place, from number repair->direction on. *over: all were looked at. False: no memory. */
static bool pair_place(wend_atlas_repair *repair, wend_atlas_patch *patch, uint64_t operations,
                       uint64_t *used, bool *over) {
    const wend_map *map = repair->seen;
    uint32_t side = repair->base->grid.side;
    wend_atlas_area area = wend_atlas_area_of(&repair->base->grid, map, repair->at);
    uint32_t x = area.x + repair->place % side, y = area.y + repair->place / side,
             owner = patch->owners[repair->place];
    *over = true;
    if (owner == WEND_ATLAS_NOBODY) return true;
    wend_cell cell = y * (uint32_t)map->width + x, own = cell_of(repair, patch, owner);
    uint32_t moves = wend_legal_moves(map, x, y);
    for (; repair->direction < WEND_DIRECTIONS; repair->direction++) {
        uint32_t d = repair->direction;
        if (!(moves >> d & 1)) continue;
        wend_cell next = cell + (uint32_t)map->offset[d], other;
        uint32_t sector = wend_atlas_sector(&repair->base->grid, map, next);
        if (sector == repair->at && !(OWN_HALF >> d & 1)) continue; /* met from the other side */
        if (!find_owner(repair, sector, next, operations, used, &other)) {
            *over = false;
            return true;
        }
        if (other != WEND_NO_CELL && other != own && !add_pair(repair, patch, own, other, used)) return false;
    }
    return true;
}

bool wend_atlas_repair_pair(wend_atlas_repair *repair, uint64_t operations, uint64_t *used, bool *done) {
    uint32_t sector = repair->at, side = repair->base->grid.side;
    *done = sector == repair->sectors;
    if (*done) return true;
    wend_atlas_patch *patch = repair->patches[sector];
    ++*used;
    if (repair->pass == PASS_BEGIN) {
        if (!patch || (patch->paired && !(repair->flags[sector] & WEND_SECTOR_PAIR))) {
            next_sector(repair);
            return true;
        }
        patch->pair_count = 0, patch->paired = false;
        repair->pass = PASS_BASE, repair->place = repair->direction = 0;
    }
    bool over;
    if (!pair_place(repair, patch, operations, used, &over)) return false;
    if (!over) return true;
    repair->direction = 0;
    if (++repair->place < side * side) return true;
    patch->paired = true;
    next_sector(repair);
    return true;
}

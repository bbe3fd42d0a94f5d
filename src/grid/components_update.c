/* Components after edits. First what was closed, then what was opened, whatever the order of the edits: only
 * the difference between the cells as labelled and the cells as they are counts.
 *
 * Closing can cut a component into parts. Each part touches a closed cell, so one flood starts at each group
 * of joined cells around the closed ones (mostly there is one group, and no flood is needed). The floods of a
 * component advance in turn, a cell each; two that meet become one, one that has run dry is a part on its
 * own. When a single flood is left, what it has not reached belongs to it and is never looked at: the cost is
 * that of the smaller parts, or of the way round that joins the groups again. A flood paints cells with a new
 * id, and meeting joins ids, so nothing has to be painted twice. */
#include "base/memory.h"
#include "base/status.h"
#include "grid/components.h"

/* An open cell beside a closed one. A group of them is known by the id that names it, and its flood stands
 * in that id's seed. */
typedef struct seed {
    wend_cell cell;
    uint32_t before; /* the id that the cell carried */
    uint32_t id;     /* the new one */
    uint32_t origin; /* the name that the cell's component had */
    bool cut;        /* whether a cell of the group was joined to a closed cell directly */
    bool kept;       /* whether the group is flooded rather than given back */
    uint32_t next;   /* the ring of floods of the same origin */
    wend_cell head, tail;
} seed;

typedef struct update {
    wend_components *components;
    const wend_map *map;
    seed *seeds;
    uint32_t seed_count;
} update;

typedef struct bounds {
    uint64_t seeds; /* at most so many cells beside closed ones */
    uint64_t runs;  /* at most so many rows of opened cells */
} bounds;

/* -- ids ------------------------------------------------------------------------------------------------ */

/* A component without cells as yet; the id was reserved. */
static uint32_t make_component(wend_components *components) {
    uint32_t id = components->first_free;
    if (id == WEND_NO_LABEL) {
        id = components->used++;
    } else {
        components->first_free = components->label[id].next;
        components->free_count--;
    }
    components->label[id] =
        (wend_label){.name = id, .next = id, .prev = id, .ids = 1, .flood = WEND_NO_LABEL};
    components->count++;
    return id;
}

static void free_id(wend_components *components, uint32_t id) {
    wend_label *label = components->label + id;
    label->name = WEND_NO_LABEL;
    label->next = components->first_free;
    components->first_free = id;
    components->free_count++;
}

/* Frees an id that no cell carries, unless it is the name of a component. */
static void drop_if_unused(wend_components *components, uint32_t id) {
    wend_label *all = components->label, *label = all + id;
    if (label->name == WEND_NO_LABEL || label->name == id || label->cells) return;
    all[label->next].prev = label->prev;
    all[label->prev].next = label->next;
    all[label->name].ids--;
    free_id(components, id);
}

/* Ends a component that has no cells. */
static void dissolve(wend_components *components, uint32_t name) {
    for (uint32_t id = components->label[name].next; id != name;) {
        uint32_t next = components->label[id].next;
        free_id(components, id);
        id = next;
    }
    free_id(components, name);
    components->count--;
}

/* Makes two components one and returns its name. */
static uint32_t unite(wend_components *components, uint32_t a, uint32_t b) {
    wend_label *all = components->label;
    if (all[a].ids < all[b].ids || (b < a && all[a].ids == all[b].ids)) {
        uint32_t swap = a;
        a = b, b = swap;
    }
    uint32_t id = b;
    do {
        all[id].name = a;
        id = all[id].next;
    } while (id != b);
    uint32_t a_next = all[a].next, b_last = all[b].prev;
    all[a].next = b, all[b].prev = a;
    all[b_last].next = a_next, all[a_next].prev = b_last;
    all[a].size += all[b].size, all[a].ids += all[b].ids;
    components->count--;
    drop_if_unused(components, b);
    return a;
}

static void add_cells(wend_components *components, uint32_t id, uint32_t count) {
    wend_label *label = components->label + id;
    label->cells += count;
    components->label[label->name].size += count;
}

static void remove_cell(wend_components *components, uint32_t id) {
    wend_label *label = components->label + id;
    label->cells--;
    components->label[label->name].size--;
}

/* -- what the edits changed ----------------------------------------------------------------------------- */

typedef void (*cell_visitor)(update *u, wend_cell cell, uint32_t x, uint32_t y, void *context);

/* Calls `visit` for every cell of the edited areas that is labelled but closed. */
static void each_closed(update *u, cell_visitor visit, void *context) {
    const wend_map *map = u->map;
    for (uint32_t e = u->components->revision; e < map->edit_count; e++) {
        wend_rect area = map->edits[e].area;
        for (int32_t y = area.y; y < area.y + area.height; y++) {
            wend_cell row = (wend_cell)y * (wend_cell)map->width;
            for (int32_t x = area.x; x < area.x + area.width; x++) {
                wend_cell cell = row + (wend_cell)x;
                if (u->components->id[cell] != WEND_NO_LABEL && !wend_bit(map, (uint32_t)x, (uint32_t)y))
                    visit(u, cell, (uint32_t)x, (uint32_t)y, context);
            }
        }
    }
}

typedef void (*run_visitor)(update *u, wend_cell cell, uint32_t x, uint32_t y, uint32_t length,
                            void *context);

/* Calls `visit` for every run of cells within a row of the edited areas that are open but not labelled;
 * `cell` is its first one. */
static void each_opened(update *u, run_visitor visit, void *context) {
    const wend_map *map = u->map;
    for (uint32_t e = u->components->revision; e < map->edit_count; e++) {
        wend_rect area = map->edits[e].area;
        uint32_t end = (uint32_t)(area.x + area.width);
        for (int32_t j = area.y; j < area.y + area.height; j++) {
            uint32_t y = (uint32_t)j;
            wend_cell row = y * (wend_cell)map->width;
            for (uint32_t x = (uint32_t)area.x; x < end; x++) {
                uint32_t first = x;
                while (x < end && u->components->id[row + x] == WEND_NO_LABEL && wend_bit(map, x, y)) x++;
                if (x > first) visit(u, row + first, first, y, x - first, context);
            }
        }
    }
}

static void count_seeds(update *u, wend_cell cell, uint32_t x, uint32_t y, void *context) {
    (void)cell;
    ((bounds *)context)->seeds += wend_count_bits(wend_map_around(u->map, x, y));
}

static void count_run(update *u, wend_cell cell, uint32_t x, uint32_t y, uint32_t length, void *context) {
    (void)u, (void)cell, (void)x, (void)y, (void)length;
    ((bounds *)context)->runs++;
}

/* -- closing -------------------------------------------------------------------------------------------- */

/* The neighbours of a cell that are on the map: bit d is set if direction d stays inside. */
static uint32_t inside(const wend_components *components, uint32_t x, uint32_t y) {
    uint32_t set = 0xff;
    if (x == 0) set &= ~0xe0u;
    if (x + 1 == (uint32_t)components->width) set &= ~0x0eu;
    if (y == 0) set &= ~0x83u;
    if (y + 1 == (uint32_t)components->height) set &= ~0x38u;
    return set;
}

enum { CARDINALS = 0x55 };

/* The directions in which touching cells are joined. */
static uint32_t joining(const wend_components *components) {
    return components->diagonal ? 0xffu : (uint32_t)CARDINALS;
}

static bool is_seed(const update *u, uint32_t id) {
    uint32_t flood = u->components->label[id].flood;
    return flood != WEND_NO_LABEL && u->seeds[flood].id == id;
}

/* Takes the open cells around a closed one as seeds, each a component of its own for the moment. All eight
 * are taken whatever the rules: under rules that do not join corners the diagonal ones link the others. */
static void add_seeds(update *u, wend_cell cell, uint32_t x, uint32_t y, void *context) {
    (void)context;
    wend_components *components = u->components;
    for (uint32_t set = inside(components, x, y); set; set &= set - 1) {
        uint32_t d = wend_lowest_bit(set);
        wend_cell beside = cell + (wend_cell)u->map->offset[d];
        uint32_t id = components->id[beside];
        if (id == WEND_NO_LABEL) continue;
        if (!wend_map_is_open(u->map, (int32_t)x + wend_dx[d], (int32_t)y + wend_dy[d])) continue;
        bool cut = joining(components) >> d & 1;
        if (is_seed(u, id)) {
            u->seeds[components->label[id].flood].cut |= cut;
            continue;
        }
        uint32_t made = make_component(components);
        components->label[made].flood = u->seed_count;
        u->seeds[u->seed_count++] = (seed){.cell = beside,
                                           .before = id,
                                           .id = made,
                                           .origin = components->label[id].name,
                                           .cut = cut,
                                           .next = WEND_NO_LABEL,
                                           .head = WEND_NO_CELL,
                                           .tail = WEND_NO_CELL};
        components->id[beside] = made;
        remove_cell(components, id);
        add_cells(components, made, 1);
    }
}

static seed *group_of(const update *u, uint32_t id) {
    const wend_label *all = u->components->label;
    return u->seeds + all[all[id].name].flood;
}

/* Joins seeds that touch into groups. */
static void join_seeds(update *u) {
    wend_components *components = u->components;
    for (uint32_t i = 0; i < u->seed_count; i++) {
        wend_cell cell = u->seeds[i].cell;
        uint32_t y = wend_cell_y(u->map, cell), x = wend_cell_x(u->map, cell, y);
        /* Four of the eight directions see every pair once. */
        for (uint32_t set = inside(components, x, y) & joining(components) & 0x3c; set; set &= set - 1) {
            uint32_t id = components->id[cell + (wend_cell)u->map->offset[wend_lowest_bit(set)]];
            if (id == WEND_NO_LABEL || !is_seed(u, id)) continue;
            const seed *a = group_of(u, u->seeds[i].id), *b = group_of(u, id);
            if (a == b) continue;
            bool cut = a->cut || b->cut;
            uint32_t name = unite(components, a->id, b->id);
            u->seeds[components->label[name].flood].cut = cut;
        }
    }
}

/* Chains the groups that may have been cut off behind their origins; true if any origin has several. */
static bool keep_groups(update *u) {
    wend_label *all = u->components->label;
    bool several = false;
    for (uint32_t i = 0; i < u->seed_count; i++) {
        seed *s = u->seeds + i;
        if (all[s->id].name != s->id || !s->cut) continue;
        s->next = all[s->origin].flood;
        all[s->origin].flood = i;
        if (s->next == WEND_NO_LABEL) continue;
        s->kept = u->seeds[s->next].kept = several = true;
    }
    return several;
}

/* Gives the cells of groups that are not flooded their old ids back. */
static void restore_seeds(update *u) {
    wend_components *components = u->components;
    for (uint32_t i = 0; i < u->seed_count; i++) {
        const seed *s = u->seeds + i;
        if (group_of(u, s->id)->kept) continue;
        remove_cell(components, s->id);
        components->id[s->cell] = s->before;
        add_cells(components, s->before, 1);
    }
    for (uint32_t i = 0; i < u->seed_count; i++) {
        const seed *s = u->seeds + i;
        if (components->label[s->id].name != s->id || s->kept) continue;
        if (s->cut) components->label[s->origin].flood = WEND_NO_LABEL;
        dissolve(components, s->id);
    }
}

static void close_cell(update *u, wend_cell cell, uint32_t x, uint32_t y, void *context) {
    (void)x, (void)y, (void)context;
    wend_components *components = u->components;
    uint32_t id = components->id[cell], name = components->label[id].name;
    components->id[cell] = WEND_NO_LABEL;
    remove_cell(components, id);
    if (components->label[name].size == 0 && components->label[name].flood == WEND_NO_LABEL)
        dissolve(components, name);
    else
        drop_if_unused(components, id);
}

static void push(update *u, seed *flood, wend_cell cell) {
    uint32_t *next = u->components->queue_next;
    next[cell] = WEND_NO_CELL;
    if (flood->head == WEND_NO_CELL)
        flood->head = cell;
    else
        next[flood->tail] = cell;
    flood->tail = cell;
}

/* Two floods have met: one component, one queue. */
static seed *meet(update *u, seed *a, seed *b) {
    uint32_t name = unite(u->components, a->id, b->id);
    seed *left = name == a->id ? a : b, *gone = name == a->id ? b : a;
    if (gone->head != WEND_NO_CELL) {
        if (left->head == WEND_NO_CELL)
            left->head = gone->head;
        else
            u->components->queue_next[left->tail] = gone->head;
        left->tail = gone->tail;
        gone->head = WEND_NO_CELL;
    }
    return left;
}

/* Takes one cell from the flood's queue and floods its neighbours. Returns how many floods it met. */
static uint32_t advance(update *u, seed *flood, uint32_t origin) {
    wend_components *components = u->components;
    wend_cell cell = flood->head;
    flood->head = components->queue_next[cell];
    uint32_t met = 0, y = wend_cell_y(u->map, cell), x = wend_cell_x(u->map, cell, y);
    for (uint32_t set = inside(components, x, y) & joining(components); set; set &= set - 1) {
        wend_cell beside = cell + (wend_cell)u->map->offset[wend_lowest_bit(set)];
        uint32_t id = components->id[beside];
        if (id == WEND_NO_LABEL) continue;
        uint32_t name = components->label[id].name;
        if (name == flood->id) continue;
        if (name == origin) {
            remove_cell(components, id);
            drop_if_unused(components, id);
            components->id[beside] = flood->id;
            add_cells(components, flood->id, 1);
            push(u, flood, beside);
        } else {
            flood = meet(u, flood, u->seeds + components->label[name].flood);
            met++;
        }
    }
    return met;
}

/* Runs the floods of one component until all but one of them have met others or run dry. */
static void flood_origin(update *u, uint32_t origin) {
    wend_components *components = u->components;
    uint32_t first = components->label[origin].flood, last = first, alive = 1;
    components->label[origin].flood = WEND_NO_LABEL;
    while (u->seeds[last].next != WEND_NO_LABEL) last = u->seeds[last].next, alive++;
    u->seeds[last].next = first;
    for (uint32_t before = last;;) {
        uint32_t at = u->seeds[before].next;
        seed *flood = u->seeds + at;
        bool joined = components->label[flood->id].name != flood->id;
        if (!joined && alive == 1) {
            if (components->label[origin].size)
                unite(components, origin, flood->id);
            else
                dissolve(components, origin);
            return;
        }
        if (joined || flood->head == WEND_NO_CELL) {
            alive -= !joined;
            u->seeds[before].next = flood->next;
        } else {
            alive -= advance(u, flood, origin);
            before = at;
        }
    }
}

static void flood_all(update *u) {
    wend_components *components = u->components;
    for (uint32_t i = 0; i < u->seed_count; i++) {
        seed *s = u->seeds + i;
        if (components->label[s->id].name == WEND_NO_LABEL) continue; /* given back */
        drop_if_unused(components, s->before);
        push(u, group_of(u, s->id), s->cell);
    }
    for (uint32_t i = 0; i < u->seed_count; i++) {
        const seed *s = u->seeds + i;
        if (s->kept && components->label[s->origin].name == s->origin &&
            components->label[s->origin].flood != WEND_NO_LABEL)
            flood_origin(u, s->origin);
    }
}

static wend_status close_cells(update *u, wend_error *error) {
    wend_components *components = u->components;
    each_closed(u, add_seeds, NULL);
    join_seeds(u);
    bool flooding = keep_groups(u);
    if (flooding && !components->queue_next) {
        components->queue_next =
            wend_allocate(&components->allocator, components->cells, sizeof *components->queue_next);
        if (!components->queue_next) {
            for (uint32_t i = 0; i < u->seed_count; i++) u->seeds[i].kept = false;
            restore_seeds(u);
            return wend_fail(error, WEND_NO_MEMORY, "no memory to see what the edits cut off");
        }
    }
    restore_seeds(u);
    each_closed(u, close_cell, NULL);
    if (flooding) flood_all(u);
    for (uint32_t i = 0; i < u->seed_count; i++) components->label[u->seeds[i].id].flood = WEND_NO_LABEL;
    return WEND_OK;
}

/* -- opening -------------------------------------------------------------------------------------------- */

/* Joins `name`, which may be none yet, with the component of a cell; returns the name of both. */
static uint32_t join_cell(wend_components *components, uint32_t name, wend_cell cell) {
    uint32_t id = components->id[cell];
    if (id == WEND_NO_LABEL) return name;
    uint32_t other = components->label[id].name;
    if (name == WEND_NO_LABEL || name == other) return other;
    return unite(components, name, other);
}

static void open_run(update *u, wend_cell cell, uint32_t x, uint32_t y, uint32_t length, void *context) {
    (void)context;
    wend_components *components = u->components;
    uint32_t width = (uint32_t)components->width, name = WEND_NO_LABEL;
    bool west = x > 0, east = x + length < width;
    if (west) name = join_cell(components, name, cell - 1);
    if (east) name = join_cell(components, name, cell + length);
    wend_cell first = cell - (west && components->diagonal),
              end = cell + length + (east && components->diagonal);
    if (y > 0)
        for (wend_cell c = first - width; c < end - width; c++) name = join_cell(components, name, c);
    if (y + 1 < (uint32_t)components->height)
        for (wend_cell c = first + width; c < end + width; c++) name = join_cell(components, name, c);
    if (name == WEND_NO_LABEL) name = make_component(components);
    for (uint32_t i = 0; i < length; i++) components->id[cell + i] = name;
    add_cells(components, name, length);
}

/* -- both ----------------------------------------------------------------------------------------------- */

wend_status wend_components_update(wend_components *components, const wend_map *map, wend_error *error) {
    if (!components || !map) return wend_fail(error, WEND_BAD_ARGUMENT, "no components or no map to update");
    if (map->width != components->width || map->height != components->height ||
        map->edit_count < components->revision || wend_joins_diagonally(map) != components->diagonal)
        return wend_fail(error, WEND_OTHER_MAP, "the components are those of another map");
    uint64_t area = 0;
    for (uint32_t e = components->revision; e < map->edit_count; e++)
        area += (uint64_t)(uint32_t)map->edits[e].area.width * (uint32_t)map->edits[e].area.height;
    if (area > map->cells / 2) return wend_components_rebuild(components, map, error);

    update u = {.components = components, .map = map};
    bounds most = {0, 0};
    each_closed(&u, count_seeds, &most);
    each_opened(&u, count_run, &most);
    if (!wend_components_reserve(components, most.seeds + most.runs))
        return wend_fail(error, WEND_NO_MEMORY, "no memory for new components");
    size_t room = most.seeds ? (size_t)most.seeds : 1;
    u.seeds = wend_allocate(&components->allocator, room, sizeof *u.seeds);
    if (!u.seeds) return wend_fail(error, WEND_NO_MEMORY, "no memory to see what was cut off");
    wend_status status = close_cells(&u, error);
    if (status == WEND_OK) {
        each_opened(&u, open_run, NULL);
        components->revision = map->edit_count;
    }
    wend_release(&components->allocator, u.seeds, room, sizeof *u.seeds);
    return status;
}

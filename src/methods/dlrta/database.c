/* dlrta: the database of D LRTA* (Bulitko, Lustrek, Schaeffer, Bjornsson and Sigmundarson, "Dynamic control
 * in real-time heuristic search", JAIR 2008), as "kNN LRTA*" (AIIDE 2009, section 2) and "Case-based
 * subgoaling" (JAIR 2010, section 4) describe it.
 *
 * The map is cut into regions by clique abstraction (methods/dlrta/abstraction.h). For each ordered pair of
 * regions the subgoal is the cell where the optimal path between their representatives first leaves the
 * region it starts in. One search from a goal's representative serves all starts: a job is a goal region,
 * and walks from every other representative of its component down the distances until it enters another
 * region. Of several optimal moves the one that costs more is made, then the one of smaller direction.
 *
 * Departure: followed from region to region, such subgoals may lead round in a ring for ever, where the path
 * of each of two representatives leads through the other's region. (On a map of 200 x 200 cells that befalls
 * a few goals.) For the regions of a ring, and for those alone, the subgoal is the cell where the path first
 * enters a region whose representative is nearer to the goal than their own. Then there are no rings.
 *
 * The table is dense within each component of the map; between components there is no path, and no entry. */
#include "methods/dlrta/layout.h"

#include "methods/dlrta/abstraction.h"
#include <wend/search.h>

#include <string.h>

/* Four bytes each. Far beyond what anybody would want; a lower level has nine times as many. */
#define MOST_ENTRIES ((uint64_t)1 << 31)

typedef struct maker {
    const wend_map *map;
    wend_allocator allocator;
    wend_abstraction abstraction;
    wend_cell *centres;
    uint32_t *firsts, *counts; /* of each region: see layout.h */
    uint64_t *offsets;
    uint64_t entries;
    uint32_t *goals; /* the regions that are not their whole component, in order: the jobs */
    uint32_t goal_count;
    wend_field **fields; /* a worker each */
    uint32_t workers;
} maker;

static void maker_release(maker *made) {
    if (!made) return;
    wend_allocator allocator = made->allocator;
    size_t room = (size_t)made->abstraction.regions + 1;
    for (uint32_t i = 0; made->fields && i < made->workers; i++) wend_field_destroy(made->fields[i]);
    wend_release(&allocator, made->fields, made->workers, sizeof *made->fields);
    wend_release(&allocator, made->goals, room, sizeof *made->goals);
    wend_release(&allocator, made->offsets, room, sizeof *made->offsets);
    wend_release(&allocator, made->counts, room, sizeof *made->counts);
    wend_release(&allocator, made->firsts, room, sizeof *made->firsts);
    wend_release(&allocator, made->centres, room, sizeof *made->centres);
    if (made->abstraction.labels) wend_abstraction_release(&made->abstraction);
    wend_release(&allocator, made, 1, sizeof *made);
}

/* Where each region's component begins and ends, and its place in the table. */
static void lay_out(maker *made) {
    const wend_abstraction *abstraction = &made->abstraction;
    uint32_t end;
    for (uint32_t first = 0; first < abstraction->regions; first = end) {
        for (end = first + 1; end < abstraction->regions; end++)
            if (abstraction->component[end] != abstraction->component[first]) break;
        for (uint32_t i = first; i < end; i++) {
            made->firsts[i] = first, made->counts[i] = end - first;
            made->offsets[i] = made->entries;
            made->entries += end - first;
            if (end - first > 1) made->goals[made->goal_count++] = i;
        }
    }
}

static wend_status maker_create(const wend_map *map, uint32_t level, const wend_allocator *allocator,
                                uint32_t workers, maker **out, wend_error *error) {
    maker *made = wend_allocate_zeroed(allocator, 1, sizeof *made);
    *out = made; /* released by the caller, whatever comes */
    if (!made) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for regions");
    made->map = map, made->allocator = *allocator, made->workers = workers;
    wend_status status = wend_abstraction_create(map, level, allocator, &made->abstraction, error);
    if (status != WEND_OK) return status;
    size_t room = (size_t)made->abstraction.regions + 1;
    made->centres = wend_allocate(allocator, room, sizeof *made->centres);
    made->firsts = wend_allocate(allocator, room, sizeof *made->firsts);
    made->counts = wend_allocate(allocator, room, sizeof *made->counts);
    made->offsets = wend_allocate(allocator, room, sizeof *made->offsets);
    made->goals = wend_allocate(allocator, room, sizeof *made->goals);
    made->fields = wend_allocate_zeroed(allocator, workers, sizeof *made->fields);
    if (!made->centres || !made->firsts || !made->counts || !made->offsets || !made->goals || !made->fields)
        return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for %u regions", made->abstraction.regions);
    status = wend_abstraction_centres(&made->abstraction, map, made->centres);
    if (status != WEND_OK)
        return wend_fail(error, status, "no memory for %u regions", made->abstraction.regions);
    lay_out(made);
    if (made->entries > MOST_ENTRIES)
        return wend_fail(error, WEND_STATUS_TOO_LARGE,
                         "level %u makes %u regions, and a table of %llu entries: choose a higher level",
                         level, made->abstraction.regions, (unsigned long long)made->entries);
    return WEND_OK;
}

/* The field of a worker, made when it is first needed: a worker without work takes no memory. */
static wend_status field_of(maker *made, uint32_t worker, wend_field **field) {
    wend_status status = WEND_OK;
    if (!made->fields[worker]) {
        wend_field_options options = wend_default_field_options();
        options.towards = false;
        options.allocator = made->allocator;
        status = wend_field_create(made->map, &options, &made->fields[worker], NULL);
    }
    *field = made->fields[worker];
    return status;
}

/* The column of a table under way: the subgoals to one goal region from the regions of its component. */
typedef struct column {
    const maker *made;
    const wend_field *field; /* from the goal's representative */
    uint32_t goal, first, count;
    wend_cell *entries;
    bool *raised;     /* the entry is the nearer one */
    uint32_t *walked; /* the walk in which a region was met, from 1 on */
} column;

/* The next cell of the optimal path to the goal's representative; that itself from there. Read off the
 * distances: it is for few cells, and keeping all optimal moves would make the searches slower by a third. */
static wend_cell step_down(const column *c, wend_cell at) {
    const wend_map *map = c->made->map;
    wend_cost left = wend_field_cost(c->field, at);
    wend_cell straight = at;
    for (uint32_t moves = wend_map_moves(map, at); moves; moves &= moves - 1) {
        uint32_t d = wend_lowest_bit(moves);
        wend_cell next = at + (uint32_t)map->offset[d];
        if (wend_field_cost(c->field, next) + map->cost[d] != left) continue;
        if (wend_is_diagonal(d)) return next;
        if (straight == at) straight = next;
    }
    return straight;
}

/* Where the optimal path from a region's representative enters another region; or one whose representative is
 * nearer to the goal than its own, as the goal's is to all others. */
static wend_cell entry_from(const column *c, uint32_t region, bool nearer) {
    const maker *made = c->made;
    wend_cell at = made->centres[region];
    wend_cost far = wend_field_cost(c->field, at);
    for (;;) {
        at = step_down(c, at);
        uint32_t in = made->abstraction.labels[at];
        if (in != region && (!nearer || wend_field_cost(c->field, made->centres[in]) < far)) return at;
    }
}

/* The region after one on the way; the goal where that is it. */
static uint32_t region_after(const column *c, uint32_t region) {
    return c->made->abstraction.labels[c->entries[region - c->first]];
}

/* Raises the entries of all regions that lead round in a ring; false if there is none. */
static bool break_rings(const column *c) {
    bool broken = false;
    for (uint32_t i = 0; i < c->count; i++) c->walked[i] = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t at = c->first + i;
        while (at != c->goal && !c->walked[at - c->first]) {
            c->walked[at - c->first] = i + 1;
            at = region_after(c, at);
        }
        if (at == c->goal || c->walked[at - c->first] != i + 1) continue;
        for (uint32_t end = at, next;; at = next) {
            next = region_after(c, at);
            if (!c->raised[at - c->first]) c->entries[at - c->first] = entry_from(c, at, true);
            c->raised[at - c->first] = broken = true;
            if (next == end) break;
        }
    }
    return broken;
}

/* A raised entry leads to a nearer region, so every ring has one that is not: with each round there are fewer
 * of those, and an end. */
static void fill_column(const column *c) {
    for (uint32_t i = 0; i < c->count; i++) {
        c->raised[i] = false;
        c->entries[i] =
            c->first + i == c->goal ? c->made->centres[c->goal] : entry_from(c, c->first + i, false);
    }
    while (break_rings(c)) continue;
    c->entries[c->goal - c->first] = WEND_NO_CELL;
}

/* Works out the subgoals to region `goal` of all regions of its component. */
static wend_status make(maker *made, uint32_t goal, uint32_t worker, wend_buffer *result) {
    wend_field *field;
    wend_status status = field_of(made, worker, &field);
    if (status == WEND_OK) status = wend_field_compute(field, made->centres[goal], NULL);
    if (status != WEND_OK) return status;
    column c = {
        .made = made, .field = field, .goal = goal, .first = made->firsts[goal], .count = made->counts[goal]};
    c.entries = wend_allocate(&made->allocator, c.count, sizeof *c.entries);
    c.walked = wend_allocate(&made->allocator, c.count, sizeof *c.walked);
    c.raised = wend_allocate(&made->allocator, c.count, sizeof *c.raised);
    bool good = c.entries && c.walked && c.raised;
    if (good) {
        fill_column(&c);
        good = wend_buffer_add(result, c.entries, c.count * sizeof *c.entries);
    }
    wend_release(&made->allocator, c.entries, c.count, sizeof *c.entries);
    wend_release(&made->allocator, c.walked, c.count, sizeof *c.walked);
    wend_release(&made->allocator, c.raised, c.count, sizeof *c.raised);
    return good ? WEND_OK : WEND_STATUS_NO_MEMORY;
}

static uint32_t level_of(const wend_settings *settings) {
    return (uint32_t)wend_settings_integer(settings, "level");
}

static wend_status dlrta_prepare(wend_builder *builder, wend_error *error) {
    maker *made = NULL;
    if (!wend_builder_goes_on(builder, "regions", 0, 1))
        return wend_fail(error, WEND_STATUS_INTERRUPTED, "interrupted before anything was finished");
    wend_status status = maker_create(builder->map, level_of(builder->settings), &builder->allocator,
                                      builder->workers, &made, error);
    builder->state = made;
    if (status != WEND_OK) return status;
    uint64_t size = made->entries * sizeof(wend_cell), most = builder->options->max_size;
    if (most && size > most)
        return wend_fail(error, WEND_STATUS_TOO_LARGE,
                         "level %u makes %u regions, and a table of %llu bytes, more than allowed",
                         level_of(builder->settings), made->abstraction.regions, (unsigned long long)size);
    /* The jobs' results, the table and its section stand in memory in the end: better refused now. */
    if (builder->options->max_memory && 3 * size > builder->options->max_memory)
        return wend_fail(
            error, WEND_STATUS_NO_MEMORY, "level %u makes %u regions, which takes more than %llu bytes",
            level_of(builder->settings), made->abstraction.regions, 3 * (unsigned long long)size);
    builder->jobs = made->goal_count;
    return WEND_OK;
}

static void dlrta_release(wend_builder *builder) {
    maker_release(builder->state);
    builder->state = NULL;
}

static wend_status dlrta_job(wend_builder *builder, uint32_t job, uint32_t worker, wend_buffer *result) {
    maker *made = builder->state;
    return make(made, made->goals[job], worker, result);
}

/* The labels at 16 bits where that is enough. */
static wend_status add_labels(wend_builder *builder, wend_error *error) {
    const maker *made = builder->state;
    const wend_abstraction *abstraction = &made->abstraction;
    if (abstraction->regions >= UINT16_MAX)
        return wend_builder_section(builder, "labels", sizeof(uint32_t), abstraction->labels,
                                    abstraction->cells, error);
    uint16_t *labels = wend_allocate(&builder->allocator, abstraction->cells, sizeof *labels);
    if (!labels) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for the labels");
    for (uint32_t i = 0; i < abstraction->cells; i++) labels[i] = (uint16_t)abstraction->labels[i];
    wend_status status =
        wend_builder_section(builder, "labels", sizeof *labels, labels, abstraction->cells, error);
    wend_release(&builder->allocator, labels, abstraction->cells, sizeof *labels);
    return status;
}

static wend_status add_table(wend_builder *builder, const wend_buffer *results, wend_error *error) {
    const maker *made = builder->state;
    size_t room = (size_t)made->entries + 1;
    wend_cell *table = wend_allocate(&builder->allocator, room, sizeof *table);
    if (!table) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for the table");
    for (uint64_t i = 0; i < made->entries; i++) table[i] = WEND_NO_CELL;
    wend_status status = WEND_OK;
    for (uint32_t i = 0; i < made->goal_count && status == WEND_OK; i++) {
        uint32_t goal = made->goals[i];
        if (results[i].size != made->counts[goal] * sizeof *table)
            status = wend_fail(error, WEND_STATUS_DAMAGED, "job %u of the build is not what it should be", i);
        else
            memcpy(table + made->offsets[goal], results[i].data, results[i].size);
    }
    if (status == WEND_OK)
        status = wend_builder_section(builder, "table", sizeof *table, table, made->entries, error);
    wend_release(&builder->allocator, table, room, sizeof *table);
    return status;
}

static wend_status dlrta_finish(wend_builder *builder, const wend_buffer *results, wend_error *error) {
    const maker *made = builder->state;
    uint32_t regions = made->abstraction.regions;
    wend_status status = add_labels(builder, error);
    if (status == WEND_OK)
        status = wend_builder_section(builder, "centres", sizeof(wend_cell), made->centres, regions, error);
    if (status == WEND_OK)
        status = wend_builder_section(builder, "firsts", sizeof(uint32_t), made->firsts, regions, error);
    if (status == WEND_OK)
        status = wend_builder_section(builder, "counts", sizeof(uint32_t), made->counts, regions, error);
    if (status == WEND_OK)
        status = wend_builder_section(builder, "offsets", sizeof(uint64_t), made->offsets, regions, error);
    return status == WEND_OK ? add_table(builder, results, error) : status;
}

wend_dlrta wend_dlrta_of(const wend_db *db) {
    wend_dlrta base = {0};
    uint64_t regions = 0;
    base.narrow = wend_db_section(db, "labels", sizeof(uint16_t), NULL);
    base.wide = wend_db_section(db, "labels", sizeof(uint32_t), NULL);
    base.centres = wend_db_section(db, "centres", sizeof(wend_cell), &regions);
    base.firsts = wend_db_section(db, "firsts", sizeof(uint32_t), NULL);
    base.counts = wend_db_section(db, "counts", sizeof(uint32_t), NULL);
    base.offsets = wend_db_section(db, "offsets", sizeof(uint64_t), NULL);
    base.table = wend_db_section(db, "table", sizeof(wend_cell), &base.entries);
    base.regions = (uint32_t)regions;
    return base;
}

static wend_status check_lengths(const wend_db *db, wend_error *error) {
    static const struct {
        const char *name;
        uint32_t width;
    } sections[] = {{"centres", 4}, {"firsts", 4}, {"counts", 4}, {"offsets", 8}};
    uint64_t cells = (uint64_t)db->info.width * (uint64_t)db->info.height, labels = 0, regions = 0,
             entries = 0;
    uint32_t width = wend_db_section(db, "labels", sizeof(uint16_t), &labels) ? 2 : 4;
    if ((width == 4 && !wend_db_section(db, "labels", width, &labels)) || labels != cells)
        return wend_fail(error, WEND_STATUS_DAMAGED, "there is not a label for each cell");
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        uint64_t count = 0;
        if (!wend_db_section(db, sections[i].name, sections[i].width, &count) || (i && count != regions))
            return wend_fail(error, WEND_STATUS_DAMAGED, "section '%s' is missing or of a wrong length",
                             sections[i].name);
        regions = count;
    }
    if (regions > cells || (width == 2) != (regions < UINT16_MAX))
        return wend_fail(error, WEND_STATUS_DAMAGED, "a number of regions that can't be");
    if (!wend_db_section(db, "table", sizeof(wend_cell), &entries) || entries > MOST_ENTRIES)
        return wend_fail(error, WEND_STATUS_DAMAGED, "section 'table' is missing or too long");
    return WEND_OK;
}

/* A component after another, each with its place in the table. */
static wend_status check_layout(const wend_dlrta *base, wend_error *error) {
    uint64_t next = 0;
    for (uint32_t i = 0; i < base->regions; i++) {
        bool begins = !i || i - base->firsts[i - 1] >= base->counts[i - 1];
        uint32_t first = begins ? i : base->firsts[i - 1],
                 count = begins ? base->counts[i] : base->counts[i - 1];
        /* `next` grows by the count of each region, and is held against the table: so it can't overflow. */
        if (base->firsts[i] != first || base->counts[i] != count || base->offsets[i] != next || !count ||
            count > base->regions - first || count > base->entries - next)
            return wend_fail(error, WEND_STATUS_DAMAGED, "the place of region %u in the table is wrong", i);
        next += base->counts[i];
    }
    return next == base->entries ? WEND_OK : wend_fail(error, WEND_STATUS_DAMAGED, "the table is too long");
}

static wend_status check_labels(const wend_db *db, const wend_dlrta *base, wend_error *error) {
    uint64_t cells = (uint64_t)db->info.width * (uint64_t)db->info.height;
    for (wend_cell cell = 0; cell < cells; cell++) {
        uint32_t region = wend_dlrta_region(base, cell);
        if ((region >= base->regions && region != UINT32_MAX) ||
            (db->map && wend_map_is_open_cell(db->map, cell) != (region != UINT32_MAX)))
            return wend_fail(error, WEND_STATUS_DAMAGED, "the label of cell %u is wrong", cell);
    }
    for (uint32_t i = 0; i < base->regions; i++)
        if (base->centres[i] >= cells || wend_dlrta_region(base, base->centres[i]) != i)
            return wend_fail(error, WEND_STATUS_DAMAGED, "the representative of region %u is not in it", i);
    return WEND_OK;
}

/* Every subgoal must be in another region than the one it is for, of the same component. */
static wend_status check_table(const wend_db *db, const wend_dlrta *base, wend_error *error) {
    uint64_t cells = (uint64_t)db->info.width * (uint64_t)db->info.height;
    for (uint32_t goal = 0; goal < base->regions; goal++)
        for (uint32_t i = 0; i < base->counts[goal]; i++) {
            uint32_t from = base->firsts[goal] + i, in;
            wend_cell entry = base->table[base->offsets[goal] + i];
            if (from == goal ? entry == WEND_NO_CELL
                             : entry < cells && (in = wend_dlrta_region(base, entry)) != UINT32_MAX &&
                                   in != from && base->firsts[in] == base->firsts[from])
                continue;
            return wend_fail(error, WEND_STATUS_DAMAGED, "the subgoal from region %u to %u is wrong", from,
                             goal);
        }
    return WEND_OK;
}

static wend_status dlrta_open(wend_db *db, wend_error *error) {
    wend_status status = check_lengths(db, error);
    if (status != WEND_OK) return status;
    wend_dlrta base = wend_dlrta_of(db);
    status = check_layout(&base, error);
    if (status == WEND_OK) status = check_labels(db, &base, error);
    return status == WEND_OK ? check_table(db, &base, error) : status;
}

static size_t dlrta_facts(const wend_db *db, wend_fact *facts, size_t capacity) {
    wend_dlrta base = wend_dlrta_of(db);
    const double cells = (double)db->info.width * db->info.height;
    double records = (double)base.entries - base.regions; /* pairs of different regions */
    const wend_fact all[] = {
        {"regions", base.regions},
        {"records", records},
        {"relative_size", 1 + records / cells}, /* as table 3 of the 2010 paper counts size */
        {"label_bytes", cells * (base.wide ? 4 : 2)},
    };
    size_t count = sizeof all / sizeof *all;
    for (size_t i = 0; i < count && i < capacity; i++) facts[i] = all[i];
    return count;
}

static const wend_key_info keys[] = {
    {.name = "level",
     .kind = WEND_KEY_INTEGER,
     .min = 1,
     .max = 30,
     .standard = "5",
     .help = "how often the map is abstracted: higher levels have fewer and larger regions"},
};

const wend_db_kind wend_db_dlrta = {
    .info = {"dlrta", "regions, and a subgoal for each two of them, for D LRTA*", keys,
             sizeof keys / sizeof *keys},
    .version = 1,
    .seedless = true,
    .open = dlrta_open,
    .facts = dlrta_facts,
    .prepare = dlrta_prepare,
    .job = dlrta_job,
    .finish = dlrta_finish,
    .release = dlrta_release,
};

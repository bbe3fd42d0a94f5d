/* knn2009: the case base of "kNN LRTA*: simple subgoaling for real-time search" (AIIDE 2009, figure 4).
 *
 * Readings: a pair of cells that no path joins, or with fewer than two moves between them, is drawn again
 * (line 5: |p| counts states). The subgoal is the last cell of the optimal path before the first that can't
 * be climbed to (lines 6 to 10). `pick=farthest` takes the last one that can, as the text has it. Where all
 * of the path is climbable the goal is stored. Paths are those of A* with wend's order of ties.
 *
 * Record n is drawn from numbers 0, 1, 2 ... of stream n of the seed, so that nothing depends on who draws
 * it when. A pair is given up after MOST_DRAWS draws: on a map of nothing but closets there may be fewer
 * records than were asked for. */
#include "methods/knn2009/layout.h"

#include "base/random.h"
#include "base/sort.h"
#include "search/climb.h"
#include <wend/search.h>

#include <string.h>

enum { RECORDS_PER_JOB = 32, MOST_DRAWS = 1 << 20 };

typedef struct record {
    wend_cell start, goal, subgoal; /* all WEND_NO_CELL: none could be drawn */
    uint32_t number;
} record;

/* What a worker needs to make records. */
typedef struct worker {
    wend_search *search;
    wend_cell *path;
    size_t room;
} worker;

typedef struct maker {
    const wend_map *map;
    wend_allocator allocator;
    uint64_t seed;
    uint32_t records;
    bool farthest;
    bool hopeless; /* no two cells are far enough apart */
    wend_components *components;
    wend_jumps *jumps; /* a climb along a corridor takes as long as one of a few steps */
    uint32_t worker_count;
    worker *workers;
} maker;

static bool are_neighbours(const wend_map *map, wend_cell a, wend_cell b) {
    for (uint32_t moves = wend_map_moves(map, a); moves; moves &= moves - 1)
        if (a + (uint32_t)map->offset[wend_lowest_bit(moves)] == b) return true;
    return false;
}

/* Whether two cells of the map are joined and at least two moves apart: then some cell has a neighbour's
 * neighbour that is not its own. */
static bool has_pair(const wend_map *map) {
    for (wend_cell cell = 0; cell < map->cells; cell++)
        for (uint32_t moves = wend_map_moves(map, cell); moves; moves &= moves - 1) {
            wend_cell next = cell + (uint32_t)map->offset[wend_lowest_bit(moves)];
            for (uint32_t onward = wend_map_moves(map, next); onward; onward &= onward - 1) {
                wend_cell end = next + (uint32_t)map->offset[wend_lowest_bit(onward)];
                if (end != cell && !are_neighbours(map, cell, end)) return true;
            }
        }
    return false;
}

static void maker_release(maker *made) {
    if (!made) return;
    wend_allocator allocator = made->allocator;
    for (uint32_t i = 0; made->workers && i < made->worker_count; i++) {
        wend_search_destroy(made->workers[i].search);
        wend_release(&allocator, made->workers[i].path, made->workers[i].room, sizeof *made->workers[i].path);
    }
    wend_release(&allocator, made->workers, made->worker_count, sizeof *made->workers);
    wend_jumps_destroy(made->jumps);
    wend_components_destroy(made->components);
    wend_release(&allocator, made, 1, sizeof *made);
}

static wend_status maker_create(const wend_map *map, const wend_settings *settings, uint64_t seed,
                                const wend_allocator *allocator, uint32_t workers, maker **out,
                                wend_error *error) {
    maker *made = wend_allocate_zeroed(allocator, 1, sizeof *made);
    *out = made; /* released by the caller, whatever comes */
    if (!made) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory to make records");
    made->map = map, made->allocator = *allocator, made->seed = seed;
    made->records = (uint32_t)wend_settings_integer(settings, "records");
    made->farthest = wend_settings_integer(settings, "pick") == 1;
    made->hopeless = !has_pair(map);
    made->worker_count = workers;
    made->workers = wend_allocate_zeroed(allocator, workers, sizeof *made->workers);
    wend_status status = made->workers ? WEND_OK : WEND_STATUS_NO_MEMORY;
    if (status == WEND_OK) status = wend_components_create(map, allocator, &made->components, NULL);
    if (status == WEND_OK) status = wend_jumps_create(map, allocator, &made->jumps, NULL);
    wend_search_options options = wend_default_search_options();
    options.allocator = *allocator;
    for (uint32_t i = 0; i < workers && status == WEND_OK; i++)
        status = wend_search_create(map, &options, &made->workers[i].search, NULL);
    return status == WEND_OK ? status : wend_fail(error, status, "no memory to make records");
}

/* Lines 3 to 5. */
static bool draw(const maker *made, record *drawn) {
    const wend_map *map = made->map;
    if (made->hopeless) return false;
    for (uint64_t i = 0; i < MOST_DRAWS; i++) {
        drawn->start = wend_random_below(wend_random_at(made->seed, drawn->number, 2 * i), map->cells);
        drawn->goal = wend_random_below(wend_random_at(made->seed, drawn->number, 2 * i + 1), map->cells);
        if (!wend_map_is_open_cell(map, drawn->start) || drawn->start == drawn->goal) continue;
        if (wend_components_joined(made->components, drawn->start, drawn->goal) &&
            !are_neighbours(map, drawn->start, drawn->goal))
            return true;
    }
    return false;
}

/* Lines 6 to 11, of a path of at least three cells. */
static wend_cell pick_subgoal(const maker *made, const wend_cell *path, size_t count) {
    if (made->farthest) {
        size_t last = count - 1;
        while (last > 1 && !wend_climb_reaches(made->map, made->jumps, path[0], path[last])) last--;
        return path[last];
    }
    for (size_t i = 2; i < count; i++)
        if (!wend_climb_reaches(made->map, made->jumps, path[0], path[i])) return path[i - 1];
    return path[count - 1];
}

/* Makes the record of a number. */
static wend_status make(maker *made, worker *by, uint32_t number, record *result) {
    *result = (record){WEND_NO_CELL, WEND_NO_CELL, WEND_NO_CELL, number};
    record drawn = *result;
    if (!draw(made, &drawn)) return WEND_OK;
    wend_result found;
    wend_status status = wend_search_astar(by->search, drawn.start, drawn.goal, &found, NULL);
    if (status != WEND_OK) return status;
    if (found.found != WEND_FOUND_PATH) return WEND_STATUS_NO_MEMORY;
    size_t count = wend_search_path(by->search, by->path, by->room);
    if (count > by->room) {
        size_t room = count + count / 2;
        wend_cell *path = wend_allocate(&made->allocator, room, sizeof *path);
        if (!path) return WEND_STATUS_NO_MEMORY;
        wend_release(&made->allocator, by->path, by->room, sizeof *by->path);
        by->path = path, by->room = room;
        count = wend_search_path(by->search, by->path, by->room);
    }
    drawn.subgoal = pick_subgoal(made, by->path, count);
    *result = drawn;
    return WEND_OK;
}

static wend_status knn2009_prepare(wend_builder *builder, wend_error *error) {
    maker *made = NULL;
    wend_status status = maker_create(builder->map, builder->settings, builder->options->seed,
                                      &builder->allocator, builder->workers, &made, error);
    builder->state = made;
    if (status == WEND_OK) builder->jobs = (made->records + RECORDS_PER_JOB - 1) / RECORDS_PER_JOB;
    return status;
}

static void knn2009_release(wend_builder *builder) {
    maker_release(builder->state);
    builder->state = NULL;
}

/* The numbers of a job: from *first on, as many as are returned. */
static uint32_t numbers_of(const maker *made, uint32_t job, uint32_t *first) {
    *first = job * RECORDS_PER_JOB;
    return made->records - *first < RECORDS_PER_JOB ? made->records - *first : RECORDS_PER_JOB;
}

static wend_status knn2009_job(wend_builder *builder, uint32_t job, uint32_t by, wend_buffer *result) {
    maker *made = builder->state;
    uint32_t first, count = numbers_of(made, job, &first);
    for (uint32_t i = 0; i < count; i++) {
        record one;
        wend_status status = make(made, &made->workers[by], first + i, &one);
        if (status == WEND_OK && !wend_buffer_add(result, &one, sizeof one)) status = WEND_STATUS_NO_MEMORY;
        if (status != WEND_OK) return status;
    }
    return WEND_OK;
}

static int compare(uint64_t a, uint64_t b) {
    return (a > b) - (a < b);
}

static int by_ends(const void *a, const void *b) {
    const record *x = a, *y = b;
    int order = compare((uint64_t)x->start << 32 | x->goal, (uint64_t)y->start << 32 | y->goal);
    return order ? order : compare(x->number, y->number);
}

static int by_subgoal(const void *a, const void *b) {
    const record *x = a, *y = b;
    int order = compare(x->subgoal, y->subgoal);
    return order ? order : by_ends(a, b);
}

/* All records that could be made, from the jobs. */
static wend_status collect(const wend_builder *builder, const wend_buffer *results, record *records,
                           uint32_t *count, wend_error *error) {
    const maker *made = builder->state;
    const uint32_t cells = made->map->cells;
    *count = 0;
    for (uint32_t job = 0; job < builder->jobs; job++) {
        uint32_t first, wanted = numbers_of(made, job, &first);
        bool good = results[job].size == wanted * sizeof(record);
        for (uint32_t i = 0; good && i < wanted; i++) {
            record one;
            memcpy(&one, results[job].data + i * sizeof one, sizeof one);
            bool none = one.start == WEND_NO_CELL && one.goal == WEND_NO_CELL && one.subgoal == WEND_NO_CELL;
            good = one.number == first + i &&
                   (none || (one.start < cells && one.goal < cells && one.subgoal < cells));
            if (good && !none) records[(*count)++] = one;
        }
        if (!good)
            return wend_fail(error, WEND_STATUS_DAMAGED, "job %u of the build is not what it should be", job);
    }
    return WEND_OK;
}

/* One field of all records as a section. `column` has room for them. */
static wend_status add_column(wend_builder *builder, const char *name, const record *records, uint32_t count,
                              size_t offset, uint32_t *column, wend_error *error) {
    for (uint32_t i = 0; i < count; i++)
        memcpy(&column[i], (const char *)&records[i] + offset, sizeof *column);
    return wend_builder_section(builder, name, sizeof *column, column, count, error);
}

static wend_status knn2009_finish(wend_builder *builder, const wend_buffer *results, wend_error *error) {
    const maker *made = builder->state;
    const wend_allocator *allocator = &builder->allocator;
    size_t room = (size_t)made->records + 1;
    record *records = wend_allocate(allocator, room, sizeof *records);
    uint32_t *column = wend_allocate(allocator, room, sizeof *column), count = 0, subgoals = 0;
    wend_status status = records && column
                             ? WEND_OK
                             : wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory to order the records");
    if (status == WEND_OK) status = collect(builder, results, records, &count, error);
    if (status == WEND_OK) {
        wend_sort(records, count, sizeof *records, by_subgoal);
        for (uint32_t i = 0; i < count; i++) {
            if (!subgoals || column[subgoals - 1] != records[i].subgoal)
                column[subgoals++] = records[i].subgoal;
            records[i].subgoal = subgoals - 1;
        }
        status = wend_builder_section(builder, "subgoals", sizeof *column, column, subgoals, error);
        wend_sort(records, count, sizeof *records, by_ends);
    }
    static const struct {
        const char *name;
        size_t offset;
    } columns[] = {{"starts", offsetof(record, start)},
                   {"goals", offsetof(record, goal)},
                   {"subgoal_of", offsetof(record, subgoal)},
                   {"numbers", offsetof(record, number)}};
    for (size_t i = 0; i < sizeof columns / sizeof *columns && status == WEND_OK; i++)
        status = add_column(builder, columns[i].name, records, count, columns[i].offset, column, error);
    wend_release(allocator, records, room, sizeof *records);
    wend_release(allocator, column, room, sizeof *column);
    return status;
}

wend_knn2009 wend_knn2009_of(const wend_db *db) {
    wend_knn2009 base = {0};
    uint64_t records = 0, subgoals = 0;
    base.starts = wend_db_section(db, "starts", sizeof(wend_cell), &records);
    base.goals = wend_db_section(db, "goals", sizeof(wend_cell), NULL);
    base.subgoal_of = wend_db_section(db, "subgoal_of", sizeof(uint32_t), NULL);
    base.numbers = wend_db_section(db, "numbers", sizeof(uint32_t), NULL);
    base.subgoals = wend_db_section(db, "subgoals", sizeof(wend_cell), &subgoals);
    base.records = (uint32_t)records, base.subgoal_count = (uint32_t)subgoals;
    return base;
}

/* Whether a cell of the file can be one: on the map, and open where that is at hand. */
static bool is_sound_cell(const wend_db *db, wend_cell cell) {
    return cell < (uint64_t)db->info.width * (uint64_t)db->info.height &&
           (!db->map || wend_map_is_open_cell(db->map, cell));
}

static wend_status check_record(const wend_db *db, const wend_knn2009 *base, uint32_t i, uint8_t *used,
                                wend_error *error) {
    uint32_t most = (uint32_t)wend_settings_integer(db->settings, "records"), number = base->numbers[i];
    if (!is_sound_cell(db, base->starts[i]) || !is_sound_cell(db, base->goals[i]) ||
        base->subgoal_of[i] >= base->subgoal_count)
        return wend_fail(error, WEND_STATUS_DAMAGED,
                         "record %u has a cell that is none of the map's open ones", i);
    if (number >= most || used[number >> 3] >> (number & 7) & 1)
        return wend_fail(error, WEND_STATUS_DAMAGED,
                         "record %u has a number that is too large or there twice", i);
    used[number >> 3] |= (uint8_t)(1u << (number & 7));
    if (!i) return WEND_OK;
    record before = {base->starts[i - 1], base->goals[i - 1], 0, base->numbers[i - 1]};
    record this = {base->starts[i], base->goals[i], 0, number};
    if (by_ends(&before, &this) >= 0)
        return wend_fail(error, WEND_STATUS_DAMAGED, "records %u and %u are not in order", i - 1, i);
    return WEND_OK;
}

static wend_status knn2009_open(wend_db *db, wend_error *error) {
    uint64_t counts[5] = {0}, records = (uint64_t)wend_settings_integer(db->settings, "records");
    static const char *const names[5] = {"starts", "goals", "subgoal_of", "numbers", "subgoals"};
    for (int i = 0; i < 5; i++)
        if (!wend_db_section(db, names[i], sizeof(uint32_t), &counts[i]))
            return wend_fail(error, WEND_STATUS_DAMAGED, "there is no section '%s'", names[i]);
    for (int i = 1; i < 5; i++)
        if (counts[0] > records || (i < 4 ? counts[i] != counts[0] : counts[i] > counts[0]))
            return wend_fail(error, WEND_STATUS_DAMAGED, "the sections' lengths do not agree");
    wend_knn2009 base = wend_knn2009_of(db);
    for (uint32_t i = 0; i < base.subgoal_count; i++)
        if (!is_sound_cell(db, base.subgoals[i]) || (i && base.subgoals[i - 1] >= base.subgoals[i]))
            return wend_fail(error, WEND_STATUS_DAMAGED, "subgoal %u is no open cell, or not in order", i);
    size_t room = (size_t)records / 8 + 1;
    uint8_t *used = wend_allocate_zeroed(&db->allocator, room, 1);
    if (!used) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory to check the records");
    wend_status status = WEND_OK;
    for (uint32_t i = 0; i < base.records && status == WEND_OK; i++)
        status = check_record(db, &base, i, used, error);
    wend_release(&db->allocator, used, room, 1);
    return status;
}

static size_t knn2009_facts(const wend_db *db, wend_fact *facts, size_t capacity) {
    wend_knn2009 base = wend_knn2009_of(db);
    const double cells = (double)db->info.width * db->info.height;
    const wend_fact all[] = {
        {"records", base.records},
        {"distinct_subgoals", base.subgoal_count},
        {"relative_size", 3.0 * base.records / cells}, /* as the paper counts size */
    };
    size_t count = sizeof all / sizeof *all;
    for (size_t i = 0; i < count && i < capacity; i++) facts[i] = all[i];
    return count;
}

static const char *const pick_words[] = {"first", "farthest", NULL};
static const wend_key_info keys[] = {
    {.name = "records",
     .kind = WEND_KEY_INTEGER,
     .min = 0,
     .max = 1e7,
     .standard = "10000",
     .help = "how many problems to solve and keep a subgoal of"},
    {.name = "pick",
     .kind = WEND_KEY_WORD,
     .words = pick_words,
     .standard = "first",
     .help =
         "the subgoal: before the first cell of the path that can't be climbed to, or the farthest that can"},
};

const wend_db_kind wend_db_knn2009 = {
    .info = {"knn2009", "random problems with one subgoal each, for kNN LRTA* of 2009", keys,
             sizeof keys / sizeof *keys},
    .version = 1,
    .open = knn2009_open,
    .facts = knn2009_facts,
    .prepare = knn2009_prepare,
    .job = knn2009_job,
    .finish = knn2009_finish,
    .release = knn2009_release,
};

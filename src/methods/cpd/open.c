/* Opening a path database: everything in it is walked over once and checked, and turned into an entry for
 * each cell of the map. After that no look-up needs a test.
 *
 * Without a map there are no look-ups, and the size of the map is what the file claims. Then nothing is kept
 * by cell or by block of the map, but by rank: there are no more ranks than the file has bytes. */
#include "methods/cpd/layout.h"

#include "base/sort.h"

#include <string.h>

enum { STEP_JUMP = 8 };

/* Order ------------------------------------------------------------------------------------------------- */

static bool add_nibble(wend_buffer *steps, uint32_t rank, uint32_t value) {
    uint8_t byte = (uint8_t)value;
    if (rank % 2 == 0) return wend_buffer_add(steps, &byte, 1);
    steps->data[rank / 2] |= (uint8_t)(value << 4);
    return true;
}

bool wend_cpd_write_order(const wend_ranks *ranks, wend_buffer *steps, wend_buffer *jumps) {
    for (uint32_t i = 0; i < ranks->count; i++) {
        uint32_t step = STEP_JUMP;
        wend_xy at = wend_map_xy(ranks->map, ranks->cells[i]);
        if (i) {
            wend_xy last = wend_map_xy(ranks->map, ranks->cells[i - 1]);
            for (uint32_t k = 0; k < WEND_DIRECTIONS; k++)
                if (last.x + wend_dx[k] == at.x && last.y + wend_dy[k] == at.y) step = k;
        }
        if (!add_nibble(steps, i, step)) return false;
        if (step == STEP_JUMP && !wend_buffer_add(jumps, &ranks->cells[i], sizeof(wend_cell))) return false;
    }
    return true;
}

/* Where the cells of an order are read. */
typedef struct order_reader {
    const uint8_t *steps;
    const wend_cell *jumps;
    uint64_t ranks, jump_count, jump;
    int32_t width, height, x, y;
} order_reader;

static order_reader read_order(const wend_db *db) {
    order_reader reader = {.width = db->info.width, .height = db->info.height};
    uint64_t components = 0;
    const uint32_t *sizes = wend_db_section(db, "components", sizeof *sizes, &components);
    reader.steps = wend_db_section(db, "steps", 1, NULL);
    reader.jumps = wend_db_section(db, "jumps", sizeof(wend_cell), &reader.jump_count);
    for (uint64_t i = 0; i < components; i++) reader.ranks += sizes[i];
    return reader;
}

/* The cell of the next rank; WEND_NO_CELL if it is none of the map. */
static wend_cell next_cell(order_reader *reader, uint32_t rank) {
    uint32_t step = reader->steps[rank / 2] >> rank % 2 * 4 & 15;
    uint32_t width = (uint32_t)reader->width;
    if (step == STEP_JUMP) {
        if (reader->jump == reader->jump_count) return WEND_NO_CELL;
        wend_cell cell = reader->jumps[reader->jump++];
        if (cell >= width * (uint32_t)reader->height) return WEND_NO_CELL;
        reader->x = (int32_t)(cell % width), reader->y = (int32_t)(cell / width);
        return cell;
    }
    if (step > STEP_JUMP || !rank) return WEND_NO_CELL;
    reader->x += wend_dx[step], reader->y += wend_dy[step];
    if (reader->x < 0 || reader->y < 0 || reader->x >= reader->width || reader->y >= reader->height)
        return WEND_NO_CELL;
    return (uint32_t)reader->y * width + (uint32_t)reader->x;
}

void wend_cpd_read_order(const wend_db *db, wend_cell *cells) {
    order_reader reader = read_order(db);
    for (uint32_t i = 0; i < reader.ranks; i++) cells[i] = next_cell(&reader, i);
}

static int compare(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Sorts, and leaves one of each; how many that are. */
static uint32_t sort_out(uint32_t *numbers, uint32_t count) {
    uint32_t kept = 0;
    wend_sort(numbers, count, sizeof *numbers, compare);
    for (uint32_t i = 0; i < count; i++)
        if (!i || numbers[i] != numbers[i - 1]) numbers[kept++] = numbers[i];
    return kept;
}

static wend_status no_rank(uint32_t rank, wend_error *error) {
    return wend_fail(error, WEND_STATUS_DAMAGED, "rank %u belongs to no open cell, or to one of another rank",
                     rank);
}

/* Every open cell has one rank. `cells` become those by rank. */
static wend_status place_cells(const wend_db *db, wend_cpd *base, wend_cell *cells, wend_error *error) {
    order_reader reader = read_order(db);
    for (uint32_t i = 0; base->entries && i <= base->cells; i++)
        base->entries[i] = (wend_cpd_entry){0, WEND_CPD_MOST_CELLS << WEND_CPD_RANK_SHIFT};
    for (uint32_t i = 0; i < base->ranks; i++) {
        wend_cell cell = cells[i] = next_cell(&reader, i);
        if (cell == WEND_NO_CELL) return no_rank(i, error);
        if (!db->map) continue;
        uint32_t *entry = &base->entries[cell].rank_and_moves;
        bool taken = *entry >> WEND_CPD_RANK_SHIFT != WEND_CPD_MOST_CELLS;
        if (taken || !wend_map_is_open_cell(db->map, cell)) return no_rank(i, error);
        *entry = i << WEND_CPD_RANK_SHIFT | wend_map_moves(db->map, cell);
    }
    if (reader.jump != reader.jump_count)
        return wend_fail(error, WEND_STATUS_DAMAGED, "the order has jumps to spare");
    if (db->map && base->ranks != db->map->open_cells)
        return wend_fail(error, WEND_STATUS_DAMAGED, "%u cells have a rank, not %u", base->ranks,
                         db->map->open_cells);
    return WEND_OK;
}

/* The same where there are no entries to tell it by. `room` has as much as `cells`. */
static wend_status check_twice(const wend_cpd *base, const wend_cell *cells, uint32_t *room,
                               wend_error *error) {
    memcpy(room, cells, base->ranks * sizeof *cells);
    if (sort_out(room, base->ranks) == base->ranks) return WEND_OK;
    return wend_fail(error, WEND_STATUS_DAMAGED, "two ranks belong to one cell");
}

/* Rows -------------------------------------------------------------------------------------------------- */

/* Checks the row that begins at a word; its length, or 0 if it is not one. */
static uint32_t check_row(const wend_cpd *base, uint64_t at, uint32_t count) {
    uint32_t pages = wend_cpd_pages(count);
    uint64_t left = base->word_count - WEND_CPD_WINDOW - at;
    if (left < pages) return 0;
    const uint16_t *row = base->words + at;
    uint32_t runs = row[pages - 1], length = wend_cpd_row_words(runs);
    if (length > left || runs < pages) return 0;
    for (uint32_t page = 0; page < pages; page++) {
        uint32_t begin = page ? row[page - 1] : 0, end = row[page];
        if (end <= begin || end > runs) return 0;
        const uint16_t *keys = row + pages + begin - page;
        uint32_t ranks = count - (page << WEND_CPD_PAGE_BITS), last = 0;
        for (uint32_t i = 0; i + 1 < end - begin; i++) {
            uint32_t key = keys[wend_cpd_key_place(i, end - begin - 1)];
            if (key <= last || key >= ranks) return 0;
            last = key;
        }
    }
    for (uint32_t run = 0; run < (runs + 3) / 4 * 4; run++) {
        uint32_t symbol = row[runs + run / 4] >> run % 4 * 4 & 15;
        if (run < runs ? symbol >= WEND_CPD_SYMBOLS : symbol) return 0;
    }
    return length;
}

/* A parcel while its sources are counted: the cells of a component in a block. */
typedef struct parcel_rows {
    uint32_t sources, rows; /* how many */
    uint32_t begin;         /* of its sources in `row_of` */
    uint32_t first_row;
} parcel_rows;

typedef struct row_walk {
    wend_cpd *base;
    const wend_db *db;
    const uint8_t *row_of;
    uint32_t across;
    uint32_t *blocks; /* those with sources, ascending; NULL: all of the map */
    uint32_t block_count;
    uint32_t *number; /* by block: the last parcel there */
    parcel_rows *parcels;
    uint32_t parcel_count;
    uint64_t word;    /* the end of the rows so far */
    uint32_t *begins; /* of the rows of a parcel */
} row_walk;

static uint32_t block_at(const row_walk *walk, wend_cell cell) {
    uint32_t width = (uint32_t)walk->base->width;
    return cell / width / WEND_BLOCK_HEIGHT * walk->across + cell % width / WEND_BLOCK_WIDTH;
}

/* Its place among the blocks. */
static uint32_t block_of(const row_walk *walk, wend_cell cell) {
    uint32_t block = block_at(walk, cell), low = 0, high = walk->block_count;
    if (!walk->blocks) return block;
    while (high - low > 1) { /* blocks[low] <= block < blocks[high] */
        uint32_t middle = low + (high - low) / 2;
        if (walk->blocks[middle] <= block)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The parcels of a component, in the order of their first sources; and the rows of each of those. */
static wend_status walk_component(row_walk *walk, const wend_cell *cells, uint32_t component,
                                  wend_error *error) {
    wend_cpd *base = walk->base;
    uint32_t first = base->firsts[component], end = base->firsts[component + 1], begin = first;
    walk->parcel_count = 0;
    for (uint32_t rank = first; rank < end; rank++) {
        uint32_t block = block_of(walk, cells[rank]), *number = &walk->number[block];
        /* What the parcel counted from shows whether it is of this component. */
        if (*number >= walk->parcel_count || walk->parcels[*number].first_row != block) {
            *number = walk->parcel_count++;
            walk->parcels[*number] = (parcel_rows){.first_row = block};
        }
        walk->parcels[*number].sources++;
    }
    for (uint32_t i = 0; i < walk->parcel_count; i++) {
        parcel_rows *parcel = &walk->parcels[i];
        parcel->begin = begin, begin += parcel->sources;
        for (uint32_t j = 0; j < parcel->sources; j++) {
            uint32_t row = walk->row_of[parcel->begin + j];
            if (row > parcel->rows)
                return wend_fail(error, WEND_STATUS_DAMAGED, "a source has a row that is not there");
            parcel->rows += row == parcel->rows;
        }
        parcel->first_row = i ? walk->parcels[i - 1].first_row + walk->parcels[i - 1].rows : 0;
        parcel->sources = 0;
    }
    uint32_t rows =
        walk->parcels[walk->parcel_count - 1].first_row + walk->parcels[walk->parcel_count - 1].rows;
    for (uint32_t i = 0; i < rows; i++) {
        uint32_t length = check_row(base, walk->word, end - first);
        if (!length)
            return wend_fail(error, WEND_STATUS_DAMAGED, "row %u of component %u is damaged", i, component);
        walk->begins[i] = (uint32_t)walk->word;
        base->runs += base->words[walk->word + wend_cpd_pages(end - first) - 1];
        walk->word += length;
    }
    base->rows += rows;
    for (uint32_t rank = first; rank < end; rank++) {
        parcel_rows *parcel = &walk->parcels[walk->number[block_of(walk, cells[rank])]];
        uint32_t row = walk->begins[parcel->first_row + walk->row_of[parcel->begin + parcel->sources++]];
        *(base->entries ? &base->entries[cells[rank]].row : &base->begins[rank]) = row;
    }
    return WEND_OK;
}

/* Lists the blocks with sources. `room` is for as many numbers as there are ranks. */
static void list_blocks(row_walk *walk, const wend_cell *cells, uint32_t *room) {
    const uint32_t ranks = walk->base->ranks;
    for (uint32_t i = 0; i < ranks; i++) room[i] = block_at(walk, cells[i]);
    walk->blocks = room, walk->block_count = sort_out(room, ranks);
}

/* `spare` has room for as many numbers as there are ranks; NULL with a map. */
static wend_status place_rows(const wend_db *db, wend_cpd *base, const wend_cell *cells, uint32_t *spare,
                              wend_error *error) {
    uint32_t down = ((uint32_t)db->info.height - 1) / WEND_BLOCK_HEIGHT + 1;
    row_walk walk = {.base = base, .db = db, .across = ((uint32_t)db->info.width - 1) / WEND_BLOCK_WIDTH + 1};
    walk.block_count = walk.across * down;
    if (spare) list_blocks(&walk, cells, spare);
    const size_t room = (size_t)base->ranks + 1, blocks = (size_t)walk.block_count + 1;
    walk.row_of = wend_db_section(db, "row_of", 1, NULL);
    walk.number = wend_allocate_zeroed(&db->allocator, blocks, sizeof *walk.number);
    walk.parcels = wend_allocate(&db->allocator, blocks, sizeof *walk.parcels);
    walk.begins = wend_allocate(&db->allocator, room, sizeof *walk.begins);
    wend_status status = WEND_OK;
    if (!walk.number || !walk.parcels || !walk.begins)
        status = wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for the rows of %u cells", base->ranks);
    for (uint32_t i = 0; i < base->components && status == WEND_OK; i++)
        status = walk_component(&walk, cells, i, error);
    if (status == WEND_OK && walk.word + WEND_CPD_WINDOW != base->word_count)
        status = wend_fail(error, WEND_STATUS_DAMAGED, "there are more rows than sources have");
    for (uint32_t i = 0; i < WEND_CPD_WINDOW && status == WEND_OK; i++)
        if (base->words[walk.word + i])
            status = wend_fail(error, WEND_STATUS_DAMAGED, "what stands behind the rows is not zero");
    wend_release(&db->allocator, walk.begins, room, sizeof *walk.begins);
    wend_release(&db->allocator, walk.parcels, blocks, sizeof *walk.parcels);
    wend_release(&db->allocator, walk.number, blocks, sizeof *walk.number);
    return status;
}

/* All of it --------------------------------------------------------------------------------------------- */

static wend_status check_lengths(const wend_db *db, wend_cpd *base, wend_error *error) {
    uint64_t components = 0, steps = 0, row_of = 0, ranks = 0;
    const uint32_t *sizes = wend_db_section(db, "components", sizeof *sizes, &components);
    base->words = wend_db_section(db, "rows", sizeof *base->words, &base->word_count);
    if (!sizes || !wend_db_section(db, "steps", 1, &steps) || !base->words ||
        !wend_db_section(db, "jumps", sizeof(wend_cell), NULL) || !wend_db_section(db, "row_of", 1, &row_of))
        return wend_fail(error, WEND_STATUS_DAMAGED, "a section is missing");
    for (uint64_t i = 0; i < components; i++) {
        ranks += sizes[i];
        if (!sizes[i] || (i && sizes[i] > sizes[i - 1]) || ranks > base->cells ||
            ranks >= WEND_CPD_MOST_CELLS)
            return wend_fail(error, WEND_STATUS_DAMAGED, "component %u has a wrong size", (unsigned)i);
    }
    if (steps != (ranks + 1) / 2 || row_of != ranks || base->word_count < WEND_CPD_WINDOW ||
        base->word_count > UINT32_MAX)
        return wend_fail(error, WEND_STATUS_DAMAGED, "a section has a wrong length");
    base->ranks = (uint32_t)ranks, base->components = (uint32_t)components;
    return WEND_OK;
}

void wend_cpd_close(wend_db *db) {
    wend_cpd *base = db->state;
    if (!base) return;
    wend_release(&db->allocator, base->firsts, (size_t)base->components + 2, sizeof *base->firsts);
    wend_release(&db->allocator, base->entries, (size_t)base->cells + 1, sizeof *base->entries);
    wend_release(&db->allocator, base->begins, (size_t)base->ranks + 1, sizeof *base->begins);
    wend_release(&db->allocator, base, 1, sizeof *base);
    db->state = NULL;
}

wend_status wend_cpd_open(wend_db *db, wend_error *error) {
    wend_cpd *base = wend_allocate_zeroed(&db->allocator, 1, sizeof *base);
    db->state = base;
    if (!base) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for a path database");
    base->width = db->info.width;
    base->greedy = db->info.rules.connect == 8 ? WEND_CPD_GREEDY_EIGHT : WEND_CPD_GREEDY_FOUR;
    base->cells = (uint32_t)db->info.width * (uint32_t)db->info.height;
    /* Division by multiplication in 32 bits (Granlund and Montgomery, 1994, theorem 4.2): exact for cells
     * below 2^30 if the factor is at least 2^(30 + l) / width and off by at most 2^l / width, with 2^l the
     * width rounded up to a power of two. */
    base->row_shift = 30;
    while ((uint32_t)base->width > 1u << (base->row_shift - 30)) base->row_shift++;
    base->row_factor =
        (uint32_t)((((uint64_t)1 << base->row_shift) + (uint32_t)base->width - 1) / (uint32_t)base->width);
    wend_status status = check_lengths(db, base, error);
    if (status != WEND_OK) return status;
    const size_t room = (size_t)base->ranks + 1;
    if (db->map)
        base->entries = wend_allocate(&db->allocator, (size_t)base->cells + 1, sizeof *base->entries);
    else
        base->begins = wend_allocate(&db->allocator, room, sizeof *base->begins);
    base->firsts = wend_allocate(&db->allocator, (size_t)base->components + 2, sizeof *base->firsts);
    if ((!base->entries && !base->begins) || !base->firsts)
        return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for the entries of %u cells", base->ranks);
    const uint32_t *sizes = wend_db_section(db, "components", sizeof *sizes, NULL);
    /* Of a map without open cells: an end, and nothing before it. */
    base->firsts[0] = base->firsts[1] = 0;
    for (uint32_t i = 0; i < base->components; i++) base->firsts[i + 1] = base->firsts[i] + sizes[i];
    base->pages = base->ranks ? wend_cpd_pages(base->firsts[1]) : 1;
    wend_cell *cells = wend_allocate(&db->allocator, room, sizeof *cells);
    uint32_t *spare = db->map ? NULL : wend_allocate(&db->allocator, room, sizeof *spare);
    if (!cells || (!db->map && !spare))
        status = wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for the order of %u cells", base->ranks);
    if (status == WEND_OK) status = place_cells(db, base, cells, error);
    if (status == WEND_OK && spare) status = check_twice(base, cells, spare, error);
    if (status == WEND_OK) status = place_rows(db, base, cells, spare, error);
    wend_release(&db->allocator, spare, room, sizeof *spare);
    wend_release(&db->allocator, cells, room, sizeof *cells);
    return status;
}

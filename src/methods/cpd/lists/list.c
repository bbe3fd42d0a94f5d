/* Lists of records: opening them, what there is to tell of them, and looking moves up. */
#include "methods/cpd/lists/list.h"

#include "base/settings.h"

#include <stdio.h>
#include <string.h>

enum { SPARE = 8 }; /* bytes behind the last record, all 0: see wend_cpd_record */

static uint32_t bits_below(uint32_t count) {
    return count > 1 ? 64 - wend_leading_zeros(count - 1) : 0;
}

void wend_cpd_lists_init(wend_cpd_lists *base, const wend_cpd_form *form, const wend_settings *settings,
                         int32_t width, int32_t height) {
    *base = (wend_cpd_lists){.form = form, .width = width, .height = height};
    base->cells = (uint32_t)width * (uint32_t)height;
    base->row_of_cell = ((uint64_t)1 << WEND_ROW_SHIFT) / (uint32_t)width + 1;
    base->x_bits = bits_below((uint32_t)width), base->y_bits = bits_below((uint32_t)height);
    base->levels = base->x_bits > base->y_bits ? base->x_bits : base->y_bits;
    if (!form) return;
    base->record_bytes = (form->record_bits(width, height) + 7) / 8;
    base->label = strcmp(wend_settings_text(settings, "ties"), "label") == 0;
}

const wend_cpd_form *wend_cpd_form_of(const wend_settings *settings) {
    if (settings->info == &wend_db_quadtree.info) return &wend_cpd_squares;
    if (settings->info == &wend_db_cpd.info) return &wend_cpd_rectangles;
    return strcmp(wend_settings_text(settings, "ties"), "label") == 0 ? &wend_cpd_moves : &wend_cpd_move_sets;
}

bool wend_cpd_add_record(const wend_cpd_lists *base, uint64_t record, wend_buffer *result) {
    uint8_t bytes[8];
    wend_store64(bytes, record);
    return wend_buffer_add(result, bytes, base->record_bytes);
}

/* Opening ----------------------------------------------------------------------------------------------- */

static wend_status check_sizes(const wend_db *db, wend_cpd_lists *base, wend_error *error) {
    uint64_t components = 0, sources = 0, counts = 0;
    base->sizes = wend_db_section(db, "components", sizeof *base->sizes, &components);
    base->records = wend_db_section(db, "records", 1, &base->record_count);
    if (!base->sizes || !base->records || !wend_db_section(db, "counts", sizeof(uint32_t), &counts))
        return wend_fail(error, WEND_STATUS_DAMAGED, "a section is missing");
    for (uint64_t i = 0; i < components; i++) {
        sources += base->sizes[i];
        if (!base->sizes[i] || (i && base->sizes[i] > base->sizes[i - 1]) || sources > base->cells)
            return wend_fail(error, WEND_STATUS_DAMAGED, "component %u has a wrong size", (unsigned)i);
    }
    if (counts != sources || base->record_count < SPARE ||
        (base->record_count - SPARE) % base->record_bytes != 0)
        return wend_fail(error, WEND_STATUS_DAMAGED, "a section has a wrong length");
    for (uint32_t i = 0; i < SPARE; i++)
        if (base->records[base->record_count - SPARE + i])
            return wend_fail(error, WEND_STATUS_DAMAGED, "what stands behind the records is not zero");
    base->record_count = (base->record_count - SPARE) / base->record_bytes;
    base->sources = (uint32_t)sources, base->components = (uint32_t)components;
    return WEND_OK;
}

static wend_status check_lists(const wend_db *db, wend_cpd_lists *base, wend_error *error) {
    const uint32_t *counts = wend_db_section(db, "counts", sizeof *counts, NULL);
    uint32_t source = 0;
    base->begins[0] = 0;
    for (uint32_t c = 0; c < base->components; c++)
        for (uint32_t i = 0; i < base->sizes[c]; i++, source++) {
            uint64_t begin = base->begins[source];
            uint32_t count = counts[source];
            if (count > base->record_count - begin ||
                !base->form->check(base, base->records + begin * base->record_bytes, count, i,
                                   base->sizes[c]))
                return wend_fail(error, WEND_STATUS_DAMAGED, "the list of source %u is damaged", source);
            if (count > base->longest) base->longest = count;
            base->begins[source + 1] = begin + count;
        }
    if (base->begins[base->sources] != base->record_count)
        return wend_fail(error, WEND_STATUS_DAMAGED, "there are more records than sources have");
    return WEND_OK;
}

/* The map's own components must be those of the file: it is the same map, unless the file is forged. */
static wend_status rank_cells(const wend_db *db, wend_cpd_lists *base, wend_error *error) {
    wend_status status = wend_ranks_create(db->map, &db->allocator, &base->ranks, error);
    if (status != WEND_OK) return status;
    base->ranked = true;
    bool same = base->ranks.components == base->components;
    for (uint32_t i = 0; i < base->components && same; i++)
        same = base->ranks.firsts[i + 1] - base->ranks.firsts[i] == base->sizes[i];
    return same ? WEND_OK : wend_fail(error, WEND_STATUS_DAMAGED, "the components are not those of the map");
}

wend_status wend_cpd_lists_open(wend_db *db, wend_error *error) {
    wend_cpd_lists *base = wend_allocate_zeroed(&db->allocator, 1, sizeof *base);
    db->state = base;
    if (!base) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for a path database");
    wend_cpd_lists_init(base, wend_cpd_form_of(db->settings), db->settings, db->info.width, db->info.height);
    wend_status status = check_sizes(db, base, error);
    if (status != WEND_OK) {
        base->sources = 0;
        return status;
    }
    base->begins = wend_allocate(&db->allocator, (size_t)base->sources + 1, sizeof *base->begins);
    if (!base->begins)
        return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for %u lists", base->sources);
    status = check_lists(db, base, error);
    return status == WEND_OK && db->map ? rank_cells(db, base, error) : status;
}

void wend_cpd_lists_close(wend_db *db) {
    wend_cpd_lists *base = db->state;
    if (!base) return;
    if (base->ranked) wend_ranks_release(&base->ranks);
    wend_release(&db->allocator, base->begins, (size_t)base->sources + 1, sizeof *base->begins);
    wend_release(&db->allocator, base, 1, sizeof *base);
    db->state = NULL;
}

/* Facts ------------------------------------------------------------------------------------------------- */

size_t wend_cpd_lists_facts(const wend_db *db, wend_fact *facts, size_t capacity) {
    const wend_cpd_lists *base = db->state;
    double cells = base->sources ? base->sources : 1, pairs = 0;
    for (uint32_t i = 0; i < base->components; i++) pairs += (double)base->sizes[i] * (base->sizes[i] - 1.0);
    wend_fact all[10] = {{"cells", base->sources}, {"components", base->components}, {"pairs", pairs}};
    size_t count = 3;
    (void)snprintf(all[count].name, sizeof all[count].name, "%s", base->form->records);
    all[count++].value = (double)base->record_count;
    all[count++] = (wend_fact){"per_cell", (double)base->record_count / cells};
    all[count++] = (wend_fact){"longest_list", base->longest};
    all[count++] = (wend_fact){"bytes_per_cell", (double)db->info.bytes / cells};
    double checks = capacity > count ? wend_cpd_mean_checks(db) : -1;
    if (checks >= 0) all[count++] = (wend_fact){"checks_mean", checks};
    for (size_t i = 0; i < count && i < capacity; i++) facts[i] = all[i];
    return count;
}

/* Looking up -------------------------------------------------------------------------------------------- */

/* Two ranks, a component, the list's ends. */
enum { OVERHEAD = 5 };

uint64_t wend_cpd_list_bound(const wend_cpd_lists *base) {
    return OVERHEAD + (uint64_t)base->form->most_looks(base->longest);
}

uint32_t wend_cpd_list_move(const wend_cpd_lists *base, wend_cell from, wend_cell to, uint64_t *looked) {
    *looked += OVERHEAD;
    if (from >= base->cells || to >= base->cells) return WEND_CPD_NO_WAY;
    const wend_ranks *ranks = &base->ranks;
    uint32_t source = ranks->rank[from], target = ranks->rank[to];
    if (source == WEND_NO_RANK || target == WEND_NO_RANK) return WEND_CPD_NO_WAY;
    if (from == to) return WEND_NO_DIRECTION;
    uint32_t low = 0, high = ranks->components; /* firsts[low] <= source < firsts[high] */
    while (WEND_UNLIKELY(source >= ranks->firsts[low + 1])) {
        uint32_t middle = low + (high - low) / 2;
        if (ranks->firsts[middle] <= source)
            low = middle;
        else
            high = middle;
    }
    uint32_t first = ranks->firsts[low];
    if (target - first >= ranks->firsts[low + 1] - first) return WEND_CPD_NO_WAY;
    uint64_t begin = base->begins[source];
    uint32_t count = (uint32_t)(base->begins[source + 1] - begin);
    uint32_t move =
        base->form->find(base, base->records + begin * base->record_bytes, count, to, target - first, looked);
    return move < WEND_DIRECTIONS && ranks->legal[source] >> move & 1 ? move : WEND_CPD_NO_WAY;
}

/* upd: an uncompressed path database, one move for every two cells of a component; what Botea (AIIDE 2011,
 * figure 4) compares the compressed ones with. For small maps: n cells take n * n / 2 bytes.
 *
 * The paper's records hold the moves of both directions, and so every move twice; here each stands once.
 *
 * A source's list is one byte per record. With `ties=label`: four bits per target, by rank within the
 * component, the lower half of a byte first, what is left of the last byte 0. With `ties=set`: one byte per
 * target, a bit for each optimal move. The source's own place holds 0. */
#include "methods/cpd/lists/list.h"

static uint32_t eight(int32_t width, int32_t height) {
    (void)width, (void)height;
    return 8;
}

static uint32_t one(uint32_t count) {
    (void)count;
    return 1;
}

static bool write_moves(const wend_cpd_lists *base, wend_cpd_table *table, uint32_t source,
                        const uint16_t *sets, void *scratch, wend_buffer *result) {
    (void)base, (void)scratch;
    uint8_t bytes[256];
    for (uint32_t i = 0; i < table->cells;) {
        uint32_t used = 0;
        for (; used < sizeof bytes && i < table->cells; used++) {
            uint32_t both = i == source ? 0 : wend_cpd_table_move(table, source, i, sets[i]);
            if (++i < table->cells && i != source)
                both |= wend_cpd_table_move(table, source, i, sets[i]) << 4;
            bytes[used] = (uint8_t)both, i++;
        }
        if (!wend_buffer_add(result, bytes, used)) return false;
    }
    return true;
}

static bool check_moves(const wend_cpd_lists *base, const uint8_t *list, uint32_t count, uint32_t source,
                        uint32_t cells) {
    (void)base, (void)source;
    if (count != cells / 2 + cells % 2) return false;
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < count; i++) wrong |= list[i] & 0x88u;
    return !wrong && !(cells % 2 && list[count - 1] >> 4);
}

static uint32_t find_move(const wend_cpd_lists *base, const uint8_t *list, uint32_t count, wend_cell to,
                          uint32_t target, uint64_t *looked) {
    (void)base, (void)count, (void)to;
    ++*looked;
    return list[target / 2] >> target % 2 * 4 & 7;
}

const wend_cpd_form wend_cpd_moves = {
    .records = "bytes",
    .record_bits = eight,
    .write = write_moves,
    .check = check_moves,
    .find = find_move,
    .most_looks = one,
};

static bool write_sets(const wend_cpd_lists *base, wend_cpd_table *table, uint32_t source,
                       const uint16_t *sets, void *scratch, wend_buffer *result) {
    (void)base, (void)scratch;
    uint8_t bytes[256];
    for (uint32_t i = 0; i < table->cells;) {
        uint32_t used = 0;
        for (; used < sizeof bytes && i < table->cells; used++, i++)
            bytes[used] = (uint8_t)(i == source ? 0 : sets[i]);
        if (!wend_buffer_add(result, bytes, used)) return false;
    }
    return true;
}

static bool check_sets(const wend_cpd_lists *base, const uint8_t *list, uint32_t count, uint32_t source,
                       uint32_t cells) {
    (void)base;
    if (count != cells) return false;
    uint32_t empty = 0;
    for (uint32_t i = 0; i < count; i++) empty += !list[i];
    return empty == 1 && !list[source];
}

static uint32_t find_set(const wend_cpd_lists *base, const uint8_t *list, uint32_t count, wend_cell to,
                         uint32_t target, uint64_t *looked) {
    (void)base, (void)count, (void)to;
    ++*looked;
    return list[target] ? wend_cpd_label(list[target]) : WEND_CPD_NO_WAY;
}

const wend_cpd_form wend_cpd_move_sets = {
    .records = "bytes",
    .record_bits = eight,
    .write = write_sets,
    .check = check_sets,
    .find = find_set,
    .most_looks = one,
};

static const char *const ties[] = {"label", "set", NULL};

static const wend_key_info keys[] = {
    {.name = "ties",
     .kind = WEND_KEY_WORD,
     .words = ties,
     .standard = "label",
     .help = "what is stored for two cells: one move in 4 bits, or the set of all optimal ones in 8"},
};

const wend_db_kind wend_db_upd = {
    .info = {"upd", "an uncompressed path database of a small map, for comparison with cpd", keys,
             sizeof keys / sizeof *keys},
    .version = 1,
    .seedless = true,
    WEND_CPD_LISTS,
};

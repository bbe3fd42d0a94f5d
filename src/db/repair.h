/* Repairs behind one interface: what all of them share, and a row of functions for each kind of database that
 * can be repaired. */
#ifndef WEND_DB_REPAIR_H
#define WEND_DB_REPAIR_H

#include "base/budget.h"
#include "db/kind.h"
#include <wend/repair.h>

/* The first member of a kind's own struct. */
struct wend_repair {
    const wend_db *db;
    const wend_map *map; /* the caller's, which is followed */
    wend_budget budget;
    wend_allocator allocator; /* within the budget */
    uint64_t debt;            /* operations that steps took beyond what they were given */
    wend_repair_info info;    /* but for `bytes` */
};

struct wend_repair_kind {
    size_t size; /* of the kind's struct, which is handed to `create` zeroed but for its wend_repair */
    /* Whether this database of the kind can be repaired; NULL: all can. */
    wend_status (*check)(const wend_db *db, wend_error *error);
    bool (*create)(wend_repair *repair, const wend_repair_options *options); /* false: no memory */
    void (*release)(wend_repair *repair); /* after `create`, even if it failed */
    /* Goes on for about `operations`, and adds what it took. WEND_STATUS_NO_MEMORY without words, or another
     * failure with them; `give_up` then goes back to what was complete. */
    wend_status (*go)(wend_repair *repair, uint64_t operations, uint64_t *used, wend_error *error);
    void (*give_up)(wend_repair *repair);
    /* Whether nothing is under way and the answers are right for the followed map as it is now. */
    bool (*current)(const wend_repair *repair);
    const wend_map *(*seen)(const wend_repair *repair); /* while it is current: a copy of the map */
    size_t (*facts)(const wend_repair *repair, wend_fact *facts, size_t capacity);
};

WEND_INLINE uint64_t wend_repair_generation(const wend_repair *repair) {
    return repair->info.generation;
}

/* Whether an agent with this database, on this map, can go by the repair: otherwise
 * WEND_STATUS_OTHER_MAP. */
wend_status wend_repair_check(const wend_repair *repair, const wend_db *db, const wend_map *map,
                              wend_error *error);

#endif

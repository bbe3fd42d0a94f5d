/* The kind `cpd`: one name for two encodings, runs (cpd.c) and the paper's rectangles
 * (methods/cpd/lists/rectangles.c). */
#include "methods/cpd/layout.h"

#include "methods/cpd/lists/list.h"
#include "methods/cpd/repair/repair.h"

#include <string.h>

static const wend_db_kind rectangles = {.info = {"cpd", NULL, NULL, 0}, .version = 1, WEND_CPD_LISTS};

/* An older or hand-made database may have no settings: then they are the usual ones. */
bool wend_cpd_has_rectangles(const wend_settings *settings) {
    const char *encoding = wend_settings_text(settings, "encoding");
    return encoding && strcmp(encoding, "rectangles") == 0;
}

static const wend_db_kind *form_of(const wend_settings *settings) {
    return wend_cpd_has_rectangles(settings) ? &rectangles : &wend_cpd_runs;
}

static wend_status open(wend_db *db, wend_error *error) {
    return form_of(db->settings)->open(db, error);
}

static void close(wend_db *db) {
    form_of(db->settings)->close(db);
}

static size_t facts(const wend_db *db, wend_fact *list, size_t capacity) {
    return form_of(db->settings)->facts(db, list, capacity);
}

static wend_status prepare(wend_builder *builder, wend_error *error) {
    if (!wend_cpd_has_rectangles(builder->settings) &&
        strcmp(wend_settings_text(builder->settings, "ties"), "label") == 0)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "ties=label goes with encoding=rectangles only");
    return form_of(builder->settings)->prepare(builder, error);
}

static wend_status piece(wend_builder *builder, uint32_t number, uint32_t worker, wend_buffer *result) {
    return form_of(builder->settings)->piece(builder, number, worker, result);
}

static wend_status finish(wend_builder *builder, const wend_buffer *results, wend_error *error) {
    return form_of(builder->settings)->finish(builder, results, error);
}

static void release(wend_builder *builder) {
    form_of(builder->settings)->release(builder);
}

static wend_status verify_prepare(wend_verifier *verifier, wend_error *error) {
    return form_of(verifier->db->settings)->verify_prepare(verifier, error);
}

static wend_status verify(wend_verifier *verifier, uint64_t number, uint32_t worker, wend_error *error) {
    return form_of(verifier->db->settings)->verify(verifier, number, worker, error);
}

static void verify_release(wend_verifier *verifier) {
    form_of(verifier->db->settings)->verify_release(verifier);
}

static wend_status estimate(const wend_map *map, const wend_settings *settings, uint32_t workers,
                            const wend_allocator *allocator, wend_estimate *found, wend_error *error) {
    return (wend_cpd_has_rectangles(settings) ? wend_cpd_lists_estimate : wend_cpd_runs_estimate)(
        map, settings, workers, allocator, found, error);
}

static const char *const encodings[] = {"runs", "rectangles", NULL}, *const ties[] = {"set", "label", NULL};

static const wend_key_info keys[] = {
    {.name = "encoding",
     .kind = WEND_KEY_WORD,
     .words = encodings,
     .standard = "runs",
     .help = "how moves are stored: runs along an order of the cells, or rectangles, as in the paper"},
    {.name = "ties",
     .kind = WEND_KEY_WORD,
     .words = ties,
     .standard = "set",
     .help = "cells with several optimal moves: all are kept until one is chosen, or (rectangles) one"},
};

const wend_db_kind wend_db_cpd = {
    .info = {"cpd", "a compressed path database: an optimal move from every cell to every other", keys,
             sizeof keys / sizeof *keys},
    .version = 2,
    .open = open,
    .close = close,
    .facts = facts,
    .prepare = prepare,
    .piece = piece,
    .finish = finish,
    .release = release,
    .verify_prepare = verify_prepare,
    .verify = verify,
    .verify_release = verify_release,
    .estimate = estimate,
    .repair = &wend_cpd_repair_kind,
};

/* The kind `cpd`: one name for two encodings, runs (methods/cpd/open.c) and the paper's rectangles
 * (methods/cpd/lists/rectangles.c). */
#include "methods/cpd/layout.h"

#include "methods/cpd/lists/list.h"
#include "methods/cpd/repair/repair.h"

#include <string.h>

static const wend_db_kind rectangles = {WEND_CPD_LISTS};

/* An older or hand-made database may have no settings: then they are the usual ones. */
static const wend_db_kind *form(const wend_settings *settings) {
    const char *encoding = wend_settings_text(settings, "encoding");
    return encoding && strcmp(encoding, "rectangles") == 0 ? &rectangles : &wend_cpd_runs;
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
    .seedless = true,
    .form = form,
    .repair = &wend_cpd_repair_kind,
};

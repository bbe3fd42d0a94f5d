/* auto: the planner that goes with the database that it is given; `tba` without one. There is nothing of its
 * own to step: an agent is created as one of the planner that is meant. */
#include "methods/auto/auto.h"

#include <stdio.h>

static wend_status stands_for(const wend_settings *settings, const wend_db *db,
                              const wend_allocator *allocator, wend_settings **meant, wend_error *error) {
    char text[32];
    if (!db && wend_settings_given(settings, "db"))
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "auto has a key db, and no database was given");
    /* Each kind of database has the name of its planner. */
    (void)snprintf(text, sizeof text, "%s%s", db ? db->kind->info.name : "tba", db ? ":db=-" : "");
    wend_status status = wend_settings_parse(text, allocator, meant, error);
    if (status != WEND_STATUS_BAD_ARGUMENT) return status;
    return wend_fail(error, WEND_STATUS_UNSUPPORTED, "no planner goes with a database of kind %s",
                     db ? db->kind->info.name : "none");
}

static const wend_key_info keys[] = {
    {.name = "db", .kind = WEND_KEY_FILE, .help = "a database of any kind, built for this map"},
};

const wend_planner wend_planner_auto = {
    .info = {"auto", "the planner that goes with its database; tba without one", keys,
             sizeof keys / sizeof *keys},
    .stands_for = stands_for,
};

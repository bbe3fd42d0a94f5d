/* `wend path`, `bench` and `run` with a database that contradicts the map, and other runs that would not end: they
 * end, and say why. */
#include "support/check.h"
#include "support/command/command.h"
#include "support/mutant.h"

#include <stdlib.h>
#include <string.h>

/* An uncompressed path database of a row of five cells, of which one says "west" on the way from cell 1 to 4: whoever
 * goes there walks to and fro for ever. Or "north", where a wall is. */
static bool make(void) {
    bool good = test_shell("\"$WEND\" map gen open 5x1 -o row.map --quiet && "
                           "\"$WEND\" build upd row.map -o upd.wend ties=set --quiet && "
                           "printf 'version 1\\n0 row.map 5 1 0 0 4 0 4\\n' >row.scen && "
                           "\"$WEND\" map gen open 1000x3 -o long.map --quiet") == 0;
    char *text = good ? test_command_read("upd.wend") : NULL;
    FILE *file = good ? test_command_open("upd.wend", "rb") : NULL;
    if (!CHECK(text && file)) return false;
    CHECK(fseek(file, 0, SEEK_END) == 0);
    test_bytes whole = {(uint8_t *)text, (size_t)ftell(file)};
    CHECK(fclose(file) == 0);
    for (int north = 0; north < 2; north++) {
        test_mutant mutant = test_mutant_of(whole);
        test_mutant_section *records = NULL;
        for (size_t i = 0; i < mutant.section_count; i++)
            if (mutant.sections[i].width == 1 && mutant.sections[i].count >= 25)
                records = &mutant.sections[i];
        if (!CHECK(records)) return false;
        test_mutant_set(records, 1 * 5 + 4, north ? 1 : 1 << 6);
        test_bytes forged = test_mutant_bytes(&mutant);
        FILE *out = test_command_open(north ? "stuck.wend" : "endless.wend", "wb");
        good = out && fwrite(forged.data, 1, forged.size, out) == forged.size && fclose(out) == 0;
        CHECK(good);
        test_mutant_free(&mutant);
        free(forged.data);
    }
    free(text);
    return good;
}

/* Whether a line fails with this exit status and a pattern is in its output, standard error included. */
static void says(const char *line, int status, const char *pattern) {
    char whole[1000];
    (void)snprintf(whole, sizeof whole, "{ ulimit -t 60; %s; } >said 2>&1", line);
    int ended = test_shell(whole);
    CHECK_THAT(ended == status, "%s: %d", line, ended);
    (void)snprintf(whole, sizeof whole, "grep -Eq '%s' said", pattern);
    char *said = test_command_read("said");
    CHECK_THAT(test_shell(whole) == 0, "%s: no '%s' in: %.300s", line, pattern, said ? said : "");
    free(said);
    test_case();
}

static void walks_by_it_end(void) {
    static const char *const files[] = {"endless.wend", "stuck.wend"};
    if (!test_command_once(make)) return;
    for (int i = 0; i < 2; i++) {
        char line[400];
        (void)snprintf(line, sizeof line, "\"$WEND\" path row.map 0,0 4,0 --planner upd:db=%s", files[i]);
        says(line, 1, "^bad-database$");
        says(line, 1, "^wend: .*contradicts the map.*db verify");
        (void)snprintf(line, sizeof line,
                       "\"$WEND\" path row.map 0,0 4,0 --planner cpd:db=%s --json - 2>/dev/null", files[i]);
        says(line, 1, "\"status\":\"bad-database\"");
        (void)snprintf(
            line, sizeof line,
            "\"$WEND\" bench row.map row.scen --planner upd:db=%s --json - --moves moves.txt --quiet",
            files[i]);
        says(line, 0, "\"summary\":true.*\"unreachable\":0,\"unfinished\":0,.*\"bad_database\":1,");
        says("cat moves.txt", 0, "^0 0 4 0 bad-database 2");
        says("\"$WEND\" map draw row.map -o moves.png --moves moves.txt && echo drawn", 0, "^drawn$");
        (void)snprintf(line, sizeof line,
                       "\"$WEND\" run row.map --agents 20 --planner upd:db=%s --ticks 3000 --plain --quiet",
                       files[i]);
        says(line, 0, "^unreachable 0$");
        says(line, 0, "^bad_database [1-9]");
        says(line, 0, "^wend: .*contradicts the map");
        (void)snprintf(line, sizeof line, "\"$WEND\" db verify %s row.map", files[i]);
        says(line, 1, "^wrong: .*the move from cell 1 to 4 is not optimal");
        /* Where the map may change, the agent arrives by a search. */
        (void)snprintf(
            line, sizeof line,
            "echo '99 0 0 1 1 open' >edits.txt && \"$WEND\" bench row.map row.scen --planner upd:db=%s --edits "
            "edits.txt --json -",
            files[i]);
        says(line, 0, "\"summary\":true.*\"arrived\":1,");
    }
}

/* A learner that begins behind a wall walks up and down there 1,349,485 times before it has learnt the way round. */
static void other_walks_are_cut(void) {
    if (!test_command_once(make)) return;
    CHECK(
        test_shell(
            "awk 'BEGIN { print \"type octile\\nheight 150\\nwidth 150\\nmap\"; for (y = 0; y < 150; y++) { s = \"\"; "
            "for (x = 0; x < 150; x++) s = s ((x == 140 && y > 4 && y < 145) || (x > 9 && x <= 140 && (y == 5 || "
            "y == 144)) ? \"@\" : \".\"); print s } }' >bay.map && printf 'version 1\\n0 bay.map 150 150 75 75 149 75 1\\n' "
            ">bay.scen") == 0);
    says("\"$WEND\" path bay.map 75,75 149,75 --planner lrta --max-moves 1000", 1, "^unfinished$");
    says("\"$WEND\" path bay.map 75,75 149,75 --planner lrta --max-moves 1000", 1,
         "cut after 1000 moves.*--max-moves");
    says("\"$WEND\" bench bay.map bay.scen --planner lrta --max-moves 1000 --json -", 0,
         "\"summary\":true.*\"unfinished\":1,");
    says("\"$WEND\" path bay.map 75,75 149,75 --planner lrta --max-moves 1200000 --trace t.json", 1,
         "1000000 events.*cut");
    says("tail -n 1 t.json", 0, "\"type\":\"end\".*\"status\":\"cut\"}]}$");
    says("wc -l <t.json", 0, "^ *10000[0-9]{2}$");
}

static const test tests[] = {
    {"walks by it end", walks_by_it_end},
    {"other walks are cut", other_walks_are_cut},
};
TEST_MAIN(tests)

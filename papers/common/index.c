/* The index of `wend paper all`: what has come of every table and figure, from the JSON that each paper's own
 * report wrote. Its checks decide: all of them passed, and it is reproduced; one failed, and it differs; some
 * not decided, and it is not. index.txt lists what has no check, and why something differs or can't be
 * compared. */
#include "common/paper.h"
#include "common/table.h"
#include "formats/files.h"

#include <jansson.h>

#include <stdlib.h>
#include <string.h>

typedef enum item_state { REPRODUCED, DIFFERS, NOT_DECIDED, NOT_COMPARABLE, NOT_RUN, STATES } item_state;

static const char *const state_names[STATES] = {"reproduced", "differs", "not decided", "not comparable",
                                                "not run"};

/* A line of index.txt. */
enum { ITEM_PAPER, ITEM_WHAT, ITEM_WHY, ITEM_CHECKS };
typedef tool_paper_lines paper_item;

/* The next one of a paper. */
static bool next_item(paper_item *item, const char *paper) {
    while (tool_paper_next_line(item))
        if (strcmp(item->fields[ITEM_PAPER], paper) == 0) return true;
    return false;
}

/* A paper's JSON ---------------------------------------------------------------------------------------- */

/* NULL if there is none, which is no mistake: it was not run yet. One that can't be read is complained of. */
static json_t *read_results(const char *folder, const char *paper, bool *good) {
    char path[4096 + 64];
    (void)snprintf(path, sizeof path, "%s/%s.json", folder, paper);
    wend_bytes bytes = {NULL, 0, 0};
    wend_error error;
    if (wend_file_read(path, NULL, WEND_MAX_FILE_BYTES, &bytes, &error) != WEND_OK) return NULL;
    json_error_t about;
    json_t *json = json_loadb((const char *)bytes.data, bytes.size, 0, &about);
    tool_bytes_release(&bytes);
    if (json && json_is_array(json_object_get(json, "checks"))) return json;
    (void)tool_wrong("%s: no results of wend paper: line %d: %s", path, json ? 1 : about.line,
                     json ? "it has no checks" : about.text);
    json_decref(json);
    *good = false;
    return NULL;
}

typedef struct tally {
    size_t counts[TOOL_REPORT_VERDICTS];
    char failed[768];    /* the words of those that failed */
    char undecided[768]; /* and of those that are not decided */
} tally;

static void note_check(char *list, size_t size, const char *before, const char *words) {
    size_t used = strlen(list);
    (void)snprintf(list + used, size - used, "%s%s: %s.", used ? " " : "", before, words);
}

static void count_check(tally *t, const char *result, const char *words) {
    tool_report_verdict verdict = TOOL_REPORT_PASS;
    while (verdict < TOOL_REPORT_NOT_COMPARABLE && strcmp(tool_report_verdict_key(verdict), result) != 0)
        verdict++;
    t->counts[verdict]++;
    if (verdict == TOOL_REPORT_FAIL) note_check(t->failed, sizeof t->failed, "Not so", words);
    if (verdict == TOOL_REPORT_NOT_DECIDED)
        note_check(t->undecided, sizeof t->undecided, "Too few problems to tell", words);
}

static size_t count_all(const tally *t) {
    size_t all = 0;
    for (size_t i = 0; i < TOOL_REPORT_VERDICTS; i++) all += t->counts[i];
    return all;
}

static bool belongs(const paper_item *item, const char *words) {
    for (size_t i = ITEM_CHECKS; i < item->count; i++)
        if (strstr(words, item->fields[i])) return true;
    return false;
}

static bool is_listed(const char *paper, const char *words) {
    for (paper_item item = tool_paper_read_lines("index"); next_item(&item, paper);)
        if (belongs(&item, words)) return true;
    return false;
}

/* The checks of one item; without an item, those of a paper that belong to none. */
static tally count_checks(const json_t *json, const char *paper, const paper_item *item) {
    tally t = {.failed = ""};
    const json_t *checks = json_object_get(json, "checks");
    for (size_t i = 0; i < json_array_size(checks); i++) {
        const json_t *check = json_array_get(checks, i);
        const char *result = json_string_value(json_object_get(check, "result")),
                   *words = json_string_value(json_object_get(check, "words"));
        if (!result || !words) continue;
        if (item ? belongs(item, words) : !is_listed(paper, words)) count_check(&t, result, words);
    }
    return t;
}

static item_state state_of(const json_t *json, const tally *t, const paper_item *item) {
    if (!json) return NOT_RUN;
    if (t->counts[TOOL_REPORT_FAIL]) return DIFFERS;
    if (t->counts[TOOL_REPORT_NOT_DECIDED]) return NOT_DECIDED;
    if (t->counts[TOOL_REPORT_NOT_COMPARABLE]) return NOT_COMPARABLE;
    if (t->counts[TOOL_REPORT_PASS]) return REPRODUCED;
    return item && item->count <= ITEM_CHECKS ? NOT_COMPARABLE : NOT_RUN;
}

/* The page ---------------------------------------------------------------------------------------------- */

static void add_item(tool_report_table *table, const json_t *json, const char *paper, const paper_item *item,
                     const char *what, bool apart, size_t *states) {
    tally t = count_checks(json, paper, item);
    item_state state = state_of(json, &t, item);
    states[state]++;
    char why[2048] = "", checks[32] = "", page[96];
    size_t all = count_all(&t);
    const json_t *settings = json_object_get(json, "settings");
    const char *part = json_string_value(json_object_get(settings, "part"));
    const json_t *generated_maps = json_object_get(settings, "generated_maps");
    const bool generated = !generated_maps || json_number_value(generated_maps) > 0;
    const char *reason = item && item->count > ITEM_WHY ? item->fields[ITEM_WHY] : "";
    if (state == DIFFERS || state == NOT_DECIDED)
        (void)snprintf(why, sizeof why, "%s%s%s", state == DIFFERS ? t.failed : t.undecided,
                       *reason ? " " : "", reason);
    else if (state == NOT_COMPARABLE && t.counts[TOOL_REPORT_NOT_COMPARABLE] && (!*reason || generated))
        (void)snprintf(why, sizeof why,
                       "The maps are not the paper's, nor those that stand for them: see --maps.");
    else if (state == NOT_COMPARABLE)
        (void)snprintf(why, sizeof why, "%s", reason);
    else if (state == NOT_RUN && json)
        (void)snprintf(why, sizeof why,
                       "Not in this form of the run: the whole one, without --quick%s, has it.",
                       part ? ", --planner or --length" : "");
    if (all && part) { /* other checks of it may have been left out */
        size_t used = strlen(why);
        (void)snprintf(why + used, sizeof why - used, "%sMeasured in part: %s.", used ? " " : "", part);
    }
    if (all) (void)snprintf(checks, sizeof checks, "%zu of %zu", t.counts[TOOL_REPORT_PASS], all);
    (void)snprintf(page, sizeof page, "%s.html", paper);
    const tool_report_cell cells[] = {
        json ? tool_report_link_cell(paper, page) : tool_report_text_cell(paper),
        {.text = state_names[state],
         .tone = state == REPRODUCED ? "pass"
                 : state == DIFFERS  ? "fail"
                                     : NULL},
        tool_report_text_cell(what),
        tool_report_valued_cell(checks, all ? (double)t.counts[TOOL_REPORT_PASS] : 0),
        tool_report_text_cell(why),
    };
    tool_report_add_row(table, cells, apart);
}

static void add_paper(tool_report_table *table, const json_t *json, const char *paper, size_t *states) {
    bool apart = true;
    for (paper_item item = tool_paper_read_lines("index"); next_item(&item, paper); apart = false)
        add_item(table, json, paper, &item, item.fields[ITEM_WHAT], apart, states);
    tally rest = count_checks(json, paper, NULL);
    if (count_all(&rest) || apart)
        add_item(table, json, paper, NULL, apart ? "All of it" : "Beyond the paper", apart, states);
}

/* What the tables are of, from the papers' own settings. */
static void add_papers_table(tool_report *report, json_t *const *results, const tool_paper *const *papers,
                             size_t count) {
    static const tool_report_column columns[] = {
        {"paper", "paper", true, false},
        {"title", "title", true, false},
        {"pass", "pass", false, false},
        {"fail", "fail", false, false},
        {"other", "not comparable", false, false},
        {"problems", "problems per map", false, false},
        {"not_decided", "not decided", false, false},
    };
    tool_report_table *table = tool_report_add_table(report, "papers", "The papers and their checks", columns,
                                                     sizeof columns / sizeof *columns);
    for (size_t i = 0; i < count; i++) {
        static const paper_item all = {.fields = {"", "", "", ""}, .count = ITEM_CHECKS + 1}; /* any words */
        char page[96];
        tally t = count_checks(results[i], papers[i]->name, &all);
        const json_t *problems = json_object_get(json_object_get(results[i], "settings"), "problems");
        (void)snprintf(page, sizeof page, "%s.html", papers[i]->name);
        const tool_report_cell cells[] = {
            results[i] ? tool_report_link_cell(papers[i]->name, page)
                       : tool_report_text_cell(papers[i]->name),
            tool_report_text_cell(papers[i]->title),
            tool_report_number_cell((double)t.counts[TOOL_REPORT_PASS], 0),
            tool_report_number_cell((double)t.counts[TOOL_REPORT_FAIL], 0),
            tool_report_number_cell((double)t.counts[TOOL_REPORT_NOT_COMPARABLE], 0),
            json_is_number(problems) ? tool_report_number_cell(json_number_value(problems), 0)
                                     : tool_report_text_cell(""),
            tool_report_number_cell((double)t.counts[TOOL_REPORT_NOT_DECIDED], 0),
        };
        tool_report_add_row(table, cells, false);
    }
}

static bool describe(const tool_paper_options *options, tool_report *report, json_t *const *results,
                     const tool_paper *const *papers, size_t count) {
    static const tool_report_column columns[] = {
        {"paper", "paper", true, false}, {"state", "state", true, false},
        {"what", "what", true, false},   {"checks", "checks passed", false, false},
        {"why", "why", true, false},
    };
    tool_report_table *table = tool_report_add_table(report, "state", "Every table and figure", columns,
                                                     sizeof columns / sizeof *columns);
    tool_report_lead(table);
    size_t states[STATES] = {0};
    for (size_t i = 0; i < count; i++) add_paper(table, results[i], papers[i]->name, states);
    tool_report_note(
        report,
        "%zu reproduced, %zu differ, %zu not comparable, %zu not run. %zu not decided: there are too few "
        "problems. Reproduced: every check of it passed, and could be made; the checks are what the paper says "
        "in figures or words, and stand with what was measured on each paper's page.",
        states[REPRODUCED], states[DIFFERS], states[NOT_COMPARABLE], states[NOT_RUN], states[NOT_DECIDED]);
    if (options->quick)
        tool_report_note(report, "A quick run: fewer problems, and fewer databases, than the papers have.");
    tool_report_set_seed(report, options->seed);
    tool_report_set_flag(report, "quick", options->quick);
    tool_report_set_text(report, "maps", options->maps ? "from files" : "generated");
    add_papers_table(report, results, papers, count);
    return tool_report_complete(report);
}

int tool_paper_write_index(const tool_paper *const *papers, size_t count, const tool_paper_options *options) {
    json_t **results = calloc(count, sizeof(json_t *));
    tool_report *report = tool_report_create("all", "Papers measured again");
    bool good = results && report;
    if (!good) (void)tool_wrong("out of memory for an index");
    for (size_t i = 0; good && i < count; i++)
        results[i] = read_results(options->folder, papers[i]->name, &good);
    if (good && !describe(options, report, results, papers, count)) {
        (void)tool_wrong("out of memory for an index");
        good = false;
    }
    if (good) {
        if (!options->quiet) putchar('\n');
        tool_report_write_text(stdout, report);
        if (!options->quiet) putchar('\n');
        good = tool_paper_write_result(options, report, "index", "json", tool_report_write_json) &&
               tool_paper_write_result(options, report, "index", "html", tool_report_write_html);
    }
    for (size_t i = 0; results && i < count; i++) json_decref(results[i]);
    free(results);
    tool_report_destroy(report);
    return good ? TOOL_DONE : TOOL_WRONG;
}

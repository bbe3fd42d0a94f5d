/* `wend paper`: the tables of published papers, measured again. */
#define _POSIX_C_SOURCE 200809L

#include "paper.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const tool_paper *const papers[] = {&tool_paper_tbaa2012};
enum { PAPERS = sizeof papers / sizeof *papers, LONGEST_PATH = 4096, MOST_PROBLEMS = 100000 };

/* Makes a folder and those above it that are missing. */
static bool make_folder(const char *folder) {
    char path[LONGEST_PATH];
    size_t length = strlen(folder);
    if (!length || length >= sizeof path) {
        (void)tool_wrong("-o: '%s' can't be a folder's name", folder);
        return false;
    }
    for (size_t i = 1; i <= length; i++) {
        if (folder[i] != '/' && folder[i]) continue;
        memcpy(path, folder, i);
        path[i] = 0;
        if (mkdir(path, 0777) != 0 && errno != EEXIST) {
            (void)tool_wrong("%s: can't make this folder: %s", path, strerror(errno));
            return false;
        }
    }
    struct stat about;
    if (stat(folder, &about) == 0 && S_ISDIR(about.st_mode)) return true;
    (void)tool_wrong("%s: is no folder", folder);
    return false;
}

static bool write_result(const char *folder, const tool_report *report, const char *name, const char *kind,
                         void (*write)(FILE *, const tool_report *), bool quiet) {
    char path[LONGEST_PATH + 64];
    (void)snprintf(path, sizeof path, "%s/%s.%s", folder, name, kind);
    FILE *file = tool_open(path);
    if (!file) return false;
    write(file, report);
    if (!tool_close(file, path)) return false;
    if (!quiet) printf("written: %s\n", path);
    return true;
}

static int run_paper(const tool_paper *paper, const tool_paper_options *options, const char *folder) {
    tool_report *report = tool_report_create(paper->name, paper->title);
    int result = TOOL_WRONG;
    if (!report) {
        (void)tool_wrong("out of memory for a report");
    } else if (paper->run(options, report)) {
        if (!tool_report_complete(report)) {
            (void)tool_wrong("out of memory for a report");
        } else {
            tool_report_write_text(stdout, report);
            if (!options->quiet) putchar('\n');
            if (write_result(folder, report, paper->name, "json", tool_report_write_json, options->quiet) &&
                write_result(folder, report, paper->name, "html", tool_report_write_html, options->quiet))
                result = tool_report_count(report, TOOL_REPORT_FAIL) ? TOOL_NO : TOOL_DONE;
        }
    }
    tool_report_destroy(report);
    return result;
}

static int unknown_paper(const char *name) {
    char list[256] = "";
    for (int i = 0; i < PAPERS; i++) {
        size_t used = strlen(list);
        (void)snprintf(list + used, sizeof list - used, "%s, ", papers[i]->name);
    }
    return tool_wrong("paper: there is no paper '%s'; there are: %sall", name, list);
}

static bool check_maps_folder(const char *folder) {
    struct stat about;
    if (!folder || (stat(folder, &about) == 0 && S_ISDIR(about.st_mode))) return true;
    (void)tool_wrong("--maps: %s is no folder", folder);
    return false;
}

static int run(const tool_command *command, int count, char **words) {
    tool_paper_options paper = {.ms_problems = SIZE_MAX};
    const char *folder = "wend-paper", *problems = NULL, *ms_problems = NULL, *name[1];
    const tool_option options[] = {
        {.name = "--quick", .flag = &paper.quick},
        {.name = "--maps", .value = &paper.maps},
        {.name = "-o", .value = &folder},
        {.name = "--problems", .value = &problems},
        {.name = "--ms-problems", .value = &ms_problems},
    };
    tool_common common;
    if (!tool_parse(command, count, words, options, sizeof options / sizeof *options, &common, name, 1, 1))
        return TOOL_WRONG;
    if (common.help) return TOOL_DONE;
    int64_t number;
    if (problems) {
        if (!tool_integer("--problems", problems, 1, MOST_PROBLEMS, &number)) return TOOL_WRONG;
        paper.problems = (size_t)number;
    }
    if (ms_problems) {
        if (!tool_integer("--ms-problems", ms_problems, 0, MOST_PROBLEMS, &number)) return TOOL_WRONG;
        paper.ms_problems = (size_t)number;
    }
    paper.map = common.map, paper.seed = common.seed;
    paper.threads = common.threads, paper.quiet = common.quiet;
    bool all = strcmp(name[0], "all") == 0, known = all;
    for (int i = 0; i < PAPERS; i++) known = known || strcmp(papers[i]->name, name[0]) == 0;
    if (!known) return unknown_paper(name[0]);
    if (!check_maps_folder(paper.maps) || !make_folder(folder)) return TOOL_WRONG;
    int result = TOOL_DONE;
    for (int i = 0; i < PAPERS && result != TOOL_WRONG; i++) {
        if (!all && strcmp(papers[i]->name, name[0]) != 0) continue;
        int ended = run_paper(papers[i], &paper, folder);
        if (ended > result) result = ended;
    }
    return result;
}

const tool_command tool_paper_command = {
    .name = "paper",
    .summary = "measure a paper's tables again, beside its own figures",
    .usage = "NAME|all [--quick] [--maps DIR] [-o DIR] [--problems N] [--ms-problems N]",
    .details =
        "  tbaa2012                  Time-Bounded Adaptive A* (AAMAS 2012): table 1, known terrain\n"
        "Prints the tables, and writes DIR/NAME.json and DIR/NAME.html, one page with plots that needs\n"
        "nothing else. What must come out is said as PASS or FAIL; a FAIL gives exit status 1.\n"
        "  --quick                   a tenth of the paper's problems\n"
        "  --maps DIR                the MovingAI maps, in folders by set (DIR/sc1/Enigma.map) or all in "
        "one;\n"
        "                            in place of those that are missing, generated maps of the same sizes\n"
        "  -o DIR                    where the results go (default wend-paper)\n"
        "  --problems N              problems a map\n"
        "  --ms-problems N           problems a map in tables by real milliseconds, which take real time: "
        "by\n"
        "                            default one in thirty of the others; 0 leaves these tables out\n"
        "--threads is for all but the tables by milliseconds.\n",
    .example = "wend paper tbaa2012 --quick --maps ../shared/maps -o results",
    .run = run,
};

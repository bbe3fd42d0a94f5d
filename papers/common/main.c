/* The program wend-paper, which `wend paper` runs: the tables of published papers, measured again. */
#define _POSIX_C_SOURCE 200809L

#include "common/rows.h"
#include "formats/files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const tool_paper *const papers[] = {&tool_paper_cpd2011, &tool_paper_jair2010, &tool_paper_knn2009,
                                           &tool_paper_subgoal2011, &tool_paper_tbaa2012};
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

bool tool_paper_write_result(const tool_paper_options *options, const tool_report *report, const char *name,
                             const char *kind, void (*write)(FILE *, const tool_report *)) {
    char path[LONGEST_PATH + 64];
    (void)snprintf(path, sizeof path, "%s/%s.%s", options->folder, name, kind);
    tool_output output;
    if (!tool_output_begin(&output, path)) return false;
    write(output.stream, report);
    if (!tool_output_end(&output)) return false;
    if (!options->quiet) printf("written: %s\n", path);
    return true;
}

static int write_results(const tool_paper *paper, const tool_paper_options *options,
                         const tool_report *report) {
    if (!tool_report_complete(report)) return tool_wrong("out of memory for a report");
    bool quiet = options->quiet;
    tool_report_write_text(stdout, report);
    if (!quiet) putchar('\n');
    if (!tool_paper_write_result(options, report, paper->name, "json", tool_report_write_json) ||
        !tool_paper_write_result(options, report, paper->name, "html", tool_report_write_html) ||
        !tool_report_write_pictures(report, options->folder, quiet))
        return TOOL_WRONG;
    return tool_report_count(report, TOOL_REPORT_FAIL) ? TOOL_NO : TOOL_DONE;
}

static int run_paper(const tool_paper *paper, const tool_paper_options *options) {
    tool_report *report = tool_report_create(paper->name, paper->title);
    if (!report) return tool_wrong("out of memory for a report");
    int result =
        paper->plan ? tool_paper_run_rows(paper->plan, options, NULL, report) : paper->run(options, report);
    if (result == TOOL_DONE) result = write_results(paper, options, report);
    tool_report_destroy(report);
    return result;
}

static int unknown_paper(const char *name) {
    char list[256] = "";
    for (int i = 0; i < PAPERS; i++) {
        size_t used = strlen(list);
        (void)snprintf(list + used, sizeof list - used, "%s, ", papers[i]->name);
    }
    return tool_wrong("paper: there is no paper '%s'; there are: %sall, index", name, list);
}

static bool check_folder(const char *option, const char *folder) {
    struct stat about;
    if (!folder || (stat(folder, &about) == 0 && S_ISDIR(about.st_mode))) return true;
    (void)tool_wrong("%s: %s is no folder", option, folder);
    return false;
}

/* Which tables are wanted: all unless some were named. */
static bool choose_tables(const char *const *words, int count, int most, tool_paper_options *options) {
    for (int i = 0; i < most; i++) options->tables[i] = count == 0;
    for (int i = 0; i < count; i++) {
        int64_t number;
        if (!tool_integer("--table", words[i], 1, most, &number)) return false;
        options->tables[number - 1] = true;
    }
    return true;
}

static int refuse_part(const tool_paper_options *options, const char *name) {
    return tool_wrong("paper: %s is for tbaa2012, not for %s",
                      options->planner_count ? "--planner" : "--length", name);
}

/* Whether the paper can measure what is wanted of its tables. */
static bool check_part(const tool_paper *paper, const tool_paper_options *options) {
    if (!options->planner_count && !options->length_count) return true;
    if (paper->has_part) return paper->has_part(options);
    (void)refuse_part(options, paper->name);
    return false;
}

static int run(const tool_command *command, int count, char **words) {
    tool_paper_options paper = {.ms_problems = SIZE_MAX};
    const char *problems = NULL, *ms_problems = NULL, *name[1], *tables[TOOL_PAPER_MOST_TABLES];
    int table_count = 0;
    paper.folder = "wend-paper";
    const tool_option options[] = {
        {.name = "--quick", .flag = &paper.quick},
        {.name = "--maps", .value = &paper.maps},
        {.name = "--resume", .flag = &paper.resume},
        {.name = "--table", .values = tables, .most = TOOL_PAPER_MOST_TABLES, .count = &table_count},
        {.name = "--planner",
         .values = paper.planners,
         .most = TOOL_PAPER_MOST_WORDS,
         .count = &paper.planner_count},
        {.name = "--length",
         .values = paper.lengths,
         .most = TOOL_PAPER_MOST_WORDS,
         .count = &paper.length_count},
        {.name = "-o", .value = &paper.folder},
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
    bool all = strcmp(name[0], "all") == 0, index = strcmp(name[0], "index") == 0, known = all || index;
    for (int i = 0; i < PAPERS; i++) known = known || strcmp(papers[i]->name, name[0]) == 0;
    if (!known) return unknown_paper(name[0]);
    if ((all || index) && table_count)
        return tool_wrong("paper: --table is for one paper, not for %s", name[0]);
    if ((all || index) && (paper.planner_count || paper.length_count)) return refuse_part(&paper, name[0]);
    if (!check_folder("--maps", paper.maps)) return TOOL_WRONG;
    if (index && !check_folder("-o", paper.folder)) return TOOL_WRONG; /* a new one would have no results */
    int result = TOOL_DONE;
    for (int i = 0; i < PAPERS && result < TOOL_WRONG; i++) {
        if (!all && strcmp(papers[i]->name, name[0]) != 0) continue;
        if (!choose_tables(tables, table_count, papers[i]->tables, &paper) ||
            !check_part(papers[i], &paper) || !make_folder(paper.folder))
            return TOOL_WRONG;
        tool_catch_interrupts();
        int ended = run_paper(papers[i], &paper);
        if (ended > result) result = ended;
    }
    /* Also of what was done before a run was stopped. */
    bool wanted = (all && result != TOOL_WRONG) || index;
    if (wanted && (tool_paper_write_index(papers, PAPERS, &paper) != TOOL_DONE)) return TOOL_WRONG;
    return result;
}

static const tool_command paper_command = {.name = "paper", .run = run};

int main(int argc, char **argv) {
    tool_system_begin();
    int status = run(&paper_command, argc > 0 ? argc - 1 : 0, argv + 1);
    if ((fflush(stdout) != 0 || ferror(stdout)) && status != TOOL_WRONG)
        status = tool_wrong("standard output: can't write");
    return status;
}

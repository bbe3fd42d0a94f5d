/* What the page of `wend bench --html` begins with: what to use, and the map with ways on it. */
#include "commands/bench/html.h"
#include "report/picture.h"
#include "shared/text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PIXELS = 960 };

/* The answer -------------------------------------------------------------------------------------------- */

/* Below what the table shows as 0.00. */
static bool is_shortest(const bench_entry *entry) {
    return entry->summary.suboptimality_mean < 0.005;
}

static bool counts(const bench_entry *entry, const bool families[BENCH_FAMILIES]) {
    return families[entry->family] && tool_bench_comparable(entry) &&
           isfinite(entry->summary.suboptimality_mean);
}

/* Of the families, the one with the shortest ways; of several that have the shortest of all, the one with the
 * smallest database among those that are about as fast as the fastest. NULL where none arrived everywhere. */
static const bench_entry *best_of(const bench_page *page, const bool families[BENCH_FAMILIES]) {
    const bench_entry *best = NULL;
    double fastest = INFINITY;
    for (size_t i = 0; i < page->count; i++) {
        const bench_entry *entry = &page->entries[i];
        if (counts(entry, families) && is_shortest(entry) && entry->summary.move_ns_mean < fastest)
            fastest = entry->summary.move_ns_mean;
    }
    for (size_t i = 0; i < page->count; i++) {
        const bench_entry *entry = &page->entries[i];
        if (!counts(entry, families)) continue;
        if (isinf(fastest)) {
            if (!best || entry->summary.suboptimality_mean < best->summary.suboptimality_mean) best = entry;
        } else if (is_shortest(entry) && entry->summary.move_ns_mean <= 1.5 * fastest) {
            if (!best || entry->db_bytes < best->db_bytes) best = entry;
        }
    }
    return best;
}

static bench_text describe(const bench_entry *entry) {
    char ways[64], mean[64] = ""; /* none where the machine was busy */
    bench_text words;
    shared_quantity of_move = tool_bench_spaced(shared_time(entry->summary.move_ns_mean)),
                    longest = tool_bench_spaced(shared_time(entry->summary.move_ns_max)),
                    size = tool_bench_spaced(shared_bytes((double)entry->db_bytes));
    if (isfinite(entry->summary.move_ns_mean))
        (void)snprintf(mean, sizeof mean, " at %s per move", of_move.text);
    if (is_shortest(entry))
        (void)snprintf(ways, sizeof ways, "the shortest ways");
    else
        (void)snprintf(ways, sizeof ways, "ways %.1f%% longer than the shortest",
                       entry->summary.suboptimality_mean);
    if (entry->db_bytes)
        (void)snprintf(words.text, sizeof words.text, "%s%s, from a database of %s", ways, mean, size.text);
    else
        (void)snprintf(words.text, sizeof words.text, "%s%s, none above %s", ways, mean, longest.text);
    return words;
}

void tool_bench_show_answer(const bench_page *page, tool_report *report) {
    static const bool all[BENCH_FAMILIES] = {true, true, true}, none[BENCH_FAMILIES] = {false, true, true},
                      little[BENCH_FAMILIES] = {false, false, true};
    const bench_entry *best = best_of(page, all), *without = best_of(page, none),
                      *bounded = best_of(page, little);
    if (page->count < 2 || !best) return;
    tool_report_answer(report, "Use %s: %s.", best->label, describe(best).text);
    if (without && without != best)
        tool_report_note(report, "Without a database: %s, %s.", without->label, describe(without).text);
    if (bounded && bounded != best && bounded != without)
        tool_report_note(report, "Where no move may take long: %s, %s.", bounded->label,
                         describe(bounded).text);
}

/* The map ----------------------------------------------------------------------------------------------- */

bool tool_bench_keep_ways(const bench_task *bench, const bench_runs *runs, bench_entry *entry) {
    for (size_t n = 0; n < BENCH_PAGE_WAYS; n++) {
        size_t i = n * bench->count / BENCH_PAGE_WAYS, next = (n + 1) * bench->count / BENCH_PAGE_WAYS;
        while (i < next && (bench->problems[i].skipped || !bench->problems[i].solvable)) i++;
        if (i == next) continue;
        tool_run *way = &entry->ways[entry->way_count++];
        *way = runs->runs[i];
        way->first_step = entry->way_steps.size;
        for (size_t j = 0; j < way->steps; j++)
            if (!tool_text_add(&entry->way_steps, runs->steps.data[runs->runs[i].first_step + j]))
                return false;
    }
    return true;
}

/* Ways as moves, all in one list. */
static size_t read_ways(const bench_entry *entry, wend_direction *moves, tool_picture_path *paths) {
    for (size_t i = 0; i < entry->way_count; i++) {
        const tool_run *way = &entry->ways[i];
        paths[i] = (tool_picture_path){
            .start = way->start,
            .goal = way->goal,
            .moves = moves,
            .move_count = shared_step_moves(tool_run_steps(way, &entry->way_steps), way->steps, moves),
            .arrived = way->status == TOOL_RUN_ARRIVED,
            .colour = i};
        moves += paths[i].move_count;
    }
    return entry->way_count;
}

static bool add_map(const bench_page *page, size_t index, tool_report_gallery *gallery) {
    const bench_entry *entry = &page->entries[index];
    const tool_picture_options options = {.pixels = PIXELS, .bold = true};
    tool_picture_path paths[BENCH_PAGE_WAYS];
    wend_direction *moves = malloc((entry->way_steps.size + 1) * sizeof *moves);
    wend_bytes png;
    wend_error error = {.status = WEND_OK};
    wend_status status = WEND_STATUS_NO_MEMORY;
    if (moves) {
        size_t count = read_ways(entry, moves, paths);
        status = tool_picture_make(page->bench->terrain.truth, paths, count, &options, &png, &error);
    } else {
        (void)wend_fail(&error, status, "no memory for a picture");
    }
    free(moves);
    if (status != WEND_OK) {
        (void)tool_wrong_error(&error);
        return false;
    }
    char caption[512];
    (void)snprintf(caption, sizeof caption, "%s: %zu of the %zu problems, the way that %s went in each",
                   page->bench->map_name, entry->way_count, page->bench->count, entry->label);
    tool_report_add_picture(gallery, "", caption, png.data, png.size);
    tool_bytes_release(&png);
    return true;
}

/* Files ------------------------------------------------------------------------------------------------- */

/* A path as a link from the page, in a form that is right inside an address; to be freed. NULL where it can't be
 * said, or if there is no memory. */
static char *link_to(const char *page, const char *file) {
    if (strcmp(page, "-") == 0) page = "";
    while (strncmp(page, "./", 2) == 0) page += 2;
    while (strncmp(file, "./", 2) == 0) file += 2;
    size_t same = 0, up = 0, used = 0;
    for (size_t i = 0; page[i] && page[i] == file[i]; i++)
        if (page[i] == '/') same = i + 1;
    if (!same && (*file == '/') != (*page == '/')) return NULL;
    for (const char *folder = page + same, *slash; (slash = strchr(folder, '/')) != NULL;
         folder = slash + 1) {
        if (*folder == '.') return NULL; /* may be any folder */
        up++;
    }
    char *link = malloc(3 * (up + strlen(file)) + 1);
    if (!link) return NULL;
    while (up--) used += (size_t)snprintf(link + used, 4, "../");
    for (const char *p = file + same; *p; p++) {
        unsigned char letter = (unsigned char)*p;
        bool plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                     (letter >= '0' && letter <= '9') || strchr("/._~-", letter);
        used += (size_t)snprintf(link + used, 4, plain ? "%c" : "%%%02X", letter);
    }
    link[used] = 0;
    return link;
}

/* FILE or FILE=WORDS. */
typedef struct shown_file {
    char path[1024];
    const char *words; /* or NULL */
    bool picture;      /* that has words to stand under it */
} shown_file;

static shown_file read_shown(const char *text) {
    static const char *const kinds[] = {".png", ".gif", ".jpg", ".webp", ".svg"};
    shown_file file = {.words = strchr(text, '=')};
    size_t size = strcspn(text, "=");
    (void)snprintf(file.path, sizeof file.path, "%.*s", (int)size, text);
    size = strlen(file.path);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t length = strlen(kinds[i]);
        file.picture = file.picture || (size > length && strcmp(file.path + size - length, kinds[i]) == 0);
    }
    file.picture = file.picture && file.words;
    if (file.words) file.words++;
    return file;
}

bool tool_bench_files_check(const bench_files *files) {
    if (files->shown_count && !files->page) {
        (void)tool_wrong("--show: without --html there is no page to show files on");
        return false;
    }
    for (int i = 0; i < files->shown_count; i++) {
        shown_file file = read_shown(files->shown[i]);
        FILE *there = fopen(file.path, "rb");
        if (!there) {
            (void)tool_wrong("--show %s: %s", file.path, strerror(errno));
            return false;
        }
        (void)fclose(there);
        char *link = link_to(files->page, file.path);
        if (!link) {
            (void)tool_wrong("--show %s: no link leads there from %s: write both paths from the same folder",
                             file.path, files->page);
            return false;
        }
        free(link);
    }
    return true;
}

static void show(const bench_page *page, int index, tool_report_gallery *gallery) {
    shown_file file = read_shown(page->files->shown[index]);
    char *link = link_to(page->files->page, file.path);
    if (link) tool_report_show_file(gallery, link, file.words);
    free(link);
}

/* The number of the first picture to be shown; as many as there are files: none. */
static int first_picture(const bench_page *page) {
    int i = 0;
    while (i < page->files->shown_count && !read_shown(page->files->shown[i]).picture) i++;
    return i;
}

bool tool_bench_show_map(const bench_page *page, tool_report *report) {
    static const bool all[BENCH_FAMILIES] = {true, true, true};
    const bench_entry *best = best_of(page, all);
    if (!page->bench->count || !page->count) return true;
    size_t index = best ? (size_t)(best - page->entries) : 0;
    if (!page->entries[index].way_count) return true;
    int first = first_picture(page);
    bool moving = first < page->files->shown_count;
    tool_report_gallery *gallery =
        tool_report_add_gallery(report, moving ? "The map, and agents under way" : "The map");
    bool good = add_map(page, index, gallery);
    if (moving) show(page, first, gallery);
    return good;
}

void tool_bench_show_pictures(const bench_page *page, tool_report *report) {
    tool_report_gallery *gallery = NULL;
    for (int i = first_picture(page) + 1; i < page->files->shown_count; i++) {
        if (!read_shown(page->files->shown[i]).picture) continue;
        if (!gallery) gallery = tool_report_add_gallery(report, "More pictures");
        show(page, i, gallery);
    }
}

static void link_file(const bench_page *page, tool_report *report, const char *path, const char *words) {
    char text[1024];
    if (!path || strcmp(path, "-") == 0) return;
    char *link = link_to(page->files->page, path);
    (void)snprintf(text, sizeof text, "%s%s%s", tool_base_name(path), words && *words ? ": " : "",
                   words ? words : "");
    if (link) tool_report_add_file(report, link, text);
    free(link);
}

void tool_bench_show_files(const bench_page *page, tool_report *report) {
    const bench_files *files = page->files;
    link_file(page, report, files->map, "the map");
    link_file(page, report, files->scenario, "the problems");
    link_file(page, report, files->json, "all figures");
    link_file(page, report, files->moves, "the moves of every run");
    for (int i = 0; i < files->shown_count; i++) {
        shown_file file = read_shown(files->shown[i]);
        link_file(page, report, file.path, file.picture ? NULL : file.words);
    }
}

/* Every problem of every scenario among the shared maps, solved to the length that its file states; a sample
 * of the moves judged by the referee, a program that shares no line with wend. A tenth of the problems in the
 * short form. One scenario a thread. */
#include "shared/crew.h"
#include "support/check.h"
#include "support/command/process.h"
#include "support/files.h"

#include <glob.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wend/wend.h>

/* A problem as the test itself reads it: the file's words, the length with its digits. */
typedef struct line {
    int32_t start_x, start_y, goal_x, goal_y;
    double length, tolerance;
} line;

struct verdict {
    uint64_t solved, wrong;
    char first_wrong[200];
};

/* One scenario's work and what came of it; threads write to their own job only. */
struct job {
    const char *path; /* of the .scen file; the .map file is the same without it */
    char map_path[400];
    struct verdict jps, astar, referee;
    uint64_t problems; /* in the file */
    char trouble[300]; /* why nothing could be done at all; "" if it could */
};

/* Moves written for the referee. */
struct sample {
    uint64_t lines, arrived;
};

struct crew {
    struct job *jobs;
    size_t count;
    uint64_t every, astar_every, referee_every;
    char folder[200]; /* "": no referee */
};

__attribute__((format(printf, 3, 4))) static void judge(struct verdict *verdict, bool good,
                                                        const char *format, ...) {
    if (good) {
        verdict->solved++;
        return;
    }
    if (verdict->wrong++) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(verdict->first_wrong, sizeof verdict->first_wrong, format, arguments);
    va_end(arguments);
}

/* How far a stated length may be from the true one: half of the last digit that was written, and the rounding
 * that the file's maker did before. Some files have two decimals throughout, some eight, the others six
 * significant digits with trailing zeros left out. */
static double tolerance_of(double length, int decimals) {
    if (decimals == 2) return 0.0051;
    if (decimals == 8) return 1e-6;
    double digits_before = length >= 1 ? floor(log10(length)) + 1 : 1;
    return 0.51 * pow(10, digits_before - 6);
}

/* Reads the lines of a scenario file; how many, or -1. */
static long read_lines(const char *path, line **lines) {
    FILE *file = fopen(path, "r");
    if (!file) return -1;
    char *text = NULL;
    size_t room = 0, capacity = 0;
    long count = 0;
    int decimals = -1; /* of all lengths so far, or -2 where they differ */
    *lines = NULL;
    while (getline(&text, &room, file) > 0) {
        char length[64], *end;
        line read;
        if (sscanf(text, "%*s %*s %*s %*s %d %d %d %d %63s", &read.start_x, &read.start_y, &read.goal_x,
                   &read.goal_y, length) != 5)
            continue; /* the version, or a blank */
        read.length = strtod(length, &end);
        const char *point = strchr(length, '.');
        int here = point ? (int)strlen(point + 1) : 0;
        if (*end) count = -1;
        if (count < 0) break;
        decimals = decimals == -1 || decimals == here ? here : -2;
        if ((size_t)count == capacity) {
            capacity = capacity ? capacity * 2 : 1024;
            line *larger = realloc(*lines, capacity * sizeof *larger);
            if (!larger) break;
            *lines = larger;
        }
        (*lines)[count++] = read;
    }
    for (long i = 0; i < count; i++) (*lines)[i].tolerance = tolerance_of((*lines)[i].length, decimals);
    free(text);
    fclose(file);
    return count;
}

static void write_moves(FILE *file, const wend_search *search, const line *problem, bool found) {
    size_t count = wend_search_moves(search, NULL, 0);
    wend_direction *moves = malloc(count + 1);
    if (!moves) return;
    wend_search_moves(search, moves, count);
    for (size_t i = 0; i < count; i++) moves[i] = (wend_direction)(moves[i] + '0');
    moves[count] = 0;
    fprintf(file, "%d %d %d %d %s %s\n", problem->start_x, problem->start_y, problem->goal_x, problem->goal_y,
            found ? "arrived" : "unreachable", (const char *)moves);
    free(moves);
}

/* The referee's word on all sampled moves of a map: each legal, at the goal, and none above optimal. */
static void ask_referee(const struct crew *crew, struct job *job, const char *moves, struct sample sample) {
    char program[300], output[300], answer[1000] = "";
    snprintf(program, sizeof program, "%s/referee", crew->folder);
    snprintf(output, sizeof output, "%s/answer-%zu", crew->folder, (size_t)(job - crew->jobs));
    char *words[] = {program, job->map_path, NULL};
    int status = test_run(words, moves, output);
    FILE *file = fopen(output, "r");
    size_t length = file ? fread(answer, 1, sizeof answer - 1, file) : 0;
    if (file) fclose(file);
    answer[length] = 0;
    char expected[100];
    snprintf(expected, sizeof expected, "lines %llu  arrived %llu ", (unsigned long long)sample.lines,
             (unsigned long long)sample.arrived);
    bool good =
        status == 0 && strstr(answer, expected) && strstr(answer, "suboptimality 0.0000%  worst 0.0000%");
    for (uint64_t i = 0; i < sample.lines; i++)
        judge(&job->referee, good, "status %d: %.150s", status, answer);
}

static void solve_all(const struct crew *crew, struct job *job, const wend_map *map,
                      const wend_scenario *scenario, const line *lines, wend_search *search,
                      const wend_jumps *jumps) {
    char moves_path[300] = "";
    FILE *moves = NULL;
    if (crew->folder[0]) {
        snprintf(moves_path, sizeof moves_path, "%s/moves-%zu", crew->folder, (size_t)(job - crew->jobs));
        moves = fopen(moves_path, "w");
    }
    struct sample sample = {0};
    uint64_t offset = (uint64_t)(job - crew->jobs);
    for (uint64_t i = 0; i < job->problems; i++) {
        const line *stated = &lines[i];
        const wend_problem *problem = wend_scenario_at(scenario, i);
        if (problem->start.x != stated->start_x || problem->start.y != stated->start_y ||
            problem->goal.x != stated->goal_x || problem->goal.y != stated->goal_y ||
            fabs(problem->length - stated->length) > 1e-9) {
            judge(&job->jps, false, "problem %llu is read wrongly", (unsigned long long)i);
            continue;
        }
        wend_cell start = wend_map_cell(map, stated->start_x, stated->start_y);
        wend_cell goal = wend_map_cell(map, stated->goal_x, stated->goal_y);
        /* The samples lie elsewhere in each file, so that together they meet every length. */
        bool by_jps = (i + offset) % crew->every == 0, by_astar = (i + offset) % crew->astar_every == 0;
        for (int how = 0; how < 2; how++) {
            if (!(how ? by_astar : by_jps)) continue;
            wend_result result;
            wend_status status = how ? wend_search_astar(search, start, goal, &result, NULL)
                                     : wend_search_jps(search, jumps, start, goal, &result, NULL);
            struct verdict *verdict = how ? &job->astar : &job->jps;
            bool found = status == WEND_OK && result.found == WEND_FOUND_PATH;
            if (start != goal && stated->length == 0) { /* how the files' maker wrote that there is no path */
                bool proved = status == WEND_OK && result.found == WEND_FOUND_UNREACHABLE;
                judge(verdict, proved, "problem %llu: a path where the file has none", (unsigned long long)i);
            } else {
                double length = found ? wend_map_length(map, result.straight, result.diagonal) : -1;
                judge(verdict, found && fabs(length - stated->length) <= stated->tolerance,
                      "problem %llu: length %.8f, the file says %.8f (status %d)", (unsigned long long)i,
                      length, stated->length, (int)status);
            }
            if (moves && (i + offset) % crew->referee_every == 0)
                write_moves(moves, search, stated, found), sample.lines++, sample.arrived += found;
        }
    }
    if (!moves) return;
    fclose(moves);
    if (sample.lines) ask_referee(crew, job, moves_path, sample);
}

static void do_job(const struct crew *crew, struct job *job) {
    wend_map_options map_options = wend_default_map_options();
    wend_search_options search_options = wend_default_search_options();
    wend_map *map = NULL;
    wend_scenario *scenario = NULL;
    wend_search *search = NULL;
    wend_jumps *jumps = NULL;
    line *lines = NULL;
    wend_error error = {0};
    long count = -1;
    if (wend_map_load(job->map_path, &map_options, &map, &error) != WEND_OK ||
        wend_scenario_load(job->path, map, NULL, &scenario, &error) != WEND_OK ||
        wend_search_create(map, &search_options, &search, &error) != WEND_OK ||
        wend_jumps_create(map, NULL, &jumps, &error) != WEND_OK)
        wend_error_text(&error, job->trouble, sizeof job->trouble);
    else if ((count = read_lines(job->path, &lines)) < 0 || (size_t)count != wend_scenario_count(scenario))
        snprintf(job->trouble, sizeof job->trouble, "%zu problems, not %ld", wend_scenario_count(scenario),
                 count);
    else {
        job->problems = (uint64_t)count;
        solve_all(crew, job, map, scenario, lines, search, jumps);
    }
    free(lines);
    wend_jumps_destroy(jumps);
    wend_search_destroy(search);
    wend_scenario_destroy(scenario);
    wend_map_destroy(map);
}

static void work(void *shared, uint32_t index, uint32_t worker) {
    (void)worker;
    struct crew *crew = shared;
    do_job(crew, &crew->jobs[index]);
}

static void report(const struct verdict *verdict, const char *who, const char *path) {
    for (uint64_t i = 0; i < verdict->solved; i++) test_case();
    for (uint64_t i = 0; i < verdict->wrong; i++) {
        CHECK_THAT(false, "%s: %s (%s; %llu like it)", path, verdict->first_wrong, who,
                   (unsigned long long)verdict->wrong);
        test_case();
    }
}

static bool compile_referee(const char *shared, struct crew *crew) {
    char source[400], program[300];
    snprintf(source, sizeof source, "%s/referee/referee.c", shared);
    if (access(source, R_OK) != 0) {
        test_skip("no referee among the shared files");
        return true;
    }
    if (!CHECK(test_folder_make(crew->folder))) {
        crew->folder[0] = 0;
        return false;
    }
    snprintf(program, sizeof program, "%s/referee", crew->folder);
    char *words[] = {"cc", "-O2", "-o", program, source, "-lm", NULL};
    return CHECK_THAT(test_run(words, NULL, NULL) == 0, "the referee does not compile");
}

/* One problem in `WEND_SAMPLE`, for runs under slow sanitizers. */
static uint64_t sample_of(uint64_t usual) {
    const char *set = getenv("WEND_SAMPLE");
    long value = set ? strtol(set, NULL, 10) : 0;
    return value > 0 ? (uint64_t)value : usual;
}

static void scenarios_are_solved_to_the_stated_length(void) {
    const char *shared = test_shared();
    if (!shared) return;
    char pattern[400];
    snprintf(pattern, sizeof pattern, "%s/maps/*/*.scen", shared);
    glob_t files = {0};
    if (!CHECK_THAT(glob(pattern, 0, NULL, &files) == 0 && files.gl_pathc, "no scenario matches %s", pattern))
        return;
    struct crew crew = {.jobs = calloc(files.gl_pathc, sizeof *crew.jobs), .count = files.gl_pathc};
    crew.every = sample_of(test_full() ? 1 : 30);
    crew.astar_every = crew.every * (test_full() ? 100 : 10);
    crew.referee_every = crew.every * 100;
    if (CHECK(crew.jobs != NULL) && compile_referee(shared, &crew)) {
        for (size_t i = 0; i < crew.count; i++) {
            crew.jobs[i].path = files.gl_pathv[i];
            snprintf(crew.jobs[i].map_path, sizeof crew.jobs[i].map_path, "%.*s",
                     (int)(strlen(files.gl_pathv[i]) - strlen(".scen")), files.gl_pathv[i]);
        }
        long cores = sysconf(_SC_NPROCESSORS_ONLN);
        wend_tasks tasks = shared_tasks(cores < 1 ? 1 : cores > 16 ? 16 : (int)cores);
        tasks.run(tasks.context, (uint32_t)crew.count, work, &crew);
        uint64_t problems = 0, solved = 0, by_astar = 0, judged = 0;
        for (size_t i = 0; i < crew.count; i++) {
            const struct job *job = &crew.jobs[i];
            CHECK_THAT(!job->trouble[0], "%s: %s", job->path, job->trouble);
            report(&job->jps, "jps", job->path);
            report(&job->astar, "astar", job->path);
            report(&job->referee, "referee", job->path);
            problems += job->problems, solved += job->jps.solved;
            by_astar += job->astar.solved, judged += job->referee.solved;
        }
        CHECK(solved >= problems / crew.every / 2 && by_astar > 0 && (judged > 0 || !crew.folder[0]));
        printf("     %llu problems in %zu scenarios: %llu solved by jps, %llu by astar, %llu judged by the "
               "referee\n",
               (unsigned long long)problems, crew.count, (unsigned long long)solved,
               (unsigned long long)by_astar, (unsigned long long)judged);
    }
    if (crew.folder[0]) test_folder_remove(crew.folder);
    free(crew.jobs);
    globfree(&files);
}

static const test tests[] = {
    {"scenarios are solved to the stated length", scenarios_are_solved_to_the_stated_length},
};

TEST_MAIN(tests)

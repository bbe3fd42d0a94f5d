/* Which maps with which problems: as they were written, or all of a folder. */
#define _POSIX_C_SOURCE 200809L

#include "commands/bench/bench.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static bool add_pair(bench_pairs *pairs, char *map, char *scenario) {
    bench_pair *list = map && scenario ? tool_grown(pairs->list, pairs->count, &pairs->capacity, sizeof *list,
                                                    "names of maps")
                                       : NULL;
    if (!list) {
        free(map);
        free(scenario);
        return false;
    }
    pairs->list = list;
    list[pairs->count++] = (bench_pair){map, scenario};
    return true;
}

/* FOLDER/NAME and an ending; to be freed. */
static char *path_of(const char *folder, const char *name, int length, const char *ending) {
    size_t size = strlen(folder) + (size_t)length + strlen(ending) + 2;
    char *path = malloc(size);
    const char *slash = *folder && folder[strlen(folder) - 1] == '/' ? "" : "/";
    if (path) (void)snprintf(path, size, "%s%s%.*s%s", folder, slash, length, name, ending);
    return path;
}

/* NAME.map.scen, as the benchmarks have it, or NAME.scen; NULL where neither is there. */
static char *scenario_of(const char *folder, const char *name) {
    const int length = (int)strlen(name);
    const int lengths[] = {length, length - 4};
    for (int i = 0; i < 2; i++) {
        char *path = path_of(folder, name, lengths[i], ".scen");
        struct stat info;
        if (path && stat(path, &info) == 0) return path;
        free(path);
    }
    return NULL;
}

static int by_map(const void *a, const void *b) {
    const bench_pair *left = a, *right = b;
    return strcmp(left->map, right->map);
}

/* All maps of a folder that have a scenario in the other one, by their names. */
static bool add_folder(bench_pairs *pairs, const char *maps, const char *scenarios) {
    DIR *folder = opendir(maps);
    if (!folder) {
        (void)tool_wrong("%s: can't open the folder", maps);
        return false;
    }
    const size_t first = pairs->count;
    bool good = true;
    for (const struct dirent *entry; good && (entry = readdir(folder)) != NULL;) {
        const char *name = entry->d_name;
        const size_t length = strlen(name);
        if (length < 5 || strcmp(name + length - 4, ".map") != 0) continue;
        char *scenario = scenario_of(scenarios, name);
        if (scenario) good = add_pair(pairs, path_of(maps, name, (int)length, ""), scenario);
    }
    (void)closedir(folder);
    if (good && pairs->count == first) {
        (void)tool_wrong("%s: there is no NAME.map with a NAME.map.scen or NAME.scen in %s", maps, scenarios);
        return false;
    }
    if (good) qsort(pairs->list + first, pairs->count - first, sizeof *pairs->list, by_map);
    return good;
}

bool tool_bench_find_pairs(const char *const *words, size_t count, bench_pairs *pairs) {
    if (count == 1 && is_folder(words[0])) return add_folder(pairs, words[0], words[0]);
    if (count % 2) {
        (void)tool_wrong("bench: too few words: %s is no folder, and has no SCEN behind it",
                         words[count - 1]);
        return false;
    }
    for (size_t i = 0; i < count; i += 2)
        if (is_folder(words[i]) ? !add_folder(pairs, words[i], words[i + 1])
                                : !add_pair(pairs, strdup(words[i]), strdup(words[i + 1])))
            return false;
    return true;
}

void tool_bench_free_pairs(bench_pairs *pairs) {
    for (size_t i = 0; i < pairs->count; i++) {
        free(pairs->list[i].map);
        free(pairs->list[i].scenario);
    }
    free(pairs->list);
}

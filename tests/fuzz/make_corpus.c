/* make_corpus FOLDER: writes a few small seeds for each fuzzer into FOLDER/map, FOLDER/pbm, FOLDER/scen and
 * FOLDER/db. A format is a row in the table at the end. The seeds are the same in every run. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <wend/wend.h>

static char folder[3500];
static int seeds;

static void complain(const char *what, const char *path) {
    (void)fprintf(stderr, "make_corpus: %s %s: %s\n", what, path, strerror(errno));
    exit(1);
}

static void make_folder(const char *path) {
    if (mkdir(path, 0777) != 0 && errno != EEXIST) complain("can't make the folder", path);
}

static void put(const char *kind, const void *data, size_t size) {
    char path[4000];
    (void)snprintf(path, sizeof path, "%s/%s", folder, kind);
    make_folder(path);
    (void)snprintf(path, sizeof path, "%s/%s/%02d", folder, kind, seeds++);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0) complain("can't write", path);
}

static void put_text(const char *kind, const char *text) {
    put(kind, text, strlen(text));
}

/* Maps of sizes around the edges of bytes and words, with every letter. */
static void put_maps(const char *kind, wend_format format) {
    static const int sizes[][2] = {{1, 1}, {7, 3}, {8, 2}, {9, 2}, {63, 1}, {64, 2}, {65, 3}, {130, 2}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        wend_map_options options = wend_default_map_options();
        options.keep_letters = true;
        wend_map *map;
        if (wend_map_create(sizes[i][0], sizes[i][1], &options, &map, NULL) != WEND_OK) exit(1);
        for (int y = 0; y < sizes[i][1]; y++) {
            char row[256];
            for (int x = 0; x < sizes[i][0]; x++) row[x] = ".GS@OTW"[(x * 5 + y * 3 + x / 7) % 7];
            if (wend_map_set_row(map, y, row, NULL) != WEND_OK) exit(1);
        }
        size_t size = wend_map_written_size(format, map);
        char *data = malloc(size);
        if (!data || wend_map_write(format, map, data, size, NULL) != WEND_OK) exit(1);
        put(kind, data, size);
        free(data);
        wend_map_destroy(map);
    }
}

static void make_map(const char *kind) {
    put_maps(kind, WEND_FORMAT_MAP);
    put_text(kind, "type tile\r\nheight 2\r\nwidth 3 \r\nmap\r\n...\r\n@@@\n\n");
    put_text(kind, "type octile\nheight 2\nwidth 3\nmap\n..\n@@@\n");
    put_text(kind, "type octile\nwidth 3\nheight 2\nmap\n...\n@@@");
    put_text(kind, "\n.... ..\r\n..#\n\n #@OTW.GS\n\n");
    put_text(kind, "type octile\nheight 32768\nwidth 32768\nmap\n...");
}

static void make_pbm(const char *kind) {
    put_maps(kind, WEND_FORMAT_PBM);
    put_text(kind, "P1 # a comment\n3 # another\n2\n0 0 0\n#between\n111\n");
    put_text(kind, "P1\n12 1\n010101010101");
    put_text(kind, "P4\n32768 32768\n...");
}

static void make_scen(const char *kind) {
    for (int version = 0; version <= 1; version++)
        for (int count = 0; count <= 4; count++) {
            wend_scenario *scenario;
            if (wend_scenario_create("a map.map", 20, 10, NULL, &scenario, NULL) != WEND_OK) exit(1);
            for (int i = 0; i < count; i++) {
                wend_problem problem = {(uint32_t)i, {i, 9 - i}, {19 - i, i}, i * 2.41421356};
                if (wend_scenario_add(scenario, &problem, NULL) != WEND_OK) exit(1);
            }
            size_t size = wend_scenario_written_size(scenario, version);
            char *data = malloc(size);
            if (!data || wend_scenario_write(scenario, version, data, size, NULL) != WEND_OK) exit(1);
            put(kind, data, size);
            free(data);
            wend_scenario_destroy(scenario);
        }
    put_text(kind, "version 1.0\r\n1 m.map 20 10 1 2 3 4 5.5e+00\r\n\r\n1 m.map 20 10 1 2 3 4 5.5");
    put_text(kind, "0 m.map 0 0 19 9 -1\n");
    put_text(kind, "0\tm.map 20 10\t0 0 19 9 123456789.123456789\n");
}

static void put_db(const char *kind, const wend_map *map, const char *text) {
    wend_build_options options = wend_default_build_options();
    wend_settings *settings = NULL;
    char path[4000];
    (void)snprintf(path, sizeof path, "%s/%s/%02d", folder, kind, seeds++);
    if (wend_db_settings_parse(text, NULL, &settings, NULL) != WEND_OK ||
        wend_db_build(map, settings, &options, path, NULL) != WEND_OK)
        complain("can't build", path);
    wend_settings_destroy(settings);
}

/* A database of every kind, of the map that fuzz_db.c knows. */
static void make_db(const char *kind) {
    wend_map_options map_options = wend_default_map_options();
    wend_map *map;
    if (wend_map_create(24, 16, &map_options, &map, NULL) != WEND_OK ||
        wend_map_edit(map, (wend_rect){0, 0, 24, 16}, true, NULL) != WEND_OK ||
        wend_map_edit(map, (wend_rect){8, 3, 2, 13}, false, NULL) != WEND_OK ||
        wend_map_edit(map, (wend_rect){16, 0, 1, 12}, false, NULL) != WEND_OK)
        exit(1);
    put_text(kind, "\x89wend\r\n\x1a");
    for (size_t i = 0; i < wend_db_kind_count(); i++) {
        const wend_method_info *info = wend_db_kind_at(i);
        char text[64];
        bool records = false;
        for (size_t j = 0; j < info->key_count; j++) records |= strcmp(info->keys[j].name, "records") == 0;
        for (int many = 0; many <= records; many++) {
            (void)snprintf(text, sizeof text, "%s%s", info->name,
                           !records ? ""
                           : many   ? ":records=12"
                                    : ":records=0");
            put_db(kind, map, text);
        }
    }
    put_db(kind, map, "cpd:encoding=rectangles");
    wend_map_destroy(map);
}

static const struct {
    const char *name;
    void (*make)(const char *name);
} kinds[] = {
    {"map", make_map},
    {"pbm", make_pbm},
    {"scen", make_scen},
    {"db", make_db},
};

int main(int argc, char **argv) {
    if (argc != 2 || strlen(argv[1]) >= sizeof folder) {
        (void)fprintf(stderr, "usage: make_corpus FOLDER\n");
        return 2;
    }
    (void)snprintf(folder, sizeof folder, "%s", argv[1]);
    make_folder(folder);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        seeds = 0;
        kinds[i].make(kinds[i].name);
        printf("%s: %d seeds\n", kinds[i].name, seeds);
    }
    return 0;
}

#include "base/platform.h"
#include "support/check.h"
#include "support/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wend/wend.h>

static uint64_t next_random(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* Text with a 0 behind it, as data of its exact length on the heap, so a sanitizer sees a byte too far. */
static char *exact(const char *data, size_t size) {
    char *copy = malloc(size ? size : 1);
    if (size) memcpy(copy, data, size);
    return copy;
}

static wend_status parse(wend_format format, const char *data, size_t size, const wend_map_options *options,
                         wend_map **map, wend_error *error) {
    char *copy = exact(data, size);
    wend_status status = wend_map_parse(format, copy, size, options, map, error);
    free(copy);
    return status;
}

static char *written(wend_format format, const wend_map *map, size_t *size) {
    *size = wend_map_written_size(format, map);
    char *data = malloc(*size);
    CHECK(wend_map_write(format, map, data, *size - 1, NULL) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_map_write(format, map, data, *size, NULL) == WEND_OK);
    return data;
}

static wend_map *random_map(int32_t width, int32_t height, const wend_map_options *options,
                            const char *letters, uint64_t seed) {
    wend_map *map = NULL;
    if (!CHECK(wend_map_create(width, height, options, &map, NULL) == WEND_OK)) return NULL;
    char row[300];
    for (int32_t y = 0; y < height; y++) {
        for (int32_t x = 0; x < width; x++) row[x] = letters[next_random(&seed) % strlen(letters)];
        CHECK(wend_map_set_row(map, y, row, NULL) == WEND_OK);
    }
    return map;
}

static bool same_cells(const wend_map *a, const wend_map *b, bool letters) {
    if (wend_map_width(a) != wend_map_width(b) || wend_map_height(a) != wend_map_height(b)) return false;
    if (wend_map_open_cells(a) != wend_map_open_cells(b)) return false;
    for (int32_t y = 0; y < wend_map_height(a); y++)
        for (int32_t x = 0; x < wend_map_width(a); x++) {
            if (wend_map_is_open(a, x, y) != wend_map_is_open(b, x, y)) return false;
            if (letters && wend_map_letter(a, x, y) != wend_map_letter(b, x, y)) return false;
        }
    return wend_map_fingerprint(a) == wend_map_fingerprint(b);
}

static const int32_t sides[] = {1, 2, 3, 7, 8, 9, 15, 61, 62, 63, 64, 65, 126, 127, 128, 129, 257};
enum { SIDES = sizeof sides / sizeof *sides };

/* What is written is read back as the same cells, and written again as the same bytes. */
static void maps_survive_writing_and_reading(void) {
    uint64_t seed = 7;
    for (int i = 0; i < SIDES; i++)
        for (int j = 0; j < SIDES; j++)
            for (int keep = 0; keep < 2; keep++) {
                wend_map_options options = wend_default_map_options();
                options.keep_letters = keep;
                wend_map *map = random_map(sides[i], sides[j], &options, ".GS@OTW", seed++);
                if (!map) return;
                for (int format = WEND_FORMAT_MAP; format <= WEND_FORMAT_PBM; format++) {
                    size_t size, again_size;
                    char *data = written((wend_format)format, map, &size);
                    wend_map *back;
                    wend_error error;
                    if (CHECK(parse((wend_format)format, data, size, &options, &back, &error) == WEND_OK)) {
                        CHECK(same_cells(map, back, keep && format == WEND_FORMAT_MAP));
                        char *again = written((wend_format)format, back, &again_size);
                        CHECK(again_size == size && memcmp(again, data, size) == 0);
                        free(again);
                        wend_map_destroy(back);
                    }
                    free(data);
                    test_case();
                }
                wend_map_destroy(map);
            }
}

/* A new map is blocked when it is read back, too, and so are cells that were closed. A terrain in which every
 * letter is open can't say so in a .map: that is refused, not written as open. */
static void blocked_cells_stay_blocked(void) {
    static const char *const terrains[] = {".GS", "@", "@O", ".@OTWGS", "x.GS@OTW"};
    for (int i = 0; i < 5; i++)
        for (int keep = 0; keep < 2; keep++) {
            wend_map_options options = wend_default_map_options();
            options.terrain = terrains[i], options.blocked = "", options.keep_letters = keep;
            wend_map *map = NULL, *back = NULL;
            char data[200];
            wend_error error;
            if (!CHECK(wend_map_create(7, 3, &options, &map, NULL) == WEND_OK)) return;
            for (int step = 0; step < 3; step++) { /* as created, all open, one closed again */
                if (step) CHECK(wend_map_edit(map, (wend_rect){0, 0, 7, 3}, true, NULL) == WEND_OK);
                if (step == 2) CHECK(wend_map_edit(map, (wend_rect){4, 1, 1, 1}, false, NULL) == WEND_OK);
                wend_status status = wend_map_write(WEND_FORMAT_MAP, map, data, sizeof data, &error);
                CHECK(status == (i < 3 || step == 1 ? WEND_OK : WEND_STATUS_BAD_ARGUMENT));
                size_t size = wend_map_written_size(WEND_FORMAT_MAP, map);
                if (status == WEND_OK &&
                    CHECK(parse(WEND_FORMAT_MAP, data, size, &options, &back, NULL) == WEND_OK)) {
                    CHECK(same_cells(map, back, keep));
                    wend_map_destroy(back);
                }
                test_case();
            }
            wend_map_destroy(map);
        }
}

/* Under any terrain an open cell is written as a letter that is read as open, a blocked one as blocked. */
static void other_terrains_survive_too(void) {
    static const char *const terrains[] = {".", "G", "@", "T@", "WTS", "x", ".x", "@OTW"};
    for (size_t i = 0; i < sizeof terrains / sizeof *terrains; i++)
        for (int keep = 0; keep < 2; keep++) {
            wend_map_options options = wend_default_map_options();
            options.terrain = terrains[i], options.keep_letters = keep;
            wend_map *map = random_map(67, 5, &options, ".GS@OTW", i);
            if (!map) return;
            CHECK(wend_map_edit(map, (wend_rect){3, 1, 9, 3}, true, NULL) == WEND_OK);
            for (int format = WEND_FORMAT_MAP; format <= WEND_FORMAT_PBM; format++) {
                size_t size;
                char *data = written((wend_format)format, map, &size);
                wend_map *back;
                if (CHECK(parse((wend_format)format, data, size, &options, &back, NULL) == WEND_OK)) {
                    CHECK(same_cells(map, back, false));
                    if (keep) { /* the letters that a picture got say the same as its cells */
                        wend_map *copy;
                        size_t copy_size;
                        char *copied = written(WEND_FORMAT_MAP, back, &copy_size);
                        CHECK(parse(WEND_FORMAT_MAP, copied, copy_size, &options, &copy, NULL) == WEND_OK &&
                              same_cells(map, copy, false));
                        wend_map_destroy(copy);
                        free(copied);
                    }
                    wend_map_destroy(back);
                }
                free(data);
                test_case();
            }
            wend_map_destroy(map);
        }
}

typedef struct sample {
    const char *text;
    wend_status status;
    uint64_t line, column;
    const char *word; /* in the message */
} sample;

#define HEAD "type octile\nheight 2\nwidth 3\nmap\n"

static const sample map_samples[] = {
    {HEAD "...\n@@@\n", WEND_OK, 0, 0, ""},
    {HEAD "...\n@@@", WEND_OK, 0, 0, ""},
    {"type tile\nheight 2\nwidth 3\nmap\n...\n@@@\n", WEND_OK, 0, 0, ""},
    {"type octile\r\nheight 2\r\nwidth 3\r\nmap\r\n...\r\n@@@\r\n", WEND_OK, 0, 0, ""},
    {"type octile\r\nheight 2\nwidth 3\r\nmap\n...\r\n@@@\n", WEND_OK, 0, 0, ""},
    {HEAD "...\n@@@\r", WEND_OK, 0, 0, ""},
    {"type   octile \t\nheight\t2  \nwidth 3\t\nmap  \n...  \t\n@@@ \n\n \t\r\n\n", WEND_OK, 0, 0, ""},
    {"type octile\nheight 0002\nwidth 3\nmap\n...\n@@@\n  ", WEND_OK, 0, 0, ""},
    /* empty */
    {"", WEND_STATUS_EMPTY_FILE, 0, 0, ""},
    {" \n\r\n\t", WEND_STATUS_EMPTY_FILE, 0, 0, "blanks"},
    /* '#' is a wall here, too */
    {HEAD "...\n#@#\n", WEND_OK, 0, 0, ""},
    /* no `type` at the very beginning: plain levels, and what is none */
    {"...\n###\n", WEND_OK, 0, 0, ""},
    {"...\n###", WEND_OK, 0, 0, ""},
    {"...\r\n###\r\n", WEND_OK, 0, 0, ""},
    {"...\n###\r", WEND_OK, 0, 0, ""},
    {"\n\r\n...\n###\n\n\r\n", WEND_OK, 0, 0, ""},
    {" . \n###\n", WEND_OK, 0, 0, ""},
    {".GS\n@O\n", WEND_OK, 0, 0, ""},
    {"   \nTW", WEND_OK, 0, 0, ""},
    {"..x\n###\n", WEND_STATUS_UNKNOWN_LETTER, 1, 3, "'x'"},
    {"\n...\n##\t\n", WEND_STATUS_UNKNOWN_LETTER, 3, 3, "'\\x09'"},
    {"...\n##\r#\n", WEND_STATUS_UNKNOWN_LETTER, 2, 3, "'\\x0d'"},
    {"...\r\r\n", WEND_STATUS_UNKNOWN_LETTER, 1, 4, "'\\x0d'"},
    {"P4\n3 2\n", WEND_STATUS_UNKNOWN_LETTER, 1, 1, "'P'"},
    {"\x89PNG\r\n\x1a\n", WEND_STATUS_UNKNOWN_LETTER, 1, 1, "\\x89"},
    {"types octile\n", WEND_STATUS_UNKNOWN_LETTER, 1, 1, "'t'"},
    {" type octile\n", WEND_STATUS_UNKNOWN_LETTER, 1, 2, "'t'"},
    {"ty", WEND_STATUS_UNKNOWN_LETTER, 1, 1, "'t'"},
    {"type", WEND_STATUS_UNKNOWN_LETTER, 1, 1, "'t'"},
    {"\n" HEAD "...\n@@@\n", WEND_STATUS_UNKNOWN_LETTER, 2, 1, "'t'"},
    {"height 2\nwidth 3\nmap\n...\n@@@\n", WEND_STATUS_UNKNOWN_LETTER, 1, 1, "'h'"},
    {"height 2\ntype octile\nwidth 3\nmap\n...\n@@@\n", WEND_STATUS_UNKNOWN_LETTER, 1, 1, "'h'"},
    {"map\nwidth 3\nheight 2\ntype octile\n", WEND_STATUS_UNKNOWN_LETTER, 1, 1, "'m'"},
    /* header fields missing */
    {"type octile\nwidth 3\nmap\n...\n@@@\n", WEND_STATUS_HEADER_MISSING, 2, 1, "height"},
    {"type octile\nheight 2\nmap\n...\n@@@\n", WEND_STATUS_HEADER_MISSING, 3, 1, "width"},
    {"type octile\nheight 2\nwidth 3\n...\n@@@\n", WEND_STATUS_HEADER_MISSING, 4, 1, "map"},
    {"type octile\n\nheight 2\nwidth 3\nmap\n...\n@@@\n", WEND_STATUS_HEADER_MISSING, 2, 1, "height"},
    {"type octile\nwidth 3", WEND_STATUS_HEADER_MISSING, 2, 1, "height"},
    /* repeated */
    {"type octile\ntype octile\nheight 2\nwidth 3\nmap\n...\n@@@\n", WEND_STATUS_HEADER_REPEATED, 2, 1,
     "type"},
    {"type octile\nheight 2\nheight 2\nwidth 3\nmap\n...\n@@@\n", WEND_STATUS_HEADER_REPEATED, 3, 1,
     "height"},
    {"type octile\nheight 2\nwidth 3\nwidth 3\nmap\n...\n@@@\n", WEND_STATUS_HEADER_REPEATED, 4, 1, "width"},
    {"type octile\nheight 2\nwidth 3\ntype tile\nmap\n...\n", WEND_STATUS_HEADER_REPEATED, 4, 1, "type"},
    /* in another order */
    {"type octile\nwidth 3\nheight 2\nmap\n...\n@@@\n", WEND_STATUS_HEADER_ORDER, 2, 1, "height"},
    {"type octile\nheight 2\nmap\nwidth 3\n...\n@@@\n", WEND_STATUS_HEADER_ORDER, 3, 1, "width"},
    /* absurd */
    {"type hexagonal\nheight 2\nwidth 3\nmap\n", WEND_STATUS_HEADER_VALUE, 1, 6, "hexagonal"},
    {"type\nheight 2\nwidth 3\nmap\n", WEND_STATUS_HEADER_VALUE, 1, 5, ""},
    {"type octiles\nheight 2\nwidth 3\nmap\n", WEND_STATUS_HEADER_VALUE, 1, 6, "octiles"},
    {"type octile\nheight\nwidth 3\nmap\n...\n", WEND_STATUS_HEADER_VALUE, 2, 7, "height"},
    {"type octile\nheight 0\nwidth 3\nmap\n", WEND_STATUS_HEADER_VALUE, 2, 8, "0"},
    {"type octile\nheight -2\nwidth 3\nmap\n", WEND_STATUS_HEADER_VALUE, 2, 8, "-2"},
    {"type octile\nheight +2\nwidth 3\nmap\n", WEND_STATUS_HEADER_VALUE, 2, 8, "+2"},
    {"type octile\nheight 2\nwidth  3x\nmap\n", WEND_STATUS_HEADER_VALUE, 3, 8, "3x"},
    {"type octile\nheight 2\nwidth 3 4\nmap\n", WEND_STATUS_HEADER_VALUE, 3, 7, "3 4"},
    {"type octile\nheight 2\nwidth 0x3\nmap\n", WEND_STATUS_HEADER_VALUE, 3, 7, "0x3"},
    {"type octile\nheight 2\nwidth 1e3\nmap\n", WEND_STATUS_HEADER_VALUE, 3, 7, "1e3"},
    {"type octile\nheight 2\nwidth 3\nmap of mine\n", WEND_STATUS_HEADER_VALUE, 4, 5, "of mine"},
    {"type octile\nheight 32769\nwidth 3\nmap\n", WEND_STATUS_TOO_LARGE, 2, 8, "32769"},
    {"type octile\nheight 2\nwidth 4294967299\nmap\n...\n@@@\n", WEND_STATUS_TOO_LARGE, 3, 7, "4294967299"},
    {"type octile\nheight 2\nwidth 18446744073709551619\nmap\n", WEND_STATUS_TOO_LARGE, 3, 7,
     "18446744073709551619"},
    /* sizes that the data does not have */
    {"type octile\nheight 32768\nwidth 32768\nmap\n", WEND_STATUS_ROWS_TOO_FEW, 5, 0, "0 of 32768"},
    {"type octile\nheight 32768\nwidth 3\nmap\n...\n", WEND_STATUS_ROWS_TOO_FEW, 6, 0, "1 of 32768"},
    {"type octile\nheight 2\nwidth 32768\nmap\n...\n...\n", WEND_STATUS_ROW_TOO_SHORT, 5, 4, "not 32768"},
    /* rows */
    {HEAD "..\n@@@\n", WEND_STATUS_ROW_TOO_SHORT, 5, 3, "2 letters"},
    {HEAD "...\n@@\n", WEND_STATUS_ROW_TOO_SHORT, 6, 3, "2 letters"},
    {HEAD "...\n\n@@@\n", WEND_STATUS_ROW_TOO_SHORT, 6, 1, "0 letters"},
    {HEAD "\r\n...\n@@@\n", WEND_STATUS_ROW_TOO_SHORT, 5, 1, "0 letters"},
    {HEAD "....\n@@@\n", WEND_STATUS_ROW_TOO_LONG, 5, 4, "4 letters"},
    {HEAD "...\n@@@ .\n", WEND_STATUS_ROW_TOO_LONG, 6, 4, "5 letters"},
    {HEAD "...\n", WEND_STATUS_ROWS_TOO_FEW, 6, 0, "1 of 2"},
    {HEAD "...", WEND_STATUS_ROWS_TOO_FEW, 6, 0, "1 of 2"},
    {HEAD "...\n\n\n\n", WEND_STATUS_ROWS_TOO_FEW, 6, 0, "1 of 2"},
    {HEAD "...\n        ", WEND_STATUS_ROWS_TOO_FEW, 6, 0, "1 of 2"},
    {HEAD, WEND_STATUS_ROWS_TOO_FEW, 5, 0, "0 of 2"},
    {HEAD "...\n@@@\n...\n", WEND_STATUS_ROWS_TOO_MANY, 7, 1, "last row"},
    {HEAD "...\n@@@\n\n \tx", WEND_STATUS_ROWS_TOO_MANY, 8, 3, "last row"},
    {HEAD "...\n@x@\n", WEND_STATUS_UNKNOWN_LETTER, 6, 2, "'x'"},
    {HEAD "..\t.\n@@@\n", WEND_STATUS_ROW_TOO_LONG, 5, 4, ""},
    {HEAD "...\r\n@@\x80\r\n", WEND_STATUS_UNKNOWN_LETTER, 6, 3, "'\\x80'"},
    {HEAD ". .\n@@@\n", WEND_STATUS_UNKNOWN_LETTER, 5, 2, "' '"},
    {HEAD ".\r.\n@@@\n", WEND_STATUS_UNKNOWN_LETTER, 5, 2, "'\\x0d'"},
    /* cut */
    {"type ", WEND_STATUS_CUT_SHORT, 1, 5, "type"},
    {"type oct", WEND_STATUS_CUT_SHORT, 1, 9, "type"},
    {"type octile\n", WEND_STATUS_CUT_SHORT, 1, 12, "height"},
    {"type octile\nheight", WEND_STATUS_CUT_SHORT, 2, 7, "height"},
    {"type octile\nheight 2\nwidth 3\nma", WEND_STATUS_CUT_SHORT, 4, 3, "map"},
    {HEAD "...\n@@", WEND_STATUS_CUT_SHORT, 6, 3, "2 of 3"},
};

static const sample pbm_samples[] = {
    {"P1\n3 2\n0 0 0\n1 1 1\n", WEND_OK, 0, 0, ""},
    {"P1 3 2 000111", WEND_OK, 0, 0, ""},
    {"P1\n3 2\n00\n011\n1", WEND_OK, 0, 0, ""},
    {"P1#a 9\n#b\r\n 3#c\n# d\n2#e\n0#f 1 1\n0 0 1 1 1 # end", WEND_OK, 0, 0, ""},
    {"P4 3 2\n\x1f\xff", WEND_OK, 0, 0, ""}, /* bits of padding do not matter */
    {"P4 3 2#c\n\x1f\xe0\n", WEND_OK, 0, 0, ""},
    {"P4 3 2#c\r\x1f\xe0\n", WEND_OK, 0, 0, ""},
    {"P4\t# w\n3\r\n2\r\x1f\xe0 \r\n", WEND_OK, 0, 0, ""},
    {"", WEND_STATUS_EMPTY_FILE, 0, 0, ""},
    {"\n \n", WEND_STATUS_EMPTY_FILE, 0, 0, ""},
    {"P", WEND_STATUS_CUT_SHORT, 1, 2, "header"},
    {"P4", WEND_STATUS_CUT_SHORT, 1, 3, "header"},
    {"P1\n3", WEND_STATUS_CUT_SHORT, 2, 2, "header"},
    {"P1\n3 ", WEND_STATUS_CUT_SHORT, 2, 3, "header"},
    {"P4\n3 2", WEND_STATUS_CUT_SHORT, 2, 4, "header"},
    {"P4\n3 2# and", WEND_STATUS_CUT_SHORT, 2, 9, "header"},
    {"P4\n3 #2\n", WEND_STATUS_CUT_SHORT, 3, 1, "header"},
    {"type octile\n", WEND_STATUS_BAD_MAGIC, 1, 1, ""},
    {"P9\n3 2\n", WEND_STATUS_BAD_MAGIC, 1, 1, ""},
    {"P41 3 2\n", WEND_STATUS_BAD_MAGIC, 1, 1, ""},
    {" P1 3 2 000111", WEND_STATUS_BAD_MAGIC, 1, 1, ""},
    {"P5\n3 2\n255\nabcdef", WEND_STATUS_UNSUPPORTED, 1, 1, ""},
    {"P1\n0 2\n", WEND_STATUS_HEADER_VALUE, 2, 1, "width"},
    {"P1\n3 -2\n", WEND_STATUS_HEADER_VALUE, 2, 3, "-2"},
    {"P4\n3\n\n2x\n", WEND_STATUS_HEADER_VALUE, 4, 1, "2x"},
    {"P4\n32769 1\n", WEND_STATUS_TOO_LARGE, 2, 1, "width"},
    {"P4\n1 99999999999999999999999\n", WEND_STATUS_TOO_LARGE, 2, 3, "height"},
    {"P4\n32768 32768\n\x1f", WEND_STATUS_CUT_SHORT, 0, 0, ""},
    {"P1\n32768 32768\n01", WEND_STATUS_CUT_SHORT, 3, 3, ""},
    {"P1\n3 2\n000\n11", WEND_STATUS_CUT_SHORT, 4, 3, ""},
    {"P1\n3 2\n000\n", WEND_STATUS_ROWS_TOO_FEW, 4, 1, ""},
    {"P1\n3 2\n000 #           \n", WEND_STATUS_ROWS_TOO_FEW, 4, 1, ""},
    {"P4\n3 2\n\x1f", WEND_STATUS_ROWS_TOO_FEW, 0, 0, ""},
    {"P4\n12 2\n\x1f\x1f\x1f", WEND_STATUS_CUT_SHORT, 0, 0, ""},
    {"P1\n3 2\n0000 111\n", WEND_STATUS_ROWS_TOO_MANY, 3, 8, ""},
    {"P4\n3 2\n\x1f\xff\xff", WEND_STATUS_ROWS_TOO_MANY, 0, 0, ""},
    {"P4\n3 2\n\x1f\xffP4\n3 2\n\x1f\xff", WEND_STATUS_UNSUPPORTED, 0, 0, "second"},
    {"P1\n3 2\n000\n121", WEND_STATUS_UNKNOWN_LETTER, 4, 2, "'2'"},
    {"P1\n3 2\n000\n1\x01"
     "1",
     WEND_STATUS_UNKNOWN_LETTER, 4, 2, "'\\x01'"},
};

static void check_sample(wend_format format, const sample *given) {
    test_memory memory = {0};
    wend_map_options options = wend_default_map_options();
    options.allocator = test_allocator(&memory);
    wend_map *map = NULL;
    wend_error error;
    memset(&error, 0, sizeof error);
    size_t size = strlen(given->text);
    wend_status status = parse(format, given->text, size, &options, &map, &error);
    CHECK_THAT(status == given->status, "`%s`: status %d (%s), not %d", given->text, (int)status,
               error.message, (int)given->status);
    if (status == WEND_OK) {
        CHECK(map && wend_map_width(map) == 3 && wend_map_height(map) == 2 && wend_map_open_cells(map) == 3);
        for (int32_t x = 0; x < 3; x++) CHECK(wend_map_is_open(map, x, 0) && !wend_map_is_open(map, x, 1));
    } else {
        CHECK(!map && error.status == status && !error.file[0] && error.message[0]);
        CHECK_THAT(error.line == given->line && error.column == given->column,
                   "`%s`: at %d:%d (%s), not %d:%d", given->text, (int)error.line, (int)error.column,
                   error.message, (int)given->line, (int)given->column);
        CHECK_THAT(strstr(error.message, given->word) != NULL, "`%s`: `%s` says nothing of `%s`", given->text,
                   error.message, given->word);
        CHECK(error.offset <= size);
        if (error.line && error.column) { /* the offset is that of line and column */
            size_t begin = 0;
            for (uint64_t line = 1; line < error.line; line++)
                begin += strcspn(given->text + begin, "\n") + 1;
            CHECK(error.offset == begin + error.column - 1);
        }
        CHECK(parse(format, given->text, size, &options, &map, NULL) == status && !map);
    }
    CHECK(memory.peak_bytes <= 4096);
    wend_map_destroy(map);
    CHECK(memory.live_blocks == 0 && memory.wrong_sizes == 0);
    test_case();
}

static void faults_have_a_status_and_a_place(void) {
    for (size_t i = 0; i < sizeof map_samples / sizeof *map_samples; i++)
        check_sample(WEND_FORMAT_MAP, &map_samples[i]);
    for (size_t i = 0; i < sizeof pbm_samples / sizeof *pbm_samples; i++)
        check_sample(WEND_FORMAT_PBM, &pbm_samples[i]);
}

/* Every letter that is neither open nor one of the format's is refused, wherever in a row it stands. */
static void no_letter_slips_through(void) {
    for (int code = 0; code < 256; code++)
        for (int32_t x = 0; x < 19; x++) {
            char row[19];
            memset(row, '.', sizeof row);
            row[x] = (char)code;
            wend_map_options options = wend_default_map_options();
            options.keep_letters = true;
            wend_map *map;
            if (!CHECK(wend_map_create(19, 1, &options, &map, NULL) == WEND_OK)) return;
            wend_error error;
            bool known = code && strchr(".GS@OTW#", code), open = code && strchr(".GS", code);
            wend_status status = wend_map_set_row(map, 0, row, &error);
            CHECK(status == (known ? WEND_OK : WEND_STATUS_UNKNOWN_LETTER));
            CHECK(known || error.column == (uint64_t)x + 1);
            CHECK(wend_map_open_cells(map) == (known ? 18u + open : 0)); /* refused: nothing has changed */
            CHECK(wend_map_letter(map, x, 0) == (known ? (char)code : '@'));
            /* Set a second time, a row counts once. */
            memset(row, 'G', sizeof row);
            CHECK(wend_map_set_row(map, 0, row, NULL) == WEND_OK && wend_map_open_cells(map) == 19);
            wend_map_destroy(map);
            test_case();
        }
}

/* A map cut anywhere is refused unless only its last line end is gone. What is asked of the allocator stays
 * in proportion to what is there, whatever the header promises. */
static void cut_data_is_refused(void) {
    static const struct {
        wend_format format;
        bool plain;
        int32_t width, height;
    } kinds[] = {{WEND_FORMAT_MAP, false, 37, 21},
                 {WEND_FORMAT_MAP, false, 1, 40},
                 {WEND_FORMAT_PBM, false, 37, 21},
                 {WEND_FORMAT_PBM, false, 64, 9},
                 {WEND_FORMAT_PBM, true, 19, 11}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        wend_map_options options = wend_default_map_options();
        wend_map *map = random_map(kinds[k].width, kinds[k].height, &options, ".@", k);
        if (!map) return;
        size_t size;
        char *data = written(kinds[k].format, map, &size);
        if (kinds[k].plain) {
            free(data);
            data = malloc(8192);
            size = (size_t)sprintf(data, "P1 # plain\n%d %d\n", (int)kinds[k].width, (int)kinds[k].height);
            for (int32_t y = 0; y < kinds[k].height; y++) {
                for (int32_t x = 0; x < kinds[k].width; x++)
                    size += (size_t)sprintf(data + size, "%d ", !wend_map_is_open(map, x, y));
                data[size++] = '\n';
            }
        }
        for (size_t cut = 0; cut <= size; cut++) {
            test_memory memory = {0};
            options.allocator = test_allocator(&memory);
            options.keep_letters = cut % 2;
            wend_map *back;
            wend_error error;
            wend_status status = parse(kinds[k].format, data, cut, &options, &back, &error);
            bool whole = kinds[k].format == WEND_FORMAT_MAP ? cut + 1 >= size
                         : kinds[k].plain                   ? cut + 2 >= size
                                                            : cut == size;
            CHECK_THAT((status == WEND_OK) == whole, "kind %zu, %zu of %zu bytes: status %d", k, cut, size,
                       (int)status);
            CHECK(whole || status == WEND_STATUS_CUT_SHORT || status == WEND_STATUS_ROWS_TOO_FEW ||
                  (cut == 0 && status == WEND_STATUS_EMPTY_FILE) ||
                  (cut < 5 && kinds[k].format == WEND_FORMAT_MAP && status == WEND_STATUS_UNKNOWN_LETTER));
            if (status == WEND_OK) CHECK(same_cells(map, back, false));
            CHECK_THAT(memory.peak_bytes <= 2048 + 24 * cut, "kind %zu, %zu bytes: %llu allocated", k, cut,
                       (unsigned long long)memory.peak_bytes);
            wend_map_destroy(back);
            CHECK(memory.live_blocks == 0 && memory.wrong_sizes == 0);
            test_case();
        }
        free(data);
        wend_map_destroy(map);
    }
}

/* Paths in a folder of this run's own, which goes at the end. */
static char folder[128];

static void remove_folder(void) {
    (void)rmdir(folder);
}

static const char *scratch(const char *name, char path[256]) {
    if (!folder[0]) {
        const char *base = getenv("TMPDIR");
        snprintf(folder, sizeof folder, "%.80s/wend-test-XXXXXX", base && *base ? base : "/tmp");
        if (!CHECK(mkdtemp(folder) != NULL)) exit(1);
        (void)atexit(remove_folder);
    }
    snprintf(path, 256, "%s/%s", folder, name);
    return path;
}

static void each_refused_allocation_is_reported(void) {
    char map_path[256], pbm_path[256];
    const char *const paths[] = {scratch("memory.map", map_path), scratch("memory.PBM", pbm_path)};
    for (int i = 0; i < 2; i++)
        for (int keep = 0; keep < 2; keep++) {
            wend_map_options options = wend_default_map_options();
            options.keep_letters = keep;
            wend_map *map = random_map(33, 17, &options, ".@", 5);
            if (!map || !CHECK(wend_map_save(paths[i], map, NULL) == WEND_OK)) return;
            wend_map_destroy(map);
            wend_status status = WEND_STATUS_NO_MEMORY;
            for (uint64_t refuse = 1; status != WEND_OK && refuse < 100; refuse++) {
                test_memory memory = {.refuse_at = refuse};
                options.allocator = test_allocator(&memory);
                wend_map *back;
                wend_error error;
                status = wend_map_load(paths[i], &options, &back, &error);
                if (status == WEND_OK) { /* every one has been refused once: file, map, bits, letters */
                    CHECK(refuse == memory.requests + 1 && memory.requests == (keep ? 4 : 3));
                    memory.refuse_at = memory.requests + 1;
                    CHECK(wend_map_save(paths[i], back, &error) == WEND_STATUS_NO_MEMORY);
                    CHECK(strcmp(error.file, paths[i]) == 0);
                    memory.refuse_at = 0;
                    CHECK(wend_map_save(paths[i], back, &error) == WEND_OK);
                } else {
                    CHECK(status == WEND_STATUS_NO_MEMORY && error.status == status && !back);
                    CHECK(strcmp(error.file, paths[i]) == 0);
                }
                wend_map_destroy(back);
                CHECK(memory.live_blocks == 0 && memory.wrong_sizes == 0);
                test_case();
            }
            CHECK(status == WEND_OK && unlink(paths[i]) == 0);
        }
}

/* A file that is larger than any map is refused before memory is taken for it, and a device that never ends
 * once it has given more than that. */
static void files_without_end_are_refused(void) {
    static const char *const names[] = {"large.map", "large.pbm", "large.scen"};
    for (int i = 0; i < 3; i++) {
        char path[256];
        int file = open(scratch(names[i], path), O_WRONLY | O_CREAT, 0600);
        if (!CHECK(file >= 0)) return;
        bool sparse = ftruncate(file, (off_t)WEND_MAX_FILE_BYTES + 1) == 0;
        CHECK(close(file) == 0);
        if (sparse) {
            test_memory memory = {.requests = 0};
            wend_map_options options = wend_default_map_options();
            options.allocator = test_allocator(&memory);
            wend_map *map = NULL;
            wend_scenario *scenario = NULL;
            wend_error error;
            wend_status status = i < 2
                                     ? wend_map_load(path, &options, &map, &error)
                                     : wend_scenario_load(path, NULL, &options.allocator, &scenario, &error);
            CHECK(status == WEND_STATUS_TOO_LARGE && error.status == status && !map && !scenario);
            CHECK(strcmp(error.file, path) == 0 && memory.peak_bytes < 65536);
            test_case();
        } else {
            test_skip("no room for a sparse file");
        }
        CHECK(unlink(path) == 0);
    }
    for (uint64_t most = 1; most < 1000000; most = most * 7 + 3) {
        test_memory memory = {.requests = 0};
        wend_allocator allocator = test_allocator(&memory);
        wend_bytes bytes;
        wend_error error;
        CHECK(wend_file_read("/dev/zero", &allocator, most, &bytes, &error) == WEND_STATUS_TOO_LARGE);
        CHECK(!bytes.data && strcmp(error.file, "/dev/zero") == 0);
        CHECK(memory.peak_bytes <= 2 * most + 2 && memory.live_blocks == 0 && memory.wrong_sizes == 0);
        test_case();
    }
}

static void files_are_saved_whole_or_not_at_all(void) {
    wend_map_options options = wend_default_map_options();
    wend_map *map = random_map(50, 40, &options, ".@", 1), *back;
    char path[256], other[256];
    wend_error error;
    if (!map) return;
    /* The name decides the format. */
    CHECK(wend_map_save(scratch("a.Pbm", path), map, &error) == WEND_OK);
    CHECK(wend_map_load(path, &options, &back, &error) == WEND_OK && same_cells(map, back, false));
    wend_map_destroy(back);
    CHECK(rename(path, scratch("a.map", other)) == 0);
    CHECK(wend_map_load(other, &options, &back, &error) == WEND_STATUS_UNKNOWN_LETTER && !back);
    CHECK(strcmp(error.file, other) == 0 && error.line == 1);
    char text[600];
    CHECK(strncmp(wend_error_text(&error, text, sizeof text), other, strlen(other)) == 0);
    test_case();
    /* A file that is there is replaced. */
    CHECK(wend_map_save(other, map, &error) == WEND_OK);
    CHECK(wend_map_load(other, &options, &back, &error) == WEND_OK && same_cells(map, back, false));
    wend_map_destroy(back);
    CHECK(unlink(other) == 0);
    test_case();
    /* What can't be written. */
    scratch("no/such/folder.map", path);
    CHECK(wend_map_save(path, map, &error) == WEND_STATUS_FILE_ERROR && strcmp(error.file, path) == 0);
    CHECK(wend_map_load(path, &options, &back, &error) == WEND_STATUS_FILE_ERROR && !back);
    CHECK(strcmp(error.file, path) == 0 && strstr(error.message, strerror(ENOENT)));
    CHECK(mkdir(scratch("folder.map", path), 0700) == 0);
    CHECK(wend_map_save(path, map, &error) == WEND_STATUS_FILE_ERROR);
    CHECK(wend_map_load(path, &options, &back, &error) == WEND_STATUS_FILE_ERROR && !back);
    CHECK(rmdir(path) == 0);
    test_case();
    if (access("/dev/full", W_OK) == 0) {
        CHECK(wend_map_save("/dev/full", map, &error) == WEND_STATUS_FILE_ERROR);
        CHECK(strstr(error.message, strerror(ENOSPC)) && strcmp(error.file, "/dev/full") == 0);
        test_case();
    } else {
        test_skip("no /dev/full here");
    }
    if (access("/proc/version", R_OK) == 0) {
        CHECK(wend_map_save("/proc/version", map, &error) == WEND_STATUS_FILE_ERROR);
        CHECK(strcmp(error.file, "/proc/version") == 0);
        test_case();
    } else {
        test_skip("no /proc here");
    }
    if (geteuid() != 0) {
        CHECK(mkdir(scratch("locked", path), 0700) == 0);
        CHECK(wend_map_save(scratch("locked/b.map", other), map, &error) == WEND_OK);
        CHECK(chmod(path, 0500) == 0);
        CHECK(wend_map_save(other, map, &error) == WEND_STATUS_FILE_ERROR &&
              strstr(error.message, strerror(EACCES)));
        CHECK(wend_map_load(other, &options, &back, &error) == WEND_OK && same_cells(map, back, false));
        wend_map_destroy(back);
        CHECK(chmod(path, 0700) == 0 && unlink(other) == 0 && rmdir(path) == 0);
        test_case();
    } else {
        test_skip("a read-only folder: root writes there all the same");
    }
    /* An empty file, and one of blanks. */
    for (int blanks = 0; blanks < 2; blanks++) {
        FILE *file = fopen(scratch("empty.map", path), "w");
        if (!CHECK(file != NULL)) return;
        if (blanks) fputs(" \n\n", file);
        CHECK(fclose(file) == 0);
        CHECK(wend_map_load(path, &options, &back, &error) == WEND_STATUS_EMPTY_FILE && !back);
        CHECK(strcmp(error.file, path) == 0 && unlink(path) == 0);
        test_case();
    }
    wend_map_destroy(map);
    /* Nothing is left of what failed. */
    scratch("", path);
    CHECK_THAT(rmdir(path) == 0, "files are left in %s", path);
    if (mkdir(path, 0700) != 0) exit(1);
}

/* A level of random letters and rows of any length, in plain text, is the map that a MovingAI text of the same
 * cells gives. */
static void plain_levels_are_the_maps_they_show(void) {
    static const struct {
        const char *terrain, *blocked, *open,
            *shut; /* the options, and what is open and blocked under them */
    } kinds[] = {{".GS", "#", ".GS ", "@OTW#"},
                 {".GS", "#x!", ".GS ", "@OTW#x!"},
                 {".#", "#", ".# ", "GS@OTW"},
                 {"_@", " ", "_@", ".GSOTW "},
                 {"12", "", "12 ", ".GS@OTW"}};
    uint64_t seed = 11;
    for (uint64_t number = 0; number < test_some(1000); number++) {
        size_t k = number % 5, used = 0, rows = 1 + next_random(&seed) % 12, width = 0;
        const char *end = number / 5 % 2 ? "\r\n" : "\n";
        char plain[1024], cells[12][40];
        memset(cells, '@', sizeof cells);
        for (size_t y = 0; y < rows; y++) {
            size_t length = 1 + next_random(&seed) % 39;
            for (size_t x = 0; x < length; x++) {
                const char *from = next_random(&seed) % 2 ? kinds[k].open : kinds[k].shut;
                char letter = from[next_random(&seed) % strlen(from)];
                if (x == 0 && y == 0) letter = kinds[k].open[0]; /* not all blank */
                plain[used++] = letter;
                cells[y][x] = strchr(kinds[k].open, letter) ? '.' : '@';
            }
            if (length > width) width = length;
            if (y + 1 == rows && number % 3 == 0) break; /* no line end at the end */
            for (const char *letter = end; *letter; letter++) plain[used++] = *letter;
        }
        char head[1024];
        size_t size = (size_t)sprintf(head, "type octile\nheight %zu\nwidth %zu\nmap\n", rows, width);
        for (size_t y = 0; y < rows; y++)
            size += (size_t)sprintf(head + size, "%.*s\n", (int)width, cells[y]);
        for (int keep = 0; keep < 2; keep++) {
            wend_map_options options = wend_default_map_options();
            options.terrain = kinds[k].terrain, options.blocked = kinds[k].blocked;
            options.keep_letters = keep;
            wend_map *map = NULL, *expected = NULL, *back = NULL;
            wend_error error = {.message = ""};
            CHECK_THAT(parse(WEND_FORMAT_MAP, plain, used, &options, &map, &error) == WEND_OK, "`%.*s`: %s",
                       (int)used, plain, error.message);
            CHECK(parse(WEND_FORMAT_MAP, head, size, NULL, &expected, NULL) == WEND_OK);
            if (map && expected) {
                CHECK_THAT(same_cells(map, expected, false), "`%.*s`", (int)used, plain);
                char *data = written(WEND_FORMAT_MAP, map, &size);
                CHECK(parse(WEND_FORMAT_MAP, data, size, &options, &back, NULL) == WEND_OK);
                CHECK(back && same_cells(map, back, keep));
                free(data);
                wend_map_destroy(back);
                size = strlen(head);
            }
            wend_map_destroy(map);
            wend_map_destroy(expected);
            test_case();
        }
    }
}

/* Every byte in a plain level is open, blocked or an error with its place. */
static void no_letter_slips_into_a_plain_level(void) {
    for (int code = 0; code < 256; code++)
        for (int line = 0; line < 3; line++) {
            if (code == '\n') continue;
            char text[] = "....\n....\n....\n";
            text[5 * line + 2] = (char)code;
            wend_map *map;
            wend_error error;
            bool open = code && strchr(".GS ", code), known = open || (code && strchr("@OTW#", code));
            wend_status status = parse(WEND_FORMAT_MAP, text, sizeof text - 1, NULL, &map, &error);
            CHECK(status == (known ? WEND_OK : WEND_STATUS_UNKNOWN_LETTER));
            CHECK(known || (error.line == (uint64_t)line + 1 && error.column == 3 &&
                            error.offset == 5 * (uint64_t)line + 2 && !map));
            CHECK(!known || wend_map_open_cells(map) == 11u + open);
            wend_map_destroy(map);
            test_case();
        }
}

/* Sizes over the limits are refused, and what is allocated stays in proportion to the text. */
static void plain_levels_do_not_blow_up(void) {
    size_t room = 4 * WEND_MAX_SIDE;
    char *text = malloc(room);
    if (!text) abort();
    for (int kind = 0; kind < 6; kind++) {
        size_t size = 0;
        if (kind == 0) memset(text, '.', size = WEND_MAX_SIDE);     /* one row */
        if (kind == 1) memset(text, '.', size = WEND_MAX_SIDE + 1); /* too long */
        for (int y = 0; kind == 2 && y < WEND_MAX_SIDE; y++) text[size++] = '.', text[size++] = '\n';
        for (int y = 0; kind == 3 && y < WEND_MAX_SIDE + 1; y++) text[size++] = '.', text[size++] = '\n';
        if (kind >= 4) memset(text, '.', size = kind == 4 ? 30 : WEND_MAX_SIDE);
        for (int y = 0; kind >= 4 && y < WEND_MAX_SIDE - 1; y++) text[size++] = '\n', text[size++] = '#';
        test_memory memory = {0};
        wend_map_options options = wend_default_map_options();
        options.allocator = test_allocator(&memory), options.keep_letters = true;
        wend_map *map;
        wend_error error = {.message = ""};
        wend_status status = parse(WEND_FORMAT_MAP, text, size, &options, &map, &error);
        CHECK_THAT(status == (kind % 2 ? WEND_STATUS_TOO_LARGE : WEND_OK), "kind %d: %s", kind,
                   error.message);
        if (kind == 1) CHECK(error.line == 1 && error.column == WEND_MAX_SIDE + 1);
        if (kind == 3) CHECK(error.line == WEND_MAX_SIDE + 1);
        CHECK(memory.peak_bytes <= 20 * size + 65536);
        wend_map_destroy(map);
        CHECK(memory.live_blocks == 0 && memory.wrong_sizes == 0);
        test_case();
    }
    for (uint64_t refuse = 1; refuse <= 4; refuse++) { /* map, bits, row */
        test_memory memory = {.refuse_at = refuse};
        wend_map_options options = wend_default_map_options();
        options.allocator = test_allocator(&memory);
        wend_map *map;
        wend_error error;
        CHECK(parse(WEND_FORMAT_MAP, "..\n#", 4, &options, &map, &error) ==
              (refuse < 4 ? WEND_STATUS_NO_MEMORY : WEND_OK));
        wend_map_destroy(map);
        CHECK(memory.live_blocks == 0);
        test_case();
    }
    free(text);
}

static void wrong_calls_are_refused(void) {
    wend_map_options options = wend_default_map_options(), raw;
    memset(&raw, 0, sizeof raw);
    static const char good[] = HEAD "...\n@@@\n";
    wend_map *map = NULL;
    wend_error error;
    char byte;
    CHECK(wend_map_parse(WEND_FORMAT_MAP, NULL, 5, &options, &map, &error) == WEND_STATUS_BAD_ARGUMENT &&
          !map);
    CHECK(wend_map_parse(WEND_FORMAT_MAP, NULL, 0, &options, &map, &error) == WEND_STATUS_EMPTY_FILE && !map);
    CHECK(wend_map_parse(WEND_FORMAT_MAP, good, sizeof good - 1, &raw, &map, &error) ==
          WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_map_parse(WEND_FORMAT_MAP, good, sizeof good - 1, &options, NULL, NULL) ==
          WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_map_parse((wend_format)7, good, sizeof good - 1, &options, &map, NULL) ==
          WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_map_load(NULL, &options, &map, &error) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_map_load("x.map", &options, NULL, &error) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_map_load("x.map", &raw, &map, &error) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_map_save("x.map", NULL, &error) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_map_written_size(WEND_FORMAT_MAP, NULL) == 0);
    CHECK(wend_map_write(WEND_FORMAT_MAP, NULL, &byte, 1, &error) == WEND_STATUS_BAD_ARGUMENT);
    if (!CHECK(wend_map_parse(WEND_FORMAT_MAP, good, sizeof good - 1, &options, &map, NULL) == WEND_OK))
        return;
    CHECK(wend_map_save(NULL, map, &error) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_map_written_size((wend_format)7, map) == 0);
    CHECK(wend_map_write((wend_format)7, map, &byte, 1, &error) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_map_write(WEND_FORMAT_PBM, map, NULL, 100, &error) == WEND_STATUS_BAD_ARGUMENT);
    wend_map_destroy(map);
}

/* Loads a map and compares it, letter by letter, with a plain reading of its lines. */
static void check_file(const char *path) {
    wend_map_options options = wend_default_map_options();
    options.keep_letters = true;
    wend_map *map = NULL;
    wend_error error;
    memset(&error, 0, sizeof error);
    char words[600], *line = NULL;
    size_t room = 0;
    if (!CHECK_THAT(wend_map_load(path, &options, &map, &error) == WEND_OK, "%s",
                    wend_error_text(&error, words, sizeof words)))
        return;
    FILE *file = fopen(path, "r");
    int32_t y = -4;
    uint32_t open = 0;
    bool same = file != NULL;
    for (; same && y < wend_map_height(map) && getline(&line, &room, file) > 0; y++)
        for (int32_t x = 0; y >= 0 && x < wend_map_width(map); x++) {
            same = same && line[x] == wend_map_letter(map, x, y);
            open += line[x] == '.' || line[x] == 'G' || line[x] == 'S';
        }
    CHECK_THAT(same && y == wend_map_height(map), "%s is read otherwise", path);
    CHECK(wend_map_open_cells(map) == open);
    free(line);
    if (file) (void)fclose(file);
    wend_map_destroy(map);
    test_case();
}

static void published_maps_load(void) {
    const char *shared = test_shared();
    if (!shared) return;
    char path[512];
    snprintf(path, sizeof path, "%s/maps", shared);
    DIR *outer = opendir(path);
    CHECK_THAT(outer != NULL, "no folder %s", path);
    if (!outer) return;
    int maps = 0;
    for (struct dirent *set = readdir(outer); set; set = readdir(outer)) {
        snprintf(path, sizeof path, "%s/maps/%.200s", shared, set->d_name);
        DIR *inner = set->d_name[0] == '.' ? NULL : opendir(path);
        if (!inner) continue;
        for (struct dirent *entry = readdir(inner); entry; entry = readdir(inner)) {
            const char *dot = strrchr(entry->d_name, '.');
            if (!dot || strcmp(dot, ".map") != 0) continue;
            snprintf(path, sizeof path, "%s/maps/%.99s/%.99s", shared, set->d_name, entry->d_name);
            check_file(path);
            maps++;
        }
        closedir(inner);
    }
    closedir(outer);
    CHECK_THAT(maps == 229, "%d maps, not 229", maps);
}

static const test tests[] = {
    {"maps survive writing and reading", maps_survive_writing_and_reading},
    {"other terrains survive too", other_terrains_survive_too},
    {"blocked cells stay blocked", blocked_cells_stay_blocked},
    {"faults have a status and a place", faults_have_a_status_and_a_place},
    {"no letter slips through", no_letter_slips_through},
    {"cut data is refused", cut_data_is_refused},
    {"files without end are refused", files_without_end_are_refused},
    {"files are saved whole or not at all", files_are_saved_whole_or_not_at_all},
    {"each refused allocation is reported", each_refused_allocation_is_reported},
    {"plain levels are the maps they show", plain_levels_are_the_maps_they_show},
    {"no letter slips into a plain level", no_letter_slips_into_a_plain_level},
    {"plain levels do not blow up", plain_levels_do_not_blow_up},
    {"wrong calls are refused", wrong_calls_are_refused},
    {"published maps load", published_maps_load},
};
TEST_MAIN(tests)

/* MovingAI scenario files. One line per problem, with fields separated by tabs or blanks:
 *   version 1: bucket map width height start-x start-y goal-x goal-y length
 *   version 0: the same without width and height.
 * The first line says `version N`; without it the file is of version 0. All problems of a file are on one
 * map. */
#include "base/status.h"
#include "grid/scenario.h"
#include "grid/text.h"

#include <stdio.h>
#include <string.h>

enum { BUCKET, NAME, WIDTH, HEIGHT, START_X, START_Y, GOAL_X, GOAL_Y, LENGTH, FIELDS };
static const char *const field_names[FIELDS] = {"bucket",  "map",    "width",  "height", "start x",
                                                "start y", "goal x", "goal y", "length"};

typedef struct field {
    const char *text;
    size_t length, at; /* `at` is its place in the line */
} field;

typedef struct reader {
    wend_scenario *scenario;
    int version;
    bool named;      /* by a version line */
    bool tabs;       /* a line was separated by tabs, so blanks are part of names */
    field map;       /* the name in the first problem */
    size_t decimals; /* fewest decimals of a length so far */
    wend_line line;
    wend_error *error;
} reader;

static const char *field_name(const reader *in, int index) {
    return field_names[in->version == 0 && index >= WIDTH ? index + 2 : index];
}

/* Splits a line at each tab or at each run of blanks; returns how many fields there are, and fills in the
 * first FIELDS of them. */
static size_t split(const wend_line *line, bool tabs, field fields[FIELDS]) {
    size_t count = 0, at = 0;
    while (at <= line->length) {
        size_t end = at;
        if (tabs) {
            while (end < line->length && line->text[end] != '\t') end++;
        } else {
            while (at < line->length && wend_is_blank(line->text[at])) at++;
            for (end = at; end < line->length && !wend_is_blank(line->text[end]);) end++;
        }
        size_t begin = at, stop = end;
        while (begin < stop && wend_is_blank(line->text[begin])) begin++;
        while (begin < stop && wend_is_blank(line->text[stop - 1])) stop--;
        if (count < FIELDS) fields[count] = (field){line->text + begin, stop - begin, begin};
        count++;
        at = end + 1;
    }
    return count;
}

static wend_status fail_field(const reader *in, wend_status status, const field *at, const char *name,
                              const char *why) {
    char shown[WEND_SHOWN_SIZE];
    return wend_fail_at(in->error, status, in->line.number, at->at + 1, in->line.offset + at->at,
                        "%s `%s` %s", name, wend_text_show(at->text, at->length, shown), why);
}

static wend_status cut_short(const reader *in) {
    return wend_fail_at(in->error, WEND_STATUS_CUT_SHORT, in->line.number, in->line.length + 1,
                        in->line.offset + in->line.length, "the data ends in the middle of a line");
}

/* `version N`, if this line is one. */
static wend_status read_version(reader *in, bool first, bool *taken) {
    static const char word[] = "version";
    static const struct {
        const char *text;
        int version;
    } known[] = {{"0", 0}, {"0.0", 0}, {"0.00", 0}, {"1", 1}, {"1.0", 1}, {"1.00", 1}};
    const wend_line *line = &in->line;
    size_t length = sizeof word - 1;
    *taken = false;
    if (!line->ended && line->length < length && memcmp(line->text, word, line->length) == 0)
        return cut_short(in);
    if (line->length < length || memcmp(line->text, word, length) != 0) return WEND_OK;
    if (line->length > length && !wend_is_blank(line->text[length])) return WEND_OK;
    field whole = {line->text, length, 0};
    if (!first)
        return fail_field(in, in->named ? WEND_STATUS_HEADER_REPEATED : WEND_STATUS_HEADER_ORDER, &whole,
                          "the line", in->named ? "is there a second time" : "must be the first one");
    size_t at = length;
    while (at < line->length && wend_is_blank(line->text[at])) at++;
    field value = {line->text + at, line->length - at, at};
    bool begun = false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (value.length > strlen(known[i].text) || memcmp(value.text, known[i].text, value.length) != 0)
            continue;
        begun = true;
        if (known[i].text[value.length]) continue;
        in->version = known[i].version;
        in->named = *taken = true;
        return WEND_OK;
    }
    if (begun && !line->ended) return cut_short(in);
    double number;
    size_t decimals;
    if (wend_text_decimal(value.text, value.length, &number, &decimals))
        return fail_field(in, WEND_STATUS_UNSUPPORTED, &value, "scenario version",
                          "is not known: 0 and 1 are");
    return fail_field(in, WEND_STATUS_HEADER_VALUE, &value, "scenario version", "is no number");
}

static wend_status split_fields(reader *in, field fields[FIELDS]) {
    size_t expected = in->version == 0 ? FIELDS - 2 : FIELDS;
    bool tabs = memchr(in->line.text, '\t', in->line.length) != NULL;
    size_t count = split(&in->line, tabs, fields);
    if (tabs && count != expected && !in->tabs) { /* tabs and blanks mixed, unless that splits a name */
        field mixed[FIELDS];
        if (split(&in->line, false, mixed) == expected && *mixed[WIDTH].text <= '9') {
            memcpy(fields, mixed, sizeof mixed);
            count = expected;
            tabs = false;
        }
    }
    if (count < expected && !in->line.ended) return cut_short(in);
    if (count < expected)
        return wend_fail_at(in->error, WEND_STATUS_BAD_FIELD, in->line.number, in->line.length + 1,
                            in->line.offset + in->line.length,
                            "%zu fields where version %d has %zu: the %s is missing", count, in->version,
                            expected, field_name(in, (int)count));
    if (count > expected)
        return wend_fail_at(in->error, WEND_STATUS_BAD_FIELD, in->line.number, 0, in->line.offset,
                            "%zu fields where version %d has %zu", count, in->version, expected);
    for (int i = 0; i < (int)expected; i++)
        if (!fields[i].length)
            return fail_field(in, WEND_STATUS_BAD_FIELD, &fields[i], field_name(in, i), "is empty");
    if (tabs) in->tabs = true;
    if (in->version == 0) { /* the layout of version 1, with a hole */
        memmove(fields + START_X, fields + WIDTH, (FIELDS - START_X) * sizeof *fields);
        fields[WIDTH] = fields[HEIGHT] = (field){"", 0, 0};
    }
    return WEND_OK;
}

static wend_status read_name(reader *in, const field *name) {
    if (!in->map.length) {
        if (!wend_scenario_set_name(in->scenario, name->text, name->length))
            return fail_field(in, WEND_STATUS_BAD_FIELD, name, "map", "is no name");
        in->map = *name;
    } else if (in->map.length != name->length || memcmp(in->map.text, name->text, name->length) != 0) {
        return fail_field(in, WEND_STATUS_OTHER_MAP, name, "map", "is another one than in the lines before");
    }
    return WEND_OK;
}

static wend_status read_side(reader *in, const field *side, int index, int32_t *known) {
    uint64_t number;
    if (!wend_text_number(side->text, side->length, &number) || number == 0)
        return fail_field(in, WEND_STATUS_BAD_FIELD, side, field_names[index], "is no number of cells");
    if (number > WEND_MAX_SIDE)
        return fail_field(in, WEND_STATUS_TOO_LARGE, side, field_names[index], "is too large");
    if (!*known) *known = (int32_t)number;
    if (*known == (int32_t)number) return WEND_OK;
    char shown[WEND_SHOWN_SIZE];
    return wend_fail_at(in->error, WEND_STATUS_OTHER_MAP, in->line.number, side->at + 1,
                        in->line.offset + side->at, "for a map of %s %s, not %d", field_names[index],
                        wend_text_show(side->text, side->length, shown), (int)*known);
}

static wend_status read_coordinate(reader *in, const field *coordinate, int index, int32_t side,
                                   int32_t *value) {
    bool negative = coordinate->text[0] == '-';
    uint64_t number;
    if (!wend_text_number(coordinate->text + negative, coordinate->length - negative, &number))
        return fail_field(in, WEND_STATUS_BAD_FIELD, coordinate, field_names[index], "is no whole number");
    uint64_t bound = side ? (uint64_t)side : WEND_MAX_SIDE;
    if ((negative && number) || number >= bound)
        return fail_field(in, WEND_STATUS_OUTSIDE, coordinate, field_names[index], "is outside the map");
    *value = (int32_t)number;
    return WEND_OK;
}

/* A last line without a newline may have lost digits of its length. It is refused if it has fewer decimals
 * than every line before. A file of one line gives no such hint and is accepted. */
static wend_status read_length(reader *in, const field *length, double *value) {
    size_t decimals;
    bool good = wend_text_decimal(length->text, length->length, value, &decimals);
    if (!in->line.ended && (!good || (in->scenario->count && decimals < in->decimals))) return cut_short(in);
    if (!good) return fail_field(in, WEND_STATUS_BAD_FIELD, length, field_names[LENGTH], "is no number");
    if (*value > WEND_MAX_LENGTH)
        return fail_field(in, WEND_STATUS_BAD_FIELD, length, field_names[LENGTH],
                          "is more than a path can have");
    if (*value < 0) *value = -1;
    if (!in->scenario->count || decimals < in->decimals) in->decimals = decimals;
    return WEND_OK;
}

static wend_status read_problem(reader *in) {
    field fields[FIELDS];
    wend_scenario *scenario = in->scenario;
    wend_problem problem = {.bucket = 0};
    wend_status status = split_fields(in, fields);
    if (status != WEND_OK) return status;
    uint64_t bucket;
    if (!wend_text_number(fields[BUCKET].text, fields[BUCKET].length, &bucket) || bucket > UINT32_MAX)
        return fail_field(in, WEND_STATUS_BAD_FIELD, &fields[BUCKET], field_names[BUCKET],
                          "is not a number from 0 to 4294967295");
    problem.bucket = (uint32_t)bucket;
    status = read_name(in, &fields[NAME]);
    if (status == WEND_OK && in->version == 1) {
        status = read_side(in, &fields[WIDTH], WIDTH, &scenario->width);
        if (status == WEND_OK) status = read_side(in, &fields[HEIGHT], HEIGHT, &scenario->height);
    }
    int32_t *const values[4] = {&problem.start.x, &problem.start.y, &problem.goal.x, &problem.goal.y};
    for (int i = 0; i < 4 && status == WEND_OK; i++)
        status = read_coordinate(in, &fields[START_X + i], START_X + i,
                                 i % 2 ? scenario->height : scenario->width, values[i]);
    if (status == WEND_OK) status = read_length(in, &fields[LENGTH], &problem.length);
    if (status != WEND_OK) return status;
    if (!wend_scenario_reserve(scenario))
        return wend_fail(in->error, WEND_STATUS_NO_MEMORY, "no memory for the problems");
    scenario->problems[scenario->count++] = problem;
    return WEND_OK;
}

wend_status wend_scenario_parse(const void *data, size_t size, const wend_map *map,
                                const wend_allocator *allocator, wend_scenario **scenario,
                                wend_error *error) {
    if (!scenario) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "nowhere to put the scenario");
    *scenario = NULL;
    if (!data && size) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no data to read a scenario from");
    if (wend_is_all_blank(data, size))
        return wend_fail(error, WEND_STATUS_EMPTY_FILE, size ? "nothing but blanks" : "no data at all");
    reader in = {.scenario = wend_scenario_allocate(allocator), .error = error};
    if (!in.scenario) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for the scenario");
    if (map) in.scenario->width = wend_map_width(map), in.scenario->height = wend_map_height(map);
    wend_text text = {data, size, 0, 0};
    wend_status status = WEND_OK;
    bool first = true;
    while (status == WEND_OK && wend_text_line(&text, &in.line)) {
        if (!in.line.length) continue;
        bool taken;
        status = read_version(&in, first, &taken);
        if (status == WEND_OK && !taken) status = read_problem(&in);
        first = false;
    }
    if (status == WEND_OK)
        *scenario = in.scenario;
    else
        wend_scenario_destroy(in.scenario);
    return status;
}

enum { LINE_SIZE = WEND_MAP_NAME_SIZE + 160 }; /* eight numbers of at most 20 letters, and tabs */

/* Eight decimals without a locale's point; the parts are exact, since a length is under 2^53. */
static void write_length(double length, char text[32]) {
    if (length < 0) length = 1, *text++ = '-';
    uint64_t whole = (uint64_t)length;
    uint64_t fraction = (uint64_t)((length - (double)whole) * 1e8 + 0.5);
    if (fraction >= 100000000) whole++, fraction -= 100000000;
    (void)snprintf(text, 31, "%llu.%08llu", (unsigned long long)whole, (unsigned long long)fraction);
}

static size_t write_problem(const wend_scenario *scenario, int version, const wend_problem *problem,
                            char line[LINE_SIZE]) {
    char sizes[32] = "", length[32];
    if (version == 1)
        (void)snprintf(sizes, sizeof sizes, "\t%d\t%d", (int)scenario->width, (int)scenario->height);
    write_length(problem->length, length);
    return (size_t)snprintf(line, LINE_SIZE, "%lu\t%s%s\t%d\t%d\t%d\t%d\t%s\n",
                            (unsigned long)problem->bucket, scenario->map_name, sizes, (int)problem->start.x,
                            (int)problem->start.y, (int)problem->goal.x, (int)problem->goal.y, length);
}

static size_t write_version(int version, char line[LINE_SIZE]) {
    return (size_t)snprintf(line, LINE_SIZE, "version %d\n", version);
}

wend_status wend_scenario_check_writable(const wend_scenario *scenario, int version, wend_error *error) {
    if (!scenario) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no scenario to write");
    if (version != 0 && version != 1)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "scenario version %d is not known: 0 and 1 are",
                         version);
    if (version == 1 && scenario->count && !scenario->width)
        return wend_fail(
            error, WEND_STATUS_BAD_ARGUMENT,
            "version 1 needs the size of the map, which is not known: give the map when reading");
    return WEND_OK;
}

size_t wend_scenario_written_size(const wend_scenario *scenario, int version) {
    if (wend_scenario_check_writable(scenario, version, NULL) != WEND_OK) return 0;
    char line[LINE_SIZE];
    size_t size = write_version(version, line);
    for (size_t i = 0; i < scenario->count; i++)
        size += write_problem(scenario, version, &scenario->problems[i], line);
    return size;
}

wend_status wend_scenario_write(const wend_scenario *scenario, int version, void *buffer, size_t size,
                                wend_error *error) {
    wend_status status = wend_scenario_check_writable(scenario, version, error);
    if (status != WEND_OK) return status;
    if (!buffer) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "nowhere to write the scenario");
    char *out = buffer;
    char line[LINE_SIZE];
    size_t used = 0;
    for (size_t i = 0; i <= scenario->count; i++) {
        size_t length = i ? write_problem(scenario, version, &scenario->problems[i - 1], line)
                          : write_version(version, line);
        if (length > size - used)
            return wend_fail(error, WEND_STATUS_BAD_ARGUMENT,
                             "the scenario needs more than the %zu bytes given", size);
        memcpy(out + used, line, length);
        used += length;
    }
    return WEND_OK;
}

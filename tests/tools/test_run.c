/* `wend run` from outside: its figures agree with one another and do not depend on threads, what is wrong is
 * said, and its moving pictures, decoded here by a reader of its own, show moves that the map allows. */
#include "support/check.h"
#include "support/command/command.h"
#include "support/command/json.h"

#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

/* GIF ---------------------------------------------------------------------------------------------------- */

typedef struct gif {
    uint8_t *data;
    size_t size, at;
    uint32_t width, height;
    uint32_t bits; /* of a palette number */
    uint8_t palette[256][3];
    uint8_t *pixels; /* of the picture that was read last */
    size_t pictures;
    bool good;
    uint8_t agent[3]; /* the colour of agents of the first planner */
} gif;

static uint32_t byte(gif *g) {
    if (g->at >= g->size) g->good = false;
    return g->good ? g->data[g->at++] : 0;
}

static uint32_t word(gif *g) {
    uint32_t low = byte(g);
    return low | byte(g) << 8;
}

static gif gif_open(const char *name) {
    gif g = {.good = true};
    FILE *file = test_command_open(name, "rb");
    if (!CHECK(file)) return (gif){.good = false};
    (void)fseek(file, 0, SEEK_END);
    g.size = (size_t)ftell(file);
    rewind(file);
    g.data = malloc(g.size + 1);
    g.good =
        g.data && fread(g.data, 1, g.size, file) == g.size && g.size > 13 && memcmp(g.data, "GIF89a", 6) == 0;
    (void)fclose(file);
    if (!CHECK(g.good)) return g;
    g.at = 6;
    g.width = word(&g), g.height = word(&g);
    uint32_t flags = byte(&g);
    CHECK((flags & 0xf8) == 0xf0);
    g.bits = (flags & 7) + 1;
    g.at += 2;
    for (uint32_t i = 0; i < 3u << g.bits; i++) g.palette[i / 3][i % 3] = (uint8_t)byte(&g);
    g.pixels = calloc((size_t)g.width * g.height, 1);
    memcpy(g.agent, (uint8_t[]){30, 100, 239}, sizeof g.agent);
    return g;
}

static void gif_close(gif *g) {
    free(g->data);
    free(g->pixels);
}

/* The codes of a picture, through their blocks. */
typedef struct codes {
    gif *g;
    uint32_t left, bits, count; /* of the block; bits at hand */
    bool over;
} codes;

static uint32_t next_code(codes *c, uint32_t width) {
    while (c->count < width && c->g->good) {
        if (!c->left) {
            c->left = byte(c->g);
            if (!c->left) c->over = true, c->g->good = false;
        }
        c->bits |= byte(c->g) << c->count;
        c->count += 8, c->left--;
    }
    uint32_t code = c->bits & ((1u << width) - 1);
    c->bits >>= width, c->count -= width;
    return code;
}

/* Strings as a code before and a letter behind it. */
static size_t decode(gif *g, uint8_t *out, size_t room) {
    static uint16_t before[4096];
    static uint8_t letter[4096], string[4097];
    codes c = {.g = g};
    const uint32_t clear = 1u << g->bits, end = clear + 1;
    CHECK(byte(g) == g->bits);
    uint32_t width = g->bits + 1, next = end + 1, last = 4096;
    size_t size = 0;
    while (g->good) {
        uint32_t code = next_code(&c, width);
        if (code == end) break;
        if (code == clear) {
            width = g->bits + 1, next = end + 1, last = 4096;
            continue;
        }
        bool unknown = code == next; /* the last string, and its own first letter again */
        if (code > next || (unknown && last == 4096)) g->good = false;
        uint32_t length = 0, from = unknown ? last : code;
        for (; from > end && length < 4096; from = before[from]) string[length++] = letter[from];
        string[length++] = (uint8_t)from;
        if (last < 4096 && next < 4096) {
            before[next] = (uint16_t)last, letter[next] = (uint8_t)from;
            if (++next == (1u << width) && width < 12) width++;
        }
        if (size + length + unknown > room) g->good = false;
        while (g->good && length) out[size++] = string[--length];
        if (g->good && unknown) out[size++] = (uint8_t)from;
        last = code;
    }
    CHECK(!c.left && byte(g) == 0);
    return size;
}

/* The next picture over the last; false where there are no more. */
static bool gif_next(gif *g) {
    uint32_t transparent = 256;
    while (g->good) {
        uint32_t what = byte(g);
        if (what == 0x3b) {
            CHECK(g->at == g->size);
            return false;
        }
        if (what == 0x21) { /* an extension */
            uint32_t label = byte(g);
            for (uint32_t size; (size = byte(g)) && g->good; g->at += size)
                if (label == 0xf9 && size == 4 && g->data[g->at] & 1) transparent = g->data[g->at + 3];
            continue;
        }
        if (!CHECK(what == 0x2c)) return false;
        uint32_t left = word(g), top = word(g), width = word(g), height = word(g);
        CHECK(byte(g) == 0); /* no palette of its own */
        if (!CHECK(width && height && left + width <= g->width && top + height <= g->height)) return false;
        size_t size = (size_t)width * height;
        uint8_t *part = malloc(size);
        CHECK(decode(g, part, size) == size);
        for (size_t i = 0; i < size; i++)
            if (part[i] != transparent) g->pixels[(top + i / width) * g->width + left + i % width] = part[i];
        free(part);
        g->pictures++;
        return CHECK(g->good);
    }
    return CHECK(g->good);
}

/* Of the first planner; nothing else has it. */
static bool is_agent(const gif *g, uint32_t x, uint32_t y) {
    const uint8_t *colour = g->palette[g->pixels[(size_t)y * g->width + x]];
    return colour[0] == g->agent[0] && colour[1] == g->agent[1] && colour[2] == g->agent[2];
}

/* How many cells do not look like what they are: floors light, walls dark. Agents, tails and goals hide some. */
static uint32_t count_hidden(const gif *g, const wend_map *map, uint32_t scale) {
    uint32_t hidden = 0;
    for (int32_t y = 0; y < wend_map_height(map); y++)
        for (int32_t x = 0; x < wend_map_width(map); x++) {
            size_t middle = ((size_t)y * scale + scale / 2) * g->width + (size_t)x * scale + scale / 2;
            const uint8_t *colour = g->palette[g->pixels[middle]];
            bool is_floor = colour[0] > 160 && colour[0] - colour[2] < 20, is_wall = colour[0] == 52;
            hidden += wend_map_is_open(map, x, y) ? !is_floor : !is_wall;
        }
    return hidden;
}

static wend_map *load(const char *name) {
    char *text = test_command_read(name);
    wend_map_options options = wend_default_map_options();
    wend_map *map = NULL;
    CHECK(text && wend_map_parse(WEND_FORMAT_MAP, text, strlen(text), &options, &map, NULL) == WEND_OK);
    free(text);
    return map;
}

/* One agent: its dot is there in every picture, on open ground, and moves by one cell at most. */
static void pictures_show_legal_moves(void) {
    for (int body = 1; body <= 3; body++) {
        char line[256];
        (void)snprintf(line, sizeof line,
                       "$WEND map gen rooms 60x40 -o m.map --seed %d && $WEND run m.map --agents 1 --planner "
                       "lrta --body %d --ticks 120 --video m.gif --quiet >m.txt",
                       body, body);
        CHECK(test_shell(line) == 0);
        gif g = gif_open("m.gif");
        wend_map *map = load("m.map");
        uint32_t x = 0, y = 0, moved = 0, scale = 10;
        CHECK(g.width == 600 && g.height > 400); /* the legend is below */
        while (g.good && map && gif_next(&g)) {
            uint32_t left = g.width, right = 0, top = g.height, bottom = 0;
            for (uint32_t j = 0; j < 400; j++)
                for (uint32_t i = 0; i < g.width; i++) {
                    if (!is_agent(&g, i, j)) continue;
                    if (i < left) left = i;
                    if (i > right) right = i;
                    if (j < top) top = j;
                    if (j > bottom) bottom = j;
                }
            if (!CHECK(left < right && top < bottom)) break;
            CHECK(right - left + 2 >= scale * (uint32_t)body - 3 && right - left < scale * (uint32_t)body);
            left /= scale, top /= scale;
            for (int32_t j = 0; j < body * body; j++)
                CHECK(wend_map_is_open(map, (int32_t)left + j % body, (int32_t)top + j / body));
            CHECK(count_hidden(&g, map, scale) <= 40u * (uint32_t)body);
            if (g.pictures > 1) {
                uint32_t dx = left > x ? left - x : x - left, dy = top > y ? top - y : y - top;
                CHECK(dx <= 1 && dy <= 1);
                moved += dx || dy;
            }
            x = left, y = top;
        }
        CHECK(g.pictures == 121 && moved > 60);
        wend_map_destroy(map);
        gif_close(&g);
        test_case();
    }
}

/* A door that edits close is there in its colours, and an unknown map is dim but for what was seen. */
static void pictures_show_doors_and_fog(void) {
    CHECK(test_shell(
              "$WEND map gen open 40x20 -o d.map && echo '3 20 0 2 20 closed' >d.edits && $WEND run d.map "
              "--agents 4 --planner tba --edits d.edits --ticks 6 --video d.gif --quiet >d.txt && $WEND run "
              "d.map --agents 1 --planner tbaa --knowledge unknown --ticks 9 --video u.gif --quiet "
              ">u.txt") == 0);
    gif g = gif_open("d.gif"), unknown = gif_open("u.gif");
    CHECK(g.width == 640 && g.height > 320);
    while (g.good && gif_next(&g)) {
        uint32_t doors = 0;
        for (size_t i = 0; i < (size_t)g.width * 320; i++) doors += g.palette[g.pixels[i]][0] == 196;
        CHECK(g.pictures < 5 ? doors < 500 : doors > 2 * 20 * 16 * 16 / 2);
    }
    CHECK(g.pictures == 7);
    uint32_t seen[2] = {0, 0};
    while (unknown.good && gif_next(&unknown)) {
        uint32_t light = 0;
        for (size_t i = 0; i < (size_t)unknown.width * 320; i++)
            light += unknown.palette[unknown.pixels[i]][0] > 200;
        if (unknown.pictures == 1) seen[0] = light;
        seen[1] = light;
    }
    CHECK(seen[0] < seen[1] && seen[1] < unknown.width * 320 / 4);
    gif_close(&g);
    gif_close(&unknown);
    test_case();
}

/* Who has caught the only one that flees is at its heels: an arrival in nearly every tick. */
static void chasers_catch(void) {
    CHECK(test_shell(
              "$WEND map gen rooms 40x30 -o c.map && $WEND build cpd c.map -o c.wend --quiet && $WEND run "
              "c.map --agents 2 --planner lrta --planner cpd:db=c.wend --chase --ticks 300 --quiet "
              "--json c.json && $WEND run c.map --agents 2 --planner lrta --planner cpd:db=c.wend "
              "--ticks 300 --quiet --json n.json") == 0);
    test_json chase, none;
    char *one = test_command_read("c.json"), *two = test_command_read("n.json");
    if (CHECK(one && two && test_json_read(one, &chase) && test_json_read(two, &none)))
        CHECK(test_json_number(&chase, "arrivals") > 100 && test_json_number(&none, "arrivals") < 50);
    free(one);
    free(two);
    CHECK(test_shell("$WEND run c.map --agents 2 --planner lrta --chase >c.txt 2>&1") != 0);
    test_case();
}

/* Many agents on a map of noise: the coder runs out of codes many times a picture. */
static void noisy_pictures(void) {
    CHECK(test_shell("$WEND map gen random 640x500 -o n.map && $WEND run n.map --agents 4000 --planner lrta "
                     "--ticks 5 --video n.gif --quiet >n.txt") == 0);
    gif g = gif_open("n.gif");
    wend_map *map = load("n.map");
    CHECK(g.width == 640 && g.height > 500);
    while (g.good && map && gif_next(&g)) {
        uint32_t hidden = count_hidden(&g, map, 1);
        CHECK(hidden > 3000 && hidden < 640 * 500 / 3);
    }
    CHECK(g.pictures == 6);
    wend_map_destroy(map);
    gif_close(&g);
    test_case();
}

/* Larger than the picture: each pixel stands for several cells. */
static void reduced_pictures(void) {
    CHECK(test_shell("$WEND map gen caves 1500x700 -o l.map && $WEND run l.map --agents 50 --planner lrta "
                     "--ticks 2 --video - --quiet >l.gif") == 0);
    gif g = gif_open("l.gif");
    CHECK(g.width == 500 && g.height > 234);
    while (g.good && gif_next(&g)) continue;
    CHECK(g.pictures == 3);
    gif_close(&g);
    test_case();
}

/* Figures ------------------------------------------------------------------------------------------------ */

static bool read_run(const char *options, test_json *json) {
    char line[512];
    (void)snprintf(line, sizeof line, "$WEND run f.map %s --json f.json --quiet >f.txt", options);
    if (!CHECK_THAT(test_shell(line) == 0, "%s", line)) return false;
    char *text = test_command_read("f.json");
    bool good = text && CHECK(test_json_read(text, json));
    free(text);
    return good;
}

static void figures_agree(void) {
    static const char *const runs[] = {
        "--agents 3000 --planner cpd:db=f.wend --ticks 60 --threads 1",
        "--agents 2500 --planner cpd:db=f.wend --planner lrta --body 1 --body 2 --ticks 40",
        "--agents 40 --planner tba --planner astar:k=30 --workspaces 3 --ticks 100",
        "--agents 30 --planner tbaa --knowledge unknown --workspaces 30 --ticks 100",
        "--agents 30 --planner lss-lrta --knowledge partial:10 --body 2 --ticks 50",
        "--agents 60 --planner tba --edits f.edits --workspaces 8 --ticks 60",
        "--agents 100 --planner astar:k=200 --budget 17000 --workspaces 100 --ticks 60",
        "--agents 300 --planner lrta --planner tba --workspaces 9 --patience 10 --ticks 300 --threads 1",
        "--agents 300 --planner lrta --planner tba --workspaces 9 --patience 10 --ticks 300 --threads 16",
    };
    FILE *edits = NULL;
    char hash[32] = ""; /* of the run before */
    CHECK(test_shell("$WEND map gen rooms 70x50 -o f.map && $WEND build cpd f.map -o f.wend --quiet && $WEND "
                     "build cpd f.map -o f2.wend --body 2 --quiet") == 0);
    edits = test_command_open("f.edits", "w");
    if (!CHECK(edits)) return;
    (void)fprintf(edits, "5 10 10 20 3 closed\n20 10 10 20 3 open\n");
    (void)fclose(edits);
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        test_json one, two;
        char again[300];
        (void)snprintf(again, sizeof again, "%s%s", runs[i],
                       strstr(runs[i], "--threads") ? "" : " --threads 3");
        if (!read_run(runs[i], &one) || !read_run(again, &two)) continue;
        double agents = test_json_number(&one, "agents"), ticks = test_json_number(&one, "ticks");
        double moves = test_json_number(&one, "moves"), waits = test_json_number(&one, "waits");
        CHECK(moves > 0 && moves + waits <= agents * ticks);
        CHECK(waits == test_json_number(&one, "waits_thinking") + test_json_number(&one, "waits_starved") +
                           test_json_number(&one, "waits_postponed"));
        CHECK(test_json_number(&one, "moves_out_of_turn") <= moves);
        CHECK(test_json_number(&one, "operations_max") <= test_json_number(&one, "operations"));
        CHECK_THAT(strcmp(test_json_text(&one, "hash"), test_json_text(&two, "hash")) == 0, "%s", runs[i]);
        CHECK(moves == test_json_number(&two, "moves"));
        if (strstr(runs[i], "--threads 16")) /* other than that it is the one before */
            CHECK(strcmp(test_json_text(&one, "hash"), hash) == 0);
        (void)snprintf(hash, sizeof hash, "%s", test_json_text(&one, "hash"));
        test_case();
    }
    test_json scarce;
    if (read_run(runs[6], &scarce)) {
        CHECK(test_json_number(&scarce, "operations_max") <= 17000);
        CHECK(test_json_number(&scarce, "turns") > 1 && test_json_number(&scarce, "waits_postponed") > 0);
    }
    if (read_run("--agents 10 --planner cpd:db=f2.wend --body 2 --ticks 200", &scarce))
        CHECK(test_json_number(&scarce, "arrivals") > 0);
    test_case();
}

/* Interrupted, it ends with its summary. */
static void interrupts_end_it(void) {
    CHECK(test_shell(
              "$WEND run f.map --agents 5 --planner lrta --ticks 0 --rate 100 --quiet >i.txt & sleep 0.5; "
              "kill -INT $!; wait $!") == 0);
    char *text = test_command_read("i.txt");
    CHECK(text && strstr(text, "\nticks ") && strstr(text, "\narrivals "));
    free(text);
    test_case();
}

/* A moving picture without an end is whole when it is interrupted, and ends by itself at the latest with the
 * tick that its help names. */
static void endless_pictures_end(void) {
    /* Once something is written it listens. */
    CHECK(test_shell("$WEND map gen rooms 20x20 -o e.map && { $WEND run e.map --agents 5 --planner lrta "
                     "--ticks 0 --rate 100 --video e.gif --quiet >e.txt & for i in $(seq 1000); do [ -s "
                     "e.gif.part* ] && break; sleep 0.05; done; kill -INT $!; wait $!; }") == 0);
    gif g = gif_open("e.gif");
    while (g.good && gif_next(&g)) continue;
    CHECK(g.good && g.pictures >= 1);
    gif_close(&g);
    test_case();
    if (!test_full()) return;
    CHECK(test_shell("$WEND map gen open 3x3 -o t.map && $WEND run t.map --agents 2 --planner lrta --ticks 0 "
                     "--video t.gif >t.txt 2>t.err") == 0);
    char *text = test_command_read("t.err");
    CHECK(text && strstr(text, "the moving picture ends with tick 20000: it takes at most 20000 ticks"));
    free(text);
    g = gif_open("t.gif");
    while (g.good && gif_next(&g)) continue;
    CHECK(g.good && g.pictures == 20001);
    gif_close(&g);
    test_case();
}

static const test tests[] = {
    {"pictures show legal moves", pictures_show_legal_moves},
    {"pictures show doors and fog", pictures_show_doors_and_fog},
    {"chasers catch", chasers_catch},
    {"noisy pictures", noisy_pictures},
    {"reduced pictures", reduced_pictures},
    {"figures agree", figures_agree},
    {"interrupts end it", interrupts_end_it},
    {"endless pictures end", endless_pictures_end},
};

int main(int argc, char **argv) {
    if (!test_command_begin()) return 0;
    int result = test_main(argc, argv, tests, sizeof tests / sizeof *tests);
    test_command_end();
    return result;
}

/* A city: streets divide the land again and again until blocks of about the given size are left, wide ones
 * first. A block is a square, a park, or houses along its streets around a yard that alleys lead into. A few
 * slanted avenues cut through all of it. */
#include "base/memory.h"
#include "base/status.h"
#include "generate/generate.h"
#include "grid/runs.h"

enum { SMALLEST_CITY = 8, STACK = 128, CELL = 65536 };

typedef struct land {
    int32_t x, y, width, height;
    int32_t street; /* how wide the street that divides it would be */
} land;

static int32_t draw(wend_random *random, int32_t bound) {
    return (int32_t)wend_random_draw(random, (uint32_t)bound);
}

static void plant(wend_map *map, int32_t x, int32_t y) {
    wend_fill(map, x, y, 1, 1, false);
    if (map->letters) map->letters[(size_t)y * (size_t)map->width + (size_t)x] = 'T';
}

/* Trees stand in rows along the edge, and loosely inside. */
static void lay_out_park(wend_map *map, land b, wend_random *random) {
    for (int32_t y = b.y; y < b.y + b.height; y++)
        for (int32_t x = b.x; x < b.x + b.width; x++) {
            int32_t left = x - b.x, top = y - b.y, right = b.width - 1 - left, bottom = b.height - 1 - top;
            bool edge = left == 1 || top == 1 || right == 1 || bottom == 1;
            bool lawn = left > 2 && top > 2 && right > 2 && bottom > 2;
            if (edge ? (left + top) % 3 == 0 : lawn && draw(random, 8) == 0) plant(map, x, y);
        }
}

/* An open place, with something to walk around in the middle of a large one. */
static void lay_out_square(wend_map *map, land b, wend_random *random) {
    int32_t less = b.width < b.height ? b.width : b.height;
    if (less < 9) return;
    int32_t side = 1 + less / 6 + draw(random, 2);
    wend_fill(map, b.x + (b.width - side) / 2, b.y + (b.height - side) / 2, side, side, false);
}

/* Alleys between the houses, from the street to the yard, along one side of the block. `depth` is how deep
 * the houses are. Returns how many there are. */
static int32_t cut_alleys(wend_map *map, land b, int32_t side, int32_t depth, wend_random *random) {
    bool level = side < 2; /* 0 north, 1 south, 2 west, 3 east */
    int32_t along = level ? b.width : b.height, count = 0;
    for (int32_t at = depth + draw(random, 6); at < along - depth - 1; at += 7 + draw(random, 12)) {
        int32_t wide = 1 + (draw(random, 3) == 0);
        if (at + wide > along - depth) wide = 1;
        if (level)
            wend_fill(map, b.x + at, side == 0 ? b.y : b.y + b.height - depth, wide, depth, true);
        else
            wend_fill(map, side == 2 ? b.x : b.x + b.width - depth, b.y + at, depth, wide, true);
        count++;
    }
    return count;
}

/* Sheds and single trees in a yard leave a way along the houses. */
static void furnish_yard(wend_map *map, land yard, wend_random *random) {
    int32_t less = yard.width < yard.height ? yard.width : yard.height;
    if (less < 5) return;
    for (int32_t n = yard.width * yard.height / 40; n > 0; n--) {
        int32_t x = yard.x + 1 + draw(random, yard.width - 2), y = yard.y + 1 + draw(random, yard.height - 2);
        if (draw(random, 3)) {
            plant(map, x, y);
        } else {
            int32_t width = 1 + draw(random, 3), height = 1 + draw(random, 3);
            int32_t room_x = yard.x + yard.width - 1 - x, room_y = yard.y + yard.height - 1 - y;
            wend_fill(map, x, y, width < room_x ? width : room_x, height < room_y ? height : room_y, false);
        }
    }
}

static void build_houses(wend_map *map, land b, wend_random *random) {
    /* Fronts step back from the street here and there. */
    int32_t less = b.width < b.height ? b.width : b.height;
    if (less >= 8) {
        int32_t west = draw(random, 4) == 0, east = draw(random, 4) == 0;
        int32_t north = draw(random, 4) == 0, south = draw(random, 4) == 0;
        b = (land){b.x + west, b.y + north, b.width - west - east, b.height - north - south, 0};
        less = b.width < b.height ? b.width : b.height;
    }
    wend_fill(map, b.x, b.y, b.width, b.height, false);
    int32_t depth = 3 + less / 12 + draw(random, 3);
    land yard = {b.x + depth, b.y + depth, b.width - 2 * depth, b.height - 2 * depth, 0};
    if (less < 2 * depth + 3) return; /* no yard: one massive building */
    wend_fill(map, yard.x, yard.y, yard.width, yard.height, true);
    furnish_yard(map, yard, random);
    int32_t alleys = 0;
    for (int32_t side = 0; side < 4; side++)
        if (draw(random, 4)) alleys += cut_alleys(map, b, side, depth, random);
    if (!alleys) wend_fill(map, b.x + b.width / 2, b.y, 1, depth, true);
    /* A corner house is missing, or cut back, now and then. */
    if (draw(random, 5) == 0) {
        int32_t corner = draw(random, 4), cut = 2 + draw(random, depth);
        wend_fill(map, corner & 1 ? b.x + b.width - cut : b.x, corner & 2 ? b.y + b.height - cut : b.y, cut,
                  cut, true);
    }
}

static void build_block(wend_map *map, land b, wend_random *random) {
    int32_t use = draw(random, 100), less = b.width < b.height ? b.width : b.height;
    if (less < 1) return;
    if (use < 6)
        lay_out_square(map, b, random);
    else if (use < 14 && less >= 8)
        lay_out_park(map, b, random);
    else
        build_houses(map, b, random);
}

/* Divides the land by a street in its middle third, across its longer side, until it is a block. */
static void divide_land(wend_map *map, land all, int32_t size, wend_random *random) {
    land stack[STACK];
    int32_t count = 0, most = size + size / 2;
    stack[count++] = all;
    while (count) {
        land b = stack[--count];
        bool across = b.width > b.height || (b.width == b.height && draw(random, 2));
        int32_t length = across ? b.width : b.height, street = b.street;
        if (street > length / 4) street = length / 4 ? length / 4 : 1;
        if (length <= most || length < street + 2 || count + 2 > STACK) {
            build_block(map, b, random);
            continue;
        }
        int32_t third = (length - street) / 3;
        int32_t at = third + draw(random, length - street - 2 * third + 1);
        if (at < 1) at = 1;
        if (at > length - street - 1) at = length - street - 1;
        int32_t narrower = b.street > 3 ? b.street - 1 - draw(random, 2) : 2 + draw(random, 2);
        land near = b, far = b;
        near.street = far.street = narrower;
        if (across)
            near.width = at, far.x = b.x + at + street, far.width = b.width - at - street;
        else
            near.height = at, far.y = b.y + at + street, far.height = b.height - at - street;
        stack[count++] = near, stack[count++] = far;
    }
}

/* A line from one edge to the opposite one, `wide` cells across; both ends are on the map. Positions are in
 * 65536ths of a cell, so that the slope is an integer. */
static void cut_avenue(wend_map *map, bool down, int32_t from, int32_t to, int32_t wide) {
    int32_t length = down ? map->height : map->width;
    int64_t at = (int64_t)from * CELL, slope = (int64_t)(to - from) * CELL / length;
    for (int32_t i = 0; i < length; i++, at += slope) {
        int32_t first = (int32_t)(at / CELL) - wide / 2;
        if (down)
            wend_fill(map, first, i, wide, 1, true);
        else
            wend_fill(map, i, first, 1, wide, true);
    }
}

static void cut_avenues(wend_map *map, int32_t size, wend_random *random) {
    int32_t less = map->width < map->height ? map->width : map->height;
    int32_t count = less < 3 * size ? 0 : 1 + less / (10 * size);
    if (count > 8) count = 8;
    for (int32_t i = 0; i < count; i++) {
        bool down = (i + draw(random, 2)) & 1;
        int32_t across = down ? map->width : map->height;
        int32_t from = across / 8 + draw(random, across * 3 / 4),
                lean = across / 4 + draw(random, across / 4 + 1);
        int32_t to = from < across / 2 ? from + lean : from - lean;
        cut_avenue(map, down, from, to, 5 + draw(random, 3));
    }
}

/* Builds on what cannot be reached from the streets. */
static wend_status fill_enclosed(wend_map *map, wend_error *error) {
    wend_runs runs;
    wend_status status = wend_runs_create(map, &map->allocator, false, &runs, error);
    if (status != WEND_OK) return status;
    /* The first cell of the map is street: its component is number 0. */
    for (uint32_t y = 0; y < runs.height; y++)
        for (uint32_t i = runs.row[y]; i < runs.row[y + 1]; i++)
            if (runs.label[i])
                wend_fill(map, runs.run[i].first, (int32_t)y, runs.run[i].last - runs.run[i].first + 1, 1,
                          false);
    wend_runs_release(&runs);
    return WEND_OK;
}

wend_status wend_generate_city(const wend_generator *generator, wend_error *error) {
    wend_map *map = generator->map;
    int32_t less = map->width < map->height ? map->width : map->height;
    wend_fill(map, 0, 0, map->width, map->height, true);
    if (less < SMALLEST_CITY) return WEND_OK; /* room for a street and no more */
    wend_random random = wend_random_stream(generator->seed, WEND_MAP_CITY);
    int32_t size = (int32_t)generator->size, ring = less < 48 || size < 12 ? 1 : 2;
    int32_t widest = size < 12 ? 2 : less < 256 ? 5 : 7;
    divide_land(map, (land){ring, ring, map->width - 2 * ring, map->height - 2 * ring, widest}, size,
                &random);
    cut_avenues(map, size, &random);
    return fill_enclosed(map, error);
}

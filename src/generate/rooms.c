/* Rooms and mazes: both are a grid of open areas with walls of one cell between them, and a random spanning
 * tree of that grid says where the walls are pierced. */
#include "base/memory.h"
#include "base/status.h"
#include "generate/generate.h"

/* One byte per node: the way back towards the root of the tree, and the links to the east and south. */
enum { WAY_BACK = 3, EAST = 4, SOUTH = 8, VISITED = 16 };

/* Walks at random into nodes not visited yet, and back where there are none: long winding branches. The way
 * back is kept in the nodes themselves, so depth costs nothing. */
static void grow_tree(uint8_t *node, uint32_t columns, uint32_t rows, wend_random *random) {
    enum { TO_NORTH, TO_EAST, TO_SOUTH, TO_WEST };
    uint32_t x = wend_random_draw(random, columns), y = wend_random_draw(random, rows);
    size_t root = (size_t)y * columns + x, at = root;
    node[at] = VISITED;
    for (;;) {
        uint32_t ways[4], count = 0;
        if (y > 0 && !node[at - columns]) ways[count++] = TO_NORTH;
        if (x + 1 < columns && !node[at + 1]) ways[count++] = TO_EAST;
        if (y + 1 < rows && !node[at + columns]) ways[count++] = TO_SOUTH;
        if (x > 0 && !node[at - 1]) ways[count++] = TO_WEST;
        if (!count && at == root) return;
        bool forward = count > 0;
        uint32_t way = !forward     ? node[at] & WAY_BACK
                       : count == 1 ? ways[0]
                                    : ways[wend_random_draw(random, count)];
        if (forward && way == TO_EAST) node[at] |= EAST;
        if (forward && way == TO_SOUTH) node[at] |= SOUTH;
        x += (way == TO_EAST) - (uint32_t)(way == TO_WEST);
        y += (way == TO_SOUTH) - (uint32_t)(way == TO_NORTH);
        at = (size_t)y * columns + x;
        if (!forward) continue;
        node[at] = (uint8_t)(VISITED | (way ^ 2));
        if (way == TO_WEST) node[at] |= EAST;
        if (way == TO_NORTH) node[at] |= SOUTH;
    }
}

static uint8_t *tree_of(const wend_generator *generator, uint32_t columns, uint32_t rows, wend_error *error) {
    uint8_t *node = wend_allocate_zeroed(&generator->map->allocator, (size_t)columns * rows, 1);
    if (!node) {
        wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory to lay out the map");
        return NULL;
    }
    wend_random random = wend_random_stream(generator->seed, 0x74726565);
    grow_tree(node, columns, rows, &random);
    return node;
}

/* Rooms divide a side evenly: room k covers cells edge(k) .. edge(k+1)-2, and a wall follows. */
typedef struct division {
    uint32_t side, count;
} division;

static division divide(int32_t side, uint32_t size) {
    uint32_t cells = (uint32_t)side + 1, count = (cells + (size + 1) / 2) / (size + 1);
    if (count > cells / 2) count = cells / 2;
    return (division){(uint32_t)side, count ? count : 1};
}

static int32_t edge(division d, uint32_t k) {
    return (int32_t)((uint64_t)k * (d.side + 1) / d.count);
}

/* A door somewhere in a wall of `length` cells: where it begins and how wide it is. */
static void place_door(uint64_t random, int32_t length, uint32_t size, int32_t *at, int32_t *width) {
    uint32_t widest = 1 + size / 8;
    if (widest > (uint32_t)length) widest = (uint32_t)length;
    *width = 1 + (int32_t)wend_random_below(random << 32, widest);
    *at = (int32_t)wend_random_below(random, (uint32_t)(length - *width + 1));
}

/* Besides the doors that the tree needs, most other walls have one too. */
enum { EXTRA_DOORS_PER_CENT = 60 };

static bool has_door(const wend_generator *generator, bool needed, uint64_t wall) {
    uint64_t random = wend_random_at(generator->seed, 0x65787472, wall);
    return needed || wend_random_below(random, 100) < EXTRA_DOORS_PER_CENT;
}

wend_status wend_generate_rooms(const wend_generator *generator, wend_error *error) {
    wend_map *map = generator->map;
    division across = divide(map->width, generator->size), down = divide(map->height, generator->size);
    uint8_t *node = tree_of(generator, across.count, down.count, error);
    if (!node) return WEND_STATUS_NO_MEMORY;
    for (uint32_t j = 0; j < down.count; j++) {
        int32_t top = edge(down, j), height = edge(down, j + 1) - 1 - top;
        for (uint32_t i = 0; i < across.count; i++) {
            size_t room = (size_t)j * across.count + i;
            int32_t left = edge(across, i), width = edge(across, i + 1) - 1 - left, at, wide;
            wend_fill(map, left, top, width, height, true);
            uint64_t wall = 2 * (uint64_t)room;
            if (i + 1 < across.count && has_door(generator, node[room] & EAST, wall)) {
                place_door(wend_random_at(generator->seed, 0x646f6f72, wall), height, generator->size, &at,
                           &wide);
                wend_fill(map, left + width, top + at, 1, wide, true);
            }
            if (j + 1 < down.count && has_door(generator, node[room] & SOUTH, wall + 1)) {
                place_door(wend_random_at(generator->seed, 0x646f6f72, wall + 1), width, generator->size, &at,
                           &wide);
                wend_fill(map, left + at, top + height, wide, 1, true);
            }
        }
    }
    wend_release(&map->allocator, node, (size_t)across.count * down.count, 1);
    return WEND_OK;
}

/* Corridors are exactly as wide as asked for (or as the map is); what is left over is rock on both sides. */
typedef struct corridors {
    uint32_t count;
    int32_t first, width;
} corridors;

static corridors corridors_of(int32_t side, uint32_t size) {
    int32_t width = (int32_t)size < side ? (int32_t)size : side;
    int32_t count = (side + 1) / (width + 1);
    return (corridors){(uint32_t)count, (side - (count * (width + 1) - 1)) / 2, width};
}

wend_status wend_generate_maze(const wend_generator *generator, wend_error *error) {
    wend_map *map = generator->map;
    corridors across = corridors_of(map->width, generator->size);
    corridors down = corridors_of(map->height, generator->size);
    uint8_t *node = tree_of(generator, across.count, down.count, error);
    if (!node) return WEND_STATUS_NO_MEMORY;
    for (uint32_t j = 0; j < down.count; j++) {
        int32_t y = down.first + (int32_t)j * (down.width + 1);
        for (uint32_t i = 0; i < across.count; i++) {
            uint8_t links = node[(size_t)j * across.count + i];
            int32_t x = across.first + (int32_t)i * (across.width + 1);
            wend_fill(map, x, y, across.width + (links & EAST ? 1 : 0), down.width, true);
            if (links & SOUTH) wend_fill(map, x, y + down.width, across.width, 1, true);
        }
    }
    wend_release(&map->allocator, node, (size_t)across.count * down.count, 1);
    return WEND_OK;
}

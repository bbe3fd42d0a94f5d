/* Components brought up to date, in slices. A strip is stale when its cells may have changed or when a strip
 * that it consists of has; stale leaves are renewed before inner strips, and parts before wholes. A renewal
 * that was begun is always finished, from the cells as copied when it began: a strip that is noted meanwhile
 * is stale again and has its turn later. So no work is thrown away, and nothing starts over.
 *
 * Renewing a strip: runs of open cells that touch are joined, for a leaf along all its rows, for an inner
 * strip along its seam, where the runs stand for components of its two strips. Then the joined ones are
 * numbered, those on a border first. The forest is joined by rank, so that a single look-up is short whatever
 * the map. */
#include "base/status.h"
#include "grid/components.h"

#include <string.h>

static void mark_stale(wend_components *components, uint32_t first, uint32_t last) {
    for (uint32_t word = first / 64; word <= last / 64; word++) {
        uint64_t set = ~UINT64_C(0);
        if (word == first / 64) set &= ~UINT64_C(0) << first % 64;
        if (word == last / 64) set &= ~UINT64_C(0) >> (63 - last % 64);
        components->stale[word] |= set;
    }
}

void wend_components_note(wend_components *components, wend_rect area) {
    int64_t first = area.y, end = first + area.height;
    if (first < 0) first = 0;
    if (end > components->height) end = components->height;
    if (first >= end || area.width <= 0) return;
    mark_stale(components, (uint32_t)first / WEND_STRIP_ROWS, (uint32_t)(end - 1) / WEND_STRIP_ROWS);
    components->sure = false;
}

/* -- runs ----------------------------------------------------------------------------------------------- */

/* The first bit from `from` on that differs from those of `flip`, or `end`, a multiple of 64. */
WEND_INLINE uint32_t next_bit(const uint8_t *row, uint32_t from, uint32_t end, uint64_t flip) {
    uint64_t set = (wend_load64(row + from / 64 * 8) ^ flip) & ~UINT64_C(0) << from % 64;
    for (from &= ~63u; !set; set = wend_load64(row + from / 8) ^ flip)
        if ((from += 64) >= end) return end;
    return from + wend_lowest_bit(set);
}

/* The first run of a row that begins at bit `from` or later; cell x is bit x + 1, and the bits on both sides
 * of a row's cells are clear. An operation, and one for every further word. */
WEND_INLINE wend_span next_span(const wend_components *components, uint32_t y, uint32_t from,
                                uint64_t *spent) {
    const uint8_t *row = wend_components_row(components, y);
    uint32_t end = (uint32_t)components->row_bytes * 8;
    uint32_t begin = next_bit(row, from, end, 0);
    if (begin == end) {
        *spent += 1 + (end - from) / 64;
        return (wend_span){WEND_NO_SPAN, WEND_NO_SPAN};
    }
    uint32_t behind = next_bit(row, begin, end, ~UINT64_C(0));
    *spent += 1 + behind / 64 - from / 64;
    return (wend_span){begin - 1, behind - 2};
}

WEND_INLINE uint32_t bit_behind(wend_span span) {
    return span.last + 2;
}

WEND_INLINE bool touch(wend_span a, wend_span b, uint32_t reach) {
    return a.first <= b.last + reach && b.first <= a.last + reach;
}

/* -- the forest ----------------------------------------------------------------------------------------- */

/* The root, with an operation for every entry on the way; halves the way. */
WEND_INLINE uint32_t root_of(uint32_t *entries, uint32_t i, uint64_t *spent) {
    for (;;) {
        ++*spent;
        uint32_t parent = entries[i];
        if (parent & WEND_ENTRY_ROOT) return i;
        ++*spent;
        uint32_t above = entries[parent];
        if (above & WEND_ENTRY_ROOT) return parent;
        entries[i] = above;
        i = above;
    }
}

WEND_INLINE void join(uint32_t *entries, uint32_t a, uint32_t b, uint64_t *spent) {
    a = root_of(entries, a, spent), b = root_of(entries, b, spent);
    if (a == b) return;
    uint32_t rank_a = entries[a], rank_b = entries[b];
    if (rank_a < rank_b)
        entries[a] = b;
    else
        entries[b] = a;
    if (rank_a == rank_b) entries[a]++;
}

/* The number of an entry's tree; the next one, of no cells so far, if it has none yet. */
WEND_INLINE uint32_t number_of(uint32_t *entries, uint32_t i, const wend_strip *strip, uint32_t *next,
                               uint64_t *spent) {
    uint32_t at = i;
    while (!(entries[at] & (WEND_ENTRY_ROOT | WEND_ENTRY_NUMBERED))) at = entries[at], ++*spent;
    ++*spent;
    uint32_t entry = entries[at];
    if (entry & WEND_ENTRY_ROOT) {
        strip->size[*next] = 0;
        entries[at] = entry = WEND_ENTRY_NUMBERED | (*next)++;
    }
    entries[i] = entry;
    return entry & WEND_ENTRY_VALUE;
}

/* -- a strip -------------------------------------------------------------------------------------------- */

/* Each phase continues from components->settling until its part is done or its budget is spent. `spent` is a
 * local variable: the loops are so short that memory would slow them down. */

static bool is_leaf(const wend_strip *strip) {
    return strip->upper == WEND_NO_STRIP;
}

static bool has_north_border(const wend_strip *strip) {
    return strip->first > 0;
}

static bool has_south_border(const wend_components *components, const wend_strip *strip) {
    return strip->end < (uint32_t)components->height;
}

#ifdef WEND_VALIDATING
/* Components that go on are parts of one above; the others are counted, and have all open cells in them. */
static bool is_sound(const wend_components *components) {
    uint64_t cells = 0, count = 0;
    for (size_t i = 0; i < components->bits_bytes; i++) cells -= wend_count_bits(components->bits[i]);
    for (uint32_t i = 0; i < components->strip_count; i++) {
        const wend_strip *strip = components->strips + i;
        uint32_t rows = is_leaf(strip) ? strip->end - strip->first : 4;
        if (strip->open > strip->total || strip->total > rows * components->slots) return false;
        for (uint32_t part = 0; part < strip->open; part++)
            if (strip->part[part] >= components->strips[strip->whole].total) return false;
        for (uint32_t number = strip->open; number < strip->total; number++) cells += strip->size[number];
        count += strip->total - strip->open;
    }
    return !cells && count == components->count;
}
#endif

/* Chooses what to renew; if nothing is stale the labels are sure. */
static uint64_t choose(wend_components *components) {
    uint32_t word = 0;
    while (word < components->stale_words && !components->stale[word]) word++;
    if (word == components->stale_words) {
        WEND_VALIDATE(is_sound(components));
        components->sure = true;
        return word;
    }
    uint32_t i = 64 * word + wend_lowest_bit(components->stale[word]);
    components->stale[word] &= components->stale[word] - 1;
    const wend_strip *strip = components->strips + i;
    bool leaf = is_leaf(strip);
    components->settling =
        (wend_settling){.strip = i,
                        .phase = leaf ? WEND_SETTLING_COPY : WEND_SETTLING_JOIN,
                        .row = leaf ? strip->first : components->strips[strip->lower].first};
    return word + 1;
}

static void finish(wend_components *components) {
    wend_settling *s = &components->settling;
    wend_strip *strip = components->strips + s->strip;
    components->count -= strip->total - strip->open;
    components->count += s->total - s->open;
    strip->open = s->open, strip->total = s->total;
    if (strip->whole != WEND_NO_STRIP) mark_stale(components, strip->whole, strip->whole);
    s->phase = WEND_SETTLING_NEXT;
}

/* The cells of a row, a word at a time. A leaf without a change needs nothing further. */
static uint64_t copy_row(wend_components *components, const wend_map *map, const wend_strip *leaf,
                         uint64_t most) {
    wend_settling *s = &components->settling;
    const uint8_t *from = map->bits + ((size_t)s->row + 1) * map->row_bytes;
    uint8_t *to = components->bits + s->row * components->row_bytes;
    uint64_t spent = 0;
    for (; s->at < components->row_bytes; s->at += 8, spent++) {
        if (spent >= most) return spent;
        if (wend_load64(from + s->at) == wend_load64(to + s->at)) continue;
        memcpy(to + s->at, from + s->at, 8);
        s->differs = true;
    }
    s->at = 0, s->row++;
    if (s->row < leaf->end) return spent;
    s->row = leaf->first;
    s->phase = s->differs ? WEND_SETTLING_JOIN : WEND_SETTLING_NEXT;
    return spent;
}

/* Joins the runs of a leaf's row with those of the row to its north; they get their entries here. */
static uint64_t join_row(wend_components *components, const wend_strip *leaf, uint64_t most) {
    wend_settling *s = &components->settling;
    uint32_t y = s->row, reach = components->diagonal;
    uint32_t *entries = leaf->north, line = (y - leaf->first) * components->slots;
    uint64_t spent = 0;
    if (!s->started) {
        s->started = true;
        s->north = (wend_span){WEND_NO_SPAN, WEND_NO_SPAN};
        if (y > leaf->first) s->north = next_span(components, y - 1, 0, &spent);
        s->south = next_span(components, y, 0, &spent);
        if (s->south.first != WEND_NO_SPAN) entries[line + s->south.first / 2] = WEND_ENTRY_ROOT;
    }
    wend_span north = s->north, south = s->south;
    while (south.first != WEND_NO_SPAN && spent < most) {
        if (north.first != WEND_NO_SPAN && touch(north, south, reach))
            join(entries, line - components->slots + north.first / 2, line + south.first / 2, &spent);
        if (north.last < south.last) {
            north = next_span(components, y - 1, bit_behind(north), &spent);
        } else {
            south = next_span(components, y, bit_behind(south), &spent);
            if (south.first != WEND_NO_SPAN) entries[line + south.first / 2] = WEND_ENTRY_ROOT;
        }
    }
    s->north = north, s->south = south;
    if (south.first != WEND_NO_SPAN) return spent;
    s->started = false, s->row++;
    if (s->row == leaf->end) s->row = leaf->first, s->phase = WEND_SETTLING_BORDERS;
    return spent;
}

/* Makes the components of an inner strip's two strips entries, and joins them along its seam. */
static uint64_t join_seam(wend_components *components, const wend_strip *strip, uint64_t most) {
    wend_settling *s = &components->settling;
    const wend_strip *upper = components->strips + strip->upper, *lower = components->strips + strip->lower;
    uint32_t *entries = components->entries, y = s->row, reach = components->diagonal;
    uint64_t spent = 0;
    for (; s->at < upper->open + lower->open; spent++) {
        if (spent >= most) return spent;
        entries[s->at++] = WEND_ENTRY_ROOT;
    }
    if (!s->started) {
        s->started = true;
        s->north = next_span(components, y - 1, 0, &spent);
        s->south = next_span(components, y, 0, &spent);
    }
    wend_span north = s->north, south = s->south;
    while (north.first != WEND_NO_SPAN && south.first != WEND_NO_SPAN && spent < most) {
        if (touch(north, south, reach))
            join(entries, upper->south[north.first / 2] & WEND_ENTRY_VALUE,
                 upper->open + (lower->north[south.first / 2] & WEND_ENTRY_VALUE), &spent);
        if (north.last < south.last)
            north = next_span(components, y - 1, bit_behind(north), &spent);
        else
            south = next_span(components, y, bit_behind(south), &spent);
    }
    s->north = north, s->south = south;
    if (north.first != WEND_NO_SPAN && south.first != WEND_NO_SPAN) return spent;
    s->at = 0, s->row = strip->first, s->phase = WEND_SETTLING_BORDERS;
    return spent;
}

/* Numbers the runs of a leaf's row; s->at is UINT32_MAX behind the last. */
static uint64_t number_row(wend_components *components, const wend_strip *leaf, uint64_t most) {
    wend_settling *s = &components->settling;
    uint32_t *line = leaf->north, begin = (s->row - leaf->first) * components->slots;
    uint32_t at = s->at, next = s->total;
    uint64_t spent = 0;
    while (spent < most) {
        wend_span span = next_span(components, s->row, at, &spent);
        if (span.first == WEND_NO_SPAN) {
            at = UINT32_MAX;
            break;
        }
        leaf->size[number_of(line, begin + span.first / 2, leaf, &next, &spent)] +=
            span.last - span.first + 1;
        at = bit_behind(span);
    }
    s->at = at, s->total = next;
    return spent;
}

/* The same for the runs on a border of an inner strip, each of which stands for a component of one of its two
 * strips. */
static uint64_t number_border(wend_components *components, const wend_strip *strip, uint64_t most) {
    wend_settling *s = &components->settling;
    bool north = s->row == strip->first;
    const wend_strip *upper = components->strips + strip->upper, *lower = components->strips + strip->lower;
    const uint32_t *from = north ? upper->north : lower->south;
    uint32_t *to = north ? strip->north : strip->south, base = north ? 0 : upper->open;
    uint32_t at = s->at, next = s->total;
    uint64_t spent = 0;
    while (spent < most) {
        wend_span span = next_span(components, s->row, at, &spent);
        if (span.first == WEND_NO_SPAN) {
            at = UINT32_MAX;
            break;
        }
        uint32_t slot = span.first / 2;
        to[slot] =
            number_of(components->entries, base + (from[slot] & WEND_ENTRY_VALUE), strip, &next, &spent);
        at = bit_behind(span);
    }
    s->at = at, s->total = next;
    return spent;
}

/* The northern border, if there is one, then the southern one. A leaf of a single row has both in one. */
static uint64_t number_borders(wend_components *components, const wend_strip *strip, uint64_t most) {
    wend_settling *s = &components->settling;
    bool first = s->row == strip->first, last = s->row == strip->end - 1;
    uint64_t spent = 1;
    if ((first && has_north_border(strip)) || (last && has_south_border(components, strip))) {
        spent = is_leaf(strip) ? number_row(components, strip, most) : number_border(components, strip, most);
        if (s->at != UINT32_MAX) return spent;
    }
    s->at = 0;
    if (!last) {
        s->row = strip->end - 1;
        return spent;
    }
    s->open = s->total;
    s->row = strip->first, s->phase = WEND_SETTLING_REST;
    return spent;
}

/* A leaf's rows that are not on a border. */
static uint64_t number_inside(wend_components *components, const wend_strip *leaf, uint64_t most) {
    wend_settling *s = &components->settling;
    bool on_border = (s->row == leaf->first && has_north_border(leaf)) ||
                     (s->row == leaf->end - 1 && has_south_border(components, leaf));
    uint64_t spent = 1;
    if (!on_border) {
        spent = number_row(components, leaf, most);
        if (s->at != UINT32_MAX) return spent;
    }
    s->at = 0, s->row++;
    if (s->row == leaf->end) finish(components);
    return spent;
}

/* The components of an inner strip's two strips, whether on a border or not. */
static uint64_t number_parts(wend_components *components, const wend_strip *strip, uint64_t most) {
    wend_settling *s = &components->settling;
    const wend_strip *upper = components->strips + strip->upper, *lower = components->strips + strip->lower;
    uint64_t spent = 0;
    for (uint32_t next = s->total; s->at < upper->open + lower->open; s->at++, s->total = next) {
        if (spent >= most) return spent;
        const wend_strip *part = s->at < upper->open ? upper : lower;
        uint32_t i = s->at < upper->open ? s->at : s->at - upper->open;
        uint32_t number = number_of(components->entries, s->at, strip, &next, &spent);
        part->part[i] = number;
        strip->size[number] += part->size[i];
    }
    finish(components);
    return spent + 1;
}

/* -- slices --------------------------------------------------------------------------------------------- */

/* Goes on with what is being done; returns the operations spent. */
static uint64_t go_on(wend_components *components, const wend_map *map, uint64_t most) {
    const wend_strip *strip = components->strips + components->settling.strip;
    bool leaf = is_leaf(strip);
    switch (components->settling.phase) {
    case WEND_SETTLING_COPY:
        return copy_row(components, map, strip, most);
    case WEND_SETTLING_JOIN:
        return leaf ? join_row(components, strip, most) : join_seam(components, strip, most);
    case WEND_SETTLING_BORDERS:
        return number_borders(components, strip, most);
    case WEND_SETTLING_REST:
        return leaf ? number_inside(components, strip, most) : number_parts(components, strip, most);
    case WEND_SETTLING_NEXT:
        break;
    }
    return choose(components);
}

static bool is_their_map(const wend_components *components, const wend_map *map) {
    return map->width == components->width && map->height == components->height &&
           map->revision >= components->revision && wend_joins_diagonally(map) == components->diagonal;
}

/* Leaves are the map's strips. */
static uint64_t read_changes(wend_components *components, const wend_map *map) {
    for (uint32_t i = 0; i < components->leaves; i++)
        if (map->strip_changed[i] > components->revision) mark_stale(components, i, i);
    components->revision = map->revision;
    return 1 + components->leaves / 64;
}

bool wend_components_settle(wend_components *components, const wend_map *map, uint64_t operations) {
    if (!is_their_map(components, map)) return false;
    uint64_t spent = components->debt;
    if (components->revision < map->revision) components->sure = false;
    if (components->revision < map->revision && spent < operations) spent += read_changes(components, map);
    while (!components->sure && spent < operations) spent += go_on(components, map, operations - spent);
    components->debt = spent > operations ? spent - operations : 0;
    return components->sure;
}

wend_status wend_components_update(wend_components *components, const wend_map *map, wend_error *error) {
    if (!components || !map)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no components or no map to update");
    if (!is_their_map(components, map))
        return wend_fail(error, WEND_STATUS_OTHER_MAP, "the components are those of another map");
    (void)wend_components_settle(components, map, UINT64_MAX);
    return WEND_OK;
}

#include "methods/atlas/hierarchy/labels.h"

#include "base/sort.h"

enum { SLICE = 512 }; /* nodes between two looks whether to go on */

/* What is known of hubs while the label of a node is made. */
typedef struct labelling {
    wend_atlas_labels *made;
    const wend_atlas_hierarchy *hierarchy;
    uint64_t *costs; /* by hub */
    uint32_t *arcs, *stamps, *met;
    uint32_t met_count;
} labelling;

static void offer(labelling *l, uint32_t node, uint32_t hub, uint64_t cost, uint32_t arc) {
    if (l->stamps[hub] != node + 1) {
        l->stamps[hub] = node + 1;
        l->met[l->met_count++] = hub;
    } else if (l->costs[hub] <= cost) {
        return;
    }
    l->costs[hub] = cost, l->arcs[hub] = arc;
}

/* All hubs of the nodes that are one arc above. */
static void collect(labelling *l, uint32_t node) {
    const wend_atlas_labels *made = l->made;
    size_t first = l->hierarchy->first[node];
    l->met_count = 0;
    offer(l, node, node, 0, 0);
    for (size_t i = first; i < l->hierarchy->first[node + 1]; i++) {
        const wend_atlas_link_up *up = &l->hierarchy->up[i];
        const wend_atlas_label *label = made->entries + made->first[up->to];
        for (size_t j = 0; j < made->count[up->to]; j++)
            offer(l, node, label[j].hub, up->cost + label[j].cost, (uint32_t)(i - first));
    }
}

/* Whether the way to a hub is no shortest one: another hub makes a shorter. */
static bool is_detour(const labelling *l, uint32_t node, uint32_t hub) {
    const wend_atlas_labels *made = l->made;
    const wend_atlas_label *label = made->entries + made->first[hub];
    if (hub == node) return false;
    for (size_t i = 0; i < made->count[hub]; i++)
        if (l->stamps[label[i].hub] == node + 1 && l->costs[label[i].hub] + label[i].cost < l->costs[hub])
            return true;
    return false;
}

static int by_number(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static bool make_label(labelling *l, uint32_t node) {
    wend_atlas_labels *made = l->made;
    collect(l, node);
    wend_sort(l->met, l->met_count, sizeof *l->met, by_number);
    if (made->entry_count + l->met_count > made->capacity) {
        size_t capacity = made->capacity ? made->capacity : 4096;
        while (capacity < made->entry_count + l->met_count) capacity += capacity / 2;
        wend_atlas_label *larger =
            wend_enlarge(&made->allocator, made->entries, made->capacity, capacity, sizeof *larger);
        if (!larger) return false;
        made->entries = larger, made->capacity = capacity;
    }
    made->first[node] = made->entry_count;
    for (uint32_t i = 0; i < l->met_count; i++) {
        uint32_t hub = l->met[i];
        if (is_detour(l, node, hub)) continue;
        made->entries[made->entry_count++] = (wend_atlas_label){l->costs[hub], hub, l->arcs[hub]};
    }
    made->count[node] = made->entry_count - made->first[node];
    WEND_ASSERT(made->count[node] && made->entries[made->first[node]].hub == node); /* itself first */
    return true;
}

wend_status wend_atlas_labels_make(wend_atlas_labels *labels, const wend_atlas_hierarchy *hierarchy,
                                   const wend_atlas_crew *crew) {
    *labels = (wend_atlas_labels){.allocator = hierarchy->allocator, .nodes = hierarchy->nodes};
    const wend_allocator *allocator = &labels->allocator;
    size_t room = (size_t)hierarchy->nodes + 1;
    labelling l = {.made = labels, .hierarchy = hierarchy};
    labels->first = wend_allocate(allocator, room, sizeof *labels->first);
    labels->count = wend_allocate(allocator, room, sizeof *labels->count);
    l.costs = wend_allocate(allocator, room, sizeof *l.costs);
    l.arcs = wend_allocate(allocator, room, sizeof *l.arcs);
    l.stamps = wend_allocate_zeroed(allocator, room, sizeof *l.stamps);
    l.met = wend_allocate(allocator, room, sizeof *l.met);
    bool good = labels->first && labels->count && l.costs && l.arcs && l.stamps && l.met;
    wend_status status = good ? WEND_OK : WEND_STATUS_NO_MEMORY;
    for (uint32_t done = 0; done < hierarchy->nodes && status == WEND_OK; done++) {
        if (done % SLICE == 0 && !wend_atlas_goes_on(crew, "labels", done, hierarchy->nodes))
            status = WEND_STATUS_INTERRUPTED;
        else if (!make_label(&l, hierarchy->nodes - 1 - done))
            status = WEND_STATUS_NO_MEMORY;
    }
    wend_release(allocator, l.costs, room, sizeof *l.costs);
    wend_release(allocator, l.arcs, room, sizeof *l.arcs);
    wend_release(allocator, l.stamps, room, sizeof *l.stamps);
    wend_release(allocator, l.met, room, sizeof *l.met);
    return status;
}

void wend_atlas_labels_release(wend_atlas_labels *labels) {
    const wend_allocator *allocator = &labels->allocator;
    size_t room = (size_t)labels->nodes + 1;
    wend_release(allocator, labels->first, room, sizeof *labels->first);
    wend_release(allocator, labels->count, room, sizeof *labels->count);
    wend_release(allocator, labels->entries, labels->capacity, sizeof *labels->entries);
    labels->first = labels->count = NULL, labels->entries = NULL;
}

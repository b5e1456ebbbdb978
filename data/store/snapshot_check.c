/*
 * snapshot_check.c - 64 KiB by a thread at a time, so that the content is looked at while it is in
 * the cache; see snapshot_check.h.
 */
#include "snapshot_check.h"
#include "base/cancel.h"
#include "base/pw_assert.h"
#include "data/graph/graph_origin.h"
#include "data/graph/name_buckets.h"
#include "data/graph/parallel.h"
#include "snapshot_sums.h"
#include <stdatomic.h>

#define UNIT_BLOCKS    (ALIGNMENT / GRAPH_BLOCK_BYTES) /* with bytes of one section at most */
#define PARALLEL_UNITS 64                              /* worth a second thread */

/* A check by several threads. */
struct checking {
    const struct snapshot_check *check;
    _Atomic uint64_t bad; /* the first bad block so far */
    atomic_bool leads_out;
};

/* True if all numbers are from first to first + count - 1. */
static bool are_within(const uint32_t *numbers, uint64_t length, uint32_t first, uint32_t count)
{
    bool holds = true;
    for (uint64_t i = 0; i < length / sizeof(*numbers); i++) {
        holds &= numbers[i] - first < count;
    }
    return holds;
}

/* The number of names and aliases. */
static uint32_t count_names(const struct graph *graph)
{
    const struct graph_names *aliases = graph->origin != NULL ? graph->origin->aliases : NULL;
    return graph->names->count + (aliases != NULL ? aliases->count : 0);
}

bool snapshot_piece_holds(const struct graph *graph, size_t kind, const void *piece, uint64_t begin,
                          uint64_t length)
{
    const uint64_t *offsets = piece;
    const uint64_t first = begin / sizeof(*offsets), count = length / sizeof(*offsets);
    switch (kind) {
    case SECTION_OFFSETS:
    case SECTION_IN_OFFSETS:
        return graph_offsets_ascend(offsets, count) &&
               (begin > 0 || (offsets[0] == 0 && offsets[graph->first_node] == 0)) &&
               (first + count <= graph->node_limit || offsets[count - 1] == graph->edge_count);
    case SECTION_NEIGHBOURS:
    case SECTION_IN_NEIGHBOURS:
    case SECTION_ID_ORDER:
        return graph_holds_nodes(graph, piece, length / sizeof(uint32_t));
    case SECTION_NAME_BUCKETS:
        return name_buckets_hold(piece, length / sizeof(struct name_bucket), graph->names->count);
    case SECTION_ALIAS_IDS:
        return are_within(piece, length, graph->names->first_id, graph->names->count);
    case SECTION_NAME_ORDER:
        return are_within(piece, length, 0, count_names(graph));
    case SECTION_FACTS: /* are a text */
        return begin + length < graph->origin->facts_length ||
               ((const char *)piece)[length - 1] == '\0';
    default:
        return true;
    }
}

/* True if the offsets of a piece go on from the piece before. */
static bool is_joined(size_t kind, const char *items, uint64_t begin)
{
    const uint64_t *here = (const uint64_t *)(const void *)(items + begin);
    const bool has_offsets = kind == SECTION_OFFSETS || kind == SECTION_IN_OFFSETS;
    return !has_offsets || begin == 0 || here[-1] <= here[0];
}

/* True if the bytes of a section from a place on, up to the next unit, lead nowhere else. */
static bool unit_holds(const struct snapshot_check *check, size_t kind, uint64_t place)
{
    const struct section *section = &check->header->sections[kind];
    const char *items = check->base + section->begin;
    const uint64_t begin = place - section->begin, left = section->length - begin;
    return snapshot_piece_holds(check->graph, kind, items + begin, begin,
                                left < ALIGNMENT ? left : ALIGNMENT) &&
           is_joined(kind, items, begin);
}

static void set_bad(struct checking *checking, uint64_t block)
{
    uint64_t before = atomic_load(&checking->bad);
    while (block < before && !atomic_compare_exchange_weak(&checking->bad, &before, block)) {
    }
}

static void check_unit(void *context, unsigned number, size_t index)
{
    (void)number;
    struct checking *checking = context;
    const struct snapshot_check *check = checking->check;
    const uint64_t first = index * UNIT_BLOCKS, place = index * ALIGNMENT;
    const size_t kind = snapshot_section_at(check->header, place);
    const struct section *section = kind < SECTION_COUNT ? &check->header->sections[kind] : NULL;
    const uint64_t end = section != NULL ? section->begin + section->length : place;
    if (first > atomic_load(&checking->bad) || cancel_is_set(check->cancel)) {
        return;
    }
    for (uint64_t block = first > 0 ? first : 1; block < first + UNIT_BLOCKS; block++) {
        const size_t own = block * GRAPH_BLOCK_BYTES < end ? kind : SECTION_COUNT;
        if ((check->kinds >> own & 1) &&
            snapshot_sum(check->base + block * GRAPH_BLOCK_BYTES) != check->sums[block]) {
            set_bad(checking, block);
            return;
        }
    }
    if (check->graph != NULL && section != NULL && (check->kinds >> kind & 1) &&
        !unit_holds(check, kind, place)) {
        atomic_store(&checking->leads_out, true);
    }
}

/* True if all names end in their texts. */
static bool names_hold(const struct graph *graph)
{
    const struct graph_names *aliases = graph->origin != NULL ? graph->origin->aliases : NULL;
    return (graph->names == NULL || graph_names_check(graph->names)) &&
           (aliases == NULL || graph_names_check(aliases));
}

bool snapshot_check(const struct snapshot_check *check, uint64_t *bad)
{
    const size_t units = (size_t)(check->header->block_count / UNIT_BLOCKS);
    struct checking checking = {.check = check, .bad = SNAPSHOT_NO_BLOCK};
    pw_assert(check->header->block_count % UNIT_BLOCKS == 0);
    parallel_each(units < PARALLEL_UNITS ? 1 : parallel_count(check->threads), units, check_unit,
                  &checking);
    *bad = atomic_load(&checking.bad);
    return *bad == SNAPSHOT_NO_BLOCK && !atomic_load(&checking.leads_out) &&
           !cancel_is_set(check->cancel) &&
           (check->graph == NULL || !(check->kinds >> SECTION_NAME_BEGINS & 1) ||
            names_hold(check->graph));
}

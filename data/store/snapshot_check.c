/*
 * snapshot_check.c - each array by a thread, in pieces; see snapshot_check.h.
 */
#include "snapshot_check.h"
#include "base/cancel.h"
#include "base/pw_assert.h"
#include "data/graph/graph_origin.h"
#include "data/graph/name_buckets.h"
#include "data/graph/parallel.h"
#include "snapshot_sums.h"
#include <stdatomic.h>

#define PIECE_SIZE    ((uint64_t)128 << 10) /* checked at a time; fits the second-level cache */
#define PARALLEL_SIZE ((uint64_t)4 << 20)   /* of a file worth a second thread */

/* True if the facts of an origin are a text. */
static bool facts_hold(const struct graph_origin *origin)
{
    return origin->facts == NULL || origin->facts[origin->facts_length - 1] == '\0';
}

/* True if no number of an origin leads out of the names and nodes. */
static bool origin_holds(const struct graph *graph)
{
    const struct graph_origin *origin = graph->origin;
    const struct graph_names *aliases = origin->aliases;
    pw_assert(graph->names != NULL);
    const uint32_t names = graph->names->count;
    const uint32_t all = names + (aliases != NULL ? aliases->count : 0);
    bool holds = true;
    if (aliases != NULL && !graph_names_check(aliases)) {
        return false;
    }
    for (uint32_t i = 0; aliases != NULL && i < aliases->count; i++) {
        holds &= origin->alias_ids[i] - graph->names->first_id < names;
    }
    for (uint32_t i = 0; origin->order != NULL && i < all; i++) {
        holds &= origin->order[i] < all;
    }
    return holds;
}

/* The checks of a snapshot's arrays, one section per thread. */
struct inspection {
    unsigned kinds; /* the sections that are checked, a bit each */
    const struct header *header;
    const struct graph *graph;
    const char *base;
    const volatile sig_atomic_t *cancel; /* or NULL */
    atomic_bool failed;
};

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

/* True if a section has its checksum and holds: each piece is in the cache for both. */
static bool section_holds(const struct inspection *inspection, size_t kind)
{
    const struct section *section = snapshot_section(inspection->header, kind);
    const char *items = inspection->base + section->begin;
    struct snapshot_sum sum;
    bool holds = true;
    snapshot_sum_start(&sum);
    for (uint64_t begin = 0; begin < section->length && holds;) {
        uint64_t left = section->length - begin;
        uint64_t end = begin + (left < PIECE_SIZE ? left : PIECE_SIZE);
        snapshot_sum_add(&sum, items + begin, (size_t)(end - begin));
        holds = snapshot_piece_holds(inspection->graph, kind, items + begin, begin, end - begin) &&
                is_joined(kind, items, begin) && !cancel_is_set(inspection->cancel);
        begin = end;
    }
    return holds && snapshot_sum_end(&sum) == section->checksum;
}

static void inspect_section(void *context, unsigned number, size_t index)
{
    (void)number;
    struct inspection *inspection = context;
    if ((inspection->kinds >> index & 1) &&
        snapshot_section(inspection->header, index)->length > 0 &&
        !section_holds(inspection, index)) {
        atomic_store(&inspection->failed, true);
    }
}

bool snapshot_arrays_hold(const struct header *header, unsigned kinds, const char *base,
                          unsigned threads, const struct graph *graph,
                          const volatile sig_atomic_t *cancel)
{
    struct inspection inspection = {
        .kinds = kinds, .header = header, .graph = graph, .base = base, .cancel = cancel};
    const bool with_names = kinds >> SECTION_NAME_BEGINS & 1;
    threads = header->file_size < PARALLEL_SIZE ? 1 : parallel_count(threads);
    parallel_each(threads, SECTION_COUNT, inspect_section, &inspection);
    return !atomic_load(&inspection.failed) &&
           (!with_names || graph->names == NULL || graph_names_check(graph->names)) &&
           (graph->origin == NULL || facts_hold(graph->origin)) &&
           (!with_names || graph->origin == NULL || origin_holds(graph));
}

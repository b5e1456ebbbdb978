/*
 * snapshot_arrays.c - lists the arrays of a graph, of its names, and of its further facts.
 */
#include "snapshot_arrays.h"
#include "base/pw_assert.h"
#include "data/graph/graph_origin.h"
#include "data/graph/name_buckets.h"
#include <string.h>

/* The arrays of an origin of that many names. */
static void list_origin(const struct graph_origin *origin, uint64_t names,
                        struct snapshot_array arrays[SECTION_COUNT])
{
    const struct graph_names *aliases = origin->aliases;
    uint64_t all = names;
    arrays[SECTION_FACTS] = (struct snapshot_array){origin->facts, origin->facts_length};
    arrays[SECTION_PAGE_IDS] = (struct snapshot_array){origin->page_ids, names * sizeof(uint32_t)};
    if (aliases != NULL && aliases->count > 0) {
        const uint64_t count = aliases->count;
        arrays[SECTION_ALIAS_BEGINS] =
            (struct snapshot_array){aliases->begins, (count + 1) * sizeof(*aliases->begins)};
        arrays[SECTION_ALIAS_TEXT] = (struct snapshot_array){aliases->text, aliases->begins[count]};
        arrays[SECTION_ALIAS_IDS] =
            (struct snapshot_array){origin->alias_ids, count * sizeof(uint32_t)};
        all += count;
    }
    arrays[SECTION_NAME_ORDER] = (struct snapshot_array){origin->order, all * sizeof(uint32_t)};
}

void snapshot_list_arrays(const struct graph *graph, struct snapshot_array arrays[SECTION_COUNT])
{
    const struct graph_names *names = graph->names;
    uint64_t offsets = ((uint64_t)graph->node_limit + 1) * sizeof(*graph->offsets);
    uint64_t neighbours = graph->edge_count * sizeof(*graph->neighbours);
    uint64_t ids = (uint64_t)graph->node_limit * sizeof(*graph->original_ids);
    memset(arrays, 0, SECTION_COUNT * sizeof(*arrays));
    arrays[SECTION_OFFSETS] = (struct snapshot_array){graph->offsets, offsets};
    arrays[SECTION_NEIGHBOURS] = (struct snapshot_array){graph->neighbours, neighbours};
    arrays[SECTION_IN_OFFSETS] = (struct snapshot_array){graph->in_offsets, offsets};
    arrays[SECTION_IN_NEIGHBOURS] = (struct snapshot_array){graph->in_neighbours, neighbours};
    arrays[SECTION_ORIGINAL_IDS] = (struct snapshot_array){graph->original_ids, ids};
    arrays[SECTION_ID_ORDER] = (struct snapshot_array){
        graph->id_order, (uint64_t)graph_node_count(graph) * sizeof(*graph->id_order)};
    if (names != NULL) {
        pw_assert(names->begins != NULL);
        uint64_t begins = ((uint64_t)names->count + 1) * sizeof(*names->begins);
        arrays[SECTION_NAME_BEGINS] = (struct snapshot_array){names->begins, begins};
        arrays[SECTION_NAME_TEXT] =
            (struct snapshot_array){names->text, names->begins[names->count]};
        const uint64_t buckets = name_bucket_count(names->count);
        arrays[SECTION_NAME_BUCKETS] =
            (struct snapshot_array){names->buckets, buckets * sizeof(*names->buckets)};
    }
    if (names != NULL && graph->origin != NULL) {
        list_origin(graph->origin, names->count, arrays);
    }
    for (size_t i = 0; i < SECTION_COUNT; i++) {
        arrays[i].length = arrays[i].items != NULL ? arrays[i].length : 0;
    }
}

/*
 * wide_edges.h - edges whose ids have more than 32 bits, numbered as they occur.
 *
 * For a compact load: the ids become names, as the graph has no room for an id of 64 bits per node.
 * Cost: one look-up per id, 12 to 24 bytes per node while the file is read; one thread.
 */
#pragma once

#include "data/graph/graph_names.h"
#include "edge_scan.h"

struct wide_slot {
    uint64_t id;
    uint32_t number; /* from 1; 0: empty */
};

/* The number of each id. Zeroed at first. */
struct wide_ids {
    struct wide_slot *slots;
    uint64_t slot_count; /* a power of 2, at most half full */
    uint64_t *ids;       /* by number, from 0 */
    size_t capacity;
    uint32_t count;
};

void wide_ids_free(struct wide_ids *ids);

/* The bytes that the table takes. */
uint64_t wide_ids_memory(const struct wide_ids *ids);

/* The decimal numbers of the ids as names, in their order. NULL when out of memory. */
struct graph_names *wide_ids_names(const struct wide_ids *ids);

/*
 * Add the edges of a block of whole lines, as edge_scan_block does: false at a bad line, when out
 * of memory, or at more ids than a graph has nodes. scan->rules: any 64-bit ids.
 */
bool wide_edges_scan_block(struct wide_ids *ids, struct edge_scan *scan, const char *text,
                           size_t length);

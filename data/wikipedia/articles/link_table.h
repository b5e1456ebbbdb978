/*
 * link_table.h - the links between nodes as they come, into sorted adjacency lists.
 *
 * 1. Dumps are in the order of the pages, and nodes are numbered in that order: the links are
 *    appended, 4 bytes each, and are adjacency lists already.
 * 2. Where they are not in order, or are more than the limit allows, this pass only counts. Further
 *    passes over the dump then put the links of a range of nodes into their places; what is done is
 *    kept in a file without a name that is mapped.
 * 3. Each list is sorted and its duplicates are dropped, by several threads.
 * So the result is the same in any order of the dump, with any limit and any number of threads.
 * Cost: 8 bytes per node, 4 per link that is kept before duplicates are dropped, or the limit.
 */
#pragma once

#include "data/graph/graph.h"
#include <stdio.h>

struct link_table {
    /* To be set: */
    uint32_t node_count;
    uint64_t limit; /* bytes for links; 0: none */
    unsigned threads;
    bool keep_duplicates;
    const char *folder; /* for the file without a name */

    /* The result: */
    uint64_t *offsets; /* node_count + 1 */
    uint32_t *targets; /* mapped: size bytes */
    uint64_t size;
    uint64_t edge_count, duplicates;
    unsigned passes;

    /* Its own: */
    int phase;
    uint64_t used;
    uint64_t sum, first_sum; /* of how many links each node has: in this pass, in the first */
    uint32_t last_node;
    uint32_t first, end; /* the nodes whose links this pass places */
    FILE *file;          /* the links of ranges that are done, or NULL */
};

/* False when out of memory. */
bool link_table_open(struct link_table *table);

/* The links of a node, or some of them, at least one, to any nodes. False with errno set. */
bool link_table_take(struct link_table *table, uint32_t node, const uint32_t *targets,
                     size_t count);

/* At the end of a pass over the dump. *again: another one is needed. False with errno set. */
bool link_table_end_pass(struct link_table *table, bool *again);

/* What errno means behind a failure of these two; that the links of a page are others than in the
 * pass before is one of the reasons. */
const char *link_table_reason(void);

/* A zeroed table is fine. */
void link_table_free(struct link_table *table);

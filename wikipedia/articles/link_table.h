/*
 * link_table.h - turns the links of a dump into the sorted adjacency lists of a file.
 *
 * 1. Dumps are in the order of the pages, and nodes are numbered in that order. Each list is
 *    complete when the next node's list begins, and goes to the file.
 * 2. If a dump is not in order, a second pass counts. Each further pass places the links of one
 *    range of nodes, as many as the limit allows.
 * Lists are sorted, and duplicates dropped. So the result is the same in any order of the dump and
 * with any limit. Cost: 8 bytes per node, plus two megabytes or the limit.
 */
#pragma once

#include "data/store/snapshot_ahead.h"

struct link_table {
    /* To be set: */
    uint32_t node_count;
    uint64_t limit; /* bytes for the links of a range */
    bool keep_duplicates;
    struct snapshot_ahead *out; /* where the lists go */
    uint64_t *offsets;          /* node_count + 1, zeroed; where each list begins, in the end */

    /* The result: */
    uint64_t duplicates;
    uint64_t size; /* bytes for links at most, beyond two megabytes */
    unsigned passes;

    /* Its own: */
    int phase;
    uint32_t *targets;       /* lists that are not in the file yet */
    uint64_t room, used;     /* links: capacity; in memory, or before the range */
    uint64_t sum, first_sum; /* hash of the link counts: of this pass, of the first */
    uint64_t last_length;    /* of the last node's list, which is not sorted yet */
    uint32_t last_node;
    uint32_t first, end; /* the nodes whose links this pass places */
};

/* False with errno set. */
bool link_table_open(struct link_table *table);

/* The links of a node, or some of them, at least one, to any nodes. False with errno set. */
bool link_table_take(struct link_table *table, uint32_t node, const uint32_t *targets,
                     size_t count);

/* At the end of a pass over the dump. *again: another one is needed. False with errno set. */
bool link_table_end_pass(struct link_table *table, bool *again);

/* What errno means after one of these failed. One of the reasons: the links of a page differ from
 * the pass before. */
const char *link_table_reason(void);

/* A zeroed table is fine. */
void link_table_free(struct link_table *table);

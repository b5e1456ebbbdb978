/*
 * target_order.h - the reverse adjacency of a file that is sorted by target, as SuiteSparse's are.
 *
 * 1. Such a file lists the in-neighbours of one node after the other. So its sources, in file
 *    order, are in_neighbours, and the lengths of the runs of one target are the in-degrees.
 * 2. Each segment of the file is a part. A thread keeps the part's sources in its own memory.
 * 3. In the end the parts are joined, in memory of other parts and of the forward pass.
 * A file that is not sorted shows it in its first lines, and costs nothing after that.
 * Worth: without it, a load of the challenge's file with the reverse adjacency takes 1.6 times the
 * processor time (1 M nodes, 12.6 M edges: 0.60 s instead of 0.36 s, two loads).
 * Cost: 4 bytes per edge on the way, and one copy of them.
 */
#pragma once

#include "data/graph/graph.h"
#include "data/read/target_part.h"

struct target_order {
    size_t part_count;
    struct target_part *parts;
    unsigned writer_count;
    struct edge_writer *writers;
    struct edge_segment *segments; /* one per part */
    uint64_t node_limit;
    uint64_t *offsets; /* of the reverse adjacency */
};

/*
 * Prepare for a file of part_count parts and about edge_count edges, read by writer_count threads.
 * memory_left: as in an edge_writer. False when out of memory; free it all the same.
 */
bool target_order_init(struct target_order *order, size_t part_count, unsigned writer_count,
                       uint64_t node_limit, uint64_t edge_count, atomic_int_least64_t *memory_left);
void target_order_free(struct target_order *order);

/* The part for a segment's edges, by the thread with that number; NULL if order is zeroed. */
struct target_part *target_order_open(struct target_order *order, size_t index, unsigned number);

/* End the part of a segment; does nothing if part is NULL. */
void target_order_close(struct target_order *order, struct target_part *part);

/* True if the whole file is sorted, once all parts are closed. */
bool target_order_holds(const struct target_order *order);

/*
 * Give a graph whose other arrays are complete its reverse adjacency; once, and only if the order
 * holds. used: as many writers as order has; their memory is reused. False when out of memory.
 */
bool target_order_build(struct target_order *order, struct edge_writer *used, struct graph *graph);

/*
 * Give a graph whose other arrays are complete its reverse adjacency: from the file's order if that
 * holds, else from its lists. writers: used ones; their memory is reused. False with error set when
 * out of memory; its place is "graph".
 */
bool target_order_finish(struct target_order *order, struct edge_writer *writers,
                         unsigned writer_count, struct graph *graph, struct graph_error *error);

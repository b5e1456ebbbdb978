/*
 * node_block.h - shows values of all nodes to all ranks, a block of nodes at a time.
 *
 * So a rank needs only bounded memory for the nodes of others. Cost: the value of every node passes
 * every rank.
 */
#pragma once

#include "mpi/graph/mpi_graph.h"

#define NODE_BLOCK_NODES ((uint64_t)4 << 20)

struct node_block {
    const struct mpi_graph *graph;
    uint64_t first, end;             /* the nodes of the block */
    uint64_t local_first, local_end; /* this rank's nodes among them, by local number */
};

/* The first step is to the first block. */
static inline struct node_block node_block_start(const struct mpi_graph *graph)
{
    return (struct node_block){.graph = graph};
}

/* The most nodes in a block. */
static inline size_t node_block_size(const struct mpi_graph *graph)
{
    const uint64_t limit = graph->partition.node_limit;
    return (size_t)(limit < NODE_BLOCK_NODES ? limit : NODE_BLOCK_NODES);
}

/* Step to the next block; false after the last. */
bool node_block_next(struct node_block *block);

/*
 * Collective. Fill in values, one of 4 or 8 bytes per node of the block: before the call the owner
 * has its value there, the others 0.
 */
void node_block_share(const struct node_block *block, void *values, MPI_Datatype type);

static inline uint64_t node_block_global(const struct node_block *block, uint64_t local)
{
    const struct mpi_partition *partition = &block->graph->partition;
    return mpi_global(partition, partition->rank, local);
}

static inline bool node_block_has(const struct node_block *block, uint64_t node)
{
    return node >= block->first && node < block->end;
}

/*
 * node_block.c - see node_block.h. The owner's value "or" zeros is the owner's value, for every
 * partition.
 */
#include "node_block.h"

bool node_block_next(struct node_block *block)
{
    const uint64_t limit = block->graph->partition.node_limit;
    if (block->end >= limit) {
        return false;
    }
    block->first = block->end;
    block->end = limit - block->first < NODE_BLOCK_NODES ? limit : block->first + NODE_BLOCK_NODES;
    block->local_first = block->local_end;
    while (block->local_end < block->graph->local_count &&
           node_block_global(block, block->local_end) < block->end) {
        block->local_end++;
    }
    return true;
}

void node_block_share(const struct node_block *block, void *values, MPI_Datatype type)
{
    MPI_Allreduce(MPI_IN_PLACE, values, (int)(block->end - block->first), type, MPI_BOR,
                  block->graph->comm);
}

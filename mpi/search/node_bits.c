/*
 * node_bits.c - see node_bits.h.
 */
#include "node_bits.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

bool node_bits_open(struct node_bits *bits, const struct mpi_graph *graph)
{
    const struct mpi_partition *partition = &graph->partition;
    const size_t ranks = (size_t)partition->ranks;
    size_t words = 0;
    *bits = (struct node_bits){.graph = graph};
    bits->counts = calloc(2 * ranks, sizeof(*bits->counts));
    if (bits->counts == NULL || partition->node_limit / 64 >= INT_MAX - ranks) {
        node_bits_close(bits);
        return false;
    }
    bits->starts = bits->counts + ranks;
    for (int rank = 0; rank < partition->ranks; rank++) {
        bits->counts[rank] = (int)((mpi_local_count(partition, rank) + 63) / 64);
        bits->starts[rank] = (int)words;
        words += (size_t)bits->counts[rank];
    }
    bits->all_words = words;
    bits->own_words = (size_t)bits->counts[partition->rank];
    bits->own_first = mpi_global(partition, partition->rank, 0) / 64;
    bits->own_stride = partition->dealt ? ranks : 1;
    bits->dealt = partition->dealt && ranks > 1 ? calloc(words + 1, sizeof(*bits->dealt)) : NULL;
    if (partition->dealt && ranks > 1 && bits->dealt == NULL) {
        node_bits_close(bits);
        return false;
    }
    return true;
}

void node_bits_close(struct node_bits *bits)
{
    free(bits->counts);
    free(bits->dealt);
    memset(bits, 0, sizeof(*bits));
}

void node_bits_gather(const struct node_bits *bits, const uint64_t *own, uint64_t *all,
                      struct level_cost *cost)
{
    const struct mpi_partition *partition = &bits->graph->partition;
    const size_t ranks = (size_t)partition->ranks;
    if (ranks == 1) {
        memcpy(all, own, bits->own_words * sizeof(*all));
        return;
    }
    MPI_Allgatherv(own, (int)bits->own_words, MPI_UINT64_T, bits->dealt != NULL ? bits->dealt : all,
                   bits->counts, bits->starts, MPI_UINT64_T, bits->graph->comm);
    for (size_t rank = 0; bits->dealt != NULL && rank < ranks; rank++) {
        const uint64_t *from = bits->dealt + bits->starts[rank];
        for (size_t i = 0; i < (size_t)bits->counts[rank]; i++) {
            all[rank + i * ranks] = from[i];
        }
    }
    cost->messages += bits->own_words > 0 ? ranks - 1 : 0;
    cost->bytes += bits->own_words * sizeof(*own) * (ranks - 1);
}

void node_bits_scatter(const struct node_bits *bits, const uint64_t *all, uint64_t *own,
                       struct level_cost *cost)
{
    const size_t ranks = (size_t)bits->graph->partition.ranks;
    if (ranks == 1) {
        memcpy(own, all, bits->own_words * sizeof(*own));
        return;
    }
    for (size_t rank = 0; bits->dealt != NULL && rank < ranks; rank++) {
        uint64_t *to = bits->dealt + bits->starts[rank];
        for (size_t i = 0; i < (size_t)bits->counts[rank]; i++) {
            to[i] = all[rank + i * ranks];
        }
    }
    MPI_Reduce_scatter(bits->dealt != NULL ? bits->dealt : all, own, bits->counts, MPI_UINT64_T,
                       MPI_BOR, bits->graph->comm);
    cost->messages += ranks - 1;
    cost->bytes += (bits->all_words - bits->own_words) * sizeof(*own);
}

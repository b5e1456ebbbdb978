/*
 * mpi_graph.h - a directed graph, divided among the ranks of an MPI communicator.
 *
 * 1. The ids of the file are cut into words of 64 nodes. In a block partition each rank owns
 *    consecutive words; in a dealt one word w belongs to rank w mod ranks. So a bitmap of nodes can
 *    be gathered by words either way. Dealt words balance a file in which nodes of high degree
 *    cluster.
 * 2. A rank numbers its nodes from 0, in ascending order of ids (mpi_local), and holds their
 *    adjacency lists in both directions. Neighbours are ids of the file.
 * 3. Rank 0 knows what the nodes are called, for pairs and reports.
 * 4. Every function here that takes a communicator is collective: all ranks call it, and all get
 *    the same outcome, with the same error.
 */
#pragma once

#include "base/pw_assert.h"
#include "base/wide.h"
#include "data/graph/graph.h"
#include "data/graph/graph_options.h"
#include <mpi.h>
#include <signal.h>

#define PARTITION_WORD 64 /* nodes per word of a partition */

/* Which rank owns which node. Made by mpi_partition_make. */
struct mpi_partition {
    uint64_t first_node, node_limit; /* as in struct graph */
    int rank, ranks;
    bool dealt;       /* word by word in turn; else a block of words each */
    uint64_t divisor; /* of a word's number: ranks if dealt, else words per rank */
    uint64_t inverse; /* 2^64 / divisor, rounded up; 0: the divisor is 1 */
};

/* The partition of nodes below node_limit among the ranks of a communicator; first_node: 0 or 1. */
struct mpi_partition mpi_partition_make(MPI_Comm comm, uint64_t first_node, uint64_t node_limit,
                                        bool dealt);

/* A word's number divided by the divisor; *rest: the remainder. Source: D. Lemire, "Faster
 * Remainder by Direct Computation" (2019). */
static inline uint64_t mpi_word_divide(const struct mpi_partition *partition, uint64_t word,
                                       uint64_t *rest)
{
    const uint64_t quotient = partition->inverse != 0 ? wide_high(partition->inverse, word) : word;
    pw_assert(word >> 32 == 0);
    *rest = word - quotient * partition->divisor;
    return quotient;
}

/* The rank that owns a node. */
static inline int mpi_owner(const struct mpi_partition *partition, uint64_t id)
{
    uint64_t rest;
    uint64_t quotient = mpi_word_divide(partition, id / PARTITION_WORD, &rest);
    pw_assert(id < partition->node_limit);
    return (int)(partition->dealt ? rest : quotient);
}

/* The number of a node at its owner, from 0. */
static inline uint64_t mpi_local(const struct mpi_partition *partition, uint64_t id)
{
    uint64_t rest;
    uint64_t quotient = mpi_word_divide(partition, id / PARTITION_WORD, &rest);
    return (partition->dealt ? quotient : rest) * PARTITION_WORD + id % PARTITION_WORD;
}

/* The id of a rank's node. */
static inline uint64_t mpi_global(const struct mpi_partition *partition, int rank, uint64_t index)
{
    uint64_t word = index / PARTITION_WORD;
    word = partition->dealt ? word * partition->divisor + (uint64_t)rank
                            : word + partition->divisor * (uint64_t)rank;
    return word * PARTITION_WORD + index % PARTITION_WORD;
}

/* Bitmaps of nodes, or of local numbers: a word has the bits of a word of the partition. */
static inline bool mpi_bit_test(const uint64_t *words, uint64_t node)
{
    return words[node / PARTITION_WORD] >> (node % PARTITION_WORD) & 1;
}

static inline void mpi_bit_set(uint64_t *words, uint64_t node)
{
    words[node / PARTITION_WORD] |= UINT64_C(1) << (node % PARTITION_WORD);
}

static inline void mpi_bit_clear(uint64_t *words, uint64_t node)
{
    words[node / PARTITION_WORD] &= ~(UINT64_C(1) << (node % PARTITION_WORD));
}

/* How many nodes a rank owns, including the unused node 0 of a 1-based file. */
uint64_t mpi_local_count(const struct mpi_partition *partition, int rank);

/* Adjacency lists: node of local number i has neighbours[offsets[i]] to neighbours[offsets[i + 1] -
 * 1]. */
struct mpi_rows {
    uint64_t *offsets; /* one more than local nodes */
    uint32_t *neighbours;
};

struct mpi_graph {
    MPI_Comm comm;
    struct mpi_partition partition;
    struct mpi_rows out; /* each list in the order of the edges given, as in struct graph */
    struct mpi_rows in;  /* a node's in-neighbours; ascending in a block partition */
    uint64_t local_count;
    uint64_t local_edges, local_in_edges; /* entries of out and in here */
    uint64_t edge_count;                  /* of all ranks */
    uint64_t checksum;                    /* see graph_checksum.h, the same for every number
                                             of ranks; 0 until mpi_graph_checksum */
    struct graph nodes; /* at rank 0: first and last id, and the names if there are any; its lists
                           are not used */
};

struct mpi_load_options {
    /* Used are: memory_limit (of each rank), note (of rank 0) and cancel. */
    struct graph_options input;
    bool dealt; /* deal the nodes out in words of 64, instead of a block per rank */
};

struct mpi_edge {
    uint32_t from, to;
};

/* Where edges come from: each rank's own share of them, batch by batch. */
struct mpi_edge_source {
    /* Write at most capacity edges. Returns how many, 0 after the last. */
    size_t (*next)(void *context, struct mpi_edge *edges, size_t capacity);
    void *context;
};

/*
 * Build a graph from the edges of all ranks: the edges of rank 0 in their order, then the edges of
 * rank 1, and so on. Edges go to their owners in rounds, so that a rank's buffers take at most
 * ROUND_BYTES. Cost: at most 16 bytes of memory per edge and 16 per node, both local. cancel: give
 * up when it is not zero, or NULL. On failure the graph is zeroed; else the caller frees it with
 * mpi_graph_release.
 */
bool mpi_graph_build(MPI_Comm comm, const struct mpi_partition *partition,
                     const struct mpi_edge_source *source, const volatile sig_atomic_t *cancel,
                     struct mpi_graph *graph, struct graph_error *error);

/* Make the lists in from out if they are missing. As mpi_graph_build, but on failure the caller
 * still frees the graph. */
bool mpi_graph_add_in(struct mpi_graph *graph, const volatile sig_atomic_t *cancel,
                      struct graph_error *error);

/* Zeroed arrays for the offsets and the neighbours of lists; mpi_graph_release frees them. nodes
 * and edges: of this rank. False when out of memory. */
bool mpi_rows_map_offsets(struct mpi_rows *rows, uint64_t nodes);
bool mpi_rows_map_neighbours(struct mpi_rows *rows, uint64_t edges);

#define ROUND_BYTES ((uint64_t)64 << 20)

/*
 * The most memory that building takes at one rank, in bytes, if nodes and edges are spread evenly:
 * 16 per node and 16 per edge, divided by the ranks, plus ROUND_BYTES.
 */
uint64_t mpi_graph_memory(uint64_t node_count, uint64_t edge_count, int ranks);

/*
 * Refuse a graph that needs more than limit at a rank. limit 0: the memory available there, shared
 * with the ranks of the same machine. place: the name for the error.
 */
bool mpi_graph_fits(MPI_Comm comm, const char *place, const struct mpi_partition *partition,
                    uint64_t edge_count, uint64_t limit, struct graph_error *error);

/* Set graph->checksum. Collective. Cost: one pass over the lists, rank after rank. */
void mpi_graph_checksum(struct mpi_graph *graph);

/* Free what a rank holds, and zero the struct; an all-zero graph is fine. Not collective. */
void mpi_graph_release(struct mpi_graph *graph);

/* True if every rank says true; all ranks get the same answer. */
bool mpi_all_say(MPI_Comm comm, bool mine);

/*
 * One outcome for all ranks: true if every rank says true. Else false everywhere, and error comes
 * from the first rank that said false.
 */
bool mpi_all_agree(MPI_Comm comm, bool mine, struct graph_error *error);

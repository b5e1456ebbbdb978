/*
 * kernel_one.c - see kernel_one.h.
 */
#include "kernel_one.h"
#include "data/make/kronecker.h"
#include "data/make/random_stream.h"
#include "node_block.h"
#include <stdlib.h>
#include <string.h>

#define DRAWS_PER_ROUND 64 /* keys whose owners are asked at a time */
#define ROUNDS_PER_KEY  64 /* at most; a key not found by then does not exist */

/* The hash of an edge: sums of it do not depend on the order of the edges. */
static uint64_t edge_hash(uint64_t from, uint64_t to)
{
    return splitmix_mix(splitmix_mix(from + 1) + to);
}

bool edge_share_draw(MPI_Comm comm, const struct graph500_options *options,
                     struct edge_share *share, struct graph_error *error)
{
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const uint64_t all = options->edgefactor << options->scale, each = all / (uint64_t)ranks;
    const uint64_t rest = all % (uint64_t)ranks, number = (uint64_t)rank;
    const uint64_t first = number * each + (number < rest ? number : rest);
    *share = (struct edge_share){.count = each + (number < rest)};
    share->edges = malloc((size_t)share->count * sizeof(*share->edges) + 1);
    bool done = share->edges != NULL;
    if (!done) {
        graph_fail(error, "graph", "out of memory for %llu edges per rank",
                   (unsigned long long)share->count);
    }
    if (!mpi_all_agree(comm, done, error) || !done) {
        free(share->edges);
        *share = (struct edge_share){.edges = NULL};
        return false;
    }
    struct kronecker kronecker;
    kronecker_open(&kronecker, options->scale, options->seed);
    for (uint64_t i = 0; i < share->count; i++) {
        uint64_t ends[2];
        kronecker_edge(&kronecker, first + i, ends);
        share->edges[i] = (struct mpi_edge){(uint32_t)ends[0], (uint32_t)ends[1]};
    }
    return true;
}

/* Building ------------------------------------------------------------------------------------ */

struct reading {
    const struct edge_share *share;
    uint64_t next;
};

/* Edges in both directions, loops left out. */
static size_t give_edges(void *context, struct mpi_edge *edges, size_t capacity,
                         struct graph_error *error)
{
    struct reading *reading = context;
    size_t count = 0;
    (void)error;
    while (reading->next < reading->share->count && count + 2 <= capacity) {
        const struct mpi_edge edge = reading->share->edges[reading->next++];
        if (edge.from != edge.to) {
            edges[count++] = edge;
            edges[count++] = (struct mpi_edge){edge.to, edge.from};
        }
    }
    return count;
}

bool edge_share_build(MPI_Comm comm, const struct graph500_options *options,
                      const struct edge_share *share, struct mpi_graph *graph,
                      struct graph_error *error)
{
    struct reading reading = {.share = share};
    const struct mpi_edge_source source = {
        .next = give_edges, .context = &reading, .is_symmetric = true};
    const struct mpi_partition partition =
        mpi_partition_make(comm, 0, UINT64_C(1) << options->scale, false);
    return mpi_graph_build(comm, &partition, &source, NULL, graph, error);
}

bool edge_share_check(const struct mpi_graph *graph, const struct edge_share *share,
                      struct graph_error *error)
{
    const struct mpi_rows *rows = &graph->out;
    uint64_t sums[2] = {0, 0};
    for (uint64_t i = 0; i < share->count; i++) {
        const struct mpi_edge edge = share->edges[i];
        if (edge.from != edge.to) {
            sums[0] += edge_hash(edge.from, edge.to) + edge_hash(edge.to, edge.from);
        }
    }
    for (uint64_t local = 0; local < graph->local_count; local++) {
        const uint64_t node = mpi_global(&graph->partition, graph->partition.rank, local);
        for (uint64_t entry = rows->offsets[local]; entry < rows->offsets[local + 1]; entry++) {
            sums[1] += edge_hash(node, rows->neighbours[entry]);
        }
    }
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_UINT64_T, MPI_SUM, graph->comm);
    return sums[0] == sums[1] ||
           graph_fail(error, "graph", "its lists are not the edges that were drawn");
}

/* Order --------------------------------------------------------------------------------------- */

static uint64_t degree(const struct mpi_graph *graph, uint64_t local)
{
    return graph->out.offsets[local + 1] - graph->out.offsets[local];
}

/* Take the neighbours in a block of nodes into account. best: of each list, so far. */
static void order_block(struct mpi_graph *graph, const struct node_block *block,
                        const uint32_t *degrees, uint32_t *best)
{
    const struct mpi_rows *rows = &graph->out;
    for (uint64_t local = 0; local < graph->local_count; local++) {
        uint32_t *list = rows->neighbours + rows->offsets[local];
        const uint64_t count = degree(graph, local);
        for (uint64_t i = 0; i < count; i++) {
            const uint32_t other = list[i];
            if (node_block_has(block, other) && degrees[other - block->first] > best[local]) {
                best[local] = degrees[other - block->first];
                list[i] = list[0];
                list[0] = other;
            }
        }
    }
}

bool put_hubs_first(struct mpi_graph *graph, struct graph_error *error)
{
    uint32_t *degrees = calloc(node_block_size(graph), sizeof(*degrees));
    uint32_t *best = calloc((size_t)graph->local_count + 1, sizeof(*best));
    bool done = degrees != NULL && best != NULL;
    if (!done) {
        graph_fail(error, "graph", "out of memory to order its lists");
    }
    done = mpi_all_agree(graph->comm, done, error) && done;
    for (struct node_block block = node_block_start(graph); done && node_block_next(&block);) {
        memset(degrees, 0, (size_t)(block.end - block.first) * sizeof(*degrees));
        for (uint64_t local = block.local_first; local < block.local_end; local++) {
            const uint64_t own = degree(graph, local);
            degrees[node_block_global(&block, local) - block.first] =
                (uint32_t)(own < UINT32_MAX ? own : UINT32_MAX);
        }
        node_block_share(&block, degrees, MPI_UINT32_T);
        order_block(graph, &block, degrees, best);
    }
    free(degrees);
    free(best);
    return done;
}

/* Keys ---------------------------------------------------------------------------------------- */

static bool has_neighbour(const struct mpi_graph *graph, uint64_t node)
{
    const struct mpi_partition *partition = &graph->partition;
    if (mpi_owner(partition, node) != partition->rank) {
        return false;
    }
    const uint64_t *offsets = graph->out.offsets + mpi_local(partition, node);
    return offsets[1] > offsets[0];
}

static bool is_among(const uint64_t *keys, size_t count, uint64_t key)
{
    for (size_t i = 0; i < count; i++) {
        if (keys[i] == key) {
            return true;
        }
    }
    return false;
}

size_t draw_keys(const struct mpi_graph *graph, const struct graph500_options *options,
                 uint64_t *keys, size_t count)
{
    const uint64_t nodes = graph->partition.node_limit;
    const uint64_t rounds_max = nodes < ROUNDS_PER_KEY * count ? nodes : ROUNDS_PER_KEY * count;
    uint64_t state = random_stream(options->seed, STREAM_KEYS, options->scale);
    size_t found = 0;
    for (uint64_t round = 0; round < rounds_max && found < count; round++) {
        uint64_t draws[DRAWS_PER_ROUND], usable = 0;
        for (size_t i = 0; i < DRAWS_PER_ROUND; i++) {
            draws[i] = random_below(splitmix_next(&state), nodes);
            usable |= (uint64_t)has_neighbour(graph, draws[i]) << i;
        }
        MPI_Allreduce(MPI_IN_PLACE, &usable, 1, MPI_UINT64_T, MPI_BOR, graph->comm);
        for (size_t i = 0; i < DRAWS_PER_ROUND && found < count; i++) {
            if ((usable >> i & 1) != 0 && !is_among(keys, found, draws[i])) {
                keys[found++] = draws[i];
            }
        }
    }
    return found;
}

/*
 * mpi_build.c - turns the edges of all ranks into adjacency lists at their owners.
 *
 * 1. Round after round (mpi_round.h) each rank takes a batch of its edges, sorts it by owner, and
 *    exchanges it. It also says if it has more or has failed, so that all leave the same round.
 * 2. Edges from one rank are kept in that rank's chain of chunks, in order, and the degrees are
 *    counted on the way.
 * 3. The chains, one after the other, are placed into the lists, and freed chunk by chunk.
 * 4. The lists of the other direction are made in the same way from the first lists.
 */
#include "base/macros.h"
#include "data/graph/graph_memory.h"
#include "mpi_round.h"
#include <stdlib.h>

#define EDGE_IDS    2
#define ROUND_EDGES ((size_t)1 << 20) /* received by a rank per round, at most */
#define BATCH_MAX   ((size_t)1 << 17)
#define BATCH_MIN   ((size_t)1 << 12)
#define CHUNK_MAX   ((size_t)2 << 20) /* bytes */
#define CHUNK_MIN   ((size_t)16 << 10)
#define CHUNKS_SIZE ((size_t)32 << 20) /* for the last, perhaps empty, chunks of all chains */

struct chunk {
    struct chunk *next;
    size_t count;
    struct mpi_edge edges[];
};

struct chain {
    struct chunk *first, *last;
};

/* What a rank says of itself in every round; the largest value counts. */
enum round_state { ROUND_DONE, ROUND_MORE, ROUND_FAILED };

struct exchange {
    MPI_Comm comm;
    const struct mpi_partition *partition;
    const volatile sig_atomic_t *cancel;
    struct graph_error *error;
    struct mpi_round round;
    size_t batch_size, chunk_size;
    struct mpi_edge *batch, *send, *receive;
    struct chain *chains; /* one per rank that sends */
    bool failed;          /* this rank failed; error says why */
};

static bool fail_for_memory(const struct exchange *exchange)
{
    return graph_fail(exchange->error, "graph", "out of memory at rank %d",
                      exchange->partition->rank);
}

static bool exchange_open(struct exchange *exchange)
{
    const size_t ranks = (size_t)exchange->partition->ranks;
    size_t batch = ROUND_EDGES / ranks, chunk = CHUNKS_SIZE / ranks;
    batch = batch > BATCH_MAX ? BATCH_MAX : batch < BATCH_MIN ? BATCH_MIN : batch;
    chunk = chunk > CHUNK_MAX ? CHUNK_MAX : chunk < CHUNK_MIN ? CHUNK_MIN : chunk;
    exchange->batch_size = batch;
    exchange->chunk_size = chunk;
    exchange->batch = malloc(batch * sizeof(*exchange->batch));
    exchange->send = malloc(batch * sizeof(*exchange->send));
    exchange->receive = malloc(batch * ranks * sizeof(*exchange->receive));
    exchange->chains = calloc(ranks, sizeof(*exchange->chains));
    const bool opened =
        mpi_round_open(&exchange->round, exchange->comm, 1, EDGE_IDS, batch * ranks);
    return (opened && exchange->batch != NULL && exchange->send != NULL &&
            exchange->receive != NULL && exchange->chains != NULL) ||
           fail_for_memory(exchange);
}

static void free_chain(struct chain *chain, size_t chunk_size)
{
    while (chain->first != NULL) {
        struct chunk *next = chain->first->next;
        memory_unmap(chain->first, chunk_size);
        chain->first = next;
    }
    chain->last = NULL;
}

static void exchange_close(struct exchange *exchange)
{
    for (int i = 0; exchange->chains != NULL && i < exchange->partition->ranks; i++) {
        free_chain(&exchange->chains[i], exchange->chunk_size);
    }
    mpi_round_close(&exchange->round);
    free(exchange->batch);
    free(exchange->send);
    free(exchange->receive);
    free(exchange->chains);
}

/* Sort the batch by owner into send. */
static void sort_batch(struct exchange *exchange, size_t count)
{
    const struct mpi_partition partition = *exchange->partition;
    struct mpi_round *round = &exchange->round;
    mpi_round_start(round);
    for (size_t i = 0; i < count; i++) {
        mpi_round_count(round, mpi_owner(&partition, exchange->batch[i].from), 0);
    }
    mpi_round_place(round);
    for (size_t i = 0; i < count; i++) {
        const struct mpi_edge edge = exchange->batch[i];
        exchange->send[mpi_round_put(round, mpi_owner(&partition, edge.from), 0)] = edge;
    }
}

/* Append what one rank sent to its chain, and count the degrees. */
static bool keep(struct exchange *exchange, struct chain *chain, const struct mpi_edge *edges,
                 size_t count, uint64_t *degrees)
{
    const struct mpi_partition partition = *exchange->partition;
    const size_t capacity = (exchange->chunk_size - sizeof(struct chunk)) / sizeof(struct mpi_edge);
    pw_assert(degrees != NULL);
    for (size_t i = 0; i < count;) {
        struct chunk *last = chain->last;
        if (last == NULL || last->count == capacity) {
            last = memory_map(exchange->chunk_size, true);
            if (last == NULL) {
                return fail_for_memory(exchange);
            }
            *(chain->last == NULL ? &chain->first : &chain->last->next) = last;
            chain->last = last;
        }
        size_t part = capacity - last->count < count - i ? capacity - last->count : count - i;
        for (size_t k = 0; k < part; k++) {
            const struct mpi_edge edge = edges[i + k];
            last->edges[last->count + k] = edge;
            degrees[mpi_local(&partition, edge.from)]++;
        }
        last->count += part;
        i += part;
    }
    return true;
}

/* Send the batch and keep what comes. Returns the largest word of all ranks, the same at all. */
static enum round_state exchange_round(struct exchange *exchange, size_t count,
                                       enum round_state state, uint64_t *degrees)
{
    const struct mpi_round *round = &exchange->round;
    sort_batch(exchange, count);
    const enum round_state all = (enum round_state)mpi_round_run(
        &exchange->round, exchange->send, exchange->receive, (uint32_t)state);
    for (int i = 0; all != ROUND_FAILED && i < round->ranks && !exchange->failed; i++) {
        exchange->failed =
            !keep(exchange, &exchange->chains[i], exchange->receive + round->receive_starts[i],
                  mpi_round_received(round, i, 0), degrees);
    }
    return all;
}

/* Run all rounds. degrees: of the local nodes, zeroed. */
static bool exchange_all(struct exchange *exchange, const struct mpi_edge_source *source,
                         uint64_t *degrees)
{
    enum round_state all = ROUND_MORE;
    bool ended = false;
    while (all == ROUND_MORE) {
        size_t count = 0;
        if (!exchange->failed && !ended) {
            count = source->next(source->context, exchange->batch, exchange->batch_size);
            ended = count == 0;
        }
        if (exchange->cancel != NULL && *exchange->cancel) {
            exchange->failed = !graph_fail(exchange->error, "graph", "interrupted");
        }
        all = exchange_round(exchange, exchange->failed ? 0 : count,
                             exchange->failed ? ROUND_FAILED
                             : ended          ? ROUND_DONE
                                              : ROUND_MORE,
                             degrees);
    }
    return mpi_all_agree(exchange->comm, !exchange->failed, exchange->error);
}

/* Place the edges of all chains into lists; offsets has the degrees from index 2 on. */
static void place(struct exchange *exchange, struct mpi_rows *rows)
{
    const struct mpi_partition partition = *exchange->partition;
    for (int i = 0; i < partition.ranks; i++) {
        struct chain *chain = &exchange->chains[i];
        while (chain->first != NULL) {
            struct chunk *chunk = chain->first;
            for (size_t k = 0; k < chunk->count; k++) {
                const struct mpi_edge edge = chunk->edges[k];
                rows->neighbours[rows->offsets[mpi_local(&partition, edge.from) + 1]++] = edge.to;
            }
            chain->first = chunk->next;
            memory_unmap(chunk, exchange->chunk_size);
        }
        chain->last = NULL;
    }
}

/* A zeroed array of that many items, with room for one at least. */
static void *map_items(uint64_t count, size_t size)
{
    uint64_t bytes;
    return __builtin_mul_overflow(count > 0 ? count : 1, size, &bytes) || bytes > SIZE_MAX
               ? NULL
               : memory_map((size_t)bytes, true);
}

bool mpi_rows_map_offsets(struct mpi_rows *rows, uint64_t nodes)
{
    rows->offsets = map_items(nodes + 2, sizeof(*rows->offsets));
    return rows->offsets != NULL;
}

bool mpi_rows_map_neighbours(struct mpi_rows *rows, uint64_t edges)
{
    rows->neighbours = map_items(edges, sizeof(*rows->neighbours));
    return rows->neighbours != NULL;
}

/* Make lists of the edges of a source. *edge_count: how many this rank has. */
static bool build_rows(struct exchange *exchange, const struct mpi_edge_source *source,
                       struct mpi_rows *rows, uint64_t *edge_count)
{
    const uint64_t nodes = mpi_local_count(exchange->partition, exchange->partition->rank);
    /* Degrees are counted two places later. So their sums, one place later, are where the lists
     * begin; filling a list moves its sum to where the list ends. */
    bool done = mpi_rows_map_offsets(rows, nodes) || fail_for_memory(exchange);
    if (!mpi_all_agree(exchange->comm, done, exchange->error) ||
        !exchange_all(exchange, source, rows->offsets + 2)) {
        return false;
    }
    for (uint64_t i = 1; i < nodes + 2; i++) {
        rows->offsets[i] += rows->offsets[i - 1];
    }
    *edge_count = rows->offsets[nodes + 1];
    done = mpi_rows_map_neighbours(rows, *edge_count) || fail_for_memory(exchange);
    if (!mpi_all_agree(exchange->comm, done, exchange->error)) {
        return false;
    }
    place(exchange, rows);
    pw_assert(rows->offsets[nodes] == *edge_count);
    return true;
}

/* The edges of the existing lists, reversed. */
struct reversed {
    const struct mpi_graph *graph;
    uint64_t node, edge;
};

static size_t next_reversed(void *context, struct mpi_edge *edges, size_t capacity)
{
    struct reversed *reversed = context;
    const struct mpi_graph *graph = reversed->graph;
    const struct mpi_rows *out = &graph->out;
    size_t count = 0;
    for (; reversed->node < graph->local_count; reversed->node++) {
        const uint64_t end = out->offsets[reversed->node + 1];
        const uint32_t node =
            (uint32_t)mpi_global(&graph->partition, graph->partition.rank, reversed->node);
        while (reversed->edge < end && count < capacity) {
            edges[count++] = (struct mpi_edge){out->neighbours[reversed->edge++], node};
        }
        if (reversed->edge < end) {
            break;
        }
    }
    return count;
}

bool mpi_graph_add_in(struct mpi_graph *graph, const volatile sig_atomic_t *cancel,
                      struct graph_error *error)
{
    struct exchange exchange = {
        .comm = graph->comm, .partition = &graph->partition, .cancel = cancel, .error = error};
    struct reversed reversed = {.graph = graph};
    const struct mpi_edge_source source = {.next = next_reversed, .context = &reversed};
    bool done = mpi_all_agree(graph->comm, exchange_open(&exchange), error) &&
                build_rows(&exchange, &source, &graph->in, &graph->local_in_edges);
    exchange_close(&exchange);
    return done;
}

bool mpi_graph_build(MPI_Comm comm, const struct mpi_partition *partition,
                     const struct mpi_edge_source *source, const volatile sig_atomic_t *cancel,
                     struct mpi_graph *graph, struct graph_error *error)
{
    *graph = (struct mpi_graph){.comm = comm, .partition = *partition};
    graph->local_count = mpi_local_count(partition, partition->rank);
    struct exchange exchange = {
        .comm = comm, .partition = &graph->partition, .cancel = cancel, .error = error};
    bool done = mpi_all_agree(comm, exchange_open(&exchange), error) &&
                build_rows(&exchange, source, &graph->out, &graph->local_edges);
    exchange_close(&exchange);
    done = done && mpi_graph_add_in(graph, cancel, error);
    if (done) {
        MPI_Allreduce(&graph->local_edges, &graph->edge_count, 1, MPI_UINT64_T, MPI_SUM, comm);
    } else {
        mpi_graph_release(graph);
    }
    return done;
}

static void release_rows(struct mpi_rows *rows, uint64_t nodes, uint64_t edges)
{
    memory_unmap(rows->offsets, (size_t)(nodes + 2) * sizeof(*rows->offsets));
    memory_unmap(rows->neighbours, (size_t)(edges > 0 ? edges : 1) * sizeof(*rows->neighbours));
}

void mpi_graph_release(struct mpi_graph *graph)
{
    release_rows(&graph->out, graph->local_count, graph->local_edges);
    release_rows(&graph->in, graph->local_count, graph->local_in_edges);
    graph_free(&graph->nodes);
    *graph = (struct mpi_graph){0};
}

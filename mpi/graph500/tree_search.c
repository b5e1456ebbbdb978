/*
 * tree_search.c - see tree_search.h.
 */
#include "tree_search.h"
#include "base/macros.h"
#include "bfs/search/direction.h"
#include "mpi/graph/mpi_round.h"
#include "node_block.h"
#include <stdlib.h>
#include <string.h>

#define PAIR_IDS           2
#define PAIRS_PER_ROUND    (1 << 20) /* sent, and received, by a rank */
#define PAIRS_PER_RANK_MIN 64

struct tree_search {
    const struct mpi_graph *graph;
    uint64_t *frontier;   /* a bit per node of the whole graph; of this rank's: the next level */
    uint64_t *seen;       /* reached, or sent by this rank; exact for its own nodes */
    uint64_t *candidates; /* a bit per local node with edges */
    uint64_t *found;      /* the next level, while the frontier is still in use */
    uint32_t *first;      /* of each local node: the neighbour of highest degree */
    uint32_t *queue, *next_queue; /* a sparse frontier: local numbers */
    uint64_t count, next_count;
    struct mpi_round round;
    size_t pairs_per_rank;            /* that each rank sends to each, at most */
    struct mpi_edge *sent, *received; /* from: the parent */
    uint32_t *parents;                /* of the current search */
    uint64_t candidate_count;         /* of all ranks: nodes with edges */
    bool is_dense;
};

/* The totals that ranks exchange after a level. */
struct level_sums {
    uint64_t nodes, entries; /* in the new frontier; of their adjacency lists */
};

/* The words of this rank's nodes in a bitmap of all. */
static uint64_t *own_words(const struct tree_search *search, uint64_t *bits)
{
    const struct mpi_partition *partition = &search->graph->partition;
    return bits + (size_t)partition->rank * partition->divisor;
}

static size_t words_per_rank(const struct mpi_graph *graph)
{
    return (size_t)graph->partition.divisor;
}

static uint64_t degree(const struct mpi_graph *graph, uint64_t local)
{
    return graph->out.offsets[local + 1] - graph->out.offsets[local];
}

/* Making one ---------------------------------------------------------------------------------- */

/* Put the neighbour of highest degree first in each list. best: zeroed, one per local node. */
static void order_lists(struct tree_search *search, uint32_t *degrees, uint32_t *best)
{
    const struct mpi_graph *graph = search->graph;
    const struct mpi_rows *rows = &graph->out;
    for (struct node_block block = node_block_start(graph); node_block_next(&block);) {
        memset(degrees, 0, (size_t)(block.end - block.first) * sizeof(*degrees));
        for (uint64_t local = block.local_first; local < block.local_end; local++) {
            const uint64_t own = degree(graph, local);
            degrees[node_block_global(&block, local) - block.first] =
                (uint32_t)(own < UINT32_MAX ? own : UINT32_MAX);
        }
        node_block_share(&block, degrees, MPI_UINT32_T);
        for (uint64_t local = 0; local < graph->local_count; local++) {
            uint32_t *list = rows->neighbours + rows->offsets[local];
            const uint64_t count = degree(graph, local);
            for (uint64_t i = 0; i < count; i++) {
                const uint32_t other = list[i];
                if (node_block_has(&block, other) && degrees[other - block.first] > best[local]) {
                    best[local] = degrees[other - block.first];
                    list[i] = list[0];
                    list[0] = other;
                }
            }
        }
    }
    for (uint64_t local = 0; local < graph->local_count; local++) {
        if (degree(graph, local) > 0) {
            search->first[local] = rows->neighbours[rows->offsets[local]];
            mpi_bit_set(search->candidates, local);
            search->candidate_count++;
        }
    }
    MPI_Allreduce(MPI_IN_PLACE, &search->candidate_count, 1, MPI_UINT64_T, MPI_SUM, graph->comm);
}

static bool create_buffers(struct tree_search *search)
{
    const struct mpi_graph *graph = search->graph;
    const size_t ranks = (size_t)graph->partition.ranks, words = words_per_rank(graph);
    const size_t local = (size_t)graph->local_count + 1;
    const size_t share = PAIRS_PER_ROUND / ranks;
    search->pairs_per_rank = share > PAIRS_PER_RANK_MIN ? share : PAIRS_PER_RANK_MIN;
    search->frontier = calloc(ranks * words, sizeof(*search->frontier));
    search->seen = calloc(ranks * words, sizeof(*search->seen));
    search->candidates = calloc(words, sizeof(*search->candidates));
    search->found = calloc(words, sizeof(*search->found));
    search->first = calloc(local, sizeof(*search->first));
    search->queue = calloc(local, sizeof(*search->queue));
    search->next_queue = calloc(local, sizeof(*search->next_queue));
    search->sent = calloc(ranks * search->pairs_per_rank, sizeof(*search->sent));
    search->received = calloc(ranks * search->pairs_per_rank, sizeof(*search->received));
    const bool opened =
        mpi_round_open(&search->round, graph->comm, 1, PAIR_IDS, ranks * search->pairs_per_rank);
    for (size_t rank = 0; opened && rank < ranks; rank++) {
        search->round.send_starts[rank] = (int)(rank * search->pairs_per_rank);
    }
    return search->frontier != NULL && search->seen != NULL && search->candidates != NULL &&
           search->found != NULL && search->first != NULL && search->queue != NULL &&
           search->next_queue != NULL && search->sent != NULL && search->received != NULL && opened;
}

struct tree_search *tree_search_create(struct mpi_graph *graph, struct graph_error *error)
{
    struct tree_search *search = calloc(1, sizeof(*search));
    uint32_t *degrees = calloc(node_block_size(graph), sizeof(*degrees));
    uint32_t *best = calloc((size_t)graph->local_count + 1, sizeof(*best));
    bool made = search != NULL && degrees != NULL && best != NULL;
    pw_assert(!graph->partition.dealt);
    if (made) {
        search->graph = graph;
        made = create_buffers(search);
    }
    if (!made) {
        graph_fail(error, "search", "out of memory");
    }
    if (mpi_all_agree(graph->comm, made, error) && made) {
        order_lists(search, degrees, best);
    } else {
        tree_search_destroy(search);
        search = NULL;
    }
    free(degrees);
    free(best);
    return search;
}

void tree_search_destroy(struct tree_search *search)
{
    if (search == NULL) {
        return;
    }
    mpi_round_close(&search->round);
    free(search->frontier);
    free(search->seen);
    free(search->candidates);
    free(search->found);
    free(search->first);
    free(search->queue);
    free(search->next_queue);
    free(search->sent);
    free(search->received);
    free(search);
}

/* Top down ------------------------------------------------------------------------------------ */

/* Reach a node of this rank, unless it was reached before. */
static inline void reach(struct tree_search *search, uint32_t node, uint32_t parent,
                         struct level_sums *sums)
{
    const uint64_t local = mpi_local(&search->graph->partition, node);
    search->parents[local] = parent;
    search->next_queue[search->next_count++] = (uint32_t)local;
    sums->nodes++;
    sums->entries += degree(search->graph, local);
}

/* The position in a sparse frontier between two rounds of its expansion. */
struct position {
    uint64_t head, entry;
};

/* Expand nodes until a rank's part of the buffer is full. Returns true if there is more. */
static bool expand(struct tree_search *search, struct position *at, struct level_sums *sums)
{
    const struct mpi_graph *graph = search->graph;
    const struct mpi_partition *partition = &graph->partition;
    for (; at->head < search->count; at->head++, at->entry = 0) {
        const uint64_t local = search->queue[at->head];
        const uint32_t parent = (uint32_t)mpi_global(partition, partition->rank, local);
        const uint32_t *list = graph->out.neighbours + graph->out.offsets[local];
        const uint64_t count = degree(graph, local);
        for (; at->entry < count; at->entry++) {
            const uint32_t node = list[at->entry];
            if (mpi_bit_test(search->seen, node)) {
                continue;
            }
            const int owner = mpi_owner(partition, node);
            if (owner == partition->rank) {
                mpi_bit_set(search->seen, node);
                reach(search, node, parent, sums);
                continue;
            }
            const size_t waiting = mpi_round_counted(&search->round, owner, 0);
            if (waiting == search->pairs_per_rank) {
                return true;
            }
            mpi_bit_set(search->seen, node);
            mpi_round_count(&search->round, owner, 0);
            search->sent[(size_t)owner * search->pairs_per_rank + waiting] =
                (struct mpi_edge){.from = parent, .to = node};
        }
    }
    return false;
}

/* Exchange pairs, and reach their nodes. Returns true if any rank has more to send. */
static bool exchange(struct tree_search *search, bool more, struct level_sums *sums)
{
    struct mpi_round *round = &search->round;
    more = mpi_round_run(round, search->sent, search->received, more) != 0;
    for (int rank = 0; rank < round->ranks; rank++) {
        const struct mpi_edge *pairs = search->received + round->receive_starts[rank];
        const size_t count = mpi_round_received(round, rank, 0);
        for (size_t i = 0; i < count; i++) {
            if (!mpi_bit_test(search->seen, pairs[i].to)) {
                mpi_bit_set(search->seen, pairs[i].to);
                reach(search, pairs[i].to, pairs[i].from, sums);
            }
        }
    }
    return more;
}

static void step_top_down(struct tree_search *search, struct level_sums *sums)
{
    struct position at = {0, 0};
    bool more = true;
    search->next_count = 0;
    while (more) {
        mpi_round_start(&search->round);
        more = expand(search, &at, sums);
        if (search->graph->partition.ranks > 1) {
            more = exchange(search, more, sums);
        }
    }
    uint32_t *queue = search->queue;
    search->queue = search->next_queue;
    search->next_queue = queue;
    search->count = search->next_count;
}

/* Bottom up ----------------------------------------------------------------------------------- */

/* The first of a node's neighbours in the frontier, or GRAPH_NODE_NONE. */
static inline uint32_t find_parent(const struct tree_search *search, uint64_t local)
{
    const struct mpi_rows *rows = &search->graph->out;
    if (LIKELY(mpi_bit_test(search->frontier, search->first[local]))) {
        return search->first[local];
    }
    const uint64_t end = rows->offsets[local + 1];
    for (uint64_t entry = rows->offsets[local] + 1; entry < end; entry++) {
        if (mpi_bit_test(search->frontier, rows->neighbours[entry])) {
            return rows->neighbours[entry];
        }
    }
    return GRAPH_NODE_NONE;
}

/* Gather the words of all ranks; this rank's are there already. */
static void gather(const struct tree_search *search, uint64_t *bits)
{
    const struct mpi_graph *graph = search->graph;
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, bits, (int)words_per_rank(graph),
                  MPI_UINT64_T, graph->comm);
}

static void step_bottom_up(struct tree_search *search, struct level_sums *sums)
{
    const struct mpi_graph *graph = search->graph;
    const size_t words = words_per_rank(graph);
    uint64_t *seen = own_words(search, search->seen);
    const uint64_t *frontier = own_words(search, search->frontier);
    gather(search, search->frontier);
    for (size_t word = 0; word < words; word++) {
        uint64_t found = 0;
        seen[word] |= frontier[word];
        for (uint64_t left = search->candidates[word] & ~seen[word]; left != 0; left &= left - 1) {
            const uint64_t local = word * 64 + (uint64_t)__builtin_ctzll(left);
            const uint32_t parent = find_parent(search, local);
            if (parent != GRAPH_NODE_NONE) {
                search->parents[local] = parent;
                found |= left & -left;
                sums->entries += degree(graph, local);
            }
        }
        search->found[word] = found;
        sums->nodes += (uint64_t)__builtin_popcountll(found);
    }
    memcpy(own_words(search, search->frontier), search->found, words * sizeof(*search->found));
}

/* The search ---------------------------------------------------------------------------------- */

static void become_dense(struct tree_search *search)
{
    uint64_t *own = own_words(search, search->frontier);
    memset(own, 0, words_per_rank(search->graph) * sizeof(*own));
    for (uint64_t i = 0; i < search->count; i++) {
        mpi_bit_set(own, search->queue[i]);
    }
    search->is_dense = true;
}

static void become_sparse(struct tree_search *search)
{
    const uint64_t *own = own_words(search, search->frontier);
    uint64_t *seen = own_words(search, search->seen);
    search->count = 0;
    for (size_t word = 0; word < words_per_rank(search->graph); word++) {
        seen[word] |= own[word];
        for (uint64_t left = own[word]; left != 0; left &= left - 1) {
            search->queue[search->count++] =
                (uint32_t)(word * 64 + (uint64_t)__builtin_ctzll(left));
        }
    }
    gather(search, search->seen);
    search->is_dense = false;
}

static void start(struct tree_search *search, struct mpi_tree *tree, struct level_sums *sums)
{
    const struct mpi_graph *graph = search->graph;
    const struct mpi_partition *partition = &graph->partition;
    const size_t words = words_per_rank(graph) * (size_t)partition->ranks;
    search->parents = tree->parents;
    search->is_dense = false;
    search->next_count = 0;
    memset(search->seen, 0, words * sizeof(*search->seen));
    memset(tree->parents, 0xff, (size_t)graph->local_count * sizeof(*tree->parents));
    mpi_bit_set(search->seen, tree->root);
    if (mpi_owner(partition, tree->root) == partition->rank) {
        reach(search, (uint32_t)tree->root, (uint32_t)tree->root, sums);
        search->queue[0] = search->next_queue[0];
    }
    search->count = search->next_count;
}

/* True if the next level is dense: bottom up. */
static bool becomes_dense(const struct tree_search *search, const struct level_sums *sums,
                          uint64_t reached)
{
    const struct mpi_graph *graph = search->graph;
    const struct direction_state state = {.nodes = sums->nodes,
                                          .edges = sums->entries,
                                          .reached = reached,
                                          .candidates = search->candidate_count,
                                          .all_edges = graph->edge_count};
    return sums->nodes >= graph->partition.node_limit / DIRECTION_DENSE_SHARE &&
           direction_is_bottom_up(&state);
}

void tree_search_run(struct tree_search *search, struct mpi_tree *tree)
{
    const struct mpi_graph *graph = search->graph;
    struct level_sums sums = {0, 0};
    uint64_t reached = 0;
    start(search, tree, &sums);
    for (;;) {
        MPI_Allreduce(MPI_IN_PLACE, &sums, 2, MPI_UINT64_T, MPI_SUM, graph->comm);
        if (sums.nodes == 0) {
            return;
        }
        reached += sums.nodes;
        pw_assert(reached <= search->candidate_count + 1);
        const bool dense = becomes_dense(search, &sums, reached);
        if (dense && !search->is_dense) {
            become_dense(search);
        } else if (!dense && search->is_dense) {
            become_sparse(search);
        }
        sums = (struct level_sums){0, 0};
        if (search->is_dense) {
            step_bottom_up(search, &sums);
        } else {
            step_top_down(search, &sums);
        }
    }
}

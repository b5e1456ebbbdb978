/*
 * betweenness.c - Brandes's sums over levels; betweenness.h has the idea.
 */
#include "betweenness.h"
#include "base/pw_assert.h"
#include "bfs/engines/parts/large_block.h"
#include "bfs/search/search_limits.h"
#include "data/graph/parallel.h"
#include <stdatomic.h>
#include <stdlib.h>

#define NODES_PER_CHECK 4096
#define WAYS_MAX        0x1p500  /* a level with a larger number is scaled down ... */
#define WAYS_SCALE      0x1p-500 /* ... by this factor */
_Static_assert(sizeof(double) == 8, "such numbers can be represented");

/* A node, in the walk from one source. */
struct passed {
    double ways;   /* shortest paths from the source, in the scale of its level */
    uint32_t hops; /* SEARCH_HOPS_NONE: not reached */
};

/* What all threads know. */
struct work {
    const struct graph *graph;
    const struct betweenness_plan *plan;
    struct search_clock clock;
    unsigned threads;
    double **sums;     /* of each thread */
    atomic_int status; /* enum search_status */
    atomic_uint_fast64_t expanded, edges;
};

/* A thread's state. */
struct share {
    struct work *work;
    struct walk *walk;
    struct passed *passed;
    double *shares; /* of each node; all zero between walks */
    double *scales; /* of each level, against the level before; NULL until needed */
    size_t scale_count;
    double *sums;
    uint64_t edges;
};

static bool stops(const struct share *share)
{
    struct work *work = share->work;
    const enum search_status status = search_stop_reason(&work->clock);
    if (status != SEARCH_DONE) {
        atomic_store(&work->status, (int)status);
    }
    return atomic_load(&work->status) != SEARCH_DONE;
}

/* The distance of each node; those not reached have none. False if the walk must stop. */
static bool note_hops(struct share *share)
{
    const size_t *begins = walk_level_begins(share->walk);
    const uint32_t *nodes = walk_nodes(share->walk);
    const size_t levels = walk_level_count(share->walk);
    for (size_t level = 0; level < levels; level++) {
        for (size_t i = begins[level]; i < begins[level + 1]; i++) {
            share->passed[nodes[i]] = (struct passed){level == 0, (uint32_t)level};
            if (i % NODES_PER_CHECK == 0 && stops(share)) {
                return false;
            }
        }
    }
    return true;
}

/* The sum of the numbers of ways to the nodes before one. */
static double ways_to(struct share *share, uint32_t node)
{
    const struct graph *graph = share->work->graph;
    const struct passed *passed = share->passed;
    const uint64_t end = graph->in_offsets[node + 1];
    const uint32_t before = passed[node].hops - 1;
    double ways = 0;
    uint32_t last = GRAPH_NODE_NONE;
    for (uint64_t i = graph->in_offsets[node]; i < end; i++) {
        const uint32_t from = graph->in_neighbours[i];
        if (passed[from].hops == before && from != last) {
            ways += passed[from].ways;
        }
        last = from;
    }
    share->edges += end - graph->in_offsets[node];
    return ways;
}

/* Outwards: the number of ways to each node. False if the walk must stop. */
static bool count_ways(struct share *share)
{
    const size_t *begins = walk_level_begins(share->walk);
    const uint32_t *nodes = walk_nodes(share->walk);
    const size_t levels = walk_level_count(share->walk);
    for (size_t level = 1; level < levels; level++) {
        double most = 0;
        for (size_t i = begins[level]; i < begins[level + 1]; i++) {
            const double ways = ways_to(share, nodes[i]);
            share->passed[nodes[i]].ways = ways;
            most = ways > most ? ways : most;
            if (i % NODES_PER_CHECK == 0 && stops(share)) {
                return false;
            }
        }
        share->scales[level] = most > WAYS_MAX ? WAYS_SCALE : 1;
        for (size_t i = begins[level]; most > WAYS_MAX && i < begins[level + 1]; i++) {
            share->passed[nodes[i]].ways *= WAYS_SCALE;
        }
    }
    return true;
}

/* Hand a node's share to the nodes before it. */
static void hand_on(struct share *share, uint32_t node, double scale)
{
    const struct graph *graph = share->work->graph;
    const struct passed *passed = share->passed;
    const uint64_t end = graph->in_offsets[node + 1];
    const uint32_t before = passed[node].hops - 1;
    if (!(passed[node].ways > 0)) { /* too few for the scale of its level */
        return;
    }
    const double per_way = (1 + share->shares[node]) * scale / passed[node].ways;
    uint32_t last = GRAPH_NODE_NONE;
    for (uint64_t i = graph->in_offsets[node]; i < end; i++) {
        const uint32_t from = graph->in_neighbours[i];
        if (passed[from].hops == before && from != last) {
            share->shares[from] += passed[from].ways * per_way;
        }
        last = from;
    }
    share->edges += end - graph->in_offsets[node];
}

/* Inwards: the shares. False if the walk must stop. */
static bool add_shares(struct share *share)
{
    const size_t *begins = walk_level_begins(share->walk);
    const uint32_t *nodes = walk_nodes(share->walk);
    for (size_t level = walk_level_count(share->walk); level-- > 1;) {
        for (size_t i = begins[level]; i < begins[level + 1]; i++) {
            hand_on(share, nodes[i], share->scales[level]);
            share->sums[nodes[i]] += share->shares[nodes[i]];
            if (i % NODES_PER_CHECK == 0 && stops(share)) {
                return false;
            }
        }
    }
    return true;
}

/* Count the ends of the paths, too, and forget the walk, unless it must stop. */
static void finish(struct share *share)
{
    const size_t reached = walk_level_begins(share->walk)[walk_level_count(share->walk)];
    const uint32_t *nodes = walk_nodes(share->walk);
    if (share->work->plan->with_ends && reached > 0) {
        share->sums[nodes[0]] += (double)(reached - 1);
        for (size_t i = 1; i < reached; i++) {
            share->sums[nodes[i]] += 1;
        }
    }
    for (size_t i = 0; i < reached; i++) {
        share->shares[nodes[i]] = 0;
        share->passed[nodes[i]].hops = SEARCH_HOPS_NONE;
        if (i % NODES_PER_CHECK == 0 && stops(share)) {
            return;
        }
    }
}

/* Make room for one scale per level. False when out of memory. */
static bool make_scales(struct share *share, size_t levels)
{
    if (levels > share->scale_count) {
        free(share->scales);
        share->scales = malloc(2 * levels * sizeof(*share->scales));
        share->scale_count = share->scales != NULL ? 2 * levels : 0;
    }
    return share->scales != NULL;
}

static enum search_status take_source(struct share *share, uint32_t source)
{
    struct work *work = share->work;
    const struct search_limits limits = search_limits_of_part(&work->clock);
    const struct walk_plan plan = {.sources = &source,
                                   .source_count = 1,
                                   .hops_max = SEARCH_HOPS_NONE,
                                   .avoided = work->plan->avoided,
                                   .avoided_count = work->plan->avoided_count,
                                   .limits = &limits};
    struct search_result result;
    walk_find(share->walk, &plan, &result);
    share->edges += result.edges;
    atomic_fetch_add(&work->expanded, result.expanded);
    if (result.status != SEARCH_DONE) {
        return result.status;
    }
    if (walk_level_count(share->walk) == 0) { /* the source is to be avoided */
        return SEARCH_DONE;
    }
    if (!make_scales(share, walk_level_count(share->walk))) {
        return SEARCH_NO_MEMORY;
    }
    if (note_hops(share) && count_ways(share) && add_shares(share)) {
        finish(share);
    }
    return (enum search_status)atomic_load(&work->status);
}

static void work_in_thread(void *context, unsigned number, size_t index)
{
    struct work *work = context;
    const struct graph *graph = work->graph;
    const size_t nodes = (size_t)graph->node_limit + 1;
    struct share share = {.work = work,
                          .walk = walk_create(graph, 1),
                          .passed = large_block_create(nodes * sizeof(*share.passed)),
                          .shares = large_block_create(nodes * sizeof(*share.shares)),
                          .sums = work->sums[index]};
    (void)number;
    const bool made = share.walk != NULL && share.passed != NULL && share.shares != NULL;
    if (!made) {
        atomic_store(&work->status, SEARCH_NO_MEMORY);
    }
    for (size_t i = 0; made && i < nodes; i++) {
        share.passed[i].hops = SEARCH_HOPS_NONE;
    }
    for (size_t i = index; made && i < work->plan->source_count; i += work->threads) {
        if (atomic_load(&work->status) != SEARCH_DONE) {
            break;
        }
        const enum search_status status = take_source(&share, work->plan->sources[i]);
        if (status != SEARCH_DONE) {
            atomic_store(&work->status, (int)status);
        }
    }
    atomic_fetch_add(&work->edges, share.edges);
    walk_destroy(share.walk);
    large_block_free(share.passed);
    large_block_free(share.shares);
    free(share.scales);
}

void betweenness_find(const struct graph *graph, const struct betweenness_plan *plan, double *sums,
                      struct search_result *result)
{
    const size_t nodes = graph->node_limit;
    const size_t most = plan->source_count > 0 ? plan->source_count : 1;
    struct work work = {.graph = graph,
                        .plan = plan,
                        .threads = plan->threads < most ? plan->threads : (unsigned)most};
    search_start(&work.clock, plan->limits, result);
    for (size_t node = 0; node < nodes; node++) { /* without nodes sums may be NULL */
        sums[node] = 0;
    }
    work.sums = calloc(work.threads, sizeof(*work.sums));
    bool made = work.sums != NULL;
    for (unsigned i = 0; made && i < work.threads; i++) {
        work.sums[i] = i == 0 ? sums : large_block_create((nodes + 1) * sizeof(*sums));
        made = i == 0 || work.sums[i] != NULL; /* without nodes there may be no sums */
    }
    const enum search_status first = made ? search_stop_reason(&work.clock) : SEARCH_NO_MEMORY;
    atomic_store(&work.status, (int)first);
    if (first == SEARCH_DONE) {
        parallel_each(work.threads, work.threads, work_in_thread, &work);
    }
    const bool is_done = atomic_load(&work.status) == SEARCH_DONE; /* else they are of no use */
    for (unsigned i = 1; work.sums != NULL && i < work.threads; i++) {
        for (size_t node = 0; is_done && node < nodes; node++) {
            sums[node] += work.sums[i][node];
        }
        large_block_free(work.sums[i]);
    }
    free(work.sums);
    result->status = (enum search_status)atomic_load(&work.status);
    result->visited = result->pushed = result->expanded = atomic_load(&work.expanded);
    result->edges = atomic_load(&work.edges);
    search_finish(&work.clock, result);
}

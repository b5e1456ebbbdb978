/*
 * reach.c - the reach of many nodes; reach.h has the idea.
 */
#include "reach.h"
#include "base/pw_assert.h"
#include "bfs/engines/parts/distances.h"
#include "bfs/engines/parts/large_block.h"
#include "bfs/search/search_limits.h"
#include <string.h>

#define WORDS           8            /* of 64 lanes */
#define LANES           (64 * WORDS) /* searches of a pass */
#define PULL_SHARE      16           /* pull when active nodes have more than 1/16 of all edges */
#define SHARED_MIN      16           /* searches at a node at once, in the mean */
#define PLANES          33           /* of a vertical counter: up to 2^32 nodes */
#define NODES_PER_CHECK 1024         /* between two looks at the clock and the flag */

struct lanes {
    uint64_t word[WORDS];
};

/* One struct: a level reads nearly all of it. */
struct pass {
    struct graph to, from; /* the lists that the searches follow, and the same backwards */
    struct lanes all;      /* the lanes in use */
    struct lanes *seen, *frontier, *next;
    uint32_t *active, *active_next; /* the nodes with a bit in frontier and next */
    size_t active_count, next_count;
    uint64_t planes[PLANES][WORDS]; /* bit k of the counts of 64 lanes per word */
    struct search_clock clock;
    struct search_result *result;
};

static bool open_pass(struct pass *pass, const struct graph *graph, bool is_backwards)
{
    const size_t nodes = (size_t)graph->node_limit + 1;
    pass->to = is_backwards ? graph_backwards(graph) : *graph;
    pass->from = is_backwards ? *graph : graph_backwards(graph);
    pass->seen = large_block_create(nodes * sizeof(*pass->seen));
    pass->frontier = large_block_create(nodes * sizeof(*pass->frontier));
    pass->next = large_block_create(nodes * sizeof(*pass->next));
    pass->active = large_block_create(nodes * sizeof(*pass->active));
    pass->active_next = large_block_create(nodes * sizeof(*pass->active_next));
    return pass->seen != NULL && pass->frontier != NULL && pass->next != NULL &&
           pass->active != NULL && pass->active_next != NULL;
}

static void close_pass(struct pass *pass)
{
    large_block_free(pass->seen);
    large_block_free(pass->frontier);
    large_block_free(pass->next);
    large_block_free(pass->active);
    large_block_free(pass->active_next);
}

static bool is_zero(const struct lanes *lanes)
{
    uint64_t any = 0;
    for (size_t w = 0; w < WORDS; w++) {
        any |= lanes->word[w];
    }
    return any == 0;
}

/* Put a search at each node; what to avoid is seen already. */
static void begin_pass(struct pass *pass, const uint32_t *nodes, size_t count,
                       const struct reach_walk *walk, struct reach *reach)
{
    pw_assert(count > 0 && count <= LANES && pass->active_count == 0);
    memset(pass->seen, 0, (size_t)pass->to.node_limit * sizeof(*pass->seen));
    memset(&pass->all, 0, sizeof(pass->all));
    for (size_t i = 0; i < walk->avoided_count; i++) {
        memset(&pass->seen[walk->avoided[i]], 0xff, sizeof(*pass->seen));
    }
    for (size_t lane = 0; lane < count; lane++) {
        const uint64_t bit = UINT64_C(1) << lane % 64;
        const uint32_t node = nodes[lane];
        struct lanes *frontier = &pass->frontier[node];
        pass->all.word[lane / 64] |= bit;
        if ((pass->seen[node].word[lane / 64] & bit) != 0) {
            continue; /* one to avoid */
        }
        if (is_zero(frontier)) {
            pass->active[pass->active_count++] = node;
        }
        pass->seen[node].word[lane / 64] |= bit;
        frontier->word[lane / 64] |= bit;
        reach[lane].reached = 1;
    }
}

/* Active nodes give their bits to their neighbours. */
static void push(struct pass *pass)
{
    const struct graph *graph = &pass->to;
    for (size_t i = 0; i < pass->active_count; i++) {
        const uint32_t node = pass->active[i];
        const struct lanes mine = pass->frontier[node];
        for (uint64_t edge = graph->offsets[node]; edge < graph->offsets[node + 1]; edge++) {
            const uint32_t other = graph->neighbours[edge];
            const struct lanes *seen = &pass->seen[other];
            struct lanes *next = &pass->next[other], fresh;
            for (size_t w = 0; w < WORDS; w++) {
                fresh.word[w] = mine.word[w] & ~seen->word[w];
            }
            if (is_zero(&fresh)) {
                continue;
            }
            if (is_zero(next)) {
                pass->active_next[pass->next_count++] = other;
            }
            for (size_t w = 0; w < WORDS; w++) {
                next->word[w] |= fresh.word[w];
            }
        }
        pass->result->edges += graph_out_degree(graph, node);
    }
}

/* Nodes that a search lacks take the bits of the nodes before them. False if it must stop. */
static bool pull(struct pass *pass)
{
    const struct graph *graph = &pass->from;
    for (uint32_t node = graph->first_node; node < graph->node_limit; node++) {
        struct lanes lacks, found = {{0}};
        if (node % NODES_PER_CHECK == 0) {
            pass->result->status = search_must_stop(&pass->clock);
            if (pass->result->status != SEARCH_DONE) {
                return false;
            }
        }
        for (size_t w = 0; w < WORDS; w++) {
            lacks.word[w] = pass->all.word[w] & ~pass->seen[node].word[w];
        }
        if (is_zero(&lacks)) {
            continue;
        }
        const uint64_t begin = graph->offsets[node], end = graph->offsets[node + 1];
        uint64_t edge = begin;
        for (bool goes_on = true; edge < end && goes_on; edge++) {
            const struct lanes *before = &pass->frontier[graph->neighbours[edge]];
            uint64_t missing = 0;
            for (size_t w = 0; w < WORDS; w++) {
                found.word[w] |= before->word[w] & lacks.word[w];
                missing |= found.word[w] ^ lacks.word[w];
            }
            goes_on = missing != 0;
        }
        pass->result->edges += edge - begin;
        if (!is_zero(&found)) {
            pass->next[node] = found;
            pass->active_next[pass->next_count++] = node;
        }
    }
    return true;
}

/* Add one to the count of each lane that is set. */
static inline void count_lanes(struct pass *pass, const struct lanes *lanes)
{
    for (size_t w = 0; w < WORDS; w++) {
        uint64_t carry = lanes->word[w];
        for (size_t k = 0; carry != 0; k++) {
            const uint64_t both = pass->planes[k][w] & carry;
            pw_assert(k < PLANES);
            pass->planes[k][w] ^= carry;
            carry = both;
        }
    }
}

/* Count the nodes that each search reaches in a level one by one: less work if they are few. */
static void count_each(const struct pass *pass, uint32_t level, struct reach *reach)
{
    for (size_t i = 0; i < pass->next_count; i++) {
        const struct lanes *next = &pass->next[pass->active_next[i]];
        for (size_t w = 0; w < WORDS; w++) {
            for (uint64_t bits = next->word[w]; bits != 0; bits &= bits - 1) {
                struct reach *one = &reach[64 * w + (size_t)__builtin_ctzll(bits)];
                one->reached++;
                one->farness += level;
                one->eccentricity = level;
            }
        }
    }
}

/* The same with vertical counters. planes: bits of the largest count that there may be. */
static void count_all(struct pass *pass, uint32_t level, size_t planes, size_t count,
                      struct reach *reach)
{
    memset(pass->planes, 0, sizeof(pass->planes));
    for (size_t i = 0; i < pass->next_count; i++) {
        count_lanes(pass, &pass->next[pass->active_next[i]]);
    }
    for (size_t lane = 0; lane < count; lane++) {
        uint32_t nodes = 0;
        for (size_t k = 0; k < planes; k++) {
            nodes |= (uint32_t)(pass->planes[k][lane / 64] >> lane % 64 & 1) << k;
        }
        reach[lane].reached += nodes;
        reach[lane].farness += (uint64_t)nodes * level;
        reach[lane].eccentricity = nodes > 0 ? level : reach[lane].eccentricity;
    }
}

/* The bits of the new level are seen; its counts go to the searches. */
static void end_level(struct pass *pass, uint32_t level, size_t count, struct reach *reach)
{
    size_t planes = 0, bits = 0;
    while (pass->next_count >> planes != 0) {
        planes++;
    }
    const size_t few = LANES * planes;
    for (size_t i = 0; i < pass->next_count; i++) {
        const struct lanes *next = &pass->next[pass->active_next[i]];
        struct lanes *seen = &pass->seen[pass->active_next[i]];
        for (size_t w = 0; w < WORDS; w++) {
            seen->word[w] |= next->word[w];
            bits += bits < few ? (size_t)__builtin_popcountll(next->word[w]) : 0;
        }
    }
    if (bits < few) {
        count_each(pass, level, reach);
    } else {
        count_all(pass, level, planes, count, reach);
    }
    for (size_t i = 0; i < pass->active_count; i++) {
        memset(&pass->frontier[pass->active[i]], 0, sizeof(*pass->frontier));
    }
}

static bool pull_pays(const struct pass *pass)
{
    uint64_t edges = 0;
    for (size_t i = 0; i < pass->active_count; i++) {
        edges += graph_out_degree(&pass->to, pass->active[i]);
    }
    return edges > pass->to.edge_count / PULL_SHARE;
}

/* The searches from up to LANES nodes. */
static void run_pass(struct pass *pass, const uint32_t *nodes, size_t count,
                     const struct reach_walk *walk, struct reach *reach)
{
    begin_pass(pass, nodes, count, walk, reach);
    for (uint32_t level = 1; pass->active_count > 0; level++) {
        pass->next_count = 0;
        pass->result->status = search_must_stop(&pass->clock);
        if (pass->result->status != SEARCH_DONE) {
            return;
        }
        if (!pull_pays(pass)) {
            push(pass);
        } else if (!pull(pass)) {
            return;
        }
        pass->result->expanded += pass->active_count;
        end_level(pass, level, count, reach);
        struct lanes *lanes = pass->frontier;
        pass->frontier = pass->next;
        pass->next = lanes;
        uint32_t *list = pass->active;
        pass->active = pass->active_next;
        pass->active_next = list;
        pass->active_count = pass->next_count;
    }
}

/* True if few searches of a pass were at the same node at the same time, as in a graph of many
 * levels: then they had better be made one by one. visits: of nodes, by any number of searches. */
static bool shares_little(const struct reach *reach, size_t count, uint64_t visits)
{
    uint64_t reached = 0;
    for (size_t i = 0; i < count; i++) {
        reached += reach[i].reached;
    }
    return reached < SHARED_MIN * visits;
}

/* A search per node, by the plain walk. */
static void find_one_by_one(const struct graph *graph, const uint32_t *nodes, size_t count,
                            const struct reach_walk *walk, const struct search_clock *clock,
                            struct reach *reach, struct search_result *result)
{
    struct distances distances;
    const struct search_limits limits = {.cancel = clock->limits.cancel};
    const struct distances_walk one = {.is_backwards = walk->is_backwards,
                                       .avoided = walk->avoided,
                                       .avoided_count = walk->avoided_count,
                                       .limits = &limits};
    if (!distances_open(&distances, graph)) {
        result->status = SEARCH_NO_MEMORY;
        return;
    }
    for (size_t i = 0; i < count && result->status == SEARCH_DONE; i++) {
        struct search_result found;
        distances_find_more(&distances, nodes[i], &one, &found);
        result->expanded += found.expanded;
        result->edges += found.edges;
        result->status = found.status != SEARCH_DONE ? found.status : search_must_stop(clock);
        for (size_t k = 0; k < distances.reached && result->status == SEARCH_DONE; k++) {
            reach[i].farness += distances.hops[distances.order[k]];
        }
        if (distances.reached > 0 && result->status == SEARCH_DONE) {
            reach[i].reached = (uint32_t)distances.reached;
            reach[i].eccentricity = distances.hops[distances.order[distances.reached - 1]];
        }
    }
    distances_close(&distances);
}

void reach_find(const struct graph *graph, const uint32_t *nodes, size_t count,
                const struct reach_walk *walk, struct reach *reach, struct search_result *result)
{
    struct pass pass = {.result = result};
    bool is_shared = true;
    search_start(&pass.clock, walk->limits, result);
    for (size_t i = 0; i < count; i++) { /* none: reach may be NULL, which memset may not have */
        reach[i] = (struct reach){0};
    }
    if (!open_pass(&pass, graph, walk->is_backwards)) {
        result->status = SEARCH_NO_MEMORY;
    }
    while (count > 0 && is_shared && result->status == SEARCH_DONE) {
        const size_t lanes = count < LANES ? count : LANES;
        const uint64_t before = result->expanded;
        run_pass(&pass, nodes, lanes, walk, reach);
        if (result->status != SEARCH_DONE) {
            memset(reach, 0, lanes * sizeof(*reach));
        }
        is_shared = !shares_little(reach, lanes, result->expanded - before);
        nodes += lanes;
        reach += lanes;
        count -= lanes;
    }
    close_pass(&pass);
    if (count > 0 && result->status == SEARCH_DONE) {
        find_one_by_one(graph, nodes, count, walk, &pass.clock, reach, result);
    }
    result->visited = result->pushed = result->expanded;
    search_finish(&pass.clock, result);
}

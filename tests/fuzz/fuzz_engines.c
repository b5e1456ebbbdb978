/*
 * fuzz_engines.c - every engine on a small graph made of bytes, against a plain oracle: found, hops
 * and path; and the counts of the classic search against the rules of the challenge, step by step.
 *
 * An input: the number of nodes, whether paths lack room, the engines (two bytes), the number of
 * questions, the questions, then the edges, two bytes each. PW_FUZZ_THREADS: two threads each.
 */
#include "bfs/engines/engines.h"
#include "bfs/engines/parts/distances.h"
#include "fuzz.h"
#include "liblist/linked_list_more.h"
#include "tests/support/all_paths.h"
#include <stdlib.h>
#include <string.h>

#define NODES_MAX     64
#define EDGES_MAX     600
#define QUESTIONS_MAX 8
#define ENGINES_MAX   16

static uint32_t edge_sources[EDGES_MAX], edge_targets[EDGES_MAX];
static size_t edge_count;

struct counts {
    bool found;
    uint32_t hops;
    uint64_t visited, expanded, pushed, peak_queue;
};

void fuzz_setup(void)
{
    fuzz_require(linked_list_set_allocator("slab:chunk=64K"));
}

static void *zeroed(size_t count, size_t size)
{
    void *block = calloc(count > 0 ? count : 1, size);
    fuzz_require(block != NULL);
    return block;
}

/* For each node, the other ends of its edges, in the order of the edges. */
static void make_lists(uint32_t limit, const uint32_t *ends, const uint32_t *others,
                       uint64_t **offsets, uint32_t **neighbours)
{
    uint64_t next[NODES_MAX + 2] = {0};
    *offsets = zeroed((size_t)limit + 1, sizeof(**offsets));
    *neighbours = zeroed(edge_count, sizeof(**neighbours));
    for (size_t i = 0; i < edge_count; i++) {
        (*offsets)[ends[i] + 1]++;
    }
    for (uint32_t u = 0; u < limit; u++) {
        (*offsets)[u + 1] += (*offsets)[u];
        next[u] = (*offsets)[u];
    }
    for (size_t i = 0; i < edge_count; i++) {
        (*neighbours)[next[ends[i]]++] = others[i];
    }
}

/* In-neighbours are ascending for each node. */
static void sort_lists(struct graph *graph)
{
    for (uint32_t u = 0; u < graph->node_limit; u++) {
        uint32_t *list = graph->in_neighbours + graph->in_offsets[u];
        size_t count = (size_t)(graph->in_offsets[u + 1] - graph->in_offsets[u]);
        for (size_t i = 1; i < count; i++) {
            uint32_t moved = list[i];
            size_t at = i;
            for (; at > 0 && list[at - 1] > moved; at--) {
                list[at] = list[at - 1];
            }
            list[at] = moved;
        }
    }
}

static bool has_out_edges(uint32_t node)
{
    for (size_t i = 0; i < edge_count; i++) {
        if (edge_sources[i] == node) {
            return true;
        }
    }
    return false;
}

/* Expand a node: push all its out-neighbours, and notice the target. */
static size_t expand(struct counts *counts, uint32_t node, uint32_t hops, uint32_t target,
                     uint32_t (*queue)[2], size_t tail)
{
    counts->expanded++;
    for (size_t i = 0; i < edge_count; i++) {
        if (edge_sources[i] == node) {
            queue[tail][0] = edge_targets[i];
            queue[tail++][1] = hops + 1;
            counts->pushed++;
            if (edge_targets[i] == target && !counts->found) {
                counts->found = true;
                counts->hops = hops + 1;
            }
        }
    }
    return tail;
}

/* The rules of the challenge, with a plain list of edges and a queue that only grows. */
static struct counts oracle(uint32_t source, uint32_t target)
{
    static uint32_t queue[EDGES_MAX][2];
    struct counts counts = {.hops = SEARCH_HOPS_NONE};
    bool marked[NODES_MAX + 2] = {false};
    size_t head = 0, tail = 0;
    uint32_t node = source, hops = 0;
    for (;;) {
        while (marked[node] || !has_out_edges(node)) {
            counts.visited++;
            if (head == tail) {
                return counts;
            }
            node = queue[head][0];
            hops = queue[head++][1];
        }
        marked[node] = true;
        tail = expand(&counts, node, hops, target, queue, tail);
        counts.peak_queue = tail - head > counts.peak_queue ? tail - head : counts.peak_queue;
        if (head == tail) {
            return counts;
        }
        node = queue[head][0];
        hops = queue[head++][1];
        counts.visited++;
        if (counts.found) {
            return counts;
        }
    }
}

static bool is_edge(uint32_t source, uint32_t target)
{
    for (size_t i = 0; i < edge_count; i++) {
        if (edge_sources[i] == source && edge_targets[i] == target) {
            return true;
        }
    }
    return false;
}

static void require_answer(const struct search_engine *engine, const struct counts *expected,
                           const struct search_result *result)
{
    fuzz_require_for(result->status == SEARCH_DONE, engine->name);
    fuzz_require_for(result->found == expected->found, engine->name);
    fuzz_require_for(result->hops == expected->hops, engine->name);
}

/* Ask for the path with exactly enough room; and check that no room is refused. */
static void require_path(const struct search_engine *engine, void *workspace, struct pair pair,
                         const struct search_result *result, bool lacks_room)
{
    size_t room = result->found ? (size_t)result->hops + !lacks_room : 1;
    uint32_t *nodes = zeroed(room, sizeof(*nodes));
    bool has_path = engine->path(workspace, nodes, room);
    fuzz_require_for(has_path == (result->found && !lacks_room), engine->name);
    if (has_path) {
        fuzz_require_for(nodes[0] == pair.source && nodes[result->hops] == pair.target,
                         engine->name);
        for (uint32_t i = 0; i < result->hops; i++) {
            fuzz_require_for(is_edge(nodes[i], nodes[i + 1]), engine->name);
        }
    }
    free(nodes);
}

static void ask(const struct search_engine *engine, void *workspace, struct pair pair,
                bool lacks_room)
{
    struct search_result result;
    struct counts expected = oracle(pair.source, pair.target);
    engine->search(workspace, pair.source, pair.target, NULL, &result);
    require_answer(engine, &expected, &result);
    if (engine->flags & SEARCH_EXACT_COUNTS) {
        fuzz_require_for(result.visited == expected.visited, engine->name);
        fuzz_require_for(result.expanded == expected.expanded, engine->name);
        fuzz_require_for(result.pushed == expected.pushed, engine->name);
        fuzz_require_for(result.peak_queue == expected.peak_queue, engine->name);
    }
    fuzz_require_for(engine->check(workspace), engine->name);
    require_path(engine, workspace, pair, &result, lacks_room);
}

/* Check paths as they are emitted: each is a path, and no two in succession are the same. */
struct emitted {
    struct pair pair;
    uint64_t count;
    uint32_t last[NODES_MAX + 2];
};

static bool take_path(void *context, const uint32_t *nodes, uint32_t hops)
{
    struct emitted *emitted = context;
    size_t bytes = ((size_t)hops + 1) * sizeof(*nodes);
    fuzz_require(hops <= NODES_MAX && nodes[0] == emitted->pair.source);
    fuzz_require(nodes[hops] == emitted->pair.target);
    fuzz_require(emitted->count == 0 || memcmp(emitted->last, nodes, bytes) != 0);
    for (uint32_t i = 0; i < hops; i++) {
        fuzz_require(is_edge(nodes[i], nodes[i + 1]));
    }
    memcpy(emitted->last, nodes, bytes);
    emitted->count++;
    return true;
}

/* The number of shortest paths, which differ in a node: level by level from the source. */
static uint64_t count_paths(const struct graph *graph, struct pair pair, uint32_t hops)
{
    uint64_t ways[NODES_MAX + 2] = {0};
    bool seen[NODES_MAX + 2] = {false};
    ways[pair.source] = 1;
    seen[pair.source] = true;
    for (uint32_t level = 0; level < hops; level++) {
        uint64_t next[NODES_MAX + 2] = {0};
        bool linked[NODES_MAX + 2][NODES_MAX + 2] = {{false}};
        for (size_t i = 0; i < edge_count; i++) {
            uint32_t from = edge_sources[i], to = edge_targets[i];
            bool is_last = level + 1 == hops && to == pair.target;
            if (!linked[from][to] && (!seen[to] || is_last)) {
                next[to] += ways[from];
                linked[from][to] = true;
            }
        }
        for (uint32_t u = 0; u < graph->node_limit; u++) {
            ways[u] = next[u];
            seen[u] |= next[u] > 0;
        }
    }
    return ways[pair.target];
}

/* Check the plain search that judges the engines, and all shortest paths. */
static void try_distances(const struct graph *graph, struct pair pair)
{
    enum { PATHS_MAX = 100 };
    struct distances distances;
    struct emitted emitted = {.pair = pair};
    struct counts expected = oracle(pair.source, pair.target);
    struct path_graph paths;
    fuzz_require(distances_open(&distances, graph));
    distances_find(&distances, pair.source);
    fuzz_require(distances_to(&distances, pair.target) == expected.hops);
    fuzz_require(all_paths_find(graph, pair, &paths));
    fuzz_require(path_graph_walk(&paths, PATHS_MAX, take_path, &emitted));
    const uint64_t count = paths.count_at_most;
    path_graph_free(&paths);
    fuzz_require(count == (expected.found ? count_paths(graph, pair, expected.hops) : 0));
    fuzz_require(emitted.count == (count < PATHS_MAX ? count : PATHS_MAX));
    distances_close(&distances);
}

static void try_engine(const struct search_engine *engine, const struct graph *graph,
                       const struct pair *pairs, size_t count, unsigned bits)
{
    struct search_result results[QUESTIONS_MAX];
    void *workspace = engine->create(graph, NULL);
    fuzz_require(workspace != NULL);
#ifdef PW_FUZZ_THREADS
    if (engine->set_threads != NULL) {
        fuzz_require(engine->set_threads(workspace, 2));
    }
#endif
    for (size_t i = 0; i < count; i++) {
        ask(engine, workspace, pairs[i], bits & 1);
    }
    if (engine->batch != NULL) {
        engine->batch(workspace, pairs, count, NULL, results);
        for (size_t i = 0; i < count; i++) {
            struct counts expected = oracle(pairs[i].source, pairs[i].target);
            require_answer(engine, &expected, &results[i]);
        }
    }
    engine->destroy(workspace);
}

void fuzz_one(const uint8_t *bytes, size_t length)
{
    struct fuzz_input input = {bytes, bytes + length};
    unsigned shape = fuzz_take(&input);
    uint32_t first = shape & 1, nodes = 1 + (shape >> 1) % (NODES_MAX - 1);
    unsigned bits = fuzz_take(&input), mask = fuzz_take_16(&input);
    struct pair pairs[QUESTIONS_MAX];
    size_t count = 1 + fuzz_take(&input) % QUESTIONS_MAX;
    struct graph graph = {.first_node = first, .node_limit = first + nodes};
    for (size_t i = 0; i < count; i++) {
        pairs[i].source = first + fuzz_take(&input) % nodes;
        pairs[i].target = first + fuzz_take(&input) % nodes;
    }
    for (edge_count = 0; edge_count < EDGES_MAX && fuzz_left(&input) > 0; edge_count++) {
        edge_sources[edge_count] = first + fuzz_take(&input) % nodes;
        edge_targets[edge_count] = first + fuzz_take(&input) % nodes;
    }
    graph.edge_count = edge_count;
    make_lists(graph.node_limit, edge_sources, edge_targets, &graph.offsets, &graph.neighbours);
    make_lists(graph.node_limit, edge_targets, edge_sources, &graph.in_offsets,
               &graph.in_neighbours);
    sort_lists(&graph);
    fuzz_require(graph_check(&graph));
    const struct search_engine *const *engines = search_engines();
    try_distances(&graph, pairs[0]);
    for (size_t i = 0; engines[i] != NULL; i++) {
        if (mask == 0 || mask >> i & 1) {
            try_engine(engines[i], &graph, pairs, count, bits);
        }
    }
    fuzz_require(linked_list_live_nodes() == 0);
    graph_free(&graph);
}

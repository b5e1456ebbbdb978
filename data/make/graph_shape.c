/*
 * graph_shape.c - degrees and search counts of a graph, to compare with the real graph's.
 *
 * 1. Degrees: graph_stats.
 * 2. Each pair is searched as in the challenge, on an array instead of the list: every push is
 *    kept, so the queue is the stretch between two indexes, and its levels are index ranges.
 * 3. The number of pushes at two moments of a search is recorded, too: at the numbers of pops where
 *    the real graph's searches 1 and 3 ended.
 * Cost: O(nodes + edges) per search. Not for timing: see bfs/.
 * Source: the Pointer Wars linked list challenge, for the counting rules.
 */
#include "graph_shape.h"
#include "base/pw_assert.h"
#include "generate.h"
#include <stdlib.h>
#include <string.h>

struct walk {
    const struct graph *graph;
    uint32_t *queue; /* edge_count entries: each list is pushed at most once */
    uint8_t *marks;  /* one per node */
    uint64_t pops_first, pops_second;
};

struct outcome {
    bool found;
    size_t hops;
    uint64_t pushed, peak, visited, pushed_at_first, pushed_at_second;
};

/* One search by the rules of the challenge. */
static void search(struct walk *walk, struct pair pair, struct outcome *out)
{
    const struct graph *graph = walk->graph;
    uint64_t head = 0, tail = 0, level_end = 0;
    size_t level = 0;
    uint32_t current = pair.source;
    memset(out, 0, sizeof(*out));
    memset(walk->marks, 0, graph->node_limit);
    for (;;) {
        uint64_t begin = graph->offsets[current], end = graph->offsets[current + 1];
        if (begin < end && !walk->marks[current]) {
            walk->marks[current] = 1;
            for (uint64_t e = begin; e < end; e++) {
                walk->queue[tail++] = graph->neighbours[e];
                out->found |= graph->neighbours[e] == pair.target;
            }
            out->peak = tail - head > out->peak ? tail - head : out->peak;
        }
        out->visited++;
        if (out->found) {
            out->hops = level + 1;
            break;
        }
        if (head == tail) {
            break;
        }
        if (head == level_end) {
            level++;
            level_end = tail;
        }
        current = walk->queue[head++];
        if (head == walk->pops_first) {
            out->pushed_at_first = tail;
        } else if (head == walk->pops_second) {
            out->pushed_at_second = tail;
        }
    }
    pw_assert(head <= tail && tail <= graph->edge_count);
    out->pushed = tail;
}

static void add_outcome(struct graph_shape *shape, const struct graph *graph,
                        const struct outcome *out)
{
    shape->searches++;
    shape->pushed_total += out->pushed;
    if (out->peak > shape->peak_queue_max) {
        shape->peak_queue_max = out->peak;
    }
    if (out->found) {
        shape->found++;
        shape->hops[out->hops < SHAPE_HOPS_LIMIT ? out->hops : SHAPE_HOPS_LIMIT]++;
    } else if (out->pushed > graph->edge_count / 2) {
        shape->wide_misses++;
        if (out->pushed > shape->wide_miss_pushed) {
            shape->wide_miss_pushed = out->pushed;
            shape->pushed_at_first = out->pushed_at_first;
            shape->pushed_at_second = out->pushed_at_second;
        }
    }
}

static bool measure_degrees(const struct graph *graph, struct graph_shape *shape)
{
    for (uint32_t node = graph->first_node; node < graph->node_limit; node++) {
        uint64_t degree = graph_out_degree(graph, node);
        shape->small_rows += degree >= 1 && degree <= 4;
    }
    return graph_stats_degrees(graph, &shape->degrees);
}

/* A number of pops of the real graph, scaled to this graph. */
static uint64_t popped_at(const struct graph *graph, double real)
{
    return (uint64_t)((double)graph->edge_count * real / (double)GRAPH_WIKIPEDIA_EDGES);
}

bool graph_shape_measure(const struct graph *graph, const struct pairs *pairs,
                         void (*progress)(void *context, size_t done, size_t count), void *context,
                         struct graph_shape *shape, struct graph_error *error)
{
    memset(shape, 0, sizeof(*shape));
    *error = (struct graph_error){0};
    struct walk walk = {.graph = graph};
    walk.queue = malloc((size_t)(graph->edge_count > 0 ? graph->edge_count : 1) * sizeof(uint32_t));
    walk.marks = malloc(graph->node_limit > 0 ? graph->node_limit : 1);
    walk.pops_first = popped_at(graph, SHAPE_REAL_POPPED_FIRST);
    walk.pops_second = popped_at(graph, SHAPE_REAL_POPPED_SECOND);
    bool ok = walk.queue != NULL && walk.marks != NULL && measure_degrees(graph, shape);
    if (!ok) {
        graph_fail(error, "searches", "out of memory");
    }
    for (size_t i = 0; ok && i < pairs->count; i++) {
        struct outcome out;
        search(&walk, pairs->items[i], &out);
        add_outcome(shape, graph, &out);
        if (progress != NULL) {
            progress(context, i + 1, pairs->count);
        }
    }
    free(walk.marks);
    free(walk.queue);
    return ok;
}

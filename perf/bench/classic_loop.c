/*
 * classic_loop.c - see classic_loop.h.
 */
#include "classic_loop.h"
#include "base/huge_pages.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include "base/report/clock.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define FAR   64 /* method "node": list nodes ahead whose offsets are fetched */
#define NEAR  32 /* and neighbours */
#define BATCH 8  /* method "batch": nodes to expand per batch */
#define CHUNK 8  /* list nodes looked at between two looks at their number */
#define LOOK  512
#define LINES 8 /* lines fetched per list of neighbours */

struct classic_loop_node {
    struct classic_loop_node *next;
    uint32_t data;
};

bool loop_marks_open(struct loop_marks *marks, const struct graph *graph)
{
    marks->words = (size_t)graph->node_limit / 64 + 1;
    marks->now = calloc(marks->words, sizeof(*marks->now));
    marks->sinks = calloc(marks->words, sizeof(*marks->sinks));
    if (marks->now == NULL || marks->sinks == NULL) {
        return false;
    }
    for (uint32_t node = 0; node < graph->node_limit; node++) {
        if (graph->offsets[node] == graph->offsets[node + 1]) {
            mark(marks->sinks, node);
        }
    }
    return true;
}

void loop_marks_close(struct loop_marks *marks)
{
    free(marks->now);
    free(marks->sinks);
}

/* Always inline: gcc drops the call of a function that does nothing but prefetch. */
static inline __attribute__((always_inline)) void fetch_list(const struct graph *graph,
                                                             uint32_t node)
{
    const size_t line = CACHE_LINE_BYTES / sizeof(uint32_t);
    const uint32_t *list = graph->neighbours + graph->offsets[node];
    const size_t degree = (size_t)(graph->offsets[node + 1] - graph->offsets[node]);
    __builtin_prefetch(list);
    __builtin_prefetch(list + line);
    for (size_t i = 2; i < LINES && i * line < degree; i++) {
        __builtin_prefetch(list + i * line);
    }
}

/* Expand the node of the last pop: push its neighbours. True if one of them is the target. */
static inline bool expand(struct classic_loop *loop, uint32_t node)
{
    const uint64_t *offsets = loop->graph->offsets;
    const uint32_t *list = loop->graph->neighbours + offsets[node];
    const size_t degree = (size_t)(offsets[node + 1] - offsets[node]);
    struct classic_loop_node *new = loop->nodes + loop->pushed;
    unsigned found = 0;
    mark(loop->marks.now, node);
    for (size_t i = 0; i < degree; i++) {
        new[i].next = &new[i + 1];
        new[i].data = list[i];
        found |= list[i] == loop->target;
    }
    loop->pushed += degree;
    loop->expanded++;
    return found;
}

/* The level of the node of the last pop. */
static inline void find_level(struct classic_loop *loop)
{
    if (loop->pops > loop->level_end) {
        loop->level++;
        loop->level_end = loop->pushed;
    }
}

/* True when the target was found; then, or when a pop failed, the search is over. */
static bool search_by_node(struct classic_loop *loop, uint32_t source)
{
    const struct graph *graph = loop->graph;
    const uint64_t *marks = loop->marks.now;
    const struct classic_loop_node *head = loop->nodes, *far = head, *near = head;
    uint64_t far_pops = 0, near_pops = 0; /* list nodes that the pointers have passed */
    uint32_t current = source;
    for (;;) {
        if (!is_marked(marks, current)) {
            find_level(loop);
            if (expand(loop, current)) {
                loop->pops++;
                return true;
            }
        }
        if (loop->pops == loop->pushed) {
            loop->pops++; /* the pop that fails */
            return false;
        }
        current = head->data;
        head = head->next;
        loop->pops++;
        for (; far_pops < loop->pushed && far_pops < loop->pops + FAR; far_pops++) {
            if (!is_marked(marks, far->data)) {
                __builtin_prefetch(&graph->offsets[far->data]);
            }
            far = far->next;
        }
        for (; near_pops < loop->pushed && near_pops < loop->pops + NEAR; near_pops++) {
            if (!is_marked(marks, near->data)) {
                fetch_list(graph, near->data);
            }
            near = near->next;
        }
    }
}

/* Add a node to expand, unless an earlier one is the same; pops: the number of its pop. */
struct batch {
    size_t count;
    uint64_t seen_pops; /* list nodes looked at so far */
    uint32_t nodes[BATCH + CHUNK];
    uint64_t pops[BATCH + CHUNK];
};

/*
 * Look further along the list for the next batch, and fetch offsets. Returns the node to look at
 * next. Links are followed; but a node right after this one is read without waiting for the link.
 */
static inline const struct classic_loop_node *look(const struct classic_loop *loop,
                                                   const struct classic_loop_node *node,
                                                   uint64_t pops, struct batch *batch)
{
    const uint64_t left = loop->pushed - pops;
    const uint64_t limit = pops + (left < LOOK ? left : LOOK);
    batch->count = 0;
    while (pops != limit && batch->count < BATCH) {
        const size_t most = limit - pops < CHUNK ? (size_t)(limit - pops) : CHUNK;
        size_t i = 0;
        do {
            batch->nodes[batch->count] = node[i].data;
            batch->pops[batch->count] = pops + i + 1;
            batch->count += !is_marked(loop->marks.now, node[i].data);
        } while (node[i].next == &node[i + 1] && ++i < most);
        i -= i == most;
        pops += i + 1;
        node = node[i].next;
    }
    batch->seen_pops = pops;
    for (size_t i = 0; i < batch->count; i++) {
        __builtin_prefetch(&loop->graph->offsets[batch->nodes[i]]);
    }
    return node;
}

/* The same search. */
static bool search_in_batches(struct classic_loop *loop, uint32_t source)
{
    struct batch batches[3] = {0};
    struct batch *now = &batches[0], *next = &batches[1], *later = &batches[2];
    const struct classic_loop_node *seen = loop->nodes; /* the node to look at next */
    now->nodes[0] = source;
    now->count = !is_marked(loop->marks.now, source);
    while (now->count + next->count > 0 || next->seen_pops < loop->pushed) {
        seen = look(loop, seen, next->seen_pops, later);
        for (size_t i = 0; i < now->count || i < next->count; i++) {
            if (i < next->count) {
                fetch_list(loop->graph, next->nodes[i]);
            }
            if (i < now->count && !is_marked(loop->marks.now, now->nodes[i])) {
                loop->pops = now->pops[i];
                find_level(loop);
                if (expand(loop, now->nodes[i])) {
                    loop->pops++;
                    return true;
                }
            }
        }
        struct batch *done = now;
        now = next;
        next = later;
        later = done;
    }
    loop->pops = loop->pushed + 1; /* the last one fails */
    return false;
}

struct loop_answer classic_loop_search(struct classic_loop *loop, uint32_t source, uint32_t target)
{
    struct loop_answer answer = {0};
    memcpy(loop->marks.now, loop->marks.sinks, loop->marks.words * sizeof(*loop->marks.now));
    uint64_t start_ns = clock_now_ns();
    loop->target = target;
    loop->level = 0;
    loop->pops = loop->pushed = loop->expanded = loop->level_end = 0;
    answer.found =
        loop->in_batches ? search_in_batches(loop, source) : search_by_node(loop, source);
    answer.elapsed_ns = clock_now_ns() - start_ns;
    pw_assert(loop->pops <= loop->pushed + 1 && loop->pushed <= loop->graph->edge_count);
    answer.hops = loop->level + 1;
    answer.visited = loop->pops;
    answer.expanded = loop->expanded;
    answer.pushed = loop->pushed;
    return answer;
}

void classic_loop_calibrate(struct classic_loop *loop, uint32_t source, uint32_t target)
{
    uint64_t by_node_ns = 0, in_batches_ns = 0;
    for (int round = 0; round < 2; round++) { /* the first is a warm-up */
        loop->in_batches = false;
        by_node_ns = classic_loop_search(loop, source, target).elapsed_ns;
        loop->in_batches = true;
        in_batches_ns = classic_loop_search(loop, source, target).elapsed_ns;
    }
    loop->in_batches = in_batches_ns < by_node_ns;
}

bool classic_loop_open(struct classic_loop *loop, const struct graph *graph)
{
    loop->graph = graph;
    loop->bytes = ((size_t)graph->edge_count + 1) * sizeof(*loop->nodes);
    loop->nodes = huge_pages_map(loop->bytes, NULL);
    if (!loop_marks_open(&loop->marks, graph) || loop->nodes == NULL) {
        return false;
    }
    memset(loop->nodes, 0, loop->bytes); /* so that no search pays for the first touch */
    return true;
}

void classic_loop_close(struct classic_loop *loop)
{
    loop_marks_close(&loop->marks);
    if (loop->nodes != NULL) {
        munmap(loop->nodes, loop->bytes);
    }
}

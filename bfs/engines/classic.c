/*
 * classic.c - the challenge's breadth-first search on a queue of list nodes, exact to the last
 * count.
 *
 * 1. A node is marked when it is expanded, not when it is pushed, so it may be queued many times.
 * 2. Expanding pushes the whole row, the target and visited nodes included; the search stops at the
 *    first pop after the target was seen.
 * 3. A node without out-edges counts as marked from the start: one test of one bit a pop instead of
 *    a look at two offsets. The bits fit in a cache near the core.
 * 4. Hops: the queue holds its levels one behind the other; the end of a level is a number of pops.
 * Cost: one push an edge examined; the queue peaks at about half the edges. Not for answers only:
 * the other engines are faster. Source: the Pointer Wars challenge, level 2.
 */
#include "bfs/engines/parts/lookahead.h"
#include "bfs/engines/parts/marks.h"
#include "bfs/engines/parts/row_fetch.h"
#include "bfs/engines/parts/trail.h"
#include "bfs/search/search_limits.h"
#include "engines.h"
#include "libqueue/queue.h"
#include <stdlib.h>

#define STOP_CHECK_INTERVAL 65536 /* pops between two looks at the deadline */

#define BATCH    48  /* pops between two looks ahead */
#define DISTANCE 144 /* list nodes ahead up to which rows' offsets are fetched */

struct classic {
    const struct graph *graph;
    uint64_t *marks;            /* visited, or nothing to visit */
    const uint64_t *sinks;      /* the marks before a search: nodes without out-edges */
    const struct classic *from; /* whose sinks these are; NULL: its own */
    struct trail trail;         /* the nodes expanded, for the path */
    uint32_t target;            /* of the last search, and the outcome */
    uint32_t hops;
};

static void classic_destroy(void *workspace)
{
    struct classic *classic = workspace;
    if (classic == NULL) {
        return;
    }
    if (classic->from == NULL) {
        marks_free((uint64_t *)(uintptr_t)classic->sinks);
    }
    marks_free(classic->marks);
    trail_close(&classic->trail);
    free(classic);
}

static void *create(const struct graph *graph, const struct classic *from)
{
    struct classic *classic = calloc(1, sizeof(*classic));
    if (classic == NULL) {
        return NULL;
    }
    classic->graph = graph;
    classic->from = from;
    classic->hops = SEARCH_HOPS_NONE;
    classic->marks = marks_create(graph);
    classic->sinks = from != NULL ? from->sinks : marks_create_sinks(graph);
    if (!trail_open(&classic->trail, graph) || classic->marks == NULL || classic->sinks == NULL) {
        classic_destroy(classic);
        return NULL;
    }
    memcpy(classic->marks, classic->sinks, marks_words(graph) * sizeof(*classic->marks));
    return classic;
}

static void *classic_create(const struct graph *graph)
{
    return create(graph, NULL);
}

static void *classic_share(void *workspace)
{
    const struct classic *first = workspace;
    return create(first->graph, first);
}

/* Push the row of a node; whether the target is in it goes to *seen. False when out of memory. */
static bool push_row(const struct graph *graph, uint32_t node, uint32_t target, struct queue *queue,
                     bool *seen)
{
    const uint32_t *row = graph->neighbours + graph->offsets[node];
    const size_t count = (size_t)graph_out_degree(graph, node);
    unsigned found = 0;
    for (size_t i = 0; i < count; i++) {
        found |= row[i] == target;
    }
    *seen = found;
    return queue_push_all(queue, row, count);
}

/*
 * What runs ahead of the head of the queue. It moves once in BATCH pops, and keeps what it finds to
 * be expanded without a branch a node: which of them are cannot be predicted.
 */
struct ahead {
    struct lookahead pointer;
    unsigned pops; /* until it moves */
    size_t count;  /* of nodes, whose offsets were asked for when it moved last */
    uint32_t nodes[LOOKAHEAD_STEPS * BATCH];
};

/* Fetch the rows of the nodes found last time, then the offsets of those that come into sight. */
static void fetch_ahead(struct ahead *ahead, const struct queue *queue, const struct graph *graph,
                        const uint64_t *marks)
{
    const struct node *head = queue->ll->head;
    ahead->pops = BATCH;
    for (size_t i = 0; i < ahead->count; i++) {
        row_fetch(graph, ahead->nodes[i]);
    }
    size_t count = 0;
    lookahead_popped(&ahead->pointer, BATCH);
    for (int i = 0; i < LOOKAHEAD_STEPS * BATCH; i++) {
        const struct node *node = lookahead_next(&ahead->pointer, head, DISTANCE);
        if (node == NULL) {
            break;
        }
        ahead->nodes[count] = node->data;
        count += !marks_test(marks, node->data);
    }
    ahead->count = count;
    for (size_t i = 0; i < count; i++) {
        row_fetch_offsets(graph, ahead->nodes[i]);
    }
}

/* The search proper, between the creation of the queue and its deletion. */
static void run(struct classic *classic, struct queue *queue, uint32_t source, uint32_t target,
                const struct search_limits *limits, uint64_t deadline_ns,
                struct search_result *result)
{
    const struct graph *graph = classic->graph;
    uint64_t *marks = classic->marks;
    uint64_t visited = 0;
    uint64_t expanded = 0;
    uint64_t pushed = 0;
    uint64_t peak = 0;
    uint64_t level_end = 0; /* pops after which the level of the current node is over */
    uint32_t level = 0;     /* hops from the source to the current node */
    uint64_t next_check = STOP_CHECK_INTERVAL;
    uint32_t current = source;
    struct ahead ahead = {.pops = 1};

    for (;;) {
        if (!marks_test(marks, current)) {
            bool seen = false;
            marks_set(marks, current);
            trail_add(&classic->trail, current);
            if (!push_row(graph, current, target, queue, &seen)) {
                result->status = SEARCH_NO_MEMORY;
                break;
            }
            expanded++;
            pushed += graph_out_degree(graph, current);
            peak = pushed - visited > peak ? pushed - visited : peak;
            if (!queue_pop(queue, &current)) {
                break;
            }
            visited++;
            if (seen) {
                result->found = true;
                result->hops = level + 1;
                break;
            }
        } else {
            visited++;
            if (!queue_pop(queue, &current)) {
                break;
            }
        }
        if (--ahead.pops == 0) {
            fetch_ahead(&ahead, queue, graph, marks);
        }
        if (visited > level_end) {
            level++;
            level_end = pushed;
            if (!trail_begin_level(&classic->trail, classic->trail.count)) {
                result->status = SEARCH_NO_MEMORY;
                break;
            }
        }
        if (visited >= next_check) {
            next_check = visited + STOP_CHECK_INTERVAL;
            result->status = search_must_stop(limits, deadline_ns);
            if (result->status != SEARCH_DONE) {
                break;
            }
        }
    }
    result->visited = visited;
    result->expanded = expanded;
    result->pushed = pushed;
    result->peak_queue = peak;
    result->edges = pushed;
    classic->hops = result->found ? result->hops : SEARCH_HOPS_NONE;
}

static void classic_search(void *workspace, uint32_t source, uint32_t target,
                           const struct search_limits *limits, struct search_result *result)
{
    struct classic *classic = workspace;
    *result = (struct search_result){.status = SEARCH_DONE, .hops = SEARCH_HOPS_NONE};
    marks_reset(classic->marks, classic->sinks, marks_words(classic->graph), classic->trail.nodes,
                classic->trail.count);
    trail_clear(&classic->trail);
    trail_begin_level(&classic->trail, 0);
    classic->target = target;
    classic->hops = SEARCH_HOPS_NONE;

    uint64_t start_ns = search_start(limits);
    struct queue *queue = queue_create();
    if (queue == NULL) {
        result->status = SEARCH_NO_MEMORY;
        result->elapsed_ns = search_stop(limits, start_ns);
        return;
    }
    run(classic, queue, source, target, limits, search_deadline_ns(limits, start_ns), result);
    queue_delete(queue);
    result->elapsed_ns = search_stop(limits, start_ns);
}

static bool classic_path(void *workspace, uint32_t *nodes)
{
    const struct classic *classic = workspace;
    return classic->hops != SEARCH_HOPS_NONE &&
           trail_path(&classic->trail, classic->graph, classic->target, classic->hops, nodes);
}

static const struct search_engine engine = {
    .name = "classic",
    .summary = "the challenge's search on a queue of list nodes, exact to the last count",
    .changes = "list nodes from any allocator; all neighbours in one array, marks in another, both "
               "fetched ahead",
    .keeps = "the queue, one push per edge, one pop per push, counts and order of the challenge",
    .flags = SEARCH_USES_LIST | SEARCH_EXACT_COUNTS,
    .create = classic_create,
    .share = classic_share,
    .search = classic_search,
    .path = classic_path,
    .destroy = classic_destroy,
};

const struct search_engine *classic_engine(void)
{
    return &engine;
}

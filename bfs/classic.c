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
#include "clock.h"
#include "engines.h"
#include "queue.h"
#include <stdlib.h>
#include <string.h>

#define STOP_CHECK_INTERVAL 65536 /* pops between two looks at the deadline */

struct classic {
    const struct graph *graph;
    size_t mark_words;
    uint64_t *marks;    /* a bit a node: visited, or nothing to visit */
    uint64_t *template; /* the marks before a search: nodes without out-edges */
};

static void classic_destroy(void *workspace)
{
    struct classic *classic = workspace;
    if (classic != NULL) {
        free(classic->marks);
        free(classic->template);
        free(classic);
    }
}

static void *classic_create(const struct graph *graph)
{
    struct classic *classic = calloc(1, sizeof(*classic));
    if (classic == NULL) {
        return NULL;
    }
    classic->graph = graph;
    classic->mark_words = (size_t)graph->node_limit / 64 + 1;
    classic->marks = calloc(classic->mark_words, sizeof(*classic->marks));
    classic->template = calloc(classic->mark_words, sizeof(*classic->template));
    if (classic->marks == NULL || classic->template == NULL) {
        classic_destroy(classic);
        return NULL;
    }
    for (uint32_t node = 0; node < graph->node_limit; node++) {
        if (graph_out_degree(graph, node) == 0) {
            classic->template[node / 64] |= (uint64_t)1 << node % 64;
        }
    }
    return classic;
}

/* Push the row of a node; whether the target is in it goes to *seen. False when out of memory. */
static bool push_row(const struct graph *graph, uint32_t node, uint32_t target, struct queue *queue,
                     bool *seen)
{
    const uint32_t *end = graph->neighbours + graph->offsets[node + 1];
    bool found = false;
    for (const uint32_t *next = graph->neighbours + graph->offsets[node]; next < end; next++) {
        found |= *next == target;
        if (!queue_push(queue, *next)) {
            return false;
        }
    }
    *seen = found;
    return true;
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

    for (;;) {
        const uint64_t bit = (uint64_t)1 << current % 64;
        if (!(marks[current / 64] & bit)) {
            bool seen = false;
            marks[current / 64] |= bit;
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
        if (visited > level_end) {
            level++;
            level_end = pushed;
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
}

static void classic_search(void *workspace, uint32_t source, uint32_t target,
                           const struct search_limits *limits, struct search_result *result)
{
    struct classic *classic = workspace;
    *result = (struct search_result){.status = SEARCH_DONE, .hops = SEARCH_HOPS_NONE};
    memcpy(classic->marks, classic->template, classic->mark_words * sizeof(*classic->marks));

    uint64_t start_ns = clock_now_ns();
    struct queue *queue = queue_create();
    if (queue == NULL) {
        result->status = SEARCH_NO_MEMORY;
        return;
    }
    run(classic, queue, source, target, limits, search_deadline_ns(limits, start_ns), result);
    queue_delete(queue);
    result->elapsed_ns = clock_now_ns() - start_ns;
}

static const struct search_engine engine = {
    .name = "classic",
    .summary = "the challenge's search on a queue of list nodes, exact to the last count",
    .create = classic_create,
    .search = classic_search,
    .destroy = classic_destroy,
};

const struct search_engine *classic_engine(void)
{
    return &engine;
}

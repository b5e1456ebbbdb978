/*
 * push_search.h - the search that marks nodes as it pushes them, for the engines on a queue.
 *
 * push_search_run is the whole inner loop. It pops nodes of one level, as many as their rows fill a
 * buffer, then pushes what is not marked of the buffer: the order is that of one by one, and the
 * search stops at the end of the buffer in which it met the target. It is compiled once in each
 * engine that includes it, which gives it a function of its own to prefetch what waits in its kind
 * of queue.
 */
#ifndef PW_PUSH_SEARCH_H
#define PW_PUSH_SEARCH_H

#include "engines.h"
#include "marks.h"
#include "queue.h"
#include "row_buffer.h"
#include "trail.h"

#define STOP_CHECK_INTERVAL 16384 /* rows between two looks at the deadline */

struct push_search {
    const struct graph *graph;
    uint64_t *marks;
    const uint64_t *sinks;          /* the marks before a search */
    const struct push_search *from; /* whose sinks these are; NULL: its own */
    struct trail trail;             /* the nodes expanded */
    uint32_t target;                /* of the last search, and the outcome */
    uint32_t hops;
};

void *push_search_create(const struct graph *graph);
void *push_search_share(void *workspace);
void push_search_destroy(void *workspace);
bool push_search_path(void *workspace, uint32_t *nodes);

/* Marks as they must be before a search from source to target. */
void push_search_prepare(struct push_search *search, uint32_t source, uint32_t target);

/* Fetch the offsets of a node's row; then, when they are there, the row. */
static inline void push_search_fetch_offsets(const struct graph *graph, uint32_t node)
{
    __builtin_prefetch(&graph->offsets[node]);
}

static inline void push_search_fetch_row(const struct graph *graph, uint32_t node)
{
    const uint32_t *row = graph->neighbours + graph->offsets[node];
    __builtin_prefetch(row);
    __builtin_prefetch(row + 16);
}

/* Push what is not marked of the rows in the buffer, mark it, and empty the buffer. False when out
 * of memory. */
static inline bool push_search_drain(const struct push_search *search, struct row_buffer *rows,
                                     struct queue *queue, uint64_t *pushed)
{
    uint64_t *marks = search->marks;
    for (size_t i = 0; i < rows->count; i++) {
        const uint32_t node = rows->entries[i];
        if (!marks_test(marks, node)) {
            if (!queue_push(queue, node)) {
                return false;
            }
            marks_set(marks, node);
            ++*pushed;
        }
    }
    rows->count = 0;
    return true;
}

/* Put a row into the buffer, which is drained as often as it takes. False when out of memory. */
static inline bool push_search_read_row(const struct push_search *search, uint32_t node,
                                        struct row_buffer *rows, struct queue *queue,
                                        uint64_t *pushed)
{
    const struct graph *graph = search->graph;
    const uint32_t *row = graph->neighbours + graph->offsets[node];
    size_t left = (size_t)graph_out_degree(graph, node);
    for (;;) {
        const size_t added = row_buffer_add(rows, row, left);
        if (__builtin_expect(added == left, 1)) {
            return true;
        }
        row += added;
        left -= added;
        if (!push_search_drain(search, rows, queue, pushed)) {
            return false;
        }
    }
}

/* What a queue does after each pop: prefetch for the nodes that will be popped soon. */
typedef void push_search_ahead(void *state, const struct queue *queue, const struct graph *graph);

static inline __attribute__((always_inline)) void
push_search_run(struct push_search *search, struct queue *queue, uint32_t source,
                const struct search_limits *limits, uint64_t deadline_ns,
                push_search_ahead *fetch_ahead, void *ahead, struct search_result *result)
{
    const struct graph *graph = search->graph;
    const uint64_t target_bit = marks_bit(search->target);
    const uint64_t *target_word = &search->marks[search->target / 64];
    uint64_t visited = 0;
    uint64_t pushed = 0;
    uint64_t peak = 0;
    uint64_t edges = 0;
    uint64_t level_end = 0; /* pops after which the level of the current node is over */
    uint32_t level = 0;
    uint32_t current = source;
    struct row_buffer rows;
    row_buffer_open(&rows, graph);

    for (;;) {
        trail_add(&search->trail, current);
        edges += graph_out_degree(graph, current);
        if (!push_search_read_row(search, current, &rows, queue, &pushed)) {
            result->status = SEARCH_NO_MEMORY;
            break;
        }
        /* The rows of the level's next nodes too, while there is room for them. */
        if (rows.count >= ROW_BUFFER_FULL || visited == level_end || !queue_pop(queue, &current)) {
            if (!push_search_drain(search, &rows, queue, &pushed)) {
                result->status = SEARCH_NO_MEMORY;
                break;
            }
            peak = pushed - visited > peak ? pushed - visited : peak;
            if (*target_word & target_bit) {
                result->found = true;
                result->hops = level + 1;
                break;
            }
            if (!queue_pop(queue, &current)) {
                break;
            }
        }
        visited++;
        fetch_ahead(ahead, queue, graph);
        if (visited > level_end) {
            level++;
            level_end = pushed;
            if (!trail_begin_level(&search->trail, search->trail.count)) {
                result->status = SEARCH_NO_MEMORY;
                break;
            }
        }
        if (visited % STOP_CHECK_INTERVAL == 0) {
            result->status = search_must_stop(limits, deadline_ns);
            if (result->status != SEARCH_DONE) {
                break;
            }
        }
    }
    result->visited = visited;
    result->expanded = search->trail.count;
    result->pushed = pushed;
    result->peak_queue = peak;
    result->edges = edges;
}

/* A search on a queue that make_queue gives. */
static inline __attribute__((always_inline)) void
push_search_search(struct push_search *search, uint32_t source, uint32_t target,
                   const struct search_limits *limits, struct queue *(*make_queue)(void),
                   push_search_ahead *fetch_ahead, void *ahead, struct search_result *result)
{
    *result = (struct search_result){.status = SEARCH_DONE, .hops = SEARCH_HOPS_NONE};
    push_search_prepare(search, source, target);
    uint64_t start_ns = search_start(limits);
    struct queue *queue = make_queue();
    if (queue == NULL) {
        result->status = SEARCH_NO_MEMORY;
        return;
    }
    push_search_run(search, queue, source, limits, search_deadline_ns(limits, start_ns),
                    fetch_ahead, ahead, result);
    queue_delete(queue);
    result->elapsed_ns = search_stop(limits, start_ns);
    search->hops = result->found ? result->hops : SEARCH_HOPS_NONE;
}

#endif

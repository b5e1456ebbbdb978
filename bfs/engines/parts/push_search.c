/*
 * push_search.c - the workspace of the engines that mark as they push, and their search.
 */
#include "push_search.h"
#include "bfs/search/search_limits.h"
#include "marks.h"
#include "row_buffer.h"
#include "row_fetch.h"
#include "trail.h"
#include <stdlib.h>

#define BATCH               64  /* nodes popped at a time */
#define STOP_CHECK_INTERVAL 256 /* batches between two looks at the deadline */

struct push_search {
    const struct graph *graph;
    uint64_t *marks;
    const uint64_t *sinks;          /* the marks before a search */
    const struct push_search *from; /* whose sinks these are; NULL: its own */
    struct trail trail;             /* the nodes expanded */
    uint32_t target;                /* of the last search, and the outcome */
    uint32_t hops;
};

void push_search_destroy(void *workspace)
{
    struct push_search *search = workspace;
    if (search == NULL) {
        return;
    }
    if (search->from == NULL) {
        marks_free((uint64_t *)(uintptr_t)search->sinks);
    }
    marks_free(search->marks);
    trail_close(&search->trail);
    free(search);
}

static void *create(const struct graph *graph, const struct push_search *from)
{
    struct push_search *search = calloc(1, sizeof(*search));
    if (search == NULL) {
        return NULL;
    }
    search->graph = graph;
    search->from = from;
    search->hops = SEARCH_HOPS_NONE;
    search->marks = marks_create(graph);
    search->sinks = from != NULL ? from->sinks : marks_create_sinks(graph);
    if (!trail_open(&search->trail, graph) || search->marks == NULL || search->sinks == NULL) {
        push_search_destroy(search);
        return NULL;
    }
    memcpy(search->marks, search->sinks, marks_words(graph) * sizeof(*search->marks));
    return search;
}

void *push_search_create(const struct graph *graph)
{
    return create(graph, NULL);
}

void *push_search_share(void *workspace)
{
    const struct push_search *first = workspace;
    return create(first->graph, first);
}

/* Marks as they must be before a search. */
static void prepare(struct push_search *search, uint32_t source, uint32_t target)
{
    const struct graph *graph = search->graph;
    struct trail *trail = &search->trail;
    /* Marked, but in no row that the trail tells of: what was queued and never expanded. */
    memcpy(search->marks, search->sinks, marks_words(graph) * sizeof(*search->marks));
    trail_clear(trail);
    trail_begin_level(trail, 0);
    search->target = target;
    search->hops = SEARCH_HOPS_NONE;
    marks_set(search->marks, source);
    marks_clear(search->marks, target);
}

bool push_search_path(void *workspace, uint32_t *nodes)
{
    const struct push_search *search = workspace;
    return search->hops != SEARCH_HOPS_NONE &&
           trail_path(&search->trail, search->graph, search->target, search->hops, nodes);
}

/* A search while it runs. */
struct run {
    struct push_search *search;
    struct queue *queue;
    struct search_result *result;
    uint64_t popped, visited, pushed, peak, edges;
    uint64_t batches; /* expanded, in all levels: looks at the deadline are counted by them */
    struct row_buffer rows;
};

/* Mark and push what is not marked of the rows in the buffer, and empty it. False: no memory. */
static bool drain(struct run *run)
{
    uint64_t *marks = run->search->marks;
    uint32_t *entries = run->rows.entries;
    size_t fresh = 0;
    for (size_t i = 0; i < run->rows.count; i++) {
        const uint32_t node = entries[i];
        if (!marks_test(marks, node)) {
            marks_set(marks, node);
            entries[fresh++] = node;
        }
    }
    run->rows.count = 0;
    run->pushed += fresh;
    if (run->pushed - run->visited > run->peak) {
        run->peak = run->pushed - run->visited;
    }
    return queue_push_all(run->queue, entries, fresh);
}

/* Put a row into the buffer, which is drained as often as it takes. False when out of memory. */
static bool read_row(struct run *run, uint32_t node)
{
    const struct graph *graph = run->search->graph;
    const uint32_t *row = graph->neighbours + graph->offsets[node];
    size_t left = (size_t)graph_out_degree(graph, node);
    run->edges += left;
    for (;;) {
        const size_t added = row_buffer_add(&run->rows, row, left);
        if (__builtin_expect(added == left, 1)) {
            return true;
        }
        row += added;
        left -= added;
        if (!drain(run)) {
            return false;
        }
    }
}

/* Nodes popped together. */
struct batch {
    size_t count;
    uint32_t nodes[BATCH];
};

/* Pop the next nodes of the level and fetch their offsets. */
static void take(struct run *run, struct batch *batch, uint64_t level_end)
{
    const uint64_t left = level_end - run->popped;
    batch->count = queue_pop_all(run->queue, batch->nodes, left < BATCH ? (size_t)left : BATCH);
    run->popped += batch->count;
    for (size_t i = 0; i < batch->count; i++) {
        row_fetch_offsets(run->search->graph, batch->nodes[i]);
    }
}

/* Fetch the rows of nodes whose offsets are there. */
static void fetch_rows(const struct graph *graph, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        row_fetch(graph, batch->nodes[i]);
    }
}

/* Read the rows of nodes. False when the search is over. */
static bool expand(struct run *run, const struct batch *batch)
{
    struct push_search *search = run->search;
    for (size_t i = 0; i < batch->count; i++) {
        run->visited++;
        trail_add(&search->trail, batch->nodes[i]);
        if (!read_row(run, batch->nodes[i]) ||
            (run->rows.count >= ROW_BUFFER_FULL && !drain(run))) {
            run->result->status = SEARCH_NO_MEMORY;
            return false;
        }
    }
    run->batches++;
    return !marks_test(search->marks, search->target);
}

/* The last rows of a level. False when the search is over. */
static bool end_level(struct run *run)
{
    if (!drain(run)) {
        run->result->status = SEARCH_NO_MEMORY;
        return false;
    }
    return !marks_test(run->search->marks, run->search->target);
}

/* The source, which was never in the queue. False when the search is over. */
static bool expand_source(struct run *run, uint32_t source)
{
    trail_add(&run->search->trail, source);
    if (!read_row(run, source)) {
        run->result->status = SEARCH_NO_MEMORY;
        return false;
    }
    return end_level(run);
}

/*
 * All nodes of the level that is in the queue: while the rows of a batch are read, those of the
 * next are on their way, and the offsets of the one after. False when the search is over.
 */
static bool expand_level(struct run *run, const struct search_limits *limits, uint64_t deadline_ns)
{
    const uint64_t level_end = run->pushed;
    struct batch batches[3];
    struct batch *now = &batches[0], *next = &batches[1], *later = &batches[2];
    take(run, now, level_end);
    fetch_rows(run->search->graph, now);
    take(run, next, level_end);
    while (now->count > 0) {
        take(run, later, level_end);
        fetch_rows(run->search->graph, next);
        if (!expand(run, now)) {
            return false;
        }
        struct batch *done = now;
        now = next;
        next = later;
        later = done;
        if (run->batches % STOP_CHECK_INTERVAL == 0) {
            run->result->status = search_must_stop(limits, deadline_ns);
            if (run->result->status != SEARCH_DONE) {
                return false;
            }
        }
    }
    return end_level(run);
}

static void run_levels(struct run *run, uint32_t source, const struct search_limits *limits,
                       uint64_t deadline_ns)
{
    struct push_search *search = run->search;
    struct search_result *result = run->result;
    uint32_t level = 0;
    bool goes_on = expand_source(run, source);
    while (goes_on && run->visited < run->pushed) {
        level++;
        if (!trail_begin_level(&search->trail, search->trail.count)) {
            result->status = SEARCH_NO_MEMORY;
            break;
        }
        goes_on = expand_level(run, limits, deadline_ns);
    }
    if (result->status == SEARCH_DONE && marks_test(search->marks, search->target)) {
        result->found = true;
        result->hops = level + 1;
        search->hops = result->hops;
    }
    result->visited = run->visited;
    result->expanded = search->trail.count;
    result->pushed = run->pushed;
    result->peak_queue = run->peak;
    result->edges = run->edges;
}

void push_search_search(void *workspace, uint32_t source, uint32_t target,
                        const struct search_limits *limits, struct queue *(*make_queue)(void),
                        struct search_result *result)
{
    struct run run = {.search = workspace, .result = result};
    *result = (struct search_result){.status = SEARCH_DONE, .hops = SEARCH_HOPS_NONE};
    prepare(run.search, source, target);
    row_buffer_open(&run.rows, run.search->graph);
    uint64_t start_ns = search_start(limits);
    run.queue = make_queue();
    if (run.queue == NULL) {
        result->status = SEARCH_NO_MEMORY;
        result->elapsed_ns = search_stop(limits, start_ns);
        return;
    }
    run_levels(&run, source, limits, search_deadline_ns(limits, start_ns));
    queue_delete(run.queue);
    result->elapsed_ns = search_stop(limits, start_ns);
}

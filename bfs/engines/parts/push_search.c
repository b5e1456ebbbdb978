/*
 * push_search.c - see push_search.h.
 */
#include "push_search.h"
#include "adjacency.h"
#include "bfs/search/search_limits.h"
#include "workspace.h"

#define BATCH               64  /* nodes popped at a time */
#define STOP_CHECK_INTERVAL 256 /* batches between two looks at the deadline */

/* A search while it runs. */
struct run {
    struct workspace *workspace;
    struct queue *queue;
    struct search_clock clock;
    struct search_result result; /* so far */
    uint64_t popped;
    uint64_t batches; /* expanded, in all levels: looks at the deadline are counted by them */
    struct neighbour_buffer buffer;
};

/* Mark and push what is not marked of the buffer, and empty it. False when out of memory. */
static bool drain(struct run *run)
{
    uint64_t *marks = run->workspace->marks;
    uint32_t *entries = run->buffer.entries;
    struct search_result *result = &run->result;
    size_t fresh = 0;
    for (size_t i = 0; i < run->buffer.count; i++) {
        const uint32_t node = entries[i];
        if (!marks_test(marks, node)) {
            marks_set(marks, node);
            entries[fresh++] = node;
        }
    }
    run->buffer.count = 0;
    result->pushed += fresh;
    pw_assert(result->visited <= run->popped && run->popped <= result->pushed);
    if (result->pushed - result->visited > result->peak_queue) {
        result->peak_queue = result->pushed - result->visited;
    }
    if (!queue_push_all(run->queue, entries, fresh)) {
        result->status = SEARCH_NO_MEMORY;
    }
    return result->status == SEARCH_DONE;
}

/* Put a node into the order and its neighbours into the buffer, drained as often as it takes. */
static bool expand(struct run *run, uint32_t node)
{
    const struct graph *graph = run->workspace->graph;
    const uint32_t *neighbours = graph->neighbours + graph->offsets[node];
    size_t left = (size_t)graph_out_degree(graph, node);
    visit_order_add(&run->workspace->order, node);
    run->result.edges += left;
    for (;;) {
        const size_t added = neighbour_buffer_add(&run->buffer, neighbours, left);
        if (LIKELY(added == left)) {
            return true;
        }
        neighbours += added;
        left -= added;
        if (!drain(run)) {
            return false;
        }
    }
}

/* The last neighbours of a level. False when the search is over. */
static bool end_level(struct run *run)
{
    return drain(run) && !marks_test(run->workspace->marks, run->workspace->target);
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
    pw_assert(run->popped <= level_end);
    pw_assert(queue_size(run->queue) == run->result.pushed - run->popped);
    for (size_t i = 0; i < batch->count; i++) {
        adjacency_fetch_offsets(run->workspace->graph, batch->nodes[i]);
    }
}

/* Fetch the neighbours of nodes whose offsets are there. */
static void fetch_neighbours(const struct graph *graph, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        adjacency_fetch(graph, batch->nodes[i]);
    }
}

/* Read the neighbours of some nodes. False when the search is over. */
static bool expand_batch(struct run *run, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        run->result.visited++;
        if (!expand(run, batch->nodes[i]) ||
            (run->buffer.count >= NEIGHBOUR_BUFFER_FULL && !drain(run))) {
            return false;
        }
    }
    if (marks_test(run->workspace->marks, run->workspace->target)) {
        return false;
    }
    if (++run->batches % STOP_CHECK_INTERVAL == 0) {
        run->result.status = search_must_stop(&run->clock);
    }
    return run->result.status == SEARCH_DONE;
}

/*
 * All nodes of the level that is in the queue: while the neighbours of a batch are read, those of
 * the next are on their way, and the offsets of the one after. False when the search is over.
 */
static bool expand_level(struct run *run)
{
    const uint64_t level_end = run->result.pushed;
    struct batch batches[3];
    struct batch *now = &batches[0], *next = &batches[1], *later = &batches[2];
    take(run, now, level_end);
    fetch_neighbours(run->workspace->graph, now);
    take(run, next, level_end);
    while (now->count > 0) {
        take(run, later, level_end);
        fetch_neighbours(run->workspace->graph, next);
        if (!expand_batch(run, now)) {
            return false;
        }
        struct batch *done = now;
        now = next;
        next = later;
        later = done;
    }
    return end_level(run);
}

static void run_levels(struct run *run, uint32_t source)
{
    struct workspace *workspace = run->workspace;
    struct search_result *result = &run->result;
    bool goes_on = expand(run, source) && end_level(run);
    while (goes_on && result->visited < result->pushed) {
        if (!visit_order_start_level(&workspace->order, workspace->order.count)) {
            result->status = SEARCH_NO_MEMORY;
            break;
        }
        goes_on = expand_level(run);
    }
    if (result->status == SEARCH_DONE && marks_test(workspace->marks, workspace->target)) {
        result->found = true;
        result->hops = (uint32_t)workspace->order.level_count;
        workspace->hops = result->hops;
    }
    result->expanded = workspace->order.count;
}

void push_search_search(void *workspace, uint32_t source, uint32_t target,
                        const struct search_limits *limits, struct queue *(*make_queue)(void),
                        struct search_result *result)
{
    struct run run = {.workspace = workspace};
    workspace_start(workspace, target);
    run.workspace->marked_more = true; /* what is queued is marked, not yet in the visit order */
    marks_set(run.workspace->marks, source);
    marks_clear(run.workspace->marks, target);
    neighbour_buffer_open(&run.buffer, run.workspace->graph);
    search_start(&run.clock, limits, &run.result);
    run.queue = make_queue();
    if (run.queue != NULL) {
        run_levels(&run, source);
        queue_delete(run.queue);
    } else {
        run.result.status = SEARCH_NO_MEMORY;
    }
    search_finish(&run.clock, &run.result);
    *result = run.result;
}

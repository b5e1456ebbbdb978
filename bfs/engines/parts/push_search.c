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
    struct search_result *result;
    uint64_t popped, visited, pushed, peak, edges;
    uint64_t batches; /* expanded, in all levels: looks at the deadline are counted by them */
    struct neighbour_buffer buffer;
};

/* Mark and push what is not marked of the buffer, and empty it. False when out of memory. */
static bool drain(struct run *run)
{
    uint64_t *marks = run->workspace->marks;
    uint32_t *entries = run->buffer.entries;
    size_t fresh = 0;
    for (size_t i = 0; i < run->buffer.count; i++) {
        const uint32_t node = entries[i];
        if (!marks_test(marks, node)) {
            marks_set(marks, node);
            entries[fresh++] = node;
        }
    }
    run->buffer.count = 0;
    run->pushed += fresh;
    pw_assert(run->visited <= run->popped && run->popped <= run->pushed);
    if (run->pushed - run->visited > run->peak) {
        run->peak = run->pushed - run->visited;
    }
    return queue_push_all(run->queue, entries, fresh);
}

/* Put the neighbours into the buffer, drained as often as it takes. False when out of memory. */
static bool read_neighbours(struct run *run, uint32_t node)
{
    const struct graph *graph = run->workspace->graph;
    const uint32_t *neighbours = graph->neighbours + graph->offsets[node];
    size_t left = (size_t)graph_out_degree(graph, node);
    run->edges += left;
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
    pw_assert(run->popped <= level_end && queue_size(run->queue) == run->pushed - run->popped);
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
static bool expand(struct run *run, const struct batch *batch)
{
    struct workspace *workspace = run->workspace;
    for (size_t i = 0; i < batch->count; i++) {
        run->visited++;
        visit_order_add(&workspace->order, batch->nodes[i]);
        if (!read_neighbours(run, batch->nodes[i]) ||
            (run->buffer.count >= NEIGHBOUR_BUFFER_FULL && !drain(run))) {
            run->result->status = SEARCH_NO_MEMORY;
            return false;
        }
    }
    run->batches++;
    return !marks_test(workspace->marks, workspace->target);
}

/* The last neighbours of a level. False when the search is over. */
static bool end_level(struct run *run)
{
    if (!drain(run)) {
        run->result->status = SEARCH_NO_MEMORY;
        return false;
    }
    return !marks_test(run->workspace->marks, run->workspace->target);
}

/* The source, which was never in the queue. False when the search is over. */
static bool expand_source(struct run *run, uint32_t source)
{
    visit_order_add(&run->workspace->order, source);
    if (!read_neighbours(run, source)) {
        run->result->status = SEARCH_NO_MEMORY;
        return false;
    }
    return end_level(run);
}

/*
 * All nodes of the level that is in the queue: while the neighbours of a batch are read, those of
 * the next are on their way, and the offsets of the one after. False when the search is over.
 */
static bool expand_level(struct run *run, const struct search_limits *limits, uint64_t deadline_ns)
{
    const uint64_t level_end = run->pushed;
    struct batch batches[3];
    struct batch *now = &batches[0], *next = &batches[1], *later = &batches[2];
    take(run, now, level_end);
    fetch_neighbours(run->workspace->graph, now);
    take(run, next, level_end);
    while (now->count > 0) {
        take(run, later, level_end);
        fetch_neighbours(run->workspace->graph, next);
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
    struct workspace *workspace = run->workspace;
    struct search_result *result = run->result;
    uint32_t level = 0;
    bool goes_on = expand_source(run, source);
    while (goes_on && run->visited < run->pushed) {
        level++;
        if (!visit_order_start_level(&workspace->order, workspace->order.count)) {
            result->status = SEARCH_NO_MEMORY;
            break;
        }
        goes_on = expand_level(run, limits, deadline_ns);
    }
    if (result->status == SEARCH_DONE && marks_test(workspace->marks, workspace->target)) {
        result->found = true;
        result->hops = level + 1;
        workspace->hops = result->hops;
    }
    result->visited = run->visited;
    result->expanded = workspace->order.count;
    result->pushed = run->pushed;
    result->peak_queue = run->peak;
    result->edges = run->edges;
}

void push_search_search(void *workspace, uint32_t source, uint32_t target,
                        const struct search_limits *limits, struct queue *(*make_queue)(void),
                        struct search_result *result)
{
    struct run run = {.workspace = workspace, .result = result};
    *result = (struct search_result){.status = SEARCH_DONE, .hops = SEARCH_HOPS_NONE};
    workspace_start(workspace, target);
    run.workspace->marked_more =
        true; /* what is queued is marked, and not yet in the visit order */
    marks_set(run.workspace->marks, source);
    marks_clear(run.workspace->marks, target);
    neighbour_buffer_open(&run.buffer, run.workspace->graph);
    uint64_t start_ns = search_start(limits);
    run.queue = make_queue();
    if (run.queue != NULL) {
        run_levels(&run, source, limits, search_deadline_ns(limits, start_ns));
        queue_delete(run.queue);
    } else {
        result->status = SEARCH_NO_MEMORY;
    }
    search_finish(limits, start_ns, result);
}

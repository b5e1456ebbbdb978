/*
 * mark_on_push.c - "plain", but a node is marked when it is pushed, so it enters the queue once.
 *
 * 1. There is one push per node, not one per edge, and the search stops soon after it has met the
 *    target instead of at the next pop.
 * 2. Nodes without out-edges are marked from the start and never pushed. The target's mark is
 *    cleared: it is found even if it is one of them, or is the source itself.
 * 3. Nodes of one level are popped many at a time. Their offsets, then their neighbours are fetched
 *    while earlier nodes' neighbours are read.
 * 4. The neighbours are copied into a buffer (adjacency.h). The unmarked ones are marked and pushed
 *    with one call, in the order of single pushes. The search stops at the end of the buffer
 *    in which it met the target.
 * Gain: the rest is one bit looked up per edge, in cache, and per node a fetch of neighbours
 * from anywhere in memory. Source: Kelly, "Efficient Graph Search", ACM Queue 18(4), 2020.
 */
#include "base/pw_assert.h"
#include "bfs/engines/parts/adjacency.h"
#include "bfs/engines/parts/workspace.h"
#include "bfs/search/search_limits.h"
#include "engines.h"
#include "libqueue/queue_more.h"

#define BATCH               64  /* nodes popped at a time */
#define STOP_CHECK_INTERVAL 256 /* batches between two looks at the deadline */

/* A search while it runs. */
struct mark_on_push_state {
    struct workspace *workspace;
    struct queue *queue;
    struct search_clock clock;
    struct search_result result; /* so far */
    uint64_t popped;
    uint64_t batches; /* expanded, in all levels: looks at the deadline are counted by them */
    struct neighbour_buffer buffer;
};

/* Mark and push what is not marked of the buffer, and empty it. False when out of memory. */
static bool drain(struct mark_on_push_state *state)
{
    uint64_t *marks = state->workspace->marks;
    uint32_t *entries = state->buffer.entries;
    struct search_result *result = &state->result;
    size_t fresh = 0;
    for (size_t i = 0; i < state->buffer.count; i++) {
        const uint32_t node = entries[i];
        if (!marks_test(marks, node)) {
            marks_set(marks, node);
            entries[fresh++] = node;
        }
    }
    state->buffer.count = 0;
    result->pushed += fresh;
    pw_assert(result->visited <= state->popped && state->popped <= result->pushed);
    if (result->pushed - result->visited > result->peak_queue) {
        result->peak_queue = result->pushed - result->visited;
    }
    if (!queue_push_all(state->queue, entries, fresh)) {
        result->status = SEARCH_NO_MEMORY;
    }
    return result->status == SEARCH_DONE;
}

/* Put a node into the order and its neighbours into the buffer, drained as often as it takes. */
static bool expand(struct mark_on_push_state *state, uint32_t node)
{
    const struct graph *graph = state->workspace->graph;
    const uint32_t *neighbours = graph->neighbours + graph->offsets[node];
    size_t left = (size_t)graph_out_degree(graph, node);
    visit_order_add(&state->workspace->order, node);
    state->result.edges += left;
    for (;;) {
        const size_t added = neighbour_buffer_add(&state->buffer, neighbours, left);
        if (LIKELY(added == left)) {
            return true;
        }
        neighbours += added;
        left -= added;
        if (!drain(state)) {
            return false;
        }
    }
}

/* The last neighbours of a level. False when the search is over. */
static bool end_level(struct mark_on_push_state *state)
{
    return drain(state) && !marks_test(state->workspace->marks, state->workspace->target);
}

/* Nodes popped together. */
struct batch {
    size_t count;
    uint32_t nodes[BATCH];
};

/* Pop the next nodes of the level and fetch their offsets. */
static void take(struct mark_on_push_state *state, struct batch *batch, uint64_t level_end)
{
    const uint64_t left = level_end - state->popped;
    batch->count = queue_pop_all(state->queue, batch->nodes, left < BATCH ? (size_t)left : BATCH);
    state->popped += batch->count;
    pw_assert(state->popped <= level_end);
    pw_assert(queue_size(state->queue) == state->result.pushed - state->popped);
    for (size_t i = 0; i < batch->count; i++) {
        adjacency_fetch_offsets(state->workspace->graph, batch->nodes[i]);
    }
}

/* Fetch the neighbours of nodes whose offsets have arrived. */
static void fetch_neighbours(const struct graph *graph, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        adjacency_fetch(graph, batch->nodes[i]);
    }
}

/* Read the neighbours of some nodes. False when the search is over. */
static bool expand_batch(struct mark_on_push_state *state, const struct batch *batch)
{
    pw_assert(batch->count > 0 && batch->count <= BATCH);
    for (size_t i = 0; i < batch->count; i++) {
        state->result.visited++;
        if (!expand(state, batch->nodes[i]) ||
            (state->buffer.count >= NEIGHBOUR_BUFFER_FULL && !drain(state))) {
            return false;
        }
    }
    if (marks_test(state->workspace->marks, state->workspace->target)) {
        return false;
    }
    if (++state->batches % STOP_CHECK_INTERVAL == 0) {
        state->result.status = search_stop_reason(&state->clock);
    }
    return state->result.status == SEARCH_DONE;
}

/*
 * Expand all nodes of the level in the queue. While the neighbours of a batch are read, the next
 * batch's are on their way, and the offsets of the one after. False when the search is over.
 */
static bool expand_level(struct mark_on_push_state *state)
{
    const uint64_t level_end = state->result.pushed;
    struct batch batches[3];
    struct batch *now = &batches[0], *next = &batches[1], *later = &batches[2];
    take(state, now, level_end);
    fetch_neighbours(state->workspace->graph, now);
    take(state, next, level_end);
    while (now->count > 0) {
        take(state, later, level_end);
        fetch_neighbours(state->workspace->graph, next);
        if (!expand_batch(state, now)) {
            return false;
        }
        struct batch *done = now;
        now = next;
        next = later;
        later = done;
    }
    pw_assert(state->popped == level_end);
    return end_level(state);
}

static void run_levels(struct mark_on_push_state *state, uint32_t source)
{
    struct workspace *workspace = state->workspace;
    struct search_result *result = &state->result;
    bool goes_on = expand(state, source) && end_level(state);
    while (goes_on && result->visited < result->pushed) {
        if (!visit_order_start_level(&workspace->order, workspace->order.count)) {
            result->status = SEARCH_NO_MEMORY;
            break;
        }
        goes_on = expand_level(state);
    }
    if (result->status == SEARCH_DONE && marks_test(workspace->marks, workspace->target)) {
        result->found = true;
        result->hops = (uint32_t)workspace->order.level_count;
        workspace->hops = result->hops;
    }
    result->expanded = workspace->order.count;
}

static void mark_on_push_search(void *workspace, uint32_t source, uint32_t target,
                                const struct search_limits *limits, struct search_result *result)
{
    struct mark_on_push_state state = {.workspace = workspace};
    workspace_start(workspace, target);
    state.workspace->marked_more = true; /* what is queued is marked, not yet in the visit order */
    marks_set(state.workspace->marks, source);
    marks_clear(state.workspace->marks, target);
    neighbour_buffer_open(&state.buffer, state.workspace->graph);
    search_start(&state.clock, limits, &state.result);
    state.queue = queue_create();
    if (state.queue != NULL) {
        run_levels(&state, source);
        queue_delete(state.queue);
    } else {
        state.result.status = SEARCH_NO_MEMORY;
    }
    search_finish(&state.clock, &state.result);
    *result = state.result;
}

const struct search_engine mark_on_push_engine = {
    .name = "mark-on-push",
    .summary = "plain, but a node enters the queue only once",
    .changes =
        "a node is marked when it is pushed, not when it is popped; the search stops at once "
        "at the target",
    .keeps = "the queue, its list nodes, their allocator",
    .flags = SEARCH_USES_LIST,
    .create = workspace_create,
    .search = mark_on_push_search,
    .path = workspace_path,
    .check = workspace_check,
    .destroy = workspace_destroy,
};

/*
 * classic.c - the search of "plain" with the same counts, made fast: it reads ahead in the queue,
 * and pushes and pops many entries with one call.
 *
 * 1. Most pops give marked nodes and change nothing. So the search reads ahead in the list for
 *    nodes to expand, fetches their neighbours, and pops all up to such a node with one call.
 * 2. It does so just before it pushes the neighbours of that node, with one call, too: list nodes
 *    are created and deleted in the order of "plain".
 * 3. Marked entries cannot be predicted, so unmarked ones are collected without a branch.
 * Cost: as "plain"; the queue peaks at about half the edges. If you only need the answer, use
 * another engine; this one reproduces the challenge's counts.
 * Source: the Pointer Wars challenge, level 2.
 */
#include "base/pw_assert.h"
#include "bfs/engines/parts/adjacency.h"
#include "bfs/engines/parts/workspace.h"
#include "bfs/search/search_limits.h"
#include "engines.h"
#include "liblist/linked_list_more.h"
#include "libqueue/queue_more.h"

#define STOP_CHECK_INTERVAL 4096 /* list nodes between two looks at the deadline */

#define BATCH    8   /* nodes to expand at once: cache misses a core can have under way */
#define LOOK_MAX 512 /* queue entries that one look ahead reads */

/* Nodes to expand, unless a node comes twice; pops: the number of the pop of each
 * node. */
struct batch {
    size_t count;
    uint32_t nodes[BATCH + LINKED_LIST_READ_MAX];
    uint64_t pops[BATCH + LINKED_LIST_READ_MAX];
};

/* A search while it runs. */
struct classic_state {
    struct workspace *workspace;
    struct queue *queue;
    struct search_result *result; /* visited is also the number of pops */
    uint32_t target;
    struct linked_list_reader reader; /* how far the queue was read ahead */
    uint64_t level_end;               /* pops after which the level of the current node is over */
};

/* The unmarked entries among those just read, and the marks. */
struct kept {
    struct batch *batch;
    const uint64_t *marks;
    size_t count;
};

/* Keep a queue entry if its node is not marked: without a branch, which could not be predicted. */
static inline void keep_unmarked(void *context, unsigned int node, size_t pops)
{
    struct kept *kept = context;
    kept->batch->nodes[kept->count] = node;
    kept->batch->pops[kept->count] = pops;
    kept->count += !marks_test(kept->marks, node);
}

/* Read on in the queue for nodes to expand, and fetch their offsets. */
static void look_ahead(struct classic_state *state, struct batch *batch)
{
    struct linked_list_reader reader = state->reader;
    struct kept kept = {.batch = batch, .marks = state->workspace->marks};
    const uint64_t limit = reader.read + LOOK_MAX;
    while (kept.count < BATCH && reader.read < limit &&
           linked_list_read(state->queue->ll, &reader, keep_unmarked, &kept) > 0) {
    }
    pw_assert(kept.count <= COUNT_OF(batch->nodes) && reader.read <= state->result->pushed);
    state->reader = reader;
    batch->count = kept.count;
    for (size_t i = 0; i < kept.count; i++) {
        adjacency_fetch_offsets(state->workspace->graph, batch->nodes[i]);
    }
}

/* Push the neighbours of a node; *seen: whether the target is one. False when out of memory. */
static bool push_neighbours(struct classic_state *state, uint32_t node, bool *seen)
{
    const struct graph *graph = state->workspace->graph;
    const uint32_t *neighbours = graph->neighbours + graph->offsets[node];
    const size_t count = (size_t)graph_out_degree(graph, node);
    unsigned found = 0;
    pw_assert(count > 0); /* nodes without out-edges are marked */
    for (size_t i = 0; i < count; i++) {
        found |= neighbours[i] == state->target;
    }
    *seen = found;
    if (!queue_push_all(state->queue, neighbours, count)) {
        return false;
    }
    state->result->expanded++;
    state->result->pushed += count;
    return true;
}

/* Pop all up to a node, and expand it. False when the search is over. */
static bool expand(struct classic_state *state, uint32_t node, uint64_t pops)
{
    struct workspace *workspace = state->workspace;
    struct search_result *result = state->result;
    bool seen = false;
    pw_assert(pops >= result->visited && pops <= result->pushed);
    queue_drop(state->queue, (size_t)(pops - result->visited));
    result->visited = pops;
    pw_assert(queue_size(state->queue) == result->pushed - result->visited);
    if (pops > state->level_end) {
        state->level_end = result->pushed;
        if (!visit_order_start_level(&workspace->order, workspace->order.count)) {
            result->status = SEARCH_NO_MEMORY;
            return false;
        }
    }
    marks_set(workspace->marks, node);
    visit_order_add(&workspace->order, node);
    if (!push_neighbours(state, node, &seen)) {
        result->status = SEARCH_NO_MEMORY;
        return false;
    }
    if (result->pushed - pops > result->peak_queue) {
        result->peak_queue = result->pushed - pops;
    }
    if (seen) {
        result->visited += queue_drop(state->queue, 1);
        result->found = true;
        result->hops = (uint32_t)workspace->order.level_count;
    }
    return !seen;
}

/* Expand a batch; per node the neighbours of one of the next batch are fetched. False: over. */
static bool expand_batch(struct classic_state *state, const struct batch *batch,
                         const struct batch *next)
{
    const struct graph *graph = state->workspace->graph;
    for (size_t i = batch->count; i < next->count; i++) {
        adjacency_fetch_list(graph, next->nodes[i]);
    }
    for (size_t i = 0; i < batch->count; i++) {
        if (i < next->count) {
            adjacency_fetch_list(graph, next->nodes[i]);
        }
        if (!marks_test(state->workspace->marks, batch->nodes[i]) &&
            !expand(state, batch->nodes[i], batch->pops[i])) {
            return false;
        }
    }
    return true;
}

/*
 * The search proper. While a batch is expanded, the neighbours of the next batch are on their way,
 * and the offsets of the one after that.
 */
static void run_search(struct classic_state *state, uint32_t source,
                       const struct search_clock *clock)
{
    struct search_result *result = state->result;
    struct batch batches[3] = {0};
    struct batch *now = &batches[0], *next = &batches[1], *later = &batches[2];
    uint64_t next_check = STOP_CHECK_INTERVAL;
    now->nodes[0] = source; /* taken without a push */
    now->pops[0] = 0;
    now->count = !marks_test(state->workspace->marks, source);
    next->count = 0;
    while (now->count + next->count > 0 || state->reader.read < result->pushed) {
        look_ahead(state, later);
        if (!expand_batch(state, now, next)) {
            return;
        }
        struct batch *done = now;
        now = next;
        next = later;
        later = done;
        if (state->reader.read >= next_check) {
            next_check = state->reader.read + STOP_CHECK_INTERVAL;
            result->status = search_stop_reason(clock);
            if (result->status != SEARCH_DONE) {
                return;
            }
        }
    }
    result->visited += queue_drop(state->queue, (size_t)(result->pushed - result->visited));
    result->visited++; /* the pop that fails */
    pw_assert(!queue_has_next(state->queue) && result->visited == result->pushed + 1);
}

static void classic_search(void *workspace, uint32_t source, uint32_t target,
                           const struct search_limits *limits, struct search_result *result)
{
    struct search_clock clock;
    struct classic_state state = {.workspace = workspace, .result = result, .target = target};
    workspace_start(workspace, target);
    search_start(&clock, limits, result);
    state.queue = queue_create();
    if (state.queue != NULL) {
        run_search(&state, source, &clock);
        queue_delete(state.queue);
    } else {
        result->status = SEARCH_NO_MEMORY;
    }
    result->edges = result->pushed;
    search_finish(&clock, result);
    state.workspace->hops = result->hops;
}

const struct search_engine classic_engine = {
    .name = "classic",
    .summary = "plain made fast, exact to the last count: the default",
    .changes =
        "it reads ahead in the queue's list for unmarked nodes and fetches their neighbours; "
        "it pushes and pops many nodes with one call",
    .keeps = "the queue, one push per edge, one pop per push, counts and order of the challenge",
    .flags = SEARCH_USES_LIST | SEARCH_EXACT_COUNTS,
    .create = workspace_create,
    .search = classic_search,
    .path = workspace_path,
    .check = workspace_check,
    .destroy = workspace_destroy,
};

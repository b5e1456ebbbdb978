/*
 * classic.c - the challenge's breadth-first search on a queue of list nodes, exact to the last
 * count.
 *
 * 1. A node is marked when it is expanded, not when it is pushed, so it may be queued many times.
 * 2. To expand a node pushes all its neighbours, the target and visited nodes included; the search
 *    stops at the first pop after the target was seen.
 * 3. A node without out-edges counts as marked from the start: a pop tests one bit instead of
 *    looking at two offsets. The bits fit in a cache near the core.
 * 4. Most pops are of marked nodes and change nothing. So the search reads ahead in the list for
 *    nodes to expand, and pops all up to such a node just before it pushes that one's neighbours:
 *    creations and deletions come in the order of the challenge.
 * 5. Hops: the queue holds its levels one behind the other; the end of a level is a number of pops.
 * Cost: one push per edge examined; the queue peaks at about half the edges. If you only need the
 * answer, use another engine; this one reproduces the challenge's counts.
 * Source: the Pointer Wars challenge, level 2.
 */
#include "base/pw_assert.h"
#include "bfs/engines/parts/adjacency.h"
#include "bfs/engines/parts/workspace.h"
#include "bfs/search/search_limits.h"
#include "engines.h"
#include "libqueue/queue.h"

#define STOP_CHECK_INTERVAL 65536 /* list nodes between two looks at the deadline */

#define BATCH    8   /* nodes to expand that are found together: misses a core has under way */
#define RUN_MAX  8   /* list nodes read in one stretch */
#define LOOK_MAX 512 /* list nodes that one look ahead reads */

/* How far ahead the list is fetched, since a processor's own prefetching ends with the page. */
#define LIST_AHEAD_BYTES 512

/* Nodes to expand, unless a node before them is the same; pops: the number of the pop that gives
 * the node. */
struct batch {
    size_t count;
    uint32_t nodes[BATCH + RUN_MAX];
    uint64_t pops[BATCH + RUN_MAX];
};

/* A search while it runs. */
struct run {
    struct workspace *workspace;
    struct queue *queue;
    struct search_result *result; /* visited is also the number of pops */
    uint32_t target;
    const struct node *seen; /* the list node read last; valid if it was not popped since */
    uint64_t seen_pops;      /* the number of the pop that gives it */
    uint64_t level_end;      /* pops after which the level of the current node is over */
};

/*
 * Read on in the list for nodes to expand, and fetch their offsets. What is not marked is kept
 * without a branch per node, because which ones cannot be predicted. List nodes that lie side by
 * side, as a slab's do, are read as an array: none waits for the link to it.
 */
static void look_ahead(struct run *run, struct batch *batch)
{
    const uint64_t *marks = run->workspace->marks;
    const bool is_in_list = run->seen_pops > run->result->visited;
    const struct node *node = is_in_list ? run->seen->next : run->queue->ll->head;
    const uint64_t limit = run->seen_pops + LOOK_MAX;
    uint64_t pops = run->seen_pops;
    size_t count = 0;
    while (node != NULL && count < BATCH && pops < limit) {
        size_t i = 0;
        __builtin_prefetch((const char *)node + LIST_AHEAD_BYTES);
        do {
            batch->nodes[count] = node[i].data;
            batch->pops[count] = pops + i + 1;
            count += !marks_test(marks, node[i].data);
        } while (node[i].next == &node[i + 1] && ++i < RUN_MAX);
        i -= i == RUN_MAX;
        pops += i + 1;
        run->seen = &node[i];
        node = run->seen->next;
    }
    pw_assert(count <= COUNT_OF(batch->nodes) && pops <= run->result->pushed);
    run->seen_pops = pops;
    batch->count = count;
    for (size_t i = 0; i < count; i++) {
        adjacency_fetch_offsets(run->workspace->graph, batch->nodes[i]);
    }
}

/* Push the neighbours of a node; *seen: whether the target is one. False when out of memory. */
static bool push_neighbours(struct run *run, uint32_t node, bool *seen)
{
    const struct graph *graph = run->workspace->graph;
    const uint32_t *neighbours = graph->neighbours + graph->offsets[node];
    const size_t count = (size_t)graph_out_degree(graph, node);
    unsigned found = 0;
    for (size_t i = 0; i < count; i++) {
        found |= neighbours[i] == run->target;
    }
    *seen = found;
    if (!queue_push_all(run->queue, neighbours, count)) {
        return false;
    }
    run->result->expanded++;
    run->result->pushed += count;
    return true;
}

/* Pop all up to a node, and expand it. False when the search is over. */
static bool expand(struct run *run, uint32_t node, uint64_t pops)
{
    struct workspace *workspace = run->workspace;
    struct search_result *result = run->result;
    bool seen = false;
    queue_drop(run->queue, pops - result->visited);
    result->visited = pops;
    pw_assert(queue_size(run->queue) == result->pushed - result->visited);
    if (pops > run->level_end) {
        run->level_end = result->pushed;
        if (!visit_order_start_level(&workspace->order, workspace->order.count)) {
            result->status = SEARCH_NO_MEMORY;
            return false;
        }
    }
    marks_set(workspace->marks, node);
    visit_order_add(&workspace->order, node);
    if (!push_neighbours(run, node, &seen)) {
        result->status = SEARCH_NO_MEMORY;
        return false;
    }
    if (result->pushed - pops > result->peak_queue) {
        result->peak_queue = result->pushed - pops;
    }
    if (seen) {
        result->visited += queue_drop(run->queue, 1);
        result->found = true;
        result->hops = (uint32_t)workspace->order.level_count;
    }
    return !seen;
}

/* Expand a batch; per node the neighbours of one of the next batch are fetched. False: over. */
static bool expand_batch(struct run *run, const struct batch *batch, const struct batch *next)
{
    const struct graph *graph = run->workspace->graph;
    for (size_t i = batch->count; i < next->count; i++) {
        adjacency_fetch_list(graph, next->nodes[i]);
    }
    for (size_t i = 0; i < batch->count; i++) {
        if (i < next->count) {
            adjacency_fetch_list(graph, next->nodes[i]);
        }
        if (!marks_test(run->workspace->marks, batch->nodes[i]) &&
            !expand(run, batch->nodes[i], batch->pops[i])) {
            return false;
        }
    }
    return true;
}

/*
 * The search proper: while a batch is expanded, the neighbours of the next one are on their way,
 * and the offsets of the one after.
 */
static void run_search(struct run *run, uint32_t source, const struct search_clock *clock)
{
    struct search_result *result = run->result;
    struct batch batches[3] = {0};
    struct batch *now = &batches[0], *next = &batches[1], *later = &batches[2];
    uint64_t next_check = STOP_CHECK_INTERVAL;
    now->nodes[0] = source; /* taken without a push */
    now->pops[0] = 0;
    now->count = !marks_test(run->workspace->marks, source);
    next->count = 0;
    while (now->count + next->count > 0 || run->seen_pops < result->pushed) {
        look_ahead(run, later);
        if (!expand_batch(run, now, next)) {
            return;
        }
        struct batch *done = now;
        now = next;
        next = later;
        later = done;
        if (run->seen_pops >= next_check) {
            next_check = run->seen_pops + STOP_CHECK_INTERVAL;
            result->status = search_must_stop(clock);
            if (result->status != SEARCH_DONE) {
                return;
            }
        }
    }
    result->visited += queue_drop(run->queue, (size_t)(result->pushed - result->visited));
    result->visited++; /* the pop that fails */
    pw_assert(!queue_has_next(run->queue) && result->visited == result->pushed + 1);
}

static void classic_search(void *workspace, uint32_t source, uint32_t target,
                           const struct search_limits *limits, struct search_result *result)
{
    struct search_clock clock;
    struct run run = {.workspace = workspace, .result = result, .target = target};
    workspace_start(workspace, target);
    search_start(&clock, limits, result);
    run.queue = queue_create();
    if (run.queue != NULL) {
        run_search(&run, source, &clock);
        queue_delete(run.queue);
    } else {
        result->status = SEARCH_NO_MEMORY;
    }
    result->edges = result->pushed;
    search_finish(&clock, result);
    run.workspace->hops = result->hops;
}

const struct search_engine classic_engine = {
    .name = "classic",
    .summary = "the challenge's search on a queue of list nodes, exact to the last count",
    .changes = "list nodes from any allocator; all neighbours in one array, marks in another, both "
               "fetched ahead",
    .keeps = "the queue, one push per edge, one pop per push, counts and order of the challenge",
    .flags = SEARCH_USES_LIST | SEARCH_EXACT_COUNTS,
    .create = workspace_create,
    .search = classic_search,
    .path = workspace_path,
    .check = workspace_check,
    .destroy = workspace_destroy,
};

/*
 * classic.c - the challenge's breadth-first search on a queue of list nodes, exact to the last
 * count.
 *
 * 1. A node is marked when it is expanded, not when it is pushed, so it may be queued many times.
 * 2. To expand a node pushes all its neighbours, the target and visited nodes included; the search
 *    stops at the first pop after the target was seen.
 * 3. A node without out-edges counts as marked from the start: a pop tests one bit instead of
 *    looking at two offsets. The bits fit in a cache near the core.
 * 4. Hops: the queue holds its levels one behind the other; the end of a level is a number of pops.
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

#define STOP_CHECK_INTERVAL 65536 /* pops between two looks at the deadline */

#define BATCH    48  /* pops between two looks ahead */
#define STEPS    2   /* nodes that a look ahead may advance per pop */
#define DISTANCE 144 /* list nodes ahead up to which offsets are fetched */

/* Push the neighbours of a node; *seen: whether the target is one. False when out of memory. */
static bool push_neighbours(const struct graph *graph, uint32_t node, uint32_t target,
                            struct queue *queue, bool *seen)
{
    const uint32_t *neighbours = graph->neighbours + graph->offsets[node];
    const size_t count = (size_t)graph_out_degree(graph, node);
    unsigned found = 0;
    for (size_t i = 0; i < count; i++) {
        found |= neighbours[i] == target;
    }
    *seen = found;
    return queue_push_all(queue, neighbours, count);
}

/*
 * A pointer that runs ahead of the head of the queue's list. It follows the links and stays between
 * head and tail, which it may because the list grows at its end and shrinks at its front only. It
 * moves once in BATCH pops, and keeps what it finds to be expanded without a branch per node: which
 * of them are cannot be predicted.
 */
struct ahead {
    const struct node *node;
    size_t lead;   /* it is the lead-th node of the list; 0: overtaken, or not started */
    unsigned pops; /* until it moves */
    size_t count;  /* of nodes, whose offsets were asked for when it moved last */
    uint32_t nodes[STEPS * BATCH];
};

/* Fetch the neighbours of the nodes found last time, then the offsets of those now in sight. */
static void fetch_ahead(struct ahead *ahead, const struct queue *queue, const struct graph *graph,
                        const uint64_t *marks)
{
    size_t count = 0;
    ahead->pops = BATCH;
    for (size_t i = 0; i < ahead->count; i++) {
        adjacency_fetch(graph, ahead->nodes[i]);
    }
    ahead->lead -= BATCH < ahead->lead ? BATCH : ahead->lead;
    for (int i = 0; i < STEPS * BATCH && ahead->lead < DISTANCE; i++) {
        const struct node *next = ahead->lead > 0 ? ahead->node->next : queue->ll->head;
        if (next == NULL) {
            break;
        }
        ahead->node = next;
        ahead->lead++;
        ahead->nodes[count] = next->data;
        count += !marks_test(marks, next->data);
    }
    pw_assert(count <= COUNT_OF(ahead->nodes) && ahead->lead <= DISTANCE);
    ahead->count = count;
    for (size_t i = 0; i < count; i++) {
        adjacency_fetch_offsets(graph, ahead->nodes[i]);
    }
}

/* The search proper, between the creation of the queue and its deletion. */
static void run(struct workspace *classic, struct queue *queue, uint32_t source, uint32_t target,
                const struct search_clock *clock, struct search_result *result)
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
            visit_order_add(&classic->order, current);
            if (!push_neighbours(graph, current, target, queue, &seen)) {
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
        pw_assert(queue_size(queue) == pushed - visited && peak >= queue_size(queue));
        if (--ahead.pops == 0) {
            fetch_ahead(&ahead, queue, graph, marks);
        }
        if (visited > level_end) {
            level++;
            level_end = pushed;
            if (!visit_order_start_level(&classic->order, classic->order.count)) {
                result->status = SEARCH_NO_MEMORY;
                break;
            }
        }
        if (visited >= next_check) {
            next_check = visited + STOP_CHECK_INTERVAL;
            result->status = search_must_stop(clock);
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
    classic->hops = result->hops;
}

static void classic_search(void *workspace, uint32_t source, uint32_t target,
                           const struct search_limits *limits, struct search_result *result)
{
    struct search_clock clock;
    workspace_start(workspace, target);
    search_start(&clock, limits, result);
    struct queue *queue = queue_create();
    if (queue != NULL) {
        run(workspace, queue, source, target, &clock, result);
        queue_delete(queue);
    } else {
        result->status = SEARCH_NO_MEMORY;
    }
    search_finish(&clock, result);
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

/*
 * challenge.c - the search of "plain" in the memory layout of the published program.
 *
 * 1. Each node has a struct of its own and an array of neighbours that grew edge by edge, in the
 *    order of the published file (by target, which the reverse adjacency gives): two blocks of the
 *    heap per node, anywhere in memory.
 * 2. The visited flag is in the node's struct, so every pop reads that struct.
 * 3. The queue is a list of its own: one malloc per push, one free per pop, through the functions
 *    registered with liblist, so that they are counted. No node allocator takes part.
 * Cost: 64 bytes per node, 8 per edge, and 32 per queue entry; two thirds of the time is malloc.
 * If you only need answers, use another engine: the times of the others are compared with this one.
 * Its counts equal plain's.
 * Source: the Pointer Wars challenge; a rendering of our own.
 */
#include "base/pw_assert.h"
#include "bfs/engines/parts/workspace.h"
#include "bfs/search/search_limits.h"
#include "engines.h"
#include "liblist/linked_list_more.h"
#include <stdlib.h>

#define STOP_CHECK_INTERVAL 4096 /* pops between two looks at the deadline */
#define FIRST_CAPACITY      4    /* entries of a new array of neighbours */

struct node_links {
    uint32_t *neighbours;
    size_t count;
    size_t capacity;
    bool visited;
};

struct challenge {
    struct workspace base;     /* its marks are not used: the flags are in nodes */
    struct node_links **nodes; /* NULL: a node without out-edges */
};

static void challenge_destroy(void *workspace)
{
    struct challenge *challenge = workspace;
    if (challenge == NULL) {
        return;
    }
    for (size_t i = 0; challenge->nodes != NULL && i < challenge->base.graph->node_limit; i++) {
        if (challenge->nodes[i] != NULL) {
            free(challenge->nodes[i]->neighbours);
            free(challenge->nodes[i]);
        }
    }
    free(challenge->nodes);
    workspace_destroy(&challenge->base);
}

/* Make room for one more neighbour, up to the node's degree. False when out of memory. */
static bool grow(struct node_links **node, size_t degree)
{
    if (*node == NULL && degree > 0) {
        *node = calloc(1, sizeof(**node));
    }
    struct node_links *links = *node;
    if (links == NULL || links->count == degree) {
        return links != NULL || degree == 0;
    }
    if (links->count == links->capacity) {
        size_t capacity = links->capacity == 0 ? FIRST_CAPACITY : links->capacity * 2;
        uint32_t *grown = realloc(links->neighbours, capacity * sizeof(*grown));
        if (grown == NULL) {
            return false;
        }
        links->neighbours = grown;
        links->capacity = capacity;
    }
    links->count++;
    pw_assert(links->count <= links->capacity && links->count <= degree);
    return true;
}

/*
 * Allocate the nodes in the order in which the published file's edges name them, then fill them in.
 * The reverse adjacency of a damaged snapshot may name a node more or less often than it has
 * out-edges.
 */
static bool lay_out(struct node_links **nodes, const struct graph *graph)
{
    for (uint64_t edge = 0; edge < graph->edge_count; edge++) {
        const uint32_t node = graph->in_neighbours[edge];
        if (!grow(&nodes[node], (size_t)graph_out_degree(graph, node))) {
            return false;
        }
    }
    for (uint32_t node = 0; node < graph->node_limit; node++) {
        const size_t degree = (size_t)graph_out_degree(graph, node);
        for (size_t i = 0; i < degree; i++) {
            if (!grow(&nodes[node], degree)) {
                return false;
            }
            nodes[node]->neighbours[i] = graph->neighbours[graph->offsets[node] + i];
        }
        pw_assert(degree == 0 || nodes[node]->count == degree);
    }
    return true;
}

/* The visited flags lie among the neighbours, so every thread needs a copy of all. */
static void *challenge_create(const struct graph *graph, const void *from)
{
    struct challenge *challenge = graph->in_offsets != NULL ? calloc(1, sizeof(*challenge)) : NULL;
    if (challenge == NULL || !workspace_open(&challenge->base, graph, from)) {
        free(challenge);
        return NULL;
    }
    challenge->nodes = calloc((size_t)graph->node_limit + 1, sizeof(struct node_links *));
    if (challenge->nodes == NULL || !lay_out(challenge->nodes, graph)) {
        challenge_destroy(challenge);
        return NULL;
    }
    return challenge;
}

struct item {
    struct item *next;
    uint32_t data;
};

struct item_list {
    struct item *head;
    struct item *tail;
    size_t size;
};

struct item_queue {
    struct item_list *list;
};

static bool push(struct item_queue *queue, uint32_t data)
{
    struct item_list *list = queue->list;
    struct item *item = linked_list_allocate(sizeof(*item));
    if (item == NULL) {
        return false;
    }
    item->next = NULL;
    item->data = data;
    if (list->head == NULL) {
        list->head = item;
    } else {
        list->tail->next = item;
    }
    list->tail = item;
    list->size++;
    return true;
}

static bool pop(struct item_queue *queue, uint32_t *data)
{
    struct item_list *list = queue->list;
    struct item *item = list->head;
    pw_assert((item == NULL) == (list->size == 0));
    if (item == NULL) {
        return false;
    }
    *data = item->data;
    list->head = item->next;
    list->size--;
    linked_list_release(item);
    return true;
}

static void queue_close(struct item_queue *queue)
{
    uint32_t ignored;
    while (pop(queue, &ignored)) {
    }
    pw_assert(queue->list->size == 0);
    linked_list_release(queue->list);
    linked_list_release(queue);
}

/* As in the challenge, two mallocs: the queue and its list. */
static struct item_queue *queue_open(void)
{
    struct item_queue *queue = linked_list_allocate(sizeof(*queue));
    if (queue == NULL) {
        return NULL;
    }
    queue->list = linked_list_allocate(sizeof(*queue->list));
    if (queue->list == NULL) {
        linked_list_release(queue);
        return NULL;
    }
    *queue->list = (struct item_list){0};
    return queue;
}

/* Push all neighbours of a node. False when out of memory. */
static bool expand(const struct node_links *node, uint32_t target, struct item_queue *queue,
                   struct search_result *result)
{
    pw_assert(node->visited && node->count > 0);
    for (size_t i = 0; i < node->count; i++) {
        result->found |= node->neighbours[i] == target;
        if (!push(queue, node->neighbours[i])) {
            return false;
        }
    }
    result->expanded++;
    result->pushed += node->count;
    if (queue->list->size > result->peak_queue) {
        result->peak_queue = queue->list->size;
    }
    return true;
}

static enum search_status run(struct challenge *challenge, struct item_queue *queue,
                              uint32_t source, const struct search_clock *clock,
                              struct search_result *result)
{
    struct visit_order *order = &challenge->base.order;
    uint64_t level_end = 0; /* pops after which the level of the current node is over */
    uint64_t next_check = STOP_CHECK_INTERVAL;
    uint32_t current = source;
    for (;;) {
        struct node_links *node = challenge->nodes[current];
        bool expands = node != NULL && !node->visited;
        if (expands) {
            node->visited = true;
            visit_order_add(order, current);
            if (!expand(node, challenge->base.target, queue, result)) {
                return SEARCH_NO_MEMORY;
            }
        } else {
            result->visited++; /* even if there is nothing to pop */
        }
        if (!pop(queue, &current)) {
            return SEARCH_DONE;
        }
        result->visited += expands;
        if (result->found) {
            result->hops = (uint32_t)order->level_count;
            return SEARCH_DONE;
        }
        if (result->visited > level_end) {
            level_end = result->pushed;
            if (!visit_order_start_level(order, order->count)) {
                return SEARCH_NO_MEMORY;
            }
        }
        pw_assert(queue->list->size == result->pushed - result->visited);
        if (result->visited >= next_check) {
            next_check = result->visited + STOP_CHECK_INTERVAL;
            enum search_status status = search_stop_reason(clock);
            if (status != SEARCH_DONE) {
                return status;
            }
        }
    }
}

/* Outside the measured region, as in the published program. */
static void clear_flags(struct challenge *challenge)
{
    const struct visit_order *order = &challenge->base.order;
    for (size_t i = 0; i < order->count; i++) {
        pw_assert(challenge->nodes[order->nodes[i]]->visited);
        challenge->nodes[order->nodes[i]]->visited = false;
    }
}

static void challenge_search(void *workspace, uint32_t source, uint32_t target,
                             const struct search_limits *limits, struct search_result *result)
{
    struct challenge *challenge = workspace;
    struct search_clock clock;
    clear_flags(challenge);
    workspace_start(&challenge->base, target);
    search_start(&clock, limits, result);
    struct item_queue *queue = queue_open();
    if (queue != NULL) {
        result->status = run(challenge, queue, source, &clock, result);
        queue_close(queue);
    } else {
        result->status = SEARCH_NO_MEMORY;
    }
    result->found = result->hops != SEARCH_HOPS_NONE;
    result->edges = result->pushed;
    challenge->base.hops = result->hops;
    search_finish(&clock, result);
}

/* Every node in the visit order carries its flag, and no other. */
static bool challenge_check(const void *workspace)
{
    const struct challenge *challenge = workspace;
    const struct visit_order *order = &challenge->base.order;
    const struct graph *graph = challenge->base.graph;
    size_t visited = 0;
    bool sound = visit_order_check(order, graph);
    for (size_t i = 0; sound && i < order->count; i++) {
        sound = challenge->nodes[order->nodes[i]]->visited;
    }
    for (size_t i = 0; i < graph->node_limit; i++) {
        visited += challenge->nodes[i] != NULL && challenge->nodes[i]->visited;
    }
    return sound && visited == order->count;
}

const struct search_engine challenge_engine = {
    .name = "challenge",
    .summary = "the challenge's search in the memory layout of the published program",
    .changes =
        "an array of neighbours and a flag per node, anywhere in memory; the queue is a list "
        "of its own, so --alloc does not apply",
    .keeps = "the search, its counts, one malloc per push and one free per pop",
    .flags = SEARCH_EXACT_COUNTS | SEARCH_NEEDS_REVERSE,
    .create = challenge_create,
    .search = challenge_search,
    .path = workspace_path,
    .check = challenge_check,
    .destroy = challenge_destroy,
};

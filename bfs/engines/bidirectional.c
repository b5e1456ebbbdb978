/*
 * bidirectional.c - "plain" without a list, from both ends, until they meet.
 *
 * 1. Forwards from the source over the edges, backwards from the target over the reverse adjacency,
 *    one whole level at a time, always the side whose level seems to have fewer edges to follow.
 * 2. While no edge leads from the forward side into the backward side, the distance is more than
 *    the sum of the two depths. So the first such edge found lies on a shortest path.
 * 3. A level that will most likely be the last is first looked through without marking anything,
 *    in half the time. If no such edge is found, its edges are followed like the others.
 * 4. Short adjacency lists are copied into a block, then looked through in one loop, so that the
 *    processor waits for many lists at once and not at the end of each. Long ones stay in place.
 * 5. The source and the target may be the same node: an edge counts, not a node that both have.
 * 6. Two marks per node, in one word; the two visit orders say which to clear.
 * Cost: two bits and eight bytes per node, reserved; only what is reached is cleared. Sources:
 * Pohl, "Bi-directional Search", 1971; by edges as in Borassi & Natale, "KADABRA", ESA 2016.
 * Discarded: hub labels, 20 to 60 KB per node; landmark bounds, at most twice as fast.
 */
#include "base/pw_assert.h"
#include "bfs/engines/parts/adjacency.h"
#include "bfs/engines/parts/large_block.h"
#include "bfs/engines/parts/marks.h"
#include "bfs/engines/parts/visit_order.h"
#include "bfs/search/search_limits.h"
#include "data/graph/graph_blocks.h"
#include "engines.h"
#include <stdlib.h>
#include <string.h>

#define OFFSETS_AHEAD    12  /* places ahead in the level at which offsets are fetched */
#define NEIGHBOURS_AHEAD 6   /* and neighbours */
#define SAMPLE           32  /* nodes of a level from which its edges are estimated */
#define BLOCK            128 /* neighbours from which on a block is full */
#define LONG_LIST        128 /* neighbours from which on a list is not copied */
#define BLOCKS_PER_CHECK 256
#define FIRST_WINDOW     16  /* nodes whose lists are asked for together, at first; */
#define LAST_WINDOW      512 /* then always twice as many, up to these */
_Static_assert(BLOCK + LONG_LIST <= NEIGHBOUR_BUFFER_SIZE, "a block fits the buffer");
_Static_assert(NEIGHBOUR_CHUNK <= GRAPH_LIST_SLACK, "what is copied past a list is allowed");
_Static_assert(OFFSETS_AHEAD <= VISIT_ORDER_SLACK, "what is fetched ahead must be readable");

enum { FORWARD, BACKWARD };

struct side {
    struct graph graph; /* of the graph, or of its reverse; borrowed */
    struct visit_order order;
    size_t begin, end; /* the current level in the visit order */
    uint64_t level_edges;
    uint32_t depth;
};

struct bidirectional {
    uint64_t *marks; /* two bits per node: reached forwards, reached backwards */
    size_t mark_words;
    struct side sides[2];
    size_t blocks;      /* read by the search */
    uint32_t meeting;   /* the node in which the sides meet ... */
    unsigned last_side; /* ... when this one goes one edge beyond its depth */
    bool found;         /* outcome of the last search */
};

static void bidirectional_destroy(void *workspace)
{
    struct bidirectional *search = workspace;
    if (search != NULL) {
        large_block_free(search->marks);
        visit_order_close(&search->sides[FORWARD].order);
        visit_order_close(&search->sides[BACKWARD].order);
        free(search);
    }
}

/* Nothing large survives from search to search, so there is nothing to share with another. */
static void *bidirectional_create(const struct graph *graph, const void *from)
{
    (void)from;
    struct bidirectional *search = graph->in_offsets != NULL ? calloc(1, sizeof(*search)) : NULL;
    if (search == NULL) {
        return NULL;
    }
    search->mark_words = (size_t)graph->node_limit / 32 + 1;
    search->marks = large_block_create(search->mark_words * sizeof(*search->marks));
    bool made = search->marks != NULL;
    if (made) { /* get the pages now, not one by one in the first searches */
        memset(search->marks, 0, search->mark_words * sizeof(*search->marks));
    }
    for (unsigned i = FORWARD; i <= BACKWARD; i++) {
        search->sides[i].graph = i == FORWARD ? *graph : graph_backwards(graph);
        made = visit_order_open(&search->sides[i].order, graph) && made;
    }
    if (!made) {
        bidirectional_destroy(search);
        return NULL;
    }
    return search;
}

static inline uint64_t mark_of(unsigned side, uint32_t node)
{
    return (uint64_t)1 << ((node & 31) * 2 + side);
}

/* Clear the marks of the last search. */
static void reset(struct bidirectional *search)
{
    size_t touched = search->sides[FORWARD].order.count + search->sides[BACKWARD].order.count;
    if (touched >= search->mark_words / 8) {
        memset(search->marks, 0, search->mark_words * sizeof(*search->marks));
    } else {
        for (unsigned i = FORWARD; i <= BACKWARD; i++) {
            const struct visit_order *order = &search->sides[i].order;
            for (size_t j = 0; j < order->count; j++) {
                search->marks[order->nodes[j] / 32] = 0;
            }
        }
    }
    pw_assert(marks_count(search->marks, search->mark_words) == 0);
}

/* True if every node reached by a side is marked once for it, and no other node is. */
static bool bidirectional_check(const void *workspace)
{
    const struct bidirectional *search = workspace;
    size_t reached = 0;
    bool sound = true;
    for (unsigned i = FORWARD; sound && i <= BACKWARD; i++) {
        const struct visit_order *order = &search->sides[i].order;
        sound = visit_order_check(order, &search->sides[i].graph);
        for (size_t j = 0; sound && j < order->count; j++) {
            sound = (search->marks[order->nodes[j] / 32] & mark_of(i, order->nodes[j])) != 0;
        }
        reached += order->count;
    }
    return sound && marks_count(search->marks, search->mark_words) == reached;
}

/*
 * An estimate of the edges that leave the level. They only decide which side to deepen, and each
 * costs a fetch from anywhere in memory for a node that will most likely never be expanded.
 */
static inline uint64_t edges_of_level(const struct side *side)
{
    const uint64_t *offsets = side->graph.offsets;
    const uint32_t *nodes = side->order.nodes;
    pw_assert(side->begin <= side->end && side->end <= side->order.count);
    const size_t stride = 1 + (side->end - side->begin) / SAMPLE;
    uint64_t edges = 0;
    if (UNLIKELY(side->graph.blocks != NULL) &&
        !graph_allows_offsets(&side->graph, nodes + side->begin, side->end - side->begin, stride)) {
        return 0; /* the search ends */
    }
    for (size_t i = side->begin; i < side->end; i += stride) {
        edges += offsets[nodes[i] + 1] - offsets[nodes[i]];
    }
    return stride > 1 ? edges * stride + 1 : edges; /* 0 says that there are no edges */
}

static void start_side(struct bidirectional *search, unsigned which, uint32_t node)
{
    struct side *side = &search->sides[which];
    pw_assert(node < side->graph.node_limit);
    visit_order_clear(&side->order);
    visit_order_add(&side->order, node);
    search->marks[node / 32] |= mark_of(which, node);
    side->begin = 0;
    side->end = 1;
    side->depth = 0;
    side->level_edges = edges_of_level(side);
}

/* Prefetch for the first nodes of the level; the others are fetched while these are read. */
static void fetch_first(const struct side *side)
{
    if (side->graph.blocks != NULL) {
        return; /* their offsets are not asked for yet */
    }
    for (size_t i = side->begin; i < side->end && i < side->begin + NEIGHBOURS_AHEAD; i++) {
        adjacency_fetch_list(&side->graph, side->order.nodes[i]);
    }
}

/*
 * Return the end of the nodes, from head on, whose lists may be read now. It is the end of the
 * level, unless the graph is checked by block. If a block is bad it is 0.
 */
static size_t end_of_window(const struct side *side, size_t head, size_t *window)
{
    const size_t left = side->end - head;
    if (LIKELY(side->graph.blocks == NULL)) {
        return side->end;
    }
    const size_t count = left < *window ? left : *window;
    *window = *window < LAST_WINDOW ? *window * 2 : LAST_WINDOW;
    return graph_allows_lists(&side->graph, side->order.nodes + head, count) ? head + count : 0;
}

/*
 * Read the next lists of the level into a block, until it is full. True if the list of the node
 * before reader->head is long and was left in place.
 */
static bool read_block(const struct side *side, struct level_reader *reader,
                       struct neighbour_buffer *block)
{
    const struct graph *graph = &side->graph;
    const uint32_t *nodes = side->order.nodes;
    const size_t fetchable = graph->blocks == NULL            ? SIZE_MAX
                             : reader->end > NEIGHBOURS_AHEAD ? reader->end - NEIGHBOURS_AHEAD
                                                              : 0; /* read its offsets */
    block->count = 0;
    while (reader->head < reader->end && block->count < BLOCK) {
        adjacency_fetch_offsets(graph, nodes[reader->head + OFFSETS_AHEAD]);
        if (LIKELY(reader->head < fetchable)) {
            adjacency_fetch_list(graph, nodes[reader->head + NEIGHBOURS_AHEAD]);
        }
        const uint32_t node = nodes[reader->head++];
        const size_t degree = (size_t)graph_out_degree(graph, node);
        if (degree > LONG_LIST) {
            return true;
        }
        neighbour_buffer_add(block, graph->neighbours + graph->offsets[node], degree);
    }
    pw_assert(block->count < BLOCK + LONG_LIST);
    return false;
}

/*
 * Mark the neighbours that the side has not reached, and append them to the visit order. True at
 * the first one that the other side has reached: the meeting.
 */
static bool reach(struct bidirectional *search, unsigned which, const uint32_t *neighbours,
                  size_t count, uint64_t *edges)
{
    struct visit_order *order = &search->sides[which].order;
    uint64_t *marks = search->marks;
    uint32_t *nodes = order->nodes;
    size_t tail = order->count, i = 0;
    bool met = false;
    while (i < count && !met) {
        const uint32_t node = neighbours[i++];
        const uint64_t word = marks[node / 32];
        if (UNLIKELY(word & mark_of(!which, node))) {
            search->meeting = node;
            search->last_side = which;
            met = true;
        } else {
            nodes[tail] = node;
            tail += !(word & mark_of(which, node));
            marks[node / 32] = word | mark_of(which, node);
        }
    }
    pw_assert(tail <= order->limit);
    order->count = tail;
    *edges += i;
    return met;
}

/*
 * Find the first neighbour that the other side has reached, as reach does, but mark nothing. True
 * if such a neighbour exists.
 */
static bool look(struct bidirectional *search, unsigned which, const uint32_t *neighbours,
                 size_t count, uint64_t *edges)
{
    const uint64_t *marks = search->marks;
    size_t i = 0;
    while (i < count && !(marks[neighbours[i] / 32] & mark_of(!which, neighbours[i]))) {
        i++;
    }
    const bool met = i < count;
    if (met) {
        search->meeting = neighbours[i];
        search->last_side = which;
    }
    *edges += i + met;
    return met;
}

/*
 * True if the level of a side will most likely be the last: if the edges of both levels had their
 * other ends anywhere, half an edge or more would lead from one level to the other.
 */
static bool is_likely_last(const struct bidirectional *search, unsigned which)
{
    const uint64_t others = search->sides[!which].level_edges;
    pw_assert(others > 0);
    return search->sides[which].level_edges > search->sides[which].graph.edge_count / others / 2;
}

/*
 * Read the neighbours of a level, and visit them: by reach or by look. Sets found if the sides
 * meet, and counts edges. Returns the number of nodes whose neighbours were visited.
 */
static size_t read_level(struct bidirectional *search, unsigned which,
                         bool (*visit)(struct bidirectional *, unsigned, const uint32_t *, size_t,
                                       uint64_t *),
                         const struct search_clock *clock, struct search_result *result)
{
    struct side *side = &search->sides[which];
    struct level_reader reader = {.head = side->begin, .end = side->begin};
    struct neighbour_buffer block;
    size_t window = FIRST_WINDOW;
    pw_assert(side->level_edges > 0 && !search->found);
    neighbour_buffer_open(&block, &side->graph);
    fetch_first(side);
    while (reader.head < side->end && !search->found && result->status == SEARCH_DONE) {
        if (reader.head == reader.end) {
            reader.end = end_of_window(side, reader.head, &window);
        }
        if (reader.end == 0) {
            result->status = SEARCH_DAMAGED;
            break;
        }
        const bool is_long = read_block(side, &reader, &block);
        search->found = visit(search, which, block.entries, block.count, &reader.edges);
        if (is_long && !search->found) {
            const uint32_t node = side->order.nodes[reader.head - 1];
            search->found = visit(search, which, side->graph.neighbours + side->graph.offsets[node],
                                  (size_t)graph_out_degree(&side->graph, node), &reader.edges);
        }
        if (++search->blocks % BLOCKS_PER_CHECK == 0 && !search->found) {
            result->status = search_stop_reason(clock);
        }
    }
    result->edges += reader.edges;
    return reader.head - side->begin;
}

/* Deepen a side by one. Fills found and hops when the sides meet, and the counts. */
static void deepen(struct bidirectional *search, unsigned which, const struct search_clock *clock,
                   struct search_result *result)
{
    struct side *side = &search->sides[which];
    size_t expanded = 0;
    if (is_likely_last(search, which)) {
        expanded = read_level(search, which, look, clock, result);
    }
    if (!search->found && result->status == SEARCH_DONE) {
        expanded = read_level(search, which, reach, clock, result);
    }
    result->expanded += expanded;
    result->visited = result->expanded;
    if (search->found) {
        result->found = true;
        result->hops = search->sides[FORWARD].depth + search->sides[BACKWARD].depth + 1;
        return;
    }
    if (result->status == SEARCH_DAMAGED) {
        return;
    }
    pw_assert(side->begin <= side->end && side->end <= side->order.count);
    side->begin = side->end;
    side->end = side->order.count;
    side->depth++;
    side->level_edges = edges_of_level(side);
    if (result->status == SEARCH_DONE && !visit_order_start_level(&side->order, side->begin)) {
        result->status = SEARCH_NO_MEMORY;
    }
}

static void bidirectional_search(void *workspace, uint32_t source, uint32_t target,
                                 const struct search_limits *limits, struct search_result *result)
{
    struct bidirectional *search = workspace;
    struct side *forward = &search->sides[FORWARD];
    struct side *backward = &search->sides[BACKWARD];
    struct search_clock clock;
    search_start(&clock, limits, result);
    reset(search);
    start_side(search, FORWARD, source);
    start_side(search, BACKWARD, target);
    fetch_first(forward);
    fetch_first(backward);
    search->found = false;
    search->blocks = 0;
    /* A level without edges is the last of its side. */
    while (!search->found && result->status == SEARCH_DONE && forward->level_edges > 0 &&
           backward->level_edges > 0) {
        unsigned which = forward->level_edges <= backward->level_edges ? FORWARD : BACKWARD;
        deepen(search, which, &clock, result);
        size_t waiting =
            forward->order.count - forward->begin + backward->order.count - backward->begin;
        result->peak_queue = waiting > result->peak_queue ? waiting : result->peak_queue;
    }
    result->pushed = forward->order.count + backward->order.count - 2;
    if (UNLIKELY(forward->graph.blocks != NULL) &&
        graph_is_damaged(&forward->graph, NULL)) { /* also if another search has met it */
        result->status = SEARCH_DAMAGED;
        result->found = search->found = false;
        result->hops = SEARCH_HOPS_NONE;
    }
    search_finish(&clock, result);
    pw_assert(bidirectional_check(search));
}

/* From the source to the meeting; then to the target, found backwards and reversed. */
static bool bidirectional_path(void *workspace, uint32_t *nodes, size_t capacity)
{
    const struct bidirectional *search = workspace;
    const struct side *forward = &search->sides[FORWARD];
    const struct side *backward = &search->sides[BACKWARD];
    const size_t to_meeting = (size_t)forward->depth + (search->last_side == FORWARD);
    const uint32_t from_meeting = backward->depth + (search->last_side == BACKWARD);
    if (!search->found || capacity <= to_meeting ||
        !visit_order_path(&backward->order, &backward->graph, search->meeting, from_meeting,
                          nodes + to_meeting, capacity - to_meeting)) {
        return false;
    }
    for (size_t i = to_meeting, j = i + from_meeting; i < j; i++, j--) {
        uint32_t node = nodes[i];
        nodes[i] = nodes[j];
        nodes[j] = node;
    }
    return visit_order_path(&forward->order, &forward->graph, search->meeting, (uint32_t)to_meeting,
                            nodes, capacity);
}

const struct search_engine bidirectional_engine = {
    .name = "bidirectional",
    .summary = "from both ends at once, until they meet",
    .changes = "no list; half of the search runs backwards from the target, over the reverse "
               "adjacency",
    .keeps = "level by level, each node at most once per side",
    .flags = SEARCH_NEEDS_REVERSE | SEARCH_BY_BLOCK,
    .create = bidirectional_create,
    .search = bidirectional_search,
    .path = bidirectional_path,
    .check = bidirectional_check,
    .destroy = bidirectional_destroy,
};

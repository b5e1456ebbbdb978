/*
 * bidirectional.c - the engine that searches from both ends and stops where they meet.
 *
 * 1. Forwards from the source over the rows, backwards from the target over the reverse adjacency,
 *    a whole level at a time, always the side whose level seems to have fewer edges to follow.
 * 2. While no edge leads from the forward side into the backward side, the distance is more than
 *    the sum of the two depths. So the first edge found that does, while one side is deepened by
 *    one, lies on a shortest path: no other can be shorter.
 * 3. The source and the target may be the same node: an edge counts, not a node that both have.
 * 4. When one side has nowhere to go, there is no path.
 * 5. Two marks a node, in one word; they are taken off again through the two trails.
 * Bound: two bits and eight bytes a node, reserved, but only what is reached is touched or reset.
 * Cost: a few thousand edges in a graph of millions of nodes with hubs. Source: Pohl,
 * "Bi-directional Search", 1971; balancing by edges as in Borassi & Natale, "KADABRA", ESA 2016.
 */
#include "bfs/engines/parts/large_block.h"
#include "bfs/engines/parts/row_fetch.h"
#include "bfs/engines/parts/trail.h"
#include "bfs/search/search_limits.h"
#include "engines.h"
#include <stdlib.h>
#include <string.h>

#define FAR_DISTANCE  16
#define NEAR_DISTANCE 8
#define SAMPLE        64 /* nodes of a level whose rows tell its edges */
#define ROWS_A_CHECK  16384

enum { FORWARD, BACKWARD };

struct side {
    struct graph rows; /* of the graph, or of its reverse; borrowed */
    struct trail trail;
    size_t begin, end; /* the current level in the trail */
    uint64_t level_edges;
    uint32_t depth;
};

struct bidirectional {
    const struct graph *graph;
    uint64_t *marks; /* two bits a node: reached forwards, reached backwards */
    size_t mark_words;
    struct side sides[2];
    uint32_t meeting[2]; /* the edge that joins the sides: from FORWARD's to BACKWARD's */
    bool found;          /* outcome of the last search */
};

static void bidirectional_destroy(void *workspace)
{
    struct bidirectional *search = workspace;
    if (search != NULL) {
        large_block_free(search->marks);
        trail_close(&search->sides[FORWARD].trail);
        trail_close(&search->sides[BACKWARD].trail);
        free(search);
    }
}

static void *bidirectional_create(const struct graph *graph)
{
    struct bidirectional *search = graph->in_offsets != NULL ? calloc(1, sizeof(*search)) : NULL;
    if (search == NULL) {
        return NULL;
    }
    search->graph = graph;
    search->mark_words = (size_t)graph->node_limit / 32 + 1;
    search->marks = large_block_create(search->mark_words * sizeof(*search->marks));
    search->sides[FORWARD].rows = *graph;
    search->sides[BACKWARD].rows = *graph;
    search->sides[BACKWARD].rows.offsets = graph->in_offsets;
    search->sides[BACKWARD].rows.neighbours = graph->in_neighbours;
    bool opened = trail_open(&search->sides[FORWARD].trail, graph);
    opened = trail_open(&search->sides[BACKWARD].trail, graph) && opened;
    if (!opened || search->marks == NULL) {
        bidirectional_destroy(search);
        return NULL;
    }
    return search;
}

/* Nothing large stays the same from search to search, so there is nothing to share. */
static void *bidirectional_share(void *workspace)
{
    return bidirectional_create(((struct bidirectional *)workspace)->graph);
}

static inline uint64_t mark_of(unsigned side, uint32_t node)
{
    return (uint64_t)1 << ((node & 31) * 2 + side);
}

/* Take off the marks of the search before. */
static void reset(struct bidirectional *search)
{
    size_t touched = search->sides[FORWARD].trail.count + search->sides[BACKWARD].trail.count;
    if (touched >= search->mark_words / 8) {
        memset(search->marks, 0, search->mark_words * sizeof(*search->marks));
        return;
    }
    for (unsigned i = FORWARD; i <= BACKWARD; i++) {
        const struct trail *trail = &search->sides[i].trail;
        for (size_t j = 0; j < trail->count; j++) {
            search->marks[trail->nodes[j] / 32] = 0;
        }
    }
}

/*
 * Entries in the rows of the level, estimated: they only tell which side to deepen, and each costs
 * a fetch from anywhere in memory for a node that will most likely never be expanded.
 */
static uint64_t edges_of_level(const struct side *side)
{
    const uint64_t *offsets = side->rows.offsets;
    const uint32_t *nodes = side->trail.nodes;
    const size_t stride = 1 + (side->end - side->begin) / SAMPLE;
    uint64_t edges = 0;
    for (size_t i = side->begin; i < side->end; i += stride) {
        edges += offsets[nodes[i] + 1] - offsets[nodes[i]];
    }
    return stride > 1 ? edges * stride + 1 : edges; /* 0 says that there are none */
}

static void begin_side(struct bidirectional *search, unsigned which, uint32_t node)
{
    struct side *side = &search->sides[which];
    trail_clear(&side->trail);
    trail_begin_level(&side->trail, 0);
    trail_add(&side->trail, node);
    search->marks[node / 32] |= mark_of(which, node);
    side->begin = 0;
    side->end = 1;
    side->depth = 0;
    side->level_edges = edges_of_level(side);
}

/* Search the row of one node. True when the sides have met. */
static inline bool scan_row(struct bidirectional *search, unsigned which, uint32_t node,
                            uint64_t *edges)
{
    struct side *side = &search->sides[which];
    const uint32_t *row = side->rows.neighbours + side->rows.offsets[node];
    const uint32_t *row_end = side->rows.neighbours + side->rows.offsets[node + 1];
    uint32_t *nodes = side->trail.nodes;
    size_t tail = side->trail.count;
    bool met = false;
    const uint32_t *next = row;
    for (; next < row_end; next++) {
        const uint32_t neighbour = *next;
        uint64_t *word = &search->marks[neighbour / 32];
        if (*word & mark_of(!which, neighbour)) {
            search->meeting[which] = node;
            search->meeting[!which] = neighbour;
            met = true;
            next++;
            break;
        }
        nodes[tail] = neighbour;
        tail += !(*word & mark_of(which, neighbour));
        *word |= mark_of(which, neighbour);
    }
    side->trail.count = tail;
    *edges += (uint64_t)(next - row);
    return met;
}

/* Deepen a side by one. Fills found and hops when the sides meet, and the counts. */
static void deepen(struct bidirectional *search, unsigned which, const struct search_limits *limits,
                   uint64_t deadline_ns, struct search_result *result)
{
    struct side *side = &search->sides[which];
    const uint32_t *nodes = side->trail.nodes;
    size_t head = side->begin;
    uint64_t edges = 0;
    while (head < side->end && !search->found) {
        /* Past the end of the level stand nodes of the next, or of searches before: harmless. */
        row_fetch_offsets(&side->rows, nodes[head + FAR_DISTANCE]);
        row_fetch(&side->rows, nodes[head + NEAR_DISTANCE]);
        search->found = scan_row(search, which, nodes[head], &edges);
        head++;
        if (head % ROWS_A_CHECK == 0 && !search->found) {
            result->status = search_must_stop(limits, deadline_ns);
            if (result->status != SEARCH_DONE) {
                break;
            }
        }
    }
    result->edges += edges;
    result->expanded += head - side->begin;
    result->visited = result->expanded;
    if (search->found) {
        result->found = true;
        result->hops = search->sides[FORWARD].depth + search->sides[BACKWARD].depth + 1;
        return;
    }
    side->begin = side->end;
    side->end = side->trail.count;
    side->depth++;
    side->level_edges = edges_of_level(side);
    if (result->status == SEARCH_DONE && !trail_begin_level(&side->trail, side->begin)) {
        result->status = SEARCH_NO_MEMORY;
    }
}

static void bidirectional_search(void *workspace, uint32_t source, uint32_t target,
                                 const struct search_limits *limits, struct search_result *result)
{
    struct bidirectional *search = workspace;
    struct side *forward = &search->sides[FORWARD];
    struct side *backward = &search->sides[BACKWARD];
    *result = (struct search_result){.status = SEARCH_DONE, .hops = SEARCH_HOPS_NONE};
    uint64_t start_ns = search_start(limits);
    uint64_t deadline_ns = search_deadline_ns(limits, start_ns);
    reset(search);
    begin_side(search, FORWARD, source);
    begin_side(search, BACKWARD, target);
    search->found = false;
    /* A level without edges is the last of its side. */
    while (!search->found && result->status == SEARCH_DONE && forward->level_edges > 0 &&
           backward->level_edges > 0) {
        unsigned which = forward->level_edges <= backward->level_edges ? FORWARD : BACKWARD;
        deepen(search, which, limits, deadline_ns, result);
        size_t waiting =
            forward->trail.count - forward->begin + backward->trail.count - backward->begin;
        result->peak_queue = waiting > result->peak_queue ? waiting : result->peak_queue;
    }
    result->pushed = forward->trail.count + backward->trail.count - 2;
    result->elapsed_ns = search_stop(limits, start_ns);
}

static bool bidirectional_path(void *workspace, uint32_t *nodes)
{
    const struct bidirectional *search = workspace;
    const struct side *forward = &search->sides[FORWARD];
    const struct side *backward = &search->sides[BACKWARD];
    if (!search->found) {
        return false;
    }
    uint32_t *second = nodes + forward->depth + 1; /* where the backward side's half begins */
    if (!trail_path(&forward->trail, &forward->rows, search->meeting[FORWARD], forward->depth,
                    nodes) ||
        !trail_path(&backward->trail, &backward->rows, search->meeting[BACKWARD], backward->depth,
                    second)) {
        return false;
    }
    for (uint32_t i = 0, j = backward->depth; i < j; i++, j--) {
        uint32_t node = second[i];
        second[i] = second[j];
        second[j] = node;
    }
    return true;
}

static const struct search_engine engine = {
    .name = "bidirectional",
    .summary = "from both ends at once, until they meet",
    .changes = "half of the search runs backwards from the target, over the reverse adjacency",
    .keeps = "level by level, each node at most once a side",
    .flags = SEARCH_NEEDS_REVERSE,
    .create = bidirectional_create,
    .share = bidirectional_share,
    .search = bidirectional_search,
    .path = bidirectional_path,
    .destroy = bidirectional_destroy,
};

const struct search_engine *bidirectional_engine(void)
{
    return &engine;
}

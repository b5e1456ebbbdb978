/*
 * level_search.c - goes from a level to the next, top down.
 *
 * The neighbours of many nodes are copied into a buffer (adjacency.h). Then the marks of the whole
 * buffer are looked up, and the unmarked nodes are added to the visit order.
 * Cost: one bit looked up per edge, in cache; per node, neighbours fetched from anywhere in memory.
 */
#include "level_search.h"
#include "adjacency.h"
#include "bfs/search/direction.h"
#include "large_block.h"

#define NODES_PER_CHECK  16384 /* nodes expanded between two looks at the deadline */
#define DENSE_SHARE_TEAM 512 /* for a team, which passes over the bits in a fraction of the time */

void *level_search_create(const struct graph *graph, const void *from, enum level_kind kind,
                          level_step *step)
{
    struct level_search *search = large_block_create(sizeof(*search));
    if (search == NULL || !workspace_open(&search->base, graph, from)) {
        large_block_free(search);
        return NULL;
    }
    search->kind = kind;
    search->step = step;
    if (kind == LEVEL_DENSE && !level_search_set_threads(search, 1)) {
        level_search_destroy(search);
        return NULL;
    }
    return search;
}

void level_search_destroy(void *workspace)
{
    struct level_search *search = workspace;
    if (search != NULL) {
        if (search->base.from == NULL) {
            large_block_free(search->candidates);
        }
        workspace_close(&search->base);
        dense_frontier_destroy(search->dense);
        team_destroy(search->level.team);
        large_block_free(search);
    }
}

bool level_search_set_threads(void *workspace, unsigned threads)
{
    struct level_search *search = workspace;
    const bool dense = threads > 1 || search->kind != LEVEL_SPARSE;
    struct dense_frontier *made =
        dense ? dense_frontier_create(&search->base, &search->level, threads) : NULL;
    if ((dense && made == NULL) || !level_set_threads(&search->level, threads)) {
        dense_frontier_destroy(made);
        return false;
    }
    dense_frontier_destroy(search->dense);
    search->dense = made;
    return true;
}

bool level_search_check(const void *workspace)
{
    const struct level_search *search = workspace;
    return workspace_check(&search->base) && search->level.begin <= search->level.end &&
           search->level.end <= search->base.order.count;
}

static void start(struct level_search *search, uint32_t source, uint32_t target)
{
    struct level *level = &search->level;
    pw_assert(source < search->base.graph->node_limit && target < search->base.graph->node_limit);
    workspace_start(&search->base, target);
    if (search->dense != NULL) {
        dense_frontier_start(search->dense);
    }
    visit_order_add(&search->base.order, source);
    marks_set(search->base.marks, source);
    marks_clear(search->base.marks, target);
    level->begin = 0;
    level->end = 1;
    level->found = false;
    atomic_store_explicit(&level->status, SEARCH_DONE, memory_order_relaxed);
}

/* Expand the nodes head..end - 1 of the visit order, or fewer if the target gets marked. */
static void scan(struct level_search *search, size_t head, size_t end)
{
    struct workspace *base = &search->base;
    uint32_t *nodes = base->order.nodes;
    uint64_t *marks = base->marks;
    struct level_reader reader = {.head = head, .end = end};
    struct neighbour_buffer buffer;
    size_t tail = base->order.count;
    neighbour_buffer_open(&buffer, base->graph);
    while (reader.head < end) {
        level_reader_fill(base->graph, nodes, &reader, &buffer);
        for (size_t i = 0; i < buffer.count; i++) {
            const uint32_t neighbour = buffer.entries[i];
            if (!marks_test(marks, neighbour)) {
                marks_set(marks, neighbour);
                nodes[tail++] = neighbour;
            }
        }
        if (marks_test(marks, base->target)) {
            search->level.found = true;
            break;
        }
    }
    pw_assert(tail >= base->order.count && tail < base->order.limit);
    base->order.count = tail;
    level_add_edges(&search->level, reader.edges);
}

static void top_down_sparse(struct level_search *search)
{
    struct level *level = &search->level;
    for (size_t head = level->begin; head < level->end && !level->found;) {
        const size_t left = level->end - head;
        const size_t count = left < NODES_PER_CHECK ? left : NODES_PER_CHECK;
        scan(search, head, head + count);
        head += count;
        if (count == NODES_PER_CHECK && level_must_stop(level)) {
            return;
        }
    }
}

void level_search_top_down(struct level_search *search)
{
    const struct level *level = &search->level;
    const size_t share = level->team != NULL ? DENSE_SHARE_TEAM : DIRECTION_DENSE_SHARE;
    if (search->dense != NULL &&
        level->end - level->begin >= search->base.graph->node_limit / share) {
        dense_frontier_top_down(search->dense);
    } else {
        top_down_sparse(search);
    }
}

/* Count the level that was expanded and go on to the next. False when the search is over. */
static bool advance(struct level_search *search, struct search_result *result)
{
    struct visit_order *order = &search->base.order;
    struct level *level = &search->level;
    result->visited = level->end - 1;
    result->expanded = level->end;
    if (level->found) {
        result->found = true;
        result->hops = (uint32_t)order->level_count;
        search->base.hops = result->hops;
        return false;
    }
    result->status = (enum search_status)atomic_load_explicit(&level->status, memory_order_relaxed);
    if (result->status != SEARCH_DONE) {
        return false;
    }
    pw_assert(level->begin < level->end && level->end <= order->count);
    const size_t reached = order->count - level->end;
    result->edges += atomic_load_explicit(&level->edges, memory_order_relaxed);
    result->pushed = order->count - 1;
    result->peak_queue = reached > result->peak_queue ? reached : result->peak_queue;
    level->begin = level->end;
    level->end = order->count;
    if (reached == 0) {
        return false;
    }
    if (!visit_order_start_level(order, level->begin)) {
        result->status = SEARCH_NO_MEMORY;
        return false;
    }
    result->status = search_must_stop(&level->clock);
    return result->status == SEARCH_DONE;
}

void level_search_search(void *workspace, uint32_t source, uint32_t target,
                         const struct search_limits *limits, struct search_result *result)
{
    struct level_search *search = workspace;
    search_start(&search->level.clock, limits, result);
    start(search, source, target);
    do {
        atomic_store_explicit(&search->level.edges, 0, memory_order_relaxed);
        search->step(search);
    } while (advance(search, result));
    search_finish(&search->level.clock, result);
    pw_assert(workspace_check(search));
}

/*
 * walk.c - a search of the level engines without a target; see walk.h.
 */
#include "walk.h"
#include "data/graph/graph_blocks.h"
#include "large_block.h"
#include "level_search.h"

enum { FORWARDS, BACKWARDS, DIRECTIONS };

struct walk {
    struct level_search search; /* the first member: a step gets its address */
    const struct graph *given;
    struct graph graph; /* with the lists that the walk follows as its own */
    unsigned threads;
    bool is_whole; /* every list was found good */
    bool is_backwards;
    /* The nodes that a list of each direction leads to; NULL until a frontier is dense. */
    uint64_t *candidates[DIRECTIONS];
    size_t candidate_counts[DIRECTIONS];
    uint32_t *found_from; /* room for search.found_from; NULL until needed */
};

void walk_destroy(struct walk *walk)
{
    if (walk == NULL) {
        return;
    }
    walk->search.candidates = NULL; /* one of these two */
    large_block_free(walk->candidates[FORWARDS]);
    large_block_free(walk->candidates[BACKWARDS]);
    large_block_free(walk->found_from);
    level_search_close(&walk->search);
    large_block_free(walk);
}

/* Make the nodes that a list leads to, if they are not there. False when out of memory. */
static bool make_candidates(struct walk *walk)
{
    const struct graph *graph = &walk->graph;
    uint64_t **candidates = &walk->candidates[walk->is_backwards];
    if (*candidates == NULL) {
        *candidates = marks_create(graph);
        for (uint32_t node = 0; *candidates != NULL && node < graph->node_limit; node++) {
            if (graph->in_offsets[node + 1] > graph->in_offsets[node]) {
                marks_set(*candidates, node);
            }
        }
        walk->candidate_counts[walk->is_backwards] =
            *candidates != NULL ? marks_count(*candidates, marks_words(graph)) : 0;
    }
    walk->search.candidates = *candidates;
    walk->search.candidate_count = walk->candidate_counts[walk->is_backwards];
    return *candidates != NULL;
}

/* Sparse frontiers need nothing beside the lists; before a dense one, prepare for it. */
static void walk_dense_step(struct level_search *search)
{
    struct walk *walk = (struct walk *)search;
    struct level *level = &search->level;
    if (search->by_block && !graph_allows_all(walk->given)) {
        atomic_store(&level->status, SEARCH_DAMAGED);
        return;
    }
    search->by_block = false;
    walk->is_whole = true;
    if (search->candidates == NULL && !make_candidates(walk)) {
        atomic_store(&level->status, SEARCH_NO_MEMORY);
        return;
    }
    level_search_either_way(search);
}

struct walk *walk_create(const struct graph *graph, unsigned threads)
{
    struct walk *walk = large_block_create(sizeof(*walk));
    if (walk == NULL) {
        return NULL;
    }
    walk->given = graph;
    walk->graph = *graph;
    walk->threads = threads;
    walk->is_whole = graph->blocks == NULL;
    walk->search.base.sinks = marks_create(graph);
    if (walk->search.base.sinks == NULL ||
        !level_search_open(&walk->search, &walk->graph, NULL, LEVEL_DENSE, walk_dense_step)) {
        large_block_free(walk);
        return NULL;
    }
    if (threads > 1 && !level_search_set_threads(&walk->search, threads)) {
        walk_destroy(walk);
        return NULL;
    }
    return walk;
}

bool walk_prepare(struct walk **walk, const struct graph *graph, unsigned threads)
{
    if (*walk != NULL && (*walk)->threads != threads) {
        walk_destroy(*walk);
        *walk = NULL;
    }
    if (*walk == NULL) {
        *walk = walk_create(graph, threads);
    }
    return *walk != NULL;
}

/* The members of the team divide an array evenly. */
struct writing {
    const struct walk *walk;
    uint32_t *entries;
};

static void share_of(const struct walk *walk, size_t items, unsigned index, size_t *begin,
                     size_t *end)
{
    const unsigned members = walk->search.dense->member_count;
    pw_assert(index < members);
    *begin = items / members * index;
    *end = index + 1 < members ? items / members * (index + 1) : items;
}

static void clear_member(void *argument, unsigned index)
{
    const struct writing *writing = argument;
    size_t begin, end;
    share_of(writing->walk, writing->walk->graph.node_limit, index, &begin, &end);
    memset(writing->entries + begin, 0xff, (end - begin) * sizeof(*writing->entries));
}

static void hops_member(void *argument, unsigned index)
{
    const struct writing *writing = argument;
    const struct walk *walk = writing->walk;
    const uint32_t *nodes = walk_nodes(walk);
    const size_t *begins = walk_level_begins(walk);
    const size_t levels = walk_level_count(walk);
    size_t begin, end;
    share_of(walk, walk->search.base.order.count, index, &begin, &end);
    for (size_t level = 0; level < levels && begin < end; level++) {
        const size_t stop = begins[level + 1] < end ? begins[level + 1] : end;
        for (; begin < stop; begin++) {
            writing->entries[nodes[begin]] = (uint32_t)level;
        }
    }
}

void walk_write_hops(struct walk *walk, uint32_t *hops)
{
    struct writing writing = {walk, hops};
    team_run(walk->search.level.team, clear_member, &writing);
    team_run(walk->search.level.team, hops_member, &writing);
}

/* Prepare the search for a walk. The direction may differ from the last one's. */
static bool take_plan(struct walk *walk, const struct walk_plan *plan)
{
    struct level_search *search = &walk->search;
    walk->graph = plan->is_backwards ? graph_backwards(walk->given) : *walk->given;
    walk->is_backwards = plan->is_backwards;
    search->candidates = walk->candidates[plan->is_backwards];
    search->candidate_count = walk->candidate_counts[plan->is_backwards];
    search->dense_step = plan->order == WALK_ANY_ORDER ? walk_dense_step : NULL;
    search->by_block = !walk->is_whole;
    search->parents = plan->order == WALK_ANY_ORDER ? plan->parents : NULL;
    search->found_from = NULL;
    if (plan->order == WALK_IN_QUEUE_ORDER && plan->by_place) {
        const size_t places = (size_t)walk->graph.node_limit + 1;
        if (walk->found_from == NULL) {
            walk->found_from = large_block_create(places * sizeof(*walk->found_from));
        }
        search->found_from = walk->found_from;
        return search->found_from != NULL;
    }
    return true;
}

/* Put the walk at its sources, with what it avoids marked. */
static void start(struct walk *walk, const struct walk_plan *plan)
{
    struct level_search *search = &walk->search;
    uint64_t *marks = search->base.marks;
    level_search_begin(search, walk->graph.node_limit);
    for (size_t i = 0; i < plan->avoided_count; i++) {
        marks_set(marks, plan->avoided[i]);
    }
    for (size_t i = 0; i < plan->source_count; i++) {
        if (!marks_test(marks, plan->sources[i])) {
            level_search_add(search, plan->sources[i]);
        }
    }
}

/*
 * Note where the last level ends, after the starts of all levels. The nodes of a level that was not
 * finished are a level, too, as they have their distance.
 */
static void close_order(struct walk *walk)
{
    struct visit_order *order = &walk->search.base.order;
    const struct level *level = &walk->search.level;
    const bool is_started = order->level_starts[order->level_count - 1] == level->begin;
    const size_t end = is_started ? level->end : level->begin; /* of the last level known */
    if (order->count > end && !visit_order_start_level(order, end)) {
        for (size_t i = end; i < order->count; i++) {
            marks_clear(walk->search.base.marks, order->nodes[i]);
        }
        order->count = end;
    }
    order->level_starts[order->level_count] = order->count;
}

/* A level that was not finished may have given parents to nodes that are not reached by then. */
static void forget_parents(const struct walk *walk, uint32_t *parents)
{
    for (uint32_t node = 0; node < walk->graph.node_limit; node++) {
        if (!marks_test(walk->search.base.marks, node)) {
            parents[node] = SEARCH_HOPS_NONE;
        }
    }
}

void walk_find(struct walk *walk, const struct walk_plan *plan, struct search_result *result)
{
    struct level_search *search = &walk->search;
    struct search_clock *clock = &search->level.clock;
    search_start(clock, plan->limits, result);
    if (plan->parents != NULL) {
        struct writing writing = {walk, plan->parents};
        team_run(search->level.team, clear_member, &writing);
    }
    result->status = take_plan(walk, plan) ? search_stop_reason(clock) : SEARCH_NO_MEMORY;
    start(walk, plan);
    if (search->base.order.count > 0 && result->status == SEARCH_DONE) {
        level_search_run(search, plan->hops_max, result);
    }
    close_order(walk);
    if (result->status != SEARCH_DONE && plan->parents != NULL) {
        forget_parents(walk, plan->parents);
    }
    for (size_t i = 0; i < plan->avoided_count; i++) {
        marks_clear(search->base.marks, plan->avoided[i]);
    }
    if (graph_is_damaged(walk->given, NULL)) { /* also if another search has met it */
        result->status = SEARCH_DAMAGED;
    }
    result->visited = result->expanded;
    result->pushed = search->base.order.count;
    search_finish(clock, result);
}

size_t walk_level_count(const struct walk *walk)
{
    const struct visit_order *order = &walk->search.base.order;
    return order->count > 0 ? order->level_count : 0;
}

const size_t *walk_level_begins(const struct walk *walk)
{
    return walk->search.base.order.level_starts;
}

const uint32_t *walk_nodes(const struct walk *walk)
{
    return walk->search.base.order.nodes;
}

const uint32_t *walk_found_from(const struct walk *walk)
{
    return walk->search.found_from;
}

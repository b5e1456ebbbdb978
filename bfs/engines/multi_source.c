/*
 * multi_source.c - "plain" without a list, for all pairs at once: one bit per search instead of one
 * mark, 64 to 512 in a pass.
 *
 * 1. Every node has two bits per search (a lane): seen, and reached in the last level. One look at
 *    a node's neighbours serves all searches there, by a few ands and ors.
 * 2. While few nodes are active, they push their bits to their neighbours. When many are, every
 *    node that some search still lacks pulls the bits of its in-neighbours, and stops when it has
 *    all: no write goes astray, and threads can divide the nodes without a race.
 * 3. A search leaves the pass when its target is seen, or when it reached nothing in a level.
 * 4. Searches of a node to itself look at their target's in-neighbours before each level.
 * 5. If few nodes lead to a target, they answer its search at once; it would leave the pass last.
 * Cost: 24 bytes per node for 64 lanes, 192 for 512, and the reverse adjacency. Gain: some hundred
 * searches for the price of few. Not for a single pair. "bidirectional" reads the paths.
 * Source: Then et al., "The More the Merrier: Efficient Multi-Source Graph Traversal", VLDB 2015.
 */
#include "base/pw_assert.h"
#include "bfs/engines/parts/lane_pass.h"
#include "bfs/engines/parts/large_block.h"
#include "bfs/engines/parts/marks.h"
#include "engines.h"
#include <errno.h>
#include <stdlib.h>

#define FEW_ANCESTORS 64 /* nodes that lead to a target, looked at before the pass */

/* Every node has lane_words words of one bit per lane in each of seen, frontier and next.
 * One struct: a level reads nearly all of it. */
struct multi_source {
    struct lane_pass pass;
    const struct multi_source *from; /* the owner of the candidates; NULL: this */
    size_t capacity_words;           /* per node: capacity of the arrays */
    uint64_t *lanes;                 /* the block that holds seen, frontier and next */
    uint32_t *node_lists;            /* the block that holds active, active_next and touched */
    void *bidirectional;             /* workspace that reads paths; NULL until the first */
    struct pair pair;                /* of the last search, and its outcome */
    uint32_t hops;
};

/* The narrowest lanes that are wide enough for this number of searches. */
static size_t words_for(size_t searches)
{
    pw_assert(searches > 0 && searches <= 64 * LANE_WORDS_MAX);
    return searches <= 64 ? 1 : searches <= 128 ? 2 : searches <= 256 ? 4 : 8;
}

static void multi_source_destroy(void *workspace)
{
    struct multi_source *search = workspace;
    if (search == NULL) {
        return;
    }
    if (search->from == NULL) {
        large_block_free(search->pass.candidates);
    }
    if (search->bidirectional != NULL) {
        bidirectional_engine.destroy(search->bidirectional);
    }
    team_destroy(search->pass.level.team);
    large_block_free(search->lanes);
    large_block_free(search->pass.active_bits);
    large_block_free(search->node_lists);
    free(search);
}

static void *multi_source_create(const struct graph *graph, const void *from)
{
    struct multi_source *search = graph->in_offsets != NULL ? calloc(1, sizeof(*search)) : NULL;
    if (search == NULL) {
        return NULL;
    }
    const size_t nodes = (size_t)graph->node_limit + 1;
    struct lane_pass *pass = &search->pass;
    pass->graph = graph;
    search->from = from;
    search->hops = SEARCH_HOPS_NONE;
    pass->candidates = from != NULL ? search->from->pass.candidates : marks_create_inner(graph);
    search->node_lists = large_block_create(3 * nodes * sizeof(*search->node_lists));
    pass->active_bits = marks_create(graph);
    if (pass->candidates == NULL || search->node_lists == NULL || pass->active_bits == NULL) {
        multi_source_destroy(search);
        return NULL;
    }
    pass->active = search->node_lists;
    pass->active_next = pass->active + nodes;
    pass->touched = pass->active_next + nodes;
    return search;
}

/* Make room for that many words per node, all zero. When out of memory: false, and no room. */
static bool make_room(struct multi_source *search, size_t lane_words)
{
    struct lane_pass *pass = &search->pass;
    if (lane_words <= search->capacity_words) {
        return true;
    }
    /* Whole cache lines, so that the words of a node lie in one. */
    const size_t words = ((size_t)pass->graph->node_limit + 8) / 8 * 8 * lane_words;
    pw_assert(lane_words <= LANE_WORDS_MAX);
    large_block_free(search->lanes);
    search->lanes = large_block_create(3 * words * sizeof(*search->lanes));
    pass->seen = search->lanes;
    pass->frontier = search->lanes + words;
    pass->next = search->lanes + 2 * words;
    search->capacity_words = search->lanes != NULL ? lane_words : 0;
    pass->touched_count = 0;
    pass->active_count = 0;
    return search->lanes != NULL;
}

static bool multi_source_check(const void *workspace)
{
    const struct multi_source *search = workspace;
    const struct lane_pass *pass = &search->pass;
    const size_t limit = pass->graph->node_limit;
    return search->capacity_words == 0 ||
           (pass->active_count <= limit && pass->touched_count <= limit &&
            lane_all_zero(pass->next, limit * pass->lane_words));
}

static bool lane_is_on(const uint64_t *words, size_t lane)
{
    return words[lane / 64] >> lane % 64 & 1;
}

/*
 * True if one more level reaches a target. For most, being candidates, their lanes show it. Targets
 * without out-edges, or equal to their source, ask their in-neighbours.
 */
static bool target_has_parent(const struct lane_pass *pass, uint32_t target, size_t lane)
{
    const struct graph *graph = pass->graph;
    for (uint64_t i = graph->in_offsets[target]; i < graph->in_offsets[target + 1]; i++) {
        if (lane_is_on(pass->frontier + graph->in_neighbours[i] * pass->lane_words, lane)) {
            return true;
        }
    }
    return false;
}

/* Take the searches whose target is found out of the pass, before the level of that many hops. */
static void settle(struct lane_pass *pass, const struct pair *pairs, size_t count, uint32_t hops,
                   struct search_result *results)
{
    for (size_t lane = 0; lane < count; lane++) {
        const uint32_t target = pairs[lane].target;
        const bool asks = pairs[lane].source == target || !marks_test(pass->candidates, target);
        if (lane_is_on(pass->live, lane) &&
            (asks ? target_has_parent(pass, target, lane)
                  : lane_is_on(pass->seen + target * pass->lane_words, lane))) {
            pass->live[lane / 64] &= ~((uint64_t)1 << lane % 64);
            results[lane].found = true;
            results[lane].hops = asks ? hops : hops - 1;
        }
    }
}

/* Answer a search from the nodes that lead to its target, if there are few. */
static bool answer_backwards(const struct lane_pass *pass, struct pair pair,
                             struct search_result *result)
{
    const struct graph *graph = pass->graph;
    uint32_t nodes[FEW_ANCESTORS] = {pair.target};
    size_t count = 1, level_end = 1;
    uint32_t hops = 1;
    for (size_t head = 0; head < count; head++) {
        hops += head == level_end;
        level_end = head == level_end ? count : level_end;
        const uint64_t end = graph->in_offsets[nodes[head] + 1];
        for (uint64_t i = graph->in_offsets[nodes[head]]; i < end; i++) {
            const uint32_t node = graph->in_neighbours[i];
            size_t at = 0;
            while (at < count && nodes[at] != node) {
                at++;
            }
            if (node == pair.source) {
                result->found = true;
                result->hops = hops;
                return true;
            }
            if (at == FEW_ANCESTORS) {
                return false;
            }
            nodes[at] = node;
            count += at == count;
            pw_assert(count <= FEW_ANCESTORS);
        }
    }
    return true; /* the source is not among all of them */
}

static void run_pass(struct lane_pass *pass, const struct pair *pairs, size_t count,
                     struct search_result *results)
{
    size_t lane_words = words_for(count);
    const struct lane_kernel *kernel = lane_kernel_for(lane_words);
    lane_pass_begin(pass, lane_words);
    for (size_t lane = 0; lane < count; lane++) {
        lane_pass_add(pass, lane, pairs[lane].source);
    }
    if (level_must_stop(&pass->level)) {
        return;
    }
    for (size_t lane = 0; lane < count; lane++) {
        if (answer_backwards(pass, pairs[lane], &results[lane])) {
            pass->live[lane / 64] &= ~((uint64_t)1 << lane % 64);
        }
    }
    for (uint32_t hops = 1;; hops++) {
        settle(pass, pairs, count, hops, results);
        if (lane_all_zero(pass->live, LANE_WORDS_MAX) || level_must_stop(&pass->level)) {
            break;
        }
        lane_pass_level(pass, kernel);
        if (atomic_load(&pass->level.status) != SEARCH_DONE) {
            break;
        }
    }
}

/* Divide what the pass cost among its searches, so that the sums are right. */
static void share_out(const struct lane_pass *pass, uint64_t elapsed_ns, size_t count,
                      struct search_result *results)
{
    const uint64_t lists = atomic_load(&pass->lists);
    const uint64_t edges = atomic_load(&pass->level.edges);
    pw_assert(count > 0);
    for (size_t i = 0; i < count; i++) {
        uint64_t extra = i == 0;
        results[i].visited = lists / count + extra * (lists % count);
        results[i].expanded = results[i].visited;
        results[i].pushed = SEARCH_COUNT_UNKNOWN;
        results[i].peak_queue = SEARCH_COUNT_UNKNOWN;
        results[i].edges = edges / count + extra * (edges % count);
        results[i].elapsed_ns = elapsed_ns / count + extra * (elapsed_ns % count);
        if (lane_is_on(pass->live, i)) {
            results[i].status = (enum search_status)atomic_load(&pass->level.status);
        }
    }
}

static void multi_source_batch(void *workspace, const struct pair *pairs, size_t count,
                               const struct search_limits *limits, struct search_result *results)
{
    struct multi_source *search = workspace;
    for (size_t i = 0; i < count; i++) {
        results[i] = (struct search_result){.status = SEARCH_NO_MEMORY, .hops = SEARCH_HOPS_NONE};
    }
    search->hops = SEARCH_HOPS_NONE;
    while (count > 0) {
        size_t lanes = count < 64 * LANE_WORDS_MAX ? count : 64 * LANE_WORDS_MAX;
        if (!make_room(search, words_for(lanes))) {
            return;
        }
        pw_assert(words_for(lanes) <= search->capacity_words);
        for (size_t i = 0; i < lanes; i++) {
            results[i].status = SEARCH_DONE;
        }
        /* A pass may take the time of its searches. A deadline is the deadline of all passes. */
        struct search_limits all = limits != NULL ? *limits : (struct search_limits){0};
        struct search_result total;
        all.timeout_ns = all.timeout_ns > UINT64_MAX / lanes ? 0 : all.timeout_ns * lanes;
        search_start(&search->pass.level.clock, &all, &total);
        run_pass(&search->pass, pairs, lanes, results);
        search_finish(&search->pass.level.clock, &total);
        share_out(&search->pass, total.elapsed_ns, lanes, results);
        pairs += lanes;
        results += lanes;
        count -= lanes;
    }
}

static void multi_source_search(void *workspace, uint32_t source, uint32_t target,
                                const struct search_limits *limits, struct search_result *result)
{
    struct multi_source *search = workspace;
    search->pair = (struct pair){.source = source, .target = target};
    multi_source_batch(search, &search->pair, 1, limits, result);
    search->hops = result->hops;
}

/* If the graph and its reverse adjacency contradict each other, so may the two engines. */
static bool multi_source_path(void *workspace, uint32_t *nodes, size_t capacity)
{
    struct multi_source *search = workspace;
    const struct search_engine *reader = &bidirectional_engine;
    struct search_result result;
    if (search->hops == SEARCH_HOPS_NONE) {
        return false;
    }
    if (search->bidirectional == NULL) {
        search->bidirectional = reader->create(search->pass.graph, NULL);
    }
    if (search->bidirectional == NULL) {
        errno = ENOMEM;
        return false;
    }
    reader->search(search->bidirectional, search->pair.source, search->pair.target, NULL, &result);
    errno = result.status == SEARCH_NO_MEMORY ? ENOMEM : 0;
    return result.hops == search->hops && reader->path(search->bidirectional, nodes, capacity);
}

static bool multi_source_set_threads(void *workspace, unsigned threads)
{
    struct multi_source *search = workspace;
    return level_set_threads(&search->pass.level, threads);
}

const struct search_engine multi_source_engine = {
    .name = "multi-source",
    .summary = "all pairs at once, one bit per search, 64 to 512 in a pass",
    .changes =
        "no list; a bit per search instead of a mark, so that one look at a node's neighbours "
        "serves every search that has reached it",
    .keeps = "level by level from the sources",
    .flags = SEARCH_NEEDS_REVERSE,
    .create = multi_source_create,
    .search = multi_source_search,
    .path = multi_source_path,
    .batch = multi_source_batch,
    .set_threads = multi_source_set_threads,
    .check = multi_source_check,
    .destroy = multi_source_destroy,
};

/*
 * direction_optimizing.c - "plain" without a list, as "bitmap"; and a dense level may be reversed:
 * nodes not yet reached look for a parent, instead of the frontier looking at all its neighbours.
 *
 * 1. Sparse frontiers are expanded top down, as in "array"; dense ones as in "bitmap", unless ...
 * 2. ... bottom up seems cheaper (direction.h). Then each unreached node goes through its
 *    in-neighbours until it meets one in the frontier. Most need few looks, and lists are read in
 *    address order.
 * 3. When the frontier is sparse again, or few of its edges lead on, back to top down.
 * 4. A node without in-neighbours or out-neighbours is no candidate; the target is looked at first.
 * Cost: the reverse adjacency, and four more bits per node. Gain: most edges of a dense level are
 * never examined. Never much slower than "array": only dense levels are reversed.
 * Source: Beamer, Asanovic & Patterson, "Direction-Optimizing Breadth-First Search", SC 2012.
 */
#include "bfs/engines/parts/level_search.h"
#include "bfs/search/direction.h"
#include "bfs/search/parents.h"
#include "engines.h"

#define SAMPLED_WORDS   1024 /* words of bits from which on the edges of a level are estimated */
#define SAMPLE_STRIDE   8
#define WORDS_PER_PIECE 64 /* words that a member takes at a time */

static void bottom_up_member(void *argument, unsigned index)
{
    struct level_search *search = argument;
    const struct graph *graph = search->base.graph;
    const struct parents parents = {
        .offsets = graph->in_offsets,
        .neighbours = graph->in_neighbours,
        .candidates = search->candidates,
        .seen = search->base.marks,
        .stride = 1,
        .frontier = search->dense->bits,
        .reached = search->dense->next,
    };
    size_t word, word_end;
    uint64_t edges = 0;
    (void)index;
    while (level_take(&search->level, WORDS_PER_PIECE, &word, &word_end)) {
        edges += parents_look(&parents, word, word_end);
    }
    level_add_edges(&search->level, edges);
}

static void bottom_up(struct level_search *search)
{
    const struct graph *graph = search->base.graph;
    const uint64_t *in_offsets = graph->in_offsets + search->base.target;
    struct level *level = &search->level;
    uint64_t edges = 0;
    pw_assert(search->dense != NULL && search->candidates != NULL);
    level->found = parents_find(graph->in_neighbours + in_offsets[0],
                                graph->in_neighbours + in_offsets[1], search->dense->bits, &edges);
    level_add_edges(level, edges);
    if (!level->found &&
        level_work(level, 0, search->dense->words, bottom_up_member, search) == SEARCH_DONE) {
        dense_frontier_append(search->dense);
    }
}

/* Edges out of the frontier's nodes; in a large graph, scaled up from a sample. */
static uint64_t edges_of(const uint64_t *frontier, const struct graph *graph)
{
    const uint64_t *offsets = graph->offsets;
    const size_t words = marks_words(graph);
    const size_t stride = words < SAMPLED_WORDS ? 1 : SAMPLE_STRIDE;
    uint64_t edges = 0;
    for (size_t word = 0; word < words; word += stride) {
        const size_t first = word * 64;
        for (uint64_t left = frontier[word]; left != 0; left &= left - 1) {
            const size_t node = first + (size_t)__builtin_ctzll(left);
            edges += offsets[node + 1] - offsets[node];
        }
    }
    return edges * stride;
}

/* True if a dense frontier is cheaper bottom up. */
static bool bottom_up_pays(const struct level_search *search, const uint64_t *frontier)
{
    const struct level *level = &search->level;
    const struct graph *graph = search->base.graph;
    pw_assert(level->begin < level->end);
    const struct direction_state state = {.nodes = level->end - level->begin,
                                          .edges = edges_of(frontier, graph),
                                          .reached = level->end,
                                          .candidates = search->candidate_count,
                                          .all_edges = graph->edge_count};
    return direction_is_bottom_up(&state);
}

static void direction_step(struct level_search *search)
{
    const size_t nodes = search->level.end - search->level.begin;
    if (nodes >= search->base.graph->node_limit / DIRECTION_DENSE_SHARE) {
        dense_frontier_bits(search->dense);
        if (bottom_up_pays(search, search->dense->bits)) {
            bottom_up(search);
            return;
        }
    }
    level_search_top_down(search);
}

static void *direction_create(const struct graph *graph, const void *from)
{
    const struct level_search *first = from;
    struct level_search *search =
        graph->in_offsets != NULL ? level_search_create(graph, from, LEVEL_DENSE, direction_step)
                                  : NULL;
    if (search == NULL) {
        return NULL;
    }
    search->candidates = first != NULL ? first->candidates : marks_create_inner(graph);
    if (search->candidates == NULL) {
        level_search_destroy(search);
        return NULL;
    }
    search->candidate_count = marks_count(search->candidates, marks_words(graph));
    pw_assert(search->candidate_count <= graph->node_limit);
    return search;
}

const struct search_engine direction_optimizing_engine = {
    .name = "direction-optimizing",
    .summary = "dense levels reversed: nodes not yet reached look for a parent",
    .changes = "as bitmap; and a dense level may be searched bottom up, over the reverse adjacency",
    .keeps = "level by level from the source; sparse frontiers as in array",
    .flags = SEARCH_LEVELS | SEARCH_NEEDS_REVERSE,
    .create = direction_create,
    .search = level_search_search,
    .path = workspace_path,
    .set_threads = level_search_set_threads,
    .check = level_search_check,
    .destroy = level_search_destroy,
};

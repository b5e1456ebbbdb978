/*
 * level_direction.c - the step from a level to the next in either direction. level_search.h says
 * what it does, and direction.h when each direction is cheaper.
 */
#include "bfs/search/direction.h"
#include "bfs/search/parents.h"
#include "level_search.h"

#define COUNTED_NODES   16384 /* of a level: of more, the edges are estimated */
#define SAMPLED_WORDS   1024  /* of the bits, and with them the nodes of the sample */
#define WORDS_PER_PIECE 64    /* words that a member takes at a time */

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
        .found = search->parents,
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
    struct level *level = &search->level;
    pw_assert(search->dense != NULL && search->candidates != NULL);
    dense_frontier_bits(search->dense);
    if (search->base.target < graph->node_limit) {
        const uint64_t *in_offsets = graph->in_offsets + search->base.target;
        uint64_t edges = 0;
        level->found =
            parents_find(graph->in_neighbours + in_offsets[0], graph->in_neighbours + in_offsets[1],
                         search->dense->bits, &edges) != NULL;
        level_add_edges(level, edges);
    }
    if (!level->found &&
        level_work(level, 0, search->dense->words, bottom_up_member, search) == SEARCH_DONE) {
        dense_frontier_append(search->dense);
    }
}

/*
 * Edges out of the frontier's nodes. Of many nodes a sample is scaled up; it is drawn from the
 * bits, as the visit order varies with the number of threads.
 */
static uint64_t edges_of(const struct level_search *search)
{
    const struct graph *graph = search->base.graph;
    const struct level *level = &search->level;
    const size_t words = search->dense->words;
    const size_t stride = 1 + words / SAMPLED_WORDS;
    uint64_t edges = 0;
    if (level->end - level->begin <= COUNTED_NODES) {
        for (size_t i = level->begin; i < level->end; i++) {
            edges += graph_out_degree(graph, search->base.order.nodes[i]);
        }
        return edges;
    }
    dense_frontier_bits(search->dense);
    for (size_t word = 0; word < words; word += stride) {
        const size_t first = word * 64;
        for (uint64_t left = search->dense->bits[word]; left != 0; left &= left - 1) {
            edges += graph_out_degree(graph, (uint32_t)(first + (size_t)__builtin_ctzll(left)));
        }
    }
    return edges * stride;
}

/* True if a dense frontier is cheaper bottom up. */
static bool bottom_up_pays(const struct level_search *search)
{
    const struct level *level = &search->level;
    pw_assert(level->begin < level->end);
    const struct direction_state state = {.nodes = level->end - level->begin,
                                          .edges = edges_of(search),
                                          .reached = level->end,
                                          .candidates = search->candidate_count,
                                          .all_edges = search->base.graph->edge_count,
                                          .wants_parents = search->parents != NULL};
    return direction_is_bottom_up(&state);
}

void level_search_either_way(struct level_search *search)
{
    /* A level that is dense for a team alone goes top down: counts are the same for any team. */
    if (!level_search_is_sparse(search, false) && bottom_up_pays(search)) {
        bottom_up(search);
    } else {
        level_search_top_down(search);
    }
}

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
#include "engines.h"

static void *direction_create(const struct graph *graph, const void *from)
{
    const struct level_search *first = from;
    struct level_search *search =
        graph->in_offsets != NULL
            ? level_search_create(graph, from, LEVEL_DENSE, level_search_either_way)
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

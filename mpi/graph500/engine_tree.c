/*
 * engine_tree.c - see engine_tree.h.
 */
#include "engine_tree.h"
#include "bfs/engines/parts/workspace.h"
#include <stdlib.h>

struct engine_tree {
    const struct search_engine *engine;
    struct graph graph; /* the rank's lists, and one more node, without edges */
    uint64_t *offsets;  /* of that graph */
    void *workspace;    /* begins with a struct workspace */
    uint32_t unreachable;
};

bool engine_tree_serves(const struct search_engine *engine)
{
    return engine->path == workspace_path;
}

struct engine_tree *engine_tree_create(const struct search_engine *engine,
                                       const struct mpi_graph *graph, struct graph_error *error)
{
    const size_t nodes = (size_t)graph->local_count;
    struct engine_tree *made = calloc(1, sizeof(*made));
    uint64_t *offsets = malloc((nodes + 2) * sizeof(*offsets));
    pw_assert(engine_tree_serves(engine) && graph->partition.ranks == 1);
    if (made != NULL && offsets != NULL) {
        memcpy(offsets, graph->out.offsets, (nodes + 1) * sizeof(*offsets));
        offsets[nodes + 1] = offsets[nodes];
        made->engine = engine;
        made->offsets = offsets;
        made->unreachable = (uint32_t)nodes;
        made->graph = (struct graph){.node_limit = (uint32_t)nodes + 1,
                                     .edge_count = graph->local_edges,
                                     .offsets = offsets,
                                     .neighbours = graph->out.neighbours,
                                     .in_offsets = offsets,
                                     .in_neighbours = graph->out.neighbours};
        made->workspace = engine->create(&made->graph, NULL);
    }
    if (made == NULL || made->workspace == NULL) {
        graph_fail(error, "graph", "out of memory to search it");
        free(offsets);
        free(made);
        return NULL;
    }
    return made;
}

bool engine_tree_run(struct engine_tree *made, struct mpi_tree *tree, struct graph_error *error)
{
    const struct search_limits limits = {.timeout_ns = 0};
    const struct graph *graph = &made->graph;
    struct search_result result;
    made->engine->search(made->workspace, (uint32_t)tree->root, made->unreachable, &limits,
                         &result);
    if (result.status != SEARCH_DONE) {
        return graph_fail(error, "search", "out of memory");
    }
    const struct visit_order *order = &((struct workspace *)made->workspace)->order;
    memset(tree->parents, 0xff, made->unreachable * sizeof(*tree->parents));
    memset(tree->levels, 0xff, made->unreachable * sizeof(*tree->levels));
    for (size_t level = 0; level < order->level_count; level++) {
        const size_t end =
            level + 1 < order->level_count ? order->level_starts[level + 1] : order->count;
        for (size_t i = order->level_starts[level]; i < end; i++) {
            const uint32_t node = order->nodes[i];
            uint64_t entry = graph->in_offsets[node];
            tree->levels[node] = (uint32_t)level;
            while (level > 0 && tree->levels[graph->in_neighbours[entry]] != level - 1) {
                entry++;
                pw_assert(entry < graph->in_offsets[node + 1]);
            }
            tree->parents[node] = level > 0 ? graph->in_neighbours[entry] : node;
        }
    }
    return true;
}

void engine_tree_destroy(struct engine_tree *made)
{
    if (made != NULL) {
        made->engine->destroy(made->workspace);
        free(made->offsets);
        free(made);
    }
}

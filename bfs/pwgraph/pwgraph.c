/*
 * pwgraph.c - the library: the loader, the engines and the names behind one small header.
 */
#include "pwgraph.h"
#include "bfs/engines/engines.h"
#include "bfs/search/search.h"
#include "data/graph/node_index.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pwgraph {
    struct graph graph;
    struct node_index index;
};

struct pwgraph_search {
    const struct pwgraph *graph;
    const struct search_engine *engine;
    void *workspace;
    struct search_result result;
};

struct pwgraph *pwgraph_load(const char *path, char message[PWGRAPH_TEXT_SIZE])
{
    const struct graph_options options = {.build_reverse = true};
    struct graph_error error = {0};
    struct pwgraph *loaded = calloc(1, sizeof(*loaded));
    if (loaded != NULL && graph_load(path, &options, &loaded->graph, &error)) {
        if (node_index_init(&loaded->index, &loaded->graph)) {
            return loaded;
        }
        graph_free(&loaded->graph);
    }
    free(loaded);
    const char *reason = error.message[0] != '\0' ? error.message : "out of memory";
    snprintf(message, PWGRAPH_TEXT_SIZE, "%s", reason);
    return NULL;
}

void pwgraph_free(struct pwgraph *graph)
{
    if (graph != NULL) {
        node_index_free(&graph->index);
        graph_free(&graph->graph);
        free(graph);
    }
}

uint32_t pwgraph_node_count(const struct pwgraph *graph)
{
    return graph_node_count(&graph->graph);
}

uint64_t pwgraph_edge_count(const struct pwgraph *graph)
{
    return graph->graph.edge_count;
}

bool pwgraph_find(const struct pwgraph *graph, const char *name, uint32_t *node)
{
    return node_index_find(&graph->index, name, strlen(name), node);
}

_Static_assert(PWGRAPH_TEXT_SIZE >= GRAPH_LABEL_SIZE, "room for every label");

const char *pwgraph_label(const struct pwgraph *graph, uint32_t node, char text[PWGRAPH_TEXT_SIZE])
{
    return graph_label(&graph->graph, node, text);
}

struct pwgraph_search *pwgraph_search_create(const struct pwgraph *graph, const char *engine)
{
    struct pwgraph_search *search = calloc(1, sizeof(*search));
    if (search == NULL) {
        return NULL;
    }
    search->graph = graph;
    search->engine = engine != NULL ? search_engine_find(engine) : &bidirectional_engine;
    search->workspace = search->engine != NULL ? search->engine->create(&graph->graph, NULL) : NULL;
    if (search->workspace == NULL) {
        free(search);
        return NULL;
    }
    return search;
}

void pwgraph_search_free(struct pwgraph_search *search)
{
    if (search != NULL) {
        search->engine->destroy(search->workspace);
        free(search);
    }
}

enum pwgraph_answer pwgraph_search_run(struct pwgraph_search *search, uint32_t source,
                                       uint32_t target, uint32_t *hops)
{
    const struct graph *graph = &search->graph->graph;
    search->result = (struct search_result){.status = SEARCH_DONE};
    if (!graph_has_node(graph, source) || !graph_has_node(graph, target)) {
        return PWGRAPH_FAILED;
    }
    search->engine->search(search->workspace, source, target, NULL, &search->result);
    if (search->result.status != SEARCH_DONE) {
        search->result.found = false;
        return PWGRAPH_FAILED;
    }
    if (search->result.found && hops != NULL) {
        *hops = search->result.hops;
    }
    return search->result.found ? PWGRAPH_FOUND : PWGRAPH_NO_PATH;
}

bool pwgraph_search_path(struct pwgraph_search *search, uint32_t *nodes, size_t capacity)
{
    return search->result.found && search->engine->path(search->workspace, nodes, capacity);
}

/*
 * pwgraph.c - the library: the loader, the engines and the names under one small header.
 */
#include "pwgraph.h"
#include "bfs/engines/engines.h"
#include "bfs/search/search.h"
#include "data/load/graph_load.h"
#include "data/names/name_finder.h"
#include "data/names/name_order.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names; the lock is for a table, made when the first misspelt name is looked up. */
struct pwgraph_names {
    struct name_finder finder;
    pthread_mutex_t lock;
};

struct pwgraph {
    struct graph graph;
    struct pwgraph_names *names; /* never NULL */
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
    struct pwgraph_names *names = calloc(1, sizeof(*names));
    if (loaded != NULL && names != NULL && graph_load(path, &options, &loaded->graph, &error)) {
        if (name_finder_open(&names->finder, &loaded->graph)) {
            pthread_mutex_init(&names->lock, NULL);
            loaded->names = names;
            return loaded;
        }
        graph_free(&loaded->graph);
    }
    free(names);
    free(loaded);
    const char *reason = error.message[0] != '\0' ? error.message : "out of memory";
    snprintf(message, PWGRAPH_TEXT_SIZE, "%s", reason);
    return NULL;
}

void pwgraph_free(struct pwgraph *graph)
{
    if (graph != NULL) {
        name_finder_close(&graph->names->finder);
        pthread_mutex_destroy(&graph->names->lock);
        free(graph->names);
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
    uint32_t number;
    const size_t length = strlen(name);
    if (name_order_is_there(&graph->graph) &&
        name_order_find(&graph->graph, name, length, &number) == NAME_AS_TYPED) {
        *node = name_order_node(&graph->graph, number);
        return true;
    }
    return node_index_find(&graph->names->finder.index, name, length, node);
}

_Static_assert(PWGRAPH_TEXT_SIZE >= NAME_MESSAGE_SIZE, "room for every message");

enum pwgraph_fit pwgraph_resolve(const struct pwgraph *graph, const char *text, uint32_t *node,
                                 char message[PWGRAPH_TEXT_SIZE])
{
    struct name_finder *finder = &graph->names->finder;
    const size_t length = strlen(text);
    uint32_t found = 0;
    pthread_mutex_lock(&graph->names->lock);
    const enum name_fit fit = name_finder_find(finder, text, length, &found);
    pthread_mutex_unlock(&graph->names->lock);
    message[0] = '\0';
    if (fit == NAME_UNKNOWN) {
        name_finder_explain(finder, text, length, message);
        return PWGRAPH_UNKNOWN;
    }
    if (fit == NAME_FORGIVEN) {
        name_finder_note(finder, text, length, found, message);
    }
    *node = found;
    return fit == NAME_FORGIVEN ? PWGRAPH_FORGIVEN : PWGRAPH_EXACT;
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

/*
 * look.c - what a loaded graph is made of: its arrays, the facts about a node, names by their
 * start.
 */
#include "bfs/engines/parts/distances.h"
#include "data/graph/graph_blocks.h"
#include "data/graph/graph_origin.h"
#include "data/make/graph_components.h"
#include "data/make/random_node.h"
#include "data/names/name_address.h"
#include "data/names/name_search.h"
#include "held_graph.h"
#include <stdio.h>
#include <string.h>

void pwgraph_get_arrays(const struct pwgraph *held, struct pwgraph_arrays *arrays)
{
    const struct graph *graph = &held->graph;
    *arrays = (struct pwgraph_arrays){0};
    const uint64_t ids = graph->original_ids != NULL ? graph->node_limit : 0;
    if (!graph_allows_all(graph) ||
        !graph_allows(graph, graph->original_ids, ids * sizeof(*arrays->ids))) {
        return;
    }
    *arrays = (struct pwgraph_arrays){
        .first_node = graph->first_node,
        .node_limit = graph->node_limit,
        .edge_count = graph->edge_count,
        .offsets = graph->offsets,
        .neighbours = graph->neighbours,
        .in_offsets = graph->in_offsets,
        .in_neighbours = graph->in_neighbours,
        .ids = graph->original_ids,
    };
}

bool pwgraph_has_node(const struct pwgraph *graph, uint32_t node)
{
    return graph_has_node(&graph->graph, node);
}

/* The length of a node's list in one of the two adjacencies; 0 if a bad block is in the way. */
static uint64_t length_of(const struct graph *graph, const uint64_t *offsets, uint32_t node)
{
    return graph_has_node(graph, node) && graph_allows_ends(graph, offsets, node)
               ? offsets[node + 1] - offsets[node]
               : 0;
}

/* The list of a node in one of the two adjacencies. */
static const uint32_t *list_of(const struct pwgraph *held, const uint64_t *offsets,
                               const uint32_t *neighbours, uint32_t node, uint64_t *count)
{
    const struct graph *graph = &held->graph;
    *count = 0;
    if (!graph_has_node(graph, node)) {
        return NULL;
    }
    if (!graph_allows_ends(graph, offsets, node)) {
        return neighbours;
    }
    const uint32_t *list = neighbours + offsets[node];
    const uint64_t length = offsets[node + 1] - offsets[node];
    *count = graph_allows(graph, list, length * sizeof(*list)) ? length : 0;
    return list;
}

const uint32_t *pwgraph_out(const struct pwgraph *held, uint32_t node, uint64_t *count)
{
    return list_of(held, held->graph.offsets, held->graph.neighbours, node, count);
}

const uint32_t *pwgraph_in(const struct pwgraph *held, uint32_t node, uint64_t *count)
{
    return list_of(held, held->graph.in_offsets, held->graph.in_neighbours, node, count);
}

uint64_t pwgraph_out_degree(const struct pwgraph *graph, uint32_t node)
{
    return length_of(&graph->graph, graph->graph.offsets, node);
}

uint64_t pwgraph_in_degree(const struct pwgraph *graph, uint32_t node)
{
    return length_of(&graph->graph, graph->graph.in_offsets, node);
}

const char *pwgraph_name(const struct pwgraph *graph, uint32_t node)
{
    return graph_has_node(&graph->graph, node) ? graph_name(&graph->graph, node) : NULL;
}

uint32_t pwgraph_id(const struct pwgraph *graph, uint32_t node)
{
    return graph_has_node(&graph->graph, node) ? graph_original_id(&graph->graph, node)
                                               : PWGRAPH_NONE;
}

uint32_t pwgraph_page(const struct pwgraph *graph, uint32_t node)
{
    return graph_has_node(&graph->graph, node)
               ? graph_page(&graph->graph, graph_original_id(&graph->graph, node))
               : 0;
}

bool pwgraph_has_pages(const struct pwgraph *graph)
{
    const struct graph *held = &graph->graph;
    return held->names != NULL && held->origin != NULL && held->origin->page_ids != NULL;
}

bool pwgraph_is_path(const struct pwgraph *graph, const uint32_t *nodes, size_t count)
{
    bool are_nodes = count > 1 && count <= UINT32_MAX;
    for (size_t i = 0; i < count && are_nodes; i++) {
        are_nodes = graph_has_node(&graph->graph, nodes[i]);
    }
    return are_nodes &&
           path_is_valid(&graph->graph, nodes[0], nodes[count - 1], (uint32_t)count - 1, nodes);
}

void pwgraph_pages(const struct pwgraph *graph, const uint32_t *nodes, size_t count,
                   uint32_t *pages)
{
    for (size_t i = 0; i < count; i++) {
        pages[i] = pwgraph_page(graph, nodes[i]);
    }
}

size_t pwgraph_redirects(const struct pwgraph *graph, uint32_t node, const char **titles,
                         size_t capacity)
{
    struct pwgraph_names *names = graph->names;
    if (!graph_has_node(&graph->graph, node)) {
        return 0;
    }
    pthread_mutex_lock(&names->lock);
    if (names->aliases.begins == NULL) {
        node_aliases_open(&names->aliases, &graph->graph); /* else each question is a pass */
    }
    const struct node_aliases aliases = names->aliases;
    pthread_mutex_unlock(&names->lock);
    return node_aliases_find(&aliases, &graph->graph, node, titles, titles != NULL ? capacity : 0);
}

bool pwgraph_fact(const struct pwgraph *graph, const char *name, char text[PWGRAPH_TEXT_SIZE])
{
    char wiki[PWGRAPH_TEXT_SIZE], host[NAME_ADDRESS_WIKI];
    const struct graph_origin *origin = graph->graph.origin;
    if (strcmp(name, "address") != 0) {
        return graph_origin_fact(origin, name, text, PWGRAPH_TEXT_SIZE);
    }
    const bool is_known =
        graph_origin_fact(origin, "wiki", wiki, sizeof(wiki)) && name_address_host(wiki, host);
    text[0] = '\0';
    if (is_known) {
        snprintf(text, PWGRAPH_TEXT_SIZE, "https://%s", host);
    }
    return is_known;
}

size_t pwgraph_complete(const struct pwgraph *graph, const char *prefix, enum pwgraph_order order,
                        uint32_t *nodes, size_t capacity, size_t *total)
{
    size_t all = 0;
    const enum name_first first = order == PWGRAPH_BY_DEGREE ? NAME_FIRST_DEGREE : NAME_FIRST_NAME;
    const size_t kept = name_search_first(name_finder_order(&graph->names->finder), prefix, first,
                                          nodes, nodes != NULL ? capacity : 0, &all);
    if (total != NULL) {
        *total = all;
    }
    return kept;
}

bool pwgraph_random_node(const struct pwgraph *graph, uint64_t *state, uint32_t *node)
{
    return random_node_with_edges(&graph->graph, state, node);
}

bool pwgraph_components(const struct pwgraph *held, enum pwgraph_connection connection,
                        uint32_t *components, size_t capacity, uint32_t *count,
                        const volatile int *cancel, struct pwgraph_error *error)
{
    const struct graph *graph = &held->graph;
    uint32_t found = 0;
    if (connection != PWGRAPH_WEAK && connection != PWGRAPH_STRONG) {
        return pwgraph_fail(error, PWGRAPH_BAD_ARGUMENT, "connection: expected weak or strong");
    }
    if (capacity < graph->node_limit || (components == NULL && graph->node_limit > 0)) {
        return pwgraph_fail(error, PWGRAPH_BAD_ARGUMENT,
                            "components: expected room for %lu numbers",
                            (unsigned long)graph->node_limit);
    }
    if (!graph_allows_all(graph)) {
        pwgraph_is_damaged(held, error);
        return false;
    }
    const enum graph_components_outcome outcome =
        graph_components(graph, connection == PWGRAPH_STRONG ? GRAPH_STRONG : GRAPH_WEAK,
                         components, &found, cancel);
    if (count != NULL) {
        *count = found;
    }
    return outcome == GRAPH_COMPONENTS_DONE ||
           (outcome == GRAPH_COMPONENTS_CANCELLED
                ? pwgraph_fail(error, PWGRAPH_CANCELLED, "the components were cancelled")
                : pwgraph_fail(error, PWGRAPH_NO_MEMORY, "out of memory"));
}

/*
 * handles.hh - the objects of libpwgraph as pointers that free them, and its errors as exceptions.
 */
#pragma once

#include <memory>
#include <pwgraph.h>
#include <stdexcept>
#include <string>
#include <vector>

template <auto release> struct released_by {
    template <class T> void operator()(T *object) const
    {
        release(object);
    }
};
using graph_handle = std::unique_ptr<pwgraph, released_by<pwgraph_free>>;
using search_handle = std::unique_ptr<pwgraph_search, released_by<pwgraph_search_free>>;
using paths_handle = std::unique_ptr<pwgraph_paths, released_by<pwgraph_paths_free>>;

inline graph_handle open_graph(const char *path, const pwgraph_options *options = nullptr)
{
    pwgraph_error error;
    graph_handle graph(pwgraph_open(path, options, &error));
    if (graph == nullptr) {
        throw std::runtime_error(error.text);
    }
    return graph;
}

inline search_handle create_search(const graph_handle &graph)
{
    pwgraph_error error;
    search_handle search(pwgraph_search_create(graph.get(), nullptr, &error));
    if (search == nullptr) {
        throw std::runtime_error(error.text);
    }
    return search;
}

/* The node that somebody means by a name. */
inline uint32_t node_of(const graph_handle &graph, const char *name)
{
    pwgraph_match match;
    if (!pwgraph_resolve(graph.get(), name, nullptr, &match)) {
        throw std::runtime_error(match.text);
    }
    return match.node;
}

inline std::string label_of(const graph_handle &graph, uint32_t node)
{
    char text[PWGRAPH_TEXT_SIZE];
    return pwgraph_label(graph.get(), node, text);
}

/* All nodes of a graph. */
inline std::vector<uint32_t> nodes_of(const graph_handle &graph)
{
    pwgraph_arrays arrays;
    pwgraph_get_arrays(graph.get(), &arrays);
    std::vector<uint32_t> nodes;
    for (uint32_t node = arrays.first_node; node < arrays.node_limit; node++) {
        nodes.push_back(node);
    }
    return nodes;
}

/* A node's neighbours, where they lie in the graph: for (uint32_t next : neighbours(graph, node)) */
struct neighbours {
    const uint32_t *first;
    uint64_t count;

    neighbours(const graph_handle &graph, uint32_t node)
        : first(pwgraph_out(graph.get(), node, &count))
    {
    }
    const uint32_t *begin() const
    {
        return first;
    }
    const uint32_t *end() const
    {
        return first + count;
    }
};

/* search.cc - a shortest path, and with many pairs in one call how far away all nodes are:
 * search GRAPH FROM TO */
#include "handles.hh"
#include <iostream>
#include <map>

/* The nodes of a shortest path; none if there is no path. */
static std::vector<uint32_t> find_path(const search_handle &search, uint32_t from, uint32_t to)
{
    uint32_t hops;
    std::vector<uint32_t> nodes;
    const pwgraph_answer answer = pwgraph_search_run(search.get(), from, to, &hops);
    if (answer == PWGRAPH_FOUND) {
        nodes.resize(hops + 1);
    }
    if (answer == PWGRAPH_FAILED ||
        (answer == PWGRAPH_FOUND &&
         !pwgraph_search_path(search.get(), nodes.data(), nodes.size()))) {
        throw std::runtime_error("the search has failed");
    }
    return nodes;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        std::cerr << "usage: search GRAPH FROM TO\n";
        return 2;
    }
    try {
        const graph_handle graph = open_graph(argv[1]);
        const search_handle search = create_search(graph);
        const uint32_t from = node_of(graph, argv[2]);
        for (const uint32_t node : find_path(search, from, node_of(graph, argv[3]))) {
            std::cout << label_of(graph, node) << '\n';
        }

        pwgraph_error error;
        const std::vector<uint32_t> targets = nodes_of(graph);
        const std::vector<uint32_t> sources(targets.size(), from);
        std::vector<uint32_t> hops(targets.size());
        if (!pwgraph_search_pairs(search.get(), sources.data(), targets.data(), hops.size(), 2,
                                  hops.data(), &error)) {
            throw std::runtime_error(error.text);
        }
        std::map<uint32_t, size_t> histogram;
        for (const uint32_t distance : hops) {
            histogram[distance]++;
        }
        for (const auto &[distance, count] : histogram) {
            std::cout << (distance == PWGRAPH_NONE ? "no path" : std::to_string(distance)) << ": "
                      << count << '\n';
        }
    } catch (const std::exception &error) {
        std::cerr << "search: " << error.what() << '\n';
        return 1;
    }
}

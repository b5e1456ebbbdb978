/* distances.cc - how far it is to all nodes and from all nodes, with the way back: distances GRAPH
 * NODE */
#include "handles.hh"
#include <iostream>

int main(int argc, char **argv)
{
    if (argc != 3) {
        std::cerr << "usage: distances GRAPH NODE\n";
        return 2;
    }
    try {
        const graph_handle graph = open_graph(argv[1]);
        const search_handle search = create_search(graph);
        const uint32_t node = node_of(graph, argv[2]);
        const std::vector<uint32_t> nodes = nodes_of(graph);
        pwgraph_error error;
        std::vector<uint32_t> there(nodes.back() + 1), back(there.size()), parents(there.size());
        if (!pwgraph_search_distances(search.get(), node, PWGRAPH_FROM, there.data(),
                                      parents.data(), there.size(), &error) ||
            !pwgraph_search_distances(search.get(), node, PWGRAPH_TO, back.data(), nullptr,
                                      back.size(), &error)) {
            throw std::runtime_error(error.text);
        }
        for (const uint32_t other : nodes) {
            std::cout << label_of(graph, other);
            for (const uint32_t hops : {there[other], back[other]}) {
                std::cout << '\t' << (hops == PWGRAPH_NONE ? "-" : std::to_string(hops));
            }
            std::cout << '\t'
                      << (parents[other] == PWGRAPH_NONE ? "-" : label_of(graph, parents[other]))
                      << '\n';
        }
    } catch (const std::exception &error) {
        std::cerr << "distances: " << error.what() << '\n';
        return 1;
    }
}

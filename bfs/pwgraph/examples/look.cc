/* look.cc - the nodes whose names begin with a prefix, most edges first, and their neighbours:
 * look GRAPH PREFIX */
#include "handles.hh"
#include <iostream>

int main(int argc, char **argv)
{
    if (argc != 3) {
        std::cerr << "usage: look GRAPH PREFIX\n";
        return 2;
    }
    try {
        const graph_handle graph = open_graph(argv[1]);
        std::vector<uint32_t> nodes(5);
        size_t total;
        nodes.resize(pwgraph_complete(graph.get(), argv[2], PWGRAPH_BY_DEGREE, nodes.data(),
                                      nodes.size(), &total));
        std::cout << nodes.size() << " of " << total << " names\n";
        for (const uint32_t node : nodes) {
            std::cout << label_of(graph, node) << ", " << pwgraph_in_degree(graph.get(), node)
                      << " in:";
            for (const uint32_t next : neighbours(graph, node)) {
                std::cout << ' ' << label_of(graph, next);
            }
            std::cout << '\n';
        }
    } catch (const std::exception &error) {
        std::cerr << "look: " << error.what() << '\n';
        return 1;
    }
}

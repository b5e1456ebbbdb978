/* all_paths.cc - all shortest paths of a pair, the first 100 one by one: all_paths GRAPH FROM TO */
#include "handles.hh"
#include <iostream>

int main(int argc, char **argv)
{
    if (argc != 4) {
        std::cerr << "usage: all_paths GRAPH FROM TO\n";
        return 2;
    }
    try {
        const graph_handle graph = open_graph(argv[1]);
        const search_handle search = create_search(graph);
        pwgraph_error error;
        const paths_handle paths(pwgraph_search_all_paths(search.get(), node_of(graph, argv[2]),
                                                          node_of(graph, argv[3]), &error));
        if (paths == nullptr) {
            throw std::runtime_error(error.text);
        }
        std::cout << paths->count << " paths\n"; /* exact, however large it is */
        if (paths->hops == PWGRAPH_NONE) {
            return 0;
        }
        const size_t length = static_cast<size_t>(paths->hops) + 1;
        std::vector<uint32_t> nodes(100 * length);
        const uint64_t rows = pwgraph_paths_list(paths.get(), 100, nodes.data(), nodes.size());
        for (size_t i = 0; i < rows * length; i++) {
            std::cout << label_of(graph, nodes[i]) << (i % length + 1 < length ? '\t' : '\n');
        }
    } catch (const std::exception &error) {
        std::cerr << "all_paths: " << error.what() << '\n';
        return 1;
    }
}

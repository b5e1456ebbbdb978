/* open.cc - open a graph with options, and say how large it is: open GRAPH */
#include "handles.hh"
#include <iostream>

static void show(void *context, const pwgraph_progress *progress)
{
    *static_cast<std::ostream *>(context)
        << progress->phase << ": " << progress->edges << " edges\n";
}

int main(int argc, char **argv)
{
    pwgraph_options options = {}; /* a zero is the default of every member but the first */
    options.size = sizeof(options);
    options.undirected = true;
    options.progress = show;
    options.context = &std::cerr;
    try {
        const graph_handle graph = open_graph(argc == 2 ? argv[1] : "", &options);
        std::cout << pwgraph_node_count(graph.get()) << " nodes, "
                  << pwgraph_edge_count(graph.get()) << " edges\n";
    } catch (const std::exception &error) {
        std::cerr << "open: " << error.what() << '\n';
        return 1;
    }
}

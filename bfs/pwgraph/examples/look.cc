/* look.cc - the nodes whose names begin with a prefix, most edges first, and their neighbours; and a
 * node at random. Of a wiki's snapshot also pages, redirects and the date: look GRAPH PREFIX */
#include "handles.hh"
#include <iostream>

/* The labels of many nodes, by a call that counts their bytes and a call that writes them. */
static std::vector<std::string> labels_of(const graph_handle &graph,
                                          const std::vector<uint32_t> &nodes)
{
    std::vector<char> text(pwgraph_labels(graph.get(), nodes.data(), nodes.size(), nullptr, 0));
    pwgraph_labels(graph.get(), nodes.data(), nodes.size(), text.data(), text.size());
    std::vector<std::string> labels;
    for (const char *at = text.data(); labels.size() < nodes.size();
         at += labels.back().size() + 1) {
        labels.emplace_back(at);
    }
    return labels;
}

/* The titles that redirect to a node. */
static std::vector<const char *> redirects_to(const graph_handle &graph, uint32_t node)
{
    std::vector<const char *> titles(pwgraph_redirects(graph.get(), node, nullptr, 0));
    titles.resize(pwgraph_redirects(graph.get(), node, titles.data(), titles.size()));
    return titles;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        std::cerr << "usage: look GRAPH PREFIX\n";
        return 2;
    }
    try {
        const graph_handle graph = open_graph(argv[1]);
        char date[PWGRAPH_TEXT_SIZE];
        if (pwgraph_fact(graph.get(), "date", date)) {
            std::cout << "a wiki of " << date << '\n';
        }
        std::vector<uint32_t> nodes(5);
        size_t total;
        nodes.resize(pwgraph_complete(graph.get(), argv[2], PWGRAPH_BY_DEGREE, nodes.data(),
                                      nodes.size(), &total));
        std::cout << nodes.size() << " of " << total << " names\n";
        const std::vector<std::string> labels = labels_of(graph, nodes);
        std::vector<uint32_t> pages(nodes.size());
        pwgraph_pages(graph.get(), nodes.data(), nodes.size(), pages.data());
        for (size_t i = 0; i < nodes.size(); i++) {
            std::cout << labels[i] << ", ";
            if (pages[i] != 0) {
                std::cout << "page " << pages[i] << ", ";
            }
            std::cout << pwgraph_in_degree(graph.get(), nodes[i]) << " in:";
            for (const uint32_t next : neighbours(graph, nodes[i])) {
                std::cout << ' ' << label_of(graph, next);
            }
            for (const char *title : redirects_to(graph, nodes[i])) {
                std::cout << "; also " << title;
            }
            std::cout << '\n';
        }
        uint64_t state = 2026; /* of the random numbers; any value */
        uint32_t node;
        if (pwgraph_random_node(graph.get(), &state, &node)) {
            std::cout << "at random: " << label_of(graph, node);
            if (pwgraph_page(graph.get(), node) != 0) {
                std::cout << ", page " << pwgraph_page(graph.get(), node);
            }
            std::cout << '\n';
        }
    } catch (const std::exception &error) {
        std::cerr << "look: " << error.what() << '\n';
        return 1;
    }
}

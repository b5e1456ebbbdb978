/* limits.cc - a path around nodes, within a minute; and a thread that is cancelled: limits GRAPH FROM
 * TO AVOIDED... */
#include "handles.hh"
#include <atomic>
#include <iostream>
#include <thread>

/* Work until somebody sets the flag. Returns why it ended. */
static pwgraph_code work(const graph_handle &graph, uint32_t node, const volatile int *cancel,
                         std::atomic<int> &rounds)
{
    const search_handle search = create_search(graph); /* one per thread */
    std::vector<uint32_t> hops(nodes_of(graph).back() + 1);
    pwgraph_error error = {};
    pwgraph_search_limit(search.get(), 0, cancel);
    while (pwgraph_search_distances(search.get(), node, PWGRAPH_FROM, hops.data(), nullptr,
                                    hops.size(), &error)) {
        rounds++;
    }
    return error.code;
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        std::cerr << "usage: limits GRAPH FROM TO AVOIDED...\n";
        return 2;
    }
    try {
        const graph_handle graph = open_graph(argv[1]);
        const search_handle search = create_search(graph);
        const uint32_t from = node_of(graph, argv[2]), to = node_of(graph, argv[3]);
        std::vector<uint32_t> avoided;
        for (int i = 4; i < argc; i++) {
            avoided.push_back(node_of(graph, argv[i]));
        }
        pwgraph_error error;
        pwgraph_search_limit(search.get(), 60 * UINT64_C(1000000000), nullptr);
        if (!pwgraph_search_avoid(search.get(), avoided.data(), avoided.size(), &error)) {
            throw std::runtime_error(error.text);
        }
        uint32_t hops;
        switch (pwgraph_search_run(search.get(), from, to, &hops)) {
        case PWGRAPH_FOUND:
            std::cout << hops << " hops\n";
            break;
        case PWGRAPH_NO_PATH:
            std::cout << "no path\n";
            break;
        default:
            std::cout << "ended with code " << pwgraph_search_counts(search.get()).code << '\n';
        }

        volatile int cancel = 0;
        std::atomic<int> rounds{0};
        pwgraph_code ended = PWGRAPH_OK;
        std::thread worker([&] { ended = work(graph, from, &cancel, rounds); });
        while (rounds == 0) {
            std::this_thread::yield();
        }
        pwgraph_cancel(&cancel);
        worker.join();
        std::cout << (ended == PWGRAPH_CANCELLED ? "cancelled\n" : "not cancelled\n");
    } catch (const std::exception &error) {
        std::cerr << "limits: " << error.what() << '\n';
        return 1;
    }
}

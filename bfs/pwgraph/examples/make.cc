/* make.cc - make a ring from vectors, save it, and open what was saved: make NODES SNAPSHOT */
#include "handles.hh"
#include <iostream>
#include <numeric>

int main(int argc, char **argv)
{
    if (argc != 3) {
        std::cerr << "usage: make NODES SNAPSHOT\n";
        return 2;
    }
    try {
        pwgraph_error error;
        const uint32_t count = static_cast<uint32_t>(std::stoul(argv[1]));
        std::vector<uint32_t> sources(count), targets(count);
        std::iota(sources.begin(), sources.end(), 0u);
        std::iota(targets.begin(), targets.end(), 1u);
        targets.back() = 0;
        const graph_handle ring(
            pwgraph_from_edges(sources.data(), targets.data(), count, 32, 0, nullptr, &error));
        if (ring == nullptr || !pwgraph_save(ring.get(), argv[2], nullptr, &error)) {
            throw std::runtime_error(error.text);
        }
        const graph_handle saved = open_graph(argv[2]);

        /* The ring as lists, which the graph borrows: the vectors outlive it. */
        std::vector<uint64_t> offsets(count + 1);
        std::iota(offsets.begin(), offsets.end(), 0u);
        const graph_handle lent(pwgraph_from_csr(offsets.data(), 64, targets.data(), 32, count,
                                                 PWGRAPH_BORROW, nullptr, &error));
        if (lent == nullptr) {
            throw std::runtime_error(error.text);
        }
        for (const graph_handle *graph : {&ring, &saved, &lent}) {
            uint32_t hops = PWGRAPH_NONE;
            pwgraph_search_run(create_search(*graph).get(), 1, 0, &hops);
            std::cout << hops << " hops from 1 to 0\n";
        }
    } catch (const std::exception &error) {
        std::cerr << "make: " << error.what() << '\n';
        return 1;
    }
}

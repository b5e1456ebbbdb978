#!/usr/bin/env python3
"""networkx_bench.py - how long NetworkX's functions take by the backend and by themselves.

Usage: networkx_bench.py GRAPH        medians, interleaved; the package must be installed

The same graph is asked as pointer_wars loads it, converted from NetworkX, and in NetworkX alone:
pairs of random nodes with a path, then whole searches from the sources of the first five.
"""
import statistics
import sys
import time

import networkx
import pointer_wars

PAIRS, SOURCES = 500, 5


def main(place):
    networkx.config.warnings_to_ignore.add("cache")
    loaded = pointer_wars.load(place)
    graph = loaded.to_networkx()
    begin = time.perf_counter()
    networkx.has_path(graph, *list(graph)[:2], backend="pointer_wars")
    print(f"{loaded}; converted in {time.perf_counter() - begin:.2f} s")
    ways = {"loaded": (loaded, {}), "converted": (graph, {"backend": "pointer_wars"}),
            "NetworkX": (graph, {"backend": "networkx"})}
    pairs = ((loaded.random_node(2 * i), loaded.random_node(2 * i + 1)) for i in range(4 * PAIRS))
    pairs = [pair for pair in pairs if loaded.hops(*pair) and pair[0] != pair[1]][:PAIRS]
    print(f"{'':40}" + "".join(f"{way:>14}" for way in ways))
    for name in ("shortest_path", "shortest_path_length", "has_path"):
        show(name, ways, pairs, 1e6, "us")
    for name in ("single_source_shortest_path_length", "single_source_shortest_path", "bfs_edges",
                 "descendants"):
        show(name, ways, [pair[:1] for pair in pairs[:SOURCES]], 1e3, "ms")


def show(name, ways, asked, factor, unit):
    """A row: the median of each way, which take turns."""
    function, seconds = getattr(networkx, name), {way: [] for way in ways}
    for arguments in asked:
        for way, (graph, named) in ways.items():
            begin = time.perf_counter()
            found = function(graph, *arguments, **named)
            if hasattr(found, "__next__"):
                found = list(found)
            seconds[way].append(time.perf_counter() - begin)
    print(f"{name:40}" + "".join(f"{statistics.median(row) * factor:11.1f} {unit}"
                                 for row in seconds.values()))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])

#!/usr/bin/env python3
"""networkx_bench.py - how long NetworkX's functions take by the backend and by themselves, and whole
graphs beside igraph, NetworKit and rustworkx.

Usage: networkx_bench.py GRAPH        medians, interleaved; the package must be installed
       networkx_bench.py --peers [NODES EDGES]    as far as they are installed

The same graph is asked as pointer_wars loads it, converted from NetworkX, and in NetworkX alone:
pairs of random nodes with a path, then whole searches from the sources of the first five. Peers are
given the same array of random edges, and asked with the threads that they choose themselves.
"""
import importlib
import statistics
import sys
import time

import networkx
import pointer_wars

PAIRS, SOURCES, ROUNDS = 500, 5, 5


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


def package(name):
    """A package, or None."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def rustworkx_graph(rustworkx, edges, nodes):
    """A graph of rustworkx."""
    graph = rustworkx.PyDiGraph(multigraph=True)
    graph.add_nodes_from(range(nodes))
    graph.extend_from_edge_list(list(map(tuple, edges.tolist())))
    return graph


PEERS = {  # of each package: make a graph, the distances from a node, the mean of all, betweenness
    "pointer_wars": (lambda pw, edges, n: pw.Graph.from_edges(edges, node_count=n),
                     lambda pw, graph: graph.distances(0),
                     lambda pw, graph: graph.reach(),
                     lambda pw, graph: graph.betweenness()),
    "igraph": (lambda ig, edges, n: ig.Graph(n=n, edges=edges, directed=True),
               lambda ig, graph: graph.distances(0),
               lambda ig, graph: graph.average_path_length(),
               lambda ig, graph: graph.betweenness()),
    "networkit": (lambda nk, edges, n: nk.GraphFromCoo((edges[:, 0], edges[:, 1]), n=n,
                                                       directed=True),
                  lambda nk, graph: nk.distance.BFS(graph, 0, False).run().getDistances(),
                  lambda nk, graph: nk.distance.APSP(graph).run().getDistances(),
                  lambda nk, graph: nk.centrality.Betweenness(graph).run().scores()),
    "rustworkx": (rustworkx_graph,
                  lambda rx, graph: rx.dijkstra_shortest_path_lengths(graph, 0, lambda _: 1.0),
                  lambda rx, graph: rx.unweighted_average_shortest_path_length(graph, 300, True),
                  lambda rx, graph: rx.betweenness_centrality(graph, normalized=False)),
}


def peers(nodes, edge_count):
    """A row per package: conversion, and three questions."""
    import numpy
    edges = numpy.random.default_rng(1).integers(0, nodes, (edge_count, 2), dtype=numpy.uint32)
    seconds = {name: ([], [], [], []) for name in PEERS if package(name)}
    for _ in range(ROUNDS):
        for name, row in seconds.items():
            made = None
            for times, call in zip(row, PEERS[name]):
                begin = time.perf_counter()
                found = call(package(name), *((edges, nodes) if made is None else (made,)))
                times.append(time.perf_counter() - begin)
                made = found if made is None else made
    print(f"{nodes:,} nodes, {edge_count:,} edges\n{'ms':14}" + "".join(
        f"{what:>14}" for what in ("conversion", "distances", "of all nodes", "betweenness")))
    for name, row in seconds.items():
        print(f"{name:14}" + "".join(f"{statistics.median(times) * 1e3:14.2f}" for times in row))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--peers"] and len(sys.argv) in (2, 4):
        peers(*map(int, sys.argv[2:] or (2_000, 20_000)))
    elif len(sys.argv) == 2:
        main(sys.argv[1])
    else:
        sys.exit(__doc__)

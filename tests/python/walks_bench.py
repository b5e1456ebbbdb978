#!/usr/bin/env python3
"""walks_bench.py - how long the package takes for distances, parents and a histogram of all nodes.

Usage: walks_bench.py GRAPH               prints JSON: a source that reaches more than half of the
                                          nodes, and a target that none reaches, by number
       walks_bench.py GRAPH SOURCE THREADS      prints JSON: the nodes that it reaches, and of each
                                          question the seconds, a median of five; arrays are given back
It needs the library of a build: POINTER_WARS_LIBRARY.
"""
import json
import pathlib
import statistics
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python" / "src"))
import pointer_wars  # noqa: E402

TIMES = 5


def facts(graph):
    """What is asked of this graph, and its size."""
    reached = ((node, sum(graph.histogram(node))) for node in graph)
    found = {"nodes": len(graph), "edges": graph.edge_count}
    for node, count in reached:
        found.setdefault("source" if 2 * count > len(graph) else "target", node)
        if len(found) == 4:
            return found
    raise SystemExit("walks_bench.py: no node reaches more than half of the others, or all do")


def seconds(call, source):
    def once():
        begin = time.perf_counter()
        call(source)
        return time.perf_counter() - begin

    return statistics.median(once() for _ in range(TIMES))


def main(place, source=None, threads="1"):
    graph = pointer_wars.load(place)
    if source is None:
        found = facts(graph)
    else:
        with graph._searching(None) as search:  # the next call takes it again
            search.threads(int(threads))
        found = {name: seconds(getattr(graph, name), int(source))
                 for name in ("distances", "parents", "histogram")}
        found["reached"] = sum(graph.histogram(int(source)))
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])

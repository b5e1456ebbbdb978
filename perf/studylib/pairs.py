"""Times 100 pairs in NetworKit, for peers.py: EDGES PAIRS, both of ids from 0. Prints per pair the edges of
a shortest path and the seconds. Its search from both ends (BidirectionalBFS) is the peer of ours."""
import pathlib
import sys
import time

import networkit


def main(edges, pairs):
    networkit.setNumberOfThreads(1)
    reader = networkit.graphio.EdgeListReader(" ", 0, "#", continuous=True, directed=True)
    graph = reader.read(edges)
    for line in pathlib.Path(pairs).read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        source, target = map(int, line.split())
        begin = time.perf_counter()
        search = networkit.distance.BidirectionalBFS(graph, source, target)
        search.run()
        path = search.getPath()
        seconds = time.perf_counter() - begin
        hops = search.getDistance()
        print(int(hops) if hops < graph.numberOfNodes() else -1, len(path), seconds)


if __name__ == "__main__":
    main(*sys.argv[1:])

#!/usr/bin/env python3
"""test_library_networkx.py - NetworkX as judge of libpwgraph: distances, all shortest paths, their
number, paths that are one edge longer, nodes to avoid, and components, on 500 random graphs.

PW_BUILD is the build; PW_TEST_SEED=N repeats a run. Skipped (77) without NetworkX, and in a build
whose libraries a plain Python cannot load.
"""
import ctypes
import os
import pathlib
import random
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from random_share import random_share  # noqa: E402

GRAPHS = 500
NONE = 0xffffffff
U32 = ctypes.c_uint32


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


try:
    import networkx
except ImportError:
    skip("networkx is not installed (package python3-networkx)")


class Paths(ctypes.Structure):
    """struct pwgraph_paths"""
    _fields_ = [("hops", U32), ("node_count", ctypes.c_size_t), ("nodes", ctypes.POINTER(U32)),
                ("levels", ctypes.POINTER(ctypes.c_size_t)),
                ("link_begins", ctypes.POINTER(ctypes.c_size_t)), ("links", ctypes.POINTER(U32)),
                ("count", ctypes.c_char_p), ("count_at_most", ctypes.c_uint64)]


def load_library():
    path = pathlib.Path(os.environ["PW_BUILD"]) / "lib/libpwgraph.so"
    if os.environ.get("PW_SANITIZE"):
        skip("a sanitizer's library needs its run-time library first")
    if not path.exists():
        skip("the libraries are static archives in this build")
    library = ctypes.CDLL(str(path))
    pointer, size = ctypes.c_void_p, ctypes.c_size_t
    for name, result, arguments in [
            ("from_edges", pointer, [pointer, pointer, ctypes.c_uint64, ctypes.c_uint,
                                     ctypes.c_uint64, pointer, pointer]),
            ("components", ctypes.c_bool, [pointer, ctypes.c_int, pointer, size, pointer, pointer,
                                           pointer]),
            ("free", None, [pointer]), ("search_create", pointer, [pointer, ctypes.c_char_p]),
            ("search_free", None, [pointer]),
            ("search_avoid", ctypes.c_bool, [pointer, pointer, size, pointer]),
            ("search_pairs", ctypes.c_bool, [pointer, pointer, pointer, size, ctypes.c_uint,
                                             pointer, pointer]),
            ("search_distances", ctypes.c_bool, [pointer, U32, ctypes.c_int, pointer, pointer,
                                                 size, pointer]),
            ("search_all_paths", ctypes.POINTER(Paths), [pointer, U32, U32, pointer]),
            ("search_longer_paths", ctypes.POINTER(Paths), [pointer, U32, U32, U32, pointer]),
            ("paths_list", ctypes.c_uint64, [ctypes.POINTER(Paths), ctypes.c_uint64, pointer,
                                             size]),
            ("paths_free", None, [ctypes.POINTER(Paths)])]:
        function = getattr(library, "pwgraph_" + name)
        function.restype, function.argtypes = result, arguments
    return library


def array(values):
    return (U32 * max(len(values), 1))(*values)


def check(condition, *what):
    if not condition:
        print("failed:", *what)
        sys.exit(1)


def check_distances(library, search, judge, node, nodes):
    found, parents = array([0] * nodes), array([0] * nodes)
    for direction, graph in enumerate([judge, judge.reverse(copy=False)]):
        wanted = networkx.single_source_shortest_path_length(graph, node) if node in graph else {}
        wanted = dict(wanted)
        check(library.pwgraph_search_distances(search, node, direction, found, parents, nodes,
                                               None), "distances")
        check(list(found[:nodes]) == [wanted.get(u, NONE) for u in range(nodes)], "distances",
              direction, node)
        for u in set(wanted) - {node}:
            check(graph.has_edge(parents[u], u) and wanted[parents[u]] == wanted[u] - 1, "parents")


def check_paths(library, search, judge, source, target):
    """All shortest paths of a pair, one by one."""
    try:
        wanted = sorted(networkx.all_shortest_paths(judge, source, target))
    except (networkx.NetworkXNoPath, networkx.NodeNotFound):
        wanted = []
    paths = library.pwgraph_search_all_paths(search, source, target, None)
    check(bool(paths), "all paths")
    hops = len(wanted[0]) - 1 if wanted else NONE
    check(paths.contents.hops == hops, "hops", source, target)
    check(int(paths.contents.count) == len(wanted), "the number of paths", source, target)
    if wanted:
        room = array([0] * (len(wanted) * (hops + 1)))
        rows = library.pwgraph_paths_list(paths, len(wanted), room, len(room))
        found = [list(room[i * (hops + 1):(i + 1) * (hops + 1)]) for i in range(rows)]
        check(sorted(found) == wanted, "the paths", source, target)
    library.pwgraph_paths_free(paths)
    return hops


def check_longer(library, search, judge, source, target, hops):
    """All paths of a pair that are one edge longer than the shortest; hops: of the shortest."""
    wanted = []
    if hops != NONE:
        around = networkx.all_simple_paths(judge, source, target, cutoff=hops + 1)
        wanted = sorted(path for path in around if len(path) == hops + 2)
    paths = library.pwgraph_search_longer_paths(search, source, target, 1, None)
    check(bool(paths), "longer paths")
    check(paths.contents.hops == (hops + 1 if wanted else NONE), "longer hops", source, target)
    check(int(paths.contents.count) == len(wanted), "the number of longer paths", source, target)
    check(paths.contents.count_at_most == len(wanted), "their number at most", source, target)
    room = array([0] * (len(wanted) * (hops + 2)))
    rows = library.pwgraph_paths_list(paths, len(wanted), room, len(room))
    found = [list(room[i * (hops + 2):(i + 1) * (hops + 2)]) for i in range(rows)]
    check(sorted(found) == wanted, "the longer paths", source, target)
    library.pwgraph_paths_free(paths)
    return len(wanted)


def check_components(library, graph, judge):
    """The components of both kinds, as sets of nodes."""
    nodes, count = len(judge), U32(0)
    found = array([0] * nodes)
    for connection, wanted in enumerate([networkx.weakly_connected_components(judge),
                                         networkx.strongly_connected_components(judge)]):
        check(library.pwgraph_components(graph, connection, found, nodes, ctypes.byref(count), None,
                                         None), "components")
        sets = [set() for _ in range(count.value)]
        for node in range(nodes):
            sets[found[node]].add(node)
        check(sorted(map(sorted, sets)) == sorted(map(sorted, wanted)), "components", connection)


def check_graph(library, generator):
    nodes = generator.randint(2, 30)
    edges = [(generator.randrange(nodes), generator.randrange(nodes))
             for _ in range(generator.randrange(nodes * 4))]
    if generator.random() < .25:  # undirected
        edges += [(v, u) for u, v in edges]
    sources, targets = array([u for u, _ in edges]), array([v for _, v in edges])
    graph = library.pwgraph_from_edges(sources, targets, len(edges), 32, nodes, None, None)
    search = library.pwgraph_search_create(graph, None, None)
    check(graph and search, "the graph")
    judge = networkx.DiGraph()
    judge.add_nodes_from(range(nodes))
    judge.add_edges_from(edges)
    check_components(library, graph, judge)
    for avoided in [[], generator.sample(range(nodes), generator.randint(1, 1 + nodes // 4))]:
        check(library.pwgraph_search_avoid(search, array(avoided), len(avoided), None), "avoid")
        judge.remove_nodes_from(avoided)
        check_distances(library, search, judge, generator.randrange(nodes), nodes)
        pairs = [generator.sample(range(nodes), 2) for _ in range(6)]
        wanted = [check_paths(library, search, judge, u, v) for u, v in pairs]
        for (u, v), hops in zip(pairs, wanted):
            check_longer(library, search, judge, u, v, hops)
        hops = array([0] * len(pairs))
        check(library.pwgraph_search_pairs(search, array([u for u, _ in pairs]),
                                           array([v for _, v in pairs]), len(pairs), 2, hops,
                                           None), "pairs")
        check(list(hops) == wanted, "pairs", pairs)
    library.pwgraph_search_free(search)
    library.pwgraph_free(graph)


def main():
    seed = int(os.environ.get("PW_TEST_SEED", time.time_ns()))
    print(f"PW_TEST_SEED={seed}", flush=True)
    library, generator = load_library(), random.Random(seed)
    for _ in range(random_share(GRAPHS)):
        check_graph(library, generator)


main()

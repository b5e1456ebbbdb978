"""The backend pointer_wars of NetworkX: its functions for unweighted shortest paths.

NetworkX finds it by an entry point and passes a Graph: a loaded one as it is, or the one that
convert_from_nx made of its own graph and that it keeps until that graph changes. A view is
converted for each call. A function has the arguments, results and exceptions of NetworkX's function
of the same name.

1. A pair is one question to the library.
2. Distances are one search of the library.
3. Visit order: the library's search in the order of a queue, with the node that each was found
   from. It is NetworkX's, as neighbours keep their order.
4. Eccentricities and mean distances of all nodes are 512 searches at once (Graph.reach); diameter,
   radius and center are a few searches (Graph.diameter).

All pairs take a search per node, because their distances are wanted one by one.
"""
from __future__ import annotations

import itertools
import math
import operator
import os
from typing import (Any, Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Set,
                    Tuple, Type)

import networkx

from pointer_wars_networkx import FUNCTIONS

from . import _native, networkx_components, networkx_measures
from ._native import NONE, ArgumentError
from .graph import Graph
from .networkx_nodes import (backwards, chosen_nodes, every_node, lengths, must_find, must_have,
                             must_start, nearest_first, number_of)
from .networkx_unweighted import NO_WEIGHTS, unweighted

Step = Tuple[int, List[int]]  # a node, and the nodes that were first found from it

SMALL = 10_000  # nodes and edges of a graph for which converting costs more than it saves


# What runs --------------------------------------------------------------------------------------

RULES = (  # functions, an argument, its place, what fits, and why nothing else does
    ("shortest_path shortest_path_length all_shortest_paths eccentricity diameter radius center "
     "periphery betweenness_centrality", "weight", 3, (None,), NO_WEIGHTS),
    ("average_shortest_path_length", "weight", 1, (None,), NO_WEIGHTS),
    ("closeness_centrality harmonic_centrality", "distance", 2, (None,), NO_WEIGHTS),
    ("harmonic_centrality", "sources", 3, (None,), "every node is a source here"),
    ("average_shortest_path_length", "method", 2, (None, "unweighted"), "there is one method here"),
    ("bfs_edges bfs_tree", "sort_neighbors", 4, (None,), "neighbours have the graph's order here"),
    ("bfs_predecessors bfs_successors", "sort_neighbors", 3, (None,),
     "neighbours have the graph's order here"),
    ("eccentricity", "sp", 2, (None,), "with given distances there is nothing to search"),
    ("diameter radius center periphery", "e", 1, (None,),
     "with given eccentricities there is nothing to search"),
    ("diameter radius center periphery", "usebounds", 2, (False,),
     "the bounds are always used here"),
)
UNFIT = {name: [rule[1:] for rule in RULES if name in rule[0].split()] for name in FUNCTIONS}
ALL_NODES = {"all_pairs_shortest_path", "all_pairs_shortest_path_length",
             "average_shortest_path_length", "betweenness_centrality", "center",
             "closeness_centrality", "diameter", "eccentricity", "harmonic_centrality", "periphery",
             "radius"}


class Refused(ArgumentError, NotImplementedError):
    """What cannot run. NetworkX goes on with another backend, unless this one was named: then the
    reason reaches the user, while of a reason that can_run returned there is only a log."""


def refused(kind: Type[ArgumentError], reason: str) -> str:
    """Raise a reason, or return it to NetworkX's own tests, which expect that."""
    if "NETWORKX_TEST_BACKEND" in os.environ:
        return reason
    raise kind(reason)


def can_run(name: str, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Any:
    """True if these arguments are supported, else Refused. ArgumentError for weights where only a
    Graph is there to ask, so that NetworkX does not take every edge for 1."""
    graph: Any = args[0] if args else kwargs["G"]
    for argument, place, fit, reason in UNFIT[name]:
        value = args[place] if len(args) > place else kwargs.get(argument, fit[0])
        if value is not fit[0] and not (isinstance(value, str) and value in fit):
            is_last = reason == NO_WEIGHTS and isinstance(graph, Graph)
            return refused(ArgumentError if is_last else Refused, f"{argument}: {reason}")
    return True


def should_run(name: str, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Any:
    """True if a graph of NetworkX is worth converting, else the reason as a text. Converting costs
    about as much as one search of the whole graph in Python; then it is kept."""
    graph: Any = args[0] if args else kwargs["G"]
    if isinstance(graph, Graph):
        return True
    if (getattr(graph, "__networkx_cache__", None) or {}).get("backends", {}).get("pointer_wars"):
        return True
    if name not in ALL_NODES and is_view(graph):
        return "a view is converted again for each call, which costs as much as a search"
    if name not in ALL_NODES and len(graph) + graph.number_of_edges() < SMALL:
        return f"a graph with fewer than {SMALL:,} nodes and edges is searched as fast as converted"
    return True


def is_view(graph: Any) -> bool:
    """True for a view of another graph of NetworkX: reverse(copy=False), subgraph and the like."""
    return getattr(graph, "_graph", None) is not None


def convert_from_nx(graph: Any, *, edge_attrs: Optional[Dict[str, Any]] = None,
                    node_attrs: Optional[Dict[str, Any]] = None, preserve_edge_attrs: bool = False,
                    preserve_node_attrs: bool = False, preserve_graph_attrs: bool = False,
                    name: Optional[str] = None, graph_name: Optional[str] = None) -> Graph:
    """A graph of NetworkX as a Graph, from memory; its nodes are the keys. Attributes are left out:
    no function here needs them. A view is not kept: NetworkX forgets what it keeps of a graph that
    changes, but not what it keeps of the graph's views."""
    if is_view(graph):
        graph.__networkx_cache__ = None  # as NetworkX has it for a graph of which nothing is kept
    if edge_attrs or node_attrs or preserve_edge_attrs or preserve_node_attrs:
        raise NotImplementedError("pointer_wars keeps no attributes of nodes and edges")
    return Graph._of_networkx(graph)


def convert_to_nx(result: Any, *, name: Optional[str] = None) -> Any:
    """A Graph as a graph of NetworkX; any other result as it is. Where weights were left out it is
    one that refuses to be asked for them."""
    if not isinstance(result, Graph):
        return result
    return result.to_networkx(unweighted(result.directed) if result._left_out else None)


# Pairs ------------------------------------------------------------------------------------------

def ask(graph: Graph, source: Any, target: Any, wants_path: bool) -> Any:
    """The nodes of a shortest path, or their hops; None if there is no path. NodeNotFound. From a
    node to itself there is nothing to go."""
    first = must_have(graph, source, "Source {} is not in G")
    last = must_have(graph, target, "Target {} is not in G")
    if first == last:
        return (first,) if wants_path else 0
    if graph._keys is None:
        return graph._ask(first, last, (), None, None, wants_path)
    return graph._ask(source, target, (), None, None, wants_path)


def bidirectional_shortest_path(G: Graph, source: Any, target: Any) -> List[Any]:
    """A shortest path as a list of nodes. NodeNotFound; NetworkXNoPath."""
    nodes = ask(G, source, target, True)
    if nodes is None:
        raise networkx.NetworkXNoPath(f"No path between {source} and {target}.")
    return G._keys_of(nodes)


def has_path(G: Graph, source: Any, target: Any) -> bool:
    """True if there is a path. NodeNotFound. None is any node, to which there is a path."""
    if source is None or target is None:
        for key, end in ((source, "Source"), (target, "Target")):
            if key is not None:
                must_have(G, key, end + " {} not in G")
        return True
    return ask(G, source, target, False) is not None


def check(method: str) -> None:
    """ValueError for a method that NetworkX does not have; without weights they are one."""
    if method not in ("dijkstra", "bellman-ford"):
        raise ValueError(f"method not supported: {method}")


def shortest_path(G: Graph, source: Any = None, target: Any = None, weight: None = None,
                  method: str = "dijkstra") -> Any:
    """A path as a list; without a source or target a dict of paths; without both an iterator of
    pairs of a node and such a dict. NodeNotFound; NetworkXNoPath."""
    check(method)
    if source is None:
        return all_pairs_shortest_path(G) if target is None else single_target_shortest_path(
            G, target)
    return single_source_shortest_path(G, source) if target is None else (
        bidirectional_shortest_path(G, source, target))


def shortest_path_length(G: Graph, source: Any = None, target: Any = None, weight: None = None,
                         method: str = "dijkstra") -> Any:
    """The number of edges of a shortest path; without a source or target a dict of them; without
    both an iterator of pairs of a node and such a dict. NodeNotFound; NetworkXNoPath."""
    check(method)
    if source is None:
        return all_pairs_shortest_path_length(G) if target is None else (
            single_target_shortest_path_length(G, target))
    if target is None:
        return single_source_shortest_path_length(G, source)
    hops = ask(G, source, target, False)
    if hops is None:
        raise networkx.NetworkXNoPath(f"No path between {source} and {target}.")
    return hops


def all_shortest_paths(G: Graph, source: Any, target: Any, weight: None = None,
                       method: str = "dijkstra") -> Iterator[List[Any]]:
    """Every shortest path, made one by one. NodeNotFound at once; NetworkXNoPath with the first."""
    return paths_of(G, must_have(G, source, "Source {} not in G"), target)


def paths_of(graph: Graph, start: int, target: Any) -> Iterator[List[Any]]:
    """Every shortest path from a node with this number, made one by one."""
    hash(target)  # TypeError
    end = number_of(graph, target)
    if start == end:
        yield graph._keys_of([start])
        return
    paths = () if end is None else graph.paths(graph._asked(start), graph._asked(end))
    if not paths:
        raise networkx.NetworkXNoPath(f"Target {target} cannot be reached from given sources")
    for path in paths:
        yield graph._keys_of(path.nodes)


# Distances --------------------------------------------------------------------------------------

def hops_max(cutoff: Optional[float]) -> int:
    """The library's limit for a cutoff: hops are made while there are fewer."""
    if cutoff is None or cutoff >= NONE:
        return NONE
    return math.ceil(cutoff) if cutoff > 0 else 0


def single_source_shortest_path_length(G: Graph, source: Any, cutoff: Optional[float] = None
                                       ) -> Dict[Any, int]:
    """The distances from a node, nearest first. NodeNotFound."""
    return lengths(G, [must_have(G, source, "Source {} is not in G")], "from", hops_max(cutoff))


def single_target_shortest_path_length(G: Graph, target: Any, cutoff: Optional[float] = None
                                       ) -> Dict[Any, int]:
    """The distances to a node, nearest first. NodeNotFound."""
    start = must_have(G, target, "Target {} is not in G")
    return lengths(G, [start], backwards(G), hops_max(cutoff))


def all_pairs_shortest_path_length(G: Graph, cutoff: Optional[float] = None
                                   ) -> Iterator[Tuple[Any, Dict[Any, int]]]:
    """Each node with the distances from it."""
    for node in every_node(G):
        yield G.key(node), lengths(G, [node], "from", hops_max(cutoff))


def others(graph: Graph, start: int, direction: str) -> Set[Any]:
    """The other nodes with a path."""
    nodes, _ = nearest_first(graph, [start], direction)
    return set(graph._keys_of(nodes[1:]))


def descendants(G: Graph, source: Any) -> Set[Any]:
    """The other nodes to which there is a path. NetworkXError for no node."""
    return others(G, must_start(G, source), "from")


def ancestors(G: Graph, source: Any) -> Set[Any]:
    """The other nodes from which there is a path. NetworkXError for no node."""
    return others(G, must_start(G, source), backwards(G))


def descendants_at_distance(G: Graph, source: Any, distance: int) -> Set[Any]:
    """The nodes at a distance. NetworkXError for no node."""
    start = must_find(G, source)
    if not 0 <= distance < NONE or distance != int(distance):
        return set()
    nodes, begins = nearest_first(G, [start], "from", int(distance))
    return set(G._keys_of(nodes[begins[-2]:])) if len(begins) == distance + 2 else set()


def not_reached(graph: Graph) -> networkx.NetworkXError:
    """What to raise if a node is not reached."""
    return networkx.NetworkXError(
        "Found infinite path length because the digraph is not strongly connected"
        if graph.directed else
        "Found infinite path length because the graph is not connected")


def must_be_connected(graph: Graph) -> None:
    """NetworkXError if a node is not reached; ValueError if there is no node."""
    if len(graph) == 0:
        raise ValueError("a graph without nodes has no eccentricities")
    if not graph._is_strong():
        raise not_reached(graph)


def farthest(graph: Graph, nodes: Iterable[int]) -> List[int]:
    """The largest distance from each of some nodes. NetworkXError if a node is not reached."""
    reach = networkx_measures.reach_of(graph, nodes, "from")
    if any(reached < len(graph) for reached in reach.reached):
        raise not_reached(graph)
    return list(map(int, reach.eccentricity))


def eccentricity(G: Graph, v: Any = None, sp: None = None, weight: None = None) -> Any:
    """The largest distance from a node; of several, or of all (v is None), a dict. NetworkXError if
    a node is not reached."""
    if v is None:
        return dict(zip(G.keys(), farthest(G, every_node(G))))
    node = number_of(G, v)
    if node is not None:
        return farthest(G, [node])[0]
    nodes = chosen_nodes(G, v)
    return dict(zip(G._keys_of(nodes), farthest(G, nodes)))


def diameter(G: Graph, e: None = None, usebounds: bool = False, weight: None = None) -> int:
    """The largest eccentricity. NetworkXError if a node is not reached; ValueError without nodes."""
    must_be_connected(G)
    return G.diameter(component=True)


def radius(G: Graph, e: None = None, usebounds: bool = False, weight: None = None) -> int:
    """The smallest eccentricity. NetworkXError if a node is not reached; ValueError without
    nodes."""
    must_be_connected(G)
    return G.radius(component=True)


def center(G: Graph, e: None = None, usebounds: bool = False, weight: None = None) -> List[Any]:
    """The nodes with the smallest eccentricity. NetworkXError if a node is not reached;
    NetworkXPointlessConcept for an undirected graph without nodes, ValueError for a directed one."""
    if len(G) == 0 and not G.directed:
        raise networkx.NetworkXPointlessConcept("G has no nodes.")
    must_be_connected(G)
    return G.center()


def periphery(G: Graph, e: None = None, usebounds: bool = False, weight: None = None) -> List[Any]:
    """The nodes with the largest eccentricity. NetworkXError if a node is not reached."""
    found = eccentricity(G)
    largest = max(found.values())
    return [key for key, one in found.items() if one == largest]


def average_shortest_path_length(G: Graph, weight: None = None, method: Optional[str] = None
                                 ) -> float:
    """The mean distance of two nodes. NetworkXPointlessConcept if there are no nodes; NetworkXError
    if a node is not reached."""
    count = len(G)
    if count == 0:
        raise networkx.NetworkXPointlessConcept(
            "the null graph has no paths, thus there is no average shortest path length")
    if count == 1:
        return 0
    reach = G.reach()
    if any(reached < count for reached in reach.reached):
        raise networkx.NetworkXError("Graph is not strongly connected." if G.directed
                                     else "Graph is not connected.")
    return sum(map(int, reach.farness)) / (count * (count - 1))


# Visit order ------------------------------------------------------------------------------------

class Tree(NamedTuple):
    """The nodes in the order of the visits, the node that each was found from, and where each
    distance begins, the end included. What a start was found from has no meaning."""
    nodes: List[int]
    found_from: List[int]
    begins: List[int]


def tree_of(graph: Graph, starts: Sequence[int], direction: str, limit: Optional[float] = None
            ) -> Tree:
    """A breadth-first search. limit: only from nodes of a smaller depth."""
    with graph._levels(starts, direction, hops_max(limit), _native.QUEUE_TREE) as levels:
        begins = levels.bounds()
        return Tree(_native.numbers_at(levels.nodes, begins[-1]),
                    _native.numbers_at(levels.found_from, begins[-1]), begins)


def walked(tree: Tree) -> Iterator[Step]:
    """Each node that others are first found from, in the order of the visits, and the others."""
    first = tree.begins[1] if len(tree.begins) > 1 else 0
    steps = zip(tree.found_from[first:], tree.nodes[first:])
    for node, found in itertools.groupby(steps, operator.itemgetter(0)):
        yield node, [other for _, other in found]


def tree_paths(graph: Graph, start: int, direction: str, cutoff: Optional[float]
               ) -> Dict[Any, List[Any]]:
    """A shortest path from a node to each other, or "to" it from each other, nearest first. Each
    is listed from that node."""
    tree = tree_of(graph, [start], direction, cutoff)
    keys = graph._keys_of(tree.nodes)
    paths: Dict[int, List[Any]] = {start: keys[:1]}
    steps = zip(tree.nodes, tree.found_from, keys)
    next(steps)
    for node, parent, key in steps:
        paths[node] = [*paths[parent], key]
    return dict(zip(keys, paths.values()))


def single_source_shortest_path(G: Graph, source: Any, cutoff: Optional[float] = None
                                ) -> Dict[Any, List[Any]]:
    """A shortest path from a node to each other, nearest first. NodeNotFound."""
    return tree_paths(G, must_have(G, source, "Source {} not in G"), "from", cutoff)


def single_target_shortest_path(G: Graph, target: Any, cutoff: Optional[float] = None
                                ) -> Dict[Any, List[Any]]:
    """A shortest path to a node from each other, nearest first. NodeNotFound."""
    paths = tree_paths(G, must_have(G, target, "Target {} not in G"), backwards(G), cutoff)
    return {key: path[::-1] for key, path in paths.items()}


def all_pairs_shortest_path(G: Graph, cutoff: Optional[float] = None
                            ) -> Iterator[Tuple[Any, Dict[Any, List[Any]]]]:
    """Each node with a shortest path from it to each other."""
    for node in every_node(G):
        yield G.key(node), tree_paths(G, node, "from", cutoff)


def bfs_edges(G: Graph, source: Any, reverse: bool = False, depth_limit: Optional[int] = None,
              sort_neighbors: None = None) -> Iterator[Tuple[Any, Any]]:
    """The edges of the tree of a breadth-first search, in the order of the visits. NetworkXError
    for no node."""
    start = must_start(G, source)
    tree = tree_of(G, [start], backwards(G) if reverse else "from", depth_limit)
    keys = G._keys_of(tree.nodes)
    key_of = dict(zip(tree.nodes, keys))
    yield from zip(map(key_of.__getitem__, tree.found_from[1:]), keys[1:])


def bfs_tree(G: Graph, source: Any, reverse: bool = False, depth_limit: Optional[int] = None,
             sort_neighbors: None = None) -> Any:
    """The tree as a networkx.DiGraph, whose edges lead away from the source. NetworkXError for no
    node."""
    tree = networkx.DiGraph()
    tree.add_node(source)
    tree.add_edges_from(bfs_edges(G, source, reverse, depth_limit))
    return tree


def bfs_predecessors(G: Graph, source: Any, depth_limit: Optional[int] = None,
                     sort_neighbors: None = None) -> Iterator[Tuple[Any, Any]]:
    """Each node with the node that it was found from. NetworkXError for no node."""
    return ((child, node) for node, child in bfs_edges(G, source, depth_limit=depth_limit))


def bfs_successors(G: Graph, source: Any, depth_limit: Optional[int] = None,
                   sort_neighbors: None = None) -> Iterator[Tuple[Any, List[Any]]]:
    """Each node from which others were first found, with a list of these; at least the source.
    NetworkXError for no node."""
    start = must_start(G, source)
    is_alone = True
    for node, new in walked(tree_of(G, [start], "from", depth_limit)):
        yield G.key(node), G._keys_of(new)
        is_alone = False
    if is_alone:
        yield G.key(start), []


def bfs_layers(G: Graph, sources: Any) -> Iterator[List[Any]]:
    """The nodes by their distance from a node, or from the nearest of several. NetworkXError for no
    node."""
    layer = [sources] if number_of(G, sources) is not None else list(set(sources))
    starts = [must_find(G, key) for key in layer]
    if layer:
        yield layer
        tree = tree_of(G, starts, "from")
        for begin, end in zip(tree.begins[1:], tree.begins[2:]):
            yield G._keys_of(tree.nodes[begin:end])


# Further chapters: NetworkX looks for every function in this module --------------------------------

connected_components = networkx_components.connected_components
is_connected = networkx_components.is_connected
is_strongly_connected = networkx_components.is_strongly_connected
is_weakly_connected = networkx_components.is_weakly_connected
node_connected_component = networkx_components.node_connected_component
number_connected_components = networkx_components.number_connected_components
number_strongly_connected_components = networkx_components.number_strongly_connected_components
number_weakly_connected_components = networkx_components.number_weakly_connected_components
strongly_connected_components = networkx_components.strongly_connected_components
weakly_connected_components = networkx_components.weakly_connected_components
betweenness_centrality = networkx_measures.betweenness_centrality
closeness_centrality = networkx_measures.closeness_centrality
harmonic_centrality = networkx_measures.harmonic_centrality

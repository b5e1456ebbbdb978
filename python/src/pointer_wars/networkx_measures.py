"""The backend's functions that rate nodes, or the whole graph, by their distances; see
networkx_backend.py, which has those for eccentricities.

They need no distance of a single pair: how many nodes there are at each distance from a node is
enough (Graph.reach), or how many shortest paths pass it (Graph.betweenness).
"""
from __future__ import annotations

import math
from typing import Any, Dict, Iterable, List, Optional

import networkx

from . import _native
from .answers import Reach
from .graph import Graph
from .networkx_components import is_strongly_connected
from .networkx_nodes import backwards, chosen_nodes, every_node, lengths, must_have


def reach_of(graph: Graph, nodes: Iterable[int], direction: str) -> Reach:
    """The reach of some nodes."""
    return graph.reach([graph._asked(node) for node in nodes], direction=direction)


def closeness_centrality(G: Graph, u: Any = None, distance: None = None, wf_improved: bool = True
                         ) -> Any:
    """How near the nodes are that reach a node; of all nodes (u is None), a dict. NodeNotFound."""
    nodes = list(every_node(G)) if u is None else [must_have(G, u, "Source {} is not in G")]
    reach, others = reach_of(G, nodes, backwards(G)), len(G) - 1
    found: List[float] = []
    for reached, farness in zip(map(int, reach.reached), map(int, reach.farness)):
        closeness = (reached - 1.0) / farness if farness > 0 and others > 0 else 0.0
        found.append(closeness * ((reached - 1.0) / others) if wf_improved and closeness
                     else closeness)
    return found[0] if u is not None else dict(zip(G.keys(), found))


def harmonic_centrality(G: Graph, nbunch: Any = None, distance: None = None, sources: None = None
                        ) -> Dict[Any, float]:
    """The sum of 1 / distance from the other nodes; of all nodes, or of those in nbunch.
    NetworkXError for no node."""
    nodes = list(every_node(G)) if nbunch is None else sorted(set(chosen_nodes(G, nbunch)))
    return dict(zip(G._keys_of(nodes), map(float, reach_of(G, nodes, backwards(G)).harmonic)))


def must_have_nodes(graph: Graph) -> None:
    """NetworkXPointlessConcept for an undirected graph without nodes."""
    if len(graph) == 0 and not graph.directed:
        raise networkx.NetworkXPointlessConcept("G has no nodes.")


def barycenter(G: Graph, weight: None = None, attr: None = None, sp: None = None) -> List[Any]:
    """The nodes with the smallest sum of distances. NetworkXNoPath if a node is not reached."""
    must_have_nodes(G)
    reach = G.reach()
    if any(reached < len(G) for reached in reach.reached):
        raise networkx.NetworkXNoPath(
            f"Input graph {G} is disconnected, so every induced subgraph has infinite barycentricity.")
    least = min(map(int, reach.farness), default=0)
    return [key for key, farness in zip(G.keys(), reach.farness) if farness == least]


def wiener_index(G: Graph, weight: None = None) -> float:
    """The sum of the distances of all pairs; infinite if a node is not reached.
    NetworkXPointlessConcept if there are no nodes."""
    if not is_strongly_connected(G):  # of an undirected graph: connected
        return math.inf
    total = sum(map(int, G.reach().farness))
    return total if G.directed else total / 2


def global_efficiency(G: Graph) -> float:
    """The mean of 1 / distance of all pairs; 0 where there is no path."""
    pairs = len(G) * (len(G) - 1)
    return math.fsum(map(float, G.reach().harmonic)) / pairs if pairs else 0


def degrees(graph: Graph) -> List[int]:
    """The degree of each node, as NetworkX counts it: repeated edges once, a loop twice."""
    counts = [0] * graph.node_limit
    for node in every_node(graph):
        before = set(graph.in_neighbours_of(graph._asked(node)).tolist())
        for other in before:
            counts[other] += 1
        counts[node] += len(before) if graph.directed else node in before
    return counts[graph.first_node:]


def degree_centrality(G: Graph) -> Dict[Any, float]:
    """The degree of each node, divided by the number of other nodes."""
    if len(G) <= 1:
        return dict.fromkeys(G.keys(), 1)
    scale = 1.0 / (len(G) - 1.0)
    return {key: degree * scale for key, degree in zip(G.keys(), degrees(G))}


def number_of_isolates(G: Graph) -> int:
    """How many nodes have no edge."""
    return degrees(G).count(0)


def betweenness_centrality(G: Graph, k: Optional[int] = None, normalized: bool = True,
                           weight: None = None, endpoints: bool = False, seed: Any = None
                           ) -> Dict[Any, float]:
    """The share of the shortest paths of all pairs that pass each node; with k, of the pairs of so
    many random nodes with all nodes. ValueError if there are not as many."""
    keys, size = G.keys(), len(G)
    sampled = None
    if k is not None and k != size:
        sampled = networkx.utils.create_py_random_state(seed).sample(range(size), k)
    nodes = every_node(G) if sampled is None else [G.first_node + place for place in sampled]
    sums = G.betweenness([G._asked(node) for node in nodes], ends=endpoints)
    found = list(map(float, sums[G.first_node:]))
    others = size if endpoints else size - 1  # ends that a path through a node may have
    if others < 2:
        return dict(zip(keys, found))

    def scale(sources: int) -> float:
        """The factor of the sum over this number of sources. ZeroDivisionError if it is 0, as in
        NetworkX."""
        return (1 / (sources * (others - 1)) if normalized
                else others / (sources * (1 if G.directed else 2)))

    whole = scale(others if sampled is None else len(sampled))
    scales = [whole] * size
    if sampled is not None and not endpoints:  # no path from a source passes it
        for place in sampled:
            scales[place] = scale(len(sampled) - 1) if len(sampled) > 1 else math.nan
    return {key: value * factor for key, value, factor in zip(keys, found, scales)}


def multi_source_dijkstra_path_length(G: Graph, sources: Any, cutoff: Optional[float] = None,
                                      weight: Any = "weight") -> Dict[Any, int]:
    """The distance of each node from the nearest of several, nearest first. NodeNotFound;
    ValueError if there is no source."""
    if not sources:
        raise ValueError("sources must not be empty")
    starts = [must_have(G, key, "Node {} not found in graph") for key in sources]
    limit = _native.NONE if cutoff is None or cutoff >= _native.NONE else max(math.floor(cutoff), 0)
    return lengths(G, starts, "from", limit)

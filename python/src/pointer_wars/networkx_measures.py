"""The backend's functions that rate nodes by their distances; see networkx_backend.py, which has
those for eccentricities.

They need no distance of a single pair: how many nodes there are at each distance from a node is
enough (Graph.reach), or how many shortest paths pass it (Graph.betweenness).
"""
from __future__ import annotations

import math
from typing import Any, Dict, Iterable, List, Optional

import networkx

from .answers import Reach
from .graph import Graph
from .networkx_nodes import backwards, chosen_nodes, every_node, must_have


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

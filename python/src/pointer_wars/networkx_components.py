"""The backend's functions for connected components; see networkx_backend.py.

NetworkX refuses a directed graph for the functions of undirected ones, and the other way round,
before it calls these.
"""
from __future__ import annotations

from typing import Any, Iterator, List, Set

import networkx

from ._native import UnknownNode
from .graph import Graph


def sets_of(graph: Graph, connection: str) -> Iterator[Set[Any]]:
    """The components as sets of keys, in the order of their numbers."""
    count, found = graph.components(connection)
    members: List[List[Any]] = [[] for _ in range(count)]
    numbers: Any = found[graph.first_node:]
    for key, number in zip(graph.keys(), numbers.tolist()):
        members[number].append(key)
    return map(set, members)


def is_one(graph: Graph, connection: str) -> bool:
    """True if all nodes are in one component. NetworkXPointlessConcept if there is no node."""
    if len(graph) == 0:
        raise networkx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return graph.components(connection)[0] == 1


def connected_components(G: Graph) -> Iterator[Set[Any]]:
    """The components of an undirected graph, by their first node."""
    yield from sets_of(G, "weak")


def number_connected_components(G: Graph) -> int:
    """How many components there are."""
    return G.components("weak")[0]


def is_connected(G: Graph) -> bool:
    """True if there is one component. NetworkXPointlessConcept if there is no node."""
    return is_one(G, "weak")


def node_connected_component(G: Graph, n: Any) -> Set[Any]:
    """The component of a node. KeyError for no node."""
    try:
        node = G.node(n)
    except UnknownNode:
        raise KeyError(n) from None
    numbers: Any = G.components("weak")[1]
    first, number = G.first_node, numbers[node]
    same = [other for other, one in enumerate(numbers[first:].tolist(), first) if one == number]
    return set(G.keys(same))


def weakly_connected_components(G: Graph) -> Iterator[Set[Any]]:
    """The components of a directed graph whose edges may be followed both ways, by their first
    node."""
    yield from sets_of(G, "weak")


def number_weakly_connected_components(G: Graph) -> int:
    """How many components there are."""
    return G.components("weak")[0]


def is_weakly_connected(G: Graph) -> bool:
    """True if there is one component. NetworkXPointlessConcept if there is no node."""
    return is_one(G, "weak")


def strongly_connected_components(G: Graph) -> Iterator[Set[Any]]:
    """The strong components of a directed graph; no component leads to a later one."""
    yield from sets_of(G, "strong")


def number_strongly_connected_components(G: Graph) -> int:
    """How many components there are."""
    return G.components("strong")[0]


def is_strongly_connected(G: Graph) -> bool:
    """True if there is one component. NetworkXPointlessConcept if there is no node."""
    return is_one(G, "strong")

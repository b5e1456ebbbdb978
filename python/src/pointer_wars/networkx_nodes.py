"""The nodes of the backend's functions; see networkx_backend.py.

The user's name for a node is its key, and a node is a number.
"""
from __future__ import annotations

import itertools
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple

import networkx

from ._native import ANY_ORDER, NONE, UnknownNode, numbers_at
from .graph import Graph


def number_of(graph: Graph, key: Any) -> Optional[int]:
    """The number of a node; None for what is no node."""
    try:
        return graph._index.get(key) if graph._index is not None else graph.node(key)
    except (UnknownNode, TypeError):
        return None


def must_have(graph: Graph, key: Any, text: str) -> int:
    """The number of a node; NodeNotFound with this text for a key that is no node."""
    node = number_of(graph, key)
    if node is None:
        raise networkx.NodeNotFound(text.format(key))
    return node


def must_find(graph: Graph, key: Any) -> int:
    """The number of a node; NetworkXError for a key that is no node, as other functions raise."""
    node = number_of(graph, key)
    if node is None:
        raise networkx.NetworkXError(f"The node {key} is not in the graph.")
    return node


def must_start(graph: Graph, key: Any) -> int:
    """The number of a node; NetworkXError, which names the kind of graph, for a key that is no
    node, and TypeError for a key that is not hashable."""
    hash(key)
    node = number_of(graph, key)
    if node is None:
        kind = "digraph" if graph.directed else "graph"
        raise networkx.NetworkXError(f"The node {key} is not in the {kind}.")
    return node


def every_node(graph: Graph) -> Iterable[int]:
    """All nodes."""
    return range(graph.first_node, graph.node_limit)


def backwards(graph: Graph) -> str:
    """The direction against the edges; an undirected graph has one direction only."""
    return "to" if graph.directed else "from"


def is_hashable(key: Any) -> bool:
    """True if it can be a key."""
    try:
        hash(key)
    except TypeError:
        return False
    return True


def chosen_nodes(graph: Graph, keys: Any) -> List[int]:
    """The nodes that NetworkX's nbunch names: a node, or, of several keys, the nodes among them.
    NetworkXError for what cannot be one."""
    node = number_of(graph, keys)
    if node is not None:
        return [node]
    try:
        keys = list(keys)
        chosen = [number_of(graph, key) for key in keys]
    except TypeError:
        raise networkx.NetworkXError(f"Node {keys} is not in the graph.") from None
    for key, node in zip(keys, chosen):
        if node is None and not is_hashable(key):
            raise networkx.NetworkXError(f"Node {key} in sequence nbunch is not a valid node.")
    return [node for node in chosen if node is not None]


def nearest_first(graph: Graph, starts: Sequence[int], direction: str, limit: int = NONE
                  ) -> Tuple[List[int], List[int]]:
    """The nodes at a distance of at most `limit` hops, nearest first, and the places where each
    distance begins and the last one ends."""
    with graph._levels(starts, direction, limit, ANY_ORDER) as levels:
        begins = levels.bounds()
        return numbers_at(levels.nodes, begins[-1]), begins


def lengths(graph: Graph, starts: Sequence[int], direction: str, limit: int) -> Dict[Any, int]:
    """The distance, by key, of each node that is at most `limit` hops away, nearest first."""
    nodes, begins = nearest_first(graph, starts, direction, limit)
    hops = (itertools.repeat(hop, end - begin)
            for hop, (begin, end) in enumerate(zip(begins, begins[1:])))
    return dict(zip(graph._keys_of(nodes), itertools.chain.from_iterable(hops)))

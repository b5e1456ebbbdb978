"""Graphs of NetworkX made of a Graph whose weights were left out.

NetworkX takes an edge without a weight for one of weight 1. That is right for a graph that never had
weights; for one that had, the answer would be wrong without a word. So the edges of these graphs
refuse to be asked for an attribute.
"""
from __future__ import annotations

from typing import Any, Dict, NoReturn, Type

import networkx

from ._native import ArgumentError

NO_WEIGHTS = "edges have no weights here"


def refuse(attribute: object) -> NoReturn:
    """Raise why an edge does not have an attribute."""
    raise ArgumentError(f"{attribute}: {NO_WEIGHTS}; they were left out when the graph was made")


class Attributes(Dict[Any, Any]):
    """The attributes of an edge: only what NetworkX has set since; any other is refused."""
    __slots__ = ()

    def __missing__(self, attribute: object) -> NoReturn:
        refuse(attribute)

    def __contains__(self, attribute: object) -> bool:
        return super().__contains__(attribute) or refuse(attribute)

    def get(self, attribute: Any, default: Any = None) -> Any:
        return self[attribute]


class Unweighted:
    """What makes the edges of a graph and of its copies refuse to be asked for weights."""
    edge_attr_dict_factory = Attributes

    def to_directed_class(self) -> Type[Any]:
        return UnweightedDiGraph

    def to_undirected_class(self) -> Type[Any]:
        return UnweightedGraph


class UnweightedGraph(Unweighted, networkx.Graph):  # type: ignore[misc]
    """A graph whose edges refuse to be asked for weights."""


class UnweightedDiGraph(Unweighted, networkx.DiGraph):  # type: ignore[misc]
    """A digraph whose edges refuse to be asked for weights."""


def unweighted(directed: bool) -> Type[Any]:
    """The class for a Graph."""
    return UnweightedDiGraph if directed else UnweightedGraph

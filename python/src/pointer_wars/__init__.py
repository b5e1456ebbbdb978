"""Shortest paths in large graphs: Pointer Wars for Python.

>>> import pointer_wars
>>> graph = pointer_wars.load("data/sample/borders.tsv")
>>> print(graph.path("Laos", "Poland"))
Laos -> China -> Russia -> Poland
>>> graph.hops("Laos", "Poland"), graph.path_count("Laos", "Poland")
(3, 1)
>>> graph.histogram("Laos")[:4]
(1, 5, 15, 16)

Graph has the questions; NONE in an array means no node or no path.
"""
from __future__ import annotations

from ._native import (ENGINES, NONE, ArgumentError, Cancelled, InputError, NoFile, NotWritten,
                      OutOfMemory, PointerWarsError, TimedOut, UnknownNode, VERSION)
from .answers import Counts, Histogram, Path, Paths, Reach
from .graph import Graph, PointerWarsWarning

load = Graph.load

__version__ = VERSION
__all__ = ["ENGINES", "NONE", "ArgumentError", "Cancelled", "Counts", "Graph", "Histogram",
           "InputError", "NoFile", "NotWritten", "OutOfMemory", "Path", "Paths", "PointerWarsError",
           "PointerWarsWarning", "Reach", "TimedOut", "UnknownNode", "load"]

for _class in (ArgumentError, Cancelled, Counts, Graph, Histogram, InputError, NoFile, NotWritten,
               OutOfMemory, Path, Paths, PointerWarsError, PointerWarsWarning, Reach, TimedOut,
               UnknownNode):
    _class.__module__ = __name__

"""What a graph answers: a path, all shortest paths of a pair, the number of nodes per distance."""
from __future__ import annotations

import itertools
import math
import sys
from typing import (TYPE_CHECKING, Any, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union,
                    Type, TypeVar, overload)

from . import _native, drawing
from ._native import NONE, PathGraph, PathsOwner, library
from .nodes import Nodes

if TYPE_CHECKING:
    from ._native import Floats, Numbers32, Numbers64


K = TypeVar("K", bound="Keys")


class Counts(NamedTuple):
    """What a search looked at."""
    nodes: int      #: whose neighbours were looked at
    edges: int      #: entries of their adjacency lists
    seconds: float  #: of the search alone


class Reach(NamedTuple):
    """What each of many nodes reaches, or what reaches it: an array per fact, an entry per node."""
    reached: Numbers32       #: nodes, the node itself included (uint32); 0 for one to avoid
    eccentricity: Numbers32  #: the distance of the farthest of them (uint32)
    farness: Numbers64       #: the sum of the distances of all of them (uint64)
    harmonic: Floats         #: the sum of 1 / distance of the others (float64)


class Keys(Sequence[Any]):
    """The keys of some nodes, looked up when they are asked for: their names, or numbers where nodes
    have no names. It equals a list of the same keys; list() makes one.

    nodes: the numbers of the nodes.
    """
    __slots__ = ("graph", "nodes", "__weakref__")

    def __init__(self, graph: Nodes, nodes: Sequence[int]) -> None:
        """A sequence of numbers of nodes."""
        self.graph = checked(graph)
        self.nodes: Tuple[int, ...] = tuple(graph._numbers(nodes))

    @classmethod
    def _of(cls: Type[K], graph: Nodes, nodes: Tuple[int, ...]) -> K:
        """Of nodes that the library gave, which need no check."""
        made = cls.__new__(cls)
        made.graph, made.nodes = graph, nodes
        return made

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (self.graph, self.nodes)

    def __len__(self) -> int:
        return len(self.nodes)

    @overload
    def __getitem__(self, place: int) -> Any: ...
    @overload
    def __getitem__(self, place: slice) -> List[Any]: ...

    def __getitem__(self, place: Any) -> Any:
        chosen = self.nodes[place]
        return self.graph.keys(chosen) if isinstance(place, slice) else self.graph.key(chosen)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.graph._keys_of(self.nodes))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Keys) and other.graph is self.graph:
            return self.nodes == other.nodes
        return isinstance(other, (Keys, list, tuple)) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({list(self)})"


class Path(Keys):
    """A path, as the sequence of its nodes' keys. In a notebook it shows as a drawing.

    hops: the number of its edges. nodes: a tuple of numbers.

    >>> graph = Graph.from_edges([0, 1, 2], [1, 2, 0], names=["a", "b", "c"])
    >>> path = graph.path("a", "c")
    >>> path
    Path(['a', 'b', 'c'])
    >>> print(path, path.hops, path.nodes, path[-1])
    a -> b -> c 2 (0, 1, 2) c
    """
    __slots__ = ()

    @property
    def hops(self) -> int:
        """The number of its edges."""
        return len(self.nodes) - 1

    def __str__(self) -> str:
        return " -> ".join(self.graph.label(node) for node in self.nodes)

    def _repr_svg_(self) -> str:
        """The drawing; of a long path only its ends."""
        nodes, half = self.nodes, drawing.COLUMNS // 2
        titles = [[self.graph.label(node)] for node in nodes[:half] + nodes[-half:]
                  ] if len(nodes) > 2 * half else [[self.graph.label(node)] for node in nodes]
        if len(nodes) > 2 * half:
            titles[half:half] = [[f"{len(nodes) - 2 * half:,} more"]]
        links = [(column, 0, 0) for column in range(1, len(titles))]
        return drawing.layers(titles, [1] * len(titles), links, str(self)[:200])


class Paths:
    """All shortest paths of a pair, or all that are longer by a number of edges, as the graph they form.

    Iterating gives each Path, at most `limit` of them if a limit was given, in the order of the
    nodes' numbers, read from the target's end. They are made one by one: a graph of a thousand
    nodes may have more paths than there are atoms.

    hops: edges of each path; None if there is no path. longer: how many more than a shortest one.
    count: how many paths there are, exactly; math.inf for more than 3.4e38 (2^128 - 1). len() is the
    number that iterating gives. digits: the same as a text, or "more than 3.4e38". counts: what the search looked at.
    nodes: the nodes of all paths, by the edges from the source, then by number (uint32).
    levels: nodes[levels[d]:levels[d + 1]] come after d edges (uint64, hops + 2 entries).
    link_begins, links: links lead to nodes[p] from the nodes at the places
    links[link_begins[p]:link_begins[p + 1]] (uint64 and uint32). These arrays are not copied.

    >>> graph = Graph.from_edges([0, 0, 1, 2], [1, 2, 3, 3])
    >>> paths = graph.paths(0, 3)
    >>> paths
    <2 shortest paths of 2 hops from 0 to 3>
    >>> [path.nodes for path in paths]
    [(0, 1, 3), (0, 2, 3)]
    """
    __slots__ = ("graph", "source", "target", "limit", "longer", "hops", "count", "digits",
                 "counts", "nodes", "levels", "link_begins", "links", "_owner", "__weakref__")

    def __init__(self, graph: Nodes, ends: Tuple[int, int], owner: PathsOwner,
                 limit: Optional[int], counts: Counts, longer: int = 0) -> None:
        """Of the package: Graph.paths finds them."""
        if not isinstance(owner, PathsOwner) or not owner:
            raise TypeError("Graph.paths gives all paths of a pair")
        found = PathGraph.from_address(int(owner))
        self.graph = checked(graph)
        self.source, self.target = ends
        self.limit, self.longer = limit, longer
        self.hops: Optional[int] = None if found.hops == NONE else int(found.hops)
        self.digits = str(found.count, "ascii")
        self.count: Union[int, float] = int(self.digits) if self.digits.isdigit() else math.inf
        self.counts = counts
        size = found.node_count if self.hops is not None else 0
        self.nodes = _native.view(owner, found.nodes, size, "I")
        self.levels = _native.view(owner, found.levels, found.hops + 2 if size else 0, "Q")
        self.link_begins = _native.view(owner, found.link_begins, size + 1 if size else 0, "Q")
        self.links = _native.view(owner, found.links,
                                  int(self.link_begins[size]) if size else 0, "I")
        self._owner = owner

    def __copy__(self) -> Paths:
        return self

    def __deepcopy__(self, _: object) -> Paths:
        return self

    def __bool__(self) -> bool:
        return self.count > 0

    def __len__(self) -> int:
        count = self.count if self.limit is None else min(self.count, self.limit)
        if isinstance(count, float):
            raise OverflowError(f"{self.digits} paths are not a length")
        return count

    def __iter__(self) -> Iterator[Path]:
        return itertools.islice(self._all(), self.limit)

    def _all(self) -> Iterator[Path]:
        """Every path: back from the target along the links, depth first."""
        if self.hops is None:
            return
        begins, links = self.link_begins, self.links
        row, place = [0] * (self.hops + 1), len(self.nodes) - 1
        row[-1] = int(self.nodes[place])
        ways: List[Iterator[Any]] = [iter(links[int(begins[place]):int(begins[place + 1])])]
        while ways:
            before = next(ways[-1], None)
            if before is None:
                ways.pop()
                continue
            place = int(before)
            row[self.hops - len(ways)] = int(self.nodes[place])
            if len(ways) == self.hops:
                yield Path._of(self.graph, tuple(row))
            else:
                ways.append(iter(links[int(begins[place]):int(begins[place + 1])]))

    def rows(self, limit: Optional[int] = None) -> Any:
        """The first paths as numbers of nodes, written by the library: an array of uint32 with the
        shape (paths, hops + 1). limit: of paths; MemoryError if they do not fit into memory."""
        if self.hops is None:
            return self.nodes.reshape(0, 0)
        wanted, width = self.count, self.hops + 1
        for most in (self.limit, limit):
            if most is not None:
                wanted = min(wanted, _native.natural(most, "limit", sys.maxsize))
        if isinstance(wanted, float) or wanted * width * 4 > sys.maxsize:
            raise _native.OutOfMemory("so many paths do not fit into memory")
        numbers, address = _native.room(wanted * width)
        written = library.pwgraph_paths_list(self._owner, wanted, address, wanted * width)
        if written != wanted:
            raise _native.OutOfMemory(_native.TEXTS[2])
        return numbers.reshape(wanted, width)

    def __repr__(self) -> str:
        ends = f"from {self.graph.label(self.source)} to {self.graph.label(self.target)}"
        if self.hops is None:
            return f"<no path {ends}{' that is one edge longer' * (self.longer > 0)}>"
        amount = f"{self.count:,}" if isinstance(self.count, int) else self.digits
        kind = "longer" if self.longer > 0 else "shortest"
        return f"<{amount} {kind} path{'s' * (self.count > 1)} of {self.hops} hops {ends}>"

    def _repr_svg_(self) -> str:
        """The graph of the paths, a column per distance."""
        columns, sizes, links = [], [], []
        levels = [int(begin) for begin in self.levels[:drawing.COLUMNS + 1]]
        for column, (begin, end) in enumerate(zip(levels, levels[1:])):
            shown = range(begin, min(end, begin + drawing.ROWS))
            columns.append([self.graph.label(int(self.nodes[place])) for place in shown])
            sizes.append(end - begin)
            for place in shown:
                for k in range(int(self.link_begins[place]), int(self.link_begins[place + 1])):
                    links.append((column, int(self.links[k]) - levels[column - 1], place - begin))
        return drawing.layers(columns, sizes, links, repr(self))


class Histogram(Tuple[int, ...]):
    """How many nodes have each distance: entry d is the number at distance d, a Python int; the
    first entry is the node itself. unreached: the number of nodes without a path.

    >>> graph = Graph.from_edges([0, 0, 1], [1, 2, 3], node_count=5)
    >>> graph.histogram(0), graph.histogram(0).unreached
    (Histogram((1, 2, 1)), 1)
    """
    unreached: int
    title: str

    def __new__(cls, counts: Sequence[int], unreached: int, title: str) -> Histogram:
        made = super().__new__(cls, counts)
        made.unreached = unreached
        made.title = title
        return made

    def __getnewargs__(self) -> Tuple[Tuple[int, ...], int, str]:
        return tuple(self), self.unreached, self.title

    def __repr__(self) -> str:
        return f"Histogram({tuple(self)})"

    @property
    def mean(self) -> float:
        """The mean distance of the other nodes that are reached; NaN if no other is."""
        others = sum(self[1:])
        return sum(d * count for d, count in enumerate(self)) / others if others else float("nan")

    def plot(self, axes: Any = None) -> Any:
        """Draw it with matplotlib, which must be installed (ImportError). axes: where; None: the
        current ones. Returns the axes."""
        if axes is None:
            from matplotlib import pyplot
            axes = pyplot.gca()
        axes.bar(range(len(self)), self)
        axes.set(xlabel="distance in hops", ylabel="nodes", title=self.title)
        return axes

    def _repr_svg_(self) -> str:
        return drawing.bars(self[:200], self.title)


def checked(graph: Any) -> Nodes:
    """A graph; TypeError for anything else."""
    if not isinstance(graph, Nodes):
        raise TypeError(f"graph: expected a Graph, not {type(graph).__name__}")
    return graph

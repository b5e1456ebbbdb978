"""The words of NetworkX and igraph for what a graph has; others say what they are called here."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator, List, Mapping, NoReturn, Tuple, Union

from ._native import ArgumentError
from .nodes import Nodes

ABSENT: Any = type("Absent", (), {"__repr__": lambda self: "..."})()  #: an argument left out
CALLED = {
    "shortest_path": "graph.path(source, target)",
    "all_shortest_paths": "graph.paths(source, target)",
    "shortest_path_length": "graph.hops(source, target)",
    "has_path": "graph.hops(source, target) is not None",
    "add_edge": "nothing changes a graph; Graph.from_edges makes one",
    "add_node": "nothing changes a graph; Graph.from_edges makes one",
    "vcount": "len(graph)",
    "ecount": "graph.number_of_edges()",
}  #: a word, and what it is called here


def refuse_weight(weight: Any) -> NoReturn:
    """Raise why a question with weights has no answer here."""
    raise ArgumentError(f"weight: {weight!r} cannot be used, because edges have no weights here; a "
                        "path has as few edges as there can be")


class Listed(List[Any]):
    """A list that may be called, as NetworkX's G.nodes and G.nodes() are one."""
    __slots__ = ()

    def __call__(self) -> Listed:
        return self


class Adjacency(Mapping[Any, List[Any]]):
    """Each key of a graph with the keys of the nodes to which it leads, looked up when asked for."""
    __slots__ = ("graph",)

    def __init__(self, graph: Familiar) -> None:
        self.graph = graph

    def __getitem__(self, key: Any) -> List[Any]:
        return self.graph[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.graph)

    def __len__(self) -> int:
        return len(self.graph)


class Familiar(Nodes):
    """The nodes and arrays of a graph, by words that people know.

    >>> graph = Graph.from_edges([("a", "b"), ("a", "c")])
    >>> graph.nodes, graph.edges, graph["a"]
    (['a', 'b', 'c'], [('a', 'b'), ('a', 'c')], ['b', 'c'])
    >>> graph.order(), graph.size(), graph.degree("a"), graph.has_edge("b", "a")
    (3, 2, 2, False)
    >>> graph.predecessors("b"), graph.reverse().edges, graph.subgraph(["a", "c"]).edges
    (['a'], [('b', 'a'), ('c', 'a')], [('a', 'c')])
    """
    __slots__ = ()

    if not TYPE_CHECKING:  # else every attribute would have a type
        def __getattr__(self, name: str) -> NoReturn:
            """AttributeError that says what a word of others is called here."""
            hint = f"; here it is: {CALLED[name]}" if name in CALLED else ""
            raise AttributeError(f"a Graph has no attribute {name!r}{hint}")

    def __getitem__(self, key: Any) -> List[Any]:
        """The keys of the nodes to which a node leads; neighbours_of has their numbers."""
        return self._keys_of(self.neighbours_of(key).tolist())

    @property
    def adj(self) -> Adjacency:
        """Each key with the keys of the nodes to which it leads."""
        return Adjacency(self)

    def neighbors(self, key: Any) -> List[Any]:
        """As graph[key]."""
        return self[key]

    def successors(self, key: Any) -> List[Any]:
        """As graph[key]."""
        return self[key]

    def predecessors(self, key: Any) -> List[Any]:
        """The keys of the nodes that lead to a node; in_neighbours_of has their numbers."""
        return self._keys_of(self.in_neighbours_of(key).tolist())

    @property
    def nodes(self) -> Listed:
        """The keys of all nodes, as keys() has them."""
        return Listed(self.keys())

    @property
    def edges(self) -> Listed:
        """A pair of keys per edge, in the order of the lists; of an undirected graph each edge is
        there once. 100 bytes per edge."""
        keys, first = self.keys(), self._first_node
        return Listed((keys[node - first], keys[other - first]) for node, other in self._edges())

    def _edges(self) -> Iterator[Tuple[int, int]]:
        """The edges by number; of an undirected graph each one once."""
        offsets, neighbours = self.offsets, self.neighbours
        for node in range(self._first_node, self._node_limit):
            for other in map(int, neighbours[int(offsets[node]):int(offsets[node + 1])]):
                if self._directed or node <= other:
                    yield node, other

    def number_of_nodes(self) -> int:
        """As len()."""
        return len(self)

    def order(self) -> int:
        """As len()."""
        return len(self)

    def number_of_edges(self) -> int:
        """Edges, repeats and loops included: edge_count, but of an undirected graph each edge
        counts once, which takes a look at all edges."""
        return self._edge_count if self._directed else sum(1 for _ in self._edges())

    def size(self) -> int:
        """As number_of_edges()."""
        return self.number_of_edges()

    def degree(self, key: Any = ABSENT, weight: None = None) -> Union[int, List[Tuple[Any, int]]]:
        """The number of edges from and to a node, a loop counts twice; without a node, as a list of
        pairs, each key with its number. weight: refused in words."""
        if weight is not None:
            refuse_weight(weight)
        if key is ABSENT or key is None and key not in self:
            return [(key, self._degree(node)) for node, key in
                    enumerate(self.keys(), self._first_node)]
        return self._degree(self.node(key))

    def _degree(self, node: int) -> int:
        offsets, in_offsets = self.offsets, self.in_offsets
        begin, end = int(offsets[node]), int(offsets[node + 1])
        if not self._directed:
            return end - begin + sum(int(other) == node for other in self.neighbours[begin:end])
        return end - begin + int(in_offsets[node + 1]) - int(in_offsets[node])

    def has_node(self, key: Any) -> bool:
        """As `key in graph`."""
        return key in self

    def has_edge(self, source: Any, target: Any) -> bool:
        """True if an edge leads from a node to another one; False for what is no node."""
        return source in self and target in self and self.node(target) in map(
            int, self.neighbours_of(source))

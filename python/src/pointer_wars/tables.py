"""A graph from and to tables of pandas and graphs of igraph, edges between texts, and names saved."""
from __future__ import annotations

import contextlib
import os
import pathlib
import tempfile
from typing import Any, Callable, Dict, Hashable, Iterator, List, Optional, Tuple, TypeVar

from ._native import NONE, ArgumentError, InputError
from .convert import BYTES
from .familiar import Familiar
from .nodes import Nodes

N = TypeVar("N", bound=Nodes)


def refuse_other(value: Any) -> None:
    """TypeError, with the way in, for what is a graph of another package but no path of a file."""
    for attribute, way in (("columns", "Graph.from_pandas(table, source=..., target=...)"),
                           ("get_edgelist", "Graph.from_igraph(graph)"),
                           ("adjacency", "Graph.from_networkx(graph)"),
                           ("tocsr", "Graph.from_scipy(matrix)")):
        if hasattr(value, attribute):
            raise TypeError(f"load: a path, not {type(value).__name__}; {way} makes a graph of it")


# Edges between keys -----------------------------------------------------------------------------

def has_texts(row: Any) -> bool:
    """True if an entry of a row or column is a text."""
    kind = getattr(getattr(row, "dtype", None), "kind", "O")
    if kind in "biufcmM" or isinstance(row, (str, *BYTES)) or not hasattr(row, "__len__"):
        return False
    return any(isinstance(key, str) for key in row)


def refuse_keys(*rows: Any) -> None:
    """TypeError, with the ways in, for a row that has keys which are neither numbers nor texts."""
    for row in rows:
        for key in row if isinstance(row, (list, tuple)) else ():
            if isinstance(key, (tuple, list, dict, set, frozenset)):
                raise TypeError(f"from_edges: {key!r} is neither a number nor a text; Graph.from_networkx and "
                                "Graph.from_pandas take keys of any kind, and names= gives some to "
                                "numbered nodes")


def is_missing(key: Any) -> bool:
    """True for an entry of a table that is empty: None, NaN, NaT, NA."""
    try:
        return key is None or bool(key != key)
    except TypeError:
        return True


def numbered(sources: Any, targets: Any, only_texts: bool) -> Tuple[List[int], List[int], List[Any]]:
    """The edges by numbers, which the keys get as they occur, and the keys. only_texts: refuse
    anything else."""
    rows = [row.tolist() if hasattr(row, "tolist") else list(row) for row in (sources, targets)]
    if len(rows[0]) != len(rows[1]):
        raise ArgumentError(f"sources and targets: {len(rows[0])} and {len(rows[1])} nodes")
    index: Dict[Hashable, int] = {}
    found: Tuple[List[int], List[int]] = [], []
    for place, ends in enumerate(zip(*rows)):
        for row, key, what in zip(found, ends, ("source", "target")):
            node = index.get(key)
            if node is None:
                if is_missing(key) or only_texts and not isinstance(key, str):
                    way = "; table.dropna() leaves out rows without one" if is_missing(key) else ""
                    raise ArgumentError(f"{what} of edge {place}: {key!r} is no "
                                        f"{'text' if only_texts else 'node'}{way}")
                node = index[key] = len(index)
            row.append(node)
    return (*found, list(index))


def column(table: Any, name: Any) -> Any:
    """A column of a table of pandas, or one that is like it."""
    if not hasattr(table, "columns") or not hasattr(table, "__getitem__"):
        raise TypeError(f"expected a table of pandas, not {type(table).__name__}")
    if name not in table.columns:
        raise ArgumentError(f"the table has no column {name!r}; it has "
                            f"{', '.join(map(repr, table.columns))}")
    return table[name]


def has_weights(table: Any) -> bool:
    """True if a table has a column "weight" in which an entry is not 1."""
    return "weight" in table.columns and any(weight != 1 for weight in table["weight"].tolist())


# Out --------------------------------------------------------------------------------------------

def to_pandas(graph: Familiar, source: str, target: str) -> Any:
    """See Graph.to_pandas."""
    import pandas
    rows = graph.edges
    return pandas.DataFrame({source: [row[0] for row in rows], target: [row[1] for row in rows]})


def from_igraph(graph: Any) -> Tuple[List[int], List[int], int, Optional[List[Any]], bool]:
    """The edges of a graph of igraph, its number of nodes, their names, and whether it has
    weights."""
    if not hasattr(graph, "get_edgelist") or not hasattr(graph, "vcount"):
        raise TypeError(f"expected a graph of igraph, not {type(graph).__name__}")
    pairs = graph.get_edgelist()
    names = list(graph.vs["name"]) if "name" in graph.vs.attributes() else None
    weights = graph.es["weight"] if "weight" in graph.es.attributes() else []
    return ([pair[0] for pair in pairs], [pair[1] for pair in pairs], graph.vcount(), names,
            any(weight != 1 for weight in weights))


def to_igraph(graph: Familiar) -> Any:
    """See Graph.to_igraph."""
    import igraph
    first = graph.first_node
    made = igraph.Graph(n=len(graph), directed=graph.directed,
                        edges=[(node - first, other - first) for node, other in graph._edges()])
    keys = graph.keys()
    if keys != list(range(first, graph.node_limit)):
        made.vs["name"] = keys
    return made


# Names ------------------------------------------------------------------------------------------

def write_texts(graph: Nodes, names: List[str], folder: str) -> Tuple[str, str]:
    """Write the edges and the names, each with its number, as texts into a folder: their paths."""
    places = os.path.join(folder, "edges.txt"), os.path.join(folder, "names.tsv")
    offsets, neighbours = graph.offsets, graph.neighbours
    with open(places[0], "w", encoding="ascii") as file:
        for node in range(graph.node_limit):
            row = neighbours[int(offsets[node]):int(offsets[node + 1])]
            file.write("".join([f"{node}\t{other}\n" for other in row]))
    with open(places[1], "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
        for node, name in enumerate(names, graph.first_node):
            file.write(f"{node}\t{name.replace('%', '%25')}\n")  # names are read URL-decoded
    return places


@contextlib.contextmanager
def named(graph: Nodes, load: Callable[[str, str], N]) -> Iterator[N]:
    """The same graph with names that the library has, for as long as it is wanted; ArgumentError
    for a name that it cannot keep."""
    names = graph.labels(range(graph.first_node, graph.node_limit))
    if len(set(names)) != len(names):
        raise ArgumentError("two keys have one text, and a file has only texts")
    if not graph.edge_count:
        raise ArgumentError("a graph with names in memory and without edges cannot be saved")
    with tempfile.TemporaryDirectory() as folder:
        try:
            edges_file, names_file = write_texts(graph, names, folder)
            again = load(edges_file, names_file)
        except (InputError, UnicodeError) as why:
            raise ArgumentError(f"a name cannot be saved: {why}") from None
        for key, text in zip(again.keys() if len(again) == len(names) else [NONE], names):
            if key != text:
                raise ArgumentError(f"the name {text!r} cannot be saved: a name in a file is not "
                                    "empty, has no tab and no end of line, and no blank before it")
        with again:
            yield again


# Files again ------------------------------------------------------------------------------------

class Origin:
    """The file of a loaded graph, and how it was opened, to open it again elsewhere."""
    __slots__ = ("place", "options", "size")

    def __init__(self, place: bytes, options: Dict[str, Any]) -> None:
        self.place, self.options = place, options
        self.size: Optional[int] = None
        with contextlib.suppress(OSError, ValueError):
            if pathlib.Path(os.fsdecode(place)).is_file():
                self.place = os.path.abspath(place)
                self.size = os.stat(place).st_size
        if options["names"] is not None:
            options["names"] = os.path.abspath(os.fsdecode(options["names"]))

    def key(self) -> Tuple[Any, ...]:
        """What makes two graphs the same."""
        return (self.place, self.size, *sorted(self.options.items(), key=lambda item: item[0]))

    def check(self) -> None:
        """InputError if the file is another now."""
        try:
            size: Optional[int] = os.stat(self.place).st_size
        except OSError:
            return  # load says what is wrong
        if size != self.size:
            raise InputError(f"{os.fsdecode(self.place)} has changed since the graph was loaded")

"""A graph from and to the structures of other packages, and rows of nodes for the library."""
from __future__ import annotations

import array
import contextlib
import ctypes
import itertools
import numbers
import operator
import os
import sys
import threading
from typing import (Any, Callable, ContextManager, Dict, Hashable, Iterable, List, Optional, Tuple,
                    Union)

import numpy

from . import _native
from ._native import NONE, ArgumentError, Row, numbers_of
from .answers import Path, Reach
from .nodes import Nodes
from .search import Search


# Progress ---------------------------------------------------------------------------------------

class Shown:
    """How far a load has come: a bar of tqdm, a line on standard error, or a function's."""

    def __init__(self, wanted: Union[bool, Callable[[Dict[str, Any]], object]],
                 flag: ctypes.c_int) -> None:
        self.call = wanted if callable(wanted) else None
        self.flag = flag
        self.raised: Optional[BaseException] = None
        self.bar: Any = None
        self.wrote = False
        if wanted and self.call is None:
            try:
                from tqdm.auto import tqdm
                self.bar = tqdm(unit="B", unit_scale=True, leave=False)
            except ImportError:
                pass

    def update(self, _: Any, progress: Any) -> None:
        """Called by the library, in the thread that loads. What it raises ends the load."""
        try:
            now = progress.contents
            phase = now.phase.decode()
            if self.call is not None:
                self.call({"phase": phase, "bytes_done": now.bytes_done,
                           "bytes_total": now.bytes_total or None, "edges": now.edges,
                           "seconds": now.seconds})
            elif self.bar is not None:
                self.bar.set_description(phase)
                self.bar.total = now.bytes_total or None
                self.bar.update(now.bytes_done - self.bar.n)
            else:
                sys.stderr.write(f"\r{phase}: {now.bytes_done / 1e6:,.0f} MB, {now.edges:,} edges")
                self.wrote = True
        except BaseException as why:
            self.raised = why
            self.flag.value = 1

    def __enter__(self) -> Shown:
        return self

    def __exit__(self, kind: object, value: object, trace: object) -> None:
        if self.bar is not None:
            self.bar.close()
        if self.wrote:
            sys.stderr.write("\n")
        if self.raised is not None and kind is None:
            raise self.raised


# Rows of nodes ----------------------------------------------------------------------------------

BYTES = (bytes, bytearray)  # rows of numbers for Python, and no nodes here


def is_many(value: Any, index: Optional[Dict[Hashable, int]]) -> bool:
    """True if this is not one node but a row of them. A text is one node, and so is a key."""
    if isinstance(value, (str, int)) or getattr(value, "ndim", 1) == 0:
        return False
    if index is not None:
        with contextlib.suppress(TypeError):
            return value not in index and hasattr(value, "__iter__")
    return hasattr(value, "__iter__")


def columns(pairs: Any) -> Tuple[Any, Any]:
    """The sources and the targets of pairs: an array or a table of pandas with two columns, or a
    sequence of pairs."""
    if hasattr(pairs, "iloc") and getattr(pairs, "ndim", 0) == 2 and pairs.shape[1] == 2:
        return pairs.iloc[:, 0], pairs.iloc[:, 1]
    if isinstance(pairs, numpy.ndarray):
        if pairs.size == 0:
            return pairs.ravel(), pairs.ravel()
        if pairs.ndim != 2 or pairs.shape[1] != 2:
            raise ArgumentError(f"pairs: expected the shape (n, 2), found {pairs.shape}")
        return pairs[:, 0], pairs[:, 1]
    rows = list(pairs)
    if isinstance(pairs, dict) or any(isinstance(row, dict) for row in rows):
        raise TypeError("pairs: a dict is not a pair of nodes; Graph.from_pandas(pandas.DataFrame(rows)) "
                        "takes rows that are dicts, Graph.from_networkx(networkx.DiGraph(lists)) a "
                        "dict of lists")
    if any(isinstance(row, BYTES) for row in rows):
        raise TypeError("pairs: bytes are not a pair of nodes")
    if any(isinstance(row, str) or len(row) != 2 for row in rows):
        raise ArgumentError("pairs: expected two nodes each")
    return [row[0] for row in rows], [row[1] for row in rows]


def as_long(row: Row, count: int) -> Row:
    """A row of nodes as it is; a row of one node is repeated `count` times, as numpy does."""
    if row[2] == count or row[2] != 1:
        return row
    node: int = _native.U32.from_address(row[1]).value
    return numbers_of(numpy.full(count, node, "I"), "nodes")


def nodes_of(graph: Nodes, row: Any) -> Row:
    """Nodes as numbers of 32 bits: an array of numbers is checked and, if it is of uint32, not
    copied; other rows hold keys, which are looked up one by one. One node is a row of one."""
    if isinstance(row, BYTES):
        raise TypeError("nodes: bytes are not nodes")
    _native.refuse_mask(row, "nodes")
    if not is_many(row, graph._index):
        row = [row]
    elif getattr(row, "ndim", 1) != 1:
        raise ArgumentError(f"nodes: expected one row of them, found the shape {row.shape}")
    kind = getattr(row, "typecode", None) or getattr(getattr(row, "dtype", None), "char", "")
    if graph._index is not None or kind not in tuple("bBhHiIlLqQ"):
        row = row.tolist() if hasattr(row, "tolist") else row
        return numbers_of(numpy.array([graph.node(key) for key in row], "I"), "nodes")
    data = numpy.asarray(row)
    if len(data):
        for node in (int(data.min()), int(data.max())):
            if not graph.first_node <= node < graph.node_limit:
                graph._unknown(node)
    return numbers_of(data if kind == "I" else data.astype("I"), "nodes")


def with_missing(found: Any, missing: Union[int, float]) -> Any:
    """Distances in wider numbers, with another one for NONE: int64, or float64 for a float."""
    if not isinstance(missing, float):
        missing = operator.index(missing)
        if not -2**63 <= missing < 2**63:
            raise ArgumentError(f"missing: {missing} does not fit into 64 bits")
    wide = found.astype(float if isinstance(missing, float) else "i8")
    wide[found == NONE] = missing
    return wide


def every_node(graph: Nodes) -> Row:
    """All nodes, as nodes_of has them."""
    first, limit = graph.first_node, graph.node_limit
    return numbers_of(numpy.arange(first, limit, dtype="u4"), "nodes")


def room_for_reach(count: int) -> Tuple[Any, int]:
    """Room for what the library writes, and its address."""
    table: Any = numpy.empty(count, _native.NodeReach)
    return table, table.ctypes.data


def reach_of(found: Any) -> Reach:
    """What the library wrote there, as four arrays."""
    return Reach(*(found[name].copy() for name in Reach._fields))


def many_paths(graph: Nodes, pairs: Tuple[Row, Row, int],
               searching: Callable[[], ContextManager[Search]],
               timeout: Optional[float], threads: int) -> List[Optional[Path]]:
    """One shortest path of each pair, by threads that each have a search. threads: 0: one per
    processor. timeout: of each search."""
    count, next_pair = pairs[2], itertools.count()
    paths: List[Optional[Path]] = [None] * count
    rows: List[Any] = [(_native.U32 * count).from_address(row[1]) if count else []
                       for row in pairs[:2]]
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    used = min(threads or processors, 1 + count // 64)
    raised: List[BaseException] = []
    stop = ctypes.c_int(0)
    flags = [stop]

    def ask() -> None:
        try:
            with searching() as search:
                flags.append(search.flag)
                for i in iter(next_pair.__next__, count):
                    if i > count or stop.value or raised:
                        break
                    hops = search.run(rows[0][i], rows[1][i], _native.deadline(timeout))
                    if hops != NONE:
                        paths[i] = Path._of(graph, search.path(hops))
        except BaseException as why:
            raised.append(why)

    def ask_all() -> None:
        helpers: List[threading.Thread] = []
        with contextlib.suppress(RuntimeError, MemoryError):  # then fewer threads do it
            for _ in range(used - 1):
                helper = threading.Thread(target=ask)
                helper.start()
                helpers.append(helper)
        ask()
        for helper in helpers:
            helper.join()

    _native.interruptibly(ask_all, flags)
    if raised:
        raise raised[0]
    return paths


# Other packages ---------------------------------------------------------------------------------

def scipy_lists(matrix: Any) -> Tuple[Any, Any, bool]:
    """Offsets and neighbours of a square sparse array of SciPy, and whether it has weights."""
    if not hasattr(matrix, "tocsr"):
        raise TypeError(f"expected a sparse array of SciPy, not {type(matrix).__name__}")
    rows = matrix.tocsr()
    if len(rows.shape) != 2 or rows.shape[0] != rows.shape[1]:
        raise ArgumentError(f"expected a square matrix, found the shape {rows.shape}")
    if rows.nnz != len(rows.indices):  # room at the end that no row uses
        rows = rows.copy()
        rows.prune()
    values = matrix.data if matrix.format == "coo" else rows.data  # tocsr() has added repeats up
    return rows.indptr, rows.indices, bool((values != 1).any())


def edges_of(starts: Row, ends: Row) -> Optional[Tuple[Any, Any]]:
    """The sources and the targets of lists of neighbours; None for offsets that are not valid."""
    offsets, targets = starts[0].astype("i8"), ends[0]
    counts = numpy.diff(offsets)
    if len(offsets) < 2 or counts.min() < 0 or offsets[0] != 0 or offsets[-1] != len(targets):
        return None
    return numpy.repeat(numpy.arange(len(counts), dtype=targets.dtype), counts), targets


def one_way(starts: Row, ends: Row) -> Optional[Tuple[Any, Any]]:
    """The edges of lists in which an edge is not there both ways, as often; else None."""
    edges = edges_of(starts, ends)
    if edges is None:
        return None  # the library says why
    sources, targets = (row.astype("u8") for row in edges)
    forth, back = sources << 32 | targets, targets << 32 | sources
    forth.sort()
    back.sort()
    return None if (forth == back).all() else edges


def to_scipy(graph: Nodes, copy: Optional[bool]) -> Any:
    """See Graph.to_scipy."""
    from scipy import sparse
    narrow = max(graph.edge_count, graph.node_limit) < 2**31
    kind: Any = numpy.int32 if narrow else numpy.int64
    offsets, neighbours = numpy.asarray(graph.offsets), numpy.asarray(graph.neighbours)
    made = sparse.csr_array((graph.node_limit, graph.node_limit), dtype=numpy.uint8)
    made.data = numpy.ones(graph.edge_count, numpy.uint8)
    made.indptr = offsets.astype(kind)
    is_canonical = copy is None and ascends(offsets, neighbours)
    made.indices = (neighbours.view(kind) if narrow and (is_canonical or copy is False)
                    else neighbours.astype(kind))
    if is_canonical:
        made.has_canonical_format = True  # so that SciPy never sorts in place
    return made


def ascends(offsets: Any, neighbours: Any) -> bool:
    """True if each adjacency list is ascending without repeats."""
    falls = numpy.flatnonzero(neighbours[1:] <= neighbours[:-1]) + 1
    return bool(numpy.isin(falls, offsets, assume_unique=False).all())


def networkx_lists(graph: Any) -> Tuple[List[Any], Row, Row]:
    """The nodes of a graph of NetworkX, and its offsets and neighbours."""
    if not hasattr(graph, "adjacency") or not hasattr(graph, "is_directed"):
        raise TypeError(f"expected a graph of NetworkX, not {type(graph).__name__}")
    keys = list(graph)
    index = {key: node for node, key in enumerate(keys)}
    return (keys, *lists_of(map(index.__getitem__, row) for _, row in graph.adjacency()))


def lists_of(rows: Iterable[Iterable[int]]) -> Tuple[Row, Row]:
    """The offsets and neighbours of the adjacency lists of all nodes; a list may have no len()."""
    offsets, neighbours = array.array("Q", [0]), array.array("I")
    for row in rows:
        neighbours.extend(row)
        offsets.append(len(neighbours))
    return numbers_of(offsets, ""), numbers_of(neighbours, "")


def has_weights(graph: Any) -> bool:
    """True if an edge of a graph of NetworkX has a weight that is not 1."""
    weights = (weight for _, _, weight in graph.edges(data="weight", default=1))
    return any(not isinstance(weight, numbers.Real) or float(weight) != 1 for weight in weights)


def to_networkx(graph: Nodes, create_using: Any) -> Any:
    """See Graph.to_networkx."""
    import networkx
    keys = graph.keys()
    if len(set(keys)) != len(keys):
        raise ArgumentError("several nodes have one name")
    if create_using is None:
        create_using = networkx.DiGraph if graph.directed else networkx.Graph
    if isinstance(create_using, Nodes):
        raise TypeError("create_using: a graph of NetworkX or its class, not a Graph")
    made = networkx.empty_graph(0, create_using)
    made.add_nodes_from(keys)
    first, offsets, neighbours = graph.first_node, graph.offsets, graph.neighbours
    for node, key in enumerate(keys, first):
        row: Iterable[Any] = neighbours[int(offsets[node]):int(offsets[node + 1])]
        made.add_edges_from((key, keys[int(other) - first]) for other in row)
    return made

"""A graph: loaded or made, and asked; nodes.py has what it keeps."""
from __future__ import annotations

import contextlib
import ctypes
import os
import sys
import warnings
import weakref
from typing import (TYPE_CHECKING, Any, Callable, Dict, Hashable, Iterator, List, MutableMapping,
                    Optional, Sequence, Tuple, Type, TypeVar, Union, overload)

from . import _native, convert, tables
from ._native import (ENGINES, NONE, U32, ArgumentError, Error, GraphOwner, InputError, NoFile,
                      Options, Row, decoded, failed, interruptibly, library, name_lock, natural,
                      room, text_of)
from .answers import Counts, Histogram, Path, Paths, Reach
from .convert import BYTES, is_many
from .familiar import ABSENT, Familiar, refuse_weight
from .nodes import key_list
from .search import SMALL_WORK, Search

if TYPE_CHECKING:
    from ._native import Floats, Numbers32

G = TypeVar("G", bound="Graph")
DIRECTIONS = {"from": 0, "to": 1}
CONNECTIONS = {"weak": 0, "strong": 1}


class PointerWarsWarning(UserWarning):
    """A remark of the library on a file that it read, or on what does not come along."""


class Graph(Familiar):
    """A directed graph in memory; nothing changes it.

    **Nodes.** The library numbers the nodes. A question takes a node as a str, its name (or, in
    digits, its id in the file), or as an int, its number. The key of a node is what answers have:
    its name, or its number if it has no name. If names were given in memory (`from_edges`,
    `from_networkx`), these are the keys, of any hashable type, and then an int is a key, too.
    Arrays always have numbers: entry u of `distances` is for the node with the number u.

    **Threads** may share a graph; each call that may take longer than a microsecond releases the
    lock of the interpreter; three that do not (`_native.QUICK`) keep it. Ctrl-C ends every call
    within milliseconds, loading within a second.

    **Errors** are PointerWarsError and, by their kind, also ValueError, KeyError (UnknownNode),
    MemoryError, OSError, TimeoutError; TypeError for what is no node or no number.

    >>> graph = Graph.from_edges([0, 1, 2], [1, 2, 0], names=["a", "b", "c"])
    >>> graph
    <pointer_wars.Graph: 3 nodes, 3 edges>
    >>> len(graph), "b" in graph, list(graph), graph.hops("a", "c")
    (3, True, ['a', 'b', 'c'], 2)
    >>> graph.path("a", "cc")
    Traceback (most recent call last):
    ...
    pointer_wars.UnknownNode: no node is called 'cc'; did you mean 'c'?
    """
    __slots__ = ("_searches", "_origin", "__networkx_cache__")
    __networkx_backend__ = "pointer_wars"  # NetworkX's functions take a Graph as it is

    def __init__(self, owner: GraphOwner, keys: Optional[Sequence[Hashable]] = None,
                 directed: bool = True, by_block: bool = False) -> None:
        """Of the package: Graph.load and Graph.from_... make a graph."""
        super().__init__(owner, keys, directed, by_block)
        self._searches: Dict[Optional[str], List[Search]] = {}
        self._origin: Optional[tables.Origin] = None  # of a graph from a file
        self.__networkx_cache__: Dict[str, Any] = {}  # the graph converted, for other functions

    def close(self) -> None:
        super().close()
        self._searches, self.__networkx_cache__ = {}, {}

    def is_directed(self) -> bool:
        """As in NetworkX: the attribute `directed`."""
        return self.directed

    def is_multigraph(self) -> bool:
        """As in NetworkX: False, because repeated edges change no answer."""
        return False
    # Made -------------------------------------------------------------------------------------

    @classmethod
    def load(cls: Type[G], path: Union[str, bytes, os.PathLike[str]], *,
             names: Union[None, str, os.PathLike[str]] = None, format: Optional[str] = None,
             cache: Union[None, bool, str, os.PathLike[str]] = None, memory_limit: int = 0,
             threads: int = 0, undirected: bool = False, reverse: bool = False,
             compact: bool = False, by_block: bool = False,
             columns: Union[None, str, Tuple[Union[str, int], Union[str, int]]] = None,
             progress: Union[bool, Callable[[Dict[str, Any]], object]] = False) -> G:
        """Load a graph from a file in any format that bfs reads, plain or compressed.

        path: the file; "-" is standard input. names: a file with a name per node. format: a name of
        `bfs --input-format`; None: by the content. cache: keep a snapshot of a text in this folder,
        True: in the user's. memory_limit: bytes; 0: what is free. threads: 0: one per processor.
        undirected: an entry is an edge both ways. reverse: an entry "u v" is the edge from v to u.
        compact: number the ids of edges 0, 1, 2, ... by_block: read and check a snapshot by
        block, when it is used, so that it opens at once; an array, or an answer with arrays, reads
        all, and a call that meets a bad block raises InputError. columns: the source and the target
        of a table, by heading or number from 1: ("from", "to"), (2, 3). progress: True for a bar
        (of tqdm if it is there), or a function that gets a dict with phase, bytes_done,
        bytes_total, edges, seconds.
        Raises InputError, NoFile if there is no file, OutOfMemory. A remark on the file is a
        PointerWarsWarning. While it waits for a pipe, only a second Ctrl-C ends it.
        """
        notes: List[str] = []
        flag = ctypes.c_int(0)
        tables.refuse_other(path)
        error, place = Error(), text_of(path, "path")
        options = made_options(flag, memory_limit, threads, undirected, reverse, compact)
        options.names = None if names is None else text_of(names, "names")
        options.format = None if format is None else text_of(format, "format")
        options.by_block = bool(by_block)
        if columns is not None and not isinstance(columns, str):
            columns = ",".join(map(str, columns))
        options.columns = None if columns is None else text_of(columns, "columns")
        if cache is not None and cache is not False:
            options.cache = b"" if cache is True else text_of(cache, "cache")
        options.note = _native.ON_NOTE(lambda _, text: notes.append(decoded(text)))
        with contextlib.ExitStack() as closing:
            shown = closing.enter_context(convert.Shown(progress, flag))
            if progress:
                options.progress = _native.ON_PROGRESS(shown.update)
            owner = interruptibly(lambda: GraphOwner(library.pwgraph_open(
                place, ctypes.byref(options), ctypes.byref(error)) or 0), [flag], True)
        for note in notes:
            warnings.warn(note, PointerWarsWarning, stacklevel=2)
        if not owner:
            if error.code == 3 and place != b"-" and not os.path.exists(place):
                raise NoFile(decoded(error.text))
            failed(error)
        made = cls(owner, directed=not undirected, by_block=bool(by_block))
        made._left_out = any("ignored" in note for note in notes)  # weights, or further columns
        made._origin = tables.Origin(place, {
            "names": names, "format": format, "cache": cache, "memory_limit": memory_limit,
            "threads": threads, "undirected": undirected, "reverse": reverse, "compact": compact,
            "by_block": by_block, "columns": columns})
        return made

    def __reduce_ex__(self, protocol: object) -> Tuple[Any, ...]:
        """Pickled as its file and options, and opened again where it is needed; in one process only
        once. TypeError for a graph that was made in memory."""
        del protocol
        _ = self.owner
        if self._origin is None or self._origin.size is None:
            raise TypeError("a graph that is not from a file cannot be pickled: save it, and load it "
                            "there")
        with name_lock:
            opened[self._origin.key()] = self
        return reopened, (type(self), self._origin.place, self._origin.size, self._origin.options,
                          (len(self), self.edge_count))

    @classmethod
    def from_edges(cls: Type[G], sources: Any, targets: Any = None, *, node_count: int = 0,
                   names: Optional[Sequence[Hashable]] = None, undirected: bool = False,
                   reverse: bool = False, compact: bool = False, memory_limit: int = 0,
                   threads: int = 0) -> G:
        """Make a graph from edges: sources[i] leads to targets[i]; or from_edges(pairs).

        sources, targets: rows of whole numbers, of the same length, the numbers of the nodes; or
        rows of texts, which are the keys then, numbered as they occur. pairs: as for hops.
        Arrays of 32 or 64 bits are read where they are, and may go afterwards. node_count: 0: one
        past the largest, or as many as names. names: a key per node, all different. The others: see
        load. Raises InputError for a number that is negative or too large, ArgumentError,
        OutOfMemory; TypeError for what is no whole number, or hidden by a mask.

        >>> Graph.from_edges([10, 20], [20, 30], compact=True).path("10", "30")
        Path([0, 1, 2])
        >>> list(Graph.from_edges([("b", "a"), ("a", "c")]))
        ['b', 'a', 'c']
        """
        if targets is None:
            sources, targets = convert.columns(sources)
        tables.refuse_keys(sources, targets)
        if tables.has_texts(sources) or tables.has_texts(targets):
            if names is not None or node_count or compact:
                raise ArgumentError("texts are the names: no names, node_count or compact besides")
            sources, targets, names = tables.numbered(sources, targets, True)
        flag, error = ctypes.c_int(0), Error()
        options = made_options(flag, memory_limit, threads, undirected, reverse, compact)
        if names is not None:
            names = key_list(names)
            if compact or node_count not in (0, len(names)):
                raise ArgumentError("names: a key per node, in the order of their numbers")
            node_count = len(names)
        first = _native.numbers_of(sources, "sources")
        second = _native.numbers_of(targets, "targets")
        if first[3] != second[3] and first[2] and second[2]:
            first, second = (_native.widened(numbers) for numbers in (first, second))
        if first[2] != second[2]:
            raise ArgumentError(f"sources and targets: {first[2]} and {second[2]} numbers")
        limit = natural(node_count, "node_count", 2**64 - 1)
        owner = interruptibly(lambda: GraphOwner(library.pwgraph_from_edges(
            first[1], second[1], first[2], first[3], limit, ctypes.byref(options),
            ctypes.byref(error)) or 0), [flag])
        return cls(owner or _native.failed_rows(error, (first, "sources"), (second, "targets")),
                   names, not undirected)

    @classmethod
    def from_csr(cls: Type[G], offsets: Any, neighbours: Any, *, copy: bool = False,
                 names: Optional[Sequence[Hashable]] = None, undirected: bool = False,
                 memory_limit: int = 0, threads: int = 0) -> G:
        """Make a graph from adjacency lists: node u leads to
        neighbours[offsets[u]:offsets[u + 1]].

        offsets: one entry more than there are nodes; neighbours: numbers of nodes. Unless copy is
        true, offsets of 64 bits and neighbours of 32 are used in place if they are arrays of numpy
        that own their memory. These become read-only, and stay so when the graph has gone: nothing
        may change them while it lives. Whoever makes them writeable, or writes through a view that
        was made before, breaks the graph: the next search may end the process. A view is used in
        place if all that it is a view of is read-only. Everything else is copied, other whole
        numbers are converted. undirected: an entry is an edge both ways; lists that have each edge
        both ways stay as they are, others are copied. Finding out takes 32 bytes per edge. names: a
        key per node. Raises InputError if an offset or a neighbour is out of range, ArgumentError,
        OutOfMemory; after an error, arrays are writeable again. Cost: the reverse adjacency, 4
        bytes per edge and 8 per node.
        """
        starts = _native.numbers_of(offsets, "offsets")
        ends = _native.numbers_of(neighbours, "neighbours")
        closed: List[Any] = []
        edges = convert.one_way(starts, ends) if undirected else None
        if edges is not None:
            return cls.from_edges(*edges, names=names, node_count=starts[2] - 1, undirected=True,
                                  memory_limit=memory_limit, threads=threads)
        try:
            if not copy:
                starts = _native.in_place(starts, 64, closed)
                ends = _native.in_place(ends, 32, closed)
            return cls._of_lists(starts, ends, not copy, names, not undirected, memory_limit,
                                 threads)
        except BaseException:
            for numbers in closed:
                numbers.flags.writeable = True
            raise

    @classmethod
    def _of_lists(cls: Type[G], starts: Row, ends: Row, lends: bool,
                  names: Optional[Sequence[Hashable]], directed: bool, memory_limit: int,
                  threads: int) -> G:
        """A graph of lists of neighbours. lends: the graph may use the arrays in place, because
        nothing else changes them."""
        flag, error = ctypes.c_int(0), Error()
        options = made_options(flag, memory_limit, threads, False, False, False)
        if starts[2] == 0:
            raise ArgumentError("offsets: empty; there is one entry more than nodes")
        last = (U32 if starts[3] == 32 else ctypes.c_uint64).from_address(
            starts[1] + (starts[2] - 1) * starts[3] // 8).value
        if last != ends[2]:
            raise InputError(f"offsets: the last one is not the number of neighbours, {ends[2]}")
        owner = interruptibly(lambda: GraphOwner(library.pwgraph_from_csr(
            starts[1], starts[3], ends[1], ends[3], starts[2] - 1, int(lends),
            ctypes.byref(options), ctypes.byref(error)) or 0), [flag])
        if not owner:
            _native.failed_rows(error, (starts, "offsets"), (ends, "neighbours"))
        if lends:
            owner = _native.LentGraph(owner, (starts[0], ends[0]))
        return cls(owner, names, directed)

    @classmethod
    def from_scipy(cls: Type[G], matrix: Any, *, copy: bool = False,
                   names: Optional[Sequence[Hashable]] = None, undirected: bool = False) -> G:
        """Make a graph from a square sparse array or matrix of SciPy: every stored entry (u, v), an
        explicit zero too, is an edge from u to v. undirected: see from_csr. Raises ArgumentError for another shape. A
        PointerWarsWarning if an entry is not 1, because edges have no weights here.

        The neighbours of a CSR array are used in place if from_csr can use them so. Then they are
        read-only, and what changes the matrix in place, such as m.eliminate_zeros(), is refused
        by SciPy. With copy=True the matrix stays as it is."""
        offsets, neighbours, has_weights = convert.scipy_lists(matrix)
        made = cls.from_csr(offsets, neighbours, copy=copy, names=names, undirected=undirected)
        return made._leaving_out(has_weights)

    def to_scipy(self, *, copy: Optional[bool] = None) -> Any:
        """The graph as a scipy.sparse.csr_array of the shape (node_limit, node_limit) with a 1
        (uint8) per edge; repeated edges are repeated entries, which SciPy adds up.

        copy: None shares the graph's neighbours, read-only, if each list is ascending without
        repeats, because SciPy sorts other lists in place; else it copies them. True always copies;
        ask for it to call what changes the matrix in place, such as eliminate_zeros().
        False never does if there are fewer than 2**31 edges: then sum() and others of SciPy may
        raise ValueError. Cost of None: a look at all edges. ImportError without SciPy."""
        return convert.to_scipy(self, copy)

    @classmethod
    def from_networkx(cls: Type[G], graph: Any) -> G:
        """Make a graph from a NetworkX graph of any kind: its nodes are the keys. An undirected
        edge leads both ways; parallel edges become one; attributes are left out. A
        PointerWarsWarning if an edge has a weight that is not 1, because edges have no weights
        here. Neighbours keep their order. Cost: a loop over the edges; 4 bytes per edge, and 16 per
        node besides the keys."""
        return cls._of_networkx(graph)._leaving_out(convert.has_weights(graph))

    @classmethod
    def _of_networkx(cls: Type[G], graph: Any) -> G:
        """As from_networkx, for whoever asks for no weights."""
        keys, starts, ends = convert.networkx_lists(graph)
        return cls._of_lists(starts, ends, True, keys, graph.is_directed(), 0, 0)

    def _leaving_out(self: G, has_weights: bool) -> G:
        """The graph itself, with a warning if weights did not come along."""
        if has_weights:
            self._left_out = True
            warnings.warn("weights are left out: every edge counts as 1", PointerWarsWarning,
                          stacklevel=3)
        return self

    def to_networkx(self, create_using: Any = None) -> Any:
        """The graph as a networkx.DiGraph (a Graph, if it is not directed), or as create_using,
        with the keys as nodes. Two nodes of one name: ArgumentError. ImportError without NetworkX.
        Its edges have no attributes.
        """
        return convert.to_networkx(self, create_using)

    @classmethod
    def from_pandas(cls: Type[G], table: Any, source: Any = "source", target: Any = "target", *,
                    undirected: bool = False) -> G:
        """Make a graph from a table of pandas with an edge per row. source, target: the names of
        its columns. Their entries are the keys, of any hashable type, numbered as they occur; an
        empty entry is an ArgumentError. Other columns are left out, with a PointerWarsWarning if
        one is called "weight" and an entry of it is not 1. Cost: a loop over the rows."""
        sources, targets, keys = tables.numbered(
            tables.column(table, source), tables.column(table, target), False)
        made = cls.from_edges(sources, targets, names=keys, undirected=undirected)
        return made._leaving_out(tables.has_weights(table))

    def to_pandas(self, source: str = "source", target: str = "target") -> Any:
        """The edges as a pandas.DataFrame of two columns with the keys, in the order of the lists.
        Of an undirected graph an edge is there once. Nodes without edges are not there. ImportError
        without pandas."""
        return tables.to_pandas(self, source, target)

    @classmethod
    def from_igraph(cls: Type[G], graph: Any) -> G:
        """Make a graph from a graph of igraph. Its nodes keep their numbers, and the attribute
        "name" has the keys if it is there. An undirected edge leads both ways; other attributes are
        left out, with a PointerWarsWarning if a weight is not 1."""
        sources, targets, count, names, has_weights = tables.from_igraph(graph)
        made = cls.from_edges(sources, targets, node_count=count, names=names,
                              undirected=not graph.is_directed())
        return made._leaving_out(has_weights)

    def to_igraph(self) -> Any:
        """The graph as an igraph.Graph, directed or not as this one. The keys are its attribute
        "name", unless they are the numbers. ImportError without igraph."""
        return tables.to_igraph(self)

    def copy(self: G) -> G:
        """The graph itself, because nothing changes it."""
        return self

    def reverse(self: G) -> G:
        """The graph with each edge turned around; its nodes keep their keys. A question with
        direction="to" has the same answers at no cost. Cost: a reverse adjacency, and the keys."""
        first, neighbours, keys = self.first_node, self.in_neighbours, self.keys()
        names = None if keys == list(range(len(keys))) else keys
        return self._like(self.from_csr(
            self.in_offsets[first:], neighbours if first == 0 else
            [node - first for node in neighbours.tolist()], names=names,
            undirected=not self.directed))

    def subgraph(self: G, keys: Any) -> G:
        """The graph of some nodes, a row of them or one, and of the edges between them, both in the
        order of this graph; the nodes keep their keys. To leave a few nodes out of a question,
        without= is faster. Cost: a loop over the edges of the nodes."""
        row = convert.nodes_of(self, keys)
        nodes = sorted(set(_native.numbers_at(row[1], row[2])))
        index = {node: number for number, node in enumerate(nodes)}
        starts, ends = convert.lists_of(
            [index[other] for other in self._out(node).tolist() if other in index]
            for node in nodes)
        return self._like(self._of_lists(starts, ends, True, self._keys_of(nodes), self.directed,
                                         0, 0))

    def _like(self, made: G) -> G:
        """A graph made of this one: it has left out what this one has."""
        made._left_out = self._left_out
        return made

    def save(self, path: Union[str, bytes, os.PathLike[str]], format: Optional[str] = None) -> None:
        """Save the graph with its names and its reverse adjacency as a snapshot, which `load` opens
        in milliseconds. The path ends in .pwg; a snapshot of any other name is asked for by
        format="snapshot". The file is replaced as a whole or not at all. Keys that were given in
        memory are saved as texts, which takes a loop over the edges; ArgumentError if two are one
        text, or one is empty or has a tab or an end of line. Raises NotWritten."""
        if format not in (None, "snapshot"):
            raise ArgumentError(f"{format!r} is not written; graph-convert writes other formats")
        ending = os.path.splitext(os.fsdecode(path))[1]
        if format is None and ending.lower() != ".pwg":
            raise ArgumentError(f"a snapshot ends in .pwg, not {ending or 'in nothing'}; "
                                "format='snapshot' saves one under any name")
        place = text_of(path, "path")
        if self._keys is not None:
            with tables.named(self, type(self)._of_texts) as graph:
                graph.save(path, "snapshot")
            return
        owner, flag, error = self.owner, ctypes.c_int(0), Error()
        interruptibly(lambda: library.pwgraph_save(
            owner, place, ctypes.addressof(flag), ctypes.byref(error)), [flag]) or failed(error)

    @classmethod
    def _of_texts(cls: Type[G], edges: str, names: str) -> G:
        """A graph of a file of edges by number and one of names, without remarks on either."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PointerWarsWarning)
            return cls.load(edges, names=names, format="edges")

    # Questions --------------------------------------------------------------------------------

    def _avoided(self, without: Any) -> List[int]:
        """The numbers of the nodes to avoid: one node, or several."""
        if self._index is not None:
            with contextlib.suppress(TypeError):
                if without in self._index:
                    return [self._index[without]]
        if isinstance(without, str) or hasattr(without, "__index__") and not hasattr(
                without, "__len__"):
            return [self.node(without)]
        if isinstance(without, BYTES):
            raise TypeError(f"without: a node or several, not {type(without).__name__}")
        return [self.node(key) for key in without]

    @contextlib.contextmanager
    def _searching(self, engine: Optional[str], avoided: Sequence[int] = ()) -> Iterator[Search]:
        """A search that nobody else uses meanwhile, with nodes to avoid."""
        if engine is not None and not isinstance(engine, str):
            raise TypeError(f"engine: a name, not {type(engine).__name__}")
        owner = self.owner
        free = self._searches.setdefault(engine, [])
        try:
            search = free.pop()
        except IndexError:
            search = Search(owner, engine)
        try:
            if avoided:
                search.avoid(list(avoided))
            yield search
        finally:
            if avoided:
                search.avoid([])
            free.append(search)
            del search

    def _ask(self, source: Any, target: Any, without: Any, engine: Optional[str],
             timeout: Optional[float], wants_path: bool) -> Any:
        """The hops of a pair, or the nodes of a path; None if there is no path."""
        deadline_ns = 0 if timeout is None else _native.deadline(timeout)
        from_node, to_node = self.node(source), self.node(target)
        if engine is None and isinstance(without, tuple) and not without:
            owner = self.owner
            free = self._searches.get(None)
            if free is None:
                free = self._searches.setdefault(None, [])
            try:
                search = free.pop()
            except IndexError:
                search = Search(owner, None)
            try:
                hops = search.run(from_node, to_node, deadline_ns)
                return None if hops == NONE else search.path(hops) if wants_path else hops
            finally:
                free.append(search)
        avoided = self._avoided(without)
        with self._searching(engine, avoided) as search:
            hops = search.run(from_node, to_node, deadline_ns)
            return None if hops == NONE else search.path(hops) if wants_path else hops

    def path(self, source: Any, target: Any, *, without: Any = (), engine: Optional[str] = None,
             timeout: Optional[float] = None, weight: None = None) -> Optional[Path]:
        """A shortest path, or None if no path exists. From a node to itself a path has at least one
        edge. without: a node, or several, that no path begins, passes or ends at. engine: a name of
        `bfs --list-engines`; None: the fastest for one question. timeout: seconds; TimedOut
        afterwards. weight: refused in words, because edges have no weights."""
        if weight is not None:
            refuse_weight(weight)
        nodes = self._ask(source, target, without, engine, timeout, True)
        return None if nodes is None else Path._of(self, nodes)

    def path_and_counts(self, source: Any, target: Any, *, without: Any = (),
                        engine: Optional[str] = None, timeout: Optional[float] = None
                        ) -> Tuple[Optional[Path], Counts]:
        """As path, and what the search looked at, also where there is no path.

        >>> graph = Graph.from_edges([0, 1], [1, 2])
        >>> path, counts = graph.path_and_counts(0, 2)
        >>> path.nodes, counts.nodes > 0, counts.seconds > 0
        ((0, 1, 2), True, True)
        """
        deadline_ns = _native.deadline(timeout)
        from_node, to_node = self.node(source), self.node(target)
        with self._searching(engine, self._avoided(without)) as search:
            hops = search.run(from_node, to_node, deadline_ns)
            found = None if hops == NONE else Path._of(self, search.path(hops))
            return found, search.counts()

    @overload
    def hops(self, source: Hashable, target: Hashable, *, without: Any = ...,
             engine: Optional[str] = ..., timeout: Optional[float] = ...,
             threads: int = ...) -> Optional[int]: ...
    @overload
    def hops(self, source: Any, target: Any = ..., *, without: Any = ...,
             engine: Optional[str] = ..., timeout: Optional[float] = ..., threads: int = ...
             ) -> Numbers32: ...

    def hops(self, source: Any, target: Any = ABSENT, *, without: Any = (),
             engine: Optional[str] = None, timeout: Optional[float] = None,
             threads: int = 0, weight: None = None) -> Any:
        """The number of edges of a shortest path, None if no path exists; or many at once.

        hops(a, b): of two nodes. hops(pairs): of pairs, an array of the shape (n, 2), a table of
        two columns, or a sequence of pairs of nodes. hops(sources, targets): the same as two rows;
        if one of them is a single node, it is in every pair. Of many it returns uint32,
        an entry per pair, NONE where there is no path; UnknownNode names the first pair with an
        unknown node. threads: for many; 0: one per processor. The engine "multi-source" makes
        hundreds of searches at once; it pays only if many pairs share sources or targets. Others: see
        path; timeout is of the whole call.

        >>> graph = Graph.from_edges([0, 1, 2], [1, 2, 3])
        >>> graph.hops(0, 3), graph.hops(3, 0), list(map(int, graph.hops([(0, 1), (0, 2)])))
        (3, None, [1, 2])
        >>> list(map(int, graph.hops(0, [1, 2, 3])))
        [1, 2, 3]
        """
        if weight is not None:
            refuse_weight(weight)
        if not self._is_absent(target) and not self._are_many(source, target):
            return self._ask(source, target, without, engine, timeout, False)
        deadline_ns = _native.deadline(timeout)
        first, second, count = self._pairs(source, target)
        used = natural(threads, "threads", _native.THREADS_MAX)
        found, address = room(count)
        with self._searching(engine, self._avoided(without)) as search:
            search.long(lambda error: library.pwgraph_search_pairs(
                search.owner, first[1], second[1], count, used, address, error),
                count * min(self._work(), SMALL_WORK), deadline_ns)
        return found

    @overload
    def paths(self, source: Hashable, target: Hashable, limit: Optional[int] = ..., *,
              without: Any = ..., timeout: Optional[float] = ..., longer: int = ...) -> Paths: ...
    @overload
    def paths(self, source: Any, *, without: Any = ..., engine: Optional[str] = ...,
              timeout: Optional[float] = ..., threads: int = ...) -> List[Optional[Path]]: ...

    def paths(self, source: Any, target: Any = ABSENT, limit: Optional[int] = None, *,
              without: Any = (), engine: Optional[str] = None, timeout: Optional[float] = None,
              threads: int = 0, longer: int = 0, weight: None = None) -> Any:
        """All shortest paths of two nodes, as Paths; iterating gives at most `limit` of them. Or
        paths(pairs), paths(sources, targets): a list with one shortest path of each pair, None
        where there is no path.
        longer=1: of two nodes, all paths with one edge more, and no node twice but a source that is
        the target.

        Two paths differ in at least a node. Pairs as for hops; they are shared by threads (0: one
        per processor). timeout: seconds; of each search, if there are pairs.
        """
        if weight is not None:
            refuse_weight(weight)
        deadline_ns = _native.deadline(timeout)
        more = natural(longer, "longer", 1)
        if self._is_absent(target) or self._are_many(source, target):
            if more > 0:
                raise ArgumentError("longer: of one pair only, not of many")
            first, second, count = self._pairs(source, target)
            used = natural(threads, "threads", _native.THREADS_MAX)
            avoided = self._avoided(without)
            return convert.many_paths(
                self, (first, second, count), lambda: self._searching(engine, avoided),
                timeout, used)
        if limit is not None:
            limit = natural(limit, "limit", sys.maxsize)
        ends = self.node(source), self.node(target)
        if engine is not None:
            raise ArgumentError("engine: all shortest paths have one engine only")
        with self._searching(None, self._avoided(without)) as search:
            # their number may have a word per 64 hops at each node
            work = self._work() * (1 + self._node_limit // 64)
            found = search.all_paths(*ends, more, work, deadline_ns)
            return Paths(self, ends, found, limit, search.counts(), more)

    def path_count(self, source: Any, target: Any, *, without: Any = (),
                   timeout: Optional[float] = None, longer: int = 0, weight: None = None
                   ) -> Union[int, float]:
        """How many shortest paths there are, exactly; 0 if no path exists, math.inf for more than
        3.4e38. longer=1: how many with one edge more; see paths."""
        if weight is not None:
            refuse_weight(weight)
        return self.paths(source, target, without=without, timeout=timeout, longer=longer).count

    def distances(self, key: Any, *, direction: str = "from", without: Any = (),
                  timeout: Optional[float] = None, missing: Union[None, int, float] = None,
                  weight: None = None) -> Any:
        """All distances from a node, or to it: uint32, node_limit entries. Entry u is the distance
        of the node with the number u: 0 for the node itself, NONE if there is no path. direction:
        "from" the node, along the edges, or "to" it. missing: what is written for no path instead of
        NONE, as in a mean NONE counts as 4 billion: -1 makes the array int64, math.nan float64.
        TypeError for a row of nodes: hops(sources, targets) and reach() answer for many.

        >>> list(map(int, Graph.from_edges([0], [1]).distances(1, missing=-1)))
        [-1, 0]
        """
        if weight is not None:
            refuse_weight(weight)
        if is_many(key, self._index):
            raise TypeError("distances: one node; hops(list, list) answers for pairs, reach() sums "
                            "up the distances of many")
        deadline_ns = _native.deadline(timeout)
        found = self._walk(key, direction, without, deadline_ns, False)
        return found if missing is None else convert.with_missing(found, missing)

    def parents(self, key: Any, *, direction: str = "from", without: Any = (),
                timeout: Optional[float] = None) -> Numbers32:
        """The trees of shortest paths: uint32, node_limit entries. Entry u is the number of the
        node before u on some shortest path from the node (after u, on one "to" it); NONE for the
        node itself, and if there is no path."""
        found: Numbers32 = self._walk(key, direction, without, _native.deadline(timeout), True)
        return found

    def histogram(self, key: Any, *, direction: str = "from", without: Any = (),
                  timeout: Optional[float] = None) -> Histogram:
        """How many nodes have each distance from a node, or "to" it."""
        deadline_ns, node = _native.deadline(timeout), self.node(key)
        with self._levels([node], direction, NONE, _native.ANY_ORDER, without,
                          deadline_ns) as levels:
            begins = levels.bounds()
        return Histogram([end - begin for begin, end in zip(begins, begins[1:])],
                         len(self) - begins[-1], f"distances {direction} {self.label(node)}")

    def reach(self, nodes: Any = None, *, direction: str = "from", without: Any = (),
              timeout: Optional[float] = None) -> Reach:
        """What each of many nodes reaches: how many nodes, the distance of the farthest one, and the
        sums of all distances. Of many nodes, 512 searches are made at once.

        nodes: a row of nodes, as for hops, or one; None: all, in the order of their numbers. direction:
        "from" the nodes, or "to" them. timeout: of the whole call. The largest eccentricity of all
        nodes is the diameter of the graph, the smallest its radius.

        >>> reach = Graph.from_edges([0, 1], [1, 2]).reach()
        >>> [list(map(float, row)) for row in reach]
        [[3.0, 2.0, 1.0], [2.0, 1.0, 0.0], [3.0, 1.0, 0.0], [1.5, 1.0, 0.0]]
        """
        way, deadline_ns = direction_of(direction), _native.deadline(timeout)
        row = convert.every_node(self) if nodes is None else convert.nodes_of(self, nodes)
        found, address = convert.room_for_reach(row[2])
        with self._searching(None, self._avoided(without)) as search:
            search.long(lambda error: library.pwgraph_search_reach(
                search.owner, row[1], row[2], way, address, error),
                (1 + row[2] // 64) * self._work(), deadline_ns)
        return convert.reach_of(found)

    def betweenness(self, sources: Any = None, *, ends: bool = False, without: Any = (),
                    timeout: Optional[float] = None, threads: int = 0) -> Floats:
        """The betweenness centrality: float64, node_limit entries. Entry u is the sum, over all
        pairs of one of the sources and another node, of the share of their shortest paths that pass
        u. In an undirected graph each pair counts twice.

        sources: a row of nodes, as for hops; None: all, which is exact. A few hundred random ones
        give an estimate. ends: a path passes its ends, too. timeout: of the whole call. threads: 0:
        one per processor.

        >>> list(map(float, Graph.from_edges([0, 1, 0, 2], [1, 3, 2, 3]).betweenness()))
        [0.0, 0.5, 0.5, 0.0]
        """
        deadline_ns = _native.deadline(timeout)
        used = natural(threads, "threads", _native.THREADS_MAX)
        row = convert.every_node(self) if sources is None else convert.nodes_of(self, sources)
        found: Floats
        found, address = room(self._node_limit, "d")
        with self._searching(None, self._avoided(without)) as search:
            search.threads(used)
            try:
                search.long(lambda error: library.pwgraph_search_betweenness(
                    search.owner, row[1], row[2], int(bool(ends)), address, self._node_limit,
                    error), (1 + row[2]) * self._work(), deadline_ns)
            finally:
                search.threads(1)
        return found

    def diameter(self, *, component: bool = False, timeout: Optional[float] = None,
                 threads: int = 1) -> int:
        """The largest distance of two nodes, exactly, by searches from few nodes.

        ArgumentError unless a path leads from each node to each other one. component: of the
        largest strong component instead. timeout: of the whole call. threads: of each search; 0:
        one per processor.

        >>> ring = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0])
        >>> ring.diameter(), ring.radius(), ring.center()
        (3, 3, [0, 1, 2, 3])
        """
        return int(self._measured(component, timeout, threads)[0].diameter_max)

    def radius(self, *, component: bool = False, timeout: Optional[float] = None,
               threads: int = 1) -> int:
        """The smallest distance that is enough from some node to all others; see diameter."""
        return int(self._measured(component, timeout, threads)[0].radius_max)

    def center(self, *, timeout: Optional[float] = None, threads: int = 1) -> List[Any]:
        """The keys of all nodes from which the radius is enough; see diameter. Of these candidates
        512 searches are made at once."""
        deadline_ns = _native.deadline(timeout)
        found, least = self._measured(False, timeout, threads)
        likely = [node for node, hops in enumerate(least.tolist()) if hops <= found.radius_max]
        left_ns = _native.time_left(deadline_ns)
        reach = self.reach([self._asked(node) for node in likely],
                           timeout=left_ns / 1e9 if left_ns else None)
        return self._keys_of([node for node, hops in zip(likely, map(int, reach.eccentricity))
                              if hops == found.radius_max])

    def _measured(self, component: bool, timeout: Optional[float], threads: int
                  ) -> Tuple[_native.Diameter, Any]:
        """Diameter and radius, and what each node's eccentricity is at least, by its number."""
        deadline_ns, found = _native.deadline(timeout), _native.Diameter()
        used = natural(threads, "threads", _native.THREADS_MAX)
        if len(self) == 0:
            raise ArgumentError("a graph without nodes has no diameter")
        if not component and not self._is_strong(timeout):
            raise ArgumentError("no path leads from some node to another; diameter and radius "
                                "take component=True, center a subgraph of one component")
        least, address = room(self._node_limit)
        with self._searching(None) as search:
            search.threads(used)
            try:
                search.long(lambda error: library.pwgraph_search_diameter(
                    search.owner, ctypes.byref(found), address, self._node_limit, error),
                    64 * self._work(), deadline_ns)
            finally:
                search.threads(1)
        return found, least

    def _is_strong(self, timeout: Optional[float] = None) -> bool:
        """True if a path leads from each node to each other one."""
        first = self._asked(self.first_node)
        return all(int(self.reach([first], direction=way, timeout=timeout).reached[0]) == len(self)
                   for way in (DIRECTIONS if self.directed else ["from"]))

    def components(self, connection: str = "weak") -> Tuple[int, Numbers32]:
        """The connected components, as SciPy's csgraph has them: how many there are, and uint32,
        node_limit entries. Entry u is the number of the component of node u, NONE if there is no
        node u. connection: "weak", edges may be followed both ways; or "strong", a path leads from
        each node of a component to each other one. Weak ones are numbered by their first node,
        strong ones so that every edge between two leads to the smaller number.

        >>> count, numbers = Graph.from_edges([0, 1, 2], [1, 0, 0]).components("strong")
        >>> count, list(map(int, numbers))
        (2, [0, 0, 1])
        """
        if connection not in CONNECTIONS:
            raise ArgumentError(f'connection: "{connection}" is neither "weak" nor "strong"')
        owner, flag, error, count = self.owner, ctypes.c_int(0), Error(), U32(0)
        found, address = room(self._node_limit)
        interruptibly(lambda: library.pwgraph_components(
            owner, CONNECTIONS[connection], address, self._node_limit, ctypes.byref(count),
            ctypes.addressof(flag), ctypes.byref(error)), [flag]) or failed(error)
        return count.value, found

    @contextlib.contextmanager
    def _levels(self, nodes: Sequence[int], direction: str, hops_max: int, order: int,
                without: Any = (), deadline_ns: int = 0) -> Iterator[_native.Levels]:
        """The nodes that some nodes reach within `hops_max` hops, by level: a struct of the library
        whose arrays are there until the end."""
        way, levels, row = direction_of(direction), _native.Levels(), (U32 * len(nodes))(*nodes)
        with self._searching(None, self._avoided(without)) as search:
            search.long(lambda error: library.pwgraph_search_levels(
                search.owner, row, len(nodes), way, hops_max, order,
                ctypes.byref(levels), error), self._work(), deadline_ns)
            yield levels

    def _walk(self, key: Any, direction: str, without: Any, deadline_ns: int,
              wants_parents: bool) -> Any:
        """Distances, or parents if wanted."""
        way, node = direction_of(direction), self.node(key)
        found, address = room(self._node_limit)
        hops, parents = (None, address) if wants_parents else (address, None)
        with self._searching(None, self._avoided(without)) as search:
            search.long(lambda error: library.pwgraph_search_distances(
                search.owner, node, way, hops, parents, self._node_limit, error),
                self._work(), deadline_ns)
        return found

    def _work(self) -> int:
        """Nodes and edges: what a search may have to look at."""
        return self._node_limit + self.edge_count

    def _is_absent(self, target: Any) -> bool:
        """True if there is no second argument; None is one if it is a key."""
        return target is ABSENT or target is None and (self._index is None
                                                       or None not in self._index)

    def _pairs(self, source: Any, target: Any) -> Tuple[Any, Any, int]:
        """Two rows of numbers of 32 bits, and their length."""
        if self._is_absent(target):
            if not is_many(source, self._index):
                raise TypeError("expected a second node, or a row of pairs")
            source, target = convert.columns(source)
        first, second = (convert.nodes_of(self, row) for row in (source, target))
        if first[2] != second[2] and 1 not in (first[2], second[2]):
            raise ArgumentError(f"pairs: {first[2]} sources and {second[2]} targets; give as many "
                                "of both, or only one of either")
        count = second[2] if first[2] == 1 else first[2]
        return convert.as_long(first, count), convert.as_long(second, count), count

    def _are_many(self, source: Any, target: Any) -> bool:
        """True if one of these is not one node but a row of them."""
        return is_many(source, self._index) or is_many(target, self._index)


opened: MutableMapping[Any, Graph] = weakref.WeakValueDictionary()  # that were pickled


def reopened(kind: Type[G], place: bytes, size: int, options: Dict[str, Any],
             counts: Tuple[int, int]) -> G:
    """A pickled graph: the one that is open in this process, or its file opened again. InputError
    if the file has changed."""
    origin = tables.Origin(place, dict(options))
    origin.size = size
    with name_lock:
        graph = opened.get(origin.key())
    if isinstance(graph, kind) and graph._owner is not None:
        return graph
    origin.check()
    made = kind.load(place, **options)
    if (len(made), made.edge_count) != tuple(counts):
        raise InputError(f"{os.fsdecode(place)} has changed since the graph was loaded")
    with name_lock:
        opened[origin.key()] = made
    return made


def direction_of(direction: str) -> int:
    """The library's number of a direction; ArgumentError for another text."""
    if direction not in tuple(DIRECTIONS):  # a list of words is refused alike
        raise ArgumentError(f'direction: "{direction}" is neither "from" nor "to"')
    return DIRECTIONS[direction]


def made_options(flag: ctypes.c_int, memory_limit: int, threads: int, undirected: bool,
                 reverse: bool, compact: bool) -> Options:
    """The options that loading and making share."""
    return Options(size=ctypes.sizeof(Options), cancel=ctypes.addressof(flag),
                   memory_limit=natural(memory_limit, "memory_limit", 2**64 - 1),
                   threads=natural(threads, "threads", _native.THREADS_MAX),
                   undirected=bool(undirected), reverse=bool(reverse), compact=bool(compact))


__test__ = {"Graph": Graph}  #: so that doctest finds its methods, though its module is the package
__all__ = ["ENGINES", "Graph", "PointerWarsWarning"]

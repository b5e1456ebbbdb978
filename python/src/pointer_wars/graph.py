"""A graph: loaded or made, asked, converted."""
from __future__ import annotations

import contextlib
import ctypes
import difflib
import itertools
import operator
import os
import re
import sys
import warnings
from typing import (TYPE_CHECKING, Any, Callable, Dict, Hashable, Iterable, Iterator, List,
                    NoReturn, Optional, Sequence, Tuple, Type, TypeVar, Union, overload)

from . import _native, convert
from ._native import (ENGINES, LIST_ENGINES, NONE, U32, ArgumentError, Error, GraphOwner,
                      InputError, NoFile, Options, PointerWarsError, Row, UnknownNode, decoded, failed,
                      find, interruptibly, library, list_lock, name_lock, natural, room, text_of,
                      typed_text)
from .answers import Counts, Histogram, Path, Paths, Reach, counted, path_of
from .search import SMALL_WORK, Search

if TYPE_CHECKING:
    from ._native import Numbers32, Numbers64

G = TypeVar("G", bound="Graph")
DIRECTIONS = {"from": 0, "to": 1}
BYTES = (bytes, bytearray)  # rows of numbers for Python, and no nodes here
ABSENT: Any = type("Absent", (), {"__repr__": lambda self: "..."})()  #: an argument left out
CONNECTIONS = {"weak": 0, "strong": 1}


class PointerWarsWarning(UserWarning):
    """A remark of the library on a file that it read."""


class Graph:
    """A directed graph in memory; nothing changes it.

    **Nodes.** The library numbers the nodes. A question takes a node as a str, its name (or, in
    digits, its id in the file), or as an int, its number. The key of a node is what answers have:
    its name, or its number if it has no name. If names were given in memory (`from_edges`,
    `from_networkx`), these are the keys, of any hashable type, and then an int is a key, too.
    Arrays always have numbers: entry u of `distances` is for the node with the number u.

    **Threads** may share a graph; each call releases the lock of the interpreter. Ctrl-C ends every
    call within milliseconds, loading within a second.

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
    __slots__ = ("_owner", "_keys", "_index", "_searches", "_views", "_by_block", "_first_node",
                 "_node_limit", "_edge_count", "_directed", "__networkx_cache__", "__weakref__")
    __networkx_backend__ = "pointer_wars"  # NetworkX's functions take a Graph as it is

    def __init__(self, owner: GraphOwner, keys: Optional[Sequence[Hashable]] = None,
                 directed: bool = True, by_block: bool = False) -> None:
        """Of the package: Graph.load and Graph.from_... make a graph."""
        if not isinstance(owner, GraphOwner):
            raise TypeError("Graph.load, Graph.from_edges and their like make a graph")
        self._owner: Optional[GraphOwner] = owner
        self._by_block = by_block
        self._searches: Dict[Optional[str], List[Search]] = {}
        self._views: Dict[str, Any] = {}
        self.__networkx_cache__: Dict[str, Any] = {}  # the graph converted, for other functions
        count: int = library.pwgraph_node_count(owner)
        self._first_node = int(count > 0 and not library.pwgraph_has_node(owner, 0))
        self._node_limit = self._first_node + count
        self._edge_count: int = library.pwgraph_edge_count(owner)
        self._directed = directed
        self._keys: Optional[List[Hashable]] = None
        self._index: Optional[Dict[Hashable, int]] = None
        if keys is not None:
            self._keys = list(keys)
            self._index = {key: node for node, key in enumerate(self._keys, self._first_node)}
            if len(self._keys) != len(self) or len(self._index) != len(self):
                raise ArgumentError(f"names: expected {len(self)} different ones, found "
                                    f"{len(self._keys)}, of which {len(self._index)} differ")

    @property
    def first_node(self) -> int:
        """The smallest number of a node, 0 or 1."""
        return self._first_node

    @property
    def node_limit(self) -> int:
        """One past the largest number of a node."""
        return self._node_limit

    @property
    def edge_count(self) -> int:
        """Entries of all adjacency lists, repeats and loops included."""
        return self._edge_count

    @property
    def directed(self) -> bool:
        """False if it was made with undirected=True: each edge is there both ways. A saved graph
        does not say so: loaded again, it is True."""
        return self._directed

    # Made -------------------------------------------------------------------------------------

    @classmethod
    def load(cls: Type[G], path: Union[str, bytes, os.PathLike[str]], *,
             names: Union[None, str, os.PathLike[str]] = None, format: Optional[str] = None,
             cache: Union[None, bool, str, os.PathLike[str]] = None, memory_limit: int = 0,
             threads: int = 0, undirected: bool = False, reverse: bool = False,
             compact: bool = False, by_block: bool = False,
             progress: Union[bool, Callable[[Dict[str, Any]], object]] = False) -> G:
        """Load a graph from a file in any format that bfs reads, plain or compressed.

        path: the file; "-" is standard input. names: a file with a name per node. format: a name of
        `bfs --input-format`; None: by the content. cache: keep a snapshot of a text in this folder,
        True: in the user's. memory_limit: bytes; 0: what is free. threads: 0: one per processor.
        undirected: an entry is an edge both ways. reverse: an entry "u v" is the edge from v to u.
        compact: number the ids that occur 0, 1, 2, ... by_block: read and check a snapshot by
        block, when it is used, so that it opens at once; an array, or an answer with arrays, reads
        all, and a call that meets a bad block raises InputError. progress: True for a bar (of tqdm
        if it is there), or a function that gets a dict with phase, bytes_done, bytes_total, edges,
        seconds.
        Raises InputError, NoFile if there is no file, OutOfMemory. A remark on the file is a
        PointerWarsWarning. While it waits for a pipe, only a second Ctrl-C ends it.
        """
        notes: List[str] = []
        flag = ctypes.c_int(0)
        error, place = Error(), text_of(path, "path")
        options = made_options(flag, memory_limit, threads, undirected, reverse, compact)
        options.names = None if names is None else text_of(names, "names")
        options.format = None if format is None else text_of(format, "format")
        options.by_block = bool(by_block)
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
        return cls(owner, directed=not undirected, by_block=bool(by_block))

    @classmethod
    def from_edges(cls: Type[G], sources: Any, targets: Any, *, node_count: int = 0,
                   names: Optional[Sequence[Hashable]] = None, undirected: bool = False,
                   reverse: bool = False, compact: bool = False, memory_limit: int = 0,
                   threads: int = 0) -> G:
        """Make a graph from edges: sources[i] leads to targets[i].

        sources, targets: rows of whole numbers, of the same length, the numbers of the nodes.
        Arrays of 32 or 64 bits are read where they are, and may go afterwards. node_count: 0: one
        past the largest, or as many as names. names: a key per node, all different. The others: see
        load. Raises InputError for a number that is negative or too large, ArgumentError,
        OutOfMemory; TypeError for what is no whole number, or hidden by a mask.

        >>> Graph.from_edges([10, 20], [20, 30], compact=True).path("10", "30")
        Path([0, 1, 2])
        """
        flag, error = ctypes.c_int(0), Error()
        options = made_options(flag, memory_limit, threads, undirected, reverse, compact)
        if names is not None:
            names = list(names)
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
                 names: Optional[Sequence[Hashable]] = None, directed: bool = True,
                 memory_limit: int = 0, threads: int = 0) -> G:
        """Make a graph from adjacency lists: node u leads to
        neighbours[offsets[u]:offsets[u + 1]].

        offsets: one entry more than there are nodes; neighbours: numbers of nodes. Unless copy is
        true, offsets of 64 bits and neighbours of 32 are used in place if they are arrays of numpy
        that own their memory. These become read-only, and stay so when the graph has gone: nothing
        may change them while it lives. Whoever makes them writeable, or writes through a view that
        was made before, breaks the graph: the next search may end the process. A view is used in
        place if all that it is a view of is read-only. Everything else is copied, other whole
        numbers are converted. directed: what the attribute says; the lists decide. names: a key per
        node. Raises InputError if an offset or a neighbour is out of range, ArgumentError,
        OutOfMemory; after an error, arrays are writeable again. Cost: the reverse adjacency, 4
        bytes per edge and 8 per node.
        """
        starts = _native.numbers_of(offsets, "offsets")
        ends = _native.numbers_of(neighbours, "neighbours")
        closed: List[Any] = []
        try:
            if not copy:
                starts = _native.in_place(starts, 64, closed)
                ends = _native.in_place(ends, 32, closed)
            return cls._of_lists(starts, ends, not copy, names, directed, memory_limit, threads)
        except BaseException:
            for numbers in closed:
                numbers.flags.writeable = True
            raise

    @classmethod
    def _of_lists(cls: Type[G], starts: Row, ends: Row, lends: bool,
                  names: Optional[Sequence[Hashable]], directed: bool, memory_limit: int,
                  threads: int) -> G:
        """The same of numbers which, if the graph may use them in place, nothing else changes."""
        flag, error = ctypes.c_int(0), Error()
        options = made_options(flag, memory_limit, threads, False, False, False)
        options.cancel = None
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
                   names: Optional[Sequence[Hashable]] = None, directed: bool = True) -> G:
        """Make a graph from a square sparse array or matrix of SciPy: every stored entry (u, v), an
        explicit zero too, is an edge from u to v. Raises ArgumentError for another shape.

        The neighbours of a CSR array are used in place if from_csr can use them so. Then they are
        read-only, and what changes the matrix in place, such as m.eliminate_zeros(), is refused
        by SciPy. With copy=True the matrix stays as it is."""
        return convert.from_scipy(cls, matrix, copy, names, directed)

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
        edge leads both ways; parallel edges become one; attributes are left out. Neighbours keep
        their order. Cost: a loop over the edges; 4 bytes per edge, and 16 per node besides the
        keys."""
        return convert.from_networkx(cls, graph)

    def to_networkx(self, create_using: Any = None) -> Any:
        """The graph as a networkx.DiGraph (a Graph, if it is not directed), or as create_using,
        with the keys as nodes. Two nodes of one name: ArgumentError. ImportError without NetworkX.
        """
        return convert.to_networkx(self, create_using)

    def save(self, path: Union[str, bytes, os.PathLike[str]]) -> None:
        """Save the graph with its names and its reverse adjacency as a snapshot, which `load` opens
        in milliseconds. The file is replaced as a whole or not at all. Names that were given in
        memory cannot be saved: ArgumentError. Raises NotWritten."""
        if self._keys is not None:
            raise ArgumentError("names that were given in memory cannot be saved")
        owner, flag, error = self.owner, ctypes.c_int(0), Error()
        place = text_of(path, "path")
        interruptibly(lambda: library.pwgraph_save(
            owner, place, ctypes.addressof(flag), ctypes.byref(error)), [flag]) or failed(error)

    @property
    def owner(self) -> GraphOwner:
        """The address of the struct pwgraph; PointerWarsError if the graph is closed."""
        owner = self._owner
        if owner is None:
            raise PointerWarsError("the graph is closed")
        return owner

    def close(self) -> None:
        """Let go of the memory, at the latest when the last array and answer of it has gone. All
        that is asked of the graph afterwards is a PointerWarsError. Also the end of a `with`."""
        self._owner = None
        self._searches, self._views, self.__networkx_cache__ = {}, {}, {}

    def __enter__(self: G) -> G:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __copy__(self: G) -> G:
        return self

    def __deepcopy__(self: G, _: object) -> G:
        return self

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("a graph cannot be pickled: save it, and load it there")

    def __repr__(self) -> str:
        state = "closed, " if self._owner is None else ""
        return (f"<pointer_wars.Graph: {state}{len(self):,} nodes, {self.edge_count:,} edges>")

    def is_directed(self) -> bool:
        """As in NetworkX: the attribute `directed`."""
        return self.directed

    def is_multigraph(self) -> bool:
        """As in NetworkX: False, because repeated edges change no answer."""
        return False

    # Nodes ------------------------------------------------------------------------------------

    def node(self, key: Any) -> int:
        """The number of a node. UnknownNode, with names that are spelt alike, if there is none;
        TypeError for what cannot be one. A name must be exact; see resolve. The address of an
        article is a name, too: https://en.wikipedia.org/wiki/Laos."""
        if self._index is not None:
            node = self._index.get(key)
            if node is None or self._owner is None:
                self._unknown(key)
            return node
        if isinstance(key, str):
            owner, found = self.owner, U32()
            try:
                text = key.encode("utf-8", "surrogateescape")
            except UnicodeEncodeError:
                return self._unknown(key)
            if b"\0" not in text and find(owner, text, ctypes.addressof(found)):
                return found.value
            return self._unknown(key)
        try:
            number = operator.index(key)
        except TypeError:
            raise TypeError(f"a node is a str or an int, not {type(key).__name__}") from None
        if not self._first_node <= number < self._node_limit or self._owner is None:
            return self._unknown(number)
        return number

    def _range(self) -> str:
        """Which numbers are nodes, as a text."""
        return (f"{self._first_node}..{self._node_limit - 1}" if len(self) else "none")

    def _unknown(self, key: Any) -> NoReturn:
        """Raise why there is no such node."""
        owner, text = self.owner, repr(key)
        if self._index is not None:
            names = [name for name in itertools.islice(self._index, 100_000)
                     if isinstance(name, str)] if isinstance(key, str) else []
            near = difflib.get_close_matches(key, names) if names else []
            error = UnknownNode(f"no node is called {text}" + (
                f"; did you mean {' or '.join(map(repr, near))}?" if near else ""))
            error.suggestions = tuple(near)
            raise error
        if not isinstance(key, str):
            raise UnknownNode(f"{text} is not a node of the graph, which has {self._range()}")
        try:
            node = self.resolve(key)
        except UnicodeEncodeError:
            raise UnknownNode(f"no node is called {text}") from None
        del owner
        error = UnknownNode(f"no node is called {text}; did you mean {self.label(node)!r}?")
        error.suggestions = (self.label(node),)
        raise error

    def resolve(self, text: str) -> int:
        """The number of a node whose name somebody has typed: with spaces for underscores, in
        another case, without accents, if it is spelt like exactly one. UnknownNode otherwise. The
        first such name takes the library up to 16 bytes per node and a second per 10 million."""
        return self.understand(text)[0]

    def understand(self, text: str) -> Tuple[int, str]:
        """As resolve, and a line that says what was forgiven ("USA redirects to United States");
        it is empty for an exact name.

        >>> Graph.from_edges([0], [1], names=["New_York", "Rome"]).understand("new york")
        (0, "'new york' is taken for 'New_York'")
        """
        typed_text(text, "resolve")
        owner = self.owner
        if self._index is not None:
            if text in self._index:
                return self._index[text], ""
            near = [key for key in self._index if isinstance(key, str) and
                    key.casefold().replace("_", " ") == text.casefold().replace("_", " ")]
            if len(near) == 1:
                return self._index[near[0]], f"{text!r} is taken for {near[0]!r}"
            self._unknown(text)
        found = U32()
        message, typed = ctypes.create_string_buffer(_native.TEXT_SIZE), text.encode(
            "utf-8", "surrogateescape")
        if b"\0" in typed:
            raise UnknownNode(f"no node is called {text!r}")
        with name_lock:
            fit = library.pwgraph_resolve(owner, typed, ctypes.byref(found), message)
        self._check()
        if not fit:
            error = UnknownNode(decoded(message.value))
            error.suggestions = self._suggested(decoded(message.value))
            raise error
        return found.value, decoded(message.value)

    def _suggested(self, message: str) -> Tuple[str, ...]:
        """The names of nodes in "...; did you mean A, B or C?". A name may have a comma itself, so
        each is the longest text between two separators that is a node."""
        found: List[str] = []
        head, _, names = message.rpartition("; did you mean ")
        pieces = re.split("(, | or )", names[:-1]) if head else []
        begin = 0
        while begin < len(pieces):
            for end in range(len(pieces), begin, -1):
                name = "".join(pieces[begin:end])
                if (end - begin) % 2 and name in self:
                    found.append(name)
                    begin = end
                    break
            begin += 1
        return tuple(found)

    def key(self, node: int) -> Any:
        """The key of the node with a number: its name, or the number if it has no name."""
        return self._keys_of([self._number(node)])[0]

    def keys(self, nodes: Optional[Iterable[int]] = None) -> List[Any]:
        """The keys of nodes, given by their numbers; None: of all, in the order of the numbers."""
        if nodes is None:
            return self._keys_of(range(self._first_node, self._node_limit))
        return self._keys_of([self._number(node) for node in nodes])

    def _keys_of(self, nodes: Iterable[int]) -> List[Any]:
        """The same for numbers that are right."""
        owner, name_of = self.owner, library.pwgraph_name
        if self._keys is not None:
            return [self._keys[node - self._first_node] for node in nodes]
        names = [(node, name_of(owner, node)) for node in nodes]
        if self._by_block:
            self._check()
        return [node if name is None else name.decode("utf-8", "surrogateescape")
                for node, name in names]

    def label(self, node: int) -> str:
        """What a node is called in a text: its name, else its page or its id in the file."""
        owner, node = self.owner, self._number(node)
        if self._keys is not None:
            return str(self._keys[node - self._first_node])
        text = ctypes.create_string_buffer(_native.TEXT_SIZE)
        label = decoded(library.pwgraph_label(owner, node, text))
        self._check()
        return label

    def labels(self, nodes: Iterable[int]) -> List[str]:
        """The labels of many nodes in one call of the library.

        >>> Graph.from_edges([0], [1], names=["a", "b"]).labels([1, 0])
        ['b', 'a']
        """
        owner, numbers = self.owner, self._numbers(nodes)
        if self._keys is not None:
            return [str(self._keys[number - self._first_node]) for number in numbers]
        size = 64 * len(numbers)
        row = (U32 * len(numbers))(*numbers)
        text = ctypes.create_string_buffer(size)
        needed = library.pwgraph_labels(owner, row, len(numbers), text, size)
        if needed > size:
            text = ctypes.create_string_buffer(needed)
            library.pwgraph_labels(owner, row, len(numbers), text, needed)
        self._check()
        return decoded(text.raw[:needed]).split("\0")[:-1]

    def pages(self, nodes: Iterable[int]) -> List[Optional[int]]:
        """The ids of the pages of many nodes, given by their numbers, in one call of the
        library."""
        numbers = self._numbers(nodes)
        found = (U32 * len(numbers))()
        library.pwgraph_pages(self.owner, (U32 * len(numbers))(*numbers), len(numbers), found)
        self._check()
        return [page or None for page in found]

    def _numbers(self, nodes: Iterable[int]) -> List[int]:
        numbers = list(map(operator.index, nodes))
        for number in (min(numbers), max(numbers)) if numbers else ():
            self._number(number)
        return numbers

    def _number(self, node: Any) -> int:
        number = operator.index(node)
        if not self._first_node <= number < self._node_limit:
            raise UnknownNode(f"{number} is not a node of the graph, which has {self._range()}")
        return number

    def page(self, key: Any) -> Optional[int]:
        """The id of a node's page in its wiki; None if it is not known."""
        page = library.pwgraph_page(self.owner, self.node(key))
        self._check()
        return page or None

    def redirects(self, key: Any) -> List[str]:
        """The titles that redirect to a node in its wiki; none for other graphs. The first call
        takes 0.3 s per 10 million redirects."""
        owner, node = self.owner, self.node(key)
        count = library.pwgraph_redirects(owner, node, None, 0)
        titles = (ctypes.c_char_p * count)()
        library.pwgraph_redirects(owner, node, titles, count)
        self._check()
        return [decoded(title) for title in titles]

    def _check(self) -> None:
        """InputError if a call, which cannot fail itself, has met a bad block of a snapshot."""
        error = Error()
        if self._by_block and library.pwgraph_is_damaged(self.owner, ctypes.byref(error)):
            failed(error)

    def fact(self, name: str) -> Optional[str]:
        """A fact about the snapshot of a wiki: "wiki", "date", "namespaces" and others that
        wikipedia-import reports. None if it is not known."""
        text = ctypes.create_string_buffer(_native.TEXT_SIZE)
        if library.pwgraph_fact(self.owner, text_of(name, "fact"), text):
            return decoded(text.value)
        return None

    def __contains__(self, key: object) -> bool:
        try:
            self.node(key)
        except (UnknownNode, TypeError):
            return False
        return True

    def __len__(self) -> int:
        return self._node_limit - self._first_node

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[Any]:
        return (self.key(node) for node in range(self._first_node, self._node_limit))

    def complete(self, prefix: str, limit: int = 10, order: str = "name") -> List[str]:
        """Names that start with prefix; if there are none, names that do so without regard to
        case, accents and underscores. limit: at most so many. order: "name", or "degree" for those
        with the most edges first. Cost: 0.1 s per 10 million names.

        >>> Graph.from_edges([0], [1], names=["apple", "banana"]).complete("a")
        ['apple']
        """
        if order not in ("name", "degree"):
            raise ArgumentError(f'order: "{order}" is neither "name" nor "degree"')
        typed_text(prefix, "prefix")
        owner, most = self.owner, min(natural(limit, "limit", sys.maxsize), len(self))
        if self._keys is not None:
            names = sorted(key for key in self._keys if isinstance(key, str) and
                           key.startswith(prefix))
            if order == "degree":
                names.sort(key=lambda name: -self.out_degree(name) - self.in_degree(name))
            return names[:most]
        nodes, address = room(most)
        typed = prefix.encode("utf-8", "surrogateescape")
        count = 0 if b"\0" in typed else interruptibly(lambda: library.pwgraph_complete(
            owner, typed, int(order == "degree"), address, most, None), [])
        self._check()
        return [self.label(int(node)) for node in nodes[:count]]

    def random_node(self, seed: Optional[int] = None) -> Any:
        """The key of a random node with out-edges; each is equally likely. seed: the same number
        gives the same node. ArgumentError if the graph has no edges."""
        state = ctypes.c_uint64(int.from_bytes(os.urandom(8), "little") if seed is None
                                else operator.index(seed) & (2**64 - 1))
        found = U32()
        if not library.pwgraph_random_node(self.owner, ctypes.byref(state), ctypes.byref(found)):
            raise ArgumentError("the graph has no edges")
        return self.key(found.value)

    # Arrays -----------------------------------------------------------------------------------

    def _array(self, name: str, count: int) -> Numbers32:
        """One of the library's arrays, which is made once."""
        found: Optional[Numbers32] = self._views.get(name)
        if found is None:
            found = self._views[name] = _native.view(
                self.owner, getattr(self._addresses(), name), count, "I")
        return found

    def _starts(self, name: str) -> Numbers64:
        """One of the two arrays of offsets."""
        found: Optional[Numbers64] = self._views.get(name)
        if found is None:
            found = self._views[name] = _native.view(
                self.owner, getattr(self._addresses(), name), self._node_limit + 1, "Q")
        return found

    def _addresses(self) -> _native.Arrays:
        """Where the library's arrays are."""
        arrays, owner = _native.Arrays(), self.owner
        if self._by_block:  # all is read now
            interruptibly(lambda: library.pwgraph_get_arrays(owner, ctypes.byref(arrays)), [])
            self._check()
        else:
            library.pwgraph_get_arrays(owner, ctypes.byref(arrays))
        return arrays

    def _row(self, function: Callable[..., Any], node: int) -> Numbers32:
        """A list of neighbours, of which only its blocks are read."""
        owner, count = self.owner, ctypes.c_uint64()
        address = function(owner, node, ctypes.byref(count))
        self._check()
        row: Numbers32 = _native.view(owner, address, count.value, "I")
        return row

    @property
    def offsets(self) -> Numbers64:
        """uint64, node_limit + 1 entries: the out-neighbours of node u are
        neighbours[offsets[u]:offsets[u + 1]]. This and the next three are not copied, are
        read-only, and keep the graph alive."""
        return self._starts("offsets")

    @property
    def neighbours(self) -> Numbers32:
        """uint32, edge_count entries, in the order of the file."""
        return self._array("neighbours", self.edge_count)

    @property
    def in_offsets(self) -> Numbers64:
        """uint64, node_limit + 1 entries: the same for the edges that lead to a node."""
        return self._starts("in_offsets")

    @property
    def in_neighbours(self) -> Numbers32:
        """uint32, edge_count entries, ascending per node."""
        return self._array("in_neighbours", self.edge_count)

    @property
    def ids(self) -> Optional[Numbers32]:
        """uint32, node_limit entries: the id of each node in the file; None if it is the number."""
        return self._array("ids", self._node_limit) if self._addresses().ids else None

    def neighbors(self, key: Any) -> Numbers32:
        """The numbers of the nodes to which a node leads: a view of `neighbours`, uint32."""
        node = self.node(key)
        if self._by_block:
            return self._row(library.pwgraph_out, node)
        offsets = self.offsets
        return self.neighbours[int(offsets[node]):int(offsets[node + 1])]

    def predecessors(self, key: Any) -> Numbers32:
        """The numbers of the nodes that lead to a node: a view of `in_neighbours`, uint32."""
        node = self.node(key)
        if self._by_block:
            return self._row(getattr(library, "pwgraph_in"), node)
        offsets = self.in_offsets
        return self.in_neighbours[int(offsets[node]):int(offsets[node + 1])]

    def out_degree(self, key: Any) -> int:
        """The number of a node's out-neighbours."""
        return len(self.neighbors(key))

    def in_degree(self, key: Any) -> int:
        """The number of a node's in-neighbours."""
        return len(self.predecessors(key))

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
        with list_lock if engine in LIST_ENGINES else contextlib.nullcontext():
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
        from_node, to_node = self.node(source), self.node(target)
        limit_ns = 0 if timeout is None else _native.nanoseconds(timeout)
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
                hops = search.run(from_node, to_node, limit_ns)
                return None if hops == NONE else search.path(hops) if wants_path else hops
            finally:
                free.append(search)
        avoided = self._avoided(without)
        with self._searching(engine, avoided) as search:
            hops = search.run(from_node, to_node, limit_ns)
            return None if hops == NONE else search.path(hops) if wants_path else hops

    def path(self, source: Any, target: Any, *, without: Any = (), engine: Optional[str] = None,
             timeout: Optional[float] = None) -> Optional[Path]:
        """A shortest path, or None if there is none. From a node to itself a path has at least one
        edge. without: a node, or several, that no path begins, passes or ends at. engine: a name of
        `bfs --list-engines`; None: the fastest for one question. timeout: seconds; TimedOut
        afterwards."""
        nodes = self._ask(source, target, without, engine, timeout, True)
        return None if nodes is None else path_of(self, nodes)

    def path_and_counts(self, source: Any, target: Any, *, without: Any = (),
                        engine: Optional[str] = None, timeout: Optional[float] = None
                        ) -> Tuple[Optional[Path], Counts]:
        """As path, and what the search looked at, also where there is no path.

        >>> graph = Graph.from_edges([0, 1], [1, 2])
        >>> path, counts = graph.path_and_counts(0, 2)
        >>> path.nodes, counts.nodes > 0, counts.seconds > 0
        ((0, 1, 2), True, True)
        """
        from_node, to_node = self.node(source), self.node(target)
        limit_ns = _native.nanoseconds(timeout)
        with self._searching(engine, self._avoided(without)) as search:
            hops = search.run(from_node, to_node, limit_ns)
            found = None if hops == NONE else path_of(self, search.path(hops))
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
             threads: int = 0) -> Any:
        """The number of edges of a shortest path, None if there is none; or many at once.

        hops(a, b): of two nodes. hops(pairs): of pairs, an array of the shape (n, 2) or a sequence
        of pairs of nodes. hops(sources, targets): the same as two rows. Of many it returns uint32,
        an entry per pair, NONE where there is no path; UnknownNode names the first pair with a node
        that is none. threads: for many; 0: one per processor. The engine "multi-source" makes
        hundreds of searches at once; it pays only if many pairs share sources or targets. Others: see
        path; timeout is of the whole call.

        >>> graph = Graph.from_edges([0, 1, 2], [1, 2, 3])
        >>> graph.hops(0, 3), graph.hops(3, 0), list(map(int, graph.hops([(0, 1), (0, 2)])))
        (3, None, [1, 2])
        """
        if not self._is_absent(target) and not is_many(source, self._index) and not is_many(
                target, self._index):
            return self._ask(source, target, without, engine, timeout, False)
        first, second, count = self._pairs(source, target)
        used = natural(threads, "threads", _native.THREADS_MAX)
        limit_ns = _native.nanoseconds(timeout)
        found, address = room(count)
        with self._searching(engine, self._avoided(without)) as search:
            search.long(lambda error: library.pwgraph_search_pairs(
                search.owner, first[1], second[1], count, used, address, error),
                count * min(self._work(), SMALL_WORK), limit_ns)
        return found

    @overload
    def paths(self, source: Hashable, target: Hashable, limit: Optional[int] = ..., *,
              without: Any = ..., timeout: Optional[float] = ..., longer: int = ...) -> Paths: ...
    @overload
    def paths(self, source: Any, *, without: Any = ..., engine: Optional[str] = ...,
              timeout: Optional[float] = ..., threads: int = ...) -> List[Optional[Path]]: ...

    def paths(self, source: Any, target: Any = ABSENT, limit: Optional[int] = None, *,
              without: Any = (), engine: Optional[str] = None, timeout: Optional[float] = None,
              threads: int = 0, longer: int = 0) -> Any:
        """All shortest paths of two nodes, as Paths, of which iterating gives at most `limit`; or,
        paths(pairs), a list with one shortest path of each pair, None where there is none.
        longer=1: of two nodes, all paths with one edge more, and no node twice but a source that is
        the target.

        Two paths differ in at least a node. Pairs as for hops; they are shared by threads (0: one
        per processor). timeout: seconds; of each search, if there are pairs.
        """
        limit_ns = _native.nanoseconds(timeout)
        more = natural(longer, "longer", 1)
        if self._is_absent(target) or is_many(source, self._index):
            if more > 0:
                raise ArgumentError("longer: of one pair only, not of many")
            first, second, count = self._pairs(source, target)
            used = natural(threads, "threads", _native.THREADS_MAX)
            return convert.many_paths(self, (first, second, count), self._avoided(without), engine,
                                      limit_ns, used)
        if limit is not None:
            limit = natural(limit, "limit", sys.maxsize)
        ends = self.node(source), self.node(target)
        if engine is not None:
            raise ArgumentError("engine: all shortest paths have one engine only")
        with self._searching(None, self._avoided(without)) as search:
            found = search.all_paths(*ends, more, self._work(), limit_ns)
            return Paths(self, ends, found, limit, search.counts(), more)

    def path_count(self, source: Any, target: Any, *, without: Any = (),
                   timeout: Optional[float] = None, longer: int = 0) -> int:
        """How many shortest paths there are, exactly, of any size; 0 if there is none. longer=1:
        how many with one edge more; see paths."""
        return self.paths(source, target, without=without, timeout=timeout, longer=longer).count

    def distances(self, key: Any, *, direction: str = "from", without: Any = (),
                  timeout: Optional[float] = None) -> Numbers32:
        """All distances from a node, or to it: uint32, node_limit entries. Entry u is the distance
        of the node with the number u: 0 for the node itself, NONE if there is no path. direction:
        "from" the node, along the edges, or "to" it."""
        found: Numbers32 = self._walk(key, direction, without, timeout, False)
        return found

    def parents(self, key: Any, *, direction: str = "from", without: Any = (),
                timeout: Optional[float] = None) -> Numbers32:
        """The trees of shortest paths: uint32, node_limit entries. Entry u is the number of the
        node before u on a shortest path from the node (after u, on one "to" it); NONE for the node
        itself, and if there is no path."""
        found: Numbers32 = self._walk(key, direction, without, timeout, True)
        return found

    def histogram(self, key: Any, *, direction: str = "from", without: Any = (),
                  timeout: Optional[float] = None) -> Histogram:
        """How many nodes have each distance from a node, or "to" it."""
        node = self.node(key)
        numbers = self.distances(key, direction=direction, without=without, timeout=timeout)
        return counted(numbers, self._first_node, f"distances {direction} {self.label(node)}")

    def reach(self, nodes: Any = None, *, direction: str = "from", without: Any = (),
              timeout: Optional[float] = None) -> Reach:
        """What each of many nodes reaches: how many nodes, the distance of the farthest one, and the
        sum of all distances. 512 searches are made at once.

        nodes: a row of nodes, as for hops; None: all, in the order of their numbers. direction:
        "from" the nodes, or "to" them. timeout: of the whole call. The largest eccentricity of all
        nodes is the diameter of the graph, the smallest its radius.

        >>> reach = Graph.from_edges([0, 1], [1, 2]).reach()
        >>> [list(map(int, row)) for row in reach]
        [[3, 2, 1], [2, 1, 0], [3, 1, 0]]
        """
        if direction not in DIRECTIONS:
            raise ArgumentError(f'direction: "{direction}" is neither "from" nor "to"')
        row = convert.every_node(self) if nodes is None else convert.nodes_of(self, nodes)
        limit_ns, count = _native.nanoseconds(timeout), row[2]
        found = (_native.NodeReach * count)()
        with self._searching(None, self._avoided(without)) as search:
            search.long(lambda error: library.pwgraph_search_reach(
                search.owner, row[1], count, DIRECTIONS[direction], ctypes.addressof(found), error),
                (1 + count // 64) * self._work(), limit_ns)
        return convert.reach_of(found)

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

    def _walk(self, key: Any, direction: str, without: Any, timeout: Optional[float],
              wants_parents: bool) -> Any:
        """Distances, or parents if wanted."""
        if direction not in ("from", "to"):
            raise ArgumentError(f'direction: "{direction}" is neither "from" nor "to"')
        node, limit_ns = self.node(key), _native.nanoseconds(timeout)
        hops, hops_address = room(self._node_limit)
        parents, parents_address = room(self._node_limit) if wants_parents else (None, None)
        with self._searching(None, self._avoided(without)) as search:
            search.long(lambda error: library.pwgraph_search_distances(
                search.owner, node, DIRECTIONS[direction], hops_address, parents_address,
                self._node_limit, error), self._work(), limit_ns)
        return parents if wants_parents else hops

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
            if isinstance(source, str) or not hasattr(source, "__iter__"):
                raise TypeError("expected a second node, or a row of pairs")
            source, target = convert.columns(source)
        first, second = (convert.nodes_of(self, row) for row in (source, target))
        if first[2] != second[2]:
            raise ArgumentError(f"pairs: {first[2]} sources and {second[2]} targets")
        return first, second, first[2]


def is_many(value: Any, index: Optional[Dict[Hashable, int]]) -> bool:
    """True if this is not one node but a row of them."""
    if isinstance(value, (str, int)):
        return False
    if index is not None:
        with contextlib.suppress(TypeError):
            return value not in index and hasattr(value, "__len__")
    return hasattr(value, "__len__")


def made_options(flag: ctypes.c_int, memory_limit: int, threads: int, undirected: bool,
                 reverse: bool, compact: bool) -> Options:
    """The options that loading and making share."""
    return Options(size=ctypes.sizeof(Options), cancel=ctypes.addressof(flag),
                   memory_limit=natural(memory_limit, "memory_limit", 2**64 - 1),
                   threads=natural(threads, "threads", _native.THREADS_MAX),
                   undirected=bool(undirected), reverse=bool(reverse), compact=bool(compact))


__all__ = ["ENGINES", "Graph", "PointerWarsWarning"]

"""What a graph keeps: its nodes with their names and numbers, and its arrays."""
from __future__ import annotations

import ctypes
import difflib
import itertools
import operator
import os
import sys
from typing import (TYPE_CHECKING, Any, Callable, Dict, Hashable, Iterable, Iterator, List,
                    NoReturn, Optional, Sequence, Tuple, TypeVar)

from . import _native
from ._native import (CANCELLED, U32, ArgumentError, Error, GraphOwner, Match, PointerWarsError,
                      UnknownNode, decoded, failed, find, interruptibly, library, name_lock,
                      natural, room, text_of, typed_text)

if TYPE_CHECKING:
    from ._native import Numbers32, Numbers64

N = TypeVar("N", bound="Nodes")


def key_list(names: Iterable[Hashable]) -> List[Hashable]:
    """Keys given in memory; TypeError for one text, which would be a key per letter."""
    if isinstance(names, (str, bytes, bytearray)):
        raise TypeError("names: a key per node, not one text")
    return list(names)


class Nodes:
    """The nodes and arrays of a graph. Graph adds how it is made, and what it is asked."""
    __slots__ = ("_owner", "_keys", "_index", "_views", "_by_block", "_first_node", "_node_limit",
                 "_edge_count", "_directed", "_left_out", "__weakref__")

    def __init__(self, owner: GraphOwner, keys: Optional[Sequence[Hashable]] = None,
                 directed: bool = True, by_block: bool = False) -> None:
        """Of the package: Graph.load and Graph.from_... make a graph."""
        if not isinstance(owner, GraphOwner):
            raise TypeError("Graph.load, Graph.from_edges and their like make a graph")
        self._owner: Optional[GraphOwner] = owner
        self._by_block = by_block
        self._views: Dict[str, Any] = {}
        count: int = library.pwgraph_node_count(owner)
        self._first_node = int(count > 0 and not library.pwgraph_has_node(owner, 0))
        self._node_limit = self._first_node + count
        self._edge_count: int = library.pwgraph_edge_count(owner)
        self._directed = directed
        self._left_out = False  # True if edges had weights, or a file further columns
        self._keys: Optional[List[Hashable]] = None
        self._index: Optional[Dict[Hashable, int]] = None
        if keys is not None:
            self._keys = key_list(keys)
            self._index = {key: node for node, key in enumerate(self._keys, self._first_node)}
            if len(self._keys) != len(self) or len(self._index) != len(self):
                raise ArgumentError(f"names: expected {len(self)} different ones, found "
                                    f"{len(self._keys)}, and {len(self._index)} of them differ")

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
        self._views = {}

    def __enter__(self: N) -> N:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __copy__(self: N) -> N:
        return self

    def __deepcopy__(self: N, _: object) -> N:
        return self

    def __repr__(self) -> str:
        state = "closed, " if self._owner is None else ""
        return (f"<pointer_wars.Graph: {state}{len(self):,} nodes, {self.edge_count:,} edges>")

    # Nodes ------------------------------------------------------------------------------------

    def node(self, key: Any) -> int:
        """The number of a node. UnknownNode, with names that are spelt alike, if no node has this name;
        TypeError for what cannot be one. An int is a number; a text of digits is a name, if the
        graph has names, and "#7" is the number 7. A name must be exact; see resolve. The address
        of an article is a name, too: https://en.wikipedia.org/wiki/Laos."""
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
        return (f"{self._first_node}..{self._node_limit - 1}" if len(self) else "no nodes")

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
        first such name puts all names in order: a second and 100 MB per 5 million, or OutOfMemory.
        """
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
        typed = text.encode("utf-8", "surrogateescape")
        if b"\0" in typed:
            raise UnknownNode(f"no node is called {text!r}")
        match, at_once = Match(), ctypes.c_int(1)  # without making the order of names
        is_found = library.pwgraph_resolve(owner, typed, ctypes.addressof(at_once),
                                           ctypes.byref(match))
        if match.code == CANCELLED:
            self._order_names()
            is_found = library.pwgraph_resolve(owner, typed, None, ctypes.byref(match))
        if match.code:
            failed(match)
        if not is_found:
            error = UnknownNode(decoded(match.text))
            error.suggestions = tuple(self.labels(match.near[:match.near_count]))
            raise error
        return match.node, decoded(match.text)

    def _order_names(self) -> None:
        """Have the names in order, for completion and for a name in another spelling. The first
        call may take a second per 5 million names."""
        owner, flag, error = self.owner, ctypes.c_int(0), Error()
        with name_lock:
            interruptibly(lambda: library.pwgraph_order_names(
                owner, ctypes.addressof(flag), ctypes.byref(error)), [flag]) or failed(error)

    def key(self, node: int) -> Any:
        """The key of the node with a number: its name, or the number if it has no name."""
        return self._keys_of([self._number(node)])[0]

    def keys(self, nodes: Optional[Iterable[int]] = None) -> List[Any]:
        """The keys of nodes, given by their numbers; None: of all, in the order of the numbers."""
        if nodes is None:
            return self._keys_of(range(self._first_node, self._node_limit))
        return self._keys_of([self._number(node) for node in nodes])

    def _keys_of(self, nodes: Iterable[int]) -> List[Any]:
        """The keys of nodes, given by numbers that are known to be right."""
        owner, name_of = self.owner, library.pwgraph_name
        if self._keys is not None:
            return [self._keys[node - self._first_node] for node in nodes]
        names = [(node, name_of(owner, node)) for node in nodes]
        if self._by_block:
            self._check()
        return [node if name is None else name.decode("utf-8", "surrogateescape")
                for node, name in names]

    def _asked(self, node: int) -> Any:
        """What a question takes for the node with a number: its key if keys were given in memory,
        else the number, because several nodes may have one name."""
        return node if self._keys is None else self.key(node)

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
        """A fact about the snapshot of a wiki: "wiki", its "address", "date", "namespaces" and
        others that wikipedia-import reports. None if it is not known."""
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
        """Names that start with prefix; if no name does, names that do so without regard to
        case, accents and underscores. limit: of names. order: "name", or "degree" for those
        with the most edges first. Cost: 0.1 s per 10 million names.

        >>> Graph.from_edges([0], [1], names=["apple", "banana"]).complete("a")
        ['apple']
        """
        return self.labels(self.completions(prefix, limit, order)[0])

    def completions(self, prefix: str, limit: int, order: str = "name") -> Tuple[List[int], int]:
        """As complete, but the numbers of the nodes, and how many there are without the limit.

        >>> Graph.from_edges([0], [1], names=["pear", "plum"]).completions("p", 1)
        ([0], 2)
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
            return [self.node(name) for name in names[:most]], len(names)
        nodes, address = room(most)
        total = ctypes.c_size_t(0)
        typed = prefix.encode("utf-8", "surrogateescape")
        self._order_names()
        count = 0 if b"\0" in typed else interruptibly(lambda: library.pwgraph_complete(
            owner, typed, int(order == "degree"), address, most, ctypes.byref(total)), [])
        self._check()
        return list(map(int, nodes[:count])), total.value

    def random_node(self, seed: Optional[int] = None) -> Any:
        """The key of a random node with out-edges; each is equally likely. seed: the same number
        gives the same node. ArgumentError if the graph has no edges."""
        return self.key(next(self.random_nodes(seed)))

    def random_nodes(self, seed: Optional[int] = None) -> Iterator[int]:
        """The numbers of random nodes with out-edges, without end. seed and errors as of
        random_node."""
        state = ctypes.c_uint64(int.from_bytes(os.urandom(8), "little") if seed is None
                                else operator.index(seed) & (2**64 - 1))
        found = U32()
        while library.pwgraph_random_node(self.owner, ctypes.byref(state), ctypes.byref(found)):
            yield found.value
        raise ArgumentError("the graph has no edges")

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
        """A list of neighbours; only the blocks of the file that have it are read."""
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

    def neighbours_of(self, key: Any) -> Numbers32:
        """The numbers of the nodes to which a node leads: a view of `neighbours`, uint32."""
        return self._out(self.node(key))

    def _out(self, node: int) -> Numbers32:
        if self._by_block:
            return self._row(library.pwgraph_out, node)
        offsets = self.offsets
        return self.neighbours[int(offsets[node]):int(offsets[node + 1])]

    def in_neighbours_of(self, key: Any) -> Numbers32:
        """The numbers of the nodes that lead to a node: a view of `in_neighbours`, uint32."""
        node = self.node(key)
        if self._by_block:
            return self._row(getattr(library, "pwgraph_in"), node)
        offsets = self.in_offsets
        return self.in_neighbours[int(offsets[node]):int(offsets[node + 1])]

    def out_degree(self, key: Any) -> int:
        """The number of a node's out-neighbours."""
        return len(self.neighbours_of(key))

    def in_degree(self, key: Any) -> int:
        """The number of a node's in-neighbours."""
        return len(self.in_neighbours_of(key))

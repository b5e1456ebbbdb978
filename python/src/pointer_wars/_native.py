"""The binding: libpwgraph through ctypes, memory with its owner, errors, calls that Ctrl-C ends.

ctypes and not cffi: a call takes 0.25 to 0.7 us with either, and ctypes is part of Python, so that
one wheel serves every version and nothing is compiled at import. Each call releases the lock of the
interpreter, except those in QUICK, which end before another thread could have begun.

Who frees what: an Owner is the address of something of the library. It is freed when nothing refers
to it any more. Whoever has one keeps what it needs itself, and lets go of that afterwards (a search
before its graph): Python empties slots in the alphabetical order of their names.
"""
from __future__ import annotations

import _thread
import array
import ctypes
import gc
import itertools
import math
import mmap
import operator
import os
import pathlib
import threading
import time
from typing import (TYPE_CHECKING, Any, Callable, Dict, Iterable, List, Literal, NoReturn, Optional,
                    Tuple, Type, TypeVar, Union)

import numpy

if TYPE_CHECKING:
    from numpy.typing import NDArray
    Numbers32 = NDArray[numpy.uint32]
    Numbers64 = NDArray[numpy.uint64]
    Floats = NDArray[numpy.float64]

VERSION = "1.0.0"
NONE = 0xffffffff  #: in arrays: no node, or no path
TEXT_SIZE = 512
THREADS_MAX = 1024

O = TypeVar("O", bound="Owner")
U32, U64, SIZE, POINTER = ctypes.c_uint32, ctypes.c_uint64, ctypes.c_size_t, ctypes.c_void_p


class Error(ctypes.Structure):
    """struct pwgraph_error"""
    _fields_ = [("code", ctypes.c_int), ("text", ctypes.c_char * TEXT_SIZE)]


class Progress(ctypes.Structure):
    """struct pwgraph_progress"""
    _fields_ = [("phase", ctypes.c_char_p), ("bytes_done", U64), ("bytes_total", U64),
                ("edges", U64), ("seconds", ctypes.c_double)]


ON_PROGRESS = ctypes.CFUNCTYPE(None, POINTER, ctypes.POINTER(Progress))
ON_NOTE = ctypes.CFUNCTYPE(None, POINTER, ctypes.c_char_p)


class Options(ctypes.Structure):
    """struct pwgraph_options"""
    _fields_ = [("size", SIZE), ("names", ctypes.c_char_p), ("format", ctypes.c_char_p),
                ("cache", ctypes.c_char_p), ("memory_limit", U64), ("threads", ctypes.c_uint),
                ("undirected", ctypes.c_bool), ("reverse", ctypes.c_bool),
                ("compact", ctypes.c_bool), ("progress", ON_PROGRESS), ("note", ON_NOTE),
                ("context", POINTER), ("cancel", POINTER), ("by_block", ctypes.c_bool),
                ("columns", ctypes.c_char_p)]


class Arrays(ctypes.Structure):
    """struct pwgraph_arrays"""
    _fields_ = [("first_node", U32), ("node_limit", U32), ("edge_count", U64),
                ("offsets", POINTER), ("neighbours", POINTER), ("in_offsets", POINTER),
                ("in_neighbours", POINTER), ("ids", POINTER)]


class Match(ctypes.Structure):
    """struct pwgraph_match"""
    _fields_ = [("fit", ctypes.c_int), ("node", U32), ("near_count", U32), ("near", U32 * 5),
                ("code", ctypes.c_int), ("text", ctypes.c_char * TEXT_SIZE)]


class Counts(ctypes.Structure):
    """struct pwgraph_counts"""
    _fields_ = [("code", ctypes.c_int), ("nodes", U64), ("edges", U64), ("nanoseconds", U64)]


class PathGraph(ctypes.Structure):
    """struct pwgraph_paths"""
    _fields_ = [("hops", U32), ("node_count", SIZE), ("nodes", POINTER), ("levels", POINTER),
                ("link_begins", POINTER), ("links", POINTER), ("count", ctypes.c_char_p),
                ("count_at_most", U64)]


class Levels(ctypes.Structure):
    """struct pwgraph_levels"""
    _fields_ = [("level_count", SIZE), ("begins", ctypes.POINTER(SIZE)), ("nodes", POINTER),
                ("found_from", POINTER)]

    def bounds(self) -> List[int]:
        """Where each level begins among the nodes, the end included."""
        bounds: List[int] = self.begins[:self.level_count + 1]
        return bounds


ANY_ORDER, QUEUE_TREE = 0, 2  # of enum pwgraph_level_order


class NodeReach(ctypes.Structure):
    """struct pwgraph_reach"""
    _fields_ = [("farness", U64), ("harmonic", ctypes.c_double), ("eccentricity", U32), ("reached", U32)]


class Diameter(ctypes.Structure):
    """struct pwgraph_diameter"""
    _fields_ = [(name, U32) for name in ("nodes", "diameter_min", "diameter_max", "radius_min",
                                         "radius_max", "center", "from", "to", "walks")]


# The library ------------------------------------------------------------------------------------

TEXT, BOOL, INT, UINT = ctypes.c_char_p, ctypes.c_bool, ctypes.c_int, ctypes.c_uint
PROTOTYPES: Dict[str, Tuple[Any, List[Any]]] = {
    "version": (UINT, []),
    "open": (POINTER, [TEXT, POINTER, POINTER]),
    "free": (None, [POINTER]),
    "node_count": (U32, [POINTER]),
    "edge_count": (U64, [POINTER]),
    "find": (BOOL, [POINTER, TEXT, POINTER]),
    "resolve": (BOOL, [POINTER, TEXT, POINTER, POINTER]),
    "order_names": (BOOL, [POINTER, POINTER, POINTER]),
    "label": (TEXT, [POINTER, U32, POINTER]),
    "labels": (SIZE, [POINTER, POINTER, SIZE, POINTER, SIZE]),
    "from_edges": (POINTER, [POINTER, POINTER, U64, UINT, U64, POINTER, POINTER]),
    "from_csr": (POINTER, [POINTER, UINT, POINTER, UINT, U64, INT, POINTER, POINTER]),
    "save": (BOOL, [POINTER, TEXT, POINTER, POINTER]),
    "get_arrays": (None, [POINTER, POINTER]),
    "name": (TEXT, [POINTER, U32]),
    "page": (U32, [POINTER, U32]),
    "pages": (None, [POINTER, POINTER, SIZE, POINTER]),
    "fact": (BOOL, [POINTER, TEXT, POINTER]),
    "complete": (SIZE, [POINTER, TEXT, INT, POINTER, SIZE, POINTER]),
    "components": (BOOL, [POINTER, INT, POINTER, SIZE, POINTER, POINTER, POINTER]),
    "random_node": (BOOL, [POINTER, POINTER, POINTER]),
    "engine": (TEXT, [SIZE]),
    "search_create": (POINTER, [POINTER, TEXT, POINTER]),
    "search_free": (None, [POINTER]),
    "search_limit": (None, [POINTER, U64, POINTER]),
    "search_avoid": (BOOL, [POINTER, POINTER, SIZE, POINTER]),
    "search_counts": (Counts, [POINTER]),
    "search_run": (INT, [POINTER, U32, U32, POINTER]),
    "search_path": (BOOL, [POINTER, POINTER, SIZE]),
    "search_pairs": (BOOL, [POINTER, POINTER, POINTER, SIZE, UINT, POINTER, POINTER]),
    "search_longer_paths": (POINTER, [POINTER, U32, U32, U32, POINTER]),
    "paths_free": (None, [POINTER]),
    "paths_list": (U64, [POINTER, U64, POINTER, SIZE]),
    "search_reach": (BOOL, [POINTER, POINTER, SIZE, INT, POINTER, POINTER]),
    "search_diameter": (BOOL, [POINTER, POINTER, POINTER, SIZE, POINTER]),
    "search_distances": (BOOL, [POINTER, U32, INT, POINTER, POINTER, SIZE, POINTER]),
    "search_threads": (BOOL, [POINTER, UINT, POINTER]),
    "search_betweenness": (BOOL, [POINTER, POINTER, SIZE, INT, POINTER, SIZE, POINTER]),
    "search_levels": (BOOL, [POINTER, POINTER, SIZE, INT, U32, INT, POINTER, POINTER]),
    "has_node": (BOOL, [POINTER, U32]),
    "out": (POINTER, [POINTER, U32, POINTER]),
    "in": (POINTER, [POINTER, U32, POINTER]),
    "redirects": (SIZE, [POINTER, U32, POINTER, SIZE]),
    "is_damaged": (BOOL, [POINTER, POINTER]),
}
#: Calls that end within a microsecond keep the lock: giving it up takes longer, and then waits for
#: the turn of other threads of Python. All others release it.
QUICK = ("search_limit", "search_counts", "is_damaged")


def load_library() -> ctypes.CDLL:
    """The library that POINTER_WARS_LIBRARY names, or the wheel's, or the system's."""
    major = VERSION.partition(".")[0]
    own = pathlib.Path(__file__).resolve().parent / "lib" / f"libpwgraph.so.{major}"
    place = os.environ.get("POINTER_WARS_LIBRARY") or (str(own) if own.exists() else own.name)
    try:
        library, quick = ctypes.CDLL(place), ctypes.PyDLL(place)
        for name in QUICK:
            setattr(library, "pwgraph_" + name, getattr(quick, "pwgraph_" + name))
        for name, (result, arguments) in PROTOTYPES.items():
            function = getattr(library, "pwgraph_" + name)
            function.restype, function.argtypes = result, arguments
    except (OSError, AttributeError) as why:
        raise ImportError(
            f"pointer_wars needs libpwgraph, and it cannot be loaded: {why}. `pip install .` "
            "in the source tree builds and brings it; or POINTER_WARS_LIBRARY names libpwgraph.so") from why
    return library


library = load_library()
find = library.pwgraph_find
search_run = library.pwgraph_search_run
search_path = library.pwgraph_search_path


def engines() -> Iterable[str]:
    """The engines of the library."""
    for number in itertools.count():
        name = library.pwgraph_engine(number)
        if name is None:
            return
        yield name.decode()


ENGINES = tuple(engines())


# Errors -----------------------------------------------------------------------------------------

class PointerWarsError(Exception):
    """The base class of all errors of this package; most have the library's text."""


class ArgumentError(PointerWarsError, ValueError):
    """An argument breaks the rules of its function."""


class UnknownNode(PointerWarsError, KeyError):
    """The graph has no such node; the text suggests names that are spelt alike.

    suggestions: these names, best first.
    """
    suggestions: Tuple[str, ...] = ()

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class OutOfMemory(PointerWarsError, MemoryError):
    """The memory of the system, or the limit that was given, is too small."""


class InputError(PointerWarsError, OSError, ValueError):
    """A file cannot be read, is malformed, or does not fit an option; or arrays are malformed."""


class NoFile(InputError, FileNotFoundError):
    """There is no such file."""


class NotWritten(PointerWarsError, OSError):
    """A file cannot be written."""


class Cancelled(PointerWarsError):
    """The call was ended from outside."""


class TimedOut(PointerWarsError, TimeoutError):
    """The limit of time has passed."""


CODES = {1: ArgumentError, 2: OutOfMemory, 3: InputError, 4: NotWritten, 5: Cancelled, 6: TimedOut}
CANCELLED, TIMED_OUT = 5, 6
TEXTS = {2: "out of memory", 5: "cancelled", 6: "timed out"}


def decoded(text: Optional[bytes]) -> str:
    """Text of the library; bytes that are no UTF-8 come back as they were when it is encoded."""
    return (text or b"").decode("utf-8", "surrogateescape")


def failed(error: Union[Error, Match]) -> NoReturn:
    """Raise what the library reports."""
    raise CODES.get(error.code, PointerWarsError)(decoded(error.text))


def failed_code(code: int) -> NoReturn:
    """The same, for a search that has a code and no text."""
    raise CODES.get(code, PointerWarsError)(TEXTS.get(code, f"failed with code {code}"))


# Memory and its owner ---------------------------------------------------------------------------

_untrack = ctypes.pythonapi.PyObject_GC_UnTrack
_untrack.restype, _untrack.argtypes = None, [ctypes.py_object]
_bound = ctypes.pythonapi.PyInstanceMethod_New
_bound.restype, _bound.argtypes = ctypes.py_object, [ctypes.py_object]


class Owner(int):
    """An address of the library's, which is freed when nothing refers to it any more.

    Its __del__ is a function in C, of the library: within one in Python, a signal's handler may
    run, and an exception is lost there, so that Ctrl-C would end nothing. As an Owner refers to
    nothing, the garbage collector need not know it. So it lives until the collector has taken a
    cycle apart, and whatever is finalised in the cycle may still use the address.
    """
    __slots__ = ()

    def __new__(cls: Type[O], address: Optional[int]) -> O:
        made = super().__new__(cls, address or 0)
        if gc.is_tracked(made):
            _untrack(made)
        return made

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("what belongs to a loaded graph cannot be pickled; save the graph")


class GraphOwner(Owner):
    """A struct pwgraph."""
    __slots__ = ()
    __del__ = _bound(library.pwgraph_free)


class SearchOwner(Owner):
    """A struct pwgraph_search, which must go before its graph."""
    __slots__ = ()
    __del__ = _bound(library.pwgraph_search_free)


class PathsOwner(Owner):
    """A struct pwgraph_paths."""
    __slots__ = ()
    __del__ = _bound(library.pwgraph_paths_free)


class Lent:
    """A graph and the arrays that it uses; Python lets go of them in the order of their names."""
    __slots__ = ("address", "arrays")

    def __init__(self, address: GraphOwner, arrays: object) -> None:
        self.address, self.arrays = address, arrays


_lent: Dict[int, Lent] = {}  # by their addresses


class LentGraph(GraphOwner):
    """A struct pwgraph that uses arrays of Python."""
    __slots__ = ()
    __del__ = _bound(_lent.pop)

    def __new__(cls, owner: Optional[int], arrays: object = None) -> LentGraph:
        made = super().__new__(cls, owner)
        if not isinstance(owner, GraphOwner):
            raise TypeError("expected the owner of a graph")
        _lent[int(owner)] = Lent(owner, arrays)
        return made


def view(owner: Owner, address: Optional[int], count: int, kind: Literal["I", "Q"]) -> Any:
    """Numbers of the library without a copy, read-only, which keep their owner alive. kind: "I" for
    uint32, "Q" for uint64."""
    if not count or not address:
        return numpy.empty(0, f"u{4 if kind == 'I' else 8}")
    memory: Any = ((U32 if kind == "I" else U64) * count).from_address(address)
    memory.owner = owner
    numbers = memoryview(memory).cast("B").toreadonly()
    return numpy.frombuffer(numbers, f"u{4 if kind == 'I' else 8}")


def room(count: int, kind: Literal["I", "d"] = "I") -> Tuple[Any, int]:
    """A new array of numbers, and its address. kind: "I" for uint32, "d" for float64."""
    numbers = numpy.empty(count, kind)
    return numbers, int(numbers.__array_interface__["data"][0])


def numbers_at(address: Optional[int], count: int) -> List[int]:
    """Numbers of the library, copied."""
    return list((U32 * count).from_address(address)) if count and address else []


# Arguments --------------------------------------------------------------------------------------

def natural(value: Any, what: str, largest: int) -> int:
    """A whole number from 0 to largest; ArgumentError for another one, TypeError for no number."""
    number = operator.index(value)
    if not 0 <= number <= largest:
        raise ArgumentError(f"{what}: {number} is outside 0..{largest}")
    return number


def text_of(value: Any, what: str) -> bytes:
    """A path or word for the library."""
    text = os.fsencode(value)
    if b"\0" in text:
        raise ArgumentError(f"{what}: it has a zero byte")
    return text


def typed_text(value: Any, what: str) -> str:
    """A text that somebody has typed, for the library; TypeError for anything else."""
    if not isinstance(value, str):
        raise TypeError(f"{what}: expected a str, not {type(value).__name__}")
    return value


def deadline(timeout: Optional[float]) -> int:
    """When a limit in seconds, from now on, is over: by time.monotonic_ns; 0: never."""
    if timeout is None:
        return 0
    seconds = float(timeout)
    if math.isnan(seconds) or seconds < 0:
        raise ArgumentError(f"timeout: {timeout} is not a time in seconds")
    return time.monotonic_ns() + int(seconds * 1e9) if seconds < 9e9 else 0


def time_left(deadline_ns: int) -> int:
    """Nanoseconds until then, 0: no limit. TimedOut if it is over."""
    left_ns = deadline_ns and deadline_ns - time.monotonic_ns()
    if deadline_ns and left_ns <= 0:
        failed_code(TIMED_OUT)
    return left_ns


Row = Tuple[Any, int, int, int]  # an object to keep, its address, how many numbers, bits of each


def numbers_of(values: Any, what: str) -> Row:
    """Whole numbers for the library, without a copy where an array has 32 or 64 bits per number and
    no gaps. TypeError if they are no whole numbers."""
    refuse_mask(values, what)
    if not hasattr(values, "itemsize") and not hasattr(values, "__array__"):
        values = listed(values, what)
    found = numpy.asarray(values)
    if found.size == 0 and found.ndim <= 1:
        found = numpy.empty(0, numpy.uint32)
    if found.ndim != 1 or found.dtype.kind not in "iu":
        raise TypeError(f"{what}: expected one row of whole numbers, found shape {found.shape} "
                        f"of {found.dtype}")
    if found.dtype.itemsize < 4:
        found = found.astype(numpy.int32)
    if not found.flags.c_contiguous or not found.dtype.isnative:
        found = numpy.ascontiguousarray(found, found.dtype.newbyteorder("="))
    return (found, int(found.__array_interface__["data"][0]), found.size,
            8 * found.dtype.itemsize)


def refuse_mask(values: Any, what: str) -> None:
    """TypeError for numpy's masked arrays: the masked numbers would count."""
    if isinstance(values, numpy.ma.MaskedArray):
        raise TypeError(f"{what}: a mask would be lost")


def listed(values: Any, what: str) -> Any:
    """A row of whole numbers of any kind as an array of Python; TypeError for other values."""
    row = [] if isinstance(values, (bytes, bytearray)) else list(values)
    if bool in set(map(type, row)) or isinstance(values, (bytes, bytearray)):
        raise TypeError(f"{what}: expected whole numbers, not bools or bytes")
    try:
        return array.array("q", row)
    except OverflowError:
        wrong = next(value for value in row if not -2**63 <= operator.index(value) < 2**63)
        raise InputError(f"{what}: {wrong} is not the number of a node") from None


def failed_rows(error: Error, *rows: Tuple[Row, str]) -> NoReturn:
    """Raise what the library reports on rows; it reads a negative number as a large one."""
    for (data, _, count, _), what in rows if error.code == 3 else ():
        smallest = int(data.min()) if count else 0
        if smallest < 0:
            raise InputError(f"{what}: {smallest} is negative")
    failed(error)


def widened(numbers: Row) -> Row:
    """The same numbers in 64 bits each."""
    data, _, _, bits = numbers
    if bits == 64:
        return numbers
    return numbers_of(data.astype(numpy.int64), "")


def in_place(numbers: Row, bits: int, closed: List[Any]) -> Row:
    """Numbers that may stay where they are while a graph uses them, else a copy. An array that owns
    its memory becomes read-only and joins `closed`; other memory must be so already. Numbers of
    another width stay: the library converts them."""
    data, _, _, width = numbers
    if width != bits or is_fixed(data):
        return numbers
    if data.base is None and data.flags.owndata:
        data.flags.writeable = False
        closed.append(data)
        return numbers
    return numbers_of(data.copy(), "")


def is_fixed(data: Any) -> bool:
    """True if no array or buffer that this one is a view of can be written to."""
    while True:
        if isinstance(data, numpy.ndarray):
            if data.flags.writeable or data.base is None:
                return not data.flags.writeable and bool(data.flags.owndata)
            data = data.base
        elif isinstance(data, memoryview):
            if not data.readonly:
                return False
            data = data.obj
        elif isinstance(data, mmap.mmap):
            with memoryview(data) as pages:
                return pages.readonly
        else:
            return isinstance(data, bytes) or isinstance(getattr(data, "owner", None), GraphOwner)


# Calls that Ctrl-C ends -------------------------------------------------------------------------

def interruptibly(call: Callable[[], Any], flags: Iterable[ctypes.c_int],
                  leaves: bool = False) -> Any:
    """Make a long call so that Ctrl-C ends it. A handler of a signal runs in the main thread, and
    only while that executes Python: so another thread makes the call, and the main thread waits.
    If the wait is broken off, the flags are set and the call ends within milliseconds. leaves: the
    call may wait for a pipe, where no flag reaches it: a second Ctrl-C leaves it to itself."""
    if threading.current_thread() is not threading.main_thread():
        return call()
    done, outcome, start, begun = _thread.allocate_lock(), [], _thread.start_new_thread, False

    def work() -> None:
        try:
            outcome.append((True, call()))
        except BaseException as why:  # also what a callback of the user raised
            outcome.append((False, why))
        done.release()

    done.acquire()
    try:
        try:
            begun = True  # before the start: the two leave no room for an exception
            start(work, ())
        except RuntimeError:  # no more threads
            begun = False
            return call()
        done.acquire()
    except BaseException:
        while begun and not outcome:
            for flag in flags:
                flag.value = 1
            try:
                done.acquire(timeout=0.05)
            except BaseException:
                if leaves:
                    raise
        raise
    succeeded, result = outcome[0]
    if not succeeded:
        raise result
    return result


name_lock = threading.RLock()  #: held while the library puts names in order
if hasattr(os, "register_at_fork"):  # no process begins with a lock that nobody opens
    os.register_at_fork(before=name_lock.acquire, after_in_parent=name_lock.release,
                        after_in_child=name_lock.release)

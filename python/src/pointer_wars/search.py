"""One search of the library: the state that one thread at a time asks with."""
from __future__ import annotations

import ctypes
from typing import Any, Callable, List, Optional, Tuple

from . import _native
from ._native import (NONE, TIMED_OUT, U32, GraphOwner, PathsOwner, SearchOwner, failed,
                      failed_code, interruptibly, library, search_path, search_run)
from .answers import Counts

ATTEMPT_NS = 50_000_000   # a search of a pair first runs so long where Ctrl-C cannot end it
SHORT = 32                # nodes of a path for which there is always room
SMALL_WORK = 2_000_000    # nodes and edges to look at: some milliseconds, done where the call is


class Search:
    """A struct pwgraph_search with its flag to cancel, and where it writes."""
    __slots__ = ("flag", "hops", "hops_address", "limit_ns", "owner", "owner_of_graph", "row",
                 "row_address")  # in this order Python lets go of them: the search, then its graph

    def __init__(self, graph: GraphOwner, engine: Optional[str]) -> None:
        name = None if engine is None else _native.text_of(engine, "engine")
        error = _native.Error()
        address = library.pwgraph_search_create(graph, name, ctypes.byref(error))
        if not address:
            failed(error)
        self.owner = SearchOwner(address)
        self.owner_of_graph = graph
        self.flag = ctypes.c_int(0)
        self.hops = U32(0)
        self.hops_address = ctypes.addressof(self.hops)
        self.row = (U32 * SHORT)()
        self.row_address = ctypes.addressof(self.row)
        self.limit_ns = -1

    def limit(self, limit_ns: int) -> None:
        """End each call after so many nanoseconds; 0: never. Clears the flag to cancel."""
        self.flag.value = 0
        if limit_ns != self.limit_ns:
            library.pwgraph_search_limit(self.owner, limit_ns, ctypes.addressof(self.flag))
            self.limit_ns = limit_ns

    def limit_to(self, deadline_ns: int) -> None:
        """End each call when the clock time.monotonic_ns is there; 0: never. TimedOut if it is."""
        self.limit(_native.time_left(deadline_ns))

    def avoid(self, nodes: List[int]) -> None:
        """From now on no path passes these nodes."""
        error = _native.Error()
        avoided = (U32 * len(nodes))(*nodes)
        if not library.pwgraph_search_avoid(self.owner, avoided, len(nodes), ctypes.byref(error)):
            failed(error)

    def threads(self, count: int) -> None:
        """From now on whole-graph calls use so many threads; 0: one per processor."""
        error = _native.Error()
        if not library.pwgraph_search_threads(self.owner, count, ctypes.byref(error)):
            failed(error)

    def run(self, source: int, target: int, deadline_ns: int) -> int:
        """Edges of a shortest path; NONE if no path exists. Ends as limit_to says."""
        left_ns = _native.time_left(deadline_ns)
        first_ns = min(left_ns or ATTEMPT_NS, ATTEMPT_NS)
        self.limit(first_ns)
        answer = search_run(self.owner, source, target, self.hops_address)
        if answer < 0:
            code = library.pwgraph_search_counts(self.owner).code
            if code == TIMED_OUT and first_ns != left_ns:  # a long one, which Ctrl-C may end
                self.limit_to(deadline_ns)
                answer = interruptibly(lambda: search_run(self.owner, source, target,
                                                          self.hops_address), [self.flag])
                code = library.pwgraph_search_counts(self.owner).code
            if answer < 0:
                self.check()
                failed_code(code)
        return self.hops.value if answer else NONE

    def path(self, hops: int) -> Tuple[int, ...]:
        """The nodes of the path of the last run."""
        row, address = self.row, self.row_address
        if hops >= SHORT:
            row = (U32 * (hops + 1))()
            address = ctypes.addressof(row)
        if not search_path(self.owner, address, hops + 1):
            self.check()
            raise _native.OutOfMemory("the path cannot be made: out of memory, or the snapshot's "
                                      "two adjacencies contradict each other")
        return tuple(row[:hops + 1])

    def check(self) -> None:
        """InputError, with its text, if the graph's snapshot has a bad block."""
        error = _native.Error()
        if library.pwgraph_is_damaged(self.owner_of_graph, ctypes.byref(error)):
            failed(error)

    def counts(self) -> Counts:
        """What the last call looked at."""
        found = library.pwgraph_search_counts(self.owner)
        return Counts(found.nodes, found.edges, found.nanoseconds / 1e9)

    def long(self, call: Callable[[Any], Any], work: int, deadline_ns: int) -> Any:
        """Make call(error), which is false on failure; work: an estimate of what it looks at."""
        error = _native.Error()
        self.limit_to(deadline_ns)
        if work < SMALL_WORK:
            found = call(ctypes.byref(error))
        else:
            found = interruptibly(lambda: call(ctypes.byref(error)), [self.flag])
        return found or failed(error)

    def all_paths(self, source: int, target: int, longer: int, work: int,
                  deadline_ns: int) -> PathsOwner:
        """All paths of a pair that have `longer` edges more than a shortest one."""
        found: PathsOwner = self.long(lambda error: PathsOwner(library.pwgraph_search_longer_paths(
            self.owner, source, target, longer, error) or 0), work, deadline_ns)
        return found

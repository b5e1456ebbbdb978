"""Pairs of nodes that are worth a question: any pair with a path, and three well-known ones."""
from __future__ import annotations

import contextlib
import itertools
import random
import string
import time
from typing import Iterator, List, Optional, Sequence, Tuple

from .. import Graph, PointerWarsError, UnknownNode

Pair = Tuple[int, int, Optional[int]]  #: source, target, and the hops between them

TRIES = 100            # pairs that are drawn until one has a path
EXAMPLES = 3           # pairs
FAR = range(4, 7)      # hops of an example
FEW = 12               # shortest paths of the first one
KNOWN = (60, 250, 1000)  # nodes among which examples are sought, one after the other
DRAWS = 300            # pairs of each of these
EXAMPLE_SECONDS = 2.0  # for all examples
SEARCH_SECONDS = 2.0   # of one search
STARTS = string.ascii_uppercase + string.digits  # how titles begin among which examples are sought
PER_START = 40


def own_numbers(graph: Graph, numbers: Iterator[int]) -> Iterator[int]:
    """The numbers of nodes that can be asked for: their name is theirs alone."""
    for number in numbers:
        with contextlib.suppress(UnknownNode):
            if graph.node(graph.key(number)) == number:
                yield number


def random_pair(graph: Graph) -> Optional[Pair]:
    """Two nodes with a path between them; the same node twice if there is no second one. None if
    no node with links has a name of its own."""
    drawn = own_numbers(graph, itertools.islice(graph.random_nodes(), 4 * TRIES))
    latest = time.monotonic() + SEARCH_SECONDS
    source = first = next(drawn, None)
    if first is None or source is None:
        return None
    for target in itertools.islice(drawn, TRIES):
        hops = None if target == source else graph.hops(source, target, timeout=SEARCH_SECONDS)
        if hops is not None:
            return source, target, hops
        source = target
        if time.monotonic() > latest:
            break
    neighbours = map(int, graph.neighbours_of(first))
    near = next((node for node in own_numbers(graph, neighbours) if node != first), first)
    return first, near, None if near == first else 1


def well_known(graph: Graph) -> List[int]:
    """Nodes that can be asked for: of each first letter those with the most links, and of all of
    these the ones that lead to the most first. (Who leads to a node is not known without reading
    the whole graph.)"""
    found = {number for start in STARTS
             for number in graph.completions(start, PER_START, "degree")[0]}
    if len(found) < 2:  # titles in another script
        found.update(itertools.islice(graph.random_nodes(0), KNOWN[-1]))
    return sorted(own_numbers(graph, iter(sorted(found))),
                  key=lambda number: -graph.out_degree(number))


def examples(graph: Graph) -> List[Pair]:
    """Three pairs of well-known nodes that are four to six hops apart, or as far as there are. The
    first has several shortest paths, at most FEW if there is such a pair. The same file gives the
    same pairs."""
    latest = time.monotonic() + EXAMPLE_SECONDS
    chance, nodes = random.Random(0), well_known(graph) if graph.edge_count else []
    found: List[Pair] = []
    first = Drawable(graph)
    for most in KNOWN:
        for _ in range(DRAWS if len(nodes[:most]) > 1 else 0):
            source, target = chance.sample(nodes[:most], 2)
            with contextlib.suppress(PointerWarsError):
                found.append((source, target, graph.hops(source, target, timeout=SEARCH_SECONDS)))
                first.consider(found[-1], FAR)
            chosen = apart(first.pairs + found, FAR)
            if len(chosen) == EXAMPLES and first.is_good():
                return chosen
            if time.monotonic() > latest:
                break
    nearer = sorted((pair for pair in found if pair[2] and pair[2] < FAR.stop),
                    key=lambda pair: -(pair[2] or 0))
    for pair in nearer if not first.pairs else ():
        if first.is_good() or time.monotonic() > latest + SEARCH_SECONDS * (not first.pairs):
            break
        with contextlib.suppress(PointerWarsError):
            first.consider(pair, range(2, FAR.start))
    return apart(first.pairs + nearer, range(1, FAR.stop))


class Drawable:
    """The pair, in a list, with the fewest shortest paths, but with several."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.count: float = 0
        self.pairs: List[Pair] = []

    def is_good(self) -> bool:
        """True if no other pair has to be looked at."""
        return 1 < self.count <= FEW

    def consider(self, pair: Pair, hops: range) -> None:
        """Take a pair of such a distance, if it is better than the one before."""
        if pair[2] not in hops or self.is_good():
            return
        count = self.graph.paths(*pair[:2], timeout=SEARCH_SECONDS).count
        if count > 1 and (not self.pairs or count < self.count):
            self.pairs, self.count = [pair], count


def apart(pairs: Sequence[Pair], hops: range) -> List[Pair]:
    """The first pairs whose distance is one of hops; no two of them share a node."""
    chosen: List[Pair] = []
    for pair in pairs:
        used = {node for source, target, _ in chosen for node in (source, target)}
        if pair[2] in hops and not used & set(pair[:2]) and len(chosen) < EXAMPLES:
            chosen.append(pair)
    return chosen

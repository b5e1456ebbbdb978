"""How long the queue of the challenge's search is, after each node that is taken from it.

The search pushes all neighbours of each node that it meets for the first time, and ends when the
target was among them: so pushes and pops follow from the graph alone, level by level, with arrays.
"""
from __future__ import annotations

import time
from typing import Any, Dict, List, Optional

import numpy

from .. import Graph, TimedOut

POINTS = 300            # of the curve: each the longest queue in its share of the search
PUSHES_MOST = 10_000_000  # for which 0.4 GB of memory are needed


def queue_lengths(graph: Graph, source: int, target: int, timeout: float
                  ) -> Optional[Dict[str, Any]]:
    """The curve, the longest queue, and how many nodes were pushed; None if the search is
    too long for it. TimedOut if it takes more seconds than that."""
    end = time.monotonic() + timeout
    offsets, neighbours = graph.offsets, graph.neighbours
    marked = numpy.zeros(graph.node_limit, bool)
    first = numpy.empty(graph.node_limit, numpy.int64)
    level = numpy.array([source], numpy.uint32)
    lengths: List[Any] = []
    taken = pushed = 0
    is_found = False
    while level.size and not is_found:
        if time.monotonic() > end:
            raise TimedOut("timed out")
        places = numpy.arange(level.size)
        first[level[::-1]] = places[::-1]  # of repeats the last write stays: the first place
        expands = numpy.flatnonzero((first[level] == places) & ~marked[level])
        nodes = level[expands]
        marked[nodes] = True
        begins = offsets[nodes].astype(numpy.int64)
        counts = offsets[nodes.astype(numpy.int64) + 1].astype(numpy.int64) - begins
        ends = numpy.cumsum(counts)
        total = int(ends[-1]) if ends.size else 0
        if pushed + total > PUSHES_MOST:
            return None
        following = neighbours[numpy.arange(total) + numpy.repeat(begins - (ends - counts), counts)]
        grown = numpy.zeros(level.size, numpy.int64)
        grown[expands] = counts
        length = pushed - taken + numpy.cumsum(grown) - places
        hit = numpy.flatnonzero(following == target)
        if hit.size:
            is_found = True
            last = int(numpy.searchsorted(ends, hit[0], side="right"))
            length = length[:int(expands[last]) + 1]
            total = int(ends[last])
        lengths.append(length)
        taken += len(length)
        pushed += total
        level = following
    curve = numpy.concatenate(lengths)
    begins = numpy.unique(numpy.linspace(0, len(curve), POINTS, endpoint=False).astype(int))
    return {"lengths": numpy.maximum.reduceat(curve, begins).tolist(), "peak": int(curve.max()),
            "pushed": pushed}

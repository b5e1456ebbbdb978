"""What the programs of the package share: how they load a graph, and how they say what is wrong."""
from __future__ import annotations

import sys
import warnings
from typing import Optional, Union

from .graph import Graph


def complain(program: str, why: object) -> None:
    """Write a line to standard error; a byte that is not UTF-8 becomes a question mark."""
    text = str(why).encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    print(f"{program}: {text}", file=sys.stderr)


def loaded(program: str, place: str, *, names: Optional[str], undirected: bool,
           cache: Union[None, bool, str] = None, columns: Optional[str] = None) -> Graph:
    """A graph that is read by block, with the library's remarks on standard error."""
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always")
        graph = Graph.load(place, names=names, undirected=undirected, cache=cache, by_block=True,
                           columns=columns, progress=sys.stderr.isatty())
    for note in notes:
        complain(program, note.message)
    return graph

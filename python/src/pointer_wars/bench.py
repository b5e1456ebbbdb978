"""Compare allocators: `bfs` runs with each in turns, and what it measures becomes a table."""
from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
from typing import Any, Dict, List, Optional, Tuple

from . import _native, drawing
from ._native import ArgumentError, PointerWarsError
from .graph import Graph

COLUMNS = ("allocator", "engine", "seconds_median", "seconds_spread", "speed", "speed_low",
           "speed_high", "malloc_calls", "node_bytes", "peak_rss_bytes")


class Table(List[Dict[str, Any]]):
    """Rows of a comparison, where there is no pandas: a list of dicts that prints as a table.
    attrs: what `bfs` says of the comparison."""
    attrs: Dict[str, Any]

    def cells(self) -> List[List[str]]:
        """The head and the rows of the columns that are shown, as texts."""
        names = [name for name in COLUMNS if any(name in row for row in self)]
        return [names] + [[f"{row[name]:.4g}" if isinstance(row.get(name), float)
                           else str(row.get(name, "")) for name in names] for row in self]

    def __str__(self) -> str:
        cells = self.cells()
        widths = [max(map(len, column)) for column in zip(*cells)]
        return "\n".join("  ".join(text.rjust(width) for text, width in zip(row, widths))
                         for row in cells)

    def _repr_html_(self) -> str:
        head, *rows = [[drawing.escaped(text) for text in row] for row in self.cells()]
        lines = ["<tr>" + "".join(f"<td>{text}</td>" for text in row) + "</tr>" for row in rows]
        titles = "".join(f"<th>{text}</th>" for text in head)
        return f"<table><thead><tr>{titles}</tr></thead><tbody>{''.join(lines)}</tbody></table>"


def program(given: Optional[str] = None) -> str:
    """The path of `bfs`: the one given, of POINTER_WARS_BFS, of the wheel, or in PATH."""
    own = pathlib.Path(__file__).resolve().parent / "bin" / "bfs"
    for place in (given, os.environ.get("POINTER_WARS_BFS"), str(own) if own.exists() else None,
                  shutil.which("pointer-wars-bfs"), shutil.which("bfs")):
        if place:
            return place
    raise PointerWarsError("there is no program bfs: POINTER_WARS_BFS names it")


def bench(*allocators: str, graph: Any, pairs: Any, engine: str = "classic", rounds: int = 5,
          warmup: int = 0, timeout: float = 0, bfs: Optional[str] = None) -> Any:
    """Run the same searches with each allocator, in turns and in processes of their own.

    allocators: specifications, as of `bfs --alloc`; one per argument, or several in one. graph: a
    file, "generate:nodes=40k", or a Graph, which is saved for the purpose. pairs: a file,
    "random:100", or pairs of nodes of the Graph. engine: one or several ("classic,plain"). rounds,
    warmup: runs that count, and searches before each. timeout: seconds of each search; 0: none.
    bfs: the program.

    Returns a pandas DataFrame, or a Table where there is no pandas, with a row per allocator:
    seconds_median (of a round, all searches), seconds_spread (half the distance of the quartiles,
    as a share of the median), speed (times as fast as the first one) with the interval speed_low
    to speed_high that holds it with the probability speed_confidence, malloc_calls, peak_rss_bytes.
    attrs["context"] says where and on what, attrs["runs"] has every single run.
    Raises PointerWarsError with what bfs says.
    """
    if not allocators or not all(isinstance(name, str) for name in allocators):
        raise ArgumentError("bench: expected the names of allocators")
    with tempfile.TemporaryDirectory(prefix="pointer-wars-") as folder:
        place, question = _inputs(graph, pairs, pathlib.Path(folder))
        command = [program(bfs), f"--alloc={','.join(allocators)}", f"--engine={engine}",
                   f"--trials={_native.natural(rounds, 'rounds', 10**6)}",
                   f"--warmup={_native.natural(warmup, 'warmup', 10**6)}",
                   f"--timeout={float(timeout):g}", "--format=json", "--", place, question]
        try:
            done = subprocess.run(command, capture_output=True, encoding="utf-8",
                                  errors="replace", check=False)
        except OSError as why:
            raise PointerWarsError(f"bfs cannot be run: {why}") from why
    if done.returncode != 0:
        raise PointerWarsError(done.stderr.strip() or f"bfs ended with {done.returncode}")
    report = json.loads(done.stdout)
    rows = report.get("configurations")
    if not rows:
        raise ArgumentError("bench: two allocators or more are compared")
    table: Any
    try:
        import pandas
        table = pandas.DataFrame(rows)
    except ImportError:
        table = Table(rows)
        table.attrs = {}
    table.attrs.update(context=report["context"], runs=report["runs"])
    return table


def _inputs(graph: Any, pairs: Any, folder: pathlib.Path) -> Tuple[str, str]:
    """The two operands of bfs, written to files if they are in memory."""
    if isinstance(graph, Graph):
        place = str(folder / "graph.pwg")
        graph.save(place)
    else:
        place = os.fspath(graph)
    if isinstance(pairs, (str, os.PathLike)):
        return place, os.fspath(pairs)
    if not isinstance(graph, Graph):
        raise ArgumentError("pairs: nodes are of a Graph; a file's are in a file, too")
    first, second, count = graph._pairs(pairs, None)
    ids = graph.ids
    numbers: List[Any] = [(_native.U32 * count).from_address(row[1]) if count else []
                          for row in (first, second)]
    question = folder / "pairs.txt"
    question.write_text("".join(
        f"#{u} #{v}\n" if ids is None else f"#{ids[u]} #{ids[v]}\n" for u, v in zip(*numbers)))
    return place, str(question)

"""Answers in words, as bfs --from --to prints them."""
from __future__ import annotations

import re
import shutil
import sys
import unicodedata
from typing import List, Optional, Sequence

from .answers import Counts, Histogram
from .nodes import Nodes

NARROWEST = 40  # columns that a line may always have
#: What a terminal obeys instead of showing it: control characters, and what turns the text around.
HIDDEN = re.compile("[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
NO_TEXT = re.compile("[\udc80-\udcff]")  # a byte that is not UTF-8, as Python keeps it


def shown(text: str) -> str:
    """A text in one line: hidden characters as \\x0a or \\u202e, bytes of no character as %FF."""
    text = HIDDEN.sub(lambda found: f"\\x{ord(found[0]):02x}" if found[0] < "\x80"
                      else f"\\u{ord(found[0]):04x}", text)
    return NO_TEXT.sub(lambda found: f"%{ord(found[0]) - 0xdc00:02X}", text)


def width(text: str) -> int:
    """The columns of a text on a terminal."""
    return sum(0 if unicodedata.combining(one) else 2 if unicodedata.east_asian_width(one) in "WF"
               else 1 for one in text)


def columns() -> int:
    """The columns of the terminal, or 80."""
    return max(NARROWEST, shutil.get_terminal_size((80, 24)).columns)


def hops(count: int) -> str:
    """How long a path is."""
    return f"{count} hop{'s' * (count != 1)}"


def time(seconds: float) -> str:
    """A time with as many digits as are true."""
    if seconds < 0.01:
        return f"{seconds * 1e3:.{3 if seconds < 1e-5 else 2}f} ms"
    value, unit = (seconds, "s") if seconds >= 1 else (seconds * 1e3, "ms")
    return f"{value:,.{2 if value < 9.995 else 1 if value < 99.95 else 0}f} {unit}"


def grouped(digits: str) -> str:
    """A number of paths with its separators: 12,345; a text that is no number stays."""
    if not digits.isdigit():
        return digits
    first = len(digits) % 3 or 3
    return ",".join([digits[:first], *(digits[i:i + 3] for i in range(first, len(digits), 3))])


def path(labels: Sequence[str]) -> str:
    """A path; on a terminal it is broken before an arrow, at the terminal's width."""
    most = columns() if sys.stdout.isatty() else None
    lines: List[str] = []
    line = shown(labels[0])
    for label in map(shown, labels[1:]):
        if most is not None and width(line) + 4 + width(label) > most:
            lines.append(line)
            line = f"  -> {label}"
        else:
            line += f" -> {label}"
    return "\n".join([*lines, line])


def figures(graph: Nodes, length: int, counts: Counts, amount: str) -> str:
    """The line after a path: 3 hops, 0.02 ms, one of 5 shortest paths."""
    return f"{hops(length)}, {time(counts.seconds)}{amount}{source_of(graph)}"


def source_of(graph: Nodes) -> str:
    """The date of a wiki's dump: ", simplewiki of 2026-01-01"."""
    date = graph.fact("date")
    return f", {shown(graph.fact('wiki') or '')} of {shown(date)}" if date else ""


def amount_listed(digits: str, limit: int) -> str:
    """How many of all paths are listed."""
    is_part = 0 < limit and (not digits.isdigit() or int(digits) > limit)
    return (f", {f'the first {limit:,} of ' if is_part else ''}{grouped(digits)} shortest path"
            f"{'s' * (digits != '1')}")


def no_path(graph: Nodes, source: int, target: int, avoided: Sequence[int]) -> str:
    """The first line of an answer without a path."""
    among = next((f": {shown(graph.label(node))} is among the nodes to avoid"
                  for node in (source, target) if node in avoided), "")
    return (f"{shown(graph.label(source))} does not lead to {shown(graph.label(target))}{among}"
            f"{source_of(graph)}")


def histogram(graph: Nodes, node: int, counts: Histogram, around: Optional[int]) -> str:
    """A line per distance with a bar that starts at zero, and what is reached. around: the hops of
    the shortest way from the node back to itself."""
    most = max(counts)
    size = max(len(f"{most:,}"), len("nodes"))
    room = max(columns() - len("  hops ") - size - 3, 1)
    lines = [f"  hops  {'nodes':>{size}}"]
    for distance, count in enumerate(counts):
        bar = "#" * ((count * room + most // 2) // most)
        lines.append(f"  {distance:4}  {count:>{size},}{'  ' * bool(bar)}{bar}")
    back = "" if around is None else f", itself in {hops(around)}"
    name = shown(graph.label(node))
    return "\n".join([*lines, f"{name} reaches {sum(counts):,} of {len(graph):,} nodes{back}"])

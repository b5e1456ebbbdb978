"""python3 -m pointer_wars GRAPH: ask for shortest paths at a prompt."""
from __future__ import annotations

import argparse
import signal
import sys
from typing import Any, List, Optional

from . import PointerWarsError, __version__
from .command import complain, loaded
from .prompt import Prompt

NAME = "pointer_wars"


def ended(number: int, _: Any) -> None:
    """A signal ends the program: by an exception, so that the terminal is as it was before."""
    raise SystemExit(128 + number)


def options() -> argparse.ArgumentParser:
    """The options of the program."""
    parser = argparse.ArgumentParser(
        prog="python3 -m pointer_wars", allow_abbrev=False,
        description="Load GRAPH, in any format that bfs reads, ask for two nodes and answer with a "
        "shortest path, again and again. On a terminal Tab completes a name, Up brings a line "
        "back, and Ctrl-D ends; \":help\" lists commands.")
    parser.add_argument("graph", metavar="GRAPH", help="a file; a snapshot opens at once")
    parser.add_argument("--names", metavar="FILE", help="a file with a name per node")
    parser.add_argument("--columns", metavar="A,B",
                        help="the source and the target of a table, by heading or number from 1")
    parser.add_argument("--undirected", action="store_true",
                        help="take every edge in both directions")
    parser.add_argument("--cache", nargs="?", const=True, metavar="FOLDER",
                        help="keep a snapshot of a text, and use it the next time")
    parser.add_argument("--without", action="append", default=[], metavar="NODE",
                        help="a node that no path may have; may be repeated")
    parser.add_argument("-V", "--version", action="version", version=f"{NAME} {__version__}")
    return parser


def main(arguments: Optional[List[str]] = None) -> int:
    """The program; returns its exit status."""
    given = options().parse_args(arguments)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, ended)
    for stream in (sys.stdin, sys.stdout):  # names may have bytes that are not UTF-8
        stream.reconfigure(errors="surrogateescape")  # type: ignore[union-attr]
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    try:
        graph = loaded(NAME, given.graph, names=given.names, undirected=given.undirected,
                       cache=given.cache, columns=given.columns)
        Prompt(graph, [graph.resolve(name) for name in given.without]).run()
        graph._check()
    except (PointerWarsError, OSError, ValueError) as why:
        complain(NAME, why)
        return 1
    except KeyboardInterrupt:
        print(file=sys.stderr)
        complain(NAME, "interrupted")
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())

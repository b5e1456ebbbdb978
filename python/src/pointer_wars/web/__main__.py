"""bfs-web: ask in a browser how two nodes of a graph are connected."""
from __future__ import annotations

import argparse
import os
import sys
import threading
import warnings
import webbrowser
from typing import List, Optional

from .. import Graph, PointerWarsError, __version__

PORT = 8737


def options() -> argparse.ArgumentParser:
    """The options of the program."""
    parser = argparse.ArgumentParser(
        prog="bfs-web", allow_abbrev=False,
        usage="bfs-web [OPTION]... GRAPH",
        description="Open GRAPH, in any format that bfs reads, and serve a page to ask how two of "
        "its nodes are connected, on this computer alone. Print the address, and open a browser "
        "if there is one. Ctrl-C ends it.")
    parser.add_argument("graph", metavar="GRAPH", help="a file, best a snapshot of "
                        "wikipedia-import or graph-convert, which opens at once")
    parser.add_argument("--port", type=int, metavar="N",
                        help=f"the port; 0: any that is free (default: {PORT}, or any if it is "
                        "taken)")
    parser.add_argument("--host", default="127.0.0.1", metavar="ADDRESS",
                        help="the address to listen on; any other than the default lets other "
                        "computers ask (default: 127.0.0.1)")
    parser.add_argument("--allow-host", action="append", default=[], metavar="NAME",
                        help="serve requests for this name of the computer, too; may be repeated")
    parser.add_argument("--names", metavar="FILE", help="a file with a name per node")
    parser.add_argument("--undirected", action="store_true",
                        help="take every edge in both directions")
    parser.add_argument("--no-browser", action="store_true", help="open no browser")
    parser.add_argument("-V", "--version", action="version",
                        version=f"bfs-web (Pointer Wars) {__version__}")
    return parser


def failed(why: object) -> int:
    """Say why there is no page."""
    print(f"bfs-web: {str(why).encode('utf-8', 'surrogateescape').decode('utf-8', 'replace')}",
          file=sys.stderr)
    return 1


def open_browser(address: str) -> None:
    """Open a browser with a window; one in a terminal would take the place of this program."""
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def main(arguments: Optional[List[str]] = None) -> int:
    """The program; returns its exit status."""
    given = options().parse_args(arguments)
    if given.port is not None and not 0 <= given.port <= 65535:
        options().error(f"argument --port: {given.port} is outside 0..65535")
    try:
        from . import costs, server
        from .questions import Questions
    except ModuleNotFoundError as why:
        return failed(f"it needs Starlette and uvicorn ({why}): pip install 'pointer-wars[web]', "
                      "or on Debian apt-get install python3-starlette python3-uvicorn")
    try:
        listener = server.listening(given.host, given.port, PORT)
    except (OSError, UnicodeError) as why:
        return failed(f"it cannot listen on {given.host}"
                      f"{'' if given.port is None else f', port {given.port}'}: {why}")
    address, is_local = server.address_of(listener)
    try:
        with warnings.catch_warnings(record=True) as notes:
            warnings.simplefilter("always")
            graph = Graph.load(given.graph, names=given.names, undirected=given.undirected,
                               by_block=True, progress=sys.stderr.isatty())
        for note in notes:
            print(f"bfs-web: {note.message}", file=sys.stderr)
        bfs = costs.own_program()
        options_of_bfs = [f"--names={os.path.abspath(given.names)}"] if given.names else []
        options_of_bfs += ["--undirected"] if given.undirected else []
        measured = costs.Costs(graph, given.graph, options_of_bfs, bfs) if bfs else None
        app = server.application(Questions(graph, os.path.basename(given.graph), measured),
                                 is_local, given.allow_host)
    except (PointerWarsError, OSError, ValueError) as why:
        return failed(why)
    except KeyboardInterrupt:
        return 130

    def started() -> None:
        print(f"{len(graph):,} nodes, {graph.edge_count:,} edges; ask at\n{address}", flush=True)
        if not given.no_browser:
            open_browser(address)

    server.serve(app, listener, started, measured.end if measured else lambda: None)
    return 0


if __name__ == "__main__":
    sys.exit(main())

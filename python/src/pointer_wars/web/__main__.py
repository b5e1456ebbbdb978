"""bfs-web: ask in a browser how two nodes of a graph are connected."""
from __future__ import annotations

import os
import sys
import threading
import webbrowser
from typing import List, Optional

from .. import PointerWarsError, __version__
from ..command import complain, loaded
from .options import PORT, options

NAME = "bfs-web"


def failed(why: object) -> int:
    """Say why there is no page."""
    complain(NAME, why)
    return 1


def open_browser(address: str) -> None:
    """Open a browser with a window; one in a terminal would take the place of this program."""
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def main(arguments: Optional[List[str]] = None) -> int:
    """The program; returns its exit status."""
    parser = options(__version__)
    given = parser.parse_args(arguments)
    if given.port is not None and not 0 <= given.port <= 65535:
        parser.error(f"argument --port: {given.port} is outside 0..65535")
    try:
        from . import costs, listen, server
        from .application import application
        from .hosted import Hosted
        from .questions import Questions
    except ModuleNotFoundError as why:
        return failed(f"it needs uvicorn and httptools ({why}): pip install uvicorn httptools, "
                      "or on Debian apt-get install python3-uvicorn python3-httptools")
    try:
        listener = listen.listening(given.host, given.port, PORT)
    except (OSError, UnicodeError) as why:
        return failed(f"it cannot listen on {given.host}"
                      f"{'' if given.port is None else f', port {given.port}'}: {why}")
    address, is_local = listen.address_of(listener)
    own = listen.own_name(listener)
    files = [given.graph, *([given.names] if given.names else [])]

    def opening() -> Questions:
        opened = costs.identity(files)
        graph = loaded(NAME, given.graph, names=given.names, undirected=given.undirected)
        measured = costs.offered(graph, files, opened, given.undirected)
        return Questions(graph, os.path.basename(given.graph), measured)
    try:
        hosted = Hosted(given.graph, files, opening)
        app = application(hosted, is_local, given.allow_host + [own] * bool(own))
    except (PointerWarsError, OSError, ValueError) as why:
        return failed(why)
    except KeyboardInterrupt:
        return 130

    def started() -> None:
        graph = hosted.questions.graph
        print(f"{len(graph):,} nodes, {graph.edge_count:,} edges; ask at\n{address}", flush=True)
        if own:
            port = listener.getsockname()[1]
            print(f"other computers ask at http://{own}:{port}/", flush=True)
        if not given.no_browser:
            open_browser(address)

    server.serve(app, [hosted], [listener], started, costs.Costs.close, failed)
    return 0


if __name__ == "__main__":
    sys.exit(main())

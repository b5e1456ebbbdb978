"""bfs-web: ask in a browser how two nodes of a graph are connected."""
from __future__ import annotations

import contextlib
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
        return failed(f"it needs starlette, uvicorn and prometheus_client ({why}): pip install "
                      "starlette uvicorn prometheus_client, or on Debian apt-get install "
                      "python3-starlette python3-uvicorn python3-prometheus-client")
    if given.unix is not None and given.port is not None:
        parser.error("--unix listens on no port: leave out --port")
    try:
        sockets = listen.inherited() or [
            listen.listening(given.host, given.port, PORT) if given.unix is None else
            listen.unix_listening(given.unix)]
    except (OSError, UnicodeError) as why:
        where = given.unix or given.host + ("" if given.port is None else f", port {given.port}")
        return failed(f"it cannot listen on {where}: {why}")
    address = listen.address_of(sockets[0])[0]
    is_local = all(listen.address_of(each)[1] for each in sockets)
    own = listen.own_name(sockets[0])
    files = [given.graph, *([given.names] if given.names else [])]

    def opening() -> Questions:
        opened = costs.identity(files)
        graph = loaded(NAME, given.graph, names=given.names, undirected=given.undirected,
                       columns=given.columns)
        measured = "the server was started with --no-costs" if given.no_costs else \
            costs.offered(graph, files, opened, given.undirected, given.columns)
        return Questions(graph, given.graph, measured, given.title, given.noun)
    try:
        hosted = Hosted(given.graph, files, opening)
        app = application(hosted, is_local, given.allow_host + [own] * bool(own), given.allow_origin,
                          given.metrics)
    except (PointerWarsError, OSError, ValueError) as why:
        return failed(why)
    except KeyboardInterrupt:
        return 130

    def started() -> None:
        graph = hosted.questions.graph
        print(f"{len(graph):,} nodes, {graph.edge_count:,} edges; ask at\n{address}", flush=True)
        if own:
            port = sockets[0].getsockname()[1]
            print(f"other computers ask at http://{own}:{port}/", flush=True)
        if not given.no_browser and address.startswith("http"):
            open_browser(address)

    def ended() -> None:
        costs.Costs.close()
        if given.unix is not None:
            with contextlib.suppress(OSError):
                os.unlink(given.unix)

    server.serve(app, [hosted], sockets, given.access_log, started, ended, failed)
    return 0


if __name__ == "__main__":
    sys.exit(main())

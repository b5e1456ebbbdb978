"""The server as a process: how it begins, and how it ends."""
from __future__ import annotations

import contextlib
import gc
import os
import signal
import socket
import sys
from typing import Any, Callable, List, Optional

import uvicorn

from .application import Application
from .connection import SILENCE, Connection
from .listen import BACKLOG

SWITCH = 0.0005  # seconds after which a thread of Python makes way for another


class Server(uvicorn.Server):
    """A server that says where it is, and ends at once."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], None],
                 ended: Callable[[], None]) -> None:
        super().__init__(config)
        self.when_started, self.when_ended = started, ended

    async def startup(self, sockets: Optional[List[socket.socket]] = None) -> None:
        await super().startup(sockets=sockets)
        self.when_started()

    def handle_exit(self, sig: int, frame: Any) -> None:
        """Ctrl-C, SIGTERM, or the terminal has gone: nothing has to be saved, and a search in a
        thread would make us wait."""
        self.when_ended()
        with contextlib.suppress(OSError):
            sys.stdout.flush()
        os._exit(128 + sig)


def serve(app: Application, listener: socket.socket, started: Callable[[], None],
          ended: Callable[[], None]) -> None:
    """Serve until a signal ends the process."""
    sys.setswitchinterval(SWITCH)
    gc.freeze()  # what is there now stays: no collection looks through it for 10 ms
    config = uvicorn.Config(app, http=Connection, ws="none", loop="asyncio", lifespan="off",
                            log_level="error", access_log=False, server_header=False,
                            date_header=False, timeout_keep_alive=SILENCE, backlog=BACKLOG,
                            proxy_headers=False)
    server = Server(config, started, ended)
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # as nohup has it
        signal.signal(signal.SIGHUP, server.handle_exit)
    server.run(sockets=[listener])

"""The server as a process: how it begins, opens graphs again, and ends.

SIGTERM stops listening, and what is under way has GRACE seconds; Ctrl-C ends at once. SIGHUP, or a
file that replaces the one of a graph, opens it again. If SIGHUP says that the terminal has gone, it
ends the server as Ctrl-C does.
"""
from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import errno
import gc
import os
import signal
import socket
import sys
from typing import Any, Callable, Dict, List, Optional, Sequence

import uvicorn
from starlette.applications import Starlette

from .application import HEADERS
from .hosted import Hosted, replaced
from .lines import Lines
from .listen import BACKLOG
from .record import CONNECTIONS

SWITCH = 0.0005  # seconds after which a thread of Python makes way for another
GRACE = 5.0      # seconds after SIGTERM for what is under way
WATCH = 1.0      # seconds between two looks at the files of graphs
MOST = 500       # connections at once; what comes over more is refused
COMPLAINT = 60   # seconds between two lines about a lack of descriptors
SILENCE = 10     # seconds that a connection is kept after an answer
LOG: Dict[str, Any] = {  # for --access-log, and of errors
    "version": 1, "disable_existing_loggers": False,
    "formatters": {"line": {"()": "uvicorn.logging.AccessFormatter", "use_colors": False,
                            "fmt": '%(asctime)s %(client_addr)s "%(request_line)s" %(status_code)s'},
                   "error": {"format": "bfs-web: %(message)s"}},
    "handlers": {"line": {"()": Lines, "descriptor": 1, "formatter": "line"},
                 "error": {"()": Lines, "descriptor": 2, "formatter": "error"}},
    "loggers": {"uvicorn.access": {"handlers": ["line"], "level": "INFO", "propagate": False},
                "uvicorn.error": {"handlers": ["error"], "level": "ERROR", "propagate": False}},
}


def has_terminal() -> bool:
    """True if a terminal controls this process."""
    try:
        os.close(os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY))
    except OSError:
        return False
    return True


class Server(uvicorn.Server):
    """A server that says where it is, opens graphs again, and knows how to end."""
    should_exit: bool  # of uvicorn

    def __init__(self, config: uvicorn.Config, graphs: Sequence[Hosted],
                 started: Callable[[], None], ended: Callable[[], None],
                 failed: Callable[[object], object]) -> None:
        super().__init__(config)
        self.graphs, self.when_started, self.when_ended = graphs, started, ended
        self.failed = failed
        self.opener = concurrent.futures.ThreadPoolExecutor(1, "open")
        self.on_terminal = has_terminal()
        self.next_complaint = 0.0

    async def startup(self, sockets: Optional[List[socket.socket]] = None) -> None:
        await super().startup(sockets=sockets)
        self.loop = asyncio.get_running_loop()
        self.loop.set_exception_handler(self.complain)
        if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # as nohup has it
            self.loop.add_signal_handler(signal.SIGHUP, self.hang_up)
        CONNECTIONS.set_function(lambda: len(self.server_state.connections))
        self.when_started()
        self.watch()

    def complain(self, loop: asyncio.AbstractEventLoop, context: Dict[str, Any]) -> None:
        """What the loop met. Connections that find no descriptor wait for one, and asyncio would
        print a traceback for each time that it tries."""
        why = context.get("exception")
        if not isinstance(why, OSError) or why.errno not in (errno.EMFILE, errno.ENFILE):
            loop.default_exception_handler(context)
        elif loop.time() >= self.next_complaint:
            self.next_complaint = loop.time() + COMPLAINT
            self.failed(f"connections wait: {os.strerror(why.errno)}")

    def hang_up(self) -> None:
        """SIGHUP."""
        if self.on_terminal and not has_terminal():
            self.end(128 + signal.SIGHUP)
        self.reopen(self.graphs)

    def watch(self) -> None:
        """Open what has been replaced."""
        self.reopen(replaced(self.graphs))
        self.loop.call_later(WATCH, self.watch)

    def reopen(self, graphs: Sequence[Hosted]) -> None:
        """Open graphs again, one after the other, in a thread."""
        def opened(hosted: Hosted) -> None:
            why = hosted.reopen()
            if why is not None:
                self.failed(f"{hosted.name} stays as it was: {why}")
        for hosted in graphs:
            self.opener.submit(opened, hosted)

    def handle_exit(self, sig: int, frame: Any) -> None:
        """Ctrl-C or SIGTERM; the second SIGTERM ends at once."""
        if sig != signal.SIGTERM:
            self.end(128 + sig)
        if self.should_exit:
            self.end(0)
        self.should_exit = True
        asyncio.get_event_loop().call_later(GRACE, self.end, 0)

    def end(self, status: int) -> None:
        """End now: nothing has to be saved, and a search in a thread would make us wait."""
        self.when_ended()
        with contextlib.suppress(OSError):
            sys.stdout.flush()
        os._exit(status)


def serve(app: Starlette, graphs: Sequence[Hosted], sockets: List[socket.socket], has_log: bool,
          started: Callable[[], None], ended: Callable[[], None],
          failed: Callable[[object], object]) -> None:
    """Serve until a signal ends the process. has_log: print a line per request. failed: takes the
    reason why a graph is not opened again."""
    sys.setswitchinterval(SWITCH)
    gc.freeze()  # what exists now stays: no collection looks through it for 10 ms
    config = uvicorn.Config(app, http="h11", ws="none", loop="asyncio", lifespan="off",
                            log_config=LOG, access_log=has_log, server_header=False,
                            date_header=False, timeout_keep_alive=SILENCE, backlog=BACKLOG,
                            proxy_headers=False, limit_concurrency=MOST, headers=HEADERS)
    server = Server(config, graphs, started, ended, failed)
    server.run(sockets=sockets)
    server.end(0)

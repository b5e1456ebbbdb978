"""The server: pages, the API, and what keeps both from being misused.

1. Only names of this computer are served (Host), so that no foreign page reads answers by giving
   its own name our address (DNS rebinding). No CORS; a content security policy of 'self'.
2. A question runs in a thread of a pool (POOLS): names, paths, questions that may look at the whole
   graph, and runs of bfs have pools of their own. What does not fit is refused with 503 at once,
   and what has waited for longer than PATIENCE is refused in place of being answered late. Few
   threads answer while they keep up, so that their stacks and heaps stay in the caches.
3. A connection has SILENCE seconds and REQUEST_MOST bytes for a request, and no more than SILENCE
   seconds may pass in which its client takes nothing of an answer. If there are too many, the one
   is closed that has been without work for the server for the longest time. Requests that are sent
   before the answer to an earlier one are few (PIPELINED), or the connection is closed.
"""
from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import fcntl
import gc
import ipaddress
import json
import os
import pathlib
import signal
import socket
import sys
import termios
import time
import traceback
from typing import (TYPE_CHECKING, Any, Awaitable, Callable, Dict, List, MutableMapping, NamedTuple,
                    Optional, Sequence, Tuple)

import httptools
import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from .. import InputError, OutOfMemory, PointerWarsError, TimedOut
from . import openapi
from .parameters import Refused, parsed
from .questions import QUESTIONS, Questions, clean

if TYPE_CHECKING:
    Scope = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
    Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

#: Threads that answer first, and others that help when these are busy; questions at once.
POOLS = {"names": (2, 2, 64), "paths": (2, 14, 64), "slow": (2, 0, 64), "costs": (1, 0, 1)}
PATIENCE = 5.0            # seconds that a question may wait for a thread
CONNECTIONS = 500         # at once
SPARE = 100               # more of them while all are being answered
SILENCE = 10.0            # seconds for a request to be sent, and without an answer being taken
LOOKS = 5                 # at all connections within that time
REQUEST_MOST = 64 << 10   # bytes of a request
SWITCH = 0.0005           # seconds after which a thread of Python makes way for another
PIPELINED = 8             # requests of a connection that wait while another is answered
BACKLOG = 256             # connections that wait to be accepted
HEADERS = [
    (b"content-security-policy", b"default-src 'none'; script-src 'self'; style-src 'self'; "
     b"img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; "
     b"frame-ancestors 'none'"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
]
STATIC = {"/": ("page.html", b"text/html; charset=utf-8"),
          "/page.css": ("page.css", b"text/css; charset=utf-8"),
          "/page.js": ("page.js", b"text/javascript; charset=utf-8")}


class Answer(NamedTuple):
    """An answer over HTTP; a document of JSON unless it says otherwise."""
    body: bytes
    status: int = 200
    kind: bytes = b"application/json"

    def headers(self) -> List[Tuple[bytes, bytes]]:
        """Its headers."""
        if self.status == 204:
            return HEADERS
        return HEADERS + [(b"content-type", self.kind), (b"content-length", b"%d" % len(self.body)),
                          *([(b"allow", b"GET, HEAD")] if self.status == 405 else [])]


Endpoint = Callable[[bytes], Awaitable[Answer]]  #: from the query of a request to its answer


def answered(value: Any, status: int = 200) -> Answer:
    """An answer of the API."""
    return Answer(json.dumps(value, separators=(",", ":")).encode("ascii"), status)


def refused(why: Refused) -> Answer:
    """A refusal, in the one shape that all have."""
    return answered({"error": why.error}, why.status)


def understood_error(why: Exception) -> Refused:
    """What is answered when a question fails."""
    if isinstance(why, Refused):
        return why
    if isinstance(why, TimedOut):
        return Refused(503, "timed_out", "the search took too long")
    if isinstance(why, OutOfMemory):
        return Refused(503, "no_memory", "there is not enough memory for this answer")
    if isinstance(why, InputError):
        return Refused(500, "damaged_graph", f"the graph's file is damaged or has been changed: "
                       f"{clean(str(why))}; mend it and start the server again")
    if isinstance(why, PointerWarsError):
        return Refused(500, "failed", clean(str(why)))
    traceback.print_exception(type(why), why, why.__traceback__)
    return Refused(500, "internal", "an error of the server, which has printed it")


def busy() -> Refused:
    """What a question gets if there is no thread for it."""
    return Refused(503, "busy", "too many questions at once; ask again in a moment")


class Pool:
    """Threads for questions; only a limited number of questions waits."""

    def __init__(self, first: int, helpers: int, waiting: int, name: str) -> None:
        self.first = concurrent.futures.ThreadPoolExecutor(first, name)
        self.helpers = concurrent.futures.ThreadPoolExecutor(helpers, name) if helpers else None
        self.idle = first
        self.free = waiting

    async def run(self, call: Callable[[], Any]) -> Any:
        """What the call returns. Refused if too many wait."""
        if self.free <= 0:
            raise busy()
        goes_first = self.idle > 0 or self.helpers is None
        self.free -= 1
        self.idle -= goes_first
        latest = time.monotonic() + PATIENCE

        def begun() -> Any:
            if time.monotonic() > latest:
                raise busy()
            return call()
        future = asyncio.get_running_loop().run_in_executor(
            self.first if goes_first else self.helpers, begun)

        def done(_: object) -> None:  # also if nobody waits for the answer any more
            self.free += 1
            self.idle += goes_first
        future.add_done_callback(done)
        return await future


class Application:
    """The ASGI application: which requests it answers, and the headers of every answer."""

    def __init__(self, endpoints: Dict[str, Endpoint], is_local: bool, names: Sequence[str]
                 ) -> None:
        self.endpoints = endpoints
        self.names = {"localhost", "127.0.0.1", *(name.lower() for name in names)}
        self.is_local = is_local

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        answer = await self.answer(scope)
        await send({"type": "http.response.start", "status": answer.status,
                    "headers": answer.headers()})
        await send({"type": "http.response.body", "body": answer.body})

    async def answer(self, scope: Scope) -> Answer:
        """The answer to a request."""
        headers = scope["headers"]
        hosts = [value.decode("latin-1") for name, value in headers if name == b"host"]
        found = {name: value for name, value in headers if name.startswith(b"sec-fetch-")}
        endpoint = self.endpoints.get(scope["path"])
        try:
            if len(hosts) != 1 or not self.knows(hosts[0]):
                raise Refused(421, "foreign_host", "the Host header is not of this server; "
                              "--allow-host=NAME allows another name")
            # another server of this computer, on another port, is the same site
            if (found.get(b"sec-fetch-site") in (b"cross-site", b"same-site") and
                    found.get(b"sec-fetch-mode") != b"navigate"):
                raise Refused(403, "foreign_page", "a page of another site asks")
            if endpoint is None:
                raise Refused(404, "not_found", "there is no such page")
            if scope["method"] not in ("GET", "HEAD"):
                raise Refused(405, "not_allowed", "only GET is answered")
            return await endpoint(scope["query_string"])
        except Exception as why:  # each has an answer
            return refused(understood_error(why))

    def knows(self, host: str) -> bool:
        """True for a Host header with an address, or a name of this server. An address cannot be
        rebound, but a server for this computer alone has no other than its own."""
        before, _, port = host.rpartition(":")
        name = before if port.isascii() and port.isdigit() else host
        name = name.rstrip(".").lower()
        if name in self.names:
            return True
        try:
            address = ipaddress.ip_address(name[1:-1] if name[:1] == "[" else name)
        except ValueError:
            return False
        return address.is_loopback if self.is_local else True


def application(questions: Questions, is_local: bool = True, names: Sequence[str] = ()
                ) -> Application:
    """The ASGI application. is_local: it is reached from this computer alone."""
    pools = {name: Pool(*limits, name) for name, limits in POOLS.items()}
    folder = pathlib.Path(__file__).parent / "static"

    def asked(address: str) -> Endpoint:
        parameters, question, pool = QUESTIONS[address]

        async def endpoint(query: bytes) -> Answer:
            values = parsed(query, parameters)
            if pool is None:
                return answered(question(questions, values))
            return answered(await pools[pool].run(lambda: question(questions, values)))
        return endpoint

    def always(answer: Answer) -> Endpoint:
        async def endpoint(_: bytes) -> Answer:
            return answer
        return endpoint

    endpoints = {address: asked(address) for address in QUESTIONS}
    for address, (name, kind) in STATIC.items():
        endpoints[address] = always(Answer((folder / name).read_bytes(), kind=kind))
    endpoints["/api/openapi.json"] = always(answered(openapi.document(QUESTIONS)))
    endpoints["/favicon.ico"] = always(Answer(b"", 204))
    return Application(endpoints, is_local, names)


class Parser(httptools.HttpRequestParser):
    """A parser of requests to which an Upgrade header is a header like any other."""

    def should_upgrade(self) -> bool:
        """False: the request is answered."""
        return False


class Connection(HttpToolsProtocol):
    """A connection that must send its requests and take its answers in time."""
    idle: Dict["Connection", None] = {}  #: connections without work for us, longest idle first
    clock: Optional[asyncio.TimerHandle] = None  #: which looks at all connections
    received = 0     #: bytes since the last whole request
    begun = 0.0      #: when the request began that is being sent; also of the first one
    unsent = 0       #: bytes that waited to be sent at the last look
    progress = 0.0   #: when the client last took some of them

    def __init__(self, *words: Any, **named: Any) -> None:
        super().__init__(*words, **named)
        self.parser = Parser(self)
        with contextlib.suppress(AttributeError, TypeError):  # as uvicorn does where it can
            self.parser.set_dangerous_leniencies(lenient_data_after_close=True)

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.begun = self.loop.time()
        self.make_room()
        if len(self.connections) > CONNECTIONS + SPARE:
            self.give_up()
        else:
            self.idle[self] = None
        if Connection.clock is None:
            Connection.clock = self.loop.call_later(SILENCE / LOOKS, self.look_at_all)

    def connection_lost(self, why: Optional[Exception]) -> None:
        super().connection_lost(why)
        self.pipeline.clear()
        self.idle.pop(self, None)

    def data_received(self, data: bytes) -> None:
        if not self.received and self.has_asked():
            self.begun = self.loop.time()
        self.received += len(data)
        if self.received > REQUEST_MOST:
            self.give_up()
            return
        super().data_received(data)
        if self.is_answered():
            self.idle.pop(self, None)

    def on_headers_complete(self) -> None:
        if len(self.pipeline) >= PIPELINED:
            self.give_up()
        if not self.transport.is_closing():
            super().on_headers_complete()

    def handle_upgrade(self) -> None:
        """No upgrade happens: the answer to the request is the last one."""
        if self.cycle is not None:
            self.cycle.keep_alive = False

    _unsupported_upgrade_warning = handle_upgrade  # its name in a later uvicorn

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no request, after the answers to the requests before it."""
        if self.is_answered():
            self.cycle.keep_alive = False
            return
        answer = refused(Refused(400, "no_request", "this is no request of HTTP/1.1"))
        self.transport.write(b"HTTP/1.1 400 Bad Request\r\n" + b"".join(
            b"%s: %s\r\n" % header for header in [*answer.headers(), (b"connection", b"close")]
            ) + b"\r\n" + answer.body)
        self.transport.close()

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self.received = 0

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self.is_answered():
            self.rest()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.rest()

    def resume_writing(self) -> None:
        super().resume_writing()
        if self.is_answered():
            self.idle.pop(self, None)

    def has_asked(self) -> bool:
        """True if a request has come."""
        return self.cycle is not None

    def is_answered(self) -> bool:
        """True while a request is answered: self.cycle is the last one, and they end in turns."""
        return self.cycle is not None and not self.cycle.response_complete

    def rest(self) -> None:
        """There is nothing to do for it: it may be closed, after all that rest already."""
        self.idle.pop(self, None)
        self.make_room()
        self.idle[self] = None

    def make_room(self) -> None:
        """If there are too many connections, close the one that has rested for the longest time."""
        if self.idle and len(self.connections) > CONNECTIONS:
            next(iter(self.idle)).give_up()

    def look_at_all(self) -> None:
        """Close the connections that are late. The clock stops when there are none."""
        Connection.clock = None
        for connection in list(self.connections):
            if isinstance(connection, Connection):
                connection.look()
        if self.connections:
            Connection.clock = self.loop.call_later(SILENCE / LOOKS, self.look_at_all)

    def look(self) -> None:
        """Close it if its request, or its client's reading of the answers, does not get on."""
        now, unsent = self.loop.time(), self.transport.get_write_buffer_size()
        if unsent:
            unsent += in_system(self.transport)
        if not unsent or not self.unsent or unsent < self.unsent:
            self.progress = now
        self.unsent = unsent
        is_late = now - self.begun > SILENCE and not self.is_answered() and (
            self.received > 0 or not self.has_asked())
        if is_late or now - self.progress > SILENCE:
            self.give_up()

    def give_up(self) -> None:
        """Close it."""
        self.idle.pop(self, None)
        self.transport.abort()


def in_system(transport: asyncio.Transport) -> int:
    """The bytes that the system has of a connection and that the other side has not."""
    with contextlib.suppress(OSError, ValueError):
        found = fcntl.ioctl(transport.get_extra_info("socket"), termios.TIOCOUTQ, bytes(4))
        return int.from_bytes(found, sys.byteorder)
    return 0


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


def listening(host: str, port: Optional[int], usual: int) -> socket.socket:
    """A socket that listens. port None: the usual one, or if it is taken any other. OSError."""
    family, _, _, _, address = socket.getaddrinfo(host, port or 0, type=socket.SOCK_STREAM,
                                                  flags=socket.AI_PASSIVE)[0]
    for number in (usual, 0) if port is None else (port,):
        # With the protocol named, asyncio sends without waiting for more (TCP_NODELAY).
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((address[0], number, *address[2:]))
            listener.listen(BACKLOG)
            return listener
        except OSError:
            listener.close()
            if port is not None or number == 0:
                raise
    raise AssertionError


def own_name(listener: socket.socket) -> str:
    """How other computers may call this one, if it listens on all its addresses; else empty."""
    host = listener.getsockname()[0].partition("%")[0]
    return socket.gethostname() if ipaddress.ip_address(host).is_unspecified else ""


def address_of(listener: socket.socket) -> Tuple[str, bool]:
    """Where a browser finds it, and true if no other computer does."""
    host, port = listener.getsockname()[:2]
    found = ipaddress.ip_address(host.partition("%")[0])
    shown = "127.0.0.1" if found.is_unspecified else host
    return f"http://{'[' + shown + ']' if ':' in shown else shown}:{port}/", found.is_loopback


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

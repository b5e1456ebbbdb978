"""A connection, and what keeps clients from being slow, many or greedy.

A connection has SILENCE seconds and REQUEST_MOST bytes for a request, and no more than SILENCE
seconds may pass in which its client takes nothing of an answer. If there are too many, the one is
closed that has been without work for the server for the longest time. Requests that are sent before
the answer to an earlier one are few (PIPELINED), or the connection is closed. A request that is too
long is answered, and what still comes of it is thrown away (LINGER_MOST): a connection that is closed
while bytes are unread takes back its answer.
"""
from __future__ import annotations

import asyncio
import contextlib
import fcntl
import re
import sys
import termios
from typing import Any, Dict, List, Optional, Tuple, cast

import httptools
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from .application import long_headers, not_allowed, refused
from .parameters import Refused

CONNECTIONS = 500         # at once
SPARE = 100               # more of them while all are being answered
SILENCE = 10.0            # seconds for a request to be sent, and without an answer being taken
LOOKS = 5                 # at all connections within that time
REQUEST_MOST = 64 << 10   # bytes of a request
LINGER_MOST = 16 << 20  # bytes that are thrown away
METHOD = re.compile(rb"[A-Za-z-]{1,30} ")  # how a request with an unknown method begins
PIPELINED = 8             # requests of a connection that wait while another is answered


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
    begins = b""     #: how it begins, up to 32 bytes
    has_line = False  #: its first line has come
    in_body = False  #: all its headers have come
    lingers = False  #: what comes is thrown away
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
        self.let_go()

    def let_go(self) -> None:
        """Refer no more to what refers to this: a closed connection shall not wait for garbage collection."""
        self._unset_keepalive_if_required()
        own = cast(Any, self)
        own.parser = None
        if not self.is_answered():
            own.cycle = None

    def data_received(self, data: bytes) -> None:
        if not self.received:
            self.begins, self.has_line = b"", False
            if self.has_asked():
                self.begun = self.loop.time()
        self.received += len(data)
        if self.lingers:
            if self.received > LINGER_MOST:
                self.give_up()
            return
        self.begins = (self.begins + data)[:32]
        self.has_line = self.has_line or b"\n" in data
        super().data_received(data)
        if self.received > REQUEST_MOST and not (self.lingers or self.transport.is_closing()):
            self.refuse_long()
        if self.is_answered():
            self.idle.pop(self, None)

    def refuse_long(self) -> None:
        """Say what is too long of a request. One with a long body has its answer by its headers."""
        if not self.in_body and not self.is_answered():
            self.write(long_headers() if self.has_line else
                       Refused(414, "too_long", "the address is too long"))
        self.linger()

    def linger(self) -> None:
        """Send what is to be sent, and then throw away what comes."""
        self.lingers = True
        if not self.is_answered():
            self.transport.write_eof()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.in_body = False

    def on_headers_complete(self) -> None:
        self.in_body = True
        if self.received > REQUEST_MOST:
            size = sum(len(name) + len(value) for name, value in self.headers)
            cast(Any, self.scope)["is_long"] = size > REQUEST_MOST  # for the application
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
        if self.received > REQUEST_MOST:  # some parsers have a limit of their own
            self.refuse_long()
            return
        is_unknown = (isinstance(sys.exc_info()[1], httptools.HttpParserInvalidMethodError) and
                      METHOD.match(self.begins))
        self.write(not_allowed() if is_unknown else
                   Refused(400, "no_request", "this is no request of HTTP/1.1"))
        self.linger()

    def write(self, why: Refused) -> None:
        """Write a refusal, the last answer of the connection."""
        answer = refused(why)
        head: List[Tuple[bytes, bytes]] = [*answer.headers(), (b"connection", b"close")]
        self.transport.write(STATUS_LINE[answer.status] + b"".join(
            b"%s: %s\r\n" % header for header in head) + b"\r\n" + answer.body)
        self.app.note("other", self.client, b"-", answer, 0.0)

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self.received = 0

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self.is_answered():
            self.rest()
            if self.lingers and not self.transport.is_closing():
                self.transport.write_eof()

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

"""Which requests are answered, and by which threads.

1. Only names of this computer are served (Host), so that no foreign page reads answers by giving
   its own name our address (DNS rebinding). No CORS but for --allow-origin; a content
   security policy of 'self'.
2. A question runs in a thread of a pool (POOLS): names, paths, questions that may look at the whole
   graph, and runs of bfs have pools of their own. What does not fit is refused with 503 at once,
   and what has waited for longer than PATIENCE is refused in place of being answered late. Few
   threads answer while they keep up, so that their stacks and heaps stay in the caches.
"""
from __future__ import annotations

import asyncio
import concurrent.futures
import ipaddress
import json
import pathlib
import time
import traceback
from typing import (TYPE_CHECKING, Any, Awaitable, Callable, Dict, List, MutableMapping, Optional,
                    Sequence, Tuple)

from .. import InputError, OutOfMemory, PointerWarsError, TimedOut
from . import openapi
from .answer import Answer, tag_of
from .parameters import Refused, parsed
from .hosted import Hosted
from .questions import QUESTIONS, clean
from .record import Record
from .static_files import KIND, files, shared

if TYPE_CHECKING:
    Scope = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
    Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

#: Threads that answer first, and others that help when these are busy; questions at once.
POOLS = {"names": (2, 2, 64), "paths": (2, 14, 64), "slow": (2, 0, 64), "costs": (1, 0, 1)}
BODY_MOST = 64 << 10  # bytes of a request's body, which nobody reads
PATIENCE = 5.0  # seconds that a question may wait for a thread
PACKED_HERE = 64 << 10  # bytes of an answer that is compressed without a thread of its own

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
                       f"{clean(str(why))}; mend it and send the server SIGHUP")
    if isinstance(why, PointerWarsError):
        return Refused(500, "failed", clean(str(why)))
    traceback.print_exception(type(why), why, why.__traceback__)
    return Refused(500, "internal", "an error of the server, which has printed it")


def not_allowed() -> Refused:
    """What another method gets."""
    return Refused(405, "not_allowed", "only GET is answered")


def long_headers() -> Refused:
    """What long headers get."""
    return Refused(431, "too_long", "the headers are too long")


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
        try:
            return await future
        finally:
            del future  # with an error of its own, whose traceback is here, it would be a circle


class Application:
    """The ASGI application: which requests it answers, and the headers of every answer."""

    def __init__(self, endpoints: Dict[str, Endpoint], is_local: bool, names: Sequence[str],
                 origins: Sequence[str], record: Record) -> None:
        """origins: of other sites whose pages may ask; "*" is every one."""
        self.endpoints, self.record = endpoints, record
        self.origins = {origin.rstrip("/").lower().encode() for origin in origins}
        self.names = {"localhost", "127.0.0.1", *(name.lower() for name in names)}
        self.is_local = is_local

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        begin = time.perf_counter()
        path = scope["path"]
        if path.startswith("/api/v1/") and path not in self.endpoints:  # the name of today's API
            path = "/api/" + path[len("/api/v1/"):]
        answer, headers = await self.answer(scope, path), dict(scope["headers"])
        answer = answer.for_client(headers) if len(answer.body) <= PACKED_HERE else \
            await asyncio.get_running_loop().run_in_executor(None, answer.for_client, headers)
        await send({"type": "http.response.start", "status": answer.status,
                    "headers": answer.headers() + self.sharing(scope["headers"])})
        await send({"type": "http.response.body", "body": answer.body})
        query = b"?" + scope["query_string"] if scope["query_string"] else b""
        request = b"%s %s%s HTTP/%s" % (scope["method"].encode(), scope["raw_path"], query,
                                        scope["http_version"].encode())
        self.note(path if path in self.endpoints else "other", scope["client"], request, answer,
                  time.perf_counter() - begin)

    def note(self, path: str, client: Optional[Tuple[str, int]], request: bytes, answer: Answer,
             seconds: float) -> None:
        """Count an answer, and log it."""
        self.record.note(path, answer.status, seconds)
        self.record.log(client[0] if client else "", request, answer.status, len(answer.body), seconds)

    def shares(self, headers: Sequence[Tuple[bytes, bytes]]) -> Optional[bytes]:
        """The origin of a request if its page may read the answer."""
        origin = dict(headers).get(b"origin") if self.origins else None
        return origin if origin and not {origin.lower(), b"*"}.isdisjoint(self.origins) else None

    def sharing(self, headers: Sequence[Tuple[bytes, bytes]]) -> List[Tuple[bytes, bytes]]:
        """The headers by which the browser knows."""
        if not self.origins:
            return []
        origin = self.shares(headers)
        return [(b"vary", b"origin"), *([(b"access-control-allow-origin", origin)] if origin else [])]

    async def answer(self, scope: Scope, path: str) -> Answer:
        """The answer to a request for this path."""
        headers = scope["headers"]
        hosts = [value.decode("latin-1") for name, value in headers if name == b"host"]
        found = {name: value for name, value in headers if name.startswith(b"sec-fetch-")}
        endpoint = self.endpoints.get(path)
        try:
            if len(hosts) != 1 or not self.knows(hosts[0]):
                raise Refused(421, "foreign_host", "the Host header is not of this server; "
                              "--allow-host=NAME allows another name")
            # another server of this computer, on another port, is the same site
            if (found.get(b"sec-fetch-site") in (b"cross-site", b"same-site") and
                    found.get(b"sec-fetch-mode") != b"navigate" and not self.shares(headers)):
                raise Refused(403, "foreign_page", "a page of another site asks")
            if scope.get("is_long"):
                raise long_headers()
            length = dict(headers).get(b"content-length", b"0")
            if int(length) > BODY_MOST:  # digits: the parser has read it
                raise Refused(413, "too_large", "no question has a body")
            if endpoint is None:
                raise Refused(404, "not_found", "there is no such page")
            if scope["method"] not in ("GET", "HEAD"):
                raise not_allowed()
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


def application(hosted: Hosted, is_local: bool = True, names: Sequence[str] = (),
                origins: Sequence[str] = (), record: Optional[Record] = None,
                has_metrics: bool = False) -> Application:
    """The ASGI application. is_local: it is reached from this computer alone."""
    record = record or Record(False)
    pools = {name: Pool(*limits, name) for name, limits in POOLS.items()}

    def asked(address: str) -> Endpoint:
        parameters, question, pool = QUESTIONS[address]

        async def endpoint(query: bytes) -> Answer:
            values, questions = parsed(query, parameters), hosted.questions
            if pool is None:
                return answered(question(questions, values))
            return answered(await pools[pool].run(lambda: question(questions, values)))
        return endpoint

    def always(answer: Answer) -> Endpoint:
        async def endpoint(_: bytes) -> Answer:
            return answer
        return endpoint

    endpoints = {address: asked(address) for address in QUESTIONS}
    page, others = files(pathlib.Path(__file__).parent / "static")
    for address, answer in others.items():
        endpoints[address] = always(answer)

    async def first(query: bytes) -> Answer:
        text = shared(page, query)
        return Answer(text, kind=KIND, keep=b"no-cache", tag=tag_of(text))
    endpoints["/"] = first
    document = openapi.document(QUESTIONS)
    endpoints["/api/openapi.json"] = always(answered(document))
    for address, root in (("/api/", "../"), ("/api/v1/", "../../")):
        human = openapi.human(document, root).encode()
        endpoints[address] = always(Answer(human, kind=KIND, keep=b"no-cache", tag=tag_of(human)))
    endpoints["/favicon.ico"] = always(Answer(b"", 204))
    if has_metrics:
        async def metrics(_: bytes) -> Answer:
            return Answer(record.text(hosted.questions.openings).encode(),
                          kind=b"text/plain; version=0.0.4; charset=utf-8")
        endpoints["/metrics"] = metrics
    return Application(endpoints, is_local, names, origins, record)

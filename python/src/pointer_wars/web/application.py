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
import time
import traceback
from typing import Any, Awaitable, Callable, List, Optional, Sequence

from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Mount, Route

from .. import InputError, OutOfMemory, PointerWarsError, TimedOut
from . import openapi
from .hosted import Hosted
from .parameters import Refused, parsed
from .questions import QUESTIONS, clean
from .record import OPENINGS, Counted
from .static_files import YEAR, Files, page, shared

HEADERS = [  #: of every answer
    ("content-security-policy", "default-src 'none'; script-src 'self'; style-src 'self'; "
     "img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; "
     "frame-ancestors 'none'"),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
]
PACKED_FROM = 1024  # bytes: gzip of what is shorter is not worth it
PACKED_LEVEL = 5    # of gzip
#: Threads that answer first, and others that help when these are busy; questions at once.
POOLS = {"names": (2, 2, 64), "paths": (2, 14, 64), "slow": (2, 0, 64), "costs": (1, 0, 1)}
PATIENCE = 5.0  # seconds that a question may wait for a thread

Endpoint = Callable[[Request], Awaitable[Response]]


def answered(value: Any, status: int = 200) -> Response:
    """An answer of the API."""
    return Response(json.dumps(value, separators=(",", ":")), status,
                    {"cache-control": "no-store"}, "application/json")


def refused(why: Refused) -> Response:
    """A refusal, in the one shape that all have."""
    return answered({"error": why.error}, why.status)


async def unrouted(_: Request, why: Exception) -> Response:
    """What is answered to an address or a method that is not served."""
    if isinstance(why, HTTPException) and why.status_code == 405:
        answer = refused(Refused(405, "not_allowed", "only GET is answered"))
        answer.headers["allow"] = "GET, HEAD"
        return answer
    return refused(Refused(404, "not_found", "there is no such page"))


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


class Guard:
    """An ASGI application that refuses what names another computer, or what another site asks."""

    def __init__(self, app: Any, is_local: bool, names: Sequence[str], origins: Sequence[str]
                 ) -> None:
        self.app, self.is_local, self.origins = app, is_local, {*origins}
        self.names = {"localhost", "127.0.0.1", *(name.lower() for name in names)}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        why = self.refusal(Headers(scope=scope))
        answer = self.app if why is None else refused(why)
        await answer({**scope}, receive, send)  # routes change it, and uvicorn writes its log of it

    def refusal(self, headers: Headers) -> Optional[Refused]:
        """Why a request is not answered, if there is a reason."""
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self.knows(hosts[0]):
            return Refused(421, "foreign_host", "the Host header is not of this server; "
                           "--allow-host=NAME allows another name")
        # another server of this computer, on another port, is the same site
        if (headers.get("sec-fetch-site") in ("cross-site", "same-site") and
                headers.get("sec-fetch-mode") != "navigate" and
                ("origin" not in headers or self.origins.isdisjoint((headers["origin"], "*")))):
            return Refused(403, "foreign_page", "a page of another site asks")
        return None

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
                origins: Sequence[str] = (), has_metrics: bool = False) -> Starlette:
    """The ASGI application. is_local: it is reached from this computer alone. origins: of other
    sites whose pages may ask; "*" is every one."""
    pools = {name: Pool(*limits, name) for name, limits in POOLS.items()}
    origins = [origin.rstrip("/").lower() for origin in origins]

    def asked(address: str) -> Endpoint:
        parameters, question, pool = QUESTIONS[address]

        async def endpoint(request: Request) -> Response:
            questions = hosted.questions
            try:
                values = parsed(request.scope["query_string"], parameters)
                if pool is None:
                    return answered(question(questions, values))
                return answered(await pools[pool].run(lambda: question(questions, values)))
            except Exception as why:  # each has an answer
                return refused(understood_error(why))
        return endpoint

    def always(make: Callable[[Request], Response]) -> Endpoint:
        async def endpoint(request: Request) -> Response:
            return make(request)
        return endpoint

    def for_people(root: str) -> Endpoint:
        human = openapi.human(document, root)
        return always(lambda _: HTMLResponse(human, headers=fresh))

    text, folder = page()
    fresh = {"cache-control": "no-cache"}
    document = openapi.document(QUESTIONS)
    routes: List[BaseRoute] = [
        Route("/", always(lambda request: HTMLResponse(
            shared(text, request.scope["query_string"]), headers=fresh))),
        Route("/favicon.ico", always(lambda _: Response(status_code=204)))]
    for api, root in (("/api/", "../"), ("/api/v1/", "../../")):
        routes += [Route(address.replace("/api/", api), asked(address)) for address in QUESTIONS]
        routes += [Route(api + "openapi.json", always(lambda _: answered(document))),
                   Route(api, for_people(root))]
    if has_metrics:
        OPENINGS.set_function(lambda: hosted.questions.openings)
        routes.append(Route("/metrics", always(lambda _: Response(
            generate_latest(), headers={"content-type": CONTENT_TYPE_LATEST}))))
    routes += [Mount("/" + folder, Files(YEAR)), Mount("/", Files("no-cache"))]
    paths = {*QUESTIONS, *(route.path for route in routes if isinstance(route, Route))}
    app = Starlette(routes=routes, exception_handlers={HTTPException: unrouted}, middleware=[
        Middleware(Counted, paths=paths),
        Middleware(Guard, is_local=is_local, names=names, origins=origins),
        *([Middleware(CORSMiddleware, allow_origins=origins)] if origins else []),
        Middleware(GZipMiddleware, minimum_size=PACKED_FROM, compresslevel=PACKED_LEVEL)])
    app.router.redirect_slashes = False
    return app

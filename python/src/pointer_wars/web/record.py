"""What is counted of requests, for --metrics.

An address that is no question and no page counts as "other", so that nobody can make up rows.
"""
from __future__ import annotations

import time
from typing import Any, Container

from prometheus_client import Counter, Gauge, Histogram

REQUESTS = Counter("bfs_web_requests", "Answers by path and status.", ["path", "status"])
SECONDS = Histogram("bfs_web_request_seconds", "From a request to its answer.", ["path"], buckets=(
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0))
CONNECTIONS = Gauge("bfs_web_connections", "Connections that are open.")
OPENINGS = Gauge("bfs_web_openings_total", "How often the graph was opened.")


class Counted:
    """An ASGI application whose answers are counted. paths: the addresses that have a row."""

    def __init__(self, app: Any, paths: Container[str]) -> None:
        self.app, self.paths = app, paths

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        begin, path = time.perf_counter(), scope["path"].replace("/api/v1/", "/api/", 1)
        status = 500

        async def sent(message: Any) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)
        await self.app(scope, receive, sent)
        path = path if path in self.paths else "other"
        REQUESTS.labels(path, status).inc()
        SECONDS.labels(path).observe(time.perf_counter() - begin)

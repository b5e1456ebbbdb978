"""What is counted of requests (--metrics), and the line that each one gets (--access-log).

Each line has the Common Log Format, with the seconds of the answer at the end. The counts
are the text that Prometheus reads. An address that is no question and no page counts as "other", so
that nobody can make up rows.
"""
from __future__ import annotations

import bisect
import collections
import contextlib
import os
import time
from typing import Callable, Counter, Dict, List, Tuple

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds


def printable(request: bytes) -> str:
    """A request's line without what ends a line or a quoted text."""
    return "".join(chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\x{byte:02x}"
                   for byte in request)


class Record:
    """The counts since the start. is_logged: each request is written to standard output."""

    def __init__(self, is_logged: bool) -> None:
        self.is_logged = is_logged
        self.requests: Counter[Tuple[str, int]] = collections.Counter()
        self.seconds: Dict[str, List[float]] = {}  #: of each path: counts of BUCKETS, more, the sum
        self.connections: Callable[[], int] = lambda: 0  #: how many are open

    def note(self, path: str, status: int, seconds: float) -> None:
        """Count an answer. path: of a question or a page, or "other"."""
        self.requests[path, status] += 1
        times = self.seconds.setdefault(path, [0.0] * (len(BUCKETS) + 2))
        times[bisect.bisect_left(BUCKETS, seconds)] += 1
        times[-1] += seconds

    def log(self, client: str, request: bytes, status: int, size: int, seconds: float) -> None:
        """Write the line of an answer."""
        if self.is_logged:
            with contextlib.suppress(OSError):  # nobody reads: the service goes on
                print(f"{client or '-'} - - [{time.strftime('%d/%b/%Y:%H:%M:%S %z')}] "
                      f'"{printable(request)}" {status} {size} {seconds:.6f}', flush=True)

    def text(self, openings: int) -> str:
        """All counts as Prometheus reads them. openings: of the graph."""
        lines: List[str] = []

        def add(name: str, kind: str, about: str, *rows: Tuple[str, float]) -> None:
            name = "bfs_web_" + name
            lines.extend([f"# HELP {name} {about}", f"# TYPE {name} {kind}"])
            lines.extend(f"{name}{labels} {value:.15g}" for labels, value in rows)
        add("requests_total", "counter", "Answers by path and status.", *(
            (f'{{path="{path}",status="{status}"}}', count)
            for (path, status), count in sorted(self.requests.items())))
        rows: List[Tuple[str, float]] = []
        for path, (*counts, total) in sorted(self.seconds.items()):
            so_far = 0.0
            for limit, count in zip([*map(str, BUCKETS), "+Inf"], counts):
                so_far += count
                rows.append((f'_bucket{{path="{path}",le="{limit}"}}', so_far))
            rows += [(f'_sum{{path="{path}"}}', total), (f'_count{{path="{path}"}}', so_far)]
        add("request_seconds", "histogram", "From a request to its answer.", *rows)
        add("connections", "gauge", "Connections that are open.", ("", self.connections()))
        add("openings_total", "counter", "How often the graph was opened.", ("", openings))
        with contextlib.suppress(OSError, ValueError):
            with open("/proc/self/statm", encoding="ascii") as file:
                resident = int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
            add("resident_bytes", "gauge", "Memory of the process.", ("", resident))
            add("descriptors", "gauge", "Files and sockets that are open.",
                ("", len(os.listdir("/proc/self/fd"))))
        return "\n".join(lines) + "\n"

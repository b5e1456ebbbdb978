"""What each allocator costs for one question: `bfs` as a process of its own, limited in time.

The rounds of the allocators are in turns, each run a process, as `bfs --alloc=A,B` does it. Of five
rounds the shortest and the longest hold the median with 94 % confidence (1 - 2^(1 - rounds)).
"""
from __future__ import annotations

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import tempfile
from typing import Any, Dict, List, Optional, Sequence

from .. import Graph, PointerWarsError, UnknownNode
from ..bench import program
from .parameters import Refused

ENGINES = ("plain", "classic")
ALLOCATORS = ("malloc", "pool", "slab")
ROUNDS = 5
SEARCH_SECONDS = 5  # of one search
ALL_SECONDS = 100   # of all processes together, with loading
COMMENTS = ("#", "%")  # a line of pairs that begins so is none


def own_program() -> Optional[str]:
    """The program bfs; None if there is none, or only Debian's other program of that name."""
    try:
        place = program()
        text = subprocess.run([place, "--version"], stdout=subprocess.PIPE, timeout=20,
                              stderr=subprocess.DEVNULL, check=False).stdout
    except (OSError, PointerWarsError, subprocess.SubprocessError):
        return None
    return place if b"(pointer_wars)" in text else None


class Costs:
    """What runs bfs on the file of a graph. options: for reading it."""

    def __init__(self, graph: Graph, place: str, options: Sequence[str], bfs: str) -> None:
        self.graph = graph
        self.command = [bfs, *options, "--format=json", "--progress=never", "--quiet"]
        self.place = os.path.abspath(place)
        self.process: Optional[subprocess.Popen[bytes]] = None

    def text(self, node: int) -> str:
        """How a line of pairs names a node."""
        page = self.graph.page(node)
        with contextlib.suppress(UnknownNode):
            if page and self.graph.node(str(page)) == node:
                return str(page)
        return self.graph.label(node)

    def compare(self, source: int, target: int, engine: str,
                allocators: Sequence[str]) -> Dict[str, Any]:
        """The report of bfs on one question with several allocators. Refused if it fails."""
        ends = [self.text(node) for node in (source, target)]
        if ends[0].startswith(COMMENTS):
            raise Refused(422, "no_pair", "a title that begins with # or % cannot begin a line of "
                          "pairs")
        with tempfile.TemporaryDirectory(prefix="bfs-web-") as folder:
            pairs = pathlib.Path(folder) / "pairs.tsv"
            pairs.write_bytes("\t".join(ends).encode("utf-8", "surrogateescape") + b"\n")
            return self.reported([
                *self.command, f"--alloc={','.join(allocators)}", f"--engine={engine}",
                f"--trials={ROUNDS}", f"--timeout={SEARCH_SECONDS}", "--", self.place, str(pairs)])

    def reported(self, command: List[str]) -> Dict[str, Any]:
        """What bfs reports, within ALL_SECONDS."""
        try:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                start_new_session=True)
        except OSError as why:
            raise Refused(500, "failed", f"bfs cannot be run: {why}") from why
        try:
            found, errors = self.process.communicate(timeout=ALL_SECONDS)
        except subprocess.TimeoutExpired:
            raise Refused(503, "timed_out", f"bfs took more than {ALL_SECONDS} s") from None
        finally:
            self.end()
            self.process.wait()
        if self.process.returncode != 0:
            lines = errors.decode("utf-8", "replace").strip().splitlines()
            raise Refused(500, "failed", lines[-1] if lines else
                          f"bfs ended with {self.process.returncode}")
        report: Dict[str, Any] = json.loads(found)
        return report

    def end(self) -> None:
        """End the processes that are running, if there are any."""
        process = self.process
        if process is not None and process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)

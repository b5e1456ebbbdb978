"""What each allocator costs for one question: `bfs` as a process of its own, limited in time.

The rounds of the allocators are in turns, each run a process, as `bfs --alloc=A,B` does it. Of five
rounds the shortest and the longest hold the median with 94 % confidence (1 - 2^(1 - rounds)).

bfs reads the graph's file again, so it must be the one that was opened: inode, size and time
say so. The pair is in a file without a name (memfd), so that no signal leaves one in /tmp.
"""
from __future__ import annotations

import contextlib
import functools
import json
import os
import pathlib
import shutil
import signal
import stat
import subprocess
import threading
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

from .. import Graph, UnknownNode
from .parameters import Refused

ENGINES = ("plain", "classic")
#: What can be compared. A choice, not the registry: no specification that names a file, and no
#: allocator with a region, which a large search would fill.
ALLOCATORS = ("malloc", "pool", "slab", "pool:order=fifo", "quick-fit")
COMPARED = 3  # at most; so many are compared if none is named
ROUNDS = 5
SEARCH_SECONDS = 5  # of one search
ALL_SECONDS = 100   # of all processes together, with loading
COMMENTS = ("#", "%")  # a line that begins so is no pair


def program() -> Optional[str]:
    """The path of `bfs`: of POINTER_WARS_BFS, of the wheel, or in PATH."""
    own = pathlib.Path(__file__).resolve().parents[1] / "bin" / "bfs"
    return (os.environ.get("POINTER_WARS_BFS") or (str(own) if own.exists() else None) or
            shutil.which("pointer-wars-bfs") or shutil.which("bfs"))


@functools.lru_cache(maxsize=None)
def own_program() -> Optional[str]:
    """The program bfs; None if it is not installed, or only Debian's other program of that name."""
    place = program()
    if place is None:
        return None
    try:
        text = subprocess.run([place, "--version"], stdout=subprocess.PIPE, timeout=20,
                              stderr=subprocess.DEVNULL, check=False).stdout
    except (OSError, subprocess.SubprocessError):
        return None
    return place if b"(pointer_wars)" in text else None


def identity(files: Sequence[str]) -> Optional[List[Tuple[int, ...]]]:
    """What these files are known by; None if one of them cannot be read a second time."""
    found: List[Tuple[int, ...]] = []
    for file in files:
        try:
            facts = os.stat(file)
        except OSError:
            return None
        if file == "-" or not stat.S_ISREG(facts.st_mode):
            return None
        found.append((facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtime_ns))
    return found


class Costs:
    """What runs bfs on the file of a graph. options: for reading it. files: all that bfs reads;
    opened: their identity when the graph was loaded. The process is one of all graphs: POOLS has one
    thread for it."""
    process: Optional[subprocess.Popen[bytes]] = None
    starting = threading.RLock()  #: held until a process that begins is known

    def __init__(self, graph: Graph, files: Sequence[str], opened: List[Tuple[int, ...]],
                 options: Sequence[str], bfs: str) -> None:
        self.graph = graph
        self.command = [bfs, *options, "--format=json", "--progress=never", "--quiet"]
        self.files = [os.path.abspath(file) for file in files]
        self.opened = opened

    def check(self) -> None:
        """Refused if a file is not the one that was opened."""
        if identity(self.files) != self.opened:
            raise Refused(500, "graph_changed", "the graph's file is not the one that was opened, "
                          "so that its costs cannot be measured; SIGHUP opens it")

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
        self.check()
        pairs = os.memfd_create("pairs")
        try:
            os.write(pairs, "\t".join(ends).encode("utf-8", "surrogateescape") + b"\n")
            report = self.reported([
                *self.command, f"--alloc={','.join(allocators)}", f"--engine={engine}",
                f"--trials={ROUNDS}", f"--timeout={SEARCH_SECONDS}", "--", self.files[0],
                f"/proc/self/fd/{pairs}"], pairs)
        finally:
            os.close(pairs)
        self.check()
        return report

    def reported(self, command: List[str], pairs: int) -> Dict[str, Any]:
        """What bfs reports, within ALL_SECONDS. pairs: an open file that it reads."""
        try:
            with self.starting:
                Costs.process = process = subprocess.Popen(
                    command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE, pass_fds=(pairs,), start_new_session=True)
        except OSError as why:
            raise Refused(500, "failed", f"bfs cannot be run: {why}") from why
        try:
            found, errors = process.communicate(timeout=ALL_SECONDS)
        except subprocess.TimeoutExpired:
            raise Refused(503, "timed_out", f"bfs took more than {ALL_SECONDS} s") from None
        finally:
            self.end()
            process.wait()
        if process.returncode != 0:
            lines = errors.decode("utf-8", "replace").strip().splitlines()
            raise Refused(500, "failed", lines[-1] if lines else
                          f"bfs ended with {process.returncode}")
        report: Dict[str, Any] = json.loads(found)
        return report

    @classmethod
    def end(cls) -> None:
        """End the processes that are running, if there are any."""
        with cls.starting:
            process = cls.process
            if process is not None and process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)

    @classmethod
    def close(cls) -> None:
        """End the processes that are running; none begins any more, so that this process may end."""
        cls.starting.acquire()
        cls.end()


def offered(graph: Graph, files: Sequence[str], opened: Optional[List[Tuple[int, ...]]],
            undirected: bool, columns: Optional[str]) -> Union[Costs, str]:
    """What measures costs, or why there is nothing. files: of the graph, and of names if there is
    one; opened: their identity before the graph was loaded."""
    if opened is None or opened != identity(files):
        return "the graph is not a file that bfs can read again"
    bfs = own_program()
    if bfs is None:
        return "there is no program bfs; POINTER_WARS_BFS names it"
    options = [f"--names={os.path.abspath(name)}" for name in files[1:]]
    chosen = ["--undirected"] * undirected + [f"--columns={columns}"] * (columns is not None)
    return Costs(graph, files, opened, options + chosen, bfs)

#!/usr/bin/env python3
"""test_mpi_faults.py - whatever happens to one rank, all end within seconds, and no half file is left.

1. A rank is killed at random moments of loading and searching.
2. A signal to the launcher, as Ctrl-C sends it, and to one rank.
3. One rank sees another file, has too little memory, or may write no further.
The program reports each at most once; the launcher adds its own words.

Usage: launcher.py says it.
Environment: PW_MPI_KILLS: how often a rank is killed (default: 3); PW_TEST_SEED: of the moments
"""
import contextlib
import os
import pathlib
import random
import resource
import signal
import subprocess
import sys
import time
import unittest

from launcher import ENVIRONMENT, HERE, MPIEXEC, PROGRAM, SEED, converted, main, own_lines, write

SEARCHES = 1000
SEARCH = ["whole.pwg", f"random:{SEARCHES}", "--path", "--format=csv", "--output=out.csv"]
SECONDS = 600  # within which all must have ended; on an idle machine it is one or two
# A command before the program, at rank 1 only.
AT_RANK_1 = 'if [ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = 1 ]; then %s; fi; exec "$@"'


def start(ranks, *arguments, at_rank_1=None):
    words = ["sh", "-c", AT_RANK_1 % at_rank_1, "sh"] if at_rank_1 else []
    return subprocess.Popen([MPIEXEC, "-n", str(ranks), *words, PROGRAM, *map(str, arguments)],
                            env=ENVIRONMENT, cwd=HERE, stdin=subprocess.DEVNULL, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def ranks_of(launcher):
    """The processes of the program that descend from the launcher."""
    children = {}
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            name, rest = stat.read_text().split("(", 1)[1].rsplit(")", 1)
        except (OSError, IndexError):
            continue
        children.setdefault(int(rest.split()[1]), []).append((int(stat.parent.name), name))
    found, waiting = [], [launcher.pid]
    while waiting:
        for pid, name in children.get(waiting.pop(), []):
            waiting.append(pid)
            if name.startswith("bfs-mpi"):
                found.append(pid)
    return sorted(found)


def send(pid, number):
    """Send a signal, unless the process has ended."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)


def wait_for_ranks(launcher, count):
    """The ranks' processes, once all are there; an empty list where they end before."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end and launcher.poll() is None:
        found = ranks_of(launcher)
        if len(found) == count:
            return found
        time.sleep(0.005)
    return []


def bytes_of(pid):
    """The address space and the memory of a process; 0 when it has ended."""
    try:
        return [int(pages) * 4096 for pages in pathlib.Path(f"/proc/{pid}/statm").read_text().split()[:2]]
    except OSError:
        return [0, 0]


def has_file(pid):
    """True if a process has opened a file in the folder of the test."""
    try:
        return any(os.readlink(path).startswith(str(HERE)) for path in pathlib.Path(f"/proc/{pid}/fd").iterdir())
    except OSError:
        return False


class Faults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        converted("whole.pwg", "generate:nodes=400k")
        (HERE / "other").mkdir()
        for folder, last in ((".", 3), ("other", 4)):
            converted(f"{folder}/small.pwg", write("small.txt", f"1 2\n2 {last}\n"))

    def end(self, launcher, ranks, fails=True):
        """Wait for the end, with a failure. Returns the program's own lines."""
        try:
            out, err = launcher.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            for pid in ranks_of(launcher):
                os.kill(pid, signal.SIGKILL)
            launcher.kill()
            launcher.communicate()
            self.fail(f"the launcher has not ended after {SECONDS} seconds")
        left = [pid for pid in ranks if os.path.exists(f"/proc/{pid}")]
        end = time.monotonic() + SECONDS
        while left and time.monotonic() < end:
            time.sleep(0.05)
            left = [pid for pid in left if os.path.exists(f"/proc/{pid}")]
        self.assertEqual(left, [], "ranks outlive the launcher")
        self.assertTrue(launcher.returncode != 0 or not fails, out)
        return own_lines(err)

    def started(self, *arguments):
        """A run whose ranks are seen; on a busy machine one may end unseen."""
        for _ in range(20):
            launcher = start(3, *arguments)
            ranks = wait_for_ranks(launcher, 3)
            if ranks:
                return launcher, ranks
            launcher.communicate()
            (HERE / "out.csv").write_text("old")
        self.skipTest("no run was seen")

    def no_half_file(self):
        """The old content, or all of the new where it was written before."""
        lines = (HERE / "out.csv").read_text().splitlines()
        self.assertIn(len(lines), (1, SEARCHES + 1))
        self.assertTrue(len(lines) > 1 or lines == ["old"], lines)
        (HERE / "out.csv").write_text("old")

    def test_a_rank_that_is_killed_ends_all(self):
        draw = random.Random(SEED)
        (HERE / "out.csv").write_text("old")
        launcher, ranks = self.started(*SEARCH)
        start_s = time.monotonic()
        self.end(launcher, ranks, False)
        whole_s = time.monotonic() - start_s
        count = int(os.environ.get("PW_MPI_KILLS", "3"))
        for number in range(count):  # one in each part of the run
            launcher, ranks = self.started(*SEARCH)
            time.sleep((number + draw.random()) / count * whole_s)
            send(draw.choice(ranks), signal.SIGKILL)
            self.assertLessEqual(len(self.end(launcher, ranks, False)), 1, f"seed {SEED}")
            self.no_half_file()

    def test_a_signal_ends_all_with_at_most_one_line(self):
        (HERE / "out.csv").write_text("old")
        for number, whom in ((signal.SIGINT, "launcher"), (signal.SIGTERM, "launcher"),
                             (signal.SIGTERM, 1), (signal.SIGINT, 0)):
            launcher, ranks = self.started(*SEARCH)
            # Before that the launcher of Open MPI may lose the end of a rank, and waits for ever.
            while launcher.poll() is None and not all(map(has_file, ranks)):
                time.sleep(0.002)
            send(launcher.pid if whom == "launcher" else ranks[whom], number)
            own = self.end(launcher, ranks, whom != "launcher")  # Hydra ends with 0 then
            self.assertLessEqual(len(own), 1)
            self.assertTrue(all("interrupted" in line for line in own), own)
            self.no_half_file()

    def test_a_file_that_differs_is_refused(self):
        own = self.end(start(3, "small.pwg", at_rank_1="cd other"), [])
        self.assertEqual(len(own), 1)
        self.assertIn("small.pwg: differs between the ranks: rank 1 sees", own[0])

    def limited(self, is_ready, number, which, value, *arguments):
        """A run one of whose ranks gets a limit once rank 0 is ready; the program's own lines."""
        launcher, ranks = self.started(*arguments)
        while launcher.poll() is None and not is_ready(ranks[0]):
            time.sleep(0.005)
        resource.prlimit(ranks[number], which, (value(ranks[number]), resource.RLIM_INFINITY))
        return self.end(launcher, ranks)

    def test_too_little_memory_at_one_rank_is_reported_once(self):
        own = self.limited(lambda pid: bytes_of(pid)[1] > 64 << 20, 1, resource.RLIMIT_AS,
                           lambda pid: bytes_of(pid)[0] + (12 << 20), "generate:nodes=2M")
        self.assertEqual(len(own), 1, own)
        self.assertIn("out of memory at rank 1", own[0])

    def test_a_full_disk_leaves_the_old_file(self):
        (HERE / "out.csv").write_text("old")
        own = self.limited(has_file, 0, resource.RLIMIT_FSIZE, lambda pid: 1 << 14, *SEARCH)
        self.assertEqual(len(own), 1)
        self.assertIn("cannot write out.csv: File too large", own[0])
        self.no_half_file()
        own = self.end(start(2, "small.pwg", "--output=/dev/full"), [])
        self.assertEqual(len(own), 1)
        self.assertIn("No space left", own[0])


if __name__ == "__main__":
    sys.exit(main(at_once=False))

#!/usr/bin/env python3
"""test_mpi_faults.py - whatever happens to one rank, all end within seconds, and no half file is left.

1. A rank is killed at random moments of loading, of writing a snapshot, of searching.
2. A signal to the launcher, as Ctrl-C sends it, and to one rank.
3. One rank sees another file or sees it change, has too little memory, or may write no further.
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

from launcher import BIN, ENVIRONMENT, HERE, MPIEXEC, PROGRAM, SEED, main, own_lines

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


def reads_graph(pid):
    try:
        return any(os.readlink(path).endswith("/g.mtx") for path in pathlib.Path(f"/proc/{pid}/fd").iterdir())
    except OSError:
        return False


def wait_for_ranks(launcher, count):
    """The ranks' processes, once all read the graph; an empty list where they end before."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end and launcher.poll() is None:
        found = ranks_of(launcher)
        if len(found) == count and all(map(reads_graph, found)):
            return found
        time.sleep(0.005)
    return []


class Faults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        subprocess.run([BIN / "graph-convert", "-q", "generate:nodes=400k", HERE / "g.mtx"], check=True)
        subprocess.run([BIN / "graph-convert", "-q", HERE / "g.mtx", HERE / "whole.pwg"], check=True)
        (HERE / "other").mkdir()
        (HERE / "small.txt").write_text("1 2\n2 3\n")
        (HERE / "other/small.txt").write_text("1 2\n2 4\n")

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
        """A run whose ranks are seen to read; on a busy machine one may end unseen."""
        for _ in range(20):
            launcher = start(3, *arguments)
            ranks = wait_for_ranks(launcher, 3)
            if ranks:
                return launcher, ranks
            launcher.communicate()
            (HERE / "out.pwg").write_text("old")
        self.skipTest("no run was seen to read")

    @staticmethod
    def unfinished():
        """The names of files that are being written, or were left."""
        return [path.name for path in HERE.iterdir() if ".pw-part" in path.name]

    def is_writing(self):
        with contextlib.suppress(FileNotFoundError):  # it may have its name by now
            return any((HERE / name).stat().st_size > 0 for name in self.unfinished())
        return True

    def no_half_file(self):
        """The old content, or all of the new where it was written before; which temporary names are left."""
        content = (HERE / "out.pwg").read_bytes()
        self.assertIn(len(content), (3, (HERE / "whole.pwg").stat().st_size))
        self.assertIn(content, (b"old", (HERE / "whole.pwg").read_bytes()))
        (HERE / "out.pwg").write_text("old")
        names = self.unfinished()
        for name in names:  # of a killed rank 0: the next run removes what nobody locks
            (HERE / name).unlink()
        return names

    def test_a_rank_that_is_killed_ends_all(self):
        draw = random.Random(SEED)
        (HERE / "out.pwg").write_text("old")
        launcher, ranks = self.started("g.mtx", "--convert", "out.pwg")
        start_s = time.monotonic()
        self.end(launcher, ranks, False)
        whole_s = time.monotonic() - start_s
        count = int(os.environ.get("PW_MPI_KILLS", "3"))
        for number in range(count):  # one in each part of the run
            launcher, ranks = self.started("g.mtx", "--convert", "out.pwg")
            time.sleep((number + draw.random()) / count * whole_s)
            send(draw.choice(ranks), signal.SIGKILL)
            self.assertLessEqual(len(self.end(launcher, ranks, False)), 1, f"seed {SEED}")
            self.no_half_file()

    def test_a_signal_ends_all_with_at_most_one_line(self):
        (HERE / "out.pwg").write_text("old")
        for number, whom, writes in ((signal.SIGINT, "launcher", False), (signal.SIGTERM, "launcher", True),
                                     (signal.SIGTERM, 1, False), (signal.SIGINT, 0, True)):
            launcher, ranks = self.started("g.mtx", "--convert", "out.pwg")
            while writes and launcher.poll() is None and not self.is_writing():
                time.sleep(0.002)
            send(launcher.pid if whom == "launcher" else ranks[whom], number)
            # Hydra ends with 0 then; a file may be whole already.
            own = self.end(launcher, ranks, whom != "launcher" and not writes)
            self.assertLessEqual(len(own), 1)
            self.assertTrue(all("interrupted" in line for line in own), own)
            self.assertEqual(self.no_half_file(), [])

    def test_a_file_that_differs_is_refused(self):
        own = self.end(start(3, "small.txt", at_rank_1="cd other"), [])
        self.assertEqual(len(own), 1)
        self.assertIn("small.txt: differs between the ranks: rank 1 sees", own[0])

    def test_a_file_that_differs_in_the_middle_is_refused(self):
        """Copies are compared to the last byte; equal ones, as on the disks of a cluster, are fine."""
        text = "".join(f"{node} {node * 7 % 9973}\n" for node in range(1, 9973)).encode()
        middle = text.index(b"5000 ")
        for seen, expected in ((text, []), (text[:middle] + b"5001" + text[middle + 4:],
                                            ["middle.txt: differs between the ranks: rank 1 sees"
                                             " another file than rank 0"])):
            (HERE / "middle.txt").write_bytes(text)
            (HERE / "other/middle.txt").write_bytes(seen)
            launcher = start(3, "middle.txt", at_rank_1="cd other")
            own = self.end(launcher, [], bool(expected))
            self.assertEqual([line.split(": ", 1)[1] for line in own], expected)

    def test_a_file_that_one_rank_sees_change_is_refused(self):
        seen = HERE / "other/g.mtx"
        seen.write_bytes((HERE / "g.mtx").read_bytes())
        launcher = start(3, "g.mtx", at_rank_1="cd other")
        while launcher.poll() is None:  # so that it changes after it was opened, whenever that is
            seen.touch()
            time.sleep(0.005)
        self.assertEqual([line.split(": ", 1)[1] for line in self.end(launcher, [])],
                         ["g.mtx: changed while it was read"])

    def limited(self, which, value, *arguments):
        """A run whose second rank gets a limit once it runs; the program's own lines."""
        launcher, ranks = self.started(*arguments)
        resource.prlimit(ranks[1], which, (value(ranks[1]), resource.RLIM_INFINITY))
        return self.end(launcher, ranks)

    def test_too_little_memory_at_one_rank_is_reported_once(self):
        def a_little_more(pid):
            return int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[0]) * 4096 + (12 << 20)

        own = self.limited(resource.RLIMIT_AS, a_little_more, "g.mtx")
        self.assertEqual(len(own), 1, own)
        self.assertIn("g.mtx: out of memory at rank 1", own[0])

    def test_a_full_disk_leaves_the_old_file(self):
        (HERE / "out.pwg").write_text("old")
        own = self.limited(resource.RLIMIT_FSIZE, lambda pid: 1 << 20, "g.mtx", "--convert", "out.pwg")
        self.assertEqual(len(own), 1)
        self.assertIn("out.pwg: cannot be written: File too large", own[0])
        self.assertEqual(self.no_half_file(), [])
        own = self.end(start(2, "small.txt", "--output=/dev/full"), [])
        self.assertEqual(len(own), 1)
        self.assertIn("No space left", own[0])


if __name__ == "__main__":
    sys.exit(main(at_once=False))

#!/usr/bin/env python3
"""test_surroundings.py - bfs where it is not at home: a pipe whose reader has gone, a full disk,
descriptors that are closed, odd terminals and environments.

Each question is asked in each of them. It ends at once with 0, 1 or SIGPIPE, says one line at most, and
what it prints elsewhere than into a place that takes nothing is what it prints everywhere.
"""
import contextlib
import fcntl
import os
import pathlib
import pty
import re
import resource
import signal
import struct
import subprocess
import tempfile
import termios
import unittest

BFS = pathlib.Path(os.environ["PW_BUILD"], "bin/bfs")
PATIENCE = 600
ENDS = (0, 1, -signal.SIGPIPE)
QUESTIONS = (("--from", "elm", "--to", "fir"), ("--from", "elm", "--to", "fir", "--all-shortest"),
             ("--from", "elm", "--histogram"), ("--from", "ash", "--to", "yew", "--format=json"), ("--help",), ("--version",),
             ("random:30",), ("random:30", "--format=csv"))
ENVIRONMENTS = ({}, {"TERM": "dumb"}, {"TERM": "no-such-terminal"}, {"COLUMNS": "0"}, {"COLUMNS": "-7"},
                {"COLUMNS": "9" * 30}, {"LC_ALL": "xx_YY.nonsense"}, {"LANG": "C", "LANGUAGE": "\udcff"},
                {"HOME": "/no/such/folder", "XDG_CACHE_HOME": "relative"}, {"TMPDIR": "/no/such/folder"},
                {"PATH": ""}, {"TZ": "Nowhere/Never"}, {"POSIXLY_CORRECT": "1"}, {"NO_COLOR": ""})


def untimed(text):
    """Without the times, which are others in each run."""
    return re.sub(rb"[0-9.]+ [mu]?s\b|\"[a-z_]*(seconds|_s|_ms|_ns)[a-z_]*\":[0-9.e-]+", b"TIME", text)


def closed(*descriptors):
    """What a child does before it becomes bfs."""
    def close():
        for descriptor in descriptors:
            os.close(descriptor)
    return close


def few_descriptors():
    resource.setrlimit(resource.RLIMIT_NOFILE, (8, 8))


class Surroundings(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="pw anderswø ")
        self.addCleanup(folder.cleanup)
        self.graph = pathlib.Path(folder.name, "trees.tsv")
        self.graph.write_text("ash\telm\nelm\toak\noak\tfir\nfir\tash\nelm\tyew\nyew\tfir\n")

    def words(self, question):
        return [BFS, *([self.graph] if question[0] not in ("--help", "--version") else []), *question]

    def ask(self, question, ends=ENDS, **given):
        """Standard output and the exit status; its messages are one line at most."""
        given = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL,
                 **given}
        done = subprocess.run(self.words(question), timeout=PATIENCE, check=False, **given)
        with self.subTest(question=question):
            self.assertIn(done.returncode, ends, done)
            said = done.stderr or b""
            self.assertLessEqual(said.count(b"\n"), 1, said)
            self.assertTrue(not said or said.startswith(b"bfs: "), said)
        return done.stdout, done.returncode

    def test_a_pipe_whose_reader_has_gone(self):
        for question in QUESTIONS:
            out, its = os.pipe()
            os.close(out)
            status = self.ask(question, (1, -signal.SIGPIPE), stdout=its)[1]
            os.close(its)
            self.assertNotEqual(status, 0)

    def test_a_full_disk(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("this system has no /dev/full")
        for question in QUESTIONS:
            with open("/dev/full", "wb") as full:
                self.ask(question, (1,), stdout=full)
                self.ask(question, (0, 1), stderr=full)

    def test_descriptors_that_are_closed_or_few(self):
        for question in QUESTIONS:
            for which in ((0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)):
                self.ask(question, (0, 1), preexec_fn=closed(*which))
            self.ask(question, (0, 1), preexec_fn=few_descriptors)

    def test_odd_environments(self):
        for question in QUESTIONS[:5]:
            wanted = self.ask(question, (0,))[0]
            for environment in ENVIRONMENTS:
                whole = {**os.environ, **environment} if environment else {}
                said = self.ask(question, (0,), env=whole)[0]
                if "COLUMNS" not in environment:
                    self.assertEqual(untimed(said), untimed(wanted), (question, environment))

    def test_odd_terminals(self):
        for question in QUESTIONS:
            for size in ((0, 0), (1, 1), (65535, 65535), (24, 3)):
                mine, its = pty.openpty()
                fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
                with subprocess.Popen(self.words(question), stdin=its, stdout=its, stderr=its,
                                      env={**os.environ, "TERM": "vt52"}) as bfs:
                    os.close(its)
                    said = b""
                    with contextlib.suppress(OSError):  # its end is closed, and all is read
                        while part := os.read(mine, 65536):
                            said += part
                    self.assertEqual(bfs.wait(PATIENCE), 0, said)
                os.close(mine)
                self.assertTrue(said)

    def test_a_terminal_that_goes_away(self):
        for question in QUESTIONS:
            mine, its = pty.openpty()
            with subprocess.Popen(self.words(question), stdin=its, stdout=its, stderr=its) as bfs:
                os.close(its)
                os.close(mine)
                self.assertIn(bfs.wait(PATIENCE), (0, 1, -signal.SIGHUP), question)


if __name__ == "__main__":
    unittest.main()

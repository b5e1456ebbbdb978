#!/usr/bin/env python3
"""test_no_path.py - of an answer without a path, the first line comes before the count.

1. The line is a write of its own: a socket that keeps writes apart has it first.
2. Ctrl-C after the line, in a pipe and on a terminal: the line is whole, the count is missing, and
   the exit status is 130. The line is longer than the pipe or the terminal holds, so that bfs waits
   in the middle of it when the signal comes.
3. A file of --output has all of the answer.
"""
import contextlib
import fcntl
import os
import pathlib
import pty
import signal
import socket
import subprocess
import tempfile
import unittest

BFS = pathlib.Path(os.environ["PW_BUILD"], "bin/bfs")
HELD = 100000  # bytes, more than a terminal holds


class NoPath(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="pw kein päth ")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.graph = self.folder / "graph.tsv"

    def write(self, *names):
        """A path through these names. From the last to the first there is no way."""
        self.graph.write_text("".join(f"{a}\t{b}\n" for a, b in zip(names, names[1:])))

    def question(self, *options):
        return [BFS, self.graph, "--from", "#2", "--to", "#0", *options]

    def test_the_line_is_written_before_the_count(self):
        self.write("a", "b", "c")
        for options in ((), ("--all-shortest",), ("--verify",)):
            mine, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            with mine, subprocess.Popen(self.question(*options), stdout=its) as bfs:
                its.close()
                writes = list(iter(lambda: mine.recv(4096), b""))
                self.assertEqual(bfs.wait(), 0)
            verified = b", verified" if "--verify" in options else b""
            self.assertEqual(writes[0], b"c does not lead to a" + verified + b"\n")
            self.assertEqual(b"".join(writes[1:]), b"a leads to c in 2 hops\nc leads nowhere\n")

    def test_ctrl_c_after_the_line_in_a_pipe(self):
        out, its = os.pipe()
        room = fcntl.fcntl(its, fcntl.F_SETPIPE_SZ, 4096)
        self.write("a" * room, "b", "c" * room)
        with subprocess.Popen(self.question(), stdout=its, stderr=subprocess.PIPE) as bfs:
            os.close(its)
            said = os.read(out, 1)
            bfs.send_signal(signal.SIGINT)
            with open(out, "rb") as rest:
                said += rest.read()
            self.assertEqual(bfs.stderr.read(), b"bfs: interrupted\n")
            self.assertEqual(bfs.wait(), 130)
        self.assertEqual(said.decode(), "c" * room + " does not lead to " + "a" * room + "\n")

    def test_ctrl_c_after_the_line_on_a_terminal(self):
        self.write("a" * HELD, "b", "c" * HELD)
        mine, its = pty.openpty()
        self.addCleanup(os.close, mine)
        with subprocess.Popen(self.question(), stdin=its, stdout=its, stderr=subprocess.PIPE,
                              start_new_session=True) as bfs:
            os.close(its)
            seen = b""
            while b"cccc" not in seen:
                seen += os.read(mine, 8)
            bfs.send_signal(signal.SIGINT)
            with contextlib.suppress(OSError):  # the program's end is closed, and all is read
                while True:
                    seen += os.read(mine, 4096)
            self.assertEqual(bfs.stderr.read(), b"bfs: interrupted\n")
            self.assertEqual(bfs.wait(), 130)
        seen = seen.decode()
        self.assertIn("c" * HELD + " does not lead to " + "a" * HELD, seen)
        self.assertNotIn("leads", seen)

    def test_a_file_has_all_of_the_answer(self):
        self.write("a", "b", "c")
        file = self.folder / "answer"
        self.assertEqual(subprocess.run(self.question("--output", file), check=False).returncode, 0)
        self.assertEqual(file.read_text(),
                         "c does not lead to a\na leads to c in 2 hops\nc leads nowhere\n")


if __name__ == "__main__":
    unittest.main()

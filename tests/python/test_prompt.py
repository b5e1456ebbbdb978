#!/usr/bin/env python3
"""test_prompt.py - python3 -m pointer_wars: a prompt for people, with the words of bfs.

1. Its answers are, but for the times, what bfs prints of the same questions.
2. Each command does what its page says, and :help lists the commands of the page.
3. On a terminal: completion, the lines of the session, and the end by Ctrl-D, Ctrl-C and a signal,
   after which the terminal is as before. Nothing here waits for a time: each wait is for something
   to be seen, up to a generous deadline.
"""
import codecs
import contextlib
import fcntl
import os
import pathlib
import re
import select
import signal
import subprocess
import sys
import tempfile
import termios
import time
import unittest
from importlib.util import find_spec

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("PW_BUILD", ROOT / "build/release"))
LIBRARY, BFS = BUILD / "lib/libpwgraph.so", BUILD / "bin/bfs"
BORDERS = ROOT / "data/sample/borders.tsv"
PROMPT = [sys.executable, "-m", "pointer_wars"]
DEADLINE_S = 45
TIME = re.compile(r"[\d.,]+ m?s\b")

for reason, wrong in (("a sanitizer's library needs its run-time library first",
                       os.environ.get("PW_SANITIZE")),
                      ("the libraries are static archives in this build", not LIBRARY.exists()),
                      ("numpy is not installed: ./setup.sh test", not find_spec("numpy"))):
    if wrong:
        print(f"skipped: {reason}")
        sys.exit(77)

ENVIRONMENT = {**os.environ, "POINTER_WARS_LIBRARY": str(LIBRARY), "TERM": "xterm",
               "PYTHONPATH": str(ROOT / "python/src"), "PYTHONDONTWRITEBYTECODE": "1"}
ENVIRONMENT.pop("COLUMNS", None)


class Prompts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="pw prömpt ")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def graph(self, *edges):
        path = self.folder / "graph.tsv"
        path.write_bytes(b"".join(a.encode() + b"\t" + b.encode() + b"\n" for a, b in edges))
        return path

    def talk(self, graph, *lines, options=(), status=0):
        """What is said to these lines in a pipe, without times."""
        text = "".join(line + "\n" for line in lines)
        done = subprocess.run([*PROMPT, *options, str(graph)], input=text.encode(), check=False,
                              capture_output=True, env=ENVIRONMENT)
        self.assertEqual(done.returncode, status, done.stderr.decode())
        self.errors = done.stderr.decode()
        return TIME.sub("TIME", done.stdout.decode())

    def said(self, graph, *options):
        """What bfs says, without times."""
        done = subprocess.run([BFS, str(graph), "--quiet", *options], check=True,
                              stdout=subprocess.PIPE, env=ENVIRONMENT)
        return TIME.sub("TIME", done.stdout.decode())


class Words(Prompts):
    """In a pipe."""

    def test_bfs_answers_in_the_same_words(self):
        for source, target in (("Laos", "Poland"), ("Chad", "Kenya"), ("Laos", "Haiti"),
                               ("Haiti", "Laos"), ("Laos", "Laos"), ("Timor-Leste", "Lesotho")):
            ends = f"--from={source}", f"--to={target}"
            self.assertEqual(self.talk(BORDERS, source, target), self.said(BORDERS, *ends))
            self.assertEqual(self.talk(BORDERS, f":all=2 {source} -> {target}"),
                             self.said(BORDERS, *ends, "--all-shortest=2"))
            for avoided in "China", "Laos", "Poland":
                self.assertEqual(self.talk(BORDERS, source, target, options=["--without", avoided]),
                                 self.said(BORDERS, *ends, f"--without={avoided}"))
            for between in "\t", " -> ":
                self.assertEqual(self.talk(BORDERS, source + between + target), self.said(BORDERS, *ends))
        for source in "Laos", "Haiti":
            self.assertEqual(self.talk(BORDERS, f":histogram {source}"),
                             self.said(BORDERS, f"--from={source}", "--histogram"))

    def test_the_columns_of_a_table_are_chosen(self):
        path = self.folder / "staff.csv"
        path.write_text("boss_no,boss,staff_no,staff\n4,eve,5,fay\n5,fay,6,gil\n")
        self.talk(path, status=1)
        self.assertIn('columns="A,B"', self.errors)
        self.assertTrue(self.talk(path, "eve", "gil", options=["--columns=boss,staff"])
                        .startswith("eve -> fay -> gil\n"))

    def test_a_dead_end_and_a_way_back(self):
        graph = self.graph(("a", "b"), ("b", "c"))
        for ends in ("c", "a"), ("a", "a"), ("c", "c"):
            self.assertEqual(self.talk(graph, *ends),
                             self.said(graph, f"--from={ends[0]}", f"--to={ends[1]}"))
        self.assertEqual(self.talk(graph, ":count=no", "c", "a"),
                         "answers without counts\nc does not lead to a\n")

    def test_a_number_of_paths_of_any_length_is_counted(self):
        graph = self.graph(*[edge for i in range(80) for side in "xy" for edge in (
            (f"n{i}", f"{side}{i}"), (f"{side}{i}", f"n{i + 1}"))])
        self.assertEqual(self.talk(graph, "n0", "n80"),
                         self.said(graph, "--from=n0", "--to=n80"))
        self.assertIn(f"one of {2**80:,} shortest paths", self.talk(graph, "n0", "n80"))
        self.assertIn(f"the first 3 of {2**80:,} shortest", self.talk(graph, ":all=3 n0 -> n80"))

    def test_help_lists_the_commands_of_the_page(self):
        page = (ROOT / "python/README.md").read_text(encoding="utf-8")
        lines = self.talk(BORDERS, ":help").splitlines()[1:-1]
        self.assertEqual({line.split()[0].partition("[")[0] for line in lines},
                         set(re.findall(r"(?<=`):[a-z]+", page)))

    def test_each_command_does_what_its_page_says(self):
        said = self.talk(
            BORDERS, "laos", ":avoid Russia", "poland", ":back", ":avoid Sudan\tRussia",
            ":avoid=none", ":avoid", ":all=1 Chad Kenya", ":complete=name,1 Sou", ":complete nobody", ":count",
            ":count=no", ":ask chad", ":ask Kenya", ":ask Chad -> Kenya", ":all", ":random=7",
            ":random=7")
        self.assertIn('"laos" is taken for "Laos"\nto avoid:\n  Russia\n', said)
        self.assertIn("Laos -> China -> ", said)
        self.assertIn("Poland -> ", said)
        self.assertIn("to avoid:\n  Russia\n  Sudan\nno nodes to avoid\nno nodes to avoid\n", said)
        self.assertIn("3 hops, TIME, the first 1 of 3 shortest paths\n", said)
        self.assertIn("  South_Africa\n  ... and 2 more\nno name begins with that\nanswers with counts\n"
                      "answers without counts\n", said)
        self.assertIn('"chad" is taken for "Chad"\nChad -> ', said)
        self.assertEqual(said.count(" -> Kenya\n3 hops, TIME\n"), 2)
        self.assertIn("3 hops, TIME, 3 shortest paths\n", said)
        last = said.splitlines()[-4:]
        self.assertEqual(last[:2], last[2:])

    def test_a_seed_gives_the_same_random_questions(self):
        lines = self.talk(BORDERS, ":random=7", ":random", ":random=7", ":random").splitlines()
        self.assertEqual(lines[:len(lines) // 2], lines[len(lines) // 2:])

    def test_what_cannot_be_done_is_said_and_the_session_goes_on(self):
        for line, why in (
                (":all", "there was no question yet"), (":back", "there was no question yet"),
                (":histogram", "there was no question yet"),
                (":", 'there is no command ":"; :help lists them'),
                (":foo=3 x", 'there is no command ":foo"; :help lists them'),
                (":all=1001 a -> b",
                 '"1001" is not an option of :all[=K] [FROM -> TO] (K is at most 1000)'),
                (":all=-1", '"-1" is not an option of'), (":back now", ":back takes nothing after it"),
                (":help=3", '"3" is not an option of :help'), (":ask", "expected two nodes"),
                (":random=x", '"x" is not an option of :random[=SEED]\n'),
                (":count=maybe", '"maybe" is not an option of'),
                (":avoid=all", '"all" is not an option of'),
                (":avoid=none Laos", ":avoid=none takes nothing after it"),
                (":complete=age S", '"age" is not an option of'),
                ("Nowhereland", 'no node is called "Nowhereland"'),
                ("Polend", 'no node is called "Polend"; did you mean Poland?'),
                (":avoid Nowhereland", 'no node is called "Nowhereland"'),
                (":all Laos -> Nowhereland", 'no node is called "Nowhereland"')):
            said = self.talk(BORDERS, line, "Laos", "Poland")
            self.assertTrue(said.startswith(why), (line, said))
            path = "Laos -> China -> Russia -> Poland\n3 hops, TIME\n"
            self.assertTrue(said.endswith(path), said)
        self.assertIn("Laos is among the nodes to avoid",
                      self.talk(BORDERS, ":histogram Laos", options=["--without=Laos"]))

    def test_hidden_characters_and_bytes_are_shown(self):
        graph, names = self.folder / "graph.txt", self.folder / "names"
        graph.write_text("1 2\n3 4\n4 5\n", encoding="utf-8")
        names.write_bytes(b"a\nb\nzoo\x1b[31m\ncaf\xe9\nb\xe2\x80\xaec\n")
        said = self.talk(graph, ":complete", ":histogram zoo\x1b[31m",
                         ":all zoo\x1b[31m -> b\u202ec", options=[f"--names={names}"])
        self.assertIn("  zoo\\x1b[31m\n", said)
        self.assertIn("zoo\\x1b[31m reaches 3 of 5 nodes\n", said)
        self.assertIn("zoo\\x1b[31m -> caf%E9 -> b\\u202ec\n", said)

    def test_a_file_that_cannot_be_read_is_one_line(self):
        self.talk(self.folder / "nothing", status=1)
        self.assertRegex(self.errors, r"^pointer_wars: .*nothing.*\n$")
        self.talk(BORDERS, options=["--without=Polend"], status=1)
        self.assertEqual(self.errors,
                         'pointer_wars: no node is called "Polend"; did you mean Poland?\n')

    def test_a_bad_block_ends_in_status_1(self):
        snapshot = self.folder / "borders.pwg"
        subprocess.run([BUILD / "bin/graph-convert", "--quiet", "--with-reverse", BORDERS,
                        snapshot], check=True)
        self.assertIn("3 hops", self.talk(snapshot, "Laos", "Poland"))
        data = bytearray(snapshot.read_bytes())
        place = data.index(b"Poland")
        data[place] ^= 1
        snapshot.write_bytes(data)
        self.talk(snapshot, "Laos", "Poland", "Laos", "Laos", status=1)
        self.assertRegex(self.errors, r"^pointer_wars: .*borders\.pwg.*\n$")


class Terminal:
    """A program on a terminal of its own."""

    def __init__(self, command):
        self.mine, self.its = os.openpty()
        self.before = termios.tcgetattr(self.its)
        self.seen, self.looked = "", 0
        self.decode = codecs.getincrementaldecoder("utf-8")().decode  # a read may end in a character
        self.process = subprocess.Popen(
            command, stdin=self.its, stdout=self.its, stderr=self.its, env=ENVIRONMENT,
            start_new_session=True, preexec_fn=self.prepare)

    @staticmethod
    def prepare():
        """In the process to be: its terminal, and Ctrl-C although a job in the background ignores it."""
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    def look(self):
        """Take in what is shown."""
        if not select.select([self.mine], [], [], DEADLINE_S)[0]:
            raise AssertionError(f"nothing more after {self.seen[self.looked:]!r}")
        self.seen += self.decode(os.read(self.mine, 4096))

    def shows(self, text):
        """Wait until a text is shown after the one before."""
        while text not in self.seen[self.looked:]:
            self.look()
        self.looked = self.seen.index(text, self.looked) + len(text)

    def type(self, text):
        os.write(self.mine, text.encode())

    def sleeps(self):
        """Wait until the program waits for a key: readline sees a signal before that with the next key."""
        stat = pathlib.Path(f"/proc/{self.process.pid}/stat")
        while self.process.poll() is None and stat.read_text().rpartition(")")[2].split()[0] != "S":
            time.sleep(0.001)

    def end(self):
        """The exit status, once the program has ended."""
        with self.process:
            while self.process.poll() is None or select.select([self.mine], [], [], 0)[0]:
                if select.select([self.mine], [], [], 0.01)[0]:
                    self.look()
        return self.process.returncode

    def is_as_before(self):
        return termios.tcgetattr(self.its) == self.before

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.mine)
        os.close(self.its)


def has_readline():
    with contextlib.suppress(ImportError):
        import readline
        return "libedit" not in (readline.__doc__ or "")
    return False


@unittest.skipUnless(has_readline(), "this Python has no GNU readline")
class OnATerminal(Prompts):
    def open(self, graph):
        terminal = Terminal([*PROMPT, str(graph)])
        self.addCleanup(terminal.close)
        terminal.shows(":help lists commands")
        terminal.shows("from: ")
        return terminal

    def test_two_names_are_a_question(self):
        terminal = self.open(self.graph(("shoe", "leather"), ("leather", "milk")))
        terminal.type("shoe\n")
        terminal.shows("to:   ")
        terminal.type("milk\n")
        terminal.shows("shoe -> leather -> milk\r\n2 hops, ")
        terminal.shows("from: ")
        terminal.type("\x04")
        self.assertEqual(terminal.end(), 0)
        self.assertTrue(terminal.is_as_before())

    def test_tab_completes_a_name_also_in_commands(self):
        terminal = self.open(self.graph(("shoe", "sock"), ("sock", "blue cheese"),
                                        ("blue cheese", "blue shoe"), ("blue shoe", "shoe")))
        terminal.type("so\t\n")
        terminal.shows("to:   ")
        terminal.type("bl\tc\t\n")  # as far as the names agree, then to the end
        terminal.shows("sock -> blue cheese")
        terminal.shows("from: ")
        terminal.type("s\t")
        terminal.shows("shoe")
        terminal.shows("sock")
        terminal.type("h\t\n")
        terminal.shows("to:   ")
        terminal.type(":all so\t -> blue s\t\n")
        terminal.shows("sock -> blue cheese -> blue shoe")
        terminal.shows("to:   ")
        terminal.type("sock\n")
        terminal.shows("shoe -> sock")

    def test_what_is_typed_in_another_case_is_completed_and_never_deleted(self):
        terminal = self.open(self.graph(("Café", "CafE"), ("CafE", "Cafés")))
        terminal.type("CAFÉs\t")
        terminal.shows("afés")
        terminal.type("\n")
        terminal.shows("to:   ")
        terminal.type("CAFE\t\n")  # three names begin so, but only "Caf" is common
        terminal.shows("CafE   Café   Cafés")
        terminal.shows('no node is called "CAFE"')

    def test_more_names_than_can_be_listed_are_counted(self):
        names = [f"node {i:04}" for i in range(300)] + ["nod"]
        terminal = self.open(self.graph(*zip(names, names[1:])))
        terminal.type("nod\t")
        terminal.shows("nod... and 261 more")
        terminal.type("e\t")  # as far as all names agree, also the ones that are not listed
        terminal.shows("node 0... and 260 more")
        terminal.type("299\n")
        terminal.shows("to:   ")

    def test_up_brings_earlier_lines_back(self):
        terminal = self.open(self.graph(("shoe", "sock"), ("sock", "shoe")))
        terminal.type("shoe\nsock\n")
        terminal.shows("shoe -> sock")
        terminal.shows("from: ")
        terminal.type("\x1b[A\n")
        terminal.shows("to:   ")
        terminal.type("\x1b[A\x1b[A\x1b[A\n")
        terminal.shows("sock -> shoe")

    def test_ctrl_c_and_signals_end_it_and_the_terminal_is_as_before(self):
        for number, status in ((None, 130), (signal.SIGINT, 130), (signal.SIGTERM, 143),
                               (signal.SIGHUP, 129)):
            terminal = self.open(BORDERS)
            terminal.type("sh")
            terminal.shows("sh")
            self.assertFalse(terminal.is_as_before())
            terminal.sleeps()
            if number is None:
                terminal.type("\x03")
            else:
                terminal.process.send_signal(number)
            self.assertEqual(terminal.end(), status)
            self.assertTrue(terminal.is_as_before(), number)
            self.assertEqual("pointer_wars: interrupted" in terminal.seen, status == 130)
            self.assertNotIn("Traceback", terminal.seen)

    def test_a_long_path_is_broken_before_an_arrow(self):
        terminal = self.open(BORDERS)
        terminal.type(":ask Timor-Leste -> Lesotho\n")
        terminal.shows("hops, ")
        lines = terminal.seen.replace("\r", "").split("\n")
        begin = next(i for i, line in enumerate(lines) if line.startswith("Timor-Leste -> "))
        self.assertTrue(lines[begin + 1].startswith("  -> "), lines)
        self.assertLessEqual(max(map(len, lines[begin:])), 80)


if __name__ == "__main__":
    unittest.main(verbosity=2)

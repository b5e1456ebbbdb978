#!/usr/bin/env python3
"""Snapshots that bfs reads by block: in little memory, and with a bad block.

1. A question by names takes far less memory than the snapshot has bytes; reading all of it takes as
   much, so the measure is fit. With private memory for a quarter of the snapshot it is answered,
   too.
2. Also the names in an answer without a path are checked before a word of it is written.
3. With a wrong byte in any block a question for all shortest paths has its answer, or the block's
   error and not a byte of an answer; the first in most cases, as few blocks are used.
4. Who reads all of a snapshot names the first bad block, also of a wrong byte between two arrays,
   which no answer uses.
"""
import os
import pathlib
import random
import re
import resource
import subprocess
import tempfile
import unittest

PROGRAMS = pathlib.Path(os.environ["PW_BUILD"], "bin")
SANITIZER = os.environ.get("PW_SANITIZE", "")
BLOCK = 4096


def run(program, *words):
    subprocess.run([PROGRAMS / program, *map(str, words)], check=True)


def ask(output, data_limit, *words):
    """Run bfs, with a limit of its private memory. Its status and its peak, in bytes."""
    child = os.fork()
    if child == 0:
        try:
            if data_limit:
                resource.setrlimit(resource.RLIMIT_DATA, (data_limit, data_limit))
            with open(output, "wb") as out:
                os.dup2(out.fileno(), 1)
            os.execv(PROGRAMS / "bfs", ["bfs", *map(str, words)])
        finally:
            os._exit(99)
    _, status, usage = os.wait4(child, 0)
    return os.waitstatus_to_exitcode(status), usage.ru_maxrss * 1024


class Blocks(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="pw blöcke ")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.snapshot = self.folder / "graph.pwg"

    @unittest.skipIf(SANITIZER, "a sanitizer takes memory of its own")
    def test_a_graph_larger_than_memory_answers_questions(self):
        nodes = 100000
        text, names, out = (self.folder / name for name in ("graph.mtx", "names.txt", "out"))
        names.write_text("".join(f"The article {i}\n" for i in range(nodes)))
        run("graph-convert", "--quiet", f"generate:nodes={nodes},edges=6M", text)
        run("graph-convert", "--quiet", "--with-reverse", "--names", names, text, self.snapshot)
        text.unlink()
        size = self.snapshot.stat().st_size
        question = (self.snapshot, "--from", "The article 5", "--to", f"The article {nodes - 1}")
        _, start = ask(out, 0, "--version")
        status, peak = ask(out, 0, *question)
        answer = out.read_text().splitlines()[0]
        self.assertEqual(status, 0)
        self.assertLess(peak, start + size / 4)
        status, peak = ask(out, 0, *question, "--verify-snapshot")
        self.assertEqual((status, out.read_text().splitlines()[0]), (0, answer))
        self.assertGreater(peak, size * 0.9)
        status, _ = ask(out, size // 4, *question)
        self.assertEqual((status, out.read_text().splitlines()[0]), (0, answer))

    def test_a_bad_name_in_an_answer_without_a_path(self):
        text, names = self.folder / "pairs.mtx", self.folder / "names.txt"
        nodes = 4000
        names.write_text("".join(f"The article {i}\n" for i in range(1, nodes + 1)))
        text.write_text("%%MatrixMarket matrix coordinate pattern general\n"
                        f"{nodes} {nodes} {nodes // 2}\n" +
                        "".join(f"{i} {i + 1}\n" for i in range(1, nodes + 1, 2)))
        run("graph-convert", "--quiet", "--with-reverse", "--names", names, text, self.snapshot)
        place = self.snapshot.read_bytes().index(b"The article 3001\0")

        def ask_ids(*words):
            return subprocess.run([PROGRAMS / "bfs", self.snapshot, *words], encoding="utf-8",
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)

        self.assertIn("The article 3001", ask_ids("--from=#1", "--to=#3001").stdout)
        with open(self.snapshot, "r+b") as file:
            file.seek(place)
            file.write(b"t")
        for words in ((), ("--format=json",)):
            said = ask_ids("--from=#1", "--to=#3001", *words)
            self.assertEqual((said.returncode, said.stdout), (1, ""))
            self.assertIn(f"{self.snapshot}: corrupt: block {place // BLOCK}, ", said.stderr)
        self.assertEqual(ask_ids("--from=#1", "--to=#2").returncode, 0)

    def test_a_wrong_byte_matters_to_all_shortest_paths_only_if_they_use_its_block(self):
        text, names, nodes = self.folder / "graph.mtx", self.folder / "names.txt", 4000
        names.write_text("".join(f"The article {i}\n" for i in range(nodes)))
        run("graph-convert", "--quiet", f"generate:nodes={nodes},edges=40k", text)
        run("graph-convert", "--quiet", "--with-reverse", "--names", names, text, self.snapshot)
        good = self.snapshot.read_bytes()

        def answer(*words):
            said = subprocess.run([PROGRAMS / "bfs", self.snapshot, *words], encoding="utf-8",
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            said.stdout = re.sub(r"[0-9.]+e-[0-9]+|[0-9]+\.[0-9]+|[0-9]+ ms", "", said.stdout)
            return said

        question = ("--from=The article 7", "--to=The article 3210")
        forms = [("--all-shortest",), ("--all-shortest=2",),
                 ("--all-shortest=1000", "--longer=1"), ("--all-shortest", "--format=json"),
                 ("--all-shortest=1", "--format=dot")]
        wanted = {form: answer(*question, *form) for form in forms}
        chance = random.Random(2007)
        for form in forms:
            self.assertEqual(wanted[form].returncode, 0, wanted[form].stderr)
            refused, answered = 0, 0
            for block in range(16, len(good) // BLOCK):
                at = block * BLOCK
                if not any(good[at:at + BLOCK]):
                    continue
                with self.subTest(form=form, block=block):
                    at += chance.randrange(BLOCK // 4)
                    self.snapshot.write_bytes(good[:at] + bytes([good[at] ^ 64]) + good[at + 1:])
                    said = answer(*question, *form)
                    if said.returncode == 0:
                        self.assertEqual(said.stdout, wanted[form].stdout)
                        answered += 1
                    elif "the checksums of its blocks are damaged" not in said.stderr:
                        self.assertEqual((said.returncode, said.stdout), (1, ""))
                        self.assertIn(f"{self.snapshot}: corrupt: block {block}, ", said.stderr)
                        refused += 1
            self.assertGreater(refused, 5, form)
            self.assertGreater(answered, 5, form)

    def test_who_reads_all_of_a_snapshot_names_its_first_bad_block(self):
        text, pairs, nodes = self.folder / "graph.mtx", self.folder / "pairs.txt", 4000
        pairs.write_text("1 2\n")
        run("graph-convert", "--quiet", f"generate:nodes={nodes},edges=40k", text)
        run("graph-convert", "--quiet", "--with-reverse", text, self.snapshot)
        good = self.snapshot.read_bytes()
        ask, info = (PROGRAMS / "bfs", self.snapshot), (PROGRAMS / "graph-info", self.snapshot)
        one = (*ask, "--from=1", "--to=2")
        readers = [(*ask, pairs), (*ask, "--from=1", "--histogram"), (*one, "--engine=array"),
                   (*one, "-v"), (*one, "--verify-snapshot"), info, (*info, "--verify-snapshot")]

        def expect_block(words, block):
            said = subprocess.run(words, encoding="utf-8", stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE)
            self.assertEqual(said.returncode, 1, words)
            self.assertIn(f"{self.snapshot}: corrupt: block {block}, the bytes from "
                          f"{block * BLOCK} on, ", said.stderr)

        chance = random.Random(2007)
        last = (len(good) - 1) // (16 * BLOCK) * 16 * BLOCK  # the checksums of the blocks
        for _ in range(40):
            at = chance.randrange(BLOCK, last)
            others = {at, chance.randrange(at, last)}
            wrong = bytearray(good)
            for place in others:
                wrong[place] ^= 64
            self.snapshot.write_bytes(wrong)
            with self.subTest(at=at):
                for words in readers:
                    expect_block(words, at // BLOCK)


if __name__ == "__main__":
    unittest.main(verbosity=2)

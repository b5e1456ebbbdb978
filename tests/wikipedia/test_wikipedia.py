#!/usr/bin/env python3
"""wikipedia-import finds what slow_import.py finds, in dumps of every layout, form and damage.

Usage: test_wikipedia.py FOLDER_OF_PROGRAMS [unittest option...]
"""
import bz2
import collections
import csv
import ctypes
import gzip
import hashlib
import io
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

from slow_import import Wiki

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from random_share import random_share  # noqa: E402

PROGRAMS = pathlib.Path(sys.argv[1]).resolve()
SEED = int(os.environ.get("PW_TEST_SEED", random.randrange(1 << 32)))
LAYOUTS = ["titles", "from-namespace", "both", "targets"]
OF_SNAPSHOT = ["wiki", "date", "namespaces", "kept", "incomplete"]


def run(*words, status=0):
    """Run a program. Returns what it printed on both outputs."""
    done = subprocess.run([PROGRAMS / words[0], *map(str, words[1:])], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False, timeout=1000)
    text = done.stdout.decode("utf-8", "backslashreplace")
    if done.returncode != status:
        raise AssertionError(f"{words}: status {done.returncode}, not {status}: {text}")
    return text


def split_rows(path):
    """What is before the rows of a dump in the form of rows, the rows, and what is after them."""
    head, values, rest = path.read_bytes().partition(b"VALUES\n")
    rows, end, tail = rest.partition(b";\n")
    return head + values, rows.split(b",\n"), end + tail


def escape(title):
    for raw, written in [(b"\\", b"\\\\"), (b"'", b"\\'"), (b"\n", b"\\n"), (b"\r", b"\\r"),
                         (b"\x1a", b"\\Z"), (b'"', b'\\"')]:
        title = title.replace(raw, written)
    return b"'" + title + b"'"


class Import(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)
        self.out = self.folder / "out.pwg"

    def tearDown(self):
        self.scratch.cleanup()

    def generate(self, *options, name="dumps"):
        run("../tests/wikipedia-generate", *options, self.folder / name)
        return self.folder / name / "testwiki-20261101"

    def result(self, place, *options):
        """Names, edges and counts that the program finds, with one thread and with several."""
        run("wikipedia-import", "--quiet", "--threads=5", *options, place, self.out)
        several = self.out.read_bytes()
        run("wikipedia-import", "--quiet", "--threads=1", *options, place, self.out)
        self.assertEqual(self.out.read_bytes() == several, True, "--threads=5 changes the snapshot")
        edges, names = self.folder / "edges", self.folder / "names"
        run("graph-convert", "--quiet", self.out, edges, "--to", "edges", "--write-names", names)
        pairs = [tuple(map(int, line.split())) for line in edges.read_text().splitlines()
                 if line and line[0] not in "#%"]
        facts = dict(line.split("\t") for line in run("graph-info", "--facts", self.out).splitlines())
        return names.read_bytes().split(b"\n")[:-1], pairs, facts

    def check(self, place, *options, **meaning):
        names, edges, facts = self.result(place, *options)
        wiki = Wiki(place, **meaning)
        self.assertEqual(names, wiki.names)
        self.assertEqual(edges, wiki.edges)
        counts = {name: int(value) for name, value in facts.items()
                  if name not in OF_SNAPSHOT and int(value)}
        self.assertEqual(counts, {name: value for name, value in wiki.counts.items() if value})
        return wiki, facts

    def test_every_layout_and_form_gives_the_same_graph(self):
        snapshots = set()
        for layout in LAYOUTS:
            for form in ["statements", "rows"]:
                old = ["--old-page"] if layout < "c" else []
                prefix = self.generate("--pages", "400", "--layout", layout, "--form", form, *old,
                                       "--level", "0" if form == "rows" else "1", name=layout + form)
                wiki, _ = self.check(prefix)
                self.assertGreater(len(wiki.edges), 1000)
                snapshots.add(str((wiki.names, wiki.edges)))
        self.assertEqual(len(snapshots), 1)

    def test_hard_titles_are_found(self):
        self.generate("--pages", "100")
        names, _, _ = self.result(self.folder / "dumps")
        for title in [b"104-2,3,(6),(7),11", b"'90s on 9", b'"A," My Name is Alex - Parts I & II',
                      b"Kagrra,", b"!", b"),(", b"\\", b"AC\\DC", b"NULL", b"L" * 250,
                      b"Not \xff\xfe UTF-8"]:
            self.assertIn(title, names)

    def test_the_library_knows_the_redirects_of_an_article(self):
        library = PROGRAMS.parent / "lib/libpwgraph.so"
        if os.environ.get("PW_SANITIZE") or not library.exists():
            self.skipTest("a plain Python cannot load the library of this build")
        prefix = self.generate("--pages", "400")
        run("wikipedia-import", "--quiet", self.folder / "dumps", self.out)
        wiki = Wiki(prefix)
        wanted = collections.defaultdict(list)
        for title, node in wiki.redirects.items():
            wanted[node].append(title)
        self.assertGreater(max(map(len, wanted.values())), 1)
        library = ctypes.CDLL(str(library))
        library.pwgraph_load.restype = ctypes.c_void_p
        library.pwgraph_redirects.restype = ctypes.c_size_t
        graph = ctypes.c_void_p(library.pwgraph_load(str(self.out).encode(), None))
        self.assertTrue(graph)
        titles = (ctypes.c_char_p * len(wiki.redirects))()
        for node in range(len(wiki.names)):
            count = library.pwgraph_redirects(graph, ctypes.c_uint32(node), titles,
                                              ctypes.c_size_t(len(titles)))
            self.assertEqual(sorted(titles[:count]), sorted(wanted[node]), wiki.names[node])
        library.pwgraph_free(graph)

    def ask(self, *words, status=0):
        return run("bfs", self.out, *words, status=status)

    def test_questions_by_name(self):
        self.generate("--pages", "2k")
        run("wikipedia-import", self.folder / "dumps", self.out)
        text = self.ask("--from", "USA", "--to", "Banana")
        self.assertIn("note: --from: USA redirects to United States\n", text)
        self.assertIn("testwiki of 2026-11-01", text)
        path = text.splitlines()[-2]
        for source in ["United_States", "United States", "united States"]:
            text = self.ask("--from", source, "--to", "banana")
            self.assertNotIn("note", text)
            self.assertEqual(text.splitlines()[-2], path)
        self.assertIn('"UNITED STATES" is taken for "United States"',
                      self.ask("--from", "UNITED STATES", "--to", "Banana"))
        for wrong in ["Untied States", "Unitd Sttes", "United Stat"]:
            self.assertIn("did you mean United States",
                          self.ask("--from", wrong, "--to", "Banana", status=1))
        ask = ["--from", "Ada Lovelace", "--to", "C%C3%B4te_d'Ivoire", "--format", "json"]
        self.assertIn('"date":"2026-11-01"', self.ask(*ask))
        self.assertIn('"dump_date": "2026-11-01"', self.ask(*ask, "--engine=array"))
        renumbered = self.folder / "renumbered.pwg"
        run("graph-convert", "--order=bfs", self.out, renumbered)
        self.assertIn("USA redirects", run("bfs", renumbered, "--from", "USA", "--to", "Banana"))
        answer = self.out_of("bfs", self.out, "--from=USA", "--to=Banana", "--format=json")
        self.assertIn('"date":"2026-11-01"', answer)
        wiki = Wiki(self.folder / "dumps/testwiki-20261101")
        pages = dict(zip(wiki.names, wiki.page_ids))
        path = json.loads(answer)
        self.assertEqual(path["page_ids"], [pages[title.encode()] for title in path["path"]])
        for graph in [self.out, renumbered]:
            lines = run("bfs", graph, "--from=USA", "--to=Banana", "--format=json").splitlines()
            alone = json.loads(lines[-1])  # after the note
            same = ["from", "to", "hops", "shortest_path_count", "from_note", "date", "schema"]
            if graph == self.out:  # else the search goes another way
                same = set(alone) - {"seconds"}
                self.assertEqual(set(alone), set(path))
            self.assertEqual([alone[name] for name in same], [path[name] for name in same])
            row = json.loads(run("bfs", graph, "--from=Ada Lovelace", "--to=Banana", "--format=json",
                                 "--engine=array"))["searches"][0]
            self.assertEqual([row["source_page_id"], row["target_page_id"]], [pages[b"Ada Lovelace"], pages[b"Banana"]])
        self.assertRegex(run("graph-info", self.out), "names +yes, with page ids")

    def test_addresses_of_articles_are_names(self):
        self.generate("--pages", "2k")
        run("wikipedia-import", self.folder / "dumps", self.out)
        site = "https://test.wikipedia.org"
        path = self.ask("--from", "Ada Lovelace", "--to", "Banana").splitlines()[0]
        for source in [f"{site}/wiki/Ada_Lovelace", "https://test.m.wikipedia.org/wiki/ada_lovelace#Life",
                       f"{site}/wiki/Ada%20Lovelace?oldid=1", "https://a.org/wiki/ADA%20LOVELACE"]:
            lines = self.ask("--from", source, "--to", f"{site}/wiki/Banana").splitlines()
            self.assertIn(f'note: --from: "{source}" is taken for "Ada Lovelace"', "\n".join(lines))
            self.assertEqual(lines[-2], path)
        self.assertIn("note: --from: USA redirects to United States\n",
                      self.ask("--from", f"{site}/wiki/USA", "--to", "Banana"))
        without = f"--without={site}/wiki/USA,{site}/wiki/C%C3%B4te_d%27Ivoire"
        avoiding = json.loads(self.ask("--from=Ada Lovelace", "--to=Banana", without, "--format=json", "--quiet"))
        self.assertEqual(avoiding["avoided"], 2)
        self.assertNotIn("United States", avoiding["path"])
        pairs = self.folder / "pairs.tsv"
        pairs.write_text(f"{site}/wiki/Ada_Lovelace#Life\t{site}/wiki/Banana\n")
        self.assertIn('"Ada Lovelace"', self.ask(pairs, "--format=json"))
        self.assertIn("did you mean Ada Lovelace?",
                      self.ask("--from", f"{site}/wiki/Ada_Lovelac", "--to=Banana", status=1))

    def test_articles_are_numbered_in_another_order(self):
        place = self.generate("--pages", "2k")
        ordered, converted = self.folder / "ordered.pwg", self.folder / "converted.pwg"
        for threads in [1, 5]:
            for options in [[], ["--without-reverse"]]:
                run("wikipedia-import", "--quiet", f"--threads={threads}", *options, place, self.out)
                for order in ["none", "degree", "bfs"]:
                    run("wikipedia-import", "--quiet", f"--threads={threads}", *options, f"--order={order}", place, ordered)
                    run("graph-convert", "--quiet", *options, f"--order={order}", self.out, converted)
                    self.assertEqual(ordered.read_bytes(), converted.read_bytes(), (threads, options, order))

    def test_reports_of_pairs_have_pages_and_redirects(self):
        wiki = Wiki(self.generate("--pages", "2k"))
        run("wikipedia-import", self.folder / "dumps", self.out)
        pages = dict(zip(wiki.names, wiki.page_ids))
        pairs = self.folder / "pairs.tsv"
        pairs.write_text("USA\tBanana\nAda Lovelace\tbANANA\nBanana\tUSA\n")
        command = ["bfs", self.out, pairs, "--path", "--format"]
        report = json.loads(self.out_of(*command, "json"))
        self.assertEqual(report["context"]["dump_date"], "2026-11-01")
        question = ["bfs", self.out, "--from=Banana", "--to=USA", "--format=json"]
        self.assertEqual(report["context"]["wiki"], json.loads(self.out_of(*question))["wiki"])
        rows = list(csv.DictReader(io.StringIO(self.out_of(*command, "csv"))))
        redirects = "USA redirects to United States"
        notes = [(redirects, None), (None, '"bANANA" is taken for "Banana"'), (None, redirects)]
        for row, cells, (source, target) in zip(report["searches"], rows, notes):
            self.assertEqual((row["source_note"], row["target_note"]), (source, target))
            self.assertEqual((cells["source_note"], cells["target_note"]), (source or "", target or ""))
            self.assertEqual(row["page_ids"], [pages[title.encode()] for title in row["path"]] if row["path"] else None)
            self.assertEqual(cells["page_ids"], " -> ".join(map(str, row["page_ids"] or [])))
        self.assertTrue(all(row["found"] for row in report["searches"][:2]))
        pairs.write_text("Banana\tAda Lovelace\n")
        self.assertNotIn("source_note", self.out_of(*command, "json"))
        self.assertNotIn("page_ids", self.out_of("bfs", self.out, pairs, "--format=csv"))

    @staticmethod
    def out_of(*words):
        return subprocess.run([PROGRAMS / words[0], *map(str, words[1:])], check=True, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout

    def import_pages(self, pages, *options):
        """A snapshot of pages, which are (id, namespace, title), with a link from each to the next."""
        pick = random.Random(SEED)
        for path in self.folder.glob("*.sql*"):
            path.unlink()
        self.write(b"page", [(b"page_id", b"int unsigned"), (b"page_namespace", b"int"), (b"page_title", b"varbinary(255)"),
                             (b"page_is_redirect", b"tinyint")],
                   [(b"%d" % page, b"%d" % space, escape(title), b"0") for page, space, title in pages], pick)
        self.write(b"redirect", [(b"rd_from", b"int unsigned"), (b"rd_namespace", b"int"), (b"rd_title", b"varbinary(255)"),
                                 (b"rd_interwiki", b"varbinary(32)")], [], pick)
        self.write(b"pagelinks", [(b"pl_from", b"int unsigned"), (b"pl_namespace", b"int"), (b"pl_title", b"varbinary(255)")],
                   [(b"%d" % page, b"%d" % space, escape(title))
                    for (page, _, _), (_, space, title) in zip(pages, pages[1:])], pick)
        run("wikipedia-import", "--quiet", self.folder, self.out, *options)

    def test_the_longest_names_are_found_also_encoded(self):
        self.import_pages([(1, 0, b"A"), (2, 14, b"L" * 250), (3, 0, "é".encode() * 127 + b"x")], "--namespaces=0,14")
        for name in ["Category:" + "L" * 250, "Category:" + "%4C" * 250, "category:" + "l" * 250]:
            self.assertIn("1 hop,", self.ask("--from=A", "--to", name))
        for name in ["é" * 127 + "x", "%C3%A9" * 127 + "%78", "É" * 127 + "X"]:
            self.assertIn("2 hops,", self.ask("--from=A", "--to", name))

    def test_titles_that_are_not_utf8_are_shown_as_they_can_be_asked_for(self):
        titles = ["Start", "%FF%FE x", "%FF%FD x", "Käse 100%", "%FF%C3é"]
        raw = [b"Start", b"\xff\xfe_x", b"\xff\xfd_x", "Käse_100%".encode(), b"\xff\xc3\xc3\xa9"]
        self.import_pages([(number, 0, title) for number, title in enumerate(raw, 1)])
        path = " -> ".join(titles)
        self.assertEqual(self.ask("--from=Start", "--to", titles[-1]).splitlines()[0], path)
        rows = self.ask("--from=Start", "--to", titles[-1], "--format=csv", "--path").splitlines()
        self.assertIn(path, rows[1])
        answer = json.loads(self.ask("--from", titles[1], "--to", titles[2], "--format=json", "--path"))
        self.assertEqual([answer["from"], answer["to"], answer["path"]], [titles[1], titles[2], titles[1:3]])
        pairs = self.folder / "pairs"
        pairs.write_text(f"{titles[1]}\t{titles[2]}\n")
        self.assertRegex(self.ask(pairs), "%FF%FE x +%FF%FD x +1 hop")
        self.assertEqual(self.ask("--from", b"\xff\xfc_x".decode("utf-8", "surrogateescape"), "--to=Start", status=1),
                         'bfs: --from: no node is called "%FF%FC_x"; did you mean %FF%FD x or %FF%FE x?\n')
        self.assertEqual(self.ask("--from=%FF%fe X", "--to=%FF%FD x").splitlines()[0],
                         'bfs: note: --from: "%FF%fe X" is taken for "%FF%FE x"')

    def test_a_number_that_is_no_title_is_a_page_id(self):
        self.import_pages([(3, 0, b"Apple"), (7, 0, b"12"), (9, 0, b"Banana"), (12, 0, b"Cherry"), (1987, 0, b"Date")])
        renumbered = self.folder / "renumbered.pwg"
        run("graph-convert", "--quiet", "--order=degree", self.out, renumbered)
        for graph in [self.out, renumbered]:
            for number, path in [(9, "Banana -> Cherry -> Date"), (3, "Apple -> 12 -> Banana -> Cherry -> Date"),
                                 (12, "12 -> Banana -> Cherry -> Date"), (7, "12 -> Banana -> Cherry -> Date")]:
                self.assertEqual(run("bfs", graph, "--from", number, "--to=1987").splitlines()[0], path)
            for number in [0, 4, 8, 1986, 1988, 4294967296, 99999999999]:
                self.assertEqual(run("bfs", graph, "--from", number, "--to=Date", status=1),
                                 f'bfs: --from: no node is called "{number}"\n')
            pairs = self.folder / "pairs"
            pairs.write_text("9\t1987\n")
            rows = json.loads(run("bfs", graph, pairs, "--format=json"))["searches"]
            self.assertEqual([(row["source"], row["target"]) for row in rows], [("Banana", "Date")])
            pairs.write_text("9\t4\n")
            self.assertIn('pairs:1: target: no node is called "4"\n', run("bfs", graph, pairs, status=1))
            answer = json.loads(self.out_of("bfs", graph, "--from=3", "--to=9", "--format=json"))
            self.assertEqual(answer["page_ids"], [3, 7, 9])
        self.import_pages([(3, 0, b"Apple"), (1987, 0, b"")])
        self.assertEqual(self.ask("--from=Apple", "--to=1987").splitlines()[0], "Apple -> 1987")

    def test_a_name_with_one_letter_wrong_is_suggested(self):
        pick = random.Random(SEED)
        prefix = self.generate("--pages", "2k")
        run("wikipedia-import", prefix, self.out)
        names = {name.decode(): None for name in Wiki(prefix).names if name.replace(b" ", b"").isalpha()}
        cases = []
        for name in pick.sample(sorted(name for name in names if 8 < len(name) < 40), 60):
            at = pick.randrange(len(name))
            wrong = pick.choice([name[:at] + "q" + name[at:], name[:at] + name[at + 1:], name[:at] + "x" + name[at + 1:]])
            if not any(wrong.lower() == other.lower() for other in names):
                cases.append((name, wrong))
        for name, wrong in cases:
            said = subprocess.run([PROGRAMS / "bfs", self.out, "--from", wrong, "--to=Banana"], text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False).stdout
            self.assertIn(name, said, f"PW_TEST_SEED={SEED}, {wrong}")

    def test_options_change_what_is_left(self):
        prefix = self.generate("--pages", "500", "--links", "60")
        self.check(prefix, "--keep-self-links", keep_self=True)
        self.check(prefix, "--keep-duplicates", keep_duplicates=True)
        self.check(prefix, "--keep-duplicates", "--keep-self-links", keep_duplicates=True, keep_self=True)
        wiki, _ = self.check(prefix, "--drop-disambiguation", drop_disambiguation=True)
        self.assertGreater(wiki.counts["disambiguation pages dropped"], 0)
        wiki, _ = self.check(prefix, "--drop-title=A*", "--drop-title", "[0-9]*", "--drop-title=*of *",
                             drop_titles=["A*", "[0-9]*", "*of_*"])
        self.assertGreater(wiki.counts["pages dropped by title"], 0)
        _, edges, facts = self.result(prefix, "--namespaces=0,14")
        wiki = Wiki(prefix, namespaces=(0, 14))
        self.assertEqual(edges, wiki.edges)
        self.assertEqual(facts["namespaces"], "0,14")
        for wrong in ["0,x", "4294967296", ""]:
            self.assertEqual(run("wikipedia-import", f"--namespaces={wrong}", prefix, self.out, status=2),
                             f'wikipedia-import: --namespaces: expected numbers such as 0,14, found "{wrong}"\n')

    def test_out_in_a_folder_where_no_file_can_be_made_stays_what_it_is(self):
        prefix = self.generate("--pages", "200")
        place = self.folder / "closed"
        place.mkdir()
        (place / "out.pwg").write_bytes(b"old")
        (place / "out.pwg").chmod(0o666)
        (self.folder / "link.pwg").symlink_to(place / "out.pwg")
        for path in [self.folder, prefix.parent]:
            path.chmod(0o755)
        place.chmod(0o555)

        def as_nobody():
            if os.geteuid() == 0:
                os.setgroups([])
                os.setuid(65534)
        for path, use in [(PROGRAMS / "wikipedia-import", "-x"), (f"{prefix}-page.sql.gz", "-r")]:
            if subprocess.run(["test", use, path], preexec_fn=as_nobody, check=False).returncode != 0:
                self.skipTest(f"{path} is where nobody else may go")
        for out in [place / "out.pwg", self.folder / "link.pwg"]:
            done = subprocess.run([PROGRAMS / "wikipedia-import", "--quiet", prefix, out], capture_output=True,
                                  text=True, preexec_fn=as_nobody, check=False)
            self.assertEqual((done.returncode, done.stderr),
                             (1, f"wikipedia-import: {out}: cannot be written: its folder: Permission denied\n"))
            self.assertEqual((place / "out.pwg").read_bytes(), b"old")
        place.chmod(0o755)

    def test_patterns_match_characters_not_bytes(self):
        prefix = self.generate("--pages", "500")
        for pattern, count in [("[Ą]*", 0), ("[Č]*", 1), ("[日]?", 1), ("C?te d'Ivoire", 1), ("Not ?? UTF-8", 1)]:
            text = run("wikipedia-import", prefix, self.out, f"--drop-title={pattern}")
            self.assertRegex(text, rf"pages dropped by title +{count}\n", pattern)
            self.assertEqual("note: no title matches --drop-title" in text, count == 0)
        self.check(prefix, "--drop-title=*é*", "--drop-title=??", drop_titles=["*é*", "??"])

    def test_the_number_of_threads_and_a_memory_limit_change_no_byte(self):
        for layout, form in [("targets", "statements"), ("both", "rows")]:
            dumps = ["--pages", "30k", "--layout", layout, "--form", form, "--level", "0"]
            self.change_no_byte(self.generate(*dumps), self.generate(*dumps, "--backwards", name="backwards"))

    def change_no_byte(self, prefix, other):
        """Import in order, and not, with several threads and limits."""
        snapshots, passes = [], []
        for at, *options in [[prefix, "--threads=1"], [prefix, "--threads=2"], [prefix, "--threads=7"],
                             [prefix, "--threads=1", "--memory-limit=9400K"], [other, "--threads=1"],
                             [other, "--threads=7"], [other, "--threads=1", "--memory-limit=9400K"]]:
            text = run("wikipedia-import", "--without-reverse", at, self.out, *options)
            snapshots.append(hashlib.sha256(self.out.read_bytes()).digest())
            found = re.search(r"passes over the links +(\d+)", text)
            passes.append(int(found[1]) if found else 1)
        self.assertEqual(len(set(snapshots)), 1)
        self.assertEqual(passes[:6], [1, 1, 1, 1, 3, 3])
        self.assertGreater(passes[6], 3)
        without = self.out.stat().st_size
        edges = int(re.search(r"(\d+) edges", text)[1])
        for threads in [1, 2, 7]:
            run("wikipedia-import", prefix, self.out, f"--threads={threads}")
            snapshots.append(hashlib.sha256(self.out.read_bytes()).digest())
            self.assertGreater(self.out.stat().st_size, without + 4 * edges)
        self.assertEqual(len(set(snapshots)), 2)
        text = run("wikipedia-import", prefix, self.out, "--memory-limit=8M", status=1)
        self.assertIn("are allowed", text)

    def test_names_are_within_the_memory_limit(self):
        dumps = ["--pages", "1M", "--links", "6", "--level", "0"]
        prefix, other = self.generate(*dumps), self.generate(*dumps, "--backwards", name="backwards")
        most, passes = {}, []
        for at, limit in [(prefix, 66), (other, 66), (other, 70), (other, 78)]:
            text = run("wikipedia-import", "--without-reverse", f"--memory-limit={limit}M", "--threads=1", at, self.out)
            passes.append(int((re.findall(r"passes over the links +(\d+)", text) or [1])[0]))
            most[at, limit] = float(re.search(r"memory at most +([0-9.]+) MiB", text)[1])
        self.assertEqual((passes[0], passes[-1]), (1, 3))
        self.assertGreater(passes[1], 3)
        self.assertEqual({place: at_most for place, at_most in most.items() if at_most > place[1]}, {})

    def test_titles_take_less_memory_where_links_name_ids(self):
        memory = []
        for layout in ["targets", "both"]:
            prefix = self.generate("--pages", "100k", "--level", "0", "--layout", layout, name=layout)
            text = run("wikipedia-import", "--threads=1", "--without-reverse", prefix, self.out)
            memory.append(float(re.search(r"memory by the formula +([0-9.]+) MiB", text)[1]))
        self.assertGreater(memory[1], memory[0] + 0.1)

    def test_titles_whose_hashes_are_alike_are_distinguished(self):
        prefix = self.generate("--pages", "100k", "--links", "2", "--level", "0")
        text = run("wikipedia-import", prefix, self.out)
        counts = dict(re.findall(r"(?m)^(\S.*?)  +(\d+)$", text))
        wiki = Wiki(prefix)
        self.assertEqual({name: counts[name] for name in wiki.counts if name in counts},
                         {name: str(value) for name, value in wiki.counts.items() if name in counts})
        self.assertGreater(len(counts), 20)
        self.assertIn(f"{len(wiki.names)} nodes, {len(wiki.edges)} edges", text)

    def test_the_reverse_adjacency_is_left_out_where_it_does_not_fit(self):
        prefix = self.generate("--pages", "3k", "--links", "900", "--level", "1")
        text = run("wikipedia-import", prefix, self.out, "--threads=1", "--memory-limit=9M")
        self.assertRegex(text, "note: the reverse adjacency, which takes [0-9.]+ MiB to make, is left out")

    def test_under_a_limit_the_number_of_threads_changes_no_byte(self):
        prefix = self.generate("--pages", "3k", "--links", "200", "--level", "1")
        snapshots = set()
        for threads in [1, 2, 7, 32]:
            text = run("wikipedia-import", prefix, self.out, f"--threads={threads}", "--memory-limit=150M")
            self.assertNotIn("is left out", text)
            self.assertIn("memory by the formula, without reverse", text)
            snapshots.add(hashlib.sha256(self.out.read_bytes()).digest())
        self.assertEqual(len(snapshots), 1)

    def test_links_in_order_but_for_the_first_page_are_counted_once(self):
        prefix = self.generate("--pages", "2k", "--level", "0", "--form", "rows")
        before = run("wikipedia-import", prefix, self.out), self.out.read_bytes()
        self.assertRegex(before[0], r"duplicate links +[1-9]\d\d")
        path = pathlib.Path(f"{prefix}-pagelinks.sql")
        head, rows, tail = split_rows(path)
        pages = [row.split(b",")[0] for row in rows]
        middle = pages.index(pages[len(pages) // 2])
        path.write_bytes(head + b",\n".join(rows[middle:] + rows[:middle]) + tail)
        after = run("wikipedia-import", prefix, self.out), self.out.read_bytes()
        self.assertIn("passes over the links                    3\n", after[0])
        self.assertEqual(after[0].split("passes over")[0], before[0].split("memory by")[0])
        self.assertEqual(after[1], before[1])

    def test_a_list_longer_than_what_is_written_at_once(self):
        prefix = self.generate("--pages", "200", "--level", "0", "--form", "rows")
        _, before, facts = self.result(prefix)
        path = pathlib.Path(f"{prefix}-pagelinks.sql")
        head, rows, tail = split_rows(path)
        text = b"\n" + b",\n".join(rows)
        often = [row for row in rows if text.count(b"\n" + row.split(b",")[0] + b",") > 5]
        for row in often:  # until one whose link is an edge
            path.write_bytes(head + b",\n".join(rows[:rows.index(row)] + [row] + rows[rows.index(row):]) + tail)
            _, _, more = self.result(prefix)
            if more["duplicate links"] != facts["duplicate links"]:
                break
        at = rows.index(row)
        path.write_bytes(head + b",\n".join(rows[:at] + [row] * 600000 + rows[at:]) + tail)
        _, after, more = self.result(prefix)
        self.assertEqual(before, after)
        self.assertEqual(int(more["duplicate links"]), int(facts["duplicate links"]) + 600000)
        text = run("wikipedia-import", prefix, self.out, "--keep-duplicates")
        self.assertIn(f" {len(after) + int(more['duplicate links'])} edges\n", text)

    def test_the_order_of_the_rows_changes_nothing(self):
        random.seed(SEED)
        prefix = self.generate("--pages", "300", "--level", "0", "--form", "rows")
        _, before, _ = self.result(prefix)
        for table in ["pagelinks", "page", "linktarget", "redirect"]:
            path = pathlib.Path(f"{prefix}-{table}.sql")
            head, rows, tail = split_rows(path)
            random.shuffle(rows)
            path.write_bytes(head + b",\n".join(rows) + tail)
        _, after, _ = self.result(prefix)
        self.assertEqual(before, after, f"seed {SEED}")

    def write(self, table, columns, rows, pick):
        """A dump of rows of bytes, each of its statements in one of the shapes that clients write."""
        text = [b"-- MySQL dump\n-- Host: x    Database: testwiki\n/*!40101 SET NAMES utf8 */;\n",
                b"CREATE TABLE `%s` (\n" % table, b",\n".join(b"  `%s` %s" % c for c in columns),
                b",\n  PRIMARY KEY (`%s`)\n) ENGINE=InnoDB;\n" % columns[0][0]]
        per_statement = pick.choice([1, 3, 1000])
        for first in range(0, len(rows), per_statement):
            comma, before_row = pick.choice([(b",", b""), (b",", b"\n"), (b", ", b"\n")])
            listed = b" (%s)" % b", ".join(b"`%s`" % name for name, _ in columns) if pick.random() < .3 else b""
            text.append(b"INSERT INTO `%s`%s VALUES%s" % (table, listed, before_row or b" "))
            text.append((b"," + before_row).join(b"(%s)" % comma.join(row) for row in rows[first:first + per_statement]))
            text.append(b";\n" + (b"-- a comment; with (rows),(\n" if pick.random() < .2 else b""))
        text.append(b"/*!40000 ALTER TABLE x ENABLE KEYS */;\n-- Dump completed on 2026-11-02  1:02:03\n")
        text = b"".join(text)
        name = self.folder / f"testwiki-20261102-{table.decode()}.sql"
        ending = pick.choice(["", ".gz", ".bz2"])
        half = len(text) // 2
        pack = {"": lambda: text, ".bz2": lambda: bz2.compress(text),
                ".gz": lambda: gzip.compress(text[:half]) + gzip.compress(text[half:])}[ending]
        pathlib.Path(str(name) + ending).write_bytes(pack())

    def test_random_rows_in_any_shape(self):
        for case in range(random_share(25)):
            pick = random.Random(SEED + case)
            for path in self.folder.iterdir():
                path.unlink()

            def title():
                size = pick.choice([0, 1, 2, 3, 9])
                return bytes(pick.choice(b"ab'\\\"(),;_-\n\x1a\xff\xc3\xa9") for _ in range(size))
            titles = sorted({(pick.choice([0, 0, 0, 4, 14]), title()) for _ in range(pick.randrange(1, 60))})
            pick.shuffle(titles)
            ids = pick.sample(range(1, 1000), len(titles))
            redirects = [pick.random() < .4 for _ in titles]
            pages = [(b"%d" % i, escape(t), b"%d" % ns, pick.choice([b"0.5", b"5e-05", b"NULL"]), b"%d" % r)
                     for i, (ns, t), r in zip(ids, titles, redirects)]
            self.write(b"page", [(b"page_id", b"int(10) unsigned NOT NULL"), (b"page_title", b"varbinary(255)"),
                                 (b"page_namespace", b"int(11) COMMENT 'a, b) c'"), (b"page_random", b"double"),
                                 (b"page_is_redirect", b"tinyint(1) unsigned")], pages, pick)
            anything = titles + [(ns, b"red" + t) for ns, t in titles[:9]] + [(-1, b"Search")]
            rows = [(b"%d" % i, b"%d" % ns, escape(t), pick.choice([b"NULL", b"''", b"''", b"'de'"]))
                    for i, r in zip(ids, redirects) if r and pick.random() < .9 for ns, t in [pick.choice(anything)]]
            self.write(b"redirect", [(b"rd_from", b"int unsigned"), (b"rd_namespace", b"int(11)"),
                                     (b"rd_title", b"varbinary(255)"), (b"rd_interwiki", b"varbinary(32)")], rows, pick)
            targets = list(enumerate(anything, 5))
            pick.shuffle(targets)
            layout = pick.randrange(4)
            columns = [(b"pl_from", b"int(8) unsigned")]
            if layout < 3:
                columns += [(b"pl_namespace", b"int(11)"), (b"pl_title", b"varbinary(255)")]
            if layout > 0:
                columns += [(b"pl_from_namespace", b"int(11)")]
            if layout > 1:
                columns += [(b"pl_target_id", b"bigint(20) unsigned")]
                self.write(b"linktarget", [(b"lt_id", b"bigint(20) unsigned"), (b"lt_namespace", b"int(11)"),
                                           (b"lt_title", b"varbinary(255)")],
                           [(b"%d" % i, b"%d" % ns, escape(t)) for i, (ns, t) in targets], pick)
            links = []
            for _ in range(pick.choice([0, 5, 300])):
                i, (ns, t) = pick.choice(targets)
                value = {b"pl_from": b"%d" % pick.choice(ids + [7777]), b"pl_namespace": b"%d" % ns, b"pl_title": escape(t),
                         b"pl_from_namespace": b"0",
                         b"pl_target_id": b"NULL" if layout == 2 and pick.random() < .4 else b"%d" % pick.choice([i, i, i, 3])}
                links.append(tuple(value[name] for name, _ in columns))
            self.write(b"pagelinks", columns, links, pick)
            wiki = Wiki(self.folder / "testwiki-20261102")
            try:
                if not wiki.names:
                    run("wikipedia-import", self.folder, self.out, status=1)
                    continue
                run("wikipedia-import", "--quiet", self.folder, self.out, "--threads", pick.choice([1, 3, 5]))
                facts = dict(line.split("\t") for line in run("graph-info", "--facts", self.out).splitlines())
                counts = {name: int(value) for name, value in facts.items() if name not in OF_SNAPSHOT and int(value)}
                self.assertEqual(counts, {name: value for name, value in wiki.counts.items() if value})
                run("graph-convert", "--quiet", self.out, self.folder / "edges", "--to", "edges")
                self.assertEqual([tuple(map(int, line.split())) for line in
                                  (self.folder / "edges").read_text().splitlines() if line[0] not in "#%"], wiki.edges)
            except AssertionError as error:
                raise AssertionError(f"PW_TEST_SEED={SEED}, case {case}: {error}") from None

    def test_long_lines_are_read_in_pieces(self):
        prefix = self.generate("--pages", "60k", "--level", "0")
        run("wikipedia-import", "--quiet", prefix, self.out)
        whole = self.out.read_bytes()
        for table in ["page", "linktarget", "pagelinks"]:
            path = pathlib.Path(f"{prefix}-{table}.sql")
            text = path.read_bytes().replace(b");\nINSERT INTO `%s` VALUES (" % table.encode(), b"),(")
            self.assertEqual(text.count(b"INSERT"), 1)
            path.write_bytes(text)
            self.assertGreater(len(text), 2 << 20) # so the rest of the dump is read by one thread
        for threads in [1, 3, 5]:
            run("wikipedia-import", "--quiet", prefix, self.out, f"--threads={threads}")
            self.assertEqual(self.out.read_bytes() == whole, True)

    def test_lines_may_end_before_a_comma_and_within_a_long_statement(self):
        """Neither is a place to cut a dump for several threads: an ALTER TABLE of 1.1 MB lies across one."""
        prefix = self.generate("--pages", "30k", "--level", "0", "--form", "rows")
        run("wikipedia-import", "--quiet", prefix, self.out)
        whole = self.out.read_bytes()
        path = pathlib.Path(f"{prefix}-pagelinks.sql")
        text = path.read_bytes()
        keys = b",\n".join([b"  ADD KEY `other` (`other`)"] * 40_000)
        at = text.rindex(b"\n-- Dump completed")
        for changed in [text.replace(b"),\n(", b")\n,("),
                        b"%s\nALTER TABLE `pagelinks`\n%s;\n%s" % (text[:at], keys, text[at:])]:
            path.write_bytes(changed)
            for threads in [1, 2, 5]:
                run("wikipedia-import", "--quiet", f"--threads={threads}", prefix, self.out)
                self.assertEqual(self.out.read_bytes() == whole, True)

    def test_what_each_client_writes_is_read(self):
        prefix = self.generate("--pages", "400", "--level", "0", "--form", "rows")
        names, edges, _ = self.result(prefix)
        whole = {path: path.read_bytes() for path in self.folder.glob("dumps/*.sql")}

        def without_comments(text):
            return re.sub(rb"(?m)^(--|/\*).*\n", b"", text)

        def complete(text):
            listed = b", ".join(re.findall(rb"(?m)^  (`\w+`)", text))
            return without_comments(text).replace(b"` VALUES", b"` (%s) VALUES" % listed)

        def hexadecimal(text):
            raw = re.sub(rb"\\(.)", lambda m: {b"n": b"\n", b"r": b"\r", b"Z": b"\x1a", b"0": b"\0"}.get(m[1], m[1]),
                         text[1], flags=re.S)
            return b"0x" + raw.hex().encode() if raw else b"''"

        def php_my_admin(text):
            table = re.search(rb"CREATE TABLE `(\w+)`", text)[1]
            lines = complete(text).replace(b" unsigned", b" UNSIGNED").splitlines()
            lines = [re.sub(rb"'((?:[^'\\]|\\.)*)'", hexadecimal, line).replace(b",", b", ").replace(b"), ", b"),")
                     if line.startswith(b"(") else line for line in lines if b" KEY " not in line]
            declared = b"\n".join(lines).replace(b",\n) ENGINE", b"\n) ENGINE")
            return (b"-- phpMyAdmin SQL Dump\n\nSET SQL_MODE = \"NO_AUTO_VALUE_ON_ZERO\";\nSTART TRANSACTION;\n\n"
                    b"/*!40101 SET NAMES utf8mb4 */;\n\n--\n-- Database: `testwiki`\n--\n\n%s\n\nALTER TABLE `%s`\n"
                    b"  ADD PRIMARY KEY (`id`),\n  ADD KEY `other` (`other`);\nCOMMIT;\n" % (declared, table))
        for form in [without_comments, complete, php_my_admin]:
            for path, text in whole.items():
                path.write_bytes(form(text))
            text = run("wikipedia-import", prefix, self.out, status=1)
            self.assertIn("-- Dump completed", text)
            self.assertIn("(--allow-incomplete takes what there is)", text)
            self.assertEqual(self.result(prefix, "--allow-incomplete")[:2], (names, edges), form)

    def test_a_wiki_may_have_a_prefix_before_the_names_of_its_tables(self):
        prefix = self.generate("--pages", "300", "--level", "0", "--form", "rows")
        names, edges, _ = self.result(prefix)
        for path in self.folder.glob("dumps/*.sql"):
            text = path.read_bytes()
            path.write_bytes(re.sub(rb"(?m)^([A-Z ]* (TABLE|INTO|TABLES|EXISTS)) `(\w+)`", rb"\1 `our_wiki_\3`", text))
        self.assertEqual(self.result(prefix)[:2], (names, edges))
        self.refused(prefix, "redirect", lambda t: t.replace(b"INSERT INTO `our_", b"INSERT INTO `", 1),
                     "rows of table wiki_redirect in a dump of our_wiki_redirect")
        self.refused(prefix, "page", lambda t: t.replace(b"`our_wiki_page`", b"`ourpage`"),
                     "this is a dump of table ourpage, not of page")

    def rows_before(self, prefix, row):
        """Of the links: how many rows come before one, in its statement."""
        text = pathlib.Path(f"{prefix}-pagelinks.sql").read_bytes()
        return text[text.rindex(b"VALUES", 0, text.index(row)):text.index(row)].count(b"\n(")

    def refused(self, prefix, table, change, *words):
        """What is said of a dump that was changed."""
        path = next(self.folder.glob(f"dumps/*-{table}.sql*"))
        whole = path.read_bytes()
        path.write_bytes(change(whole))
        self.out.unlink(missing_ok=True)
        text = run("wikipedia-import", "--threads=1", prefix, self.out, status=1)
        self.assertFalse(self.out.exists())
        self.assertEqual(run("wikipedia-import", "--threads=5", prefix, self.out, status=1), text)
        self.assertFalse(self.out.exists())
        self.assertIn(path.name, text)
        for word in words:
            self.assertIn(word, text)
        path.write_bytes(whole)

    def test_a_broken_dump_is_refused_with_its_place(self):
        prefix = self.generate("--pages", "200", "--level", "0", "--form", "rows")
        row = b"(7,0,"
        self.refused(prefix, "pagelinks", lambda t: t.replace(row, b"(7,0),(7,", 1), "statement 3, row 1",
                     "expected 3 values, found 2")
        self.refused(prefix, "pagelinks", lambda t: t.replace(row, b"(7,0,0,", 1), "expected 3 values, found 4")
        self.refused(prefix, "pagelinks", lambda t: t.replace(row, b"(4294967296,0,", 1), "pl_from is 4294967296",
                     "above 4294967295")
        self.refused(prefix, "pagelinks", lambda t: t.replace(row, b"('x',0,", 1), "pl_from is not a number")
        last = b"\n(%d,0," % max(int(line[1:].split(b",")[0]) for line in
                                next(self.folder.glob("dumps/*-pagelinks.sql")).read_bytes().splitlines()
                                if line[:1] == b"(")
        self.refused(prefix, "pagelinks", lambda t: t.replace(last, b"\n(4294967295,0,"),
                     f"row {1 + self.rows_before(prefix, last)}: an id is above 4294967294")
        self.refused(prefix, "pagelinks", lambda t: t.replace(b"`pl_target_id` big", b"`pl_target` big"),
                     "neither a column pl_target_id")
        self.refused(prefix, "page", lambda t: t.replace(b"`page_is_redirect`", b"`page_redirects`"),
                     "table page has no column page_is_redirect")
        self.refused(prefix, "page", lambda t: t[:-30], "-- Dump completed")
        self.refused(prefix, "page", lambda t: t[:len(t) // 2], "the dump ends inside the statement")
        self.refused(prefix, "page", lambda t: t.replace(b"'United_States'", b"'%s'" % (b"U" * 256)), "255 bytes")
        self.refused(prefix, "page", lambda t: t.replace(row, b"(4294967295,0,", 1), "an id is above 4294967294")
        self.refused(prefix, "page", lambda t: t.replace(b"'USA'", b"'United_States'"), "two pages have the title")
        self.refused(prefix, "page", lambda t: t.replace(b"`page`", b"`pages`"), "a dump of table pages")
        self.refused(prefix, "page", lambda t: b"", "no CREATE TABLE")
        for old, new in [(b"  PRIMARY", b"  PRxMARY"), (b"NOT NULL,\n", b"NOT NULL\n"), (b"` int", b"` (int")]:
            self.refused(prefix, "page", lambda t, o=old, n=new: t.replace(o, n, 1), "a line that is neither a column nor a key")
        for other, said in [(b"INSERT INTO `pagelinks` (`pl_target_id`, `pl_from`) V", "the columns of table pagelinks in their order"),
                            (b"insert into `pagelinks` V", "of no kind that dumps have"),
                            (b"INSERT INTO pagelinks V", "without the name of a table"),
                            (b"#INSERT INTO `pagelinks` V", 'expected a statement, found "#"')]:
            self.refused(prefix, "pagelinks", lambda t, o=other: t.replace(b"INSERT INTO `pagelinks` V", o, 1), said)
        for other in [b"(7, 0 ,", b"( 7,0,", b"(+7,0,", b'("7",0,', b"(null,0,"]:
            self.refused(prefix, "pagelinks", lambda t, o=other: t.replace(row, o, 1), "statement 3, row", "expected a value")
        for damaged in [b"-- INSERT", b"--INSERT", b"/*INSERT", b"/*\nINSERT"]:
            self.refused(prefix, "pagelinks", lambda t, d=damaged: t.replace(b"INSERT", d, 1),
                         "a comment holds an INSERT") # else all its links were lost without a word
        self.refused(prefix, "linktarget", lambda t: t.replace(b"(2,", b"(1,", 1), "link target 1 occurs twice")
        (self.folder / "dumps/testwiki-20261101-redirect.sql").unlink()
        self.assertIn("no dump of table redirect (--allow-incomplete takes what there is)",
                      run("wikipedia-import", prefix, self.out, status=1))
        text = run("wikipedia-import", prefix, self.out, "--allow-incomplete")
        self.assertIn("note: there is no dump of table redirect", text)

    def test_numbers_of_any_width_are_read(self):
        prefix = self.generate("--pages", "200", "--level", "0", "--form", "rows")
        path = pathlib.Path(f"{prefix}-pagelinks.sql")
        whole = path.read_bytes()
        _, edges, _ = self.result(prefix)
        for width in [2, 7, 8, 9, 10, 15, 16, 17, 19]:
            for before, after in [(b"(%d,0,", b"(%s,0,"), (b",0,%d)", b",0,%s)")]:
                text = whole
                for number in range(5, 40):
                    text = text.replace(before % number, after % (b"%0*d" % (width, number)))
                self.assertNotEqual(text, whole)
                path.write_bytes(text)
                self.assertEqual(self.result(prefix)[1], edges, width)
        unknown = self.result(prefix)[2]["links with an unknown target"]
        path.write_bytes(re.sub(rb"\(7,0,(\d+)\)", lambda row: b"(7,0,%d)" % (2**32 + int(row[1])), whole))
        _, edges, facts = self.result(prefix)
        self.assertEqual(edges, Wiki(prefix).edges) # an id of more than 32 bits is not the id below them
        self.assertGreater(int(facts["links with an unknown target"]), int(unknown))
        path.write_bytes(whole.replace(b"(7,0,", b"(%s,0," % (b"7" * 20)))
        self.assertIn("19 digits", run("wikipedia-import", prefix, self.out, status=1))

    def test_the_time_of_each_stage_is_shown(self):
        prefix = self.generate("--pages", "500")
        for threads, links in [(1, ["pagelinks", "names"]), (2, ["pagelinks and names"]), (4, ["pagelinks and names"])]:
            text = run("wikipedia-import", "--verbose", "--quiet", f"--threads={threads}", prefix, self.out)
            stages = [line[:22].strip() for line in text.splitlines()[2:]]
            self.assertEqual(stages, ["page", "indexing titles", "redirect", "following redirects", "linktarget",
                                      *links, "reverse adjacency", "writing", "all"])
            self.assertRegex(text, rf"(?m)^{links[0]} +[0-9.]+ +[0-9.]+ +[0-9.]+$")

    def test_many_passes_over_the_links_are_one_stage(self):
        prefix = self.generate("--pages", "20k", "--links", "60", "--level", "1", "--backwards")
        text = run("wikipedia-import", "--verbose", "--memory-limit=9000k", "--threads=1", prefix, self.out)
        self.assertGreater(int(re.search(r"passes over the links +(\d+)", text)[1]), 8)
        table = text[text.index("\nstage "):]
        self.assertEqual(re.findall(r"(?m)^(pagelinks|names|writing|all) ", table),
                         ["pagelinks", "names", "writing", "all"])

    def test_the_largest_id_and_the_longest_title_are_taken(self):
        prefix = self.generate("--pages", "200", "--level", "0", "--form", "rows")
        path = pathlib.Path(f"{prefix}-page.sql")
        text = path.read_bytes().replace(b"'United_States'", b"'%s'" % (b"U" * 255))
        last = text.rindex(b"\n(") + 2
        path.write_bytes(text[:last] + b"4294967294" + text[text.index(b",", last):])
        names, _, _ = self.result(prefix)
        self.assertIn(b"U" * 255, names)

    def test_links_that_differ_between_two_passes_are_refused(self):
        prefix = self.generate("--pages", "2k", "--level", "0", "--form", "rows")
        path = pathlib.Path(f"{prefix}-pagelinks.sql")
        text = path.read_bytes()
        first = text.index(b"\n(") + 1
        head, tail = text[:first], text[text.rindex(b";\n"):]
        rows = [row.rstrip(b",;") for row in text[first:].split(b"\n") if row.startswith(b"(")]
        rows.reverse()  # not in the order of the pages: so the first pass only counts
        pages = [row.split(b",")[0] for row in rows]
        order = list(dict.fromkeys(pages))
        following = dict(zip(order, order[1:] + order[:1]))
        every = [following[page] + row[len(page):] for page, row in zip(pages, rows)]
        one = list(rows)  # of every other page, so that the lists hardly change their places
        for page in order[::2]:
            at = pages.index(page)
            one[at] = following[page] + rows[at][len(page):]
        for changed in [every, one]:
            path.unlink()
            os.mkfifo(path)

            def feed(passes):
                for kind in passes:
                    with open(path, "wb") as out:
                        out.write(head + b",\n".join(kind) + tail)
                        path.unlink()  # the next pass meets another pipe
                        os.mkfifo(path)
            threading.Thread(target=feed, args=[[rows, changed]], daemon=True).start()
            text = run("wikipedia-import", "--threads=1", prefix, self.out, status=1)
            self.assertIn("the dump has changed", text)
            self.assertFalse(self.out.exists())

    def test_a_dump_that_changes_meanwhile_is_refused(self):
        prefix = self.generate("--pages", "2k", "--level", "0", "--form", "rows")
        path = pathlib.Path(f"{prefix}-pagelinks.sql")
        text = path.read_bytes()
        path.unlink()
        os.mkfifo(path)  # to be sure that the other dumps were read
        page = pathlib.Path(f"{prefix}-page.sql")

        def feed():
            with open(path, "wb") as out:
                out.write(text)
                page.write_bytes(page.read_bytes())
        threading.Thread(target=feed, daemon=True).start()
        text = run("wikipedia-import", "--threads=1", prefix, self.out, status=1)
        self.assertIn("page.sql: has changed while it was read", text)
        self.assertFalse(self.out.exists())

    def test_a_pipe_that_nobody_writes_to_keeps_no_error_waiting(self):
        prefix = self.generate("--pages", "200", "--level", "0")
        page, links = pathlib.Path(f"{prefix}-page.sql"), pathlib.Path(f"{prefix}-pagelinks.sql")
        page.write_bytes(page.read_bytes()[:-30])
        links.unlink()
        os.mkfifo(links)
        for threads in ["--threads=1", "--threads=5"]:
            self.assertIn("-- Dump completed", run("wikipedia-import", threads, prefix, self.out, status=1))

    def test_ids_far_apart_are_within_the_memory_limit(self):
        prefix = self.generate("--pages", "2k", "--level", "0", "--form", "rows")
        path = pathlib.Path(f"{prefix}-linktarget.sql")
        text = path.read_bytes()
        last = text.rindex(b"\n(")
        path.write_bytes(text[:last] + b"\n(99000000," + text[text.index(b",", last) + 1:])
        text = run("wikipedia-import", prefix, self.out, "--memory-limit=64M", status=1)
        self.assertRegex(text, r"linktarget.sql: statement \d+, row \d+: titles and link targets need 37[78].\d MiB of "
                               r"memory, 64.0 MiB are allowed")
        self.assertRegex(run("wikipedia-import", "--without-reverse", prefix, self.out, "--memory-limit=500M"),
                         r"memory by the formula +38\d\.\d MiB")

    def test_titles_are_within_the_memory_limit(self):
        prefix = self.generate("--pages", "200", "--level", "0", "--form", "rows")
        path = pathlib.Path(f"{prefix}-page.sql")
        text = path.read_bytes()
        row = re.search(rb"\n\(\d+,0,'\w+'(,[^()]*\))", text)
        more = b"".join(b",\n(%d,0,'%0250d'" % (1000000 + i, i) + row[1] for i in range(100000))
        with gzip.open(f"{path}.gz", "wb", 6) as out:
            out.write(text[:row.end()] + more + text[row.end():])
        path.unlink()
        text = run("wikipedia-import", prefix, self.out, "--memory-limit=16M", status=1)
        self.assertRegex(text, r"page.sql.gz: statement \d+, row \d+: titles and link targets need 1[67].\d MiB of "
                               r"memory, 16.0 MiB are allowed")

    def test_dumps_of_different_wikis_are_refused(self):
        prefix = self.generate("--pages", "200", "--level", "0")
        for table in ["redirect", "linktarget", "pagelinks"]:
            self.refused(prefix, table, lambda t: t.replace(b"Database: testwiki", b"Database: otherwiki", 1),
                         "is of otherwiki, page of testwiki")

    def test_links_to_ids_that_nobody_knows_are_refused(self):
        prefix = self.generate("--pages", "200", "--level", "0")
        path = pathlib.Path(f"{prefix}-linktarget.sql")
        text = path.read_bytes()
        path.write_bytes(text[:text.index(b"INSERT INTO")] + text[text.rindex(b");\n") + 3:])
        words = "links have a target that the dump of linktarget does not have"
        self.assertIn(words, run("wikipedia-import", prefix, self.out, status=1))
        self.assertFalse(self.out.exists())
        self.assertIn(words, run("wikipedia-import", "--allow-incomplete", prefix, self.out))
        path.unlink()
        for threads in ["--threads=1", "--threads=5"]:
            self.assertIn("and there is no dump of linktarget", run("wikipedia-import", threads, prefix, self.out, status=1))
            text = run("wikipedia-import", threads, "--allow-incomplete", prefix, self.out)
            self.assertIn("there is no dump of table linktarget", text)
        self.assertIn("incomplete\tlinktarget: there is no dump of it", run("graph-info", "--facts", self.out))

    def test_titles_in_the_links_do_without_linktarget(self):
        prefix = self.generate("--pages", "2k", "--level", "0", "--layout", "both")
        _, edges, _ = self.result(prefix)
        pathlib.Path(f"{prefix}-linktarget.sql").unlink()
        self.assertEqual(self.result(prefix)[1], edges)

    def test_a_dump_that_breaks_off_can_be_allowed(self):
        prefix = self.generate("--pages", "5k", "--level", "6")
        path = pathlib.Path(f"{prefix}-pagelinks.sql.gz")
        path.write_bytes(path.read_bytes()[:path.stat().st_size // 2])
        for threads in ["--threads=1", "--threads=5"]:
            self.assertRegex(run("wikipedia-import", prefix, self.out, threads, status=1),
                             r"truncated gzip input.* \(--allow-incomplete takes")
            text = run("wikipedia-import", prefix, self.out, "--allow-incomplete", threads)
            self.assertEqual(text.count("is incomplete: truncated gzip input"), 1)
            self.assertIn("truncated", run("graph-info", "--facts", self.out))
        path.write_bytes(b"")
        self.assertIn("there is no CREATE TABLE", run("wikipedia-import", prefix, self.out, status=1))
        text = run("wikipedia-import", prefix, self.out, "--allow-incomplete")
        self.assertIn("is incomplete: there is no CREATE TABLE in the dump", text)

    def test_what_is_read_is_never_written_over(self):
        prefix = self.generate("--pages", "100", "--level", "0")
        files = {path: path.read_bytes() for path in self.folder.glob("dumps/*.sql")}
        link, page = self.folder / "link", pathlib.Path(f"{prefix}-page.sql")
        link.symlink_to(page)
        (self.folder / "hard").hardlink_to(page)
        with page.open("rb") as opened:
            for out in [*files, link, self.folder / "hard", f"/proc/{os.getpid()}/fd/{opened.fileno()}"]:
                for place in [prefix, self.folder / "dumps"]:
                    self.assertEqual(run("wikipedia-import", "--quiet", place, out, status=1),
                                     f"wikipedia-import: {out}: cannot be written: it is an input file\n")
        self.assertEqual({path: path.read_bytes() for path in files}, files)
        run("wikipedia-import", "--quiet", prefix, self.folder / "dumps/testwiki-20261101-graph.pwg")

    def test_of_two_dumps_of_a_table_none_is_taken_unasked(self):
        prefix = self.generate("--pages", "100")
        self.generate("--pages", "200", "--level", "0")
        self.assertEqual(run("wikipedia-import", prefix, self.out, status=1),
                         f"wikipedia-import: {prefix}-page.sql: there is also {prefix}-page.sql.gz: "
                         "move one of them away\n")
        self.assertFalse(self.out.exists())

    def test_two_hundred_damaged_dumps(self):
        pick = random.Random(SEED)
        prefix = self.generate("--pages", "60", "--links", "8", "--level", "1")
        edges = Wiki(prefix, drop_disambiguation=True).edges
        files = sorted(self.folder.glob("dumps/*.sql.gz"))
        whole = {path: path.read_bytes() for path in files}
        for case in range(random_share(200)):
            path = pick.choice(files)
            packed = pick.random() < .5
            text = bytearray(whole[path] if packed else gzip.decompress(whole[path]))
            for _ in range(pick.choice([1, 1, 5])):
                at = pick.randrange(len(text))
                kind = pick.randrange(4)
                if kind == 0:
                    text[at] = pick.randrange(256)
                elif kind == 1:
                    del text[at:at + pick.choice([1, 40])]
                elif kind == 2:
                    text[at:at] = pick.choice([b"'", b"\\", b"),(", b";", b"NULL", b"9" * 30, b"\0", b"/*", b"-- "])
                else:
                    del text[at:]
                if not text:
                    break
            path.write_bytes(text if packed else gzip.compress(bytes(text), 1))
            self.out.unlink(missing_ok=True)
            done = subprocess.run([PROGRAMS / "wikipedia-import", "--quiet", f"--threads={pick.choice([2, 5])}",
                                   "--drop-disambiguation", prefix, self.out],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, timeout=600)
            what = f"PW_TEST_SEED={SEED}, case {case}, {path.name}: {done.stderr.decode('latin-1')}"
            self.assertIn(done.returncode, [0, 1], what)
            self.assertEqual(self.out.exists(), done.returncode == 0, what)
            if done.returncode == 1:
                self.assertEqual(done.stderr.count(b"\n"), 1, what)
            else:
                self.compare_damaged(prefix, edges, what)
            path.write_bytes(whole[path])

    def compare_damaged(self, prefix, whole, what):
        """A damaged dump that was taken must mean what the other reader finds, or what it did whole."""
        run("graph-convert", "--quiet", self.out, self.folder / "edges", "--to", "edges")
        edges = [tuple(map(int, line.split())) for line in (self.folder / "edges").read_text().splitlines()
                 if line and line[0] not in "#%"]
        if edges != whole:
            self.assertEqual(edges, Wiki(prefix, drop_disambiguation=True).edges, what)

    def test_zstd_is_read(self):
        if shutil.which("zstd") is None:
            self.skipTest("no zstd")
        prefix = self.generate("--pages", "100", "--level", "0")
        for path in self.folder.glob("dumps/*.sql"):
            subprocess.run(["zstd", "-q", "--rm", path], check=True)
        self.check(prefix)

    def test_folders_and_prefixes(self):
        prefix = self.generate("--pages", "50")
        self.assertIn("testwiki", run("wikipedia-import", self.folder / "dumps", self.out))
        self.generate("--pages", "50", "--wiki", "other")
        text = run("wikipedia-import", self.folder / "dumps", self.out, status=1)
        self.assertIn("has the dumps of other-20261101 and of testwiki-20261101", text)
        run("wikipedia-import", prefix, self.out)
        self.assertIn("has no dump", run("wikipedia-import", self.folder, self.out, status=1))
        self.assertIn("there is no dump", run("wikipedia-import", self.folder / "x", self.out, status=1))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)

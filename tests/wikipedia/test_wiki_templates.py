#!/usr/bin/env python3
"""wikipedia-import --without-templates drops the links that an included template has as well.

Usage: test_wiki_templates.py FOLDER_OF_PROGRAMS [unittest option...]
"""
import gzip
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

from slow_import import Wiki

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from random_share import random_share  # noqa: E402

PROGRAMS = pathlib.Path(sys.argv[1]).resolve()
SEED = int(os.environ.get("PW_TEST_SEED", random.randrange(1 << 32)))
OPTION = "--without-templates"
COUNTS = ["templates", "templates with links", "inclusion rows", "inclusions with an unknown target",
          "links before templates are left out", "links of templates dropped", "articles that lost a link"]
# Columns of the link tables in the layouts of their history, without the letters before their names.
LAYOUTS = {"titles": "from namespace title", "from-namespace": "from namespace title from_namespace",
           "both": "from namespace title from_namespace target_id", "targets": "from from_namespace target_id"}

# Page id, namespace, title, and what it redirects to.
PAGES = [(1, 0, "Ada", None), (2, 0, "Banana", None), (3, 0, "Cherry", None), (4, 0, "Date", None),
         (5, 0, "Elder", None), (6, 0, "Kirsche", (0, "Cherry")),
         (10, 10, "Fruit", None), (11, 10, "Obst", (10, "Fruit")), (12, 10, "Plain", None),
         (13, 828, "Lua", None), (14, 2, "Box", None), (15, 10, "Twice", (10, "Obst")),
         (16, 10, "Astray", (0, "Banana")), (17, 10, "Gone", (10, "No such page")), (18, 10, "Broken", None),
         (19, 0, "Fruit", None), (20, 10, "Self", (10, "Self"))]
LINKS = {1: [(0, "Banana"), (0, "Kirsche"), (0, "Cherry"), (0, "Date"), (0, "Red"), (10, "Fruit"), (10, "Self"), (10, "Astray")],
         2: [(0, "Ada"), (0, "Cherry"), (0, "Banana")], 3: [(0, "Banana")], 4: [(0, "Banana"), (0, "Fruit")],
         5: [(0, "Banana"), (0, "Cherry")],
         6: [(0, "Cherry")], 10: [(0, "Banana"), (0, "Kirsche"), (0, "Elder"), (0, "Unwritten"), (10, "Plain")],
         11: [(10, "Fruit"), (0, "Ada")], 12: [(10, "Fruit")], 13: [(0, "Banana")], 14: [(0, "Banana")], 16: [(0, "Banana")],
         18: [(0, "Unwritten")], 20: [(0, "Banana")]}
INCLUSIONS = {1: [(10, "Fruit"), (10, "Plain")],             # Banana and Cherry, also through Kirsche
              2: [(10, "Obst")],                             # a redirect to Fruit: Cherry
              3: [(10, "Twice")],                            # a redirect to a redirect, which is one too many
              4: [(10, "Plain"), (828, "Lua"), (2, "Box"), (10, "Astray"), (10, "Gone"), (0, "Fruit"),
                  (10, "Broken"), (10, "Red"), (10, "Self")],              # none of them is a template with links
              10: [(10, "Plain")], 6: [(10, "Fruit")], 99: [(10, "Fruit")]}
LEFT = [("Ada", "Date"), ("Banana", "Ada"), ("Cherry", "Banana"), ("Date", "Banana"), ("Date", "Fruit"),
        ("Elder", "Banana"), ("Elder", "Cherry")]


def run(*words, status=0):
    """Run a program. Returns what it printed on both outputs."""
    done = subprocess.run([PROGRAMS / words[0], *map(str, words[1:])], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False, timeout=1000, text=True)
    if done.returncode != status:
        raise AssertionError(f"{words}: status {done.returncode}, not {status}: {done.stdout}")
    return done.stdout


class Templates(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)
        self.prefix = self.folder / "testwiki-20261101"
        self.out = self.folder / "out.pwg"

    def tearDown(self):
        self.scratch.cleanup()

    def path(self, table):
        return pathlib.Path(f"{self.prefix}-{table}.sql")

    def write(self, table, columns, rows):
        """A dump. Columns whose names hold a title are texts, the others numbers."""
        types = {name: "varbinary(255)" if re.search("title|interwiki", name) else "bigint unsigned"
                 if re.search("target|id$", name) else "int(11)" if "namespace" in name else "int unsigned"
                 for name in columns}
        lines = ["(" + ",".join("NULL" if row[name] is None else f"'{row[name]}'" if types[name][0] == "v"
                                else str(row[name]) for name in columns) + ")" for row in rows]
        self.path(table).write_text(
            f"-- MySQL dump\n-- Host: x    Database: testwiki\nCREATE TABLE `{table}` (\n" +
            ",\n".join(f"  `{name}` {types[name]}" for name in columns) + "\n) ENGINE=InnoDB;\n" +
            (f"INSERT INTO `{table}` VALUES\n" + ",\n".join(lines) + ";\n" if lines else "") +
            "-- Dump completed on 2026-11-01  1:02:03\n")

    def write_wiki(self, pages, links, inclusions, layout="targets", pick=None):
        """All dumps. links, inclusions: page id and (namespace, title). pick: shuffle the ids of targets."""
        self.write("page", ["page_id", "page_namespace", "page_title", "page_is_redirect"],
                   [{"page_id": i, "page_namespace": space, "page_title": title, "page_is_redirect": int(to is not None)}
                    for i, space, title, to in pages])
        self.write("redirect", ["rd_from", "rd_namespace", "rd_title", "rd_interwiki"],
                   [{"rd_from": i, "rd_namespace": to[0], "rd_title": to[1], "rd_interwiki": None}
                    for i, _, _, to in pages if to])
        targets = sorted({to for _, to in links} | {to for _, to in inclusions})
        if pick:
            pick.shuffle(targets)
        ids = {to: number for number, to in enumerate(targets, 3)}
        if "target" in LAYOUTS[layout]:
            self.write("linktarget", ["lt_id", "lt_namespace", "lt_title"],
                       [{"lt_id": number, "lt_namespace": space, "lt_title": title}
                        for (space, title), number in ids.items()])
        spaces = {i: space for i, space, _, _ in pages}
        for table, letters, rows in [("pagelinks", "pl", links), ("templatelinks", "tl", inclusions)]:
            columns = [f"{letters}_{name}" for name in LAYOUTS[layout].split()]
            self.write(table, columns, [dict(zip(
                [letters + end for end in ["_from", "_namespace", "_title", "_from_namespace", "_target_id"]],
                [page, *to, spaces.get(page, 0), None if layout == "both" and ids[to] % 3 == 0 else ids[to]]))
                                        for page, to in rows])

    def write_hand_made(self, layout="targets"):
        self.write_wiki(PAGES, [(page, to) for page, all_of in LINKS.items() for to in all_of],
                        [(page, to) for page, all_of in INCLUSIONS.items() for to in all_of], layout)

    def edges(self):
        """The edges of the snapshot by name."""
        run("graph-convert", "--quiet", self.out, self.folder / "edges", "--to=edges", "--write-names", self.folder / "names")
        names = (self.folder / "names").read_text("latin-1").split("\n")[:-1]
        return [tuple(names[int(word)] for word in line.split())
                for line in (self.folder / "edges").read_text().splitlines() if line[0] not in "#%"]

    def result(self, *options):
        """The edges by name, and the facts; the same by one thread as by several."""
        run("wikipedia-import", "--quiet", "--threads=5", *options, self.prefix, self.out)
        several = self.out.read_bytes()
        said = run("wikipedia-import", "--threads=1", *options, self.prefix, self.out)
        self.assertEqual(self.out.read_bytes() == several, True, "--threads=5 changes the snapshot")
        edges = self.edges()
        facts = dict(line.split("\t") for line in run("graph-info", "--facts", self.out).splitlines())
        for name in COUNTS:  # the summary has the counts of the snapshot
            self.assertEqual(re.findall(rf"(?m)^{name}  +(\d+)$", said), [facts[name]] if name in facts else [])
        return edges, facts

    def check(self, *options, **meaning):
        """Both importers find the same links."""
        edges, facts = self.result(OPTION, *options)
        wiki = Wiki(self.prefix, without_templates=True, **meaning)
        self.assertEqual(edges, [tuple(wiki.names[end].decode("latin-1") for end in edge) for edge in wiki.edges])
        counts = {name: int(value) for name, value in facts.items() if value.isdigit() and int(value) and name != "namespaces"}
        self.assertEqual(counts, {name: value for name, value in wiki.counts.items() if value})
        return wiki

    def test_links_of_included_templates_are_dropped(self):
        for layout in LAYOUTS:
            self.write_hand_made(layout)
            edges, facts = self.result(OPTION)
            self.assertEqual(edges, LEFT, layout)
            self.assertEqual([int(facts[name]) for name in COUNTS], [3, 1, 16, 0, 10, 3, 2], layout)
            self.check()
            self.check("--keep-duplicates", "--keep-self-links", keep_duplicates=True, keep_self=True)
            if layout != "both":
                self.path("linktarget").unlink(missing_ok=True)

    def test_all_links_read_are_counted_once(self):
        self.write_hand_made()
        edges, facts = self.result(OPTION)
        gone = [name for name in facts if name.startswith("links of") or name.startswith("links to") or
                name in ["red links", "self-links", "duplicate links", "links with an unknown target"]]
        self.assertIn("links of templates dropped", gone)
        self.assertEqual(int(facts["link rows"]), len(edges) + sum(int(facts[name]) for name in gone))

    def test_without_the_option_nothing_is_dropped_and_the_dump_is_not_read(self):
        self.write_hand_made()
        before, facts = self.result()
        self.assertEqual(len(before), 10)
        self.assertFalse(set(COUNTS) & set(facts))
        self.path("templatelinks").write_text("no dump at all")
        self.assertEqual(self.result()[0], before)

    def test_the_reverse_adjacency_and_the_order_fit_the_links_that_are_left(self):
        self.write_hand_made()
        for options in [[], ["--order=bfs"], ["--without-reverse"]]:
            run("wikipedia-import", "--quiet", OPTION, *options, self.prefix, self.out)
            run("graph-info", "--quiet", "--verify-snapshot", self.out)
            self.assertIn("Banana -> Ada -> Date", run("bfs", self.out, "--from=Banana", "--to=Date"))
            self.assertIn("Ada does not lead to Elder", run("bfs", self.out, "--from=Ada", "--to=Elder"))

    def make_random(self, pick, layout, inclusion_count):
        spaces = [0] * 12 + [10] * 6 + [828, 1]
        titles = sorted({(pick.choice(spaces), f"T{pick.randrange(400)}") for _ in range(pick.randrange(200, 600))})
        ids = sorted(pick.sample(range(1, 5000), len(titles)))
        pick.shuffle(titles)
        pages = [(i, space, title, pick.choice(titles + [(10, "Red")]) if pick.random() < .3 else None)
                 for i, (space, title) in zip(ids, titles)]
        anything = titles + [(0, "Red"), (10, "Red"), (828, "Red")]
        some = [to for to in titles if to[0] == 0][:40]
        links = {(i, pick.choice(some if pick.random() < .7 else anything)) for i in ids for _ in range(pick.randrange(25))}
        inclusions = {(pick.choice(ids + [7777]), pick.choice(anything)) for _ in range(inclusion_count)}
        links, inclusions = sorted(links), sorted(inclusions)
        if pick.random() < .5:
            pick.shuffle(links)
            pick.shuffle(inclusions)
        self.write_wiki(pages, links, inclusions, layout, pick)

    def test_random_wikis(self):
        dropped = 0
        for case in range(12):
            pick = random.Random(SEED + case)
            self.path("linktarget").unlink(missing_ok=True)
            self.make_random(pick, list(LAYOUTS)[case % 4], pick.choice([0, 300, 3000]))
            options = pick.choice([{}, {"keep_self": True}, {"keep_duplicates": True}, {"drop_titles": ["T1*"]}])
            words = {"keep_self": "--keep-self-links", "keep_duplicates": "--keep-duplicates", "drop_titles": "--drop-title=T1*"}
            try:
                dropped += self.check(*[words[name] for name in options], **options).counts["links of templates dropped"]
            except AssertionError as error:
                raise AssertionError(f"PW_TEST_SEED={SEED}, case {case}: {error}") from None
        self.assertGreater(dropped, 0)

    def test_no_templates_may_be_asked_for(self):
        for word in ("--templates=0", "--templates=0.0", "--links=25"):
            run("../tests/wikipedia-generate", "--pages=100", word, self.folder / word)
            self.assertFalse((self.folder / word / "testwiki-20261101-templatelinks.sql.gz").exists())

    def test_generated_dumps_of_every_layout(self):
        left = set()
        for layout in LAYOUTS:
            folder = self.folder / layout
            run("../tests/wikipedia-generate", "--pages=300", "--links=8", "--templates=6", "--layout", layout, folder)
            self.prefix = folder / "testwiki-20261101"
            wiki = self.check()
            self.assertGreater(wiki.counts["links of templates dropped"], 100)
            left.add(str((wiki.names, wiki.edges)))
        self.assertEqual(len(left), 1)

    def test_the_order_of_the_rows_and_a_memory_limit_change_no_byte(self):
        self.make_random(random.Random(SEED), "targets", 3000)
        run("wikipedia-import", "--quiet", OPTION, self.prefix, self.out)
        before = self.out.read_bytes()
        for table in ["templatelinks", "pagelinks"]:
            lines = self.path(table).read_text().split("\n")
            first = next(at for at, line in enumerate(lines) if line.startswith("INSERT")) + 1
            last = next(at for at, line in enumerate(lines) if line.endswith(");"))
            rows = [line.rstrip(",;") for line in lines[first:last + 1]]
            rows.reverse()
            self.path(table).write_text("\n".join(lines[:first] + [",\n".join(rows) + ";"] + lines[last + 1:]))
            for options in [["--threads=1"], ["--threads=5"], ["--threads=1", "--memory-limit=9M"]]:
                run("wikipedia-import", "--quiet", OPTION, *options, self.prefix, self.out)
                self.assertEqual(self.out.read_bytes() == before, True, f"PW_TEST_SEED={SEED}, {table}, {options}")

    def refused(self, change, *words, options=(), table="templatelinks"):
        """What is said of a dump that was changed, by any number of threads; OUT is not made."""
        whole = self.path(table).read_text()
        self.out.unlink(missing_ok=True)
        changed = change(whole)
        self.assertNotEqual(changed, whole)
        self.path(table).write_text(changed)
        said = {run("wikipedia-import", OPTION, f"--threads={threads}", *options, self.prefix, self.out, status=1)
                for threads in [1, 5]}
        self.assertEqual(len(said), 1)
        for word in (self.path(table).name, *words):
            self.assertIn(word, min(said))
        self.assertFalse(self.out.exists())
        self.path(table).write_text(whole)

    def test_a_broken_dump_is_refused_with_its_place(self):
        self.write_hand_made()
        row = re.search(r"\n(\(2,0,\d+\))", self.path("templatelinks").read_text())[1]
        self.refused(lambda t: t.replace(row, "(2,0)"), "statement 2, row 3: expected 3 values, found 2")
        self.refused(lambda t: t.replace(row, "(2,0,1,1)"), "statement 2, row 3: expected 3 values, found 4")
        self.refused(lambda t: t.replace(row, "('x',0,1)"), "row 3: tl_from is not a number")
        self.refused(lambda t: t.replace(row, "(2,0,'x')"), "row 3: tl_target_id is not a number")
        self.refused(lambda t: t.replace(row, "(4294967296,0,1)"), "tl_from is 4294967296")
        self.refused(lambda t: t.replace(row, "(4294967295,0,1)"), "row 3: an id is above 4294967294")
        self.refused(lambda t: t.replace("`tl_target_id`", "`tl_target`"), "neither a column tl_target_id nor "
                     "tl_namespace and tl_title")
        self.refused(lambda t: t[:t.index(row) + 4], "the dump ends inside the statement")
        self.refused(lambda t: t[:-30], "-- Dump completed")
        self.refused(lambda t: t.replace("Database: testwiki", "Database: other"), "is of other, page of testwiki")
        self.refused(lambda t: t.replace("`templatelinks`", "`pagelinks`"), "a dump of table pagelinks")
        self.write_hand_made("titles")
        self.refused(lambda t: t.replace("'Obst'", f"'{'O' * 256}'"), "row 3: a title is longer than 255 bytes")
        self.refused(lambda t: t.replace("(11,10,'Obst'", f"(11,10,'{'O' * 256}'"), "row 8: a title is longer than 255",
                     table="page")
        self.refused(lambda t: t.replace("'Plain'", "'Fruit'"), "two pages have the title of page 12", table="page")
        self.refused(lambda t: t.replace("(15,10", "(11,10"), "page 11 has two redirects", table="redirect")

    def test_fifty_damaged_dumps(self):
        pick = random.Random(SEED)
        self.write_hand_made(pick.choice(list(LAYOUTS)))
        path = self.path("templatelinks")
        whole = path.read_bytes()
        for case in range(random_share(50)):
            text = bytearray(whole)
            at = pick.randrange(len(text))
            kind = pick.randrange(4)
            if kind == 0:
                text[at] = pick.randrange(256)
            elif kind == 1:
                del text[at:at + pick.choice([1, 20])]
            elif kind == 2:
                text[at:at] = pick.choice([b"'", b"\\", b"),(", b";", b"NULL", b"9" * 30, b"\0", b"/*", b"-- "])
            else:
                del text[at:]
            path.write_bytes(text)
            self.out.unlink(missing_ok=True)
            done = subprocess.run([PROGRAMS / "wikipedia-import", "--quiet", f"--threads={pick.choice([1, 5])}", OPTION,
                                   self.prefix, self.out], capture_output=True, check=False, timeout=600)
            what = f"PW_TEST_SEED={SEED}, case {case}: {done.stderr.decode('latin-1')}"
            self.assertIn(done.returncode, [0, 1], what)
            self.assertEqual(self.out.exists(), done.returncode == 0, what)
            self.assertEqual(done.stderr.count(b"\n"), done.returncode, what)
            if done.returncode == 1:
                self.assertIn(path.name.encode(), done.stderr, what)
            else:
                edges = self.edges()
                if edges != LEFT:  # else what was damaged does not matter
                    wiki = Wiki(self.prefix, without_templates=True)
                    self.assertEqual(edges, [tuple(wiki.names[end].decode() for end in edge) for edge in wiki.edges], what)

    def test_a_dump_that_breaks_off_or_is_missing_can_be_allowed(self):
        self.write_hand_made()
        packed = gzip.compress(self.path("templatelinks").read_bytes())
        self.path("templatelinks").unlink()
        message = "there is no dump of table templatelinks"
        self.assertIn(message, run("wikipedia-import", OPTION, self.prefix, self.out, status=1))
        self.assertIn(message, run("wikipedia-import", OPTION, "--allow-incomplete", self.prefix, self.out))
        self.assertIn("incomplete\ttemplatelinks: there is no dump of it", run("graph-info", "--facts", self.out))
        pathlib.Path(f"{self.path('templatelinks')}.gz").write_bytes(packed[:-20])
        self.out.unlink()
        self.assertIn("truncated gzip input", run("wikipedia-import", OPTION, self.prefix, self.out, status=1))
        self.assertFalse(self.out.exists())
        self.assertIn("is incomplete: truncated gzip input",
                      run("wikipedia-import", OPTION, "--allow-incomplete", self.prefix, self.out))

    def test_inclusions_of_ids_that_nobody_knows_are_counted_or_refused(self):
        self.write_hand_made()
        known = self.path("templatelinks").read_text()
        self.path("templatelinks").write_text(known.replace(");", "),(1,0,900),(1,0,5000000000),(99,0,901);"))
        self.assertEqual(self.check().counts["inclusions with an unknown target"], 3)
        self.refused(lambda t: t.replace(");", ")" + ",(1,0,900)" * 1000 + ";"),
                     "1003 of 1019 inclusions have a target that the dump of linktarget does not have")
        self.path("linktarget").unlink()
        self.assertIn("there is no dump of linktarget", run("wikipedia-import", OPTION, self.prefix, self.out, status=1))

    def test_templates_as_nodes_are_refused(self):
        self.write_hand_made()
        self.assertEqual(run("wikipedia-import", OPTION, "--namespaces=0,10", self.prefix, self.out, status=2),
                         "wikipedia-import: --without-templates: the templates, namespace 10, cannot be nodes as well\n")

    def test_the_links_of_templates_are_within_the_memory_limit(self):
        pages = [(i, 0, f"A{i}", None) for i in range(1, 2001)] + [(3000 + i, 10, f"T{i}", None) for i in range(1500)]
        self.write_wiki(pages, [(3000 + i, (0, f"A{k}")) for i in range(1500) for k in range(1, 200)],
                        [(i, (10, f"T{i % 1500}")) for i in range(1, 2001)])
        for threads, limit in [(1, 9), (5, 25)]:
            text = run("wikipedia-import", OPTION, f"--threads={threads}", f"--memory-limit={limit}M", self.prefix, self.out,
                       status=1)
            self.assertRegex(text, r"pagelinks.sql: statement 2, row \d+: the links of templates need [0-9.]+ [KM]iB of "
                             r"memory, [0-9.]+ [KM]iB are left")
            self.assertFalse(self.out.exists())
        text = run("wikipedia-import", OPTION, "--threads=1", "--memory-limit=14M", self.prefix, self.out)
        self.assertRegex(text, r"templates with links +1500\n")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])

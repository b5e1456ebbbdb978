#!/usr/bin/env python3
"""test_flame.py - the flame graphs know whose time is whose.

1. functions.csv has every function of the list, the queue and the hooks, each in its place, and
   none that the built programs do not have.
2. Every engine's search is found as the root of a stack.
3. A real run, recorded by perf: on malloc the allocator and the list take what is theirs, and as
   much by the names of functions as by the libraries that the code lies in. Without
   perf, or where it may not record, that is skipped with the reason; 1 and 2 hold the names.
"""
import ctypes
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import types
import unittest
import unittest.mock

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "perf" / "studylib"))

import flame  # noqa: E402
import runner  # noqa: E402

BUILD = pathlib.Path(os.environ.get("PW_BUILD", ROOT / "build" / "release"))
# Files whose functions are all in the table, and the part that they belong to.
WHOLE = {"alloc/node_front.h": "allocator", "liblist/create_delete.h": "allocator",
         "liblist/list_ends.h": "list", "liblist/list.c": "list", "liblist/linked_list_more.h": "list",
         "libqueue/queue.c": "list", "libqueue/queue_more.c": "list"}


def functions_of(path):
    """The functions that a file of C defines, except in debug builds."""
    text = (ROOT / path).read_text(encoding="utf-8")
    text = re.sub(r"#ifdef PW_DEBUG.*?#endif", "", text, flags=re.S)
    text = re.sub(r"/\*.*?\*/|__attribute__\(\(\w+\)\) ", "", text, flags=re.S)
    return re.findall(r"^[a-z][\w *\n]*?\b(\w+)\([^;{}]*\)\n\{", text, re.M)


def built_functions():
    """The functions of the programs and libraries by their debug information, inlined ones too."""
    names = set()
    for path in ("bin/bfs", "lib/liblinked_list.so", "lib/libqueue.so"):
        if not (BUILD / path).exists():
            continue  # linked into the program
        text = subprocess.run(["readelf", "--wide", "--debug-dump=info", BUILD / path], check=True,
                              stdout=subprocess.PIPE, text=True, errors="replace").stdout
        names.update(re.findall(r"\(DW_TAG_subprogram\)\n(?:[^\n]*DW_AT_external[^\n]*\n)?"
                                r"[^\n]*DW_AT_name[^\n]*[:)] (\w+)\s*$", text, re.M))
    return names


class Names(unittest.TestCase):
    def test_every_function_of_list_and_hooks_is_in_the_table(self):
        for path, part in WHOLE.items():
            names = functions_of(path)
            self.assertTrue(names, f"{path}: no function found")
            for name in names:
                row = flame.FUNCTIONS.get(name, {})
                self.assertEqual((row.get("part"), row.get("file")), (part, path),
                                 f"perf/studylib/functions.csv needs the line {name},{part},{path},")

    def test_every_row_is_a_function_of_its_file(self):
        for name, row in flame.FUNCTIONS.items():
            self.assertIn(row["part"], flame.PARTS, name)
            self.assertEqual(row["box"].split(": ")[0] or name, name)
            if row["file"] == "C library":
                self.assertTrue(hasattr(ctypes.CDLL(None), name), name)
            else:
                self.assertIn(name, functions_of(row["file"]), row["file"])

    @unittest.skipUnless((BUILD / "bin" / "bfs").exists(), f"{BUILD} has no programs")
    def test_every_row_is_a_function_of_the_built_programs(self):
        built = built_functions()
        for name, row in flame.FUNCTIONS.items():
            if row["file"] != "C library":
                self.assertTrue(name in built, f"{name} of {row['file']} is not in the programs")

    def test_every_engine_s_search_begins_a_stack(self):
        found = [name for path in sorted((ROOT / "bfs" / "engines").glob("*.c"))
                 for name in re.findall(r"^    \.(?:search|batch) = (\w+),", path.read_text(), re.M)]
        self.assertGreater(len(found), 8)
        for name in found:
            self.assertRegex(name, flame.SEARCH)
            folded = flame.fold(f"bfs\n\t 1 malloc\n\t 2 {name}\n\t 3 run_searches\n\n")
            self.assertEqual(folded, {f"{name};malloc": 1})


class Folding(unittest.TestCase):
    # From perf: plain and classic on malloc, then what the kernel does under malloc.
    TEXT = ("bfs\n\t 1 _int_malloc\n\t 2 __GI___libc_malloc (inlined)\n"
            "\t 2 node_allocator_allocate (inlined)\n\t 2 create_node (inlined)\n"
            "\t 3 ask_and_link_end\n\t 4 search\n\t 5 plain_search\n\t 6 run_searches\n\n"
            "bfs\n\t 1 linked_list_remove_front\n\t 4 search\n\t 5 plain_search\n\n"
            "bfs\n\t 1 marks_test (inlined)\n\t 2 keep_unmarked (inlined)\n"
            "\t 3 linked_list_read (inlined)\n\t 4 look_ahead\n\t 5 run_search\n"
            "\t 6 classic_search\n\t 7 load_and_search\n\n"
            "bfs\n\t 1 clear_page_erms\n\t 2 asm_exc_page_fault\n\t 3 _int_malloc\n\t 4 malloc\n"
            "\t 5 create_node (inlined)\n\t 6 ask_and_link_all.part.0\n\t 7 classic_search\n\n"
            "bfs\n\t 1 graph_load+0x1\n\t 2 load_and_search+0x1\n\t 3 main+0x1\n\n")

    def test_a_stack_begins_at_the_search_and_one_function_has_one_box(self):
        self.assertEqual(list(flame.fold(self.TEXT)), [
            "plain_search;search: the search loop;ask_and_link_end;create_node;"
            "node_allocator_allocate;malloc",
            "plain_search;search: the search loop;linked_list_remove_front",
            "classic_search;run_search: the search loop;look_ahead: reads list nodes;"
            "linked_list_read;keep_unmarked: tests marks;marks_test",
            "classic_search;ask_and_link_all;create_node;malloc;asm_exc_page_fault;"
            "clear_page_erms"])

    def test_the_innermost_known_function_answers_for_what_it_calls(self):
        self.assertEqual([flame.part_of(stack) for stack in flame.fold(self.TEXT)],
                         ["allocator", "list", "search", "allocator"])
        self.assertEqual(flame.parts(flame.fold(self.TEXT)), (2 / 4, 1 / 4, 1 / 4))
        self.assertEqual(flame.parts({"classic_search;no_such_function": 3}), (0, 0, 1))


class RealRun(unittest.TestCase):
    """What perf records here, now, with the built programs."""

    def recorded(self, engine, allocator):
        options = types.SimpleNamespace(bfs=str(BUILD / "bin" / "bfs"), only=None, cpu=None,
                                        graph="generate:nodes=100k,seed=1", pairs="random:3,seed=1")
        made = runner.Configuration(allocator, engine)
        made.reports.append({"summary": {"search_seconds": 1}, "searches": []})
        with tempfile.TemporaryDirectory() as name:
            (pathlib.Path(name) / "raw").mkdir()
            try:
                return flame.record(options, made, pathlib.Path(name), lambda *_, **__: None)
            except runner.Failed as problem:
                self.skipTest(f"perf records nothing here: {problem}")

    @unittest.skipUnless((BUILD / "bin" / "bfs").exists(), f"{BUILD} has no programs")
    def test_on_malloc_the_allocator_and_the_list_take_what_is_theirs(self):
        for engine in ("plain", "classic"):
            folded = self.recorded(engine, "malloc")
            shares = dict(zip(flame.PARTS, flame.parts(folded)))
            said = f"{engine}: {shares} of {sum(folded.values())} samples"
            self.assertGreater(sum(folded.values()), 50, said)
            self.assertGreater(shares["allocator"], 0.15, said)
            self.assertGreater(shares["list"], 0.02, said)
            self.assertGreater(shares["search"], 0.05, said)
            self.assertTrue(any(";malloc" in stack for stack in folded), said)

    @unittest.skipUnless((BUILD / "lib" / "liblinked_list.so").exists(), "no shared libraries")
    def test_the_shares_by_name_are_the_shares_by_library(self):
        """One recorded run, read in two ways: by functions.csv, and by the file that the innermost
        code of a sample lies in. "plain" calls the queue's library for all that it does with it; in
        a search the C library does nothing but malloc and free."""
        with tempfile.TemporaryDirectory() as name:
            data = pathlib.Path(name) / "perf.data"
            words = ["perf", "record", "-q", "-e", "task-clock", "-F", "997", "--call-graph",
                     flame.STACK, "-o", data, BUILD / "bin" / "bfs", "generate:nodes=100k,seed=1",
                     "random:3,seed=1", "--alloc=malloc", "--engine=plain", "--trials=5", "--quiet"]
            try:
                done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                      text=True, check=False)
            except OSError as problem:
                self.skipTest(str(problem))
            if done.returncode != 0:
                self.skipTest(f"perf records nothing here: {done.stdout[-200:]}")
            by_name, by_file = (subprocess.run(["perf", "script", "-i", data, "-F", fields],
                                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                               text=True, check=True).stdout
                                for fields in ("comm,ip,sym", "comm,ip,sym,dso"))
        shares = dict(zip(flame.PARTS, flame.parts(flame.fold(by_name))))
        counts = {"libc": 0, "list": 0, "bfs": 0}
        for stack in re.split(r"\n\n+", by_file):
            if "plain_search" not in stack:
                continue
            files = [pathlib.Path(name).name for name in re.findall(r"\((/[^()]*)\)$", stack, re.M)]
            first = next((name for name in files if name.startswith(("lib", "bfs"))), "bfs")
            counts["libc" if first.startswith("libc") else "list" if first.startswith("lib")
                   else "bfs"] += 1
        total = sum(counts.values())
        said = f"by name {shares}; by file {counts}"
        self.assertGreater(total, 50, said)
        self.assertAlmostEqual(shares["search"], counts["bfs"] / total, delta=0.05, msg=said)
        self.assertGreater(shares["allocator"], counts["libc"] / total - 0.05, said)
        self.assertGreater(counts["libc"] / total, 0.1, said)


unittest.main(verbosity=2)

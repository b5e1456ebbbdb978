"""judge: the card of every member of the zoo, and what is left afterwards.

A member is a folder of zoo/ with what is special about it: one fault, or none. It becomes a whole
submission by the judge's plain reference: assemble(). The members are judged at the same time, each by
a judge of its own; no time is measured.

Usage: test_judge.py [--assemble NAME FOLDER | unittest's own words]     PW_BUILD: a build, or none
"""
import atexit
import concurrent.futures
import functools
import json
import os
import pathlib
import platform
import random
import re
import shlex
import shutil
import string
import struct
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import types
import unittest
import unittest.mock
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parents[1]
JUDGE = SOURCE / "judge"
CHALLENGE = SOURCE / "perf" / "challenge"
sys.dont_write_bytecode = True
sys.path[:0] = [str(JUDGE / "judgelib"), str(SOURCE / "perf" / "studylib")]

import apart  # noqa: E402
import archives  # noqa: E402
import batch  # noqa: E402
import building  # noqa: E402
import cache  # noqa: E402
import calls  # noqa: E402
import card_files  # noqa: E402
import card_html  # noqa: E402
import card_text  # noqa: E402
import contract  # noqa: E402
import elf  # noqa: E402
import faults  # noqa: E402
import grade  # noqa: E402
import hot  # noqa: E402
import intake  # noqa: E402
import levels  # noqa: E402
import memory  # noqa: E402
import sandbox  # noqa: E402
import mend  # noqa: E402
import printable  # noqa: E402
import recipes  # noqa: E402
import speed  # noqa: E402
import single_faults  # noqa: E402
import submission  # noqa: E402
from rules import RULES, Rule, not_reached  # noqa: E402

BUILD = os.environ.get("PW_BUILD")
AT_ONCE = 4
# What two members leave where they can: names of this run alone, that another run is not taken for it.
MARKS = {"judge-zoo-was-here": f"judge-zoo-was-here-{os.getpid()}", "3600.5": f"3600.{os.getpid()}"}

# name: (rules that must fail, words of what was found in the first of them, extra options)
SHORT = ["--limit", "1"]
PLAIN = ["--isolation", "plain"]  # without bubblewrap: faster, and judged that way too
ZOO = {
    "good_plain": ([], "", PLAIN),
    "good_pool": ([], "", []),
    "good_cpp": ([], "", []),
    "loops": (["queue-order"], "it did not end within", SHORT),
    "ignores_signals": (["queue-order"], "queue_pop(queue0, &data): it did not end within", SHORT),
    "crashes": (["empty-list"], "linked_list_find(ll0, 1u): it was ended by SIGSEGV",
                []),
    "forks": (["queue-alone", "first-use"], "it asked for a process", PLAIN),
    "takes_all_memory": (["first-use"], "linked_list_create(): it was ended by SIGSEGV", PLAIN),
    "floods": (["queue-looks", "null-queue"], "it printed without end", []),
    "prints_the_card": (["first-use"],
                        "it ended with exit status 0", []),
    "exits": (["queue-empty"], "queue_pop(queue0, &data): it ended with exit status 0",
              []),
    "exits_in_cleanup": (["cleanup"], "it ended with exit status 0", PLAIN),
    "replaces_malloc": (["exports"], "free, malloc", PLAIN),
    "asks_valgrind": ([], "", PLAIN),
    "rewrites_search": ([], "", PLAIN),
    "reads_the_pairs": (["long-queue"], "of them", PLAIN),
    "forges_answers": (["first-use"], "answers that are not the judge's", PLAIN),
    "overwrites_host": (["first-use"], "linked_list_insert_end(", PLAIN),
    "writes_files": (["first-use"], "linked_list_create(): NULL", PLAIN),
    "kills_others": (["first-use"], "it ", PLAIN),
    "strays_in_build": ([], "", PLAIN),
    "does_not_compile": (["builds"], "error", []),
    "leaks": (["delete-filled"], "what is still there: 1 block (16 bytes) kept", PLAIN),
    "off_by_one": (["insert-index"], "false", PLAIN),
    "last_in_first_out": (["queue-order"], "data", PLAIN),
    "ignores_registered": (["registered"], "requests to another malloc", PLAIN),
    "trusts_malloc": (["failed-malloc"], "with request ", PLAIN),
    "uses_freed_memory": (["first-use"], "data 3755991007", PLAIN),  # the judge's own pattern
    "rare_fault": (["random-calls"], "", PLAIN),
    "loses_one": (["long-queue"], "39999 of them", PLAIN),
    "stub": (["first-use"], "NULL", PLAIN),
    "undeclared": (["headers"], "queue_push", PLAIN),
    "never_written": (["first-use"], "an address of 0xa5a5a5a5...: memory that was never written",
                      PLAIN),
    "linear_and_slow": ([], "", PLAIN),
}


REMARKED = {"linear_and_slow": "longer with 20,000 elements"}
HOSTILE = {"forks", "kills_others", "forges_answers", "prints_the_card"}
BOXED = {"writes_files", "takes_all_memory"}  # their fault is what the box denies: not run without
# Hand-ins as people publish them: (level, rules that must fail, words somewhere on the card, options)
REAL = {
    "real_level1": (1, [], "make liblinked_list.so", []),
    "real_level2": (2, [], "make liblinked_list.so libqueue.so", []),
    "real_werror": (2, [], "leave out -Werror", []),
    "real_no_fpic": (2, [], "", []),
    "real_two_mallocs": (2, [], "", []),
    "real_levels": (2, [], "There is one folder per level; level2 was built", []),
    "real_allocator": (2, [], "", []),
    "real_old_objects": (2, [], "beside the sources was left out: 4 files", []),
    "real_no_makefile": (2, [], "linked_list_test_program.c defines no function of the interface and has a main", []),
    "real_cleanup_missing": (2, ["exports", "cleanup"], "missing: linked_list_final_cleanup", []),
    "real_wrong": (2, ["queue-order"], "", []),
    "real_classes_left": (None, ["builds"], "the challenge's C++ edition", []),
    "real_iterator_null": (2, [], "", []),
    "real_misspelled": (2, ["exports"], "queue_register_malloc (there is queue_register_maloc, which was "
                        "played)", []),
    "real_no_guard": (2, ["headers"], "linked_list.h cannot be included twice: its include guard does not work",
                      []),
    "real_no_guard_twice": (2, ["builds"], "A header is read twice: its include guard does not work.", []),
    "real_empty_queue": (2, ["exports", "queue-alone", "first-use"],
                         "missing: queue_create", []),
    "real_null_registered": (2, [], "registering NULL gives false", []),
    "real_free_list1": (1, [], "", []),
    "real_free_list2": (2, [], "", ["--level", "2"]),
    "real_no_target": (2, [], "The Makefile has no rule for liblinked_list.so or libqueue.so", []),
}


def put_special(special, folder):
    """What is special about a member, onto what its folder has so far. FILE.add: lines for the end of a
    header; FILE.replace: a text of a file, and in the next line what is there instead; .takes: files of other
    members, and in each line the name here. Other files are copied."""
    for path in special.iterdir():
        if path.suffix == ".add":
            header = folder / path.stem
            before, end, after = header.read_text().rpartition("\n#endif")
            assert end, f"{path}: the header has no end"
            header.write_text(f"{before}\n{path.read_text()}{end}{after}")
        elif path.suffix == ".replace":
            old, new = path.read_text().splitlines()
            published = (folder / path.stem).read_text()
            assert old in published, f"{path}: the published file has no {old}"
            (folder / path.stem).write_text(published.replace(old, new))
        elif not path.name.startswith("."):
            shutil.copy(path, folder / path.name)
    if (special / ".takes").exists():
        for line in (special / ".takes").read_text().splitlines():
            theirs, name_here = line.split()
            shutil.copy(HERE / "zoo" / theirs, folder / name_here)


def assemble_real(name, folder):
    """A hand-in of the challenge's shape: what is published, and what is special about this one.
    .without: files that it lacks; .levels: folders that have a copy each; .old: what an earlier build left."""
    special = HERE / "zoo" / name
    folder.mkdir(parents=True, exist_ok=True)
    marks = {mark: (special / mark).read_text().split() for mark in (".without", ".levels", ".old")
             if (special / mark).exists()}
    without = marks.get(".without", [])
    if "*" not in without:
        for place in (HERE / "zoo" / "published", SOURCE / "tests" / "liblist" / "published"):
            for path in place.iterdir():
                if path.name not in without:
                    shutil.copy(path, folder / path.name)
        for part in ("list", "queue"):
            text = (CHALLENGE / f"plain_{part}.c").read_text()
            (folder / f"good_{part}.inc").write_text(re.sub("<(.*?_?list|queue).h>", r'"\1.h"', text))
    if (special / "queue_performance.c.replace").exists():  # a search of its own
        text = (CHALLENGE / "published_search.c").read_text().replace("<queue.h>", '"queue.h"')
        (folder / "queue_performance.c").write_text(text)
    put_special(special, folder)
    for level in marks.get(".levels", []):
        inner = folder / level
        inner.mkdir()
        for path in folder.iterdir():
            if path.is_file() and (level == "level2" or "queue" not in path.name):
                shutil.copy(path, inner / path.name)
    if ".levels" in marks:
        for path in [path for path in folder.iterdir() if path.is_file()]:
            path.unlink()
    for old in marks.get(".old", []):
        (folder / old).write_bytes(b"what an earlier compiler left")
        os.utime(folder / old, (4e9, 4e9))
    return folder


def assemble(name, folder):
    """The member as a stranger would hand it in."""
    folder = pathlib.Path(folder)
    if name in REAL or name.startswith("search_"):
        return assemble_real(name, folder)
    special = HERE / "zoo" / name
    folder.mkdir(parents=True, exist_ok=True)
    has_build = any((special / build).exists() for build in ("Makefile", "CMakeLists.txt"))
    for header, source in building.CHALLENGE.items():
        if has_build or any(special.glob(f"{header}.*")):
            shutil.copy(CHALLENGE / source, folder / header)
    put_special(special, folder)
    for path in folder.glob("*"):
        if name in ("writes_files", "strays_in_build") and path.is_file():
            text = path.read_text()
            for old, new in MARKS.items():
                text = text.replace(old, new)
            path.write_text(text)
    for part in ("list", "queue"):
        plain = CHALLENGE / f"plain_{part}.c"
        shutil.copy(plain, folder / f"good_{part}.inc")
        target = folder / ("linked_list.c" if part == "list" else "queue.c")
        if not target.exists():
            shutil.copy(plain, target)
    return folder


def keeps_nodes(folder):
    """The plain list and queue as bare files, with a free list of nodes that no lock guards."""
    folder.mkdir(parents=True, exist_ok=True)
    text = (CHALLENGE / "plain_list.c").read_text()
    head, mark, rest = text.partition("struct linked_list *linked_list_create")
    rest = rest.replace("get(sizeof(*node))", "take_node()").replace("give(node)", "keep_node(node)")
    rest = rest.partition("void linked_list_final_cleanup")[0]
    (folder / "linked_list.c").write_text(head + """static struct node *spare;

static struct node *take_node(void)
{
    struct node *node = spare;
    if (node == NULL) {
        return get(sizeof(*node));
    }
    spare = node->next;
    return node;
}

static void keep_node(struct node *node)
{
    node->next = spare;
    spare = node;
}

void linked_list_final_cleanup(void)
{
    while (spare != NULL) {
        struct node *next = spare->next;
        give(spare);
        spare = next;
    }
}

""" + mark + rest)
    shutil.copy(CHALLENGE / "plain_queue.c", folder / "queue.c")
    return folder


STARTS = threading.Lock()


def run(*words, has_cache=True, **more):
    """Judges share a cache, as in a batch."""
    with STARTS:
        folder = shared_cache()
    if has_cache and not {"--batch", "--list-rules"} & set(words):
        words = ["--cache", str(folder), *words]
    return subprocess.run([sys.executable, str(JUDGE / "judge"), *words], capture_output=True,
                          text=True, check=False, timeout=2500, env=with_modules(folder), **more)


def with_modules(folder):
    """An environment in which the modules of the judge are compiled once."""
    return {**os.environ, "PYTHONPYCACHEPREFIX": str(folder / "python"), "PYTHONDONTWRITEBYTECODE": ""}


@functools.lru_cache
def shared_cache():
    """The folder that the judges of this run share; no hand-in may use it."""
    place = pathlib.Path(tempfile.mkdtemp(prefix="test-judge-cache-"))
    atexit.register(shutil.rmtree, place, True)
    subprocess.run([sys.executable, JUDGE / "judge", "--list-rules"], check=True, stdout=subprocess.DEVNULL,
                   env=with_modules(place))  # by one, before many begin
    return place


@functools.lru_cache
def scratch():
    """A folder for the members, in which each one is judged once."""
    place = tempfile.mkdtemp(prefix="test-judge-")
    atexit.register(shutil.rmtree, place, True)
    os.chmod(place, 0o755)
    return pathlib.Path(place)


CARDS = {}  # of the members judged so far


def judge_members(names):
    """Their cards, without speed and Valgrind; AT_ONCE of them at a time."""
    def judged(name):
        assemble(name, scratch() / name)
        words = ZOO[name][2] if name in ZOO else [*PLAIN, *REAL[name][3]]
        return card_of(scratch() / name, "--no-speed", "--no-memory", *words)
    scratch()
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        work = {name: pool.submit(judged, name) for name in names if name not in CARDS}
        CARDS.update({name: result.result() for name, result in work.items()})
    return {name: CARDS[name] for name in names}


def card_of(*words, has_cache=True):
    done = run(*map(str, words), "--format", "json", "--quiet", "--calls", "2000", has_cache=has_cache)
    if done.returncode != 0:
        raise AssertionError(f"{words}: {done.stderr}")
    return json.loads(done.stdout)


def leftovers():
    """Folders, files and processes of a judge."""
    file, nap = MARKS.values()
    found = [str(path) for place in ("/tmp", "/var/tmp", "/dev/shm")
             for path in pathlib.Path(place).glob(file)]
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                words = pathlib.Path("/proc", name, "cmdline").read_bytes()
            except OSError:
                continue
            if nap.encode() in words:
                found.append(words.decode())
    return found


def failed(card):
    return {rule["name"]: rule for rule in card["rules"] if rule["status"] == "failed"}


class Zoo(unittest.TestCase):
    """One test per member, made below; they share the cards. PW_JUDGE_ZOO: only these members."""
    cards = {}

    @classmethod
    def setUpClass(cls):
        wanted = os.environ.get("PW_JUDGE_ZOO", "").split()
        cls.cards = judge_members([name for name in [*ZOO, *REAL] if name in wanted or not wanted])

    def check_member(self, name):
        card, (rules, words, _) = self.cards[name], ZOO[name]
        found = failed(card)
        missing = [rule for rule in rules if rule not in found]
        self.assertEqual(missing, [], f"{name} fails {sorted(found)}")
        if rules:
            self.assertIn(words, found[rules[0]]["found"])
            self.assertLess(card["score"], 100)
        else:
            self.assertEqual(found, {})
            self.assertEqual(card["score"], 100)

    def test_what_the_header_leaves_open_is_a_remark_without_points(self):
        for name, words in REMARKED.items():
            if name in self.cards:
                card = self.cards[name]
                remarks = {rule["name"]: rule for rule in card["rules"] if rule["status"] == "remark"}
                self.assertEqual(list(remarks), ["constant-time"], name)
                self.assertIn(words, remarks["constant-time"]["found"])
                self.assertIn("remark     constant-time", card_text.text(card))

    def test_hand_ins_as_they_are_published_have_their_contract_judged(self):
        for name, (level, rules, words, _) in REAL.items():
            if name in self.cards:
                with self.subTest(name):
                    card = self.cards[name]
                    self.assertEqual(card["build"]["level"], level)
                    self.assertEqual(sorted(failed(card)), sorted(rules))
                    self.assertIn(words, json.dumps(card))
                    if "builds" not in rules and len(rules) < 3 and name != "real_wrong":
                        self.assertGreater(card["score"], 80)

    def test_a_build_that_fails_is_shown_with_advice(self):
        build = self.cards["real_werror"]["build"]
        self.assertEqual(build["how"], "compiler")
        self.assertIn("unused variable", " ".join(build["log"]))
        self.assertLessEqual(len(build["log"]), 10)
        self.assertIn("The build that failed", card_text.text(self.cards["real_werror"]))

    def test_a_single_fault_fails_one_rule(self):
        for name, rule in (("off_by_one", "insert-index"), ("replaces_malloc", "exports"), ("leaks", "delete-filled"),
                           ("crashes", "empty-list"), ("loops", "queue-order"), ("rare_fault", "random-calls"),
                           ("ignores_registered", "registered"), ("trusts_malloc", "failed-malloc")):
            self.assertEqual(list(failed(self.cards[name])), [rule], name)
        self.assertEqual(failed(self.cards["linear_and_slow"]), {})

    def test_what_does_not_build_scores_nothing(self):
        self.assertEqual(self.cards["does_not_compile"]["score"], 0)

    def test_a_submission_that_claims_success_scores_next_to_nothing(self):
        for name in ("prints_the_card", "forges_answers", "kills_others"):
            self.assertLess(self.cards[name]["score"], 20, name)

    def test_wrong_elements_cost_what_one_function_costs(self):
        for name in ("loses_one", "last_in_first_out", "rare_fault", "loops"):
            self.assertEqual(self.cards[name]["score"], 100 - faults.COSTS[faults.CONTENT], name)

    def test_a_fault_of_a_header_or_of_a_name_costs_its_rule_and_not_the_card(self):
        for name in ("undeclared", "real_misspelled", "real_no_guard"):
            if name in self.cards:
                self.assertGreater(self.cards[name]["score"], 90, name)
        if "real_empty_queue" in self.cards:  # the list is judged as at level 1
            rules = {rule["name"]: rule["status"] for rule in self.cards["real_empty_queue"]["rules"]}
            for name in ("null-list", "insert-index", "iterator-walk", "two-lists"):
                self.assertEqual(rules[name], "passed", name)

    def test_a_process_that_outlives_the_build_is_ended_and_told(self):
        notes = " ".join(self.cards["strays_in_build"]["notes"])
        self.assertRegex(notes, r"The build left processes running \(\d+\)")

    def test_no_process_and_no_file_is_left(self):
        self.assertEqual(leftovers(), [])

    def show(self, name, card=None):
        """Compile and run the first program of a card, by the words on the card, in the hand-in's folder."""
        folder = scratch() / f"shown-{name}{'-again' if card else ''}"
        card = card or self.cards[name]
        rule = next(rule for rule in card["rules"] if rule["program"])
        shutil.copytree(scratch() / name, folder)
        (folder / "shown.c").write_text(rule["program"])
        if card["build"]["headers"] == "the challenge's":
            building.write_challenge_headers(folder)
        words = " && ".join(card["build"]["shown_by"])
        done = subprocess.run(["sh", "-c", "ulimit -v 4000000; " + words], cwd=folder,
                              capture_output=True, text=True, check=False, timeout=600)
        self.assertEqual(done.returncode, 1, f"{name}: {words}: {done.stdout}{done.stderr}")
        self.assertNotIn(" error: ", done.stderr, name)
        return done.stdout

    def test_the_program_of_a_card_shows_the_fault_of_finished_libraries(self):
        folder = scratch() / "finished"
        folder.mkdir()
        building.write_challenge_headers(folder)
        for library, source in ("liblinked_list.so", "linked_list.c"), ("libqueue.so", "queue.c"):
            subprocess.run(["cc", "-fPIC", "-shared", "-I", folder, "-o", folder / library,
                            scratch() / "off_by_one" / source], check=True)
        card = card_of(folder, "--no-speed", "--no-memory")
        self.assertEqual(card["build"]["how"], "libraries as handed in")
        self.assertRegex(self.show("finished", card), " gave .*, not ")

    def test_the_program_of_every_card_shows_its_fault(self):
        names = [name for name, card in self.cards.items() if name not in HOSTILE | BOXED
                 and any(rule["program"] for rule in card["rules"])]
        for name in HOSTILE & set(self.cards):  # what needs the box to hold it has no program
            self.assertFalse([rule for rule in self.cards[name]["rules"] if rule["program"]], name)
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            told = dict(zip(names, pool.map(self.show, names)))
        for name, text in told.items():
            self.assertRegex(text, r" gave .*, not |did not return: it|ended the process", name)
        for name, words in (("loses_one", "pop 29999 gave 30000, not 29999"),
                            ("off_by_one", "linked_list_insert(ll0, 1u, 1u) gave false, not true"),
                            ("crashes", "linked_list_find(ll0, 1u) did not return: it crashed"),
                            ("uses_freed_memory", f"gave data {0xdfdfdfdf}, not"),
                            ("loops", "did not return: it is still running"),
                            ("exits", "queue_pop(queue0, &data) ended the process"),
                            ("real_wrong", "queue_pop(queue0, &data) gave data ")):
            if name in self.cards:
                self.assertIn(words, told[name])

    def test_programs_of_level_1_know_no_queue(self):
        """A fault of lists once more, as a hand-in of level 1, and one in a function that it may have."""
        names = [name for name in ("off_by_one", "exits_in_cleanup") if name in self.cards]
        for name in names:
            card = card_of(scratch() / name, "--no-speed", "--no-memory", "--level", "1", *PLAIN)
            self.assertEqual(card["build"]["level"], 1)
            program = next(rule["program"] for rule in card["rules"] if rule["program"])
            self.assertNotIn("queue", program)
            said = [(rule["promise"], rule["expected"], rule["found"]) for rule in card["rules"]]
            if name != "exits_in_cleanup":  # which has such a function, and ends in it
                self.assertFalse([words for words in said if "linked_list_final_cleanup" in str(words)], name)
            self.show(name, card)

    def test_a_wrong_first_element_is_the_one_finding(self):
        """A queue that crashes at once: no other rule is accused, and lists are judged."""
        card = self.cards["never_written"]
        self.assertEqual(list(failed(card)), ["queue-alone", "first-use"])
        self.assertIn("memory that was never written", failed(card)["first-use"]["found"])
        states = {rule["name"]: rule["status"] for rule in card["rules"]}
        self.assertEqual((states["find-first"], states["queue-order"]), ("passed", "not judged"))
        self.assertLess(card["score"], 20)

    def test_a_program_beside_the_libraries_is_left_out(self):
        self.assertIn("harness.c", " ".join(self.cards["good_plain"]["notes"]))

    def test_cards_keep_to_the_schema(self):
        schema = json.loads((JUDGE / "card.schema.json").read_text())
        for name, card in self.cards.items():
            self.assertEqual(list(violations(card, schema, "card")), [], name)

    def test_no_card_has_a_folder_of_the_judges_machine_or_one_of_many(self):
        for name, card in self.cards.items():
            text = json.dumps({**card, "rules": [{**rule, "program": None} for rule in card["rules"]]})
            self.assertNotRegex(text, r"/tmp|/judge-\w", name)
            self.assertNotRegex(text + card_text.text(card) + card_html.html(card),
                                r"(?<![\d.,])1 (node|block|byte|error|call|request|warning|round|thread|file|function)s",
                                name)


for member in ZOO:
    setattr(Zoo, f"test_{member}", lambda self, name=member: self.check_member(name))


def violations(value, schema, where):
    """What of a value is not as the schema has it: of JSON Schema, the words that ours uses."""
    kinds = {"object": dict, "array": list, "string": str, "number": (int, float), "integer": int,
             "boolean": bool, "null": type(None)}
    allowed = schema.get("type")
    if allowed is not None:
        allowed = [allowed] if isinstance(allowed, str) else allowed
        if not any(isinstance(value, kinds[kind]) and not (isinstance(value, bool) and
                                                           kind in ("number", "integer"))
                   for kind in allowed):
            yield f"{where} is {type(value).__name__}"
            return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{where} is {value!r}"
    if "const" in schema and value != schema["const"]:
        yield f"{where} is {value!r}"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        if value < schema.get("minimum", value) or value > schema.get("maximum", value):
            yield f"{where} is {value}"
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        for name in schema.get("required", ()):
            if name not in value:
                yield f"{where} has no {name}"
        for name, inner in value.items():
            if name in properties:
                yield from violations(inner, properties[name], f"{where}.{name}")
            elif schema.get("additionalProperties") is False:
                yield f"{where} has {name}"
    if isinstance(value, list) and "items" in schema:
        for i, inner in enumerate(value):
            yield from violations(inner, schema["items"], f"{where}[{i}]")


class Validator(unittest.TestCase):
    """The validator finds what it is there for."""

    def test_it_finds_a_wrong_card(self):
        schema = json.loads((JUDGE / "card.schema.json").read_text())
        self.assertEqual(list(violations([], schema, "card")), ["card is list"])
        found = list(violations({"score": 101, "rules": [{"status": "good"}]}, schema, "card"))
        for words in ("card has no isolation", "card.score is 101", "card.rules[0].status is 'good'"):
            self.assertIn(words, found)


class Cards(unittest.TestCase):
    """What the other formats make of a card with everything on it."""
    card = {
        "schema": "pointer-wars-card/1", "submission": {"name": "a <b> & c"},
        "score": 71.5, "points": [{"group": "contract", "points": 40.0, "of": 50, "why": "8 of 10"}],
        "rubric": {"points": {}, "gates": [], "scale": [0.5, 4.0], "weights": {}},
        "build": {"how": "make", "command": "make", "seconds": 1.0, "warnings": 1,
                  "first_warnings": ["x.c:1: warning: <unused>"], "headers": "the submission's",
                  "level": 3, "log": ["x.c:1: error: <y>"], "advice": "Mend it.",
                  "shown_by": ["cc shown.c"]},
        "rules": [
            {"name": "find-first", "group": "contract", "promise": "find gives the first", "status":
             "failed", "expected": "1 < 2", "found": "call 3, linked_list_find(ll0, 4u): \x01 \"2\"", "program": "int main;",
             "calls": ["after 2 other calls:", "linked_list_find(ll0, 4u)"],
             "faults": [{"function": "linked_list_find", "kind": "ordinary use", "cost": 10}], "but_for": []},
            {"name": "queue-order", "group": "contract", "promise": "in order", "status": "passed",
             "expected": None, "found": None, "program": None, "calls": [], "faults": [],
             "but_for": ["linked_list_size"]},
            {"name": "memory-leaks", "group": "memory", "promise": "no leaks", "status":
             "not judged", "expected": None, "found": "Valgrind is not installed", "program": None,
             "calls": [], "faults": [], "but_for": []}],
        "memory": {"mallocs_per_push": 1.0, "bytes_per_node": 16.0, "leaked_bytes": None,
                   "errors": None},
        "speed": {"ratio": 2.0, "low": 1.8, "high": 2.2, "confidence": 0.95, "verdict": "part",
                  "graph": "g p", "rounds": 9, "seconds": 1.0,
                  "searches": [{"search": 1, "source": 1, "target": 2, "found": 1, "visited": 9,
                                "pushed": 90000, "mallocs": 90002, "seconds": 0.5, "is_timed": True, "n": 7,
                                "plain_seconds": 1.0, "ratio": 2.0, "low": 1.8, "high": 2.2,
                                "confidence": 0.95}],
                  "references": [{"name": "plain list", "seconds": 2.0, "n": 9, "ratio": 1.0, "low": 1.0,
                                  "high": 1.0, "confidence": 0.95}],
                  "instructions": {"ratio": 2.8, "graph": "s", "submission": 10, "plain": 28, "cost": 20,
                                   "plain_cost": 50, "cost_ratio": 2.5}},
        "isolation": {"bubblewrap": False, "seccomp": True, "namespaces": False, "own_user": False,
                      "control_group": False, "limits": True, "no_new_privileges": True,
                      "summary": "own session", "missing": ["no bubblewrap"]},
        "notes": ["A note."],
    }

    def test_this_card_keeps_to_the_schema(self):
        schema = json.loads((JUDGE / "card.schema.json").read_text())
        self.assertEqual(list(violations(self.card, schema, "card")), [])

    def test_text_has_80_columns_and_colours_only_when_asked(self):
        text = card_text.text(self.card)
        self.assertLessEqual(max(map(len, text.splitlines())), 80)
        self.assertNotIn("\033", text)
        self.assertIn("\033[31m", card_text.text(self.card, True))
        for words in ("71.5 of 100", "FAILED     find-first", "2.00 (1.80 to 2.20)", "together      40.0    50   71.5 of 100"):
            self.assertIn(words, text)

    def test_the_first_screen_has_the_score_and_what_to_mend_first(self):
        """And no program, which is beside the card."""
        first = card_text.text(self.card).splitlines()[:14]
        for words in ("71.5 of 100", "MEND FIRST linked_list_find is wrong with legal arguments",
                      "    linked_list_find(ll0, 4u)\n  expected 1 < 2\n  found    \x01 \"2\"", "    cc shown.c"):
            self.assertIn(words, "\n".join(first))
        self.assertNotIn("int main;", card_text.text(self.card))
        build, size = self.rule("builds", "build"), self.rule("list-size", "contract", "linked_list_size", 10)
        pop = self.rule("queue-order", "contract", "queue_pop", 25)
        for rules, words in (([], ""), ([size, pop], "queue_pop is wrong with legal arguments"),
                             ([pop, build], "it does not build"), ([build, size], "it does not build")):
            self.assertEqual(mend.in_words({"rules": rules}), words)
        lacking = dict(pop, found="call 7, value = queue_pop(q0): the libraries do not define it")
        self.assertEqual(mend.in_words({"rules": [lacking]}), "queue_pop is missing")

    @staticmethod
    def rule(name, group, function=None, cost=0):
        found = [{"function": function, "kind": faults.USE, "cost": cost}] if function else []
        return {"name": name, "group": group, "promise": "", "status": "failed", "faults": found}

    def test_what_is_missing_of_samples_is_said(self):
        text = card_text.text(self.card)
        self.assertIn("2.00 (n below 8: not compared)", text)
        self.assertIn("<td class=n>7</td><td class=n>8 are needed</td>", card_html.html(self.card))
        few = {"ratio": 0.4, "low": 0.39, "high": 0.41, "rounds": 7}
        self.assertEqual([grade.verdict_of_ratio({**few, "rounds": rounds}, [0.5, 4]) for rounds in (7, 8)],
                         ["inconclusive", "none"])

    def test_a_single_thing_has_no_plural(self):
        self.assertEqual([printable.counted(*words) for words in ((1, "node"), (2, "node"), (0, "error"),
                                                                  (1, "entry", "entries"), (4000, "entry", "entries"))],
                         ["1 node", "2 nodes", "0 errors", "1 entry", "4,000 entries"])
        log = "==3== 1 bytes in 1 blocks are definitely lost in loss record 1 of 1\n==3==    at 0x2: keep (a.c:2)\n"
        self.assertEqual(memory.first_leak(log), "1 byte in 1 block is definitely lost; keep (a.c:2)")

    def test_gradescope_has_the_score_and_the_points(self):
        results = json.loads(card_files.gradescope(self.card))
        self.assertEqual(results["score"], 71.5)
        self.assertEqual(results["tests"][0]["max_score"], 50)
        self.assertEqual([test.get("status") for test in results["tests"][1:]],
                         ["failed", "passed", None])

    runner = {"CLASSROOM": "low-level", "ASSIGNMENT": "lists", "SUBMISSION_TAG": "submit/7", "OWNER": "zoe",
              "COMMIT_URL": "https://git.example/c/1", "RELEASE_URL": "https://git.example/r/1"}

    def test_classroom50_has_whole_points_and_the_runners_names(self):
        """What its collector checks: names, whole numbers, no score above its most, the sum of the tests."""
        with unittest.mock.patch.dict(os.environ, self.runner):
            made = json.loads(card_files.classroom50(self.card))
            for _ in range(50):
                of = [random.choice((0, 7.5, 10, 33.3, 50)) for _ in range(4)]
                rows = [{"group": "x", "points": random.random() * most, "of": most, "why": ""} for most in of]
                found = json.loads(card_files.classroom50({**self.card, "points": rows}))
                self.assertEqual(found["max-score"], 100 if any(of) else 0)
                self.assertTrue(all(0 <= test["score"] <= test["max-score"] and isinstance(test["score"], int)
                                    for test in found["tests"]))
                exact = 100 * sum(row["points"] for row in rows) / (sum(of) or 1)
                self.assertAlmostEqual(found["score"], exact, delta=2)
        self.assertEqual({name: made[name] for name in ("schema", "classroom", "assignment", "submission", "review")}, {
            "schema": "classroom50/result/v1", "classroom": "low-level", "assignment": "lists", "submission": "submit/7",
            "review": self.runner["COMMIT_URL"]})
        self.assertRegex(made["datetime"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertEqual((made["score"], made["max-score"]), (80, 100))  # of the groups that count
        self.assertEqual([(test["test-name"], test["passed"]) for test in made["tests"]], [
            ("contract", False), ("contract: find-first", False), ("contract: queue-order", True)])
        with unittest.mock.patch.dict(os.environ, {name: "" for name in self.runner}):
            with self.assertRaises(submission.CannotGrade) as caught:
                card_files.classroom50(self.card)
        self.assertIn("CLASSROOM", str(caught.exception))

    def test_html_has_the_plot_and_escapes_what_it_gets(self):
        page = card_html.html(self.card)
        body = re.search(r"<body>.*</body>", page, re.S)[0]
        self.assertIn("<svg", body)
        self.assertIn("a &lt;b&gt; &amp; c", body)
        self.assertIn("<td>contract</td><td class=n>40.0</td><td class=n>50</td><td>8 of 10</td>", body)
        self.assertNotIn("<unused>", body)
        self.assertNotIn("<script", page)


class Grades(unittest.TestCase):
    def test_a_ratio_becomes_a_share_on_a_logarithmic_scale(self):
        self.assertEqual([grade.share_of_ratio(ratio, [0.5, 2]) for ratio in (0.1, 0.5, 1, 2, 9)],
                         [0, 0, 0.5, 1, 1])

    def test_an_interval_that_crosses_a_limit_is_inconclusive(self):
        verdicts = [grade.verdict_of_ratio({"low": low, "high": high, "rounds": 8}, [0.5, 2])
                    for low, high in ((0.1, 0.4), (0.4, 0.6), (0.9, 1.1), (1.9, 2.1), (2.1, 3))]
        self.assertEqual(verdicts, ["none", "inconclusive", "part", "inconclusive", "full"])
        at_the_limits = [grade.verdict_of_ratio({"low": low, "high": high, "rounds": 8}, [0.5, 2])
                         for low, high in ((0.4, 0.5), (0.5, 2), (2, 3))]
        self.assertEqual(at_the_limits, ["none", "part", "full"])

    def test_rubrics_are_read_and_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text, words in (
                    ("a.json", '{"points": {"speed": 60}, "scale": [1, 3]}', None),
                    ("b.json", '{"pints": {}}', 'the rubric has no "pints"'),
                    ("c.json", '{"scale": [3, 1]}', "the lower first"),
                    ("d.json", '{"points": {"speed": "x"}}', "are numbers"),
                    ("g.json", '{"weights": {"failed-maloc": 3}}', '"failed-maloc", which is no rule'),
                    ("h.json", '{"gates": ["build", "nope"]}', 'a gate "nope"'),
                    ("i.json", '{"gates": "build"}', "gates of the rubric is a list"),
                    ("j.json", '{"points": 3}', "points of the rubric is a table"),
                    ("e.json", "[]", "a rubric is a table"), ("f.json", "{", "f.json:")):
                path = pathlib.Path(folder, name)
                path.write_text(text)
                if words is None:
                    rubric = grade.read_rubric(str(path))
                    self.assertEqual((rubric.points["speed"], rubric.points["contract"],
                                      rubric.scale), (60, 50, [1, 3]))
                    continue
                with self.assertRaises(submission.CannotGrade, msg=name) as caught:
                    grade.read_rubric(str(path))
                self.assertIn(words, str(caught.exception))

    @staticmethod
    def found(name, *faults_found):
        rule = Rule(name).failed("1", "2")
        rule.faults = list(faults_found)
        return rule

    def test_a_weight_multiplies_what_a_rule_finds(self):
        right = [Rule("builds").passed(), Rule("queue-order").passed()]
        wrong = self.found("find-first", ("linked_list_find", faults.USE, 10))
        for weight, score in ((1, 90), (2, 80), (0.5, 95)):
            given = grade.Rubric({"weights": {"find-first": weight}})
            self.assertEqual(grade.grade([*right, wrong], None, given)[0], score)

    def test_one_function_and_one_kind_have_a_most(self):
        """Whatever the number of rules: what is known is found once."""
        costs = faults.COSTS
        rows = [("a", "one", kind, costs[kind]) for kind in (faults.USE, faults.PAST, faults.EMPTY, faults.NULLS)]
        self.assertAlmostEqual(faults.total(rows, {}), faults.MOST_OF_A_FUNCTION)
        many = [("a", f"function {number}", faults.NULLS, costs[faults.NULLS]) for number in range(9)]
        self.assertAlmostEqual(faults.total(many, {}), faults.MOST[faults.NULLS])

    def test_what_the_contract_cannot_lose_any_more_memory_does(self):
        wrong = [self.found("queue-order", (f"function {number}", faults.USE, 25)) for number in range(2)]
        rules_made = [*wrong, Rule("memory-leaks").passed()]
        score, groups, _ = grade.grade(rules_made, None, grade.Rubric({"points": {"contract": 40, "memory": 60}}))
        self.assertEqual([(row["group"], row["points"]) for row in groups], [("contract", 0), ("memory", 50)])
        self.assertEqual(score, 50)

    def test_without_a_first_element_the_build_alone_earns(self):
        rules_made = [Rule("builds").passed(), Rule("first-use").failed("1", "2"), Rule("find-first").passed(),
                      Rule("memory-leaks").passed()]
        self.assertEqual([row["points"] for row in grade.grade(rules_made, None, grade.Rubric())[1]], [10, 0, 0])

    def test_a_closed_gate_leaves_nothing_for_speed_and_says_why(self):
        times = {"ratio": 9.0, "low": 8.0, "high": 10.0, "rounds": 8, "instructions": {"ratio": 9.0, "cost_ratio": 9.0}}
        for kind, cost, is_closed in ((faults.USE, 25, True), (faults.LEAK, 15, True), (faults.USE, 10, False),
                                      (faults.NULLS, 5, False), (faults.STRANGER, 10, True)):
            rules_made = [Rule("builds").passed(), self.found("find-first", ("linked_list_find", kind, cost))]
            score, points, notes = grade.grade(rules_made, dict(times), grade.Rubric())
            self.assertEqual(points[-1]["points"] == 0, is_closed, kind)
            self.assertEqual("find-first was not kept" in str(notes), is_closed, kind)
            self.assertAlmostEqual(score, 100 * (90 - cost * 0.9 - 30 * is_closed) / 90, 1)

    def test_a_ratio_that_the_instructions_do_not_explain_earns_nothing(self):
        rules_made = [Rule("builds").passed()]
        for counted, low, is_earned in (({"ratio": 2.0, "cost_ratio": 2.0, "status": "simulated"}, 5.9, True),
                                        ({"ratio": 2.0, "cost_ratio": 2.0, "status": "simulated"}, 6.1, False),
                                        ({"ratio": 3.0, "cost_ratio": 3.6, "status": "simulated"}, 1.1, True),
                                        ({"ratio": 3.0, "cost_ratio": 3.8, "status": "simulated"}, 1.0, False),
                                        ({"ratio": None, "status": "no count"}, 2.0, False)):
            times = {"ratio": low + 0.1, "low": low, "high": low + 0.2, "rounds": 8, "instructions": counted}
            _, points, notes = grade.grade(rules_made, times, grade.Rubric())
            self.assertEqual(points[-1]["points"] > 0, is_earned, counted)
            self.assertEqual(bool(notes), not is_earned)

    def test_points_for_speed_follow_no_clock(self):
        """What repeats is worth the points; two cards of the same files are at one place."""
        rules_made, counted = [Rule("builds").passed()], {"ratio": 2.6, "cost_ratio": 2.5, "status": "simulated"}
        scores = {grade.grade(rules_made, {"ratio": ratio, "low": ratio - 0.3, "high": ratio + 0.3, "rounds": 9,
                                           "instructions": counted}, grade.Rubric())[0] for ratio in (1.3, 2.0, 2.1, 3.9)}
        self.assertEqual(len(scores), 1)
        own = {"ratio": 3.14, "low": 2.81, "high": 3.3}
        self.assertEqual([grade.sure_gain({**own, **more}) for more in ({}, {"low": 2.79}, {"low": 0.9}, {"ratio": None})],
                         [2.8, 2.8, 1.0, 1.0])
        for counted, points in (({"ratio": None, "status": memory.NO_VALGRIND}, 0), (None, 1)):
            times = {**speed.NOTHING, "why": speed.ON_LOAD} if counted is None else {
                "ratio": 2.0, "low": 1.9, "high": 2.1, "rounds": 9, "instructions": counted}
            made = grade.grade(rules_made, times, grade.Rubric())
            self.assertEqual([row["group"] for row in made[1]].count("speed"), points)  # a fault loses its points
        self.assertEqual((made[1][-1]["points"], made[1][-1]["why"]), (0, speed.ON_LOAD))

    @staticmethod
    def random_card(draw):
        """Rules as a run may leave them, with and without memory and speed."""
        card = [Rule(name) for name, group, _ in RULES if group != "answers" and name != "harness"]
        for rule in card:
            draw.choice([rule.passed, rule.passed, lambda: rule.failed("", ""),
                         lambda: rule.not_judged("", is_fault=True),
                         lambda: rule.not_judged("")] if rule.group == "memory"
                        else [rule.passed] * 9 + [lambda: rule.failed("", "")])()
        return card

    def test_no_rule_that_fails_earns_points(self):
        """Whatever else is so: with weights, gates, memory and speed drawn at random."""
        draw = random.Random(7)
        for _ in range(3000):
            rubric = grade.Rubric({
                "weights": {draw.choice(RULES)[0]: draw.choice([0, 0.5, 4]) for _ in range(4)},
                "gates": draw.choice([[], ["build"], ["build", "contract", "answers"]])})
            card = self.random_card(draw)
            times = draw.choice([None, {"ratio": 2.0, "low": 1.9, "high": 2.1, "rounds": 8,
                                         "instructions": {"ratio": 2.0, "cost_ratio": 2.0}}])
            before = grade.grade(card, times and dict(times), rubric)[0]
            rule = draw.choice([rule for rule in card if rule.counts])
            if draw.random() < 0.5:
                rule.failed("", "")
            else:  # it is not even reached, nor what comes after it
                card = card[:card.index(rule)]
                card += not_reached(card, ["build", "contract", "memory"], "")
            after = grade.grade(card, times and dict(times), rubric)[0]
            self.assertLessEqual(after, before, rule.name)
            if times:
                slower = {"ratio": times["ratio"] / 1.5, "low": 1.2, "high": 1.5, "rounds": 8,
                          "instructions": {"ratio": 1.3, "cost_ratio": 1.3}}
                self.assertLessEqual(grade.grade(card, slower, rubric)[0], after)
                nothing = dict(speed.NOTHING)
                self.assertLessEqual(grade.grade(card, nothing, rubric)[0], after)


PLAYED = types.SimpleNamespace(mallocs=1)


class Faultless:
    """A library that does as the published header says, as a player plays it: for each level, with and without
    linked_list_final_cleanup. It keeps the nodes of a list until it is deleted, and with cleanup until then."""

    def __init__(self, level, has_cleanup):
        self.level, self.has_cleanup, self.late, self.processor, self.waits = level, has_cleanup, 0, 0.0, 0
        self.submission = types.SimpleNamespace(missing=set(), misspelled={})
        self.ledger, self.but_for, self.subject, self.is_random = faults.Ledger(), set(), None, False
        self.first, self.miscounting = True, None

    is_over = False
    adapted = contract.Player.adapted
    check = contract.Player.check
    settle = contract.Player.settle
    judge = contract.Player.judge
    named = contract.Player.named
    counts_wrong = contract.Player.counts_wrong
    found = contract.Player.found
    shrink = staticmethod(lambda script, fault: (script, fault))
    show = staticmethod(lambda *_: None)

    def run(self, script):
        found = [self.record(one, lists) for lists in [{}] for one in self.adapted(script)]
        return None, [*found, found[-1]], True

    def play(self, script):
        """The first script has a fault: some rule failed, and so each is asked by itself."""
        script = self.adapted(script)
        found = [self.record(one, lists) for lists in [{}] for one in script]
        outcome = types.SimpleNamespace(signal=None, status=0, is_late=False, text=lambda: "")
        fault = self.judge(script, outcome, [*found, found[-1]], True)
        if self.first and fault is None:
            self.first = False
            return contract.Fault(0, script[0], "", ""), found
        return fault, found

    def record(self, one, state):
        """What a call gives: lists of Python, and blocks that are counted."""
        name, slot, data, index = one
        made = types.SimpleNamespace(truth=False, value=0, extra=0, mallocs=0, frees=0, strangers=0, flags=0)
        kind = next(kind for kind in ("iterator", "queue", "") if kind in name) or "list"
        things = state.setdefault(kind, {})
        kept = state.setdefault("kept", [0])
        values = things.get(slot)
        if name in ("list_malloc", "list_free", "queue_malloc", "queue_free"):
            made.truth = bool(data)
        elif name.endswith("_create") and name != "iterator_create":
            things[slot], made.truth, made.mallocs = [], True, 1
        elif name.endswith("_delete"):
            made.truth = things.pop(slot, None) is not None
            kept[0] += len(values or ()) if self.has_cleanup and name != "iterator_delete" else 0
        elif name == "iterator_create":
            there = state.get("list", {}).get(data, ())
            if index < len(there):
                things[slot] = [there, index]
                made.truth, made.value, made.extra = True, there[index], index
        elif name == "iterator_next":
            if values is not None and values[1] + 1 < len(values[0]):
                values[1] += 1
                made.truth, made.value, made.extra = True, values[0][values[1]], values[1]
        elif name in ("list_end", "list_front", "list_insert", "queue_push"):
            at = {"list_front": 0, "list_insert": index}.get(name, len(values or ()))
            made.truth = values is not None and at <= len(values)
            if made.truth:
                values.insert(at, data)
        elif name == "list_remove":
            made.truth = index < len(values or ())
            if made.truth:
                del values[index]
        elif name in ("queue_pop", "queue_next"):
            made.truth, made.value = bool(values), values[0] if values else 0xDEADBEEF
            if name == "queue_pop" and values:
                del values[0]
        elif name == "queue_has_next":
            made.truth = bool(values)
        elif name in ("list_size", "queue_size"):
            made.value = 2 ** 64 - 1 if values is None else len(values)
        elif name == "list_find":
            made.value = values.index(data) if data in (values or ()) else 2 ** 64 - 1
        elif name == "list_head":
            made.truth, made.value = bool(values), values[0] if values else 0
        elif name == "list_walk":
            made.extra = len(values[:index])
            for value in values[:index]:
                made.value = (made.value * 31 + value) % 2 ** 64
        elif name == "cleanup":
            kept[0] = 0
        elif name == "counts":
            made.value = kept[0]
        elif values is not None:  # many at once
            values[:] = list(range(index)) if name.startswith("fill") else []
            made.truth = True
        return made


class Hanging:
    """A box in which calls of these functions, or all after so many of a process, do not end; seconds: of processor
    time for that."""

    def __init__(self, functions=(), after=10 ** 9):
        self.functions, self.after, self.seconds = functions, after, 0
        self.calls, self.programs = Faultless(2, False), 0
        self.make = self.write_source = lambda *_: ""

    def run(self, job):
        outcome = sandbox.Outcome()
        outcome.status, outcome.limit = 0, job.limits.seconds
        if job.keep:
            outcome.results = self.play(os.pread(job.keep[0], 1 << 24, 0), outcome)
        else:  # a program of the card
            outcome.is_late = True
        if outcome.is_late:
            outcome.status, outcome.seconds = None, job.limits.seconds
            self.seconds += outcome.seconds
        return outcome

    def play(self, script, outcome):
        nonce, count = struct.unpack_from("<QQ", script)
        names, state, found = {number: name for name, number in calls.NAMES.items()}, {}, []
        for number, (kind, *one) in enumerate(calls.CALL.iter_unpack(script[16:])):
            if calls.FUNCTIONS.get(names[kind]) in self.functions or number >= self.after:
                outcome.is_late = True
                return b"".join(found)
            made = self.calls.record((names[kind], *one), state)
            found.append(calls.RECORD.pack(nonce, number, made.truth, made.value, made.extra, 1, 0, 0, 0))
        return b"".join(found) + calls.RECORD.pack(nonce, count, *[0] * 7)


class Hangs(unittest.TestCase):
    def seconds(self, is_over, **hanging):
        """Of processor time, with the limits that are the default. is_over: whether that ends the judging, or None."""
        box = Hanging(**hanging)
        made = types.SimpleNamespace(
            box=box, level=2, has_cleanup=False, stage="", missing=set(), misspelled={}, tables={},
            environment=lambda *_: {},
            program=str, compile=lambda *_, **__: None, write_source=lambda *_: "", write_libraries=lambda *_: "",
            built_again=lambda *_: types.SimpleNamespace(problem=None, libraries={}), runs_early=False)
        player = contract.Player(made)
        contract.judge(player, lambda *_: None, random_calls=300)
        with unittest.mock.patch.object(memory, "find_valgrind", lambda: "valgrind"):
            memory.judge(player, lambda *_: None, player.seconds)
        if is_over is not None:
            self.assertEqual(player.is_over, is_over, hanging)
        return box.seconds

    def test_a_hand_in_whose_calls_hang_is_judged_in_two_minutes_of_processor_time(self):
        first = {name for name in calls.FUNCTIONS.values() if name.endswith(("_create", "register_malloc", "register_free"))}
        for functions in [{one} for one in sorted(set(calls.FUNCTIONS.values()))] + [set(faults.LOOKS)]:
            # one function that hangs ends no judging, but for what nothing goes without
            spent = self.seconds(False if len(functions) == 1 and not functions & first else None, functions=functions)
            self.assertTrue(10 <= spent <= 110, f"{functions}: {spent}")  # the build and queue-alone are not in it
        for after in (1, 3, 9, 40, 300):
            self.assertTrue(10 <= self.seconds(None, after=after) <= 110, after)


class Rules(unittest.TestCase):
    def test_no_rule_fails_because_another_one_did(self):
        """For every level: whatever fails, each other rule, asked by itself, finds nothing in a library that
        is right. Whatever a level leaves of a rule asks what the rule is about."""
        for level in (1, 2, 3, 4):
            for has_cleanup in (False, True):
                player = Faultless(level, has_cleanup)
                rules = contract.judge_edges(player, lambda text: None) + contract.judge_remarks(player)
                self.assertFalse(player.first)
                self.assertEqual([(rule.name, rule.found) for rule in rules if rule.status != "passed"], [],
                                 f"level {level}, cleanup {has_cleanup}")
                names = {rule.name for rule in rules}
                self.assertEqual("queue-order" in names, level > 1)
                self.assertEqual("cleanup" in names, level > 1 and has_cleanup)
                self.assertIn("delete-filled", names)

    def test_every_rule_has_its_sentence_in_the_teachers_table(self):
        text = (JUDGE / "teacher.md").read_text()
        rows = re.findall(r"^\| ((?:`[\w-]+`(?:, )?)+) \| (.+?) \| (theirs|ours|both) \|$", text, re.M)
        named = [name for names, _, _ in rows for name in re.findall(r"`([\w-]+)`", names)]
        self.assertEqual(sorted(named), sorted(row[0] for row in RULES))
        owner = {name: who for names, _, who in rows for name in re.findall(r"`([\w-]+)`", names)}
        remarks = {row[0] for row in RULES if row[1] == "remarks"}
        contracts = {row[0] for row in RULES if row[1] == "contract"}
        self.assertEqual({name for name in contracts if owner[name] == "ours"}, set())
        self.assertTrue(remarks)


HEADER, SECTION = struct.Struct("<16xHHIQQQIHHHHHH"), struct.Struct("<IIQQQQIIQQ")  # of a 64-bit ELF file
SYMBOL = struct.Struct("<IBBHQQ")
DYNAMIC_SYMBOLS = 11


class Readers(unittest.TestCase):
    """No bytes hold up the judge: processor time, which a busy machine hardly changes."""
    seconds, mebibyte = 2, 1 << 20

    def takes(self, function, *words):
        before = time.process_time()
        try:
            function(*words)
        except elf.NoLibrary:
            pass
        return time.process_time() - before

    def test_a_mebibyte_of_any_byte_is_read_in_two_seconds(self):
        """Of each kind that a pattern distinguishes: the letters of its words, marks, blanks, figures, and others."""
        slow = {}
        for byte in sorted({*b"abcdeiklmnoqrstuvz_A09\0\x7f\x80\xff", *string.punctuation.encode(),
                            *string.whitespace.encode()}):
            data = bytes([byte]) * self.mebibyte
            for reader, given in ((building.has_main, data), (lambda text: building.why_no_library(text, []), data),
                                      (lambda text: building.has_classes([text]), data),
                                  (levels.declares_cleanup, data.decode("latin-1")),
                                  (elf.Library, elf.MAGIC + data)):
                slow[byte, str(reader)] = self.takes(reader, given)
        self.assertLess(max(slow.values()), self.seconds, max(slow, key=slow.get))

    def test_patterns_that_begin_and_do_not_end_are_read_in_two_seconds(self):
        for part in (b"/*", b"//", b"int ", b"int\n", b"\n\n", b" \n", b"class ", b"void main", b"\t\t\n",
                     b"struct ", b"int main ", b"linked_list_final_cleanup ", b"bool queue_a(",
                     b"\nbool queue_a(b)\n"):
            data = part * (self.mebibyte // len(part))
            for reader, given in ((building.has_main, data), (lambda text: building.why_no_library(text, []), data),
                                      (lambda text: building.has_classes([text]), data),
                                  (levels.declares_cleanup, data.decode())):
                self.assertLess(self.takes(reader, given), self.seconds, part)

    @staticmethod
    def library(source, *flags):
        with tempfile.TemporaryDirectory() as top:
            pathlib.Path(top, "x.c").write_text(source)
            subprocess.run(["cc", "-shared", "-fPIC", *flags, "-o", f"{top}/x.so", f"{top}/x.c"], check=True)
            return pathlib.Path(top, "x.so").read_bytes()

    def test_sections_without_number_and_names_without_end_are_refused_in_two_seconds(self):
        data = bytearray(self.library("int one(void)\n{\n    return 1;\n}\n"))
        header = list(HEADER.unpack_from(data))
        where, size = header[5], SECTION.size
        sections = [data[where + size * i:where + size * (i + 1)] for i in range(header[11])]
        symbols = next(one for one in sections if SECTION.unpack(one)[1] == DYNAMIC_SYMBOLS)
        many = data[:where] + symbols * 65000
        many[60:62] = (65000).to_bytes(2, "little")
        self.assertLess(self.takes(elf.Library, bytes(many)), self.seconds)
        with self.assertRaises(elf.NoLibrary):
            elf.Library(bytes(many))
        endless = bytes(data).replace(b"\0", b"x")
        self.assertLess(self.takes(elf.Library, elf.MAGIC + endless[6:] + b"x" * self.mebibyte), self.seconds)

    def test_sections_hide_nothing_of_what_the_loader_reads(self):
        """A copy of the symbols without one of them, for whoever reads sections, changes no rule. A copy of the
        tags, by which the linker would go, is refused: it may name a library that audits the judge's program."""
        data = bytearray(self.library("int prctl(int option, ...)\n{\n    return option;\n}\n"))
        where, count = (HEADER.unpack_from(data)[place] for place in (5, 11))
        names = SECTION.unpack_from(data, where + HEADER.unpack_from(data)[12] * SECTION.size)[4]
        rows = {bytes(data[names + SECTION.unpack_from(data, at)[0]:]).partition(b"\0")[0]: at
                for at in range(where, where + count * SECTION.size, SECTION.size)}

        def moved(name, change, **more):
            made, section = bytearray(data), list(SECTION.unpack_from(data, rows[name]))
            copied = change(made[section[4]:section[4] + section[5]])
            section[1], section[4] = more.get("kind", section[1]), len(made)
            SECTION.pack_into(made, rows[name], *section)
            return bytes(made + copied)

        def undefined(copied):
            for row in range(0, len(copied), SYMBOL.size):
                copied[row + 6:row + 8] = b"\0\0"  # of no section
            return copied
        self.assertIn("prctl", elf.Library(moved(b".dynsym", undefined)).defined)
        for kind in (6, 1):  # of tags; of bytes, with its name alone
            with self.assertRaises(elf.NoLibrary) as caught:
                elf.Library(moved(b".dynamic", bytes, kind=kind))
            self.assertIn("its sections say something else than the loader reads", str(caught.exception))

    def test_what_runs_code_when_it_is_loaded_is_seen(self):
        """(before the program begins, at least when it is loaded) by what a linker and a compiler make."""
        chosen = "static int one(void)\n{\n    return 1;\n}\nstatic int (*pick(void))(void)\n{\n    return one;\n}\n"
        shown, hidden = (f"{place}int two(void) __attribute__((ifunc(\"pick\")));\n" for place in ("", "static "))
        first = "__attribute__((constructor)) static void first(void)\n{\n}\n"
        bare = "-nostartfiles"
        for source, flags, seen in (
                ("int one;\n", [bare], (False, False)), ("int one;\n", [], (False, True)),
                ("static int one;\nint *it = &one;\n", [bare, "-Wl,-z,pack-relative-relocs"], (False, False)),
                (first, [bare], (False, True)), (first, [bare, "-Wl,-z,initfirst"], (True, True)),
                ("int one;\n", [bare, "-Wl,-z,initfirst"], (True, True)),
                ("void start(void)\n{\n}\n", [bare, "-Wl,-init,start"], (False, True)),
                ("int one;\n", [bare, "-Wl,--audit=libqueue.so"], (True, True)),
                (chosen + shown, [bare], (True, True)),
                (chosen + hidden + "int (*given)(void) = two;\n", [bare], (True, True))):
            made = elf.Library(self.library(source, *flags))
            self.assertEqual((made.runs_early, made.runs_on_load), seen, (source, flags))

    def test_a_reader_that_takes_too_long_is_ended(self):
        self.assertEqual(apart.call(sorted, [3, 1, 2]), [1, 2, 3])
        with self.assertRaises(ValueError):
            apart.call(int, "x")
        with self.assertRaises(apart.TooSlow):
            apart.call(lambda: [None for _ in iter(int, 1)], seconds=1)
        with self.assertRaises(apart.TooSlow):
            apart.call(lambda: len(b"x" * (3 << 30)) and os._exit(0))

    def test_names_that_are_almost_right_take_no_time_of_the_judge(self):
        names = submission.function_names()
        self.assertEqual(submission.near_names({"linked_list_find", "queue_pop"}, ["linkd_list_find", "x" * 16, "pop"]),
                         {"linked_list_find": "linkd_list_find"})
        draw = random.Random(5)
        others = ["".join(draw.sample(name, len(name))) for name in names for _ in range(4000)]
        seconds = [self.takes(lambda: self.ended(apart.call, submission.near_names, set(names), others, seconds=1))]
        self.assertLess(seconds[0], 1)

    @staticmethod
    def ended(function, *words, **more):
        try:
            function(*words, **more)
        except apart.TooSlow:
            pass


class Memory(unittest.TestCase):
    """What is made of Valgrind's log, and of counts, without a submission."""

    def judged(self, log):
        player = types.SimpleNamespace(level=2, has_cleanup=True, adapted=list, ledger=faults.Ledger(), is_over=False,
                                       late=0, submission=types.SimpleNamespace(compile=lambda *_: None,
                                                                                runs_early=False))
        with unittest.mock.patch.multiple(
                memory, count_pushes=lambda _: (1, 16), find_valgrind=lambda: "valgrind",
                valgrind_run=lambda _, __, script, *___: (None, [PLAYED] * (len(script) + 1), log)):
            return memory.judge(player, lambda *_: None, 1)

    def test_blocks_lost_directly_and_through_others_are_counted(self):
        (misuse, leaks), figures = self.judged(
            "==7== 1,024 bytes in 2 blocks are definitely lost in loss record 3 of 4\n"
            "==7==    at 0x1: counted_malloc (player.c:33)\n==7==    by 0x2: keep_one (their.c:12)\n==7==\n"
            "==7==    definitely lost: 1,024 bytes in 2 blocks\n"
            "==7==    indirectly lost: 48 bytes in 3 blocks\n==7== ERROR SUMMARY: 0 errors from 0\n")
        self.assertEqual((misuse.status, leaks.status, leaks.found),
                         ("passed", "failed", "1,072 bytes lost: 1,024 bytes in 2 blocks are definitely lost; "
                          "keep_one (their.c:12)"))
        self.assertEqual((figures["leaked_bytes"], figures["errors"]), (1072, 0))

    def test_the_first_error_is_named(self):
        (misuse, leaks), _ = self.judged(
            "==7== Invalid read of size 8\n==7==    at 0x1: queue_pop (queue.c:9)\n"
            "==7==    by 0x2: main (player.c:3)\n==7== ERROR SUMMARY: 1,002 errors from 2 contexts\n")
        self.assertEqual((misuse.status, leaks.status), ("failed", "passed"))
        self.assertIn("1,002 errors, the first: Invalid read of size 8; queue_pop (queue.c:9)", misuse.found)
        self.assertNotIn("player.c", misuse.found)

    def test_what_a_push_costs_is_what_came_while_pushing(self):
        def played(script):
            found = [types.SimpleNamespace(truth=True, mallocs=0, extra=0) for _ in range(len(script) + 1)]
            found[5].extra, found[6].mallocs = 500, 2 * memory.PUSHES
            found[7].extra = 500 + 24 * memory.PUSHES
            return None, found, True
        self.assertEqual(memory.count_pushes(types.SimpleNamespace(
            run=played, level=2, adapted=list, ledger=faults.Ledger())), (2, 24))


class Recipes(unittest.TestCase):
    def test_what_a_build_compiled_is_read_from_its_commands(self):
        names = building.LIBRARIES
        text = ("make[1]: Entering directory\nmkdir -p out\n"
                "gcc-12 -O3 -Wall -fPIC -c -D NODES=8 -I inc src/ring.c -o out/ring.o\n"
                "cc -fPIC -c more.c\n"
                "/usr/bin/cc -shared -o out/liblinked_list.so out/ring.o more.o -lm\n"
                "c++ -std=c++17 -fPIC -shared 'the queue.cpp' -Lout -llinked_list -o libqueue.so\n")
        self.assertEqual(recipes.read(text, names), {
            names[0]: (["src/ring.c", "more.c"], ["-DNODES=8", "-Iinc"]), names[1]: (["the queue.cpp"], ["-std=c++17"])})
        for line in ("ld -shared more.o -o libqueue.so", "cc -shared other.o -o libqueue.so", "cc 'x -o libqueue.so",
                     "echo cc x.c -o libqueue.so", "cc -shared -o", "cc -shared -o libqueue.so"):
            self.assertEqual(recipes.read("cc -c more.c\n" + line, names), {}, line)


class Intake(unittest.TestCase):
    def test_a_hand_in_may_be_as_large_as_the_limit(self):
        with tempfile.TemporaryDirectory() as top:
            place = pathlib.Path(top, "from")
            place.mkdir()
            for name in ("a.c", "b.c"):
                (place / name).write_text("12345")
            for limit, fits in ((10, True), (9, False)):
                target = pathlib.Path(top, str(limit))
                target.mkdir()
                with unittest.mock.patch.object(intake, "BYTES", limit), intake.Tree(place) as tree:
                    if fits:
                        tree.copy(target)
                        self.assertEqual((target / "b.c").read_text(), "12345")
                    else:
                        self.assertRaises(intake.TooMuch, tree.copy, target)


class Answers:
    """A searcher of our own: answers as told, in the form of searcher.c."""

    def __init__(self, *answers):
        self.answers = answers

    def environment(self, _):
        return {}

    def program(self, name):
        return name

    stage, box = "", property(lambda self: self)
    reads_memory = True
    fresh_libraries = staticmethod(lambda: "/nonexistent")

    def run(self, job):
        asked = os.fdopen(os.dup(job.stdin.fileno()), "rb")
        end, told = os.pipe()

        def answer():
            with asked, os.fdopen(told, "wb", 0) as out:
                for wrong, counts in self.answers:
                    nonce, *_ = speed.REQUEST.unpack(asked.read(speed.REQUEST.size))
                    out.write(speed.ANSWER.pack(nonce ^ wrong, *counts, 0, 7, 70))
        thread = threading.Thread(target=answer)
        thread.start()
        try:
            job.watch(None, end, time.monotonic() + 600)
        finally:
            job.stdin.close()
            os.close(end)
            thread.join()


class Speed(unittest.TestCase):
    def run_side(self, wrong, counts):
        with tempfile.NamedTemporaryFile() as file:
            row = {"source": 1, "target": 2, "found": 1, "visited": 9, "pushed": 12}
            graph = types.SimpleNamespace(path=file.name, size=0, words=[], searches=[row])
            side = speed.Side("x", Answers((wrong, counts)))
            side.orders = [77]
            with unittest.mock.patch.object(speed, "check_code"):
                return side.run(graph, 60)

    def test_an_answer_has_its_number_its_counts_and_its_order(self):
        [(_, order, mallocs, pops, whole)] = self.run_side(0, (1, 9, 12, 77, 5))
        self.assertEqual((pops, whole), (7, 70))
        self.assertEqual((order, mallocs), (77, 5))
        for wrong, counts, words in ((1, (1, 9, 12, 77, 5), "an answer to search 1"),
                                     (0, (0, 9, 12, 77, 5), "search 1: found 1"),
                                     (0, (1, 8, 12, 77, 5), "search 1: visited 9"),
                                     (0, (1, 9, 13, 77, 5), "search 1: pushed 12"),
                                     (0, (1, 9, 12, 78, 5), "in the order they were pushed")):
            with self.assertRaises(speed.Wrong) as caught:
                self.run_side(wrong, counts)
            self.assertIn(words, caught.exception.args[0])

    def test_who_prints_waits_for_nobody(self):
        """More than a pipe holds, before the answer comes."""
        (prints, printed), (told, answer) = os.pipe(), os.pipe()

        def work():
            with os.fdopen(printed, "wb") as out:
                out.write(b"x" * (1 << 20))
            os.write(answer, b"12345678")
        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        self.assertEqual(speed.receive(told, 8, time.monotonic() + 60, prints), b"12345678")
        thread.join()
        for end in (prints, told, answer):
            os.close(end)

    def test_each_round_asks_for_other_pairs(self):
        asked = []
        graph = types.SimpleNamespace(groups=[], pushes=[], timed=[[0]], searches=[{"pushed": 9}],
                                      ask_for=asked.append)
        sides = [speed.Side(str(i), Answers()) for i in range(2)]
        for side in sides:
            side.run = lambda *_: [(random.random(), 1, 2, 3, 9)]
        speed.run_rounds(sides, graph, 0.05, 1, lambda *_: None, speed.PAIRS)
        self.assertEqual(len(sides[0].rounds), len(asked) + 1)
        self.assertGreater(len(asked), 3)
        self.assertEqual(len(set(asked)), len(asked))

    def test_a_side_that_answers_in_another_order_ends_the_rounds(self):
        graph = types.SimpleNamespace(groups=[], pushes=[], timed=[[0, 1]], searches=[{"pushed": 9}] * 2)
        for orders, is_right in (([5, 6], True), ([5, 7], False), ([4, 6], False)):
            sides = [speed.Side(str(i), Answers()) for i in range(3)]
            for side, own in zip(sides, (orders, [5, 6], [5, 6])):
                side.run = lambda *_, own=own: [(1.0, order, 2, 3, 9) for order in own]
            if is_right:
                speed.run_rounds(sides, graph, 0.01, 1, lambda *_: None)
                self.assertGreater(len(sides[0].rounds), 1)
                continue
            with self.assertRaises(speed.Wrong) as caught:
                speed.run_rounds(sides, graph, 0.01, 1, lambda *_: None)
            number = 1 + (orders[0] == 5)
            self.assertEqual(caught.exception.args[0],
                             f"search {number}: nodes in the order they were pushed")

    def test_changed_code_is_seen(self):
        """A process that writes over its own code; and one that does not."""
        with tempfile.TemporaryDirectory() as top:
            source = pathlib.Path(top, "x.c")
            source.write_text("""#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <stdint.h>

__attribute__((noinline, used)) static void target(void)
{
    __asm__ volatile("nop\\n nop\\n nop\\n nop");
}

int main(int argc, char **argv)
{
    (void)argv;
    uintptr_t page = (uintptr_t)target & ~(uintptr_t)4095;
    if (argc > 1 && mprotect((void *)page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC) == 0) {
        ((volatile char *)(uintptr_t)target)[1] ^= 1;
        mprotect((void *)page, 8192, PROT_READ | PROT_EXEC);
    }
    puts("ready");
    fflush(stdout);
    return getchar() == 'x';
}
""")
            program = str(pathlib.Path(top, "x"))
            subprocess.run(["cc", "-o", program, source], check=True)
            for words in ([], ["change"]):
                with subprocess.Popen([program, *words], stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE) as process:
                    process.stdout.readline()
                    if words:
                        with self.assertRaises(speed.Wrong) as caught:
                            speed.check_code(program)
                        self.assertIn("its code was changed", caught.exception.args[1])
                    else:
                        speed.check_code(program)
                    process.stdin.close()

    def test_the_ratio_of_a_round_is_the_geometric_mean_over_its_searches(self):
        graph = types.SimpleNamespace(groups=[[[0], [1, 2]], [[0], [1, 2]]])
        mine = types.SimpleNamespace(rounds=[[1, 1, 1], [2, 1, 1]])
        plain = types.SimpleNamespace(rounds=[[1, 6, 2], [2, 1, 1]])
        self.assertEqual(speed.round_ratios(mine, plain, graph), [2, 1])


class ConstantTime(unittest.TestCase):
    """What is made of processor time and waits, without a submission."""

    def judged(self, *, short=0.001, long=0.001, waits=3):
        def settle(script):
            is_long = any(one[3] == contract.LONG for one in script)
            player.processor, player.waits = long if is_long else short, waits
            return None, []
        player = types.SimpleNamespace(level=2, is_over=False, settle=settle, ledger=faults.Ledger({}))
        rule = contract.check_constant_time(player)
        return rule.status, rule.found

    def test_processor_time_must_not_grow_with_the_length(self):
        self.assertEqual(self.judged()[0], "passed")
        self.assertEqual(self.judged(short=0.05, long=0.12)[0], "passed")
        status, found = self.judged(long=0.2)
        self.assertEqual(status, "remark")
        self.assertIn("take 0.20 s longer with 20,000 elements than with 500", found)

    def test_calls_that_wait_are_not_constant_however_little_they_compute(self):
        self.assertEqual(self.judged(waits=contract.LONG // 2 - 1)[0], "passed")
        status, found = self.judged(waits=contract.LONG)
        self.assertEqual((status, "wait 20,000 times" in found), ("remark", True))


class Batch(unittest.TestCase):
    def test_the_same_score_is_the_same_rank(self):
        with tempfile.TemporaryDirectory() as top:
            made = types.SimpleNamespace(output=pathlib.Path(top), problems={"z": "no card"})
            batch.ranking(made, [(name, {"score": score, "rules": [], "speed": None})
                                 for name, score in (("a", 90), ("b", 90), ("c", 50))])
            rows = (made.output / "ranking.csv").read_text().splitlines()[1:]
        self.assertEqual([row.split(",")[:3] for row in rows],
                         [["1", "a", "90"], ["1", "b", "90"], ["3", "c", "50"], ["", "z", ""]])

    def test_searches_whose_intervals_meet_share_a_place(self):
        def card(score, low, high, contract_points=50):
            return {"score": score, "build": {"level": 3}, "rules": [], "points": [
                {"group": "contract", "points": contract_points}, {"group": "speed", "points": score / 10}],
                "speed": {"ratio": 2, "low": 1, "high": 3, "instructions": {"cost_ratio": 2.0},
                          "own_search": {"ratio": (low + high) / 2, "low": low, "high": high}}}
        with tempfile.TemporaryDirectory() as top:
            made = types.SimpleNamespace(output=pathlib.Path(top), problems={})
            batch.ranking(made, [("a", card(90, 2.0, 2.4)), ("b", card(89, 1.9, 2.1)), ("c", card(88, 1.5, 1.95)),
                                 ("d", card(87, 1.4, 1.6, 49))])
            rows = (made.output / "ranking.csv").read_text().splitlines()[1:]
        self.assertEqual([row.split(",")[:2] for row in rows], [["1", "a"], ["1", "b"], ["3", "c"], ["4", "d"]])

    def test_only_lines_of_the_libraries_are_hot(self):
        text = """ob=/x/liblinked_list.so
fl=/home/list.c
fn=push
10 100
calls=3 0
11 5000
11 7
fi=/home/inline.h
3 50
ob=/lib/libc.so.6
fl=malloc.c
fn=malloc
1 9999
"""
        found = hot.hottest(text, 10, lambda file, line: f"<{file} {line}>")
        self.assertEqual([(row["file"], row["line"], row["per_push"]) for row in found["lines"]],
                         [("list.c", 10, 10.0), ("inline.h", 3, 5.0), ("list.c", 11, 0.7)])
        self.assertEqual([hot.cost_of(text, *of) for of in (("libc.so.6", "malloc"), ("liblinked_list.so", "malloc"))],
                         [9999, 0])
        self.assertEqual(found["functions"], [{"name": "push", "per_push": 15.7}])
        self.assertEqual(found["lines"][0]["text"], "<list.c 10>")

    def test_no_cell_is_a_formula_and_no_name_is_a_path(self):
        self.assertEqual([printable.cell(one) for one in ("=1+1", "a\nb", "\u202ex", "-x", "x")],
                         ["'=1+1", "a\\x0ab", "\\u{202e}x", "'-x", "x"])
        long = printable.file_name("x" * 300)
        names = ["../x", "a/b", ".x", "\udcff", "x" * 300, "y" * 300, "%41", "A", long, "ranking", "Ranking",
                 "long-x"]
        self.assertFalse({"ranking", "Ranking"} & {printable.file_name(name) for name in names})
        made = [printable.file_name(name) for name in names]
        self.assertEqual(len(set(made)), len(names))
        for name in made:
            self.assertRegex(name, r"^[A-Za-z0-9%_ -][A-Za-z0-9%._ -]*$")

    def test_a_batch_is_ranked_and_goes_on_where_it_stopped(self):
        with tempfile.TemporaryDirectory() as top:
            hand_ins, cards = pathlib.Path(top, "hand-ins"), pathlib.Path(top, "cards")
            for name in ("good_plain", "off_by_one", "does_not_compile"):
                assemble(name, hand_ins / name)
            words = ["--batch", str(hand_ins), "--output", str(cards), "--no-speed", "--no-memory",
                     "--calls", "500"]
            done = run(*words)
            self.assertEqual((done.returncode, "3 cards" in done.stdout), (0, True), done.stderr)
            self.assertRegex(done.stdout, r"rank +submission +score +level +mend first\n *1 +good_plain +100 +2\n *2 +"
                                          r"off_by_one +75 +2 +linked_list_insert is wrong with legal arguments\n *3 ")
            rows = (cards / "ranking.csv").read_text().splitlines()
            self.assertEqual([row.split(",")[:2] for row in rows[1:]],
                             [["1", "good_plain"], ["2", "off_by_one"], ["3", "does_not_compile"]])
            self.assertTrue((cards / "off_by_one.html").exists())
            (cards / "off_by_one.json").unlink()  # as if it had been interrupted
            before = (cards / "good_plain.json").stat().st_mtime_ns
            self.assertIn("2 judged earlier", run(*words).stderr)
            self.assertEqual((cards / "good_plain.json").stat().st_mtime_ns, before)
            self.assertTrue((cards / "off_by_one.json").exists())


    @staticmethod
    def zipped(path, **files):
        """A zip file of texts; what begins with -> is a link."""
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in files.items():
                entry = zipfile.ZipInfo(name)
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = (0o120777 if text.startswith("->") else 0o100644) << 16
                archive.writestr(entry, text.removeprefix("->"))

    def test_no_hand_in_of_a_batch_is_lost(self):
        """Every entry of the folder is in the ranking, with a score or with the reason why it has no score."""
        plain = (CHALLENGE / "plain_list.c").read_text()
        with tempfile.TemporaryDirectory() as top:
            hand_ins = pathlib.Path(top, "term")
            (hand_ins / "ann").mkdir(parents=True)
            (hand_ins / "ann" / "linked_list.c").write_text(plain)
            (hand_ins / "bob").mkdir()
            self.zipped(hand_ins / "bob" / "upload.zip", **{"mine/linked_list.c": plain})
            self.zipped(hand_ins / "cyd.zip", **{"linked_list.c": plain, "__MACOSX/._linked_list.c": "\0"})
            with tarfile.open(hand_ins / "dan.tgz", "w:gz") as archive:
                archive.add(hand_ins / "ann" / "linked_list.c", "level1/linked_list.c")
            (hand_ins / "eve.zip").write_bytes(b"no zip at all")
            (hand_ins / "fay.txt").write_text("I have mailed it.")
            (hand_ins / "gus").symlink_to(hand_ins / "ann")
            cards = hand_ins / "cards"
            words = ["--batch", hand_ins, "--output", cards, "--no-speed", "--no-memory", "--calls", "500", *PLAIN]
            for _ in range(2):  # the second time there are cards
                done = run(*map(str, words))
                self.assertEqual(done.returncode, 1)
                rows = [row.split(",") for row in (cards / "ranking.csv").read_text().splitlines()[1:]]
                self.assertEqual({row[1]: row[2] for row in rows}, {
                    "ann": "100", "bob": "100", "cyd.zip": "100", "dan.tgz": "100", "eve.zip": "", "fay.txt": "",
                    "gus": ""})
            for row in rows[4:]:
                self.assertTrue(row[-1], row)
            whole = pathlib.Path(top, "whole.zip")
            self.zipped(whole, **{"term/hal/linked_list.c": plain, "term/ida/linked_list.c": plain})
            done = run("--batch", str(whole), "--output", f"{top}/others", *map(str, words[4:]))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(len((pathlib.Path(top, "others", "ranking.csv")).read_text().splitlines()), 3)

    def test_odd_shapes_of_a_right_list_are_judged(self):
        plain = (CHALLENGE / "plain_list.c").read_text()
        main = "int main(void)\n{\n    return 0;\n}\n"
        shapes = {"live": {"linked_list.c": plain + main}, "comment": {"linked_list.c": f"/*\n{main}*/\n{plain}"},
                  "guarded": {"linked_list.c": f"{plain}#ifdef TRY\n{main}#endif\n"},
                  "mac": {"linked_list.c": plain, "._linked_list.c": "\0\5\26\7"},
                  "tests": {"linked_list.c": plain, "test_list.c": '#include "unity.h"\nvoid setUp(void)\n{\n}\n'},
                  "harness": {"linked_list.c": plain, "try.c": "#include <linked_list.h>\n" + main}}
        with tempfile.TemporaryDirectory() as top:
            for name, files in shapes.items():
                pathlib.Path(top, name).mkdir()
                for file, text in files.items():
                    pathlib.Path(top, name, file).write_text(text)
                card = card_of(pathlib.Path(top, name), "--no-speed", "--no-memory", *PLAIN)
                self.assertEqual((card["score"], len(card["notes"])), (100, name in ("tests", "harness")), name)

    def test_cpp_without_extern_c_is_one_sentence(self):
        plain = (CHALLENGE / "plain_list.c").read_text().replace("<linked_list.h>", '"linked_list.h"')
        header = (CHALLENGE / "challenge_list.h").read_text().replace('extern "C"', 'extern "C++"')
        with tempfile.TemporaryDirectory() as top:
            pathlib.Path(top, "linked_list.h").write_text(header)
            pathlib.Path(top, "linked_list.cpp").write_text(re.sub(
                r"struct (\w+) \*(\w+) = get\(", r"struct \1 *\2 = (struct \1 *)get(", plain))
            card = card_of(top, "--no-speed", "--no-memory", *PLAIN)
        self.assertEqual(list(failed(card)), ["builds"])
        self.assertIn('_Z18linked_list_createv is in the library: in C++ the functions need extern "C"',
                      failed(card)["builds"]["found"])

    def test_an_archive_writes_nothing_outside_and_is_no_bomb(self):
        with tempfile.TemporaryDirectory() as top:
            path, folder = pathlib.Path(top, "it.zip"), pathlib.Path(top, "in")
            folder.mkdir()
            self.zipped(path, **{"../up.c": "x", "/tmp/root.c": "x", "a/../../b.c": "x", "link.c": "->/etc/passwd",
                                 "deep/" * 40 + "c.c": "x", "fine/d.c": "kept"})
            self.assertEqual(archives.unpack(path, folder), 5)
            self.assertEqual([one.name for one in pathlib.Path(top).rglob("*.c")], ["d.c"])
            with tarfile.open(pathlib.Path(top, "it.tar"), "w") as archive:
                for kind, target in ((tarfile.SYMTYPE, "/etc"), (tarfile.LNKTYPE, "/etc/passwd"), (tarfile.FIFOTYPE, "")):
                    entry = tarfile.TarInfo(f"kind{kind!r}")
                    entry.type, entry.linkname = kind, target
                    archive.addfile(entry)
            self.assertEqual(archives.unpack(pathlib.Path(top, "it.tar"), folder), 3)
            self.assertEqual(sorted(one.name for one in folder.iterdir()), ["fine"])
            with unittest.mock.patch.object(intake, "BYTES", 1 << 21):
                self.zipped(path, **{"zeros.c": "0" * (3 << 20)})
                with self.assertRaises(intake.TooMuch):
                    archives.unpack(path, folder)
            path.write_bytes(b"PK\3\4 and then nothing")
            with self.assertRaises(archives.NoArchive):
                archives.unpack(path, folder)

    def test_a_hand_in_that_holds_up_its_judge_gets_a_card(self):
        with tempfile.TemporaryDirectory() as top:
            hand_in = assemble("real_level2", pathlib.Path(top, "hand-ins", "waits"))
            makefile = hand_in / "Makefile"
            makefile.write_text(makefile.read_text().replace("liblinked_list.so: linked_list.o\n",
                                                             "liblinked_list.so: linked_list.o\n\tsleep 280\n"))
            cards = pathlib.Path(top, "cards")
            done = run("--batch", str(hand_in.parent), "--output", str(cards), "--no-speed", "--no-memory",
                       "--patience", "2", "--quiet")
            self.assertEqual(done.returncode, 0, done.stderr)
            card = json.loads((cards / "waits.json").read_text())
            rows = (cards / "ranking.csv").read_text().splitlines()
        self.assertEqual(card["score"], 0)
        self.assertIn("judging it took longer than 2 s", failed(card)["builds"]["found"])
        self.assertEqual(list(violations(card, json.loads((JUDGE / "card.schema.json").read_text()), "card")), [])
        self.assertEqual(rows[1].split(",")[:3], ["1", "waits", "0"])

    def test_a_ratio_that_was_not_measured_is_empty(self):
        self.assertEqual(batch.ratios({"speed": {"ratio": None, "instructions": None}}), [""] * 4)
        self.assertEqual(batch.ratios({"speed": {"ratio": 2, "low": 1.5, "high": 2.5, "instructions": {"cost_ratio": 3}}}),
                         ["3.000", "2.000", "1.500", "2.500"])

    def test_rare_mallocs_are_counted_in_pushes(self):
        self.assertEqual([card_text.per_push(value) for value in (0, 4e-5, 0.01, 0.5, 1, 2.25)],
                         ["none", "1 per 25,000 pushes", "1 per 100 pushes", "0.5 per push", "1 per push",
                          "2.25 per push"])


# Before a program of this test: each run of the compiler and of Callgrind in a box is a line of MADE.
COUNTED = """import os, sys
sys.dont_write_bytecode = True
sys.path[:0] = os.environ["JUDGE_FOLDER"] + "/judgelib", os.environ["JUDGE_FOLDER"] + "/../perf/studylib"
import building, sandbox
run = sandbox.Sandbox.run

def counted(self, job):
    words = job.words
    kinds = {"-c": "object", "-shared": "library", "--tool=callgrind": "count"}
    kind = next((kinds[word] for word in words if word in kinds), "program")
    if words[0] == building.COMPILER and "-E" not in words or kind == "count":
        source = next((os.path.basename(word) for word in words if word.endswith(".c")), "")
        with open(os.environ["MADE"], "a") as file:
            file.write(f"{kind} {source}\\n")
    return run(self, job)

sandbox.Sandbox.run = counted
"""
HELD = PLAIN if os.geteuid() == 0 else []  # a box that holds a hand-in; of both, the faster one


class Cache(unittest.TestCase):
    """What does not depend on a hand-in is made once, and again when what it comes from has changed."""
    reference = COUNTED + """import tempfile
import cache, speed
cache.use(sys.argv[1])
with sandbox.Sandbox(*sys.argv[2:3]) as box, tempfile.TemporaryDirectory() as folder:
    side = speed.plain_side(box, *sys.argv[2:3])
    if sys.argv[3:]:
        print(speed.reference_count(side, speed.Graph(sys.argv[3], "generate:nodes=20", "random:3", folder), 120))
"""

    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.top = pathlib.Path(self.scratch.name)
        self.top.chmod(0o755)
        for name in ("judge", "perf/challenge", "perf/studylib"):
            shutil.copytree(SOURCE / name, self.top / name)
        self.made = self.top / "made"
        self.folder = self.top / "cache"
        self.folder.mkdir(mode=0o700)
        self.environment = {**os.environ, "MADE": str(self.made), "JUDGE_FOLDER": str(self.top / "judge")}

    def taken(self):
        """What was made since the last call, a line each."""
        rows = self.made.read_text().splitlines() if self.made.exists() else []
        self.made.unlink(missing_ok=True)
        return rows

    def judged(self, **more):
        """(kinds of what a judge of its own makes of the plain list, what it counts)."""
        counts = [f"{BUILD}/bin/bfs"] if BUILD and shutil.which("valgrind") else []
        done = subprocess.run([sys.executable, "-c", self.reference, self.folder, (HELD or ["", "auto"])[1], *counts],
                              capture_output=True, text=True, check=False, env={**self.environment, **more})
        if "too weak" in done.stderr:
            self.skipTest("no box of this user holds a hand-in here")
        self.assertEqual(done.returncode, 0, done.stderr)
        return [row.split()[0] for row in self.taken()], done.stdout

    @staticmethod
    def change(path):
        path.write_text(path.read_text() + "\n/* another text */\n")

    def test_references_are_made_again_when_they_have_changed_and_not_before(self):
        whole, count = self.judged()
        of_count = ["object", "program", "count", "count"] if count else []  # with questions, and without
        self.assertEqual(whole, ["library", "library", "object", "program", *of_count])
        self.assertEqual(self.judged(), ([], count))
        self.change(self.top / "judge" / "searcher.c")
        self.assertEqual(self.judged(), (["object", "program", *of_count], count))
        self.change(self.top / "perf/challenge/plain_list.c")
        self.assertEqual(self.judged(), ([kind for kind in whole if kind != "object"], count))
        self.change(self.top / "perf/challenge/challenge_list.h")
        self.assertEqual(self.judged(), (whole, count))
        self.assertEqual(self.judged(), ([], count))

    @unittest.skipUnless(os.geteuid() == 0, "bubblewrap shows no compiler of this test")
    def test_another_compiler_makes_all_again(self):
        compiler = self.top / "cc"
        compiler.write_text("#!/bin/sh\nexec cc \"$@\"\n")
        compiler.chmod(0o755)
        whole, count = self.judged(CC=str(compiler))
        self.assertEqual(whole[:3], ["library", "library", "object"])
        self.assertEqual(self.judged(CC=str(compiler)), ([], count))
        compiler.write_text("#!/bin/sh\n# of a later version\nexec cc \"$@\"\n")
        self.assertEqual(self.judged(CC=str(compiler)), (whole, count))

    def test_a_damaged_file_is_made_again(self):
        whole, count = self.judged()
        files = sorted(path for path in self.folder.iterdir())
        self.assertEqual(len(files), len(whole) - 1 - bool(count))  # both libraries are in one, and both counts
        for path, other in zip(files, [*files[1:], files[0]]):
            data = path.read_bytes()
            for wrong in (data[:-1], data[:70] + bytes([data[70 % len(data)] ^ 1]) + data[71:], b"", other.read_bytes()):
                path.write_bytes(wrong)
                self.assertIsNone(cache.read(path, path.name))
        self.assertEqual(self.judged(), (whole, count))
        self.assertEqual(self.judged(), ([], count))
        self.assertLessEqual(set(files), set(self.folder.iterdir()))
        self.assertFalse(list(self.folder.glob(".*")))  # no part is left

    def test_what_a_hand_in_may_write_to_is_neither_read_nor_written(self):
        parts = ["x", b"y"]
        with unittest.mock.patch.multiple(cache, FOLDERS=[str(self.folder)], KEPT={}):
            cache.write(str(self.folder / cache.digest(parts)), cache.digest(parts), b"planted")
            for holds, wanted in ((False, b"own"), (True, b"planted")):
                cache.KEPT.clear()
                box = types.SimpleNamespace(holds_files=holds)
                self.assertEqual(cache.once(box, parts, lambda: b"own"), wanted)
                cache.once(box, ["z", str(holds)], lambda: b"own")
            self.assertEqual(sorted(path.name for path in self.folder.iterdir()),
                             sorted(cache.digest(one) for one in (parts, ["z", "True"])))
        for mode in (0o701, 0o710, 0o770):
            self.folder.chmod(mode)
            self.assertRaises(PermissionError, cache.use, self.folder)

    def test_other_parts_are_another_thing_and_what_failed_is_not_kept(self):
        self.assertEqual(len({cache.digest(parts) for parts in (["ab"], ["a", "b"], ["", "ab"], [b"a", b"b", b""])}), 4)
        with unittest.mock.patch.multiple(cache, KEPT={}):
            self.assertIsNone(cache.once(None, ["x"], lambda: None))
            self.assertEqual(cache.once(None, ["x"], lambda: b"y"), b"y")
            self.assertEqual(cache.once(None, ["x"], lambda: b"z"), b"y")

    def test_a_batch_compiles_a_program_of_the_judge_once(self):
        hand_ins = self.top / "in"
        for name in ("a", "b", "c"):
            assemble("good_plain", hand_ins / name)
        (self.top / "counting").mkdir()
        (self.top / "counting" / "judge").write_text(
            COUNTED + f"sys.argv[0] = {str(JUDGE / 'judge')!r}\nimport command\nsys.exit(command.main())\n")
        code = f"""import pathlib, sys
sys.dont_write_bytecode = True
sys.path[:0] = {sys.path[:2]!r}
import batch, command
batch.HERE = pathlib.Path(sys.argv[1])
sys.exit(command.main(sys.argv[2:]))
"""
        done = subprocess.run([sys.executable, "-c", code, self.top / "counting", "--batch", hand_ins, "--output",
                               self.top / "cards", "--jobs", "1", "--no-speed", "--no-memory", "--calls", "200",
                               "--quiet", *HELD], capture_output=True, text=True, check=False, env=self.environment)
        if "too weak" in done.stderr:
            self.skipTest("no box of this user holds a hand-in here")
        self.assertEqual((done.returncode, len(list((self.top / "cards").glob("*.html")))), (0, 3), done.stderr)
        rows = self.taken()
        self.assertEqual([rows.count(f"object {name}.c") for name in ("player", "queue_alone")], [1, 1])
        self.assertEqual(rows.count("program "), 6)  # and links it with each


class Headers(unittest.TestCase):
    """A header that is right is compiled once; one that is not, until it is known why."""
    code = COUNTED + """import json
import submission
isolation, folder = sys.argv[1:3]

def new(name):
    return submission.Submission([folder], box, lambda *_: None, name + "-", 2, isolation)

with sandbox.Sandbox(isolation) as box:
    made, found = new("first").made(), {}
    headers = dict(made.headers)
    for name, (header, old, text) in json.loads(sys.argv[3]).items():
        assert old in headers[header].decode(), name
        made.headers = {**headers, header: headers[header].replace(old.encode(), text.encode())}
        one = new(name)
        one.take(made)
        os.truncate(os.environ["MADE"], 0)
        rule = one.check_headers()
        with open(os.environ["MADE"]) as file:
            found[name] = rule.status, rule.found, one.layout, len(file.readlines())
print(json.dumps(found))
"""
    cases = {
        "right": ("queue.h", "", "", None),
        "twice": ("queue.h", "#ifndef", "#define IT_IS_NOT\n#ifndef IT_IS_NOT\n#endif\n#if 1 //",
                  "queue.h cannot be included twice"),
        "macro": ("queue.h", "#include", "#define linked_list_size linked_list_size\n#include",
                  "a macro named linked_list_size"),
        "type": ("linked_list.h", "unsigned int data;", "int data;", "error"),
        "undeclared": ("queue.h", "bool queue_push(", "bool queue_posh(", "queue_push"),
        "moved": ("linked_list.h", "struct node {", "struct node {\n    long first;", None)}

    def test_one_compilation_of_a_header_shows_that_it_is_right(self):
        with tempfile.TemporaryDirectory() as top:
            os.chmod(top, 0o755)
            folder, made = assemble("good_plain", pathlib.Path(top, "it")), pathlib.Path(top, "made")
            building.write_challenge_headers(folder)
            (folder / "harness.c").unlink(missing_ok=True)
            asked = json.dumps({name: case[:3] for name, case in self.cases.items()})
            done = subprocess.run(
                [sys.executable, "-c", self.code, (HELD or ["", "auto"])[1], folder, asked], capture_output=True,
                text=True, check=False, env={**os.environ, "MADE": str(made), "JUDGE_FOLDER": str(JUDGE)})
        if "too weak" in done.stderr:
            self.skipTest("no box of this user holds a hand-in here")
        self.assertEqual(done.returncode, 0, done.stderr)
        found = json.loads(done.stdout)
        for name, (_, _, _, words) in self.cases.items():
            status, told, layout, _ = found[name]
            self.assertEqual(status, "passed" if words is None else "failed", (name, told))
            self.assertIn(words or "", told or "", name)
            self.assertEqual(f"-DLAYOUT_NODE_NEXT={8 if name == 'moved' else 0}u" in layout, True, (name, layout))
        self.assertEqual([found[name][3] for name in ("right", "moved")], [2, 2])


class Again(unittest.TestCase):
    def test_a_batch_judges_again_what_has_changed(self):
        with tempfile.TemporaryDirectory() as top:
            hand_ins, cards = pathlib.Path(top, "hand-ins"), pathlib.Path(top, "cards")
            words = ["--batch", str(hand_ins), "--output", str(cards), "--no-speed", "--no-memory", "--quiet",
                     "--calls", "500", *PLAIN]
            assemble("off_by_one", hand_ins / "one")
            self.assertEqual(run(*words).returncode, 0)
            first = json.loads((cards / "one.json").read_text())
            shutil.copy(CHALLENGE / "plain_list.c", hand_ins / "one" / "linked_list.c")
            assemble("loses_one", pathlib.Path(top, "other"))
            shutil.copy(pathlib.Path(top, "other", "queue.c"), hand_ins / "one" / "queue.c")
            os.utime(hand_ins / "one" / "queue.c", (5e9, 5e9))
            self.assertEqual(run(*words).returncode, 0)
            second = json.loads((cards / "one.json").read_text())
        self.assertEqual((list(failed(first)), list(failed(second))),
                         (["insert-index"], ["long-queue"]))


class Faults(unittest.TestCase):
    """One fault, one accusation: lists with one fault or two get what the students' table says of them."""

    @classmethod
    def setUpClass(cls):
        rows = re.findall(r"^\| ([a-zA-Z ]+?)(?::.*?| in place.*?)? \| ([\d.]+) \|", (JUDGE / "student.md").read_text(), re.M)
        cls.costs = {kind: float(cost) for kind, cost in rows}
        cls.sources = {f"{name}.c": (CHALLENGE / f"plain_{part}.c").read_text()
                       for name, part in (("linked_list", "list"), ("queue", "queue"))}

    def test_the_students_table_is_what_the_judge_takes(self):
        self.assertEqual({kind: self.costs.get(kind) for kind in faults.COSTS}, faults.COSTS)

    def check(self, row, folder):
        names = row.split()
        folder.mkdir()
        for file, text in single_faults.changed(names, self.sources).items():
            (folder / file).write_text(text)
        card = card_of(folder, "--no-speed", *PLAIN)
        made = [single_faults.CHANGES[name] for name in names]
        found = {(fault["function"], fault["kind"]) for rule in card["rules"] for fault in rule["faults"]}
        kinds = {faults.CONTENT: faults.USE}
        self.assertEqual(found, {(function, kinds.get(kind, kind)) for *_, function, kind in made}, row)
        self.assertEqual([rule["name"] for rule in card["rules"] if rule["status"] == "failed" and not rule["faults"]],
                         [], row)
        self.assertAlmostEqual(card["score"], 100 - sum(self.costs[kind] for *_, kind in made), delta=5, msg=row)

    def test_what_is_wrong_is_named_and_paid_once(self):
        with tempfile.TemporaryDirectory() as top, concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            os.chmod(top, 0o755)
            for result in [pool.submit(self.check, row, pathlib.Path(top, str(number))) for number, row in
                           enumerate([*single_faults.ONE, *single_faults.TWO])]:
                result.result()


class Fair(unittest.TestCase):
    """What a card says is true, and names what can be mended."""
    plain, queue = ((CHALLENGE / f"plain_{part}.c").read_text() for part in ("list", "queue"))

    def card(self, *words, **files):
        """Of a hand-in with these files, its dots written as __."""
        with tempfile.TemporaryDirectory() as top:
            for name, text in files.items():
                pathlib.Path(top, name.replace("__", ".")).write_bytes(text if isinstance(text, bytes) else text.encode())
            return card_of(top, "--no-speed", "--no-memory", *PLAIN, *words)

    def found_with(self, line, *includes):
        """The list with a line in its insertion: its failed rules."""
        head, first = "".join(f"#include <{name}.h>\n" for name in includes), "    if (ll == NULL || index > ll->size) {\n"
        text = self.plain.replace(first, f"    {line}\n{first}", 1)
        return failed(self.card(linked_list__c="#define _GNU_SOURCE\n" + head + text))

    def test_what_the_c_library_asks_for_by_itself_is_no_request_of_the_hand_in(self):
        self.assertEqual(self.found_with('puts("now"); fprintf(stderr, "%d", 7); perror("why");', "stdio"), {})
        found = self.found_with('static char *kept, *more; kept = kept ? kept : strdup("name"); '
                                "more = more ? more : reallocarray(NULL, 3, 5);", "string", "stdlib")
        self.assertEqual(list(found), ["registered"])
        self.assertIn("2 requests to another malloc", found["registered"]["found"])

    def test_a_free_list_whose_cleanup_crashes_has_one_fault(self):
        """What is kept is given back there: no function that leaves it to cleanup is accused."""
        with tempfile.TemporaryDirectory() as top:
            path = keeps_nodes(pathlib.Path(top, "it")) / "linked_list.c"
            path.write_text(path.read_text().replace("    while (spare != NULL) {", "    while (spare->next != spare) {"))
            card = card_of(path.parent, "--no-speed", *PLAIN)
        self.assertEqual([(name, [(one["function"], one["cost"]) for one in rule["faults"]])
                          for name, rule in failed(card).items()],
                         [("cleanup", [("linked_list_final_cleanup", faults.COSTS[faults.USE])])])

    def test_a_tail_that_is_forgotten_is_the_fault_of_who_forgets_it(self):
        """And not of what adds a node to the forgotten one, and is right by itself."""
        end = ("return ll != NULL && linked_list_insert(ll, ll->size, data);", """
    struct node *node = ll == NULL ? NULL : get(sizeof(*node));
    if (node == NULL) {
        return false;
    }
    *node = (struct node){.data = data};
    if (ll->tail != NULL) {
        ll->tail->next = node;
    } else {
        ll->head = node;
    }
    ll->tail = node;
    ll->size++;
    return true;""")
        front = ("return linked_list_insert(ll, 0, data);", """
    struct node *node = ll == NULL ? NULL : get(sizeof(*node));
    if (node == NULL) {
        return false;
    }
    *node = (struct node){.data = data, .next = ll->head};
    ll->head = node;
    ll->tail = ll->tail == NULL ? node : ll->tail;
    ll->size++;
    return true;""")
        text = self.plain.replace(*end).replace(*front)
        self.assertEqual(failed(self.card(linked_list__c=text, queue__c=self.queue)), {})
        for line, function in (("    if (node->next == NULL) {\n        ll->tail = before;\n    }\n", "linked_list_remove"),
                               ("    ll->tail = ll->tail == NULL ? node : ll->tail;\n", "linked_list_insert_front")):
            self.assertIn(line, text)
            card = self.card(linked_list__c=text.replace(line, ""), queue__c=self.queue)
            self.assertEqual([(one["function"], one["cost"]) for rule in card["rules"] for one in rule["faults"]],
                             [(function, faults.COSTS[faults.CONTENT])], card["rules"])

    def test_a_removal_that_does_not_count_is_one_fault_of_its_own(self):
        """The elements are right, and so is whatever else looks at the number."""
        header = (CHALLENGE / "challenge_list.h").read_text().replace("struct node *head;", "struct node *head;\n    size_t shown;")
        text = self.plain.replace("SIZE_MAX : ll->size", "SIZE_MAX : ll->shown").replace(
            "ll->size++;", "ll->size++;\n    ll->shown++;").replace("ll->size--;", "ll->size--;\n    ll->shown -= index > 0;")
        card = self.card(linked_list__c=text.replace("ll->size = 0;", "ll->size = ll->shown = 0;"), linked_list__h=header)
        self.assertEqual([(one["function"], one["kind"], one["cost"]) for rule in card["rules"] for one in rule["faults"]],
                         [("linked_list_remove", faults.USE, faults.COSTS[faults.USE])])

    def test_a_number_that_the_queue_repeats_is_one_fault(self):
        """By as much as the list's size is wrong for that many elements, not by the same amount."""
        card = self.card(linked_list__c=self.plain.replace("SIZE_MAX : ll->size;", "SIZE_MAX : ll->size * 2;"),
                         queue__c=self.queue)
        self.assertEqual([(one["function"], one["cost"]) for rule in card["rules"] for one in rule["faults"]],
                         [("linked_list_size", faults.COSTS[faults.USE])])
        card = self.card(linked_list__c=self.plain.replace("SIZE_MAX : ll->size;", "SIZE_MAX : ll->size * 2;"),
                         queue__c=self.queue.replace("SIZE_MAX : linked_list_size(queue->ll)",
                                                     "SIZE_MAX : linked_list_size(queue->ll) + 1"))
        self.assertEqual({one["function"] for rule in card["rules"] for one in rule["faults"]},
                         {"linked_list_size", "queue_size"})

    def test_a_push_may_start_a_thread_or_run_on_a_stack_of_its_own(self):
        """What the loader asks for a thread is no request of the hand-in, and a thread that has ended takes no place."""
        start = ("static void *start(void *given)\n{\n    struct job *job = given;\n"
                 "    job->is_done = pushed(job->queue, job->data);\n    return NULL;\n}\n")
        job = "struct job {\n    struct queue *queue;\n    unsigned int data;\n    bool is_done;\n};\n"
        renamed = self.queue.replace("bool queue_push(", "static bool pushed(", 1)
        head = "\nbool queue_push(struct queue *queue, unsigned int data)\n{\n"
        ways = {
            "pthread": start + head + "    struct job job = {queue, data, false};\n    pthread_t thread;\n"
                       "    if (pthread_create(&thread, NULL, start, &job) != 0) {\n        return false;\n    }\n"
                       "    pthread_join(thread, NULL);\n    return job.is_done;\n}\n",
            "ucontext": "static struct job job;\nstatic void start(void)\n{\n"
                        "    job.is_done = pushed(job.queue, job.data);\n}\n" + head
                        + "    static char stack[65536];\n    ucontext_t own, other;\n    job.queue = queue;\n"
                        "    job.data = data;\n    getcontext(&other);\n    other.uc_stack.ss_sp = stack;\n"
                        "    other.uc_stack.ss_size = sizeof(stack);\n    other.uc_link = &own;\n"
                        "    makecontext(&other, start, 0);\n    swapcontext(&own, &other);\n"
                        "    return job.is_done;\n}\n",
        }
        for header, text in ways.items():
            card = self.card("--calls", "2000", linked_list__c=self.plain,
                             queue__c=f"#include <{header}.h>\n{renamed}{job}{text}")
            self.assertEqual((header, failed(card), card["score"]), (header, {}, 100))

    def test_what_was_never_written_is_one_fault_for_memcheck_too(self):
        """The last node of a chunk has no next: cleanup ends there, and Memcheck sees it in an insertion that goes well."""
        head, mark, rest = self.plain.partition("struct linked_list *linked_list_create")
        rest = rest.replace("get(sizeof(*node))", "take_node()").replace("give(node)", "keep_node(node)")
        with tempfile.TemporaryDirectory() as top:
            pathlib.Path(top, "linked_list.c").write_text(head + """static struct node *spare, *chunks;
static size_t left;

static struct node *take_node(void)
{
    if (spare == NULL || left == 0) {
        struct node *chunk = get(5 * sizeof(*chunk));
        if (chunk == NULL) {
            return NULL;
        }
        chunk->next = chunks;
        chunks = chunk;
        for (spare = &chunk[1]; left < 3; left++) {
            spare[left].next = &spare[left + 1];
        }
        left++;
    }
    struct node *node = spare;
    spare = node->next;
    left--;
    return node;
}

static void keep_node(struct node *node)
{
    node->next = spare;
    spare = node;
    left++;
}

void linked_list_final_cleanup(void)
{
    for (; spare != NULL; spare = spare->next) {
    }
    while (chunks != NULL) {
        struct node *next = chunks->next;
        give(chunks);
        chunks = next;
    }
    left = 0;
}

""" + mark + rest.partition("void linked_list_final_cleanup")[0])
            pathlib.Path(top, "queue.c").write_text(self.queue)
            card = card_of(top, "--no-speed", *PLAIN)
        self.assertEqual([one["function"] for rule in card["rules"] for one in rule["faults"]], ["linked_list_final_cleanup"])
        self.assertNotIn("memory-misuse", failed(card))

    def test_a_build_that_failed_is_all_that_its_card_speaks_of(self):
        bad = "int one(void)\n{\n    return two;\n}\n"
        for files, level in (({"linked_list__c": bad}, 1), ({"linked_list__c": bad, "my_queue__c": bad}, 2)):
            card = self.card(**files)
            self.assertEqual((card["score"], card["build"]["level"], card["build"]["headers"]), (0, level, None))
            text = card_text.text(card)
            self.assertIn("expected liblinked_list.so" + (" and libqueue.so" if level == 2 else ""), text)
            self.assertNotRegex(text, r"the (challenge's|submission's)\s+headers|halved|both libraries")

    def test_a_build_that_failed_has_advice_for_what_editors_and_other_systems_do(self):
        for files, words in (({"linked_list__c": self.plain.encode("utf-16")}, "linked_list.c is UTF-16"),
                             ({"linked_list__c": self.plain.encode("utf-16-le")}, "linked_list.c is UTF-16"),
                             ({"linked_list__c": self.plain.encode("utf-16-be")}, "linked_list.c is UTF-16"),
                             ({"linked_list__c": '#include "Linked_List.h"\n' + self.plain},
                              "The file is named linked_list.h, not Linked_List.h"),
                             ({"linked_list__c": "#include <vcruntime.h>\n" + self.plain}, "of Visual Studio alone"),
                             ({"linked_list__c": self.plain.replace("size++", "inserted++")},
                              "struct linked_list has head, tail and size")):
            card = self.card(**files)
            self.assertEqual(list(failed(card)), ["builds"])
            self.assertIn(words, card["build"]["advice"])

    def test_what_does_not_end_is_judged_without_an_optimiser_too(self):
        wait = ("#include <signal.h>\n#include <sys/time.h>\nstatic {} is_over;\nstatic void stop(int number)\n{{\n"
                "    is_over = number;\n}}\n")
        text = self.plain.replace("    size_t index = 0;\n", """    struct itimerval soon = {{0, 0}, {0, 20000}};
    size_t index = 0;
    signal(SIGALRM, stop);
    setitimer(ITIMER_REAL, &soon, NULL);
    while (!is_over) {
    }
""", 1)
        never = self.plain.replace("    size_t index = 0;\n", "    size_t index = 0;\n    for (volatile int i = 0;; i++) {\n    }\n",
                                   1)
        for source, words in ((wait.format("int") + text, "with -O0 it ends: look for what C leaves undefined"),
                              (never, "with -O0 it does not end either")):
            rule = next(iter(failed(self.card("--limit", "1", linked_list__c=source)).values()))
            self.assertRegex(rule["found"], f"linked_list_find.*did not end within 1 s.*{words}")


class Published(unittest.TestCase):
    """Hand-ins that nobody here wrote: each folder within PW_PEERS, judged twice. The cards agree, and whoever reads
    the sources beside them finds each accusation in its function."""

    @unittest.skipUnless(os.environ.get("PW_PEERS"), "PW_PEERS names no folder of hand-ins")
    def test_an_accusation_repeats_and_names_a_function_and_a_kind(self):
        folders = sorted(path for path in pathlib.Path(os.environ["PW_PEERS"]).iterdir() if path.is_dir())
        self.assertGreater(len(folders), 0)
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            cards = list(pool.map(lambda path: card_of(path, "--no-speed", *PLAIN), [*folders, *folders]))
        for path, one, two in zip(folders, cards, cards[len(folders):]):
            self.assertEqual(*([(card["score"], [(rule["name"], rule["status"], rule["faults"]) for rule in card["rules"]])
                                for card in (one, two)]), path.name)
            for rule in one["rules"]:
                self.assertEqual(rule["status"] == "failed", bool(rule["faults"]) or rule["status"] == "failed"
                                 and rule["group"] in ("build", "memory"), f"{path.name}: {rule['name']}")
            print(f"{one['score']:5}  {path.name}: " + "; ".join(
                f"{fault['function']}, {fault['kind']} {fault['cost']}" for rule in one["rules"] for fault in rule["faults"]))


class Breaking(unittest.TestCase):
    """No deletion, breaking or slowing of anything in a hand-in raises its score."""
    functions = [("linked_list.c", name) for name in (
        "linked_list_create", "linked_list_delete", "linked_list_size", "linked_list_insert",
        "linked_list_insert_end", "linked_list_find", "linked_list_remove", "linked_list_iterate",
        "linked_list_create_iterator", "linked_list_register_malloc", "linked_list_final_cleanup")] + \
        [("queue.c", name) for name in ("queue_create", "queue_delete", "queue_push", "queue_next",
                                        "queue_pop", "queue_size", "queue_register_free")]

    @staticmethod
    def broken(text, name, how):
        """The source with one function gone, slow, or ending in a crash."""
        if how == "gone":
            return re.sub(rf"^(\w.*)\b{name}\(", rf"\1not_{name}(", text, count=1, flags=re.M)
        first = {"slow": "nanosleep(&(struct timespec){.tv_nsec = 20000}, 0);",
                 "crash": "__builtin_trap();"}[how]
        return "#include <time.h>\n" + re.sub(rf"(^\w.*\b{name}\(.*\)\n{{)", rf"\1{first}", text,
                                              count=1, flags=re.M)

    def cases(self, top, count):
        """(what is broken, the folder, the score of the whole hand-in)."""
        draw = random.Random(5)
        bases = ("leaks", "ignores_registered", "linear_and_slow", "good_plain")[:count]
        whole = judge_members(bases)
        for base in bases:
            for number in range(max(count // 4, 1)):
                file, name = draw.choice(self.functions)
                how = draw.choice(["gone", "slow", "crash"])
                broken = assemble(base, pathlib.Path(top, f"{base}-{number}"))
                for path in (broken / file, broken / f"good_{file.split('_')[-1][:-2]}.inc"):
                    if path.exists():
                        path.write_text(self.broken(path.read_text(), name, how))
                yield (base, name, how), broken, whole[base]["score"]

    def test_a_broken_function_earns_nothing(self):
        """PW_JUDGE_BREAKS: how many; by default only a few."""
        count = int(os.environ.get("PW_JUDGE_BREAKS", "4"))
        with tempfile.TemporaryDirectory() as top, concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            what, folders, before = zip(*self.cases(top, count))
            cards = pool.map(lambda folder: card_of(folder, "--no-speed", "--no-memory", *PLAIN, "--limit",
                                                    "4"), folders)
            for case, card, score in zip(what, cards, before):
                self.assertLessEqual(card["score"], score, case)


class Calls(unittest.TestCase):
    """Level 1 is timed."""

    @unittest.skipUnless(BUILD, "needs bfs")
    def test_a_script_of_level_1_is_timed_beside_the_plain_list(self):
        with tempfile.TemporaryDirectory() as top:
            card = card_of(assemble("real_level1", pathlib.Path(top, "it")), "--no-memory", *PLAIN, "--bfs",
                           f"{BUILD}/bin/bfs")
        self.assertEqual(list(violations(card, json.loads((JUDGE / "card.schema.json").read_text()), "card")), [])
        calls = card["operations"]
        self.assertTrue(calls["seconds"] > 0 and calls["reference"] > 0)
        for text in (" ".join(card_text.text(card).split()), card_html.html(card)):
            self.assertIn(f"{calls['seconds']:.3f} s for a script of calls; the plain list "
                          f"{calls['reference']:.3f} s", text)


@functools.lru_cache
def has_thread_sanitizer():
    """True if a program with it is built here, and runs."""
    with tempfile.TemporaryDirectory() as top:
        made = subprocess.run(["cc", "-fsanitize=thread", "-x", "c", "-", "-o", f"{top}/it"], capture_output=True,
                              input=b"int main(void) { return 0; }", check=False)
        return made.returncode == 0 and any(
            subprocess.run([*fixed, f"{top}/it"], check=False).returncode == 0 for fixed in (["setarch", "-R"], []))


class Threads(unittest.TestCase):
    """Level 4: a hand-in that is right in many threads, and one whose free list has no lock."""

    def test_a_free_list_without_a_lock_is_a_finding_and_a_plain_list_is_not(self):
        with tempfile.TemporaryDirectory() as top, concurrent.futures.ThreadPoolExecutor(2) as pool:
            makers = {"good_plain": functools.partial(assemble, "good_plain"), "racy": keeps_nodes}
            cards = dict(zip(makers, pool.map(lambda name: card_of(
                makers[name](pathlib.Path(top, name)), "--level", "4", "--no-speed", "--no-memory", *PLAIN), makers)))
        schema = json.loads((JUDGE / "card.schema.json").read_text())
        for name, card in cards.items():
            self.assertEqual(list(violations(card, schema, "card")), [], name)
            self.assertEqual(card["build"]["level"], 4)
        self.assertEqual(failed(cards["good_plain"]), {})
        races = {name: next(rule for rule in card["rules"] if rule["name"] == "threads-races")
                 for name, card in cards.items()}
        self.assertEqual({name: rule["status"] for name, rule in races.items()},
                         {"good_plain": "passed", "racy": "failed"} if has_thread_sanitizer() else
                         dict.fromkeys(races, "not judged"))
        if has_thread_sanitizer():
            self.assertRegex(races["racy"]["found"], "data race.*(take|keep)_node")  # its own functions
        for rule in failed(cards["racy"]).values():
            self.assertTrue(rule["name"].startswith("threads-"), rule["name"])

    def test_a_wrong_value_is_shown_by_a_program(self):
        """A queue that hands out its second element first, but only to a thread that is not the first."""
        with tempfile.TemporaryDirectory() as top:
            folder = assemble("good_plain", pathlib.Path(top, "it"))
            (folder / "harness.c").unlink()
            queue = folder / "queue.c"
            queue.write_text('''#define _GNU_SOURCE
#include <unistd.h>
#define queue_pop good_pop
#include "good_queue.inc"
#undef queue_pop

bool queue_pop(struct queue *queue, unsigned int *data)
{
    bool is_popped = good_pop(queue, data);
    *data ^= is_popped && gettid() != getpid();
    return is_popped;
}
''')
            card = card_of(folder, "--level", "4", "--no-speed", "--no-memory", *PLAIN)
            rule = failed(card)["threads-own"]
            self.assertIn("with 1 thread: queue_pop of a queue that no other thread uses: found 1, expected 0",
                          rule["found"])
            (folder / "shown.c").write_text(rule["program"])
            headers = pathlib.Path(top, "headers")
            headers.mkdir()
            building.write_challenge_headers(headers)
            subprocess.run(["cc", "-I", headers, "shown.c", "linked_list.c", "queue.c", "-pthread", "-o", "shown"],
                           cwd=folder, check=True)
            done = subprocess.run([folder / "shown"], capture_output=True, text=True, check=False, timeout=600)
        self.assertEqual(done.returncode, 1)
        self.assertIn("found 1, expected 0", done.stdout)

    @unittest.skipUnless(BUILD, "needs bfs")
    def test_the_card_has_the_cost_of_a_push_at_1_2_and_4_threads(self):
        with tempfile.TemporaryDirectory() as top:
            card = card_of(assemble("good_plain", pathlib.Path(top, "it")), "--level", "4", "--no-memory", *PLAIN,
                           "--graph", "generate:nodes=2k", "--pairs", "random:4", "--time", "0.5", "--bfs",
                           f"{BUILD}/bin/bfs")
        self.assertEqual([row["threads"] for row in card["threads"]["rows"]], [1, 2, 4])
        self.assertIn("4 threads: ", card_text.text(card))


class Usage(unittest.TestCase):
    def test_exit_status_says_whether_there_is_a_card(self):
        done = run("/nonexistent", "--quiet")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(done.stderr, "judge: /nonexistent: no such file or folder\n")
        self.assertEqual(run("--format", "prose", "x").returncode, 2)
        self.assertEqual(run().returncode, 2)
        self.assertEqual(run("--help").returncode, 0)
        self.assertEqual(run("x", "--pairs", "y").returncode, 2)
        self.assertEqual(run("x", "--scale", "2:1").returncode, 2)

    def test_a_card_that_cannot_be_written_is_not_made(self):
        for output, why in (("/", "/: is a folder"), ("/nonexistent/card", "there is no such folder")):
            done = run(str(SOURCE / "liblist"), "--output", output)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn(why, done.stderr)

    def test_a_strict_umask_changes_the_mode_of_the_card_and_nothing_on_it(self):
        """What root puts into a box is for the box's user to read."""
        with tempfile.TemporaryDirectory() as top:
            folder = assemble("good_plain", pathlib.Path(top, "good_plain"))
            card = pathlib.Path(top, "card.json")
            done = run(str(folder), "--no-speed", "--no-memory", "--calls", "200", "--quiet", *PLAIN,
                       "--format", "json", "--output", str(card), umask=0o077)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(json.loads(card.read_text())["score"], 100)
            self.assertEqual(card.stat().st_mode & 0o777, 0o600)

    def test_the_program_that_shows_a_fault_is_beside_the_card(self):
        """And nothing on the card says where the judge has its files, or where the hand-in came from."""
        with tempfile.TemporaryDirectory() as top:
            folder = pathlib.Path(top, "mine")
            folder.mkdir()
            text = (CHALLENGE / "plain_list.c").read_text()
            (folder / "linked_list.c").write_text(text.replace("ll->size++", "ll->size += 2"))
            (folder / "Makefile").write_text("liblinked_list.so:\n\t$(CC) $(CURDIR)/linked_list.c missing.c -o $@\n")
            card = pathlib.Path(top, "card.txt")
            done = run(str(folder), "--no-speed", "--no-memory", "--calls", "200", "--quiet", *PLAIN, "--output",
                       str(card))
            self.assertEqual(done.returncode, 0, done.stderr)
            text = card.read_text()
            shutil.copy(pathlib.Path(top, "card-shown.c"), folder / "shown.c")
            for header in pathlib.Path(top).glob("*.h"):
                shutil.copy(header, folder)
            command = re.search(r"\. Copy it as shown\.c\s[^:]*There:\n    (.*)\n", text)[1]
            told = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True, check=False)
        self.assertEqual(told.returncode, 1, told)
        self.assertRegex(told.stdout, " gave .*, not |did not return: it")
        self.assertIn("missing.c: No such file", text)
        self.assertRegex(text, r"MEND FIRST linked_list_\w+ is wrong with legal arguments\n    (after|ll0 = )")
        for words in ("/tmp", "int main(void)", top):
            self.assertNotIn(words, text)

    def test_the_zip_for_gradescope_judges_without_a_network(self):
        """As Gradescope unpacks it: beside the submission, and run_autograder copied out of it."""
        with tempfile.TemporaryDirectory() as top:
            top = pathlib.Path(top)
            for folder in ("source", "submission", "results"):
                (top / folder).mkdir()
            os.chmod(top, 0o755)
            (top / "submission" / "linked_list.c").write_text((CHALLENGE / "plain_list.c").read_text())
            (top / "mine.json").write_text('{"points": {"build": 40}}')
            done = run("--gradescope", str(top / "it.zip"), "--no-speed", "--no-memory", "--calls", "200", "--rubric",
                       str(top / "mine.json"), *PLAIN)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            with zipfile.ZipFile(top / "it.zip") as archive:
                archive.extractall(top / "source")
                modes = {name: archive.getinfo(name).external_attr >> 16 for name in (
                    "setup.sh", "run_autograder", "pointer-wars/judge/judge", "pointer-wars/setup.sh")}
            self.assertEqual({mode & 0o777 for mode in modes.values()}, {0o755})
            for name in ("setup.sh", "run_autograder"):
                subprocess.run(["sh", "-n", top / "source" / name], check=True)
            for name in modes:
                os.chmod(top / "source" / name, 0o755)
            shutil.move(top / "source" / "run_autograder", top)
            (top / "mine.json").unlink()
            closed = ["unshare", "--net"]  # where that is allowed
            if shutil.which("unshare") is None or subprocess.run([*closed, "true"], check=False, capture_output=True).returncode:
                closed = []
            done = subprocess.run([*closed, top / "run_autograder"], cwd="/", check=False, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            found = json.loads((top / "results" / "results.json").read_text())
        self.assertEqual((found["score"], found["tests"][0]["max_score"]), (100, 40))

    @staticmethod
    def typed(page):
        """The calls of the judge that a guide shows: indented lines that begin with it."""
        text = (JUDGE / page).read_text().replace("\\\n", " ")
        return [shlex.split(line.split("#")[0]) for line in text.splitlines()
                if re.match(r"    (judge/)?judge (--|\S*/ |\S*/$)", line)]

    def test_what_the_guides_show_works_as_typed(self):
        """Without times and Valgrind, which would take long; the rubric is the teacher's own."""
        lines = [words for page in ("student.md", "teacher.md", "README.md") for words in self.typed(page)]
        self.assertGreater(len(lines), 5)
        with tempfile.TemporaryDirectory() as top:
            top = pathlib.Path(top)
            for folder in ("hand-in", "my-folder", "hand-ins/one"):
                assemble("real_level2", top / folder)
            done = run("my-folder/", "--no-speed", "--no-memory", "--calls", "200", "--quiet", *PLAIN, "--format",
                       "json", "--output", "old-card.json", cwd=top)  # of --before
            self.assertEqual(done.returncode, 0, done.stderr)
            rubric = re.search(r"```toml\n(.*?)```", (JUDGE / "teacher.md").read_text(), re.S)[1]
            (top / "rubric.toml").write_text(rubric)
            lines = [words for words in lines  # a build of this tree is judged by OwnLibraries
                     if not any(word.startswith(("build/", "/autograder")) for word in words)
                     and not ("rubric.toml" in words and sys.version_info < (3, 11))]
            with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
                ended = list(pool.map(lambda words: run(
                    *words[1:], "--no-speed", "--no-memory", "--calls", "200", "--quiet", *PLAIN,
                    cwd=top), lines))
            for words, done in zip(lines, ended):
                self.assertEqual(done.returncode, 0, f"{words}: {done.stderr}")

    def test_every_rule_is_listed(self):
        names = [line.split()[1] for line in run("--list-rules").stdout.splitlines()]
        self.assertEqual(names, [row[0] for row in RULES])

    def test_the_help_needs_no_module_of_others(self):
        """The manual page is made from it, where nothing is judged. -S leaves Debian's modules out."""
        words = ["/usr/bin/python3", "-S", str(JUDGE / "judge")]
        done = subprocess.run([*words, "--help"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("--batch", done.stdout)
        done = subprocess.run([*words, "hand-in"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("python3-pyelftools", done.stderr)


@unittest.skipUnless(BUILD and os.environ.get("PW_STATIC", "OFF") == "OFF"
                     and not os.environ.get("PW_SANITIZE"), "needs a build with plain libraries")
class OwnLibraries(unittest.TestCase):
    tiny = ["--graph", "generate:nodes=2k", "--pairs", "random:4", "--time", "0.5", "--scale",
            "0.0001:0.0002", "--bfs", f"{BUILD}/bin/bfs"]

    def test_this_projects_own_libraries_get_full_marks(self):
        """All but for speed, which is judged of what the judge itself can link."""
        card = card_of(pathlib.Path(BUILD) / "lib", "--env", "LINKED_LIST_ALLOC=slab", *self.tiny)
        self.assertEqual((failed(card), card["points"][-1]["why"]), ({}, speed.ON_LOAD))  # as a compiler links them
        self.assertTrue(all(row["points"] == row["of"] for row in card["points"][:-1]))
        if shutil.which("valgrind"):
            self.assertEqual((card["memory"]["errors"], card["memory"]["leaked_bytes"]), (0, 0))

    def test_a_card_has_the_queues_beside_a_hand_in(self):
        """On a scale that no busy machine can miss: the searches are tiny. Of two rounds alone both may have
        a ratio that is more than a queue can be; in three seconds there are more."""
        with tempfile.TemporaryDirectory() as top:
            card = card_of(assemble("good_pool", pathlib.Path(top, "it")), "--no-memory", *PLAIN, *self.tiny, "--time", "3")
        self.assertEqual(failed(card), {})
        self.assertEqual(card["score"], 100, card["notes"])
        schema = json.loads((JUDGE / "card.schema.json").read_text())
        self.assertEqual(list(violations(card, schema, "card")), [])
        for page in (card_text.text(card, False), card_html.html(card)):
            self.assertRegex(page, r"LIFO list(?s:.)*The array is the bound")
        rows = {row["name"]: row for row in card["speed"]["references"]}
        self.assertEqual(list(rows), ["plain list", "LIFO list", "array", "this project's pool", "this project's slab"])
        self.assertEqual([name for name, row in rows.items() if row["is_bound"]], ["array"])
        every = card["speed"]["rounds"]
        self.assertEqual({row["n"] for row in rows.values() if row["name"] != "plain list"},
                         {min(speed.ROUNDS_LEAST, every)})
        self.assertEqual(rows["plain list"]["n"], every)
        if shutil.which("valgrind"):
            self.assertGreater(card["speed"]["instructions"]["cost_ratio"], 1.2)

    @staticmethod
    def without_times(card):
        """A card without what is measured with a clock: on a busy machine it has no bounds. The scale
        gives all points to whoever was timed, so that points and score are compared as they are, and
        simulated instructions repeat exactly."""
        clock = ("seconds", "plain_seconds", "ratio", "low", "high", "confidence", "rounds", "n", "verdict", "pop_share",
                 "plain_pop_share")
        card["build"].pop("seconds")
        for row in card["points"]:
            row["why"] = re.sub(r"[\d.]+ times the plain list", "", row["why"])
        times = card["speed"]
        for part in [times, *times["searches"], *times["references"]]:
            for name in clock:
                part.pop(name, None)
        return card

    def test_a_batch_gives_the_cards_of_single_runs_and_ranks_them(self):
        """Who fails a gate keeps nothing for speed, in a batch too; one of them is timed."""
        names = ("exits", "loses_one", "good_plain")
        with tempfile.TemporaryDirectory() as top, concurrent.futures.ThreadPoolExecutor(2) as pool:
            hand_ins, cards = pathlib.Path(top, "hand-ins"), pathlib.Path(top, "cards")
            for name in names:
                assemble(name, hand_ins / name)
            words = ["--no-memory", *PLAIN, *self.tiny, "--time", "3"]  # for more than two rounds: see above
            alone = {name: pool.submit(card_of, hand_ins / name, *words, has_cache=False) for name in names}
            done = run("--batch", str(hand_ins), "--output", str(cards), *words, "--quiet", "--calls",
                       "2000")
            self.assertEqual(done.returncode, 0, done.stderr)
            rows = (cards / "ranking.csv").read_text().splitlines()[1:]
            self.assertEqual([row.split(",")[1] for row in rows][0], "good_plain")
            made = {name: json.loads((cards / f"{name}.json").read_text()) for name in names}
            alone = {name: card.result() for name, card in alone.items()}
        timed = [self.without_times(cards["good_plain"]) for cards in (made, alone)]
        self.assertEqual(*timed)
        self.assertEqual((timed[0]["score"], len(timed[0]["speed"]["searches"])), (100, 4))
        for name in names[:2]:
            for part in ("score", "points", "speed", "memory", "notes", "isolation", "rules"):
                self.assertEqual(made[name][part], alone[name][part], name)
            self.assertEqual(made[name]["points"][-1]["points"], 0)
            self.assertLess(made[name]["score"], 70, name)  # speed is 30 of 100

    def answers_of(self, graph, pairs, top):
        """What the judge's search answers, as rows of a table in C: what a hand-in may know of questions
        that are public."""
        asked = speed.Graph(f"{BUILD}/bin/bfs", graph, pairs, top)
        building.write_challenge_headers(top)
        searcher = str(pathlib.Path(top, "searcher"))
        subprocess.run(["cc", "-D_GNU_SOURCE", "-I", top, "-o", searcher,
                        JUDGE / "searcher.c", CHALLENGE / "plain_list.c", CHALLENGE / "plain_queue.c"], check=True)
        told, results = os.pipe()
        with open(asked.path, "rb") as file, os.fdopen(told, "rb") as answers:
            subprocess.run([searcher, str(file.fileno()), *asked.words, str(results)], check=True,
                           pass_fds=[file.fileno(), results], timeout=600, input=b"".join(
                               speed.REQUEST.pack(0, row["source"], row["target"], 0)
                               for row in asked.searches))
            os.close(results)
            return "".join("{0, %dU, %dU, %dU, %dU},\n" % row[1:5]
                           for row in speed.ANSWER.iter_unpack(answers.read()))

    def fakes(self, top):
        """{name of a case: options} of fakes of speed; each of them once had full marks for it."""
        for name, member in (("table", "knows_answers"), ("kept", "keeps_answers"), ("constructor", "takes_over"),
                             ("first", "runs_first"), ("beyond", "names_beyond"), ("toggled", "toggles_count")):
            assemble(member, pathlib.Path(top, name))
        (pathlib.Path(top, "table", "answers.inc")).write_text(
            self.answers_of(self.tiny[1], self.tiny[3], top))
        shutil.copytree(pathlib.Path(top, "table"), pathlib.Path(top, "guess"))
        drawn = [*self.tiny[:2], *self.tiny[4:]]  # pairs for each round
        return {"table": self.tiny, "guess": drawn, "kept": self.tiny, "constructor": drawn, "first": drawn,
                "toggled": drawn, **({"beyond": drawn} if platform.machine() == "x86_64" else {})}  # its forge.py

    def test_speed_is_not_faked(self):
        with tempfile.TemporaryDirectory() as top, concurrent.futures.ThreadPoolExecutor(2) as pool:
            cases = self.fakes(top)
            cards = dict(zip(cases, pool.map(lambda name: card_of(
                pathlib.Path(top, name), "--no-memory", *PLAIN, *cases[name]), cases)))
        # its first guess may be right: of a node without links there is one answer
        rule = failed(cards["guess"])["answers"]
        self.assertIn("search ", rule["expected"] + rule["found"])
        self.assertEqual((cards["guess"]["points"][-1]["group"], cards["guess"]["points"][-1]["points"]), ("speed", 0))
        self.assertIn("answers was not kept", " ".join(cards["guess"]["notes"]))
        row = cards["constructor"]["points"][-1]
        self.assertEqual((row["points"], row["why"], failed(cards["constructor"])), (0, speed.ON_LOAD, {}))
        for name in {"first", "beyond"} & set(cards):  # code that runs before the door is shut
            self.assertEqual((cards[name]["points"][-1]["points"], list(failed(cards[name]))), (0, ["exports"]), name)
        if shutil.which("valgrind"):
            self.assertLess(cards["toggled"]["speed"]["instructions"]["ratio"], 1.2)
        for name in ("table", "kept"):  # they know, but the queue is gone before the answer is written
            self.assertIn("answers", failed(cards[name]), name)

    def test_no_header_of_a_hand_in_reaches_the_search(self):
        with tempfile.TemporaryDirectory() as top:
            card = card_of(assemble("rewrites_search", pathlib.Path(top, "it")), "--no-memory", *PLAIN,
                           *self.tiny)
        self.assertEqual(failed(card), {})
        self.assertIsNotNone(card["speed"]["ratio"])

    def test_searches_of_their_own_are_held_against_the_judges(self):
        """Level 3. Ratios are of processor time; only that they were measured is asked here, and the order of
        one that visits a fraction and one that counts to 200 at each edge."""
        words = ["--level", "3", "--no-memory", *PLAIN, *self.tiny[:2], "--pairs", "random:20", *self.tiny[4:],
                 "--limit", "3"]
        with tempfile.TemporaryDirectory() as top, concurrent.futures.ThreadPoolExecutor(2) as pool:
            names = ("fast", "slow", "wrong", "silent", "hangs")
            cards = dict(zip(names, pool.map(lambda name: card_of(
                assemble(f"search_{name}", pathlib.Path(top, name)), *words), names)))
        schema = json.loads((JUDGE / "card.schema.json").read_text())
        for name, card in cards.items():
            self.assertEqual(list(violations(card, schema, "card")), [], name)
            self.assertEqual(card["build"]["level"], 3, name)
        for name, words in (("wrong", "a path"), ("silent", "0 of them"), ("hangs", "it did not end")):
            self.assertEqual(list(failed(cards[name])), ["own-search"], name)
            self.assertIn(words, failed(cards[name])["own-search"]["found"], name)
            self.assertEqual(cards[name]["points"][-1]["points"], 0)
        own = {name: cards[name]["speed"]["own_search"] for name in ("fast", "slow")}
        self.assertEqual([own[name]["counts"] for name in own], ["another search's", "as the published search"])
        self.assertGreater(own["fast"]["ratio"], own["slow"]["ratio"])
        self.assertIn("times the published search on the same queue", card_text.text(cards["fast"]))

    def test_a_program_with_an_allocator_of_its_own_has_a_note_of_what_is_judged(self):
        with tempfile.TemporaryDirectory() as top:
            folder = assemble("search_fast", pathlib.Path(top, "it"))
            source = folder / "queue_performance.c"
            source.write_text('#include "slab_of_mine.h"\n' + source.read_text())
            (folder / "slab_of_mine.h").write_text("#include <stdlib.h>\n")
            card = card_of(folder, "--no-memory", *PLAIN, *self.tiny)
        self.assertIn("The judge registers malloc", " ".join(card["notes"]))
        self.assertEqual((card["build"]["level"], failed(card)), (3, {}))
        self.assertIsNotNone(card["speed"]["own_search"]["ratio"])

    @unittest.skipUnless(shutil.which("valgrind"), "needs Valgrind")
    def test_a_stub_has_nothing_for_memory(self):
        with tempfile.TemporaryDirectory() as top:
            card = card_of(assemble("stub", pathlib.Path(top, "stub")), "--no-speed", *PLAIN)
        self.assertEqual({row["group"]: row["points"] for row in card["points"]}["memory"], 0)
        self.assertLess(card["score"], 20)

    @unittest.skipUnless(shutil.which("valgrind"), "needs Valgrind")
    def test_a_remark_costs_nothing_and_leaves_memory_to_be_judged(self):
        """Registering NULL is not played under Valgrind: a crash there would be the judge's own."""
        with tempfile.TemporaryDirectory() as top:
            card = card_of(assemble("real_null_registered", pathlib.Path(top, "it")), "--no-speed", "--level", "1", *PLAIN)
        self.assertEqual((card["score"], failed(card)), (100, {}))
        states = {rule["name"]: (rule["status"], rule["faults"]) for rule in card["rules"]}
        self.assertEqual([states[name] for name in ("register-null", "memory-misuse", "memory-leaks")],
                         [("remark", []), ("passed", []), ("passed", [])])

    @unittest.skipUnless(shutil.which("valgrind"), "needs Valgrind")
    def test_valgrind_names_what_it_found(self):
        """What the contract has found is not found again; Valgrind's line is there."""
        members = {"leaks": "memory-leaks",
                   "asks_valgrind": "memory-misuse",
                   "forges_log": "memory-misuse"}
        known = {"leaks": "linked_list_delete"}
        with tempfile.TemporaryDirectory() as top, concurrent.futures.ThreadPoolExecutor(2) as pool:
            cards = pool.map(lambda name: card_of(assemble(name, pathlib.Path(top, name)), "--no-speed",
                                                  *PLAIN), members)
            for (name, rule), card in zip(members.items(), cards):
                states = {row["name"]: (row["status"], row["found"], row["but_for"]) for row in card["rules"]}
                if name not in known:
                    self.assertIn(rule, failed(card), f"{name}: {states}")
                    continue
                self.assertEqual((states[rule][0], states[rule][2]), ("passed", [known[name]]), name)
                self.assertRegex(states[rule][1], r"definitely lost.*linked_list_insert")


def load_tests(_, tests, __):
    """PW_JUDGE_PART: "zoo", "own" or "rest"; each takes long, and they run beside each other."""
    part = os.environ.get("PW_JUDGE_PART")
    parts = {Zoo: "zoo", Faults: "zoo", Breaking: "zoo", OwnLibraries: "own"}
    return unittest.TestSuite(suite for suite in tests if part in (
        None, *(parts.get(type(case), "rest") for case in suite)))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--assemble"] and len(sys.argv) == 4:
        assemble(sys.argv[2], sys.argv[3])
    else:
        unittest.main(verbosity=2)

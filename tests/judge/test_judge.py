"""perf/judge: the card of every member of the zoo, and what is left behind.

A member is a folder of zoo/ with what is special about it: one fault, or none. It becomes a whole
submission by the judge's plain reference: assemble(). The members are judged at the same time, each by
a judge of its own; no time is measured.

Usage: test_judge.py [--assemble NAME FOLDER | unittest's own words]     PW_BUILD: a build, or none
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import types
import unittest
import unittest.mock
import xml.etree.ElementTree

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parents[1]
JUDGE = SOURCE / "perf" / "judge"
sys.dont_write_bytecode = True
sys.path[:0] = [str(JUDGE / "judgelib"), str(JUDGE.parent / "studylib")]

import batch  # noqa: E402
import card_files  # noqa: E402
import card_html  # noqa: E402
import card_text  # noqa: E402
import grade  # noqa: E402
import memory  # noqa: E402
import speed  # noqa: E402
import submission  # noqa: E402
from rules import RULES, Rule  # noqa: E402

BUILD = os.environ.get("PW_BUILD")
AT_ONCE = 4

# name: (rules that must fail, words of what was found in the first of them, extra options)
SHORT = ["--limit", "2"]
PLAIN = ["--isolation", "plain"]  # without bubblewrap: faster, and judged that way too
ZOO = {
    "good_plain": ([], "", PLAIN),
    "good_pool": ([], "", []),
    "good_cpp": ([], "", []),
    "loops": (["queue-order"], "it did not end within", SHORT),
    "sleeps": (["queue-order"], "queue_push(queue0, 3u): it did not end within", SHORT),
    "ignores_signals": (["queue-order"], "queue_pop(queue0, &data): it did not end within", SHORT),
    "crashes": (["empty-list", "find-first"], "linked_list_find(ll0, 1u): it was ended by SIGSEGV",
                []),
    "forks": (["queue-alone", "null-list", "random-calls"], "it asked for a process", PLAIN),
    "takes_all_memory": (["empty-list"], "linked_list_create(): it was ended by SIGSEGV", PLAIN),
    "floods": (["null-queue", "queue-order"], "it printed without end", []),
    "prints_the_card": (["null-list", "queue-order", "random-calls"],
                        "it ended with exit status 0", []),
    "exits": (["queue-order", "queue-empty"], "queue_pop(queue0, &data): it ended with exit status 0",
              []),
    "exits_in_cleanup": (["cleanup"], "it ended with exit status 0", PLAIN),
    "replaces_malloc": (["exports"], "free, malloc", PLAIN),
    "reads_the_pairs": (["long-queue"], "of them", PLAIN),
    "forges_answers": (["null-list", "random-calls"], "answers that are not the judge's", PLAIN),
    "overwrites_host": (["insert-ends"], "linked_list_insert_end(", PLAIN),
    "writes_files": (["empty-list"], "linked_list_create(): NULL", PLAIN),
    "kills_others": (["null-list", "random-calls"], "it ", PLAIN),
    "strays_in_build": ([], "", PLAIN),
    "does_not_compile": (["builds"], "error", []),
    "leaks": (["cleanup", "delete-filled"], "blocks", PLAIN),
    "linear_push": (["constant-time"], "times as long", PLAIN),
    "off_by_one": (["insert-index"], "false", PLAIN),
    "last_in_first_out": (["queue-order"], "data", PLAIN),
    "ignores_registered": (["registered"], "requests to another malloc", PLAIN),
    "trusts_malloc": (["failed-malloc"], "with request 1 failing", PLAIN),
    "uses_freed_memory": (["queue-order"], "data 3755991007", PLAIN),  # the judge's own pattern
    "rare_fault": (["random-calls"], "", PLAIN),
}


def assemble(name, folder):
    """The member as a stranger would hand it in."""
    folder = pathlib.Path(folder)
    shutil.copytree(HERE / "zoo" / name, folder, dirs_exist_ok=True)
    for part in ("list", "queue"):
        plain = JUDGE / f"plain_{part}.c"
        shutil.copy(plain, folder / f"good_{part}.inc")
        target = folder / ("linked_list.c" if part == "list" else "queue.c")
        if not target.exists():
            shutil.copy(plain, target)
    if (folder / "Makefile").exists() or (folder / "CMakeLists.txt").exists():
        shutil.copy(JUDGE / "challenge_list.h", folder / "linked_list.h")
        shutil.copy(JUDGE / "challenge_queue.h", folder / "queue.h")
    return folder


def run(*words, **more):
    return subprocess.run([sys.executable, str(JUDGE / "judge"), *words], capture_output=True,
                          text=True, check=False, timeout=250, **more)


def judged(name, folder, *words):
    """The card of a member's rules, without speed and Valgrind."""
    assemble(name, folder)
    return card_of(folder, "--no-speed", "--no-memory", *words)


def card_of(*words):
    done = run(*map(str, words), "--format", "json", "--quiet", "--calls", "2000")
    if done.returncode != 0:
        raise AssertionError(f"{words}: {done.stderr}")
    return json.loads(done.stdout)


def leftovers():
    """Folders, files and processes of a judge."""
    found = [str(path) for place in ("/tmp", "/var/tmp", "/dev/shm")
             for path in pathlib.Path(place).glob("judge-zoo-was-here")]
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                words = pathlib.Path("/proc", name, "cmdline").read_bytes()
            except OSError:
                continue
            if b"3600.5" in words:
                found.append(words.decode())
    return found


def failed(card):
    return {rule["name"]: rule for rule in card["rules"] if rule["status"] == "failed"}


class Zoo(unittest.TestCase):
    """One test per member, made below; they share the cards."""
    cards = {}

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        top = pathlib.Path(cls.scratch.name)
        (top / "tmp").mkdir(mode=0o755)
        os.chmod(top, 0o755)
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            work = {name: pool.submit(judged, name, top / name, *ZOO[name][2]) for name in ZOO}
            cls.cards = {name: result.result() for name, result in work.items()}

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

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

    def test_a_single_fault_fails_no_other_rule(self):
        for name, rules in (("off_by_one", {"insert-index", "random-calls"}),
                            ("linear_push", {"constant-time"}), ("replaces_malloc", {"exports"}),
                            ("rare_fault", {"random-calls"}),
                            ("leaks", {"cleanup", "delete-filled", "failed-malloc"}),
                            ("ignores_registered", {"registered", "failed-malloc"})):
            self.assertLessEqual(set(failed(self.cards[name])), rules, name)

    def test_what_does_not_build_scores_nothing(self):
        self.assertEqual(self.cards["does_not_compile"]["score"], 0)

    def test_a_submission_that_claims_success_scores_next_to_nothing(self):
        for name in ("prints_the_card", "forges_answers", "kills_others"):
            self.assertLess(self.cards[name]["score"], 20, name)

    def test_a_process_that_outlives_the_build_is_ended_and_told(self):
        notes = " ".join(self.cards["strays_in_build"]["notes"])
        self.assertRegex(notes, r"The build left processes behind \(\d+\)")

    def test_no_process_and_no_file_is_left(self):
        self.assertEqual(leftovers(), [])

    def test_the_program_of_a_failed_rule_shows_the_fault(self):
        rule = failed(self.cards["off_by_one"])["random-calls"]
        self.assertLess(rule["program"].count("printf"), 12)
        folder = pathlib.Path(self.scratch.name) / "program"
        folder.mkdir()
        for part, name in (("list", "linked_list"), ("queue", "queue")):
            shutil.copy(JUDGE / f"challenge_{part}.h", folder / f"{name}.h")
        (folder / "shown.c").write_text(rule["program"])
        member = pathlib.Path(self.scratch.name) / "off_by_one"
        subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", "-I", folder, folder / "shown.c",
                        member / "linked_list.c", member / "queue.c", "-o", folder / "shown"],
                       check=True)
        shown = subprocess.run([folder / "shown"], capture_output=True, text=True, check=True)
        self.assertIn("false", shown.stdout)

    def test_a_program_beside_the_libraries_is_left_out(self):
        self.assertIn("harness.c", " ".join(self.cards["good_plain"]["notes"]))

    def test_cards_keep_to_the_schema(self):
        schema = json.loads((JUDGE / "card.schema.json").read_text())
        for name, card in self.cards.items():
            self.assertEqual(list(violations(card, schema, "card")), [], name)


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
        "schema": "pointer-wars-card/1", "submission": {"name": "a <b> & c", "paths": ["x"]},
        "score": 71.5, "points": [{"group": "contract", "points": 40.0, "of": 50, "why": "8 of 10"}],
        "rubric": {"points": {}, "gates": [], "scale": [0.5, 4.0], "weights": {}},
        "build": {"how": "make", "command": "make", "seconds": 1.0, "warnings": 1,
                  "first_warnings": ["x.c:1: warning: <unused>"], "headers": "the submission's"},
        "rules": [
            {"name": "find-first", "group": "contract", "promise": "find gives the first", "status":
             "failed", "expected": "1 < 2", "found": "call 3: \x01 \"2\"", "program": "int main;"},
            {"name": "queue-order", "group": "contract", "promise": "in order", "status": "passed",
             "expected": None, "found": None, "program": None},
            {"name": "memory-leaks", "group": "memory", "promise": "no leaks", "status":
             "not judged", "expected": None, "found": "Valgrind is not installed", "program": None}],
        "memory": {"mallocs_per_push": 1.0, "bytes_per_node": 16.0, "leaked_bytes": None,
                   "errors": None},
        "speed": {"ratio": 2.0, "low": 1.8, "high": 2.2, "confidence": 0.95, "verdict": "part",
                  "graph": "g p", "rounds": 6, "seconds": 1.0,
                  "searches": [{"search": 1, "source": 1, "target": 2, "found": 1, "visited": 9,
                                "pushed": 90000, "mallocs": 90002, "seconds": 0.5, "is_timed": True,
                                "plain_seconds": 1.0, "ratio": 2.0, "low": 1.8, "high": 2.2,
                                "confidence": 0.95}],
                  "references": [{"name": "plain list", "seconds": 2.0, "ratio": 1.0, "low": 1.0,
                                  "high": 1.0, "confidence": 0.95}],
                  "instructions": {"ratio": 2.8, "graph": "s", "submission": 10, "plain": 28}},
        "isolation": {"bubblewrap": False, "seccomp": True, "namespaces": False, "own_user": False,
                      "limits": True, "no_new_privileges": True, "summary": "own session"},
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
        for words in ("71.5 of 100", "FAILED     find-first", "2.00 (1.80 to 2.20)", "int main;"):
            self.assertIn(words, text)

    def test_junit_is_xml_with_a_case_per_rule(self):
        suite = xml.etree.ElementTree.fromstring(card_files.junit(self.card))
        self.assertEqual((suite.get("tests"), suite.get("failures"), suite.get("skipped")),
                         ("3", "1", "1"))
        self.assertEqual([case.get("name") for case in suite.iter("testcase")],
                         ["find-first", "queue-order", "memory-leaks"])

    def test_gradescope_has_the_score_and_the_points(self):
        results = json.loads(card_files.gradescope(self.card))
        self.assertEqual(results["score"], 71.5)
        self.assertEqual(results["tests"][0]["max_score"], 50)
        self.assertEqual([test.get("status") for test in results["tests"][1:]],
                         ["failed", "passed", None])

    def test_html_has_the_plot_and_escapes_what_it_is_told(self):
        page = card_html.html(self.card)
        body = re.search(r"<body>.*</body>", page, re.S)[0]
        self.assertIn("<svg", body)
        self.assertIn("a &lt;b&gt; &amp; c", body)
        self.assertNotIn("<unused>", body)
        self.assertNotIn("<script", page)


class Grades(unittest.TestCase):
    def test_a_ratio_becomes_a_share_on_a_logarithmic_scale(self):
        self.assertEqual([grade.share_of_ratio(ratio, [0.5, 2]) for ratio in (0.1, 0.5, 1, 2, 9)],
                         [0, 0, 0.5, 1, 1])

    def test_an_interval_that_crosses_a_limit_is_inconclusive(self):
        verdicts = [grade.verdict_of_ratio({"low": low, "high": high}, [0.5, 2])
                    for low, high in ((0.1, 0.4), (0.4, 0.6), (0.9, 1.1), (1.9, 2.1), (2.1, 3))]
        self.assertEqual(verdicts, ["none", "inconclusive", "part", "inconclusive", "full"])

    def test_rubrics_are_read_and_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text, words in (
                    ("a.json", '{"points": {"speed": 60}, "scale": [1, 3]}', None),
                    ("b.json", '{"pints": {}}', 'the rubric has no "pints"'),
                    ("c.json", '{"scale": [3, 1]}', "the lower first"),
                    ("d.json", '{"points": {"speed": "x"}}', "are numbers"),
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

    def test_a_rule_counts_as_much_as_its_weight(self):
        rules = [Rule("find-first").passed(), Rule("queue-order").failed("1", "2"),
                 Rule("two-lists").not_judged("it ended before", is_fault=True),
                 Rule("cleanup").not_judged("no tool for it is here")]
        score, groups, _ = grade.grade(rules, None, grade.Rubric({"weights": {"find-first": 6}}), True)
        self.assertEqual([(row["group"], row["points"], row["why"]) for row in groups],
                         [("contract", 37.5, "1 of 3 rules")])
        self.assertEqual(score, 75)

    def test_a_closed_gate_leaves_nothing_for_speed_and_says_why(self):
        rules_made = [Rule("builds").passed(), Rule("find-first").failed("1", "2")]
        times = {"ratio": 9.0, "low": 8.0, "high": 10.0}
        score, points, notes = grade.grade(rules_made, times, grade.Rubric(), True)
        self.assertEqual(points[-1]["points"], 0)
        self.assertIn("find-first failed", notes[0])
        self.assertAlmostEqual(score, 100 * 10 / 90, 1)


class Memory(unittest.TestCase):
    """What is made of Valgrind's log, and of counts, without a submission."""

    def judged(self, log):
        player = types.SimpleNamespace(submission=types.SimpleNamespace(compile=lambda *_: None))
        with unittest.mock.patch.multiple(
                memory, count_pushes=lambda _: (1, 16), find_valgrind=lambda: "valgrind",
                valgrind_run=lambda _, script, *__: (None, [None] * (len(script) + 1), log)):
            return memory.judge(player, lambda *_: None, 1)

    def test_blocks_lost_directly_and_through_others_are_counted(self):
        (misuse, leaks), figures = self.judged(
            "==7==    definitely lost: 1,024 bytes in 2 blocks\n"
            "==7==    indirectly lost: 48 bytes in 3 blocks\n==7== ERROR SUMMARY: 0 errors from 0\n")
        self.assertEqual((misuse.status, leaks.status, leaks.found),
                         ("passed", "failed", "1,072 bytes lost"))
        self.assertEqual((figures["leaked_bytes"], figures["errors"]), (1072, 0))

    def test_the_first_error_is_named(self):
        (misuse, leaks), _ = self.judged(
            "==7== Invalid read of size 8\n==7==    at 0x1: queue_pop (queue.c:9)\n"
            "==7==    by 0x2: main (player.c:3)\n==7== ERROR SUMMARY: 1,002 errors from 2 contexts\n")
        self.assertEqual((misuse.status, leaks.status), ("failed", "passed"))
        self.assertIn("1002 errors, the first: Invalid read of size 8; queue_pop (queue.c:9)", misuse.found)

    def test_what_a_push_costs_is_what_came_while_pushing(self):
        def played(script):
            found = [types.SimpleNamespace(truth=True, mallocs=0, extra=0) for _ in range(len(script) + 1)]
            found[3].extra, found[4].mallocs = 500, 2 * memory.PUSHES
            found[5].extra = 500 + 24 * memory.PUSHES
            return None, found, True
        self.assertEqual(memory.count_pushes(types.SimpleNamespace(run=played)), (2, 24))


class Answers:
    """A searcher of our own: answers as told, in the form of searcher.c."""

    def __init__(self, *answers):
        self.answers = answers

    def environment(self, _):
        return {}

    def program(self, name):
        return name

    stage, box = "", property(lambda self: self)

    def run(self, *_, watch, stdin, **__):
        asked = os.fdopen(os.dup(stdin.fileno()), "rb")
        end, told = os.pipe()

        def answer():
            with asked, os.fdopen(told, "wb", 0) as out:
                for wrong, counts in self.answers:
                    nonce, _, _ = speed.REQUEST.unpack(asked.read(speed.REQUEST.size))
                    out.write(speed.ANSWER.pack(nonce ^ wrong, *counts, 0))
        thread = threading.Thread(target=answer)
        thread.start()
        try:
            watch(None, end, time.monotonic() + 60)
        finally:
            stdin.close()
            os.close(end)
            thread.join()


class Speed(unittest.TestCase):
    def run_side(self, wrong, counts):
        with tempfile.NamedTemporaryFile() as file:
            row = {"source": 1, "target": 2, "found": 1, "visited": 9, "pushed": 12}
            graph = types.SimpleNamespace(path=file.name, size=0, words=[], searches=[row])
            side = speed.Side("x", Answers((wrong, counts)))
            side.orders = [77]
            return side.run(graph, 60)

    def test_an_answer_has_its_number_its_counts_and_its_order(self):
        [(_, order, mallocs)] = self.run_side(0, (1, 9, 12, 77, 5))
        self.assertEqual((order, mallocs), (77, 5))
        for wrong, counts, words in ((1, (1, 9, 12, 77, 5), "an answer to search 1"),
                                     (0, (0, 9, 12, 77, 5), "search 1: found 1"),
                                     (0, (1, 8, 12, 77, 5), "search 1: visited 9"),
                                     (0, (1, 9, 13, 77, 5), "search 1: pushed 12"),
                                     (0, (1, 9, 12, 78, 5), "in the order they were pushed")):
            with self.assertRaises(speed.Wrong) as caught:
                self.run_side(wrong, counts)
            self.assertIn(words, caught.exception.args[0])

    def test_the_ratio_of_a_round_is_the_geometric_mean_over_its_searches(self):
        graph = types.SimpleNamespace(timed=[[0], [1, 2]])
        mine = types.SimpleNamespace(rounds=[[1, 1, 1], [2, 1, 1]])
        plain = types.SimpleNamespace(rounds=[[1, 6, 2], [2, 1, 1]])
        self.assertEqual(speed.round_ratios(mine, plain, graph), [2, 1])


class Batch(unittest.TestCase):
    def test_the_same_score_is_the_same_rank(self):
        with tempfile.TemporaryDirectory() as top:
            made = types.SimpleNamespace(output=pathlib.Path(top), problems={"z": "no card"})
            batch.ranking(made, [(name, {"score": score, "rules": [], "speed": None})
                                 for name, score in (("a", 90), ("b", 90), ("c", 50))])
            rows = (made.output / "ranking.csv").read_text().splitlines()[1:]
        self.assertEqual([row.split(",")[:3] for row in rows],
                         [["1", "a", "90"], ["1", "b", "90"], ["3", "c", "50"], ["", "z", ""]])

    def test_a_batch_is_ranked_and_goes_on_where_it_stopped(self):
        with tempfile.TemporaryDirectory() as top:
            hand_ins, cards = pathlib.Path(top, "hand-ins"), pathlib.Path(top, "cards")
            for name in ("good_plain", "off_by_one", "does_not_compile"):
                assemble(name, hand_ins / name)
            words = ["--batch", str(hand_ins), "--output", str(cards), "--no-speed", "--no-memory",
                     "--calls", "500"]
            done = run(*words)
            self.assertEqual((done.returncode, "3 cards" in done.stdout), (0, True), done.stderr)
            rows = (cards / "ranking.csv").read_text().splitlines()
            self.assertEqual([row.split(",")[:2] for row in rows[1:]],
                             [["1", "good_plain"], ["2", "off_by_one"], ["3", "does_not_compile"]])
            self.assertIn("off_by_one.html", (cards / "ranking.html").read_text())
            (cards / "off_by_one.json").unlink()  # as if it had been interrupted
            before = (cards / "good_plain.json").stat().st_mtime_ns
            self.assertIn("2 judged earlier", run(*words).stderr)
            self.assertEqual((cards / "good_plain.json").stat().st_mtime_ns, before)
            self.assertTrue((cards / "off_by_one.json").exists())


class Usage(unittest.TestCase):
    def test_exit_status_says_whether_there_is_a_card(self):
        done = run("/nonexistent", "--quiet")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(done.stderr, "judge: /nonexistent: no such file or folder\n")
        self.assertEqual(run("--format", "prose", "x").returncode, 2)
        self.assertEqual(run().returncode, 2)
        self.assertEqual(run("--help").returncode, 0)
        self.assertEqual(run("x", "--graph", "y").returncode, 2)
        self.assertEqual(run("x", "--scale", "2:1").returncode, 2)

    def test_every_rule_is_listed(self):
        names = [line.split()[1] for line in run("--list-rules").stdout.splitlines()]
        self.assertEqual(names, [row[0] for row in RULES])


@unittest.skipUnless(BUILD and os.environ.get("PW_STATIC", "OFF") == "OFF"
                     and not os.environ.get("PW_SANITIZE"), "needs a build with plain libraries")
class OwnLibraries(unittest.TestCase):
    tiny = ["--graph", "generate:nodes=2k", "--pairs", "random:4", "--time", "0.5", "--scale",
            "0.0001:0.0002", "--bfs", f"{BUILD}/bin/bfs"]

    def test_this_projects_own_libraries_get_full_marks(self):
        """On a scale that no busy machine can miss: the searches are tiny."""
        card = card_of(pathlib.Path(BUILD) / "lib", "--env", "LINKED_LIST_ALLOC=slab", *self.tiny)
        self.assertEqual(failed(card), {})
        self.assertEqual(card["score"], 100)
        self.assertEqual(card["speed"]["verdict"], "full")
        self.assertEqual(len(card["speed"]["references"]), 3)
        schema = json.loads((JUDGE / "card.schema.json").read_text())
        self.assertEqual(list(violations(card, schema, "card")), [])
        if shutil.which("valgrind"):
            self.assertEqual((card["memory"]["errors"], card["memory"]["leaked_bytes"]), (0, 0))
            if os.environ.get("PW_OPTIMISED") != "OFF":
                self.assertGreater(card["speed"]["instructions"]["ratio"], 1.5)

    def test_wrong_answers_in_a_search_earn_nothing_for_speed(self):
        with tempfile.TemporaryDirectory() as top:
            rubric = pathlib.Path(top, "rubric.json")
            rubric.write_text('{"gates": ["answers"]}')
            folder = assemble("reads_the_pairs", pathlib.Path(top, "member"))
            card = card_of(folder, "--rubric", rubric, "--no-memory", *self.tiny)
        self.assertIn("search ", failed(card)["answers"]["found"] + failed(card)["answers"]["expected"])
        self.assertEqual(card["points"][-1]["group"], "speed")
        self.assertEqual(card["points"][-1]["points"], 0)
        self.assertIn("answers failed", " ".join(card["notes"]))

    @unittest.skipUnless(shutil.which("valgrind"), "needs Valgrind")
    def test_valgrind_names_what_it_found(self):
        with tempfile.TemporaryDirectory() as top:
            for name, rule in (("uses_freed_memory", "memory-misuse"), ("leaks", "memory-leaks")):
                card = card_of(assemble(name, pathlib.Path(top, name)), "--no-speed")
                self.assertIn(rule, failed(card), name)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--assemble"] and len(sys.argv) == 4:
        assemble(sys.argv[2], sys.argv[3])
    else:
        unittest.main()

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
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parents[1]
JUDGE = SOURCE / "perf" / "judge"
BUILD = os.environ.get("PW_BUILD")
AT_ONCE = 4

# name: (rules that must fail, words of what was found in the first of them, extra options)
SHORT = ["--limit", "1"]
ZOO = {
    "good_plain": ([], "", []),
    "good_pool": ([], "", []),
    "good_cpp": ([], "", []),
    "loops": (["queue-order"], "it did not end within", SHORT),
    "sleeps": (["queue-order"], "queue_push(queue0, 3u): it did not end within", SHORT),
    "ignores_signals": (["queue-order"], "queue_pop(queue0, &data): it did not end within", SHORT),
    "crashes": (["empty-list", "find-first"], "linked_list_find(ll0, 1u): it was ended by SIGSEGV",
                []),
    "forks": (["queue-alone", "null-list", "random-calls"], "it asked for a process", []),
    "takes_all_memory": (["empty-list"], "linked_list_create(): it was ended by SIGSEGV", []),
    "floods": (["null-queue", "queue-order"], "it printed without end", []),
    "prints_the_card": (["null-list", "queue-order", "random-calls"],
                        "it ended with exit status 0", []),
    "exits": (["queue-order", "queue-empty"], "queue_pop(queue0, &data): it ended with exit status 0",
              []),
    "exits_in_cleanup": (["cleanup", "empty-list"], "it ended with exit status 0", []),
    "replaces_malloc": (["exports"], "free, malloc", []),
    "reads_the_pairs": (["long-queue"], "of them", []),
    "forges_answers": (["null-list", "random-calls"], "answers that are not the judge's", []),
    "overwrites_host": (["insert-ends"], "linked_list_insert_end(", []),
    "writes_files": (["empty-list"], "linked_list_create(): NULL", []),
    "kills_others": (["null-list", "random-calls"], "it ", []),
    "strays_in_build": ([], "", []),
    "does_not_compile": (["builds"], "error", []),
    "leaks": (["cleanup", "delete-filled"], "blocks", []),
    "linear_push": (["constant-time"], "times as long", []),
    "off_by_one": (["insert-index"], "false", []),
    "last_in_first_out": (["queue-order"], "data", []),
    "ignores_registered": (["registered"], "requests to another malloc", []),
    "trusts_malloc": (["failed-malloc"], "with request 1 failing", []),
    "uses_freed_memory": (["queue-order"], "data 3755991007", []),  # the judge's own pattern
    "rare_fault": (["random-calls"], "", []),
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
    """The card of a member, with the exit status of the judge."""
    assemble(name, folder)
    return card_of(folder, *words)


def card_of(*words):
    done = run(*map(str, words), "--format", "json", "--quiet", "--calls", "4000")
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
                            ("rare_fault", {"random-calls"})):
            self.assertLessEqual(set(failed(self.cards[name])), rules, name)

    def test_what_does_not_build_scores_nothing(self):
        self.assertEqual(self.cards["does_not_compile"]["score"], 0)

    def test_a_submission_that_claims_success_scores_next_to_nothing(self):
        for name in ("prints_the_card", "forges_answers", "kills_others"):
            self.assertLess(self.cards[name]["score"], 20, name)

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


class Usage(unittest.TestCase):
    def test_exit_status_says_whether_there_is_a_card(self):
        done = run("/nonexistent", "--quiet")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(done.stderr, "judge: /nonexistent: no such file or folder\n")
        self.assertEqual(run("--format", "prose", "x").returncode, 2)
        self.assertEqual(run().returncode, 2)
        self.assertEqual(run("--help").returncode, 0)


class OwnLibraries(unittest.TestCase):
    @unittest.skipUnless(BUILD and os.environ.get("PW_STATIC", "OFF") == "OFF"
                         and not os.environ.get("PW_SANITIZE"), "needs a build with plain libraries")
    def test_this_projects_own_libraries_get_full_marks(self):
        card = card_of(pathlib.Path(BUILD) / "lib")
        self.assertEqual(failed(card), {})
        self.assertEqual(card["score"], 100)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--assemble"] and len(sys.argv) == 4:
        assemble(sys.argv[2], sys.argv[3])
    else:
        unittest.main()

"""judge --batch: every submission of a folder, and a ranking.

1. Each folder within is a submission, judged by a process of its own; JOBS of them at a time.
2. A card that is there already is kept, unless its submission is newer: a run that was interrupted goes
   on where it stopped. A mark beside each card says with which options it was made.
3. Correctness runs overlap; times are taken in a second pass, one submission at a time.
"""
import concurrent.futures
import csv
import hashlib
import io
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading

import archives
import card_html
import grade
import mend
import speed
from intake import LEFT_OUT, TooMuch, newest
from levels import not_asked
from printable import cell, clean, counted, file_name, printable, without_folders
from rules import Rule, not_reached
from submission import HERE, CannotGrade, only_folder


KILL_SECONDS = 20  # for a judge that is asked to end


class Batch:
    def __init__(self, options, words, rubric, say):
        self.options, self.words, self.say = options, words, say
        self.rubric, rubric_text = rubric, json.dumps(rubric.as_json())
        self.folder, self.opened = pathlib.Path(options.batch), None
        name = self.folder.resolve().name
        if self.folder.is_file() and archives.is_archive(name):
            self.open_archive()
        if not self.folder.is_dir():
            raise CannotGrade(f"{self.folder}: is no folder, zip or tar file" if self.folder.exists()
                              else f"{self.folder}: no such folder")
        self.output = pathlib.Path(options.output or f"{name}-cards")
        self.output.mkdir(exist_ok=True)
        self.problems = {}
        self.names = self.find_hand_ins()
        if not self.names:
            raise CannotGrade(f"{options.batch}: no folders and no archives, so no submissions")
        self.mark = hashlib.sha256("\0".join([*words, rubric_text]).encode()).hexdigest()[:16]
        self.children = set()
        self.lock = threading.Lock()
        self.is_ending = False
        self.cache = None  # a folder, while it runs

    def open_archive(self):
        """A zip or tar file with hand-ins in it."""
        self.opened = tempfile.TemporaryDirectory(prefix="judge-batch-")
        try:
            archives.unpack(self.folder, self.opened.name)
        except (archives.NoArchive, TooMuch) as problem:
            raise CannotGrade(f"{self.folder}: {problem}") from None
        self.folder = only_folder(pathlib.Path(self.opened.name))

    def find_hand_ins(self):
        """Folders and archives, but for the judge's own output. What else is there has a line in the ranking; hidden
        files are of the system."""
        names = []
        for path in sorted(self.folder.iterdir()):
            if path.name.startswith(".") or path.name in LEFT_OUT:
                continue
            if path.is_symlink():
                self.problems[path.name] = "it is a link, which is not followed"
            elif path.is_dir() and path.samefile(self.output):
                continue
            elif path.is_dir() or path.is_file() and archives.is_archive(path.name):
                names.append(path.name)
            else:
                self.problems[path.name] = "it is neither a folder nor a zip or tar file"
        return names

    def card_path(self, name):
        return self.output / f"{file_name(name)}.json"

    def kept(self, name):
        """The card made earlier with the same options, or None."""
        try:
            text = self.card_path(name).read_text(encoding="utf-8")
            mark = json.loads((self.output / ".marks").joinpath(file_name(name)).read_text(encoding="utf-8"))
            if mark == [self.mark, newest(self.folder / name)]:
                return json.loads(text)
        except (OSError, ValueError):
            pass
        return None

    def judge(self, name, *more):
        """Run a judge of its own, which shares the cache of this batch; its card, or None with the problem
        noted."""
        before = newest(self.folder / name)
        words = [sys.executable, str(HERE / "judge"), str(self.folder / name), *self.words, *more,
                 "--format", "json", "--quiet", *(["--cache", self.cache] if self.cache else [])]
        with self.lock:
            if self.is_ending:
                return None
            process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE)
            self.children.add(process)
        is_late, output, errors = self.wait_for(process)
        self.children.discard(process)
        if is_late:
            return late_card(self.folder / name, self.rubric, self.options), before
        if process.returncode != 0:
            lines = errors.decode("utf-8", "backslashreplace").strip().splitlines()
            self.problems[name] = printable(without_folders((lines or ["no card"])[-1][:300].removeprefix("judge: ")))
            return None
        try:
            card = json.loads(output)
        except ValueError:
            self.problems[name] = "no card"
            return None
        self.problems.pop(name, None)
        return card, before

    def wait_for(self, process):
        """(whether it took too long, output, errors). Asked to end it cleans up; a judge that does not hear that
        is killed."""
        for number in (None, signal.SIGTERM, signal.SIGKILL):
            if number is not None:
                process.send_signal(number)
            try:
                output, errors = process.communicate(
                    timeout=self.options.patience if number is None else KILL_SECONDS)
                return number is not None, output, errors
            except subprocess.TimeoutExpired:
                continue
        return True, *process.communicate()

    def keep(self, name, made):
        if made is None:
            return
        card, before = made
        write(self.card_path(name), json.dumps(card, indent=1) + "\n")
        write(self.output / f"{file_name(name)}.html", card_html.html(card))
        marks = self.output / ".marks"
        marks.mkdir(exist_ok=True)
        write(marks / file_name(name), json.dumps([self.mark, before]))

    def end(self):
        with self.lock:
            self.is_ending = True
            for process in self.children:
                process.send_signal(signal.SIGTERM)
        for process in list(self.children):
            process.wait()

    def run(self):
        """All cards, best first: [(name, card)]."""
        open_names = [name for name in self.names if self.kept(name) is None]
        self.say(f"{counted(len(self.names), 'submission')}, {len(self.names) - len(open_names)} judged earlier",
                 True)
        with tempfile.TemporaryDirectory(prefix="judge-cache-") as self.cache:
            try:
                if self.options.speed:
                    self.run_timed(open_names)
                else:
                    self.run_together(open_names, lambda name, made: self.keep(name, made))
            except KeyboardInterrupt:
                self.end()
                raise
        cards = [(name, self.kept(name)) for name in self.names]
        return sorted(((name, card) for name, card in cards if card),
                      key=lambda pair: (*(-value for value in order_of(pair[1])), pair[0]))

    def run_together(self, names, then, *more):
        """JOBS at a time."""
        pool = concurrent.futures.ThreadPoolExecutor(self.options.jobs)
        try:
            work = {pool.submit(self.judge, name, *more): name for name in names}
            for done, future in enumerate(concurrent.futures.as_completed(work), 1):
                name = work[future]
                then(name, future.result())
                self.say(f"{done} of {len(names)}: {printable(name)}", True)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        pool.shutdown()

    def run_timed(self, names):
        """Rules first and together; a hand-in that may earn points for speed is judged again, alone. A card
        whose gates are closed is final: speed was asked for and earns nothing."""
        fast = []

        def then(name, made):
            if made and (made[0]["points"][-1]["why"] == grade.NOT_TIMED or level(made[0]) == 1):
                fast.append(name)
            else:
                self.keep(name, made)

        self.run_together(names, then, "--untimed")
        for number, name in enumerate(sorted(fast), 1):
            self.say(f"speed, {number} of {len(fast)}: {printable(name)}", True)
            self.keep(name, self.judge(name))


def late_card(path, rubric, options):
    """Of a hand-in whose judge did not end: whatever held it up was its own."""
    rules = [Rule("builds").failed("a card", f"judging it took longer than {options.patience:g} s")]
    rules += not_reached(rules, ["build", "contract"] + (["memory"] if options.memory else []), "not reached",
                         not_asked(options.level or 2, False))
    times = dict(speed.NOTHING) if options.speed else None
    score, points, notes = grade.grade(rules, times, rubric)
    box = dict.fromkeys(("bubblewrap", "seccomp", "namespaces", "own_user", "control_group", "limits",
                         "no_new_privileges"), False)
    return clean({
        "schema": "pointer-wars-card/1",
        "submission": {"name": path.name}, "score": score, "points": points,
        "rubric": rubric.as_json(),
        "build": {"how": None, "command": None, "seconds": 0.0, "warnings": 0, "first_warnings": [],
                  "headers": None, "level": options.level, "log": [], "advice": None,
                  "shown_by": []},
        "rules": [rule.as_json() for rule in rules], "memory": None, "speed": times, "operations": None,
        "threads": None,
        "isolation": {**box, "summary": "its judge was ended", "missing": []}, "notes": notes})


def write(path, text):
    """The file gets its name only when it is complete."""
    part = path.with_name(f".{path.name}.part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)


def level(card):
    return card.get("build", {}).get("level") or ""


def order_of(card):
    """A hand-in of a higher level is ranked first, so that leaving something out gains nothing."""
    return (level(card) or 0, card["score"])


def by_clock(card):
    """(the points that no clock has a part in, interval of the rest) of level 3, whose own search is timed; or None."""
    times = card["speed"] or {}
    own, cost = times.get("own_search") or {}, (times.get("instructions") or {}).get("cost_ratio")
    if not own.get("ratio") or not cost:
        return None
    sure = sum(row["points"] for row in card["points"] if row["group"] != "speed")
    return round(sure, 6), cost * own["low"], cost * own["high"]


def shares_place(card, first):
    """True if nothing but the noise of a clock is between two cards."""
    one, other = by_clock(card), by_clock(first)
    return order_of(card) == order_of(first) or (
        one is not None and other is not None and level(card) == level(first) and one[0] == other[0]
        and one[1] <= other[2] and other[1] <= one[2])


def ratios(card):
    """What the points for speed come from, and the clock's ratio with its interval; empty where speed was not judged."""
    times = card["speed"] or {}
    values = [(times.get("instructions") or {}).get("cost_ratio"), *map(times.get, ("ratio", "low", "high"))]
    return [f"{value:.3f}" if value else "" for value in values]


def ranking(batch, cards):
    """The ranking as CSV, and as text for a terminal; submissions without a card are at the end."""
    rows, rank = [], 0
    for place, (name, card) in enumerate(cards, 1):
        if not rows or not shares_place(card, cards[rank - 1][1]):
            rank = place
        passed = sum(rule["status"] == "passed" for rule in card["rules"])
        rows.append([rank, name, f"{card['score']:g}", level(card), passed, len(card["rules"]),
                     *ratios(card), mend.in_words(card)])
    rows += [["", name, *[""] * 8, problem] for name, problem in
             sorted(batch.problems.items())]
    heads = ["rank", "submission", "score", "level", "rules_passed", "rules", "cost_ratio", "speed_ratio",
             "speed_low", "speed_high", "mend_first"]
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerows([[cell(value) for value in row] for row in [heads, *rows]])
    write(batch.output / "ranking.csv", text.getvalue())
    return as_table([heads, *rows])


def as_table(rows):
    """Place, name, score, level, and the first thing to mend."""
    chosen = [[printable(str(row[at])) for at in (0, 1, 2, 3, len(row) - 1)] for row in rows]
    widths = [max(len(row[at]) for row in chosen) for at in range(4)]
    return "".join("  ".join([row[0].rjust(widths[0]), row[1].ljust(widths[1]), row[2].rjust(widths[2]),
                              row[3].rjust(widths[3]), row[4].replace("_", " ") if row is chosen[0] else row[4]]
                             ).rstrip() + "\n" for row in chosen)

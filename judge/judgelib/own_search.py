"""Level 3: a search of the hand-in's own, the challenge's program as they changed it.

1. Its queue_performance reads a graph and 100 pairs from the files of the challenge, in the box; the graph and
   the pairs are drawn for this run, unless they are given. What it prints is compared with what bfs finds.
2. Counts need not be the published ones: a search that marks nodes earlier visits fewer. Where it prints
   them, the card says whether they are.
3. It is timed beside published_search.c on the same queue, in fresh processes that take turns, by processor
   time. What loading costs is measured with pairs that end at once, and subtracted; more than the published
   program's loading counts as search, so that no work hides there.
"""
import json
import os
import pathlib
import re

import intake
import runner
import stats
from rules import Rule
from sandbox import MEBIBYTE, Job, Limits
from speed import CONFIDENCE, PRECISION, ROUNDS_LEAST, SLOWEST, Graph, figure
from building import PROGRAM, CHALLENGE_FILES
from submission import CannotGrade

GRAPH, PAIRS = "generate:nodes=40k,seed={seed}", "random:100,seed={seed}"
SEARCHES, ROUNDS_MOST = 100, 20
MATRIX = "wikipedia-20070206/wikipedia-20070206.mtx"
ANSWER = re.compile(r"between node (\d+) -> (\d+)|Nodes visited: *(\d+)|^(No path|Path) found", re.M)
NOTHING = {"ratio": None, "low": None, "high": None, "confidence": None, "seconds": None,
           "published_seconds": None, "rounds": 0, "graph": None, "counts": None}


def answers(text):
    """[(source, target, visited or None, found)] of what was printed, in order."""
    found, now = [], None
    for source, target, visited, words in ANSWER.findall(text):
        if source:
            now = [int(source), int(target), None, None]
        elif now is not None and visited:
            now[2] = int(visited)
        elif now is not None and words:
            found.append((*now[:3], words == "Path"))
            now = None
    return found


def wrong_in(told, searches):
    """None, or (expected, found)."""
    if len(told) < len(searches):
        return (f"{len(searches)} answers, each a line with the pair and a line with \"Path found\" or \"No path "
                "found\"", f"{len(told)} of them")
    for number, (row, (source, target, _, found)) in enumerate(zip(searches, told), 1):
        if (source, target) != (row["source"], row["target"]):
            return f"search {number}: {row['source']} -> {row['target']}", f"{source} -> {target}"
        if found != bool(row["found"]):
            return f"search {number}: {'a path' if row['found'] else 'no path'}", \
                "a path" if found else "no path"
    return None


def counts_of(told, searches):
    """What the card says of the counts. The published loop takes the last edge of a graph twice."""
    if any(row[2] is None for row in told[:len(searches)]):
        return "not printed"
    same = all(0 <= mine[2] - row["visited"] <= 1 for mine, row in zip(told, searches))
    return "as the published search" if same else "another search's"


class Place:
    """A folder of the box with the files that the challenge's program reads."""

    def __init__(self, submission, bfs, words, scratch):
        graph, pairs = words
        self.folder = pathlib.Path(submission.stage) / "search"
        (self.folder / MATRIX).parent.mkdir(mode=0o755, parents=True)
        made = os.path.join(scratch, "own.mtx")
        Graph.ask(str(pathlib.Path(bfs).with_name("graph-convert")), graph, made, "--quiet")
        matrix = pathlib.Path(made).read_bytes()
        intake.write_new(self.folder / MATRIX, matrix)
        self.size = len(matrix)
        report = json.loads(Graph.ask(bfs, made, pairs, "--engine", "classic", "--format", "json",
                                      "--counters", "none", "--quiet"))
        self.searches = report["searches"][:SEARCHES]
        first = re.search(rb"^(\d+) (\d+)$", matrix, re.M)
        quick = b"%s %s\n" % first.groups() if first else b"1 1\n"
        self.pairs = {False: "".join(f"{row['source']} {row['target']}\n" for row in self.searches).encode(),
                      True: quick * SEARCHES}

    def ask(self, is_quick):
        """The pairs that come next."""
        target = self.folder / "nodes"
        target.unlink(missing_ok=True)
        intake.write_new(target, self.pairs[is_quick])


def run(submission, place, program, seconds, environment, is_quick=False):
    """(outcome, what it printed)."""
    place.ask(is_quick)
    outcome = submission.box.run(Job(
        [submission.program(program)], str(place.folder),
        Limits(seconds=seconds, memory=4096 * MEBIBYTE + 32 * place.size), plays=True,
        environment=submission.environment(environment)))
    return outcome, outcome.output.decode("utf-8", "replace")


def first_run(rule, submission, place, seconds, environment):
    """The rule's fault, or None; the counts."""
    outcome, text = run(submission, place, PROGRAM, seconds, environment)
    told = answers(text)
    wrong = wrong_in(told, place.searches)
    if outcome.status != 0 and (wrong is None or outcome.status is None):
        wrong = f"that {PROGRAM} finishes", outcome.text()
    if wrong is not None:
        rule.failed(*wrong)
    return None if wrong else counts_of(told, place.searches)


def timed(submission, place, seconds, limit, environment, say, seed):
    """[(own seconds, published seconds)] of rounds, without what loading costs."""
    programs = (PROGRAM, "published_search")
    base = {program: run(submission, place, program, limit, environment, True)[0].processor
            for program in programs}
    load = min(base.values())
    rounds = []
    for number, order in runner.turns(programs, seed):
        if number > ROUNDS_MOST or len(rounds) >= ROUNDS_LEAST and (
                sum(map(sum, rounds)) > seconds or
                stats.enough([theirs / mine for mine, theirs in rounds], [1.0] * len(rounds), PRECISION,
                             CONFIDENCE)):
            return rounds
        say(f"search: round {number}")
        found = {}
        for program in order:
            outcome, text = run(submission, place, program, limit, environment)
            if outcome.status != 0 or wrong_in(answers(text), place.searches) is not None:
                return []
            own_load = load if program == PROGRAM else base[program]
            found[program] = max(outcome.processor - own_load, 1e-4)
        rounds.append((found[PROGRAM], found["published_search"]))
    return rounds


def judge(options, submission, scratch, say, seed):
    """(rule, figures for the card)."""
    rule = Rule("own-search")
    if submission.own_program is None:
        return rule.failed(f"make {PROGRAM} makes a program", submission.program_problem
                           or f"the build made no {PROGRAM}"), dict(NOTHING)
    intake.write_new(pathlib.Path(submission.program(PROGRAM)), submission.own_program, 0o755)
    words = options.graph or GRAPH.format(seed=seed), options.pairs or PAIRS.format(seed=seed)
    bfs = runner.find_bfs(options.bfs)
    place = Place(submission, bfs, words, scratch)
    environment = dict(options.env)
    problem = submission.compile(CHALLENGE_FILES / "published_search.c", "published_search", "-O2",
                                 libraries=("-lqueue", "-llinked_list"))
    if problem is not None:
        raise CannotGrade(f"the published search does not build: {problem}")
    say("search: the published program, and its own")
    published, _ = run(submission, place, "published_search", 3600.0, environment)
    limit = max(options.limit, SLOWEST * published.processor)
    counts = first_run(rule, submission, place, limit, environment)
    if counts is None:
        return rule, dict(NOTHING)
    rule.passed(f"counts: {counts}")
    rounds = timed(submission, place, options.time, limit, environment, say, seed)
    if not rounds:
        return rule, {**NOTHING, "counts": counts, "graph": " ".join(words)}
    mine, theirs = zip(*rounds)
    return rule, {**figure(stats.ratios(theirs, mine)), "seconds": stats.median(mine),
                  "published_seconds": stats.median(theirs), "rounds": len(rounds),
                  "graph": " ".join(words), "counts": counts}

"""Speed: the challenge's own search with the submission's queue, beside references.

1. A graph and pairs, given or drawn: a graph for each run, pairs for each round, so that no answer can
   be known before. bfs, the project's own program, says what each search finds and counts; a snapshot of
   graph-convert is what every child maps.
2. References: plain_list.c, built by the judge as a submission is; the two queues of challenge_queues.c, on
   the plain list; this project's libraries with pool and slab, where they are found beside bfs. They take
   part in the first rounds only, but the plain list in all, since the ratio is to it alone.
3. A round is one fresh process per side, with a fresh copy of its libraries, in an order drawn each
   time. A question goes to the child by a pipe, the answer comes by the private descriptor, and the judge's
   own clock runs in between. After the last answer the code of the search is compared, byte by byte.
4. A search's ratio is the median of the rounds' ratios, plain list to submission, with its interval
   (stats.py). The whole is the geometric mean over the searches. Rounds go on until its interval is
   narrow, or time is up. Short searches are checked but not timed; where all are, their sum is.
5. Every answer and count is compared, and the order of all popped nodes with the plain list's order. The
   pops' share of the time is on the card, beside the plain list's.
6. Points come from what repeats: instructions and misses of a fixed cache, simulated by Callgrind, on a graph that is
   always the same. All that the process runs is counted, whatever its name, its object and its stack, less what the
   same process runs when nothing is asked. The judge's own search must run as it does with the plain list. The
   clock must agree within a factor of three: grade.py.
7. What is timed and counted the judge has compiled and linked itself, and runs no code when it is loaded.
"""
import contextlib
import copy
import json
import math
import os
import pathlib
import random
import re
import secrets
import select
import shutil
import struct
import subprocess
import tempfile
import time

import cache
import hot
import intake
import runner
import stats
from building import CHALLENGE_FILES
from memory import NO_VALGRIND, VALGRIND_LIMITS, find_valgrind, own_log
from rules import Rule
from sandbox import MEBIBYTE, Job, Limits, Sandbox, descendants, one_way
from submission import HERE, LIBRARIES, CannotGrade, Submission

GRAPH, PAIRS = "generate:nodes=100k,seed={seed}", "random:10,seed={seed}"
SMALL_GRAPH, SMALL_PAIRS = "generate:nodes=5k,seed=1", "random:3,seed=1"
CACHES = ("--cache-sim=yes", "--I1=32768,8,64", "--D1=32768,8,64", "--LL=1048576,16,64")
MISS, LAST_MISS = 10, 100  # what a miss of the first level costs, and one of the last, in instructions
TIMED_PUSHES = 20_000   # a search with fewer is checked, but too short to be timed
PRECISION = 0.03        # half the interval, as a share of the ratio
ROUNDS_LEAST, ROUNDS_MOST = 8, 60  # nothing is called slower by fewer; other references take part in so many
CONFIDENCE = 0.95
SLOWEST = 30            # times as slow as the reference, and it is taken for one without an end
REQUEST, ANSWER = struct.Struct("<QIII4x"), struct.Struct("<9Q")
# The snapshot's header, data/store/snapshot_layout.h: its start, then (begin, length) of each array.
HEADER, SECTION = struct.Struct("<8sI52x"), struct.Struct("<QQ")
SNAPSHOT = (b"PWGRAPH\0", 3)
NOTHING = {"ratio": None, "low": None, "high": None, "confidence": None, "verdict": "not measured",
           "searches": [], "references": [], "instructions": None, "why": None}
COUNTED = ("found", "visited", "pushed")
SEARCH = "searcher-counted", "judge_search"  # a program, and a function of it
COUNTING = ("-O2", "-DWITH_VALGRIND", "-DWITH_DUMPS")  # flags of the searcher whose instructions are counted
ON_LOAD = "its library runs code when it is loaded; speed is not judged"
NOT_LINKED = "the judge cannot compile and link its sources itself; speed is not judged"
BOUND = "array"         # no list can be faster: it shows what is left, and is nobody's next step
# The queues of challenge_queues.c: the name on the card, and the first line of its source.
QUEUES = (("LIFO list", "#define LIFO_LIST\n"), (BOUND, ""))


class Wrong(Exception):
    """A side gave a wrong answer, or no answer: (expected, found)."""


class Graph:
    """A snapshot in a file of ours, what is asked, and what must be answered."""

    def __init__(self, bfs, graph, pairs, folder):
        self.name = graph
        self.path = os.path.join(folder, f"graph-{len(os.listdir(folder))}.pwg")
        self.bfs = bfs
        self.pushes = []  # of each round
        self.groups = []  # of each round: the searches that are timed together
        self.ask(str(pathlib.Path(bfs).with_name("graph-convert")), graph, self.path, "--quiet")
        self.ask_for(pairs)
        with open(self.path, "rb") as file:
            header = file.read(4096)
        if HEADER.unpack_from(header) != SNAPSHOT:
            raise CannotGrade(f"{bfs} writes snapshots of another version than the judge reads")
        places = [SECTION.unpack_from(header, HEADER.size + SECTION.size * i) for i in range(2)]
        self.words = [str(places[0][0]), str(places[1][0]), str(places[0][1] // 8 - 1)]
        self.size = os.path.getsize(self.path)

    def ask_for(self, pairs):
        """What is asked from now on, and what must be answered."""
        report = json.loads(self.ask(self.bfs, self.path, pairs, "--engine", "classic", "--alloc", "slab",
                                     "--format", "json", "--counters", "none", "--quiet"))
        self.searches = report["searches"]
        for row in self.searches:
            if not isinstance(row["source"], int) or row["status"] != "done":
                raise CannotGrade(f"{self.name}: the searches need a graph of ids")
        long = [i for i, row in enumerate(self.searches) if row["pushed"] >= TIMED_PUSHES]
        self.timed = [[i] for i in long] or [list(range(len(self.searches)))]

    def without_questions(self):
        """The same graph, about which nothing is asked."""
        made = copy.copy(self)
        made.searches = []
        return made

    @staticmethod
    def ask(*words):
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              check=False)
        if done.returncode != 0:
            raise CannotGrade(runner.last_line(done.stderr))
        return done.stdout


class Side:
    """The submission or a reference: a searcher, and its times, [seconds of each search] a round."""

    def __init__(self, name, submission, environment=None):
        self.name = name
        self.submission = submission
        self.environment = submission.environment(environment)
        self.rounds = []
        self.count = None     # simulated instructions
        self.pop_shares = []  # of each round: the pops' part of the searches' time
        self.orders = None
        self.log = b""
        self.calls = None   # mallocs of the last round

    def build(self):
        problem = self.submission.compile(HERE / "searcher.c", "searcher", "-O2")
        if problem is not None:
            raise CannotGrade(f"{self.name}: the searcher does not build: {problem}")

    def run(self, graph, seconds, wrap=(), environment=None, memory=4096 * MEBIBYTE, log=None,
            writable=(), libraries=None):
        """(seconds, order and calls of each search) in a process of its own; Wrong when an answer is."""
        limits = Limits(seconds=seconds, memory=memory + 4 * graph.size,
                        files=VALGRIND_LIMITS["files"])
        graph_file = os.open(graph.path, os.O_RDONLY)
        asked, asking = (os.fdopen(end, mode, 0) for end, mode in zip(one_way(), ("rb", "wb")))
        answers = []
        program = self.submission.program(SEARCH[0] if wrap else "searcher")
        own_libraries = libraries is None
        libraries = libraries or self.submission.fresh_libraries()

        def watch(process, results, deadline):
            asked.close()
            for number, row in enumerate(graph.searches, 1):
                nonce = secrets.randbits(64)
                request = REQUEST.pack(nonce, row["source"], row["target"],
                                       secrets.randbits(32))  # another salt for each search
                start = time.perf_counter()
                try:
                    asking.write(request)
                except ConnectionError:
                    raise Wrong(f"search {number} is answered", "the process ended") from None
                data = receive(results, ANSWER.size, deadline, process and process.stdout.fileno())
                elapsed = time.perf_counter() - start
                if data is None:
                    raise Wrong(f"search {number} is answered", "no answer came in time")
                told = ANSWER.unpack(data)
                if told[0] != nonce:
                    raise Wrong(f"an answer to search {number}", "something else")
                for name, value in zip(COUNTED, told[1:4]):
                    if value != row[name]:
                        raise Wrong(f"search {number}: {name} {row[name]:,}", f"{value:,}")
                if self.orders and told[4] != self.orders[number - 1]:
                    raise Wrong(f"search {number}: nodes in the order they were pushed",
                                "another order")
                answers.append((elapsed, told[4], told[5], told[7], told[8]))
            if not wrap and self.submission.box.reads_memory:
                check_code(program)
            asking.close()

        try:
            outcome = self.submission.box.run(Job(
                [*wrap, program, str(graph_file), *graph.words, "{results}", *([str(log[1])] if log else [])],
                str(self.submission.stage), limits, keep=[graph_file], results=True,
                environment={**self.environment, "LD_LIBRARY_PATH": libraries, **(environment or {})},
                plays=True, writes=bool(wrap), watch=watch, stdin=asked, writable=writable, log=log))
        finally:
            asked.close()
            asking.close()
            os.close(graph_file)
            if own_libraries:
                shutil.rmtree(libraries, ignore_errors=True)
        if len(answers) != len(graph.searches):
            raise Wrong("all searches are answered", outcome.text())
        self.log = getattr(outcome, "log", b"")
        return answers


def check_code(program):
    """The machine code of the searcher that runs is the code of its file; Wrong when it is not."""
    wanted = os.stat(program)
    with open(program, "rb") as file:
        own = file.read()
    for process in descendants():
        try:
            with open(f"/proc/{process}/maps", encoding="utf-8", errors="replace") as file:
                rows = [line.split() for line in file]
            code = [row for row in rows if "x" in row[1] and int(row[4]) == wanted.st_ino]
            if not code:
                continue
            with open(f"/proc/{process}/mem", "rb", 0) as memory:
                for row in code:
                    start, end = (int(place, 16) for place in row[0].split("-"))
                    offset = int(row[2], 16)
                    length = min(end - start, len(own) - offset)
                    if os.pread(memory.fileno(), length, start) != own[offset:offset + length]:
                        raise Wrong("the search as the judge compiled it", "its code was changed")
        except (OSError, ValueError, IndexError):
            continue
        return
    raise Wrong("the search as the judge compiled it", "its code cannot be read any more")


def receive(file, length, deadline, printed=None):
    """So many bytes, or None at the end or when it is too late. printed: a descriptor whose bytes are dropped, so that
    whoever prints waits for nobody."""
    data, open_ends = b"", [file] + ([] if printed is None else [printed])
    while len(data) < length:
        left = deadline - time.monotonic()
        ready = select.select(open_ends, [], [], left)[0] if left > 0 else []
        if not ready:
            return None
        if file not in ready:
            open_ends = open_ends if os.read(printed, 1 << 16) else [file]
            continue
        part = os.read(file, length - len(data))
        if not part:
            return None
        data += part
    return data


# References -----------------------------------------------------------------------------------

def reference_of(box, isolation, queue="plain_queue.c", first="", name="plain"):
    """The plain list with a queue, as a submission that is not built yet. first: the queue's first line."""
    folder = pathlib.Path(box.make(name, is_theirs=False))
    shutil.copy(CHALLENGE_FILES / "plain_list.c", folder)
    (folder / queue).write_text(first + (CHALLENGE_FILES / queue).read_text(encoding="utf-8"), encoding="utf-8")
    made = Submission([folder], box, lambda text: None, name=f"{name}-", level=2, isolation=isolation)
    made.is_reference = True
    return made


def plain_side(box, isolation):
    return built("plain list", reference_of(box, isolation))


def queue_sides(box, isolation):
    """What a good hand-in does, and the bound."""
    return [built(name, reference_of(box, isolation, "challenge_queues.c", first, name.split()[0]))
            for name, first in QUEUES]


@contextlib.contextmanager
def plain_submission(isolation):
    """The plain list, built in a box of its own."""
    with Sandbox(isolation) as box:
        submission = reference_of(box, isolation)
        submission.copy()
        submission.make()
        yield submission


def built(name, submission, environment=None):
    submission.copy()
    rule = submission.make_unchecked()
    if not submission.is_built:
        raise CannotGrade(f"{name}: {rule.found}")
    side = Side(name, submission, environment)
    side.build()
    return side


def own_sides(bfs, box):
    """pool and slab of this project, where its libraries are found beside bfs."""
    folder = pathlib.Path(bfs).parent.parent
    for place in [folder / "lib", *sorted(folder.glob("lib/*-linux-gnu"))]:
        if all((place / name).is_file() for name in LIBRARIES):
            sides = []
            for name in ("pool", "slab"):
                submission = Submission([place / library for library in LIBRARIES], box,
                                        lambda text: None, name=f"{name}-", level=2)
                submission.is_reference = True
                sides.append(built(f"this project's {name}", submission,
                                   {"LINKED_LIST_ALLOC": name}))
            return sides
    return []


# Rounds -----------------------------------------------------------------------------------------

def geometric_mean(values):
    return math.exp(sum(math.log(value) for value in values) / len(values))


def round_ratios(side, plain, graph):
    """Of each round: how many times as fast as the plain list, over all timed searches."""
    return [geometric_mean([sum(theirs[i] for i in group) / sum(mine[i] for i in group)
                            for group in groups])
            for mine, theirs, groups in zip(side.rounds, plain.rounds, graph.groups)]


def run_rounds(sides, graph, seconds, seed, say, pairs=None, limit=60.0):
    """Rounds until the submission's ratio is known well, or the time is up. sides: submission, plain
    list, others, which take part in the first rounds. pairs: what is asked in a round, from a seed; None:
    always the same. limit: seconds of processor time for the searches of one process."""
    draw, start = random.Random(seed), time.monotonic()
    first, plain = sides[0], sides[1]
    for number, order in runner.turns(sides, seed):
        done = number - 1
        spent = time.monotonic() - start
        if done >= ROUNDS_MOST or done >= 2 and spent * (done + 1) / done > seconds:
            return
        ratios = round_ratios(first, plain, graph)
        if done >= ROUNDS_LEAST and stats.enough(ratios, [1.0] * done, PRECISION, CONFIDENCE):
            return
        if pairs is not None and done:
            graph.ask_for(pairs.format(seed=draw.getrandbits(64)))
        found = {}
        for side in order if done < ROUNDS_LEAST else [one for one in order if one in sides[:2]]:
            say(f"speed: round {number}, {side.name}")
            found[side] = side.run(graph, limit)
        for side, answers in found.items():
            for number, (mine, theirs) in enumerate(zip(answers, found[plain]), 1):
                if mine[1] != theirs[1]:
                    raise Wrong(f"search {number}: nodes in the order they were pushed", "another order")
        for side, answers in found.items():  # only whole rounds count
            side.rounds.append([answer[0] for answer in answers])
            side.calls = [answer[2] for answer in answers]
            side.pop_shares.append(sum(answer[3] for answer in answers)
                                   / max(sum(answer[4] for answer in answers), 1))
        graph.groups.append(graph.timed)
        graph.pushes.append([row["pushed"] for row in graph.searches])


def figure(values):
    """ratio, low, high, confidence of the median."""
    low, high, confidence = stats.interval(values, CONFIDENCE)
    return {"ratio": stats.median(values), "low": low, "high": high, "confidence": confidence}


def side_seconds(side):
    return stats.median([sum(times) for times in side.rounds])


# Instructions -----------------------------------------------------------------------------------

def instructions(side, graph, seconds):
    """((simulated instructions of all that answers the questions, with what their misses cost, of the judge's own
    search) or None, Callgrind's file)."""
    if side.submission.compile(HERE / "searcher.c", SEARCH[0], *COUNTING):
        return None, ""
    libraries = side.submission.fresh_libraries()
    scratch = side.submission.box.make("scratch")
    try:
        without = simulated(side, graph.without_questions(), seconds, scratch, libraries)
        whole = simulated(side, graph, seconds, scratch, libraries)
    except Wrong:
        return None, ""
    finally:
        shutil.rmtree(libraries, ignore_errors=True)
    place = os.open(scratch, os.O_RDONLY | os.O_DIRECTORY)
    data = intake.read_beneath(place, f"{side.submission.name}instructions") or b""
    text = data.decode("utf-8", "backslashreplace")
    os.close(place)
    if None in (whole, without):
        return None, text
    return (*cost_of([one - two for one, two in zip(whole, without)]), hot.cost_of(text, *SEARCH)), text


def simulated(side, graph, seconds, scratch, libraries):
    """Callgrind's sums over the whole of a process, as its log has them, or None."""
    log = one_way()
    words = [find_valgrind(), "--tool=callgrind", "--vgdb=no", f"--log-fd={log[1]}", "--compress-strings=no",
             "--compress-pos=no", *CACHES, f"--callgrind-out-file={scratch}/{side.submission.name}instructions"]
    try:
        side.run(graph, seconds, words, {"TMPDIR": scratch}, VALGRIND_LIMITS["memory"], log, [scratch], libraries)
    finally:
        os.close(log[0])
    found = re.findall(r"Collected : ([\d ]+)", own_log(side.log.decode("utf-8", "replace")))
    return [int(word) for word in found[-1].split()] if found else None


def cost_of(sums):
    """(instructions, with what misses cost) of Callgrind's sums: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw."""
    return sums[0], sums[0] + MISS * sum(sums[3:6]) + LAST_MISS * sum(sums[6:9])


def reference_count(side, graph, seconds):
    """The simulated instructions of a reference: they repeat, and are kept (cache.py)."""
    ours = side.submission
    environment = sorted(pair for pair in side.environment.items() if pair[0] != "LD_LIBRARY_PATH")
    asked = [graph.words, [[row[name] for name in ("source", "target", *COUNTED)] for row in graph.searches]]
    with open(graph.path, "rb") as file:
        parts = ["instructions", *CACHES, *cache.identity(find_valgrind()),
                 *ours.parts_of(HERE / "searcher.c", COUNTING), *ours.contents(),
                 json.dumps([environment, asked]), file.read()]

    def simulated():
        counts = instructions(side, graph, seconds)[0]
        return None if counts is None else json.dumps(counts).encode()
    data = cache.once(ours.box, parts, simulated)
    return None if data is None else tuple(json.loads(data))


def count_instructions(sides, bfs, folder, say):
    if find_valgrind() is None:
        return {"status": NO_VALGRIND, "ratio": None}
    say("speed: simulated instructions")
    graph = Graph(bfs, SMALL_GRAPH, SMALL_PAIRS, folder)
    count, lines = instructions(sides[0], graph, 60.0)
    counts = [count, *(reference_count(side, graph, 60.0) for side in sides[1:])]
    for side, count in zip(sides, counts):
        side.count = count and count[0]
    if counts[0] is None or counts[1] is None:
        return {"status": "no count", "ratio": None}
    if counts[0][2] != counts[1][2]:
        raise Wrong(f"simulated, {counts[1][2]:,} instructions of the judge's own search", f"{counts[0][2]:,}")
    pushes = sum(row["pushed"] for row in graph.searches)
    return {"status": "simulated", "graph": f"{SMALL_GRAPH} {SMALL_PAIRS}", "submission": counts[0][0],
            "plain": counts[1][0], "ratio": counts[1][0] / counts[0][0], "pushes": pushes,
            "cost": counts[0][1], "plain_cost": counts[1][1], "cost_ratio": counts[1][1] / counts[0][1],
            "hot": hot.hottest(lines, pushes, sides[0].submission.source_line)}


# All ---------------------------------------------------------------------------------------------

def seeds(told):
    """(of the order of turns and of later pairs, of the graph, of the first pairs): each of its own, so that
    whoever learns one knows no other. A seed of bfs has 64 bits; the first one 128."""
    if told is not None:
        return told, told, told
    return secrets.randbits(128), secrets.randbits(64), secrets.randbits(64)


def judge(options, submission, say):
    """(rule of the answers, the card's speed)."""
    rule = Rule("answers")
    ours = submission.linked_here()
    why = ON_LOAD if (ours or submission).runs_on_load else NOT_LINKED if ours is None else None
    if why is not None:
        return rule.not_judged(why), {**NOTHING, "verdict": "not judged", "why": why}
    try:
        bfs = runner.find_bfs(options.bfs)
    except runner.Failed as problem:
        raise CannotGrade(str(problem)) from None
    seed, of_graph, of_pairs = seeds(options.seed)
    graph_words = (options.graph or GRAPH.format(seed=of_graph),
                   options.pairs or PAIRS.format(seed=of_pairs))
    with tempfile.TemporaryDirectory(prefix="judge-graph-") as folder, \
            Sandbox(options.isolation) as box:
        say("speed: graph and references")
        graph = Graph(bfs, *graph_words, folder)
        plain = plain_side(box, options.isolation)
        try:
            slowest = max(options.limit, SLOWEST * sum(answer[0] for answer in plain.run(graph, 600.0)))
        except Wrong as wrong:
            raise CannotGrade(f"the plain list does not agree with bfs: {wrong}") from None
        side = Side("submission", ours, dict(options.env))
        side.build()
        sides = [side, plain, *queue_sides(box, options.isolation), *own_sides(bfs, box)]
        try:
            run_rounds(sides, graph, options.time, seed, say, None if options.pairs else PAIRS, slowest)
            counted = count_instructions(sides, bfs, folder, say)
        except Wrong as wrong:
            return rule.failed(*wrong.args), dict(NOTHING)
        return rule.passed(), speed_card(sides, graph, graph_words, counted)


def speed_card(sides, graph, graph_words, counted):
    submission, plain = sides[:2]
    searches = []
    for i, row in enumerate(graph.searches):
        pushed = int(stats.median([pushes[i] for pushes in graph.pushes]))
        long = [at for at, pushes in enumerate(graph.pushes) if pushes[i] >= TIMED_PUSHES] \
            if pushed >= TIMED_PUSHES else range(len(graph.pushes))
        mine, theirs = ([side.rounds[at][i] for at in long] for side in (submission, plain))
        searches.append({"search": i + 1, "source": row["source"], "target": row["target"],
                         "found": row["found"], "visited": row["visited"], "pushed": pushed,
                         "seconds": stats.median(mine), "plain_seconds": stats.median(theirs),
                         "mallocs": submission.calls[i], "n": len(long),
                         "is_timed": pushed >= TIMED_PUSHES,
                         **figure(stats.ratios(theirs, mine))})
    references = [{"name": side.name, "seconds": side_seconds(side), "instructions": side.count,
                   "n": len(side.rounds), "is_bound": side.name == BOUND,
                   **figure(round_ratios(side, plain, graph))} for side in sides[1:]]
    return {**figure(round_ratios(submission, plain, graph)), "verdict": "not measured",
            "graph": " ".join(graph_words), "rounds": len(plain.rounds),
            "seconds": side_seconds(submission), "searches": searches,
            "pop_share": stats.median(submission.pop_shares),
            "plain_pop_share": stats.median(plain.pop_shares), "references": references, "why": None,
            "instructions": counted}

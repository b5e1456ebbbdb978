"""Level 4: lists and queues in several threads, and what they give at 1, 2 and 4.

1. The patterns of threads.c, with the challenge's functions alone: queues of each thread's own; queues that
   one thread creates, another uses and a third deletes; one queue under the caller's mutex.
2. A wrong value or a crash is a finding, with the program that shows it: threads.c itself.
3. Where its sources can be built by the compiler alone, all is built again with ThreadSanitizer, in the box
   of a build; a report is a finding with its text. It runs there too: its runtime maps a shadow of all memory,
   and refuses a limit of addresses; the limit of the whole box stays.
4. Speed is the program's own, of the first pattern: it earns no points.
"""
import os
import pathlib
import re

import building
import contract
import intake
import stats
from building import LIBRARIES
from printable import counted, printable
from rules import Rule
from sandbox import Job, Limits, Sandbox
from submission import HERE

PATTERNS = {"threads-own": ("own", 300), "threads-handed": ("handed", 40), "threads-shared": ("shared", 60)}
COUNTS = (1, 2, 4)
SPEED_ROUNDS, SAMPLES = 300, 5
RACE_ROUNDS = {"own": 20, "handed": 5, "shared": 5}
DONE = re.compile(r"^(\d+) calls ([\d.]+) seconds$", re.M)


def play(player, pattern, threads, rounds):
    """(outcome, (calls, seconds) or None)."""
    box = player.submission.box
    outcome = box.run(Job([player.submission.program("threads"), pattern, str(threads), str(rounds)],
                          str(player.submission.stage), Limits(seconds=2 * player.seconds, processes=16),
                          environment=player.environment, plays=True))
    player.late += contract.LATE_MAX * outcome.is_late  # no other pattern is tried
    done = DONE.search(outcome.output.decode("utf-8", "replace")) if outcome.status == 0 else None
    return outcome, done and (int(done[1]), float(done[2]))


def shown(pattern, threads, rounds):
    """The program of the card: threads.c, with its words."""
    return (f'#define SHOWN "{pattern}", "{threads}", "{rounds}" /* compile it with -pthread, too */\n'
            + (HERE / "threads.c").read_text(encoding="utf-8"))


def judge_patterns(player, say):
    rules = []
    for name, (pattern, rounds) in PATTERNS.items():
        rule = Rule(name)
        if player.is_over:
            rules.append(rule.not_judged(contract.TOO_LATE, is_fault=True))
            continue
        for threads in COUNTS:
            say(f"threads: {pattern}, {threads}")
            outcome, done = play(player, pattern, threads, rounds)
            if done is None:
                words = outcome.first_words() if outcome.status == 1 else outcome.text()
                rule.failed("every value as it was pushed", printable(f"with {counted(threads, 'thread')}: {words}"),
                            shown(pattern, threads, rounds))
                break
        rules.append(rule if rule.status == "failed" else rule.passed())
    return rules


# ThreadSanitizer --------------------------------------------------------------------------------

def report_of(text):
    """The first report: its heading, and the functions of the hand-in that it names."""
    found = re.search(r"WARNING: ThreadSanitizer: ([^\n(]+)", text)
    if found is None:
        return None
    frames = re.findall(r"#\d+ (\w+) \S*?([\w.]+:\d+)", text[found.end():])
    places = [f"{name} {place}" for name, place in frames if not place.startswith("threads.c")]
    return f"{found[1].strip()}: " + "; ".join(dict.fromkeys(places[:6]))


def judge_races(player, isolation, say):
    """The rule of races: not judged where there are no sources that the compiler alone builds."""
    rule = Rule("threads-races")
    submission = player.submission
    if player.is_over:
        return rule.not_judged(contract.TOO_LATE, is_fault=True)
    say("threads: ThreadSanitizer")
    made = submission.built_again("-fsanitize=thread", "-O1")
    if made.problem:
        return rule.not_judged(f"the compiler alone does not build it with ThreadSanitizer: {made.problem}")
    with Sandbox(isolation) as box:
        return run_races(rule, box, submission, made)


def run_races(rule, box, submission, made):
    folder = pathlib.Path(box.make("races", is_theirs=False))
    for name in LIBRARIES:
        intake.write_new(folder / name, made.libraries[name], 0o755)
    building.write_challenge_headers(folder)
    intake.write_new(folder / "threads.c", (HERE / "threads.c").read_bytes())
    out = box.make("races-out")
    program = os.path.join(out, "threads")
    outcome = box.run(Job([building.COMPILER, "-g", "-O1", "-D_GNU_SOURCE", "-fsanitize=thread",
                           *submission.renames, "-I", str(folder), str(folder / "threads.c"), "-L", str(folder),
                           "-Wl,--no-as-needed", "-llinked_list", "-lqueue", "-lpthread", "-o", program], out,
                          Limits(seconds=120, **building.BUILD_LIMITS), writable=[out]))
    if outcome.status != 0:
        return rule.not_judged("there is no ThreadSanitizer here")
    fixed = ["setarch", "-R"]  # random addresses may lie where it has its shadow; a container may forbid to fix them
    if box.run(Job([*fixed, "true"], out, Limits())).status != 0:
        fixed = []
    for pattern, rounds in RACE_ROUNDS.items():
        outcome = box.run(Job([*fixed, program, pattern, "4", str(rounds)], out,
                              Limits(seconds=60, memory=None, processes=16), writable=[out],
                              environment={"LD_LIBRARY_PATH": str(folder), "TSAN_OPTIONS": "halt_on_error=0"}))
        text = outcome.output.decode("utf-8", "replace")
        report = report_of(text)
        if report is not None:
            return rule.failed("no data race", printable(f"pattern {pattern}: {report}"))
        if outcome.status != 0:
            return rule.not_judged("ThreadSanitizer does not run here" if "ThreadSanitizer" in text else
                                   f"with ThreadSanitizer {outcome.text()}")
    return rule.passed()


# Speed ------------------------------------------------------------------------------------------

def speeds(player, say):
    """[{"threads", "ns", "low", "high"}]: ns of the clock per push or pop, of all threads together."""
    rows = []
    for threads in COUNTS:
        say(f"threads: speed of {threads}")
        found = [done for _, done in (play(player, "own", threads, SPEED_ROUNDS) for _ in range(SAMPLES))]
        if None in found:
            return []
        values = [seconds / calls * 1e9 for calls, seconds in found]
        low, high, _ = stats.interval(values)
        rows.append({"threads": threads, "ns": stats.median(values), "low": low, "high": high})
    return rows


def judge(options, player, say):
    """(rules, figures of the card)."""
    problem = player.submission.compile(HERE / "threads.c", "threads", "-O2", "-DJUDGED",
                                        libraries=("-llinked_list", "-lqueue", "-lpthread"))
    if problem is not None:
        return [Rule(name).not_judged(f"the judge's program does not build: {problem}", is_fault=True)
                for name in PATTERNS], None
    rules = [*judge_patterns(player, say), judge_races(player, options.isolation, say)]
    is_right = all(rule.status == "passed" for rule in rules[:-1])
    return rules, {"rows": speeds(player, say) if is_right and options.speed and not options.untimed else []}

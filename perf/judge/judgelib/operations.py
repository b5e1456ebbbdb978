"""Level 1, timed as its published review was: what each call costs, beside the plain list.

Sizes inside and outside of the caches; fresh processes that take turns; samples during which the process was put
aside are dropped (getrusage), and counted. The medians have intervals (stats.py), the card a box plot. They
earn no points: the clock is in the process of the hand-in.
"""
import struct

import runner
import stats
from printable import printable
from sandbox import MEBIBYTE, Limits
from speed import CONFIDENCE, plain_submission
from submission import HERE, CannotGrade

NAMES = ("create", "insert_end", "insert_front", "find", "iterate", "delete")
SIZES = (("in the caches", 500), ("outside of the caches", 300_000))
ROW = struct.Struct("<IId")
ROUNDS = 15


def build(submission, name):
    problem = submission.compile(HERE / "operations.c", "operations", "-O2", libraries=("-llinked_list",))
    if problem is not None:
        raise CannotGrade(f"{name}: the judge's program does not build: {problem}")


def sample(submission, environment, size, has_end, seconds):
    """{operation: (ns, whether it was put aside)} of one process; {} when it did not come to its end."""
    outcome = submission.box.run(
        [submission.program("operations"), str(size), "{results}", *(["end"] if has_end else [])],
        str(submission.stage), Limits(seconds=seconds, memory=4096 * MEBIBYTE), results=True, plays=True,
        environment=submission.environment(environment))
    if outcome.status != 0 or len(outcome.results) % ROW.size:
        return {}
    return {NAMES[number]: (ns, switches > 0) for number, switches, ns in ROW.iter_unpack(outcome.results)
            if number < len(NAMES)}


def figures(values):
    """What a row of the card has of one side."""
    low, high, _ = stats.interval(values, CONFIDENCE)
    ordered = sorted(values)
    return {"ns": stats.median(values), "low": low, "high": high, "least": ordered[0], "most": ordered[-1],
            "lower": ordered[len(ordered) // 4], "upper": ordered[(3 * len(ordered)) // 4]}


def row_of(name, where, size, found):
    """A row of the card, or None when a side has too few samples. Where hardly any is without a switch, as
    on a busy machine, all count: their intervals say so."""
    kept = {side: [ns for ns, is_aside in values if not is_aside] for side, values in found.items()}
    kept = {side: values if len(values) > 2 else [ns for ns, _ in found[side]]
            for side, values in kept.items()}
    if not all(len(values) > 2 for values in kept.values()):
        return None
    dropped = sum(is_aside for ns, is_aside in found["own"])
    return {"operation": name, "where": where, "elements": size, "own": figures(kept["own"]),
            "plain": figures(kept["plain"]), "dropped": dropped, "samples": len(found["own"])}


def judge(options, submission, rules, say, seed):
    """{"rows": ..., "rounds": ...} for the card."""
    has_end = not any(rule.name == "constant-time" and "insert_end" in str(rule.found) for rule in rules)
    build(submission, "submission")
    rows = []
    with plain_submission(options.isolation) as plain:
        build(plain, "plain list")
        sides = {"own": (submission, dict(options.env)), "plain": (plain, {})}
        for where, size in SIZES:
            found = {name: {side: [] for side in sides} for name in NAMES}
            for number, order in runner.turns(list(sides), seed):
                if number > ROUNDS:
                    break
                say(f"operations: {where}, round {number}")
                for side in order:
                    with_end = has_end or side == "plain" or size < 1000
                    taken = sample(*sides[side], size, with_end, options.limit)
                    if not taken:
                        return {"rows": rows, "rounds": ROUNDS, "problem": printable(
                            f"with {size:,} elements a sample did not come to its end")}
                    for name, value in taken.items():
                        found[name][side].append(value)
            rows += [row for row in (row_of(name, where, size, found[name]) for name in NAMES) if row]
    return {"rows": rows, "rounds": ROUNDS, "problem": None}

"""Level 1, timed: the seconds of one script of calls on a long list, and the plain list's.

1. A list gets SIZE elements at its front; a find without a match walks it; all are removed. The same again with
   insertion at the end, unless that takes longer the longer the list is.
2. Fresh processes of the two sides take turns; the card has the medians. They earn no points.
"""
import statistics

import contract
import runner
from calls import call
from sandbox import MEBIBYTE, Limits
from speed import plain_submission
from submission import HERE, CannotGrade

SIZE = 2_000_000
ROUNDS = 5
ABSENT = 0xFFFFFFFF


def script(has_end):
    """What is played; every call of it is one of level 1."""
    ways = ("fill_front", "fill_end") if has_end else ("fill_front",)
    return [*contract.REGISTER_LIST, call("list_create"),
            *(one for way in ways for one in (call(way, index=SIZE), call("list_find", data=ABSENT),
                                              call("drain_front", index=SIZE))),
            call("list_delete")]


def player(name, submission, options, environment):
    problem = submission.compile(HERE / "player.c", "player-timed", "-O2", "-DPLAIN_MEMORY")
    if problem is not None:
        raise CannotGrade(f"{name}: the judge's program does not build: {problem}")
    return contract.Player(submission, options.limit, environment)


def judge(options, submission, rules, say, seed):
    """{"seconds": ..., "reference": ...} for the card; None when the script did not finish."""
    has_end = not any(rule.name == "constant-time" and "insert_end" in str(rule.found) for rule in rules)
    calls = script(has_end)
    limits = Limits(seconds=options.limit, memory=4096 * MEBIBYTE)
    with plain_submission(options.isolation) as plain:
        sides = {"seconds": player("submission", submission, options, dict(options.env)),
                 "reference": player("plain list", plain, options, {})}
        found = {side: [] for side in sides}
        for number, order in runner.turns(list(sides), seed):
            if number > ROUNDS:
                break
            say(f"calls: round {number}")
            for side in order:
                outcome, records, _ = sides[side].run(calls, program="player-timed", limits=limits)
                if outcome.status != 0 or len(records) != len(calls) + 1:
                    return None
                found[side].append(outcome.seconds)
    return {side: statistics.median(values) for side, values in found.items()}

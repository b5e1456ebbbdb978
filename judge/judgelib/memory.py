"""Memory: what a push costs, and what Valgrind says of a long script.

1. mallocs per push and bytes per node, as the registered functions see them, over PUSHES pushes.
2. The edge cases and random calls once more under Memcheck, without the calls that are known to be wrong: invalid
   accesses, use of uninitialised memory, and blocks lost. Its log comes through a socket that is closed in the program before code of
   the submission runs; Valgrind keeps a copy that the program cannot reach.
Without Valgrind the two rules are not judged.
"""
import os
import re
import shutil

import calls
import contract
import faults
from calls import call
from printable import counted
from rules import Rule
from sandbox import MEBIBYTE, Limits, one_way
from submission import HERE

NO_VALGRIND = "Valgrind is not installed"
PUSHES = 100_000
RANDOM_CALLS = 2_000
VALGRIND_LIMITS = {"memory": 16384 * MEBIBYTE, "files": 256}


def find_valgrind():
    return shutil.which("valgrind")


def valgrind_run(player, ours, script, words, seconds):
    """(outcome, records, log) of a script under Valgrind."""
    log = one_way()
    scratch = player.submission.box.make("scratch")
    try:
        outcome, found, genuine = player.run(
            script, [find_valgrind(), "--vgdb=no", f"--log-fd={log[1]}", *words], "player-plain",
            environment={"TMPDIR": scratch, **ours.environment()}, writes=True, writable=[scratch], log=log, last=[str(log[1])],
            limits=Limits(seconds=seconds, **VALGRIND_LIMITS))
    finally:
        os.close(log[0])
    return outcome, found if genuine else [], own_log(outcome.log.decode("utf-8", "replace"))


def own_log(text):
    """The lines of the first process that speaks: Valgrind's own, which began before any other."""
    first = re.search(r"^==(\d+)==", text, re.M)
    mark = f"=={first[1]}==" if first else "==?=="
    return "\n".join(line for line in text.splitlines() if line.startswith(mark))


def count_pushes(player):
    """(mallocs per push, bytes per node), or None for both when the script shows a fault."""
    create, fill, delete = ("queue_create", "fill_queue", "queue_delete") if player.level > 1 else \
        ("list_create", "fill_end", "list_delete")
    before = [*contract.REGISTER, call(create)]
    script = player.adapted([*before, call("counts"), call(fill, index=PUSHES), call("counts"),
                             call(delete), *contract.END])
    if player.ledger.hung(script):
        return None, None
    _, found, _ = player.run(script)
    at = script.index(call("counts"))
    if len(found) != len(script) + 1 or not found[at + 1].truth:
        return None, None
    return found[at + 1].mallocs / PUSHES, (found[at + 2].extra - found[at].extra) / PUSHES


def words_of(lines):
    """The frames of the hand-in: the judge's own program is not a place to mend."""
    frames = [re.sub(r"^(at|by) 0x[0-9A-F]+: ", "", row) for row in lines if re.match(r"(at|by) 0x", row)]
    return [row for row in frames if not re.search(r"\((player|write|vg_replace_\w+)\.c:", row)][:2]


def log_lines(log):
    """What Valgrind says, with its plurals mended: it writes "in 1 blocks are"."""
    log = re.sub(r"\b1 (byte|block|error|context)s\b", r"1 \1", log).replace("1 block are ", "1 block is ")
    return [re.sub(r"^==\d+== ?", "", line).strip() for line in log.splitlines() if line.startswith("==")]


def memory_read(log):
    """faults.UNWRITTEN or FREED, if the first error is about such memory."""
    first = re.search(r"^==\d+== (.*)\n(?:==\d+==    (?:at|by) .*\n)+==\d+== +(.*)", log, re.M)
    if first is None:
        return None
    return faults.UNWRITTEN if "uninitialised" in first[1] else faults.FREED if "free'd" in first[2] else None


def first_error(log):
    """The kind of the first error, and where it is."""
    lines = log_lines(log)
    for at, line in enumerate(lines):
        if re.match(r"Syscall param write", line):
            return "a call gave a value that was never written"
        if re.match(r"(Invalid|Use of|Conditional|Mismatched|Source and|Syscall|Argument|Process "
                    r"terminating)", line):
            end = next((i for i in range(at + 1, len(lines)) if not re.match(r"(at|by) 0x", lines[i])), len(lines))
            return "; ".join([line.rstrip(":"), *words_of(lines[at + 1:end])])[:300]
    return "an error"


def first_leak(log):
    """Valgrind's line of the first block that is lost, and where that was asked for."""
    lines = log_lines(log)
    for at, line in enumerate(lines):
        if re.search(r"(are|is) definitely lost in loss record", line):
            end = next((i for i in range(at + 1, len(lines)) if not re.match(r"(at|by) 0x", lines[i])), len(lines))
            return "; ".join([re.sub(r" in loss record.*", "", line), *words_of(lines[at + 1:end])])[:300]
    return None


def number(pattern, log):
    found = re.findall(pattern, log)
    return int(found[-1].replace(",", "")) if found else 0


def judge(player, say, seconds):
    """(rules, figures) of the group "memory"."""
    misuse = Rule("memory-misuse")
    leaks = Rule("memory-leaks")
    rules = [misuse, leaks]
    per_push, per_node = count_pushes(player)
    figures = {"mallocs_per_push": per_push, "bytes_per_node": per_node, "leaked_bytes": None,
               "errors": None, "tool": None}
    if find_valgrind() is None:
        for rule in rules:
            rule.not_judged(NO_VALGRIND)
        return rules, figures
    ours = player.submission.linked_here() if player.submission.runs_early else player.submission
    if ours is None or ours.runs_early:
        for rule in rules:
            rule.not_judged("its library runs code before Valgrind's log is out of reach", is_fault=True)
        return rules, figures
    problem = ours.compile(HERE / "player.c", "player-plain", "-DPLAIN_MEMORY",
                                        "-DWITH_VALGRIND")
    if problem is not None:
        for rule in rules:
            rule.not_judged(f"the judge's program does not build: {problem}", is_fault=True)
        return rules, figures
    if player.is_over:
        for rule in rules:
            rule.not_judged(contract.TOO_LATE, is_fault=True)
        return rules, figures
    say("memory: Valgrind")
    script = contract.all_edges(player) + \
        contract.random_script(1, RANDOM_CALLS)[len(contract.REGISTER):]
    script = player.ledger.peaceful(player.adapted([*script, call("cleanup")]))
    outcome, found, log = valgrind_run(
        player, ours, script, ["--leak-check=full", "--errors-for-leak-kinds=none", "--num-callers=6"],
        max(seconds * 3, 30) if player.late else max(seconds * 6, 60))
    broken = {function for function, _ in player.ledger.costs}
    explain = {one for one in broken if player.ledger.is_broken(one)} | player.ledger.reads.get(memory_read(log), set())
    if "ERROR SUMMARY" not in log:
        why = f"under Valgrind {outcome.text()}"
        for rule in rules:
            rule.not_judged(why, is_fault=not broken)
        return rules, figures
    figures["tool"] = "Valgrind"
    figures["errors"] = number(r"ERROR SUMMARY: ([\d,]+) errors", log)
    figures["leaked_bytes"] = number(r"definitely lost: ([\d,]+) bytes", log) + \
        number(r"indirectly lost: ([\d,]+) bytes", log)
    is_whole = len(found) == len(script) + 1
    asks_nothing = not any(record.mallocs for record in found)
    if figures["errors"] and not explain:
        where = f"{counted(figures['errors'], 'error')}, the first: {first_error(log)}"
        if not is_whole:
            where += f"; ended in call {len(found) + 1}, {calls.c_text(script[len(found)])}"
        misuse.failed("no errors", where)
    elif not is_whole or asks_nothing:
        misuse.not_judged("no call asked for memory" if is_whole else
                          "the script did not finish under Valgrind", is_fault=not broken)
    else:
        misuse.but_for = explain if figures["errors"] else set()
        misuse.passed()
    judge_leaks(player, leaks, log, figures, is_whole, asks_nothing)
    return rules, figures


def judge_leaks(player, leaks, log, figures, is_whole, asks_nothing):
    """What Memcheck says of lost blocks, unless a function is known that keeps them."""
    known = {function for function, kind in player.ledger.costs if kind in (faults.LEAK, faults.REFUSED)}
    line = first_leak(log)
    if not is_whole or asks_nothing:
        leaks.not_judged("no call asked for memory" if is_whole else
                         "the script did not finish under Valgrind", is_fault=not player.ledger.costs)
    elif figures["leaked_bytes"] and not known and not any(
            player.ledger.is_broken(function) for function, _ in player.ledger.costs):
        leaks.failed("0 bytes lost", f"{counted(figures['leaked_bytes'], 'byte')} lost: {line}")
    else:
        leaks.but_for = known if figures["leaked_bytes"] else set()
        leaks.passed(line)

"""The rules of the interface, each a script of calls that is played and held against the model.

1. Edge cases, one rule each, some ten calls long; a rule may have several scripts.
2. Random calls, 10^5 per seed, on lists, queues and iterators.
3. Every request for memory made to fail in turn.
4. Constant time: as many calls on one long structure as on many short ones.
A script that shows a fault is shortened by playing parts of it again, and goes into the card as a C
program. After three scripts that did not come to an end in time the rest is not judged.
One file: its chapters are what one submission is held against, in this order.
"""
import os
import random
import secrets

import calls
import levels
import shown
from calls import NULL, call
from model import Model, Perfect, is_possible, legal
from levels import REGISTER_LIST, REGISTER_QUEUE, adapted, is_whole
from rules import Rule
from sandbox import Job, Limits, memory_file

RANDOM_CALLS = 100_000
SHRINK_CALLS = 1_600_000     # played to shorten one script: some seconds, and the same on every machine
PLAY_CALLS = 3_000           # what starting a process for a script costs, in calls
LATE_MAX = 3
SHOWN_MOST = 80             # calls of a program on the card
PROGRAMS_MOST = 6
SHRUNK_MAX = 5              # failed rules whose scripts are shortened; the others are short as well
LONG, SHORT = 20_000, 500   # lengths of structures for constant time
GROWTH_SECONDS = 0.08       # more than that between short and long: 10^8 steps that should not be
SLOW_SECONDS = 1.0          # 20,000 calls of constant time take some milliseconds
MANY_WAITS = LONG // 2      # those calls need not wait at all
TIMED_RUNS = 4

REGISTER = REGISTER_LIST + REGISTER_QUEUE
END = [call("cleanup"), call("counts")]  # the player cleans up only with a hand-in that has it


def lists(*what):
    """A list in slot 0, these calls, and its end: nothing of a queue, so that a fault there is none of the
    list. What was given back is the matter of other rules, so that one leak does not fail them all."""
    return [*REGISTER_LIST, call("list_create"), *what, call("list_delete")]


def queues(*what):
    return [*REGISTER, call("queue_create"), *what, call("queue_delete")]


def filled(count, first=10):
    return [call("list_end", data=first + i) for i in range(count)]


LOOK = [call("list_size"), call("list_head"), call("list_walk", index=100)]


def null_list():
    return [[*REGISTER_LIST, *(call(name, NULL, 1, index) for name in
                          ("list_delete", "list_size", "list_end", "list_front", "list_insert",
                           "list_find", "list_remove") for index in (0, 1)),
             call("iterator_create", 0, NULL, 0), call("iterator_delete", NULL),
             call("iterator_next", NULL)]]


def null_queue():
    return [[*REGISTER, *(call(name, NULL, 1) for name in
                          ("queue_delete", "queue_push", "queue_pop", "queue_next",
                           "queue_has_next", "queue_size"))]]


def empty_list():
    return [lists(*LOOK, call("list_find", data=1), call("list_remove"),
                  call("list_remove", index=1), call("iterator_create", 0, 0, 0), *LOOK),
            lists(call("list_end", data=1), call("list_remove"), *LOOK,
                  call("list_end", data=2), call("list_front", data=3), *LOOK,
                  call("list_remove", index=1), call("list_remove"), *LOOK,
                  call("list_front", data=4), call("list_end", data=5), *LOOK)]


def insert_ends():
    return [lists(*(c for i in range(5) for c in (call("list_end", data=i), *LOOK))),
            lists(*(c for i in range(5) for c in (call("list_front", data=i), *LOOK))),
            lists(*(c for i in range(6) for c in
                    (call("list_end" if i % 2 else "list_front", data=i), *LOOK)))]


def insert_index():
    places = [(0,), (0, 0), (0, 1), (0, 1, 1, 3, 2, 0)]
    return [lists(*(c for i, place in enumerate(each)
                    for c in (call("list_insert", data=i, index=place), *LOOK)),
                  call("list_end", data=99), *LOOK) for each in places]


def insert_past_end():
    return [lists(call("list_insert", data=1, index=1), *LOOK, *filled(3),
                  call("list_insert", data=1, index=4), call("list_insert", data=1, index=10),
                  call("list_insert", data=1, index=calls.SIZE_MAX), *LOOK)]


def remove_index():
    return [lists(*filled(4), call("list_remove", index=place), *LOOK, call("list_end", data=7),
                  *LOOK) for place in range(4)] + \
        [lists(*filled(3), *(c for _ in range(3) for c in (call("list_remove", index=0), *LOOK)))]


def remove_past_end():
    return [lists(*filled(3), *(call("list_remove", index=place)
                                for place in (3, 4, calls.SIZE_MAX)), *LOOK)]


def find_first():
    return [lists(*(call("list_end", data=value) for value in (5, 7, 7, 0xFFFFFFFF, 0)),
                  *(call("list_find", data=value) for value in (5, 7, 0xFFFFFFFF, 0, 6)))]


def iterator_walk():
    return [lists(*filled(4), call("iterator_create", 0, 0, start),
                  *([call("iterator_next")] * (4 - start)), call("iterator_delete"))
            for start in range(4)] + \
        [lists(*filled(3), call("iterator_create", 0, 0, 0), call("iterator_create", 1, 0, 1),
               call("iterator_next", 1), call("iterator_next", 0), call("iterator_next", 1),
               call("iterator_delete", 1), call("iterator_next", 0), call("iterator_delete", 0))]


def iterator_past_end():
    return [lists(*filled(2), *(call("iterator_create", 0, 0, place)
                                for place in (2, 3, calls.SIZE_MAX)))]


def two_lists():
    return [lists(call("list_create", 1), call("list_end", 0, 1), call("list_end", 1, 2),
                  call("list_front", 0, 3), *LOOK, call("list_size", 1), call("list_walk", 1, 0, 9),
                  call("list_delete", 1), *LOOK)]


def queue_order():
    return [queues(*(call("queue_push", data=i) for i in range(5)), call("queue_next"),
                   *([call("queue_pop")] * 6), call("queue_push", data=8), call("queue_pop"),
                   call("queue_pop")),
            queues(*(c for i in range(8) for c in
                     (call("queue_push", data=i), call("queue_push", data=100 + i),
                      call("queue_pop"), call("queue_size"), call("queue_next"))))]


def queue_looks():
    look = [call("queue_next"), call("queue_next"), call("queue_has_next"), call("queue_size"),
            call("queue_next")]
    return [queues(call("queue_push", data=4), *look, call("queue_push", data=5), *look,
                   call("queue_pop"), *look)]


def queue_empty():
    look = [call("queue_pop"), call("queue_next"), call("queue_has_next"), call("queue_size"),
            call("queue_next")]
    return [queues(*look, call("queue_push", data=0), call("queue_pop"), *look)]


def delete_filled():
    return [lists(*filled(20)) + END, queues(*(call("queue_push", data=i) for i in range(20)),
                                             call("queue_pop")) + END]


def register_null():
    """False, and the functions registered before still serve."""
    none = [call(name) for name in ("list_malloc", "list_free", "queue_malloc", "queue_free")]
    return [[*none[:2], *REGISTER_LIST, *none[:2], call("list_create"), *filled(3), *LOOK,
             call("list_delete")],
            [*none, *REGISTER, *none, call("queue_create"), call("queue_push", data=1),
             call("queue_pop"), call("queue_delete")]]


def queue_registers():
    """The published header: the queue's functions set the list's."""
    return [[*REGISTER_QUEUE, call("list_create"), *filled(3), *LOOK, call("list_delete"),
             call("queue_create"), call("queue_push", data=1), call("queue_pop"),
             call("queue_delete")]]


def after_cleanup():
    return [[*REGISTER_LIST, call("list_create"), *filled(5), call("list_remove", index=1),
             call("iterator_create", 0, 0, 2), call("iterator_delete"), call("list_delete"), *END,
             call("list_create"), *filled(5), *LOOK, call("list_delete"), *END, *END],
            [*REGISTER, call("queue_create"), *(call("queue_push", data=i) for i in range(9)),
             *([call("queue_pop")] * 9), call("cleanup"), call("queue_push", data=7),
             call("queue_pop"), call("queue_delete"), *END]]


def long_queue():
    return [queues(call("fill_queue", index=40_000), call("drain_queue", index=40_000),
                   call("queue_size"), call("queue_pop"))]


# Rules whose scripts are made by a function; remarks on calls that the header leaves open.
REMARKS = {"register-null": register_null, "queue-registers": queue_registers}
EDGES = {
    "null-list": null_list,
    "null-queue": null_queue,
    "empty-list": empty_list,
    "insert-ends": insert_ends,
    "insert-index": insert_index,
    "insert-past-end": insert_past_end,
    "remove-index": remove_index,
    "remove-past-end": remove_past_end,
    "find-first": find_first,
    "iterator-walk": iterator_walk,
    "iterator-past-end": iterator_past_end,
    "two-lists": two_lists,
    "queue-order": queue_order,
    "queue-looks": queue_looks,
    "queue-empty": queue_empty,
    "delete-filled": delete_filled,
    "cleanup": after_cleanup,
    "long-queue": long_queue,
}


def asked(rows, level, has_cleanup):
    """{rule: its scripts} of a level. A script of which the level would leave something out is not played:
    the rest of it asks for something else. A rule without a script is not asked."""
    left_out = levels.not_asked(level, has_cleanup)
    found = {name: [adapted(script, level) for script in make() if is_whole(script, level)]
             for name, make in rows.items() if name not in left_out}
    return {name: scripts for name, scripts in found.items() if scripts}


# Playing ------------------------------------------------------------------------------------

def hint_of(address):
    """What an address says that ended a call."""
    if address is None:
        return ""
    high = address >> 32
    if high in (0xA5A5A5A5, 0xDFDFDFDF):
        what = "memory that was never written" if high == 0xA5A5A5A5 else "memory that was freed before"
        return f" (an address of 0x{high:x}...: {what})"
    return " (a NULL pointer)" if address < 4096 else ""


class Fault:
    """What a script showed: the call, what was expected and found."""

    def __init__(self, at, one, expected, found, is_late=False, cause=None):
        self.at, self.one = at, one
        self.cause = cause      # of an end that is no result: faults with the same one are one finding
        self.records = ()
        self.expected, self.found, self.is_late = expected, found, is_late

    def text(self):
        if self.one is None:
            return self.found
        return f"call {self.at + 1}, {calls.c_text(self.one)}: {self.found}"


class Player:
    """Plays scripts on a submission that was built."""

    def __init__(self, submission, seconds=10.0, environment=None):
        self.submission = submission
        self.level = submission.level
        self.has_cleanup = submission.has_cleanup
        self.seconds = seconds
        self.environment = submission.environment(environment)
        self.late = 0        # scripts that did not end in time
        self.programs = 0    # that were made to show a fault
        self.causes = set()  # of ends, that a program shows already
        self.shrunk = 0      # faults that were shortened
        self.processor = 0.0  # seconds of processor time of the last script, and how often it waited
        self.waits = 0

    def adapted(self, script):
        """As the level has it, and without registering by a function that the libraries lack: what that costs
        is "exports", and whatever crashes without it."""
        missing = self.submission.missing
        return [one for one in adapted(script, self.level)
                if one not in REGISTER or calls.FUNCTIONS[one[0]] not in missing]

    def run(self, script, wrap=(), program="player", keep=(), environment=None, last=(),
            **options):
        """(outcome, records, whether all of them are genuine) of a script."""
        script = self.adapted(script)
        nonce = secrets.randbits(64)
        file = memory_file(calls.script_bytes(script, nonce))
        limits = options.pop("limits", Limits(seconds=self.seconds))
        try:
            outcome = self.submission.box.run(Job(
                [*wrap, self.submission.program(program), str(file), "{results}", *last],
                str(self.submission.stage), limits, keep=[file, *keep], results=True,
                environment={**self.environment, **(environment or {})}, plays=True, **options))
        finally:
            os.close(file)
        found, genuine = calls.records(outcome.results, nonce)
        return outcome, found, genuine

    def play(self, script):
        """None when every call did as the model says and the child came to its end, else a Fault."""
        script = self.adapted(script)
        outcome, found, genuine = self.run(script)
        self.processor, self.waits = outcome.processor, outcome.waits
        fault = self.judge(script, outcome, found, genuine)
        if fault is not None:
            fault.records = found
        if fault is not None and fault.is_late:
            self.late += 1
        return fault, found

    @staticmethod
    def judge(script, outcome, found, genuine):
        model = Model()
        for at, (one, record) in enumerate(zip(script, found)):
            wrong = model.step(one, record)
            if wrong is not None:
                missing = record.flags & calls.MISSING
                return Fault(at, one, *wrong,
                             cause=f"no {calls.FUNCTIONS[one[0]]}" if missing else None)
        at = len(found)
        if at < len(script):
            one = script[at] if at or outcome.signal is None else None
            what = outcome.text() if genuine else "answers that are not the judge's"
            hint = hint_of(found.address)
            cause = what + (hint or f" in {one[0] if one else 'the start'}")
            return Fault(at, one, "the call returns", what + hint, outcome.is_late, cause)
        if not genuine or len(found) != len(script) + 1:
            return Fault(at, None, "the script comes to its end", outcome.text(), outcome.is_late)
        if outcome.status != 0:
            return Fault(at, None, "the process ends after the last call", outcome.text(),
                         outcome.is_late)
        return None

    # Showing ---------------------------------------------------------------------------------

    def show(self, script, fault, text):
        """A program that shows the fault, built and run here; None when no program shows it."""
        script = self.adapted(script)
        if len(script) > SHOWN_MOST or self.programs >= PROGRAMS_MOST or fault.cause in self.causes:
            return None
        if fault.cause is not None:
            self.causes.add(fault.cause)
        self.programs += 1
        program = shown.program(script, fault.records, text, self.seconds, self.submission)
        return program if self.shows(program) else None

    def shows(self, program):
        name = f"shown-{self.programs}"
        source = self.submission.write_source(name + ".c", program)
        if self.submission.compile(source, name, by_theirs=True) is not None:
            return False
        outcome = self.submission.box.run(Job(
            [self.submission.program(name)], str(self.submission.stage),
            Limits(seconds=self.seconds + 3), environment=self.environment, plays=True))
        return outcome.status == 1

    # Shortening ------------------------------------------------------------------------------

    def shrink(self, script, fault):
        """A shorter script with a fault of the same kind, and that fault."""
        script = self.adapted(script)
        if fault.is_late or any(calls.NAMES[one[0]] >= 50 for one in script):
            return script, fault  # each further try would take as long
        self.shrunk += 1
        if self.shrunk > SHRUNK_MAX and len(script) <= 60:
            return script[:fault.at + 1], fault
        best = script[:fault.at + 1]
        left = SHRINK_CALLS
        found = self.play(best)[0]
        if found is None:
            return script, fault
        fault = found
        part = max(len(best) // 2, 1)
        while part >= 1 and left > 0:
            start, shorter = 0, False
            while start < len(best) and left > 0:
                less = legal([one for at, one in enumerate(best)
                              if not start <= at < start + part or one in REGISTER])
                found = self.play(less)[0] if less and len(less) < len(best) else None
                left -= PLAY_CALLS + len(less)
                if found is not None and found.one is not None and not found.is_late \
                        and found.one[0] == fault.one[0]:
                    best, fault, shorter = less[:found.at + 1], found, True
                else:
                    start += part
            part = part // 2 if part > 1 or not shorter else 1
        return best, fault

    def check(self, rule, scripts, note=None):
        """Judge a rule by these scripts."""
        for script in scripts:
            if self.late >= LATE_MAX:
                return rule.not_judged(f"{LATE_MAX} scripts before it did not end in time",
                                       is_fault=True)
            fault, _ = self.play(script)
            if fault is not None:
                best, fault = self.shrink(script, fault) if fault.one else (script, fault)
                text = f"{rule.promise}. Expected: {fault.expected}. Found: {fault.found}."
                program = self.show(best, fault, text)
                rule.cause = fault.cause
                return rule.failed(fault.expected, fault.text(), program)
        return rule.passed(note)


# Random calls -------------------------------------------------------------------------------

def random_script(seed, count):
    """Legal calls at random on three lists, three queues, four iterators; NULL now and then."""
    draw = random.Random(seed)
    model, script = Model(), list(REGISTER)
    names = (["list_end"] * 10 + ["list_front"] * 6 + ["list_insert"] * 6 + ["list_remove"] * 14
             + ["list_find"] * 4 + ["list_size"] * 3 + ["list_head"] * 3 + ["list_walk"]
             + ["iterator_create"] * 3 + ["iterator_next"] * 10 + ["iterator_delete"] * 4
             + ["queue_push"] * 20 + ["queue_pop"] * 16 + ["queue_next"] * 4
             + ["queue_has_next"] * 3 + ["queue_size"] * 3
             + ["list_create", "queue_create"] * 2)
    while len(script) < count:
        name = draw.choice(names)
        if draw.random() < 0.002:
            name = draw.choice(["list_delete", "queue_delete"])
        slot = draw.randrange(3)  # NULL has rules of its own
        size = len(model.lists.get(slot, ()))
        data, index = draw.randrange(50) if draw.random() < 0.9 else draw.getrandbits(32), 0
        if name in ("list_insert", "list_remove"):
            index = draw.randrange(size + 2)
        elif name == "list_walk":
            index = 5000
        elif name == "iterator_create":
            place = draw.randrange(3)
            slot, data, index = draw.randrange(4), place, draw.randrange(
                len(model.lists.get(place, ())) + 2)
        elif name.startswith("iterator"):
            slot = draw.randrange(4)
        if name in ("list_end", "list_front", "list_insert") and size > 200:
            continue
        one = call(name, slot, data, index)
        if model.is_legal(one) and is_possible(model, one):
            script.append(one)
            getattr(model, "do_" + name)(one, Perfect)
    script += [call("iterator_delete", slot) for slot in sorted(model.iterators)]
    script += [call("list_delete", slot) for slot in sorted(model.lists)]
    script += [call("queue_delete", slot) for slot in sorted(model.queues)]
    return script


# Memory -------------------------------------------------------------------------------------

def check_registered(player):
    """Registered malloc and free are really used, and nothing goes past them."""
    rule = Rule("registered")
    of_lists = [call("list_create"), *[call("list_end", data=i) for i in range(50)],
                call("list_delete")]
    of_queues = [call("queue_create"), *[call("queue_push", data=i) for i in range(50)],
                 call("queue_delete")]
    pairs = [(REGISTER_LIST, of_lists)] + ([(REGISTER, of_queues)] if player.level > 1 else [])
    for first, then in pairs:
        script = [*first, *then]
        fault, found = player.play(script)
        if fault is not None:
            rule.cause = fault.cause
            return rule.failed(fault.expected, fault.text(),
                               player.show(script[:fault.at + 1], fault, rule.promise))
        past = sum(record.strangers for record in found)
        if past:
            return rule.failed("every request through the registered malloc",
                               f"{past} requests to another malloc in {len(script)} calls")
        if found[len(first)].mallocs == 0:
            return rule.failed(f"{calls.c_text(then[0])} calls the registered malloc", "it did not")
    return rule.passed()


def failing_scripts():
    """(what is done, script with FAIL at k) for the k-th request of each function."""
    targets = {
        "list_create": ([], call("list_create"), [call("list_delete")]),
        "queue_create": ([], call("queue_create"), [call("queue_delete")]),
        "list_end": ([call("list_create"), *filled(3)], call("list_end", data=1),
                     [*LOOK, call("list_delete")]),
        "list_front": ([call("list_create"), *filled(3)], call("list_front", data=1),
                       [*LOOK, call("list_delete")]),
        "list_insert": ([call("list_create"), *filled(3)], call("list_insert", data=1, index=1),
                        [*LOOK, call("list_delete")]),
        "iterator_create": ([call("list_create"), *filled(3)], call("iterator_create", 0, 0, 1),
                            [call("iterator_delete"), *LOOK, call("list_delete")]),
        "queue_push": ([call("queue_create"), call("queue_push", data=1)],
                       call("queue_push", data=2),
                       [call("queue_size"), call("queue_pop"), call("queue_pop"),
                        call("queue_delete")]),
    }
    return targets


def asked_of(player, rows):
    """The rows of a level: {name of a call or of a structure: ...}."""
    return {name: row for name, row in rows.items() if player.level > 1 or "queue" not in name}


def check_failing(player):
    rule = Rule("failed-malloc")
    tried = denied = 0
    for before, target, after in asked_of(player, failing_scripts()).values():
        for which in range(1, 9):
            first = REGISTER if "queue" in target[0] else REGISTER_LIST
            script = [*first, *before, call("fail_at", index=which), target, call("fail_at"),
                      *after, *END]
            if player.late >= LATE_MAX:
                return rule.not_judged(f"{LATE_MAX} scripts before it did not end in time",
                                       is_fault=True)
            fault, found = player.play(script)
            tried += 1
            if fault is not None:
                rule.cause = fault.cause
                return rule.failed(fault.expected, f"with request {which} failing, {fault.text()}",
                                   player.show(script[:fault.at + 1], fault, rule.promise))
            if not found[len(first) + len(before) + 1].flags & calls.DENIED:
                break
            denied += 1
    # Pools ask rarely: a long run of pushes with every k-th request failing.
    for which in (1, 2, 3, 5, 8, 13, 40) if player.level > 1 else ():
        script = [*REGISTER, call("queue_create"), call("fail_at", index=which),
                  *[call("queue_push", data=i) for i in range(60)], call("fail_at"),
                  *[call("queue_push", data=i) for i in range(5)], call("queue_size"),
                  *([call("queue_pop")] * 70), call("queue_delete"), *END]
        fault, _ = player.play(script)
        tried += 1
        if fault is not None:
            return rule.failed(fault.expected, f"with request {which} failing, {fault.text()}")
    if denied == 0:
        return rule.failed("a call that asks the registered malloc", "none did")
    return rule.passed(f"{tried} requests failed in turn")


# Constant time ------------------------------------------------------------------------------

GROWING = [
    ("push", "queue_create", "fill_queue", "queue_delete"),
    ("insert_end", "list_create", "fill_end", "list_delete"),
    ("insert_front", "list_create", "fill_front", "list_delete"),
    ("pop", "queue_create", "drain_queue", "queue_delete"),
    ("remove(0)", "list_create", "drain_front", "list_delete"),
    ("queue_size", "queue_create", "size_queue", "queue_delete"),
    ("list_size", "list_create", "size_list", "list_delete"),
]


def growing_script(create, what, delete, length):
    """LONG calls, on structures of that length."""
    script = list(REGISTER if create.startswith("queue") else REGISTER_LIST)
    fill = "fill_queue" if create.startswith("queue") else "fill_end"
    for _ in range(LONG // length):
        script.append(call(create))
        if not what.startswith("fill"):
            script.append(call(fill, index=length))
        script += [call(what, data=length, index=length), call(delete)]
    return script


def time_growing(player, what, runs):
    """(least seconds on short structures, on long ones, least waits, fault) of several runs; more than
    one only while it looks linear. The seconds are of processor time, which a busy machine hardly
    changes; a call that sleeps is seen by its waits."""
    times, waits = {SHORT: [], LONG: []}, []
    for _ in range(runs):
        for length in (SHORT, LONG):
            script = [one for create, name, delete in what
                      for one in growing_script(create, name, delete, length)]
            fault, _ = player.play(script)
            times[length].append(player.processor)
            waits.append(player.waits)
            if fault is not None:
                return min(times[SHORT]), 0.0, 0, fault
        if why_growing(min(times[SHORT]), min(times[LONG]), min(waits), len(what)) is None:
            break
    return min(times[SHORT]), min(times[LONG]), min(waits), None


def why_growing(short, long, waits, count=1):
    """None, or why this is not constant time. The difference counts and not the quotient, so that a wait
    in every call hides nothing."""
    if long - short >= GROWTH_SECONDS:
        return f"take {long - short:.2f} s longer with {LONG:,} elements than with {SHORT}"
    if short >= SLOW_SECONDS * count:
        return f"take {short:.2f} s with {SHORT} elements"
    return f"wait {waits:,} times" if waits >= MANY_WAITS else None


def check_constant_time(player):
    """All together first, and one by one when that is slow. The least of several times on either side:
    a busy machine makes no call linear."""
    rule = Rule("constant-time")
    growing = [row for row in GROWING if player.level > 1 or row[1] != "queue_create"]
    short, long, waits, fault = time_growing(player, [row[1:] for row in growing], 1)
    if fault is None and why_growing(short, long, waits) is None:
        return rule.passed()
    for name, *what in growing:
        if player.late >= LATE_MAX:
            return rule.not_judged(f"{LATE_MAX} scripts before it did not end in time",
                                   is_fault=True)
        short, long, waits, fault = time_growing(player, [what], TIMED_RUNS)
        if fault is not None:
            rule.cause = fault.cause
            return rule.failed("calls that take constant time", f"{name}: {fault.text()}")
        why = why_growing(short, long, waits)
        if why is not None:
            return rule.failed("the same short time per call on a long structure as on a short one",
                               f"{LONG:,} times {name} {why}")
    return rule.passed()


def all_edges(player):
    """Every edge case in one script."""
    return [one for scripts in asked(EDGES, player.level, player.has_cleanup).values()
            for script in scripts for one in script]


def judge_edges(player, say):
    """One process plays all of them; when it shows a fault, each rule has its own."""
    found = asked(EDGES, player.level, player.has_cleanup)
    rules = [Rule(name) for name in found]
    say("contract: edge cases")
    if player.play(all_edges(player))[0] is None:
        return [rule.passed() for rule in rules]
    for rule in rules:
        say(f"contract: {rule.name}")
        player.check(rule, found[rule.name])
    return rules


def judge_remarks(player):
    """What the header leaves open, in processes of their own: a crash in one of them costs nothing."""
    found = asked(REMARKS, player.level, player.has_cleanup)
    return [player.check(Rule(name), scripts) for name, scripts in found.items()]


def miss_cleanup(player, rules):
    """The player goes on without it where the header promises linked_list_final_cleanup and no library defines
    it: that costs this rule; the rules that count what is kept are judged."""
    for rule in rules:
        if rule.name == "cleanup" and levels.CLEANUP in player.submission.missing:
            rule.failed("the function", "the libraries do not define it")


def judge(player, say, seeds=(1, 2), random_calls=RANDOM_CALLS):
    """The rules of the group "contract"."""
    rules = judge_edges(player, say)
    miss_cleanup(player, rules)
    for check in (check_registered, check_failing, check_constant_time):
        say("contract: " + check.__name__.replace("check_", "").replace("_", " "))
        rules.append(check(player))
    say("contract: random calls")
    rule = Rule("random-calls")
    scripts = (random_script(seed, random_calls) for seed in seeds)
    rules.append(player.check(rule, scripts, f"{len(seeds)} times {random_calls:,} calls"))
    join_causes(rules)
    return rules + judge_remarks(player)


def join_causes(rules):
    """One cause, one finding: the first rule has it, the others name that one."""
    first = {}
    for rule in rules:
        if rule.status == "failed" and rule.cause is not None:
            rule.same_as = first.setdefault(rule.cause, rule.name)
            if rule.same_as == rule.name:
                rule.same_as = None

"""The rules of the interface, each a script of calls that is played and held against the model.

1. Edge cases, one rule each, some ten calls long; a rule may have several scripts.
2. Random calls, 10^5 per seed, on lists, queues and iterators.
3. Every request for memory made to fail in turn.
4. Constant time: as many calls on one long structure as on many short ones.
A script that shows a fault is shortened by playing parts of it again, and goes into the card as a C
program. After four runs that did not finish in time the rest is not judged.
One file: its chapters are what one submission is held against, in this order.
"""
import os
import random
import secrets

import calls
import faults
import levels
import shown
from calls import NULL, call
from model import UNDEFINED, Model, Perfect, is_possible, legal
from levels import REGISTER_LIST, REGISTER_QUEUE, adapted, is_whole
from printable import counted
from rules import FAILED, NOT_JUDGED, PASSED, REMARK, Rule
from sandbox import Job, Limits, memory_file

RANDOM_CALLS = 100_000
SHRINK_CALLS = 1_600_000     # played to shorten one script: some seconds, and the same on every machine
PLAY_CALLS = 3_000           # what starting a process for a script costs, in calls
LATE_MAX = 4
SHOWN_MOST = 80             # calls of a program on the card
PROGRAMS_MOST = 6
CUTS_MOST = 8               # kinds of calls that are cut out of one script
SHRUNK_MAX = 5              # failed rules whose scripts are shortened; the others are short as well
LONG, SHORT = 20_000, 500   # lengths of structures for constant time
GROWTH_SECONDS = 0.08       # more than that between short and long: 10^8 steps that should not be
SLOW_SECONDS = 1.0          # 20,000 calls of constant time take some milliseconds
MANY_WAITS = LONG // 2      # those calls need not wait at all
TIMED_RUNS = 4
THREADS = 64                # that a hand-in may have at a time: one that has ended counts until the kernel forgets it

REGISTER = REGISTER_LIST + REGISTER_QUEUE
END = [call("cleanup"), call("counts")]  # the player cleans up only with a hand-in that has it


def lists(*what):
    """A list in slot 0, these calls, and its end: nothing of a queue, so that a fault there is not a fault of the
    list. What was given back is the matter of other rules, so that one leak does not fail them all."""
    return [*REGISTER_LIST, call("list_create"), *what, call("list_delete")]


def queues(*what):
    return [*REGISTER, call("queue_create"), *what, call("queue_delete")]


def filled(count, first=10):
    return [call("list_end", data=first + i) for i in range(count)]


LOOK = [call("list_head"), call("list_walk", index=100)]


def first_use():
    return [[*REGISTER_LIST, call("list_create"), call("list_end", data=7), *LOOK],
            [*REGISTER, call("queue_create"), call("queue_push", data=7), call("queue_pop")]]


def list_size():
    return [lists(call("list_size"), *(c for i in range(3) for c in (call("list_end", data=i), call("list_size"))),
                  call("list_remove"), call("list_size")),
            lists(call("list_front"), call("list_size"), call("list_remove"), call("list_size"))]


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
    return [lists(*LOOK, call("list_find", data=1), *LOOK),
            lists(call("list_end", data=1), call("list_remove"), *LOOK,
                  call("list_end", data=2), *LOOK, call("list_front", data=3), *LOOK,
                  call("list_remove", index=1), call("list_remove"), *LOOK,
                  call("list_front", data=4), *LOOK, call("list_end", data=5), *LOOK)]


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
                  *(call("list_find", data=value) for value in (5, 7, 0xFFFFFFFF, 0, 6))),
            lists(*(call("list_front", data=value) for value in (3, 9, 9, 2)),
                  *(call("list_find", data=value) for value in (2, 9, 3, 4)))]


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
                  call("list_front", 0, 3), *LOOK, call("list_head", 1), call("list_walk", 1, 0, 9),
                  call("list_delete", 1), *LOOK)]


def queue_order():
    return [queues(*(call("queue_push", data=i) for i in range(5)),
                   *([call("queue_pop")] * 5), call("queue_push", data=8), call("queue_pop")),
            queues(*(c for i in range(8) for c in
                     (call("queue_push", data=i), call("queue_push", data=100 + i), call("queue_pop"))))]


def queue_looks():
    look = [call("queue_next"), call("queue_next"), call("queue_has_next"), call("queue_size"),
            call("queue_next")]
    return [queues(call("queue_push", data=4), *look, call("queue_push", data=5), *look,
                   call("queue_pop"), *look)]


def queue_empty():
    look = [call("queue_pop"), call("queue_next"), call("queue_has_next"), call("queue_next")]
    return [queues(*look, call("queue_push", data=0), call("queue_pop"), *look)]


def delete_filled():
    return [lists(*filled(20)) + END, queues(*(call("queue_push", data=i) for i in range(20))) + END]


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
                   call("queue_has_next"))]


# Rules whose scripts are made by a function; remarks on calls that the header leaves open.
REMARKS = {"register-null": register_null, "queue-registers": queue_registers}
EDGES = {  # the most basic first: a fault is found once, where it is looked for
    "first-use": first_use,
    "insert-ends": insert_ends,
    "list-size": list_size,
    "empty-list": empty_list,
    "insert-index": insert_index,
    "remove-index": remove_index,
    "find-first": find_first,
    "iterator-walk": iterator_walk,
    "two-lists": two_lists,
    "queue-order": queue_order,
    "queue-looks": queue_looks,
    "delete-filled": delete_filled,
    "cleanup": after_cleanup,
    "long-queue": long_queue,
    "insert-past-end": insert_past_end,
    "remove-past-end": remove_past_end,
    "iterator-past-end": iterator_past_end,
    "null-list": null_list,
    "queue-empty": queue_empty,
    "null-queue": null_queue,
}
FIRST = "first-use"
TOO_LATE = f"{LATE_MAX} runs before it did not end in time"
NOTHING_GOES = "the first element is wrong already"
# What a rule asks of: the work of others, known to be right, is not accused there.
SUBJECTS = {"insert-index": "linked_list_insert", "remove-index": "linked_list_remove",
            "find-first": "linked_list_find", "iterator-walk": "linked_list_create_iterator",
            "two-lists": "linked_list_create", "queue-order": "queue_pop", "queue-looks": "queue_next",
            "cleanup": "linked_list_final_cleanup", "insert-past-end": "linked_list_insert",
            "remove-past-end": "linked_list_remove", "iterator-past-end": "linked_list_create_iterator"}
# What asks of several: there the change before the last one is accused, if the last one is known to be right.
MIXED = ("insert-ends", "empty-list", "random-calls")


def asked(rows, level, has_cleanup):
    """{rule: its scripts} of a level. A script of which the level would leave something out is not played:
    the rest of it asks for something else. A rule without a script is not asked."""
    left_out = levels.not_asked(level, has_cleanup)
    found = {name: [adapted(script, level) for script in make() if is_whole(script, level)]
             for name, make in rows.items() if name not in left_out}
    return {name: scripts for name, scripts in found.items() if scripts}


# Playing ------------------------------------------------------------------------------------

def memory_of(address):
    """faults.UNWRITTEN or FREED, if an address that ended a call was read from such memory."""
    return {0xA5A5A5A5: faults.UNWRITTEN, 0xDFDFDFDF: faults.FREED}.get((address or 0) >> 32)


def hint_of(address):
    """What an address says that ended a call."""
    if memory_of(address):
        return f" (an address of 0x{address >> 32:x}...: {memory_of(address)})"
    return " (a NULL pointer)" if address is not None and address < 4096 else ""


class Fault:
    """What a script showed: the call, what was expected and found, and whose work it is."""

    def __init__(self, at, one, expected, found, is_late=False, is_end=False):
        self.at, self.one = at, one
        self.records = ()
        self.expected, self.found, self.is_late = expected, found, is_late
        self.is_end = is_end    # the call did not return
        self.key = (faults.PROCESS, faults.USE)  # the function, and what was asked of it
        self.cost = faults.COSTS[faults.CONTENT]
        self.touched = frozenset()  # what was done to its structure before
        self.memory = None      # read by the call that ended: UNWRITTEN or FREED
        self.is_repeated = False  # of the size of a queue: a list of this length says the same

    def of(self, function, kind, is_content, touched):
        self.key, self.touched = (function, kind), frozenset(touched)
        is_content = kind == faults.USE and (is_content or self.is_end) and function not in faults.LOOKS
        self.cost = faults.COSTS[faults.CONTENT if is_content else kind]
        return self

    @property
    def is_answer(self):
        """True if an insertion says that it failed, and nothing else is known to be wrong."""
        return self.one is not None and self.one[0] in ("list_end", "queue_push") and not self.is_end and \
            self.cost < faults.COSTS[faults.CONTENT]

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
        self.late = 0        # runs that did not end in time
        self.programs = 0    # that were made to show a fault
        self.has_waited = False  # one of them does not end by itself: one is enough
        self.ledger = faults.Ledger({name: table.called for name, table in submission.tables.items()})
        self.but_for = set()  # functions whose known faults showed in the last script
        self.subject = None  # the function that the rule asks of
        self.miscounting = None  # see counts_wrong
        self.sizes_said = {}     # see size_said
        self.is_slow_too = None  # in words, what a script that did not end does with -O0
        self.is_mixed = False  # an earlier call may have left what a later one shows
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
        limits = options.pop("limits", Limits(seconds=self.seconds, processes=THREADS))
        try:
            outcome = self.submission.box.run(Job(
                [*wrap, self.submission.program(program), str(file), "{results}", *last],
                str(self.submission.stage), limits, keep=[file, *keep], results=True,
                environment={**self.environment, **(environment or {})}, plays=True, **options))
        finally:
            os.close(file)
        self.late += outcome.is_late
        found, genuine = calls.records(outcome.results, nonce)
        return outcome, found, genuine

    @property
    def is_over(self):
        """True if so much did not end that nothing more is played: a hand-in whose calls hang is judged in two
        minutes of processor time, however many of them do."""
        return self.late >= LATE_MAX

    def play(self, script):
        """None when every call did as the model says, but for what is known, and the child finished;
        else a Fault."""
        script = self.adapted(script)
        outcome, found, genuine = self.run(script)
        self.processor, self.waits = outcome.processor, outcome.waits
        fault = self.judge(script, outcome, found, genuine)
        if fault is not None:
            fault.records = found
        return fault, found

    def judge(self, script, outcome, found, genuine):
        model, history = Model(), faults.History()
        for at, (one, record) in enumerate(zip(script, found)):
            if not model.is_legal(one) or not is_possible(model, one):
                continue  # a known fault left nothing to ask it of
            kind, structure = faults.kind_of(one, model), faults.structure_of(one, model)
            wrong = model.step(one, record)
            history.note(one, kind, structure, record.flags & calls.DENIED)
            history.stranger = history.stranger or (faults.function_of(one) if record.strangers else None)
            if wrong is not None:
                fault = Fault(at, one, *wrong)
                stranger = history.stranger if record.flags & calls.BAD_FREE else \
                    history.deleted if one[0] == "counts" and not model.mallocs else None
                if stranger:
                    fault.of(stranger, faults.STRANGER, False, ())
                else:
                    fault = self.named(fault, one, kind, structure, history)
                known = self.ledger.excuse(fault)
                if not known:
                    return fault
                self.but_for |= known
        at = len(found)
        if at < len(script):
            one = script[at] if at or outcome.signal is None else None
            what = outcome.text() if genuine else "answers that are not the judge's"
            fault = Fault(at, one, "that the call returns", what + hint_of(found.address), outcome.is_late, one is not None)
            fault.memory = memory_of(found.address)
            if one is None or not genuine:
                return fault
            kind, structure = faults.kind_of(one, model), faults.structure_of(one, model)
            history.note(one, kind, structure, history.is_armed)
            return self.named(fault, one, kind, structure, history)
        if not genuine or len(found) != len(script) + 1:
            return Fault(at, None, "that the script finishes", outcome.text(), outcome.is_late)
        if outcome.status != 0:
            return Fault(at, None, "that the process ends after the last call", outcome.text(),
                         outcome.is_late)
        return None

    def named(self, fault, one, kind, structure, history):
        """The fault with its function: after a refused request the one that did not get it; and what is known to
        be right is not accused of what the function did that the rule asks of."""
        function, kind, is_content = history.blame(one, kind, structure)
        touched = history.touched.get(structure, set())
        if one[0] == "list_size" and kind == faults.USE and not fault.is_end and touched & set(self.counts_wrong()):
            guilty = self.ledger.miscounting = self.counts_wrong()  # others may call the one that inserts at an index
            function = faults.INSERT if faults.INSERT in guilty else min(touched & set(guilty))
            return fault.of(function, kind, guilty[function] or function == faults.INSERT and max(guilty.values()), touched)
        if kind == faults.LEAK or self.is_mixed and function in self.ledger.proved:
            # A broken function may have written to memory that another structure has now.
            touched = touched.union(*history.touched.values())
            touched = touched.union(*map(self.ledger.callees, touched))
        if kind == faults.LEAK and self.subject == levels.CLEANUP:
            function = self.subject
        fault.of(function, kind, is_content, touched)
        fault.is_repeated = one[0] == "queue_size" and (faults.SIZE, faults.USE) in self.ledger.costs and \
            self.size_said(fault.expected) == fault.found
        if self.ledger.excuse(fault):
            return fault
        if history.refused is not None and kind != faults.NULLS:
            return fault.of(history.refused, faults.REFUSED, False, touched)
        before = history.before.get(structure) if self.is_mixed else None
        subject = self.subject or (before if before not in faults.CREATES else None)
        if subject in touched and function != subject and kind == faults.USE and function in self.ledger.proved:
            return fault.of(subject, faults.USE, True, touched)
        return fault

    def size_said(self, expected):
        """What linked_list_size says of a list of this length, as text."""
        if expected not in self.sizes_said and expected.isdigit():
            script = self.adapted([*REGISTER_LIST, call("list_create"), call("fill_end", index=int(expected)), call("list_size")])
            _, found, _ = self.run(script)
            self.sizes_said[expected] = str(found[-2].value) if len(found) == len(script) + 1 else None
        return self.sizes_said.get(expected)

    def counts_wrong(self):
        """{function after which the size is wrong: whether such a list goes on wrong}. A new list has size 0; of one
        that was emptied, and has not, the insertion or the removal is wrong."""
        if self.miscounting is None:
            self.miscounting = {}
            for name in ("list_end", "list_front", "list_insert"):
                size, one, look = call("list_size"), call(name, data=1), call("list_head")
                script = self.adapted([*REGISTER_LIST, call("list_create"), size, one, one, size,
                                       *[call("list_remove")] * 2, size, one, look])
                _, found, _ = self.run(script)
                sizes = [record.value for asked, record in zip(script, found) if asked == size]
                if len(sizes) == 3 and sizes[0] == 0 and sizes[2] > 0:
                    function = faults.function_of(call("list_remove") if sizes[1] == 2 else one)
                    self.miscounting[function] = self.miscounting.get(function) or len(found) <= len(script)
        return self.miscounting

    def settle(self, script):
        """(fault or None, the script without the calls that are known to end it)."""
        script = self.adapted(script)
        if self.ledger.hangs:  # each of these would take its time once more
            script = faults.without(script, self.ledger.hangs)
            self.but_for |= {function for function, _ in self.ledger.hangs}
        for _ in range(CUTS_MOST):
            fault, _ = self.play(script)
            known = self.ledger.excuse(fault) if fault is not None and fault.is_end else None
            if not known:
                return fault, script
            shorter = self.ledger.cut(script, fault)
            self.but_for |= known
            if len(shorter) == len(script):
                return None, script
            script = shorter
        return None, script

    # Showing ---------------------------------------------------------------------------------

    def show(self, script, fault, text):
        """A program that shows the fault, built and run here; None when no program shows it."""
        script = self.adapted(script)
        if len(script) > SHOWN_MOST or self.programs >= PROGRAMS_MOST or fault.is_late and self.has_waited:
            return None
        self.programs += 1
        self.has_waited |= fault.is_late
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
                        and (found.one[0], found.key[1]) == (fault.one[0], fault.key[1]):
                    best, fault, shorter = less[:found.at + 1], found, True
                else:
                    start += part
            part = part // 2 if part > 1 or not shorter else 1
        return best, fault

    def without_optimiser(self, script):
        """What a script that did not end does if the sources are compiled with -O0; "" where they cannot be."""
        if self.is_slow_too is None:
            made = self.submission.built_again("-O0")
            self.is_slow_too = ""
            if not made.problem:
                folder = self.submission.write_libraries("lib-O0", made.libraries)
                outcome, _, _ = self.run(script, environment={"LD_LIBRARY_PATH": folder})
                self.late -= outcome.is_late  # it is the same call
                self.is_slow_too = "; compiled with -O0 it does not end either" if outcome.is_late else \
                    "; compiled with -O0 it ends: look for what C leaves undefined"
        return self.is_slow_too

    def check(self, rule, scripts, note=None):
        """Judge a rule by these scripts: every fault that is new, and then whatever else each script shows."""
        self.subject, self.but_for, self.is_mixed = SUBJECTS.get(rule.name), set(), rule.name in MIXED
        was_asked = self.subject is None
        others = dict(self.ledger.costs)
        for script in scripts:
            fault = True
            while fault is not None:
                if self.is_over:
                    return rule if rule.faults else rule.not_judged(TOO_LATE, is_fault=True)
                fault, left = self.settle(script)
                if fault is not None and self.ledger.costs.get(fault.key, 0) >= fault.cost:  # it goes on so
                    return rule if rule.faults else rule.not_judged(fault.text(), is_fault=True)
                if fault is not None and rule.name == FIRST and fault.is_answer:
                    self.ledger.add(fault)  # the element may be right: other rules find it
                elif fault is not None:
                    self.found(rule, left, fault)
                    if rule.name == FIRST or rule.status == REMARK:
                        return rule
            asked_for = {faults.function_of(one) for one in left}
            was_asked = was_asked or self.subject in asked_for
            self.ledger.proved |= asked_for - self.but_for - {function for function, _ in self.ledger.costs}
        rule.but_for = self.but_for - {function for function, _, _ in rule.faults}
        if rule.faults:
            return rule
        if rule.name == FIRST:
            self.ledger.answers = {function for function, kind in self.ledger.costs if (function, kind) not in others}
            self.ledger.costs = others
        if not was_asked:
            return rule.not_judged("without " + ", ".join(sorted(self.but_for)) + " nothing is left to ask")
        return rule.passed(note)

    def found(self, rule, script, fault):
        """Note a new fault of a rule; the first one is shown."""
        if not rule.faults:
            best, shown_fault = self.shrink(script, fault) if fault.one else (script, fault)
            text = f"{rule.promise}. Expected: {shown_fault.expected}. Found: {shown_fault.found}."
            refused = [one[3] for one in script if one[0] == "fail_at" and one[3]]
            words = f"with request {refused[0]} refused, " if refused else ""
            program = None if rule.group == "remarks" else self.show(best, shown_fault, text)
            slow = self.without_optimiser(best) if shown_fault.is_late else ""
            rule.failed(shown_fault.expected, words + shown_fault.text() + slow, program)
            rule.calls = calls.last_of([one for one in self.adapted(best)[:shown_fault.at + 1] if one not in REGISTER])
            if shown_fault.key[0] != fault.key[0] and self.is_mixed:
                fault.key = shown_fault.key
        if rule.status == REMARK:
            return  # which explains nothing that costs points
        self.ledger.add(fault)
        rule.faults = [row for row in rule.faults if row[:2] != fault.key] + [(*fault.key, fault.cost)]

# Random calls -------------------------------------------------------------------------------

def random_script(seed, count):
    """Legal calls at random on three lists, three queues, four iterators. NULL, the end of a list and an empty
    queue have rules of their own."""
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
        slot = draw.randrange(3)
        size = len(model.lists.get(slot, ()))
        data, index = draw.randrange(50) if draw.random() < 0.9 else draw.getrandbits(32), 0
        if name in ("list_insert", "list_remove"):
            index = draw.randrange(size + 1)
        elif name == "list_walk":
            index = 5000
        elif name == "iterator_create":
            place = draw.randrange(3)
            slot, data, index = draw.randrange(4), place, draw.randrange(
                len(model.lists.get(place, ())) + 1)
        elif name.startswith("iterator"):
            slot = draw.randrange(4)
        if name in ("list_end", "list_front", "list_insert") and size > 200:
            continue
        one = call(name, slot, data, index)
        if model.is_legal(one) and is_possible(model, one) and faults.kind_of(one, model) == faults.USE:
            script.append(one)
            getattr(model, "do_" + name)(one, Perfect)
    script += [call("iterator_delete", slot) for slot in sorted(model.iterators)]
    script += [call("list_delete", slot) for slot in sorted(model.lists)]
    script += [call("queue_delete", slot) for slot in sorted(model.queues)]
    return script


# Memory -------------------------------------------------------------------------------------

def check_registered(player):
    """Registered malloc and free are really used, and nothing goes past them. Asked before the edge cases: what
    another malloc gave is not a block for the registered free either."""
    rule = Rule("registered")
    of_lists = [call("list_create"), *[call("list_end", data=i) for i in range(50)],
                call("iterator_create"), call("iterator_delete"), call("list_front"), call("list_insert"),
                call("list_remove"), call("list_delete")]
    of_queues = [call("queue_create"), *[call("queue_push", data=i) for i in range(50)], call("queue_pop"),
                 call("queue_delete")]
    pairs = [(REGISTER_LIST, of_lists)] + ([(REGISTER, of_queues)] if player.level > 1 else [])
    for first, then in pairs:
        first = player.adapted(first)
        _, found, _ = player.run([*first, *then])
        past = [(one, record.strangers) for one, record in zip([*first, *then], found) if record.strangers]
        if past:
            number = sum(strangers for _, strangers in past)
            return stranger(player, rule, past[0][0], "every request through the registered malloc and free",
                            f"{counted(number, 'request')} to another malloc or free in "
                            f"{counted(len(found) - 1, 'call')}")
        if len(found) > len(first) and found[len(first)].truth and found[len(first)].mallocs == 0:
            return stranger(player, rule, then[0], f"{calls.c_text(then[0])} calls the registered malloc", "it did not")
        if len(found) <= len(first) + len(then):
            return rule.not_judged(f"{calls.c_text((first + then)[len(found)])} did not return")
    return rule.passed()


# What gives back, what is there first, and the calls of one turn.
TURNS = [
    ("linked_list_remove", [call("list_create"), call("list_end", data=1)],
     [call("list_end", data=2), call("list_remove", index=1), call("list_front", data=3), call("list_remove")]),
    ("linked_list_delete_iterator", [call("list_create"), call("list_end", data=1)],
     [call("iterator_create"), call("iterator_delete")]),
    ("queue_pop", [call("queue_create")], [call("queue_push", data=1), call("queue_pop")]),
]
TURNS_MADE = 60


def check_gives_back(player):
    """Many turns of a call that takes and of one that gives back: what grows with them, and is there still when
    all is deleted and cleaned up, is kept."""
    rule = Rule("gives-back")
    if player.is_over:
        return rule.not_judged(TOO_LATE, is_fault=True)
    for function, before, turn in asked_turns(player):
        script = player.adapted([*REGISTER, *before, call("counts"), *turn * TURNS_MADE, call("counts"),
                                 call(before[0][0].replace("create", "delete")), *END])
        if player.ledger.hung(script):
            rule.but_for |= player.ledger.hung(script)
            continue
        fault, _ = player.play([one for one in script if one[0] != "counts"])
        if fault is not None or player.but_for and faults.function_of(turn[-1]) in player.but_for:
            rule.but_for |= player.but_for
            continue  # what is wrong already shows nothing new
        _, found, _ = player.run(script)
        at = script.index(call("counts"))
        kept = min(found[at + len(turn) * TURNS_MADE + 1].value - found[at].value, found[len(script) - 1].value)
        if kept < TURNS_MADE - 1:
            continue
        fault = Fault(0, turn[-1], "every block given back", f"{counted(kept, 'block')} kept after {TURNS_MADE} times "
                      + "; ".join(calls.c_text(one) for one in turn[-2:]))
        fault.of(function, faults.LEAK, False, {function} | player.ledger.callees(function))
        if player.ledger.excuse(fault) and function == "queue_pop":
            continue  # its list's fault
        player.ledger.add(fault)
        rule.faults.append((*fault.key, fault.cost))
        if rule.status != FAILED:
            rule.failed(fault.expected, fault.found)
            rule.calls = calls.last_of([*before, *turn])
    return rule if rule.faults else rule.passed()


def asked_turns(player):
    return [row for row in TURNS if player.level > 1 or not row[0].startswith("queue")]


def stranger(player, rule, one, expected, found):
    fault = Fault(0, one, expected, found).of(faults.function_of(one), faults.STRANGER, False, ())
    player.ledger.add(fault)
    rule.faults.append((*fault.key, fault.cost))
    rule.calls = calls.last_of([one])
    return rule.failed(expected, found)


def failing_scripts():
    """{target: (calls before, the target, calls after)}: what is done when a request of the target is refused."""
    used = [call("queue_has_next"), call("queue_push", data=3), call("queue_size"), call("queue_has_next"),
            call("queue_pop"), call("queue_delete")]
    targets = {
        "list_create": ([], call("list_create"), [*filled(2), *LOOK, call("list_delete")]),
        "queue_create": ([], call("queue_create"), used),
        "list_end": ([call("list_create"), *filled(3)], call("list_end", data=1),
                     [*LOOK, call("list_delete")]),
        "list_front": ([call("list_create"), *filled(3)], call("list_front", data=1),
                       [*LOOK, call("list_delete")]),
        "list_insert": ([call("list_create"), *filled(3)], call("list_insert", data=1, index=1),
                        [*LOOK, call("list_delete")]),
        "iterator_create": ([call("list_create"), *filled(3)], call("iterator_create", 0, 0, 1),
                            [call("iterator_delete"), *LOOK, call("list_delete")]),
        "queue_push": ([call("queue_create"), call("queue_push", data=1)],
                       call("queue_push", data=2), [call("queue_pop"), call("queue_delete")]),
    }
    return targets


def asked_of(player, rows):
    """The rows of a level: {name of a call or of a structure: ...}."""
    return {name: row for name, row in rows.items() if player.level > 1 or "queue" not in name}


def refusing(player, target, before, after, which):
    """(script, whether a request of the target was refused). What a create gave in spite of that is used; NULL
    is not, which is the matter of other rules."""
    first = REGISTER if "queue" in target[0] else REGISTER_LIST
    script = [*first, *before, call("fail_at", index=which), target, call("fail_at")]
    _, found, _ = player.run(script)
    at = len(player.adapted([*first, *before])) + 1
    made = found[at] if at < len(found) else None
    is_nothing = made is not None and target[0].endswith("_create") and not made.truth
    if is_nothing:
        after = [one for one in after if one in LOOK or one[0] == "list_delete"] if before else []
    return [*script, *after, *END], made is None or bool(made.flags & calls.DENIED)


def check_failing(player):
    """Each request of each function refused in turn; then a long run of pushes with every k-th one refused, since
    pools ask rarely. What a fault outside of a refusal explains is excused."""
    rule = Rule("failed-malloc")
    scripts, tried, is_denied = [], 0, False
    for before, target, after in asked_of(player, failing_scripts()).values():
        for which in range(1, 1 if player.is_over or player.ledger.hung([*before, target]) else 9):
            script, was = refusing(player, target, before, after, which)
            scripts.append(script)
            is_denied |= was
            if not was:
                break
    for which in (1, 2, 3, 5, 8, 13, 40) if player.level > 1 else ():
        scripts.append([*REGISTER, call("queue_create"), call("fail_at", index=which),
                        *[call("queue_push", data=i) for i in range(60)], call("fail_at"),
                        *[call("queue_push", data=i) for i in range(5)],
                        *([call("queue_pop")] * 5), call("queue_delete"), *END])
    tried = len(scripts)
    player.check(rule, scripts, f"{counted(tried, 'request')} failed in turn")
    if rule.status == PASSED and not is_denied:
        return rule.not_judged("no call asked the registered malloc")
    return rule


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
            fault, _ = player.settle(script)
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
    growing = [row for row in GROWING if (player.level > 1 or row[1] != "queue_create")
               and not any(function == calls.FUNCTIONS[row[2]] and kind == faults.USE
                           for function, kind in player.ledger.costs)]
    short, long, waits, fault = time_growing(player, [row[1:] for row in growing], 1)
    if fault is None and why_growing(short, long, waits) is None:
        return rule.passed()
    for name, *what in growing:
        if player.is_over:
            return rule.not_judged(TOO_LATE, is_fault=True)
        short, long, waits, fault = time_growing(player, [what], TIMED_RUNS)
        if fault is not None:
            return rule.failed("calls that take constant time", f"{name}: {fault.text()}")
        why = why_growing(short, long, waits)
        if why is not None:
            return rule.failed("the same short time per call on a long structure as on a short one",
                               f"{LONG:,} times {name} {why}")
    return rule.passed()


def all_edges(player):
    """Every edge case in one script, but for the first element, which others see too."""
    return [one for name, scripts in asked(EDGES, player.level, player.has_cleanup).items() if name != FIRST
            for script in scripts for one in script]


def can_be_asked(first, scripts):
    """False if the first element already is wrong: of a list, or of a queue for what asks queues."""
    functions = {function for function, _, _ in first.faults}
    is_queues = functions and all(function.startswith("queue_") for function in functions)
    return not functions or is_queues and not any("queue" in one[0] and one not in REGISTER_QUEUE
                                                  for script in scripts for one in script)


def ends_well(player, rule, scripts):
    """Of cleanup, whether it returns, before other rules call it; what is kept is asked later."""
    player.check(rule, [[one for one in script if one[0] != "counts"] for script in scripts])


def judge_edges(player, say):
    """One process plays all of them; when it shows a fault, each rule has its own."""
    found = asked(EDGES, player.level, player.has_cleanup)
    rules = [Rule(name) for name in found]
    say("contract: edge cases")
    if player.play(all_edges(player))[0] is None and not player.but_for:
        player.ledger.proved |= {faults.function_of(one) for one in all_edges(player)}
        return [rule.passed() for rule in rules] + [check_gives_back(player)]
    for rule in list(rules):
        say(f"contract: {rule.name}")
        if rule.name == "delete-filled" and "cleanup" in found and can_be_asked(rules[0], found["cleanup"]):
            ends_well(player, next(other for other in rules if other.name == "cleanup"), found["cleanup"])
        if rule.faults:
            continue
        if can_be_asked(rules[0], found[rule.name]):
            player.check(rule, found[rule.name])
        else:
            rule.not_judged(NOTHING_GOES)
        if rule.name == "delete-filled" and rule.status != NOT_JUDGED:
            player.but_for = set()
            rules.append(check_gives_back(player))
        elif rule.name == "delete-filled":
            rules.append(Rule("gives-back").not_judged(rule.found))
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
            rule.failed("the function", UNDEFINED)


def judge(player, say, seeds=(1, 2), random_calls=RANDOM_CALLS):
    """The rules of the group "contract"."""
    rules = [check_registered(player), *judge_edges(player, say)]
    miss_cleanup(player, rules)
    first = next(rule for rule in rules if rule.name == FIRST)
    if first.status == FAILED:
        return rules + [Rule(name).not_judged(NOTHING_GOES) for name in ("failed-malloc", "random-calls")]
    for check in (check_failing, check_constant_time):
        say("contract: " + check.__name__.replace("check_", "").replace("_", " "))
        rules.append(check(player))
    say("contract: random calls")
    rule = Rule("random-calls")
    scripts = (random_script(seed, random_calls) for seed in seeds)
    rules.append(player.check(rule, scripts, f"{len(seeds)} times {random_calls:,} calls"))
    join(player.ledger, rules)
    return rules + judge_remarks(player)


def join(ledger, rules):
    """A fault of a function that calls another one with the same fault is that one's."""
    gone = set()
    for rule in rules:
        for function, kind, cost in list(rule.faults):
            below = ledger.below(function, kind) - gone
            if below:
                rule.faults.remove((function, kind, cost))
                gone.add(function)
                rule.but_for |= below
                if not rule.faults:
                    rule.status, rule.program = PASSED, None

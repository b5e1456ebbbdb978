"""The rules of the interface, each a script of calls that is played and held against the model.

1. Edge cases, one rule each, some ten calls long; a rule may have several scripts.
2. Random calls, 10^5 per seed, on lists, queues and iterators.
3. Every request for memory made to fail in turn.
4. Constant time: as many calls on one long structure as on many short ones.
A script that shows a fault is shortened by playing parts of it again, and goes into the card as a C
program. After three scripts that did not come to an end in time the rest is not judged.
"""
import os
import random
import secrets
import time

import calls
from calls import NULL, call
from model import Model, Perfect, is_possible, legal
from rules import Rule
from sandbox import Limits, memory_file

RANDOM_CALLS = 100_000
SHRINK_SECONDS = 8
LATE_MAX = 3
SHRUNK_MAX = 5              # failed rules whose scripts are shortened; the others are short as well
LONG, SHORT = 20_000, 500   # lengths of structures for constant time
GROWTH = 8                  # a linear call would take LONG / SHORT = 40 times as long
SECONDS_LEAST = 0.01        # what is faster than that on short structures is taken for that
TIMED_RUNS = 4

REGISTER = [call("queue_malloc", data=1), call("queue_free", data=1)]
END = [call("cleanup"), call("counts")]


def lists(*what):
    """A list in slot 0, these calls, and its end. What was given back is the matter of other rules, so
    that one leak does not fail them all."""
    return [*REGISTER, call("list_create"), *what, call("list_delete")]


def queues(*what):
    return [*REGISTER, call("queue_create"), *what, call("queue_delete")]


def filled(count, first=10):
    return [call("list_end", data=first + i) for i in range(count)]


LOOK = [call("list_size"), call("list_head"), call("list_walk", index=100)]


def null_list():
    return [[*REGISTER, *(call(name, NULL, 1, index) for name in
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
                  *([call("iterator_next")] * (5 - start)), call("iterator_delete"))
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
    return [queues(*(call("queue_push", data=i) for i in range(5)), call("queue_head"),
                   *([call("queue_pop")] * 6), call("queue_push", data=8), call("queue_pop"),
                   call("queue_pop")),
            queues(*(c for i in range(8) for c in
                     (call("queue_push", data=i), call("queue_push", data=100 + i),
                      call("queue_pop"), call("queue_size"), call("queue_head"))))]


def queue_looks():
    look = [call("queue_next"), call("queue_next"), call("queue_has_next"), call("queue_size"),
            call("queue_head")]
    return [queues(call("queue_push", data=4), *look, call("queue_push", data=5), *look,
                   call("queue_pop"), *look)]


def queue_empty():
    look = [call("queue_pop"), call("queue_next"), call("queue_has_next"), call("queue_size"),
            call("queue_head")]
    return [queues(*look, call("queue_push", data=0), call("queue_pop"), *look)]


def delete_filled():
    return [lists(*filled(20)) + END, queues(*(call("queue_push", data=i) for i in range(20)),
                                             call("queue_pop")) + END]


def register_null():
    """False, and the functions registered before still serve."""
    none = [call(name) for name in ("list_malloc", "list_free", "queue_malloc", "queue_free")]
    return [[*none, *REGISTER, *none, call("list_create"), *filled(3), *LOOK, call("list_delete"),
             call("queue_create"), call("queue_push", data=1), call("queue_pop"),
             call("queue_delete")]]


def unregistered():
    """Before any registration the C library's malloc serves."""
    return [[call("list_create"), *filled(3), *LOOK, call("list_delete"), call("queue_create"),
             call("queue_push", data=1), call("queue_pop"), call("queue_delete")]]


def after_cleanup():
    return [[*REGISTER, call("list_create"), *filled(5), call("list_remove", index=1),
             call("iterator_create", 0, 0, 2), call("iterator_delete"), call("list_delete"), *END,
             call("list_create"), *filled(5), *LOOK, call("list_delete"), *END, *END],
            [*REGISTER, call("queue_create"), *(call("queue_push", data=i) for i in range(9)),
             *([call("queue_pop")] * 9), call("cleanup"), call("queue_push", data=7),
             call("queue_pop"), call("queue_delete"), *END]]


def long_queue():
    return [queues(call("fill_queue", index=40_000), call("drain_queue", index=40_000),
                   call("queue_size"), call("queue_pop"))]


# Rules whose scripts are made by a function; unregistered must be alone in its process, or first.
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
    "register-null": register_null,
    "unregistered": unregistered,
    "cleanup": after_cleanup,
    "long-queue": long_queue,
}


# Playing ------------------------------------------------------------------------------------

class Fault:
    """What a script showed: the call, what was expected and found."""

    def __init__(self, at, one, expected, found, is_late=False):
        self.at, self.one = at, one
        self.expected, self.found, self.is_late = expected, found, is_late

    def text(self):
        if self.one is None:
            return self.found
        return f"call {self.at + 1}, {calls.c_text(self.one)}: {self.found}"


class Player:
    """Plays scripts on a submission that was built."""

    def __init__(self, submission, seconds=10.0, environment=None):
        self.submission = submission
        self.seconds = seconds
        self.environment = submission.environment(environment)
        self.late = 0        # scripts that did not end in time
        self.shrunk = 0      # faults that were shortened
        self.answering = 0.0  # seconds of the last script

    def run(self, script, wrap=(), program="player", keep=(), environment=None, **options):
        """(outcome, records, whether all of them are genuine) of a script."""
        nonce = secrets.randbits(64)
        file = memory_file(calls.script_bytes(script, nonce))
        limits = options.pop("limits", Limits(seconds=self.seconds))
        try:
            outcome = self.submission.box.run(
                [*wrap, self.submission.program(program), str(file), "{results}"],
                str(self.submission.stage), limits, keep=[file, *keep], results=True,
                environment={**self.environment, **(environment or {})}, plays=True, **options)
        finally:
            os.close(file)
        found, genuine = calls.records(outcome.results, nonce)
        return outcome, found, genuine

    def play(self, script):
        """None when every call did as the model says and the child came to its end, else a Fault."""
        outcome, found, genuine = self.run(script)
        self.answering = outcome.answering
        fault = self.judge(script, outcome, found, genuine)
        if fault is not None and fault.is_late:
            self.late += 1
        return fault, found

    @staticmethod
    def judge(script, outcome, found, genuine):
        model = Model()
        for at, (one, record) in enumerate(zip(script, found)):
            wrong = model.step(one, record)
            if wrong is not None:
                return Fault(at, one, *wrong)
        at = len(found)
        if at < len(script):
            one = script[at] if at or outcome.signal is None else None
            what = outcome.text() if genuine else "answers that are not the judge's"
            is_slow = outcome.is_late or outcome.text() == "it used up its processor time"
            return Fault(at, one, "the call returns", what, is_slow)
        if not genuine or len(found) != len(script) + 1:
            return Fault(at, None, "the script comes to its end", outcome.text(), outcome.is_late)
        if outcome.status != 0:
            return Fault(at, None, "the process ends after the last call", outcome.text(),
                         outcome.is_late)
        return None

    # Shortening ------------------------------------------------------------------------------

    def shrink(self, script, fault):
        """A shorter script with a fault of the same kind, and that fault."""
        if fault.is_late or any(calls.NAMES[one[0]] >= 50 for one in script):
            return script, fault  # each further try would take as long
        self.shrunk += 1
        if self.shrunk > SHRUNK_MAX and len(script) <= 60:
            return script[:fault.at + 1], fault
        deadline = time.monotonic() + SHRINK_SECONDS
        best = script[:fault.at + 1]
        found = self.play(best)[0]
        if found is None:
            return script, fault
        fault = found
        part = max(len(best) // 2, 1)
        while part >= 1 and time.monotonic() < deadline:
            start, shorter = 0, False
            while start < len(best) and time.monotonic() < deadline:
                less = legal([one for at, one in enumerate(best)
                              if not start <= at < start + part or one in REGISTER])
                found = self.play(less)[0] if less and len(less) < len(best) else None
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
                shown = best if len(best) <= 60 else best[-60:]
                program = calls.c_program(shown, text) if len(best) <= 60 else None
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
             + ["queue_has_next"] * 3 + ["queue_size"] * 3 + ["queue_head"] * 2
             + ["list_create", "queue_create"] * 2)
    while len(script) < count:
        name = draw.choice(names)
        if draw.random() < 0.002:
            name = draw.choice(["list_delete", "queue_delete"])
        slot = NULL if draw.random() < 0.005 else draw.randrange(3)
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
    for names in (("list_malloc", "list_free", "list_create", "list_end", "list_delete"),
                  ("queue_malloc", "queue_free", "queue_create", "queue_push", "queue_delete"),
                  ("queue_malloc", "queue_free", "list_create", "list_end", "list_delete")):
        script = [call(names[0], data=1), call(names[1], data=1), call(names[2]),
                  *[call(names[3], data=i) for i in range(50)], call(names[4])]
        fault, found = player.play(script)
        if fault is not None:
            return rule.failed(fault.expected, fault.text(), calls.c_program(script, rule.promise))
        made = sum(record.mallocs for record in found)
        past = sum(record.strangers for record in found)
        program = calls.c_program(script, rule.promise)
        if past:
            return rule.failed("every request through the registered malloc",
                               f"{past} requests to another malloc in {len(script)} calls", program)
        if found[2].mallocs == 0:
            return rule.failed(f"{calls.c_text(script[2])} calls the registered malloc",
                               "it did not", program)
        if made == 0:
            return rule.failed("registered malloc called", "never", program)
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


def check_failing(player):
    rule = Rule("failed-malloc")
    tried = 0
    for before, target, after in failing_scripts().values():
        for which in range(1, 9):
            script = [*REGISTER, *before, call("fail_at", index=which), target, call("fail_at"),
                      *after, *END]
            if player.late >= LATE_MAX:
                return rule.not_judged(f"{LATE_MAX} scripts before it did not end in time",
                                       is_fault=True)
            fault, found = player.play(script)
            tried += 1
            if fault is not None:
                return rule.failed(fault.expected, f"with request {which} failing, {fault.text()}",
                                   calls.c_program(script, rule.promise))
            if not found[len(REGISTER) + len(before) + 1].flags & calls.DENIED:
                break
    # Pools ask rarely: a long run of pushes with every k-th request failing.
    for which in (1, 2, 3, 5, 8, 13, 40):
        script = [*REGISTER, call("queue_create"), call("fail_at", index=which),
                  *[call("queue_push", data=i) for i in range(60)], call("fail_at"),
                  *[call("queue_push", data=i) for i in range(5)], call("queue_size"),
                  *([call("queue_pop")] * 70), call("queue_delete"), *END]
        fault, _ = player.play(script)
        tried += 1
        if fault is not None:
            return rule.failed(fault.expected, f"with request {which} failing, {fault.text()}")
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
    script = list(REGISTER)
    fill = "fill_queue" if create.startswith("queue") else "fill_end"
    for _ in range(LONG // length):
        script.append(call(create))
        if not what.startswith("fill"):
            script.append(call(fill, index=length))
        script += [call(what, data=length, index=length), call(delete)]
    return script


def time_growing(player, what, runs):
    """(least seconds on short structures, on long ones, fault) of several runs; more than one only
    while it looks linear. The time is that between the first answer and the last."""
    times = {SHORT: [], LONG: []}
    for _ in range(runs):
        for length in (SHORT, LONG):
            script = [one for create, name, delete in what
                      for one in growing_script(create, name, delete, length)]
            fault, _ = player.play(script)
            times[length].append(max(player.answering, SECONDS_LEAST))
            if fault is not None:
                return min(times[SHORT]), 0.0, fault
        if min(times[LONG]) < GROWTH * min(times[SHORT]):
            break
    return min(times[SHORT]), min(times[LONG]), None


def check_constant_time(player):
    """All together first, and one by one when that is slow. The least of several times on either side:
    a busy machine makes no call linear."""
    rule = Rule("constant-time")
    short, long, fault = time_growing(player, [row[1:] for row in GROWING], 1)
    if fault is None and long < GROWTH * short:
        return rule.passed()
    for name, *what in GROWING:
        if player.late >= LATE_MAX:
            return rule.not_judged(f"{LATE_MAX} scripts before it did not end in time",
                                   is_fault=True)
        short, long, fault = time_growing(player, [what], TIMED_RUNS)
        if fault is not None:
            return rule.failed("calls that take constant time", f"{name}: {fault.text()}")
        if long >= GROWTH * short:
            return rule.failed("the same time per call on a long structure as on a short one",
                               f"{LONG:,} times {name} take {long / short:.0f} times as long with "
                               f"{LONG:,} elements as with {SHORT}")
    return rule.passed()


def all_edges():
    """Every edge case in one script, that without registration first."""
    first = unregistered()[0]
    return first + [one for name, scripts in EDGES.items() if name != "unregistered"
                    for script in scripts() for one in script]


def judge_edges(player, say):
    """One process plays all of them; when it shows a fault, each rule has its own."""
    rules = [Rule(name) for name in EDGES]
    say("contract: edge cases")
    if player.play(all_edges())[0] is None:
        return [rule.passed() for rule in rules]
    for rule in rules:
        say(f"contract: {rule.name}")
        player.check(rule, EDGES[rule.name]())
    return rules


def judge(player, say, seeds=(1, 2), random_calls=RANDOM_CALLS):
    """The rules of the group "contract"."""
    rules = judge_edges(player, say)
    for check in (check_registered, check_failing, check_constant_time):
        say("contract: " + check.__name__.replace("check_", "").replace("_", " "))
        rules.append(check(player))
    say("contract: random calls")
    rule = Rule("random-calls")
    scripts = (random_script(seed, random_calls) for seed in seeds)
    rules.append(player.check(rule, scripts, f"{len(seeds)} times {random_calls:,} calls"))
    return rules

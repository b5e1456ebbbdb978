"""A fault: a function and the kind of call that went wrong. Points are lost by faults, not by rules.

1. kind_of() says of a call what is asked: ordinary use, an index past the end, an empty queue, NULL.
2. History names the function of a difference: a look at the nodes is the work of the call that changed them.
3. Ledger has the faults found so far. What a known fault explains is found once: a rule that differs only
   there is kept, but for that function. Calls that end the process are cut out, and the rest is played.
4. COSTS is the table of student.md, in points of 100.
"""
import calls
from calls import FUNCTIONS, NULL
from model import Model, Perfect, is_possible

USE, PAST, EMPTY, NULLS = "ordinary use", "past the end", "an empty queue", "NULL"
REFUSED, LEAK, STRANGER = "refused memory", "memory kept", "another malloc"
CONTENT = "wrong elements"
UNWRITTEN, FREED = "memory that was never written", "memory that was freed before"
PROCESS = "the process"  # in place of a function, when the difference is in no call

COSTS = {CONTENT: 25, USE: 10, PAST: 10, EMPTY: 10, REFUSED: 10, STRANGER: 10, LEAK: 15, NULLS: 5}
MOST = {NULLS: 15, REFUSED: 10, STRANGER: 10, LEAK: 15, PAST: 20}  # of all functions together
MOST_OF_A_FUNCTION = 25
UNTIMED = frozenset((CONTENT, STRANGER, LEAK))  # speed is not judged with one of these

CLEANUP = "linked_list_final_cleanup"
# These lose no element.
LOOKS = frozenset(FUNCTIONS[name] for name in (
    "list_size", "list_find", "iterator_create", "iterator_next", "iterator_delete", "queue_next",
    "queue_has_next", "queue_size", "list_malloc", "list_free", "queue_malloc", "queue_free")) | {CLEANUP}
CHANGES = ("list_create", "list_end", "list_front", "list_insert", "list_remove", "queue_create", "queue_push",
           "queue_pop", "fill_queue", "drain_queue", "fill_end", "fill_front", "drain_front")
CREATES = frozenset((FUNCTIONS["list_create"], FUNCTIONS["queue_create"]))  # after which nothing is forgotten yet
SIZE, INSERT = "linked_list_size", "linked_list_insert"
ITERATOR, ITERATE = "linked_list_create_iterator", "linked_list_iterate"
MAY_CALL = {name: frozenset(("linked_list_" + one for one in others.split())) for name, others in (
    ("linked_list_insert_end", "insert size"), ("linked_list_insert_front", "insert size"),
    (INSERT, "insert_end insert_front size"), ("linked_list_remove", "size"), ("linked_list_delete", "remove size"),
    ("linked_list_find", "size create_iterator iterate"), ("linked_list_create_iterator", "size"))}


def function_of(one):
    return FUNCTIONS.get(one[0], CLEANUP if one[0] == "cleanup" else None)


def structure_of(one, model):
    """(kind, slot) of what a call is about."""
    name, slot, data, _ = one
    if name == "iterator_create":
        return "list", data
    if name.startswith("iterator"):
        iterator = model.iterators.get(slot)
        return ("list", iterator.home) if iterator else ("list", NULL)
    return "queue" if "queue" in name else "list", slot


def kind_of(one, model):
    """What the call asks, before it is made."""
    name, slot, _, index = one
    if name in ("list_create", "queue_create", "cleanup", "counts", "fail_at") or name.endswith(("malloc", "free")):
        return USE
    if name in ("iterator_next", "iterator_delete"):
        return USE if slot in model.iterators else NULLS
    kind, slot = structure_of(one, model)
    values = (model.queues if kind == "queue" else model.lists).get(slot)
    if values is None:
        return NULLS
    if name == "list_insert" and index > len(values) or \
            name in ("list_remove", "iterator_create") and index >= len(values):
        return PAST
    return EMPTY if name in ("queue_pop", "queue_next") and not values else USE


class History:
    """What was done to each structure of a script."""

    def __init__(self):
        self.last = {}     # structure: (function, kind) of the last call that may change it
        self.before = {}   # structure: the function of the last change that another one made
        self.touched = {}  # structure: functions of ordinary use, since it was created
        self.deleted = None
        self.refused = None  # the function in which a request was refused
        self.is_armed = False
        self.stranger = None  # the function that asked another malloc

    def note(self, one, kind, structure, is_denied):
        name, function = one[0], function_of(one)
        if name.endswith("_create") and name != "iterator_create":
            self.touched[structure] = set()
        if name in CHANGES:
            if structure in self.last and self.last[structure][0] != function:
                self.before[structure] = self.last[structure][0]
            self.last[structure] = function, kind
        if kind == USE and function:
            self.touched.setdefault(structure, set()).add(function)
        if name in ("list_delete", "queue_delete") and kind == USE:
            self.deleted = self.deleted or function
        if name == "fail_at" and one[3]:
            self.is_armed = True
        elif self.is_armed and self.refused is None and name != "fail_at":
            if is_denied:
                self.refused = function

    def blame(self, one, kind, structure):
        """(function, kind, whether the elements themselves are wrong)."""
        name = one[0]
        if name == "counts":
            return self.deleted or PROCESS, LEAK, False
        if name in ("list_head", "list_walk"):
            function, kind = self.last.get(structure, ("linked_list_create", USE))
            return function, kind, True
        is_content = name in ("queue_pop",) or name in CHANGES and calls.NAMES[name] >= 50
        return function_of(one) or PROCESS, kind, is_content


class Ledger:
    """The faults of a hand-in. uses: for each library, the functions of the interface that it calls by name."""

    def __init__(self, uses=None):
        self.costs = {}    # (function, kind): its cost
        self.ends = set()  # keys of calls in which a process ended
        self.hangs = set()  # keys of calls that took too long
        self.miscounting = {}  # functions after which the size is wrong
        self.reads = {}    # UNWRITTEN or FREED: the functions that ended, because they read such memory
        self.answers = set()  # insertions that say false, and insert
        self.proved = set()  # functions whose ordinary use was right in a whole rule
        self.uses = uses or {}

    def add(self, fault):
        key = fault.key[:2]
        self.costs[key] = max(self.costs.get(key, 0), fault.cost)
        if fault.is_end:
            self.ends.add(key)
            if fault.memory is not None:
                self.reads.setdefault(fault.memory, set()).add(key[0])
        if fault.is_late and key[0] != PROCESS:  # what hangs in ordinary use is asked nothing more
            self.hangs |= {(key[0], kind) for kind in ((USE, PAST, EMPTY, NULLS) if key[1] == USE else (key[1],))}

    def hung(self, script):
        """The functions of a script that are known not to end."""
        return {function for function, _ in self.hangs} & {function_of(one) for one in script}

    def is_broken(self, function):
        """True if it leaves wrong elements."""
        return self.costs.get((function, USE), 0) >= COSTS[CONTENT]

    def broken_in(self, touched):
        """The functions that make everything after them doubtful."""
        counts = any((function, USE) in self.costs for function in self.miscounting)
        found = {function for function in touched
                 if self.is_broken(function) or counts and function in self.miscounting}
        if "queue_push" in touched and self.is_broken("queue_pop"):
            found.add("queue_pop")  # a queue's order is the work of both
        return found

    def callees(self, function):
        """What it may call, and some function of its library does."""
        if function.startswith("queue_"):
            return {one for one in self.uses.get("libqueue.so", ()) if one.startswith("linked_list")}
        return MAY_CALL.get(function, frozenset()) & set(self.uses.get("liblinked_list.so", ()))

    def excuse(self, fault):
        """The functions whose known faults explain this one; empty: it is new."""
        function, kind = fault.key[:2]
        known = self.costs.get((function, kind), 0)
        if known >= fault.cost or known and fault.one[0].startswith("fill"):  # which counts its answers
            return {function}
        if fault.one[0] == "list_size" and function in self.miscounting:
            return set()
        if function in self.answers and kind in (USE, REFUSED):
            return {function} if (function, USE) in self.costs else set()
        if kind == LEAK:  # what is kept for later use, cleanup gives back; what is lost, nobody can
            return {one for one, what in self.costs if what == LEAK or one == CLEANUP} or self.broken_in(fault.touched)
        if kind == STRANGER:
            return {one for one, what in self.costs if what == STRANGER}
        if function == ITERATE and (ITERATOR, USE) in self.costs:  # of which it got the iterator
            return {ITERATOR}
        return self.below(function, kind, fault.is_repeated) or self.broken_in(fault.touched)

    def below(self, function, kind, is_repeated=False):
        """The functions that this one calls by name, with a fault of the same kind. is_repeated: a number is what
        linked_list_size says, too."""
        if kind in (NULLS, STRANGER, LEAK) or function in self.answers:
            return set()
        found = {one for one, what in self.costs if one != function and one in self.callees(function)
                 and (what == kind or {what, kind} == {PAST, EMPTY} or one == SIZE and what == USE)}
        if function == "queue_size" and not is_repeated:
            found.discard(SIZE)
        return found

    def cut(self, script, fault):
        """The script without the calls that end it."""
        function, kind = fault.key[:2]
        own = self.costs.get((function, kind), 0) >= fault.cost
        broken = set() if own else {(one, USE) for one in self.broken_in(fault.touched)}
        return without(script, broken or {(function, kind)})

    def peaceful(self, script):
        """The script without any call of a kind that is known to be wrong, but for ordinary use that returns."""
        return without(script, self.hangs | {key for key in self.costs if key in self.ends or key[1] != USE})


def without(script, keys):
    """The legal calls of a script that are not of these functions and kinds."""
    model, kept = Model(), []
    for one in script:
        if (function_of(one), kind_of(one, model)) in keys:
            continue
        if model.is_legal(one) and is_possible(model, one):
            kept.append(one)
            getattr(model, "do_" + one[0])(one, Perfect)
    return kept


def total(faults, weights):
    """Points of 100 that these cost: [(rule, function, kind, cost)], with the weights of the rules."""
    of_function, of_kind = {}, {}
    for rule, function, kind, cost in faults:
        weight = weights.get(rule, 1)
        now = of_function.setdefault(function, {})
        now[kind] = max(now.get(kind, 0), cost * weight)
    for kinds in of_function.values():
        most = max([MOST_OF_A_FUNCTION, *kinds.values()])
        scale = min(1.0, most / sum(kinds.values())) if sum(kinds.values()) else 1.0
        for kind, cost in kinds.items():
            of_kind.setdefault(kind, []).append(cost * scale)
    return sum(min(sum(costs), max([MOST[kind], *costs])) if kind in MOST else sum(costs)
               for kind, costs in of_kind.items())

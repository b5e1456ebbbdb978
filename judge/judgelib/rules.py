"""A rule: one promise, and whether the submission keeps it. One line of the card.

RULES is the only list of their names, groups and promises; the function that judges a rule is elsewhere. At every
level malloc and free are registered before the first create, the challenge's precondition: levels.py.
Which sentence of the published header a rule rests on is a table in teacher.md. What that header leaves open is
a remark: it is on the card and has no points, unless a rubric gives it some.
"""

RULES = [
    ("builds", "build", "its own build, or cc -O2, makes the libraries of its level"),
    ("exports", "build",
     "the libraries define every function of the interface, and none of the C "
     "library's"),
    ("headers", "build",
     "a C program compiles against the headers; functions and members have the "
     "challenge's types"),
    ("queue-alone", "build", "a program that uses only the queue links with -lqueue, and runs"),
    ("harness", "build", "a harness compiles and links with headers and libraries"),
    ("first-use", "contract", "the first element of a list, and of a queue, is what was put in"),
    ("insert-ends", "contract", "insert_front and insert_end, with head and links as they should"),
    ("list-size", "contract", "size gives the number of elements"),
    ("empty-list", "contract", "an empty list: head NULL, nothing found; it can be filled again"),
    ("insert-index", "contract", "insert takes index 0 to size, inclusive"),
    ("remove-index", "contract", "remove takes index 0 to size - 1; the tail stays right"),
    ("find-first", "contract", "find gives the index of the first match, else SIZE_MAX"),
    ("iterator-walk", "contract",
     "an iterator starts at its index; iterate moves it node by node, and gives "
     "false at the last"),
    ("two-lists", "contract", "lists do not share elements"),
    ("queue-order", "contract", "pop gives what was pushed, first in, first out"),
    ("queue-looks", "contract", "next leaves the head in place; size and has_next agree"),
    ("queue-empty", "contract", "pop and next on an empty queue: false, the data untouched"),
    ("delete-filled", "contract", "delete works with elements left, and gives back their memory"),
    ("gives-back", "contract", "remove, pop and delete_iterator give back what they take out"),
    ("cleanup", "contract",
     "linked_list_final_cleanup gives back every block; the libraries stay usable"),
    ("long-queue", "contract", "40,000 elements in a queue"),
    ("insert-past-end", "contract", "insert past the end gives false and changes nothing"),
    ("remove-past-end", "contract", "remove past the end gives false and changes nothing"),
    ("iterator-past-end", "contract", "create_iterator at or past the end gives NULL"),
    ("null-list", "contract", "a NULL list or iterator gives false, NULL or SIZE_MAX"),
    ("null-queue", "contract", "a NULL queue gives false or SIZE_MAX, the data untouched"),
    ("registered", "contract",
     "all memory comes through the registered functions"),
    ("failed-malloc", "contract",
     "a failed allocation gives false or NULL, changes nothing and leaks nothing; "
     "tried for every request in turn"),
    ("random-calls", "contract", "random legal calls agree with the model, whatever their order"),
    ("threads-own", "contract",
     "threads with lists and queues of their own do not disturb each other"),
    ("threads-handed", "contract",
     "one thread creates a queue, another uses it, a third deletes it"),
    ("threads-shared", "contract",
     "a queue under the caller's mutex serves several threads"),
    ("threads-races", "contract", "ThreadSanitizer finds no data race"),
    ("constant-time", "remarks", "size, push, pop and insertion at the ends take constant time"),
    ("register-null", "remarks", "registering NULL gives false and changes nothing"),
    ("queue-registers", "remarks",
     "what is registered with the queue alone serves lists too"),
    ("memory-misuse", "memory",
     "Valgrind finds no invalid access and no use of uninitialised memory"),
    ("memory-leaks", "memory", "Valgrind finds no block lost after everything is deleted"),
    ("own-search", "answers",
     "the hand-in's own search finds what the judge's does, pair by pair"),
    ("answers", "answers",
     "every search finds and counts what the judge's own does, in the same order"),
]
PASSED, FAILED, REMARK, NOT_JUDGED = "passed", "failed", "remark", "not judged"


def not_reached(rules, groups, why, left_out=()):
    """A rule that counts as failed for each one of these groups that was asked for and never came to
    be judged. "harness" is not a promise: it is on the card only when it fails."""
    there = {rule.name for rule in rules} | {"harness", *left_out}
    return [Rule(name).not_judged(why, is_fault=True) for name, group, _ in RULES
            if group in groups and name not in there]


class Rule:
    def __init__(self, name):
        self.name = name
        self.group, self.promise = next(row[1:] for row in RULES if row[0] == name)
        self.status = NOT_JUDGED
        self.expected = None
        self.found = None
        self.program = None     # C that shows it
        self.calls = []         # the last calls that show it
        self.faults = []        # (function, kind, cost) of what is found here first
        self.but_for = set()    # functions whose faults, found elsewhere, show here too
        self.is_earned = True   # False if "not judged" is a fault of the submission

    def passed(self, found=None):
        self.status, self.found = PASSED, found
        return self

    def failed(self, expected, found, program=None):
        self.status = REMARK if self.group == "remarks" else FAILED
        self.expected, self.found, self.program = expected, found, program
        return self

    def not_judged(self, why, is_fault=False):
        """is_fault: because of what the submission did before, so that it counts as failed."""
        self.status, self.found, self.is_earned = NOT_JUDGED, why, not is_fault
        return self

    @property
    def counts(self):
        """False only for what could not be judged here, through no fault of the submission."""
        return self.status != NOT_JUDGED or not self.is_earned

    def as_json(self):
        return {"name": self.name, "group": self.group, "promise": self.promise,
                "status": self.status, "expected": self.expected, "found": self.found,
                "program": self.program, "calls": self.calls, "but_for": sorted(self.but_for),
                "faults": [{"function": function, "kind": kind, "cost": cost}
                           for function, kind, cost in self.faults]}

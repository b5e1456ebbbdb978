"""The challenge's levels, and which rules each one asks for.

Level 1 is the list alone, level 2 the list and the queue. Level 3 is these and a search program, level 4 lists
and queues in several threads. Registering malloc and free before the first create is a precondition at every level,
as the published header has it. That this project's own libraries serve without it is their promise, not the
challenge's: no rule asks for it. linked_list_final_cleanup belongs to no level: it comes with the article on
custom allocators, and its rule asks whoever has it.
"""
import re

from calls import call

LEVELS = (1, 2, 3, 4)
QUEUE_RULES = ("queue-alone", "null-queue", "queue-order", "queue-looks", "queue-empty", "long-queue",
               "queue-registers")
THREAD_RULES = ("threads-own", "threads-handed", "threads-shared", "threads-races")
CLEANUP = "linked_list_final_cleanup"
NUMBERED = re.compile(r"(?:level|lvl|week|part|stage|step|l|w)[ _-]*(\d)", re.I)
REGISTER_LIST = [call("list_malloc", data=1), call("list_free", data=1)]
REGISTER_QUEUE = [call("queue_malloc", data=1), call("queue_free", data=1)]


def not_asked(level, has_cleanup):
    """Names of the rules that a hand-in is not asked for."""
    return (QUEUE_RULES if level == 1 else ()) + (() if has_cleanup and level > 1 else ("cleanup",)) + \
        (() if level == 3 else ("own-search",)) + (() if level == 4 else THREAD_RULES)


def without_comments(text):
    """One pass: a comment without an end goes on to the end of the text."""
    return re.sub(r"/\*.*?(?:\*/|\Z)|//[^\n]*", " ", text, flags=re.S)


def declares_cleanup(header):
    return re.search(rf"\b{CLEANUP}\s*\(", without_comments(header)) is not None


def of_folder(name):
    """The level in a folder's name, such as week-2, or None."""
    found = NUMBERED.fullmatch(name) or re.search(r"(?:level|week)[ _-]*(\d)", name, re.I)
    return int(found[1]) if found else None


def registration(level):
    """The calls that come first: each library has its own functions, and at level 1 there is one library."""
    return REGISTER_LIST if level == 1 else REGISTER_LIST + REGISTER_QUEUE


def adapted(script, level):
    """The script without the calls that the level does not have."""
    return [one for one in script if level > 1 or "queue" not in one[0]]


def is_whole(script, level):
    """False if the level leaves something out of a script but its registration: what is left of it would
    ask something else."""
    return all(level > 1 or "queue" not in one[0] or one in REGISTER_QUEUE for one in script)

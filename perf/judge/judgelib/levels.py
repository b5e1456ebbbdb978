"""The challenge's levels, and which rules each one asks for.

Level 1 is the list alone; level 2 list and queue as first published; level 3 has
linked_list_final_cleanup. At all three, registering malloc and free before the first create is a
precondition, as the published header has it (level 3 adds to that header and takes nothing away). That
this project's own libraries serve without it is their promise, not the challenge's: no rule asks for it.
"""
import re

from calls import call

LEVELS = (1, 2, 3)
QUEUE_RULES = ("queue-alone", "null-queue", "queue-order", "queue-looks", "queue-empty", "long-queue")
NOT_ASKED = {1: (*QUEUE_RULES, "cleanup"), 2: ("cleanup",), 3: ()}
CLEANUP = "linked_list_final_cleanup"
NUMBERED = re.compile(r"(?:level|lvl|week|part|stage|step|l|w)[ _-]*(\d)", re.I)
REGISTER_LIST = [call("list_malloc", data=1), call("list_free", data=1)]
REGISTER_QUEUE = [call("queue_malloc", data=1), call("queue_free", data=1)]


def without_comments(text):
    return re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)


def recognised(header, defined, has_queue):
    """The level of what was handed in: by its linked_list.h ("" when there is none), by the names that its
    libraries define, and by the queue being there."""
    if not has_queue:
        return 1
    declares = re.search(rf"\b{CLEANUP}\s*\(", without_comments(header))
    return 3 if declares or CLEANUP in defined else 2


def of_folder(name):
    """The level in a folder's name, such as week-2, or None."""
    found = NUMBERED.fullmatch(name) or re.search(r"(?:level|week)[ _-]*(\d)", name, re.I)
    return int(found[1]) if found else None


def registration(level):
    """The calls that come first. At level 3 the queue's serve both libraries; before that each has its
    own, and at level 1 there is only the list's."""
    return {1: REGISTER_LIST, 2: REGISTER_LIST + REGISTER_QUEUE, 3: REGISTER_QUEUE}[level]


def adapted(script, level):
    """The script without the calls that the level does not have."""
    return [one for one in script if (level == 3 or one[0] != "cleanup")
            and (level > 1 or "queue" not in one[0])]

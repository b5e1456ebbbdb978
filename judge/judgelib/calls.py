"""The calls that player.c can play: numbers, bytes, and how each reads in C.

A call is a tuple (name, slot, data, index). Slots number the lists, queues and iterators of a script;
NULL is the slot that is never set.
"""
import struct

from printable import counted

NULL = 15
SHOWN = 5  # calls on the first screen of a card
UNTOUCHED = 0xDEADBEEF
SIZE_MAX = 2 ** 64 - 1

NAMES = {
    "list_create": 1, "list_delete": 2, "list_size": 3, "list_end": 4, "list_front": 5,
    "list_insert": 6, "list_find": 7, "list_remove": 8, "list_head": 9, "list_walk": 10,
    "iterator_create": 20, "iterator_delete": 21, "iterator_next": 22,
    "queue_create": 30, "queue_delete": 31, "queue_push": 32, "queue_pop": 33, "queue_next": 34,
    "queue_has_next": 35, "queue_size": 36,
    "list_malloc": 40, "list_free": 41, "queue_malloc": 42, "queue_free": 43, "cleanup": 44,
    "fail_at": 45, "counts": 46,
    "fill_queue": 50, "drain_queue": 51, "fill_end": 52, "fill_front": 53, "drain_front": 54,
    "size_queue": 55, "size_list": 56,
}
FUNCTIONS = {  # of the interface, that a call needs
    "list_create": "linked_list_create", "list_delete": "linked_list_delete",
    "list_size": "linked_list_size", "list_end": "linked_list_insert_end",
    "list_front": "linked_list_insert_front", "list_insert": "linked_list_insert",
    "list_find": "linked_list_find", "list_remove": "linked_list_remove",
    "iterator_create": "linked_list_create_iterator",
    "iterator_delete": "linked_list_delete_iterator", "iterator_next": "linked_list_iterate",
    "queue_create": "queue_create", "queue_delete": "queue_delete", "queue_push": "queue_push",
    "queue_pop": "queue_pop", "queue_next": "queue_next", "queue_has_next": "queue_has_next",
    "queue_size": "queue_size", "list_malloc": "linked_list_register_malloc",
    "list_free": "linked_list_register_free", "queue_malloc": "queue_register_malloc",
    "queue_free": "queue_register_free", "fill_queue": "queue_push", "drain_queue": "queue_pop",
    "fill_end": "linked_list_insert_end", "fill_front": "linked_list_insert_front",
    "drain_front": "linked_list_remove", "size_queue": "queue_size",
    "size_list": "linked_list_size",
}
CALL = struct.Struct("<HHIQ")
RECORD = struct.Struct("<QIIQQIIII")

BAD_FREE, DENIED, MISSING, INCONSISTENT, CRASHED = 1, 2, 4, 8, 16


def call(name, slot=0, data=0, index=0):
    return (name, slot, data, index)


def script_bytes(calls, nonce):
    parts = [struct.pack("<QQ", nonce, len(calls))]
    parts += [CALL.pack(NAMES[name], slot, data, index) for name, slot, data, index in calls]
    return b"".join(parts)


class Record:
    """What player.c told of one call."""
    __slots__ = ("truth", "value", "extra", "mallocs", "frees", "strangers", "flags")

    def __init__(self, fields):
        (self.truth, self.value, self.extra, self.mallocs, self.frees, self.strangers,
         self.flags) = fields


class Records(list):
    """The records of a script, in order. address: where the access was that ended it, or the suspicious
    value that a register held then; None: it did not end so."""
    address = None


def records(data, nonce):
    """(records, whether every one of them is genuine): those with the nonce, in order."""
    found = Records()
    for start in range(0, len(data) - RECORD.size + 1, RECORD.size):
        got_nonce, index, *fields = RECORD.unpack_from(data, start)
        if got_nonce != nonce or index != len(found):
            return found, False
        if fields[-1] & CRASHED:
            found.address = fields[1]
            return found, True
        found.append(Record(fields))
    return found, len(data) % RECORD.size == 0


# C ----------------------------------------------------------------------------------------------

def variable(kind, slot):
    return "NULL" if slot == NULL else f"{kind}{slot}"


def c_call(one):
    """The call as C: (statement, kind of result: "pointer", "bool", "size", "data" or "")."""
    name, slot, data, index = one
    ll, queue, iterator = (variable(kind, slot) for kind in ("ll", "queue", "iter"))
    size = f"{index}u" if index < 2 ** 32 else f"{index}ull"
    simple = {
        "list_create": (f"{ll} = linked_list_create()", "pointer"),
        "list_delete": (f"linked_list_delete({ll})", "bool"),
        "list_size": (f"linked_list_size({ll})", "size"),
        "list_end": (f"linked_list_insert_end({ll}, {data}u)", "bool"),
        "list_front": (f"linked_list_insert_front({ll}, {data}u)", "bool"),
        "list_insert": (f"linked_list_insert({ll}, {size}, {data}u)", "bool"),
        "list_find": (f"linked_list_find({ll}, {data}u)", "size"),
        "list_remove": (f"linked_list_remove({ll}, {size})", "bool"),
        "list_head": (f"{ll}->head != NULL", "bool"),
        "list_walk": (f"walk({ll}->head)", "size"),
        "iterator_create":
            (f"{iterator} = linked_list_create_iterator({variable('ll', data)}, {size})", "pointer"),
        "iterator_delete": (f"linked_list_delete_iterator({iterator})", "bool"),
        "iterator_next": (f"linked_list_iterate({iterator})", "bool"),
        "queue_create": (f"{queue} = queue_create()", "pointer"),
        "queue_delete": (f"queue_delete({queue})", "bool"),
        "queue_push": (f"queue_push({queue}, {data}u)", "bool"),
        "queue_pop": (f"queue_pop({queue}, &data)", "data"),
        "queue_next": (f"queue_next({queue}, &data)", "data"),
        "queue_has_next": (f"queue_has_next({queue})", "bool"),
        "queue_size": (f"queue_size({queue})", "size"),
        "list_malloc": (f"linked_list_register_malloc({'my_malloc' if data else 'NULL'})", "bool"),
        "list_free": (f"linked_list_register_free({'my_free' if data else 'NULL'})", "bool"),
        "queue_malloc": (f"queue_register_malloc({'my_malloc' if data else 'NULL'})", "bool"),
        "queue_free": (f"queue_register_free({'my_free' if data else 'NULL'})", "bool"),
        "cleanup": ("linked_list_final_cleanup()", ""),
        "fail_at": (f"fail_at = {size}", ""),
        "counts": ("live", "size"),
    }
    many = {"fill_queue": "queue_push({queue}, i)", "drain_queue": "queue_pop({queue}, &data)",
            "fill_end": "linked_list_insert_end({ll}, i)",
            "fill_front": "linked_list_insert_front({ll}, i)",
            "drain_front": "linked_list_remove({ll}, 0)", "size_queue": "queue_size({queue})",
            "size_list": "linked_list_size({ll})"}
    if name in many:
        text = many[name].format(queue=queue, ll=ll)
        return f"for (unsigned i = 0; i < {index}u; i++) {text}", ""
    return simple[name]


def c_text(one):
    """As it reads in a sentence."""
    return "what is still there" if one[0] == "counts" else c_call(one)[0]


def last_of(script):
    """The last calls of a script, as a card shows them."""
    before = len(script) - SHOWN
    return ([f"after {counted(before, 'other call')}:"] if before > 0 else []) + [c_text(one) for one in script[-SHOWN:]]

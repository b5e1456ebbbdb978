"""What every call must return: lists of Python in place of linked ones.

The model follows the report where the promise leaves a choice: a call in which a request for
memory was made to fail may give up, or manage without the memory; either way it must report which.
A mismatch is (expected, found), both as a reader wants them. Calls whose result is not promised,
such as those on an iterator whose list has changed, are left out by legal(). The published header says of an
iterator at the end only that iterate gives false: where the iterator is then, and what one more call gives, is
the author's choice, so nothing is asked of it but to be deleted.
"""
from printable import counted
from calls import (BAD_FREE, DENIED, INCONSISTENT, MISSING, NAMES, NULL, SIZE_MAX, UNTOUCHED, c_text)

UNDEFINED = "the libraries do not define it"


def truth_text(truth):
    return "true" if truth else "false"


def pointer_text(truth):
    return "not NULL" if truth else "NULL"


def size_text(value):
    return "SIZE_MAX" if value == SIZE_MAX else str(value)


def data_text(truth, value):
    return f"{truth_text(truth)}, data {'untouched' if value == UNTOUCHED else value}"


class Iterator:
    def __init__(self, place, index):
        self.home = place   # the slot of its list
        self.place = place  # None: the list has changed since, or the end was reached
        self.index = index


class Model:
    """step(call, record) gives None, or (expected, found)."""

    def __init__(self):
        self.lists = {}      # slot: values
        self.queues = {}
        self.iterators = {}  # slot: Iterator
        self.mallocs = 0     # requests to the registered malloc
        self.is_created = False

    # Which calls are legal ---------------------------------------------------------------------

    def is_legal(self, one):
        name, slot, data, _ = one
        if name == "list_create":
            return slot != NULL and slot not in self.lists
        if name == "queue_create":
            return slot != NULL and slot not in self.queues
        if name == "iterator_create":
            return slot != NULL and slot not in self.iterators
        if name in ("list_head", "list_walk"):
            return slot in self.lists
        if name == "iterator_next":
            return slot not in self.iterators or self.iterators[slot].place is not None
        if name == "list_delete":
            return slot not in {i.home for i in self.iterators.values()}
        if name in ("list_malloc", "list_free", "queue_malloc", "queue_free"):
            return data == 0 or not (self.lists or self.queues or self.iterators)
        return True

    # Expectations ------------------------------------------------------------------------------

    def step(self, one, record):
        name = one[0]
        self.mallocs += record.mallocs + bool(record.flags & DENIED)
        wrong = getattr(self, "do_" + name)(one, record)  # whatever it says, the model goes on as it should
        if record.flags & MISSING:
            return "the function", UNDEFINED
        if record.flags & BAD_FREE:
            return ("registered free gets only what registered malloc gave, once",
                    f"{c_text(one)} gave it another block, or one twice")
        if wrong is None and record.flags & INCONSISTENT:
            return ("iter->ll is the list, iter->current_node->data is iter->data",
                    "the iterator's members disagree")
        return wrong

    def may(self, record, expected):
        """What is expected of truth: with a request denied, either."""
        return record.truth if expected and record.flags & DENIED else expected

    @staticmethod
    def compare_truth(record, expected, text=truth_text):
        if bool(record.truth) != bool(expected):
            return text(expected), text(record.truth)
        return None

    @staticmethod
    def compare_size(record, expected):
        if record.value != expected:
            return size_text(expected), size_text(record.value)
        return None

    @staticmethod
    def compare_data(record, truth, value):
        expected = data_text(truth, value if truth else UNTOUCHED)
        found = data_text(record.truth, record.value)
        return None if expected == found else (expected, found)

    def changed(self, slot):
        """The list has changed: its iterators mean nothing any more."""
        for iterator in self.iterators.values():
            if iterator.place == slot:
                iterator.place = None

    # Lists

    def do_list_create(self, one, record):
        expected = self.may(record, True)
        self.is_created = True
        if expected and record.truth:
            self.lists[one[1]] = []
        return self.compare_truth(record, expected, pointer_text)

    def do_list_delete(self, one, record):
        return self.compare_truth(record, self.lists.pop(one[1], None) is not None)

    def do_list_size(self, one, record):
        values = self.lists.get(one[1])
        return self.compare_size(record, SIZE_MAX if values is None else len(values))

    def insert(self, slot, index, data, record):
        values = self.lists.get(slot)
        expected = self.may(record, values is not None and index <= len(values))
        if expected:
            values.insert(index, data)
            self.changed(slot)
        return self.compare_truth(record, expected)

    def do_list_end(self, one, record):
        return self.insert(one[1], len(self.lists.get(one[1], ())), one[2], record)

    def do_list_front(self, one, record):
        return self.insert(one[1], 0, one[2], record)

    def do_list_insert(self, one, record):
        return self.insert(one[1], one[3], one[2], record)

    def do_list_find(self, one, record):
        values = self.lists.get(one[1], ())
        return self.compare_size(record, values.index(one[2]) if one[2] in values else SIZE_MAX)

    def do_list_remove(self, one, record):
        values = self.lists.get(one[1], ())
        expected = one[3] < len(values)
        if expected:
            del values[one[3]]
            self.changed(one[1])
        return self.compare_truth(record, expected)

    def head(self, values, record):
        expected = f"head->data {values[0]}" if values else "head NULL"
        found = f"head->data {record.value}" if record.truth else "head NULL"
        return None if expected == found else (expected, found)

    def do_list_head(self, one, record):
        return self.head(self.lists[one[1]], record)

    def do_list_walk(self, one, record):
        values = self.lists[one[1]]
        total = 0
        for value in values[:one[3]]:
            total = (total * 31 + value) % 2 ** 64
        count = min(len(values), one[3])
        if record.extra != count:
            return f"{counted(count, 'node')} after head", counted(record.extra, "node")
        if record.value != total:
            return "the elements in order after head", "other data in the nodes"
        return None

    # Iterators

    def do_iterator_create(self, one, record):
        _, slot, place, index = one
        values = self.lists.get(place, ())
        expected = self.may(record, index < len(values))
        if expected:
            self.iterators[slot] = Iterator(place, index)
        return (self.compare_truth(record, expected, pointer_text)
                or self.iterator_members(slot, record))

    def iterator_members(self, slot, record):
        iterator = self.iterators.get(slot)
        if iterator is None:
            return None
        wanted = (self.lists[iterator.place][iterator.index], iterator.index)
        if (record.value, record.extra) != wanted:
            return (f"iter->data {wanted[0]}, current_index {wanted[1]}",
                    f"iter->data {record.value}, current_index {record.extra}")
        return None

    def do_iterator_delete(self, one, record):
        return self.compare_truth(record, self.iterators.pop(one[1], None) is not None)

    def do_iterator_next(self, one, record):
        iterator = self.iterators.get(one[1])
        expected = iterator is not None and iterator.index + 1 < len(self.lists[iterator.place])
        wrong = self.compare_truth(record, expected)
        if expected:
            iterator.index += 1
            return wrong or self.iterator_members(one[1], record)
        if iterator is not None:
            iterator.place = None  # wherever it is now
        return wrong

    # Queues

    def do_queue_create(self, one, record):
        expected = self.may(record, True)
        self.is_created = True
        if expected and record.truth:
            self.queues[one[1]] = []
        return self.compare_truth(record, expected, pointer_text)

    def do_queue_delete(self, one, record):
        return self.compare_truth(record, self.queues.pop(one[1], None) is not None)

    def do_queue_push(self, one, record):
        values = self.queues.get(one[1])
        expected = self.may(record, values is not None)
        if expected:
            values.append(one[2])
        return self.compare_truth(record, expected)

    def do_queue_pop(self, one, record):
        values = self.queues.get(one[1])
        return self.compare_data(record, bool(values), values.pop(0) if values else 0)

    def do_queue_next(self, one, record):
        values = self.queues.get(one[1])
        return self.compare_data(record, bool(values), values[0] if values else 0)

    def do_queue_has_next(self, one, record):
        return self.compare_truth(record, bool(self.queues.get(one[1])))

    def do_queue_size(self, one, record):
        values = self.queues.get(one[1])
        return self.compare_size(record, SIZE_MAX if values is None else len(values))

    # Memory

    def register(self, one, record):
        return self.compare_truth(record, bool(one[2]))

    do_list_malloc = do_list_free = do_queue_malloc = do_queue_free = register

    def do_cleanup(self, one, record):
        return None

    do_fail_at = do_cleanup

    def do_counts(self, one, record):
        """Asked when everything is deleted and cleaned up. Who never asked the registered malloc shows
        nothing by giving back nothing."""
        if self.mallocs == 0:
            return "memory through the registered malloc", "no call asked it"
        if record.value:
            return ("every block given back after everything was deleted",
                    f"{counted(record.value, 'block')} ({counted(record.extra, 'byte')}) kept")
        return None

    # Many at once

    def many(self, one, record, values):
        name, _, _, count = one
        if name.startswith("fill_front"):
            values[:0] = range(count - 1, -1, -1)
        elif name.startswith("fill"):
            values.extend(range(count))
        elif name.startswith("drain"):
            del values[:count]
        if not record.truth:
            return f"{counted(count, 'call')} that do as they should", f"{record.value} of them"
        return None

    def do_fill_queue(self, one, record):
        return self.many(one, record, self.queues[one[1]])

    do_drain_queue = do_size_queue = do_fill_queue

    def do_fill_end(self, one, record):
        return self.many(one, record, self.lists[one[1]])

    do_fill_front = do_drain_front = do_size_list = do_fill_end


class Perfect:
    """A record of a library without a fault, to find out which calls are legal."""
    flags = extra = value = mallocs = 0
    truth = True


def legal(calls):
    """The calls without those whose result is not promised, which may appear when others were taken
    out."""
    model, kept = Model(), []
    for one in calls:
        if model.is_legal(one) and is_possible(model, one):
            kept.append(one)
            getattr(model, "do_" + one[0])(one, Perfect)
    return kept


def calls_many(name):
    return NAMES[name] >= NAMES["fill_queue"]


def is_possible(model, one):
    """True if the subject of the call exists; the judge's own helpers know no NULL."""
    name, slot = one[0], one[1]
    if calls_many(name):
        values = (model.queues if name.endswith("queue") else model.lists).get(slot)
        return values is not None and (not name.startswith("drain") or len(values) >= one[3]) \
            and (not name.startswith("size") or len(values) == one[2])
    if name == "counts":
        return model.is_created and not (model.lists or model.queues or model.iterators)
    return True

"""A script of calls as a C program that shows its fault: compiled with the hand-in, it compares every call
with what was expected, names the first difference, and ends with 1.

Its malloc is the judge's: blocks are filled with 0xa5 before their first use and with 0xdf after their last.
What was expected comes from the model (model.py), which follows the records where a request for memory
was made to fail.
"""
from calls import DENIED, NULL, UNTOUCHED, c_call
from model import Model, Perfect

HEAD = """/* {note} */
{own}#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *volatile now = "start";
static volatile sig_atomic_t is_done;
static size_t live, fail_at;

/* The judge's malloc: what was never written reads 0xa5a5..., what was freed 0xdfdf... */
static void *my_malloc(size_t size)
{{
    if (fail_at > 0 && --fail_at == 0) {{
        return NULL;
    }}
    size_t *block = malloc(size + 2 * sizeof(size_t));
    if (block == NULL) {{
        return NULL;
    }}
    block[0] = size;
    block[1] = 0x6a756467u;
    live++;
    return memset(block + 2, 0xa5, size);
}}

static void differs(const char *found, const char *expected)
{{
    printf("%s gave %s, not %s\\n", now, found, expected);
    fflush(stdout);
    is_done = 1;
    _exit(1);
}}

static void my_free(void *given)
{{
    size_t *block = given == NULL ? NULL : (size_t *)given - 2;
    if (block != NULL && block[1] != 0x6a756467u) {{
        differs("free another block, or one twice", "a block of malloc");
    }}
    if (block != NULL) {{
        memset(block, 0xdf, block[0] + 2 * sizeof(size_t));
        free(block);
        live--;
    }}
}}

static void check_truth(bool found, bool expected)
{{
    if (found != expected) {{
        differs(found ? "true" : "false", expected ? "true" : "false");
    }}
}}

static void check_pointer(const void *found, bool expected)
{{
    if ((found != NULL) != expected) {{
        differs(found != NULL ? "a pointer" : "NULL", expected ? "a pointer" : "NULL");
    }}
}}

static void check_number(uintmax_t found, uintmax_t expected, const char *what)
{{
    char words[2][64];
    if (found != expected) {{
        snprintf(words[0], sizeof(words[0]), found == SIZE_MAX ? "%sSIZE_MAX" : "%s%ju", what, found);
        snprintf(words[1], sizeof(words[1]), expected == SIZE_MAX ? "SIZE_MAX" : "%ju", expected);
        differs(words[0], words[1]);
    }}
}}

static void crashed(int number)
{{
    static const char words[] = " did not return: ";
    const char *name = number == SIGALRM ? "it is still running\\n" : "it crashed\\n";
    if (write(1, now, strlen(now)) < 0 || write(1, words, sizeof(words) - 1) < 0 ||
        write(1, name, strlen(name)) < 0) {{
        _exit(1);
    }}
    _exit(1);
}}

static void ended(void)
{{
    if (!is_done) {{
        printf("%s ended the process\\n", now);
        fflush(stdout);
        _exit(1);
    }}
}}

int main(void)
{{
    static const int signals[] = {{SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGALRM}};
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {{
        signal(signals[i], crashed);
    }}
    atexit(ended);
    alarm({seconds});
    void *(*volatile used_malloc)(size_t) = my_malloc;
    void (*volatile used_free)(void *) = my_free;
    char text[64];
    unsigned int data = 0;
    bool truth = false;
    size_t size = 0;
    (void)used_malloc, (void)used_free, (void)text, (void)data, (void)truth, (void)size;
"""
TAIL = """    printf("no difference was seen\\n");
    fflush(stdout);
    is_done = 1;
    _exit(0);
}
"""
MANY = {  # a call, and what it must give
    "fill_queue": ("push", "truth = queue_push({queue}, i);", "check_truth(truth, true);"),
    "drain_queue": ("pop", "truth = queue_pop({queue}, &data);",
                    "check_truth(truth, true);\n        check_number(data, i, \"\");"),
    "fill_end": ("insert_end", "truth = linked_list_insert_end({ll}, i);", "check_truth(truth, true);"),
    "fill_front": ("insert_front", "truth = linked_list_insert_front({ll}, i);",
                   "check_truth(truth, true);"),
    "drain_front": ("remove", "truth = linked_list_remove({ll}, 0);", "check_truth(truth, true);"),
    "size_queue": ("queue_size", "size = queue_size({queue});", "check_number(size, {data}u, \"\");"),
    "size_list": ("linked_list_size", "size = linked_list_size({ll});",
                  "check_number(size, {data}u, \"\");")}


class Expecting:
    """What a library without a fault gives: filled in by the model, call by call."""

    def __init__(self, model, record):
        self.model, self.record = model, record

    def truth(self, one):
        """Of calls that give a truth or a pointer."""
        name, slot, data, index = one
        lists, queues, iterators = self.model.lists, self.model.queues, self.model.iterators
        if self.record is not None and self.record.flags & DENIED:
            return bool(self.record.truth)  # it may give up; it must say which
        values = lists.get(slot, ())
        return {
            "list_create": lambda: True, "queue_create": lambda: True,
            "list_delete": lambda: slot in lists, "queue_delete": lambda: slot in queues,
            "list_end": lambda: slot in lists, "list_front": lambda: slot in lists,
            "list_insert": lambda: slot in lists and index <= len(values),
            "list_remove": lambda: index < len(values),
            "iterator_create": lambda: index < len(lists.get(data, ())),
            "iterator_delete": lambda: slot in iterators,
            "iterator_next": lambda: slot in iterators and iterators[slot].index + 1 < len(
                lists.get(iterators[slot].place, ())),
            "queue_push": lambda: slot in queues,
            "queue_has_next": lambda: bool(queues.get(slot)),
        }.get(name, lambda: bool(data))()

    def size(self, one):
        name, slot, data, _ = one
        if name == "list_find":
            values = self.model.lists.get(slot, ())
            return values.index(data) if data in values else "SIZE_MAX"
        values = (self.model.queues if name == "queue_size" else self.model.lists).get(slot)
        return "SIZE_MAX" if values is None else len(values)


def lines_of(one, model, record):
    """The C of one call and of its comparison."""
    name, slot, data, index = one
    text, kind = c_call(one)
    expecting = Expecting(model, record)
    text = text.replace("my_malloc", "used_malloc").replace("my_free", "used_free")
    shown = c_call(one)[0].replace('"', "'")
    if name in MANY:
        what, call, check = MANY[name]
        places = {"queue": f"queue{slot}", "ll": f"ll{slot}", "data": data}
        return [f"    for (unsigned int i = 0; i < {index}u; i++) {{",
                f'        snprintf(text, sizeof(text), "{what} %u", i);', "        now = text;",
                f"        {call.format(**places)}", f"        {check.format(**places)}", "    }"]
    out = [f'    now = "{shown}";']
    if name == "list_walk":
        values = model.lists.get(slot, ())[:index]
        wanted = ", ".join(f"{value}u" for value in values) or "0"
        return out + ["    {", f"        static const unsigned int wanted[] = {{{wanted}}};",
                      f"        const struct node *node = ll{slot}->head;",
                      f"        for (size_t i = 0; i < {len(values)}; i++, node = node->next) {{",
                      '            check_pointer(node, true);',
                      '            check_number(node->data, wanted[i], "data ");', "        }",
                      "        check_pointer(node, false);" if len(values) < index
                      else "        (void)node;", "    }"]
    if name == "list_head":
        values = model.lists.get(slot, ())
        return out + [f"    check_pointer(ll{slot}->head, {str(bool(values)).lower()});"] + \
            ([f'    check_number(ll{slot}->head->data, {values[0]}u, "data ");'] if values else [])
    if name == "counts":
        return ['    now = "what was kept after everything was deleted";',
                '    check_number(live, 0, "blocks: ");']
    if kind == "":
        return out + [f"    {text};"]
    if kind == "pointer":
        expected = expecting.truth(one)
        out += [f"    {text};", f"    check_pointer({text.split(' = ')[0]}, {str(expected).lower()});"]
    elif kind == "size":
        out += [f"    size = {text};", f'    check_number(size, {expecting.size(one)}, "");']
    elif kind == "data":
        values = model.queues.get(slot)
        expected = values[0] if values else UNTOUCHED
        out += [f"    data = {UNTOUCHED:#x}u;", f"    truth = {text};",
                f"    check_truth(truth, {str(bool(values)).lower()});",
                f'    check_number(data, {expected}u, "data ");']
    else:
        out += [f"    truth = {text};", f"    check_truth(truth, {str(expecting.truth(one)).lower()});"]
    return out


def iterator_lines(one, model):
    """Its members, after the call."""
    slot = one[1]
    iterator = model.iterators.get(slot)
    if one[0] not in ("iterator_create", "iterator_next") or iterator is None or iterator.place is None:
        return []
    value = model.lists[iterator.place][iterator.index]
    return [f'    check_number(iter{slot}->data, {value}u, "data ");',
            f'    check_number(iter{slot}->current_index, {iterator.index}, "index ");']


class Followed(Perfect):
    """As Perfect, but a denied request is answered as the submission answered it."""

    def __init__(self, record):
        denied = record is not None and record.flags & DENIED
        self.flags = DENIED if denied else 0
        self.truth = bool(record.truth) if denied else True


def own_lines(submission):
    """The hand-in's headers, as its level has them; a misspelled function goes by the name that it has."""
    lines = [f"#define {name} {written} /* as it is spelled */" for name, written in
             sorted(submission.misspelled.items())]
    lines += ["#include <linked_list.h>"] + (["#include <queue.h>"] if submission.level > 1 else [])
    return "\n".join(lines) + "\n"


def program(script, found, note, seconds, submission):
    """The C program. found: the records up to the fault."""
    model, lines = Model(), []
    for at, one in enumerate(script):
        if one[0] == "cleanup" and not submission.has_cleanup:
            continue
        record = found[at] if at < len(found) else None
        lines += lines_of(one, model, record)
        getattr(model, "do_" + one[0])(one, Followed(record))
        lines += iterator_lines(one, model)
    body = "\n".join(lines)
    names = []
    for kind, ctype in (("ll", "linked_list"), ("queue", "queue"), ("iter", "iterator")):
        used = [n for n in range(NULL) if any(word == f"{kind}{n}" for word in words_of(body))]
        names += [f"    struct {ctype} *{kind}{n} = NULL;" for n in used]
    head = HEAD.format(note=note.replace("*/", "* /"), seconds=int(seconds), own=own_lines(submission))
    return head + "\n".join([*names, body]) + "\n" + TAIL


def words_of(text):
    return "".join(c if c.isalnum() or c == "_" else " " for c in text).split()

"""Lists with one fault or two: small changes of a right list, and what a teacher would say of each.

CHANGES: name: (file, text of the plain list or queue, what is there instead, function, kind of call). Kinds are
the words of judgelib/faults.py. Rows of ONE and TWO name changes; a row is judged at level 1 if it changes the
list alone, and at level 2 if its name ends with "queued" or it changes the queue.
"""
LIST, QUEUE = "linked_list.c", "queue.c"
USE, PAST, EMPTY, NULLS = "ordinary use", "past the end", "an empty queue", "NULL"
REFUSED, LEAK, STRANGER, CONTENT = "refused memory", "memory kept", "another malloc", "wrong elements"

CHANGES = {
    "size-more": (LIST, "SIZE_MAX : ll->size;", "SIZE_MAX : ll->size + 1;", "linked_list_size", USE),
    "size-null": (LIST, "return ll == NULL ? SIZE_MAX : ll->size;", "return ll->size;", "linked_list_size", NULLS),
    "iterator-at-end": (LIST, "if (ll == NULL || index >= ll->size) {\n        return NULL;",
                        "if (ll == NULL || index > ll->size) {\n        return NULL;", "linked_list_create_iterator",
                        PAST),
    "nodes-kept": (LIST, "        give(node);\n        node = next;", "        node = next;", "linked_list_delete",
                   LEAK),
    "node-kept": (LIST, "    give(node);\n    ll->size--;", "    ll->size--;", "linked_list_remove", LEAK),
    "find-last": (LIST, "            return index;\n        }\n    }\n    return SIZE_MAX;",
                  "            found = index;\n        }\n    }\n    return found;", "linked_list_find", USE),
    "find-miss": (LIST, "            return index;\n        }\n    }\n    return SIZE_MAX;",
                  "            return index;\n        }\n    }\n    return index;", "linked_list_find", USE),
    "remove-tail": (LIST, "        ll->tail = before;", "        ll->tail = ll->head;", "linked_list_remove", CONTENT),
    "remove-past": (LIST, "    if (ll == NULL || index >= ll->size) {\n        return false;",
                    "    if (ll == NULL || ll->size == 0) {\n        return false;", "linked_list_remove", PAST),
    "insert-past": (LIST, "if (ll == NULL || index > ll->size) {\n        return false;",
                    "if (ll == NULL) {\n        return false;", "linked_list_insert", PAST),
    "insert-unchecked": (LIST, "    if (node == NULL) {\n        return false;\n    }\n    node->data",
                         "    node->data", "linked_list_insert", REFUSED),
    "iterate-index": (LIST, "    iter->current_index++;\n", "", "linked_list_iterate", USE),
    "iterate-null": (LIST, "if (iter == NULL || iter->current_node->next == NULL)",
                     "if (iter->current_node->next == NULL)", "linked_list_iterate", NULLS),
    "iterator-kept": (LIST, "    give(iter);\n", "", "linked_list_delete_iterator", LEAK),
    "iterator-malloc": (LIST, "struct iterator *iter = get(sizeof(*iter));",
                        "struct iterator *iter = malloc(sizeof(*iter));", "linked_list_create_iterator", STRANGER),
    "pop-unchecked": (QUEUE, "    return queue_next(queue, popped_data) && linked_list_remove(queue->ll, 0);",
                      "    *popped_data = queue->ll->head->data;\n    return linked_list_remove(queue->ll, 0);",
                      "queue_pop", EMPTY),
    "pop-null": (QUEUE, "", "", "queue_pop", NULLS),
    "push-front": (QUEUE, "linked_list_insert_end(queue->ll, data)", "linked_list_insert_front(queue->ll, data)",
                   "queue_pop", CONTENT),
    "next-pops": (QUEUE, "SIZE_MAX : linked_list_size(queue->ll)", "SIZE_MAX : linked_list_size(queue->ll) / 2",
                  "queue_size", USE),
    "has-next-turned": (QUEUE, "queue->ll->head != NULL;", "queue->ll->head == NULL;", "queue_has_next", USE),
    "create-unchecked": (QUEUE, "    if (queue->ll == NULL) {\n        give(queue);\n        return NULL;\n    }\n", "",
                         "queue_create", REFUSED),
    "list-kept": (QUEUE, "    linked_list_delete(queue->ll);\n", "", "queue_delete", LEAK),
    "insert-refuses": (LIST, "if (ll == NULL || index > ll->size) {\n        return false;",
                       "if (ll == NULL || index > ll->size || index == 3) {\n        return false;",
                       "linked_list_insert", CONTENT),
    "find-more": (LIST, "            return index;", "            return index + 1;", "linked_list_find", USE),
    "end-no-tail": (LIST, "ll->tail = ll->tail->next = node;", "ll->tail->next = node;", "linked_list_insert", CONTENT),
    "size-by-two": (LIST, "    ll->size++;", "    ll->size += 2;", "linked_list_insert", CONTENT),
    "size-stays": (LIST, "    give(node);\n    ll->size--;", "    give(node);", "linked_list_remove", CONTENT),
    "iterator-at-head": (LIST, "        iter->current_node = iter->current_node->next;\n    }\n", "    }\n",
                         "linked_list_create_iterator", USE),
    "node-to-libc": (LIST, "    give(node);\n    ll->size--;", "    free(node);\n    ll->size--;", "linked_list_remove",
                     STRANGER),
    "push-denies": (QUEUE, "queue != NULL && linked_list_insert_end", "queue != NULL && !linked_list_insert_end",
                    "queue_push", USE),
    "push-null": (QUEUE, "queue != NULL && linked_list_insert_end", "linked_list_insert_end", "queue_push", NULLS),
}
GIVEN = {"find-last": ("    size_t index = 0;\n    if (ll == NULL) {\n        return SIZE_MAX;",
                       "    size_t index = 0, found = SIZE_MAX;\n    if (ll == NULL) {\n        return SIZE_MAX;")}
ONE = ["size-more", "size-by-two", "iterator-at-end", "nodes-kept", "node-kept", "size-stays", "remove-tail",
       "end-no-tail", "iterator-at-head", "node-to-libc", "iterator-kept", "iterator-malloc", "pop-unchecked pop-null",
       "insert-unchecked", "insert-refuses"]  # the others are in TWO, where they are named and paid as well
TWO = ["size-more iterator-at-end", "size-null find-last", "nodes-kept find-miss", "remove-tail iterate-index",
       "insert-past remove-past", "push-denies size-more", "end-no-tail find-more", "push-front create-unchecked",
       "list-kept iterate-null", "has-next-turned push-null", "size-more next-pops"]


def changed(names, sources):
    """{file: text} of the plain list with these changes."""
    texts = dict(sources)
    for name in names:
        file, old, new, _, _ = CHANGES[name]
        for before, after in [(old, new), *([GIVEN[name]] if name in GIVEN else [])]:
            assert before in texts[file], name
            texts[file] = texts[file].replace(before, after, 1)
    if all(CHANGES[name][0] == LIST for name in names):
        texts.pop(QUEUE)
    return texts

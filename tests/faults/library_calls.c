/*
 * library_calls.c - every function of liblinked_list, libqueue and libpwgraph that may run out of
 * memory or fail otherwise, called by a caller that believes every result.
 *
 * library_calls PART FILE [ALLOCATOR]: PART is list, queue or graph. A call that fails
 * must say so and leave everything as it was; the caller checks that and goes on. Exit status 0
 * however many calls were refused, 1 when a promise is broken.
 */
#include "bfs/pwgraph/pwgraph.h"
#include "liblist/linked_list_more.h"
#include "libqueue/queue_more.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 40

static int broken; /* promises */
static int refused;

static void promise(bool kept, const char *what)
{
    if (!kept) {
        fprintf(stderr, "library_calls: broken: %s\n", what);
        broken++;
    }
}

static bool took(bool done)
{
    refused += !done;
    return done;
}

/* The list ------------------------------------------------------------------------------------- */

static void check_list(struct linked_list *ll, size_t size, unsigned sum)
{
    unsigned found = 0;
    promise(linked_list_check(ll), "the list is sound");
    promise(linked_list_size(ll) == size, "the list has its size");
    for (const struct node *node = ll->head; node != NULL; node = node->next) {
        found += node->data;
    }
    promise(found == sum, "the list has its elements");
}

static void use_list(void)
{
    struct linked_list *ll = linked_list_create();
    unsigned sum = 0, many[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    size_t size = 0;
    if (!took(ll != NULL)) {
        return;
    }
    for (unsigned i = 0; i < ROUNDS; i++) {
        bool done = i % 3 == 0   ? linked_list_insert_front(ll, i)
                    : i % 3 == 1 ? linked_list_insert_end(ll, i)
                                 : linked_list_insert(ll, size / 2, i);
        size += took(done);
        sum += done ? i : 0;
        check_list(ll, size, sum);
    }
    if (took(linked_list_insert_end_all(ll, many, 10))) {
        size += 10;
        sum += 55;
    }
    check_list(ll, size, sum);
    struct iterator *iterator = linked_list_create_iterator(ll, 0);
    if (took(iterator != NULL)) {
        while (linked_list_iterate(iterator)) {
        }
        promise(iterator->current_index + 1 == size, "the iterator comes to the end");
        linked_list_delete_iterator(iterator);
    }
    unsigned value = 0;
    while (linked_list_remove_front(ll, &value)) {
        sum -= value;
        size--;
    }
    check_list(ll, 0, 0);
    promise(sum == 0 && size == 0, "what was put in comes out");
    promise(linked_list_delete(ll), "the list is deleted");
}

/* The queue ------------------------------------------------------------------------------------ */

static void use_queue(struct queue *queue)
{
    unsigned pushed = 0, popped = 0, value = 0, many[ROUNDS];
    if (!took(queue != NULL)) {
        return;
    }
    for (unsigned i = 0; i < 4 * ROUNDS; i++) {
        pushed += took(queue_push(queue, pushed));
        promise(queue_size(queue) == pushed - popped, "the queue has its size");
        if (i % 3 == 0 && queue_pop(queue, &value)) {
            promise(value == popped++, "first in, first out");
        }
    }
    for (unsigned i = 0; i < ROUNDS; i++) {
        many[i] = pushed + i;
    }
    pushed += took(queue_push_all(queue, many, ROUNDS)) ? ROUNDS : 0;
    while (queue_pop(queue, &value)) {
        promise(value == popped++, "first in, first out, at the end");
    }
    promise(pushed == popped, "what was pushed is popped");
    promise(queue_delete(queue), "the queue is deleted");
}

/* The graph ------------------------------------------------------------------------------------ */

static void use_search(struct pwgraph *graph, const char *engine)
{
    struct pwgraph_search *search = pwgraph_search_create(graph, engine, NULL);
    if (!took(search != NULL)) {
        return;
    }
    uint32_t from = 0, to = 0, nodes[64];
    promise(pwgraph_find(graph, "n1", &from) && pwgraph_find(graph, "n7", &to),
            "names of the graph are found");
    for (int i = 0; i < 3; i++) {
        uint32_t hops = 0;
        enum pwgraph_answer answer = pwgraph_search_run(search, from, to, &hops);
        promise(answer != PWGRAPH_NO_PATH, "a path that is there is found, or the search failed");
        took(answer == PWGRAPH_FOUND);
        if (answer == PWGRAPH_FOUND && took(pwgraph_search_path(search, nodes, 64))) {
            promise(nodes[0] == from && nodes[hops] == to, "the path goes from source to target");
        }
    }
    pwgraph_search_free(search);
}

/* Look a name up in another spelling, for which a table of all names may be made. */
static void use_names(const struct pwgraph *graph)
{
    struct pwgraph_match match;
    struct pwgraph_error error;
    if (!took(pwgraph_order_names(graph, NULL, &error))) {
        promise(error.code == PWGRAPH_NO_MEMORY, "the order of names lacks memory");
    }
    if (took(pwgraph_resolve(graph, "N7", NULL, &match))) {
        promise(strcmp(match.text, "\"N7\" is taken for \"n7\"") == 0, "another spelling is found");
    } else {
        promise(match.code == PWGRAPH_NO_MEMORY,
                "a name in another spelling is never called unknown");
    }
}

static void use_graph(const char *path)
{
    static const char *const engines[] = {
        "plain", "mark-on-push", "array", "bitmap", "direction-optimizing", "multi-source", NULL};
    char message[PWGRAPH_TEXT_SIZE] = "", text[PWGRAPH_TEXT_SIZE];
    struct pwgraph *graph = pwgraph_load(path, message);
    if (!took(graph != NULL)) {
        promise(message[0] != '\0' && strchr(message, '\n') == NULL, "a reason of one line");
        return;
    }
    promise(pwgraph_label(graph, 1, text) != NULL, "a node has a label");
    use_names(graph);
    for (size_t i = 0; i < sizeof(engines) / sizeof(*engines); i++) {
        use_search(graph, engines[i]);
    }
    pwgraph_free(graph);
}

int main(int count, char **arguments)
{
    if (count < 3) {
        fprintf(stderr, "library_calls: expected PART FILE [ALLOCATOR]\n");
        return 2;
    }
    const char *part = arguments[1];
    const char *allocator = count > 3 ? arguments[3] : "malloc";
    if (!took(linked_list_set_allocator(allocator))) {
        promise(linked_list_error()[0] != '\0', "a refused allocator has a reason");
    } else if (strcmp(part, "list") == 0) {
        use_list();
        use_list();
    } else if (strcmp(part, "queue") == 0) {
        use_queue(queue_create());
        use_queue(queue_create());
    } else {
        use_graph(arguments[2]);
    }
    promise(linked_list_live_nodes() == 0, "no node is alive");
    linked_list_final_cleanup();
    if (!took(linked_list_set_allocator("malloc"))) {
        linked_list_final_cleanup();
    }
    return broken > 0;
}

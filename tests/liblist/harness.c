/*
 * harness.c - a stranger's program that knows only linked_list.h and queue.h.
 *
 * Compiled by test_harness.sh with nothing but these headers and -llinked_list -lqueue, as the
 * challenge's own harness is. Argument "keep": end without linked_list_final_cleanup, as a program
 * written before there was a pool would; "leak": forget a list. Prints ok and exits 0, or says what
 * failed and exits 1.
 */
#include <linked_list.h>
#include <queue.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;
static size_t mallocs;
static size_t frees;

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "harness.c:%d: %s\n", __LINE__, #condition);                           \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

static void *counting_malloc(size_t size)
{
    mallocs++;
    return malloc(size);
}

static void counting_free(void *block)
{
    frees++;
    free(block);
}

static void use_a_list(void)
{
    struct linked_list *ll = linked_list_create();
    unsigned int i;
    if (ll == NULL) {
        fprintf(stderr, "harness: no list\n");
        exit(1);
    }
    EXPECT(ll->head == NULL);
    for (i = 0; i < 100; i++) {
        EXPECT(linked_list_insert_end(ll, i));
    }
    EXPECT(linked_list_insert_front(ll, 1000));
    EXPECT(linked_list_insert(ll, 50, 2000));
    EXPECT(!linked_list_insert(ll, 103, 1));
    EXPECT(linked_list_size(ll) == 102);
    EXPECT(ll->head->data == 1000 && ll->head->next->data == 0);
    EXPECT(linked_list_find(ll, 2000) == 50);
    EXPECT(linked_list_find(ll, 3000) == SIZE_MAX);
    EXPECT(linked_list_remove(ll, 101));
    EXPECT(linked_list_remove(ll, 0));
    EXPECT(!linked_list_remove(ll, 100));

    struct iterator *iter = linked_list_create_iterator(ll, 0);
    size_t steps = 0;
    EXPECT(iter != NULL && iter->ll == ll && iter->current_node == ll->head);
    while (linked_list_iterate(iter)) {
        steps++;
        EXPECT(iter->current_index == steps && iter->data == iter->current_node->data);
    }
    EXPECT(steps == 99);
    EXPECT(linked_list_delete_iterator(iter));
    EXPECT(linked_list_create_iterator(ll, 100) == NULL);
    EXPECT(linked_list_delete(ll)); /* with 100 elements in it */
}

static void use_a_queue(void)
{
    struct queue *queue = queue_create();
    unsigned int data = 77;
    unsigned int i;
    EXPECT(queue != NULL && queue->ll != NULL && queue->ll->head == NULL);
    EXPECT(!queue_pop(queue, &data) && !queue_next(queue, &data) && data == 77);
    for (i = 0; i < 5000; i++) {
        EXPECT(queue_push(queue, i));
    }
    for (i = 0; i < 3000; i++) {
        EXPECT(queue_has_next(queue) && queue_next(queue, &data) && data == i);
        EXPECT(queue_pop(queue, &data) && data == i);
    }
    EXPECT(queue_size(queue) == 2000);
    EXPECT(queue_delete(queue)); /* with 2000 elements in it */
}

int main(int argc, char **argv)
{
    const char *chosen = getenv("LINKED_LIST_ALLOC");
    int keep = argc > 1 && strcmp(argv[1], "keep") == 0;
    int leak = argc > 1 && strcmp(argv[1], "leak") == 0;
    EXPECT(!linked_list_register_malloc(NULL) && !linked_list_register_free(NULL));
    EXPECT(queue_register_malloc(counting_malloc));
    EXPECT(queue_register_free(counting_free));
    use_a_list();
    use_a_queue();
    const int is_watched = getenv("HARNESS_WATCHED") != NULL; /* by Memcheck: pool keeps nothing */
    if (chosen == NULL || strcmp(chosen, "malloc") == 0 ||
        (is_watched && strncmp(chosen, "pool", 4) == 0)) {
        /* list: itself, 102 nodes, an iterator; queue: itself, its list, 5000 nodes */
        EXPECT(mallocs == 1 + 102 + 1 + 2 + 5000);
    } else if (strncmp(chosen, "pool", 4) == 0) { /* the first 102 nodes serve the queue too */
        EXPECT(mallocs == 1 + 1 + 2 + 5000);
    } else {
        EXPECT(mallocs < 50);
    }
    if (leak) {
        EXPECT(linked_list_create() != NULL);
    } else if (!keep) {
        linked_list_final_cleanup();
        EXPECT(mallocs == frees);
    }
    if (failures == 0) {
        puts("ok");
    }
    return failures != 0;
}

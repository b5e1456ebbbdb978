/*
 * linked_list_test_program.c - a test program of the shape that the challenge publishes.
 *
 * 1. TEST_LINKED_LIST and TEST_QUEUE, either or both, choose what it tests, as the published
 *    Makefile defines them. It includes linked_list.h or queue.h, and nothing else: every type and
 *    constant comes from there, and memory from an arena of its own.
 * 2. Each function is called through a pointer with the parameter list of the challenge, so that
 *    the compiler compares the two.
 * Valid C11, C17, C23 and C++17. It prints nothing: the exit status is the number of the first
 * check that failed, or 0. test_published.sh compiles it.
 */
#ifdef TEST_LINKED_LIST
#include "linked_list.h"
#endif
#ifdef TEST_QUEUE
#include "queue.h"
#endif

static int checks;
static int first_failed;

static void expect(bool holds)
{
    checks++;
    if (!holds && first_failed == 0) {
        first_failed = checks;
    }
}

/* The memory of a hand-in: blocks one after the other, and a count of those alive. */
static unsigned char arena[1 << 19] __attribute__((aligned(16)));
static size_t arena_used;
static uint32_t alive;

static void *arena_malloc(size_t size)
{
    const size_t bytes = (size + 15) / 16 * 16;
    if (bytes > sizeof(arena) - arena_used) {
        return NULL;
    }
    void *block = arena + arena_used;
    arena_used += bytes;
    alive++;
    return block;
}

static void arena_free(void *block)
{
    if (block != NULL) {
        alive--;
    }
}

#ifdef TEST_LINKED_LIST
static struct linked_list *(*const list_create)(void) = linked_list_create;
static bool (*const list_delete)(struct linked_list *) = linked_list_delete;
static size_t (*const list_size)(struct linked_list *) = linked_list_size;
static bool (*const list_end)(struct linked_list *, unsigned int) = linked_list_insert_end;
static bool (*const list_front)(struct linked_list *, unsigned int) = linked_list_insert_front;
static bool (*const list_insert)(struct linked_list *, size_t, unsigned int) = linked_list_insert;
static size_t (*const list_find)(struct linked_list *, unsigned int) = linked_list_find;
static bool (*const list_remove)(struct linked_list *, size_t) = linked_list_remove;
static struct iterator *(*const list_iterator)(struct linked_list *,
                                               size_t) = linked_list_create_iterator;
static bool (*const iterator_delete)(struct iterator *) = linked_list_delete_iterator;
static bool (*const iterator_next)(struct iterator *) = linked_list_iterate;
static bool (*const list_malloc)(void *(*)(size_t)) = linked_list_register_malloc;
static bool (*const list_free)(void (*)(void *)) = linked_list_register_free;
static void (*const list_cleanup)(void) = linked_list_final_cleanup;

static void test_list(void)
{
    expect(list_malloc(NULL) == false && list_free(NULL) == false);
    expect(list_malloc(arena_malloc) == true && list_free(arena_free) == true);
    struct linked_list *ll = list_create();
    expect(ll != NULL && ll->head == NULL && list_size(ll) == 0);
    if (ll == NULL) {
        return;
    }
    expect(list_iterator(ll, 0) == NULL && list_find(ll, 1) == SIZE_MAX);
    const uint32_t before = UINT32_MAX;
    for (uint32_t i = 0; i < 2000; i++) {
        expect(list_end(ll, i));
    }
    expect(list_front(ll, before) && list_insert(ll, 1000, 5000) && !list_insert(ll, 2003, 1));
    expect(list_size(ll) == 2002 && list_find(ll, 5000) == 1000);
    if (first_failed != 0) {
        return;
    }
    expect(ll->head->data == before && ll->head->next->data == 0);
    struct iterator *iterator = list_iterator(ll, 1999);
    expect(iterator != NULL && iterator->ll == ll && iterator->current_index == 1999);
    expect(iterator != NULL && iterator->data == 1997 && iterator->current_node->data == 1997);
    expect(iterator_next(iterator) && iterator_next(iterator) && !iterator_next(iterator));
    expect(iterator_delete(iterator) && !iterator_delete(NULL));
    expect(list_remove(ll, 2001) && list_remove(ll, 0) && !list_remove(ll, 2000));
    expect(list_size(NULL) == SIZE_MAX && !list_delete(NULL));
    expect(list_delete(ll));
}
#endif

#ifdef TEST_QUEUE
static struct queue *(*const create)(void) = queue_create;
static bool (*const destroy)(struct queue *) = queue_delete;
static bool (*const push)(struct queue *, unsigned int) = queue_push;
static bool (*const pop)(struct queue *, unsigned int *) = queue_pop;
static bool (*const next)(struct queue *, unsigned int *) = queue_next;
static bool (*const has_next)(struct queue *) = queue_has_next;
static size_t (*const size_of)(struct queue *) = queue_size;
static bool (*const use_malloc)(void *(*)(size_t)) = queue_register_malloc;
static bool (*const use_free)(void (*)(void *)) = queue_register_free;

static void test_queue(void)
{
    expect(use_malloc(NULL) == false && use_free(NULL) == false);
    expect(use_malloc(arena_malloc) == true && use_free(arena_free) == true);
    struct queue *queue = create();
    uint32_t data = 77;
    expect(queue != NULL && size_of(queue) == 0 && size_of(NULL) == SIZE_MAX);
    if (queue == NULL) {
        return;
    }
    expect(!has_next(queue) && !pop(queue, &data) && !next(queue, &data) && data == 77);
    for (uint32_t i = 0; i < 2000; i++) {
        expect(push(queue, i));
    }
    for (uint32_t i = 0; i < 1500; i++) {
        expect(has_next(queue) && next(queue, &data) && data == i);
        expect(pop(queue, &data) == true && data == i);
    }
    expect(size_of(queue) == 500 && !push(NULL, 1) && !destroy(NULL));
    expect(destroy(queue));
}
#endif

int main(void)
{
#ifdef TEST_LINKED_LIST
    test_list();
#endif
#ifdef TEST_QUEUE
    test_queue();
#endif
#ifdef TEST_LINKED_LIST /* the queue alone need not be linked with the list */
    list_cleanup();
    expect(alive == 0);
#endif
    return first_failed < 255 ? first_failed : 255;
}

/*
 * fuzz_queue.c - the queue against an array that only grows: each byte of an input is an operation,
 * the first one chooses the allocator. The queue is also read ahead.
 */
#include "base/macros.h"
#include "fuzz.h"
#include "heaps.h"
#include "libqueue/queue_more.h"

#define PUSHES_MAX 3000

static unsigned model[PUSHES_MAX];
static size_t head, tail;
static struct queue *queue;
static struct linked_list_reader reader;
static size_t next_read; /* the element to read next, unless it was popped */

void fuzz_setup(void)
{
    fuzz_require(queue_register_malloc(fuzz_malloc) && queue_register_free(fuzz_free));
}

static void push(unsigned value)
{
    bool fails = fuzz_memory.fail_in > 0;
    if (queue_push(queue, value)) {
        model[tail++] = value;
    } else {
        fuzz_require(fails || heap_is_small());
    }
}

static void pop(bool leave)
{
    unsigned value = 77;
    bool done = leave ? queue_next(queue, &value) : queue_pop(queue, &value);
    fuzz_require(done == (head < tail));
    fuzz_require(value == (done ? model[head] : 77));
    head += done && !leave;
}

static void push_many(struct fuzz_input *input)
{
    unsigned values[200] = {0};
    size_t count = fuzz_take(input) % COUNT_OF(values);
    unsigned first = fuzz_take(input);
    bool fails = fuzz_memory.fail_in > 0;
    for (size_t i = 0; i < count; i++) {
        values[i] = first + (unsigned)i;
    }
    if (queue_push_all(queue, values, count)) {
        for (size_t i = 0; i < count; i++) {
            model[tail++] = values[i];
        }
    } else {
        fuzz_require(fails || heap_is_small());
    }
}

static void pop_many(struct fuzz_input *input)
{
    unsigned values[256] = {0};
    size_t count = fuzz_take(input);
    size_t expected = count < tail - head ? count : tail - head;
    const bool dropped = count % 4 == 3;
    fuzz_require((dropped ? queue_drop(queue, count) : queue_pop_all(queue, values, count)) ==
                 expected);
    for (size_t i = 0; i < expected; i++, head++) {
        fuzz_require(dropped || values[i] == model[head]);
    }
}

static void refuse_null(void)
{
    unsigned value = 7;
    fuzz_require(!queue_delete(NULL) && !queue_push(NULL, 1) && !queue_has_next(NULL));
    fuzz_require(!queue_pop(NULL, &value) && !queue_next(NULL, &value) && value == 7);
    fuzz_require(queue_size(NULL) == SIZE_MAX && !queue_register_malloc(NULL));
    fuzz_require(!queue_pop(queue, NULL) && !queue_next(queue, NULL));
}

static void compare_read(void *context, unsigned value, size_t number)
{
    size_t *expected = context;
    fuzz_require(model[*expected] == value);
    (void)number;
    ++*expected;
}

/* Read on from the reader's place, or from the head if that element was popped. */
static void read_ahead(void)
{
    next_read = next_read > head ? next_read : head;
    const size_t before = next_read;
    const size_t got = linked_list_read(queue->ll, &reader, compare_read, &next_read);
    fuzz_require(next_read == before + got && got <= LINKED_LIST_READ_MAX);
    fuzz_require((got == 0) == (before == tail));
}

static void start_again(void)
{
    fuzz_require(queue == NULL || queue_delete(queue));
    fuzz_memory.fail_in = 0;
    head = tail;
    reader = (struct linked_list_reader){0};
    next_read = head;
    queue = queue_create();
    fuzz_require(queue != NULL);
}

static void step(struct fuzz_input *input)
{
    unsigned operation = fuzz_take(input);
    switch (operation % 16) {
    case 0:
        push_many(input);
        break;
    case 1:
        pop_many(input);
        break;
    case 2:
        pop(true);
        break;
    case 3:
        fuzz_memory.fail_in = fuzz_take(input) % 8;
        break;
    case 4:
        linked_list_final_cleanup();
        break;
    case 5:
        fuzz_require(queue_check(queue));
        break;
    case 6:
        refuse_null();
        break;
    case 7:
        start_again();
        break;
    case 8:
        read_ahead();
        break;
    case 9:
    case 10:
    case 11:
        pop(false);
        break;
    default:
        push(operation);
    }
}

void fuzz_one(const uint8_t *bytes, size_t length)
{
    struct fuzz_input input = {bytes, bytes + length};
    fuzz_memory.fail_in = 0;
    heap_choose(&input);
    head = tail = 0;
    start_again();
    while (fuzz_left(&input) > 0 && tail + 200 < PUSHES_MAX) {
        step(&input);
        fuzz_require(queue_size(queue) == tail - head);
        fuzz_require(queue_has_next(queue) == (head < tail));
    }
    fuzz_require(queue_check(queue) && queue_delete(queue));
    queue = NULL;
    fuzz_memory.fail_in = 0;
    heap_leave();
    fuzz_require(fuzz_memory.live == 0);
}

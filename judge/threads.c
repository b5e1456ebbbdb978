/*
 * threads.c - lists and queues of a submission in several threads, by the challenge's functions.
 *
 * 1. own: each thread creates, uses and deletes lists and queues of its own.
 *    handed: one thread creates queues, another uses them, a third deletes them, one at a time.
 *    shared: one queue that all threads push to and pop from, under the caller's mutex.
 * 2. Every value is compared: a thread pushes its own numbers, and knows what must come back. Of
 *    the shared queue, as many come out as went in, in the order of each thread, and no element
 *    twice.
 * 3. The first difference is printed, and the exit status is 1; else "N calls S seconds".
 * Usage: threads own|handed|shared THREADS ROUNDS
 */
#ifdef JUDGED
#define DOOR_WORDS 5
#include "door.h"
#endif
#include <linked_list.h>
#include <pthread.h>
#include <queue.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define THREADS_MOST 64
#define LENGTH       200u

struct worker {
    pthread_t thread;
    unsigned int number, rounds;
    struct queue *queue;
    size_t pushed, popped;
};

static struct worker workers[THREADS_MOST];
static unsigned int worker_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct queue *shared;
static unsigned int newest[THREADS_MOST]; /* of the shared queue: each thread's last popped */

static void differs(const char *what, unsigned int found, unsigned int expected)
{
    char line[160];
    int length = snprintf(line, sizeof(line), "%s: found %u, expected %u\n", what, found, expected);
    if (write(1, line, (size_t)length) < 0) {
        _exit(2);
    }
    _exit(1);
}

static void expect(bool holds, const char *what)
{
    if (!holds) {
        differs(what, 0, 1);
    }
}

/* Push and pop numbers that no other thread has. */
static void use_queue(struct queue *queue, unsigned int first)
{
    unsigned int data = 0;
    for (unsigned int i = 0; i < LENGTH; i++) {
        expect(queue_push(queue, first + i), "queue_push of this thread's own queue");
    }
    for (unsigned int i = 0; i < LENGTH; i++) {
        expect(queue_pop(queue, &data), "queue_pop of this thread's own queue");
        if (data != first + i) {
            differs("queue_pop of a queue that no other thread uses", data, first + i);
        }
    }
    expect(!queue_has_next(queue), "an empty queue has a next");
}

static void use_list(unsigned int first)
{
    struct linked_list *ll = linked_list_create();
    expect(ll != NULL, "linked_list_create");
    for (unsigned int i = 0; i < 20; i++) {
        expect(linked_list_insert_front(ll, first + i), "linked_list_insert_front");
    }
    if (linked_list_find(ll, first) != 19) {
        differs("linked_list_find", (unsigned int)linked_list_find(ll, first), 19);
    }
    expect(linked_list_remove(ll, 3) && linked_list_size(ll) == 19, "linked_list_remove");
    expect(linked_list_delete(ll), "linked_list_delete");
}

static void *work_alone(void *given)
{
    struct worker *worker = given;
    for (unsigned int round = 0; round < worker->rounds; round++) {
        unsigned int first = (worker->number * worker->rounds + round) * LENGTH;
        struct queue *queue = queue_create();
        expect(queue != NULL, "queue_create");
        use_queue(queue, first);
        use_list(first);
        expect(queue_push(queue, first) && queue_delete(queue), "queue_delete");
    }
    return NULL;
}

static void *use_handed(void *given)
{
    struct worker *worker = given;
    use_queue(worker->queue, worker->number * LENGTH);
    expect(queue_push(worker->queue, 1), "queue_push before it is handed on");
    return NULL;
}

static void *delete_handed(void *given)
{
    struct worker *worker = given;
    expect(queue_delete(worker->queue), "queue_delete by a third thread");
    return NULL;
}

/* Each thread's numbers leave the shared queue in order. */
static void check_shared(unsigned int data)
{
    unsigned int from = data >> 24, count = data & 0xffffffu;
    if (from >= worker_count || count != newest[from] + 1) {
        differs("the shared queue's next number of a thread", count,
                from < worker_count ? newest[from] + 1 : 0);
    }
    newest[from] = count;
}

static void *work_together(void *given)
{
    struct worker *worker = given;
    for (unsigned int i = 0; i < worker->rounds * LENGTH; i++) {
        unsigned int data = 0;
        pthread_mutex_lock(&lock);
        expect(queue_push(shared, worker->number << 24 | (i + 1)),
               "queue_push of the shared queue");
        if (i % 2 == 1 && queue_pop(shared, &data)) {
            check_shared(data);
        }
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void start_all(void *(*function)(void *), unsigned int rounds)
{
    for (unsigned int i = 0; i < worker_count; i++) {
        workers[i].number = i;
        workers[i].rounds = rounds;
        expect(pthread_create(&workers[i].thread, NULL, function, &workers[i]) == 0, "a thread");
    }
    for (unsigned int i = 0; i < worker_count; i++) {
        pthread_join(workers[i].thread, NULL);
    }
}

static void hand_over(unsigned int rounds)
{
    for (unsigned int round = 0; round < rounds; round++) {
        for (unsigned int i = 0; i < worker_count; i++) {
            workers[i].queue = queue_create();
            expect(workers[i].queue != NULL, "queue_create");
        }
        start_all(use_handed, 1);
        start_all(delete_handed, 1);
    }
}

static void share(unsigned int rounds)
{
    unsigned int data = 0;
    size_t left = 0, all = (size_t)worker_count * rounds * LENGTH;
    shared = queue_create();
    expect(shared != NULL, "queue_create");
    start_all(work_together, rounds);
    for (; queue_pop(shared, &data); left++) {
        check_shared(data);
    }
    for (unsigned int i = 0; i < worker_count; i++) {
        if (newest[i] != rounds * LENGTH) {
            differs("numbers of a thread that came out", newest[i], rounds * LENGTH);
        }
    }
    expect(left <= all && queue_delete(shared), "queue_delete");
}

int main(int argc, char **argv)
{
    struct timespec start, end;
#ifdef SHOWN /* on a card: the words that showed a fault */
    static char *shown[] = {"shown", SHOWN};
    argv = argc < 4 ? shown : argv;
    argc = 4;
#endif
    if (argc < 4) {
        return 2;
    }
    worker_count = (unsigned int)atoi(argv[2]);
    unsigned int rounds = (unsigned int)atoi(argv[3]);
    if (worker_count < 1 || worker_count > THREADS_MOST) {
        return 2;
    }
    linked_list_register_malloc(malloc);
    linked_list_register_free(free);
    queue_register_malloc(malloc);
    queue_register_free(free);
    clock_gettime(CLOCK_MONOTONIC, &start);
    if (strcmp(argv[1], "own") == 0) {
        start_all(work_alone, rounds);
    } else if (strcmp(argv[1], "handed") == 0) {
        hand_over(rounds);
    } else {
        share(rounds);
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("%llu calls %.9f seconds\n", 2ull * worker_count * rounds * LENGTH,
           (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9);
    fflush(stdout);
    _exit(0);
}

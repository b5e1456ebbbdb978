/*
 * queue_loop.c - bench-queue: fills a queue and empties it, again and again, with nothing else.
 *
 *     bench-queue ALLOCATOR ELEMENTS ROUNDS
 *
 * It prints CSV: ns per push with its pop in the fastest round, and ns per addition in a chain in
 * which every addition needs the one before; 0 with one round. A processor makes one such addition
 * per cycle, so the second figure is the length of a cycle. perf/study pipeline measures with it,
 * and follows it instruction by instruction under an emulator.
 */
#include "base/report/clock.h"
#include "liblist/linked_list_more.h"
#include "libqueue/queue.h"
#include <stdio.h>
#include <stdlib.h>

/* Not inlined: what it calls begins and ends at instructions of this function. */
static __attribute__((noinline)) bool fill_and_empty(struct queue *queue, unsigned int elements)
{
    unsigned int value = 0;
    bool good = true;
    for (unsigned int i = 0; i < elements; i++) {
        good &= queue_push(queue, i);
    }
    for (unsigned int i = 0; i < elements; i++) {
        good &= queue_pop(queue, &value) && value == i;
    }
    return good;
}

/* The least of several chains, because a neighbour on the processor only adds time. */
static double nanoseconds_per_addition(void)
{
    enum { CHAINS = 20, ADDITIONS = 800000 };
    uint64_t sum = 1, step = 3, least = UINT64_MAX;
    __asm__ volatile("" : "+r"(step)); /* unknown to the compiler */
    for (int chain = 0; chain < CHAINS; chain++) {
        uint64_t start = clock_now_ns();
        for (int i = 0; i < ADDITIONS; i += 8) {
            for (int k = 0; k < 8; k++) {
                sum += step;
                __asm__ volatile("" : "+r"(sum));
            }
        }
        uint64_t elapsed = clock_now_ns() - start;
        least = elapsed < least ? elapsed : least;
    }
    return (double)least / ADDITIONS;
}

int main(int argc, char **argv)
{
    unsigned long elements = argc == 4 ? strtoul(argv[2], NULL, 10) : 0;
    unsigned long rounds = argc == 4 ? strtoul(argv[3], NULL, 10) : 0;
    if (elements == 0 || elements > UINT32_MAX || rounds == 0) {
        fputs("usage: bench-queue ALLOCATOR ELEMENTS ROUNDS\n", stderr);
        return 2;
    }
    struct queue *queue = linked_list_set_allocator(argv[1]) ? queue_create() : NULL;
    if (queue == NULL) {
        fprintf(stderr, "bench-queue: %s: %s\n", argv[1], linked_list_error());
        return 1;
    }
    bool good = fill_and_empty(queue, (unsigned int)elements); /* warm */
    uint64_t least = UINT64_MAX;
    for (unsigned long round = 0; round < rounds; round++) {
        uint64_t start = clock_now_ns();
        good &= fill_and_empty(queue, (unsigned int)elements);
        uint64_t elapsed = clock_now_ns() - start;
        least = elapsed < least ? elapsed : least;
    }
    printf("pair_ns,addition_ns\n%.4f,%.4f\n", (double)least / (double)elements,
           rounds > 1 ? nanoseconds_per_addition() : 0);
    queue_delete(queue);
    return good ? 0 : 1;
}

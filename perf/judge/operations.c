/*
 * operations.c - what each call of level 1 costs, on a list that fits in a cache and on one that
 * does not.
 *
 * 1. Built with the challenge's headers, and the libraries of a submission or of the plain list.
 * 2. One process is one sample of every operation: create, insert_end, insert_front, find,
 *    iterate, delete, in that order, on a list of SIZE elements that insert_front has filled.
 * 3. A row per operation goes to RESULTS: ns per call or per element, and how often the process
 *    was put aside meanwhile (getrusage), so that the judge can drop the sample.
 * Nothing here earns points: a library shares the process with this clock.
 * Usage: operations SIZE RESULTS [end]; with "end" insert_end is measured too.
 */
#define DOOR_WORDS 4
#include "door.h"
#include <linked_list.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { CREATE, INSERT_END, INSERT_FRONT, FIND, ITERATE, DELETE };

struct row {
    uint32_t operation, switches;
    double ns_per_step;
};

struct start {
    struct timespec clock;
    long switches;
};

static int results;

static long switches(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_nivcsw + usage.ru_nvcsw;
}

static struct start start_clock(void)
{
    struct start start = {.switches = switches()};
    clock_gettime(CLOCK_MONOTONIC, &start.clock);
    return start;
}

static void stop_clock(struct start start, uint32_t operation, size_t steps)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double ns = (double)(now.tv_sec - start.clock.tv_sec) * 1e9 +
                (double)(now.tv_nsec - start.clock.tv_nsec);
    struct row row = {operation, (uint32_t)(switches() - start.switches), ns / (double)steps};
    if (write(results, &row, sizeof(row)) != (ssize_t)sizeof(row)) {
        _exit(3);
    }
}

static void fill(bool at_end, size_t size)
{
    struct linked_list *ll = linked_list_create();
    struct start start = start_clock();
    for (size_t i = 0; i < size; i++) {
        if (at_end) {
            linked_list_insert_end(ll, (unsigned int)i);
        } else {
            linked_list_insert_front(ll, (unsigned int)i);
        }
    }
    stop_clock(start, at_end ? INSERT_END : INSERT_FRONT, size);
    linked_list_delete(ll);
}

static void create(size_t size)
{
    static struct linked_list *made[1000];
    const size_t lists = size < 1000 ? size : 1000;
    struct start start = start_clock();
    for (size_t i = 0; i < lists; i++) {
        made[i] = linked_list_create();
    }
    stop_clock(start, CREATE, lists);
    for (size_t i = 0; i < lists; i++) {
        linked_list_delete(made[i]);
    }
}

static void walk(size_t size)
{
    struct linked_list *ll = linked_list_create();
    for (size_t i = 0; i < size; i++) {
        linked_list_insert_front(ll, (unsigned int)i);
    }
    struct start start = start_clock();
    linked_list_find(ll, UINT32_MAX);
    stop_clock(start, FIND, size);
    struct iterator *iter = linked_list_create_iterator(ll, 0);
    start = start_clock();
    while (linked_list_iterate(iter)) {
    }
    stop_clock(start, ITERATE, size);
    linked_list_delete_iterator(iter);
    start = start_clock();
    linked_list_delete(ll);
    stop_clock(start, DELETE, size);
}

int main(int argc, char **argv)
{
    if (argc != 3 && argc != 4) {
        return 2;
    }
    size_t size = strtoull(argv[1], NULL, 10);
    results = atoi(argv[2]);
    linked_list_register_malloc(malloc);
    linked_list_register_free(free);
    create(size);
    if (argc == 4) {
        fill(true, size);
    }
    fill(false, size);
    walk(size);
    _exit(0);
}

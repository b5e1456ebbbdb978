/*
 * hand_loops.c - loops written by hand, for perf/study to compare with the programs.
 *
 * One process makes one measurement and prints it as CSV; perf/study repeats and compares.
 * 1. hooks: a list node through the hooks with pool, and with a free list written by hand.
 * 2. fscanf, rows: a graph's file read as the challenge's program does: numbers one by one, into an
 *    array or into rows that grow.
 * 3. load: this tree's reader, twice. The first touch of memory costs as much as the load, and more
 *    on a virtual machine whose host took freed memory back; the second load reuses the memory.
 */
#include "base/macros.h"
#include "base/pw_assert.h"
#include "base/report/clock.h"
#include "counters/resources.h"
#include "data/load/graph_load.h"
#include "liblist/linked_list_more.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool failed(const char *what, const char *why)
{
    fprintf(stderr, "bench-hand: %s: %s\n", what, why);
    return false;
}

/* A list node -------------------------------------------------------------------------------- */

#define OPERATIONS 20000000u

struct own_list {
    struct node *head;
    struct node *free_list;
    size_t size;
};

static __attribute__((noinline)) bool own_push(struct own_list *list, unsigned int data)
{
    struct node *node = list->free_list;
    if (node != NULL) {
        list->free_list = node->next;
    } else if ((node = malloc(sizeof(*node))) == NULL) {
        return false;
    }
    node->next = list->head;
    node->data = data;
    list->head = node;
    list->size++;
    return true;
}

static __attribute__((noinline)) bool own_pop(struct own_list *list, unsigned int *data)
{
    struct node *node = list->head;
    if (node == NULL) {
        return false;
    }
    pw_assert(list->size > 0);
    *data = node->data;
    list->head = node->next;
    node->next = list->free_list;
    list->free_list = node;
    list->size--;
    return true;
}

static bool measure_hooks(char **arguments)
{
    struct own_list own = {0};
    struct linked_list *ll = linked_list_set_allocator("pool") ? linked_list_create() : NULL;
    uint64_t hooks_ns = 0, own_ns = 0;
    unsigned int data = 0;
    bool done = ll != NULL;
    (void)arguments;
    for (unsigned int round = 0; done && round < 2; round++) { /* the first is a warm-up */
        uint64_t start_ns = clock_now_ns();
        for (unsigned int i = 0; i < OPERATIONS; i++) {
            done = linked_list_insert_front(ll, i) && linked_list_remove_front(ll, &data) && done;
        }
        uint64_t middle_ns = clock_now_ns();
        for (unsigned int i = 0; i < OPERATIONS; i++) {
            done = own_push(&own, i) && own_pop(&own, &data) && done;
        }
        hooks_ns = middle_ns - start_ns;
        own_ns = clock_now_ns() - middle_ns;
    }
    pw_assert(!done || own.size == 0);
    free(own.free_list);
    linked_list_delete(ll);
    if (!done) {
        return failed("hooks", "out of memory");
    }
    printf("hooks_ns,own_ns\n%.4f,%.4f\n", (double)hooks_ns / OPERATIONS,
           (double)own_ns / OPERATIONS);
    return true;
}

/* Reading a file ------------------------------------------------------------------------------- */

static void print_row(unsigned load, uint64_t start_ns, uint64_t start_faults, uint64_t edges)
{
    double seconds = (double)(clock_now_ns() - start_ns) / 1e9;
    if (load == 1) {
        puts("load,seconds,peak_rss_bytes,edges,minor_faults");
    }
    printf("%u,%.9f,%llu,%llu,%llu\n", load, seconds,
           (unsigned long long)resources_peak_rss_bytes(), (unsigned long long)edges,
           (unsigned long long)(resources_minor_faults() - start_faults));
}

/* Open the file at the first of its entries; or NULL. */
static FILE *open_entries(const char *path, unsigned *nodes, unsigned long *entries)
{
    char line[1024] = "%";
    unsigned columns;
    FILE *file = fopen(path, "r");
    while (file != NULL && line[0] == '%' && fgets(line, sizeof(line), file) != NULL) {
    }
    if (file == NULL || sscanf(line, "%u %u %lu", nodes, &columns, entries) != 3) {
        failed(path, file == NULL ? strerror(errno) : "not a Matrix Market file");
        return NULL;
    }
    return file;
}

/* Take an entry; false when out of memory. */
typedef bool take_entry(void *into, unsigned long index, unsigned source, unsigned target);

/* Read the entries into zeroed memory: a number of bytes per node, or per entry. */
static bool measure_entries(const char *path, size_t node_bytes, size_t entry_bytes,
                            take_entry *take)
{
    static char *into; /* kept to the end: reachable memory is no leak */
    unsigned nodes = 0, source, target;
    unsigned long entries = 0, done = 0;
    uint64_t start_ns = clock_now_ns(), start_faults = resources_minor_faults();
    FILE *file = open_entries(path, &nodes, &entries);
    if (file == NULL) {
        return false;
    }
    into = node_bytes > 0 ? calloc((size_t)nodes + 1, node_bytes) : calloc(entries, entry_bytes);
    while (into != NULL && done < entries && fscanf(file, "%u %u", &source, &target) == 2 &&
           source <= nodes && take(into, done, source, target)) {
        done++;
    }
    fclose(file);
    if (done < entries) {
        return failed(path, "cut short, or out of memory");
    }
    print_row(1, start_ns, start_faults, entries);
    return true;
}

static bool take_into_array(void *into, unsigned long index, unsigned source, unsigned target)
{
    unsigned *entries = into;
    entries[2 * index] = source;
    entries[2 * index + 1] = target;
    return true;
}

static bool measure_fscanf(char **arguments)
{
    return measure_entries(arguments[0], 0, 2 * sizeof(unsigned), take_into_array);
}

/* A row of the challenge's program: a node's neighbours in an array that doubles. */
struct row {
    unsigned *targets;
    size_t count;
    size_t capacity;
    bool visited;
};

static bool take_into_row(void *into, unsigned long index, unsigned source, unsigned target)
{
    struct row **rows = into;
    struct row *row = rows[source];
    (void)index;
    if (row == NULL) {
        row = calloc(1, sizeof(*row));
        if (row == NULL) {
            return false;
        }
        rows[source] = row;
    }
    if (row->count == row->capacity) {
        size_t capacity = row->capacity == 0 ? 4 : row->capacity * 2;
        unsigned *grown = realloc(row->targets, capacity * sizeof(*grown));
        if (grown == NULL) {
            return false;
        }
        row->targets = grown;
        row->capacity = capacity;
    }
    pw_assert(row->count < row->capacity);
    row->targets[row->count++] = target;
    return true;
}

static bool measure_rows(char **arguments)
{
    return measure_entries(arguments[0], sizeof(struct row *), 0, take_into_row);
}

static bool measure_load(char **arguments)
{
    struct graph graph;
    struct graph_error error = {0};
    struct graph_options options = {.threads = (unsigned)strtoul(arguments[1], NULL, 10),
                                    .build_reverse = strcmp(arguments[2], "reverse") == 0};
    for (unsigned load = 1; load <= 2; load++) {
        uint64_t start_ns = clock_now_ns(), start_faults = resources_minor_faults();
        if (!graph_load(arguments[0], &options, &graph, &error)) {
            return failed("load", error.message);
        }
        print_row(load, start_ns, start_faults, graph.edge_count);
        graph_free(&graph);
    }
    return true;
}

/* The program -------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    const char *arguments;
    int count;
    const char *help;
    bool (*measure)(char **arguments);
} loops[] = {
    {"hooks", "", 0, "ns per create and delete of a list node", measure_hooks},
    {"fscanf", "FILE", 1, "the numbers of a Matrix Market file, into an array", measure_fscanf},
    {"rows", "FILE", 1, "the same into the challenge's rows, arrays that grow", measure_rows},
    {"load", "FILE THREADS out|reverse", 3, "load a graph, twice", measure_load},
};

static int help(void)
{
    printf("Usage: bench-hand LOOP [ARGUMENT]...\n"
           "Measure a loop written by hand, once, and print CSV; see bfs-study, which is\n"
           "perf/study in the source tree.\n\n");
    for (size_t i = 0; i < COUNT_OF(loops); i++) {
        printf("  %-8s %-26s %s\n", loops[i].name, loops[i].arguments, loops[i].help);
    }
    return fflush(stdout) == 0 ? 0 : 1;
}

int main(int argument_count, char **arguments)
{
    const char *name = argument_count > 1 ? arguments[1] : "";
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        return help();
    }
    for (size_t i = 0; i < COUNT_OF(loops); i++) {
        if (strcmp(loops[i].name, name) == 0 && loops[i].count == argument_count - 2) {
            return loops[i].measure(arguments + 2) && fflush(stdout) == 0 ? 0 : 1;
        }
    }
    failed(name, "no such loop, or not its arguments; see --help");
    return 2;
}

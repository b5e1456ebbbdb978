/*
 * hand_loading.c - a graph's file read by the plainest loops, and by this tree's reader.
 *
 * fscanf and rows are what the challenge's program does: numbers read one by one, into rows that
 * grow. load reads twice, because the first touch of memory costs as much as the load, and more on
 * a virtual machine whose host took freed memory back; the second load finds that memory there.
 */
#include "hand_loading.h"
#include "base/pw_assert.h"
#include "data/graph/graph.h"
#include "perf/report/clock.h"
#include "perf/report/resources.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define READ_SIZE ((size_t)1 << 20)

static void print_row(unsigned load, uint64_t start_ns, uint64_t edges)
{
    double seconds = (double)(clock_now_ns() - start_ns) / 1e9;
    if (load == 1) {
        puts("load,seconds,peak_rss_bytes,edges");
    }
    printf("%u,%.9f,%llu,%llu\n", load, seconds, (unsigned long long)resources_peak_rss_bytes(),
           (unsigned long long)edges);
}

bool hand_read(char **arguments)
{
    char *buffer = malloc(READ_SIZE);
    int fd = open(arguments[0], O_RDONLY | O_CLOEXEC);
    uint64_t start_ns = clock_now_ns();
    ssize_t got = buffer != NULL && fd >= 0 ? 1 : -1;
    while (got > 0) {
        got = read(fd, buffer, READ_SIZE);
    }
    if (got < 0) {
        hand_failed(arguments[0], strerror(errno));
    } else {
        print_row(1, start_ns, 0);
        close(fd);
    }
    free(buffer);
    return got == 0;
}

/* The file at the first of its entries, or NULL. */
static FILE *open_entries(const char *path, unsigned *nodes, unsigned long *entries)
{
    char line[1024] = "%";
    unsigned columns;
    FILE *file = fopen(path, "r");
    while (file != NULL && line[0] == '%' && fgets(line, sizeof(line), file) != NULL) {
    }
    if (file == NULL || sscanf(line, "%u %u %lu", nodes, &columns, entries) != 3) {
        hand_failed(path, file == NULL ? strerror(errno) : "not a Matrix Market file");
        return NULL;
    }
    return file;
}

/* Where the entries go: make it for so many (NULL: out of memory), take one (false: the same). */
struct store {
    void *(*make)(unsigned nodes, unsigned long entries);
    bool (*take)(void *into, unsigned long index, unsigned source, unsigned target);
};

static bool measure_entries(const char *path, const struct store *store)
{
    static void *into; /* the process ends with it, and reachable memory is no leak */
    unsigned nodes = 0, source, target;
    unsigned long entries = 0, done = 0;
    uint64_t start_ns = clock_now_ns();
    FILE *file = open_entries(path, &nodes, &entries);
    if (file == NULL) {
        return false;
    }
    into = store->make(nodes, entries);
    while (into != NULL && done < entries && fscanf(file, "%u %u", &source, &target) == 2 &&
           source <= nodes && store->take(into, done, source, target)) {
        done++;
    }
    fclose(file);
    if (done < entries) {
        return hand_failed(path, "cut short, or out of memory");
    }
    print_row(1, start_ns, entries);
    return true;
}

static void *make_array(unsigned nodes, unsigned long entries)
{
    (void)nodes;
    return malloc(entries * 2 * sizeof(unsigned));
}

static bool take_into_array(void *into, unsigned long index, unsigned source, unsigned target)
{
    unsigned *entries = into;
    entries[2 * index] = source;
    entries[2 * index + 1] = target;
    return true;
}

bool hand_fscanf(char **arguments)
{
    return measure_entries(arguments[0], &(struct store){make_array, take_into_array});
}

/* A row of the challenge's program: a node's neighbours in an array that doubles. */
struct row {
    unsigned *targets;
    size_t count;
    size_t capacity;
    bool visited;
};

static void *make_rows(unsigned nodes, unsigned long entries)
{
    (void)entries;
    return calloc((size_t)nodes + 1, sizeof(struct row *));
}

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

bool hand_rows(char **arguments)
{
    return measure_entries(arguments[0], &(struct store){make_rows, take_into_row});
}

bool hand_load(char **arguments)
{
    struct graph graph;
    struct graph_error error = {0};
    struct graph_options options = {.threads = (unsigned)strtoul(arguments[1], NULL, 10),
                                    .build_reverse = strcmp(arguments[2], "reverse") == 0};
    for (unsigned load = 1; load <= 2; load++) {
        uint64_t start_ns = clock_now_ns();
        if (!graph_load(arguments[0], &options, &graph, &error)) {
            return hand_failed("load", error.message);
        }
        print_row(load, start_ns, graph.edge_count);
        graph_free(&graph);
    }
    return true;
}

/*
 * level4_files.h - what level4.c does before its threads start and after their end.
 *
 * It reads the files that graph-convert writes: Matrix Market with the edges in the order of their
 * source, and pairs as lines of two ids. Whatever is wrong ends the program. Answers go to standard
 * output, one line per pair; the seconds of the searches go to standard error.
 */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { PAIRS_MAX = 1000 };

struct graph {
    unsigned nodes;  /* ids are 1 to nodes - 1 */
    size_t *offsets; /* the neighbours of a node are from offsets[node] to offsets[node + 1] */
    unsigned *neighbours;
};

struct pair {
    unsigned from, to, hops; /* hops: 0 if there is no path */
};

static void must(bool fine, const char *what)
{
    if (!fine) {
        fprintf(stderr, "level4: %s\n", what);
        exit(1);
    }
}

static void read_graph(const char *path, struct graph *graph)
{
    FILE *file = fopen(path, "r");
    unsigned from, to, last = 0;
    size_t count;
    must(file != NULL, "the graph cannot be opened");
    must(fscanf(file, "%%%*[^\n] %u %*u %zu", &graph->nodes, &count) == 2 &&
             graph->nodes < UINT_MAX && count < SIZE_MAX / sizeof(unsigned),
         "the graph is not a Matrix Market file");
    graph->nodes++;
    graph->offsets = calloc((size_t)graph->nodes + 1, sizeof(*graph->offsets));
    graph->neighbours = calloc(count + 1, sizeof(*graph->neighbours));
    must(graph->offsets != NULL && graph->neighbours != NULL, "no memory for the graph");
    for (size_t i = 0; i < count; i++, last = from) {
        must(fscanf(file, "%u %u", &from, &to) == 2, "an edge is missing");
        must(from >= last && from < graph->nodes && to < graph->nodes, "an edge is out of order");
        graph->neighbours[i] = to;
        graph->offsets[from + 1] = i + 1;
    }
    for (unsigned node = 0; node < graph->nodes; node++) { /* those without an edge */
        if (graph->offsets[node + 1] == 0) {
            graph->offsets[node + 1] = graph->offsets[node];
        }
    }
    fclose(file);
}

/* Returns how many pairs there are. */
static size_t read_pairs(const char *path, const struct graph *graph, struct pair *pairs)
{
    FILE *file = fopen(path, "r");
    size_t count = 0;
    must(file != NULL, "the pairs cannot be opened");
    must(fscanf(file, " #%*[^\n]") != EOF, "there are no pairs"); /* a comment, if there is one */
    while (count < PAIRS_MAX && fscanf(file, "%u %u", &pairs[count].from, &pairs[count].to) == 2) {
        must(pairs[count].from < graph->nodes && pairs[count].to < graph->nodes,
             "a pair is not in the graph");
        count++;
    }
    fclose(file);
    return count;
}

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Writes FROM TO HOPS per pair, and the time of all searches. */
static void print_pairs(const struct pair *pairs, size_t count, double elapsed)
{
    for (size_t i = 0; i < count; i++) {
        printf("%u %u %u\n", pairs[i].from, pairs[i].to, pairs[i].hops);
    }
    fprintf(stderr, "%.3f s\n", elapsed);
}

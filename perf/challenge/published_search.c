/*
 * published_search.c - a program of the shape that the challenge publishes with level 2: the same
 * files, the same search, the same lines on stdout.
 *
 * 1. Reads wikipedia-20070206/wikipedia-20070206.mtx, one grown array of neighbours per node, and
 *    searches for the 100 pairs of the file "nodes".
 * 2. The judge times a hand-in's own program of level 3 beside this one, on the same queue.
 * 3. perf/study figures compiles it with REPORT_SECONDS: the processor time since the graph was
 *    read is one more line after each search and its clearing.
 * It reads each edge once; the published loop takes the last one twice.
 */
#include <queue.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifndef REPORT_SECONDS
#define REPORT_SECONDS 0
#endif

#define SEARCHES 100
#define GROWTH   16u

struct row {
    size_t size;
    unsigned int *neighbours;
    bool is_visited;
};

static struct row *rows;
static unsigned int nodes;

static void give_up(const char *what)
{
    printf("%s\n", what);
    exit(1);
}

static void add_edge(unsigned int from, unsigned int to)
{
    if (from > nodes) {
        give_up("an edge leads from a node that is not there");
    }
    struct row *row = &rows[from];
    if (row->size % GROWTH == 0) {
        unsigned int *grown =
            realloc(row->neighbours, (row->size + GROWTH) * sizeof(*row->neighbours));
        if (grown == NULL) {
            give_up("no memory for the edges");
        }
        row->neighbours = grown;
    }
    row->neighbours[row->size++] = to;
}

static void read_graph(FILE *file)
{
    char line[1024];
    unsigned int columns, edges, from, to;
    do {
        if (fgets(line, sizeof(line), file) == NULL) {
            give_up("the graph has no size");
        }
    } while (line[0] == '%');
    if (sscanf(line, "%u %u %u", &nodes, &columns, &edges) != 3) {
        give_up("the graph has no size");
    }
    rows = calloc((size_t)nodes + 1, sizeof(*rows));
    if (rows == NULL) {
        give_up("no memory for the nodes");
    }
    while (fscanf(file, "%u %u", &from, &to) == 2) {
        add_edge(from, to);
    }
}

static bool search(unsigned int from, unsigned int to, size_t *visited)
{
    struct queue *queue = queue_create();
    bool is_found = false;
    unsigned int next = from;
    while (!is_found) {
        struct row *row = &rows[next];
        if (row->size > 0 && !row->is_visited) {
            row->is_visited = true;
            for (size_t i = 0; i < row->size; i++) {
                is_found |= row->neighbours[i] == to;
                if (!queue_push(queue, row->neighbours[i])) {
                    give_up("a push failed");
                }
            }
            if (!queue_pop(queue, &next)) {
                break;
            }
            ++*visited;
        } else {
            bool is_there = queue_pop(queue, &next);
            ++*visited;
            if (!is_there) {
                break;
            }
        }
    }
    queue_delete(queue);
    return is_found;
}

/* Processor time. The clock of the thread: where a process has a limit of processor time, Linux
 * counts its own clock in ticks. */
static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

int main(void)
{
    FILE *graph = fopen("wikipedia-20070206/wikipedia-20070206.mtx", "r");
    FILE *pairs = fopen("nodes", "r");
    unsigned int from = 0, to = 0;
    queue_register_malloc(malloc);
    queue_register_free(free);
    if (graph == NULL || pairs == NULL) {
        give_up("a file is missing");
    }
    read_graph(graph);
    const double start = seconds();
    for (int i = 0; i < SEARCHES && fscanf(pairs, "%u %u", &from, &to) == 2; i++) {
        size_t visited = 0;
        printf("(%d / %d) Searching for a connection between node %u -> %u\n", i + 1, SEARCHES,
               from, to);
        bool is_found = search(from, to, &visited);
        printf("Nodes visited: %zu\n%s\n", visited, is_found ? "Path found." : "No path found.");
        for (unsigned int node = 0; node <= nodes; node++) {
            rows[node].is_visited = false;
        }
        if (REPORT_SECONDS) {
            printf("Seconds: %.6f\n", seconds() - start);
        }
    }
    fclose(graph);
    fclose(pairs);
    return 0;
}

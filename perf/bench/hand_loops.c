/*
 * hand_loops.c - loops written by hand, for perf/study to compare with the programs.
 *
 * One process makes one measurement and prints it as CSV; perf/study repeats and compares.
 * 1. search: the yardstick of the engine "array". Adjacency lists are prefetched and copied into a
 *    buffer, and their marks looked up; no deadline, no path. Nodes without out-edges are marked
 *    from the start, except the target.
 * 2. classic: the yardstick of the engine "classic" (classic_loop.c).
 * 3. hooks: a list node through the hooks with pool, and with a free list written by hand.
 * 4. fscanf, rows: a graph's file read as the challenge's program does: numbers one by one, into an
 *    array or into rows that grow.
 * 5. text: the same by the loop of load_loop.c, which trusts the file.
 * 6. load: this tree's reader, twice. The first touch of memory costs as much as the load, and more
 *    on a virtual machine whose host took freed memory back; the second load reuses the memory.
 */
#include "base/macros.h"
#include "base/pw_assert.h"
#include "base/report/clock.h"
#include "classic_loop.h"
#include "counters/resources.h"
#include "data/load/graph_load.h"
#include "data/make/generate.h"
#include "data/read/pairs.h"
#include "liblist/linked_list_more.h"
#include "load_loop.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool failed(const char *what, const char *why)
{
    fprintf(stderr, "bench-hand: %s: %s\n", what, why);
    return false;
}

/* The search --------------------------------------------------------------------------------- */

#define FULL  2048 /* buffered entries that start the look-up of marks */
#define ROOM  4096
#define FAR   64 /* nodes ahead whose offsets are fetched */
#define NEAR  32 /* nodes ahead whose neighbours are fetched */
#define CHUNK 16 /* entries copied at a time */

struct loop {
    struct graph graph;
    struct loop_marks marks;
    uint32_t *queue;
};

/* Append the unmarked nodes; returns the new tail. */
static inline size_t push_unmarked(struct loop *loop, size_t tail, const uint32_t *nodes,
                                   size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!is_marked(loop->marks.now, nodes[i])) {
            mark(loop->marks.now, nodes[i]);
            loop->queue[tail++] = nodes[i];
        }
    }
    return tail;
}

static struct loop_answer search(struct loop *loop, uint32_t source, uint32_t target)
{
    const uint64_t *offsets = loop->graph.offsets;
    const uint32_t *neighbours = loop->graph.neighbours;
    const uint32_t *neighbours_end = neighbours + loop->graph.edge_count;
    uint32_t *queue = loop->queue;
    uint64_t *marks = loop->marks.now;
    uint32_t buffer[ROOM + CHUNK];
    size_t head = 0, tail = 1, level_end = 1;
    struct loop_answer answer = {.hops = 1};
    memcpy(marks, loop->marks.sinks, loop->marks.words * sizeof(*marks));
    uint64_t start_ns = clock_now_ns();
    queue[0] = source;
    mark(marks, source);
    marks[target / 64] &= ~((uint64_t)1 << target % 64);
    while (head < tail && !is_marked(marks, target)) {
        size_t count = 0;
        answer.hops += head == level_end;
        level_end = head == level_end ? tail : level_end;
        while (head < level_end && count < FULL) {
            __builtin_prefetch(&offsets[queue[head + FAR]]);
            const uint32_t *near = neighbours + offsets[queue[head + NEAR]];
            __builtin_prefetch(near);
            __builtin_prefetch(near + CHUNK);
            const uint32_t *list = neighbours + offsets[queue[head]];
            size_t degree = (size_t)(offsets[queue[head] + 1] - offsets[queue[head]]);
            if (degree > ROOM - count || (size_t)(neighbours_end - list) < degree + CHUNK) {
                if (count > 0) {
                    break;
                }
                tail = push_unmarked(loop, tail, list, degree); /* longer than the buffer */
            } else {
                for (size_t i = 0; i < degree; i += CHUNK) {
                    memcpy(buffer + count + i, list + i, CHUNK * sizeof(*list));
                }
                count += degree;
            }
            head++;
        }
        tail = push_unmarked(loop, tail, buffer, count);
        pw_assert(head <= level_end && level_end <= tail && tail <= loop->graph.node_limit + 1u);
    }
    answer.found = is_marked(marks, target) && head > 0;
    answer.elapsed_ns = clock_now_ns() - start_ns;
    answer.visited = answer.expanded = head;
    answer.pushed = tail;
    return answer;
}

/* On one thread: glibc's malloc stays slower in a process that ever had two. */
static bool make_inputs(char **arguments, struct graph *graph, struct pairs *pairs,
                        struct graph_error *error)
{
    struct graph_generate_options graph_spec;
    struct pairs_generate_options pairs_spec;
    if (!graph_generate_parse(arguments[0], &graph_spec, error) ||
        !pairs_generate_parse(arguments[1], &pairs_spec, error)) {
        return false;
    }
    graph_spec.threads = 1;
    return graph_generate(&graph_spec, graph, error) &&
           pairs_generate(graph, &pairs_spec, pairs, error);
}

#define COLUMNS "trial,search,source,target,found,hops,visited,expanded,pushed,seconds,status"

/* A line of CSV; more: the text after these columns. */
static void print_search(size_t index, const struct pair *pair, const struct loop_answer *answer,
                         const char *more)
{
    char hops[16] = "";
    if (answer->found) {
        snprintf(hops, sizeof(hops), "%u", answer->hops);
    }
    printf("1,%zu,%u,%u,%d,%s,%llu,%llu,%llu,%.9f,done%s\n", index + 1, pair->source, pair->target,
           answer->found, hops, (unsigned long long)answer->visited,
           (unsigned long long)answer->expanded, (unsigned long long)answer->pushed,
           (double)answer->elapsed_ns / 1e9, more);
}

static bool measure_search(char **arguments)
{
    struct loop loop = {0};
    struct pairs pairs = {0};
    struct graph_error error = {0};
    bool done =
        make_inputs(arguments, &loop.graph, &pairs, &error) || failed("search", error.message);
    if (done) {
        loop.queue = calloc((size_t)loop.graph.node_limit + FAR + 2, sizeof(*loop.queue));
        done = (loop_marks_open(&loop.marks, &loop.graph) && loop.queue != NULL) ||
               failed("search", "out of memory");
    }
    if (done) {
        puts(COLUMNS);
    }
    for (size_t i = 0; done && i < pairs.count; i++) { /* a warm-up */
        search(&loop, pairs.items[i].source, pairs.items[i].target);
    }
    for (size_t i = 0; done && i < pairs.count; i++) {
        const struct pair *pair = &pairs.items[i];
        struct loop_answer answer = search(&loop, pair->source, pair->target);
        print_search(i, pair, &answer, "");
    }
    loop_marks_close(&loop.marks);
    free(loop.queue);
    pairs_free(&pairs);
    graph_free(&loop.graph);
    return done;
}

/* The classic search ------------------------------------------------------------------------- */

static bool measure_classic(char **arguments)
{
    struct graph graph = {0};
    struct pairs pairs = {0};
    struct classic_loop loop = {0};
    struct graph_error error = {0};
    bool done = make_inputs(arguments, &graph, &pairs, &error) || failed("classic", error.message);
    done = done && (classic_loop_open(&loop, &graph) || failed("classic", "out of memory"));
    if (done && pairs.count > 0) {
        classic_loop_calibrate(&loop, pairs.items[0].source, pairs.items[0].target);
    }
    if (done) {
        puts(COLUMNS ",method");
    }
    for (size_t i = 0; done && i < pairs.count; i++) {
        const struct pair *pair = &pairs.items[i];
        struct loop_answer answer = classic_loop_search(&loop, pair->source, pair->target);
        print_search(i, pair, &answer, loop.in_batches ? ",batch" : ",node");
    }
    classic_loop_close(&loop);
    pairs_free(&pairs);
    graph_free(&graph);
    return done;
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

static bool measure_text(char **arguments)
{
    struct load_loop_graph graph = {0};
    const unsigned threads = (unsigned)strtoul(arguments[1], NULL, 10);
    for (unsigned load = 1; load <= 2; load++) {
        uint64_t start_ns = clock_now_ns(), start_faults = resources_minor_faults();
        const char *why =
            load_loop_read(arguments[0], threads, strcmp(arguments[2], "reverse") == 0, &graph);
        if (why == NULL) {
            print_row(load, start_ns, start_faults, graph.edge_count);
        }
        load_loop_free(&graph);
        if (why != NULL) {
            return failed(arguments[0], why);
        }
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
    {"search", "generate:... random:...", 2, "search with an array; the columns of bfs",
     measure_search},
    {"classic", "generate:... random:...", 2, "the challenge's search with a private list",
     measure_classic},
    {"hooks", "", 0, "ns per create and delete of a list node", measure_hooks},
    {"fscanf", "FILE", 1, "the numbers of a Matrix Market file, into an array", measure_fscanf},
    {"rows", "FILE", 1, "the same into the challenge's rows, arrays that grow", measure_rows},
    {"text", "FILE THREADS out|reverse", 3, "load Matrix Market by a loop, twice", measure_text},
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

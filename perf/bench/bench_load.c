/*
 * bench_load.c - how long a graph takes from its file to rows ready to search, beside its limits.
 *
 * 1. A generated Matrix Market file, sorted by target as SuiteSparse sorts its own, in the page
 * cache.
 * 2. Subjects, each in a fresh process, taking turns: a plain read of the file, a loop of
 *    fscanf, with and without the challenge's rows, this reader on one thread and on all, with and
 * without the reverse adjacency, a snapshot, and gzip, beside its decompression alone. The reader
 * loads once before to warm up.
 * 3. Medians, the ratios to the limits, and the peak resident memory an edge.
 * 4. With --orders: what the order of the nodes does to searches.
 * Usage: bench-load [--full] [--nodes N] [--edges N] [--rounds N] [--file FILE] [--orders]
 */
#include "bfs/engines/engines.h"
#include "bfs/search/search.h"
#include "challenge_layout.h"
#include "data/make/generate.h"
#include "data/make/graph_order.h"
#include "data/read/byte_stream.h"
#include "data/read/pairs.h"
#include "data/store/graph_snapshot.h"
#include "data/store/graph_write.h"
#include "perf/report/clock.h"
#include "perf/report/samples.h"
#include "trial.h"
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define ROUNDS_MAX   50
#define READ_SIZE    ((size_t)1 << 20)
#define FSCANF_EVERY 3 /* so slow that they take part in every third round only */

struct settings {
    struct graph_generate_options graph;
    size_t rounds;
    const char *file; /* the user's, or NULL: generated */
    bool orders;
};

static char folder[] = "/tmp/bench-load-XXXXXX";
static char text_path[256], gzip_path[256], snapshot_path[256];

/* What a subject measures: seconds, peak resident bytes, edges. */
enum { SECONDS, PEAK, EDGES, VALUE_COUNT };

struct subject {
    const char *name;
    trial_body body;
    const char *path;
    unsigned threads;
    bool reverse;
    double seconds[ROUNDS_MAX];
    double peak[ROUNDS_MAX];
    size_t count;
    double median, edges;
};

static double peak_bytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss * 1024;
}

static bool plain_read(void *context, double *values, size_t count)
{
    const struct subject *subject = context;
    (void)count;
    char *buffer = malloc(READ_SIZE);
    int fd = open(subject->path, O_RDONLY | O_CLOEXEC);
    uint64_t start_ns = clock_now_ns();
    ssize_t got = 1;
    while (buffer != NULL && fd >= 0 && got > 0) {
        got = read(fd, buffer, READ_SIZE);
    }
    values[SECONDS] = (double)(clock_now_ns() - start_ns) / 1e9;
    close(fd);
    free(buffer);
    return got == 0;
}

/* Open a Matrix Market file and read its banner and sizes. */
static FILE *open_entries(const char *path, unsigned long *rows, unsigned long *entries)
{
    char line[1024];
    unsigned long columns;
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof(line), file) != NULL && line[0] == '%') {
    }
    return file != NULL && sscanf(line, "%lu %lu %lu", rows, &columns, entries) == 3 ? file : NULL;
}

/* The text to numbers and nothing more. */
static bool fscanf_loop(void *context, double *values, size_t count)
{
    const struct subject *subject = context;
    (void)count;
    unsigned long rows = 0, entries = 0, read = 0;
    uint64_t start_ns = clock_now_ns();
    FILE *file = open_entries(subject->path, &rows, &entries);
    unsigned *sources = malloc(entries * sizeof(*sources));
    unsigned *targets = malloc(entries * sizeof(*targets));
    while (file != NULL && sources != NULL && targets != NULL && read < entries &&
           fscanf(file, "%u %u", &sources[read], &targets[read]) == 2) {
        read++;
    }
    values[SECONDS] = (double)(clock_now_ns() - start_ns) / 1e9;
    values[PEAK] = peak_bytes();
    values[EDGES] = (double)entries;
    free(sources);
    free(targets);
    return file != NULL && fclose(file) == 0 && read == entries;
}

/* The same loop as the challenge's program has it: into a row struct and a grown array a node. */
static bool challenge_load(void *context, double *values, size_t count)
{
    const struct subject *subject = context;
    (void)count;
    unsigned long rows = 0, entries = 0, read = 0;
    unsigned source, target;
    uint64_t start_ns = clock_now_ns();
    FILE *file = open_entries(subject->path, &rows, &entries);
    struct challenge_graph *graph = challenge_graph_begin((uint32_t)rows + 1);
    while (file != NULL && graph != NULL && read < entries &&
           fscanf(file, "%u %u", &source, &target) == 2 && source <= rows &&
           challenge_graph_add(graph, source, target)) {
        read++;
    }
    values[SECONDS] = (double)(clock_now_ns() - start_ns) / 1e9;
    values[PEAK] = peak_bytes();
    values[EDGES] = (double)entries;
    return file != NULL && fclose(file) == 0 && read == entries; /* the process ends with it */
}

/*
 * Load twice and measure the second time. The first touch of memory costs as much as the load, and
 * on a virtual machine, whose host may have taken back what another process freed, several times as
 * much; the memory that the first load gave back is there.
 */
static bool load(void *context, double *values, size_t count)
{
    const struct subject *subject = context;
    (void)count;
    struct graph graph;
    struct graph_error error;
    struct graph_options options = {.threads = subject->threads, .build_reverse = subject->reverse};
    for (int round = 0; round < 2; round++) {
        uint64_t start_ns = clock_now_ns();
        if (!graph_load(subject->path, &options, &graph, &error)) {
            fprintf(stderr, "bench-load: %s\n", error.message);
            return false;
        }
        values[SECONDS] = (double)(clock_now_ns() - start_ns) / 1e9;
        values[PEAK] = peak_bytes();
        values[EDGES] = (double)graph.edge_count;
        graph_free(&graph);
    }
    return true;
}

static bool decompress(void *context, double *values, size_t count)
{
    const struct subject *subject = context;
    (void)count;
    atomic_uint_least64_t done = 0;
    char *buffer = malloc(READ_SIZE);
    int fd = open(subject->path, O_RDONLY | O_CLOEXEC);
    lseek(fd, 2, SEEK_SET); /* the magic number is handed over, as a reader of any format does */
    uint64_t start_ns = clock_now_ns();
    struct byte_stream *stream = byte_stream_open(fd, "\x1f\x8b", 2, true, true, &done);
    size_t got = 1;
    while (buffer != NULL && stream != NULL && got > 0 && got != SIZE_MAX) {
        got = byte_stream_read(stream, buffer, READ_SIZE);
    }
    values[SECONDS] = (double)(clock_now_ns() - start_ns) / 1e9;
    byte_stream_close(stream);
    close(fd);
    free(buffer);
    return got == 0;
}

static struct subject subjects[] = {
    {.name = "plain read", .body = plain_read, .path = text_path},
    {.name = "fscanf loop", .body = fscanf_loop, .path = text_path},
    {.name = "fscanf into the challenge's rows", .body = challenge_load, .path = text_path},
    {.name = "text, one thread", .body = load, .path = text_path, .threads = 1},
    {.name = "text, two threads", .body = load, .path = text_path, .threads = 2},
    {.name = "text and reverse, one thread",
     .body = load,
     .path = text_path,
     .threads = 1,
     .reverse = true},
    {.name = "text and reverse, two threads",
     .body = load,
     .path = text_path,
     .threads = 2,
     .reverse = true},
    {.name = "snapshot", .body = load, .path = snapshot_path, .threads = 1},
    {.name = "gunzip alone", .body = decompress, .path = gzip_path},
    {.name = "gzip, two threads", .body = load, .path = gzip_path, .threads = 2},
};

enum {
    READ,
    FSCANF,
    CHALLENGE,
    ONE,
    TWO,
    ONE_REVERSE,
    TWO_REVERSE,
    SNAPSHOT,
    GUNZIP,
    GZIP,
    SUBJECT_COUNT
};

/* Generate the file, in a child, so that this process stays small. */
static bool make_files(void *context, double *values, size_t count)
{
    const struct settings *settings = context;
    (void)values;
    (void)count;
    struct graph graph;
    struct graph_error error = {0};
    const struct graph_write_options options = {.by_target = true};
    bool done = true;
    if (settings->file == NULL) {
        done = graph_generate(&settings->graph, &graph, &error) &&
               graph_write(&graph, &options, text_path, &error);
        graph_free(&graph);
    }
    done = done && graph_load(text_path, NULL, &graph, &error) &&
           graph_snapshot_save(&graph, snapshot_path, NULL, 0, NULL, &error);
    if (!done) {
        fprintf(stderr, "bench-load: %s\n", error.message);
        return false;
    }
    char command[700];
    snprintf(command, sizeof(command), "gzip -1 -c < '%s' > '%s'", text_path, gzip_path);
    graph_free(&graph);
    return system(command) == 0;
}

static void remove_files(const struct settings *settings)
{
    if (settings->file == NULL) {
        unlink(text_path);
    }
    unlink(gzip_path);
    unlink(snapshot_path);
    rmdir(folder);
}

static bool measure(struct subject *subject)
{
    double values[VALUE_COUNT] = {0};
    if (!trial_run(subject->body, subject, values, VALUE_COUNT)) {
        fprintf(stderr, "bench-load: %s failed\n", subject->name);
        return false;
    }
    subject->seconds[subject->count] = values[SECONDS];
    subject->peak[subject->count++] = values[PEAK];
    subject->edges = values[EDGES];
    return true;
}

static void print_table(void)
{
    for (size_t i = 0; i < SUBJECT_COUNT; i++) {
        subjects[i].median = samples_summarize(subjects[i].seconds, subjects[i].count).median;
    }
    printf("%-32s %9s %9s %9s %14s %13s %13s\n", "median, best and worst", "seconds", "best",
           "worst", "to plain read", "fscanf to it", "with rows");
    for (size_t i = 0; i < SUBJECT_COUNT; i++) {
        struct subject *subject = &subjects[i];
        struct samples_summary times = samples_summarize(subject->seconds, subject->count);
        printf("%-32s %9.3f %9.3f %9.3f %13.1fx %12.1fx %12.1fx", subject->name, times.median,
               times.low, times.high, times.median / subjects[READ].median,
               subjects[FSCANF].median / times.median, subjects[CHALLENGE].median / times.median);
        double peak = samples_summarize(subject->peak, subject->count).high;
        if (peak > 0 && subject->edges > 0) {
            printf("  %.1f bytes an edge", peak / subject->edges);
        }
        putchar('\n');
    }
    printf("gzip against its decompression alone: %.2f\n",
           subjects[GZIP].median / subjects[GUNZIP].median);
}

/* Orders --------------------------------------------------------------------------------------- */

struct order_trial {
    enum graph_order order;
    const char *engine;
};

/* values[0]: seconds of ten pairs, the same nodes in every order. */
static bool search_in_order(void *context, double *values, size_t count)
{
    const struct order_trial *trial = context;
    const struct search_engine *engine = search_engine_find(trial->engine);
    const struct pairs_generate_options options = {.count = 10, .seed = 1};
    struct graph graph;
    struct pairs pairs;
    struct graph_error error = {0};
    (void)count;
    if (!graph_load(snapshot_path, NULL, &graph, &error) ||
        !pairs_generate(&graph, &options, &pairs, &error)) {
        return false;
    }
    uint32_t *nodes = calloc((size_t)graph.node_limit + 1, sizeof(*nodes));
    if (nodes == NULL || !graph_renumber(&graph, trial->order, 1, &error)) {
        return false;
    }
    for (uint32_t u = graph.first_node; u < graph.node_limit; u++) {
        nodes[graph_original_id(&graph, u)] = u;
    }
    void *workspace = engine->create(&graph);
    for (size_t i = 0; workspace != NULL && i < pairs.count; i++) {
        struct search_result result;
        engine->search(workspace, nodes[pairs.items[i].source], nodes[pairs.items[i].target], NULL,
                       &result);
        values[0] += (double)result.elapsed_ns / 1e9;
    }
    return workspace != NULL; /* the process ends: nothing is given back */
}

static void study_orders(size_t rounds)
{
    static const char *const names[] = {"none", "degree", "bfs", "random"};
    static const char *const engines[] = {"classic", "array"};
    printf("\nTen searches in seconds, by the order of the nodes (median of %zu)\n", rounds);
    for (size_t e = 0; e < sizeof(engines) / sizeof(engines[0]); e++) {
        double seconds[4][ROUNDS_MAX];
        size_t counts[4] = {0};
        for (size_t round = 0; round < rounds; round++) {
            for (unsigned order = GRAPH_ORDER_NONE; order <= GRAPH_ORDER_RANDOM; order++) {
                struct order_trial trial = {(enum graph_order)order, engines[e]};
                double value = 0;
                if (search_engine_find(trial.engine) != NULL &&
                    trial_run(search_in_order, &trial, &value, 1)) {
                    seconds[order][counts[order]++] = value;
                }
            }
        }
        printf("%-10s", engines[e]);
        for (unsigned order = GRAPH_ORDER_NONE; order <= GRAPH_ORDER_RANDOM; order++) {
            if (counts[order] > 0) {
                printf("  %s %.3f", names[order],
                       samples_summarize(seconds[order], counts[order]).median);
            }
        }
        putchar('\n');
    }
}

static bool parse(struct settings *settings, int argument_count, char **arguments)
{
    static const struct option options[] = {
        {"full", no_argument, NULL, 'f'},
        {"nodes", required_argument, NULL, 'n'},
        {"edges", required_argument, NULL, 'm'},
        {"rounds", required_argument, NULL, 'r'},
        {"file", required_argument, NULL, 'i'},
        {"orders", no_argument, NULL, 'o'},
        {NULL, 0, NULL, 0},
    };
    uint64_t number = 0;
    int option;
    while ((option = getopt_long(argument_count, arguments, "", options, NULL)) != -1) {
        bool has_number = option == 'n' || option == 'm' || option == 'r';
        if (option == '?' ||
            (has_number && (!generate_parse_number(optarg, strlen(optarg), &number) ||
                            number == 0 || number > GRAPH_NODE_MAX))) {
            return false;
        }
        if (option == 'f') {
            settings->graph.nodes = GRAPH_WIKIPEDIA_NODES;
            settings->graph.edges = GRAPH_WIKIPEDIA_EDGES;
        } else if (option == 'n') {
            settings->graph.nodes = (uint32_t)number;
        } else if (option == 'm') {
            settings->graph.edges = number;
        } else if (option == 'r') {
            settings->rounds = number < ROUNDS_MAX ? (size_t)number : ROUNDS_MAX;
        } else if (option == 'i') {
            settings->file = optarg;
        } else {
            settings->orders = true;
        }
    }
    return optind == argument_count;
}

static const char help[] =
    "Usage: bench-load [--full] [--nodes N] [--edges N] [--rounds N] [--file FILE] [--orders]\n"
    "How fast a graph is read, beside a plain read of the file and a loop of fscanf.\n\n"
    "  --full      a graph of the real size: 3,566,907 nodes, 45,030,389 edges, 690 MB of text\n"
    "  --nodes N   nodes of the generated graph (default: 1000000)\n"
    "  --edges N   its edges (default: 12600000)\n"
    "  --rounds N  times that every measurement is made, after one to warm up (default: 5)\n"
    "  --file FILE read this Matrix Market file instead\n"
    "  --orders    what the order of the node ids is worth to the searches\n";

int main(int argument_count, char **arguments)
{
    struct settings settings = {.graph = {1000000, 12600000, 1, 0}, .rounds = 5};
    double nothing = 0;
    if (argument_count == 2 && strcmp(arguments[1], "--help") == 0) {
        return fputs(help, stdout) < 0 || fflush(stdout) != 0;
    }
    if (!parse(&settings, argument_count, arguments)) {
        fputs("bench-load: see --help\n", stderr);
        return 2;
    }
    if (mkdtemp(folder) == NULL) {
        perror("bench-load: /tmp");
        return 1;
    }
    snprintf(text_path, sizeof(text_path), "%s/graph.mtx", folder);
    snprintf(gzip_path, sizeof(gzip_path), "%s/graph.mtx.gz", folder);
    snprintf(snapshot_path, sizeof(snapshot_path), "%s/graph.pwg", folder);
    if (settings.file != NULL) {
        snprintf(text_path, sizeof(text_path), "%s", settings.file);
    }
    bool done = trial_run(make_files, &settings, &nothing, 1);
    for (size_t round = 0; done && round <= settings.rounds; round++) {
        for (size_t i = 0; done && i < SUBJECT_COUNT; i++) {
            bool warm_up = round == 0; /* the machine's memory is touched and the cache filled */
            if ((i == FSCANF || i == CHALLENGE) && (warm_up || (round - 1) % FSCANF_EVERY != 0)) {
                continue;
            }
            done = measure(&subjects[i]);
            subjects[i].count -= warm_up && done;
        }
    }
    if (done) {
        print_table();
    }
    if (done && settings.orders) {
        study_orders(settings.rounds < 3 ? settings.rounds : 3);
    }
    remove_files(&settings);
    return done ? 0 : 1;
}

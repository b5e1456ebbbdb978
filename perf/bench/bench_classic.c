/*
 * bench_classic.c - what a node allocator is worth to the classic search, measured side by side.
 *
 * 1. One search that reaches everything, with each allocator, warm: a queue as deep as the search's
 *    was filled and deleted before, so that no memory is new to the process.
 * 2. Ageing: the same search twelve times in one process.
 * 3. The pairs, against the benchmark's own rendering of the challenge's layout.
 * 4. A node through the hooks against the same code written by hand; a queue's push and pop on slab
 *    against glibc's malloc and, where it is installed, mimalloc.
 * Every measurement is a fresh process; subjects take turns; figures are medians of the rounds.
 * Usage: bench-classic --help.
 */
#include "alloc/node_front.h"
#include "bfs/engines/engines.h"
#include "bfs/search/search.h"
#include "challenge_layout.h"
#include "data/make/generate.h"
#include "data/read/pairs.h"
#include "libqueue/queue.h"
#include "perf/report/clock.h"
#include "perf/report/samples.h"
#include "trial.h"
#include <dlfcn.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROUNDS_MAX   50
#define AGEING_TIMES 12

struct settings {
    struct graph_generate_options graph;
    size_t pairs;
    size_t rounds;
    const char *only;
};

static struct graph graph;
static struct pairs pairs;
static struct pair everything;   /* a pair whose search reaches the most */
static uint64_t everything_peak; /* entries in its queue */

static const char *const allocators[] = {
    "malloc", "pool", "pool:order=fifo", "pool:order=address", "slab", "slab:pages=huge",
};
#define ALLOCATOR_COUNT (sizeof(allocators) / sizeof(allocators[0]))

static double seconds_of(const struct search_result *result)
{
    return (double)result->elapsed_ns / 1e9;
}

/* Trials --------------------------------------------------------------------------------------- */

struct search_trial {
    const char *allocator; /* NULL: the challenge's layout */
    struct pair pair;      /* repeated once a value */
};

/* values[i]: seconds of the i-th of count equal searches in one process. */
static bool repeated_search(void *context, double *values, size_t count)
{
    const struct search_trial *trial = context;
    const struct search_engine *engine = search_engine_find("classic");
    void *workspace = engine->create(&graph);
    if (workspace == NULL || !linked_list_set_allocator(trial->allocator)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        struct search_result result;
        engine->search(workspace, trial->pair.source, trial->pair.target, NULL, &result);
        values[i] = seconds_of(&result);
    }
    return true;
}

/* values: seconds of all pairs together, and the nodes visited. */
static bool all_pairs(void *context, double *values, size_t count)
{
    const struct search_trial *trial = context;
    const struct search_engine *engine = search_engine_find("classic");
    void *workspace = engine->create(&graph);
    struct challenge_graph *challenge = NULL;
    if (trial->allocator == NULL) {
        challenge = challenge_graph_create(&graph);
    } else if (!linked_list_set_allocator(trial->allocator)) {
        return false;
    }
    if (workspace == NULL || (trial->allocator == NULL && challenge == NULL) || count != 2) {
        return false;
    }
    for (size_t i = 0; i < pairs.count; i++) {
        struct search_result result;
        if (challenge != NULL) {
            challenge_search(challenge, pairs.items[i].source, pairs.items[i].target, &result);
        } else {
            engine->search(workspace, pairs.items[i].source, pairs.items[i].target, NULL, &result);
        }
        values[0] += seconds_of(&result);
        values[1] += (double)result.visited;
    }
    return true;
}

/* values[0]: seconds of one search after the allocator has seen a queue of that depth. */
static bool warm_search(void *context, double *values, size_t count)
{
    const struct search_trial *trial = context;
    if (!linked_list_set_allocator(trial->allocator)) {
        return false;
    }
    struct queue *queue = queue_create();
    bool done = queue != NULL;
    for (uint64_t i = 0; done && i < everything_peak; i++) {
        done = queue_push(queue, (unsigned int)i);
    }
    queue_delete(queue);
    return done && repeated_search(context, values, count);
}

struct queue_trial {
    const char *allocator;
    const char *library; /* malloc and free from here, NULL: the C library's */
    size_t depth;
};

/* Point the queue at the malloc and free of a library; false when it is not installed. */
static bool register_library(const char *library)
{
    void *handle = dlopen(library, RTLD_NOW);
    void *allocate = handle != NULL ? dlsym(handle, "mi_malloc") : NULL;
    void *release = handle != NULL ? dlsym(handle, "mi_free") : NULL;
    if (allocate == NULL || release == NULL) {
        return false;
    }
    void *(*malloc_function)(size_t);
    void (*free_function)(void *);
    memcpy(&malloc_function, &allocate, sizeof(malloc_function));
    memcpy(&free_function, &release, sizeof(free_function));
    return queue_register_malloc(malloc_function) && queue_register_free(free_function);
}

/* values[0]: ns of a push and a pop, warm, FIFO, at the depth. */
static bool queue_traffic(void *context, double *values, size_t count)
{
    const struct queue_trial *trial = context;
    const size_t operations = 10000000;
    struct queue *queue = NULL;
    if (count != 1 || (trial->library != NULL && !register_library(trial->library)) ||
        !linked_list_set_allocator(trial->allocator) || (queue = queue_create()) == NULL) {
        return false;
    }
    unsigned int data;
    bool done = true;
    for (unsigned int round = 0; round < 2; round++) { /* the first warms the memory */
        for (unsigned int i = 0; i < trial->depth; i++) {
            done = queue_push(queue, i) && done;
        }
        uint64_t start_ns = clock_now_ns();
        for (unsigned int i = 0; i < operations; i++) {
            done = queue_push(queue, i) && queue_pop(queue, &data) && done;
        }
        values[0] = (double)(clock_now_ns() - start_ns) / (double)operations;
        while (queue_pop(queue, &data)) {
        }
    }
    return done && queue_delete(queue);
}

/* The list's push and pop at the front with a free list, as one would write them by hand. */
struct hand_list {
    struct node *head;
    struct node *free_list;
    size_t size;
};

static __attribute__((noinline)) bool hand_push(struct hand_list *list, unsigned int data)
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

static __attribute__((noinline)) bool hand_pop(struct hand_list *list, unsigned int *data)
{
    struct node *node = list->head;
    if (node == NULL) {
        return false;
    }
    *data = node->data;
    list->head = node->next;
    node->next = list->free_list;
    list->free_list = node;
    list->size--;
    return true;
}

/* values: ns of a create and a delete through the hooks with pool, and written by hand. */
static bool hook_cost(void *context, double *values, size_t count)
{
    const size_t operations = 20000000;
    struct hand_list hand = {0};
    (void)context;
    if (count != 2 || !linked_list_set_allocator("pool")) {
        return false;
    }
    struct linked_list *ll = linked_list_create();
    unsigned int data = 0;
    bool done = ll != NULL;
    for (unsigned int round = 0; done && round < 2; round++) { /* the first warms up */
        uint64_t start_ns = clock_now_ns();
        for (unsigned int i = 0; i < operations; i++) {
            done = linked_list_insert_front(ll, i) && linked_list_remove_front(ll, &data) && done;
        }
        uint64_t middle_ns = clock_now_ns();
        for (unsigned int i = 0; i < operations; i++) {
            done = hand_push(&hand, i) && hand_pop(&hand, &data) && done;
        }
        values[0] = (double)(middle_ns - start_ns) / (double)operations;
        values[1] = (double)(clock_now_ns() - middle_ns) / (double)operations;
    }
    return done;
}

/* Tables --------------------------------------------------------------------------------------- */

static void progress(const char *what, size_t round, size_t rounds)
{
    if (!isatty(STDERR_FILENO)) {
        return;
    }
    fprintf(stderr, "\r%-40s round %zu of %zu ", what, round + 1, rounds);
    if (round + 1 == rounds) {
        fprintf(stderr, "\r%60s\r", "");
    }
}

static bool bench_everything(const struct settings *settings)
{
    double samples[ALLOCATOR_COUNT][ROUNDS_MAX];
    for (size_t round = 0; round < settings->rounds; round++) {
        progress("one search", round, settings->rounds);
        for (size_t i = 0; i < ALLOCATOR_COUNT; i++) {
            struct search_trial trial = {allocators[i], everything};
            if (!trial_run(warm_search, &trial, &samples[i][round], 1)) {
                return false;
            }
        }
    }
    printf("\n1. One search that reaches everything, warm (seconds)\n");
    printf("   %-20s %8s %8s %8s %10s\n", "allocator", "median", "min", "max", "speed-up");
    double malloc_median = 0;
    for (size_t i = 0; i < ALLOCATOR_COUNT; i++) {
        struct samples_summary summary = samples_summarize(samples[i], settings->rounds);
        malloc_median = i == 0 ? summary.median : malloc_median;
        printf("   %-20s %8.3f %8.3f %8.3f %9.2fx\n", allocators[i], summary.median, summary.low,
               summary.high, malloc_median / summary.median);
    }
    return true;
}

/* A row of bars, one a value, eight heights. */
static void print_bars(const double *values, size_t count, double most)
{
    static const char *const heights[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    for (size_t i = 0; i < count; i++) {
        int height = (int)(values[i] / most * 8);
        printf("%s", heights[height > 7 ? 7 : height]);
    }
}

static bool bench_ageing(const struct settings *settings)
{
    static double samples[ALLOCATOR_COUNT][AGEING_TIMES][ROUNDS_MAX];
    for (size_t round = 0; round < settings->rounds; round++) {
        progress("ageing", round, settings->rounds);
        for (size_t i = 0; i < ALLOCATOR_COUNT; i++) {
            double values[AGEING_TIMES];
            struct search_trial trial = {allocators[i], everything};
            if (!trial_run(repeated_search, &trial, values, AGEING_TIMES)) {
                return false;
            }
            for (size_t time = 0; time < AGEING_TIMES; time++) {
                samples[i][time][round] = values[time];
            }
        }
    }
    double medians[ALLOCATOR_COUNT][AGEING_TIMES];
    double most = 0;
    for (size_t i = 0; i < ALLOCATOR_COUNT; i++) {
        for (size_t time = 0; time < AGEING_TIMES; time++) {
            medians[i][time] = samples_summarize(samples[i][time], settings->rounds).median;
            most = medians[i][time] > most ? medians[i][time] : most;
        }
    }
    printf("\n2. Ageing: the same search %d times in one process (median seconds)\n", AGEING_TIMES);
    for (size_t i = 0; i < ALLOCATOR_COUNT; i++) {
        printf("   %-18s", allocators[i]);
        for (size_t time = 0; time < AGEING_TIMES; time++) {
            printf(" %5.2f", medians[i][time]);
        }
        printf("  ");
        print_bars(medians[i], AGEING_TIMES, most);
        printf("  12th/2nd %.2f\n", medians[i][AGEING_TIMES - 1] / medians[i][1]);
    }
    printf("   slab against malloc by the tenth: %.1fx\n", medians[0][9] / medians[4][9]);
    return true;
}

static bool bench_pairs(const struct settings *settings)
{
    static const char *const subjects[] = {NULL, "malloc", "pool", "slab"};
    enum { SUBJECTS = 4 };
    double samples[SUBJECTS][ROUNDS_MAX];
    double visited[SUBJECTS];
    for (size_t round = 0; round < settings->rounds; round++) {
        progress("all pairs", round, settings->rounds);
        for (size_t i = 0; i < SUBJECTS; i++) {
            double values[2];
            struct search_trial trial = {.allocator = subjects[i]};
            if (!trial_run(all_pairs, &trial, values, 2)) {
                return false;
            }
            samples[i][round] = values[0];
            visited[i] = values[1];
        }
    }
    printf("\n3. %zu pairs (seconds)\n", pairs.count);
    printf("   %-28s %8s %8s %8s %10s %14s\n", "", "median", "min", "max", "speed-up",
           "nodes visited");
    double challenge_median = 0;
    bool same = true;
    for (size_t i = 0; i < SUBJECTS; i++) {
        struct samples_summary summary = samples_summarize(samples[i], settings->rounds);
        challenge_median = i == 0 ? summary.median : challenge_median;
        printf("   %-28s %8.2f %8.2f %8.2f %9.2fx %14.0f\n",
               subjects[i] == NULL ? "the challenge's layout" : subjects[i], summary.median,
               summary.low, summary.high, challenge_median / summary.median, visited[i]);
        same = same && visited[i] == visited[0];
    }
    if (!same) {
        fprintf(stderr, "bench-classic: the subjects visited different numbers of nodes\n");
    }
    return same;
}

static bool bench_nodes(const struct settings *settings)
{
    static const char *const mimalloc = "libmimalloc.so.2";
    static const struct queue_trial trials[] = {
        {"malloc", NULL, 20000000}, {"malloc", mimalloc, 20000000}, {"pool", NULL, 20000000},
        {"slab", NULL, 20000000},   {"malloc", NULL, 1000},         {"malloc", mimalloc, 1000},
        {"pool", NULL, 1000},       {"slab", NULL, 1000},
    };
    enum { TRIALS = 8 };
    double samples[TRIALS][ROUNDS_MAX];
    double hooks[ROUNDS_MAX];
    double hand[ROUNDS_MAX];
    bool missing[TRIALS] = {false};
    for (size_t round = 0; round < settings->rounds; round++) {
        progress("nodes", round, settings->rounds);
        double values[2];
        if (!trial_run(hook_cost, NULL, values, 2)) {
            return false;
        }
        hooks[round] = values[0];
        hand[round] = values[1];
        for (size_t i = 0; i < TRIALS; i++) {
            struct queue_trial trial = trials[i];
            missing[i] = !trial_run(queue_traffic, &trial, values, 1);
            samples[i][round] = values[0];
        }
    }
    double hooks_ns = samples_summarize(hooks, settings->rounds).median;
    double hand_ns = samples_summarize(hand, settings->rounds).median;
    printf("\n4. One create and one delete, pool, warm (ns): through the hooks %.2f, by hand %.2f, "
           "difference %.2f\n",
           hooks_ns, hand_ns, hooks_ns - hand_ns);
    printf("   A push and a pop of a FIFO queue, warm (ns)\n");
    printf("   %-12s %-10s %10s %8s %8s %8s\n", "allocator", "malloc of", "depth", "median", "min",
           "max");
    for (size_t i = 0; i < TRIALS; i++) {
        const char *from = trials[i].library != NULL ? "mimalloc" : "glibc";
        if (missing[i]) {
            printf("   %-12s %-10s %10zu   not installed\n", trials[i].allocator, from,
                   trials[i].depth);
            continue;
        }
        struct samples_summary summary = samples_summarize(samples[i], settings->rounds);
        printf("   %-12s %-10s %10zu %8.2f %8.2f %8.2f\n", trials[i].allocator, from,
               trials[i].depth, summary.median, summary.low, summary.high);
    }
    return true;
}

static const char help[] =
    "Usage: bench-classic [--full] [--nodes N] [--edges N] [--rounds N] [--pairs N] [--only LIST]\n"
    "What a node allocator is worth to the classic search, measured side by side.\n\n"
    "  --full      a graph of the real size: 3,566,907 nodes, 45,030,389 edges\n"
    "  --nodes N   nodes of the generated graph (default: 1M)\n"
    "  --edges N   its edges (default: 12.624M)\n"
    "  --rounds N  times that every measurement is made (default: 3)\n"
    "  --pairs N   searches of part 3 (default: 15)\n"
    "  --only LIST parts: 1 one search, 2 ageing, 3 pairs, 4 nodes (default: 1,2,3,4)\n"
    "Numbers may end in k, M or G (thousands).\n";

/* The program ---------------------------------------------------------------------------------- */

static bool parse_number(const char *text, uint64_t most, uint64_t *number)
{
    if (!generate_parse_number(text, strlen(text), number) || *number == 0 || *number > most) {
        fprintf(stderr, "bench-classic: expected a number from 1 to %llu, found \"%s\"\n",
                (unsigned long long)most, text);
        return false;
    }
    return true;
}

static bool parse_settings(int argc, char **argv, struct settings *settings)
{
    static const struct option options[] = {
        {"full", no_argument, NULL, 'f'},        {"nodes", required_argument, NULL, 'n'},
        {"edges", required_argument, NULL, 'e'}, {"rounds", required_argument, NULL, 'r'},
        {"pairs", required_argument, NULL, 'p'}, {"only", required_argument, NULL, 'o'},
        {"help", no_argument, NULL, 'h'},        {NULL, 0, NULL, 0},
    };
    uint64_t nodes = 1000000;
    uint64_t edges = 12624000;
    uint64_t rounds = 3;
    uint64_t pair_count = 15; /* with all 100 the heap of the challenge's layout ages for minutes */
    bool good = true;
    settings->only = "1,2,3,4";
    for (int option; good && (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        switch (option) {
        case 'f':
            nodes = GRAPH_WIKIPEDIA_NODES;
            edges = GRAPH_WIKIPEDIA_EDGES;
            break;
        case 'n':
            good = parse_number(optarg, GRAPH_NODE_MAX, &nodes);
            break;
        case 'e':
            good = parse_number(optarg, UINT32_MAX, &edges);
            break;
        case 'r':
            good = parse_number(optarg, ROUNDS_MAX, &rounds);
            break;
        case 'p':
            good = parse_number(optarg, 1000000, &pair_count);
            break;
        case 'o':
            settings->only = optarg;
            break;
        case 'h':
            fputs(help, stdout);
            exit(fflush(stdout) == 0 ? 0 : 1);
        default:
            good = false;
        }
    }
    /* One thread: a process that ever had a second one has a slower glibc malloc to its end. */
    settings->graph = (struct graph_generate_options){(uint32_t)nodes, edges, 1, 1};
    settings->rounds = (size_t)rounds;
    settings->pairs = (size_t)pair_count;
    return good && optind == argc;
}

/* Generate the graph and the pairs, and find the pair that visits the most. */
static bool prepare(const struct settings *settings)
{
    struct graph_error error;
    struct pairs_generate_options pair_options = {settings->pairs, 1};
    if (!graph_generate(&settings->graph, &graph, &error) ||
        !pairs_generate(&graph, &pair_options, &pairs, &error)) {
        fprintf(stderr, "bench-classic: %s\n", error.message);
        return false;
    }
    const struct search_engine *engine = search_engine_find("classic");
    void *workspace = engine->create(&graph);
    uint64_t most = 0;
    if (workspace == NULL || !linked_list_set_allocator("slab")) {
        fprintf(stderr, "bench-classic: out of memory\n");
        return false;
    }
    everything = pairs.items[0];
    for (size_t i = 0; i < pairs.count && i < 20; i++) {
        struct search_result result;
        engine->search(workspace, pairs.items[i].source, pairs.items[i].target, NULL, &result);
        if (result.visited > most) {
            most = result.visited;
            everything_peak = result.peak_queue;
            everything = pairs.items[i];
        }
    }
    engine->destroy(workspace);
    linked_list_final_cleanup();
    printf("%u nodes, %llu edges, seed 1; the search of part 1 and 2 visits %llu nodes\n",
           graph_node_count(&graph), (unsigned long long)graph.edge_count,
           (unsigned long long)most);
    return true;
}

int main(int argc, char **argv)
{
    struct settings settings;
    if (!parse_settings(argc, argv, &settings)) {
        fputs("bench-classic: see --help\n", stderr);
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    bool done = prepare(&settings);
    done = done && (!strchr(settings.only, '1') || bench_everything(&settings));
    done = done && (!strchr(settings.only, '2') || bench_ageing(&settings));
    done = done && (!strchr(settings.only, '3') || bench_pairs(&settings));
    done = done && (!strchr(settings.only, '4') || bench_nodes(&settings));
    if (!done) {
        fprintf(stderr, "bench-classic: a measurement failed\n");
    }
    pairs_free(&pairs);
    graph_free(&graph);
    return done ? 0 : 1;
}

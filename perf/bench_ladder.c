/*
 * bench_ladder.c - the ladder of search engines, rung by rung, on one graph and one set of pairs.
 *
 * 1. Every subject makes the same searches in a fresh process, after a warm-up; subjects take
 * turns, and the figures are medians of the rounds.
 * 2. First table: the first few pairs, with the challenge's layout and slow allocators among the
 *    subjects. Second: all pairs, from the classic search on slab upwards. Third: switches.
 * 3. Beside the time on the clock stands the processor time, which a busy machine disturbs less;
 * the speed-ups of one thread are ratios of processor time, those of several of the clock's.
 * 4. Bytes moved are counted from what a search does, not measured: a cache line for a node's
 * offsets and its row's begin, four bytes an entry, a list node written and read. The bandwidth is
 * that of a loop that adds up an array many times the size of the caches. Usage: bench-ladder
 * [--full] [--nodes N] [--edges N] [--rounds N] [--pairs N] [--first N]
 *        [--only 1,2,3] [--csv FILE]
 */
#include "challenge_layout.h"
#include "clock.h"
#include "generate.h"
#include "hand_loop.h"
#include "large_block.h"
#include "queue.h"
#include "samples.h"
#include "team.h"
#include "trial.h"
#include <dlfcn.h>
#include <errno.h>
#include <getopt.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS_MAX   50
#define SUBJECTS_MAX 24
#define LONG_SEARCH  20000000 /* ns; a search that finds nothing and takes longer saw everything */
#define MIMALLOC     "libmimalloc.so.2"
#define NODE_BYTES   16
#define CACHE_LINE   64

enum {
    SECONDS,
    CPU_SECONDS,
    EXPANDED,
    EDGES,
    BYTES,
    FOUND,
    HOPS,
    PAIR_US,
    SETUP,
    FULL_SEARCH,
    VALUES
};

enum subject_flags {
    FIRST_ONLY = 1,   /* too slow for all pairs */
    BY_PAIRS = 2,     /* threads share the pairs */
    HUGE_GRAPH = 4,   /* huge pages for the graph and the working memory */
    SWITCH_ONLY = 8,  /* only in the table of switches */
    SWITCH_BASE = 16, /* there too, for comparison */
};

struct subject {
    const char *label;
    const char *engine; /* NULL: the challenge's layout; "hand": the loop written out */
    const char *allocator;
    const char *library; /* malloc and free from here; NULL: the C library's */
    unsigned threads;
    unsigned flags;
};

static const struct subject subjects[] = {
    {"the challenge's layout, malloc", NULL, "malloc", NULL, 1, FIRST_ONLY},
    {"classic, malloc", "classic", "malloc", NULL, 1, FIRST_ONLY},
    {"classic, mimalloc", "classic", "malloc", MIMALLOC, 1, FIRST_ONLY},
    {"classic, slab", "classic", "slab", NULL, 1, SWITCH_BASE},
    {"mark-on-push, slab", "mark-on-push", "slab", NULL, 1, 0},
    {"unrolled, slab", "unrolled", "slab", NULL, 1, 0},
    {"array", "array", "slab", NULL, 1, SWITCH_BASE},
    {"the array loop by hand", "hand", "slab", NULL, 1, 0},
    {"direction-optimizing", "direction-optimizing", "slab", NULL, 1, SWITCH_BASE},
    {"multi-source", "multi-source", "slab", NULL, 1, SWITCH_BASE},
    {"bidirectional", "bidirectional", "slab", NULL, 1, 0},
    {"classic, 2 threads, pairs", "classic", "slab", NULL, 2, BY_PAIRS | SWITCH_ONLY},
    {"array, 2 threads, pairs", "array", "slab", NULL, 2, BY_PAIRS | SWITCH_ONLY},
    {"array, 2 threads, one search", "array", "slab", NULL, 2, SWITCH_ONLY},
    {"direction-opt., 2 threads, one search", "direction-optimizing", "slab", NULL, 2, SWITCH_ONLY},
    {"multi-source, 2 threads", "multi-source", "slab", NULL, 2, SWITCH_ONLY},
    {"classic, slab in huge pages", "classic", "slab:pages=huge", NULL, 1, SWITCH_ONLY},
    {"classic, all in huge pages", "classic", "slab:pages=huge", NULL, 1, HUGE_GRAPH | SWITCH_ONLY},
    {"array, huge pages", "array", "slab", NULL, 1, HUGE_GRAPH | SWITCH_ONLY},
};
#define SUBJECT_COUNT (sizeof(subjects) / sizeof(subjects[0]))

struct settings {
    struct graph_generate_options graph;
    size_t pairs, first, rounds;
    const char *only;
    const char *csv;
};

static struct graph graph;
static struct pairs pairs;

/* A trial ------------------------------------------------------------------------------------- */

struct ladder_trial {
    const struct subject *subject;
    size_t pair_count;
    void *workspaces[2];
    struct search_result *results;
    struct challenge_graph *challenge;
    struct hand_loop *hand;
    atomic_size_t next;
};

static void ask_huge_pages(void)
{
    size_t offsets = ((size_t)graph.node_limit + 1) * sizeof(*graph.offsets);
    size_t neighbours = (size_t)graph.edge_count * sizeof(*graph.neighbours);
    large_block_use_huge_pages(true);
    large_block_ask_huge_pages(graph.offsets, offsets);
    large_block_ask_huge_pages(graph.neighbours, neighbours);
}

static bool register_library(const char *library)
{
    void *handle = dlopen(library, RTLD_NOW);
    void *found[2] = {handle ? dlsym(handle, "mi_malloc") : NULL,
                      handle ? dlsym(handle, "mi_free") : NULL};
    void *(*allocate)(size_t);
    void (*release)(void *);
    memcpy(&allocate, &found[0], sizeof(allocate));
    memcpy(&release, &found[1], sizeof(release));
    return found[0] != NULL && found[1] != NULL && queue_register_malloc(allocate) &&
           queue_register_free(release);
}

static void search_one(struct ladder_trial *trial, unsigned seat, size_t i)
{
    const struct pair pair = pairs.items[i];
    struct search_result *result = &trial->results[i];
    if (trial->challenge != NULL) {
        challenge_search(trial->challenge, pair.source, pair.target, result);
    } else if (trial->hand != NULL) {
        hand_loop_search(trial->hand, pair.source, pair.target, result);
    } else {
        search_engine_find(trial->subject->engine)
            ->search(trial->workspaces[seat], pair.source, pair.target, NULL, result);
    }
}

static void share_pairs(void *argument, unsigned index)
{
    struct ladder_trial *trial = argument;
    bool own = index > 0 && linked_list_thread_begin(NULL);
    for (size_t i; (i = atomic_fetch_add(&trial->next, 1)) < trial->pair_count;) {
        search_one(trial, index, i);
    }
    if (own) {
        linked_list_thread_end();
    }
}

/* All pairs of the trial once. */
static void search_all(struct ladder_trial *trial, struct team *team)
{
    const struct search_engine *engine =
        trial->workspaces[0] != NULL ? search_engine_find(trial->subject->engine) : NULL;
    atomic_store(&trial->next, 0);
    if (team != NULL) {
        team_run(team, share_pairs, trial);
    } else if (engine != NULL && engine->batch != NULL) {
        engine->batch(trial->workspaces[0], pairs.items, trial->pair_count, NULL, trial->results);
    } else {
        for (size_t i = 0; i < trial->pair_count; i++) {
            search_one(trial, 0, i);
        }
    }
}

static double bytes_of(const struct subject *subject, const struct search_result *result)
{
    double bytes = 4.0 * (double)result->edges + 2.0 * CACHE_LINE * (double)result->expanded;
    const struct search_engine *engine =
        subject->engine ? search_engine_find(subject->engine) : search_engine_find("classic");
    if (engine != NULL && engine->flags & SEARCH_USES_LIST) {
        double node_bytes = strcmp(engine->name, "unrolled") == 0 ? 4.1 : NODE_BYTES;
        bytes += 2.0 * node_bytes * (double)result->pushed;
    }
    return bytes;
}

static int compare_times(const void *left, const void *right)
{
    uint64_t a = ((const struct search_result *)left)->elapsed_ns;
    uint64_t b = ((const struct search_result *)right)->elapsed_ns;
    return (a > b) - (a < b);
}

static void sum_up(const struct ladder_trial *trial, double *values)
{
    double full = 0;
    for (size_t i = 0; i < trial->pair_count; i++) {
        const struct search_result *result = &trial->results[i];
        values[EXPANDED] += (double)result->expanded;
        values[EDGES] += (double)result->edges;
        values[BYTES] += bytes_of(trial->subject, result);
        values[FOUND] += result->found;
        values[HOPS] += result->found ? result->hops : 0;
        if (!result->found && result->elapsed_ns > LONG_SEARCH) {
            values[FULL_SEARCH] += (double)result->elapsed_ns / 1e9;
            full++;
        }
    }
    values[FULL_SEARCH] = full > 0 ? values[FULL_SEARCH] / full : 0;
    qsort(trial->results, trial->pair_count, sizeof(*trial->results), compare_times);
    values[PAIR_US] = (double)trial->results[trial->pair_count / 2].elapsed_ns / 1e3;
}

static bool prepare_subject(struct ladder_trial *trial)
{
    const struct subject *subject = trial->subject;
    if (subject->library != NULL && !register_library(subject->library)) {
        return false;
    }
    if (subject->flags & HUGE_GRAPH) {
        ask_huge_pages();
    }
    if (!linked_list_set_allocator(subject->allocator)) {
        return false;
    }
    if (subject->engine == NULL) {
        trial->challenge = challenge_graph_create(&graph);
        return trial->challenge != NULL;
    }
    if (strcmp(subject->engine, "hand") == 0) {
        trial->hand = hand_loop_create(&graph);
        return trial->hand != NULL;
    }
    const struct search_engine *engine = search_engine_find(subject->engine);
    trial->workspaces[0] = engine->create(&graph);
    if (trial->workspaces[0] == NULL) {
        return false;
    }
    if (subject->flags & BY_PAIRS) {
        trial->workspaces[1] = engine->share(trial->workspaces[0]);
        return trial->workspaces[1] != NULL;
    }
    return subject->threads == 1 || engine->set_threads(trial->workspaces[0], subject->threads);
}

/* Processor time of all threads of the process. */
static uint64_t processor_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static bool measure(void *context, double *values, size_t count)
{
    struct ladder_trial *trial = context;
    (void)count;
    uint64_t start_ns = clock_now_ns();
    if (!prepare_subject(trial)) {
        return false;
    }
    values[SETUP] = (double)(clock_now_ns() - start_ns) / 1e9;
    trial->results = calloc(trial->pair_count, sizeof(*trial->results));
    struct team *team =
        trial->subject->flags & BY_PAIRS ? team_create(trial->subject->threads) : NULL;
    size_t pair_count = trial->pair_count;
    bool slow = trial->subject->flags & FIRST_ONLY;
    trial->pair_count = slow ? 1 : pair_count < 8 ? pair_count : 8;
    search_all(trial, team); /* warm */
    trial->pair_count = pair_count;
    uint64_t cpu_ns = processor_ns();
    start_ns = clock_now_ns();
    search_all(trial, team);
    values[CPU_SECONDS] = (double)(processor_ns() - cpu_ns) / 1e9;
    values[SECONDS] = (double)(clock_now_ns() - start_ns) / 1e9;
    sum_up(trial, values);
    return true;
}

/* The tables ---------------------------------------------------------------------------------- */

/* Bytes a second of a loop that only reads. */
static double read_bandwidth(void)
{
    size_t count = (size_t)1 << 27; /* 1 GiB */
    uint64_t *array = malloc(count * sizeof(*array));
    double best = 0;
    if (array == NULL) {
        return 0;
    }
    memset(array, 1, count * sizeof(*array));
    for (int round = 0; round < 5; round++) {
        uint64_t sum = 0;
        uint64_t start_ns = clock_now_ns();
        for (size_t i = 0; i < count; i++) {
            sum += array[i];
        }
        double seconds = (double)(clock_now_ns() - start_ns + (sum == 1)) / 1e9;
        double rate = (double)(count * sizeof(*array)) / seconds;
        best = rate > best ? rate : best;
    }
    free(array);
    return best;
}

static bool in_table(const struct subject *subject, int table)
{
    return table == 1   ? !(subject->flags & SWITCH_ONLY)
           : table == 2 ? !(subject->flags & (SWITCH_ONLY | FIRST_ONLY))
                        : (subject->flags & (SWITCH_ONLY | SWITCH_BASE)) != 0;
}

/* What a subject is compared with: in the table of switches its engine without any. */
static double below_of(size_t i, int table, double samples[SUBJECT_COUNT][VALUES][ROUNDS_MAX],
                       size_t rounds, double below)
{
    for (size_t j = 0; table == 3 && j < SUBJECT_COUNT; j++) {
        if (subjects[j].flags & SWITCH_BASE &&
            strcmp(subjects[j].engine, subjects[i].engine) == 0) {
            return samples_summarize(samples[j][SECONDS], rounds).median;
        }
    }
    return below;
}

static void print_table(const struct settings *settings, int table, size_t pair_count,
                        double samples[SUBJECT_COUNT][VALUES][ROUNDS_MAX], const bool *missing,
                        double bandwidth, FILE *csv)
{
    static const char *const titles[] = {"", "rungs, with what came before them", "rungs",
                                         "switches"};
    double first = 0;
    double below = 0;
    printf("\n%d. %s: %zu pairs\n", table, titles[table], pair_count);
    printf("   %-38s %10s %17s %9s %9s %8s %8s %7s %6s %9s %9s\n", "", "seconds", "min..max",
           "cpu [s]", table == 3 ? "x without" : "x below", "x first", "Mnodes", "GB", "% bw",
           "us/pair", "full [s]");
    for (size_t i = 0; i < SUBJECT_COUNT; i++) {
        if (!in_table(&subjects[i], table)) {
            continue;
        }
        if (missing[i]) {
            printf("   %-38s not installed or failed\n", subjects[i].label);
            continue;
        }
        double median[VALUES];
        struct samples_summary seconds = {0};
        for (int value = 0; value < VALUES; value++) {
            struct samples_summary summary = samples_summarize(samples[i][value], settings->rounds);
            median[value] = summary.median;
            seconds = value == SECONDS ? summary : seconds;
        }
        const double time = table == 3 ? seconds.median : median[CPU_SECONDS];
        first = first > 0 ? first : time;
        below = below_of(i, table, samples, settings->rounds, below > 0 ? below : time);
        printf("   %-38s %10.4f %8.4f..%7.4f %9.4f %9.2f %8.1f %8.2f %7.2f %6.1f %9.1f %9.4f\n",
               subjects[i].label, seconds.median, seconds.low, seconds.high, median[CPU_SECONDS],
               below / time, first / time, median[EXPANDED] / 1e6, median[BYTES] / 1e9,
               100 * median[BYTES] / median[CPU_SECONDS] / bandwidth, median[PAIR_US],
               median[FULL_SEARCH]);
        if (csv != NULL) {
            fprintf(csv, "%d,\"%s\",%zu,%.9f,%.9f,%.9f,%.9f,%.0f,%.0f,%.0f,%.3f,%.9f\n", table,
                    subjects[i].label, pair_count, seconds.median, seconds.low, seconds.high,
                    median[CPU_SECONDS], median[EXPANDED], median[EDGES], median[BYTES],
                    median[PAIR_US], median[SETUP]);
        }
        below = time;
    }
}

static bool run_table(const struct settings *settings, int table, double bandwidth, FILE *csv)
{
    static double samples[SUBJECT_COUNT][VALUES][ROUNDS_MAX];
    bool missing[SUBJECT_COUNT] = {false};
    double found = -1;
    double hops = -1;
    size_t pair_count = table == 1 ? settings->first : settings->pairs;
    pair_count = pair_count < settings->pairs ? pair_count : settings->pairs;
    for (size_t round = 0; round < settings->rounds; round++) {
        for (size_t i = 0; i < SUBJECT_COUNT; i++) {
            if (!in_table(&subjects[i], table)) {
                continue;
            }
            double values[VALUES] = {0};
            struct ladder_trial trial = {.subject = &subjects[i], .pair_count = pair_count};
            if (isatty(STDERR_FILENO)) {
                fprintf(stderr, "\r\033[Ktable %d, round %zu of %zu: %s", table, round + 1,
                        settings->rounds, subjects[i].label);
            }
            missing[i] = !trial_run(measure, &trial, values, VALUES);
            for (int value = 0; value < VALUES; value++) {
                samples[i][value][round] = values[value];
            }
            found = found < 0 && !missing[i] ? values[FOUND] : found;
            hops = hops < 0 && !missing[i] && subjects[i].engine ? values[HOPS] : hops;
            if (!missing[i] &&
                (values[FOUND] != found || (subjects[i].engine != NULL && values[HOPS] != hops))) {
                fprintf(stderr, "\nbench-ladder: %s gives other answers\n", subjects[i].label);
                return false;
            }
        }
    }
    if (isatty(STDERR_FILENO)) {
        fputs("\r\033[K", stderr);
    }
    print_table(settings, table, pair_count, samples, missing, bandwidth, csv);
    return true;
}

/* The program --------------------------------------------------------------------------------- */

static bool parse_number(const char *text, uint64_t most, uint64_t *number)
{
    char *end = NULL;
    errno = 0;
    *number = strtoull(text, &end, 10);
    return errno == 0 && end != text && *end == '\0' && text[0] != '-' && *number > 0 &&
           *number <= most;
}

static bool parse_settings(int argc, char **argv, struct settings *settings)
{
    static const struct option options[] = {
        {"full", no_argument, NULL, 'f'},
        {"nodes", required_argument, NULL, 'n'},
        {"edges", required_argument, NULL, 'e'},
        {"rounds", required_argument, NULL, 'r'},
        {"pairs", required_argument, NULL, 'p'},
        {"first", required_argument, NULL, '1'},
        {"only", required_argument, NULL, 'o'},
        {"csv", required_argument, NULL, 'c'},
        {NULL, 0, NULL, 0},
    };
    uint64_t nodes = 1000000, edges = 12624000, rounds = 3, pair_count = 100, first = 15;
    bool good = true;
    settings->only = "1,2,3";
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
        case '1':
            good = parse_number(optarg, 1000000, &first);
            break;
        case 'o':
            settings->only = optarg;
            break;
        case 'c':
            settings->csv = optarg;
            break;
        default:
            good = false;
        }
    }
    settings->graph = (struct graph_generate_options){(uint32_t)nodes, edges, 1, 0};
    settings->rounds = (size_t)rounds;
    settings->pairs = (size_t)pair_count;
    settings->first = (size_t)first;
    return good && optind == argc;
}

static const char help[] =
    "Usage: bench-ladder [--full] [--nodes N] [--edges N] [--rounds N] [--pairs N] [--first N]\n"
    "                    [--only LIST] [--csv FILE]\n"
    "The search engines side by side, rung by rung.\n\n"
    "  --full      a graph of the real size: 3,566,907 nodes, 45,030,389 edges\n"
    "  --nodes N   nodes of the generated graph\n"
    "  --edges N   its edges\n"
    "  --rounds N  times that every measurement is made\n"
    "  --pairs N   searches of parts 2 and 3\n"
    "  --first N   searches of part 1, whose first subjects are slow\n"
    "  --only LIST parts: 1 with what came before, 2 the rungs, 3 threads and switches\n"
    "  --csv FILE  the figures as CSV too\n";

int main(int argc, char **argv)
{
    struct settings settings = {0};
    struct graph_error error = {""};
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        return fputs(help, stdout) < 0 || fflush(stdout) != 0;
    }
    if (!parse_settings(argc, argv, &settings)) {
        fputs("bench-ladder: see --help\n", stderr);
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    FILE *csv = settings.csv != NULL ? fopen(settings.csv, "w") : NULL;
    struct pairs_generate_options pair_options = {settings.pairs, 1};
    if ((settings.csv != NULL && csv == NULL) || !graph_generate(&settings.graph, &graph, &error) ||
        !graph_add_reverse(&graph, &error) ||
        !pairs_generate(&graph, &pair_options, &pairs, &error)) {
        fprintf(stderr, "bench-ladder: %s\n",
                csv == NULL && settings.csv != NULL ? strerror(errno) : error.message);
        return 1;
    }
    double bandwidth = read_bandwidth();
    printf("%u nodes, %llu edges, labels in random order, seed 1; medians of %zu rounds; "
           "memory is read at %.1f GB/s\n",
           graph_node_count(&graph), (unsigned long long)graph.edge_count, settings.rounds,
           bandwidth / 1e9);
    if (csv != NULL) {
        fputs(
            "table,subject,pairs,seconds,min,max,cpu_seconds,expanded,edges,bytes,pair_us,setup\n",
            csv);
    }
    bool done = true;
    for (int table = 1; done && table <= 3; table++) {
        done = strchr(settings.only, '0' + table) == NULL ||
               run_table(&settings, table, bandwidth, csv);
    }
    pairs_free(&pairs);
    graph_free(&graph);
    return (csv == NULL || fclose(csv) == 0) && done ? 0 : 1;
}

/*
 * bench_ladder.c - the ladder of search engines, rung by rung, on one graph and one set of pairs.
 *
 * 1. Every subject makes the same searches in a fresh process, after a warm-up (ladder_trial.h);
 *    subjects take turns, and the figures are medians of the rounds.
 * 2. First table: the first few pairs, with the challenge's layout and slow allocators among the
 *    subjects. Second: all pairs, from the classic search on slab upwards. Third: switches.
 * 3. Beside the time on the clock stands the processor time, of all threads together. The bandwidth
 *    is that of a loop that adds up an array many times the size of the caches.
 * Usage: bench-ladder [--full] [--nodes N] [--edges N] [--rounds N] [--pairs N] [--first N]
 *        [--only 1,2,3] [--csv FILE]
 */
#include "data/make/generate.h"
#include "ladder_trial.h"
#include "perf/report/clock.h"
#include "perf/report/samples.h"
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROUNDS_MAX 50

struct settings {
    struct graph_generate_options graph;
    size_t pairs, first, rounds;
    const char *only;
    const char *csv;
};

static struct graph graph;
static struct pairs pairs;

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

static const struct {
    const char *title;
    unsigned flag;
} tables[] = {
    {NULL, 0},
    {"rungs, with what came before them", LADDER_BEFORE},
    {"rungs", LADDER_RUNG},
    {"switches", LADDER_SWITCH},
};
#define TABLE_COUNT 3

/* The samples of a table: of each subject, of each value, of each round. */
static double samples[LADDER_SUBJECTS_MAX][LADDER_VALUES][ROUNDS_MAX];

/* The seconds of the subject that this one is compared with; of the row above where none is named.
 */
static double seconds_against(const struct ladder_subject *subject, size_t rounds, double above)
{
    for (size_t i = 0; subject->against != NULL && i < ladder_subject_count; i++) {
        if (strcmp(ladder_subjects[i].label, subject->against) == 0) {
            return samples_summarize(samples[i][LADDER_SECONDS], rounds).median;
        }
    }
    return above;
}

static void print_table(const struct settings *settings, int table, size_t pair_count,
                        const bool *missing, double bandwidth, FILE *csv)
{
    double first = 0;
    double above = 0;
    printf("\n%d. %s: %zu pairs\n", table, tables[table].title, pair_count);
    printf("   %-38s %10s %17s %9s %9s %8s %8s %7s %6s %9s %9s\n", "", "seconds", "min..max",
           "cpu [s]", table == 3 ? "x without" : "x below", "x first", "Mnodes", "GB", "% bw",
           "us/pair", "full [s]");
    for (size_t i = 0; i < ladder_subject_count; i++) {
        const struct ladder_subject *subject = &ladder_subjects[i];
        if (!(subject->flags & tables[table].flag)) {
            continue;
        }
        if (missing[i]) {
            printf("   %-38s not installed or failed\n", subject->label);
            continue;
        }
        double median[LADDER_VALUES];
        struct samples_summary seconds =
            samples_summarize(samples[i][LADDER_SECONDS], settings->rounds);
        for (int value = 0; value < LADDER_VALUES; value++) {
            median[value] = samples_summarize(samples[i][value], settings->rounds).median;
        }
        const double time = seconds.median;
        first = first > 0 ? first : time;
        const bool base = table == 3 && subject->flags & LADDER_RUNG; /* what switches change */
        const double against =
            base ? time : seconds_against(subject, settings->rounds, above > 0 ? above : time);
        printf("   %-38s %10.4f %8.4f..%7.4f %9.4f %9.2f %8.1f %8.2f %7.2f %6.1f %9.1f %9.4f\n",
               subject->label, time, seconds.low, seconds.high, median[LADDER_CPU_SECONDS],
               against / time, first / time, median[LADDER_EXPANDED] / 1e6,
               median[LADDER_BYTES] / 1e9, 100 * median[LADDER_BYTES] / time / bandwidth,
               median[LADDER_PAIR_US], median[LADDER_FULL]);
        if (csv != NULL) {
            fprintf(csv, "%d,\"%s\",%zu,%.9f,%.9f,%.9f,%.9f,%.0f,%.0f,%.0f,%.3f,%.9f\n", table,
                    subject->label, pair_count, time, seconds.low, seconds.high,
                    median[LADDER_CPU_SECONDS], median[LADDER_EXPANDED], median[LADDER_EDGES],
                    median[LADDER_BYTES], median[LADDER_PAIR_US], median[LADDER_SETUP]);
        }
        above = time;
    }
}

/* The answers that all subjects must give; the challenge's layout counts no hops. */
struct answers {
    double found, hops; /* -1: not known yet */
};

static bool same_answers(struct answers *answers, const struct ladder_subject *subject,
                         const double *values)
{
    answers->found = answers->found < 0 ? values[LADDER_FOUND] : answers->found;
    if (subject->engine != NULL) {
        answers->hops = answers->hops < 0 ? values[LADDER_HOPS] : answers->hops;
    }
    return values[LADDER_FOUND] == answers->found &&
           (subject->engine == NULL || values[LADDER_HOPS] == answers->hops);
}

static bool run_table(const struct settings *settings, int table, double bandwidth, FILE *csv)
{
    bool missing[LADDER_SUBJECTS_MAX] = {false};
    struct answers answers = {-1, -1};
    size_t pair_count = table == 1 ? settings->first : settings->pairs;
    pair_count = pair_count < settings->pairs ? pair_count : settings->pairs;
    for (size_t round = 0; round < settings->rounds; round++) {
        for (size_t i = 0; i < ladder_subject_count; i++) {
            const struct ladder_subject *subject = &ladder_subjects[i];
            double values[LADDER_VALUES] = {0};
            if (!(subject->flags & tables[table].flag) || missing[i]) {
                continue;
            }
            if (isatty(STDERR_FILENO)) {
                fprintf(stderr, "\r\033[Ktable %d, round %zu of %zu: %s", table, round + 1,
                        settings->rounds, subject->label);
            }
            if (!ladder_trial_run(subject, &graph, pairs.items, pair_count, values)) {
                missing[i] = true;
                continue;
            }
            if (!same_answers(&answers, subject, values)) {
                fprintf(stderr, "\nbench-ladder: %s gives other answers\n", subject->label);
                return false;
            }
            for (int value = 0; value < LADDER_VALUES; value++) {
                samples[i][value][round] = values[value];
            }
        }
    }
    if (isatty(STDERR_FILENO)) {
        fputs("\r\033[K", stderr);
    }
    print_table(settings, table, pair_count, missing, bandwidth, csv);
    return true;
}

/* The program --------------------------------------------------------------------------------- */

static bool parse_number(const char *text, uint64_t most, uint64_t *number)
{
    return generate_parse_number(text, strlen(text), number) && *number > 0 && *number <= most;
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
    /* One thread: a process that ever had a second one has a slower glibc malloc to its end. */
    settings->graph = (struct graph_generate_options){(uint32_t)nodes, edges, 1, 1};
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
    struct graph_error error = {0};
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
        !graph_add_reverse_with(&graph, 1, &error) ||
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
    for (int table = 1; done && table <= TABLE_COUNT; table++) {
        done = strchr(settings.only, '0' + table) == NULL ||
               run_table(&settings, table, bandwidth, csv);
    }
    pairs_free(&pairs);
    graph_free(&graph);
    return (csv == NULL || fclose(csv) == 0) && done ? 0 : 1;
}

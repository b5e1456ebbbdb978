/*
 * graph_generate.c - the program graph-generate: a graph shaped like Wikipedia 2007, or random
 * pairs, to a file; or a report that holds a graph beside the published figures of the real one.
 *
 * The work is done in generate.c, graph_write.c and graph_shape.c; here are options and the table.
 */
#include "data/make/generate.h"
#include "data/make/graph_shape.h"
#include "data/store/graph_write.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef PW_VERSION
#define PW_VERSION "unknown"
#endif

#define NODES_DEFAULT    400000
#define SEARCHES_DEFAULT 100

enum { EXIT_USAGE = 2 };

static const char USAGE[] =
    "Usage: graph-generate [OPTION]... --output FILE\n"
    "       graph-generate [OPTION]... --pairs COUNT --output FILE\n"
    "       graph-generate [OPTION]... --report\n"
    "Generate a graph shaped like the links of Wikipedia in February 2007, the same for the same\n"
    "options on every machine; or random pairs of its nodes; or a report on how close it comes.\n"
    "\n"
    "  -n, --nodes N        nodes (default 400k)\n"
    "  -m, --edges N        edges (default: the real graph's 12.6 a node)\n"
    "  -w, --wikipedia      the real graph's size: 3,566,907 nodes, 45,030,389 edges\n"
    "  -s, --seed N         seed (default 1)\n"
    "  -o, --output FILE    where to write; - is the standard output (default, if no terminal)\n"
    "  -f, --format FORMAT  mtx: Matrix Market (default); edges: an edge list\n"
    "      --by-target      edges sorted by target, as in the published file; the same graph\n"
    "  -p, --pairs COUNT    write random pairs of nodes in place of the graph\n"
    "  -r, --report         search random pairs, print the counts beside the real graph's\n"
    "      --searches N     searches for the report (default 100)\n"
    "      --input FILE     report on the graph of a file, not on a generated one\n"
    "      --threads N      threads (default: one a processor; the graph does not depend on it)\n"
    "      --help           this text\n"
    "      --version        the version\n"
    "Numbers may end in k, M or G (thousands), with decimals: 12.6M.\n"
    "\n"
    "Examples:\n"
    "  graph-generate --nodes 1M --edges 12.6M --output graph.mtx\n"
    "  graph-generate --nodes 1M --pairs 100 --seed 7 --output pairs.txt\n"
    "  graph-generate --wikipedia --report --searches 20\n";

struct settings {
    uint64_t nodes, edges, seed, pair_count, searches, threads;
    bool edges_given, graph_given, report;
    struct graph_write_options write;
    const char *output, *input;
};

static int fail_usage(const char *rule, const char *value)
{
    fprintf(stderr, "graph-generate: %s%s%s (--help shows the options)\n", rule,
            value ? ", found " : "", value ? value : "");
    return EXIT_USAGE;
}

static int fail(const struct graph_error *error)
{
    fprintf(stderr, "graph-generate: %s\n", error->message);
    return EXIT_FAILURE;
}

static bool parse(const char *text, uint64_t min, uint64_t max, uint64_t *number)
{
    return generate_parse_number(text, strlen(text), number) && *number >= min && *number <= max;
}

/* A line on standard error that overwrites itself, for people only. */
static void show_progress(size_t done, size_t count)
{
    fprintf(stderr, "\rsearch %zu of %zu%s", done, count, done == count ? "\r\033[K" : "");
}

static void print_row(const char *what, double real, double generated, const char *format)
{
    char left[32], right[32];
    snprintf(left, sizeof left, format, real);
    snprintf(right, sizeof right, format, generated);
    printf("%-58s %14s %14s\n", what, left, right);
}

static void print_own(const char *what, double value, const char *format)
{
    char text[32];
    snprintf(text, sizeof text, format, value);
    printf("%-58s %14s %14s\n", what, "", text);
}

static size_t median_hops(const struct graph_shape *shape)
{
    size_t sum = 0, hops = 0;
    while (hops < SHAPE_HOPS_LIMIT && (sum + shape->hops[hops]) * 2 < shape->found) {
        sum += shape->hops[hops++];
    }
    return hops;
}

static void print_report(const struct graph *graph, const struct graph_shape *shape)
{
    double nodes = graph_node_count(graph), edges = (double)graph->edge_count;
    double searches = (double)shape->searches;
    double edge_percent = edges > 0 ? 100 / edges : 0, node_percent = 100 / nodes;
    const double real_percent = 100 / (double)GRAPH_WIKIPEDIA_EDGES;
    printf("%-58s %14s %14s\n", "", "Wikipedia 2007", "this graph");
    print_row("nodes", (double)GRAPH_WIKIPEDIA_NODES, nodes, "%.0f");
    print_row("edges", (double)GRAPH_WIKIPEDIA_EDGES, edges, "%.0f");
    printf("in %% of the edges:\n");
    print_row("  pushed by a search that reaches all it can", SHAPE_REAL_WIDE_MISS * real_percent,
              (double)shape->wide_miss_pushed * edge_percent, "%.2f");
    print_row("  highest queue peak", SHAPE_REAL_PEAK * real_percent,
              (double)shape->peak_queue_max * edge_percent, "%.2f");
    print_row("  pushed when 18.13 % are popped (end of search 1)",
              SHAPE_REAL_PUSHED_FIRST * real_percent, (double)shape->pushed_at_first * edge_percent,
              "%.2f");
    print_row("  pushed when 26.85 % are popped (end of search 3)",
              SHAPE_REAL_PUSHED_SECOND * real_percent,
              (double)shape->pushed_at_second * edge_percent, "%.2f");
    print_row("  pushed, mean over the searches", SHAPE_REAL_PUSHED_TOTAL / 100 * real_percent,
              (double)shape->pushed_total / searches * edge_percent, "%.2f");
    printf("in %% of the %zu searches:\n", shape->searches);
    print_row("  not found (real: about)", 33, 100 - 100 * (double)shape->found / searches, "%.0f");
    print_own("  not found after pushing more than half of the edges",
              100 * (double)shape->wide_misses / searches, "%.0f");
    printf("%-58s %14s %14zu\n", "hops, median of the found", "6 to 8", median_hops(shape));
    for (size_t hops = 0; hops <= SHAPE_HOPS_LIMIT; hops++) {
        if (shape->hops[hops] > 0) {
            char label[32];
            snprintf(label, sizeof label, "  found in %zu", hops);
            print_own(label, (double)shape->hops[hops], "%.0f");
        }
    }
    printf("in %% of the nodes:\n");
    print_own("  without out-links", shape->empty_rows * node_percent, "%.1f");
    print_own("  with one to four", shape->small_rows * node_percent, "%.1f");
    print_own("  without in-links", shape->unlinked_nodes * node_percent, "%.1f");
    print_own("largest out-degree", (double)shape->out_degree_max, "%.0f");
    print_own("largest in-degree", (double)shape->in_degree_max, "%.0f");
}

static bool report(const struct settings *settings, const struct graph *graph,
                   struct graph_error *error)
{
    struct pairs_generate_options options = {settings->searches, settings->seed};
    struct graph_shape shape;
    struct pairs pairs;
    if (!pairs_generate(graph, &options, &pairs, error)) {
        return false;
    }
    bool ok = graph_shape_measure(graph, &pairs, isatty(STDERR_FILENO) ? show_progress : NULL,
                                  &shape, error);
    pairs_free(&pairs);
    if (ok) {
        print_report(graph, &shape);
        if (fflush(stdout) != 0) {
            snprintf(error->message, sizeof error->message, "standard output: cannot write");
            ok = false;
        }
    }
    return ok;
}

static bool write_pairs(const struct settings *settings, struct graph_error *error)
{
    /* Pairs depend on the ids only, so the graph itself is not made. */
    struct graph ids = {.first_node = 1, .node_limit = (uint32_t)settings->nodes + 1};
    struct pairs_generate_options options = {settings->pair_count, settings->seed};
    struct pairs pairs;
    char comment[120];
    snprintf(comment, sizeof comment, "graph-generate --nodes %llu --pairs %llu --seed %llu",
             (unsigned long long)settings->nodes, (unsigned long long)settings->pair_count,
             (unsigned long long)settings->seed);
    bool ok = pairs_generate(&ids, &options, &pairs, error) &&
              pairs_write(&pairs, comment, settings->output, error);
    pairs_free(&pairs);
    return ok;
}

static bool run(const struct settings *settings, struct graph_error *error)
{
    struct graph graph = {0};
    struct graph_generate_options options = {
        .nodes = (uint32_t)settings->nodes,
        .edges = settings->edges,
        .seed = settings->seed,
        .threads = (unsigned)settings->threads,
    };
    char comment[120];
    snprintf(comment, sizeof comment, "graph-generate --nodes %llu --edges %llu --seed %llu",
             (unsigned long long)settings->nodes, (unsigned long long)settings->edges,
             (unsigned long long)settings->seed);
    struct graph_write_options write = settings->write;
    write.comment = comment;
    if (settings->pair_count > 0) {
        return write_pairs(settings, error);
    }
    bool ok = settings->input ? graph_load(settings->input, NULL, &graph, error)
                              : graph_generate(&options, &graph, error);
    if (ok && settings->report) {
        ok = report(settings, &graph, error);
    } else if (ok) {
        ok = graph_write(&graph, &write, settings->output, error);
    }
    graph_free(&graph);
    return ok;
}

enum {
    OPTION_SEARCHES = 256,
    OPTION_INPUT,
    OPTION_THREADS,
    OPTION_BY_TARGET,
    OPTION_HELP,
    OPTION_VERSION
};

static const struct option OPTIONS[] = {
    {"nodes", required_argument, NULL, 'n'},
    {"edges", required_argument, NULL, 'm'},
    {"wikipedia", no_argument, NULL, 'w'},
    {"seed", required_argument, NULL, 's'},
    {"output", required_argument, NULL, 'o'},
    {"format", required_argument, NULL, 'f'},
    {"by-target", no_argument, NULL, OPTION_BY_TARGET},
    {"pairs", required_argument, NULL, 'p'},
    {"report", no_argument, NULL, 'r'},
    {"searches", required_argument, NULL, OPTION_SEARCHES},
    {"input", required_argument, NULL, OPTION_INPUT},
    {"threads", required_argument, NULL, OPTION_THREADS},
    {"help", no_argument, NULL, OPTION_HELP},
    {"version", no_argument, NULL, OPTION_VERSION},
    {NULL, 0, NULL, 0},
};

/* One option with a number; false if there is no such option or the number is no good. */
static bool read_number(int option, const char *text, struct settings *settings)
{
    switch (option) {
    case 'n':
        settings->graph_given = true;
        return parse(text, 1, GRAPH_NODE_MAX, &settings->nodes);
    case 'm':
        settings->graph_given = settings->edges_given = true;
        return parse(text, 0, UINT64_MAX, &settings->edges);
    case 's':
        return parse(text, 0, UINT64_MAX, &settings->seed);
    case 'p':
        return parse(text, 1, UINT32_MAX, &settings->pair_count);
    case OPTION_SEARCHES:
        return parse(text, 1, UINT32_MAX, &settings->searches);
    default:
        return parse(text, 1, 1024, &settings->threads);
    }
}

/* Returns an exit status to leave with, or -1 to go on. */
static int read_options(int argc, char **argv, struct settings *settings)
{
    int option;
    while ((option = getopt_long(argc, argv, ":n:m:ws:o:f:p:r", OPTIONS, NULL)) != -1) {
        switch (option) {
        case 'w':
            settings->graph_given = settings->edges_given = true;
            settings->nodes = GRAPH_WIKIPEDIA_NODES;
            settings->edges = GRAPH_WIKIPEDIA_EDGES;
            break;
        case 'o':
            settings->output = optarg;
            break;
        case 'f':
            if (strcmp(optarg, "mtx") != 0 && strcmp(optarg, "edges") != 0) {
                return fail_usage("--format is mtx or edges", optarg);
            }
            settings->write.format =
                strcmp(optarg, "mtx") == 0 ? GRAPH_FORMAT_MATRIX_MARKET : GRAPH_FORMAT_EDGE_LIST;
            break;
        case 'r':
            settings->report = true;
            break;
        case OPTION_BY_TARGET:
            settings->write.by_target = true;
            break;
        case OPTION_INPUT:
            settings->input = optarg;
            break;
        case OPTION_HELP:
            fputs(USAGE, stdout);
            return EXIT_SUCCESS;
        case OPTION_VERSION:
            puts("graph-generate " PW_VERSION);
            return EXIT_SUCCESS;
        case ':':
            return fail_usage("this option needs a value", argv[optind - 1]);
        case '?':
            return fail_usage("no such option", argv[optind - 1]);
        default:
            if (!read_number(option, optarg, settings)) {
                return fail_usage("expected a number in the option's range", optarg);
            }
        }
    }
    return -1;
}

/* What does not go together; returns an exit status to leave with, or -1 to go on. */
static int check_settings(int argc, char **argv, const struct settings *settings)
{
    if (optind < argc) {
        return fail_usage("expected options only", argv[optind]);
    }
    if (settings->input && !settings->report) {
        return fail_usage("--input goes with --report", NULL);
    }
    if (settings->input && settings->graph_given) {
        return fail_usage("--input does not go with a size", NULL);
    }
    if (settings->report && (settings->pair_count > 0 || settings->output)) {
        return fail_usage("--report does not go with --pairs or --output", NULL);
    }
    if (!settings->report && !settings->output && isatty(STDOUT_FILENO)) {
        return fail_usage("expected --output FILE or --report", NULL);
    }
    return -1;
}

int main(int argc, char **argv)
{
    struct settings settings = {.nodes = NODES_DEFAULT, .seed = 1, .searches = SEARCHES_DEFAULT};
    int status = read_options(argc, argv, &settings);
    if (status < 0) {
        status = check_settings(argc, argv, &settings);
    }
    if (status >= 0) {
        return status;
    }
    if (!settings.edges_given) {
        settings.edges = graph_generate_default_edges((uint32_t)settings.nodes);
    }
    if (!settings.output) {
        settings.output = "-";
    }
    struct graph_error error;
    return run(&settings, &error) ? EXIT_SUCCESS : fail(&error);
}

/*
 * graph_convert.c - the program graph-convert: a graph from any format into a snapshot.
 */
#include "data/graph/graph_error.h"
#include "data/make/graph_order.h"
#include "data/store/graph_snapshot.h"
#include "graph_program.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char help[] =
    "Usage: graph-convert [OPTION]... GRAPH SNAPSHOT\n"
    "\n"
    "Read GRAPH and write it as a snapshot (SNAPSHOT, by custom with the ending .pwg), which bfs\n"
    "and graph-info map instead of reading. Read as they are: Matrix Market coordinate, edge "
    "lists\n"
    "of ids or (tab-separated) of names, DIMACS .gr, METIS, snapshots; compressed with gzip, "
    "bzip2,\n"
    "xz or zstd; in a tar with one graph; \"-\" is standard input. The same graph gives the same\n"
    "bytes, whatever its format and the number of threads.\n"
    "\n"
    "      --order ORDER         renumber the nodes: none, degree, bfs or random; the ids of the\n"
    "                            file are remembered (default: none)\n"
    "      --seed N              for --order=random (default: 1)\n"
    "      --with-reverse        store the reverse adjacency too\n"
    "      --record-source       store path, size, time and hash of GRAPH, so that a snapshot\n"
    "                            whose source has changed is known to be "
    "stale\n" PROGRAM_SHARED_HELP "\n"
    "Loading takes at most 9 bytes of memory an edge and 16 a node (14 and 24 with\n"
    "--with-reverse), and 2 MiB a thread; renumbering as much again as the graph.\n"
    "\n"
    "Examples:\n"
    "  graph-convert wikipedia-20070206.tar.gz wikipedia.pwg\n"
    "  graph-convert --order=bfs --with-reverse edges.txt edges.pwg\n";

enum { OPTION_ORDER = OPTION_OWN, OPTION_SEED, OPTION_WITH_REVERSE, OPTION_RECORD_SOURCE };

struct settings {
    enum graph_order order;
    uint64_t seed;
    bool with_reverse, record_source;
};

static bool take_own(struct graph_program *program, struct settings *settings, int option,
                     const char *value)
{
    char message[200];
    switch (option) {
    case OPTION_ORDER:
        if (!graph_order_parse(value, &settings->order)) {
            snprintf(message, sizeof message, "--order takes %s; found \"%.60s\"",
                     graph_order_names, value);
            graph_program_fail(program, PROGRAM_USAGE, message);
            return false;
        }
        return true;
    case OPTION_SEED:
        return graph_program_number(program, "seed", value, UINT64_MAX - 1, &settings->seed);
    case OPTION_WITH_REVERSE:
        settings->with_reverse = true;
        return true;
    case OPTION_RECORD_SOURCE:
        settings->record_source = true;
        return true;
    default:
        return graph_program_option(program, option, value);
    }
}

static unsigned flags_of(const struct graph_options *options)
{
    return (options->reverse ? GRAPH_SNAPSHOT_REVERSED : 0) |
           (options->undirected ? GRAPH_SNAPSHOT_UNDIRECTED : 0) |
           (options->compact ? GRAPH_SNAPSHOT_COMPACT : 0);
}

static bool is_same_file(const char *in, const char *out)
{
    struct stat input, output;
    bool is_standard = strcmp(in, "-") == 0;
    return (is_standard ? fstat(STDIN_FILENO, &input) : stat(in, &input)) == 0 &&
           stat(out, &output) == 0 && input.st_dev == output.st_dev &&
           input.st_ino == output.st_ino;
}

static int convert(struct graph_program *program, const struct settings *settings, const char *in,
                   const char *out)
{
    struct graph graph;
    struct graph_source source;
    struct graph_error error = {0};
    const char *names = program->options.names_path;
    if (is_same_file(in, out) || (names && is_same_file(names, out))) {
        graph_fail(&error, out, "cannot be written: it is an input file");
        return graph_program_fail(program, PROGRAM_FAILED, error.message);
    }
    /* Renumbering would drop it. */
    program->options.build_reverse = settings->with_reverse && settings->order == GRAPH_ORDER_NONE;
    if (!graph_program_load(program, in, &graph)) {
        return graph_program_failed_status();
    }
    bool recorded = settings->record_source && graph_source_of(in, true, &source);
    bool done = graph_renumber(&graph, settings->order, settings->seed, &error) &&
                (!settings->with_reverse ||
                 graph_add_reverse_with(&graph, program->options.threads, &error)) &&
                graph_snapshot_save(&graph, out, recorded ? &source : NULL,
                                    flags_of(&program->options), program->options.cancel, &error);
    done = done || graph_fail_at(&error, in);
    if (done && !program->quiet) {
        printf("%s: %lu nodes, %llu edges\n", out, (unsigned long)graph_node_count(&graph),
               (unsigned long long)graph.edge_count);
    }
    graph_free(&graph);
    if (settings->record_source && !recorded) {
        fprintf(stderr, "%s: note: %s is no file: not recorded\n", program->name, in);
    }
    return done ? graph_program_finish(program, PROGRAM_OK)
                : graph_program_fail(program, graph_program_failed_status(), error.message);
}

int main(int argument_count, char **arguments)
{
    static const struct option options[] = {
        PROGRAM_SHARED_OPTIONS,
        {"order", required_argument, NULL, OPTION_ORDER},
        {"seed", required_argument, NULL, OPTION_SEED},
        {"with-reverse", no_argument, NULL, OPTION_WITH_REVERSE},
        {"record-source", no_argument, NULL, OPTION_RECORD_SOURCE},
        {NULL, 0, NULL, 0},
    };
    struct graph_program program;
    struct settings settings = {.seed = 1};
    int option;
    graph_program_init(&program, "graph-convert");
    while ((option = getopt_long(argument_count, arguments, "", options, NULL)) != -1) {
        if (option == OPTION_HELP) {
            fputs(help, stdout);
            return graph_program_finish(&program, PROGRAM_OK);
        }
        if (option == OPTION_VERSION) {
            puts("graph-convert (pointer_wars) " PW_VERSION);
            return graph_program_finish(&program, PROGRAM_OK);
        }
        if (option == '?' || !take_own(&program, &settings, option, optarg)) {
            return PROGRAM_USAGE;
        }
    }
    if (argument_count - optind != 2) {
        return graph_program_fail(&program, PROGRAM_USAGE,
                                  "expected GRAPH and SNAPSHOT, see graph-convert --help");
    }
    return convert(&program, &settings, arguments[optind], arguments[optind + 1]);
}

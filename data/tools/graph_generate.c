/*
 * graph_generate.c - the program graph-generate: writes a graph shaped like Wikipedia 2007 or by a
 * textbook's model, or random pairs; or reports how close a graph comes to the published figures of
 * the real one.
 *
 * The work is done in data/make and data/formats; here are the options and the table.
 */
#include "base/program/interrupt.h"
#include "data/formats/graph_write.h"
#include "data/make/generate.h"
#include "data/make/graph_shape.h"
#include "graph_program.h"
#include <unistd.h>

#define EDGES_FOLLOW UINT64_MAX /* from the number of nodes */
#define THREADS_MAX  1024

struct settings {
    struct graph_program program;
    uint64_t nodes; /* 0: not given */
    uint64_t edges; /* their number, or EDGES_FOLLOW */
    enum graph_model model;
    uint64_t scale, edge_factor, rows, columns; /* 0: not given */
    uint64_t seed, pair_count, searches;
    unsigned threads;
    bool report, has_format;
    struct graph_write_options write;
    const char *output, *input;
};

#define NUMBER(member, ...) OPTION_NUMBER(struct settings, member, __VA_ARGS__)

static bool read_wikipedia(const char *value, void *settings, struct command_error *error)
{
    (void)value;
    (void)error;
    ((struct settings *)settings)->nodes = GRAPH_WIKIPEDIA_NODES;
    ((struct settings *)settings)->edges = GRAPH_WIKIPEDIA_EDGES;
    return true;
}

static const struct option_row graph_rows[] = {
    {"model", 0, "MODEL",
     "wikipedia, kronecker (Graph500: A .57, B .19, C .19, each edge in both directions), uniform "
     "(both ends of each edge at random) or grid (default: wikipedia)",
     OPTION_CHOICE(struct settings, model, GRAPH_MODELS)},
    {"nodes", 'n', "N", "number of nodes of wikipedia and uniform (default: 400k)",
     NUMBER(nodes, 1, GRAPH_NODE_MAX)},
    {"edges", 'm', "N",
     "number of edges of wikipedia (default: the real graph's 12.6 per node) and uniform (default: "
     "16 per node)",
     NUMBER(edges, 0, UINT64_MAX - 1)},
    {"wikipedia", 'w', NULL, "the real graph's size: 3,566,907 nodes, 45,030,389 edges",
     .kind = OPTION_KIND_OWN, .read = read_wikipedia},
    {"scale", 0, "N", "kronecker: 2^N nodes (default: 16)",
     NUMBER(scale, 1, GRAPH_KRONECKER_SCALE_MAX)},
    {"edgefactor", 0, "N", "kronecker: edges per node, before they go both ways (default: 16)",
     NUMBER(edge_factor, 1, UINT32_MAX)},
    {"rows", 0, "N", "grid: rows of nodes, each linked to its neighbours (default: 1000)",
     NUMBER(rows, 1, GRAPH_NODE_MAX)},
    {"columns", 0, "N", "grid: nodes per row (default: as many as rows)",
     NUMBER(columns, 1, GRAPH_NODE_MAX)},
    {"seed", 's', "N", "seed (default: 1)", NUMBER(seed, 0, UINT64_MAX)},
    {"threads", 0, "N",
     "number of threads (default: one per processor; the graph does not depend on it)",
     NUMBER(threads, 1, THREADS_MAX)},
    {0},
};

static const struct option_row output_rows[] = {
    {"output", 'o', "FILE",
     "where to write; - is standard output (default: -, unless that is a terminal)",
     OPTION_FILE(struct settings, output)},
    {"format", 'f', "FORMAT",
     "mtx (Matrix Market), edges (an edge list), names, dimacs, metis, graphml, gml or pajek "
     "(default: what the ending of FILE says, else mtx)",
     OPTION_CHOICE(struct settings, write.format,
                   "mtx, edges, names, dimacs, metis, graphml, gml, pajek"),
     .given = offsetof(struct settings, has_format)},
    {"by-target", 0, NULL, "edges sorted by target, as in the published file; the same graph",
     OPTION_FLAG(struct settings, write.by_target)},
    {"pairs", 'p', "COUNT", "write random pairs of nodes instead of the graph",
     NUMBER(pair_count, 1, UINT32_MAX)},
    {0},
};

static const struct option_row report_rows[] = {
    {"report", 'r', NULL, "search random pairs and print the counts beside the real graph's",
     OPTION_FLAG(struct settings, report)},
    {"searches", 0, "N", "searches for the report (default: 100)", NUMBER(searches, 1, UINT32_MAX)},
    {"input", 0, "FILE", "report on the graph of a file, not on a generated one",
     OPTION_FILE(struct settings, input)},
    {"quiet", 'q', NULL, "no progress", OPTION_FLAG(struct settings, program.quiet)},
    {0},
};

static const struct option_row information_rows[] = {
    OPTION_HELP_AND_VERSION(struct settings, program.action),
    {0},
};

static const struct option_group groups[] = {
    {"The graph", graph_rows, 0},
    {"Writing", output_rows, 0},
    {"Reporting", report_rows, 0},
    {"Information", information_rows, 0},
    {0},
};

static const struct command command = {
    .name = "graph-generate",
    .groups = groups,
    .introduction =
        "Usage: graph-generate [OPTION]... --output FILE\n"
        "       graph-generate [OPTION]... --pairs COUNT --output FILE\n"
        "       graph-generate [OPTION]... --report\n"
        "\n"
        "Generate a graph shaped like the links of Wikipedia in February 2007, or another\n"
        "model's, the same for the same options on every machine; or random pairs of its\n"
        "nodes; or a report on how close it comes to Wikipedia.\n",
    .epilogue = "\n"
                "Numbers may end in k, M, G or T (powers of 1000), with decimals: 12.6M.\n"
                "\n"
                "Examples:\n"
                "  graph-generate --nodes 1M --edges 12.6M --output graph.mtx\n"
                "  graph-generate --model kronecker --scale 20 --output kron20.mtx\n"
                "  graph-generate --model grid --rows 300 --columns 400 --output grid.gr\n"
                "  graph-generate --nodes 1M --pairs 100 --seed 7 --output pairs.txt\n"
                "  graph-generate --wikipedia --report --searches 20\n",
};

static void show_progress(void *progress, size_t done, size_t count)
{
    progress_show(progress, false, "search %zu of %zu", done, count);
}

#define UNPUBLISHED (-1.0) /* there is no figure of the real graph */

static void print_row(const char *what, double real, double generated, int decimals)
{
    char text[32] = "";
    if (real != UNPUBLISHED) {
        snprintf(text, sizeof(text), "%.*f", decimals, real);
    }
    printf("%-58s %14s %14.*f\n", what, text, decimals, generated);
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
    print_row("nodes", (double)GRAPH_WIKIPEDIA_NODES, nodes, 0);
    print_row("edges", (double)GRAPH_WIKIPEDIA_EDGES, edges, 0);
    printf("in %% of the edges:\n");
    print_row("  pushed by a search that reaches all it can", SHAPE_REAL_WIDE_MISS * real_percent,
              (double)shape->wide_miss_pushed * edge_percent, 2);
    print_row("  highest queue peak", SHAPE_REAL_PEAK * real_percent,
              (double)shape->peak_queue_max * edge_percent, 2);
    print_row("  pushed when 18.13 % are popped (end of search 1)",
              SHAPE_REAL_PUSHED_FIRST * real_percent, (double)shape->pushed_at_first * edge_percent,
              2);
    print_row("  pushed when 26.85 % are popped (end of search 3)",
              SHAPE_REAL_PUSHED_SECOND * real_percent,
              (double)shape->pushed_at_second * edge_percent, 2);
    print_row("  pushed, mean over the searches", SHAPE_REAL_PUSHED_TOTAL / 100 * real_percent,
              (double)shape->pushed_total / searches * edge_percent, 2);
    printf("in %% of the %zu searches:\n", shape->searches);
    print_row("  not found (real: about)", 33, 100 - 100 * (double)shape->found / searches, 0);
    print_row("  not found after pushing more than half of the edges", UNPUBLISHED,
              100 * (double)shape->wide_misses / searches, 0);
    printf("%-58s %14s %14zu\n", "hops, median of the found", "6 to 8", median_hops(shape));
    for (size_t hops = 0; hops <= SHAPE_HOPS_LIMIT; hops++) {
        if (shape->hops[hops] > 0) {
            char label[32];
            snprintf(label, sizeof(label), "  found in %zu", hops);
            print_row(label, UNPUBLISHED, (double)shape->hops[hops], 0);
        }
    }
    printf("in %% of the nodes:\n");
    print_row("  without out-links", UNPUBLISHED, (double)shape->degrees.sinks * node_percent, 1);
    print_row("  with one to four", UNPUBLISHED, shape->small_rows * node_percent, 1);
    print_row("  without in-links", UNPUBLISHED, (double)shape->degrees.sources * node_percent, 1);
    print_row("largest out-degree", UNPUBLISHED, (double)shape->degrees.out_degree_max, 0);
    print_row("largest in-degree", UNPUBLISHED, (double)shape->degrees.in_degree_max, 0);
}

static bool report(struct settings *settings, const struct graph *graph, struct graph_error *error)
{
    struct pairs_generate_options options = {.count = settings->searches, .seed = settings->seed};
    struct progress *progress = &settings->program.progress;
    struct graph_shape shape;
    struct pairs pairs;
    bool ok = pairs_generate(graph, &options, &pairs, error) &&
              graph_shape_measure(graph, &pairs, show_progress, progress, &shape, error);
    progress_clear(progress);
    pairs_free(&pairs);
    if (ok) {
        print_report(graph, &shape);
    }
    return ok;
}

/* Pairs depend on the ids only, so the graph itself is not made. */
static bool write_pairs(const struct settings *settings, uint32_t nodes, const char *comment,
                        struct graph_error *error)
{
    struct graph ids = {.first_node = 1, .node_limit = nodes + 1};
    struct pairs_generate_options options = {.count = settings->pair_count, .seed = settings->seed};
    struct pairs pairs;
    bool ok = pairs_generate(&ids, &options, &pairs, error) &&
              pairs_write(&pairs, comment, settings->output, error);
    pairs_free(&pairs);
    return ok;
}

/* The size that the model's options ask for. False with error set. */
static bool set_size(const struct settings *settings, struct graph_generate_options *options,
                     struct graph_error *error)
{
    uint64_t rows = settings->rows > 0 ? settings->rows : GRAPH_ROWS_DEFAULT;
    if (settings->model == GRAPH_MODEL_KRONECKER) {
        uint64_t scale = settings->scale > 0 ? settings->scale : GRAPH_SCALE_DEFAULT;
        graph_generate_set_scale(options, (unsigned)scale,
                                 settings->edge_factor > 0 ? settings->edge_factor
                                                           : GRAPH_EDGEFACTOR_DEFAULT);
    } else if (settings->model == GRAPH_MODEL_GRID) {
        return graph_generate_set_grid(options, rows,
                                       settings->columns ? settings->columns : rows) ||
               graph_fail(error, "grid", "more than %lu nodes", (unsigned long)GRAPH_NODE_MAX);
    } else {
        graph_generate_set_size(
            options, settings->nodes > 0 ? settings->nodes : GRAPH_NODES_DEFAULT, settings->edges);
    }
    return true;
}

/* The command that makes the same file, for its head. Pairs depend only on the number of nodes. */
static void describe(const struct settings *settings, const struct graph_generate_options *options,
                     char *text, size_t size)
{
    const char *model = settings->model == GRAPH_MODEL_UNIFORM ? "--model uniform " : "";
    unsigned long long nodes = options->nodes, edges = options->edges, seed = options->seed;
    if (settings->pair_count > 0) {
        snprintf(text, size, "graph-generate --nodes %llu --pairs %llu --seed %llu", nodes,
                 (unsigned long long)settings->pair_count, seed);
    } else if (settings->model == GRAPH_MODEL_KRONECKER) {
        snprintf(text, size,
                 "graph-generate --model kronecker --scale %d --edgefactor %llu --seed %llu",
                 __builtin_ctzll(nodes), edges / nodes, seed);
    } else if (settings->model == GRAPH_MODEL_GRID) {
        snprintf(text, size, "graph-generate --model grid --rows %llu --columns %lu",
                 nodes / options->columns, (unsigned long)options->columns);
    } else {
        snprintf(text, size, "graph-generate %s--nodes %llu --edges %llu --seed %llu", model, nodes,
                 edges, seed);
    }
}

static bool write_or_report(struct settings *settings, struct graph *graph,
                            struct graph_error *error)
{
    struct graph_generate_options options = {
        .model = settings->model, .seed = settings->seed, .threads = settings->threads};
    char comment[160];
    if (!set_size(settings, &options, error)) {
        return false;
    }
    describe(settings, &options, comment, sizeof(comment));
    struct graph_write_options write = settings->write;
    write.comment = comment;
    if (settings->pair_count > 0) {
        return write_pairs(settings, options.nodes, comment, error);
    }
    return (settings->input != NULL || graph_generate(&options, graph, error)) &&
           (settings->report ? report(settings, graph, error)
                             : graph_write(graph, &write, settings->output, error));
}

/* The options that do not go together, as a message, or NULL. */
static const char *contradiction(const struct settings *settings)
{
    const bool has_count = settings->nodes > 0 || settings->edges != EDGES_FOLLOW;
    const bool has_scale = settings->scale > 0 || settings->edge_factor > 0;
    const bool has_rows = settings->rows > 0 || settings->columns > 0;
    const bool has_size = has_count || has_scale || has_rows;
    const bool counts =
        settings->model == GRAPH_MODEL_WIKIPEDIA || settings->model == GRAPH_MODEL_UNIFORM;
    const bool writes = settings->pair_count > 0 || settings->output != NULL;
    const bool needs_file = !settings->report && settings->output == NULL;
    return settings->input && !settings->report ? "--input goes with --report"
           : settings->input && has_size        ? "--input does not go with a size"
           : settings->report && writes         ? "--report does not go with --pairs or --output"
           : has_count && !counts ? "--nodes and --edges go with wikipedia and uniform"
           : has_scale && settings->model != GRAPH_MODEL_KRONECKER
               ? "--scale and --edgefactor go with --model=kronecker"
           : has_rows && settings->model != GRAPH_MODEL_GRID
               ? "--rows and --columns go with --model=grid"
           : settings->write.by_target && settings->write.format > GRAPH_OUTPUT_EDGES
               ? "--by-target goes with mtx and edges"
           : needs_file && isatty(STDOUT_FILENO) ? "expected --output FILE or --report"
                                                 : NULL;
}

int main(int argument_count, char **arguments)
{
    (void)argument_count;
    struct settings settings = {.edges = EDGES_FOLLOW, .seed = 1, .searches = 100};
    struct graph_program *program = &settings.program;
    struct graph graph = {0};
    struct graph_error error = {0};
    int status = graph_program_open(program, &command, &settings, arguments, NULL, 0, "");
    if (status >= 0) {
        return status;
    }
    if (!settings.has_format && settings.output != NULL) {
        graph_output_of_path(settings.output, &settings.write.format);
    }
    const char *problem = contradiction(&settings);
    if (problem != NULL) {
        return progress_fail(&program->progress, EXIT_USAGE, "%s", problem);
    }
    if (settings.output == NULL) {
        settings.output = "-";
    }
    if (settings.input != NULL && !graph_program_load(program, settings.input, &graph)) {
        return EXIT_FAILED;
    }
    interrupt_arm(STDERR_FILENO, "", 0, "interrupted");
    bool done = write_or_report(&settings, &graph, &error);
    graph_free(&graph);
    return done ? graph_program_finish(program) : graph_program_fail(program, error.message);
}

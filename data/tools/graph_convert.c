/*
 * graph_convert.c - the program graph-convert: a graph from any format into a snapshot.
 */
#include "data/graph/graph_error.h"
#include "data/make/graph_order.h"
#include "data/store/graph_snapshot.h"
#include "graph_program.h"
#include "perf/program/interrupt.h"
#include "perf/program/output.h"
#include <errno.h>
#include <string.h>

struct settings {
    struct graph_program program;
    enum graph_order order;
    uint64_t seed;
    bool with_reverse, record_source;
};

static const struct option_row rows[] = {
    {"order", 0, "ORDER",
     "renumber the nodes: none, degree, bfs or random; the ids of the file are remembered "
     "(default: none)",
     OPTION_CHOICE(struct settings, order, graph_order_names)},
    {"seed", 0, "N", "seed of --order=random (default: 1)",
     OPTION_NUMBER(struct settings, seed, 0, UINT64_MAX - 1)},
    {"with-reverse", 0, NULL, "store the reverse adjacency too",
     OPTION_FLAG(struct settings, with_reverse)},
    {"record-source", 0, NULL,
     "store path, size, time and hash of GRAPH, so that a snapshot whose source has changed is "
     "known to be stale",
     OPTION_FLAG(struct settings, record_source)},
    {0},
};

static const struct option_group groups[] = {
    {"Converting", rows, 0},
    {"Reading the graph", graph_input_rows, offsetof(struct settings, program.input)},
    {"General", graph_program_rows, offsetof(struct settings, program)},
    {0},
};

static const struct command command = {
    .name = "graph-convert",
    .groups = groups,
    .introduction =
        "Usage: graph-convert [OPTION]... GRAPH SNAPSHOT\n"
        "\n"
        "Read GRAPH and write it as a snapshot, which bfs and graph-info map instead of\n"
        "reading; by convention the name of SNAPSHOT ends in .pwg. The same graph gives\n"
        "the same bytes, whatever its format and the number of threads.\n",
    .epilogue = GRAPH_INPUT_HELP "Renumbering takes as much memory again as the graph.\n"
                                 "\n"
                                 "Examples:\n"
                                 "  graph-convert wikipedia-20070206.tar.gz wikipedia.pwg\n"
                                 "  graph-convert --order=bfs --with-reverse edges.txt edges.pwg\n",
};

/*
 * Describe the source where that is asked for. *recorded: it is; not where the graph is no file,
 * which is noted. False with error set when it cannot be read.
 */
static bool describe_source(struct settings *settings, const char *in, struct graph_source *source,
                            bool *recorded, struct graph_error *error)
{
    *recorded = settings->record_source && graph_source_of(in, true, source);
    if (settings->record_source && !*recorded) {
        if (errno != EINVAL && errno != ENOENT) {
            return graph_fail(error, in, "cannot be recorded: %s", strerror(errno));
        }
        progress_note(&settings->program.progress, "%s is no file: not recorded", in);
    }
    return true;
}

static int convert(struct settings *settings, const char *in, const char *out)
{
    struct graph_program *program = &settings->program;
    struct graph_options *input = &program->input;
    struct graph graph;
    struct graph_source source;
    struct graph_error error = {0};
    if (strcmp(out, "-") == 0) {
        return progress_fail(&program->progress, EXIT_USAGE,
                             "SNAPSHOT must be a file, not standard output");
    }
    if (output_is_input(out, in) || output_is_input(out, input->names_path)) {
        return progress_fail(&program->progress, EXIT_FAILED,
                             "%s: cannot be written: it is an input file", out);
    }
    /* Renumbering would drop it. */
    input->build_reverse = settings->with_reverse && settings->order == GRAPH_ORDER_NONE;
    if (!graph_program_load(program, in, &graph)) {
        return EXIT_FAILED;
    }
    bool recorded = false;
    bool done = describe_source(settings, in, &source, &recorded, &error) &&
                graph_renumber(&graph, settings->order, settings->seed, &error) &&
                (!settings->with_reverse || graph_add_reverse(&graph, input->threads, &error)) &&
                graph_snapshot_save(&graph, out, recorded ? &source : NULL,
                                    graph_snapshot_flags(input), interrupt_flag(), &error);
    done = done || graph_fail_at(&error, in);
    if (done && !program->quiet) {
        printf("%s: %lu nodes, %llu edges\n", out, (unsigned long)graph_node_count(&graph),
               (unsigned long long)graph.edge_count);
    }
    graph_free(&graph);
    return done ? graph_program_finish(program) : graph_program_fail(program, error.message);
}

int main(int argument_count, char **arguments)
{
    (void)argument_count;
    struct settings settings = {.seed = 1};
    const char *operands[2];
    int status = graph_program_open(&settings.program, &command, &settings, arguments, operands, 2,
                                    "GRAPH and SNAPSHOT");
    return status >= 0 ? status : convert(&settings, operands[0], operands[1]);
}

/*
 * graph_convert.c - the program graph-convert: converts a graph from any format into a snapshot or
 * another format, or writes random pairs of its nodes.
 */
#include "base/macros.h"
#include "base/program/file_claims.h"
#include "base/program/interrupt.h"
#include "data/formats/graph_write.h"
#include "data/load/graph_load.h"
#include "data/make/generate.h"
#include "data/make/graph_order.h"
#include "data/reverse/graph_reverse.h"
#include "data/store/graph_snapshot.h"
#include "graph_program.h"
#include <errno.h>
#include <string.h>
#include <strings.h>

struct settings {
    struct graph_program program;
    enum graph_order order;
    uint64_t seed;
    uint64_t pair_count; /* 0: the graph is written */
    bool with_reverse, without_reverse, record_source, by_target;
    unsigned to; /* TO_SNAPSHOT, or TO_TEXT and an enum graph_output */
    bool has_to; /* it was given, and does not follow from the name */
    const char *names_out;
};

#define TO_SNAPSHOT 0
#define TO_TEXT     1

static const struct option_row rows[] = {
    {"to", 0, "FORMAT",
     "write snapshot, matrix-market, edges, names (an edge list of names), graphml, dot or csv "
     "(default: what the ending of OUT says)",
     OPTION_CHOICE(struct settings, to, "snapshot, " GRAPH_OUTPUT_FORMATS),
     .given = offsetof(struct settings, has_to)},
    {"write-names", 0, "FILE",
     "also write the names of the nodes, one per line, as --names reads them",
     OPTION_FILE(struct settings, names_out)},
    {"order", 0, "ORDER",
     "renumber the nodes: none, degree or bfs; the ids of the file are remembered (default: none)",
     OPTION_CHOICE(struct settings, order, graph_order_names)},
    {"pairs", 0, "N", "write N random pairs of nodes instead of the graph, as bfs reads them",
     OPTION_NUMBER(struct settings, pair_count, 1, UINT32_MAX)},
    {"seed", 0, "N", "seed of --pairs (default: 1)",
     OPTION_NUMBER(struct settings, seed, 0, UINT64_MAX - 1)},
    {"by-target", 0, NULL, "sort matrix-market or edges by target, as in the published file",
     OPTION_FLAG(struct settings, by_target)},
    {"with-reverse", 0, NULL,
     "store the reverse adjacency too, in a snapshot (default: if there is memory to make it)",
     OPTION_FLAG(struct settings, with_reverse)},
    {"without-reverse", 0, NULL,
     "leave it out, for a snapshot of half the size; an engine that needs it makes it every time",
     OPTION_FLAG(struct settings, without_reverse)},
    {"record-source", 0, NULL,
     "store path, size, time and hash of GRAPH in a snapshot, so that it is refused as stale "
     "when GRAPH has changed",
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
        "Usage: graph-convert [OPTION]... GRAPH OUT\n"
        "\n"
        "Read GRAPH and write it to OUT in the format that its ending says: .mtx, .txt\n"
        ".el .edges (an edge list), .tsv (one of names), .csv, .graphml, .dot .gv\n"
        "(Graphviz), or .pwg: a snapshot, which bfs and graph-info map instead of\n"
        "reading. Equal graphs give equal bytes, from any format and with any number of\n"
        "threads. A note says what the format cannot keep. A file with any other\n"
        "ending, and \"-\" (standard output), needs --to.\n"
        "GRAPH is a file, or a specification of a graph to generate, such as\n"
        "generate:nodes=1M (like Wikipedia of 2007) or generate:kronecker,scale=16.\n",
    .epilogue = GRAPH_INPUT_HELP "Renumbering takes as much memory again as the graph.\n"
                                 "\n"
                                 "Examples:\n"
                                 "  graph-convert wikipedia-20070206.tar.gz wikipedia.pwg\n"
                                 "  graph-convert data/sample/borders.tsv borders.graphml\n"
                                 "  graph-convert names.gml edges.el --write-names names.txt\n"
                                 "  graph-convert --order=bfs edges.txt edges.pwg\n"
                                 "  graph-convert generate:nodes=1M,edges=12.6M graph.mtx\n"
                                 "  graph-convert --pairs=100 --seed=7 graph.mtx pairs.txt\n",
};

/*
 * Describe the source if that is asked for. *recorded: true if it was; a graph that is not a file
 * is not recorded, with a note. False with error set if it cannot be read.
 */
static bool describe_source(struct settings *settings, const char *in, struct graph_source *source,
                            bool *recorded, struct graph_error *error)
{
    *recorded = settings->record_source && graph_source_of(in, true, source);
    if (settings->record_source && !*recorded) {
        if (errno != EINVAL && errno != ENOENT) {
            return graph_fail(error, in, "cannot be recorded: %s", strerror(errno));
        }
        progress_note(&settings->program.progress, "%s is not a file: not recorded", in);
    }
    return true;
}

/* Show a note of the writer, with the option that would help. */
static void show_loss(void *settings, const char *text)
{
    struct graph_program *program = &((struct settings *)settings)->program;
    bool names = strstr(text, "names:") != NULL && ((struct settings *)settings)->names_out == NULL;
    progress_note(&program->progress, "%s%s", text,
                  names ? " (--write-names=FILE keeps them)" : "");
}

/* Write random pairs of the graph's nodes. in: its name. False with error set. */
static bool write_pairs(const struct settings *settings, const struct graph *graph, const char *in,
                        const char *out, struct graph_error *error)
{
    const struct pairs_generate_options options = {.count = (unsigned)settings->pair_count,
                                                   .seed = settings->seed};
    const unsigned long long count = settings->pair_count, seed = settings->seed;
    char comment[300];
    struct pairs pairs;
    snprintf(comment, sizeof(comment), "graph-convert --pairs=%llu --seed=%llu %.200s", count, seed,
             graph_generate_is_spec(in) ? in : "GRAPH"); /* no line break, as a path may have */
    bool done = pairs_generate(graph, &options, &pairs, error) &&
                pairs_write(graph, &pairs, comment, out, error);
    pairs_free(&pairs);
    return done;
}

/* Write the graph. in: its name. False with error set. */
static bool write_out(struct settings *settings, struct graph *graph, const char *in,
                      const char *out, struct graph_error *error)
{
    struct graph_options *input = &settings->program.input;
    struct graph_source source;
    if (settings->by_target && graph->original_ids != NULL) {
        return graph_fail(error, in, "renumbered nodes are not written by target");
    }
    if (settings->names_out != NULL && !names_write(graph, settings->names_out, error)) {
        return false;
    }
    if (settings->to != TO_SNAPSHOT) {
        const struct graph_write_options options = {
            .format = (enum graph_output)(settings->to - TO_TEXT),
            .by_target = settings->by_target,
            .note = show_loss,
            .context = settings,
            .cancel = interrupt_flag(),
        };
        return graph_write(graph, &options, out, error) || graph_input_advise(error);
    }
    bool recorded = false;
    bool keeps =
        settings->with_reverse || (!settings->without_reverse && graph_reverse_fits(graph, input));
    if (settings->without_reverse) { /* the reverse adjacency of the input */
        graph->in_offsets = NULL;
        graph->in_neighbours = NULL;
    }
    return describe_source(settings, in, &source, &recorded, error) &&
           (!keeps || graph_add_reverse(graph, input->threads, interrupt_flag(), error)) &&
           graph_snapshot_save(graph, out, recorded ? &source : NULL, graph_snapshot_flags(input),
                               interrupt_flag(), error);
}

static int convert(struct settings *settings, const char *in, const char *out)
{
    struct graph_program *program = &settings->program;
    struct graph graph;
    struct graph_error error = {0};
    /* After renumbering, which would drop it. */
    bool reads = settings->to == TO_SNAPSHOT && settings->order == GRAPH_ORDER_NONE &&
                 settings->pair_count == 0;
    program->input.build_reverse = settings->with_reverse && reads;
    program->input.keep_reverse = !settings->without_reverse && reads;
    if (!graph_program_load(program, in, &graph)) {
        return EXIT_FAILED;
    }
    bool done = graph_renumber(&graph, settings->order, &error) &&
                (settings->pair_count > 0 ? write_pairs(settings, &graph, in, out, &error)
                                          : write_out(settings, &graph, in, out, &error));
    done = done || graph_fail_at(&error, in);
    if (done && settings->pair_count > 0 && !program->quiet && strcmp(out, "-") != 0) {
        printf("%s: %llu pairs\n", out, (unsigned long long)settings->pair_count);
    } else if (done && !program->quiet && strcmp(out, "-") != 0) {
        printf("%s: %lu nodes, %llu edges\n", out, (unsigned long)graph_node_count(&graph),
               (unsigned long long)graph.edge_count);
    }
    graph_free(&graph);
    return done ? graph_program_finish(program) : graph_program_fail(program, error.message);
}

/* The option that only writing a graph in another format has, or NULL. */
static const char *misplaced(const struct settings *settings)
{
    const bool is_graph = settings->pair_count == 0;
    const bool is_snapshot = is_graph && settings->to == TO_SNAPSHOT;
    const bool has_lines = is_graph && (settings->to == TO_TEXT + GRAPH_OUTPUT_MATRIX_MARKET ||
                                        settings->to == TO_TEXT + GRAPH_OUTPUT_EDGES);
    return settings->with_reverse && !is_snapshot      ? "--with-reverse is for a snapshot only"
           : settings->without_reverse && !is_snapshot ? "--without-reverse is for a snapshot only"
           : settings->record_source && !is_snapshot   ? "--record-source is for a snapshot only"
           : settings->record_source && settings->program.input.columns != NULL
               ? "--record-source does not keep --columns"
           : settings->by_target && !has_lines ? "--by-target is for matrix-market and edges"
           : !is_graph && settings->has_to     ? "--to does not go with --pairs"
           : !is_graph && settings->names_out  ? "--write-names does not go with --pairs"
           : settings->with_reverse && settings->without_reverse
               ? "--with-reverse and --without-reverse exclude each other"
               : NULL;
}

/* EXIT_OK if OUT and the options go together. Else the exit status, after a message. */
static int check(struct settings *settings, const char *in, const char *out)
{
    static const char *const packed[] = {".gz", ".bz2", ".xz", ".zst"};
    struct progress *progress = &settings->program.progress;
    const char *const files[] = {in, settings->program.input.names_path, out, settings->names_out};
    struct file_claims claims = {.count = 0};
    const char *slash = strrchr(out, '/');
    const char *ending = strrchr(slash != NULL ? slash : out, '.');
    enum graph_output format;
    if (!settings->has_to && graph_output_of_path(out, &format)) {
        settings->to = TO_TEXT + format;
    }
    for (size_t i = 0; ending != NULL && i < COUNT_OF(packed); i++) {
        if (strcasecmp(ending, packed[i]) == 0) {
            return progress_fail(progress, EXIT_USAGE,
                                 "%s: compressed files are not written: compress it afterwards",
                                 out);
        }
    }
    const bool is_open = settings->to == TO_SNAPSHOT && settings->pair_count == 0;
    if (is_open && strcmp(out, "-") == 0) {
        return progress_fail(progress, EXIT_USAGE,
                             "a snapshot must be a file, not standard output");
    }
    if (is_open && !settings->has_to && (ending == NULL || strcasecmp(ending, ".pwg") != 0)) {
        return progress_fail(progress, EXIT_USAGE,
                             "%s: %s is not written; .pwg is a snapshot, .graphml is read "
                             "by other programs, --to=FORMAT writes any name",
                             out, ending != NULL ? ending : "a name without an ending");
    }
    const char *problem = misplaced(settings);
    if (problem != NULL) {
        return progress_fail(progress, EXIT_USAGE, "%s", problem);
    }
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        const bool is_written = i >= 2;
        const char *why = is_written && (files[i] == NULL || strcmp(files[i], "-") == 0)
                              ? NULL
                              : file_claims_add(&claims, files[i], is_written);
        if (why != NULL) {
            return progress_fail(progress, EXIT_FAILED, "%s: cannot be written: %s", files[i], why);
        }
    }
    return EXIT_OK;
}

int main(int argument_count, char **arguments)
{
    (void)argument_count;
    struct settings settings = {.seed = 1};
    const char *operands[2];
    int status = graph_program_open(&settings.program, &command, &settings, arguments, operands, 2,
                                    "GRAPH and OUT");
    if (status >= 0) {
        return status;
    }
    status = check(&settings, operands[0], operands[1]);
    return status != EXIT_OK ? status : convert(&settings, operands[0], operands[1]);
}

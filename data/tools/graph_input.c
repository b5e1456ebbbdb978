/*
 * graph_input.c - the table of the options for reading, and the reader's callbacks.
 */
#include "graph_input.h"
#include "data/formats/format_readers.h"
#include "data/load/graph_load.h"
#include "data/make/generate.h"
#include "data/reverse/graph_reverse.h"

#define FLAG(member) OPTION_FLAG(struct graph_options, member)

const struct option_row graph_input_rows[] = {
    {"input-format", 0, "NAME",
     "edges, csv, names, adjacency (a node and its neighbours per line), matrix-market, dimacs, "
     "metis, graphml or gml (default: recognised from the content)",
     OPTION_WORD(struct graph_options, format, GRAPH_INPUT_FORMATS)},
    {"columns", 0, "A,B",
     "the columns of a table that are the source and the target, by number from 1 or by heading, "
     "for GRAPH and for pairs (default: recognised from the heading or the content)",
     OPTION_TEXT(struct graph_options, columns)},
    {"names", 0, "FILE",
     "names of the nodes: line k names node k, or a CSV or TSV whose heading says id and name; "
     "pairs "
     "and the report then use names",
     OPTION_FILE(struct graph_options, names_path)},
    {"compact", 0, NULL,
     "renumber sparse ids internally; pairs and the report keep the ids of the file",
     FLAG(compact)},
    {"reverse", 0, NULL, "reverse every edge", FLAG(reverse)},
    {"undirected", 0, NULL, "take every edge in both directions", FLAG(undirected)},
    {"cache", 0, "[DIR]",
     "keep a snapshot of what was read in DIR and map it the next time (default: "
     "~/.cache/pointer-wars)",
     OPTION_TEXT(struct graph_options, cache), .implied = ""},
    {"verify-snapshot", 0, NULL,
     "check all of a snapshot at once, also for a single question, and compare all of its source, "
     "not only its size and time",
     FLAG(verify)},
    {"memory-limit", 0, "BYTES",
     "refuse a graph, or pairs, that need more to load, such as 8G (default: the memory "
     "available)",
     OPTION_SIZE(struct graph_options, memory_limit)},
    {0},
};

/* Gets the progress and the notes while a graph is read. */
struct graph_watch {
    struct progress *progress;
    const char *path;
};

static void show_progress(void *context, const struct graph_progress *now)
{
    const struct graph_watch *watch = context;
    const double million = 1e6;
    double rate = now->elapsed_s > 0 ? (double)now->edge_count / now->elapsed_s : 0;
    if (now->bytes_total == 0 || now->bytes_done == 0) {
        progress_show(watch->progress, false, "%s %s: %.0f MB, %.1f million edges/s", now->phase,
                      watch->path, (double)now->bytes_done / million, rate / million);
        return;
    }
    double share = (double)now->bytes_done / (double)now->bytes_total;
    progress_show(watch->progress, false,
                  "%s %s: %.0f of %.0f MB, %.1f million edges/s, %.1f s left", now->phase,
                  watch->path, (double)now->bytes_done / million,
                  (double)now->bytes_total / million, rate / million,
                  share < 1 ? now->elapsed_s * (1 - share) / share : 0);
}

/* The option that helps against a reader's error. */
static const char *const advice[GRAPH_REMEDIES] = {
    [GRAPH_REMEDY_COMPACT] = " (--compact renumbers sparse ids)",
    [GRAPH_REMEDY_UNDIRECTED] = " (--undirected adds the other direction)",
    [GRAPH_REMEDY_NO_NAMES] = "; --names is for a graph of ids",
    [GRAPH_REMEDY_CSV] = " (--input-format=csv reads it)",
    [GRAPH_REMEDY_ADJACENCY] = " (--input-format=adjacency for lists, --columns=1,2 for edges)",
    [GRAPH_REMEDY_COLUMNS] = ": --columns=A,B says it, by number or heading",
    [GRAPH_REMEDY_NAMES] = " (--input-format=names takes numbers for names)",
};

static void show_note(void *context, const char *text, enum graph_remedy remedy)
{
    const struct graph_watch *watch = context;
    progress_note(watch->progress, "%s%s", text, advice[remedy] != NULL ? advice[remedy] : "");
}

bool graph_input_advise(struct graph_error *error)
{
    graph_error_advise(error, advice);
    return false;
}

bool graph_input_applies(const struct graph_options *options, const char *graph,
                         struct command_error *error)
{
    bool has_any = options->format || options->columns != NULL || options->names_path != NULL ||
                   options->compact || options->reverse || options->undirected ||
                   options->cache != NULL;
    return !has_any || !graph_generate_is_spec(graph) ||
           command_fail(error, "%.100s is not a file: the options for reading one do not apply",
                        graph);
}

static bool generate(const char *specification, const struct graph_options *options,
                     struct graph *graph, struct graph_error *error)
{
    struct graph_generate_options wanted;
    if (!graph_generate_parse(specification, &wanted, error)) {
        return false;
    }
    wanted.threads = options->threads;
    if (!graph_generate(&wanted, graph, error)) {
        return false;
    }
    if (options->build_reverse &&
        !graph_add_reverse(graph, options->threads, options->cancel, error)) {
        graph_free(graph);
        return graph_fail_at(error, specification);
    }
    return true;
}

bool graph_input_load(const char *path, const struct graph_options *options,
                      struct progress *progress, struct graph *graph, struct graph_error *error)
{
    if (graph_generate_is_spec(path)) {
        return generate(path, options, graph, error);
    }
    struct graph_watch watch = {progress, path};
    struct graph_options watched = *options;
    watched.progress = show_progress;
    watched.note = show_note;
    watched.context = &watch;
    return graph_load(path, &watched, graph, error) || graph_input_advise(error);
}

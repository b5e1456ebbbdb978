/*
 * mpi_options.c - the options of bfs-mpi as tables.
 */
#include "mpi_options.h"
#include "base/macros.h"
#include "base/report/report.h"
#include "data/make/generate.h"
#include <string.h>

static const struct option_row graph_rows[] = {
    {"dealt", 0, NULL,
     "deal the nodes out to the ranks in turn, 64 at a time, instead of a block of ids per rank; "
     "for a file where nodes of high degree are close together",
     OPTION_FLAG(struct mpi_load_options, dealt)},
    {"memory-limit", 0, "BYTES",
     "refuse a graph that needs more at one rank to load, such as 8G "
     "(default: the memory available, shared by the ranks of a machine)",
     OPTION_SIZE(struct mpi_load_options, input.memory_limit)},
    {0},
};

static const struct option_row general_rows[] = {
    {"format", 'f', "FORMAT", "text, csv or json (default: text)",
     OPTION_CHOICE(struct mpi_options, format, "text, csv, json")},
    OPTION_REPORT_OUTPUT(struct mpi_options, output),
    {"quiet", 'q', NULL, "no notes; in text only the summary",
     OPTION_FLAG(struct mpi_options, quiet)},
    OPTION_HELP_AND_VERSION(struct mpi_options, action),
    {0},
};

static const struct option_group groups[] = {
    {"Searching", search_rows, offsetof(struct mpi_options, search)},
    {"Reading the graph", graph_rows, offsetof(struct mpi_options, load)},
    {"General", general_rows, 0},
    {0},
};

const struct command mpi_command = {
    .name = PROGRAM_NAME,
    .groups = groups,
    .introduction =
        "Usage: mpirun -n RANKS " PROGRAM_NAME " [OPTION]... GRAPH PAIRS\n"
        "       mpirun -n RANKS " PROGRAM_NAME " [OPTION]... GRAPH --from NODE --to NODE\n"
        "       mpirun -n RANKS " PROGRAM_NAME " [OPTION]... GRAPH\n"
        "\n"
        "Search the directed graph GRAPH breadth first from the source to the target of\n"
        "each line of PAIRS, by all ranks of an MPI job; each rank holds its part.\n"
        "Answers and report are like bfs's. Without PAIRS, print nodes, edges and\n"
        "checksum.\n"
        "\n"
        "GRAPH  a snapshot of graph-convert that all ranks see; or\n"
        "       \"generate:nodes=400k,seed=1\", which rank 0 makes alone and deals out.\n"
        "PAIRS  a file with \"source target\" per line, in the names of GRAPH, or in its\n"
        "       ids if it has no names, which rank 0 reads; or \"random:100,seed=1\".\n",
    .epilogue =
        "\n"
        "Numbers may end in k, M, G or T: powers of 1000; of 1024 for sizes in bytes.\n"
        "Loading takes at each rank at most 16 bytes per edge and 16 per node, both\n"
        "divided by the number of ranks, where edges spread evenly, and 64 MiB of\n"
        "buffers. A search takes 16 bytes per node of a rank, 4 per node reached, and\n"
        "18 MiB; " SEARCH_BY_LEVELS_NAME " 4 per node of a rank, 3/4 of a byte per\n"
        "node of the graph, and 16 MiB; with more than 1,024 ranks more for buffers.\n"
        "Rank 0 also has the names, and for a while a graph that it makes alone, with the\n"
        "memory that bfs takes.\n"
        "\n"
        "Examples:\n"
        "  mpirun -n 2 " PROGRAM_NAME " graph.pwg pairs.txt --path\n"
        "  mpirun -n 2 " PROGRAM_NAME " simple.pwg --from \"Ada Lovelace\" --to Banana\n"
        "  mpirun -n 2 " PROGRAM_NAME " generate:nodes=400k random:100\n"
        "  mpirun -n 64 " PROGRAM_NAME " --dealt graph.pwg random:1000 --format csv\n"
        "  mpirun -n 4 " PROGRAM_NAME " graph.pwg random:20 --engine=" SEARCH_BY_LEVELS_NAME "\n"
        "\n"
        "A signal or a rank that dies ends all ranks. Exit status of a rank: 0 done, 1 a\n"
        "file, a search or the report failed, 2 wrong usage, 130 interrupted.\n",
};

/* Find the search that --engine means. */
static bool find_engine(struct mpi_options *options, struct command_error *error)
{
    static const char *const names[] = {SEARCH_ENGINE_NAMES};
    const char *name = options->search.engine;
    options->engine = SEARCH_BY_BIDIRECTIONAL;
    if (name == NULL) {
        return true;
    }
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        if (strcmp(name, names[i]) == 0) {
            options->engine = (enum mpi_engine)i;
            return true;
        }
    }
    return command_fail(error, "--engine knows no \"%.60s\"; there are %s and %s", name, names[0],
                        names[1]);
}

/* True if the options given for searches have pairs to search for. */
static bool options_apply(const struct mpi_options *options, struct command_error *error)
{
    const struct search_options *search = &options->search;
    const bool searches = options->pairs != NULL || search->from != NULL || search->to != NULL;
    const struct {
        const char *name;
        bool is_given;
    } all[] = {
        {"--engine", search->engine != NULL},
        {"--path", search->path},
        {"--timeout", search->timeout_ns > 0},
        {"--threads", search->threads > 0},
        {"--format", options->format != REPORT_FORMAT_TEXT},
    };
    for (size_t i = 0; i < COUNT_OF(all) && !searches; i++) {
        if (all[i].is_given) {
            return command_fail(error, "%s needs PAIRS", all[i].name);
        }
    }
    return true;
}

/* True if there is either a question or PAIRS, or neither. */
static bool check_question(struct mpi_options *options, struct command_error *error)
{
    struct search_options *search = &options->search;
    if (search->from == NULL && search->to == NULL) {
        return true;
    }
    if (search->from == NULL || search->to == NULL) {
        return command_fail(error, "%s",
                            search->to != NULL ? "--to needs --from" : "--from needs --to");
    }
    if (options->pairs != NULL) {
        return command_fail(error, "PAIRS \"%.100s\" is one too many with --from and --to",
                            options->pairs);
    }
    search->path = true;
    options->in_words = options->format == REPORT_FORMAT_TEXT && search->engine == NULL;
    return true;
}

/* True if GRAPH can be what it says. */
static bool check_graph(const struct mpi_options *options, struct command_error *error)
{
    struct graph_generate_options made;
    struct graph_error why = {0};
    if (strcmp(options->graph, "-") == 0) {
        return command_fail(error, "GRAPH must be a file, which every rank can read");
    }
    if (graph_generate_is_spec(options->graph) &&
        !graph_generate_parse(options->graph, &made, &why)) {
        return command_fail(error, "%s", why.message);
    }
    return true;
}

bool mpi_options_read(struct mpi_options *options, char **arguments, struct command_error *error)
{
    const char *operands[2];
    int count =
        command_parse(&mpi_command, arguments, options, operands, COUNT_OF(operands), error);
    if (count < 0 || options->action != ACTION_RUN) {
        return count >= 0;
    }
    if (!find_engine(options, error)) {
        return false;
    }
    if (count < 1) {
        return command_fail(error, "expected GRAPH, see " PROGRAM_NAME " --help");
    }
    options->graph = operands[0];
    options->pairs = count > 1 ? operands[1] : NULL;
    return check_question(options, error) && options_apply(options, error) &&
           check_graph(options, error);
}

/*
 * bfs_mpi.c - the program bfs-mpi: read the options, load the graph with all ranks, search, report.
 *
 * Every rank reads the same command line. Only rank 0 writes, so that there is one message in all.
 */
#include "bfs/mpi/graph/mpi_load.h"
#include "perf/program/interrupt.h"
#include "perf/program/output.h"
#include "perf/program/progress.h"
#include <stdlib.h>
#include <unistd.h>

#if MPI_NODE_BITS == 64
#define PROGRAM "bfs-mpi64"
#else
#define PROGRAM "bfs-mpi"
#endif

struct settings {
    struct mpi_load_options load;
    const char *output;
    unsigned format;
    bool quiet;
    unsigned action;
    struct progress progress;
    int rank;
};

static const struct option_row graph_rows[] = {
    {"input-format", 0, "NAME",
     "edges, matrix-market or dimacs (default: recognised from the content)",
     OPTION_WORD(struct mpi_load_options, input.format, "edges, matrix-market, dimacs")},
    {"dealt", 0, NULL,
     "deal the nodes out to the ranks in turn, 64 at a time, instead of a block of ids per rank; "
     "for a file where nodes of high degree stand together",
     OPTION_FLAG(struct mpi_load_options, dealt)},
    {"reverse", 0, NULL, "reverse every edge", OPTION_FLAG(struct mpi_load_options, input.reverse)},
    {"undirected", 0, NULL, "take every edge in both directions",
     OPTION_FLAG(struct mpi_load_options, input.undirected)},
    {"memory-limit", 0, "BYTES",
     "refuse a graph that needs more at a rank, such as 8G (default: the memory available, shared "
     "by the ranks of a machine)",
     OPTION_SIZE(struct mpi_load_options, input.memory_limit)},
    {0},
};

static const struct option_row general_rows[] = {
    {"format", 'f', "FORMAT", "text, csv or json (default: text)",
     OPTION_CHOICE(struct settings, format, "text, csv, json")},
    {"output", 'o', "FILE",
     "write the report to FILE, whose old content stays until the report is whole (default: -, "
     "standard output)",
     OPTION_FILE(struct settings, output)},
    {"quiet", 'q', NULL, "no notes", OPTION_FLAG(struct settings, quiet)},
    OPTION_HELP_AND_VERSION(struct settings, action),
    {0},
};

static const struct option_group groups[] = {
    {"Reading the graph", graph_rows, offsetof(struct settings, load)},
    {"General", general_rows, 0},
    {0},
};

static const struct command command = {
    .name = PROGRAM,
    .groups = groups,
    .introduction = "Usage: mpirun -n RANKS " PROGRAM " [OPTION]... GRAPH\n"
                    "\n"
                    "Load GRAPH with all ranks of an MPI job, each its part, and print its nodes,\n"
                    "edges and checksum.\n",
    .epilogue = "\n"
                "Exit status: 0 done, 1 a file failed, 2 wrong usage, 130 interrupted.\n",
};

/* Say why all ranks end; rank 0 says it. Returns status. */
static int fail(struct settings *settings, int status, const char *message)
{
    return settings->rank == 0 ? progress_fail(&settings->progress, status, "%s", message) : status;
}

static void show_note(void *context, const char *text, enum graph_remedy remedy)
{
    struct settings *settings = context;
    (void)remedy;
    progress_note(&settings->progress, "%s", text);
}

static int run(struct settings *settings, const char *path)
{
    struct mpi_graph graph;
    struct graph_error error;
    settings->load.input.context = settings;
    settings->load.input.note = settings->rank == 0 ? show_note : NULL;
    settings->load.input.cancel = interrupt_flag();
    if (!mpi_graph_load(MPI_COMM_WORLD, path, &settings->load, &graph, &error)) {
        return fail(settings, *interrupt_flag() != 0 ? interrupt_exit_status() : EXIT_FAILED,
                    error.message);
    }
    if (settings->rank == 0) {
        printf("nodes %llu\nedges %llu\nchecksum %016llx\n",
               (unsigned long long)(graph.partition.node_limit - graph.partition.first_node),
               (unsigned long long)graph.edge_count, (unsigned long long)graph.checksum);
    }
    mpi_graph_release(&graph);
    struct command_error lost;
    return settings->rank != 0 || output_close(stdout, NULL, true, &lost)
               ? EXIT_OK
               : fail(settings, EXIT_FAILED, lost.message);
}

int main(int argument_count, char **arguments)
{
    struct settings settings = {.progress = {.program = command.name}};
    struct command_error error;
    const char *operands[1];
    int status = EXIT_OK;
    output_guard_descriptors();
    MPI_Init(&argument_count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &settings.rank);
    int count = command_parse(&command, arguments, &settings, operands, 1, &error);
    if (count < 0) {
        status = fail(&settings, EXIT_USAGE, error.message);
    } else if (settings.action != ACTION_RUN) {
        if (settings.rank == 0) {
            command_inform(&command, settings.action);
        }
    } else if (count < 1) {
        status = fail(&settings, EXIT_USAGE, "expected GRAPH, see " PROGRAM " --help");
    } else {
        interrupt_install(command.name);
        progress_open(&settings.progress, PROGRESS_NEVER, settings.quiet);
        status = run(&settings, operands[0]);
    }
    MPI_Finalize();
    return status;
}

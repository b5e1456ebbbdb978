/*
 * bfs_mpi.c - the program bfs-mpi: read the options, load the graph with all ranks, report.
 *
 * 1. Every rank reads the same command line and takes the same way; what one rank finds wrong, all
 *    learn (mpi_all_agree).
 * 2. Only rank 0 writes, so that there is one message in all.
 * 3. A signal ends a rank at once, from the handler; the launcher then ends the others.
 */
#include "mpi_options.h"
#include "perf/program/interrupt.h"
#include "perf/program/output.h"
#include "perf/program/progress.h"
#include <stdlib.h>
#include <unistd.h>

struct job {
    struct mpi_options options;
    struct progress progress;
    int rank;
};

/* The exit status of a failure, of which rank 0 tells. */
static int fail(struct job *job, int status, const char *message)
{
    return job->rank == 0 ? progress_fail(&job->progress, status, "%s", message) : status;
}

static void show_note(void *context, const char *text, enum graph_remedy remedy)
{
    struct job *job = context;
    progress_note(&job->progress, "%s%s", text,
                  remedy == GRAPH_REMEDY_UNDIRECTED ? " (--undirected adds the other direction)"
                                                    : "");
}

/* In the handler of a rank that does not write: end without a word. */
static void leave(void)
{
    _exit(interrupt_exit_status());
}

static void handle_signals(int rank)
{
    interrupt_install(mpi_command.name);
    if (rank != 0) {
        interrupt_before(leave);
    }
    interrupt_arm(STDERR_FILENO, "", 0, "interrupted");
}

/* From here on nothing is left to interrupt. A launcher that sees a rank end with a failure sends
 * SIGTERM to the others, which would tell of it too. */
static void ignore_signals(void)
{
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    MPI_Barrier(MPI_COMM_WORLD); /* no rank ends before */
}

/* What was loaded, on standard output or in a file. */
static int describe(struct job *job, const struct mpi_graph *graph)
{
    struct command_error error;
    const struct mpi_partition *partition = &graph->partition;
    if (job->rank != 0) {
        return EXIT_OK;
    }
    printf("nodes    %llu\nedges    %llu\nchecksum %016llx\n",
           (unsigned long long)(partition->node_limit - partition->first_node),
           (unsigned long long)graph->edge_count, (unsigned long long)graph->checksum);
    return output_close(stdout, NULL, true, &error) ? EXIT_OK
                                                    : fail(job, EXIT_FAILED, error.message);
}

static int run(struct job *job)
{
    struct mpi_graph graph;
    struct graph_error error;
    struct graph_options *input = &job->options.load.input;
    input->context = job;
    input->note = job->rank == 0 ? show_note : NULL;
    if (!mpi_graph_load(MPI_COMM_WORLD, job->options.graph, &job->options.load, &graph, &error)) {
        return fail(job, EXIT_FAILED, error.message);
    }
    int status = describe(job, &graph);
    mpi_graph_release(&graph);
    return status;
}

/* Whether a launcher has started this process, so that there may be other ranks. */
static bool is_launched(void)
{
    return getenv("OMPI_COMM_WORLD_RANK") != NULL || getenv("PMI_RANK") != NULL ||
           getenv("PMIX_RANK") != NULL;
}

int main(int argument_count, char **arguments)
{
    struct job job = {.progress = {.program = mpi_command.name}};
    struct command_error error;
    int status = EXIT_OK;
    output_guard_descriptors();
    const bool is_right = mpi_options_read(&job.options, arguments, &error);
    if (!is_launched() && (!is_right || job.options.action != ACTION_RUN)) { /* needs no MPI */
        return !is_right ? fail(&job, EXIT_USAGE, error.message)
               : command_inform(&mpi_command, job.options.action) &&
                       !output_close(stdout, NULL, true, &error)
                   ? fail(&job, EXIT_FAILED, error.message)
                   : EXIT_OK;
    }
    MPI_Init(&argument_count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
    if (!is_right) {
        status = fail(&job, EXIT_USAGE, error.message);
    } else if (job.options.action != ACTION_RUN) {
        if (job.rank == 0 && command_inform(&mpi_command, job.options.action)) {
            fflush(stdout);
        }
    } else {
        handle_signals(job.rank);
        progress_open(&job.progress, PROGRESS_NEVER, job.options.quiet);
        status = run(&job);
    }
    ignore_signals();
    MPI_Finalize();
    return status;
}

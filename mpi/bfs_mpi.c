/*
 * bfs_mpi.c - the program bfs-mpi: read the options, load the graph with all ranks, search, report.
 *
 * 1. Every rank reads the same command line and takes the same way; what one rank finds wrong, all
 *    learn (mpi_all_agree).
 * 2. Only rank 0 writes, so that each message appears once.
 * 3. A signal ends a rank at once, from the handler; the launcher then ends the others.
 */
#include "base/program/file_claims.h"
#include "base/program/interrupt.h"
#include "base/program/output.h"
#include "base/program/progress.h"
#include "base/report/clock.h"
#include "data/graph/graph_memory.h"
#include "data/graph/graph_options.h"
#include "mpi/graph/mpi_snapshot.h"
#include "mpi/search/run_report.h"
#include "mpi/search/search_pairs.h"
#include "mpi_options.h"
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

struct job {
    struct mpi_options options;
    struct progress progress;
    int rank;
};

/* The exit status of a failure, which rank 0 reports. */
static int fail(struct job *job, int status, const char *message)
{
    return job->rank == 0 ? progress_fail(&job->progress, status, "%s", message) : status;
}

static void show_note(void *context, const char *text, enum graph_remedy remedy)
{
    struct job *job = context;
    (void)remedy; /* it would be for a file that is read */
    progress_note(&job->progress, "%s", text);
}

/* In the handler of a rank that does not write: end without a message. */
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

/* From here on there is nothing to interrupt. A launcher that sees a rank fail sends SIGTERM to the
 * others, and each of them would report it, too. */
static void ignore_signals(void)
{
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    MPI_Barrier(MPI_COMM_WORLD); /* no rank ends earlier */
}

/* Describe the loaded graph; out: at rank 0. */
static void describe(struct mpi_graph *graph, FILE *out)
{
    const struct mpi_partition *partition = &graph->partition;
    const uint64_t bytes =
        mpi_graph_memory(partition->node_limit, graph->edge_count, partition->ranks);
    char text[32];
    mpi_graph_checksum(graph);
    if (partition->rank > 0) {
        return;
    }
    fprintf(out,
            "nodes    %llu\nedges    %llu\nchecksum %016llx\nmemory   %s per rank, where edges "
            "spread evenly\n",
            (unsigned long long)(partition->node_limit - partition->first_node),
            (unsigned long long)graph->edge_count, (unsigned long long)graph->checksum,
            memory_text(text, bytes));
}

/* Search for all pairs and report, from rank 0 to out. */
static int search(struct job *job, struct mpi_graph *graph, uint64_t load_ns, FILE *out)
{
    static struct search_run run;
    static const char *const ends[] = {
        [RUN_INTERRUPTED] = "interrupted", [RUN_NO_MEMORY] = "out of memory for the searches"};
    const struct mpi_options *options = &job->options;
    struct run_report report = {.out = out,
                                .format = (enum report_format)options->format,
                                .quiet = options->quiet,
                                .in_words = options->in_words,
                                .program = mpi_command.name,
                                .graph_name = options->graph,
                                .pairs_name = options->pairs,
                                .load_ns = load_ns,
                                .rank_bytes =
                                    mpi_graph_memory(graph->partition.node_limit, graph->edge_count,
                                                     graph->partition.ranks)};
    struct graph_error error;
    bool written;
    const struct search_wanted wanted = {
        options->pairs, {"--from", options->search.from}, {"--to", options->search.to}};
    struct pair *pairs =
        search_pairs_read(&wanted, graph, &options->load.input, &run.pair_count, &error);
    if (pairs == NULL) {
        return fail(job, EXIT_FAILED, error.message);
    }
    if (report.format == REPORT_FORMAT_JSON) { /* the only format that shows it */
        mpi_graph_checksum(graph);
    }
    run.graph = graph;
    run.pairs = pairs;
    run.engine = options->engine;
    run.threads = options->search.threads > 0 ? options->search.threads : 1;
    run.path = options->search.path;
    run.limits = (struct search_limits){.timeout_ns = options->search.timeout_ns,
                                        .cancel = interrupt_flag()};
    const enum run_outcome end = run_report(&report, &run, &written);
    free(pairs);
    if (options->in_words && report.totals.ended[SEARCH_TIMED_OUT] > 0) { /* at rank 0 */
        return fail(job, EXIT_FAILED, "timed out");
    }
    return end == RUN_COMPLETE || end == RUN_STOPPED /* reported when the output is closed */
               ? EXIT_OK
               : fail(job, end == RUN_INTERRUPTED ? interrupt_exit_status() : EXIT_FAILED,
                      ends[end]);
}

/* Load, search and report. out: at rank 0. */
static int run(struct job *job, FILE *out)
{
    struct mpi_graph graph;
    struct graph_error error;
    struct graph_options *input = &job->options.load.input;
    const uint64_t start_ns = clock_now_ns();
    int status = EXIT_OK;
    input->context = job;
    input->note = job->rank == 0 ? show_note : NULL;
    if (!mpi_graph_load(MPI_COMM_WORLD, job->options.graph, &job->options.load, &graph, &error)) {
        return fail(job, EXIT_FAILED, error.message);
    }
    const uint64_t load_ns = clock_now_ns() - start_ns;
    if (job->options.pairs != NULL || job->options.search.from != NULL) {
        status = search(job, &graph, load_ns, out);
    } else {
        describe(&graph, out);
    }
    mpi_graph_release(&graph);
    return status;
}

/* Open the output of rank 0, run, close it. */
static int run_into_output(struct job *job)
{
    const char *const path = job->options.output;
    struct file_claims claims = {.count = 0};
    struct command_error error = {""};
    struct graph_error opening = {0};
    FILE *out = NULL;
    if (job->rank == 0 && file_claims_have(&claims, job->options.graph, false, &error) &&
        file_claims_have(&claims, job->options.pairs, false, &error) &&
        file_claims_have(&claims, path, true, &error)) {
        out = output_open(path, &error);
    }
    snprintf(opening.message, sizeof(opening.message), "%.500s", error.message);
    if (!mpi_all_agree(MPI_COMM_WORLD, job->rank != 0 || out != NULL, &opening)) {
        return fail(job, EXIT_FAILED, opening.message);
    }
    int status = run(job, out);
    if (job->rank == 0 && !output_close(out, path, status == EXIT_OK, &error) &&
        status == EXIT_OK) {
        status = fail(job, EXIT_FAILED, error.message);
    }
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return status;
}

/* True if a launcher has started this process, so that there may be other ranks. */
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
    int threads; /* every library allows calls from one thread */
    MPI_Init_thread(&argument_count, &arguments, MPI_THREAD_FUNNELED, &threads);
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
        status = run_into_output(&job);
    }
    ignore_signals();
    MPI_Finalize();
    return status;
}

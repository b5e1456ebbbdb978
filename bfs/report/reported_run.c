/*
 * reported_run.c - the callbacks of a run: progress before a search, its report row after it.
 */
#include "reported_run.h"
#include "base/program/interrupt.h"
#include "base/program/output.h"
#include "base/text/text_stream.h"
#include "bfs/pwgraph/paths/path_count.h"
#include "bfs/search/processor.h"
#include <stdlib.h>

static void before_search(void *context, uint64_t trial, size_t position)
{
    const struct reported_run *run = context;
    char pass[64] = "";
    if (trial == 0) {
        snprintf(pass, sizeof(pass), "warm-up, ");
    } else if (run->options->trials > 1) {
        snprintf(pass, sizeof(pass), "trial %llu of %llu, ", (unsigned long long)trial,
                 (unsigned long long)run->options->trials);
    }
    progress_show(run->progress, false, "%ssearch %zu of %zu", pass, position + 1,
                  run->report.search_count);
}

/* The next pair of a pipe; false if it ends, or a line of it is wrong. */
static bool next_pair(void *context, struct pair *pair)
{
    struct reported_run *run = context;
    struct inputs *inputs = run->report.inputs;
    if (!inputs_next_pair(inputs, run->progress, &run->pairs_error)) {
        return false;
    }
    *pair = inputs->pairs.items[inputs->pairs.count - 1];
    run->report.search_count = inputs->pairs.count;
    return true;
}

static bool after_search(void *context, const struct search_row *row)
{
    struct reported_run *run = context;
    search_totals_add(&run->totals, row);
    if (row->result.status == SEARCH_DONE && row->result.elapsed_ns != SEARCH_COUNT_UNKNOWN) {
        time_histogram_add(run->report.times, row->result.elapsed_ns);
    }
    region_counters_add(run->report.counters);
    progress_clear(run->progress);
    run->is_limit_reached = region_counters_limit_reached(run->report.counters);
    const bool is_written =
        search_report_row(&run->report, row) &&
        (run->report.inputs->stream == NULL || report_failed(&run->report.report) == 0);
    return is_written && !run->is_limit_reached;
}

/* The counters, as the run sees them. */
static void count_before(void *context, size_t pass)
{
    region_counters_before(context, pass);
}

static void count_after(void *context, const struct search_result *result)
{
    region_counters_after(context, result->visited);
}

static struct run_meter meter_of(struct region_counters *counters)
{
    return (struct run_meter){
        .region = {region_counters_begin, region_counters_end, counters},
        .passes = region_counters_passes(counters),
        .is_untimed = region_counters_simulated(counters),
        .before = count_before,
        .after = count_after,
    };
}

/* With --require-counters: true if every counter has a value. */
static bool counters_complete(const struct reported_run *run, struct command_error *error)
{
    struct command_error why;
    return !run->options->counters.required ||
           region_counters_complete(run->report.counters, &why) ||
           command_fail(error, "--require-counters: %s", why.message);
}

/* Say how the run ended; error: the run's own message. Returns the exit status, after a message if
 * something went wrong. */
static int finish(struct reported_run *run, enum run_outcome outcome, struct command_error *error)
{
    const unsigned long long rows = run->totals.rows;
    const unsigned long long no_memory = run->totals.ended[SEARCH_NO_MEMORY];
    const unsigned long long diverged = run->totals.ended[SEARCH_DIVERGED];
    struct search_report *report = &run->report;
    int status = EXIT_FAILED;
    if (!run->is_whole) {
        output_fail(run->options->report.output, report_failed(&report->report), error);
    } else if (outcome == RUN_WRONG || outcome == RUN_NO_THREADS) {
        status = EXIT_FAILED; /* the run has said why */
    } else if (outcome == RUN_NO_MEMORY) {
        command_fail(error, "out of memory for the %s engine's workspace", report->engine->name);
    } else if (run->pairs_error.message[0] != '\0' && outcome == RUN_COMPLETE) {
        command_fail(error, "%s", run->pairs_error.message);
    } else if (outcome == RUN_INTERRUPTED) {
        status = interrupt_exit_status();
        command_fail(error, "interrupted after %llu searches",
                     rows - run->totals.ended[SEARCH_CANCELLED]);
    } else if (no_memory > 0) {
        command_fail(error, "out of memory in %llu of %llu searches", no_memory, rows);
    } else if (diverged > 0) {
        command_fail(error, "diverged in %llu of %llu searches", diverged, rows);
    } else if (report->paths_missing) {
        command_fail(error, "out of memory for the names of nodes");
    } else if (counters_complete(run, error)) {
        return EXIT_OK;
    }
    return progress_fail(run->progress, status, "%s", error->message);
}

/* Note that a simulation did not make all searches. */
static void note_limit(const struct reported_run *run)
{
    unsigned long long made = run->totals.rows;
    unsigned long long all = run->report.search_count * run->options->trials;
    if (made < all) {
        progress_note(run->progress,
                      "%llu of %llu searches fit the limit of %.0f s; --only chooses others, "
                      "--sim-limit allows more time",
                      made, all, (double)run->options->counters.simulation_limit_ns / 1e9);
    }
}

/* Make the searches, report them, and say how the run ended. */
static int search(struct reported_run *run, FILE *out)
{
    struct command_error problem;
    const struct options *options = run->options;
    struct search_report *report = &run->report;
    const struct path_count avoiding = {.avoided = report->inputs->avoided,
                                        .avoided_count = report->inputs->avoided_count};
    const struct run_plan plan = {
        .engine = report->engine,
        .graph = &report->inputs->graph,
        .pairs = report->inputs->pairs.items,
        .numbers = report->numbers,
        .number_count = report->search_count,
        .trials = options->trials,
        .warmups = options->warmups,
        .limits = {.timeout_ns = options->timeout_ns, .cancel = interrupt_flag()},
        .threads = report->threads,
        .division = options->parallel == PARALLEL_SEARCH ? RUN_DIVIDE_SEARCH : RUN_DIVIDE_PAIRS,
        .pin = options->pin,
        .avoided = {.like = avoiding.avoided_count > 0 ? &avoiding : NULL,
                    .nodes = avoiding.avoided,
                    .count = avoiding.avoided_count},
        .paths = options->answers.path,
        .verify = options->answers.verify,
        .meter = meter_of(report->counters),
        .problem = &problem,
        .next = report->inputs->stream != NULL ? next_pair : NULL,
        .before = before_search,
        .after = after_search,
        .context = run,
    };
    search_report_begin(report, out);
    processor_remember_allowed();
    enum run_outcome outcome = run_searches(&plan, &report->setup_ns, &report->wall_ns);
    const uint64_t *ended = run->totals.ended;
    const bool refused =
        ended[SEARCH_NO_MEMORY] + ended[SEARCH_DIVERGED] > 0 || run->pairs_error.message[0] != '\0';
    progress_clear(run->progress);
    if (outcome == RUN_STOPPED && run->is_limit_reached) {
        outcome = RUN_COMPLETE;
        note_limit(run);
    }
    report->status = outcome == RUN_INTERRUPTED            ? "interrupted"
                     : outcome == RUN_COMPLETE && !refused ? "complete"
                                                           : "failed";
    run->is_whole = search_report_end(report, &run->totals);
    return finish(run, outcome, &problem);
}

int reported_run(struct reported_run *run, FILE *out)
{
    struct search_report *report = &run->report;
    struct command_error error;
    int status = search_selection_resolve(run->options->only, report->inputs->pairs.count,
                                          &report->numbers, &report->search_count, &error);
    if (status != EXIT_OK) {
        return progress_fail(run->progress, status, "%s", error.message);
    }
    report->times = calloc(1, sizeof(*report->times));
    status = report->times != NULL
                 ? search(run, out)
                 : progress_fail(run->progress, EXIT_FAILED, "out of memory for the times");
    free(report->times);
    report->times = NULL;
    free(report->numbers);
    return status;
}

char *reported_run_nothing(const struct reported_run *run, size_t *length)
{
    struct search_report report = run->report;
    const struct search_totals nothing = {0};
    char *text = NULL;
    *length = 0;
    FILE *out = text_stream_open(&text, length);
    if (out != NULL) {
        report.status = "interrupted";
        search_report_begin(&report, out);
        search_report_end(&report, &nothing);
        fclose(out);
    }
    return text;
}

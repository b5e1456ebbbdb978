/*
 * comparison.c - lets the configurations take turns, and writes the table of results.
 *
 * Counts come from the last run: with an allocator they are the same in every run. Times are
 * compared with the first configuration's.
 */
#include "comparison.h"
#include "alloc/specification.h"
#include "base/macros.h"
#include "base/program/interrupt.h"
#include "base/program/output.h"
#include "base/pw_assert.h"
#include "base/report/report.h"
#include "base/report/side_by_side.h"
#include "base/report/turns.h"
#include "bfs/options/operands.h"
#include "bfs/report/allocator_list.h"
#include "build_info.h"
#include "configuration.h"
#include "counters/resources.h"
#include <stdlib.h>
#include <string.h>

#define ROUNDS 5 /* without --trials */

bool comparison_is_asked(const struct options *options)
{
    const char *allocators = options->allocator;
    return (allocators != NULL && allocators[node_specification_length(allocators)] != '\0') ||
           strchr(options->engine, ',') != NULL;
}

/* Refuse options that cannot be compared. */
static bool check(const struct options *options, struct command_error *error)
{
    const struct answer_options *answers = &options->answers;
    if (answer_options_ask(answers)) {
        return command_fail(error, "several allocators or engines are compared with PAIRS, not "
                                   "with a question");
    }
    if (options->counters.simulation != NULL) {
        return command_fail(error, "--sim simulates one allocator and engine at a time");
    }
    if (strcmp(options->graph, "-") == 0 || strcmp(options->pairs, "-") == 0) {
        return command_fail(error, "standard input can be read once, and every run of a "
                                   "comparison reads GRAPH and PAIRS");
    }
    return operands_spare(options, error) && operands_check(options, error);
}

/* The table of runs ------------------------------------------------------------------------- */

static unsigned short names_width(const struct comparison *comparison, bool engines)
{
    size_t widest = 0;
    for (size_t i = 0; i < comparison->configuration_count; i++) {
        const struct configuration *configuration = &comparison->configurations[i];
        const char *name = engines ? configuration->engine->name : configuration->allocator;
        size_t width = text_width(name);
        widest = width > widest ? width : widest;
    }
    return (unsigned short)(widest < REPORT_LEFT / 2 ? widest : REPORT_LEFT / 2);
}

static struct report_value allocator_value(const struct configuration *configuration)
{
    return report_text(configuration->allocator[0] != '\0' ? configuration->allocator : NULL);
}

/* The first columns of both tables. */
static size_t name_cells(const struct comparison *comparison, size_t index,
                         struct report_cell *cells)
{
    const struct configuration *configuration = &comparison->configurations[index];
    const bool allocators = comparison->several_allocators;
    cells[0] = (struct report_cell){{"allocator", allocators ? "allocator" : NULL, NULL,
                                     REPORT_LEFT + names_width(comparison, false), 0},
                                    allocator_value(configuration)};
    cells[1] = (struct report_cell){{"engine", comparison->several_engines ? "engine" : NULL, NULL,
                                     REPORT_LEFT + names_width(comparison, true), 0},
                                    report_text(configuration->engine->name)};
    return 2;
}

#define RUN_CELLS 7

static void run_cells(const struct comparison *comparison, size_t round, size_t index,
                      struct report_cell cells[RUN_CELLS])
{
    const struct run_result *run = &comparison->configurations[index].runs[round];
    size_t count = name_cells(comparison, index, cells + 1) + 1;
    cells[0] = (struct report_cell){{"round", "round", NULL, 5, 0}, report_id(round + 1)};
    cells[count++] =
        (struct report_cell){{"seconds", "time", NULL, 7, 0}, report_seconds(run->elapsed_ns)};
    cells[count++] =
        (struct report_cell){{"malloc_calls", comparison->has_list ? "mallocs" : NULL, NULL, 10, 0},
                             report_count(run->malloc_calls)};
    cells[count++] = (struct report_cell){{"peak_rss_bytes", "peak memory", NULL, 11, 0},
                                          report_bytes(run->peak_rss_bytes)};
    cells[count++] = REPORT_DATA("unfinished", report_integer(run->unfinished));
    pw_assert(count == RUN_CELLS);
}

/* Make one run, and add its row; see turns.h. */
static enum turn take_turn(void *context, size_t round, size_t index)
{
    struct comparison *comparison = context;
    struct report *report = comparison->report;
    struct report_cell cells[RUN_CELLS];
    if (!configuration_run(comparison, round, index, comparison->error)) {
        return TURN_ENDED;
    }
    run_cells(comparison, round, index, cells);
    if (comparison->shows_runs) {
        report_table_row(report, NULL, cells, RUN_CELLS);
    }
    if (report_failed(report) != 0) {
        output_fail(comparison->options->report.output, report_failed(report), comparison->error);
        return TURN_ENDED;
    }
    return TURN_MADE;
}

/* The table side by side -------------------------------------------------------------------- */

struct row_texts {
    struct side_text side;
    char node[TEXT_FORM_SIZE];
};

#define ROW_CELLS 24

/* A row of the table; scratch: room for three numbers per round. */
static size_t row_cells(const struct comparison *comparison, size_t index, double *scratch,
                        struct row_texts *texts, struct report_cell cells[ROW_CELLS])
{
    const struct configuration *configuration = &comparison->configurations[index];
    const struct configuration *first = &comparison->configurations[0];
    const size_t rounds = comparison->rounds_done;
    double *base = scratch;
    double *own = index > 0 ? base + rounds : base;
    const struct run_result *last = &configuration->runs[rounds - 1];
    const bool has_list = configuration->allocator[0] != '\0';
    uint64_t peak = 0;
    for (size_t i = 0; i < rounds; i++) {
        base[i] = (double)first->runs[i].elapsed_ns;
        own[i] = (double)configuration->runs[i].elapsed_ns;
        uint64_t bytes = configuration->runs[i].peak_rss_bytes;
        peak = bytes > peak ? bytes : peak;
    }
    const struct side_times times = {base, own, rounds, scratch + 2 * rounds};
    double node_bytes = has_list ? allocator_list_node_bytes(configuration->allocator) : 0;
    snprintf(texts->node, sizeof(texts->node), "%.1f B", node_bytes);
    const struct report_cell before[] = {
        REPORT_DATA("rounds", report_integer(rounds)),
        REPORT_DATA("searches", report_integer(last->searches)),
        REPORT_DATA("unfinished", report_integer(last->unfinished)),
    };
    const struct report_cell after[] = {
        {{"malloc_calls", comparison->has_list ? "mallocs" : NULL, NULL, 10, 0},
         report_if(has_list, report_count(last->malloc_calls))},
        REPORT_DATA("free_calls", report_if(has_list, report_count(last->free_calls))),
        {{NULL, comparison->has_list ? "per node" : NULL, NULL, 8, 0},
         report_text(node_bytes > 0 ? texts->node : NULL)},
        REPORT_DATA("node_bytes", report_if(node_bytes > 0, report_real(node_bytes, 1))),
        {{"peak_rss_bytes", "peak mem", NULL, 8, 0}, report_bytes(peak)},
        REPORT_DATA("visited", report_integer(last->visited)),
    };
    size_t count = name_cells(comparison, index, cells);
    memcpy(cells + count, before, sizeof(before));
    count += COUNT_OF(before);
    count += side_cells(cells + count, &times, &texts->side);
    pw_assert(count + COUNT_OF(after) <= ROW_CELLS);
    memcpy(cells + count, after, sizeof(after));
    return count + COUNT_OF(after);
}

static void explain(const struct comparison *comparison, struct report *report)
{
    char note[900];
    const size_t rounds = comparison->rounds_done;
    side_explain(report, comparison->configurations[0].name, rounds, "--trials=5");
    for (size_t i = 0; i < comparison->configuration_count; i++) {
        const struct configuration *one = &comparison->configurations[i];
        if (one->runs[rounds - 1].malloc_calls == UINT64_MAX) {
            snprintf(note, sizeof(note), "Mallocs are not known of %.300s, which calls its own.",
                     one->name);
            report_note(report, note);
        }
    }
}

/* Say what is equal in all runs. A run that differed would have ended the comparison. */
static void write_agreement(const struct comparison *comparison, struct report *report)
{
    const size_t runs = comparison->rounds_done * comparison->configuration_count;
    uint64_t answers = 0;
    bool is_alike = !comparison->counts_vary; /* all must count alike */
    for (size_t i = 0; i < comparison->answer_count; i++) {
        answers += comparison->answers[i] != ANSWER_UNKNOWN;
    }
    for (size_t i = 0; i < comparison->configuration_count; i++) {
        is_alike = is_alike && comparison->configurations[i].counts_as == 0;
    }
    const bool by_engine = !is_alike && !comparison->counts_vary && comparison->rounds_done > 1;
    const struct report_field fields[] = {
        {"answers", NULL, report_integer(answers)},
        {"counts", NULL,
         report_text(is_alike    ? "all runs"
                     : by_engine ? "runs of one engine"
                                 : NULL)},
    };
    if (report->format == REPORT_FORMAT_JSON) {
        report_section(report, "agreement", NULL, fields, COUNT_OF(fields));
    } else if (answers > 0) {
        static const char counts[] = "nodes visited and expanded, pushes, queue peaks";
        char note[300];
        int used = snprintf(note, sizeof(note), "The %zu runs gave the same %llu answer%s", runs,
                            (unsigned long long)answers, answers == 1 ? "" : "s");
        snprintf(note + used, sizeof(note) - (size_t)used, "%s%s.",
                 is_alike                  ? " and the same counts: "
                 : by_engine               ? ", and runs of one engine the same counts: "
                 : comparison->counts_vary ? "; counts vary where threads share a search"
                                           : "; their counts are of different engines",
                 is_alike || by_engine ? counts : "");
        report_note(report, note);
    }
}

static bool write_side_by_side(const struct comparison *comparison, struct report *report)
{
    const size_t rounds = comparison->rounds_done;
    double *scratch = calloc(3 * rounds, sizeof(*scratch));
    struct row_texts texts;
    struct report_cell cells[ROW_CELLS];
    if (scratch == NULL) {
        return false;
    }
    report->lines = true;
    for (size_t i = 0; i < comparison->configuration_count; i++) {
        size_t count = row_cells(comparison, i, scratch, &texts, cells);
        if (i == 0) {
            report_table_begin(report, "configurations", cells, count);
        }
        report_table_row(report, NULL, cells, count);
    }
    free(scratch);
    report_table_end(report);
    explain(comparison, report);
    write_agreement(comparison, report);
    return true;
}

/* The whole --------------------------------------------------------------------------------- */

static void write_context(const struct comparison *comparison, struct report *report)
{
    const struct options *options = comparison->options;
    const struct configuration *first = &comparison->configurations[0];
    const struct report_field fields[] = {
        PROGRAM_FIELDS("bfs"),
        MACHINE_FIELDS,
        {"graph", "graph", report_text(options->graph)},
        {"pairs", "pairs", report_text(options->pairs)},
        {"only", options->only != NULL ? "only" : NULL, report_text(options->only)},
        {NULL, comparison->several_engines ? NULL : "engine", report_text(first->engine->name)},
        {NULL, comparison->several_allocators || !comparison->has_list ? NULL : "allocator",
         allocator_value(first)},
        {"threads", options->input.threads > 1 ? "threads" : NULL,
         report_integer(options->input.threads > 1 ? options->input.threads : 1)},
        {"warmups", options->warmups > 0 ? "warm-ups" : NULL, report_integer(options->warmups)},
        {"rounds", "rounds", report_integer(comparison->rounds)},
    };
    report_section(report, "context", NULL, fields, COUNT_OF(fields));
    if (report->format == REPORT_FORMAT_TEXT) {
        fputc('\n', report->out);
    }
}

/* Make the runs and write the report. Returns the exit status; a failure is in error. */
static int compare(struct comparison *comparison, FILE *out, struct command_error *error)
{
    const struct options *options = comparison->options;
    struct report report;
    struct report_cell cells[RUN_CELLS];
    const struct turns turns = {.case_count = comparison->configuration_count,
                                .rounds = comparison->rounds,
                                .take = take_turn,
                                .context = comparison};
    report_open(&report, out, options->report.format, "pointer-wars-comparison/1");
    if (!options->report.quiet || report.format != REPORT_FORMAT_TEXT) {
        write_context(comparison, &report);
    }
    report.lines = options->report.verbose && !options->report.quiet;
    comparison->report = &report;
    comparison->error = error;
    comparison->shows_runs = /* CSV and Markdown have one table, which is the other one */
        report.format == REPORT_FORMAT_TEXT || report.format == REPORT_FORMAT_JSON;
    run_cells(comparison, 0, 0, cells);
    if (comparison->shows_runs) {
        report_table_begin(&report, "runs", cells, RUN_CELLS);
    }
    comparison->rounds_done = turns_take(&turns, 1);
    const bool made = comparison->rounds_done == comparison->rounds;
    if (comparison->shows_runs) {
        report_table_end(&report);
    }
    const bool whole = comparison->rounds_done == 0 || write_side_by_side(comparison, &report) ||
                       command_fail(error, "out of memory for the times");
    const bool written =
        report_close(&report) || output_fail(options->report.output, report_failed(&report), error);
    if (!made && error->message[0] == '\0') {
        command_fail(error, "interrupted after %zu of %zu rounds", comparison->rounds_done,
                     comparison->rounds);
        return interrupt_exit_status();
    }
    return made && whole && written ? EXIT_OK : EXIT_FAILED;
}

static void free_comparison(struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->configuration_count; i++) {
        free(comparison->configurations[i].runs);
        free(comparison->configurations[i].counts);
    }
    free(comparison->answers);
}

static bool allocate_runs(struct comparison *comparison, struct command_error *error)
{
    for (size_t i = 0; i < comparison->configuration_count; i++) {
        struct configuration *configuration = &comparison->configurations[i];
        configuration->runs = calloc(comparison->rounds, sizeof(*configuration->runs));
        if (configuration->runs == NULL) {
            return command_fail(error, "out of memory for the times of all runs");
        }
    }
    return true;
}

int comparison_run(const struct options *options, char **arguments, struct progress *progress)
{
    static struct comparison comparison;
    struct command_error error = {""};
    FILE *out = NULL;
    int status = EXIT_FAILED;
    comparison =
        (struct comparison){.options = options,
                            .arguments = arguments,
                            .progress = progress,
                            .rounds = options->trials_given ? (unsigned)options->trials : ROUNDS};
    if (!check(options, &error) || !configurations_read(&comparison, &error)) {
        return progress_fail(progress, EXIT_USAGE, "%s", error.message);
    }
    interrupt_install(progress->program);
    progress_open(progress, options->report.progress, options->report.quiet);
    if (allocate_runs(&comparison, &error)) {
        out = output_open(options->report.output, &error);
    }
    if (out != NULL) {
        struct command_error close_error = {""};
        status = compare(&comparison, out, &error);
        if (!output_close(out, options->report.output, comparison.rounds_done > 0, &close_error) &&
            status == EXIT_OK) {
            status = EXIT_FAILED;
            error = close_error;
        }
    }
    free_comparison(&comparison);
    return status == EXIT_OK ? EXIT_OK : progress_fail(progress, status, "%s", error.message);
}

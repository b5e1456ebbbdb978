/*
 * main.c - bfs: the searches of the Pointer Wars challenge on a graph and pairs of your own.
 *
 * The composition root: read the options, open the output, choose the allocator, load, run, report.
 */
#include "alloc/node_allocator.h"
#include "bfs/engines/engines.h"
#include "bfs/engines/parts/large_block.h"
#include "bfs/interactive/interactive.h"
#include "bfs/report/answer_report.h"
#include "bfs/report/counter_report.h"
#include "bfs/report/search_report.h"
#include "bfs/run/allocator_list.h"
#include "bfs/run/call_counts.h"
#include "bfs/run/heap_enlarge.h"
#include "bfs/run/simulation.h"
#include "bfs/run/simulation_child.h"
#include "bfs/search/processor.h"
#include "data/graph/graph_memory.h"
#include "liblist/linked_list.h"
#include "perf/counters/doctor.h"
#include "perf/program/interrupt.h"
#include "perf/program/output.h"
#include "perf/program/progress.h"
#include <stdlib.h>
#include <string.h>

struct program {
    struct options options;
    struct progress progress;
    struct search_report report;
    struct inputs inputs;
    struct search_totals totals;
    struct search_counters counters;
    struct simulation_child simulation; /* folder NULL: this is no simulation's child */
    size_t *numbers;                    /* the searches to make */
    size_t number_count;
    struct heap_enlarge enlarge;
    char allocator[256]; /* the first, whose text goes when it is replaced */
    FILE *out;
};

static int fail(struct program *program, int status, const char *message)
{
    progress_clear(&program->progress);
    fprintf(stderr, "bfs: %s\n", message);
    return status;
}

/* --help, --version and the lists. */
static int inform(struct program *program)
{
    switch (program->options.action) {
    case ACTION_LIST_ALLOCATORS:
        allocator_list_write(stdout);
        break;
    case ACTION_LIST_ENGINES:
        engine_list_write(stdout);
        break;
    case ACTION_DOCTOR:
        doctor_write(stdout, pmu_kernel(), "", &counter_report_offers);
        break;
    default:
        command_inform(&bfs_command, program->options.action);
    }
    struct command_error error;
    return output_close(stdout, NULL, &error) ? EXIT_OK : fail(program, EXIT_FAILED, error.message);
}

/* What the options ask for and can be checked before anything is loaded. */
static bool check_options(struct program *program, struct command_error *error)
{
    const struct options *options = &program->options;
    struct search_report *report = &program->report;
    char names[256];
    report->options = options;
    report->engine = search_engine_find(options->engine);
    if (report->engine == NULL) {
        engine_list_names(names, sizeof(names));
        return command_fail(error, "unknown engine \"%.60s\"; there are %s", options->engine,
                            names);
    }
    report->threads = options->input.threads > 1 ? options->input.threads : 1;
    if ((report->threads > 1 || report->engine->batch != NULL) &&
        strcmp(options->counters.specification, "auto") == 0) {
        program->options.counters.specification = "none"; /* they are of one search at a time */
    }
    if (options->counters.simulation != NULL &&
        (report->threads > 1 || report->engine->batch != NULL)) {
        return command_fail(error, "--sim simulates one search at a time, by one thread: %s",
                            report->threads > 1 ? "leave --threads out"
                                                : "choose an engine other than multi-source");
    }
    if (options->cpu >= 0 && !processor_is_allowed(options->cpu)) {
        return command_fail(error, "--cpu %d: this process may not run on that processor",
                            options->cpu);
    }
    if (!inputs_check(options, error)) {
        return false;
    }
    call_counts_register();
    if (options->allocator != NULL && !linked_list_set_allocator(options->allocator)) {
        return command_fail(error, "--alloc: %s", linked_list_error());
    }
    snprintf(program->allocator, sizeof(program->allocator), "%s", linked_list_allocator());
    report->allocator = program->allocator;
    if (report->allocator[0] == '\0') {
        return command_fail(error, "LINKED_LIST_ALLOC: %s", linked_list_error());
    }
    return true;
}

/* Load the inputs; should Ctrl-C come meanwhile, a report of no searches is written. */
static bool load(struct program *program, struct graph_error *error)
{
    static const char message[] = "bfs: interrupted while loading\n";
    struct search_totals nothing = {0};
    struct search_report report = program->report;
    char *text = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    report.status = "interrupted";
    if (memory != NULL) {
        search_report_begin(&report, memory);
        search_report_end(&report, &nothing);
        fclose(memory);
    }
    interrupt_arm(fileno(program->out), text, text != NULL ? length : 0, message);
    progress_show(&program->progress, true, "loading %s", program->options.graph);
    bool uses_list = program->report.engine->flags & SEARCH_USES_LIST;
    unsigned threads = uses_list ? inputs_threads(program->report.allocator) : 0;
    memory_use_huge_pages(program->options.huge_pages != HUGE_PAGES_NONE);
    large_block_use_huge_pages(program->options.huge_pages == HUGE_PAGES_ALL);
    bool needs_reverse = program->report.engine->flags & SEARCH_NEEDS_REVERSE ||
                         program->options.answers.all_shortest;
    bool loaded = program->simulation.folder != NULL
                      ? simulation_inputs_read(&program->simulation, &program->inputs, error) &&
                            (!needs_reverse || graph_add_reverse(&program->inputs.graph, 0, error))
                      : inputs_load(&program->options, threads, needs_reverse, &program->progress,
                                    &program->inputs, error);
    interrupt_disarm();
    free(text);
    progress_clear(&program->progress);
    return loaded;
}

static void before_search(void *context, uint64_t trial, size_t position)
{
    struct program *program = context;
    if (trial == 0) {
        progress_show(&program->progress, false, "warm-up, search %zu of %zu", position + 1,
                      program->number_count);
    } else if (program->options.trials > 1) {
        progress_show(&program->progress, false, "trial %llu of %llu, search %zu of %zu",
                      (unsigned long long)trial, (unsigned long long)program->options.trials,
                      position + 1, program->number_count);
    } else {
        progress_show(&program->progress, false, "search %zu of %zu", position + 1,
                      program->number_count);
    }
}

static bool after_search(void *context, const struct search_row *row)
{
    struct program *program = context;
    search_totals_add(&program->totals, row);
    search_counters_add(&program->counters);
    progress_clear(&program->progress);
    return search_report_row(&program->report, row);
}

static bool on_no_memory(void *context, bool *from_start)
{
    struct program *program = context;
    char what[200];
    if (!heap_enlarge(&program->enlarge, what, sizeof(what))) {
        return false;
    }
    *from_start = program->enlarge.is_recording;
    program->report.enlarged = program->enlarge.specification;
    progress_clear(&program->progress);
    if (!program->options.quiet) {
        fprintf(stderr, "bfs: note: %s; the %s again\n", what,
                *from_start ? "run is made" : "search is made");
    }
    return true;
}

/* What the allocator has to say at the end: mistakes it found, blocks still alive. */
static void write_allocator_line(void *context, const char *line)
{
    progress_clear(context);
    fprintf(stderr, "bfs: allocator: %s\n", line);
}

/* Have the allocator end the files that it writes. The status, or that of a lost file. */
static int finish_allocator(struct program *program, int status)
{
    struct node_allocator_statistics nodes;
    char message[sizeof(nodes.note) + 16];
    linked_list_final_cleanup();
    linked_list_statistics(&nodes);
    if (nodes.output_lost && status == EXIT_OK) {
        snprintf(message, sizeof(message), "allocator: %s", nodes.note);
        status = fail(program, EXIT_FAILED, message);
    }
    linked_list_set_allocator("malloc"); /* closes them */
    return status;
}

/* Search and report. Returns the exit status; the message of a failure goes to error. */
static int search(struct program *program, struct command_error *error)
{
    const struct options *options = &program->options;
    struct search_report *report = &program->report;
    char *problems = calloc(report->threads, RUN_PROBLEM_SIZE);
    if (problems == NULL) {
        command_fail(error, "out of memory");
        return EXIT_FAILED;
    }
    const struct run_plan plan = {
        .engine = report->engine,
        .graph = &program->inputs.graph,
        .pairs = &program->inputs.pairs,
        .numbers = program->numbers,
        .number_count = program->number_count,
        .trials = options->trials,
        .warmups = options->warmups,
        .limits = {.timeout_ns = options->timeout_ns, .cancel = interrupt_flag()},
        .threads = report->threads,
        .one_search = options->parallel == PARALLEL_SEARCH,
        .pin = options->pin,
        .paths = options->answers.path,
        .verify = options->answers.verify,
        .problem = problems,
        .counters = &program->counters,
        .before = before_search,
        .after = after_search,
        .no_memory = on_no_memory,
        .context = program,
    };
    if (options->cpu >= 0) {
        processor_pin(options->cpu);
    }
    search_report_begin(report, program->out);
    processor_remember_allowed();
    enum run_outcome outcome = run_searches(&plan, &report->setup_ns, &report->wall_ns);
    if (outcome == RUN_WRONG) {
        command_fail(error, "%s", problems);
    }
    free(problems);
    progress_clear(&program->progress);
    report->status = outcome == RUN_INTERRUPTED      ? "interrupted"
                     : program->totals.no_memory > 0 ? "failed"
                     : outcome == RUN_COMPLETE       ? "complete"
                                                     : "failed";
    if (!search_report_end(report, &program->totals)) {
        output_fail(options->output, report_failed(&report->report), error);
        return EXIT_FAILED;
    }
    if (outcome == RUN_WRONG) {
        return EXIT_FAILED;
    }
    if (outcome == RUN_NO_THREADS) {
        command_fail(error, "%u threads could not be started", report->threads);
        return EXIT_FAILED;
    }
    if (outcome == RUN_NO_MEMORY) {
        command_fail(error, "out of memory for the %s engine's workspace", report->engine->name);
        return EXIT_FAILED;
    }
    if (outcome == RUN_INTERRUPTED) {
        command_fail(error, "interrupted after %llu searches",
                     (unsigned long long)(program->totals.rows - program->totals.cancelled));
        return interrupt_exit_status();
    }
    if (program->totals.no_memory > 0) {
        command_fail(error, "out of memory in %llu of %llu searches",
                     (unsigned long long)program->totals.no_memory,
                     (unsigned long long)program->totals.rows);
        return EXIT_FAILED;
    }
    return search_counters_complete(&program->counters, error) ? EXIT_OK : EXIT_FAILED;
}

/* Answer questions. Returns the exit status, after the message of a failure. */
static int converse(struct program *program)
{
    struct command_error error = {"out of memory"};
    int write_error = 0;
    if (!interactive_run(&program->inputs.graph, program->report.engine, program->out,
                         interrupt_flag(), &write_error)) {
        if (write_error != 0) {
            output_fail(program->options.output, write_error, &error);
        }
        return fail(program, EXIT_FAILED, error.message);
    }
    return *interrupt_flag() ? fail(program, interrupt_exit_status(), "interrupted") : EXIT_OK;
}

static int write_histogram(struct program *program)
{
    struct command_error error = {"out of memory for the distances"};
    struct report report;
    if (histogram_report(&report, program->out, program->options.format, &program->inputs.graph,
                         program->inputs.pairs.items[0].source) &&
        (report_close(&report) ||
         output_fail(program->options.output, report_failed(&report), &error))) {
        return EXIT_OK;
    }
    return fail(program, EXIT_FAILED, error.message);
}

/* Everything between the output's opening and its closing. */
static int load_and_search(struct program *program)
{
    struct command_error error = {""};
    struct graph_error graph_error = {0};
    int status = EXIT_FAILED;
    if (!load(program, &graph_error)) {
        return fail(program, EXIT_FAILED, graph_error.message);
    }
    program->report.inputs = &program->inputs;
    if (program->options.answers.interactive) {
        status = converse(program);
        goto done;
    }
    if (program->options.answers.histogram) {
        status = write_histogram(program);
        goto done;
    }
    if (!search_selection_resolve(&program->options.only, program->inputs.pairs.count,
                                  &program->numbers, &program->number_count, &error)) {
        status = fail(program, EXIT_USAGE, error.message);
        goto done;
    }
    if (program->simulation.folder != NULL &&
        program->number_count > program->simulation.search_count) {
        program->number_count = program->simulation.search_count;
    }
    program->report.search_count = program->number_count;
    program->report.folded_from = program->simulation.folded_from;
    if (!search_totals_create(&program->totals, program->number_count, program->options.trials)) {
        status = fail(program, EXIT_FAILED, "out of memory for the times of all trials");
        goto done;
    }
    status = search(program, &error);
    if (status != EXIT_OK) {
        fail(program, status, error.message);
    }
done:
    search_totals_free(&program->totals);
    free(program->numbers);
    inputs_free(&program->inputs);
    return status;
}

/* Open the counters; or, asked to simulate, have another process do it all. False: return status,
 * after the message if there is one. */
static bool open_counters(struct program *program, char **arguments, int *status,
                          struct command_error *error)
{
    const struct counter_options *options = &program->options.counters;
    bool usage = false;
    program->report.counters = &program->counters;
    if (simulation_child_read(&program->simulation)) {
        search_counters_open_simulation(&program->counters, options, program->simulation.folder);
        return true;
    }
    program->simulation.folder = NULL;
    if (options->simulation != NULL) {
        *status = simulation_run(&program->options, arguments, program->report.engine,
                                 &program->progress, error);
        return false;
    }
    if (!search_counters_open(&program->counters, options, error, &usage)) {
        *status = usage ? EXIT_USAGE : EXIT_FAILED;
        return false;
    }
    return true;
}

int main(int argument_count, char **arguments)
{
    (void)argument_count;
    static struct program program;
    struct command_error error = {""};
    int status = EXIT_FAILED;
    output_guard_descriptors();
    if (!options_parse(&program.options, arguments, &error)) {
        return fail(&program, EXIT_USAGE, error.message);
    }
    if (program.options.action != ACTION_RUN) {
        return inform(&program);
    }
    node_allocator_prepare_process(program.options.allocator, arguments);
    node_allocator_prepare_process(getenv("LINKED_LIST_ALLOC"), arguments);
    if (!check_options(&program, &error)) {
        return fail(&program, EXIT_USAGE, error.message);
    }
    interrupt_install();
    progress_open(&program.progress, bfs_command.name, program.options.progress,
                  program.options.quiet);
    if (!open_counters(&program, arguments, &status, &error)) {
        return error.message[0] != '\0' ? fail(&program, status, error.message) : status;
    }
    const char *const inputs[] = {program.options.graph, program.options.pairs,
                                  program.options.input.names_path, NULL};
    program.out = output_open(program.options.output, inputs, &error);
    if (program.out == NULL) {
        return fail(&program, EXIT_FAILED, error.message);
    }
    status = load_and_search(&program);
    search_counters_close(&program.counters);
    linked_list_allocator_report(write_allocator_line, &program.progress);
    status = finish_allocator(&program, status);
    if (!output_close(program.out, program.options.output, &error) && status == EXIT_OK) {
        return fail(&program, EXIT_FAILED, error.message);
    }
    return status;
}

/*
 * main.c - bfs: the searches of the Pointer Wars challenge on a graph and pairs of your own.
 *
 * The composition root: read the options, open the output, choose the allocator, load, run, report.
 */
#include "alloc/specification.h"
#include "base/program/interrupt.h"
#include "base/program/output.h"
#include "base/suggestion.h"
#include "base/text/text_form.h"
#include "bfs/comparison/comparison.h"
#include "bfs/engines/engines.h"
#include "bfs/engines/parts/large_block.h"
#include "bfs/options/operands.h"
#include "bfs/pwgraph/paths/path_count.h"
#include "bfs/report/allocator_list.h"
#include "bfs/report/answer_report.h"
#include "bfs/report/counter_report.h"
#include "bfs/report/reported_run.h"
#include "bfs/run/call_counts.h"
#include "bfs/search/processor.h"
#include "bfs/simulation/simulation.h"
#include "bfs/simulation/simulation_child.h"
#include "counters/doctor.h"
#include "data/graph/graph_blocks.h"
#include "data/graph/graph_memory.h"
#include "data/reverse/graph_reverse.h"
#include "liblist/linked_list_more.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct program {
    struct options options;
    struct progress progress;
    struct region_counters counters;
    const char *simulation_folder; /* NULL: this is no simulation's child */
    struct inputs inputs;
    struct reported_run run;
    char allocator[256]; /* the first; its own text goes when it is replaced */
    FILE *out;
    bool keep; /* out replaces the old file */
};

static int fail(struct program *program, int status, const struct command_error *error)
{
    return progress_fail(&program->progress, status, "%s", error->message);
}

/* --help, --version and the lists. */
static int inform(struct program *program)
{
    static char buffer[1 << 16]; /* holds all of it, so that a full disk is seen at the end */
    struct command_error error;
    setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
    switch (program->options.action) {
    case ACTION_LIST_ALLOCATORS:
        program->options.allocator == NULL
            ? allocator_list_write(stdout)
            : allocator_list_write_each(stdout, program->options.allocator);
        break;
    case ACTION_LIST_ENGINES:
        engine_list_write(stdout);
        break;
    case ACTION_DOCTOR:
        doctor_write(stdout, &pmu_kernel, "", &counter_report_offers);
        break;
    default:
        command_inform(&bfs_command, program->options.action);
    }
    return output_close(stdout, NULL, true, &error) ? EXIT_OK : fail(program, EXIT_FAILED, &error);
}

/* Set error to a name that no engine has. */
static bool fail_unknown_engine(const char *name, struct command_error *error)
{
    struct suggestion near = {.wanted = name, .length = strlen(name)};
    struct node_specification parsed;
    struct node_allocator_error not_one;
    char text[SUGGESTION_SIZE];
    near.most = suggestion_most(near.length);
    if (node_specification_parse(name, &parsed, &not_one)) {
        return command_fail(error, "--engine: \"%.60s\" is an allocator; write --alloc=%.60s", name,
                            name);
    }
    for (const struct search_engine *const *engine = search_engines(); *engine; engine++) {
        suggestion_offer(&near, (*engine)->name);
    }
    return command_fail(error, "unknown engine \"%.60s\"%s", name,
                        near.count > 0 ? suggestion_text(&near, "", text)
                                       : "; --list-engines lists them");
}

/* Choose the engine and the number of threads. */
static bool choose_engine(struct program *program, struct command_error *error)
{
    const struct options *options = &program->options;
    struct search_report *report = &program->run.report;
    const bool avoids = options->answers.without.count > 0;
    report->engine = avoids ? &avoiding_engine : search_engine_find(options->engine);
    report->threads = options->input.threads > 1 ? options->input.threads : 1;
    return report->engine != NULL || fail_unknown_engine(options->engine, error);
}

/* True if one thread makes one search at a time, so that a search can be counted or simulated. */
static bool searches_one_by_one(const struct search_report *report)
{
    return report->threads == 1 && report->engine->batch == NULL;
}

/* Check that the other options suit the engine and this machine. */
static bool check_choice(const struct program *program, struct command_error *error)
{
    const struct options *options = &program->options;
    const struct search_report *report = &program->run.report;
    if (options->parallel == PARALLEL_SEARCH && report->engine->set_threads == NULL) {
        char names[256];
        engine_list_names(names, sizeof(names), true);
        return command_fail(error,
                            "--parallel=search: one search of the engine %s takes one thread; "
                            "%s take several",
                            report->engine->name, names);
    }
    if (options->counters.simulation != NULL && !searches_one_by_one(report)) {
        return command_fail(error, "--sim simulates one search at a time, by one thread: %s",
                            report->threads > 1 ? "leave --threads out"
                                                : "choose an engine other than multi-source");
    }
    if (options->cpu >= 0 && !processor_is_allowed(options->cpu)) {
        return command_fail(error, "--cpu %d: this process may not run on that processor",
                            options->cpu);
    }
    return operands_check(options, error);
}

/* If foreign code crashes in this process, say which code it was, and what finds the mistake. */
static void explain_foreign_crash(const char *allocator)
{
    char message[900];
    if (node_specification_has(allocator, NODE_ALLOCATOR_FOREIGN)) {
        snprintf(message, sizeof(message),
                 "with the allocator %s; to find out why: allocbench check --alloc '%s'", allocator,
                 allocator);
        interrupt_explain_crash(message);
    }
}

/* Choose the allocator of the list's nodes: --alloc, or the environment's, or malloc. */
static bool choose_allocator(struct program *program, struct command_error *error)
{
    const char *wanted = program->options.allocator;
    call_counts_register();
    if (wanted != NULL && search_engine_find(wanted) != NULL) {
        return command_fail(error, "--alloc: \"%.60s\" is an engine; write --engine=%.60s", wanted,
                            wanted);
    }
    if (wanted != NULL && !linked_list_set_allocator(wanted)) {
        return command_fail(error, "--alloc: %s", linked_list_error());
    }
    snprintf(program->allocator, sizeof(program->allocator), "%s", linked_list_allocator());
    program->run.report.allocator = program->allocator;
    explain_foreign_crash(program->allocator);
    return program->allocator[0] != '\0' || command_fail(error, "%s", linked_list_error());
}

/* The counters to open. With auto no counter is opened if no report shows them, or if searches
 * share them. */
static const char *wanted_counters(const struct program *program)
{
    const char *wanted = program->options.counters.specification;
    const bool are_of_use =
        !program->options.report.answer_alone && searches_one_by_one(&program->run.report);
    return strcmp(wanted, "auto") == 0 && !are_of_use ? "none" : wanted;
}

/* Open the counters that --counters names. Returns -1 to go on, or the exit status, after a
 * message. */
static int count(struct program *program)
{
    const struct counter_options *options = &program->options.counters;
    struct command_error why, error;
    if (!region_counters_open(&program->counters, wanted_counters(program), options->passes,
                              &why)) {
        command_fail(&error, "--counters: %s", why.message);
        return fail(program, EXIT_USAGE, &error);
    }
    if (options->required && !region_counters_available(&program->counters, &why)) {
        region_counters_close(&program->counters);
        command_fail(&error, "--require-counters: %s", why.message);
        return fail(program, EXIT_FAILED, &error);
    }
    return -1;
}

/* Open the counters; or, asked to simulate, have another process do all the rest. Returns as
 * count does. */
static int open_counters(struct program *program, char **arguments)
{
    const struct counter_options *options = &program->options.counters;
    struct cache_geometry geometry;
    struct command_error error = {""};
    program->simulation_folder = simulation_child_folder();
    if (program->simulation_folder != NULL) { /* the text of the caches was checked before */
        cache_geometry_parse(&geometry, options->simulation, &error);
        region_counters_open_simulation(&program->counters, &geometry, options->simulation_limit_ns,
                                        program->simulation_folder);
        return -1;
    }
    if (options->simulation != NULL) {
        int status = simulation_run(&program->options, arguments, program->run.report.engine,
                                    &program->progress, &error);
        return error.message[0] != '\0' ? fail(program, status, &error) : status;
    }
    return count(program);
}

/* True if the only search answers a question, and reads a small part of the graph. */
static bool asks_by_block(const struct program *program)
{
    const struct options *options = &program->options;
    const struct answer_options *answers = &options->answers;
    return answers->to != NULL && options->report.answer_alone && !answers->verify &&
           program->run.report.engine->flags & SEARCH_BY_BLOCK;
}

/* True if PAIRS is a pipe, and the run needs no more than one pair at a time. */
static bool answers_at_once(const struct program *program)
{
    const struct options *options = &program->options;
    const struct search_report *report = &program->run.report;
    struct stat status;
    return options->pairs != NULL && strcmp(options->pairs, "-") == 0 &&
           fstat(STDIN_FILENO, &status) == 0 && !S_ISREG(status.st_mode) &&
           options->report.format != REPORT_FORMAT_JSON && options->only == NULL &&
           options->trials == 1 && options->warmups == 0 && options->counters.simulation == NULL &&
           !run_is_batch(report->engine, options->answers.path) &&
           (report->threads == 1 || options->parallel == PARALLEL_SEARCH);
}

/* Load the inputs. If Ctrl-C comes meanwhile, a report of no searches goes to standard output, and
 * an old file stays. */
static bool load(struct program *program, struct graph_error *error)
{
    const struct options *options = &program->options;
    const struct search_engine *engine = program->run.report.engine;
    struct inputs *inputs = &program->inputs;
    unsigned threads = engine->flags & SEARCH_USES_LIST ? inputs_threads(program->allocator) : 0;
    const bool reverse =
        engine->flags & SEARCH_NEEDS_REVERSE || answer_options_ask(&options->answers);
    program->options.input.by_block = asks_by_block(program);
    program->options.report.answers_at_once = answers_at_once(program);
    size_t length = 0;
    char *text = options->report.answer_alone ? NULL : reported_run_nothing(&program->run, &length);
    interrupt_arm(fileno(program->out), text != NULL ? text : "", text != NULL ? length : 0,
                  "interrupted while loading");
    progress_show(&program->progress, true, "loading %s", options->graph);
    memory_use_huge_pages(options->huge_pages != HUGE_PAGES_NONE);
    large_block_use_huge_pages(options->huge_pages == HUGE_PAGES_ALL);
    bool loaded = program->simulation_folder != NULL
                      ? simulation_inputs_read(program->simulation_folder, inputs,
                                               &program->run.report.folded_from, error) &&
                            (!reverse || inputs->graph.in_offsets != NULL ||
                             graph_add_reverse(&inputs->graph, 0, NULL, error))
                      : inputs_load(options, threads, reverse, &program->progress, inputs, error);
    interrupt_disarm();
    free(text);
    progress_clear(&program->progress);
    return loaded;
}

/* Write the answer to the question of --from and --to, or of --histogram, and nothing else. */
static int answer_question(struct program *program)
{
    const struct options *options = &program->options;
    const struct inputs *inputs = &program->inputs;
    struct command_error error = {"out of memory"};
    struct asker asker;
    if (!asker_open(&asker, inputs->asked, options->engine, options->timeout_ns, interrupt_flag(),
                    options->answers.verify, &error)) {
        return fail(program, EXIT_FAILED, &error);
    }
    const bool done =
        (inputs->avoided_count == 0 ||
         asker_avoid(&asker, inputs->avoided, inputs->avoided_count, &error)) &&
        (options->answers.histogram
             ? histogram_alone(program->out, options, inputs, &asker, &error)
             : answer_alone(program->out, options, inputs, &asker, &program->progress, &error));
    asker_close(&asker);
    return done ? EXIT_OK
                : fail(program, *interrupt_flag() ? interrupt_exit_status() : EXIT_FAILED, &error);
}

/* Everything between opening and closing the output. */
static int load_and_search(struct program *program)
{
    struct reported_run *run = &program->run;
    struct graph_error error = {0};
    int status = EXIT_OK;
    if (!load(program, &error)) {
        const bool is_usage =
            error.remedy == GRAPH_REMEDY_SWAP || error.remedy == GRAPH_REMEDY_LIST;
        status = is_usage ? EXIT_USAGE : EXIT_FAILED;
        return progress_fail(&program->progress, status, "%s", error.message);
    }
    if (program->options.cpu >= 0) {
        processor_pin(program->options.cpu);
    }
    if (program->options.report.answer_alone) {
        status = answer_question(program);
        program->keep = status == EXIT_OK;
    } else {
        status = reported_run(run, program->out);
        program->keep = run->is_whole;
    }
    inputs_free(&program->inputs);
    return status;
}

/* The allocator's final report: mistakes it found, blocks still alive. */
static void write_allocator_line(void *context, const char *line)
{
    progress_fail(context, EXIT_OK, "allocator: %s", line);
}

/* Have the allocator finish its files. Returns the status, or EXIT_FAILED if a file was lost. */
static int finish_allocator(struct program *program, int status)
{
    struct node_allocator_statistics nodes;
    linked_list_allocator_report(write_allocator_line, &program->progress);
    linked_list_final_cleanup();
    linked_list_statistics(&nodes);
    if (nodes.output_lost && status == EXIT_OK) {
        status = progress_fail(&program->progress, EXIT_FAILED, "allocator: %s", nodes.note);
    }
    linked_list_set_allocator("malloc"); /* closes them */
    return status;
}

int main(int argument_count, char **arguments)
{
    (void)argument_count;
    static struct program program = {.progress = {.program = "bfs"}};
    const struct options *options = &program.options;
    struct command_error error = {""};
    output_guard_descriptors();
    if (!options_parse(&program.options, arguments, &error)) {
        return fail(&program, EXIT_USAGE, &error);
    }
    if (options->action != ACTION_RUN) {
        return inform(&program);
    }
    if (comparison_is_asked(options)) {
        return comparison_run(options, arguments, &program.progress);
    }
    program.run.options = options;
    program.run.progress = &program.progress;
    program.run.report.options = options;
    program.run.report.inputs = &program.inputs;
    program.run.report.counters = &program.counters;
    node_allocator_prepare_process(options->allocator, arguments);
    node_allocator_prepare_process(getenv("LINKED_LIST_ALLOC"), arguments);
    if (!choose_engine(&program, &error) || !check_choice(&program, &error)) {
        return fail(&program, EXIT_USAGE, &error);
    }
    if (!operands_spare(options, &error)) {
        return fail(&program, EXIT_FAILED, &error);
    }
    errno = 0;
    if (!choose_allocator(&program, &error)) {
        return fail(&program, command_refusal(errno), &error);
    }
    interrupt_install(program.progress.program);
    progress_open(&program.progress, options->report.progress, options->report.quiet);
    int status = open_counters(&program, arguments);
    if (status >= 0) {
        return status;
    }
    program.out = output_open(options->report.output, &error);
    if (program.out == NULL) {
        return fail(&program, EXIT_FAILED, &error);
    }
    status = load_and_search(&program);
    region_counters_close(&program.counters);
    status = finish_allocator(&program, status);
    if (!output_close(program.out, options->report.output, program.keep, &error) &&
        status == EXIT_OK) {
        return fail(&program, EXIT_FAILED, &error);
    }
    return status;
}

/*
 * allocbench.c - published measurements of dynamic allocation, repeated with any allocator.
 *
 * The composition root: reads the options, runs one experiment, writes its result.
 * `check` measures nothing: it checks an allocator against its contract.
 */
#include "allocbench.h"
#include "allocbench_options.h"
#include "base/macros.h"
#include "base/program/interrupt.h"
#include "base/program/output.h"
#include "base/program/progress.h"
#include "base/report/clock.h"
#include "base/suggestion.h"
#include "perf/program/recording.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct bench_experiment *const experiments[] = {
    &bench_sizes,        &bench_exhaustion,    &bench_worst_case, &bench_purge, &bench_replay,
    &bench_pointer_wars, &bench_distributions, &bench_estimate,   &bench_queue, &bench_ageing,
    &bench_program,      &bench_trace,         &bench_memory};

/* What measures nothing. */
static const struct {
    const char *name, *summary;
} others[] = {
    {"record", "what a command asks of malloc, into a file: record -o FILE -- COMMAND..."},
    {"check", "whether --alloc keeps every rule, each run with the next seed; exit 1 if not"},
};

static const struct bench_experiment *find_experiment(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(experiments); i++) {
        if (strcmp(experiments[i]->name, name) == 0) {
            return experiments[i];
        }
    }
    return NULL;
}

/* How many bytes a summary has before the usage that follows the colon. */
static int length_of(const char *summary)
{
    const char *usage = strstr(summary, ": ");
    return (int)(usage != NULL ? (size_t)(usage - summary) : strlen(summary));
}

static void write_summary(const char *name, const char *summary)
{
    char words[200];
    snprintf(words, sizeof(words), "%.*s", length_of(summary), summary);
    printf("  %-14s ", name);
    text_wrap(stdout, words, 17, 17, 80);
}

static void write_experiments(void)
{
    fputs("Usage: allocbench EXPERIMENT [OPTION]...\n\n"
          "Repeat published measurements of what dynamic allocation costs, with any\n"
          "allocator. Allocators take turns, each run in a separate process; a figure is a\n"
          "median. \"bfs-study experiments\" (perf/study in the source tree) runs it and\n"
          "makes a page with plots.\n\n"
          "Experiments:\n",
          stdout);
    for (size_t i = 0; i < COUNT_OF(experiments); i++) {
        write_summary(experiments[i]->name, experiments[i]->summary);
    }
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        write_summary(others[i].name, others[i].summary);
    }
    fputs("\nallocbench EXPERIMENT --help has the options of one.\n", stdout);
}

/* True if the operands of an experiment are a command; of "memory" it may be a file instead. */
static bool is_of_command(const char *name)
{
    return strcmp(name, "program") == 0 || strcmp(name, "record") == 0 ||
           strcmp(name, "memory") == 0;
}

/* The help of one experiment, "record" or "check"; false: the name is of none. */
static bool write_help_of(const char *name)
{
    const struct bench_experiment *experiment = find_experiment(name);
    const char *summary = experiment != NULL ? experiment->summary : NULL;
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        summary = strcmp(others[i].name, name) == 0 ? others[i].summary : summary;
    }
    if (summary == NULL) {
        return false;
    }
    const char *usage = strstr(summary, ": ");
    printf("Usage: allocbench %s%s\n\n", usage != NULL ? usage + 2 : name,
           usage != NULL ? "" : " [OPTION]...");
    char sentence[200];
    snprintf(sentence, sizeof(sentence), "It %s %.*s.",
             strcmp(name, "record") == 0  ? "writes"
             : strcmp(name, "check") == 0 ? "checks"
                                          : "measures",
             length_of(summary), summary);
    text_wrap(stdout, sentence, 0, 0, 80);
    allocbench_write_help(stdout, name);
    return true;
}

/* The output of --help, of one experiment or all, --version and --list-allocs. */
static void inform(unsigned action, const char *name)
{
    if (action == ACTION_LIST_ALLOCATORS) {
        for (const struct node_allocator_type *const *type = node_allocator_types(); *type;
             type++) {
            printf("%-12s %s\n", (*type)->name, (*type)->summary);
        }
        return;
    }
    if (action == ACTION_HELP && name != NULL && write_help_of(name)) {
        return;
    }
    if (action == ACTION_HELP) {
        write_experiments();
    }
    command_inform(&allocbench_command, action);
}

static void write_text(const struct bench *bench, FILE *out)
{
    const struct bench_experiment *experiment = bench->experiment;
    const struct bench_result *result = bench->result;
    struct report report;
    char line[800];
    char runs[40] = "one run, which has no spread";
    if (bench->runs > 1) {
        snprintf(runs, sizeof(runs), "%zu runs", bench->runs);
    }
    report_open(&report, out, REPORT_FORMAT_TEXT, "");
    for (size_t i = 0; i < result->answer_count; i++) {
        report_note(&report, result->answers[i]);
    }
    fputs(result->answer_count > 0 ? "\n" : "", out);
    snprintf(line, sizeof(line),
             "%s: %s. After %s; %s; %s, %.4f ns per tick, a reading of it costs %u ticks, "
             "subtracted.",
             experiment->name, result->about, experiment->source, runs, bench->clock.name,
             bench->clock.ns_per_tick, bench->clock.reading_ticks);
    report_note(&report, line);
    if (experiment->published != NULL) {
        snprintf(line, sizeof(line), "Published: %s", experiment->published);
        report_note(&report, line);
    }
    fputs("\n", out);
    for (size_t i = 0; i < result->table_count; i++) {
        if (!result->tables[i].data_only) {
            bench_table_write(&result->tables[i], &report);
        }
    }
    for (size_t i = 0; i < result->note_count; i++) {
        snprintf(line, sizeof(line), "note: %s", result->notes[i]);
        report_note(&report, line);
    }
    report_close(&report);
}

/* The experiment's main table: the one with its name, else the first. */
static const struct bench_table *main_table(const struct bench_experiment *experiment,
                                            const struct bench_result *result)
{
    for (size_t i = 0; i < result->table_count; i++) {
        if (strcmp(result->tables[i].name, experiment->name) == 0) {
            return &result->tables[i];
        }
    }
    return &result->tables[0];
}

static void write_result(const struct bench *bench, unsigned format, FILE *out)
{
    const struct bench_result *result = bench->result;
    if (format == ALLOCBENCH_TEXT) {
        write_text(bench, out);
    } else if (result->table_count > 0) {
        struct report report;
        report_open(&report, out, REPORT_FORMAT_CSV, "");
        bench_table_write(main_table(bench->experiment, result), &report);
        report_close(&report);
    }
}

/* Measure an experiment, write its files if a folder is named, and the result. */
static bool run(struct bench *bench, const struct allocbench_options *options)
{
    const struct bench_experiment *experiment = bench->experiment;
    bench->started_ns = clock_now_ns();
    bench->runs = (size_t)(options->runs > 0 ? options->runs : experiment->default_runs);
    const char *list = options->allocators != NULL ? options->allocators : experiment->allocators;
    bool done = bench_set_cases(bench, list) && experiment->run(bench);
    progress_clear(&bench->progress);
    if (done && bench->result->incomplete) {
        bench_note(bench, "interrupted: what was measured until then is shown");
    }
    for (size_t i = 0; done && i < bench->result->table_count; i++) {
        done = !bench->result->tables[i].failed || command_fail(bench->error, "out of memory");
    }
    for (size_t i = 0; done && i < bench->result->samples_count; i++) {
        done =
            bench->result->samples[i].values != NULL || command_fail(bench->error, "out of memory");
    }
    done = done && (options->folder == NULL || bench_write_files(bench, options->folder));
    if (done) {
        write_result(bench, options->format, stdout);
    }
    bench_result_close(bench->result);
    return done;
}

static int fail(const struct command_error *error, int status)
{
    return progress_fail(&(struct progress){.program = "allocbench"}, status, "%s", error->message);
}

/* Finish the output: the exit status of a run, or the error if some output was lost. */
static int finish(int status, struct command_error *error)
{
    if (!output_close(stdout, NULL, true, error)) {
        return fail(error, EXIT_FAILED);
    }
    return bench_is_cancelled() ? interrupt_exit_status() : status;
}

/* Check the allocators against their contract. Returns an exit status. */
static int check(struct bench *bench, const struct allocbench_options *options)
{
    struct command_error *error = bench->error;
    if (options->allocators == NULL || options->format != ALLOCBENCH_TEXT) {
        command_fail(error, options->allocators == NULL
                                ? "check: which allocator? --alloc=plugin:./mine.so, say"
                                : "check: writes text only");
        return fail(error, EXIT_USAGE);
    }
    if (!bench_claim_files(bench, options->allocators)) {
        return fail(error, EXIT_FAILED);
    }
    interrupt_install("allocbench");
    int status = bench_check(options->allocators, options->seed,
                             options->runs > 0 ? options->runs : 1, stdout, error);
    return error->message[0] != '\0' ? fail(error, status) : finish(status, error);
}

/* Record a command. Returns an exit status. */
static int record(const struct allocbench_options *options, struct command_error *error)
{
    if (options->folder == NULL || options->parameters.program.command == NULL) {
        command_fail(error, options->folder == NULL
                                ? "record: which file? allocbench record -o sort.rec -- sort words"
                                : "record: which command? allocbench record -o sort.rec -- sort "
                                  "words");
        return fail(error, EXIT_USAGE);
    }
    interrupt_install("allocbench");
    const int status = bench_record_program(&options->parameters.program, options->folder, error);
    return error->message[0] != '\0' ? fail(error, status) : finish(status, error);
}

/* Give an experiment the operands after its name: a command, or a file. False: there are too
 * many. */
static bool take_operands(struct bench_parameters *parameters, const char *name, char **operands,
                          int count)
{
    const bool is_file = strcmp(name, "memory") == 0 && count == 1 && recording_is_one(*operands);
    if (count > 0 && !is_file && is_of_command(name)) {
        parameters->program.command = operands;
        return true;
    }
    if (count > 0 && (is_file || strcmp(name, "trace") == 0)) {
        parameters->program.trace = *operands++;
        count--;
        if (count > 0) {
            parameters->program.second = *operands;
            count--;
        }
    }
    return count == 0;
}

/* After a wrong option: it may be the command's, which is to follow "--". */
static void explain_dashes(char **words, struct command_error *error)
{
    bool has_command = false;
    for (char **word = words; *word != NULL; word++) {
        has_command = has_command || is_of_command(*word);
        if (strcmp(*word, "--") == 0) {
            return;
        }
    }
    const size_t used = strlen(error->message);
    snprintf(error->message + used, sizeof(error->message) - used, "%s",
             has_command ? "; the command and its options come after \"--\"" : "");
}

/* Refuse a word that is no experiment; NULL: there is no word. */
static int fail_experiment(const char *word)
{
    char text[SUGGESTION_SIZE];
    struct command_error error;
    struct suggestion near = {.wanted = word, .length = word != NULL ? strlen(word) : 0};
    near.most = suggestion_most(near.length);
    for (size_t i = 0; word != NULL && i < COUNT_OF(experiments); i++) {
        suggestion_offer(&near, experiments[i]->name);
    }
    word == NULL ? command_fail(&error, "which experiment? --help lists them")
    : near.count > 0
        ? command_fail(&error, "there is no experiment \"%.100s\"%s", word,
                       suggestion_text(&near, "", text))
        : command_fail(&error, "there is no experiment \"%.100s\"; --help lists them", word);
    return fail(&error, EXIT_USAGE);
}

int main(int argc, char **argv)
{
    static struct bench_result result;
    static struct command_error error = {""};
    static struct bench bench = {.result = &result, .error = &error};
    struct allocbench_options options;
    const char *name = NULL;
    char **given = bench_command_line(argv);
    /* jemalloc, a default, needs static storage from the start of the process. */
    node_allocator_prepare_process("lib:jemalloc", argv);
    allocbench_defaults(&options);
    static char **operands; /* ended by NULL */
    operands = calloc((size_t)argc + 1, sizeof(*operands));
    if (operands == NULL) {
        if (given != argv) {
            return BENCH_FAILED; /* a run in a process of its own: the parent reports it */
        }
        command_fail(&error, "out of memory");
        return fail(&error, EXIT_FAILED);
    }
    int count =
        command_parse(&allocbench_command, given, &options, (const char **)operands, argc, &error);
    if (count < 0) {
        explain_dashes(given, &error);
        return fail(&error, EXIT_USAGE);
    }
    name = operands[0];
    node_allocator_prepare_process(options.allocators, argv);
    if (options.action != ACTION_RUN) {
        inform(options.action, name);
        return finish(EXIT_OK, &error);
    }
    bool is_check = name != NULL && strcmp(name, "check") == 0;
    bool is_record = name != NULL && strcmp(name, "record") == 0;
    const struct bench_experiment *experiment = name != NULL ? find_experiment(name) : NULL;
    if (experiment == NULL && !is_check && !is_record) {
        return fail_experiment(name);
    }
    if (!take_operands(&options.parameters, name, operands + 1, count - 1)) {
        command_fail(&error, "\"%.200s\" is one argument too many", operands[count - 1]);
        return fail(&error, EXIT_USAGE);
    }
    if (is_check || is_record) {
        return is_check ? check(&bench, &options) : record(&options, &error);
    }
    allocbench_complete(&options, experiment->name);
    bench.experiment = experiment;
    bench.parameters = options.parameters;
    bench.seed = options.seed;
    bench.as_published = options.as_published;
    if (given != argv) {
        _exit(bench_run_main(&bench, argv)); /* its blocks are alive at the end */
    }
    interrupt_install("allocbench");
    bench.words = given + 1;
    bench.clock = cycle_clock_calibrate();
    bench.progress.program = "allocbench";
    progress_open(&bench.progress, PROGRESS_AUTO, options.quiet);
    if (!run(&bench, &options)) {
        return fail(&error, bench_is_cancelled() ? interrupt_exit_status() : bench.failure);
    }
    return finish(EXIT_OK, &error);
}

/*
 * allocbench.c - published measurements of dynamic allocation, repeated with any allocator.
 *
 * The composition root: read the options, run one experiment or all of them, write what they found.
 */
#include "allocbench.h"
#include "allocbench_options.h"
#include "perf/program/interrupt.h"
#include "perf/report/clock.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define EXPERIMENT_COUNT 10

const struct bench_experiment *const *bench_experiments(void)
{
    static const struct bench_experiment *list[EXPERIMENT_COUNT + 1];
    const struct bench_experiment *(*const getters[EXPERIMENT_COUNT])(void) = {
        bench_sizes,        bench_exhaustion,    bench_worst_case, bench_purge, bench_replay,
        bench_pointer_wars, bench_distributions, bench_estimate,   bench_queue, bench_ageing};
    for (size_t i = 0; i < EXPERIMENT_COUNT; i++) {
        list[i] = getters[i]();
    }
    return list;
}

static const struct bench_experiment *find_experiment(const char *name)
{
    const struct bench_experiment *const *at = bench_experiments();
    while (*at != NULL && strcmp((*at)->name, name) != 0) {
        at++;
    }
    return *at;
}

static void write_experiments(FILE *out)
{
    fputs("Usage: allocbench EXPERIMENT [OPTION]...\n\n"
          "Repeat published measurements of what dynamic allocation costs, with any allocator.\n"
          "Allocators take turns, each run in a process of its own; a figure is a median.\n\n"
          "Experiments:\n",
          out);
    for (const struct bench_experiment *const *at = bench_experiments(); *at != NULL; at++) {
        fprintf(out, "  %-14s %s\n", (*at)->name, (*at)->summary);
    }
    fputs("  all            every one of them, small, into a folder with a page; five minutes\n",
          out);
}

static void list_allocators(FILE *out)
{
    for (const struct node_allocator_type *const *type = node_allocator_types(); *type; type++) {
        fprintf(out, "%-12s %s\n", (*type)->name, (*type)->summary);
    }
}

/* What --help, --version and --list-allocs ask for. */
static void inform(unsigned action)
{
    if (action == ACTION_LIST_ALLOCATORS) {
        list_allocators(stdout);
        return;
    }
    if (action == ACTION_HELP) {
        write_experiments(stdout);
    }
    command_inform(&allocbench_command, action);
}

static void write_text(const struct bench *bench, const struct bench_experiment *experiment,
                       const struct bench_result *result, FILE *out)
{
    fprintf(out, "%s: %s\n", experiment->name, result->about);
    fprintf(
        out,
        "  after %s; %zu runs; %s, %.4f ns a tick, a reading of it costs %u ticks, subtracted\n",
        experiment->source, bench->runs, bench->clock.name, bench->clock.ns_per_tick,
        bench->clock.reading_ticks);
    if (experiment->published != NULL) {
        fprintf(out, "  published: %s\n", experiment->published);
    }
    for (size_t i = 0; i < result->table_count; i++) {
        if (!result->tables[i].data_only) {
            fputs("\n", out);
            bench_table_write(&result->tables[i], BENCH_TEXT, out);
        }
    }
    if (result->verdict[0] != '\0') {
        fprintf(out, "\n%s\n", result->verdict);
    }
    for (size_t i = 0; i < result->note_count; i++) {
        fprintf(out, "%snote: %s\n", i == 0 ? "\n" : "", result->notes[i]);
    }
}

/* The table that answers: the first with rows. */
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

static void write_result(const struct bench *bench, const struct bench_experiment *experiment,
                         const struct bench_result *result, unsigned format, FILE *out)
{
    if (format == ALLOCBENCH_JSON) {
        bench_write_json(bench, experiment, result, out);
    } else if (format == ALLOCBENCH_ARTICLE && result->article != NULL) {
        fputs(result->article, out);
    } else if (format == ALLOCBENCH_TEXT) {
        write_text(bench, experiment, result, out);
    } else if (result->table_count > 0) {
        bench_table_write(main_table(experiment, result), BENCH_CSV, out);
    }
}

static bool make_folder(const char *folder, struct command_error *error)
{
    return mkdir(folder, 0777) == 0 || errno == EEXIST ||
           command_fail(error, "%s: cannot be made: %s", folder, strerror(errno));
}

/* Measure one experiment into result. */
static bool run_experiment(struct bench *bench, const struct bench_experiment *experiment,
                           const struct allocbench_options *options, struct bench_result *result,
                           struct command_error *error)
{
    bench->experiment = experiment->name;
    bench->started_ns = clock_now_ns();
    bench->parameters = options->parameters;
    bench->runs = (size_t)(options->runs > 0 ? options->runs : experiment->default_runs);
    const char *list = options->allocators != NULL ? options->allocators : experiment->allocators;
    if (!bench_set_subjects(bench, list, result, error)) {
        return false;
    }
    bool done = experiment->run(bench, result, error);
    bench_progress_clear(bench);
    if (done && result->incomplete) {
        bench_note(result, "interrupted: what was measured until then is shown");
    }
    return done;
}

static int failed_status(const struct bench *bench)
{
    return bench->is_wrong_usage ? EXIT_USAGE : EXIT_FAILED;
}

static int run_one(struct bench *bench, const struct bench_experiment *experiment,
                   const struct allocbench_options *options, struct command_error *error)
{
    static struct bench_result result;
    bool done = run_experiment(bench, experiment, options, &result, error);
    if (done && options->folder != NULL) {
        done = make_folder(options->folder, error) &&
               bench_write_files(bench, experiment, &result, options->folder, error);
    }
    if (done) {
        write_result(bench, experiment, &result, options->format, stdout);
    }
    bench_result_close(&result);
    return done ? 0 : failed_status(bench);
}

/* Every experiment, small, into one folder. */
static int run_all(struct bench *bench, const struct allocbench_options *options,
                   struct command_error *error)
{
    static struct bench_result results[EXPERIMENT_COUNT];
    struct bench_page_entry entries[EXPERIMENT_COUNT];
    size_t count = 0;
    const char *folder = options->folder != NULL ? options->folder : "allocbench-results";
    bool done = make_folder(folder, error);
    bench->quick = true;
    for (const struct bench_experiment *const *at = bench_experiments();
         done && *at != NULL && !bench_is_cancelled(); at++) {
        char histogram[700];
        struct allocbench_options quick = *options;
        allocbench_quick(&quick.parameters, (*at)->name);
        if (quick.runs == 0) {
            quick.runs = 3;
        }
        if (strcmp((*at)->name, "estimate") == 0) { /* of what distributions has just written */
            snprintf(histogram, sizeof(histogram), "%.600s/distributions-histogram.csv", folder);
            quick.parameters.histogram = histogram;
        }
        struct bench_result *result = &results[count];
        done = run_experiment(bench, *at, &quick, result, error) &&
               bench_write_files(bench, *at, result, folder, error);
        if (done) {
            entries[count++] = (struct bench_page_entry){*at, result};
            fprintf(stderr, "allocbench: %s: done in %.1f s\n", (*at)->name,
                    (double)(clock_now_ns() - bench->started_ns) / 1e9);
        }
    }
    if (count > 0 && bench_write_pages(bench, entries, count, folder, error)) {
        printf("%s/index.html\n%s/index.md\n", folder, folder);
    } else {
        done = false;
    }
    for (size_t i = 0; i < EXPERIMENT_COUNT; i++) {
        bench_result_close(&results[i]);
    }
    return done ? 0 : failed_status(bench);
}

static int fail(const struct command_error *error, int status)
{
    fprintf(stderr, "allocbench: %s\n", error->message);
    return status;
}

int main(int argc, char **argv)
{
    (void)argc;
    static struct bench bench;
    struct allocbench_options options;
    struct command_error error = {""};
    const char *operands[2] = {NULL, NULL};
    /* jemalloc is among the defaults; what it needs must be there when the process starts. */
    node_allocator_prepare_process("lib:jemalloc", argv);
    allocbench_defaults(&options);
    int count = command_parse(&allocbench_command, argv, &options, operands, 2, &error);
    if (count < 0) {
        return fail(&error, EXIT_USAGE);
    }
    node_allocator_prepare_process(options.allocators, argv);
    if (options.action != ACTION_RUN) {
        inform(options.action);
        return 0;
    }
    bool all = count == 1 && strcmp(operands[0], "all") == 0;
    const struct bench_experiment *experiment = count == 1 ? find_experiment(operands[0]) : NULL;
    if (experiment == NULL && !all) {
        command_fail(&error,
                     count == 1 ? "there is no experiment \"%s\"; --help lists them"
                                : "which experiment? --help lists them",
                     count == 1 ? operands[0] : "");
        return fail(&error, EXIT_USAGE);
    }
    interrupt_install();
    bench.seed = options.seed;
    bench.as_published = options.as_published;
    bench.quiet = options.quiet;
    bench.clock = cycle_clock_calibrate();
    int status = 0;
    if (all) {
        status = run_all(&bench, &options, &error);
    } else {
        allocbench_complete(&options, experiment->name);
        status = run_one(&bench, experiment, &options, &error);
    }
    if (status != 0) {
        return fail(&error, status);
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        command_fail(&error, "standard output: cannot be written: %s", strerror(errno));
        return fail(&error, EXIT_FAILED);
    }
    return bench_is_cancelled() ? interrupt_exit_status() : 0;
}

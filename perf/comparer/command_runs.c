/*
 * command_runs.c - commands in turns: each run a fresh process, its time and its memory.
 *
 * 1. Time is from just before the start of the process to just after its end; user and system time
 *    and the most memory are what the kernel counted, with all children that it waited for.
 * 2. Standard input is empty. What a command prints is lost, or kept in a file per run. The last
 *    line that it wrote to standard error is shown if it fails.
 * 3. base/compare makes the rounds, the medians and the intervals.
 * Limit: the kernel counts the memory of a process from before it becomes the command, so no peak
 * is below the memory of this program, some 2 MiB.
 */
#include "base/compare/side_by_side.h"
#include "base/macros.h"
#include "base/one_line.h"
#include "base/program/child.h"
#include "base/program/interrupt.h"
#include "base/program/output.h"
#include "base/pw_assert.h"
#include "base/report/clock.h"
#include "base/report/samples.h"
#include "build_info.h"
#include "command_words.h"
#include "comparer.h"
#include "counters/resources.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum quantity { WALL, PROCESSOR, PEAK, QUANTITIES };

/* One run. */
struct run {
    double values[QUANTITIES]; /* nanoseconds, nanoseconds, bytes */
    int status;                /* as wait(2) says it */
};

struct commands {
    const struct compare_options *options;
    struct progress *progress;
    struct command_error *error;
    struct report *report;
    wordexp_t words[COMMANDS_MAX];
    size_t count;
    struct run *runs; /* command after command, a run per round */
    size_t rounds_done;
    int errors; /* a file in memory, for what a command writes to standard error */
};

static struct run *run_of(const struct commands *commands, size_t index, size_t round)
{
    return &commands->runs[index * commands->options->rounds + round];
}

/* Running ------------------------------------------------------------------------------------- */

/* The last line that the command wrote to standard error, as ": LINE"; "" if there is none. */
static void read_last_line(const struct commands *commands, char line[400])
{
    char text[300];
    const off_t end = lseek(commands->errors, 0, SEEK_END);
    const off_t start = end > (off_t)sizeof(text) - 1 ? end - (off_t)sizeof(text) + 1 : 0;
    ssize_t length = pread(commands->errors, text, sizeof(text) - 1, start);
    length = length > 0 ? length : 0;
    while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == ' ')) {
        length--;
    }
    text[length] = '\0';
    const char *last = strrchr(text, '\n');
    last = last != NULL ? last + 1 : text;
    snprintf(line, 400, "%s%s", *last != '\0' ? ": " : "", last);
    one_line(line);
}

/* How a command ended, if it did not end well. */
static void describe_end(char text[60], int status)
{
    if (WIFSIGNALED(status)) {
        snprintf(text, 60, "was ended by signal %d", WTERMSIG(status));
    } else {
        snprintf(text, 60, "ended with exit status %d", WEXITSTATUS(status));
    }
}

/* The file for what a run prints; -1 with error set. name: of the round, "warmup" or its number. */
static int open_output(const struct commands *commands, size_t index, const char *name)
{
    char path[800] = "/dev/null";
    if (commands->options->keep != NULL) {
        snprintf(path, sizeof(path), "%.600s/%zu-%s.out", commands->options->keep, index + 1, name);
    }
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) {
        command_fail(commands->error, "%s: %s", path, strerror(errno));
    }
    return file;
}

/* Make one run. False with error set, or empty after an interruption. */
static bool run_command(struct commands *commands, size_t index, const char *name, struct run *run)
{
    char *const *words = commands->words[index].we_wordv;
    struct rusage usage = {0};
    pid_t child = 0;
    const int out = open_output(commands, index, name);
    if (out < 0) {
        return false;
    }
    if (ftruncate(commands->errors, 0) != 0 || lseek(commands->errors, 0, SEEK_SET) != 0) {
        close(out);
        return command_fail(commands->error, "standard error of a command: %s", strerror(errno));
    }
    const uint64_t start_ns = clock_now_ns();
    const int failure = child_start(&child, words[0], words, out, commands->errors);
    if (failure == 0) {
        run->status = child_wait(child, &usage);
    }
    const uint64_t end_ns = clock_now_ns();
    close(out);
    if (failure != 0) {
        return command_fail(commands->error, "command %zu: %.200s cannot be started: %s", index + 1,
                            words[0], strerror(failure));
    }
    run->values[WALL] = (double)(end_ns - start_ns);
    run->values[PROCESSOR] = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e9 +
                             (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e3;
    run->values[PEAK] = (double)usage.ru_maxrss * 1024;
    if (*interrupt_flag() != 0) {
        return false;
    }
    if (run->status != 0 && !commands->options->ignores_failure) {
        char end[60], line[400];
        describe_end(end, run->status);
        read_last_line(commands, line);
        return command_fail(commands->error, "command %zu %s%s (--ignore-failure goes on)",
                            index + 1, end, line);
    }
    return true;
}

#define RUN_CELLS 7

static void run_cells(const struct commands *commands, size_t round, size_t index,
                      struct report_cell cells[RUN_CELLS])
{
    const struct run *run = run_of(commands, index, round);
    const bool has_signal = WIFSIGNALED(run->status);
    const uint64_t exit_status = (uint64_t)WEXITSTATUS(run->status);
    const uint64_t signal_number = (uint64_t)WTERMSIG(run->status);
    cells[0] = REPORT_DATA("round", report_id(round + 1));
    cells[1] = REPORT_DATA("command", report_id(index + 1));
    cells[2] = REPORT_DATA("seconds", report_seconds((uint64_t)run->values[WALL]));
    cells[3] = REPORT_DATA("cpu_seconds", report_seconds((uint64_t)run->values[PROCESSOR]));
    cells[4] = REPORT_DATA("peak_rss_bytes", report_bytes((uint64_t)run->values[PEAK]));
    cells[5] = REPORT_DATA("exit_status", report_if(!has_signal, report_id(exit_status)));
    cells[6] = REPORT_DATA("signal", report_if(has_signal, report_id(signal_number)));
}

/* JSON: the runs of whole rounds. */
static void write_runs(const struct commands *commands)
{
    struct report_cell cells[RUN_CELLS];
    run_cells(commands, 0, 0, cells);
    report_table_begin(commands->report, "runs", cells, RUN_CELLS);
    for (size_t i = 0; i < commands->rounds_done * commands->count; i++) {
        run_cells(commands, i / commands->count, i % commands->count, cells);
        report_table_row(commands->report, NULL, cells, RUN_CELLS);
    }
    report_table_end(commands->report);
}

/* Make one run of a round; see turns.h. */
static enum turn take_turn(void *context, size_t round, size_t index)
{
    struct commands *commands = context;
    char name[24];
    snprintf(name, sizeof(name), "%zu", round + 1);
    progress_show(commands->progress, true, "round %zu of %llu, command %zu", round + 1,
                  (unsigned long long)commands->options->rounds, index + 1);
    return run_command(commands, index, name, run_of(commands, index, round)) ? TURN_MADE
                                                                              : TURN_ENDED;
}

/* The runs that do not count. */
static enum turn warm_up(void *context, size_t round, size_t index)
{
    struct commands *commands = context;
    struct run ignored;
    progress_show(commands->progress, true, "warm-up %zu of %llu, command %zu", round + 1,
                  (unsigned long long)commands->options->warmups, index + 1);
    return run_command(commands, index, "warmup", &ignored) ? TURN_MADE : TURN_ENDED;
}

/* The table ----------------------------------------------------------------------------------- */

/* The names of the columns that a quantity beside the time has in CSV and JSON. */
struct quantity_names {
    const char *median, *title, *spread, *ratio, *low, *high;
};

static const struct quantity_names names_of[QUANTITIES] = {
    [PROCESSOR] = {"cpu_seconds_median", "user+sys", "cpu_seconds_spread", "cpu_ratio",
                   "cpu_ratio_low", "cpu_ratio_high"},
    [PEAK] = {"peak_rss_bytes_median", "peak mem", "peak_rss_bytes_spread", "memory_ratio",
              "memory_ratio_low", "memory_ratio_high"},
};

#define QUANTITY_CELLS 5

/* How much of a quantity a command needs, and its ratio to the first one. */
static size_t quantity_cells(struct report_cell *cells, enum quantity quantity, const double *base,
                             const double *own, size_t rounds, double *scratch)
{
    const struct quantity_names *names = &names_of[quantity];
    const struct samples_interval ratio =
        samples_ratio(own, base, rounds, SAMPLES_CONFIDENCE, scratch);
    memcpy(scratch, own, rounds * sizeof(*scratch));
    const struct samples_summary summary = samples_summarize(scratch, rounds);
    const uint64_t median = (uint64_t)summary.median;
    const struct report_cell all[QUANTITY_CELLS] = {
        {{names->median, names->title, NULL, 8, 0},
         quantity == PEAK ? report_bytes(median) : report_seconds(median)},
        REPORT_DATA(names->spread, report_share(summary.spread)),
        REPORT_DATA(names->ratio, report_real(ratio.median, 4)),
        REPORT_DATA(names->low, report_if(rounds > 1, report_real(ratio.low, 4))),
        REPORT_DATA(names->high, report_if(rounds > 1, report_real(ratio.high, 4))),
    };
    memcpy(cells, all, sizeof(all));
    return QUANTITY_CELLS;
}

static size_t failures_of(const struct commands *commands, size_t index, int *status)
{
    size_t failures = 0;
    for (size_t round = 0; round < commands->rounds_done; round++) {
        const int one = run_of(commands, index, round)->status;
        *status = one != 0 ? one : *status;
        failures += one != 0;
    }
    return failures;
}

#define ROW_CELLS (4 + SIDE_CELLS + (QUANTITIES - 1) * QUANTITY_CELLS)

/* A row; scratch: room for three numbers per round. */
static void command_row(const struct commands *commands, size_t index, double *scratch)
{
    const size_t rounds = commands->rounds_done;
    struct report_cell cells[ROW_CELLS];
    struct side_text text;
    double *base = scratch;
    double *own = index > 0 ? base + rounds : base;
    int status = 0;
    const size_t failures = failures_of(commands, index, &status);
    size_t count = 0;
    cells[count++] =
        (struct report_cell){{"command", "command", NULL, REPORT_LEFT, 0}, report_id(index + 1)};
    cells[count++] = REPORT_DATA("words", report_text(commands->options->commands.texts[index]));
    cells[count++] = REPORT_DATA("rounds", report_integer(rounds));
    cells[count++] = REPORT_DATA("failures", report_integer(failures));
    for (enum quantity quantity = WALL; quantity < QUANTITIES; quantity++) {
        for (size_t i = 0; i < rounds; i++) {
            base[i] = run_of(commands, 0, i)->values[quantity];
            own[i] = run_of(commands, index, i)->values[quantity];
        }
        const struct side_times times = {base, own, rounds, scratch + 2 * rounds};
        count += quantity == WALL
                     ? side_cells(cells + count, &times, &text)
                     : quantity_cells(cells + count, quantity, base, own, rounds, times.scratch);
    }
    pw_assert(count == ROW_CELLS);
    if (index == 0) {
        report_table_begin(commands->report, "commands", cells, count);
    }
    report_table_row(commands->report, NULL, cells, count);
}

/* Say which commands failed, and how. */
static void explain_failures(const struct commands *commands)
{
    for (size_t i = 0; i < commands->count; i++) {
        char end[60], note[200];
        int status = 0;
        const size_t failures = failures_of(commands, i, &status);
        if (failures > 0) {
            describe_end(end, status);
            snprintf(note, sizeof(note), "Command %zu %s in %zu of %zu runs.", i + 1, end, failures,
                     commands->rounds_done);
            report_note(commands->report, note);
        }
    }
}

static bool write_table(const struct commands *commands)
{
    double *scratch = calloc(3 * commands->rounds_done, sizeof(*scratch));
    if (scratch == NULL) {
        return command_fail(commands->error, "out of memory for the times");
    }
    commands->report->lines = true;
    for (size_t i = 0; i < commands->count; i++) {
        command_row(commands, i, scratch);
    }
    free(scratch);
    report_table_end(commands->report);
    side_explain(commands->report, "command 1", commands->rounds_done, "--rounds=10");
    explain_failures(commands);
    return true;
}

static void write_context(const struct commands *commands)
{
    const struct compare_options *options = commands->options;
    const bool has_heads = !options->quiet;
    struct report_field fields[COMMANDS_MAX + 6] = {
        PROGRAM_FIELDS("bfs-compare"),
        MACHINE_FIELDS,
        {"warmups", has_heads && options->warmups > 0 ? "warm-ups" : NULL,
         report_integer(options->warmups)},
        {"rounds", has_heads ? "rounds" : NULL, report_integer(options->rounds)},
    };
    static char labels[COMMANDS_MAX][40];
    size_t count = 6;
    for (size_t i = 0; has_heads && i < commands->count; i++) {
        snprintf(labels[i], sizeof(labels[i]), "command %zu", i + 1);
        fields[count++] =
            (struct report_field){NULL, labels[i], report_text(options->commands.texts[i])};
    }
    pw_assert(count <= COUNT_OF(fields));
    report_section(commands->report, "context", NULL, fields, count);
    if (has_heads && commands->report->format == REPORT_FORMAT_TEXT) {
        fputc('\n', commands->report->out);
    }
}

/* The whole ----------------------------------------------------------------------------------- */

/* Make the runs, and write what is whole. */
static int compare(struct commands *commands, FILE *out)
{
    const struct compare_options *options = commands->options;
    struct report report;
    struct turns turns = {commands->count, options->warmups, warm_up, commands};
    commands->report = &report;
    report_open(&report, out, options->format, "pointer-wars-commands/1");
    write_context(commands);
    bool made = turns_take(&turns, options->seed) == options->warmups;
    if (made) {
        turns.rounds = options->rounds;
        turns.take = take_turn;
        commands->rounds_done = turns_take(&turns, options->seed);
        made = commands->rounds_done == options->rounds;
    }
    progress_clear(commands->progress);
    if (options->format == REPORT_FORMAT_JSON) {
        write_runs(commands);
    }
    const bool whole = commands->rounds_done == 0 || write_table(commands);
    const bool written = report_close(&report) ||
                         output_fail(options->output, report_failed(&report), commands->error);
    if (!made && commands->error->message[0] == '\0') {
        command_fail(commands->error, "interrupted after %zu of %llu rounds", commands->rounds_done,
                     (unsigned long long)options->rounds);
        return interrupt_exit_status();
    }
    return made && whole && written ? EXIT_OK : EXIT_FAILED;
}

int compare_commands(const struct compare_options *options, struct progress *progress, FILE *out,
                     struct command_error *error)
{
    static struct commands commands;
    int status = EXIT_USAGE;
    commands =
        (struct commands){.options = options, .progress = progress, .error = error, .errors = -1};
    while (commands.count < options->commands.count &&
           command_words_split(&commands.words[commands.count],
                               options->commands.texts[commands.count], error)) {
        commands.count++;
    }
    if (commands.count == options->commands.count) {
        status = EXIT_FAILED;
        commands.errors = memfd_create("errors", MFD_CLOEXEC);
        pw_assert(commands.count > 0 && options->rounds > 0);
        commands.runs = calloc(commands.count * options->rounds, sizeof(*commands.runs));
        if (commands.runs == NULL || commands.errors < 0) {
            command_fail(error, "out of memory for the runs");
        } else if (options->keep != NULL && mkdir(options->keep, 0777) != 0 && errno != EEXIST) {
            command_fail(error, "%s: cannot be made: %s", options->keep, strerror(errno));
        } else {
            status = compare(&commands, out);
        }
    }
    if (commands.errors >= 0) {
        close(commands.errors);
    }
    free(commands.runs);
    while (commands.count > 0) {
        wordfree(&commands.words[--commands.count]);
    }
    return status;
}

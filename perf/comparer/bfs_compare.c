/*
 * bfs_compare.c - the program bfs-compare: commands, values or reports set beside each other.
 */
#include "base/macros.h"
#include "base/program/command_line.h"
#include "base/program/interrupt.h"
#include "base/program/output.h"
#include "base/report/samples.h"
#include "comparer.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROUNDS_MAX 10000

/* Another command. */
static bool add_command(const char *value, void *field, struct command_error *error)
{
    struct command_list *list = field;
    if (list->count == COMMANDS_MAX) {
        return command_fail(error, "more than %d commands", COMMANDS_MAX);
    }
    list->texts[list->count++] = value;
    return true;
}

static bool read_confidence(const char *value, void *field, struct command_error *error)
{
    char *end;
    double *confidence = field;
    *confidence = strtod(value, &end);
    return (*end == '\0' && *confidence >= 0.5 && *confidence < 1) ||
           command_fail(error, "expected 0.5 to below 1, found \"%.60s\"", value);
}

static const struct option_row of_commands[] = {
    {"command", 'c', "COMMAND", "a command to run; given twice or more",
     OPTION_OWN(struct compare_options, commands, add_command)},
    {"rounds", 'n', "N", "runs of each command, in turns (default: 10)",
     OPTION_NUMBER(struct compare_options, rounds, 1, ROUNDS_MAX)},
    {"warmup", 'w', "N", "first run each command N times without measuring (default: 0)",
     OPTION_NUMBER(struct compare_options, warmups, 0, ROUNDS_MAX)},
    {"ignore-failure", 'i', NULL, "go on if a command fails, and say how often it did",
     OPTION_FLAG(struct compare_options, ignores_failure)},
    {"keep", 0, "FOLDER", "write what run R of command C prints to FOLDER/C-R.out (default: lost)",
     OPTION_FILE(struct compare_options, keep)},
    {"seed", 0, "N", "seed of the order within the rounds (default: 1)",
     OPTION_NUMBER(struct compare_options, seed, 0, UINT64_MAX)},
    {0},
};

static const struct option_row of_values[] = {
    {"values", 0, "FILE",
     "compare values that were measured already: CSV with a heading, the case in the first column, "
     "perhaps its \"round\", and values; -: standard input",
     OPTION_FILE(struct compare_options, values)},
    {"apart", 0, NULL, "the cases were not measured in turns: compare all runs with all",
     OPTION_FLAG(struct compare_options, apart)},
    {"confidence", 0, "X", "of the intervals (default: 0.95)",
     OPTION_OWN(struct compare_options, confidence, read_confidence)},
    {0},
};

static const struct option_row of_reports[] = {
    {"fail-if-slower", 0, "SHARE",
     "exit 1 if B takes that much longer, as in 5%, and the change is real",
     OPTION_TEXT(struct compare_options, allowed)},
    {"force", 0, NULL, "compare different work", OPTION_FLAG(struct compare_options, force)},
    {0},
};

static const struct option_row of_output[] = {
    {"format", 'f', "FORMAT", "text, csv, json or markdown (default: text)",
     OPTION_CHOICE(struct compare_options, format, "text, csv, json, markdown")},
    {"output", 'o', "FILE",
     "write the report to FILE, whose old content stays until the report is whole (default: -, "
     "standard output)",
     OPTION_FILE(struct compare_options, output)},
    {"quiet", 'q', NULL, "no progress, and in text only the table and what it means",
     OPTION_FLAG(struct compare_options, quiet)},
    {"progress", 0, "WHEN",
     "show progress on standard error: auto (on a terminal), always or never (default: auto)",
     OPTION_CHOICE(struct compare_options, progress, "auto, always, never")},
    OPTION_HELP_AND_VERSION(struct compare_options, action),
    {0},
};

static const struct option_group groups[] = {
    {"Commands", of_commands, 0},
    {"Values", of_values, 0},
    {"Two reports of bfs", of_reports, 0},
    {"Output", of_output, 0},
    {0},
};

static const struct command command = {
    .name = "bfs-compare",
    .groups = groups,
    .introduction =
        "Usage: bfs-compare [OPTION]... --command COMMAND --command COMMAND...\n"
        "       bfs-compare [OPTION]... --values FILE\n"
        "       bfs-compare [--fail-if-slower SHARE] [--force] A.json B.json\n"
        "\n"
        "Compare commands: time, processor time and memory, with medians and intervals.\n"
        "They take turns, in an order drawn for each round; each run is a new process\n"
        "without a shell. Or compare values measured already, or two reports of bfs.\n",
    .epilogue = "\nExamples:\n"
                "  bfs-compare -c 'sort words' -c 'sort --parallel=1 words' --warmup 1\n"
                "  bfs-compare -c \"sh -c 'sort words | uniq'\" -c 'sort -u words' -n 20\n"
                "  bfs-compare --values times.csv --apart --format csv\n"
                "  bfs-compare before.json after.json --fail-if-slower 5%\n"
                "Exit status: 0 done, 1 a command failed or slower than allowed, 2 wrong usage,\n"
                "130 interrupted.\n",
};

static int fail(struct progress *progress, int status, const struct command_error *error)
{
    return progress_fail(progress, status, "%s", error->message);
}

/* Become the program that reads two reports: the study beside this program, or the one in PATH. */
static int compare_reports(const struct compare_options *options, const char **operands,
                           struct progress *progress)
{
    const char *words[8] = {"bfs-study", "compare"};
    char path[512], allowed[100];
    size_t count = 2;
    if (options->allowed != NULL) {
        snprintf(allowed, sizeof(allowed), "--fail-if-slower=%.60s", options->allowed);
        words[count++] = allowed;
    }
    if (options->force) {
        words[count++] = "--force";
    }
    words[count++] = "--";
    words[count++] = operands[0];
    words[count++] = operands[1];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - sizeof("bfs-study"));
    path[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(path, '/');
    if (slash != NULL) {
        snprintf(slash + 1, sizeof("bfs-study"), "bfs-study");
        execv(path, (char *const *)(uintptr_t)words);
    }
    execvp(words[0], (char *const *)(uintptr_t)words);
    return progress_fail(progress, EXIT_FAILED,
                         "two reports are compared by bfs-study, which is not installed; in the "
                         "source tree: perf/compare");
}

/* Refuse what does not fit together. */
static bool check(const struct compare_options *options, int operands, struct command_error *error)
{
    const size_t commands = options->commands.count;
    const int ways = (commands > 0) + (options->values != NULL) + (operands > 0);
    if (ways != 1) {
        return command_fail(error, ways == 0 ? "nothing to compare: --command twice, --values, or "
                                               "two reports"
                                             : "commands, values and reports are not compared with "
                                               "each other");
    }
    if (commands == 1) {
        return command_fail(error, "one command is not compared with anything; give --command "
                                   "again");
    }
    if (operands == 1) {
        return command_fail(error, "two reports are compared; a command is given with --command");
    }
    if (operands == 0 && (options->allowed != NULL || options->force)) {
        return command_fail(error, "--fail-if-slower and --force are for two reports");
    }
    return options->values != NULL || (!options->apart && options->confidence == 0) ||
           command_fail(error, "--apart and --confidence are for --values");
}

/* Compare commands or values. Returns the exit status. */
static int compare(const struct compare_options *options, struct progress *progress)
{
    struct command_error error = {""}, close_error = {""};
    interrupt_install("bfs-compare");
    progress_open(progress, options->progress, options->quiet);
    FILE *out = output_open(options->output, &error);
    if (out == NULL) {
        return fail(progress, EXIT_FAILED, &error);
    }
    int status = options->values != NULL ? compare_values(options, out, &error)
                                         : compare_commands(options, progress, out, &error);
    const bool keep = status == EXIT_OK || status == interrupt_exit_status();
    if (!output_close(out, options->output, keep, &close_error) && status == EXIT_OK) {
        status = EXIT_FAILED;
        error = close_error;
    }
    return status == EXIT_OK ? EXIT_OK : fail(progress, status, &error);
}

int main(int argument_count, char **arguments)
{
    (void)argument_count;
    static struct compare_options options = {.rounds = 10, .seed = 1};
    struct progress progress = {.program = "bfs-compare"};
    struct command_error error = {""};
    const char *operands[2];
    output_guard_descriptors();
    const int count = command_parse(&command, arguments, &options, operands, 2, &error);
    if (count < 0) {
        return fail(&progress, EXIT_USAGE, &error);
    }
    if (command_inform(&command, options.action)) {
        return output_close(stdout, NULL, true, &error) ? EXIT_OK
                                                        : fail(&progress, EXIT_FAILED, &error);
    }
    if (!check(&options, count, &error)) {
        return fail(&progress, EXIT_USAGE, &error);
    }
    options.confidence = options.confidence > 0 ? options.confidence : SAMPLES_CONFIDENCE;
    return count == 2 ? compare_reports(&options, operands, &progress)
                      : compare(&options, &progress);
}

/*
 * graph_program.c - from the command line to the loaded graph, and the end of a program.
 */
#include "graph_program.h"
#include "base/program/interrupt.h"
#include "base/program/output.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

#define THREADS_MAX 256

const struct option_row graph_program_rows[] = {
    {"threads", 0, "N", "read with N threads (default: 0, one per processor)",
     OPTION_NUMBER(struct graph_program, input.threads, 0, THREADS_MAX)},
    {"progress", 0, "WHEN",
     "show progress on standard error: auto (on a terminal), always or never (default: auto)",
     OPTION_CHOICE(struct graph_program, progress_mode, PROGRESS_WORDS)},
    {"quiet", 'q', NULL, "no notes and no progress", OPTION_FLAG(struct graph_program, quiet)},
    {"verify", 0, NULL, NULL, /* old name of --verify-snapshot */
     OPTION_FLAG(struct graph_program, input.verify)},
    OPTION_HELP_AND_VERSION(struct graph_program, action),
    {0},
};

int graph_program_open(struct graph_program *program, const struct command *command, void *options,
                       char **arguments, const char **operands, int operand_count,
                       const char *expected)
{
    struct command_error error;
    program->progress.program = command->name;
    output_guard_descriptors();
    errno = 0;
    int count = command_parse(command, arguments, options, operands, operand_count, &error);
    if (count >= 0 && command_inform(command, program->action)) {
        return graph_program_finish(program);
    }
    const char *names = program->input.names_path;
    bool fits = count >= 0;
    if (fits && count < operand_count) {
        fits = command_fail(&error, "expected %s, see %s --help", expected, command->name);
    }
    fits =
        fits && (operand_count == 0 || graph_input_applies(&program->input, operands[0], &error));
    if (fits && names != NULL && strcmp(operands[0], "-") == 0 && strcmp(names, "-") == 0) {
        fits = command_fail(&error, "standard input cannot be both GRAPH and --names");
    }
    if (!fits) {
        return progress_fail(&program->progress, command_refusal(errno), "%s", error.message);
    }
    interrupt_install(command->name);
    progress_open(&program->progress, program->progress_mode, program->quiet);
    return -1;
}

bool graph_program_load(struct graph_program *program, const char *path, struct graph *graph)
{
    struct graph_error error = {0};
    interrupt_arm(STDERR_FILENO, "", 0, "interrupted while loading");
    bool loaded = graph_input_load(path, &program->input, &program->progress, graph, &error);
    interrupt_disarm();
    progress_clear(&program->progress);
    if (!loaded) {
        graph_program_fail(program, error.message);
    }
    return loaded;
}

int graph_program_fail(struct graph_program *program, const char *message)
{
    int status = *interrupt_flag() != 0 ? interrupt_exit_status() : EXIT_FAILED;
    return progress_fail(&program->progress, status, "%s", message);
}

int graph_program_finish(struct graph_program *program)
{
    struct command_error error;
    return output_close(stdout, NULL, true, &error) ? EXIT_OK
                                                    : graph_program_fail(program, error.message);
}

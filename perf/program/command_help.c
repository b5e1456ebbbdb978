/*
 * command_help.c - --help and --version from the table of options.
 */
#include "command_line.h"
#include <string.h>

#define HELP_COLUMN 26 /* where the explanations start */
#define HELP_WIDTH  80

/* Write words from the current column on, wrapped; each further line starts at HELP_COLUMN. */
static void write_wrapped(FILE *out, const char *text)
{
    size_t column = HELP_COLUMN;
    while (*text != '\0') {
        size_t length = strcspn(text, " ");
        if (column > HELP_COLUMN && column + 1 + length > HELP_WIDTH) {
            fprintf(out, "\n%*s", HELP_COLUMN, "");
            column = HELP_COLUMN;
        }
        column +=
            (size_t)fprintf(out, "%s%.*s", column > HELP_COLUMN ? " " : "", (int)length, text);
        text += length + strspn(text + length, " ");
    }
    fputc('\n', out);
}

static void write_row(FILE *out, const struct option_row *row)
{
    char head[80];
    char letter[5] = {'-', row->letter, ',', ' ', '\0'};
    const char *argument = row->argument != NULL ? row->argument : "";
    bool optional = argument[0] == '[';
    int length = snprintf(head, sizeof(head), "  %s--%s%s%s%s",
                          row->letter != '\0' ? letter : "    ", row->name, optional ? "[" : "",
                          row->argument != NULL ? "=" : "", argument + optional);
    bool fits = length < HELP_COLUMN - 1;
    fprintf(out, "%-*s", fits ? HELP_COLUMN : 0, head);
    if (!fits) {
        fprintf(out, "\n%*s", HELP_COLUMN, "");
    }
    write_wrapped(out, row->help);
}

void command_write_help(FILE *out, const struct command *command)
{
    fputs(command->introduction, out);
    for (const struct option_group *group = command->groups; group->title != NULL; group++) {
        fprintf(out, "\n%s:\n", group->title);
        for (const struct option_row *row = group->rows; row->name != NULL; row++) {
            if (row->help != NULL) {
                write_row(out, row);
            }
        }
    }
    fputs(command->epilogue, out);
}

bool command_inform(const struct command *command, unsigned action)
{
    if (action == ACTION_HELP) {
        command_write_help(stdout, command);
    } else if (action == ACTION_VERSION) {
        printf("%s (pointer_wars) " PW_VERSION "\n", command->name);
    }
    return action == ACTION_HELP || action == ACTION_VERSION;
}

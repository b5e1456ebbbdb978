/*
 * command_help.c - writes --help, --version and the table itself from the table of options.
 */
#include "base/report/report.h"
#include "command_line.h"
#include <string.h>

#define HELP_COLUMN 26 /* where the explanations start */
#define HELP_WIDTH  80

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
    text_wrap(out, row->help, HELP_COLUMN, HELP_COLUMN, HELP_WIDTH);
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

static const char *const kind_names[] = {
    [OPTION_KIND_FLAG] = "flag",       [OPTION_KIND_ACTION] = "action",
    [OPTION_KIND_NUMBER] = "number",   [OPTION_KIND_SIZE] = "size",
    [OPTION_KIND_SECONDS] = "seconds", [OPTION_KIND_REAL] = "real",
    [OPTION_KIND_CHOICE] = "choice",   [OPTION_KIND_WORD] = "choice",
    [OPTION_KIND_TEXT] = "text",       [OPTION_KIND_OWN] = "own",
};

/* The words of a choice as an array. */
static void write_words(FILE *out, const char *words)
{
    fputs(",\"words\":[", out);
    for (const char *comma = ""; words != NULL && *words != '\0'; comma = ",") {
        size_t length = strcspn(words, ",");
        fprintf(out, "%s\"%.*s\"", comma, (int)length, words);
        words += length + strspn(words + length, ", ");
    }
    fputc(']', out);
}

static void write_table_row(FILE *out, const struct option_row *row, const char *before)
{
    const char letter[2] = {row->letter, '\0'};
    const bool optional = row->argument != NULL && row->argument[0] == '[';
    const bool file = row->kind == OPTION_KIND_TEXT && row->min > 0;
    char argument[40] = "";
    if (row->argument != NULL) {
        const size_t length = strlen(row->argument); /* without the brackets around all of it */
        snprintf(argument, sizeof(argument), "%.*s", (int)(length - 2 * optional),
                 row->argument + optional);
    }
    report_json_member(out, before, "name", report_text(row->name));
    report_json_member(out, ",", "letter", report_if(row->letter != '\0', report_text(letter)));
    report_json_member(out, ",", "argument", report_text(row->argument != NULL ? argument : NULL));
    report_json_member(out, ",", "optional", report_boolean(optional));
    report_json_member(out, ",", "kind", report_text(file ? "file" : kind_names[row->kind]));
    write_words(out, row->words);
    report_json_member(out, ",", "help", report_text(row->help));
    fputc('}', out);
}

void command_write_table(FILE *out, const struct command *command)
{
    report_json_member(out, "{", "program", report_text(command->name));
    report_json_member(out, ",\n", "version", report_text(PW_VERSION));
    report_json_member(out, ",\n", "introduction", report_text(command->introduction));
    fputs(",\n\"groups\":[", out);
    for (const struct option_group *group = command->groups; group->title != NULL; group++) {
        const char *before = "\n  {";
        report_json_member(out, group > command->groups ? ",\n{" : "\n{", "title",
                           report_text(group->title));
        fputs(",\"options\":[", out);
        for (const struct option_row *row = group->rows; row->name != NULL; row++) {
            if (row->help != NULL) {
                write_table_row(out, row, before);
                before = ",\n  {";
            }
        }
        fputs("]}", out);
    }
    fputs("]", out);
    report_json_member(out, ",\n", "epilogue", report_text(command->epilogue));
    fputs("}\n", out);
}

bool command_inform(const struct command *command, unsigned action)
{
    static char whole[32768]; /* written at once, so that an error is seen at the end */
    setvbuf(stdout, whole, _IOFBF, sizeof(whole));
    if (action == ACTION_HELP) {
        command_write_help(stdout, command);
    } else if (action == ACTION_VERSION) {
        printf("%s (pointer_wars) " PW_VERSION "\n", command->name);
    } else if (action == ACTION_OPTION_TABLE) {
        command_write_table(stdout, command);
    }
    return action == ACTION_HELP || action == ACTION_VERSION || action == ACTION_OPTION_TABLE;
}

/*
 * wikipedia_generate.c - the program wikipedia-generate: dumps of a made-up wiki, and an account of
 * what an importer must find in them.
 */
#include "base/program/command_error.h"
#include "base/program/interrupt.h"
#include "data/tools/graph_program.h"
#include "dump_tables.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PAGES_MAX     1000000000
#define TEMPLATES_MAX 100000

struct settings {
    struct graph_program program;
    struct dump_model model;
    struct dump_plan plan;
};

/* A mean number of templates per article: 0, or more, as OPTION_REAL does not have it. */
static bool read_templates(const char *value, void *field, struct command_error *error)
{
    char *end = NULL;
    const double found = strtod(value, &end);
    if (end == value || *end != '\0' || !(found >= 0 && found <= TEMPLATES_MAX)) {
        return command_fail(error, "a number from 0 to %d, found \"%.60s\"", TEMPLATES_MAX, value);
    }
    *(double *)field = found;
    return true;
}

static const struct option_row rows[] = {
    {"pages", 'n', "N", "pages of all namespaces; some two fifths are articles (default: 10k)",
     OPTION_NUMBER(struct settings, model.page_count, 30, PAGES_MAX)},
    {"links", 0, "X", "links per article, in the mean (default: 25)",
     OPTION_REAL(struct settings, model.links, 0, 100000)},
    {"templates", 0, "X",
     "templates per article, in the mean; writes templatelinks, too, and articles have the links "
     "of "
     "their templates (default: 0)",
     OPTION_OWN(struct settings, model.templates, read_templates)},
    {"layout", 0, "LAYOUT",
     "how pagelinks names targets: titles, from-namespace (titles, until 2022), both (2023) or "
     "targets (ids, since 2024) (default: targets)",
     OPTION_CHOICE(struct settings, plan.layout, "titles, from-namespace, both, targets")},
    {"form", 0, "FORM",
     "statements (one of 1 MiB per line) or rows (one per line, as newer clients write) (default: "
     "statements)",
     OPTION_CHOICE(struct settings, plan.form, "statements, rows")},
    {"backwards", 0, NULL, "pagelinks from the last page to the first, which no wiki has",
     OPTION_FLAG(struct settings, plan.backwards)},
    {"old-page", 0, NULL, "page with page_restrictions and page_counter, as before 2016",
     OPTION_FLAG(struct settings, plan.old_page)},
    {"level", 0, "N", "compress with gzip, 1 to 9; 0: plain (default: 6)",
     OPTION_NUMBER(struct settings, plan.level, 0, 9)},
    {"wiki", 0, "NAME", "what the wiki is called (default: testwiki)",
     OPTION_TEXT(struct settings, plan.wiki), .min = 1},
    {"date", 0, "DATE", "of the dumps, as 2026-11-01 (default)",
     OPTION_TEXT(struct settings, plan.date)},
    {"seed", 's', "N", "seed (default: 1)",
     OPTION_NUMBER(struct settings, model.seed, 0, UINT64_MAX - 1)},
    {0},
};

static const struct option_row general_rows[] = {
    {"quiet", 'q', NULL, "print nothing", OPTION_FLAG(struct settings, program.quiet)},
    OPTION_HELP_AND_VERSION(struct settings, program.action),
    {0},
};

static const struct option_group groups[] = {
    {"The wiki", rows, 0},
    {"General", general_rows, 0},
    {0},
};

static const struct command command = {
    .name = "wikipedia-generate",
    .groups = groups,
    .introduction =
        "Usage: wikipedia-generate [OPTION]... FOLDER\n"
        "\n"
        "Write the SQL dumps of a made-up wiki to FOLDER, as Wikipedia publishes them:\n"
        "page, page_props, redirect, linktarget and pagelinks; and an account of what\n"
        "wikipedia-import must find in them, WIKI-DATE-account.txt, if it keeps the links\n"
        "of templates. Among the titles are titles that have broken other readers. The\n"
        "same seed gives the same dumps. Files and links of these names are replaced.\n",
    .epilogue = "\n"
                "Examples:\n"
                "  wikipedia-generate --pages 10k dumps\n"
                "  wikipedia-import dumps test.pwg\n"
                "  bfs test.pwg --from \"USA\" --to Banana\n",
};

static bool is_date(const char *text)
{
    for (size_t i = 0; i < 10; i++) {
        if (i == 4 || i == 7 ? text[i] != '-' : !isdigit((unsigned char)text[i])) {
            return false;
        }
    }
    return text[10] == '\0';
}

int main(int argument_count, char **arguments)
{
    (void)argument_count;
    struct settings settings = {
        .model = {.page_count = 10000, .seed = 1, .links = 25},
        .plan = {.wiki = "testwiki", .date = "2026-11-01", .level = 6, .layout = DUMP_TARGETS}};
    struct graph_program *program = &settings.program;
    struct dump_model *model = &settings.model;
    struct dump_plan *plan = &settings.plan;
    char path[4096], message[4400];
    int status =
        graph_program_open(program, &command, &settings, arguments, &plan->folder, 1, "FOLDER");
    if (status >= 0) {
        return status;
    }
    if (!is_date(plan->date) || strpbrk(plan->wiki, "/- \n") != NULL) {
        return progress_fail(&program->progress, EXIT_USAGE,
                             is_date(plan->date) ? "--wiki: letters and digits"
                                                 : "--date: a day as 2026-11-01");
    }
    interrupt_arm(2, "", 0, "interrupted");
    if (mkdir(plan->folder, 0777) != 0 && errno != EEXIST) {
        snprintf(message, sizeof(message), "%.4000s: cannot be made: %s", plan->folder,
                 strerror(errno));
        return graph_program_fail(program, message);
    }
    snprintf(path, sizeof(path), "%.4000s", plan->folder);
    errno = ENOMEM;
    const bool done = dump_model_make(model) && dump_tables_write(model, plan, path);
    if (!done) {
        snprintf(message, sizeof(message), "%s: cannot be written: %s", path, strerror(errno));
    } else if (!program->quiet) {
        printf("%.*s: %u pages, %u nodes\n", (int)(strrchr(path, '-') - path), path,
               model->page_count, model->node_count);
    }
    dump_model_free(model);
    return done ? graph_program_finish(program) : graph_program_fail(program, message);
}

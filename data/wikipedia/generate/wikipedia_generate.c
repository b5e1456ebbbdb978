/*
 * wikipedia_generate.c - the program wikipedia-generate: dumps of a made-up wiki, and an account of
 * what an importer must find in them.
 */
#include "data/tools/graph_program.h"
#include "dump_tables.h"
#include "perf/program/interrupt.h"
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#define PAGES_MAX 1000000000

struct settings {
    struct graph_program program;
    uint64_t pages, seed;
    double links;
    enum dump_layout layout;
    enum { FORM_STATEMENTS, FORM_ROWS } form;
    uint64_t level;
    bool old_page;
    const char *wiki, *date;
};

static const struct option_row rows[] = {
    {"pages", 'n', "N", "pages of all namespaces; some two fifths are articles (default: 10k)",
     OPTION_NUMBER(struct settings, pages, 30, PAGES_MAX)},
    {"links", 0, "X", "links per article, in the mean (default: 25)",
     OPTION_REAL(struct settings, links, 0, 100000)},
    {"layout", 0, "LAYOUT",
     "how pagelinks names targets: titles, from-namespace (titles, until 2022), both (2023) or "
     "targets (ids, since 2024) (default: targets)",
     OPTION_CHOICE(struct settings, layout, "titles, from-namespace, both, targets")},
    {"form", 0, "FORM",
     "statements (one of 1 MiB per line) or rows (one per line, as newer clients write) (default: "
     "statements)",
     OPTION_CHOICE(struct settings, form, "statements, rows")},
    {"old-page", 0, NULL, "page with page_restrictions and page_counter, as before 2016",
     OPTION_FLAG(struct settings, old_page)},
    {"level", 0, "N", "compress with gzip, 1 to 9; 0: plain (default: 6)",
     OPTION_NUMBER(struct settings, level, 0, 9)},
    {"wiki", 0, "NAME", "what the wiki is called (default: testwiki)",
     OPTION_TEXT(struct settings, wiki), .min = 1},
    {"date", 0, "DATE", "of the dumps, as 2026-11-01 (default)",
     OPTION_TEXT(struct settings, date)},
    {"seed", 's', "N", "seed (default: 1)",
     OPTION_NUMBER(struct settings, seed, 0, UINT64_MAX - 1)},
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
        "wikipedia-import must find in them, WIKI-DATE-account.txt. Among the titles are\n"
        "those that have broken other readers. The same seed gives the same dumps.\n",
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
    struct settings settings = {.pages = 10000,
                                .links = 25,
                                .layout = DUMP_TARGETS,
                                .level = 6,
                                .wiki = "testwiki",
                                .date = "2026-11-01",
                                .seed = 1};
    struct graph_program *program = &settings.program;
    const char *folder;
    char path[4096], message[4400];
    int status = graph_program_open(program, &command, &settings, arguments, &folder, 1, "FOLDER");
    if (status >= 0) {
        return status;
    }
    if (!is_date(settings.date) || strpbrk(settings.wiki, "/- \n") != NULL) {
        return progress_fail(&program->progress, EXIT_USAGE,
                             is_date(settings.date) ? "--wiki: letters and digits"
                                                    : "--date: a day as 2026-11-01");
    }
    struct dump_model model = {
        .page_count = (uint32_t)settings.pages, .seed = settings.seed, .links = settings.links};
    struct dump_plan plan = {.folder = folder,
                             .wiki = settings.wiki,
                             .level = (int)settings.level,
                             .row_per_line = settings.form == FORM_ROWS,
                             .old_page = settings.old_page,
                             .layout = settings.layout};
    memcpy(plan.date, settings.date, 11);
    interrupt_arm(2, "", 0, "interrupted");
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        snprintf(message, sizeof(message), "%.4000s: cannot be made: %s", folder, strerror(errno));
        return graph_program_fail(program, message);
    }
    snprintf(path, sizeof(path), "%.4000s", folder);
    errno = ENOMEM;
    const bool done = dump_model_make(&model) && dump_tables_write(&model, &plan, path);
    const int reason = errno;
    const uint32_t nodes = model.node_count;
    dump_model_free(&model);
    if (!done) {
        snprintf(message, sizeof(message), "%s: cannot be written: %s", path, strerror(reason));
        return graph_program_fail(program, message);
    }
    if (!program->quiet) {
        printf("%.*s: %lu pages, %lu nodes\n", (int)(strrchr(path, '-') - path), path,
               (unsigned long)settings.pages, (unsigned long)nodes);
    }
    return graph_program_finish(program);
}

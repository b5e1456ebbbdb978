/*
 * wikipedia_generate.c - the program wikipedia-generate: dumps of a made-up wiki.
 *
 * Usage: wikipedia-generate [--pages=N] [--links=X] [--templates=X] [--layout=NAME] [--form=NAME]
 *        [--backwards] [--old-page] [--level=N] [--wiki=NAME] [--date=DATE] FOLDER
 */
#include "base/macros.h"
#include "dump_tables.h"
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const layouts[] = {"titles", "from-namespace", "both", "targets"};
static const char *const forms[] = {"statements", "rows"};

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "wikipedia-generate: %s: %s\n", what, why);
    exit(1);
}

/* A number, with k or M for thousands or millions. */
static double number_of(const char *text)
{
    char *end;
    const double number = strtod(text, &end);
    const double factor = *end == 'k' ? 1e3 : *end == 'M' ? 1e6 : 1;
    if (end == text || !(number >= 0)) {
        fail(text, "is no number");
    }
    return number * factor;
}

static unsigned place_of(const char *word, const char *const *words, unsigned count)
{
    unsigned place = 0;
    while (place < count && strcmp(words[place], word) != 0) {
        place++;
    }
    if (place == count) {
        fail(word, "is not known");
    }
    return place;
}

int main(int argument_count, char **arguments)
{
    static const struct option options[] = {{"pages", required_argument, NULL, 'p'},
                                            {"links", required_argument, NULL, 'l'},
                                            {"templates", required_argument, NULL, 't'},
                                            {"layout", required_argument, NULL, 'L'},
                                            {"form", required_argument, NULL, 'f'},
                                            {"backwards", no_argument, NULL, 'b'},
                                            {"old-page", no_argument, NULL, 'o'},
                                            {"level", required_argument, NULL, 'z'},
                                            {"wiki", required_argument, NULL, 'w'},
                                            {"date", required_argument, NULL, 'd'},
                                            {NULL, 0, NULL, 0}};
    struct dump_model model = {.page_count = 10000, .links = 25};
    struct dump_plan plan = {
        .wiki = "testwiki", .date = "2026-11-01", .level = 6, .layout = DUMP_TARGETS};
    char path[4096] = "";
    for (int letter; (letter = getopt_long(argument_count, arguments, "", options, NULL)) != -1;) {
        switch (letter) {
        case 'p':
            model.page_count = (uint32_t)number_of(optarg);
            break;
        case 'l':
            model.links = number_of(optarg);
            break;
        case 't':
            model.templates = number_of(optarg);
            break;
        case 'L':
            plan.layout = place_of(optarg, layouts, COUNT_OF(layouts));
            break;
        case 'f':
            plan.form = place_of(optarg, forms, COUNT_OF(forms));
            break;
        case 'b':
            plan.backwards = true;
            break;
        case 'o':
            plan.old_page = true;
            break;
        case 'z':
            plan.level = (int)number_of(optarg);
            break;
        case 'w':
            plan.wiki = optarg;
            break;
        case 'd':
            plan.date = optarg;
            break;
        default:
            return 2;
        }
    }
    if (optind + 1 != argument_count || model.page_count < 30 || strlen(plan.date) != 10) {
        fail("usage", "see the head of wikipedia_generate.c");
    }
    plan.folder = arguments[optind];
    if (mkdir(plan.folder, 0777) != 0 && errno != EEXIST) {
        fail(plan.folder, strerror(errno));
    }
    errno = ENOMEM;
    if (!dump_model_make(&model) || !dump_tables_write(&model, &plan, path)) {
        fail(path, strerror(errno));
    }
    dump_model_free(&model);
    return 0;
}

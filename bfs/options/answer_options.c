/*
 * answer_options.c - the options for one question and for what is told of the answers.
 */
#include "options.h"
#include <string.h>

static struct answer_options *answers_of(void *options)
{
    return &((struct options *)options)->answers;
}

static bool set_from(void *options, const char *value, struct command_error *error)
{
    (void)error;
    answers_of(options)->from = value;
    return true;
}

static bool set_to(void *options, const char *value, struct command_error *error)
{
    (void)error;
    answers_of(options)->to = value;
    return true;
}

static bool set_path(void *options, const char *value, struct command_error *error)
{
    (void)value;
    (void)error;
    answers_of(options)->path = true;
    return true;
}

static bool set_verify(void *options, const char *value, struct command_error *error)
{
    (void)value;
    (void)error;
    answers_of(options)->verify = true;
    return true;
}

static bool set_all_shortest(void *options, const char *value, struct command_error *error)
{
    struct answer_options *answers = answers_of(options);
    answers->all_shortest = true;
    return value == NULL ||
           command_number("all-shortest", value, 0, 1000000, &answers->list_limit, error);
}

static bool set_histogram(void *options, const char *value, struct command_error *error)
{
    (void)value;
    (void)error;
    answers_of(options)->histogram = true;
    return true;
}

static bool set_interactive(void *options, const char *value, struct command_error *error)
{
    (void)value;
    (void)error;
    answers_of(options)->interactive = true;
    return true;
}

static bool set_parallel(void *options, const char *value, struct command_error *error)
{
    static const char *const choices[] = {"pairs", "search", NULL};
    unsigned index = 0;
    if (!command_choice("parallel", value, choices, &index, error)) {
        return false;
    }
    answers_of(options)->one_search = index == 1;
    return true;
}

static bool set_pin(void *options, const char *value, struct command_error *error)
{
    (void)value;
    (void)error;
    answers_of(options)->pin = true;
    return true;
}

static bool set_huge_pages(void *options, const char *value, struct command_error *error)
{
    static const char *const choices[] = {"graph", "all", "none", NULL};
    unsigned index = HUGE_PAGES_ALL;
    if (value != NULL && !command_choice("huge-pages", value, choices, &index, error)) {
        return false;
    }
    answers_of(options)->huge_pages = (enum huge_pages)index;
    return true;
}

static const struct command_option answer_table[] = {
    {"from", 0, "NODE", "one question instead of PAIRS: from this node, by name or id ...",
     set_from},
    {"to", 0, "NODE", "... to this one", set_to},
    {"path", 0, NULL, "tell a shortest path of every answer, checked edge by edge", set_path},
    {"verify", 0, NULL,
     "compare every answer with a plain, slow search that shares\n"
     "nothing with the engines, and check its path; exit 1 if wrong",
     set_verify},
    {"all-shortest", 0, "[K]",
     "with --from and --to: count all shortest paths and list the\n"
     "first K (default: 10)",
     set_all_shortest},
    {"histogram", 0, NULL, "with --from alone: how many nodes lie at each distance", set_histogram},
    {"interactive", 0, NULL,
     "keep the graph loaded and answer questions from standard input:\n"
     "two names on a terminal, completed by Tab, ended by Ctrl-D;\n"
     "in a pipe a line \"NODE<tab>NODE\" each, answered by a line of\n"
     "JSON",
     set_interactive},
    {0},
};

static const struct command_option parallel_table[] = {
    {"parallel", 0, "WHAT",
     "what --threads N share: pairs, a search each; or search, all on\n"
     "one search (array, bitmap, direction-optimizing) (default: pairs;\n"
     "without --threads searches use one thread)",
     set_parallel},
    {"pin", 0, NULL, "keep each thread on a processor of its own", set_pin},
    {"huge-pages", 0, "[WHAT]",
     "what lies in huge pages, if the system has them: graph, all (the\n"
     "working memory too) or none (default: graph; without WHAT: all)",
     set_huge_pages},
    {0},
};

const struct command_group answer_group = {"Questions and answers:", answer_table};
const struct command_group parallel_group = {"Threads and memory:", parallel_table};

bool answer_options_check(const struct options *options, int operand_count,
                          struct command_error *error)
{
    const struct answer_options *answers = &options->answers;
    const bool asks = answers->from != NULL || answers->to != NULL;
    const bool alone = asks || answers->interactive;
    if (operand_count > 1 && alone) {
        return command_fail(error, "PAIRS \"%.100s\" is one too many with %s", options->pairs,
                            asks ? "--from and --to" : "--interactive");
    }
    if (asks && answers->interactive) {
        return command_fail(error, "--interactive asks for the nodes itself: no --from or --to");
    }
    if (answers->histogram ? answers->from == NULL || answers->to != NULL
                           : asks && (answers->from == NULL || answers->to == NULL)) {
        return command_fail(error, answers->histogram ? "--histogram needs --from, and no --to"
                                                      : "--from and --to belong together");
    }
    if (answers->all_shortest && answers->to == NULL) {
        return command_fail(error, "--all-shortest needs --from and --to");
    }
    if (options->counters.simulation != NULL && (alone || answers->path || answers->verify)) {
        return command_fail(error, "--sim simulates plain searches of PAIRS only");
    }
    return true;
}

/*
 * options.c - the options of bfs: a table of groups, and the functions that store their values.
 *
 * An option is one line in a table and one small function. A group of its own file joins the list
 * of groups at the end.
 */
#include "options.h"
#include <string.h>

#define TRIALS_MAX 1000000

static bool set_allocator(void *options, const char *value, struct command_error *error)
{
    (void)error;
    ((struct options *)options)->allocator = value;
    return true;
}

static bool set_engine(void *options, const char *value, struct command_error *error)
{
    (void)error;
    ((struct options *)options)->engine = value;
    return true;
}

static bool set_only(void *options, const char *value, struct command_error *error)
{
    return search_selection_parse(&((struct options *)options)->only, value, error);
}

static bool set_trials(void *options, const char *value, struct command_error *error)
{
    return command_number("trials", value, 1, TRIALS_MAX, &((struct options *)options)->trials,
                          error);
}

static bool set_warmup(void *options, const char *value, struct command_error *error)
{
    return command_number("warmup", value, 0, TRIALS_MAX, &((struct options *)options)->warmups,
                          error);
}

static bool set_timeout(void *options, const char *value, struct command_error *error)
{
    return command_seconds("timeout", value, &((struct options *)options)->timeout_ns, error);
}

static bool set_cpu(void *options, const char *value, struct command_error *error)
{
    uint64_t cpu = 0;
    if (!command_number("cpu", value, 0, 65535, &cpu, error)) {
        return false;
    }
    ((struct options *)options)->cpu = (int)cpu;
    return true;
}

static bool set_as_published(void *options, const char *value, struct command_error *error)
{
    (void)value;
    (void)error;
    ((struct options *)options)->as_published = true;
    return true;
}

static bool set_format(void *options, const char *value, struct command_error *error)
{
    static const char *const choices[] = {"text", "csv", "json", NULL};
    unsigned index = 0;
    if (!command_choice("format", value, choices, &index, error)) {
        return false;
    }
    ((struct options *)options)->format = (enum report_format)index;
    return true;
}

static bool set_output(void *options, const char *value, struct command_error *error)
{
    if (value[0] == '\0') {
        return command_fail(error, "--output needs the name of a file");
    }
    ((struct options *)options)->output = strcmp(value, "-") == 0 ? NULL : value;
    return true;
}

static bool set_progress(void *options, const char *value, struct command_error *error)
{
    static const char *const choices[] = {"auto", "always", "never", NULL};
    unsigned index = 0;
    if (!command_choice("progress", value, choices, &index, error)) {
        return false;
    }
    ((struct options *)options)->progress = (enum progress_mode)index;
    return true;
}

static bool set_quiet(void *options, const char *value, struct command_error *error)
{
    (void)value;
    (void)error;
    ((struct options *)options)->quiet = true;
    return true;
}

static bool set_verbose(void *options, const char *value, struct command_error *error)
{
    (void)value;
    (void)error;
    ((struct options *)options)->verbose = true;
    return true;
}

/* The first of the options that only ask something wins. */
static bool set_action(void *options, enum action action)
{
    if (((struct options *)options)->action == ACTION_RUN) {
        ((struct options *)options)->action = action;
    }
    return true;
}

static bool set_help(void *options, const char *value, struct command_error *error)
{
    (void)value;
    (void)error;
    return set_action(options, ACTION_HELP);
}

static bool set_version(void *options, const char *value, struct command_error *error)
{
    (void)value;
    (void)error;
    return set_action(options, ACTION_VERSION);
}

static bool set_list_allocators(void *options, const char *value, struct command_error *error)
{
    (void)value;
    (void)error;
    return set_action(options, ACTION_LIST_ALLOCATORS);
}

static bool set_list_engines(void *options, const char *value, struct command_error *error)
{
    (void)value;
    (void)error;
    return set_action(options, ACTION_LIST_ENGINES);
}

static const struct command_option search_options[] = {
    {"alloc", 'a', "SPEC",
     "the allocator of the list nodes: NAME, NAME:option=value,... or\n"
     "WRAPPER(SPEC) (default: LINKED_LIST_ALLOC if set, else malloc)",
     set_allocator},
    {"engine", 'e', "NAME",
     "how to search, see --list-engines (default: classic; for a\n"
     "single question bidirectional)",
     set_engine},
    {"only", 0, "LIST",
     "only these searches, counted from 1: 1,3,9 or 1-15,40; run in\n"
     "the order of PAIRS (default: all)",
     set_only},
    {"trials", 'n', "N", "measure all searches N times over (default: 1)", set_trials},
    {"warmup", 'w', "N", "run all searches N times before, unmeasured (default: 0)", set_warmup},
    {"timeout", 't', "SECONDS",
     "give a search up after that long, report it as timed out and\n"
     "go on with the next (default: 0, never)",
     set_timeout},
    {"cpu", 0, "N", "run the searches on processor N (default: any)", set_cpu},
    {"as-published", 0, NULL,
     "add the last entry of the file twice, as the challenge's\n"
     "program does, for a comparison to the last count",
     set_as_published},
    {0},
};

static const struct command_option output_options[] = {
    {"format", 'f', "FORMAT", "text, csv or json (default: text)", set_format},
    {"output", 'o', "FILE",
     "write the report to FILE, opened before anything is loaded\n"
     "(default: -, standard output)",
     set_output},
    {"verbose", 'v', NULL, "in text, a block a search instead of a line", set_verbose},
    {"quiet", 'q', NULL, "in text only the summary, on standard error only errors", set_quiet},
    {"progress", 0, "WHEN",
     "show progress on standard error: auto (on a terminal), always\n"
     "or never (default: auto)",
     set_progress},
    {0},
};

static const struct command_option information_options[] = {
    {"list-allocs", 0, NULL, "what --alloc knows, with options and their defaults",
     set_list_allocators},
    {"list-engines", 0, NULL, "what --engine knows", set_list_engines},
    {"help", 'h', NULL, "this text", set_help},
    {"version", 'V', NULL, "the version", set_version},
    {0},
};

static const struct command_group search_group = {"Searching:", search_options};
static const struct command_group output_group = {"Report:", output_options};
static const struct command_group information_group = {"Information:", information_options};

static const struct command_group *const groups[] = {
    &search_group, &answer_group,  &parallel_group,    &input_option_group,
    &output_group, &counter_group, &information_group, NULL};

static const char introduction[] =
    "Usage: bfs [OPTION]... GRAPH PAIRS\n"
    "       bfs [OPTION]... GRAPH --from NODE --to NODE\n"
    "       bfs [OPTION]... GRAPH --from NODE --histogram\n"
    "       bfs [OPTION]... GRAPH --interactive\n"
    "\n"
    "Search the directed graph GRAPH breadth first from the source to the target of\n"
    "each line of PAIRS, with list nodes from an allocator of your choice, and report\n"
    "what was found, how long it took and how often memory was asked for.\n"
    "\n"
    "GRAPH  a file: Matrix Market coordinate, an edge list (\"source target\" a line;\n"
    "       spaces, tabs or commas; comments after # or %), and more, see below.\n"
    "       \"generate:nodes=400k,edges=5M,seed=1\" makes one shaped like Wikipedia.\n"
    "PAIRS  a file with \"source target\" a line, in the ids or names of GRAPH.\n"
    "       \"random:100,seed=1\" makes as many at random.\n";

static const char epilogue[] =
    "\n"
    "Examples:\n"
    "  bfs wikipedia.mtx pairs.txt --alloc=pool\n"
    "  bfs edges.txt pairs.txt --alloc=slab:chunk=2M,pages=huge --trials 5 --warmup 1\n"
    "  bfs generate:nodes=400k,edges=5M random:100 --alloc=slab --verbose\n"
    "  bfs edges.txt pairs.txt --only 1,3,9 --format csv --output searches.csv\n"
    "  bfs links.tsv.gz names.txt --undirected --cache\n"
    "  bfs wikipedia.mtx pairs.txt --engine=array --threads 4\n"
    "  bfs links.tsv --from Shoe --to Cheese --path --all-shortest\n"
    "\n"
    "Ctrl-C ends the run after a report of what is done; a second one ends it at once.\n"
    "Exit status: 0 done, 1 a file, a search or the report failed, 2 wrong usage,\n"
    "130 interrupted.\n";

void options_write_help(FILE *out)
{
    fputs(introduction, out);
    command_write_help(out, groups);
    fputc('\n', out);
    fputs(input_formats_help, out);
    fputs(epilogue, out);
}

bool options_parse(struct options *options, int argument_count, char **arguments,
                   struct command_error *error)
{
    const char *operands[2] = {NULL, NULL};
    *options = (struct options){
        .trials = 1,
        .cpu = -1,
        .answers = {.list_limit = 10},
        .counters = {.specification = "auto", .simulation_limit_ns = UINT64_C(300000000000)}};
    int count = command_parse(argument_count, arguments, groups, options, operands, 2, error);
    if (count < 0) {
        return false;
    }
    options->graph = operands[0];
    options->pairs = operands[1];
    if (options->action != ACTION_RUN) {
        return true;
    }
    const struct answer_options *answers = &options->answers;
    if (!answer_options_check(options, count, error)) {
        return false;
    }
    const bool alone = answers->from != NULL || answers->interactive;
    if (options->engine == NULL) {
        options->engine = alone ? "bidirectional" : "classic";
    }
    if (count < (alone ? 1 : 2)) {
        return command_fail(error,
                            "%s is missing; the usage is bfs [OPTION]... GRAPH PAIRS, see "
                            "bfs --help",
                            count == 0 ? "GRAPH" : "PAIRS");
    }
    return true;
}

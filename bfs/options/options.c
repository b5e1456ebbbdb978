/*
 * options.c - the command line of bfs: its table of options, defaults, and conflicts.
 *
 * An option is one row of a table. A group that fills a struct of its own has a separate file.
 */
#include "options.h"
#include "base/macros.h"
#include "bfs/engines/engines.h"
#include "data/tools/graph_input.h"
#include <string.h>

#define TRIALS_MAX  1000000
#define THREADS_MAX 256

#define FLAG(member)           OPTION_FLAG(struct options, member)
#define TEXT(member)           OPTION_TEXT(struct options, member)
#define ACTION(action_)        OPTION_ACTION(struct options, action, action_)
#define NUMBER(member, ...)    OPTION_NUMBER(struct options, member, __VA_ARGS__)
#define CHOICE(member, words_) OPTION_CHOICE(struct options, member, words_)

static const struct option_row search_rows[] = {
    {"alloc", 'a', "SPEC[,SPEC]...",
     "allocator of the list nodes: NAME, NAME:option=value,... or WRAPPER(SPEC) (default: "
     "LINKED_LIST_ALLOC if set, else malloc). Several are compared side by side: --trials rounds, "
     "each run a separate process, in turns. After a comma, option=value belongs to the SPEC "
     "before it, anything else is the next one",
     TEXT(allocator)},
    {"engine", 'e', "NAME[,NAME]...",
     "how to search, see --list-engines (default: " SEARCH_ENGINE_DEFAULT
     "; for a single question " SEARCH_ENGINE_FOR_QUESTION
     "); several are compared, with every allocator",
     TEXT(engine)},
    {"only", 0, "LIST",
     "run only these searches, counted from 1: 1,3,9 or 1-15,40; always in the order of PAIRS "
     "(default: all)",
     OPTION_OWN(struct options, only, search_selection_read)},
    {"trials", 'n', "N", "measure all searches N times (default: 1; rounds of a comparison: 5)",
     NUMBER(trials, 1, TRIALS_MAX), .given = offsetof(struct options, trials_given)},
    {"warmup", 'w', "N", "first run all searches N times without measuring (default: 0)",
     NUMBER(warmups, 0, TRIALS_MAX)},
    {"as-published", 0, NULL,
     "add the last entry of the file twice, as the challenge's program does, so that every count "
     "can be compared",
     FLAG(as_published)},
    {0},
};

static const struct option_row thread_rows[] = {
    {"threads", 0, "N",
     "load and search with N threads (default: load with one per processor, unless a second "
     "thread would slow the allocator; search with one)",
     NUMBER(input.threads, 1, THREADS_MAX)},
    {"parallel", 0, "WHAT",
     "how N threads divide the work: pairs (each thread runs whole searches) or search (all "
     "threads work on one search, if --list-engines says that the engine can) (default: pairs)",
     CHOICE(parallel, "pairs, search")},
    {"pin", 0, NULL, "keep each thread on its own processor", FLAG(pin)},
    {"timeout", 't', "SECONDS",
     "stop a search after that long, report it as timed out and go on with the next (default: 0, "
     "never)",
     OPTION_SECONDS(struct options, timeout_ns)},
    {"cpu", 0, "N", "run the searches on processor N (default: any)", NUMBER(cpu, 0, 65535)},
    {"huge-pages", 0, "[WHAT]",
     "what to place in huge pages, if the system has them: graph, all (the working memory too) or "
     "none (default: graph; without WHAT: all)",
     CHOICE(huge_pages, "graph, all, none"), .implied = "all"},
    {"order", 0, "ORDER",
     "number the nodes inside as the file does (none), or as a search meets them if --cache "
     "keeps the graph (auto), which makes searches faster and the first load slower; pairs and the "
     "report keep the ids of the file (default: none)",
     CHOICE(order, "none, auto")},
    {0},
};

static const struct option_row output_rows[] = {
    {"format", 'f', "FORMAT",
     "text, csv, json, or dot, the graph that the paths of --all-shortest form, for Graphviz "
     "(default: text)",
     OPTION_CHOICE(struct report_options, format, "text, csv, json, dot")},
    OPTION_REPORT_OUTPUT(struct report_options, output),
    {"verbose", 'v', NULL, "in text, a block per search instead of a line",
     OPTION_FLAG(struct report_options, verbose)},
    {"quiet", 'q', NULL, "print only the summary in text, and only errors on standard error",
     OPTION_FLAG(struct report_options, quiet)},
    {"progress", 0, "WHEN",
     "show progress on standard error: auto (on a terminal), always or never (default: auto)",
     OPTION_CHOICE(struct report_options, progress, PROGRESS_WORDS)},
    {0},
};

static const struct option_row information_rows[] = {
    {"doctor", 0, NULL,
     "print whether this machine's processor counters can be used, and what to do if not",
     ACTION(ACTION_DOCTOR)},
    {"list-allocs", 0, NULL,
     "list what --alloc knows, with options and their defaults; with --alloc=LIST, the "
     "allocators of LIST, one per line",
     ACTION(ACTION_LIST_ALLOCATORS)},
    {"list-engines", 0, NULL, "list what --engine knows", ACTION(ACTION_LIST_ENGINES)},
    OPTION_HELP_AND_VERSION(struct options, action),
    {0},
};

/* The places of two groups, whose options ask for what only a report shows. */
enum { SEARCHING = 0, COUNTERS = 5 };

static const struct option_group groups[] = {
    [SEARCHING] = {"Searching", search_rows, 0},
    {"Questions and answers", answer_rows, offsetof(struct options, answers)},
    {"Threads, time and memory", thread_rows, 0},
    {"Reading the graph", graph_input_rows, offsetof(struct options, input)},
    {"Report", output_rows, offsetof(struct options, report)},
    [COUNTERS] = {"Counters", counter_rows, offsetof(struct options, counters)},
    {"Information", information_rows, 0},
    {0},
};

const struct command bfs_command = {
    .name = "bfs",
    .groups = groups,
    .groups_given = offsetof(struct options, report.groups_given),
    .introduction =
        "Usage: bfs [OPTION]... GRAPH PAIRS\n"
        "       bfs [OPTION]... GRAPH --from NODE --to NODE\n"
        "       bfs [OPTION]... GRAPH --from NODE --histogram\n"
        "\n"
        "Search the directed graph GRAPH breadth first from the source to the target of\n"
        "each line of PAIRS, with list nodes from an allocator of your choice. Report\n"
        "what was found, how long it took and how often memory was asked for.\n"
        "\n"
        "GRAPH  a file: Matrix Market coordinate, an edge list (\"source target\" per\n"
        "       line; spaces, tabs or commas; comments after # or %) and more, see below.\n"
        "       \"generate:nodes=400k,edges=5M,seed=1\" makes one shaped like Wikipedia;\n"
        "       generate:kronecker, generate:uniform and generate:grid make others.\n"
        "PAIRS  a file with \"source target\" per line: the names of GRAPH, or its ids if\n"
        "       it has no names (#1 is the id 1 of a graph with names); in the snapshot\n"
        "       of a wiki, titles, and the ids of pages. Names may have quotes as in CSV.\n"
        "       \"random:100,seed=1\" makes 100 random pairs (with targets=10, ten of each\n"
        "       source). Either may be \"-\", standard input; a pair that comes through a\n"
        "       pipe is answered when it comes, in text and CSV.\n",
    .epilogue = GRAPH_INPUT_HELP
    "\n"
    "Examples, on the sample in the source tree:\n"
    "  bfs data/sample/borders.tsv --from Laos --to Poland\n"
    "  bfs data/sample/borders.tsv --from laos --to \"cote d'ivoire\" --all-shortest=3\n"
    "  bfs data/sample/borders.tsv --from Laos --histogram\n"
    "  bfs data/sample/borders.tsv data/sample/borders-pairs.tsv --alloc=pool\n"
    "  bfs data/sample/borders.tsv data/sample/borders-pairs.tsv --path --format json\n"
    "on a graph that wikipedia-import made:\n"
    "  bfs simple.pwg --from \"Ada Lovelace\" --to Banana\n"
    "on a generated graph:\n"
    "  bfs generate:nodes=40k random:100 --alloc=slab --trials 5 --warmup 1\n"
    "  bfs generate:nodes=40k random:15 --alloc=malloc,pool,slab:chunk=2M,pages=huge\n"
    "  bfs generate:nodes=40k random:100 --only 1-15,40 --format csv --output out.csv\n"
    "  bfs generate:nodes=40k random:100 --engine=array --threads 2 --verify\n"
    "\n"
    "Ctrl-C ends the run after a report of what is done; a second one ends it at\n"
    "once. Exit status: 0 done, also if there is no path; 1 a file, a search or the\n"
    "report failed; 2 wrong usage; 130 interrupted.\n",
};

/* True if standard input is read for one purpose only. */
static bool check_standard_input(const struct options *options, struct command_error *error)
{
    const struct {
        const char *what, *path;
    } inputs[] = {{"GRAPH", options->graph},
                  {"PAIRS", options->pairs},
                  {"--names", options->input.names_path}};
    const char *first = NULL;
    for (size_t i = 0; i < COUNT_OF(inputs); i++) {
        if (inputs[i].path == NULL || strcmp(inputs[i].path, "-") != 0) {
            continue;
        }
        if (first != NULL) {
            return command_fail(error, "standard input cannot be both %s and %s", first,
                                inputs[i].what);
        }
        first = inputs[i].what;
    }
    return true;
}

/* True if nothing is asked for that a search around nodes cannot do. */
static bool check_without(const struct options *options, struct command_error *error)
{
    const struct {
        bool given;
        const char *why;
    } refused[] = {
        {options->engine != NULL, "--engine: searches with --without have an engine of their own"},
        {options->allocator != NULL, "--alloc: a search with --without takes no list nodes"},
        {options->counters.simulation != NULL, "--sim simulates plain searches: no --without"},
        {options->as_published, "--as-published repeats published counts: no --without"},
        {options->parallel == PARALLEL_SEARCH,
         "--parallel=search: one search with --without takes one thread; --parallel=pairs takes "
         "several"},
    };
    for (size_t i = 0; options->answers.without.count > 0 && i < COUNT_OF(refused); i++) {
        if (refused[i].given) {
            return command_fail(error, "%s", refused[i].why);
        }
    }
    return true;
}

/* True if options of different groups agree. operand_count: GRAPH and PAIRS, if given. */
static bool check(const struct options *options, int operand_count, struct command_error *error)
{
    const struct answer_options *answers = &options->answers;
    const bool asks = answer_options_ask(answers);
    if (operand_count > 1 && asks) {
        return command_fail(error, "PAIRS \"%.100s\" is one too many with --from and --to",
                            options->pairs);
    }
    if (!answer_options_check(answers, error) || !check_without(options, error)) {
        return false;
    }
    if (options->counters.simulation != NULL && (asks || answers->path || answers->verify)) {
        return command_fail(error, "--sim simulates plain searches of PAIRS only");
    }
    if (operand_count < (asks ? 1 : 2)) {
        return command_fail(
            error, "%s; bfs --help says more",
            operand_count == 0 && asks ? "GRAPH is missing"
            : operand_count == 0
                ? "GRAPH and PAIRS are missing: a file of edges and one of questions"
                : "PAIRS is missing: a file of questions, or random:100; or ask with "
                  "--from A --to B");
    }
    return check_standard_input(options, error);
}

/* True if an option asks for the report: -v, --format=csv, or any of Searching or Counters. */
static bool asks_report(const struct options *options)
{
    const uint32_t of_report = UINT32_C(1) << SEARCHING | UINT32_C(1) << COUNTERS;
    return (options->report.groups_given & of_report) != 0 || options->report.verbose ||
           options->report.format == REPORT_FORMAT_CSV;
}

/* True unless the report is asked for beside an answer that has no place in one. */
static bool check_answer(const struct options *options, struct command_error *error)
{
    const struct answer_options *answers = &options->answers;
    const bool is_drawn = options->report.format == REPORT_FORMAT_DOT;
    const char *what = answers->histogram    ? "--histogram counts nodes"
                       : is_drawn            ? "--format=dot draws all shortest paths"
                       : answers->longer > 0 ? "--longer lists paths"
                                             : NULL;
    if (is_drawn && !answers->all_shortest) {
        return command_fail(error, "--format=dot draws all shortest paths: it needs --from, --to "
                                   "and --all-shortest");
    }
    if (is_drawn && answers->longer > 0) {
        return command_fail(error, "--format=dot draws the shortest paths: no --longer");
    }
    return what == NULL || !asks_report(options) ||
           command_fail(error,
                        "%s and measures nothing: no -v, no --format=csv, and no option of "
                        "Searching or Counters",
                        what);
}

bool options_parse(struct options *options, char **arguments, struct command_error *error)
{
    const char *operands[2] = {NULL, NULL};
    *options = (struct options){
        .trials = 1,
        .cpu = -1,
        .answers = {.list_limit = 10},
        .counters = {.specification = "auto", .simulation_limit_ns = UINT64_C(300000000000)}};
    int count = command_parse(&bfs_command, arguments, options, operands, 2, error);
    if (count < 0) {
        return false;
    }
    options->graph = operands[0];
    options->pairs = operands[1];
    if (options->action != ACTION_RUN) {
        return true;
    }
    if (!check(options, count, error) || !check_answer(options, error)) {
        return false;
    }
    options->report.answer_alone = answer_options_ask(&options->answers) && !asks_report(options);
    options->answers.path |= options->answers.to != NULL;
    if (options->engine == NULL) {
        options->engine = answer_options_ask(&options->answers) ? SEARCH_ENGINE_FOR_QUESTION
                                                                : SEARCH_ENGINE_DEFAULT;
    }
    if (options->report.output != NULL && strcmp(options->report.output, "-") == 0) {
        options->report.output = NULL;
    }
    return true;
}

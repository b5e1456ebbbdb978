/*
 * answer_options.c - the options for one question, and which of them exclude each other.
 */
#include "answer_options.h"

#define LIST_MAX 1000000 /* paths that --all-shortest lists */

#define FLAG(member) OPTION_FLAG(struct answer_options, member)
#define TEXT(member) OPTION_TEXT(struct answer_options, member)

/* The reader of --without, which may be given several times. */
static bool read_without(const char *value, void *field, struct command_error *error)
{
    struct without_texts *texts = field;
    if (value[0] == '\0') {
        return command_fail(error, "expected nodes with commas between them, found no node");
    }
    if (texts->count == WITHOUT_MAX) {
        return command_fail(error, "given more than %d times", WITHOUT_MAX);
    }
    texts->items[texts->count++] = value;
    return true;
}

const struct option_row answer_rows[] = {
    {"from", 0, "NODE",
     "ask one question instead of reading PAIRS. The source is a name, an id if there are no "
     "names, #1 (an id among names), or the address of an article. The answer is printed alone; "
     "-v, --format=csv and any option of Searching or Counters print the report; --histogram, "
     "--longer and --format=dot have no report",
     TEXT(from)},
    {"to", 0, "NODE",
     "the target of that question; the number of shortest paths is printed if it can be "
     "counted at once",
     TEXT(to)},
    {"without", 0, "NODE[,NODE]...",
     "find the shortest paths without these nodes, also at their ends, for a question and for "
     "PAIRS; with --histogram count the nodes that are reached without them; a name with a comma "
     "needs a --without of its own",
     OPTION_OWN(struct answer_options, without, read_without)},
    {"path", 0, NULL, "report a shortest path for every answer, checked edge by edge", FLAG(path)},
    {"verify", 0, NULL,
     "compare every answer with a plain, slow search that shares no code with the engines, and "
     "check its path; exit 1 if an answer is wrong; consecutive pairs with one source, such as "
     "random:1M,targets=10k, share a search",
     FLAG(verify)},
    {"all-shortest", 0, "[K]",
     "with --from and --to: list the first K shortest paths and count all (default: 10); with "
     "--format=dot all are drawn, whatever K is",
     OPTION_NUMBER(struct answer_options, list_limit, 0, LIST_MAX),
     .given = offsetof(struct answer_options, all_shortest)},
    {"longer", 0, "N",
     "with --all-shortest: also list the first K paths that have N edges more than a shortest one "
     "and no node twice, and count all of these; N is 0 or 1",
     OPTION_NUMBER(struct answer_options, longer, 0, 1)},
    {"histogram", 0, NULL,
     "with --from alone: count the nodes at each distance, in text as bars; the distance of each "
     "node by name: graph.distances() of the Python package",
     FLAG(histogram)},
    {0},
};

bool answer_options_ask(const struct answer_options *answers)
{
    return answers->from != NULL || answers->to != NULL;
}

bool answer_options_check(const struct answer_options *answers, struct command_error *error)
{
    if (answers->histogram) {
        return (answers->from != NULL && answers->to == NULL) ||
               command_fail(error, "--histogram needs --from, and no --to");
    }
    if (answer_options_ask(answers) && (answers->from == NULL || answers->to == NULL)) {
        return command_fail(
            error, "%s",
            answers->from == NULL
                ? "--to needs --from"
                : "--from needs --to, or --histogram for the number of nodes at each distance");
    }
    if (answers->all_shortest && answers->to == NULL) {
        return command_fail(error, "--all-shortest needs --from and --to");
    }
    if (answers->longer > 0 && !answers->all_shortest) {
        return command_fail(error, "--longer needs --all-shortest");
    }
    return true;
}

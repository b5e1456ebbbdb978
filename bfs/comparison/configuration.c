/*
 * configuration.c - reads the list of things to compare, and makes one run of each.
 *
 * 1. The child's command line is the user's, with the run's own options after it: of an option
 *    given twice the last one counts.
 * 2. The child reports in CSV through a pipe. Its columns are found by their names.
 * 3. The kernel reports the most memory it had, when it ends.
 */
#include "configuration.h"
#include "alloc/specification.h"
#include "base/array_reserve.h"
#include "base/program/child.h"
#include "base/program/csv_child.h"
#include "base/program/interrupt.h"
#include "base/pw_assert.h"
#include "bfs/engines/engines.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* What is compared --------------------------------------------------------------------------- */

static bool add(struct comparison *comparison, const char *allocator, size_t length,
                const struct search_engine *engine, struct command_error *error)
{
    struct configuration *all = comparison->configurations;
    struct configuration *new = &all[comparison->configuration_count];
    if (!(engine->flags & SEARCH_USES_LIST)) {
        length = 0;
    }
    if (comparison->configuration_count == CONFIGURATIONS_MAX) {
        return command_fail(error, "more than %d configurations to compare", CONFIGURATIONS_MAX);
    }
    snprintf(new->allocator, sizeof(new->allocator), "%.*s", (int)length, allocator);
    new->engine = engine;
    for (size_t i = 0; i < comparison->configuration_count; i++) {
        if (all[i].engine == engine && strcmp(all[i].allocator, new->allocator) == 0) {
            return true; /* named twice, or an allocator that this engine does not use */
        }
        comparison->several_engines |= all[i].engine != engine;
        comparison->several_allocators |= strcmp(all[i].allocator, new->allocator) != 0;
    }
    comparison->configuration_count++;
    comparison->has_list |= length > 0;
    return true;
}

/* The allocators with one engine. */
static bool add_allocators(struct comparison *comparison, const struct search_engine *engine,
                           struct command_error *error)
{
    const char *list = comparison->options->allocator;
    if (list == NULL) {
        const char *environment = getenv("LINKED_LIST_ALLOC");
        list = environment != NULL ? environment : "malloc";
    }
    for (;;) {
        char text[256];
        struct node_specification parsed;
        struct node_allocator_error why;
        size_t length = node_specification_length(list);
        if (length >= sizeof(text)) {
            return command_fail(error, "--alloc: a specification of more than %zu characters",
                                sizeof(text) - 1);
        }
        snprintf(text, sizeof(text), "%.*s", (int)length, list);
        if (!node_specification_parse(text, &parsed, &why)) {
            return command_fail(error, "--alloc: %s", why.message);
        }
        if (!add(comparison, text, length, engine, error)) {
            return false;
        }
        if (list[length] == '\0') {
            return true;
        }
        list += length + 1;
    }
}

/* The name of each configuration, made of what differs. */
static void name_configurations(struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->configuration_count; i++) {
        struct configuration *named = &comparison->configurations[i];
        const bool has_engine = comparison->several_engines;
        const bool has_allocator =
            !has_engine || (named->allocator[0] != '\0' && comparison->several_allocators);
        /* The precision shows the compiler that the texts do not overlap. */
        snprintf(named->name, sizeof(named->name), "%.255s%s%s",
                 has_allocator ? named->allocator : "", has_allocator && has_engine ? ", " : "",
                 has_engine ? named->engine->name : "");
    }
}

/* Find for each configuration the first one that must count alike: with the same engine, or with
 * another that counts exactly as the challenge's program does. */
static void find_equals(struct comparison *comparison)
{
    struct configuration *all = comparison->configurations;
    for (size_t i = 0; i < comparison->configuration_count; i++) {
        all[i].counts_as = 0;
        while (
            all[all[i].counts_as].engine != all[i].engine &&
            !(all[all[i].counts_as].engine->flags & all[i].engine->flags & SEARCH_EXACT_COUNTS)) {
            all[i].counts_as++;
        }
        pw_assert(all[i].counts_as <= i);
    }
    comparison->counts_vary =
        comparison->options->input.threads > 1 && comparison->options->parallel == PARALLEL_SEARCH;
}

bool configurations_read(struct comparison *comparison, struct command_error *error)
{
    const char *list = comparison->options->engine;
    for (;;) {
        char name[64];
        size_t length = strcspn(list, ",");
        snprintf(name, sizeof(name), "%.*s", (int)(length < sizeof(name) ? length : 0), list);
        const struct search_engine *engine = search_engine_find(name);
        if (engine == NULL) {
            return command_fail(error, "unknown engine \"%.*s\"; --list-engines lists them",
                                (int)(length < 60 ? length : 60), list);
        }
        if (!add_allocators(comparison, engine, error)) {
            return false;
        }
        if (list[length] == '\0') {
            break;
        }
        list += length + 1;
    }
    if (comparison->configuration_count < 2) {
        const struct configuration *only = &comparison->configurations[0];
        return only->allocator[0] != '\0'
                   ? command_fail(error,
                                  "nothing to compare: the list names one configuration only")
                   : command_fail(error,
                                  "nothing to compare: the engine %s takes no list nodes from any "
                                  "allocator",
                                  only->engine->name);
    }
    name_configurations(comparison);
    find_equals(comparison);
    return true;
}

/* Reading the child's CSV -------------------------------------------------------------------- */

enum column {
    SEARCH,
    FOUND,
    HOPS,
    VISITED, /* the first of what search_counts holds */
    EXPANDED,
    PUSHED,
    PEAK_QUEUE,
    SECONDS,
    MALLOCS,
    FREES,
    STATUS,
    COLUMN_COUNT
};

static const char *const column_names[COLUMN_COUNT] = {
    [SEARCH] = "search",    [FOUND] = "found",           [HOPS] = "hops",
    [VISITED] = "visited",  [EXPANDED] = "expanded",     [PUSHED] = "pushed",
    [SECONDS] = "seconds",  [PEAK_QUEUE] = "peak_queue", [MALLOCS] = "malloc_calls",
    [FREES] = "free_calls", [STATUS] = "status",
};

/* Add the count in a cell; an empty one makes the sum unknown. */
static void add_count(uint64_t *sum, const char *cell)
{
    *sum = *sum == UINT64_MAX || cell[0] == '\0' ? UINT64_MAX : *sum + strtoull(cell, NULL, 10);
}

static uint64_t integer(const char *cell)
{
    return strtoull(cell, NULL, 10);
}

/* "0.036529171" as nanoseconds. */
static uint64_t nanoseconds(const char *cell)
{
    char *end;
    uint64_t seconds = strtoull(cell, &end, 10);
    return seconds * 1000000000 + (*end == '.' ? integer(end + 1) : 0);
}

/* Compare the answer of a row with the first run's, or keep it. */
static bool same_answer(struct comparison *comparison, size_t index, size_t row,
                        const struct csv_child *csv, struct command_error *error)
{
    int64_t hops = csv->cells[FOUND][0] == '1' ? (int64_t)integer(csv->cells[HOPS]) : -1;
    if (strcmp(csv->cells[STATUS], "done") != 0) {
        return true;
    }
    size_t old_count = comparison->answer_count;
    if (!array_reserve(&comparison->answers, &comparison->answer_count, row + 1,
                       sizeof(*comparison->answers))) {
        return command_fail(error, "out of memory for the answers");
    }
    for (size_t i = old_count; i < comparison->answer_count; i++) {
        comparison->answers[i] = ANSWER_UNKNOWN;
    }
    int64_t *known = &comparison->answers[row];
    if (*known == ANSWER_UNKNOWN) {
        *known = hops;
        comparison->first = row == 0 ? index : comparison->first;
    }
    return *known == hops ||
           command_fail(error, "search %s: %.200s and %.200s do not agree on the distance",
                        csv->cells[SEARCH], comparison->configurations[comparison->first].name,
                        comparison->configurations[index].name);
}

/* Compare the counts of a row with an earlier run that must count alike, or keep them. */
static bool same_counts(struct comparison *comparison, size_t index, size_t row,
                        const struct csv_child *csv, struct command_error *error)
{
    struct configuration *all = comparison->configurations;
    struct configuration *first = &all[all[index].counts_as];
    struct search_counts own = {.known = true};
    if (comparison->counts_vary || strcmp(csv->cells[STATUS], "done") != 0) {
        return true;
    }
    const size_t old_size = first->counts_size;
    if (!array_reserve(&first->counts, &first->counts_size, row + 1, sizeof(*first->counts))) {
        return command_fail(error, "out of memory for the counts");
    }
    memset(first->counts + old_size, 0, (first->counts_size - old_size) * sizeof(*first->counts));
    for (size_t i = 0; i < COUNTS_KINDS; i++) {
        add_count(&own.counted[i], csv->cells[VISITED + i]);
    }
    if (!first->counts[row].known) {
        first->counts[row] = own;
    }
    return memcmp(first->counts[row].counted, own.counted, sizeof(own.counted)) == 0 ||
           command_fail(error, "search %s: %.200s and %.200s do not agree on the counts",
                        csv->cells[SEARCH], first->name, all[index].name);
}

/* Add up the rows of a child. */
static bool read_rows(struct comparison *comparison, size_t round, size_t index,
                      struct csv_child *csv, struct command_error *error)
{
    const struct configuration *configuration = &comparison->configurations[index];
    struct run_result *result = &configuration->runs[round];
    bool legal = csv_child_heading(csv, column_names, COLUMN_COUNT);
    *result = (struct run_result){0};
    for (size_t row = 0; legal && csv_child_row(csv); row++) {
        legal = same_answer(comparison, index, row, csv, error) &&
                same_counts(comparison, index, row, csv, error);
        result->elapsed_ns += nanoseconds(csv->cells[SECONDS]);
        result->visited += integer(csv->cells[VISITED]);
        add_count(&result->malloc_calls, csv->cells[MALLOCS]);
        add_count(&result->free_calls, csv->cells[FREES]);
        result->unfinished += strcmp(csv->cells[STATUS], "done") != 0;
        result->searches++;
        progress_show(comparison->progress, false, "round %zu of %zu, %s, search %zu", round + 1,
                      comparison->rounds, configuration->name, row + 2);
    }
    return legal;
}

/* The child --------------------------------------------------------------------------------- */

/* Start the child with the user's command line and the run's own options after it, but before "--"
 * and the operands after that. False with error set. */
static bool start_child(const struct comparison *comparison, size_t index, struct csv_child *child,
                        struct command_error *error)
{
    const struct configuration *configuration = &comparison->configurations[index];
    const char *allocator = configuration->allocator;
    struct child_words words = {.count = 0};
    char **next = comparison->arguments;
    for (; *next != NULL && strcmp(*next, "--") != 0; next++) {
        child_words_add(&words, *next);
    }
    child_words_print(&words, "--alloc=%s", allocator[0] != '\0' ? allocator : "malloc");
    child_words_print(&words, "--engine=%s", configuration->engine->name);
    child_words_print(&words, "--trials=1");
    child_words_print(&words, "--format=csv");
    child_words_print(&words, "--output=-");
    child_words_print(&words, "--progress=never");
    child_words_print(&words, "--quiet");
    for (; *next != NULL; next++) {
        child_words_add(&words, *next);
    }
    int failure = csv_child_start(child, "/proc/self/exe", &words);
    return failure == 0 || command_fail(error, "cannot start a run: %s", strerror(failure));
}

/* Wait for the child's end. False with error set when it failed; empty when it was interrupted. */
static bool wait_for_child(pid_t child, const char *name, struct run_result *result,
                           struct command_error *error)
{
    struct rusage usage = {0};
    const int status = child_wait(child, &usage);
    result->peak_rss_bytes = (uint64_t)usage.ru_maxrss * 1024;
    if (*interrupt_flag() != 0) {
        return false;
    }
    if (WIFSIGNALED(status)) {
        return command_fail(error, "the run of %.300s was ended by signal %d", name,
                            WTERMSIG(status));
    }
    return WEXITSTATUS(status) == EXIT_OK ||
           command_fail(error, "the run of %.300s failed with exit status %d", name,
                        WEXITSTATUS(status));
}

bool configuration_run(struct comparison *comparison, size_t round, size_t index,
                       struct command_error *error)
{
    struct csv_child child = {0};
    const struct configuration *configuration = &comparison->configurations[index];
    const char *name = configuration->name;
    error->message[0] = '\0';
    progress_show(comparison->progress, true, "round %zu of %zu, %s", round + 1, comparison->rounds,
                  name);
    if (!start_child(comparison, index, &child, error)) {
        return false;
    }
    bool read = read_rows(comparison, round, index, &child, error);
    if (!read) {
        kill(child.process, SIGTERM);
    }
    csv_child_close(&child);
    struct command_error end_error = {""};
    bool ended = wait_for_child(child.process, name, &configuration->runs[round], &end_error);
    progress_clear(comparison->progress);
    if (error->message[0] == '\0') {
        *error = end_error;
    }
    return (read && ended) || (ended && error->message[0] == '\0' &&
                               command_fail(error, "the run of %.300s reported nothing", name));
}

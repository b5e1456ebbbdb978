/*
 * request.c - the table of commands, and their options.
 */
#include "request.h"
#include "base/macros.h"
#include "base/number.h"
#include "base/text/text_form.h"
#include <stdio.h>
#include <string.h>

#define PATHS_LISTED 10 /* without an option */
#define WORD_SHOWN   40 /* columns of a word in a message */

const struct request_help request_helps[REQUEST_KINDS] = {
    [REQUEST_ASK] = {":ask FROM -> TO", "asks, also for names that begin with : or ?"},
    [REQUEST_ALL] = {":all[=K] [FROM -> TO]",
                     "lists the first K shortest paths (10), and counts all"},
    [REQUEST_BACK] = {":back", "asks the last question the other way round"},
    [REQUEST_HISTOGRAM] = {":histogram [NODE]", "counts the nodes at each distance from a node"},
    [REQUEST_AVOID] = {":avoid[=none] [NODE]",
                       "adds a node that no path may have; shows them; =none clears"},
    [REQUEST_COMPLETE] = {":complete[=degree|name][,K] PREFIX",
                          "lists K names (20) that start so, by degree or name"},
    [REQUEST_RANDOM] = {":random[=SEED]", "asks for two random nodes with out-edges"},
    [REQUEST_COUNT] = {":count[=yes|no]",
                       "counts paths or nodes reached for each question, or saves the time"},
    [REQUEST_HELP] = {":help", "lists the commands"},
};

static const char *const words[REQUEST_KINDS] = {
    [REQUEST_ASK] = "ask",       [REQUEST_ALL] = "all",
    [REQUEST_BACK] = "back",     [REQUEST_HISTOGRAM] = "histogram",
    [REQUEST_AVOID] = "avoid",   [REQUEST_COMPLETE] = "complete",
    [REQUEST_RANDOM] = "random", [REQUEST_COUNT] = "count",
    [REQUEST_HELP] = "help",
};

struct request request_question(char *text)
{
    return (struct request){.kind = REQUEST_ASK, .text = text};
}

struct request request_completion(char *prefix)
{
    return (struct request){.kind = REQUEST_COMPLETE, .text = prefix, .limit = NAMES_LISTED};
}

/* Read how many are to be listed. */
static bool read_limit(const char *text, size_t length, size_t *limit)
{
    uint64_t number;
    if (!number_read(text, length, NUMBER_COUNT, &number) || number > LIST_MAX) {
        return false;
    }
    *limit = (size_t)number;
    return true;
}

static bool is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

/* How many bytes of a word a message shows. */
static int shown(const char *text, size_t length)
{
    const size_t fitting = text_fitting(text, WORD_SHOWN);
    return (int)(fitting < length ? fitting : length);
}

/* Take one part of an option. False if the command has no such option. */
static bool take_option(struct request *request, const char *text, size_t length)
{
    switch (request->kind) {
    case REQUEST_ALL:
        return read_limit(text, length, &request->limit);
    case REQUEST_AVOID:
        return request->clears = is_word(text, length, "none");
    case REQUEST_COMPLETE:
        if (is_word(text, length, "degree") || is_word(text, length, "name")) {
            request->order = text[0] == 'd' ? PWGRAPH_BY_DEGREE : PWGRAPH_BY_NAME;
            return true;
        }
        return read_limit(text, length, &request->limit);
    case REQUEST_RANDOM:
        return request->has_seed = number_read(text, length, NUMBER_COUNT, &request->seed);
    case REQUEST_COUNT:
        request->count = is_word(text, length, "yes")  ? COUNT_YES
                         : is_word(text, length, "no") ? COUNT_NO
                                                       : COUNT_AS_BEFORE;
        return request->count != COUNT_AS_BEFORE;
    default:
        return false;
    }
}

/* Read an option, of parts with commas between them. */
static bool read_option(struct request *request, const char *text, size_t length,
                        struct command_error *error)
{
    const char *at = text, *end = text + length;
    for (;;) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *stop = comma != NULL ? comma : end;
        if (!take_option(request, at, (size_t)(stop - at))) {
            const bool has_limit =
                request->kind == REQUEST_ALL || request->kind == REQUEST_COMPLETE;
            char limit[40] = "";
            if (has_limit) {
                snprintf(limit, sizeof(limit), " (K is at most %d)", LIST_MAX);
            }
            return command_fail(error, "\"%.*s\" is no option of %s%s",
                                shown(at, (size_t)(stop - at)), at,
                                request_helps[request->kind].usage, limit);
        }
        if (comma == NULL) {
            return true;
        }
        at = comma + 1;
    }
}

bool request_read(char *line, struct request *request, struct command_error *error)
{
    char *word = line + 1;
    const size_t length = strcspn(word, "= \t");
    const size_t whole = strcspn(word, " \t");
    *request = (struct request){.kind = REQUEST_ASK, .text = word + whole};
    while (request->kind < REQUEST_KINDS && !is_word(word, length, words[request->kind])) {
        request->kind++;
    }
    if (request->kind == REQUEST_KINDS) {
        return command_fail(error,
                            "there is no command \":%.*s\"; :help lists them, and :ask asks for a "
                            "name that begins with a colon",
                            shown(word, length), word);
    }
    request->limit = request->kind == REQUEST_ALL ? PATHS_LISTED : NAMES_LISTED;
    request->text += *request->text != '\0';
    if (whole > length && !read_option(request, word + length + 1, whole - length - 1, error)) {
        return false;
    }
    const bool takes_text = strchr(request_helps[request->kind].usage, ' ') != NULL;
    if ((!takes_text || request->clears) && request->text[strspn(request->text, " \t")] != '\0') {
        return command_fail(error, "%s takes nothing after it",
                            request->clears ? ":avoid=none" : request_helps[request->kind].usage);
    }
    return true;
}

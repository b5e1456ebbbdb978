/*
 * fuzz_options.c - the command line of bfs: read or refused with one line. A newline or a NUL byte
 * ends an argument.
 */
#include "bfs/options/options.h"
#include "data/make/generate.h"
#include "fuzz.h"
#include <stdlib.h>
#include <string.h>

#define ARGUMENTS_MAX 64

void fuzz_setup(void)
{
}

/* Use the values of a legal command line. */
static void use(const struct options *options)
{
    struct graph_error error = {0};
    struct command_error command_error = {{0}};
    struct graph_generate_options graph;
    struct pairs_generate_options pairs;
    size_t *numbers, count;
    if (options->graph != NULL && graph_generate_is_spec(options->graph) &&
        !graph_generate_parse(options->graph, &graph, &error)) {
        fuzz_require_line(error.message);
        error = (struct graph_error){0};
    }
    if (options->pairs != NULL && pairs_generate_is_spec(options->pairs) &&
        !pairs_generate_parse(options->pairs, &pairs, &error)) {
        fuzz_require_line(error.message);
    }
    if (search_selection_resolve(options->only, 100, &numbers, &count, &command_error) == EXIT_OK) {
        fuzz_require(count > 0 && count <= 100);
        for (size_t i = 0; i < count; i++) {
            fuzz_require(numbers[i] >= 1 && numbers[i] <= 100);
            fuzz_require(i == 0 || numbers[i - 1] < numbers[i]);
        }
        free(numbers);
    } else {
        fuzz_require_line(command_error.message);
    }
}

void fuzz_one(const uint8_t *bytes, size_t length)
{
    char *text = fuzz_text((struct fuzz_input){bytes, bytes + length});
    char program[] = "bfs";
    char *arguments[ARGUMENTS_MAX + 2] = {program};
    size_t count = 1;
    char *at = text;
    while (at < text + length && count <= ARGUMENTS_MAX) {
        char *newline = memchr(at, '\n', strlen(at));
        if (newline != NULL) {
            *newline = '\0';
        }
        arguments[count++] = at;
        at += strlen(at) + 1;
    }
    struct options options;
    struct command_error error = {{0}};
    if (options_parse(&options, arguments, &error)) {
        fuzz_require_for(error.message[0] == '\0', error.message);
        if (options.action == ACTION_RUN) {
            fuzz_require(options.engine != NULL && options.trials > 0);
            use(&options);
        }
    } else {
        fuzz_require_line(error.message);
    }
    free(text);
}

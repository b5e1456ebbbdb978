/*
 * fuzz_segments.c - a text long enough to be cut into segments, read by one thread and by several:
 * the same graph, or the same message with the same line.
 *
 * The start of an input, up to a NUL byte, is repeated; then come changes: where (three bytes), how
 * many bytes, and the bytes.
 */
#include "data/load/graph_load.h"
#include "fuzz.h"
#include <stdlib.h>
#include <string.h>

#define TEXT_SIZE ((size_t)2300 << 10) /* three segments */

static char text[TEXT_SIZE];
static struct fuzz_file file;

void fuzz_setup(void)
{
    fuzz_file_create(&file);
}

static void fill(struct fuzz_input input)
{
    size_t length = fuzz_left(&input);
    for (size_t at = 0; at < TEXT_SIZE; at += length) {
        memcpy(text + at, input.next, TEXT_SIZE - at < length ? TEXT_SIZE - at : length);
    }
}

static bool load(unsigned threads, bool reverse, struct graph *graph, struct graph_error *error)
{
    struct graph_options options = {
        .threads = threads, .reverse = reverse, .build_reverse = !reverse};
    options.memory_limit = (uint64_t)64 << 20;
    *error = (struct graph_error){0};
    bool loaded = graph_load(file.path, &options, graph, error);
    if (!loaded) {
        fuzz_require_line(error->message);
    }
    return loaded;
}

/* The same message, but for the memory that is needed: each thread takes some. */
static bool same_words(const char *one, const char *several)
{
    const char *needs = strstr(one, " edges need ");
    return strcmp(one, several) == 0 ||
           (needs != NULL && strncmp(one, several, (size_t)(needs - one)) == 0);
}

void fuzz_one(const uint8_t *bytes, size_t length)
{
    const uint8_t *cut = length > 0 ? memchr(bytes, '\0', length) : NULL;
    struct fuzz_input base = {bytes, cut != NULL ? cut : bytes + length};
    struct fuzz_input input = {cut != NULL ? cut + 1 : base.end, bytes + length};
    struct graph one, several;
    struct graph_error one_error, several_error;
    if (fuzz_left(&base) == 0) {
        return;
    }
    fill(base);
    while (fuzz_left(&input) > 0) {
        size_t at = fuzz_take_16(&input);
        at = (at | (size_t)fuzz_take(&input) << 16) % TEXT_SIZE;
        for (unsigned count = fuzz_take(&input) % 16; count > 0 && at < TEXT_SIZE; count--) {
            text[at++] = (char)fuzz_take(&input);
        }
    }
    fuzz_file_fill(&file, text, TEXT_SIZE);
    bool loaded = load(1, length % 2, &one, &one_error);
    fuzz_require(load(3, length % 2, &several, &several_error) == loaded);
    fuzz_require_for(same_words(one_error.message, several_error.message), several_error.message);
    if (loaded) {
        fuzz_require(one.node_limit == several.node_limit && one.edge_count == several.edge_count);
        fuzz_require(memcmp(one.offsets, several.offsets, ((size_t)one.node_limit + 1) * 8) == 0);
        fuzz_require(memcmp(one.neighbours, several.neighbours, (size_t)one.edge_count * 4) == 0);
        fuzz_require((one.in_neighbours == NULL) == (several.in_neighbours == NULL));
        fuzz_require(one.in_neighbours == NULL || memcmp(one.in_neighbours, several.in_neighbours,
                                                         (size_t)one.edge_count * 4) == 0);
    }
    graph_free(&one);
    graph_free(&several);
}

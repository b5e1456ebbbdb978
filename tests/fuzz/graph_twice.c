/*
 * graph_twice.c - see graph_twice.h.
 */
#include "graph_twice.h"
#include "data/graph/graph_names.h"
#include "data/load/graph_load.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    REVERSE = 1,
    UNDIRECTED = 2,
    COMPACT = 4,
    REPEAT = 8,
    ADD_REVERSE = 16,
    TWO_THREADS = 32,
    FROM_PIPE = 64,
    LITTLE_MEMORY = 128
};

static struct fuzz_file file;

static bool same_array(const void *one, const void *other, uint64_t count, size_t size)
{
    return (one == NULL) == (other == NULL) &&
           (one == NULL || memcmp(one, other, (size_t)count * size) == 0);
}

static bool same_names(const struct graph_names *one, const struct graph_names *other)
{
    return (one == NULL) == (other == NULL) &&
           (one == NULL || (one->first_id == other->first_id && one->count == other->count &&
                            same_array(one->begins, other->begins, (uint64_t)one->count + 1, 8) &&
                            memcmp(one->text, other->text, (size_t)one->begins[one->count]) == 0));
}

static void require_same_graphs(const struct graph *one, const struct graph *other)
{
    uint64_t limit = one->node_limit, edges = one->edge_count;
    fuzz_require(one->first_node == other->first_node && limit == other->node_limit);
    fuzz_require(edges == other->edge_count);
    fuzz_require(same_array(one->offsets, other->offsets, limit + 1, 8));
    fuzz_require(same_array(one->neighbours, other->neighbours, edges, 4));
    fuzz_require(same_array(one->in_offsets, other->in_offsets, limit + 1, 8));
    fuzz_require(same_array(one->in_neighbours, other->in_neighbours, edges, 4));
    fuzz_require(same_array(one->original_ids, other->original_ids, limit, 4));
    fuzz_require(same_names(one->names, other->names));
}

static void note(void *context, const char *text, enum graph_remedy remedy)
{
    (void)context;
    (void)remedy;
    fuzz_require_line(text);
}

static bool load(const char *path, const struct graph_options *options, struct graph *graph,
                 struct graph_error *error)
{
    *error = (struct graph_error){0};
    *graph = (struct graph){0};
    if (graph_load(path, options, graph, error)) {
        fuzz_require_for(error->message[0] == '\0', error->message);
        fuzz_require(graph_check(graph));
        return true;
    }
    fuzz_require_line(error->message);
    fuzz_require(graph->offsets == NULL && graph->neighbours == NULL && graph->names == NULL);
    return false;
}

/* The text once more, from a pipe if it fits one. False when it does not. */
static bool open_pipe(struct fuzz_input text, int *fd)
{
    int ends[2];
    if (fuzz_left(&text) > 60000 || pipe(ends) != 0) {
        return false;
    }
    fuzz_require(write(ends[1], text.next, fuzz_left(&text)) == (ssize_t)fuzz_left(&text));
    close(ends[1]);
    *fd = ends[0];
    return true;
}

/* Without the place, which differs. */
static const char *rule_of(const struct graph_error *error, const char *path)
{
    size_t length = strlen(path);
    fuzz_require(strncmp(error->message, path, length) == 0);
    return error->message + length;
}

/* The memory that a load may take depends on how it is made. */
static bool is_of_memory(const struct graph_error *error)
{
    return strstr(error->message, "memory") != NULL || strstr(error->message, "longer") != NULL;
}

/* Load once more, with two threads or from a pipe. */
static void load_again(struct fuzz_input text, unsigned bits, struct graph_options options,
                       const struct graph *graph, const struct graph_error *error)
{
    struct graph again;
    struct graph_error again_error;
    char path[40];
    int fd = -1;
    snprintf(path, sizeof(path), "%s", file.path);
    if ((bits & FROM_PIPE) && open_pipe(text, &fd)) {
        snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    }
    if (bits & TWO_THREADS) {
        options.threads = 2;
        options.memory_limit += (uint64_t)2 << 20;
    }
    bool loaded = load(path, &options, &again, &again_error);
    if (is_of_memory(error) || is_of_memory(&again_error)) {
        /* nothing to compare */
    } else if (loaded && error->message[0] == '\0') {
        require_same_graphs(graph, &again);
    } else {
        fuzz_require_for(!loaded && error->message[0] != '\0' &&
                             strcmp(rule_of(error, file.path), rule_of(&again_error, path)) == 0,
                         again_error.message);
    }
    graph_free(&again);
    if (fd >= 0) {
        close(fd);
    }
}

void graph_twice_setup(void)
{
    fuzz_file_create(&file);
}

/* True if a bitmap of all smaller numbers would take long to walk: the number has many digits. */
static bool has_long_number(struct fuzz_input text)
{
    unsigned digits = 0;
    while (fuzz_left(&text) > 0 && digits < 9) {
        uint8_t byte = fuzz_take(&text);
        digits = byte >= '0' && byte <= '9' ? digits + 1 : 0;
    }
    return digits == 9;
}

void graph_load_twice(struct fuzz_input text, unsigned bits, const char *format)
{
    struct graph_options options = {
        .reverse = bits & REVERSE,
        .undirected = bits & UNDIRECTED,
        .compact = (bits & COMPACT) && !has_long_number(text),
        .repeat_last_entry = bits & REPEAT,
        .build_reverse = bits & ADD_REVERSE,
        .threads = 1,
        .memory_limit = (uint64_t)(bits & LITTLE_MEMORY ? 9 : 12)
                        << 18, /* 2 MiB are for a thread */
        .format = format,
        .note = note,
    };
    struct graph graph;
    struct graph_error error;
    fuzz_file_fill(&file, text.next, fuzz_left(&text));
    load(file.path, &options, &graph, &error);
    /* A snapshot, which is no text, is refused from a pipe for another reason. */
    bool is_snapshot = fuzz_left(&text) >= 8 && memcmp(text.next, "PWGRAPH", 8) == 0;
    if ((bits & (TWO_THREADS | FROM_PIPE)) && !is_snapshot) {
        load_again(text, bits, options, &graph, &error);
    }
    graph_free(&graph);
}

/*
 * held_graph.c - the library: the loader, the engines and the names under one small header.
 */
#include "held_graph.h"
#include "base/cancel.h"
#include "base/one_line.h"
#include "data/graph/graph_blocks.h"
#include "data/load/graph_load.h"
#include "data/reverse/graph_reverse.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned pwgraph_version(void)
{
    return PWGRAPH_VERSION;
}

/* Errors ------------------------------------------------------------------------------- */

bool pwgraph_fail(struct pwgraph_error *error, enum pwgraph_code code, const char *format, ...)
{
    if (error != NULL) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->text, sizeof(error->text), format, arguments);
        va_end(arguments);
        one_line(error->text);
        error->code = code;
    }
    return false;
}

bool pwgraph_fail_as(struct pwgraph_error *error, const struct graph_error *why,
                     enum pwgraph_code other, const volatile int *cancel)
{
    const bool is_memory = why->is_memory || why->message[0] == '\0';
    const enum pwgraph_code code = cancel_is_set(cancel) ? PWGRAPH_CANCELLED
                                   : is_memory           ? PWGRAPH_NO_MEMORY
                                   : why->is_option      ? PWGRAPH_BAD_ARGUMENT
                                                         : other;
    return pwgraph_fail(error, code, "%s",
                        why->message[0] != '\0' ? why->message : "out of memory");
}

bool pwgraph_is_damaged(const struct pwgraph *graph, struct pwgraph_error *error)
{
    struct graph_error why = {0};
    if (!graph_is_damaged(&graph->graph, &why)) {
        return false;
    }
    pwgraph_fail(error, PWGRAPH_BAD_INPUT, "%s", why.message);
    return true;
}

_Static_assert(_Generic((sig_atomic_t)0, int : true, default : false), "a flag is an int");

void pwgraph_cancel(volatile int *flag)
{
    __atomic_store_n(flag, 1, __ATOMIC_RELAXED);
}

/* Open ------------------------------------------------------------------------------- */

bool pwgraph_take_options(struct pwgraph_options *taken, const struct pwgraph_options *given,
                          struct pwgraph_error *error)
{
    *taken = (struct pwgraph_options){.size = sizeof(*taken)};
    if (given == NULL) {
        return true;
    }
    /* No struct of pointers has a size that would cut one in two. */
    if (given->size < sizeof(given->size) || given->size > PWGRAPH_OPTIONS_MAX ||
        given->size % _Alignof(struct pwgraph_options) != 0) {
        return pwgraph_fail(error, PWGRAPH_BAD_ARGUMENT,
                            "options: size is %zu, not the size of the struct", given->size);
    }
    const unsigned char *bytes = (const unsigned char *)given;
    for (size_t i = sizeof(*taken); i < given->size; i++) {
        if (bytes[i] != 0) {
            return pwgraph_fail(error, PWGRAPH_BAD_ARGUMENT,
                                "options: byte %zu is set, which this library does not know", i);
        }
    }
    memcpy(taken, given, given->size < sizeof(*taken) ? given->size : sizeof(*taken));
    taken->size = sizeof(*taken);
    return taken->threads <= PWGRAPH_THREADS_MAX ||
           pwgraph_fail(error, PWGRAPH_BAD_ARGUMENT, "options: %u threads, more than %d",
                        taken->threads, PWGRAPH_THREADS_MAX);
}

struct graph_options pwgraph_graph_options(const struct pwgraph_options *taken)
{
    return (struct graph_options){
        .undirected = taken->undirected,
        .reverse = taken->reverse,
        .compact = taken->compact,
        .names_path = taken->names,
        .format = taken->format,
        .columns = taken->columns,
        .cache = taken->cache,
        .by_block = taken->by_block,
        .memory_limit = taken->memory_limit,
        .threads = taken->threads,
        .cancel = taken->cancel,
    };
}

static void report_progress(void *context, const struct graph_progress *progress)
{
    const struct pwgraph_options *options = context;
    options->progress(options->context,
                      &(struct pwgraph_progress){progress->phase, progress->bytes_done,
                                                 progress->bytes_total, progress->edge_count,
                                                 progress->elapsed_s});
}

static void report_note(void *context, const char *text, enum graph_remedy remedy)
{
    (void)remedy;
    const struct pwgraph_options *options = context;
    options->note(options->context, text);
}

/* Add the names. threads: that put them in order. NULL when out of memory. */
static struct pwgraph *hold(const struct graph *graph, unsigned threads, bool is_borrowed)
{
    struct pwgraph *made = calloc(1, sizeof(*made));
    struct pwgraph_names *names = calloc(1, sizeof(*names));
    if (made != NULL && names != NULL) {
        *made = (struct pwgraph){*graph, is_borrowed, names};
        if (name_finder_open(&names->finder, &made->graph)) {
            names->finder.threads = threads;
            pthread_mutex_init(&names->lock, NULL);
            return made;
        }
    }
    free(names);
    free(made);
    return NULL;
}

struct pwgraph *pwgraph_hold(const struct graph *graph, const struct pwgraph_options *options,
                             struct pwgraph_error *error)
{
    struct pwgraph *held = hold(graph, options != NULL ? options->threads : 0, true);
    if (held == NULL) {
        pwgraph_fail(error, PWGRAPH_NO_MEMORY, "out of memory for the nodes' names");
        return NULL;
    }
    if (options != NULL) {
        held->names->finder.memory_limit = options->memory_limit;
    }
    return held;
}

struct pwgraph *pwgraph_finish(struct graph *graph, unsigned threads, const volatile int *cancel,
                               struct pwgraph_error *error)
{
    struct graph_error why = {0};
    struct pwgraph *made =
        graph_add_reverse(graph, threads, cancel, &why) ? hold(graph, threads, false) : NULL;
    if (made != NULL) {
        return made;
    }
    graph_free(graph);
    pwgraph_fail_as(error, &why, PWGRAPH_NO_MEMORY, cancel);
    return NULL;
}

/* The option that helps against a reader's error, by its name here and in Python. */
static const char *const advice[GRAPH_REMEDIES] = {
    [GRAPH_REMEDY_COMPACT] = " (compact renumbers sparse ids)",
    [GRAPH_REMEDY_CSV] = " (format=\"csv\" reads it)",
    [GRAPH_REMEDY_ADJACENCY] = " (format=\"adjacency\" for lists, columns=\"1,2\" for edges)",
    [GRAPH_REMEDY_COLUMNS] = ": columns=\"A,B\" says it, by number or heading",
    [GRAPH_REMEDY_NAMES] = " (format=\"names\" takes numbers for names)",
};

struct pwgraph *pwgraph_open(const char *path, const struct pwgraph_options *options,
                             struct pwgraph_error *error)
{
    struct pwgraph_options taken;
    struct graph_error why = {0};
    struct graph graph;
    if (path == NULL) {
        pwgraph_fail(error, PWGRAPH_BAD_ARGUMENT, "path: NULL");
        return NULL;
    }
    if (!pwgraph_take_options(&taken, options, error)) {
        return NULL;
    }
    struct graph_options wanted = pwgraph_graph_options(&taken);
    wanted.build_reverse = true;
    wanted.progress = taken.progress != NULL ? report_progress : NULL;
    wanted.note = taken.note != NULL ? report_note : NULL;
    wanted.context = &taken;
    if (!graph_load(path, &wanted, &graph, &why)) {
        graph_error_advise(&why, advice);
        pwgraph_fail_as(error, &why, PWGRAPH_BAD_INPUT, taken.cancel);
        return NULL;
    }
    struct pwgraph *opened = pwgraph_finish(&graph, taken.threads, taken.cancel, error);
    if (opened != NULL) {
        opened->names->finder.memory_limit = taken.memory_limit;
    }
    return opened;
}

struct pwgraph *pwgraph_load(const char *path, char message[PWGRAPH_TEXT_SIZE])
{
    struct pwgraph_error error;
    struct pwgraph *loaded = pwgraph_open(path, NULL, &error);
    if (loaded == NULL) {
        memcpy(message, error.text, sizeof(error.text));
    }
    return loaded;
}

void pwgraph_free(struct pwgraph *graph)
{
    if (graph != NULL) {
        name_finder_close(&graph->names->finder);
        node_aliases_close(&graph->names->aliases);
        pthread_mutex_destroy(&graph->names->lock);
        free(graph->names);
        if (!graph->is_borrowed) {
            graph_free(&graph->graph);
        }
        free(graph);
    }
}

uint32_t pwgraph_node_count(const struct pwgraph *graph)
{
    return graph_node_count(&graph->graph);
}

uint64_t pwgraph_edge_count(const struct pwgraph *graph)
{
    return graph->graph.edge_count;
}

uint32_t pwgraph_node_limit(const struct pwgraph *graph)
{
    return graph->graph.node_limit;
}

bool pwgraph_find(const struct pwgraph *graph, const char *name, uint32_t *node)
{
    return name_finder_find_exact(&graph->names->finder, name, strlen(name), node);
}

/* Report that the names could not be put in order. */
static bool fail_order(const volatile int *cancel, struct pwgraph_error *error)
{
    return cancel_is_set(cancel)
               ? pwgraph_fail(error, PWGRAPH_CANCELLED, "the order of names was cancelled")
               : pwgraph_fail(error, PWGRAPH_NO_MEMORY, "out of memory for the names");
}

bool pwgraph_order_names(const struct pwgraph *graph, const volatile int *cancel,
                         struct pwgraph_error *error)
{
    const bool is_made = name_finder_sort(&graph->names->finder, cancel);
    return !pwgraph_is_damaged(graph, error) && (is_made || fail_order(cancel, error));
}

_Static_assert(PWGRAPH_TEXT_SIZE >= NAME_MESSAGE_SIZE, "room for every message");
_Static_assert((size_t)PWGRAPH_NEAR_MAX == NAME_SIMILAR_MAX, "room for every name that is near");

bool pwgraph_resolve(const struct pwgraph *graph, const char *text, const volatile int *cancel,
                     struct pwgraph_match *match)
{
    struct name_match found;
    struct pwgraph_error why;
    const enum name_fit fit =
        name_finder_find(&graph->names->finder, text, strlen(text), cancel, &found);
    *match = (struct pwgraph_match){.fit = PWGRAPH_UNKNOWN, .node = PWGRAPH_NONE};
    if (pwgraph_is_damaged(graph, &why) || (fit == NAME_NO_MEMORY && !fail_order(cancel, &why))) {
        match->code = why.code;
        memcpy(match->text, why.text, sizeof(match->text));
        return false;
    }
    memcpy(match->text, found.message, sizeof(found.message));
    if (fit == NAME_UNKNOWN) {
        match->near_count = found.near_count;
        memcpy(match->near, found.near, found.near_count * sizeof(*found.near));
        return false;
    }
    match->fit = fit == NAME_FORGIVEN ? PWGRAPH_FORGIVEN : PWGRAPH_EXACT;
    match->node = found.node;
    return true;
}

_Static_assert(PWGRAPH_TEXT_SIZE >= GRAPH_LABEL_SIZE, "room for every label");

const char *pwgraph_label(const struct pwgraph *graph, uint32_t node, char text[PWGRAPH_TEXT_SIZE])
{
    text[0] = '\0';
    return graph_has_node(&graph->graph, node) ? graph_label(&graph->graph, node, text) : text;
}

size_t pwgraph_labels(const struct pwgraph *graph, const uint32_t *nodes, size_t count, char *text,
                      size_t capacity)
{
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++) {
        char room[PWGRAPH_TEXT_SIZE];
        const char *label = pwgraph_label(graph, nodes[i], room);
        const size_t size = strlen(label) + 1;
        if (size <= capacity && bytes <= capacity - size) {
            memcpy(text + bytes, label, size);
        }
        bytes += size;
    }
    return bytes;
}

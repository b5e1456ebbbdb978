/*
 * load_memory.c - the formula, the limit, and the messages for graphs that are too large.
 */
#include "load_memory.h"
#include "base/pw_assert.h"
#include "data/graph/graph_memory.h"
#include "data/graph/graph_names.h"
#include "data/graph/parallel.h"
#include <stdio.h>
#include <string.h>

#define THREAD_BYTES ((uint64_t)6 << 20) /* of a thread at most, without records */

uint64_t graph_load_memory(uint64_t node_count, uint64_t edge_count, bool with_reverse,
                           unsigned threads)
{
    uint64_t per_edge = with_reverse ? 14 : 9, per_node = with_reverse ? 24 : 16, edges, bytes;
    if (__builtin_mul_overflow(edge_count, per_edge, &edges) ||
        __builtin_mul_overflow(node_count, per_node, &bytes) ||
        __builtin_add_overflow(bytes, edges, &bytes) ||
        __builtin_add_overflow(bytes, threads * THREAD_BYTES, &bytes)) {
        return UINT64_MAX;
    }
    pw_assert(bytes >= edge_count && bytes >= node_count);
    return bytes;
}

uint64_t graph_memory_limit(const struct graph_options *options)
{
    const uint64_t allowed = options->memory_limit > 0 ? options->memory_limit : memory_available();
    return allowed < MEMORY_MAX ? allowed : MEMORY_MAX;
}

bool graph_reverse_fits(const struct graph *graph, const struct graph_options *options)
{
    return graph_load_memory(graph->node_limit, graph->edge_count, true,
                             parallel_count(options->threads)) <= graph_memory_limit(options);
}

void load_memory_start(struct load_memory *memory, const char *name, struct graph_options *options,
                       unsigned thread_count)
{
    memory->name = name;
    memory->options = options;
    memory->thread_count = thread_count;
    memory->limit = graph_memory_limit(options);
    atomic_store(&memory->left, memory->limit > INT64_MAX ? INT64_MAX : (int64_t)memory->limit);
    pw_assert(atomic_load(&memory->left) >= 0);
}

uint64_t load_memory_left(struct load_memory *memory)
{
    int64_t left = atomic_load(&memory->left);
    pw_assert(left <= 0 || (uint64_t)left <= memory->limit);
    return left > 0 ? (uint64_t)left : 0;
}

/* The memory needed for such a load. */
static uint64_t bytes_needed(const struct load_memory *memory, const struct load_size *size,
                             bool with_reverse)
{
    uint64_t needed =
        graph_load_memory(size->nodes, size->edges, with_reverse, memory->thread_count);
    return needed < UINT64_MAX - size->besides ? needed + size->besides : UINT64_MAX;
}

bool load_memory_check(struct load_memory *memory, const struct load_size *size,
                       struct graph_error *error)
{
    char what[100], needed_text[32], limit_text[32];
    uint64_t limit = memory->limit;
    struct graph_options *options = memory->options;
    pw_assert(memory->thread_count > 0 && size->unused <= size->nodes);
    options->build_reverse |=
        options->keep_reverse && size->nodes > 0 && bytes_needed(memory, size, true) <= limit;
    uint64_t needed = bytes_needed(memory, size, options->build_reverse);
    if (needed <= limit) {
        return true;
    }
    if (size->nodes == 0) {
        snprintf(what, sizeof(what), "%s%llu edges need at least",
                 size->estimate != size->edges ? "about " : "", (unsigned long long)size->estimate);
    } else {
        snprintf(what, sizeof(what), "%llu nodes and %llu edges need",
                 (unsigned long long)(size->nodes - size->unused), (unsigned long long)size->edges);
    }
    memory_text(needed_text, needed);
    memory_text(limit_text, limit);
    if (strcmp(needed_text, limit_text) == 0) { /* so close that they round to the same */
        snprintf(needed_text, sizeof(needed_text), "%llu bytes", (unsigned long long)needed);
        snprintf(limit_text, sizeof(limit_text), "%llu bytes", (unsigned long long)limit);
    }
    error->is_memory = true;
    graph_fail(error, memory->name, "%s %s of memory; %s: %s", what, needed_text,
               limit == MEMORY_MAX     ? "possible with 32 bits"
               : options->memory_limit ? "allowed"
                                       : "available",
               limit_text);
    if (size->is_sparse && size->nodes / 4 > size->edges) {
        error->remedy = GRAPH_REMEDY_COMPACT;
    }
    return false;
}

uint64_t load_memory_beyond(uint64_t table_bytes)
{
    return table_bytes > THREAD_BYTES ? table_bytes : 0; /* small ones are in the formula */
}

void load_memory_fail(struct load_memory *memory, uint64_t entries, struct graph_error *error)
{
    char limit[32];
    error->is_memory = true;
    if (atomic_load(&memory->left) < 0) {
        graph_fail(error, memory->name,
                   "the edges do not fit: more than the %s of memory allowed after %llu of them",
                   memory_text(limit, memory->limit), (unsigned long long)entries);
    }
    graph_fail(error, memory->name, "out of memory");
}

bool names_fit_memory(const struct graph_names *names, uint64_t allowed, const char *path,
                      struct graph_error *error)
{
    char text[32];
    if (graph_names_memory(names) <= allowed) {
        return true;
    }
    error->is_memory = true;
    return graph_fail(error, path, "the names do not fit: %lu of them need %s of memory",
                      (unsigned long)names->count, memory_text(text, graph_names_memory(names)));
}

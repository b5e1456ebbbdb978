/*
 * graph_text.c - turns an open text into adjacency lists, in the order of the file.
 *
 * 1. The first lines show the format (graph_format.h). If the declared size cannot fit, it is
 *    refused (load_memory.h).
 * 2. Names of the nodes are loaded, if they were asked for.
 * 3. Segments of the text are scanned into buckets, in parallel (text_segments.h).
 * 4. Now the ids are known, so names are fitted to them and sparse ids are renumbered.
 * 5. The buckets become adjacency lists (edge_lists.h), and the reverse ones, if asked for.
 * Cost: see load_memory.h.
 */
#include "graph_text.h"
#include "base/cancel.h"
#include "base/pw_assert.h"
#include "data/graph/edge_lists.h"
#include "data/graph/parallel.h"
#include "graph_format.h"
#include "text_segments.h"
#include <stdlib.h>
#include <string.h>

#define THREADS_MAX 256

/* One load. */
struct load {
    struct graph_options options; /* a copy, without options that exclude each other */
    const struct text_aids *aids;
    struct text_source *source;
    struct graph_error *error;
    struct graph_format format;
    struct load_memory memory;
    struct text_segments segments;
    struct id_set ids;   /* in use, for options.compact */
    bool names_have_ids; /* their file has ids */
};

/* Get the names from the text or from their own file, if there are any. */
static bool load_names(struct load *load)
{
    const char *path = load->options.names_path, *name = load->source->name;
    struct graph_names **names = &load->segments.names;
    if (load->format.has_names) {
        if (path != NULL) {
            load->error->remedy = GRAPH_REMEDY_NO_NAMES;
            return graph_fail(load->error, name, "holds names already");
        }
        *names = graph_names_create();
        return *names != NULL || graph_fail(load->error, name, "out of memory");
    }
    if (path == NULL) {
        return true;
    }
    pw_assert(load->aids->names != NULL);
    *names = load->aids->names->load(&load->options, load->memory.limit, &load->names_have_ids,
                                     load->error);
    if (*names == NULL) {
        return false;
    }
    atomic_fetch_sub(&load->memory.left, (int64_t)graph_names_memory(*names));
    return true;
}

/* True if these numbers of nodes and edges fit. Decides, too, whether a reverse adjacency that may
 * be kept is built (options.build_reverse). unused: how many of the ids below nodes name none. */
static bool fits(struct load *load, uint64_t nodes, uint64_t unused, uint64_t edges)
{
    const struct load_size size = {.nodes = nodes,
                                   .unused = unused,
                                   .edges = edges,
                                   .estimate = edges,
                                   .besides = text_segments_besides(&load->segments),
                                   .is_sparse = !load->format.has_counts};
    return load_memory_check(&load->memory, &size, load->error);
}

/* Refuse a declared size that cannot fit. */
static bool check_declared(struct load *load)
{
    uint64_t nodes = load->options.compact ? 0 : load->format.node_count + 1;
    return fits(load, nodes, nodes > 0, text_segments_declared(&load->segments));
}

/* Find the nodes, from *first to *limit - 1, as the file declares them or as its edges use them;
 * and fit the names to them. False with error set. */
static bool find_nodes(struct load *load, uint32_t *first, uint64_t *limit)
{
    const struct graph_format *format = &load->format;
    const struct text_segments *segments = &load->segments;
    if (format->kind == FORMAT_OWN_READER) {
        *first = segments->own_first;
        *limit = *first + format->node_count;
    } else {
        *first = format->has_counts || segments->id_min > 0 ? 1 : 0;
        *limit = format->has_counts ? format->node_count + 1 : (uint64_t)segments->id_max + 1;
    }
    if (segments->names != NULL && !format->has_names) {
        const struct names_fit fit = {.names = segments->names,
                                      .have_ids = load->names_have_ids,
                                      .options = &load->options,
                                      .is_declared = format->has_counts,
                                      .declared_nodes = format->declared_nodes,
                                      .text = load->source->name,
                                      .id_min = segments->id_min,
                                      .id_max = segments->id_max};
        pw_assert(load->aids->names != NULL);
        if (!load->aids->names->fit(&fit, first, limit, load->error)) {
            return false;
        }
    }
    pw_assert(*limit <= (uint64_t)GRAPH_NODE_MAX + 1);
    return true;
}

/* Why the edges could not be sorted. */
static bool fail_sorting(const struct load *load)
{
    return graph_fail(load->error, load->source->name,
                      cancel_is_set(load->options.cancel) ? "interrupted" : "out of memory");
}

/* Number the ids in use from 0, replacing the nodes of find_nodes. */
static bool renumber(struct load *load, uint32_t *first, uint64_t *limit)
{
    const struct text_segments *segments = &load->segments;
    pw_assert(load->aids->ids != NULL);
    if (segments->entry_count > 0 &&
        !load->aids->ids->collect(segments->writers, segments->thread_count,
                                  (uint64_t)segments->id_max + 1, load->options.cancel,
                                  &load->ids)) {
        return fail_sorting(load);
    }
    *first = 0;
    *limit = load->ids.count;
    pw_assert(*limit <= (uint64_t)segments->id_max + 1);
    return true;
}

/* Map the arrays of a graph whose counts are set. */
static bool map_arrays(struct load *load, struct graph *graph)
{
    const bool compact = load->options.compact;
    const uint64_t limit = graph->node_limit, edges = graph->edge_count;
    graph->offsets = graph_map_array(graph, limit + 1, sizeof(*graph->offsets));
    graph->neighbours = graph_map_array(graph, edges, sizeof(*graph->neighbours));
    if (compact) {
        graph->original_ids = graph_map_array(graph, limit, sizeof(*graph->original_ids));
    }
    return (graph->offsets != NULL && graph->neighbours != NULL &&
            (!compact || graph->original_ids != NULL)) ||
           graph_fail(load->error, load->source->name, "out of memory for %llu nodes, %llu edges",
                      (unsigned long long)graph_node_count(graph), (unsigned long long)edges);
}

static bool build_graph(struct load *load, struct graph *graph)
{
    struct text_segments *segments = &load->segments;
    const bool compact = load->options.compact;
    uint64_t edge_count = edge_writers_count(segments->writers, segments->thread_count);
    uint32_t first;
    uint64_t limit;
    pw_assert(edge_count >= segments->entry_count); /* an entry gives one edge or two */
    if (!find_nodes(load, &first, &limit) || (compact && !renumber(load, &first, &limit)) ||
        !fits(load, limit, first, edge_count)) {
        return false;
    }
    graph->first_node = first;
    graph->node_limit = (uint32_t)limit;
    graph->edge_count = edge_count;
    if (!map_arrays(load, graph)) {
        return false;
    }
    struct edge_rows rows = {edge_count,        limit, graph->offsets,
                             graph->neighbours, true,  load->options.cancel};
    if (compact && limit > 0) {
        load->aids->ids->list(&load->ids, graph->original_ids);
    }
    load_progress_report(&segments->progress, "sorting");
    return (compact && limit == 0) ||
           edge_writers_build(segments->writers, segments->thread_count, segments->edges,
                              segments->count + 1, compact ? &load->ids : NULL, &rows) ||
           fail_sorting(load);
}

static void free_ids(struct load *load)
{
    if (load->aids->ids != NULL) {
        load->aids->ids->free(&load->ids);
    }
}

/* Read the lines. */
static bool scan_text(struct load *load)
{
    return load_names(load) && text_segments_cut(&load->segments, load->error) &&
           text_segments_scan(&load->segments, load->error);
}

static bool load_text(struct load *load, struct graph *graph)
{
    struct graph_options *options = &load->options;
    struct text_segments *segments = &load->segments;
    const struct text_aids *aids = load->aids;
    if (!graph_format_read(load->source, options, aids, &load->format, load->error)) {
        return false;
    }
    if (load->format.kind == FORMAT_OWN_READER || load->format.has_names) {
        options->compact = false; /* its node numbers have no gaps */
    }
    if ((load->format.has_counts && !check_declared(load)) || !scan_text(load) ||
        !build_graph(load, graph)) {
        return false;
    }
    free_ids(load); /* before the reverse adjacency takes its room */
    if (options->build_reverse) {
        pw_assert(aids->reverse != NULL);
        if (!aids->reverse->build(aids->order, segments->writers, segments->thread_count, graph,
                                  load->error)) {
            return graph_fail_at(load->error, load->source->name);
        }
    }
    graph->names = segments->names;
    segments->names = NULL;
    return true;
}

bool graph_text_load(struct text_source *source, const struct graph_options *options,
                     const struct text_aids *aids, struct graph *graph, struct graph_error *error)
{
    *graph = (struct graph){0};
    struct load load = {.options = *options, .aids = aids, .source = source, .error = error};
    struct text_segments *segments = &load.segments;
    unsigned threads = parallel_count(options->threads);
    threads = threads < THREADS_MAX ? threads : THREADS_MAX;
    load_memory_start(&load.memory, source->name, &load.options, threads);
    segments->source = source;
    segments->format = &load.format;
    segments->options = &load.options;
    segments->aids = aids;
    segments->memory = &load.memory;
    segments->thread_count = threads;
    load_progress_start(&segments->progress, &load.options, source);
    source->cancel = options->cancel;
    bool done = load_text(&load, graph);
    text_segments_free(segments);
    if (aids->reverse != NULL) {
        aids->reverse->free(aids->order);
    }
    free_ids(&load);
    free(load.format.look);
    graph_names_free(segments->names);
    done = text_source_close(source, error) && done;
    if (!done) {
        graph_free(graph);
    }
    pw_assert(!done || graph_check(graph));
    return done;
}

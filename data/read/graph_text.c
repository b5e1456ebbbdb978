/*
 * graph_text.c - from text to adjacency lists, in parallel, in file order.
 *
 * 1. The first lines tell the format (graph_format.c).
 * 2. The file is cut into segments that threads take in turn. Each scans its lines (edge_scan.c)
 *    and drops the edges into buckets (edge_buckets.c). A stream is one segment, scanned while a
 *    thread of its own decodes it; so are METIS, edges by name, and formats with a reader of their
 *    own (graph_reader.h).
 * 3. Lines and entries are added up in segment order, which finds the first error of the file and
 *    its line number. Segments after an error are not read.
 * 4. The buckets become adjacency lists.
 * Cost: see graph_load_memory.
 */
#include "graph_text.h"
#include "base/pw_assert.h"
#include "data/graph/graph_memory.h"
#include "data/graph/parallel.h"
#include "data/names/names_fit.h"
#include "data/renumber/edge_ids.h"
#include "data/reverse/graph_reverse.h"
#include "data/reverse/target_order.h"
#include "graph_format.h"
#include "metis.h"
#include "named_edges.h"
#include "names_file.h"
#include "own_format.h"
#include "text_reader.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define THREADS_MAX         256
#define SEGMENTS_PER_THREAD 8
#define PARTS_MIN           16 /* segments for a target_order: enough for memory to serve again */
#define SEGMENT_SIZE_MIN    ((uint64_t)1 << 20)
#define LIMIT_MIN           ((uint64_t)1 << 20) /* of ids that are only sampled, for the buckets */
#define THREAD_BYTES        ((uint64_t)6 << 20) /* that a thread takes at most, but for records */
#define PROGRESS_S          0.1
#define BAD_TEXT_SIZE       512

struct segment {
    uint64_t begin, end;
    struct edge_scan scan;
    char bad_text[BAD_TEXT_SIZE]; /* the first bytes of a bad line that stopped the segment */
    size_t bad_length;            /* 0: none */
    bool is_too_long;             /* a line that stopped the segment */
    struct graph_error error;     /* anything else that did */
};

struct load {
    struct graph_options *options; /* a copy */
    const struct graph_reader *readers;
    struct text_source *source;
    struct graph_format format;
    struct graph_error *error;
    unsigned thread_count;
    struct edge_writer *writers;
    uint64_t memory_limit;            /* bytes, asked for or available at the start */
    atomic_int_least64_t memory_left; /* for the writers' records */
    struct target_order order;        /* with parts where the reverse adjacency may come of it */
    struct id_set ids;
    struct graph_names *names;
    bool names_have_ids; /* their file says whose they are */
    uint32_t own_first;  /* the first node, as a format's own reader has it */

    size_t segment_count;
    struct segment *segments;
    struct edge_segment *edge_segments; /* one more than segments, for the repeated entry */
    atomic_size_t first_stopped;        /* before its end; no segment after this one matters */
    size_t line_max;
    atomic_uint_least64_t entries_done;

    struct timespec started;
    double progress_s; /* when the progress was last told */

    uint64_t line_count, entry_count;
    uint32_t id_min, id_max;
};

static void tell_progress(struct load *load, const char *phase)
{
    struct timespec now;
    if (load->options->progress == NULL) {
        return;
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    double elapsed_s = (double)(now.tv_sec - load->started.tv_sec) +
                       (double)(now.tv_nsec - load->started.tv_nsec) / 1e9;
    if (elapsed_s - load->progress_s >= PROGRESS_S) {
        load->progress_s = elapsed_s;
        load->options->progress(
            load->options->context,
            &(struct graph_progress){phase, atomic_load(&load->source->bytes_done),
                                     load->source->size, atomic_load(&load->entries_done),
                                     elapsed_s});
    }
}

static void stop_segment(struct load *load, size_t index)
{
    size_t first = atomic_load(&load->first_stopped);
    while (index < first && !atomic_compare_exchange_weak(&load->first_stopped, &first, index)) {
    }
}

/* Bytes that may still be taken of the limit. */
static uint64_t memory_left(struct load *load)
{
    int64_t left = atomic_load(&load->memory_left);
    return left > 0 ? (uint64_t)left : 0;
}

static bool scan_block(struct load *load, struct segment *segment, uint64_t *row_count,
                       const char *text, size_t length)
{
    struct edge_scan *scan = &segment->scan;
    const struct graph_format *format = &load->format;
    const char *name = load->source->name;
    if (format->kind == FORMAT_METIS) {
        return metis_scan_block(format, scan, row_count, text, length, name, &segment->error);
    }
    if (format->kind == FORMAT_NAMED_EDGES) {
        return named_edges_scan_block(load->names, scan, text, length, name, format->data_line + 1,
                                      &segment->error) &&
               names_fit_memory(load->names, memory_left(load), name, &segment->error);
    }
    if (edge_scan_block(scan, text, length)) {
        return true;
    }
    if (scan->bad_begin != NULL) {
        size_t bad_length = (size_t)(scan->bad_end - scan->bad_begin);
        segment->bad_length = bad_length < BAD_TEXT_SIZE ? bad_length : BAD_TEXT_SIZE;
        memcpy(segment->bad_text, scan->bad_begin, segment->bad_length);
    }
    return false;
}

static void fail_for_memory(struct load *load, struct graph_error *error)
{
    char limit[32];
    if (atomic_load(&load->memory_left) < 0) {
        graph_fail(error, load->source->name,
                   "the edges do not fit: more than the %s of memory allowed after %llu of them",
                   memory_text(limit, load->memory_limit),
                   (unsigned long long)atomic_load(&load->entries_done));
    }
    graph_fail(error, load->source->name, "out of memory");
}

/* Scan the lines of a segment; number: the thread's. Returns false when it stops before its end. */
static bool scan_lines(struct load *load, size_t index, unsigned number)
{
    struct segment *segment = &load->segments[index];
    struct text_reader reader;
    uint64_t row_count = 0; /* of METIS */
    const char *text;
    size_t length;
    bool done = text_reader_init(&reader, load->source, segment->begin, segment->end,
                                 load->line_max, &segment->error);
    while (done) {
        uint64_t entries = segment->scan.entry_count;
        done = text_reader_next(&reader, &text, &length, &segment->error);
        if (!done || length == 0) {
            break;
        }
        done = scan_block(load, segment, &row_count, text, length);
        atomic_fetch_add_explicit(&load->entries_done, segment->scan.entry_count - entries,
                                  memory_order_relaxed);
        done = done && atomic_load(&load->first_stopped) > index;
        if (number == 0) {
            tell_progress(load, "reading");
        }
    }
    segment->is_too_long = reader.is_too_long;
    text_reader_free(&reader);
    if (load->format.kind == FORMAT_METIS && done && row_count < load->format.node_count) {
        done = graph_fail_line(
            &segment->error, load->source->name, load->format.data_line + segment->scan.line_count,
            "the file ends after %llu of the %llu rows declared in line %llu",
            (unsigned long long)row_count, (unsigned long long)load->format.node_count,
            (unsigned long long)load->format.header_line);
    }
    return done;
}

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
    return bytes;
}

uint64_t graph_memory_limit(const struct graph_options *options)
{
    return options->memory_limit > 0 ? options->memory_limit : memory_available();
}

bool graph_reverse_fits(const struct graph *graph, const struct graph_options *options)
{
    return graph_load_memory(graph->node_limit, graph->edge_count, true,
                             parallel_count(options->threads)) <= graph_memory_limit(options);
}

/* What the formula of graph_load_memory does not have: names, and tables for ids far apart. */
static uint64_t memory_besides(const struct load *load)
{
    uint64_t bytes = load->names != NULL ? graph_names_memory(load->names) : 0;
    for (unsigned i = 0; load->options->compact && i < load->thread_count; i++) {
        uint64_t tables = edge_writer_table_bytes(&load->writers[i], SEGMENTS_PER_THREAD);
        bytes += tables > THREAD_BYTES ? tables : 0; /* small ones are in the formula */
    }
    return bytes;
}

/* The memory to load so much. */
static uint64_t memory_needed(const struct load *load, uint64_t nodes, uint64_t edges, bool reverse)
{
    uint64_t besides = load->writers != NULL ? memory_besides(load) : 0;
    uint64_t needed = graph_load_memory(nodes, edges, reverse, load->thread_count);
    return needed < UINT64_MAX - besides ? needed + besides : UINT64_MAX;
}

/*
 * Refuse what cannot fit, with the figure. nodes: ids up to the largest, of which no node has the
 * unused; 0 when not known. told: the edges as a sample has them, or edges. A reverse adjacency
 * that may be kept is from here on built, if it fits.
 */
static bool check_memory(struct load *load, uint64_t nodes, uint64_t unused, uint64_t edges,
                         uint64_t told)
{
    char what[100], needed_text[32], limit_text[32];
    uint64_t limit = load->memory_limit;
    struct graph_options *options = load->options;
    options->build_reverse |=
        options->keep_reverse && nodes > 0 && memory_needed(load, nodes, edges, true) <= limit;
    uint64_t needed = memory_needed(load, nodes, edges, options->build_reverse);
    if (needed <= limit) {
        return true;
    }
    if (nodes == 0) {
        snprintf(what, sizeof(what), "%s%llu edges need at least", told != edges ? "about " : "",
                 (unsigned long long)told);
    } else {
        snprintf(what, sizeof(what), "%llu nodes and %llu edges need",
                 (unsigned long long)(nodes - unused), (unsigned long long)edges);
    }
    memory_text(needed_text, needed);
    memory_text(limit_text, limit);
    if (strcmp(needed_text, limit_text) == 0) { /* so close that they round to the same */
        snprintf(needed_text, sizeof(needed_text), "%llu bytes", (unsigned long long)needed);
        snprintf(limit_text, sizeof(limit_text), "%llu bytes", (unsigned long long)limit);
    }
    graph_fail(load->error, load->source->name, "%s %s of memory; %s: %s", what, needed_text,
               load->options->memory_limit ? "allowed" : "available", limit_text);
    if (!load->format.has_counts && nodes / 4 > edges) {
        load->error->remedy = GRAPH_REMEDY_COMPACT;
    }
    return false;
}

static void tell_own(void *context)
{
    struct load *load = context;
    atomic_store(&load->entries_done, load->segments[0].scan.entry_count);
    tell_progress(load, "reading");
}

static bool fits_own(void *context, uint64_t nodes, uint64_t edges, struct graph_error *error)
{
    struct load *load = context;
    bool fits = check_memory(load, nodes, 0, edges, edges);
    *error = fits ? *error : *load->error;
    return fits;
}

/* Read the text by its format's own reader, in one segment. Returns false with error set. */
static bool read_own(struct load *load, struct edge_scan *scan, struct graph_error *error)
{
    struct own_format own = {.source = load->source,
                             .scan = scan,
                             .options = load->options,
                             .tell = tell_own,
                             .fits = fits_own,
                             .limit = memory_left(load),
                             .context = load};
    const struct graph_reading *reading = &own.reading;
    load->format.has_counts = true; /* as soon as all is read */
    bool done = own_format_read(&own, load->format.reader, error);
    load->own_first = reading->first_node;
    load->format.node_count = reading->node_count;
    load->format.entry_count = scan->entry_count;
    if (reading->names != NULL && load->names != NULL) {
        error->remedy = GRAPH_REMEDY_NO_NAMES;
        done = graph_fail(error, reading->name, "holds names already");
    }
    if (reading->names != NULL) {
        graph_names_free(load->names);
        load->names = reading->names;
    }
    return done;
}

static void scan_segment(void *context, unsigned number, size_t index)
{
    struct load *load = context;
    struct segment *segment = &load->segments[index];
    struct edge_scan *scan = &segment->scan;
    if (index > atomic_load(&load->first_stopped)) {
        return;
    }
    scan->rules = &load->format.rules;
    scan->writer = &load->writers[number];
    scan->direction = load->format.symmetric || load->options->undirected ? EDGES_BOTH
                      : load->options->reverse                            ? EDGES_REVERSE
                                                                          : EDGES_FORWARD;
    scan->keep_skipped = load->format.has_counts;
    scan->id_min = UINT32_MAX;
    scan->part = target_order_open(&load->order, index, number);
    bool done = load->format.kind == FORMAT_OWN_READER ? read_own(load, scan, &segment->error)
                                                       : scan_lines(load, index, number);
    load->edge_segments[index].writer = number;
    bool closed = edge_writer_close_segment(&load->writers[number], &load->edge_segments[index]);
    target_order_close(&load->order, scan->part, index);
    if (scan->writer->failed || scan->out_of_memory || !closed) {
        fail_for_memory(load, &segment->error);
        done = false;
    }
    if (!done) {
        stop_segment(load, index);
    }
}

/* Add up what the segments found, up to the first error in the file. */
static bool sum_segments(struct load *load)
{
    const struct graph_format *format = &load->format;
    const char *name = load->source->name;
    bool has_more = false;
    load->line_count = format->data_line;
    load->id_min = UINT32_MAX;
    for (size_t i = 0; i < load->segment_count; i++) {
        struct segment *segment = &load->segments[i];
        struct edge_scan *scan = &segment->scan;
        if (!graph_format_check_part(format, scan, load->line_count, load->entry_count, name,
                                     load->error)) {
            return false;
        }
        load->line_count += scan->line_count;
        load->entry_count += scan->entry_count;
        if (segment->bad_length > 0) {
            return edge_line_explain(segment->bad_text, segment->bad_text + segment->bad_length,
                                     &format->rules, name, load->line_count + 1, load->error);
        }
        if (segment->is_too_long) {
            return text_fail_too_long(name, load->line_count + 1, load->line_max, load->error);
        }
        if (i == atomic_load(&load->first_stopped)) {
            *load->error = segment->error;
            return graph_fail(load->error, name, "cannot be read");
        }
        has_more |= scan->has_more;
        load->id_min = scan->id_min < load->id_min ? scan->id_min : load->id_min;
        load->id_max = scan->id_max > load->id_max ? scan->id_max : load->id_max;
    }
    return graph_format_check_whole(format, load->options, load->line_count, load->entry_count,
                                    has_more, name, load->error);
}

/* The last entry once more, in a segment of its own behind all others. */
static bool repeat_last_entry(struct load *load)
{
    struct edge_segment *extra = &load->edge_segments[load->segment_count];
    size_t last = load->segment_count;
    while (last > 0 && load->segments[last - 1].scan.entry_count == 0) {
        last--;
    }
    if (last > 0 && load->options->repeat_last_entry) {
        struct edge_scan *scan = &load->segments[last - 1].scan;
        scan->writer = &load->writers[0];
        target_order_reopen(&load->order, scan->part);
        edge_scan_add(scan, scan->last_source, scan->last_target);
        target_order_close(&load->order, scan->part, load->segment_count);
        extra->writer = 0;
        return edge_writer_close_segment(&load->writers[0], extra) ||
               graph_fail(load->error, load->source->name, "out of memory");
    }
    return true;
}

/* The edges that the header declares, as far as the file is long enough for them. */
static uint64_t declared_edges(const struct load *load)
{
    const struct graph_format *format = &load->format;
    uint64_t entries = format->entry_count;
    if (load->source->is_plain && entries > load->source->size / 2) {
        entries = load->source->size / 2; /* a digit and a separator are the least */
    }
    bool both = load->options->undirected || format->symmetric;
    return both && entries <= UINT64_MAX / 2 ? entries * 2 : entries;
}

/* Refuse what the header declares. */
static bool check_declared(struct load *load)
{
    uint64_t edges = declared_edges(load), nodes = load->format.node_count + 1;
    nodes = load->options->compact ? 0 : nodes;
    return check_memory(load, nodes, 1, edges, edges);
}

/* Whether the names are those of the nodes from *first to *limit - 1, which may grow with them. */
static bool fit_names(struct load *load, uint32_t *first, uint64_t *limit)
{
    const struct names_fit fit = {.names = load->names,
                                  .have_ids = load->names_have_ids,
                                  .options = load->options,
                                  .is_told = load->format.has_counts,
                                  .told_nodes = load->format.told_nodes,
                                  .text = load->source->name,
                                  .id_min = load->id_min,
                                  .id_max = load->id_max};
    return load->names == NULL || load->format.kind == FORMAT_NAMED_EDGES ||
           names_fit(&fit, first, limit, load->error);
}

static bool build_graph(struct load *load, struct graph *graph)
{
    const char *name = load->source->name;
    bool compact = load->options->compact;
    uint64_t limit =
        load->format.has_counts ? load->format.node_count + 1 : (uint64_t)load->id_max + 1;
    uint64_t edge_count = edge_writers_count(load->writers, load->thread_count);
    uint32_t first = load->format.has_counts || load->id_min > 0 ? 1 : 0;
    if (load->format.kind == FORMAT_OWN_READER) {
        first = load->own_first;
        limit = first + load->format.node_count;
    }
    pw_assert(edge_count >= load->entry_count); /* an entry gives one edge or two */
    if (!fit_names(load, &first, &limit)) {
        return false;
    }
    if (compact && load->entry_count > 0 &&
        !edge_ids_collect(load->writers, load->thread_count, (uint64_t)load->id_max + 1,
                          &load->ids)) {
        return graph_fail(load->error, name, "out of memory");
    }
    if (compact) {
        first = 0;
        limit = load->ids.count;
    }
    if (!check_memory(load, limit, first, edge_count, edge_count)) {
        return false;
    }
    graph->first_node = first;
    graph->node_limit = (uint32_t)limit;
    graph->edge_count = edge_count;
    graph->offsets = graph_map_array(graph, limit + 1, sizeof(*graph->offsets));
    graph->neighbours = graph_map_array(graph, edge_count, sizeof(*graph->neighbours));
    if (compact) {
        graph->original_ids = graph_map_array(graph, limit, sizeof(*graph->original_ids));
    }
    if (graph->offsets == NULL || graph->neighbours == NULL ||
        (compact && graph->original_ids == NULL)) {
        return graph_fail(load->error, name, "out of memory for %llu nodes, %llu edges",
                          (unsigned long long)(limit - first), (unsigned long long)edge_count);
    }
    struct edge_rows rows = {edge_count, limit, graph->offsets, graph->neighbours, true};
    if (compact && limit > 0) {
        id_set_list(&load->ids, graph->original_ids);
    }
    tell_progress(load, "sorting");
    return (compact && limit == 0) ||
           edge_writers_build(load->writers, load->thread_count, load->edge_segments,
                              load->segment_count + 1, compact ? &load->ids : NULL, &rows) ||
           graph_fail(load->error, name, "out of memory");
}

/* The largest id in a sample of the text, for a good layout; 0 when there is none. */
static uint64_t sample_ids(struct load *load, double *line_length)
{
    uint64_t largest = 0, lines = 0, bytes = 0;
    const char *p = load->source->head + load->format.data_offset;
    const char *end = load->source->head + load->source->head_length;
    const char *stop;
    struct edge_line line;
    while (p < end && lines < 4096 && (stop = memchr(p, '\n', (size_t)(end - p))) != NULL) {
        if (edge_line_read(p, stop, &load->format.rules, &line) == EDGE_LINE_EDGE) {
            largest = line.source > largest ? line.source : largest;
            largest = line.target > largest ? line.target : largest;
            lines++;
            bytes += (uint64_t)(stop - p) + 1;
        }
        p = stop + 1;
    }
    *line_length = lines ? (double)bytes / (double)lines : 0;
    return largest;
}

/* Cut the text into segments and prepare a writer for each thread. */
static bool prepare(struct load *load)
{
    const struct graph_format *format = &load->format;
    uint64_t begin = format->data_offset;
    uint64_t size = load->source->is_plain ? load->source->size : UINT64_MAX;
    bool long_lines = format->kind == FORMAT_METIS || format->kind == FORMAT_NAMED_EDGES;
    bool ordered = load->options->build_reverse && format->kind == FORMAT_MATRIX_MARKET &&
                   !load->options->compact && !format->symmetric && !load->options->undirected &&
                   !load->options->reverse;
    bool one = !load->source->is_plain || (load->thread_count == 1 && !ordered) || long_lines ||
               format->kind == FORMAT_OWN_READER;
    /* A buffer is copied while it doubles. */
    load->line_max = long_lines ? load->memory_limit / 4 : TEXT_LINE_MAX;
    load->segment_count = 1;
    pw_assert(load->thread_count > 0);
    if (!one && size > begin) {
        uint64_t most = (size - begin) / SEGMENT_SIZE_MIN + 1;
        uint64_t wanted = (uint64_t)load->thread_count * SEGMENTS_PER_THREAD;
        wanted = ordered && wanted < PARTS_MIN ? PARTS_MIN : wanted;
        load->segment_count = (size_t)(wanted < most ? wanted : most);
        load->thread_count = (unsigned)(most < load->thread_count ? most : load->thread_count);
    }
    pw_assert(load->thread_count > 0 && load->segment_count > 0);
    load->segments = calloc(load->segment_count, sizeof(*load->segments));
    load->edge_segments = calloc(load->segment_count + 1, sizeof(*load->edge_segments));
    load->writers = calloc(load->thread_count, sizeof(*load->writers));
    if (load->segments == NULL || load->edge_segments == NULL || load->writers == NULL) {
        return graph_fail(load->error, load->source->name, "out of memory");
    }
    for (size_t i = 0; i < load->segment_count; i++) {
        uint64_t length = (size - begin) / load->segment_count;
        load->segments[i].begin = begin + length * i;
        load->segments[i].end = i + 1 < load->segment_count ? begin + length * (i + 1) : UINT64_MAX;
    }
    double line_length = 0;
    bool samples = !format->has_counts && format->kind != FORMAT_OWN_READER;
    uint64_t sampled = samples ? sample_ids(load, &line_length) : 0;
    if (line_length > 0 && load->source->is_plain) {
        double about = (double)(size - begin) / line_length * (load->options->undirected ? 2 : 1);
        if (!check_memory(load, 0, 0, (uint64_t)(about * 0.9), (uint64_t)(about + 0.5))) {
            return false;
        }
    }
    bool known = format->has_counts && !load->options->compact;
    uint64_t edges = known ? declared_edges(load) : 0;
    uint64_t limit = format->has_counts ? format->node_count + 1 : sampled + 1;
    if (!format->has_counts && limit < LIMIT_MIN) {
        limit = LIMIT_MIN; /* larger ids may follow: not too many buckets even then */
    }
    struct edge_layout layout = load->options->compact ? edge_layout_sparse(limit)
                                                       : edge_layout_for(limit, known ? limit : 0);
    size_t buckets = (size_t)((limit - 1) >> layout.shift) + 1;
    for (unsigned i = 0; i < load->thread_count; i++) {
        if (!edge_writer_init(&load->writers[i], layout, buckets, edges / load->thread_count)) {
            return graph_fail(load->error, load->source->name, "out of memory");
        }
        load->writers[i].memory_left = &load->memory_left;
    }
    return !ordered ||
           target_order_init(&load->order, load->segment_count, load->thread_count, limit, edges,
                             &load->memory_left) ||
           graph_fail(load->error, load->source->name, "out of memory");
}

static void free_load(struct load *load)
{
    for (unsigned i = 0; load->writers != NULL && i < load->thread_count; i++) {
        edge_writer_free(&load->writers[i]);
    }
    for (size_t i = 0; load->segments != NULL && i < load->segment_count; i++) {
        free(load->segments[i].scan.skipped);
    }
    for (size_t i = 0; load->edge_segments != NULL && i <= load->segment_count; i++) {
        free(load->edge_segments[i].counts);
    }
    free(load->writers);
    free(load->segments);
    free(load->edge_segments);
    target_order_free(&load->order);
    id_set_free(&load->ids);
    graph_names_free(load->names);
}

/* The names that the file brings along or that were asked for, if any. */
static bool load_names(struct load *load)
{
    const char *path = load->options->names_path;
    if (load->format.kind != FORMAT_NAMED_EDGES) {
        if (path == NULL) {
            return true;
        }
        load->names = names_file_load(path, &load->names_have_ids, load->memory_limit,
                                      load->options->cancel, load->error);
        if (load->names == NULL) {
            return false;
        }
        atomic_fetch_sub(&load->memory_left, (int64_t)graph_names_memory(load->names));
        return true;
    }
    if (path != NULL) {
        load->error->remedy = GRAPH_REMEDY_NO_NAMES;
        return graph_fail(load->error, load->source->name, "holds names already");
    }
    load->names = graph_names_create();
    return load->names != NULL || graph_fail(load->error, load->source->name, "out of memory");
}

/* The reverse adjacency: as the file has it, where it is sorted by target. */
static bool add_reverse(struct load *load, struct graph *graph)
{
    if (target_order_holds(&load->order)) {
        return target_order_build(&load->order, load->writers, graph) ||
               graph_fail(load->error, load->source->name, "out of memory");
    }
    target_order_free(&load->order); /* before the lists take its room */
    return graph_reverse_build(graph, load->writers, load->thread_count, load->error) ||
           graph_fail_at(load->error, load->source->name);
}

static bool load_text(struct load *load, struct graph *graph)
{
    struct graph_options *options = load->options;
    uint64_t limit = graph_memory_limit(options);
    load->memory_limit = limit;
    atomic_store(&load->memory_left, limit > INT64_MAX ? INT64_MAX : (int64_t)limit);
    atomic_store(&load->first_stopped, SIZE_MAX);
    if (!graph_format_read(load->source, options, load->readers, &load->format, load->error)) {
        return false;
    }
    if (load->format.kind == FORMAT_OWN_READER) {
        options->compact = false; /* its nodes are numbered without gaps */
    }
    if ((load->format.has_counts && !check_declared(load)) || !load_names(load) || !prepare(load)) {
        return false;
    }
    parallel_each(load->thread_count, load->segment_count, scan_segment, load);
    if (!sum_segments(load) || !repeat_last_entry(load) || !build_graph(load, graph)) {
        return false;
    }
    id_set_free(&load->ids); /* before the reverse adjacency takes its room */
    if (options->build_reverse && !add_reverse(load, graph)) {
        return false;
    }
    graph->names = load->names;
    load->names = NULL;
    return true;
}

bool graph_text_load(struct text_source *source, const struct graph_options *options,
                     const struct graph_reader *readers, struct graph *graph,
                     struct graph_error *error)
{
    *graph = (struct graph){0};
    struct graph_options own_options = *options;
    struct load load = {
        .options = &own_options, .readers = readers, .source = source, .error = error};
    load.thread_count = parallel_count(options->threads);
    load.thread_count = load.thread_count < THREADS_MAX ? load.thread_count : THREADS_MAX;
    clock_gettime(CLOCK_MONOTONIC, &load.started);
    source->cancel = options->cancel;
    bool done = load_text(&load, graph);
    free_load(&load);
    done = text_source_close(source, error) && done;
    if (!done) {
        graph_free(graph);
    }
    return done;
}

/*
 * text_segments.c - cuts, scans on several threads, adds up; see text_segments.h.
 */
#include "text_segments.h"
#include "base/pw_assert.h"
#include "data/graph/parallel.h"
#include "graph_format.h"
#include "metis.h"
#include "own_format.h"
#include "text_reader.h"
#include <stdlib.h>

#define SEGMENTS_PER_THREAD 8
#define PARTS_MIN           16 /* segments for a target_order: enough to reuse memory */
#define SEGMENT_SIZE_MIN    ((uint64_t)1 << 20)
#define LIMIT_MIN           ((uint64_t)1 << 20) /* for the buckets, if ids are only sampled */
#define BAD_TEXT_SIZE       512

struct text_segment {
    uint64_t begin, end;
    struct edge_scan scan;
    char bad_text[BAD_TEXT_SIZE]; /* the first bytes of a bad line that stopped the segment */
    size_t bad_length;            /* 0: none */
    bool is_too_long;             /* a line that stopped the segment */
    struct graph_error error;     /* anything else that did */
};

uint64_t text_segments_declared(const struct text_segments *segments)
{
    const struct graph_format *format = segments->format;
    const struct text_source *source = segments->source;
    uint64_t entries = format->entry_count;
    pw_assert(format->has_counts);
    if (source->is_plain && entries > source->size / 2) {
        entries = source->size / 2; /* a digit and a separator are the least */
    }
    bool both = segments->options->undirected || format->symmetric;
    return both && entries <= UINT64_MAX / 2 ? entries * 2 : entries;
}

uint64_t text_segments_besides(const struct text_segments *segments)
{
    uint64_t bytes = 0;
    if (segments->writers == NULL) {
        return 0;
    }
    if (segments->names != NULL) {
        bytes = graph_names_memory(segments->names);
    }
    for (unsigned i = 0; segments->options->compact && i < segments->thread_count; i++) {
        bytes +=
            load_memory_beyond(edge_writer_table_bytes(&segments->writers[i], SEGMENTS_PER_THREAD));
    }
    return bytes;
}

/* The largest id in a sample of the text, for a good layout; 0 if it finds no id. */
static uint64_t sample_ids(const struct text_segments *segments, double *line_length)
{
    uint64_t largest = 0, lines = 0, bytes = 0;
    const struct text_source *source = segments->source;
    const char *p = source->head + segments->format->data_offset;
    const char *end = source->head + source->head_length;
    const char *stop;
    struct edge_line line;
    pw_assert(segments->format->data_offset <= source->head_length);
    while (p < end && lines < 4096 && (stop = memchr(p, '\n', (size_t)(end - p))) != NULL) {
        if (edge_line_read(p, stop, &segments->format->rules, &line) == EDGE_LINE_EDGE) {
            const uint64_t larger = line.source > line.target ? line.source : line.target;
            largest = larger > largest ? larger : largest;
            lines++;
            bytes += (uint64_t)(stop - p) + 1;
        }
        p = stop + 1;
    }
    *line_length = lines ? (double)bytes / (double)lines : 0;
    return largest;
}

/* Choose where each segment begins, and how many threads to use. ordered: the segments are parts of
 * a target_order. */
static bool place_segments(struct text_segments *segments, bool ordered)
{
    const struct graph_format *format = segments->format;
    const struct text_source *source = segments->source;
    uint64_t begin = format->data_offset;
    uint64_t size = source->is_plain ? source->size : UINT64_MAX;
    bool long_lines = format->kind == FORMAT_METIS || format->kind == FORMAT_TABLE;
    bool one = !source->is_plain || (segments->thread_count == 1 && !ordered) || long_lines ||
               format->kind == FORMAT_OWN_READER;
    /* A buffer is copied while it doubles. */
    segments->line_max = long_lines ? (size_t)(segments->memory->limit / 4) : TEXT_LINE_MAX;
    segments->count = 1;
    if (!one && size > begin) {
        uint64_t most = (size - begin) / SEGMENT_SIZE_MIN + 1;
        uint64_t wanted = (uint64_t)segments->thread_count * SEGMENTS_PER_THREAD;
        wanted = ordered && wanted < PARTS_MIN ? PARTS_MIN : wanted;
        segments->count = (size_t)(wanted < most ? wanted : most);
        if (most < segments->thread_count) {
            segments->memory->thread_count = segments->thread_count = (unsigned)most;
        }
    }
    pw_assert(segments->thread_count > 0 && segments->count > 0);
    segments->items = calloc(segments->count, sizeof(*segments->items));
    for (size_t i = 0; segments->items != NULL && i < segments->count; i++) {
        struct text_segment *segment = &segments->items[i];
        uint64_t length = (size - begin) / segments->count;
        segment->begin = begin + length * i;
        segment->end = i + 1 < segments->count ? begin + length * (i + 1) : UINT64_MAX;
        pw_assert(segment->begin <= segment->end);
    }
    return segments->items != NULL;
}

/* Give each thread a writer with buckets for the known or sampled ids. */
static bool open_writers(struct text_segments *segments, uint64_t limit, bool known, uint64_t edges)
{
    struct edge_layout layout = segments->options->compact
                                    ? edge_layout_sparse(limit)
                                    : edge_layout_for(limit, known ? limit : 0);
    size_t buckets = (size_t)((limit - 1) >> layout.shift) + 1;
    pw_assert(limit > 0);
    for (unsigned i = 0; i < segments->thread_count; i++) {
        if (!edge_writer_init(&segments->writers[i], layout, buckets,
                              edges / segments->thread_count)) {
            return false;
        }
        segments->writers[i].memory_left = &segments->memory->left;
    }
    return true;
}

bool text_segments_cut(struct text_segments *segments, struct graph_error *error)
{
    const struct graph_format *format = segments->format;
    const struct graph_options *options = segments->options;
    const struct text_source *source = segments->source;
    const struct text_aids *aids = segments->aids;
    bool ordered = options->build_reverse && format->kind == FORMAT_MATRIX_MARKET &&
                   !options->compact && !format->symmetric && !options->undirected &&
                   !options->reverse && !options->repeat_last_entry;
    pw_assert(segments->thread_count == segments->memory->thread_count);
    atomic_store(&segments->first_stopped, SIZE_MAX);
    bool placed = place_segments(segments, ordered);
    segments->edges = calloc(segments->count + 1, sizeof(*segments->edges));
    segments->writers = calloc(segments->thread_count, sizeof(*segments->writers));
    if (!placed || segments->edges == NULL || segments->writers == NULL) {
        return graph_fail(error, source->name, "out of memory");
    }
    double line_length = 0;
    bool samples = !format->has_counts && format->kind != FORMAT_OWN_READER;
    uint64_t sampled = samples ? sample_ids(segments, &line_length) : 0;
    if (line_length > 0 && source->is_plain) {
        double about = (double)(source->size - format->data_offset) / line_length *
                       (options->undirected ? 2 : 1);
        /* A sample errs: only if nine tenths do not fit is the file refused. */
        const struct load_size size = {.edges = (uint64_t)(about * 0.9),
                                       .estimate = (uint64_t)(about + 0.5),
                                       .besides = text_segments_besides(segments),
                                       .is_sparse = true};
        if (!load_memory_check(segments->memory, &size, error)) {
            return false;
        }
    }
    bool known = format->has_counts && !options->compact;
    uint64_t edges = known ? text_segments_declared(segments) : 0;
    uint64_t limit = format->has_counts ? format->node_count + 1 : sampled + 1;
    if (!format->has_counts && limit < LIMIT_MIN) {
        limit = LIMIT_MIN; /* larger ids may follow; limits their buckets */
    }
    return (open_writers(segments, limit, known, edges) &&
            (!ordered || aids->reverse->init(aids->order, segments->count, segments->thread_count,
                                             limit, edges, &segments->memory->left))) ||
           graph_fail(error, source->name, "out of memory");
}

/* From now on no segment after this one matters. */
static void stop_segment(struct text_segments *segments, size_t index)
{
    size_t first = atomic_load(&segments->first_stopped);
    while (index < first &&
           !atomic_compare_exchange_weak(&segments->first_stopped, &first, index)) {
    }
    pw_assert(atomic_load(&segments->first_stopped) <= index);
}

static bool take_block(struct text_segments *segments, struct text_segment *segment,
                       uint64_t *row_count, const char *text, size_t length)
{
    struct edge_scan *scan = &segment->scan;
    const struct graph_format *format = segments->format;
    const char *name = segments->source->name;
    pw_assert(length > 0 && text[length - 1] == '\n');
    if (format->kind == FORMAT_METIS) {
        return metis_scan_block(format, scan, row_count, text, length, name, &segment->error);
    }
    if (edge_scan_block(scan, text, length)) {
        return true;
    }
    if (scan->bad_begin != NULL) {
        size_t bad_length = (size_t)(scan->bad_end - scan->bad_begin);
        pw_assert(scan->bad_begin >= text && scan->bad_end < text + length);
        segment->bad_length = bad_length < BAD_TEXT_SIZE ? bad_length : BAD_TEXT_SIZE;
        memcpy(segment->bad_text, scan->bad_begin, segment->bad_length);
    }
    return false;
}

static struct table_text table_text_of(const struct text_segments *segments)
{
    const struct graph_format *format = segments->format;
    return (struct table_text){.look = format->look,
                               .names = format->has_names ? segments->names : NULL,
                               .path = segments->source->name,
                               .first_line = format->data_line + 1};
}

/* Scan a block of columns; a record that goes on after the block comes again with more of it. */
static bool scan_columns(struct text_segments *segments, struct text_segment *segment,
                         struct text_reader *reader, const char *text, size_t length)
{
    struct edge_scan *scan = &segment->scan;
    const struct tables_aid *tables = segments->aids->tables;
    const struct table_text columns = table_text_of(segments);
    size_t used;
    if (!tables->scan(&columns, scan, text, length, &used, &segment->error) ||
        (columns.names != NULL &&
         !names_fit_memory(columns.names, load_memory_left(segments->memory), columns.path,
                           &segment->error))) {
        return false;
    }
    pw_assert(used <= length);
    text_reader_keep(reader, length - used);
    return !scan->writer->failed &&
           (length - used < TEXT_LINE_MAX || tables->fail_open(&columns, scan, &segment->error));
}

/* Scan the lines of a segment; number: the thread's. Returns false if it stops before the end. */
static bool read_segment(struct text_segments *segments, size_t index, unsigned number)
{
    struct text_segment *segment = &segments->items[index];
    const struct graph_format *format = segments->format;
    const char *name = segments->source->name;
    struct text_reader reader;
    uint64_t row_count = 0; /* of METIS */
    const char *text;
    size_t length;
    bool done = text_reader_init(&reader, segments->source, segment->begin, segment->end,
                                 segments->line_max, &segment->error);
    while (done) {
        uint64_t entries = segment->scan.entry_count;
        done = text_reader_next(&reader, &text, &length, &segment->error);
        if (!done || length == 0) {
            break;
        }
        done = format->kind == FORMAT_TABLE
                   ? scan_columns(segments, segment, &reader, text, length)
                   : take_block(segments, segment, &row_count, text, length);
        pw_assert(segment->scan.entry_count >= entries);
        atomic_fetch_add_explicit(&segments->progress.entries_done,
                                  segment->scan.entry_count - entries, memory_order_relaxed);
        done = done && atomic_load(&segments->first_stopped) > index;
        if (number == 0) {
            load_progress_report(&segments->progress, "reading");
        }
    }
    if (done && format->kind == FORMAT_TABLE && reader.used > 0) {
        const struct table_text columns = table_text_of(segments);
        done = segments->aids->tables->fail_open(&columns, &segment->scan, &segment->error);
    }
    segment->is_too_long = reader.is_too_long;
    text_reader_free(&reader);
    if (format->kind == FORMAT_METIS && done && row_count < format->node_count) {
        done =
            graph_fail_line(&segment->error, name, format->data_line + segment->scan.line_count,
                            "the file ends after %llu of the %llu rows declared in line %llu",
                            (unsigned long long)row_count, (unsigned long long)format->node_count,
                            (unsigned long long)format->header_line);
    }
    return done;
}

static void report_own(void *context)
{
    struct text_segments *segments = context;
    pw_assert(segments->count == 1);
    atomic_store(&segments->progress.entries_done, segments->items[0].scan.entry_count);
    load_progress_report(&segments->progress, "reading");
}

static bool fits_own(void *context, uint64_t nodes, uint64_t edges, struct graph_error *error)
{
    struct text_segments *segments = context;
    const struct load_size size = {.nodes = nodes,
                                   .edges = edges,
                                   .estimate = edges,
                                   .besides = text_segments_besides(segments)};
    return load_memory_check(segments->memory, &size, error);
}

/* Read the text by its format's own reader, in one segment. Returns false with error set. */
static bool read_own(struct text_segments *segments, struct edge_scan *scan,
                     struct graph_error *error)
{
    struct graph_format *format = segments->format;
    struct own_format own = {.source = segments->source,
                             .scan = scan,
                             .options = segments->options,
                             .report = report_own,
                             .fits = fits_own,
                             .limit = load_memory_left(segments->memory),
                             .context = segments};
    const struct graph_reading *reading = &own.reading;
    format->has_counts = true; /* as soon as all is read */
    bool done = own_format_read(&own, format->reader, error);
    segments->own_first = reading->first_node;
    format->node_count = reading->node_count;
    format->entry_count = scan->entry_count;
    if (reading->names != NULL && segments->names != NULL) {
        error->remedy = GRAPH_REMEDY_NO_NAMES;
        done = graph_fail(error, reading->name, "holds names already");
    }
    if (reading->names != NULL) {
        graph_names_free(segments->names);
        segments->names = reading->names;
    }
    return done;
}

/* Process a segment, from its first line to its edges in the buckets of thread `number`. */
static void scan_segment(void *context, unsigned number, size_t index)
{
    struct text_segments *segments = context;
    struct text_segment *segment = &segments->items[index];
    struct edge_segment *edges = &segments->edges[index];
    struct edge_scan *scan = &segment->scan;
    const struct graph_format *format = segments->format;
    const struct reverse_aid *reverse = segments->aids->reverse;
    if (index > atomic_load(&segments->first_stopped)) {
        return;
    }
    pw_assert(number < segments->thread_count && edges->counts == NULL);
    scan->rules = &format->rules;
    scan->writer = &segments->writers[number];
    scan->direction = format->symmetric || segments->options->undirected ? EDGES_BOTH
                      : segments->options->reverse                       ? EDGES_REVERSE
                                                                         : EDGES_FORWARD;
    scan->keep_skipped = format->has_counts;
    scan->id_min = UINT32_MAX;
    scan->part = reverse != NULL ? reverse->open(segments->aids->order, index, number) : NULL;
    bool done = format->kind == FORMAT_OWN_READER ? read_own(segments, scan, &segment->error)
                                                  : read_segment(segments, index, number);
    edges->writer = number;
    bool closed = edge_writer_close_segment(&segments->writers[number], edges);
    if (reverse != NULL && scan->part != NULL) {
        reverse->close(segments->aids->order, scan->part);
    }
    if (scan->writer->failed || scan->out_of_memory || !closed) {
        load_memory_fail(segments->memory, atomic_load(&segments->progress.entries_done),
                         &segment->error);
        done = false;
    }
    if (!done) {
        stop_segment(segments, index);
    }
}

/* Add up the results of the segments, up to the first error in the file. */
static bool sum_segments(struct text_segments *segments, struct graph_error *error)
{
    const struct graph_format *format = segments->format;
    const char *name = segments->source->name;
    struct edge_notes seen = {0};
    segments->line_count = format->data_line;
    segments->entry_count = 0;
    segments->id_min = UINT32_MAX;
    segments->id_max = 0;
    for (size_t i = 0; i < segments->count; i++) {
        struct text_segment *segment = &segments->items[i];
        struct edge_scan *scan = &segment->scan;
        if (!graph_format_check_part(format, scan, segments->line_count, segments->entry_count,
                                     name, error)) {
            return false;
        }
        segments->line_count += scan->line_count;
        segments->entry_count += scan->entry_count;
        if (segment->bad_length > 0) {
            return edge_line_explain(segment->bad_text, segment->bad_text + segment->bad_length,
                                     &format->rules, name, segments->line_count + 1, error);
        }
        if (segment->is_too_long) {
            return text_fail_too_long(name, segments->line_count + 1, segments->line_max, error);
        }
        if (i == atomic_load(&segments->first_stopped)) {
            *error = segment->error;
            return graph_fail(error, name, "cannot be read");
        }
        seen.has_more |= scan->notes.has_more;
        seen.has_blanks |= scan->notes.has_blanks;
        seen.comment_count += scan->notes.comment_count;
        seen.heading_count += scan->notes.heading_count;
        seen.node_count += scan->notes.node_count;
        seen.missing_count += scan->notes.missing_count;
        seen.empty_count += scan->notes.empty_count;
        segments->id_min = scan->id_min < segments->id_min ? scan->id_min : segments->id_min;
        segments->id_max = scan->id_max > segments->id_max ? scan->id_max : segments->id_max;
    }
    pw_assert(segments->entry_count == 0 || segments->id_min <= segments->id_max);
    return graph_format_check_whole(format, segments->options, segments->line_count,
                                    segments->entry_count, &seen, name, error);
}

/* Add the last entry once more, in an extra segment after all others. */
static bool repeat_last_entry(struct text_segments *segments, struct graph_error *error)
{
    struct edge_segment *extra = &segments->edges[segments->count];
    size_t last = segments->count;
    while (last > 0 && segments->items[last - 1].scan.entry_count == 0) {
        last--;
    }
    if (last == 0) {
        return true;
    }
    struct edge_scan *scan = &segments->items[last - 1].scan;
    scan->writer = &segments->writers[0];
    pw_assert(extra->counts == NULL && scan->entry_count > 0 && scan->part == NULL);
    edge_scan_add(scan, scan->last_source, scan->last_target);
    extra->writer = 0;
    return edge_writer_close_segment(&segments->writers[0], extra) ||
           graph_fail(error, segments->source->name, "out of memory");
}

bool text_segments_scan(struct text_segments *segments, struct graph_error *error)
{
    parallel_each(segments->thread_count, segments->count, scan_segment, segments);
    return sum_segments(segments, error) &&
           (!segments->options->repeat_last_entry || repeat_last_entry(segments, error));
}

void text_segments_free(struct text_segments *segments)
{
    for (unsigned i = 0; segments->writers != NULL && i < segments->thread_count; i++) {
        edge_writer_free(&segments->writers[i]);
    }
    for (size_t i = 0; segments->items != NULL && i < segments->count; i++) {
        free(segments->items[i].scan.skipped);
    }
    for (size_t i = 0; segments->edges != NULL && i <= segments->count; i++) {
        free(segments->edges[i].counts);
    }
    free(segments->writers);
    free(segments->items);
    free(segments->edges);
    segments->writers = NULL;
    segments->items = NULL;
    segments->edges = NULL;
}

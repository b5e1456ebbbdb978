/*
 * mpi_text.c - a text read by all ranks at once.
 *
 * 1. Every rank reads the first lines, which show the format (data/read/graph_format.c).
 * 2. The bytes after them are cut into one range per rank. Each rank scans its own with the
 *    reader's scan (data/read/edge_scan.c) and counts: lines, entries, the smallest and largest id.
 *    With the counts of the ranks before it, a rank knows the line of its first bad one; the first
 *    rank with an error has the first error of the file.
 * 3. Now the number of nodes is known, and so is the memory; a graph that does not fit is refused.
 * 4. Each rank scans its range once more, from the page cache, and its edges go to their owners.
 *    That is cheap: a scan costs a tenth of sending and placing.
 */
#include "mpi_text.h"
#include "data/formats/format_readers.h"
#include "data/graph/graph_names.h"
#include "data/load/load_aids.h"
#include "data/read/edge_scan.h"
#include "data/read/graph_format.h"
#include "data/read/load_memory.h"
#include "data/read/text_reader.h"
#include <stdlib.h>

/* Records that hold a whole edge. A bucket has 2^31 sources, so there are two. */
static const struct edge_layout whole_edges = {.shift = 31, .target_bits = 32, .record_bytes = 8};
#define BUCKETS 2

/* What a rank found in its range. */
struct range_counts {
    uint64_t lines, entries, edges, id_min, id_max, has_more;
};

struct range {
    MPI_Comm comm;
    const struct graph_options *options;
    struct text_source source;
    struct graph_format format;
    uint64_t begin, end;
    struct text_reader reader;
    struct edge_scan scan;
    struct edge_writer writer; /* of the last block: what is not given yet */
    struct edge_segment segment;
    size_t bucket;
    const struct edge_strip *strip;
    uint64_t left;   /* records of the bucket */
    uint32_t record; /* of the strip, to be given next */
    uint64_t edges;
    struct graph_names *names; /* at rank 0, or NULL */
};

/* Start, or start again, at the first byte of the range. */
static bool range_start(struct range *range, struct graph_error *error)
{
    text_reader_free(&range->reader);
    free(range->scan.skipped);
    range->scan = (struct edge_scan){
        .rules = &range->format.rules,
        .writer = &range->writer,
        .direction = range->format.symmetric || range->options->undirected ? EDGES_BOTH
                     : range->options->reverse                             ? EDGES_REVERSE
                                                                           : EDGES_FORWARD,
        .keep_skipped = range->format.has_counts,
        .id_min = UINT32_MAX,
    };
    range->edges = 0;
    range->bucket = BUCKETS;
    return text_reader_init(&range->reader, &range->source, range->begin, range->end, TEXT_LINE_MAX,
                            error);
}

/* Scan the next block into the writer. Returns false at its end, at a bad line, or with error
 * set. */
static bool scan_next_block(struct range *range, struct graph_error *error)
{
    const char *text;
    size_t length;
    free(range->segment.counts);
    range->segment = (struct edge_segment){0};
    if (!text_reader_next(&range->reader, &text, &length, error) || length == 0) {
        return false;
    }
    bool done = edge_writer_init(&range->writer, whole_edges, BUCKETS, 0) &&
                (edge_scan_block(&range->scan, text, length) || range->scan.bad_begin != NULL) &&
                edge_writer_close_segment(&range->writer, &range->segment);
    if (!done) {
        return graph_fail(error, range->source.name, "out of memory");
    }
    range->edges += edge_writers_count(&range->writer, 1);
    range->bucket = 0;
    range->strip = NULL;
    range->left = 0;
    return range->scan.bad_begin == NULL;
}

/* Step to the next record not given yet. False: none of the block is left. */
static bool find_record(struct range *range)
{
    while (range->left == 0 && range->bucket < BUCKETS) {
        const size_t bucket = range->bucket++;
        range->strip = edge_writer_strips(&range->writer, bucket);
        range->left = bucket < range->segment.bucket_count ? range->segment.counts[bucket] : 0;
        range->record = 0;
    }
    while (range->left > 0 && range->record == range->strip->count) {
        range->strip = range->strip->next;
        range->record = 0;
    }
    return range->left > 0;
}

/* The next edges of the range; a mpi_edge_source. */
static size_t next_edges(void *context, struct mpi_edge *edges, size_t capacity,
                         struct graph_error *error)
{
    struct range *range = context;
    const struct record_masks masks = record_masks_of(whole_edges);
    size_t count = 0;
    while (count < capacity) {
        if (!find_record(range)) {
            if (!scan_next_block(range, error)) {
                break;
            }
            continue;
        }
        const uint64_t record =
            record_load(range->strip->records + (size_t)range->record * masks.bytes);
        const uint32_t high = (uint32_t)(range->bucket - 1) << whole_edges.shift;
        edges[count++] =
            (struct mpi_edge){high | record_low(record, masks), record_target(record, masks)};
        range->record++;
        range->left--;
    }
    if (error->message[0] == '\0' && (range->scan.bad_begin != NULL || range->reader.is_too_long)) {
        graph_fail(error, range->source.name, "changed while it was read");
    }
    return error->message[0] == '\0' ? count : SIZE_MAX;
}

/* False with error set if this rank's range has an error. before: the counts of the ranks before
 * this one. */
static bool check_range(const struct range *range, const struct range_counts *before,
                        struct graph_error *error)
{
    const struct graph_format *format = &range->format;
    const struct edge_scan *scan = &range->scan;
    const char *name = range->source.name;
    const uint64_t lines = format->data_line + before->lines;
    if (!graph_format_check_part(format, scan, lines, before->entries, name, error)) {
        return false;
    }
    if (scan->bad_begin != NULL) {
        return edge_line_explain(scan->bad_begin, scan->bad_end, &format->rules, name,
                                 lines + scan->line_count + 1, error);
    }
    if (range->reader.is_too_long) {
        return text_fail_too_long(name, lines + scan->line_count + 1, TEXT_LINE_MAX, error);
    }
    return error->message[0] == '\0';
}

/* Scan the ranges and count. *all: the counts of the whole file. */
static bool count_file(struct range *range, struct range_counts *all, struct graph_error *error)
{
    if (range_start(range, error)) {
        while (scan_next_block(range, error)) {
        }
    }
    const struct edge_scan *scan = &range->scan;
    struct range_counts mine = {scan->line_count, scan->entry_count, range->edges,
                                scan->id_min,     scan->id_max,      scan->has_more};
    struct range_counts before = {0};
    MPI_Exscan(&mine, &before, 2, MPI_UINT64_T, MPI_SUM, range->comm);
    if (!mpi_all_agree(range->comm, check_range(range, &before, error), error)) {
        return false;
    }
    MPI_Allreduce(&mine.lines, &all->lines, 3, MPI_UINT64_T, MPI_SUM, range->comm);
    MPI_Allreduce(&mine.id_min, &all->id_min, 1, MPI_UINT64_T, MPI_MIN, range->comm);
    MPI_Allreduce(&mine.id_max, &all->id_max, 2, MPI_UINT64_T, MPI_MAX, range->comm);
    const bool is_whole = graph_format_check_whole(
        &range->format, range->options, range->format.data_line + all->lines, all->entries,
        all->has_more != 0, range->source.name, error);
    return mpi_all_agree(range->comm, is_whole, error);
}

static bool divides_at_lines(const struct graph_format *format)
{
    return format->kind == FORMAT_EDGE_LIST || format->kind == FORMAT_MATRIX_MARKET ||
           format->kind == FORMAT_DIMACS;
}

bool mpi_text_divides(const char *path, const struct graph_options *options, bool *divides,
                      struct graph_error *error)
{
    struct graph_options quiet = *options;
    struct text_source source;
    struct graph_format format;
    quiet.note = NULL; /* reading comes later */
    *divides = false;
    if (!text_source_open(&source, path, &load_decoder, false, error)) {
        return false;
    }
    const bool known =
        !source.is_plain || graph_format_read(&source, &quiet, format_readers, &format, error);
    *divides = known && source.is_plain && divides_at_lines(&format);
    return text_source_close(&source, error) && known;
}

/* Open the file and read what its first lines say; cut the rest into ranges. */
static bool open_range(struct range *range, const char *path, struct graph_error *error)
{
    int rank, ranks;
    MPI_Comm_rank(range->comm, &rank);
    MPI_Comm_size(range->comm, &ranks);
    if (!text_source_open(&range->source, path, &load_decoder, false, error)) {
        return false;
    }
    range->source.cancel = range->options->cancel;
    const struct graph_format *format = &range->format;
    if (!graph_format_read(&range->source, range->options, format_readers, &range->format, error)) {
        return false;
    }
    if (!range->source.is_plain || !divides_at_lines(format)) { /* it did, at rank 0 */
        return graph_fail(error, path, "changed while it was read");
    }
    const uint64_t begin = format->data_offset;
    const uint64_t length = range->source.size > begin ? range->source.size - begin : 0;
    const uint64_t each = length / (uint64_t)ranks;
    range->begin = begin + each * (uint64_t)rank;
    range->end = rank + 1 < ranks ? range->begin + each : UINT64_MAX;
    return true;
}

/* Read the file of names and fit them to the nodes from *first to *limit - 1, at rank 0. */
static bool read_names(struct range *range, const struct range_counts *all, uint64_t *first,
                       uint64_t *limit, struct graph_error *error)
{
    struct target_order order = {0};
    const struct text_aids aids = load_aids(&order);
    const struct graph_options *options = range->options;
    const struct graph_format *format = &range->format;
    struct names_fit fit = {.options = options,
                            .is_declared = format->has_counts,
                            .declared_nodes = format->declared_nodes,
                            .text = range->source.name,
                            .id_min = (uint32_t)all->id_min,
                            .id_max = (uint32_t)all->id_max};
    uint32_t smallest = (uint32_t)*first;
    range->names = aids.names->load(options, graph_memory_limit(options), &fit.have_ids, error);
    fit.names = range->names;
    const bool done = range->names != NULL && aids.names->fit(&fit, &smallest, limit, error);
    *first = smallest;
    return done;
}

/* Find the nodes, as the file declares them or as its edges use them, and their names. Names may
 * show that there are further nodes. */
static bool find_nodes(struct range *range, const struct range_counts *all, uint64_t bounds[2],
                       struct graph_error *error)
{
    const struct graph_format *format = &range->format;
    int rank;
    MPI_Comm_rank(range->comm, &rank);
    bounds[0] = format->has_counts || all->id_min > 0 ? 1 : 0;
    bounds[1] = format->has_counts ? format->node_count + 1 : all->id_max + 1;
    const bool done = rank != 0 || range->options->names_path == NULL ||
                      read_names(range, all, &bounds[0], &bounds[1], error);
    MPI_Bcast(bounds, 2, MPI_UINT64_T, 0, range->comm);
    return mpi_all_agree(range->comm, done, error);
}

static bool load(struct range *range, const struct mpi_load_options *options,
                 struct mpi_graph *graph, struct graph_error *error)
{
    struct range_counts all;
    uint64_t bounds[2];
    if (!count_file(range, &all, error) || !find_nodes(range, &all, bounds, error)) {
        return false;
    }
    const struct mpi_partition partition =
        mpi_partition_make(range->comm, bounds[0], bounds[1], options->dealt);
    const struct mpi_edge_source source = {.next = next_edges, .context = range};
    return mpi_graph_fits(range->comm, range->source.name, &partition, all.edges,
                          options->input.memory_limit, error) &&
           mpi_all_agree(range->comm, range_start(range, error), error) &&
           mpi_graph_build(range->comm, &partition, &source, options->input.cancel, graph, error);
}

bool mpi_text_load(MPI_Comm comm, const char *path, const struct mpi_load_options *options,
                   struct mpi_graph *graph, struct graph_error *error)
{
    struct range range = {.comm = comm, .options = &options->input, .source = {.fd = -1}};
    const bool loaded = mpi_all_agree(comm, open_range(&range, path, error), error) &&
                        load(&range, options, graph, error);
    /* Perhaps only some ranks see that the file has changed. */
    const bool done = mpi_all_agree(comm, text_source_close(&range.source, error) && loaded, error);
    if (loaded) {
        graph->nodes.names = range.names;
        range.names = NULL;
    }
    if (loaded && !done) {
        mpi_graph_release(graph);
    }
    graph_names_free(range.names);
    text_reader_free(&range.reader);
    edge_writer_free(&range.writer);
    free(range.segment.counts);
    free(range.scan.skipped);
    return done;
}

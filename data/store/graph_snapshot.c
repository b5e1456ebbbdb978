/*
 * graph_snapshot.c - saves a snapshot; see graph_snapshot.h, and snapshot_open.c for mapping one.
 *
 * Checksums are XXH3 of 64 bits, by libxxhash: https://github.com/Cyan4973/xxHash
 */
#include "graph_snapshot.h"
#include "base/cancel.h"
#include "base/pw_assert.h"
#include "data/graph/graph_names.h"
#include "data/graph/id_order.h"
#include "data/graph/name_buckets.h"
#include "snapshot_arrays.h"
#include "snapshot_sums.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

unsigned graph_snapshot_flags(const struct graph_options *options)
{
    return (options->repeat_last_entry ? GRAPH_SNAPSHOT_REPEATED : 0) |
           (options->reverse ? GRAPH_SNAPSHOT_REVERSED : 0) |
           (options->undirected ? GRAPH_SNAPSHOT_UNDIRECTED : 0) |
           (options->compact ? GRAPH_SNAPSHOT_COMPACT : 0);
}

#define BAD_NAMES "cannot be written: the names of the graph's snapshot contradict each other"

/* A snapshot being written. */
struct writing {
    int fd;
    const volatile sig_atomic_t *cancel;
    struct snapshot_array
        arrays[SECTION_COUNT]; /* length 0: missing, or written; NULL: made later */
    union header_page page;
    struct name_bucket *buckets; /* of the names, or NULL */
    uint32_t *id_order;          /* of a renumbered graph, or NULL */
    uint64_t *sums;              /* of the blocks */
    int reason;                  /* why it failed, an errno; or 0 */
};

/* Read and check all of a graph that is read by block. False if it is damaged. */
static bool read_blocks(const struct graph *graph)
{
    struct snapshot_array arrays[SECTION_COUNT];
    bool allowed = graph_allows_all(graph);
    snapshot_list_arrays(graph, arrays);
    for (size_t i = 0; i < SECTION_COUNT && allowed; i++) {
        allowed = graph_allows(graph, arrays[i].items, arrays[i].length);
    }
    return allowed && (graph->names == NULL || graph_names_check(graph->names));
}

/* List the arrays of a graph, and make what finds its names and ids. False when out of memory. */
static bool list_arrays(struct writing *writing, const struct graph *graph)
{
    struct snapshot_array *arrays = writing->arrays;
    bool made = true;
    snapshot_list_arrays(graph, arrays);
    if (graph->names != NULL && graph->names->count > 0) {
        writing->buckets = name_buckets_make(graph->names);
        made = writing->buckets != NULL;
        arrays[SECTION_NAME_BUCKETS] = (struct snapshot_array){
            writing->buckets, name_bucket_count(graph->names->count) * sizeof(*writing->buckets)};
    }
    if (made && graph->original_ids != NULL) {
        writing->id_order = id_order_make(graph);
        made = writing->id_order != NULL;
        arrays[SECTION_ID_ORDER] = (struct snapshot_array){
            writing->id_order, (uint64_t)graph_node_count(graph) * sizeof(*writing->id_order)};
    }
    return made;
}

/* Free what was made for the file. */
static void free_made(struct writing *writing)
{
    free(writing->buckets);
    free(writing->id_order);
    free(writing->sums);
}

/* Place the arrays, and make room for the checksums of the blocks. False when out of memory. */
static bool place_arrays(struct writing *writing)
{
    struct header *header = &writing->page.header;
    for (size_t i = 0; i < SECTION_COUNT; i++) {
        header->sections[i].length = writing->arrays[i].length;
    }
    snapshot_place_sections(header);
    writing->sums = malloc((size_t)snapshot_sums_length(header));
    if (writing->sums != NULL) {
        snapshot_sums_start(writing->sums, header->block_count);
    }
    return writing->sums != NULL;
}

/* Write the arrays that exist and are not written yet. */
static void *write_arrays(void *context)
{
    struct writing *writing = context;
    for (size_t i = 0; i < SECTION_COUNT && writing->reason == 0; i++) {
        struct snapshot_array *array = &writing->arrays[i];
        const uint64_t begin = writing->page.header.sections[i].begin;
        if (array->length > 0 && array->items != NULL) {
            snapshot_sums_set(writing->sums, array->items, array->length, begin);
            if (!snapshot_write_at(writing->fd, array->items, array->length, begin,
                                   writing->cancel)) {
                writing->reason = errno;
            }
            array->length = 0;
        }
    }
    return NULL;
}

/* Set what the header says of the graph; the arrays are placed later. */
static void describe(union header_page *page, const struct graph *graph,
                     const struct graph_source *source, unsigned flags)
{
    struct header *header = &page->header;
    snapshot_start_header(page);
    header->first_node = graph->first_node;
    header->node_limit = graph->node_limit;
    header->edge_count = graph->edge_count;
    header->flags = flags;
    if (graph->names != NULL) {
        header->names_first_id = graph->names->first_id;
        header->names_count = graph->names->count;
    }
    if (source != NULL) {
        header->source = *source;
    }
}

/* Write the checksums, and last the header. False with errno set. */
static bool write_sums(struct writing *writing)
{
    struct header *header = &writing->page.header;
    const uint64_t length = snapshot_sums_length(header);
    header->sums_checksum = XXH3_64bits(writing->sums, (size_t)length);
    return snapshot_write_at(writing->fd, writing->sums, length, snapshot_blocks_length(header),
                             writing->cancel) &&
           snapshot_write_header(writing->fd, &writing->page);
}

bool graph_snapshot_begin(struct graph_snapshot_start *start, const char *path,
                          struct graph_error *error)
{
    struct stat status;
    *start = (struct graph_snapshot_start){.path = path, .file.fd = -1, .ahead.fd = -1};
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        /* The sections are written at offsets, which a pipe does not have. */
        return graph_fail(error, path, "cannot be written: it is not a regular file");
    }
    if (!file_replace_open(&start->file, path)) {
        return graph_fail(error, path, "cannot be written: %s", strerror(errno));
    }
    start->ahead.fd = start->file.direct ? -1 : start->file.fd;
    return true;
}

bool graph_snapshot_finish(struct graph_snapshot_start *start, const struct graph *graph,
                           const struct graph_source *source, unsigned flags,
                           const volatile sig_atomic_t *cancel, struct graph_error *error)
{
    struct writing writing = {.fd = start->file.fd, .cancel = cancel};
    if (graph->blocks != NULL && !read_blocks(graph)) {
        file_replace_abandon(&start->file);
        return graph_is_damaged(graph, error) ? false : graph_fail(error, start->path, BAD_NAMES);
    }
    pw_assert(graph_check(graph));
    const bool listed = list_arrays(&writing, graph);
    if (start->make_reverse != NULL) { /* the same length as the other two */
        writing.arrays[SECTION_IN_OFFSETS].length = writing.arrays[SECTION_OFFSETS].length;
        writing.arrays[SECTION_IN_NEIGHBOURS].length = writing.arrays[SECTION_NEIGHBOURS].length;
    }
    describe(&writing.page, graph, source, flags);
    if (!listed || !place_arrays(&writing)) {
        free_made(&writing);
        file_replace_abandon(&start->file);
        return graph_fail(error, start->path, "out of memory for names, ids or checksums");
    }
    if (start->ahead.count > 0) {
        const struct section *neighbours = &writing.page.header.sections[SECTION_NEIGHBOURS];
        pw_assert(start->ahead.count == graph->edge_count);
        pw_assert(start->ahead.begin == neighbours->begin);
        writing.arrays[SECTION_NEIGHBOURS].length = 0;
        snapshot_sums_set(writing.sums, graph->neighbours, neighbours->length, neighbours->begin);
    }
    if (start->make_reverse != NULL) {
        pthread_t thread;
        const bool apart = pthread_create(&thread, NULL, write_arrays, &writing) == 0;
        const bool made = start->make_reverse(start->context, error);
        if (apart) {
            pthread_join(thread, NULL);
        }
        if (!made) {
            free_made(&writing);
            file_replace_abandon(&start->file);
            return false;
        }
        writing.arrays[SECTION_IN_OFFSETS].items = graph->in_offsets;
        writing.arrays[SECTION_IN_NEIGHBOURS].items = graph->in_neighbours;
    }
    write_arrays(&writing);
    errno = writing.reason;
    const bool written = errno == 0 && write_sums(&writing);
    free_made(&writing); /* keeps errno */
    if (written && file_replace_commit(&start->file)) {
        return true;
    }
    file_replace_abandon(&start->file); /* keeps errno */
    return cancel_is_set(cancel)
               ? graph_fail(error, start->path, "interrupted")
               : graph_fail(error, start->path, "cannot be written: %s", strerror(errno));
}

bool graph_snapshot_save(const struct graph *graph, const char *path,
                         const struct graph_source *source, unsigned flags,
                         const volatile sig_atomic_t *cancel, struct graph_error *error)
{
    struct graph_snapshot_start start;
    return graph_snapshot_begin(&start, path, error) &&
           graph_snapshot_finish(&start, graph, source, flags, cancel, error);
}

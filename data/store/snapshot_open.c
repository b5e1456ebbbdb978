/*
 * snapshot_open.c - maps a snapshot and checks it; see graph_snapshot.h.
 *
 * 1. The header is read, and the file mapped.
 * 2. The arrays are placed in the mapping, each as long as the counts require.
 * 3. All blocks are checked by several threads (snapshot_check.h). Or, for questions, each block
 *    when it is used (snapshot_blocks.h).
 */
#include "base/cancel.h"
#include "base/pw_assert.h"
#include "data/graph/graph_blocks.h"
#include "data/graph/graph_origin.h"
#include "graph_snapshot.h"
#include "snapshot_arrays.h"
#include "snapshot_blocks.h"
#include "snapshot_check.h"
#include "snapshot_sums.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define AHEAD_SIZE ((size_t)64 << 20) /* read between two looks at the flag to cancel */

static const char magic[8] = SNAPSHOT_MAGIC;

bool graph_snapshot_begins(const char *bytes, size_t length)
{
    return length >= sizeof(magic) && memcmp(bytes, magic, sizeof(magic)) == 0;
}

bool graph_snapshot_recognise(const char *path, bool *is_one, struct graph_error *error)
{
    char bytes[sizeof(magic)];
    struct stat status;
    *is_one = false;
    if (strcmp(path, "-") == 0) {
        return true;
    }
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        return true; /* whoever writes to a pipe would lose its reader when this closed it */
    }
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        return graph_fail(error, path, "cannot be opened: %s", strerror(errno));
    }
    const ssize_t got = read(fd, bytes, sizeof(bytes));
    const int reason = errno;
    close(fd);
    *is_one = got > 0 && graph_snapshot_begins(bytes, (size_t)got);
    return got >= 0 || graph_fail(error, path, "cannot be read: %s", strerror(reason));
}

static void *array_of(char *base, const struct section *section)
{
    return section->begin ? base + section->begin : NULL;
}

/* Point a zeroed origin into the mapping. False if the sections do not fit. */
static bool place_origin(const struct header *header, char *base, struct graph_origin *origin)
{
    const struct section *begins = &header->sections[SECTION_ALIAS_BEGINS];
    const struct section *facts = &header->sections[SECTION_FACTS];
    origin->is_mapped = true;
    origin->facts = array_of(base, facts);
    origin->facts_length = facts->length;
    origin->page_ids = array_of(base, &header->sections[SECTION_PAGE_IDS]);
    origin->alias_ids = array_of(base, &header->sections[SECTION_ALIAS_IDS]);
    origin->order = array_of(base, &header->sections[SECTION_NAME_ORDER]);
    if (begins->begin != 0) {
        if (begins->length < 16 || begins->length / 8 > UINT32_MAX - header->names_count) {
            return false;
        }
        origin->aliases = calloc(1, sizeof(*origin->aliases));
        if (origin->aliases == NULL) {
            return false;
        }
        *origin->aliases = (struct graph_names){
            .is_mapped = true,
            .count = (uint32_t)(begins->length / 8 - 1),
            .begins = array_of(base, begins),
            .text = array_of(base, &header->sections[SECTION_ALIAS_TEXT]),
        };
        return origin->aliases->text != NULL && origin->alias_ids != NULL;
    }
    return true;
}

/* True if an origin has sections in a file. */
static bool has_origin(const struct header *header)
{
    uint64_t any = 0;
    for (size_t i = SECTION_FACTS; i < SECTION_COUNT; i++) {
        any |= header->sections[i].length;
    }
    return any != 0;
}

/* Point zeroed names into the mapping. False if the sections do not fit. */
static bool place_names(const struct header *header, char *base, struct graph_names *names)
{
    *names = (struct graph_names){
        .is_mapped = true,
        .first_id = header->names_first_id,
        .count = header->names_count,
        .begins = array_of(base, &header->sections[SECTION_NAME_BEGINS]),
        .text = array_of(base, &header->sections[SECTION_NAME_TEXT]),
        .buckets = array_of(base, &header->sections[SECTION_NAME_BUCKETS]),
    };
    return header->sections[SECTION_NAME_BEGINS].length / 8 == (uint64_t)names->count + 1 &&
           names->text != NULL && names->buckets != NULL;
}

/*
 * Point the graph, and its names if it has any, into the mapping. False if the sections do not
 * match the counts.
 */
static bool place_arrays(const struct header *header, char *base, struct graph *graph)
{
    graph->first_node = header->first_node;
    graph->node_limit = header->node_limit;
    graph->edge_count = header->edge_count;
    if (graph->names != NULL && !place_names(header, base, graph->names)) {
        return false;
    }
    if (graph->origin != NULL && !place_origin(header, base, graph->origin)) {
        return false;
    }
    graph->offsets = array_of(base, &header->sections[SECTION_OFFSETS]);
    graph->neighbours = array_of(base, &header->sections[SECTION_NEIGHBOURS]);
    graph->in_offsets = array_of(base, &header->sections[SECTION_IN_OFFSETS]);
    graph->in_neighbours = array_of(base, &header->sections[SECTION_IN_NEIGHBOURS]);
    graph->original_ids = array_of(base, &header->sections[SECTION_ORIGINAL_IDS]);
    graph->id_order = array_of(base, &header->sections[SECTION_ID_ORDER]);
    if ((graph->id_order != NULL) != (graph->original_ids != NULL)) {
        return false;
    }
    if (graph->edge_count == 0) { /* no section, but never NULL */
        graph->neighbours = (uint32_t *)(void *)base;
        graph->in_neighbours = graph->in_offsets != NULL ? graph->neighbours : NULL;
    }
    struct snapshot_array arrays[SECTION_COUNT];
    snapshot_list_arrays(graph, arrays);
    for (size_t i = 0; i < SECTION_COUNT; i++) {
        if (header->sections[i].length != arrays[i].length) {
            return false;
        }
    }
    return true;
}

/* True if blocks may be checked when they are used: nothing else could be read instead of a bad
 * one, and nobody needs all of the graph. */
static bool may_wait(const struct header *header, const struct graph_options *options)
{
    return options->by_block && !options->verify && header->source.path[0] == '\0' &&
           (header->sections[SECTION_IN_OFFSETS].length > 0 || !options->build_reverse);
}

/* Have the system read a file that is mapped, unless the flag to cancel is set. */
static void read_ahead(char *base, size_t length, const volatile sig_atomic_t *cancel)
{
#ifdef MADV_POPULATE_READ
    for (size_t at = 0; at < length && !cancel_is_set(cancel); at += AHEAD_SIZE) {
        madvise(base + at, length - at < AHEAD_SIZE ? length - at : AHEAD_SIZE, MADV_POPULATE_READ);
    }
#else
    (void)base;
    (void)length;
    (void)cancel;
#endif
}

/* Make room for the names, and for what else there is of the nodes. False with error set. */
static bool add_names(const struct header *header, const char *path, struct graph *graph,
                      struct graph_error *error)
{
    if (header->names_count > 0) {
        graph->names = calloc(1, sizeof(*graph->names));
        graph->origin = has_origin(header) ? calloc(1, sizeof(*graph->origin)) : NULL;
        if (graph->names == NULL || (has_origin(header) && graph->origin == NULL)) {
            return graph_fail(error, path, "out of memory for the names");
        }
    }
    return true;
}

/* Map a file, and check the blocks of some kinds (snapshot_check.h). False with error set. */
static bool open_whole(int fd, const struct header *header, const char *path, unsigned kinds,
                       const struct graph_options *options, struct graph *graph,
                       struct graph_error *error)
{
    const uint64_t end = snapshot_blocks_length(header);
    const size_t length = (size_t)(end + snapshot_sums_length(header));
    char *base = mmap(NULL, length, PROT_READ, MAP_SHARED, fd, 0);
    if (base == MAP_FAILED || !graph_adopt(graph, base, length)) {
        return graph_fail(error, path, "cannot be mapped: %s", strerror(errno));
    }
    if (kinds == SNAPSHOT_ALL) {
        read_ahead(base, length, options->cancel);
    }
    const uint64_t *sums = (const uint64_t *)(const void *)(base + end);
    if (!add_names(header, path, graph, error) || !snapshot_sums_hold(header, sums, path, error)) {
        return false;
    }
    const bool placed = place_arrays(header, base, graph);
    const struct snapshot_check check = {.header = header,
                                         .base = base,
                                         .sums = sums,
                                         .kinds = kinds,
                                         .threads = options->threads,
                                         .graph = placed ? graph : NULL,
                                         .cancel = options->cancel};
    uint64_t bad;
    if (snapshot_check(&check, &bad) && placed) {
        return true;
    }
    if (cancel_is_set(options->cancel)) {
        return graph_fail(error, path, "interrupted");
    }
    return bad != SNAPSHOT_NO_BLOCK ? graph_block_fail(error, path, bad, GRAPH_BLOCK_WRONG)
                                    : graph_fail(error, path, "%s", SNAPSHOT_ARRAYS_WRONG);
}

/* Open a file whose blocks are checked when they are used; the facts of an origin now. The file is
 * closed with the graph. False with error set. */
static bool open_by_block(int fd, const struct header *header, const char *path,
                          const struct graph_options *options, struct graph *graph,
                          struct graph_error *error)
{
    char *base = snapshot_blocks_open(fd, header, path, options->threads, graph, error);
    if (base == NULL || !add_names(header, path, graph, error)) {
        return false;
    }
    bool good = snapshot_blocks_read_ends(graph);
    if (good && !place_arrays(header, base, graph)) {
        return graph_fail(error, path, "%s", SNAPSHOT_ARRAYS_WRONG);
    }
    if (good) {
        snapshot_blocks_placed(graph);
        good = graph->origin == NULL ||
               graph_allows(graph, graph->origin->facts, graph->origin->facts_length);
    }
    return good || !graph_is_damaged(graph, error);
}

/* Open a snapshot: by block if that may be, or checking the blocks of some kinds. */
static enum graph_snapshot_state open_checked(const char *path, unsigned kinds,
                                              const struct graph_options *options,
                                              struct graph *graph, struct graph_source *source,
                                              unsigned *flags, struct graph_error *error)
{
    union header_page page;
    struct header *header = &page.header;
    enum graph_snapshot_state state = SNAPSHOT_BAD;
    memset(graph, 0, sizeof(*graph));
    memset(source, 0, sizeof(*source));
    *flags = 0;
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe would wait for its writer */
    if (fd < 0) {
        graph_fail(error, path, "cannot be opened: %s", strerror(errno));
        return SNAPSHOT_BAD;
    }
    const bool is_known = fstat(fd, &status) == 0;
    if (!is_known || (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))) {
        graph_fail(error, path, "cannot be read: %s",
                   is_known ? "it is not a regular file" : strerror(errno));
        close(fd);
        return SNAPSHOT_BAD;
    }
    const bool good = snapshot_read_header(fd, path, &page, error);
    header->source.path[sizeof(header->source.path) - 1] = '\0';
    *source = header->source;
    *flags = header->flags;
    if (good && !graph_source_is_fresh(source, options->verify)) {
        graph_fail(error, path, "stale: %.300s has changed since", source->path);
        state = SNAPSHOT_STALE;
    } else if (good && cancel_is_set(options->cancel)) {
        graph_fail(error, path, "interrupted");
    } else if (good && kinds == SNAPSHOT_ALL && may_wait(header, options)) {
        state = open_by_block(fd, header, path, options, graph, error) ? SNAPSHOT_GOOD : state;
        fd = -1; /* the blocks have it */
    } else if (good) {
        state = open_whole(fd, header, path, kinds, options, graph, error) ? SNAPSHOT_GOOD : state;
    }
    if (fd >= 0) {
        close(fd);
    }
    if (state != SNAPSHOT_GOOD) {
        graph_free(graph);
    }
    return state;
}

enum graph_snapshot_state graph_snapshot_open(const char *path, const struct graph_options *options,
                                              struct graph *graph, struct graph_source *source,
                                              unsigned *flags, struct graph_error *error)
{
    return open_checked(path, SNAPSHOT_ALL, options, graph, source, flags, error);
}

bool graph_snapshot_open_nodes(const char *path, struct graph *graph, struct graph_error *error)
{
    static const struct graph_options options;
    struct graph_source source;
    unsigned flags;
    if (open_checked(path, SNAPSHOT_ALL & ~SNAPSHOT_LISTS, &options, graph, &source, &flags,
                     error) != SNAPSHOT_GOOD) {
        return false;
    }
    graph->offsets = graph->in_offsets = NULL; /* they were not checked */
    graph->neighbours = graph->in_neighbours = NULL;
    return true;
}

/*
 * graph_snapshot.c - save and map snapshots; see graph_snapshot.h.
 *
 * Checksums are XXH3 of 64 bits, by libxxhash: https://github.com/Cyan4973/xxHash
 */
#include "graph_snapshot.h"
#include "base/pw_assert.h"
#include "data/graph/graph_origin.h"
#include "data/graph/parallel.h"
#include "snapshot_layout.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#define BLOCK_SIZE    ((uint64_t)128 << 10) /* checked at a time; fits the second-level cache */
#define PARALLEL_SIZE ((uint64_t)4 << 20)   /* of a file worth a second thread */

static const char magic[8] = SNAPSHOT_MAGIC;

static const struct section *section_of(const struct header *header, size_t kind)
{
    return kind < SECTIONS_OF_ALL ? &header->sections[kind] : &header->more[kind - SECTIONS_OF_ALL];
}

bool graph_snapshot_begins(const char *bytes, size_t length)
{
    return length >= sizeof(magic) && memcmp(bytes, magic, sizeof(magic)) == 0;
}

bool graph_snapshot_recognise(const char *path, bool *is_one, struct graph_error *error)
{
    char bytes[sizeof(magic)];
    struct stat status;
    ssize_t got = 0;
    *is_one = false;
    if (strcmp(path, "-") == 0) {
        return true;
    }
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        return graph_fail(error, path, "cannot be opened: %s", strerror(errno));
    }
    if (fstat(fd, &status) != 0) {
        got = -1;
    } else if (S_ISREG(status.st_mode)) {
        got = read(fd, bytes, sizeof(bytes));
    }
    int reason = errno;
    close(fd);
    *is_one = got > 0 && graph_snapshot_begins(bytes, (size_t)got);
    return got >= 0 || graph_fail(error, path, "cannot be read: %s", strerror(reason));
}

unsigned graph_snapshot_flags(const struct graph_options *options)
{
    return (options->repeat_last_entry ? GRAPH_SNAPSHOT_REPEATED : 0) |
           (options->reverse ? GRAPH_SNAPSHOT_REVERSED : 0) |
           (options->undirected ? GRAPH_SNAPSHOT_UNDIRECTED : 0) |
           (options->compact ? GRAPH_SNAPSHOT_COMPACT : 0);
}

struct array {
    const void *items;
    uint64_t length; /* bytes; 0: not there */
};

/* The arrays of an origin of that many names. */
static void list_origin(const struct graph_origin *origin, uint64_t names,
                        struct array arrays[SECTION_COUNT])
{
    const struct graph_names *aliases = origin->aliases;
    uint64_t all = names;
    arrays[SECTION_FACTS] = (struct array){origin->facts, origin->facts_length};
    arrays[SECTION_PAGE_IDS] = (struct array){origin->page_ids, names * sizeof(uint32_t)};
    if (aliases != NULL && aliases->count > 0) {
        const uint64_t count = aliases->count;
        arrays[SECTION_ALIAS_BEGINS] =
            (struct array){aliases->begins, (count + 1) * sizeof(*aliases->begins)};
        arrays[SECTION_ALIAS_TEXT] = (struct array){aliases->text, aliases->begins[count]};
        arrays[SECTION_ALIAS_IDS] = (struct array){origin->alias_ids, count * sizeof(uint32_t)};
        all += count;
    }
    arrays[SECTION_NAME_ORDER] = (struct array){origin->order, all * sizeof(uint32_t)};
}

/* The arrays of a graph, in the order of the sections. */
static void list_arrays(const struct graph *graph, struct array arrays[SECTION_COUNT])
{
    const struct graph_names *names = graph->names;
    uint64_t offsets = ((uint64_t)graph->node_limit + 1) * sizeof(*graph->offsets);
    uint64_t neighbours = graph->edge_count * sizeof(*graph->neighbours);
    uint64_t ids = (uint64_t)graph->node_limit * sizeof(*graph->original_ids);
    memset(arrays, 0, SECTION_COUNT * sizeof(*arrays));
    arrays[SECTION_OFFSETS] = (struct array){graph->offsets, offsets};
    arrays[SECTION_NEIGHBOURS] = (struct array){graph->neighbours, neighbours};
    arrays[SECTION_IN_OFFSETS] = (struct array){graph->in_offsets, offsets};
    arrays[SECTION_IN_NEIGHBOURS] = (struct array){graph->in_neighbours, neighbours};
    arrays[SECTION_ORIGINAL_IDS] = (struct array){graph->original_ids, ids};
    if (names != NULL) {
        pw_assert(names->begins != NULL);
        uint64_t begins = ((uint64_t)names->count + 1) * sizeof(*names->begins);
        arrays[SECTION_NAME_BEGINS] = (struct array){names->begins, begins};
        arrays[SECTION_NAME_TEXT] = (struct array){names->text, names->begins[names->count]};
    }
    if (names != NULL && graph->origin != NULL) {
        list_origin(graph->origin, names->count, arrays);
    }
    for (size_t i = 0; i < SECTION_COUNT; i++) {
        arrays[i].length = arrays[i].items != NULL ? arrays[i].length : 0;
    }
}

/* A snapshot that is being written. */
struct writing {
    int fd;
    const volatile sig_atomic_t *cancel;
    struct array arrays[SECTION_COUNT]; /* length 0: not there, or written; NULL: made later */
    struct section sections[SECTION_COUNT];
    int reason; /* why it failed, an errno; or 0 */
};

/* Set where each array goes. Returns the length of the file. */
static uint64_t place_sections(struct writing *writing)
{
    uint64_t end = HEADER_SIZE;
    for (size_t i = 0; i < SECTION_COUNT; i++) {
        const uint64_t length = writing->arrays[i].length;
        if (length > 0) {
            writing->sections[i].begin = (end + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
            writing->sections[i].length = length;
            end = writing->sections[i].begin + length;
        }
    }
    return end;
}

/* Write the arrays that are there and not written yet. */
static void *write_sections(void *context)
{
    struct writing *writing = context;
    for (size_t i = 0; i < SECTION_COUNT && writing->reason == 0; i++) {
        struct array *array = &writing->arrays[i];
        struct section *section = &writing->sections[i];
        if (array->length > 0 && array->items != NULL) {
            section->checksum = XXH3_64bits(array->items, array->length);
            if (!snapshot_write_at(writing->fd, array->items, array->length, section->begin,
                                   writing->cancel)) {
                writing->reason = errno;
            }
            array->length = 0;
        }
    }
    return NULL;
}

static bool write_header(const struct writing *writing, const struct graph *graph,
                         const struct graph_source *source, unsigned flags, uint64_t file_size)
{
    union header_page page;
    struct header *header = &page.header;
    snapshot_start_header(&page);
    header->file_size = file_size;
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
    memcpy(header->sections, writing->sections, sizeof(header->sections));
    memcpy(header->more, writing->sections + SECTIONS_OF_ALL, sizeof(header->more));
    return snapshot_write_header(writing->fd, &page);
}

bool graph_snapshot_begin(struct graph_snapshot_start *start, const char *path,
                          struct graph_error *error)
{
    struct stat status;
    *start = (struct graph_snapshot_start){.path = path, .file.fd = -1, .ahead.fd = -1};
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        /* The sections are written at their places, which a pipe does not have. */
        return graph_fail(error, path, "cannot be written: it is no regular file");
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
    pw_assert(graph_check(graph));
    list_arrays(graph, writing.arrays);
    if (start->make_reverse != NULL) { /* as long as the other two */
        writing.arrays[SECTION_IN_OFFSETS].length = writing.arrays[SECTION_OFFSETS].length;
        writing.arrays[SECTION_IN_NEIGHBOURS].length = writing.arrays[SECTION_NEIGHBOURS].length;
    }
    const uint64_t file_size = place_sections(&writing);
    if (start->ahead.count > 0) {
        struct section *neighbours = &writing.sections[SECTION_NEIGHBOURS];
        pw_assert(start->ahead.count == graph->edge_count);
        pw_assert(start->ahead.begin == neighbours->begin);
        neighbours->checksum = snapshot_sum_end(&start->ahead.sum);
        writing.arrays[SECTION_NEIGHBOURS].length = 0;
    }
    if (start->make_reverse != NULL) {
        pthread_t thread;
        const bool apart = pthread_create(&thread, NULL, write_sections, &writing) == 0;
        const bool made = start->make_reverse(start->context, error);
        if (apart) {
            pthread_join(thread, NULL);
        }
        if (!made) {
            file_replace_abandon(&start->file);
            return false;
        }
        writing.arrays[SECTION_IN_OFFSETS].items = graph->in_offsets;
        writing.arrays[SECTION_IN_NEIGHBOURS].items = graph->in_neighbours;
    }
    write_sections(&writing);
    errno = writing.reason;
    if (errno == 0 && write_header(&writing, graph, source, flags, file_size) &&
        file_replace_commit(&start->file)) {
        return true;
    }
    file_replace_abandon(&start->file); /* keeps errno */
    return cancel != NULL && *cancel
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

static void *array_of(char *base, const struct section *section)
{
    return section->begin ? base + section->begin : NULL;
}

/* That all sections lie in the file, and are long enough for what is read before their lengths. */
static bool sections_are_inside(const struct header *header)
{
    for (size_t i = 0; i < SECTION_COUNT; i++) {
        const struct section *section = section_of(header, i);
        if (section->begin % ALIGNMENT != 0 || section->begin > header->file_size ||
            section->length > header->file_size - section->begin ||
            (section->begin == 0 && section->length > 0)) {
            return false;
        }
    }
    return header->names_count == 0 ||
           header->sections[SECTION_NAME_BEGINS].length / 8 == (uint64_t)header->names_count + 1;
}

/* Point an origin, which is zeroed, into the mapping. False when the sections do not fit. */
static bool place_origin(const struct header *header, char *base, struct graph_origin *origin)
{
    const struct section *begins = section_of(header, SECTION_ALIAS_BEGINS);
    const struct section *facts = section_of(header, SECTION_FACTS);
    origin->is_mapped = true;
    origin->facts = array_of(base, facts);
    origin->facts_length = facts->length;
    origin->page_ids = array_of(base, section_of(header, SECTION_PAGE_IDS));
    origin->alias_ids = array_of(base, section_of(header, SECTION_ALIAS_IDS));
    origin->order = array_of(base, section_of(header, SECTION_NAME_ORDER));
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
            .text = array_of(base, section_of(header, SECTION_ALIAS_TEXT)),
        };
        return origin->aliases->text != NULL && origin->alias_ids != NULL;
    }
    return true;
}

/* Whether an origin has sections in a file. */
static bool has_origin(const struct header *header)
{
    uint64_t any = 0;
    for (size_t i = SECTIONS_OF_ALL; i < SECTION_COUNT; i++) {
        any |= section_of(header, i)->begin;
    }
    return any != 0;
}

/* Whether no number of an origin leads out of the names and nodes, and the facts are a text. */
static bool origin_holds(const struct graph *graph)
{
    const struct graph_origin *origin = graph->origin;
    const struct graph_names *aliases = origin->aliases;
    pw_assert(graph->names != NULL);
    const uint32_t names = graph->names->count;
    const uint32_t all = names + (aliases != NULL ? aliases->count : 0);
    bool holds = origin->facts == NULL || origin->facts[origin->facts_length - 1] == '\0';
    if (aliases != NULL && !graph_names_check(aliases)) {
        return false;
    }
    for (uint32_t i = 0; aliases != NULL && i < aliases->count; i++) {
        holds &= origin->alias_ids[i] - graph->names->first_id < names;
    }
    for (uint32_t i = 0; origin->order != NULL && i < all; i++) {
        holds &= origin->order[i] < all;
    }
    return holds;
}

/*
 * Point the graph, and its names where there are any, into the mapping. False when the sections
 * cannot be those of the counts.
 */
static bool place_arrays(const struct header *header, char *base, struct graph *graph)
{
    if (!sections_are_inside(header) || header->first_node > 1 ||
        header->first_node > header->node_limit || header->node_limit == UINT32_MAX ||
        header->edge_count > UINT64_MAX / sizeof(uint32_t)) {
        return false;
    }
    graph->first_node = header->first_node;
    graph->node_limit = header->node_limit;
    graph->edge_count = header->edge_count;
    if (header->names_count > 0) {
        struct graph_names *names = graph->names;
        *names = (struct graph_names){
            .is_mapped = true,
            .first_id = header->names_first_id,
            .count = header->names_count,
            .begins = array_of(base, &header->sections[SECTION_NAME_BEGINS]),
            .text = array_of(base, &header->sections[SECTION_NAME_TEXT]),
        };
        if (names->text == NULL) { /* begins are there: sections_are_inside */
            return false;
        }
    }
    if (graph->origin != NULL && !place_origin(header, base, graph->origin)) {
        return false;
    }
    graph->offsets = array_of(base, &header->sections[SECTION_OFFSETS]);
    graph->neighbours = array_of(base, &header->sections[SECTION_NEIGHBOURS]);
    graph->in_offsets = array_of(base, &header->sections[SECTION_IN_OFFSETS]);
    graph->in_neighbours = array_of(base, &header->sections[SECTION_IN_NEIGHBOURS]);
    graph->original_ids = array_of(base, &header->sections[SECTION_ORIGINAL_IDS]);
    if (graph->edge_count == 0) { /* no section, but never NULL */
        graph->neighbours = (uint32_t *)(void *)base;
        graph->in_neighbours = graph->in_offsets != NULL ? graph->neighbours : NULL;
    }
    struct array arrays[SECTION_COUNT];
    list_arrays(graph, arrays);
    for (size_t i = 0; i < SECTION_COUNT; i++) {
        if (section_of(header, i)->length != arrays[i].length) {
            return false;
        }
    }
    return true;
}

/* What is checked of the arrays of a snapshot, a section per thread. */
struct inspection {
    const struct header *header;
    const struct graph *graph;
    const char *base;
    atomic_bool failed;
};

/* Whether no search can be led astray by a block of a section, of which begin and end are bytes. */
static bool block_holds(const struct graph *graph, size_t kind, const char *items, uint64_t begin,
                        uint64_t end)
{
    const uint64_t *offsets = (const uint64_t *)(const void *)items;
    const uint32_t *nodes = (const uint32_t *)(const void *)items;
    uint64_t first, count;
    switch (kind) {
    case SECTION_OFFSETS:
    case SECTION_IN_OFFSETS:
        first = begin > 0 ? begin / 8 - 1 : 0; /* the last of the block before, too */
        return graph_offsets_ascend(offsets + first, end / 8 - first) &&
               (begin > 0 || (offsets[0] == 0 && offsets[graph->first_node] == 0)) &&
               (end / 8 <= graph->node_limit || offsets[graph->node_limit] == graph->edge_count);
    case SECTION_NEIGHBOURS:
    case SECTION_IN_NEIGHBOURS:
        first = begin / 4;
        count = (end - begin) / 4;
        return graph_holds_nodes(graph, nodes + first, count);
    default:
        return true;
    }
}

/* Whether a section has its checksum and holds: each block is in the cache for both. */
static bool section_holds(const struct inspection *inspection, size_t kind)
{
    const struct section *section = section_of(inspection->header, kind);
    const char *items = inspection->base + section->begin;
    struct snapshot_sum sum;
    bool holds = true;
    snapshot_sum_start(&sum);
    for (uint64_t begin = 0; begin < section->length && holds;) {
        uint64_t left = section->length - begin;
        uint64_t end = begin + (left < BLOCK_SIZE ? left : BLOCK_SIZE);
        snapshot_sum_add(&sum, items + begin, (size_t)(end - begin));
        holds = block_holds(inspection->graph, kind, items, begin, end);
        begin = end;
    }
    return holds && snapshot_sum_end(&sum) == section->checksum;
}

static void inspect_section(void *context, unsigned number, size_t kind)
{
    (void)number;
    struct inspection *inspection = context;
    if (section_of(inspection->header, kind)->length > 0 && !section_holds(inspection, kind)) {
        atomic_store(&inspection->failed, true);
    }
}

/* Whether every array has its checksum, and no offset, neighbour or name leads out of them. */
static bool arrays_hold(const struct header *header, const char *base, unsigned threads,
                        const struct graph *graph)
{
    struct inspection inspection = {.header = header, .graph = graph, .base = base};
    threads = header->file_size < PARALLEL_SIZE ? 1 : parallel_count(threads);
    parallel_each(threads, SECTION_COUNT, inspect_section, &inspection);
    return !atomic_load(&inspection.failed) &&
           (graph->names == NULL || graph_names_check(graph->names)) &&
           (graph->origin == NULL || origin_holds(graph));
}

enum graph_snapshot_state graph_snapshot_open(const char *path, const struct graph_options *options,
                                              struct graph *graph, struct graph_source *source,
                                              unsigned *flags, struct graph_error *error)
{
    union header_page page;
    enum graph_snapshot_state state = SNAPSHOT_BAD;
    memset(graph, 0, sizeof(*graph));
    memset(source, 0, sizeof(*source));
    *flags = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        graph_fail(error, path, "cannot be opened: %s", strerror(errno));
        return SNAPSHOT_BAD;
    }
    bool good = snapshot_read_header(fd, path, &page, error);
    page.header.source.path[sizeof(page.header.source.path) - 1] = '\0';
    *source = page.header.source;
    *flags = page.header.flags;
    size_t length = (size_t)page.header.file_size;
    char *base = good ? mmap(NULL, length, PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
    close(fd);
    if (!good) {
        return SNAPSHOT_BAD;
    }
    if (base == MAP_FAILED || !graph_adopt(graph, base, length)) {
        graph_fail(error, path, "cannot be mapped: %s", strerror(errno));
        return SNAPSHOT_BAD;
    }
#ifdef MADV_POPULATE_READ
    madvise(base, length, MADV_POPULATE_READ);
#endif
    if (!graph_source_is_fresh(source, options->verify)) {
        state = SNAPSHOT_STALE;
        graph_fail(error, path, "stale: %.300s has changed since", source->path);
    } else if (page.header.names_count > 0 &&
               ((graph->names = calloc(1, sizeof(*graph->names))) == NULL ||
                (has_origin(&page.header) &&
                 (graph->origin = calloc(1, sizeof(*graph->origin))) == NULL))) {
        graph_fail(error, path, "out of memory for the names");
    } else if (!place_arrays(&page.header, base, graph) ||
               !arrays_hold(&page.header, base, options->threads, graph)) {
        graph_fail(error, path, "corrupt: the snapshot's arrays do not match its header");
    } else {
        state = SNAPSHOT_GOOD;
    }
    if (state != SNAPSHOT_GOOD) {
        graph_free(graph);
    }
    return state;
}

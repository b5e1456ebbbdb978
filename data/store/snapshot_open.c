/*
 * snapshot_open.c - maps a snapshot and checks it; see graph_snapshot.h.
 *
 * 1. The header is read, and the file mapped.
 * 2. The arrays are placed in the mapping, each as long as the counts require.
 * 3. Each array is checked by a thread: its checksum, and that nothing in it leads outside. Or, for
 *    questions, block by block when it is used (snapshot_blocks.h).
 * 4. If an array is bad, its first bad block is looked for (snapshot_damage.h).
 */
#include "base/cancel.h"
#include "base/pw_assert.h"
#include "data/graph/graph_blocks.h"
#include "data/graph/graph_origin.h"
#include "graph_snapshot.h"
#include "snapshot_arrays.h"
#include "snapshot_blocks.h"
#include "snapshot_check.h"
#include "snapshot_damage.h"
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

static void *array_of(char *base, const struct section *section)
{
    return section->begin ? base + section->begin : NULL;
}

/* True if all sections lie in the file, and are long enough to read their lengths. */
static bool sections_are_inside(const struct header *header)
{
    for (size_t i = 0; i < SECTION_COUNT; i++) {
        const struct section *section = snapshot_section(header, i);
        if (section->begin % ALIGNMENT != 0 || section->begin > header->file_size ||
            section->length > header->file_size - section->begin ||
            (section->begin == 0 && section->length > 0)) {
            return false;
        }
    }
    return header->names_count == 0 ||
           header->sections[SECTION_NAME_BEGINS].length / 8 == (uint64_t)header->names_count + 1;
}

/* Point a zeroed origin into the mapping. False if the sections do not fit. */
static bool place_origin(const struct header *header, char *base, struct graph_origin *origin)
{
    const struct section *begins = snapshot_section(header, SECTION_ALIAS_BEGINS);
    const struct section *facts = snapshot_section(header, SECTION_FACTS);
    origin->is_mapped = true;
    origin->facts = array_of(base, facts);
    origin->facts_length = facts->length;
    origin->page_ids = array_of(base, snapshot_section(header, SECTION_PAGE_IDS));
    origin->alias_ids = array_of(base, snapshot_section(header, SECTION_ALIAS_IDS));
    origin->order = array_of(base, snapshot_section(header, SECTION_NAME_ORDER));
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
            .text = array_of(base, snapshot_section(header, SECTION_ALIAS_TEXT)),
        };
        return origin->aliases->text != NULL && origin->alias_ids != NULL;
    }
    return true;
}

/* True if an origin has sections in a file. */
static bool has_origin(const struct header *header)
{
    uint64_t any = 0;
    for (size_t i = SECTIONS_OF_ALL; i < SECTIONS_OF_ORIGIN; i++) {
        any |= snapshot_section(header, i)->begin;
    }
    return any != 0;
}

/*
 * Point the graph, and its names if it has any, into the mapping. False if the sections do not
 * match the counts.
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
            .buckets = array_of(base, snapshot_section(header, SECTION_NAME_BUCKETS)),
        };
        if (names->text == NULL) { /* begins exist: sections_are_inside */
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
    graph->id_order = array_of(base, snapshot_section(header, SECTION_ID_ORDER));
    if (graph->id_order != NULL && graph->original_ids == NULL) {
        return false;
    }
    if (graph->edge_count == 0) { /* no section, but never NULL */
        graph->neighbours = (uint32_t *)(void *)base;
        graph->in_neighbours = graph->in_offsets != NULL ? graph->neighbours : NULL;
    }
    struct snapshot_array arrays[SECTION_COUNT];
    snapshot_list_arrays(graph, arrays);
    for (size_t i = 0; i < SECTION_ARRAYS; i++) {
        if (snapshot_section(header, i)->length != arrays[i].length) {
            return false;
        }
    }
    return true;
}

/* Sections that are read when they are first used, if names are found by their
 * buckets. */
#define NAME_KINDS                                                                                 \
    (1u << SECTION_NAME_BEGINS | 1u << SECTION_NAME_TEXT | 1u << SECTION_PAGE_IDS |                \
     1u << SECTION_ALIAS_BEGINS | 1u << SECTION_ALIAS_TEXT | 1u << SECTION_ALIAS_IDS |             \
     1u << SECTION_NAME_ORDER | 1u << SECTION_NAME_BUCKETS)

/* The same for ids of the file. */
#define ID_KINDS (1u << SECTION_ORIGINAL_IDS | 1u << SECTION_ID_ORDER)

/* The sections of a wanted set that must be checked at once, a bit each: all, unless the graph may
 * be read by block and nothing else could be read instead. */
static unsigned kinds_now(const struct header *header, unsigned wanted,
                          const struct graph_options *options)
{
    const bool may_wait =
        wanted == SNAPSHOT_ALL && options->by_block && !options->verify &&
        header->source.path[0] == '\0' && sections_are_inside(header) &&
        snapshot_has_block_sums(header) &&
        (header->sections[SECTION_IN_OFFSETS].begin > 0 || !options->build_reverse);
    const bool finds_names = snapshot_section(header, SECTION_NAME_BUCKETS)->begin > 0;
    const bool finds_ids = snapshot_section(header, SECTION_ID_ORDER)->begin > 0;
    const unsigned later = SNAPSHOT_LISTS | 1u << SECTION_BLOCK_SUMS |
                           (finds_names ? NAME_KINDS : 0) | (finds_ids ? ID_KINDS : 0);
    return may_wait ? wanted & ~later : wanted;
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

/* Map all of a file and close it. False with error set. */
static bool map_file(int fd, const char *path, size_t length, unsigned kinds,
                     const volatile sig_atomic_t *cancel, char **base, struct graph *graph,
                     struct graph_error *error)
{
    *base = mmap(NULL, length, PROT_READ, MAP_SHARED, fd, 0);
    close(fd);
    if (*base == MAP_FAILED || !graph_adopt(graph, *base, length)) {
        return graph_fail(error, path, "cannot be mapped: %s", strerror(errno));
    }
    if (kinds == SNAPSHOT_ALL) {
        read_ahead(*base, length, cancel);
    }
    return true;
}

/* Point the graph into memory that has the file or will have it, and check the sections of some
 * kinds, a bit each. False with error set. */
static bool fill(const struct header *header, const char *path, unsigned kinds,
                 const struct graph_options *options, char *base, struct graph *graph,
                 struct graph_error *error)
{
    if (cancel_is_set(options->cancel)) {
        return graph_fail(error, path, "interrupted");
    }
    if (header->names_count > 0) {
        graph->names = calloc(1, sizeof(*graph->names));
        graph->origin = has_origin(header) ? calloc(1, sizeof(*graph->origin)) : NULL;
        if (graph->names == NULL || (has_origin(header) && graph->origin == NULL)) {
            return graph_fail(error, path, "out of memory for the names");
        }
    }
    if (graph->blocks != NULL && !snapshot_blocks_read(graph, kinds)) {
        graph_is_damaged(graph, error);
        return false;
    }
    const bool holds =
        place_arrays(header, base, graph) &&
        snapshot_arrays_hold(header, kinds, base, options->threads, graph, options->cancel);
    if (!holds && cancel_is_set(options->cancel)) {
        return graph_fail(error, path, "interrupted");
    }
    if (!holds && graph->blocks == NULL && sections_are_inside(header)) {
        return snapshot_name_damage(header, kinds, base, path, error);
    }
    if (!holds) {
        return graph_fail(error, path, "%s", SNAPSHOT_ARRAYS_WRONG);
    }
    if (graph->blocks != NULL) {
        snapshot_blocks_placed(graph);
    }
    return true;
}

/* Open a snapshot, and check its sections of some kinds, a bit each; or later. */
static enum graph_snapshot_state open_checked(const char *path, unsigned kinds,
                                              const struct graph_options *options,
                                              struct graph *graph, struct graph_source *source,
                                              unsigned *flags, struct graph_error *error)
{
    union header_page page;
    const struct header *header = &page.header;
    char *base = NULL;
    memset(graph, 0, sizeof(*graph));
    memset(source, 0, sizeof(*source));
    *flags = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        graph_fail(error, path, "cannot be opened: %s", strerror(errno));
        return SNAPSHOT_BAD;
    }
    const bool good = snapshot_read_header(fd, path, &page, error);
    page.header.source.path[sizeof(header->source.path) - 1] = '\0';
    *source = header->source;
    *flags = header->flags;
    if (!good) {
        close(fd);
        return SNAPSHOT_BAD;
    }
    const unsigned now = kinds_now(header, kinds, options);
    const bool opened =
        now != kinds ? snapshot_blocks_open(fd, header, path, options->threads, &base, graph, error)
                     : map_file(fd, path, (size_t)header->file_size, kinds, options->cancel, &base,
                                graph, error);
    const bool fresh = opened && graph_source_is_fresh(source, options->verify);
    if (opened && !fresh) {
        graph_fail(error, path, "stale: %.300s has changed since", source->path);
    }
    if (!fresh ||
        (options->verify && sections_are_inside(header) &&
         !snapshot_is_whole(&page, base, path, error)) ||
        !fill(header, path, now, options, base, graph, error)) {
        graph_free(graph);
        return opened && !fresh ? SNAPSHOT_STALE : SNAPSHOT_BAD;
    }
    return SNAPSHOT_GOOD;
}

enum graph_snapshot_state graph_snapshot_open(const char *path, const struct graph_options *options,
                                              struct graph *graph, struct graph_source *source,
                                              unsigned *flags, struct graph_error *error)
{
    return open_checked(path, SNAPSHOT_ALL, options, graph, source, flags, error);
}

bool graph_snapshot_open_names(const char *path, struct graph *graph, struct graph_error *error)
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

bool graph_snapshot_name_damage(const char *path, struct graph_error *error)
{
    union header_page page;
    const struct header *header = &page.header;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return graph_fail(error, path, "cannot be opened: %s", strerror(errno));
    }
    const bool good = snapshot_read_header(fd, path, &page, error);
    const size_t length = good ? (size_t)header->file_size : 0;
    char *base = good ? mmap(NULL, length, PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
    close(fd);
    if (!good) {
        return false;
    }
    if (base != MAP_FAILED && sections_are_inside(header)) {
        snapshot_name_damage(header, SNAPSHOT_ALL, base, path, error);
    }
    if (base != MAP_FAILED) {
        munmap(base, length);
    }
    return graph_fail(error, path, "%s", SNAPSHOT_ARRAYS_WRONG); /* unless it is named */
}

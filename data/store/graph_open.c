/*
 * graph_open.c - graph_load: from a snapshot, from the cache, or from text.
 *
 * 1. A snapshot is mapped; one that comes as a stream (standard input, a compressed file) is copied
 *    into memory first. When it is stale or broken and its source is at hand, the source is read
 *    instead, the way it was read for the snapshot.
 * 2. With a cache, a snapshot of the text is kept in a folder, under the text's name and a hash of
 *    its path and of the options. It is used while it is good, and else made again. Before it is
 *    kept, its nodes are renumbered if that is asked for.
 */
#include "base/pw_assert.h"
#include "data/formats/format_readers.h"
#include "data/graph/graph_memory.h"
#include "data/graph/parallel.h"
#include "data/make/graph_order.h"
#include "data/read/graph_format.h"
#include "data/read/graph_text.h"
#include "graph_snapshot.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#define COPY_SIZE ((size_t)256 << 10)

static void remark(const struct graph_options *options, const char *format, const char *text)
{
    char line[1024];
    if (options->note != NULL) {
        snprintf(line, sizeof(line), format, text);
        options->note(options->context, line, GRAPH_REMEDY_NONE);
    }
}

static bool load_text(const char *path, const struct graph_options *options, struct graph *graph,
                      struct graph_error *error);

static bool load_snapshot(const char *path, const struct graph_options *options,
                          struct graph *graph, struct graph_error *error)
{
    struct graph_source source;
    unsigned flags;
    if (graph_snapshot_flags(options) || options->names_path != NULL) {
        return graph_fail(error, path,
                          "a snapshot is used as it was made: convert the text again with the "
                          "direction, numbering or names wanted");
    }
    if (graph_snapshot_open(path, options, graph, &source, &flags, error) == SNAPSHOT_GOOD) {
        return true;
    }
    if (source.path[0] == '\0' || access(source.path, R_OK) != 0) {
        return false;
    }
    remark(options, "%s; reading the source instead", error->message);
    struct graph_options again = *options;
    again.repeat_last_entry = flags & GRAPH_SNAPSHOT_REPEATED;
    again.reverse = flags & GRAPH_SNAPSHOT_REVERSED;
    again.undirected = flags & GRAPH_SNAPSHOT_UNDIRECTED;
    again.compact = flags & GRAPH_SNAPSHOT_COMPACT;
    *error = (struct graph_error){0};
    return load_text(source.path, &again, graph, error);
}

/* Copy all of a text into a file in memory. Returns its descriptor, or -1 with error set. */
static int copy_into_memory(struct text_source *source, uint64_t limit, struct graph_error *error)
{
    char limit_text[32], *block = malloc(COPY_SIZE);
    int fd = memfd_create("snapshot", MFD_CLOEXEC);
    size_t got = 0;
    bool done = fd >= 0 && block != NULL;
    for (uint64_t offset = 0;
         done && (got = text_source_read(source, offset, block, COPY_SIZE, error)) > 0;) {
        done = got != SIZE_MAX;
        offset += done ? got : 0;
        if (offset > limit) {
            done = graph_fail(error, source->name, "the snapshot needs more than the %s allowed",
                              memory_text(limit_text, limit));
        }
        for (size_t put = 0; done && put < got;) {
            ssize_t now = write(fd, block + put, got - put);
            done = now >= 0 || errno == EINTR;
            put += now > 0 ? (size_t)now : 0;
        }
    }
    free(block);
    if (done) {
        return fd;
    }
    graph_fail(error, source->name, "no memory for the snapshot: %s", strerror(errno));
    if (fd >= 0) {
        close(fd);
    }
    return -1;
}

/* A snapshot from standard input or a compressed file. The source is closed. */
static bool load_streamed(struct text_source *source, const struct graph_options *options,
                          struct graph *graph, struct graph_error *error)
{
    char path[32];
    const char *name = source->name;
    source->cancel = options->cancel;
    int fd = copy_into_memory(source, graph_memory_limit(options), error);
    if (!text_source_close(source, error) || fd < 0) {
        if (fd >= 0) {
            close(fd);
        }
        return false;
    }
    int length = snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    bool done = load_snapshot(path, options, graph, error);
    close(fd);
    if (strncmp(error->message, path, (size_t)length) == 0) { /* the name that the user knows */
        struct graph_error named = {.remedy = error->remedy};
        graph_fail(&named, name, "%s", error->message + length + strlen(": "));
        *error = named;
    }
    return done;
}

static bool load_text(const char *path, const struct graph_options *options, struct graph *graph,
                      struct graph_error *error)
{
    static const struct archive_choice choice = {graph_format_looks_like_graph, format_readers};
    struct text_source source;
    if (!text_source_open(&source, path, &choice, parallel_count(options->threads) > 1, error)) {
        return false;
    }
    return graph_snapshot_begins(source.head, source.head_length)
               ? load_streamed(&source, options, graph, error)
               : graph_text_load(&source, options, format_readers, graph, error);
}

/* The folder of the cache, made when it is not there. */
static bool cache_folder(const char *wanted, char folder[PATH_MAX], struct graph_error *error)
{
    const char *cache = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    if (wanted[0]) {
        snprintf(folder, PATH_MAX, "%s", wanted);
    } else if (cache != NULL && cache[0] == '/') {
        snprintf(folder, PATH_MAX, "%s/pointer-wars", cache);
    } else if (home != NULL) {
        snprintf(folder, PATH_MAX, "%s/.cache/pointer-wars", home);
    } else {
        return graph_fail(error, "cache", "no folder for it: neither XDG_CACHE_HOME nor HOME");
    }
    for (char *slash = strchr(folder + 1, '/');; slash = strchr(slash + 1, '/')) {
        if (slash != NULL) {
            *slash = '\0';
        }
        int failed = mkdir(folder, 0777) != 0 && errno != EEXIST && errno != EISDIR;
        if (slash != NULL) {
            *slash = '/';
        } else {
            return !failed || graph_fail(error, folder, "cannot be made: %s", strerror(errno));
        }
    }
}

/* The name of the snapshot for a source and options. False when it is too long. */
static bool cache_path(const char *folder, const struct graph_source *source,
                       const struct graph_options *options, char path[PATH_MAX])
{
    char key[3 * PATH_MAX];
    struct graph_source names = {0, 0, 0, ""};
    const char *base = strrchr(source->path, '/') + 1;
    if (options->names_path != NULL) {
        graph_source_of(options->names_path, false, &names);
    }
    int length = snprintf(
        key, sizeof(key), "%s\n%u\n%s\n%s %llu %lld%s", source->path, graph_snapshot_flags(options),
        options->format != NULL ? options->format : "", names.path, (unsigned long long)names.size,
        (long long)names.modified_ns, options->search_order ? "\nsearch order" : "");
    int used = snprintf(path, PATH_MAX, "%s/%.100s-%016llx.pwg", folder, base,
                        (unsigned long long)XXH3_64bits(key, (size_t)length));
    return used > 0 && used < PATH_MAX;
}

/*
 * Keep a graph, with its reverse adjacency when it has one. before: its source as it was before it
 * was read. What cannot be kept is no failure.
 */
static bool save_cached(const char *path, const char *cached, const struct graph_options *options,
                        const struct graph_source *before, const struct graph *graph)
{
    struct graph_source source;
    struct graph_error why = {0};
    bool known = graph_source_of(path, true, &source);
    if (known && (source.size != before->size || source.modified_ns != before->modified_ns)) {
        remark(options, "not cached: %s has changed while it was read", path);
        return true;
    }
    if (!known || !graph_snapshot_save(graph, cached, &source, graph_snapshot_flags(options),
                                       options->cancel, &why)) {
        remark(options, "not cached: %s", why.message[0] ? why.message : strerror(errno));
    }
    return true;
}

/* Read what the cache is to keep, with its reverse adjacency where memory allows: some engine may
 * want it, and it costs little to open. */
static bool load_to_keep(const char *path, const struct graph_options *options, struct graph *graph,
                         struct graph_error *error)
{
    struct graph_options keeping = *options;
    keeping.keep_reverse = !options->search_order;
    keeping.build_reverse = options->build_reverse && !options->search_order;
    if (!load_text(path, &keeping, graph, error)) {
        return false;
    }
    if (!options->search_order) {
        return true;
    }
    if (!graph_renumber(graph, GRAPH_ORDER_BFS, 0, error)) {
        return graph_fail_at(error, path);
    }
    return !graph_reverse_fits(graph, options) ||
           graph_add_reverse(graph, options->threads, error) || graph_fail_at(error, path);
}

static bool load_cached(const char *path, const struct graph_options *options, struct graph *graph,
                        struct graph_error *error)
{
    char folder[PATH_MAX], cached[PATH_MAX];
    struct graph_source source, recorded;
    struct graph_error why = {0};
    unsigned flags;
    if (!graph_source_of(path, false, &source)) {
        remark(options, "%s cannot be cached", path);
        return load_text(path, options, graph, error);
    }
    if (!cache_folder(options->cache, folder, error)) {
        return false;
    }
    if (!cache_path(folder, &source, options, cached)) {
        return graph_fail(error, folder, "the name is too long");
    }
    if (access(cached, F_OK) == 0) {
        if (graph_snapshot_open(cached, options, graph, &recorded, &flags, &why) == SNAPSHOT_GOOD) {
            if (!options->build_reverse || graph->in_offsets != NULL) {
                return true;
            }
            return (graph_add_reverse(graph, options->threads, error) ||
                    graph_fail_at(error, path)) &&
                   save_cached(path, cached, options, &source, graph);
        }
        remark(options, "%s; made again", why.message);
    }
    return load_to_keep(path, options, graph, error) &&
           save_cached(path, cached, options, &source, graph);
}

bool graph_load(const char *path, const struct graph_options *options, struct graph *graph,
                struct graph_error *error)
{
    static const struct graph_options defaults;
    bool is_snapshot, done;
    memset(graph, 0, sizeof(*graph));
    *error = (struct graph_error){0};
    options = options != NULL ? options : &defaults;
    if (!graph_snapshot_recognise(path, &is_snapshot, error)) {
        done = false;
    } else if (is_snapshot) {
        done = load_snapshot(path, options, graph, error);
    } else if (options->cache != NULL && strcmp(path, "-") != 0) {
        done = load_cached(path, options, graph, error);
    } else {
        done = load_text(path, options, graph, error);
    }
    if (done && options->build_reverse) {
        done = graph_add_reverse(graph, options->threads, error) || graph_fail_at(error, path);
    }
    if (!done) {
        graph_free(graph);
    }
    pw_assert(!done || graph_check(graph));
    return done;
}

/*
 * graph_open.c - graph_load: from a snapshot, from the cache, or from text.
 *
 * 1. A snapshot is mapped. When it is stale or broken and its source is at hand, the source is read
 *    instead, the way it was read for the snapshot.
 * 2. With a cache, a snapshot of the text is kept in a folder, under the text's name and a hash of
 *    its path and of the options. It is used while it is good, and else made again.
 */
#include "base/pw_assert.h"
#include "data/read/graph_text.h"
#include "graph_snapshot.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

static void remark(const struct graph_options *options, const char *format, const char *text)
{
    char line[1024];
    if (options->note != NULL) {
        snprintf(line, sizeof(line), format, text);
        options->note(options->context, line, GRAPH_REMEDY_NONE);
    }
}

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
    return graph_load_text(source.path, &again, graph, error);
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
    int length =
        snprintf(key, sizeof(key), "%s\n%u\n%s\n%s %llu %lld", source->path,
                 graph_snapshot_flags(options), options->format != NULL ? options->format : "",
                 names.path, (unsigned long long)names.size, (long long)names.modified_ns);
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

static bool load_cached(const char *path, const struct graph_options *options, struct graph *graph,
                        struct graph_error *error)
{
    char folder[PATH_MAX], cached[PATH_MAX];
    struct graph_source source, recorded;
    struct graph_error why = {0};
    unsigned flags;
    if (!graph_source_of(path, false, &source)) {
        remark(options, "%s cannot be cached", path);
        return graph_load_text(path, options, graph, error);
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
    return graph_load_text(path, options, graph, error) &&
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
        done = graph_load_text(path, options, graph, error);
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

/*
 * snapshot_fixture.h - graphs loaded, and saved as snapshots, for the tests of snapshots.
 */
#pragma once

#include "data/load/graph_load.h"
#include "data/store/graph_snapshot.h"
#include "tests/support/fixture_file.h"
#include <signal.h>
#include <sys/resource.h>

static inline struct graph load(const char *path, const struct graph_options *options)
{
    struct graph graph;
    struct graph_error error;
    ck_assert_msg(graph_load(path, options, &graph, &error), "%s", error.message);
    return graph;
}

static inline void save(const struct graph *graph, const char *path)
{
    struct graph_error error = {0};
    ck_assert_msg(graph_snapshot_save(graph, path, NULL, 0, NULL, &error), "%s", error.message);
}

/* All bytes of a file; the caller frees them. */
static inline char *bytes_of(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    fseek(file, 0, SEEK_END);
    *length = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*length + 1);
    ck_assert_ptr_nonnull(bytes);
    ck_assert_uint_eq(fread(bytes, 1, *length, file), *length);
    fclose(file);
    return bytes;
}

static inline void assert_refused(const char *path, const struct graph_options *options,
                                  const char *why)
{
    struct graph graph;
    struct graph_error error;
    ck_assert_msg(!graph_load(path, options, &graph, &error), "%s", why);
    ck_assert_msg(strstr(error.message, why) != NULL, "%s", error.message);
    ck_assert_ptr_null(graph.offsets);
}

/* While it holds, no file becomes longer than size bytes. */
static inline void limit_files(rlim_t size)
{
    struct rlimit limit;
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = size < limit.rlim_max ? size : limit.rlim_max;
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

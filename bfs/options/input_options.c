/*
 * input_options.c - the options that say how a graph is read.
 */
#include "input_options.h"
#include "data/read/graph_format.h"
#include <string.h>

#define THREADS_MAX 256

static bool set_threads(void *options, const char *value, struct command_error *error)
{
    uint64_t threads = 0;
    if (!command_number("threads", value, 1, THREADS_MAX, &threads, error)) {
        return false;
    }
    ((struct graph_options *)options)->threads = (unsigned)threads;
    return true;
}

/* Bytes, with K, M, G or T for powers of 1024. */
static bool set_memory_limit(void *options, const char *value, struct command_error *error)
{
    static const char units[] = "KMGT";
    uint64_t number = 0;
    const char *p = value;
    bool good = *p >= '0' && *p <= '9';
    for (; good && *p >= '0' && *p <= '9'; p++) {
        good = !__builtin_mul_overflow(number, 10, &number) &&
               !__builtin_add_overflow(number, (uint64_t)(*p - '0'), &number);
    }
    const char *unit = *p ? strchr(units, *p) : NULL;
    for (const char *u = units; good && unit && u <= unit; u++) {
        good = !__builtin_mul_overflow(number, 1024, &number);
    }
    p += unit != NULL;
    if (!good || *p || number == 0) {
        return command_fail(error, "--memory-limit takes bytes such as 8G or 512M, found \"%.60s\"",
                            value);
    }
    ((struct graph_options *)options)->memory_limit = number;
    return true;
}

static bool set_names(void *options, const char *value, struct command_error *error)
{
    (void)error;
    ((struct graph_options *)options)->names_path = value;
    return true;
}

static bool set_input_format(void *options, const char *value, struct command_error *error)
{
    if (!graph_format_is_known(value)) {
        return command_fail(error, "--input-format knows no \"%.60s\"; there are %s", value,
                            graph_format_names);
    }
    ((struct graph_options *)options)->format = value;
    return true;
}

static bool set_cache(void *options, const char *value, struct command_error *error)
{
    (void)error;
    ((struct graph_options *)options)->cache = value ? value : "";
    return true;
}

static bool set_compact(void *options, const char *value, struct command_error *error)
{
    (void)value;
    (void)error;
    ((struct graph_options *)options)->compact = true;
    return true;
}

static bool set_reverse(void *options, const char *value, struct command_error *error)
{
    (void)value;
    (void)error;
    ((struct graph_options *)options)->reverse = true;
    return true;
}

static bool set_undirected(void *options, const char *value, struct command_error *error)
{
    (void)value;
    (void)error;
    ((struct graph_options *)options)->undirected = true;
    return true;
}

static bool set_verify(void *options, const char *value, struct command_error *error)
{
    (void)value;
    (void)error;
    ((struct graph_options *)options)->verify = true;
    return true;
}

static const struct command_option options[] = {
    {"input-format", 0, "NAME",
     "edges, matrix-market, dimacs, metis or names (default: told by\n"
     "the content)",
     set_input_format},
    {"names", 0, "FILE",
     "names of the nodes, line k that of node k; then pairs and the\n"
     "report speak in names",
     set_names},
    {"compact", 0, NULL,
     "renumber sparse ids inside; pairs and the report keep those\n"
     "of the file",
     set_compact},
    {"reverse", 0, NULL, "turn every edge round", set_reverse},
    {"undirected", 0, NULL, "take every edge in both directions", set_undirected},
    {"cache", 0, "[DIR]",
     "keep a snapshot of what was read and map it the next time, in\n"
     "DIR (default: ~/.cache/pointer-wars)",
     set_cache},
    {"verify-snapshot", 0, NULL, "check the checksums of a snapshot", set_verify},
    {"threads", 0, "N", "read with N threads", set_threads},
    {"memory-limit", 0, "BYTES",
     "refuse a graph that needs more to load, such as 8G (default:\n"
     "the memory available)",
     set_memory_limit},
    {0},
};

const struct command_group input_option_group = {"Reading the graph:", options};

const char input_formats_help[] =
    "Read as they are: Matrix Market coordinate, edge lists of ids or (tab-separated)\n"
    "of names, DIMACS .gr, METIS, snapshots of graph-convert; compressed with gzip,\n"
    "bzip2, xz or zstd; in a tar with one graph; \"-\" is standard input.\n"
    "Loading takes at most 9 bytes of memory an edge and 16 a node (14 and 24 with\n"
    "the reverse adjacency, which some engines need), and 2 MiB a thread.\n";

/*
 * graph_load.c - carries out a plan: map, copy or read; then completes the graph, and keeps it.
 *
 * 1. load_plan.h says how to get the lists, and what to do instead after a useless snapshot.
 * 2. For a cache, the nodes are renumbered if that is asked for.
 * 3. The graph is kept in the cache, with its reverse adjacency if memory allows.
 * 4. A reverse adjacency that is asked for and still missing is built.
 */
#include "graph_load.h"
#include "base/pw_assert.h"
#include "data/graph/graph_memory.h"
#include "data/make/graph_order.h"
#include "data/read/graph_format.h"
#include "data/read/graph_text.h"
#include "data/reverse/graph_reverse.h"
#include "data/store/graph_snapshot.h"
#include "load_aids.h"
#include "load_cache.h"
#include "load_plan.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define COPY_SIZE ((size_t)256 << 10)

/* Map a snapshot. False with error set; the plan then has the snapshot's source. */
static bool map_snapshot(struct load_plan *plan, const char *path, struct graph *graph,
                         struct graph_error *error)
{
    const struct graph_options *options = &plan->options;
    if (plan->way != LOAD_CACHED &&
        (graph_snapshot_flags(options) != 0 || options->names_path != NULL)) {
        return graph_fail(error, path,
                          "a snapshot is used as it was made: convert the text again with the "
                          "direction, numbering or names wanted");
    }
    if (plan->way != LOAD_CACHED) {
        graph_format_note_columns(options);
    }
    return graph_snapshot_open(path, options, graph, &plan->recorded, &plan->flags, error) ==
           SNAPSHOT_GOOD;
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

/* Map a copy of a snapshot from standard input or a compressed file. The text is closed. */
static bool map_copy(struct load_plan *plan, struct graph *graph, struct graph_error *error)
{
    char path[32];
    const char *name = plan->text.name;
    plan->text.cancel = plan->options.cancel;
    plan->options.by_block = false; /* a copy has no name for a message, and is in memory */
    int fd = copy_into_memory(&plan->text, graph_memory_limit(&plan->options), error);
    if (!text_source_close(&plan->text, error) || fd < 0) {
        if (fd >= 0) {
            close(fd);
        }
        return false;
    }
    int length = snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    bool done = map_snapshot(plan, path, graph, error);
    close(fd);
    if (strncmp(error->message, path, (size_t)length) == 0) { /* use the name that the user knows */
        struct graph_error named = {.remedy = error->remedy, .is_memory = error->is_memory};
        graph_fail(&named, name, "%s", error->message + length + strlen(": "));
        *error = named;
    }
    return done;
}

static bool read_text(struct load_plan *plan, struct graph *graph, struct graph_error *error)
{
    struct target_order order = {0};
    const struct text_aids aids = load_aids(&order);
    return graph_text_load(&plan->text, &plan->options, &aids, graph, error);
}

/* Get the lists of the graph, as the plan says. */
static bool get_lists(struct load_plan *plan, struct graph *graph, struct graph_error *error)
{
    switch (plan->way) {
    case LOAD_READ:
        return read_text(plan, graph, error);
    case LOAD_COPY:
        return map_copy(plan, graph, error);
    case LOAD_CACHED:
        return map_snapshot(plan, plan->cached, graph, error);
    default:
        return map_snapshot(plan, plan->asked, graph, error);
    }
}

static bool add_reverse(const struct load_plan *plan, struct graph *graph,
                        struct graph_error *error)
{
    return graph_add_reverse(graph, plan->wanted->threads, plan->wanted->cancel, error) ||
           graph_fail_at(error, plan->asked);
}

/* Keep a graph, with its reverse adjacency if it has one. A graph that cannot be kept is no
 * failure. */
static void keep(const struct load_plan *plan, const struct graph *graph)
{
    const struct graph_options *options = plan->wanted;
    struct graph_source source;
    struct graph_error why = {0};
    bool known = graph_source_of(plan->asked, true, &source);
    pw_assert(plan->keeps);
    if (known &&
        (source.size != plan->before.size || source.modified_ns != plan->before.modified_ns)) {
        load_plan_remark(plan, "not cached: %s has changed while it was read", plan->asked);
        return;
    }
    struct graph_snapshot_start start;
    known = known && graph_snapshot_begin(&start, plan->cached, &why);
    if (known && !load_cache_protect(start.file.fd, plan->asked, options)) {
        file_replace_abandon(&start.file); /* keeps errno */
        known = false;
    }
    if (!known || !graph_snapshot_finish(&start, graph, &source, graph_snapshot_flags(options),
                                         options->cancel, &why)) {
        load_plan_remark(plan, "not cached: %s", why.message[0] ? why.message : strerror(errno));
    }
}

/* Prepare the graph for the cache and keep it, unless it is there already. */
static bool complete_and_keep(const struct load_plan *plan, struct graph *graph,
                              struct graph_error *error)
{
    const struct graph_options *wanted = plan->wanted;
    if (plan->way == LOAD_CACHED) {
        if (!wanted->build_reverse || graph->in_offsets != NULL) {
            return true;
        }
        if (!add_reverse(plan, graph, error)) {
            return false;
        }
    } else if (wanted->search_order) {
        if (!graph_renumber(graph, GRAPH_ORDER_BFS, error)) {
            return graph_fail_at(error, plan->asked);
        }
        if (graph_reverse_fits(graph, wanted) && !add_reverse(plan, graph, error)) {
            return false;
        }
    }
    keep(plan, graph);
    return true;
}

static bool carry_out(struct load_plan *plan, struct graph *graph, struct graph_error *error)
{
    bool done = get_lists(plan, graph, error);
    while (!done && load_plan_rebuild(plan, error)) {
        done = get_lists(plan, graph, error);
    }
    return done && (!plan->keeps || complete_and_keep(plan, graph, error)) &&
           (!plan->wanted->build_reverse || add_reverse(plan, graph, error));
}

bool graph_load(const char *path, const struct graph_options *options, struct graph *graph,
                struct graph_error *error)
{
    static const struct graph_options defaults;
    struct load_plan plan;
    memset(graph, 0, sizeof(*graph));
    *error = (struct graph_error){0};
    const bool done = load_plan_make(&plan, path, options != NULL ? options : &defaults, error) &&
                      carry_out(&plan, graph, error);
    if (!done) {
        graph_free(graph);
    }
    pw_assert(!done || graph->blocks != NULL || graph_check(graph));
    return done;
}

/*
 * load_plan.c - looks at the file, the cache and the first bytes of the text; see load_plan.h.
 */
#include "load_plan.h"
#include "base/pw_assert.h"
#include "data/graph/parallel.h"
#include "data/store/graph_snapshot.h"
#include "load_aids.h"
#include "load_cache.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void load_plan_remark(const struct load_plan *plan, const char *format, const char *text)
{
    const struct graph_options *options = plan->wanted;
    char line[1024];
    if (options->note != NULL) {
        snprintf(line, sizeof(line), format, text);
        options->note(options->context, line, GRAPH_REMEDY_NONE);
    }
}

/* Open a text; its first bytes say what it is. */
static bool plan_text(struct load_plan *plan, const char *path, struct graph_error *error)
{
    const bool threaded = parallel_count(plan->options.threads) > 1;
    if (!text_source_open(&plan->text, path, &load_graph_decoder, threaded, error)) {
        return false;
    }
    plan->way =
        graph_snapshot_begins(plan->text.head, plan->text.head_length) ? LOAD_COPY : LOAD_READ;
    return true;
}

/* Set the options for a graph that a cache will keep. It gets its reverse adjacency if memory
 * allows: an engine may want it, and it costs little to open. Its nodes are reordered before. */
static bool plan_text_to_keep(struct load_plan *plan, struct graph_error *error)
{
    const struct graph_options *wanted = plan->wanted;
    pw_assert(plan->keeps);
    plan->options.keep_reverse = !wanted->search_order;
    plan->options.build_reverse = wanted->build_reverse && !wanted->search_order;
    return plan_text(plan, plan->asked, error);
}

static bool plan_cached(struct load_plan *plan, struct graph_error *error)
{
    char folder[PATH_MAX];
    struct graph_error why = {0};
    if (!graph_source_of(plan->asked, false, &plan->before)) {
        load_plan_remark(plan, "%s cannot be cached", plan->asked);
        return plan_text(plan, plan->asked, error);
    }
    if (!load_cache_folder(plan->wanted->cache, folder, &why)) {
        load_plan_remark(plan, "not cached: %s", why.message);
        return plan_text(plan, plan->asked, error);
    }
    if (!load_cache_path(folder, &plan->before, plan->wanted, plan->cached)) {
        return graph_fail(error, folder, "the name is too long");
    }
    plan->keeps = true;
    if (access(plan->cached, F_OK) == 0) {
        plan->way = LOAD_CACHED;
        return true;
    }
    return plan_text_to_keep(plan, error);
}

bool load_plan_make(struct load_plan *plan, const char *path, const struct graph_options *options,
                    struct graph_error *error)
{
    bool is_snapshot;
    *plan = (struct load_plan){.wanted = options, .asked = path, .options = *options};
    plan->text.fd = -1;
    if (!graph_snapshot_recognise(path, &is_snapshot, error)) {
        return false;
    }
    if (is_snapshot) {
        plan->way = LOAD_MAP;
        return true;
    }
    return options->cache != NULL && strcmp(path, "-") != 0 ? plan_cached(plan, error)
                                                            : plan_text(plan, path, error);
}

bool load_plan_rebuild(struct load_plan *plan, struct graph_error *error)
{
    const struct graph_source recorded = plan->recorded;
    plan->recorded = (struct graph_source){0};
    if (plan->way == LOAD_CACHED) {
        load_plan_remark(plan, "%s; made again", error->message);
        *error = (struct graph_error){0};
        return plan_text_to_keep(plan, error);
    }
    if (plan->way == LOAD_READ || recorded.path[0] == '\0' || access(recorded.path, R_OK) != 0) {
        return false;
    }
    load_plan_remark(plan, "%s; reading the source instead", error->message);
    plan->options.repeat_last_entry = plan->flags & GRAPH_SNAPSHOT_REPEATED;
    plan->options.reverse = plan->flags & GRAPH_SNAPSHOT_REVERSED;
    plan->options.undirected = plan->flags & GRAPH_SNAPSHOT_UNDIRECTED;
    plan->options.compact = plan->flags & GRAPH_SNAPSHOT_COMPACT;
    memcpy(plan->source_path, recorded.path, sizeof(plan->source_path));
    *error = (struct graph_error){0};
    return plan_text(plan, plan->source_path, error);
}

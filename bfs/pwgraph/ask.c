/*
 * ask.c - searches: a pair, many pairs by threads; what they avoid, and when they end.
 *
 * A pair goes to the engine; with nodes to avoid, to path_count.h, which no engine's inner loop
 * then needs to know.
 */
#include "base/cancel.h"
#include "base/pw_assert.h"
#include "base/report/clock.h"
#include "bfs/engines/engines.h"
#include "data/graph/graph_blocks.h"
#include "data/graph/parallel.h"
#include "held_search.h"
#include "liblist/linked_list_more.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BATCH         65536 /* pairs of a batch, for an engine that takes many */
#define PAIRS_AT_ONCE 16    /* that a thread takes */

/* Set error to an unknown engine and the known ones. Returns false. */
static bool fail_engine(const char *name, struct pwgraph_error *error)
{
    char known[PWGRAPH_TEXT_SIZE] = "";
    size_t length = 0;
    for (const struct search_engine *const *engine = search_engines(); *engine != NULL; engine++) {
        length += (size_t)snprintf(known + length, sizeof(known) - length, "%s%s",
                                   length > 0 ? ", " : "", (*engine)->name);
        pw_assert(length < sizeof(known));
    }
    char quoted[GRAPH_QUOTE_SIZE];
    return pwgraph_fail(error, PWGRAPH_BAD_ARGUMENT, "there is no engine %s; there are %s",
                        graph_quote(quoted, name, strlen(name)), known);
}

/* Make the workspace of a search that has its engine. False with error set. */
static bool make_workspace(struct pwgraph_search *search, struct pwgraph_error *error)
{
    const struct graph *graph = &search->graph->graph;
    const unsigned flags = search->engine->flags;
    if ((flags & SEARCH_BY_BLOCK) == 0 && !graph_allows_all(graph)) {
        return pwgraph_fail_status(search, PWGRAPH_BAD_INPUT, error);
    }
    if ((flags & SEARCH_USES_LIST) == 0 || linked_list_allocator()[0] != '\0') {
        search->workspace = search->engine->create(graph, NULL);
    }
    return search->workspace != NULL ||
           pwgraph_fail(error, PWGRAPH_NO_MEMORY, "out of memory for a search");
}

const char *pwgraph_engine(size_t index)
{
    const struct search_engine *const *engine = search_engines();
    while (*engine != NULL && index-- > 0) {
        engine++;
    }
    return *engine != NULL ? (*engine)->name : NULL;
}

struct pwgraph_search *pwgraph_search_create(const struct pwgraph *graph, const char *engine,
                                             struct pwgraph_error *error)
{
    struct pwgraph_search *search = calloc(1, sizeof(*search));
    if (search == NULL) {
        pwgraph_fail(error, PWGRAPH_NO_MEMORY, "out of memory for a search");
        return NULL;
    }
    search->graph = graph;
    search->threads = 1;
    search->engine = engine != NULL ? search_engine_find(engine) : &bidirectional_engine;
    if (search->engine != NULL ? !make_workspace(search, error) : !fail_engine(engine, error)) {
        free(search);
        return NULL;
    }
    return search;
}

void pwgraph_search_free(struct pwgraph_search *search)
{
    if (search != NULL) {
        search->engine->destroy(search->workspace);
        path_count_close(&search->paths);
        walk_destroy(search->walk);
        free(search);
    }
}

/* What a search may do ------------------------------------------------------------------------- */

void pwgraph_search_limit(struct pwgraph_search *search, uint64_t timeout_ns,
                          const volatile int *cancel)
{
    search->limits = (struct search_limits){.timeout_ns = timeout_ns, .cancel = cancel};
}

bool pwgraph_open_paths(struct pwgraph_search *search)
{
    return search->paths.sides[0].items != NULL ||
           path_count_open(&search->paths, &search->graph->graph);
}

bool pwgraph_are_nodes(const struct graph *graph, const uint32_t *nodes, size_t count,
                       struct pwgraph_error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (!graph_has_node(graph, nodes[i])) {
            return pwgraph_fail(error, PWGRAPH_BAD_ARGUMENT, "%lu is not a node of the graph",
                                (unsigned long)nodes[i]);
        }
    }
    return true;
}

bool pwgraph_search_avoid(struct pwgraph_search *search, const uint32_t *nodes, size_t count,
                          struct pwgraph_error *error)
{
    const struct graph *graph = &search->graph->graph;
    if (nodes == NULL && count > 0) {
        return pwgraph_fail(error, PWGRAPH_BAD_ARGUMENT, "nodes to avoid: NULL");
    }
    for (size_t i = 0; i < count; i++) {
        if (!graph_has_node(graph, nodes[i])) {
            return pwgraph_fail(error, PWGRAPH_BAD_ARGUMENT,
                                "nodes to avoid: %lu is not a node of the graph",
                                (unsigned long)nodes[i]);
        }
    }
    if (count == 0 && search->paths.sides[0].items == NULL) {
        return true;
    }
    if (!pwgraph_open_paths(search) || !path_count_avoid(&search->paths, nodes, count)) {
        return pwgraph_fail(error, PWGRAPH_NO_MEMORY, "out of memory for nodes to avoid");
    }
    search->avoids = count > 0;
    search->result.found = false; /* the path of the last search is gone */
    return true;
}

enum pwgraph_code pwgraph_code_of(enum search_status status)
{
    switch (status) {
    case SEARCH_DONE:
        return PWGRAPH_OK;
    case SEARCH_TIMED_OUT:
        return PWGRAPH_TIMED_OUT;
    case SEARCH_CANCELLED:
        return PWGRAPH_CANCELLED;
    case SEARCH_DAMAGED:
        return PWGRAPH_BAD_INPUT;
    default:
        return PWGRAPH_NO_MEMORY;
    }
}

bool pwgraph_fail_status(const struct pwgraph_search *search, enum pwgraph_code code,
                         struct pwgraph_error *error)
{
    if (code == PWGRAPH_BAD_INPUT && pwgraph_is_damaged(search->graph, error)) {
        return false;
    }
    return pwgraph_fail(error, code, "%s",
                        code == PWGRAPH_TIMED_OUT   ? "the search has timed out"
                        : code == PWGRAPH_CANCELLED ? "the search was cancelled"
                                                    : "out of memory");
}

void pwgraph_count_result(struct pwgraph_counts *counts, const struct search_result *result)
{
    counts->nodes += result->expanded;
    counts->edges += result->edges;
    counts->nanoseconds += result->elapsed_ns;
}

bool pwgraph_conclude(struct pwgraph_search *search, const struct search_result *result,
                      struct pwgraph_error *error)
{
    pwgraph_count_result(&search->counts, result);
    search->counts.code = pwgraph_code_of(result->status);
    return result->status == SEARCH_DONE || pwgraph_fail_status(search, search->counts.code, error);
}

struct pwgraph_counts pwgraph_search_counts(const struct pwgraph_search *search)
{
    return search->counts;
}

/* A pair --------------------------------------------------------------------------------------- */

static enum pwgraph_answer ask_pair(struct pwgraph_search *search, uint32_t source, uint32_t target,
                                    uint32_t *hops)
{
    const struct graph *graph = &search->graph->graph;
    struct search_result *result = &search->result;
    *result = (struct search_result){.status = SEARCH_DONE};
    search->counts = (struct pwgraph_counts){.code = PWGRAPH_OK};
    if (!graph_has_node(graph, source) || !graph_has_node(graph, target)) {
        search->counts.code = PWGRAPH_BAD_ARGUMENT;
        return PWGRAPH_FAILED;
    }
    search->used_paths = search->avoids;
    search->pair = (struct pair){source, target};
    if (cancel_is_set(search->limits.cancel)) { /* an engine looks only now and then */
        result->status = SEARCH_CANCELLED;
    } else if (search->avoids) {
        path_count_search(&search->paths, source, target, &search->limits, result);
    } else {
        search->engine->search(search->workspace, source, target, &search->limits, result);
    }
    pwgraph_count_result(&search->counts, result);
    search->counts.code = pwgraph_code_of(result->status);
    if (result->status != SEARCH_DONE) {
        result->found = false;
        return PWGRAPH_FAILED;
    }
    if (result->found && hops != NULL) {
        *hops = result->hops;
    }
    return result->found ? PWGRAPH_FOUND : PWGRAPH_NO_PATH;
}

enum pwgraph_answer pwgraph_search_run(struct pwgraph_search *search, uint32_t source,
                                       uint32_t target, uint32_t *hops)
{
    return ask_pair(search, source, target, hops);
}

bool pwgraph_search_path(struct pwgraph_search *search, uint32_t *nodes, size_t capacity)
{
    return search->result.found &&
           (search->used_paths ? path_count_path(&search->paths, nodes, capacity)
                               : search->engine->path(search->workspace, nodes, capacity));
}

/* Many pairs ----------------------------------------------------------------------------------- */

/* A call that asks many pairs. */
struct asking {
    struct pwgraph_search *search;
    const uint32_t *sources, *targets;
    uint32_t *hops;
    size_t count;
    struct search_limits limits; /* of the whole call */
    atomic_size_t next;
    atomic_int code; /* enum pwgraph_code; not OK: end */
    pthread_mutex_t lock;
    struct pwgraph_counts counts;
};

/* True if the time of the call is over; a short search does not look. */
static bool is_late(const struct asking *asking)
{
    return asking->limits.deadline_ns > 0 && clock_now_ns() >= asking->limits.deadline_ns;
}

/* Take the next pairs, until all are taken, with a search of this thread's own. */
static void ask_pairs(struct asking *asking, struct pwgraph_search *own)
{
    struct pwgraph_counts counts = {.code = PWGRAPH_OK};
    own->limits = asking->limits;
    while (atomic_load(&asking->code) == PWGRAPH_OK) {
        const size_t begin = atomic_fetch_add(&asking->next, PAIRS_AT_ONCE);
        if (begin >= asking->count) {
            break;
        }
        const size_t left = asking->count - begin;
        const size_t end = begin + (left < PAIRS_AT_ONCE ? left : PAIRS_AT_ONCE);
        for (size_t i = begin; i < end && counts.code == PWGRAPH_OK; i++) {
            uint32_t hops = PWGRAPH_NONE;
            if (is_late(asking)) {
                counts.code = PWGRAPH_TIMED_OUT;
                break;
            }
            ask_pair(own, asking->sources[i], asking->targets[i], &hops);
            counts.nodes += own->counts.nodes;
            counts.edges += own->counts.edges;
            counts.code = own->counts.code;
            asking->hops[i] = counts.code == PWGRAPH_OK ? hops : PWGRAPH_NOT_ASKED;
        }
        if (counts.code != PWGRAPH_OK) {
            atomic_store(&asking->code, (int)counts.code);
        }
    }
    pthread_mutex_lock(&asking->lock);
    asking->counts.nodes += counts.nodes;
    asking->counts.edges += counts.edges;
    pthread_mutex_unlock(&asking->lock);
}

/* The share of one thread. A further thread that has no memory leaves its share to the others. */
static void ask_in_thread(void *context, unsigned number)
{
    struct asking *asking = context;
    struct pwgraph_search *search = asking->search;
    struct pwgraph_search own = {.graph = search->graph, .engine = search->engine};
    if (number == 0) {
        const struct search_limits limits = search->limits;
        ask_pairs(asking, search);
        search->limits = limits;
        return;
    }
    own.workspace = search->engine->create(&search->graph->graph, search->workspace);
    own.avoids = search->avoids;
    if (own.workspace != NULL &&
        (!own.avoids ||
         (path_count_open(&own.paths, &search->graph->graph) &&
          path_count_avoid(&own.paths, search->paths.avoided, search->paths.avoided_count)))) {
        ask_pairs(asking, &own);
    }
    if (own.workspace != NULL) {
        search->engine->destroy(own.workspace);
    }
    path_count_close(&own.paths);
}

/* Ask by an engine that makes many searches at once. */
static void ask_batches(struct asking *asking, unsigned threads)
{
    struct pwgraph_search *search = asking->search;
    const struct search_engine *engine = search->engine;
    const size_t most = asking->count < BATCH ? asking->count : BATCH;
    struct pair *pairs = malloc(most * sizeof(*pairs));
    struct search_result *results = malloc(most * sizeof(*results));
    const bool ready =
        pairs != NULL && results != NULL &&
        (engine->set_threads == NULL || engine->set_threads(search->workspace, threads));
    atomic_store(&asking->code, ready ? PWGRAPH_OK : PWGRAPH_NO_MEMORY);
    for (size_t begin = 0;
         ready && begin < asking->count && atomic_load(&asking->code) == PWGRAPH_OK;
         begin += most) {
        const size_t left = asking->count - begin, count = left < most ? left : most;
        for (size_t i = 0; i < count; i++) {
            pairs[i] = (struct pair){asking->sources[begin + i], asking->targets[begin + i]};
        }
        engine->batch(search->workspace, pairs, count, &asking->limits, results);
        for (size_t i = 0; i < count; i++) {
            const struct search_result *result = &results[i];
            const bool done = result->status == SEARCH_DONE;
            asking->hops[begin + i] = !done           ? PWGRAPH_NOT_ASKED
                                      : result->found ? result->hops
                                                      : PWGRAPH_NONE;
            pwgraph_count_result(&asking->counts, result);
            if (!done) {
                atomic_store(&asking->code, (int)pwgraph_code_of(result->status));
            }
        }
    }
    free(pairs);
    free(results);
}

/* False with error set if a pair names a node that the graph does not have. */
static bool check_pairs(const struct graph *graph, const uint32_t *sources, const uint32_t *targets,
                        size_t count, struct pwgraph_error *error)
{
    for (size_t i = 0; i < count; i++) {
        const bool has_source = graph_has_node(graph, sources[i]);
        if (!has_source || !graph_has_node(graph, targets[i])) {
            return pwgraph_fail(error, PWGRAPH_BAD_ARGUMENT,
                                "pair %zu: %lu is not a node of the graph", i,
                                (unsigned long)(has_source ? targets[i] : sources[i]));
        }
    }
    return true;
}

bool pwgraph_search_pairs(struct pwgraph_search *search, const uint32_t *sources,
                          const uint32_t *targets, size_t count, unsigned threads, uint32_t *hops,
                          struct pwgraph_error *error)
{
    const struct graph *graph = &search->graph->graph;
    const uint64_t start_ns = clock_now_ns(), timeout_ns = search->limits.timeout_ns;
    struct asking asking = {.search = search,
                            .sources = sources,
                            .targets = targets,
                            .hops = hops,
                            .count = count,
                            .limits = {.cancel = search->limits.cancel},
                            .lock = PTHREAD_MUTEX_INITIALIZER};
    search->counts = (struct pwgraph_counts){.code = PWGRAPH_BAD_ARGUMENT};
    search->result.found = false; /* the path of the last search is gone */
    if ((count > 0 && (sources == NULL || targets == NULL || hops == NULL)) ||
        threads > PWGRAPH_THREADS_MAX) {
        return pwgraph_fail(error, PWGRAPH_BAD_ARGUMENT,
                            "pairs: expected three arrays, and at most %d threads",
                            PWGRAPH_THREADS_MAX);
    }
    if (!check_pairs(graph, sources, targets, count, error)) {
        return false;
    }
    if (timeout_ns > 0 && timeout_ns < UINT64_MAX - start_ns) {
        asking.limits.deadline_ns = start_ns + timeout_ns;
    }
    for (size_t i = 0; i < count; i++) {
        hops[i] = PWGRAPH_NOT_ASKED;
    }
    threads = parallel_count(threads);
    if (count > 0 && search->engine->batch != NULL && !search->avoids) {
        ask_batches(&asking, threads);
    } else if (count > 0) {
        const size_t most = (count + PAIRS_AT_ONCE - 1) / PAIRS_AT_ONCE;
        parallel_run(threads < most ? threads : (unsigned)most, ask_in_thread, &asking);
    }
    const enum pwgraph_code code = (enum pwgraph_code)atomic_load(&asking.code);
    search->result.found = false;
    search->counts = asking.counts;
    search->counts.nanoseconds = clock_now_ns() - start_ns;
    search->counts.code = code;
    return code == PWGRAPH_OK || pwgraph_fail_status(search, code, error);
}

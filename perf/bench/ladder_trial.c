/*
 * ladder_trial.c - a subject's graph and workspace prepared, its searches made and summed up.
 *
 * Bytes moved are counted from what a search does, not measured: a cache line for a node's offsets
 * and its row's begin, four bytes an entry, a list node written and read.
 */
#include "ladder_trial.h"
#include "bfs/engines/engines.h"
#include "bfs/engines/parts/large_block.h"
#include "bfs/search/processor.h"
#include "bfs/search/search.h"
#include "bfs/search/team.h"
#include "challenge_layout.h"
#include "data/make/graph_order.h"
#include "hand_loop.h"
#include "libqueue/queue.h"
#include "perf/report/clock.h"
#include "trial.h"
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#define LONG_SEARCH 20000000 /* ns; a search that finds nothing and takes longer saw everything */
#define MIMALLOC    "libmimalloc.so.2"
#define NODE_BYTES  16
#define CACHE_LINE  64
#define WARM_PAIRS  8
#define THREADS_MAX 2

#define DIRECTION "direction-optimizing"

enum {
    BEFORE = LADDER_BEFORE,
    RUNG = LADDER_RUNG,
    SWITCH = LADDER_SWITCH,
    BY_PAIRS = LADDER_BY_PAIRS,
};

const struct ladder_subject ladder_subjects[] = {
    {"the challenge's layout, malloc", NULL, "malloc", NULL, 1, BEFORE, NULL},
    {"classic, malloc", "classic", "malloc", NULL, 1, BEFORE, NULL},
    {"classic, mimalloc", "classic", "malloc", MIMALLOC, 1, BEFORE, NULL},
    {"classic, slab", "classic", "slab", NULL, 1, BEFORE | RUNG | SWITCH, NULL},
    {"mark-on-push, malloc", "mark-on-push", "malloc", NULL, 1, BEFORE, "classic, malloc"},
    {"unrolled, malloc", "unrolled", "malloc", NULL, 1, BEFORE, "mark-on-push, malloc"},
    {"mark-on-push, slab", "mark-on-push", "slab", NULL, 1, BEFORE | RUNG, "classic, slab"},
    {"unrolled, slab", "unrolled", "slab", NULL, 1, BEFORE | RUNG, NULL},
    {"array", "array", "slab", NULL, 1, BEFORE | RUNG | SWITCH, NULL},
    {"the array loop by hand", "hand", "slab", NULL, 1, RUNG, "array"},
    {"bitmap", "bitmap", "slab", NULL, 1, BEFORE | RUNG | SWITCH, "array"},
    {"direction-optimizing", DIRECTION, "slab", NULL, 1, BEFORE | RUNG | SWITCH, "bitmap"},
    {"multi-source", "multi-source", "slab", NULL, 1, BEFORE | RUNG | SWITCH, NULL},
    {"bidirectional", "bidirectional", "slab", NULL, 1, BEFORE | RUNG, NULL},
    {"classic, 2 threads, pairs", "classic", "slab", NULL, 2, SWITCH | BY_PAIRS, "classic, slab"},
    {"array, 2 threads, pairs", "array", "slab", NULL, 2, SWITCH | BY_PAIRS, "array"},
    {"array, 2 threads, one search", "array", "slab", NULL, 2, SWITCH, "array"},
    {"bitmap, 2 threads, one search", "bitmap", "slab", NULL, 2, SWITCH, "bitmap"},
    {"direction-opt., 2 threads, one search", DIRECTION, "slab", NULL, 2, SWITCH,
     "direction-optimizing"},
    {"multi-source, 2 threads", "multi-source", "slab", NULL, 2, SWITCH, "multi-source"},
    {"classic, graph in small pages", "classic", "slab", NULL, 1, SWITCH | LADDER_SMALL_PAGES,
     "classic, slab"},
    {"array, graph in small pages", "array", "slab", NULL, 1, SWITCH | LADDER_SMALL_PAGES, "array"},
    {"bitmap, graph in small pages", "bitmap", "slab", NULL, 1, SWITCH | LADDER_SMALL_PAGES,
     "bitmap"},
    {"classic, nodes in huge pages", "classic", "slab:pages=huge", NULL, 1, SWITCH,
     "classic, slab"},
    {"array, queue too in huge pages", "array", "slab", NULL, 1, SWITCH | LADDER_HUGE_WORK,
     "array"},
    {"classic, pinned", "classic", "slab", NULL, 1, SWITCH | LADDER_PINNED, "classic, slab"},
    {"array, pinned", "array", "slab", NULL, 1, SWITCH | LADDER_PINNED, "array"},
    {"array, 2 threads, pairs, pinned", "array", "slab", NULL, 2, SWITCH | BY_PAIRS | LADDER_PINNED,
     "array, 2 threads, pairs"},
    {"classic, nodes in bfs order", "classic", "slab", NULL, 1, SWITCH | LADDER_BFS_ORDER,
     "classic, slab"},
    {"array, nodes in bfs order", "array", "slab", NULL, 1, SWITCH | LADDER_BFS_ORDER, "array"},
    {"bitmap, nodes in bfs order", "bitmap", "slab", NULL, 1, SWITCH | LADDER_BFS_ORDER, "bitmap"},
    {"array, nodes by degree", "array", "slab", NULL, 1, SWITCH | LADDER_DEGREE_ORDER, "array"},
};
const size_t ladder_subject_count = sizeof(ladder_subjects) / sizeof(ladder_subjects[0]);

/* The trial of a subject, in its own process: what it changes of the graph is gone with it. */
struct ladder_trial {
    const struct ladder_subject *subject;
    struct graph graph;
    struct pair *pairs;
    size_t pair_count;
    void *workspaces[THREADS_MAX];
    struct search_result *results;
    struct challenge_graph *challenge;
    struct hand_loop *hand;
    atomic_size_t next;
};

/* A copy of an array in pages of the normal size, or NULL. */
static void *copy_to_small_pages(const void *array, size_t bytes)
{
    void *copy = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (copy == MAP_FAILED) {
        return NULL;
    }
    madvise(copy, bytes, MADV_NOHUGEPAGE);
    return memcpy(copy, array, bytes);
}

static bool use_small_pages(struct graph *graph)
{
    size_t offsets = ((size_t)graph->node_limit + 1) * sizeof(*graph->offsets);
    size_t neighbours = (size_t)graph->edge_count * sizeof(*graph->neighbours);
    graph->offsets = copy_to_small_pages(graph->offsets, offsets);
    graph->neighbours = copy_to_small_pages(graph->neighbours, neighbours);
    return graph->offsets != NULL && graph->neighbours != NULL;
}

/* The same graph with other labels, and the same pairs in these. */
static bool renumber(struct ladder_trial *trial, enum graph_order order)
{
    struct graph *graph = &trial->graph;
    struct graph_error error;
    uint32_t *new_ids = malloc(((size_t)graph->node_limit + 1) * sizeof(*new_ids));
    bool renumbered = new_ids != NULL && graph_renumber(graph, order, 1, &error);
    for (uint32_t node = graph->first_node; renumbered && node < graph->node_limit; node++) {
        new_ids[graph_original_id(graph, node)] = node;
    }
    for (size_t i = 0; renumbered && i < trial->pair_count; i++) {
        trial->pairs[i].source = new_ids[trial->pairs[i].source];
        trial->pairs[i].target = new_ids[trial->pairs[i].target];
    }
    free(new_ids);
    return renumbered;
}

static bool prepare_graph(struct ladder_trial *trial)
{
    const unsigned flags = trial->subject->flags;
    large_block_use_huge_pages((flags & LADDER_HUGE_WORK) != 0);
    if (flags & (LADDER_BFS_ORDER | LADDER_DEGREE_ORDER)) {
        return renumber(trial, flags & LADDER_BFS_ORDER ? GRAPH_ORDER_BFS : GRAPH_ORDER_DEGREE);
    }
    return !(flags & LADDER_SMALL_PAGES) || use_small_pages(&trial->graph);
}

static bool register_library(const char *library)
{
    void *handle = dlopen(library, RTLD_NOW);
    void *found[2] = {handle ? dlsym(handle, "mi_malloc") : NULL,
                      handle ? dlsym(handle, "mi_free") : NULL};
    void *(*allocate)(size_t);
    void (*release)(void *);
    memcpy(&allocate, &found[0], sizeof(allocate));
    memcpy(&release, &found[1], sizeof(release));
    return found[0] != NULL && found[1] != NULL && queue_register_malloc(allocate) &&
           queue_register_free(release);
}

static void search_one(struct ladder_trial *trial, unsigned seat, size_t i)
{
    const struct pair pair = trial->pairs[i];
    struct search_result *result = &trial->results[i];
    if (trial->challenge != NULL) {
        challenge_search(trial->challenge, pair.source, pair.target, result);
    } else if (trial->hand != NULL) {
        hand_loop_search(trial->hand, pair.source, pair.target, result);
    } else {
        search_engine_find(trial->subject->engine)
            ->search(trial->workspaces[seat], pair.source, pair.target, NULL, result);
    }
}

static void share_pairs(void *argument, unsigned index)
{
    struct ladder_trial *trial = argument;
    bool own = index > 0 && linked_list_thread_begin(NULL);
    if (trial->subject->flags & LADDER_PINNED) {
        processor_pin_nth(index);
    }
    for (size_t i; (i = atomic_fetch_add(&trial->next, 1)) < trial->pair_count;) {
        search_one(trial, index, i);
    }
    if (own) {
        linked_list_thread_end();
    }
}

/* All pairs of the trial once. */
static void search_all(struct ladder_trial *trial, struct team *team)
{
    const struct search_engine *engine =
        trial->workspaces[0] != NULL ? search_engine_find(trial->subject->engine) : NULL;
    atomic_store(&trial->next, 0);
    if (team != NULL) {
        team_run(team, share_pairs, trial);
    } else if (engine != NULL && engine->batch != NULL) {
        engine->batch(trial->workspaces[0], trial->pairs, trial->pair_count, NULL, trial->results);
    } else {
        for (size_t i = 0; i < trial->pair_count; i++) {
            search_one(trial, 0, i);
        }
    }
}

static double bytes_of(const struct ladder_subject *subject, const struct search_result *result)
{
    double bytes = 4.0 * (double)result->edges + 2.0 * CACHE_LINE * (double)result->expanded;
    const struct search_engine *engine =
        subject->engine ? search_engine_find(subject->engine) : search_engine_find("classic");
    if (engine != NULL && engine->flags & SEARCH_USES_LIST) {
        double node_bytes = strcmp(engine->name, "unrolled") == 0 ? 4.1 : NODE_BYTES;
        bytes += 2.0 * node_bytes * (double)result->pushed;
    }
    return bytes;
}

static int compare_times(const void *left, const void *right)
{
    uint64_t a = ((const struct search_result *)left)->elapsed_ns;
    uint64_t b = ((const struct search_result *)right)->elapsed_ns;
    return (a > b) - (a < b);
}

static void sum_up(const struct ladder_trial *trial, double *values)
{
    double full = 0;
    for (size_t i = 0; i < trial->pair_count; i++) {
        const struct search_result *result = &trial->results[i];
        values[LADDER_EXPANDED] += (double)result->expanded;
        values[LADDER_EDGES] += (double)result->edges;
        values[LADDER_BYTES] += bytes_of(trial->subject, result);
        values[LADDER_FOUND] += result->found;
        values[LADDER_HOPS] += result->found ? result->hops : 0;
        if (!result->found && result->elapsed_ns > LONG_SEARCH) {
            values[LADDER_FULL] += (double)result->elapsed_ns / 1e9;
            full++;
        }
    }
    values[LADDER_FULL] = full > 0 ? values[LADDER_FULL] / full : 0;
    qsort(trial->results, trial->pair_count, sizeof(*trial->results), compare_times);
    values[LADDER_PAIR_US] = (double)trial->results[trial->pair_count / 2].elapsed_ns / 1e3;
}

static bool prepare_subject(struct ladder_trial *trial)
{
    const struct ladder_subject *subject = trial->subject;
    if (subject->library != NULL && !register_library(subject->library)) {
        return false;
    }
    if (!linked_list_set_allocator(subject->allocator)) {
        return false;
    }
    if (subject->engine == NULL) {
        trial->challenge = challenge_graph_create(&trial->graph);
        return trial->challenge != NULL;
    }
    if (strcmp(subject->engine, "hand") == 0) {
        trial->hand = hand_loop_create(&trial->graph);
        return trial->hand != NULL;
    }
    const struct search_engine *engine = search_engine_find(subject->engine);
    trial->workspaces[0] = engine->create(&trial->graph);
    if (trial->workspaces[0] == NULL) {
        return false;
    }
    if (subject->flags & LADDER_BY_PAIRS) {
        trial->workspaces[1] = engine->share(trial->workspaces[0]);
        return trial->workspaces[1] != NULL;
    }
    return subject->threads == 1 || engine->set_threads(trial->workspaces[0], subject->threads);
}

/* Processor time of all threads of the process. */
static uint64_t processor_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* The body of the trial. */
static bool measure(void *context, double *values, size_t count)
{
    struct ladder_trial *trial = context;
    const struct ladder_subject *subject = trial->subject;
    (void)count;
    if (!prepare_graph(trial)) {
        return false;
    }
    uint64_t start_ns = clock_now_ns();
    if (!prepare_subject(trial)) {
        return false;
    }
    values[LADDER_SETUP] = (double)(clock_now_ns() - start_ns) / 1e9;
    trial->results = calloc(trial->pair_count, sizeof(*trial->results));
    struct team *team = subject->flags & LADDER_BY_PAIRS ? team_create(subject->threads) : NULL;
    if (trial->results == NULL || (subject->flags & LADDER_BY_PAIRS && team == NULL)) {
        return false;
    }
    processor_remember_allowed();
    if (subject->flags & LADDER_PINNED) {
        processor_pin_nth(0);
    }
    const size_t pair_count = trial->pair_count;
    const size_t warm = subject->flags & LADDER_RUNG ? WARM_PAIRS : 1; /* the others may be slow */
    trial->pair_count = pair_count < warm ? pair_count : warm;
    search_all(trial, team);
    trial->pair_count = pair_count;
    uint64_t cpu_ns = processor_ns();
    start_ns = clock_now_ns();
    search_all(trial, team);
    values[LADDER_CPU_SECONDS] = (double)(processor_ns() - cpu_ns) / 1e9;
    values[LADDER_SECONDS] = (double)(clock_now_ns() - start_ns) / 1e9;
    sum_up(trial, values);
    return true;
}

bool ladder_trial_run(const struct ladder_subject *subject, const struct graph *graph,
                      const struct pair *pairs, size_t pair_count, double *values)
{
    struct ladder_trial trial = {.subject = subject, .graph = *graph, .pair_count = pair_count};
    trial.pairs = malloc(pair_count * sizeof(*pairs));
    if (trial.pairs == NULL) {
        return false;
    }
    memcpy(trial.pairs, pairs, pair_count * sizeof(*pairs));
    bool done = trial_run(measure, &trial, values, LADDER_VALUES);
    free(trial.pairs);
    return done;
}

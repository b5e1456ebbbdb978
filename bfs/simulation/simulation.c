/*
 * simulation.c - chooses a simulation that ends in minutes, and runs it.
 *
 * 1. Load the inputs natively. The child gets them as a snapshot, which it maps.
 * 2. Make the first search natively. If it would not fit the limit at a nominal speed, make the
 *    graph smaller, and try again. A smaller graph has the first half of the nodes; each edge goes
 *    to its target modulo their number, which keeps the degrees.
 * 3. Start bfs again under Callgrind, with an environment and addresses that are the same every
 *    time, so that two runs give the same counts.
 * 4. The child ends when its simulated instructions fill the limit at the same nominal speed, so it
 *    makes the same searches every time.
 */
#include "simulation.h"
#include "base/macros.h"
#include "base/program/child.h"
#include "base/program/interrupt.h"
#include "base/pw_assert.h"
#include "bfs/search/search.h"
#include "counters/cache_geometry.h"
#include "counters/resources.h"
#include "counters/simulated_counters.h"
#include "data/reverse/graph_reverse.h"
#include "simulation_child.h"
#include <dirent.h>
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif

#define NOMINAL_INSTRUCTIONS 150  /* per queue operation, roughly */
#define NODES_MIN            1000 /* a smaller graph shows nothing */

struct simulation {
    const struct options *options;
    char *const *arguments;
    const struct search_engine *engine;
    struct progress *progress;
    struct cache_geometry geometry;
    struct inputs inputs;
    size_t first, number_count; /* selected searches: the first, and how many */
    uint32_t folded_from;       /* node_limit before the graph was made smaller, or 0 */
    char valgrind[256];
    char folder[64];
};

/* The child ----------------------------------------------------------------------------------- */

static void add_cache(struct child_words *words, const char *name, const struct cache *cache)
{
    child_words_print(words, "--%s=%llu,%u,%u", name, (unsigned long long)cache->size_bytes,
                      cache->ways, cache->line_bytes);
}

/* The child's command line: Valgrind's, then our own. */
static void child_command(const struct simulation *simulation, struct child_words *words)
{
    char own[512] = "";
    ssize_t length = readlink("/proc/self/exe", own, sizeof(own) - 1);
    own[length > 0 ? length : 0] = '\0';
    child_words_print(words, "%s", simulation->valgrind);
    child_words_print(words, "--quiet");
    child_words_print(words, "--tool=callgrind");
    child_words_print(words, "--instr-atstart=no");
    child_words_print(words, "--collect-atstart=no");
    child_words_print(words, "--cache-sim=yes");
    child_words_print(words, "--branch-sim=yes");
    add_cache(words, "I1", &simulation->geometry.l1i);
    add_cache(words, "D1", &simulation->geometry.l1d);
    add_cache(words, "LL", &simulation->geometry.l2);
    child_words_print(words, "--callgrind-out-file=%s/sim", simulation->folder);
    child_words_print(words, "--log-file=%s/log", simulation->folder);
    child_words_print(words, "%s", own);
    for (size_t i = 1; simulation->arguments[i] != NULL; i++) {
        child_words_add(words, simulation->arguments[i]);
    }
}

/* The part of the user's environment that the child needs. */
static void child_environment(const struct simulation *simulation, struct child_words *words)
{
    static const char *const kept[] = {"LINKED_LIST_ALLOC", "VALGRIND_LIB", "GLIBC_TUNABLES"};
    child_words_print(words, "LC_ALL=C");
    child_words_print(words, "PATH=/usr/bin:/bin");
    child_words_print(words, SIMULATION_VARIABLE "=%s", simulation->folder);
    for (size_t i = 0; i < COUNT_OF(kept); i++) {
        if (getenv(kept[i]) != NULL) {
            child_words_print(words, "%s=%s", kept[i], getenv(kept[i]));
        }
    }
}

/* Start the child at addresses that are the same every time. 0, or the errno. */
static int start_child(const struct simulation *simulation, pid_t *child)
{
    struct child_words command = {.count = 0};
    struct child_words environment = {.count = 0};
    child_command(simulation, &command);
    child_environment(simulation, &environment);
    if (command.too_many || environment.too_many) {
        return E2BIG;
    }
    int before = personality(0xffffffff);
    personality((unsigned long)before | ADDR_NO_RANDOMIZE);
    int error = posix_spawn(child, command.list[0], NULL, NULL, command.list, environment.list);
    personality((unsigned long)before);
    return error;
}

/* Hand the inputs to a child and wait for it. Returns its exit status, or fails with error set. */
static int run_child(const struct simulation *simulation, struct command_error *error)
{
    pid_t child = 0;
    struct graph_error graph_error = {0};
    if (!simulation_inputs_write(simulation->folder, &simulation->inputs, simulation->folded_from,
                                 &graph_error)) {
        command_fail(error, "%s", graph_error.message);
        return EXIT_FAILED;
    }
    int failure = start_child(simulation, &child);
    if (failure != 0) {
        command_fail(error, "cannot start the simulation: %s", strerror(failure));
        return EXIT_FAILED;
    }
    const int status = child_wait(child, NULL);
    if (WIFSIGNALED(status)) {
        command_fail(error, "the simulation was ended by signal %d", WTERMSIG(status));
        return EXIT_FAILED;
    }
    return WEXITSTATUS(status);
}

/* How much fits ------------------------------------------------------------------------------- */

/* Make the first search natively; its queue operations. False with error set. */
static bool try_first(struct simulation *simulation, uint64_t *operations,
                      struct command_error *error)
{
    const struct search_limits limits = {.cancel = interrupt_flag()};
    const struct search_engine *engine = simulation->engine;
    struct graph *graph = &simulation->inputs.graph;
    struct graph_error graph_error;
    struct search_result result;
    if (engine->flags & SEARCH_NEEDS_REVERSE && graph->in_offsets == NULL &&
        !graph_add_reverse(graph, 0, interrupt_flag(), &graph_error)) {
        return command_fail(error, "%s", graph_error.message);
    }
    void *workspace = engine->create(graph, NULL);
    if (workspace == NULL) {
        return command_fail(error, "out of memory for the %s engine's workspace", engine->name);
    }
    struct pair pair = simulation->inputs.pairs.items[simulation->first - 1];
    progress_show(simulation->progress, false, "trying the first search");
    engine->search(workspace, pair.source, pair.target, &limits, &result);
    *operations = (result.visited != SEARCH_COUNT_UNKNOWN ? result.visited : 0) +
                  (result.pushed != SEARCH_COUNT_UNKNOWN ? result.pushed : 0);
    engine->destroy(workspace);
    progress_clear(simulation->progress);
    return true;
}

/* Keep the first nodes of the graph. Every edge and pair goes to its node modulo their number. */
static bool fold(struct simulation *simulation, uint32_t nodes, struct command_error *error)
{
    struct inputs *inputs = &simulation->inputs;
    struct graph *graph = &inputs->graph;
    const uint32_t first = graph->first_node;
    const uint32_t limit = first + nodes;
    const uint64_t edge_count = graph->offsets[limit];
    const size_t offset_bytes = ((size_t)limit + 1) * sizeof(*graph->offsets);
    struct graph small = {.first_node = first, .node_limit = limit, .edge_count = edge_count};
    pw_assert(nodes > 0 && limit <= graph->node_limit);
    small.offsets = malloc(offset_bytes);
    small.neighbours = malloc(((size_t)edge_count + 1) * sizeof(*small.neighbours));
    if (small.offsets == NULL || small.neighbours == NULL) {
        graph_free(&small);
        return command_fail(error, "out of memory for a smaller graph");
    }
    memcpy(small.offsets, graph->offsets, offset_bytes);
    for (uint64_t i = 0; i < edge_count; i++) {
        small.neighbours[i] = first + (graph->neighbours[i] - first) % nodes;
    }
    for (size_t i = 0; i < inputs->pairs.count; i++) {
        struct pair *pair = &inputs->pairs.items[i];
        pair->source = first + (pair->source - first) % nodes;
        pair->target = first + (pair->target - first) % nodes;
    }
    if (simulation->folded_from == 0) {
        simulation->folded_from = graph->node_limit;
    }
    graph_free(graph);
    *graph = small;
    return true;
}

/* Make the graph smaller until the first search fits. */
static bool shrink(struct simulation *simulation, struct command_error *error)
{
    const struct options *options = simulation->options;
    const double budget = simulated_counters_budget(options->counters.simulation_limit_ns) /
                          (double)(options->trials + options->warmups);
    uint64_t operations = 0;
    while (try_first(simulation, &operations, error)) {
        const uint32_t nodes = graph_node_count(&simulation->inputs.graph);
        if ((double)operations * NOMINAL_INSTRUCTIONS <= budget || nodes <= NODES_MIN ||
            *interrupt_flag() != 0) {
            return true;
        }
        if (!fold(simulation, nodes / 2 < NODES_MIN ? NODES_MIN : nodes / 2, error)) {
            return false;
        }
    }
    return false;
}

/* The run ------------------------------------------------------------------------------------- */

/* Announce the simulation, and how long it may take. */
static void announce(const struct simulation *simulation)
{
    char l1i[CACHE_TEXT_BYTES], l1d[CACHE_TEXT_BYTES], l2[CACHE_TEXT_BYTES];
    const struct graph *graph = &simulation->inputs.graph;
    fprintf(stderr,
            "bfs: simulating at most %zu searches, some %.0f s at most; caches (%s): L1I %s, "
            "L1D %s, L2 %s\n",
            simulation->number_count,
            (double)simulation->options->counters.simulation_limit_ns / 1e9,
            simulation->geometry.name, cache_describe(&simulation->geometry.l1i, l1i),
            cache_describe(&simulation->geometry.l1d, l1d),
            cache_describe(&simulation->geometry.l2, l2));
    if (simulation->folded_from > 0) {
        fprintf(stderr,
                "bfs: the graph is made smaller for it, %u nodes and %llu edges; --sim-limit "
                "allows more time\n",
                graph_node_count(graph), (unsigned long long)graph->edge_count);
    }
}

static void remove_folder(const char *path)
{
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        unlinkat(dirfd(folder), entry->d_name, 0);
    }
    if (folder != NULL) {
        closedir(folder);
    }
    rmdir(path);
}

/* Load, and make sure that a search fits. */
static bool prepare(struct simulation *simulation, struct command_error *error)
{
    const struct options *options = simulation->options;
    const uint64_t nodes = options->counters.simulation_nodes;
    struct graph_error graph_error = {0};
    progress_show(simulation->progress, true, "loading %s", options->graph);
    bool loaded = inputs_load(options, 0, simulation->engine->flags & SEARCH_NEEDS_REVERSE,
                              simulation->progress, &simulation->inputs, &graph_error);
    progress_clear(simulation->progress);
    if (!loaded) {
        return command_fail(error, "%s", graph_error.message);
    }
    size_t *numbers = NULL;
    if ((nodes > 0 && nodes < graph_node_count(&simulation->inputs.graph) &&
         !fold(simulation, (uint32_t)nodes, error)) ||
        search_selection_resolve(options->only, simulation->inputs.pairs.count, &numbers,
                                 &simulation->number_count, error) != EXIT_OK) {
        return false;
    }
    simulation->first = numbers[0];
    free(numbers);
    return shrink(simulation, error);
}

/* True if this build and machine can simulate. */
static bool is_possible(struct simulation *simulation, struct command_error *error)
{
#ifdef SANITIZED
    (void)simulation;
    return command_fail(error, "--sim does not work in a build with AddressSanitizer or "
                               "ThreadSanitizer");
#else
    if (!simulated_counters_built_in()) {
        return command_fail(error, "--sim is not built in: install the package valgrind and build "
                                   "again");
    }
    return resources_program("valgrind", simulation->valgrind, sizeof(simulation->valgrind)) ||
           command_fail(error, "--sim needs Valgrind: install the package valgrind");
#endif
}

int simulation_run(const struct options *options, char *const *arguments,
                   const struct search_engine *engine, struct progress *progress,
                   struct command_error *error)
{
    static struct simulation simulation;
    int status = EXIT_FAILED;
    simulation = (struct simulation){.options = options,
                                     .arguments = arguments,
                                     .engine = engine,
                                     .progress = progress,
                                     .folder = "/tmp/pointer-wars-sim-XXXXXX"};
    if (!cache_geometry_parse(&simulation.geometry, options->counters.simulation, error)) {
        return EXIT_USAGE;
    }
    if (!is_possible(&simulation, error)) {
        return EXIT_FAILED;
    }
    if (mkdtemp(simulation.folder) == NULL) {
        command_fail(error, "/tmp: %s", strerror(errno));
        return EXIT_FAILED;
    }
    if (prepare(&simulation, error)) {
        if (*interrupt_flag() != 0) {
            command_fail(error, "interrupted before the simulation");
            status = interrupt_exit_status();
        } else {
            if (!options->report.quiet) {
                announce(&simulation);
            }
            status = run_child(&simulation, error);
        }
    }
    inputs_free(&simulation.inputs);
    remove_folder(simulation.folder);
    return status;
}

/*
 * simulation.c - bring a simulation to an end in minutes.
 *
 * 1. Load the inputs natively. The child gets them through a memory file.
 * 2. Make the searches natively, to learn how many queue operations each has.
 * 3. Simulate a small graph: what an operation costs on this machine with this allocator.
 * 4. Take as many searches as fit the limit, in their order, by a nominal speed, so that the choice
 *    is the same every time. When not one fits, make the graph smaller: the first half of the
 *    nodes, each edge going to its target modulo their number, which keeps the degrees.
 * 5. Start bfs again under Callgrind, with an environment and addresses that are the same every
 *    time, so that two runs give the same counts.
 */
#include "simulation.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include "base/system_file.h"
#include "bfs/search/search.h"
#include "data/make/generate.h"
#include "perf/counters/cache_geometry.h"
#include "perf/counters/simulated_counters.h"
#include "perf/program/interrupt.h"
#include "simulation_child.h"
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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

#define WORDS_MAX       128
#define CALIBRATE_GRAPH "generate:nodes=6k,edges=75k,seed=1"
#define CALIBRATE_PAIRS "random:4,seed=1"
#define CALIBRATE_COUNT 4
#define STARTING_NS     2e9  /* Valgrind itself, and reading the inputs */
#define NOMINAL_NS      15   /* what simulating an instruction takes, roughly */
#define NODES_MIN       1000 /* a smaller graph tells nothing */

struct simulation {
    const struct options *options;
    char *const *arguments;
    const struct search_engine *engine;
    struct progress *progress;
    struct cache_geometry geometry;
    struct inputs inputs;
    size_t *numbers;
    size_t number_count;             /* selected */
    uint64_t *work;                  /* queue operations of each, as far as they were tried */
    size_t known;                    /* how many of them are known */
    double ns_per_operation;         /* as this machine simulates now: to predict the time */
    double nominal_ns_per_operation; /* by instructions: to choose, the same every time */
    struct simulation_child child;   /* what the child is told */
    char valgrind[256];
    char folder[64];
};

/* The child ----------------------------------------------------------------------------------- */

/* The words of a command line or of an environment, ended by NULL. */
struct words {
    char *list[WORDS_MAX + 1];
    size_t count;
    char text[4096]; /* those that were put together */
    size_t used;
};

__attribute__((format(printf, 2, 3))) static void add_word(struct words *words, const char *format,
                                                           ...)
{
    char *word = words->text + words->used;
    size_t room = sizeof(words->text) - words->used;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(word, room, format, arguments);
    va_end(arguments);
    if (length >= 0 && (size_t)length < room && words->count < WORDS_MAX) {
        words->used += (size_t)length + 1;
        words->list[words->count++] = word;
    }
}

static void add_cache(struct words *words, const char *name, const struct cache *cache)
{
    add_word(words, "--%s=%llu,%u,%u", name, (unsigned long long)cache->size_bytes, cache->ways,
             cache->line_bytes);
}

/* The child's command line: Valgrind's, then our own, then what is different this time. */
static void child_command(const struct simulation *simulation, const char *const *extra,
                          struct words *words)
{
    char own[512] = "";
    ssize_t length = readlink("/proc/self/exe", own, sizeof(own) - 1);
    own[length > 0 ? length : 0] = '\0';
    add_word(words, "%s", simulation->valgrind);
    add_word(words, "--quiet");
    add_word(words, "--tool=callgrind");
    add_word(words, "--instr-atstart=no");
    add_word(words, "--collect-atstart=no");
    add_word(words, "--cache-sim=yes");
    add_word(words, "--branch-sim=yes");
    add_cache(words, "I1", &simulation->geometry.l1i);
    add_cache(words, "D1", &simulation->geometry.l1d);
    add_cache(words, "LL", &simulation->geometry.l2);
    add_word(words, "--callgrind-out-file=%s/sim", simulation->folder);
    add_word(words, "--log-file=%s/log", simulation->folder);
    add_word(words, "%s", own);
    for (size_t i = 1; simulation->arguments[i] != NULL && words->count < WORDS_MAX - 10; i++) {
        words->list[words->count++] = simulation->arguments[i];
    }
    for (; *extra != NULL; extra++) {
        add_word(words, "%s", *extra);
    }
}

/* Nothing of the user's environment but what the child needs. */
static void child_environment(const struct simulation *simulation, struct words *words)
{
    static const char *const kept[] = {"LINKED_LIST_ALLOC", "VALGRIND_LIB"};
    add_word(words, "LC_ALL=C");
    add_word(words, "PATH=/usr/bin:/bin");
    add_word(words, SIMULATION_VARIABLE "=%s", simulation->folder);
    for (size_t i = 0; i < COUNT_OF(kept); i++) {
        if (getenv(kept[i]) != NULL) {
            add_word(words, "%s=%s", kept[i], getenv(kept[i]));
        }
    }
}

/* Start the child with the inputs as a descriptor of its own, at addresses that are the same every
 * time. 0, or the errno. */
static int start_child(const struct simulation *simulation, int memory, const char *const *extra,
                       pid_t *child)
{
    struct words command = {.count = 0};
    struct words environment = {.count = 0};
    posix_spawn_file_actions_t actions;
    child_command(simulation, extra, &command);
    child_environment(simulation, &environment);
    int before = personality(0xffffffff);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, memory, SIMULATION_DESCRIPTOR);
    personality((unsigned long)before | ADDR_NO_RANDOMIZE);
    int error = posix_spawn(child, command.list[0], &actions, NULL, command.list, environment.list);
    personality((unsigned long)before);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* The exit status of the child, or -1 with error set. Ctrl-C reaches the child by itself. */
static int wait_for(pid_t child, struct command_error *error)
{
    int status = 0;
    bool told = false;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
        if (!told && *interrupt_flag() == SIGTERM) {
            kill(child, SIGTERM);
            told = true;
        }
    }
    if (WIFSIGNALED(status)) {
        command_fail(error, "the simulation was ended by signal %d", WTERMSIG(status));
        return -1;
    }
    return WEXITSTATUS(status);
}

/* Hand the inputs to a child and wait for it. Returns its exit status, or -1 with error set. */
static int run_child(const struct simulation *simulation, const char *const *extra,
                     struct command_error *error)
{
    pid_t child = 0;
    int memory = memfd_create("pointer-wars inputs", MFD_CLOEXEC);
    bool written =
        memory >= 0 && simulation_inputs_write(memory, &simulation->inputs, &simulation->child);
    int failure = written ? start_child(simulation, memory, extra, &child) : errno;
    if (memory >= 0) {
        close(memory);
    }
    if (failure != 0) {
        command_fail(error, "cannot %s: %s",
                     written ? "start the simulation" : "hand the graph to the simulation",
                     strerror(failure));
        return -1;
    }
    return wait_for(child, error);
}

/* How much fits ------------------------------------------------------------------------------- */

/* Make searches natively until it is clear that no more will fit, and note the work of each. */
static bool try_searches(struct simulation *simulation, uint64_t most, struct command_error *error)
{
    const struct search_limits limits = {.cancel = interrupt_flag()};
    const struct search_engine *engine = simulation->engine;
    const size_t count = simulation->number_count;
    struct graph *graph = &simulation->inputs.graph;
    struct graph_error graph_error;
    uint64_t sum = 0;
    if (engine->flags & SEARCH_NEEDS_REVERSE && graph->in_offsets == NULL &&
        !graph_add_reverse(graph, 0, &graph_error)) {
        return command_fail(error, "%s", graph_error.message);
    }
    void *workspace = engine->create(graph, NULL);
    if (workspace == NULL) {
        return command_fail(error, "out of memory for the %s engine's workspace", engine->name);
    }
    size_t i = 0;
    for (; i < count && sum <= most && *interrupt_flag() == 0; i++) {
        struct search_result result;
        struct pair pair = simulation->inputs.pairs.items[simulation->numbers[i] - 1];
        progress_show(simulation->progress, false, "trying search %zu of %zu", i + 1, count);
        engine->search(workspace, pair.source, pair.target, &limits, &result);
        simulation->work[i] = 16;
        simulation->work[i] += result.visited != SEARCH_COUNT_UNKNOWN ? result.visited : 0;
        simulation->work[i] += result.pushed != SEARCH_COUNT_UNKNOWN ? result.pushed : 0;
        sum += simulation->work[i];
    }
    simulation->known = i;
    engine->destroy(workspace);
    progress_clear(simulation->progress);
    return true;
}

/* Simulate a small graph to learn the cost of an operation. */
static bool calibrate(struct simulation *simulation, struct command_error *error)
{
    static const char *const extra[] = {"--format=csv",
                                        "--output=/dev/null",
                                        "--progress=never",
                                        "--trials=1",
                                        "--warmup=0",
                                        "--only=1-4",
                                        NULL};
    size_t numbers[CALIBRATE_COUNT] = {1, 2, 3, 4};
    uint64_t work[CALIBRATE_COUNT] = {0};
    struct simulation small = *simulation;
    struct graph_generate_options graph_options;
    struct pairs_generate_options pairs_options;
    struct graph_error graph_error;
    char line[128], *end;
    small.inputs = (struct inputs){0};
    small.numbers = numbers;
    small.number_count = small.child.search_count = CALIBRATE_COUNT;
    small.work = work;
    bool ok =
        graph_generate_parse(CALIBRATE_GRAPH, &graph_options, &graph_error) &&
        pairs_generate_parse(CALIBRATE_PAIRS, &pairs_options, &graph_error) &&
        graph_generate(&graph_options, &small.inputs.graph, &graph_error) &&
        pairs_generate(&small.inputs.graph, &pairs_options, &small.inputs.pairs, &graph_error) &&
        try_searches(&small, UINT64_MAX, error);
    progress_show(simulation->progress, true, "simulating a small graph to predict the time");
    int status = ok ? run_child(&small, extra, error) : -1;
    progress_clear(simulation->progress);
    inputs_free(&small.inputs);
    /* What the child wrote about its own cost. */
    system_file_line(simulation->folder, "/cost", line, sizeof(line));
    double cost_ns = strtod(line, &end);
    double instructions = strtod(end, NULL);
    double operations = (double)(work[0] + work[1] + work[2] + work[3]);
    simulation->ns_per_operation = cost_ns / operations;
    simulation->nominal_ns_per_operation = instructions * NOMINAL_NS / operations;
    if (status == 0 && cost_ns > 0 && instructions > 0) {
        return true;
    }
    return error->message[0] == '\0' &&
           command_fail(error,
                        "a trial of the simulation failed (status %d); see what \"valgrind "
                        "--tool=callgrind true\" says",
                        status);
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
    if (simulation->child.folded_from == 0) {
        simulation->child.folded_from = graph->node_limit;
    }
    graph_free(graph);
    *graph = small;
    return true;
}

static double seconds_for(const struct simulation *simulation, uint64_t work, double ns)
{
    uint64_t rounds = simulation->options->trials + simulation->options->warmups;
    return (STARTING_NS + (double)work * (double)rounds * ns) / 1e9;
}

static double limit_seconds(const struct simulation *simulation)
{
    return (double)simulation->options->counters.simulation_limit_ns / 1e9;
}

/* As many searches as fit; when not one does, make the graph smaller and see again. */
static bool choose(struct simulation *simulation, struct command_error *error)
{
    const double nominal = simulation->nominal_ns_per_operation;
    const double limit_ns = (double)simulation->options->counters.simulation_limit_ns;
    uint64_t most = (uint64_t)(limit_ns / nominal);
    for (; try_searches(simulation, most, error); most = 0) {
        uint64_t sum = 0;
        size_t fit = 0;
        for (; fit < simulation->known; fit++) {
            sum += simulation->work[fit];
            if (seconds_for(simulation, sum, nominal) > limit_seconds(simulation)) {
                break;
            }
        }
        const uint32_t nodes = graph_node_count(&simulation->inputs.graph);
        simulation->child.search_count = fit > 0 ? fit : 1;
        if (fit > 0 || nodes <= NODES_MIN) {
            return true;
        }
        if (!fold(simulation, nodes / 2 < NODES_MIN ? NODES_MIN : nodes / 2, error)) {
            return false;
        }
    }
    return false;
}

/* The run ------------------------------------------------------------------------------------- */

/* Say what is going to happen, and how long it will take. */
static void announce(const struct simulation *simulation)
{
    char l1i[CACHE_TEXT_BYTES], l1d[CACHE_TEXT_BYTES], l2[CACHE_TEXT_BYTES];
    const struct graph *graph = &simulation->inputs.graph;
    const size_t chosen = simulation->child.search_count;
    uint64_t sum = 0;
    for (size_t i = 0; i < chosen; i++) {
        sum += simulation->work[i];
    }
    fprintf(stderr,
            "bfs: simulating %zu of %zu searches, about %.0f s; caches (%s): L1I %s, L1D %s, "
            "L2 %s\n",
            chosen, simulation->number_count,
            seconds_for(simulation, sum, simulation->ns_per_operation), simulation->geometry.name,
            cache_describe(&simulation->geometry.l1i, l1i),
            cache_describe(&simulation->geometry.l1d, l1d),
            cache_describe(&simulation->geometry.l2, l2));
    if (simulation->child.folded_from > 0) {
        fprintf(stderr,
                "bfs: the graph is made smaller for it, %u nodes and %llu edges; --sim-limit "
                "allows more time\n",
                graph_node_count(graph), (unsigned long long)graph->edge_count);
    } else if (chosen < simulation->number_count) {
        fprintf(stderr,
                "bfs: more do not fit the limit of %.0f s; --only chooses others, "
                "--sim-limit allows more time\n",
                limit_seconds(simulation));
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

/* Load, and find out what the searches cost natively. */
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
    if ((nodes > 0 && nodes < graph_node_count(&simulation->inputs.graph) &&
         !fold(simulation, (uint32_t)nodes, error)) ||
        search_selection_resolve(options->only, simulation->inputs.pairs.count,
                                 &simulation->numbers, &simulation->number_count,
                                 error) != EXIT_OK) {
        return false;
    }
    simulation->work = calloc(simulation->number_count + 1, sizeof(*simulation->work));
    if (simulation->work == NULL) {
        return command_fail(error, "out of memory");
    }
    return calibrate(simulation, error) && choose(simulation, error);
}

/* Whether this build and machine can simulate. */
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
    return system_program_find("valgrind", simulation->valgrind, sizeof(simulation->valgrind)) ||
           command_fail(error, "--sim needs Valgrind: install the package valgrind");
#endif
}

int simulation_run(const struct options *options, char *const *arguments,
                   const struct search_engine *engine, struct progress *progress,
                   struct command_error *error)
{
    static const char *const nothing_else[] = {NULL};
    static struct simulation simulation;
    int status = EXIT_FAILED;
    simulation = (struct simulation){.options = options,
                                     .arguments = arguments,
                                     .engine = engine,
                                     .progress = progress,
                                     .folder = "/tmp/pointer-wars-sim-XXXXXX"};
    if (!cache_geometry_parse(&simulation.geometry, options->counters.simulation, error->message,
                              sizeof(error->message))) {
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
            if (!options->quiet) {
                announce(&simulation);
            }
            int child = run_child(&simulation, nothing_else, error);
            status = child >= 0 ? child : EXIT_FAILED;
        }
    }
    free(simulation.numbers);
    free(simulation.work);
    inputs_free(&simulation.inputs);
    remove_folder(simulation.folder);
    return status;
}

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

#define WORDS_MAX        128
#define CALIBRATE_GRAPH  "generate:nodes=6k,edges=75k,seed=1"
#define CALIBRATE_PAIRS  "random:4,seed=1"
#define CALIBRATE_COUNT  4
#define STARTING_NS      2e9  /* Valgrind itself, and reading the inputs */
#define NOMINAL_NS       15   /* what simulating an instruction takes, roughly */
#define NODES_MIN        1000 /* a smaller graph tells nothing */
#define EXIT_INTERRUPTED interrupt_exit_status()

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
    size_t chosen;                   /* searches to simulate */
    uint32_t folded_from;
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
    for (; extra != NULL && *extra != NULL; extra++) {
        add_word(words, "%s", *extra);
    }
}

/* Nothing of the user's environment but what the child needs. */
static void child_environment(const struct simulation *simulation, size_t count,
                              struct words *words)
{
    static const char *const kept[] = {"LINKED_LIST_ALLOC", "VALGRIND_LIB"};
    add_word(words, "LC_ALL=C");
    add_word(words, "PATH=/usr/bin:/bin");
    /* Always as long, because it lies on the stack. */
    add_word(words, SIMULATION_VARIABLE "=%d:%09zu:%s", SIMULATION_DESCRIPTOR, count,
             simulation->folder);
    for (size_t i = 0; i < COUNT_OF(kept); i++) {
        if (getenv(kept[i]) != NULL) {
            add_word(words, "%s=%s", kept[i], getenv(kept[i]));
        }
    }
}

/* Start the child with the inputs as a descriptor of its own. 0, or the errno. */
static int start_child(const struct simulation *simulation, int memory, size_t count,
                       const char *const *extra, pid_t *child)
{
    static struct words command, environment;
    posix_spawn_file_actions_t actions;
    command = environment = (struct words){0};
    child_command(simulation, extra, &command);
    child_environment(simulation, count, &environment);
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

/* Hand inputs to a child and wait for it. Returns its exit status, or -1 with error set. */
static int run_child(const struct simulation *simulation, const struct inputs *inputs, size_t count,
                     const char *const *extra, struct command_error *error)
{
    pid_t child = 0;
    int memory = memfd_create("pointer-wars inputs", MFD_CLOEXEC);
    bool written = memory >= 0 && simulation_inputs_write(memory, inputs, simulation->folded_from);
    int failure = written ? start_child(simulation, memory, count, extra, &child) : errno;
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

static bool add_reverse(const struct simulation *simulation, struct graph *graph)
{
    struct graph_error error;
    return !(simulation->engine->flags & SEARCH_NEEDS_REVERSE) ||
           graph_add_reverse(graph, 0, &error);
}

static uint64_t operations(const struct search_result *result)
{
    uint64_t sum = 16;
    sum += result->visited != SEARCH_COUNT_UNKNOWN ? result->visited : 0;
    sum += result->pushed != SEARCH_COUNT_UNKNOWN ? result->pushed : 0;
    return sum;
}

/* Make searches natively until it is clear that no more will fit. Returns how many; their work goes
 * to work. False when out of memory. */
static bool try_searches(const struct simulation *simulation, const struct inputs *inputs,
                         const size_t *numbers, size_t count, uint64_t most, uint64_t *work,
                         size_t *known)
{
    const struct search_limits limits = {.cancel = interrupt_flag()};
    void *workspace = simulation->engine->create(&inputs->graph);
    uint64_t sum = 0;
    if (workspace == NULL) {
        return false;
    }
    for (*known = 0; *known < count && sum <= most && *interrupt_flag() == 0; (*known)++) {
        struct search_result result;
        struct pair pair = inputs->pairs.items[numbers[*known] - 1];
        progress_show(simulation->progress, false, "trying search %zu of %zu", *known + 1, count);
        simulation->engine->search(workspace, pair.source, pair.target, &limits, &result);
        work[*known] = operations(&result);
        sum += work[*known];
    }
    simulation->engine->destroy(workspace);
    progress_clear(simulation->progress);
    return true;
}

/* What the child wrote about its own cost, for so many operations. False when it did not. */
static bool read_cost(struct simulation *simulation, uint64_t work)
{
    char line[128], *end;
    system_file_line(simulation->folder, "/cost", line, sizeof(line));
    double cost_ns = strtod(line, &end);
    double instructions = strtod(end, NULL);
    simulation->ns_per_operation = cost_ns / (double)work;
    simulation->nominal_ns_per_operation = instructions * NOMINAL_NS / (double)work;
    return cost_ns > 0 && instructions > 0;
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
    static const size_t numbers[CALIBRATE_COUNT] = {1, 2, 3, 4};
    struct graph_generate_options graph_options;
    struct pairs_generate_options pairs_options;
    struct inputs small = {0};
    struct graph_error graph_error;
    uint64_t work[CALIBRATE_COUNT] = {0};
    size_t known = 0;
    bool ok = graph_generate_parse(CALIBRATE_GRAPH, &graph_options, &graph_error) &&
              pairs_generate_parse(CALIBRATE_PAIRS, &pairs_options, &graph_error) &&
              graph_generate(&graph_options, &small.graph, &graph_error) &&
              pairs_generate(&small.graph, &pairs_options, &small.pairs, &graph_error) &&
              add_reverse(simulation, &small.graph) &&
              try_searches(simulation, &small, numbers, CALIBRATE_COUNT, UINT64_MAX, work, &known);
    progress_show(simulation->progress, true, "simulating a small graph to predict the time");
    int status = ok ? run_child(simulation, &small, CALIBRATE_COUNT, extra, error) : -1;
    progress_clear(simulation->progress);
    inputs_free(&small);
    if (status == 0 && read_cost(simulation, work[0] + work[1] + work[2] + work[3])) {
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
    if (simulation->folded_from == 0) {
        simulation->folded_from = graph->node_limit;
    }
    graph_free(graph);
    *graph = small;
    return add_reverse(simulation, graph) ||
           command_fail(error, "out of memory for a smaller graph");
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
    for (;;) {
        uint64_t sum = 0;
        size_t fit = 0;
        for (; fit < simulation->known; fit++) {
            sum += simulation->work[fit];
            if (seconds_for(simulation, sum, nominal) > limit_seconds(simulation)) {
                break;
            }
        }
        const uint32_t nodes = graph_node_count(&simulation->inputs.graph);
        simulation->chosen = fit > 0 ? fit : 1;
        if (fit > 0 || nodes <= NODES_MIN) {
            return true;
        }
        if (!fold(simulation, nodes / 2 < NODES_MIN ? NODES_MIN : nodes / 2, error)) {
            return false;
        }
        if (!try_searches(simulation, &simulation->inputs, simulation->numbers, 1, 0,
                          simulation->work, &simulation->known)) {
            return command_fail(error, "out of memory for the engine's workspace");
        }
    }
}

/* The run ------------------------------------------------------------------------------------- */

/* Say what is going to happen, and how long it will take. */
static void announce(const struct simulation *simulation)
{
    char l1i[CACHE_TEXT_BYTES], l1d[CACHE_TEXT_BYTES], l2[CACHE_TEXT_BYTES];
    const struct graph *graph = &simulation->inputs.graph;
    uint64_t sum = 0;
    for (size_t i = 0; i < simulation->chosen; i++) {
        sum += simulation->work[i];
    }
    fprintf(stderr,
            "bfs: simulating %zu of %zu searches, about %.0f s; caches (%s): L1I %s, L1D %s, "
            "L2 %s\n",
            simulation->chosen, simulation->number_count,
            seconds_for(simulation, sum, simulation->ns_per_operation), simulation->geometry.name,
            cache_describe(&simulation->geometry.l1i, l1i),
            cache_describe(&simulation->geometry.l1d, l1d),
            cache_describe(&simulation->geometry.l2, l2));
    if (simulation->folded_from > 0) {
        fprintf(stderr,
                "bfs: the graph is made smaller for it, %u nodes and %llu edges; --sim-limit "
                "allows more time\n",
                graph_node_count(graph), (unsigned long long)graph->edge_count);
    } else if (simulation->chosen < simulation->number_count) {
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
    if (nodes > 0 && nodes < graph_node_count(&simulation->inputs.graph) &&
        !fold(simulation, (uint32_t)nodes, error)) {
        return false;
    }
    if (!search_selection_resolve(&options->only, simulation->inputs.pairs.count,
                                  &simulation->numbers, &simulation->number_count, error)) {
        return false;
    }
    simulation->work = calloc(simulation->number_count + 1, sizeof(*simulation->work));
    if (simulation->work == NULL) {
        return command_fail(error, "out of memory");
    }
    if (!calibrate(simulation, error)) {
        return false;
    }
    uint64_t most = (uint64_t)((double)options->counters.simulation_limit_ns /
                               simulation->nominal_ns_per_operation);
    if (!try_searches(simulation, &simulation->inputs, simulation->numbers,
                      simulation->number_count, most, simulation->work, &simulation->known)) {
        return command_fail(error, "out of memory for the %s engine's workspace",
                            simulation->engine->name);
    }
    return choose(simulation, error);
}

/* Why this build or machine cannot simulate, or NULL. */
static const char *impossible(struct simulation *simulation)
{
#ifdef SANITIZED
    (void)simulation;
    return "--sim does not work in a build with AddressSanitizer or ThreadSanitizer";
#else
    if (!simulated_counters_built_in()) {
        return "--sim is not built in: install the package valgrind and build again";
    }
    return system_program_find("valgrind", simulation->valgrind, sizeof(simulation->valgrind))
               ? NULL
               : "--sim needs Valgrind: install the package valgrind";
#endif
}

int simulation_run(const struct options *options, char *const *arguments,
                   const struct search_engine *engine, struct progress *progress,
                   struct command_error *error)
{
    enum { FAILED = 1, USAGE = 2 };
    static struct simulation simulation;
    int status = FAILED;
    simulation = (struct simulation){.options = options,
                                     .arguments = arguments,
                                     .engine = engine,
                                     .progress = progress,
                                     .folder = "/tmp/pointer-wars-sim-XXXXXX"};
    if (!cache_geometry_parse(&simulation.geometry, options->counters.simulation, error->message,
                              sizeof(error->message))) {
        return USAGE;
    }
    const char *why = impossible(&simulation);
    if (why != NULL || mkdtemp(simulation.folder) == NULL) {
        command_fail(error, "%s%s",
                     why != NULL ? "" : "/tmp: ", why != NULL ? why : strerror(errno));
        return FAILED;
    }
    if (prepare(&simulation, error)) {
        if (*interrupt_flag() != 0) {
            command_fail(error, "interrupted before the simulation");
            status = EXIT_INTERRUPTED;
        } else {
            if (!options->quiet) {
                announce(&simulation);
            }
            int child = run_child(&simulation, &simulation.inputs, simulation.chosen, NULL, error);
            status = child >= 0 ? child : FAILED;
        }
    }
    free(simulation.numbers);
    free(simulation.work);
    inputs_free(&simulation.inputs);
    remove_folder(simulation.folder);
    return status;
}

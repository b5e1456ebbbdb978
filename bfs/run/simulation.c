/*
 * simulation.c - bring a simulation to an end in minutes.
 *
 * 1. Load the inputs natively; the child gets them through a memory file.
 * 2. Make the searches natively, to learn how many queue operations each has.
 * 3. Simulate a small graph: what an operation costs on this machine with this allocator.
 * 4. As many searches as fit the limit, in their order, by a nominal speed, so that the choice is
 *    the same every time. When not one fits, a smaller graph: the first half of the nodes, each
 *    edge going to its target modulo their number, which keeps the degrees; halved again if needed.
 * 5. Start bfs again under Callgrind, with an environment and addresses that are the same every
 *    time, so that two runs give the same counts.
 */
#include "simulation.h"
#include "bfs/search/search.h"
#include "data/make/generate.h"
#include "perf/counters/cache_geometry.h"
#include "perf/counters/simulated_counters.h"
#include "perf/program/interrupt.h"
#include "perf/report/clock.h"
#include "simulation_child.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif

#define ARGUMENTS_MAX    128
#define CALIBRATE_GRAPH  "generate:nodes=6k,edges=75k,seed=1"
#define CALIBRATE_PAIRS  "random:4,seed=1"
#define STARTING_NS      UINT64_C(2000000000) /* Valgrind itself, and reading the inputs */
#define NOMINAL_NS       15                   /* what simulating an instruction takes, roughly */
#define NODES_MIN        1000                 /* a smaller graph tells nothing */
#define EXIT_INTERRUPTED interrupt_exit_status()

struct simulation {
    const struct options *options;
    char *const *arguments;
    const struct search_engine *engine;
    struct cache_geometry geometry;
    struct inputs inputs;
    size_t *numbers;
    size_t number_count;             /* selected */
    uint64_t *work;                  /* queue operations of each, as far as they were tried */
    size_t known;                    /* how many of them are known */
    double ns_per_operation;         /* as this machine simulates now: to foretell the time */
    double nominal_ns_per_operation; /* by instructions: to choose, the same every time */
    size_t chosen;                   /* searches to simulate */
    uint32_t folded_from;
    char valgrind[256];
    char folder[64];
    struct progress *progress;
};

/* The path of a program in PATH; false when it is not there. */
static bool find_program(const char *name, char *path, size_t size)
{
    const char *folders = getenv("PATH");
    while (folders != NULL && *folders != '\0') {
        size_t length = strcspn(folders, ":");
        int written = snprintf(path, size, "%.*s/%s", (int)length, folders, name);
        if (written > 0 && (size_t)written < size && access(path, X_OK) == 0) {
            return true;
        }
        folders += length + (folders[length] == ':');
    }
    return false;
}

static uint64_t operations(const struct search_result *result)
{
    uint64_t sum = 16;
    sum += result->visited != UINT64_MAX ? result->visited : 0;
    sum += result->pushed != UINT64_MAX ? result->pushed : 0;
    return sum;
}

/* Make the selected searches natively until it is clear that no more will fit (ns 0: all). */
static bool try_searches(struct simulation *simulation, const struct inputs *inputs,
                         const size_t *numbers, size_t count, uint64_t *work, size_t *known,
                         uint64_t most)
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

/* The child's command line: Valgrind's, then our own, then what is different this time. */
static size_t child_arguments(const struct simulation *simulation, char texts[8][160],
                              const char *const *extra, const char **out)
{
    const struct cache *caches[] = {&simulation->geometry.l1i, &simulation->geometry.l1d,
                                    &simulation->geometry.l2};
    static const char *const names[] = {"I1", "D1", "LL"};
    size_t count = 0, text = 0;
    out[count++] = simulation->valgrind;
    out[count++] = "--quiet";
    out[count++] = "--tool=callgrind";
    out[count++] = "--instr-atstart=no";
    out[count++] = "--collect-atstart=no";
    out[count++] = "--cache-sim=yes";
    out[count++] = "--branch-sim=yes";
    for (size_t i = 0; i < 3; i++) {
        snprintf(texts[text], sizeof(texts[0]), "--%s=%llu,%u,%u", names[i],
                 (unsigned long long)caches[i]->size_bytes, caches[i]->ways, caches[i]->line_bytes);
        out[count++] = texts[text++];
    }
    snprintf(texts[text], sizeof(texts[0]), "--callgrind-out-file=%s/sim", simulation->folder);
    out[count++] = texts[text++];
    snprintf(texts[text], sizeof(texts[0]), "--log-file=%s/log", simulation->folder);
    out[count++] = texts[text++];
    out[count++] = "/proc/self/exe"; /* replaced by our own path below */
    for (size_t i = 1; simulation->arguments[i] != NULL && count < ARGUMENTS_MAX - 10; i++) {
        out[count++] = simulation->arguments[i];
    }
    for (size_t i = 0; extra != NULL && extra[i] != NULL; i++) {
        out[count++] = extra[i];
    }
    out[count] = NULL;
    return count;
}

/* Become the child: descriptor 3 holds the inputs. Does not return. */
static void start_child(const char *const *arguments, size_t program, int inputs, const char *job,
                        const char *folder)
{
    static char own[512], variable[256], allocator[600], library[600];
    const char *environment[8] = {"LC_ALL=C", "PATH=/usr/bin:/bin"};
    const char *copied[ARGUMENTS_MAX + 1];
    size_t count = 2;
    ssize_t length = readlink("/proc/self/exe", own, sizeof(own) - 1);
    memcpy(copied, arguments, sizeof(copied));
    if (length > 0) {
        own[length] = '\0';
        copied[program] = own;
    }
    snprintf(variable, sizeof(variable), SIMULATION_VARIABLE "=%s:%s", job, folder);
    environment[count++] = variable;
    if (getenv("LINKED_LIST_ALLOC") != NULL) {
        snprintf(allocator, sizeof(allocator), "LINKED_LIST_ALLOC=%s", getenv("LINKED_LIST_ALLOC"));
        environment[count++] = allocator;
    }
    if (getenv("VALGRIND_LIB") != NULL) {
        snprintf(library, sizeof(library), "VALGRIND_LIB=%s", getenv("VALGRIND_LIB"));
        environment[count++] = library;
    }
    environment[count] = NULL;
    if (inputs == 3) {
        fcntl(inputs, F_SETFD, 0);
    } else {
        dup2(inputs, 3); /* which exec does not close */
    }
    personality(ADDR_NO_RANDOMIZE);
    execve(copied[0], (char *const *)(uintptr_t)copied, (char *const *)(uintptr_t)environment);
    _exit(127);
}

/* Hand inputs to a child and wait for it. Returns its exit status, or -1 with error set. */
static int run_child(struct simulation *simulation, const struct inputs *inputs, size_t count,
                     const char *const *extra, struct command_error *error)
{
    static const char *arguments[ARGUMENTS_MAX + 1];
    static char texts[8][160];
    char job[64];
    enum { PROGRAM = 12 }; /* where child_arguments puts the program */
    int status = 0;
    int memory = memfd_create("pointer-wars inputs", MFD_CLOEXEC);
    if (memory < 0 || !simulation_inputs_write(memory, inputs, simulation->folded_from)) {
        command_fail(error, "cannot hand the graph to the simulation: %s", strerror(errno));
        if (memory >= 0) {
            close(memory);
        }
        return -1;
    }
    child_arguments(simulation, texts, extra, arguments);
    snprintf(job, sizeof(job), "3:%09zu", count); /* always as long: it lies on the stack */
    pid_t child = fork();
    if (child == 0) {
        start_child(arguments, PROGRAM, memory, job, simulation->folder);
    }
    close(memory);
    if (child < 0) {
        command_fail(error, "cannot start the simulation: %s", strerror(errno));
        return -1;
    }
    bool told = false;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
        if (!told && *interrupt_flag() == SIGTERM) {
            kill(child, SIGTERM); /* Ctrl-C goes to the child by itself */
            told = true;
        }
    }
    if (WIFSIGNALED(status)) {
        command_fail(error, "the simulation was ended by signal %d", WTERMSIG(status));
        return -1;
    }
    return WEXITSTATUS(status);
}

/* What the child wrote about its own cost, for so many operations; false when it did not. */
static bool read_cost(struct simulation *simulation, uint64_t work)
{
    char path[128];
    double cost_ns = 0, instructions = 0;
    snprintf(path, sizeof(path), "%s/cost", simulation->folder);
    FILE *file = fopen(path, "r");
    if (file != NULL) {
        if (fscanf(file, "%lf %lf", &cost_ns, &instructions) != 2) {
            cost_ns = 0;
        }
        fclose(file);
        unlink(path);
    }
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
    static const size_t numbers[] = {1, 2, 3, 4};
    struct graph_generate_options graph_options;
    struct pairs_generate_options pairs_options;
    struct inputs small = {0};
    struct graph_error graph_error;
    uint64_t work[4] = {0};
    size_t known = 0;
    bool ok = graph_generate_parse(CALIBRATE_GRAPH, &graph_options, &graph_error) &&
              pairs_generate_parse(CALIBRATE_PAIRS, &pairs_options, &graph_error) &&
              graph_generate(&graph_options, &small.graph, &graph_error) &&
              pairs_generate(&small.graph, &pairs_options, &small.pairs, &graph_error) &&
              (!(simulation->engine->flags & SEARCH_NEEDS_REVERSE) ||
               graph_add_reverse(&small.graph, 0, &graph_error)) &&
              try_searches(simulation, &small, numbers, 4, work, &known, UINT64_MAX);
    progress_show(simulation->progress, true, "simulating a small graph to foretell the time");
    int status = ok ? run_child(simulation, &small, 4, extra, error) : -1;
    progress_clear(simulation->progress);
    inputs_free(&small);
    if (status == 0 && read_cost(simulation, work[0] + work[1] + work[2] + work[3])) {
        return true;
    }
    return error->message[0] == '\0'
               ? command_fail(error,
                              "a trial of the simulation failed (status %d); see what \"valgrind "
                              "--tool=callgrind true\" says",
                              status)
               : false;
}

/* Keep the first nodes of the graph; every edge and pair goes to its node modulo their number. */
static bool fold(struct inputs *inputs, uint32_t nodes)
{
    struct graph *graph = &inputs->graph;
    uint32_t first = graph->first_node;
    uint32_t limit = first + nodes;
    uint64_t edge_count = graph->offsets[limit];
    struct graph small = {.first_node = first, .node_limit = limit, .edge_count = edge_count};
    small.offsets = malloc(((size_t)limit + 1) * sizeof(*small.offsets));
    small.neighbours = malloc(((size_t)edge_count + 1) * sizeof(*small.neighbours));
    if (small.offsets == NULL || small.neighbours == NULL) {
        graph_free(&small);
        return false;
    }
    memcpy(small.offsets, graph->offsets, ((size_t)limit + 1) * sizeof(*small.offsets));
    for (uint64_t i = 0; i < edge_count; i++) {
        small.neighbours[i] = first + (graph->neighbours[i] - first) % nodes;
    }
    for (size_t i = 0; i < inputs->pairs.count; i++) {
        struct pair *pair = &inputs->pairs.items[i];
        pair->source = first + (pair->source - first) % nodes;
        pair->target = first + (pair->target - first) % nodes;
    }
    graph_free(graph);
    *graph = small;
    return true;
}

static double seconds_for(const struct simulation *simulation, uint64_t work, double ns)
{
    uint64_t rounds = simulation->options->trials + simulation->options->warmups;
    return ((double)STARTING_NS + (double)work * (double)rounds * ns) / 1e9;
}

static bool add_reverse(struct simulation *simulation, struct graph_error *error)
{
    return !(simulation->engine->flags & SEARCH_NEEDS_REVERSE) ||
           graph_add_reverse(&simulation->inputs.graph, 0, error);
}

/* Fold the graph, and what the engine needs of it. */
static bool make_smaller(struct simulation *simulation, uint32_t nodes, struct command_error *error)
{
    struct graph *graph = &simulation->inputs.graph;
    struct graph_error graph_error;
    if (simulation->folded_from == 0) {
        simulation->folded_from = graph->node_limit;
    }
    return (fold(&simulation->inputs, nodes) && add_reverse(simulation, &graph_error)) ||
           command_fail(error, "out of memory for a smaller graph");
}

/* As many searches as fit; when not one does, make the graph smaller and see again. */
static bool choose(struct simulation *simulation, struct command_error *error)
{
    double limit = (double)simulation->options->counters.simulation_limit_ns / 1e9;
    double nominal = simulation->nominal_ns_per_operation;
    struct graph *graph = &simulation->inputs.graph;
    for (;;) {
        uint64_t sum = 0;
        simulation->chosen = 0;
        while (simulation->chosen < simulation->known &&
               seconds_for(simulation, sum + simulation->work[simulation->chosen], nominal) <=
                   limit) {
            sum += simulation->work[simulation->chosen++];
        }
        if (simulation->chosen > 0 || graph->node_limit - graph->first_node <= NODES_MIN) {
            break;
        }
        uint32_t nodes = graph_node_count(graph) / 2;
        nodes = nodes < NODES_MIN ? NODES_MIN : nodes;
        if (!make_smaller(simulation, nodes, error)) {
            return false;
        }
        if (!try_searches(simulation, &simulation->inputs, simulation->numbers, 1, simulation->work,
                          &simulation->known, 0)) {
            return command_fail(error, "out of memory for the engine's workspace");
        }
    }
    simulation->chosen = simulation->chosen > 0 ? simulation->chosen : 1;
    return true;
}

/* Say what is going to happen, and how long it will take. */
static void announce(const struct simulation *simulation)
{
    char l1i[CACHE_TEXT_BYTES], l1d[CACHE_TEXT_BYTES], l2[CACHE_TEXT_BYTES];
    uint64_t sum = 0;
    if (simulation->options->quiet) {
        return;
    }
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
                graph_node_count(&simulation->inputs.graph),
                (unsigned long long)simulation->inputs.graph.edge_count);
    } else if (simulation->chosen < simulation->number_count) {
        fprintf(stderr,
                "bfs: more do not fit the limit of %.0f s; --only chooses others, "
                "--sim-limit allows more time\n",
                (double)simulation->options->counters.simulation_limit_ns / 1e9);
    }
}

static void remove_folder(const char *folder)
{
    static const char *const names[] = {"sim", "log", "cost"};
    char path[128];
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
        unlink(path);
    }
    for (unsigned part = 1; rmdir(folder) != 0 && errno == ENOTEMPTY && part < 10000; part++) {
        snprintf(path, sizeof(path), "%s/sim.%u", folder, part);
        unlink(path);
    }
}

/* Load, and find out what the searches cost natively. */
static bool prepare(struct simulation *simulation, struct command_error *error)
{
    const struct options *options = simulation->options;
    struct graph_error graph_error = {0};
    progress_show(simulation->progress, true, "loading %s", options->graph);
    bool loaded =
        inputs_load(options, 0, false, simulation->progress, &simulation->inputs, &graph_error);
    progress_clear(simulation->progress);
    if (!loaded || !add_reverse(simulation, &graph_error)) {
        return command_fail(error, "%s", graph_error.message);
    }
    uint64_t nodes = options->counters.simulation_nodes;
    if (nodes > 0 && nodes < graph_node_count(&simulation->inputs.graph) &&
        !make_smaller(simulation, (uint32_t)nodes, error)) {
        return false;
    }
    if (!search_selection_resolve(&options->only, simulation->inputs.pairs.count,
                                  &simulation->numbers, &simulation->number_count, error)) {
        return false;
    }
    simulation->work = calloc(simulation->number_count + 1, sizeof(*simulation->work));
    if (simulation->work == NULL || !calibrate(simulation, error)) {
        return simulation->work != NULL ? false : command_fail(error, "out of memory");
    }
    uint64_t most = (uint64_t)((double)options->counters.simulation_limit_ns /
                               simulation->nominal_ns_per_operation);
    if (!try_searches(simulation, &simulation->inputs, simulation->numbers,
                      simulation->number_count, simulation->work, &simulation->known, most)) {
        return command_fail(error, "out of memory for the %s engine's workspace",
                            simulation->engine->name);
    }
    return choose(simulation, error);
}

int simulation_run(const struct options *options, char *const *arguments,
                   const struct search_engine *engine, struct progress *progress,
                   struct command_error *error)
{
    enum { FAILED = 1, USAGE = 2 };
    static struct simulation simulation;
    int status = FAILED;
    simulation = (struct simulation){
        .options = options, .arguments = arguments, .engine = engine, .progress = progress};
    if (!cache_geometry_parse(&simulation.geometry, options->counters.simulation, error->message,
                              sizeof(error->message))) {
        return USAGE;
    }
#ifdef SANITIZED
    command_fail(error, "--sim does not work in a build with AddressSanitizer or ThreadSanitizer");
    return FAILED;
#endif
    if (!simulated_counters_built_in() ||
        !find_program("valgrind", simulation.valgrind, sizeof(simulation.valgrind))) {
        command_fail(error, simulated_counters_built_in()
                                ? "--sim needs Valgrind: install the package valgrind"
                                : "--sim is not built in: install the package valgrind and build "
                                  "again");
        return FAILED;
    }
    strcpy(simulation.folder, "/tmp/pointer-wars-sim-XXXXXX");
    if (mkdtemp(simulation.folder) == NULL) {
        command_fail(error, "/tmp: %s", strerror(errno));
        return FAILED;
    }
    if (prepare(&simulation, error)) {
        if (*interrupt_flag() != 0) {
            command_fail(error, "interrupted before the simulation");
            status = EXIT_INTERRUPTED;
        } else {
            announce(&simulation);
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

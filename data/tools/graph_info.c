/*
 * graph_info.c - the program graph-info: prints the statistics of a graph.
 */
#include "base/program/interrupt.h"
#include "data/graph/graph_memory.h"
#include "data/graph/graph_origin.h"
#include "data/graph/parallel.h"
#include "data/load/graph_load.h"
#include "data/make/graph_stats.h"
#include "data/store/graph_checksum.h"
#include "graph_program.h"
#include <string.h>
#include <unistd.h>

struct settings {
    struct graph_program program;
    unsigned samples;
    uint64_t seed;
    bool facts;
};

static const struct option_row rows[] = {
    {"samples", 0, "N", "searches to estimate the reach with (default: 16)",
     OPTION_NUMBER(struct settings, samples, 0, 1000000)},
    {"seed", 0, "N", "seed that picks their sources (default: 1)",
     OPTION_NUMBER(struct settings, seed, 0, UINT64_MAX - 1)},
    {"facts", 0, NULL,
     "print only what the snapshot says of its source, name and value separated by a tab",
     OPTION_FLAG(struct settings, facts)},
    {0},
};

static const struct option_group groups[] = {
    {"Measuring", rows, 0},
    {"Reading the graph", graph_input_rows, offsetof(struct settings, program.input)},
    {"General", graph_program_rows, offsetof(struct settings, program)},
    {0},
};

static const struct command command = {
    .name = "graph-info",
    .groups = groups,
    .introduction =
        "Usage: graph-info [OPTION]... GRAPH\n"
        "\n"
        "Print what GRAPH is like: nodes, edges, degrees, self-loops, duplicates,\n"
        "sources, sinks, the largest strongly and weakly connected component, how much a\n"
        "search from a random node with out-edges reaches, and the memory that loading it\n"
        "takes. GRAPH is a file, or a specification such as generate:kronecker,scale=16.\n",
    .epilogue = GRAPH_INPUT_HELP,
};

static void text_line(const char *what, const char *text)
{
    printf("%-30s %s\n", what, text);
}

static void line(const char *what, uint64_t value)
{
    printf("%-30s %llu\n", what, (unsigned long long)value);
}

static void share_line(const char *what, uint64_t value, uint64_t all)
{
    printf("%-30s %llu (%.1f %%)\n", what, (unsigned long long)value,
           all ? 100.0 * (double)value / (double)all : 0);
}

/* Nodes by degree, one line per power of two. */
static void print_histogram(const struct graph_stats *stats, uint64_t nodes)
{
    static const char bar[] = "########################################";
    unsigned last = GRAPH_DEGREE_CLASSES - 1;
    while (last > 0 && stats->out_degrees[last] == 0 && stats->in_degrees[last] == 0) {
        last--;
    }
    printf("\n%-23s %12s %12s  out-degree\n", "degree", "nodes (out)", "nodes (in)");
    for (unsigned i = 0; i <= last; i++) {
        char range[48];
        uint64_t low = i < 2 ? i : (uint64_t)1 << (i - 1);
        uint64_t high = i < 2 ? i : ((uint64_t)1 << i) - 1;
        snprintf(range, sizeof(range), low == high ? "%llu" : "%llu..%llu", (unsigned long long)low,
                 (unsigned long long)high);
        int length = nodes ? (int)(40.0 * (double)stats->out_degrees[i] / (double)nodes + 0.5) : 0;
        printf("%-23s %12llu %12llu  %.*s\n", range, (unsigned long long)stats->out_degrees[i],
               (unsigned long long)stats->in_degrees[i], length, bar);
    }
}

static void print_stats(const struct graph *graph, const struct graph_stats *stats)
{
    char text[32];
    uint64_t nodes = graph_node_count(graph), edges = graph->edge_count;
    unsigned threads = parallel_count(0);
    line("nodes", nodes);
    line("edges", edges);
    line("first node", graph->first_node);
    text_line("renumbered", graph->original_ids != NULL ? "yes" : "no");
    const bool has_pages = graph->origin != NULL && graph->origin->page_ids != NULL;
    text_line("names", graph->names == NULL ? "no" : has_pages ? "yes, with page ids" : "yes");
    printf("%-30s %016llx\n", "checksum", (unsigned long long)graph_checksum(graph));
    printf("%-30s %.2f\n", "edges per node", nodes ? (double)edges / (double)nodes : 0);
    line("largest out-degree", stats->out_degree_max);
    line("largest in-degree", stats->in_degree_max);
    line("self-loops", stats->self_loops);
    line("duplicate edges", stats->duplicates);
    share_line("sources (no in-edges)", stats->sources, nodes);
    share_line("sinks (no out-edges)", stats->sinks, nodes);
    share_line("isolated nodes", stats->isolated, nodes);
    line("strongly connected components", stats->strong_components);
    share_line("largest of them", stats->strong_component_max, nodes);
    line("weakly connected components", stats->weak_components);
    share_line("largest of them", stats->weak_component_max, nodes);
    printf("%-30s mean %.1f %%, most %.1f %% of the nodes, %llu sources\n", "reach",
           100 * stats->reach_mean, 100 * stats->reach_max, (unsigned long long)stats->samples);
    text_line("memory while loading, at most",
              memory_text(text, graph_load_memory(nodes, edges, false, threads)));
    text_line("with the reverse adjacency",
              memory_text(text, graph_load_memory(nodes, edges, true, threads)));
    text_line("memory once loaded",
              memory_text(text, edges * 4 + ((uint64_t)graph->node_limit + 1) * 8));
    print_histogram(stats, nodes);
}

/* Print the facts that wikipedia-import recorded about the wiki. */
static void print_facts(const struct graph *graph)
{
    const struct graph_origin *origin = graph->origin;
    const char *fact = origin != NULL && origin->facts != NULL ? origin->facts : "";
    if (*fact != '\0') {
        putchar('\n');
    }
    while (*fact != '\0') {
        const size_t length = strcspn(fact, "\n"), name = strcspn(fact, "\t\n");
        printf("%-40.*s %.*s\n", (int)name, fact, (int)(length - name - (name < length)),
               fact + name + (name < length));
        fact += length + (fact[length] == '\n');
    }
}

int main(int argument_count, char **arguments)
{
    (void)argument_count;
    struct settings settings = {.samples = 16, .seed = 1};
    struct graph_program *program = &settings.program;
    struct graph graph;
    struct graph_stats stats;
    struct graph_error error = {0};
    const char *path = NULL;
    int status = graph_program_open(program, &command, &settings, arguments, &path, 1, "GRAPH");
    if (status >= 0) {
        return status;
    }
    if (!graph_program_load(program, path, &graph)) {
        return EXIT_FAILED;
    }
    if (settings.facts) {
        printf("%s",
               graph.origin != NULL && graph.origin->facts != NULL ? graph.origin->facts : "");
        graph_free(&graph);
        return graph_program_finish(program);
    }
    interrupt_arm(STDERR_FILENO, "", 0, "interrupted"); /* nothing is printed yet */
    bool done = graph_stats_collect(&graph, settings.samples, settings.seed, &stats, &error);
    interrupt_disarm();
    if (done) {
        print_stats(&graph, &stats);
        print_facts(&graph);
    }
    graph_free(&graph);
    return done ? graph_program_finish(program) : graph_program_fail(program, error.message);
}

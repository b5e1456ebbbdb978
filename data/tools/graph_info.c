/*
 * graph_info.c - the program graph-info: what a graph is like.
 */
#include "data/graph/graph_memory.h"
#include "data/graph/graph_names.h"
#include "data/make/graph_stats.h"
#include "graph_program.h"

#include <stdio.h>
#include <unistd.h>

static const char help[] =
    "Usage: graph-info [OPTION]... GRAPH\n"
    "\n"
    "Print what GRAPH is like: nodes, edges, degrees, self-loops, duplicates, sources, sinks, the\n"
    "largest strongly and weakly connected component, how much a search from a random node with\n"
    "out-edges reaches, and the memory that loading it takes.\n"
    "\n"
    "      --samples N           searches to estimate the reach with (default: 16)\n"
    "      --seed N              picks their sources (default: 1)\n" PROGRAM_SHARED_HELP;

enum { OPTION_SAMPLES = OPTION_OWN, OPTION_SEED };

static void line(const char *what, uint64_t value)
{
    printf("%-30s %llu\n", what, (unsigned long long)value);
}

static void share_line(const char *what, uint64_t value, uint64_t all)
{
    printf("%-30s %llu (%.1f %%)\n", what, (unsigned long long)value,
           all ? 100.0 * (double)value / (double)all : 0);
}

/* Nodes by degree, a line a power of two. */
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
        snprintf(range, sizeof range, low == high ? "%llu" : "%llu..%llu", (unsigned long long)low,
                 (unsigned long long)high);
        int length = nodes ? (int)(40.0 * (double)stats->out_degrees[i] / (double)nodes + 0.5) : 0;
        printf("%-23s %12llu %12llu  %.*s\n", range, (unsigned long long)stats->out_degrees[i],
               (unsigned long long)stats->in_degrees[i], length, bar);
    }
}

static void print_stats(const struct graph *graph, const struct graph_stats *stats)
{
    char text[32];
    uint64_t nodes = graph_node_count(graph);
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned threads = processors > 0 ? (unsigned)processors : 1;
    line("nodes", nodes);
    line("edges", graph->edge_count);
    line("first node", graph->first_node);
    printf("%-30s %s\n", "renumbered", graph->original_ids ? "yes" : "no");
    printf("%-30s %s\n", "names", graph->names ? "yes" : "no");
    printf("%-30s %.2f\n", "edges a node", nodes ? (double)graph->edge_count / (double)nodes : 0);
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
    printf("%-30s %s\n", "memory while loading, at most",
           memory_text(text, graph_load_memory(nodes, graph->edge_count, false, threads)));
    printf("%-30s %s\n", "with the reverse adjacency",
           memory_text(text, graph_load_memory(nodes, graph->edge_count, true, threads)));
    printf("%-30s %s\n", "memory once loaded",
           memory_text(text, graph->edge_count * 4 + ((uint64_t)graph->node_limit + 1) * 8));
    print_histogram(stats, nodes);
}

int main(int argument_count, char **arguments)
{
    static const struct option options[] = {
        PROGRAM_SHARED_OPTIONS,
        {"samples", required_argument, NULL, OPTION_SAMPLES},
        {"seed", required_argument, NULL, OPTION_SEED},
        {NULL, 0, NULL, 0},
    };
    struct graph_program program;
    struct graph graph;
    struct graph_stats stats;
    struct graph_error error = {0};
    uint64_t samples = 16, seed = 1;
    int option;
    graph_program_init(&program, "graph-info");
    while ((option = getopt_long(argument_count, arguments, "", options, NULL)) != -1) {
        bool good = option != '?';
        if (option == OPTION_HELP) {
            fputs(help, stdout);
            return graph_program_finish(&program, PROGRAM_OK);
        }
        if (option == OPTION_VERSION) {
            puts("graph-info (pointer_wars) " PW_VERSION);
            return graph_program_finish(&program, PROGRAM_OK);
        }
        if (option == OPTION_SAMPLES) {
            good = graph_program_number(&program, "samples", optarg, 1000000, &samples);
        } else if (option == OPTION_SEED) {
            good = graph_program_number(&program, "seed", optarg, UINT64_MAX - 1, &seed);
        } else if (good) {
            good = graph_program_option(&program, option, optarg);
        }
        if (!good) {
            return PROGRAM_USAGE;
        }
    }
    if (argument_count - optind != 1) {
        return graph_program_fail(&program, PROGRAM_USAGE, "expected GRAPH, see graph-info --help");
    }
    if (!graph_program_load(&program, arguments[optind], &graph)) {
        return graph_program_failed_status();
    }
    bool done = graph_stats_collect(&graph, (unsigned)samples, seed, &stats, &error);
    if (done) {
        print_stats(&graph, &stats);
    }
    graph_free(&graph);
    return done ? graph_program_finish(&program, PROGRAM_OK)
                : graph_program_fail(&program, PROGRAM_FAILED, error.message);
}

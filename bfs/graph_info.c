/*
 * graph_info.c - the program graph-info: prints the statistics of a graph.
 */
#include "base/program/interrupt.h"
#include "bfs/pwgraph/pwgraph_hold.h"
#include "data/graph/graph_memory.h"
#include "data/graph/graph_origin.h"
#include "data/graph/parallel.h"
#include "data/load/graph_load.h"
#include "data/make/graph_stats.h"
#include "data/store/graph_checksum.h"
#include "data/tools/graph_program.h"
#include <string.h>
#include <unistd.h>

struct settings {
    struct graph_program program;
    bool diameter;
    uint64_t timeout_ns; /* of the diameter */
    bool facts;
};

static const struct option_row rows[] = {
    {"diameter", 0, NULL,
     "find the exact diameter, radius and a node of the centre of the largest strongly connected "
     "component",
     OPTION_FLAG(struct settings, diameter)},
    {"timeout", 't', "SECONDS",
     "print the bounds of diameter and radius that are known after that long (default: 60; 0: wait "
     "for the exact ones)",
     OPTION_SECONDS(struct settings, timeout_ns)},
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
    .introduction = "Usage: graph-info [OPTION]... GRAPH\n"
                    "\n"
                    "Print what GRAPH is like: nodes, edges, degrees, self-loops, duplicates,\n"
                    "sources, sinks, the largest strongly and weakly connected component, and the\n"
                    "memory that loading it takes. GRAPH is a file, or a specification such as\n"
                    "generate:kronecker,scale=16.\n",
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

/* The diameter or the radius, or its bounds. */
static void bounds_line(const char *what, uint32_t low, uint32_t high, const char *of)
{
    if (low == high) {
        printf("%-30s %lu%s\n", what, (unsigned long)low, of);
    } else {
        printf("%-30s from %lu to %lu%s; the time ran out\n", what, (unsigned long)low,
               (unsigned long)high, of);
    }
}

static void print_diameter(const struct pwgraph *graph, const struct pwgraph_diameter *found)
{
    char text[PWGRAPH_TEXT_SIZE];
    const char *of = found->nodes < pwgraph_node_count(graph)
                         ? ", of the largest strongly connected component"
                         : "";
    putchar('\n');
    bounds_line("diameter", found->diameter_min, found->diameter_max, of);
    bounds_line("radius", found->radius_min, found->radius_max, of);
    if (found->from != PWGRAPH_NONE) {
        text_line("from", pwgraph_label(graph, found->from, text));
        printf("%-30s %s, %lu hops away\n", "to", pwgraph_label(graph, found->to, text),
               (unsigned long)found->diameter_min);
        printf("%-30s %s, at most %lu hops from all\n", "centre",
               pwgraph_label(graph, found->center, text), (unsigned long)found->radius_max);
    }
    line("searches made for that", found->walks);
}

/* Find and print the diameter. False with error set. */
static bool show_diameter(const struct graph *graph, uint64_t timeout_ns,
                          struct pwgraph_error *error)
{
    struct pwgraph_diameter found = {.nodes = 0};
    struct pwgraph *held = pwgraph_hold(graph, NULL, error);
    struct pwgraph_search *search = held != NULL ? pwgraph_search_create(held, NULL, error) : NULL;
    bool done = search != NULL;
    if (done) {
        pwgraph_search_limit(search, timeout_ns, interrupt_flag());
        done = pwgraph_search_diameter(search, &found, NULL, 0, error) ||
               error->code == PWGRAPH_TIMED_OUT;
    }
    if (done && found.nodes > 0) {
        print_diameter(held, &found);
    }
    pwgraph_search_free(search);
    pwgraph_free(held);
    return done;
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
    struct settings settings = {.timeout_ns = UINT64_C(60000000000)};
    struct graph_program *program = &settings.program;
    struct graph graph;
    struct graph_stats stats;
    struct graph_error error = {0};
    struct pwgraph_error why;
    const char *path = NULL;
    int status = graph_program_open(program, &command, &settings, arguments, &path, 1, "GRAPH");
    if (status >= 0) {
        return status;
    }
    program->input.build_reverse = settings.diameter;
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
    bool done = graph_stats_collect(&graph, &stats, &error);
    const char *message = error.message;
    interrupt_disarm();
    if (done) {
        print_stats(&graph, &stats);
        print_facts(&graph);
    }
    if (done && settings.diameter) {
        done = show_diameter(&graph, settings.timeout_ns, &why);
        message = why.text;
    }
    graph_free(&graph);
    return done ? graph_program_finish(program) : graph_program_fail(program, message);
}

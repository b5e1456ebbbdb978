/*
 * test_graph_programs.c - orders, statistics, and the programs graph-convert and graph-info.
 */
#include "data/load/graph_load.h"
#include "data/make/graph_order.h"
#include "data/make/graph_stats.h"
#include "data/names/node_index.h"
#include "tests/support/fixture_file.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"
#include <sys/stat.h>
#include <sys/wait.h>

static struct graph load(const char *path, const struct graph_options *options)
{
    struct graph graph;
    struct graph_error error;
    ck_assert_msg(graph_load(path, options, &graph, &error), "%s", error.message);
    return graph;
}

/* The edges of both graphs by the ids of their files, row by row. */
static void assert_same_by_original_ids(const struct graph *one, const struct graph *other)
{
    for (uint32_t u = one->first_node; u < one->node_limit; u++) {
        uint32_t v = other->first_node;
        while (graph_original_id(other, v) != graph_original_id(one, u)) {
            v++;
        }
        ck_assert_uint_eq(graph_out_degree(one, u), graph_out_degree(other, v));
        for (uint64_t i = 0; i < graph_out_degree(one, u); i++) {
            ck_assert_uint_eq(graph_original_id(one, one->neighbours[one->offsets[u] + i]),
                              graph_original_id(other, other->neighbours[other->offsets[v] + i]));
        }
    }
}

static const char edges[] = "1 2\n1 3\n3 3\n3 4\n4 3\n5 1\n5 1\n6 7\n7 9\n";

START_TEST(every_order_keeps_rows_and_the_ids_of_the_file)
{
    struct graph graph = load(fixture_text("graph.txt", edges), NULL);
    for (enum graph_order order = GRAPH_ORDER_NONE; order <= GRAPH_ORDER_BFS; order++) {
        struct graph other = load(fixture_path("graph.txt"), NULL);
        struct graph_error error = {0};
        ck_assert(graph_renumber(&other, order, &error));
        ck_assert_uint_eq(other.first_node, 1);
        assert_same_by_original_ids(&graph, &other);
        if (order == GRAPH_ORDER_DEGREE) {
            ck_assert_uint_eq(other.original_ids[1], 3); /* five ends of edges */
        }
        if (order == GRAPH_ORDER_BFS) {
            ck_assert_uint_eq(other.original_ids[1], 1);
            ck_assert_uint_eq(other.original_ids[2], 2);
        }
        graph_free(&other);
    }
    graph_free(&graph);
}
END_TEST

START_TEST(every_id_of_a_renumbered_graph_is_found)
{
    enum { NODES = 700, AN_ID = 350 };
    struct rng rng = random_start("original ids");
    for (unsigned round = 0; round < 24; round++) {
        const uint32_t first = round % 2, step = round % 4 < 2 ? 1 : 3; /* dense or sparse */
        const bool has_twice = round % 3 == 0;
        uint32_t ids[NODES + 1];
        for (uint32_t u = first; u < first + NODES; u++) { /* shuffled inside out */
            const uint32_t at = first + (uint32_t)random_below(&rng, u - first + 1);
            ids[u] = ids[at];
            ids[at] = first + (u - first) * step;
        }
        for (uint32_t u = first; has_twice && u < first + NODES; u++) { /* as a damaged file may */
            ids[u] = ids[u] == first + (AN_ID + 1) * step ? first + AN_ID * step : ids[u];
        }
        const struct graph graph = {
            .first_node = first, .node_limit = first + NODES, .original_ids = ids};
        struct node_index index;
        ck_assert(node_index_init(&index, &graph) && node_index_check(&index));
        for (uint32_t id = 0; id < first + NODES * step + 2; id++) {
            const uint32_t rank = (id - first) / step;
            const bool wanted = id >= first && (id - first) % step == 0 && rank < NODES &&
                                !(has_twice && rank == AN_ID + 1);
            char text[16];
            uint32_t node;
            snprintf(text, sizeof(text), "%u", id);
            ck_assert_int_eq(node_index_find(&index, text, strlen(text), &node), wanted);
            ck_assert(!wanted || (graph_has_node(&graph, node) && ids[node] == id));
        }
        node_index_free(&index);
    }
}
END_TEST

START_TEST(statistics_of_a_small_graph_are_those_counted_by_hand)
{
    struct graph graph = load(fixture_text("graph.txt", edges), NULL);
    struct graph_stats stats;
    struct graph_error error = {0};
    ck_assert(graph_stats_collect(&graph, &stats, &error));
    ck_assert_uint_eq(stats.out_degree_max, 2);
    ck_assert_uint_eq(stats.in_degree_max, 3);
    ck_assert_uint_eq(stats.self_loops, 1);
    ck_assert_uint_eq(stats.duplicates, 1);
    ck_assert_uint_eq(stats.sources, 3);  /* 5, 6, 8 */
    ck_assert_uint_eq(stats.sinks, 3);    /* 2, 8, 9 */
    ck_assert_uint_eq(stats.isolated, 1); /* 8 */
    ck_assert_uint_eq(stats.strong_component_max, 2);
    ck_assert_uint_eq(stats.strong_components, 8);
    ck_assert_uint_eq(stats.weak_component_max, 5);
    ck_assert_uint_eq(stats.weak_components, 3);
    ck_assert_uint_eq(stats.out_degrees[0], 3);
    ck_assert_uint_eq(stats.out_degrees[1], 3);
    ck_assert_uint_eq(stats.out_degrees[2], 3);
    graph_free(&graph);
}
END_TEST

static int run(const char *format, const char *one, const char *other)
{
    char command[2000];
    snprintf(command, sizeof(command), format, one, other);
    int status = system(command);
    ck_assert(WIFEXITED(status));
    return WEXITSTATUS(status);
}

START_TEST(graph_convert_writes_a_snapshot_that_graph_info_describes)
{
    const char *text = fixture_text("graph.txt", edges);
    const char *snapshot = fixture_path("graph.pwg");
    ck_assert_int_eq(run("'" PW_GRAPH_CONVERT "' --order=degree --with-reverse %s %s >/dev/null",
                         text, snapshot),
                     0);
    struct graph graph = load(text, NULL), other = load(snapshot, NULL);
    ck_assert_ptr_nonnull(other.in_offsets);
    assert_same_by_original_ids(&graph, &other);
    graph_free(&graph);
    graph_free(&other);
    ck_assert_int_eq(run("'" PW_GRAPH_INFO "' %s | grep -q '^edges  *9$'%s", snapshot, ""), 0);
}
END_TEST

START_TEST(graph_info_finds_the_diameter_or_says_its_bounds)
{
    /* a chain of 7 there and back, and an edge out of it */
    const char *chain = fixture_text("chain.txt", "0 1\n1 2\n2 3\n3 4\n4 5\n5 6\n1 0\n2 1\n3 2\n"
                                                  "4 3\n5 4\n6 5\n0 7\n");
    static const char *const lines[] = {
        "^diameter  *6, of the largest strongly connected component$",
        "^radius  *3, of the largest strongly connected component$",
        "^centre  *3, at most 3 hops from all$", "^to  *[06], 6 hops away$"};
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        ck_assert_int_eq(run("'" PW_GRAPH_INFO "' --diameter %s | grep -q '%s'", chain, lines[i]),
                         0);
    }
    ck_assert_int_eq(run("'" PW_GRAPH_INFO "' %s | grep -q '^%s'", chain, "diameter"), 1);
    ck_assert_int_eq(run("'" PW_GRAPH_INFO "' --diameter %s | grep -q '%s'",
                         "generate:grid,rows=20,columns=30", "^diameter  *48$"),
                     0);
    ck_assert_int_eq(run("'" PW_GRAPH_INFO "' --diameter --timeout=0.000001 %s | grep -q '%s'",
                         "generate:uniform,nodes=9k",
                         "^radius  *from [0-9]* to [0-9]*; the time ran out$"),
                     0);
}
END_TEST

START_TEST(graph_convert_keeps_the_reverse_adjacency_unless_refused_or_short_of_memory)
{
    static const struct {
        const char *options;
        bool keeps;
    } ways[] = {
        {"", true},
        {"--order=bfs", true},
        {"--with-reverse", true},
        {"--without-reverse", false},
        {"--threads=1 --memory-limit=6291756", false}, /* 6 MiB, and 300 bytes of 241 or 366 */
        {"--order=bfs --without-reverse", false}};
    const char *text = fixture_text("graph.txt", edges);
    const char *snapshot = fixture_path("graph.pwg");
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        char command[300];
        snprintf(command, sizeof(command), "'" PW_GRAPH_CONVERT "' -q %s %%s %%s", ways[i].options);
        int status = run(command, text, snapshot);
        ck_assert_msg(status == 0, "%s", ways[i].options);
        struct graph graph = load(snapshot, NULL);
        ck_assert_msg((graph.in_offsets != NULL) == ways[i].keeps, "%s", ways[i].options);
        graph_free(&graph);
    }
    ck_assert_int_eq(run("'" PW_GRAPH_CONVERT
                         "' --with-reverse --without-reverse %s %s 2>/dev/null",
                         text, snapshot),
                     2);
}
END_TEST

START_TEST(the_programs_refuse_wrong_usage_and_bad_files)
{
    const char *bad = fixture_text("bad.txt", "1 x\n");
    ck_assert_int_eq(run("'" PW_GRAPH_INFO "' %s 2>/dev/null%s", bad, ""), 1);
    ck_assert_int_eq(run("'" PW_GRAPH_CONVERT "' %s %s 2>/dev/null", bad, fixture_path("no.pwg")),
                     1);
    ck_assert_int_ne(access(fixture_path("no.pwg"), F_OK), 0);
    ck_assert_int_eq(run("'" PW_GRAPH_CONVERT "' --order=best %s%s x 2>/dev/null", bad, ""), 2);
    ck_assert_int_eq(run("'" PW_GRAPH_CONVERT "' %s%s 2>/dev/null", bad, ""), 2);
    ck_assert_int_eq(run("'" PW_GRAPH_INFO "' --threads=x %s%s 2>/dev/null", bad, ""), 2);
    ck_assert_int_eq(run("'" PW_GRAPH_INFO "' --input-format=x %s%s 2>/dev/null", bad, ""), 2);
    ck_assert_int_eq(run("'" PW_GRAPH_CONVERT "' --input-format=x %s %s 2>/dev/null", bad, bad), 2);
    ck_assert_int_eq(run("'" PW_GRAPH_INFO "' --help %s%s >/dev/null", "", ""), 0);
}
END_TEST

START_TEST(graph_convert_overwrites_no_input_and_nothing_but_files)
{
    const char *text = fixture_text("graph.txt", "1 2\n");
    const char *names = fixture_text("names.txt", "a\nb\n");
    ck_assert_int_eq(run("'" PW_GRAPH_CONVERT "' %s %s 2>/dev/null", text, text), 1);
    ck_assert_int_eq(run("'" PW_GRAPH_CONVERT "' - %s < %s 2>/dev/null", text, text), 1);
    ck_assert_int_eq(run("'" PW_GRAPH_CONVERT "' --names=%s "
                         "/dev/null %s 2>/dev/null",
                         names, names),
                     1);
    ck_assert_int_eq(run("grep -q '^1 2$' %s%s", text, ""), 0);
    ck_assert_int_eq(run("grep -q '^a$' %s%s", names, ""), 0);
    ck_assert_int_eq(
        run("'" PW_GRAPH_CONVERT "' %s - 2>&1 >/dev/null | grep -q 'must be a file'%s", text, ""),
        0);
    ck_assert_int_ne(access("-", F_OK), 0);
    const char *pipe = fixture_path("pipe.pwg");
    ck_assert_int_eq(mkfifo(pipe, 0600), 0);
    ck_assert_int_eq(run("'" PW_GRAPH_CONVERT "' %s %s 2>/dev/null", text, pipe), 1);
    ck_assert_int_eq(run("test -p %s%s", pipe, ""), 0);
}
END_TEST

START_TEST(lost_output_of_a_program_is_a_failure)
{
    const char *text = fixture_text("graph.txt", "1 2\n");
    ck_assert_int_eq(run("'" PW_GRAPH_INFO "' %s%s >/dev/full 2>/dev/null", text, ""), 1);
    ck_assert_int_eq(
        run("'" PW_GRAPH_CONVERT "' %s %s >/dev/full 2>/dev/null", text, fixture_path("graph.pwg")),
        1);
    ck_assert_int_eq(run("'" PW_GRAPH_INFO "' --help%s%s >/dev/full 2>/dev/null", "", ""), 1);
}
END_TEST

START_TEST(a_closed_standard_stream_is_an_error_and_not_an_empty_file)
{
    const char *text = fixture_text("graph.txt", "1 2\n");
    static const char says[] = "cannot be read: Bad file descriptor";
    ck_assert_int_eq(run("'" PW_GRAPH_INFO "' - <&- 2>&1 | grep -q '%s%s'", says, ""), 0);
    ck_assert_int_eq(run("'" PW_BFS "' - random:1 <&- 2>&1 | grep -q '%s%s'", says, ""), 0);
    ck_assert_int_eq(run("'" PW_GRAPH_INFO "' %s%s >&- 2>/dev/null", text, ""), 1);
    ck_assert_int_eq(run("'" PW_GRAPH_CONVERT "' -q %s %s >&-", text, fixture_path("graph.mtx")),
                     0);
    ck_assert_int_eq(run("'" PW_GRAPH_CONVERT "' --help%s%s >/dev/full 2>/dev/null", "", ""), 1);
}
END_TEST

START_TEST(advice_names_the_flag_of_the_program_that_gives_it)
{
    static const char says[] = " 2>&1 >/dev/null | grep -q -e '%s'";
    char command[300];
    const char *sparse = fixture_text("sparse.txt", "4000000000 7\n7 100000000\n");
    const char *named = fixture_text("named.tsv", "a\tb\nb\tc\n");
    snprintf(command, sizeof(command), "%s%s", "'" PW_GRAPH_INFO "' --memory-limit=1073741824 %s",
             says);
    ck_assert_int_eq(run(command, sparse, "(--compact renumbers sparse ids)"), 0);
    snprintf(command, sizeof(command), "%s%s", "'" PW_GRAPH_INFO "' --names=/dev/null %s", says);
    ck_assert_int_eq(run(command, named, "holds names already; --names is for a graph of ids"), 0);
    const char *undirected = fixture_text("snap.txt", "# Undirected graph: x\n1 2\n");
    snprintf(command, sizeof(command), "%s%s", "'" PW_GRAPH_INFO "' %s", says);
    ck_assert_int_eq(run(command, undirected, "(--undirected adds the other direction)"), 0);
}
END_TEST

int main(void)
{
    return suite_run(
        "graph_programs", NULL, NULL,
        (const TTest *[]){
            every_order_keeps_rows_and_the_ids_of_the_file,
            every_id_of_a_renumbered_graph_is_found,
            statistics_of_a_small_graph_are_those_counted_by_hand,
            graph_convert_writes_a_snapshot_that_graph_info_describes,
            graph_info_finds_the_diameter_or_says_its_bounds,
            graph_convert_keeps_the_reverse_adjacency_unless_refused_or_short_of_memory,
            the_programs_refuse_wrong_usage_and_bad_files,
            graph_convert_overwrites_no_input_and_nothing_but_files,
            lost_output_of_a_program_is_a_failure,
            a_closed_standard_stream_is_an_error_and_not_an_empty_file,
            advice_names_the_flag_of_the_program_that_gives_it,
            NULL,
        });
}

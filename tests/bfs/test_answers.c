/*
 * test_answers.c - one question: the number of shortest paths, what is printed in which width, and
 * what else a command for one question prints or refuses.
 */
#include "base/macros.h"
#include "bfs/answers/answer.h"
#include "bfs/engines/engines.h"
#include "bfs/pwgraph/paths/path_graph.h"
#include "bfs/pwgraph/pwgraph_hold.h"
#include "bfs/run/answer_check.h"
#include "tests/support/all_paths.h"
#include "tests/support/json.h"
#include "tests/support/program.h"
#include "tests/support/random_graph.h"
#include "tests/support/require.h"
#include "tests/support/suite.h"
#include "tests/support/terminal.h"

START_TEST(shortest_paths_are_counted_from_both_ends_as_from_one)
{
    for (uint64_t seed = 1; seed < 300; seed++) {
        graph_rng.state = seed;
        uint32_t nodes = 1 + draw(14);
        struct random_graph made =
            random_graph_create((uint32_t)seed % 2, nodes, draw(nodes * 4), seed % 3 == 0);
        struct distances distances;
        struct path_count paths;
        random_graph_add_reverse(&made);
        ck_assert(distances_open(&distances, &made.graph));
        ck_assert(path_count_open(&paths, &made.graph));
        for (uint32_t s = made.graph.first_node; s < made.graph.node_limit; s++) {
            distances_find(&distances, s);
            for (uint32_t t = made.graph.first_node; t < made.graph.node_limit; t++) {
                uint64_t expected = 0, counted = 0;
                uint32_t hops = distances_to(&distances, t);
                if (hops != SEARCH_HOPS_NONE) {
                    struct path_graph all;
                    require(all_paths_find(&made.graph, (struct pair){s, t}, &all));
                    expected = all.count_at_most;
                    path_graph_free(&all);
                    require(path_count_find(&paths, s, t, hops, UINT64_MAX, &counted));
                    require_equal(counted, expected);
                }
            }
        }
        path_count_close(&paths);
        distances_close(&distances);
        random_graph_free(&made);
    }
}
END_TEST

/* Search with some nodes to avoid, and compare with a walk over everything. */
static void avoid_and_compare(struct path_count *paths, struct distances *distances,
                              const uint32_t *avoided, size_t avoided_count)
{
    const struct graph *graph = distances->graph;
    const struct distances_walk walk = {.avoided = avoided, .avoided_count = avoided_count};
    struct search_result result;
    uint32_t nodes[64];
    require(path_count_avoid(paths, avoided, avoided_count));
    for (int i = 0; i < 20; i++) {
        const uint32_t source = random_node(graph, false);
        distances_find_more(distances, source, &walk, &result);
        if (distances->reached > 0) { /* the source is not to be avoided */
            uint64_t reached = 0, within = 0;
            require(path_count_reach(paths, source, UINT64_MAX, &reached));
            require_equal(reached, distances->reached);
            require(path_count_reach(paths, source, draw(300), &within));
            require(within == 0 || within == reached);
        }
        for (int k = 0; k < 5; k++) {
            const uint32_t target = random_node(graph, false);
            uint64_t count = path_count_search(paths, source, target, NULL, &result);
            require_equal(result.status, SEARCH_DONE);
            require_equal(result.hops, distances_to(distances, target));
            require(result.found == (count > 0));
            require(result.pushed <= result.edges);        /* each was found by an edge ... */
            require(result.expanded <= result.pushed + 2); /* ... but for the two ends */
            if (result.found) {
                require(path_count_path(paths, nodes, COUNT_OF(nodes)));
                require(path_is_valid(graph, source, target, result.hops, nodes));
            }
            for (size_t a = 0; result.found && a < avoided_count; a++) {
                for (uint32_t at = 0; at <= result.hops; at++) {
                    require(nodes[at] != avoided[a]);
                }
            }
            if (result.found && avoided_count == 0) {
                struct path_graph all;
                require(all_paths_find(graph, (struct pair){source, target}, &all));
                require_equal(count, all.count_at_most);
                require(path_count_find(paths, source, target, result.hops, UINT64_MAX, &count));
                require_equal(count, all.count_at_most);
                path_graph_free(&all);
            }
        }
    }
    require(avoiding_engine.check(paths));
}

START_TEST(thousands_of_nodes_are_avoided_and_forgotten_again)
{
    enum { NODES = 6000 };
    static const size_t sizes[] = {0, 3, 2000, 1023, 0, 1024, 4000, 1, 0};
    graph_rng = random_start("avoided nodes of a large graph");
    struct random_graph made = random_graph_create(0, NODES, 5 * NODES, true);
    struct distances distances;
    struct path_count paths;
    uint32_t *avoided = malloc(NODES * sizeof(*avoided));
    random_graph_add_reverse(&made);
    ck_assert(distances_open(&distances, &made.graph) && path_count_open(&paths, &made.graph));
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        for (size_t k = 0; k < sizes[i]; k++) {
            avoided[k] = draw(NODES); /* also repeats */
        }
        avoid_and_compare(&paths, &distances, avoided, sizes[i]);
    }
    path_count_close(&paths);
    distances_close(&distances);
    free(avoided);
    random_graph_free(&made);
}
END_TEST

/* Ask with nodes to avoid, each pair, and compare with a walk over everything. */
static void ask_and_compare(struct asker *asker, struct distances *distances)
{
    const struct graph *graph = distances->graph;
    const struct distances_walk walk = {.avoided = asker->avoided,
                                        .avoided_count = asker->avoided_count};
    struct search_result unused;
    struct answer answer;
    struct command_error error;
    for (uint32_t s = graph->first_node; s < graph->node_limit; s++) {
        for (uint32_t t = graph->first_node; t < graph->node_limit; t++) {
            require(asker_ask(asker, (struct question){s, t}, &answer, &error));
            require(asker_complete(asker, &answer, &error));
            distances_find_more(distances, s, &walk, &unused);
            const size_t reached = distances->reached;
            require_equal(answer.hops, distances_to(distances, t));
            for (size_t i = 0; answer.found && i <= answer.hops; i++) {
                require(!answer_avoids(&answer, answer.nodes[i]));
            }
            struct pwgraph_paths *all = asker_paths(asker, &answer, 0, 3, &error);
            require(all != NULL);
            require_equal(answer.path_count, all->count_at_most);
            pwgraph_paths_free(all);
            if (!answer.found) {
                require_equal(answer.reached, answer_avoids(&answer, s) ? 0 : reached);
                distances_find_more(distances, t, &walk, &unused);
                require_equal(answer.hops_back, s == t ? PWGRAPH_NONE : distances->hops[s]);
            }
        }
    }
}

START_TEST(an_asker_avoids_nodes_until_it_is_asked_to_avoid_others)
{
    graph_rng = random_start("an asker that avoids nodes");
    for (unsigned round = 0; round < 60; round++) {
        struct random_graph made =
            random_graph_create(round % 2, 2 + draw(14), draw(40), round % 3 == 0);
        const struct graph *graph = &made.graph;
        struct distances distances;
        struct asker asker;
        struct command_error error;
        random_graph_add_reverse(&made);
        struct pwgraph *held = pwgraph_hold(graph, NULL, NULL);
        require(held != NULL && distances_open(&distances, graph));
        require(asker_open(&asker, held, "bidirectional", 0, NULL, round % 4 < 2, &error));
        for (unsigned list = 0; list < 4; list++) {
            uint32_t avoided[5];
            const size_t count = list == 3 ? 0 : draw(COUNT_OF(avoided) + 1);
            for (size_t i = 0; i < count; i++) {
                avoided[i] = random_node(graph, false); /* also repeats */
            }
            require(asker_avoid(&asker, avoided, count, &error));
            ask_and_compare(&asker, &distances);
        }
        asker_close(&asker);
        pwgraph_free(held);
        distances_close(&distances);
        random_graph_free(&made);
    }
}
END_TEST

/* An engine that takes no notice of the nodes to avoid. */
START_TEST(a_path_over_a_node_to_avoid_is_found_out)
{
    struct random_graph made = random_graph_create(0, 3, 2, false);
    const uint64_t offsets[] = {0, 1, 2, 2};
    const uint32_t avoided = 1;
    memcpy(made.graph.offsets, offsets, sizeof(offsets)); /* 0 -> 1 -> 2 */
    made.graph.neighbours[0] = 1;
    made.graph.neighbours[1] = 2;
    for (unsigned verify = 0; verify < 2; verify++) {
        struct answer_check check;
        struct command_error error;
        struct search_result result;
        void *workspace = plain_engine.create(&made.graph, NULL);
        require(workspace != NULL);
        require(answer_check_open(&check, &made.graph, true, verify == 1));
        for (unsigned avoids = 0; avoids < 2; avoids++) {
            const struct pair pair = {0, 2};
            plain_engine.search(workspace, pair.source, pair.target, NULL, &result);
            answer_check_avoid(&check, avoids ? &avoided : NULL, avoids);
            ck_assert(answer_check(&check, &plain_engine, workspace, pair, &result, &error) ==
                      (avoids == 0));
        }
        ck_assert_str_eq(error.message, verify == 1
                                            ? "0 to 2: plain says 2 hops, the check no path"
                                            : "0 to 2: the path of plain has a node to avoid");
        answer_check_close(&check);
        plain_engine.destroy(workspace);
    }
    random_graph_free(&made);
}
END_TEST

static bool emit_nothing(void *context, const uint32_t *nodes, uint32_t hops)
{
    (void)context;
    (void)nodes;
    (void)hops;
    return true;
}

START_TEST(adjacencies_that_contradict_each_other_give_no_paths)
{
    struct random_graph made = random_graph_create(0, 3, 2, false);
    const uint64_t offsets[] = {0, 1, 2, 2}, in_offsets[] = {0, 0, 1, 2};
    struct path_graph paths;
    random_graph_add_reverse(&made);
    memcpy(made.graph.offsets, offsets, sizeof(offsets)); /* 0 -> 1 -> 2 */
    made.graph.neighbours[0] = 1;
    made.graph.neighbours[1] = 2;
    memcpy(made.graph.in_offsets, in_offsets, sizeof(in_offsets)); /* 2 -> 1 -> 2 */
    made.graph.in_neighbours[0] = 2;
    made.graph.in_neighbours[1] = 1;
    ck_assert(all_paths_find(&made.graph, (struct pair){0, 2}, &paths));
    ck_assert(path_graph_walk(&paths, UINT64_MAX, emit_nothing, NULL));
    ck_assert_uint_eq(paths.count_at_most, 0);
    path_graph_free(&paths);
    random_graph_free(&made);
}
END_TEST

/* A chain of diamonds, 2 to the power of count paths from 0 to 3 * count. */
static struct random_graph diamonds(uint32_t count)
{
    struct random_graph made = random_graph_create(0, 3 * count + 1, 0, false);
    free(made.graph.neighbours);
    made.graph.neighbours = malloc(sizeof(uint32_t) * 4 * count);
    uint64_t edge = 0;
    for (uint32_t node = 0; node < made.graph.node_limit; node++) {
        const bool last = node == 3 * count;
        made.graph.offsets[node] = edge;
        if (node % 3 == 0 && !last) {
            made.graph.neighbours[edge++] = node + 1;
            made.graph.neighbours[edge++] = node + 2;
        } else if (!last) {
            made.graph.neighbours[edge++] = node / 3 * 3 + 3;
        }
    }
    made.graph.offsets[made.graph.node_limit] = made.graph.edge_count = edge;
    return made;
}

START_TEST(counting_ends_at_its_bound_and_at_the_largest_number)
{
    static const struct {
        uint32_t count;
        uint64_t edges, expected;
    } cases[] = {{10, UINT64_MAX, 1024},
                 {63, UINT64_MAX, UINT64_C(1) << 63},
                 {64, UINT64_MAX, UINT64_MAX},
                 {70, UINT64_MAX, UINT64_MAX},
                 {10, 20, 0}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct random_graph made = diamonds(cases[i].count);
        struct path_count paths;
        const uint32_t target = 3 * cases[i].count;
        random_graph_add_reverse(&made);
        ck_assert(path_count_open(&paths, &made.graph));
        for (int again = 0; again < 2; again++) {
            uint64_t counted = 0;
            ck_assert(
                path_count_find(&paths, 0, target, 2 * cases[i].count, cases[i].edges, &counted));
            ck_assert_uint_eq(counted, cases[i].expected);
        }
        path_count_close(&paths);
        random_graph_free(&made);
    }
}
END_TEST

/* The search's region ends: from now on the rest is to stop. */
static void set_flag(void *flag)
{
    *(volatile sig_atomic_t *)flag = 1;
}

static void do_nothing(void *unused)
{
    (void)unused;
}

START_TEST(a_graph_of_paths_is_given_up_when_its_search_has_ended_and_the_limits_say_so)
{
    struct random_graph made = diamonds(20000);
    volatile sig_atomic_t cancel = 0;
    const struct search_region region = {do_nothing, set_flag, (void *)(uintptr_t)&cancel};
    const struct search_limits limits = {.cancel = &cancel, .region = &region};
    struct path_count search;
    struct path_graph paths;
    struct search_result result;
    random_graph_add_reverse(&made);
    ck_assert(path_count_open(&search, &made.graph));
    for (uint32_t longer = 0; longer < 2; longer++) {
        cancel = 0;
        ck_assert_int_eq(
            path_graph_make_longer(&paths, &search, 0, 60000, longer, &limits, &result),
            PATH_GRAPH_ENDED);
        ck_assert_int_eq(result.status, SEARCH_CANCELLED);
        ck_assert(!result.found && paths.nodes == NULL && paths.count == NULL);
    }
    path_count_close(&search);
    random_graph_free(&made);
}
END_TEST

START_TEST(a_number_of_paths_that_takes_long_to_add_up_is_left_out_of_an_answer)
{
    for (uint32_t count = 1000; count <= 81000; count += 80000) {
        struct random_graph made = diamonds(count);
        struct asker asker;
        struct answer answer;
        struct command_error error = {""};
        random_graph_add_reverse(&made);
        struct pwgraph *held = pwgraph_hold(&made.graph, NULL, NULL);
        ck_assert(asker_open(&asker, held, "bidirectional", 0, NULL, false, &error));
        ck_assert(asker_ask(&asker, (struct question){0, 3 * count}, &answer, &error));
        ck_assert(asker_complete(&asker, &answer, &error));
        ck_assert(answer.found && answer.path_count == UINT64_MAX && !answer.is_short);
        ck_assert_int_eq(answer.path_digits != NULL, count == 1000);
        asker_close(&asker);
        pwgraph_free(held);
        random_graph_free(&made);
    }
}
END_TEST

/* Run a line of shell, with bfs in the PATH, in a folder with the sample. */
static struct program_result run(const char *line)
{
    char command[4000];
    snprintf(command, sizeof(command), "PATH='%s':$PATH; cd '%s'/data/sample; %s", PW_PROGRAMS,
             PW_SOURCE, line);
    return program_run_to(NULL, (const char *const[]){"/bin/sh", "-c", command, NULL});
}

/* The whole of what a line prints, with a time for every time; and what is in its errors. */
static void assert_prints(const char *line, int status, const char *expected, const char *error)
{
    char with_times[2000];
    snprintf(with_times, sizeof(with_times), "{ %s; } | sed -E 's/[0-9.]+ m?s\\b/TIME/'", line);
    struct program_result result = run(status == 0 ? with_times : line);
    ck_assert_msg(result.status == status, "%s: %d %s", line, result.status, result.err);
    ck_assert_msg(strcmp(result.out, expected) == 0, "%s\nexpected:\n%s\nfound:\n%s", line,
                  expected, result.out);
    ck_assert_msg(strcmp(result.err, error) == 0, "%s\nexpected: %s\nfound: %s", line, error,
                  result.err);
    program_free(&result);
}

START_TEST(a_question_is_answered_by_its_path_hops_and_time_and_nothing_else)
{
    assert_prints("bfs borders.tsv --from Laos --to Poland", 0,
                  "Laos -> China -> Russia -> Poland\n3 hops, TIME\n", "");
    assert_prints("bfs borders.tsv --from Laos --to Poland -q --path", 0,
                  "Laos -> China -> Russia -> Poland\n3 hops, TIME\n", "");
    assert_prints("bfs borders.tsv --from Laos --to Laos", 0,
                  "Laos -> China -> Laos\n2 hops, TIME, one of 5 shortest paths\n", "");
    assert_prints("bfs borders.tsv --from Laos --to China --verify", 0,
                  "Laos -> China\n1 hop, TIME, verified\n", "");
    assert_prints("bfs borders.tsv --from Laos --to Canada", 0,
                  "Laos does not lead to Canada\nLaos leads to 134 of 164 other nodes\n", "");
    assert_prints("printf 'a\\tb\\nb\\tc\\n' | bfs - --from c --to a", 0,
                  "c does not lead to a\na leads to c in 2 hops\nc leads nowhere\n", "");
    assert_prints("awk 'BEGIN { for (i = 1; i < 30; i++) print \"node \" i \"\\tnode \" i + 1 }' | "
                  "bfs - --from 'node 1' --to 'node 30' | wc -l",
                  0, "2\n", ""); /* one path, one line, into a pipe */
    assert_prints("bfs borders.tsv --from laos --to 'cote d ivoire'", 1, "",
                  "bfs: note: --from: \"laos\" is taken for \"Laos\"\nbfs: --to: no node is "
                  "called \"cote d ivoire\"; did you mean Côte_d'Ivoire?\n");
    assert_prints("bfs borders.tsv --from laos --to poland -q", 0,
                  "Laos -> China -> Russia -> Poland\n3 hops, TIME\n", "");
    assert_prints("bfs borders.tsv --from 0 --to 999", 1, "",
                  "bfs: --to: no node is called \"999\"; ids go from 0 to 164\n");
}
END_TEST

START_TEST(a_long_path_is_broken_before_an_arrow_at_the_width_of_the_terminal)
{
    for (unsigned short columns = 40; columns <= 500; columns += 46) {
        const char *const question[] = {PW_PROGRAMS "/bfs", PW_SOURCE "/data/sample/borders.tsv",
                                        "--from=Timor-Leste", "--to=Lesotho", NULL};
        struct terminal terminal;
        unsetenv("COLUMNS");
        terminal_start(&terminal, columns, question);
        ck_assert_int_eq(terminal_end(&terminal), 0);
        ck_assert_msg(columns < 500 || program_line_count(terminal.seen) == 2, "%s", terminal.seen);
        for (const char *at = terminal.seen; *at != '\0'; at = strchr(at, '\n') + 1) {
            size_t length = strcspn(at, "\r\n"); /* a letter with an accent is two bytes */
            const bool last = strncmp(at, "18 hops, ", 9) == 0;
            ck_assert_msg(last || length <= columns + 2U, "%u: %s", columns, terminal.seen);
            ck_assert(last || at == terminal.seen || strncmp(at, "  -> ", 5) == 0);
        }
        terminal_close(&terminal);
    }
}
END_TEST

START_TEST(a_path_goes_into_a_pipe_as_one_line_whatever_the_width_is)
{
    static const char *const widths[] = {"", "COLUMNS=40", "COLUMNS=500"};
    unsetenv("COLUMNS");
    for (size_t i = 0; i < COUNT_OF(widths); i++) {
        char line[300];
        snprintf(line, sizeof(line), "%s bfs borders.tsv --from Timor-Leste --to Lesotho",
                 widths[i]);
        struct program_result result = run(line);
        ck_assert_uint_eq(program_line_count(result.out), 2);
        ck_assert_ptr_nonnull(strstr(result.out, " -> South_Africa -> Lesotho\n18 hops, "));
        program_free(&result);
        for (unsigned verbose = 0; verbose < 2; verbose++) {
            snprintf(line, sizeof(line),
                     "printf 'Timor-Leste\\tLesotho\\n' | %s bfs borders.tsv - --path %s | "
                     "grep -e '->'",
                     widths[i], verbose ? "-v" : "");
            result = run(line);
            ck_assert_msg(program_line_count(result.out) == 1, "%s", result.out);
            ck_assert_ptr_nonnull(strstr(result.out, "Timor-Leste -> Indonesia -> "));
            ck_assert_ptr_nonnull(strstr(result.out, " -> South_Africa -> Lesotho\n"));
            program_free(&result);
        }
    }
}
END_TEST

START_TEST(all_shortest_paths_are_listed_as_short_as_one)
{
    assert_prints("bfs borders.tsv --from Laos --to Poland --all-shortest", 0,
                  "Laos -> China -> Russia -> Poland\n3 hops, TIME, 1 shortest path\n", "");
    assert_prints("bfs borders.tsv --from Chad --to Kenya --all-shortest=2", 0,
                  "Chad -> Central_African_Republic -> South_Sudan -> Kenya\n"
                  "Chad -> Sudan -> South_Sudan -> Kenya\n"
                  "3 hops, TIME, the first 2 of 3 shortest paths\n",
                  "");
    assert_prints("bfs borders.tsv --from Chad --to Kenya --all-shortest=0", 0,
                  "3 hops, TIME, 3 shortest paths\n", "");
    assert_prints("bfs borders.tsv --from Chad --to Haiti --all-shortest", 0,
                  "Chad does not lead to Haiti\nChad leads to 134 of 164 other nodes\n", "");
}
END_TEST

START_TEST(the_histogram_is_bars_that_fit_the_terminal)
{
    assert_prints("COLUMNS=40 bfs borders.tsv --from Haiti --histogram", 0,
                  "  hops  nodes\n"
                  "     0      1  #########################\n"
                  "     1      1  #########################\n"
                  "Haiti reaches 2 of 165 nodes, itself in 2 hops\n",
                  "");
    struct program_result result = run("COLUMNS=60 bfs borders.tsv --from Laos --histogram");
    ck_assert_ptr_nonnull(strstr(result.out, "\n     6     17  ############"));
    for (const char *at = result.out; *at != '\0'; at = strchr(at, '\n') + 1) {
        ck_assert_uint_le(strcspn(at, "\n"), 60);
    }
    program_free(&result);
}
END_TEST

START_TEST(the_report_comes_with_the_answer_when_it_is_asked_for)
{
    static const char *const asks[] = {"-v",         "--alloc=slab",   "--engine=classic",
                                       "--trials=2", "--warmup=0",     "--only=1",
                                       "--passes",   "--counters=none"};
    for (size_t i = 0; i < sizeof(asks) / sizeof(asks[0]); i++) {
        char line[200];
        snprintf(line, sizeof(line), "bfs borders.tsv --from Laos --to Poland %s", asks[i]);
        struct program_result result = run(line);
        ck_assert_int_eq(result.status, 0);
        ck_assert_msg(strstr(result.out, "Summary\n") != NULL, "%s: %s", line, result.out);
        ck_assert_msg(strstr(result.out, "\nLaos -> China -> Russia -> Poland\n3 hops, ") != NULL,
                      "%s: %s", line, result.out);
        program_free(&result);
    }
    struct program_result result = run("bfs borders.tsv --from Laos --to Poland --timeout=9 --pin "
                                       "--threads=1 --huge-pages=none --quiet");
    ck_assert_uint_eq(program_line_count(result.out), 2); /* no option of the two groups, no -v */
    program_free(&result);
    result = run("bfs borders.tsv --from Laos --to Canada --engine=array --verify");
    ck_assert_ptr_nonnull(strstr(result.out, "\nLaos does not lead to Canada, verified\n"));
    program_free(&result);
}
END_TEST

START_TEST(csv_and_json_have_the_answer_alone_unless_a_report_is_asked_for)
{
    static const char *const asks[] = {"-v",         "--alloc=slab",   "--engine=classic",
                                       "--trials=2", "--warmup=0",     "--only=1",
                                       "--passes",   "--counters=none"};
    struct program_result result = run("bfs borders.tsv --from laos --to Poland -f json");
    ck_assert(json_is_valid(result.out));
    ck_assert_uint_eq(program_line_count(result.out), 1);
    ck_assert_int_eq(
        strncmp(result.out, "{\"from\":\"Laos\",\"to\":\"Poland\",\"found\":true,", 42), 0);
    ck_assert_str_eq(json_at(result.out, "path.3"), "\"Poland\"");
    ck_assert_str_eq(json_at(result.out, "from_note"),
                     "\"\\\"laos\\\" is taken for \\\"Laos\\\"\"");
    ck_assert_str_eq(json_at(result.out, "schema"), "\"pointer-wars-answer/1\"");
    ck_assert_str_eq(json_at(result.out, "context"), "");
    program_free(&result);
    for (size_t i = 0; i < COUNT_OF(asks); i++) {
        char line[200];
        snprintf(line, sizeof(line), "bfs borders.tsv --from Laos --to Poland -f json %s", asks[i]);
        result = run(line);
        ck_assert_int_eq(result.status, 0);
        ck_assert_ptr_nonnull(strstr(result.out, ",\n  \"answer\": {\"from\":\"Laos\","));
        ck_assert_str_eq(json_at(result.out, "answer.path.3"), "\"Poland\"");
        ck_assert_str_eq(json_at(result.out, "answer.shortest_path_count"), "1");
        ck_assert_str_eq(json_at(result.out, "searches.0.path.3"), "\"Poland\"");
        ck_assert_str_eq(json_at(result.out, "summary.not_found"), "0");
        program_free(&result);
    }
    result = run("bfs borders.tsv borders-pairs.tsv -f json --path");
    ck_assert_str_eq(json_at(result.out, "searches.0.path.0"), "\"Laos\"");
    ck_assert_str_eq(json_at(result.out, "searches.9.path"), "null");
    ck_assert_str_eq(json_at(result.out, "answer"), "");
    program_free(&result);
}
END_TEST

START_TEST(all_shortest_paths_are_in_json_and_a_row_each_in_csv)
{
    static const char ask[] = "bfs borders.tsv --from Chad --to Kenya --all-shortest=2";
    char line[200];
    for (size_t i = 0; i < 2; i++) { /* the answer alone, and in its report */
        snprintf(line, sizeof(line), "%s -f json %s", ask, i == 0 ? "" : "--engine=array");
        struct program_result result = run(line);
        const char *const in = i == 0 ? "" : "answer.";
        const char *const wanted[][2] = {
            {"paths.1.1", "\"Sudan\""}, {"paths.2.1", ""}, {"shortest_path_count", "3"}};
        for (size_t k = 0; k < COUNT_OF(wanted); k++) {
            snprintf(line, sizeof(line), "%s%s", in, wanted[k][0]);
            ck_assert_str_eq(json_at(result.out, line), wanted[k][1]);
        }
        program_free(&result);
    }
    snprintf(line, sizeof(line), "%s -f csv | cut -d, -f 1-4,6-8,12", ask);
    assert_prints(line, 0,
                  "from,to,found,hops,path,page_ids,shortest_path_count,edges\n"
                  "Chad,Kenya,1,3,Chad -> Central_African_Republic -> South_Sudan -> Kenya,,3,21\n"
                  "Chad,Kenya,1,3,Chad -> Sudan -> South_Sudan -> Kenya,,3,21\n",
                  "");
    assert_prints("bfs borders.tsv --from Chad --to Kenya --all-shortest=0 -f csv | "
                  "cut -d, -f 1-4,6-8",
                  0, "from,to,found,hops,path,page_ids,shortest_path_count\nChad,Kenya,1,3,,,3\n",
                  "");
    assert_prints("bfs borders.tsv --from Laos --to Haiti --all-shortest -f csv | "
                  "cut -d, -f 1-4,6-10",
                  0,
                  "from,to,found,hops,path,page_ids,shortest_path_count,hops_back,reached\n"
                  "Laos,Haiti,0,,,,0,,135\n",
                  "");
    assert_prints("bfs borders.tsv --from Chad --to Kenya -f csv --all-shortest=2 -e bidirectional "
                  "--counters=none | cut -d, -f 1-10,15,22-",
                  0,
                  "trial,search,source,target,found,hops,visited,expanded,pushed,peak_queue,"
                  "status,shortest_path_count,path,pass_searches\n"
                  "1,1,Chad,Kenya,1,3,7,7,11,11,done,3,Chad -> Central_African_Republic -> "
                  "South_Sudan -> Kenya,1\n"
                  "1,1,Chad,Kenya,1,3,7,7,11,11,done,3,Chad -> Sudan -> South_Sudan -> Kenya,1\n",
                  "");
}
END_TEST

START_TEST(the_histogram_is_an_array_of_counts_in_json)
{
    struct program_result result = run("bfs borders.tsv --from Haiti --histogram -f json");
    ck_assert(json_is_valid(result.out));
    ck_assert_uint_eq(program_line_count(result.out), 1);
    ck_assert_str_eq(json_at(result.out, "histogram"), "[1,1]");
    ck_assert_str_eq(json_at(result.out, "reached"), "2");
    ck_assert_str_eq(json_at(result.out, "not_reached"), "163");
    ck_assert_str_eq(json_at(result.out, "around_hops"), "2");
    program_free(&result);
}
END_TEST

/* Ask for a path, or all, through this many diamonds, each of which doubles their number. */
static struct program_result ask_diamonds(unsigned count, const char *options)
{
    char line[400];
    snprintf(line, sizeof(line),
             "awk 'BEGIN { for (i = 0; i < %u; i++) for (j = 1; j < 3; j++) "
             "print 3 * i, 3 * i + j \"\\n\" 3 * i + j, 3 * i + 3 }' | "
             "bfs - --from 0 --to %u %s",
             count, 3 * count, options);
    return run(line);
}

START_TEST(any_number_of_paths_is_exact)
{
    static const struct {
        unsigned diamonds;
        const char *json, *csv, *text;
    } cases[] = {
        {63, "9223372036854775808", "9223372036854775808\n",
         "the first 1 of 9,223,372,036,854,775,808 shortest paths"},
        {64, "\"18446744073709551616\"", "18446744073709551616\n",
         "the first 1 of 18,446,744,073,709,551,616 shortest paths"},
        {115, "\"41538374868278621028243970633760768\"", "41538374868278621028243970633760768\n",
         "the first 1 of 41,538,374,868,278,621,028,243,970,633,760,768 shortest paths"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct program_result result = ask_diamonds(cases[i].diamonds, "--all-shortest=1 -f json");
        ck_assert_str_eq(json_at(result.out, "shortest_path_count"), cases[i].json);
        program_free(&result);
        result =
            ask_diamonds(cases[i].diamonds, "--all-shortest=1 -f csv | tail -n 1 | cut -d, -f 8");
        ck_assert_str_eq(result.out, cases[i].csv);
        program_free(&result);
        result = ask_diamonds(cases[i].diamonds, "--all-shortest=1");
        ck_assert_msg(strstr(result.out, cases[i].text) != NULL, "%s", result.out);
        program_free(&result);
        result = ask_diamonds(cases[i].diamonds, ""); /* one path, and the number of all */
        ck_assert_msg(strstr(result.out, strstr(cases[i].text, " of ")) != NULL, "%s", result.out);
        program_free(&result);
        result = ask_diamonds(cases[i].diamonds, "-f json");
        ck_assert_str_eq(json_at(result.out, "shortest_path_count"), cases[i].json);
        program_free(&result);
    }
}
END_TEST

START_TEST(pairs_may_be_spelt_in_another_way_which_is_said_once)
{
    struct program_result result =
        run("printf 'laos\\tPoland\\nSouth Africa\\tcôte d\\047ivoire\\n' | "
            "bfs borders.tsv /dev/stdin -f csv | cut -d, -f 3-6");
    ck_assert_str_eq(result.out, "source,target,found,hops\nLaos,Poland,1,3\n"
                                 "South_Africa,Côte_d'Ivoire,1,8\n");
    ck_assert_str_eq(result.err, "bfs: note: /dev/stdin:1: \"laos\" is taken for \"Laos\", and 2 "
                                 "more like it\n");
    program_free(&result);
    result = run("printf 'Laos\\tPolan\\n' | bfs borders.tsv /dev/stdin");
    ck_assert_int_eq(result.status, 1);
    ck_assert_str_eq(result.err, "bfs: /dev/stdin:1: target: no node is called \"Polan\"; did you "
                                 "mean Poland?\n");
    program_free(&result);
}
END_TEST

int main(void)
{
    return suite_run(
        "answers", NULL, NULL,
        (const TTest *[]){
            shortest_paths_are_counted_from_both_ends_as_from_one,
            counting_ends_at_its_bound_and_at_the_largest_number,
            a_graph_of_paths_is_given_up_when_its_search_has_ended_and_the_limits_say_so,
            a_number_of_paths_that_takes_long_to_add_up_is_left_out_of_an_answer,
            a_question_is_answered_by_its_path_hops_and_time_and_nothing_else,
            a_long_path_is_broken_before_an_arrow_at_the_width_of_the_terminal,
            a_path_goes_into_a_pipe_as_one_line_whatever_the_width_is,
            thousands_of_nodes_are_avoided_and_forgotten_again,
            an_asker_avoids_nodes_until_it_is_asked_to_avoid_others,
            a_path_over_a_node_to_avoid_is_found_out,
            adjacencies_that_contradict_each_other_give_no_paths,
            all_shortest_paths_are_listed_as_short_as_one,
            the_histogram_is_bars_that_fit_the_terminal,
            the_report_comes_with_the_answer_when_it_is_asked_for,
            csv_and_json_have_the_answer_alone_unless_a_report_is_asked_for,
            all_shortest_paths_are_in_json_and_a_row_each_in_csv,
            the_histogram_is_an_array_of_counts_in_json,
            any_number_of_paths_is_exact,
            pairs_may_be_spelt_in_another_way_which_is_said_once,
            NULL});
}

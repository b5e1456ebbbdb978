/*
 * test_answers.c - the asker and bfs answer every question of the list (path_questions.h); what is
 * printed in which width, and what else a command for one question prints or refuses.
 */
#include "base/macros.h"
#include "bfs/answers/answer_json.h"
#include "bfs/engines/engines.h"
#include "bfs/pwgraph/pwgraph_hold.h"
#include "bfs/run/answer_check.h"
#include "tests/support/json.h"
#include "tests/support/path_questions.h"
#include "tests/support/program.h"
#include "tests/support/random_graph.h"
#include "tests/support/require.h"
#include "tests/support/suite.h"
#include "tests/support/terminal.h"

/* Run a line of shell, with bfs in the PATH, in a folder with the sample. */
static struct program_result run(const char *line)
{
    char command[4000];
    snprintf(command, sizeof(command), "PATH='%s':$PATH; cd '%s'/data/sample; %s", PW_PROGRAMS,
             PW_SOURCE, line);
    return program_run_to(NULL, (const char *const[]){"/bin/sh", "-c", command, NULL});
}

/* What an answer without a path says: the way back, and how many nodes are reached. */
static void check_no_path(const struct answer *answer, const struct path_question *asked)
{
    uint32_t hops[NODES_MAX], back = NO_PATH, reached = 0;
    judge(asked->from, false, hops);
    for (uint32_t node = 0; node < drawn.nodes && !drawn.avoided[asked->from]; node++) {
        reached += node == asked->from || hops[node] != NO_PATH;
    }
    if (asked->from != asked->to) {
        judge_count(asked->to, asked->from, &back);
    }
    require_equal(answer->reached, reached);
    require_equal(answer->hops_back, back);
}

static void ask_and_compare(struct asker *asker, uint32_t first, const struct path_question *asked)
{
    const struct question pair = {first + asked->from, first + asked->to};
    struct answer answer;
    struct command_error error;
    require_msg(asker_ask(asker, pair, &answer, &error), "%s", error.message);
    require(asker_complete(asker, &answer, &error));
    require_equal(answer.hops, asked->hops);
    require_equal(answer.found, asked->count > 0);
    require_equal(answer.path_count, asked->count);
    for (size_t i = 0; answer.found && i <= answer.hops; i++) {
        require(!answer_avoids(&answer, answer.nodes[i]));
    }
    struct pwgraph_paths *all = asker_paths(asker, &answer, 0, 3, &error);
    require(all != NULL);
    require_equal(all->count_at_most, asked->count);
    pwgraph_paths_free(all);
    if (!answer.found) {
        check_no_path(&answer, asked);
    }
}

/* Every third graph of the list, each with four lists of nodes to avoid, one after the other. */
START_TEST(an_asker_avoids_nodes_until_it_is_asked_to_avoid_others)
{
    struct rng rng = random_start("an asker that avoids nodes");
    for (size_t number = 0; number < PATH_GRAPHS; number += number < GRAPHS_BY_HAND ? 1 : 3) {
        const uint32_t first = (uint32_t)number % 2;
        struct asker asker;
        struct command_error error;
        path_graph_take(number, &rng);
        struct random_graph made =
            graph_of_edges(first, drawn.nodes, drawn.sources, drawn.targets, drawn.count);
        struct pwgraph *held = pwgraph_hold(&made.graph, NULL, NULL);
        require(held != NULL);
        require(asker_open(&asker, held, "bidirectional", 0, NULL, number % 4 < 2, &error));
        for (unsigned list = 0; list < 4; list++) {
            uint32_t avoided[5];
            const size_t count = list == 3 ? 0 : random_below(&rng, COUNT_OF(avoided) + 1);
            memset(drawn.avoided, 0, sizeof(drawn.avoided));
            for (size_t i = 0; i < count; i++) {
                avoided[i] = (uint32_t)random_below(&rng, drawn.nodes); /* also repeats */
                drawn.avoided[avoided[i]] = true;
                avoided[i] += first;
            }
            require(asker_avoid(&asker, avoided, count, &error));
            for (struct path_question asked = {0}; path_question_next(&asked);) {
                ask_and_compare(&asker, first, &asked);
            }
        }
        asker_close(&asker);
        pwgraph_free(held);
        random_graph_free(&made);
    }
}
END_TEST

/* What the line of a question says: the number of its paths, and the first one. */
static void check_answer(const char *line, const struct path_question *asked)
{
    require_msg(strtoull(json_at(line, "shortest_path_count"), NULL, 10) == asked->count,
                "%u to %u: %llu, not %s", asked->from + 1, asked->to + 1,
                (unsigned long long)asked->count, line);
    require(strcmp(json_at(line, "found"), asked->count > 0 ? "true" : "false") == 0);
    if (asked->count > 0) {
        require_equal(strtoull(json_at(line, "hops"), NULL, 10), asked->hops);
    }
}

/* A list of nodes in a line is a path. */
static void check_listed(const char *line, const char *list, const struct path_question *asked)
{
    uint32_t last = asked->from;
    for (uint32_t i = 0; i <= asked->hops; i++) {
        char at[60];
        snprintf(at, sizeof(at), "%s.%u", list, i);
        const uint32_t node = (uint32_t)strtoul(json_at(line, at) + 1, NULL, 10) - 1;
        require(node < drawn.nodes && !drawn.avoided[node]);
        require(i == 0 ? node == asked->from : drawn.has_edge[last][node]);
        last = node;
    }
    require(last == asked->to);
}

/* The line of all paths has as many as were counted. */
static void check_all(const char *line, const struct path_question *asked)
{
    for (uint64_t path = 0; path <= asked->count && path <= 20; path++) {
        char at[40];
        snprintf(at, sizeof(at), "paths.%llu", (unsigned long long)path);
        require((json_at(line, at)[0] != '\0') == (path < asked->count));
        if (path < asked->count) {
            check_listed(line, at, asked);
        }
    }
}

/* The line of JSON of a question, with all its shortest paths or with one; for free(3). */
static char *answer_line(struct asker *asker, const struct path_question *asked, bool all)
{
    const struct question pair = {asked->from + 1, asked->to + 1};
    struct answer answer;
    struct command_error error;
    char *line = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&line, &length);
    require(out != NULL && asker_ask(asker, pair, &answer, &error));
    require(asker_complete(asker, &answer, &error));
    if (all) {
        struct pwgraph_paths *paths = asker_paths(asker, &answer, 0, 1000, &error);
        require(paths != NULL && answer_json_all(out, asker->graph, &answer, paths, 1000));
        pwgraph_paths_free(paths);
    } else {
        answer_json(out, asker->graph, &answer);
    }
    require(fclose(out) == 0);
    return line;
}

/* In the order of the graphs, with the nodes to avoid of each. */
START_TEST(an_answer_lists_all_shortest_paths_of_every_question)
{
    struct rng rng = random_start("paths in JSON");
    for (size_t number = 0; number < PATH_GRAPHS; number += number < GRAPHS_BY_HAND ? 1 : 10) {
        struct asker asker;
        struct command_error error;
        uint32_t avoided[NODES_MAX];
        size_t avoided_count = 0;
        path_graph_take(number, &rng);
        struct random_graph made =
            graph_of_edges(1, drawn.nodes, drawn.sources, drawn.targets, drawn.count);
        struct pwgraph *held = pwgraph_hold(&made.graph, NULL, NULL);
        require(held != NULL && asker_open(&asker, held, "bidirectional", 0, NULL, false, &error));
        for (uint32_t node = 0; node < drawn.nodes; node++) {
            avoided[avoided_count] = node + 1;
            avoided_count += drawn.avoided[node];
        }
        require(asker_avoid(&asker, avoided, avoided_count, &error));
        for (struct path_question asked = {0}; path_question_next(&asked);) {
            for (unsigned all = 0; all < 2; all++) {
                char *line = answer_line(&asker, &asked, all);
                check_answer(line, &asked);
                if (all) {
                    check_all(line, &asked);
                } else if (asked.count > 0) {
                    check_listed(line, "path", &asked);
                }
                free(line);
            }
        }
        asker_close(&asker);
        pwgraph_free(held);
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
    random_graph_add_reverse(&made);
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
    assert_prints(
        "printf 'a\\tb\\nb\\tc\\n' | bfs - --from c --to a", 0,
        "c does not lead to a\na leads to c in 2 hops\nc leads nowhere\n",
        "bfs: note: an edge leads one way; --undirected takes every edge in both directions\n");
    assert_prints("printf 'k\\tm\\nm\\tn\\n' | bfs - --from n --to k --undirected", 0,
                  "n -> m -> k\n2 hops, TIME\n", "");
    assert_prints("printf 'k\\tm\\nm\\tn\\n' | bfs - --from n --to k --quiet", 0,
                  "n does not lead to k\nk leads to n in 2 hops\nn leads nowhere\n", "");
    assert_prints("printf 'k\\tm\\nn\\tm\\n' | bfs - --from k --to n", 0, /* nor the way back */
                  "k does not lead to n\nk leads to 1 of 2 other nodes\n", "");
    assert_prints("awk 'BEGIN { for (i = 1; i < 30; i++) print \"node \" i \"\\tnode \" i + 1 }' | "
                  "bfs - --from 'node 1' --to 'node 30' | wc -l",
                  0, "2\n", ""); /* one path, one line, into a pipe */
    assert_prints("bfs borders.tsv --from laos --to 'cote d ivoire'", 1, "",
                  "bfs: note: --from: \"laos\" is taken for \"Laos\"\nbfs: --to: no node is "
                  "called \"cote d ivoire\"; did you mean Côte_d'Ivoire?\n");
    assert_prints("bfs borders.tsv --from Laos --to '#1x' --progress=always 2>&1 | grep -c "
                  "'looking for \"#1x\" among the names'",
                  0, "1\n", ""); /* of millions it takes seconds */
    assert_prints("bfs borders.tsv --from laos --to poland -q", 0,
                  "Laos -> China -> Russia -> Poland\n3 hops, TIME\n", "");
    assert_prints("bfs borders.tsv --from '#0' --to 999", 1, "",
                  "bfs: --to: no node is called \"999\"; numbers go from #0 to #164\n");
    /* Page ids, ISBNs and telephone numbers are names; so a wrong one is no number. */
    char line[400];
    const char *const path = fixture_text("numbers.tsv", "900\t2\n2\t700\n700\t600\n");
    snprintf(line, sizeof(line), "bfs '%s' --input-format=names --from 900 --to 1", path);
    assert_prints(line, 1, "",
                  "bfs: --to: no node is called \"1\"; did you mean 2? #1 is the node of that "
                  "number\n");
    snprintf(line, sizeof(line), "bfs '%s' --input-format=names --from 900 --to '#2'", path);
    assert_prints(line, 0, "900 -> 2 -> 700\n2 hops, TIME\n", "");
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

/* Ask for a path, or all, through a ladder. */
static struct program_result ask_ladder(struct ladder ladder, const char *options)
{
    uint32_t *targets, *sources = ladder_make(ladder, &targets);
    const char *const path = fixture_path("ladder.txt");
    FILE *file = fopen(path, "w");
    char line[600];
    require(file != NULL);
    for (uint64_t i = 0; i < ladder_edges(ladder); i++) {
        fprintf(file, "%u %u\n", sources[i], targets[i]);
    }
    require(fclose(file) == 0);
    free(sources);
    snprintf(line, sizeof(line), "bfs '%s' --from 0 --to 1 %s", path, options);
    return run(line);
}

/* A number with its separators. */
static void separate(const char *digits, char text[2 * LADDER_DIGITS])
{
    const bool is_number = digits[0] != 'm';
    for (size_t left = strlen(digits); left > 0; left--) {
        *text++ = *digits++;
        if (is_number && left % 3 == 1 && left > 1) {
            *text++ = ',';
        }
    }
    *text = '\0';
}

START_TEST(a_number_of_paths_is_exact_in_128_bits)
{
    for (size_t i = 0; i < LADDERS; i++) {
        char digits[LADDER_DIGITS] = "", json[LADDER_DIGITS + 2];
        char separated[2 * LADDER_DIGITS], text[2 * LADDER_DIGITS + 20];
        ladder_power(ladders[i], digits);
        separate(digits, separated);
        const bool is_large = ladder_at_most(digits) == UINT64_MAX;
        snprintf(json, sizeof(json), is_large ? "\"%s\"" : "%s", digits);
        snprintf(text, sizeof(text), " of %s shortest paths", separated);
        for (unsigned all = 0; all < 2; all++) { /* one path, and the number of all; then some */
            struct program_result result =
                ask_ladder(ladders[i], all ? "--all-shortest=1 -f json" : "-f json");
            ck_assert_str_eq(json_at(result.out, "shortest_path_count"), json);
            program_free(&result);
            result = ask_ladder(ladders[i], all ? "--all-shortest=1" : "");
            ck_assert_msg(strcmp(digits, "1") == 0 || strstr(result.out, text) != NULL, "%s",
                          result.out);
            program_free(&result);
        }
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
            a_question_is_answered_by_its_path_hops_and_time_and_nothing_else,
            a_long_path_is_broken_before_an_arrow_at_the_width_of_the_terminal,
            a_path_goes_into_a_pipe_as_one_line_whatever_the_width_is,
            an_asker_avoids_nodes_until_it_is_asked_to_avoid_others,
            an_answer_lists_all_shortest_paths_of_every_question,
            a_path_over_a_node_to_avoid_is_found_out, all_shortest_paths_are_listed_as_short_as_one,
            the_histogram_is_bars_that_fit_the_terminal,
            the_report_comes_with_the_answer_when_it_is_asked_for,
            csv_and_json_have_the_answer_alone_unless_a_report_is_asked_for,
            all_shortest_paths_are_in_json_and_a_row_each_in_csv,
            the_histogram_is_an_array_of_counts_in_json, a_number_of_paths_is_exact_in_128_bits,
            pairs_may_be_spelt_in_another_way_which_is_said_once, NULL});
}

/*
 * test_report_text.c - the report of bfs as a person reads it: how wide, what is left out, what it
 * says where there is nothing to count.
 */
#include "base/text/text_form.h"
#include "tests/support/driver_fixture.h"
#include "tests/support/suite.h"
#include "tests/support/terminal.h"

#define NAMES                                                                                      \
    "Saint Vincent and the Grenadines\tTrinidad and Tobago\n"                                      \
    "Trinidad and Tobago\tCura\xc3\xa7"                                                            \
    "ao\nCura\xc3\xa7"                                                                             \
    "ao\tPapua New Guinea\n"
#define NAME_PAIRS                                                                                 \
    "Saint Vincent and the Grenadines\tPapua New Guinea\n"                                         \
    "Trinidad and Tobago\tCura\xc3\xa7"                                                            \
    "ao\n"

static void set_up(void)
{
    write_inputs();
    unsetenv("COLUMNS");
}

/* The columns of the widest line; a terminal's carriage return begins a new line. */
static size_t widest_line(const char *text)
{
    size_t widest = 0;
    while (*text != '\0') {
        char line[4096];
        size_t length = strcspn(text, "\r\n");
        ck_assert_uint_lt(length, sizeof(line));
        snprintf(line, sizeof(line), "%.*s", (int)length, text);
        size_t width = text_width(line);
        widest = width > widest ? width : widest;
        text += length;
        text += strspn(text, "\r\n");
    }
    return widest;
}

/* What a run shows on a terminal of that width; freed by the caller. */
static char *on_terminal(unsigned short columns, const char *const *arguments)
{
    struct terminal terminal;
    terminal_start(&terminal, columns, arguments);
    ck_assert_int_eq(terminal_end(&terminal), 0);
    close(terminal.keyboard_and_screen);
    close(terminal.line);
    return terminal.seen;
}

static void assert_has(const char *text, const char *wanted)
{
    ck_assert_msg(strstr(text, wanted) != NULL, "no \"%s\" in\n%s", wanted, text);
}

static void assert_lacks(const char *text, const char *unwanted)
{
    ck_assert_msg(strstr(text, unwanted) == NULL, "\"%s\" in\n%s", unwanted, text);
}

START_TEST(no_block_or_section_is_wider_than_eighty_columns_or_the_terminal)
{
    static const char *const wide = "generate:nodes=20k";
    const char *const runs[][8] = {
        {PW_BFS, wide, "random:5", "--alloc=pool", "--quiet"},
        {PW_BFS, wide, "random:3", "--trials=3", "--verbose", "--progress=never"},
        {PW_BFS, wide, "random:3", "--verbose", "--verify", "--path", "--progress=never"},
        {PW_BFS, wide, "random:3", "--verbose", "--counters=pointer-wars", "--progress=never"},
    };
    for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
        struct program_result piped = program_run_to(NULL, runs[i]);
        ck_assert_int_eq(piped.status, 0);
        ck_assert_msg(widest_line(piped.out) <= 80, "%s", piped.out);
        program_free(&piped);
        for (unsigned short columns = 70; columns <= 120; columns += 25) {
            char *seen = on_terminal(columns, runs[i]);
            ck_assert_msg(widest_line(seen) <= columns, "%u columns:\n%s", columns, seen);
            free(seen);
        }
    }
}
END_TEST

START_TEST(notes_under_tables_are_not_wrapped_in_a_pipe)
{
    static const char shares[] = "\nTimes and counts are shares: one pass answered all 3 searches, "
                                 "and each has its part of it.\n";
    const char *const run[] = {
        PW_BFS, "generate:nodes=20k", "random:3", "--progress=never", "--engine=multi-source",
        NULL};
    struct program_result piped = program_run_to(NULL, run);
    assert_has(piped.out, shares);
    program_free(&piped);
    char *seen = on_terminal(80, run);
    assert_lacks(seen, shares);
    free(seen);
}
END_TEST

START_TEST(names_are_aligned_by_what_they_show)
{
    static const char edges[] = "names.tsv", questions[] = "name_pairs.tsv";
    fixture_text(edges, NAMES);
    fixture_text(questions, NAME_PAIRS);
    ck_assert_int_eq(chdir(fixture_folder), 0); /* no line gets wide by a long TMPDIR */
    setenv("COLUMNS", "160", 1);
    struct program_result run = bfs(edges, questions, "--input-format=names");
    assert_has(run.out, "search  source                            target            outcome");
    assert_has(run.out, "     1  Saint Vincent and the Grenadines  Papua New Guinea  3 hops ");
    assert_has(run.out, "     2  Trinidad and Tobago               Cura\xc3\xa7"
                        "ao           1 hop ");
    program_free(&run);
    setenv("COLUMNS", "80", 1);
    run = bfs(edges, questions, "--input-format=names", "--path");
    assert_has(run.out, "        Saint Vincent and the Grenadines -> Trinidad and Tobago -> "
                        "Cura\xc3\xa7"
                        "ao -> Papua New Guinea\n");
    program_free(&run);
    const char *const shown[] = {PW_BFS, edges, questions, "--input-format=names", "--path", NULL};
    char *screen = on_terminal(80, shown);
    assert_has(screen, "        Saint Vincent and the Grenadines -> Trinidad and Tobago -> "
                       "Cura\xc3\xa7"
                       "ao ->\r\n        Papua New Guinea\r\n");
    free(screen);
}
END_TEST

START_TEST(text_has_units_and_separators_and_csv_has_not)
{
    struct program_result text = bfs("generate:nodes=20k", "random:3", "--verbose");
    assert_has(text.out, "  edges                         252,489\n");
    assert_has(text.out, "  nodes visited                 234,914\n");
    assert_lacks(text.out, "[s]");
    struct program_result csv = bfs("generate:nodes=20k", "random:3", "--format=csv");
    ck_assert_str_eq(cell(csv.out, 1, VISITED), "234914");
    program_free(&text);
    program_free(&csv);
}
END_TEST

START_TEST(an_engine_without_list_nodes_says_that_no_allocator_served_it)
{
    struct program_result run = bfs(graph, pairs, "--engine=array", "--alloc=pool");
    assert_has(run.out, "  allocator                     pool has nothing to do: the engine array");
    static const char *const absent[] = {"mallocs", "frees", "malloc calls",
                                         "hooks:", "allocator:"};
    for (size_t i = 0; i < sizeof(absent) / sizeof(absent[0]); i++) {
        assert_lacks(run.out, absent[i]);
    }
    program_free(&run);
    run = bfs(graph, pairs, "--engine=array");
    assert_has(run.out, "  allocator                     none: the engine array takes no list");
    program_free(&run);
    run = bfs(graph, pairs, "--engine=array", "--format=json");
    ck_assert_str_eq(json_at(run.out, "context.allocator.used"), "false");
    program_free(&run);
    run = bfs(graph, pairs, "--format=json");
    ck_assert_str_eq(json_at(run.out, "context.allocator.used"), "true");
    program_free(&run);
}
END_TEST

START_TEST(rows_of_a_shared_pass_say_so)
{
    struct program_result run = bfs(graph, pairs, "--engine=multi-source");
    assert_has(run.out, "shares: one pass answered all 4 searches");
    assert_lacks(run.out, "highest nodes/s");
    program_free(&run);
    run = bfs(graph, pairs, "--engine=multi-source", "--format=json");
    ck_assert_str_eq(json_at(run.out, "searches.3.pass_searches"), "4");
    program_free(&run);
    run = bfs(graph, pairs, "--format=json");
    ck_assert_str_eq(json_at(run.out, "searches.3.pass_searches"), "1");
    program_free(&run);
}
END_TEST

START_TEST(verify_says_how_many_answers_it_verified)
{
    struct program_result run = bfs(graph, pairs, "--verify");
    assert_has(run.out, "  4 of 4 answers verified\n");
    program_free(&run);
    run = bfs(graph, pairs, "--verify", "--trials=3", "--format=json");
    ck_assert_str_eq(json_at(run.out, "summary.verified"), "12");
    program_free(&run);
    run = bfs(graph, pairs, "--format=json");
    ck_assert_str_eq(json_at(run.out, "summary.verified"), "null");
    program_free(&run);
}
END_TEST

START_TEST(without_counters_their_section_is_one_line)
{
    struct program_result run = bfs(graph, pairs);
    const char *counters = strstr(run.out, "\nCounters");
    ck_assert_ptr_nonnull(counters);
    if (strstr(run.out, "see bfs --doctor") != NULL) { /* this machine has no counters */
        ck_assert_uint_eq(program_line_count(counters), 2);
        assert_lacks(run.out, "page faults");
    }
    program_free(&run);
    run = bfs("--doctor");
    assert_lacks(run.out, "No such file or directory");
    program_free(&run);
}
END_TEST

START_TEST(a_row_appears_as_soon_as_its_search_has_ended)
{
    char seen[65536] = "";
    size_t length = 0;
    const char *fifo = fixture_path("rows");
    ck_assert_int_eq(mkfifo(fifo, 0600), 0);
    int end = open(fifo, O_RDWR);
    ck_assert_int_ge(end, 0);
    pid_t program = program_start((const char *const[]){PW_BFS, LONG_GRAPH, "random:1M", NULL},
                                  fifo, "/dev/null");
    while (strstr(seen, "\n     2 ") == NULL) { /* the run would take an hour */
        ssize_t got = read(end, seen + length, sizeof(seen) - 1 - length);
        ck_assert_int_gt(got, 0);
        length += (size_t)got;
        seen[length] = '\0';
    }
    kill(program, SIGKILL);
    ck_assert_int_eq(program_wait(program), 128 + SIGKILL);
    close(end);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        no_block_or_section_is_wider_than_eighty_columns_or_the_terminal,
        notes_under_tables_are_not_wrapped_in_a_pipe,
        names_are_aligned_by_what_they_show,
        text_has_units_and_separators_and_csv_has_not,
        an_engine_without_list_nodes_says_that_no_allocator_served_it,
        rows_of_a_shared_pass_say_so,
        verify_says_how_many_answers_it_verified,
        without_counters_their_section_is_one_line,
        a_row_appears_as_soon_as_its_search_has_ended,
        NULL,
    };
    return suite_run("report_text", set_up, NULL, tests);
}

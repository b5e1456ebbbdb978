/*
 * test_comparison.c - bfs with several allocators or engines: the table, and what is refused.
 */
#include "base/macros.h"
#include "tests/support/driver_fixture.h"
#include "tests/support/suite.h"

enum { ALLOCATOR, ENGINE, ROUNDS, SEARCHES, UNFINISHED, MEDIAN, SPREAD, MIN, MAX, SPEED };
enum { MALLOC_CALLS = SPEED + 4, FREE_CALLS, NODE_BYTES, PEAK_MEMORY, ALL_VISITED };

START_TEST(several_allocators_are_set_side_by_side)
{
    struct program_result run = bfs(graph, pairs, "--alloc=malloc,pool,slab", "--trials=3");
    ck_assert_int_eq(run.status, 0);
    ck_assert_str_eq(run.err, "");
    static const char *const wanted[] = {"allocator   median  spread",
                                         "times as fast",
                                         "\nmalloc ",
                                         "\npool ",
                                         "\nslab ",
                                         "per node",
                                         "peak mem",
                                         "75 %"}; /* the confidence of three rounds */
    for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
        ck_assert_msg(strstr(run.out, wanted[i]) != NULL, "no \"%s\" in\n%s", wanted[i], run.out);
    }
    program_free(&run);
    run = bfs(graph, pairs, "--alloc", "malloc,pool", "-n2", "-fcsv");
    ck_assert_int_eq(run.status, 0);
    ck_assert_uint_eq(program_line_count(run.out), 3);
    ck_assert_str_eq(cell(run.out, 0, PEAK_MEMORY), "peak_rss_bytes");
    ck_assert_str_eq(cell(run.out, 1, ALLOCATOR), "malloc");
    ck_assert_str_eq(cell(run.out, 1, ROUNDS), "2");
    ck_assert_str_eq(cell(run.out, 1, SEARCHES), "4");
    ck_assert_str_eq(cell(run.out, 1, UNFINISHED), "0");
    ck_assert_str_ne(cell(run.out, 1, SPREAD), "");
    ck_assert_str_eq(cell(run.out, 1, SPEED), "1.0000");
    ck_assert_str_eq(cell(run.out, 1, MALLOC_CALLS), "18"); /* as one run reports them */
    ck_assert_str_eq(cell(run.out, 1, FREE_CALLS), "18");
    ck_assert_str_eq(cell(run.out, 2, ALLOCATOR), "pool");
    ck_assert_str_eq(cell(run.out, 2, NODE_BYTES), "32.0");
    ck_assert_int_gt(atol(cell(run.out, 2, PEAK_MEMORY)), 1000000);
    ck_assert_int_eq(atol(cell(run.out, 2, PEAK_MEMORY)) % 1024, 0); /* the kernel counts KiB */
    ck_assert_str_eq(cell(run.out, 2, ALL_VISITED), "9");
    program_free(&run);
}
END_TEST

START_TEST(a_comma_before_an_option_ends_no_specification)
{
    struct program_result run = bfs(graph, pairs, "--alloc=slab:chunk=2M,pages=normal,pool",
                                    "--engine=classic,array", "-n1", "-fcsv");
    ck_assert_int_eq(run.status, 0);
    ck_assert_uint_eq(program_line_count(run.out), 4);
    ck_assert_ptr_nonnull(strstr(run.out, "\n\"slab:chunk=2M,pages=normal\",classic,1,"));
    ck_assert_ptr_nonnull(strstr(run.out, "\npool,classic,1,"));
    ck_assert_ptr_nonnull(strstr(run.out, "\n,array,1,")); /* once, without an allocator */
    program_free(&run);
}
END_TEST

START_TEST(a_library_s_own_calls_are_not_compared_with_malloc_s)
{
    struct program_result run = bfs(graph, pairs, "--alloc=malloc,lib:c", "-n2", "-fcsv");
    ck_assert_int_eq(run.status, 0);
    ck_assert_str_eq(cell(run.out, 1, MALLOC_CALLS), "18");
    ck_assert_str_eq(cell(run.out, 2, MALLOC_CALLS), "");
    ck_assert_str_eq(cell(run.out, 2, FREE_CALLS), "");
    program_free(&run);
    run = bfs(graph, pairs, "--alloc=malloc,lib:c", "-n1", "-fjson");
    ck_assert_str_eq(json_at(run.out, "configurations.1.malloc_calls"), "null");
    program_free(&run);
    run = bfs(graph, pairs, "--alloc=malloc,lib:c", "-n1");
    ck_assert_msg(strstr(run.out, "Mallocs are not known of lib:c, which calls its own.") != NULL,
                  "%s", run.out);
    program_free(&run);
    run = bfs(graph, pairs, "--alloc=malloc,pool", "-n1");
    ck_assert_ptr_null(strstr(run.out, "not known"));
    program_free(&run);
}
END_TEST

/* The titles of the table, one space between them. */
static void read_titles(const char *text, char titles[200])
{
    const char *line = strstr(text, "\nallocator  ");
    ck_assert_ptr_nonnull(line);
    size_t used = 0;
    for (line++; *line != '\n' && used < 199; line++) {
        if (*line != ' ' || titles[used - 1] != ' ') {
            titles[used++] = *line;
        }
    }
    titles[used] = '\0';
}

START_TEST(the_demo_in_the_readme_is_what_the_program_prints)
{
    char *readme = program_read(PW_SOURCE "/README.md");
    char shown[200], printed[200];
    struct program_result run = bfs(graph, pairs, "--alloc=malloc,pool,slab", "-n2");
    read_titles(readme, shown);
    read_titles(run.out, printed);
    ck_assert_str_eq(shown, printed);
    program_free(&run);
    free(readme);
}
END_TEST

START_TEST(json_has_every_run_and_the_context)
{
    struct program_result run =
        bfs(graph, pairs, "--alloc=malloc,slab", "-n6", "-fjson", "--only=1-3");
    long peak = 0;
    unsigned slab_first = 0;
    ck_assert_msg(json_is_valid(run.out), "%s", run.out);
    ck_assert_str_eq(json_at(run.out, "schema"), "\"pointer-wars-comparison/1\"");
    ck_assert_str_eq(json_at(run.out, "runs.3.round"), "2");
    ck_assert_str_eq(json_at(run.out, "runs.12"), "");
    for (int i = 0; i < 12; i++) { /* in the order of the runs, which is drawn for each round */
        char path[2][40];
        snprintf(path[0], sizeof(path[0]), "runs.%d.allocator", i);
        snprintf(path[1], sizeof(path[1]), "runs.%d.peak_rss_bytes", i);
        const bool is_slab = strcmp(json_at(run.out, path[0]), "\"slab\"") == 0;
        const long bytes = atol(json_at(run.out, path[1]));
        peak = is_slab && bytes > peak ? bytes : peak;
        slab_first += is_slab && i % 2 == 0;
    }
    ck_assert_uint_gt(slab_first, 0);
    ck_assert_uint_lt(slab_first, 6);
    ck_assert_int_eq(atol(json_at(run.out, "configurations.1.peak_rss_bytes")), peak);
    ck_assert_str_eq(json_at(run.out, "configurations.1.allocator"), "\"slab\"");
    ck_assert_str_eq(json_at(run.out, "configurations.1.searches"), "3");
    ck_assert_str_eq(json_at(run.out, "context.rounds"), "6");
    program_free(&run);
}
END_TEST

START_TEST(operands_after_two_dashes_are_found_by_every_run)
{
    struct program_result run = bfs("--alloc=malloc,slab", "-n1", "--", graph, pairs);
    ck_assert_int_eq(run.status, 0);
    ck_assert_ptr_nonnull(strstr(run.out, "One round has neither spread nor interval"));
    program_free(&run);
}
END_TEST

START_TEST(what_cannot_be_compared_is_refused)
{
    assert_fails(bfs(graph, pairs, "--alloc=malloc,poool"), 2, "unknown allocator \"poool\"");
    assert_fails(bfs(graph, pairs, "--alloc=malloc,malloc"), 2, "names one configuration only");
    assert_fails(bfs(graph, pairs, "--engine=classic,clasic"), 2, "unknown engine \"clasic\"");
    assert_fails(bfs(graph, pairs, "--engine=array", "--alloc=malloc,pool"), 2,
                 "the engine array takes no list nodes");
    assert_fails(bfs(graph, "--from=1", "--to=4", "--alloc=malloc,pool"), 2, "with PAIRS");
    assert_fails(bfs("-", pairs, "--alloc=malloc,pool"), 2, "standard input");
}
END_TEST

START_TEST(a_run_that_fails_ends_the_comparison)
{
    struct program_result run = bfs(graph, "no-such-file", "--alloc=malloc,pool");
    ck_assert_int_eq(run.status, 1);
    ck_assert_ptr_nonnull(strstr(run.err, "failed with exit status 1\n"));
    program_free(&run);
}
END_TEST

/* Wait for the other end of a pipe with a name, and write a text into it. */
static void write_fifo(const char *path, const char *text)
{
    FILE *fifo = fopen(path, "w");
    ck_assert_ptr_nonnull(fifo);
    ck_assert_int_ge(fputs(text, fifo), 0);
    ck_assert_int_eq(fclose(fifo), 0);
}

/* Wait until a text is in a file, and no complaint about answers before it. */
static void wait_until_said(pid_t program, const char *path, const char *text)
{
    for (bool is_there = false; !is_there;) {
        char *said = program_read(path);
        is_there = strstr(said, text) != NULL;
        ck_assert_msg(strstr(said, "not agree") == NULL, "%s", said);
        free(said);
        program_runs(program);
        pause_ms(5);
    }
}

/* Compare two runs when the second one reads another pair; message: what is said at the end. */
static void check_disagreement(const char *other_pair, const char *message)
{
    const char *fifo = fixture_path("pairs.fifo");
    const char *err = fixture_path("differ.err");
    ck_assert_int_eq(mkfifo(fifo, 0600), 0);
    pid_t program = program_start((const char *const[]){PW_BFS, graph, fifo, "--alloc=malloc,pool",
                                                        "-n1", "--progress=always", NULL},
                                  fixture_path("differ.out"), err);
    write_fifo(fifo, "1 2\n"); /* what the first run reads */
    wait_until_said(program, err, "round 1 of 1, pool");
    write_fifo(fifo, other_pair);
    ck_assert_int_eq(program_wait(program), 1);
    char *said = program_read(err);
    ck_assert_msg(strstr(said, message) != NULL, "%s", said);
    free(said);
    ck_assert_int_eq(unlink(fifo), 0);
}

START_TEST(runs_that_find_different_distances_end_the_comparison)
{
    check_disagreement("1 4\n", "search 1: malloc and pool do not agree on the distance\n");
}
END_TEST

START_TEST(runs_that_count_differently_end_the_comparison)
{
    check_disagreement("2 3\n", "search 1: malloc and pool do not agree on the counts\n");
}
END_TEST

START_TEST(equal_answers_and_counts_are_said_to_be_equal)
{
    static const struct {
        const char *options[2], *said, *counts;
    } kinds[] = {
        {{"--alloc=malloc,slab", "-n2"},
         "The 4 runs gave the same 4 answers and the same counts: nodes visited and expanded, "
         "pushes, queue peaks.",
         "\"all runs\""},
        {{"--engine=plain,classic", "-n1"},
         "The 2 runs gave the same 4 answers and the same counts",
         "\"all runs\""},
        {{"--engine=classic,array", "-n2"},
         "The 4 runs gave the same 4 answers, and runs of one engine the same counts",
         "\"runs of one engine\""},
        {{"--engine=classic,array", "-n1"},
         "The 2 runs gave the same 4 answers; their counts are of different engines.",
         "null"},
    };
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        const char *const *options = kinds[i].options;
        struct program_result run = bfs(graph, pairs, options[0], options[1]);
        char *line = run.out; /* undo the wrapping */
        while ((line = strchr(line, '\n')) != NULL) {
            *line = ' ';
        }
        ck_assert_msg(strstr(run.out, kinds[i].said) != NULL, "%s", run.out);
        program_free(&run);
        run = bfs(graph, pairs, options[0], options[1], "-fjson");
        ck_assert_msg(json_is_valid(run.out), "%s", run.out);
        ck_assert_str_eq(json_at(run.out, "agreement.answers"), "4");
        ck_assert_str_eq(json_at(run.out, "agreement.counts"), kinds[i].counts);
        program_free(&run);
    }
}
END_TEST

START_TEST(ctrl_c_ends_the_comparison_with_what_is_whole)
{
    const char *out = fixture_path("comparison.out");
    const char *err = fixture_path("comparison.err");
    for (int ending = SIGINT; ending != 0; ending = ending == SIGINT ? SIGTERM : 0) {
        pid_t program =
            program_start((const char *const[]){PW_BFS, LONG_GRAPH, "random:1M",
                                                "--alloc=malloc,pool", "--progress=always", NULL},
                          out, err);
        wait_until_said(program, err, "round 1 of 5");
        kill(program, ending); /* the program alone: it must end its run */
        ck_assert_int_eq(program_wait(program), 128 + ending);
        char *said = program_read(err);
        ck_assert_msg(strstr(said, "interrupted after 0 of 5 rounds") != NULL, "%s", said);
        free(said);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        several_allocators_are_set_side_by_side,
        a_comma_before_an_option_ends_no_specification,
        a_library_s_own_calls_are_not_compared_with_malloc_s,
        the_demo_in_the_readme_is_what_the_program_prints,
        json_has_every_run_and_the_context,
        operands_after_two_dashes_are_found_by_every_run,
        what_cannot_be_compared_is_refused,
        a_run_that_fails_ends_the_comparison,
        runs_that_find_different_distances_end_the_comparison,
        runs_that_count_differently_end_the_comparison,
        equal_answers_and_counts_are_said_to_be_equal,
        ctrl_c_ends_the_comparison_with_what_is_whole,
        NULL,
    };
    return suite_run("comparison", write_inputs, NULL, tests);
}

/*
 * test_driver.c - the program bfs as its user meets it: usage, errors, signals.
 */
#include "tests/support/driver_fixture.h"
#include "tests/support/suite.h"
#include <dirent.h>
#include <sys/ioctl.h>

/* Write a text into a pipe, and wait until the program has read it. */
static void write_and_wait(pid_t program, int writer, const char *text)
{
    int unread = (int)strlen(text);
    ck_assert_int_eq(write(writer, text, strlen(text)), unread);
    while (unread != 0) {
        pause_ms(1);
        program_runs(program);
        ck_assert_int_eq(ioctl(writer, FIONREAD, &unread), 0);
    }
}

START_TEST(wrong_usage_is_one_line_with_what_is_legal_and_status_2)
{
    assert_fails(bfs(NULL), 2, "GRAPH and PAIRS are missing");
    assert_fails(bfs(graph), 2, "PAIRS is missing");
    assert_fails(bfs(graph, pairs, "more"), 2, "one argument too many");
    assert_fails(bfs(graph, pairs, "--alloc=arena"), 2, "there are malloc, ");
    assert_fails(bfs(graph, pairs, "--alloc=slab:size=1"), 2, "it has chunk, pages");
    assert_fails(bfs(graph, pairs, "--alloc=pool:order=up"), 2, "lifo|fifo");
    assert_fails(bfs(graph, pairs, "--engine=dijkstra"), 2, "--list-engines lists them");
    assert_fails(bfs(graph, pairs, "--format=xml"), 2, "text, csv, json");
    assert_fails(bfs(graph, pairs, "--input-format=nonsense"), 2,
                 "there are edges, csv, names, adjacency, matrix-market");
    assert_fails(bfs(graph, pairs, "--input-format=edge"), 2, "knows no \"edge\"");
    assert_fails(bfs(graph, pairs, "--input-format="), 2, "--input-format");
    assert_fails(bfs(graph, pairs, "--progress=maybe"), 2, "auto, always, never");
    assert_fails(bfs(graph, pairs, "--allocator=pool"), 2, "did you mean --alloc?");
    assert_fails(bfs(graph, pairs, "-z"), 2, "unknown option \"-z\"");
    assert_fails(bfs(graph, pairs, "--trials"), 2, "needs a value");
    assert_fails(bfs(graph, pairs, "--quiet=yes"), 2, "takes no value");
    assert_fails(bfs(graph, pairs, "--output="), 2, "--output");
    static const char *const numbers[] = {"--trials=0",
                                          "--trials=-1",
                                          "--trials=1.5",
                                          "--warmup=x",
                                          "--timeout=-1",
                                          "--timeout=.",
                                          "--timeout=x",
                                          "--timeout=1e3",
                                          "--cpu=-1",
                                          "--cpu=65535",
                                          "--trials=99999999999999999999999"};
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        char option[32];
        snprintf(option, sizeof(option), "%.*s", (int)strcspn(numbers[i], "="), numbers[i]);
        assert_fails(bfs(graph, pairs, numbers[i]), 2, option);
    }
}
END_TEST

START_TEST(a_mistake_is_answered_by_what_may_be_meant)
{
    static const struct {
        const char *argument, *expected;
    } cases[] = {
        {"--alloc=slb", "unknown allocator \"slb\"; did you mean slab?"},
        {"--alloc=arena", "unknown allocator \"arena\"; there are malloc, "},
        {"--alloc=array", "--alloc: \"array\" is an engine; write --engine=array"},
        {"--alloc=jemalloc", "jemalloc is a library; write lib:jemalloc"},
        {"--alloc=./mine.so", "a shared object is written plugin:./FILE"},
        {"--alloc=slab:chnk=2M", "slab has no option \"chnk\"; did you mean chunk?"},
        {"--engine=clasic", "unknown engine \"clasic\"; did you mean classic?"},
        {"--engine=slab", "--engine: \"slab\" is an allocator; write --alloc=slab"},
        {"--engine=slab:chunk=2M", "is an allocator; write --alloc=slab:chunk=2M"},
        {"--cuonters", "unknown option \"--cuonters\"; did you mean --counters?"},
        {"--pa", "option \"--pa\" may be any of --path, --parallel, --passes; write it out"},
        {"--counters=cylces", "unknown event \"cylces\"; near it: cycles"},
        {"--parallel=search", "--parallel=search: one search of the engine classic takes one "
                              "thread; "},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_fails(bfs(graph, pairs, cases[i].argument), 2, cases[i].expected);
    }
    char *old = getcwd(NULL, 0);
    const char *file = fixture_text("here.so", "");
    char folder[256];
    snprintf(folder, sizeof(folder), "%.*s", (int)(strrchr(file, '/') - file), file);
    ck_assert_int_eq(chdir(folder), 0);
    assert_fails(bfs(graph, pairs, "--alloc=plugin:here.so"), 2, "write plugin:./here.so");
    assert_fails(bfs(graph, pairs, "--alloc=lib:here.so"), 2, "write lib:./here.so");
    ck_assert_int_eq(chdir(old), 0);
    free(old);
}
END_TEST

START_TEST(a_graph_given_as_pairs_is_recognised)
{
    const char *matrix =
        fixture_text("graph.mtx", "%%MatrixMarket matrix coordinate pattern general\n6 6 1\n1 2\n");
    assert_fails(bfs(pairs, matrix), 2, "graph.mtx: PAIRS is a graph; GRAPH comes first");
    assert_fails(bfs("random:3", "generate:nodes=1k"), 2, "PAIRS is a graph; GRAPH comes first");
    static char small[256];
    strcpy(small, fixture_text("small.txt", "1 2\n2 3\n"));
    assert_fails(bfs(small, graph), 2, "graph.txt: PAIRS is a graph; GRAPH comes first");
    assert_fails(bfs(graph, fixture_text("far.txt", "1 9\n")), 1, "far.txt:1: target 9");
}
END_TEST

START_TEST(bad_input_is_one_line_with_the_place_and_status_1)
{
    assert_fails(bfs("/no/such/file", pairs), 1, "/no/such/file: ");
    assert_fails(bfs(graph, "/no/such/file"), 1, "/no/such/file: ");
    assert_fails(bfs("/", pairs), 1, "is a directory");
    assert_fails(bfs(fixture_text("empty.txt", ""), pairs), 1, "empty.txt: ");
    assert_fails(bfs(fixture_text("letters.txt", "1 2\nfish 3\n"), pairs), 1, "letters.txt:2: ");
    assert_fails(bfs(graph, fixture_text("far.txt", "1 2\n1 7\n")), 1, "far.txt:2: ");
    assert_fails(bfs(fixture_text("named.tsv", "a\tb\n"), pairs, "--names", pairs), 1,
                 "holds names already; --names is for a graph of ids");
}
END_TEST

START_TEST(pairs_that_need_more_memory_than_allowed_are_refused)
{
    static char text[] = "1 2\n1 2\n1 2\n1 2\n1 2\n1 2\n1 2\n1 2\n1 2\n1 2\n";
    assert_fails(bfs("generate:nodes=9", "random:1000M", "--memory-limit=8G"), 1,
                 "random:1000M: 1000000000 pairs need 14.9 GiB, more than the 8.0 GiB allowed");
    assert_fails(bfs("generate:nodes=9", fixture_text("many.txt", text), "--memory-limit=100"), 1,
                 "many.txt: 7 pairs need 112 bytes, more than the 100 bytes allowed");
}
END_TEST

START_TEST(habits_of_other_programs_and_missing_operands_get_a_suggestion)
{
    assert_fails(bfs("--json"), 2, "did you mean --format=json?");
    assert_fails(bfs(graph, pairs, "-r", "3"), 2, "unknown option \"-r\"; did you mean --trials?");
    assert_fails(bfs(graph, pairs, "--runs=3"), 2, "did you mean --trials?");
    assert_fails(bfs(graph), 2, "random:100; or ask with --from A --to B");
    assert_fails(bfs(graph, "--from=1"), 2, "--from needs --to, or --histogram");
    assert_fails(bfs(graph, "--to=1"), 2, "--to needs --from");
}
END_TEST

START_TEST(what_was_typed_cannot_break_the_line_of_a_message)
{
    assert_fails(bfs(graph, pairs, "--counters=ab\nc"), 2, "unknown event \"ab?c\"");
    assert_fails(bfs(graph, pairs, "--counters=\033[2J"), 2, "unknown event \"?[2J\"");
    assert_fails(bfs(graph, pairs, "--al\nloc=slab"), 2, "unknown option \"--al?loc\"");
    assert_fails(bfs("/no/such\nfile", pairs), 1, "/no/such?file: ");
}
END_TEST

START_TEST(help_names_every_option_in_lines_that_fit_a_terminal)
{
    struct program_result help = bfs("-h");
    static const char *const options[] = {
        "--alloc=",       "--list-allocs", "--only=",
        "--trials=",      "--warmup=",     "--timeout=",
        "--cpu=",         "--format=",     "--output=",
        "--progress=",    "--quiet",       "--help",
        "--version",      "--engine=",     "--list-engines",
        "--as-published", "--verbose",     "Examples, on the sample"};
    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
        ck_assert_msg(strstr(help.out, options[i]) != NULL, "%s", options[i]);
    }
    for (const char *line = help.out; *line != '\0'; line = strchr(line, '\n') + 1) {
        ck_assert_uint_le(strcspn(line, "\n"), 80);
    }
    program_free(&help);
}
END_TEST

START_TEST(the_lists_have_every_allocator_and_engine)
{
    static const char *const words[] = {"malloc ",         "pool ",
                                        "slab ",           "count ",
                                        "fault ",          "16.0 bytes for a node of 16",
                                        "not thread-safe", "gives memory back",
                                        "keeps memory",    "chunk=",
                                        "(default: 2M)"};
    struct program_result list = bfs("--list-allocs");
    ck_assert_int_eq(list.status, 0);
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        ck_assert_msg(strstr(list.out, words[i]) != NULL, "no \"%s\" in %s", words[i], list.out);
    }
    program_free(&list);
    list = bfs("--list-allocs", "--alloc=count(slab:chunk=2M,pages=normal),pool,lib:./a.so");
    ck_assert_int_eq(list.status, 0);
    ck_assert_str_eq(list.out, "count(slab:chunk=2M,pages=normal)\npool\nlib:./a.so\n");
    program_free(&list);
    list = bfs("--list-engines");
    ck_assert_ptr_nonnull(strstr(list.out, "classic "));
    ck_assert_ptr_nonnull(strstr(list.out, "threads: several may work on one search"));
    program_free(&list);
    list = bfs("--version");
    ck_assert_int_eq(strncmp(list.out, "bfs ", 4), 0);
    ck_assert_uint_eq(program_line_count(list.out), 1);
    program_free(&list);
}
END_TEST

START_TEST(every_allocator_gives_the_same_counts)
{
    static const char *const allocators[] = {"malloc",      "pool",           "slab",
                                             "count(pool)", "slab:chunk=64K", "pool:order=fifo"};
    struct program_result first = bfs("generate:nodes=2k", "random:20", "-fcsv", "-amalloc");
    ck_assert_int_eq(first.status, 0);
    for (size_t row = 1; row <= 20; row++) {
        uint64_t calls = strtoull(cell(first.out, row, PUSHED), NULL, 10) + 2;
        ck_assert_uint_eq(strtoull(cell(first.out, row, MALLOCS), NULL, 10), calls);
        ck_assert_uint_eq(strtoull(cell(first.out, row, FREES), NULL, 10), calls);
    }
    for (size_t i = 1; i < sizeof(allocators) / sizeof(allocators[0]); i++) {
        struct program_result run =
            bfs("generate:nodes=2k", "random:20", "-fcsv", "-a", allocators[i]);
        ck_assert_int_eq(run.status, 0);
        for (size_t row = 1; row <= 20; row++) {
            for (size_t column = TRIAL; column <= PEAK; column++) {
                ck_assert_str_eq(cell(run.out, row, column), cell(first.out, row, column));
            }
        }
        program_free(&run);
    }
    program_free(&first);
}
END_TEST

START_TEST(the_environment_chooses_the_allocator_and_the_option_overrides_it)
{
    setenv("LINKED_LIST_ALLOC", "slab", 1);
    struct program_result run = bfs(graph, pairs, "-fjson");
    ck_assert_str_eq(json_at(run.out, "context.allocator.name"), "\"slab\"");
    program_free(&run);
    run = bfs(graph, pairs, "-fjson", "--alloc=pool");
    ck_assert_str_eq(json_at(run.out, "context.allocator.name"), "\"pool\"");
    program_free(&run);
    setenv("LINKED_LIST_ALLOC", "nonsense", 1);
    assert_fails(bfs(graph, pairs), 2, "LINKED_LIST_ALLOC: unknown allocator");
    unsetenv("LINKED_LIST_ALLOC");
}
END_TEST

START_TEST(as_published_repeats_the_last_entry)
{
    const char *line = fixture_text("three.txt", "1 2\n2 3\n");
    const char *pair = fixture_text("one.txt", "1 1\n");
    struct program_result plain = bfs(line, pair, "-fcsv");
    struct program_result published = bfs(line, pair, "-fcsv", "--as-published");
    ck_assert_str_eq(cell(plain.out, 1, PUSHED), "2");
    ck_assert_str_eq(cell(published.out, 1, PUSHED), "3");
    ck_assert_str_eq(cell(plain.out, 1, VISITED), "3");
    ck_assert_str_eq(cell(published.out, 1, VISITED), "4");
    program_free(&plain);
    program_free(&published);
    assert_fails(bfs("generate:nodes=10", pair, "--as-published"), 2, "--as-published");
}
END_TEST

START_TEST(a_processor_can_be_chosen)
{
    cpu_set_t allowed;
    char option[32];
    ck_assert_int_eq(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
    unsigned cpu = 0;
    while (!CPU_ISSET(cpu, &allowed)) {
        cpu++;
    }
    snprintf(option, sizeof(option), "--cpu=%u", cpu);
    struct program_result run = bfs(graph, pairs, option, "-fjson");
    ck_assert_int_eq(run.status, 0);
    ck_assert_str_eq(json_at(run.out, "context.cpu_pinned"), option + 6);
    program_free(&run);
}
END_TEST

START_TEST(a_search_over_its_time_is_reported_and_the_next_one_runs)
{
    struct program_result run =
        bfs(LONG_GRAPH, "random:6,seed=2", "-fcsv", "--timeout=0.000000001");
    size_t late = 0;
    ck_assert_int_eq(run.status, 0);
    ck_assert_uint_eq(program_line_count(run.out), 7);
    for (size_t row = 1; row <= 6; row++) {
        if (strcmp(cell(run.out, row, STATUS), "timed-out") == 0) {
            ck_assert_str_eq(cell(run.out, row, FOUND), "");
            ck_assert_str_eq(cell(run.out, row, HOPS), "");
            late++;
        }
    }
    ck_assert_uint_gt(late, 0);
    program_free(&run);
    run = bfs(LONG_GRAPH, "random:6,seed=2", "-fcsv", "--timeout=1000");
    ck_assert_ptr_null(strstr(run.out, "timed-out"));
    program_free(&run);
}
END_TEST

START_TEST(a_search_without_memory_is_reported_and_the_next_one_runs)
{
    struct program_result run = bfs(graph, pairs, "-fcsv", "--alloc=fault(malloc,at=3)");
    ck_assert_int_eq(run.status, 1);
    ck_assert_uint_eq(program_line_count(run.err), 1);
    ck_assert_ptr_nonnull(strstr(run.err, "out of memory in 1 of 4 searches"));
    ck_assert_uint_eq(program_line_count(run.out), 5);
    ck_assert_str_eq(cell(run.out, 1, STATUS), "no-memory");
    ck_assert_str_eq(cell(run.out, 1, FOUND), "");
    ck_assert_str_eq(cell(run.out, 2, STATUS), "done");
    ck_assert_str_eq(cell(run.out, 4, HOPS), "1");
    program_free(&run);
}
END_TEST

START_TEST(the_report_goes_to_a_file_when_asked)
{
    const char *path = fixture_text("report.csv", "something longer than the report would be\n");
    struct program_result run = bfs(graph, pairs, "-f", "csv", "-o", path);
    ck_assert_int_eq(run.status, 0);
    ck_assert_str_eq(run.out, "");
    char *text = program_read(path);
    ck_assert_uint_eq(program_line_count(text), 5);
    ck_assert_int_eq(strncmp(text, CSV_HEADER, sizeof(CSV_HEADER) - 1), 0);
    free(text);
    program_free(&run);
}
END_TEST

START_TEST(the_output_is_opened_before_anything_is_loaded)
{
    assert_fails(bfs("/no/such/graph", pairs, "--output=/no/such/folder/file"), 1,
                 "cannot write /no/such/folder/file");
}
END_TEST

START_TEST(an_input_is_never_overwritten)
{
    assert_fails(bfs(graph, pairs, "--output", graph), 1, "it is an input file");
    assert_fails(bfs(graph, pairs, "--output", pairs), 1, "it is an input file");
    const char *names = fixture_text("names.txt", "a\nb\nc\nd\ne\nf\n");
    assert_fails(bfs(graph, pairs, "--names", names, "--output", names), 1, "it is an input file");
    assert_fails(bfs(graph, "--from=a", "--to=b", "--names", names, "--output", names), 1,
                 "it is an input file");
    char *text = program_read(graph);
    ck_assert_str_eq(text, EDGES);
    free(text);
}
END_TEST

#define OLD_REPORT "an old report\n"

/* A file starts like that, and no part of another report is left. */
static void assert_alone(const char *path, const char *start)
{
    char *text = program_read(path);
    ck_assert_msg(strncmp(text, start, strlen(start)) == 0, "%s", text);
    free(text);
    DIR *folder = opendir(fixture_folder);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        ck_assert_ptr_null(strstr(entry->d_name, "-part-"));
    }
    closedir(folder);
}

static const char *old_report(void)
{
    static char path[256];
    strcpy(path, fixture_text("report", OLD_REPORT));
    return path;
}

START_TEST(an_old_report_stays_until_the_new_one_is_whole)
{
    const char *path = old_report();
    assert_fails(bfs("/no/such/graph", pairs, "-o", path), 1, "/no/such/graph");
    assert_alone(path, OLD_REPORT);
    assert_fails(bfs(graph, pairs, "-o", path, "--only=9"), 2, "there is no search 9");
    assert_alone(path, OLD_REPORT);
    const char *const arguments[] = {PW_BFS, LONG_GRAPH, "random:200000",     "-fcsv",
                                     "-o",   path,       "--progress=always", NULL};
    char err[256];
    strcpy(err, fixture_path("killed.err"));
    static const int signals[] = {SIGKILL, SIGINT};
    for (size_t i = 0; i < 2; i++) {
        unlink(err);
        pid_t child = program_start(arguments, "/dev/null", err);
        wait_for_lines(err, 2); /* loading, and a search */
        kill(child, signals[i]);
        ck_assert_int_eq(program_wait(child), 128 + signals[i]);
        assert_alone(path, i == 0 ? OLD_REPORT : CSV_HEADER);
    }
}
END_TEST

START_TEST(pairs_that_came_through_a_pipe_are_in_the_file_after_an_interrupt)
{
    const char *path = old_report();
    char fifo[256];
    strcpy(fifo, fixture_path("questions"));
    ck_assert_int_eq(mkfifo(fifo, 0666), 0);
    const char *const arguments[] = {
        "/bin/sh", "-c", "exec \"$0\" \"$1\" - -fcsv -o \"$2\" <\"$3\"", PW_BFS, graph, path,
        fifo,      NULL};
    pid_t child = program_start(arguments, "/dev/null", fixture_path("asked.err"));
    int writer = open(fifo, O_WRONLY);
    write_and_wait(child, writer, "1\t4\n");
    write_and_wait(child, writer, "1\t5\n"); /* read when the answer to the first is written */
    kill(child, SIGINT);
    ck_assert_int_eq(program_wait(child), 130);
    close(writer);
    assert_alone(path, CSV_HEADER);
}
END_TEST

START_TEST(a_link_to_a_report_stays_a_link)
{
    const char *path = old_report();
    char link[256];
    char found[300] = "";
    strcpy(link, fixture_path("link"));
    unlink(link);
    ck_assert_int_eq(symlink(path, link), 0);
    struct program_result run = bfs(graph, pairs, "-fcsv", "-o", link);
    ck_assert_int_eq(run.status, 0);
    program_free(&run);
    ck_assert_int_gt(readlink(link, found, sizeof(found) - 1), 0);
    ck_assert_str_eq(found, path);
    assert_alone(path, CSV_HEADER);
}
END_TEST

START_TEST(a_snapshot_cut_short_while_it_is_mapped_is_one_line_and_status_1)
{
    static const char script[] = /* the array engine reads all */
        "\"$0\" \"$1\" \"$2\" >/dev/null && mkfifo \"$3\" && { printf '1\\t4\\n'; read -r answer; "
        "truncate -s 4096 \"$2\"; printf '1\\t4\\n'; } <\"$3\" | "
        "\"$4\" \"$2\" - -fcsv --engine=array >\"$3\"";
    char snapshot[256];
    char answers[256];
    strcpy(snapshot, fixture_path("graph.pwg"));
    strcpy(answers, fixture_path("answers"));
    const char *const arguments[] = {"/bin/sh", "-c",   script, PW_GRAPH_CONVERT, graph, snapshot,
                                     answers,   PW_BFS, NULL};
    assert_fails(program_run_to(NULL, arguments), 1, "became shorter while it was in use");
}
END_TEST

START_TEST(a_full_disk_is_an_error)
{
    static const char *const formats[] = {"text", "csv", "json"};
    for (size_t i = 0; i < 3; i++) {
        const char *const arguments[] = {PW_BFS, graph, pairs, "-f", formats[i], NULL};
        assert_fails(program_run_to("/dev/full", arguments), 1, "No space left on device");
        assert_fails(bfs(graph, pairs, "-f", formats[i], "-o", "/dev/full"), 1, "/dev/full");
    }
    const char *const help[] = {PW_BFS, "--help", NULL};
    assert_fails(program_run_to("/dev/full", help), 1, "No space left on device");
}
END_TEST

START_TEST(a_recording_that_is_lost_is_an_error_after_all_results)
{
    struct program_result run =
        bfs(graph, pairs, "-f", "csv", "--alloc=count(record(first-fit,file=/dev/full))");
    ck_assert_uint_gt(program_line_count(run.out), 4);
    ck_assert_str_eq(cell(run.out, 4, SEARCH), "4");
    assert_fails(run, 1, "bfs: allocator: /dev/full: cannot be written: No space left on device\n");
    const char *script = fixture_path("run.script");
    char specification[400];
    snprintf(specification, sizeof(specification), "--alloc=record(first-fit,file=%s)", script);
    run = bfs(graph, pairs, specification);
    ck_assert_int_eq(run.status, 0);
    ck_assert_str_eq(run.err, "");
    program_free(&run);
}
END_TEST

START_TEST(a_closed_standard_output_is_an_error)
{
    char command[1024];
    snprintf(command, sizeof(command), "'%s' '%s' '%s' >&-", PW_BFS, graph, pairs);
    const char *const arguments[] = {"/bin/sh", "-c", command, NULL};
    assert_fails(program_run_to(NULL, arguments), 1, "cannot write standard output");
}
END_TEST

START_TEST(a_reader_that_leaves_early_ends_the_run_without_a_word)
{
    char command[1024];
    snprintf(command, sizeof(command), "'%s' %s random:2000 -fcsv | head -n 2", PW_BFS, LONG_GRAPH);
    const char *const arguments[] = {"/bin/sh", "-c", command, NULL};
    struct program_result run = program_run_to(NULL, arguments);
    ck_assert_uint_eq(program_line_count(run.out), 2);
    ck_assert_str_eq(run.err, "");
    program_free(&run);
}
END_TEST

START_TEST(progress_is_shown_when_asked_for_and_on_standard_error)
{
    struct program_result run = bfs(graph, pairs, "-fcsv", "--progress=always");
    ck_assert_ptr_nonnull(strstr(run.err, "bfs: loading "));
    ck_assert_uint_eq(program_line_count(run.out), 5);
    program_free(&run);
    run = bfs(graph, pairs, "-fcsv", "--progress=never");
    ck_assert_str_eq(run.err, "");
    program_free(&run);
}
END_TEST

START_TEST(interrupted_while_searching_it_reports_what_is_done)
{
    static const int signals[] = {SIGINT, SIGINT, SIGINT, SIGTERM};
    static const char *const formats[] = {"csv", "json", "text", "csv"};
    const char *out = fixture_path("interrupted.out");
    const char *err = fixture_path("interrupted.err");
    const char *const arguments[] = {PW_BFS, LONG_GRAPH, "random:200000", "-f", formats[_i], NULL};
    unlink(out);
    pid_t child = program_start(arguments, out, err);
    wait_for_lines(out, 50);
    kill(child, signals[_i]);
    ck_assert_int_eq(program_wait(child), 128 + signals[_i]);
    char *text = program_read(out);
    char *message = program_read(err);
    ck_assert_msg(strstr(message, "bfs: interrupted after ") == message, "%s", message);
    ck_assert_uint_eq(program_line_count(message), 1);
    ck_assert_int_eq(text[strlen(text) - 1], '\n');
    if (_i == 1) {
        ck_assert(json_is_valid(text));
        ck_assert_str_eq(json_at(text, "summary.status"), "\"interrupted\"");
    } else if (_i == 2) {
        ck_assert_ptr_nonnull(strstr(text, "\nSummary\n"));
    }
    free(text);
    free(message);
}
END_TEST

START_TEST(interrupted_while_loading_it_leaves_a_whole_report_of_nothing)
{
    const char *fifo = fixture_path("fifo");
    const char *out = fixture_path("loading.out");
    const char *err = fixture_path("loading.err");
    const char *const arguments[] = {PW_BFS, fifo, pairs, "-fjson", "--progress=always", NULL};
    unlink(fifo);
    unlink(err);
    ck_assert_int_eq(mkfifo(fifo, 0666), 0);
    pid_t child = program_start(arguments, out, err);
    int writer = open(fifo, O_RDWR); /* so that the loader waits for bytes, not for a writer */
    wait_for_lines(err, 1);
    write_and_wait(child, writer, "1 2\n");
    kill(child, SIGINT);
    ck_assert_int_eq(program_wait(child), 130);
    close(writer);
    char *text = program_read(out);
    char *message = program_read(err);
    ck_assert_msg(json_is_valid(text), "%s", text);
    ck_assert_str_eq(json_at(text, "searches"), "[]");
    ck_assert_str_eq(json_at(text, "summary.status"), "\"interrupted\"");
    ck_assert_ptr_nonnull(strstr(message, "interrupted while loading"));
    free(text);
    free(message);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        wrong_usage_is_one_line_with_what_is_legal_and_status_2,
        a_mistake_is_answered_by_what_may_be_meant,
        a_graph_given_as_pairs_is_recognised,
        bad_input_is_one_line_with_the_place_and_status_1,
        pairs_that_need_more_memory_than_allowed_are_refused,
        habits_of_other_programs_and_missing_operands_get_a_suggestion,
        what_was_typed_cannot_break_the_line_of_a_message,
        help_names_every_option_in_lines_that_fit_a_terminal,
        the_lists_have_every_allocator_and_engine,
        every_allocator_gives_the_same_counts,
        the_environment_chooses_the_allocator_and_the_option_overrides_it,
        as_published_repeats_the_last_entry,
        a_processor_can_be_chosen,
        a_search_over_its_time_is_reported_and_the_next_one_runs,
        a_search_without_memory_is_reported_and_the_next_one_runs,
        the_report_goes_to_a_file_when_asked,
        the_output_is_opened_before_anything_is_loaded,
        an_input_is_never_overwritten,
        an_old_report_stays_until_the_new_one_is_whole,
        pairs_that_came_through_a_pipe_are_in_the_file_after_an_interrupt,
        a_link_to_a_report_stays_a_link,
        a_snapshot_cut_short_while_it_is_mapped_is_one_line_and_status_1,
        a_full_disk_is_an_error,
        a_recording_that_is_lost_is_an_error_after_all_results,
        a_closed_standard_output_is_an_error,
        a_reader_that_leaves_early_ends_the_run_without_a_word,
        progress_is_shown_when_asked_for_and_on_standard_error,
        interrupted_while_loading_it_leaves_a_whole_report_of_nothing,
        NULL,
    };
    const TTest *const loops[] = {
        interrupted_while_searching_it_reports_what_is_done,
        NULL,
    };
    const struct suite_case cases[] = {
        {tests, write_inputs, NULL, 0, 0},
        {loops, write_inputs, NULL, 0, 4},
    };
    return suite_run_cases("driver", 2, cases);
}

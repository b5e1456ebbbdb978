/*
 * test_graph_load.c - what graph_load reads, and what it says about files it cannot read.
 */
#include "base/macros.h"
#include "data/graph/graph_memory.h"
#include "data/load/graph_load.h"
#include "data/reverse/graph_reverse.h"
#include "tests/support/fixture_file.h"
#include "tests/support/suite.h"
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

/* A graph as text: "first limit | u: v v v; ..." with empty rows left out. */
static const char *describe(const struct graph *graph)
{
    static char text[4096];
    size_t used = (size_t)snprintf(text, sizeof(text), "%" PRIu32 " %" PRIu32 " |",
                                   graph->first_node, graph->node_limit);
    for (uint32_t u = 0; u < graph->node_limit; u++) {
        if (graph->offsets[u] == graph->offsets[u + 1]) {
            continue;
        }
        used += (size_t)snprintf(text + used, sizeof(text) - used, " %" PRIu32 ":", u);
        for (uint64_t i = graph->offsets[u]; i < graph->offsets[u + 1]; i++) {
            used += (size_t)snprintf(text + used, sizeof(text) - used, " %" PRIu32,
                                     graph->neighbours[i]);
        }
        used += (size_t)snprintf(text + used, sizeof(text) - used, ";");
    }
    return text;
}

static void assert_reads_with(const char *text, const char *expected,
                              const struct graph_options *options)
{
    struct graph graph;
    struct graph_error error;
    const char *path = fixture_text("graph.txt", text);
    bool loaded = graph_load(path, options, &graph, &error);
    ck_assert_msg(loaded, "%s", error.message);
    ck_assert_str_eq(describe(&graph), expected);
    ck_assert_uint_eq(graph.offsets[graph.node_limit], graph.edge_count);
    graph_free(&graph);
}

static void assert_reads(const char *text, const char *expected)
{
    assert_reads_with(text, expected, NULL);
}

static void assert_bytes_refused(const void *bytes, size_t length, const char *expected)
{
    struct graph graph;
    struct graph_error error;
    const char *path = fixture_bytes("bad.txt", bytes, length);
    memset(&graph, 0xff, sizeof(graph));
    ck_assert(!graph_load(path, NULL, &graph, &error));
    ck_assert_ptr_null(graph.offsets);
    ck_assert_ptr_null(graph.neighbours);
    ck_assert_msg(strncmp(error.message, path, strlen(path)) == 0, "%s", error.message);
    ck_assert_str_eq(error.message + strlen(path), expected);
}

static void assert_refused(const char *text, const char *expected)
{
    assert_bytes_refused(text, strlen(text), expected);
}

#define MM "%%MatrixMarket matrix coordinate "

START_TEST(matrix_market_pattern_keeps_file_order_duplicates_and_self_loops)
{
    assert_reads(MM "pattern general\n% comment\n\n4 4 7\n3 1\n1 4\n1 2\n3 1\n2 2\n1 3\n4 1\n",
                 "1 5 | 1: 4 2 3; 2: 2; 3: 1 1; 4: 1;");
}
END_TEST

START_TEST(matrix_market_values_are_read_past)
{
    assert_reads(MM "integer general\n3 3 2\n1 2 -7\n3 1 12\n", "1 4 | 1: 2; 3: 1;");
    assert_reads(MM "real general\n3 3 3\n1 2 -7.5e-3\n3 1 .5\n2 1 nan\n",
                 "1 4 | 1: 2; 2: 1; 3: 1;");
    assert_reads(MM "complex general\n3 3 1\n1 2 -7.5 1e9\n", "1 4 | 1: 2;");
}
END_TEST

START_TEST(matrix_market_symmetric_gives_both_directions_in_the_order_of_the_entries)
{
    assert_reads(MM "pattern symmetric\n4 4 4\n2 1\n3 1\n2 2\n4 2\n",
                 "1 5 | 1: 2 3; 2: 1 2 4; 3: 1; 4: 2;");
    assert_reads(MM "real skew-symmetric\n3 3 2\n3 1 5\n2 1 -1\n", "1 4 | 1: 3 2; 2: 1; 3: 1;");
}
END_TEST

START_TEST(matrix_market_banner_is_read_in_any_case)
{
    assert_reads("%%matrixmarket MATRIX Coordinate PATTERN General\n2 2 1\n1 2\n", "1 3 | 1: 2;");
}
END_TEST

START_TEST(blanks_empty_lines_and_comments_may_precede_the_matrix_market_banner)
{
    static const char *const above[] = {
        " ", "\t  ", "\n", "\r\n \n", "% by hand\n", "# made by q\n%\n\n", "%% Matrix Market\n "};
    for (size_t i = 0; i < COUNT_OF(above); i++) {
        char text[200];
        snprintf(text, sizeof(text), "%s%s", above[i],
                 MM "unsigned-integer symmetric\n%\n3 3 2\n2 1 7\n3 3 1\n");
        assert_reads(text, "1 4 | 1: 2; 2: 1; 3: 3;");
    }
    assert_reads("% MatrixMarketing of 2019\n1 2\n", "1 3 | 1: 2;");
    assert_reads("1 2\n" MM "pattern general\n2 1\n", "1 3 | 1: 2; 2: 1;");
    assert_refused("% x\n%%MatrixMarket vector coordinate real general\n2 2\n",
                   ":2: expected the object \"matrix\", found \"vector\"");
}
END_TEST

START_TEST(matrix_market_nodes_without_edges_count)
{
    assert_reads(MM "pattern general\n9 9 1\n1 2\n", "1 10 | 1: 2;");
    assert_reads(MM "pattern general\n9 9 0\n", "1 10 |");
    assert_reads(MM "pattern general\n2 5 1\n2 5\n", "1 6 | 2: 5;");
}
END_TEST

START_TEST(line_ends_may_be_crlf_and_the_last_one_missing)
{
    assert_reads(MM "pattern general\r\n3 3 2\r\n1 2\r\n3 1\r\n", "1 4 | 1: 2; 3: 1;");
    assert_reads(MM "pattern general\n3 3 2\n1 2\n3 1", "1 4 | 1: 2; 3: 1;");
    assert_reads("1 2\r\n2 3", "1 4 | 1: 2; 2: 3;");
}
END_TEST

START_TEST(a_byte_order_mark_before_any_format_is_read_past)
{
    assert_reads("\xef\xbb\xbf"
                 "0 1\n1 0\n",
                 "0 2 | 0: 1; 1: 0;");
    assert_reads("\xef\xbb\xbf"
                 "from,to\r\n1,2\r\n",
                 "1 3 | 1: 2;");
    assert_reads("\xef\xbb\xbf" MM "pattern general\n3 3 2\n1 2\n3 1\n", "1 4 | 1: 2; 3: 1;");
    assert_reads("\xef\xbb\xbf"
                 "p sp 2 1\na 1 2 7\n",
                 "1 3 | 1: 2;");
    assert_reads("\xef\xbb\xbf"
                 "3 2\n2\n1 3\n2\n",
                 "1 4 | 1: 2; 2: 1 3; 3: 2;");
    assert_refused("\xef\xbb\xbf"
                   "0 1\nx\n",
                   ":2: expected two node ids, found \"x\"");
    assert_refused("\xef\xbb\xbf", ": is empty");
}
END_TEST

START_TEST(edge_list_separators_may_be_spaces_tabs_or_commas)
{
    assert_reads("0 1\n1\t2\n2,3\n3 , 0\n  0   2  \n", "0 4 | 0: 1 2; 1: 2; 2: 3; 3: 0;");
}
END_TEST

START_TEST(edge_list_comments_and_empty_lines_are_skipped)
{
    assert_reads("# SNAP\n% KONECT\n\n0 1\n   \n# in between\n1 0\n", "0 2 | 0: 1; 1: 0;");
}
END_TEST

START_TEST(edge_list_without_node_0_is_1_based)
{
    assert_reads("1 2\n2 1\n", "1 3 | 1: 2; 2: 1;");
    assert_reads("1 2\n2 0\n", "0 3 | 1: 2; 2: 0;");
}
END_TEST

START_TEST(edge_list_columns_past_the_ids_are_ignored)
{
    assert_reads("0 1 0.5 2009\n1,0,x\n", "0 2 | 0: 1; 1: 0;");
}
END_TEST

START_TEST(edge_list_keeps_duplicates_and_self_loops)
{
    assert_reads("0 0\n0 1\n0 1\n0 0\n", "0 2 | 0: 0 1 1 0;");
}
END_TEST

START_TEST(last_entry_is_repeated_when_asked)
{
    struct graph_options options = {.repeat_last_entry = true};
    assert_reads_with("0 1\n1 2\n", "0 3 | 0: 1; 1: 2 2;", &options);
    assert_reads_with(MM "pattern general\n3 3 2\n1 2\n3 1\n", "1 4 | 1: 2; 3: 1 1;", &options);
}
END_TEST

START_TEST(the_last_entry_is_found_before_segments_of_comments)
{
    static char text[(8 << 20) + 100] = "0 1\n1 2\n"; /* two segments per MiB or so */
    for (size_t i = strlen(text); i < sizeof(text) - 9; i += 8) {
        memcpy(text + i, "# .....\n", 8);
    }
    struct graph_options options = {.repeat_last_entry = true, .threads = 4};
    assert_reads_with(text, "0 3 | 0: 1; 1: 2 2;", &options);
}
END_TEST

START_TEST(missing_file_directory_and_empty_file_are_refused)
{
    struct graph graph;
    struct graph_error error;
    ck_assert(!graph_load("/nonexistent/graph.mtx", NULL, &graph, &error));
    ck_assert_str_eq(error.message,
                     "/nonexistent/graph.mtx: cannot be opened: No such file or directory");
    ck_assert(!graph_load("/tmp", NULL, &graph, &error));
    ck_assert_str_eq(error.message, "/tmp: is a directory, not a file");
    assert_refused("", ": is empty");
    assert_refused("# nothing\n\n", ":2: no edge in the file");
}
END_TEST

START_TEST(fewer_or_more_entries_than_declared_are_refused)
{
    assert_refused(MM "pattern general\n3 3 3\n1 2\n3 1\n",
                   ":4: the file ends after 2 of the 3 entries declared in line 2");
    assert_refused(MM "pattern general\n3 3 1\n1 2\n% a comment\n3 1\n2 2\n",
                   ":5: more entries than the 1 declared in line 2");
    assert_refused(MM "pattern general\n3 3 1\n1 2\n3 1\n9 9\n",
                   ":4: more entries than the 1 declared in line 2");
}
END_TEST

START_TEST(ids_out_of_range_are_refused)
{
    assert_refused(MM "pattern general\n3 3 1\n0 2\n", ":3: source 0 is outside 1..3");
    assert_refused(MM "pattern general\n3 3 1\n2 0\n", ":3: target 0 is outside 1..3");
    assert_refused(MM "pattern general\n3 3 1\n4 1\n", ":3: source 4 is outside 1..3");
    assert_refused(MM "pattern general\n3 2 1\n1 3\n", ":3: target 3 is outside 1..2");
}
END_TEST

START_TEST(lines_without_two_ids_are_refused)
{
    assert_refused("0 1\n12 x\n", ":2: expected two node ids, found \"12 x\"");
    assert_refused("0 1\n12\n", ":2: expected two node ids, found \"12\"");
    assert_refused("0 1\n1,,2\n",
                   ":2: expected two node ids, found \"1,,2\": the target is empty (awk -F, "
                   "'$2 != \"\"' drops such rows of CSV)");
    assert_refused("0 1\n1 2.5\r\n", ":2: expected two node ids, found \"1 2.5\"");
    assert_refused(MM "real general\n3 3 1\n1 2\n",
                   ":3: expected two node ids and a value, found \"1 2\"");
}
END_TEST

START_TEST(bad_matrix_market_headers_are_refused)
{
    assert_refused(MM "pattern general", ":1: the file ends before the size line");
    assert_refused(MM "pattern general\n% x\n", ":2: the file ends before the size line");
    assert_refused(MM "pattern general\n3 3\n",
                   ":2: expected the size line \"rows columns entries\", found \"3 3\"");
    assert_refused(MM "pattern general\n3 3 -1\n",
                   ":2: expected the size line \"rows columns entries\", found \"3 3 -1\"");
    assert_refused(MM "pattern general\n4294967295 3 1\n",
                   ":2: a graph has at most 4294967294 nodes, found \"4294967295 3 1\"");
    assert_refused("%%MatrixMarket matrix array real general\n2 2\n",
                   ":1: expected the format \"coordinate\", found \"array\"");
    assert_refused("%%MatrixMarket vector coordinate real general\n2 2\n",
                   ":1: expected the object \"matrix\", found \"vector\"");
    assert_refused(MM "quaternion general\n2 2 0\n",
                   ":1: expected the field pattern, integer, real or complex, found "
                   "\"quaternion\"");
    assert_refused(MM "real\n2 2 0\n",
                   ":1: expected the symmetry general, symmetric, skew-symmetric or hermitian, "
                   "found \"\"");
    assert_refused(MM "pattern general\n0 0 3\n", ":2: 3 entries declared in an empty matrix");
    assert_refused(MM "complex general\n3 3 1\n1 2 0.5 x\n",
                   ":3: expected two node ids and two values, found \"1 2 0.5 x\"");
}
END_TEST

START_TEST(a_name_may_begin_with_a_digit)
{
    struct graph graph;
    struct graph_error error = {0};
    const char *path = fixture_text("digits.tsv", "3com\tApple\nApple\t3com\n");
    ck_assert_msg(graph_load(path, NULL, &graph, &error), "%s", error.message);
    ck_assert_uint_eq(graph.edge_count, 2);
    ck_assert_ptr_nonnull(graph.names);
    graph_free(&graph);
}
END_TEST

START_TEST(binary_rubbish_is_refused)
{
    static const unsigned char bytes[] = {0x7f, 'E', 'L', 'F', 0, 1, 2, 0xff, '\n', 0};
    assert_bytes_refused(bytes, sizeof(bytes),
                         ":1: expected two node ids, found \"\\x7fELF\\x00\\x01\\x02\\xff\"");
}
END_TEST

START_TEST(a_nul_byte_is_no_value_and_no_part_of_a_heading)
{
    static const char value[] = MM "real general\n2 2 1\n1 2 \0\n";
    static const char heading[] = "from,\0\n1,2\n";
    assert_bytes_refused(value, sizeof(value) - 1,
                         ":3: expected two node ids and a value, found \"1 2 \\x00\"");
    assert_bytes_refused(heading, sizeof(heading) - 1,
                         ":1: expected two node ids, found \"from,\\x00\"");
}
END_TEST

/* True if the system was asked for huge pages at an address; the flag "hg" of /proc/self/smaps. */
static bool asked_for_huge_pages(const void *address)
{
    FILE *maps = fopen("/proc/self/smaps", "r");
    char line[1024];
    bool here = false, asked = false;
    ck_assert_ptr_nonnull(maps);
    while (fgets(line, sizeof(line), maps) != NULL) {
        uintptr_t begin, end;
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &begin, &end) == 2) {
            here = (uintptr_t)address >= begin && (uintptr_t)address < end;
        } else if (here && strncmp(line, "VmFlags:", 8) == 0) {
            asked = strstr(line, " hg") != NULL;
        }
    }
    fclose(maps);
    return asked;
}

START_TEST(large_arrays_ask_for_huge_pages_by_default)
{
    const size_t length = (size_t)8 << 20;
    void *huge = memory_map(length, true);
    memory_use_huge_pages(false);
    void *small = memory_map(length, true);
    memory_use_huge_pages(true);
    ck_assert(huge != NULL && small != NULL);
    ck_assert(!asked_for_huge_pages(small));
    if (access("/sys/kernel/mm/transparent_hugepage/enabled", F_OK) == 0 &&
        getenv("PW_EMULATED") == NULL) { /* an emulator does not pass on the advice */
        ck_assert(asked_for_huge_pages(huge));
    }
    memory_unmap(huge, length);
    memory_unmap(small, length);
}
END_TEST

START_TEST(the_check_of_a_graph_finds_what_leads_out_of_its_arrays)
{
    struct graph graph;
    struct graph_error error;
    const char *path = fixture_text("check.txt", "1 2\n2 3\n3 1\n3 3\n");
    ck_assert(graph_load(path, NULL, &graph, &error));
    ck_assert(graph_add_reverse(&graph, 1, NULL, &error));
    ck_assert(graph_check(&graph));
    graph.offsets[2] = 3; /* not ascending */
    ck_assert(!graph_check(&graph));
    graph.offsets[2] = 1;
    graph.neighbours[3] = 4; /* no node */
    ck_assert(!graph_check(&graph));
    graph.neighbours[3] = 3;
    graph.in_neighbours[0] = 4;
    ck_assert(!graph_check(&graph));
    graph.in_neighbours[0] = 3;
    graph.edge_count++; /* not the end of the lists */
    ck_assert(!graph_check(&graph));
    graph.edge_count--;
    ck_assert(graph_check(&graph));
    graph_free(&graph);
}
END_TEST

/* The reader remarks on the heading before it reads the edges. */
static void cut_file(void *context, const char *text, enum graph_remedy remedy)
{
    (void)text;
    (void)remedy;
    ck_assert_int_eq(truncate((const char *)context, 100000), 0);
}

START_TEST(an_edge_list_that_becomes_shorter_while_it_is_read_is_refused)
{
    static char text[400001] = "ants,bees\n";
    for (size_t i = 8; i < 400000; i += 8) {
        memcpy(text + i, "100,200\n", 8);
    }
    for (unsigned threads = 1; threads <= 2; threads++) {
        char path[256];
        struct graph graph;
        struct graph_error error = {0};
        snprintf(path, sizeof(path), "%s", fixture_text("cut.txt", text));
        struct graph_options options = {.threads = threads, .note = cut_file, .context = path};
        ck_assert(!graph_load(path, &options, &graph, &error));
        ck_assert_ptr_nonnull(strstr(error.message, "cut.txt: changed while it was read"));
        ck_assert_ptr_null(graph.offsets);
    }
}
END_TEST

/* Edge lines, and in their middle one of that many bytes that opens with first. */
static const char *write_long_line(const char *first, size_t length)
{
    const size_t around = (size_t)3 << 20;
    char *text = malloc(2 * around + length + 1);
    ck_assert_ptr_nonnull(text);
    for (size_t i = 0; i < around; i += 8) {
        memcpy(text + i, "100 200\n", 8);
        memcpy(text + around + length + 1 + i, "100 200\n", 8);
    }
    memset(text + around, 'x', length);
    memcpy(text + around, first, strlen(first));
    text[around + length] = '\n';
    const char *path = fixture_bytes("long.txt", text, 2 * around + length + 1);
    free(text);
    return path;
}

START_TEST(a_line_of_more_than_1_mib_is_refused_by_its_number)
{
    const size_t most = (size_t)1 << 20;
    for (unsigned threads = 1; threads <= 8; threads++) {
        struct graph_options options = {.threads = threads};
        struct graph graph;
        struct graph_error error = {0};
        ck_assert_msg(graph_load(write_long_line("#", most), &options, &graph, &error), "%s",
                      error.message);
        ck_assert_uint_eq(graph.edge_count, most / 8 * 6);
        graph_free(&graph);
        ck_assert(!graph_load(write_long_line("1 2 #", most + 1), &options, &graph, &error));
        ck_assert_ptr_nonnull(
            strstr(error.message, "long.txt:393217: the line is longer than 1.0 MiB"));
    }
}
END_TEST

START_TEST(a_file_without_an_end_is_refused_at_its_first_line)
{
    struct graph graph;
    struct graph_error error = {0};
    ck_assert(!graph_load("/dev/zero", NULL, &graph, &error));
    ck_assert_str_eq(error.message, "/dev/zero:1: the line is longer than 1.0 MiB");
}
END_TEST

START_TEST(a_metis_line_may_be_long_but_counts_against_the_memory_limit)
{
    enum { NEIGHBOURS = 1 << 20 };
    static char text[4 * NEIGHBOURS + 100];
    struct graph_options options = {.format = "metis"};
    struct graph graph;
    struct graph_error error = {0};
    size_t used = (size_t)sprintf(text, "2 %d\n", NEIGHBOURS);
    for (size_t i = 0; i < 2 * NEIGHBOURS; i++) {
        text[used++] = i < NEIGHBOURS ? '2' : '1';
        text[used++] = i + 1 == NEIGHBOURS ? '\n' : ' ';
    }
    const char *path = fixture_text("long.metis", text);
    ck_assert_msg(graph_load(path, &options, &graph, &error), "%s", error.message);
    ck_assert_uint_eq(graph.edge_count, 2 * NEIGHBOURS);
    graph_free(&graph);
    memcpy(text, "2 3      ", 9);
    path = fixture_text("long.metis", text);
    options.threads = 1;
    options.memory_limit = 7 << 20;
    ck_assert(!graph_load(path, &options, &graph, &error));
    ck_assert_ptr_nonnull(strstr(error.message, "long.metis:2: the line is longer than 1.8 MiB"));
}
END_TEST

START_TEST(reading_stops_when_it_is_cancelled)
{
    static const volatile sig_atomic_t cancel = 1;
    struct graph_options options = {.cancel = &cancel};
    struct graph graph;
    struct graph_error error = {0};
    ck_assert(!graph_load(fixture_text("stop.txt", "1 2\n"), &options, &graph, &error));
    ck_assert_ptr_nonnull(strstr(error.message, "stop.txt: interrupted"));
}
END_TEST

/* A pipe, whose writer would write into nothing if somebody opened it only to look at it. */
struct pipe_writer {
    int to, watch;
    bool was_closed; /* by a reader, before anything was read */
};

/* Keep the pipe open until it is read; then it ends. */
static void *end_when_read(void *context)
{
    struct pipe_writer *writer = context;
    char events[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
    for (uint32_t seen = 0; !(seen & IN_ACCESS);) {
        const ssize_t length = read(writer->watch, events, sizeof(events));
        ck_assert_int_gt(length, 0);
        for (const char *at = events; at < events + length && !(seen & IN_ACCESS);
             at += sizeof(struct inotify_event) + ((const struct inotify_event *)at)->len) {
            seen = ((const struct inotify_event *)at)->mask;
            writer->was_closed |= (seen & IN_CLOSE_NOWRITE) != 0;
        }
    }
    close(writer->to);
    return NULL;
}

START_TEST(a_pipe_is_opened_only_to_read_it)
{
    static const char text[] = "0 1\n1 2\n";
    const char *path = fixture_path("pipe");
    struct graph graph;
    struct graph_error error = {0};
    pthread_t thread;
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    const int from = open(path, O_RDONLY | O_NONBLOCK);
    struct pipe_writer writer = {.to = open(path, O_WRONLY), .watch = inotify_init1(IN_CLOEXEC)};
    ck_assert_int_eq(write(writer.to, text, strlen(text)), (ssize_t)strlen(text));
    ck_assert_int_ge(inotify_add_watch(writer.watch, path, IN_CLOSE_NOWRITE | IN_ACCESS), 0);
    ck_assert_int_eq(pthread_create(&thread, NULL, end_when_read, &writer), 0);
    ck_assert_msg(graph_load(path, NULL, &graph, &error), "%s", error.message);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    ck_assert_uint_eq(graph.edge_count, 2);
    ck_assert(!writer.was_closed);
    graph_free(&graph);
    close(from);
    close(writer.watch);
}
END_TEST

/* A line that the fast reader leaves to the careful one counts once, with all of its digits. */
START_TEST(a_long_way_to_write_a_number_makes_no_node)
{
    static const struct {
        const char *text;
        uint32_t first, limit;
    } cases[] = {
        {"1 2\n3 4.0000000\n", 1, 5}, /* eight digits are read at a time */
        {"5 2\n7 3.0000000\n2 5\n", 1, 8}, {"7 2\n2 90e-1\n", 1, 10},      {"7 2\n2 3 x\n", 1, 8},
        {"5,2\n7,3\n2,0.5e1\n", 1, 8},     {"2 3\n0.0000005e7 1\n", 1, 6},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        for (unsigned reversed = 0; reversed < 2; reversed++) {
            struct graph graph;
            struct graph_error error = {0};
            const struct graph_options options = {.undirected = reversed > 0};
            ck_assert_msg(graph_load(fixture_text("ids", cases[i].text), &options, &graph, &error),
                          "%s: %s", cases[i].text, error.message);
            ck_assert_msg(graph.first_node == cases[i].first && graph.node_limit == cases[i].limit,
                          "%s: %u to %llu", cases[i].text, graph.first_node,
                          (unsigned long long)graph.node_limit - 1);
            graph_free(&graph);
        }
    }
}
END_TEST

int main(void)
{
    return suite_run("graph_load", NULL, NULL,
                     (const TTest *[]){
                         matrix_market_pattern_keeps_file_order_duplicates_and_self_loops,
                         large_arrays_ask_for_huge_pages_by_default,
                         a_long_way_to_write_a_number_makes_no_node,
                         matrix_market_values_are_read_past,
                         matrix_market_symmetric_gives_both_directions_in_the_order_of_the_entries,
                         matrix_market_banner_is_read_in_any_case,
                         blanks_empty_lines_and_comments_may_precede_the_matrix_market_banner,
                         matrix_market_nodes_without_edges_count,
                         line_ends_may_be_crlf_and_the_last_one_missing,
                         a_byte_order_mark_before_any_format_is_read_past,
                         edge_list_separators_may_be_spaces_tabs_or_commas,
                         edge_list_comments_and_empty_lines_are_skipped,
                         edge_list_without_node_0_is_1_based,
                         edge_list_columns_past_the_ids_are_ignored,
                         edge_list_keeps_duplicates_and_self_loops,
                         last_entry_is_repeated_when_asked,
                         the_last_entry_is_found_before_segments_of_comments,
                         missing_file_directory_and_empty_file_are_refused,
                         fewer_or_more_entries_than_declared_are_refused,
                         ids_out_of_range_are_refused,
                         lines_without_two_ids_are_refused,
                         bad_matrix_market_headers_are_refused,
                         a_name_may_begin_with_a_digit,
                         binary_rubbish_is_refused,
                         a_nul_byte_is_no_value_and_no_part_of_a_heading,
                         the_check_of_a_graph_finds_what_leads_out_of_its_arrays,
                         an_edge_list_that_becomes_shorter_while_it_is_read_is_refused,
                         a_line_of_more_than_1_mib_is_refused_by_its_number,
                         a_file_without_an_end_is_refused_at_its_first_line,
                         a_metis_line_may_be_long_but_counts_against_the_memory_limit,
                         reading_stops_when_it_is_cancelled,
                         a_pipe_is_opened_only_to_read_it,
                         NULL,
                     });
}

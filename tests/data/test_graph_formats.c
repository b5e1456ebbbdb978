/*
 * test_graph_formats.c - one graph through every format, packing and number of threads.
 */
#include "base/macros.h"
#include "data/load/graph_load.h"
#include "tests/support/fixture_file.h"
#include "tests/support/put_text.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"
#include <inttypes.h>
#if __has_include(<sys/single_threaded.h>) /* glibc's: whether there never was a second thread */
#include <sys/single_threaded.h>
#define HAS_SINGLE_THREADED
#endif

#define NODES 3000u
#define EDGES 150000u

struct edge {
    uint32_t source, target; /* from 1 */
};

static struct edge edges[EDGES];
static char written[EDGES * 40]; /* the text of a file */
static char noted[512];

static void make_edges(void)
{
    struct rng random = random_start("test_graph_formats");
    for (uint32_t i = 0; i < EDGES; i++) {
        edges[i].source = (uint32_t)random_below(&random, NODES) + 1;
        edges[i].target = (uint32_t)random_below(&random, NODES) + 1;
    }
    edges[0] = (struct edge){1, NODES};
    edges[1] = (struct edge){NODES, 1};
}

/* The edges in file order, with a header above, and text before, between and after the ids. */
static const char *write_edges(const char *name, const char *header, const char *before,
                               const char *between, const char *after)
{
    char *at = put_text(written, header);
    for (uint32_t i = 0; i < EDGES; i++) {
        at = put_number(put_text(at, before), edges[i].source);
        at = put_number(put_text(at, between), edges[i].target);
        at = put_text(at, after);
    }
    ck_assert(at <= written + sizeof(written));
    return fixture_bytes(name, written, (size_t)(at - written));
}

/* Rows against the definition: the targets of a source in the order of the file. */
static void assert_is_graph(const struct graph *graph)
{
    static uint64_t next[NODES + 1];
    uint64_t differing = 0;
    ck_assert_uint_eq(graph->first_node, 1);
    ck_assert_uint_eq(graph->node_limit, NODES + 1);
    ck_assert_uint_eq(graph->edge_count, EDGES);
    ck_assert_uint_eq(graph->offsets[0], 0);
    memcpy(next, graph->offsets, sizeof(next));
    for (uint32_t i = 0; i < EDGES; i++) {
        uint64_t at = next[edges[i].source]++;
        differing +=
            at >= graph->offsets[edges[i].source + 1] || graph->neighbours[at] != edges[i].target;
    }
    ck_assert_uint_eq(differing, 0);
}

static void note(void *context, const char *text, enum graph_remedy remedy)
{
    (void)context;
    snprintf(noted, sizeof(noted), "%s", text);
    (void)remedy;
}

static void assert_reads(const char *path)
{
    for (unsigned threads = 1; threads <= 5; threads += 2) {
        struct graph graph;
        struct graph_error error;
        struct graph_options options = {.threads = threads, .note = note};
        noted[0] = '\0';
        ck_assert_msg(graph_load(path, &options, &graph, &error), "%s", error.message);
        assert_is_graph(&graph);
        graph_free(&graph);
    }
}

#define SIZE_LINE "3000 3000 150000\n"

START_TEST(every_text_format_gives_the_same_rows_for_any_number_of_threads)
{
    make_edges();
    assert_reads(write_edges(
        "p.mtx", "%%MatrixMarket matrix coordinate pattern general\n" SIZE_LINE, "", " ", "\n"));
    assert_reads(write_edges("r.mtx", "%%MatrixMarket matrix coordinate real general\n" SIZE_LINE,
                             "", " ", " -1.5e3\n"));
    assert_reads(write_edges("c.mtx",
                             "%%MatrixMarket matrix coordinate complex general\n" SIZE_LINE, "",
                             " ", " 1.5 2\n"));
    assert_reads(write_edges("e.txt", "", "", " ", "\n"));
    assert_reads(write_edges("e.tsv", "# comment\n", "", "\t", "\r\n"));
    assert_reads(write_edges("e.csv", "source,target\n", "", ",", "\n"));
    ck_assert_str_eq(noted, "");
    assert_reads(write_edges("w.txt", "", "", " ", " 7 2009\n"));
    ck_assert_str_eq(noted,
                     "read as: a table with blanks, from column 1 to column 2, 2 other columns "
                     "ignored, ids");
    assert_reads(write_edges("g.gr", "c roads\np sp 3000 150000\n", "a ", " ", " 12\n"));
    assert_reads(write_edges("k.txt", "% sym unweighted\n", "  ", " ", "\n"));
    ck_assert_ptr_nonnull(strstr(noted, "no direction"));
}
END_TEST

/* The second line is looked at too, which moves the first if they are longer than what is held. */
START_TEST(first_lines_that_look_like_a_heading_may_be_long)
{
    const size_t length = 1 << 18;
    char *text = malloc(2 * length + 8);
    struct graph graph;
    struct graph_error error;
    const struct graph_options options = {.note = note};
    ck_assert_ptr_nonnull(text);
    memset(text, 'a', length);
    memcpy(text + length, "\tb\nb\t", 5);
    memset(text + length + 5, 'c', length);
    text[2 * length + 5] = '\n';
    text[2 * length + 6] = '\0';
    ck_assert_msg(graph_load(fixture_text("long.tsv", text), &options, &graph, &error), "%s",
                  error.message);
    ck_assert_uint_eq(graph.node_limit, 3);
    ck_assert_uint_eq(graph.edge_count, 2);
    graph_free(&graph);
    free(text);
}
END_TEST

static void run(const char *command)
{
    ck_assert_msg(system(command) == 0, "%s", command);
}

START_TEST(packed_files_are_read_as_they_are)
{
    static const char *const tools[] = {"gzip", "bzip2", "xz", "zstd"};
    char command[1200];
    make_edges();
    const char *path = write_edges(
        "p.mtx", "%%MatrixMarket matrix coordinate pattern general\n" SIZE_LINE, "", " ", "\n");
    for (size_t i = 0; i < COUNT_OF(tools); i++) {
        const char *packed = fixture_path(tools[i]);
        snprintf(command, sizeof(command), "command -v %s >/dev/null", tools[i]);
        if (system(command) != 0) {
            continue; /* not on this machine */
        }
        snprintf(command, sizeof(command), "%s -1 -c < %s > %s", tools[i], path, packed);
        run(command);
        assert_reads(packed);
    }
    const char *tar = fixture_path("graph.tar.gz");
    const char *readme = fixture_text("readme", "Nothing to see here.\n");
    snprintf(command, sizeof(command), "tar -C / -czf %s %s %s", tar, readme + 1, path + 1);
    run(command);
    assert_reads(tar);
}
END_TEST

/* One gzip member of "1 2\\n2 3\\n" with its checksums, stored and not deflated. */
static const unsigned char stored_member[] = {
    0x1f, 0x8b, 8,  0,   0,   0,   0,  0,    0,    3,    1,    8, 0, 0xf7, 0xff, '1',
    ' ',  '2',  10, '2', ' ', '3', 10, 0xf5, 0xf1, 0x2b, 0x96, 8, 0, 0,    0};

START_TEST(a_window_of_zstd_that_is_too_large_is_refused_with_the_way)
{
    static const char long_window[] = /* zstd --long=29 of "10 11\n11 12\n" */
        "\x28\xb5\x2f\xfd\x04\x98\x61\x00\x00"
        "10 11\n11 12\n"
        "\xf6\x24\x74\xfa";
    struct graph graph;
    struct graph_error error;
    const char *path = fixture_bytes("long.zst", long_window, sizeof(long_window) - 1);
    if (graph_load(path, NULL, &graph, &error)) { /* a libarchive with a larger limit */
        ck_assert_uint_eq(graph.edge_count, 2);
        graph_free(&graph);
    } else if (strstr(error.message, "libarchive ran") == NULL) { /* it ran zstd, without --long */
        ck_assert_msg(strstr(error.message, "unpack it first (zstd -d --long=31)") != NULL, "%s",
                      error.message);
    }
}
END_TEST

START_TEST(with_one_thread_packed_files_are_decoded_without_another)
{
#ifdef HAS_SINGLE_THREADED
    static const char *const tools[] = {"gzip", "bzip2",          "xz",
                                        "zstd", "tar -C / -cf -", "tar -C / -czf -"};
    struct graph_options options = {.threads = 1};
    struct graph graph;
    struct graph_error error;
    char command[1200];
    if (!__libc_single_threaded) {
        return; /* another test, or a sanitizer, has had a thread in this process */
    }
    make_edges();
    const char *path = write_edges("e.txt", "", "", " ", "\n");
    for (size_t i = 0; i < COUNT_OF(tools); i++) {
        const char *packed = fixture_path("packed");
        bool is_tar = tools[i][0] == 't';
        snprintf(command, sizeof(command), "command -v %s >/dev/null", is_tar ? "tar" : tools[i]);
        if (system(command) == 0) {
            snprintf(command, sizeof(command), "%s %s%s > %s", tools[i], is_tar ? "" : "<",
                     path + is_tar, packed);
            run(command);
            ck_assert_msg(graph_load(packed, &options, &graph, &error), "%s", error.message);
            assert_is_graph(&graph);
            graph_free(&graph);
            ck_assert_msg(__libc_single_threaded, "%s", tools[i]);
        }
    }
    options.threads = 2; /* and that it would have been noticed */
    ck_assert(graph_load(fixture_bytes("two.gz", stored_member, sizeof(stored_member)), &options,
                         &graph, &error));
    graph_free(&graph);
    ck_assert(!__libc_single_threaded);
#endif
}
END_TEST

static void assert_load_fails(const char *path, const char *why)
{
    for (unsigned threads = 1; threads <= 2; threads++) { /* the caller decodes, or a thread does */
        struct graph_options options = {.threads = threads};
        struct graph graph;
        struct graph_error error;
        ck_assert(!graph_load(path, &options, &graph, &error));
        ck_assert_msg(strstr(error.message, why) != NULL, "%s", error.message);
    }
}

START_TEST(a_truncated_gzip_or_tar_is_refused)
{
    char command[1200];
    make_edges();
    const char *path = write_edges("e.txt", "", "", " ", "\n");
    const char *packed = fixture_path("cut.gz");
    snprintf(command, sizeof(command), "gzip -1 -c < %s | head -c 100000 > %s", path, packed);
    run(command);
    assert_load_fails(packed, "cannot be read: truncated gzip input");
    snprintf(command, sizeof(command), "tar -C / -cf - %s | head -c 100000 > %s", path + 1, packed);
    run(command);
    assert_load_fails(packed, "cannot be read: Truncated");
}
END_TEST

START_TEST(a_gzip_with_text_after_its_end_is_refused_for_that)
{
    unsigned char bytes[sizeof(stored_member) + 5] = {0};
    memcpy(bytes, stored_member, sizeof(stored_member));
    memcpy(bytes + sizeof(stored_member), "3 4\n", 5);
    assert_load_fails(fixture_bytes("text.gz", bytes, sizeof(bytes) - 1),
                      "damaged gzip input: not only zeros after its end");
}
END_TEST

START_TEST(a_gzip_whose_last_code_ends_after_its_input_is_refused)
{
    static const unsigned char bytes[] = {
        0x1f, 0x8b, 8,  0,  0,  0x63, 0x0a, 0x1f, 0x8b, 8,  0x63, 0x0a, 0x63, 0x22, 13, 13,
        'p',  ' ',  13, 13, 13, 13,   13,   13,   13,   13, 13,   13,   '&',  13,   '#'};
    assert_load_fails(fixture_bytes("early.gz", bytes, sizeof(bytes)), "damaged gzip input");
}
END_TEST

START_TEST(a_gzip_that_inflates_to_other_bytes_than_were_packed_is_refused)
{
    enum { SIZE = sizeof(stored_member), DIGIT = 17, LENGTH = SIZE - 4 };
    unsigned char bytes[2 * SIZE + 3] = {0};
    for (unsigned threads = 1; threads <= 2; threads++) {
        struct graph_options options = {.threads = threads};
        struct graph graph;
        struct graph_error error;
        memcpy(bytes, stored_member, SIZE);
        memcpy(bytes + SIZE, stored_member, SIZE); /* two members, and zeros after them */
        ck_assert_msg(
            graph_load(fixture_bytes("twice.gz", bytes, sizeof(bytes)), &options, &graph, &error),
            "%s", error.message);
        ck_assert_uint_eq(graph.edge_count, 4);
        graph_free(&graph);
        for (size_t at = DIGIT; at < 2 * SIZE; at += at == DIGIT ? LENGTH - DIGIT : SIZE) {
            bytes[at] ^= 1; /* a digit of the text, then the length, in either member */
            ck_assert(!graph_load(fixture_bytes("flipped.gz", bytes, sizeof(bytes)), &options,
                                  &graph, &error));
            ck_assert_msg(strstr(error.message, "cannot be read: damaged gzip input") != NULL, "%s",
                          error.message);
            bytes[at] ^= 1;
        }
        bytes[2 * SIZE + 2] = 'x';
        ck_assert(
            !graph_load(fixture_bytes("tail.gz", bytes, sizeof(bytes)), &options, &graph, &error));
        ck_assert_ptr_nonnull(strstr(error.message, "not only zeros after its end"));
        bytes[2 * SIZE + 2] = 0;
    }
}
END_TEST

START_TEST(a_tar_with_two_graphs_or_none_is_refused)
{
    char command[1200];
    const char *one = fixture_text("one.txt", "1 2\n");
    const char *two = fixture_text("two.txt", "2 1\n");
    const char *readme = fixture_text("readme", "Nothing to see here.\n");
    const char *tar = fixture_path("two.tar");
    snprintf(command, sizeof(command), "tar -C / -cf %s %s %s", tar, one + 1, two + 1);
    run(command);
    assert_load_fails(tar, "the tar holds more than one graph: ");
    snprintf(command, sizeof(command), "tar -C / -cf %s %s", tar, readme + 1);
    run(command);
    assert_load_fails(tar, "the tar holds no graph");
}
END_TEST

START_TEST(the_first_error_of_the_file_has_its_line_for_any_number_of_threads)
{
    make_edges();
    for (uint32_t bad = 1000; bad < 400000; bad += 66500) {
        char *at = written;
        for (uint32_t line = 1; line <= 3 * EDGES; line++) {
            if (line == bad || (line > bad && line % 50000 == 0)) {
                at = put_text(at, "12 x\n");
            } else {
                at = put_text(put_number(at, edges[line % EDGES].source), " ");
                at = put_text(put_number(at, edges[line % EDGES].target), "\n");
            }
        }
        const char *path = fixture_bytes("bad.txt", written, (size_t)(at - written));
        for (unsigned threads = 1; threads <= 4; threads++) {
            struct graph graph;
            struct graph_error error;
            struct graph_options options = {.threads = threads};
            char expected[400];
            snprintf(expected, sizeof(expected),
                     "%s:%" PRIu32 ": expected two node ids, found \"12 x\"", path, bad);
            ck_assert(!graph_load(path, &options, &graph, &error));
            ck_assert_str_eq(error.message, expected);
        }
    }
}
END_TEST

START_TEST(the_first_entry_too_many_has_its_line_for_any_number_of_threads)
{
    char *at = put_text(
        written, "%%MatrixMarket matrix coordinate pattern general\n% a comment\n9 9 300000\n");
    for (uint32_t line = 4; line < 800000; line++) {
        at = put_text(at, line % 5 == 0 ? "% another\n" : "1 2\n");
    }
    const char *path = fixture_bytes("many.mtx", written, (size_t)(at - written));
    for (unsigned threads = 1; threads <= 4; threads++) {
        struct graph graph;
        struct graph_error error;
        struct graph_options options = {.threads = threads};
        ck_assert(!graph_load(path, &options, &graph, &error));
        /* four entries in five lines, the first in line 4: the 300,001st is in line 375,004 */
        ck_assert_ptr_nonnull(
            strstr(error.message, ":375004: more entries than the 300000 declared in line 3"));
    }
}
END_TEST

static void assert_rows(const char *text, const struct graph_options *options, uint32_t limit,
                        const uint64_t *offsets, const uint32_t *neighbours)
{
    struct graph graph;
    struct graph_error error;
    ck_assert_msg(graph_load(fixture_text("small.txt", text), options, &graph, &error), "%s",
                  error.message);
    ck_assert_uint_eq(graph.node_limit, limit);
    for (uint32_t u = 0; u <= limit; u++) {
        ck_assert_uint_eq(graph.offsets[u], offsets[u]);
    }
    for (uint64_t i = 0; i < graph.edge_count; i++) {
        ck_assert_uint_eq(graph.neighbours[i], neighbours[i]);
    }
    graph_free(&graph);
}

START_TEST(metis_rows_are_read_with_and_without_weights)
{
    assert_rows("% comment\n4 3\n2 3 4\n1\n1\n1\n", NULL, 5, (uint64_t[]){0, 0, 3, 4, 5, 6},
                (uint32_t[]){2, 3, 4, 1, 1, 1});
    assert_rows("4 3 011\n9 2 7 3 7 4 7\n9 1 7\n9 1 7\n9 1 7\n", NULL, 5,
                (uint64_t[]){0, 0, 3, 4, 5, 6}, (uint32_t[]){2, 3, 4, 1, 1, 1});
    struct graph_options options = {.format = "metis"};
    assert_rows("3 3\n2 3\n1 3\n1 2\n", &options, 4, (uint64_t[]){0, 0, 2, 4, 6},
                (uint32_t[]){2, 3, 1, 3, 1, 2});
    assert_rows("3 1\n\n3\n2\n", &options, 4, (uint64_t[]){0, 0, 0, 1, 2}, (uint32_t[]){3, 2});
}
END_TEST

START_TEST(directions_are_turned_or_doubled_when_asked)
{
    struct graph_options options = {.reverse = true};
    assert_rows("0 1\n0 2\n2 2\n", &options, 3, (uint64_t[]){0, 0, 1, 3}, (uint32_t[]){0, 0, 2});
    options = (struct graph_options){.undirected = true};
    assert_rows("0 1\n0 2\n2 2\n", &options, 3, (uint64_t[]){0, 2, 3, 5},
                (uint32_t[]){1, 2, 0, 0, 2});
}
END_TEST

/* That a graph is refused for its memory, with these words after its path. */
static void assert_too_large(const char *text, struct graph_options options, const char *words)
{
    struct graph graph;
    struct graph_error error;
    char expected[300];
    const char *path = fixture_text("large.txt", text);
    options.threads = 1;
    snprintf(expected, sizeof(expected), "%s: %s", path, words);
    ck_assert(!graph_load(path, &options, &graph, &error));
    ck_assert_str_eq(error.message, expected);
}

START_TEST(a_graph_refused_for_its_memory_is_reported_with_the_known_figures)
{
    static const char few[] = "1 2\n2 3\n3 4\n4 1\n";
    struct graph_options none = {.memory_limit = 1};
    assert_too_large(few, none, "about 4 edges need at least 6.0 MiB of memory; allowed: 1 byte");
    none.undirected = true;
    assert_too_large(few, none, "about 8 edges need at least 6.0 MiB of memory; allowed: 1 byte");
    assert_too_large(few, (struct graph_options){.memory_limit = 6 << 20},
                     "about 4 edges need at least 6291483 bytes of memory; allowed: 6291456 bytes");
    /* The sample leaves some room; then all is known. */
    assert_too_large(few, (struct graph_options){.memory_limit = (6 << 20) + 40},
                     "4 nodes and 4 edges need 6291572 bytes of memory; allowed: 6291496 bytes");
    static const char declared[] =
        "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n";
    struct graph_options options = {.memory_limit = 1};
    assert_too_large(declared, options,
                     "3 nodes and 2 edges need 6.0 MiB of memory; allowed: 1 byte");
    options.compact = true;
    assert_too_large(declared, options, "2 edges need at least 6.0 MiB of memory; allowed: 1 byte");
}
END_TEST

START_TEST(with_32_bits_what_a_process_cannot_address_is_refused_though_it_is_allowed)
{
    char text[100], words[200];
    const bool has_32_bits = SIZE_MAX == UINT32_MAX;
    const struct graph_options options = {.memory_limit = (uint64_t)(has_32_bits ? 16 : 1) << 30};
    const char *limit = has_32_bits ? "possible with 32 bits: 1024.0 MiB" : "allowed: 1.0 GiB";
    static const char *const declared[][2] = {
        {"90000000", "1.3 GiB"}, {"600000000", "8.9 GiB"}, /* which 32 bits do not hold */
    };
    for (size_t i = 0; i < COUNT_OF(declared); i++) {
        const char *nodes = declared[i][0];
        snprintf(text, sizeof(text),
                 "%%%%MatrixMarket matrix coordinate pattern general\n%s %s 1\n1 2\n", nodes,
                 nodes);
        snprintf(words, sizeof(words), "%s nodes and 1 edges need %s of memory; %s", nodes,
                 declared[i][1], limit);
        assert_too_large(text, options, words);
    }
    snprintf(words, sizeof(words), "90000000 nodes and 1 edges need 1.3 GiB of memory; %s", limit);
    assert_too_large("1 90000000\n", options, words);
}
END_TEST

START_TEST(an_edge_list_with_an_empty_line_is_not_taken_for_metis)
{
    static char text[200000];
    struct graph graph;
    struct graph_error error;
    const char *path = fixture_text("tiny.txt", "2 1\n\n2 2\n");
    ck_assert_msg(graph_load(path, NULL, &graph, &error), "%s", error.message);
    ck_assert_uint_eq(graph.edge_count, 2);
    ck_assert_uint_eq(graph.neighbours[0], 1);
    ck_assert_uint_eq(graph.neighbours[1], 2);
    graph_free(&graph);
    size_t length = (size_t)snprintf(text, sizeof(text), "90000 17\n\n");
    for (unsigned i = 1; i <= 12000; i++) {
        length += (size_t)snprintf(text + length, sizeof(text) - length, "%u %u\n", i, i + 5);
    }
    path = fixture_bytes("large.txt", text, length);
    ck_assert_msg(graph_load(path, NULL, &graph, &error), "%s", error.message);
    ck_assert_uint_eq(graph.edge_count, 12001);
    graph_free(&graph);
}
END_TEST

START_TEST(names_label_the_nodes)
{
    struct graph graph;
    struct graph_error error;
    char text[GRAPH_LABEL_SIZE];
    const char *path =
        fixture_text("links.tsv", "# links\n\n%C3%89ire\tBede\r\nBede\t100%25\n1066\tBede\n");
    ck_assert_msg(graph_load(path, NULL, &graph, &error), "%s", error.message);
    ck_assert_uint_eq(graph.node_limit, 4);
    ck_assert_str_eq(graph_label(&graph, 0, text), "\xc3\x89ire");
    ck_assert_str_eq(graph_label(&graph, 2, text), "100%");
    ck_assert_str_eq(graph_label(&graph, 3, text), "1066");
    ck_assert_uint_eq(graph.neighbours[0], 1);
    graph_free(&graph);
    const char *names = fixture_text("names.txt", "zero\none\ntwo\n");
    struct graph_options options = {.names_path = names};
    path = fixture_text("ids.txt", "0 1\n1 2\n");
    ck_assert_msg(graph_load(path, &options, &graph, &error), "%s", error.message);
    ck_assert_uint_eq(graph.node_limit, 3);
    ck_assert_str_eq(graph_label(&graph, 2, text), "two");
    graph_free(&graph);
}
END_TEST

START_TEST(bad_files_of_the_other_formats_are_refused)
{
    const struct {
        const char *text, *format, *why;
    } cases[] = {
        {"c x\np sp 3 2\na 1 2 5\nb 2 3 5\n", NULL, ":4: expected \"a\" and two node ids"},
        {"p sp 3 2\na 1 2 5\n", NULL, ":2: the file ends after 1 of the 2 entries"},
        {"p sp 3 1\na 1 4 5\n", NULL, ":2: target 4 is outside 1..3"},
        {"p short 3 1\na 1 2 5\n", NULL, ":1: expected \"p sp nodes arcs\""},
        {"3 2\n2\n1 3\n", "metis", ":3: the file ends after 2 of the 3 rows"},
        {"3 2\n2\n1 3\n4\n", "metis", ":4: neighbour 4 is outside 1..3"},
        {"3 2\n2\n1 x\n2\n", "metis", ":3: expected a node id, found \"x\""},
        {"3 2\n2\n1 3\n2\n1\n", "metis", ":5: more rows than the 3 nodes"},
        {"3 3\n2\n1 3\n2\n", "metis", "the file ends after 4 of the 6 entries"},
        {"3 2 1\n2 5\n1 5 3\n2 5\n", "metis", ":3: expected a weight after each neighbour"},
        {"3 2 10\n7 2\n\n7 2\n", "metis", ":3: expected 1 numbers before the neighbours"},
        {"3 2 100\n1 2\n1 1 3\n1 4\n", "metis", ":4: neighbour 4 is outside 1..3"},
        {"3\n", "metis", ":1: expected \"nodes edges [format [weights]]\", found \"3\""},
        {"% nothing else\n", "metis", "line \"nodes edges\""},
        {"c nothing else\n", "dimacs", "line \"p sp nodes arcs\""},
        {"%%MatrixMarket matrix coordinate pattern general\n0 0 1\n1 1\n", NULL,
         ":2: 1 entries declared in an empty matrix"},
        {"a\tb\x01\n", NULL, ":1: expected two node ids, found \"a"},
        {"a\tb\nc\n", NULL, ":2: expected two names with a tab between them, found \"c\""},
        {"7 Laos\n", NULL, ":1: expected two node ids, found \"7 Laos\""},
        {"New York Laos\nLaos Nepal\n", NULL, ":1: the lines have different numbers of words"},
        {"Laos,China\nChina\n", NULL, ":2: expected two names with a comma between them, found"},
        {"Laos,China\n\"a\"b,c\n", NULL,
         ":2: a quote closes before the end of its column: \"\"a\""},
        {"Laos,China\n\"a,b\nc,d\n", NULL, ":2: a quote that opens here does not close"},
        {"1,2\nLaos,4\n", "edges", ":2: expected two node ids, found \"Laos,4\""},
        {"\"1\",\"2\n\"\nx,3\n", "edges", ":1: target: expected a node id, found \"2\\x0a\""},
        {"-1,2\n3,4\n", "edges", ":1: source -1 is outside"},
        {"1 2 3\n4 2.5\n", "adjacency", ":2: target: expected a node id, found \"2.5\""},
        {"1 2\r3 4\r", NULL, ":1: the lines end with a carriage return alone"},
        {"1 2 7\r3 4 7\r", NULL, ":1: the lines end with a carriage return alone"},
        {"1 2\n1 2 x\r3 4 x\n", NULL, ":2: expected two node ids, found"},
        {"1 2\n", "excel", "unknown format \"excel\""},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct graph graph;
        struct graph_error error;
        struct graph_options options = {.format = cases[i].format};
        const char *path = fixture_text("bad.txt", cases[i].text);
        ck_assert(!graph_load(path, &options, &graph, &error));
        ck_assert_msg(strstr(error.message, cases[i].why) != NULL, "%zu: %s", i, error.message);
    }
}
END_TEST

START_TEST(a_packed_file_that_holds_nothing_is_refused_as_empty)
{
    char command[400];
    struct graph graph;
    struct graph_error error;
    const char *path = fixture_path("nothing.gz");
    snprintf(command, sizeof(command), "gzip </dev/null >%s", path);
    ck_assert_int_eq(system(command), 0);
    ck_assert(!graph_load(path, NULL, &graph, &error));
    ck_assert_ptr_nonnull(strstr(error.message, "nothing.gz: is empty"));
}
END_TEST

/* Load a file with its reverse adjacency, and compare that with the lists it belongs to. */
static void check_reverse(const char *path, bool repeat_last_entry)
{
    for (unsigned threads = 1; threads <= 3; threads++) {
        struct graph graph;
        struct graph_error error;
        struct graph_options options = {
            .threads = threads, .build_reverse = true, .repeat_last_entry = repeat_last_entry};
        ck_assert_msg(graph_load(path, &options, &graph, &error), "%s", error.message);
        ck_assert_uint_eq(graph.edge_count, EDGES + (repeat_last_entry ? 1 : 0));
        uint64_t differing = 0;
        uint64_t *next = malloc(sizeof(*next) * (NODES + 2));
        ck_assert_ptr_nonnull(next);
        memcpy(next, graph.in_offsets, sizeof(*next) * (NODES + 2));
        for (uint32_t u = 0; u < graph.node_limit; u++) {
            for (uint64_t i = graph.offsets[u]; i < graph.offsets[u + 1]; i++) {
                differing += graph.in_neighbours[next[graph.neighbours[i]]++] != u;
            }
        }
        ck_assert_uint_eq(differing, 0);
        ck_assert_mem_eq(next, graph.in_offsets + 1, sizeof(*next) * NODES);
        free(next);
        graph_free(&graph);
    }
}

START_TEST(the_reverse_adjacency_lists_in_neighbours_in_ascending_order)
{
    make_edges();
    check_reverse(write_edges("e.txt", "", "", " ", "\n"), false);
}
END_TEST

static int by_target(const void *left, const void *right)
{
    const struct edge *a = left, *b = right;
    return a->target != b->target   ? (a->target > b->target ? 1 : -1)
           : a->source != b->source ? (a->source > b->source ? 1 : -1)
                                    : 0;
}

START_TEST(a_file_sorted_by_target_has_the_reverse_adjacency_of_any_other)
{
    char header[100];
    /* Long lines: several segments. */
    const char *between = "\t", *after = "              \n";
    snprintf(header, sizeof(header),
             "%%%%MatrixMarket matrix coordinate pattern general\n%u %u %u\n", NODES, NODES, EDGES);
    make_edges();
    qsort(edges, EDGES, sizeof(*edges), by_target);
    check_reverse(write_edges("sorted.mtx", header, "", between, "\n"), false);
    check_reverse(write_edges("sorted.mtx", header, "", between, after), false);
    check_reverse(write_edges("sorted.mtx", header, "", between, after), true);
    for (uint32_t i = EDGES / 3; i < EDGES; i++) { /* a target in several segments, and the last */
        edges[i].target = NODES;
    }
    qsort(edges, EDGES, sizeof(*edges), by_target);
    check_reverse(write_edges("hub.mtx", header, "", between, after), false);
    check_reverse(write_edges("hub.mtx", header, "", between, after), true);
    for (uint32_t broken = 0; broken < 3;
         broken++) { /* out of order late, within a target or not */
        static const uint32_t places[] = {EDGES - 1, EDGES / 2, EDGES / 6};
        struct edge kept = edges[places[broken]];
        edges[places[broken]] = (struct edge){1, broken == 0 ? NODES : 1};
        check_reverse(write_edges("broken.mtx", header, "", between, after), broken == 1);
        edges[places[broken]] = kept;
    }
}
END_TEST

int main(void)
{
    return suite_run("graph_formats", NULL, NULL,
                     (const TTest *[]){
                         first_lines_that_look_like_a_heading_may_be_long,
                         every_text_format_gives_the_same_rows_for_any_number_of_threads,
                         packed_files_are_read_as_they_are,
                         a_window_of_zstd_that_is_too_large_is_refused_with_the_way,
                         with_one_thread_packed_files_are_decoded_without_another,
                         a_truncated_gzip_or_tar_is_refused,
                         a_gzip_with_text_after_its_end_is_refused_for_that,
                         a_gzip_whose_last_code_ends_after_its_input_is_refused,
                         a_gzip_that_inflates_to_other_bytes_than_were_packed_is_refused,
                         a_tar_with_two_graphs_or_none_is_refused,
                         the_first_error_of_the_file_has_its_line_for_any_number_of_threads,
                         the_first_entry_too_many_has_its_line_for_any_number_of_threads,
                         metis_rows_are_read_with_and_without_weights,
                         directions_are_turned_or_doubled_when_asked,
                         a_graph_refused_for_its_memory_is_reported_with_the_known_figures,
                         with_32_bits_what_a_process_cannot_address_is_refused_though_it_is_allowed,
                         an_edge_list_with_an_empty_line_is_not_taken_for_metis,
                         names_label_the_nodes,
                         bad_files_of_the_other_formats_are_refused,
                         a_packed_file_that_holds_nothing_is_refused_as_empty,
                         the_reverse_adjacency_lists_in_neighbours_in_ascending_order,
                         a_file_sorted_by_target_has_the_reverse_adjacency_of_any_other,
                         NULL,
                     });
}

/*
 * test_snapshot.c - snapshots: the same bytes of the same graph, whole or not at all, mapped again.
 * Wrong bytes in them: test_snapshot_bytes.c.
 */
#include "base/macros.h"
#include "data/graph/graph_names.h"
#include "data/reverse/graph_reverse.h"
#include "data/store/snapshot_layout.h"
#include "snapshot_fixture.h"
#include "tests/support/suite.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

static void assert_same_bytes(const char *one, const char *other)
{
    size_t length, other_length;
    char *a = bytes_of(one, &length), *b = bytes_of(other, &other_length);
    ck_assert_uint_eq(length, other_length);
    ck_assert_mem_eq(a, b, length);
    free(a);
    free(b);
}

START_TEST(the_same_graph_in_every_format_and_for_any_threads_gives_the_same_bytes)
{
    static const char *const texts[] = {
        "%%MatrixMarket matrix coordinate pattern general\n4 4 6\n1 2\n1 3\n2 1\n3 1\n3 4\n4 3\n",
        "%%MatrixMarket matrix coordinate real symmetric\n4 4 3\n2 1 .5\n3 1 1\n4 3 -1\n",
        "# edges\n1\t2\r\n1\t3\r\n2\t1\r\n3\t1\r\n3\t4\r\n4\t3",
        "source,target\n1,2\n1,3\n2,1\n3,1\n3,4\n4,3\n",
        "c\np sp 4 6\na 1 2 1\na 1 3 1\na 2 1 1\na 3 1 1\na 3 4 1\na 4 3 1\n",
        "4 3\n2 3\n1\n1 4\n3\n",
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        for (unsigned threads = 1; threads <= 3; threads++) {
            struct graph_options options = {.threads = threads, .build_reverse = true};
            struct graph graph = load(fixture_text("graph.txt", texts[i]), &options);
            save(&graph, fixture_path(i + threads > 1 ? "other.pwg" : "first.pwg"));
            graph_free(&graph);
            if (i + threads > 1) {
                assert_same_bytes(fixture_path("first.pwg"), fixture_path("other.pwg"));
            }
        }
    }
}
END_TEST

START_TEST(a_snapshot_holds_rows_reverse_names_and_original_ids)
{
    struct graph_options options = {.compact = true,
                                    .build_reverse = true,
                                    .names_path = fixture_text("names", "a\nb\nc\nd\ne\nf\n")};
    struct graph graph = load(fixture_text("graph.txt", "5 1\n1 3\n5 3\n"), &options);
    const char *path = fixture_path("graph.pwg");
    char text[GRAPH_LABEL_SIZE];
    save(&graph, path);
    options = (struct graph_options){.verify = true};
    struct graph mapped = load(path, &options);
    ck_assert_uint_eq(mapped.node_limit, 3);
    ck_assert_uint_eq(mapped.edge_count, 3);
    ck_assert_mem_eq(mapped.offsets, graph.offsets, 4 * sizeof(uint64_t));
    ck_assert_mem_eq(mapped.neighbours, graph.neighbours, 3 * sizeof(uint32_t));
    ck_assert_mem_eq(mapped.in_offsets, graph.in_offsets, 4 * sizeof(uint64_t));
    ck_assert_mem_eq(mapped.in_neighbours, graph.in_neighbours, 3 * sizeof(uint32_t));
    ck_assert_mem_eq(mapped.original_ids, graph.original_ids, 3 * sizeof(uint32_t));
    ck_assert_str_eq(graph_label(&mapped, 2, text), "f");
    graph_free(&mapped);
    graph_free(&graph);
}
END_TEST

START_TEST(a_graph_without_edges_is_saved_and_opened)
{
    struct graph_error error = {0};
    const char *path = fixture_path("edgeless.pwg");
    struct graph graph = load(
        fixture_text("edgeless.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 0\n"),
        NULL);
    ck_assert(graph_snapshot_save(&graph, path, NULL, 0, NULL, &error));
    graph_free(&graph);
    graph = load(path, NULL);
    ck_assert_uint_eq(graph.edge_count, 0);
    ck_assert_uint_eq(graph.node_limit, 3);
    ck_assert_ptr_nonnull(graph.neighbours);
    ck_assert_ptr_null(graph.in_offsets);
    graph_free(&graph);
}
END_TEST

static void assert_no_part(void)
{
    DIR *folder = opendir(fixture_folder);
    ck_assert_ptr_nonnull(folder);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        ck_assert_ptr_null(strstr(entry->d_name, "part"));
    }
    closedir(folder);
}

START_TEST(a_save_leaves_no_part_of_a_snapshot_even_if_the_process_ends)
{
    struct graph graph = load(fixture_text("graph.txt", "1 2\n2 3\n3 1\n3 2\n"), NULL);
    const char *path = fixture_path("part.pwg");
    int status = 0;
    pid_t child = fork();
    if (child == 0) { /* the signal for a file beyond the limit ends it after the first page */
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){4096, 4096});
        signal(SIGXFSZ, SIG_DFL);
        struct graph_error error;
        graph_snapshot_save(&graph, path, NULL, 0, NULL, &error);
        _exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ);
    assert_no_part();
    save(&graph, fixture_path("whole.pwg"));
    save(&graph, fixture_path("whole.pwg"));
    assert_no_part();
    graph_free(&graph);
}
END_TEST

/* A link that a stranger has laid where a part of the snapshot might be written. */
START_TEST(a_link_under_the_temporary_name_of_a_snapshot_is_not_followed)
{
    char victim[256];
    char snapshot[256];
    strcpy(victim, fixture_text("victim", "untouched\n"));
    strcpy(snapshot, fixture_path("linked.pwg"));
    for (unsigned i = 0; i < 3; i++) {
        char link[400];
        snprintf(link, sizeof(link), "%s.pw-part-%02u", snapshot, i);
        ck_assert_int_eq(symlink(victim, link), 0);
    }
    struct graph graph = load(fixture_text("graph.txt", "1 2\n"), NULL);
    save(&graph, snapshot);
    graph_free(&graph);
    size_t length;
    char *text = bytes_of(victim, &length);
    ck_assert_uint_eq(length, strlen("untouched\n"));
    free(text);
    graph = load(snapshot, NULL);
    ck_assert_uint_eq(graph.edge_count, 1);
    graph_free(&graph);
}
END_TEST

START_TEST(options_that_change_a_graph_are_refused_for_a_snapshot)
{
    struct graph graph = load(fixture_text("graph.txt", "1 2\n"), NULL);
    const char *path = fixture_path("graph.pwg");
    const struct graph_options cases[] = {{.reverse = true},
                                          {.names_path = fixture_text("names", "a\n")}};
    save(&graph, path);
    graph_free(&graph);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_refused(path, &cases[i], "a snapshot is used as it was made");
    }
}
END_TEST

/* A snapshot with all seven arrays: edges 2 -> 0, 0 -> 1, 2 -> 1. */
static const char *full_snapshot(const char *name)
{
    struct graph_options options = {.compact = true,
                                    .build_reverse = true,
                                    .names_path = fixture_text("names", "a\nb\nc\nd\ne\nf\n")};
    struct graph graph = load(fixture_text("graph.txt", "5 1\n1 3\n5 3\n"), &options);
    const char *path = fixture_path(name);
    save(&graph, path);
    graph_free(&graph);
    return path;
}

/* The descriptor that the next open gets: the same before and after, if nothing stays open. */
static int next_descriptor(void)
{
    const int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    ck_assert_int_ge(fd, 0);
    close(fd);
    return fd;
}

START_TEST(what_cannot_be_written_is_reported_and_leaves_the_old_file)
{
    static const volatile sig_atomic_t cancel = 0;
    struct graph_error error = {0};
    struct stat before, after;
    const char *path = full_snapshot("kept.pwg");
    struct graph graph = load(fixture_text("graph.txt", "1 2\n"), NULL);
    const int next = next_descriptor();
    ck_assert_int_eq(stat(path, &before), 0);
    limit_files(70000);
    bool saved = graph_snapshot_save(&graph, path, NULL, 0, &cancel, &error);
    limit_files(RLIM_INFINITY);
    ck_assert(!saved);
    ck_assert_ptr_nonnull(strstr(error.message, "kept.pwg: cannot be written: File too large"));
    ck_assert_int_eq(stat(path, &after), 0);
    ck_assert_uint_eq(before.st_ino, after.st_ino);
    ck_assert_int_eq(before.st_size, after.st_size);

    error = (struct graph_error){0};
    path = fixture_path("pipe");
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    ck_assert(!graph_snapshot_save(&graph, path, NULL, 0, NULL, &error));
    ck_assert_ptr_nonnull(strstr(error.message, "it is not a regular file"));
    error = (struct graph_error){0};
    ck_assert(!graph_snapshot_save(&graph, fixture_path("none/graph.pwg"), NULL, 0, NULL, &error));
    ck_assert_ptr_nonnull(strstr(error.message, "cannot be written: No such file or directory"));
    ck_assert_int_eq(next_descriptor(), next);
    graph_free(&graph);
}
END_TEST

static const char *packed_snapshot(size_t cut)
{
    char command[800];
    const char *path = full_snapshot("packed.pwg");
    if (cut > 0) {
        ck_assert_int_eq(truncate(path, (off_t)cut), 0);
    }
    snprintf(command, sizeof(command), "gzip -f %s", path);
    ck_assert_int_eq(system(command), 0);
    return fixture_path("packed.pwg.gz");
}

START_TEST(a_packed_snapshot_is_opened_or_refused_under_the_name_that_was_given)
{
    static const volatile sig_atomic_t cancel = 1;
    struct graph graph = load(packed_snapshot(0), NULL);
    ck_assert_uint_eq(graph.edge_count, 3);
    ck_assert_uint_eq(graph.in_neighbours[0], 2);
    graph_free(&graph);
    assert_refused(packed_snapshot(70000), NULL, "packed.pwg.gz: truncated: the snapshot has");
    struct graph_options options = {.memory_limit = 1000};
    assert_refused(packed_snapshot(0), &options, "the snapshot needs more than the ");
    options = (struct graph_options){.reverse = true};
    assert_refused(packed_snapshot(0), &options, "packed.pwg.gz: a snapshot is used as it was");
    options = (struct graph_options){.cancel = &cancel};
    assert_refused(packed_snapshot(0), &options, "packed.pwg.gz: ");
    const char *path = packed_snapshot(0);
    limit_files(70000); /* the copy in memory is a file, too */
    assert_refused(path, NULL, "no memory for the snapshot");
    limit_files(RLIM_INFINITY);
}
END_TEST

START_TEST(a_snapshot_that_cannot_be_read_is_reported)
{
    const struct graph_options options = {0};
    struct graph_source source;
    struct graph opened;
    unsigned flags;
    const struct {
        const char *path, *why;
    } cases[] = {{fixture_path("none.pwg"), "cannot be opened"},
                 {fixture_folder, "cannot be read"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct graph_error error = {0};
        ck_assert_int_eq(
            graph_snapshot_open(cases[i].path, &options, &opened, &source, &flags, &error),
            SNAPSHOT_BAD);
        ck_assert_msg(strstr(error.message, cases[i].why) != NULL, "%s", error.message);
    }
    ck_assert(!graph_source_of(fixture_folder, true, &source));
}
END_TEST

/* What adds a reverse adjacency, and how often. */
struct making {
    struct graph *graph;
    unsigned calls;
    bool fails;
};

static bool make_reverse(void *context, struct graph_error *error)
{
    struct making *making = context;
    making->calls++;
    return making->fails ? graph_fail(error, "it", "fails on purpose")
                         : graph_add_reverse(making->graph, 1, NULL, error);
}

static bool save_with_reverse(struct making *making, const char *path,
                              const volatile sig_atomic_t *cancel, struct graph_error *error)
{
    struct graph_snapshot_start start;
    if (!graph_snapshot_begin(&start, path, error)) {
        return false;
    }
    start.make_reverse = make_reverse;
    start.context = making;
    return graph_snapshot_finish(&start, making->graph, NULL, 0, cancel, error);
}

START_TEST(a_reverse_adjacency_made_while_the_rest_is_written_gives_the_same_bytes)
{
    static const char *const texts[] = {"5 1\n1 3\n5 3\n", "1 1\n"};
    const char *names = fixture_text("names", "a\nb\nc\nd\ne\n");
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        struct graph_options options = {.names_path = i == 0 ? names : NULL};
        struct graph_error error = {0};
        const char *path = fixture_path("meanwhile.pwg");
        struct graph graph = load(fixture_text("graph.txt", texts[i]), &options);
        struct making making = {.graph = &graph};
        ck_assert_msg(save_with_reverse(&making, path, NULL, &error), "%s", error.message);
        ck_assert_uint_eq(making.calls, 1);
        save(&graph, fixture_path("after.pwg"));
        assert_same_bytes(path, fixture_path("after.pwg"));
        graph_free(&graph);
        options.build_reverse = true;
        graph = load(fixture_text("graph.txt", texts[i]), &options);
        save(&graph, fixture_path("after.pwg"));
        assert_same_bytes(path, fixture_path("after.pwg"));
        graph_free(&graph);
    }
}
END_TEST

START_TEST(a_reverse_adjacency_that_cannot_be_made_or_written_leaves_no_snapshot)
{
    static const volatile sig_atomic_t cancel = 1;
    struct graph_error error = {0};
    const char *path = fixture_path("none.pwg");
    struct graph graph = load(fixture_text("graph.txt", "1 2\n2 3\n3 1\n3 2\n"), NULL);
    struct making making = {.graph = &graph, .fails = true};
    ck_assert(!save_with_reverse(&making, path, NULL, &error));
    ck_assert_str_eq(error.message, "it: fails on purpose");
    making.fails = false;
    error = (struct graph_error){0};
    ck_assert(!save_with_reverse(&making, fixture_path("no/such.pwg"), NULL, &error));
    ck_assert_ptr_nonnull(strstr(error.message, "no/such.pwg: cannot be written"));
    ck_assert_uint_eq(making.calls, 1);
    ck_assert(!save_with_reverse(&making, path, &cancel, &error));
    ck_assert_ptr_nonnull(strstr(error.message, "none.pwg: interrupted"));
    ck_assert_int_ne(access(path, F_OK), 0);
    graph_free(&graph);
}
END_TEST

START_TEST(neighbours_that_were_written_ahead_give_the_same_bytes)
{
    static const uint32_t wrong[] = {7, 7, 7, 7, 7};
    struct graph_error error = {0};
    struct graph_snapshot_start start;
    const char *path = fixture_path("ahead.pwg");
    struct graph graph = load(fixture_text("graph.txt", "1 2\n2 3\n3 1\n3 2\n"), NULL);
    struct graph mapped = graph;
    mapped.storage = NULL;
    save(&graph, fixture_path("after.pwg"));
    ck_assert_msg(graph_snapshot_begin(&start, path, &error), "%s", error.message);
    ck_assert(snapshot_ahead_start(&start.ahead, 2));
    ck_assert(snapshot_ahead_add(&start.ahead, wrong, COUNT_OF(wrong)));
    ck_assert(snapshot_ahead_start(&start.ahead, graph.node_limit)); /* again */
    ck_assert(snapshot_ahead_add(&start.ahead, graph.neighbours, 1));
    ck_assert(snapshot_ahead_add(&start.ahead, graph.neighbours + 1, 3));
    ck_assert(snapshot_ahead_map(&start.ahead, &mapped));
    ck_assert_uint_eq(mapped.edge_count, 4);
    ck_assert_mem_eq(mapped.neighbours, graph.neighbours, 4 * sizeof(uint32_t));
    ck_assert_msg(graph_snapshot_finish(&start, &mapped, NULL, 0, NULL, &error), "%s",
                  error.message);
    assert_same_bytes(path, fixture_path("after.pwg"));
    mapped.offsets = mapped.in_offsets = NULL; /* they are the other graph's */
    mapped.in_neighbours = mapped.original_ids = NULL;
    mapped.names = NULL;
    mapped.origin = NULL;
    graph_free(&mapped);

    /* A failure to write is reported. */
    struct snapshot_ahead closed = {.fd = -1};
    struct graph none = {0};
    ck_assert(!snapshot_ahead_start(&closed, 2));
    ck_assert(!snapshot_ahead_add(&closed, wrong, 1));
    ck_assert_int_eq(errno, EBADF);
    ck_assert(!snapshot_ahead_map(&closed, &none));
    ck_assert_int_eq(errno, EBADF);
    graph_free(&none);

    /* Given up, the old file stays. */
    ck_assert(graph_snapshot_begin(&start, path, &error));
    ck_assert(snapshot_ahead_start(&start.ahead, 2));
    ck_assert(snapshot_ahead_add(&start.ahead, wrong, COUNT_OF(wrong)));
    file_replace_abandon(&start.file);
    assert_same_bytes(path, fixture_path("after.pwg"));
    graph_free(&graph);
}
END_TEST

START_TEST(what_is_too_long_for_one_write_is_written_whole_and_nothing_after_it)
{
    const size_t length = ((size_t)9 << 20) + 5, begin = 4096;
    const char *path = fixture_path("long");
    char *bytes = malloc(length);
    size_t written;
    ck_assert_ptr_nonnull(bytes);
    for (size_t i = 0; i < length; i++) {
        bytes[i] = (char)(i * 7 / 5);
    }
    const int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    ck_assert_int_ge(fd, 0);
    ck_assert(snapshot_write_at(fd, bytes, length, begin, NULL));
    close(fd);
    char *found = bytes_of(path, &written);
    ck_assert_uint_eq(written, begin + length);
    ck_assert_mem_eq(found + begin, bytes, length);
    free(found);
    free(bytes);
}
END_TEST

int main(void)
{
    return suite_run(
        "snapshot", NULL, NULL,
        (const TTest *[]){the_same_graph_in_every_format_and_for_any_threads_gives_the_same_bytes,
                          a_snapshot_holds_rows_reverse_names_and_original_ids,
                          a_graph_without_edges_is_saved_and_opened,
                          a_save_leaves_no_part_of_a_snapshot_even_if_the_process_ends,
                          a_link_under_the_temporary_name_of_a_snapshot_is_not_followed,
                          options_that_change_a_graph_are_refused_for_a_snapshot,
                          what_cannot_be_written_is_reported_and_leaves_the_old_file,
                          a_packed_snapshot_is_opened_or_refused_under_the_name_that_was_given,
                          a_snapshot_that_cannot_be_read_is_reported,
                          a_reverse_adjacency_made_while_the_rest_is_written_gives_the_same_bytes,
                          a_reverse_adjacency_that_cannot_be_made_or_written_leaves_no_snapshot,
                          neighbours_that_were_written_ahead_give_the_same_bytes,
                          what_is_too_long_for_one_write_is_written_whole_and_nothing_after_it,
                          NULL});
}

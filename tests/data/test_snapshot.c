/*
 * test_snapshot.c - snapshots and the cache: identical, shared, refused by name, rebuilt.
 */
#include "base/macros.h"
#include "data/graph/graph_memory.h"
#include "data/graph/graph_names.h"
#include "data/load/pairs_load.h"
#include "data/reverse/graph_reverse.h"
#include "snapshot_fixture.h"
#include "tests/support/require.h"
#include "tests/support/suite.h"
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <utime.h>

static char noted[1100];

static void note(void *context, const char *text, enum graph_remedy remedy)
{
    (void)remedy;
    (void)context;
    snprintf(noted, sizeof(noted), "%s", text);
}

static void forget_notes(void)
{
    noted[0] = '\0';
}

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

START_TEST(a_source_with_other_bytes_and_the_same_time_is_found_by_verifying)
{
    struct graph_error error = {0};
    struct graph_source source;
    struct graph_options options = {.note = note};
    struct utimbuf times = {1000, 1000};
    const char *path = fixture_text("graph.txt", "1 2\n2 3\n");
    const char *saved = fixture_path("graph.pwg");
    ck_assert_int_eq(utime(path, &times), 0);
    struct graph graph = load(path, NULL);
    ck_assert(graph_source_of(path, true, &source));
    ck_assert(graph_snapshot_save(&graph, saved, &source, 0, NULL, &error));
    graph_free(&graph);
    fixture_text("graph.txt", "1 2\n2 1\n");
    ck_assert_int_eq(utime(path, &times), 0);
    graph = load(saved, &options);
    ck_assert_uint_eq(graph.neighbours[1], 3); /* size and time are the same */
    graph_free(&graph);
    options.verify = true;
    graph = load(saved, &options);
    ck_assert_ptr_nonnull(strstr(noted, "stale"));
    ck_assert_uint_eq(graph.neighbours[1], 1);
    graph_free(&graph);
}
END_TEST

START_TEST(a_process_that_ends_while_it_saves_leaves_no_part_of_a_snapshot)
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
    DIR *folder = opendir(fixture_folder);
    ck_assert_ptr_nonnull(folder);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        ck_assert_ptr_null(strstr(entry->d_name, "part"));
    }
    closedir(folder);
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
    struct graph_options options = {.reverse = true};
    struct graph_error error;
    save(&graph, path);
    graph_free(&graph);
    ck_assert(!graph_load(path, &options, &graph, &error));
    ck_assert_ptr_nonnull(strstr(error.message, "a snapshot is used as it was made"));
}
END_TEST

START_TEST(the_cache_is_used_while_good_and_made_again_when_stale_or_corrupt)
{
    char folder[300];
    struct graph_options options = {.note = note, .cache = folder};
    const char *path = fixture_text("graph.txt", "1 2\n2 3\n");
    snprintf(folder, sizeof(folder), "%s", fixture_folder);
    for (int round = 0; round < 2; round++) {
        struct graph graph = load(path, &options);
        ck_assert_uint_eq(graph.edge_count, 2);
        ck_assert_str_eq(noted, "");
        graph_free(&graph);
    }
    struct utimbuf times = {1, 1}; /* another time, the same bytes: still good */
    ck_assert_int_eq(utime(path, &times), 0);
    struct graph graph = load(path, &options);
    ck_assert_str_eq(noted, "");
    graph_free(&graph);
    fixture_text("graph.txt", "1 2\n2 1\n");
    graph = load(path, &options);
    ck_assert_ptr_nonnull(strstr(noted, "stale"));
    ck_assert_uint_eq(graph.neighbours[1], 1);
    graph_free(&graph);
    noted[0] = '\0';
    options.undirected = true; /* another snapshot */
    graph = load(path, &options);
    ck_assert_str_eq(noted, "");
    ck_assert_uint_eq(graph.edge_count, 4);
    graph_free(&graph);
}
END_TEST

START_TEST(the_cache_keeps_a_reverse_adjacency_that_nobody_asked_for)
{
    char folder[300];
    struct graph_options options = {.note = note, .cache = folder};
    const char *path = fixture_text("both.txt", "1 2\n3 2\n2 3\n");
    snprintf(folder, sizeof(folder), "%s", fixture_folder);
    for (int round = 0; round < 2; round++) { /* made, and mapped */
        struct graph graph = load(path, &options);
        ck_assert_str_eq(noted, "");
        ck_assert_ptr_nonnull(graph.in_offsets);
        ck_assert_uint_eq(graph.in_neighbours[1], 3);
        ck_assert(round == 0 || graph.storage->mapping_count == 1);
        graph_free(&graph);
    }
}
END_TEST

START_TEST(the_cache_numbers_nodes_as_a_search_meets_them_when_asked)
{
    char folder[300];
    struct graph_options options = {.note = note, .cache = folder, .search_order = true};
    const char *path = fixture_text("ordered.txt", "4 1\n4 3\n3 2\n");
    snprintf(folder, sizeof(folder), "%s", fixture_folder);
    for (int round = 0; round < 2; round++) { /* made, and mapped */
        struct graph graph = load(path, &options);
        ck_assert_str_eq(noted, "");
        ck_assert_ptr_nonnull(graph.in_offsets);
        ck_assert_ptr_nonnull(graph.original_ids);
        static const uint32_t order[] = {4, 1, 3, 2}; /* from the node with most out-edges */
        for (uint32_t i = 0; i < 4; i++) {
            ck_assert_uint_eq(graph_original_id(&graph, graph.node_limit - 4 + i), order[i]);
        }
        ck_assert(round == 0 || graph.storage->mapping_count == 1);
        graph_free(&graph);
    }
    options.search_order = false; /* another snapshot */
    struct graph graph = load(path, &options);
    ck_assert_uint_eq(graph_original_id(&graph, 4), 4);
    graph_free(&graph);
}
END_TEST

START_TEST(the_cache_adds_a_reverse_adjacency_for_which_there_was_no_memory)
{
    char folder[300];
    struct graph_options options = {.note = note,
                                    .cache = folder,
                                    .threads = 1,
                                    .memory_limit = graph_load_memory(4, 3, false, 1)};
    const char *path = fixture_text("reversed.txt", "1 2\n3 2\n2 3\n");
    snprintf(folder, sizeof(folder), "%s", fixture_folder);
    for (int round = 0; round < 3; round++) {
        options.build_reverse = round > 0;
        options.memory_limit = round > 0 ? 0 : options.memory_limit;
        struct graph graph = load(path, &options);
        ck_assert_str_eq(noted, "");
        ck_assert(options.build_reverse == (graph.in_offsets != NULL));
        if (options.build_reverse) {
            ck_assert_uint_eq(graph.in_offsets[3] - graph.in_offsets[2], 2);
            ck_assert_uint_eq(graph.in_neighbours[1], 3);
        }
        if (round == 2) { /* all of it lies in the one file */
            ck_assert_uint_eq(graph.storage->mapping_count, 1);
        }
        graph_free(&graph);
    }
}
END_TEST

/* The reader remarks on the third column; by then it has read what is now changed. */
static void change_source(void *context, const char *text, enum graph_remedy remedy)
{
    (void)text;
    (void)remedy;
    fixture_text((const char *)context, "3 4 0\n");
}

START_TEST(a_source_that_changes_while_it_is_read_is_refused_and_not_cached)
{
    char folder[300];
    struct graph refused;
    struct graph_error error = {0};
    struct graph_options options = {
        .note = change_source, .context = (void *)(uintptr_t) "changing.txt", .cache = folder};
    const char *path = fixture_text("changing.txt", "1 2 0\n2 3 0\n");
    snprintf(folder, sizeof(folder), "%s", fixture_folder);
    ck_assert(!graph_load(path, &options, &refused, &error));
    ck_assert_ptr_nonnull(strstr(error.message, "changing.txt: changed while it was read"));
    options.note = NULL;
    struct graph graph = load(path, &options);
    ck_assert_uint_eq(graph.edge_count, 1);
    graph_free(&graph);
}
END_TEST

START_TEST(a_stale_snapshot_with_its_source_at_hand_is_read_from_the_source)
{
    struct graph_error error = {0};
    struct graph_source source;
    struct graph_options options = {.reverse = true, .note = note};
    const char *path = fixture_text("graph.txt", "1 2\n2 3\n");
    const char *saved = fixture_path("graph.pwg");
    struct graph graph = load(path, &options);
    ck_assert(graph_source_of(path, true, &source));
    ck_assert(graph_snapshot_save(&graph, saved, &source, GRAPH_SNAPSHOT_REVERSED, NULL, &error));
    graph_free(&graph);
    fixture_text("graph.txt", "1 2\n2 3\n3 1\n");
    options = (struct graph_options){.note = note};
    graph = load(saved, &options);
    ck_assert_ptr_nonnull(strstr(noted, "stale"));
    ck_assert_uint_eq(graph.edge_count, 3);
    ck_assert_uint_eq(graph.neighbours[0], 3); /* still reversed: 3 1 is the edge from 1 to 3 */
    graph_free(&graph);
    unlink(path); /* gone: the snapshot is all there is */
    noted[0] = '\0';
    graph = load(saved, &options);
    ck_assert_str_eq(noted, "");
    ck_assert_uint_eq(graph.edge_count, 2);
    graph_free(&graph);
}
END_TEST

START_TEST(pairs_may_name_nodes_or_give_the_ids_of_the_file)
{
    struct pairs pairs;
    struct graph_error error;
    struct graph graph =
        load(fixture_text("links.tsv", "%C3%89ire\tBede\nBede\tNew York\nNew York\t7\n"), NULL);
    const char *path =
        fixture_text("pairs", "# names\n  Bede\tNew York\n%C3%89ire   Bede\n7\tBede\r\n0 1\n");
    ck_assert_msg(pairs_load(path, &graph, &pairs, &error), "%s", error.message);
    const struct pair expected[] = {{1, 2}, {0, 1}, {3, 1}, {0, 1}};
    ck_assert_uint_eq(pairs.count, 4);
    ck_assert_mem_eq(pairs.items, expected, sizeof(expected));
    pairs_free(&pairs);
    path = fixture_text("pairs", "Bede\tNewark\n");
    ck_assert(!pairs_load(path, &graph, &pairs, &error));
    ck_assert_ptr_nonnull(strstr(error.message, ":1: target: no node is called \"Newark\""));
    path = fixture_text("pairs", "Bede\n");
    ck_assert(!pairs_load(path, &graph, &pairs, &error));
    ck_assert_ptr_nonnull(strstr(error.message, ":1: expected two names or ids, found \"Bede\""));
    graph_free(&graph);
    struct graph_options options = {.compact = true};
    graph = load(fixture_text("sparse", "4000000000 7\n7 12\n"), &options);
    path = fixture_text("pairs", "4000000000 12\n");
    ck_assert_msg(pairs_load(path, &graph, &pairs, &error), "%s", error.message);
    ck_assert_uint_eq(pairs.items[0].source, 2);
    ck_assert_uint_eq(pairs.items[0].target, 1);
    pairs_free(&pairs);
    graph_free(&graph);
}
END_TEST

START_TEST(the_cache_lies_in_the_folder_that_the_environment_names)
{
    char folder[300];
    struct graph refused;
    struct graph_error error = {0};
    struct graph_options options = {.cache = "", .note = note};
    const char *path = fixture_text("graph.txt", "1 2\n");
    snprintf(folder, sizeof(folder), "%s", fixture_folder);
    static const char *const variables[] = {"XDG_CACHE_HOME", "HOME"};
    static const char *const places[] = {"pointer-wars", ".cache/pointer-wars"};
    for (size_t i = 0; i < COUNT_OF(variables); i++) {
        char made[400], command[900];
        unsetenv("XDG_CACHE_HOME");
        setenv(variables[i], folder, 1);
        struct graph graph = load(path, &options);
        graph_free(&graph);
        snprintf(made, sizeof(made), "%s/%s", folder, places[i]);
        snprintf(command, sizeof(command), "ls %s/graph.txt-*.pwg >/dev/null && rm -r %s", made,
                 made);
        ck_assert_int_eq(system(command), 0);
    }
    ck_assert_int_eq(rmdir(fixture_path(".cache")), 0);
    unsetenv("HOME");
    ck_assert(!graph_load(path, &options, &refused, &error));
    ck_assert_ptr_nonnull(strstr(error.message, "neither XDG_CACHE_HOME nor HOME"));
    fixture_text("file", "no folder");
    options.cache = fixture_path("file/inside");
    ck_assert(!graph_load(path, &options, &refused, &error));
    ck_assert_ptr_nonnull(strstr(error.message, "cannot be made"));
}
END_TEST

START_TEST(what_is_no_snapshot_and_an_interrupted_save_are_reported)
{
    static const volatile sig_atomic_t cancel = 1;
    struct graph_options options = {0};
    struct graph_source source;
    struct graph_error error = {0};
    unsigned flags;
    struct graph opened, graph = load(fixture_text("graph.txt", "1 2\n"), NULL);
    ck_assert(!graph_snapshot_save(&graph, fixture_path("cut.pwg"), NULL, 0, &cancel, &error));
    ck_assert_ptr_nonnull(strstr(error.message, "cut.pwg: interrupted"));
    ck_assert_int_ne(access(fixture_path("cut.pwg"), F_OK), 0);
    graph_free(&graph);
    const struct {
        const char *path, *why;
    } cases[] = {{fixture_path("none.pwg"), "cannot be opened"},
                 {fixture_path("graph.txt"), "foreign: not a graph snapshot"},
                 {fixture_folder, "cannot be read"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        error = (struct graph_error){0};
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
                         : graph_add_reverse(making->graph, 1, error);
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

int main(void)
{
    return suite_run("snapshot", forget_notes, NULL,
                     (const TTest *[]){
                         the_same_graph_in_every_format_and_for_any_threads_gives_the_same_bytes,
                         a_snapshot_holds_rows_reverse_names_and_original_ids,
                         a_source_with_other_bytes_and_the_same_time_is_found_by_verifying,
                         a_process_that_ends_while_it_saves_leaves_no_part_of_a_snapshot,
                         a_link_under_the_temporary_name_of_a_snapshot_is_not_followed,
                         options_that_change_a_graph_are_refused_for_a_snapshot,
                         the_cache_keeps_a_reverse_adjacency_that_nobody_asked_for,
                         the_cache_numbers_nodes_as_a_search_meets_them_when_asked,
                         the_cache_adds_a_reverse_adjacency_for_which_there_was_no_memory,
                         a_source_that_changes_while_it_is_read_is_refused_and_not_cached,
                         the_cache_is_used_while_good_and_made_again_when_stale_or_corrupt,
                         a_stale_snapshot_with_its_source_at_hand_is_read_from_the_source,
                         pairs_may_name_nodes_or_give_the_ids_of_the_file,
                         the_cache_lies_in_the_folder_that_the_environment_names,
                         what_is_no_snapshot_and_an_interrupted_save_are_reported,
                         a_reverse_adjacency_made_while_the_rest_is_written_gives_the_same_bytes,
                         a_reverse_adjacency_that_cannot_be_made_or_written_leaves_no_snapshot,
                         neighbours_that_were_written_ahead_give_the_same_bytes,
                         NULL,
                     });
}

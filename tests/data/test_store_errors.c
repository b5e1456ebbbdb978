/*
 * test_store_errors.c - what cannot be saved, opened or cached: forged headers with good checksums,
 * full files, folders that cannot be made, snapshots that come as a stream.
 */
#include "base/macros.h"
#include "data/load/graph_load.h"
#include "data/store/graph_snapshot.h"
#include "tests/support/fixture_file.h"
#include "tests/support/suite.h"
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <utime.h>
#include <xxhash.h>

/* The layout of the file; see graph_snapshot.c. */
#define HEADER_SIZE    4096
#define CHECKSUM_AT    16
#define SIZE_AT        24
#define FIRST_NODE_AT  32
#define NODE_LIMIT_AT  36
#define EDGES_AT       40
#define NAMES_COUNT_AT 56
#define SECTION_AT(i)  (64 + 24 * (i))
#define LENGTH_AT(i)   (SECTION_AT(i) + 8)
#define SUM_AT(i)      (SECTION_AT(i) + 16)
#define SOURCE_PATH_AT 256

static char noted[1100];

static void note(void *context, const char *text, enum graph_remedy remedy)
{
    (void)remedy;
    (void)context;
    snprintf(noted, sizeof(noted), "%s", text);
}

static struct graph load(const char *path, const struct graph_options *options)
{
    struct graph graph;
    struct graph_error error;
    ck_assert_msg(graph_load(path, options, &graph, &error), "%s", error.message);
    return graph;
}

static void assert_refused(const char *path, const struct graph_options *options, const char *why)
{
    struct graph graph;
    struct graph_error error;
    ck_assert_msg(!graph_load(path, options, &graph, &error), "%s", why);
    ck_assert_msg(strstr(error.message, why) != NULL, "%s", error.message);
    ck_assert_ptr_null(graph.offsets);
}

/* A snapshot with all seven arrays: edges 2 -> 0, 0 -> 1, 2 -> 1. */
static const char *full_snapshot(const char *name)
{
    struct graph_error error = {0};
    struct graph_options options = {.compact = true,
                                    .build_reverse = true,
                                    .names_path = fixture_text("names", "a\nb\nc\nd\ne\nf\n")};
    struct graph graph = load(fixture_text("graph.txt", "5 1\n1 3\n5 3\n"), &options);
    const char *path = fixture_path(name);
    ck_assert_msg(graph_snapshot_save(&graph, path, NULL, 0, NULL, &error), "%s", error.message);
    graph_free(&graph);
    return path;
}

static uint64_t word_at(int fd, off_t at)
{
    uint64_t word;
    ck_assert_int_eq(pread(fd, &word, sizeof(word), at), sizeof(word));
    return word;
}

/* Change size bytes of the file; then the checksums of section (-1: none) and header fit again. */
static void forge(const char *path, off_t at, size_t size, uint64_t value, int section)
{
    char page[HEADER_SIZE];
    const uint64_t none = 0;
    int fd = open(path, O_RDWR);
    ck_assert_int_ge(fd, 0);
    ck_assert_uint_eq((size_t)pwrite(fd, &value, size, at), size);
    if (section >= 0) {
        const size_t length = (size_t)word_at(fd, LENGTH_AT(section));
        char *bytes = malloc(length);
        ck_assert_ptr_nonnull(bytes);
        ck_assert_uint_eq((size_t)pread(fd, bytes, length, (off_t)word_at(fd, SECTION_AT(section))),
                          length);
        const uint64_t sum = XXH3_64bits(bytes, length);
        free(bytes);
        ck_assert_int_eq(pwrite(fd, &sum, sizeof(sum), SUM_AT(section)), sizeof(sum));
    }
    ck_assert_int_eq(pwrite(fd, &none, sizeof(none), CHECKSUM_AT), sizeof(none));
    ck_assert_int_eq(pread(fd, page, sizeof(page), 0), sizeof(page));
    const uint64_t sum = XXH3_64bits(page, sizeof(page));
    ck_assert_int_eq(pwrite(fd, &sum, sizeof(sum), CHECKSUM_AT), sizeof(sum));
    close(fd);
}

START_TEST(a_header_that_its_arrays_contradict_is_refused_though_its_checksum_is_right)
{
    static const struct {
        off_t at;
        size_t size;
        uint64_t value;
        const char *why;
    } cases[] = {
        {FIRST_NODE_AT, 4, 2, "corrupt: the snapshot's arrays"},
        {FIRST_NODE_AT, 8, 1, "corrupt: the snapshot's arrays"}, /* node_limit 0 */
        {NODE_LIMIT_AT, 4, UINT32_MAX, "corrupt: the snapshot's arrays"},
        {NODE_LIMIT_AT, 4, 2, "corrupt: the snapshot's arrays"},
        {EDGES_AT, 8, UINT64_MAX, "corrupt: the snapshot's arrays"},
        {EDGES_AT, 8, 4, "corrupt: the snapshot's arrays"},
        {EDGES_AT, 8, 0, "corrupt: the snapshot's arrays"},
        {NAMES_COUNT_AT, 4, 5, "corrupt: the snapshot's arrays"},
        {NAMES_COUNT_AT, 4, 0, "corrupt: the snapshot's arrays"},
        {SECTION_AT(0), 8, 65537, "corrupt: the snapshot's arrays"},
        {SECTION_AT(1), 8, (uint64_t)1 << 40, "corrupt: the snapshot's arrays"},
        {SECTION_AT(2), 8, 0, "corrupt: the snapshot's arrays"},
        {LENGTH_AT(3), 8, (uint64_t)1 << 40, "corrupt: the snapshot's arrays"},
        {LENGTH_AT(4), 8, 8, "corrupt: block 80, the bytes from 327680 on, "}, /* shorter */
        {SUM_AT(5), 8, 1, "corrupt: the snapshot's arrays"},
        {SIZE_AT, 8, 65536, "corrupt: the snapshot's arrays"},
        {SIZE_AT, 8, 0, "cannot be mapped"},
        {SIZE_AT, 8, (uint64_t)1 << 40, "truncated: the snapshot has"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const char *path = full_snapshot("forged.pwg");
        forge(path, cases[i].at, cases[i].size, cases[i].value, -1);
        assert_refused(path, NULL, cases[i].why);
    }
}
END_TEST

START_TEST(a_name_array_without_text_is_refused)
{
    const char *path = full_snapshot("forged.pwg");
    forge(path, SECTION_AT(6), 8, 0, -1);
    forge(path, LENGTH_AT(6), 8, 0, -1);
    assert_refused(path, NULL, "corrupt: the snapshot's arrays");
}
END_TEST

START_TEST(arrays_that_lead_out_of_the_graph_are_refused_though_their_checksums_are_right)
{
    static const struct {
        int section;
        off_t item;
        size_t size;
        uint64_t value;
    } cases[] = {
        {0, 0, 8, 1}, {0, 3, 8, 4}, {0, 1, 8, 9}, {1, 2, 4, 3},       {2, 3, 8, 2},
        {2, 1, 8, 7}, {3, 0, 4, 9}, {5, 1, 8, 0}, {5, 6, 8, 1 << 20},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const char *path = full_snapshot("forged.pwg");
        int fd = open(path, O_RDONLY);
        ck_assert_int_ge(fd, 0);
        const off_t begin = (off_t)word_at(fd, SECTION_AT(cases[i].section));
        close(fd);
        forge(path, begin + cases[i].item * (off_t)cases[i].size, cases[i].size, cases[i].value,
              cases[i].section);
        assert_refused(path, NULL, "corrupt: block "); /* has a checksum that is not forged */
    }
}
END_TEST

START_TEST(a_recorded_path_without_an_end_is_cut_and_harms_nothing)
{
    const char *path = full_snapshot("forged.pwg");
    for (off_t at = 0; at < 1000; at += 8) {
        forge(path, SOURCE_PATH_AT + at, 8, 0x2f2f2f2f2f2f2f2f, -1); /* "////////" */
    }
    struct graph graph = load(path, NULL); /* the root is no file: nothing to compare with */
    ck_assert_uint_eq(graph.edge_count, 3);
    graph_free(&graph);
}
END_TEST

/* While it holds, no file becomes longer than size bytes. */
static void limit_files(rlim_t size)
{
    struct rlimit limit;
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = size < limit.rlim_max ? size : limit.rlim_max;
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

START_TEST(what_cannot_be_written_is_reported_and_leaves_the_old_file)
{
    static const volatile sig_atomic_t cancel = 0;
    struct graph_error error = {0};
    struct stat before, after;
    const char *path = full_snapshot("kept.pwg");
    struct graph graph = load(fixture_text("graph.txt", "1 2\n"), NULL);
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
    ck_assert_ptr_nonnull(strstr(error.message, "it is no regular file"));
    error = (struct graph_error){0};
    ck_assert(!graph_snapshot_save(&graph, fixture_path("none/graph.pwg"), NULL, 0, NULL, &error));
    ck_assert_ptr_nonnull(strstr(error.message, "cannot be written: No such file or directory"));
    graph_free(&graph);
}
END_TEST

START_TEST(a_graph_is_loaded_though_its_snapshot_cannot_be_kept)
{
    char folder[300];
    struct graph_options options = {.note = note, .cache = folder};
    const char *path = fixture_text("uncached.txt", "1 2\n3 2\n");
    snprintf(folder, sizeof(folder), "%s", fixture_folder);
    limit_files(70000);
    struct graph graph = load(path, &options);
    limit_files(RLIM_INFINITY);
    ck_assert_uint_eq(graph.edge_count, 2);
    ck_assert_ptr_nonnull(strstr(noted, "not cached: "));
    ck_assert_ptr_nonnull(strstr(noted, "File too large"));
    graph_free(&graph);
    noted[0] = '\0';

    int ends[2]; /* a pipe has no size and time to compare */
    char pipe_path[64];
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(write(ends[1], "1 2\n2 1\n2 2\n", 12), 12);
    close(ends[1]);
    snprintf(pipe_path, sizeof(pipe_path), "/proc/self/fd/%d", ends[0]);
    graph = load(pipe_path, &options);
    close(ends[0]);
    ck_assert_uint_eq(graph.edge_count, 3);
    ck_assert_ptr_nonnull(strstr(noted, "cannot be cached"));
    graph_free(&graph);
}
END_TEST

START_TEST(a_source_with_a_path_too_long_to_record_is_loaded_and_not_cached)
{
    char path[2000], command[2100], folder[300];
    struct graph_source source;
    struct graph_options options = {.note = note, .cache = folder};
    snprintf(folder, sizeof(folder), "%s", fixture_path("."));
    ck_assert_int_eq(chdir(fixture_folder), 0); /* and no longer with another TMPDIR */
    int length = snprintf(path, sizeof(path), "deep");
    for (int depth = 0; depth < 5; depth++) {
        ck_assert_int_eq(mkdir(path, 0700), 0);
        length += snprintf(path + length, sizeof(path) - (size_t)length, "/%0195d", depth);
    }
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs("1 2\n", file);
    noted[0] = '\0';
    ck_assert_int_eq(fclose(file), 0);
    ck_assert(!graph_source_of(path, true, &source));
    ck_assert_int_eq(errno, ENAMETOOLONG);
    ck_assert_str_eq(source.path, "");
    struct graph graph = load(path, &options);
    ck_assert_uint_eq(graph.edge_count, 1);
    ck_assert_ptr_nonnull(strstr(noted, "cannot be cached"));
    graph_free(&graph);
    snprintf(command, sizeof(command), "rm -r %s", fixture_path("deep"));
    ck_assert_int_eq(system(command), 0);
}
END_TEST

/* Folders under paths of these lengths exist, by way of "/./././". */
START_TEST(a_folder_of_the_cache_with_too_long_a_name_is_refused)
{
    char folder[PATH_MAX + 8];
    struct graph_options options = {.cache = folder};
    const char *path = fixture_text("graph.txt", "1 2\n");
    size_t length = (size_t)snprintf(folder, sizeof(folder), "%s", fixture_folder);
    while (length < PATH_MAX - 20) {
        length += (size_t)snprintf(folder + length, sizeof(folder) - length, "/.");
    }
    assert_refused(path, &options, "the name is too long");
}
END_TEST

START_TEST(a_source_of_another_time_and_size_is_stale_and_of_another_time_alone_is_not)
{
    struct graph_error error = {0};
    struct graph_source source;
    struct graph_options options = {.note = note};
    struct utimbuf times = {1000, 1000};
    const char *path = fixture_text("graph.txt", "1 2\n2 3\n");
    const char *saved = fixture_path("graph.pwg");
    struct graph graph = load(path, NULL);
    ck_assert(graph_source_of(path, true, &source));
    ck_assert(graph_snapshot_save(&graph, saved, &source, 0, NULL, &error));
    graph_free(&graph);
    ck_assert_int_eq(utime(path, &times), 0);
    noted[0] = '\0';
    graph = load(saved, &options);
    ck_assert_str_eq(noted, "");
    graph_free(&graph);
    fixture_text("graph.txt", "1 2\n2 1\n"); /* the same size, other bytes */
    graph = load(saved, &options);
    ck_assert_ptr_nonnull(strstr(noted, "stale"));
    ck_assert_uint_eq(graph.neighbours[1], 1);
    graph_free(&graph);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(mkdir(path, 0700), 0); /* no file any more, and so nothing to compare with */
    options.note = NULL;
    graph = load(saved, &options);
    ck_assert_uint_eq(graph.neighbours[1], 3);
    graph_free(&graph);
    ck_assert_int_eq(rmdir(path), 0);
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

START_TEST(a_packed_snapshot_of_a_source_that_has_changed_is_noted_by_its_name_and_made_again)
{
    struct graph_error error = {0};
    struct graph_source source;
    struct graph_options options = {.note = note, .build_reverse = true};
    char command[800];
    const char *path = fixture_text("graph.txt", "1 2\n2 3\n");
    struct graph graph = load(path, &(struct graph_options){.reverse = true});
    ck_assert(graph_source_of(path, true, &source));
    ck_assert(graph_snapshot_save(&graph, fixture_path("old.pwg"), &source, GRAPH_SNAPSHOT_REVERSED,
                                  NULL, &error));
    graph_free(&graph);
    fixture_text("graph.txt", "1 2\n2 3\n3 1\n");
    snprintf(command, sizeof(command), "gzip -f %s", fixture_path("old.pwg"));
    ck_assert_int_eq(system(command), 0);
    noted[0] = '\0';
    graph = load(fixture_path("old.pwg.gz"), &options);
    ck_assert_ptr_eq(strstr(noted, fixture_path("old.pwg.gz")), noted);
    ck_assert_ptr_nonnull(strstr(noted, "stale"));
    ck_assert_uint_eq(graph.edge_count, 3);
    ck_assert_uint_eq(graph.neighbours[0], 3); /* read backwards, as before */
    ck_assert_ptr_nonnull(graph.in_offsets);
    graph_free(&graph);
}
END_TEST

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

/* Other tests change bits of small files; here sections are checked in blocks, by threads. */
START_TEST(a_wrong_word_in_any_block_of_a_long_array_is_refused)
{
    enum { NODES = 400000 };
    const off_t places[] = {0, 131072 / 8, 2 * 131072 / 8 + 5, NODES - 1};
    struct graph_error error = {0};
    struct graph_options options = {.threads = 2};
    char *text = malloc(NODES * 16), *end = text;
    ck_assert_ptr_nonnull(text);
    for (int node = 0; node + 1 < NODES; node++) {
        end += sprintf(end, "%d %d\n", node, node + 1);
    }
    struct graph graph = load(fixture_bytes("long.txt", text, (size_t)(end - text)), &options);
    const char *path = fixture_path("long.pwg");
    ck_assert(graph_snapshot_save(&graph, path, NULL, 0, NULL, &error));
    graph_free(&graph);
    free(text);
    graph = load(path, &options);
    ck_assert_uint_eq(graph.edge_count, NODES - 1);
    graph_free(&graph);
    int fd = open(path, O_RDONLY);
    ck_assert_int_ge(fd, 0);
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        const off_t at = (off_t)word_at(fd, SECTION_AT(0)) + 8 * places[i];
        const uint64_t good = word_at(fd, at);
        for (int section = -1; section <= 0;
             section++) { /* with a wrong checksum and a right one */
            forge(path, at, sizeof(good), NODES + 9, section);
            char block[80];
            snprintf(block, sizeof(block), "corrupt: block %ld, the bytes from %ld on, ",
                     (long)at / 4096, (long)at / 4096 * 4096);
            assert_refused(path, &options, block);
            forge(path, at, sizeof(good), good, 0);
        }
    }
    close(fd);
    graph = load(path, &options);
    graph_free(&graph);
}
END_TEST

START_TEST(a_damaged_snapshot_without_its_source_is_refused)
{
    struct graph_error error = {0};
    struct graph_source source;
    const char *text = fixture_text("source.txt", "1 2\n2 3\n");
    const char *path = fixture_path("damaged.pwg");
    struct graph graph = load(text, NULL);
    ck_assert(graph_source_of(text, true, &source));
    ck_assert(graph_snapshot_save(&graph, path, &source, 0, NULL, &error));
    graph_free(&graph);
    forge(path, 65536, 8, 1, -1); /* the first offset */
    graph = load(path, NULL);     /* from the source */
    ck_assert_uint_eq(graph.edge_count, 2);
    graph_free(&graph);
    ck_assert_int_eq(unlink(text), 0);
    assert_refused(path, NULL, "damaged.pwg: corrupt: block 16, the bytes from 65536 on, ");
    struct graph_options options = {.names_path = fixture_text("names", "a\n")};
    assert_refused(path, &options, "a snapshot is used as it was made");
    assert_refused(fixture_text("short.pwg", "PWG"), NULL, "short.pwg");
    error = (struct graph_error){0};
    unsigned flags;
    ck_assert_int_eq(
        graph_snapshot_open(fixture_path("short.pwg"), &options, &graph, &source, &flags, &error),
        SNAPSHOT_BAD);
    ck_assert_ptr_nonnull(strstr(error.message, "foreign: not a graph snapshot"));
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

/* What the reader's remark on a third column does to the file that is being read. */
static const char *replaced_path;
static const char *replacement; /* NULL: the file is removed */

static void replace_source(void *context, const char *text, enum graph_remedy remedy)
{
    note(context, text, remedy);
    if (replaced_path != NULL && strstr(text, "not cached") == NULL) {
        if (replacement == NULL) {
            ck_assert_int_eq(unlink(replaced_path), 0);
        } else {
            const char *other = fixture_text("replacement", replacement);
            struct utimbuf times = {1000, 1000};
            ck_assert_int_eq(utime(other, &times), 0);
            ck_assert_int_eq(rename(other, replaced_path), 0);
        }
        replaced_path = NULL;
    }
}

START_TEST(a_source_that_is_replaced_while_it_is_read_is_not_cached)
{
    static const struct {
        const char *replacement, *why;
    } cases[] = {{NULL, "not cached: No such file or directory"},
                 {"1 2 0\n", "has changed while it was read"},
                 {"3 4 0\n4 3 0\n", "has changed while it was read"}};
    char folder[300];
    struct graph_options options = {.note = replace_source, .cache = folder};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const char *path = fixture_text("replaced.txt", "1 2 0\n2 3 0\n");
        snprintf(folder, sizeof(folder), "%s", fixture_folder); /* made by the first fixture */
        replaced_path = path;
        replacement = cases[i].replacement;
        struct graph graph = load(path, &options);
        ck_assert_ptr_null(replaced_path);
        ck_assert_uint_eq(graph.neighbours[0], 2); /* what was read is the old file, whole */
        ck_assert_uint_eq(graph.edge_count, 2);
        ck_assert_msg(strstr(noted, cases[i].why) != NULL, "%s", noted);
        graph_free(&graph);
    }
}
END_TEST

START_TEST(the_cache_distinguishes_names_numberings_and_formats)
{
    char folder[300];
    const char *names = fixture_text("names", "a\nb\nc\nd\ne\nf\n");
    const char *path = fixture_text("apart.txt", "5 1\n1 3\n");
    const struct graph_options kinds[] = {{.cache = folder},
                                          {.cache = folder, .compact = true},
                                          {.cache = folder, .repeat_last_entry = true},
                                          {.cache = folder, .names_path = names},
                                          {.cache = folder, .format = "edges"}};
    snprintf(folder, sizeof(folder), "%s", fixture_folder);
    for (int round = 0; round < 2; round++) { /* made, then used */
        for (size_t i = 0; i < COUNT_OF(kinds); i++) {
            struct graph graph = load(path, &kinds[i]);
            ck_assert((graph.original_ids != NULL) == kinds[i].compact);
            ck_assert((graph.names != NULL) == (kinds[i].names_path != NULL));
            ck_assert_uint_eq(graph.edge_count, kinds[i].repeat_last_entry ? 3 : 2);
            graph_free(&graph);
        }
    }
    assert_refused(fixture_text("bad.txt", "1 2\nnonsense here now\n"), &kinds[0], "bad.txt:2");
    setenv("XDG_CACHE_HOME", "not/absolute", 1); /* is none, says the standard */
    unsetenv("HOME");
    assert_refused(path, &(struct graph_options){.cache = ""}, "neither XDG_CACHE_HOME nor HOME");
    unsetenv("XDG_CACHE_HOME");
}
END_TEST

static unsigned cached_mode(void)
{
    glob_t found;
    struct stat status = {0};
    ck_assert_int_eq(glob(fixture_path("cache/*.pwg"), 0, NULL, &found), 0);
    ck_assert_int_eq(stat(found.gl_pathv[0], &status), 0);
    globfree(&found);
    return status.st_mode & 0777;
}

START_TEST(a_graph_that_others_may_not_read_is_cached_for_its_user_only)
{
    char folder[300];
    struct stat status;
    struct graph_options options = {.cache = folder};
    const mode_t before = umask(022);
    const char *const path = fixture_text("graph.txt", "1 2\n");
    snprintf(folder, sizeof(folder), "%s", fixture_path("cache"));
    struct graph graph = load(path, &options);
    graph_free(&graph);
    ck_assert_int_eq(stat(folder, &status), 0);
    ck_assert_uint_eq(status.st_mode & 0777, 0700);
    ck_assert_uint_eq(cached_mode(), 0644);
    fixture_text("graph.txt", "1 2\n2 1\n"); /* made again, in the place of a file for all */
    ck_assert_int_eq(chmod(path, 0640), 0);
    graph = load(path, &options);
    graph_free(&graph);
    ck_assert_uint_eq(cached_mode(), 0600);
    umask(before);
}
END_TEST

/* Let the process open this number of files more. */
static void limit_open_files(rlim_t more)
{
    static struct rlimit before;
    if (more != RLIM_INFINITY) {
        const int next = dup(0);
        struct rlimit limit;
        ck_assert_int_ge(next, 0);
        close(next);
        ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
        limit = before;
        limit.rlim_cur = (rlim_t)next + more;
        ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
    } else {
        ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &before), 0);
    }
}

START_TEST(a_source_that_cannot_be_read_has_no_hash)
{
    struct graph_source source;
    const char *path = fixture_text("graph.txt", "1 2\n");
    limit_open_files(0);
    bool known = graph_source_of(path, true, &source);
    limit_open_files(RLIM_INFINITY);
    ck_assert(!known);
    ck_assert_uint_eq(source.size, 4);
    ck_assert_uint_eq(source.hash, 0);
    /* A regular file whose first page is not there. */
    ck_assert(graph_source_of("/proc/self/mem", false, &source));
    ck_assert(!graph_source_of("/proc/self/mem", true, &source));
    assert_refused("/proc/self/mem", NULL, "/proc/self/mem: cannot be read: ");
}
END_TEST

START_TEST(a_gzip_whose_last_code_ends_after_its_input_is_refused)
{
    static const unsigned char bytes[] = {
        0x1f, 0x8b, 8,  0,  0,  0x63, 0x0a, 0x1f, 0x8b, 8,  0x63, 0x0a, 0x63, 0x22, 13, 13,
        'p',  ' ',  13, 13, 13, 13,   13,   13,   13,   13, 13,   13,   '&',  13,   '#'};
    struct graph_options options = {.threads = 1};
    struct graph graph;
    struct graph_error error;
    const char *path = fixture_bytes("early.gz", bytes, sizeof(bytes));
    ck_assert(!graph_load(path, &options, &graph, &error));
    ck_assert_ptr_nonnull(strstr(error.message, "damaged gzip input"));
}
END_TEST

START_TEST(the_names_of_a_snapshot_are_checked_without_its_lists)
{
    struct graph graph = load(fixture_text("names.tsv", "a\tb\n"), NULL);
    const char *path = fixture_path("names.pwg");
    struct graph_error error = {0};
    char text[GRAPH_LABEL_SIZE];
    ck_assert(graph_snapshot_save(&graph, path, NULL, 0, NULL, &error));
    graph_free(&graph);
    int fd = open(path, O_RDWR);
    ck_assert_int_eq(pwrite(fd, "x", 1, 65536 + 9), 1); /* the offsets: not looked at */
    ck_assert_msg(graph_snapshot_open_names(path, &graph, &error), "%s", error.message);
    ck_assert_str_eq(graph_label(&graph, 1, text), "b");
    ck_assert(graph.offsets == NULL && graph.neighbours == NULL);
    graph_free(&graph);
    ck_assert_int_eq(pwrite(fd, "x", 1, 3 * 65536), 1);
    ck_assert(!graph_snapshot_open_names(path, &graph, &error));
    ck_assert_ptr_nonnull(strstr(error.message, "corrupt: block 48, the bytes from 196608 on, "));
    close(fd);
}
END_TEST

int main(void)
{
    return suite_run(
        "store errors", NULL, NULL,
        (const TTest *[]){
            a_header_that_its_arrays_contradict_is_refused_though_its_checksum_is_right,
            a_name_array_without_text_is_refused,
            arrays_that_lead_out_of_the_graph_are_refused_though_their_checksums_are_right,
            a_recorded_path_without_an_end_is_cut_and_harms_nothing,
            what_cannot_be_written_is_reported_and_leaves_the_old_file,
            a_graph_is_loaded_though_its_snapshot_cannot_be_kept,
            a_source_with_a_path_too_long_to_record_is_loaded_and_not_cached,
            a_folder_of_the_cache_with_too_long_a_name_is_refused,
            a_source_of_another_time_and_size_is_stale_and_of_another_time_alone_is_not,
            a_packed_snapshot_of_a_source_that_has_changed_is_noted_by_its_name_and_made_again,
            a_packed_snapshot_is_opened_or_refused_under_the_name_that_was_given,
            a_wrong_word_in_any_block_of_a_long_array_is_refused,
            a_damaged_snapshot_without_its_source_is_refused,
            a_graph_without_edges_is_saved_and_opened,
            a_source_that_is_replaced_while_it_is_read_is_not_cached,
            the_cache_distinguishes_names_numberings_and_formats,
            a_graph_that_others_may_not_read_is_cached_for_its_user_only,
            a_source_that_cannot_be_read_has_no_hash,
            a_gzip_whose_last_code_ends_after_its_input_is_refused,
            the_names_of_a_snapshot_are_checked_without_its_lists,
            NULL,
        });
}

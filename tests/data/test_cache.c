/*
 * test_cache.c - the cache, and snapshots that know their source: used while they are good, made
 * again or read from the source when they are not; and why a graph is not kept.
 */
#include "base/macros.h"
#include "data/graph/graph_memory.h"
#include "snapshot_fixture.h"
#include "tests/support/suite.h"
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <sys/resource.h>
#include <sys/stat.h>
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

/* Load a graph and save it as a snapshot that knows its source. */
static const char *save_of(const char *source, bool reversed, const char *name)
{
    struct graph_error error = {0};
    struct graph_source known;
    const struct graph_options options = {.reverse = reversed};
    const char *path = fixture_path(name);
    struct graph graph = load(source, &options);
    ck_assert(graph_source_of(source, true, &known));
    ck_assert(graph_snapshot_save(&graph, path, &known, reversed ? GRAPH_SNAPSHOT_REVERSED : 0,
                                  NULL, &error));
    graph_free(&graph);
    return path;
}

/* The only file in the folder of the cache. */
static const char *cached_file(void)
{
    static char path[256];
    glob_t found;
    ck_assert_int_eq(glob(fixture_path("cache/*.pwg"), 0, NULL, &found), 0);
    ck_assert_uint_eq(found.gl_pathc, 1);
    snprintf(path, sizeof(path), "%s", found.gl_pathv[0]);
    globfree(&found);
    return path;
}

/* Take all files out of the folder of the cache: without fork, other tests have left some. */
static void empty_cache(void)
{
    glob_t found;
    if (glob(fixture_path("cache/*.pwg"), 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++) {
            ck_assert_int_eq(unlink(found.gl_pathv[i]), 0);
        }
        globfree(&found);
    }
}

/* Who knows a source: a snapshot, a packed one, the cache. */
enum holder { SNAPSHOT, PACKED, CACHE, HOLDERS };

/* Keep a graph, read backwards. What is loaded from then on. */
static const char *keep(enum holder holder, const char *source, struct graph_options *options)
{
    char command[800];
    if (holder == CACHE) {
        options->reverse = true;
        options->cache = fixture_path("cache");
        struct graph graph = load(source, options);
        ck_assert_str_eq(noted, "");
        graph_free(&graph);
        return source;
    }
    const char *path = save_of(source, true, "kept.pwg");
    if (holder == SNAPSHOT) {
        return path;
    }
    snprintf(command, sizeof(command), "gzip -f %s", path);
    ck_assert_int_eq(system(command), 0);
    return fixture_path("kept.pwg.gz");
}

/* What happens to a source of that time, and whether that is found. */
#define BEFORE "1 2\n2 3\n"
#define TIME   1000

static const struct {
    const char *text; /* NULL: it is removed; "": a folder has its place */
    time_t time;
    bool verify, is_stale;
} changes[] = {{BEFORE, 1, false, false},          /* another time, the same bytes */
               {"1 2\n2 1\n", 1, false, true},     /* the same size */
               {"1 2\n2 1\n", TIME, false, false}, /* the same size and time */
               {"1 2\n2 1\n", TIME, true, true},
               {"1 2\n2 3\n3 1\n", TIME, false, true},
               {NULL, 0, false, false},
               {"", 0, false, false}};

/* Load what is kept, after a change, and expect the note and the graph that are right. */
static void expect_loaded(enum holder holder, const char *path, const struct graph_options *options,
                          bool is_stale, const char *text)
{
    struct graph right =
        load(fixture_text("right.txt", text), &(struct graph_options){.reverse = true});
    struct graph graph = load(path, options);
    const char *kept = holder == CACHE ? cached_file() : path;
    ck_assert_msg(is_stale ? strstr(noted, "stale") != NULL && strstr(noted, kept) == noted
                           : noted[0] == '\0',
                  "%s: %s", path, noted);
    ck_assert_uint_eq(graph.edge_count, right.edge_count);
    ck_assert_mem_eq(graph.neighbours, right.neighbours,
                     (size_t)right.edge_count * sizeof(uint32_t));
    ck_assert_ptr_nonnull(graph.in_offsets);
    forget_notes();
    graph_free(&graph);
    graph_free(&right);
}

START_TEST(a_graph_is_read_from_its_source_again_when_that_has_changed)
{
    for (int row = 0; row < (int)COUNT_OF(changes) * HOLDERS; row++) {
        const enum holder holder = (enum holder)(row % HOLDERS);
        const char *text = changes[row / HOLDERS].text;
        const bool is_stale = changes[row / HOLDERS].is_stale, is_gone = text == NULL || !*text;
        const struct utimbuf before = {TIME, TIME};
        const struct utimbuf after = {changes[row / HOLDERS].time, changes[row / HOLDERS].time};
        struct graph_options options = {.note = note, .build_reverse = true};
        char source[256], path[256];
        if (is_gone && holder == CACHE) {
            continue; /* a snapshot that names a source needs it */
        }
        snprintf(source, sizeof(source), "%s", fixture_text("graph.txt", BEFORE));
        ck_assert_int_eq(utime(source, &before), 0);
        snprintf(path, sizeof(path), "%s", keep(holder, source, &options));
        if (is_gone) {
            ck_assert_int_eq(unlink(source), 0);
            ck_assert_int_eq(text != NULL ? mkdir(source, 0700) : 0, 0);
        } else {
            fixture_text("graph.txt", text);
            ck_assert_int_eq(utime(source, &after), 0);
        }
        options.verify = changes[row / HOLDERS].verify;
        expect_loaded(holder, path, &options, is_stale, is_stale ? text : BEFORE);
        if (holder == CACHE) { /* made again, or as it was */
            expect_loaded(holder, path, &options, false, is_stale ? text : BEFORE);
            ck_assert_int_eq(unlink(cached_file()), 0);
        }
        ck_assert_int_eq(is_gone && text != NULL ? rmdir(source) : 0, 0);
    }
}
END_TEST

START_TEST(the_cache_is_made_again_when_an_older_program_made_it)
{
    char folder[300];
    const struct graph_options options = {.note = note, .cache = folder};
    const char *path = fixture_text("graph.txt", "1 2\n2 3\n");
    snprintf(folder, sizeof(folder), "%s", fixture_path("cache"));
    struct graph graph = load(path, &options);
    graph_free(&graph);
    int fd = open(cached_file(), O_WRONLY);
    ck_assert_int_eq(pwrite(fd, &(uint32_t){2}, 4, 8), 4); /* its version */
    close(fd);
    graph = load(path, &options);
    ck_assert_uint_eq(graph.edge_count, 2);
    ck_assert_ptr_nonnull(strstr(noted, "snapshot version 2, this program reads 3"));
    ck_assert_ptr_nonnull(strstr(noted, "; made again"));
    graph_free(&graph);
    forget_notes();
    graph = load(path, &options);
    ck_assert_str_eq(noted, "");
    graph_free(&graph);
}
END_TEST

START_TEST(a_pipe_or_folder_under_the_name_of_a_cache_entry_is_not_waited_for)
{
    empty_cache();
    for (int kind = 0; kind < 2; kind++) {
        const char *source = fixture_text("pipe.txt", "5 6\n6 7\n7 5\n5 7\n");
        struct graph_options options = {.cache = fixture_path("cache"), .note = note};
        struct stat status;
        struct graph graph = load(source, &options);
        graph_free(&graph);
        const char *entry = cached_file();
        ck_assert_int_eq(unlink(entry), 0);
        ck_assert_int_eq(kind == 0 ? mkfifo(entry, 0600) : mkdir(entry, 0700), 0);
        graph = load(source, &options); /* from the text */
        ck_assert_uint_eq(graph.edge_count, 4);
        graph_free(&graph);
        ck_assert_int_eq(lstat(entry, &status), 0);
        ck_assert(!S_ISREG(status.st_mode));
        ck_assert_ptr_nonnull(strstr(noted, kind == 0 ? "regular file" : "cached"));
        ck_assert_int_eq(kind == 0 ? unlink(entry) : rmdir(entry), 0);
        forget_notes();
    }
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

static void assert_read_and_not_cached(const char *path, const struct graph_options *options,
                                       const char *why)
{
    noted[0] = '\0';
    struct graph graph = load(path, options);
    ck_assert_uint_gt(graph.edge_count, 0);
    ck_assert_msg(strstr(noted, "not cached: ") != NULL && strstr(noted, why) != NULL, "%s", noted);
    graph_free(&graph);
}

START_TEST(the_cache_lies_in_the_folder_that_the_environment_names)
{
    char folder[300];
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
    assert_read_and_not_cached(path, &options, "neither XDG_CACHE_HOME nor HOME");
    char home[400];
    snprintf(home, sizeof(home), "%s", fixture_text("file", "no folder"));
    setenv("HOME", home, 1);
    assert_read_and_not_cached(path, &options, "cannot be made: Not a directory");
    options.cache = fixture_path("file/inside");
    assert_read_and_not_cached(path, &options, "cannot be made: Not a directory");
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

START_TEST(a_damaged_snapshot_is_read_from_its_source_and_refused_without_it)
{
    const char *text = fixture_text("source.txt", BEFORE);
    const char *path = save_of(text, false, "damaged.pwg");
    int fd = open(path, O_WRONLY);
    ck_assert_int_eq(pwrite(fd, "x", 1, 65536), 1); /* the first offset */
    close(fd);
    struct graph graph = load(path, NULL);
    ck_assert_uint_eq(graph.edge_count, 2);
    graph_free(&graph);
    ck_assert_int_eq(unlink(text), 0);
    assert_refused(path, NULL, "damaged.pwg: corrupt: block 16, the bytes from 65536 on, ");
}
END_TEST

/* What the reader's remark on a third column does to the file that is being read: it has read by
 * then what is now changed. */
static const char *replaced_path;
static struct meanwhile {
    const char *text; /* NULL: the file is removed */
    bool in_place;    /* else another file gets its name */
    const char *why;
} meanwhile;

static void replace_source(void *context, const char *text, enum graph_remedy remedy)
{
    note(context, text, remedy);
    if (replaced_path == NULL || strstr(text, "not cached") != NULL) {
        return;
    }
    if (meanwhile.text == NULL) {
        ck_assert_int_eq(unlink(replaced_path), 0);
    } else {
        const char *other =
            fixture_text(meanwhile.in_place ? "replaced.txt" : "replacement", meanwhile.text);
        struct utimbuf times = {1000, 1000};
        ck_assert_int_eq(utime(other, &times), 0);
        ck_assert_int_eq(meanwhile.in_place ? 0 : rename(other, replaced_path), 0);
    }
    replaced_path = NULL;
}

START_TEST(a_source_that_changes_while_it_is_read_is_not_cached)
{
    static const struct meanwhile cases[] = {
        {NULL, false, "not cached: No such file or directory"},
        {"1 2 0\n", false, "has changed while it was read"},
        {"3 4 0\n4 3 0\n", false, "has changed while it was read"},
        {"3 4 0\n", true, "replaced.txt: changed while it was read"}};
    char folder[300];
    struct graph_options options = {.note = replace_source, .cache = folder};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct graph_error error = {0};
        struct graph graph;
        const char *path = fixture_text("replaced.txt", "1 2 0\n2 3 0\n");
        snprintf(folder, sizeof(folder), "%s", fixture_folder); /* made by the first fixture */
        replaced_path = path;
        meanwhile = cases[i];
        const bool loaded = graph_load(path, &options, &graph, &error);
        ck_assert_ptr_null(replaced_path);
        ck_assert_int_eq(loaded, !cases[i].in_place);
        if (loaded) { /* what was read is the old file, whole */
            ck_assert_uint_eq(graph.neighbours[0], 2);
            ck_assert_uint_eq(graph.edge_count, 2);
        }
        ck_assert_msg(strstr(loaded ? noted : error.message, cases[i].why) != NULL, "%s %s", noted,
                      error.message);
        graph_free(&graph);
        if (!loaded) {
            graph = load(path, &options);
            ck_assert_uint_eq(graph.edge_count, 1);
            graph_free(&graph);
        }
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
                                          {.cache = folder, .undirected = true},
                                          {.cache = folder, .format = "edges"}};
    snprintf(folder, sizeof(folder), "%s", fixture_folder);
    for (int round = 0; round < 2; round++) { /* made, then used */
        for (size_t i = 0; i < COUNT_OF(kinds); i++) {
            struct graph graph = load(path, &kinds[i]);
            ck_assert((graph.original_ids != NULL) == kinds[i].compact);
            ck_assert((graph.names != NULL) == (kinds[i].names_path != NULL));
            ck_assert_uint_eq(graph.edge_count, kinds[i].undirected          ? 4
                                                : kinds[i].repeat_last_entry ? 3
                                                                             : 2);
            graph_free(&graph);
        }
    }
    assert_refused(fixture_text("bad.txt", "1 2\nnonsense here now\n"), &kinds[0], "bad.txt:2");
    setenv("XDG_CACHE_HOME", "not/absolute", 1); /* does not count, says the standard */
    unsetenv("HOME");
    assert_read_and_not_cached(path, &(struct graph_options){.cache = "", .note = note},
                               "neither XDG_CACHE_HOME nor HOME");
    unsetenv("XDG_CACHE_HOME");
}
END_TEST

static unsigned cached_mode(void)
{
    struct stat status = {0};
    ck_assert_int_eq(stat(cached_file(), &status), 0);
    return status.st_mode & 0777;
}

START_TEST(a_graph_that_others_may_not_read_is_cached_for_its_user_only)
{
    char folder[300];
    struct stat status;
    struct graph_options options = {.cache = folder};
    const mode_t before = umask(022);
    const char *const path = fixture_text("graph.txt", "1 2\n");
    empty_cache();
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

START_TEST(a_process_without_a_standard_input_reads_its_source_as_others_do)
{
    struct graph_source source, alone;
    const char *path = fixture_text("graph.txt", "1 2\n");
    ck_assert(graph_source_of(path, true, &source));
    const int input = dup(STDIN_FILENO);
    close(STDIN_FILENO); /* so that the file is opened as descriptor 0 */
    const bool known = graph_source_of(path, true, &alone);
    if (input >= 0) {
        dup2(input, STDIN_FILENO);
        close(input);
    }
    ck_assert(known);
    ck_assert_uint_eq(alone.hash, source.hash);
}
END_TEST

int main(void)
{
    return suite_run(
        "cache", forget_notes, NULL,
        (const TTest *[]){a_graph_is_read_from_its_source_again_when_that_has_changed,
                          the_cache_is_made_again_when_an_older_program_made_it,
                          a_pipe_or_folder_under_the_name_of_a_cache_entry_is_not_waited_for,
                          the_cache_keeps_a_reverse_adjacency_that_nobody_asked_for,
                          the_cache_numbers_nodes_as_a_search_meets_them_when_asked,
                          the_cache_adds_a_reverse_adjacency_for_which_there_was_no_memory,
                          the_cache_lies_in_the_folder_that_the_environment_names,
                          a_graph_is_loaded_though_its_snapshot_cannot_be_kept,
                          a_source_with_a_path_too_long_to_record_is_loaded_and_not_cached,
                          a_folder_of_the_cache_with_too_long_a_name_is_refused,
                          a_damaged_snapshot_is_read_from_its_source_and_refused_without_it,
                          a_source_that_changes_while_it_is_read_is_not_cached,
                          the_cache_distinguishes_names_numberings_and_formats,
                          a_graph_that_others_may_not_read_is_cached_for_its_user_only,
                          a_source_that_cannot_be_read_has_no_hash,
                          a_process_without_a_standard_input_reads_its_source_as_others_do, NULL});
}

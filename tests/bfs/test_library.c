/*
 * test_library.c - libpwgraph, as a program sees it: opening with options, and errors.
 */
#include "tests/support/library_fixture.h"
#include "tests/support/suite.h"
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>

/* The number of hops between two names; 0: no path. */
static uint32_t hops_between(const struct pwgraph *graph, const char *from, const char *to)
{
    struct pwgraph_search *search = pwgraph_search_create(graph, NULL, NULL);
    uint32_t source, target, hops = 0;
    ck_assert(search != NULL && pwgraph_find(graph, from, &source) &&
              pwgraph_find(graph, to, &target));
    ck_assert_int_ne(pwgraph_search_run(search, source, target, &hops), PWGRAPH_FAILED);
    pwgraph_search_free(search);
    return hops;
}

static const char chain[] = "1 2\n2 3\n3 9\n";

START_TEST(without_options_a_graph_is_what_its_file_says)
{
    struct pwgraph *graph = open_text(chain, NULL);
    ck_assert_msg(graph != NULL, "%s", error.text);
    ck_assert_uint_eq(pwgraph_edge_count(graph), 3);
    ck_assert_uint_eq(hops_between(graph, "1", "9"), 3);
    ck_assert_uint_eq(hops_between(graph, "9", "1"), 0);
    ck_assert_uint_eq(pwgraph_version(), PWGRAPH_VERSION);
    pwgraph_free(graph);
    pwgraph_free(NULL);
}
END_TEST

START_TEST(each_option_does_what_the_program_does_with_it)
{
    struct pwgraph_options options = {.size = sizeof(options), .undirected = true, .threads = 2};
    struct pwgraph *graph = open_text(chain, &options);
    ck_assert_uint_eq(pwgraph_edge_count(graph), 6);
    ck_assert_uint_eq(hops_between(graph, "9", "1"), 3);
    pwgraph_free(graph);
    options = (struct pwgraph_options){.size = sizeof(options), .reverse = true, .compact = true};
    graph = open_text(chain, &options);
    ck_assert_uint_eq(pwgraph_node_count(graph), 4);
    ck_assert_uint_eq(hops_between(graph, "9", "1"), 3);
    ck_assert_uint_eq(hops_between(graph, "1", "9"), 0);
    pwgraph_free(graph);
    options = (struct pwgraph_options){.size = sizeof(options), .format = "names"};
    graph = open_text("Laos\tChina\nChina\tIndia\n", &options);
    ck_assert_uint_eq(hops_between(graph, "Laos", "India"), 2);
    pwgraph_free(graph);
    options = (struct pwgraph_options){.size = sizeof(options),
                                       .names = fixture_text("names.txt", "Laos\nChina\nIndia\n")};
    graph = open_text("1 2\n2 3\n", &options);
    ck_assert_msg(graph != NULL, "%s", error.text);
    ck_assert_uint_eq(hops_between(graph, "Laos", "India"), 2);
    pwgraph_free(graph);
}
END_TEST

START_TEST(a_cache_is_filled_and_used)
{
    char folder[300];
    snprintf(folder, sizeof(folder), "%s", fixture_path("cache"));
    struct pwgraph_options options = {.size = sizeof(options), .cache = folder};
    for (int i = 0; i < 2; i++) {
        struct pwgraph *graph = open_text(chain, &options);
        ck_assert_msg(graph != NULL, "%s", error.text);
        ck_assert_uint_eq(hops_between(graph, "1", "9"), 3);
        pwgraph_free(graph);
        struct stat state;
        ck_assert_int_eq(stat(folder, &state), 0);
    }
}
END_TEST

START_TEST(options_of_another_size_are_read_or_refused)
{
    struct {
        struct pwgraph_options known;
        char more[16];
    } larger = {.known = {.size = sizeof(larger), .undirected = true}};
    struct pwgraph *graph = open_text(chain, &larger.known);
    ck_assert_uint_eq(pwgraph_edge_count(graph), 6);
    pwgraph_free(graph);
    larger.more[3] = 1;
    ck_assert_ptr_null(open_text(chain, &larger.known));
    assert_code(PWGRAPH_BAD_ARGUMENT);
    struct pwgraph_options options = {.size = offsetof(struct pwgraph_options, threads),
                                      .undirected = true};
    graph = open_text(chain, &options); /* a program that knows nothing of undirected */
    ck_assert_uint_eq(pwgraph_edge_count(graph), 3);
    pwgraph_free(graph);
    static const size_t wrong[] = {0, 1, offsetof(struct pwgraph_options, names) + 3, 1 << 20};
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        options.size = wrong[i];
        ck_assert_ptr_null(open_text(chain, &options));
        assert_code(PWGRAPH_BAD_ARGUMENT);
    }
}
END_TEST

START_TEST(every_error_has_its_code_and_one_line)
{
    struct pwgraph_options options = {.size = sizeof(options)};
    ck_assert_ptr_null(pwgraph_open(NULL, NULL, &error));
    assert_code(PWGRAPH_BAD_ARGUMENT);
    ck_assert_ptr_null(pwgraph_open(fixture_path("none.txt"), NULL, &error));
    assert_code(PWGRAPH_BAD_INPUT);
    ck_assert_ptr_null(pwgraph_open(fixture_path("none.txt"), NULL, NULL));
    ck_assert_ptr_null(open_text("1 2\n2 x\n", NULL));
    assert_code(PWGRAPH_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(error.text, "graph.txt:2: "));
    options.format = "nonsense";
    ck_assert_ptr_null(open_text(chain, &options));
    assert_code(PWGRAPH_BAD_ARGUMENT);
    options = (struct pwgraph_options){.size = sizeof(options), .memory_limit = 1};
    ck_assert_ptr_null(open_text(chain, &options));
    assert_code(PWGRAPH_NO_MEMORY);
    options = (struct pwgraph_options){.size = sizeof(options), .threads = 100000};
    ck_assert_ptr_null(open_text(chain, &options));
    assert_code(PWGRAPH_BAD_ARGUMENT);
}
END_TEST

static int notes;

static void count_note(void *context, const char *text)
{
    ck_assert_ptr_eq(context, &notes);
    ck_assert(text[0] != '\0' && strchr(text, '\n') == NULL);
    notes++;
}

START_TEST(remarks_on_a_file_reach_the_caller)
{
    struct pwgraph_options options = {
        .size = sizeof(options), .note = count_note, .context = &notes};
    struct pwgraph *graph = open_text("p sp 3 2\na 1 2 7\na 2 3 9\n", &options);
    ck_assert_msg(graph != NULL, "%s", error.text);
    ck_assert_int_gt(notes, 0); /* the weights are ignored */
    pwgraph_free(graph);
}
END_TEST

/* Progress and cancelling: a pipe that goes on until the load is cancelled. */

static volatile int cancel;
static int reports;

static void cancel_at_first(void *context, const struct pwgraph_progress *progress)
{
    ck_assert_ptr_eq(context, &reports);
    ck_assert(progress->phase != NULL && progress->seconds > 0);
    reports++;
    pwgraph_cancel(&cancel);
}

static void *write_lines(void *path)
{
    static const char line[] = "1 2\n2 3\n3 4\n4 5\n5 6\n6 7\n7 8\n8 9\n";
    FILE *to = fopen(path, "w");
    while (to != NULL && fputs(line, to) != EOF && fflush(to) == 0) {
    }
    if (to != NULL) {
        fclose(to);
    }
    return NULL;
}

START_TEST(a_load_reports_its_progress_and_can_be_cancelled_meanwhile)
{
    struct pwgraph_options options = {.size = sizeof(options),
                                      .progress = cancel_at_first,
                                      .context = &reports,
                                      .cancel = &cancel,
                                      .format = "edges",
                                      .threads = 1};
    pthread_t writer;
    char path[300];
    snprintf(path, sizeof(path), "%s", fixture_path("pipe"));
    signal(SIGPIPE, SIG_IGN);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    ck_assert_int_eq(pthread_create(&writer, NULL, write_lines, path), 0);
    ck_assert_ptr_null(pwgraph_open(path, &options, &error));
    assert_code(PWGRAPH_CANCELLED);
    ck_assert_int_gt(reports, 0);
    pthread_join(writer, NULL);
    cancel = 0;
    options.progress = NULL;
    struct pwgraph *graph = open_text(chain, &options);
    ck_assert_msg(graph != NULL, "%s", error.text);
    pwgraph_free(graph);
    pwgraph_cancel(&cancel);
    ck_assert_ptr_null(open_text(chain, &options));
    assert_code(PWGRAPH_CANCELLED);
}
END_TEST

int main(void)
{
    return suite_run(
        "library", NULL, fixture_remove_folder,
        (const TTest *[]){without_options_a_graph_is_what_its_file_says,
                          each_option_does_what_the_program_does_with_it,
                          a_cache_is_filled_and_used, options_of_another_size_are_read_or_refused,
                          every_error_has_its_code_and_one_line, remarks_on_a_file_reach_the_caller,
                          a_load_reports_its_progress_and_can_be_cancelled_meanwhile, NULL});
}

/*
 * test_driver.c - the program bfs as its user meets it: options, reports, errors, signals.
 */
#include "program.h"
#include <unistd.h>

/* Run bfs with these arguments. */
#define bfs(...) program_run_to(NULL, (const char *const[]){PW_BFS, __VA_ARGS__, NULL})

#define EDGES "# a path, a side track, and a node without out-edges\n1 2\n2 3\n3 4\n1 5\n5 6\n"
#define PAIRS "1 4\n4 1\n1 6\n2 3\n"

#define CSV_HEADER                                                                                 \
    "trial,search,source,target,found,hops,visited,expanded,pushed,peak_queue,seconds,"            \
    "nodes_per_second,malloc_calls,free_calls"

static const char *graph;
static const char *pairs;

static void write_inputs(void)
{
    static char graph_path[256];
    static char pairs_path[256];
    strcpy(graph_path, fixture_text("graph.txt", EDGES));
    strcpy(pairs_path, fixture_text("pairs.txt", PAIRS));
    graph = graph_path;
    pairs = pairs_path;
    unsetenv("LINKED_LIST_ALLOC");
}

/* The cell of a line of CSV, both counted from 0; valid until the next call but seven. */
static const char *cell(const char *csv, size_t line, size_t column)
{
    static char cells[8][128];
    static unsigned next;
    char *text = cells[next++ % 8];
    for (; line > 0; line--) {
        csv = strchr(csv, '\n');
        ck_assert_ptr_nonnull(csv);
        csv++;
    }
    for (; column > 0; column--) {
        csv += strcspn(csv, ",\n");
        ck_assert_int_eq(*csv, ',');
        csv++;
    }
    snprintf(text, 128, "%.*s", (int)strcspn(csv, ",\n"), csv);
    return text;
}

enum {
    TRIAL,
    SEARCH,
    SOURCE,
    TARGET,
    FOUND,
    HOPS,
    VISITED,
    EXPANDED,
    PUSHED,
    PEAK,
    SECONDS,
    RATE,
    MALLOCS,
    FREES,
    STATUS
};

START_TEST(csv_has_the_promised_columns_and_a_row_a_search)
{
    struct program_result run = bfs(graph, pairs, "--format=csv");
    ck_assert_int_eq(run.status, 0);
    ck_assert_str_eq(run.err, "");
    ck_assert_uint_eq(program_line_count(run.out), 5);
    ck_assert_int_eq(strncmp(run.out, CSV_HEADER ",", sizeof(CSV_HEADER)), 0);
    static const char *const expected[4][SECONDS] = {
        /* trial search source target found hops visited expanded pushed peak */
        {"1", "1", "1", "4", "1", "3", "4", "4", "5", "2"},
        {"1", "2", "4", "1", "0", "", "1", "0", "0", "0"},
        {"1", "3", "1", "6", "1", "2", "3", "3", "4", "2"},
        {"1", "4", "2", "3", "1", "1", "1", "1", "1", "1"},
    };
    for (size_t row = 0; row < 4; row++) {
        for (size_t column = TRIAL; column <= PEAK; column++) {
            ck_assert_str_eq(cell(run.out, row + 1, column), expected[row][column]);
        }
    }
    program_free(&run);
}
END_TEST

static Suite *suite(void)
{
    Suite *all = suite_create("driver");
    TCase *reports = tcase_create("reports");
    tcase_add_checked_fixture(reports, write_inputs, NULL);
    tcase_add_test(reports, csv_has_the_promised_columns_and_a_row_a_search);
    suite_add_tcase(all, reports);
    return all;
}

int main(void)
{
    SRunner *runner = srunner_create(suite());
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/*
 * test_driver_report.c - what bfs reports, in its three formats.
 */
#include "base/splitmix.h"
#include "tests/support/driver_fixture.h"
#include "tests/support/require.h"
#include "tests/support/suite.h"
#include <math.h>

START_TEST(csv_has_the_promised_columns_and_one_row_per_search)
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

START_TEST(rows_come_trial_by_trial_and_warm_ups_have_none)
{
    struct program_result run =
        bfs(graph, pairs, "--format", "csv", "--trials=2", "--warmup", "3", "--only=2,4");
    ck_assert_int_eq(run.status, 0);
    ck_assert_uint_eq(program_line_count(run.out), 5);
    static const char *const expected[4][2] = {{"1", "2"}, {"1", "4"}, {"2", "2"}, {"2", "4"}};
    for (size_t row = 0; row < 4; row++) {
        ck_assert_str_eq(cell(run.out, row + 1, TRIAL), expected[row][0]);
        ck_assert_str_eq(cell(run.out, row + 1, SEARCH), expected[row][1]);
    }
    program_free(&run);
}
END_TEST

START_TEST(only_takes_numbers_and_ranges_and_runs_them_in_the_order_of_the_file)
{
    struct program_result run = bfs(graph, pairs, "-fcsv", "--only", "4,1-2,2");
    ck_assert_int_eq(run.status, 0);
    ck_assert_uint_eq(program_line_count(run.out), 4);
    ck_assert_str_eq(cell(run.out, 1, SEARCH), "1");
    ck_assert_str_eq(cell(run.out, 2, SEARCH), "2");
    ck_assert_str_eq(cell(run.out, 3, SEARCH), "4");
    program_free(&run);
    assert_fails(bfs(graph, pairs, "--only=5"), 2, "there is no search 5, only 1 to 4");
    assert_fails(bfs(graph, pairs, "--only=3-9"), 2, "there is no search 9");
    static const char *const wrong[] = {
        "--only=",   "--only=0", "--only=1,", "--only=,1",  "--only=2-1",
        "--only=1-", "--only=x", "--only=-1", "--only=1 2", "--only=99999999999999999999"};
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        assert_fails(bfs(graph, pairs, wrong[i]), 2, "--only");
    }
}
END_TEST

START_TEST(calls_of_a_library_s_own_malloc_are_not_counted_as_few)
{
    struct program_result json = bfs(graph, pairs, "--format=json", "--alloc=count(lib:c)");
    ck_assert_int_eq(json.status, 0);
    ck_assert_str_eq(json_at(json.out, "searches.0.malloc_calls"), "null");
    ck_assert_str_eq(json_at(json.out, "searches.3.free_calls"), "null");
    ck_assert_str_eq(json_at(json.out, "summary.malloc_calls"), "null");
    ck_assert_str_eq(json_at(json.out, "summary.free_calls"), "null");
    ck_assert_str_eq(json_at(json.out, "summary.allocator.requests"), "10");
    const char *note = json_at(json.out, "summary.allocator.note");
    ck_assert_msg(strstr(note, "its calls are not counted") != NULL, "%s", note);
    program_free(&json);
    struct program_result csv = bfs(graph, pairs, "--format=csv", "--alloc=lib:c");
    ck_assert_str_eq(cell(csv.out, 1, MALLOCS), "");
    ck_assert_str_eq(cell(csv.out, 4, FREES), "");
    program_free(&csv);
    struct program_result text = bfs(graph, pairs, "--alloc=lib:c", "--verbose");
    ck_assert_msg(strstr(text.out, "malloc calls                  -\n") != NULL, "%s", text.out);
    program_free(&text);
    struct program_result none = bfs(graph, pairs, "-fcsv", "--alloc=lib:c", "--engine=array");
    ck_assert_str_ne(cell(none.out, 1, MALLOCS), ""); /* no list node comes from the library */
    program_free(&none);
}
END_TEST

START_TEST(json_says_the_same_as_csv)
{
    struct program_result csv = bfs(graph, pairs, "--format=csv");
    struct program_result json = bfs(graph, pairs, "--format=json", "--alloc=malloc");
    ck_assert_int_eq(json.status, 0);
    ck_assert_msg(json_is_valid(json.out), "%s", json.out);
    static const char *const names[] = {"trial", "search",  "source",   "target", "found",
                                        "hops",  "visited", "expanded", "pushed", "peak_queue"};
    for (size_t row = 0; row < 4; row++) {
        for (size_t column = 0; column <= PEAK; column++) {
            char path[64];
            snprintf(path, sizeof(path), "searches.%zu.%s", row, names[column]);
            const char *expected = cell(csv.out, row + 1, column);
            ck_assert_str_eq(json_at(json.out, path), expected[0] ? expected : "null");
        }
    }
    ck_assert_str_eq(json_at(json.out, "searches.0.status"), "\"done\"");
    ck_assert_str_eq(json_at(json.out, "context.program"), "\"bfs\"");
    ck_assert_str_eq(json_at(json.out, "context.graph.nodes"), "6");
    ck_assert_str_eq(json_at(json.out, "context.graph.edges"), "5");
    ck_assert_uint_eq(strlen(json_at(json.out, "context.graph.checksum")), 18);
    ck_assert_str_eq(json_at(json.out, "context.allocator.name"), "\"malloc\"");
    ck_assert_str_eq(json_at(json.out, "summary.found"), "3");
    ck_assert_str_eq(json_at(json.out, "summary.not_found"), "1");
    ck_assert_str_eq(json_at(json.out, "summary.malloc_calls"), "18");
    ck_assert_str_eq(json_at(json.out, "summary.free_calls"), "18");
    static const char *const given[] = {"schema",
                                        "context.program_version",
                                        "context.library_version",
                                        "context.compiler",
                                        "context.compiler_flags",
                                        "context.cpu",
                                        "context.kernel",
                                        "context.graph.name",
                                        "context.allocator.options",
                                        "summary.load_seconds",
                                        "summary.load_faults_minor",
                                        "summary.load_peak_rss_bytes",
                                        "summary.search_seconds",
                                        "summary.nodes_per_second_max",
                                        "summary.peak_rss_bytes"};
    for (size_t i = 0; i < sizeof(given) / sizeof(given[0]); i++) {
        const char *value = json_at(json.out, given[i]);
        ck_assert_msg(value[0] != '\0' && strcmp(value, "null") != 0, "%s: %s", given[i], value);
    }
    program_free(&csv);
    program_free(&json);
}
END_TEST

/* How often a member is in a report, in JSON. */
static int members(const char *json, const char *name)
{
    char member[64];
    int count = 0;
    snprintf(member, sizeof(member), "\"%s\": ", name);
    for (const char *at = json; (at = strstr(at, member)) != NULL; at++) {
        count++;
    }
    return count;
}

START_TEST(a_search_has_the_counters_that_are_counted_or_asked_for_and_else_one_note_says_why)
{
    static const struct {
        const char *option;
        int metrics, accounts; /* of each of two searches; -1: as the machine has them */
        const char *note;      /* NULL: none, or as the machine has it */
    } cases[] = {
        {"--counters=auto", -1, 1, NULL},
        {"--counters=none", 0, 1, "\"not asked for\""},
        {"--threads=2", 0, 0,
         "\"not counted: several searches are made at once, and counters cover one\""},
        {"--engine=multi-source", 0, 0,
         "\"not counted: several searches are made at once, and counters cover one\""},
        {"--counters=instructions", 1, 1, NULL},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct program_result json =
            bfs("generate:nodes=200", "random:2", "-fjson", cases[i].option);
        struct program_result csv = bfs("generate:nodes=200", "random:2", "-fcsv", cases[i].option);
        const char *note = json_at(json.out, "counters.note");
        char *head = csv.out;
        ck_assert_int_eq(json.status, 0);
        ck_assert_msg(json_is_valid(json.out), "%s", json.out);
        head[strcspn(head, "\n")] = '\0';
        const int metrics = members(json.out, "instructions_status");
        ck_assert_int_eq(metrics, members(json.out, "counter_status"));
        if (cases[i].metrics >= 0) {
            ck_assert_int_eq(metrics, 2 * cases[i].metrics);
        }
        ck_assert(metrics > 0 || note[0] == '"'); /* else there is no reason */
        ck_assert_str_eq(cases[i].note != NULL ? cases[i].note : note, note);
        /* The same holds for the totals and for the events. */
        ck_assert_int_eq(members(json.out, "instructions") > 0, metrics > 0);
        ck_assert_int_eq(members(json.out, "counter_share") > 0, metrics > 0);
        ck_assert_int_eq(members(json.out, "event") > 0, metrics > 0);
        ck_assert_int_eq(members(json.out, "disturbed"), 2 * cases[i].accounts);
        ck_assert_int_eq(members(json.out, "task_clock_seconds"), 2 * cases[i].accounts + 1);
        ck_assert_int_eq(strstr(head, ",instructions,") != NULL, metrics > 0);
        ck_assert_int_eq(strstr(head, ",counter_share,") != NULL, metrics > 0);
        ck_assert_int_eq(strstr(head, ",task_clock_seconds,") != NULL, cases[i].accounts);
        ck_assert_int_eq(strncmp(head,
                                 "trial,search,source,target,found,hops,visited,expanded,pushed,"
                                 "peak_queue,seconds,nodes_per_second,malloc_calls,free_calls,",
                                 120),
                         0);
        program_free(&csv);
        program_free(&json);
    }
}
END_TEST

START_TEST(json_gives_the_options_of_the_allocator_with_their_defaults)
{
    struct program_result run = bfs(graph, pairs, "-f", "json", "--alloc", "slab:chunk=4M");
    ck_assert_str_eq(json_at(run.out, "context.allocator.specification"), "\"slab:chunk=4M\"");
    ck_assert_str_eq(json_at(run.out, "context.allocator.name"), "\"slab\"");
    ck_assert_str_eq(json_at(run.out, "context.allocator.options"), "\"chunk=4M,pages=auto\"");
    program_free(&run);
}
END_TEST

START_TEST(json_is_valid_for_any_name_of_a_file)
{
    static const char *const names[] = {"quote\".txt", "back\\slash.txt", "new\nline.txt",
                                        "\xff\xfe.txt", "K\xc3\xa4se.txt"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const char *path = fixture_text(names[i], EDGES);
        struct program_result run = bfs(path, pairs, "--format=json");
        ck_assert_int_eq(run.status, 0);
        ck_assert_msg(json_is_valid(run.out), "%s", run.out);
        program_free(&run);
        run = bfs(path, pairs);
        ck_assert_ptr_null(strstr(run.out, "new\nline"));
        program_free(&run);
    }
}
END_TEST

START_TEST(seconds_have_nine_digits_and_a_point_in_any_locale)
{
    static const char *const locales[] = {"C", "de_DE.UTF-8", "fr_FR.UTF-8"};
    for (size_t i = 0; i < 3; i++) {
        setenv("LC_ALL", locales[i], 1);
        struct program_result run = bfs(graph, pairs, "--format=csv");
        const char *seconds = cell(run.out, 1, SECONDS);
        const char *point = strchr(seconds, '.');
        ck_assert_ptr_nonnull(point);
        ck_assert_uint_eq(strspn(point + 1, "0123456789"), 9);
        ck_assert_uint_eq(strlen(point + 1), 9);
        program_free(&run);
    }
    unsetenv("LC_ALL");
}
END_TEST

START_TEST(text_has_one_line_per_search_and_a_summary)
{
    struct program_result run = bfs(graph, pairs, "--alloc=pool");
    ck_assert_int_eq(run.status, 0);
    ck_assert_str_eq(run.err, "");
    ck_assert_ptr_nonnull(strstr(run.out, "search  source  target  outcome      visited"));
    ck_assert_ptr_nonnull(strstr(run.out, "     1       1       4  3 hops "));
    ck_assert_ptr_nonnull(strstr(run.out, "     2       4       1  not found "));
    static const char *const labels[] = {"wall time of the searches",
                                         "wall time of the run",
                                         "highest nodes/s",
                                         "overall nodes/s",
                                         "malloc calls",
                                         "free calls",
                                         "  found ",
                                         "  not found ",
                                         "peak resident memory",
                                         "hooks: ",
                                         "allocator: "};
    const char *summary = strstr(run.out, "\nSummary\n");
    ck_assert_ptr_nonnull(summary);
    for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++) {
        ck_assert_msg(strstr(summary, labels[i]) != NULL, "no \"%s\" in %s", labels[i], summary);
    }
    program_free(&run);
}
END_TEST

START_TEST(verbose_has_one_block_per_search_in_the_terms_of_the_article)
{
    struct program_result run = bfs(graph, pairs, "--verbose");
    static const char *const labels[] = {"nodes visited", "wall time", "nodes/s", "malloc calls",
                                         "free calls"};
    const char *block = strstr(run.out, "(1 / 4) search 1: from 1 to 4\n");
    ck_assert_ptr_nonnull(block);
    for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++) {
        ck_assert_ptr_nonnull(strstr(block, labels[i]));
    }
    ck_assert_ptr_nonnull(strstr(block, "(4 / 4) search 4: from 2 to 3\n"));
    ck_assert_ptr_null(strstr(run.out, "search  source"));
    program_free(&run);
}
END_TEST

START_TEST(quiet_leaves_the_summary)
{
    struct program_result run = bfs(graph, pairs, "--quiet");
    ck_assert_int_eq(strncmp(run.out, "Summary\n", 8), 0);
    ck_assert_str_eq(run.err, "");
    program_free(&run);
}
END_TEST

START_TEST(each_trial_has_its_rows)
{
    struct program_result text = bfs(graph, pairs, "--trials=3");
    ck_assert_ptr_nonnull(strstr(text.out, "trial  search  source"));
    ck_assert_ptr_nonnull(strstr(text.out, "\n    3       4  "));
    program_free(&text);
    struct program_result json = bfs(graph, pairs, "--trials=3", "-fjson");
    ck_assert(json_is_valid(json.out));
    ck_assert_str_eq(json_at(json.out, "searches.11.trial"), "3");
    ck_assert_str_eq(json_at(json.out, "summary.searches"), "12");
    program_free(&json);
}
END_TEST

/* A number of a JSON report: the member of an element of an array. */
static double number_of(const char *json, const char *array, int index, const char *member)
{
    char path[80];
    snprintf(path, sizeof(path), "%s.%d.%s", array, index, member);
    const char *text = json_at(json, path);
    ck_assert_msg(text[0] != '\0', "no %s", path);
    return atof(text);
}

static void expect_rate(double rate, double visited, double seconds)
{
    ck_assert_msg(fabs(rate - visited / seconds) < 0.01 + rate * 1e-9, "%f, not %f / %.9f", rate,
                  visited, seconds);
}

START_TEST(nodes_per_second_are_the_nodes_visited_in_both_trials)
{
    struct program_result json =
        bfs("generate:nodes=300,edges=2000,seed=3", "random:4,seed=5", "--trials=2", "-fjson");
    double all_visited = 0, all_seconds = 0, highest = 0;
    bool differs = false; /* visited and expanded, or there is nothing to confuse */
    for (int i = 0; i < 8; i++) {
        double visited = number_of(json.out, "searches", i, "visited");
        double seconds = number_of(json.out, "searches", i, "seconds");
        double rate = number_of(json.out, "searches", i, "nodes_per_second");
        expect_rate(rate, visited, seconds);
        differs = differs || visited != number_of(json.out, "searches", i, "expanded");
        all_visited += visited;
        all_seconds += seconds;
        highest = fmax(highest, rate);
    }
    ck_assert(differs);
    ck_assert_double_eq(atof(json_at(json.out, "summary.visited")), all_visited);
    expect_rate(atof(json_at(json.out, "summary.nodes_per_second")), all_visited, all_seconds);
    ck_assert_double_eq_tol(atof(json_at(json.out, "summary.nodes_per_second_max")), highest, 1e-6);
    program_free(&json);
}
END_TEST

static int by_time(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double number_at(const char *json, const char *path)
{
    return strtod(json_at(json, path), NULL);
}

START_TEST(the_median_and_the_99th_percentile_follow_from_the_rows)
{
    enum { ROWS = 250 };
    double times[ROWS];
    struct program_result run =
        bfs("generate:nodes=2k", "random:250", "--engine=array", "--format=json");
    for (size_t i = 0; i < ROWS; i++) {
        char path[64];
        snprintf(path, sizeof(path), "searches.%zu.seconds", i);
        times[i] = number_at(run.out, path);
    }
    qsort(times, ROWS, sizeof(*times), by_time);
    const double median = number_at(run.out, "summary.seconds_median");
    const double highest = number_at(run.out, "summary.seconds_p99");
    ck_assert_msg(fabs(median - times[124]) <= times[124] / 1000, "%g, not %g", median, times[124]);
    ck_assert_msg(fabs(highest - times[247]) <= times[247] / 1000, "%g, not %g", highest,
                  times[247]);
    program_free(&run);
    run = bfs("generate:nodes=2k", "random:99", "--format=json");
    ck_assert_str_eq(json_at(run.out, "summary.seconds_p99"), "null");
    program_free(&run);
    run = bfs("generate:nodes=2k", "random:250", "--format=json", "--engine=multi-source");
    ck_assert_str_eq(json_at(run.out, "summary.seconds_median"), "null");
    program_free(&run);
}
END_TEST

START_TEST(a_cache_in_the_order_of_a_search_has_the_answers_and_counts_of_the_file)
{
    enum { EDGES_MADE = 900, NODES = 200, ROWS = 40 };
    static char text[EDGES_MADE * 16];
    char cache[300], file[300];
    uint64_t state = 7;
    int used = 0;
    for (int i = 0; i < EDGES_MADE; i++) { /* labels in random order, some nodes without edges */
        unsigned from = (unsigned)(splitmix_next(&state) % NODES) + 1;
        unsigned to = (unsigned)(splitmix_next(&state) % NODES) + 1;
        used += snprintf(text + used, sizeof(text) - (size_t)used, "%u %u\n", from, to);
    }
    strcpy(file, fixture_text("shuffled.txt", text));
    snprintf(cache, sizeof(cache), "--cache=%s", fixture_folder);
    static const char *const engines[] = {"classic", "bidirectional", "direction-optimizing"};
    for (size_t i = 0; i < 3; i++) {
        struct program_result plain =
            bfs(file, "random:40", "--engine", engines[i], "--format=csv", "--threads=1");
        for (int round = 0; round < 2; round++) { /* made, and mapped */
            struct program_result kept =
                bfs(file, "random:40", "--engine", engines[i], "--format=csv", "--threads=1", cache,
                    "--order=auto", "--verify");
            ck_assert_int_eq(kept.status, 0);
            ck_assert_str_eq(kept.err, "");
            for (size_t row = 1; row <= ROWS; row++) { /* classic: all counts */
                for (size_t column = SOURCE; column <= (i == 0 ? PEAK : HOPS); column++) {
                    ck_assert_str_eq(cell(plain.out, row, column), cell(kept.out, row, column));
                }
            }
            program_free(&kept);
        }
        program_free(&plain);
    }
    struct program_result noted = bfs(file, "random:1", "--order=auto");
    ck_assert_ptr_nonnull(strstr(noted.err, "keeps its order; with --cache"));
    program_free(&noted);
}
END_TEST

START_TEST(random_pairs_share_a_source_when_that_is_asked_for)
{
    struct program_result run = bfs("generate:nodes=2k", "random:25,targets=10", "--format=csv",
                                    "--engine=bidirectional", "--verify");
    ck_assert_int_eq(run.status, 0);
    for (size_t row = 2; row <= 25; row++) {
        const bool same = strcmp(cell(run.out, row, SOURCE), cell(run.out, row - 1, SOURCE)) == 0;
        ck_assert_int_eq(same, row % 10 != 1);
    }
    program_free(&run);
}
END_TEST

START_TEST(rows_of_more_pairs_than_threads_divide_at_once_come_in_order)
{
    enum { ROWS = 9000 };
    const char *const inputs[] = {"generate:nodes=300", "random:9000"};
    struct program_result one =
        bfs(inputs[0], inputs[1], "--engine=bidirectional", "--threads=1", "--format=csv");
    struct program_result many = bfs(inputs[0], inputs[1], "--engine=bidirectional", "--threads=3",
                                     "--verify", "--format=csv");
    ck_assert_int_eq(many.status, 0);
    ck_assert_uint_eq(program_line_count(many.out), ROWS + 1);
    const char *left = strchr(one.out, '\n'), *right = strchr(many.out, '\n');
    for (size_t row = 1; row <= ROWS; row++) { /* trial,search,source,target,found,hops,visited */
        char expected[80], found[80];
        ck_assert_int_eq(sscanf(left, "\n%79[0-9,]", expected), 1);
        ck_assert_int_eq(sscanf(right, "\n%79[0-9,]", found), 1);
        *strrchr(expected, ',') = *strrchr(found, ',') = '\0'; /* the whole seconds */
        require(strcmp(expected, found) == 0);
        require(strtoul(strchr(found, ',') + 1, NULL, 10) == row);
        left = strchr(left + 1, '\n');
        right = strchr(right + 1, '\n');
    }
    program_free(&one);
    program_free(&many);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        csv_has_the_promised_columns_and_one_row_per_search,
        rows_come_trial_by_trial_and_warm_ups_have_none,
        only_takes_numbers_and_ranges_and_runs_them_in_the_order_of_the_file,
        calls_of_a_library_s_own_malloc_are_not_counted_as_few,
        json_says_the_same_as_csv,
        a_search_has_the_counters_that_are_counted_or_asked_for_and_else_one_note_says_why,
        json_gives_the_options_of_the_allocator_with_their_defaults,
        json_is_valid_for_any_name_of_a_file,
        seconds_have_nine_digits_and_a_point_in_any_locale,
        text_has_one_line_per_search_and_a_summary,
        verbose_has_one_block_per_search_in_the_terms_of_the_article,
        quiet_leaves_the_summary,
        each_trial_has_its_rows,
        nodes_per_second_are_the_nodes_visited_in_both_trials,
        the_median_and_the_99th_percentile_follow_from_the_rows,
        a_cache_in_the_order_of_a_search_has_the_answers_and_counts_of_the_file,
        random_pairs_share_a_source_when_that_is_asked_for,
        rows_of_more_pairs_than_threads_divide_at_once_come_in_order,
        NULL,
    };
    return suite_run("driver_report", write_inputs, NULL, tests);
}

/*
 * test_bench_parts.c - the parts that the experiments need: random sizes, statistics, tables.
 */
#include "alloc/heaps/record_script.h"
#include "base/report/samples.h"
#include "perf/allocbench/bench_table.h"
#include "perf/traffic/cycle_clock.h"
#include "perf/traffic/memory_watch.h"
#include "perf/traffic/prng.h"
#include "perf/traffic/ring_traffic.h"
#include "perf/traffic/size_histogram.h"
#include "perf/traffic/size_source.h"
#include "tests/support/fixture_file.h"
#include "tests/support/heap_fixture.h"
#include "tests/support/suite.h"
#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

START_TEST(the_generator_is_the_published_one)
{
    struct prng prng = {{1, 2, 3, 4}}; /* the first outputs of the reference implementation */
    ck_assert_uint_eq(prng_next(&prng), 11520);
    ck_assert_uint_eq(prng_next(&prng), 0);
    ck_assert_uint_eq(prng_next(&prng), 1509978240);
    ck_assert_uint_eq(prng_next(&prng), UINT64_C(1215971899390074240));
}
END_TEST

START_TEST(the_elementary_functions_agree_with_the_library)
{
    for (double x = 1e-12; x < 1e12; x *= 1.37) {
        ck_assert_double_eq_tol(prng_log(x), log(x), 1e-14 * (1 + fabs(log(x))));
    }
    for (double x = -30; x < 30; x += 0.173) {
        ck_assert_double_eq_tol(prng_exp(x), exp(x), 1e-14 * exp(x));
    }
}
END_TEST

START_TEST(the_histogram_of_the_first_ten_thousand_sizes_is_golden)
{
    static const uint64_t golden[SIZES_DISTRIBUTIONS][SIZE_SOURCE_BUCKETS] = {
        {0, 0, 0, 0, 1, 2, 0, 3, 0, 19, 14, 39, 83, 144, 334, 655, 1296, 2403, 5007},
        {0, 0, 3, 0, 3, 0, 19, 14, 39, 80, 145, 317, 589, 1069, 1656, 2417, 2309, 1171, 169},
        {0, 0, 0, 24, 385, 2280, 4380, 2478, 434, 19, 0, 0, 0, 0, 0, 0, 0, 0, 0},
    };
    static uint32_t sizes[10000];
    for (int d = 0; d < SIZES_DISTRIBUTIONS; d++) {
        uint64_t histogram[SIZE_SOURCE_BUCKETS];
        size_source_fill((enum size_distribution)d, 1, sizes, 10000);
        size_source_histogram(sizes, 10000, histogram);
        for (size_t bucket = 0; bucket < SIZE_SOURCE_BUCKETS; bucket++) {
            ck_assert_msg(histogram[bucket] == golden[d][bucket], "%s, bucket %zu: %lu",
                          size_distribution_names[d], bucket, (unsigned long)histogram[bucket]);
        }
    }
}
END_TEST

START_TEST(sizes_are_read_from_a_text_and_from_a_script)
{
    uint32_t sizes[7];
    struct command_error error;
    ck_assert(size_source_load(fixture_text("sizes", "16\n24\n 100\n"), sizes, 7, &error));
    static const uint32_t expected[] = {16, 24, 100, 16, 24, 100, 16};
    ck_assert_mem_eq(sizes, expected, sizeof(expected));

    static struct node_heap heap;
    char specification[200];
    const char *path = fixture_path("run.script");
    snprintf(specification, sizeof(specification), "record(first-fit,heap=64K,file=%s)", path);
    heap_open(&heap, specification);
    node_allocator_release(heap.allocator, node_allocator_allocate(heap.allocator, 48), 48);
    ck_assert_ptr_nonnull(node_allocator_allocate(heap.allocator, 7));
    node_heap_close(&heap);
    ck_assert(size_source_load(path, sizes, 3, &error));
    ck_assert_uint_eq(sizes[0], 48);
    ck_assert_uint_eq(sizes[1], 7);
    ck_assert_uint_eq(sizes[2], 48);

    ck_assert(!size_source_load(fixture_text("bad", "16\nx\n"), sizes, 7, &error));
    ck_assert_ptr_nonnull(strstr(error.message, ":2: expected a size"));
    ck_assert(!size_source_load(fixture_text("empty", ""), sizes, 7, &error));
    ck_assert(!size_source_load("/nonexistent/sizes", sizes, 7, &error));
}
END_TEST

START_TEST(a_size_beyond_29_bits_in_a_script_ends_with_its_request)
{
    struct {
        struct script_header header;
        uint32_t words[9];
    } script = {{.magic = SCRIPT_MAGIC},
                {(uint32_t)SCRIPT_SIZE_HIGH << SCRIPT_KIND_SHIFT | 1,
                 (uint32_t)SCRIPT_SIZE << SCRIPT_KIND_SHIFT | 5, /* 2^29 + 5 */
                 (uint32_t)SCRIPT_ALLOCATE << SCRIPT_KIND_SHIFT,
                 (uint32_t)SCRIPT_SIZE << SCRIPT_KIND_SHIFT | 24,
                 (uint32_t)SCRIPT_ALLOCATE << SCRIPT_KIND_SHIFT,
                 (uint32_t)SCRIPT_CHAIN << SCRIPT_KIND_SHIFT,
                 (uint32_t)SCRIPT_SIZE << SCRIPT_KIND_SHIFT | 99, /* of the chain, as the next */
                 (uint32_t)SCRIPT_ALLOCATE << SCRIPT_KIND_SHIFT,
                 (uint32_t)SCRIPT_ALLOCATE << SCRIPT_KIND_SHIFT}};
    uint32_t sizes[4];
    struct command_error error;
    const char *path = fixture_bytes("high.script", &script, sizeof(script.header) + 36);
    ck_assert_msg(size_source_load(path, sizes, 4, &error), "%s", error.message);
    static const uint32_t expected[] = {(1u << 29) + 5, 24, 24, (1u << 29) + 5};
    ck_assert_mem_eq(sizes, expected, sizeof(expected));
}
END_TEST

START_TEST(sizes_are_drawn_from_a_histogram_as_often_as_it_says_and_mixed)
{
    static uint32_t sizes[60000];
    struct size_histogram histogram;
    struct command_error error;
    const char *text =
        "size_from,size_to,small,all\n# none\n8,8,1,10\n\n16,19,0,20\n1000,1999,0,30\n";
    ck_assert(size_histogram_load(&histogram, fixture_text("histogram", text), &error));
    ck_assert_uint_eq(histogram.kind_count, 2);
    ck_assert_str_eq(histogram.names[0], "small");
    ck_assert_str_eq(histogram.names[1], "all");
    ck_assert_uint_eq(size_histogram_total(&histogram, 0), 1);
    ck_assert_uint_eq(size_histogram_total(&histogram, 1), 60);
    size_histogram_draw(&histogram, 0, 1, sizes, 100);
    for (size_t i = 0; i < 100; i++) {
        ck_assert_uint_eq(sizes[i], 8);
    }
    size_t found[20] = {0};
    size_t large = 0;
    size_t changes = 0;
    double sum = 0;
    size_histogram_draw(&histogram, 1, 1, sizes, 60000);
    for (size_t i = 0; i < 60000; i++) {
        found[sizes[i] < 20 ? sizes[i] : 0]++;
        ck_assert(sizes[i] < 20 || (sizes[i] >= 1000 && sizes[i] < 2000));
        large += sizes[i] > 20;
        sum += sizes[i] > 20 ? sizes[i] : 0;
        changes += i > 0 && (sizes[i] > 20) != (sizes[i - 1] > 20);
    }
    ck_assert_double_eq_tol((double)found[8], 10000, 400); /* four standard deviations */
    for (size_t size = 16; size < 20; size++) {
        ck_assert_double_eq_tol((double)found[size], 5000, 300);
    }
    ck_assert_double_eq_tol((double)large, 30000, 500);
    ck_assert_double_eq_tol(sum / (double)large, 1499.5, 7);
    ck_assert_double_eq_tol((double)changes, 30000, 500); /* not one size after the other */
    size_histogram_close(&histogram);
    static const char *const refused[][2] = {
        {"1 2 3 4 5 6 7 8 9 10 11\n", ":1: expected a size"}, /* more counts than kinds */
        {"9,8,1\n", ":1: expected a size"},
        {"4 1\n0 3\n", ":2: expected a size"},
        {"5 1x\n", ":1: expected a size"},
        {"4294967295 1\n", ":1: expected a size"},
        {"5 18446744073709551616\n", ":1: expected a size"},
        {"5 18446744073709551615\n6 1\n", ":2: expected a size"}, /* in all */
        {"1,2,3\n1,2,3,4\n", ":2: expected a size"},
        {"3 0\n", "holds no count of some kind"},
        {"", "holds no count"}};
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        ck_assert(!size_histogram_load(&histogram, fixture_text("refused", refused[i][0]), &error));
        ck_assert_msg(strstr(error.message, refused[i][1]) != NULL, "%s", error.message);
        size_histogram_close(&histogram);
    }
}
END_TEST

START_TEST(a_summary_has_median_range_and_quartile_spread)
{
    double values[] = {5, 1, 4, 2, 3};
    struct samples_summary summary = samples_summarize(values, 5);
    ck_assert_double_eq(summary.median, 3);
    ck_assert_double_eq(summary.mean, 3);
    ck_assert_double_eq(summary.low, 1);
    ck_assert_double_eq(summary.high, 5);
    ck_assert_double_eq(summary.deviation, 1);
    ck_assert_double_eq_tol(summary.spread, 1.0 / 3, 1e-12);
    double skewed[] = {1, 2, 3, 4, 100}; /* their mean is 22 */
    ck_assert_double_eq_tol(samples_summarize(skewed, 5).spread, 1.0 / 3, 1e-12);
    double two[] = {4, 2};
    ck_assert_double_eq(samples_summarize(two, 2).median, 3);
    ck_assert_double_eq(samples_summarize(two, 2).deviation, 0.5);
    ck_assert(isnan(samples_summarize(two, 0).median));
    ck_assert_double_eq(samples_summarize(two, 1).median, 2);
    double holes[] = {NAN, 4, INFINITY, 2, -INFINITY}; /* runs that failed, ratios to nothing */
    ck_assert_double_eq(samples_summarize(holes, 5).median, 3);
    ck_assert(isnan(samples_summarize(&(double){NAN}, 1).mean));
    ck_assert(isnan(samples_summarize(two, 1).spread));
    ck_assert(isnan(samples_summarize(two, 1).deviation));
    double zeros[] = {0, 0};
    ck_assert_double_eq(samples_summarize(zeros, 2).spread, 0);
}
END_TEST

START_TEST(quantiles_are_taken_from_the_sorted_numbers)
{
    uint64_t seed = 5;
    for (size_t count = 1; count < 200; count += 13) {
        uint32_t sorted[200];
        uint32_t values[200];
        for (size_t i = 0; i < count; i++) {
            values[i] = (uint32_t)(splitmix_next(&seed) % 50);
        }
        for (size_t i = 0; i < count; i++) { /* by counting smaller ones */
            size_t rank = 0;
            for (size_t j = 0; j < count; j++) {
                rank += values[j] < values[i] || (values[j] == values[i] && j < i);
            }
            sorted[rank] = values[i];
        }
        for (double share = 0; share <= 1; share += 0.25) {
            size_t at = (size_t)(share * (double)(count - 1));
            ck_assert_uint_eq(ticks_quantile(values, count, share), sorted[at]);
        }
    }
}
END_TEST

/* A table as a whole report. */
static const char *written(const struct bench_table *table, enum report_format format)
{
    static char text[2000];
    struct report report;
    FILE *out = fmemopen(text, sizeof(text), "w");
    report_open(&report, out, format, "example");
    bench_table_write(table, &report);
    ck_assert(report_close(&report));
    fclose(out);
    return text;
}

START_TEST(a_table_is_the_same_in_every_format)
{
    struct bench_table table = {.name = "example", .title = "An example"};
    bench_add_column(&table, "name", "who", BENCH_TEXT);
    bench_add_column(&table, "value_ns", "ns", 2);
    bench_add_column(&table, NULL, "count", 0);
    bench_add_row(&table, "a,\"b\"<c>", (double[]){-1.256, 3});
    bench_add_text(&table, "007");
    bench_add_number(&table, NAN);
    bench_add_number(&table, 12345);
    ck_assert(!table.failed);
    ck_assert_uint_eq(bench_table_rows(&table), 2);
    ck_assert_str_eq(written(&table, REPORT_FORMAT_CSV),
                     "name,value_ns,count\n\"a,\"\"b\"\"<c>\",-1.26,3\n007,,12345\n");
    ck_assert_str_eq(written(&table, REPORT_FORMAT_JSON),
                     "{\n  \"schema\": \"example\",\n  \"example\": [\n"
                     "    {\"name\": \"a,\\\"b\\\"<c>\", \"value_ns\": -1.26, \"count\": 3},\n"
                     "    {\"name\": \"007\", \"value_ns\": null, \"count\": 12345}\n  ]\n}\n");
    ck_assert_str_eq(written(&table, REPORT_FORMAT_TEXT), "An example\n"
                                                          "who          ns   count\n"
                                                          "a,\"b\"<c>  -1.26       3\n"
                                                          "007           -  12,345\n\n");
    bench_table_close(&table);
}
END_TEST

START_TEST(a_figure_no_larger_than_its_spread_is_marked_in_text)
{
    struct bench_table table = {.name = "example", .title = "An example"};
    bench_add_column(&table, NULL, "who", BENCH_TEXT);
    bench_add_column(&table, "ns", "ns", 1);
    bench_add_column(&table, "ns_spread_percent", "+-%", BENCH_PERCENT);
    bench_add_column(&table, "share", "share", 1);
    bench_add_column(&table, "share_spread", "+-", BENCH_UNIT);
    bench_add_row(&table, "clear", (double[]){10, 99.9, -3, 2.9});
    bench_add_row(&table, "unclear", (double[]){10, 100, -3, 3});
    bench_add_row(&table, "one run", (double[]){10, NAN, -3, NAN});
    bench_add_row(&table, "none", (double[]){0, 0, 0, 0});
    ck_assert_str_eq(written(&table, REPORT_FORMAT_TEXT), "An example\n"
                                                          "who         ns    +-%  share   +-\n"
                                                          "clear     10.0   99.9   -3.0  2.9\n"
                                                          "unclear  ~10.0  100.0  ~-3.0  3.0\n"
                                                          "one run   10.0      -   -3.0    -\n"
                                                          "none       0.0    0.0    0.0  0.0\n\n");
    ck_assert_ptr_nonnull(
        strstr(written(&table, REPORT_FORMAT_CSV), "unclear,10.0,100.0,-3.0,3.0"));
    bench_table_close(&table);
}
END_TEST

START_TEST(a_table_that_had_no_memory_takes_no_more_cells)
{
    struct bench_table table = {.name = "example"};
    bench_add_column(&table, NULL, "who", BENCH_TEXT);
    bench_add_column(&table, NULL, "count", 0);
    table.failed = true;         /* the text of a row had no memory */
    bench_add_number(&table, 1); /* its number would come into the column of texts */
    bench_add_row(&table, "next", (double[]){2});
    ck_assert_uint_eq(table.cell_count, 0);
    bench_table_close(&table);
}
END_TEST

START_TEST(a_ring_frees_everything_it_allocated_in_order)
{
    static struct node_heap heap;
    struct node_allocator_statistics statistics;
    static uint32_t sizes[5000];
    size_source_fill(SIZES_LOG_NORMAL, 3, sizes, 5000);
    heap_open(&heap, "count(first-fit:heap=4M)");
    ck_assert(ring_traffic_run(heap.allocator, sizes, 5000, RING_TOUCH_ALL, false));
    heap_check(heap.allocator);
    node_allocator_statistics(heap.allocator, &statistics);
    ck_assert_uint_eq(statistics.requests, 5000);
    ck_assert_uint_eq(statistics.live_blocks, 0);
    node_heap_close(&heap);
    heap_open(&heap, "first-fit:heap=4K");
    ck_assert(!ring_traffic_run(heap.allocator, sizes, 5000, RING_TOUCH_NONE, false));
    node_heap_close(&heap);
    heap_open(&heap, "null");
    ck_assert(ring_traffic_run(heap.allocator, sizes, 5000, RING_TOUCH_FIRST, true));
    node_heap_close(&heap);
}
END_TEST

#define TOUCHED_SIZE (3 * 4096 + 1)

static unsigned char touched[RING_PER_ROUND * TOUCHED_SIZE];
static size_t touched_used;

static void *take_touched(struct node_allocator *allocator, size_t size)
{
    (void)allocator;
    touched_used += size;
    return touched + touched_used - size;
}

static void give_touched(struct node_allocator *allocator, void *block, size_t size)
{
    (void)allocator;
    (void)block;
    touched_used -= size;
}

START_TEST(a_ring_writes_to_as_many_bytes_as_asked)
{
    static const struct node_allocator_type type = {
        .name = "touched", .allocate = take_touched, .release = give_touched};
    static const size_t wanted[] = {[RING_TOUCH_NONE] = 0,
                                    [RING_TOUCH_FIRST] = RING_PER_ROUND,
                                    [RING_TOUCH_ALL] = sizeof(touched),
                                    [RING_TOUCH_PAGES] = (size_t)RING_PER_ROUND * 4};
    struct node_allocator allocator = {.type = &type};
    uint32_t sizes[RING_PER_ROUND];
    for (size_t i = 0; i < RING_PER_ROUND; i++) {
        sizes[i] = TOUCHED_SIZE;
    }
    for (int touch = RING_TOUCH_NONE; touch <= RING_TOUCH_PAGES; touch++) {
        size_t written = 0;
        memset(touched, 0, sizeof(touched));
        ck_assert(
            ring_traffic_run(&allocator, sizes, RING_PER_ROUND, (enum ring_touch)touch, false));
        for (size_t i = 0; i < sizeof(touched); i++) {
            written += touched[i];
        }
        ck_assert_uint_eq(written, wanted[touch]);
        ck_assert_uint_eq(touched_used, 0);
    }
}
END_TEST

START_TEST(peak_fragmentation_is_the_most_held_over_the_most_alive)
{
    double values[MEMORY_VALUES];
    struct memory_watch watch;
    memory_watch_start(&watch, 6400, values); /* 100 steps to a time */
    watch.room = 0;                           /* whatever malloc has free here */
    ck_assert(memory_watch_is_due(&watch, 0, 10));
    memory_watch_note(&watch, 0, 1000, 1500);
    ck_assert(!memory_watch_is_due(&watch, 99, 1000));
    ck_assert(memory_watch_is_due(&watch, 99, 1001)); /* more than ever */
    ck_assert(memory_watch_is_due(&watch, 100, 5));
    memory_watch_note(&watch, 150, 4000, 5000);
    memory_watch_note(&watch, 700, 500, 6000); /* the peaks need not be at one time */
    memory_watch_note(&watch, 6399, 100, 600);
    ck_assert(!memory_watch_is_due(&watch, 6399, 100));
    ck_assert_double_eq(values[MEMORY_LIVE_PEAK], 4000);
    ck_assert_double_eq(values[MEMORY_HELD_PEAK], 6000);
    ck_assert_double_eq(values[MEMORY_FRAGMENTATION], 1.5);
    ck_assert_double_eq(values[MEMORY_LIVE_END], 100);
    ck_assert_double_eq(values[MEMORY_HELD_END], 600);
    ck_assert_double_eq(values[MEMORY_STEPS + 1], 151);
    ck_assert_double_eq(values[MEMORY_LIVE + 7], 500);
    ck_assert_double_eq(values[MEMORY_HELD + 63], 600);
    ck_assert(isnan(values[MEMORY_HELD + 2])); /* not looked at */
    ck_assert(memory_watch_is_possible(&watch));
    memory_watch_note(&watch, 6399, 6001, 600);
    ck_assert(!memory_watch_is_possible(&watch)); /* 6000 held of 6001 alive */
    watch.room = 1;                               /* which the process had before */
    ck_assert(memory_watch_is_possible(&watch));
    close(watch.file);
}
END_TEST

/* What the kernel may take back of this process, by its own account: KiB. */
static unsigned long lazily_free_kib(void)
{
    char line[256];
    unsigned long kib = 0;
    FILE *rollup = fopen("/proc/self/smaps_rollup", "re");
    while (rollup != NULL && fgets(line, sizeof(line), rollup) != NULL) {
        if (sscanf(line, "LazyFree: %lu", &kib) == 1) {
            break;
        }
    }
    if (rollup != NULL) {
        fclose(rollup);
    }
    return kib;
}

START_TEST(memory_that_the_kernel_may_take_back_is_not_held)
{
    const size_t bytes = 16 << 20;
    double values[MEMORY_VALUES];
    struct memory_watch watch;
    memory_watch_start(&watch, 4, values);
    char *mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert(mapped != MAP_FAILED);
    memset(mapped, 1, bytes);
    madvise(mapped, bytes, MADV_FREE);
    memory_watch_look(&watch, 0, 1e6);
    const bool is_known = lazily_free_kib() > bytes / 2048; /* not by an emulator */
    munmap(mapped, bytes);
    memory_watch_end(&watch, 0);
    if (watch.file >= 0 && is_known) {
        ck_assert_double_lt(values[MEMORY_HELD], 8 << 20);
    }
}
END_TEST

START_TEST(memory_held_is_what_was_mapped_and_written_to_by_hand)
{
    const size_t bytes = 16 << 20;
    double values[MEMORY_VALUES];
    struct memory_watch watch;
    memory_watch_start(&watch, 4, values);
    char *mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert(mapped != MAP_FAILED);
    memory_watch_look(&watch, 0, 1e6);
    memset(mapped, 1, bytes);
    memory_watch_look(&watch, 1, 8 << 20);
    munmap(mapped, bytes);
    memory_watch_look(&watch, 2, 0);
    memory_watch_end(&watch, 0);
    if (watch.file >= 0) { /* else an old kernel, which does not say */
        ck_assert_double_lt(values[MEMORY_HELD], 1 << 20);
        ck_assert_double_eq_tol(values[MEMORY_HELD + 16], 16 << 20, 1 << 20);
        ck_assert_double_lt(values[MEMORY_HELD_END], 1 << 20);
        ck_assert_double_eq_tol(values[MEMORY_FRAGMENTATION], 2, 0.125);
    } else {
        ck_assert(isnan(values[MEMORY_FRAGMENTATION]));
    }
}
END_TEST

START_TEST(the_clock_is_calibrated)
{
    struct cycle_clock clock = cycle_clock_calibrate();
    ck_assert(clock.ns_per_tick > 0.01 && clock.ns_per_tick < 1000);
    ck_assert_uint_eq(cycle_clock_between(&clock, 10, 10), 0);
    ck_assert_uint_eq(cycle_clock_between(&clock, 0, clock.reading_ticks + 7), 7);
}
END_TEST

int main(void)
{
    return suite_run(
        "bench parts", NULL, NULL,
        (const TTest *[]){
            the_generator_is_the_published_one, the_elementary_functions_agree_with_the_library,
            the_histogram_of_the_first_ten_thousand_sizes_is_golden,
            sizes_are_read_from_a_text_and_from_a_script,
            a_size_beyond_29_bits_in_a_script_ends_with_its_request,
            sizes_are_drawn_from_a_histogram_as_often_as_it_says_and_mixed,
            a_summary_has_median_range_and_quartile_spread,
            quantiles_are_taken_from_the_sorted_numbers, a_table_is_the_same_in_every_format,
            a_figure_no_larger_than_its_spread_is_marked_in_text,
            a_table_that_had_no_memory_takes_no_more_cells,
            a_ring_frees_everything_it_allocated_in_order, a_ring_writes_to_as_many_bytes_as_asked,
            peak_fragmentation_is_the_most_held_over_the_most_alive,
            memory_that_the_kernel_may_take_back_is_not_held,
            memory_held_is_what_was_mapped_and_written_to_by_hand, the_clock_is_calibrated, NULL});
}

/*
 * test_allocbench.c - every figure of the experiments, where all that costs time is known.
 *
 * The clocks are a number that grows by so much per reading, request and release; the allocators
 * "cheap" and "null", and the malloc that list nodes come from, do nothing but that. So every
 * figure follows on paper. What the children of an experiment did is kept in shared memory.
 */
#include "alloc/block_marks.h"
#include "base/report/clock.h"
#include "liblist/linked_list.h"
#include "perf/allocbench/allocbench.h"
#include "perf/allocbench/allocbench_options.h"
#include "perf/program/program_format.h"
#include "tests/support/fixture_file.h"
#include "tests/support/require.h"
#include "tests/support/suite.h"
#include <math.h>
#include <sys/mman.h>
#include <unistd.h>
#undef node_heap_open

#define ARENA_BYTES ((size_t)256 << 20)
#define READING     5 /* ticks of a reading of the clock */
#define PURGES_MAX  200
#define BLOCKS      8192

/* What costs how much, in ticks: nanoseconds of one clock, half nanoseconds of the other. */
static struct {
    uint64_t now, reading;
    uint64_t request, release;           /* of a block, and of a list node */
    uint64_t null_request, null_release; /* of the empty loop, and in the others */
    uint64_t first_calls, first_extra;   /* more per request, for the first first_calls */
    uint64_t every, every_extra;         /* more for request every, 2 * every, ... */
    uint64_t per_run;                    /* requests of a run, before what was seen starts again */
    uint64_t by_kib, by_change;          /* more per KiB, and when the power of two changes */
    int last;                            /* of the last request */
    size_t large;                        /* requests from that size on cost twice as much */
    size_t stride;                       /* from one list node to the next */
    uint64_t nodes;                      /* list nodes handed out */
} cost;

/* What the children did. */
static struct {
    uint64_t requests, releases, pairs;
    double bytes, live_bytes, live_bytes_max;
    struct {
        uint64_t after, live, freed; /* requests before it, blocks alive then */
    } purges[PURGES_MAX];
    size_t purge_count;
    bool in_purge;
    bool is_free[BLOCKS];
} * seen;

static struct bench bench;
static struct bench_result result;
static struct command_error error;
static char *arena;
static size_t arena_used;

uint64_t clock_now_ns(void) /* replaces the clock of base/report */
{
    cost.now += cost.reading;
    return cost.now;
}

uint64_t fake_ticks(void)
{
    return clock_now_ns();
}

/* The process of a run: a forked one, because this test's clocks and allocators are not the
 * program's. */
int fake_execv(const char *path, char *const words[])
{
    (void)path;
    _exit(bench_run_main(&bench, words));
}

/* A switch during every batch. */
int fake_usage(int who, struct rusage *usage)
{
    static long calls;
    (void)who;
    *usage = (struct rusage){.ru_nivcsw = ++calls};
    return 0;
}

static void *from_arena(size_t bytes)
{
    require(arena_used + bytes <= ARENA_BYTES);
    arena_used += bytes;
    return arena + arena_used - bytes;
}

static void *cheap_allocate(struct node_allocator *self, size_t size)
{
    (void)self;
    if (cost.per_run > 0 && seen->requests == cost.per_run) {
        memset(seen, 0, sizeof(*seen)); /* the runs are alike */
    }
    cost.now += cost.null_request + cost.request * (size >= cost.large ? 2 : 1);
    cost.now += seen->requests < cost.first_calls ? cost.first_extra : 0;
    seen->requests++;
    const int power = __builtin_clzll(size | 1);
    cost.now += cost.by_kib * size / 1024 + (power != cost.last ? cost.by_change : 0);
    cost.last = power;
    cost.now += cost.every > 0 && seen->requests % cost.every == 0 ? cost.every_extra : 0;
    seen->pairs += size == 8184;
    seen->bytes += (double)size;
    seen->live_bytes += (double)size;
    seen->live_bytes_max = fmax(seen->live_bytes_max, seen->live_bytes);
    seen->in_purge = false;
    return size == 4088 || size < 600 ? from_arena((size + 15) / 16 * 16) : arena;
}

static void cheap_release(struct node_allocator *self, void *block, size_t size)
{
    size_t index = (size_t)((char *)block - arena) / 4096;
    (void)self;
    cost.now += cost.null_release + cost.release;
    if (!seen->in_purge && seen->purge_count < PURGES_MAX) {
        seen->purges[seen->purge_count].after = seen->requests;
        seen->purges[seen->purge_count].live = seen->requests - seen->releases;
        seen->purge_count++;
    }
    seen->in_purge = true;
    seen->purges[seen->purge_count - 1].freed++;
    seen->releases++;
    seen->live_bytes -= (double)size;
    seen->is_free[index < BLOCKS ? index : 0] |= size == 4088;
}

static void *null_allocate(struct node_allocator *self, size_t size)
{
    static bool is_later;
    (void)self;
    (void)size;
    cost.now += cost.null_request + (is_later ? 0 : 1000000); /* the first pass is a slow one */
    is_later = true;
    return NULL;
}

static void null_release(struct node_allocator *self, void *block, size_t size)
{
    (void)self;
    (void)block;
    (void)size;
    cost.now += cost.null_release;
}

static double bytes_per_block(const struct node_allocator *self, size_t size)
{
    (void)self;
    return (double)size;
}

static bool whole_arena(const struct node_allocator *self, void **base, size_t *bytes)
{
    (void)self;
    *base = arena;
    *bytes = ARENA_BYTES;
    return true;
}

static const struct node_allocator_type cheap = {.name = "cheap",
                                                 .summary = "costs what the test says",
                                                 .bytes_per_block = bytes_per_block,
                                                 .allocate = cheap_allocate,
                                                 .release = cheap_release,
                                                 .region = whole_arena};
static const struct node_allocator_type null = {.name = "null",
                                                .summary = "does nothing",
                                                .bytes_per_block = bytes_per_block,
                                                .allocate = null_allocate,
                                                .release = null_release};

bool fake_heap_open(struct node_heap *heap, const char *specification,
                    const struct memory_source *source, struct node_allocator_error *why)
{
    if (strncmp(specification, "re", 2) == 0) { /* record, replay */
        return node_heap_open(heap, specification, source, why);
    }
    struct node_allocator *allocator = (struct node_allocator *)(void *)heap->storage;
    *allocator = (struct node_allocator){
        .type = strcmp(specification, "null") == 0 ? &null : &cheap, .source = &heap->source};
    heap->allocator = allocator;
    return true;
}

/* The malloc and free of list nodes; other blocks cost nothing. */
static void *node_malloc(size_t size)
{
    if (size != sizeof(struct node)) {
        return malloc(size);
    }
    cost.now += cost.request + (cost.nodes++ < cost.first_calls ? cost.first_extra : 0);
    return from_arena(cost.stride);
}

static void node_free(void *block)
{
    if ((char *)block >= arena && (char *)block < arena + ARENA_BYTES) {
        cost.now += cost.release;
    } else {
        free(block);
    }
}

static void set_up(void)
{
    static struct allocbench_options options;
    const int flags = MAP_ANONYMOUS | MAP_NORESERVE;
    seen = mmap(NULL, sizeof(*seen), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    arena = mmap(NULL, ARENA_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | flags, -1, 0);
    ck_assert(seen != MAP_FAILED && arena != MAP_FAILED);
    arena_used = 0;
    memset(&cost, 0, sizeof(cost));
    cost.reading = READING;
    cost.request = 70;
    cost.release = 30;
    cost.large = SIZE_MAX;
    cost.stride = 48;
    linked_list_register_malloc(node_malloc);
    linked_list_register_free(node_free);
    allocbench_defaults(&options);
    bench = (struct bench){.parameters = options.parameters,
                           .runs = 1,
                           .seed = 1,
                           .clock = {0.5, READING, "fake"},
                           .result = &result,
                           .error = &error,
                           .progress = {.program = "test"}};
    bench.parameters.fill.counts[0] = 1;
    bench.parameters.fill.counts[1] = 3;
    bench.parameters.fill.count_count = 2;
    bench.parameters.job.graph = "generate:nodes=300,edges=2000,seed=3";
    bench.parameters.job.pairs = "random:9,seed=5";
    progress_open(&bench.progress, PROGRESS_NEVER, true);
}

static void tear_down(void)
{
    bench_result_close(&result);
    munmap(arena, ARENA_BYTES);
    munmap(seen, sizeof(*seen));
}

static void run_on(const struct bench_experiment *experiment, const char *allocators)
{
    bench.experiment = experiment;
    ck_assert_msg(bench_set_cases(&bench, allocators) && experiment->run(&bench), "%s",
                  error.message);
    ck_assert_msg(!result.incomplete, "interrupted");
}

static void measure(const struct bench_experiment *experiment, const char *allocators)
{
    run_on(experiment, allocators);
    for (size_t i = 0; i < result.note_count; i++) {
        ck_assert_msg(strstr(result.notes[i], "is left out: ") == NULL, "%s", result.notes[i]);
    }
}

static const struct bench_table *table_named(const char *name)
{
    for (size_t i = 0; i < result.table_count; i++) {
        if (strcmp(result.tables[i].name, name) == 0) {
            return &result.tables[i];
        }
    }
    ck_abort_msg("no table %s", name);
    return NULL;
}

/* The figure in a row (from 0) and a column of a table; NaN: an empty cell. */
static double figure(const char *table_name, size_t row, const char *column)
{
    const struct bench_table *table = table_named(table_name);
    ck_assert_uint_lt(row, bench_table_rows(table));
    for (size_t i = 0; i < table->column_count; i++) {
        if (strcmp(table->columns[i].name, column) == 0) {
            const struct report_value *value = &table->cells[row * table->column_count + i];
            double number = (double)value->number / pow(10, value->digits);
            return value->kind == REPORT_UNKNOWN ? NAN : value->negative ? -number : number;
        }
    }
    ck_abort_msg("no column %s in %s", column, table_name);
    return NAN;
}

static void expect(const char *table, size_t row, const char *column, double expected)
{
    double found = figure(table, row, column);
    ck_assert_msg(fabs(found - expected) < 1e-9, "%s, row %zu, %s: %.9g, not %.9g", table, row,
                  column, found, expected);
}

/* Assert that a figure is this one to the second digit after the point. */
static void expect_about(const char *table, size_t row, const char *column, double expected)
{
    double found = figure(table, row, column);
    ck_assert_msg(fabs(found - expected) < 0.0101, "%s, row %zu, %s: %.9g, not %.9g", table, row,
                  column, found, expected);
}

START_TEST(sizes_are_the_time_of_the_calls_without_the_clock_s)
{
    cost.large = 4096;
    measure(&bench_sizes, "cheap");
    for (size_t size = 0; size < 25; size++) {
        size_t twice = size < 12 ? 1 : 2; /* 4088 bytes, which is the twelfth, is small */
        expect("sizes", 2 * size, "median_ns", 35.0 * (double)twice);
        expect("sizes", 2 * size + 1, "median_ns", 15);
        expect("sizes", 50 + 2 * size, "count", 3);
        expect("sizes", 50 + 2 * size, "median_ns", 105.0 * (double)twice);
        expect("sizes", 50 + 2 * size + 1, "median_ns", 45);
    }
    expect("sizes", 0, "size_bytes", 1);
    expect("sizes", 22, "size_bytes", 4088);
    expect("sizes", 48, "size_bytes", 33554424);
}
END_TEST

START_TEST(exhaustion_times_each_loop_as_a_whole)
{
    measure(&bench_exhaustion, "cheap");
    for (size_t row = 0; row < 2; row++) {
        double count = row == 0 ? 1 : 3;
        expect("exhaustion", row, "repetitions", count);
        expect("exhaustion", row, "allocate_ms", round(count * 8192 * 35 / 1e3) / 1e3);
        expect("exhaustion", row, "free_ms", round(count * 8192 * 15 / 1e3) / 1e3);
        expect("exhaustion", row, "allocate_ns_per_call", 35);
        expect("exhaustion", row, "free_ns_per_call", 15);
    }
    ck_assert_uint_eq(seen->requests, 4 * 8192);
    ck_assert_uint_eq(seen->releases, 4 * 8192);
    ck_assert_ptr_nonnull(strstr(result.article, "Allocate,3,00:00:00.0009\n"));
    ck_assert_ptr_nonnull(strstr(result.article, "Free,3,00:00:00.0004\n"));
}
END_TEST

/* How many blocks free side by side lie at the end of the heap, all others being alone. */
static size_t free_at_the_end(void)
{
    size_t at_end = 0;
    while (at_end < BLOCKS && seen->is_free[BLOCKS - 1 - at_end]) {
        at_end++;
    }
    for (size_t i = 1; i + at_end < BLOCKS; i++) {
        require_msg(!seen->is_free[i - 1] || !seen->is_free[i], "%zu and the next are free", i);
    }
    ck_assert_uint_ge(seen->releases, BLOCKS / 2);
    return at_end;
}

START_TEST(the_worst_case_has_two_free_blocks_side_by_side_and_three_as_published)
{
    measure(&bench_worst_case, "cheap");
    ck_assert_uint_eq(free_at_the_end(), 2);
    ck_assert_uint_eq(seen->pairs, 4 * 8192);
    for (size_t row = 0; row < 2; row++) {
        double count = row == 0 ? 1 : 3;
        expect("worst-case", row, "allocate_ms", round(count * 8192 * 35 / 1e3) / 1e3);
        expect("worst-case", row, "free_ns_per_call", 15);
    }
    bench_result_close(&result);
    memset(seen, 0, sizeof(*seen));
    bench.as_published = true;
    measure(&bench_worst_case, "cheap");
    ck_assert_uint_eq(free_at_the_end(), 3);
}
END_TEST

START_TEST(a_purge_frees_two_fifths_of_what_is_alive_after_about_every_256th_request)
{
    bench.parameters.purge.allocations = 10000;
    bench.parameters.purge.pause_us = 0;
    cost.per_run = 10000;
    measure(&bench_purge, "cheap");
    ck_assert_uint_eq(seen->requests, 10000);
    ck_assert_uint_ge(seen->purge_count, 10000 / 384);
    for (size_t i = 0; i < seen->purge_count; i++) {
        uint64_t since = seen->purges[i].after - (i > 0 ? seen->purges[i - 1].after : 0);
        ck_assert_uint_eq(seen->purges[i].freed, seen->purges[i].live * 2 / 5);
        ck_assert_msg(since > 128 && since <= 384, "%lu requests", (unsigned long)since);
    }
    expect("purge-summary", 0, "cumulative_mib", round(seen->bytes / 1048576));
    expect("purge-summary", 0, "live_now_kib", round(seen->live_bytes / 1024));
    expect("purge-summary", 0, "live_peak_kib", round(seen->live_bytes_max / 1024));
    expect("purge-memory", 0, "live_peak_kib", round(seen->live_bytes_max / 1024));
    double held = figure("purge-memory", 0, "held_peak_kib");
    if (!blocks_are_watched() && !isnan(held)) { /* "cheap" reuses nothing, and rounds up to 16 */
        double given = 264.0 / 256.5 * seen->bytes;
        ck_assert_double_eq_tol(held * 1024, given, 0.02 * given);
        ck_assert_double_eq_tol(figure("purge-memory", 0, "fragmentation"),
                                given / seen->live_bytes_max, 0.02 * given / seen->live_bytes_max);
    }
}
END_TEST

START_TEST(purge_drops_the_longest_sample_of_a_batch_that_was_interrupted)
{
    bench.parameters.purge.allocations = 10000;
    bench.parameters.purge.pause_us = 0;
    cost.every = 125; /* two in each batch of 250 */
    cost.every_extra = 1000;
    measure(&bench_purge, "cheap");
    expect("purge-summary", 0, "dropped", 40);
    expect("purge-summary", 0, "mean_cycles", 74); /* 70, and 1000 in 40 of 9960 */
    expect("purge-summary", 0, "free_mean_cycles", 30);
    size_t slow = 0;
    for (size_t row = 0; row < 512; row++) {
        double mean = figure("purge", row, "mean_cycles");
        double maximum = figure("purge", row, "maximum_cycles");
        slow += maximum > 1000;
        ck_assert(maximum < 71 || maximum > 1069);
        ck_assert(mean <= maximum && mean >= 70);
        ck_assert(figure("purge", row, "p99_cycles") <= maximum);
        expect("purge", row, "median_cycles", 70); /* of some twenty */
    }
    ck_assert_msg(slow > 25 && slow <= 40, "%zu sizes with a slow one", slow);
}
END_TEST

START_TEST(distributions_subtract_the_fastest_pass_of_the_empty_loop)
{
    bench.parameters.distributions.rounds = 20;
    cost.null_request = 4;
    cost.null_release = 2;
    run_on(&bench_distributions, "cheap");
    expect("distributions", 0, "uniform_us", 0.1);
    expect("distributions", 0, "log-normal_us", 0.1);
    /* Of each distribution once timed, and once to see the memory, with the last 1000 alive. */
    ck_assert_uint_eq(seen->requests, 3 * 2 * 2000);
    ck_assert_uint_eq(seen->releases, 3 * (2 * 2000 - 1000));
    /* Its large blocks all lie at one place: less is held than is alive, which is no figure. */
    if (!isnan(figure("distributions-memory", 2, "held_peak_kib"))) {
        ck_assert_uint_eq(result.note_count, 1); /* the same twice */
        ck_assert_str_eq(result.notes[0], "cheap is left out: it holds less than is alive, so not "
                                          "all of its memory is counted");
        ck_assert(isnan(figure("distributions-memory", 0, "fragmentation")));
        ck_assert_double_ge(figure("distributions-memory", 2, "fragmentation"), 1);
    }
}
END_TEST

START_TEST(an_estimate_weighs_each_size_with_its_share)
{
    bench.parameters.estimate.histogram = fixture_text("histogram", "64 10\n127 20\n1024 30\n");
    bench.parameters.estimate.count = 1000000;
    bench.parameters.distributions.rounds = 1000;
    cost.large = 1000; /* 170 for the half, 100 for the other */
    cost.null_request = 4;
    measure(&bench_estimate, "cheap");
    ck_assert_double_eq_tol(figure("estimate", 0, "ns_each"), 135, 0.5);
    expect("estimate", 0, "count", 1000000);
    ck_assert_double_eq_tol(figure("estimate", 0, "seconds"), 0.135, 0.0005);
}
END_TEST

START_TEST(a_product_is_as_uncertain_as_what_it_is_made_of)
{
    bench.parameters.estimate.histogram = fixture_text("histogram", "64 10\n");
    bench.parameters.distributions.rounds = 10;
    measure(&bench_estimate, "cheap");
    bench_result_close(&result);
    bench.runs = 3;
    cost.first_calls = 2 * seen->requests; /* that run, and the first of the three */
    cost.first_extra = 900;
    measure(&bench_estimate, "cheap");
    const double spread = figure("estimate", 0, "spread_percent");
    ck_assert_double_ge(spread, 1);
    expect("estimate", 0, "seconds_spread_percent", spread);
}
END_TEST

/* The histogram of the first sizes, as "distributions" wrote it into its file. */
static const char *written_histogram(void)
{
    const struct bench_table *table = table_named("distributions-histogram");
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    struct report report;
    report_open(&report, file, REPORT_FORMAT_CSV, "");
    bench_table_write(table, &report);
    report_close(&report);
    fclose(file);
    const char *path = fixture_text("distributions-histogram.csv", text);
    free(text);
    return path;
}

START_TEST(an_estimate_is_what_the_same_sizes_cost)
{
    static const char *const columns[] = {"uniform_us", "exponential_us", "log-normal_us"};
    /* three allocators: by the call, by the size, and more when the size differs from the last */
    static const struct {
        uint64_t by_kib, by_change;
    } costs[] = {{0, 0}, {50, 0}, {10, 400}};
    bench.parameters.distributions.rounds = 300;
    for (size_t i = 0; i < 3; i++) {
        double measured[3];
        cost.by_kib = costs[i].by_kib;
        cost.by_change = costs[i].by_change;
        run_on(&bench_distributions, "cheap");
        for (size_t d = 0; d < 3; d++) {
            measured[d] = 1000 * figure("distributions", 0, columns[d]);
        }
        bench.parameters.estimate.histogram = written_histogram();
        bench_result_close(&result);
        measure(&bench_estimate, "cheap");
        for (size_t d = 0; d < 3; d++) {
            double estimated = figure("estimate", d, "ns_each");
            ck_assert_msg(fabs(estimated / measured[d] - 1) < 0.15,
                          "allocator %zu, %s: %.1f ns measured, %.1f estimated", i, columns[d],
                          measured[d], estimated);
        }
        bench_result_close(&result);
    }
}
END_TEST

START_TEST(a_queue_is_cold_once_and_then_warm)
{
    bench.parameters.queue.depth = 2000;
    bench.parameters.queue.repeats = 4;
    cost.first_calls = 2000;
    cost.first_extra = 40;
    measure(&bench_queue, "malloc");
    expect_about("queue-deep", 0, "cold_ns", 140);
    expect_about("queue-deep", 0, "warm_ns", 100);
    expect("queue-deep", 0, "warm_ratio", 1);
    expect_about("queue-shallow", 0, "cold_ns", (2000 * 140 + 1000 * 100) / 3000.0);
    expect_about("queue-shallow", 0, "warm_ns", 100);
}
END_TEST

START_TEST(ageing_shows_how_far_apart_neighbours_lie)
{
    bench.parameters.queue.depth = 20000;
    bench.parameters.queue.repeats = 3;
    measure(&bench_ageing, "malloc");
    for (int age = 1; age <= 3; age++) {
        char name[16];
        snprintf(name, sizeof(name), "%d", age);
        expect_about("ageing", 0, name, 100);
        expect("ageing-distance", 0, name, 48);
        expect("ageing-near", 0, name, 100);
    }
    bench_result_close(&result);
    bench.runs = 3;
    cost.first_calls = 20000; /* the first time is slower, and not compared */
    cost.first_extra = 40;
    measure(&bench_ageing, "malloc");
    ck_assert(figure("ageing", 0, "1") > 110);
    expect_about("ageing", 0, "2", 100);
    for (size_t i = 0; i < result.note_count; i++) {
        ck_assert_msg(strstr(result.notes[i], "the last time takes") == NULL ||
                          strstr(result.notes[i], "takes 1.00 times the second") != NULL,
                      "%s", result.notes[i]);
    }
    bench_result_close(&result);
    bench.runs = 1;
    cost.first_extra = 0;
    cost.stride = 80;
    measure(&bench_ageing, "malloc");
    expect("ageing-distance", 0, "1", 80);
    expect("ageing-near", 0, "1", 0);
}
END_TEST

START_TEST(the_main_job_is_counted_and_timed_per_search)
{
    const char *one = "pointer-wars-searches";
    const double reading = 1e6, node = 1e5; /* ns: so that six digits of a second are exact */
    cost.reading = (uint64_t)reading;
    cost.request = 70000;
    cost.release = 30000;
    bench.parameters.job.searches = 1;
    measure(&bench_pointer_wars, "malloc");
    double pushed = figure(one, 0, "pushed");
    double visited = figure(one, 0, "visited");
    double seconds = (reading + node * pushed) / 1e9;
    ck_assert(pushed > visited && visited > 10);
    expect(one, 0, "search", 1);
    expect(one, 0, "seconds", seconds);
    expect(one, 0, "nodes_per_second", round(visited / seconds));
    ck_assert(figure(one, 0, "malloc_calls") > pushed);
    expect(one, 0, "free_calls", figure(one, 0, "malloc_calls"));
    expect("pointer-wars", 0, "malloc_calls", figure(one, 0, "malloc_calls"));
    expect("pointer-wars", 0, "wall_seconds", round(1e3 * seconds) / 1e3);
    expect("pointer-wars", 0, "highest_nodes_per_second", round(visited / seconds));
    expect("pointer-wars", 0, "ns_per_malloc", 70100); /* one reading for 10,000 nodes */
    expect("pointer-wars", 0, "ns_per_free", 30100);
    /* Replayed, a node costs nothing: what is left is a reading of the clock. */
    expect("pointer-wars-share", 0, "seconds", seconds);
    expect("pointer-wars-share", 0, "eliminated_percent",
           round(1e3 * node * pushed / 1e9 / seconds) / 10);
    expect("pointer-wars-share", 0, "estimated_percent",
           round(1e3 * pushed * 100200 / 1e9 / seconds) / 10);
}
END_TEST

START_TEST(a_share_of_more_than_the_whole_is_no_figure)
{
    cost.reading =
        1000000000; /* of the clock: all that a search takes, and twice per 10,000 nodes */
    bench.parameters.job.graph = "generate:nodes=20k,edges=400k,seed=3";
    bench.parameters.job.searches = 1;
    measure(&bench_pointer_wars, "malloc");
    ck_assert_double_gt(figure("pointer-wars-searches", 0, "pushed"), 5000);
    ck_assert(isnan(figure("pointer-wars-share", 0, "estimated_percent")));
    ck_assert_ptr_nonnull(strstr(result.notes[result.note_count - 1], "malloc: no estimate: "));
}
END_TEST

START_TEST(the_share_of_allocation_is_of_the_run_that_allocates)
{
    cost.reading = 1000000;
    cost.request = 7000;
    cost.release = 3000;
    bench.parameters.replay.workloads = "bfs";
    bench.parameters.job.searches = 3;
    measure(&bench_replay, "malloc");
    double vanilla = figure("replay", 0, "seconds"); /* four digits */
    double share = 100 * (vanilla - 0.003) / vanilla;
    ck_assert_msg(share > 20 && share < 80, "%f: nothing to distinguish", share);
    ck_assert_double_eq_tol(figure("replay", 0, "overhead_percent"), share, 1);
    for (size_t row = 1; row < 4; row++) { /* the replays: a reading of the clock per search */
        expect("replay", row, "seconds", 0.003);
        expect("replay", row, "overhead_percent", 0);
    }
}
END_TEST

START_TEST(a_trace_of_more_than_all_memory_is_refused)
{
    static unsigned char image[RECORDING_HEADER + 131072];
    struct recording_header header = {
        .magic = RECORDING_MAGIC, .version = RECORDING_VERSION, .program = "made"};
    uint8_t *at = image + RECORDING_HEADER;
    uint64_t last = 0;
    for (; header.calls < 5000; header.calls++) { /* 4 GiB each */
        const struct program_event event = {
            .kind = EVENT_MALLOC, .size = UINT32_MAX, .block = 4096 * (header.calls + 1)};
        at = event_put(at, &event, &last);
    }
    header.bytes = (uint64_t)(at - image) - RECORDING_HEADER;
    memcpy(image, &header, sizeof(header));
    bench.parameters.program.trace = fixture_bytes("made.rec", image, (size_t)(at - image));
    bench.experiment = &bench_trace;
    ck_assert(bench_set_cases(&bench, "malloc"));
    ck_assert(!bench_trace.run(&bench));
    ck_assert_ptr_nonnull(strstr(error.message, "needs 19.5 TiB of memory; available: "));
}
END_TEST

START_TEST(a_spread_of_shares_is_half_the_distance_of_their_quartiles)
{
    const double values[] = {10, 20, 40};
    const double bases[] = {8, 8, 8};
    /* 20, 60 and 80 per cent: quartiles 40 and 70 */
    ck_assert_double_eq_tol(bench_share_spread(values, bases, 3), 15, 1e-9);
}
END_TEST

int main(void)
{
    return suite_run(
        "allocbench", set_up, tear_down,
        (const TTest *[]){
            sizes_are_the_time_of_the_calls_without_the_clock_s,
            exhaustion_times_each_loop_as_a_whole,
            the_worst_case_has_two_free_blocks_side_by_side_and_three_as_published,
            a_purge_frees_two_fifths_of_what_is_alive_after_about_every_256th_request,
            purge_drops_the_longest_sample_of_a_batch_that_was_interrupted,
            distributions_subtract_the_fastest_pass_of_the_empty_loop,
            an_estimate_weighs_each_size_with_its_share, an_estimate_is_what_the_same_sizes_cost,
            a_product_is_as_uncertain_as_what_it_is_made_of, a_queue_is_cold_once_and_then_warm,
            ageing_shows_how_far_apart_neighbours_lie, the_main_job_is_counted_and_timed_per_search,
            a_share_of_more_than_the_whole_is_no_figure,
            the_share_of_allocation_is_of_the_run_that_allocates,
            a_trace_of_more_than_all_memory_is_refused,
            a_spread_of_shares_is_half_the_distance_of_their_quartiles, NULL});
}

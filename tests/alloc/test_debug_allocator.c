/*
 * test_debug_allocator.c - each mistake a program can make with a block is found and named.
 */
#include "base/macros.h"
#include "tests/support/fixture_file.h"
#include "tests/support/heap_fixture.h"
#include "tests/support/suite.h"

static struct node_heap heap;
static char report[4000];

static void add_line(void *context, const char *line)
{
    (void)context;
    strncat(report, line, sizeof(report) - strlen(report) - 1);
    strncat(report, "\n", sizeof(report) - strlen(report) - 1);
}

static const char *the_report(void)
{
    report[0] = '\0';
    node_allocator_report(heap.allocator, &(struct node_report){.line = add_line});
    return report;
}

static void assert_reported(const char *text)
{
    ck_assert_msg(strstr(the_report(), text) != NULL, "%s not in: %s", text, report);
    char message[400];
    ck_assert(!node_allocator_check(heap.allocator, message, sizeof(message)));
    ck_assert_ptr_nonnull(strstr(message, text));
}

START_TEST(a_sound_program_gets_an_empty_report)
{
    heap_open(&heap, "debug(slab)");
    heap_traffic(heap.allocator, 7, 2000, 100, 600);
    ck_assert_str_eq(the_report(), "");
    struct node_allocator_statistics statistics;
    node_allocator_statistics(heap.allocator, &statistics);
    ck_assert_str_eq(statistics.note, "no mistake, no block alive");
    node_heap_close(&heap);
}
END_TEST

START_TEST(a_double_release_is_reported_with_the_place_of_the_request)
{
    heap_open(&heap, "debug(first-fit:heap=1M)");
    void *block = node_allocator_allocate(heap.allocator, 24);
    node_allocator_release(heap.allocator, block, 24);
    node_allocator_release(heap.allocator, block, 24);
    assert_reported("double release: the block of 24 bytes at");
    ck_assert_ptr_nonnull(strstr(report, "request 1, by " CALLER("test_debug_allocator")));
    node_heap_close(&heap);
}
END_TEST

START_TEST(a_foreign_pointer_is_reported_and_left_alone)
{
    int mine = 5;
    heap_open(&heap, "debug(malloc)");
    node_allocator_release(heap.allocator, &mine, sizeof(mine));
    assert_reported("foreign pointer: ");
    ck_assert_int_eq(mine, 5);
    node_heap_close(&heap);
}
END_TEST

START_TEST(overruns_underruns_and_wrong_sizes_are_reported)
{
    heap_open(&heap, "debug(pool)");
    volatile char *block = node_allocator_allocate(heap.allocator, 20);
    block[20] = 1;
    block[-1] = 1;
    node_allocator_release(heap.allocator, (void *)(uintptr_t)block, 21);
    assert_reported("wrong size: the block of 20 bytes at");
    ck_assert_ptr_nonnull(strstr(report, "was released as 21"));
    ck_assert_ptr_nonnull(strstr(report, "overrun: bytes after the block of 20 bytes"));
    ck_assert_ptr_nonnull(strstr(report, "underrun: bytes before the block of 20 bytes"));
    node_heap_close(&heap);
}
END_TEST

START_TEST(blocks_taken_to_compare_are_given_back_and_not_counted)
{
    struct node_allocator_statistics found;
    heap_open(&heap, "debug(count(malloc))");
    void *block = node_allocator_allocate(heap.allocator, 24);
    node_allocator_statistics(heap.allocator, &found);
    ck_assert_uint_eq(found.requests, 1);
    ck_assert_uint_eq(found.releases, 0);
    node_allocator_release(heap.allocator, block, 24);
    node_allocator_trim(heap.allocator);
    node_allocator_statistics(heap.allocator, &found);
    ck_assert_uint_eq(found.requests, 1);
    ck_assert_uint_eq(found.releases, 1);
    node_heap_close(&heap);
}
END_TEST

START_TEST(every_byte_of_a_red_zone_is_compared)
{
    for (int at = -16; at < 36; at = at == -1 ? 20 : at + 1) {
        heap_open(&heap, "debug(pool)");
        volatile char *block = node_allocator_allocate(heap.allocator, 20);
        block[at] = 1;
        node_allocator_release(heap.allocator, (void *)(uintptr_t)block, 20);
        assert_reported(at < 0 ? "underrun" : "overrun");
        node_heap_close(&heap);
    }
}
END_TEST

START_TEST(a_write_shows_while_some_hundred_others_are_released)
{
    void *others[200];
    heap_open(&heap, "debug(block)");
    volatile char *block = node_allocator_allocate(heap.allocator, 20);
    for (size_t i = 0; i < 200; i++) {
        others[i] = node_allocator_allocate(heap.allocator, 20);
    }
    node_allocator_release(heap.allocator, (void *)(uintptr_t)block, 20);
    for (size_t i = 0; i < 200; i++) {
        node_allocator_release(heap.allocator, others[i], 20);
    }
    block[3] = 1;
    node_allocator_trim(heap.allocator);
    assert_reported("use after release: the block of 20 bytes");
    node_heap_close(&heap);
}
END_TEST

START_TEST(a_write_after_the_release_is_reported)
{
    heap_open(&heap, "debug(block)");
    volatile char *block = node_allocator_allocate(heap.allocator, 20);
    node_allocator_release(heap.allocator, (void *)(uintptr_t)block, 20);
    block[3] = 1;
    node_allocator_trim(heap.allocator);
    assert_reported("use after release: the block of 20 bytes");
    node_heap_close(&heap);
}
END_TEST

START_TEST(blocks_alive_at_the_end_are_listed_in_the_file)
{
    char specification[200];
    const char *path = fixture_path("report.txt");
    snprintf(specification, sizeof(specification), "debug(slab,report=%s)", path);
    heap_open(&heap, specification);
    ck_assert_ptr_nonnull(node_allocator_allocate(heap.allocator, 48));
    node_allocator_release(heap.allocator, &heap, 16);
    node_heap_close(&heap);
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    char line[1000];
    ck_assert_ptr_nonnull(fgets(line, sizeof(line), file));
    ck_assert_ptr_nonnull(strstr(line, "foreign pointer"));
    ck_assert_ptr_nonnull(fgets(line, sizeof(line), file));
    ck_assert_ptr_nonnull(strstr(line, "alive: 48 bytes at "));
    ck_assert_ptr_nonnull(strstr(line, "request 1, by " CALLER("test_debug_allocator")));
    ck_assert_ptr_null(fgets(line, sizeof(line), file));
    fclose(file);
}
END_TEST

START_TEST(an_old_report_stays_until_something_is_requested)
{
    char line[40];
    char specification[300];
    const char *path = fixture_text("old.report", "old\n");
    snprintf(specification, sizeof(specification), "debug(malloc,report=%s)", path);
    for (int requests = 0; requests < 2; requests++) {
        heap_open(&heap, specification);
        for (int i = 0; i < requests; i++) {
            void *block = node_allocator_allocate(heap.allocator, 16);
            node_allocator_release(heap.allocator, block, 16);
        }
        node_heap_close(&heap);
        FILE *file = fopen(path, "r");
        ck_assert((fgets(line, sizeof(line), file) != NULL) == (requests == 0));
        fclose(file);
    }
}
END_TEST

/* An allocator as bad as the test asks for: over malloc, each second block lies wrong. */
START_TEST(blocks_of_a_bad_allocator_are_reported_and_replaced)
{
    static const struct {
        const char *mistake, *first, *other; /* other: with its red zones, the same mistake */
    } mistakes[] = {{"OVERLAP", "overlap: the allocator gave 56 bytes at 0x",
                     "overlap: the allocator gave 56 bytes at 0x"},
                    {"MISALIGN", "misaligned: the allocator gave 24 bytes at 0x",
                     "misaligned: the allocator gave 56 bytes at 0x"},
                    {"CLOSE", "overlap: the allocator gave 24 bytes at 0x",
                     "overlap: the allocator gave 24 bytes at 0x"}};
    char command[1500];
    char specification[300];
    const char *object = fixture_path("broken.so");
    snprintf(command, sizeof(command),
             "%s -std=c17 -shared -fPIC -DBREAKS=%s -I '%s' -o '%s' '%s' 2>&1", PLUGIN_COMPILER,
             mistakes[_i].mistake, PLUGIN_INCLUDE, object, PLUGIN_BROKEN);
    ck_assert_int_eq(system(command), 0);
    snprintf(specification, sizeof(specification), "debug(plugin:%s)", object);
    heap_open(&heap, specification);
    char *blocks[200];
    for (int i = 0; i < 200; i++) {
        blocks[i] = node_allocator_allocate(heap.allocator, 24);
        ck_assert_uint_eq((uintptr_t)blocks[i] % 16, 0);
        memset(blocks[i], i, 24);
    }
    for (int i = 0; i < 200; i++) {
        ck_assert(blocks[i][0] == (char)i && blocks[i][23] == (char)i);
        node_allocator_release(heap.allocator, blocks[i], 24);
    }
    assert_reported(mistakes[_i].first);
    ck_assert_ptr_nonnull(strstr(report, mistakes[_i].other));
    ck_assert_ptr_null(strstr(report, "overrun"));
    node_heap_close(&heap);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {a_sound_program_gets_an_empty_report,
                                  a_double_release_is_reported_with_the_place_of_the_request,
                                  a_foreign_pointer_is_reported_and_left_alone,
                                  overruns_underruns_and_wrong_sizes_are_reported,
                                  blocks_taken_to_compare_are_given_back_and_not_counted,
                                  every_byte_of_a_red_zone_is_compared,
                                  a_write_after_the_release_is_reported,
                                  a_write_shows_while_some_hundred_others_are_released,
                                  blocks_alive_at_the_end_are_listed_in_the_file,
                                  an_old_report_stays_until_something_is_requested,
                                  NULL};
    const TTest *const for_each[] = {blocks_of_a_bad_allocator_are_reported_and_replaced, NULL};
    const struct suite_case cases[] = {{tests, NULL, NULL, 0, 0}, {for_each, NULL, NULL, 0, 3}};
    return suite_run_cases("debug allocator", COUNT_OF(cases), cases);
}

/*
 * test_recording.c - recordings and traces: what is written is read, and what is broken is refused.
 */
#include "perf/program/address_table.h"
#include "perf/program/block_classes.h"
#include "perf/program/launch.h"
#include "perf/program/process_memory.h"
#include "perf/program/recording.h"
#include "perf/program/trace.h"
#include "tests/support/fixture_file.h"
#include "tests/support/random.h"
#include "tests/support/require.h"
#include "tests/support/suite.h"
#include <math.h>
#include <sys/mman.h>
#include <sys/resource.h>

#define BYTES_MAX ((size_t)1 << 16)

/* A recording being put together. */
static unsigned char image[RECORDING_HEADER + BYTES_MAX];
static uint8_t *at;
static uint64_t last, calls;

static void start(void)
{
    memset(image, 0, sizeof(image));
    at = image + RECORDING_HEADER;
    last = calls = 0;
}

static void add(struct program_event event)
{
    at = event_put(at, &event, &last);
    calls += event.kind < EVENT_THREAD;
}

static const char *finish(void)
{
    struct recording_header header = {.magic = RECORDING_MAGIC,
                                      .version = RECORDING_VERSION,
                                      .bytes = (uint64_t)(at - image) - RECORDING_HEADER,
                                      .calls = calls,
                                      .program = "made",
                                      .is_placed = 1};
    memcpy(image, &header, sizeof(header));
    return fixture_bytes("made.rec", image, (size_t)(at - image));
}

/* Three requests, as a small program makes them; one of them moves. */
static const char *small_recording(void)
{
    start();
    add((struct program_event){.kind = EVENT_THREAD, .size = 1});
    add((struct program_event){.kind = EVENT_MALLOC, .size = 100, .block = 4096});
    add((struct program_event){.kind = EVENT_CALLOC, .size = 24, .block = 8192});
    add((struct program_event){.kind = EVENT_REALLOC, .size = 300, .old = 4096, .block = 12288});
    add((struct program_event){.kind = EVENT_FREE, .block = 8192});
    add((struct program_event){
        .kind = EVENT_ALIGNED, .size = 10, .alignment_shift = 6, .block = 16384});
    add((struct program_event){.kind = EVENT_MALLOC, .size = UINT64_MAX, .block = 0});
    add((struct program_event){.kind = EVENT_FREE, .block = 16384});
    return finish();
}

START_TEST(each_size_class_holds_its_sizes)
{
    size_t size = 1;
    for (unsigned class = 0; class < BLOCK_CLASSES; class ++) {
        require_msg(class_of_size(size) == class, "the class of the smallest size");
        size = class_bytes(class);
        require_msg(class_of_size(size) == class, "the class of the largest size");
        require_msg(size % BLOCK_UNIT == 0 && class_pages(class) >= 1, "whole units and pages");
        size++;
    }
    ck_assert_uint_ge(size, BLOCK_BYTES_MAX);
    ck_assert_uint_eq(moved_size(32768), 32768);
    ck_assert_uint_eq(moved_size(100000), 800000);
    ck_assert_uint_eq(aligned_size(16, 100), 100);
    ck_assert_uint_eq(aligned_size(64, 10), 64);
    ck_assert_uint_eq(aligned_size(64, 65), 128);
    ck_assert_uint_eq(aligned_size(4096, 4096), 4096);
}
END_TEST

START_TEST(random_calls_are_read_as_they_were_written)
{
    static struct program_event written[2000];
    struct rng random = random_start(__func__);
    start();
    for (size_t i = 0; i < 2000; i++) {
        const unsigned shift = (unsigned)random_below(&random, 31);
        written[i] = (struct program_event){
            .kind = (enum program_event_kind)(EVENT_MALLOC + random_below(&random, 5)),
            .size = random_below(&random, 1 << 16) << random_below(&random, 30),
            .block = random_below(&random, 1U << shift)};
        if (written[i].kind == EVENT_REALLOC) {
            written[i].old = 1 + random_below(&random, 1U << shift);
        } else if (written[i].kind == EVENT_ALIGNED) {
            written[i].alignment_shift = (unsigned)random_below(&random, 40);
        } else if (written[i].kind == EVENT_FREE) {
            written[i].size = 0;
        }
        add(written[i]);
    }
    struct recording recording;
    struct command_error error;
    struct program_event event;
    ck_assert_msg(recording_open(&recording, finish(), &error), "%s", error.message);
    struct recording_cursor cursor = {.at = recording.events};
    for (size_t i = 0; i < 2000; i++) {
        require_msg(recording_next(&recording, &cursor, &event), "a call is missing");
        require_msg(event.kind == written[i].kind && event.size == written[i].size &&
                        event.block == written[i].block && event.old == written[i].old &&
                        event.alignment_shift == written[i].alignment_shift,
                    "a call differs");
    }
    ck_assert(!recording_next(&recording, &cursor, &event));
    recording_close(&recording);
}
END_TEST

START_TEST(the_calls_of_a_recording_are_counted)
{
    struct recording recording;
    struct recording_summary summary;
    struct command_error error;
    ck_assert_msg(recording_open(&recording, small_recording(), &error), "%s", error.message);
    ck_assert(recording_summarize(&recording, &summary));
    ck_assert_uint_eq(summary.requests, 5);
    ck_assert_uint_eq(summary.callocs, 1);
    ck_assert_uint_eq(summary.reallocs, 1);
    ck_assert_uint_eq(summary.aligned, 1);
    ck_assert_uint_eq(summary.releases, 2);
    ck_assert_uint_eq(summary.failed, 1);
    ck_assert_uint_eq(summary.live_peak, 324);
    ck_assert_uint_eq(summary.live_end, 300);
    ck_assert_uint_eq(summary.buckets[6], 1);
    ck_assert_uint_eq(summary.buckets[8], 1);
    recording_close(&recording);
}
END_TEST

/* Two requests of one call site, whose text comes with the first; length: what the text claims. */
static const char *recording_of_site(size_t length)
{
    start();
    add((struct program_event){.kind = EVENT_SITE, .size = length * 2 + 1});
    memcpy(at, "a+0x1", 5);
    at += 5;
    add((struct program_event){.kind = EVENT_MALLOC, .size = 100, .block = 4096});
    add((struct program_event){.kind = EVENT_SITE, .size = 0});
    add((struct program_event){.kind = EVENT_MALLOC, .size = 24, .block = 8192});
    add((struct program_event){.kind = EVENT_SITE, .size = 2});
    add((struct program_event){.kind = EVENT_MALLOC, .size = 24, .block = 8200});
    return finish();
}

START_TEST(each_request_has_its_call_site)
{
    static const uint32_t sites[] = {1, 0, 1};
    struct trace trace;
    struct command_error error;
    ck_assert_msg(trace_read(&trace, recording_of_site(5), &error), "%s", error.message);
    ck_assert_uint_eq(trace.steps, 3);
    for (size_t i = 0; i < 3; i++) {
        ck_assert_uint_eq(trace.marks[2 * i + 1], sites[i]);
    }
    ck_assert_uint_eq(trace.site_count, 1);
    ck_assert_str_eq(trace.sites[0], "a+0x1");
    ck_assert_uint_eq(trace.live_end, 148);
    trace_close(&trace);
}
END_TEST

START_TEST(a_call_site_that_is_longer_than_its_recording_is_refused)
{
    struct trace trace;
    struct command_error error;
    ck_assert(!trace_read(&trace, recording_of_site(100000), &error));
    ck_assert_ptr_nonnull(strstr(error.message, "is corrupt"));
    trace_close(&trace);
}
END_TEST

START_TEST(a_realloc_that_fails_leaves_the_block_alive)
{
    struct recording recording;
    struct recording_summary summary;
    struct command_error error;
    start();
    add((struct program_event){.kind = EVENT_MALLOC, .size = 100, .block = 4096});
    add((struct program_event){.kind = EVENT_REALLOC, .size = 1 << 20, .old = 4096, .block = 0});
    ck_assert_msg(recording_open(&recording, finish(), &error), "%s", error.message);
    ck_assert(recording_summarize(&recording, &summary));
    ck_assert_uint_eq(summary.failed, 1);
    ck_assert_uint_eq(summary.live_end, 100);
    recording_close(&recording);
}
END_TEST

START_TEST(the_table_of_a_replay_has_each_answer_in_order)
{
    struct recording recording;
    struct command_error error;
    uint64_t requests = 0;
    uint32_t words[8];
    ck_assert_msg(recording_open(&recording, small_recording(), &error), "%s", error.message);
    ck_assert_msg(recording_write_replay(&recording, fixture_folder, &requests, &error), "%s",
                  error.message);
    ck_assert_uint_eq(requests, 5);
    FILE *file = fopen(fixture_path("table"), "rb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fread(words, sizeof(words[0]), 8, file), 5);
    fclose(file);
    const uint64_t blocks[] = {4096, 8192, 12288, 16384, 0};
    for (size_t i = 0; i < 5; i++) {
        ck_assert_uint_eq(words[i], replay_word(blocks[i], blocks[i] != 0));
    }
    file = fopen(fixture_path("pages"), "rb");
    ck_assert_ptr_nonnull(file);
    for (uint64_t i = 0; i < 4; i++) {
        static const size_t sizes[] = {100, 24, 300, 64};
        fseek(file, (long)(blocks[i] * BLOCK_UNIT / BLOCK_PAGE_BYTES), SEEK_SET);
        ck_assert_int_eq(fgetc(file), (int)class_of_size(sizes[i]) + 1);
    }
    fclose(file);
    recording_close(&recording);
}
END_TEST

/* The message about a changed recording. */
static const char *refusal(size_t length)
{
    static struct command_error error;
    struct recording recording;
    error.message[0] = '\0';
    if (recording_open(&recording, fixture_bytes("broken.rec", image, length), &error)) {
        recording_close(&recording);
    }
    return error.message;
}

START_TEST(a_broken_recording_is_refused)
{
    small_recording();
    const size_t length = (size_t)(at - image);
    ck_assert_str_eq(refusal(length), "");
    ck_assert_ptr_nonnull(strstr(refusal(length - 3), "is cut: 3 bytes of calls are missing"));
    ck_assert_ptr_nonnull(strstr(refusal(100), "is not a recording"));
    ck_assert_ptr_nonnull(strstr(refusal(0), "is not a recording"));
    image[RECORDING_HEADER] = 0; /* a kind that there is not */
    ck_assert_ptr_nonnull(strstr(refusal(length), "is corrupt"));
    small_recording();
    memcpy(image + 8, &(uint32_t){RECORDING_VERSION + 3}, 4);
    ck_assert_ptr_nonnull(strstr(refusal(length), "version 7"));
}
END_TEST

/* Of a process that was killed, a call more or less may be counted than was written. */
START_TEST(a_recording_counts_its_calls_but_for_one)
{
    for (int more = -2; more <= 2; more++) {
        small_recording();
        const uint64_t wrong = calls + (uint64_t)more;
        memcpy(image + offsetof(struct recording_header, calls), &wrong, sizeof(wrong));
        const char *message = refusal((size_t)(at - image));
        ck_assert_msg((message[0] == '\0') == (more * more <= 1), "%d more: %s", more, message);
    }
    start();
    add((struct program_event){.kind = EVENT_MALLOC, .size = 100000, .block = 4096});
    finish();
    const uint64_t bytes = (uint64_t)(at - image) - RECORDING_HEADER - 1; /* inside of the call */
    memcpy(image + offsetof(struct recording_header, bytes), &bytes, sizeof(bytes));
    ck_assert_ptr_nonnull(strstr(refusal((size_t)(at - image)), "is corrupt"));
}
END_TEST

START_TEST(no_byte_of_a_recording_makes_its_reader_leave_it)
{
    struct rng random = random_start(__func__);
    for (int round = 0; round < 500; round++) {
        small_recording();
        const size_t length = (size_t)(at - image);
        image[random_below(&random, length - RECORDING_HEADER) + RECORDING_HEADER] =
            (unsigned char)random_below(&random, 256);
        struct trace trace;
        struct command_error error;
        struct recording recording;
        struct recording_summary summary;
        const char *path = fixture_bytes("random.rec", image, length);
        trace_read(&trace, path, &error);
        trace_close(&trace);
        if (recording_open(&recording, path, &error)) {
            require_msg(recording_summarize(&recording, &summary), "the summary");
            recording_close(&recording);
        }
    }
}
END_TEST

/* Compare a trace with steps: slot and size, up to a slot of 99. */
static void check_steps(const char *path, const uint32_t (*steps)[2], uint64_t left_out)
{
    struct trace trace;
    struct command_error error;
    size_t count = 0;
    ck_assert_msg(trace_read(&trace, path, &error), "%s", error.message);
    for (; steps[count][0] != 99; count++) {
        ck_assert_uint_lt(count, trace.steps);
        ck_assert_uint_eq(trace.words[2 * count], steps[count][0]);
        ck_assert_uint_eq(trace.words[2 * count + 1], steps[count][1]);
    }
    ck_assert_uint_eq(trace.steps, count);
    ck_assert_uint_eq(trace.left_out, left_out);
    trace_close(&trace);
}

START_TEST(a_recording_is_a_trace)
{
    static const uint32_t steps[][2] = {{0, 100}, {1, 24}, {2, 300}, {0, 0},
                                        {1, 0},   {1, 10}, {1, 0},   {99, 0}};
    check_steps(small_recording(), steps, 1);
}
END_TEST

START_TEST(the_address_table_keeps_every_address)
{
    struct address_table table = {.entries = NULL};
    bool is_new = false;
    for (uint64_t i = 1; i <= 20000; i++) {
        struct address_entry *entry = address_table_find(&table, i * 16, &is_new);
        require_msg(entry != NULL && is_new && entry->value == ADDRESS_FREE, "a new address");
        entry->value = i;
    }
    for (uint64_t i = 1; i <= 20000; i++) {
        const struct address_entry *entry = address_table_find(&table, i * 16, &is_new);
        require_msg(!is_new && entry->value == i, "an old address");
    }
    ck_assert_uint_eq(table.count, 20000);
    address_table_close(&table);
}
END_TEST

/* The pages that the kernel may take, in KiB: as it says itself, of all mappings together. 0 where
 * nothing was done: an emulator accepts MADV_FREE and ignores it. */
static unsigned long lazily_free(void)
{
    char line[200];
    unsigned long kib = 0;
    FILE *file = fopen("/proc/self/smaps_rollup", "r");
    while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
        (void)sscanf(line, "LazyFree: %lu kB", &kib);
    }
    if (file != NULL) {
        fclose(file);
    }
    return kib;
}

START_TEST(memory_that_the_kernel_may_take_is_not_of_the_heap)
{
    /* What is measured is far larger than what else comes up in between: Valgrind keeps the
       instructions that it translates in the same memory. */
    static const size_t size = (size_t)64 << 20, tolerance = (size_t)16 << 20;
    struct program_memory before, held, freed;
    process_memory_read(&before);
    /* With a gap before it: pages that follow a file's own are taken for the file's. */
    const size_t gap = (size_t)sysconf(_SC_PAGESIZE);
    char *pages =
        mmap(NULL, gap + size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(pages, MAP_FAILED);
    ck_assert_int_eq(munmap(pages, gap), 0);
    pages += gap;
    memset(pages, 1, size);
    process_memory_read(&held);
    if (before.heap > 0) { /* else the system does not say */
        ck_assert_uint_ge(held.heap, before.heap + size);
        ck_assert_uint_lt(held.heap, before.heap + size + tolerance);
    }
    if (madvise(pages, size, MADV_FREE) == 0 && lazily_free() > 0) {
        process_memory_read(&freed);
        ck_assert_uint_lt(freed.heap, before.heap + tolerance);
    }
    munmap(pages, size);
}
END_TEST

/* Seconds of the children that have ended, in user and system mode. */
static double children_s(void)
{
    struct rusage usage;
    ck_assert_int_eq(getrusage(RUSAGE_CHILDREN, &usage), 0);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

START_TEST(the_processor_time_of_a_command_is_its_user_and_system_time)
{
    char *command[] = {"dd", "if=/dev/zero", "of=/dev/null", "bs=64k", "count=4000", NULL};
    struct launch launch = {.command = command};
    struct launch_outcome outcome;
    struct command_error error;
    launch.control = mmap(NULL, sizeof(*launch.control), PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(launch.control, MAP_FAILED);
    snprintf(launch.folder, sizeof(launch.folder), "%s", fixture_path("output"));
    *strrchr(launch.folder, '/') = '\0';
    const double before = children_s();
    ck_assert_msg(launch_run(&launch, LAUNCH_PLAIN, PROGRAM_REPLAY, NULL, &outcome, &error), "%s",
                  error.message);
    ck_assert_int_eq(outcome.status, 0);
    ck_assert_double_gt(outcome.processor_s, 0);
    ck_assert_double_le(fabs(outcome.processor_s - (children_s() - before)), 1e-5);
    munmap(launch.control, sizeof(*launch.control));
}
END_TEST

int main(void)
{
    return suite_run(
        "recording", NULL, NULL,
        (const TTest *[]){
            each_size_class_holds_its_sizes, random_calls_are_read_as_they_were_written,
            the_calls_of_a_recording_are_counted, each_request_has_its_call_site,
            a_call_site_that_is_longer_than_its_recording_is_refused,
            a_realloc_that_fails_leaves_the_block_alive, a_recording_counts_its_calls_but_for_one,
            memory_that_the_kernel_may_take_is_not_of_the_heap,
            the_processor_time_of_a_command_is_its_user_and_system_time,
            the_table_of_a_replay_has_each_answer_in_order, a_broken_recording_is_refused,
            no_byte_of_a_recording_makes_its_reader_leave_it, a_recording_is_a_trace,
            the_address_table_keeps_every_address, NULL});
}

/*
 * test_kernel_calls.c - the calls with which memory is asked of the kernel are counted, those of
 * the C library's allocator too, and nothing else changes.
 */
#include "perf/counters/kernel_calls.h"
#include "tests/support/suite.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static bool possible; /* this machine can count them */
static struct kernel_calls calls;

static void set_up(void)
{
    possible = kernel_calls_arm() == NULL;
}

static void tear_down(void)
{
    kernel_calls_disarm();
}

START_TEST(each_kind_of_call_is_counted_by_its_name)
{
    kernel_calls_begin();
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int advised = madvise(page, 4096, MADV_DONTNEED);
    int unmapped = munmap(page, 4096);
    kernel_calls_end(&calls);
    ck_assert_ptr_ne(page, MAP_FAILED);
    ck_assert_int_eq(advised, 0);
    ck_assert_int_eq(unmapped, 0);
    ck_assert(calls.counted == possible);
    if (possible) {
        ck_assert_uint_eq(calls.calls[KERNEL_CALL_MMAP], 1);
        ck_assert_uint_eq(calls.calls[KERNEL_CALL_MADVISE], 1);
        ck_assert_uint_eq(calls.calls[KERNEL_CALL_MUNMAP], 1);
        ck_assert_uint_eq(calls.calls[KERNEL_CALL_BRK], 0);
    }
}
END_TEST

START_TEST(moving_the_break_by_hand_is_a_call_of_brk)
{
    void *before = sbrk(0);
    kernel_calls_begin();
    void *old = sbrk(4096);
    sbrk(-4096);
    kernel_calls_end(&calls);
    ck_assert_ptr_eq(old, before);
    ck_assert(calls.counted == possible);
    ck_assert_uint_eq(calls.calls[KERNEL_CALL_BRK], possible ? 2 : 0);
    ck_assert_uint_eq(calls.calls[KERNEL_CALL_MMAP], 0);
    ck_assert_uint_eq(calls.calls[KERNEL_CALL_MUNMAP], 0);
}
END_TEST

START_TEST(the_calls_the_allocator_makes_are_counted)
{
    kernel_calls_begin();
    void *volatile large = malloc((size_t)64 << 20);
    free(large);
    kernel_calls_end(&calls);
    if (possible) {
        uint64_t sum = calls.calls[KERNEL_CALL_BRK] + calls.calls[KERNEL_CALL_MMAP];
        ck_assert_uint_ge(sum, 1);
    } else {
        ck_assert_ptr_nonnull(calls.why);
    }
}
END_TEST

START_TEST(calls_outside_a_region_are_not_counted)
{
    kernel_calls_begin();
    kernel_calls_end(&calls);
    void *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(page, 4096);
    for (int i = 0; i < KERNEL_CALL_COUNT; i++) {
        ck_assert_uint_eq(calls.calls[i], 0);
    }
}
END_TEST

START_TEST(other_calls_and_failures_come_through_unchanged)
{
    kernel_calls_begin();
    pid_t self = getpid();
    errno = 0;
    int result = munmap((void *)1, 4096); /* not on a page */
    int failure = errno;
    char byte = 0;
    int ends[2];
    int made = pipe(ends);
    ssize_t written = write(ends[1], "x", 1);
    ssize_t got = read(ends[0], &byte, 1);
    close(ends[0]);
    close(ends[1]);
    kernel_calls_end(&calls);
    ck_assert_int_eq(self, getpid());
    ck_assert_int_eq(result, -1);
    ck_assert_int_eq(failure, EINVAL);
    ck_assert_int_eq(made, 0);
    ck_assert_int_eq((int)written, 1);
    ck_assert_int_eq((int)got, 1);
    ck_assert_int_eq(byte, 'x');
}
END_TEST

static volatile sig_atomic_t signals_seen;

static void on_signal(int number)
{
    (void)number;
    signals_seen = signals_seen + 1;
}

START_TEST(a_signal_in_the_region_is_handled_and_the_counts_are_given_up)
{
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    sigaction(SIGUSR1, &action, NULL);
    signals_seen = 0;
    kernel_calls_begin();
    kill(getpid(), SIGUSR1);
    kernel_calls_end(&calls);
    ck_assert_int_eq(signals_seen, 1);
    ck_assert(!calls.counted);
    ck_assert_ptr_nonnull(calls.why);
    kernel_calls_begin(); /* and the next region counts again */
    kernel_calls_end(&calls);
    ck_assert(calls.counted == possible);
}
END_TEST

START_TEST(a_child_made_in_the_region_runs)
{
    int status = -1;
    kernel_calls_begin();
    pid_t child = fork();
    if (child == 0) {
        _exit(7);
    }
    waitpid(child, &status, 0);
    kernel_calls_end(&calls);
    ck_assert(WIFEXITED(status));
    ck_assert_int_eq(WEXITSTATUS(status), 7);
    ck_assert(!calls.counted);
}
END_TEST

START_TEST(without_arming_nothing_is_counted_and_nothing_breaks)
{
    kernel_calls_disarm();
    kernel_calls_begin();
    void *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(page, 4096);
    kernel_calls_end(&calls);
    ck_assert(!calls.counted);
    ck_assert_ptr_nonnull(calls.why);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        each_kind_of_call_is_counted_by_its_name,
        moving_the_break_by_hand_is_a_call_of_brk,
        the_calls_the_allocator_makes_are_counted,
        calls_outside_a_region_are_not_counted,
        other_calls_and_failures_come_through_unchanged,
        a_signal_in_the_region_is_handled_and_the_counts_are_given_up,
        a_child_made_in_the_region_runs,
        without_arming_nothing_is_counted_and_nothing_breaks,
        NULL,
    };
    return suite_run("kernel_calls", set_up, tear_down, tests);
}

/*
 * test_program_parts.c - how a program ends: Ctrl-C, and an output that could not be written.
 */
#include "base/program/interrupt.h"
#include "base/program/output.h"
#include "tests/support/suite.h"
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

START_TEST(a_second_signal_ends_the_program_that_only_remembers_the_first)
{
    static const int signals[] = {SIGINT, SIGTERM};
    pid_t child = fork();
    if (child == 0) {
        interrupt_install("test");
        raise(signals[_i]);
        if (*interrupt_flag() == signals[_i]) {
            raise(signals[_i]);
        }
        _exit(0);
    }
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFSIGNALED(status));
    ck_assert_int_eq(WTERMSIG(status), signals[_i]);
}
END_TEST

START_TEST(a_signal_makes_no_read_or_write_fail)
{
    static const int signals[] = {SIGINT, SIGTERM};
    struct sigaction now;
    interrupt_install("test");
    ck_assert_int_eq(sigaction(signals[_i], NULL, &now), 0);
    ck_assert(now.sa_flags & SA_RESTART); /* the caller looks at the flag where it may end */
}
END_TEST

/* The first write fails, for the reason that cookie points to; the others do not. */
static ssize_t fail_once(void *cookie, const char *bytes, size_t size)
{
    int *reason = cookie;
    (void)bytes;
    errno = *reason;
    *reason = 0;
    return errno != 0 ? -1 : (ssize_t)size;
}

/* The disk was full for a moment: when the end is written there is no error to be asked for. */
START_TEST(an_output_of_which_a_part_is_lost_fails_also_if_no_later_write_does)
{
    struct command_error error = {0};
    int reason = ENOSPC;
    FILE *out = fopencookie(&reason, "w", (cookie_io_functions_t){.write = fail_once});
    ck_assert_ptr_nonnull(out);
    fputs("lost", out);
    ck_assert_int_eq(fflush(out), EOF);
    ck_assert(!output_close(out, NULL, true, &error));
    ck_assert_msg(strstr(error.message, strerror(EIO)) != NULL, "%s", error.message);
}
END_TEST

int main(void)
{
    const TTest *const for_each_signal[] = {
        a_second_signal_ends_the_program_that_only_remembers_the_first,
        a_signal_makes_no_read_or_write_fail, NULL};
    const TTest *const once[] = {
        an_output_of_which_a_part_is_lost_fails_also_if_no_later_write_does, NULL};
    const struct suite_case cases[] = {{for_each_signal, NULL, NULL, 0, 2},
                                       {once, NULL, NULL, 0, 0}};
    return suite_run_cases("program parts", 2, cases);
}

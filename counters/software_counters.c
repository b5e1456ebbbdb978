/*
 * software_counters.c - getrusage and the thread's processor clock. perf_event_open is not used: if
 * a program may count itself only in user mode, the kernel's software events read as zero.
 */
#include "software_counters.h"
#include "base/pw_assert.h"
#include <string.h>
#include <sys/resource.h>
#include <time.h>

void software_counters_read(struct software_counters *out)
{
    struct rusage usage;
    struct timespec clock;
    memset(out, 0, sizeof(*out));
    if (getrusage(RUSAGE_THREAD, &usage) == 0) {
        out->faults_minor = (uint64_t)usage.ru_minflt;
        out->faults_major = (uint64_t)usage.ru_majflt;
        out->switches_voluntary = (uint64_t)usage.ru_nvcsw;
        out->switches_involuntary = (uint64_t)usage.ru_nivcsw;
    }
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &clock) == 0) {
        out->task_clock_ns = (uint64_t)clock.tv_sec * 1000000000u + (uint64_t)clock.tv_nsec;
    }
}

struct software_counters software_counters_between(const struct software_counters *before,
                                                   const struct software_counters *after)
{
    pw_assert(after->task_clock_ns >= before->task_clock_ns);
    pw_assert(after->faults_minor >= before->faults_minor);
    pw_assert(after->switches_voluntary >= before->switches_voluntary);
    pw_assert(after->switches_involuntary >= before->switches_involuntary);
    return (struct software_counters){
        .task_clock_ns = after->task_clock_ns - before->task_clock_ns,
        .faults_minor = after->faults_minor - before->faults_minor,
        .faults_major = after->faults_major - before->faults_major,
        .switches_voluntary = after->switches_voluntary - before->switches_voluntary,
        .switches_involuntary = after->switches_involuntary - before->switches_involuntary,
    };
}

/*
 * software_counters.h - the kernel's accounts of every thread: processor time, page faults, context
 * switches. They work everywhere, without a processor counter and without a privilege.
 */
#pragma once

#include <stdint.h>

/* Amounts of the calling thread: since its start (a reading) or between two readings. */
struct software_counters {
    uint64_t task_clock_ns; /* time on a processor */
    uint64_t faults_minor;  /* pages supplied without reading a disk */
    uint64_t faults_major;  /* pages that had to be read */
    uint64_t switches_voluntary;
    uint64_t switches_involuntary; /* taken off the processor: the search was disturbed */
};

/* Read the calling thread's accounts. Two system calls. */
void software_counters_read(struct software_counters *out);

/* What was added between two readings of one thread. */
struct software_counters software_counters_between(const struct software_counters *before,
                                                   const struct software_counters *after);

/*
 * kernel_calls.h - count the system calls with which memory is asked of the kernel.
 *
 * Why not simpler: the articles report the brk calls of a search, which glibc's malloc makes inside
 * libc.so, where no wrapper and no LD_PRELOAD sees them. Every other way needs a second process
 * (ptrace, seccomp) or a privilege (perf's tracepoints); this one costs a signal per call, some 3
 * us.
 *
 * The counts are of the calling thread, between begin and end. kernel_calls.c says how.
 * One thread at a time may count; a thread must not be started between begin and end.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum kernel_call {
    KERNEL_CALL_BRK,
    KERNEL_CALL_MMAP,
    KERNEL_CALL_MUNMAP,
    KERNEL_CALL_MADVISE,
    KERNEL_CALL_COUNT
};

struct kernel_calls {
    bool counted;    /* false: the counts mean nothing, why says so */
    const char *why; /* a static sentence when not counted, else NULL */
    uint64_t calls[KERNEL_CALL_COUNT];
};

/*
 * Make ready for counting in the calling thread. Returns NULL, or a static sentence that says why
 * these calls cannot be counted here (begin and end may be called all the same). Repeating it does
 * nothing. Undone by kernel_calls_disarm.
 */
const char *kernel_calls_arm(void);

/* Give the signal and the dispatch back to the kernel's defaults. */
void kernel_calls_disarm(void);

/* Count from here. No system call, no cost. */
void kernel_calls_begin(void);

/* Stop counting; what was counted since begin. */
void kernel_calls_end(struct kernel_calls *out);

/*
 * kernel_calls.c - catch brk, mmap, munmap and madvise where they enter the kernel.
 *
 * 1. Syscall user dispatch (Linux 5.11, x86-64): while a byte of ours says "block", every system
 *    call of this thread becomes a SIGSYS. A store switches it off again.
 * 2. The handler counts, and makes the call itself from a few instructions whose address range is
 *    exempt. The signal's return lies in that range too, or it would be caught as well.
 * 3. A call that cannot be made inside a handler (fork, another handler's return) switches the
 *    dispatch off for the rest of the region, which is then reported as not counted.
 * Cost: a signal per call. A thread started meanwhile blocks signals, so SIGSYS would end it.
 * Source: Documentation/admin-guide/syscall-user-dispatch.rst of the kernel.
 */
#include "kernel_calls.h"
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define SELECTOR_ALLOW 0
#define SELECTOR_BLOCK 1

/* What the kernel's rt_sigaction takes on x86-64. */
struct kernel_sigaction {
    void (*handler)(int, siginfo_t *, void *);
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
};

/* All state; touched by the thread that armed, and by its signal handler. */
static struct {
    volatile unsigned char selector; /* read by the kernel at every system call */
    bool armed;
    volatile bool let_through; /* a call was let through: the region is incomplete */
    struct kernel_sigaction previous;
    volatile uint64_t calls[KERNEL_CALL_COUNT];
} state;

#if defined(__x86_64__) && defined(__linux__) && defined(__LP64__)

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#endif

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#define PR_SYS_DISPATCH_OFF          0
#define PR_SYS_DISPATCH_ON           1
#endif
#define SA_RESTORER_  0x04000000 /* the kernel's SA_RESTORER, which glibc keeps to itself */
#define SYSCALL_BYTES 2          /* length of the syscall instruction */

/*
 * The exempt range is a section, whose ends the linker names: one system call with its arguments in
 * an array, and the signal's return. The kernel compares the address behind the system call, so the
 * range must go on there.
 */
#define EXEMPT __attribute__((section("pw_exempt"), noinline, used))
#define HIDDEN __attribute__((visibility("hidden")))
/* NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): the linker chose */
extern const char __start_pw_exempt[] HIDDEN, __stop_pw_exempt[] HIDDEN;

EXEMPT static long exempt_call(long number, const long arguments[6])
{
    const long d = arguments[3], e = arguments[4], f = arguments[5];
    register long fourth __asm__("r10") = d; /* no memory is read from here on: a sanitizer's */
    register long fifth __asm__("r8") = e;   /* call in between would change the registers */
    register long sixth __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "+a"(number)
                     : "D"(arguments[0]), "S"(arguments[1]), "d"(arguments[2]), "r"(fourth),
                       "r"(fifth), "r"(sixth)
                     : "rcx", "r11", "memory");
    return number;
}

EXEMPT __attribute__((naked)) static void exempt_sigreturn(void)
{
    __asm__("mov $15, %eax\n\tsyscall\n\tud2");
}

static const long counted_calls[KERNEL_CALL_COUNT] = {
    [KERNEL_CALL_BRK] = SYS_brk,
    [KERNEL_CALL_MMAP] = SYS_mmap,
    [KERNEL_CALL_MUNMAP] = SYS_munmap,
    [KERNEL_CALL_MADVISE] = SYS_madvise,
};

/* Calls that act on the caller's own stack or signal frame. */
static bool needs_own_frame(long number)
{
    return number == SYS_rt_sigreturn || number == SYS_clone || number == SYS_fork ||
           number == SYS_vfork || number == SYS_execve || number == SYS_sigaltstack ||
#ifdef SYS_clone3
           number == SYS_clone3 ||
#endif
           number == SYS_rt_sigprocmask;
}

static void on_dispatch(int signal_number, siginfo_t *info, void *context)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    (void)signal_number;
    long number = info->si_syscall;
    if (needs_own_frame(number)) {
        state.let_through = true;
        state.selector = SELECTOR_ALLOW;
        registers[REG_RIP] -= SYSCALL_BYTES; /* do it again, now let through */
        registers[REG_RAX] = number;
        return;
    }
    for (size_t i = 0; i < KERNEL_CALL_COUNT; i++) {
        state.calls[i] += counted_calls[i] == number;
    }
    const long arguments[6] = {registers[REG_RDI], registers[REG_RSI], registers[REG_RDX],
                               registers[REG_R10], registers[REG_R8],  registers[REG_R9]};
    registers[REG_RAX] = exempt_call(number, arguments);
}

/* Valgrind hands the request to the kernel, which would then catch Valgrind's own calls. */
static bool under_valgrind(void)
{
#ifdef RUNNING_ON_VALGRIND
    if (RUNNING_ON_VALGRIND) {
        return true;
    }
#endif
    const char *preloaded = getenv("LD_PRELOAD");
    return preloaded != NULL && strstr(preloaded, "/vgpreload_") != NULL;
}

const char *kernel_calls_arm(void)
{
    if (state.armed) {
        return NULL;
    }
    if (under_valgrind()) {
        return "system calls are Valgrind's own while it runs the program";
    }
    const struct kernel_sigaction action = {
        .handler = on_dispatch,
        .flags = SA_SIGINFO | SA_NODEFER | SA_RESTORER_,
        .restorer = exempt_sigreturn,
    };
    state.selector = SELECTOR_ALLOW;
    if (prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, __start_pw_exempt,
              __stop_pw_exempt - __start_pw_exempt, &state.selector) != 0) {
        return "the kernel has no syscall user dispatch for this process (Linux 5.11 or later, "
               "not in an emulator)";
    }
    if (syscall(SYS_rt_sigaction, SIGSYS, &action, &state.previous, sizeof(action.mask)) != 0) {
        prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_OFF, 0, 0, 0);
        return "the signal SIGSYS could not be taken";
    }
    state.armed = true;
    return NULL;
}

void kernel_calls_disarm(void)
{
    if (state.armed) {
        state.selector = SELECTOR_ALLOW;
        prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_OFF, 0, 0, 0);
        syscall(SYS_rt_sigaction, SIGSYS, &state.previous, NULL, sizeof(state.previous.mask));
        state.armed = false;
    }
}

#else

const char *kernel_calls_arm(void)
{
    return "catching system calls needs syscall user dispatch, here on Linux for x86-64 alone";
}

void kernel_calls_disarm(void)
{
}

#endif

void kernel_calls_begin(void)
{
    for (size_t i = 0; i < KERNEL_CALL_COUNT; i++) {
        state.calls[i] = 0;
    }
    state.let_through = false;
    if (state.armed) {
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        state.selector = SELECTOR_BLOCK;
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
    }
}

void kernel_calls_end(struct kernel_calls *out)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    state.selector = SELECTOR_ALLOW;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    *out = (struct kernel_calls){.counted = state.armed && !state.let_through};
    if (!out->counted) {
        out->why = state.armed ? "a signal or a new process came in between" : "not armed";
    }
    for (size_t i = 0; i < KERNEL_CALL_COUNT; i++) {
        out->calls[i] = out->counted ? state.calls[i] : 0;
    }
}

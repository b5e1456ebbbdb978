/*
 * door.h - shut before the first code of a submission runs.
 *
 * 1. A function of .preinit_array: the libraries are mapped and linked, and no constructor of
 *    theirs has run. IFUNC functions, and constructors of a library that is initialised first, run
 *    before it: the rule "exports" finds them, and such a library is not timed.
 * 2. The last word of the command line, where there is one more than usual, is the descriptor of
 *    Valgrind's log: it is closed. Valgrind keeps a copy that a program cannot reach.
 * 3. From here on nothing can be opened for writing and nothing executed, and no page becomes
 *    executable: the code that runs is the code that was linked. Under Valgrind (WITH_VALGRIND),
 *    which makes code itself, the last does not hold; WITH_DUMPS: it writes a file at the end.
 * 4. DOOR_TALKS: stdin and the descriptor in that word of the command line serve one instruction
 *    only, in door_call, so that no constructor reads a question or writes an answer by itself.
 * 5. The door is shut by system calls made here, in line: a function of the C library could be one
 *    of the submission's. The judge's programs include no header of a submission.
 * Every mark of a macro is this file's; only the programs of the judge include it, once each.
 */
#ifndef DOOR_H
#define DOOR_H

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef DOOR_WORDS
#define DOOR_WORDS 3 /* of the command line without a log */
#endif
#define DOOR_WRITING (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)
#define DOOR_DENIED  (SECCOMP_RET_ERRNO | 1u) /* EPERM */

/* Deny a call whose argument has one of these bits; the number stays loaded. */
#define DOOR_DENY_BITS(call, argument, bits)                                                       \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (call), 0, 4),                                             \
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args) + 8 * (argument)),  \
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (bits), 0, 1),                                        \
        BPF_STMT(BPF_RET | BPF_K, DOOR_DENIED), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define DOOR_DENY(call)                                                                            \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (call), 0, 1), BPF_STMT(BPF_RET | BPF_K, DOOR_DENIED)

/* A system call without a function. */
static inline __attribute__((always_inline)) long door_system(long number, long first, long second,
                                                              const void *third)
{
#if defined(__x86_64__)
    long result;
    register long fourth __asm__("r10") = 0;
    register long fifth __asm__("r8") = 0;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(first), "S"(second), "d"(third), "r"(fourth), "r"(fifth)
                     : "rcx", "r11", "memory");
    return result;
#elif defined(__aarch64__)
    register long call __asm__("x8") = number;
    register long result __asm__("x0") = first;
    register long second_one __asm__("x1") = second;
    register const void *third_one __asm__("x2") = third;
    register long fourth __asm__("x3") = 0;
    register long fifth __asm__("x4") = 0;
    __asm__ volatile("svc #0"
                     : "+r"(result)
                     : "r"(call), "r"(second_one), "r"(third_one), "r"(fourth), "r"(fifth)
                     : "memory");
    return result;
#else
#error "this machine has no door_system"
#endif
}

/* The digits of a word of the command line. */
static inline __attribute__((always_inline)) long door_number(const char *word)
{
    long number = 0;
    for (; *word >= '0' && *word <= '9'; word++) {
        number = number * 10 + (*word - '0');
    }
    return number;
}

#ifdef DOOR_TALKS
/* read() and write() of the judge's own program; door_called is the place after its instruction. */
long door_call(long number, long file, void *bytes, size_t length)
    __attribute__((visibility("hidden")));
extern const char door_called[] __attribute__((visibility("hidden")));
#define DOOR_SYMBOL(name) ".globl " name "\n.hidden " name "\n" name ":\n"
#if defined(__x86_64__)
__asm__(".pushsection .text\n" DOOR_SYMBOL(
    "door_call") "mov %rdi, %rax\nmov %rsi, %rdi\n"
                 "mov %rdx, %rsi\nmov %rcx, %rdx\nsyscall\n" DOOR_SYMBOL(
                     "door_called") "ret\n.popsection");
#elif defined(__aarch64__)
__asm__(".pushsection .text\n" DOOR_SYMBOL("door_call") "mov x8, x0\nmov x0, x1\nmov x1, x2\n"
                                                        "mov x2, x3\nsvc #0\n" DOOR_SYMBOL(
                                                            "door_called") "ret\n.popsection");
#else
#error "this machine has no door_call"
#endif

#ifndef WITH_VALGRIND
#define DOOR_CALLS 7 /* that reach a descriptor by its number, and one more on x86-64 */
#define DOOR_LOOK(call, left)                                                                      \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (call), (left) + 1, 0) /* over the others, and ALLOW */

/* A second filter: of two, the stricter one holds. */
static void bind_talk(uint32_t results)
{
    uint32_t low = (uint32_t)(uintptr_t)door_called;
    uint32_t high = (uint32_t)((uint64_t)(uintptr_t)door_called >> 32);
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
#ifdef __NR_dup2
        DOOR_LOOK(__NR_dup2, DOOR_CALLS),
#endif
        DOOR_LOOK(__NR_read, 6),
        DOOR_LOOK(__NR_write, 5),
        DOOR_LOOK(__NR_readv, 4),
        DOOR_LOOK(__NR_writev, 3),
        DOOR_LOOK(__NR_dup, 2),
        DOOR_LOOK(__NR_dup3, 1),
        DOOR_LOOK(__NR_fcntl, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, results, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, low, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer) + 4),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, high, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, DOOR_DENIED),
    };
    struct sock_fprog program = {.len = sizeof(rules) / sizeof(rules[0]), .filter = rules};
    door_system(__NR_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
#endif
#endif

static void shut_door(int argc, char **argv, char **environment)
{
    static struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
#ifndef WITH_DUMPS
        DOOR_DENY_BITS(__NR_openat, 2, DOOR_WRITING),
#endif
#if defined(__NR_open) && !defined(WITH_DUMPS)
        DOOR_DENY_BITS(__NR_open, 1, DOOR_WRITING),
#endif
        DOOR_DENY(__NR_execve),
#ifndef WITH_VALGRIND
        DOOR_DENY_BITS(__NR_mmap, 2, PROT_EXEC),
        DOOR_DENY_BITS(__NR_mprotect, 2, PROT_EXEC),
        DOOR_DENY_BITS(__NR_mremap, 3, MREMAP_FIXED),
#endif
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof(rules) / sizeof(rules[0]), .filter = rules};
    (void)environment;
    if (argc > DOOR_WORDS) {
        door_system(__NR_close, door_number(argv[argc - 1]), 0, NULL);
    }
    door_system(__NR_prctl, PR_SET_NO_NEW_PRIVS, 1, NULL);
    door_system(__NR_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
#if defined(DOOR_TALKS) && !defined(WITH_VALGRIND)
    bind_talk(argc > DOOR_TALKS ? (uint32_t)door_number(argv[DOOR_TALKS]) : 0);
#endif
}

__attribute__((section(".preinit_array"), used)) static void (*const door)(int, char **,
                                                                           char **) = shut_door;
#endif

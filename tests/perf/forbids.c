/*
 * forbids.c - runs a command on a system that forbids something.
 *
 * Usage: forbids WHAT COMMAND...
 *   fixed-addresses  random addresses cannot be switched off, as in some containers: EPERM
 *   longer-files     no file that is there gets more room, as on a full disk: ENOSPC
 * A filter of system calls does it, which needs no rights. Exit: as the command, 2 wrong usage, or
 * 125 if the system has no such filters.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ASKS_ONLY 0xffffffffU /* personality(2) with this argument changes nothing */

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (field))
/* The lower half of an argument. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define LOAD_ARGUMENT(i) LOAD(offsetof(struct seccomp_data, args[i]))
#else
#define LOAD_ARGUMENT(i) LOAD(offsetof(struct seccomp_data, args[i]) + 4)
#endif
#define LOAD_CALL LOAD(offsetof(struct seccomp_data, nr))
/* Skip the next `count` rules. */
#define SKIP_IF(value, count)      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), (count), 0)
#define SKIP_IF_NOT(value, count)  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, (count))
#define SKIP_WITHOUT(flags, count) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (flags), 0, (count))
#define FAIL_WITH(error)           BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))
#define ALLOW                      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static struct sock_filter fixed_addresses[] = {
    LOAD_CALL,
    SKIP_IF_NOT(SYS_personality, 4),
    LOAD_ARGUMENT(0),
    SKIP_IF(ASKS_ONLY, 2),
    SKIP_WITHOUT(ADDR_NO_RANDOMIZE, 1),
    FAIL_WITH(EPERM),
    ALLOW,
};

/* By fallocate(2) that begins after the file's first byte. */
static struct sock_filter longer_files[] = {
    LOAD_CALL, SKIP_IF_NOT(SYS_fallocate, 3), LOAD_ARGUMENT(2), SKIP_IF(0, 1), FAIL_WITH(ENOSPC),
    ALLOW,
};

int main(int argc, char **argv)
{
    struct sock_fprog program = {0, NULL};
    if (argc > 2 && strcmp(argv[1], "fixed-addresses") == 0) {
        program = (struct sock_fprog){sizeof(fixed_addresses) / sizeof(fixed_addresses[0]),
                                      fixed_addresses};
    } else if (argc > 2 && strcmp(argv[1], "longer-files") == 0) {
        program = (struct sock_fprog){sizeof(longer_files) / sizeof(longer_files[0]), longer_files};
    } else {
        fprintf(stderr, "usage: forbids fixed-addresses|longer-files COMMAND...\n");
        return 2;
    }
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
        fprintf(stderr, "forbids: no filter: %s\n", strerror(errno));
        return 125;
    }
    execvp(argv[2], argv + 2);
    fprintf(stderr, "forbids: %s: %s\n", argv[2], strerror(errno));
    return 127;
}

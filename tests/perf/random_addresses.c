/*
 * random_addresses.c - runs a command as a container that forbids to switch random addresses off.
 *
 * Usage: random_addresses COMMAND... A filter of system calls refuses personality(2) with
 * ADDR_NO_RANDOMIZE, with EPERM; it needs no rights. Exit: as the command, or 125 if the
 * system has no such filters.
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

/* The lower half of the first argument. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define ARGUMENT offsetof(struct seccomp_data, args)
#else
#define ARGUMENT (offsetof(struct seccomp_data, args) + 4)
#endif

int main(int argc, char **argv)
{
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_personality, 0, 4),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ARGUMENT),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ASKS_ONLY, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, ADDR_NO_RANDOMIZE, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {sizeof(rules) / sizeof(rules[0]), rules};
    if (argc < 2) {
        fprintf(stderr, "usage: random_addresses COMMAND...\n");
        return 2;
    }
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
        fprintf(stderr, "random_addresses: no filter: %s\n", strerror(errno));
        return 125;
    }
    execvp(argv[1], argv + 1);
    fprintf(stderr, "random_addresses: %s: %s\n", argv[1], strerror(errno));
    return 127;
}

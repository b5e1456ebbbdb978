/*
 * child.c - see child.h.
 */
#include "child.h"
#include "interrupt.h"
#include <errno.h>
#include <stdbool.h>
#include <sys/wait.h>

int child_wait(pid_t child, struct rusage *usage)
{
    int status = 0;
    bool told = false;
    do {
        if (!told && *interrupt_flag() == SIGTERM) {
            kill(child, SIGTERM);
            told = true;
        }
    } while (wait4(child, &status, 0, usage) < 0 && errno == EINTR);
    return status;
}

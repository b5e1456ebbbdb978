/*
 * child.h - wait for a process that this one started.
 */
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

/*
 * Wait for the child's end; its status as of wait(2). A SIGTERM that comes meanwhile is passed on
 * to it (Ctrl-C reaches it by itself). usage: what it took, or NULL.
 */
int child_wait(pid_t child, struct rusage *usage);

/*
 * trial.c - fork, measure, send the values through a pipe.
 */
#include "trial.h"
#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

static bool write_all(int file, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size > 0) {
        ssize_t written = write(file, at, size);
        if (written < 0 && errno != EINTR) {
            return false;
        }
        if (written > 0) {
            at += written;
            size -= (size_t)written;
        }
    }
    return true;
}

static bool read_all(int file, void *bytes, size_t size)
{
    char *at = bytes;
    while (size > 0) {
        ssize_t got = read(file, at, size);
        if (got == 0 || (got < 0 && errno != EINTR)) {
            return false;
        }
        if (got > 0) {
            at += got;
            size -= (size_t)got;
        }
    }
    return true;
}

bool trial_run(trial_body body, void *context, double *values, size_t count)
{
    int ends[2];
    size_t bytes = count * sizeof(*values);
    if (count > TRIAL_VALUES_MAX || pipe(ends) != 0) {
        return false;
    }
    pid_t child = fork();
    if (child == 0) {
        double measured[TRIAL_VALUES_MAX] = {0};
        close(ends[0]);
        bool done = body(context, measured, count) && write_all(ends[1], measured, bytes);
        _exit(done ? 0 : 1);
    }
    close(ends[1]);
    bool received = child > 0 && read_all(ends[0], values, bytes);
    close(ends[0]);
    int status = 1;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return received && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/*
 * output.c - the file of the report, written under another name until it is whole.
 */
#include "output.h"
#include "file_replace.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* The report's file; one per process, because a signal handler needs it. */
static struct file_replace file = {.fd = -1};

void output_guard_descriptors(void)
{
    for (int descriptor = 0; descriptor <= 2; descriptor++) {
        if (fcntl(descriptor, F_GETFD) == -1 && errno == EBADF) {
            /* On purpose in the wrong direction: using a closed stream must fail visibly. */
            int opened = open("/dev/null", descriptor == 1 ? O_RDONLY : O_WRONLY);
            (void)opened;
        }
    }
}

bool output_fail(const char *path, int error_number, struct command_error *error)
{
    return command_fail(error, "cannot write %.400s: %s", path != NULL ? path : "standard output",
                        strerror(error_number));
}

FILE *output_open(const char *path, struct command_error *error)
{
    if (path == NULL) {
        return stdout;
    }
    int copy = file_replace_open(&file, path) ? fcntl(file.fd, F_DUPFD_CLOEXEC, 3) : -1;
    FILE *out = copy >= 0 ? fdopen(copy, "w") : NULL;
    if (out == NULL) {
        output_fail(path, errno, error);
        if (copy >= 0) {
            close(copy);
        }
        file_replace_abandon(&file);
    }
    return out;
}

bool output_close(FILE *out, const char *path, bool keep, struct command_error *error)
{
    bool done = ferror(out) == 0;
    errno = 0;
    if (!done) { /* try again: the same error says why */
        fputc('\n', out);
        fflush(out);
    }
    int reason = errno;
    errno = 0;
    done = fclose(out) == 0 && done;
    done = done && (path == NULL || !keep || file_replace_commit(&file));
    file_replace_abandon(&file);
    reason = reason != 0 ? reason : errno;
    return done || output_fail(path, reason != 0 ? reason : EIO, error);
}

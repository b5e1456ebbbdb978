/*
 * output.c - open without emptying, compare with the inputs, then empty.
 */
#include "output.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void output_guard_descriptors(void)
{
    for (int descriptor = 0; descriptor <= 2; descriptor++) {
        if (fcntl(descriptor, F_GETFD) == -1 && errno == EBADF) {
            /* The wrong way round: to read or write what was closed must be seen to fail. */
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

/* The input that is the same file as the one open at descriptor, or NULL. */
static const char *same_file(int descriptor, const char *const *inputs)
{
    struct stat output;
    struct stat input;
    if (fstat(descriptor, &output) != 0 || !S_ISREG(output.st_mode)) {
        return NULL;
    }
    for (; *inputs != NULL; inputs++) {
        if (stat(*inputs, &input) == 0 && input.st_dev == output.st_dev &&
            input.st_ino == output.st_ino) {
            return *inputs;
        }
    }
    return NULL;
}

FILE *output_open(const char *path, const char *const *inputs, struct command_error *error)
{
    if (path == NULL) {
        return stdout;
    }
    int descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor == -1) {
        output_fail(path, errno, error);
        return NULL;
    }
    const char *input = same_file(descriptor, inputs);
    struct stat status;
    FILE *out = NULL;
    if (input != NULL) {
        command_fail(error, "cannot write %.400s: it is an input file", path);
        goto fail;
    }
    if (fstat(descriptor, &status) != 0 ||
        (S_ISREG(status.st_mode) && ftruncate(descriptor, 0) != 0)) {
        output_fail(path, errno, error);
        goto fail;
    }
    out = fdopen(descriptor, "w");
    if (out == NULL) {
        output_fail(path, errno, error);
        goto fail;
    }
    return out;
fail:
    close(descriptor);
    return NULL;
}

bool output_close(FILE *out, const char *path, struct command_error *error)
{
    errno = 0;
    bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed) {
        return output_fail(path, errno != 0 ? errno : EIO, error);
    }
    return true;
}

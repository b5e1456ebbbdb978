/*
 * file_replace.c - see file_replace.h.
 */
#include "file_replace.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME_ATTEMPTS 100

/* A file without a name in the folder of path; -1 where there is no such thing. */
static int open_unnamed(const char *path)
{
    if (access("/proc/self/fd", X_OK) != 0) { /* by which it gets its name in the end */
        return -1;
    }
    const char *slash = strrchr(path, '/');
    char *folder = slash == NULL ? strdup(".") : strndup(path, (size_t)(slash - path) + 1);
    int fd = folder == NULL ? -1 : open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    free(folder);
    return fd;
}

/* Give the open file a temporary name or, where none is open, open one under such a name. */
static bool take_temporary_name(struct file_replace *file)
{
    char self[64];
    snprintf(self, sizeof(self), "/proc/self/fd/%d", file->fd);
    for (int attempt = 0; attempt < NAME_ATTEMPTS; attempt++) {
        char *name;
        if (asprintf(&name, "%s.part-%ld-%d", file->path, (long)getpid(), attempt) < 0) {
            errno = ENOMEM;
            return false;
        }
        bool done;
        if (file->fd >= 0) {
            done = linkat(AT_FDCWD, self, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
        } else {
            file->fd = open(name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666);
            done = file->fd >= 0;
        }
        if (done) {
            file->temporary = name;
            return true;
        }
        int reason = errno;
        free(name);
        errno = reason;
        if (reason != EEXIST) {
            return false;
        }
    }
    return false;
}

bool file_replace_open(struct file_replace *file, const char *path)
{
    struct stat status;
    *file = (struct file_replace){.fd = -1, .path = path};
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        file->direct = true;
        file->fd = open(path, O_WRONLY | O_CLOEXEC);
        return file->fd >= 0;
    }
    file->fd = open_unnamed(path);
    return file->fd >= 0 || take_temporary_name(file);
}

bool file_replace_commit(struct file_replace *file)
{
    bool done = file->direct || ((fsync(file->fd) == 0 || errno == EINVAL) &&
                                 (file->temporary != NULL || take_temporary_name(file)));
    int fd = file->fd;
    if (done) {
        file->fd = -1;
        done = close(fd) == 0 && (file->direct || rename(file->temporary, file->path) == 0);
    }
    if (!done) {
        file_replace_abandon(file);
        return false;
    }
    free(file->temporary);
    file->temporary = NULL;
    return true;
}

void file_replace_abandon(struct file_replace *file)
{
    int reason = errno;
    if (file->fd >= 0) {
        close(file->fd);
        file->fd = -1;
    }
    if (file->temporary != NULL) {
        unlink(file->temporary);
        free(file->temporary);
        file->temporary = NULL;
    }
    errno = reason;
}

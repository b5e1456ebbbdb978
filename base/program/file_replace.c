/*
 * file_replace.c - see file_replace.h.
 */
#include "file_replace.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME_ATTEMPTS 100
#define COPY_SIZE     8192 /* on the stack, perhaps of a signal handler */

#ifndef O_TMPFILE /* not Linux: a folder cannot be opened to write */
#define O_TMPFILE O_DIRECTORY
#endif

/* Open a file without a name in the folder of path; -1 if that is not possible. */
static int open_unnamed(const char *path)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    if (access("/proc/self/fd", X_OK) != 0) { /* needed to name the file in the end */
        return -1;
    }
    snprintf(folder, sizeof(folder), "%.*s", slash == NULL ? 1 : (int)(slash - path) + 1,
             slash == NULL ? "." : path);
    return open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
}

/*
 * Lock the open file, so that nobody takes it for a leftover. Returns true if it is this process's
 * and still has the name; on a file system without locks, true.
 */
static bool lock(int fd, const char *name)
{
    struct stat opened, named;
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        return errno != EWOULDBLOCK;
    }
    return fstat(fd, &opened) == 0 && lstat(name, &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
}

/* Remove a temporary file without a lock: its process has ended. Returns true if it is gone. */
static bool remove_leftover(const char *name)
{
    int fd = open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    bool removed =
        fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 && lock(fd, name) && unlink(name) == 0;
    if (fd >= 0) {
        close(fd);
    }
    return removed;
}

/* Give the open file the temporary name, or open a file with that name. False with errno set. */
static bool take_name(struct file_replace *file)
{
    if (file->fd >= 0) {
        flock(file->fd, LOCK_EX | LOCK_NB);
        return linkat(AT_FDCWD, file->self, AT_FDCWD, file->temporary, AT_SYMLINK_FOLLOW) == 0;
    }
    int fd = open(file->temporary, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666);
    if (fd >= 0 && !lock(fd, file->temporary)) { /* removed as a leftover before it was locked */
        close(fd);
        errno = EEXIST;
        return false;
    }
    file->fd = fd;
    return fd >= 0;
}

/*
 * Give the open file a temporary name or, if none is open, open one under such a name. Calls only
 * what a signal handler may call: the name is complete but for its last two digits.
 */
static bool take_temporary_name(struct file_replace *file)
{
    char *digits = file->temporary + strlen(file->temporary) - 2;
    for (int attempt = 0; attempt < NAME_ATTEMPTS && !file->is_named;) {
        digits[0] = (char)('0' + attempt / 10);
        digits[1] = (char)('0' + attempt % 10);
        file->is_named = take_name(file);
        if (!file->is_named && errno != EEXIST) {
            return false;
        }
        attempt += file->is_named || !remove_leftover(file->temporary);
    }
    return file->is_named;
}

/* True if path names a file that is open already. */
static bool is_descriptor(const char *path)
{
    return strncmp(path, "/dev/std", 8) == 0 || strncmp(path, "/dev/fd/", 8) == 0 ||
           strncmp(path, "/proc/", 6) == 0;
}

static bool open_directly(struct file_replace *file, const char *path)
{
    file->direct = true;
    file->fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    return file->fd >= 0;
}

bool file_replace_open(struct file_replace *file, const char *path)
{
    struct stat status;
    const bool exists = stat(path, &status) == 0;
    *file = (struct file_replace){.fd = -1};
    if (exists && (!S_ISREG(status.st_mode) || is_descriptor(path))) {
        return open_directly(file, path);
    }
    if (exists && (access(path, W_OK) != 0 || realpath(path, file->path) == NULL)) {
        return false;
    }
    if (!exists) {
        snprintf(file->path, sizeof(file->path), "%s", path);
    }
    int length = snprintf(file->temporary, sizeof(file->temporary), "%s.pw-part-00", file->path);
    if (length >= (int)sizeof(file->temporary)) {
        errno = ENAMETOOLONG;
        return false;
    }
    file->fd = open_unnamed(file->path);
    if (file->fd < 0 && !take_temporary_name(file)) {
        return exists && errno == EACCES && open_directly(file, path);
    }
    snprintf(file->self, sizeof(file->self), "/proc/self/fd/%d", file->fd);
    if (exists) {
        fchmod(file->fd, status.st_mode & 0777);
    }
    return true;
}

/* Copy a whole file. What a short write left is read again. */
static bool copy(int to, int from)
{
    char bytes[COPY_SIZE];
    for (off_t at = 0;;) {
        ssize_t got = pread(from, bytes, sizeof(bytes), at);
        ssize_t written = got > 0 ? write(to, bytes, (size_t)got) : got;
        if (written > 0) {
            at += written;
        } else if (written == 0 || errno != EINTR) {
            return got == 0;
        }
    }
}

/* Overwrite the old content with the new. */
static bool overwrite(const struct file_replace *file)
{
    int to = open(file->path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    bool done = to >= 0 && copy(to, file->fd) && fsync(to) == 0;
    if (to >= 0) {
        done = close(to) == 0 && done;
    }
    return done;
}

/* Give the file its name, or copy its content to the file with that name. */
static bool take_place(struct file_replace *file)
{
    if ((file->is_named || take_temporary_name(file)) && rename(file->temporary, file->path) == 0) {
        file->is_named = false;
        return true;
    }
    return (errno == EBUSY || errno == EACCES || errno == EPERM) && overwrite(file);
}

bool file_replace_commit(struct file_replace *file)
{
    bool done = file->direct || ((fsync(file->fd) == 0 || errno == EINVAL) && take_place(file));
    int fd = file->fd;
    if (done) {
        file->fd = -1;
        done = close(fd) == 0;
    }
    file_replace_abandon(file);
    return done;
}

void file_replace_abandon(struct file_replace *file)
{
    int reason = errno;
    if (file->fd >= 0) {
        close(file->fd);
        file->fd = -1;
    }
    if (file->is_named) {
        unlink(file->temporary);
        file->is_named = false;
    }
    errno = reason;
}

/*
 * file_replace.h - write a file so that its name always holds the old content or all of the new.
 *
 * 1. The new file is made in the same folder without a name (O_TMPFILE), so that nothing is left of
 *    it however the process ends. If the file system has no such files, it gets a temporary name
 *    that nothing else has (O_EXCL): FILE.pw-part-00.
 *    What the first way is worth: with the second way alone, 94 of 186 kills and full disks of
 *    tests/faults/crash leave a file as large as what was written, and so does a recording whose
 *    program aborts.
 * 2. Once everything is written and on disk (fsync), rename(2) gives it its name. The file that a
 *    symbolic link leads to is replaced, not the link; permissions are kept. A temporary file of a
 *    killed process has lost its lock (flock): the next process removes it.
 * 3. If the name cannot be given to another file (one that is mounted by itself, or is in somebody
 *    else's folder), the old file is overwritten with the new content at the end.
 * Written directly: a device or pipe, a file that is open already (/dev/stdout), and a file in a
 * folder where nothing can be made. A failed call leaves the reason in errno.
 */
#pragma once

#include <limits.h>
#include <stdbool.h>

struct file_replace {
    int fd;                   /* to write to; -1 when not open */
    bool direct;              /* written in place, without a rename at the end */
    bool is_named;            /* it has its temporary name */
    char path[PATH_MAX];      /* the file to replace, links followed */
    char temporary[PATH_MAX]; /* the name until then */
    char self[32];            /* /proc/self/fd/N */
};

/* Open for reading and writing. False with errno set, and nothing to release, on failure. */
bool file_replace_open(struct file_replace *file, const char *path);

/*
 * Put the file in its place and close it. On failure false with errno set: the old content stays,
 * and the new is gone. A signal handler may call it.
 */
bool file_replace_commit(struct file_replace *file);

/* Close without touching the old content. Fine after a commit or a failed open. errno is kept. */
void file_replace_abandon(struct file_replace *file);

/*
 * file_replace.h - write a file so that its name always holds the old content or all of the new.
 *
 * 1. The new file is made beside its place without a name (O_TMPFILE), so that nothing is left of
 *    it whatever ends the process; where the file system has no such files, under a temporary name
 *    that nothing else has (O_EXCL).
 * 2. Once everything is written and on disk (fsync), rename(2) gives it its name.
 * What is no regular file (a device, a pipe, a terminal) is written directly. A failed call leaves
 * the reason in errno; nothing is printed.
 */
#ifndef PW_FILE_REPLACE_H
#define PW_FILE_REPLACE_H

#include <stdbool.h>

struct file_replace {
    int fd;           /* to write to; -1 when not open */
    bool direct;      /* no regular file: there is no name to give at the end */
    const char *path; /* the caller's; must outlive the file */
    char *temporary;  /* the name it has until then, or NULL while it has none */
};

/* Open for reading and writing. False with errno set, and nothing to release, on failure. */
bool file_replace_open(struct file_replace *file, const char *path);

/*
 * Put the file in its place and close it. False with errno set when that failed: the old content
 * still stands, and the new is gone.
 */
bool file_replace_commit(struct file_replace *file);

/* Close without touching the old content. Fine after a commit or a failed open. errno is kept. */
void file_replace_abandon(struct file_replace *file);

#endif

/*
 * file_claims.h - the files that a program reads and writes: none is written that is read, and none
 * is written twice. Asked before the first of them is opened for writing.
 *
 * A file is known by its device and its inode, so also by a link or another spelling, and by its
 * folder and its name, so also before it exists; nothing is written through a link to nothing. What
 * is no regular file may serve for anything.
 */
#pragma once

#include "command_line.h"
#include <sys/stat.h>

#define FILE_CLAIMS_MAX 128

struct file_claim {
    struct stat file, folder; /* the inode 0: there is none yet */
    char name[256];           /* in the folder */
    bool is_written;
};

/* All zeros at first. */
struct file_claims {
    size_t count;
    struct file_claim all[FILE_CLAIMS_MAX];
};

/*
 * Add a file. path: to read, "-" is standard input, and NULL nothing; to write, NULL is standard
 * output. Returns NULL, or why the file cannot be had.
 */
const char *file_claims_add(struct file_claims *claims, const char *path, bool is_written);

/* The same: false with error set when the file cannot be had. */
bool file_claims_have(struct file_claims *claims, const char *path, bool is_written,
                      struct command_error *error);

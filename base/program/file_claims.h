/*
 * file_claims.h - the files that a program reads and writes: no output is also an input, and none
 * is written twice. Claim every file before the first one is opened for writing.
 *
 * A file is known by its device and inode, so a link or another spelling is found, too. It is also
 * known by its folder and name, so even before it exists. Nothing is written through a link to
 * nothing. Anything but a regular file may be used several times.
 */
#pragma once

#include "command_error.h"
#include <stddef.h>
#include <sys/stat.h>

#define FILE_CLAIMS_MAX 128

struct file_claim {
    struct stat file, folder; /* inode 0: none yet */
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
 * output. Returns NULL, or why the file cannot be used.
 */
const char *file_claims_add(struct file_claims *claims, const char *path, bool is_written);

/* The same: false with error set if the file cannot be used. */
bool file_claims_have(struct file_claims *claims, const char *path, bool is_written,
                      struct command_error *error);

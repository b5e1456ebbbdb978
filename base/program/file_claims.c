/*
 * file_claims.c - see file_claims.h.
 */
#include "file_claims.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool is_same(const struct stat *one, const struct stat *other)
{
    return one->st_ino != 0 && one->st_ino == other->st_ino && one->st_dev == other->st_dev;
}

/* Get the file's identity. False when several may use it. */
static bool identify(const char *path, struct file_claim *claim)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    snprintf(folder, sizeof(folder), "%.*s.", (int)(name - path), path);
    snprintf(claim->name, sizeof(claim->name), "%s", name);
    if (stat(folder, &claim->folder) != 0) {
        claim->folder.st_ino = 0;
    }
    if (stat(path, &claim->file) != 0) {
        claim->file.st_ino = 0;
    }
    return claim->file.st_ino == 0 || S_ISREG(claim->file.st_mode);
}

const char *file_claims_add(struct file_claims *claims, const char *path, bool is_written)
{
    struct file_claim new = {.is_written = is_written};
    const bool is_named = path != NULL;
    char byte;
    if (is_written && path == NULL) {
        path = "/dev/stdout";
    } else if (path != NULL && !is_written && strcmp(path, "-") == 0) {
        path = "/dev/stdin";
    }
    if (path == NULL || !identify(path, &new)) {
        return NULL;
    }
    if (is_written && is_named && new.file.st_ino == 0 && readlink(path, &byte, 1) >= 0) {
        return "it is a link to nothing";
    }
    for (size_t i = 0; i < claims->count; i++) {
        const struct file_claim *old = &claims->all[i];
        const bool is_one = is_same(&new.file, &old->file) || (is_same(&new.folder, &old->folder) &&
                                                               strcmp(new.name, old->name) == 0);
        if (is_one && (new.is_written || old->is_written)) {
            return new.is_written && old->is_written ? "another output is the same file"
                                                     : "it is an input file";
        }
    }
    if (claims->count == FILE_CLAIMS_MAX) {
        return "too many files are read and written";
    }
    claims->all[claims->count++] = new;
    return NULL;
}

bool file_claims_have(struct file_claims *claims, const char *path, bool is_written,
                      struct command_error *error)
{
    const char *why = file_claims_add(claims, path, is_written);
    return why == NULL || command_fail(error, "cannot write %.400s: %s",
                                       path != NULL ? path : "standard output", why);
}

/*
 * fixture_file.h - small files for tests, in a separate folder that disappears at exit.
 */
#pragma once

#include "temporary_folder.h"
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char fixture_folder[TEMPORARY_FOLDER_SIZE];

static inline void fixture_remove_folder(void)
{
    if (fixture_folder[0]) {
        temporary_folder_remove(fixture_folder);
    }
    fixture_folder[0] = '\0';
}

/* A path in the folder; the text is valid until the eighth call after. */
static inline const char *fixture_path(const char *name)
{
    static char paths[8][256];
    static unsigned next;
    char *path = paths[next++ % 8];
    if (!fixture_folder[0]) {
        temporary_folder_make(fixture_folder, "test");
        atexit(fixture_remove_folder);
    }
    snprintf(path, 256, "%s/%s", fixture_folder, name);
    return path;
}

static inline const char *fixture_bytes(const char *name, const void *bytes, size_t length)
{
    const char *path = fixture_path(name);
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, length, file), length);
    ck_assert_int_eq(fclose(file), 0);
    return path;
}

static inline const char *fixture_text(const char *name, const char *text)
{
    return fixture_bytes(name, text, strlen(text));
}

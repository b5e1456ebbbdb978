/*
 * temporary_folder.h - a new folder for the files of a test, below TMPDIR or /tmp.
 */
#pragma once

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#define TEMPORARY_FOLDER_SIZE 128

/* Make it; its name, the caller's to remove, into folder. */
static inline void temporary_folder_make(char folder[TEMPORARY_FOLDER_SIZE], const char *name)
{
    const char *place = getenv("TMPDIR");
    snprintf(folder, TEMPORARY_FOLDER_SIZE, "%.80s/pw-%s-XXXXXX", place != NULL ? place : "/tmp",
             name);
    ck_assert_msg(mkdtemp(folder) != NULL, "%s cannot be made", folder);
}

/*
 * temporary_folder.h - a new folder for the files of a test, below TMPDIR or /tmp.
 *
 * Its name holds the number of the process that makes it: pw-test-1234-XXXXXX. If a process is
 * killed, its folder stays until another process makes a folder there and removes it.
 */
#pragma once

#include <check.h>
#include <errno.h>
#include <ftw.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEMPORARY_FOLDER_SIZE 128

static inline int temporary_folder_remove_entry(const char *path, const struct stat *status,
                                                int type, struct FTW *place)
{
    (void)status;
    (void)type;
    (void)place;
    remove(path); /* or another process did */
    return 0;
}

/* Remove a folder with all its content. */
static inline void temporary_folder_remove(const char *folder)
{
    nftw(folder, temporary_folder_remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

/* Remove the folders of dead processes in place. */
static inline void temporary_folder_sweep(const char *place)
{
    char pattern[TEMPORARY_FOLDER_SIZE];
    glob_t found;
    snprintf(pattern, sizeof(pattern), "%.80s/pw-*-[1-9]*-??????", place);
    if (glob(pattern, 0, NULL, &found) != 0) {
        return;
    }
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char *end = strrchr(found.gl_pathv[i], '-');
        const char *number = memrchr(found.gl_pathv[i], '-', (size_t)(end - found.gl_pathv[i]));
        const long process = strtol(number + 1, &end, 10);
        if (strlen(end) == strlen("-XXXXXX") && kill((pid_t)process, 0) != 0 && errno == ESRCH) {
            temporary_folder_remove(found.gl_pathv[i]);
        }
    }
    globfree(&found);
}

/* Make it; folder gets its name, and the caller removes it. */
static inline void temporary_folder_make(char folder[TEMPORARY_FOLDER_SIZE], const char *name)
{
    const char *place = getenv("TMPDIR");
    place = place != NULL ? place : "/tmp";
    temporary_folder_sweep(place);
    snprintf(folder, TEMPORARY_FOLDER_SIZE, "%.80s/pw-%s-%ld-XXXXXX", place, name, (long)getpid());
    ck_assert_msg(mkdtemp(folder) != NULL, "%s cannot be made", folder);
}

/*
 * process_names.h - the names of this process, and whether the run is about it.
 *
 * The system cuts the name as it was started to 15 characters. Takes no memory.
 */
#pragma once

#include "program_format.h"
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

struct process_names {
    char started[PROGRAM_NAME_SIZE]; /* the file's name if it begins like it, else cut */
    char file[PROGRAM_NAME_SIZE];    /* what is executed: for awk, perhaps mawk */
};

static inline void process_names_read(struct process_names *names)
{
    char path[600];
    char started[17] = "";
    const ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
    path[length > 0 ? length : 0] = '\0';
    const char *slash = strrchr(path, '/');
    const char *file = slash != NULL ? slash + 1 : path;
    prctl(PR_GET_NAME, started, 0, 0, 0);
    const bool is_cut = strlen(started) == 15 && strncmp(file, started, 15) == 0;
    snprintf(names->started, sizeof(names->started), "%.63s", is_cut ? file : started);
    snprintf(names->file, sizeof(names->file), "%.63s", file);
}

/* True if the run is about this process: it has the chosen name, and the chosen number among the
 * processes of that name; without a name, it is the command itself. Call it once per process. */
static inline bool process_is_meant(const struct process_names *names,
                                    struct program_control *control)
{
    const char *only = control->only.name;
    if (only[0] == '\0' ? getpid() != control->command
                        : strcmp(only, names->started) != 0 && strcmp(only, names->file) != 0) {
        return false;
    }
    const uint32_t number = atomic_fetch_add(&control->meant, 1) + 1;
    return control->only.number == 0 || control->only.number == number;
}

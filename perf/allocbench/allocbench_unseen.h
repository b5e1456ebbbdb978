/*
 * allocbench_unseen.h - why nothing, or little, of a program was recorded. Each reason is what was
 * looked at: the command's file, or the memory that the process had.
 */
#pragma once

#include "perf/program/recording.h"
#include <limits.h>

/* The file of a command, as execvp finds it. False: it finds no file. */
bool unseen_file(const char *command, char path[PATH_MAX]);

#define UNSEEN_SIZE 300

/* Why a command did not load the library that was put before it: from its file, or from the
 * interpreter of a script. "the reason is not known" if the file does not say. */
const char *unseen_reason(const char *command, char text[UNSEEN_SIZE]);

/* How much of a process's memory is not from malloc, and so unknown. */
enum unseen {
    UNSEEN_LITTLE,
    UNSEEN_UNKNOWN, /* its end was not seen, and it asked the system for more than malloc */
    UNSEEN_MOST,
    UNSEEN_ALL
};

/* text: a sentence about it, not for UNSEEN_LITTLE. */
enum unseen unseen_memory(const struct recording_header *header,
                          const struct recording_summary *summary, char text[UNSEEN_SIZE]);

/*
 * allocbench_recordings.h - the recordings that one run of a command has left.
 */
#pragma once

#include "perf/program/launch.h"
#include "perf/program/recording.h"

#define RECORDINGS_MAX 4096

struct recordings {
    struct recording *list; /* from malloc, in the order in which their processes started */
    struct recording_summary *summaries;
    size_t count;
    size_t chosen; /* of the command itself, or of the program that is meant */
};

/*
 * Read all recordings of a folder and choose one: the command's own, or the only one of a program
 * with the name only. False with error set: there is none, or several of that name. Close them in
 * either case.
 */
bool recordings_load(struct recordings *all, const struct launch *launch, const char *only,
                     struct command_error *error);
void recordings_close(struct recordings *all);

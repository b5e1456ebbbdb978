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
    size_t chosen; /* of the command itself, or the first of the program that is meant */
    size_t meant;  /* how many are of the program that is meant; forks do not count */
};

/*
 * Read all recordings of a folder and choose one: the command's own, or the first of a program with
 * the name only. False with error set: there is none. Close them in either case.
 */
bool recordings_load(struct recordings *all, const struct launch *launch, const char *only,
                     struct command_error *error);

/* The number of a recording as --only=NAME:NUMBER has it: among the recordings of the name only, or
 * if that is NULL of the same program. A child of a fork is counted among such children. */
size_t recordings_number(const struct recordings *all, size_t index, const char *only);

void recordings_close(struct recordings *all);

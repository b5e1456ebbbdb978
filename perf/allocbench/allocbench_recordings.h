/*
 * allocbench_recordings.h - the recordings that one run of a command has left.
 */
#pragma once

#include "allocbench.h"
#include "perf/program/launch.h"
#include "perf/program/recording.h"

#define RECORDINGS_MAX 4096

struct recordings {
    struct recording *list; /* from malloc, in the order in which their processes started */
    struct recording_summary *summaries;
    size_t count;
    size_t chosen; /* of the command itself, or of the program that is meant */
    size_t number; /* of the chosen one among the recordings of the program that is meant */
    size_t meant;  /* how many are of the program that is meant; forks do not count */
};

/*
 * Read all recordings of a folder and choose one: the command's own, or of the programs with the
 * name only the one that asks most. False with error set: no program was recorded. Close them in
 * either case.
 */
bool recordings_load(struct recordings *all, const struct launch *launch, const char *only,
                     struct command_error *error);

/* True if no other recording of the same program has more requests, the chosen one left aside. The
 * children of its forks are a program of their own. */
bool recordings_is_largest(const struct recordings *all, size_t index);

/* A note: which process asked for more than the chosen one, if there is one. */
void bench_note_others(struct bench *bench, const struct recordings *all);

void recordings_close(struct recordings *all);

/*
 * launch.h - runs a command, as it is or with a library before it, and says what it cost.
 *
 * 1. A folder in $TMPDIR holds what program_format.h names, and the command's output.
 * 2. Every run has the same environment, to the byte: without a library, LD_PRELOAD has another
 *    name of the same length.
 * 3. Addresses are not randomised, where the system allows that, in any of the runs.
 * Standard input is a file or empty. A run ends with the caller.
 */
#pragma once

#include "base/program/command_error.h"
#include "program_format.h"
#include <sys/types.h>

#define PRELOAD_LIBRARY "libpw_preload.so"

#define LAUNCH_TIMES 200 /* readings of memory during a run, at most */

enum launch_kind {
    LAUNCH_PLAIN,   /* as it is */
    LAUNCH_PRELOAD, /* with preload.c, in the mode of the control */
    LAUNCH_OTHER,   /* with another library, see launch_set_other */
};

struct launch {
    char folder[256];
    struct program_control *control; /* NULL: not open */
    bool fixes_addresses;            /* the system lets addresses be the same in each run */
    char **command;                  /* ended by NULL */
    const char *input;               /* of the command; NULL: empty */
    bool inherits;                   /* the command has the caller's standard streams instead */
    uint64_t resident_most;          /* bytes of the last run's process, or of one it waited for */
};

/* Memory of the command's own process, or of the program that launch_choose names: at its end, and
 * over time what belongs to no file. Such a run has the library before it in every case. */
struct launch_memory {
    struct program_memory end;
    double interval_s; /* between two readings; 0: none are made */
    size_t count;
    double seconds[LAUNCH_TIMES], bytes[LAUNCH_TIMES], resident[LAUNCH_TIMES];
};

struct launch_outcome {
    int status; /* as wait(2) has it */
    double elapsed_s, processor_s;
};

/* Make the folder and find the library. False with error set, and nothing to close. */
bool launch_open(struct launch *launch, struct command_error *error);

/* Delete the folder. */
void launch_close(struct launch *launch);

/* Of the programs that the command starts, each of this name is meant; NULL: the command itself. */
void launch_choose(struct launch *launch, const char *only);

/* The library of LAUNCH_OTHER. False: it cannot be linked to from the folder. */
bool launch_set_other(struct launch *launch, const char *path);

/*
 * Run the command once; its standard output goes to the file `output` in the folder, its standard
 * error to `messages`. memory: NULL, or readings to make. False with error set: it was
 * not started, or its output has no room in the folder.
 */
bool launch_run(struct launch *launch, enum launch_kind kind, enum program_mode mode,
                struct launch_memory *memory, struct launch_outcome *outcome,
                struct command_error *error);

/* How a command ended that was killed by a signal or was not found, as a sentence; NULL: by
 * itself. */
const char *launch_bad_end(const struct launch_outcome *outcome, char text[100]);

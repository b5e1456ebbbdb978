/*
 * comparer.h - the parts of bfs-compare: what is compared, and how it is written.
 *
 * bfs_compare.c reads the options and chooses: commands (command_runs.c) are run in turns, values
 * (value_tables.c) were measured by somebody else. Both end in base/compare and base/report.
 */
#pragma once

#include "base/compare/turns.h"
#include "base/program/command_error.h"
#include "base/program/progress.h"
#include "base/report/report.h"
#include <stdint.h>

#define COMMANDS_MAX TURNS_CASES_MAX

/* The commands, as typed. */
struct command_list {
    const char *texts[COMMANDS_MAX];
    size_t count;
};

struct compare_options {
    struct command_list commands;
    uint64_t rounds, warmups, seed;
    bool ignores_failure;
    const char *keep;   /* folder for what the commands print; NULL: it is lost */
    const char *values; /* file of measurements; "-": standard input; NULL: there is none */
    bool apart;         /* the values were not measured in turns */
    double confidence;
    enum report_format format;
    const char *output;
    bool quiet;
    enum progress_mode progress;
    const char *allowed; /* of two reports: how much slower the second may be; NULL: any */
    bool force;          /* of two reports: compare different work */
    unsigned action;
};

/* Run the commands in turns, and write the report. Returns the exit status; a failure is in
 * error. */
int compare_commands(const struct compare_options *options, struct progress *progress, FILE *out,
                     struct command_error *error);

/* Read tables of values, and write a report of each as soon as it is read. Returns the exit
 * status; a failure is in error. */
int compare_values(const struct compare_options *options, FILE *out, struct command_error *error);

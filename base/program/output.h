/*
 * output.h - the output of the report: standard output, or a file opened before anything is loaded,
 * which keeps its old content until the report is whole (base/program/file_replace.h).
 */
#pragma once

#include "command_error.h"
#include <stdio.h>

/* Make sure that descriptors 0, 1 and 2 are open, so that no file we open becomes one of them. */
void output_guard_descriptors(void);

/*
 * Open path for writing; NULL: standard output. Returns NULL with error set. Only one at a time;
 * closed with output_close.
 */
FILE *output_open(const char *path, struct command_error *error);

/*
 * Close it. keep: put the file in its place, else the old one stays. False with error set when not
 * all of it could be written.
 */
bool output_close(FILE *out, const char *path, bool keep, struct command_error *error);

/* Set error to the reason why the report could not be written; returns false. */
bool output_fail(const char *path, int error_number, struct command_error *error);

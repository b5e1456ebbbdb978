/*
 * output.h - where the report goes: standard output, or a file opened before anything is loaded.
 */
#ifndef PW_OUTPUT_H
#define PW_OUTPUT_H

#include "command_line.h"

/* Make sure that descriptors 0, 1 and 2 are open, so that no file we open becomes one of them. */
void output_guard_descriptors(void);

/*
 * Open path for writing, emptied; NULL: standard output. inputs: files that must not be
 * overwritten, ended by NULL. Returns NULL with error set. Closed with output_close.
 */
FILE *output_open(const char *path, const char *const *inputs, struct command_error *error);

/* Close it. False with error set when the last of it could not be written. */
bool output_close(FILE *out, const char *path, struct command_error *error);

/* Set error to why the report could not be written; returns false. */
bool output_fail(const char *path, int error_number, struct command_error *error);

#endif

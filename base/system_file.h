/*
 * system_file.h - the small files of /proc and /sys.
 *
 * root is put in front of a path: "" for this machine, a folder for a machine made of files.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The first line of a file, without its newline, cut to size. False, line "", if the file has no
 * line. */
bool system_file_line(const char *root, const char *path, char *line, size_t size);

/*
 * The text after "key:" on the first line that has it; there may be blanks before and after the
 * colon. Cut to size. False, value "", if there is no such line.
 */
bool system_file_value(const char *root, const char *path, const char *key, char *value,
                       size_t size);

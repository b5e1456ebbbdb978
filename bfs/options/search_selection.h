/*
 * search_selection.h - selects searches from a file of pairs: "1,3,9" or "1-15,40".
 */
#pragma once

#include "base/program/command_line.h"

/*
 * Check the text and keep it (borrowed) in a const char *: the reader of --only. False with error
 * set when it is not legal.
 */
bool search_selection_read(const char *text, void *selection, struct command_error *error);

/*
 * The selected of count searches, in ascending order, each once: *numbers (counted from 1) of
 * *number_count entries, freed by the caller. selection: a legal text, or NULL for every search.
 * Returns EXIT_OK. On failure error is set: EXIT_USAGE if it names a search that does not exist,
 * EXIT_FAILED when out of memory.
 */
int search_selection_resolve(const char *selection, size_t count, size_t **numbers,
                             size_t *number_count, struct command_error *error);

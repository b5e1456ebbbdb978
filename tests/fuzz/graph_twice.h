/*
 * graph_twice.h - a graph read in two ways that must agree: from a file with one thread, then with
 * two threads, or from a pipe.
 */
#pragma once

#include "fuzz.h"

/* Call it from fuzz_setup. */
void graph_twice_setup(void);

/* bits: the options; see graph_twice.c. format: the requested one, or NULL. */
void graph_load_twice(struct fuzz_input text, unsigned bits, const char *format);

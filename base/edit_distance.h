/*
 * edit_distance.h - how far a mistyped word is from one that is meant.
 */
#pragma once

#include <stddef.h>

#define EDIT_LENGTH_MAX 192

/*
 * The number of letters to insert, leave out, change or exchange with their neighbour (Damerau
 * 1964) that makes one word the other. Case, and which of '-', '_' and '.' separates, count for
 * nothing. More than most: some number above it; so also where a word is longer than
 * EDIT_LENGTH_MAX bytes.
 */
unsigned edit_distance(const char *a, size_t a_length, const char *b, size_t b_length,
                       unsigned most);

/*
 * edit_distance.h - the distance of a mistyped word from another word.
 */
#pragma once

#include <stddef.h>

#define EDIT_LENGTH_MAX 192

/*
 * The number of letters to insert, leave out, change or exchange with their neighbour (Damerau
 * 1964) to turn one word into the other. Ignored are case, and which of '-', '_' and '.' is used. A
 * distance above most is some number above it; so it is if a word is longer than EDIT_LENGTH_MAX
 * bytes.
 */
unsigned edit_distance(const char *a, size_t a_length, const char *b, size_t b_length,
                       unsigned most);
